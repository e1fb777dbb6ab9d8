"""Simulated chains against their exact distributions, and the kernels against eq. 3 in exact arithmetic.

A sample is held against a distribution function by the Dvoretzky-Kiefer-Wolfowitz inequality with
Massart's constant, which is exact for every size: P(sup |F_N - F| > t) <= 2 exp(-2 N t**2). Each
comparison is two-sided at 1e-8, with a fixed seed; the file makes fewer than 100 of them.
"""

import math
import sys
import types
import warnings
from fractions import Fraction
from itertools import permutations, product

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammainc, ndtr

from dpbook.langevin import Setting, kernels, samplers, sgld
from dpbook.privacy.distributions import Normal
from tests.langevin.asking import asked

FALSE_ALARM = 1e-8
DEVIATIONS = 5.731  # a standard normal is further out with probability 1e-8
SIZE = 40_000
ORDERS = ["cyclic", "reshuffled", "replacement"]
CODES = {order: getattr(kernels, order.upper()) for order in ORDERS}


def seeded(seed):
    return np.random.default_rng(seed)


def band(size):
    return math.sqrt(math.log(2 / FALSE_ALARM) / (2 * size))


def distance(sample, distribution):
    """Largest distance of the sample's distribution function from the distribution's."""
    ordered = distribution(np.sort(sample))
    steps = np.arange(sample.size + 1) / sample.size
    return max(np.max(steps[1:] - ordered), np.max(ordered - steps[:-1]))


def falls_on(sample, distribution):
    return distance(sample, distribution) <= band(sample.size)


def mixture(parts):
    """Distribution function of an even mixture of normal distributions (mean, variance)."""
    means, variances = (np.array(column, dtype=float) for column in zip(*parts, strict=True))
    return lambda t: np.mean(
        [ndtr((t - m) / s) for m, s in zip(means, np.sqrt(variances), strict=True)], axis=0
    )


# --- the distribution of a chain, from eq. 3 ---------------------------------------------------------------


def distribution_after(batches, x, y, alpha, beta, learning_rate, start=None):
    """Mean and variance after a step for each batch, a list of records."""
    mean, variance = start or (0, 1 / alpha)
    for batch in batches:
        weight = beta * len(x) / len(batch)
        rate = 1 - learning_rate / 2 * (alpha + weight * sum(x[i] ** 2 for i in batch))
        mean = rate * mean + learning_rate / 2 * weight * sum(x[i] * y[i] for i in batch)
        variance = rate**2 * variance + learning_rate
    return mean, variance


def cut(order, batch):
    """An order of records, cut into batches; the last may be shorter."""
    return [order[i : i + batch] for i in range(0, len(order), batch)]


