"""Hold a setting, which is known before any data, and compute its consequences."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.contamination import calculator, estimator, kernels
from dpbook.contamination.estimator import (
    BITS,
    CONDITION,
    METHODS,
    DatasetEpsilon,
    EpsilonEstimate,
    Method,
    Tail,
)
from dpbook.contamination.models.densities import ContaminationDensity, StudentTDensity
from dpbook.contamination.models.likelihoods import Likelihood, Normal
from dpbook.contamination.models.mixture import Contaminated, contaminate, warn_of_fit
from dpbook.contamination.posterior import GridPosterior, grid_posterior
from dpbook.contamination.theory import default_delta, default_rate
from dpbook.engine.language.card import Described
from dpbook.privacy import distributions
from dpbook.privacy.reading import count, generator, number

Floats = NDArray[np.float64]

__all__ = ["PRIVATE_MEAN", "Setting", "estimate_epsilon", "private_mean"]

LEAST_DELTA = 1e-15  # below, posterior tails count as 0

FAR = 1e100  # scales from theta*: the squares of records that are farther overflow


@dataclass(frozen=True)
class Setting(Described):
    """Hold a parameter that shifts the records, a density that replaces some of them, and a prior.

    Parameters
    ----------
    n : int
        Number of records, >= 2.
    likelihood : Likelihood
        Of a record given the parameter.
    density : ContaminationDensity
        g: public, positive wherever a record may be.
    prior : privacy.distributions.Normal
    theta : float
        theta*: where the model draws records from, and the centre of Algorithm 1's box.
    rate : float, optional
        p, in (0, 1); without it n**(-1/8), eq. 18 with the sign that Section 4.2 uses.
    delta : float, optional
        In (0, 1); without it 1 / (10 n), as in Section 4.2.

    Raises
    ------
    ValueError
        A number out of its range, a density that is 0 somewhere, a prior that is no Normal distribution.

    Notes
    -----
    What is computed is random DP, conditional on the model: with a probability over datasets that
    the model draws (Definition 2 of the paper). It says nothing about a dataset that it does not
    draw; `dpbook.contamination.audits` shows two.

    Examples
    --------
    >>> import numpy as np
    >>> setting = private_mean(1000)
    >>> x = setting.simulate(np.random.default_rng(1))
    >>> setting.epsilon(x, method="exact")
    DatasetEpsilon(0.3307 at delta=0.0001, exact, records=(10.98, 46.58); random DP, conditional on the model)
    """

    n: int
    likelihood: Likelihood
    density: ContaminationDensity
    prior: Any
    theta: float = 0.0
    rate: float = None  # type: ignore[assignment]  # filled in from n
    delta: float = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        n = count("n", self.n, 2)
        if not isinstance(self.likelihood, Likelihood):
            raise ValueError(f"likelihood must be a Likelihood, got {self.likelihood!r:.60}")
        if not isinstance(self.density, ContaminationDensity):
            raise ValueError(f"density must be a ContaminationDensity, got {self.density!r:.60}")
        if not isinstance(self.prior, distributions.Normal):
            raise ValueError(
                f"prior must be a dpbook.privacy.distributions.Normal, got {self.prior!r:.60}"
            )
        number("mean of the prior", self.prior.mean, "finite")
        number("standard deviation of the prior", self.prior.sd, "> 0 and finite")
        number("theta", self.theta, "finite")
        for name, default in (("rate", default_rate), ("delta", default_delta)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, default(n))
            number(name, getattr(self, name), "in (0, 1)")
        self.model  # noqa: B018  checks the density
        if self.likelihood.values is None:
            around = self.theta + self.likelihood.scale * np.linspace(-40.0, 40.0, 4001)
            self.density.check_positive(around)

    @cached_property
    def model(self) -> Contaminated:
        """The contaminated likelihood."""
        return Contaminated(self.likelihood, self.density, self.rate)

    @cached_property
    def _fast(self) -> kernels.Model | None:
        return estimator.fast_model(self)

    @cached_property
    def _tails(self) -> float:
        found = calculator.check_tails(self.model, self.theta)
        if self.likelihood.values is not None:
            return found
        # the weight of one far record for a parameter there, against the prior
        near = self.likelihood.scale * np.linspace(-8.0, 8.0, 161)
        for sign in (-1, 1):
            said = []
            for away in (100.0, 1000.0):
                at = np.array(float(self.prior.mean) + sign * away * float(self.prior.sd))
                logs = self.likelihood.log_density(at + near, at)
                gain = logs - self.density.log_density(at + near, np.array(self.density.centre))
                said.append(max(float(gain.max()), 0.0) - 0.5 * away**2)
            if said[1] > said[0]:
                raise ValueError(
                    f"density must have tails that are heavy for the prior, got "
                    f"{self.density!r:.80} with {self.prior}: a record far away would take the "
                    "posterior with it however far, and no epsilon belongs to it; take one with "
                    "heavier tails, such as CauchyDensity"
                )
        return found

    def __getstate__(self) -> dict[str, Any]:
        names = ("n", "likelihood", "density", "prior", "theta", "rate", "delta")
        return {name: getattr(self, name) for name in names}

    def __repr__(self) -> str:
        return (
            f"Setting(n={self.n}, {self.likelihood}, {self.density}, theta={self.theta:g}, "
            f"rate={self.rate:.4g}, delta={self.delta:.3g}; {CONDITION})"
        )

    def describe(self) -> str:
        """Return the setting in words."""
        return (
            f"{self.n} records of {self.likelihood} at theta* = {self.theta:g}, each replaced with "
            f"probability {self.rate:.4g} by a draw from {self.density}; delta {self.delta:.3g}, "
            f"{CONDITION}."
        )

    def replace(self, **changes: Any) -> Setting:
        """Return another setting; where n changes, a rate and a delta that are not given follow."""
        if "n" in changes:
            changes = {"rate": None, "delta": None, **changes}
        return replace(self, **changes)

    # --- data ------------------------------------------------------------------------------------

    def simulate(self, rng: Generator | None = None) -> Floats:
        """Draw a contaminated dataset from the model, shape (n,)."""
        rng = generator(rng)
        if self._fast is not None:
            u = np.empty(self.n)
            kernels.simulate(self._fast, u, rng)
            return self.theta + self.likelihood.scale * u
        return self.contaminate(self.clean(rng), rng)

    def clean(self, rng: Generator | None = None) -> Floats:
        """Draw a dataset before contamination, shape (n,)."""
        return self.likelihood.draw(np.full(self.n, self.theta), generator(rng))

    def contaminate(self, x: ArrayLike, rng: Generator | None = None) -> Floats:
        """Contaminate records of one's own; see `contaminate`."""
        return contaminate(x, self.rate, self.density, rng)

    def _records(self, x: ArrayLike) -> Floats:
        records, _ = self.model.read(x)
        if records.size != self.n:
            raise ValueError(f"records must be {self.n}, as n of the setting, got {records.size}")
        warn_of_fit(records, self.density)
        return records

    # --- the posterior -----------------------------------------------------------------------------

    def posterior(self, x: ArrayLike) -> GridPosterior:
        """Return the posterior of contaminated records.

        Raises
        ------
        ValueError
            Not n records, or one that the model cannot produce.

        Warns
        -----
        DataDependent
            The density looks as if it was fitted to these records; see `contaminate`.
        """
        return grid_posterior(self.model, self.prior, self._records(x))

    def draws(self, x: ArrayLike, size: int = 1, rng: Generator | None = None) -> Floats:
        """Draw from the posterior of contaminated records; the mechanism releases one draw.

        Parameters
        ----------
        x : array of float, shape (n,)
            Contaminated.
        size : int
        rng : numpy.random.Generator, optional
        """
        return self.posterior(x).draws(size, rng)

    def release(self, x: ArrayLike, size: int = 1, rng: Generator | None = None) -> Floats:
        """Run the mechanism on clean records: contaminate them, and draw once from the posterior.

        Parameters
        ----------
        x : array of float, shape (n,)
            Before contamination.
        size : int
            How often: each time with a contamination of its own, and at its own cost in privacy.
        rng : numpy.random.Generator, optional

        Returns
        -------
        array of float, shape (size,)
        """
        records = self._records(x)
        return self._release(records, count("size", size), generator(rng))

    def _release(
        self, records: Floats, size: int, rng: Generator, *, simulated: bool = False
    ) -> Floats:
        """Run the mechanism; of records that the model drew, other modes are not looked for."""
        found = np.full(size, math.nan)
        if self._fast is not None:
            u = (records - self.theta) / self.likelihood.scale
            estimator.fast_draws(self._fast, u, rng, found, simulated=simulated)
            found = self.theta + self.likelihood.scale * found
        for k in np.flatnonzero(np.isnan(found)):
            found[k] = self.posterior(self.contaminate(records, rng)).draws(1, rng)[0]
        return found

    # --- epsilon --------------------------------------------------------------------------------------

    def epsilon(
        self,
        x: ArrayLike,
        *,
        method: Method = "exact",
        particles: int | None = None,
        tail: Tail = "refuse",
        rng: Generator | None = None,
    ) -> DatasetEpsilon:
        """Return epsilon of contaminated records, whatever the last one is replaced by.

        Parameters
        ----------
        x : array of float, shape (n,)
            Contaminated.
        method : {"exact", "sharp", "algorithm-1"}
            The least epsilon of the two posteriors; the largest log ratio of posteriors on the
            equal-tailed posterior interval of mass 1 - delta; algorithm 1, with suprema.
        particles : int, optional
            Of algorithm 1: importance sampling with so many, as printed, in place of quadrature.
        tail : {"refuse", "normal", "printed"}
            Where the particles cannot resolve delta: an error, the tail of the Laplace
            approximation, or the farthest particle as printed (phi is then too small).
        rng : numpy.random.Generator, optional
            Of the particles.

        Raises
        ------
        ValueError
            A method or tail that there is not; records that are not n numbers; without particles, a
            delta below 1e-15; a density whose tails are too light for the model (Assumption 4).
        Unresolved
            The particles are too few for delta.

        Warns
        -----
        DataDependent
            The density looks as if it was fitted to these records; see `contaminate`.

        Notes
        -----
        Only the last record is replaced, as in algorithm 1. Where the model draws the records the
        last is as good as any; in a dataset of another origin another record may tell more.

        The interval of "sharp" has mass 1 - delta under the posterior of x itself; with another last
        record it may have slightly less.

        Without particles the relative error is below 1e-4: parameters are at most 0.032 standard
        deviations of a mode apart, and where a density crosses another the trapezoid rule is put
        right to the third order. Against 30 digits, and against grids eight times as fine, the
        exact epsilon is off by 1e-5 at most. It is an approximation, no bound.
        """
        _known("method", method, METHODS)
        _known("tail", tail, ("refuse", "normal", "printed"))
        self._tails  # noqa: B018  refuses a density that no epsilon belongs to
        records = self._records(x)
        if np.abs((records - self.theta) / self.likelihood.scale).max() > FAR:
            raise ValueError(
                f"records must be within {FAR:g} scales of theta* for an epsilon, and one is not; "
                "clamp them"
            )
        if particles is not None:
            size = count("particles", particles, 2)
            if method != "algorithm-1":
                raise ValueError(f"particles are of algorithm-1, got method {method}")
            posterior = grid_posterior(self.model, self.prior, records)
            last = float(records[-1])
            return estimator.with_particles(
                self, posterior, last, self.delta, size, tail, generator(rng)
            )
        self._check_delta()
        if self._fast is not None:
            u = (records - self.theta) / self.likelihood.scale
            found = estimator.fast_values(self._fast, u, self.delta, BITS[method], simulated=False)
            if found is not None:
                return self._result(found, method)
        return self._slow(records, method)

    def _check_delta(self) -> None:
        if self.delta < LEAST_DELTA:
            raise ValueError(
                f"delta must be at least {LEAST_DELTA:g} for an epsilon, got {self.delta:g}: posterior "
                "intervals of mass 1 - delta are found in double precision"
            )

    def _slow(self, records: Floats, method: Method) -> DatasetEpsilon:
        """Epsilon by tables over records and parameters: any model, and any dataset."""
        ways = {
            "algorithm-1": estimator.algorithm_1,
            "sharp": estimator.sharp,
            "exact": estimator.exact,
        }
        posterior = grid_posterior(self.model, self.prior, records)
        return ways[method](self, posterior, float(records[-1]), self.delta)

    def _result(self, found: Floats, method: Method) -> DatasetEpsilon:
        if method == "sharp":
            return DatasetEpsilon(float(found[4]), self.delta, method)
        scale = self.likelihood.scale
        if method == "exact":
            x, z = (self.theta + scale * float(v) for v in found[6:])
            return DatasetEpsilon(float(found[5]), self.delta, method, records=(x, z))
        eta, alpha, beta = (float(v) for v in found[1:4])
        return DatasetEpsilon(
            eta + alpha - beta, self.delta, method, float(found[0]) * scale, eta, alpha, beta
        )

    def epsilons(
        self, size: int, rng: Generator | None = None, methods: tuple[Method, ...] = ("exact",)
    ) -> dict[Method, Floats]:
        """Return epsilon of simulated datasets by several methods, the same datasets for all.

        Parameters
        ----------
        size : int
            Number of datasets, >= 1.
        rng : numpy.random.Generator, optional
            A stream is spawned from it for each dataset.
        methods : tuple of {"exact", "sharp", "algorithm-1"}

        Returns
        -------
        dict of str to array of float, shape (size,)

        Raises
        ------
        ValueError
            A number out of its range, a method that there is not, a delta below 1e-15, or a density
            whose tails are too light for the model (Assumption 4).
        """
        size = count("size", size)
        for method in methods:
            _known("method", method, METHODS)
        self._check_delta()
        self._tails  # noqa: B018
        found: dict[Method, Floats] = {method: np.empty(size) for method in methods}
        bits = sum({BITS[method] for method in methods})
        for k, stream in enumerate(generator(rng).spawn(size)):
            x = self.simulate(stream)
            fast = None
            if self._fast is not None:
                u = (x - self.theta) / self.likelihood.scale
                fast = estimator.fast_values(self._fast, u, self.delta, bits, simulated=True)
            for method in methods:
                one = self._slow(x, method) if fast is None else self._result(fast, method)
                found[method][k] = one.epsilon
        return found

    def estimate(
        self,
        size: int = 1000,
        rng: Generator | None = None,
        *,
        method: Method = "exact",
        quantile: float = 0.99,
        particles: int | None = None,
        tail: Tail = "refuse",
    ) -> EpsilonEstimate:
        """Return a quantile of epsilon over simulated datasets: algorithm 1 as a whole.

        Parameters
        ----------
        size : int
            K, the number of datasets.
        rng : numpy.random.Generator, optional
        method : {"exact", "sharp", "algorithm-1"}
        quantile : float
            q / 100, in (0, 1).
        particles, tail
            As for `epsilon`: of "algorithm-1", with the importance sampling that is printed.

        Raises
        ------
        ValueError
            A number out of its range, records in place of their number, or a method that there is not.
        Unresolved
            The particles are too few for delta.

        Notes
        -----
        Each epsilon has a relative error below 1e-4, see `epsilon`.
        """
        level = number("quantile", quantile, "in (0, 1)")
        if np.ndim(size):
            raise ValueError(
                "size must be how many datasets are drawn, got records: those have epsilon(records)"
            )
        if particles is None:
            values = self.epsilons(size, rng, (method,))[method]
        else:
            found = []
            for stream in generator(rng).spawn(count("size", size)):
                x = self.simulate(stream)
                one = self.epsilon(x, method=method, particles=particles, tail=tail, rng=stream)
                found.append(one.epsilon)
            values = np.array(found)
        return EpsilonEstimate(self.n, self.rate, self.delta, level, method, values)

    # --- what the theorems say -------------------------------------------------------------------

    def fisher_information(self) -> float:
        """Fisher information of a contaminated record at theta* (Theorem 5)."""
        return calculator.fisher_information(self.model, self.theta)

    def kappa(self) -> float:
        """Sensitivity index at theta*; see `kappa`."""
        return calculator.kappa(self.model, self.theta)

    def theorem_4(self, **options: Any) -> calculator.Theorem4:
        """Theorem 4 at this setting; see `theorem_4` for the options."""
        return calculator.theorem_4(self, **options)

    def tune(
        self, epsilon: float, *, method: Literal["exact", "sharp"] = "exact"
    ) -> calculator.TunedRate:
        """Find the contamination rate of the smallest error at a target epsilon; see `tune_rate`."""
        return calculator.tune_rate(self, epsilon, method=method)


