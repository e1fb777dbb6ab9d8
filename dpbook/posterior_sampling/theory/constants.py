"""The constants that lemmas 1 and 3 to 7 promise, as printed and repaired.

They are about named priors; for any other see `lipschitz_profile`, which finds the best constant.
"""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import Literal

from scipy.special import betaln

from dpbook.posterior_sampling.theory.bounds import Version, check_version
from dpbook.privacy.reading import count, number

__all__ = [
    "Constant",
    "binomial_constant",
    "exponential_constant",
    "laplace_constant",
    "network_constant",
    "normal_constant",
    "product_constant",
]


@dataclass(frozen=True)
class Constant:
    """The constant of an assumption for a model and a prior, and the claim that states it.

    Attributes
    ----------
    symbol : {"L", "c"}
        Lipschitz constant of assumption 1, or rate of assumption 2.
    value : float
        For ``version="printed"`` what the paper says, be it a possible value or not.
    claim : str
        For ``version="printed"`` it may be a refuted one.
    offset : float
        L_0 of the corrected assumption 2.
    """

    symbol: str
    value: float
    claim: str
    offset: float = 0.0

    def __repr__(self) -> str:
        more = f", offset={self.offset:.6g}" if self.offset else ""
        return f"Constant({self.symbol}={self.value:.6g}{more}, claim={self.claim!r})"

    def _repr_html_(self) -> str:
        more = f", L<sub>0</sub> = {self.offset:.6g}" if self.offset else ""
        return f"<p>{self.symbol} = {self.value:.6g}{more}, by <code>{html.escape(self.claim)}</code></p>"

    def describe(self) -> str:
        """Return the constant in words."""
        more = f" from {self.offset:.4g} on" if self.offset else ""
        return f"{self.symbol} = {self.value:.4g}{more}, by {self.claim}."


def product_constant(
    value: float,
    n: int,
    symbol: Literal["L", "c"] = "L",
    version: Version = "corrected",
    *,
    metric: Literal["sum", "max"] = "sum",
) -> Constant:
    """Lemma 1: the constant of n records, or of k that differ, from that of one.

    Parameters
    ----------
    value : float
        Of one record, > 0.
    n : int
        >= 1.
    symbol : {"L", "c"}
    version : {"corrected", "printed"}
        Printed: L n, c / n, true and loose. In the sum of the distances L and c stay as they are.
    metric : {"sum", "max"}
        Of the records' distances; for the largest of them the factor n is needed.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:lemma-1.i, posterior_sampling:lemma-1.ii, posterior_sampling:note-lemma-1-sharp;
    for the largest distance posterior_sampling:note-lemma-1-largest.
    """
    check_version(version)
    value, n = number("value", value, "> 0"), count("n", n)
    for name, given, known in (("symbol", symbol, ("L", "c")), ("metric", metric, ("sum", "max"))):
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {given!r}")
    if version == "corrected" and metric == "sum":
        return Constant(symbol, value, "posterior_sampling:note-lemma-1-sharp")
    claim = "posterior_sampling:lemma-1.i" if symbol == "L" else "posterior_sampling:lemma-1.ii"
    if metric == "max":
        claim = "posterior_sampling:note-lemma-1-largest"
    return Constant(symbol, value * n if symbol == "L" else value / n, claim)


def exponential_constant(rate: float, version: Version = "corrected") -> Constant:
    """Lemma 3: exponential records, exponential prior of this rate on theirs.

    Parameters
    ----------
    rate : float
        > 0.
    version : {"corrected", "printed"}
        The print is right: both are the same.

    Raises
    ------
    ValueError
        A rate <= 0, an unknown version.

    Notes
    -----
    posterior_sampling:lemma-3.
    """
    check_version(version)
    return Constant("c", number("rate", rate, "> 0"), "posterior_sampling:lemma-3")


