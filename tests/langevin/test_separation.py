"""The curve of Figure 1: the quadrature rule, its error bound, and the sums over all positions."""

import html
import math

import mpmath
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import assume, example, given, settings
from hypothesis.strategies import floats, integers

from dpbook.langevin import FIGURE_1, Setting, kernels
from dpbook.langevin.theory.chain import chain_constants
from tests.langevin.asking import made

EPOCH = FIGURE_1.n


def summed_in_balls(n, alpha, beta, x_h, c, step, bits=150):
    """Average of gap**2 / variance over all positions, each carried from odd step to odd step."""
    alpha, beta, x_h, c = (fmpq(*value.as_integer_ratio()) for value in (alpha, beta, x_h, c))
    signal = n * x_h**2 * beta
    eta = 2 / (alpha + signal) ** 2
    with ctx.workprec(bits):
        rate, odd_rate = (
            arb(1 - eta / 2 * (alpha + signal)),
            arb(1 - eta / 2 * (alpha + signal / 4)),
        )
        offset, noise = -c * signal / (alpha + signal), arb(eta)  # of the mean from the long run
        whole, rest = divmod(step, n)
        total = arb(0)
        for position in range(1, n + 1):
            odd_steps = whole + (position <= rest)
            if not odd_steps:
                continue
            since = (rest - position) % n
            kept = rate ** (position - 1)
            centre, spread = (
                kept * offset,
                kept**2 / alpha + noise * geometric(rate**2, position - 1),
            )
            for met in range(odd_steps):
                centre = odd_rate * centre - (odd_rate - rate) * (c * alpha / (alpha + signal))
                spread = odd_rate**2 * spread + noise
                steps = since if met == odd_steps - 1 else n - 1
                kept = rate**steps
                centre, spread = kept * centre, kept**2 * spread + noise * geometric(rate**2, steps)
            gap = rate**step * offset - centre
            total += gap**2 / spread
        return total / n


def geometric(ratio, terms):
    return (1 - ratio**terms) / (1 - ratio)


# --- the rule -------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [64, 65, 100, 1001, 10**4])
def test_rule_is_exact_for_sums_of_polynomials(count):
    nodes, weights = np.empty(kernels.NODES), np.empty(kernels.NODES)
    kernels.discrete_rule(float(count), nodes, weights)
    at = (2 * np.arange(count) + 1) / count - 1
    assert (np.diff(nodes) > 0).all()
    assert abs(nodes).max() < 1
    for degree in range(2 * kernels.NODES):
        mean = math.fsum(at**degree) / count
        assert np.sum(weights * nodes**degree) == pytest.approx(mean, abs=3e-15)
    degree = 2 * kernels.NODES
    assert abs(np.sum(weights * nodes**degree) - math.fsum(at**degree) / count) > 1e-7


@settings(max_examples=150, deadline=None)
@given(
    numbers=integers(300, 5000),
    low=integers(0, 1000),
    rate=floats(1e-4, 0.05),
    width=floats(1.0, 30.0),
    drift=floats(0, 100),
    spread=floats(0, 1),
)
def test_error_of_the_rule_is_below_its_bound(numbers, low, rate, width, drift, spread):
    """Of pieces so wide that the error shows."""
    since, weights = np.empty(numbers + 1), np.empty(numbers + 1)
    far = rate * (low + numbers + 1)
    used, widest = kernels.range_nodes(low, low + numbers, -rate, width, far, since, weights)
    assume(widest > 0)

    def term(steps):
        y = np.exp(-rate * steps)
        return (drift + y) ** 2 / (1 + spread * y**2)

    wanted = math.fsum(term(np.arange(low, low + numbers)))
    error = abs(math.fsum(weights[:used] * term(since[:used])) - wanted)
    factor, growth = kernels.ellipse(widest, kernels.TURN)
    bound = numbers * factor * (drift + math.exp(-rate * low) * growth) ** 2
    assert error <= bound + 1e-14 * wanted


def test_wide_pieces_have_an_error_that_shows():
    """Or the test above would have nothing to say."""
    since, weights = np.empty(5001), np.empty(5001)
    used, _ = kernels.range_nodes(0, 5000, -0.004, 20.0, 100.0, since, weights)
    y = np.exp(-0.004 * np.arange(5000))
    wanted = np.sum((0.1 + y) ** 2 / (1 + y**2))
    y = np.exp(-0.004 * since[:used])
    assert abs(np.sum(weights[:used] * (0.1 + y) ** 2 / (1 + y**2)) / wanted - 1) > 1e-9


