"""Compute the exact loss of draws from the posterior for two datasets, beside the bounds of the theorems."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from dpbook.posterior_sampling.models.base import Floats, Model, check_model
from dpbook.posterior_sampling.models.priors import Prior, Restricted
from dpbook.posterior_sampling.theory.bounds import (
    delta_bound,
    relaxed_robustness_bound,
    relaxed_variation_bound,
    robustness_bound,
)
from dpbook.posterior_sampling.theory.divergences import (
    Divergences,
    divergences,
    largest_log_density,
)
from dpbook.posterior_sampling.theory.lipschitz import LipschitzProfile, lipschitz_profile
from dpbook.privacy.reading import count, number
from dpbook.privacy.value import Value
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PosteriorPair", "posterior_pair", "worst_neighbour", "worst_pair"]

PATIENCE = 2.0  # seconds without a progress bar


@dataclass(frozen=True)
class PosteriorPair:
    """The posteriors of two datasets, and what draws from them tell; by `posterior_pair`.

    Attributes
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
    x, y : array of float
        The datasets.
    P, Q : distributions
        Their posteriors.
    distance : float
    draws : int
        How many are drawn from the one posterior or the other.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models, posterior_pair
    >>> from dpbook.privacy.distributions import Beta
    >>> pair = posterior_pair(models.Bernoulli(), Beta(1, 1), [1, 1, 0], [1, 0, 0])
    >>> pair.P, pair.Q
    (Beta(3, 2), Beta(2, 3))
    """

    model: Model
    prior: Any
    x: Floats = field(repr=False, compare=False)
    y: Floats = field(repr=False, compare=False)
    P: Any
    Q: Any
    distance: float
    draws: int

    @cached_property
    def over(self) -> Divergences:
        """Divergences of the draws given x over those given y."""
        return divergences(self.P, self.Q, self.draws)

    @cached_property
    def back(self) -> Divergences:
        """Divergences of the draws given y over those given x."""
        return divergences(self.Q, self.P, self.draws)

    @property
    def kl(self) -> float:
        """KL divergence of the posteriors given x and given y, as in theorem 1; in nats."""
        return self.over.kl

    @property
    def kl_reverse(self) -> float:
        """KL divergence of the posteriors given y and given x."""
        return self.back.kl

    @property
    def total_variation(self) -> float:
        """Total variation: the largest difference of the probabilities of an event."""
        return self.over.total_variation

    @property
    def epsilon(self) -> float:
        """Smallest epsilon at delta = 0, in both directions; infinite where the ratio is unbounded."""
        return max(self.over.max_log_ratio, self.back.max_log_ratio)

    def delta(self, epsilon: ArrayLike) -> Any:
        """Smallest delta at an epsilon, in both directions.

        Parameters
        ----------
        epsilon : float or array, in nats, >= 0

        Returns
        -------
        float or array

        Raises
        ------
        ValueError
            An epsilon < 0 or not finite.
        """
        values = np.asarray(epsilon, dtype=float)
        if not (np.isfinite(values) & (values >= 0)).all():
            raise ValueError(f"epsilon must be finite and >= 0, got {epsilon!r:.60}")
        found = np.maximum(self.over.delta(values), self.back.delta(values))
        return found if values.ndim else float(found)

    def epsilon_at(self, delta: float) -> float:
        """Smallest epsilon at a delta, in both directions.

        Parameters
        ----------
        delta : float
            In [0, 1).

        Raises
        ------
        ValueError
            A delta outside [0, 1).
        """
        delta = number("delta", delta, "in [0, 1)")
        if delta == 0:
            return self.epsilon
        return float(max(self.over.epsilon(delta), self.back.epsilon(delta)))

    def renyi(self, order: ArrayLike) -> Any:
        """Larger one of both Renyi divergences.

        Parameters
        ----------
        order : float or array, > 0

        Raises
        ------
        ValueError
            An order <= 0.
        """
        values = np.asarray(order, dtype=float)
        if not (values > 0).all():
            raise ValueError(f"order must be > 0, got {order!r:.60}")
        found = np.maximum(self.over.renyi(values), self.back.renyi(values))
        return found if values.ndim else float(found)

    # --- beside the theorems --------------------------------------------------------------------

    @cached_property
    def profile(self) -> LipschitzProfile:
        """Lipschitz profile of the model under the prior."""
        return lipschitz_profile(self.model, self.prior)

    @cached_property
    def exponent(self) -> float:
        """L times the distance, of assumption 1; infinite where it fails."""
        return self.profile.largest * self.distance if self.distance else 0.0

    @cached_property
    def mean_lipschitz(self) -> tuple[float, float]:
        """Means of the Lipschitz constant under both posteriors."""
        first, second = (
            lipschitz_profile(self.model, distribution).mean for distribution in (self.P, self.Q)
        )
        return first, second

    @cached_property
    def log_densities(self) -> tuple[float, float]:
        """Logarithms of the largest densities of both posteriors with respect to the prior."""
        return largest_log_density(self.P, self.prior), largest_log_density(self.Q, self.prior)

    def bounds(self) -> tuple[Value, ...]:
        """Return the bounds of the theorems on one draw, as printed and repaired, where their conditions hold.

        Notes
        -----
        Under assumption 1 posterior_sampling:theorem-1.i, posterior_sampling:theorem-2.i and their
        sharp forms; under assumption 2 the refuted posterior_sampling:theorem-1.ii and
        posterior_sampling:theorem-2.ii and their repairs, with the best rate of the prior. Whatever the prior is, the KL divergence is at most the distance times the sum
        of the mean Lipschitz constants under both posteriors: posterior_sampling:note-divergence-sum.
        """
        found: list[Value] = []
        a = self.exponent
        if math.isfinite(a):
            found += [robustness_bound(a, "printed"), robustness_bound(a)]
            found += [
                Value(
                    2 * a,
                    "posterior_sampling:theorem-2.i",
                    of="largest log ratio",
                    relation="<=",
                ),
                Value(
                    delta_bound(a, 0.0),
                    "posterior_sampling:note-total-variation",
                    of="total variation",
                    relation="<=",
                ),
            ]
        if not self._measured:
            return tuple(found)
        mean = self.distance * sum(self.mean_lipschitz)
        claim = "posterior_sampling:note-divergence-sum"
        found.append(Value(mean, claim, of="KL divergence", relation="<="))
        rate = self.profile.rate()
        if 0 < rate < math.inf:
            found += [
                relaxed_robustness_bound(rate, self.distance, "printed"),
                relaxed_variation_bound(rate, self.distance, "printed"),
            ]
        rate, offset = self.profile.best
        if 0 < rate < math.inf and all(map(math.isfinite, self.log_densities)):
            more = {"offset": offset, "log_densities": self.log_densities}
            found += [
                relaxed_robustness_bound(rate, self.distance, **more),  # type: ignore[arg-type]
                relaxed_variation_bound(rate, self.distance, **more),  # type: ignore[arg-type]
            ]
        return tuple(found)

    @property
    def _measured(self) -> bool:
        """Say whether posteriors and prior are known well enough for the bounds of assumption 2."""
        several = isinstance(self.P, Restricted) and self.P.interval is None
        return self.profile.measured and not several

    def _value(self, of: str) -> float:
        return {
            "KL divergence": max(self.kl, self.kl_reverse),
            "total variation": self.total_variation,
            "largest log ratio": self.epsilon,
        }[of]

    def _rows(self) -> tuple[tuple[str, float], ...]:
        return (
            ("KL divergence", self.kl),
            ("KL divergence, reversed", self.kl_reverse),
            ("total variation", self.total_variation),
            ("largest log ratio", self.epsilon),
        )

    def __repr__(self) -> str:
        names = ("kl", "kl_reverse", "total_variation", "epsilon")
        found = ", ".join(
            f"{name}={value:.6g}" for name, (_, value) in zip(names, self._rows(), strict=True)
        )
        many = f", {self.draws} draws" if self.draws > 1 else ""
        return f"PosteriorPair({self.P} over {self.Q}{many}: {found})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{name}</th><td>{value:.6g}</td><td></td></tr>" for name, value in self._rows()
        )
        if self.draws == 1:
            rows += "".join(
                f"<tr><th>{one.of} &le; <code>{html.escape(one.claim)}</code></th>"
                f"<td>{one.value:.6g}</td><td>"
                f"{'exceeded' if self._value(one.of) > one.value * (1 + 1e-9) else 'it holds'}</td></tr>"
                for one in self.bounds()
            )
        title = html.escape(f"{self.P} over {self.Q}, {self.draws} draws".replace(", 1 draws", ""))
        return f"<table><caption>{title}</caption>{rows}</table>"

    def describe(self) -> str:
        """Return the words for the picture."""
        found = ", ".join(f"{name} {value:.4g}" for name, value in self._rows())
        ends = ", ".join(
            f"{self.delta(e):.4g} at {e:.3g}" for e in (0.0, self._last / 4, self._last / 2)
        )
        many = f"{self.draws} posterior draws" if self.draws > 1 else "One posterior draw"
        words = f"{many} at distance {self.distance:g}: {found}. Delta at epsilon: {ends}."
        if self.draws == 1 and math.isfinite(self.exponent):
            worst = delta_bound(self.exponent, self._last / 2)
            words += (
                f" Under assumption 1 with exponent {self.exponent:.4g} no model has more than "
                f"{delta_bound(self.exponent, 0.0):.4g} at 0 and {worst:.4g} at {self._last / 2:.3g}."
            )
        return words

    @property
    def _last(self) -> float:
        """Last number of the picture."""
        last = self.epsilon_at(1e-4)
        if not math.isfinite(last):
            last = 10.0
        if self.draws == 1 and math.isfinite(self.exponent):
            last = max(last, 2 * self.exponent)
        return float(f"{max(last, 0.1):.2g}")

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw delta against epsilon, with the bound of assumption 1 where it holds."""
        ax = ax or figures.axes()
        at = np.linspace(0.0, self._last, 81)
        ax.plot(at, self.over.delta(at), label="x over y")
        ax.plot(at, self.back.delta(at), label="y over x")
        if self.draws == 1 and math.isfinite(self.exponent):
            worst = [delta_bound(self.exponent, float(e)) for e in at]
            ax.plot(at, worst, label="worst under assumption 1")
        ax.set_ylim(bottom=0)
        ax.set_xlabel("epsilon")
        ax.set_ylabel("delta")
        ax.legend()
        return ax


