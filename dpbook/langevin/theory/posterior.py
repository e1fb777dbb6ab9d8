"""The posterior of the slope, and the loss of one draw from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import sympy
from numpy.typing import ArrayLike

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import notation
from dpbook.langevin.claims.appendix_a import printed_divergence
from dpbook.langevin.kernels import normal_divergences
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.langevin.theory.numbers import Numbers
from dpbook.privacy.reading import count, number, positive
from dpbook.privacy.value import Value, Version, check_version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_DRAWN = 10**15  # of a curve: integers that doubles hold


@dataclass(frozen=True)
class Posterior:
    """Normal posterior of the slope.

    Attributes
    ----------
    mean, variance : float

    Examples
    --------
    >>> Posterior(0.0, 1.0)
    Posterior(mean=0, sd=1)
    """

    mean: float
    variance: float

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return math.sqrt(self.variance)

    def __repr__(self) -> str:
        return f"Posterior(mean={self.mean:.6g}, sd={self.sd:.6g})"

    def _repr_html_(self) -> str:
        return f"<p>Posterior: normal, mean {self.mean:.6g}, standard deviation {self.sd:.6g}</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        low, high = self.mean - 3 * self.sd, self.mean + 3 * self.sd
        return f"A bell around {self.mean:.4g}; nearly all of it lies from {low:.4g} to {high:.4g}."

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density."""
        ax = ax or figures.axes()
        at = np.linspace(self.mean - 4 * self.sd, self.mean + 4 * self.sd, 201)
        ax.plot(
            at, np.exp(-0.5 * ((at - self.mean) / self.sd) ** 2) / self.sd / math.sqrt(math.tau)
        )
        ax.set_xlabel("slope")
        ax.set_ylabel("posterior density")
        return ax


