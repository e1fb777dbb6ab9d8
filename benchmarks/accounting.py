"""The certified accountant beside its peers: time, width, and who falls below the truth.

    python benchmarks/accounting.py [--repeats N]

Peers are used where they are installed (the extra peers): dp-accounting, autodp, opendp. Times are the best of
the repeats, of the whole call, all in one run. Ours are certified; no peer's answer is, so no row is like for like.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import time
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

from dpbook.privacy.accounting import PoissonSampled, compose, gaussian_delta, gaussian_epsilon
from dpbook.privacy.distributions import Laplace, Normal

DELTA = 1e-6
WIDTHS, SECONDS = (1e-9, 1e-6), (0.05, 1.0)  # of runs of DP-SGD at most, in the median and at worst
COMPOSED: list[tuple[str, Any, Any]] = [
    ("Gaussian sigma 100, 1000 times", Normal(0, 100), 1000),
    *((f"Laplace scale {b}, 1000 times", Laplace(0, b), 1000) for b in (10, 20, 30, 50, 100, 1000)),
    ("Laplace 20 and Gaussian 30, 500 each", [Laplace(0, 20), Normal(0, 30)], [500, 500]),
    ("Laplace 1, once", Laplace(0, 1), 1),
    ("Laplace 2, 30 times", Laplace(0, 2), 30),
]


def best(call: Callable[[], Any], repeats: int) -> float:
    """The shortest of several runs, in seconds; the others measure what else the machine did."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def peer(module: str, package: str) -> Any:
    """The module, or None with a line that says so."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = import_module(module)
    except ImportError:
        print(f"{package}: not installed")
        return None
    print(f"{package} {metadata.version(package)}")
    return found


def grid() -> list[tuple[float, float]]:
    """The 102 pairs of issue 5: 17 sigmas from 0.1 to 1000, six deltas."""
    sigmas = [0.1 * 10 ** (i / 4) for i in range(17)]
    return [(s, d) for s in sigmas for d in (1e-3, 1e-6, 1e-10, 1e-20, 1e-50, 1e-100)]


def single(accountant: Any, repeats: int) -> None:
    """One Gaussian release: time a call, width in doubles, and answers below the truth."""
    rng = random.Random(5)
    wide = [(10 ** rng.uniform(-6, 6), 10 ** rng.uniform(-300, -0.01)) for _ in range(500)]
    for name, pairs in (("102 pairs", grid()), ("500 pairs, extreme", wide)):
        times, steps = [], 0
        for sigma, delta in pairs:
            found = gaussian_epsilon(delta, sigma)
            steps = max(
                steps, 0 if found.upper == 0 else round((found.width) / math.ulp(found.lower))
            )
            times.append(best(lambda s=sigma, d=delta: gaussian_epsilon(d, s), repeats))
        times.sort()
        print(
            f"gaussian_epsilon, {name}: median {1e3 * times[len(times) // 2]:.3f} ms, slowest "
            f"{1e3 * times[-1]:.3f} ms, at most {steps} step between doubles"
        )
    print(f"gaussian_delta(1, 1): {1e3 * best(lambda: gaussian_delta(1, 1), 20 * repeats):.3f} ms")
    if accountant is None:
        return
    below, asked, times, ours = 0, 0, [], []
    for sigma, delta in grid():
        found = gaussian_epsilon(delta, sigma)
        if found.upper > 0:
            asked += 1
            below += accountant.get_epsilon_gaussian(sigma, delta) <= found.lower
            ours.append(best(lambda s=sigma, d=delta: gaussian_epsilon(d, s), repeats))
            times.append(
                best(lambda s=sigma, d=delta: accountant.get_epsilon_gaussian(s, d), repeats)
            )
    print(
        f"dp-accounting get_epsilon_gaussian: below the truth on {below} of {asked}; it takes "
        f"{sum(times) / sum(ours):.1f} times our time (one double, no bound)"
    )


def composed(pld: Any, repeats: int) -> None:
    """A thousand releases: our width and time, and dp-accounting's PLD on two grids."""
    for name, distributions, times in COMPOSED:
        composition = compose(distributions, times)
        found = composition.epsilon(DELTA)
        seconds = best(lambda c=composition: c.epsilon(DELTA), repeats)
        print(
            f"{name:38}{found.lower:.10g}  width {found.width:.1e}  {1e3 * seconds:7.2f} ms"
            f"  ({found.method})"
        )
        if pld is None or not isinstance(times, int):
            continue
        make = (
            pld.from_gaussian_mechanism
            if isinstance(distributions, Normal)
            else pld.from_laplace_mechanism
        )
        scale = float(distributions.args[1])
        for step in (1e-3, 1e-4):

            def estimates(
                make: Any = make, scale: float = scale, step: float = step
            ) -> list[float]:
                return [
                    make(scale, value_discretization_interval=step, pessimistic_estimate=side)
                    .self_compose(times)  # noqa: B023
                    .get_epsilon_for_delta(DELTA)
                    for side in (False, True)
                ]

            low, high = estimates()
            theirs = best(estimates, max(1, repeats // 3))
            print(
                f"{'':6}dp-accounting, both sides, grid {step:g}: {low:.8g} to {high:.8g}, width "
                f"{high - low:.1e} ({(high - low) / found.width:.0e} of ours), {1e3 * theirs:.0f} ms "
                f"({theirs / seconds:.0f} times ours)"
            )


def training_runs() -> bool:
    """200 settings of DP-SGD, log-uniform: the width over max(epsilon, 1e-3), and processor time."""
    rng = random.Random(1)
    widths, times = [], []
    compose(PoissonSampled(Normal(0, 1), 0.01), 1000).epsilon(1e-5)  # compiles
    for _ in range(200):
        rate, sigma = 10 ** rng.uniform(-4, math.log10(0.5)), 0.5 * 40 ** rng.random()
        steps, delta = int(10 ** rng.uniform(0, 6)), 10 ** rng.uniform(-12, -3)
        spent = math.inf
        for _ in range(2):  # the longer one measures what else the machine did
            start = time.process_time()
            found = compose(PoissonSampled(Normal(0, sigma), rate), steps).epsilon(delta)
            spent = min(spent, time.process_time() - start)
        times.append(spent)
        widths.append(found.width / max(found.upper, 1e-3))
    widths.sort()
    times.sort()
    missed = any(
        values[at] > limit
        for values, limits in ((widths, WIDTHS), (times, SECONDS))
        for at, limit in zip((100, -1), limits, strict=True)
    )
    print(
        f"200 runs of DP-SGD: width median {widths[100]:.1e}, worst {widths[-1]:.1e}, "
        f"{sum(w > 1e-6 for w in widths)} above 1e-6; median {1e3 * times[100]:.0f} ms, "
        f"worst {1e3 * times[-1]:.0f} ms{'   MISSED' * missed}"
    )
    return missed


def upper_bounds(autodp: Any, opendp: Any, repeats: int) -> None:
    """Peers that bound 1000 Gaussians by way of moments: an upper bound only, so another question."""
    truth = compose(Normal(0, 100), 1000)
    ours = truth.epsilon(DELTA)
    seconds = best(lambda: truth.epsilon(DELTA), 5 * repeats)
    calls: list[tuple[str, Callable[[], float]]] = []
    if autodp is not None:
        zoo, core = import_module("autodp.mechanism_zoo"), import_module("autodp.transformer_zoo")

        def by_autodp() -> float:
            gauss = zoo.ExactGaussianMechanism(sigma=100.0)
            return float(core.Composition()([gauss], [1000]).get_approxDP(DELTA))

        calls.append(("autodp Composition", by_autodp))
    if opendp is not None:
        dp = import_module("opendp.prelude")
        dp.enable_features("contrib")

        def by_opendp() -> float:
            space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
            gauss = dp.m.make_gaussian(*space, scale=100.0)
            many = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([gauss] * 1000))
            return float(many.map(1.0).epsilon(delta=DELTA))

        calls.append(("opendp zCDP", by_opendp))
    for name, call in calls:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value, theirs = call(), best(call, repeats)
        except Exception as error:  # a peer's interface may have moved
            print(f"{name}: {error!r}")
            continue
        print(
            f"{name}, 1000 Gaussians: {value:.7g}, {value - ours.upper:.1e} above the truth; "
            f"{theirs / seconds:.1f} times our time (an upper bound through moments)"
        )


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=5)
    repeats = options.parse_args().repeats
    logging.disable(logging.WARNING)  # peers say at each call which algorithm they fall back on
    accountant = peer("dp_accounting", "dp-accounting")
    autodp, opendp = peer("autodp", "autodp"), peer("opendp", "opendp")
    pld = None
    if accountant is not None:
        accountant = import_module("dp_accounting")
        pld = import_module("dp_accounting.pld.privacy_loss_distribution")
        print()
    single(accountant, repeats)
    print()
    composed(pld, repeats)
    print()
    missed = training_runs()
    print()
    upper_bounds(autodp, opendp, repeats)
    return int(missed)


if __name__ == "__main__":
    raise SystemExit(main())
