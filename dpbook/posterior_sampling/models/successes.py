"""Models of successes: Bernoulli and binomial records, with a beta prior on the chance."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import betaln, gammaln, xlog1py, xlogy

from dpbook.posterior_sampling.models.base import (
    EMPTY,
    Flags,
    Floats,
    Interval,
    Model,
    Neighbours,
)
from dpbook.posterior_sampling.models.priors import beta_parts, tidy
from dpbook.posterior_sampling.models.scalar import LAST, beta_below, moved, whole
from dpbook.privacy import distributions
from dpbook.privacy.reading import count

__all__ = ["Bernoulli", "Binomial"]


MOST_TOTALS = 10_000


def _flips(most: int, n: int, radius: float) -> list[tuple[Floats, Floats]]:
    """Return a dataset of counts for every total, and the total with the largest step up in one record.

    The records are windows of a few arrays, so each pair takes as long, however many records it has.
    """
    step = math.floor(min(radius, most))
    if step < 1:
        raise ValueError(f"radius must be >= 1: records are whole numbers, got {radius:g}")
    if n * most > MOST_TOTALS:
        raise ValueError(
            f"n must be small enough for {MOST_TOTALS} totals of the records, got n = {n}; "
            "see worst_neighbour for one dataset"
        )
    rows = [_windows(most, n, rest, step) for rest in range(most)]
    found = []
    for total in range((n - 1) * most + 1):
        full, rest = divmod(total, most)
        first, second = rows[rest]
        found.append((first[n - full : 2 * n - full], second[n - full : 2 * n - full]))
    for least in range(1, most - step + 1):
        records = np.full(n, float(most))  # all but one are as large as they can be
        records[0] = least
        found.append((records, moved(records, 0, least + step)))
    return found


def _windows(most: int, n: int, rest: int, step: int) -> tuple[Floats, Floats]:
    """Two rows, of which any n entries in a row are two datasets: one of 0 becomes one of `step`.

    The largest records come first, then one of `rest`, the one that moves, and zeros.
    """
    first = np.zeros(2 * n + 1)
    first[:n] = most
    first[n] = rest
    second = moved(first, n + (rest > 0), step)
    for row in (first, second):
        row.flags.writeable = False
    return first, second


class _Successes(Model):
    """Records that count successes out of a number of trials each."""

    priors = (distributions.Beta,)
    trials: int = 1

    def inside(self, records: Floats) -> Flags:
        return whole(records) & (records <= self.trials)

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        ones = records.sum()
        return xlogy(ones, theta) + xlog1py(self.trials * records.size - ones, -theta)

    def lipschitz(self, theta: Floats) -> Floats:
        theta = np.asarray(theta, dtype=float)
        with np.errstate(divide="ignore"):
            return np.abs(np.log(theta) - np.log1p(-theta))

    def update(self, prior: Any, records: Floats) -> Any:
        a, b = beta_parts(prior)
        ones = float(records.sum())
        return distributions.Beta(tidy(a + ones), tidy(b + (self.trials * records.size - ones)))

    def within(self, level: float) -> Interval:
        if level < 0:
            return EMPTY
        low = 1 / (1 + math.exp(min(level, 700.0)))
        return low, min(1 - low, LAST)

    def survival(self, prior: Any, level: Floats) -> Floats:
        a, b = beta_parts(prior)
        logs = -np.logaddexp(0.0, np.maximum(level, 0.0))
        return np.minimum(beta_below(a, b, logs) + beta_below(b, a, logs), 1.0)

    def limits(self, prior: Any) -> tuple[float, float]:
        # Pr(abs(logit) > t) has the hazard rate 2**(1 - a - b) / B(a, b) at 0, min(a, b) at infinity
        a, b = beta_parts(prior)
        return math.exp((1 - a - b) * math.log(2) - betaln(a, b)), min(a, b)

    def density_bound(self, prior: Any, n: int) -> float:
        a, b = beta_parts(prior)
        size = self.trials * n
        ones = np.arange(size + 1)
        best = xlogy(ones, ones / size) + xlogy(size - ones, (size - ones) / size)
        logs = best + betaln(a, b) - betaln(a + ones, b + size - ones)
        return float(np.exp(min(logs.max(), 709.0)))

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        found = []
        for place, way in ((int(records.argmin()), 1), (int(records.argmax()), -1)):
            room = self.trials - records[place] if way > 0 else records[place]
            step = math.floor(min(radius, room))
            if step > 0:
                found.append(moved(records, place, records[place] + way * step))
        return found

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        return _flips(self.trials, n, radius)

    def worst_posteriors(
        self, prior: Any, pairs: Sequence[tuple[Floats, Floats]]
    ) -> Iterator[Neighbours]:
        most = self.trials * pairs[0][0].size
        step = most + 1 - len(pairs)
        pooled = Binomial(most)  # the total says as much of the chance as all records
        last: deque[Any] = deque()
        for total in range(most + 1):
            last.append(pooled.posterior(prior, [total]))
            if len(last) > step:
                yield Neighbours(*pairs[total - step], last.popleft(), last[-1], float(step))


@dataclass(frozen=True)
class Bernoulli(_Successes):
    """Records 0 or 1 with an unknown chance theta of a 1; L(theta) = abs(logit(theta)).

    Distance: the number of records that differ. Prior: beta.

    Notes
    -----
    posterior_sampling:lemma-5-corrected. Under a beta prior the best rate of assumption 2 is
    min(2**(1 - a - b) / B(a, b), a, b): the density of abs(logit) is a constant times
    cosh((a - b) t / 2) / cosh(t / 2)**(a + b), so its logarithm changes from convex to concave, or
    from concave to convex, at most once; the hazard rate then increases, or rises and falls to
    min(a, b). Where a = b the first of the three is the least.
    """

    support = "0 or 1"


@dataclass(frozen=True)
class Binomial(_Successes):
    """Records that count the successes of some trials, each with an unknown chance theta.

    Distance: the sum of absolute differences. Prior: beta.

    Parameters
    ----------
    trials : int
        Of each record, >= 1.
    base : {"coefficient", "counting"}
        The base measure: the binomial coefficients, for which L(theta) = abs(logit(theta)), or, as
        in the paper, ones, for which it is log(trials) + abs(logit(theta)).

    Notes
    -----
    posterior_sampling:lemma-5 (refuted: by counting, L is never below log(trials)) and
    posterior_sampling:lemma-5-corrected.
    """

    trials: int
    base: Literal["coefficient", "counting"] = "coefficient"

    support = "whole numbers from 0 to the number of trials"

    def __post_init__(self) -> None:
        count("trials", self.trials)
        if self.base not in ("coefficient", "counting"):
            raise ValueError(f'base must be "coefficient" or "counting", got {self.base!r}')

    @property
    def _offset(self) -> float:
        return math.log(self.trials) if self.base == "counting" else 0.0

    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        found = super().log_likelihood(theta, records)
        if self.base == "counting":
            m = self.trials
            found = found - (gammaln(records + 1) + gammaln(m - records + 1) - gammaln(m + 1)).sum()
        return found

    def lipschitz(self, theta: Floats) -> Floats:
        return self._offset + super().lipschitz(theta)

    def within(self, level: float) -> Interval:
        return super().within(level - self._offset)

    def survival(self, prior: Any, level: Floats) -> Floats:
        return super().survival(prior, level - self._offset)

    def extremes(self, prior: Any) -> Interval:
        return self._offset, math.inf