EXTREMES = [
    *((10, 1.0, 1.0, 1e10, 4.0), (100, 0.1, 1.0, 1e9, 3.0), (10, 1e30, 1.0, 1.8, 4.0)),
    *((10**6, 0.1, 1.0, 1e6, 4.0), (10**6, 1e25, 1.0, 1.8, 4.0), (10**15, 0.1, 1e30, 1.8, 4.0)),
    *((10**6, 0.1, 1e-5, 1.8, 4.0), (700, 0.1, 1.0, 0.04, 4.0), (2, 1e40, 1.0, 1.8, 4.0)),
]


@pytest.mark.parametrize("setting", EXTREMES)
@pytest.mark.parametrize("apart", [0.0, 1.0, 1e3, 1e30])
def test_nodes_have_the_room_that_was_foreseen(setting, apart):
    chain = chain_constants(made(*setting))
    width, far = kernels.WIDTH / (1 + apart), kernels.FAR + math.log1p(apart)
    n, size = chain.n, kernels.most_nodes(chain, width, far)
    assert 3 <= size <= n + 2
    if size > 10**6:
        return  # refused, see MOST_NODES
    room = np.full((2, size + 5), -7.0)
    for at in {0, 1, n // 3, n // 2, n - 1, n}:
        both = 0
        for low, high in ((0, at), (at, n)):
            used, _ = kernels.range_nodes(
                *(low, high, chain.log_rate, width, far, room[0, :size], room[1, :size])
            )
            assert used >= (high > low)
            assert room[1, :used].sum() == pytest.approx(high - low, rel=1e-12)
            both += used
        assert both <= size  # a mixture has those of both ranges in one row
    assert (room[:, size:] == -7).all()


@settings(max_examples=200, deadline=None)
@given(
    low=integers(0, 10**15 - 1),
    numbers=integers(1, 10**15),
    log_rate=floats(-275, 3),
    width=floats(-100, 1),
    far=floats(1, 300),
    size=integers(0, 40),
)
def test_nothing_is_written_where_there_is_no_room(low, numbers, log_rate, width, far, size):
    high, log_rate, width = min(low + numbers, 10**15), -(10.0**log_rate), 10.0**width
    near, count = kernels.pieces(low, high, log_rate, width, far)
    reach = fmpq(*far.as_integer_ratio()) / fmpq(*(-log_rate).as_integer_ratio())
    assert near == pytest.approx(
        int(max(min(high, reach) - low, 0)), rel=1e-15, abs=1 + 1e-15 * high
    )
    assert 0 <= count <= near
    room = np.full((2, size + 3), -7.0)
    used, _ = kernels.range_nodes(low, high, log_rate, width, far, room[0, :size], room[1, :size])
    assert (room[:, max(used, 0) :] == -7).all()
    assert -1 <= used <= size
    assert used != 0


def test_a_rule_without_room_is_an_error(monkeypatch):
    chain, steps = (
        chain_constants(Setting(n=300, alpha=0.1, beta=1.0, x_h=1.8, c=300.0)),
        np.array([450]),
    )
    tables, error = np.full((3, 1, 4), -7.0), np.empty(1)
    wide, far = np.array([0.5]), np.array([42.0])
    assert kernels.mixture_nodes(chain, steps, wide, far, *tables, error) == -1
    assert (tables == -7).all()
    monkeypatch.setattr(kernels, "separation_rules", lambda *rest: False)
    with pytest.raises(ArithmeticError, match='take method="direct"'):
        Setting(n=300, alpha=0.1, beta=1, x_h=1.8, c=300).separation(450)
    monkeypatch.setattr(kernels, "mixture_nodes", lambda *rest: -1)
    with pytest.raises(ArithmeticError, match="Setting.distribution tells each distribution"):
        Setting(n=300, alpha=0.1, beta=1, x_h=1.8, c=300).step_profile(450)


# --- the average ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "step"),
    [
        ((2, 0.7, 2.0, 1.3, 5.0), 1),
        ((2, 0.7, 2.0, 1.3, 5.0), 9),
        ((50, 0.1, 1.0, 1.8, 60.0), 333),
        ((700, 0.1, 1.0, 1.8, 700.0), 7 * 700 + 350),
        ((2000, 1.0, 1.0, 1.9, 2000.0), 5 * 2000),
        ((2000, 1.0, 0.002, 1.0, 2000.0), 2 * 2000 + 77),  # in many pieces
        ((3000, 1e3, 0.1, 1.0, 1e5), 3 * 3000 + 2999),
    ],
)
@pytest.mark.parametrize("method", ["quadrature", "direct"])
def test_average_is_that_of_the_recursion_within_its_error(setting, step, method):
    found = made(*setting).separation(step, method=method)
    wanted = summed_in_balls(*setting, step)
    assert float(abs(arb(found.value) - wanted)) <= found.error
    assert found.error <= 3e-13 * found.value


