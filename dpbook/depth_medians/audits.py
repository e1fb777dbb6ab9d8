"""Attack the privacy argument: find where a margin jumps, and compute the true effect of one row.

In one dimension all is exact: the exponential mechanism is a Laplace distribution that is cut off, and its
hockey-stick divergence between two datasets has a closed form.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.fft import irfft2, next_fast_len, rfft2
from scipy.special import ndtri

from dpbook.depth_medians import kernels
from dpbook.depth_medians.mechanisms import Safety, Setting, wide_rank
from dpbook.depth_medians.projections import MedianMAD, Outlyingness, finite
from dpbook.engine.language.card import Described
from dpbook.privacy import reading
from dpbook.privacy.reading import generator
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Jump(Described):
    """Hold the change of a margin by one replaced row.

    Attributes
    ----------
    before, after : array of float, shape (n, d)
        Two neighbours.
    safeties : tuple of Safety
        Of both.
    epsilon : float
        Budget of the setting.
    """

    before: Floats
    after: Floats
    safeties: tuple[Safety, Safety]
    epsilon: float

    @property
    def margins(self) -> tuple[int, int]:
        """Of both."""
        return self.safeties[0].margin, self.safeties[1].margin

    @property
    def change(self) -> int:
        """Return the distance of the margins; a private test needs at most 1."""
        return abs(self.margins[0] - self.margins[1])

    @property
    def delta(self) -> float:
        """Delta that the outcome of the test alone needs at this epsilon."""
        first, second = (one.probability for one in self.safeties)
        pairs = ((first, second), (second, first), (1 - first, 1 - second), (1 - second, 1 - first))
        return max(0.0, *(p - math.exp(self.epsilon) * q for p, q in pairs))

    def __repr__(self) -> str:
        first, second = self.safeties
        return (
            f"Jump(mode {first.mode}: margin {first.margin} to {second.margin}, passes with "
            f"{first.probability:.4g} and {second.probability:.4g}, needs delta={self.delta:.4g} "
            f"at epsilon={self.epsilon:g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        first, second = self.safeties
        return (
            f"Mode {first.mode}, {len(self.before)} rows. One replaced row moves the margin from "
            f"{first.margin} to {second.margin}, and the chance that the test passes from "
            f"{first.probability:.4g} to {second.probability:.4g}: at epsilon {self.epsilon:g} that "
            f"needs delta {self.delta:.4g}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the chances to pass, side by side."""
        ax = ax or figures.axes()
        chances = [one.probability for one in self.safeties]
        names = [f"margin {one.margin}" for one in self.safeties]
        bars = ax.bar(["data, " + names[0], "one row replaced, " + names[1]], chances)
        ax.bar_label(bars, fmt="%.4g")
        ax.grid(visible=False, axis="x")
        ax.set_ylim(0, 1.08)
        ax.set_ylabel("chance that the test passes")
        return ax


PRINTED_LEAK = Setting(
    epsilon=1, delta=1e-3, eta=0.08, tau=6, mode="printed", directions=1, levels=40
)
"""Where the printed test leaks: in one dimension, on shifted normal scores."""


def normal_scores(n: int, shift: float = 0.0) -> Floats:
    """Return the quantiles (i - 1/2) / n of the standard normal distribution, shifted, of shape (n, 1).

    Parameters
    ----------
    n : int
        Number of points.
    shift : float
        Added to each.

    Examples
    --------
    >>> normal_scores(3).round(4).tolist()
    [[-0.9674], [0.0], [0.9674]]
    """
    reading.count("n", n)
    found: Floats = (ndtri((np.arange(n) + 0.5) / n) + shift)[:, None]
    return found


