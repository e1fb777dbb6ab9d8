"""Compute the worst case of one posterior draw on the domain of eq. 5, and its loss.

The worst pair of neighbours is known, so nothing has to be searched. Let u <= v be the squares of
the two covariates of the records that differ, t and t' their ratios y / x, s the mean ratio of the
common records, all ratios in [low, high]; P and P' the two posterior precisions over beta, and w
their common part, alpha / beta plus the sum of squares of the common records.

1. For given covariates the distance of the means is the absolute value of something linear in the
   ratios, so it is largest at an end of each; of the ends s = t = low, t' = high gives the most.
2. Of the two directions the divergence from the distribution of less precision (u) to the other is larger:
   both parts, the distance of the means over the starred variance and the logarithms, are.
3. In that direction both parts grow with v, and fall with u and with w.

So u = x_l**2, v = x_h**2, w is least with every common covariate x_l, and this pair is the worst
at every order. A removed record is the case u = 0. The tests let the engine decide each step.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
import sympy
from flint import arb, ctx
from scipy.optimize import minimize_scalar

from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.card import Described
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin import notation
from dpbook.langevin.claims.appendix_a import divergence_of_posteriors
from dpbook.langevin.theory.numbers import Numbers
from dpbook.langevin.theory.posterior import LEMMA_4_2, lemma_4_2
from dpbook.privacy.accounting.enclosure import round_down, round_up
from dpbook.privacy.conversions import Budget
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = [
    "PrivacyCurve",
    "WorstCase",
    "privacy_curve",
    "privacy_of_a_draw",
    "worst_case_divergence",
]

Adjacency = Literal["replace", "remove"]
Method = Literal["exact", "corrected", "printed"]
Record = tuple[float, float]

CLAIMS = {
    "exact": "langevin:lemma-3.1",
    "corrected": "langevin:lemma-4.3-corrected",
    "printed": "langevin:lemma-4.3",
}
SMALLEST, LARGEST = 1e-9, 1e15  # order - 1 that is tried
CLOSEST = 1e-14  # order - 1 that a double keeps apart from 0
DIGITS = 20
MOST_RECORDS = 10**15

_SETTING = ("n", "alpha", "beta", "x_l", "x_h", "c", "gamma_1", "nu")


@lru_cache(maxsize=16)
def _at_the_corner(what: str, adjacency: str, positive_low: bool) -> Callable[..., arb]:
    """A quantity of eq. 14 at the worst pair, as a function of the setting.

    The balls stay accurate where the means agree in their first 20 digits: their precision grows.
    """
    n, c, x_l, x_h = notation.n, notation.c, notation.x_l, notation.x_h
    radius = n**notation.gamma_1
    low = c - radius if positive_low else sympy.Integer(0)
    last = x_l if adjacency == "replace" else sympy.Integer(0)
    expression = {
        "divergence": lambda: divergence_of_posteriors.rhs,
        "gap": lambda: (notation.mu_hat - notation.mu) / notation.sigma,
        "spread": lambda: notation.sigma_hat / notation.sigma,
    }[what]()
    with sympy.evaluate(False):
        squares = (n - 1) * x_l**2
        plain = unfold_definitions(expression).xreplace(
            {
                **{notation.z: squares, notation.q: low * squares},
                **{notation.x_n: last, notation.y_n: low * last},
                **{notation.x_n_hat: x_h, notation.y_n_hat: (c + radius) * x_h},
            }
        )
    return _program(plain)


@lru_cache(maxsize=2)
def _bound(method: str) -> Callable[..., arb]:
    repaired = method == "corrected"
    return _program(
        unfold_definitions(notation.repaired_loss_bound if repaired else notation.loss_bound)
    )


def _program(expression: sympy.Expr) -> Callable[..., arb]:
    return compiled(expression, *(getattr(notation, name) for name in _SETTING), digits=DIGITS)


def _numbers(setting: Numbers, claim: str) -> dict[str, float]:
    """Return the numbers in the order of the programs, with n checked."""
    values = setting.domain(claim)
    count("n", setting.n, 2, MOST_RECORDS)
    return {name: values[name] for name in _SETTING[:-1]}


def _above_the_radius(numbers: dict[str, float]) -> bool:
    """Say whether the ratios stay away from 0, where the positive responses would cut them off."""
    before = ctx.prec
    try:
        ctx.prec = 200
        return bool(arb(numbers["c"]) > arb(numbers["n"]) ** arb(numbers["gamma_1"]))
    finally:
        ctx.prec = before


def _largest_order(numbers: dict[str, float], adjacency: str) -> Fraction | None:
    """Below this order the worst divergence is finite; None: at every order."""
    exact = {name: Fraction(numbers[name]) for name in ("alpha", "beta", "x_l", "x_h")}
    low, high = exact["x_l"] ** 2, exact["x_h"] ** 2
    last = low if adjacency == "replace" else Fraction(0)
    if high == last:
        return None
    return 1 + (exact["alpha"] / exact["beta"] + (int(numbers["n"]) - 1) * low + last) / (
        high - last
    )


@dataclass(frozen=True)
class WorstCase(Described):
    """Largest Renyi divergence of the posteriors of two neighbours, and the pair that has it.

    Attributes
    ----------
    lower, upper : float
        Certified ends, next to each other: the divergence of the pair, rounded down and up. Both
        are infinite where the order is too large for so few records.
    order : float
    adjacency : {"replace", "remove"}
    n : int
        Records of the larger dataset.
    common, last, other : pair of float
        Covariate and response of the n - 1 common records, of the last record (None: there is
        none), and of the record that replaces it or is added. Where the radius n**gamma_1 exceeds
        c, a response of 0 stands for positive ones as small as one likes.
    gap, spread : float
        How far the second mean is above the first, and the second standard deviation, both in
        standard deviations of the first posterior.
    """

    lower: float
    upper: float
    order: float
    adjacency: str
    n: int
    common: Record
    last: Record | None
    other: Record
    gap: float
    spread: float

    def __repr__(self) -> str:
        return (
            f"WorstCase(n={self.n}, order={self.order:.6g}, upper={self.upper:.6g}, "
            f"adjacency={self.adjacency!r})"
        )

    def datasets(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the two datasets, each of shape (records, 2) with rows x, y."""
        common = [self.common] * (self.n - 1)
        first = common if self.last is None else [*common, self.last]
        return np.array(first).reshape(-1, 2), np.array([*common, self.other])

    def describe(self) -> str:
        """Return the words for the picture."""
        if self.last is None:
            differ = f"and the second has one more, {_said(self.other)}"
        else:
            differ = f"and the last is {_said(self.last)} or {_said(self.other)}"
        size = f"at most {self.upper:.6g}" if math.isfinite(self.upper) else "infinite at worst"
        reached = "attained" if self.common[1] > 0 else "the limit"
        return (
            f"The Renyi divergence of order {self.order:.6g} of one posterior draw is {size} on "
            f"neighbours of {self.n} records. It is {reached} where {self.n - 1} records are "
            f"{_said(self.common)} {differ}: the means are {abs(self.gap):.4g} standard deviations "
            f"apart, and the second standard deviation is {self.spread:.6g} of the first."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the two posterior densities, in standard deviations of the first."""
        ax = ax or figures.axes()
        ends = (min(-4.0, self.gap - 4 * self.spread), max(4.0, self.gap + 4 * self.spread))
        at = np.linspace(*ends, 401)
        for mean, sd, label in ((0.0, 1.0, "first"), (self.gap, self.spread, "second")):
            density = np.exp(-0.5 * ((at - mean) / sd) ** 2) / sd / math.sqrt(math.tau)
            ax.plot(at, density, label=f"{label} posterior")
        ax.set_xlabel("slope, in standard deviations from the first mean")
        ax.set_ylabel("posterior density")
        ax.legend()
        return ax


def _said(record: Record) -> str:
    return f"({record[0]:.6g}, {record[1]:.6g})"


def worst_case_divergence(
    setting: Numbers,
    *,
    order: float,
    adjacency: Adjacency = "replace",
) -> WorstCase:
    """Largest Renyi divergence of the posteriors of two neighbours on the domain of eq. 5.

    Parameters
    ----------
    setting : Numbers
        With x_l and gamma_1 < 1/2; the ratios are positive. With ``adjacency="remove"`` n is the
        number of records of the larger dataset.
    order : float
        Order of the divergence, > 1.
    adjacency : {"replace", "remove"}
        Neighbours differ in one record, or one of them lacks a record of the other.

    Returns
    -------
    WorstCase

    Raises
    ------
    ValueError
        A parameter outside its range.
    DomainError
        gamma_1 >= 1/2.

    Notes
    -----
    langevin:eq-14-corrected at the pair that is worst at every order; why it is, step by step,
    stands at the top of the module. The parameters are taken as the doubles that they are.
    """
    numbers = _numbers(setting, "langevin:eq-5")
    order = number("order", order, "> 0 and finite")
    if not order > 1:
        raise ValueError(f"order must be > 1, got {order}")
    if adjacency not in ("replace", "remove"):
        raise ValueError(f'adjacency must be "replace" or "remove", got {adjacency!r}')
    above = _above_the_radius(numbers)

    def at_the_pair(what: str) -> arb:
        return _at_the_corner(what, adjacency, above)(*numbers.values(), order)

    most = _largest_order(numbers, adjacency)
    if most is not None and Fraction(order) >= most:
        ends = (math.inf, math.inf)
    else:
        loss = at_the_pair("divergence")
        ends = (round_down(loss), round_up(loss))
    n, smallest, largest, centre = setting.n, numbers["x_l"], numbers["x_h"], numbers["c"]
    radius = n ** numbers["gamma_1"]
    low = (smallest, (centre - radius if above else 0.0) * smallest)
    return WorstCase(
        *ends,
        order,
        adjacency,
        n,
        low,
        low if adjacency == "replace" else None,
        (largest, (centre + radius) * largest),
        float(at_the_pair("gap")),
        float(at_the_pair("spread")),
    )


# --- approximate privacy --------------------------------------------------------------------------


def privacy_of_a_draw(
    setting: Numbers,
    *,
    delta: float,
    method: Method = "exact",
) -> Budget:
    """Approximate privacy of one posterior draw on the domain of eq. 5, at the best order.

    Parameters
    ----------
    setting : Numbers
        With x_l and gamma_1 < 1/2; one record is replaced.
    delta : float
        In (0, 1).
    method : {"exact", "corrected", "printed"}
        By the worst Renyi divergence itself, or by its bound of lemma 4.2, repaired or not.

    Returns
    -------
    Budget
        Its epsilon is rounded up; its claim is the refuted one for ``method="printed"``.

    Raises
    ------
    ValueError
        A parameter outside its range.
    DomainError
        Too few records for the lemma at any order, or gamma_1 >= 1/2.

    Notes
    -----
    The least over the orders of loss + ln(1 / delta) / (order - 1), langevin:lemma-3.1. With
    langevin:lemma-4.2-corrected that is langevin:lemma-4.3-corrected; with the refuted
    langevin:lemma-4.2 the refuted langevin:lemma-4.3. Between the orders for which a lemma
    applies this has one valley: times order - 1 the loss is convex in the order.
    """
    if method not in CLAIMS:
        raise ValueError(f"method must be one of {', '.join(CLAIMS)}, got {method!r}")
    version: Version = "printed" if method == "printed" else "corrected"
    delta = number("delta", delta, "in (0, 1)")
    if method == "exact":
        numbers = _numbers(setting, "langevin:eq-5")
        loss = _at_the_corner("divergence", "replace", _above_the_radius(numbers))
        largest = _largest_order(numbers, "replace")
        most = LARGEST if largest is None else float(min(largest - 1, Fraction(LARGEST)))
    else:
        numbers = _numbers(setting, LEMMA_4_2[version])
        key, rule, each = lemma_4_2(setting, version)
        loss = _bound(method)
        most = (setting.n - 1) / each - 1
        if not most > 0:
            raise DomainError(f"{key} needs n > {rule} > {1 + each:g}, got n = {setting.n}")
    most *= 1 - 1e-9  # the range is open, and its end is rounded
    if most < CLOSEST:
        return Budget(math.inf, delta, CLAIMS[method], version=version)

    def spent(log_excess: float) -> arb:
        order = 1 + math.exp(log_excess)
        return loss(*numbers.values(), order) - arb(delta).log() / arb(order - 1)

    ends = math.log(min(SMALLEST, most / 2)), math.log(most)
    best = minimize_scalar(
        lambda at: float(spent(at)), bounds=ends, method="bounded", options={"xatol": 1e-6}
    ).x
    return Budget(round_up(spent(best)), delta, CLAIMS[method], 1 + math.exp(best), version)


@dataclass(frozen=True)
class PrivacyCurve:
    """Epsilon of one posterior draw against the number of records, by three methods.

    Attributes
    ----------
    n : int
        The setting that is looked at; one of `at`.
    c, delta : float
    at : tuple of int
    exact : tuple of Budget
        From the worst Renyi divergence itself; each epsilon is certified, its upper end.
    corrected, printed : tuple of Budget or None
        From the bounds of lemma 4.2; None where the lemma does not apply.
    """

    n: int
    c: float
    delta: float
    at: tuple[int, ...]
    exact: tuple[Budget, ...]
    corrected: tuple[Budget | None, ...]
    printed: tuple[Budget | None, ...]

    def _rows(self) -> tuple[tuple[str, tuple[Budget | None, ...]], ...]:
        return (
            ("worst case", self.exact),
            ("bound as printed", self.printed),
            ("bound, repaired", self.corrected),
        )

    @property
    def place(self) -> int:
        """Index of the setting in `at`."""
        return self.at.index(self.n)

    def _here(self) -> list[tuple[str, Budget | None]]:
        return [(name, budgets[self.place]) for name, budgets in self._rows()]

    @property
    def broken(self) -> tuple[int, ...]:
        """Numbers of records at which the printed bound is below the worst case."""
        rows = zip(self.at, self.exact, self.printed, strict=True)
        return tuple(n for n, exact, bound in rows if bound and bound.epsilon < exact.epsilon)

    def __repr__(self) -> str:
        found = ", ".join(
            f"{name}={'nan' if budget is None else format(budget.epsilon, '.6g')}"
            for name, (_, budget) in zip(
                ("exact", "printed", "corrected"), self._here(), strict=True
            )
        )
        return f"PrivacyCurve(n={self.n}, c={self.c:g}, delta={self.delta:g}, {found})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{_spent(budget)}</td></tr>" for name, budget in self._here()
        )
        return f"<table><tr><th></th><th>epsilon</th></tr>{rows}</table>"

    def describe(self) -> str:
        """Return the words for the picture."""
        said = "; ".join(f"{name}: {_spent(budget)}" for name, budget in self._here())
        fails = ""
        if self.broken:
            fails = f" The printed bound is too small from {self.broken[0]} to {self.broken[-1]}."
        return (
            f"Epsilon of one posterior draw at delta {self.delta:g} against n, from {self.at[0]} to "
            f"{self.at[-1]}. At n = {self.n}, c = {self.c:g}, {said}. The worst case is certified, "
            f"rounded up.{fails}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the three curves."""
        ax = ax or figures.axes()
        for name, budgets in self._rows():
            ax.plot(self.at, [b.epsilon if b else math.nan for b in budgets], label=name)
        ax.plot([self.n], [self.exact[self.place].epsilon], "o", color="black", zorder=3)
        ax.axvline(self.n, color="#767676", linewidth=0.8, linestyle=":")
        ax.set_xscale("log")
        ax.set_yscale("log")
        ax.minorticks_off()  # dozens of them, slow to draw
        ax.set_xlabel("number of records n")
        ax.set_ylabel(f"epsilon at delta {self.delta:g}")
        ax.legend()
        return ax


def _spent(budget: Budget | None) -> str:
    if budget is None:
        return "the lemma does not apply"
    order = "" if budget.order is None else f" at order {budget.order:.6g}"
    return f"{budget.epsilon:.4g}{order}"


def privacy_curve(setting: Numbers, *, delta: float = 0.01) -> PrivacyCurve:
    """Return epsilon of one posterior draw for numbers of records around the number of a setting, by three methods.

    Parameters
    ----------
    setting : Numbers
        What is looked at, with x_l and gamma_1 < 1/2; n from a fiftieth to fifty times as many is
        drawn.
    delta : float
        In (0, 1).

    Returns
    -------
    PrivacyCurve

    Raises
    ------
    ValueError
        A parameter outside its range.
    DomainError
        gamma_1 >= 1/2.

    Notes
    -----
    `Setting.privacy_of_a_draw` at each point: langevin:lemma-3.1, langevin:lemma-4.3 as printed, and
    langevin:lemma-4.3-corrected.
    """
    n = count("n", setting.n, 2, MOST_RECORDS)
    spread = np.geomspace(max(2, n / 50), min(50 * n, MOST_RECORDS), 20)
    at = sorted({*np.rint(spread).astype(int).tolist(), n})

    def found(records: int, method: Method) -> Budget:
        return privacy_of_a_draw(replace(setting, n=records), delta=delta, method=method)

    def where_it_applies(records: int, method: Method) -> Budget | None:
        try:
            return found(records, method)
        except DomainError:
            return None  # too few records

    return PrivacyCurve(
        n,
        setting.c,
        float(delta),
        tuple(at),
        tuple(found(m, "exact") for m in at),
        tuple(where_it_applies(m, "corrected") for m in at),
        tuple(where_it_applies(m, "printed") for m in at),
    )
