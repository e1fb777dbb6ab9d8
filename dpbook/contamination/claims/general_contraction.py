"""Theorem 29: contraction of the posterior by tests, for any model and prior.

As in `general`: omega is a dataset of n records, L its likelihood ratio, A the ball of radius M_n phi_n around
the true parameter, and Q the sieve.
"""

from sympy import Eq, Ge, Gt, Le, Or, Sum, exp

from dpbook import Every, claim, step
from dpbook.contamination.any_models import AnyFunction, NonNegative
from dpbook.contamination.claims.appendix_d import D_n, K, M_n, level_of, phi_bar, rest
from dpbook.contamination.claims.general import (
    averaged,
    bad,
    chosen,
    datasets,
    inside,
    likelihood,
    outside,
    prior_mean,
    sieve,
    zero_or_one,
)
from dpbook.contamination.claims.general_privacy import few_x
from dpbook.contamination.claims.general_privacy import many_x as few_z
from dpbook.contamination.notation import (
    all_x,
    bad_0,
    bound_0,
    count,
    data,
    in_a,
    in_b,
    level_0,
    level_2,
    mass_0,
    mass_1,
    mass_2,
    mean_1,
    n,
    number,
    phi,
    share,
    shells,
    theta,
    w_1,
    w_2,
    x_1,
    x_2,
)
from dpbook.privacy.statements import probability

test = AnyFunction("varphi_n", 1, NonNegative)


def weight_of(radius=phi):
    """The exponent n phi_n**2."""
    return n * radius**2


def levels():
    """The three bounds inside the probability of eq. 36."""
    return (
        exp(-(K * M_n**2 - 1) * weight_of() / 2),
        exp(-(K * M_n**2 / 4 - level_of) * weight_of()),
        rest * exp(-(D_n - 2 * level_of) * weight_of(phi_bar) / 2),
    )


def near_evidence():
    """Return the least evidence outside the first event; w_1 is the prior mass of B_KL."""
    return exp(-2 * level_of * weight_of()) * w_1


def far_evidence():
    """Return the least evidence outside the second event, at the second radius."""
    return exp(-2 * level_of * weight_of(phi_bar)) * w_2


def on_the_sieve():
    """Mass of the sieve outside A, given a dataset."""
    return prior_mean(outside() * inside(sieve) * likelihood(data, theta))


def off_the_sieve():
    """Mass outside the sieve, given a dataset."""
    return prior_mean((1 - inside(sieve)) * likelihood(data, theta))


def all_of_it():
    """The evidence of a dataset."""
    return prior_mean(likelihood(data, theta))


def in_numbers():
    """State that on B the posterior mass outside A is above the three bounds.

    Outside two events the evidence is at least its bound.
    """
    mass = (on_the_sieve() + off_the_sieve()) / all_of_it()
    one, two, three = levels()
    return [
        Le(test(data), 1),
        Le(on_the_sieve(), all_of_it()),
        Gt(all_of_it(), 0),
        Ge(on_the_sieve(), 0),
        Ge(off_the_sieve(), 0),
        Or(Eq(few_x.indicator(data), 1), Ge(all_of_it(), near_evidence())),
        Or(Eq(few_z.indicator(data), 1), Ge(all_of_it(), far_evidence())),
        Or(Eq(chosen(bad), 0), Gt(mass, one + two + three)),
    ]


def shell_sum():
    """The sum over the shells that Assumption 7 (i) and (37) give for the mass of the sieve outside A."""
    return Sum(exp(-K * M_n**2 * count**2 * weight_of() / 2), (count, 1, shells))


def means():
    """State the bounds of (37), Assumption 7 and Ghosal and van der Vaart's Theorem 6.26.

    They bound the means, and the probabilities of a small evidence.
    """
    return [
        *(Le(mean, bound) for mean, bound, _ in bounds_on_the_means()),
        *(Le(probability(datasets, event), 1 / level_of) for event in (few_x, few_z)),
    ]


def printed_terms():
    """The three terms of the failure probability of eq. 36 besides 2/D."""
    first = levels()[0] / (1 - exp(-K * M_n**2 * weight_of()))
    each = exp(-(K * M_n**2 * (2 * count**2 - 1) / 4 - level_of) * weight_of())
    third = exp(-(D_n - 2 * level_of) * weight_of(phi_bar) / 2)
    return first, Sum(each, (count, 1, shells)), third


@claim(
    "note-theorem-29-levels",
    place="Theorem 29: the means over the levels, term by term",
    proof=lambda: [
        step(
            "of a shell",
            Eq(
                exp(-K * M_n**2 * count**2 * weight_of() / 2)
                / (exp(-2 * level_of * weight_of()) * levels()[1]),
                exp(-(K * M_n**2 * (2 * count**2 - 1) / 4 - level_of) * weight_of()),
            ),
        ),
    ],
)
def means_over_levels():
    """Means over the levels of eq. 36."""
    first, _, third = printed_terms()
    mean = exp(weight_of()) * exp(-K * M_n**2 * weight_of())
    one, _, level = levels()
    return [
        Eq(mean / (1 - exp(-K * M_n**2 * weight_of())) / one, first),
        Eq(w_2 * rest * exp(-D_n * weight_of(phi_bar)) / (far_evidence() * level), third),
    ]


