"""Compute the theorems at a setting: Theorem 4 and whether it gives a bound, information, rates.

And what they leave open: which contamination rate a practitioner should take (`tune_rate`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
import scipy
from numpy.typing import NDArray

from dpbook.contamination import theory
from dpbook.contamination.estimator import CONDITION
from dpbook.contamination.models.densities import ContaminationDensity
from dpbook.contamination.models.likelihoods import Likelihood
from dpbook.contamination.models.mixture import Contaminated
from dpbook.contamination.problem import Problem
from dpbook.engine.language.card import Described
from dpbook.privacy.conversions import gaussian_to_dp
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Version, check_version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

__all__ = [
    "Rates",
    "Theorem4",
    "TunedRate",
    "check_tails",
    "fisher_information",
    "hellinger",
    "kappa",
    "rates",
    "ratio_bound",
    "theorem_4",
    "tune_rate",
]

WIDE = 60.0  # of the variable v in x = centre + scale sinh(v): no tail is left out
NODES = 8001
ROUNDS = 4  # of a search around the best node


@lru_cache(maxsize=4)
def _nodes(size: int) -> tuple[Floats, Floats]:
    """Nodes sinh(v) and weights cosh(v) dv of a rule on the whole line."""
    v = np.linspace(-WIDE, WIDE, size)
    return np.sinh(v), np.cosh(v) * (v[1] - v[0])


def _integral(model: Contaminated, theta: float, function: Callable[[Floats], Floats]) -> float:
    """Integral of a function of records, or its sum over their values."""
    values = model.likelihood.values
    if values is not None:
        return float(function(np.array(values)).sum())
    x, weights = _nodes(NODES)
    with np.errstate(over="ignore", invalid="ignore"):
        found = function(theta + model.likelihood.scale * x) * weights
    return float(np.nansum(found) * model.likelihood.scale)


def _supremum(model: Contaminated, theta: float, function: Callable[[Floats], Floats]) -> float:
    """Supremum of a function of records; infinite where it still grows far away."""
    values = model.likelihood.values
    if values is not None:
        return float(function(np.array(values)).max())
    scale = model.likelihood.scale
    x = theta + scale * np.sinh(np.linspace(-16.0, 16.0, 4001))
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        found = np.nan_to_num(function(x), nan=0.0, posinf=np.inf)
        k = int(np.argmax(found))
        if k in (0, x.size - 1) and found[k] > 1.001 * found[40 if k == 0 else -41]:
            return math.inf
        best = float(found[k])
        low, high = x[max(k - 1, 0)], x[min(k + 1, x.size - 1)]
        for _ in range(ROUNDS):
            inner = np.linspace(low, high, 41)
            found = np.nan_to_num(function(inner), nan=0.0, posinf=np.inf)
            k = int(np.argmax(found))
            best = max(best, float(found[k]))
            low, high = inner[max(k - 1, 0)], inner[min(k + 1, 40)]
    return best


def _model(model: Contaminated) -> Contaminated:
    if not isinstance(model, Contaminated):
        raise ValueError(
            f"model must be a Contaminated, such as private_mean(1000).model, got {model!r:.60}"
        )
    return model


def _setting(setting: Problem) -> Problem:
    if not isinstance(getattr(setting, "model", None), Contaminated):
        raise ValueError(
            f"setting must be a Setting, such as private_mean(1000), got {setting!r:.60}"
        )
    return setting


def _centre(model: Contaminated) -> float:
    return 0.0 if model.density is None else model.density.centre


def fisher_information(model: Contaminated, theta: float = 0.0) -> float:
    """Return the Fisher information of a contaminated record about its predictor (Theorem 5).

    Parameters
    ----------
    model : Contaminated
    theta : float

    Notes
    -----
    I_p = E[(score of k_p)**2], by the trapezoid rule in sinh; at most (1 - p) I, and it tends to I
    as p falls.

    Examples
    --------
    >>> from dpbook.contamination.models import Contaminated, Normal, StudentTDensity
    >>> round(fisher_information(Contaminated(Normal(), StudentTDensity(5), 1e-9)), 6)
    1.0
    """
    at, centre = np.array(number("theta", theta, "finite")), _centre(_model(model))

    def squared(x: Floats) -> Floats:
        return np.exp(model.log_density(x, at, centre)) * model.score(x, at, centre) ** 2

    return _integral(model, float(theta), squared)


def kappa(model: Contaminated, theta: float = 0.0) -> float:
    """Return the sensitivity index: the largest score of a contaminated record over sqrt(I_p).

    It is how many posterior standard deviations, times sqrt(n), one record can move the posterior.

    Parameters
    ----------
    model : Contaminated
    theta : float

    Examples
    --------
    >>> from dpbook.contamination.models import Contaminated, Normal, StudentTDensity
    >>> round(kappa(Contaminated(Normal(), StudentTDensity(5), 0.01)), 2)
    3.21
    """
    at, centre = np.array(number("theta", theta, "finite")), _centre(_model(model))
    largest = _supremum(model, float(theta), lambda x: np.abs(model.score(x, at, centre)))
    return largest / math.sqrt(fisher_information(model, theta))


def ratio_bound(
    likelihood: Likelihood, density: ContaminationDensity, theta: float = 0.0, *, psi: float
) -> float:
    """Return T of Assumption 4: sup of abs(df/dtheta) / g over records, and parameters near theta*.

    Parameters
    ----------
    likelihood : Likelihood
    density : ContaminationDensity
    theta : float
        theta*.
    psi : float
        How far parameters are from it, >= 0. With 0, as in the print, the bound of lemma 14 is false.

    Returns
    -------
    float
        Infinite where g has lighter tails than the derivative.

    Examples
    --------
    >>> from dpbook.contamination.models import Normal, StudentTDensity
    >>> round(ratio_bound(Normal(), StudentTDensity(5), psi=0), 4)
    1.6788
    """
    theta, psi = number("theta", theta, "finite"), number("psi", psi, ">= 0")
    model = Contaminated(likelihood, density, 0.5)
    best = 0.0
    for at in theta + psi * np.linspace(-1.0, 1.0, 1 if psi == 0 else 33):
        s = np.array(float(at) if psi else theta)

        def ratio(x: Floats, s: Floats = s) -> Floats:
            logs = likelihood.log_density(x, s) - density.log_density(x, np.array(density.centre))
            return np.abs(likelihood.score(x, s)) * np.exp(logs)

        best = max(best, _supremum(model, float(s), ratio))
    return best


def check_tails(model: Contaminated, theta: float = 0.0) -> float:
    """Return T of Assumption 4 at theta*, and see that it is finite; without contamination, the score.

    Parameters
    ----------
    model : Contaminated
    theta : float
        theta*, or a predictor.

    Raises
    ------
    ValueError
        It is infinite: one record may move the posterior as far as it likes.

    Examples
    --------
    >>> from dpbook.contamination.models import Contaminated, Normal, StudentTDensity
    >>> round(check_tails(Contaminated(Normal(), StudentTDensity(5), 0.3)), 4)
    1.6788
    """
    likelihood, density = model.likelihood, model.density
    name = type(likelihood).__name__
    if density is None:
        at = np.array(theta)
        found = _supremum(model, theta, lambda x: np.abs(likelihood.score(x, at)))
        if math.isinf(found):
            raise ValueError(
                f"records of {name} must be contaminated for an epsilon, its score has no bound: "
                "one record may move the posterior as far as it likes; give a density with heavy "
                "tails, such as CauchyDensity"
            )
        return found
    found = ratio_bound(likelihood, density, theta, psi=0)
    if math.isinf(found):
        raise ValueError(
            f"density must have tails as heavy as the derivative of {name} has (Assumption 4), "
            f"got {density!r:.80}, with lighter tails: no epsilon belongs to it; take one with "
            "heavier tails, such as CauchyDensity"
        )
    return found


def hellinger(model: Contaminated, first: float, second: float) -> float:
    """Return the Hellinger distance of two contaminated records (Definition 3: at most 1).

    Parameters
    ----------
    model : Contaminated
    first, second : float
        The two parameters.

    Examples
    --------
    >>> from dpbook.contamination import PRIVATE_MEAN
    >>> round(hellinger(PRIVATE_MEAN.model, 30.0, 31.0), 6)
    0.024725
    """
    centre = _centre(_model(model))

    def squared(x: Floats) -> Floats:
        logs = [model.log_density(x, np.array(at), centre) for at in (first, second)]
        return 0.5 * (np.exp(0.5 * logs[0]) - np.exp(0.5 * logs[1])) ** 2

    if model.likelihood.values is not None or abs(first - second) < 30 * model.likelihood.scale:
        return math.sqrt(_integral(model, 0.5 * (first + second), squared))
    # far apart: each half of the line around its own parameter
    middle, total = 0.5 * (first + second), 0.0
    for at in (first, second):
        side = (at > middle) - (at < middle)

        def half(x: Floats, side: float = float(side)) -> Floats:
            return np.where((x - middle) * side > 0, squared(x), 0.0)

        total += _integral(model, at, half)
    return math.sqrt(total)


def _psi(model: Contaminated, theta: float, phi: float) -> float:
    """Largest distance of a parameter from theta* whose records are within phi (Proposition 3)."""
    scale = model.likelihood.scale
    high = scale
    while min(hellinger(model, theta, theta + sign * high) for sign in (-1, 1)) <= phi:
        high *= 2
        if high > 1e4 * scale:
            return math.inf
    low = 0.0
    for _ in range(40):
        middle = 0.5 * (low + high)
        near = min(hellinger(model, theta, theta + sign * middle) for sign in (-1, 1)) <= phi
        low, high = (middle, high) if near else (low, middle)
    return high


# --- Theorem 4 ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Theorem4(Described):
    """Hold the bound of Theorem 4 at one n, or the reason why it gives none.

    It is never shown that it says something: of Assumptions 1 to 3 only necessary conditions are
    looked at, and the prior's mass near theta* and outside the sieve not at all.

    Attributes
    ----------
    n : int
    rate, phi, psi : float
    bound : float
        T of Assumption 4, over the neighbourhood of radius psi.
    varepsilon, epsilon, delta : float
        epsilon = varepsilon + log(delta + exp(varepsilon)).
    failure : float
        Bound on the probability of datasets for which (epsilon, delta) fails; may exceed 1. Where it
        or delta is below 2.3e-308, that.
    reasons : tuple of str
        Why the theorem says nothing here; empty where none was found.
    version : {"corrected", "printed"}
    claim : str
        Key of the lemma that T belongs to; as printed it is refuted. The theorem itself is
        contamination:theorem-4, whose probability is proved in part: its `scope` says which.

    Examples
    --------
    >>> from dpbook.contamination import PRIVATE_MEAN, theorem_4
    >>> theorem_4(PRIVATE_MEAN).vacuous
    True
    """

    n: int
    rate: float
    phi: float
    psi: float
    bound: float
    varepsilon: float
    epsilon: float
    delta: float
    failure: float
    reasons: tuple[str, ...]
    version: Version
    claim: str

    @property
    def vacuous(self) -> Literal[True] | None:
        """True where nothing follows from the theorem; None where that is not shown, never False."""
        return True if self.reasons else None

    def __repr__(self) -> str:
        state = "vacuous" if self.vacuous else "not shown to be vacuous"
        return (
            f"Theorem4(epsilon={self.epsilon:.4g}, delta={self.delta:.3g}, "
            f"failure={min(self.failure, 1.0):.3g}, n={self.n}, {state}, {self.version}, "
            f"claim={self.claim!r}; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the theorem in words."""
        but = f"but a share of at most {self.failure:.3g}" if self.failure < 1 else "but any share"
        why = (
            " It is not shown to be vacuous, and not shown to hold: that Assumptions 1 to 3 hold, with "
            "these constants, is taken for granted."
        )
        if self.reasons:
            why = f" It says nothing here: {'; '.join(self.reasons)}."
        return (
            f"Theorem 4 ({self.version}) at n = {self.n}, rate {self.rate:.3g}, phi {self.phi:.3g}, "
            f"psi {self.psi:.3g}: epsilon {self.epsilon:.4g}, delta {self.delta:.3g}, for all "
            f"datasets {but}, {CONDITION}.{why}"
        )


