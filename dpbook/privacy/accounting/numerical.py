"""Composition of any finite pair by dp-accounting's privacy loss distributions; not certified."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from dpbook.engine.card import Described
from dpbook.privacy.accounting.enclosure import Enclosure, exact, nonnegative, positive, probability
from dpbook.privacy.distributions import Finite

_METHOD = "dp-accounting, pessimistic and optimistic"


@dataclass(frozen=True)
class NumericalComposition(Described):
    """A pair of finite distributions, composed by dp-accounting: estimates from above and below.

    Its intervals are not certified: dp-accounting rounds in doubles and does not bound that error.

    Attributes
    ----------
    times : int
    grid : float
        Step of the grid that losses are rounded to.
    """

    times: int
    grid: float
    pessimistic: Any = field(repr=False)
    optimistic: Any = field(repr=False)

    def delta(self, epsilon: Any) -> Enclosure:
        """Estimate delta at an epsilon >= 0, for the worse order of the pair."""
        at = float(nonnegative("epsilon", epsilon))
        return _interval([float(p.get_delta_for_epsilon(at)) for p in self._both], "delta")

    def epsilon(self, delta: Any) -> Enclosure:
        """Estimate epsilon at a delta in (0, 1), for the worse order; infinite when there is none."""
        at = float(probability(delta))
        return _interval([float(p.get_epsilon_for_delta(at)) for p in self._both], "epsilon")

    @property
    def _both(self) -> tuple[Any, Any]:
        return self.optimistic, self.pessimistic

    def describe(self) -> str:
        """Return what was composed in words."""
        return (
            f"{self.times} release{'s' * (self.times != 1)}, composed by dp-accounting on a grid of "
            f"{self.grid:g}; not certified."
        )


def compose_numerically(
    first: Any, second: Any, times: int = 1, *, grid: float = 1e-4
) -> NumericalComposition:
    """Compose a pair of finite distributions with itself, by dp-accounting.

    Parameters
    ----------
    first, second : Finite, or sequence of float
        Probabilities of the outcomes 0, 1, ... on two neighbours, of the same length.
    times : int
        How often, >= 1.
    grid : float
        Step of the grid that losses are rounded to, > 0: finer is closer and slower.

    Returns
    -------
    NumericalComposition
        With ``epsilon(delta)`` and ``delta(epsilon)``, both of them not certified.

    Raises
    ------
    ValueError
        Probabilities that are none, of unequal length; `times` < 1; dp-accounting is not installed.
    """
    masses = [_masses("first", first), _masses("second", second)]
    if len(masses[0]) != len(masses[1]):
        raise ValueError(
            f"second must have as many outcomes as first, {len(masses[0])}, got {len(masses[1])}"
        )
    count = None if isinstance(times, bool | float) else exact("times", times)
    if count is None or count.denominator != 1 or count < 1:
        raise ValueError(f"times must be an integer >= 1, got {times!r}")
    step = float(positive("grid", grid))
    try:
        pld = importlib.import_module("dp_accounting.pld.privacy_loss_distribution")
    except ImportError as error:
        raise ValueError(
            "numerical composition needs the extra accounting: "
            f"pip install 'dpbook[accounting]' ({error})"
        ) from error
    logs = [{i: math.log(p) for i, p in enumerate(each) if p > 0} for each in masses]
    pessimistic, optimistic = (
        pld.from_two_probability_mass_functions(
            logs[1],
            logs[0],
            pessimistic_estimate=side,
            value_discretization_interval=step,
            symmetric=False,
        ).self_compose(int(count))
        for side in (True, False)
    )
    return NumericalComposition(int(count), step, pessimistic, optimistic)


def _masses(name: str, distribution: Any) -> list[float]:
    if isinstance(distribution, Finite):
        return [float(p) for p in distribution.probabilities]
    if not isinstance(distribution, Iterable) or isinstance(distribution, str):
        raise ValueError(
            f"{name} must be a Finite distribution or a list of probabilities, got {distribution!r}"
        )
    return [float(p) for p in Finite(list(distribution)).probabilities]  # checks them


def _interval(ends: list[float], quantity: str) -> Enclosure:
    # the two estimates may cross by rounding
    return Enclosure(min(ends), max(ends), quantity=quantity, certified=False, method=_METHOD)
