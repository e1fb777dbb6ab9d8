"""Hypotheses for all values of a number, used at one of them."""

import pytest

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.certify import _Use
from dpbook.engine.prove.tactics.core import Chain, Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.engine.prove.tactics.unknown import _put_values_in, unknown
from dpbook.kernel import check
from dpbook.kernel.files.sequents import sequent_from_json
from tests.effort import effort
from tests.engine.prove.tactics.searched import certificate, rules

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
    node = certificate(sequent(f"{MOMENT.format(nu=order)} <= {order}"), ("unknown", "monomials"))
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
    assert certificate(sequent(goal), ("unknown", "monomials")) is None


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


ALL = tuple(name for name, _, _ in TACTICS)
GOALS = effort(3, 60)  # the true ones take two
INTEGRABLE = ["defined(integral(P(t), t, -oo, oo))", "all(t; real; P(t) >= 0)"]


@pytest.mark.parametrize(
    ("body", "exists"),
    [
        ("P(t)*exp(-t^2/2)", True),
        ("P(t)*exp(-(t - m)^2)/m", True),
        ("P(t)*exp(t^2/2)", False),
        ("P(t)*exp(t)", False),
        ("Q(t)*exp(-t^2/2)", False),
    ],
)
def test_a_density_times_an_exponential_of_what_is_not_positive_has_an_integral(body, exists):
    given = {**sequent(f"defined(integral({body}, t, -oo, oo))"), "given": ["m > 2", *INTEGRABLE]}
    assert (certificate(given, ALL, GOALS) is not None) == exists


@pytest.mark.parametrize(
    ("either", "body", "zero"),
    [
        ("Q(t) == 0 or Q(t) == 1", "P(t)*(1 - Q(t))*Q(t)", True),
        ("Q(t) == 0 or Q(t) == 2", "P(t)*(1 - Q(t))*Q(t)", False),
        ("Q(t) == 0 or Q(t) == 1", "P(t)*(2 - Q(t))*Q(t)", False),
        ("Q(t) >= 0", "P(t)*(1 - Q(t))*Q(t)", False),
    ],
)
def test_the_integral_of_what_is_0_everywhere_exists_and_is_0(either, body, zero):
    goal = f"integral({body}, t, -oo, oo) == 0"
    given = {**sequent(goal), "given": ["m > 2", f"all(t; real; {either})"]}
    assert (certificate(given, ALL, GOALS) is not None) == zero


def distribution_at_every_index(start, step, goal="P(m, x) == 0"):
    """Search for what holds at every index, from lemmas about the lowest one and about a next one."""
    shared = {"functions": {"P": 2}}
    lemmas = {
        "first": {"variables": {"x": "real"}, "given": [], "goal": start, **shared},
        "next": {
            "variables": {"m": "integer", "x": "real"},
            "given": ["m >= 0", "all(x; real; P(m, x) == 0)"],
            "goal": step,
            **shared,
        },
    }
    said = {key: sequent_from_json(data) for key, data in lemmas.items()}
    data = {"variables": {"m": "integer"}, "given": ["m >= 0"], "goal": f"all(x; real; {goal})"}
    s = sequent_from_json({**data, **shared})
    search = Search(TACTICS, said, 60)
    search.top = frozenset(["m"])
    at = {"first": {"x": "x"}, "next": {"m": "m", "x": "x"}}
    search.at_points = [_Use(key, at[key], {}, said[key]) for key in said]
    node = search.solve(s, (0, 1))
    if node is not None:
        check(s, explicit(s, node, said), said)
    return node


def test_what_holds_at_the_lowest_index_and_at_each_next_one_holds_at_all():
    node = distribution_at_every_index("P(0, x) == 0", "P(m + 1, x) == 0")
    assert node is not None
    assert node["rule"] == "induct"


@pytest.mark.parametrize(
    ("start", "step", "goal"),
    [
        ("P(1, x) == 0", "P(m + 1, x) == 0", "P(m, x) == 0"),
        ("P(0, x) == 0", "P(m + 2, x) == 0", "P(m, x) == 0"),
        ("P(0, x) == 0", "P(m + 1, x) >= 0", "P(m, x) == 0"),
        ("P(0, x) == 0", "P(m + 1, x) == 0", "P(m - 1, x) == 0"),
    ],
)
def test_an_index_that_is_left_out_is_no_induction(start, step, goal):
    assert distribution_at_every_index(start, step, goal) is None


# --- distributions on whole numbers ----------------------------------------------------------------

MASSES = ["defined(sum(P(k), k, 0, oo))", "all(k; integer; k >= 0; P(k) >= 0)"]
TOTAL = "sum(P(k), k, 0, oo) == 1"
BOUNDED = ["all(k; integer; Q(k) <= m)", "all(k; integer; Q(k) >= -m)"]


