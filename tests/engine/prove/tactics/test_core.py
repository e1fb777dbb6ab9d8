"""A search counts its goals; a way that may take many has a part of them."""

import pytest

from dpbook.engine.prove.tactics.core import LEAST, PART, Exhausted, Search


def test_a_way_has_a_part_of_the_goals_that_are_left():
    search = Search((), budget=20)
    with search.in_part():
        assert search.budget == 20 // PART
        search.budget -= 2
    assert search.budget == 18


def test_a_part_has_enough_goals_for_a_short_proof_or_none():
    for goals, part in ((8, LEAST), (LEAST, 0), (0, 0)):
        search = Search((), budget=goals)
        with search.in_part():
            assert search.budget == part
        assert search.budget == goals


def test_goals_beside_a_way_that_used_up_its_part_stay():
    search = Search((), budget=20)
    with search.in_part():
        search.budget = -1
        raise Exhausted
    assert search.budget == 20 - 20 // PART


def test_other_errors_pass_and_the_goals_stay():
    search = Search((), budget=20)
    with pytest.raises(ZeroDivisionError), search.in_part():
        raise ZeroDivisionError
    assert search.budget == 20
