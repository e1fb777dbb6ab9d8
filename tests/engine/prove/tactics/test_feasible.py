"""Facts that hold at a point are found to hold there; facts that contradict each other never are."""

from fractions import Fraction

import numpy as np
import pytest

from dpbook import check
from dpbook.engine.prove.tactics import feasible, positivstellensatz
from dpbook.engine.prove.tactics.feasible import holds_somewhere
from tests.effort import effort

X, Y = ((0, 1),), ((1, 1),)
X2, XY = ((0, 2),), ((0, 1), (1, 1))
X3 = ((0, 3),)


def poly(**terms):
    """Return a polynomial from coefficients of x, y, x2, xy, x3, and of 1 under the name one."""
    names = {"x": X, "y": Y, "x2": X2, "xy": XY, "x3": X3, "one": ()}
    return {names[name]: Fraction(c) for name, c in terms.items()}


TRUE = [
    [(poly(x=1), ">")],
    [(poly(x=1, one=-1), ">="), (poly(x=-1, one=3), ">")],
    [(poly(x2=1, one=-2), "=="), (poly(x=-1), ">")],
    [(poly(x3=1, one=-2), ">="), (poly(x3=-1, one=2), ">=")],  # an equality in two parts
    [(poly(x=1, y=-1), "!="), (poly(xy=1, one=-1), "==")],
    [(poly(x=1, one=10**-9), ">"), (poly(one=2), ">"), ({}, ">="), ({}, "==")],
]
FALSE = [
    [(poly(x=1), ">"), (poly(x=-1), ">")],
    [(poly(x2=-1), ">")],
    [(poly(x2=1, x=-2, one=1), "=="), (poly(x=1, one=-1), ">")],  # a double root
    [(poly(x2=-1, x=2, one=-1), ">")],
    [(poly(x3=1), "=="), (poly(x=1), "!=")],
    [(poly(x2=1, one=-2), "=="), (poly(x=1, one=-1), ">="), (poly(x=-1, one=Fraction(7, 5)), ">=")],
    [(poly(x=1), ">"), (poly(one=-1), ">=")],
    [(poly(x=1), ">"), ({}, ">")],
    [({}, "!=")],
]


@pytest.mark.parametrize("facts", TRUE)
def test_point_is_found(facts):
    assert holds_somewhere(facts)


@pytest.mark.parametrize("facts", FALSE)
def test_no_point_is_found_where_there_is_none(facts):
    assert not holds_somewhere(facts)


def test_alternative_of_each_clause_holds():
    outside = [[(poly(x=1, one=-1), ">")], [(poly(x=-1, one=-1), ">")]]
    small = [[(poly(x2=-1, one=4), ">=")], [({}, ">")]]
    assert holds_somewhere([(poly(y=1), ">")], [outside, small])
    none = [[(poly(x2=-1, one=1), ">=")], [({}, ">")]]
    assert not holds_somewhere([(poly(y=1), ">")], [outside, none])
    assert holds_somewhere([(poly(y=1), ">")], [outside, [[], *none]])  # this clause holds
    assert not holds_somewhere([(poly(y=1), ">")], [outside, [[({}, "!=")]]])


def test_large_numbers_and_many_terms_are_left_to_the_search():
    assert not holds_somewhere([(poly(x=10**400, one=1), ">"), (poly(x=1, one=10**400), "==")])
    wide = {((i, 1),): Fraction(1) for i in range(400)}
    assert not holds_somewhere([(wide, ">")])
    assert feasible.LARGEST < 400**2


def drawn(rng):
    """Return random facts about two or three variables, with small whole coefficients."""
    monomials = [(), *(((v, e),) for v in range(3) for e in (1, 2)), XY, ((1, 1), (2, 1))]
    found = []
    for _ in range(rng.integers(2, 6)):
        places = rng.choice(len(monomials), rng.integers(1, 4), replace=False)
        terms = {monomials[i]: Fraction(int(rng.choice([-2, -1, 1, 3]))) for i in places}
        found.append((terms, str(rng.choice([">", ">=", ">=", "==", "!="]))))
    return found


def test_contradictory_facts_have_no_point():
    """A certificate of a contradiction is an oracle: where there is one, there is no point."""
    rng = np.random.default_rng(8)
    contradictions = points = 0
    draws = effort(60, 120)
    for _ in range(draws):
        facts = drawn(rng)
        contrary = positivstellensatz.refute(facts, [], effort=1) is not None
        there = holds_somewhere(facts)
        assert not (contrary and there), facts
        contradictions += contrary
        points += there
    assert contradictions > draws // 8
    assert points > draws * 5 // 12  # most of the others


def test_statement_that_took_too_long_is_proved():
    """Goals below it are given up at once, so that the primitive is found within the time."""
    assert check("integral(1/cos(x)^4, x, 0, pi/4) = 4/3").verdict.value == "proved"