@pytest.mark.parametrize(
    ("goal", "given", "holds"),
    [
        ("defined(sum(P(k)*Q(k), k, 0, oo))", [*MASSES, *BOUNDED], True),
        ("defined(sum(P(k)*Q(k), k, 0, oo))", [*MASSES, BOUNDED[0]], False),
        ("defined(sum(P(k)*Q(k), k, 0, oo))", [MASSES[0], *BOUNDED], False),
        ("defined(sum(P(k)*Q(k), k, 0, oo))", [MASSES[1], *BOUNDED], False),
        ("defined(sum(P(k)*k, k, 0, oo))", MASSES, False),
        ("sum(P(k)*Q(k), k, 0, oo) <= m", [*MASSES, TOTAL, *BOUNDED], True),
        ("sum(P(k)*Q(k), k, 0, oo) >= m", [*MASSES, TOTAL, *BOUNDED], False),
        ("sum(P(k)*Q(k), k, 0, oo) <= m", [*MASSES, *BOUNDED], False),  # without the sum 1
        ("sum(P(k)*Q(k), k, 0, oo) <= m", [*MASSES, TOTAL, BOUNDED[1]], False),
        ("sum(P(k)*Q(k), k, 1, oo) <= m", [*MASSES, TOTAL, *BOUNDED], False),  # another start
    ],
)
def test_the_mean_of_a_bounded_function_of_a_whole_number_exists(goal, given, holds):
    data = {**sequent(goal), "given": ["m > 2", *given]}
    node = certificate(data, ("unknown", "combination"), GOALS, (0, 1))
    assert (node is not None) == holds
    assert node is None or "compare series" in rules(node)


# --- independent variables -------------------------------------------------------------------------

EACH = [
    "defined(integral(P(x)*g(x), x, -oo, oo))",
    "defined(sum(Q(j)*h(j), j, 0, oo))",
    "sum(Q(j), j, 0, oo) == 1",
    "defined(sum(Q(j), j, 0, oo))",
]
FIRST, SECOND = "integral(P(x)*g(x), x, -oo, oo)", "sum(Q(j)*h(j), j, 0, oo)"


@pytest.mark.parametrize(
    ("goal", "lost", "holds"),
    [
        (f"integral(sum(P(x)*Q(j)*g(x)*h(j), j, 0, oo), x, -oo, oo) == {FIRST}*{SECOND}", None, True),
        (f"sum(integral(P(x)*Q(j)*g(x)*h(j), x, -oo, oo), j, 0, oo) == {FIRST}*{SECOND}", None, True),
        (f"integral(sum(P(x)*Q(j)*g(x), j, 0, oo), x, -oo, oo) == {FIRST}", None, True),
        (f"integral(sum(P(x)*Q(j)*g(x), j, 0, oo), x, -oo, oo) == {FIRST}", 2, False),  # no sum 1
        (f"integral(sum(P(x)*Q(j)*g(x)*h(j), j, 0, oo), x, -oo, oo) == {FIRST}*{SECOND}", 0, False),
        (f"integral(sum(P(x)*Q(j)*g(x)*h(j), j, 0, oo), x, -oo, oo) == {FIRST}*{SECOND}", 1, False),
        (f"integral(sum(P(x)*Q(j)*g(x)*h(j), j, 0, oo), x, -oo, oo) == -{FIRST}*{SECOND}", None, False),
        (f"integral(sum(P(x)*Q(j)*g(x)*h(j), j, 1, oo), x, -oo, oo) == {FIRST}*{SECOND}", None, False),
        # a distribution, or a function, of both is no product
        (f"integral(sum(P(x + j)*Q(j)*g(x)*h(j), j, 0, oo), x, -oo, oo) == {FIRST}*{SECOND}", None, False),
        (f"integral(sum(P(x)*Q(j)*g(x*j)*h(j), j, 0, oo), x, -oo, oo) == {FIRST}*{SECOND}", None, False),
    ],
)  # fmt: skip
def test_the_mean_of_a_product_of_functions_of_independent_variables_is_a_product(
    goal, lost, holds
):
    given = [h for i, h in enumerate(EACH) if i != lost]
    functions = {"P": 1, "Q": 1, "g": 1, "h": 1}
    data = {"variables": {}, "functions": functions, "given": given, "goal": goal}
    node = certificate(data, ("unknown", "combination"), GOALS, (0, 1))
    assert (node is not None) == holds
    assert node is None or {"linear series", "linear integral"} <= rules(node)


