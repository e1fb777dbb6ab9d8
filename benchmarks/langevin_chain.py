"""How fast the chains are: nanoseconds a step, and SGLD beside blackjax's on the same target.

    python benchmarks/langevin_chain.py [--repeats N]

The target is the posterior of a regression with five parameters, a Gaussian. Both run 200 000 steps
with one record each, at the same learning rate, and keep every state; then only the last. blackjax
is jitted, its steps a lax.scan, and neither's compilation is counted. A second row gives blackjax
the exact gradient instead: less work than a record's. blackjax computes in single precision, unless
asked otherwise; ours in double. The repeats take turns and the best of each counts.
"""

from __future__ import annotations

import argparse
import platform
import time
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

import numpy as np
from timing import best

from dpbook.langevin import FIGURE_1, sgld

STEPS, RECORDS, PARAMETERS = 200_000, 1000, 5
ALPHA, BETA, RATE = 1.0, 1.0, 1e-6
LEAST, LIMIT = 15.0, 8.0  # times as fast; nanoseconds a step
EPOCHS, DRAWS = 3, 100_000


def chains(repeats: int) -> bool:
    """The chain of Figure 1, and draws from its distribution; in processor time, on a machine that may be busy."""
    rng, steps = np.random.default_rng(1), EPOCHS * FIGURE_1.n
    calls = {
        "chains": lambda: FIGURE_1.chains(steps=steps, rng=rng),
        "draws": lambda: FIGURE_1.draws(step=steps, size=DRAWS, rng=rng),
    }
    seconds = best(calls, repeats)
    step = 1e9 * seconds["chains"] / steps
    missed = step > LIMIT
    print(
        f"chain, Figure 1, {steps} steps: {step:.2f} ns a step (limit {LIMIT:g})"
        f"{'   MISSED' * missed}; from the distribution {1e9 * seconds['draws'] / DRAWS:.0f} ns a draw"
    )
    return missed


def blackjax_runs(x: Any, y: Any) -> dict[str, Callable[[], Any]]:
    """blackjax's sgld on the records, and with the exact gradient; nothing where it is missing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            blackjax, jax = import_module("blackjax"), import_module("jax")
    except ImportError:
        print("blackjax: not installed")
        return {}
    np_, gradients = jax.numpy, import_module("blackjax.sgmcmc.gradients")
    records = np_.asarray(x), np_.asarray(y)
    gram, moment = np_.asarray(ALPHA * np.eye(PARAMETERS) + BETA * x.T @ x), np_.asarray(x.T @ y)

    def prior(theta: Any) -> Any:
        return -ALPHA / 2 * np_.sum(theta**2)

    def likelihood(theta: Any, record: Any) -> Any:
        return -BETA / 2 * (record[1] - record[0] @ theta) ** 2

    def runs(gradient: Callable[[Any, Any], Any], keep: bool) -> Callable[[], Any]:
        step = blackjax.sgld(gradient).step

        def one(theta: Any, at: Any) -> tuple[Any, Any]:
            key, i = at
            batch = tuple(jax.lax.dynamic_slice_in_dim(r, i, 1) for r in records)
            theta = step(key, theta, batch, RATE / 2)  # its step size is half a learning rate
            return theta, theta if keep else None

        @jax.jit
        def run(key: Any) -> Any:
            keys = jax.random.split(key, STEPS), np_.arange(STEPS) % RECORDS
            return jax.lax.scan(one, np_.zeros(PARAMETERS), keys)

        return lambda: jax.block_until_ready(run(jax.random.key(1)))

    estimate = gradients.grad_estimator(prior, likelihood, RECORDS)
    found = {}
    for name, gradient in (
        ("a record a step", estimate),
        ("exact gradient", lambda theta, _: BETA * moment - gram @ theta),
    ):
        for keep in (True, False):
            found[f"blackjax, {name}, {'all' if keep else 'last'} kept"] = runs(gradient, keep)
    print(f"blackjax {metadata.version('blackjax')}, jax {metadata.version('jax')}")
    return found


def against_blackjax(repeats: int) -> bool:
    """200 000 steps on a Gaussian with five parameters."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((RECORDS, PARAMETERS))
    y = x.sum(axis=1) + rng.standard_normal(RECORDS)
    model = {"alpha": ALPHA, "beta": BETA, "steps": STEPS, "learning_rate": RATE, "rng": rng}
    ours = {
        "dpbook, all kept": lambda: sgld(x, y, **model, every=1),
        "dpbook, last kept": lambda: sgld(x, y, **model),
    }
    seconds = best({**ours, **blackjax_runs(x, y)}, repeats, time.perf_counter)
    missed = False
    for name, spent in seconds.items():
        line = f"{name:40}{1e3 * spent:8.1f} ms{1e9 * spent / STEPS:8.0f} ns a step"
        if name not in ours:
            ratio = spent / seconds["dpbook, all kept" if "all" in name else "dpbook, last kept"]
            bound = "a record" in name
            missed |= bound and ratio < LEAST
            line += f"{ratio:8.1f} times ours" + f" (at least {LEAST:g})" * bound
            line += "   MISSED" * (bound and ratio < LEAST)
        print(line)
    return missed


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=9)
    repeats = options.parse_args().repeats
    print(f"Python {platform.python_version()}, NumPy {np.__version__}")
    return chains(repeats) | against_blackjax(repeats)


if __name__ == "__main__":
    raise SystemExit(main())