def theorem_4(
    setting: Problem,
    *,
    phi: float | None = None,
    psi: float | None = None,
    alpha: float = 1.0,
    c_3: float = 1.0,
    c_4: float = 1.0,
    entropy: float = math.log(2),
    version: Version = "corrected",
) -> Theorem4:
    """Evaluate Theorem 4 at a setting. It is asymptotic: never take it for a calibrated guarantee.

    Parameters
    ----------
    setting : Setting
    phi : float, optional
        Hellinger radius, in (0, 1]; without it n**(-1/5), of Section 5 with q = 5.
    psi : float, optional
        Its radius in parameters, > 0; without it the smallest of Proposition 3, by quadrature.
    alpha : float
        Of Assumption 2, in (0, 1].
    c_3, c_4 : float
        Constants of Assumptions 2 and 3, > 0. That they belong to the prior is not looked at.
    entropy : float
        Least bracketing entropy below phi, >= log 2: two brackets at least.
    version : {"corrected", "printed"}
        With the constants of the repaired proof, or the printed ones and T at theta* alone.

    Raises
    ------
    ValueError
        A number out of its range, or a version that there is not.

    Notes
    -----
    The corrected T is over the ball of radius psi: with T at theta* alone lemma 14 is false.

    Examples
    --------
    >>> from dpbook.contamination import PRIVATE_MEAN
    >>> theorem_4(PRIVATE_MEAN).vacuous
    True
    """
    n, rate = _setting(setting).n, setting.rate
    check_version(version)
    phi = float(n ** (-1 / 5)) if phi is None else number("phi", phi, "> 0 and finite")
    if phi > 1:
        raise ValueError(f"phi must be <= 1, a Hellinger distance, got {phi:g}")
    alpha = number("alpha", alpha, "> 0 and finite")
    if alpha > 1:
        raise ValueError(f"alpha must be in (0, 1], as in Definition 6, got {alpha:g}")
    for name, value in (("c_3", c_3), ("c_4", c_4), ("entropy", entropy)):
        number(name, value, "> 0 and finite")
    if entropy < math.log(2) * (1 - 1e-12):
        raise ValueError(f"entropy must be >= log 2, the entropy for two brackets, got {entropy:g}")
    least_psi = _psi(setting.model, setting.theta, phi)
    psi = least_psi if psi is None else number("psi", psi, "> 0 and finite")
    printed = version == "printed"
    c = theory.printed_c() if printed else theory.corrected_c()
    c_2 = theory.printed_c_2() if printed else theory.corrected_c_2()
    finite = math.isfinite(psi)
    bound = math.inf
    if finite:
        bound = ratio_bound(
            setting.likelihood, setting.density, setting.theta, psi=0.0 if printed else psi
        )
    small = theory.varepsilon(rate, bound, psi)
    delta = theory.theorem_4_delta(n, phi, c_3)
    failure = theory.theorem_4_failure(n, phi, c_2, c_4, alpha, printed=printed)
    return Theorem4(
        n,
        rate,
        phi,
        psi,
        bound,
        small,
        theory.theorem_4_epsilon(small, delta),
        delta,
        failure,
        _reasons(n, phi, psi, least_psi, bound, delta, failure, c, c_2, c_3, alpha, entropy),
        version,
        "contamination:lemma-14" if printed else "contamination:lemma-14-corrected",
    )


