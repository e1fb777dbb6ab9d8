"""The exact distribution of the chain against the recursion, and when the chain is stopped."""

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from flint import arb, ctx, fmpq
from hypothesis import assume, example, given, settings
from hypothesis.strategies import floats, integers

from dpbook.engine.claims import catalog
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin import Setting, kernels, notation
from dpbook.langevin.theory.chain import chain_constants
from tests.langevin.asking import asked, made

FIGURE_1 = (1149019, 0.1, 1.0, 1.8, 1165165.0)
MOMENTS = ("mean", "variance", "odd_mean", "odd_variance", "gap")


def recursion(n, alpha, beta, x_h, c, steps, position):
    """Both moments on both datasets and the gap after each step, in the numbers that go in."""
    eta = 2 / (alpha + n * x_h**2 * beta) ** 2
    distributions = [(alpha * 0, 1 / alpha), (alpha * 0, 1 / alpha)]
    for step in range(steps + 1):
        (mean, variance), (odd_mean, odd_variance) = distributions
        yield mean, variance, odd_mean, odd_variance, mean - odd_mean
        halved = step % n + 1 == position
        for which, x in enumerate((x_h, x_h / 2 if halved else x_h)):
            rate = 1 - eta / 2 * (alpha + n * x**2 * beta)
            mean, variance = distributions[which]
            distributions[which] = (
                rate * mean + eta / 2 * n * beta * x * (c * x),
                rate**2 * variance + eta,
            )


def composed(n, alpha, beta, x_h, c, step, position):
    """The same after many steps: affine maps of (mean, variance), composed by squaring in balls."""
    alpha, beta, x_h, c = (fmpq(*value.as_integer_ratio()) for value in (alpha, beta, x_h, c))
    eta = 2 / (alpha + n * x_h**2 * beta) ** 2

    def one(x):
        rate = arb(1 - eta / 2 * (alpha + n * x**2 * beta))
        return np.array(
            [
                [rate, 0, eta / 2 * n * beta * c * x**2],
                [0, rate**2, eta],
                [0, 0, 1],
            ],
            dtype=object,
        )

    def power(matrix, times):
        done = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=object)
        while times:
            done = matrix @ done if times % 2 else done
            matrix, times = matrix @ matrix, times // 2
        return done

    with ctx.workprec(600):
        plain, odd = one(x_h), one(x_h / 2)
        epoch = power(plain, n - position) @ odd @ power(plain, position - 1)
        whole, rest = divmod(step, n)
        begun = (
            power(plain, rest - position) @ odd @ power(plain, position - 1)
            if rest >= position
            else power(plain, rest)
        )
        start = np.array([0, 1 / alpha, 1], dtype=object)
        mean, variance, _ = power(plain, step) @ start
        odd_mean, odd_variance, _ = begun @ power(epoch, whole) @ start
        return [arb(v) for v in (mean, variance, odd_mean, odd_variance, mean - odd_mean)]


def moments(distribution):
    return [getattr(distribution, name) for name in MOMENTS]


# --- the distribution --------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(
    n=integers(2, 6),
    alpha=floats(0.01, 100),
    beta=floats(0.01, 30),
    x_h=floats(0.1, 3),
    c=floats(0.01, 1000),
)
@example(n=3, alpha=0.25, beta=0.25, x_h=1.0, c=1.0)  # lambda = 0
@example(n=2, alpha=0.125, beta=0.25, x_h=1.0, c=2.0)  # lambda < 0
@example(n=2, alpha=0.25, beta=0.125, x_h=1.0, c=2.0)  # lambda = -1
@example(n=4, alpha=0.0625, beta=0.0625, x_h=1.0, c=2.0)  # the chain diverges
def test_exact_distribution_is_the_recursion_in_exact_arithmetic(n, alpha, beta, x_h, c):
    exact = [Fraction(value) for value in (alpha, beta, x_h, c)]
    steps = 3 * n + 2
    distribution = Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=c).distribution(
        np.arange(steps + 1), np.arange(1, n + 1)
    )
    for position in range(1, n + 1):
        for step, row in enumerate(recursion(n, *exact, steps, position)):
            got = (
                *(distribution.mean[step], distribution.variance[step]),
                *(
                    one[step, position - 1]
                    for one in (distribution.odd_mean, distribution.odd_variance, distribution.gap)
                ),
            )
            for name, value, wanted in zip(MOMENTS, got, row, strict=True):
                assert abs(Fraction(value) - wanted) <= abs(wanted) * Fraction(4e-15), (name, step)


