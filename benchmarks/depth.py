"""How fast outlyingness, its median and a private release are, beside NumPy and data-depth.

    python benchmarks/depth.py [--repeats N] [--large] [--processor]

Every peer runs in the same run, in turns; the best of each counts. The peers of the first table
compute the same outlyingness of 1000 points in 5 dimensions over 1000 directions: NumPy by
np.partition, and data-depth (PyPI), where it is installed, by its own directions. ``--large`` adds
10**6 points in 20 dimensions, and how much memory they took beyond the data; ``--processor`` counts
processor time instead, on a machine that is busy.
"""

from __future__ import annotations

import argparse
import platform
import resource
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module, metadata
from typing import Any

import numpy as np
from timing import best

from dpbook.depth_medians import (
    FIGURE_1,
    ExponentialMechanism,
    dataset,
    outlyingness,
    outlyingness_of,
    random_directions,
)
from dpbook.depth_medians.samplers import chain_steps
from dpbook.study import compute

LIMIT, RELEASE_LIMIT = 6.0, 400.0  # milliseconds, on two idle cores


def by_partition(points: Any, data: Any, directions: Any) -> Any:
    """Outlyingness in NumPy alone."""
    middle = (len(data) - 1) // 2
    samples = directions @ data.T
    location = np.partition(samples, middle, axis=1)[:, middle, None]
    scale = np.partition(np.abs(samples - location), middle, axis=1)[:, middle, None]
    return (np.abs(directions @ points.T - location) / scale).max(axis=0)


def against_peers(repeats: int, clock: Callable[[], float]) -> bool:
    """1000 points against themselves over 1000 directions, in 5 dimensions."""
    rng = np.random.default_rng(1)
    data, directions = rng.normal(size=(1000, 5)), random_directions(5, 1000, rng)
    calls: dict[str, Callable[[], Any]] = {
        "dpbook": lambda: outlyingness(data, data, directions),
        "NumPy, np.partition": lambda: by_partition(data, data, directions),
    }
    assert np.allclose(calls["dpbook"](), calls["NumPy, np.partition"](), rtol=1e-10)
    found = {name: 1e3 * spent for name, spent in best(calls, repeats, clock).items()}
    try:
        peer = import_module("depth.multivariate")
        start = time.perf_counter()
        peer.projection(data[:100], data, solver="simplerandom", NRandom=1000)
        name = f"data-depth {metadata.version('data-depth')}, 100 points of them"
        found[name] = 1e3 * (time.perf_counter() - start)
    except (ImportError, metadata.PackageNotFoundError):
        print("data-depth: not installed")
    for name, spent in found.items():
        missed = "   MISSED" * (name == "dpbook" and spent > LIMIT)
        print(f"{name:48}{spent:10.2f} ms{spent / found['dpbook']:8.1f} times ours{missed}")
    return found["dpbook"] > LIMIT


def release(repeats: int, clock: Callable[[], float]) -> bool:
    """A whole private release, its parts, and one cell of Figure 1."""
    rng = np.random.default_rng(2)
    data = dataset("clean", 50_000, 10, rng)
    directions = FIGURE_1.directions_in(10)
    fitted = outlyingness_of(data, directions)
    mechanism = ExponentialMechanism(fitted, FIGURE_1.epsilon, FIGURE_1.eta, FIGURE_1.tau)
    chain = replace(FIGURE_1, sampler="hit-and-run")
    place = {"panel": "clean", "dimension": 10, "n": 10_000}
    study = import_module("dpbook.depth_medians.studies").figure_1
    calls: dict[str, Callable[[], Any]] = {
        "release, exact draw": lambda: FIGURE_1.release(data, rng),
        "release, hit-and-run": lambda: chain.release(data, rng),
        "of it, the margin": lambda: FIGURE_1.safety(data, directions),
        "of it, the linear program": fitted.minimum,
        "of it, a draw by hit-and-run": lambda: mechanism.draws(1, rng),
        "of it, a draw by rejection": lambda: mechanism.draws(1, rng, sampler="rejection"),
        "median and MAD alone, by dpbook": lambda: outlyingness_of(data, directions),
        "median and MAD alone, by np.partition": lambda: by_partition(data[:1], data, directions),
        "a cell of Figure 1, n = 10 000": lambda: compute(study, (place, 0), 0),
    }
    found = {name: 1e3 * spent for name, spent in best(calls, repeats, clock).items()}
    print("50 000 points in 10 dimensions, 500 directions, tau = 1")
    for name, spent in found.items():
        missed = name.startswith("release") and spent > RELEASE_LIMIT
        print(f"{name:48}{spent:10.2f} ms{'   MISSED' * missed}")
    each = found["of it, a draw by hit-and-run"] / chain_steps(10)
    print(f"a step of hit-and-run: {1e3 * each:.0f} us")
    return min(found["release, exact draw"], found["release, hit-and-run"]) > RELEASE_LIMIT


def large() -> None:
    """10**6 points in 20 dimensions, 100 directions: time, and memory beyond the data."""
    data = np.random.default_rng(3).normal(size=(10**6, 20))
    directions = random_directions(20, 100, np.random.default_rng(4))
    outlyingness_of(data[:1000], directions)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = outlyingness_of(data, directions)(data)
    spent = time.perf_counter() - start
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert found.shape == (10**6,)
    print(
        f"10**6 points in 20 dimensions, 100 directions: {spent:.2f} s, {more / 1024:.0f} MB beyond "
        f"{data.nbytes / 2**20:.0f} MB of data (all projections: {8 * 100 * 10**6 / 2**20:.0f} MB)"
    )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=9)
    options.add_argument("--large", action="store_true")
    options.add_argument("--processor", action="store_true", help="processor time, of all threads")
    chosen = options.parse_args()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    clock = time.process_time if chosen.processor else time.perf_counter
    if chosen.large:  # first: what it takes is told by the peak of the process
        large()
    return against_peers(3 * chosen.repeats, clock) | release(chosen.repeats, clock)


if __name__ == "__main__":
    raise SystemExit(main())
