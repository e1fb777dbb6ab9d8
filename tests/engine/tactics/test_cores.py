"""Which facts contradict each other: a hint, and none where Z3 would have too much to read."""

from fractions import Fraction

from dpbook.engine.tactics.cores import HIGHEST, core


def facts(power):
    above = {((0, power),): Fraction(1), (): Fraction(-1)}
    return [(above, ">"), ({((1, 1),): Fraction(1)}, ">"), ({m: -c for m, c in above.items()}, ">")]


def test_facts_that_contradict_each_other_are_named():
    assert core(facts(3), [], 1) == ([0, 2], [])


def test_powers_too_high_for_a_solver_are_left_alone():
    assert core(facts(HIGHEST + 1), [], 1) is None
