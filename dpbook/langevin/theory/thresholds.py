"""Number of records that privacy asks for: eq. 26 and claims D.29 and D.30.

Each threshold is the largest of a few entries, one for a term of lemma 4.3 or for one of its
conditions.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

from flint import arb, fmpq
from sympy import Expr, Pow, Rational

from dpbook.engine.language.domain import DomainError, symbol
from dpbook.langevin import notation
from dpbook.langevin.theory.sizes import Entry, Exact, Threshold, exact
from dpbook.privacy import reading
from dpbook.privacy.value import Version, check_version

gamma_2 = symbol("gamma_2", above=0, meaning="the centre of the ratios is n**gamma_2")


# --- the entries ----------------------------------------------------------------------------------

Row = tuple[str, Expr, bool]
"""Name, formula, and whether the entry has to be exceeded."""

CONDITION = "condition of lemma 4.2"
PRINTED_CONDITIONS = (CONDITION, "second condition of lemma 4.2")
VARIANCES = ("first variance term", "second variance term")
TERMS = (*("radius", "radius times centre", "radius times radius", "centre"), "squared radius")


def _named(names: Sequence[str], formulas: Sequence[Expr]) -> list[Row]:
    rows = zip(names, formulas, strict=True)
    return [(name, formula, name in PRINTED_CONDITIONS) for name, formula in rows]


def rows_of_algorithm(version: Version) -> list[Row]:
    """Return the entries of eq. 26."""
    inside = "radius inside the domain"
    if version == "corrected":
        formulas = notation.entries(notation.c, notation.n_2)
        return _named((CONDITION, *TERMS, inside), formulas)
    formulas = notation.entries_as_printed(notation.c, notation.n_1)
    return _named((*VARIANCES, *TERMS, *PRINTED_CONDITIONS, inside), formulas)


def _rows_of_draw(version: Version, centre: Expr, centre_powers: tuple[Expr, Expr]) -> list[Row]:
    """Entries of claims D.29 and D.30, which split c + n**gamma_1 less than eq. 26 does."""
    product, square = notation.product_weight / 2, notation.square_weight / 4
    last = square * centre**2 if version == "corrected" else square * centre
    of_algorithm = {name: formula for name, formula, _ in rows_of_algorithm(version)}
    before = () if version == "corrected" else VARIANCES
    conditions = (CONDITION,) if version == "corrected" else PRINTED_CONDITIONS
    formulas = [
        *(of_algorithm[name] for name in (*before, "radius")),
        Pow(product * centre, centre_powers[0], evaluate=False),
        Pow(last, centre_powers[1], evaluate=False),
        *(of_algorithm[name] for name in conditions),
    ]
    return _named((*before, "radius", "radius times centre", "centre", *conditions), formulas)


def rows_of_centre(version: Version) -> list[Row]:
    """Return the entries of claim D.29."""
    centre = notation.c + notation.n**notation.gamma_1
    last = Rational(1, 3) if version == "corrected" else Rational(2, 3)
    return _rows_of_draw(version, centre, (1 / (2 - notation.gamma_1), last))


def rows_of_power(version: Version) -> list[Row]:
    """Return the entries of claim D.30: c = n**gamma_2, and its bracket bounds 1 + n**gamma_1 / c."""
    conditions = [f for name, f, _ in rows_of_algorithm(version) if name == CONDITION]
    centre = 1 + conditions[0] ** (notation.gamma_1 - gamma_2)
    last = (1 if version == "corrected" else 2) / (3 - 2 * gamma_2)
    return _rows_of_draw(version, centre, (1 / (2 - notation.gamma_1 - gamma_2), last))


def threshold(
    claim: str, rows: Sequence[Row], numbers: Exact, version: Version = "corrected"
) -> Threshold:
    """Return a threshold from its rows and the numbers in them."""
    return Threshold(claim, tuple(Entry(*row, numbers) for row in rows), version)


def keyed(claim: str, version: str) -> str:
    """Return the key of a claim in one of its versions."""
    check_version(version)
    return claim if version == "printed" else f"{claim}-corrected"


def read(claim: str, **values: Any) -> dict[str, fmpq]:
    """Read the numbers of a setting exactly, each inside its range."""
    for name, value in values.items():
        reading.number(name, value, "> 0 and finite")
    if not values["delta"] < 0.5:
        raise ValueError(f"delta must be < 1/2, got {values['delta']}")
    if not values["x_l"] <= values["x_h"]:
        raise ValueError(f"x_l must be <= x_h = {values['x_h']}, got {values['x_l']}")
    if not values["gamma_1"] < 0.5:
        raise DomainError(f"{claim} needs gamma_1 < 1/2, got gamma_1 = {values['gamma_1']}")
    return {name: exact(value) for name, value in values.items()}


def steady(numbers: Exact) -> None:
    """Refuse data for which one cycle's noise keeps less than half of its weight.

    Raises
    ------
    DomainError
        x_h**2 * beta <= 2 / log(2).
    """
    strength = numbers["x_h"] ** 2 * numbers["beta"]
    if not arb(strength) > 2 / arb(2).log():
        raise DomainError(
            "langevin:claim-d.16 needs x_h**2 * beta > 2 / log(2) = 2.88539, "
            f"got x_h**2 * beta = {float(arb(strength)):g}"
        )


def records(value: Any) -> fmpq:
    """Read a number of records, an integer >= 2 of any size."""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < 2:
        raise ValueError(f"n must be an integer >= 2, got {value!r}")
    return exact(int(value))


def ratio(value: Any) -> fmpq:
    """Read the centre of the ratios, a positive number; an integer may be of any size."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) > 0:
        return exact(int(value))
    return exact(reading.number("c", value, "> 0 and finite"))