@pytest.mark.parametrize("position", [1, 391, 1000])
def test_exact_distribution_is_the_recursion_at_fifty_digits(position):
    n, steps = 1000, 30_500
    setting = (0.1, 1.0, 1.8, 1165.0)
    distribution = made(n, *setting).distribution(np.arange(steps + 1), [position])
    worst = 0.0
    with ctx.workprec(200):
        exact = [arb(value) for value in setting]
        for step, row in enumerate(recursion(n, *exact, steps, position)):
            if step % 37 and step % n > 2:
                continue
            found = (
                distribution.mean,
                distribution.variance,
                distribution.odd_mean[:, 0],
                distribution.odd_variance[:, 0],
                distribution.gap[:, 0],
            )
            for values, wanted in zip(found, row, strict=True):
                if wanted != 0:
                    worst = max(worst, float(abs(arb(float(values[step])) / wanted - 1)))
                elif step < position:
                    assert float(values[step]) == 0
    assert worst < 2e-15


@pytest.mark.parametrize(
    ("setting", "step", "position"),
    [
        (FIGURE_1, 33321551, 1),
        (FIGURE_1, 33321551, 1149019),
        (FIGURE_1, 25 * 1149019 + 700_000, 500_000),
        (FIGURE_1, 25 * 1149019 + 700_000, 700_001),
        (FIGURE_1, 10**12, 77),  # in the long run
        ((10**9, 0.1, 1.0, 1.8, 1e9), 10**12, 10**9),
        ((10**6, 1e-12, 1.0, 1.8, 1e6), 28_000_001, 3),
        ((10**6, 1e12, 1.0, 1.8, 1e6), 10**9 + 1, 3),
        ((1000, 1.0, 0.001, 1.0, 1e3), 700_123, 9),  # exponents near -700
        ((5000, 3.0, 1e-5, 1.0, 1e3), 12_345, 5000),
        ((10**15, 1.0, 1.0, 2.0, 1e20), 10**15, 12),
        ((3, 1e300, 1.0, 1.0, 1e200), 100, 2),  # in balls
        ((4, 1e-300, 1.0, 1.0, 1.0), 9, 2),
        ((4, 1.0, 1e-290, 1.0, 1e290), 9, 2),
    ],
)
def test_exact_distribution_keeps_its_digits_at_any_scale(setting, step, position):
    distribution = made(*setting).distribution(step, position)
    for name, value, wanted in zip(
        MOMENTS, moments(distribution), composed(*setting, step, position), strict=True
    ):
        assert float(abs(arb(value) - wanted)) <= 2e-15 * float(abs(wanted)) + 5e-324, name


def test_the_gap_has_digits_that_the_difference_of_the_means_has_lost():
    distribution = made(*FIGURE_1).distribution(60 * 1149019, 1)
    wanted = float(composed(*FIGURE_1, 60 * 1149019, 1)[-1])
    assert distribution.gap == pytest.approx(wanted, rel=1e-15, abs=0)
    assert abs((distribution.mean - distribution.odd_mean) / wanted - 1) > 1e-4


def test_kernel_and_steps_in_balls_are_one_distribution(monkeypatch):
    setting, steps, positions = (7, 2.0, 3.0, 1.5, 4.0), np.arange(40), np.arange(1, 8)
    first = made(*setting).distribution(steps, positions)
    monkeypatch.setattr("dpbook.langevin.theory.chain.chain_constants", lambda *setting: None)
    for one, other in zip(
        moments(first), moments(made(*setting).distribution(steps, positions)), strict=True
    ):
        assert one == pytest.approx(other, rel=3e-15, abs=0)


def test_distribution_kernel_runs_the_same_in_plain_python():
    chain = chain_constants(Setting(n=7, alpha=2.0, beta=3.0, x_h=1.5, c=4.0))
    found = []
    for run in (kernels.chain_distributions, kernels.chain_distributions.py_func):
        out = [np.empty(30), np.empty(30), np.empty((30, 7)), np.empty((30, 7))]
        run(chain, np.arange(30), np.arange(1, 8), *out)
        found.append(np.concatenate([one.ravel() for one in out]))
    assert found[0] == pytest.approx(found[1], rel=1e-15, abs=0)


