"""A package whose docstrings name the claims on which it rests."""

import math


def weight(t: float) -> float:
    """Return an upper bound of ``log(t)``.

    Claims: bounds:lemma-1, bounds:tangent
    """
    return t - 1 if t > 0 else -math.inf