def _reasons(
    n: int,
    phi: float,
    psi: float,
    least_psi: float,
    bound: float,
    delta: float,
    failure: float,
    c: float,
    c_2: float,
    c_3: float,
    alpha: float,
    entropy: float,
) -> tuple[str, ...]:
    found = []
    least = theory.least_phi(n, c, entropy)
    if least > 1:
        found.append(f"Assumption 1 allows no phi <= 1, it needs phi >= {least:.3g}")
    elif phi < least:
        found.append(f"Assumption 1 needs phi >= {least:.3g}, got {phi:.3g}")
    needed = max(1 / alpha, theory.C_1 / (8 * c_2))
    ratio = n * theory.C_1 * phi**2 / 8 / math.log(n)
    if ratio <= needed:
        found.append(f"Assumption 2 needs n t / log n > {needed:.3g}, it is {ratio:.3g}")
    mass = c_3 * math.exp(-n * theory.C_1 * phi**2 / 4)
    if mass > 1:
        found.append(f"Assumption 2 needs a prior probability of {mass:.3g}, above 1")
    if psi < least_psi * (1 - 1e-6) and math.isfinite(least_psi):
        found.append(f"parameters within phi reach {least_psi:.3g} from theta*, beyond psi")
    if math.isinf(least_psi):
        found.append("parameters however far are within phi")
    elif math.isinf(bound):
        found.append("Assumption 4 fails, g has lighter tails than the derivative of f")
    if failure >= 1:
        found.append(f"the bound on the failure probability is {failure:.3g}, and 1 is no bound")
    if delta >= 1:
        found.append(f"delta is {delta:.3g}")
    return tuple(found)