def leaking_pair(setting: Setting = PRINTED_LEAK, n: int = 4001) -> Jump:
    """Return two neighbours that the printed test distinguishes: its volume part jumps at once.

    Normal scores are shifted until the ratio of volumes is just below its bound. Then the least
    row is moved next to the median: the median grows, MAD shrinks, and the ratio is just above.

    Parameters
    ----------
    setting : Setting
        Of mode printed or corrected, with one direction.
    n : int
        Odd number of rows, >= 5.

    Returns
    -------
    Jump

    Raises
    ------
    ValueError
        Another mode, an even n, or a volume part that fails without a shift.

    Notes
    -----
    Source: depth_medians paper, Algorithm 2 (depth_medians:note-algorithm-2). Its volume part is not made
    robust, and depends on where the origin is.

    Examples
    --------
    >>> jump = leaking_pair()
    >>> jump.describe()
    'Mode printed, 4001 rows. One replaced row moves the margin from 16 to 0, and the chance that the test passes from 0.9161 to 0.001: at epsilon 1 that needs delta 0.9134.'
    """
    if setting.mode not in ("printed", "corrected"):
        raise ValueError(f"mode must be printed or corrected, got {setting.mode!r}")
    if reading.count("n", n, 5) % 2 == 0:
        raise ValueError(f"n must be odd, got {n}")
    scores = normal_scores(n)
    m = n // 2

    def moved(shift: float) -> Floats:
        after = scores + shift
        after[0] = (after[m + 1] + after[m + 2]) / 2
        return after

    def passes(data: Floats) -> bool:
        found = setting.safety(data)
        return bool(found.volume[0] < found.volume_allowed)

    if not passes(scores):
        raise ValueError("the volume part must hold on normal scores, got a setting where it fails")
    low, high = 0.0, 1.0
    while passes(scores + high):
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        if passes(scores + middle):
            low = middle
        else:
            high = middle
    before, after = scores + low, moved(low)
    return Jump(before, after, (setting.safety(before), setting.safety(after)), setting.epsilon)


@dataclass(frozen=True, eq=False)
class Search:
    """Hold the changes of a nested margin over random pairs of neighbours.

    Attributes
    ----------
    mode : str
    tries : int
    largest : int
        Largest change of the margin by one replaced row; a private test needs at most 1.
    positive : int
        How many of the 2 * tries margins were positive: a search where none is shows nothing.
    """

    mode: str
    tries: int
    largest: int
    positive: int

    def __repr__(self) -> str:
        return (
            f"Search(mode {self.mode}: largest change {self.largest} in {self.tries} tries, "
            f"{self.positive} positive margins)"
        )

    def describe(self) -> str:
        """Return the words for the table."""
        return (
            f"In {self.tries} pairs of neighbours the margin of mode {self.mode} changed by at most "
            f"{self.largest}; {self.positive} margins were positive."
        )


def search_for_jumps(
    setting: Setting,
    n: int,
    tries: int = 1_000_000,
    *,
    cells: int = 12,
    rng: Generator | None = None,
) -> Search:
    """Look for neighbours in one dimension whose nested margins differ by more than 1.

    Parameters
    ----------
    setting : Setting
        Of mode nested or nested_wide; its volume part is left aside: in one dimension the least
        outlyingness is 0, and it only caps the margin.
    n : int
        Number of rows, >= 1.
    tries : int
        >= 1.
    cells : int
        Width of the samples, >= 1.
    rng : Generator, optional

    Returns
    -------
    Search

    Raises
    ------
    ValueError
        Another mode, a number below 1.

    Notes
    -----
    Source: depth_medians:note-nested-test. That no jump is found proves nothing; the proof does.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import Setting
    >>> found = search_for_jumps(Setting(20, 0.4, 3.0, 9.0), 9, 100, rng=np.random.default_rng(1))
    >>> found.describe()
    'In 100 pairs of neighbours the margin of mode nested changed by at most 0; 0 margins were positive.'
    """
    if not setting.mode.startswith("nested"):
        raise ValueError(f"mode must be nested or nested_wide, got {setting.mode!r}")
    for name, value in (("n", n), ("tries", tries), ("cells", cells)):
        reading.count(name, value)
    before, after = np.empty(n), np.empty(n)
    wide = setting.mode == "nested_wide"
    largest, positive = kernels.worst_change(
        *(tries, n, cells, setting.tau, setting.eta, setting.most, wide, wide_rank(n)),
        *(generator(rng), before, after),
    )
    return Search(setting.mode, tries, int(largest), int(positive))


# --- the truth in one dimension -------------------------------------------------------------------


