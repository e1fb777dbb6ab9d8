"""Draw pictures of the privacy chapter: curves of two distributions, and the loss of releases."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sympy import Integer, lambdify

from dpbook.engine.claims.catalog import find
from dpbook.engine.language.statement import unfold_definitions
from dpbook.privacy.accounting import Enclosure, compose
from dpbook.privacy.distributions import Bernoulli, Distribution, Laplace, Normal
from dpbook.privacy.profiles import Profile, profile
from dpbook.privacy.reading import count, positive
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CompositionCurve", "PairCurve", "composition_curve", "pair_curve"]

Floats = NDArray[np.float64]

FAMILIES = ("normal", "Laplace", "randomised response")
VIEWS = ("delta", "tests")
ORDERS = 1 + np.logspace(-1.5, 3, 401)
SMALLEST = 1e-8  # delta where the picture ends
MARK = 1e-5  # delta at which the two epsilons are compared
TANGENT = 1.0  # epsilon of the line beside the errors of tests


@lru_cache(maxsize=8)
def _side(key: str, side: str, *names: str) -> Callable[..., Any]:
    """Make one side of a claim a function of arrays, its symbols given by name."""
    expression = unfold_definitions(getattr(find(key), side))
    symbols = {free.name: free for free in expression.free_symbols}
    made: Callable[..., Any] = lambdify([symbols[name] for name in names], expression, "numpy")
    return made


def _pair(family: str, distance: float) -> tuple[Distribution, Distribution]:
    if family == "normal":
        return Normal(0, 1), Normal(distance, 1)
    if family == "Laplace":
        return Laplace(0, 1), Laplace(distance, 1)
    truth = 1 / (1 + math.exp(-distance))
    return Bernoulli(truth), Bernoulli(1 - truth)


@dataclass(frozen=True)
class PairCurve:
    """Hold the privacy curve of two neighbours: delta at every epsilon, or the errors of tests.

    Attributes
    ----------
    family : {"normal", "Laplace", "randomised response"}
    distance : float
        Of the means in units of the noise; of randomised response its epsilon.
    view : {"delta", "tests"}
    profile : Profile
        The exact one.
    """

    family: str
    distance: float
    view: str
    profile: Profile = field(repr=False, compare=False)

    @cached_property
    def _losses(self) -> Floats:
        return np.asarray(self.profile.renyi(ORDERS))

    def converted(self, delta: float) -> float:
        """Return the epsilon that the Renyi divergences give by privacy:renyi-to-dp-simple."""
        simple = _side("privacy:renyi-to-dp-simple", "rhs", "D", "nu", "delta")
        return float(np.min(simple(self._losses, ORDERS, delta)))

    @property
    def who(self) -> str:
        """The pair in words."""
        if self.family == "randomised response":
            return f"Randomised response with odds exp({self.distance:g})"
        unit = "scale" if self.family == "Laplace" else "standard deviation"
        many = "" if self.distance == 1 else "s"
        return f"Two {self.family} distributions, {self.distance:g} {unit}{many} apart"

    def describe(self) -> str:
        """Return the words for the picture."""
        if self.view == "tests":
            points = (0.05, 0.2, 0.5)
            found = ", ".join(f"{self.profile.trade_off(a):.4g} at {a:g}" for a in points)
            return (
                f"{self.who}: the smallest chance of a missed detection against the chance of a "
                f"false alarm, {found}. The curve lies below the line of guessing, and touches the "
                f"line that epsilon {TANGENT:g} and delta {self.profile.delta(TANGENT):.4g} allow."
            )
        end, most = self.profile.delta(0.0), self.profile.max_log_ratio
        pure = f"is 0 from epsilon {most:.4g} on" if math.isfinite(most) else "never reaches 0"
        return (
            f"{self.who}: delta falls from {end:.4g} at epsilon 0 and {pure}. At delta {MARK:g} "
            f"epsilon is {self.profile.epsilon(MARK):.4g}; by the simple conversion of its Renyi "
            f"divergences it is {self.converted(MARK):.4g}."
        )

    def __repr__(self) -> str:
        return f"PairCurve({self.describe()})"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the curve."""
        ax = ax or figures.axes()
        return self._tests(ax) if self.view == "tests" else self._deltas(ax)

    def _deltas(self, ax: Axes) -> Axes:
        down = np.logspace(math.log10(SMALLEST), -0.3, 25)
        converted = [self.converted(float(delta)) for delta in down]
        last = max(converted[0], self.profile.epsilon(SMALLEST))
        at = np.linspace(0.0, last, 201)
        exact = np.asarray(self.profile.delta(at))
        most = self.profile.max_log_ratio
        if math.isfinite(most):  # down to the end of the picture, where delta falls to 0
            at = np.append(at[at < most], [most, most])
            exact = np.append(self.profile.delta(at[:-2]), [self.profile.delta(most * 0.9999), 0])
        ax.plot(at, np.maximum(exact, SMALLEST / 10), label="exact")
        ax.plot(converted, down, label="by the simple Renyi conversion")
        ax.set_yscale("log")
        ax.set_ylim(SMALLEST, 1)
        ax.set_xlim(0, 1.02 * last)
        ax.minorticks_off()
        ax.set_xlabel("privacy loss ε")
        ax.set_ylabel("failure δ")
        ax.legend()
        return ax

    def _tests(self, ax: Axes) -> Axes:
        at = np.linspace(0.0, 1.0, 101)
        ax.plot(at, self.profile.trade_off(at), label="best tests")
        ax.plot(at, 1 - at, label="guessing")
        left = 1 - self.profile.delta(TANGENT) - math.exp(TANGENT) * at
        ax.plot(at, np.where(left >= 0, left, np.nan), label=f"line of ε = {TANGENT:g}")
        ax.set_xlim(0, 1)
        ax.set_ylim(0, 1)
        ax.set_xlabel("chance of a false alarm")
        ax.set_ylabel("chance of a missed detection")
        ax.legend()
        return ax


