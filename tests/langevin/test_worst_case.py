"""The worst pair of neighbours: step by step, by boxes, by random pairs, and what it refutes."""

import itertools
import math
from functools import partial

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb
from hypothesis import given, settings
from hypothesis.strategies import floats, integers

import dpbook
from dpbook.engine.language.domain import DomainError
from dpbook.langevin import Setting, divergence, posterior
from tests.langevin.asking import asked

FIGURE_1 = {"alpha": 0.1, "beta": 1, "x_l": 0.9, "x_h": 1.8, "c": 1165165, "gamma_1": 0.1}
SMALL = {"alpha": 0.7, "beta": 2.0, "x_l": 0.8, "x_h": 1.5, "c": 4.0, "gamma_1": 0.25}


# --- why the corner is the worst ------------------------------------------------------------------

RATIOS = ["a > 0", "z > 0", "u >= 0", "v >= u", "low >= 0"] + [
    f"{end}" for t in ("s", "t", "r") for end in (f"{t} >= low", f"{t} <= high")
]
ORDER = ["w > 0", "u >= 0", "v >= u", "nu > 1", "w + nu*u - (nu-1)*v > 0"]
FARTHEST = "(low*z + high*v)/(a+z+v) - low*(z+u)/(a+z+u)"
STEPS = {
    "1: the second mean above the first": (
        f"(s*z + t*v)/(a+z+v) - (s*z + r*u)/(a+z+u) <= {FARTHEST}",
        RATIOS,
    ),
    "1: the first mean above the second": (
        f"(s*z + r*u)/(a+z+u) - (s*z + t*v)/(a+z+v) <= {FARTHEST}",
        RATIOS,
    ),
    "2: the starred variance": (
        "w + nu*u - (nu-1)*v <= w + nu*v - (nu-1)*u",
        ORDER,
    ),
    "2: the logarithms, by their derivative": (
        "nu*(r-1)/(2*r) * (1/(nu-(nu-1)*r) - 1/(nu*r-nu+1)) >= 0",
        ["nu > 1", "r >= 1", "nu - (nu-1)*r > 0"],
    ),
    "3: the means, in v": (
        "(low*z + high*v)/(a+z+v) <= (low*z + high*y)/(a+z+y)",
        ["a > 0", "z > 0", "v >= 0", "y >= v", "low >= 0", "high >= low"],
    ),
    "3: the means, in u": (
        "low*(z+u)/(a+z+u) <= low*(z+y)/(a+z+y)",
        ["a > 0", "z > 0", "u >= 0", "y >= u", "low >= 0"],
    ),
    "3: the precisions, in v": (
        "(w+v)/(w+nu*u-(nu-1)*v) <= (w+y)/(w+nu*u-(nu-1)*y)",
        [*ORDER[:-1], "y >= v", "w + nu*u - (nu-1)*y > 0"],
    ),
    "3: the precisions, in u": (
        "(w+y)/(w+nu*y-(nu-1)*v) <= (w+u)/(w+nu*u-(nu-1)*v)",
        [*ORDER, "y >= u", "v >= y"],
    ),
    "3: the means, with w on its own": (
        f"{FARTHEST} = ((high-low)*v*(a+z+u) + low*a*(v-u))/((a+z+u)*(a+z+v))",
        ["a > 0", "z > 0", "u >= 0", "v >= u", "low >= 0", "high >= low"],
    ),
    "3: the larger part, in w": (
        "(y+u)/((y+v)*(y+nu*u-(nu-1)*v)) <= (w+u)/((w+v)*(w+nu*u-(nu-1)*v))",
        [*ORDER, "y >= w"],
    ),
    "3: the logarithms, in P' / P": (
        "-log(r)/2 - log(nu-(nu-1)*r)/(2*(nu-1)) <= -log(y)/2 - log(nu-(nu-1)*y)/(2*(nu-1))",
        ["nu > 1", "r >= 1", "y >= r", "nu - (nu-1)*y > 0"],
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_each_step_of_the_argument_is_decided(name):
    statement, conditions = STEPS[name]
    assert dpbook.check(statement, given=conditions, time_limit=60).verdict.value == "proved"


def test_a_step_without_its_condition_is_refuted():
    statement, conditions = STEPS["1: the second mean above the first"]
    fewer = [condition for condition in conditions if condition != "v >= u"]
    assert dpbook.check(statement, given=[*fewer, "v >= 0"]).verdict.value == "refuted"


def test_the_derivative_of_step_2_is_that_of_both_directions():
    r, nu = sympy.symbols("r nu", positive=True)
    one = -sympy.log(r) / 2 - sympy.log(nu - (nu - 1) * r) / (2 * (nu - 1))
    both = one - one.subs(r, 1 / r)
    assert both.subs(r, 1) == 0
    said = nu * (r - 1) / (2 * r) * (1 / (nu - (nu - 1) * r) - 1 / (nu * r - nu + 1))
    assert sympy.simplify(both.diff(r) - said) == 0


# --- by other means -------------------------------------------------------------------------------


def exactly(n, model, order, u, v, z, ratios):
    """Divergence at 60 digits, from the sums of the records; for any u, v, z."""
    with mpmath.workdps(60):
        alpha, beta = mpmath.mpf(model["alpha"]), mpmath.mpf(model["beta"])
        common, first, second = ratios
        precisions = [alpha + beta * (z + w) for w in (u, v)]
        means = [
            beta * (z * common + w * t) / p
            for w, t, p in zip((u, v), (first, second), precisions, strict=True)
        ]
        one, two = (1 / p for p in precisions)
        starred = order * two + (1 - order) * one
        if starred <= 0:
            return mpmath.inf
        return (
            mpmath.log(two / one) / 2
            + mpmath.log(two / starred) / (2 * (order - 1))
            + order * (means[0] - means[1]) ** 2 / (2 * starred)
        )


@pytest.mark.parametrize("adjacency", ["replace", "remove"])
@pytest.mark.parametrize("c", [0.5, 4.0, 1e6, 1e14])
def test_the_ends_hold_the_divergence_of_the_pair(adjacency, c):
    n, order = 1000, 12.5
    model = {**SMALL, "c": c}
    worst = Setting(n=n, **model).worst_case_divergence(order=order, adjacency=adjacency)
    with mpmath.workdps(60):
        radius = mpmath.mpf(n) ** mpmath.mpf(model["gamma_1"])
        low, high = max(mpmath.mpf(0), c - radius), c + radius
        x_l, x_h = mpmath.mpf(model["x_l"]), mpmath.mpf(model["x_h"])
        last = x_l**2 if adjacency == "replace" else 0
        truth = exactly(n, model, order, last, x_h**2, (n - 1) * x_l**2, (low, low, high))
        assert worst.lower <= truth <= worst.upper
    assert worst.upper <= math.nextafter(math.nextafter(worst.lower, math.inf), math.inf)


def test_no_box_of_the_domain_exceeds_the_worst_case():
    """Branch and bound in balls, from the definition, without any of the argument's steps."""
    n, order = 4, 1.5
    alpha, beta, c = arb(1), arb(1), arb(1)
    model = {"alpha": 1.0, "beta": 1.0, "x_l": 1.0, "x_h": 1.25, "c": 1.0, "gamma_1": 0.25}
    top = arb(Setting(n=n, **model).worst_case_divergence(order=order).upper) * 1.02
    radius = arb(4) ** arb(0.25)
    ratios = list(itertools.product((arb(0), c + radius), repeat=3))

    def above(z, u, v):
        one, two = 1 / (alpha + beta * (z + u)), 1 / (alpha + beta * (z + v))
        starred = order * two + (1 - order) * one
        logs = (two / one).log() / 2 + (two / starred).log() / (2 * (order - 1))
        # the squared distance is convex in each ratio, so the ends of the ratios are enough
        return [
            logs
            + order * beta**2 * ((z * s + u * t) * one - (z * s + v * r) * two) ** 2 / (2 * starred)
            for s, t, r in ratios
        ]

    squares = (1.0, 1.5625)
    boxes, looked = [((3 * squares[0], 3 * squares[1]), squares, squares)], 0
    while boxes:
        box = boxes.pop()
        looked += 1
        assert looked < 20_000
        if all(bound <= top for bound in above(*(arb(lo).union(arb(hi)) for lo, hi in box))):
            continue
        widest = max(range(3), key=lambda i: box[i][1] - box[i][0])
        lo, hi = box[widest]
        for half in ((lo, (lo + hi) / 2), ((lo + hi) / 2, hi)):
            boxes.append((*box[:widest], half, *box[widest + 1 :]))
    assert looked > 50


def pair(n, model, picks, adjacency):
    """Two neighbours of the domain, each number picked as a share of its range."""
    radius = n ** model["gamma_1"]
    low, high = max(model["c"] - radius, 0.0), model["c"] + radius
    x = model["x_l"] + (model["x_h"] - model["x_l"]) * picks[: n + 1]
    y = x * (low + (high - low) * picks[n + 1 : 2 * n + 2])
    first, second = slice(0, n), [*range(n - 1), n]
    distributions = [
        posterior(x[k], y[k], alpha=model["alpha"], beta=model["beta"]) for k in (first, second)
    ]
    if adjacency == "remove":
        distributions[1] = posterior(
            x[: n - 1], y[: n - 1], alpha=model["alpha"], beta=model["beta"]
        )
    return distributions


@settings(max_examples=150, deadline=None)
@given(
    n=integers(2, 6),
    order=floats(1.01, 6),
    c=floats(0.1, 50),
    spread=floats(1, 2),
    seed=integers(0, 2**32 - 1),
)
def test_random_pairs_stay_below_the_worst_case(n, order, c, spread, seed):
    model = {**SMALL, "c": c, "x_h": SMALL["x_l"] * spread}
    rng = np.random.default_rng(seed)
    picks = np.where(
        rng.random(2 * n + 2) < 0.5, rng.random(2 * n + 2), rng.integers(0, 2, 2 * n + 2)
    )
    for adjacency in ("replace", "remove"):
        worst = Setting(n=n, **model).worst_case_divergence(order=order, adjacency=adjacency)
        assert worst.lower <= worst.upper
        distributions = pair(n, model, picks, adjacency)
        for one, two in (distributions, distributions[::-1]):
            assert divergence(one, two, order).value <= worst.upper * (1 + 1e-8) + 1e-12


@pytest.mark.parametrize("adjacency", ["replace", "remove"])
def test_the_pair_attains_it_whatever_the_order_of_the_records(adjacency):
    worst = Setting(n=40, **SMALL).worst_case_divergence(order=3, adjacency=adjacency)
    rng = np.random.default_rng(5)
    for _ in range(3):
        distributions = [
            posterior(*rng.permutation(data).T, alpha=SMALL["alpha"], beta=SMALL["beta"])
            for data in worst.datasets()
        ]
        assert divergence(*distributions, 3).value == pytest.approx(worst.upper, rel=1e-9)
        assert (distributions[1].mean - distributions[0].mean) / distributions[
            0
        ].sd == pytest.approx(worst.gap, rel=1e-9)
        assert distributions[1].sd / distributions[0].sd == pytest.approx(worst.spread, rel=1e-12)
    sizes = [len(data) for data in worst.datasets()]
    assert sizes == ([40, 40] if adjacency == "replace" else [39, 40])


def test_too_large_an_order_makes_it_infinite():
    n, model = 10, {**SMALL, "alpha": 1.0, "beta": 1.0, "x_l": 1.0, "x_h": 2.0}
    # (order - 1) (x_h**2 - x_l**2) < alpha / beta + n x_l**2
    assert math.isfinite(Setting(n=n, **model).worst_case_divergence(order=1 + 10.99 / 3).upper)
    beyond = Setting(n=n, **model).worst_case_divergence(order=1 + 11.01 / 3)
    assert (beyond.lower, beyond.upper) == (math.inf, math.inf)
    assert "infinite" in beyond.describe()
    # (order - 1) x_h**2 < alpha / beta + (n - 1) x_l**2
    removed = partial(Setting(n=n, **model).worst_case_divergence, adjacency="remove")
    assert math.isfinite(removed(order=1 + 9.99 / 4).upper)
    assert removed(order=1 + 10.01 / 4).upper == math.inf
    same = {**model, "x_h": 1.0}
    assert math.isfinite(Setting(n=n, **same).worst_case_divergence(order=1e6).upper)


# --- lemma 4.2 ------------------------------------------------------------------------------------

COUNTEREXAMPLES = [
    (12905, 1000, 1.142, {"alpha": 1, "beta": 3.1, "x_l": 0.5, "x_h": 1, "c": 1000, "gamma_1": 0.45}),
    (8890, 2000, 2.39, {"alpha": 1, "beta": 9, "x_l": 0.5, "x_h": 1, "c": 2000, "gamma_1": 0.45}),
    (11001, 100, 7.88, {"alpha": 1, "beta": 1000, "x_l": 1, "x_h": 10, "c": 50, "gamma_1": 0.3}),
    (26668, 1000, 1.004, {"alpha": 1, "beta": 1.5, "x_l": 0.75, "x_h": 1.5, "c": 1000, "gamma_1": 0.45}),
]  # fmt: skip


@pytest.mark.parametrize(("n", "order", "times", "model"), COUNTEREXAMPLES)
def test_the_worst_case_exceeds_lemma_4_2_as_printed(n, order, times, model):
    assert model["x_h"] ** 2 * model["beta"] > 3
    bound = Setting(n=n, **model).loss_bound(order=order, version="printed")
    worst = Setting(n=n, **model).worst_case_divergence(order=order)
    assert worst.lower > bound.value
    assert worst.lower / bound.value == pytest.approx(times, rel=2e-3)
    with pytest.raises(DomainError, match=r"lemma-4\.2-corrected needs n >"):
        Setting(n=n, **model).loss_bound(order=order)


@settings(max_examples=150, deadline=None)
@given(
    alpha=floats(-3, 3),
    beta=floats(-2, 3),
    x_l=floats(-1, 1),
    spread=floats(0, 1),
    c=floats(-1, 8),
    gamma_1=floats(0.01, 0.49),
    excess=floats(-2, 3),
    more=floats(0, 1),
)
def test_lemma_4_2_repaired_bounds_the_worst_case(
    alpha, beta, x_l, spread, c, gamma_1, excess, more
):
    order, squares = 1 + 10**excess, 10 ** (2 * spread)
    n = int((1 + 10 * order * squares) * 10**more) + 1
    model = {"alpha": 10**alpha, "beta": 10**beta, "x_l": 10**x_l, "x_h": 10 ** (x_l + spread)}
    model |= {"c": 10**c, "gamma_1": gamma_1}
    bound = Setting(n=n, **model).loss_bound(order=order).value
    for adjacency in ("replace", "remove"):  # the lemma is about the first
        worst = Setting(n=n, **model).worst_case_divergence(order=order, adjacency=adjacency)
        assert worst.upper <= bound * (1 + 1e-12)


# --- approximate privacy --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "epsilon", "order"),
    [("printed", 0.1403, 63.95), ("corrected", 0.1326, 70.95), ("exact", 0.0836, 111.6)],
)
def test_privacy_at_figure_1(method, epsilon, order):
    budget = Setting(n=1149019, **FIGURE_1).privacy_of_a_draw(delta=0.01, method=method)
    assert budget.epsilon == pytest.approx(epsilon, abs=6e-5)
    assert budget.order == pytest.approx(order, abs=0.06)


def test_the_order_of_the_paper_gives_more():
    order = 1 + 2 * math.log(100) / 1.6
    printed = Setting(n=1149019, **FIGURE_1).loss_bound(order=order, version="printed").value
    assert order == pytest.approx(6.756, abs=1e-3)
    assert printed + math.log(100) / (order - 1) == pytest.approx(0.806, abs=6e-4)


@pytest.mark.parametrize("method", ["printed", "corrected", "exact"])
@pytest.mark.parametrize(
    ("n", "c", "delta"), [(700, 4.0, 1e-6), (10**5, 3e4, 0.3), (300, 1e9, 1e-9)]
)
def test_no_other_order_gives_less(method, n, c, delta):
    model = {**SMALL, "c": c}
    budget = Setting(n=n, **model).privacy_of_a_draw(delta=delta, method=method)

    def spent(order):
        if method == "exact":
            loss = Setting(n=n, **model).worst_case_divergence(order=order).upper
        else:
            loss = Setting(n=n, **model).loss_bound(order=order, version=method).value
        return loss + math.log(1 / delta) / (order - 1)

    assert budget.epsilon == pytest.approx(spent(budget.order), rel=1e-12)
    tried = 0
    for order in 1 + np.geomspace(1e-8, 1e4, 400):
        try:
            other = spent(order)
        except DomainError:  # an order too large for the lemma
            continue
        tried += 1
        assert budget.epsilon <= other * (1 + 1e-9)
    assert tried > 100


def test_equal_covariates_have_no_largest_order():
    model = {**SMALL, "x_h": SMALL["x_l"]}
    budget = Setting(n=100, **model).privacy_of_a_draw(delta=1e-3)
    # normal distributions of one spread: loss = order * gap**2 / 2, least at gap**2 / 2 + gap sqrt(2 log)
    gap = Setting(n=100, **model).worst_case_divergence(order=2).gap
    least = gap**2 / 2 + gap * math.sqrt(2 * math.log(1000))
    assert budget.epsilon == pytest.approx(least, rel=1e-9)


def test_a_curve_is_made_of_the_calculators():
    curve = Setting(n=2000, **SMALL).privacy_curve(delta=1e-4)
    assert curve.at[curve.place] == 2000
    for method, budgets in (
        ("exact", curve.exact),
        ("printed", curve.printed),
        ("corrected", curve.corrected),
    ):
        assert budgets[curve.place] == Setting(n=2000, **SMALL).privacy_of_a_draw(
            delta=1e-4, method=method
        )
    assert len(curve.at) == len(curve.exact) == len(curve.printed) == len(curve.corrected)
    below = [
        exact.epsilon <= bound.epsilon
        for exact, bound in zip(curve.exact, curve.corrected, strict=True)
        if bound
    ]
    assert len(below) > 15
    assert all(below)
    assert not curve.broken
    assert f"{curve.exact[curve.place].epsilon:.4g} at order" in curve.describe()
    assert repr(curve).startswith("PrivacyCurve(n=2000, c=4, delta=0.0001, exact=")
    lines = curve.plot().get_lines()
    assert list(lines[0].get_ydata()) == [budget.epsilon for budget in curve.exact]
    assert list(lines[3].get_xdata()) == [2000]


def test_a_curve_shows_where_the_printed_bound_is_too_small():
    model = {
        "alpha": 0.001654,
        "beta": 5.082,
        "x_l": 1,
        "x_h": 2.521,
        "c": 2.521,
        "gamma_1": 0.0488,
    }
    curve = Setting(n=97, **model).privacy_curve(delta=1e-300)
    assert 97 in curve.broken
    assert "The printed bound is too small from" in curve.describe()
    few = Setting(n=20, **model).privacy_curve(delta=0.01)
    assert few.corrected[few.place] is None
    assert "bound, repaired: the lemma does not apply" in few.describe()
    assert "the lemma does not apply" in few._repr_html_()
    assert "corrected=nan" in repr(few)


def test_a_worst_case_shows_its_pair():
    worst = Setting(n=1149019, **FIGURE_1).worst_case_divergence(order=111.6)
    assert repr(worst) == (
        "WorstCase(n=1149019, order=111.6, upper=0.0419957, adjacency='replace')"
    )
    assert worst.common == worst.last
    assert "the means are 0.02743 standard deviations apart" in worst.describe()
    assert worst.describe() in worst._repr_html_().replace("&#x27;", "'")
    second = worst.plot().get_lines()[1]
    peak = second.get_xdata()[np.argmax(second.get_ydata())]
    assert peak == pytest.approx(worst.gap, abs=0.02)
    closer = Setting(n=100, **{**SMALL, "c": 1.0}).worst_case_divergence(
        order=2, adjacency="remove"
    )
    assert closer.common[1] == 0
    assert "It is the limit where" in closer.describe()
    assert "has one more" in closer.describe()


def test_extreme_settings_give_numbers_and_not_errors():
    # c so large that every divergence is beyond the doubles; orders that no double keeps from 1
    assert Setting(n=1000, **{**SMALL, "c": 1e300}).worst_case_divergence(order=3).upper == math.inf
    assert Setting(n=1000, **{**SMALL, "c": 1e300}).privacy_of_a_draw(delta=0.1).epsilon == math.inf
    flat = {**SMALL, "alpha": 1e-200, "x_l": 1e-200}
    assert Setting(n=1000, **flat).privacy_of_a_draw(delta=0.1).epsilon == math.inf
    with pytest.raises(DomainError, match="needs n > .* > inf, got n = 1000"):
        Setting(n=1000, **flat).privacy_of_a_draw(delta=0.1, method="corrected")
    # a prior so strong that the data say nothing
    strong = {**SMALL, "alpha": 1e300, "beta": 1e-300}
    assert Setting(n=1000, **strong).worst_case_divergence(order=3).upper < 1e-300
    assert Setting(n=1000, **strong).privacy_of_a_draw(delta=0.1).epsilon < 1e-14
    assert Setting(n=10**15, **FIGURE_1).privacy_curve().at[-1] == 10**15


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"gamma_1": 0.5}, DomainError, "langevin:eq-5 needs gamma_1 < 1/2, got 0.5"),
        ({"n": 1}, ValueError, "n must be an integer >= 2, got 1"),
        ({"order": 1}, ValueError, "order must be > 1, got 1.0"),
        ({"x_l": 2.0}, ValueError, "x_l must be <= x_h = 1.5, got 2"),
        (
            {"adjacency": "add"},
            ValueError,
            'adjacency must be "replace" or "remove", got \'add\'',
        ),
    ],
)
def test_unusable_domains_are_refused(change, error, message):
    with pytest.raises(error) as caught:
        asked("worst_case_divergence", **{"n": 10, "order": 2, **SMALL, **change})
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"method": "corrected"},
            DomainError,
            "langevin:lemma-4.2-corrected needs n > 1 + 10 * nu * x_h**2 / x_l**2 > 36.1562, got n = 10",
        ),
        (
            {"method": "printed", "gamma_1": 0.7},
            DomainError,
            "langevin:lemma-4.2 needs gamma_1 < 1/2, got 0.7",
        ),
        ({"delta": 1}, ValueError, "delta must be in (0, 1), got 1"),
        (
            {"method": "best"},
            ValueError,
            "method must be one of exact, corrected, printed, got 'best'",
        ),
    ],
)
def test_unusable_budgets_are_refused(change, error, message):
    with pytest.raises(error) as caught:
        asked("privacy_of_a_draw", **{"n": 10, "delta": 0.1, **SMALL, **change})
    assert str(caught.value) == message