def summed_in_digits(n, alpha, beta, x_h, c, step):
    """The same to 80 digits, where rates are next to 1: the gap is carried, not subtracted."""
    with mpmath.workdps(220):  # a gap of 1e-120 of the mean has still its 80
        alpha, beta, x_h, c = (mpmath.mpf(value) for value in (alpha, beta, x_h, c))
        signal = n * x_h**2 * beta
        eta = 2 / (alpha + signal) ** 2
        pull, less = eta / 2 * (alpha + signal), eta / 2 * signal * 3 / 4
        rate, odd_rate = 1 - pull, 1 - pull + less
        limit, powers, noises = c * signal / (alpha + signal), [mpmath.mpf(1)], [mpmath.mpf(0)]
        for _ in range(max(n, step)):
            powers.append(powers[-1] * rate)
            noises.append(noises[-1] * rate**2 + eta)
        total = mpmath.mpf(0)
        for position in range(1, min(n, step) + 1):
            gap, variance, at = mpmath.mpf(0), 1 / alpha, 0
            for odd_step in [*range(position - 1, step, n), None]:
                free = (step if odd_step is None else odd_step) - at
                gap *= powers[free]
                variance = variance * powers[free] ** 2 + noises[free]
                if odd_step is not None:
                    mean = limit * (1 - powers[odd_step])
                    gap = odd_rate * gap + less * (c - mean)
                    variance = odd_rate**2 * variance + eta
                    at = odd_step + 1
            total += gap**2 / variance
        return total / n


@pytest.mark.parametrize(
    ("setting", "step", "wanted"),
    [((10, 1, 1, 1e10, 4), 25, "5.85e-41"), ((100, 0.1, 1, 1e9, 3), 130, "9.619e-41")],
)
def test_rates_next_to_1_have_their_average(setting, step, wanted):
    assert f"{float(summed_in_digits(*setting, step)):.4g}" == wanted
    assert f"{made(*setting).separation(step).value:.4g}" == wanted


tens = floats(-12, 12).map(lambda power: 10.0**power)


@settings(max_examples=150, deadline=None)
@given(
    n=integers(2, 150),
    alpha=floats(-30, 45).map(lambda power: 10.0**power),
    beta=tens,
    x_h=tens,
    c=floats(-200, 200).map(lambda power: 10.0**power),
    epochs=floats(0, 3),
)
@example(n=10, alpha=1.0, beta=1.0, x_h=1e10, c=4.0, epochs=2.5)
@example(n=150, alpha=1e30, beta=1.0, x_h=1.0, c=1e-150, epochs=2.5)
@example(n=150, alpha=1e-30, beta=1e12, x_h=1e12, c=1.0, epochs=3.0)
@example(n=10, alpha=1.0, beta=1.0, x_h=1.0, c=1e180, epochs=2.0)
def test_any_setting_has_its_average_within_the_error_or_is_refused(n, alpha, beta, x_h, c, epochs):
    assume(alpha + n * x_h**2 * beta > 0.6)  # else the chain may diverge
    assume(not 0.6 < alpha + n * x_h**2 * beta < 1.001 or n < 20)  # balls take their time
    setting, step = (n, alpha, beta, x_h, c), int(n * epochs)
    wanted = summed_in_digits(*setting, step)
    for method in ("quadrature", "direct"):
        try:
            found = made(*setting).separation(step, method=method)
        except ValueError:  # the squared gap is beyond the doubles
            assert wanted > 1e300
            continue
        assert abs(mpmath.mpf(found.value) - wanted) <= found.error
        assert found.error <= 1e-11 * found.value + 1e-300