def in_parts():
    """Return the test and the masses on the sieve outside A and off the sieve, over the levels."""
    return share / level_0, mass_0 * (1 - share) / (x_1 * bound_0), mass_1 / (x_2 * level_2)


@claim(
    "note-theorem-29-numbers",
    place="Theorem 29 for a dataset, in numbers: g_1 is the test, q_0 and q_1 the mass of the sieve outside A and off the sieve, m_x the "
    "evidence, b_0, D_0 and b_2 the three bounds of (36), x_1 and x_2 what the evidence is at least; J_0 is 1 where the posterior mass is above the "
    "bounds, I_A and I_B where the evidence is small",
    given=lambda: [
        *(zero_or_one(event) for event in (bad_0, in_a, in_b)),
        mass_0 <= all_x,
        Or(Eq(in_a, 1), all_x >= x_1),
        Or(Eq(in_b, 1), all_x >= x_2),
        Or(Eq(bad_0, 0), Gt((mass_0 + mass_1) / all_x, level_0 + bound_0 + level_2)),
    ],
    proof=lambda: [
        step("a share of the test", Le(mass_0 / all_x * share, share)),
        step(
            "the parts",
            Le(
                (mass_0 + mass_1) / all_x,
                share + mass_0 * (1 - share) / all_x + mass_1 / all_x,
            ),
        ),
        step(
            "one of them is large",
            Or(
                Eq(bad_0, 0),
                share >= level_0,
                mass_0 * (1 - share) / all_x >= bound_0,
                mass_1 / all_x >= level_2,
            ),
        ),
        step("none is negative", [Ge(part, 0) for part in in_parts()]),
        step("the test", Or(share < level_0, in_parts()[0] >= 1)),
        step(
            "the sieve",
            Or(
                Eq(in_a, 1),
                mass_0 * (1 - share) / all_x < bound_0,
                in_parts()[1] >= 1,
            ),
        ),
        step(
            "off the sieve",
            Or(Eq(in_b, 1), mass_1 / all_x < level_2, in_parts()[2] >= 1),
        ),
    ],
)
def large_mass_by_its_parts():
    """Event of a large posterior mass, by events of small evidence and the parts over levels."""
    one, two, three = in_parts()
    return Le(bad_0, in_a + in_b + one + two + three)


def over_levels(test_, on, off):
    """The three parts of a dataset, or their means, over their levels."""
    one, two, three = levels()
    return test_ / one, on / (near_evidence() * two), off / (far_evidence() * three)


@claim(
    "note-theorem-29-dataset",
    place="Theorem 29 for a dataset",
    given=in_numbers,
    using=[
        (
            "note-theorem-29-numbers",
            lambda: {
                bad_0: chosen(bad),
                in_a: few_x.indicator(data),
                in_b: few_z.indicator(data),
                share: test(data),
                mass_0: on_the_sieve(),
                mass_1: off_the_sieve(),
                all_x: all_of_it(),
                x_1: near_evidence(),
                x_2: far_evidence(),
                **dict(zip((level_0, bound_0, level_2), levels(), strict=True)),
            },
        )
    ],
)
def large_mass_of_a_dataset():
    """Event of a large posterior mass of a dataset, by the events and the parts over levels."""
    one, two, three = over_levels(test(data), on_the_sieve() * (1 - test(data)), off_the_sieve())
    return Le(chosen(bad), few_x.indicator(data) + few_z.indicator(data) + one + two + three)


@claim(
    "note-d-outside",
    place="used by text-d-outside-corrected: q_1 is the integral outside the sieve, m_x the evidence, x_2 what it is at least, I_B 1 where it is less",
    given=lambda: [zero_or_one(in_b), mass_1 <= all_x, Or(Eq(in_b, 1), all_x >= x_2)],
    proof=lambda: [
        step("a probability", Le(mass_1 / all_x, 1)),
        step("a large evidence", Or(Eq(in_b, 1), Le(mass_1 / all_x, mass_1 / x_2))),
        step("no part is negative", Ge(mass_1 / x_2, 0)),
    ],
)
def part_of_the_evidence():
    """Part of the evidence, by the evidence's lower bound."""
    return Le(mass_1 / all_x, in_b + mass_1 / x_2)