def divergence_on_line(
    first: ArrayLike, second: ArrayLike, setting: Setting, epsilon: float | None = None
) -> float:
    """Hockey-stick divergence of the exponential mechanisms of two samples, the larger of both ways.

    Parameters
    ----------
    first, second : array of float, shape (n,)
    setting : Setting
    epsilon : float, optional
        Default: epsilon / 2 of the setting.

    Returns
    -------
    float
        1 where one has no scale and the mechanism does not exist.

    Raises
    ------
    ValueError
        Other shapes, entries that are not finite.

    Notes
    -----
    Source: depth_medians paper, Definition 3.1 (depth_medians:definition-3.1).

    Examples
    --------
    >>> from dpbook.depth_medians import Setting
    >>> x, y = [0.0, 1, 2, 3, 4, 5, 6, 7, 8], [0.0, 1, 2, 3, 4.5, 5, 6, 7, 8]
    >>> setting = Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5)
    >>> round(divergence_on_line(x, y, setting, 0.0), 4)
    0.9382
    """
    at = setting.epsilon / 2 if epsilon is None else epsilon
    pair = []
    for name, values in (("first", first), ("second", second)):
        x = np.sort(finite(name, np.asarray(values, dtype=np.float64).reshape(-1, 1))[:, 0])
        centre = x[(len(x) - 1) // 2]
        pair.append((float(centre), float(np.sort(np.abs(x - centre))[(len(x) - 1) // 2])))
    return _apart(pair[0], pair[1], setting.beta, setting.tau, at)


def _apart(
    one: tuple[float, float], other: tuple[float, float], beta: float, tau: float, epsilon: float
) -> float:
    if one[1] == 0 or other[1] == 0:
        return 1.0
    return max(
        float(kernels.laplace_divergence(*one, *other, beta, tau, epsilon)),
        float(kernels.laplace_divergence(*other, *one, beta, tau, epsilon)),
    )


@dataclass(frozen=True, eq=False)
class Enumeration:
    """Every sample of n values of a small set, its margin, and how far it is from an unsafe one.

    Attributes
    ----------
    samples : array of float, shape (s, n)
        Sorted rows.
    margins : array of int, shape (s,)
        Of the nested test with its volume part.
    distances : array of int, shape (s,)
        Rows to replace until a sample is unsafe, within the set; n + 1 where none is.
    largest_change : int
        Of margins, between neighbours.
    worst : float
        Largest divergence of a neighbour from a sample with a positive margin, over delta.
    """

    samples: Floats
    margins: NDArray[np.int64]
    distances: NDArray[np.int64]
    largest_change: int
    worst: float

    def __repr__(self) -> str:
        return (
            f"Enumeration({len(self.samples)} samples, {int((self.margins > 0).sum())} with a "
            f"positive margin, largest change {self.largest_change}, worst {self.worst:.4g} of delta)"
        )

    def describe(self) -> str:
        """Return the words for the table."""
        return (
            f"Of {len(self.samples)} samples {int((self.margins > 0).sum())} have a positive margin. "
            f"Margins of neighbours differ by at most {self.largest_change}, and no margin exceeds "
            f"the distance to an unsafe sample: {bool((self.margins <= self.distances).all())}."
        )


def enumerate_samples(setting: Setting, n: int, values: ArrayLike) -> Enumeration:
    """Compute margins and safety margins of all samples of a small set of values.

    Parameters
    ----------
    setting : Setting
        Of mode nested or nested_wide.
    n : int
        Number of rows, >= 1.
    values : array of float, shape (v,)
        At least two; n + v is to be small: there are binomial(n + v - 1, n) samples.

    Returns
    -------
    Enumeration

    Raises
    ------
    ValueError
        Another mode, or more than 300 000 samples.

    Notes
    -----
    Source: depth_medians paper, Definitions 3.1 and 3.2 (depth_medians:definition-3.2), within the
    set: a distance here is at least the safety margin.

    Examples
    --------
    >>> from dpbook.depth_medians import Setting
    >>> found = enumerate_samples(Setting(20, 0.4, 3.0, 9.0, levels=6), 11, [0.0, 1, 2, 3, 5])
    >>> found.describe()
    'Of 1365 samples 0 have a positive margin. Margins of neighbours differ by at most 0, and no margin exceeds the distance to an unsafe sample: True.'
    """
    if not setting.mode.startswith("nested"):
        raise ValueError(f"mode must be nested or nested_wide, got {setting.mode!r}")
    reading.count("n", n)
    at = np.unique(np.asarray(values, dtype=np.float64))
    if math.comb(n + len(at) - 1, n) > 300_000:
        raise ValueError(f"there are {math.comb(n + len(at) - 1, n)} samples; at most 300 000")
    counts = np.array(list(_counts(n, len(at))), dtype=np.int64)
    samples = np.array([np.repeat(at, row) for row in counts])
    wide = setting.mode == "nested_wide"
    margins = np.empty(len(samples), dtype=np.int64)
    kernels.margins(samples, setting.tau, setting.eta, setting.most, wide, wide_rank(n), margins)
    volume = 0
    while volume < setting.most and (
        2 * setting.shell_mass((volume + 1) * setting.eta, 1) <= setting.delta
    ):
        volume += 1
    np.minimum(margins, volume, out=margins)
    centre = samples[:, (n - 1) // 2]
    around = np.sort(np.abs(samples - centre[:, None]), axis=1)
    distributions = list(zip(centre.tolist(), around[:, (n - 1) // 2].tolist(), strict=True))
    where = {tuple(row): i for i, row in enumerate(counts.tolist())}
    held: dict[tuple[tuple[float, float], tuple[float, float]], float] = {}
    neighbours: list[list[int]] = []
    unsafe = np.zeros(len(samples), dtype=bool)
    change, worst = 0, 0.0
    for i, row in enumerate(counts.tolist()):
        near = []
        for a, b in itertools.permutations(range(len(at)), 2):
            if row[a]:
                row[a] -= 1
                row[b] += 1
                k = where[tuple(row)]
                row[a] += 1
                row[b] -= 1
                near.append(k)
                key = (
                    (distributions[i], distributions[k])
                    if distributions[i] <= distributions[k]
                    else (distributions[k], distributions[i])
                )
                if key not in held:
                    held[key] = _apart(*key, setting.beta, setting.tau, setting.epsilon / 2)
                unsafe[i] |= held[key] > setting.delta
                change = max(change, abs(int(margins[i]) - int(margins[k])))
                if margins[i] > 0:
                    worst = max(worst, held[key] / setting.delta)
        neighbours.append(near)
        unsafe[i] |= distributions[i][1] == 0
    distances = np.where(unsafe, 0, n + 1)
    front: list[int] = np.flatnonzero(unsafe).tolist()
    while front:
        reached = []
        for i in front:
            for k in neighbours[i]:
                if distances[k] > distances[i] + 1:
                    distances[k] = distances[i] + 1
                    reached.append(k)
        front = reached
    return Enumeration(samples, margins, distances, change, worst)


def _counts(n: int, cells: int) -> Iterator[list[int]]:
    """All ways to put n things into cells."""
    for bars in itertools.combinations(range(n + cells - 1), cells - 1):
        edges = (-1, *bars, n + cells - 1)
        yield [edges[i + 1] - edges[i] - 1 for i in range(cells)]


# --- what steps of Langevin dynamics spend ---------------------------------------------------------


@dataclass(frozen=True, eq=False)
class StepDistributions:
    """Distributions of a Langevin chain after some steps, on two neighbours in one or two dimensions.

    Attributes
    ----------
    grid : array of float, shape (g,)
        Evenly spaced; in the plane the same for both coordinates.
    first, second : array of float, shape (g,) or (g, g)
        Densities on the two samples.
    steps : int
    rate : float
    """

    grid: Floats
    first: Floats
    second: Floats
    steps: int
    rate: float

    @property
    def width(self) -> float:
        """Distance of two points of the grid."""
        return float(self.grid[1] - self.grid[0])

    def delta(self, epsilon: float) -> float:
        """Return the hockey-stick divergence, the larger of both ways."""
        reading.number("epsilon", epsilon, ">= 0")
        p, q = self.first, self.second
        ways = (np.maximum(a - math.exp(epsilon) * b, 0).sum() for a, b in ((p, q), (q, p)))
        return float(max(ways) * self.width**p.ndim)

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon at which the divergence is at most delta, in (0, 1)."""
        reading.number("delta", delta, "in (0, 1)")
        if self.delta(0.0) <= delta:
            return 0.0
        low, high = 0.0, 1.0
        while self.delta(high) > delta:
            low, high = high, 2 * high
            if high > 500:
                return math.inf
        for _ in range(40):
            middle = (low + high) / 2
            low, high = (low, middle) if self.delta(middle) <= delta else (middle, high)
        return high

    def marginals(self, density: Floats) -> list[Floats]:
        """Densities of the coordinates of one of the two distributions."""
        if density.ndim == 1:
            return [density]
        return [density.sum(axis=1 - k) * self.width for k in (0, 1)]

    def __repr__(self) -> str:
        return (
            f"StepDistributions({self.steps} steps of {self.rate:g}, delta(0)={self.delta(0):.4g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        said = []
        for density in (self.first, self.second):
            means, spreads = [], []
            for one in self.marginals(density):
                middle = float((self.grid * one).sum() * self.width)
                square = float(((self.grid - middle) ** 2 * one).sum() * self.width)
                means.append(f"{middle:.4g}")
                spreads.append(f"{math.sqrt(square):.4g}")
            said.append((" and ".join(means), " and ".join(spreads)))
        (mean, sd), (other_mean, other_sd) = said
        by_coordinate = "" if self.first.ndim == 1 else ", by coordinate"
        return (
            f"After {self.steps} steps of {self.rate:g} the chain has mean {mean} and standard "
            f"deviation {sd} on one sample, {other_mean} and {other_sd} on its neighbour"
            f"{by_coordinate}; the distributions are {self.delta(0):.4g} apart in total variation."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both densities; in the plane, the densities of the first coordinate."""
        ax = ax or figures.axes()
        ax.plot(self.grid, self.marginals(self.first)[0], label="data")
        ax.plot(self.grid, self.marginals(self.second)[0], label="one row replaced")
        one = self.first.ndim == 1
        ax.set_xlabel("state of the chain" if one else "first coordinate of the chain")
        ax.set_ylabel("density")
        ax.legend()
        return ax


def langevin_distributions(
    first: ArrayLike, second: ArrayLike, setting: Setting, steps: int, rate: float = 1.5e-4
) -> StepDistributions:
    """Return the distributions of Algorithm 1, and the loss of its draw, in one or two dimensions.

    Parameters
    ----------
    first, second : array of float, shape (n,), (n, 1) or (n, 2)
    setting : Setting
        Its epsilon, eta and tau; in the plane also its directions, at most 32.
    steps : int
        >= 0.
    rate : float
        omega of the paper, > 0; the paper gives none, its authors' notebooks have 1.5e-4. In the
        plane a larger one is quicker: the points of the grid are as many as 1 / rate.

    Returns
    -------
    StepDistributions

    Raises
    ------
    ValueError
        Other shapes, a sample without scale, a number outside its range.

    Notes
    -----
    Source: depth_medians paper, Algorithm 1 (depth_medians:algorithm-1). Where outlyingness is
    steepest in one direction the drift is constant: for each direction and side the mass where it
    holds is shifted and spread, by Fourier transforms.

    Examples
    --------
    >>> from dpbook.depth_medians import Setting
    >>> x, y = [0.0, 1, 2, 3, 4, 5, 6, 7, 8], [0.0, 1, 2, 3, 4.5, 5, 6, 7, 8]
    >>> distributions = langevin_distributions(x, y, Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5), 50)
    >>> distributions.steps
    50
    """
    reading.count("steps", steps, 0, 100_000)
    reading.positive(rate=rate)
    pair = {}
    for name, values in (("first", first), ("second", second)):
        rows = np.asarray(values, dtype=np.float64)
        pair[name] = finite(name, rows.reshape(-1, 1) if rows.ndim == 1 else rows)
    d = pair["first"].shape[1]
    if d > 2 or pair["second"].shape[1] != d:
        other = pair["second"].shape[1]
        raise ValueError(f"both samples must have 1 column, or both 2, got {d} and {other}")
    units = setting.directions_in(d)
    if len(units) > 32:
        raise ValueError(f"directions of the setting must be at most 32, got {len(units)}")
    distributions = []
    for name, rows in pair.items():
        location, scale = MedianMAD().fit(rows, units)
        if not (scale > 0).all():
            raise ValueError(
                f"{name} must have a MAD > 0 in each direction, got 0: half of it projects to one "
                "value"
            )
        distributions.append(Outlyingness(units, location, scale))
    evolve = _on_a_line if d == 1 else _in_the_plane
    spread = math.sqrt(2 * rate)
    # in the plane masks are smoothed, so that fewer points do
    half, share = (8.0, 8.0) if d == 1 else (6.0, 3.0)
    half *= math.sqrt(1 + 2 * rate * steps)
    needed = 2 * half * share / spread
    size = 2 ** math.ceil(math.log2(max(4096, needed))) if d == 1 else next_fast_len(int(needed))
    if size > (2**18 if d == 1 else 2**12):
        raise ValueError(f"rate must be larger for a grid to hold its steps, got {rate}")
    grid = (np.arange(size) - size // 2) * (2 * half / size)
    found = [evolve(distribution, grid, setting, steps, rate) for distribution in distributions]
    return StepDistributions(grid, found[0], found[1], steps, rate)


def _on_a_line(
    distribution: Outlyingness, grid: Floats, setting: Setting, steps: int, rate: float
) -> Floats:
    """Density of the chain in one dimension, where the drift has three values."""
    centre, scale = float(distribution.location[0]), float(distribution.scale[0])
    waves = 2 * math.pi * np.fft.rfftfreq(grid.size, grid[1] - grid[0])
    damped = np.exp(-(waves**2) * rate)
    move = rate * setting.beta / scale
    inside = np.abs(grid - centre) <= setting.tau * scale
    pieces = [
        (inside & (grid > centre), -move),
        (inside & (grid < centre), move),
        (~inside | (grid == centre), 0.0),
    ]
    density = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    for _ in range(steps):
        total = sum(
            np.fft.rfft(density * where) * np.exp(-1j * waves * shift) for where, shift in pieces
        )
        density = np.fft.irfft(total * damped, grid.size)
    return np.maximum(density, 0.0)


FINER = 16  # points to a side of a cell of the grid, by which an edge that cuts it is weighed


def _in_the_plane(
    distribution: Outlyingness, grid: Floats, setting: Setting, steps: int, rate: float
) -> Floats:
    """Density of the chain in the plane: where there is a drift, in a window; elsewhere it spreads."""
    size, width = grid.size, float(grid[1] - grid[0])
    bell = np.exp(-(grid**2) / 2) / math.sqrt(2 * math.pi)
    density: Floats = bell[:, None] * bell[None, :]
    # bounds of {O <= tau}: |x - c| <= tau * scale in each of two directions bound a parallelogram
    lean = np.linalg.svd(distribution.directions, compute_uv=False)[-1]
    point, _, _ = distribution.minimum()
    reach = 2 * setting.tau * float(np.linalg.norm(distribution.scale)) / float(lean)
    moves = (
        rate * setting.beta * np.concatenate((-distribution.directions, distribution.directions))
    )
    moves /= np.tile(distribution.scale, 2)[:, None]
    around = reach + float(np.abs(moves).max()) + 8 * math.sqrt(2 * rate) + width
    at = []
    for k in (0, 1):
        low = max(int(np.searchsorted(grid, point[k] - around)) - 1, 0)
        high = min(int(np.searchsorted(grid, point[k] + around)) + 1, size)
        at.append(slice(low, high))
    window = (at[0], at[1])
    weights = _weights(distribution, grid[at[0]], grid[at[1]], width, setting.tau)
    drawn = [k for k in range(len(moves)) if weights[k].any()]
    padded = [next_fast_len(one.stop - one.start + 1) for one in at]
    waves = [
        2 * math.pi * np.fft.fftfreq(padded[0], width)[:, None],
        2 * math.pi * np.fft.rfftfreq(padded[1], width)[None, :],
    ]
    damped = np.exp(-(waves[0] ** 2 + waves[1] ** 2) * rate)
    phases = [
        damped * np.exp(-1j * (waves[0] * moves[k][0] + waves[1] * moves[k][1])) for k in drawn
    ]
    inside = sum((weights[k] for k in drawn), np.zeros_like(weights[0]))
    wide = 2 * math.pi * np.fft.fftfreq(size, width)[:, None]
    tall = 2 * math.pi * np.fft.rfftfreq(size, width)[None, :]
    spreading = np.exp(-(wide**2 + tall**2) * rate)
    shape = (at[0].stop - at[0].start, at[1].stop - at[1].start)
    for _ in range(steps):
        here = density[window].copy()
        total = sum(
            phase * rfft2(here * weights[k], padded) for k, phase in zip(drawn, phases, strict=True)
        )
        density[window] = here * (1 - inside)
        density = irfft2(rfft2(density) * spreading, (size, size))
        if drawn:
            density[window] += irfft2(total, padded)[: shape[0], : shape[1]]
    return np.maximum(density, 0.0)


def _weights(distribution: Outlyingness, x: Floats, y: Floats, width: float, tau: float) -> Floats:
    """For each direction and side the share of each cell where it is the steepest, and O <= tau."""
    count = len(distribution.directions)
    found = np.zeros((2 * count, x.size, y.size))
    finer = ((np.arange(FINER) + 0.5) / FINER - 0.5) * width
    for dx, dy in itertools.product(finer, finer):
        places = np.stack(np.meshgrid(x + dx, y + dy, indexing="ij"), axis=-1).reshape(-1, 2)
        where, side, out = distribution.steepest(places)
        kept = np.flatnonzero(out <= tau)
        which = where[kept] + np.where(side[kept] > 0, 0, count)
        found.reshape(2 * count, -1)[which, kept] += 1 / FINER**2
    return found
