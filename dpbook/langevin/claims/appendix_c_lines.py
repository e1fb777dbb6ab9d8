"""Appendix C: the output of algorithm 1, line by line, for any distributions of its lines.

Line 6 finds the noisy number of records, line 8 the noisy number in V, line 13 the noisy centre, lines
14 to 19 null or a draw. The distribution of each may depend on what the lines before it have found. Line 9 ends
with null where line 8 has found too little. What is private of all that is found is private of the
output, which is a part of it.
"""

from sympy import Eq, Integral, Lambda, Le, Max, Symbol, exp, oo

from dpbook import Every, Relation, claim, step
from dpbook.langevin.notation import (
    counted,
    epsilon,
    line_8,
    line_13,
    passing_9,
)
from dpbook.privacy.any_distributions import (
    AnyChance,
    AnyDistribution,
    AnyFunction,
    OrNull,
    Then,
    distribution_for,
)
from dpbook.privacy.divergences import hockey_stick, over_support
from dpbook.privacy.notation import (
    at,
    density_1,
    density_2,
    density_3,
    density_4,
    first_delta,
    multiple,
    other_epsilon,
    second_delta,
    share,
    weight,
)
from dpbook.privacy.notation import epsilon as any_loss

# --- null or a draw, from two densities of what was found before ----------------------------------

P, Q = AnyDistribution("P"), AnyDistribution("Q")
SO_FAR, SO_FAR_THERE = density_1, density_3
MISSED = counted * first_delta + (1 - counted)
"""Delta of a draw where line 8 is no overestimate, and 1 elsewhere."""


def excess_of(here, there, at_loss):
    """Return the positive part of the excess of a density over another density, at a loss."""
    return Max(here - exp(at_loss) * there, 0)


def weighed(distributions, at_loss, here=SO_FAR, there=SO_FAR_THERE, *more):
    """Hockey-stick divergence of two distributions, with densities so far as weights."""
    return over_support(
        lambda p, q: excess_of(here * p, there * q, at_loss),
        distributions,
        at_loss,
        here,
        there,
        *more,
    )


def counted_within():
    """State that the densities so far are within a factor, where line 8 is no overestimate."""
    return [
        counted * SO_FAR <= exp(any_loss) * SO_FAR_THERE,
        Eq(multiple, any_loss + other_epsilon),
    ]


@claim(
    "note-lines-excess",
    place="Claim 4.1, at one output",
    given=counted_within,
    proof=lambda: [
        step("the losses", Eq(exp(multiple), exp(any_loss) * exp(other_epsilon))),
        step(
            "what was found before",
            counted * SO_FAR * (exp(other_epsilon) * density_4)
            <= exp(any_loss) * SO_FAR_THERE * (exp(other_epsilon) * density_4),
        ),
        step(
            "the excess",
            counted * SO_FAR * (density_2 - exp(other_epsilon) * density_4)
            <= counted * SO_FAR * excess_of(density_2, density_4, other_epsilon),
        ),
        step(
            "is not negative",
            counted * SO_FAR * excess_of(density_2, density_4, other_epsilon) >= 0,
        ),
        step("nor is the rest", (1 - counted) * SO_FAR * density_2 >= 0),
    ],
)
def excess_at_an_output():
    """Excess of a density, by the excess of the last line and a part that line 8 overestimates."""
    return Le(
        excess_of(SO_FAR * density_2, SO_FAR_THERE * density_4, multiple),
        counted * SO_FAR * excess_of(density_2, density_4, other_epsilon)
        + (1 - counted) * SO_FAR * density_2,
    )


LAST, LAST_THERE = OrNull(share, P), OrNull(weight, Q)


def drawn(body):
    """Integral of a function of the densities of the two draws."""
    numbers = (multiple, other_epsilon, SO_FAR, SO_FAR_THERE, share, weight, counted)
    return over_support(lambda p, q: body(share * p, weight * q), (P, Q), *numbers)


def bounds_of_draws():
    """Return the bound on the excess of the draws."""
    return drawn(
        lambda p, q: counted * SO_FAR * excess_of(p, q, other_epsilon) + (1 - counted) * SO_FAR * p
    )


@claim(
    "note-lines-draws",
    place="Claim 4.1, all draws of line 19",
    given=counted_within,
    using=[
        (
            "note-lines-excess",
            lambda: {density_2: share * P.density(at), density_4: weight * Q.density(at)},
        )
    ],
)
def excess_of_draws():
    """Excess of all draws, by the excess of the last line and a part that line 8 overestimates."""
    return Le(
        drawn(lambda p, q: excess_of(SO_FAR * p, SO_FAR_THERE * q, multiple)), bounds_of_draws()
    )


