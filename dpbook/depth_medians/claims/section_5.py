"""Section 5: propose-test-release for any mechanism."""

import math

import numpy as np
from sympy import Ge, Le, exp

from dpbook.depth_medians.claims.section_3 import above_loss, released
from dpbook.depth_medians.notation import (
    chance,
    chance_next,
    delta,
    delta_1,
    delta_2,
    delta_3,
    epsilon,
    epsilon_1,
    epsilon_2,
    factor,
    passes,
    passes_next,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Noted, Statistical
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.laws import Bernoulli

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


# --- random mechanisms ----------------------------------------------------------------------------


def divergence(first, second, loss):
    """Hockey-stick divergence of two finite laws, the larger of both ways."""
    return max(
        float(np.maximum(one - math.exp(loss) * other, 0).sum())
        for one, other in ((first, second), (second, first))
    )


def pair_of_laws(rng):
    """Two laws on two to five points, close or far."""
    size = int(rng.integers(2, 6))
    first = rng.dirichlet(np.ones(size))
    second = first * np.exp(rng.normal(scale=rng.choice([0.1, 1.0, 3.0]), size=size))
    return first, second / second.sum()


def release_of(passing, law):
    """Law of a release: nothing stands last."""
    return np.append(passing * law, 1 - passing)


def random_tests_and_mechanisms(rng, size):
    """P-value 1 where Theorem 5.1 holds of every random pair, else 0."""
    for _ in range(size):
        first, second = pair_of_laws(rng)
        here, there = rng.random(2)
        if rng.random() < 0.5:
            here, there = here**8, there**8
        test_loss, loss = rng.exponential(size=2)
        test_delta = divergence(np.array([here, 1 - here]), np.array([there, 1 - there]), test_loss)
        delta_of_law = divergence(first, second, loss)  # or unsafe, and passes with at most delta_3
        for last in (delta_of_law, max(here, there)):
            found = divergence(release_of(here, first), release_of(there, second), test_loss + loss)
            if found > test_delta + last + 1e-12:
                return 0.0
    return 1.0


# --- theorems -------------------------------------------------------------------------------------


@claim(
    "theorem-5.1",
    place="Theorem 5.1; lambda of at most delta_3, not below it, is what eq. 3.1 needs and what is "
    "tried. In the last display of its proof nothing has the probability of the neighbour",
    scope="mechanisms with two outputs are proved (theorem-5.1.safe-binary, theorem-5.1.unsafe-binary): "
    "an event and its complement; laws on up to five points are tried",
)
def privacy_of_propose_test_release():
    """Privacy of propose-test-release."""
    return Statistical(
        random_tests_and_mechanisms,
        "propose-test-release on two neighbours, for random laws on finitely many points",
        size=4000,
    )


def chances_of_one_output():
    """The chances of the two outputs of the mechanism, for both datasets."""
    return ((chance, chance_next), (1 - chance, 1 - chance_next))


def nothing_released():
    """That nothing is released, at the sum of both losses and at that of the test."""
    return Le(
        above_loss(1 - passes, 1 - passes_next, epsilon_1 + epsilon_2),
        above_loss(1 - passes, 1 - passes_next, epsilon_1),
    )


@claim(
    "theorem-5.1.safe-binary",
    place="Theorem 5.1 where a dataset is safe, for a mechanism with two outputs",
    given=lambda: [
        hockey_stick(Bernoulli(passes), Bernoulli(passes_next), epsilon_1) <= delta_1,
        hockey_stick(Bernoulli(chance), Bernoulli(chance_next), epsilon_2) <= delta_2,
    ],
    proof=lambda: [
        step("that nothing is released", nothing_released()),
        step(
            "an output, by the mechanism and by the test",
            [
                Le(
                    above_loss(passes * here, passes_next * there, epsilon_1 + epsilon_2),
                    above_loss(here, there, epsilon_2)
                    + here * above_loss(passes, passes_next, epsilon_1),
                )
                for here, there in chances_of_one_output()
            ],
        ),
    ],
    time_limit=60,
)
def privacy_where_safe():
    """Privacy of propose-test-release at a safe dataset, two outputs."""
    return Le(
        hockey_stick(
            released(passes, chance), released(passes_next, chance_next), epsilon_1 + epsilon_2
        ),
        delta_1 + delta_2,
    )


@claim(
    "theorem-5.1.unsafe-binary",
    place="Theorem 5.1 where a dataset is not safe, for a mechanism with two outputs",
    given=lambda: [
        hockey_stick(Bernoulli(passes), Bernoulli(passes_next), epsilon_1) <= delta_1,
        passes <= delta_3,
    ],
    proof=lambda: [
        step("that nothing is released", nothing_released()),
        step(
            "an output",
            [
                Le(
                    above_loss(passes * here, passes_next * there, epsilon_1 + epsilon_2),
                    passes * here,
                )
                for here, there in chances_of_one_output()
            ],
        ),
    ],
    time_limit=60,
)
def privacy_where_unsafe():
    """Privacy of propose-test-release at a dataset that is not safe, two outputs."""
    return Le(
        hockey_stick(
            released(passes, chance), released(passes_next, chance_next), epsilon_1 + epsilon_2
        ),
        delta_1 + delta_3,
    )


@claim(
    "theorem-5.2.i",
    place="Theorem 5.2, item 1, at the event that nothing is released and at its complement, which "
    "are all events of a test",
    given=lambda: [
        hockey_stick(released(passes, chance), released(passes_next, chance_next), epsilon) <= delta
    ],
    time_limit=60,
)
def privacy_of_the_test_from_that_of_the_release():
    """Privacy of the test in a private propose-test-release."""
    return Le(hockey_stick(Bernoulli(passes), Bernoulli(passes_next), epsilon), delta)


def random_private_releases(rng, size):
    """P-value 1 where item 2 of Theorem 5.2 holds of every random pair, else 0."""
    for _ in range(size):
        first, second = pair_of_laws(rng)
        here, there = rng.random(2) ** rng.choice([0.2, 1.0])
        loss = float(rng.exponential())
        spent = divergence(release_of(here, first), release_of(there, second), loss)
        # k > 1 / lambda, so lambda(nu) > 1 / k; the bound is the least over such k
        if divergence(first, second, 2 * loss) > spent * math.exp(loss) / here + 1e-9:
            return 0.0
    return 1.0


@claim(
    "theorem-5.2.ii",
    place="Theorem 5.2, item 2; its two lines leave out what the complement of the event gives, "
    "without which k delta (1 + exp(epsilon)) would come out",
    scope="laws on up to five points; two outputs: theorem-5.2.ii-binary",
)
def safety_from_privacy():
    """Safety of the mechanism in a private propose-test-release."""
    return Statistical(
        random_private_releases,
        "safety of what a private propose-test-release releases, for random laws on finitely many points",
        size=4000,
    )


@claim(
    "theorem-5.2.ii-binary",
    place="Theorem 5.2, item 2, for a mechanism with two outputs",
    given=lambda: [
        passes > 1 / factor,
        hockey_stick(released(passes, chance), released(passes_next, chance_next), epsilon)
        <= delta,
        hockey_stick(released(passes_next, chance_next), released(passes, chance), epsilon)
        <= delta,
    ],
    proof=lambda: [
        step(
            "an output of both",
            [
                Le(passes * here - exp(epsilon) * (passes_next * there), delta)
                for here, there in chances_of_one_output()
            ],
        ),
        step(
            "with the datasets exchanged",
            [
                Le(passes_next * there - exp(epsilon) * (passes * here), delta)
                for here, there in chances_of_one_output()
            ],
        ),
        step(
            "times the chance to pass",
            [
                Le(passes * (here - exp(2 * epsilon) * there), delta * exp(epsilon))
                for here, there in chances_of_one_output()
            ],
        ),
        step(
            "without it",
            [
                Le(here - exp(2 * epsilon) * there, factor * delta * exp(epsilon))
                for here, there in chances_of_one_output()
            ],
        ),
        step("only one of the two is above 0", Ge(exp(2 * epsilon), 1)),
    ],
    time_limit=60,
)
def safety_from_privacy_of_two_outputs():
    """Safety of the mechanism in a private propose-test-release, two outputs."""
    return Le(
        hockey_stick(Bernoulli(chance), Bernoulli(chance_next), 2 * epsilon),
        factor * delta * exp(epsilon),
    )