@settings(max_examples=60, deadline=None)
@given(
    n=integers(2, 20_000),
    alpha=floats(1e-4, 1e4),
    signal=floats(1e-3, 1e3),
    epochs=floats(0, 60),
)
def test_both_methods_are_the_average_of_the_exact_distribution(n, alpha, signal, epochs):
    assume(alpha + n * signal > 1)
    step = int(n * epochs)
    distribution = Setting(n=n, alpha=alpha, beta=signal, x_h=1, c=n).distribution(
        step, np.arange(1, n + 1)
    )
    wanted = math.fsum(distribution.gap**2 / distribution.odd_variance) / n
    for method in ("quadrature", "direct"):
        found = Setting(n=n, alpha=alpha, beta=signal, x_h=1, c=n).separation(step, method=method)
        assert abs(found.value - wanted) <= found.error + 2e-15 * wanted
        assert found.error <= 1e-11 * wanted


def test_figure_1_at_full_size_both_ways():
    curve = FIGURE_1.separation_curve(points=4)
    direct = FIGURE_1.separation_curve(points=4, method="direct")
    assert curve.step.size == 241
    assert np.abs(curve.value - direct.value).max() < 1e-12
    assert (np.abs(curve.value - direct.value) <= curve.error + direct.error).all()
    assert curve.value[1:] == pytest.approx(direct.value[1:], rel=1e-13, abs=0)
    assert (curve.error[1:] < 1e-13 * curve.value[1:]).all()


@pytest.mark.parametrize(
    ("epoch", "value"),
    # an evaluation that shares no code with this one
    [
        *((1, 0.00551), (5, 0.13775), (10, 0.55099), (15, 1.2394), (20, 2.1905)),
        *((25, 3.0335), (28, 2.3202), (29, 1.7838), (30, 1.2517), (35, 0.1025)),
        *((40, 6.2e-3), (50, 2.1e-5), (60, 8.2e-8), (10**6, 1.566e-9)),
    ],
)
def test_figure_1_has_the_known_values(epoch, value):
    digits = len(f"{value:g}".split("e")[0].replace(".", "").lstrip("0"))
    found = float(FIGURE_1.separation(step=epoch * EPOCH))
    assert float(f"{found:.{digits}g}") == value


def test_figure_1_peaks_before_the_stopping_step():
    curve = FIGURE_1.separation_curve()
    assert curve.step.size == 60 * 40 + 1
    assert curve.value.max() == pytest.approx(3.0355, abs=5e-5)
    assert curve.peak / EPOCH == pytest.approx(25.175, abs=1e-3)
    assert curve.stop == 33_321_551


def test_sums_do_not_depend_on_the_number_of_workers(monkeypatch):
    wanted = (
        Setting(n=5000, alpha=0.1, beta=1, x_h=1.8, c=5000)
        .separation_curve(points=3, method="direct")
        .value
    )
    for processors, at_once in ((1, 16), (2, 1), (7, 5)):
        monkeypatch.setattr("os.cpu_count", lambda processors=processors: processors)
        monkeypatch.setattr("dpbook.langevin.theory.separation.STEPS_AT_ONCE", at_once)
        found = (
            Setting(n=5000, alpha=0.1, beta=1, x_h=1.8, c=5000)
            .separation_curve(points=3, method="direct")
            .value
        )
        assert np.array_equal(found, wanted)


def test_where_steps_overstep_the_positions_are_summed_in_balls():
    setting, step = (5, 0.25, 0.0625, 1.0, 3.0), 23
    found = made(*setting).separation(step)
    assert float(abs(arb(found.value) - summed_in_balls(*setting, step))) <= found.error
    assert found.stop is None


