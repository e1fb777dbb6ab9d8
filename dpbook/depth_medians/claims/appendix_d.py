"""Appendix D: when two exponential mechanisms are close; and a sharper way to see it."""

import math

import numpy as np
from sympy import Abs, Ge, Le, Rational, exp

from dpbook.depth_medians.claims.section_5 import divergence
from dpbook.depth_medians.notation import (
    below,
    beta,
    both,
    both_next,
    cost,
    delta,
    epsilon,
    eta,
    event,
    event_next,
    inside,
    inside_next,
    kept,
    lost,
    other_cost,
    shell,
    shell_next,
    tau,
    volume_in,
    volume_out,
    whole,
    whole_next,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Noted, Statistical

# --- finite spaces at random ----------------------------------------------------------------------


def masses(cost_of, volume, beta_of, end):
    """Integrals of exp(-beta cost) over the cells of a finite space whose cost is at most an end."""
    return np.where(cost_of <= end, volume * np.exp(-beta_of * cost_of), 0.0)


def random_space(rng):
    """Budget, allowed change, end, volumes and one cost of a finite space."""
    loss, change = rng.uniform(0.1, 6), rng.uniform(0.05, 1)
    end = change * rng.uniform(1.1, 8)
    volume = 10 ** rng.uniform(-2, 2, int(rng.integers(2, 9)))
    return loss, change, end, volume, rng.uniform(0, end + 2 * change, len(volume))


def random_costs(rng, size):
    """P-value 1 where Lemma D.1 holds of every random space, else 0."""
    for _ in range(size):
        loss, change, end, volume, one = random_space(rng)
        other = np.abs(one + rng.choice([-1, 0, 1, 0.3], len(one)) * change)
        low = loss / (4 * change)
        if not ((one <= end - change).any() and (other <= end).any()):
            continue
        # the least delta for which eq. D.2 holds
        share = masses(one, volume, low, end - change).sum()
        share /= masses(one, volume, low, end + change).sum()
        least = 3 * math.exp(loss / 2) * (1 - share)
        if least > math.exp(loss / 2) / 2:
            continue
        first, second = masses(one, volume, low, end), masses(other, volume, low, end)
        found = divergence(first / first.sum(), second / second.sum(), loss / 2)
        if found > least + 1e-12:
            return 0.0
    return 1.0


def random_margins(rng, size):
    """P-value 1 where Lemma D.2 holds of every random space, with two neighbours, else 0."""
    for _ in range(size):
        loss, change, end, volume, one = random_space(rng)
        low = loss / (4 * change)
        near, far = (
            np.abs(one + rng.choice([-0.5, 0, 0.5, 0.2], len(one)) * change) for _ in range(2)
        )
        shell_volume = volume[(one <= end + 2 * change) & (one > end - 2 * change)].sum()
        # the infimum over y is met where a cell enters the level tau - y - 2 eta
        ratios = [
            math.exp(-low * (end - 2 * change - at)) * shell_volume / volume[one <= at].sum()
            for at in one
            if at < end - 2 * change
        ]
        if not ratios:
            continue
        least = 3 * math.exp(loss / 4) * min(ratios)
        if least > math.exp(-loss / 2) / 2 or least == 0:
            continue
        first, second = masses(near, volume, low, end), masses(far, volume, low, end)
        found = divergence(first / first.sum(), second / second.sum(), loss / 2)
        if found > least + 1e-12:
            return 0.0
    return 1.0


# --- lemma D.1 ------------------------------------------------------------------------------------


@claim(
    "lemma-d.1",
    place="Lemma D.1; its steps are note-level-sets, eq-d.4, text-d.1-ratio and note-d.1",
    scope="spaces of up to eight points, each with a volume and two costs, at the least delta that "
    "eq. D.2 allows",
)
def safety_from_a_small_change_of_cost():
    """Safety of an exponential mechanism whose cost changes little."""
    return Statistical(
        random_costs, "closeness of two exponential mechanisms on random finite spaces", size=4000
    )


@claim(
    "note-level-sets",
    place="eq. D.3, where the print has a trivial nesting: the one that is needed crosses from one "
    "dataset to the other",
    given=lambda: [Abs(cost - other_cost) <= eta, other_cost <= tau - eta],
)
def level_sets_of_neighbours():
    """Cost of a point for a dataset, from that for its neighbour."""
    return Le(cost, tau)


@claim(
    "eq-d.4",
    place="eq. D.4, point by point, in both directions; integrated it holds for any set",
    given=lambda: [Abs(cost - other_cost) <= eta],
)
def weights_of_neighbours():
    """Weight of a point for a dataset, against that for its neighbour."""
    return [
        Le(exp(-beta * cost), exp(epsilon / 4) * exp(-beta * other_cost)),
        Ge(exp(-beta * cost), exp(-epsilon / 4) * exp(-beta * other_cost)),
    ]


@claim(
    "text-d.1-ratio",
    place="Appendix D, proof of Lemma D.1, its ratio; the print's reason, (1 - x)^(-1) <= 1 + 1/x, is "
    "not enough, 1 + 2x is",
    given=lambda: [delta <= exp(epsilon / 2) / 2],
)
def ratio_of_normalisers():
    """Ratio of the densities on what both datasets keep."""
    return Le(
        exp(epsilon / 2) / (1 - exp(-epsilon / 2) * delta / 3), exp(epsilon / 2) + 2 * delta / 3
    )


@claim(
    "note-d.1",
    place="Lemma D.1, its last step, for any event: p_b and q_b are its probabilities among the points "
    "that both datasets keep, p_l that of what one keeps alone",
    given=lambda: [
        event <= (exp(epsilon / 2) + 2 * delta / 3) * event_next,
        lost <= delta / 3,
    ],
)
def closeness_of_two_mechanisms():
    """Probability of an event for two datasets."""
    return Le(event + lost, exp(epsilon / 2) * event_next + delta)


# --- sharper --------------------------------------------------------------------------------------


@claim(
    "note-sharp-ratio",
    place="Lemma D.1, sharpened: H_1 and H_2 are the normalisers of two datasets, H_3 and H_4 the "
    "integrals over the points that both keep, of which the neighbour's inner part, all but x_n, is "
    "one; H_5 and H_6 those over an event among these. The conditions are note-level-sets and eq-d.4, "
    "integrated",
    using=["note-level-sets", "eq-d.4"],
    given=lambda: [
        inside_next >= (1 - shell_next) * whole_next,
        inside_next <= exp(epsilon / 4) * inside,
        both <= exp(epsilon / 4) * both_next,
    ],
)
def ratio_of_probabilities_of_an_event():
    """Probability of an event among the points that both datasets keep, against the neighbour's."""
    return Le(
        both / whole,
        exp(epsilon / 2) * (inside / whole) / (1 - shell_next) * (both_next / whole_next),
    )


@claim(
    "note-sharp-safety",
    place="Lemma D.1, sharpened: the mechanisms are (epsilon / 2, x_s + x_n)-close, where x_s and x_n "
    "are their masses beyond tau - eta; the first condition is note-sharp-ratio",
    using=["note-sharp-ratio"],
    given=lambda: [
        event <= exp(epsilon / 2) * kept / (1 - shell_next) * event_next,
        lost <= shell,
    ],
)
def sharp_closeness_of_two_mechanisms():
    """Probability of an event for two datasets, by the masses of their outer shells."""
    return Le(event + lost, exp(epsilon / 2) * event_next + shell + shell_next)


# --- lemma D.2 ------------------------------------------------------------------------------------


@claim(
    "lemma-d.2",
    place="Lemma D.2; its proof has two false displays (eq-d.7, eq-d.9), and survives by "
    "note-sharp-safety and eq-d.7-corrected: even k, not k - 1, bounds the margin from below",
    scope="spaces of up to eight points, one cost and those of two neighbours of each other within "
    "eta / 2 of it, at the least delta that eq. D.6 allows",
)
def margin_from_a_small_change_of_cost():
    """Safety margin from a small change of cost and of volume."""
    return Statistical(
        random_margins,
        "closeness of the exponential mechanisms of two neighbours on random finite spaces",
        size=4000,
    )


@claim(
    "eq-d.8",
    place="eq. D.8, point by point",
    given=lambda: [Abs(cost - other_cost) <= eta, other_cost <= tau - below - 2 * eta],
    proof=lambda: [
        step("the cost", Le(cost, tau - below - eta)),
        step(
            "the exponent",
            Le(epsilon / (4 * eta) * cost, epsilon * (tau - below - eta) / (4 * eta)),
        ),
    ],
)
def weight_of_an_inner_point():
    """Weight of a point of small cost."""
    return Ge(exp(-beta * cost), exp(-epsilon * (tau - below - eta) / (4 * eta)))


def shell_of_one_point():
    """A point whose costs are within eta / 2, in the shell of eq. D.9 for both datasets."""
    return [
        Abs(cost - other_cost) <= eta / 2,
        cost > tau - eta,
        cost <= tau + eta,
        tau > 2 * eta,
    ]


@claim(
    "eq-d.9",
    place="eq. D.9, for a space in which the shell is one point of volume 1",
    given=shell_of_one_point,
    try_at=[{epsilon: 1, eta: 1, tau: 4, cost: 4, other_cost: 4}],
    fault="error",
    effect="The sign before eta is wrong; with the right one eq. D.7 is missed by a factor "
    "exp(epsilon / 8), and Lemma D.2 survives by another way.",
)
def weight_of_the_shell_as_printed():
    """Weight of a point of large cost, as printed."""
    return Le(exp(-beta * cost), exp(-epsilon * (tau + eta) / (4 * eta)))


@claim(
    "eq-d.9-corrected",
    place="eq. D.9, for any point of the shell",
    corrects=["eq-d.9"],
    why="The least cost in the shell is tau - eta, not tau + eta.",
    given=shell_of_one_point,
)
def weight_of_the_shell():
    """Weight of a point of large cost, repaired."""
    return Le(exp(-beta * cost), exp(-epsilon * (tau - eta) / (4 * eta)))


@claim(
    "eq-d.7",
    place="eq. D.7, for a space of two points: one of volume V_1, cost 0 and for the neighbour eta / 2, "
    "one of volume V_2 in the shell; the last condition is eq. D.6",
    given=lambda: [
        cost > tau - eta,
        cost <= tau + eta,
        below <= tau - 2 * eta,
        delta <= exp(-epsilon / 2) / 2,
        exp(-beta * below) * volume_out / volume_in <= exp(-epsilon / 4) * delta / 3,
    ],
    try_at=[
        {
            **{epsilon: 2, eta: 1, tau: 4, below: 2, delta: Rational(1, 20)},
            **{cost: Rational(3001, 1000), volume_in: 1, volume_out: Rational(2747, 100000)},
        }
    ],
    fault="error",
    effect="Lemma D.2 holds all the same: its conclusion follows from the bound that is left "
    "(eq-d.7-corrected) by the sharper form of Lemma D.1.",
)
def mass_of_the_shell_as_printed():
    """Mass of the points of large cost, as printed."""
    outer = volume_out * exp(-beta * cost)
    return Le(outer / (volume_in * exp(-beta * eta / 2) + outer), exp(-epsilon / 2) * delta / 3)


@claim(
    "eq-d.7-corrected",
    place="eq. D.7, repaired, at the bounds of eq. D.8 and eq-d.9-corrected, with costs "
    "within eta / 2 of those that eq. D.6 is about",
    corrects=["eq-d.7"],
    why="What eq. D.8 and D.9 give is exp(-3 epsilon / 8) delta / 3.",
    given=lambda: [
        exp(-beta * below) * volume_out / volume_in <= exp(-epsilon / 4) * delta / 3,
    ],
)
def mass_of_the_shell():
    """Mass of the points of large cost, repaired."""
    outer = volume_out * exp(-beta * (tau - eta))
    inner_part = volume_in * exp(-beta * (tau - below - 2 * eta + eta / 2))
    return Le(outer / (inner_part + outer), exp(-3 * epsilon / 8) * delta / 3)


@claim("eq-d.1", place="eq. D.1")
def small_change_of_cost():
    """Condition on the change of cost."""
    return Noted("a condition of lemma-d.1: costs of neighbours differ by at most eta")
