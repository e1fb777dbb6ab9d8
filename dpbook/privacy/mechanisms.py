"""Private mechanisms of the textbooks: each factory returns ``mechanism(dataset, size, rng)``.

For teaching and audits; not for real releases: floating-point noise leaks what real noise hides.
Use OpenDP for those.

A mechanism draws `size` independent releases on one dataset: an array of shape (size,) or
(size, d). Two datasets are neighbours if one record is replaced, unless a docstring says otherwise;
their size is public then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_ndtr, ndtr

from dpbook.privacy import reading

LEAST = 1e-12  # of an epsilon whose geometric noise stays far below 2**63

Mechanism = Callable[[Any, int, np.random.Generator], NDArray[Any]]
Query = Callable[[Any], ArrayLike]
"""From a dataset to a number or a vector."""


def _chance(**values: float) -> None:
    for name, value in values.items():
        reading.number(name, value, "in (0, 1)")


def _interval(low: float, high: float) -> None:
    if not reading.number("low", low, "finite") < reading.number("high", high, "finite"):
        raise ValueError(f"low must be < high, both finite, got low = {low}, high = {high}")


def _answers(query: Query, dataset: Any) -> NDArray[np.float64]:
    return np.asarray(query(dataset), dtype=np.float64)


def _drawn(logits: NDArray[np.float64], size: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Draws of an index with chances proportional to exp(logits)."""
    weights = np.exp(logits - logits.max())
    sums = np.cumsum(weights)
    at = np.searchsorted(sums, rng.random(size) * sums[-1], side="right")
    return np.minimum(at, np.flatnonzero(weights)[-1])


def laplace_mechanism(query: Query, sensitivity: float, epsilon: float) -> Mechanism:
    """Add Laplace noise of scale sensitivity / epsilon to the answer.

    Parameters
    ----------
    query : callable
        From a dataset to a number or a vector.
    sensitivity : float
        Largest change of the answer between neighbours, in the 1-norm; > 0.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private.

    Notes
    -----
    Dwork, McSherry, Nissim, Smith (2006), *Calibrating noise to sensitivity*.

    Examples
    --------
    >>> import numpy as np
    >>> count = laplace_mechanism(len, sensitivity=1, epsilon=0.5)
    >>> count(range(100), 3, np.random.default_rng(1)).round(1)
    array([100. , 104.6,  97.5])
    """
    reading.positive(sensitivity=sensitivity, epsilon=epsilon)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        answer = _answers(query, dataset)
        return answer + rng.laplace(scale=sensitivity / epsilon, size=(size, *answer.shape))

    return mechanism


def gaussian_scale(sensitivity: float, epsilon: float, delta: float) -> float:
    """Smallest standard deviation that makes the Gaussian mechanism (epsilon, delta)-private.

    Parameters
    ----------
    sensitivity, epsilon : float
        > 0.
    delta : float
        In (0, 1).

    Notes
    -----
    Balle and Wang (2018), theorem 8, solved by bisection to 1e-12 relative, rounded up.

    Examples
    --------
    >>> round(gaussian_scale(sensitivity=1, epsilon=1, delta=1e-6), 4)
    4.2247
    """
    reading.positive(sensitivity=sensitivity, epsilon=epsilon)
    _chance(delta=delta)

    def excess(shift: float) -> float:
        """Delta of the mechanism whose means are `shift` standard deviations apart."""
        above = epsilon / shift
        return float(
            ndtr(shift / 2 - above) - math.exp(epsilon + float(log_ndtr(-shift / 2 - above)))
        )

    low, high = 0.0, 1.0
    while excess(high) <= delta:
        low, high = high, 2 * high
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) <= delta else (low, middle)
    return sensitivity / low


def gaussian_mechanism(query: Query, sensitivity: float, epsilon: float, delta: float) -> Mechanism:
    """Add the least Gaussian noise that (epsilon, delta) allows.

    Parameters
    ----------
    query : callable
        From a dataset to a number or a vector.
    sensitivity : float
        Largest change of the answer between neighbours, in the 2-norm; > 0.
    epsilon, delta : float
        epsilon > 0; delta in (0, 1).

    Returns
    -------
    Mechanism
        (epsilon, delta)-private.

    Notes
    -----
    Balle and Wang (2018), *Improving the Gaussian mechanism for differential privacy*.

    Examples
    --------
    >>> import numpy as np
    >>> count = gaussian_mechanism(len, sensitivity=1, epsilon=1, delta=1e-6)
    >>> count(range(100), 3, np.random.default_rng(1)).round(1)
    array([101.5, 103.5, 101.4])
    """
    scale = gaussian_scale(sensitivity, epsilon, delta)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        answer = _answers(query, dataset)
        return answer + rng.normal(scale=scale, size=(size, *answer.shape))

    return mechanism


