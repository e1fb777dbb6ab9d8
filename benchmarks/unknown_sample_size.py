"""How fast the samplers for an unknown number of records are, in processor time.

    python benchmarks/unknown_sample_size.py [--repeats N]

Each goal stands beside what was measured. Peers are in R and not run here: the authors' code takes 210
to 300 us for a row of the regression and about an hour for 10 000 cycles, dapper 1.1.0 14 to 17 s for
20 000 iterations of its Gaussian example (measured elsewhere, once). The ratio of this run is against
the same algorithm in NumPy, a row at a time.
"""

from __future__ import annotations

import argparse
import platform
import time
from collections.abc import Callable

import numpy as np

from dpbook.privacy.diagnostics import ess
from dpbook.unknown_sample_size import Gaussian, Known, Laplace, Release, Setting, models
from dpbook.unknown_sample_size.studies import fixed_rows, regression_setting
from dpbook.unknown_sample_size.surrogate import sample_regression
from dpbook.unknown_sample_size.time_use import load_time_use, sample_sums, time_use_setting


def best(call: Callable[[], object], repeats: int) -> float:
    call()  # compiles
    found = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        call()
        found = min(found, time.process_time() - start)
    return found


def regression(repeats: int) -> bool:
    """Seconds for an effective sample size of 400 of beta, tau and n, warm-up included."""
    seconds = []
    for epsilon_s in (0.1, 1.0):
        for epsilon_n in (0.001, 0.01, 0.1, 1.0, 10.0, float("inf")):
            setting = regression_setting(epsilon_s, epsilon_n)
            release = setting.release(fixed_rows(), np.random.default_rng(1))
            start = time.process_time()
            found = sample_regression(
                setting, release, np.random.default_rng(2), chains=1, cycles=1000
            )
            spent = time.process_time() - start
            if epsilon_s == 0.1 and epsilon_n == 0.001:  # compiled by now
                start = time.process_time()
                found = sample_regression(
                    setting, release, np.random.default_rng(2), chains=1, cycles=1000
                )
                spent = time.process_time() - start
            seconds.append(spent)
            print(
                f"  epsilon_s {epsilon_s:g}, epsilon_n {epsilon_n:g}: {spent:.2f} s, least ESS "
                f"{found.least_ess:.0f}, R-hat {found.largest_r_hat:.4f}"
            )
    mean = float(np.mean(seconds))
    print(f"regression, n = 1000, ESS 400: {mean:.2f} s a chain on average (goal 1.5)")
    return mean > 1.5


def dirichlet(repeats: int) -> bool:
    setting = Setting(models.dirichlet(), Laplace(1.0), Laplace(1.0))
    alpha, n = [12.6, 1.59, 17.2], 6656
    rng = np.random.default_rng(3)
    release = setting.release(setting.model.draw(alpha, n, rng), rng)
    chain = setting.chain(release, rng, jumps=1, theta=alpha, fixed=True)
    rate = 100 * n / best(lambda: chain.advance(100), repeats) / 1e6
    print(f"Dirichlet row swaps: {rate:.1f} million a second (goal 5)")
    return rate < 5


def small_epsilon(repeats: int) -> bool:
    """Effective draws a second of 100 coins at epsilon .01, by the paper's moves and with renewals."""
    setting = Setting(models.bernoulli(), Laplace(0.01), Laplace(0.01))
    rows = np.random.default_rng(1).integers(0, 2, (100, 1)).astype(float)
    release = setting.release(rows, np.random.default_rng(3))
    rates = []
    for options in ({}, {"renew": 1, "block": 25}):

        def run(options: dict[str, int] = options) -> float:
            chain = setting.chain(release, np.random.default_rng(4), **options)
            theta, n = chain.advance(20_000)
            return min(ess(theta[None, 1000:, 0]), ess(n[None, 1000:].astype(float)))

        rates.append(run() / best(run, repeats))
    print(
        f"100 coins at epsilon .01: {rates[0]:.0f} effective draws a second, {rates[1]:.0f} with "
        f"renewals and blocks of 25, {rates[1] / rates[0]:.0f} times as many (goal 3)"
    )
    return rates[1] < 3 * rates[0]


def gaussian(repeats: int) -> bool:
    """The Gaussian example of dapper: n = 100, 20 000 iterations; beside NumPy, a row at a time."""
    setting = Setting(models.normal_mean(0.0, 2.0, 1.0), Gaussian(100 / 3), Known())
    release = Release((-209.8,), 100.0)
    chain = setting.chain(release, np.random.default_rng(4))
    seconds = best(lambda: chain.advance(20_000), repeats)
    rows, rng = np.random.default_rng(5).normal(-2, 1, 100), np.random.default_rng(6)

    def plain() -> None:
        total = rows.sum()
        for _ in range(200):
            theta = rng.normal(rows.mean(), 0.1)
            for i in range(100):
                new = rng.normal(theta, 1)
                at = total - rows[i] + new
                if rng.random() < np.exp(((-209.8 - total) ** 2 - (-209.8 - at) ** 2) * 4.5e-4):
                    rows[i], total = new, at

    peer = 100 * best(plain, max(1, repeats // 3))
    print(
        f"Gaussian mean, 20 000 iterations: {seconds:.3f} s (goal .1); NumPy a row at a time "
        f"{peer:.1f} s, {peer / seconds:.0f} times as long; dapper 14 s elsewhere"
    )
    return seconds > 0.1


def time_use() -> bool:
    held, rng, worst, spent = load_time_use(), np.random.default_rng(7), 0.0, 0.0
    for epsilon_s in (1.0, 10.0):
        for epsilon_n in (0.01, 0.1, 1.0, 10.0):
            setting = time_use_setting(epsilon_s, epsilon_n)
            for _ in range(10):
                release = setting.release_sums(held.sums, held.n, rng)
                start = time.process_time()
                found = sample_sums(setting, release, rng)
                spent += time.process_time() - start
                worst = max(worst, found.largest_r_hat)
    print(f"time use, 80 settings: {spent:.1f} s (goal 60), largest R-hat {worst:.4f}")
    return spent > 60 or worst > 1.01


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=5)
    repeats = options.parse_args().repeats
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    missed = [
        gaussian(repeats),
        small_epsilon(repeats),
        dirichlet(repeats),
        time_use(),
        regression(repeats),
    ]
    return int(any(missed))


if __name__ == "__main__":
    raise SystemExit(main())
