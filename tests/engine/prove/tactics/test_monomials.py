"""Goals that multiples of hypotheses add up to, written in another way."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.names import monomials
from dpbook.engine.prove.tactics.polynomial import combination
from dpbook.kernel import check
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent, parse_formula

TACTICS = (("monomials", monomials, 0), ("combination", combination, 0))


def sequent(given, goal):
    names = ("p", "q", "r", "x")
    hypotheses = tuple(parse_formula(h) for h in ("p > 0", "q > 0", "r > 0", *given))
    return Sequent(tuple((n, "real") for n in names), (), hypotheses, parse_formula(goal))


FOUND = [
    (("log(p/q) <= p/q - 1", "p/q <= 1 + x^2/(r*p)"), "log(p/q)/2 <= x^2/(2*p*r)"),
    (("log(p/q) <= p/q - 1", "p/q < 1 + x^2/(r*p)"), "log(p/q)/2 < x^2/(2*p*r)"),
    (("x == p/q", "p/q <= r"), "2*x <= 2*r"),
]


@pytest.mark.parametrize(("given", "goal"), FOUND)
def test_the_kernel_accepts_what_adds_up(given, goal):
    s = sequent(given, goal)
    node = Search(TACTICS).solve(s, (0,))
    assert node is not None
    check(s, explicit(s, node))


@pytest.mark.parametrize(
    ("given", "goal"),
    [
        (FOUND[0][0], "log(p/q)/2 <= 49*x^2/(100*p*r)"),
        (FOUND[0][0], "log(p/q)/2 < x^2/(2*p*r)"),
        (FOUND[2][0], "2*x <= 199*r/100"),
    ],
)
def test_what_is_false_by_a_hair_is_not_found(given, goal):
    s = sequent(given, goal)
    assert Search(TACTICS).solve(s, (0,)) is None


def test_a_certificate_of_another_goal_is_rejected():
    node = Search(TACTICS).solve(sequent(*FOUND[0]), (0,))
    with pytest.raises(Rejected):
        check(sequent(FOUND[0][0], "log(p/q)/2 < x^2/(2*p*r)"), explicit(sequent(*FOUND[0]), node))


BELOW = "8*(exp(r/2) - 1 - r/2)/(1 - exp(-r/2))^2*x^2 + p*x^2"
BOUND = f"(1 + q)*exp(-(1 - p)*x^2/({BELOW}))"
SUMS = (f"defined(p/({BELOW}))", "log(x) <= log(p)", f"log(p) <= {BOUND}")


@pytest.mark.parametrize(("goal", "holds"), [(BOUND, True), (f"99/100*{BOUND}", False)])
def test_sides_are_named_as_written_where_a_normal_form_is_read_as_another_one(goal, holds):
    s = sequent(SUMS, f"log(x) <= {goal}")
    node = monomials(Search(TACTICS), s, 0)
    assert (node is not None) == holds
    if node is not None:
        assert node["rule"] == "weaken"
        check(s, explicit(s, node))
