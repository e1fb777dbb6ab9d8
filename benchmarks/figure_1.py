"""Figure 1 of the langevin paper at full size: both ways to average over 1149019 positions.

    python benchmarks/figure_1.py [--repeats N]

The curve has 40 points an epoch over 60 epochs. The peer is the same average written out in NumPy, from
coefficients that are given to it: its time is measured at some of the steps and scaled to all. Medians of the
repeats, all in one run, after a first call that compiles.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from dpbook.langevin import FIGURE_1, kernels
from dpbook.langevin.theory.chain import chain_constants

SAMPLED = 12  # steps at which NumPy is timed


def median(call: Callable[[], Any], repeats: int) -> float:
    """The median of several runs, in seconds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def in_numpy(steps: np.ndarray) -> np.ndarray:
    """The average over all positions, an array operation at a time."""
    chain = chain_constants(FIGURE_1)
    assert chain is not None
    since = np.exp(chain.log_rate * np.arange(chain.n))
    found = []
    for step in steps.tolist():
        epoch, at = divmod(step, chain.n)
        total = 0.0
        for y, met in ((since[:at], epoch + 1), (since[at:], epoch)):
            drift, kick, noise, spread = kernels.component(chain, float(step), float(met))
            total += np.sum((drift + kick * y) ** 2 / (noise + spread * y**2))
        found.append(total / chain.n)
    return np.array(found)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=7)
    repeats = options.parse_args().repeats
    start = time.perf_counter()
    quadrature = FIGURE_1.separation_curve()
    direct = FIGURE_1.separation_curve(method="direct")
    guarantee = {"epsilon": 1.6, "delta": 0.01}
    FIGURE_1.distinguishability(**guarantee)
    first = time.perf_counter() - start
    points = quadrature.step.size
    sampled = quadrature.step[:: points // SAMPLED]
    plain = in_numpy(sampled)
    by_numpy = median(lambda: in_numpy(sampled), max(repeats // 2, 1)) / sampled.size * points
    by_rule = median(lambda: FIGURE_1.separation_curve(), repeats)
    by_sum = median(lambda: FIGURE_1.separation_curve(method="direct"), repeats)
    by_distributions = median(lambda: FIGURE_1.distinguishability(**guarantee), repeats)
    print(
        f"{points} steps of {FIGURE_1.n} positions, {os.cpu_count()} processors; first calls, "
        f"compilation with them where nothing is cached: {first:.1f} s"
    )
    print(f"NumPy, scaled from {sampled.size} steps: {by_numpy:.2f} s")
    for name, seconds in (("direct sum", by_sum), ("quadrature", by_rule)):
        print(f"{name}: {1e3 * seconds:.1f} ms, {by_numpy / seconds:.0f} times faster than NumPy")
    apart = np.abs(quadrature.value - direct.value).max()
    rest = np.abs(quadrature.value[:: points // SAMPLED] - plain).max()
    print(
        f"largest difference: quadrature to direct {apart:.1e}, to NumPy {rest:.1e}; certified: "
        f"quadrature {quadrature.error.max():.1e}, direct {direct.error.max():.1e}"
    )
    print(
        f"hockey-stick divergences over 60 epochs, 20 points in each: {1e3 * by_distributions:.0f} ms"
    )


if __name__ == "__main__":
    main()
