"""How times grow: the log-log slope between sizes of the main loops, and ratios to NumPy and SciPy.

    python benchmarks/growth.py [--repeats N]

Slope 1 is linear growth. The sizes of a row take turns and the best of each counts, in processor time;
compiling is not counted. A slope is missed where it is beyond the limit of its row: it is about the
larger sizes, as a call has a fixed cost.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # processor time is compared

import numpy as np
from timing import best

from dpbook import contamination, depth_medians, langevin, posterior_sampling, privacy
from dpbook.depth_medians import kernels
from dpbook.posterior_sampling import FiniteDistribution, minimax_risk, models
from dpbook.privacy.distributions import Beta
from dpbook.unknown_sample_size import Laplace, Setting
from dpbook.unknown_sample_size import models as own_models

ABOVE_BLAS = 2.5  # times a product of matrices, at most, at 32 and more coordinates


class Row(NamedTuple):
    """Name, sizes, a call for a size, and the largest slope between the last two sizes."""

    name: str
    sizes: tuple[int, ...]
    call: Callable[[int], Callable[[], Any]]
    limit: float


def worst_pair(n: int) -> Callable[[], Any]:
    return lambda: posterior_sampling.worst_pair(models.Bernoulli(), Beta(1, 1), n)


def risk(m: int) -> Callable[[], Any]:
    datasets = [[1] * k + [0] * (m - k) for k in range(m)]
    prior = FiniteDistribution(list(np.linspace(0.1, 0.9, 5)))
    return lambda: minimax_risk(models.Bernoulli(), prior, datasets)


def list_of(m: int) -> Callable[[], Any]:
    parts = [privacy.Laplace(0, 20 + k / m) for k in range(m)]
    return lambda: privacy.compose(parts).epsilon(1e-6)


def repeated(count: int) -> Callable[[], Any]:
    part = privacy.Laplace(0, 20 * math.sqrt(count))
    return lambda: privacy.compose(part, count).epsilon(1e-6)


def audited(size: int) -> Callable[[], Any]:
    def mechanism(mean: float, size: int, rng: np.random.Generator) -> Any:
        return rng.laplace(loc=mean, size=size)

    return lambda: privacy.audit(mechanism, 0.0, 1.0, size, rng=np.random.default_rng(1))


def outlying(n: int, d: int = 5) -> Callable[[], Any]:
    rng = np.random.default_rng(1)
    data, directions = rng.normal(size=(n, d)), depth_medians.random_directions(d, 100, rng)
    return lambda: depth_medians.outlyingness_of(data, directions)


def released(n: int) -> Callable[[], Any]:
    data = depth_medians.dataset("clean", n, 5, np.random.default_rng(1))
    return lambda: depth_medians.FIGURE_1.release(data, np.random.default_rng(2))


def chain(steps: int) -> Callable[[], Any]:
    return lambda: langevin.FIGURE_1.chains(steps=steps, rng=np.random.default_rng(1))


def coins(n: int) -> Callable[[], Any]:
    setting = Setting(own_models.bernoulli(), Laplace(1.0), Laplace(1.0))
    rng = np.random.default_rng(1)
    release = setting.release(rng.integers(0, 2, (n, 1)).astype(float), rng)
    return lambda: setting.chain(release, np.random.default_rng(2)).advance(50)


def mean_of(n: int) -> Callable[[], Any]:
    setting = contamination.private_mean(n)
    return partial(setting.epsilons, 1, np.random.default_rng(1), ("algorithm-1",))


ROWS = (
    Row("worst_pair, records", (100, 1000, 5000), worst_pair, 1.3),
    Row("minimax_risk, datasets", (16, 32, 64), risk, 3.0),
    Row("compose, different mechanisms", (16, 64, 256), list_of, 1.3),
    Row("compose, one mechanism so often", (100, 1000, 10_000), repeated, 0.6),
    Row("audit, draws", (10_000, 100_000, 1_000_000), audited, 1.2),
    Row("outlyingness, points", (1000, 10_000, 100_000), outlying, 1.2),
    Row("outlyingness, coordinates", (8, 32, 128), lambda d: outlying(20_000, d), 1.1),
    Row("release of a depth median, points", (2000, 20_000, 200_000), released, 1.3),
    Row("chain of Figure 1, steps", (10_000, 100_000, 1_000_000), chain, 1.1),
    Row("chain of coins, records", (100, 1000, 10_000), coins, 1.2),
    Row("Algorithm 1, records", (1000, 10_000, 100_000), mean_of, 1.1),
)


def slopes(repeats: int) -> Iterator[bool]:
    print(f"{'':36}{'sizes':>24}{'milliseconds':>28}   slopes")
    for row in ROWS:
        seconds = best({str(size): row.call(size) for size in row.sizes}, repeats)
        spent = [seconds[str(size)] for size in row.sizes]
        found = [
            math.log(spent[k + 1] / spent[k]) / math.log(row.sizes[k + 1] / row.sizes[k])
            for k in range(len(spent) - 1)
        ]
        missed = found[-1] > row.limit
        print(
            f"{row.name:36}{', '.join(f'{size:g}' for size in row.sizes):>24}"
            f"{', '.join(f'{1e3 * s:.3g}' for s in spent):>28}   "
            f"{', '.join(f'{s:.2f}' for s in found)}{'   MISSED' * missed}",
            flush=True,
        )
        yield missed


def projections(repeats: int) -> Iterator[bool]:
    """Projections of 20,000 points on 100 directions, beside the product of matrices of NumPy's BLAS."""
    rng = np.random.default_rng(1)
    for d in (2, 8, 32, 128):
        columns, directions = rng.normal(size=(d, 20_000)), rng.normal(size=(100, d))
        found = np.empty((100, 20_000))
        calls: dict[str, Callable[[], Any]] = {
            "ours": partial(kernels.project, directions, columns, found),
            "BLAS": partial(np.matmul, directions, columns, out=found),
        }
        seconds = best(calls, 3 * repeats)
        ratio = seconds["ours"] / seconds["BLAS"]
        missed = ratio > ABOVE_BLAS
        print(
            f"projections, {d} coordinates: {1e9 * seconds['ours'] / found.size:.1f} ns each, "
            f"{ratio:.2f} times BLAS{'   MISSED' * missed}"
        )
        yield missed


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=5)
    repeats = options.parse_args().repeats
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    return int(any([*projections(repeats), *slopes(repeats)]))


if __name__ == "__main__":
    raise SystemExit(main())
