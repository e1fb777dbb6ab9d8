"""Draws from the exponential mechanism whose cost is outlyingness.

The density is proportional to exp(-beta * O(x)) where O(x) <= tau. Along a line O is a maximum of
linear functions, so hit-and-run draws exactly on each line; in one dimension that is the whole distribution.
A quadratic lower bound on O**2 gives exact draws by rejection where the dimension is moderate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammaln

from dpbook.depth_medians import kernels
from dpbook.depth_medians.projections import Outlyingness, finite, least_point, spanning
from dpbook.depth_medians.theory import GammaCut, inverse_temperature
from dpbook.engine.language.card import Described
from dpbook.privacy import reading
from dpbook.privacy.reading import generator
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Sampler = Literal["auto", "hit-and-run", "rejection", "langevin"]
SAMPLERS = ("auto", "hit-and-run", "rejection", "langevin")

MOST_EXACT = 10  # dimensions in which "auto" tries rejection
TRIES = 200_000  # of "auto", for each draw
LANGEVIN_STEPS, LANGEVIN_RATE = 500, 1.5e-4


@dataclass(frozen=True, eq=False)
class Draws(Described):
    """Draws from the exponential mechanism.

    Attributes
    ----------
    values : array of float, shape (size, d)
        nan where rejection found nothing.
    sampler : str
        How they were made.
    exact : bool
        Whether they have exactly the distribution of the mechanism, up to rounding.
    tries : int
        Proposals of all draws by rejection; steps of a chain otherwise.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import ExponentialMechanism, outlyingness_of, random_directions
    >>> rng = np.random.default_rng(1)
    >>> data = rng.normal(size=(200, 2))
    >>> fitted = outlyingness_of(data, random_directions(2, 30, rng))
    >>> draws = ExponentialMechanism(fitted, 10.0, 0.2, 1.0).draws(5, rng)
    >>> draws.exact
    False
    """

    values: Floats
    sampler: str
    exact: bool
    tries: int

    def __repr__(self) -> str:
        mean = ", ".join(f"{v:.4g}" for v in np.nanmean(self.values, axis=0)[:5])
        more = ", ..." if self.values.shape[1] > 5 else ""
        return (
            f"Draws({len(self.values)} by {self.sampler}, {'exact' if self.exact else 'by a chain'}"
            f", mean ({mean}{more}))"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        sd = ", ".join(f"{v:.4g}" for v in np.nanstd(self.values, axis=0)[:5])
        kind = "exact" if self.exact else "a chain's, so approximate"
        return (
            f"{len(self.values)} draws by {self.sampler}, {kind}; standard deviations of the first "
            f"coordinates {sd}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the first two coordinates, or a histogram of one."""
        ax = ax or figures.axes()
        if self.values.shape[1] == 1:
            ax.hist(self.values[:, 0], bins="auto", density=True, color=figures.PALETTE[3])
            ax.set_xlabel("draw")
            ax.set_ylabel("density")
            return ax
        ax.plot(self.values[:, 0], self.values[:, 1], ".", color=figures.PALETTE[3], markersize=3)
        ax.set_aspect("equal")
        ax.set_xlabel("first coordinate")
        ax.set_ylabel("second coordinate")
        return ax


@dataclass(frozen=True, eq=False)
class Quadratic:
    """A certified bound O(x) >= sqrt(floor**2 + |inverse of root @ (x - centre)|**2).

    Attributes
    ----------
    centre : array of float, shape (d,)
    root : array of float, shape (d, d)
    floor : float
        Outlyingness that is there at least.

    Notes
    -----
    A maximum of squares is at least any weighted mean of them; the weights are chosen to make the
    integral of exp(-beta * bound) small, so that few proposals are rejected.
    """

    centre: Floats
    root: Floats
    floor: float

    @classmethod
    def of(cls, scaled: Floats, offset: Floats, beta: float, rounds: int = 200) -> Quadratic:
        """Fit the weights by multiplicative steps, each to a better bound."""
        size, d = scaled.shape
        weights = np.full(size, 1 / size)
        grid = (np.arange(400) + 0.5) / 400
        for step in range(rounds + 1):
            moment = (scaled * weights[:, None]).T @ scaled
            centre = np.linalg.solve(moment, scaled.T @ (weights * offset))
            rest = scaled @ centre - offset
            floor = math.sqrt(float(weights @ rest**2))
            # moment = factor @ factor.T, and r = factor.T @ (x - centre)
            inverse = np.linalg.inv(np.linalg.cholesky(moment))
            if step == rounds:
                return cls(centre, np.ascontiguousarray(inverse.T), floor)
            t = grid * (d + 12 * math.sqrt(d) + 20) / beta
            log_density = (d / 2 - 1) * np.log(t * (t + 2 * floor)) + np.log(t + floor) - beta * t
            mass = np.exp(log_density - log_density.max())
            mass /= mass.sum()
            reach = np.einsum("ij,ij->i", scaled @ inverse.T, scaled @ inverse.T)
            cost = t + floor
            gain = rest**2 * float(mass @ (1 / cost))
            gain += reach / d * float(mass @ (t * (t + 2 * floor) / cost))
            weights = weights * gain
            weights /= weights.sum()
        raise AssertionError("the last round returns")

    def shapes(self, beta: float) -> tuple[Floats, Floats]:
        """Shapes and cumulative weights of the Gamma distributions that Q - floor is a mixture of."""
        d, q = len(self.centre), self.floor
        odd = d % 2 == 1
        power = (d - 3) // 2 if odd else (d - 2) // 2
        # (t + q), or (t + q)**2 where d is odd, as coefficients of t**0, t**1, ...
        tail = (q * q, 2 * q, 1.0) if odd else (q, 1.0)
        shapes, logs = [], []
        for i in range(power + 1):
            binomial = gammaln(power + 1) - gammaln(i + 1) - gammaln(power - i + 1)
            if power - i > 0 and q == 0.0:
                continue
            base = binomial + (power - i) * math.log(2 * q) if power - i > 0 else binomial
            for j, coefficient in enumerate(tail):
                if coefficient > 0:
                    shape = power + i + j + 1
                    shapes.append(float(shape))
                    logs.append(
                        base + math.log(coefficient) + gammaln(shape) - shape * math.log(beta)
                    )
        values = np.array(logs)
        return np.array(shapes), np.cumsum(np.exp(values - values.max()))


