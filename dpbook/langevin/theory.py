"""Calculators of the langevin topic, compiled from its notation and checked against its claims."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import sympy
from numpy.typing import ArrayLike

from dpbook.engine.compile import compiled
from dpbook.engine.domain import DomainError
from dpbook.engine.statement import written_out
from dpbook.langevin import notation
from dpbook.langevin.claims.appendix_a import printed_divergence
from dpbook.langevin.kernels import normal_divergences

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Version = Literal["corrected", "printed"]


@dataclass(frozen=True)
class Posterior:
    """Normal posterior of the slope.

    Attributes
    ----------
    mean, variance : float
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

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the density."""
        from matplotlib import pyplot

        ax = ax or pyplot.gca()
        at = np.linspace(self.mean - 4 * self.sd, self.mean + 4 * self.sd, 201)
        ax.plot(
            at, np.exp(-0.5 * ((at - self.mean) / self.sd) ** 2) / self.sd / math.sqrt(math.tau)
        )
        ax.set_xlabel("slope")
        ax.set_ylabel("posterior density")
        return ax


@dataclass(frozen=True)
class Loss:
    """Renyi loss of one posterior draw, or a bound of it, and the claim that it rests on.

    Attributes
    ----------
    value : float
    order : float
    claim : str
        Key of the claim; for ``version="printed"`` that of the refuted one.
    """

    value: float
    order: float
    claim: str

    def __repr__(self) -> str:
        return f"Loss(value={self.value:.6g}, order={self.order:g}, claim={self.claim!r})"

    def _repr_html_(self) -> str:
        return (
            f"<p>Renyi loss {self.value:.6g} at order {self.order:g}, "
            f"by <code>{html.escape(self.claim)}</code></p>"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        return f"A Renyi loss of {self.value:.4g} at order {self.order:g}, by {self.claim}."


@lru_cache(maxsize=32)
def _calculator(*expressions_and_names: Any) -> Any:
    expression, *names = expressions_and_names
    symbols = {free.name: free for free in expression.free_symbols}
    return compiled(expression, *(symbols[name] for name in names), backend="arb")


def _evaluated(expression: sympy.Expr, values: dict[str, float]) -> float:
    plain = written_out(expression)
    names = sorted(free.name for free in plain.free_symbols)
    return float(_calculator(plain, *names)(*(values[name] for name in names)))


def _positive(**values: float) -> None:
    for name, value in values.items():
        if not (value > 0 and math.isfinite(value)):
            raise ValueError(f"{name} must be > 0 and finite, got {value}")


def _version(version: str) -> None:
    if version not in ("corrected", "printed"):
        raise ValueError(f'version must be "corrected" or "printed", got {version!r}')


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
    """
    _positive(alpha=alpha, beta=beta)
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
        _evaluated(notation.posterior_mean, values), _evaluated(notation.posterior_variance, values)
    )


def divergence(
    first: Posterior, second: Posterior, order: float, *, version: Version = "corrected"
) -> Loss:
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
    Loss
        Infinite where the integral diverges.

    Raises
    ------
    ValueError
        An order <= 1, an unknown version.

    Notes
    -----
    langevin:eq-14-corrected; with ``version="printed"`` the refuted langevin:eq-14.
    """
    _version(version)
    if not order > 1:
        raise ValueError(f"order must be > 1, got {order}")
    if version == "corrected":
        value = normal_divergences(
            np.array([first.mean]),
            np.array([first.sd]),
            np.array([second.mean]),
            np.array([second.sd]),
            float(order),
        )
        return Loss(float(value[0]), order, "langevin:eq-14-corrected")
    values = {
        **{"mu_1": first.mean, "mu_2": second.mean, "nu": order},
        **{"sigma_1": first.sd, "sigma_2": second.sd},
    }
    if order * second.variance + (1 - order) * first.variance <= 0:
        return Loss(math.inf, order, "langevin:eq-14")
    with sympy.evaluate(False):
        expression = printed_divergence()
    return Loss(_evaluated(expression, values), order, "langevin:eq-14")


def loss_bound(
    n: int,
    *,
    alpha: float,
    beta: float,
    x_l: float,
    x_h: float,
    c: float,
    gamma_1: float,
    order: float,
    version: Version = "corrected",
) -> Loss:
    """Bound on the Renyi loss of one posterior draw on the domain of eq. 5.

    Parameters
    ----------
    n : int
        Number of records.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_l, x_h : float
        Smallest and largest covariate, 0 < x_l <= x_h.
    c, gamma_1 : float
        The ratios y / x are within n**gamma_1 of c > 0; 0 < gamma_1 < 1/2.
    order : float
        Order of the divergence, > 1.
    version : {"corrected", "printed"}
        Which lemma 4.2, bound and condition.

    Returns
    -------
    Loss

    Raises
    ------
    ValueError
        A parameter outside its range, an unknown version.
    DomainError
        Too few records for the lemma.

    Notes
    -----
    langevin:lemma-4.2-corrected; with ``version="printed"`` the refuted langevin:lemma-4.2.
    """
    _version(version)
    _positive(alpha=alpha, beta=beta, x_l=x_l, x_h=x_h, c=c, gamma_1=gamma_1)
    if not order > 1:
        raise ValueError(f"order must be > 1, got {order}")
    if not x_l <= x_h:
        raise ValueError(f"x_l must be <= x_h = {x_h}, got {x_l}")
    if not gamma_1 < 0.5:
        raise ValueError(f"gamma_1 must be < 1/2, got {gamma_1}")
    spread = x_h**2 / x_l**2
    if version == "corrected":
        key, expression = "langevin:lemma-4.2-corrected", notation.repaired_loss_bound
        rule, least = "1 + 10 * nu * x_h**2 / x_l**2", 1 + 10 * order * spread
    else:
        key, expression = "langevin:lemma-4.2", notation.loss_bound
        rule = "max(1 + 10 * nu * x_h**2 / (x_l**2 * beta), 1 + nu * x_h**2 / x_l**2)"
        least = max(1 + 10 * order * spread / beta, 1 + order * spread)
    if not n > least:
        raise DomainError(f"{key} needs n > {rule} = {least:g}, got n = {n}")
    values = {
        **{"n": n, "alpha": alpha, "beta": beta, "x_l": x_l, "x_h": x_h},
        **{"c": c, "gamma_1": gamma_1, "nu": order},
    }
    return Loss(_evaluated(expression, values), order, key)
