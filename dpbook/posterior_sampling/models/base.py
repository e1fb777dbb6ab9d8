"""Define models: records, a likelihood, a distance of datasets, and how smooth the likelihood is in the distance."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling.models.priors import (
    FiniteDistribution,
    Prior,
    Restricted,
    mass,
    tails,
)
from dpbook.privacy import reading
from dpbook.privacy.reading import number

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Interval = tuple[float, float]

EMPTY: Interval = (1.0, 0.0)
"""Result of `Model.within` where no parameter is smooth enough."""

LARGEST = 1e140  # record: so that no posterior overflows, a rule for each by itself


class Neighbours(NamedTuple):
    """Two datasets with their posteriors and their distance."""

    x: Floats
    y: Floats
    P: Any
    Q: Any
    distance: float


class Model(ABC):
    """A family of likelihoods with a distance of datasets; subclass it for a model of your own.

    Four methods are needed: `inside`, `log_likelihood`, `lipschitz`, and `distance` where it is not
    the sum of absolute differences. With `update` the model has conjugate priors; without it a
    `FiniteDistribution` serves. With `within` they have a Lipschitz profile and can be restricted.

    Attributes
    ----------
    support : str
        What a record may be, in words; errors quote it.
    priors : tuple of type
        What a prior may be, besides a `FiniteDistribution`; `update` takes these.

    Notes
    -----
    A parameter is one number, arrays of them have shape (m,); or d numbers, shape (m, d). The
    likelihood is a density with respect to any measure on the datasets: the posterior does not
    depend on it, the Lipschitz constant does, and the smallest is best. `lipschitz` is the supremum
    over pairs of datasets of abs(log p(x) - log p(y)) / distance(x, y), eq. 2.5 of the paper
    (posterior_sampling:assumption-2); `dpbook.posterior_sampling.brute_force_lipschitz` checks it.

    Examples
    --------
    Pareto records have the density theta * x**-theta with respect to dx / x on x >= 1. In the
    distance of logarithms its Lipschitz constant is theta, and gamma priors are conjugate:

    >>> import numpy as np
    >>> from dpbook.posterior_sampling import Model, PosteriorSampler, lipschitz_profile
    >>> from dpbook.privacy.distributions import Exponential, Gamma
    >>> class Pareto(Model):
    ...     support = "numbers >= 1"
    ...     priors = (Gamma, Exponential)
    ...
    ...     def inside(self, records):
    ...         return records >= 1
    ...
    ...     def log_likelihood(self, theta, records):
    ...         return records.size * np.log(theta) - theta * np.log(records).sum()
    ...
    ...     def distance(self, first, second):
    ...         return float(np.abs(np.log(first / second)).sum())
    ...
    ...     def lipschitz(self, theta):
    ...         return np.asarray(theta)
    ...
    ...     def within(self, level):
    ...         return 0.0, level
    ...
    ...     def update(self, prior, records):
    ...         shape = getattr(prior, "shape", 1)
    ...         return Gamma(shape + records.size, prior.rate + float(np.log(records).sum()))
    >>> profile = lipschitz_profile(Pareto(), Exponential(2))
    >>> round(profile.rate(), 6)
    2.0
    >>> prior = Pareto().restrict(Exponential(2), level=0.5)
    >>> PosteriorSampler(Pareto(), prior).guarantee(draws=3).epsilon
    3.0
    """

    support: ClassVar[str]
    priors: ClassVar[tuple[type, ...]] = ()

    def __repr__(self) -> str:
        named = ", ".join(f"{name}={value}" for name, value in vars(self).items() if name[0] != "_")
        return f"{type(self).__name__}({named})"

    @abstractmethod
    def inside(self, records: Floats) -> Flags:
        """Say of each record whether the model can produce it."""

    @abstractmethod
    def log_likelihood(self, theta: Floats, records: Floats) -> Floats:
        """Log-likelihood of a dataset at each parameter, shape (m,)."""

    @abstractmethod
    def lipschitz(self, theta: Floats) -> Floats:
        """Smallest Lipschitz constant at each parameter, shape (m,); may be infinite."""

    def distance(self, first: Floats, second: Floats) -> float:
        """Distance of two datasets of one size."""
        return float(np.abs(first - second).sum())

    def update(self, prior: Any, records: Floats) -> Any:
        """Posterior under a prior of one of the types in `priors`."""
        raise ValueError(
            f"{self} has no conjugate prior; give a FiniteDistribution, for one number FiniteDistribution.on_grid"
        )

    def within(self, level: float) -> Interval:
        """The interval of parameters whose Lipschitz constant is at most a level; or `EMPTY`."""
        raise ValueError(f"{self} does not say where its Lipschitz constant is small (`within`)")

    def ranges(self, level: float) -> list[float] | None:
        """Log ratios that the chances of each Dirichlet distribution may have for a constant up to a level.

        None where that is not all that the level asks for.
        """
        return None

    def survival(self, prior: Any, level: Floats) -> Floats:
        """Probability under a prior that the Lipschitz constant exceeds each level, shape (k,)."""
        found = np.ones(level.shape)
        for place, one in enumerate(level):
            low, high = self.within(float(one))
            if low <= high:
                found[place] = np.minimum(np.add(*tails(prior, low, high)), 1.0)
        return found

    def extremes(self, prior: Any) -> Interval:
        """Essential infimum and supremum of the Lipschitz constant under a prior."""
        return 0.0, np.inf

    def limits(self, prior: Any) -> tuple[float | None, float | None]:
        """Limits of -log(survival) / (level - infimum) at the infimum and at infinity, where known."""
        return None, None

    def density_bound(self, prior: Any, n: int) -> float:
        """Largest density of a posterior of n records with respect to the prior."""
        return np.inf

    def neighbours(self, records: Floats, radius: float) -> list[Floats]:
        """Datasets with one record replaced, at distance <= radius, that may be the worst ones."""
        raise ValueError(
            f"the worst neighbour under {self} is not available; compare datasets of your choice"
        )

    def worst_pairs(self, n: int, radius: float) -> list[tuple[Floats, Floats]]:
        """Pairs of neighbours of n records that may be the worst ones of all."""
        raise ValueError(
            f"the worst pair of all datasets under {self} is not available; "
            "see worst_neighbour for one dataset"
        )

    def worst_posteriors(
        self, prior: Any, pairs: Sequence[tuple[Floats, Floats]]
    ) -> Iterator[Neighbours]:
        """Give the pairs of `worst_pairs` their posteriors."""
        for x, y in pairs:
            both = self.posterior(prior, x), self.posterior(prior, y)
            yield Neighbours(x, y, *both, self.distance(x, y))

    # --- what every model does alike ------------------------------------------------------------

    def read(self, x: ArrayLike) -> Floats:
        """Return a dataset as an array.

        Raises
        ------
        ValueError
            No records, a shape that is not (n,), a record outside the support, or one so large that
            sums of squares might leave the doubles.
        """
        records = reading.records(f"records of {self}", x)
        if records.ndim != 1 or not records.size:
            raise ValueError(f"records of {self} must have shape (n,), n >= 1, got {records.shape}")
        good = np.isfinite(records) & self.inside(records)
        if not good.all():
            # no value and no place: the records are private
            raise ValueError(f"records of {self} must be {self.support}, and not all are")
        if np.abs(records).max() > LARGEST:
            raise ValueError(
                f"records of {self} must be at most {LARGEST:g} in size, and not all are; clip them"
            )
        return records

    def pair(self, x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
        """Return two datasets of one size as arrays.

        Raises
        ------
        ValueError
            Datasets of different sizes, whose distance is not defined, or outside the support.
        """
        first, second = self.read(x), self.read(y)
        if first.shape != second.shape:
            raise ValueError(
                f"x and y must have as many records, got {len(first)} and {len(second)}; "
                "the distance of datasets of different sizes is not defined"
            )
        return first, second

    def accept(self, prior: Any) -> None:
        """Refuse a prior that the model cannot update.

        Raises
        ------
        ValueError
            The message names the priors that it can.
        """
        inner = prior.distribution if isinstance(prior, Restricted) else prior
        if isinstance(inner, (FiniteDistribution, *self.priors)):
            if getattr(inner, "free_symbols", None):
                raise ValueError(f"the prior must have numbers for parameters, got {inner}")
            return
        known = ", ".join([one.__name__ for one in self.priors] + ["FiniteDistribution"])
        raise ValueError(f"the prior of {self} must be one of {known}, got {prior}")

    def drawable(self, prior: Prior) -> None:
        """Refuse a restricted prior of which not every posterior can be drawn, before there are records.

        A refusal that depends on them would tell datasets apart that the guarantee says are alike.

        Raises
        ------
        DomainError
            The message says what can be drawn.
        """
        if not isinstance(prior, Restricted):
            return
        conjugate = type(self).update is not Model.update
        if not conjugate or (prior.interval is None and prior.ranges is None):
            raise DomainError(
                "posterior_sampling:theorem-2.i needs a draw from the posterior of every dataset, "
                f"and for {self} under {prior} there is no method that never refuses; take a "
                "finite prior and restrict that: FiniteDistribution(draws(prior, size, rng))"
            )

    def posterior(self, prior: Prior, x: ArrayLike) -> Any:
        """Return the posterior given a dataset.

        Parameters
        ----------
        prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        x : array
            The records.

        Raises
        ------
        ValueError
            A prior that the model cannot update, records outside the support, a posterior that is
            improper or has evidence zero.

        Notes
        -----
        posterior_sampling:eq-2.2.
        """
        self.accept(prior)
        records = self.read(x)
        if isinstance(prior, Restricted):
            return Restricted(self.update(prior.distribution, records), prior.model, prior.level)
        if isinstance(prior, FiniteDistribution):
            with np.errstate(divide="ignore", invalid="ignore"):
                weights = prior.log_masses + self.log_likelihood(prior.points, records)
            weights = np.where(prior.masses > 0, weights, -np.inf)
            return FiniteDistribution.of_logs(prior.points, weights, "prior mass times likelihood")
        return self.update(prior, records)

    def restrict(self, prior: Any, level: float) -> Any:
        """Condition a prior on the parameters whose Lipschitz constant is at most a level.

        Parameters
        ----------
        prior : Distribution, FiniteDistribution, NormalGamma or Independent
        level : float
            > 0. Half of the epsilon that a draw may cost at distance 1.

        Returns
        -------
        Restricted or FiniteDistribution
            A prior that satisfies assumption 1 with this level.

        Raises
        ------
        ValueError
            A prior that the model cannot update, or without mass there.

        Notes
        -----
        posterior_sampling:assumption-1, posterior_sampling:theorem-2.i.
        """
        level = number("level", level, "> 0")
        self.accept(prior)
        if isinstance(prior, FiniteDistribution):
            kept = self.lipschitz(prior.points) <= level
            if not prior.masses[kept].sum() > 0:
                raise _nothing_left(self, prior, level)
            return FiniteDistribution.of_logs(
                prior.points[kept], prior.log_masses[kept], "the prior mass"
            )
        if isinstance(prior, Restricted):
            return self.restrict(prior.distribution, min(level, prior.level))
        if not level > self.extremes(prior)[0]:
            raise _nothing_left(self, prior, level)
        found = Restricted(prior, self, level)
        if found.interval is not None and not mass(prior, *found.interval) > 0:
            raise ValueError(
                f"{found} must have mass > 0, got 0 in doubles: the prior lies too far from the "
                "restriction; raise the level"
            )
        return found


def check_model(model: Any) -> None:
    """Refuse an object that is no model.

    Raises
    ------
    ValueError
        The message says what one is.
    """
    if not isinstance(model, Model):
        hint = "; make one of the class: add ()" if isinstance(model, type) else ""
        raise ValueError(
            f"model must be a Model of dpbook.posterior_sampling.models, got {model!r:.60}{hint}"
        )


def check_datasets(model: Model, datasets: Any) -> list[Floats]:
    """Return two or more datasets as arrays.

    Raises
    ------
    ValueError
        No sequence of datasets, fewer than two, records outside the support.
    """
    check_model(model)
    if not isinstance(datasets, Iterable):
        raise ValueError(f"datasets must be a sequence of two or more, got {datasets!r:.60}")
    read = [model.read(one) for one in datasets]
    if len(read) < 2:
        raise ValueError(f"datasets must be two or more, got {len(read)}")
    return read


def _nothing_left(model: Model, prior: Any, level: float) -> DomainError:
    return DomainError(
        f"posterior_sampling:assumption-1 needs prior mass where L(theta) <= level, got none for "
        f"{model}, {prior}, level = {level:g}; raise the level"
    )
