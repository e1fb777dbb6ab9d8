"""The answers that the exercises of the chapter on claims hold, proved."""

import dpbook


def test_answer_to_zcdp_is_the_smallest_and_attained():
    """For every order the loss is at least that, and there is an order at which it is that."""
    loss = "rho + 2*sqrt(rho*s^2)"  # s is the root of log(1/delta)
    given = ["rho > 0", "s > 0"]
    at_any = dpbook.check(f"rho*a + s^2/(a - 1) >= {loss}", given=[*given, "a > 1"])
    assert at_any.verdict.value == "proved"
    best = "(1 + s/sqrt(rho))"
    attained = dpbook.check(f"rho*{best} + s^2/({best} - 1) = {loss}", given=given)
    assert attained.verdict.value == "proved"
