"""Algorithm 1: queries answered with fresh draws from the posterior, as many as a budget allows.

For teaching and audits; not for real releases: floating-point draws leak what exact ones hide, and
draws by a Markov chain have none of these guarantees. Use OpenDP for those.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from dpbook.engine.language.domain import DomainError
from dpbook.posterior_sampling.models import priors
from dpbook.posterior_sampling.models.priors import FiniteDistribution, Restricted
from dpbook.posterior_sampling.setting import Setting
from dpbook.posterior_sampling.theory.bounds import (
    epsilon_bound,
    epsilon_claim,
    relaxed_variation_bound,
    zcdp_bound,
)
from dpbook.privacy.conversions import Budget
from dpbook.privacy.reading import count, generator, number
from dpbook.privacy.value import Version, check_version

__all__ = ["BudgetSpent", "DrawBudget", "FittedSampler", "PosteriorSampler"]

MOST = 1 << 50


class BudgetSpent(ValueError):
    """More draws are asked for than a budget has left.

    Examples
    --------
    >>> from dpbook.posterior_sampling import DrawBudget
    >>> try:
    ...     DrawBudget(3).spend(4)
    ... except BudgetSpent as spent:
    ...     print(str(spent).partition(",")[0])
    draws must be <= 3
    """


class DrawBudget:
    """Budget of draws over all queries that use it; it counts the draws.

    Parameters
    ----------
    total : int
        >= 1.

    Raises
    ------
    ValueError
        A total that is no integer >= 1.

    Examples
    --------
    >>> budget = DrawBudget(3)
    >>> budget.spend(2)
    >>> budget
    DrawBudget(2 of 3 spent)
    """

    def __init__(self, total: int) -> None:
        self.total = count("total", total)
        self.spent = 0

    @property
    def left(self) -> int:
        """Draws that are left."""
        return self.total - self.spent

    def spend(self, draws: int) -> None:
        """Count draws before they are made.

        Raises
        ------
        BudgetSpent
            When fewer are left; none is counted then.
        """
        if draws > self.left:
            raise BudgetSpent(
                f"draws must be <= {self.left}, the rest of a budget of {self.total}, got "
                f"{draws}; a release cannot be taken back, so no further query is answered"
            )
        self.spent += draws

    def __repr__(self) -> str:
        return f"DrawBudget({self.spent} of {self.total} spent)"


@dataclass(frozen=True)
class FittedSampler:
    """The posterior of a dataset, to be queried; made by `PosteriorSampler.fit`.

    Attributes
    ----------
    posterior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        Never to be shown itself.

    Examples
    --------
    >>> from dpbook.posterior_sampling import PosteriorSampler, models
    >>> from dpbook.privacy.distributions import Beta
    >>> coin = models.Bernoulli()
    >>> fitted = PosteriorSampler(coin, coin.restrict(Beta(1, 1), level=0.25)).fit([1, 0, 1, 1])
    >>> fitted
    FittedSampler()
    """

    posterior: Any = field(repr=False)

    def release(
        self,
        query: Callable[[Any], Any],
        *,
        budget: DrawBudget,
        rng: np.random.Generator | None = None,
        draws: int | None = None,
    ) -> Any:
        """Answer a query with a fresh draw.

        Parameters
        ----------
        query : callable
            From a parameter, a float or an array of shape (d,), to an answer.
        budget : DrawBudget
            One for all queries on the dataset.
        rng : numpy.random.Generator, optional
            A fresh one when None.
        draws : int, optional
            Answer from so many draws: the query is called once, with all of them in an array of
            shape (draws,) or (draws, d), and the budget is charged for each.

        Returns
        -------
        object
            The answer of the query.

        Raises
        ------
        BudgetSpent
            Before anything is drawn.
        ValueError
            A budget or generator of another type, draws that are no integer >= 1.
        """
        if not isinstance(budget, DrawBudget):
            raise ValueError(
                f"budget must be a DrawBudget, one for all queries, got {budget!r}; "
                "see PosteriorSampler.budget"
            )
        rng = generator(rng)
        size = 1 if draws is None else count("draws", draws)
        budget.spend(size)
        drawn = priors.draws(self.posterior, size, rng)
        return query(drawn[0] if draws is None else drawn)


@dataclass(frozen=True)
class PosteriorSampler(Setting):
    """Answer queries with draws from the posterior (the paper's algorithm 1), and account for them.

    Parameters
    ----------
    model : Model
    prior : Distribution, FiniteDistribution, NormalGamma, Independent or Restricted
        Chosen without looking at the records.

    Raises
    ------
    ValueError
        No model, a prior that the model cannot update.
    DomainError
        A restricted prior of which not every posterior can be drawn (`Model.drawable`).

    Notes
    -----
    Theorem 2 is on one draw; the algorithm as printed goes on for ever. Queries may be chosen in
    view of earlier answers: the draws do not depend on them. What is refused is refused here, in
    view of the model and the prior alone: a refusal that depends on the records would be an answer
    that no guarantee covers.

    Examples
    --------
    Restricted to chances of odds at most e**0.25, a draw is (0.5, 0)-private:

    >>> import numpy as np
    >>> from dpbook.posterior_sampling import models
    >>> from dpbook.privacy.distributions import Beta
    >>> coin = models.Bernoulli()
    >>> sampler = PosteriorSampler(coin, coin.restrict(Beta(1, 1), level=0.25))
    >>> sampler.guarantee()
    Budget(epsilon=0.5, delta=0, claim='posterior_sampling:theorem-2.i')
    >>> budget = sampler.budget(epsilon=2)
    >>> fitted = sampler.fit([1, 0, 1, 1])
    >>> rng = np.random.default_rng(1)
    >>> answers = [fitted.release(lambda theta: theta > 0.5, budget=budget, rng=rng) for _ in range(3)]
    >>> budget
    DrawBudget(3 of 4 spent)
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.model.drawable(self.prior)

    def fit(self, x: ArrayLike) -> FittedSampler:
        """Compute the posterior of a dataset.

        Raises
        ------
        ValueError
            Records outside the support; under a prior without a guarantee at delta = 0 also a
            posterior that is improper or has evidence zero.
        """
        return FittedSampler(self.model.posterior(self.prior, x))

    def zcdp(self, draws: int = 1, *, distance: float = 1.0) -> float:
        """Concentrated privacy of draws under assumption 1; see `zcdp_bound`.

        Raises
        ------
        DomainError
            A prior under which the Lipschitz constant is unbounded.
        """
        return zcdp_bound(self._exponent(distance), draws)

    def guarantee(
        self,
        draws: int = 1,
        delta: float = 0.0,
        *,
        distance: float = 1.0,
        n: int | None = None,
        version: Version = "corrected",
    ) -> Budget:
        """Return the loss of all draws together, for every dataset and all of its neighbours.

        Parameters
        ----------
        draws : int
            >= 1.
        delta : float
            In [0, 1).
        distance : float
            Neighbours are at most so far apart, > 0.
        n : int, optional
            Number of records, which is public; needed where the Lipschitz constant is unbounded.
        version : {"corrected", "printed"}
            As printed, under assumption 2 theorem 2(ii), which is refuted: its delta, for each draw.

        Returns
        -------
        Budget

        Raises
        ------
        DomainError
            No such guarantee: assumption 1 fails, and the posterior may lie anywhere.
        ValueError
            An argument outside its range.

        Notes
        -----
        Assumption 1: at delta = 0 posterior_sampling:theorem-2.i for one draw, and
        posterior_sampling:text-4.2-mechanism for more; else `epsilon_bound`, which is sharp
        (posterior_sampling:note-bounded-range-chord), or privacy:renyi-to-dp for more than 10 000
        draws. Assumption 2 with an offset, where the density C of every posterior of n records with
        respect to the prior is bounded: posterior_sampling:note-guarantee-relaxed. A draw has
        L(theta) > t with probability at most s = C Pr(L > t); given that none has, assumption 1
        holds with t, and to condition the other posterior costs -draws * log(1 - s). Half of delta
        goes to each part.
        """
        check_version(version)
        draws = count("draws", draws)
        delta = number("delta", delta, "in [0, 1)")
        distance = number("distance", distance, "> 0")
        if math.isfinite(self.profile.largest):
            exponent = self._exponent(distance)
            if version == "printed" or not delta:
                key = "theorem-2.i" if draws == 1 else "text-4.2-mechanism"
                return Budget(
                    2 * draws * exponent, 0.0, f"posterior_sampling:{key}", version=version
                )
            return Budget(
                epsilon_bound(exponent, delta, draws), delta, epsilon_claim(exponent, delta, draws)
            )
        if version == "printed":
            return self._printed(draws, distance)
        bound = self._density(delta, n)
        half = delta / 2
        allowed = half / draws / bound
        level = self._level(allowed)
        outside = bound * float(self.profile.survival(level))
        inside = epsilon_bound(level * distance, half, draws)
        return Budget(
            inside - draws * math.log1p(-outside),
            delta,
            "posterior_sampling:note-guarantee-relaxed",
        )

    def _printed(self, draws: int, distance: float) -> Budget:
        claim = "posterior_sampling:theorem-2.ii"
        rate = self.profile.rate()
        if not rate > 0:
            raise DomainError(
                f"{claim} needs a rate c > 0 of assumption 2, got none for {self.model} under "
                f"{self.prior}"
            )
        each = relaxed_variation_bound(rate, distance, "printed").value
        return Budget(0.0, min(draws * each, 1.0), claim, version="printed")

    def _exponent(self, distance: float) -> float:
        largest = self.profile.largest
        if math.isinf(largest):
            raise DomainError(f"{self._unbounded}; restrict the prior (Model.restrict)")
        return largest * number("distance", distance, "> 0")

    @property
    def _unbounded(self) -> str:
        return (
            "posterior_sampling:theorem-2.i needs a finite Lipschitz constant, got inf for "
            f"{self.model} under {self.prior}"
        )

    def _density(self, delta: float, n: int | None) -> float:
        """Bound on the density of all posteriors, where a guarantee can be made of it."""
        claim = "posterior_sampling:note-guarantee-relaxed"
        finite = isinstance(self.prior, (FiniteDistribution, Restricted))
        size = 1 if n is None else count("n", n)
        bound = math.inf if finite else self.model.density_bound(self.prior, size)
        if not math.isfinite(bound):
            raise DomainError(
                f"{self._unbounded}; restrict the prior (Model.restrict): assumption 2 does not help, "
                f"{claim} needs a bounded density of all posteriors"
            )
        missing = [
            text
            for text, lacks in (
                ("n, the number of records", n is None),
                ("delta in (0, 1)", not delta),
            )
            if lacks
        ]
        if missing:
            raise DomainError(
                f"{self._unbounded}; restrict the prior (Model.restrict), or give "
                f"{' and '.join(missing)} for assumption 2 ({claim}), got n = {n}, delta = {delta:g}"
            )
        return bound

    def _level(self, mass: float) -> float:
        """Level that the Lipschitz constant exceeds with at most this prior probability."""
        low = self.profile.smallest
        high = low + 1.0
        while self.profile.survival(high) > mass:
            high = low + 2 * (high - low)
            if high > 1e12:
                raise DomainError(
                    "posterior_sampling:text-2.2-weaker-corrected needs a survival function that falls "
                    f"to {mass:.3g}, got none for {self.model} under {self.prior}"
                )

        def excess(level: float) -> float:
            return math.log(max(self.profile.survival(level), 1e-300)) - math.log(mass)

        found = float(brentq(excess, low, high, xtol=1e-12)) if excess(low) > 0 else low
        return min(found * (1 + 1e-12) + 1e-12, high)

    def budget(
        self, epsilon: float, delta: float = 0.0, *, distance: float = 1.0, n: int | None = None
    ) -> DrawBudget:
        """Return a budget of as many draws as an epsilon and a delta allow.

        Parameters
        ----------
        epsilon : float
            > 0.
        delta, distance, n
            As for `guarantee`.

        Returns
        -------
        DrawBudget

        Raises
        ------
        DomainError
            As for `guarantee`.
        ValueError
            Not even one draw is allowed; an argument outside its range.
        """
        epsilon = number("epsilon", epsilon, "> 0") * (1 + 1e-12)

        def fits(size: int) -> bool:
            return self.guarantee(size, delta, distance=distance, n=n).epsilon <= epsilon

        if not fits(1):
            cost = self.guarantee(1, delta, distance=distance, n=n).epsilon
            raise ValueError(
                f"epsilon must be >= {cost:.6g}, the cost of one draw, got {epsilon:.6g}; restrict "
                "the prior to a smaller level (Model.restrict)"
            )
        low, high = 1, 2
        while high < MOST and fits(high):
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        return DrawBudget(low)
