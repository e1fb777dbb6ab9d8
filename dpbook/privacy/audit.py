"""An empirical lower bound on epsilon, for any sampler, at a stated confidence.

Why the bound holds. Let P and Q be the distributions of the mechanism on X and Z, and let S1 (outcomes that
speak for X) and S2 (that speak for Z) be two sets, chosen from draws that are not used again. If
the mechanism is (epsilon, delta)-private, P(S1) <= e^epsilon Q(S1) + delta and
Q(S2) <= e^epsilon P(S2) + delta. Their sum, halved, is

    a <= e^epsilon b + delta,  where  a = (P(S1) + Q(S2)) / 2  and  b = (Q(S1) + P(S2)) / 2,

so epsilon >= log((a - delta) / b): the two deltas are halved with the rest. The right guesses among
N = 2n held-out draws, n a side, are a sum of N independent indicators of mean chance a, the wrong
guesses of mean chance b. They are Poisson-binomial, not binomial, since P(S1) and Q(S2) may differ;
Hoeffding (1956, theorem 4) says that beyond one unit from the mean their tails are no heavier than
the binomial ones: P(K >= k) <= P(Bin(N, a) >= k) where k >= N a + 1. A Clopper-Pearson bound fails
at the counts k where that binomial tail is below its level, and we let none of them lie within
one unit of the mean: the lower bound is cut at (k - 1) / N and the upper one is at least
(k + 1) / N (`pooled_lower`, `pooled_upper`). Without the cut one count among N draws would be taken
for more than Hoeffding's theorem allows. Right and wrong guesses depend on each other; each bound
gets half of the error, and the union bound does the rest.
A single set, S2 empty, has n draws, a true binomial count, and the plain Clopper-Pearson bounds.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from dpbook.privacy.reading import generator, number
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Feature = Callable[[Floats], Floats]
"""From outcomes, shape (size, d), to one number each."""

FEWEST = 100  # draws a side
CHOOSING = 0.1  # of the draws: half of them to fit scores, half to choose among events
CAUTION = 3.5  # standard errors taken off each count when events are compared
BINS = 32  # cells of a histogram, beside the cells of atoms
ATOMS = 256  # values at most with a cell of their own
CUTS = 2_000  # thresholds at most that are compared
COORDINATES = 64  # coordinates at most that are looked at one by one
GENERATORS = ("rng", "generator", "random", "gen")  # names of an argument that takes a generator
PRODUCTS = 8  # up to this dimension the classifier sees products of coordinates
LARGEST = float(np.finfo(np.float64).max)


# the bounds


def lower(count: int, draws: int, error: float) -> float:
    """Clopper-Pearson lower bound on a chance.

    Parameters
    ----------
    count, draws : int
        So many of the draws fell in.
    error : float
        Chance that the bound fails, at most.
    """
    return 0.0 if count == 0 else float(betaincinv(count, draws - count + 1, error))


def upper(count: int, draws: int, error: float) -> float:
    """Clopper-Pearson upper bound on a chance; see `lower`."""
    return 1.0 - lower(draws - count, draws, error)


def pooled_lower(count: int, draws: int, error: float) -> float:
    """Lower bound on the mean chance of draws whose chances may differ.

    Parameters
    ----------
    count, draws : int
        So many of the draws fell in.
    error : float
        Chance that the bound fails, at most.

    Notes
    -----
    Clopper-Pearson, cut where Hoeffding's theorem of 1956 does not reach: see the module.
    """
    return max(0.0, min(lower(count, draws, error), (count - 1) / draws))


def pooled_upper(count: int, draws: int, error: float) -> float:
    """Upper bound on the mean chance of draws whose chances may differ; see `pooled_lower`."""
    return 1.0 - pooled_lower(draws - count, draws, error)


# events and results


@dataclass(frozen=True)
class Event:
    """Outcomes that speak for X, and outcomes that speak for Z.

    Called with outcomes of the mechanism, it answers 1 for each that speaks for X, -1 for each
    that speaks for Z, and 0 for all others.

    Attributes
    ----------
    score : str
        Name of the score that is compared with the thresholds.
    below, above : float or None
        An outcome counts where its score is <= `below` or >= `above`; None: such a set is not used.
    below_for : {"X", "Z"}
        The dataset for which a score <= `below` speaks; `above` speaks for the other dataset.
    """

    score: str
    below: float | None
    above: float | None
    below_for: str
    _feature: Feature = field(repr=False, compare=False)

    @property
    def pooled(self) -> bool:
        """Say whether there are sets for both datasets."""
        return self.below is not None and self.above is not None

    @property
    def description(self) -> str:
        """The event in words."""
        above_for = "Z" if self.below_for == "X" else "X"
        parts = []
        if self.below is not None:
            parts.append(f"{self.score} <= {self.below:.4g} speaks for {self.below_for}")
        if self.above is not None:
            parts.append(f"{self.score} >= {self.above:.4g} speaks for {above_for}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return self.description

    def __call__(self, outcomes: ArrayLike) -> NDArray[np.int8]:
        rows = np.asarray(outcomes, dtype=np.float64)
        scores = self._feature(rows[:, None] if rows.ndim == 1 else rows)
        said = np.zeros(scores.size, dtype=np.int8)
        sign = 1 if self.below_for == "X" else -1
        if self.below is not None:
            said[scores <= self.below] = sign
        if self.above is not None:
            said[scores >= self.above] = -sign
        return said

    def count(self, outcomes: Floats) -> tuple[int, int]:
        """Count the outcomes, shape (size, d), that speak for X, and those that speak for Z."""
        scores = self._feature(outcomes)
        below = above = 0
        if self.below is not None:
            below = int(np.count_nonzero(scores <= self.below))
        if self.above is not None:
            above = int(np.count_nonzero(scores >= self.above))
        return (below, above) if self.below_for == "X" else (above, below)


@dataclass(frozen=True)
class Audit:
    """Hold the result of an audit: a lower bound on epsilon, the event that shows it, and the counts.

    Attributes
    ----------
    epsilon_lower : float
        With the stated confidence the mechanism is not (epsilon, delta)-private on these datasets
        for any epsilon below it. 0.0: the audit finds nothing.
    delta : float
    event : Event
        Chosen on one part of the draws, counted on the other.
    confidence : float
    size : int
        Draws a side, in all.
    held_out : int
        Draws a side that were counted.
    x_counts, z_counts : tuple of int
        How many of the held-out draws on X, and on Z, speak for X and for Z.

    Examples
    --------
    >>> import numpy as np
    >>> def noisy(dataset, size, rng):
    ...     return sum(dataset) + rng.laplace(scale=1.0, size=size)
    >>> audit(noisy, [0], [1], size=4000, rng=np.random.default_rng(1)).epsilon_lower <= 1
    True
    """

    epsilon_lower: float
    delta: float
    event: Event
    confidence: float
    size: int
    held_out: int
    x_counts: tuple[int, int]
    z_counts: tuple[int, int]

    @property
    def draws(self) -> int:
        """Number of draws that `right` and `wrong` are out of."""
        return self.held_out * (2 if self.event.pooled else 1)

    @property
    def right(self) -> int:
        """Draws that speak for the dataset they come from."""
        return self.x_counts[0] + self.z_counts[1]

    @property
    def wrong(self) -> int:
        """Draws that speak for the other dataset."""
        return self.x_counts[1] + self.z_counts[0]

    @property
    def right_lower(self) -> float:
        """Lower confidence bound on the chance of `right`."""
        bound = pooled_lower if self.event.pooled else lower
        return bound(self.right, self.draws, (1 - self.confidence) / 2)

    @property
    def wrong_upper(self) -> float:
        """Upper confidence bound on the chance of `wrong`."""
        bound = pooled_upper if self.event.pooled else upper
        return bound(self.wrong, self.draws, (1 - self.confidence) / 2)

    def __repr__(self) -> str:
        delta = f", delta={self.delta:g}" if self.delta else ""
        return (
            f"Audit(epsilon_lower={self.epsilon_lower:.4g}{delta}, confidence={self.confidence:.10g}, "
            f"size={self.size}, event={self.event.description!r})"
        )

    def _repr_html_(self) -> str:
        rows = (
            ("epsilon is at least", f"{self.epsilon_lower:.4g}"),
            ("delta", f"{self.delta:g}"),
            ("confidence", f"{self.confidence:.10g}"),
            ("event", self.event.description),
            ("right guesses", f"{self.right} of {self.draws}"),
            ("wrong guesses", f"{self.wrong} of {self.draws}"),
        )
        return figures.html_facts(rows)

    @property
    def _counts(self) -> str:
        if self.event.pooled:
            return (
                f"Of {self.draws} held-out draws of both datasets {self.right} speak for the one that "
                f"they come from and {self.wrong} for the other"
            )
        return (
            f"Of {self.draws} held-out draws a dataset {self.right} of the one that the event speaks "
            f"for lie in it, and {self.wrong} of the other"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        found = (
            f"so epsilon is at least {self.epsilon_lower:.4g}"
            if self.epsilon_lower
            else "which is no evidence against privacy"
        )
        with_delta = f" and delta {self.delta:g}" if self.delta else ""
        return (
            f"Chance of a right guess against chance of a wrong one, at confidence "
            f"{self.confidence:.10g}{with_delta}. {self._counts}, {found}. "
            f"The event: {self.event.description}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the counts with their bounds, and the line that epsilon draws through the corner."""
        ax = ax or figures.axes()
        x, y = self.wrong / self.draws, self.right / self.draws
        corner = self.wrong_upper, self.right_lower
        most = min(1.0, 1.6 * max(corner[0], x, 1e-3))
        at = np.linspace(0.0, most, 101)
        ax.plot(
            at,
            np.minimum(1.0, self.delta + math.exp(self.epsilon_lower) * at),
            label=f"limit at ε = {self.epsilon_lower:.4g}",
        )
        ax.plot(at, np.minimum(1.0, self.delta + at), label="limit at ε = 0")
        ax.plot([x], [y], "o", color="black", label="counted")
        ax.plot([corner[0]], [corner[1]], "s", color="#8c4a00", label="its confidence bound")
        ax.set_xlabel("chance of a wrong guess")
        ax.set_ylabel("chance of a right guess")
        ax.legend(loc="best")
        return ax


