"""How fast adversaries are: posterior draws a second in their tests, and linear programs of guesses.

    python benchmarks/posterior_adversary.py [--repeats N]

The peer of the tests is NumPy: the same game with whole arrays of draws, `Generator.choice` or
`Generator.beta` and a sum of log ratios. The peer of the programs is SciPy's `linprog` (HiGHS),
given all guesses at once as a sparse matrix: by its simplex and by its interior-point method, once
each. Ours ends with both sides summed up afresh, and with a relative gap of at most 1e-8. Processor
time of all threads; the best of the repeats, which take turns.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csr_matrix, eye, hstack, kron
from timing import best

from dpbook.posterior_sampling import (
    FiniteDistribution,
    PosteriorPair,
    likelihood_ratio_test,
    models,
    posterior_pair,
)
from dpbook.posterior_sampling.theory.minimax import MinimaxRisk, minimax_risk
from dpbook.privacy.distributions import Beta

DRAWS, GAMES = 50, 40_000  # for each of the two datasets
LEAST, LIMIT = 1e7, 1.0  # draws a second on a grid; seconds of a program
TOSSES = [1.0] * 6 + [0.0] * 4, [1.0] * 5 + [0.0] * 5


def by_arrays(pair: PosteriorPair, rng: np.random.Generator) -> float:
    """The same error by NumPy alone, in batches of as many draws as ours."""
    lost, batch = 0, (1 << 17) // DRAWS
    for side, distribution in enumerate((pair.P, pair.Q)):
        for start in range(0, GAMES, batch):
            shape = min(batch, GAMES - start), DRAWS
            if isinstance(distribution, FiniteDistribution):
                ratio = pair.P.log_masses - pair.Q.log_masses
                totals = ratio[rng.choice(len(ratio), shape, p=distribution.masses)].sum(axis=1)
            else:
                at = rng.beta(float(distribution.a), float(distribution.b), shape)
                totals = (np.log(at) - np.log1p(-at)).sum(axis=1) + DRAWS * math.log(5 / 6)
            lost += int(np.count_nonzero(totals < 0 if side == 0 else totals > 0))
    return lost / (2 * GAMES)


def tests(repeats: int) -> bool:
    """Draws a second of the likelihood-ratio test."""
    coin, rng = models.Bernoulli(), np.random.default_rng(1)
    grid = FiniteDistribution.on_grid(Beta(1, 1), np.linspace(0.01, 0.99, 64))
    missed = False
    for name, prior in (("grid of 64 points", grid), ("beta", Beta(1, 1))):
        pair = posterior_pair(coin, prior, *TOSSES)

        def ours(pair: PosteriorPair = pair) -> float:
            return likelihood_ratio_test(pair, DRAWS, simulations=GAMES, rng=rng).error

        def theirs(pair: PosteriorPair = pair) -> float:
            return by_arrays(pair, rng)

        spent = best({"ours": ours, "NumPy": theirs}, repeats)
        speed = 2 * GAMES * DRAWS / spent["ours"]
        failed = isinstance(prior, FiniteDistribution) and speed < LEAST
        missed |= failed
        print(
            f"{name}: {speed / 1e6:.1f} million draws a second, {spent['NumPy'] / spent['ours']:.2f} "
            f"times as fast as NumPy; errors {ours():.4f} and {theirs():.4f}, exactly "
            f"{likelihood_ratio_test(pair, DRAWS).error:.4f}{'   MISSED' * failed}"
        )
    print("both draw a beta number by the same two gamma numbers, which is nearly all of the time")
    return missed


def whole_program(risk: MinimaxRisk, method: str) -> float:
    """SciPy's minimax risk with all guesses."""
    datasets, outcomes = risk.chances.shape
    each = risk.chances[:, :, None] * risk.distances[:, None, :]
    above = csr_matrix(np.hstack([each.reshape(datasets, -1), -np.ones((datasets, 1))]))
    sums = kron(eye(outcomes), np.ones((1, datasets)))
    whole = hstack([sums, csr_matrix((outcomes, 1))]).tocsr()
    cost = np.append(np.zeros(outcomes * datasets), 1.0)
    found = linprog(cost, above, np.zeros(datasets), whole, np.ones(outcomes), method=method)
    return float(found.fun)


def programs(repeats: int) -> bool:
    """Seconds of a program, and how much longer the whole one takes."""
    missed = False
    for datasets, draws, prior in (
        (64, 100, FiniteDistribution([0.49, 0.51])),
        (100, 99, FiniteDistribution([0.49, 0.51])),
        (32, 24, FiniteDistribution([0.4, 0.5, 0.6])),
    ):
        tosses = [[1] * k + [0] * (datasets - 1 - k) for k in range(datasets)]

        def ours(
            tosses: list[list[int]] = tosses, draws: int = draws, prior: FiniteDistribution = prior
        ) -> MinimaxRisk:
            return minimax_risk(models.Bernoulli(), prior, tosses, draws)

        risk = ours()
        spent = best({"ours": ours}, repeats)["ours"]
        failed = spent > LIMIT
        missed |= failed
        print(
            f"{datasets} datasets, {risk.chances.shape[1]} outcomes, {risk.chances.size + 1} "
            f"variables: {spent:.2f} s, risk {risk.high:.8g}, gap {risk.gap:.1e}"
            f"{'   MISSED' * failed}"
        )
        for method in ("highs-ds", "highs-ipm"):
            start = time.process_time()
            value = whole_program(risk, method)
            taken = time.process_time() - start
            print(f"{'':6}{method}, all guesses: {value:.8g}, {taken / spent:.1f} times our time")
    return missed


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--repeats", type=int, default=5)
    repeats = options.parse_args().repeats
    return int(tests(repeats) | programs(repeats))


if __name__ == "__main__":
    raise SystemExit(main())
