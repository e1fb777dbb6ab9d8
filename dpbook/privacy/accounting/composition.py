"""Composition of releases, certified."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from dpbook.engine.language.card import Described
from dpbook.privacy.accounting.enclosure import (
    Enclosure,
    ball,
    delta_enclosure,
    exact,
    nonnegative,
    probability,
    round_down,
    round_up,
    within_doubles,
)
from dpbook.privacy.accounting.few_releases import FewReleases
from dpbook.privacy.accounting.finite import Sums, few_values
from dpbook.privacy.accounting.gaussian import (
    NEVER_PURE,
    delta_of_gaussian,
    epsilon_of_gaussian,
)
from dpbook.privacy.accounting.kinds import COMPOSED, Kind, Ways, kind_of
from dpbook.privacy.accounting.lattice import AtomicLoss, LatticeLine
from dpbook.privacy.accounting.line import Line, Releases, enclose_delta, enclose_epsilon
from dpbook.privacy.accounting.losses import LaplaceLoss, RangeLoss
from dpbook.privacy.accounting.outputs import BoundedRange, Pair
from dpbook.privacy.accounting.pieces import OneClosed, SampledLaplace, WithoutReplacementNormal
from dpbook.privacy.accounting.residues import Laplaces, Residues, few_enough
from dpbook.privacy.accounting.sampled import REMOVE, OneRelease, SampledNormal, TwoReleases
from dpbook.privacy.accounting.solving import solve
from dpbook.privacy.accounting.subsampling import Sampled
from dpbook.privacy.accounting.tail_sums import TailSums, wide_alone
from dpbook.privacy.distributions import Distribution, TruthOrNot
from dpbook.privacy.mechanisms import Textbook
from dpbook.privacy.reading import entries, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dpbook.privacy.accounting.pictures import CompositionProfile

Closed = SampledNormal | SampledLaplace | RangeLoss  # a release of it alone has a closed form

BITS = 128
_WIDE = 1e-8  # width from which on another method is tried
_SHARP = 53  # bits of delta from which on no other method is tried
_WIDE_FOR_FEW = 2e-7  # width from which on few releases are put on a grid
_GOAL_ON_GRID = 7e-8  # width of the answer there
_FIRST_POINTS, _MOST_POINTS = 1_000, 8_000  # of the grid
_ROUNDS = 3
_MOST_FEW, _MOST_ON_GRID = 200, 1e3  # releases, and epsilon
_MOST_LOSS = int(1e300)
_NEAR_ONE = (2.0**-30, 2.0**-23, 2.0**-16)  # orders - 1


def compose(distributions: Any, times: Any = 1, *, sensitivity: Any = 1.0) -> Composition:
    """Compose releases: noise on a query, on all records or on a sample of them, and mechanisms of the book.

    Parameters
    ----------
    distributions : one release or a sequence of them
        Noise: `Normal`, `Laplace`, `TwoSidedGeometric` or `DiscreteGaussian`; the mean does not matter. Scales in the units of
        the query. `TruthOrNot` is randomised response. `PoissonSampled`, `WithoutReplacement`, `Pair`, `BoundedRange` and
        `TreeAggregation` say themselves which losses they have, and a mechanism of `dpbook.privacy` is taken with its own
        sensitivity. A `Mixture` of two `Normal` of one standard deviation is the output with the record, and its first
        part the output without it.
    times : int or sequence of int
        How often each distribution is used, >= 1; one number for all, or one for each.
    sensitivity : number
        The most by which the query moves between neighbours, >= 0; of a vector with normal noise of one standard deviation
        in all coordinates, in the 2-norm. It multiplies the distance of the means of a `Mixture`. Which neighbours are meant
        is for all releases the same; `describe()` names those of samples.

    Returns
    -------
    Composition
        With ``epsilon(delta)``, ``delta(epsilon)``, ``renyi(order)``, ``profile()`` and ``plot()``.

    Raises
    ------
    ValueError
        No distribution, one for which there is no method, scales that are not rational numbers or floats, `times` that
        is no integer >= 1 or not as many as the distributions; a sensitivity other than 1 with a mechanism, which has its own,
        or one that is no integer with discrete noise.

    Examples
    --------
    >>> from dpbook.privacy import Normal, PoissonSampled
    >>> compose(PoissonSampled(Normal(0, 1), rate=0.01), 1000).epsilon(1e-5)
    Enclosure(lower=1.82823, upper=1.82824, width=...)
    """
    listed = None if isinstance(distributions, Distribution) else entries(distributions)
    listed = [distributions] if listed is None else listed
    if not listed:
        raise ValueError("distributions must hold at least one distribution, got none")
    often = entries(times)
    if often is not None:
        counts = [_count(each) for each in often]
        if len(counts) != len(listed):
            raise ValueError(
                f"times must be one for each distribution, {len(listed)}, got {len(counts)}"
            )
    else:
        counts = [_count(times)] * len(listed)
    made = Composition(tuple(listed), tuple(counts), nonnegative("sensitivity", sensitivity))
    _ = made._parts  # a scale that cannot be read is reported now
    return made


def _count(value: Any) -> int:
    read = None
    if getattr(value, "ndim", None) == 0:  # an array of one number
        value = value.item()
    if not isinstance(value, bool | float | str):
        try:
            read = exact("times", value)
        except ValueError:
            read = None
    if read is None or read.denominator != 1 or read < 1:
        remedy = "; in calibrate, with whole=True" if isinstance(value, float) else ""
        raise ValueError(f"times must be an integer >= 1, got {short(value)}{remedy}")
    return int(read)


def _loss_asked(name: str, value: Any) -> Fraction:
    read = nonnegative(name, value)
    if read > _MOST_LOSS:
        raise ValueError(f"{name} must be at most 1e300, got {short(value)}")
    return read


@dataclass(frozen=True)
class Composition(Described):
    """Releases of one query, and their cost together.

    The privacy loss belongs to an ordered pair of neighbours. For noise that is symmetric about its mean both
    orders have the same loss, so delta and epsilon hold in both directions. With samples they differ: to add a record and to
    remove it are composed apart, and the larger delta or epsilon is the answer.

    Attributes
    ----------
    distributions : tuple of Distribution
    times : tuple of int
        How often each distribution is used.
    sensitivity : Fraction

    Examples
    --------
    >>> from dpbook.privacy import Normal
    >>> compose(Normal(0, 10), 100)
    Composition(100 x Normal(0, 10), sensitivity=1)
    """

    distributions: tuple[Distribution | Sampled, ...]
    times: tuple[int, ...]
    sensitivity: Fraction

    def delta(self, epsilon: Any) -> Enclosure:
        """Enclose the smallest delta at an epsilon >= 0.

        Parameters
        ----------
        epsilon : number
            In nats.

        Returns
        -------
        Enclosure

        Raises
        ------
        ValueError
            When epsilon is no finite number >= 0.

        Notes
        -----
        Gaussians alone, one release from a sample and few Laplaces (`residues`) are answered to adjacent doubles as a
        rule; the others with the error that `line` bounds. When that is not sharp the interval is wide, and valid.
        """
        at = _loss_asked("epsilon", epsilon)
        mu_squared, factors = self._parts
        if not factors:
            return delta_of_gaussian(at, mu_squared)
        if ways := self._one_release():
            return _larger([_closed(way, at) for way in ways])
        laplaces = self._laplaces()
        if laplaces and at >= _loss(laplaces):
            return Enclosure(0.0, 0.0, -math.inf, -math.inf, "delta", method="pure privacy")
        if laplaces and few_enough(laplaces):
            for bits in (BITS, 4 * BITS, 16 * BITS):
                with ctx.workprec(bits):
                    value = Residues(laplaces).delta(ball(at))
                    found = delta_enclosure(value, Residues.method)
                if found.upper <= math.nextafter(found.lower, math.inf):
                    break
            return found
        with ctx.workprec(BITS):
            return _larger([self._delta(each, at) for each in self._directions()])

    def epsilon(self, delta: Any) -> Enclosure:
        """Enclose the smallest epsilon at a delta in (0, 1), or at 0 where the loss is bounded.

        It is [0, 0] when delta is at least the delta at epsilon = 0. At delta = 0 it is the pure privacy
        loss: of Laplace noise the sum of sensitivity / scale over all releases.

        Parameters
        ----------
        delta : number

        Returns
        -------
        Enclosure
            In nats.

        Raises
        ------
        ValueError
            When delta is no number in (0, 1), or 0 with noise whose loss has no bound.

        Notes
        -----
        A proposal by secants; then signs of balls at both ends prove the interval, since delta
        decreases in epsilon.
        """
        mu_squared, factors = self._parts
        if exact("delta", delta, "in [0, 1)") == 0 and (pure := self._pure()) is not None:
            return pure
        target = probability(delta, NEVER_PURE)
        if not factors:
            return epsilon_of_gaussian(target, mu_squared)
        if ways := self._one_release():
            return _larger([_closed_epsilon(way, target) for way in ways])
        laplaces = self._laplaces()
        if laplaces and few_enough(laplaces):
            return _few(laplaces, target)
        with ctx.workprec(BITS):
            found: list[Enclosure] = []
            for each in self._directions():
                floor = max((one.lower for one in found), default=0.0)
                found.append(self._epsilon(each, target, floor))
            return _larger(found)

    def _delta(self, releases: Releases, epsilon: Fraction) -> Enclosure:
        """Delta in one direction."""
        if not releases.mu_squared and few_values(releases.factors):
            end = releases.end()
            if end is not None and ball(epsilon) >= end:
                return Enclosure(0.0, 0.0, -math.inf, -math.inf, "delta", method="pure privacy")
            return delta_enclosure(Sums(releases.factors).delta(ball(epsilon)), Sums.method)
        if not releases.mu_squared and wide_alone(releases.factors):
            value = TailSums(releases.factors).delta(ball(epsilon))
            if value.rel_accuracy_bits() > _SHARP:
                return delta_enclosure(value, TailSums.method)
        found = enclose_delta(releases, epsilon, self._rule())
        two = _two_releases(releases)
        if two is None and found.width > _WIDE_FOR_FEW * found.upper:
            return _delta_of_few(releases, epsilon, found)
        if two is None or found.width <= _WIDE * found.upper:
            return found
        value = two.delta(ball(epsilon))
        return delta_enclosure(value, two.method) if value.is_finite() else found

    def _epsilon(self, releases: Releases, target: Fraction, floor: float) -> Enclosure:
        """Epsilon in one direction."""
        if not releases.mu_squared and few_values(releases.factors):
            saddle, start = releases.start_for_delta(_log(target))
            end = releases.end()
            most = max(round_up(end), 0.0) if end is not None else math.inf
            sums = Sums(releases.factors, slope=-saddle)
            return solve(sums, ball(target), min(max(start, 0.0), most), most)
        if not releases.mu_squared and wide_alone(releases.factors):
            saddle, start = releases.start_for_delta(_log(target))
            tails = TailSums(releases.factors, slope=-saddle)
            most = tails.most if tails.delta(arb(tails.most)) <= ball(target) else math.inf
            found = solve(tails, ball(target), min(max(start, 0.0), most), most)
            if found.upper < math.inf and found.width <= _WIDE * found.upper:
                return found
        found = enclose_epsilon(releases, target, floor, self._rule())
        two = _two_releases(releases)
        settled = found.upper <= floor or found.width <= _WIDE * max(found.upper, 1e-3)
        if two is None and not settled and found.width > _WIDE_FOR_FEW * max(found.upper, 1e-3):
            return _epsilon_of_few(releases, target, found)
        if two is None or settled:
            return found
        start = found.lower + found.width / 2
        again = solve(two, ball(target), start, found.upper)
        return replace(
            again,
            lower=max(found.lower, again.lower),
            upper=min(found.upper, again.upper),
        )

    def renyi(self, order: Any) -> Enclosure:
        """Enclose the Renyi divergence of an order > 1, the larger of both directions.

        Parameters
        ----------
        order : number

        Returns
        -------
        Enclosure
            In nats.

        Raises
        ------
        ValueError
            When the order is no finite number > 1.
        """
        read = within_doubles("order", exact("order", order, "> 1"))
        if read <= 1:
            raise ValueError(f"order must be > 1, got {short(order)}")
        # The divergence K(c) / c, c = order - 1, increases in c. Doubles less 1 are doubles, but for
        # those beyond 2^53. Where c is tiny, K(c) / c is not sharp, and a larger c has a better bound.
        about = float(read)
        below = (about if about <= read else math.nextafter(about, 0.0)) - 1
        above = (about if about >= read else math.nextafter(about, math.inf)) - 1
        below = below if Fraction(below) + 1 <= read else math.nextafter(below, 0.0)
        above = above if Fraction(above) + 1 >= read else math.nextafter(above, math.inf)
        larger = [c for c in _NEAR_ONE if c > above]
        with ctx.workprec(BITS):
            found = []
            for each in self._directions():
                low = each.cumulant(arb(below)) / arb(below) if below else arb(0)
                highs = [each.cumulant(arb(c)) / arb(c) for c in (above, *larger)]
                found.append(
                    Enclosure(
                        max(0.0, round_down(low)) if low.is_finite() else 0.0,
                        min(round_up(high) if high.is_finite() else math.inf for high in highs),
                        quantity="Renyi divergence",
                        method="moments in balls",
                    )
                )
        return _larger(found)

    def profile(self, epsilons: Any = None) -> CompositionProfile:
        """Return the delta of many epsilons.

        Parameters
        ----------
        epsilons : sequence of numbers, optional
            Each >= 0; without it 25 from 0 to where delta is 1e-8.

        Raises
        ------
        ValueError
            When an epsilon is no finite number >= 0, or `epsilons` is empty.
        """
        # pictures load matplotlib
        from dpbook.privacy.accounting.pictures import LEAST, CompositionProfile

        if epsilons is None:
            last = min(self.epsilon(LEAST).upper, 1e300) or 1.0
            epsilons = [last * i / 24 for i in range(25)]
        listed = entries(epsilons)
        if listed is None:
            raise ValueError(f"epsilons must be a sequence of numbers >= 0, got {short(epsilons)}")
        points = [_loss_asked("each of epsilons", each) for each in listed]
        if not points:
            raise ValueError("epsilons must hold at least one number, got none")
        return CompositionProfile(
            repr(self), tuple(float(x) for x in points), tuple(self.delta(x) for x in points)
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta against epsilon."""
        return self.profile().plot(ax)

    @property
    def claims(self) -> tuple[str, ...]:
        """Keys of the claims by which the enclosed number is, or bounds, the divergence of any neighbours."""
        found = [COMPOSED] if sum(self.times) > 1 else []
        return tuple(dict.fromkeys([*found, *(key for kind in self._kinds for key in kind.claims)]))

    @property
    def attained(self) -> bool:
        """True if some neighbours have the two distributions whose delta is enclosed."""
        return not any(kind.bound for kind in self._kinds)

    @cached_property
    def _kinds(self) -> tuple[Kind, ...]:
        return tuple(kind_of(each, self.sensitivity) for each in self.distributions)

    @cached_property
    def _parts(self) -> tuple[Fraction, tuple[tuple[Ways, int], ...]]:
        """Return mu^2 of all normal noise, and the other losses: when the record is removed, and when it is added."""
        found: dict[Ways, int] = {}
        mu_squared = Fraction(0)
        for kind, count in zip(self._kinds, self.times, strict=True):
            mu_squared += count * kind.mu_squared
            for ways in kind.losses:
                found[ways] = found.get(ways, 0) + count
        return mu_squared, tuple(sorted(found.items(), key=repr))

    def _laplaces(self) -> Laplaces:
        """The losses of Laplace noise as (sensitivity / scale, times), if there is nothing else."""
        mu_squared, factors = self._parts
        found = [(loss.loss, k) for (loss, _), k in factors if isinstance(loss, LaplaceLoss)]
        return tuple(sorted(found)) if len(found) == len(factors) and not mu_squared else ()

    def _rule(self) -> Any:
        """The lattice for losses on a lattice alone, the line for others."""
        mu_squared, factors = self._parts
        lattice = all(isinstance(loss, AtomicLoss) and loss.on_lattice for (loss, _), _ in factors)
        return LatticeLine if lattice and not mu_squared else Line

    def _one_release(self) -> list[Closed]:
        """The losses of one release that has a closed form, if there is nothing else."""
        mu_squared, factors = self._parts
        if mu_squared or [times for _, times in factors] != [1]:
            return []
        ways = factors[0][0]
        if isinstance(ways[0], WithoutReplacementNormal):
            # at a factor >= 1 the pair has the divergence of a Poisson sample from which the record is removed
            return [SampledNormal(ways[0].rate, ways[0].mu_squared, REMOVE)]
        if isinstance(ways[0], RangeLoss):
            return [ways[0]]
        return [way for way in ways if isinstance(way, SampledNormal | SampledLaplace)]

    def _directions(self) -> list[Releases]:
        """Return the losses when a record is removed and when it is added; one if they are equal."""
        mu_squared, factors = self._parts
        remove, add = (
            Releases([(pair[way], times) for pair, times in factors], mu_squared) for way in (0, 1)
        )
        return [remove] if remove.factors == add.factors else [remove, add]

    def _pure(self) -> Enclosure | None:
        """The pure privacy loss, if there is one."""
        with ctx.workprec(BITS):
            if not self._parts[1] and not self._parts[0]:
                return Enclosure(0.0, 0.0, method="pure privacy")
            found = [each.most() for each in self._directions()]
            sums = [ball(most) if isinstance(most, Fraction) else most for most in found]
            known = [each for each in sums if each is not None]
            if len(known) < len(found):
                return None
            return _larger(
                [
                    Enclosure(
                        max(0.0, round_down(each)), max(0.0, round_up(each)), method="pure privacy"
                    )
                    for each in known
                ]
            )

    def __repr__(self) -> str:
        return f"Composition({self._listed()}, sensitivity={float(self.sensitivity):g})"

    def describe(self) -> str:
        """Return the releases in words."""
        total = sum(self.times)
        own = all(
            isinstance(each, Textbook | Pair | BoundedRange | TruthOrNot)
            for each in self.distributions
        )
        of = "" if own else f" of a query of sensitivity {float(self.sensitivity):g}"
        return f"{total} release{'s' * (total != 1)}{of}: {self._listed()}. {self._neighbours}{self._said}"

    @property
    def _neighbours(self) -> str:
        """Say in words how neighbours differ."""
        found = list(dict.fromkeys(kind.neighbours for kind in self._kinds if kind.neighbours))
        if not found:
            return ""
        if len(found) == 1:
            return f"Neighbours differ by {found[0]}. "
        return (
            f"Some of the releases are for neighbours that differ by {found[0]}, others for {found[1]}: "
            "the number says something only of neighbours that are both. "
        )

    @property
    def _said(self) -> str:
        """Say in words which number is enclosed."""
        enclosed = (
            "The enclosed number is the divergence of the pair of distributions that dominates them"
        )
        by = f" By {', '.join(self.claims)}." if self.claims else ""
        if self.attained:
            return f"{enclosed}; some neighbours have this pair, so it is attained.{by}"
        bounds = dict.fromkeys(kind.bound for kind in self._kinds if kind.bound)
        return f"{enclosed}. It is only an upper bound: {'; '.join(bounds)}.{by}"

    def _listed(self) -> str:
        return " + ".join(
            f"{n} x {distribution}"
            for distribution, n in zip(self.distributions, self.times, strict=True)
        )


