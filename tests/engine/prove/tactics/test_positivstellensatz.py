"""Certificates that polynomial facts contradict each other: found, checked, and refused when damaged."""

import copy
import json
import re
from fractions import Fraction

import pytest

from dpbook.engine.prove.tactics.positivstellensatz import Literal, Poly
from tests.engine.prove.tactics.checker import Node, found, verify


def polynomial(text: str) -> Poly:
    """Read `2*a^2*b - 1/3`; the letter a is variable 0."""
    poly: Poly = {}
    for sign, term in re.findall(r"([+-]?)\s*([^\s+-]+)", text):
        value = Fraction(-1 if sign == "-" else 1)
        powers: dict[int, int] = {}
        for factor in term.split("*"):
            if factor[0].isdigit():
                value *= Fraction(factor)
            else:
                base, _, power = factor.partition("^")
                variable = ord(base) - ord("a")
                powers[variable] = powers.get(variable, 0) + int(power or 1)
        key = tuple(sorted(powers.items()))
        poly[key] = poly.get(key, Fraction(0)) + value
    return {key: value for key, value in poly.items() if value}


def literal(text: str) -> Literal:
    left, op, right = re.fullmatch(r"(.*?)\s*(>=|>|==|!=)\s*(0)", text.strip()).groups()
    assert right == "0"
    return polynomial(left), op


def problem(
    facts: str, clauses: list[str] | None = None
) -> tuple[list[Literal], list[list[list[Literal]]]]:
    return [literal(one) for one in facts.split(";")], [
        [[literal(one) for one in part.split("&")] for part in clause.split("|")]
        for clause in clauses or []
    ]