def excess_of_the_last_line():
    """Excess of the draws, and of all, of the last line itself."""
    draws = drawn(lambda p, q: excess_of(p, q, other_epsilon))
    return draws, draws + excess_of(1 - share, 1 - weight, other_epsilon)


@claim(
    "note-lines-last",
    place="Claim 4.1, lines 14 to 19, given what the lines before have found",
    given=lambda: [*counted_within(), hockey_stick(LAST, LAST_THERE, other_epsilon) <= first_delta],
    using=[
        "note-lines-draws",
        ("note-lines-excess", lambda: {density_2: 1 - share, density_4: 1 - weight}),
    ],
    proof=lambda: [
        step(
            "draws",
            Eq(
                bounds_of_draws(),
                counted * SO_FAR * excess_of_the_last_line()[0] + (1 - counted) * SO_FAR * share,
            ),
        ),
        step(
            "times what was found before",
            counted * SO_FAR * excess_of_the_last_line()[1] <= counted * SO_FAR * first_delta,
        ),
    ],
)
def excess_of_null_or_a_draw():
    """Excess of null or a draw, together with the results of earlier lines."""
    return Le(weighed((LAST, LAST_THERE), multiple), SO_FAR * MISSED)


# --- integrals over what a line finds --------------------------------------------------------------

FOUND = AnyFunction("E_1")
LAW = AnyDistribution("P_0")
Z = Symbol("t", real=True)


def exists(number):
    """State that a number exists: of an integral, that the integrand is measurable."""
    return Relation(number, "==", number)


@claim(
    "note-lines-density",
    place="Claim 4.1, an integral over what a line finds",
    given=lambda: [
        Every(line_13, Le(FOUND(line_13), LAW.density(line_13) * second_delta)),
        exists(Integral(FOUND(Z), (Z, -oo, oo))),
    ],
)
def integral_below_a_multiple_of_a_density():
    """Integral of a function below a multiple of a density."""
    return Le(Integral(FOUND(Z), (Z, -oo, oo)), second_delta)


# --- lines 9 to 19, from two densities of the noisy counts -----------------------------------------

PASSED_LINE_16, PASSED_THERE = AnyChance("T"), AnyChance("S")
CENTRE, CENTRE_THERE = AnyDistribution("P_3"), AnyDistribution("Q_3")
DRAW, DRAW_THERE = AnyDistribution("P_4", line_13), AnyDistribution("Q_4", line_13)


def last_lines():
    """Distributions of lines 14 to 19, given the noisy centre."""
    return (
        OrNull(PASSED_LINE_16(line_13), DRAW),
        OrNull(PASSED_THERE(line_13), DRAW_THERE),
    )


def with_the_centre():
    """Distributions of lines 13 to 19."""
    here, there = last_lines()
    return Then(CENTRE, line_13, here), Then(CENTRE_THERE, line_13, there)


def after_line_9(distributions, chance=passing_9):
    """Return the distributions of the output after line 9, which may end with null."""
    return tuple(OrNull(chance, distribution) for distribution in distributions)


def at_a_centre(here, there, distributions, *more):
    """Excess of lines 14 to 19 at a noisy centre of two densities, with all that was found before."""
    before = SO_FAR * (passing_9 * here), SO_FAR_THERE * (passing_9 * there)
    return weighed(distributions, 5 * epsilon, *before, epsilon, passing_9, *more)


def at_the_centre():
    """Return the excess of lines 14 to 19 at a noisy centre, at the densities of the centre."""
    densities = CENTRE.density(line_13), CENTRE_THERE.density(line_13)
    return at_a_centre(*densities, last_lines(), line_13)


def draws_of_line_13(distributions):
    """Return the excess of the output after line 9, without null."""
    return over_support(
        lambda p, q: excess_of(
            SO_FAR * (passing_9 * p), SO_FAR_THERE * (passing_9 * q), 5 * epsilon
        ),
        distributions,
        epsilon,
        SO_FAR,
        SO_FAR_THERE,
        passing_9,
    )


def centre_within(good, passing, here, there):
    """State that the noisy centres' densities are within a factor, unless line 8 overestimates."""
    return Le(
        good * (passing * here.density(line_13)), exp(epsilon) * (passing * there.density(line_13))
    )


def counts_within():
    """State that the densities of the two noisy counts are within a factor."""
    return exp(2 * epsilon) * SO_FAR_THERE >= SO_FAR