def posterior_pair(
    model: Model, prior: Prior, x: ArrayLike, y: ArrayLike, *, draws: int = 1
) -> PosteriorPair:
    """Return what draws from the posterior tell of two datasets.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
    x, y : array
        Datasets of one size.
    draws : int
        From the one posterior or the other, >= 1.

    Returns
    -------
    PosteriorPair
        Exact for one draw; for several it is the exact distribution of all of them together.

    Raises
    ------
    ValueError
        A prior that the model cannot update, datasets outside the support or of different sizes,
        an improper posterior.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models
    >>> from dpbook.privacy.distributions import Beta
    >>> posterior_pair(models.Bernoulli(), Beta(1, 1), [1, 1, 0], [1, 0, 0])
    PosteriorPair(Beta(3, 2) over Beta(2, 3): kl=0.5, kl_reverse=0.5, total_variation=0.375, epsilon=inf)
    """
    check_model(model)
    first, second = model.pair(x, y)
    return PosteriorPair(
        model,
        prior,
        first,
        second,
        model.posterior(prior, first),
        model.posterior(prior, second),
        model.distance(first, second),
        count("draws", draws),
    )


def _variation(pair: PosteriorPair) -> float:
    return pair.total_variation


def _worst(pairs: Iterable[PosteriorPair], key: Callable[[PosteriorPair], float]) -> PosteriorPair:
    found = max(pairs, key=key, default=None)  # one after the other: they are not kept
    if found is None:
        raise ValueError("radius must reach a neighbour: no dataset lies so near; raise it")
    return found