def _two_releases(releases: Releases) -> TwoReleases | None:
    """Two releases of normal noise from a sample, if there is nothing else."""
    if releases.mu_squared or [times for _, times in releases.factors] != [2]:
        return None
    loss = releases.factors[0][0]
    return TwoReleases(loss) if isinstance(loss, SampledNormal) else None


def _few_releases(
    releases: Releases, most: float, points: int, slope: float = -1.0
) -> FewReleases | None:
    """Few releases of normal noise from a sample from which the record is removed, if there is nothing else."""
    if releases.mu_squared or len(releases.factors) != 1 or not most <= _MOST_ON_GRID:
        return None
    ((loss, times),) = releases.factors
    if not isinstance(loss, SampledNormal) or loss.direction != REMOVE or times > _MOST_FEW:
        return None
    return FewReleases(loss, times, most, points, slope)


def _epsilon_of_few(releases: Releases, target: Fraction, found: Enclosure) -> Enclosure:
    """Epsilon of few releases on a grid, within the interval that is known.

    The first grid finds about where the second one must end, and how many points it needs: its width falls with their square.
    """
    points = _FIRST_POINTS
    for _ in range(_ROUNDS):
        middle = found.lower + found.width / 2
        few = _few_releases(releases, found.upper, points, -releases.saddle_for_epsilon(middle))
        if few is None:
            break
        known = few if few.below else few.from_above()
        again = solve(known, ball(target), middle, found.upper)
        low = max(found.lower, again.lower) if few.below else found.lower
        high = min(found.upper, again.upper)
        if low > high:
            raise ArithmeticError(
                f"two certified intervals of epsilon are disjoint: {low} > {high}"
            )
        found = Enclosure(low, high, method=few.method)
        more = found.width / (_GOAL_ON_GRID * max(found.upper, 1e-3))
        if more <= 1 or few.below and points == _MOST_POINTS:
            break
        points = min(math.ceil(_FIRST_POINTS * math.sqrt(more)), _MOST_POINTS)
    return found


