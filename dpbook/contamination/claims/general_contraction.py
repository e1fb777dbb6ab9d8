"""Theorem 29: contraction of the posterior by tests, for any model and prior.

As in `general`: omega is a dataset of n records, L its likelihood ratio, A the ball of radius M_n phi_n around
the true parameter, and Q the sieve.
"""

from sympy import Eq, Ge, Gt, Le, Or, Sum, exp

from dpbook.contamination.any_models import AnyFunction, Distance
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
    bad_1,
    bad_2,
    count,
    data,
    far_x,
    far_z,
    level_0,
    level_2,
    mass_0,
    n,
    phi,
    shells,
    theta,
    w_1,
    w_2,
    x_1,
    x_2,
    x_3,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.privacy.statements import probability

test = AnyFunction("varphi_n", 1, Distance)


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
    """What the evidence is at least outside the first event; w_1 is the prior mass of B_KL."""
    return exp(-2 * level_of * weight_of()) * w_1


def far_evidence():
    """What the evidence is at least outside the second event, at the other radius."""
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


def outside_of_a():
    """Mass outside A, given a dataset."""
    return prior_mean(outside() * likelihood(data, theta))


@claim(
    "note-theorem-29-numbers",
    place="Theorem 29 for a dataset, in numbers: J_0 is 1 where the posterior mass outside A is above the three "
    "bounds x_1, x_2, x_3, J_1 and J_2 where the evidence is small; q_0 is the test, o_x and o_z the masses of "
    "the sieve outside A and outside the sieve, b_0 and b_2 what the evidence is at least elsewhere",
    try_at=[
        {
            bad_0: 0,
            bad_1: 0,
            bad_2: 0,
            mass_0: "1/2",
            far_x: "1/2",
            far_z: "1/2",
            all_x: 1,
            level_0: "1/2",
            level_2: "1/2",
            x_1: 1,
            x_2: 1,
            x_3: 1,
        }
    ],
    given=lambda: [
        zero_or_one(bad_0),
        zero_or_one(bad_1),
        zero_or_one(bad_2),
        mass_0 <= 1,
        far_x <= all_x,
        Or(Eq(bad_1, 1), Ge(all_x, level_0)),
        Or(Eq(bad_2, 1), Ge(all_x, level_2)),
        Or(Eq(bad_0, 0), Gt((far_x + far_z) / all_x, x_1 + x_2 + x_3)),
    ],
    proof=lambda: [
        step(
            "with the test",
            Or(
                Eq(bad_1, 1),
                Le(far_x / all_x, mass_0 + far_x * (1 - mass_0) / level_0),
            ),
        ),
        step("without it", Or(Eq(bad_2, 1), Le(far_z / all_x, far_z / level_2))),
    ],
)
def mass_outside_by_the_tests():
    """That the posterior mass outside A is large, by the small evidence, the test, and two masses."""
    return Le(
        bad_0,
        bad_1
        + bad_2
        + mass_0 / x_1
        + far_x * (1 - mass_0) / (level_0 * x_2)
        + far_z / (level_2 * x_3),
    )


def in_numbers():
    """That the posterior mass outside A is above the three bounds on B, or the evidence small."""
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


def terms_of(event):
    """What bounds the indicator of B for a dataset, without the two events."""
    one, two, three = levels()
    return (
        test(data) / one
        + on_the_sieve() * (1 - test(data)) / (near_evidence() * two)
        + off_the_sieve() / (far_evidence() * three)
    )


@claim(
    "note-theorem-29-dataset",
    place="Theorem 29 for a dataset",
    given=in_numbers,
    using=[
        (
            "note-theorem-29-numbers",
            lambda: (
                dict(
                    zip(
                        (bad_0, bad_1, bad_2, mass_0, far_x, far_z, all_x, level_0, level_2),
                        (
                            chosen(bad),
                            few_x.indicator(data),
                            few_z.indicator(data),
                            test(data),
                            on_the_sieve(),
                            off_the_sieve(),
                            all_of_it(),
                            near_evidence(),
                            far_evidence(),
                        ),
                        strict=True,
                    )
                )
                | dict(zip((x_1, x_2, x_3), levels(), strict=True))
            ),
        )
    ],
)
def mass_outside_for_a_dataset():
    """That the posterior mass outside A is large, for a dataset."""
    events = few_x.indicator(data) + few_z.indicator(data)
    return Le(chosen(bad), events + terms_of(data))


def shell_sum():
    """The sum over the shells that Assumption 7 (i) and (37) give for the mass of the sieve outside A."""
    return Sum(exp(-K * M_n**2 * count**2 * weight_of() / 2), (count, 1, shells))


def means():
    """What (37), Theorem 6.26 of Ghosal and van der Vaart, and Assumption 7 say of the means."""
    first = exp(weight_of()) * exp(-K * M_n**2 * weight_of())
    return [
        Le(averaged(test(data)), first / (1 - exp(-K * M_n**2 * weight_of()))),
        Le(averaged(on_the_sieve() * (1 - test(data))), w_1 * shell_sum()),
        Le(
            averaged(off_the_sieve()),
            w_2 * rest * exp(-D_n * weight_of(phi_bar)),
        ),
        *(Le(probability(datasets, event), 1 / level_of) for event in (few_x, few_z)),
    ]


@claim(
    "note-theorem-29-integrated",
    place="Theorem 29: Markov's inequality, for the three terms at once",
    given=lambda: [Every(data, in_numbers()), *means()],
    using=[("note-theorem-29-dataset", lambda: {data: data})],
)
def probability_by_the_means():
    """Probability that the posterior mass outside A is large, by three means."""
    one, two, three = levels()
    return Le(
        probability(datasets, bad),
        probability(datasets, few_x)
        + probability(datasets, few_z)
        + averaged(test(data)) / one
        + averaged(on_the_sieve() * (1 - test(data))) / (near_evidence() * two)
        + averaged(off_the_sieve()) / (far_evidence() * three),
    )


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
    using=["note-theorem-29-integrated", "note-theorem-29-levels"],
    proof=lambda: [
        step(
            "the tests",
            Le(averaged(test(data)) / levels()[0], printed_terms()[0]),
        ),
        step(
            "the shells",
            Eq(
                w_1 * shell_sum() / (near_evidence() * levels()[1]),
                printed_terms()[1],
            ),
        ),
        step(
            "on the sieve",
            Le(
                averaged(on_the_sieve() * (1 - test(data))) / (near_evidence() * levels()[1]),
                printed_terms()[1],
            ),
        ),
        step(
            "outside it",
            Le(averaged(off_the_sieve()) / (far_evidence() * levels()[2]), printed_terms()[2]),
        ),
    ],
)
def posterior_contracts():
    """Posterior mass away from the truth (Ghosal and van der Vaart)."""
    first, second, third = printed_terms()
    return Le(probability(datasets, bad), first + second + third + 2 / level_of)