def worst_neighbour(
    model: Model,
    prior: Prior,
    x: ArrayLike,
    *,
    radius: float = 1.0,
    key: Callable[[PosteriorPair], float] = _variation,
) -> PosteriorPair:
    """Return the neighbour of a dataset whose posterior is farthest from its own.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
    x : array
    radius : float
        Neighbours have one record replaced, and distance at most this; > 0.
    key : callable
        From a pair to the number that is largest for the worst one, as for `max`; by default the
        total variation.

    Returns
    -------
    PosteriorPair

    Raises
    ------
    ValueError
        As for `posterior_pair`; a radius that reaches no neighbour; a model that does not list its
        neighbours.

    Notes
    -----
    Where the posterior depends on one statistic, every f-divergence grows with its shift, so the
    largest shifts up and down are compared; for categories, tables and networks all neighbours are.
    It depends on x: a loss at this dataset, no guarantee for all.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models
    >>> from dpbook.privacy.distributions import Beta
    >>> worst_neighbour(models.Bernoulli(), Beta(1, 1), [1, 1, 0])
    PosteriorPair(Beta(3, 2) over Beta(4, 1): kl=0.598612,...
    """
    radius = number("radius", radius, "> 0")
    check_model(model)
    records = model.read(x)
    moved = model.neighbours(records, radius)
    return _worst((posterior_pair(model, prior, records, one) for one in moved), key)


def worst_pair(
    model: Model,
    prior: Prior,
    n: int,
    *,
    radius: float = 1.0,
    key: Callable[[PosteriorPair], float] = _variation,
) -> PosteriorPair:
    """Return the worst pair of neighbours among all datasets of n records.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
    n : int
        >= 1.
    radius, key
        As for `worst_neighbour`.

    Returns
    -------
    PosteriorPair
        Its delta at an epsilon, with a `key` that asks for it, is a guarantee for all datasets.

    Raises
    ------
    ValueError
        As for `worst_neighbour`; a model of which the worst pair is not known; an n of too many pairs:
        more than 10 000 tosses of a coin, or 100 000 pairs of records in categories.

    Notes
    -----
    Successes and categories: over all counts, with a progress bar on a terminal. Of n tosses there
    are n pairs, and the posteriors of each follow from the total alone; the default `key` takes longer
    for larger parameters. Exponential and Laplace records, and normal ones of known variance: the
    pair depends on one number, taken at its extreme.

    Examples
    --------
    >>> from dpbook.posterior_sampling import models
    >>> from dpbook.privacy.distributions import Beta
    >>> worst_pair(models.Bernoulli(), Beta(1, 1), 4)
    PosteriorPair(Beta(1, 5) over Beta(2, 4): kl=0.697039,...
    """
    check_model(model)
    radius = number("radius", radius, "> 0")
    pairs = model.worst_pairs(count("n", n), radius)
    candidates = tqdm(
        model.worst_posteriors(prior, pairs),
        total=len(pairs),
        unit="pair",
        leave=False,
        delay=PATIENCE,
        disable=None,
    )
    return _worst(
        (PosteriorPair(model, prior, **one._asdict(), draws=1) for one in candidates), key
    )
