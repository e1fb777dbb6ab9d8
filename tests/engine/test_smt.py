"""The Z3 rung: true axioms, no proof of a false statement, the standard hard ones."""

import itertools
import random
import time

import mpmath
import pytest
import sympy as sp

from dpbook.engine.methods import axioms, cvc5_check, smt

x, y, z, u, v, a, b, c, d, n, p, q = sp.symbols("x y z u v a b c d n p q", real=True)

FUNCTIONS = {
    "exp": mpmath.exp,
    "log": mpmath.log,
    "tanh": mpmath.tanh,
    "cosh": mpmath.cosh,
    "sinh": mpmath.sinh,
    "erf": mpmath.erf,
    "atan": mpmath.atan,
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "gamma": mpmath.gamma,
    "factorial": mpmath.factorial,
    "floor": mpmath.floor,
    "ceiling": mpmath.ceil,
}


def holds(tree):
    """Evaluate a formula at numbers of 80 digits, up to rounding."""
    if tree[0] in ("and", "or"):
        return (all if tree[0] == "and" else any)(holds(t) for t in tree[1])
    value, op = tree
    tiny = mpmath.mpf(10) ** -50
    # equalities and strict signs are judged with room, so that rounding excuses no axiom
    return {
        "==": abs(value) <= tiny,
        "!=": abs(value) > tiny,
        "<": value < tiny,
        "<=": value <= tiny,
        ">": value > -tiny,
        ">=": value >= -tiny,
    }[op]


def arguments(kind, rng):
    """Points at several scales, with the special ones."""
    special = [0, 1, -1, 2, -2, 3, "0.5", "-0.5", "1e-9", "-1e-9", "1.0000001", "3.141592653"]
    points = [mpmath.mpf(s) for s in special]
    points += [mpmath.mpf(rng.uniform(-w, w)) for w in (0.01, 1, 2, 4, 12) for _ in range(12)]
    if kind == "log":
        points = [t for t in points if t > 0]
    if kind == "gamma":
        points = [t for t in points if t > 0 or t != mpmath.floor(t)]
    if kind == "factorial":
        points = [mpmath.mpf(k) for k in range(12)]
    return points


@pytest.fixture(autouse=True)
def many_digits():
    with mpmath.workdps(80):
        yield


@pytest.mark.parametrize("name", sorted(axioms.UNARY))
def test_an_axiom_of_one_term_holds_at_all_points(name):
    kind, _, rule = axioms.UNARY[name]
    for t in arguments(kind, random.Random(name)):
        assert all(map(holds, rule(t, FUNCTIONS[kind](t)))), (name, t)


@pytest.mark.parametrize("name", sorted(axioms.PAIRS))
def test_an_axiom_of_two_terms_holds_at_all_points(name):
    kind, _, rule = axioms.PAIRS[name]
    points = arguments(kind, random.Random(name))[::2]
    f = FUNCTIONS[kind]
    for s in points:
        for t in points:
            assert all(map(holds, rule(s, f(s), t, f(t)))), (name, s, t)


@pytest.mark.parametrize("name", sorted(axioms.MIXED))
def test_an_axiom_of_two_kinds_holds_at_all_points(name):
    first, second, _, rule = axioms.MIXED[name]
    f, g = FUNCTIONS[first], FUNCTIONS[second]
    rng = random.Random(name)
    others = arguments(second, rng)[::2]
    for s in arguments(first, rng)[::2]:
        near = [s, -s * s, s * s / 2, mpmath.log(abs(s) + 1), mpmath.exp(min(s, 5))]
        for t in others + [t for t in near if second != "log" or t > 0]:
            assert all(map(holds, rule(s, f(s), t, g(t)))), (name, s, t)


def bases(rng):
    return [mpmath.mpf(s) for s in ("1", "2", "0.5", "1e-6", "1.000001", "30")] + [
        mpmath.mpf(rng.uniform(0, w)) for w in (1, 2, 9) for _ in range(5)
    ]


def exponents(rng):
    return [mpmath.mpf(s) for s in ("0", "1", "-1", "2", "0.5", "1e-6", "0.999")] + [
        mpmath.mpf(rng.uniform(-w, w)) for w in (1, 3, 8) for _ in range(5)
    ]


@pytest.mark.parametrize("name", sorted(axioms.POWERS))
def test_an_axiom_of_a_power_holds_at_all_points(name):
    rng = random.Random(name)
    for s in bases(rng):
        for t in exponents(rng):
            assert all(map(holds, axioms.POWERS[name][1](s, t, s**t))), (name, s, t)