def counting(predicate: Callable[[Any], bool], epsilon: float) -> Mechanism:
    """Count the records that satisfy a predicate, with noise of the two-sided geometric law.

    Parameters
    ----------
    predicate : callable
        From a record to true or false.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private, also when neighbours differ by a record added or removed.

    Notes
    -----
    Ghosh, Roughgarden, Sundararajan (2009), *Universally utility-maximizing privacy mechanisms*.

    Examples
    --------
    >>> import numpy as np
    >>> adults = counting(lambda age: age >= 18, epsilon=1)
    >>> adults([12, 30, 45, 70], 5, np.random.default_rng(1))
    array([3, 5, 3, 5, 3])
    """
    reading.positive(epsilon=epsilon)
    if epsilon < LEAST:
        raise ValueError(f"epsilon must be >= {LEAST:g}: its noise fits no integer, got {epsilon}")

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        exact = sum(bool(predicate(record)) for record in dataset)
        first, second = rng.geometric(-math.expm1(-epsilon), size=(2, size))
        return exact + first - second

    return mechanism


def randomised_response(epsilon: float, categories: int = 2) -> Mechanism:
    """Report each record's category, or with some chance one of the others.

    Parameters
    ----------
    epsilon : float
        > 0.
    categories : int
        Records are 0, ..., categories - 1; >= 2.

    Returns
    -------
    Mechanism
        epsilon-private, with outputs of shape (size, number of records).

    Notes
    -----
    Warner (1965); for more categories Kairouz, Oh, Viswanath (2016).

    Examples
    --------
    >>> import numpy as np
    >>> answers = randomised_response(epsilon=1)
    >>> answers([1, 1, 0, 0], 1, np.random.default_rng(1))
    array([[1, 1, 1, 0]])
    """
    reading.positive(epsilon=epsilon)
    others = reading.count("categories", categories, 2) - 1
    truth = math.exp(-epsilon)
    lie = others * truth / (1 + others * truth)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        records = np.asarray(dataset, dtype=np.int64)
        lies = rng.random((size, records.size)) < lie
        return (records + lies * rng.integers(1, categories, size=lies.shape)) % categories

    return mechanism


def exponential_mechanism(
    score: Query, candidates: ArrayLike, sensitivity: float, epsilon: float
) -> Mechanism:
    """Draw a candidate with chance proportional to exp(epsilon * score / (2 * sensitivity)).

    Parameters
    ----------
    score : callable
        From a dataset to one number for each candidate.
    candidates : array
        What is drawn; of shape (m,) or (m, d).
    sensitivity : float
        Largest change of a candidate's score between neighbours; > 0.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private.

    Notes
    -----
    McSherry and Talwar (2007), *Mechanism design via differential privacy*.

    Examples
    --------
    >>> import numpy as np
    >>> letters = np.array(list("ABC"))
    >>> largest = exponential_mechanism(lambda counts: counts, letters, sensitivity=1, epsilon=1)
    >>> largest([3, 20, 17], 4, np.random.default_rng(1)).tolist()
    ['B', 'C', 'B', 'C']
    """
    reading.positive(sensitivity=sensitivity, epsilon=epsilon)
    choices = np.asarray(candidates)
    if not choices.size:
        raise ValueError("candidates must not be empty, got none")

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        scores = _answers(score, dataset)
        if scores.shape != choices.shape[:1]:
            raise ValueError(
                f"score must return one number for each of {len(choices)} candidates, "
                f"got shape {scores.shape}"
            )
        return choices[_drawn(epsilon / (2 * sensitivity) * scores, size, rng)]

    return mechanism


def report_noisy_max(queries: Query, sensitivity: float, epsilon: float) -> Mechanism:
    """Report which of several noisy answers is the largest, and nothing else.

    Parameters
    ----------
    queries : callable
        From a dataset to a vector of answers.
    sensitivity : float
        Largest change of one answer between neighbours; > 0.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private; the outputs are indices.

    Notes
    -----
    Dwork and Roth (2014), section 3.3, with the scale 2 * sensitivity / epsilon that answers need
    which may move in different directions.

    Examples
    --------
    >>> import numpy as np
    >>> largest = report_noisy_max(lambda counts: counts, sensitivity=1, epsilon=1)
    >>> largest([3, 20, 12], 4, np.random.default_rng(1))
    array([1, 1, 1, 1])
    """
    reading.positive(sensitivity=sensitivity, epsilon=epsilon)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        answers = np.atleast_1d(_answers(queries, dataset))
        noise = rng.laplace(scale=2 * sensitivity / epsilon, size=(size, answers.size))
        return np.argmax(answers + noise, axis=1)

    return mechanism


