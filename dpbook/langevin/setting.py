"""Join a model, a domain of records and two datasets on it, and answer questions about them."""

from __future__ import annotations

from dataclasses import dataclass

from dpbook.langevin.samplers import chains, draws
from dpbook.langevin.theory.chain import balance_epoch, distribution, stopping_step
from dpbook.langevin.theory.distinguishability import distinguishability, step_profile
from dpbook.langevin.theory.loss_floor import loss_floor
from dpbook.langevin.theory.numbers import Numbers
from dpbook.langevin.theory.posterior import loss_bound, loss_curve, one_ratio_posteriors
from dpbook.langevin.theory.separation import separation, separation_curve
from dpbook.langevin.theory.worst_case import (
    privacy_curve,
    privacy_of_a_draw,
    worst_case_divergence,
)

__all__ = ["FIGURE_1", "Setting"]


@dataclass(frozen=True, kw_only=True)
class Setting(Numbers):
    """The numbers of the paper's theorems, with the theorems' conclusions as methods.

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
    distribution = distribution
    separation = separation
    separation_curve = separation_curve
    step_profile = step_profile
    distinguishability = distinguishability
    loss_floor = loss_floor
    chains = chains
    draws = draws


FIGURE_1 = Setting(n=1149019, alpha=0.1, beta=1, x_h=1.8, c=1165165, x_l=0.9, gamma_1=0.1)
"""The setting of the paper's Figure 1."""
