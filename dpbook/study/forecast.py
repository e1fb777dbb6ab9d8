"""Forecasts of a run on a cluster: a loop over events, from measured times of cells.

The loop deals batches to workers as `dpbook.study.cluster` does, by the same rule. One client gives
out batches and stores records, one thing at a time; each worker computes one batch at a time.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpbook.study.batches import batch_size

SAVES = 0.1  # share of the time that twice as many workers must save to be worth it
MOST_WORKERS = 2**14


@dataclass(frozen=True)
class Costs:
    """Seconds that a run takes besides its cells.

    Attributes
    ----------
    start : float
        Until the first worker has its first cells, and after the last record: once a run.
    batch : float
        Of the client's time, for a batch.
    latency : float
        Between the client and a worker, there and back, for a batch.
    cell : float
        Of the client's time, for a record: to read it and to store it.
    """

    start: float
    batch: float
    latency: float
    cell: float


@dataclass(frozen=True)
class Forecast:
    """A run that was computed and not done.

    Attributes
    ----------
    workers : int
    seconds : float
        From the first to the last moment.
    batches : int
        How often a worker gets cells.
    busy : float
        Seconds of all workers' work.
    client : float
        Seconds of the client's work.
    longest : float
        Seconds of the longest cell.
    start : float
        As in the costs.
    """

    workers: int
    seconds: float
    batches: int
    busy: float
    client: float
    longest: float
    start: float

    @property
    def used(self) -> float:
        """Share of the workers' time that is work."""
        return self.busy / (self.workers * self.seconds)

    @property
    def bottleneck(self) -> str:
        """The largest of three shares of the time that more workers do not shorten."""
        parts = {
            "the longest cell": self.longest,
            "the client": self.client,
            "the start": self.start,
        }
        return max(parts, key=lambda name: parts[name])


def forecast(cells: Sequence[float], workers: int, costs: Costs) -> Forecast:
    """Return how a run goes.

    Parameters
    ----------
    cells : sequence of float
        Seconds of each cell, in the order of the grid, > 0.
    workers : int
        At least 1.
    costs : Costs

    Examples
    --------
    >>> one = forecast([2.0] * 6, 1, Costs(start=1.0, batch=0.0, latency=0.0, cell=0.0))
    >>> one.seconds, one.batches
    (13.0, 6)
    """
    given, batches, client, known = 0, 0, 0.0, math.inf
    free_at = end = 0.0
    ticket = itertools.count()
    # moment, order of arrival, cells of the result that arrives; 0 where a worker is free
    events = [(0.0, next(ticket), 0, 0.0) for _ in range(workers)]
    heapq.heapify(events)
    while events:
        moment, _, size, seconds = heapq.heappop(events)
        begin = max(moment, free_at)
        if size:
            spent = size * costs.cell
            latest = seconds / size
            known = latest if math.isinf(known) else (known + latest) / 2
            end = begin + spent
        elif given < len(cells):
            spent = costs.batch
            size = batch_size(len(cells) - given, workers, known)
            seconds = math.fsum(cells[given : given + size])
            given, batches = given + size, batches + 1
            done = begin + spent + 0.5 * costs.latency + seconds
            # the worker is heard of before its result is fetched
            heapq.heappush(events, (done + 0.5 * costs.latency, next(ticket), 0, 0.0))
            heapq.heappush(events, (done + 0.5 * costs.latency, next(ticket), size, seconds))
        else:
            continue
        client += spent
        free_at = begin + spent
    longest = max(cells, default=0.0)
    return Forecast(
        workers, costs.start + end, batches, math.fsum(cells), client, longest, costs.start
    )


def most_workers(cells: Sequence[float], costs: Costs) -> Forecast:
    """Return the forecast with the most workers that are worth it: of twice as many the run is hardly shorter.

    Parameters
    ----------
    cells, costs
        As for `forecast`.
    """
    found = forecast(cells, 1, costs)
    while found.workers < MOST_WORKERS:
        more = forecast(cells, 2 * found.workers, costs)
        if more.seconds > (1 - SAVES) * found.seconds:
            break
        found = more
    return found
