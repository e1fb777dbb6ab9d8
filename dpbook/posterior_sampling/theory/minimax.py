"""Least error of a guess of the data from posterior draws: Le Cam's bound and minimax risk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_matrix
from scipy.special import gammaln

from dpbook.posterior_sampling.models.base import Model, check_datasets
from dpbook.posterior_sampling.models.priors import FiniteDistribution
from dpbook.posterior_sampling.theory.adversaries import likelihood_ratio_test
from dpbook.posterior_sampling.theory.adversary_bounds import error_bound
from dpbook.posterior_sampling.theory.pair import PosteriorPair
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Value
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MinimaxRisk", "le_cam_bound", "least_risk", "minimax_risk", "risk_bound"]

Floats = NDArray[np.float64]

MOST_OUTCOMES = 20_000
MOST_VARIABLES = 200_000
MOST_DATASETS = 1000
CANDIDATES = 8  # guesses for each outcome, at first
WARMING = 200  # steps that find them
GAP = 1e-8  # relative


def _risk(value: float, claim: str) -> Value:
    """Return a lower bound on the largest expected distance of a guess from the data."""
    return Value(value, claim, of="risk of a guess of the data", relation=">=")


def le_cam_bound(pair: PosteriorPair, draws: int = 1) -> Value:
    """Le Cam's bound on the risk of guessing the data from posterior draws, by two datasets.

    Parameters
    ----------
    pair : PosteriorPair
        Of posteriors of one number or on finitely many parameters.
    draws : int
        1 to 10 000.

    Returns
    -------
    Value
        The distance times the least mean error of a test, rounded down where that is enclosed.

    Raises
    ------
    ValueError
        Draws out of range; posteriors of which the error is simulated only.

    Notes
    -----
    posterior_sampling:lemma-8 with half of the distance, and 1 minus the total variation of all
    draws for the overlap.

    Examples
    --------
    >>> from dpbook.posterior_sampling import COIN
    >>> le_cam_bound(COIN.worst_pair(10))
    Value(risk of a guess of the data >= 0.404048, claim='posterior_sampling:lemma-8')
    """
    found = likelihood_ratio_test(pair, draws)
    if found.simulations:
        raise ValueError(
            f"Le Cam's bound needs posteriors of one number or a FiniteDistribution, got {pair.P}; see "
            "risk_bound for what assumption 1 says"
        )
    return _risk(pair.distance * found.low, "posterior_sampling:lemma-8")


def risk_bound(lipschitz: float, distance: float, draws: int = 1) -> Value:
    """Le Cam's bound under assumption 1, whatever the model.

    Parameters
    ----------
    lipschitz : float
        L > 0.
    distance : float
        Of two datasets, > 0; the bound is best at about 1 / (L sqrt(draws)).
    draws : int
        T >= 1.

    Returns
    -------
    Value
        distance / 2 times 1 - sqrt(1 - cosh(L distance / 2)**(-2 T)).

    Raises
    ------
    ValueError
        An argument outside its range.

    Notes
    -----
    posterior_sampling:note-le-cam; at the distance 1 / (L sqrt(T)) it is at least a quarter of
    that: posterior_sampling:note-le-cam-rate.

    Examples
    --------
    >>> risk_bound(0.5, 1.0)
    Value(risk of a guess of the data >= 0.377541, claim='posterior_sampling:note-le-cam')
    """
    lipschitz, apart = number("lipschitz", lipschitz, "> 0"), number("distance", distance, "> 0")
    value = apart * error_bound(lipschitz * apart, draws).value
    return _risk(value, "posterior_sampling:note-le-cam")


# --- the exact risk ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MinimaxRisk:
    """Least risk that a guess of the data can have for all datasets; by `minimax_risk`.

    Attributes
    ----------
    low, high : float
        The minimax risk lies between them: `low` is the least risk when the datasets have the
        probabilities `weights`, `high` the largest risk of the guesses `rule`. Both are summed up
        afresh from what the linear program returns, so nothing rests on the solver.
    weights : array of float, shape (s,)
        A least favourable distribution of the datasets.
    rule : sparse array of float, shape (outcomes, s)
        Probability of guessing each dataset, given each outcome.
    chances : array of float, shape (s, outcomes)
        Probability of each outcome, given each dataset.
    distances : array of float, shape (s, s)

    Examples
    --------
    >>> from dpbook.posterior_sampling import FiniteDistribution, minimax_risk, models
    >>> found = minimax_risk(models.Bernoulli(), FiniteDistribution([0.4, 0.6]), [[0, 0], [0, 1], [1, 1]])
    >>> round(found.high, 6)
    0.722222
    """

    low: float
    high: float
    weights: Floats
    rule: csr_matrix
    chances: Floats
    distances: Floats

    @property
    def gap(self) -> float:
        """Return the gap between both bounds."""
        return self.high - self.low

    @property
    def risks(self) -> Floats:
        """Expected distance of the guess, for each dataset."""
        return _risks(self.rule, self.chances, self.distances)

    @cached_property
    def le_cam(self) -> float:
        """Le Cam's bound by the best pair of datasets (posterior_sampling:lemma-8)."""
        best = 0.0
        for i in range(1, len(self.chances)):
            overlap = np.minimum(self.chances[:i], self.chances[i]).sum(axis=1)
            best = max(best, float((self.distances[i, :i] * overlap).max()) / 2)
        return best

    def __repr__(self) -> str:
        datasets, outcomes = self.chances.shape
        return (
            f"MinimaxRisk({datasets} datasets, {outcomes} outcomes: {self.high:.6g}, "
            f"Le Cam {self.le_cam:.6g})"
        )

    def _repr_html_(self) -> str:
        rows = (
            ("at most, by the guesses", f"{self.high:.9g}"),
            ("at least, by the weights", f"{self.low:.9g}"),
            ("gap", f"{self.gap:.1e}"),
            ("Le Cam, best pair", f"{self.le_cam:.6g}"),
        )
        return figures.html_facts(rows)

    def describe(self) -> str:
        """Return the words for the picture."""
        used = np.flatnonzero(self.weights > 1e-6)
        risks = self.risks
        return (
            f"The minimax risk is between {self.low:.9g} and {self.high:.9g}, a gap of "
            f"{self.gap:.1e}. For each of {len(risks)} datasets the risk of the minimax guess is from "
            f"{float(risks.min()):.4g} to {float(risks.max()):.4g}. The least favourable distribution has "
            f"mass on {used.size} of them. Le Cam's bound by two datasets is {self.le_cam:.4g}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the risk for each dataset, the least favourable distribution, and Le Cam's bound."""
        ax = ax or figures.axes()
        at = np.arange(len(self.weights))
        top = float(self.weights.max())
        ax.bar(
            at,
            self.weights / top * self.high / 2,
            color="#bbbbbb",
            label="least favourable distribution, scaled",
        )
        ax.plot(at, self.risks, "o-", markersize=3, label="risk of the minimax guess")
        ax.axhline(self.le_cam, color="black", linestyle=":", label="Le Cam's bound")
        ax.set_ylim(0, 1.35 * self.high)
        ax.set_xlabel("dataset")
        ax.set_ylabel("expected distance")
        ax.legend(loc="upper center", ncols=3, handlelength=2, fontsize=8)
        return ax


def minimax_risk(
    model: Model, prior: FiniteDistribution, datasets: Sequence[ArrayLike], draws: int = 1
) -> MinimaxRisk:
    """Return the least worst-case risk of guessing which dataset posterior draws come from.

    Parameters
    ----------
    model : Model
    prior : FiniteDistribution
        On m parameters. The draws are counted: there are (draws + m - 1)! / (draws! (m - 1)!)
        outcomes, at most 20 000.
    datasets : sequence of array
        2 to 1000, of one size, and so many that outcomes times datasets is at most 200 000. Those of
        one posterior are best given once.
    draws : int
        >= 1.

    Returns
    -------
    MinimaxRisk

    Raises
    ------
    ValueError
        Fewer than two datasets or too many, another prior, too many outcomes.

    Notes
    -----
    A guess is one of the datasets, and may be drawn by lot. posterior_sampling:lemma-8 is a lower
    bound.

    Examples
    --------
    >>> from dpbook.posterior_sampling import FiniteDistribution, models
    >>> prior = FiniteDistribution([0.4, 0.6])
    >>> minimax_risk(models.Bernoulli(), prior, [[0, 0], [0, 1], [1, 1]])
    MinimaxRisk(3 datasets, 2 outcomes: 0.722222, Le Cam 0.615385)
    """
    if not isinstance(prior, FiniteDistribution):
        raise ValueError(f"the minimax risk needs a FiniteDistribution for prior, got {prior}")
    records = check_datasets(model, datasets)
    if len(records) > MOST_DATASETS:
        raise ValueError(f"datasets must be at most {MOST_DATASETS}, got {len(records)}")
    draws, size = count("draws", draws), len(prior.points)
    outcomes = math.comb(draws + size - 1, draws)
    if outcomes > MOST_OUTCOMES or outcomes * len(records) > MOST_VARIABLES:
        raise ValueError(
            f"draws must leave at most {MOST_OUTCOMES} outcomes and {MOST_VARIABLES} variables, got "
            f"{outcomes} outcomes for {draws} draws of {size} parameters and {len(records)} datasets"
        )
    logs = np.array([model.posterior(prior, one).log_masses for one in records])
    apart = np.zeros((len(records), len(records)))
    for i, j in combinations(range(len(records)), 2):
        apart[i, j] = apart[j, i] = model.distance(*model.pair(records[i], records[j]))
    return least_risk(_counted(logs, draws), apart)


def _counted(logs: Floats, draws: int) -> Floats:
    """Probabilities of the counts of draws, given each distribution; from the logarithms of its masses."""
    size = logs.shape[1]
    # bars between draws: k bars before the i-th place mean that it is of the k-th kind
    bars = np.array(list(combinations_with_replacement(range(draws + 1), size - 1)), dtype=np.intp)
    bars = bars.reshape(len(bars), size - 1)
    ends = np.column_stack([np.zeros(len(bars), np.intp), bars, np.full(len(bars), draws)])
    counts = np.diff(ends, axis=1)
    ways = gammaln(draws + 1) - gammaln(counts + 1).sum(axis=1)
    never = np.isneginf(logs)
    found = ways + np.where(never, 0.0, logs) @ counts.T
    found[(never.astype(float) @ counts.T) > 0] = -np.inf
    return np.exp(found)


def least_risk(chances: ArrayLike, distances: ArrayLike) -> MinimaxRisk:
    """Solve the game of guessing a dataset from an outcome, to a relative gap of 1e-8.

    Parameters
    ----------
    chances : array of float, shape (s, outcomes)
        Probability of each outcome, given each dataset.
    distances : array of float, shape (s, s)
        Of datasets; >= 0.

    Returns
    -------
    MinimaxRisk

    Raises
    ------
    RuntimeError
        When the solver fails.

    Notes
    -----
    The linear program has a variable for each outcome and guess. Few of them are above 0: it is
    solved with some guesses for each outcome, then with those added that are best under the weights
    of its dual, until nothing is gained. The first ones come from steps of multiplied weights.
    """
    P, D = np.array(chances, dtype=float), np.array(distances, dtype=float)
    places = np.arange(P.shape[1])
    weights = _warm(P, D)
    costs = _costs(P, D, weights)
    taken = np.zeros(costs.shape, bool)
    first = np.argpartition(costs, min(CANDIDATES, len(D)) - 1, axis=0)[:CANDIDATES]
    taken[first, places] = True
    low, best, high, rule = float(costs.min(axis=0).sum()), weights, math.inf, None
    while True:
        lots, weights = _solved(P, D, taken)
        risk = float(_risks(lots, P, D).max())
        if risk < high:
            high, rule = risk, lots
        costs = _costs(P, D, weights)
        bound = float(costs.min(axis=0).sum())
        if bound > low:
            low, best = bound, weights
        guess = costs.argmin(axis=0)
        fresh = ~taken[guess, places]
        if high - low <= GAP * high or not fresh.any():
            return MinimaxRisk(low, high, best, rule, P, D)
        taken[guess, places] = True


def _costs(P: Floats, D: Floats, weights: Floats) -> Floats:
    """Mean distance of each guess from the data together with each outcome, shape (s, outcomes)."""
    return D.T @ (weights[:, None] * P)


def _risks(rule: csr_matrix, P: Floats, D: Floats) -> Floats:
    """Expected distance of the guess, for each dataset."""
    guessed = (rule.T @ P.T).T  # probability of each guess, given each dataset
    return np.asarray((guessed * D).sum(axis=1))


def _warm(P: Floats, D: Floats) -> Floats:
    """Return weights that are nearly least favourable: the weights of datasets at risk are multiplied."""
    weights = best = np.full(len(P), 1 / len(P))
    low, places = -math.inf, np.arange(P.shape[1])
    scale = 6 / max(float(D.max()), 1e-300)
    for step in range(1, WARMING + 1):
        costs = _costs(P, D, weights)
        guess = costs.argmin(axis=0)
        bound = float(costs[guess, places].sum())
        if bound > low:
            low, best = bound, weights
        risks = (P * D[:, guess]).sum(axis=1)
        weights = weights * np.exp(scale / math.sqrt(step) * (risks - risks.max()))
        weights /= weights.sum()
    return best


def _solved(P: Floats, D: Floats, taken: NDArray[np.bool_]) -> tuple[csr_matrix, Floats]:
    """Best rule with some guesses for each outcome, and the weights of its dual."""
    outcome, guess = np.nonzero(taken.T)
    size, outcomes = outcome.size, P.shape[1]
    above = csr_matrix(np.column_stack([P[:, outcome] * D[:, guess], -np.ones(len(P))]))
    whole = csr_matrix((np.ones(size), (outcome, np.arange(size))), shape=(outcomes, size + 1))
    tight = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(
        np.append(np.zeros(size), 1.0),
        *(above, np.zeros(len(P)), whole, np.ones(outcomes)),
        method="highs",
        options=tight,
    )
    if not found.success:
        raise RuntimeError(f"the linear program was not solved: {found.message}")
    lots = np.maximum(found.x[:-1], 0.0)
    sums = np.bincount(outcome, lots, outcomes)
    rule = csr_matrix((lots / sums[outcome], (outcome, guess)), shape=(outcomes, len(D)))
    weights = np.maximum(-found.ineqlin.marginals, 0.0)
    return rule, weights / weights.sum()
