"""Programs that are nearly right are refused: at edges that the exercise names, and at drawn inputs.

The inputs are drawn from the exercise's own id, so these tests do not depend on chance; a grader's seed
draws others.
"""

import math
import random

import pytest

from dpbook.langevin.exercises.chains import drawn_chain, exact_gap, stepwise_gap
from dpbook.langevin.exercises.posterior import drawn_distributions, right_divergence
from dpbook.teaching import exercises
from dpbook.teaching.questions import Mark

SEEDS = ("", "2027", "another")


def divergence(mean_1, sd_1, mean_2, sd_2, order):
    """The right program, as a student writes it."""
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    if shifted <= 0:
        return math.inf
    return (
        order * (mean_1 - mean_2) ** 2 / (2 * shifted)
        + math.log(sd_2 / sd_1)
        + math.log(sd_2**2 / shifted) / (2 * (order - 1))
    )


def far(mean_1, sd_1, mean_2, sd_2, order):
    distance = min(abs(mean_1 - mean_2), 50)
    return divergence(distance, sd_1, 0, sd_2, order)


def high(mean_1, sd_1, mean_2, sd_2, order):
    return divergence(mean_1, sd_1, mean_2, sd_2, min(order, 100))


def boundary(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    if shifted < 0:
        return math.inf
    return (
        order * (mean_1 - mean_2) ** 2 / (2 * shifted)
        + math.log(sd_2 / sd_1)
        + math.log(sd_2**2 / shifted) / (2 * (order - 1))
    )


def zero_at_the_boundary(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    return 0.0 if shifted == 0 else divergence(mean_1, sd_1, mean_2, sd_2, order)


def small(mean_1, sd_1, mean_2, sd_2, order):
    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    return math.inf if shifted <= 1e-9 else divergence(mean_1, sd_1, mean_2, sd_2, order)


def sign(mean_1, sd_1, mean_2, sd_2, order):
    return abs(divergence(mean_1, sd_1, mean_2, sd_2, order)) * (1 if mean_1 < mean_2 + 100 else -1)


def one_order_more(mean_1, sd_1, mean_2, sd_2, order):
    return divergence(mean_1, sd_1, mean_2, sd_2, order + 1)


def gap(n, alpha, beta, x_h, c, position, epochs):
    return stepwise_gap((n, alpha, beta, x_h, c, position, epochs))


def gap_at_last(n, alpha, beta, x_h, c, position, epochs):
    return gap(n, alpha, beta, x_h, c, 1 if position == n else position, epochs)


def gap_capped(n, alpha, beta, x_h, c, position, epochs):
    return gap(n, alpha, beta, x_h, c, position, min(epochs, 10))


def gap_negated(n, alpha, beta, x_h, c, position, epochs):
    return -gap(n, alpha, beta, x_h, c, position, epochs)


def gap_one_later(n, alpha, beta, x_h, c, position, epochs):
    return gap(n, alpha, beta, x_h, c, position, epochs + 1)


def gap_next_place(n, alpha, beta, x_h, c, position, epochs):
    return gap(n, alpha, beta, x_h, c, position % n + 1, epochs)


RIGHT = {"langevin:divergence-program": divergence, "langevin:gap-program": gap}
KINDS = ("boundary", "cap", "sign", "off by one")
WRONG = {
    "langevin:divergence-program": {
        "boundary": (boundary, zero_at_the_boundary, small),
        "cap": (far, high),
        "sign": (sign,),
        "off by one": (one_order_more,),
    },
    "langevin:gap-program": {
        "boundary": (gap_at_last,),
        "cap": (gap_capped,),
        "sign": (gap_negated,),
        "off by one": (gap_one_later, gap_next_place),
    },
}
EACH_WRONG = [
    (key, one) for key, kinds in WRONG.items() for wrongs in kinds.values() for one in wrongs
]


def judged(key, function, seed=""):
    """As the engine judges it, the function being called here: none of these does harm."""
    made = exercises.find(key).as_graded(seed)
    tried = made.agrees.tried(made.parameters, f"{made.key} {made.seed}")
    for one in (*made.properties, tried):
        try:
            said = one.test(function)
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        if said:
            return said
    return ""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", RIGHT)
def test_right_program_is_right_whatever_is_drawn(key, seed):
    assert judged(key, RIGHT[key], seed) == ""


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("key", "wrong"), EACH_WRONG)
def test_wrong_program_is_refused_whatever_is_drawn(key, wrong, seed):
    assert judged(key, wrong, seed)


class Here:
    """Call a function here, as if it ran in a process of its own."""

    def __init__(self, function):
        self.function = function

    def refused(self, parameters):
        return ""

    def allow(self, seconds):
        """Let it run: it is known to end."""

    def __call__(self, *arguments):
        return self.function(*arguments)


@pytest.mark.parametrize("seed", SEEDS[:2])
def test_visible_check_says_that_grading_tries_other_inputs(seed):
    said = exercises.find("langevin:gap-program").as_graded(seed)._judged(Here(gap)).message
    assert said.startswith("it has all")
    assert said.endswith("grading in a course tries other inputs as well") is (seed == "")


def test_every_program_exercise_of_the_book_has_a_wrong_program_of_each_kind_here():
    programs = {key for key, one in exercises.all_exercises().items() if hasattr(one, "agrees")}
    assert programs == set(RIGHT) == set(WRONG)
    assert all(tuple(kinds) == KINDS for kinds in WRONG.values())
    assert all(exercises.find(key).agrees is not None for key in programs)


def test_seed_alone_decides_what_is_drawn():
    for draw in (drawn_distributions, drawn_chain):
        assert draw(random.Random("a")) == draw(random.Random("a"))
        assert draw(random.Random("a")) != draw(random.Random("b"))


def test_references_are_the_claims():
    """Of the divergence the claim itself; of the gap the exact distribution against its steps."""
    rng = random.Random(5)
    for _ in range(20):
        chain = drawn_chain(rng)
        assert math.isclose(exact_gap(*chain), stepwise_gap(chain), rel_tol=1e-7, abs_tol=1e-9)
        values = drawn_distributions(rng)
        assert math.isclose(right_divergence(*values), divergence(*values), rel_tol=1e-7)


def test_boundary_is_refused_by_the_check_and_says_where():
    outcome = exercises.check("langevin:divergence-program", zero_at_the_boundary)
    assert outcome.verdict is Mark.WRONG
    assert "it is 0 and not inf at mean_1 = 0, sd_1 = 3, mean_2 = 0, sd_2 = 1" in outcome.message
    outcome = exercises.check("langevin:divergence-program", boundary)
    assert outcome.verdict is Mark.WRONG
    assert "ZeroDivisionError: float division by zero, at mean_1 = 0, sd_1 = 3" in outcome.message
