"""Hypotheses for all values of a number, used at one of them."""

import pytest

from tests.engine.tactics.searched import certificate, rules

MOMENT = "integral(P(t)^{nu}*Q(t)^(1 - {nu}), t, -oo, oo)"
FOR_ALL = f"all(nu; real; nu > 1; {MOMENT.format(nu='nu')} <= nu)"


def sequent(goal):
    return {
        "variables": {"m": "real"},
        "functions": {"P": 1, "Q": 1},
        "given": ["m > 2", FOR_ALL],
        "goal": goal,
    }


@pytest.mark.parametrize("order", ["m", "(m^2 + 1)", "(m^(1/2) + 1)"])
def test_what_is_given_for_all_orders_holds_at_one(order):
    node = certificate(sequent(f"{MOMENT.format(nu=order)} <= {order}"), ("unknown", "linear"))
    assert "instance" in rules(node)


@pytest.mark.parametrize(
    "goal",
    [
        f"{MOMENT.format(nu='1')} <= 1",  # the range is open
        f"{MOMENT.format(nu='(m/4)')} <= m/4",
        f"{MOMENT.format(nu='m')} <= m - 1",
        f"{MOMENT.format(nu='m')} >= m",
        "integral(P(t)^m*Q(t)^(2 - m), t, -oo, oo) <= m",
        "integral(P(t)^m*Q(t)^(1 - m), t, 0, oo) <= m",
        "integral(Q(t)^m*P(t)^(1 - m), t, -oo, oo) <= m",
    ],
)
def test_what_is_not_given_for_an_order_is_not_concluded(goal):
    assert certificate(sequent(goal), ("unknown", "linear")) is None


PRODUCTS = [f"defined(integral(exp(-abs(t))/m*{name}(t), t, -oo, oo))" for name in "PQ"]


@pytest.mark.parametrize(
    ("body", "exists"),
    [
        ("exp(-abs(t))/m*P(t) - exp(-abs(t))/m*Q(t)", True),
        ("exp(-abs(t))/m*P(t) + m*exp(-abs(t))/m*Q(t)", True),
        ("exp(-abs(t))/m*P(t) - exp(-abs(t))/m*Q(t)*P(t)", False),
        ("exp(-abs(t))/m*P(t) - t*exp(-abs(t))/m*Q(t)", False),
    ],
)
def test_a_combination_of_products_that_have_integrals_has_one(body, exists):
    given = {**sequent(f"defined(integral({body}, t, -oo, oo))"), "given": ["m > 2", *PRODUCTS]}
    assert (certificate(given, ("unknown",)) is not None) == exists
