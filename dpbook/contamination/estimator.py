"""Algorithm 1 and two estimators of epsilon that are sharper: of one dataset, and a quantile of many.

All of them are about *random* differential privacy (Definition 2): epsilon and delta hold with a
probability over datasets that the model draws, and for no other dataset. See `audits`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import bdtr, betainc, gammaln, ndtr, ndtri

from dpbook.contamination import kernels
from dpbook.contamination.models.densities import CauchyDensity, StudentTDensity
from dpbook.contamination.models.likelihoods import Normal
from dpbook.contamination.models.mixture import CONDITION, Contaminated
from dpbook.contamination.posterior import GridPosterior
from dpbook.contamination.problem import Problem
from dpbook.engine.language.card import Described
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Method = Literal["algorithm-1", "sharp", "exact"]
Tail = Literal["refuse", "normal", "printed"]

__all__ = [
    "CONDITION",
    "METHODS",
    "DatasetEpsilon",
    "EpsilonEstimate",
    "Method",
    "Unresolved",
]

METHODS: dict[Method, str] = {
    "algorithm-1": "Algorithm 1",
    "sharp": "largest log ratio on the posterior interval of mass 1 - delta",
    "exact": "hockey-stick divergence",
}
BITS = {"algorithm-1": 1, "sharp": 2, "exact": 4}

FINE = 1025  # parameters of the fast way
NODES = ((3000, 25), (20_000, 17), (10**15, 13))  # up to so many records, so many are computed
RECORDS = 161  # where suprema over real records are first looked for
AROUND = 41  # and around the best of them, three times
DROPPED = 25.0  # in the log density, below delta: there no parameter counts for the divergence
LOOKED = 2048  # parameters that records are looked for with, at least
SPARSE = 4  # but at least every fourth: 0.13 deviations apart
RESOLVED = 10  # particles of effective mass delta that a tail needs


class Unresolved(ValueError):
    """The particles are too few for a tail of probability delta.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination.settings import private_mean
    >>> setting = private_mean(1000)
    >>> x = setting.simulate(np.random.default_rng(1))
    >>> try:
    ...     setting.epsilon(x, method="algorithm-1", particles=2000)
    ... except Unresolved as few:
    ...     print(str(few).partition(" for")[0])
    particles must be >= 100000
    """


# --- results ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DatasetEpsilon(Described):
    """Epsilon of one contaminated dataset without its last record, at a delta.

    Attributes
    ----------
    epsilon, delta : float
    method : {"algorithm-1", "sharp", "exact"}
    phi : float or None
        Half the width of the box A around theta* (algorithm 1).
    log_eta, log_alpha, log_beta : float or None
        Line 13 of algorithm 1 adds log_eta + log_alpha - log_beta.
    records : tuple of float or None
        The two records that are told apart best (exact).

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination.settings import private_mean
    >>> setting = private_mean(1000)
    >>> found = setting.epsilon(setting.simulate(np.random.default_rng(1)), method="exact")
    >>> round(found.epsilon, 5)
    0.3307
    """

    epsilon: float
    delta: float
    method: Method
    phi: float | None = None
    log_eta: float | None = None
    log_alpha: float | None = None
    log_beta: float | None = None
    records: tuple[float, float] | None = None

    def __repr__(self) -> str:
        more = ""
        if self.phi is not None:
            more = (
                f", phi={self.phi:.4g}, log_eta={self.log_eta:.4g}, "
                f"log_alpha={self.log_alpha:.3g}, log_beta={self.log_beta:.3g}"
            )
        if self.records is not None:
            more = f", records=({self.records[0]:.4g}, {self.records[1]:.4g})"
        return (
            f"DatasetEpsilon({self.epsilon:.5g} at delta={self.delta:.3g}, "
            f"{self.method}{more}; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the result in words."""
        parts = ""
        if self.phi is not None:
            parts = (
                f" The box around theta* reaches {self.phi:.4g} to either side; log eta is "
                f"{self.log_eta:.4g}, log alpha {self.log_alpha:.3g}, log beta {self.log_beta:.3g}."
            )
        if self.records is not None:
            parts = (
                f" The records told apart best are {self.records[0]:.4g} and {self.records[1]:.4g}."
            )
        return (
            f"Epsilon {self.epsilon:.4g} at delta {self.delta:.3g} ({METHODS[self.method]}), for "
            f"this dataset and any last record: {CONDITION}.{parts}"
        )


