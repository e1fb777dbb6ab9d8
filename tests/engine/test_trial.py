"""The trial: statements of known truth, decided without being told how; none may be wrong."""

import importlib.util
import os
from collections import Counter
from pathlib import Path

import pytest
import sympy
from sympy import Abs, Eq, Ge, Integral, Le, Sum, Symbol, exp, gamma, oo, pi, sqrt

import dpbook

ROOT = Path(__file__).resolve().parents[2]
_specification = importlib.util.spec_from_file_location("trial", ROOT / "benchmarks" / "trial.py")
trial = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(trial)

SETS = {path.stem: trial.problems(path) for path in sorted(trial.PROBLEMS.glob("*.txt"))}
# the first statements of trial.txt are the ones named in the design; the engine owes a decision
NAMED = [row for row in SETS["trial"] if row[0] in trial.NAMED]
# Of the problems of other provers every third is tried here, with a smaller budget; in .ci/full all.
FULL = "DPBOOK_FULL" in os.environ
WHOLE, BUDGET = (SETS, 3) if FULL else (("trial", "traps"), 1)
OTHERS = [
    (f"{stem}:{row[0]}", *row[1:])
    for stem, rows in SETS.items()
    for row in rows[:: 1 if stem in WHOLE else 3]
    if row not in NAMED
]


@pytest.fixture(scope="module")
def counts():
    """Count the verdicts of each truth; printed at the end (pytest -s)."""
    found = Counter()
    yield found
    for (truth, verdict), number in sorted(found.items()):
        print(f"{truth:9} {verdict:9} {number}")


def verdict_of(statement, given, limit):
    try:
        return dpbook.check(statement, given=given, time_limit=limit).verdict.value
    except ValueError:
        return "error"  # the conditions contradict each other


@pytest.mark.parametrize(("name", "truth", "statement", "given"), NAMED, ids=[r[0] for r in NAMED])
def test_named_statement_is_decided(name, truth, statement, given, counts):
    verdict = verdict_of(statement, given, 10)
    counts[truth, verdict] += 1
    assert verdict in trial.RIGHT[truth]


@pytest.mark.parametrize(
    ("name", "truth", "statement", "given"), OTHERS, ids=[r[0] for r in OTHERS]
)
def test_no_verdict_is_wrong(name, truth, statement, given, counts):
    verdict = verdict_of(statement, given, BUDGET)
    counts[truth, verdict] += 1
    assert verdict not in trial.WRONG[truth]


x, t, m, p, q, r = sympy.symbols("x t m p q r", real=True)
s = Symbol("s", positive=True)
k, j = Symbol("k", integer=True, nonnegative=True), Symbol("j", integer=True)

BUILT = {
    "normal moment generating function": (
        "proved",
        lambda: Eq(
            Integral(exp(t * x - (x - m) ** 2 / (2 * s**2)) / (s * sqrt(2 * pi)), (x, -oo, oo)),
            exp(m * t + s**2 * t**2 / 2),
        ),
        lambda: [],
    ),
    "geometric sum": (
        "proved",
        lambda: Eq(Sum(r**j, (j, 0, k)), (1 - r ** (k + 1)) / (1 - r)),
        lambda: [r > 0, (r, "!=", 1)],
    ),
    "gamma shift": ("proved", lambda: Eq(gamma(s + 1), s * gamma(s)), lambda: []),
    "variation at most the root of two times Hellinger": (
        "proved",
        lambda: Le(Abs(p - q), sqrt(2) * sqrt(1 - sqrt(p * q) - sqrt((1 - p) * (1 - q)))),
        lambda: [p >= 0, p <= 1, q >= 0, q <= 1],
    ),
    "both parts of a conjunction": (
        "proved",
        lambda: sympy.And(Ge(exp(x), 1 + x), Ge(x**2, 0)),
        lambda: [],
    ),
    "one part false": (
        "refuted",
        lambda: sympy.And(Ge(exp(x), 1 + x), sympy.Gt(x**2, 0)),
        lambda: [],
    ),
    "x over x": ("refuted", lambda: (x / x, "==", 1), lambda: []),
    "divergent integral": (
        "refuted or undecided",
        lambda: (Integral(1 / x, (x, 0, 1)), "==", Integral(1 / x, (x, 0, 1))),
        lambda: [],
    ),
    "integral over a pole": (
        "refuted or undecided",
        lambda: (Integral(1 / x**2, (x, -1, 1)), "==", -2),
        lambda: [],
    ),
}


@pytest.mark.parametrize("name", BUILT)
def test_statement_built_with_sympy_is_decided(name):
    expected, statement, given = BUILT[name]
    with sympy.evaluate(False):
        built, conditions = statement(), given()
    assert dpbook.check(built, given=conditions).verdict.value in expected.split(" or ")


def test_problem_files_hold_true_statements_with_false_twins():
    for stem, rows in SETS.items():
        names = [row[0] for row in rows]
        assert len(set(names)) == len(names), stem
        truths = Counter(row[1] for row in rows)
        assert truths["true"] >= 25, stem
        assert truths["false"] >= 20, stem


def test_least_value_at_the_ends_of_ranges_is_found():
    (twin,) = (row for row in SETS["boxes"] if row[0] == "heart-twin")
    assert verdict_of(*twin[2:], limit=10) == "refuted"
