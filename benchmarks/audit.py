"""How tight and how fast the auditor is, on the Laplace mechanism with a true epsilon of 1.

    python benchmarks/audit.py [--seeds N] [--zoo]

Prints the median of the lower bound over seeds, the time of a call with sampling and without, and,
where jax-privacy is installed, the same for its CanaryScoreAuditor on draws of the same number
(samples a side, significance 0.05): its sampling is timed too. With --zoo each broken mechanism and
its twin.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import platform
import statistics
import time
from collections.abc import Callable

import numpy as np

from dpbook.privacy.audit import audit
from dpbook.privacy.zoo import ZOO

SAMPLES = 100_000
LEAST, LIMIT = 0.975, 20.0  # what the median must reach; milliseconds


def laplace(mean: float, size: int, rng: np.random.Generator) -> np.ndarray:
    return rng.laplace(loc=mean, size=size)


def over_seeds(
    bound: Callable[[np.random.Generator], float], seeds: int
) -> tuple[float, float, float]:
    """Median bound, and milliseconds of a call: the median, and the least (on a busy machine)."""
    bound(np.random.default_rng(0))
    found, spent = [], []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        start = time.perf_counter()
        found.append(bound(rng))
        spent.append(1e3 * (time.perf_counter() - start))
    return statistics.median(found), statistics.median(spent), min(spent)


def ours(rng: np.random.Generator) -> float:
    return audit(laplace, 0.0, 1.0, SAMPLES, rng=rng).epsilon_lower


def sampled(rng: np.random.Generator) -> float:
    return float(laplace(0.0, SAMPLES, rng)[0] + laplace(1.0, SAMPLES, rng)[0])


def peer() -> Callable[[np.random.Generator], float] | None:
    """The auditor of jax-privacy, wherever its release keeps it."""
    auditor = None
    for name in ("jax_privacy.auditing", "jax_privacy.experimental.auditing"):
        try:
            auditor = auditor or getattr(importlib.import_module(name), "CanaryScoreAuditor", None)
        except ImportError:
            continue

    def bound(rng: np.random.Generator) -> float:
        # scores of X are the higher ones
        inside, outside = -laplace(0.0, SAMPLES, rng), -laplace(1.0, SAMPLES, rng)
        return float(auditor(inside, outside).epsilon_clopper_pearson(significance=0.05))

    return auditor and bound


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=200)
    options.add_argument("--zoo", action="store_true")
    chosen = options.parse_args()
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    median, spent, least = over_seeds(ours, chosen.seeds)
    _, sampling, least_sampling = over_seeds(sampled, chosen.seeds)
    failed = median < LEAST or spent > LIMIT
    print(
        f"dpbook       median epsilon_lower {median:.4f} (at least {LEAST}), {spent:.1f} ms a call "
        f"(limit {LIMIT:g}), {sampling:.1f} of them sampling; fastest {least:.1f} and "
        f"{least_sampling:.1f} ms{'   MISSED' * failed}"
    )
    other = peer()
    if other is None:
        print("jax-privacy  not installed, or without a CanaryScoreAuditor")
    else:
        version = importlib.metadata.version("jax-privacy")
        theirs, theirs_spent, _ = over_seeds(other, min(chosen.seeds, 50))
        print(
            f"jax-privacy {version}  median {theirs:.4f}, {theirs_spent:.1f} ms; "
            f"dpbook: {median / theirs:.4f} of its bound, {theirs_spent / spent:.2f} times as fast"
        )
    for kind in ZOO if chosen.zoo else ():
        found = []
        start = time.perf_counter()
        for mechanism, seed in ((kind.broken, 1), (kind.correct, 2)):
            rng = np.random.default_rng(seed)
            told = {"confidence": 1 - 1e-6 / len(ZOO), "delta": kind.delta, "rng": rng}
            found.append(audit(mechanism, kind.X, kind.Z, SAMPLES, **told).epsilon_lower)
        spent = time.perf_counter() - start
        caught = "" if found[1] <= kind.epsilon < found[0] else "   MISSED"
        print(
            f"{kind.name:44} claims {kind.epsilon:g}: broken {found[0]:.3f}, correct "
            f"{found[1]:.3f}, {spent:.2f} s{caught}"
        )
        failed |= bool(caught)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