@dataclass(frozen=True, eq=False)
class EpsilonEstimate(Described):
    """A quantile of epsilon over datasets drawn from the model, and how sure it is.

    Attributes
    ----------
    n : int
    rate, delta : float
    quantile : float
        q / 100 of algorithm 1; with probability 1 - quantile a dataset fails.
    method : {"algorithm-1", "sharp", "exact"}
    values : array of float, shape (size,)
        One epsilon for each dataset.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination import estimate_epsilon
    >>> from dpbook.contamination.settings import private_mean
    >>> found = estimate_epsilon(private_mean(1000), 200, np.random.default_rng(1))
    >>> found.epsilon < found.upper()
    True
    """

    n: int
    rate: float
    delta: float
    quantile: float
    method: Method
    values: Floats = field(repr=False)

    @property
    def epsilon(self) -> float:
        """The quantile of the values: line 15 of algorithm 1."""
        return float(np.quantile(self.values, self.quantile))

    @property
    def median(self) -> float:
        """Half of the datasets are below it."""
        return float(np.median(self.values))

    @property
    def error(self) -> float:
        """Standard error of the quantile (Maritz and Jarrett 1978); infinite below `enough` values.

        The largest of fewer values is likely to lie below the quantile, and none tells by how much.
        """
        size = self.values.size
        if size < self.enough:
            return math.inf
        m = self.quantile * (size + 1)
        edges = betainc(m, size + 1 - m, np.arange(size + 1) / size)
        weights, ordered = np.diff(edges), np.sort(self.values)
        first = float(weights @ ordered)
        return math.sqrt(max(float(weights @ (ordered - first) ** 2), 0.0))

    @property
    def enough(self) -> int:
        """Least number of values whose largest exceeds the quantile with probability 0.95."""
        return math.ceil(math.log(0.05) / math.log(self.quantile))

    def upper(self, confidence: float = 0.95) -> float:
        """Upper confidence limit of the quantile: an order statistic; infinite with too few values."""
        size = self.values.size
        chances = bdtr(np.arange(size + 1), size, self.quantile)  # of so many values below it
        rank = int(np.searchsorted(chances, confidence)) + 1
        return float(np.sort(self.values)[rank - 1]) if rank <= size else math.inf

    def __repr__(self) -> str:
        error = f" +- {self.error:.2g}"
        if self.values.size < self.enough:
            error = f", error not told by fewer than {self.enough} datasets"
        return (
            f"EpsilonEstimate(epsilon={self.epsilon:.4g}{error}, "
            f"delta={self.delta:.3g}, n={self.n}, rate={self.rate:.4g}, {self.method}, "
            f"{self.quantile:.3g} of {self.values.size} datasets; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        error = f"with a standard error of {self.error:.2g}"
        if self.values.size < self.enough:
            error = f"whose standard error fewer than {self.enough} datasets do not tell"
        return (
            f"Epsilon of {self.values.size} datasets of {self.n} records, contaminated at rate "
            f"{self.rate:.3g}, at delta {self.delta:.3g} ({METHODS[self.method]}): median "
            f"{self.median:.4g}; {self.quantile:.3g} of them are below {self.epsilon:.4g}, "
            f"{error}: {CONDITION}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw a histogram, and the quantile as a line."""
        ax = ax or figures.axes()
        ax.hist(self.values, bins="auto", color=figures.PALETTE[3])
        ax.axvline(self.epsilon, color="black", label=f"{self.quantile:.3g} quantile")
        ax.set_xlabel("epsilon of a dataset")
        ax.set_ylabel("datasets")
        ax.legend()
        return ax


# --- the fast way ---------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _matrix(nodes: int) -> Floats:
    """From values at few equispaced nodes to those at many: barycentric, with binomial weights."""
    many = np.linspace(0.0, nodes - 1.0, FINE)[:, None]
    gaps = many - np.arange(nodes)
    there = gaps == 0
    weights = np.array([(-1.0) ** j * math.comb(nodes - 1, j) for j in range(nodes)])
    found = weights / np.where(there, 1.0, gaps)
    found /= found.sum(axis=1, keepdims=True)
    at_node = there.any(axis=1)
    found[at_node] = there[at_node]
    return found


def fast_model(setting: Problem) -> kernels.Model | None:
    """Constants of the fast way; None where a setting has another model."""
    likelihood, density = setting.likelihood, setting.density
    # a class that is derived from one of these may have another density
    if type(likelihood) is not Normal:
        return None
    if type(density) is not StudentTDensity and type(density) is not CauchyDensity:
        return None
    df = 1.0 if isinstance(density, CauchyDensity) else density.df
    sd, scale = likelihood.sd, density.scale / likelihood.sd
    constant = gammaln(0.5 * (df + 1)) - gammaln(0.5 * df) - 0.5 * math.log(df * math.pi)
    constant -= math.log(scale)
    return kernels.Model(
        setting.rate,
        df,
        (density.centre - setting.theta) / sd,
        scale,
        (float(setting.prior.mean) - setting.theta) / sd,
        float(setting.prior.sd) / sd,
        math.log((1 - setting.rate) / setting.rate) - constant - 0.5 * math.log(2 * math.pi),
    )


def fast_values(
    model: kernels.Model, u: Floats, delta: float, methods: int, *, simulated: bool
) -> Floats | None:
    """Eight numbers of `kernels.estimates` for records in standard deviations from theta*.

    None where the window around one mode does not hold the posterior. Of records that the model
    did not draw, and of few, it is made sure that there is no other mode.
    """
    nodes = next(count for most, count in NODES if u.size <= most)
    found = np.full(8, np.nan)
    held = kernels.estimates(
        model, u, _matrix(nodes), np.empty(nodes), delta, methods, not simulated, found
    )
    good = {1: found[:4], 2: found[4:5], 4: found[5:]}
    sound = all(np.isfinite(good[bit]).all() for bit in good if methods & bit)
    return found if held and sound else None


def fast_draws(
    model: kernels.Model, u: Floats, rng: Generator, found: Floats, *, simulated: bool
) -> None:
    """Fill an array with posterior draws; see `kernels.fresh_draws`."""
    nodes = next(count for most, count in NODES if u.size <= most)
    kernels.fresh_draws(model, u, _matrix(nodes), np.empty(nodes), not simulated, rng, found)


# --- any model ------------------------------------------------------------------------------------------


def candidates(setting: Problem, posterior: GridPosterior) -> Floats:
    """Records that may be the worst ones: from near the parameters to far away, or all values."""
    values = setting.likelihood.values
    if values is not None:
        return np.array(values)
    reach = np.sinh(np.linspace(-9.0, 9.0, RECORDS)) / math.sinh(1.0)
    near = np.linspace(-12.0, 12.0, RECORDS + 80)
    middle = 0.5 * (setting.theta + posterior.mode)
    return np.sort(middle + setting.likelihood.scale * np.concatenate([reach, near]))


def _extreme(function: Callable[[Floats], Floats], x: Floats, refined: bool) -> tuple[float, float]:
    """Largest value of a function over records, and where: a table, then finer ones around the best."""
    values = function(x)
    k = int(np.argmax(values))
    best, at = float(values[k]), float(x[k])
    if refined:
        low, high = float(x[max(k - 1, 0)]), float(x[min(k + 1, x.size - 1)])
        for _ in range(3):
            inner = np.linspace(low, high, AROUND)
            values = function(inner)
            k = int(np.argmax(values))
            if values[k] > best:
                best, at = float(values[k]), float(inner[k])
            low, high = float(inner[max(k - 1, 0)]), float(inner[min(k + 1, AROUND - 1)])
    return best, at


@dataclass(frozen=True, eq=False)
class Conditional:
    """A posterior without its last record, and the posterior with any other last record.

    Attributes
    ----------
    model : Contaminated
    posterior : GridPosterior
        With the last record.
    rest : array of float
        Density without it, at the posterior's points.
    centre : float
        Of the contamination density.
    """

    model: Contaminated
    posterior: GridPosterior
    rest: Floats
    centre: float

    @classmethod
    def of(cls, model: Contaminated, posterior: GridPosterior, last: float) -> Conditional:
        centre = 0.0 if model.density is None else model.density.centre
        logs = posterior.log_density - model.log_density(np.array(last), posterior.points, centre)
        rest = np.exp(logs - logs.max())
        return cls(model, posterior, rest / (rest.sum() * posterior.step), centre)

    def within(self, drop: float) -> Conditional:
        """Do the same where the log density is at most so far below its value at the mode, and between."""
        logs = self.posterior.log_density
        kept = np.flatnonzero(logs > logs.max() - drop)
        return self._at(slice(kept[0], kept[-1] + 1))

    def thinned(self, every: int) -> Conditional:
        """Do the same at every so many parameters."""
        return self._at(slice(None, None, every))

    def _at(self, part: slice) -> Conditional:
        points, logs = self.posterior.points[part], self.posterior.log_density[part]
        return Conditional(self.model, GridPosterior(points, logs), self.rest[part], self.centre)

    def log_k(self, x: Floats, theta: Floats) -> Floats:
        """Log k_p of records, shape (k,), at parameters, shape (m,): a table of shape (k, m)."""
        return self.model.log_density(x[:, None], theta[None, :], self.centre)

    def log_expected(self, x: Floats) -> Floats:
        """Log of the expectation of k_p(x; theta) without the last record, shape (k,)."""
        logs = self.log_k(x, self.posterior.points)
        most = logs.max(axis=1)
        weights = self.rest * self.posterior.step
        found: Floats = most + np.log(np.exp(logs - most[:, None]) @ weights)
        return found

    def densities(self, x: Floats) -> Floats:
        """Posteriors with each of some records in the place of the last one, shape (k, m)."""
        logs = self.log_k(x, self.posterior.points) - self.log_expected(x)[:, None]
        return self.rest * np.exp(logs)


def hockey_stick(first: Floats, second: Floats, level: float, step: float) -> Floats:
    """Integrals of positive parts of first - level * second over the last axis, with their kinks.

    See the kernel of this name for the twelfth: what is left is of order step**3.
    """
    gap = np.asarray(first - level * second)
    before, now = gap[..., :-1], gap[..., 1:]
    area = 0.5 * (np.maximum(before, 0) + np.maximum(now, 0))
    kink = (before > 0) != (now > 0)
    rise = np.abs(before - now)[kink]
    area[kink] = 0.5 * np.maximum(before, now)[kink] ** 2 / rise + rise / 12
    found: Floats = area.sum(axis=-1) * step
    return found


def algorithm_1(
    setting: Problem, posterior: GridPosterior, last: float, delta: float
) -> DatasetEpsilon:
    """Algorithm 1 with suprema and quadrature, for any likelihood of one parameter."""
    part = Conditional.of(setting.model, posterior, last)
    low, high = 0.0, float(np.abs(posterior.points - setting.theta).max())
    for _ in range(60):
        phi = 0.5 * (low + high)
        outside = posterior.below(setting.theta - phi) + posterior.above(setting.theta + phi)
        low, high = (low, phi) if outside < delta else (phi, high)
    truth = np.array([setting.theta])

    def expected(at: Floats) -> Floats:
        return part.log_expected(at) - part.log_k(at, truth)[:, 0]

    return _decoupled(setting, part, high, expected, delta)


def _decoupled(
    setting: Problem,
    part: Conditional,
    phi: float,
    expected: Callable[[Floats], Floats],
    delta: float,
) -> DatasetEpsilon:
    """Lines 9 and 12: suprema of d and of the logarithm of its expectation, each by itself."""
    x, refined = candidates(setting, part.posterior), setting.likelihood.values is None
    inside = setting.theta + phi * np.linspace(-1.0, 1.0, 33)
    truth = np.array([setting.theta])

    def box(sign: int) -> Callable[[Floats], Floats]:
        def over(at: Floats) -> Floats:
            logs = sign * (part.log_k(at, inside) - part.log_k(at, truth))
            found: Floats = logs.max(axis=1)
            return found

        return over

    log_eta = _extreme(box(1), x, refined)[0] + _extreme(box(-1), x, refined)[0]
    log_alpha = _extreme(expected, x, refined)[0]
    log_beta = -_extreme(lambda at: -expected(at), x, refined)[0]
    return DatasetEpsilon(
        log_eta + log_alpha - log_beta, delta, "algorithm-1", phi, log_eta, log_alpha, log_beta
    )


def sharp(setting: Problem, posterior: GridPosterior, last: float, delta: float) -> DatasetEpsilon:
    """Largest log ratio of two posteriors on the equal-tailed interval of mass 1 - delta."""
    part = Conditional.of(setting.model, posterior, last)
    ends = posterior.quantile([0.5 * delta, 1 - 0.5 * delta])
    x, refined = candidates(setting, posterior), setting.likelihood.values is None
    inside = np.linspace(ends[0], ends[1], 17)
    table = part.log_k(x, inside) - part.log_expected(x)[:, None]
    best = float(np.ptp(table, axis=0).max())
    if refined:  # between the candidates, at both ends of the interval
        for theta in (inside[:1], inside[-1:]):

            def ratio(at: Floats, theta: Floats = theta) -> Floats:
                return part.log_k(at, theta)[:, 0] - part.log_expected(at)

            def reverse(at: Floats, theta: Floats = theta) -> Floats:
                return -ratio(at, theta)

            logs = table[:, 0 if theta[0] == inside[0] else -1]
            up = _extreme(ratio, _near(x, x[int(np.argmax(logs))]), True)[0]
            down = _extreme(reverse, _near(x, x[int(np.argmin(logs))]), True)[0]
            best = max(best, up + down)
    return DatasetEpsilon(best, delta, "sharp")


def exact(setting: Problem, posterior: GridPosterior, last: float, delta: float) -> DatasetEpsilon:
    """Return the least epsilon at which no two last records are distinguished beyond delta.

    Records are looked for with some of the parameters: at the best ones the divergence is flat.
    Epsilon itself is found with all of them.
    """
    part = Conditional.of(setting.model, posterior, last).within(DROPPED - math.log(delta))
    few = part.thinned(min(SPARSE, max(1, part.posterior.points.size // LOOKED)))
    x, refined = candidates(setting, posterior), setting.likelihood.values is None
    step, coarse = part.posterior.step, few.posterior.step
    table = few.densities(x)
    best, worst = 0.0, (math.nan, math.nan)
    middle = int(np.argmin(np.abs(x - setting.theta)))

    def between(first: float, second: float) -> float:
        pair = part.densities(np.array([first, second]))
        return epsilon_at(pair[0], pair[1], delta, step)

    for start in (0, 1):
        # the pair that differs most where the first is farthest up, or farthest down
        mean = table @ few.posterior.points
        a, b = int(np.argmax(mean)), int(np.argmin(mean))
        i, j = (a, b) if start == 0 else (b, a)
        epsilon = 0.0
        for _ in range(20):
            before = epsilon
            epsilon = max(epsilon, epsilon_at(table[i], table[j], delta, coarse))
            level = math.exp(epsilon)
            i = int(np.argmax(hockey_stick(table, table[j], level, coarse)))
            j = int(np.argmax(hockey_stick(table[i], table, level, coarse)))
            if epsilon - before <= 1e-9 * epsilon:
                break
        first, second = float(x[i]), float(x[j])
        epsilon = between(first, second)
        if refined:
            for _ in range(3):
                level = math.exp(epsilon)
                other = few.densities(np.array([second]))[0]
                first = _extreme(
                    lambda at, o=other, v=level: hockey_stick(few.densities(at), o, v, coarse),  # type: ignore[misc]
                    _near(x, first),
                    True,
                )[1]
                own = few.densities(np.array([first]))[0]
                second = _extreme(
                    lambda at, o=own, v=level: hockey_stick(o, few.densities(at), v, coarse),  # type: ignore[misc]
                    _near(x, second),
                    True,
                )[1]
                epsilon = max(epsilon, between(first, second))
        if epsilon >= best:
            best, worst = epsilon, (first, second)
    if best == 0.0:
        worst = (float(x[middle]), float(x[middle]))
    return DatasetEpsilon(best, delta, "exact", records=worst)


def _near(x: Floats, at: float) -> Floats:
    """Three candidates: one and its neighbours."""
    k = int(np.argmin(np.abs(x - at)))
    return x[max(k - 1, 0) : k + 2]


def epsilon_at(first: Floats, second: Floats, delta: float, step: float) -> float:
    """Epsilon at which the hockey-stick divergence of two densities on a grid is delta."""
    if float(hockey_stick(first, second, 1.0, step)) <= delta:
        return 0.0
    low, high = 0.0, 1.0
    while float(hockey_stick(first, second, math.exp(high), step)) > delta:
        low, high = high, 2 * high
        if high > 600:
            return math.inf
    for _ in range(50):
        middle = 0.5 * (low + high)
        if float(hockey_stick(first, second, math.exp(middle), step)) > delta:
            low = middle
        else:
            high = middle
    return high


# --- with particles, as printed ----------------------------------------------------------------------


def with_particles(
    setting: Problem,
    posterior: GridPosterior,
    last: float,
    delta: float,
    particles: int,
    tail: Tail,
    rng: Generator,
) -> DatasetEpsilon:
    """Algorithm 1 with importance sampling from the Laplace approximation (lines 5 to 12).

    Raises
    ------
    Unresolved
        Too few particles for a tail of probability delta, and `tail` says "refuse".
    """
    k = int(np.argmax(posterior.log_density))
    bend = np.diff(posterior.log_density[k - 1 : k + 2], 2)[0] / posterior.step**2
    centre, sd = posterior.mode, 1 / math.sqrt(-bend)
    theta = rng.normal(centre, sd, particles)
    logs = np.interp(theta, posterior.points, posterior.log_density, left=-np.inf, right=-np.inf)
    logs += 0.5 * ((theta - centre) / sd) ** 2
    weights = np.exp(logs - logs.max())
    weights /= weights.sum()
    effective = 1 / float(np.sum(weights**2))
    if tail == "refuse" and effective * delta < RESOLVED:
        raise Unresolved(
            f"particles must be >= {math.ceil(RESOLVED / delta)} for a tail of delta = {delta:.3g}, "
            f"got {particles} (effectively {effective:.0f}); take particles=None (quadrature), "
            'tail="normal" (the tail of the Laplace approximation), or tail="printed" (phi ends '
            "at the farthest particle, which is too small)"
        )
    if tail == "normal":
        low, high = 0.0, abs(centre - setting.theta) + 40 * sd
        half = -float(ndtri(0.5 * delta)) * sd  # at least so far
        low = min(half, high)
        for _ in range(60):
            phi = 0.5 * (low + high)
            ends = (np.array([-1, 1]) * phi + setting.theta - centre) / sd
            beyond = float(ndtr(ends[0]) + ndtr(-ends[1]))
            low, high = (low, phi) if beyond < delta else (phi, high)
        phi = high
    else:
        away = np.abs(theta - setting.theta)
        order = np.argsort(away)[::-1]
        outside = np.cumsum(weights[order])
        # the box ends at the first particle, from outside, that must be in it
        phi = float(away[order[int(np.searchsorted(outside, delta))]])
    part = Conditional.of(setting.model, posterior, last)
    truth, record = np.array([setting.theta]), np.array([last])
    rest = weights / np.exp(part.log_k(record, theta)[0] - part.log_k(record, truth)[0])
    rest /= rest.sum()

    def expected(at: Floats) -> Floats:
        return np.log(np.exp(part.log_k(at, theta) - part.log_k(at, truth)) @ rest)

    return _decoupled(setting, part, phi, expected, delta)
