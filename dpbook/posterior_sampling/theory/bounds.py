"""Bound one draw and many under the assumptions: the paper's bounds, and the sharp bounds.

Under assumption 1 everything depends on the exponent a = L * distance: a posterior's log-likelihood
ratio lies in [-a, a], so the log ratio of two posteriors has range 2 a.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling import kernels
from dpbook.privacy.conversions import renyi_to_dp
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Value, Version, check_version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "KAPPA",
    "OMEGA",
    "DrawCurve",
    "RobustnessCurve",
    "delta_bound",
    "draw_curve",
    "epsilon_bound",
    "relaxed_robustness_bound",
    "relaxed_variation_bound",
    "renyi_bound",
    "robustness_bound",
    "robustness_curve",
    "zcdp_bound",
]

MOST_DRAWS = 10_000
ORDERS = 1 + np.logspace(-4, 6, 2001)


def _omega() -> float:
    at = 1.25
    for _ in range(6):  # Newton for exp(w) = 2 w + 1
        at -= (math.exp(at) - 2 * at - 1) / (math.exp(at) - 2)
    return at


OMEGA = _omega()
"""The solution of exp(omega) = 2 omega + 1 that is not 0, about 1.25643."""
KAPPA = (2 * OMEGA + 1) ** 2 / (2 * OMEGA)
"""The constant of theorem 1(ii), about 4.91081."""


# --- assumption 1 ------------------------------------------------------------------------------------


def robustness_bound(exponent: float, version: Version = "corrected") -> Value:
    """KL divergence of two posteriors under assumption 1.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    version : {"corrected", "printed"}
        The sharp bound log(sinh(a) / a) + a coth(a) - 1, or the paper's 2 a, true and loose.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        An exponent < 0, an unknown version.

    Notes
    -----
    posterior_sampling:theorem-1.i and posterior_sampling:note-divergence. The sharp bound is
    attained by a posterior with mass (1 + 1/a - coth a) / 2 on log ratio a and the rest on -a:
    posterior_sampling:note-divergence-attained.

    Examples
    --------
    >>> robustness_bound(0.5)
    Value(KL divergence <= 0.123302, claim='posterior_sampling:note-divergence')
    """
    check_version(version)
    a = number("exponent", exponent, ">= 0")
    if version == "printed":
        return Value(2 * a, "posterior_sampling:theorem-1.i", version, "KL divergence", "<=")
    value = float(kernels.largest_divergence(a))
    return Value(value, "posterior_sampling:note-divergence", version, "KL divergence", "<=")


def renyi_bound(exponent: float, order: ArrayLike) -> Any:
    """Largest Renyi divergence of two posteriors under assumption 1.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    order : float or array, > 1, finite

    Returns
    -------
    float or array
        Of the shape of `order`.

    Raises
    ------
    ValueError
        An exponent < 0, an order that is not > 1.

    Notes
    -----
    posterior_sampling:note-renyi. Within 1e-4 of order 1, where the closed form
    loses digits, the bound order * D*(a) of posterior_sampling:note-zcdp.i.

    Examples
    --------
    >>> round(float(renyi_bound(0.5, 2.0)), 6)
    0.240229
    """
    a = number("exponent", exponent, ">= 0")
    orders = np.asarray(order, dtype=float)
    if not ((orders > 1) & (orders < math.inf)).all():
        raise ValueError(f"order must be > 1 and finite, got {order!r:.60}")
    if not a:
        return np.zeros(orders.shape) if orders.ndim else 0.0
    b = a * (orders - 1)
    closed = ((a + b) * _log_sine(a + b) - a * _log_sine(np.array(a)) - b * _log_sine(b)) / b
    found = np.where(orders > 1 + 1e-4, closed, orders * kernels.largest_divergence(a))
    return found if orders.ndim else float(found)


def _log_sine(at: Any) -> Any:
    """log(sinh(y) / y), also for small y."""
    small = np.minimum(at, 1.0)
    near = np.log1p(small**2 * _sine_rest(small))
    far = at + np.log1p(-np.exp(-2 * np.maximum(at, 1.0))) - np.log(2 * np.maximum(at, 1.0))
    return np.where(at < 1, near, far)


def _sine_rest(y: Any) -> Any:
    """(sinh(y) / y - 1) / y**2 for y <= 1."""
    total: Any = 0.0
    for k in range(9, 0, -1):
        total = total * y**2 + 1 / math.factorial(2 * k + 1)
    return total


def zcdp_bound(exponent: float, draws: int = 1) -> float:
    """Smallest rho such that draws are rho-zCDP under assumption 1, whatever the model.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    draws : int
        >= 1.

    Raises
    ------
    ValueError
        An exponent < 0, draws that are no integer >= 1.

    Notes
    -----
    draws times D*(a), the bound of `robustness_bound`: posterior_sampling:note-zcdp.i and
    posterior_sampling:note-zcdp.ii, attained as the order tends to 1. Hoeffding's a**2 / 2 is
    above it, by 20 % at a = 2.

    Examples
    --------
    >>> round(zcdp_bound(0.5), 6)
    0.123302
    """
    a = number("exponent", exponent, ">= 0")
    return count("draws", draws) * float(kernels.largest_divergence(a))


def delta_bound(exponent: float, epsilon: float, draws: int = 1) -> float:
    """Smallest delta such that draws are (epsilon, delta)-private under assumption 1.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    epsilon : float
        In nats, >= 0. At 0 the result is the largest total variation: tanh(a / 2) for one draw.
    draws : int
        1 to 10 000, all from one posterior.

    Returns
    -------
    float
        Attained by a pair of posteriors on two parameters.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    At epsilon = 0 posterior_sampling:note-total-variation. A posterior draw is a mechanism of
    bounded range 2 a, and tells no more than two parameters with log ratios 2 a - s and -s, for one
    s: posterior_sampling:note-bounded-range-chord. For one draw the best s gives
    2 exp(epsilon / 2) sinh((2 a - epsilon) / 4)**2 / sinh(a): posterior_sampling:note-bounded-range
    and posterior_sampling:note-bounded-range-attained. For more the draws of the likelier parameter
    are counted; that the best s is among those tried has no claim yet, see Dong, Durfee, Rogers
    (2020), *Optimal differential privacy composition for exponential mechanisms*.

    Examples
    --------
    >>> round(delta_bound(0.5, 0.25), 6)
    0.154698
    """
    a = number("exponent", exponent, ">= 0")
    epsilon = number("epsilon", epsilon, ">= 0")
    draws = count("draws", draws, most=MOST_DRAWS)
    return float(kernels.bounded_range_delta(a, epsilon, draws)) if a else 0.0


def epsilon_bound(exponent: float, delta: float, draws: int = 1) -> float:
    """Smallest epsilon such that draws are (epsilon, delta)-private under assumption 1.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    delta : float
        In [0, 1); at 0 the result is 2 a draws, theorem 2(i) composed
        (posterior_sampling:text-4.2-mechanism).
    draws : int
        >= 1, all from one posterior.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    Up to 10 000 draws the inverse of `delta_bound`, to 1e-10 and rounded up; for more of them by
    `renyi_bound` and privacy:renyi-to-dp, or theorem 2(i) composed where that is less.

    Examples
    --------
    >>> round(epsilon_bound(0.5, 1e-3), 6)
    0.949073
    """
    a = number("exponent", exponent, ">= 0")
    delta = number("delta", delta, "in [0, 1)")
    draws = count("draws", draws)
    pure = 2 * a * draws
    if not delta or not a:
        return pure
    if draws > MOST_DRAWS:
        return min(pure, renyi_to_dp(draws * renyi_bound(a, ORDERS), ORDERS, delta).epsilon)

    def spent(epsilon: float) -> float:
        return float(kernels.bounded_range_delta(a, epsilon, draws))

    if spent(0.0) <= delta:
        return 0.0
    found = float(
        brentq(
            lambda epsilon: math.log(max(spent(epsilon), 1e-300) / delta),
            *(0.0, pure),
            xtol=1e-11,
            rtol=1e-14,
        )
    )
    step = 1e-11 + 1e-14 * found
    while found < pure and spent(found) > delta:
        found, step = found + step, 2 * step
    return min(found, pure)


def epsilon_claim(exponent: float, delta: float, draws: int = 1) -> str:
    """Key of the claim that `epsilon_bound` rests on."""
    if draws > MOST_DRAWS and epsilon_bound(exponent, delta, draws) < 2 * exponent * draws:
        return "privacy:renyi-to-dp"
    if draws > MOST_DRAWS:
        return "posterior_sampling:text-4.2-mechanism"
    return "posterior_sampling:note-bounded-range" + ("-chord" if draws > 1 else "")


# --- assumption 2 ------------------------------------------------------------------------------------


def relaxed_robustness_bound(
    rate: float,
    distance: float,
    version: Version = "corrected",
    *,
    offset: float = 0.0,
    log_densities: tuple[float, float] | None = None,
) -> Value:
    """KL divergence of two posteriors under assumption 2.

    Parameters
    ----------
    rate : float
        c of the assumption, > 0.
    distance : float
        Of the datasets, >= 0.
    version : {"corrected", "printed"}
        The paper's kappa * distance / c is refuted, with any constant. The repair needs
        `log_densities`.
    offset : float
        L_0 of the corrected assumption, >= 0.
    log_densities : (float, float), optional
        Logarithms of the largest densities of both posteriors with respect to the prior, >= 0.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        An argument outside its range, an unknown version.
    DomainError
        The repair without densities.

    Notes
    -----
    posterior_sampling:theorem-1.ii and posterior_sampling:note-theorem-1.ii-means: distance times
    2 L_0 + (2 + the sum of the logarithms) / c. With one bound for both densities it is
    posterior_sampling:theorem-1.ii-corrected.

    Examples
    --------
    >>> relaxed_robustness_bound(1.0, 0.5, 'printed')
    Value(KL divergence <= 2.45541, claim='posterior_sampling:theorem-1.ii', version='printed')
    """
    check_version(version)
    rate, distance = number("rate", rate, "> 0"), number("distance", distance, ">= 0")
    if version == "printed":
        value = KAPPA * distance / rate
        return Value(value, "posterior_sampling:theorem-1.ii", version, "KL divergence", "<=")
    claim = "posterior_sampling:note-theorem-1.ii-means"
    offset = number("offset", offset, ">= 0", claim)
    value = distance * (2 * offset + (2 + sum(_densities(claim, log_densities))) / rate)
    return Value(value, claim, version, "KL divergence", "<=")


def relaxed_variation_bound(
    rate: float,
    distance: float,
    version: Version = "corrected",
    *,
    offset: float = 0.0,
    log_densities: tuple[float, float] | None = None,
) -> Value:
    """Total variation of two posteriors under assumption 2.

    Parameters
    ----------
    rate, distance, version, offset, log_densities
        As for `relaxed_robustness_bound`; the paper's sqrt(kappa * distance / (2 c)) is refuted.

    Returns
    -------
    Bound
        The least over t of tanh(t * distance / 2) and the posterior masses where L exceeds t.

    Raises
    ------
    ValueError
        An argument outside its range, an unknown version.
    DomainError
        The repair without densities.

    Notes
    -----
    posterior_sampling:theorem-2.ii and posterior_sampling:note-theorem-2.ii-parts; with one bound
    for both densities posterior_sampling:theorem-2.ii-corrected.

    Examples
    --------
    >>> relaxed_variation_bound(1.0, 0.5, 'printed')
    Value(total variation <= 1.10802,...
    """
    check_version(version)
    rate, distance = number("rate", rate, "> 0"), number("distance", distance, ">= 0")
    if version == "printed":
        value = math.sqrt(KAPPA * distance / (2 * rate))
        return Value(value, "posterior_sampling:theorem-2.ii", version, "total variation", "<=")
    claim = "posterior_sampling:note-theorem-2.ii-parts"
    offset = number("offset", offset, ">= 0", claim)
    logs = _densities(claim, log_densities)
    top = offset + (max(logs) + 45) / rate
    levels = np.linspace(offset, top, 4001)
    masses = [np.exp(np.minimum(one - rate * (levels - offset), 0.0)) for one in logs]
    value = float((np.tanh(levels * distance / 2) + sum(masses)).min())
    return Value(min(value, 1.0), claim, version, "total variation", "<=")


def _densities(claim: str, given: tuple[float, float] | None) -> list[float]:
    read = None if given is None else np.atleast_1d(np.asarray(given, dtype=object))
    if read is None or read.shape != (2,) or not all(_at_least_zero(one) for one in read):
        raise DomainError(
            f"{claim} needs a pair of finite log_densities >= 0, of both posteriors with respect to the "
            f"prior, got {given}; without them no function of the rate bounds anything"
        )
    return [float(one) for one in read]


def _at_least_zero(value: Any) -> bool:
    return isinstance(value, Real) and 0 <= float(value) < math.inf


# --- pictures ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RobustnessCurve:
    """Bounds on the KL divergence under assumption 1 against the exponent; by `robustness_curve`.

    Attributes
    ----------
    exponents : tuple of float
    sharp, printed, square : tuple of float
        D*(a), the paper's 2 a, and Hoeffding's a**2 / 2.
    """

    exponents: tuple[float, ...]
    sharp: tuple[float, ...]
    printed: tuple[float, ...]
    square: tuple[float, ...]

    def describe(self) -> str:
        """Return the words for the picture."""
        places = [len(self.exponents) // 4, len(self.exponents) // 2, -1]
        said = "; ".join(
            f"at a = {self.exponents[k]:.3g} sharp {self.sharp[k]:.4g}, printed "
            f"{self.printed[k]:.4g}, a**2 / 2 {self.square[k]:.4g}"
            for k in places
        )
        return f"Largest KL divergence of two posteriors against the exponent a: {said}."

    def __repr__(self) -> str:
        return f"RobustnessCurve({self.describe()})"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the three bounds."""
        ax = ax or figures.axes()
        for values, label in (
            (self.sharp, "sharp, D*(a)"),
            (self.printed, "as printed, 2 a"),
            (self.square, "a²/2"),
        ):
            ax.plot(self.exponents, values, label=label)
        ax.set_ylim(0, 1.05 * self.printed[-1])
        ax.set_xlabel("exponent a = L times the distance")
        ax.set_ylabel("KL divergence")
        ax.legend()
        return ax


def robustness_curve(most: float = 4.0) -> RobustnessCurve:
    """Return the bounds on the KL divergence under assumption 1, for exponents up to `most`.

    Parameters
    ----------
    most : float
        Largest exponent, > 0.

    Raises
    ------
    ValueError
        A `most` <= 0.

    Examples
    --------
    >>> robustness_curve().describe()
    'Largest KL divergence of two posteriors against the...
    """
    at = np.linspace(0, number("most", most, "> 0"), 81)
    sharp = [robustness_bound(float(a)).value for a in at]
    return RobustnessCurve(
        tuple(at.tolist()), tuple(sharp), tuple((2 * at).tolist()), tuple((at**2 / 2).tolist())
    )


@dataclass(frozen=True)
class DrawCurve:
    """Epsilon of many draws under assumption 1, by four accounts; by `draw_curve`.

    Attributes
    ----------
    exponent, delta : float
    draws : tuple of int
    pure : tuple of float
        2 a for each draw, at delta 0.
    hoeffding, concentrated : tuple of float
        By zCDP, with a**2 / 2 and with D*(a) for each draw.
    sharp : tuple of float
        What the worst model really loses.
    """

    exponent: float
    delta: float
    draws: tuple[int, ...]
    pure: tuple[float, ...]
    hoeffding: tuple[float, ...]
    concentrated: tuple[float, ...]
    sharp: tuple[float, ...]

    def _rows(self) -> tuple[tuple[str, tuple[float, ...]], ...]:
        return (
            ("theorem 2(i), composed", self.pure),
            ("zCDP, a²/2", self.hoeffding),
            ("zCDP, D*(a)", self.concentrated),
            ("sharp", self.sharp),
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        places = (0, len(self.draws) // 2, -1)
        said = "; ".join(
            f"{self.draws[k]} draw{'s' * (self.draws[k] != 1)}: "
            + ", ".join(f"{name} {values[k]:.4g}" for name, values in self._rows())
            for k in places
        )
        return (
            f"Epsilon of posterior draws with exponent {self.exponent:g} at delta {self.delta:g}. "
            f"{said}."
        )

    def __repr__(self) -> str:
        return f"DrawCurve({self.describe()})"

    def _repr_html_(self) -> str:
        heads = "".join(f"<th>{name}</th>" for name, _ in self._rows())
        rows = "".join(
            f"<tr><th>{self.draws[k]}</th>"
            + "".join(f"<td>{values[k]:.4g}</td>" for _, values in self._rows())
            + "</tr>"
            for k in sorted({0, len(self.draws) // 2, len(self.draws) - 1})
        )
        return f"<table><tr><th>draws</th>{heads}</tr>{rows}</table>"

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the four accounts."""
        ax = ax or figures.axes()
        for name, values in self._rows():
            ax.plot(self.draws, values, label=name)
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.minorticks_off()
        ax.set_xlabel("number of draws")
        ax.set_ylabel(f"epsilon at delta = {figures.power_of_ten(self.delta)}")
        ax.legend()
        return ax


def draw_curve(exponent: float, delta: float, most: int = 1000) -> DrawCurve:
    """Return the epsilon of 1 to `most` draws under assumption 1, by four accounts.

    Parameters
    ----------
    exponent : float
        a = L * distance, > 0.
    delta : float
        In (0, 1).
    most : int
        2 to 10 000.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:theorem-2.i, privacy:renyi-to-dp, `zcdp_bound` and `epsilon_bound`.

    Examples
    --------
    >>> draw_curve(0.1, 1e-5).describe()
    'Epsilon of posterior draws with exponent 0.1 at delta...
    """
    a = number("exponent", exponent, "> 0")
    delta = number("delta", delta, "in (0, 1)")
    most = count("most", most, 2, MOST_DRAWS)
    draws = sorted({round(float(k)) for k in np.geomspace(1, most, 19)})

    def converted(rho: float) -> tuple[float, ...]:
        return tuple(renyi_to_dp(ORDERS * k * rho, ORDERS, delta).epsilon for k in draws)

    return DrawCurve(
        a,
        delta,
        tuple(draws),
        tuple(2 * a * k for k in draws),
        converted(a * a / 2),
        converted(zcdp_bound(a)),
        _each(a, delta, draws),
    )


def _each(exponent: float, delta: float, draws: Sequence[int]) -> tuple[float, ...]:
    return tuple(epsilon_bound(exponent, delta, k) for k in draws)