@pytest.mark.parametrize("name", sorted(axioms.POWER_PAIRS))
def test_an_axiom_of_two_powers_holds_at_all_points(name):
    rng = random.Random(name)
    rule = axioms.POWER_PAIRS[name][1]
    for _ in range(1200):
        s, t = rng.choice(bases(rng)), rng.choice(exponents(rng))
        s2 = rng.choice([s, rng.choice(bases(rng))])
        t2 = rng.choice([t, rng.choice(exponents(rng))])
        assert all(map(holds, rule(s, t, s**t, s2, t2, s2**t2))), (name, s, t, s2, t2)


@pytest.mark.parametrize("name", sorted(axioms.TRIPLES))
def test_an_axiom_of_three_exponentials_holds_at_all_points(name):
    rng = random.Random(name)
    rule = axioms.TRIPLES[name][1]
    points = arguments("exp", rng)
    for _ in range(2000):
        s, t, w = (rng.choice(points) for _ in range(3))
        w = rng.choice([w, s + t])
        assert all(map(holds, rule(s, mpmath.exp(s), t, mpmath.exp(t), w, mpmath.exp(w))))


@pytest.mark.parametrize("name", sorted(axioms.POWER_MIXED))
def test_an_axiom_of_a_power_and_a_log_holds_at_all_points(name):
    kind, _, rule = axioms.POWER_MIXED[name]
    rng = random.Random(name)
    for s in bases(rng):
        for t in exponents(rng):
            for w in (s, s + 1):
                assert all(map(holds, rule(s, t, s**t, w, FUNCTIONS[kind](w)))), (name, s, t)


def test_a_false_axiom_would_be_noticed():
    points = arguments("exp", random.Random(0))
    assert not all(holds((mpmath.exp(t) - 1 - t - t * t / 2, ">=")) for t in points)


UNIT = [(p, ">"), (1 - p, ">"), (q, ">"), (1 - q, ">")]
KL = p * sp.log(p / q) + (1 - p) * sp.log((1 - p) / (1 - q))
HELLINGER = (sp.sqrt(p) - sp.sqrt(q)) ** 2 + (sp.sqrt(1 - p) - sp.sqrt(1 - q)) ** 2
E = sp.exp
TRUE = {
    "Motzkin": ((x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + 1, ">="), []),
    "Schur": (
        (x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y), ">="),
        [(x, ">="), (y, ">="), (z, ">=")],
    ),
    "means of four": ((a**4 + b**4 + c**4 + d**4 - 4 * a * b * c * d, ">="), []),
    "Cauchy-Schwarz": (
        ((a**2 + b**2 + c**2) * (x**2 + y**2 + z**2) - (a * x + b * y + c * z) ** 2, ">="),
        [],
    ),
    "monotone exp of a polynomial": (
        (2 * v + E(1 + y + y**4) - 2 * u - E(1 + x + x**4), ">"),
        [(x, ">"), (y - x, ">"), (u, ">"), (v - u, ">")],
    ),
    "product with a factor over 1": (((1 + y**2) * x - 1 - y**2, ">="), [(x - 1, ">")]),
    "nested quotient": (
        (a * x - (1 + z / (3 * (c + 3))) * n, ">"),
        [(a * x / 2 - n, ">="), (c, ">"), (z, ">"), (1 - z, ">"), (n, ">")],
    ),
    "outlyingness is stable": (
        ((c * a + b) / d - sp.Abs(sp.Abs(x - y) / u - sp.Abs(x - z) / v), ">="),
        [
            (b - sp.Abs(y - z), ">="),
            (a - sp.Abs(u - v), ">="),
            (v - d, ">="),
            (d, ">"),
            (u, ">"),
            (c * u - sp.Abs(x - y), ">="),
        ],
    ),
    "relative entropy below chi-square": (((p - q) ** 2 / (q * (1 - q)) - KL, ">="), UNIT),
    "Hellinger below relative entropy": ((KL - HELLINGER, ">="), UNIT),
    "Hellinger below total variation": (
        (sp.Abs(p - q) - HELLINGER / 2, ">="),
        [(p, ">="), (1 - p, ">="), (q, ">="), (1 - q, ">=")],
    ),
    "power of a number below 1": (
        (1 - a * b ** (n - 1), ">"),
        [(a, ">"), (1 - a, ">"), (b, ">"), (1 - b, ">="), (n - 1, ">=")],
    ),
    "Bernoulli": (((1 + x) ** n - 1 - n * x, ">="), [(x, ">="), (n - 1, ">=")]),
    "power against exp": (
        ((1 - a) ** n - E(-n * a), "<="),
        [(a, ">="), (1 - a, ">"), (n - 1, ">=")],
    ),
    "high powers": ((y**120 - x**120, ">"), [(x, ">"), (y - x, ">")]),
    "log-concavity": (
        (sp.log(x) + sp.log(y) - 2 * sp.log((x + y) / 2), "<="),
        [(x, ">"), (y, ">")],
    ),
    "randomized response": (((E(a) - 1) / (E(a) + 1) - a / 2, "<="), [(a, ">=")]),
    "cosh": ((sp.cosh(x) - E(x**2 / 2), "<="), []),
    "erfc": ((sp.erfc(x) - E(-(x**2)), "<="), [(x, ">=")]),
    "sine": ((sp.sin(x) - 2 * x / 5, ">="), [(x, ">="), (1 - x, ">=")]),
    "ceiling": ((sp.ceiling(x) - x - 1, "<"), []),
    "median": (
        (
            sp.Max(sp.Min(a, b), sp.Min(b, c), sp.Min(a, c))
            - sp.Min(sp.Max(a, b), sp.Max(b, c), sp.Max(a, c)),
            "==",
        ),
        [],
    ),
    "disjunction": ((x**2 - 1, ">="), [("or", [(x - 1, ">="), (x + 1, "<=")])]),
    "pi and e": ((sp.pi + sp.E - sp.Rational(58598, 10000), ">"), []),
    "exp of a sum": ((E(x + y) - E(x) * E(y), "=="), []),
    "halved exponent": ((E(x) - E(x / 2) ** 2, "=="), []),
    "log of a product": ((sp.log(x * y**2) - sp.log(x) - 2 * sp.log(y), "=="), [(y, ">")]),
    "weighted means": (
        (p * x + (1 - p) * y - x**p * y ** (1 - p), ">="),
        [(x, ">"), (y, ">"), (p, ">"), (1 - p, ">")],
    ),
    "power of a product": ((a**n * b**n - (a * b) ** n, "=="), [(a, ">"), (b, ">")]),
    "product of exps": ((E(x) * E(y) - E(z), "<"), [(z - x - y, ">")]),
    "unknown function": ((sp.Function("f")(x) - sp.Function("f")(y), "=="), [(x - y, "==")]),
    "sign of a high power": ((x**120 + 1, ">"), []),
}


