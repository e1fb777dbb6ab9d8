"""The paper's setting: a model, a domain of records, and two datasets on it; what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import update_wrapper
from types import FunctionType
from typing import Any, TypeVar, cast

from dpbook.engine.domain import DomainError
from dpbook.langevin.samplers import exact_draws, two_rate_chain
from dpbook.langevin.theory.chain import balance_epoch, exact_distribution, stopping_step
from dpbook.langevin.theory.distinguishability import distinguishability, step_profile
from dpbook.langevin.theory.loss_floor import loss_floor
from dpbook.langevin.theory.posterior import loss_bound, loss_curve, one_ratio_posteriors
from dpbook.langevin.theory.separation import separation, separation_curve
from dpbook.langevin.theory.worst_case import (
    privacy_curve,
    privacy_of_a_draw,
    worst_case_divergence,
)
from dpbook.privacy.reading import count, number

__all__ = ["FIGURE_1", "Setting"]

MOST_RECORDS = 10**300
Made = TypeVar("Made", bound=Callable[..., Any])


def _called(name: str, function: Made) -> Made:
    """The function as a method of that name, which the errors of a wrong call then tell."""
    given = cast(FunctionType, function)
    made = FunctionType(
        given.__code__, given.__globals__, name, given.__defaults__, given.__closure__
    )
    made.__kwdefaults__ = given.__kwdefaults__
    update_wrapper(made, given, ("__module__", "__doc__", "__annotations__"))
    made.__qualname__ = f"Setting.{name}"
    del made.__dict__["__wrapped__"]
    return cast(Made, made)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Numbers that the paper's theorems speak of, and what they say of them.

    The records are those of one ratio y / x = c that eq. 7 compares (`distribution`, `separation`, and what
    else follows a chain), or any on the domain of eq. 5, with covariates from x_l to x_h and ratios
    within n**gamma_1 of c (`loss_bound`, `privacy_of_a_draw`). Each method stands, and is
    documented, in the module of its theory. ``dataclasses.replace`` changes a number.

    Parameters
    ----------
    n : int
        Number of records, 2 to 10**300; chains and curves take up to 10**15.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_h : float
        Largest covariate, > 0, and that of the ordinary records of eq. 7.
    c : float
        Ratio y / x of the records, or the centre of their ratios, > 0.
    x_l : float, optional
        Smallest covariate, 0 < x_l <= x_h: only for the domain of eq. 5.
    gamma_1 : float, optional
        The ratios are within n**gamma_1 of c, > 0: only for the domain of eq. 5.

    Raises
    ------
    ValueError
        A number outside its range.

    Examples
    --------
    >>> FIGURE_1.stopping_step()
    33321551
    >>> FIGURE_1.separation(33321551)
    Separation(n=1149019, step=33321551, value=1.78384, error<=2.2e-14)
    """

    n: int
    alpha: float
    beta: float
    x_h: float
    c: float
    x_l: float | None = None
    gamma_1: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", count("n", self.n, 2, MOST_RECORDS))
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if value is not None:
                read = number(field.name, value, "> 0 and finite")
                object.__setattr__(self, field.name, read)
        if self.x_l is not None and not self.x_l <= self.x_h:
            raise ValueError(f"x_l must be <= x_h = {self.x_h:g}, got {self.x_l:g}")

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers that are given, under the names of the notation."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def domain(self, claim: str) -> dict[str, float]:
        """Return all the numbers, for a claim about the domain of eq. 5.

        Parameters
        ----------
        claim : str
            Key of the claim that asks for them.

        Raises
        ------
        DomainError
            x_l or gamma_1 is not given, or gamma_1 >= 1/2.
        """
        for name in ("x_l", "gamma_1"):
            if getattr(self, name) is None:
                raise DomainError(f"{claim} needs {name}: Setting(..., {name}=...)")
        if self.gamma_1 is not None and not self.gamma_1 < 0.5:
            raise DomainError(f"{claim} needs gamma_1 < 1/2, got {self.gamma_1}")
        return self.numbers

    # one posterior draw
    one_ratio_posteriors = one_ratio_posteriors
    loss_bound = loss_bound
    loss_curve = loss_curve
    worst_case_divergence = worst_case_divergence
    privacy_of_a_draw = privacy_of_a_draw
    privacy_curve = privacy_curve

    # the chain, and when to stop it
    balance_epoch = balance_epoch
    stopping_step = stopping_step
    distribution = _called("distribution", exact_distribution)
    separation = separation
    separation_curve = separation_curve
    step_profile = step_profile
    distinguishability = distinguishability
    loss_floor = loss_floor
    chains = _called("chains", two_rate_chain)
    draws = _called("draws", exact_draws)


FIGURE_1 = Setting(n=1149019, alpha=0.1, beta=1, x_h=1.8, c=1165165, x_l=0.9, gamma_1=0.1)
"""The setting of the paper's Figure 1."""