@pytest.mark.parametrize("position", [1, 4, 7])
def test_distribution_at_the_ends_of_epochs_is_that_of_lemma_a_1(position):
    n, epochs = 7, 5
    distribution = Setting(n=n, alpha=1, beta=3.5, x_h=1, c=2).distribution(
        n * np.arange(1, epochs + 1), position
    )
    values = {"n": n, "r": position, "alpha": 1, "beta": sympy.Rational(7, 2), "x_h": 1, "c": 2}
    values |= {"theta_0": 0, "v_0": 1}

    def exactly(expression):
        plain = unfold_definitions(expression)
        return plain.subs({s: values[s.name] for s in plain.free_symbols}).doit()

    values["d"], values["w"] = exactly(notation.epoch_drift), exactly(notation.epoch_noise)
    for label, got in (
        ("lemma-a.1.mean-r", distribution.odd_mean),
        ("lemma-a.1.variance-r", distribution.odd_variance),
    ):
        closed_form = catalog.find(f"langevin:{label}").form.closed_form
        for k in range(epochs):
            values["k"] = k
            assert got[k] == pytest.approx(float(exactly(closed_form)), rel=1e-14)


@settings(max_examples=60, deadline=None)
@given(
    n=integers(2, 10**6),
    alpha=floats(1e-6, 1e6),
    signal=floats(1e-3, 1e3),
    epochs=floats(0, 100),
    where=floats(0, 1),
)
def test_the_odd_record_lowers_the_mean_and_widens_the_distribution(
    n, alpha, signal, epochs, where
):
    assume(alpha + n * signal > 1)  # no step oversteps
    step, position = int(epochs * n), 1 + int(where * (n - 1))
    distribution = Setting(n=n, alpha=alpha, beta=signal, x_h=1, c=n).distribution(step, position)
    assert 0 <= distribution.gap <= distribution.mean
    assert distribution.odd_variance >= distribution.variance * (1 - 1e-15)
    assert distribution.gap == 0 or step >= position
    if step >= position and signal > 0.1 and alpha + n * signal > 2:  # it does not underflow
        assert distribution.gap > 0


def test_results_have_the_shape_of_step_and_then_of_position():
    steps, positions = np.arange(6).reshape(2, 3), [1, 2, 3, 4]
    distribution = Setting(n=4, alpha=1, beta=3, x_h=1, c=2).distribution(steps, positions)
    assert distribution.mean.shape == distribution.variance.shape == (2, 3)
    assert (
        distribution.gap.shape
        == distribution.odd_mean.shape
        == distribution.odd_variance.shape
        == (2, 3, 4)
    )
    assert Setting(n=4, alpha=1, beta=3, x_h=1, c=2).distribution(steps, 2).gap == pytest.approx(
        distribution.gap[:, :, 1]
    )
    assert Setting(n=4, alpha=1, beta=3, x_h=1, c=2).distribution(
        5, positions
    ).gap == pytest.approx(distribution.gap[1, 2])
    one = Setting(n=4, alpha=1, beta=3, x_h=1, c=2).distribution(5, 2)
    assert isinstance(one.mean, float)
    assert one.gap == distribution.gap[1, 2, 1]
    with pytest.raises(ValueError, match="read-only"):
        distribution.gap[0] = 0


# --- what it shows --------------------------------------------------------------------------------


def test_over_epochs_the_picture_is_gap_and_standard_deviation():
    distribution = Setting(n=100, alpha=1, beta=3, x_h=1.5, c=200).distribution(
        np.arange(0, 2001, 50), np.arange(1, 101)
    )
    distance, sd = distribution.plot().get_lines()
    assert math.isnan(distance.get_ydata()[0])
    assert list(distance.get_ydata()[1:]) == pytest.approx(distribution.gap.mean(axis=1)[1:])
    assert list(sd.get_ydata()) == pytest.approx(np.sqrt(distribution.variance))
    ratio = distribution.gap.mean(axis=1) / np.sqrt(distribution.variance)
    top = int(ratio.argmax())
    assert (
        f"most at epoch {top / 2:.4g}, {distribution.gap[top].mean():.4g}"
        in distribution.describe()
    )
    assert repr(distribution).startswith("ChainDistribution(n=100, 41 steps to 2000, mean=")
    assert f"gap/sd={ratio[-1]:.6g})" in repr(distribution)


def test_of_one_step_the_picture_is_both_densities():
    distribution = Setting(n=7, alpha=1, beta=3, x_h=1.5, c=20).distribution(40, np.arange(1, 8))
    ax = distribution.plot()
    for line, centre in zip(ax.get_lines(), (0, -distribution.gap.mean()), strict=True):
        at, density = line.get_data()
        assert np.trapezoid(density, at) == pytest.approx(1, abs=1e-3)
        assert np.trapezoid(at * density, at) == pytest.approx(centre, abs=1e-3)
    assert f"the mean is less by {distribution.gap.mean():.4g}" in distribution.describe()
    assert distribution.describe() in distribution._repr_html_()


# --- when to stop ---------------------------------------------------------------------------------