@claim(
    "note-lines-centre",
    place="Claim 4.1, lines 13 to 19 at a noisy centre, given the noisy counts",
    given=lambda: [
        counts_within(),
        Le(counted * (passing_9 * density_2), exp(epsilon) * (passing_9 * density_4)),
        Le(hockey_stick(LAST, LAST_THERE, 2 * epsilon), first_delta),
    ],
    using=[
        (
            "note-lines-last",
            lambda: {
                density_1: SO_FAR * (passing_9 * density_2),
                density_3: SO_FAR_THERE * (passing_9 * density_4),
                any_loss: 3 * epsilon,
                other_epsilon: 2 * epsilon,
                multiple: 5 * epsilon,
            },
        )
    ],
    proof=lambda: [
        step("the losses", Eq(exp(3 * epsilon), exp(2 * epsilon) * exp(epsilon))),
        step(
            "what was found before",
            SO_FAR * (counted * (passing_9 * density_2))
            <= exp(3 * epsilon) * (SO_FAR_THERE * (passing_9 * density_4)),
        ),
    ],
)
def excess_at_a_centre():
    """Excess of lines 13 to 19 at a noisy centre, with the noisy counts."""
    return Le(
        at_a_centre(density_2, density_4, (LAST, LAST_THERE), density_2, density_4, share, weight),
        density_2 * (SO_FAR * passing_9 * MISSED),
    )


def put_the_centre_in():
    """Put in the densities and the distributions at the noisy centre."""
    return {
        density_2: CENTRE.density(line_13),
        density_4: CENTRE_THERE.density(line_13),
        share: PASSED_LINE_16(line_13),
        weight: PASSED_THERE(line_13),
        **distribution_for(P, DRAW),
        **distribution_for(Q, DRAW_THERE),
    }


def centre_and_last_lines():
    """State claim C.8 and corollary C.3 at each noisy centre, and that the integral exists."""
    return [
        Every(line_13, centre_within(counted, passing_9, CENTRE, CENTRE_THERE)),
        Every(line_13, Le(hockey_stick(*last_lines(), 2 * epsilon), first_delta)),
    ]


def null_of_line_9(loss):
    """The steps to that null of line 9 adds nothing."""
    return [
        step("a larger loss", exp(2 * epsilon) <= exp(loss)),
        step("the counts", exp(loss) * SO_FAR_THERE >= SO_FAR),
        step("with null", SO_FAR * (1 - passing_9) <= exp(loss) * SO_FAR_THERE * (1 - passing_9)),
        step(
            "null adds nothing",
            Le(excess_of(SO_FAR * (1 - passing_9), SO_FAR_THERE * (1 - passing_9), loss), 0),
        ),
    ]


@claim(
    "note-lines-9-19",
    place="Claim 4.1, lines 9 to 19, given the noisy counts",
    given=lambda: [
        counts_within(),
        *centre_and_last_lines(),
        exists(draws_of_line_13(with_the_centre())),
    ],
    using=[
        ("note-lines-centre", put_the_centre_in),
        (
            "note-lines-density",
            lambda: {
                FOUND: Lambda((line_13,), at_the_centre()),
                **distribution_for(LAW, CENTRE),
                second_delta: SO_FAR * passing_9 * MISSED,
            },
        ),
    ],
    proof=lambda: [
        *null_of_line_9(5 * epsilon),
        step("line 9 may be passed", SO_FAR * passing_9 * MISSED <= SO_FAR * MISSED),
    ],
)
def excess_of_lines_9_to_19():
    """Excess of lines 9 to 19, with the noisy counts."""
    return Le(
        weighed(after_line_9(with_the_centre()), 5 * epsilon, SO_FAR, SO_FAR_THERE, epsilon),
        SO_FAR * MISSED,
    )


# --- line 8 ----------------------------------------------------------------------------------------

SECOND = AnyDistribution("P_2")
NO_OVERESTIMATE = AnyChance("good")
line_6_here = density_2


def overestimated(second, good):
    """Probability that line 8 overestimates."""
    return Integral(second.density(Z) * (1 - good(Z)), (Z, -oo, oo))


def bound_at_line_8():
    """Return the bound on the excess at the result of line 8."""
    good = NO_OVERESTIMATE(line_8)
    return SECOND.density(line_8) * (line_6_here * (first_delta * good + (1 - good)))


@claim(
    "note-lines-8",
    place="Claim 4.1, an integral over what line 8 finds",
    given=lambda: [
        Every(line_8, Le(FOUND(line_8), bound_at_line_8())),
        Le(overestimated(SECOND, NO_OVERESTIMATE), second_delta),
        exists(Integral(FOUND(Z), (Z, -oo, oo))),
    ],
)
def integral_over_line_8():
    """Integral over the second noisy count, by the probability of an overestimate."""
    return Le(Integral(FOUND(Z), (Z, -oo, oo)), line_6_here * (first_delta + second_delta))