def distributions(order, n, batch, steps):
    """Batches of each run that is equally likely."""
    epoch = -(-n // batch)
    epochs = -(-steps // epoch)
    if order == "cyclic":
        for chosen in permutations(range(n)):
            yield (cut(chosen, batch) * epochs)[:steps]
    elif order == "reshuffled":
        for run in product(permutations(range(n)), repeat=epochs):
            yield sum((cut(chosen, batch) for chosen in run), [])[:steps]
    else:
        for drawn in product(range(n), repeat=batch * steps):
            yield cut(drawn, batch)


X, Y = [1.0, 2.0, 0.5], [6.0, -3.0, 9.0]
MODEL = {"alpha": 1.0, "beta": 0.5, "learning_rate": 0.3}


def distribution_of(order, batch, steps, start=None):
    runs = distributions(order, len(X), batch, steps)
    return mixture([distribution_after(run, X, Y, **MODEL, start=start) for run in runs])


@pytest.mark.parametrize(
    ("order", "batch", "steps"),
    [
        *(("cyclic", 1, 8), ("cyclic", 2, 5), ("cyclic", 3, 4)),
        *(("reshuffled", 1, 8), ("reshuffled", 2, 5)),
        *(("replacement", 1, 5), ("replacement", 2, 2)),
    ],
)
def test_sgld_falls_on_the_mixture_over_all_orders_of_the_records(order, batch, steps):
    found = sgld(
        *(X, Y), **MODEL, steps=steps, order=order, batch=batch, chains=SIZE, rng=seeded(1)
    )
    assert falls_on(found.final, distribution_of(order, batch, steps))


def test_distributions_of_the_three_orders_are_told_apart():
    for order in ORDERS:
        found = sgld(X, Y, **MODEL, steps=5, order=order, chains=SIZE, rng=seeded(2)).final
        assert [falls_on(found, distribution_of(other, 1, 5)) for other in ORDERS] == [
            order == other for other in ORDERS
        ]


def test_distribution_with_replacement_has_the_moments_of_its_recursion():
    rng = seeded(3)
    n, steps, batch, eta = 40, 50, 3, 0.02
    x, y = rng.uniform(0.5, 1.5, n), rng.uniform(-5, 9, n)
    found = sgld(
        *(x, y),
        **{"alpha": 2, "beta": 1, "learning_rate": eta, "steps": steps, "batch": batch},
        **{"order": "replacement", "chains": SIZE, "rng": rng},
    ).final
    mean, square = 0.0, 0.5
    for _ in range(steps):  # of theta and theta**2; each record's factors are independent of both
        rate, add = 1 - eta / 2 * (2 + n * x**2), eta / 2 * n * x * y
        rates, adds, both = rate.mean(), add.mean(), (rate * add).mean()

        # a step averages `batch` independent draws of (rate, add)
        def mixed(first, second, of_both, batch=batch):
            return first * second + (of_both - first * second) / batch

        square = (
            mixed(rates, rates, (rate**2).mean()) * square
            + 2 * mixed(rates, adds, both) * mean
            + mixed(adds, adds, (add**2).mean())
            + eta
        )
        mean = rates * mean + adds
    variance = square - mean**2
    assert abs(found.mean() - mean) <= DEVIATIONS * math.sqrt(variance / SIZE)
    squares = (found - mean) ** 2
    assert abs(squares.mean() - variance) <= DEVIATIONS * squares.std() / math.sqrt(SIZE)


@pytest.mark.parametrize(
    ("start", "distribution"), [(2.5, (2.5, 0.0)), (Normal(-3, 2), (-3.0, 4.0))]
)
def test_start_is_a_point_or_a_normal_distribution(start, distribution):
    found = sgld(X, Y, **MODEL, steps=2, start=start, chains=SIZE, rng=seeded(4)).final
    assert falls_on(found, distribution_of("cyclic", 1, 2, start=distribution))
    assert not falls_on(found, distribution_of("cyclic", 1, 2))


def test_several_parameters_have_the_distribution_of_the_matrix_recursion():
    rng = seeded(5)
    n, d, alpha, beta, eta, steps = 6, 5, 0.7, 1.3, 0.05, 30
    x, y = rng.standard_normal((n, d)), 4 * rng.standard_normal(n)
    mean, covariance = np.zeros(d), np.eye(d) / alpha
    rate = np.eye(d) - eta / 2 * (alpha * np.eye(d) + beta * x.T @ x)
    for _ in range(steps):
        mean = rate @ mean + eta / 2 * beta * x.T @ y
        covariance = rate @ covariance @ rate.T + eta * np.eye(d)
    found = sgld(
        *(x, y),
        **{"alpha": alpha, "beta": beta, "learning_rate": eta, "batch": n, "steps": steps},
        **{"chains": SIZE, "rng": rng},
    ).final
    white = np.linalg.solve(np.linalg.cholesky(covariance), (found - mean).T)
    assert falls_on(np.sum(white**2, axis=0), lambda t: gammainc(d / 2, t / 2))
    for row in white:
        assert falls_on(row, ndtr)


def test_long_run_is_close_to_the_posterior():
    rng = seeded(6)
    x = rng.standard_normal((30, 3))
    y = x @ [1.0, -2.0, 0.5] + rng.standard_normal(30)
    precision = 2 * np.eye(3) + x.T @ x
    found = sgld(
        *(x, y),
        **{"alpha": 2, "beta": 1, "learning_rate": 4e-4, "steps": 1000, "start": [1, -2, 0.5]},
        **{"chains": 5000, "order": "reshuffled", "workers": 2, "rng": rng},
    ).final
    # wider than 10 standard errors; the learning rate leaves a bias of some thousandths
    assert found.mean(axis=0) == pytest.approx(np.linalg.solve(precision, x.T @ y), abs=0.03)
    assert np.cov(found.T) == pytest.approx(np.linalg.inv(precision), abs=0.01)


# --- the two datasets of eq. 7 --------------------------------------------------------------------

PAIR = {"alpha": 0.5, "beta": 3.5, "x_h": 1.0, "c": 30.0}
N = 7


def pair_distribution(step, position):
    """Distribution on n records of eq. 7, the odd one at `position`, or none (None)."""
    x = [PAIR["x_h"] / (2 if i + 1 == position else 1) for i in range(N)]
    run = [[t % N] for t in range(step)]
    eta = 2 / (PAIR["alpha"] + N * PAIR["x_h"] ** 2 * PAIR["beta"]) ** 2
    y = [PAIR["c"] * v for v in x]
    return distribution_after(run, x, y, PAIR["alpha"], PAIR["beta"], eta)


def pair_mixture(step):
    return mixture([pair_distribution(step, position) for position in range(1, N + 1)])


STEPS = [0, 5, 3 * N, 3 * N + 4]


@pytest.mark.parametrize("step", STEPS)
def test_two_rate_chain_falls_on_the_mixture_over_positions(step):
    found = Setting(n=N, **PAIR).chains(steps=step, chains=SIZE, rng=seeded(7))
    assert falls_on(found.final, pair_mixture(step))
    share = np.bincount(found.positions, minlength=N + 1)[1:] / SIZE
    assert np.abs(share - 1 / N).max() <= band(SIZE)  # Hoeffding's inequality, for each


@pytest.mark.parametrize("position", [None, 1, 4, 7])
def test_two_rate_chain_falls_on_the_normal_distribution_of_a_position(position):
    step = 3 * N + 4
    found = (
        Setting(n=N, **PAIR).chains(steps=step, position=position, chains=SIZE, rng=seeded(8)).final
    )
    assert falls_on(found, mixture([pair_distribution(step, position)]))
    other = 1 if position in (None, 7) else None
    assert not falls_on(found, mixture([pair_distribution(step, other)]))


def test_sgld_on_the_records_of_eq_7_falls_on_the_same_mixture():
    x = np.array([1.0] * (N - 1) + [0.5])
    step = 2 * N + 3
    found = sgld(x, PAIR["c"] * x, alpha=0.5, beta=3.5, steps=step, chains=SIZE, rng=seeded(9))
    assert found.learning_rate == 2 / 25.0**2
    assert falls_on(found.final, pair_mixture(step))
    assert not falls_on(found.final, mixture([pair_distribution(step, None)]))


@pytest.mark.parametrize("step", STEPS)
def test_exact_draws_fall_on_the_mixture_over_positions(step):
    drawn = Setting(n=N, **PAIR).draws(step=step, size=SIZE, rng=seeded(10))
    assert drawn.shape == (SIZE,)
    assert falls_on(drawn, pair_mixture(step))


@pytest.mark.parametrize("position", [None, 1, 4, 7])
def test_exact_draws_fall_on_the_normal_distribution_of_a_position(position):
    drawn = Setting(n=N, **PAIR).draws(step=25, size=SIZE, position=position, rng=seeded(11))
    assert falls_on(drawn, mixture([pair_distribution(25, position)]))


def test_chain_and_exact_draws_agree_at_full_size():
    model = {"n": 100_000, "alpha": 0.1, "beta": 1.0, "x_h": 1.8, "c": 100_000.0}
    step = 350_000
    found = Setting(**model).chains(steps=step, chains=200, workers=2, rng=seeded(12)).final
    drawn = np.sort(Setting(**model).draws(step=step, size=10**6, rng=seeded(13)))
    distribution = np.searchsorted(drawn, found) / drawn.size
    assert distance(distribution, lambda t: t) <= band(found.size) + band(drawn.size)


def test_chain_keeps_its_digits_where_rates_are_next_to_1():
    """Noise off: at n = c = 10**6 a rate that is multiplied by would move the mean by half a sd."""
    n, alpha, b, c = 10**6, mpmath.mpf(1) / 10, mpmath.mpf(81) / 25, 10**6
    epochs, odd = 20, 3 * 10**5
    with mpmath.workdps(50):
        total = alpha + n * b
        rate, odd_rate = 1 - 1 / total, 1 - (alpha + n * b / 4) / total**2
        end, odd_end = n * c * b / total, n * c * b / 4 / (alpha + n * b / 4)
        offset = -end
        for _ in range(epochs):
            before = offset * rate**odd
            offset = (odd_end - end + odd_rate * (before + end - odd_end)) * rate ** (n - odd - 1)
        sd = mpmath.sqrt(1 / total)
    kept = np.empty(1)
    steps = [1 - rate, 1 - odd_rate, odd_end - end]
    kernels.two_rate_steps(
        kept, float(-end), 0, n * epochs, n, odd, *(float(s) for s in steps), 0.0, seeded(1)
    )
    assert abs(kept[0] - offset) < 1e-5 * sd


# --- kernels --------------------------------------------------------------------------------------


class Script:
    """Stands in for a generator: hands out given numbers."""

    def __init__(self, normals, uniforms):
        self.normals, self.uniforms = iter(normals), iter(uniforms)

    def standard_normal(self):
        return next(self.normals)

    def random(self):
        return next(self.uniforms)


small = st.integers(-8, 8).map(lambda v: v / 4)


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_sgld_kernel_is_eq_3_in_exact_arithmetic(data):
    n, d = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 3))
    batch, steps = data.draw(st.integers(1, n)), data.draw(st.integers(1, 7))
    order = data.draw(st.sampled_from(ORDERS))
    x = data.draw(st.lists(st.lists(small, min_size=d, max_size=d), min_size=n, max_size=n))
    y = data.draw(st.lists(small, min_size=n, max_size=n))
    start = data.draw(st.lists(small, min_size=d, max_size=d))
    normals = data.draw(st.lists(small, min_size=steps * d, max_size=steps * d))
    most = n * (1 + steps)
    uniforms = data.draw(st.lists(st.integers(0, 99), min_size=most, max_size=most))
    alpha, beta, sd = 2, Fraction(1, 2), Fraction(1, 4)
    eta = sd**2
    kept = np.empty((steps, d))
    moved = np.array(x), np.array(y)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "shuffle_records", kernels.shuffle_records.py_func)
        kernels.sgld_steps.py_func(
            *(kept, np.array(start), 0, 1, *moved, CODES[order], batch),
            *(float(eta / 2 * alpha), float(eta / 2 * n * beta), float(sd)),
            Script(normals, (u / 100 for u in uniforms)),
        )
    noise, chance = iter(normals), (Fraction(u, 100) for u in uniforms)
    theta, records, waiting = [Fraction(v) for v in start], list(zip(x, y, strict=True)), []
    if order != "replacement":
        waiting = cut(records, batch)
    for step in range(steps):
        if order == "replacement":
            chosen = [records[int(n * next(chance))] for _ in range(batch)]
        else:
            chosen = waiting.pop(0)
        gradient = [-alpha * v for v in theta]
        for row, response in chosen:
            row = [Fraction(v) for v in row]
            residual = Fraction(response) - sum(a * b for a, b in zip(row, theta, strict=True))
            for k in range(d):
                gradient[k] += Fraction(n, len(chosen)) * beta * residual * row[k]
        theta = [
            v + eta / 2 * g + sd * Fraction(next(noise))
            for v, g in zip(theta, gradient, strict=True)
        ]
        assert kept[step] == pytest.approx([float(v) for v in theta], rel=1e-12, abs=1e-12)
        if order != "replacement" and not waiting:
            if order == "reshuffled":
                for last in range(n - 1, 0, -1):
                    other = int((last + 1) * next(chance))
                    records[last], records[other] = records[other], records[last]
            waiting = cut(records, batch)