@dataclass(frozen=True, eq=False)
class ExponentialMechanism:
    """The distribution with density proportional to exp(-epsilon * O / (4 eta)) where O <= tau.

    The mechanism on a list of candidates is `dpbook.privacy.ExponentialMechanism`.

    Attributes
    ----------
    outlyingness : Outlyingness
    epsilon, eta, tau : float
        > 0; tau exceeds the least outlyingness.

    Raises
    ------
    ValueError
        A number outside its range, directions that do not span, tau too small.

    Notes
    -----
    Source: depth_medians paper, Section 3.1 (depth_medians:text-3.1-exponential-mechanism). It is
    not private by itself: see `Setting`.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import outlyingness_of, random_directions
    >>> rng = np.random.default_rng(1)
    >>> data = rng.normal(size=(200, 2))
    >>> fitted = outlyingness_of(data, random_directions(2, 30, rng))
    >>> mechanism = ExponentialMechanism(fitted, 10.0, 0.2, 1.0)
    >>> mechanism.draws(5, rng).values.shape
    (5, 2)
    """

    outlyingness: Outlyingness
    epsilon: float
    eta: float
    tau: float

    def __post_init__(self) -> None:
        reading.positive(epsilon=self.epsilon, eta=self.eta, tau=self.tau)
        spanning(self.outlyingness.directions)
        if not self.minimum < self.tau:
            raise ValueError(
                f"tau must be > the least outlyingness {self.minimum:.6g}, got {self.tau}: no point "
                "lies so little out"
            )

    @property
    def beta(self) -> float:
        """Inverse temperature."""
        return inverse_temperature(self.epsilon, self.eta)

    @cached_property
    def _least(self) -> tuple[Floats, float, float]:
        return least_point(self.outlyingness.scaled, self.outlyingness.offset)

    @property
    def median(self) -> Floats:
        """A point of least outlyingness."""
        return self._least[0]

    @property
    def minimum(self) -> float:
        """Its outlyingness."""
        return self._least[1]

    @property
    def excess(self) -> GammaCut:
        """A distribution that the outlyingness of a draw, less the least one, does not exceed."""
        return GammaCut(self.outlyingness.dimension, self.beta, self.tau - self.minimum)

    def draws(
        self,
        size: int = 1,
        rng: Generator | None = None,
        *,
        sampler: Sampler = "hit-and-run",
        steps: int | None = None,
    ) -> Draws:
        """Draw independently.

        Parameters
        ----------
        size : int
            >= 1.
        rng : Generator, optional
        sampler : {"auto", "hit-and-run", "rejection", "langevin"}
            "auto" tries rejection up to ten dimensions, and takes hit-and-run where that finds
            nothing in 200 000 tries. "langevin" is Algorithm 1, without its missing constants.
        steps : int, optional
            Of a chain, or the most tries of a draw by rejection (default 10**7).

        Returns
        -------
        Draws
            In one dimension hit-and-run is exact.

        Raises
        ------
        ValueError
            A number below 1, an unknown sampler.
        """
        reading.count("size", size)
        if sampler not in SAMPLERS:
            raise ValueError(f"sampler must be one of {', '.join(SAMPLERS)}, got {sampler!r}")
        if steps is not None:
            reading.count("steps", steps)
        return drawn(
            self.outlyingness.scaled,
            self.outlyingness.offset,
            self.median,
            self.beta,
            self.tau,
            size,
            generator(rng),
            sampler,
            steps,
        )

    def __repr__(self) -> str:
        return (
            f"ExponentialMechanism(d={self.outlyingness.dimension}, beta={self.beta:.4g}, "
            f"tau={self.tau:g}, least outlyingness {self.minimum:.4g})"
        )