def sparse_vector(
    queries: Query, threshold: float, epsilon: float, count: int = 1, sensitivity: float = 1.0
) -> Mechanism:
    """Say of each query whether it is above a threshold, until `count` of them were.

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

    Returns
    -------
    Mechanism
        epsilon-private, with outputs of shape (size, number of queries): 1 above, 0 below, -1 not
        answered.

    Notes
    -----
    Lyu, Su, Li (2017), *Understanding the sparse vector technique*, algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> above = sparse_vector(lambda counts: counts, threshold=10, epsilon=4)
    >>> above([0, 2, 30, 40], 1, np.random.default_rng(1))
    array([[ 0,  0,  1, -1]])
    """
    reading.positive(epsilon=epsilon, sensitivity=sensitivity)
    count = reading.count("count", count)
    half = epsilon / 2

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        answers = np.atleast_1d(_answers(queries, dataset))
        bar = threshold + rng.laplace(scale=sensitivity / half, size=(size, 1))
        noise = rng.laplace(scale=2 * count * sensitivity / half, size=(size, answers.size))
        above = (answers + noise >= bar).astype(np.int64)
        before = np.cumsum(above, axis=1) - above
        above[before >= count] = -1
        return above

    return mechanism


def private_median(low: float, high: float, epsilon: float) -> Mechanism:
    """Draw a median by the exponential mechanism on an interval.

    Parameters
    ----------
    low, high : float
        Records are clipped to this interval.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private.

    Notes
    -----
    The score of a point is minus the distance of the number of records below it from n / 2; to
    replace a record changes it by at most 1. Smith (2011), *Privacy-preserving statistical
    estimation with optimal convergence rates*, algorithm 2.

    Examples
    --------
    >>> import numpy as np
    >>> median = private_median(low=0, high=100, epsilon=1)
    >>> median(range(20, 81), 3, np.random.default_rng(1)).round(1)
    array([50.9, 54.3, 47.4])
    """
    _interval(low, high)
    reading.positive(epsilon=epsilon)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        records = np.sort(np.clip(np.asarray(dataset, dtype=np.float64), low, high))
        ends = np.concatenate(([low], records, [high]))
        lengths = np.diff(ends)
        ranks = np.arange(records.size + 1)
        with np.errstate(divide="ignore"):
            logits = np.log(lengths) - epsilon / 2 * np.abs(ranks - records.size / 2)
        at = _drawn(logits, size, rng)
        return ends[at] + lengths[at] * rng.random(size)

    return mechanism


def distance_to_instability(records: ArrayLike, bound: float) -> int:
    """How many records must be replaced until the median's local sensitivity exceeds a bound.

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
    apart around the median; those beyond the ends are infinite. Nissim, Raskhodnikova, Smith (2007),
    *Smooth sensitivity and sampling in private data analysis*, proposition 3.4.

    Examples
    --------
    >>> distance_to_instability([1, 2, 3, 4, 5], bound=2)
    2
    """
    reading.positive(bound=bound)
    ordered = np.sort(np.asarray(records, dtype=np.float64))
    if ordered.size % 2 == 0:
        raise ValueError(f"the number of records must be odd, got {ordered.size}")
    middle = (ordered.size + 1) // 2
    padded = np.concatenate(([-np.inf] * (middle + 1), ordered, [np.inf] * (middle + 1)))
    at = 2 * middle  # of the median
    k = 0
    while np.max(padded[at : at + k + 2] - padded[at - k - 1 : at + 1]) <= bound:
        k += 1  # k + 1 = middle reaches beyond the ends
    return k


