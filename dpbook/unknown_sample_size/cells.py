"""Counts of cells whose sum is not known: the Poisson and gamma model of appendix B.

The intensities are gamma, the counts Poisson given them; so the counts given their sum are multinomial,
and no number of records is needed beside them. A count may be 0, and so may n.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.random import Generator

from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Version, check_version
from dpbook.unknown_sample_size import kernels
from dpbook.unknown_sample_size.mechanisms import Mechanism
from dpbook.unknown_sample_size.models.base import compiled
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.samplers import Chains


def sample_cells(
    release: Release,
    mechanism: Mechanism,
    shapes: Sequence[float],
    rate: float,
    rng: Generator | None = None,
    *,
    chains: int = 4,
    cycles: int = 10_000,
    version: Version = "corrected",
) -> Chains:
    """Run the sampler of appendix B on noisy counts.

    Parameters
    ----------
    release : Release
        Noisy counts, without n_dp.
    mechanism : Mechanism
        Of counts, whose l1 sensitivity is 1.
    shapes : sequence of float
        Gamma shapes of the intensities, > 0, one for each cell.
    rate : float
        Their common rate, > 0.
    rng : numpy.random.Generator, optional
    chains, cycles : int
        Half of the cycles are left out.
    version : {"corrected", "printed"}
        The acceptance ratio; as printed the proposals cancel, which matters at a count of 0.

    Returns
    -------
    Chains
        Parameters lambda_j and x_j; n is the sum of the counts.

    Raises
    ------
    ValueError
        A release that does not fit, a number outside its range, an unknown version.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.unknown_sample_size import Laplace, Release
    >>> release = Release((3.0, 1.5))
    >>> found = sample_cells(release, Laplace(1.0), (2.0, 1.0), 0.5, np.random.default_rng(1), cycles=400)
    >>> found.of("x_1").shape
    (4, 200)
    """
    check_version(version)
    alpha = np.array([number("shapes", one, "> 0") for one in shapes])
    rate, k = number("rate", rate, "> 0"), len(alpha)
    s = np.array(release.s, dtype=float)
    if s.size != k or release.n_dp is not None:
        raise ValueError(f"release must have {k} counts and no n_dp, got {release!r}")
    if mechanism.release_piece is None:
        raise ValueError(f"mechanism must be one for sums, got {mechanism}")
    mechanism.check("s", s)
    cycles = count("cycles", cycles, 16)
    piece = compiled(type(mechanism).release_piece, kernels.LOG_RELEASE)
    noise, tally = np.array(mechanism.noise(1.0)), np.zeros(2, dtype=np.int64)
    kept, starts = np.empty((count("chains", chains), cycles, 2 * k)), []
    for held, stream, stretch in zip(
        kept, generator(rng).spawn(chains), 3.0 ** np.linspace(-1, 1, chains), strict=True
    ):
        x = np.round(np.maximum(s, 0) * stretch)
        starts.append(int(x.sum()))
        run = (piece, stream, alpha, rate, s, noise, x, version == "printed", tally, held, cycles)
        kernels.cells_run(*run)
    kept = kept[:, cycles // 2 :]
    return Chains(
        (*(f"lambda_{j}" for j in range(1, k + 1)), *(f"x_{j}" for j in range(1, k + 1))),
        kept,
        kept[:, :, k:].sum(axis=2).astype(np.int64),
        tuple(starts),
        {"steps of a count": float(tally[1] / tally[0])},
        faults=("unknown_sample_size:text-b-ratio",) if version == "printed" else (),
    )
