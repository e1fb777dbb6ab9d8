"""Compute by lemma A.6 a lower bound on the loss of the chain at its stopping step."""

from __future__ import annotations

import math
from dataclasses import dataclass

from sympy import Rational, log

from dpbook.engine.language.card import Described
from dpbook.engine.language.domain import DomainError
from dpbook.langevin import notation
from dpbook.langevin.theory.chain import MOST, stopping_step
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.langevin.theory.numbers import Numbers
from dpbook.privacy.reading import count, number

STRENGTH = notation.x_h**2 * notation.beta
LOST = notation.separation_bound / 2 + log(Rational(1, 2) - notation.delta)
"""Right side of eq. 16."""


@dataclass(frozen=True)
class LossFloor(Described):
    """Epsilon below which the chain at its stopping step is not private, by lemma A.6.

    Attributes
    ----------
    value : float
        The epsilon of eq. 16; not positive where the bound says nothing.
    delta : float
    ratio : float
        What eq. 15 says that the squared gap is at least, in variances.
    step : int
        Stopping step T.
    claim : str
        Key of the claim.
    """

    value: float
    delta: float
    ratio: float
    step: int
    claim: str

    @property
    def vacuous(self) -> bool:
        """Say whether the bound is empty."""
        return self.value <= 0

    def __repr__(self) -> str:
        return (
            f"LossFloor(value={self.value:.6g}, delta={self.delta:g}, ratio={self.ratio:.6g}, "
            f"step={self.step}, claim={self.claim!r})"
        )

    def describe(self) -> str:
        """Return the bound in words."""
        said = "which says nothing" if self.vacuous else "below which the chain is not private"
        return (
            f"By {self.claim} the squared gap at step T = {self.step} is at least "
            f"{self.ratio:.4g} variances, which gives epsilon {self.value:.4g} at delta "
            f"{self.delta:g}, {said}."
        )


def loss_floor(setting: Numbers, *, delta: float) -> LossFloor:
    """Epsilon below which the chain at its stopping step is not private, by lemma A.6 and eq. 16.

    Parameters
    ----------
    setting : Numbers
    delta : float
        In [0, 1/2).

    Returns
    -------
    LossFloor

    Raises
    ------
    ValueError
        A parameter outside its range.
    DomainError
        Records or data for which the lemma says nothing.

    Notes
    -----
    langevin:eq-15 and langevin:eq-16, with the conditions of langevin:lemma-a.3.first and
    langevin:lemma-a.5.later on n. Of ``x_h**2 * beta`` the paper assumes that it is > 3; its proof needs
    > 2 / log(2) (langevin:claim-d.16), and so does this function.

    Examples
    --------
    >>> from dpbook.langevin import FIGURE_1
    >>> FIGURE_1.loss_floor(delta=0.01)
    LossFloor(value=-0.713346, delta=0.01, ratio=7.73996e-06, step=33321551, claim='langevin:lemma-a.6')
    """
    count("n", setting.n, 2, MOST)
    delta = number("delta", delta, ">= 0")
    if not delta < 0.5:
        raise DomainError(f"langevin:lemma-a.6 needs delta < 1/2, got {delta}")
    _lemma_applies(setting)
    numbers = setting.numbers
    ratio = evaluated(notation.separation_bound, numbers)
    value = evaluated(LOST, {**numbers, "delta": delta})
    return LossFloor(value, delta, ratio, stopping_step(setting), "langevin:lemma-a.6")


def _lemma_applies(setting: Numbers) -> None:
    """Refuse parameters outside the conditions of lemma A.5."""
    n, beta, x_h = setting.n, setting.beta, setting.x_h
    strength = x_h * x_h * beta  # a power would raise where this is infinite
    least = 2 / math.log(2)
    if not math.isfinite(strength):
        raise ValueError(
            f"x_h**2 * beta must be a finite double, got {x_h:g}**2 * {beta:g}; take smaller units"
        )
    if not strength > least:
        raise DomainError(
            f"langevin:lemma-a.5.later needs x_h**2 * beta > 2 / log(2) = {least:.6g}, got {strength:g}"
        )
    (for_k_dot,), (enough,) = notation.records_for_k_dot, notation.records_enough
    for claim, rule, least in (
        ("lemma-a.5.later", "alpha / (x_h**2 * beta)", notation.alpha / STRENGTH),
        (
            "lemma-a.5.later",
            "alpha * (exp(2 / (x_h**2 * beta)) - 2) / (x_h**2 * beta) + 1 / (2 * x_h**2 * beta)",
            for_k_dot.lts,
        ),
        (
            "lemma-a.3.first",
            "1 / (2 * alpha * x_h**2 * beta) - 1 / (x_h**2 * beta)",
            enough.lts,
        ),
    ):
        bound = evaluated(least, setting.numbers)
        if not n > bound:
            raise DomainError(f"langevin:{claim} needs n > {rule} = {bound:g}, got n = {n}")