def _known(name: str, value: object, allowed: Any) -> None:
    if value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")


def private_mean(
    n: int,
    *,
    rate: float | None = None,
    delta: float | None = None,
    contamination: Literal["t5", "cauchy"] = "t5",
) -> Setting:
    """Return the setting of Section 4.2: a mean of 30, records of standard deviation 8.

    Parameters
    ----------
    n : int
        >= 2.
    rate, delta : float, optional
        Without them n**(-1/8) and 1 / (10 n).
    contamination : {"t5", "cauchy"}
        At theta*, with scale 8. The paper's is Student's t with 5 degrees of freedom.

    Notes
    -----
    The paper cuts both distributions off at an interval of length 600; no record comes near its ends, and
    here they are not cut off. Its g is centred at theta*, which nobody knows: see Remark 13.

    Examples
    --------
    >>> round(private_mean(1000).rate, 6)
    0.421697
    """
    _known("contamination", contamination, ("t5", "cauchy"))
    return Setting(
        n,
        Normal(8.0),
        StudentTDensity(5.0 if contamination == "t5" else 1.0, 30.0, 8.0),
        distributions.Normal(40, 40),
        30.0,
        rate,  # type: ignore[arg-type]  # None: from n
        delta,  # type: ignore[arg-type]
    )


PRIVATE_MEAN = private_mean(1000)
"""The private mean of Section 4.2 at n = 1000."""