def pair_curve(family: str, distance: float, view: str = "delta") -> PairCurve:
    """Return the privacy curve of the outputs on two neighbours.

    Parameters
    ----------
    family : {"normal", "Laplace", "randomised response"}
    distance : float
        Of the means, in standard deviations or scales; of randomised response its epsilon. > 0.
    view : {"delta", "tests"}
        Delta against epsilon, or the errors of the best tests.

    Returns
    -------
    PairCurve

    Raises
    ------
    ValueError
        An unknown family or view, a distance <= 0.

    Notes
    -----
    Exact by `profile`; beside it privacy:renyi-to-dp-simple at the best of many orders.

    Examples
    --------
    >>> round(pair_curve("normal", 1).profile.epsilon(1e-6), 4)
    4.8866
    """
    for name, value, known in (("family", family, FAMILIES), ("view", view, VIEWS)):
        if value not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
    positive(distance=distance)
    return PairCurve(family, float(distance), view, profile(*_pair(family, distance)))


@dataclass(frozen=True)
class CompositionCurve:
    """Loss of many releases with Laplace noise, by four accounts.

    Attributes
    ----------
    epsilon, delta : float
        Loss of one release, and the delta that is granted to all of them together.
    releases : tuple of int
    basic, advanced, concentrated : tuple of float
        By the sum of the losses, and by both sides of privacy:composition-advanced.
    certified : tuple of Enclosure
    """

    epsilon: float
    delta: float
    releases: tuple[int, ...]
    basic: tuple[float, ...]
    advanced: tuple[float, ...]
    concentrated: tuple[float, ...]
    certified: tuple[Enclosure, ...]

    def _rows(self, place: int) -> tuple[tuple[str, float], ...]:
        return (
            ("basic", self.basic[place]),
            ("advanced", self.advanced[place]),
            ("by zCDP", self.concentrated[place]),
            ("certified", self.certified[place].upper),
        )

    def _said(self, place: int) -> str:
        found = ", ".join(f"{name} {value:.4g}" for name, value in self._rows(place))
        count = self.releases[place]
        return f"after {count} release{'s' * (count != 1)}: {found}"

    def describe(self) -> str:
        """Return the words for the picture."""
        said = "; ".join(self._said(place) for place in (0, len(self.releases) // 2, -1))
        return (
            f"Epsilon of releases with Laplace noise, each {self.epsilon:g}-private, at delta "
            f"{self.delta:g}, {said}."
        )

    def __repr__(self) -> str:
        return f"CompositionCurve({self._said(-1)})"

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name, _ in self._rows(0))
        rows = "".join(
            f"<tr><th>{self.releases[place]}</th>"
            + "".join(f"<td>{value:.4g}</td>" for _, value in self._rows(place))
            + "</tr>"
            for place in (0, len(self.releases) // 2, -1)
        )
        return f"<table><tr><th>releases</th>{heads}</tr>{rows}</table>"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the four accounts."""
        ax = ax or figures.axes()
        for values, label in (
            (self.basic, "basic"),
            (self.advanced, "advanced"),
            (self.concentrated, "by zCDP"),
            ([found.upper for found in self.certified], "certified"),
        ):
            ax.plot(self.releases, values, label=label)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.minorticks_off()
        ax.set_xlabel("number of releases")
        ax.set_ylabel(f"privacy loss ε at δ = {self.delta:g}")
        ax.legend()
        return ax


def composition_curve(epsilon: float, delta: float, most: int = 1000) -> CompositionCurve:
    """Return the loss of 1 to `most` releases with Laplace noise, by four accounts.

    Parameters
    ----------
    epsilon : float
        Loss of one release, > 0.
    delta : float
        In (0, 1).
    most : int
        >= 2.

    Returns
    -------
    CompositionCurve

    Raises
    ------
    ValueError
        An argument outside its range.

    Examples
    --------
    >>> composition_curve(epsilon=0.1, delta=1e-6, most=100)
    CompositionCurve(after 100 releases: basic 10, advanced 6.308, by zCDP 5.757, certified 4.693)
    """
    positive(epsilon=epsilon)
    most = count("most", most, 2)
    releases = sorted({round(float(k)) for k in np.geomspace(1, most, 25)})
    names = ("epsilon", "k", "delta")
    accounts = [_side("privacy:composition-advanced", side, *names) for side in ("rhs", "lhs")]
    # a loss of epsilon: scale 1 and sensitivity epsilon, so that nothing is rounded
    certified = [
        compose(Laplace(0, Integer(1)), k, sensitivity=epsilon).epsilon(delta) for k in releases
    ]
    advanced, concentrated = (
        tuple(float(account(epsilon, k, delta)) for k in releases) for account in accounts
    )
    return CompositionCurve(
        float(epsilon),
        float(delta),
        tuple(releases),
        tuple(k * float(epsilon) for k in releases),
        advanced,
        concentrated,
        tuple(certified),
    )
