"""Models of finitely many outcomes: categories, tables of likelihoods, and discrete Bayesian networks."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any, Literal

import networkx
import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.posterior_sampling import kernels
from dpbook.posterior_sampling.models.base import Flags, Floats, Interval, Model
from dpbook.posterior_sampling.models.priors import (
    FiniteDistribution,
    Independent,
    Restricted,
    log_gamma_density,
    tidy,
)
from dpbook.posterior_sampling.models.scalar import gamma_above
from dpbook.posterior_sampling.models.successes import Bernoulli
from dpbook.privacy import distributions, reading
from dpbook.privacy.reading import count

__all__ = ["BayesianNetwork", "Categorical", "FiniteModel"]


NODES, WEIGHTS = np.polynomial.legendre.leggauss(14)
MOST_PAIRS = 100_000
MOST_CASES = 1_000_000


def _exchangeable(near: NDArray[np.bool_], n: int) -> list[tuple[Floats, Floats]]:
    """Pairs of datasets of n outcomes in any order that differ in one outcome, by near ones."""
    size = len(near)
    pairs = [(i, j) for i, j in itertools.combinations(range(size), 2) if near[i, j]]
    if len(pairs) * math.comb(size + n - 2, n - 1) > MOST_PAIRS:
        raise ValueError(
            f"n must be small enough for {MOST_PAIRS} pairs of datasets, got n = {n} with {size} "
            "outcomes; see worst_neighbour for one dataset"
        )
    return [
        (np.array([*rest, i], dtype=float), np.array([*rest, j], dtype=float))
        for rest in itertools.combinations_with_replacement(range(size), n - 1)
        for i, j in pairs
    ]


def _replaced(records: Floats, near: NDArray[np.bool_]) -> list[Floats]:
    """Datasets in which one outcome is replaced by a near one, each up to its order once."""
    found = []
    for outcome in np.unique(records):
        place = int(np.argmax(records == outcome))
        for other in np.flatnonzero(near[int(outcome)]):
            if other != outcome:
                moved = records.copy()
                moved[place] = other
                found.append(moved)
    return found


@dataclass(frozen=True)
class Categorical(Model):
    """Records 0, ..., cells - 1 with unknown chances theta; L(theta) = log(max theta / min theta).

    Distance: the number of records that differ. Prior: Dirichlet (the Dirichlet-multinomial model).

    Parameters
    ----------
    cells : int
        >= 2.

    Notes
    -----
    posterior_sampling:note-constant-categories. With three or more cells assumption 2 fails under every Dirichlet prior: the probability that
    all chances are within a factor exp(t) falls as t**(cells - 1). For two cells see `Bernoulli`.
    """

    cells: int

    support = "whole numbers from 0 to cells - 1"
    priors = (distributions.Dirichlet,)

    def __post_init__(self) -> None:
        count("cells", self.cells, 2)

    def inside(self, records: Floats) -> Flags:
        return (records >= 0) & (records < self.cells) & (records == np.floor(records))

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        counts = self._counts(records)
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = np.where(counts > 0, counts * np.log(theta), 0.0)
        return terms.sum(axis=-1)

    def lipschitz(self, theta: Floats) -> Floats:
        theta = np.asarray(theta, dtype=float)
        with np.errstate(divide="ignore"):
            return np.log(theta.max(axis=-1)) - np.log(theta.min(axis=-1))

    def distance(self, first: Floats, second: Floats) -> float:
        return float(np.count_nonzero(first != second))

    def _counts(self, records: Floats) -> NDArray[np.intp]:
        return np.bincount(records.astype(np.intp), minlength=self.cells)

    def accept(self, prior: Any) -> None:
        super().accept(prior)
        inner = prior.distribution if isinstance(prior, Restricted) else prior
        cells = (
            inner.points.shape[-1]
            if isinstance(inner, FiniteDistribution)
            else len(inner.concentration)
        )
        if cells != self.cells:
            raise ValueError(f"the prior must have {self.cells} cells, got {cells}")

    def ranges(self, level: float) -> list[float]:
        return [level]

    def update(self, prior: Any, records: Floats) -> Any:
        counts = self._counts(records)
        pairs = zip(prior.concentration, counts, strict=True)
        return distributions.Dirichlet([tidy(float(g) + k) for g, k in pairs])

    def survival(self, prior: Any, level: Floats) -> Floats:
        concentration = np.array([float(g) for g in prior.concentration])
        if self.cells == 2:
            return Bernoulli().survival(distributions.Beta(*concentration), level)
        return np.array([_range_exceeds(concentration, float(t)) if t > 0 else 1.0 for t in level])

    def limits(self, prior: Any) -> tuple[float, float]:
        concentration = [float(g) for g in prior.concentration]
        if self.cells == 2:
            return Bernoulli().limits(distributions.Beta(*concentration))
        return 0.0, min(concentration)

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _replaced(records, np.ones((self.cells, self.cells), bool)) if radius >= 1 else []

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        near = np.full((self.cells, self.cells), radius >= 1)
        return _exchangeable(near, n)


def _range_exceeds(concentration: Floats, level: float) -> float:
    """Probability that the largest of some Dirichlet chances exceeds exp(level) times the least.

    The chances are gamma variables over their sum. Given that the j-th is the least, exp(v - level),
    the others exceed it, and not all of them stay below exp(v): all terms are positive. Gauss and
    Legendre in v, on panels on which no term bends much.
    """
    edges = _panels(concentration, level)
    half = -0.5 * np.diff(edges)
    v = (edges[1:, None] + half[:, None] * (1 + NODES)).ravel()
    weight = (half[:, None] * WEIGHTS).ravel()
    s, sizes = v - level, concentration[:, None]
    above, beyond = gamma_above(sizes, s), gamma_above(sizes, v)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(above > 0, np.minimum(beyond / above, 1.0), 0.0)
        stays, logs = np.log1p(-share), np.log(above)
    density = log_gamma_density(sizes, s - np.log(sizes))
    total = 0.0
    for j in range(concentration.size):
        others = np.arange(concentration.size) != j
        exceed = -np.expm1(stays[others].sum(axis=0))
        total += float(np.sum(weight * np.exp(density[j] + logs[others].sum(axis=0)) * exceed))
    return min(total, 1.0)


def _panels(concentration: Floats, level: float) -> Floats:
    """Ends of panels in v, from above.

    With the j-th variable the least and the k-th the first above exp(v), a term is log-concave in v,
    and the second derivative of its logarithm is of order 1 + y, where y = exp(v) + exp(v - level).
    So panels of length about 1 / sqrt(1 + y) will do. A term is largest where y is at most the sum
    of two concentrations; beyond the first end it has fallen by a factor of exp(45) or more. Below
    y = 1 it is a multiple of exp(c v), with c > 0 a concentration: panels may grow as the distance.
    """
    two = float(np.sort(concentration)[-2:].sum())
    top = math.sqrt(1 + two + 10 * math.sqrt(two) + 60)
    roots = np.linspace(top, math.sqrt(2), math.ceil(2 * (top - math.sqrt(2))) + 1)
    first = np.log(roots**2 - 1) - math.log1p(math.exp(-level))
    far, gone = 45 / float(concentration.min()), [1.0]
    while gone[-1] < far:
        gone.append(max(gone[-1] + 1, gone[-1] * 4 / 3))
    return np.concatenate([first, first[-1] - np.array(gone)])


@dataclass(frozen=True, eq=False, repr=False)
class FiniteModel(Model):
    """A model given by a table: finitely many parameters, records with finitely many outcomes.

    Prior: a `FiniteDistribution` on the rows 0, 1, ... of the table. Its Lipschitz constants are found by
    comparing all pairs of outcomes.

    Parameters
    ----------
    table : array of float, shape (m, s)
        Chance of each outcome for each parameter; rows sum to 1.
    distances : array of float, shape (s, s), optional
        Of the outcomes: symmetric, zero on the diagonal. By default 1 between different ones.
    """

    table: Floats
    distances: Floats

    support = "numbers of outcomes, 0, 1, ..."

    def __init__(self, table: ArrayLike, distances: ArrayLike | None = None) -> None:
        chances = np.array(table, dtype=float)
        if chances.ndim != 2 or min(chances.shape) < 1:
            raise ValueError(f"table must have shape (m, s), got {chances.shape}")
        _rows("table", chances)
        size = chances.shape[1]
        apart = 1.0 - np.eye(size) if distances is None else np.array(distances, dtype=float)
        if apart.shape != (size, size):
            raise ValueError(f"distances must have shape ({size}, {size}), got {apart.shape}")
        fits = (apart >= 0).all() and (apart == apart.T).all() and not np.diag(apart).any()
        if not fits or not np.isfinite(apart).all():
            raise ValueError(
                "distances must be finite, >= 0, symmetric, and 0 from an outcome to itself"
            )
        with np.errstate(divide="ignore"):
            logs = np.log(chances)
        slopes = kernels.largest_slopes(logs, apart)
        for name, array in (
            *(("table", chances), ("distances", apart)),
            *(("_logs", logs), ("_slopes", slopes)),
        ):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    _logs: Floats
    _slopes: Floats

    def __repr__(self) -> str:
        return f"FiniteModel({self.table.shape[0]} parameters, {self.table.shape[1]} outcomes)"

    __str__ = __repr__

    def inside(self, records: Floats) -> Flags:
        return (records >= 0) & (records < self.table.shape[1]) & (records == np.floor(records))

    def accept(self, prior: Any) -> None:
        super().accept(prior)
        rows = prior.points
        if rows.ndim > 1 or not np.isin(rows, np.arange(len(self.table))).all():
            raise ValueError(f"points of the prior must be rows 0 to {len(self.table) - 1}")

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        rows = self._logs[np.asarray(theta).astype(np.intp)]
        found: Floats = rows[:, records.astype(np.intp)].sum(axis=1)
        return found

    def lipschitz(self, theta: Floats) -> Floats:
        return self._slopes[np.asarray(theta).astype(np.intp)]

    def distance(self, first: Floats, second: Floats) -> float:
        return float(self.distances[first.astype(np.intp), second.astype(np.intp)].sum())

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        return _replaced(records, self.distances <= radius)

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        return _exchangeable(self.distances <= radius, n)


def _rows(name: str, table: Floats) -> None:
    if not ((table >= 0) & (table <= 1)).all():
        wrong = table[~((table >= 0) & (table <= 1))][0]
        raise ValueError(f"{name} must hold probabilities, got {wrong}")
    totals = table.sum(axis=-1)
    if not (np.abs(totals - 1) <= 1e-9).all():
        wrong = totals[np.abs(totals - 1) > 1e-9][0]
        raise ValueError(f"rows of {name} must sum to 1, got {wrong:.9g}; divide by their sums")


class BayesianNetwork(Model):
    """A discrete Bayesian network: a directed acyclic graph with a table of chances at each node.

    Records have one state a node, in the order of the graph's nodes: shape (n, K). A parameter is
    the list of all entries of all tables, node by node, row by row. Prior: `prior`, independent
    Dirichlet distributions of the rows.

    Parameters
    ----------
    graph : networkx.DiGraph
        Each node has an attribute ``cpt``: an array of shape (states of its first parent, ...,
        states of its last, its own states), with rows, along the last axis, that sum to 1. Parents
        come in the order of ``graph.predecessors``, that is of their edges.
    metric : {"hamming", "weighted"}
        Distance: the number of entries that differ, as lemma 7 states, or with weight 1 + number of
        children for each node, as its proof uses.

    Raises
    ------
    ValueError
        A graph with a cycle or that is not directed, a table that is missing, of a shape that does
        not fit, or with rows that do not sum to 1, a network whose Markov blankets are too large.

    Notes
    -----
    A change at one node touches its own factor and those of its children. L(theta) is the largest
    range of the sum of their logarithms, over the states of the node's Markov blanket: exact, for
    any two records are joined by changes at one node. With least entry eps and at most d children
    it is at most (1 + d) log(1 / eps) (posterior_sampling:note-lemma-7-hamming), or log(1 / eps) in
    the weighted distance (posterior_sampling:lemma-7-corrected); posterior_sampling:lemma-7 forgets
    the children. That the largest range is exact has no claim yet.
    """

    support = "one state for each node"
    priors = (Independent,)

    def __init__(self, graph: Any, metric: Literal["hamming", "weighted"] = "hamming") -> None:
        if metric not in ("hamming", "weighted"):
            raise ValueError(f'metric must be "hamming" or "weighted", got {metric!r}')
        if not isinstance(graph, networkx.DiGraph) or not len(graph):
            raise ValueError(f"graph must be a networkx.DiGraph with nodes, got {graph!r:.60}")
        if not networkx.is_directed_acyclic_graph(graph):
            cycle = " -> ".join(str(edge[0]) for edge in networkx.find_cycle(graph))
            raise ValueError(f"graph must have no cycle, got {cycle} and back; remove an edge")
        self.metric = metric
        self.nodes = list(graph.nodes)
        places = {node: place for place, node in enumerate(self.nodes)}
        self.parents = [[places[p] for p in graph.predecessors(node)] for node in self.nodes]
        self.children = [[places[c] for c in graph.successors(node)] for node in self.nodes]
        tables = []
        for node in self.nodes:
            if "cpt" not in graph.nodes[node]:
                raise ValueError(f"node {node!r} must have an attribute cpt, its table of chances")
            table = np.array(graph.nodes[node]["cpt"], dtype=float)
            _rows(f"cpt of {node!r}", np.atleast_1d(table))
            tables.append(table)
        self.states = [table.shape[-1] if table.ndim else 0 for table in tables]
        for node, table, parents in zip(self.nodes, tables, self.parents, strict=True):
            shape = (*(self.states[p] for p in parents), self.states[places[node]])
            if table.shape != shape or shape[-1] < 2:
                raise ValueError(
                    f"cpt of {node!r} must have shape {shape}: states of each parent, then 2 or "
                    f"more of its own, got {table.shape}"
                )
        sizes = [table.size for table in tables]
        self.starts = np.concatenate([[0], np.cumsum(sizes)])
        self.shapes = [table.shape for table in tables]
        self.theta = np.concatenate([table.ravel() for table in tables])
        self.weights = np.array([1.0 + (metric == "weighted") * len(c) for c in self.children])
        self._changes = [self._change(node) for node in range(len(self.nodes))]

    def __repr__(self) -> str:
        return f"BayesianNetwork({len(self.nodes)} nodes, {self.theta.size} chances)"

    __str__ = __repr__

    def _entries(self, node: int, states: Any) -> Any:
        """Places of a node's entries in the parameter, where each node has the given state(s)."""
        index = tuple(states[p] for p in (*self.parents[node], node))
        return self.starts[node] + np.ravel_multi_index(index, self.shapes[node])

    def _change(self, node: int) -> NDArray[np.intp]:
        """Entries that a change at a node touches: shape (states of the blanket, own states, factors)."""
        factors = [node, *self.children[node]]
        blanket = sorted({p for f in factors for p in (*self.parents[f], f)} - {node})
        order = [*blanket, node]
        cases = math.prod(self.states[place] for place in order)
        if cases > MOST_CASES:
            raise ValueError(
                f"the Markov blanket of {self.nodes[node]!r} must have at most {MOST_CASES} states, "
                f"got {cases}"
            )
        grid = np.indices([self.states[place] for place in order]).reshape(len(order), -1)
        states = dict(zip(order, grid, strict=True))
        entries = np.stack([self._entries(f, states) for f in factors], axis=-1)
        return entries.reshape(-1, self.states[node], len(factors))

    @property
    def rows(self) -> list[slice]:
        """Slices of the parameter, one for each row of a table."""
        return [
            slice(int(start) + r * shape[-1], int(start) + (r + 1) * shape[-1])
            for start, shape in zip(self.starts[:-1], self.shapes, strict=True)
            for r in range(math.prod(shape[:-1]))
        ]

    def prior(self, concentration: float = 1.0) -> Independent:
        """Independent Dirichlet distributions, with one concentration for every entry of every table."""
        return Independent(
            distributions.Dirichlet([concentration] * (row.stop - row.start)) for row in self.rows
        )

    def inside(self, records: Floats) -> Flags:
        good = (records >= 0) & (records < self.states) & (records == np.floor(records))
        return good.all(axis=1)

    def read(self, x: ArrayLike) -> Floats:
        """Return a dataset as an array, shape (n, K).

        Raises
        ------
        ValueError
            No records, a wrong number of columns, a state that a node does not have.
        """
        records = reading.records(f"records of {self}", x)
        if records.ndim != 2 or not len(records) or records.shape[1] != len(self.nodes):
            raise ValueError(
                f"records must have shape (n, {len(self.nodes)}), n >= 1, got {records.shape}"
            )
        good = self.inside(records)
        if not good.all():
            raise ValueError(f"records must have states below {self.states}, and not all have")
        return records

    def _places(self, records: Floats) -> NDArray[np.intp]:
        """Entries of the parameter that each record multiplies, shape (n, K)."""
        states = records.astype(np.intp).T
        return np.stack([self._entries(node, states) for node in range(len(self.nodes))], axis=1)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        counts = np.bincount(self._places(records).ravel(), minlength=self.theta.size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(counts > 0, counts * np.log(theta), 0.0).sum(axis=-1)

    def lipschitz(self, theta: Floats) -> Floats:
        theta = np.atleast_2d(np.asarray(theta, dtype=float))
        with np.errstate(divide="ignore"):
            logs = np.log(theta)
        found = np.zeros(len(theta))
        for entries, weight in zip(self._changes, self.weights, strict=True):
            found = np.maximum(found, kernels.largest_changes(logs, entries) / weight)
        return np.where((theta == 0).any(axis=1), np.inf, found)

    def distance(self, first: Floats, second: Floats) -> float:
        return float(((first != second) * self.weights).sum())

    def accept(self, prior: Any) -> None:
        super().accept(prior)
        inner = prior.distribution if isinstance(prior, Restricted) else prior
        if isinstance(inner, FiniteDistribution):
            if inner.points.shape[1:] != self.theta.shape:
                raise ValueError(
                    f"points of the prior must have {self.theta.size} numbers, "
                    f"got shape {inner.points.shape}"
                )
            return
        wanted = [row.stop - row.start for row in self.rows]
        given = [
            len(getattr(distribution, "concentration", ())) for distribution in inner.distributions
        ]
        if wanted != given:
            raise ValueError(
                f"the prior must be one Dirichlet distribution for each of {len(wanted)} rows, with as many "
                "cells; see BayesianNetwork.prior"
            )

    def ranges(self, level: float) -> list[float] | None:
        return None if any(self.parents) else [level] * len(self.nodes)

    def update(self, prior: Any, records: Floats) -> Any:
        counts = np.bincount(self._places(records).ravel(), minlength=self.theta.size)
        return Independent(
            distributions.Dirichlet(
                [
                    tidy(float(g) + k)
                    for g, k in zip(distribution.concentration, counts[row], strict=True)
                ]
            )
            for distribution, row in zip(prior.distributions, self.rows, strict=True)
        )

    def survival(self, prior: Any, level: Floats) -> Floats:
        if any(self.parents):
            raise ValueError(
                "the survival function must have a closed form: none for a network with edges; "
                "take a finite prior, FiniteDistribution(draws(prior, size, rng))"
            )
        inside = np.zeros(level.shape)  # logarithm: small probabilities keep their digits
        with np.errstate(divide="ignore"):
            for distribution, states in zip(prior.distributions, self.states, strict=True):
                inside += np.log1p(-Categorical(states).survival(distribution, level))
        return -np.expm1(inside)

    def limits(self, prior: Any) -> tuple[float | None, float | None]:
        if any(self.parents):
            return None, None
        found = [
            Categorical(states).limits(distribution)
            for distribution, states in zip(prior.distributions, self.states, strict=True)
        ]
        return (0.0 if len(found) > 1 else found[0][0]), min(tail for _, tail in found)

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        found = []
        _, first = np.unique(records, axis=0, return_index=True)
        for place in first:
            for node in np.flatnonzero(self.weights <= radius):
                for state in range(self.states[node]):
                    if state != records[place, node]:
                        moved = records.copy()
                        moved[place, node] = state
                        found.append(moved)
        return found

    def extremes(self, prior: Any) -> Interval:
        return 0.0, math.inf
