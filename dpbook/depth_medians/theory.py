"""Formulas of the depth_medians paper, printed and repaired; each stands here once.

A value carries the key of the claim that it is taken from; with the printed version, the key
of the printed claim, refuted or only noted. Constants that the paper leaves unspecified are 1, and said to be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq
from scipy.special import gammainc, gammaincc, gammaincinv, ndtri

from dpbook.privacy import reading
from dpbook.privacy.value import Value, Version, check_version

Floats = NDArray[np.float64]


def _budget(epsilon: float, delta: float) -> None:
    reading.positive(epsilon=epsilon)
    if not 0 < reading.number("delta", delta, "> 0") <= 0.5:
        raise ValueError(f"delta must be in (0, 1/2], got {delta}")


# --- the test of a safety margin ------------------------------------------------------------------


def threshold(epsilon: float, delta: float) -> float:
    """Return the number that a noisy safety margin must exceed.

    Parameters
    ----------
    epsilon : float
        Budget, > 0; the noise has the scale 2 / epsilon.
    delta : float
        In (0, 1/2].

    Returns
    -------
    float

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians paper, eq. 3.1 (depth_medians:eq-3.1).

    Examples
    --------
    >>> round(threshold(10, 1e-3), 3)
    1.243
    """
    _budget(epsilon, delta)
    return 2 * math.log(1 / (2 * delta)) / epsilon


def pass_probability(margin: ArrayLike, epsilon: float, delta: float) -> Floats:
    """Chance that the test passes.

    Parameters
    ----------
    margin : array of float
        Safety margin, of any shape.
    epsilon, delta : float
        As in `threshold`.

    Returns
    -------
    array of float
        Of the shape of `margin`. It is delta where the margin is 0.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians paper, eq. 3.1 (depth_medians:eq-3.1, depth_medians:note-pass-above,
    depth_medians:note-pass-below): the chance that a margin plus
    2 / epsilon times a standard Laplace variable exceeds the threshold.

    Examples
    --------
    >>> pass_probability([0, 5], 5, 1e-3).round(6).tolist()
    [0.001, 0.999068]
    """
    gap = epsilon / 2 * (threshold(epsilon, delta) - np.asarray(margin, dtype=np.float64))
    return np.asarray(np.where(gap > 0, 0.5 * np.exp(-np.abs(gap)), 1 - 0.5 * np.exp(-np.abs(gap))))


def least_margin(failure: float, epsilon: float, delta: float) -> int:
    """Smallest safety margin with which the test fails with at most some chance.

    Parameters
    ----------
    failure : float
        In (0, 1/2].
    epsilon, delta : float
        As in `threshold`.

    Returns
    -------
    int

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians paper, eq. 3.1, solved for the margin (depth_medians:note-least-margin):
    2 / epsilon * log(1 / (4 * delta * failure)), rounded up. Theorem 3.1 takes 2 throughout.

    Examples
    --------
    >>> least_margin(1e-3, 1, 1e-3)
    25
    """
    if not 0 < reading.number("failure", failure, "> 0") <= 0.5:
        raise ValueError(f"failure must be in (0, 1/2], got {failure}")
    exact = threshold(epsilon, delta) + 2 / epsilon * math.log(1 / (2 * failure))
    return max(0, math.ceil(exact - 1e-9))


# --- the distribution of the outlyingness of a draw --------------------------------------------------------


def inverse_temperature(epsilon: float, eta: float) -> float:
    """Beta = epsilon / (4 eta); the density of the exponential mechanism is exp(-beta * O)."""
    reading.positive(epsilon=epsilon, eta=eta)
    return epsilon / (4 * eta)


@dataclass(frozen=True)
class GammaCut:
    """Distribution of Gamma(shape, rate) given that it is at most an end.

    The outlyingness of a draw has this distribution, with shape d and end tau, wherever the projected
    locations are all 0: outlyingness is a norm then, for any scales and any directions that span
    the space. Else it dominates the excess over the least outlyingness.

    Attributes
    ----------
    shape : int
        Dimension, >= 1.
    rate : float
        Inverse temperature, > 0.
    end : float
        > 0.

    Notes
    -----
    Source: depth_medians:note-gauge and depth_medians:note-gamma-domination, of ours.

    Examples
    --------
    >>> GammaCut(2, 1.0, 3.0)
    GammaCut(shape=2, rate=1.0, end=3.0)
    """

    shape: int
    rate: float
    end: float

    def __post_init__(self) -> None:
        reading.count("shape", self.shape)
        reading.positive(rate=self.rate, end=self.end)

    def cdf(self, value: ArrayLike) -> Floats:
        """Distribution function."""
        inside = np.clip(np.asarray(value, dtype=np.float64), 0.0, self.end)
        return np.asarray(
            gammainc(self.shape, self.rate * inside) / gammainc(self.shape, self.rate * self.end)
        )

    def above(self, value: float) -> float:
        """Chance to exceed a value, without cancellation."""
        if value <= 0:
            return 1.0
        if value >= self.end:
            return 0.0
        high, low = self.rate * self.end, self.rate * value
        whole = gammainc(self.shape, high)
        if whole < 1e-290:  # undecided; a bound that is too large is on the safe side
            return 1.0
        if whole < 0.5:  # complements are both close to 1: their difference would be rounding
            return float(1 - gammainc(self.shape, low) / whole)
        return float((gammaincc(self.shape, low) - gammaincc(self.shape, high)) / whole)

    def quantile(self, chance: ArrayLike) -> Floats:
        """Inverse of the distribution function."""
        whole = gammainc(self.shape, self.rate * self.end)
        found = gammaincinv(self.shape, np.asarray(chance, dtype=np.float64) * whole) / self.rate
        return np.asarray(np.minimum(found, self.end))


def shell_mass(minimum: float, dimension: int, *, epsilon: float, eta: float, tau: float) -> float:
    """Largest mass that the exponential mechanism can have where outlyingness exceeds tau - eta.

    Parameters
    ----------
    minimum : float
        Least outlyingness of any point, >= 0.
    dimension : int
        >= 1.
    epsilon, eta, tau : float
        > 0.

    Returns
    -------
    float
        1 where nothing is known: tau - eta <= minimum.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians:note-gamma-domination. The d-th root of the volume of a sublevel set is
    concave, so the excess of a draw is at most a cut Gamma variable. It grows with `minimum`.

    Examples
    --------
    >>> round(shell_mass(0.0, 2, epsilon=5, eta=0.05, tau=1.5), 6)
    0.0
    """
    reading.positive(epsilon=epsilon, eta=eta, tau=tau)
    reading.count("dimension", dimension)
    room = tau - minimum
    if not room > eta:
        return 1.0
    return GammaCut(dimension, inverse_temperature(epsilon, eta), room).above(room - eta)


def largest_minimum(
    dimension: int, *, epsilon: float, delta: float, eta: float, tau: float
) -> float:
    """Largest least outlyingness at which two shells together have mass at most delta.

    Parameters
    ----------
    dimension, epsilon, eta, tau
        As in `shell_mass`.
    delta : float
        In (0, 1/2].

    Returns
    -------
    float
        Negative infinity where even a least outlyingness of 0 is too large.

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians:note-nested-test, its volume part.

    Examples
    --------
    >>> round(largest_minimum(2, epsilon=5, delta=1e-3, eta=0.05, tau=1.5), 6)
    1.06707
    """
    _budget(epsilon, delta)

    def excess(minimum: float) -> float:
        return 2 * shell_mass(minimum, dimension, epsilon=epsilon, eta=eta, tau=tau) - delta

    if excess(0.0) > 0:
        return -math.inf
    return float(brentq(excess, 0.0, tau, xtol=1e-12))


# --- the printed test -----------------------------------------------------------------------------


def log_volume_ratio(
    least_scale: float,
    largest_scale: float,
    spread: float,
    dimension: int,
    *,
    epsilon: float,
    eta: float,
    tau: float,
    version: Version = "corrected",
) -> Value:
    """Logarithm of VR_k of Appendix A, which bounds the ratio of volumes of lemma D.2.

    Parameters
    ----------
    least_scale, largest_scale : float
        Of the projections, > 0.
    spread : float
        Largest less smallest projected location over the whole sphere, >= 0: twice the largest
        location.
    dimension : int
        >= 1.
    epsilon, eta, tau : float
        > 0.
    version : {"corrected", "printed"}
        The paper has d * epsilon in a denominator where d / epsilon belongs.

    Returns
    -------
    Value
        Infinite where the optimum of the bound lies outside its range (corrected only).

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Appendix A, VR_k (depth_medians:text-a-volume-ratio), and
    depth_medians:text-a-volume-ratio-corrected.
    """
    check_version(version)
    reading.positive(epsilon=epsilon, eta=eta, tau=tau)
    d, beta = dimension, epsilon / (4 * eta)
    printed = version == "printed"
    per = 4 * eta * d * (epsilon if printed else 1 / epsilon)
    top = largest_scale * (tau + 2 * eta) + spread
    logs = math.log(top) - math.log(least_scale) - math.log(per)  # the quotient may be too large
    found = -beta * (tau - spread / least_scale) + epsilon / 2 + d + d * logs
    if not printed and tau - 2 * eta - spread / least_scale - d / beta <= 0:
        found = math.inf
    key = "depth_medians:text-a-volume-ratio" + "-corrected" * (not printed)
    return Value(found, key, version)


def volume_budget(epsilon: float, delta: float, version: Version = "corrected") -> Value:
    """Return the bound on the ratio of volumes, as a logarithm.

    Parameters
    ----------
    epsilon, delta : float
        epsilon > 0; delta in (0, 1/2].
    version : {"corrected", "printed"}
        Algorithm 2 compares with delta, lemma D.2 with exp(-epsilon / 4) * delta / 3.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Algorithm 2 (depth_medians:text-a-volume-ratio.budget) and eq. D.6
    (depth_medians:lemma-d.2).
    """
    check_version(version)
    _budget(epsilon, delta)
    if version == "printed":
        return Value(math.log(delta), "depth_medians:text-a-volume-ratio.budget", version)
    return Value(math.log(delta / 3) - epsilon / 4, "depth_medians:lemma-d.2", version)


# --- theorem 3.1: how often nothing is released ---------------------------------------------------


def failure_bound(
    *,
    epsilon: float,
    delta: float,
    eta: float,
    tau: float,
    n: int,
    a_1: float,
    a_2: float,
    kappa: float,
    c_1: float,
    c_2: float,
    scale_tail: float,
    location_tail: float = 0.0,
    margin: int | None = None,
    version: Version = "corrected",
) -> Value:
    """Bound of theorem 3.1 on the chance that nothing is released, with its constant C = 1.

    Parameters
    ----------
    epsilon, delta, eta, tau : float
        Of the mechanism.
    n : int
        Number of records.
    a_1, a_2, kappa : float
        Of Condition 1; for the corrected version at `margin` + 1 changes.
    c_1, c_2 : float
        Of Condition 3.
    scale_tail, location_tail : float
        zeta of the scale at c_1 / 4 and of the location at c_3; the paper lacks the latter.
    margin : int, optional
        Safety margin that is aimed at (corrected); by default the test fails with
        chance 1e-3 at most.
    version : {"corrected", "printed"}

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Theorem 3.1 (depth_medians:theorem-3.1), whose proof takes a margin
    of 2 to make the test pass (depth_medians:eq-b.6); depth_medians:theorem-3.1-corrected.

    Examples
    --------
    >>> failure_bound(epsilon=5, delta=1e-3, eta=0.05, tau=3, n=10_000, a_1=0.5, a_2=0.5, kappa=1.0, c_1=0.6, c_2=0.7, scale_tail=0.01)
    Value(value=1.0329, claim='depth_medians:theorem-3.1-corrected')
    """
    check_version(version)
    _budget(epsilon, delta)
    reading.positive(eta=eta, tau=tau, c_1=c_1, c_2=c_2)
    if version == "printed":
        tail = a_1 * math.exp(-a_2 * c_2 * n * eta / (4 * max(tau, 1)))
        number = math.exp(epsilon) * delta + tail + kappa + scale_tail
        return Value(number, "depth_medians:theorem-3.1", version)
    margin = least_margin(1e-3, epsilon, delta) if margin is None else margin
    fails = 1 - float(pass_probability(margin, epsilon, delta))
    tail = a_1 * math.exp(-a_2 * c_1 * n * eta / (16 * max(tau, 1)))
    tail += a_1 * math.exp(-a_2 * n * c_1 / 4)
    number = fails + tail + kappa + scale_tail + location_tail
    return Value(number, "depth_medians:theorem-3.1-corrected", version)


def least_delta(
    dimension: int,
    *,
    epsilon: float,
    eta: float,
    tau: float,
    c_1: float,
    c_2: float,
    c_3: float,
    version: Version = "corrected",
) -> Value:
    """Smallest delta that theorem 3.1 allows; infinite where its denominator is not positive.

    Parameters
    ----------
    dimension : int
        >= 1.
    epsilon, eta, tau, c_1, c_2 : float
        > 0.
    c_3 : float
        >= 0.
    version : {"corrected", "printed"}

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Theorem 3.1, its condition on delta (depth_medians:theorem-3.1),
    and depth_medians:theorem-3.1-corrected.

    Examples
    --------
    >>> least_delta(2, epsilon=5, eta=0.01, tau=3, c_1=0.6, c_2=0.7, c_3=1.0)
    Value(value=inf, claim='depth_medians:theorem-3.1-corrected')
    """
    check_version(version)
    reading.positive(epsilon=epsilon, eta=eta, tau=tau, c_1=c_1, c_2=c_2)
    reading.number("c_3", c_3, ">= 0")
    printed = version == "printed"
    base = c_1 * tau / 4 - (eta if printed else c_1 * eta) - 4 * c_3
    key = "depth_medians:theorem-3.1" + "-corrected" * (not printed)
    if base <= 0:
        return Value(math.inf, key, version)
    power = dimension * math.log((2 * c_2 * (tau + 2 * eta) + 4 * c_3) / base)
    first = epsilon / 2 if printed else epsilon / 4 + math.log(3)
    exponent = -epsilon * tau / (8 * eta) + first + power
    return Value(math.exp(exponent) if exponent < 700 else math.inf, key, version)


# --- theorem 3.2: how far a release is off --------------------------------------------------------


def radius_of_draws(failure: float, dimension: int, *, epsilon: float, eta: float) -> float:
    """Quantile of the outlyingness that privacy adds: at most a Gamma variable.

    Parameters
    ----------
    failure : float
        In (0, 1).
    dimension : int
        >= 1.
    epsilon, eta : float
        > 0.

    Returns
    -------
    float
        The 1 - failure quantile of Gamma(dimension, epsilon / (4 eta)).

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians:note-gamma-domination.
    """
    reading.number("failure", failure, "in (0, 1)")
    return float(gammaincinv(dimension, 1 - failure)) / inverse_temperature(epsilon, eta)


def deviation_on_data(
    failure: float,
    dimension: int,
    *,
    epsilon: float,
    eta: float,
    least_scale: float,
    largest_scale: float,
    location_error: float,
) -> Value:
    """Bound the distance of a draw from the truth on a dataset, but for some chance over the draw.

    Parameters
    ----------
    failure : float
        In (0, 1).
    dimension : int
        >= 1.
    epsilon, eta, least_scale, largest_scale : float
        > 0; scales of the projections of the data.
    location_error : float
        Largest distance of a projected location from the projected truth, >= 0.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A number outside its range.

    Notes
    -----
    Source: depth_medians:note-deviation, of ours, for directions all over the sphere: the
    outlyingness of a draw exceeds the least one by at most `radius_of_draws`.

    Examples
    --------
    >>> deviation_on_data(0.05, 2, epsilon=5, eta=0.01, least_scale=0.6, largest_scale=0.7, location_error=0.01)
    Value(value=0.0482323, claim='depth_medians:note-deviation')
    """
    reading.positive(least_scale=least_scale, largest_scale=largest_scale)
    reading.number("location_error", location_error, ">= 0")
    radius = radius_of_draws(failure, dimension, epsilon=epsilon, eta=eta)
    found = largest_scale * radius + (1 + largest_scale / least_scale) * location_error
    return Value(found, "depth_medians:note-deviation")


def deviation_bound(
    failure: float,
    dimension: int,
    *,
    epsilon: float,
    eta: float,
    tau: float,
    c_1: float,
    c_2: float,
    c_3: float,
    sampling: float,
    version: Version = "corrected",
) -> Value:
    """Bound of theorem 3.2 on the distance of a release from the truth.

    Parameters
    ----------
    failure : float
        gamma, in (0, 1).
    dimension : int
        >= 1.
    epsilon, eta, tau, c_1, c_2 : float
        > 0.
    c_3 : float
        Largest distance of a population location from the projected truth, >= 0.
    sampling : float
        Inverse of zeta of the location at gamma / 3, >= 0.
    version : {"corrected", "printed"}
        The printed bound holds up to a constant, which is 1 here.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Theorem 3.2 (depth_medians:theorem-3.2), whose proof loses a term
    (depth_medians:eq-b.14); depth_medians:note-deviation-population.

    Examples
    --------
    >>> deviation_bound(0.05, 2, epsilon=5, eta=0.01, tau=3, c_1=0.6, c_2=0.7, c_3=1.0, sampling=0.1)
    Value(value=6.30106, claim='depth_medians:note-deviation-population')
    """
    check_version(version)
    reading.number("failure", failure, "in (0, 1)")
    reading.positive(epsilon=epsilon, eta=eta, tau=tau, c_1=c_1, c_2=c_2)
    reading.number("c_3", c_3, ">= 0")
    reading.number("sampling", sampling, ">= 0")
    if version == "printed":
        logs = math.log(2 * c_2 * tau / c_3 + 1) if c_3 > 0 else math.inf
        cost = max(math.log(1 / failure), dimension * logs, c_3 / c_1)
        number = max(c_2 * eta / epsilon * cost, c_2 / c_1 * sampling)
        return Value(number, "depth_medians:theorem-3.2", version)
    quantile = float(gammaincinv(dimension, 1 - failure / 3))
    number = 8 * c_2 * eta / epsilon * quantile + (1 + 4 * c_2 / c_1) * (sampling + c_3)
    return Value(number, "depth_medians:note-deviation-population", version)


# --- the examples ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constants:
    """Constants of Conditions 3 and 4 for a distribution.

    Attributes
    ----------
    c_1, c_2, c_3 : float
        Bounds on the projected scales, and on the distance of locations from the truth.
    M, r : float
        Least density within r of the inner quantiles.
    claim : str
    version : {"corrected", "printed"}
    """

    c_1: float
    c_2: float
    c_3: float
    M: float
    r: float
    claim: str
    version: Version = "corrected"

    def __repr__(self) -> str:
        said = ", ".join(f"{k}={getattr(self, k):.4g}" for k in ("c_1", "c_2", "c_3", "M", "r"))
        return f"Constants({said}; {self.claim}, {self.version})"


def trimmed_deviation(alpha: float) -> float:
    """Trimmed mean absolute deviation of the standard normal distribution; 0.6745 at alpha = 1/2 is MAD's.

    Parameters
    ----------
    alpha : float
        Fraction that is trimmed off each end, in [0, 1/2).

    Returns
    -------
    float

    Raises
    ------
    ValueError
        A fraction outside its range.

    Notes
    -----
    Source: depth_medians paper, Example 3.1, which takes 1 for it
    (depth_medians:note-trimmed-deviation).
    """
    if not 0 <= reading.number("alpha", alpha, ">= 0") < 0.5:
        raise ValueError(f"alpha must be in [0, 1/2), got {alpha}")
    peak = 1 / math.sqrt(2 * math.pi)
    end = peak * math.exp(-(ndtri(1 - alpha) ** 2) / 2) if alpha else 0.0
    return 2 * (peak - end) / (1 - 2 * alpha)


def gaussian_constants(
    eigenvalues: ArrayLike, alpha: float, n: int, version: Version = "corrected"
) -> Constants:
    """Constants of Example 3.1: a normal distribution with trimmed mean and trimmed deviation.

    Parameters
    ----------
    eigenvalues : array of float
        Of the covariance, > 0.
    alpha : float
        Fraction that is trimmed off each end, in (3 / n, 1/2).
    n : int
        Number of records.
    version : {"corrected", "printed"}
        The paper takes the standard deviations for the scales, and c_3 = 1.

    Returns
    -------
    Constants

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Example 3.1 (depth_medians:example-3.1),
    depth_medians:example-3.1.density and depth_medians:note-trimmed-deviation.

    Examples
    --------
    >>> gaussian_constants([1.0, 1.0], 0.1, 10_000)
    Constants(c_1=0.5586, c_2=0.5586, c_3=0, M=0.1231, r=0.25;...
    """
    check_version(version)
    values = np.asarray(eigenvalues, dtype=np.float64)
    if values.size == 0 or not (values > 0).all():
        raise ValueError(f"eigenvalues must be > 0, got {values.tolist()}")
    if not 3 / n < alpha < 0.5:
        raise ValueError(f"alpha must be in (3 / n, 1/2) = ({3 / n:g}, 0.5), got {alpha}")
    low, high = math.sqrt(values.min()), math.sqrt(values.max())
    printed = version == "printed"
    scale = 1.0 if printed else trimmed_deviation(alpha)
    at = ndtri(alpha - 3 / n) - 0.25
    density = math.exp(-(at**2) / 2) / (math.sqrt(2 * math.pi) * high)
    return Constants(
        scale * low,
        scale * high,
        1.0 if printed else 0.0,
        density,
        low / 4,
        "depth_medians:example-3.1" if printed else "depth_medians:note-trimmed-deviation",
        version,
    )


def cauchy_constants(
    dimension: int, n: int, q: float = 0.2, r: float = 0.5, version: Version = "corrected"
) -> Constants:
    """Constants of Example 3.2: independent Cauchy coordinates with median and MAD.

    Parameters
    ----------
    dimension : int
        >= 1.
    n : int
        Number of records.
    q : float
        Quantile of Condition 4, in (3 / n, 1/4).
    r : float
        > 0.
    version : {"corrected", "printed"}
        The paper takes c_3 = 1; by symmetry it is 0.

    Returns
    -------
    Constants
        The projection on u is Cauchy with scale sum |u_i|, which lies in 1 .. sqrt(dimension).

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.

    Notes
    -----
    Source: depth_medians paper, Example 3.2 (depth_medians:example-3.2),
    depth_medians:example-3.2.scales-plane and depth_medians:example-3.2.density.

    Examples
    --------
    >>> cauchy_constants(2, 10_000)
    Constants(c_1=1, c_2=1.414, c_3=0, M=0.05624, r=0.5;...
    """
    check_version(version)
    reading.count("dimension", dimension)
    reading.positive(r=r)
    if not 3 / n < q < 0.25:
        raise ValueError(f"q must be in (3 / n, 1/4) = ({3 / n:g}, 0.25), got {q}")
    wide = math.sqrt(dimension)
    quantile = math.tan(math.pi * (0.5 - q + 3 / n))

    def density(scale: float) -> float:
        """At the end of the interval, which is where it is least, for each scale."""
        return scale / (math.pi * (scale**2 + (scale * quantile + r) ** 2))

    # scale -> density rises, then falls: the least stands at an end
    least = min(density(1.0), density(wide))
    printed = version == "printed"
    key = "depth_medians:example-3.2" + ".density" * (not printed)
    return Constants(1.0, wide, 1.0 if printed else 0.0, least, r, key, version)
