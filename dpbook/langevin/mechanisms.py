"""Propose, test, sample: algorithm 1, with a posterior draw or with SGLD at its last line.

For teaching and audits; not for real releases: floating-point noise leaks what real noise hides.
Use OpenDP for those.

The paper leaves open what happens where the noisy count or the noisy centre is not positive, and
where V or W is empty: all of these return null here. The first two guards look at private numbers
only; V and W that are empty pass lines 9 and 16 with a probability that delta covers already.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import kernels, notation
from dpbook.langevin.releases import Release, Runs
from dpbook.langevin.samplers import Position, sgld
from dpbook.langevin.setting import Setting
from dpbook.langevin.theory import thresholds
from dpbook.langevin.theory.chain import epoch_distribution
from dpbook.langevin.theory.evaluation import evaluated
from dpbook.langevin.theory.posterior import Posterior, posterior
from dpbook.langevin.theory.sizes import Threshold
from dpbook.langevin.theory.thresholds import least_records
from dpbook.privacy import reading
from dpbook.privacy.spending import Accounting, Spending
from dpbook.privacy.value import Version

Floats = NDArray[np.float64]
Sampler = Literal["posterior", "sgld"]


@dataclass(frozen=True)
class OneRatio:
    """Records of one ratio y / x at the largest covariate; one of them may be halved.

    The datasets D_3 and D_4 of eq. 8, whose ratio is n**rho_3. They are neighbours.

    Attributes
    ----------
    n : int
        Number of records, 2 to 10**15.
    ratio : float
        > 0.
    odd : bool
        Whether one record has half of the covariate and half of the response.

    Examples
    --------
    >>> OneRatio(10, 2.0).n
    10
    """

    n: int
    ratio: float
    odd: bool = False

    def __post_init__(self) -> None:
        reading.count("n", self.n, 2)
        reading.positive(ratio=self.ratio)

    def squares(self, x_h: float) -> float:
        """Sum of the squared covariates."""
        return (self.n - 0.75 * self.odd) * x_h**2

    def records(self, x_h: float) -> tuple[Floats, Floats]:
        """Covariates and responses, as arrays."""
        x = np.full(self.n, float(x_h))
        if self.odd:
            x[-1] /= 2
        return x, self.ratio * x


@dataclass(frozen=True)
class ProposeTestSample:
    """Algorithm 1: clip, propose a centre of the ratios, test its neighbourhood, sample the slope.

    It is a `Mechanism`: called with a `OneRatio`, a size and a generator it returns so many
    independent releases, with nan for null.

    Attributes
    ----------
    epsilon, delta : float
        > 0, and in (0, 1/2). With a posterior draw all of it is (5 epsilon, 2 delta)-private.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_l, x_h : float
        Covariates are clipped to this interval, 0 < x_l < x_h; x_h**2 * beta > 2 / log(2).
    rho_1 : float
        V keeps ratios up to the noisy number of records to this power; in (1, 3/2), < 1 + rho_2.
    rho_2 : float
        W keeps ratios within n_2**rho_2 of the noisy centre; in (0, gamma_1).
    gamma_1 : float
        Radius of the domain of eq. 5, < 1/2.
    sampler : {"posterior", "sgld"}
        What line 19 is: a posterior draw, or cyclic SGLD.
    version : {"corrected", "printed"}
        Of n_min, eq. 26, and of the chain: as printed in claim 4.2 it makes n_1 steps at the
        learning rate 1 / A**2, with A = alpha + n_1 * x_h**2 * beta.

    Raises
    ------
    ValueError
        A number outside its range, an unknown sampler or version.
    DomainError
        gamma_1 >= 1/2, x_h**2 * beta too small, rho_1 too large for claim C.4.

    Notes
    -----
    langevin:claim-4.1-corrected. The learning rate of claim 4.2 as printed is half of that of section
    4.2, which every constant of appendix A assumes. So with ``version="corrected"`` SGLD takes the
    latter, 2 / A**2, up to the stopping step of langevin:lemma-a.6; langevin:claim-4.2 is proved for
    the chain of ``version="printed"``. Two datasets are neighbours if a record is replaced.

    For teaching and audits only: release real data with OpenDP.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.langevin import OneRatio
    >>> mechanism = ProposeTestSample(
    ...     epsilon=5, delta=0.05, alpha=1, beta=3, x_l=0.5, x_h=1.8, rho_1=1.15, rho_2=0.3, gamma_1=0.45
    ... )
    >>> mechanism.accounting.epsilon
    25.0
    >>> mechanism(OneRatio(1000, 2.0), 2, np.random.default_rng(1)).shape
    (2,)
    """

    epsilon: float
    delta: float
    alpha: float
    beta: float
    x_l: float
    x_h: float
    rho_1: float
    rho_2: float
    gamma_1: float
    sampler: Sampler = "posterior"
    version: Version = "corrected"

    def __post_init__(self) -> None:
        if self.sampler not in ("posterior", "sgld"):
            raise ValueError(f'sampler must be "posterior" or "sgld", got {self.sampler!r}')
        numbers = {f.name: getattr(self, f.name) for f in fields(self)[:9]}
        exact = thresholds.read(thresholds.keyed("langevin:eq-26", self.version), **numbers)
        if not self.x_l < self.x_h:
            raise ValueError(f"x_l must be < x_h = {self.x_h}, got {self.x_l}")
        thresholds.steady(exact)
        if not 1 < self.rho_1 < 1.5:
            raise ValueError(f"rho_1 must be in (1, 3/2), got {self.rho_1}")
        if not self.rho_2 < self.gamma_1:
            raise ValueError(f"rho_2 must be < gamma_1 = {self.gamma_1}, got {self.rho_2}")
        if not exact["rho_1"] < 1 + exact["rho_2"]:
            raise DomainError(
                f"langevin:claim-c.4 needs rho_1 < 1 + rho_2 = {1 + self.rho_2:g}, "
                f"got rho_1 = {self.rho_1}"
            )

    @cached_property
    def margin(self) -> float:
        """Return the number taken off each count before the test, log(1 / (2 delta)) / epsilon."""
        return evaluated(notation.margin, {"epsilon": self.epsilon, "delta": self.delta})

    @property
    def accounting(self) -> Accounting:
        """Return the budget that each line spends."""
        epsilon, delta = self.epsilon, self.delta
        # the sum, and how lines 6 to 13 are put together, rest on claims that are supported only
        supported = "langevin:{}, supported only: {} has no proof"
        last = Spending("19", "a posterior draw", epsilon, delta, "langevin:claim-c.11-corrected")
        if self.sampler == "sgld":
            last = (
                Spending("19", "SGLD after T steps", math.inf, delta, "langevin:lemma-a.6")
                if self.version == "corrected"
                else Spending(
                    "19",
                    "SGLD after n_1 steps",
                    math.inf,
                    delta,
                    supported.format("claim-4.2", "how likely a release is"),
                )
            )
        elif self.version == "printed":
            refuted = "no claim: langevin:claim-c.11 is refuted for n_min as printed"
            last = Spending("19", last.what, math.inf, delta, refuted)
        return Accounting(
            (
                Spending("6", "the noisy number of records", epsilon, 0.0, "langevin:claim-c.6"),
                Spending("8", "the noisy number in V", epsilon, 0.0, "langevin:claim-c.6"),
                Spending(
                    "13",
                    "the noisy centre",
                    epsilon,
                    delta,
                    supported.format("claim-c.9", "that each line has the loss it needs"),
                ),
                Spending("15", "the noisy number in W", epsilon, 0.0, "langevin:claim-c.12"),
                last,
            ),
            supported.format("claim-4.1-corrected", "that both parts are private"),
        )

    def centre_sensitivity(self, noisy_n_1: float, n_2: float) -> float:
        """Largest change of the centre by one record, line 13 and claim C.8.

        Parameters
        ----------
        noisy_n_1 : float
            > 0.
        n_2 : float
            > 1, and at most the number of records of V.
        """
        squares = self.x_l**2, self.x_h**2
        counts = float(noisy_n_1), float(n_2)
        return float(kernels.centre_sensitivity(*counts, self.rho_1, *squares))

    def least_records(self, centre: float, n_2: float, n_1: int) -> Threshold:
        """Return n_min of eq. 26, at a noisy centre > 0, a noisy count n_2 > 1, and n_1 records."""
        model = ("epsilon", "delta", "alpha", "beta", "x_l", "x_h", "rho_2", "gamma_1")
        return least_records(
            n_2 if self.version == "corrected" else n_1,
            c=centre,
            version=self.version,
            **{name: getattr(self, name) for name in model},
        )

    def least_in_logs(self, n_1: int) -> Floats:
        """Return n_min as monomials: logarithms at 1, powers of the centre, powers of n_2.

        Shape (3, number of entries).
        """
        one, centre, count = (
            np.array([entry.log10 for entry in self.least_records(*at, n_1).entries])
            for at in ((1, 1), (10, 1), (1, 10))
        )
        return np.array([one * math.log(10), centre - one, count - one])

    # --- on records of any kind -------------------------------------------------------------------

    def release(self, x: ArrayLike, y: ArrayLike, rng: Generator | None = None) -> Release:
        """Run algorithm 1 once.

        Parameters
        ----------
        x, y : array of float
            Covariates and responses, of shape (n_1,), n_1 >= 2.
        rng : Generator, optional

        Returns
        -------
        Release

        Raises
        ------
        ValueError
            Arrays of other shapes, records that are not finite.
        """
        x, y = _records(x, y)
        rng = reading.generator(rng)
        x, y = np.clip(x, self.x_l, self.x_h), np.maximum(y, 0.0)
        ratios = y / x
        run: dict[str, Any] = dict.fromkeys(_LATER)
        run |= {"n_1": x.size, "noisy_n_1": self._noisy(x.size, rng)}

        def ended(line: int, value: float | None = None) -> Release:
            return Release(value, line, **run)

        if run["noisy_n_1"] <= 0:
            return ended(6)
        in_v = ratios <= run["noisy_n_1"] ** self.rho_1
        run["size_v"] = int(in_v.sum())
        n_2 = run["n_2"] = self._noisy(run["size_v"], rng)
        if n_2 <= 1:
            return ended(10)
        if not in_v.any():
            return ended(12)
        run["centre"] = math.fsum(x[in_v] * y[in_v]) / math.fsum(x[in_v] ** 2)
        spread = self.centre_sensitivity(run["noisy_n_1"], n_2) / self.epsilon
        run["noisy_centre"] = run["centre"] + rng.laplace(0.0, spread)
        if run["noisy_centre"] <= 0:
            return ended(13)
        in_w = np.abs(ratios - run["noisy_centre"]) <= n_2**self.rho_2
        run["size_w"] = int(in_w.sum())
        if not in_w.any():
            return ended(14)
        run["n_w"] = self._noisy(run["size_w"], rng)
        run["n_min"] = self.least_records(run["noisy_centre"], n_2, x.size)
        if not run["n_min"] <= run["n_w"]:
            return ended(17)
        return ended(19, self._sampled(x[in_w], y[in_w], x.size, rng))

    def _noisy(self, count: int, rng: Generator) -> float:
        return count - self.margin + float(rng.laplace(0.0, 1 / self.epsilon))

    def _sampled(self, x: Floats, y: Floats, n_1: int, rng: Generator) -> float:
        if self.sampler == "posterior":
            distribution = posterior(x, y, alpha=self.alpha, beta=self.beta)
            return float(rng.normal(distribution.mean, distribution.sd))
        setting = self.setting(
            OneRatio(n_1, 1.0)
        )  # the ratio plays no part in the parts that are used
        printed = self.version == "printed"
        chain = sgld(
            x,
            y,
            alpha=self.alpha,
            beta=self.beta,
            steps=n_1 if printed else setting.stopping_step(),
            learning_rate=evaluated(notation.eta / 2 if printed else notation.eta, setting.numbers),
            rng=rng,
        )
        return float(chain.final[0])

    # --- on records of one ratio ------------------------------------------------------------------

    def __call__(self, dataset: OneRatio, size: int, rng: Generator) -> Floats:
        """Draw `size` independent releases, nan for null."""
        released = self._lines(dataset, size, rng) == 0
        found = np.full(size, np.nan)
        if released.any():
            found[released] = self._draws(dataset, int(released.sum()), rng)
        return found

    def runs(self, dataset: OneRatio, size: int, rng: Generator | None = None) -> Runs:
        """Run algorithm 1 often, without the draw at its end, and count where the runs ended.

        Parameters
        ----------
        dataset : OneRatio
        size : int
            >= 1.
        rng : Generator, optional

        Returns
        -------
        Runs
        """
        lines = self._lines(dataset, reading.count("size", size), reading.generator(rng))
        ended, counts = np.unique(lines[lines > 0], return_counts=True)
        return Runs(size, dict(zip(ended.tolist(), counts.tolist(), strict=True)))

    def fits(self, dataset: OneRatio) -> None:
        """Refuse a halved record that would be clipped, as its ratio would differ from the others.

        Raises
        ------
        DomainError
        """
        if dataset.odd and not 2 * self.x_l <= self.x_h:
            raise DomainError(
                f"langevin:eq-8 needs x_l <= x_h / 2 = {self.x_h / 2:g}, got x_l = {self.x_l}"
            )

    def _lines(self, dataset: OneRatio, size: int, rng: Generator) -> NDArray[np.int8]:
        self.fits(dataset)
        lines = np.empty(size, dtype=np.int8)
        kernels.one_ratio_lines(
            lines,
            dataset.n,
            float(dataset.ratio),
            float(self.epsilon),
            self.margin,
            float(self.rho_1),
            float(self.rho_2),
            float(self.x_l) ** 2,
            float(self.x_h) ** 2,
            self.least_in_logs(dataset.n),
            rng,
        )
        return lines

    def setting(self, dataset: OneRatio) -> Setting:
        """Return the setting of eq. 7 on records of one ratio."""
        return Setting(n=dataset.n, alpha=self.alpha, beta=self.beta, x_h=self.x_h, c=dataset.ratio)

    def posterior(self, dataset: OneRatio) -> Posterior:
        """Return the distribution of the posterior draw on records of one ratio."""
        squares = dataset.squares(self.x_h)
        values = {"alpha": self.alpha, "beta": self.beta, "s_xx": squares}
        values["s_xy"] = dataset.ratio * squares
        return Posterior(
            evaluated(notation.posterior_mean, values),
            evaluated(notation.posterior_variance, values),
        )

    def _draws(self, dataset: OneRatio, size: int, rng: Generator) -> Floats:
        if self.sampler == "posterior":
            distribution = self.posterior(dataset)
            return rng.normal(distribution.mean, distribution.sd, size)
        if self.version == "printed":
            places = rng.integers(1, dataset.n, size, endpoint=True)
            epoch = epoch_distribution(self.setting(dataset), places)
            if not dataset.odd:
                return rng.normal(epoch.mean, math.sqrt(epoch.variance), size)
            return rng.normal(epoch.mean - epoch.gap, np.sqrt(epoch.odd_variance))
        setting = self.setting(dataset)
        position: Position = "drawn" if dataset.odd else None
        return setting.draws(step=setting.stopping_step(), size=size, position=position, rng=rng)


_LATER = ("size_v", "n_2", "centre", "noisy_centre", "size_w", "n_w", "n_min")


def _records(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    covariates, responses = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if covariates.ndim != 1 or covariates.shape != responses.shape:
        raise ValueError(
            f"x and y must have one shape (n,), got {covariates.shape} and {responses.shape}"
        )
    if covariates.size < 2:
        raise ValueError(f"x must hold 2 records at least, got {covariates.size}")
    if not (np.isfinite(covariates).all() and np.isfinite(responses).all()):
        raise ValueError("records must be finite, got nan or inf")
    return covariates, responses