# Problems that the ledger's claims once put to Z3, by the claim.
PROBLEMS: dict[str, tuple[str, list[str]]] = {
    "text-4-1-rates": (
        "a > 0; b > 0; -b + 1/2 > 0; c - 2 >= 0; -c*d + a > 0; d > 0; -a^2*c + c^3 >= 0",
        [
            "-c >= 0 | d > 0",
            "-c + 1 > 0 | -b > 0 | d - 1 >= 0",
            "-c + 1 >= 0 | -b >= 0 | d - 1 > 0",
        ],
    ),
    "note-4-2-far": (
        "a - 1 >= 0; b > 0; c > 0; -a^2*b*c - 1/2*a*b*c + 5/6*a^2*c^2 + 5/18*a*c^2 - 1/18*b*c + 5/216*c^2 > 0",
        [
            "-a - 1/6 >= 0 | b > 0",
            "-a - 1/3 >= 0 | c > 0",
            "-a + 5/6 >= 0 | -a >= 0 | b - 1 > 0",
            "-a - 1/6 >= 0 | -a + 1 > 0 | -a^2 + 5/6*a + b - 1 >= 0",
            "-a - 1/6 >= 0 | -a - 1/3 >= 0 | -a + 1 > 0 | a*b - 5/6*a*c + 1/3*b - 1/3*c >= 0",
        ],
    ),
    "note-4-2-step": (
        "a > 0; b > 0; c - 1 >= 0; d >= 0; e > 0; b*e^2 - 3 >= 0; -b^2*c^2*d*e^4 - 2*a*b*c*d*e^2 + 1/16*b*c*d*e^2 - a^2*d + 1/4*a*d > 0",
        [],
    ),
    "text-a-mean-corrected": (
        "a > 0; b > 0; c - 2 >= 0; d - 2 >= 0; c - d >= 0; e > 0; b*e^2 - 3 > 0; b^2*c^2*e^4 + 2*a*b*c*e^2 - 2*b*c*e^2 + a^2 - 2*a + 1 >= 0; f >= 0; -b^2*c^2*e^4 - 2*a*b*c*e^2 + 2*b*c*e^2 - a^2 + f^2 + 2*a - 1 == 0; -f >= 0; -b*c^2*e^2 + b*c*d*e^2 - b*c*e^2 - a*c + a*d - a + f >= 0",
        [],
    ),
    "note-cycle-growth": (
        "a > 0; b > 0; c - 2 >= 0; d > 0; b*d^2 - 3 > 0; b*c*d^2 + a - 1 == 0",
        [],
    ),
    "note-data-share": (
        "a > 0; b > 0; a*b^2 - 3 > 0; -2/3*a^2*b^2 + 2*a > 0",
        [],
    ),
    "note-data-share-2": (
        "a > 0; b > 0; c - 2 >= 0; d > 0; b*d^2 - 3 > 0; b*c*d^2 + a - 1 != 0; -b*c*d^2 - a + 1 >= 0",
        [],
    ),
    "note-leading-product": (
        "a > 0; b > 0; c - 2 >= 0; d > 0; b*d^2 - 3 > 0; -4*b^2*c^2*d^4 - 8*a*b*c*d^2 + b*c*d^2 - 4*a^2 + 4*a >= 0; b*c*d^2 - a > 0",
        [],
    ),
    "note-later-sign": (
        "a > 0; -a + 1 > 0; b > 0; -b + 1 > 0; c - 2 >= 0; d - 2 >= 0; c - d >= 0; e > 0; -a + b > 0; f > 0; -a^4*e*f + a^2*e*f + a^2*e - e >= 0",
        [
            "-a >= 0 | f > 0",
            "-a >= 0 | a - 1 > 0 | -2*c + 2*d > 0 | -f + 1 >= 0",
            "-a >= 0 | a - 1 >= 0 | -2*c + 2*d >= 0 | -f + 1 > 0",
        ],
    ),
    "note-26-square": (
        "a > 0; b > 0; c > 0; -c + 1/2 > 0; d - 2 >= 0; -a*b^2 + d^3 >= 0; 1/4*a*b^2 - d^3 + 1/2*a*b*e + 1/4*a*e^2 > 0; e > 0; d^3 - a*e^2 >= 0",
        ["-d >= 0 | e > 0"],
    ),
    "note-c-5-order": (
        "a - 1 >= 0; a >= 0; -b + 1 > 0; b >= 0; b^10 - a == 0; b > 0",
        [],
    ),
    "note-c-5-entry": (
        "a > 0; b > 0; c > 0; d > 0; e - 1 >= 0; -d + 2*f >= 0; -g*h + 1/2*e >= 0; i*j - 1/2*e > 0; f > 0; g > 0; h > 0; k > 0; i > 0; l > 0; j > 0; -2*g^2*h + e*g >= 0; i*k*l - g*h == 0; i*k*l - i*j >= 0",
        [
            "-e >= 0 | f > 0",
            "-e >= 0 | g > 0",
            "-2*a >= 0 | h > 0",
            "-2 >= 0 | k > 0",
            "-a >= 0 | i > 0",
            "-f >= 0 | l > 0",
            "-d >= 0 | j > 0",
        ],
    ),
    "note-c-11-variance": (
        "a > 0; b - 2 >= 0; c - 1 > 0; d > 0; e > 0; d - e >= 0; a*c - a - 1 >= 0; a*b*c*d^2*e^2 - a*b^2*e^4 - a*b*d^2*e^2 - a*c*d^2*e^2 + 2*a*b*e^4 - 4*c*d^4 + a*d^2*e^2 + 8*b*d^2*e^2 - a*e^4 + 4*d^4 - 8*d^2*e^2 > 0; -c*d^2 + 1/10*b*e^2 - 1/10*e^2 > 0",
        [],
    ),
    "note-taken-first": (
        "a > 0; b > 0; c - 2 >= 0; d - 1 > 0; e > 0; f > 0; e - f >= 0; -f + g >= 0; e - g >= 0; -c*f^2 + f^2 + h >= 0; c*e^2 - e^2 - h >= 0; b*h + a != 0; b*g^2 + b*h + a != 0; b^3*d*g^4*h + b^3*d*g^2*h^2 + 2*a*b^2*d*g^2*h + a*b^2*d*g^4 + a^2*b*d*g^2 + b^3*g^2*h^2 + b^3*h^3 + 3*a*b^2*h^2 + 2*a*b^2*g^2*h + 3*a^2*b*h + a^2*b*g^2 + a^3 != 0; -d*e^2 + 1/10*c*f^2 - 1/10*f^2 > 0; -b^2*d*g^4 - b^2*g^2*h - a*b*g^2 - b^2*d*g^2*h - b^2*h^2 - 2*a*b*h - a*b*d*g^2 - a^2 >= 0",
        [],
    ),
    "note-chain": (
        "a > 0; b > 0; c - 2 >= 0; d > 0; b*d^2 - 3 > 0; -b^2*c^2*d^4*e - 2*a*b*c*d^2*e + 1/4*b*c*d^2*e - a^2*e + a*e >= 0",
        ["-b*c*d^2 - a + 1 >= 0 | e > 0"],
    ),
    "eq-44": (
        "a > 0; b > 0; c - 2 >= 0; d > 0; b*d^2 - 3 > 0; -e >= 0",
        ["-b*c*d^2 - a + 1 >= 0 | e > 0"],
    ),
    "text-e-1-markov-exponential": (
        "a > 0; b > 0; b - 1 >= 0; c >= 0; c^2 - 2 == 0; c > 0; a^2 - b*c + c == 0; -a^2 + b - 1 > 0",
        [],
    ),
    "note-divergence": (
        "a > 0; b > 0; c != 0; a*b - c*d > 0; e > 0; d > 0; -a*b^2 + b^2*e + b*c*f >= 0; e - 1 >= 0; e^2 - c^2 - 1 == 0; b*c*d*e + c^2*d*f - 2*c^2*d + c^2 >= 0; -b^2 + 2*e - 2 >= 0; b*c*d*e + c^2*d*f + c^2*d + 437931684667/8796093022208*c^2 >= 0; -b*c*e - c^2*f + c^2*d >= 0; -1160623831103/1099511627776*b*c*e - 1160623831103/1099511627776*c^2*f + c^2*d + 45264329413017/792747883626496*c^2 >= 0",
        ["-b >= 0 | -b^3 - 6*b + 6*c > 0"],
    ),
    "note-divergence-small": (
        "a > 0; b != 0; c > 0; -a^3*c^2 + 2*a^2*b*c - a*b^2 > 0; c - 1 >= 0; -b^2 + c^2 - 1 == 0",
        [],
    ),
    "note-no-bound": (
        "a - 2 >= 0; b > 0; a >= 0; b - 1/2*c >= 0; -b + 2*c >= 0; a > 0; c >= 0; c^2 - a == 0; c > 0; a*b^2 - 4*a*b*c - 4*b^2*c + a^2 + 2*a*b - 4*a*c - 4*b*c > 0",
        [],
    ),
    "note-one-exponential": (
        "a > 0; b >= 0; -b + c > 0; -a - c != 0; a + c > 0; a + b > 0; 2*a^4*d + 4*a^3*c*d + 2*a^2*c^2*d - 2*a^4*e - 4*a^3*c*e - 2*a^2*c^2*e + 4*a^3*b + 6*a^2*b*c - 4*a^3*c - 6*a^2*c^2 + 2*a*b*c^2 - 2*a*c^3 > 0",
        [
            "-a - c >= 0 | a + c - d - 1 >= 0",
            "-a - c >= 0 | -a - b >= 0 | -a*d - b*d + a*e + b*e - b + c >= 0",
        ],
    ),
    "note-theorem-2-approximate": (
        "a > 0; b > 0; c > 0; d > 0; -d + 1 >= 0; e >= 0; f > 0; g > 0; g*h - f >= 0; -b*d*h + a*h^2 >= 0; h > 0; -a*g*h^2 + b*d*f > 0",
        [],
    ),
    "note-variation-affinity": (
        "a > 0; b > 0; c > 0; b >= 0; c >= 0; 2*a^2*d*e - a^2*b - a^2*c + 2*a*d^2 - 2*a*e^2 - 2*d*e - b - c > 0; d - e >= 0; d >= 0; d^2 - b == 0; d > 0; e >= 0; e^2 - c == 0; e > 0",
        [],
    ),
    "text-5-scalar-corrected": (
        "a > 0; b > 0; c != 0; -c >= 0; a*b - c*d + c*e >= 0; c*d - c*e >= 0; -c == 0",
        [],
    ),
    "lemma-5-corrected-uniform": (
        "a > 0; -a + 1/2 >= 0; a >= 0; -a + 1 >= 0; -a + 1 >= 0; b >= 0; b^2 - a == 0; b > 0; c >= 0; c^2 + a - 1 == 0; c > 0; -a^2 - 1/2*b*c + a > 0",
        [],
    ),
    "note-lemma-5-growth": (
        "a - 1 >= 0; a >= 0; a + 1 >= 0; b >= 0; b^2 - a - 1 == 0; b > 0; c >= 0; c^2 - a == 0; c > 0; -a*b + a*c - 1/2*b + c > 0",
        [],
    ),
    "lemma-7-independent": (
        "a >= 0; b > 0; -b + 1 > 0; -b + c >= 0; -c + 1 >= 0; -b + d >= 0; -d + 1 >= 0; -e >= 0; b > 0; -a*f + e >= 0; d != 0; c*d > 0; -e - g > 0; a*f - e + f - g > 0",
        [
            "-b >= 0 | b - f - 1 >= 0",
            "-c*d >= 0 | c*d*g - c*d + d^2 >= 0",
            "-b >= 0 | -c*d >= 0 | b*d^2 - c*d*f + c*d*g - c*d >= 0",
            "-b >= 0 | b - 3/16*f - 8820204543333/17592186044416 >= 0",
        ],
    ),
    "eq-a-5": (
        "a > 0; -2*a^2*b + 5*a^2 - 4*a*b - 4*a - 1 > 0",
        [
            "-a >= 0 | a*b - a + 1 >= 0",
            "a - 1 != 0 | b == 0",
            "-a >= 0 | -a*b^2 + a^2 - 2*a + 1 >= 0",
            "-a >= 0 | 2*a^2*b - 5*a^2 + 4*a*b + 4*a + 1 >= 0",
        ],
    ),
    "text-c-lemma-4": (
        "a > 0; b - c >= 0; b - d >= 0; e*f > 0; -c + d >= 0; e > 0; f > 0; c - d != 0; c - d >= 0",
        [],
    ),
    "note-lemma-6-tight": (
        "-a >= 0; -1 >= 0",
        [],
    ),
    "renyi-normal-low-order": (
        "a > 0; -a + 1 > 0; b > 0; c > 0; a*b^2 - a*c^2 - b^2 != 0; -a*b^2 + a*c^2 + b^2 >= 0; -d >= 0; d >= 0; a^2*b^4*d^2 - 2*a^2*b^2*c^2*d^2 - 2*a*b^4*d^2 + a^2*c^4*d^2 + 2*a*b^2*c^2*d^2 + b^4*d^2 + a*b^2 - a*c^2 - b^2 == 0",
        [],
    ),
}