@pytest.mark.parametrize("name", sorted(TRUE))
def test_true_statements_are_proved(name):
    goal, hypotheses = TRUE[name]
    proof = smt.prove(goal, hypotheses, seconds=8)
    assert proof is not None
    assert proof.certificate["problems"]


FALSE = {
    "exp below its quadratic": ((E(x) - 1 - x - x**2, "<="), []),
    "tanh below x": ((sp.tanh(x) - x, "<="), []),
    "triangle the wrong way": ((sp.Abs(x) + sp.Abs(y) - sp.sqrt(x**2 + y**2), "<="), []),
    "strict at a touching point": ((E(x) - 1 - x, ">"), []),
    "strict log": ((x - 1 - sp.log(x), ">"), [(x, ">")]),
    "Schur with a negative": (
        (x * (x - y) * (x - z) + y * (y - x) * (y - z) + z * (z - x) * (z - y), ">="),
        [(x, ">="), (y, ">=")],
    ),
    "Motzkin by a hair": (
        (x**4 * y**2 + x**2 * y**4 - 3 * x**2 * y**2 + sp.Rational(999, 1000), ">="),
        [],
    ),
    "power of a negative": (((1 + x) ** n - 1 - n * x, ">="), [(x, ">="), (n, ">=")]),
    "log of a square": ((sp.log(x**2, evaluate=False) - 2 * sp.log(y), "=="), [(x - y, "==")]),
    "root of a square": ((sp.sqrt((x - 1) ** 2) - x + 1, "=="), []),
    "max is a sum": ((sp.Max(x, y) - x - y, "<="), []),
    "ceiling at an integer": ((sp.ceiling(x) - x, ">"), []),
    "integer steps on reals": ((x * (x - 1), ">="), []),
    "pi": ((sp.pi - sp.Rational(355, 113), ">="), []),
}


@pytest.mark.parametrize("name", sorted(FALSE))
def test_false_statements_are_not_proved(name):
    goal, hypotheses = FALSE[name]
    assert smt.prove(goal, hypotheses, seconds=2) is None