def test_kernels_run_the_same_in_plain_python():
    chain = chain_constants(Setting(n=300, alpha=0.1, beta=1.0, x_h=1.8, c=300.0))
    steps = np.array([0, 1, 299, 300, 450, 3000])
    rules = [np.empty(6) for _ in range(4)]
    kernels.separation_rules(chain, steps, *rules[:2])
    kernels.separation_rules.py_func(chain, steps, *rules[2:])
    assert rules[0] == pytest.approx(rules[2], rel=1e-14, abs=0)
    assert rules[1] == pytest.approx(rules[3], rel=1e-6, abs=0)
    starts, table = np.empty(1), np.empty(kernels.TERMS)
    kernels.powers(chain, np.zeros(1, dtype=np.int64), starts)
    kernels.powers.py_func(chain, np.arange(kernels.TERMS), table)
    sums = [np.empty(6) for _ in range(2)]
    kernels.separation_sums(chain, steps, starts, table, sums[0])
    kernels.separation_sums.py_func(chain, steps, starts, table, sums[1])
    assert sums[0] == pytest.approx(sums[1], rel=1e-14, abs=0)
    assert sums[0] == pytest.approx(rules[0], rel=1e-13, abs=0)
    for size in (6, 7):
        block = (0.3, 0.7, 0.5, np.linspace(0.2, 1, size))
        assert kernels.block_sum(*block) == pytest.approx(kernels.block_sum.py_func(*block))


# --- what it shows --------------------------------------------------------------------------------


def test_a_separation_is_a_number_with_an_error():
    one = Setting(n=2000, alpha=0.1, beta=1, x_h=1.8, c=2000).separation(30_000)
    assert float(one) == one.value == np.asarray(one)
    assert one == pytest.approx(one.value)
    assert f"at epoch 15: {one.value:.5g}" in one.describe()
    assert repr(one).startswith(f"Separation(n=2000, step=30000, value={one.value:.6g}, error<=")


def test_the_picture_is_the_curve_with_the_stopping_step():
    curve = Setting(n=2000, alpha=0.1, beta=1, x_h=1.8, c=2000).separation_curve(
        epochs=30, points=4
    )
    line, stop = curve.plot().get_lines()
    assert list(line.get_ydata()) == list(curve.value)
    assert list(line.get_xdata()) == list(curve.step / 2000)
    assert stop.get_xdata()[0] * 2000 == curve.stop
    assert f"rises to {curve.value.max():.5g} at epoch {curve.peak / 2000:.4g}" in curve.describe()
    assert (
        f"T = {curve.stop} it is {float(Setting(n=2000, alpha=0.1, beta=1, x_h=1.8, c=2000).separation(curve.stop)):.4g}"
        in (curve.describe())
    )
    assert html.escape(curve.describe()) in curve._repr_html_()
    short = Setting(n=2000, alpha=0.1, beta=1, x_h=1.8, c=2000).separation_curve(epochs=5)
    assert len(short.plot().get_lines()) == 1
    assert "stopping" not in short.describe()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: FIGURE_1.separation(step=1, method="sum"),
            'method must be "quadrature" or "direct", got \'sum\'',
        ),
        (
            lambda: FIGURE_1.separation(step=-3),
            "step must be integers from 0 to 1000000000000000, got -3",
        ),
        (
            lambda: Setting(n=10**12, alpha=1, beta=1, x_h=2, c=1).separation(5, method="direct"),
            'n must be <= 10000000000 with method="direct", got 1000000000000; take "quadrature"',
        ),
        (
            lambda: Setting(n=200_000, alpha=0.1, beta=1e-6, x_h=1, c=1).separation(5),
            "n must be <= 100000 / number of steps = 100000 where alpha + n * x_h**2 * beta <= 1 or "
            "a parameter is near the ends of the doubles, got 200000",
        ),
        (
            lambda: Setting(n=10, alpha=0.1, beta=1, x_h=1.8, c=1e300).separation(5),
            "c must be smaller, got 1e+300: the squared gap in variances, or the bound of its error, "
            "is beyond the doubles",
        ),
        (
            lambda: Setting(n=10, alpha=1e308, beta=1e308, x_h=1, c=1).separation(5),
            "alpha and n * x_h**2 * beta must be smaller, got 1e+308 and 10 * 1**2 * 1e+308: a "
            "variance is below the doubles",
        ),
        (
            lambda: FIGURE_1.separation_curve(epochs=0),
            "epochs must be an integer >= 1, got 0",
        ),
        (
            lambda: FIGURE_1.separation_curve(points=0.5),
            "points must be an integer >= 1, got 0.5",
        ),
    ],
)
def test_unusable_input_is_named(call, message):
    with pytest.raises(ValueError, match="must be") as caught:
        call()
    assert str(caught.value) == message
