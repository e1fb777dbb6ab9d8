"""Datasets of the paper's study."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from dpbook.privacy import reading
from dpbook.privacy.reading import generator

Panel = Literal["clean", "contaminated", "cauchy"]
PANELS: tuple[Panel, ...] = ("clean", "contaminated", "cauchy")


def dataset(
    panel: Panel,
    n: int,
    dimension: int,
    rng: Generator | None = None,
    *,
    fraction: float = 0.25,
    shift: float = 5.0,
) -> NDArray[np.float64]:
    """Draw rows around 0.

    Parameters
    ----------
    panel : {"clean", "contaminated", "cauchy"}
        Standard normal rows; normal rows, a fraction of them shifted in each coordinate;
        independent Cauchy coordinates, which the paper announces and does not show.
    n, dimension : int
        >= 1.
    rng : Generator, optional
    fraction : float
        Of contaminated rows, rounded down, in [0, 1); they come first.
    shift : float
        Added to each coordinate of these rows.

    Returns
    -------
    array of float, shape (n, dimension)

    Raises
    ------
    ValueError
        An unknown panel, a number outside its range.

    Notes
    -----
    Source: depth_medians paper, Section 4 and Example 3.2 (depth_medians:figure-1).

    Examples
    --------
    >>> import numpy as np
    >>> dataset('clean', 100, 2, np.random.default_rng(1)).shape
    (100, 2)
    """
    if panel not in PANELS:
        raise ValueError(f"panel must be one of {', '.join(PANELS)}, got {panel!r}")
    reading.count("n", n)
    reading.count("dimension", dimension)
    reading.number("fraction", fraction, "in [0, 1)")
    reading.number("shift", shift, "finite")
    stream = generator(rng)
    if panel == "cauchy":
        return stream.standard_cauchy((n, dimension))
    rows = stream.standard_normal((n, dimension))
    if panel == "contaminated":
        rows[: int(fraction * n)] += shift
    return rows