def test_integers_are_used_only_where_declared():
    k = sp.Symbol("k", integer=True)
    goal = (k * (k - 1), ">=")
    assert smt.prove(goal, [], seconds=2) is None
    assert smt.prove(goal, [], integers=[k], seconds=2) is not None


def test_hypotheses_in_a_disjunction_do_not_leak():
    # 1/x occurs in one branch only: x = 0 stays possible
    hypotheses = [("or", [(1 / x - 1, ">"), (x, "==")])]
    assert smt.prove((x, ">"), hypotheses, seconds=2) is None
    assert smt.prove((x, ">="), hypotheses, seconds=2) is not None
    hypotheses = [("or", [(sp.sqrt(x) - 1, ">"), (sp.log(-x), ">"), (x, "==")])]
    assert smt.prove((x**2, ">"), hypotheses, seconds=2) is None
    assert smt.prove((x**2 - 1, ">="), hypotheses[:1] + [(x, "!=")], seconds=2) is not None


def test_pieces_are_read_where_they_hold():
    value = sp.Piecewise((1 / x, x > 0), (sp.sqrt(-x), x < 0), (5, True))
    assert smt.prove((value, ">="), [], seconds=2) is not None
    assert smt.prove((value, ">"), [], seconds=2) is not None
    assert smt.prove((value - 1, ">="), [], seconds=2) is None


def test_what_cannot_be_read_is_unknown():
    assert smt.unsat([("print(1)", ">")]).status == "unknown"
    assert smt.unsat([(x, "=>")]).status == "unknown"
    for bad in (sp.Float("0.5") * x, sp.I * x, sp.oo, sp.zoo, "x +", x ** sp.Float(2)):
        assert smt.unsat([(bad, ">")]).status == "unknown"


def test_a_model_is_exact_and_satisfies_the_formulas():
    result = smt.unsat([(x**2 - 2, ">"), (x - 3, "<"), (x, ">")])
    assert result.status == "sat"
    assert result.model[x] ** 2 > 2
    assert 0 < result.model[x] < 3


def test_the_same_question_has_the_same_answer():
    goal, hypotheses = TRUE["relative entropy below chi-square"]
    first, second = (smt.prove(goal, hypotheses, seconds=8) for _ in range(2))
    assert first.certificate == second.certificate


def test_cvc5_confirms_certificates():
    pytest.importorskip("cvc5")
    for name in ("Motzkin", "product with a factor over 1", "nested quotient", "Bernoulli"):
        problems = smt.prove(*TRUE[name], seconds=8).certificate["problems"]
        assert cvc5_check.unsatisfiable(problems, 20) is True, name
        assert cvc5_check.unsatisfiable([*problems, SATISFIABLE], 20) is False, name
    assert cvc5_check.unsatisfiable([SATISFIABLE], 5) is False
    assert cvc5_check.unsatisfiable(["(this is no problem"], 5) is None
    assert cvc5_check.unsatisfiable(None, 5) is None


def test_a_second_solver_that_hangs_is_ended(monkeypatch):
    pytest.importorskip("cvc5")
    monkeypatch.setattr(cvc5_check, "START", -0.9)
    assert cvc5_check.unsatisfiable([SATISFIABLE], 0.91) is None


SATISFIABLE = "(set-logic QF_NRA)(declare-const g0 Real)(assert (> g0 1.0))(check-sat)"


def test_an_answer_counts_steps_and_reads_no_clock(monkeypatch):
    # once the limit was one on the wall, and two notebooks at a time found another proof than one
    roots = [sp.sqrt(symbol) for symbol in (a, b, c)]
    given = [(symbol, ">=") for symbol in (a, b, c)]
    goal = 2 * (roots[0] - roots[1]) ** 2 + 2 * (roots[1] - roots[2]) ** 2
    question = [*given, (goal - (roots[0] - roots[2]) ** 2, "<")]
    calls = []
    ask = smt.ask_z3

    def counted(writer, text, name, limit, seed):
        calls.append((text, name, limit))
        return ask(writer, text, name, limit, seed)

    monkeypatch.setattr(smt, "ask_z3", counted)
    assert smt.unsat(question).status == "unsat"
    asked, calls = calls, []
    hurry = itertools.count(0, 1000)
    for clock in ("monotonic", "process_time", "perf_counter"):
        monkeypatch.setattr(time, clock, lambda: float(next(hurry)))
    assert smt.unsat(question).status == "unsat"
    assert asked
    assert calls == asked
    assert smt.unsat(question, seconds=0.0031).status == "unknown"
