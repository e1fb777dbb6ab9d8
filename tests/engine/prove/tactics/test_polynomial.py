"""Contradictions of polynomials in atoms: roots, exponentials, signs."""

import pytest

from dpbook import check


@pytest.mark.parametrize("number", [7, 1400])
def test_exponentials_of_small_multiples_are_compared(number):
    """A root of high order takes no part in a power that is too large to look at."""
    given = [f"a^2/(2*s^2) >= n^(3/10)/{number}", "s > 0", "n >= 1"]
    found = check(f"exp(-(a^2/(2*s^2))) <= exp(-(n^(3/10)/{number}))", given=given)
    assert found.verdict.value == "proved"
