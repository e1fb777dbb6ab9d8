"""What the kernel takes as true about functions, at many points and by quadrature."""

import itertools
import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from dpbook.kernel import Rejected, check
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import parse_formula
from dpbook.kernel.table import AXIOMS, INTEGRALS
from dpbook.kernel.terms import parse_term
from tests.kernel.instances import filled
from tests.kernel.values import Unknown, holds, value

EXACT = [
    Fraction(p)
    for p in (
        [
            "0",
            "1",
            "-1",
            "2",
            "-2",
            "3",
            "-3",
            "1/2",
            "-1/2",
            "3/2",
            "-3/2",
            "5",
            "-5",
            "1/1000",
            "-1/1000",
            "1001/1000",
            "999/1000",
        ]
    )
]
SPECIAL = (
    "pi",
    "pi/2",
    "-pi",
    "31415926535/10000000000",
    "15707963267/10000000000",
    "exp(1)",
    "log(2)",
)


# conditions that points drawn at random hardly meet
MORE = {
    "small powers": [
        (u, v, w)
        for u in ("0", "1/2", "-1/2", "9/10", "-9/10", "-1/1000")
        for v in ("7", "60", "700", "7000")
        for w in ("1", "1/10", "6", "1/1000")
    ],
}


def test_rows_of_the_data_file_are_texts_and_lists_of_texts():
    for row in (*AXIOMS.values(), *INTEGRALS.values()):
        for field, found in vars(row).items():
            lists = field in ("formulas", "conditions", "rests")
            assert isinstance(found, tuple if lists else str), (row, field)
            assert all(isinstance(one, str) and one for one in found), (row, field)
            assert found or field in ("conditions", "rests", "source", "why"), (row, field)


def more_points(name, parameters):
    with mpmath.workdps(40):
        rows = [[value(parse_term(v), {}) for v in row] for row in MORE.get(name, ())]
        return [dict(zip(parameters, row, strict=True)) for row in rows]