# scores: where the two distributions may differ


@dataclass(frozen=True)
class _Score:
    """A number for each outcome, with its name."""

    name: str
    feature: Feature


def _coordinate(j: int) -> Feature:
    return lambda rows: rows[:, j]


def _where_finite(j: int) -> Feature:
    return lambda rows: np.where(np.isinf(rows[:, j]), np.nan, rows[:, j])


def _gap(j: int) -> Feature:
    def feature(rows: Floats) -> Floats:
        with np.errstate(invalid="ignore", over="ignore"):
            return rows[:, j + 1] - rows[:, j]

    return feature


def _finite(rows: Floats) -> Floats:
    return np.where(np.isfinite(rows), rows, 0.0)


def _sum(rows: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return _finite(rows).sum(axis=1)


def _length(rows: Floats) -> Floats:
    with np.errstate(over="ignore"):
        return np.sqrt(np.square(_finite(rows)).sum(axis=1))


def _largest(rows: Floats) -> Floats:
    return np.where(np.isnan(rows), -np.inf, rows).max(axis=1)


def _smallest(rows: Floats) -> Floats:
    return np.where(np.isnan(rows), np.inf, rows).min(axis=1)


def _looked_at(x: Floats, z: Floats) -> list[int]:
    """All coordinates, or of very many those whose ranks differ most."""
    size = x.shape[1]
    if size <= COORDINATES:
        return list(range(size))
    apart = np.zeros(size)
    for j in range(size):
        ranks = np.argsort(np.argsort(np.concatenate((x[:, j], z[:, j]))))
        apart[j] = abs(ranks[: len(x)].mean() - ranks[len(x) :].mean())
    return sorted(int(j) for j in np.argsort(-apart, kind="stable")[:COORDINATES])


def _plain(x: Floats, z: Floats, chosen: list[int]) -> Iterator[_Score]:
    """Coordinates and simple summaries: nothing is fitted."""
    size = x.shape[1]
    infinite = set(np.flatnonzero(np.isinf(np.concatenate((x, z))).any(axis=0)).tolist())
    for j in chosen:
        name = f"coordinate {j}" if size > 1 else "the output"
        yield _Score(name, _coordinate(j))
        if j in infinite:
            yield _Score(f"{name}, where finite,", _where_finite(j))
        if j + 1 < size:
            yield _Score(f"coordinate {j + 1} minus coordinate {j}", _gap(j))
    if size == 1:
        return
    yield _Score("the sum of the coordinates", _sum)
    yield _Score("the length of the output", _length)
    yield _Score("the largest coordinate", _largest)
    yield _Score("the smallest coordinate", _smallest)


def _edges(values: Floats) -> Floats:
    """Edges of cells: quantiles, values that come back have a cell alone, and so have infinities."""
    finite = np.sort(values[np.isfinite(values)])
    if not finite.size:
        return np.array([-LARGEST, np.inf])
    cuts = finite[np.linspace(0, finite.size - 1, BINS + 1).astype(np.intp)]
    starts = np.flatnonzero(np.concatenate(([True], finite[1:] != finite[:-1])))
    counts = np.diff(np.append(starts, finite.size))
    atoms, counts = finite[starts][counts > 2], counts[counts > 2]
    atoms = atoms[np.argsort(-counts, kind="stable")[:ATOMS]]
    found: Floats = np.unique(
        np.concatenate((cuts, atoms, np.nextafter(atoms, np.inf), [-LARGEST, np.inf]))
    )
    return found


def _cells(edges: Floats, values: Floats) -> NDArray[np.intp]:
    found = np.searchsorted(edges, values, side="right")
    found[np.isnan(values)] = edges.size + 1
    return found


def _ratios(x_cells: NDArray[np.intp], z_cells: NDArray[np.intp], size: int) -> Floats:
    """Logarithms of the likelihood ratio, cell by cell; two halves of a draw tame the empty ones."""
    x_counts, z_counts = (np.bincount(cells, minlength=size) for cells in (x_cells, z_cells))
    found: Floats = np.log((x_counts + 0.5) / (z_counts + 0.5))
    return found


def _histogram(score: _Score, x: Floats, z: Floats) -> _Score:
    """Likelihood ratio by a histogram of another score."""
    x_values, z_values = score.feature(x), score.feature(z)
    edges = _edges(np.concatenate((x_values, z_values)))
    ratios = _ratios(_cells(edges, x_values), _cells(edges, z_values), edges.size + 2)
    return _Score(
        f"log likelihood ratio by a histogram of {score.name}",
        lambda rows: ratios[_cells(edges, score.feature(rows))],
    )


def _keys(rows: Floats, atomic: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """A number for the pattern of a row: its discrete coordinates, and which ones are finite."""
    held = np.where(atomic | ~np.isfinite(rows), rows, 0.5)
    held[np.isnan(held)] = np.nan  # one bit pattern for all
    bits = (held + 0.0).view(np.uint64)  # -0.0 becomes 0.0
    keys = np.zeros(len(rows), dtype=np.uint64)
    for j in range(rows.shape[1]):
        keys = (keys ^ bits[:, j]) * np.uint64(0x9E3779B97F4A7C15)
        keys ^= keys >> np.uint64(29)
    return keys


def _patterns(x: Floats, z: Floats) -> _Score | None:
    """Likelihood ratio of whole rows, where coordinates are discrete or missing."""
    both = np.ascontiguousarray(np.concatenate((x, z)))
    atomic = np.array([np.unique(column).size < 0.5 * len(both) for column in both.T])
    missing = ~np.isfinite(both).all()
    if not (atomic.any() or missing):
        return None
    keys = _keys(both, atomic)
    known, places, counts = np.unique(keys, return_inverse=True, return_counts=True)
    if known.size > len(both) // 4:
        return None

    def spread(rows: Floats) -> Floats:
        return _sum(rows[:, ~atomic])

    cuts: list[Floats] = [np.empty(0)] * known.size
    if not atomic.all():
        values = spread(both)
        for k in np.flatnonzero(counts >= 80):
            inside = np.sort(values[places == k])
            parts = min(16, int(counts[k]) // 40)
            cuts[k] = inside[(np.arange(1, parts) * inside.size) // parts]
    first = np.concatenate(([0], np.cumsum([cut.size + 1 for cut in cuts])))

    def cells(rows: Floats) -> NDArray[np.intp]:
        rows = np.ascontiguousarray(rows)
        keys = _keys(rows, atomic)
        at = np.minimum(np.searchsorted(known, keys), known.size - 1)
        found = first[at]
        if not atomic.all():
            values = spread(rows)
            for k in np.flatnonzero(counts >= 80):
                here = at == k
                found[here] += np.searchsorted(cuts[k], values[here], side="right")
        found[known[at] != keys] = first[-1]  # never seen
        return found

    ratios = _ratios(cells(x), cells(z), int(first[-1]) + 1)
    return _Score("log likelihood ratio by whole outcomes", lambda rows: ratios[cells(rows)])


def _design(rows: Floats, centre: Floats, spread: Floats) -> Floats:
    """Return the features of outcomes for the classifier."""
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = np.clip((rows - centre) / spread, -8.0, 8.0)
    present = np.isfinite(rows)
    scaled[~present] = 0.0
    parts = [np.ones((len(rows), 1)), scaled, (~present).astype(np.float64)]
    if rows.shape[1] <= PRODUCTS:
        first, second = np.triu_indices(rows.shape[1])
        parts.append(scaled[:, first] * scaled[:, second])
    return np.concatenate(parts, axis=1)


def _classifier(x: Floats, z: Floats, chosen: list[int]) -> _Score:
    """Log-odds of a logistic regression, fitted by a few ridged Newton steps.

    Sums go through einsum: at this size the threads of a BLAS cost more than they bring.
    """
    both = np.concatenate((x, z))[:, chosen]
    centre, spread = np.zeros(both.shape[1]), np.ones(both.shape[1])
    for j, column in enumerate(both.T):
        present = column[np.isfinite(column)]
        if present.size:
            low, middle, high = np.quantile(present, (0.1, 0.5, 0.9))
            with np.errstate(over="ignore"):
                wide = high - low if high > low else np.ptp(present)
            centre[j], spread[j] = middle, (wide if np.isfinite(wide) and wide > 0 else 1.0)
    design = _design(both, centre, spread)
    kept = np.ptp(design, axis=0) > 0
    kept[0] = True  # the constant
    design = design[:, kept]
    labels = np.repeat((1.0, 0.0), (len(x), len(z)))
    weights = np.zeros(design.shape[1])
    ridge = np.eye(design.shape[1])
    for _ in range(6):
        odds = np.einsum("ij,j->i", design, weights)
        chances = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
        slope = np.einsum("ij,i->j", design, labels - chances) - weights
        weighted = design * (chances * (1.0 - chances))[:, None]
        weights = weights + np.linalg.solve(np.einsum("ij,ik->jk", weighted, design) + ridge, slope)

    def odds_of(rows: Floats) -> Floats:
        seen = _design(rows[:, chosen], centre, spread)[:, kept]
        found: Floats = np.round(np.einsum("ij,j->i", seen, weights), 9)  # equal rows, equal odds
        return found

    return _Score("log-odds of a fitted classifier", odds_of)


def _scores(x: Floats, z: Floats) -> Iterator[_Score]:
    """All scores that are tried, fitted to these draws."""
    chosen = _looked_at(x, z)
    for score in _plain(x, z, chosen):
        yield score
        yield _histogram(score, x, z)
    if x.shape[1] > 1:
        pattern = _patterns(x, z)
        if pattern is not None:
            yield pattern
        yield _classifier(x, z, chosen)


# the choice of an event


def _gain(right: Floats, wrong: Floats, draws: int, delta: float) -> Floats:
    """Score counts: the logarithm of the ratio, each chance taken with caution (Wilson)."""
    squared = CAUTION**2
    size = draws + squared

    def middle_and_half(count: Floats) -> tuple[Floats, Floats]:
        half = CAUTION * np.sqrt(count * (draws - count) / draws + squared / 4) / size
        return (count + squared / 2) / size, half

    middle, half = middle_and_half(right)
    least = middle - half - delta
    middle, half = middle_and_half(wrong)
    promised = np.full(right.shape, -np.inf)
    good = least > 1e-12
    promised[good] = np.log(least[good] / (middle + half)[good])
    return promised


def _events(score: _Score, x: Floats, z: Floats, delta: float) -> Iterator[tuple[float, Event]]:
    """Yield the best threshold events of a score on these draws, with the gain that each promises."""
    values = np.concatenate((score.feature(x), score.feature(z)))
    order = np.argsort(values)  # nan comes last
    ordered = values[order]
    ordered = ordered[: np.searchsorted(ordered, np.nan)]
    if not ordered.size:
        return
    draws = len(x)
    ends = np.append(np.flatnonzero(ordered[1:] != ordered[:-1]), ordered.size - 1)
    of_x = np.cumsum(order[: ordered.size] < draws)
    x_below, z_below = of_x[ends], ends + 1 - of_x[ends]
    x_above, z_above = (below[-1] - np.append(0, below[:-1]) for below in (x_below, z_below))
    cuts = ordered[ends]
    if cuts.size > CUTS:
        kept = np.linspace(0, cuts.size - 1, CUTS).astype(np.intp)
        cuts, x_below, z_below = cuts[kept], x_below[kept], z_below[kept]
        x_above, z_above = x_above[kept], z_above[kept]

    def best(right: Any, wrong: Any) -> tuple[float, int]:
        promised = _gain(right.astype(np.float64), wrong.astype(np.float64), draws, delta)
        at = int(np.argmax(promised))
        return float(promised[at]), at

    for below_for in ("X", "Z"):
        if below_for == "X":
            (low_gain, low), (high_gain, high) = best(x_below, z_below), best(z_above, x_above)
            right, wrong = x_below[low] + z_above[high], z_below[low] + x_above[high]
        else:
            (low_gain, low), (high_gain, high) = best(z_below, x_below), best(x_above, z_above)
            right, wrong = z_below[low] + x_above[high], x_below[low] + z_above[high]
        below, above = float(cuts[low]), float(cuts[high])
        yield low_gain, Event(score.name, below, None, below_for, score.feature)
        yield high_gain, Event(score.name, None, above, below_for, score.feature)
        if below < above:
            both = _gain(np.array([float(right)]), np.array([float(wrong)]), 2 * draws, delta)
            yield float(both[0]), Event(score.name, below, above, below_for, score.feature)


def _chosen(x: Floats, z: Floats, delta: float) -> Event:
    """Choose the event that promises most: fit scores on one half, and compare on the other half."""
    half = len(x) // 2
    best, event = -math.inf, Event("the output", None, math.inf, "X", _coordinate(0))
    for score in _scores(x[:half], z[:half]):
        for promised, candidate in _events(score, x[half:], z[half:], delta):
            if promised > best:
                best, event = promised, candidate
    return event


# the face


def _refuse_signature(mechanism: Any) -> None:
    """Refuse a function that cannot be called as mechanism(dataset, size, rng): how, and a remedy."""
    try:
        signature = inspect.signature(mechanism)
    except (TypeError, ValueError):  # it is not written in Python
        return
    name = getattr(mechanism, "__name__", "mechanism")
    called = "f" if name == "<lambda>" else name
    places = [
        one.name
        for one in signature.parameters.values()
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    swapped = len(places) > 2 and places[1] in GENERATORS and places[2] not in GENERATORS
    try:
        signature.bind(None, 0, None)
    except TypeError:
        pass
    else:
        if not swapped:
            return
    one_draw = len(places) == 1 or (len(places) == 2 and places[1] in GENERATORS)
    if one_draw:
        inner = f"[{called}({', '.join(['dataset', 'rng'][: len(places)])}) for _ in range(size)]"
    else:
        inner = f"{called}(dataset, rng, size)" if swapped else f"{called}(dataset, ...)"
    raise ValueError(
        f"mechanism must be a function of (dataset, size, rng) that returns size draws, "
        f"got {called}{signature}; wrap it: lambda dataset, size, rng: {inner}"
    )


def _draws(mechanism: Any, dataset: Any, name: str, size: int, rng: Any) -> Floats:
    """Draws of the mechanism as rows of floats, or one clear line."""
    try:
        returned = mechanism(dataset, size, rng)
        found = np.asarray(returned)
    except Exception as error:
        raise ValueError(
            f"mechanism must return draws on {name}, got {type(error).__name__}: {error}; "
            f"try mechanism({name}, 10, np.random.default_rng(0))"
        ) from error
    if np.ma.is_masked(returned):
        raise ValueError(
            f"mechanism must return numbers, got masked entries on {name}; "
            "fill them with nan where they stand for no answer"
        )
    if found.dtype.kind not in "biuf":
        raise ValueError(f"mechanism must return numbers, got dtype {found.dtype} on {name}")
    if found.ndim == 0:
        raise ValueError(
            f"mechanism must return an array of {size} draws, got one number on {name}; "
            "draw size numbers, such as rng.laplace(size=size)"
        )
    if found.ndim not in (1, 2) or len(found) != size or found.size == 0:
        raise ValueError(
            f"mechanism must return an array of shape ({size},) or ({size}, d), "
            f"got {found.shape} on {name}"
        )
    rows = np.asarray(found, dtype=np.float64)
    return rows[:, None] if rows.ndim == 1 else rows


def audit(
    mechanism: Callable[[Any, int, np.random.Generator], ArrayLike],
    X: Any,
    Z: Any,
    size: int = 100_000,
    confidence: float = 0.95,
    rng: np.random.Generator | None = None,
    *,
    delta: float = 0.0,
) -> Audit:
    """Lower bound on the epsilon of a mechanism, from draws on two neighbouring datasets.

    Parameters
    ----------
    mechanism : callable
        ``mechanism(dataset, size, rng)`` returns `size` independent draws: an array of numbers of
        shape (size,) or (size, d). NaN and infinities are outcomes like others.
    X, Z : object
        Two neighbouring datasets, as the mechanism takes them.
    size : int
        Draws a side, >= 100; a tenth of them chooses the event, the rest is counted.
    confidence : float
        Chance that the bound is right, at least; in (0, 1).
    rng : numpy.random.Generator, optional
        The only source of randomness; without it seed 0 is used, so that an audit can be repeated.
    delta : float
        The delta that is granted, in [0, 1).

    Returns
    -------
    Audit
        Its `epsilon_lower` is 0.0 when the draws show nothing, and finite always.

    Raises
    ------
    ValueError
        Too few draws, a confidence or delta out of range, a mechanism that raises, that returns
        something else than numbers in the shapes above, different shapes on X and Z, or nan alone.

    Notes
    -----
    Of the draws that choose, one half fits scores (histograms of each coordinate and of simple
    summaries, whole outcomes where they are discrete, a logistic regression) and the other half
    picks the score and the thresholds. The held-out draws are used once, for the chosen event: the
    pooled counts of both directions or the count of one, by Clopper-Pearson bounds with half of the
    error each. Why that is right also for pooled counts and delta > 0: see the module
    `dpbook.privacy.audit`; Hoeffding (1956), *On the distribution of the number of successes in
    independent trials*, theorem 4.

    A bound speaks about these two datasets. A small one is no proof of privacy.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.privacy.audit import audit
    >>> def noisy(dataset, size, rng):
    ...     return sum(dataset) + rng.laplace(scale=1.0, size=size)
    >>> found = audit(noisy, [1, 0], [1, 1], rng=np.random.default_rng(1))
    >>> 0.95 < found.epsilon_lower <= 1
    True
    """
    if not callable(mechanism):
        raise ValueError(
            f"mechanism must be callable as mechanism(dataset, size, rng), got {mechanism!r}"
        )
    _refuse_signature(mechanism)
    if isinstance(size, bool) or not isinstance(size, int | np.integer) or size < FEWEST:
        raise ValueError(f"size must be an integer >= {FEWEST}, got {size}")
    confidence = number("confidence", confidence, "in (0, 1)")
    delta = number("delta", delta, "in [0, 1)")
    rng = generator(rng, seed=0)
    size = int(size)
    x, z = (_draws(mechanism, data, name, size, rng) for data, name in ((X, "X"), (Z, "Z")))
    if x.shape != z.shape:
        raise ValueError(
            f"mechanism must return one shape on X and Z, got {x.shape[1]} numbers a draw on X "
            f"and {z.shape[1]} on Z; fill up with nan"
        )
    if np.isnan(x).all() and np.isnan(z).all():
        raise ValueError(
            f"mechanism must give an answer, got nan in all {size} draws on X and on Z; "
            "nan may stand for no answer in some of them"
        )
    choosing = int(CHOOSING * size)
    event = _chosen(x[:choosing], z[:choosing], float(delta))
    found = Audit(
        epsilon_lower=0.0,
        delta=float(delta),
        event=event,
        confidence=float(confidence),
        size=size,
        held_out=size - choosing,
        x_counts=event.count(x[choosing:]),
        z_counts=event.count(z[choosing:]),
    )
    ratio = (found.right_lower - found.delta) / found.wrong_upper
    return found if ratio <= 1 else replace(found, epsilon_lower=math.log(ratio))
