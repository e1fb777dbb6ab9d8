"""Private mechanisms of the textbooks: each is called as ``mechanism(dataset, size, rng)``.

For teaching and audits; not for real releases: floating-point noise leaks what real noise hides.
Use OpenDP for those.

A mechanism draws `size` independent releases on one dataset: an array of shape (size,) or
(size, d). Two datasets are neighbours if one record is replaced, unless a docstring says otherwise;
their size is public then.
"""

from __future__ import annotations

import html
import math
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, ndtr

from dpbook.privacy import reading
from dpbook.privacy.spending import Accounting, Spending

# how an accounting names the source of a line that no claim is about
UNPROVED = "{}; no claim here"
LEAST = 1e-12  # of an epsilon whose geometric noise stays far below 2**63
SMALLEST, LARGEST = 1e-300, 1e308  # of a standard deviation
STEP = 2e-12  # relative accuracy of a standard deviation

Mechanism = Callable[[Any, int, np.random.Generator], NDArray[Any]]
Query = Callable[[Any], ArrayLike]
"""From a dataset to a number or a vector."""


def _chance(**values: float) -> None:
    for name, value in values.items():
        reading.number(name, value, "in (0, 1)")


def _interval(low: float, high: float) -> None:
    if not reading.number("low", low, "finite") < reading.number("high", high, "finite"):
        raise ValueError(f"low must be < high, both finite, got low = {low}, high = {high}")

    if not math.isfinite(float(high) - float(low)):
        raise ValueError(f"high - low must be finite, got low = {low}, high = {high}")


def _function(**values: Any) -> None:
    for name, value in values.items():
        if not callable(value):
            raise ValueError(f"{name} must be a function of the dataset, got {value!r:.60}")


def _answers(query: Query, dataset: Any, name: str = "query") -> NDArray[np.float64]:
    """Return the answers; an answer that is no finite number is refused, and not shown."""
    found = reading.records(f"answers of {name}", query(dataset))
    if not np.isfinite(found).all():
        raise ValueError(f"answers of {name} must be finite, got nan or an infinity")
    return found


def _clipped(dataset: Any, low: float, high: float) -> NDArray[np.float64]:
    """Records in an interval, each by itself: nan is put to the lower end."""
    records = reading.records("records", dataset)
    return np.clip(np.where(np.isnan(records), low, records), low, high)


