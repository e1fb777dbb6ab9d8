"""A thousand ranks for every built-in model with an unknown number of records, and what they cost.

    python benchmarks/calibration.py [--replicates N] [MODEL ...]

Truths and releases are drawn from the joint distribution; where model, mechanism, prior and sampler are right
the ranks of the truths are uniform. A chain is made longer until it has the effective sample size that
a rank needs. Processor time; the goal is .2 s a replicate on average.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from dpbook.unknown_sample_size import (
    DiscreteLaplace,
    Gaussian,
    KNGMean,
    Laplace,
    Poisson,
    Setting,
    Uniform,
    models,
)
from dpbook.unknown_sample_size.calibration import Calibration, calibrate, calibrate_cells
from dpbook.unknown_sample_size.problem import Release
from dpbook.unknown_sample_size.surrogate import RegressionChain
from dpbook.unknown_sample_size.time_use import SumsChain

ALARM = 1e-6  # in all: each p-value is compared with its share
GOAL = 0.2  # seconds a replicate

SETTINGS = {
    "bernoulli": Setting(models.bernoulli(), Laplace(1.0), Laplace(0.5), Poisson(8.0)),
    "bernoulli, gradient mechanism": Setting(
        models.bernoulli(), KNGMean(2.0), Gaussian(2.0), Uniform(1, 12)
    ),
    "multinomial": Setting(
        models.multinomial(), DiscreteLaplace(1.0), DiscreteLaplace(0.5), Uniform(2, 12)
    ),
    "normal mean": Setting(
        models.normal_mean(bounds=(-2, 2)), Laplace(1.0), Laplace(0.5), Poisson(8.0)
    ),
    "dirichlet": Setting(models.dirichlet(clamp=0.02), Laplace(5.0), Laplace(0.5), Uniform(5, 20)),
    "dirichlet without rows": Setting(
        models.dirichlet(clamp=1e-12), Laplace(80.0), Laplace(0.5), Uniform(30, 60)
    ),
    "regression": Setting(models.linear_regression(), Laplace(3.0), Laplace(0.3), Poisson(30.0)),
}


def regression(setting: Setting, release: Release, rng: Generator) -> RegressionChain:
    return RegressionChain(setting, release, rng, warm_up=300, steps=60, exact_steps=4)


def sums(setting: Setting, release: Release, rng: Generator) -> SumsChain:
    return SumsChain(setting, release, rng, clamped=None)


OPTIONS: dict[str, dict[str, Any]] = {
    "regression": {"begin": regression, "cycles": 400},
    "dirichlet without rows": {"begin": sums},
}


def calls(replicates: int) -> dict[str, Callable[[], Calibration]]:
    """What to run, by name."""

    def of(name: str) -> Callable[[], Calibration]:
        options = {"cycles": 500, "most": 16_000} | OPTIONS.get(name, {})
        return lambda: calibrate(SETTINGS[name], replicates, np.random.default_rng(1), **options)

    found = {name: of(name) for name in SETTINGS}
    found["cells"] = lambda: calibrate_cells(
        Laplace(0.8), (0.3, 0.5), 0.5, replicates, np.random.default_rng(1)
    )
    return found


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--replicates", type=int, default=1000)
    options.add_argument("models", nargs="*")
    chosen = options.parse_args()
    known = calls(chosen.replicates)
    for name in chosen.models:
        if name not in known:
            options.error(f"MODEL must be one of {', '.join(known)}; got {name}")
    wanted = chosen.models or list(known)
    seconds, missed = [], False
    for name in wanted:
        start = time.process_time()
        found = known[name]()
        seconds.append((time.process_time() - start) / chosen.replicates)
        values = found.p_values()
        far = min(values.values()) < ALARM / (len(wanted) * len(values))
        missed |= far
        print(
            f"{name}: {seconds[-1]:.3f} s a replicate{'   NOT UNIFORM' * far}; {found}", flush=True
        )
    mean = float(np.mean(seconds))
    print(f"{mean:.3f} s a replicate on average (goal {GOAL}){'   MISSED' * (mean > GOAL)}")
    return missed or mean > GOAL


if __name__ == "__main__":
    raise SystemExit(main())