@claim(
    "text-d-outside-corrected",
    place="Appendix D.1, the last display of the proof of Theorem 29, for any model and prior and any dataset: B_2 is the event E_n^c for the second "
    "radius, w_2 is the prior mass of B_KL",
    corrects=["text-d-outside"],
    why="The numerator is the integral of the likelihood ratio outside the sieve. Its mean, not its value for each dataset, is the prior mass that "
    "Assumption 7 (iii) bounds.",
    given=lambda: [
        Gt(all_of_it(), 0),
        Ge(off_the_sieve(), 0),
        Le(off_the_sieve(), all_of_it()),
        Or(Eq(few_z.indicator(data), 1), Ge(all_of_it(), far_evidence())),
    ],
    using=[
        (
            "note-d-outside",
            lambda: {
                in_b: few_z.indicator(data),
                mass_1: off_the_sieve(),
                all_x: all_of_it(),
                x_2: far_evidence(),
            },
        )
    ],
)
def mass_outside_the_sieve_of_a_dataset():
    """Posterior probability outside the sieve, by the integral of the likelihood ratio."""
    return Le(
        off_the_sieve() / all_of_it(), few_z.indicator(data) + off_the_sieve() / far_evidence()
    )


@claim(
    "note-theorem-29-mean",
    place="Theorem 29: Markov's inequality for the three parts, and a union",
    given=lambda: [
        Every(data, in_numbers()),
        Ge(averaged(test(data)), 0),
        Ge(averaged(on_the_sieve() * (1 - test(data))), 0),
        Ge(averaged(off_the_sieve()), 0),
    ],
    using=[("note-theorem-29-dataset", lambda: {data: data})],
)
def probability_of_a_large_mass():
    """Probability that the posterior mass is large, by the means over the levels."""
    one, two, three = over_levels(
        averaged(test(data)),
        averaged(on_the_sieve() * (1 - test(data))),
        averaged(off_the_sieve()),
    )
    events = probability(datasets, few_x) + probability(datasets, few_z)
    return Le(probability(datasets, bad), events + one + two + three)


@claim(
    "note-theorem-29-sum",
    place="Theorem 29: the sum over the shells over its level, term by term",
    using=["note-theorem-29-levels"],
    proof=lambda: [
        step(
            "a factor",
            Eq(
                w_1 * shell_sum() / (near_evidence() * levels()[1]),
                shell_sum() / (exp(-2 * level_of * weight_of()) * levels()[1]),
            ),
        ),
    ],
)
def sum_over_the_level():
    """Sum over the shells, over its level."""
    return Le(w_1 * shell_sum() / (near_evidence() * levels()[1]), printed_terms()[1])


@claim(
    "note-theorem-29-over",
    place="Theorem 29: a mean over its level; u_1 is the mean, q_2 a bound on it, b_0 the level, and m_1 what the bound over the level is",
    given=lambda: [number <= mass_2, mass_2 / level_0 <= mean_1],
)
def mean_over_its_level():
    """Mean over a level, by a bound on the mean."""
    return Le(number / level_0, mean_1)


def bounds_on_the_means():
    """The means of the three parts, their bounds by (37) and Assumption 7, and their levels."""
    one, two, three = levels()
    test_mean = exp(weight_of()) * exp(-K * M_n**2 * weight_of())
    return (
        (averaged(test(data)), test_mean / (1 - exp(-K * M_n**2 * weight_of())), one),
        (
            averaged(on_the_sieve() * (1 - test(data))),
            w_1 * shell_sum(),
            near_evidence() * two,
        ),
        (
            averaged(off_the_sieve()),
            w_2 * rest * exp(-D_n * weight_of(phi_bar)),
            far_evidence() * three,
        ),
    )


def over_its_level(which):
    """Return note-theorem-29-over for one of the three means, its bound and its level."""

    def values():
        mean, bound, level = bounds_on_the_means()[which]
        return {number: mean, mass_2: bound, level_0: level, mean_1: printed_terms()[which]}

    return ("note-theorem-29-over", values)


@claim(
    "theorem-29",
    place="Theorem 29, eq. 36: B is any event of datasets for which the posterior mass outside A is above the "
    "three bounds; w_1 and w_2 are the prior masses of B_KL at the two radii. As the distance is at most 1 "
    "there are finitely many shells, L_0 of them, so the sum is part of the printed one; D is the number "
    "of the print",
    cites=["assumption-6", "assumption-7"],
    without={
        "assumption-6": "what it gives, (37), is a condition",
        "assumption-7": "what (i) and (37) give for the mean of the mass on the sieve, and (iii) for that "
        "outside it, are conditions",
    },
    scope="from (37), by Theorem D.5 of Ghosal and van der Vaart, their Theorem 6.26 on the evidence, and the "
    "means that these and Assumption 7 give, which are conditions here. That the posterior mass tends to 0 "
    "follows for D that grows",
    try_at=[{n: 1, phi: "1/2", K: 1, M_n: 1, D_n: 4, level_of: 1, shells: 1}],
    given=lambda: [Every(data, in_numbers()), *means()],
    using=[
        "note-theorem-29-levels",
        "note-theorem-29-sum",
        "note-theorem-29-mean",
        *(over_its_level(which) for which in range(3)),
    ],
)
def posterior_contracts():
    """Posterior mass away from the truth (Ghosal and van der Vaart)."""
    first, second, third = printed_terms()
    return Le(probability(datasets, bad), first + second + third + 2 / level_of)