def points(parameters, number=250):
    """Exact and random points; pairs that are equal, and those where axioms change their case."""
    draw = random.Random(20261122)
    with mpmath.workdps(40):
        exact = [mpf(p.numerator) / p.denominator for p in EXACT]
        exact += [value(parse_term(s), {}) for s in SPECIAL]
        grid = itertools.product(exact, repeat=len(parameters))
        many = (
            list(grid)
            if len(parameters) < 3
            else [[draw.choice(exact) for _ in parameters] for _ in range(number)]
        )
        if len(many) > number:
            many = draw.sample(many, number)
        for _ in range(number // 2):
            # no larger: at 40 digits tanh(50) is 1
            one = [
                mpf(draw.uniform(-6, 6)) * draw.choice((mpf("0.001"), mpf("0.2"), 1))
                for _ in parameters
            ]
            many.append(one)
            equal = list(one)
            if len(one) > 1:
                equal[-1] = one[1] if len(one) > 3 else one[0]
                many.append(equal)
            if len(one) > 3:
                both = list(equal)
                both[2] = one[0]
                many.append(both)
        return [dict(zip(parameters, p, strict=True)) for p in many]


@pytest.mark.parametrize("name", AXIOMS)
def test_axiom_holds_at_every_point(name):
    entry = AXIOMS[name]
    conditions = [parse_formula(c) for c in entry.conditions]
    formulas = [parse_formula(f) for f in entry.formulas]
    told = [0] * len(formulas)
    with mpmath.workdps(40):
        for at in [*points(entry.names.split()), *more_points(name, entry.names.split())]:
            if not all(holds(c, at) for c in conditions):
                continue
            for i, f in enumerate(formulas):
                try:
                    assert holds(f, at), (str(f), at)
                except (Unknown, OverflowError):
                    continue
                told[i] += 1
    assert min(told) >= 3, told


PARAMETERS = [
    {"a": "3/2", "b": "5/4", "c": "-1/3", "d": "2/5"},
    {"a": "2", "b": "1/2", "c": "0", "d": "9/10"},
    {"a": "7/3", "b": "3", "c": "1", "d": "1/8"},
]


@pytest.mark.parametrize("name", INTEGRALS)
def test_integral_of_the_table_is_its_quadrature(name):
    entry = INTEGRALS[name]
    body, exact = parse_term(entry.body), parse_term(entry.value)
    with mpmath.workdps(20):
        for chosen in PARAMETERS:
            at = {p: value(parse_term(chosen[p]), {}) for p in entry.names.split()}
            assert all(holds(parse_formula(c), at) for c in entry.conditions)
            ends = [
                mpmath.inf if e == "oo" else -mpmath.inf if e == "-oo" else value(parse_term(e), at)
                for e in (entry.low, entry.high)
            ]
            if mpmath.inf in ends or -mpmath.inf in ends:
                ends.insert(
                    1,
                    mpf(1)
                    if ends[0] == 0
                    else mpf(0)
                    if mpmath.isinf(ends[0]) and mpmath.isinf(ends[1])
                    else (ends[0] + 3 if mpmath.isinf(ends[1]) else ends[1] - 3),
                )

            def at_x(x, at=at):
                return value(body, {**at, "x": x})

            found = mpmath.quad(at_x, ends)
            want = value(exact, at)
            assert abs(found - want) <= mpf(10) ** -9 * (1 + abs(want)), (name, chosen)


WEIGHTS = "sum(binomial(n, k)*x^k*y^(n - k), k, 0, n)"
FIRST = "sum(k*(binomial(n, k)*x^k*y^(n - k)), k, 0, n)"


@pytest.mark.parametrize(
    ("goal", "name", "accepted"),
    [
        (f"{WEIGHTS} == (x + y)^n", "binomial theorem", True),
        (f"{WEIGHTS} == (x + y)^(n + 1)", "binomial theorem", False),
        (f"{WEIGHTS} == (x - y)^n", "binomial theorem", False),
        (f"{WEIGHTS.replace('n)', 'n - 1)')} == (x + y)^n", "binomial theorem", False),
        (f"{FIRST} == n*x*(x + y)^(n - 1)", "binomial theorem, first moment", True),
        (f"{FIRST} == n*y*(x + y)^(n - 1)", "binomial theorem, first moment", False),
        (f"{FIRST} == n*x*(x + y)^n", "binomial theorem, first moment", False),
        (f"{FIRST} == n*x*(x + y)^(n - 1)", "binomial theorem", False),
    ],
)
@pytest.mark.parametrize("changed", ["", "n", "n >= 0", "x > 0", "y > 0"])
def test_binomial_theorem_is_one_of_an_integer_and_positive_numbers(goal, name, accepted, changed):
    given = [h for h in ("n >= 0", "x > 0", "y > 0") if h != changed]
    variables = {"n": "real" if changed == "n" else "integer", "x": "real", "y": "real"}
    sequent = sequent_from_json({"variables": variables, "given": given, "goal": goal})
    at = {"n": "n", "x": "x", "y": "y"}
    node = {"rule": "axiom", "name": name, "at": at, "premises": [{"rule": "auto"}]}
    node = filled(sequent, node)
    if accepted and not changed:
        assert check(sequent, node).axioms == {name}
    else:
        with pytest.raises(Rejected):
            check(sequent, node)


@pytest.mark.parametrize(
    ("given", "goal", "accepted"),
    [
        (["u > 0"], "coth(u)*sinh(u) - cosh(u) == 0", True),
        (["u < 0"], "coth(u)*sinh(u) - cosh(u) == 0", True),
        (["u >= 0"], "coth(u)*sinh(u) - cosh(u) == 0", False),
        (["u > 0"], "coth(u)*cosh(u) - sinh(u) == 0", False),
    ],
)
def test_hyperbolic_cotangent_is_a_quotient_away_from_0(given, goal, accepted):
    sequent = sequent_from_json({"variables": {"u": "real"}, "given": given, "goal": goal})
    contrary = {
        "rule": "refute",
        "premises": [{"rule": "combination", "terms": [["1", [0], None]]}],
    }
    split = {
        "rule": "split",
        "hypothesis": 1,
        "premises": [
            {
                "rule": "refute",
                "premises": [
                    {
                        "rule": "combination",
                        "terms": [["1", [0], None]],
                        "equalities": [[2, "-1" if given == ["u > 0"] else "1"]],
                    }
                ],
            },
            {"rule": "auto"},
        ],
    }
    node = {"rule": "axiom", "name": "coth = cosh/sinh", "at": {"u": "u"}, "premises": [split]}
    if accepted:
        assert check(sequent, node).axioms == {"coth = cosh/sinh"}
    else:
        with pytest.raises(Rejected):
            check(sequent, node)
    with pytest.raises(Rejected):
        check(sequent, contrary)
