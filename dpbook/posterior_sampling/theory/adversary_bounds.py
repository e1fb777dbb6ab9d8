"""Compute the bounds of Section 4.3 on an adversary who sees posterior draws, as printed and repaired."""

from __future__ import annotations

import math

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling.theory.bounds import KAPPA
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Value, Version, check_version

__all__ = ["empirical_radius", "error_bound", "relaxed_error_bound"]


def error_bound(exponent: float, draws: int, version: Version = "corrected") -> Value:
    """Return the bound of assumption 1 on an adversary's error, from eq. 4.3.

    Parameters
    ----------
    exponent : float
        a = L * distance, >= 0.
    draws : int
        T >= 1.
    version : {"corrected", "printed"}
        As printed an adversary errs with probability at most exp(-4 a T / 3). That is refuted: L
        bounds the difference of the posteriors from above. The repair says that every adversary
        errs at least with (1 - sqrt(1 - cosh(a / 2)**(-2 T))) / 2 on average.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        An argument outside its range, an unknown version.

    Notes
    -----
    posterior_sampling:theorem-3.i and posterior_sampling:theorem-3.i-corrected. Where the printed
    value is at most 1/16 it is a lower bound as well, and a weaker one:
    posterior_sampling:note-theorem-3-necessary.

    Examples
    --------
    >>> error_bound(0.5, 10)
    Value(error of the adversary >= 0.160405, claim='posterior_sampling:theorem-3.i-corrected')
    """
    check_version(version)
    a, draws = number("exponent", exponent, ">= 0"), count("draws", draws)
    if version == "printed":
        value = math.exp(-4 * a * draws / 3)
        return Value(
            value, "posterior_sampling:theorem-3.i", version, "error of the adversary", "<="
        )
    value = _least_error(2 * draws * _log_cosh(a / 2))
    claim = "posterior_sampling:theorem-3.i-corrected"
    return Value(value, claim, version, "error of the adversary", ">=")


def _log_cosh(at: float) -> float:
    """log(cosh(at)), at >= 0, to full precision; also where the cosine overflows."""
    if at < 1:
        return math.log1p(2 * math.sinh(at / 2) ** 2)
    return at + math.log1p(math.exp(-2 * at)) - math.log(2)


def _least_error(loss: float) -> float:
    """(1 - sqrt(1 - exp(-loss))) / 2, to full precision for small losses and for large ones."""
    return 0.5 * math.exp(-loss) / (1 + math.sqrt(-math.expm1(-loss)))


def relaxed_error_bound(
    draws: int,
    version: Version = "corrected",
    *,
    rate: float | None = None,
    distance: float | None = None,
    variation: float | None = None,
) -> Value:
    """Return the bound of Theorem 3 under assumption 2, eq. 4.4, and the bound under any assumption.

    Parameters
    ----------
    draws : int
        T >= 1.
    version : {"corrected", "printed"}
        As printed the error is at most exp(-2 kappa T distance / (3 c)), which is refuted. Repaired
        it is at most exp(-T V**2 / 2), by the partition adversary with the two cells of the
        likelihood ratio.
    rate, distance : float
        c > 0 of assumption 2, and the distance of the datasets, >= 0: for the print.
    variation : float
        V in [0, 1], the total variation of the posteriors: for the repair.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        An argument outside its range, an unknown version.
    DomainError
        The one or the other without what it needs.

    Notes
    -----
    posterior_sampling:theorem-3.ii and posterior_sampling:theorem-3.ii-corrected.

    Examples
    --------
    >>> relaxed_error_bound(10, variation=0.1)
    Value(error of the adversary <= 0.951229, claim='posterior_sampling:theorem-3.ii-corrected')
    """
    check_version(version)
    draws = count("draws", draws)
    if version == "printed":
        claim = "posterior_sampling:theorem-3.ii"
        c, apart = number("rate", rate, "> 0", claim), number("distance", distance, ">= 0", claim)
        value = math.exp(-2 * KAPPA * draws * apart / (3 * c))
        return Value(value, claim, version, "error of the adversary", "<=")
    claim = "posterior_sampling:theorem-3.ii-corrected"
    V = number("variation", variation, ">= 0", claim)
    if V > 1:
        raise DomainError(f"{claim} needs variation <= 1, got {V}")
    value = math.exp(-draws * V * V / 2)
    return Value(value, claim, version, "error of the adversary", "<=")


def empirical_radius(
    draws: int, delta: float, cells: int = 2, version: Version = "corrected"
) -> float:
    """Deviation of the shares of draws in cells that is not exceeded, but with probability delta.

    Parameters
    ----------
    draws, cells : int
        >= 1, and >= 2.
    delta : float
        In (0, 1).
    version : {"corrected", "printed"}
        sqrt((2 / T) log((2**m - 2) / delta)), or the paper's sqrt((3 / T) log(1 / delta)): true,
        wider, and only for delta <= 4**-m.

    Returns
    -------
    float
        In the sum of absolute differences.

    Raises
    ------
    ValueError
        An argument outside its range, an unknown version.
    DomainError
        The print for a larger delta.

    Notes
    -----
    posterior_sampling:lemma-2, posterior_sampling:note-lemma-2-range,
    posterior_sampling:note-lemma-2-sharp.

    Examples
    --------
    >>> round(empirical_radius(1000, 0.05), 6)
    0.085894
    """
    check_version(version)
    draws, m = count("draws", draws), count("cells", cells, 2, 1000)
    delta = number("delta", delta, "in (0, 1)")
    if version == "corrected":
        return math.sqrt(
            2 / draws * (m * math.log(2) + math.log1p(-(2.0 ** (1 - m))) - math.log(delta))
        )
    if math.log(delta) > -m * math.log(4):
        raise DomainError(
            f"posterior_sampling:lemma-2 needs delta <= 4**-cells = {4.0**-m:.4g}, got {delta:g}"
        )
    return math.sqrt(3 / draws * math.log(1 / delta))