@dataclass(frozen=True)
class Rates(Described):
    """Exponents of Section 5: phi and psi fall like n**(-1/q), p like n**(-1/(2 q)).

    Attributes
    ----------
    q : float
    phi, rate, epsilon : float
        Exponents of n.
    delta : float
        log(delta) falls like -n to this power; so does the failure probability's logarithm.
    radius : float
        The sieve's radius n**k needs k above it: (q - 2) / (2 q).
    claim : str

    Examples
    --------
    >>> rates(5)
    Rates(q=5: phi ~ n^-0.2, p and epsilon ~ n^-0.1, -log delta...
    """

    q: float
    phi: float
    rate: float
    epsilon: float
    delta: float
    radius: float
    claim: str = "contamination:text-5-epsilon"

    def __repr__(self) -> str:
        return (
            f"Rates(q={self.q:g}: phi ~ n^{self.phi:.4g}, p and epsilon ~ n^{self.rate:.4g}, "
            f"-log delta ~ n^{self.delta:.4g}, radius n^k with k > {self.radius:.4g}; "
            f"{CONDITION})"
        )

    def describe(self) -> str:
        """Return the exponents in words."""
        return (
            f"With q = {self.q:g}, phi falls like n to the power {self.phi:.4g}, the rate and "
            f"epsilon like n to the power {self.rate:.4g}, and -log(delta) grows like n to the power "
            f"{self.delta:.4g}: delta falls faster than any power, slower than an exponential. The "
            f"guarantee is {CONDITION}."
        )