# --- mechanisms: distributions that depend on a state ------------------------------------------------

KERNEL = [
    "all(s; real; all(k; integer; k >= 0; P(s, k) >= 0))",
    "all(s; real; defined(sum(P(s, k), k, 0, oo)))",
    "all(s; real; sum(P(s, k), k, 0, oo) == 1)",
]
TESTED = ["all(k; integer; Q(k) >= 0)", "all(k; integer; Q(k) <= 1)"]
PRIVATE = "all(s; real; all(k; integer; k >= 0; P(s, k) <= m*P(a, k)))"
CHANCE = "sum(P({}, k)*Q(k), k, 0, oo)"


@pytest.mark.parametrize(
    ("goal", "given", "holds"),
    [
        (f"{CHANCE.format('m*a')} <= 1", [*KERNEL, *TESTED], True),
        (f"{CHANCE.format('m*a')} <= 1/2", [*KERNEL, *TESTED], False),
        (f"{CHANCE.format('m*a')} <= 1", [*KERNEL[:2], *TESTED], False),  # without the sum 1
        (f"{CHANCE.format('2*a')} <= m*{CHANCE.format('a')}", [*KERNEL, *TESTED, PRIVATE], True),
        (f"{CHANCE.format('a')} <= m*{CHANCE.format('2*a')}", [*KERNEL, *TESTED, PRIVATE], False),
        (f"{CHANCE.format('2*a')} <= {CHANCE.format('a')}", [*KERNEL, *TESTED, PRIVATE], False),
        (f"{CHANCE.format('2*a')} <= m*{CHANCE.format('a')}", [*KERNEL, TESTED[1], PRIVATE], False),
    ],
)
def test_an_event_of_a_mechanism_on_whole_numbers_is_as_private_as_its_masses(goal, given, holds):
    data = {"variables": {"m": "real", "a": "real"}, "functions": {"P": 2, "Q": 1}, "goal": goal}
    data["given"] = ["m > 2", *given]
    node = certificate(data, ("unknown", "combination"), GOALS, (0, 1))
    assert (node is not None) == holds


def test_hypotheses_are_combined_before_values_are_put_in_for_an_index():
    """Values in the last two hypotheses led to 60 other goals and more."""
    moment = "integral(Q(y)*abs(X(y))^2, y, -oo, oo)/2"
    data = {
        "variables": dict.fromkeys(("T", "x", "v"), "real"),
        "functions": dict.fromkeys(("M", "Q", "S", "X"), 1),
        "given": [
            *("T > 0", "x > 0", "v > 0", "x*T < 1"),
            *(f"{moment} <= v*(1/2)", f"S(0) <= x^2*{moment}"),
            "all(t; real; defined(Q(t)) and Q(t) >= 0)",
            "all(j; integer; j >= 0; defined(M(j)) and M(j) <= T*T^j*v*(1/2))",
            "all(j; integer; j >= 0; defined(S(j + 1)) and S(j + 1) <= S(j) + x^3*x^j*M(j))",
        ],
        "goal": "S(0) <= (1 - x*T)*x^2*v/(2*(1 - x*T))",
    }
    search = Search(TACTICS, budget=3)
    s = sequent_from_json(data)
    node = search.prove(s, 0)
    assert node is not None
    check(s, explicit(s, node))


@pytest.mark.parametrize(("condition", "searched"), [("m >= 1", False), ("f(m) >= 1", True)])
def test_a_condition_on_numbers_fails_at_a_point_whatever_is_said_of_functions(condition, searched):
    data = {
        "variables": {"m": "integer"},
        "functions": {"f": 1},
        "given": ["m >= 0", "all(n; real; f(n) >= 0)", f"all(m; integer; {condition}; f(m) >= 2)"],
        "goal": "f(m) >= 3",
    }
    goals = []

    def seen(search, s, depth):
        goals.append(s.goal)

    _put_values_in(Chain(Search((("seen", seen, 0),)), sequent_from_json(data), 0))
    assert (sequent_from_json({**data, "goal": condition}).goal in goals) == searched


@pytest.mark.parametrize(("bound", "given"), [("2*x", True), ("3*x", False)])
def test_alternatives_that_are_given_for_all_values_are_not_taken_apart(bound, given):
    data = {
        "variables": {"x": "real"},
        "functions": {"f": 1},
        "given": [f"all(t; real; f(t) == 0 or f(t) >= {bound.replace('x', 't')})"],
        "goal": "f(x) == 0 or f(x) >= 2*x",
    }
    search = Search(())
    node = unknown(search, sequent_from_json(data), 0)
    assert (node is not None) == given
    if node is not None:
        assert rules(node) == {"instance", "auto"}