@pytest.fixture(scope="module")
def certificates() -> dict[str, Node | None]:
    return {name: found(*problem(*texts)) for name, texts in PROBLEMS.items()}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_on_record_has_a_certificate(name, certificates):
    assert certificates[name] is not None
    assert verify(certificates[name], *problem(*PROBLEMS[name]))


def test_the_certificates_use_every_rule(certificates):
    text = repr(list(certificates.values()))
    for rule in ("sum", "split", "cases", "cancel", "have"):
        assert f"'rule': '{rule}'" in text


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_search_is_deterministic(name, certificates):
    assert found(*problem(*PROBLEMS[name])) == certificates[name]


def plain(value):
    """Fractions and polynomials as JSON."""
    if isinstance(value, dict) and "rule" not in value:
        return [[list(map(list, key)), str(part)] for key, part in value.items()]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return str(value) if isinstance(value, Fraction) else value


def test_certificates_are_plain_data(certificates):
    for node in certificates.values():
        json.dumps(plain(node))


def damaged(node: Node):
    """Copies of a tree with one thing changed."""

    def places(value, path):
        if isinstance(value, dict) and "rule" in value:
            for key, part in value.items():
                if key != "rule":
                    yield from places(part, (*path, key))
        elif isinstance(value, list):
            for index, part in enumerate(value):
                yield from places(part, (*path, index))
        elif isinstance(value, Fraction):
            yield path, value + 1
            yield path, -value
        elif isinstance(value, int):
            yield path, value + 1
        elif isinstance(value, dict):
            for key, part in value.items():
                changed = dict(value)
                changed[key] = part * 2
                yield path, changed

    for path, new in places(node, ()):
        tree = copy.deepcopy(node)
        inner = tree
        for step in path[:-1]:
            inner = inner[step]
        inner[path[-1]] = new
        yield tree