# --- the face -------------------------------------------------------------------------------------


def least_records(
    n: float,
    *,
    epsilon: float,
    delta: float,
    alpha: float,
    beta: float,
    x_l: float,
    x_h: float,
    c: float,
    rho_2: float,
    gamma_1: float,
    version: Version = "corrected",
) -> Threshold:
    """Number of kept records from which algorithm 1 releases a draw, n_min of eq. 26.

    Parameters
    ----------
    n : float
        What the last entry, n**(rho_2 / gamma_1), is taken of: the noisy count n_2 of line 8, > 1;
        with ``version="printed"`` the number of records handed in.
    epsilon, delta : float
        Privacy of the draw; epsilon > 0, 0 < delta < 1/2.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_l, x_h : float
        Smallest and largest covariate, 0 < x_l <= x_h.
    c : float
        Noisy centre of the ratios y / x, line 13, > 0.
    rho_2, gamma_1 : float
        0 < rho_2 < gamma_1 < 1/2.
    version : {"corrected", "printed"}
        With or without the repairs: the square of S in the last two powers, their exponents, the
        condition of lemma 4.2, and the noisy count in place of the number of records.

    Returns
    -------
    Threshold

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.
    DomainError
        gamma_1 >= 1/2.

    Notes
    -----
    langevin:eq-26-corrected; with ``version="printed"`` the refuted langevin:eq-26.

    Examples
    --------
    >>> least = least_records(
    ...     10**6, epsilon=1, delta=0.01, alpha=1, beta=3, x_l=0.5, x_h=1.8, c=8e6, rho_2=0.1, gamma_1=0.4
    ... )
    >>> least.met_by(10**6), round(least.log10, 3)
    (False, 21.796)
    """
    key = keyed("langevin:eq-26", version)
    ranges = {"epsilon": epsilon, "delta": delta, "alpha": alpha, "beta": beta, "x_l": x_l}
    ranges |= {"x_h": x_h, "c": c, "rho_2": rho_2, "gamma_1": gamma_1}
    numbers = read(key, **ranges, **{"n": n})
    if not rho_2 < gamma_1:
        raise ValueError(f"rho_2 must be < gamma_1 = {gamma_1}, got {rho_2}")
    numbers["n_2" if version == "corrected" else "n_1"] = numbers.pop("n")
    return threshold(key, rows_of_algorithm(version), numbers, version)