@dataclass(frozen=True)
class LossCurve:
    """Renyi loss of one posterior draw on two neighbours, beside the bounds of lemma 4.2.

    Attributes
    ----------
    over : {"n", "order"}
        What `at` holds.
    at : tuple of int or float
        Where the losses are taken.
    n, order, c : int, float, float
        The setting that is looked at; `n` or `order` is one of `at`.
    exact : tuple of float
    printed, corrected : tuple of float
        The bounds; nan where the condition of the lemma fails.
    """

    over: str
    at: tuple[float, ...]
    n: int
    order: float
    c: float
    exact: tuple[float, ...]
    printed: tuple[float, ...]
    corrected: tuple[float, ...]

    @property
    def place(self) -> int:
        """Index of the setting in `at`."""
        return self.at.index(self.n if self.over == "n" else self.order)

    def _found(self) -> tuple[tuple[str, float, str], ...]:
        exact = self.exact[self.place]
        rows = [("exact loss", exact, "")]
        for name, bounds in (("bound as printed", self.printed), ("repaired", self.corrected)):
            bound = bounds[self.place]
            if math.isnan(bound):
                said = "the lemma does not apply"
            else:
                said = "exceeded by the loss" if exact > bound else "it holds"
            rows.append((name, bound, said))
        return tuple(rows)

    def __repr__(self) -> str:
        (_, exact, _), (_, printed, _), (_, corrected, _) = self._found()
        return (
            f"LossCurve(n={self.n}, order={self.order:g}, c={self.c:g}, exact={exact:.6g}, "
            f"printed={printed:.6g}, corrected={corrected:.6g})"
        )

    def _repr_html_(self) -> str:
        return figures.html_facts(
            (name, "" if math.isnan(value) else f"{value:.6g}", said)
            for name, value, said in self._found()
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        (_, exact, _), *bounds = self._found()
        said = "; ".join(
            f"{name} {'nan' if math.isnan(value) else f'{value:.4g}'}, {why}"
            if not math.isnan(value)
            else f"{name}: {why}"
            for name, value, why in bounds
        )
        first, last = self.at[0], self.at[-1]
        name = "n" if self.over == "n" else "the order"
        broken = self.broken
        fails = f"fails from {broken[0]:g} to {broken[-1]:g}" if broken else "holds at each point"
        return (
            f"Renyi loss of one posterior draw against {name}, from {first:g} to {last:g}. "
            f"At n = {self.n}, order {self.order:g}, c = {self.c:g}: exact loss {exact:.4g}; {said}. "
            f"The printed bound {fails}."
        )

    @property
    def broken(self) -> tuple[float, ...]:
        """Values in `at` where the printed bound is below the exact loss."""
        rows = zip(self.at, self.exact, self.printed, strict=True)
        return tuple(place for place, exact, bound in rows if exact > bound)

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the loss and both bounds."""
        ax = ax or figures.axes()
        for values, label in (
            (self.exact, "exact loss"),
            (self.printed, "bound as printed"),
            (self.corrected, "bound, repaired"),
        ):
            ax.plot(self.at, values, label=label)
        if self.broken:
            ends = (self.broken[0], self.broken[-1])
            ax.axvspan(*ends, color="#ee6677", alpha=0.35, linewidth=0, label="the print fails")
        here = self.at[self.place]
        ax.plot([here], [self.exact[self.place]], "o", color="black", zorder=3)
        ax.axvline(here, color="#767676", linewidth=0.8, linestyle=":")
        ax.set_xscale("log" if self.over == "n" else "linear")
        ax.set_yscale("log")
        ax.minorticks_off()  # dozens of them, slow to draw
        ax.set_xlabel("number of records n" if self.over == "n" else "order of the divergence")
        ax.set_ylabel("Renyi loss of one draw")
        ax.legend()
        return ax


def posterior(x: ArrayLike, y: ArrayLike, *, alpha: float, beta: float) -> Posterior:
    """Posterior of the slope given records.

    Parameters
    ----------
    x, y : array of float
        Covariates and responses, of one shape.
    alpha, beta : float
        Prior and noise precision, > 0.

    Returns
    -------
    Posterior

    Raises
    ------
    ValueError
        A precision <= 0, arrays of different shapes, a record that is not finite.

    Notes
    -----
    langevin:lemma-4.1.

    Examples
    --------
    >>> posterior([1.0, 2.0], [2.1, 3.9], alpha=1, beta=1)
    Posterior(mean=1.65, sd=0.408248)
    """
    positive(alpha=alpha, beta=beta)
    covariates, responses = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if covariates.shape != responses.shape:
        raise ValueError(
            f"x and y must have one shape, got {covariates.shape} and {responses.shape}"
        )
    if not (np.isfinite(covariates).all() and np.isfinite(responses).all()):
        raise ValueError("records must be finite, got nan or inf")
    values = {
        **{"alpha": alpha, "beta": beta},
        "s_xx": math.fsum((covariates**2).ravel()),
        "s_xy": math.fsum((covariates * responses).ravel()),
    }
    return Posterior(
        evaluated(notation.posterior_mean, values), evaluated(notation.posterior_variance, values)
    )


def divergence(
    first: Posterior, second: Posterior, order: float, *, version: Version = "corrected"
) -> Value:
    """Renyi divergence of two posteriors.

    Parameters
    ----------
    first, second : Posterior
    order : float
        Order of the divergence, > 1.
    version : {"corrected", "printed"}
        With or without the repair of eq. 14.

    Returns
    -------
    Value
        Infinite where the integral diverges.

    Raises
    ------
    ValueError
        An order that is not > 1 and finite, an unknown version.

    Notes
    -----
    langevin:eq-14-corrected; with ``version="printed"`` the refuted langevin:eq-14.

    Examples
    --------
    >>> divergence(Posterior(0, 1), Posterior(0.5, 2), order=2)
    Value(Renyi loss=0.227174, order=2, claim='langevin:eq-14-corrected')
    """
    check_version(version)
    order = number("order", order, "> 1 and finite")
    if version == "corrected":
        value = normal_divergences(
            np.array([first.mean]),
            np.array([first.sd]),
            np.array([second.mean]),
            np.array([second.sd]),
            float(order),
        )
        return _loss(float(value[0]), order, "langevin:eq-14-corrected")
    values = {
        **{"mu_1": first.mean, "mu_2": second.mean, "nu": order},
        **{"sigma_1": first.sd, "sigma_2": second.sd},
    }
    if order * second.variance + (1 - order) * first.variance <= 0:
        return _loss(math.inf, order, "langevin:eq-14", version)
    with sympy.evaluate(False):
        expression = printed_divergence()
    return _loss(evaluated(expression, values), order, "langevin:eq-14", version)


def _loss(
    value: float,
    order: float,
    claim: str,
    version: Version = "corrected",
    relation: Literal["=", "<="] = "=",
) -> Value:
    return Value(value, claim, version, "Renyi loss", relation, {"order": order})


LEMMA_4_2: dict[Version, str] = {
    "corrected": "langevin:lemma-4.2-corrected",
    "printed": "langevin:lemma-4.2",
}


def lemma_4_2(setting: Numbers, version: Version) -> tuple[str, str, float]:
    """Condition of lemma 4.2: n > 1 + order * each.

    Returns
    -------
    tuple
        The key of the claim, its condition in words, and `each`.
    """
    printed = version == "printed"
    conditions = notation.many_records_as_printed if printed else notation.many_records
    numbers = setting.numbers
    each = max(evaluated((one.lts - 1) / notation.nu, numbers) for one in conditions)
    if not printed:
        return LEMMA_4_2[version], "1 + 10 * nu * x_h**2 / x_l**2", each
    rule = "max(1 + 10 * nu * x_h**2 / (x_l**2 * beta), 1 + nu * x_h**2 / x_l**2)"
    return LEMMA_4_2[version], rule, each


def loss_bound(
    setting: Numbers,
    *,
    order: float,
    version: Version = "corrected",
) -> Value:
    """Bound on the Renyi loss of one posterior draw on the domain of eq. 5.

    Parameters
    ----------
    setting : Numbers
        With x_l and gamma_1 < 1/2.
    order : float
        Order of the divergence, > 1.
    version : {"corrected", "printed"}
        Which lemma 4.2, bound and condition.

    Returns
    -------
    Value

    Raises
    ------
    ValueError
        A parameter outside its range, an unknown version.
    DomainError
        Too few records for the lemma, or gamma_1 >= 1/2.

    Notes
    -----
    langevin:lemma-4.2-corrected; with ``version="printed"`` the refuted langevin:lemma-4.2.
    """
    check_version(version)
    values = setting.domain(LEMMA_4_2[version])
    key, rule, each = lemma_4_2(setting, version)
    order = number("order", order, "> 1 and finite")
    least = 1 + order * each
    if not setting.n > least:
        raise DomainError(f"{key} needs n > {rule} = {least:g}, got n = {setting.n}")
    expression = notation.loss_bound if version == "printed" else notation.repaired_loss_bound
    return _loss(evaluated(expression, values | {"nu": order}), order, key, version, "<=")


def one_ratio_posteriors(setting: Numbers) -> tuple[Posterior, Posterior]:
    """Posteriors of two neighbours whose ratios y / x are all c; lemma 4.2 as printed fails there.

    All records are at x_l, or the last of them at x_h.

    Parameters
    ----------
    setting : Numbers
        With x_l.

    Raises
    ------
    ValueError
        Numbers beyond the doubles.
    DomainError
        No x_l.
    """
    n, x_l, x_h, c = setting.n, setting.x_l, setting.x_h, setting.c
    alpha, beta = setting.alpha, setting.beta
    if x_l is None:
        raise DomainError("two posteriors need x_l: Setting(..., x_l=...)")
    made = []
    for last in (x_l, x_h):
        squares = (n - 1) * x_l * x_l + last * last
        if not math.isfinite(c * squares * beta + alpha + squares * beta):
            raise ValueError(
                f"x_h must be smaller, got {x_h:g}, or n, alpha, beta or c: "
                "n * x_h**2 * beta * c and alpha have to be doubles"
            )
        values = {"alpha": alpha, "beta": beta, "s_xx": squares, "s_xy": c * squares}
        made.append(
            Posterior(
                evaluated(notation.posterior_mean, values),
                evaluated(notation.posterior_variance, values),
            )
        )
    return made[0], made[1]


def loss_curve(setting: Numbers, *, order: float, over: Literal["n", "order"] = "n") -> LossCurve:
    """Exact Renyi loss of two neighbours of one ratio against both bounds of lemma 4.2.

    Parameters
    ----------
    setting : Numbers
        What is looked at, with x_l and gamma_1 < 1/2; n up to 10**15.
    order : float
        Order of the divergence, > 1.
    over : {"n", "order"}
        What varies: the number of records, from the least for the printed lemma, or the order,
        up to 20.

    Returns
    -------
    LossCurve

    Raises
    ------
    ValueError
        A parameter outside its range.
    DomainError
        Too few records: the loss is infinite, and the printed lemma does not apply.

    Notes
    -----
    langevin:lemma-4.2, langevin:lemma-4.2-corrected, langevin:eq-14-corrected.
    """
    if over not in ("n", "order"):
        raise ValueError(f'over must be "n" or "order", got {over!r}')
    n, order = count("n", setting.n, 2, MOST_DRAWN), number("order", order, "> 1 and finite")
    values = setting.domain(LEMMA_4_2["printed"])
    loss_bound(setting, order=order, version="printed")  # refuses too few records
    if over == "n":
        least = math.floor(1 + order * values["x_h"] ** 2 / values["x_l"] ** 2) + 1
        start = np.linspace(least, 1.2 * least, 16)
        spread = np.concatenate([start, np.geomspace(least, max(40 * least, 3 * n), 32)])
        at = [(int(m), order) for m in sorted({*np.rint(spread).astype(int), n})]
    else:
        most = max(20.0, order)
        orders = sorted({*np.linspace(1.25, most, 41).round(4).tolist(), float(order)})
        at = [(n, one) for one in orders]
    exact: list[float] = []
    bounds: dict[Version, list[float]] = {"printed": [], "corrected": []}
    for records, one in at:
        here = replace(setting, n=records)
        exact.append(divergence(*one_ratio_posteriors(here), one).value)
        for version, found in bounds.items():
            try:
                found.append(loss_bound(here, order=one, version=version).value)
            except DomainError:
                found.append(math.nan)
    return LossCurve(
        over,
        tuple(float(s[0] if over == "n" else s[1]) for s in at),
        n,
        order,
        setting.c,
        tuple(exact),
        tuple(bounds["printed"]),
        tuple(bounds["corrected"]),
    )