def test_a_damaged_sum_is_refused(certificates):
    count = 0
    for name, node in certificates.items():
        if node["rule"] != "sum":
            continue
        facts, clauses = problem(*PROBLEMS[name])
        copies = list(damaged(node))
        for tree in copies[:: 1 + len(copies) // 16]:
            # Another id is harmless only where it names the same fact once more.
            same = [
                [facts[place] for place in term[1]]
                if max(term[1], default=0) < len(facts)
                else None
                for term in tree["terms"]
            ] == [[facts[place] for place in term[1]] for term in node["terms"]]
            equal = [
                facts[place] if place < len(facts) else None for place, _ in tree["equalities"]
            ] == [facts[place] for place, _ in node["equalities"]]
            if (
                same
                and equal
                and [term[0] for term in tree["terms"]] == [term[0] for term in node["terms"]]
                and [term[2] for term in tree["terms"]] == [term[2] for term in node["terms"]]
                and [part for _, part in tree["equalities"]]
                == [part for _, part in node["equalities"]]
            ):
                continue
            count += 1
            assert not verify(tree, facts, clauses), (name, tree)
    assert count > 100


def test_a_tree_with_a_wrong_shape_is_refused(certificates):
    for name, node in certificates.items():
        facts, clauses = problem(*PROBLEMS[name])
        for key in node:
            short = {other: part for other, part in node.items() if other != key}
            assert not verify(short, facts, clauses)
        if "branches" in node:
            assert not verify({**node, "branches": node["branches"][:-1]}, facts, clauses)
        assert not verify(node, [], [])
    assert not verify({"rule": "magic"}, *problem("a > 0; -a > 0"))


def one_sum(*terms, equalities=()):
    return {
        "rule": "sum",
        "terms": [[Fraction(value), list(names), square] for value, names, square in terms],
        "equalities": [list(pair) for pair in equalities],
    }


def test_a_sum_without_a_strict_term_is_refused():
    facts = problem("a >= 0; -a >= 0")
    assert not verify(one_sum((1, [0], None), (1, [1], None)), *facts)
    strict = problem("a > 0; -a >= 0")
    assert verify(one_sum((1, [0], None), (1, [1], None)), *strict)
    # A square may vanish.
    squared = one_sum((1, [0], polynomial("b")), (1, [1], polynomial("b")))
    assert not verify(squared, *strict)


def test_a_sum_may_use_inequalities_as_terms_only():
    facts = problem("a != 0; -a >= 0; a == 0")
    assert not verify(one_sum((1, [0], None), (1, [1], None)), *facts)
    assert not verify(one_sum((1, [2], None), (1, [1], None)), *facts)
    node = one_sum((1, [], None), equalities=[(1, polynomial("a"))])
    assert not verify(node, *problem("a > 0; -1 >= 0"))


def cancelling(by, even, quotient, then):
    return {
        "rule": "cancel",
        "fact": 0,
        "by": by,
        "even": even,
        "quotient": polynomial(quotient),
        "then": then,
    }


def test_cancelling_needs_cofactors_of_the_right_kind():
    last = one_sum((1, [2], None), (1, [3], None))
    for op, cofactor, right in [
        (">", ">", True),
        (">", ">=", True),
        (">", "!=", False),
        (">=", ">", True),
        (">=", ">=", False),
        (">=", "!=", False),
    ]:
        facts = problem(f"a*b {op} 0; a {cofactor} 0; -b > 0")
        assert verify(cancelling([[1, 1]], [], "b", last), *facts) is right
    facts = problem("a^2*b > 0; a >= 0; -b > 0")
    assert verify(cancelling([], [[polynomial("a"), 2]], "b", last), *facts)
    facts = problem("a^2*b >= 0; a >= 0; -b > 0")
    assert not verify(cancelling([], [[polynomial("a"), 2]], "b", last), *facts)
    facts = problem("a^3*b > 0; a >= 0; -b > 0")
    assert not verify(cancelling([], [[polynomial("a"), 3]], "b", last), *facts)


def test_cases_must_cover():
    above = one_sum((1, [0], None), (1, [1], None))
    facts = problem("-a > 0")
    for ops in ([">", "<"], [">"], [">", ">="]):
        node = {
            "rule": "cases",
            "term": polynomial("a"),
            "ops": ops,
            "branches": [above] * len(ops),
        }
        assert not verify(node, *facts)


SATISFIABLE = [
    "a > 0",
    "a >= 0; -a >= 0",
    "a > 0; b > 0; 1 - a*b >= 0",
    "a^2 - 2 == 0; a > 0",
    "a != 0; a*b == 0",
    "a*b > 0; -a > 0",
    "a^2 + b^2 - 1 == 0; a - b >= 0; a + b >= 0",
]


@pytest.mark.parametrize("facts", SATISFIABLE)
def test_satisfiable_facts_have_no_certificate(facts):
    assert found(*problem(facts), effort=1) is None


def test_a_satisfiable_clause_has_no_certificate():
    assert (
        found(*problem("a > 0; 1 - a > 0", ["b - a > 0 | -b > 0", "b - 2 == 0 | b == 0"])) is None
    )


@pytest.mark.parametrize(
    ("facts", "clauses"),
    [
        ("-1 > 0", []),
        ("0 > 0", []),
        ("0 != 0", []),
        ("a == 0; 2*a != 0", []),
        ("a != 0; a >= 0; -a >= 0", []),
        ("a^2 + 1 == 0", []),
        ("-a^2 > 0", []),
        ("a*b > 0; a > 0; -b >= 0", []),
        ("a - b == 0; a^2 - b^2 > 0", []),
        ("a^2 - 2*a*b + b^2 + 1 == 0", []),
        # The square of a - 1.
        ("a > 0; 2*b - a^2 - 1 >= 0; a - b > 0", []),
        ("a > 0", ["-a > 0 | -a^2 > 0"]),
        ("a > 0", ["-a > 0 | b > 0 & -b > 0", "a == 0 | a > 0"]),
    ],
)
def test_simple_contradictions_are_found(facts, clauses):
    node = found(*problem(facts, clauses), effort=2)
    assert node is not None
    assert verify(node, *problem(facts, clauses))


def test_an_unused_split_is_left_out():
    node = found(*problem("a > 0; -a > 0", ["b > 0 | c > 0"]))
    assert node["rule"] == "sum"


def test_nothing_is_no_contradiction():
    assert found([], []) is None
