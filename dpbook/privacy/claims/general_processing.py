"""Post-processing: an output is sent through a channel, which answers at random and knows no data.

A channel has a distribution of its answer for each outcome. Bounds on two distributions are bounds on their answers.
"""

from sympy import Eq, Integer, Le, Max, Sum, Symbol, exp

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyFiniteDistribution, Processed, distribution_for
from dpbook.privacy.claims.sources import DWORK_ROTH, HERE, MIRONOV
from dpbook.privacy.divergences import hockey_stick, renyi_moment, total_variation
from dpbook.privacy.notation import (
    density_1,
    density_2,
    density_3,
    density_4,
    epsilon,
    first_delta,
    first_outcome,
    last_outcome,
    multiple,
    nu,
    other_last,
    other_multiple,
    outcome,
)
from dpbook.privacy.statements import private

F, G = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G"))
CHANNEL = AnyFiniteDistribution("W", other_last, first_outcome)
SENT_F, SENT_G = (Processed(distribution, first_outcome, CHANNEL) for distribution in (F, G))


def answered(outcome, answer):
    """Return the probability of an answer to an outcome."""
    return CHANNEL.xreplace({first_outcome: outcome}).density(answer)


def over_outcomes(body):
    """Return the sum over the outcomes."""
    j = Symbol("i", integer=True)
    return Sum(body(j), (j, 0, last_outcome))


def over_answers(body):
    """Return the sum over the answers."""
    k = Symbol("k", integer=True)
    return Sum(body(k), (k, 0, other_last))


def sent_to(answer, body):
    """Return the sum over the outcomes, each with its probability of an answer."""
    return over_outcomes(lambda j: body(j) * answered(j, answer))


def sent(body):
    """Return the sum over the outcomes and over all answers."""
    return over_answers(lambda k: sent_to(k, body))


def other_order(body):
    """Return the step from the answers of each outcome to the outcomes of each answer."""
    swapped = over_outcomes(lambda j: over_answers(lambda k: body(j) * answered(j, k)))
    return step("the other order", Eq(sent(body), swapped))


def difference(at, first=F, second=G):
    """Return the mass of an outcome, less a multiple of its mass under the other distribution."""
    return first.density(at) - exp(epsilon) * second.density(at)


def excess(at):
    """Return the excess of the mass of an outcome."""
    return Max(difference(at), 0)


@claim(
    "processing-difference",
    source=DWORK_ROTH,
    place="Proposition 2.1, proof",
    given=lambda: [outcome <= other_last],
    proof=lambda: [
        step(
            "one sum",
            Eq(
                difference(outcome, SENT_F, SENT_G),
                sent_to(outcome, difference),
            ),
        ),
        step(
            "term by term",
            sent_to(outcome, difference) <= sent_to(outcome, excess),
        ),
    ],
)
def difference_of_an_answer():
    """Difference of the masses of an answer, below the excesses of the outcomes that lead to it."""
    return Le(
        difference(outcome, SENT_F, SENT_G),
        sent_to(outcome, excess),
    )


@claim("excess-below", source=HERE, given=lambda: [multiple <= other_multiple, other_multiple >= 0])
def excess_below_a_bound():
    """Excess of a number over 0, below any number above both."""
    return Le(Max(multiple, 0), other_multiple)


@claim(
    "processing-excess",
    source=DWORK_ROTH,
    place="Proposition 2.1, proof",
    given=lambda: [outcome <= other_last],
    using=[
        "processing-difference",
        (
            "excess-below",
            lambda: {
                multiple: difference(outcome, SENT_F, SENT_G),
                other_multiple: sent_to(outcome, excess),
            },
        ),
    ],
    proof=lambda: [
        step(
            "no term is negative",
            sent_to(outcome, excess) >= 0,
        ),
    ],
)
def excess_of_an_answer():
    """Excess of the mass of an answer, below the excesses of the outcomes that lead to it."""
    return Le(
        Max(difference(outcome, SENT_F, SENT_G), 0),
        sent_to(outcome, excess),
    )


@claim(
    "processing-sum",
    source=DWORK_ROTH,
    place="Proposition 2.1, proof",
    proof=lambda: [other_order(excess)],
)
def excess_over_all_answers():
    """Excesses of the outcomes, summed over all answers: a channel loses nothing."""
    return Eq(sent(excess), hockey_stick(F, G, epsilon))


@claim(
    "processing-profile",
    source=DWORK_ROTH,
    place="Proposition 2.1",
    using=[("processing-excess", lambda: {outcome: outcome}), "processing-sum"],
    proof=lambda: [
        step("answer by answer", hockey_stick(SENT_F, SENT_G, epsilon) <= sent(excess)),
    ],
)
def profile_of_the_answers():
    """Hockey-stick divergence of the answers of a channel to two distributions."""
    return Le(hockey_stick(SENT_F, SENT_G, epsilon), hockey_stick(F, G, epsilon))