def _delta_of_few(releases: Releases, epsilon: Fraction, found: Enclosure) -> Enclosure:
    """Return the sharper one of the interval that is known and the interval of a grid."""
    few = _few_releases(releases, float(epsilon), _MOST_POINTS)
    value = arb.nan() if few is None else few.delta(ball(epsilon))
    if few is None or not value.is_finite():
        return found
    again = delta_enclosure(value, few.method)
    return again if again.width < found.width else found


def _one(loss: Closed, slope: float = -1.0) -> OneRelease | OneClosed:
    return OneRelease(loss, slope) if isinstance(loss, SampledNormal) else OneClosed(loss, slope)


def _closed(loss: Closed, epsilon: Fraction) -> Enclosure:
    """Delta of one release in closed form."""
    for bits in (BITS, 4 * BITS, 16 * BITS, 64 * BITS):
        with ctx.workprec(bits):
            value = _one(loss).delta(ball(epsilon))
            if value.is_finite():
                found = delta_enclosure(value, OneRelease.method)
                if found.upper <= math.nextafter(found.lower, math.inf):
                    return found
    return found if value.is_finite() else Enclosure(0.0, 1.0, -math.inf, 0.0, "delta")


def _closed_epsilon(loss: Closed, target: Fraction) -> Enclosure:
    """Epsilon of one release in closed form."""
    for bits in (BITS, 4 * BITS, 16 * BITS):
        with ctx.workprec(bits):
            # delta <= q Pr(N(mu, 1) > x) when removed; the loss added is at most -log(1 - q)
            most = ball(loss.loss) if isinstance(loss, RangeLoss) else loss.most
            if most is None:
                assert isinstance(loss, SampledNormal)  # other losses are bounded
                rest, log_rest = float(target / loss.rate), _log(target) - _log(loss.rate)
                mu, q = ball(loss.mu_squared).sqrt(), ball(loss.rate)
                tail = (arb(-2) * min(log_rest, 0.0)).sqrt() if rest < 0.5 else arb(0)
                most = (1 - q + q * (mu * (mu + tail) - mu * mu / 2).exp()).log()
            high = max(round_up(most), 0.0)
            found = solve(_one(loss), ball(target), high / 2, high)
        if found.upper <= math.nextafter(found.lower, math.inf):
            break
    return found


