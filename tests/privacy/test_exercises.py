"""The answers that the exercises of the chapters on claims and on privacy hold, proved."""

import math

import pytest
from scipy.stats import norm

import dpbook
from dpbook.privacy.distributions import Bernoulli
from dpbook.privacy.profiles import profile
from dpbook.teaching import exercises


def test_answer_to_zcdp_is_the_smallest_and_attained():
    """For every order the loss is at least that, and there is an order at which it is that."""
    loss = "rho + 2*sqrt(rho*s^2)"  # s is the root of log(1/delta)
    given = ["rho > 0", "s > 0"]
    at_any = dpbook.check(f"rho*a + s^2/(a - 1) >= {loss}", given=[*given, "a > 1"])
    assert at_any.verdict.value == "proved"
    best = "(1 + s/sqrt(rho))"
    attained = dpbook.check(f"rho*{best} + s^2/({best} - 1) = {loss}", given=given)
    assert attained.verdict.value == "proved"


def test_answer_to_the_least_number_of_queries_is_the_first_of_all():
    """From there on the gap grows, for the root of k grows."""
    epsilon, delta = 0.5, 1e-5

    def advanced(k):
        return epsilon * math.sqrt(2 * k * math.log(1 / delta)) + k * epsilon * math.expm1(epsilon)

    least = exercises.find("privacy:advanced-beats-basic").solution()
    assert [k for k in range(1, 1000) if advanced(k) < k * epsilon][0] == least
    assert all(advanced(k) < k * epsilon for k in range(least, 1000))


def test_the_gaussian_formula_fails_by_normal_tails():
    """At epsilon 10 and not at 8, for delta = 10^-5."""
    for epsilon, private in ((1, True), (8, True), (10, False), (20, False)):
        sd = math.sqrt(2 * math.log(1.25e5)) / epsilon
        where = epsilon * sd**2 + 0.5
        delta = norm.sf(where, 1, sd) - math.exp(epsilon) * norm.sf(where, 0, sd)
        assert bool(delta <= 1e-5) == private


def test_answer_to_the_exact_epsilon_has_that_delta():
    epsilon = float(exercises.find("privacy:exact-epsilon").solution())
    where = 4 * epsilon + 0.5
    delta = norm.sf(where, 1, 2) - math.exp(epsilon) * norm.sf(where, 0, 2)
    assert delta == pytest.approx(1e-6, rel=1e-9)


def test_answer_to_the_group_is_what_the_claim_says_of_three():
    closed = "delta*(exp(3*epsilon) - 1)/(exp(epsilon) - 1)"
    written = "delta*(1 + exp(epsilon) + exp(2*epsilon))"
    found = dpbook.check(f"{closed} = {written}", given=["epsilon > 0", "delta > 0"])
    assert found.verdict.value == "proved"


def test_answer_to_contamination_is_attained():
    """Randomised response, when the public draw is the other answer: no smaller loss is true."""
    for epsilon, kept in ((0.5, 0.3), (2.0, 0.7)):
        solution = exercises.find("privacy:contamination").solution()
        values = {"epsilon": epsilon, "c": kept}
        bound = float(solution.subs({s: values[s.name] for s in solution.free_symbols}))
        truth = 1 / (1 + math.exp(-epsilon))
        first, second = Bernoulli(kept * truth + (1 - kept) * (1 - truth)), Bernoulli(1 - truth)
        assert profile(first, second).max_log_ratio == pytest.approx(bound)