def chain_steps(dimension: int) -> int:
    """Return the number of steps of hit-and-run in a draw; the chain starts at the median."""
    return 1 if dimension == 1 else 100 + 40 * dimension


def drawn(
    scaled: Floats,
    offset: Floats,
    start: Floats,
    beta: float,
    tau: float,
    size: int,
    rng: Generator,
    sampler: str,
    steps: int | None = None,
) -> Draws:
    """`ExponentialMechanism.draws` of arrays, nothing validated and nothing refused."""
    d = scaled.shape[1]
    values = np.tile(start, (size, 1))
    if sampler == "langevin":
        steps = LANGEVIN_STEPS if steps is None else steps
        for x in values:
            x[:] = rng.standard_normal(d)
            kernels.langevin(
                scaled, offset, beta, tau, LANGEVIN_RATE, x, rng.standard_normal((steps, d))
            )
        return Draws(values, "langevin", False, steps * size)
    if sampler == "rejection" or (sampler == "auto" and 1 < d <= MOST_EXACT):
        most = (TRIES if sampler == "auto" else 10**7) if steps is None else steps
        tries = _rejected(scaled, offset, beta, tau, values, rng, most)
        if tries or sampler == "rejection":
            return Draws(values, "rejection", True, tries)
        values[:] = start
    steps = chain_steps(d) if steps is None or sampler == "auto" else steps
    # directions follow the shape of the directions' own ball: the chain is affine equivariant
    root = np.linalg.inv(np.linalg.cholesky(scaled.T @ scaled / len(scaled))).T
    costs = np.empty(steps)
    for x in values:
        kernels.hit_and_run(
            scaled, offset, np.ascontiguousarray(root), beta, tau, x, steps, rng, costs
        )
    return Draws(values, "hit-and-run", d == 1, steps * size)


def _rejected(
    scaled: Floats,
    offset: Floats,
    beta: float,
    tau: float,
    values: Floats,
    rng: Generator,
    most: int,
) -> int:
    """Fill `values` by rejection; the tries, or 0 and nan where a draw found nothing."""
    size, d = values.shape
    if d == 1:  # a line: no bound is needed
        root = np.ones((1, 1))
        for x in values:
            kernels.hit_and_run(scaled, offset, root, beta, tau, x, 1, rng, np.empty(1))
        return size
    bound = Quadratic.of(scaled, offset, beta)
    shapes, chances = bound.shapes(beta)
    total = 0
    for x in values:
        tries = kernels.rejection(
            *(scaled, offset, bound.centre, bound.root, bound.floor, shapes, chances),
            *(beta, tau, d % 2 == 1, most, rng, x),
        )
        if tries == 0:
            values[:] = np.nan
            return 0
        total += tries
    return total


def elliptical_draws(
    centre: ArrayLike,
    shape: ArrayLike,
    *,
    beta: float,
    tau: float,
    size: int = 1,
    rng: Generator | None = None,
) -> Floats:
    """Draw exactly where outlyingness is |shape**(-1/2) (x - centre)|, as of elliptical distributions.

    Parameters
    ----------
    centre : array of float, shape (d,)
    shape : array of float, shape (d, d)
        Positive definite; of a normal distribution 0.6745**2 times its covariance, with median and MAD.
    beta, tau : float
        > 0.
    size : int
        >= 1.
    rng : Generator, optional

    Returns
    -------
    array of float, shape (size, d)

    Raises
    ------
    ValueError
        Other shapes, a matrix that is not positive definite, a number outside its range.

    Notes
    -----
    Source: depth_medians:note-gauge. The radius is a cut Gamma variable, the direction is uniform.

    Examples
    --------
    >>> import numpy as np
    >>> elliptical_draws([0.0, 0.0], [[1.0, 0.0], [0.0, 1.0]], beta=2.0, tau=5.0, size=3, rng=np.random.default_rng(1)).shape
    (3, 2)
    """
    middle = np.atleast_1d(np.asarray(centre, dtype=np.float64))
    spread = finite("shape", shape, len(middle))
    reading.positive(beta=beta, tau=tau)
    reading.count("size", size)
    try:
        factor = np.linalg.cholesky(spread)
    except np.linalg.LinAlgError:
        raise ValueError("shape must be a positive definite matrix") from None
    stream = generator(rng)
    normals = stream.standard_normal((size, len(middle)))
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    radius = GammaCut(len(middle), beta, tau).quantile(stream.random(size))
    found: Floats = middle + radius[:, None] * (normals @ factor.T)
    return found