@dataclass(frozen=True, eq=False, repr=False)
class Textbook(ABC):
    """Show the parameters of a mechanism, and its budget."""

    @property
    @abstractmethod
    def accounting(self) -> Accounting:
        """Return the budget that each part spends."""

    def __call__(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset.

        Raises
        ------
        ValueError
            A size that is no integer >= 0, a generator of another type, a dataset that the mechanism cannot read. Whether
            it is refused depends on the data: that is a fault of the caller, and no private answer.
        """
        return self._draw(dataset, reading.count("size", size, 0), reading.generator(rng))

    @abstractmethod
    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""

    def __repr__(self) -> str:
        shown = (f"{one.name}={_shown(getattr(self, one.name))}" for one in fields(self))
        return f"{type(self).__name__}({', '.join(shown)})"

    def _repr_html_(self) -> str:
        return f"<p><code>{html.escape(repr(self))}</code></p>{self.accounting._repr_html_()}"

    def describe(self) -> str:
        """Return the mechanism in words, with its budget."""
        return f"{self!r}: {self.accounting.describe()}"


def _shown(value: Any) -> str:
    """A parameter as one would write it; a function by its name."""
    if callable(value):
        return str(getattr(value, "__qualname__", repr(value))).split(".<locals>.")[-1]
    return reprlib.repr(value.tolist() if isinstance(value, np.ndarray) else value)


def _drawn(logits: NDArray[np.float64], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draws of an index with chances proportional to exp(logits)."""
    weights = np.exp(logits - logits.max())
    sums = np.cumsum(weights)
    at = np.searchsorted(sums, rng.random(size) * sums[-1], side="right")
    return np.minimum(at, np.flatnonzero(weights)[-1])


def _one(line: str, what: str, epsilon: float, claim: str) -> Accounting:
    """The accounting of a mechanism that spends a pure loss in one place."""
    return Accounting((Spending(line, what, epsilon, 0.0, claim),))


@dataclass(frozen=True, eq=False, repr=False)
class LaplaceMechanism(Textbook):
    """Add Laplace noise of scale sensitivity / epsilon to the answer.

    It is epsilon-private.

    Parameters
    ----------
    query : callable
        From a dataset to a number or a vector; an answer that is not finite is refused.
    sensitivity : float
        Largest change of the answer between neighbours, in the 1-norm; > 0.
    epsilon : float
        > 0.

    Notes
    -----
    Dwork, McSherry, Nissim, Smith (2006), *Calibrating noise to sensitivity*.

    Examples
    --------
    >>> import numpy as np
    >>> count = LaplaceMechanism(len, sensitivity=1, epsilon=0.5)
    >>> count(range(100), 3, np.random.default_rng(1)).round(1)
    array([100. , 104.6,  97.5])
    """

    query: Query
    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        _function(query=self.query)
        reading.positive(sensitivity=self.sensitivity, epsilon=self.epsilon)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("noise", "the answer", self.epsilon, "privacy:laplace-mechanism-many")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        answer = _answers(self.query, dataset)
        return answer + rng.laplace(
            scale=self.sensitivity / self.epsilon, size=(size, *answer.shape)
        )


def gaussian_scale(epsilon: float, delta: float, sensitivity: float = 1.0) -> float:
    """Smallest standard deviation that makes the Gaussian mechanism (epsilon, delta)-private.

    Parameters
    ----------
    epsilon : float
        > 0, in nats.
    delta : float
        In (0, 1).
    sensitivity : float
        > 0, in the units of the query.

    Returns
    -------
    float
        In the units of the query.

    Raises
    ------
    ValueError
        An argument outside its range, or a standard deviation beyond the doubles.

    Notes
    -----
    Balle and Wang (2018), theorem 8. Floats propose, and `gaussian_delta` decides: its upper end at the
    standard deviation that is returned is at most delta, and at one 1e-11 smaller (relative) it is not.
    Nothing below 1e-300 is returned.

    Examples
    --------
    >>> round(gaussian_scale(epsilon=1, delta=1e-6), 4)
    4.2247
    """
    # numbers of 32 bits would stop the search before its ends meet
    sensitivity = reading.number("sensitivity", sensitivity, "> 0 and finite")
    epsilon = reading.number("epsilon", epsilon, "> 0 and finite")
    delta = reading.number("delta", delta, "in (0, 1)")
    from dpbook.privacy.accounting import gaussian_delta

    def enough(scale: float) -> bool:
        return gaussian_delta(epsilon, scale, sensitivity).upper <= delta

    # steps up or down, each twice the last step, until one scale is enough and another is not
    start = min(max(_proposed_scale(epsilon, delta, sensitivity), SMALLEST), LARGEST)
    high = low = start
    step = STEP
    if enough(start):
        while low > SMALLEST and enough(low):
            high, low = low, max(low * math.exp(-step), SMALLEST)
            step *= 2
    else:
        while not enough(high):
            if high >= LARGEST:
                raise ValueError(
                    "the noise for this epsilon, delta and sensitivity is beyond the doubles, got "
                    f"{epsilon}, {delta} and {sensitivity}"
                )
            low, high = high, min(high * math.exp(min(step, 700.0)), LARGEST)
            step *= 2
    while high - low > 4 * STEP * high:
        middle = math.sqrt(low) * math.sqrt(high) if high > 2 * low else low + (high - low) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _proposed_scale(epsilon: float, delta: float, sensitivity: float) -> float:
    """The scale by the formula in doubles, which loses all digits where both terms are close."""

    def excess(shift: float) -> float:
        """Return delta of the mechanism whose means differ by `shift` standard deviations."""
        above = epsilon / shift
        return float(
            ndtr(shift / 2 - above) - math.exp(epsilon + float(log_ndtr(-shift / 2 - above)))
        )

    low, high = 0.0, 1.0
    while excess(high) <= delta:
        low, high = high, 2 * high
    while high - low > 1e-12 * high and high > 1e-150:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= delta else (low, middle)
    return sensitivity / (low or high)


@dataclass(frozen=True, eq=False, repr=False)
class GaussianMechanism(Textbook):
    """Add the least Gaussian noise that (epsilon, delta) allows.

    It is (epsilon, delta)-private. For one number a claim proves that; for a vector the claim here
    proves a larger delta, see `delta_of_vectors`.

    Parameters
    ----------
    query : callable
        From a dataset to a number or a vector; an answer that is not finite is refused.
    sensitivity : float
        Largest change of the answer between neighbours, in the 2-norm; > 0.
    epsilon, delta : float
        epsilon > 0; delta in (0, 1).

    Notes
    -----
    Balle and Wang (2018), *Improving the Gaussian mechanism for differential privacy*, theorem 8, for
    vectors as well: the noise is the same in all directions.

    Examples
    --------
    >>> import numpy as np
    >>> count = GaussianMechanism(len, sensitivity=1, epsilon=1, delta=1e-6)
    >>> count(range(100), 3, np.random.default_rng(1)).round(1)
    array([101.5, 103.5, 101.4])
    """

    query: Query
    sensitivity: float
    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        _function(query=self.query)
        _ = self.scale  # refuses values that it cannot use

    @cached_property
    def scale(self) -> float:
        """Standard deviation of the noise."""
        return gaussian_scale(self.epsilon, self.delta, self.sensitivity)

    @property
    def delta_of_vectors(self) -> float:
        """Delta at this epsilon that the claim `gaussian-mechanism-many` proves for a vector."""
        shift = self.sensitivity / self.scale  # its square may be below the doubles
        return math.exp(-(max(self.epsilon / shift - shift / 2, 0.0) ** 2) / 2)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        claims = (
            "privacy:gaussian-mechanism for one number; for a vector Balle and Wang (2018), of which "
            f"privacy:gaussian-mechanism-many proves delta {self.delta_of_vectors:.2g}"
        )
        return Accounting((Spending("noise", "the answer", self.epsilon, self.delta, claims),))

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        answer = _answers(self.query, dataset)
        return answer + rng.normal(scale=self.scale, size=(size, *answer.shape))


@dataclass(frozen=True, eq=False, repr=False)
class Counting(Textbook):
    """Count the records that satisfy a predicate, with noise of the two-sided geometric distribution.

    It is epsilon-private, also when neighbours differ by a record added or removed.

    Parameters
    ----------
    predicate : callable
        From a record to true or false.
    epsilon : float
        > 0.

    Notes
    -----
    Ghosh, Roughgarden, Sundararajan (2009), *Universally utility-maximizing privacy mechanisms*.

    Examples
    --------
    >>> import numpy as np
    >>> adults = Counting(lambda age: age >= 18, epsilon=1)
    >>> adults([12, 30, 45, 70], 5, np.random.default_rng(1))
    array([3, 5, 3, 5, 3])
    """

    predicate: Callable[[Any], bool]
    epsilon: float

    def __post_init__(self) -> None:
        _function(predicate=self.predicate)
        reading.positive(epsilon=self.epsilon)
        if self.epsilon < LEAST:
            raise ValueError(
                f"epsilon must be >= {LEAST:g}: its noise fits no integer, got {self.epsilon}"
            )

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("noise", "the count", self.epsilon, "privacy:geometric-mechanism")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        exact = sum(bool(self.predicate(record)) for record in dataset)
        first, second = rng.geometric(-math.expm1(-self.epsilon), size=(2, size))
        return exact + first - second


@dataclass(frozen=True, eq=False, repr=False)
class RandomisedResponse(Textbook):
    """Report each record's category, or with some chance another category.

    It is epsilon-private, with outputs of shape (size, number of records).

    Parameters
    ----------
    epsilon : float
        > 0.
    categories : int
        Records are 0, ..., categories - 1; >= 2.

    Notes
    -----
    Warner (1965); for more categories Kairouz, Oh, Viswanath (2016).

    Examples
    --------
    >>> import numpy as np
    >>> answers = RandomisedResponse(epsilon=1)
    >>> answers([1, 1, 0, 0], 1, np.random.default_rng(1))
    array([[1, 1, 1, 0]])
    """

    epsilon: float
    categories: int = 2

    def __post_init__(self) -> None:
        reading.positive(epsilon=self.epsilon)
        reading.count("categories", self.categories, 2)

    @property
    def lie(self) -> float:
        """Chance that a record is reported as another."""
        weight = (self.categories - 1) * math.exp(-self.epsilon)
        return weight / (1 + weight)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one(
            "coins",
            "each record",
            self.epsilon,
            "privacy:randomised-response"
            if self.categories == 2
            else "privacy:randomised-response-many",
        )

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        given = reading.records("records", dataset)
        if not ((given >= 0) & (given < self.categories) & (given == np.floor(given))).all():
            raise ValueError(f"records must be integers from 0 to {self.categories - 1}")
        records = given.astype(np.int64)
        lies = rng.random((size, records.size)) < self.lie
        return (
            records + lies * rng.integers(1, self.categories, size=lies.shape)
        ) % self.categories


@dataclass(frozen=True, eq=False, repr=False)
class ExponentialMechanism(Textbook):
    """Draw a candidate with chance proportional to exp(epsilon * score / (2 * sensitivity)).

    It is epsilon-private.

    Parameters
    ----------
    score : callable
        From a dataset to one number for each candidate.
    candidates : array
        The possible outputs, of shape (m,) or (m, d).
    sensitivity : float
        Largest change of a candidate's score between neighbours; > 0.
    epsilon : float
        > 0.

    Notes
    -----
    McSherry and Talwar (2007), *Mechanism design via differential privacy*.

    Examples
    --------
    >>> import numpy as np
    >>> letters = np.array(list("ABC"))
    >>> largest = ExponentialMechanism(lambda counts: counts, letters, sensitivity=1, epsilon=1)
    >>> largest([3, 20, 17], 4, np.random.default_rng(1)).tolist()
    ['B', 'C', 'B', 'C']
    """

    score: Query
    candidates: ArrayLike
    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        _function(score=self.score)
        reading.positive(sensitivity=self.sensitivity, epsilon=self.epsilon)
        if not np.size(self.candidates):
            raise ValueError("candidates must not be empty, got none")

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("draw", "the candidate", self.epsilon, "privacy:exponential-mechanism")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        choices = np.asarray(self.candidates)
        scores = reading.records("answers of score", self.score(dataset))
        if scores.shape != choices.shape[:1]:
            raise ValueError(
                f"score must return one number for each of {len(choices)} candidates, "
                f"got shape {scores.shape}"
            )
        if not (scores < np.inf).all() or not (scores > -np.inf).any():
            raise ValueError("answers of score must be < inf, and one of them finite")
        return choices[_drawn(self.epsilon / (2 * self.sensitivity) * scores, size, rng)]


@dataclass(frozen=True, eq=False, repr=False)
class ReportNoisyMax(Textbook):
    """Report which of several noisy answers is the largest, and nothing else.

    It is epsilon-private; the outputs are indices.

    Parameters
    ----------
    queries : callable
        From a dataset to a vector of answers.
    sensitivity : float
        Largest change of one answer between neighbours; > 0.
    epsilon : float
        > 0.

    Notes
    -----
    Dwork and Roth (2014), section 3.3, with the scale 2 * sensitivity / epsilon that answers need
    which may move in different directions.

    Examples
    --------
    >>> import numpy as np
    >>> largest = ReportNoisyMax(lambda counts: counts, sensitivity=1, epsilon=1)
    >>> largest([3, 20, 12], 4, np.random.default_rng(1))
    array([1, 1, 1, 1])
    """

    queries: Query
    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        _function(queries=self.queries)
        reading.positive(sensitivity=self.sensitivity, epsilon=self.epsilon)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("noise", "the index of the largest answer", self.epsilon, "privacy:noisy-max")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        answers = np.atleast_1d(_answers(self.queries, dataset, "queries"))
        noise = rng.laplace(scale=2 * self.sensitivity / self.epsilon, size=(size, answers.size))
        return np.argmax(answers + noise, axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class SparseVector(Textbook):
    """Say of each query whether it is above a threshold, until `count` of them were.

    It is epsilon-private, with outputs of shape (size, number of queries): 1 above, 0 below, -1
    not answered.

    Parameters
    ----------
    queries : callable
        From a dataset to a vector of answers.
    threshold : float
    epsilon : float
        > 0; half of it for the threshold, half for the answers.
    count : int
        So many answers may be above, >= 1; later queries are not answered.
    sensitivity : float
        Largest change of one answer between neighbours; > 0.

    Notes
    -----
    Lyu, Su, Li (2017), *Understanding the sparse vector technique*, algorithm 1; with `count` 1 that
    is AboveThreshold of Dwork and Roth (2014), algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> above = SparseVector(lambda counts: counts, threshold=10, epsilon=4)
    >>> above([0, 2, 30, 40], 1, np.random.default_rng(1))
    array([[ 0,  0,  1, -1]])
    """

    queries: Query
    threshold: float
    epsilon: float
    count: int = 1
    sensitivity: float = 1.0

    def __post_init__(self) -> None:
        _function(queries=self.queries)
        reading.positive(epsilon=self.epsilon, sensitivity=self.sensitivity)
        reading.count("count", self.count)
        reading.number("threshold", self.threshold, "finite")

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        if self.count == 1:
            return _one("noise", "the first answer above", self.epsilon, "privacy:above-threshold")
        return _one("noise", "which answers are above", self.epsilon, "privacy:sparse-vector")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        half = self.epsilon / 2
        answers = np.atleast_1d(_answers(self.queries, dataset, "queries"))
        bar = self.threshold + rng.laplace(scale=self.sensitivity / half, size=(size, 1))
        noise = rng.laplace(
            scale=2 * self.count * self.sensitivity / half, size=(size, answers.size)
        )
        above = (answers + noise >= bar).astype(np.int64)
        before = np.cumsum(above, axis=1) - above
        above[before >= self.count] = -1
        return above


@dataclass(frozen=True, eq=False, repr=False)
class PrivateMedian(Textbook):
    """Draw a median by the exponential mechanism on an interval.

    It is epsilon-private.

    Parameters
    ----------
    low, high : float
        Records are clipped to this interval, each by itself; nan is put to its lower end.
    epsilon : float
        > 0.

    Notes
    -----
    The score of a point is minus the distance of the number of records below it from n / 2; to
    replace a record changes it by at most 1. Smith (2011), *Privacy-preserving statistical
    estimation with optimal convergence rates*, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> median = PrivateMedian(low=0, high=100, epsilon=1)
    >>> median(range(20, 81), 3, np.random.default_rng(1)).round(1)
    array([50.9, 54.3, 47.4])
    """

    low: float
    high: float
    epsilon: float

    def __post_init__(self) -> None:
        _interval(self.low, self.high)
        reading.positive(epsilon=self.epsilon)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("draw", "the median", self.epsilon, UNPROVED.format("Smith (2011)"))

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        records = np.sort(_clipped(dataset, self.low, self.high))
        ends = np.concatenate(([self.low], records, [self.high]))
        lengths = np.diff(ends)
        ranks = np.arange(records.size + 1)
        with np.errstate(divide="ignore"):
            logits = np.log(lengths) - self.epsilon / 2 * np.abs(ranks - records.size / 2)
        at = _drawn(logits, size, rng)
        return ends[at] + lengths[at] * rng.random(size)


def _numbers(records: Any) -> NDArray[np.float64]:
    """Records that are finite numbers."""
    read = reading.records("records", records)
    if not np.isfinite(read).all():
        raise ValueError("records must be finite, got nan or an infinity")
    return read


def distance_to_instability(records: ArrayLike, bound: float) -> int:
    """Count the records to replace until the median's local sensitivity exceeds a bound.

    Parameters
    ----------
    records : array of float
        Shape (n,), n odd.
    bound : float
        > 0.

    Returns
    -------
    int
        It changes by at most 1 between neighbours; at most (n - 1) / 2.

    Notes
    -----
    The local sensitivity after k replacements is the largest gap between order statistics k + 1
    apart around the median; order statistics beyond the ends are infinite. Nissim, Raskhodnikova, Smith (2007),
    *Smooth sensitivity and sampling in private data analysis*, proposition 3.4.

    Examples
    --------
    >>> distance_to_instability([1, 2, 3, 4, 5], bound=2)
    2
    """
    reading.positive(bound=bound)
    ordered = np.sort(_numbers(records))
    if ordered.size % 2 == 0:
        raise ValueError(f"the number of records must be odd, got {ordered.size}")
    middle = (ordered.size + 1) // 2
    padded = np.concatenate(([-np.inf] * (middle + 1), ordered, [np.inf] * (middle + 1)))
    at = 2 * middle  # of the median
    k = 0
    while np.max(padded[at : at + k + 2] - padded[at - k - 1 : at + 1]) <= bound:
        k += 1  # k + 1 = middle reaches beyond the ends
    return k


@dataclass(frozen=True, eq=False, repr=False)
class ProposeTestRelease(Textbook):
    """Propose a bound on the median's sensitivity, test it privately, then release or refuse.

    It is (epsilon, delta)-private on datasets of an odd number of records; nan: refused.

    Parameters
    ----------
    bound : float
        The proposed bound, > 0.
    epsilon, delta : float
        epsilon > 0, half of it for the test, half for the release; delta in (0, 1).

    Notes
    -----
    Dwork and Lei (2009), *Differential privacy and robust statistics*; as in Vadhan (2017),
    *The complexity of differential privacy*, section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> median = ProposeTestRelease(bound=0.1, epsilon=10, delta=1e-6)
    >>> median(np.linspace(0, 1, 101), 2, np.random.default_rng(1)).round(2)
    array([0.48, 0.55])
    """

    bound: float
    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        reading.positive(bound=self.bound, epsilon=self.epsilon)
        _chance(delta=self.delta)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return Accounting(
            (
                Spending(
                    "test",
                    "whether the bound holds",
                    self.epsilon / 2,
                    self.delta,
                    "privacy:test-of-a-distance and privacy:test-at-no-distance for the noise; Dwork and "
                    "Lei (2009) for the distance, which no claim here shows for the median",
                ),
                Spending(
                    "release", "the median", self.epsilon / 2, 0.0, "privacy:laplace-mechanism"
                ),
            ),
            "privacy:propose-test-release-passed-both",
        )

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        half = self.epsilon / 2
        distance = distance_to_instability(dataset, self.bound)
        passed = distance + rng.laplace(scale=1 / half, size=size) > math.log(1 / self.delta) / half
        released = np.median(_numbers(dataset)) + rng.laplace(scale=self.bound / half, size=size)
        return np.where(passed, released, np.nan)


@dataclass(frozen=True, eq=False, repr=False)
class ClippedMean(Textbook):
    """Mean of records clipped to an interval that does not depend on them, with Laplace noise.

    It is epsilon-private.

    Parameters
    ----------
    low, high : float
        The interval; a record that is nan is put to its lower end.
    epsilon : float
        > 0.

    Notes
    -----
    The Laplace mechanism with sensitivity (high - low) / n.

    Examples
    --------
    >>> import numpy as np
    >>> mean = ClippedMean(low=0, high=100, epsilon=1)
    >>> mean([20, 30, 40, 900] * 50, 2, np.random.default_rng(1)).round(1)
    array([47.5, 48.7])
    """

    low: float
    high: float
    epsilon: float

    def __post_init__(self) -> None:
        _interval(self.low, self.high)
        reading.positive(epsilon=self.epsilon)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("noise", "the mean", self.epsilon, "privacy:clipped-mean")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        records = _clipped(dataset, self.low, self.high)
        if not records.size:
            raise ValueError("records must not be empty, got none")
        scale = (self.high - self.low) / (records.size * self.epsilon)
        return records.mean() + rng.laplace(scale=scale, size=size)


@dataclass(frozen=True, eq=False, repr=False)
class NoisySumAndCount(Textbook):
    """Sum of clipped records and their number, each with Laplace noise for half of epsilon.

    It is epsilon-private when neighbours differ by a record added or removed; outputs of shape
    (size, 2).

    Parameters
    ----------
    low, high : float
        Records are clipped to this interval, each by itself; nan is put to its lower end.
    epsilon : float
        > 0.

    Notes
    -----
    The sum changes by at most the larger of abs(low) and abs(high), the count by 1.

    Examples
    --------
    >>> import numpy as np
    >>> both = NoisySumAndCount(low=0, high=10, epsilon=2)
    >>> both([5] * 100, 1, np.random.default_rng(1)).round(1)
    array([[500.2, 102.3]])
    """

    low: float
    high: float
    epsilon: float

    def __post_init__(self) -> None:
        _interval(self.low, self.high)
        reading.positive(epsilon=self.epsilon)

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return Accounting(
            (
                Spending(
                    "sum", "the noisy sum", self.epsilon / 2, 0.0, "privacy:laplace-mechanism"
                ),
                Spending(
                    "count",
                    "the noisy number of records",
                    self.epsilon / 2,
                    0.0,
                    "privacy:laplace-mechanism",
                ),
            ),
            "privacy:composition-independent",
        )

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        records = _clipped(dataset, self.low, self.high)
        scales = np.array([max(abs(self.low), abs(self.high)), 1.0]) / (self.epsilon / 2)
        return np.array([records.sum(), records.size]) + rng.laplace(scale=scales, size=(size, 2))


@dataclass(frozen=True, eq=False, repr=False)
class PosteriorDraw(Textbook):
    """Draw once from a tempered posterior of a success chance, on a grid with a uniform prior.

    It is epsilon-private on datasets of zeros and ones.

    Parameters
    ----------
    grid : array of float
        Chances, each in (0, 1); at least two different ones.
    epsilon : float
        > 0.

    Notes
    -----
    To replace a record moves the log-likelihood at theta by at most abs(logit(theta)); the
    likelihood is raised to the power epsilon / (2 * max abs(logit)), which makes the draw an
    exponential mechanism. Wang, Fienberg, Smola (2015), *Privacy for free*.

    Examples
    --------
    >>> import numpy as np
    >>> draw = PosteriorDraw(np.linspace(0.1, 0.9, 9), epsilon=1)
    >>> draw([1] * 30 + [0] * 10, 3, np.random.default_rng(1)).round(1)
    array([0.7, 0.9, 0.6])
    """

    grid: ArrayLike
    epsilon: float

    def __post_init__(self) -> None:
        reading.positive(epsilon=self.epsilon)
        chances = self._chances
        if chances.size < 2 or not np.all((chances > 0) & (chances < 1)):
            raise ValueError(f"grid must hold two or more chances in (0, 1), got {self.grid!r}")
        if not self.largest:
            raise ValueError(f"grid must hold two or more different chances, got {self.grid!r}")

    @cached_property
    def _chances(self) -> NDArray[np.float64]:
        return np.asarray(self.grid, dtype=np.float64)

    @property
    def largest(self) -> float:
        """Largest change of the log-likelihood by a record."""
        return float(np.abs(np.log(self._chances) - np.log1p(-self._chances)).max())

    @property
    def accounting(self) -> Accounting:
        """Return the budget that it spends."""
        return _one("draw", "the chance", self.epsilon, "privacy:exponential-mechanism")

    def _draw(self, dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        """Draw `size` independent releases on a dataset."""
        records = reading.records("records", dataset)
        if not ((records == 0) | (records == 1)).all():
            raise ValueError("records must be 0 or 1")
        ones = float(records.sum())
        zeros = records.size - ones
        scores = ones * np.log(self._chances) + zeros * np.log1p(-self._chances)
        return self._chances[_drawn(self.epsilon / (2 * self.largest) * scores, size, rng)]