def least_records_for_centre(
    n: int,
    c: float,
    *,
    epsilon: float,
    delta: float,
    alpha: float,
    beta: float,
    x_l: float,
    x_h: float,
    gamma_1: float,
    version: Version = "corrected",
) -> Threshold:
    """Number of records that makes one posterior draw private, for ratios around a given centre.

    Parameters
    ----------
    n : int
        Number of records, which also sets the radius n**gamma_1; >= 2, of any size.
    c : float
        Centre of the ratios, > 0; an integer may be of any size.
    epsilon, delta, alpha, beta, x_l, x_h, gamma_1
        As for `least_records`.
    version : {"corrected", "printed"}
        Condition of lemma 4.2 and the last entry, eq. 58.

    Returns
    -------
    Threshold
        The draw is (epsilon, delta)-private where it is ``met_by(n)``.

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.
    DomainError
        gamma_1 >= 1/2.

    Notes
    -----
    langevin:claim-d.29-corrected; with ``version="printed"`` the refuted langevin:claim-d.29.

    Examples
    --------
    >>> least_records_for_centre(10**6, 1e6, epsilon=0.5, delta=1e-3, alpha=0.1, beta=3, x_l=0.9, x_h=1.8, gamma_1=0.1)
    Threshold(788552, binding='radius times centre', claim='langevin:claim-d.29-corrected')
    """
    key = keyed("langevin:claim-d.29", version)
    ranges = {"epsilon": epsilon, "delta": delta, "alpha": alpha, "beta": beta}
    numbers = read(key, **ranges, **{"x_l": x_l, "x_h": x_h, "gamma_1": gamma_1})
    numbers |= {"n": records(n), "c": ratio(c)}
    return threshold(key, rows_of_centre(version), numbers, version)


def least_records_for_power(
    gamma_2: float,
    *,
    epsilon: float,
    delta: float,
    alpha: float,
    beta: float,
    x_l: float,
    x_h: float,
    gamma_1: float,
    version: Version = "corrected",
) -> Threshold:
    """Number of records that makes one posterior draw private, for ratios around n**gamma_2.

    Parameters
    ----------
    gamma_2 : float
        gamma_1 < gamma_2 < 3/2 and gamma_1 + gamma_2 < 2.
    epsilon, delta, alpha, beta, x_l, x_h, gamma_1
        As for `least_records`.
    version : {"corrected", "printed"}
        Condition of lemma 4.2 and the last entry.

    Returns
    -------
    Threshold

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.
    DomainError
        gamma_1 >= 1/2, gamma_2 outside its range.

    Notes
    -----
    langevin:claim-d.30-corrected; with ``version="printed"`` langevin:claim-d.30.

    Examples
    --------
    >>> least = least_records_for_power(
    ...     1.01, epsilon=1, delta=0.01, alpha=1, beta=3, x_l=0.5, x_h=1.8, gamma_1=0.1
    ... )
    >>> round(least.log10, 3)
    6.197
    """
    key = keyed("langevin:claim-d.30", version)
    ranges = {"epsilon": epsilon, "delta": delta, "alpha": alpha, "beta": beta, "x_l": x_l}
    numbers = read(key, **ranges, **{"x_h": x_h, "gamma_1": gamma_1, "gamma_2": gamma_2})
    if not gamma_1 < gamma_2 < 1.5:
        raise DomainError(
            f"{key} needs gamma_1 < gamma_2 < 3/2, got gamma_1 = {gamma_1}, gamma_2 = {gamma_2}"
        )
    return threshold(key, rows_of_power(version), numbers, version)