@given(
    st.integers(2, 6).flatmap(lambda n: st.tuples(st.just(n), st.integers(-1, n - 1))),
    st.integers(0, 5),
    st.lists(small, min_size=24, max_size=24),
)
@settings(max_examples=60, deadline=None)
def test_two_rate_kernel_is_eq_17_in_exact_arithmetic(place, at, noise):
    (n, odd), c, b = place, 20, Fraction(7, 2)
    at %= n
    total = 1 + n * b
    eta = 2 / total**2
    end, odd_end = n * c * b / total, n * c * b / 4 / (1 + n * b / 4)
    shrinks = 1 / total, (1 + n * b / 4) / total**2
    kept = np.empty(12)
    kernels.two_rate_steps.py_func(
        *(kept, float(-end), at, 2, n, odd),
        *(float(v) for v in (*shrinks, odd_end - end)),
        *(1.0, Script(noise, [])),
    )
    theta = Fraction(0)
    for step in range(24):
        weight = n * (b / 4 if (at + step) % n == odd else b)
        theta += eta / 2 * (-theta + weight * (c - theta)) + Fraction(noise[step])
        if step % 2:
            assert kept[step // 2] + float(end) == pytest.approx(float(theta), abs=1e-11)


@pytest.mark.parametrize(("order", "batch", "d"), list(product(ORDERS, (1, 2), (1, 3))))
def test_compiled_sgld_is_the_python_one(order, batch, d):
    rng = seeded(14)
    x, y, start = rng.standard_normal((5, d)), rng.standard_normal(5), rng.standard_normal((3, d))
    found = []
    for run in (kernels.sgld_chains, kernels.sgld_chains.py_func):
        states = np.empty((3, 4, d))
        tail = (2, x.copy(), y.copy(), CODES[order], batch, 0.01, 0.02, 0.3, seeded(15))
        run(states, start, *tail)
        found.append(states)
    assert found[0] == pytest.approx(found[1], rel=1e-12)


def test_compiled_two_rate_chain_is_the_python_one():
    found = []
    for run in (kernels.two_rate_chains, kernels.two_rate_chains.py_func):
        states = np.empty((3, 4))
        odd = np.array([-1, 0, 4])
        run(states, np.arange(3.0), odd, 3, 5, 0.1, 0.05, -0.7, 0.3, seeded(16))
        found.append(states)
    assert found[0] == pytest.approx(found[1], rel=1e-12)


@pytest.mark.parametrize(("order", "batch"), list(product(ORDERS, (1, 2))))
def test_two_halves_of_an_sgld_chain_are_the_whole(order, batch):
    x, y = seeded(17).standard_normal((5, 2)), seeded(18).standard_normal(5)

    def run(parts):
        records, rng, theta, at = (x.copy(), y.copy()), seeded(19), np.zeros(2), 0
        kept = np.empty((8, 2))
        for part in parts:
            at = kernels.sgld_steps(
                *(kept[part], theta, at, 1, *records, CODES[order], batch),
                *(0.01, 0.02, 0.3, rng),
            )
        return kept

    assert np.array_equal(run([slice(0, 8)]), run([slice(0, 4), slice(4, 8)]))


def test_two_halves_of_a_two_rate_chain_are_the_whole():
    def run(parts):
        rng, kept, offset, at = seeded(20), np.empty(8), 1.0, 0
        for part in parts:
            at = kernels.two_rate_steps(kept[part], offset, at, 1, 5, 3, 0.1, 0.05, -0.7, 0.3, rng)
            offset = kept[part][-1]
        return kept

    assert np.array_equal(run([slice(0, 8)]), run([slice(0, 4), slice(4, 8)]))


def test_shuffle_is_uniform():
    rng, counts, size = seeded(21), {}, 10_000
    for _ in range(size):
        x, y = np.arange(4.0)[:, None], np.arange(4.0)
        kernels.shuffle_records(x, y, rng)
        assert np.array_equal(x[:, 0], y)
        counts[tuple(y)] = counts.get(tuple(y), 0) + 1
    assert len(counts) == 24
    assert max(abs(v / size - 1 / 24) for v in counts.values()) <= band(size)  # Hoeffding, each


# --- streams --------------------------------------------------------------------------------------


def runs(seed, **options):
    """Both simulators from one seed."""
    both = {"steps": 6, **options}
    return (
        sgld(X, Y, **MODEL, **both, order="reshuffled", rng=seeded(seed)),
        Setting(n=N, **PAIR).chains(**both, rng=seeded(seed)),
    )


@pytest.mark.parametrize("chains", [3, 700])
def test_workers_change_nothing(chains):
    alone = runs(22, chains=chains)
    for workers in (2, 5):
        for one, other in zip(alone, runs(22, chains=chains, workers=workers), strict=True):
            assert np.array_equal(one.states, other.states)


@pytest.mark.parametrize("chains", [3, 700])
def test_no_two_chains_share_their_numbers(chains):
    for found in runs(23, chains=chains):
        assert np.unique(found.final).size == chains


def test_one_generator_gives_other_chains_each_time():
    rng = seeded(24)
    first, second = (Setting(n=N, **PAIR).chains(steps=6, chains=3, rng=rng) for _ in range(2))
    assert not np.intersect1d(first.final, second.final).size


def test_longer_run_goes_on_where_the_shorter_one_ends():
    for short, long in zip(
        runs(25, steps=8, chains=5), runs(25, steps=24, every=4, chains=5), strict=True
    ):
        assert long.states.shape == (5, 6)
        assert np.array_equal(long.states[:, 1], short.final)
        assert (long.steps, long.every, short.every) == (24, 4, 8)


def test_no_step_is_the_start():
    for found in (
        sgld(X, Y, **MODEL, steps=0, start=[1, 2, 3], chains=3, rng=seeded(26)),
        Setting(n=N, **PAIR).chains(steps=0, start=[1, 2, 3], chains=3, rng=seeded(26)),
    ):
        assert found.final == pytest.approx([1, 2, 3], abs=1e-13)
        assert found.steps == 0


def test_interrupt_keeps_the_chains_that_are_done(monkeypatch):
    class Interrupted:
        def __init__(self, tasks, **options):
            self.tasks = tasks

        def __iter__(self):
            yield from self.tasks[:2]
            raise KeyboardInterrupt

    model = {"steps": 20_000, "chains": 250}
    whole = Setting(n=N, **PAIR).chains(**model, rng=seeded(27))
    monkeypatch.setattr(samplers, "tqdm", Interrupted)
    with pytest.warns(UserWarning, match=r"interrupted: \d+ of 250 chains are done and kept"):
        found = Setting(n=N, **PAIR).chains(**model, rng=seeded(27))
    done = len(found.states)
    assert 2 <= done < 250
    assert np.array_equal(found.final, whole.final[:done])
    assert np.array_equal(found.positions, whole.positions[:done])


def test_interrupt_before_any_chain_is_done_is_an_interrupt(monkeypatch):
    class Busy(samplers.ThreadPoolExecutor):
        def submit(self, *task):
            future = super().submit(lambda: None)
            future.cancel = lambda: True
            future.cancelled = lambda: True
            return future

    def interrupted(tasks, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(samplers, "ThreadPoolExecutor", Busy)
    monkeypatch.setattr(samplers, "tqdm", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Setting(n=N, **PAIR).chains(steps=5, rng=seeded(28))


# --- extreme and wrong inputs ---------------------------------------------------------------------


def test_default_learning_rate_is_that_of_the_largest_record():
    x = [[3.0, -4.0], [0.0, 1.0]]
    assert sgld(x, [1, 2], alpha=1, beta=2, steps=1, rng=seeded(29)).learning_rate == 2 / 101**2
    assert sgld([-3, 1], [1, 2], alpha=1, beta=2, steps=1).learning_rate == 2 / 37**2


def test_one_record_and_records_without_weight():
    one = sgld([2], [4], alpha=1, beta=3, steps=50, chains=SIZE, rng=seeded(30))
    distribution = distribution_after([[0]] * 50, [2], [4], 1, 3, one.learning_rate)
    assert falls_on(one.final, mixture([distribution]))
    none = sgld([0, 0], [4, 1], alpha=4, beta=3, steps=9, chains=SIZE, rng=seeded(31))
    assert falls_on(none.final, mixture([distribution_after([[0]] * 9, [0], [4], 4, 3, 2 / 4**2)]))


def test_huge_centre_is_no_matter():
    found = Setting(n=50, alpha=1, beta=3, x_h=1, c=1e300).chains(
        steps=500, position=None, rng=seeded(32)
    )
    assert found.final[0] == pytest.approx(
        1e300 * 150 / 151 * -math.expm1(500 * math.log1p(-1 / 151))
    )


WRONG = [
    (
        {"x": [1, 2, 3]},
        r"x must have shape \(n,\) or \(n, d\) and y shape \(n,\), got \(3,\) and \(2,\)",
    ),
    ({"x": 1.0, "y": 2.0}, r"got \(\) and \(\)"),
    ({"x": [[[1]], [[2]]]}, r"got \(2, 1, 1\) and \(2,\)"),
    ({"x": [], "y": []}, r"x must hold a record at least, got shape \(0,\)"),
    ({"x": np.empty((2, 0))}, r"x must hold a record at least, got shape \(2, 0\)"),
    ({"x": [1, math.nan]}, "records must be finite, got nan or inf"),
    ({"y": [1, math.inf]}, "records must be finite, got nan or inf"),
    ({"alpha": 0}, "alpha must be > 0 and finite, got 0"),
    ({"beta": -1}, "beta must be > 0 and finite, got -1"),
    ({"steps": -1}, "steps must be an integer >= 0, got -1"),
    ({"steps": 2.5}, r"steps must be an integer >= 0, got 2\.5"),
    ({"order": "random"}, "order must be one of cyclic, reshuffled, replacement, got 'random'"),
    ({"batch": 0}, "batch must be an integer >= 1, got 0"),
    ({"batch": 3}, "batch must be an integer <= 2, got 3"),
    ({"learning_rate": 0}, "learning_rate must be > 0, got 0"),
    ({"learning_rate": math.inf}, "learning_rate must be > 0 and finite, got inf"),
    ({"start": [1, 2]}, r"an array that fits the shape \(3,\), got \[1, 2\]"),
    ({"start": "prior"}, "start must be a number, a Normal, or an array .*, got 'prior'"),
    ({"start": math.nan}, "start must be finite, got nan or inf"),
    ({"chains": 0}, "chains must be an integer >= 1, got 0"),
    ({"every": 0}, "every must be an integer >= 1, got 0"),
    ({"every": 3}, "every must divide steps = 4, got 3"),
    ({"steps": 0, "every": 1}, "every must divide steps = 0, got 1"),
    ({"workers": 0}, "workers must be an integer >= 1, got 0"),
    ({"rng": 5}, r"rng must be a numpy\.random\.Generator or None, got 5"),
    ({"x": [1, 1e200]}, r"learning_rate must be given: 2 / \(alpha \+ .*\)\*\*2 is 0 in floats"),
    (
        {"learning_rate": 10.0, "steps": 400},
        r"left the range of floats: .* < 4 / \(.*\) = 0\.444444, got 10",
    ),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_wrong_input_of_sgld_is_named(wrong, message):
    right = {"x": [1, 2], "y": [3, 5], "alpha": 1, "beta": 1, "steps": 4, "chains": 3}
    sgld(**right)
    with pytest.raises(ValueError, match=message):
        sgld(**{**right, **wrong})


WRONG_PAIR = [
    ({"n": 1}, "n must be an integer >= 2, got 1"),
    ({"n": 10.0}, r"n must be an integer >= 2, got 10\.0"),
    ({"x_h": 0}, "x_h must be > 0 and finite, got 0"),
    ({"c": -1}, "c must be > 0 and finite, got -1"),
    ({"position": 0}, "position must be an integer >= 1, got 0"),
    ({"position": 11}, "position must be an integer <= 10, got 11"),
    ({"position": "last"}, "position must be 1 to n = 10, \"drawn\" or None, got 'last'"),
    ({"rng": 5}, r"rng must be a numpy\.random\.Generator or None, got 5"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG_PAIR)
def test_wrong_input_of_the_pair_is_named(wrong, message):
    right = {"n": 10, "alpha": 1, "beta": 1, "x_h": 1, "c": 5}
    for run in (
        lambda **model: asked("chains", **model, steps=3),
        lambda **model: asked("draws", **model, step=3, size=2),
    ):
        run(**right)
        with pytest.raises(ValueError, match=message):
            run(**{**right, **wrong})


def test_wrong_step_or_size_of_exact_draws_is_named():
    model = {"n": 10, "alpha": 1, "beta": 1, "x_h": 1, "c": 5}
    with pytest.raises(ValueError, match="step must be an integer >= 0, got -1"):
        Setting(**model).draws(step=-1, size=2)
    with pytest.raises(ValueError, match="size must be an integer >= 1, got 0"):
        Setting(**model).draws(step=1, size=0)


def test_chain_that_steps_do_not_shrink_is_refused():
    with pytest.raises(ValueError, match=r"left the range of floats: .* = 13\.3333, got 22\.2222"):
        Setting(n=2, alpha=0.1, beta=1, x_h=math.sqrt(0.1), c=1).chains(steps=5000)


def test_start_that_is_no_distribution_with_numbers_is_named():
    from sympy import Symbol

    with pytest.raises(ValueError, match="mean of the start must be finite, got mu"):
        sgld(X, Y, **MODEL, steps=1, start=Normal(Symbol("mu", real=True), 1))


# --- what is shown --------------------------------------------------------------------------------


def test_chains_show_themselves():
    one = sgld(X, Y, **MODEL, steps=6, start=1, chains=4000, rng=seeded(33))
    mean, sd = one.final.mean(), one.final.std()
    assert repr(one) == f"Chains(chains=4000, steps=6, mean={mean:.4g}, sd={sd:.4g})"
    said = f"States of 4000 chains after 6 steps: mean {mean:.4g}, standard deviation {sd:.4g}."
    assert one.describe() == said
    assert one._repr_html_() == f"<p>{said}</p>"
    axes = one.plot()
    area = sum(bar.get_width() * bar.get_height() for bar in axes.patches)
    assert area == pytest.approx(1)
    assert axes.get_xlabel() == "slope after 6 steps"


def test_chains_of_several_parameters_show_themselves():
    rng = seeded(34)
    x = rng.standard_normal((9, 7))
    found = sgld(x, x.sum(axis=1), alpha=1, beta=1, steps=5, chains=50, rng=rng)
    first = ", ".join(f"{v:.4g}" for v in found.final.mean(axis=0)[:5])
    assert repr(found).startswith(f"Chains(chains=50, steps=5, mean=({first}, ...), sd=(")
    assert found.describe().startswith(f"States of 50 chains after 5 steps: means ({first}, ...)")
    axes = found.plot()
    (points,) = axes.containers
    assert points[0].get_ydata() == pytest.approx(found.final.mean(axis=0))


def test_states_go_to_arviz(monkeypatch):
    calls = []
    fake = types.SimpleNamespace(from_dict=lambda **told: calls.append(told) or "data")
    monkeypatch.setitem(sys.modules, "arviz", fake)
    found = Setting(n=N, **PAIR).chains(steps=12, every=3, chains=2, rng=seeded(35))
    assert found.to_arviz() == "data"
    (told,) = calls
    assert np.array_equal(told["posterior"]["theta"], found.states)
    assert told["coords"]["draw"].tolist() == [3, 6, 9, 12]


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_arviz_reads_the_states():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        pytest.importorskip("arviz", reason="the extra infer is not installed")
    for found in runs(36, steps=300, every=3, chains=4):
        theta = found.to_arviz().posterior["theta"]
        assert theta.dims[:2] == ("chain", "draw")
        assert np.array_equal(theta.values, found.states)
        assert theta["draw"].values[-1] == 300


def test_arviz_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "arviz", None)
    found = Setting(n=N, **PAIR).chains(steps=12, every=3, rng=seeded(37))
    with pytest.raises(ImportError, match=r"pip install 'dpbook\[infer\]'"):
        found.to_arviz()
    with pytest.raises(ValueError, match="run the chains with every=1"):
        Setting(n=N, **PAIR).chains(steps=12, rng=seeded(37)).to_arviz()