def balance(n, alpha, beta, x_h, digits=60):
    """Definition of k-dot in lemma A.4."""
    with mpmath.workdps(digits):
        alpha, beta, x_h = (mpmath.mpf(value) for value in (alpha, beta, x_h))
        eta = 2 / (alpha + n * x_h**2 * beta) ** 2
        rate = 1 - eta / 2 * (alpha + n * x_h**2 * beta)
        inside = 1 / (1 + (1 - rate**2) / (alpha * eta))
        return mpmath.log(inside) / mpmath.log(rate) / (2 * n) - 1


def test_the_chain_of_figure_1_is_stopped_after_29_epochs():
    assert made(*FIGURE_1).balance_epoch() == pytest.approx(27.24077, abs=5e-6)
    assert made(*FIGURE_1).stopping_step() == 33_321_551


@settings(max_examples=60, deadline=None)
@given(
    n=integers(2, 10**12),
    alpha=floats(1e-8, 1e8),
    beta=floats(0.3, 1e3),
    x_h=floats(1.0, 10),
)
def test_balance_epoch_is_the_definition(n, alpha, beta, x_h):
    assume(alpha + n * x_h**2 * beta > 1)
    wanted = balance(n, alpha, beta, x_h)
    assert Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=1).balance_epoch() == float(wanted)
    assert (
        Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=1).stopping_step()
        == (int(mpmath.ceil(wanted)) + 1) * n
    )


def test_an_epoch_is_not_lost_next_to_an_integer():
    """Two neighbouring doubles between which k-dot passes 12: as doubles both are 12."""
    n, beta, x_h = 5000, 1.0, 2.0
    low, high = 1.0, 1000.0  # k-dot falls with alpha
    while np.nextafter(low, high) < high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if balance(n, middle, beta, x_h) > 12 else (low, middle)
    assert balance(n, low, beta, x_h) > 12 > balance(n, high, beta, x_h)
    assert Setting(n=n, alpha=low, beta=beta, x_h=x_h, c=1).balance_epoch() == pytest.approx(
        12, abs=1e-14
    )
    assert Setting(n=n, alpha=low, beta=beta, x_h=x_h, c=1).stopping_step() == 14 * n
    assert Setting(n=n, alpha=high, beta=beta, x_h=x_h, c=1).stopping_step() == 13 * n


def test_records_beyond_the_doubles_are_no_obstacle():
    n = 10**40
    assert Setting(n=n, alpha=1, beta=1, x_h=2, c=1).balance_epoch() == pytest.approx(
        2 * math.log(4e40) - 1, rel=1e-12
    )
    assert Setting(n=n, alpha=1, beta=1, x_h=2, c=1).stopping_step() % n == 0


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n": 1}, "n must be an integer >= 2, got 1"),
        ({"n": 7.0}, "n must be an integer >= 2, got 7.0"),
        ({"alpha": 0}, "alpha must be > 0 and finite, got 0"),
        ({"beta": math.inf}, "beta must be > 0 and finite, got inf"),
        ({"x_h": -1}, "x_h must be > 0 and finite, got -1"),
        ({"c": math.nan}, "c must be > 0 and finite, got nan"),
        ({"step": -1}, "step must be integers from 0 to 1000000000000000, got -1"),
        ({"step": [1, 2.5]}, "step must be integers from 0 to 1000000000000000, got float64 1.0"),
        ({"step": []}, "step must be integers from 0 to 1000000000000000, got none"),
        ({"position": 0}, "position must be integers from 1 to n = 7, got 0"),
        ({"position": [3, 8]}, "position must be integers from 1 to n = 7, got 8"),
        ({"position": True}, "position must be integers from 1 to n = 7, got bool True"),
    ],
)
def test_unusable_input_is_named(change, message):
    setting = {"n": 7, "alpha": 1, "beta": 3, "x_h": 1.5, "c": 2, "step": 3, "position": 1}
    with pytest.raises(ValueError, match="must be") as caught:
        asked("distribution", **{**setting, **change})
    assert str(caught.value) == message


def test_a_distribution_beyond_the_doubles_is_refused():
    with pytest.raises(
        ValueError, match="step must be smaller, got 100000: the distribution there is"
    ):
        Setting(n=2, alpha=0.1, beta=0.05, x_h=1, c=1).distribution(100_000, 1)


def test_there_is_no_balance_where_a_step_oversteps():
    setting = made(2, 0.2, 0.05, 1)
    for call in (setting.balance_epoch, setting.stopping_step):
        with pytest.raises(
            DomainError, match=r"langevin:lemma-a\.4\.first needs .* > 1, got 0\.3:"
        ):
            call()