def propose_test_release(bound: float, epsilon: float, delta: float) -> Mechanism:
    """Propose a bound on the median's sensitivity, test it privately, then release or refuse.

    Parameters
    ----------
    bound : float
        What is proposed, > 0.
    epsilon, delta : float
        epsilon > 0, half of it for the test, half for the release; delta in (0, 1).

    Returns
    -------
    Mechanism
        (epsilon, delta)-private on datasets of an odd number of records; nan: refused.

    Notes
    -----
    Dwork and Lei (2009), *Differential privacy and robust statistics*; as in Vadhan (2017),
    *The complexity of differential privacy*, section 3.2.

    Examples
    --------
    >>> import numpy as np
    >>> median = propose_test_release(bound=0.1, epsilon=10, delta=1e-6)
    >>> median(np.linspace(0, 1, 101), 2, np.random.default_rng(1)).round(2)
    array([0.48, 0.55])
    """
    reading.positive(bound=bound, epsilon=epsilon)
    _chance(delta=delta)
    half = epsilon / 2

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        distance = distance_to_instability(dataset, bound)
        passed = distance + rng.laplace(scale=1 / half, size=size) > math.log(1 / delta) / half
        released = np.median(np.asarray(dataset)) + rng.laplace(scale=bound / half, size=size)
        return np.where(passed, released, np.nan)

    return mechanism


def clipped_mean(low: float, high: float, epsilon: float) -> Mechanism:
    """Mean of records clipped to an interval that does not depend on them, with Laplace noise.

    Parameters
    ----------
    low, high : float
        The interval.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private.

    Notes
    -----
    The Laplace mechanism with sensitivity (high - low) / n.

    Examples
    --------
    >>> import numpy as np
    >>> mean = clipped_mean(low=0, high=100, epsilon=1)
    >>> mean([20, 30, 40, 900] * 50, 2, np.random.default_rng(1)).round(1)
    array([47.5, 48.7])
    """
    _interval(low, high)
    reading.positive(epsilon=epsilon)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        records = np.clip(np.asarray(dataset, dtype=np.float64), low, high)
        scale = (high - low) / (records.size * epsilon)
        return records.mean() + rng.laplace(scale=scale, size=size)

    return mechanism


def noisy_sum_and_count(low: float, high: float, epsilon: float) -> Mechanism:
    """Sum of clipped records and their number, each with Laplace noise for half of epsilon.

    Parameters
    ----------
    low, high : float
        Records are clipped to this interval.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private when neighbours differ by a record added or removed; outputs of shape
        (size, 2).

    Notes
    -----
    The sum changes by at most the larger of abs(low) and abs(high), the count by 1.

    Examples
    --------
    >>> import numpy as np
    >>> both = noisy_sum_and_count(low=0, high=10, epsilon=2)
    >>> both([5] * 100, 1, np.random.default_rng(1)).round(1)
    array([[500.2, 102.3]])
    """
    _interval(low, high)
    reading.positive(epsilon=epsilon)
    scales = np.array([max(abs(low), abs(high)), 1.0]) / (epsilon / 2)

    def mechanism(dataset: Any, size: int, rng: np.random.Generator) -> NDArray[Any]:
        records = np.clip(np.asarray(dataset, dtype=np.float64), low, high)
        return np.array([records.sum(), records.size]) + rng.laplace(scale=scales, size=(size, 2))

    return mechanism


def posterior_draw(grid: ArrayLike, epsilon: float) -> Mechanism:
    """One draw from a tempered posterior of a success chance, on a grid with a uniform prior.

    Parameters
    ----------
    grid : array of float
        Chances, each in (0, 1); at least two different ones.
    epsilon : float
        > 0.

    Returns
    -------
    Mechanism
        epsilon-private on datasets of zeros and ones.

    Notes
    -----
    To replace a record moves the log-likelihood at theta by at most abs(logit(theta)); the
    likelihood is raised to the power epsilon / (2 * max abs(logit)), which makes the draw an
    exponential mechanism. Wang, Fienberg, Smola (2015), *Privacy for free*.

    Examples
    --------
    >>> import numpy as np
    >>> draw = posterior_draw(np.linspace(0.1, 0.9, 9), epsilon=1)
    >>> draw([1] * 30 + [0] * 10, 3, np.random.default_rng(1)).round(1)
    array([0.7, 0.9, 0.6])
    """
    reading.positive(epsilon=epsilon)
    chances = np.asarray(grid, dtype=np.float64)
    if chances.size < 2 or not np.all((chances > 0) & (chances < 1)):
        raise ValueError(f"grid must hold two or more chances in (0, 1), got {grid!r}")
    logit = np.log(chances) - np.log1p(-chances)
    if not np.any(logit):
        raise ValueError(f"grid must hold two or more different chances, got {grid!r}")

    def log_likelihood(dataset: Any) -> NDArray[np.float64]:
        ones = float(np.sum(dataset))
        zeros = len(dataset) - ones
        found: NDArray[np.float64] = ones * np.log(chances) + zeros * np.log1p(-chances)
        return found

    return exponential_mechanism(log_likelihood, chances, float(np.abs(logit).max()), epsilon)
