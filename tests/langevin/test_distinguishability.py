"""How private the chain is at a step: the exact distributions by other means, and the paper's bound."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis.strategies import floats, integers
from scipy.integrate import quad
from scipy.stats import norm

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import FIGURE_1, Setting, kernels
from dpbook.langevin.theory.distinguishability import WAYS, _odd_distributions, _spans
from dpbook.privacy.distributions import Mixture, Normal
from dpbook.privacy.profiles import profile
from tests.langevin.asking import asked, made

EPOCH = FIGURE_1.n


@pytest.fixture(scope="module")
def figure_1():
    return FIGURE_1.distinguishability(epsilon=1.6, delta=0.01)


# --- Figure 1 -------------------------------------------------------------------------------------


def test_figure_1_fails_from_epoch_11_to_31(figure_1):
    assert figure_1.failing == tuple(range(11, 32))
    assert figure_1.crossings == pytest.approx((10.201, 31.739), abs=5e-4)
    assert figure_1.error < 1e-12


def test_the_half_line_alone_shows_epochs_18_to_29(figure_1):
    assert figure_1.half_line_failing == tuple(range(18, 30))
    stop = figure_1.at_stop
    assert stop.half_line_delta == pytest.approx(0.5 - math.exp(1.6) * 0.0908, abs=3e-4)
    middles = (2 * np.arange(1000) + 1) * EPOCH // 2000
    distribution = FIGURE_1.distribution(step=stop.step, position=middles)
    mass = norm.sf(distribution.gap / np.sqrt(distribution.odd_variance)).mean()
    assert stop.half_line_delta == pytest.approx(0.5 - math.exp(1.6) * mass, abs=1e-11)
    assert stop.half_line_epsilon == pytest.approx(math.log(0.49 / mass), abs=1e-10)


def test_at_the_stopping_step_of_figure_1_all_is_told_but_by_equation_16(figure_1):
    stop = figure_1.at_stop
    assert stop.step == 33_321_551
    assert stop.delta == pytest.approx(0.14427, abs=5e-6)
    assert stop.epsilon == pytest.approx(3.4288, abs=5e-5)
    assert stop.floor == pytest.approx(-0.713, abs=5e-4)


def test_figure_1_by_the_profile_of_its_two_distributions(figure_1):
    stop = FIGURE_1.step_profile(step=33_321_551)
    both = (stop, stop.reverse)
    assert figure_1.at_stop.delta == pytest.approx(max(one.delta(1.6) for one in both), abs=1e-13)
    assert figure_1.at_stop.epsilon == pytest.approx(
        max(one.epsilon(0.01) for one in both), abs=1e-11
    )
    for place in (60, 222, 500, 599):  # at ends of epochs and between
        one = FIGURE_1.step_profile(step=int(figure_1.step[place]))
        assert figure_1.plain_over_odd[place] == pytest.approx(one.delta(1.6), abs=1e-13)
        assert figure_1.odd_over_plain[place] == pytest.approx(one.reverse.delta(1.6), abs=1e-13)


def test_figure_1_by_quadrature_of_the_densities(figure_1):
    """With three positions for all: at the end of an epoch they differ by 1e-5."""
    place = int(np.flatnonzero(figure_1.step == 25 * EPOCH)[0])
    distribution = FIGURE_1.distribution(step=25 * EPOCH, position=[1, EPOCH // 2, EPOCH])
    sd = math.sqrt(distribution.variance)

    def excess(x):
        odd = norm.pdf(x, -distribution.gap / sd, np.sqrt(distribution.odd_variance) / sd).mean()
        return max(norm.pdf(x) - math.exp(1.6) * odd, 0.0)

    wanted, _ = quad(excess, -3, 9, epsabs=1e-10, limit=200)
    assert figure_1.plain_over_odd[place] == pytest.approx(wanted, abs=1e-6)


# --- the distributions on the odd data ---------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@given(
    n=integers(2, 9),
    alpha=floats(0.05, 50),
    signal=floats(0.1, 20),
    c=floats(0.1, 200),
    epochs=floats(0.3, 6),
    epsilon=floats(0, 8),
)
def test_divergences_are_those_of_the_mixture_over_all_positions(
    n, alpha, signal, c, epochs, epsilon
):
    assume(alpha + n * signal > 1)
    setting, step = made(n, alpha, signal, 1.0, c), int(epochs * n)
    distribution = setting.distribution(step, np.arange(1, n + 1))
    sd = math.sqrt(distribution.variance)
    odd = Mixture(
        [
            Normal(-gap / sd, max(math.sqrt(variance) / sd, 1.0))
            for gap, variance in zip(distribution.gap, distribution.odd_variance, strict=True)
        ]
    )
    exact = profile(Normal(0, 1), odd)
    distributions = _odd_distributions(setting, np.array([step]))
    assert distributions.error < 1e-17
    for way, one in zip(WAYS, (exact, exact.reverse), strict=True):
        found = float(distributions.divergence(way, epsilon)[0])
        assert found == pytest.approx(one.delta(epsilon), abs=1e-14 * math.exp(epsilon))
    assert setting.step_profile(step).delta(epsilon) == pytest.approx(
        exact.delta(epsilon), abs=1e-13
    )


def test_losses_of_hundreds_keep_their_digits():
    """Distributions 70 standard deviations apart: exp(epsilon) is beyond the doubles."""
    setting, step = made(5, 14.5, 6.5, 1.0, 370.0), 26
    distributions, exact = _odd_distributions(setting, np.array([step])), setting.step_profile(step)
    for epsilon in (2000.0, 2300.0, 3600.0):
        for way, one in zip(WAYS, (exact, exact.reverse), strict=True):
            wanted = one.delta(epsilon)
            assert float(distributions.divergence(way, epsilon)[0]) == pytest.approx(
                wanted, rel=1e-9
            )
    wanted = max(exact.epsilon(0.01), exact.reverse.epsilon(0.01))
    assert distributions.smallest_epsilon(0.01)[0] == pytest.approx(wanted, rel=1e-10)
    far = Setting(n=5, alpha=14.5, beta=6.5, x_h=1, c=370).distinguishability(
        epsilon=800, delta=0.01, epochs=10, points=5
    )
    stop = far.at_stop
    assert 800 < stop.half_line_epsilon < stop.epsilon < math.inf
    assert (far.half_line <= far.plain_over_odd).all()


@pytest.mark.parametrize("drift", [0.02, 1.0, 8.0])
@pytest.mark.parametrize("kick", [0.05, 1.0, 4.0])
def test_error_of_the_mixture_is_below_its_bound(drift, kick):
    """Of pieces so wide that it shows: their normal distributions against those of all numbers."""
    numbers, rate, width = 700, -0.0085, 6.0
    distribution = (drift, kick, 1.3, 1.2)
    since, weights = np.empty(numbers + 1), np.empty(numbers + 1)
    used, widest = kernels.range_nodes(0, numbers, rate, width, 100.0, since, weights)
    assert widest == pytest.approx(2.975)
    x = np.linspace(-40, 20, 1001)

    def density(steps, shares):
        y = np.exp(rate * steps)
        distributions = norm.pdf(
            x, -(drift + kick * y)[:, None], np.sqrt(1.3 + 1.2 * y**2)[:, None]
        )
        return shares @ distributions / numbers

    apart = density(since[:used], weights[:used]) - density(np.arange(numbers), np.ones(numbers))
    distance = 0.5 * np.trapezoid(np.abs(apart), x)
    assert distance <= kernels.density_bound(distribution, 1.0, widest, 1.0)
    if kick == 4.0:
        assert distance > 1e-12  # it does show


def test_kernels_run_the_same_in_plain_python():
    distributions = _odd_distributions(FIGURE_1, np.array([0, 29 * EPOCH, 29 * EPOCH + 300_000]))
    low, high, level = np.full(3, -60.0), np.full(3, 60.0), np.full(3, -1.6)
    ends = np.empty((4, 3))
    for run, out in zip(
        (kernels.level_sets, kernels.level_sets.py_func), (ends[:2], ends[2:]), strict=True
    ):
        run(
            distributions.weights,
            distributions.shifts,
            distributions.precisions,
            low,
            high,
            level,
            *out,
        )
    assert math.isnan(ends[0, 0])  # at the start no output is likelier
    assert ends[:2] == pytest.approx(ends[2:], rel=1e-12, nan_ok=True)
    row = (
        np.log(distributions.weights[1] + 1e-300),
        distributions.shifts[1],
        distributions.precisions[1],
    )
    assert kernels.log_ratio(0.3, *row) == pytest.approx(kernels.log_ratio.py_func(0.3, *row))
    step = 1e-5
    values = [kernels.log_ratio(0.3 + move, *row)[0] for move in (-step, step)]
    assert kernels.log_ratio(0.3, *row)[1] == pytest.approx(np.diff(values)[0] / (2 * step))


def test_a_chain_that_is_private_enough_has_no_epsilon_and_no_crossing():
    found = Setting(n=2000, alpha=0.1, beta=1, x_h=1.8, c=1.0).distinguishability(
        epsilon=0.5, delta=0.01, epochs=20, points=2
    )
    assert found.failing == found.half_line_failing == found.crossings == ()
    assert found.at_stop.epsilon == 0
    assert (found.divergence < 1e-9).all()


def test_where_the_lemma_does_not_apply_the_exact_distribution_still_tells():
    found = Setting(n=500, alpha=1, beta=1, x_h=1, c=500).distinguishability(
        epsilon=1, delta=0.01, epochs=10, points=2
    )
    assert found.at_stop.floor is None
    assert "eq. 16 does not apply" in found.describe()
    assert found.failing


# --- lemma A.6 ------------------------------------------------------------------------------------


def test_floor_is_equation_16():
    found = FIGURE_1.loss_floor(delta=0.01)
    b, ratio = 1.8**2, 1165165 / 1149019
    bound = math.exp(-2 / b) * 0.1 / 6 * (3 / (32 * b)) ** 2 * ratio**2
    assert found.ratio == pytest.approx(bound, rel=1e-13)
    assert found.value == pytest.approx(bound / 2 + math.log(0.49), rel=1e-13)
    assert found.vacuous
    assert found.step == 33_321_551
    assert "which says nothing" in found.describe()
    assert found.describe() in found._repr_html_()


def test_a_floor_can_say_something():
    found = Setting(n=10**8, alpha=10, beta=1, x_h=1.8, c=8e9).loss_floor(delta=0.01)
    assert found.value > 1.6
    assert not found.vacuous
    assert "below which the chain is not private" in found.describe()


@settings(max_examples=30, deadline=None)
@given(
    n=integers(20, 20_000),
    alpha=floats(0.1, 20),
    strength=floats(2.89, 12),
    c_power=floats(1, 1.4),
)
def test_the_exact_distribution_is_above_the_floor(n, alpha, strength, c_power):
    c = n**c_power
    try:
        floor = Setting(n=n, alpha=alpha, beta=strength, x_h=1, c=c).loss_floor(delta=0.01)
    except DomainError:
        assume(False)
    distribution = Setting(n=n, alpha=alpha, beta=strength, x_h=1, c=c).distribution(
        floor.step, np.arange(1, n + 1)
    )
    ratios = distribution.gap**2 / distribution.odd_variance
    assert ratios.min() >= floor.ratio
    assert (
        float(Setting(n=n, alpha=alpha, beta=strength, x_h=1, c=c).separation(floor.step))
        >= floor.ratio
    )
    mass = norm.sf(np.sqrt(ratios)).mean()
    assert mass == 0 or math.log(0.49 / mass) >= floor.value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"x_h": 1.6986},
            "langevin:lemma-a.5.later needs x_h**2 * beta > 2 / log(2) = 2.88539, got 2.88524",
        ),
        (
            {"n": 5, "alpha": 30},
            "langevin:lemma-a.5.later needs n > alpha / (x_h**2 * beta) = 7.5, got n = 5",
        ),
        (
            {"alpha": 1e-5},
            "langevin:lemma-a.3.first needs n > 1 / (2 * alpha * x_h**2 * beta) - 1 / (x_h**2 * beta) = "
            "12499.7, got n = 1000",
        ),
        ({"delta": 0.5}, "langevin:lemma-a.6 needs delta < 1/2, got 0.5"),
    ],
)
def test_what_the_lemmas_say_nothing_of_is_refused_with_their_key(change, message):
    setting = {"n": 1000, "alpha": 1, "beta": 1, "x_h": 2, "c": 1000, "delta": 0.01}
    with pytest.raises(DomainError) as caught:
        asked("loss_floor", **{**setting, **change})
    assert str(caught.value) == message


# --- what it shows, and bad input -----------------------------------------------------------------


def test_the_picture_is_the_divergences_with_the_level(figure_1):
    plain, odd, half_line, level, stop = figure_1.plot().get_lines()
    for line, values in (
        (plain, figure_1.plain_over_odd),
        (odd, figure_1.odd_over_plain),
        (half_line, figure_1.half_line),
    ):
        shown = ~np.isnan(line.get_ydata())
        assert list(line.get_ydata()[shown]) == list(values[values > 1e-4])
    assert set(level.get_ydata()) == {0.01}
    assert set(stop.get_xdata()) == {29.0}


def test_words_name_epochs_and_epsilons(figure_1):
    said = figure_1.describe()
    for part in (
        "crosses delta 0.01 at epoch 10.201, 31.739",
        "fails at epoch ends 11 to 31",
        "shows that at 18 to 29",
        "is 3.429; by the half-line 1.685; eq. 16 gives epsilon >= -0.7133, which says nothing",
    ):
        assert part in said
    assert "<td>11 to 31</td><td>3.429</td>" in figure_1._repr_html_()
    assert repr(figure_1).endswith("delta=0.1443, epsilon=3.4288, floor=-0.7133)")


def test_runs_of_integers_are_named_by_their_ends():
    assert _spans(()) == "none"
    assert _spans((3,)) == "3"
    assert _spans((3, 4, 5, 8, 10, 11)) == "3 to 5, 8, 10 to 11"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": -1}, "epsilon must be >= 0, got -1"),
        ({"delta": 0}, "delta must be > 0, got 0"),
        ({"delta": 0.5}, "delta must be < 1/2, got 0.5"),
        ({"epochs": 0}, "epochs must be an integer >= 1, got 0"),
        (
            {"c": 1e14},
            "c must be smaller, got 1e+14: the positions are up to 3.93e+03 standard deviations apart",
        ),
    ],
)
def test_unusable_input_is_named(change, message):
    setting = {**FIGURE_1.numbers, "epsilon": 1.6, "delta": 0.01}
    with pytest.raises(ValueError, match="must be") as caught:
        asked("distinguishability", **{**setting, **change})
    assert str(caught.value) == message


def test_steps_that_overstep_are_left_to_the_distribution():
    with pytest.raises(
        ValueError, match=r"alpha \+ n \* x_h\*\*2 \* beta must be > 1, .* got 0\.5"
    ):
        Setting(n=4, alpha=0.3, beta=0.05, x_h=1, c=1).step_profile(3)
