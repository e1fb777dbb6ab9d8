"""The constants that lemmas 1 and 3 to 7 promise, as printed and repaired.

They are about named priors; for any other see `lipschitz_profile`, which finds the best constant.
"""

from __future__ import annotations

import math
from typing import Literal

from scipy.special import betaln

from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Value, Version, check_version

__all__ = [
    "binomial_constant",
    "exponential_constant",
    "laplace_constant",
    "network_constant",
    "normal_constant",
    "product_constant",
]


def product_constant(
    value: float,
    n: int,
    symbol: Literal["L", "c"] = "L",
    version: Version = "corrected",
    *,
    metric: Literal["sum", "max"] = "sum",
) -> Value:
    """Return, by Lemma 1, the constant of n records, or of k that differ, from the constant of one record.

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

    Examples
    --------
    >>> product_constant(0.5, 10)
    Value(L=0.5, claim='posterior_sampling:note-lemma-1-sharp')
    """
    check_version(version)
    value, n = number("value", value, "> 0"), count("n", n)
    for name, given, known in (("symbol", symbol, ("L", "c")), ("metric", metric, ("sum", "max"))):
        if given not in known:
            raise ValueError(f"{name} must be one of {', '.join(known)}, got {given!r}")
    if version == "corrected" and metric == "sum":
        return Value(value, "posterior_sampling:note-lemma-1-sharp", version, symbol)
    claim = "posterior_sampling:lemma-1.i" if symbol == "L" else "posterior_sampling:lemma-1.ii"
    if metric == "max":
        claim = "posterior_sampling:note-lemma-1-largest"
    return Value(value * n if symbol == "L" else value / n, claim, version, symbol)


def exponential_constant(rate: float, version: Version = "corrected") -> Value:
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

    Examples
    --------
    >>> exponential_constant(1.0)
    Value(c=1, claim='posterior_sampling:lemma-3')
    """
    check_version(version)
    return Value(number("rate", rate, "> 0"), "posterior_sampling:lemma-3", version, "c")


def laplace_constant(rate: float, version: Version = "corrected") -> Value:
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

    Examples
    --------
    >>> laplace_constant(1.0)
    Value(c=1, claim='posterior_sampling:lemma-4-corrected')
    """
    check_version(version)
    claim = "posterior_sampling:lemma-4" + ("-corrected" if version == "corrected" else "")
    return Value(number("rate", rate, "> 0"), claim, version, "c")


def binomial_constant(
    alpha: float,
    trials: int = 1,
    version: Version = "corrected",
    *,
    base: Literal["coefficient", "counting"] = "coefficient",
) -> Value:
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

    Examples
    --------
    >>> binomial_constant(2.0)
    Value(c=0.75, offset=0, claim='posterior_sampling:lemma-5-corrected')
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
        return Value(alpha - log_v, "posterior_sampling:lemma-5", version, "c")
    if alpha > 1e6:  # Stirling's series: the exponentials below cancel
        value = math.sqrt(alpha / math.pi) * (1 - 1 / (8 * alpha))
    else:
        value = math.exp((1 - 2 * alpha) * math.log(2) - float(betaln(alpha, alpha)))
    offset = math.log(trials) if base == "counting" else 0.0
    claim = "posterior_sampling:lemma-5-corrected"
    return Value(value, claim, version, "c", at={"offset": offset})


def normal_constant(
    rate: float, largest_mean: float = 0.0, version: Version = "corrected"
) -> Value:
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

    Examples
    --------
    >>> normal_constant(1.0)
    Value(c=2, claim='posterior_sampling:lemma-6-corrected')
    """
    check_version(version)
    rate = number("rate", rate, "> 0")
    most = number("largest_mean", largest_mean, ">= 0")
    if version == "printed":
        return Value(rate, "posterior_sampling:lemma-6", version, "c")
    value = 2 * rate / max(most, 1.0)
    return Value(value, "posterior_sampling:lemma-6-corrected", version, "c")


def network_constant(smallest: float, children: int = 0, version: Version = "corrected") -> Value:
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

    Examples
    --------
    >>> network_constant(0.1)
    Value(L=2.30259, claim='posterior_sampling:note-lemma-7-hamming')
    """
    check_version(version)
    log_least = -math.log(number("smallest", smallest, "in (0, 1)"))
    children = count("children", children, 0)
    if version == "printed":
        return Value(log_least, "posterior_sampling:lemma-7", version, "L")
    value = (1 + children) * log_least
    return Value(value, "posterior_sampling:note-lemma-7-hamming", version, "L")