@claim(
    "processing",
    source=DWORK_ROTH,
    place="Proposition 2.1",
    given=lambda: [private(F, G, epsilon, first_delta)],
    using=[
        "processing-profile",
        ("processing-profile", lambda: {**distribution_for(F, G), **distribution_for(G, F)}),
    ],
)
def privacy_of_the_answers():
    """Privacy of the answers of a channel to two distributions: post-processing by any map of finitely many outcomes, random or not."""
    return private(SENT_F, SENT_G, epsilon, first_delta)


@claim(
    "processing-variation",
    source=HERE,
    place="data processing",
    using=[("processing-profile", lambda: {epsilon: Integer(0)})],
)
def total_variation_of_the_answers():
    """Total variation distance of the answers of a channel to two distributions."""
    return Le(total_variation(SENT_F, SENT_G), total_variation(F, G))


# --- Renyi divergence -----------------------------------------------------------------------------


def tangent(first, second, total=density_2, other_total=density_4):
    """Return the combination of two masses that touches their power at the totals, over that power."""
    return nu * first / total - (nu - 1) * second / other_total


@claim(
    "tangent-at-the-totals",
    source=HERE,
    given=lambda: [density_1 > 0, density_2 > 0, density_3 > 0, density_4 > 0],
    using=[
        (
            "moment-above-tangent",
            lambda: {density_1: density_1 / density_2, density_3: density_3 / density_4},
        )
    ],
)
def power_above_its_tangent_at_the_totals():
    """Integrand of a moment, above a combination that touches it at two totals."""
    return Le(
        density_2**nu * density_4 ** (1 - nu) * tangent(density_1, density_3),
        density_1**nu * density_3 ** (1 - nu),
    )


def power(at, first=F, second=G):
    """Return the term of the moment of two distributions."""
    return first.density(at) ** nu * second.density(at) ** (1 - nu)


def all_positive(distributions, at, last):
    """State that every outcome has a positive mass under both distributions."""
    inside = (Relation(at, "<=", last),)
    return [
        Every(at, Relation(distribution.density(at), ">", Integer(0)), inside)
        for distribution in distributions
    ]


def positive():
    """State that every outcome has a positive mass."""
    return all_positive((F, G), first_outcome, last_outcome)


def answers_occur():
    """State that every answer has a positive mass."""
    return all_positive((SENT_F, SENT_G), outcome, other_last)


def totals():
    """Return the masses of an answer, for the totals of the tangent."""
    return {density_2: SENT_F.density(outcome), density_4: SENT_G.density(outcome)}


def at_the_totals(at):
    """Return the tangent of an outcome at the masses of an answer."""
    return tangent(F.density(at), G.density(at), *totals().values())


def sent_power():
    """Return the term of the moment of the answers."""
    return power(outcome, SENT_F, SENT_G)


@claim(
    "sum-of-tangents",
    source=HERE,
    given=lambda: [outcome <= other_last, density_2 > 0, density_4 > 0],
)
def sum_of_tangents():
    """Tangents of all outcomes, summed with the probabilities of an answer."""
    return Eq(
        over_outcomes(lambda j: tangent(F.density(j), G.density(j)) * answered(j, outcome)),
        tangent(SENT_F.density(outcome), SENT_G.density(outcome)),
    )


@claim(
    "processing-moment-term",
    source=MIRONOV,
    place="data processing, proof",
    given=lambda: [
        *positive(),
        outcome <= other_last,
        SENT_F.density(outcome) > 0,
        SENT_G.density(outcome) > 0,
    ],
    using=[
        (
            "tangent-at-the-totals",
            lambda: {
                density_1: F.density(first_outcome),
                density_3: G.density(first_outcome),
                **totals(),
            },
        ),
        ("sum-of-tangents", totals),
    ],
    proof=lambda: [
        step(
            "the tangents add up to 1",
            Eq(sent_to(outcome, at_the_totals), 1),
        ),
        step(
            "what holds of every outcome, summed",
            over_outcomes(lambda j: sent_power() * at_the_totals(j) * answered(j, outcome))
            <= sent_to(outcome, power),
        ),
        step(
            "a factor of all terms",
            Eq(
                over_outcomes(lambda j: sent_power() * at_the_totals(j) * answered(j, outcome)),
                sent_power() * sent_to(outcome, at_the_totals),
            ),
        ),
    ],
)
def term_of_the_moment_of_the_answers():
    """Term of the moment of the answers, below the terms of the outcomes that lead to it."""
    return Le(sent_power(), sent_to(outcome, power))


@claim(
    "processing-moment-sum",
    source=MIRONOV,
    place="data processing, proof",
    given=positive,
    proof=lambda: [other_order(power)],
)
def moment_over_all_answers():
    """Terms of the moment, summed over all answers."""
    return Eq(sent(power), renyi_moment(F, G, nu))


@claim(
    "processing-renyi",
    source=MIRONOV,
    place="data processing",
    given=lambda: [*positive(), *answers_occur()],
    using=[("processing-moment-term", lambda: {outcome: outcome}), "processing-moment-sum"],
    proof=lambda: [step("answer by answer", renyi_moment(SENT_F, SENT_G, nu) <= sent(power))],
)
def moment_of_the_answers():
    """Moment of the answers of a channel to two distributions: so the Renyi divergence does not grow."""
    return Le(renyi_moment(SENT_F, SENT_G, nu), renyi_moment(F, G, nu))
