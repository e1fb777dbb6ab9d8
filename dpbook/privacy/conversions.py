"""From one notion of privacy to another at run time, each conversion within its claim's range.

Arguments are read as doubles; results are computed in balls and rounded up, so that they are never
less than the claim says.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from flint import arb, ctx
from numpy.typing import ArrayLike

from dpbook.engine.language.domain import DomainError
from dpbook.privacy.accounting.enclosure import round_up
from dpbook.privacy.reading import count, entries, number, records, short
from dpbook.privacy.value import Value, Version

__all__ = [
    "Budget",
    "compose_advanced",
    "compose_basic",
    "compose_gaussian",
    "compose_zcdp",
    "contaminated",
    "dp_to_zcdp",
    "gaussian_to_dp",
    "gaussian_to_zcdp",
    "group",
    "poisson_sampled",
    "pure_to_zcdp",
    "renyi_to_dp",
    "zcdp_to_dp",
]


BITS = 200


class Budget(Value):
    """Approximate differential privacy: an epsilon at a delta, and the claim that it rests on.

    Parameters
    ----------
    epsilon, delta : float
        Rounded up.
    claim : str
        Key of the claim that the conversion applies.
    order : float, optional
        Order of the Renyi divergence that was taken, where there was a choice.
    version : {"corrected", "printed"}

    Examples
    --------
    >>> zcdp_to_dp(0.1, 1e-6)
    Budget(epsilon=2.14194, delta=1e-06, order=11.6581, claim='privacy:zcdp-to-dp-sharp')
    """

    def __init__(
        self,
        epsilon: float,
        delta: float,
        claim: str,
        order: float | None = None,
        version: Version = "corrected",
    ) -> None:
        at = {"delta": delta} if order is None else {"delta": delta, "order": order}
        super().__init__(epsilon, claim, version, "epsilon", at=at)

    @property
    def epsilon(self) -> float:
        """The number itself."""
        return self.value

    @property
    def delta(self) -> float:
        """The delta that it is had at."""
        return self["delta"]

    @property
    def order(self) -> float | None:
        """Order of the Renyi divergence that was taken, where there was a choice."""
        return self.at.get("order")

    def describe(self) -> str:
        """Return the budget in words."""
        taken = "" if self.order is None else f", at the order {self.order:.4g}"
        printed = ", as printed" if self.version == "printed" else ""
        return f"({self.epsilon:.6g}, {self.delta:.3g})-DP, by {self.claim}{printed}{taken}."


def _needs(holds: bool, claim: str, rule: str, value: object) -> None:
    if not holds:
        raise DomainError(f"{claim} needs {rule}, got {value}")


def _listed(name: str, values: Any, claim: str) -> list[Any]:
    read = entries(values)
    if read is None:
        raise DomainError(f"{claim} needs a list of {name}, got {short(values)}")
    return read


def _up(value: Callable[[], arb]) -> float:
    """The least double that is certainly not below a number; infinity where it has no bound."""
    with ctx.workprec(BITS):
        return round_up(value()) + 0.0  # no negative zero


def _sum(values: Iterable[float]) -> float:
    """A sum, rounded up."""
    terms = list(values)
    try:
        total = math.fsum(terms)
        # fsum rounds once: the sign of the rest is exact
        return math.nextafter(total, math.inf) if math.fsum([*terms, -total]) > 0 else total
    except OverflowError:
        return math.inf


def _half_square(loss: float) -> float:
    return _up(lambda: arb(loss) ** 2 / 2)


def _drawn_loss(epsilon: float, share: float) -> float:
    """log(1 + share (exp(epsilon) - 1)), rounded up."""

    def loss() -> arb:
        e, q = arb(epsilon), arb(share)
        if epsilon > 1e4:  # exp of the largest doubles has no ball
            return e + (q + (1 - q) * (-e).exp()).log()
        return (q * e.expm1()).log1p()

    return _up(loss)


def renyi_to_dp(divergence: ArrayLike, order: ArrayLike, delta: float) -> Budget:
    """Approximate privacy of a mechanism whose Renyi divergences are known.

    Parameters
    ----------
    divergence, order : float or array
        Divergences >= 0 at orders > 1, of one shape; the order that gives the least epsilon is
        taken. An infinite divergence is passed over.
    delta : float
        In (0, 1).

    Raises
    ------
    DomainError
        An order <= 1, a negative divergence, or a delta outside (0, 1).

    Notes
    -----
    privacy:renyi-to-dp, solved for epsilon in privacy:renyi-to-dp-epsilon.

    Examples
    --------
    >>> renyi_to_dp([0.5, 1.0], [2, 4], delta=1e-6)
    Budget(epsilon=4.85539, delta=1e-06, order=4, claim='privacy:renyi-to-dp')
    """
    claim = "privacy:renyi-to-dp"
    delta = number("delta", delta, "in (0, 1)", claim)
    try:
        if isinstance(divergence, bool | np.bool_) or isinstance(order, bool | np.bool_):
            raise ValueError
        losses, orders = records("divergence", divergence), records("order", order)
    except ValueError:
        losses, orders = np.zeros(0), np.zeros(1)
    # one divergence at several orders, or several at one order: which belongs to which is unknown
    _needs(
        losses.shape == orders.shape,
        claim,
        "numbers of one shape for divergence and order",
        f"{short(divergence)} and {short(order)}",
    )
    losses, orders = np.atleast_1d(losses), np.atleast_1d(orders)
    _needs(losses.ndim == 1 and losses.size > 0, claim, "at least one order, in a row", order)
    for value in orders:
        _needs(bool(1 < value < math.inf), claim, "finite orders > 1", value)
    for value in losses:
        _needs(bool(value >= 0), claim, "divergences >= 0", value)
    found = losses + np.log1p(-1 / orders) - (math.log(delta) + np.log(orders)) / (orders - 1)
    best = int(np.argmin(found))
    _needs(bool(np.isfinite(found[best])), claim, "a finite divergence", losses[best])
    loss, taken = float(losses[best]), float(orders[best])
    epsilon = _up(lambda: _loss_at(arb(loss), arb(taken) - 1, arb(delta)))
    return Budget(max(0.0, epsilon), delta, claim, taken)


def _loss_at(divergence: arb, above: arb, delta: arb) -> arb:
    """Epsilon of privacy:renyi-to-dp at the order 1 + above."""
    return divergence + (above / (1 + above)).log() - (delta.log() + above.log1p()) / above


def zcdp_to_dp(rho: float, delta: float) -> Budget:
    """Approximate privacy of a rho-zCDP mechanism, at the best order.

    Parameters
    ----------
    rho : float
        >= 0.
    delta : float
        In (0, 1).

    Raises
    ------
    DomainError
        rho < 0, or a delta outside (0, 1).

    Notes
    -----
    privacy:zcdp-to-dp-sharp holds at every order; privacy:zcdp-to-dp-sharp-order says which is the best, up to whose
    rounding no order gives less. The closed form of privacy:zcdp-to-dp, rho + 2 sqrt(rho log(1 / delta)), is larger.

    Examples
    --------
    >>> zcdp_to_dp(rho=0.5, delta=1e-5)
    Budget(epsilon=4.72839, delta=1e-05, order=5.43185, claim='privacy:zcdp-to-dp-sharp')
    """
    claim = "privacy:zcdp-to-dp-sharp"
    rho, delta = number("rho", rho, ">= 0", claim), number("delta", delta, "in (0, 1)", claim)
    if not rho:
        return Budget(0.0, delta, claim)
    above = _order_above(rho, delta)
    epsilon = _up(lambda: _loss_at(arb(rho) * (1 + arb(above)), arb(above), arb(delta)))
    return Budget(max(0.0, epsilon), delta, claim, 1 + above)


def _order_above(rho: float, delta: float) -> float:
    """The best order less 1, s: rho s^2 = log(1 / (delta (1 + s)))."""
    wanted = -math.log(delta)
    # the excess of the left side is convex and increasing in log s: Newton's method from above falls to its root
    at = min(
        (math.log(wanted) - math.log(rho)) / 2,
        wanted + math.log(-math.expm1(-wanted)),
    )
    for _ in range(100):
        s = math.exp(at)
        square = rho * s * s
        step = (square + math.log1p(s) - wanted) / (2 * square + s / (1 + s))
        at -= step
        if abs(step) <= 1e-15 * max(abs(at), 1.0):
            break
    return math.exp(at)


def dp_to_zcdp(epsilon: float, delta: float) -> float:
    """Return the largest rho such that each rho-zCDP mechanism is certainly (epsilon, delta)-private.

    Parameters
    ----------
    epsilon : float
        > 0.
    delta : float
        In (0, 1).

    Raises
    ------
    DomainError
        An argument outside its range.

    Notes
    -----
    The inverse of `zcdp_to_dp`, rounded down.

    Examples
    --------
    >>> rho = dp_to_zcdp(epsilon=1, delta=1e-5)
    >>> round(rho, 9), zcdp_to_dp(rho, 1e-5).epsilon <= 1
    (0.030556595, True)
    """
    claim = "privacy:zcdp-to-dp-sharp"
    epsilon = number("epsilon", epsilon, "> 0", claim)
    delta = number("delta", delta, "in (0, 1)", claim)

    def fits(rho: float) -> bool:
        return zcdp_to_dp(rho, delta).epsilon <= epsilon

    start, end = -745.0, 709.0  # of log rho
    while end - start > 1e-6:
        middle = (start + end) / 2
        start, end = (middle, end) if fits(math.exp(middle)) else (start, middle)
    low, high = math.exp(start), math.exp(end)
    if not fits(low):
        return 0.0
    while True:  # until they are adjacent doubles
        middle = low + (high - low) / 2
        if middle in (low, high):
            return low
        low, high = (middle, high) if fits(middle) else (low, middle)


def poisson_sampled(epsilon: float, delta: float, *, rate: float) -> Budget:
    """Approximate privacy of an (epsilon, delta)-private mechanism on a Poisson sample of the records.

    Each record enters the sample with probability `rate`; neighbours differ by a record added or removed. Of noise that is known
    `compose(PoissonSampled(noise, rate))` says more.

    Parameters
    ----------
    epsilon : float
        >= 0.
    delta : float
        In [0, 1).
    rate : float
        In (0, 1).

    Raises
    ------
    DomainError
        An argument outside its range.

    Notes
    -----
    privacy:subsampling-added-record: log(1 + rate (exp(epsilon) - 1)) and rate * delta.

    Examples
    --------
    >>> poisson_sampled(epsilon=1, delta=1e-5, rate=0.01)
    Budget(epsilon=0.0170369, delta=1e-07, claim='privacy:subsampling-added-record')
    """
    claim = "privacy:subsampling-added-record"
    epsilon = number("epsilon", epsilon, ">= 0", claim)
    delta, rate = (
        number("delta", delta, "in [0, 1)", claim),
        number("rate", rate, "in (0, 1)", claim),
    )
    return Budget(_drawn_loss(epsilon, rate), _up(lambda: arb(rate) * arb(delta)), claim)


def pure_to_zcdp(epsilon: float) -> float:
    """Return the rho of a mechanism whose loss never exceeds epsilon (privacy:pure-to-zcdp).

    Parameters
    ----------
    epsilon : float
        >= 0.

    Raises
    ------
    DomainError
        A negative epsilon.

    Examples
    --------
    >>> pure_to_zcdp(1.0)
    0.5
    """
    epsilon = number("epsilon", epsilon, ">= 0", "privacy:pure-to-zcdp")
    return _half_square(epsilon)


def gaussian_to_zcdp(mu: float) -> float:
    """Return the rho of normal noise (privacy:gaussian-to-zcdp).

    Parameters
    ----------
    mu : float
        Sensitivity over standard deviation, > 0: the mu of mu-GDP, Gaussian differential privacy.

    Raises
    ------
    DomainError
        A mu <= 0.

    Examples
    --------
    >>> gaussian_to_zcdp(mu=0.5)
    0.125
    """
    mu = number("mu", mu, "> 0", "privacy:gaussian-to-zcdp")
    return _half_square(mu)


def gaussian_to_dp(mu: float, delta: float) -> Budget:
    """Approximate privacy of normal noise; epsilon is rounded up to its certified end.

    Parameters
    ----------
    mu : float
        Sensitivity over standard deviation, > 0: the mu of mu-GDP, Gaussian differential privacy.
    delta : float
        In (0, 1).

    Raises
    ------
    DomainError
        A mu <= 0, or a delta outside (0, 1).

    Notes
    -----
    privacy:hockey-stick-normal, inverted by `dpbook.privacy.accounting.gaussian_epsilon`.

    Examples
    --------
    >>> gaussian_to_dp(mu=1, delta=1e-6)
    Budget(epsilon=4.88655, delta=1e-06, claim='privacy:hockey-stick-normal')
    """
    from dpbook.privacy.accounting import gaussian_epsilon

    claim = "privacy:hockey-stick-normal"
    mu, delta = number("mu", mu, "> 0", claim), number("delta", delta, "in (0, 1)", claim)
    return Budget(gaussian_epsilon(delta, 1.0, sensitivity=mu).upper, delta, claim)


def compose_gaussian(distances: Iterable[float]) -> float:
    """Return the mu of several Gaussian releases together (privacy:gaussian-composition).

    Parameters
    ----------
    distances : iterable of float
        The mu of each release: distance of the means in standard deviations, > 0.

    Raises
    ------
    DomainError
        A distance <= 0.

    Examples
    --------
    >>> compose_gaussian([3.0, 4.0])
    5.0
    """
    claim = "privacy:gaussian-composition"
    read = [number("every mu", mu, "> 0", claim) for mu in _listed("distances", distances, claim)]
    return _up(lambda: sum((arb(mu) ** 2 for mu in read), arb(0)).sqrt())


def compose_zcdp(losses: Iterable[float]) -> float:
    """Return the rho of several releases together (privacy:composition-renyi).

    Parameters
    ----------
    losses : iterable of float
        The rho of each release, >= 0.

    Raises
    ------
    DomainError
        A negative rho.

    Examples
    --------
    >>> compose_zcdp([0.25, 0.5])
    0.75
    """
    claim = "privacy:composition-renyi"
    return _sum(number("every rho", r, ">= 0", claim) for r in _listed("losses", losses, claim))


def compose_basic(budgets: Iterable[tuple[float, float]]) -> Budget:
    """Several releases together: losses and deltas add.

    Parameters
    ----------
    budgets : iterable of (epsilon, delta)

    Raises
    ------
    DomainError
        A negative epsilon, or a delta outside [0, 1).

    Notes
    -----
    privacy:composition-basic.

    Examples
    --------
    >>> compose_basic([(0.5, 0.0), (1.0, 1e-6)])
    Budget(epsilon=1.5, delta=1e-06, claim='privacy:composition-basic')
    """
    claim = "privacy:composition-basic"
    pairs = []
    for budget in _listed("budgets", budgets, claim):
        fits = isinstance(budget, Sequence) and len(budget) == 2
        _needs(fits, claim, "a pair (epsilon, delta)", budget)
        epsilon = number("every epsilon", budget[0], ">= 0", claim)
        pairs.append((epsilon, number("every delta", budget[1], "in [0, 1)", claim)))
    epsilon = _sum(epsilon for epsilon, _ in pairs)
    return Budget(epsilon, min(1.0, _sum(delta for _, delta in pairs)), claim)


def compose_advanced(epsilon: float, times: int, slack: float) -> Budget:
    """Many releases of one pure loss together, by advanced composition.

    Parameters
    ----------
    epsilon : float
        Of each release, with delta = 0.
    times : int
        Number of releases, >= 1.
    slack : float
        The additional delta, in (0, 1).

    Raises
    ------
    DomainError
        A negative epsilon, times that are no integer >= 1, or a slack outside (0, 1).

    Notes
    -----
    privacy:composition-advanced; concentrated privacy gives less (`pure_to_zcdp`), and
    privacy:composition-advanced-laws shows that smaller loss for releases that are chosen by the releases before.

    Examples
    --------
    >>> compose_advanced(epsilon=0.1, times=100, slack=1e-6)
    Budget(epsilon=6.30823, delta=1e-06, claim='privacy:composition-advanced')
    """
    claim = "privacy:composition-advanced"
    epsilon = number("epsilon", epsilon, ">= 0", claim)
    slack = number("slack", slack, "in (0, 1)", claim)
    times = count("times", times, claim=claim)
    if not epsilon:
        return Budget(0.0, slack, claim)

    def loss() -> arb:
        e = arb(epsilon)
        return e * (2 * times * -arb(slack).log()).sqrt() + times * e * e.expm1()

    return Budget(_up(loss), slack, claim)


def group(epsilon: float, delta: float, size: int) -> Budget:
    """Privacy of a group of records together.

    Parameters
    ----------
    epsilon, delta : float
        Of one record.
    size : int
        Records in the group, >= 1.

    Raises
    ------
    DomainError
        A negative epsilon, a delta outside [0, 1), or a size that is no integer >= 1.

    Notes
    -----
    privacy:group; at epsilon = 0 its limit, size * delta.

    Examples
    --------
    >>> group(epsilon=0.5, delta=1e-6, size=3)
    Budget(epsilon=1.5, delta=5.367e-06, claim='privacy:group')
    """
    claim = "privacy:group"
    epsilon = number("epsilon", epsilon, ">= 0", claim)
    delta = number("delta", delta, "in [0, 1)", claim)
    size = count("size", size, claim=claim)

    def grown() -> arb:
        e, d = arb(epsilon), arb(delta)
        if not epsilon:
            return size * d
        # (exp(k e) - 1) / (exp(e) - 1): exp of the largest doubles has no ball
        rest = (1 - (-size * e).exp()) if size * epsilon > 1 else -(-size * e).expm1()
        return d * ((size - 1) * e).exp() * rest / -(-e).expm1()

    most = 1.0 if size > 1 else delta
    return Budget(_up(lambda: size * arb(epsilon)), min(most, _up(grown)) if delta else 0.0, claim)


def contaminated(epsilon: float, delta: float, kept: float) -> Budget:
    """Privacy when each record is kept with a probability, and else replaced by a public draw.

    Parameters
    ----------
    epsilon, delta : float
        Of the mechanism that runs on the contaminated data.
    kept : float
        Probability that a record is kept, in (0, 1).

    Raises
    ------
    DomainError
        A negative epsilon, a delta outside [0, 1), or a `kept` outside (0, 1).

    Notes
    -----
    privacy:contamination.

    Examples
    --------
    >>> contaminated(epsilon=1, delta=0, kept=0.1)
    Budget(epsilon=0.158565, delta=0, claim='privacy:contamination')
    """
    claim = "privacy:contamination"
    epsilon = number("epsilon", epsilon, ">= 0", claim)
    delta = number("delta", delta, "in [0, 1)", claim)
    kept = number("kept", kept, "in (0, 1)", claim)
    return Budget(_drawn_loss(epsilon, kept), _up(lambda: arb(kept) * arb(delta)), claim)
