"""Section 5: propose-test-release for any mechanism."""

from sympy import Ge, Le, Max, exp, oo

from dpbook import Either, Noted, as_tree, claim, step
from dpbook.depth_medians.claims.section_3 import above_loss
from dpbook.depth_medians.notation import (
    accepts,
    accepts_next,
    any_delta,
    delta_1,
    delta_2,
    delta_3,
    epsilon,
    epsilon_1,
    epsilon_2,
    factor,
    nothing_too,
    share_here,
    share_there,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent, distribution_for
from dpbook.privacy.distributions import Bernoulli
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.statements import Interval, probability

# --- definitions ----------------------------------------------------------------------------------


@claim("definition-5.1", place="Definition 5.1")
def test_mechanism():
    """Test mechanism."""
    return Noted("a definition: it passes with a probability lambda that depends on the data")


@claim("definition-5.2", place="Definition 5.2")
def propose_test_release():
    """Propose-test-release mechanism."""
    return Noted("a definition: a draw with probability lambda, else nothing")


@claim("definition-5.3", place="Definition 5.3")
def safety_of_a_mechanism():
    """Safety of a mechanism at a dataset."""
    return Noted("a definition: the mechanism is (epsilon, delta)-close to that of each neighbour")


@claim("definition-5.4", place="Definition 5.4; 0 is in Z+, as in definition-3.2")
def safety_margin_of_a_mechanism():
    """Safety margin of a dataset for a mechanism."""
    return Noted("a definition: the least number of rows to replace until it is not safe")


# --- theorems -------------------------------------------------------------------------------------


P, Q = (
    AnyDistribution("P"),
    AnyDistribution("Q"),
)  # of the mechanism, for a dataset and for its neighbour
A = AnyEvent("A")


@claim("note-event", place="used in Theorems 5.1 and 5.2, of any distribution and any event")
def range_of_a_probability():
    """Probability of an event, between 0 and 1."""
    return [Ge(probability(P, A), 0), Le(probability(P, A), 1)]


def of_both_distributions(label):
    """Use of note-event for both distributions, and of a lemma at the probabilities of the event."""
    there = {share_here: probability(P, A), share_there: probability(Q, A)}
    return ["note-event", ("note-event", lambda: distribution_for(P, Q)), (label, lambda: there)]


def private_test():
    """State that the test is private, at both of its events that say something."""
    return [
        Le(accepts, exp(epsilon_1) * accepts_next + delta_1),
        Le(1 - accepts, exp(epsilon_1) * (1 - accepts_next) + delta_1),
    ]


def safe_or_seldom(here, there):
    """State that a dataset is safe at an event, or passes with a small chance."""
    safe = as_tree(Le(here, exp(epsilon_2) * there + delta_2))
    return Either((safe, as_tree(Le(accepts, delta_3))))


def released_event(accepted, chance_of):
    """Return the probability of an event of the release: of outputs, and of nothing where b is 1."""
    return accepted * chance_of + nothing_too * (1 - accepted)


@claim(
    "note-5.1-test",
    place="Theorem 5.1: at most one of both events of the test is more likely than privacy alone allows",
    given=private_test,
    proof=lambda: [
        step(
            "both together",
            Le(
                (accepts - exp(epsilon_1) * accepts_next)
                + (1 - accepts - exp(epsilon_1) * (1 - accepts_next)),
                0,
            ),
        )
    ],
)
def excesses_of_a_private_test():
    """Excesses of both events of a private test."""
    return Le(
        above_loss(accepts, accepts_next, epsilon_1)
        + above_loss(1 - accepts, 1 - accepts_next, epsilon_1),
        delta_1,
    )


@claim("note-5.1-nothing", place="Theorem 5.1, that nothing is released")
def chance_of_nothing():
    """Probability that nothing is released, for two datasets."""
    return Le(
        nothing_too * (1 - accepts),
        exp(epsilon_1 + epsilon_2) * (nothing_too * (1 - accepts_next))
        + above_loss(1 - accepts, 1 - accepts_next, epsilon_1),
    )


@claim(
    "note-5.1-output",
    place="Theorem 5.1, an event of the outputs",
    given=lambda: [safe_or_seldom(share_here, share_there)],
    proof=lambda: [step("what is beyond delta", Le(Max(0, share_here - delta_2), 1))],
    time_limit=60,
)
def chance_of_an_output():
    """Probability that an output in an event is released, for two datasets."""
    return Le(
        accepts * share_here,
        exp(epsilon_1 + epsilon_2) * (accepts_next * share_there)
        + above_loss(accepts, accepts_next, epsilon_1)
        + Max(delta_2, delta_3),
    )


@claim(
    "note-5.1-numbers",
    place="Theorem 5.1, for the probabilities of an event",
    given=lambda: [*private_test(), safe_or_seldom(share_here, share_there)],
    using=["note-5.1-test", "note-5.1-nothing", "note-5.1-output"],
)
def probabilities_of_a_released_event():
    """Probability of an event of a release, for two datasets, in numbers."""
    return Le(
        released_event(accepts, share_here),
        exp(epsilon_1 + epsilon_2) * released_event(accepts_next, share_there)
        + delta_1
        + Max(delta_2, delta_3),
    )


@claim(
    "theorem-5.1",
    place="Theorem 5.1, for any mechanism and any event, of outputs and of nothing: the dataset is safe, or passes with a "
    "chance of at most delta_3, not below it, which is what eq. 3.1 needs. With the datasets exchanged it is the same "
    "statement. In the last display of its proof nothing has the probability of the neighbour",
    given=lambda: [*private_test(), safe_or_seldom(probability(P, A), probability(Q, A))],
    using=of_both_distributions("note-5.1-numbers"),
)
def privacy_of_propose_test_release():
    """Privacy of propose-test-release."""
    return Le(
        released_event(accepts, probability(P, A)),
        exp(epsilon_1 + epsilon_2) * released_event(accepts_next, probability(Q, A))
        + delta_1
        + Max(delta_2, delta_3),
    )


ANY_OUTPUT = Interval(-oo, oo)


@claim(
    "theorem-5.2.i",
    place="Theorem 5.2, item 1, for any mechanism, P and Q its distributions for two neighbours: the release is private at the event that nothing is released and at that of any output, which are the conditions, and with "
    "the datasets exchanged. These are all events of a test that say something. delta_r is delta, which may exceed 1/2 here",
    given=lambda: [
        Le(1 - accepts, exp(epsilon) * (1 - accepts_next) + any_delta),
        Le(
            accepts * probability(P, ANY_OUTPUT),
            exp(epsilon) * (accepts_next * probability(Q, ANY_OUTPUT)) + any_delta,
        ),
    ],
)
def privacy_of_the_test_from_that_of_the_release():
    """Privacy of the test in a private propose-test-release."""
    return Le(hockey_stick(Bernoulli(accepts), Bernoulli(accepts_next), epsilon), any_delta)


def private_release(here, there):
    """State that the release is private at an event of outputs, and at all other outputs."""
    outputs = [(accepts * here, accepts_next * there), (accepts_next * there, accepts * here)]
    others = [
        (accepts * (1 - here), accepts_next * (1 - there)),
        (accepts_next * (1 - there), accepts * (1 - here)),
    ]
    return [Le(one, exp(epsilon) * other + any_delta) for one, other in (*outputs, *others)]


def shares():
    """Return the probabilities of an event for two datasets, in numbers."""
    return share_here, share_there


@claim(
    "note-5.2-numbers.i",
    place="Theorem 5.2, item 2, for the probabilities of an event; even without the factor exp(epsilon)",
    given=lambda: [accepts > 1 / factor, *private_release(*shares())],
    proof=lambda: [
        step("k times", Ge(factor * accepts, 1)),
        step(
            "without it",
            Either(
                (
                    as_tree(Le(accepts_next * share_there, exp(epsilon) * (accepts * share_there))),
                    as_tree(
                        Ge(
                            accepts_next * (1 - share_there),
                            exp(epsilon) * (accepts * (1 - share_there)),
                        )
                    ),
                )
            ),
        ),
        step(
            "times the chance to pass",
            Le(accepts * share_here, exp(2 * epsilon) * (accepts * share_there) + any_delta),
        ),
        step("delta", Le(any_delta, factor * any_delta * accepts)),
        step(
            "together",
            Le(accepts * (share_here - exp(2 * epsilon) * share_there - factor * any_delta), 0),
        ),
    ],
    time_limit=60,
)
def safety_in_numbers():
    """Probability of an event of the mechanism, from privacy of the release, in numbers."""
    return Le(share_here, exp(2 * epsilon) * share_there + factor * any_delta)


@claim(
    "note-5.2-numbers.ii",
    place="Theorem 5.2, item 2, for the probabilities of an event, the datasets exchanged",
    given=lambda: [accepts > 1 / factor, *private_release(*shares())],
    proof=lambda: [
        step("k times", Ge(factor * accepts, 1)),
        step(
            "times the chance to pass",
            Le(
                accepts * share_there,
                exp(2 * epsilon) * (accepts * share_here) + exp(epsilon) * any_delta,
            ),
        ),
        step("delta", Le(exp(epsilon) * any_delta, exp(epsilon) * factor * any_delta * accepts)),
        step(
            "together",
            Le(
                accepts
                * (share_there - exp(2 * epsilon) * share_here - exp(epsilon) * factor * any_delta),
                0,
            ),
        ),
    ],
    time_limit=60,
)
def safety_of_the_neighbour_in_numbers():
    """Probability of an event for the neighbour, from privacy of the release, in numbers."""
    return Le(share_there, exp(2 * epsilon) * share_here + exp(epsilon) * factor * any_delta)


@claim(
    "theorem-5.2.ii",
    place="Theorem 5.2, item 2, for any mechanism and any event; delta_r is delta, which may exceed 1/2 here. The printed proof uses privacy at the "
    "event only, which gives k delta (1 + exp(epsilon)); privacy at its complement too gives k delta exp(epsilon)",
    given=lambda: [
        accepts > 1 / factor,
        *private_release(probability(P, A), probability(Q, A)),
    ],
    using=[
        *of_both_distributions("note-5.2-numbers.i"),
        of_both_distributions("note-5.2-numbers.ii")[-1],
    ],
    proof=lambda: [
        step("the factor", Ge(exp(epsilon) * factor * any_delta, factor * any_delta)),
    ],
)
def safety_from_privacy():
    """Safety of the mechanism in a private propose-test-release."""
    here, there = probability(P, A), probability(Q, A)
    return [
        Le(here, exp(2 * epsilon) * there + factor * any_delta * exp(epsilon)),
        Le(there, exp(2 * epsilon) * here + factor * any_delta * exp(epsilon)),
    ]