def estimate_epsilon(
    setting: Setting,
    size: int = 1000,
    rng: Generator | None = None,
    *,
    method: Method = "algorithm-1",
    quantile: float = 0.99,
    particles: int | None = None,
    tail: Tail = "refuse",
) -> EpsilonEstimate:
    """Algorithm 1 of the paper: `Setting.estimate`, whose own default is the exact epsilon.

    Parameters
    ----------
    setting : Setting
    size : int
        Number of simulated datasets.
    rng : numpy.random.Generator, optional
    method, quantile, particles, tail
        As for `Setting.estimate`.

    Raises
    ------
    ValueError
        When `setting` is none.
    Unresolved
        The particles are too few for delta.

    Notes
    -----
    Each epsilon has a relative error below 1e-4, see `Setting.epsilon`; the quantile of few datasets
    is far less sure, see `EpsilonEstimate.error`.

    Examples
    --------
    >>> import numpy as np
    >>> estimate_epsilon(private_mean(1000), 200, np.random.default_rng(1))
    EpsilonEstimate(epsilon=...)
    """
    if not isinstance(setting, Setting):
        raise ValueError(
            f"setting must be a Setting, such as private_mean(1000), got {setting!r:.60}"
        )
    return setting.estimate(
        size, rng, method=method, quantile=quantile, particles=particles, tail=tail
    )
