"""Explorers of the chapter on privacy."""

from __future__ import annotations

from dpbook.privacy.curves import FAMILIES, VIEWS, pair_curve
from dpbook.teaching.explorer import Explorer, choice, slider

DISTANCES = (0.1, 0.2, 0.5, 1.0, 2.0, 4.0)


def profile_explorer() -> Explorer:
    """Profiles and tests of one pair of output distributions, exact and through Renyi divergences.

    Examples
    --------
    >>> len(profile_explorer().frames)
    8
    """

    def frame(family: str, distance: float, view: str = "delta") -> dict[str, object]:
        return {"family": family, "distance": distance, "view": view}

    return Explorer(
        pair_curve,
        controls={
            "family": choice("outputs", FAMILIES),
            "distance": slider("distance", DISTANCES),
            "view": choice("drawn", VIEWS),
        },
        frames=[
            frame("normal", 1.0),
            frame("normal", 0.2),
            frame("normal", 4.0),  # hardly any privacy
            frame("Laplace", 1.0),  # delta ends at a finite epsilon
            frame("Laplace", 0.2),
            frame("normal", 1.0, "tests"),
            frame("Laplace", 1.0, "tests"),  # straight at both ends
            frame("randomised response", 1.0, "tests"),  # two lines
        ],
        title="What do the outputs on two neighbours tell?",
    )