def laplace_constant(rate: float, version: Version = "corrected") -> Constant:
    """Lemma 4: Laplace records, exponential prior of this rate on the inverse scale.

    Parameters
    ----------
    rate : float
        > 0.
    version : {"corrected", "printed"}
        The constant is the same; the print asks for scales s >= L, where it must be s >= 1 / L.

    Raises
    ------
    ValueError
        A rate <= 0, an unknown version.

    Notes
    -----
    posterior_sampling:lemma-4 and posterior_sampling:lemma-4-corrected.
    """
    check_version(version)
    claim = "posterior_sampling:lemma-4" + ("-corrected" if version == "corrected" else "")
    return Constant("c", number("rate", rate, "> 0"), claim)


def binomial_constant(
    alpha: float,
    trials: int = 1,
    version: Version = "corrected",
    *,
    base: Literal["coefficient", "counting"] = "coefficient",
) -> Constant:
    """Lemma 5: a binomial record, beta prior with both parameters alpha.

    Parameters
    ----------
    alpha : float
        > 0; as printed > 1.
    trials : int
        >= 1.
    version : {"corrected", "printed"}
        Printed: alpha + log(1 / v), where v = 2 trials**alpha / (alpha B(alpha, alpha)); no rate
        at all for two or more trials, and negative for large alpha.
    base : {"coefficient", "counting"}
        Base measure of the repair; by counting it has the offset log(trials).

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:lemma-5 and posterior_sampling:lemma-5-corrected, 2**(1 - 2 alpha) /
    B(alpha, alpha), the best rate, which grows as sqrt(alpha / pi).
    """
    check_version(version)
    alpha, trials = number("alpha", alpha, "> 0"), count("trials", trials)
    if base not in ("coefficient", "counting"):
        raise ValueError(f'base must be "coefficient" or "counting", got {base!r}')
    if version == "printed":
        if not alpha > 1:
            raise ValueError(f"alpha must be > 1 in lemma 5 as printed, got {alpha:g}")
        log_v = (
            math.log(2) + alpha * math.log(trials) - math.log(alpha) - float(betaln(alpha, alpha))
        )
        return Constant("c", alpha - log_v, "posterior_sampling:lemma-5")
    if alpha > 1e6:  # Stirling's series: the exponentials below cancel
        value = math.sqrt(alpha / math.pi) * (1 - 1 / (8 * alpha))
    else:
        value = math.exp((1 - 2 * alpha) * math.log(2) - float(betaln(alpha, alpha)))
    offset = math.log(trials) if base == "counting" else 0.0
    return Constant("c", value, "posterior_sampling:lemma-5-corrected", offset)


def normal_constant(
    rate: float, largest_mean: float = 0.0, version: Version = "corrected"
) -> Constant:
    """Lemma 6: normal records, exponential prior.

    Parameters
    ----------
    rate : float
        Of the prior, > 0: on the precision; as printed on the variance.
    largest_mean : float
        Bound on abs(mean), >= 0.
    version : {"corrected", "printed"}
        Printed: the rate itself; no rate at all fits a prior on the variance.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:lemma-6 and posterior_sampling:lemma-6-corrected, 2 rate / max(M, 1).
    """
    check_version(version)
    rate = number("rate", rate, "> 0")
    most = number("largest_mean", largest_mean, ">= 0")
    if version == "printed":
        return Constant("c", rate, "posterior_sampling:lemma-6")
    return Constant("c", 2 * rate / max(most, 1.0), "posterior_sampling:lemma-6-corrected")


def network_constant(
    smallest: float, children: int = 0, version: Version = "corrected"
) -> Constant:
    """Lemma 7: a discrete Bayesian network, in the Hamming distance of its variables.

    Parameters
    ----------
    smallest : float
        Least entry of any table, in (0, 1).
    children : int
        Of the node that has the most, >= 0.
    version : {"corrected", "printed"}
        Printed: log(1 / smallest), which forgets the factors of the children.

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:lemma-7 and posterior_sampling:note-lemma-7-hamming, (1 + children)
    log(1 / smallest), for each variable by posterior_sampling:lemma-7-corrected; for a network at
    hand `BayesianNetwork.lipschitz` is exact.
    """
    check_version(version)
    log_least = -math.log(number("smallest", smallest, "in (0, 1)"))
    children = count("children", children, 0)
    if version == "printed":
        return Constant("L", log_least, "posterior_sampling:lemma-7")
    return Constant("L", (1 + children) * log_least, "posterior_sampling:note-lemma-7-hamming")