def _larger(found: list[Enclosure]) -> Enclosure:
    """An interval of the larger of some numbers, from an interval of each."""
    first = found[0]
    log_lower = log_upper = None
    if first.log_lower is not None:
        log_lower = max(each.log_lower or 0.0 for each in found)
        log_upper = max(each.log_upper or 0.0 for each in found)
    return Enclosure(
        max(each.lower for each in found),
        max(each.upper for each in found),
        log_lower,
        log_upper,
        first.quantity,
        method=first.method,
    )


def _log(value: Fraction) -> float:
    """Return the logarithm, also of numbers below the doubles."""
    return math.log(value.numerator) - math.log(value.denominator)


def _loss(laplaces: Laplaces) -> Fraction:
    """The most that the Laplaces can lose: delta is 0 from there on."""
    return sum((loss * count for loss, count in laplaces), Fraction(0))


def _few(laplaces: Laplaces, target: Fraction) -> Enclosure:
    """Epsilon of few Laplaces."""
    releases = Releases([(LaplaceLoss(loss), k) for loss, k in laplaces], Fraction(0))
    saddle, start = releases.start_for_delta(_log(target))
    for bits in (BITS, 4 * BITS, 16 * BITS):
        with ctx.workprec(bits):
            most = max(round_up(ball(_loss(laplaces))), 0.0)
            start = min(max(start, 0.0), most)
            found = solve(Residues(laplaces, slope=-saddle), ball(target), start, most)
        if found.upper <= math.nextafter(found.lower, math.inf):
            break
    return found