def rates(q: float) -> Rates:
    """Return the exponents of Section 5.

    Parameters
    ----------
    q : float
        > 4.

    Raises
    ------
    ValueError
        A q <= 4.

    Examples
    --------
    >>> rates(5)
    Rates(q=5: phi ~ n^-0.2, p and epsilon ~ n^-0.1, -log delta ~ n^0.6, radius n^k with k > 0.3; random DP, conditional on the model)
    """
    q = number("q", q, "finite")
    if q <= 4:
        raise ValueError(f"q must be > 4, got {q:g}")
    return Rates(q, -1 / q, -1 / (2 * q), -1 / (2 * q), 1 - 2 / q, (q - 2) / (2 * q))


# --- which rate? -------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class TunedRate(Described):
    """The contamination rate of the smallest error that keeps a target epsilon, or none.

    Attributes
    ----------
    n : int
    delta, target : float
    rate : float or None
        None: no rate reaches the target.
    epsilon : float
        At that rate; where there is none, the least of all rates.
    error : float or None
        Mean squared error of a posterior draw there, to first order.
    floor : float
        Of a draw without contamination.
    least_rate : float
        Where epsilon is least.
    rough : str
        Why the first order is not to be trusted here, "" where no reason was found.
    tried, epsilons, errors : array of float
        What they are over a grid of rates.

    Examples
    --------
    >>> from dpbook.contamination import tune_rate
    >>> from dpbook.contamination.settings import private_mean
    >>> round(tune_rate(private_mean(10_000), 0.2).rate, 5)
    0.01515
    """

    n: int
    delta: float
    target: float
    rate: float | None
    epsilon: float
    error: float | None
    floor: float
    least_rate: float
    tried: Floats
    epsilons: Floats
    errors: Floats
    rough: str = ""

    def __repr__(self) -> str:
        if self.rate is None:
            found = f"none: least epsilon={self.epsilon:.4g} at rate={self.least_rate:.3g}"
        else:
            found = f"rate={self.rate:.4g}, epsilon={self.epsilon:.4g}, error={self.error:.4g}"
        return (
            f"TunedRate({found}; target={self.target:.4g}, delta={self.delta:.3g}, n={self.n}, "
            f"first order{f', rough: {self.rough}' if self.rough else ''}; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the answer in words."""
        if self.rate is None:
            found = (
                f"no contamination rate keeps epsilon {self.target:.3g}: the least is "
                f"{self.epsilon:.3g}, at rate {self.least_rate:.3g}"
            )
        else:
            ratio = (self.error or 0.0) / self.floor
            found = (
                f"rate {self.rate:.3g} keeps epsilon {self.target:.3g} with the smallest error of a "
                f"draw, {self.error:.3g}, {ratio:.3g} times that without contamination"
            )
        rough = ""
        if self.rough:
            rough = f" The first order is rough here: {self.rough}; check it by `Setting.estimate`."
        return (
            f"With {self.n} records and delta {self.delta:.3g}, {found} (to first order, {CONDITION})."
            f"{rough}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw epsilon against the rate, with the target."""
        ax = ax or figures.axes()
        ax.plot(self.tried, self.epsilons, label="epsilon")
        ax.plot(self.tried, self.errors / self.floor, label="error, over that at rate 0")
        ax.axhline(self.target, color="black", linewidth=0.8, linestyle="-", label="target epsilon")
        if self.rate is not None:
            ax.plot([self.rate], [self.epsilon], "o", color="black")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.set_xlabel("contamination rate p")
        ax.legend()
        return ax


def tune_rate(
    setting: Problem,
    epsilon: float,
    *,
    method: Literal["exact", "sharp"] = "exact",
    least: float = 1e-6,
) -> TunedRate:
    """Find the contamination rate of the smallest error whose epsilon keeps a target, to first order.

    Parameters
    ----------
    setting : Setting
        Its rate is not looked at.
    epsilon : float
        Target, > 0.
    method : {"exact", "sharp"}
        The epsilon of two Gaussian posteriors 2 kappa(p) / sqrt(n) standard deviations apart; or
        the largest log ratio on an interval of mass 1 - delta, 2 z kappa(p) / sqrt(n).
    least : float
        Smallest rate that is tried, in (0, 1).

    Returns
    -------
    TunedRate
        Its rate is None where no rate reaches the target.

    Raises
    ------
    ValueError
        A number out of its range, a method that there is not, or a density whose tails are too
        light for the model (Assumption 4).

    Notes
    -----
    The error 2 / (n I_p) grows with the rate, so the answer is the smallest rate that keeps the
    target. A first-order argument, ours; `Setting.estimate` at the answer checks it by simulation.
    It is for the median dataset; the 99th percentile is larger: for the private mean at n = 1000
    by 6 %, at n = 300 by 15 %, at n = 100 by 45 %. Where one record may move the posterior by more
    than 0.2 standard deviations, or the prior is not much wider than the posterior, the result says
    that it is rough.

    Examples
    --------
    >>> from dpbook.contamination.settings import private_mean
    >>> tune_rate(private_mean(10_000), 0.2)
    TunedRate(rate=0.01515, epsilon=0.2, error=0.01327; target=0.2, delta=1e-05, n=10000, first order; random DP, conditional on the model)
    """
    _setting(setting)
    target = number("epsilon", epsilon, "> 0 and finite")
    least = number("least", least, "in (0, 1)")
    if method not in ("exact", "sharp"):
        raise ValueError(f"method must be exact or sharp, got {method!r}")
    n, delta = count("n", setting.n), setting.delta
    check_tails(setting.model, setting.theta)

    def model(logit: float) -> Contaminated:
        rate = 1 / (1 + math.exp(-logit))
        return Contaminated(setting.likelihood, setting.density, rate)

    def at(logit: float) -> float:
        index = kappa(model(logit), setting.theta)
        if method == "sharp":
            return theory.first_order_epsilon(n, delta, index)
        return gaussian_to_dp(theory.first_order_shift(n, index), delta).epsilon

    def error(logit: float) -> float:
        return theory.draw_error(n, fisher_information(model(logit), setting.theta))

    logits = np.linspace(math.log(least / (1 - least)), math.log(0.98 / 0.02), 41)
    found = np.array([at(float(v)) for v in logits])
    tried = 1 / (1 + np.exp(-logits))
    errors = np.array([error(float(v)) for v in logits])
    clean = Contaminated(setting.likelihood, None, 0.0)
    floor = theory.draw_error(n, fisher_information(clean, setting.theta))
    k = int(np.argmin(found))
    good = np.flatnonzero(found <= target)
    rest = (floor, float(tried[k]), tried, found, errors)
    if not good.size:
        rough = _rough(setting, model(float(logits[k])))
        return TunedRate(n, delta, target, None, float(found[k]), None, *rest, rough)
    first = int(good[0])
    logit = float(logits[first])
    if first:
        logit = scipy.optimize.brentq(lambda v: at(v) - target, logits[first - 1], logit, xtol=1e-9)
    rate = 1 / (1 + math.exp(-logit))
    rough = _rough(setting, model(logit))
    return TunedRate(n, delta, target, rate, at(logit), error(logit), *rest, rough)


# Standard deviations: beyond, 99 % of datasets need a tenth more than the first order.
MOST_SHIFT = 0.2
LEAST_WIDTH = 5.0  # of the prior in standard deviations of the posterior


def _rough(setting: Problem, model: Contaminated) -> str:
    """Give the reason not to trust the first order at a model, if there is a reason."""
    found = []
    shift = theory.first_order_shift(setting.n, kappa(model, setting.theta))
    if shift > MOST_SHIFT:
        found.append(
            f"n is small, one record may move the posterior by {shift:.2g} of its deviations"
        )
    sd = 1 / math.sqrt(setting.n * fisher_information(model, setting.theta))
    width = float(setting.prior.sd) / sd
    if width < LEAST_WIDTH:
        found.append(f"the prior is only {width:.2g} times as wide as the posterior")
    return ", and ".join(found)
