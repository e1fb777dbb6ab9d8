"""The private median: propose a draw, test that the data are far from unsafe ones, release.

Two datasets are neighbours if one row is replaced; n and d are public. A dataset is safe if its
exponential mechanism is (epsilon / 2, delta)-close to the mechanism of each neighbour. The test
compares a margin, plus Laplace noise, with a threshold, and is private if the margin is 0 on unsafe
data and changes by at most 1 between neighbours. The modes differ in this property:

``nested`` (default)
    The margin is the number of levels j = 0, 1, ... in a row at which (tau * S_j + V_j) / b_(j+1) <=
    eta in each direction, and 2 * x(least outlyingness + (j + 1) * eta) <= delta. S_j = V_j + D_j
    bounds the effect of one more change on MAD, after j changes; it looks at spacings near the
    median and near median - MAD and median + MAD only. Every ingredient at level j of a dataset is
    dominated by the same at level j + 1 of each neighbour, and level 0 implies safety.
``nested_wide``
    The same with S_j = 2 * W_j, from the largest spacing between two fixed ranks.
``corrected``
    The test of Appendix A with its constants corrected. It bounds the safety margin from below, but
    the bound may drop by more than 1 if one row is replaced: not private.
``printed``
    The test of Appendix A: not private.

Rounding is not accounted for, nor the distance of a chain from its limit, nor time: release real
data with OpenDP.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.depth_medians import kernels, theory
from dpbook.depth_medians.projections import (
    Outlyingness,
    finite,
    least_point,
    matrix,
    over_directions,
    random_directions,
    spanning,
    unit_rows,
)
from dpbook.depth_medians.samplers import SAMPLERS, Sampler, drawn
from dpbook.engine.language.card import Described
from dpbook.privacy import reading
from dpbook.privacy.noise import NOT_FOR_RELEASES
from dpbook.privacy.reading import generator
from dpbook.privacy.spending import Accounting, Spending
from dpbook.privacy.value import Version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Mode = Literal["nested", "nested_wide", "corrected", "printed"]

LARGEST = 1e100  # entries beyond are moved here
SHARE = 0.15  # of a sample at each end that is left unsorted, unless it is needed
QUANTILE = 0.24  # where the spacings of the wide test begin; below 1/4
CLAIMS = {
    "nested": "depth_medians:note-nested-test",
    "nested_wide": "depth_medians:note-nested-test-wide",
    "corrected": "depth_medians:note-algorithm-2-mended",
    "printed": "depth_medians:note-algorithm-2",
}


def cleaned(data: ArrayLike) -> Floats:
    """Return rows with nan as 0 and entries within 1e100; a map of each row alone.

    Neighbours stay neighbours, and no error depends on an entry.

    Raises
    ------
    ValueError
        No numbers, or another shape: both are public.
    """
    rows = matrix("data", data)
    found: Floats = np.clip(
        np.nan_to_num(rows, nan=0.0, posinf=LARGEST, neginf=-LARGEST), -LARGEST, LARGEST
    )
    return found


MOST_LEVELS = 10_000  # that the test looks for by default: a table has so many columns


@dataclass(frozen=True, eq=False)
class Ingredients:
    """Hold the numbers of the nested tests, for each direction and level.

    Attributes
    ----------
    location : array of float, shape (N,)
        Medians.
    shifts : array of float, shape (N, levels)
        V_j: bounds the change of the median by one more row, after j.
    spreads : array of float, shape (N, levels)
        S_j: bounds the same change of MAD.
    scales : array of float, shape (N, levels + 1)
        b_j: bounds MAD after j changes from below; b_0 is MAD.
    wide : bool
        Whether the spacings belong to ``nested_wide``.

    Notes
    -----
    Source: depth_medians:note-nested-test and depth_medians:note-nested-test-wide.
    """

    location: Floats
    shifts: Floats
    spreads: Floats
    scales: Floats
    wide: bool

    @classmethod
    def of(cls, data: Floats, directions: Floats, levels: int, wide: bool = False) -> Ingredients:
        """Compute them; nothing is validated."""
        size, n = len(directions), len(data)
        found = cls(
            np.empty(size),
            np.empty((size, levels)),
            np.empty((size, levels)),
            np.empty((size, levels + 1)),
            wide,
        )
        lowest = wide_rank(n)

        def work(samples: Floats, rows: slice) -> None:
            kernels.all_levels(
                *(samples, SHARE, wide, lowest, found.location[rows]),
                *(found.shifts[rows], found.spreads[rows], found.scales[rows]),
            )

        over_directions(data, directions, work)
        return found

    def deviation(self, tau: float) -> Floats:
        """Return, for each level, a bound on the change of outlyingness by one more row.

        Within tau of either dataset, and over all directions; infinite where nothing is known.
        """
        bottom = self.scales[:, 1:]
        with np.errstate(all="ignore"):
            if self.wide:
                top = tau * self.spreads.max(axis=0) + self.shifts.max(axis=0)
                found = top / bottom.min(axis=0)
            else:
                found = ((tau * self.spreads + self.shifts) / bottom).max(axis=0)
            known = bottom.min(axis=0) > 0
        return np.where(known & ~np.isnan(found), found, np.inf)


def wide_rank(n: int) -> int:
    """Rank from 1 at which the spacings of ``nested_wide`` begin.

    Below n / 4, so that of the two halves of an annulus around the median one lies further inside.
    """
    m = (n + 1) // 2
    return min(math.floor(QUANTILE * n), m - (m - 1) // 2 - 1)


@dataclass(frozen=True, eq=False)
class Safety:
    """Hold the margin of a dataset, and the numbers behind it. It is not private.

    Attributes
    ----------
    mode : str
    margin : int
        At most `most`.
    most : int
        Where the search ends.
    deviation : array of float
        Bounds on the change of outlyingness, level by level.
    deviation_allowed : float
        eta, or eta / 2 in mode corrected.
    volume : array of float
        The number that the volume part compares, level by level: a mass, or a logarithm of volumes.
    volume_allowed : float
    minimum : float
        Least outlyingness; nan where a mode does not look at it.
    probability : float
        Chance that the test passes.
    claim : str
        Key of the claim about the test; of modes that are not private it says so.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import Setting
    >>> setting = Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5, directions=60)
    >>> data = np.random.default_rng(1).normal(size=(4000, 2))
    >>> setting.safety(data).margin >= 3
    True
    """

    mode: str
    margin: int
    most: int
    deviation: Floats
    deviation_allowed: float
    volume: Floats
    volume_allowed: float
    minimum: float
    probability: float
    claim: str

    @property
    def private(self) -> bool:
        """Say whether a test of this margin is private."""
        return self.mode.startswith("nested")

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """Return the numbers that are compared, level by level."""
        return tuple(
            {
                "level": level,
                "deviation": float(deviation),
                "allowed": self.deviation_allowed,
                "volume": float(volume),
                "volume allowed": self.volume_allowed,
            }
            for level, (deviation, volume) in enumerate(
                zip(self.deviation, self.volume, strict=True)
            )
        )

    def __repr__(self) -> str:
        kind = "" if self.private else ", not private"
        return (
            f"Safety(margin={self.margin} of at most {self.most}, mode {self.mode}{kind}, "
            f"passes with {self.probability:.4g})"
        )

    def _repr_html_(self) -> str:
        return figures.html_table(self.rows, caption=repr(self))

    def describe(self) -> str:
        """Return the words for the picture."""
        parts = ", ".join(f"{v:.3g}" for v in self.deviation[:6])
        kind = "" if self.private else " This mode is not private."
        return (
            f"Mode {self.mode}: margin {self.margin}, so the test passes with chance "
            f"{self.probability:.4g}. The bound on the change of outlyingness is {parts} at the "
            f"first levels, and {self.deviation_allowed:.3g} is allowed; the volume part is "
            f"{self.volume[0]:.3g} at the first, and {self.volume_allowed:.3g} is allowed.{kind}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the bound on the change of outlyingness over levels, and its limit."""
        ax = ax or figures.axes()
        shown = np.where(np.isfinite(self.deviation), self.deviation, np.nan)
        ax.plot(np.arange(len(shown)), shown, "o-", label="bound on the change")
        ax.axhline(
            self.deviation_allowed, color=figures.PALETTE[1], linestyle="--", label="allowed"
        )
        ax.axvline(self.margin - 0.5, color="#767676", linestyle=":", label="margin")
        ax.set_yscale("log")
        ax.locator_params(axis="x", integer=True)
        ax.set_xlabel("level")
        ax.set_ylabel("change of outlyingness")
        ax.legend()
        return ax


@dataclass(frozen=True, eq=False)
class Release(Described):
    """Hold one run of the mechanism, with everything on its way. Only `value` may be shown to others.

    Attributes
    ----------
    value : array of float, shape (d,), or None
        A draw, or nothing.
    safety : Safety
    noisy_margin : float
    threshold : float
        Return the number that the noisy margin must exceed.
    sampler : str
        Name of the sampler of the draw; empty without a draw.
    exact : bool
        Whether it has exactly the distribution of the mechanism, up to rounding.
    epsilon, delta : float
        The budget.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.depth_medians import Setting
    >>> setting = Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5, directions=60)
    >>> data = np.random.default_rng(1).normal(size=(4000, 2))
    >>> release = setting.release(data, np.random.default_rng(2))
    >>> release.value.shape
    (2,)
    """

    value: Floats | None
    safety: Safety
    noisy_margin: float
    threshold: float
    sampler: str
    exact: bool
    epsilon: float
    delta: float

    @property
    def spent(self) -> str:
        """Put the spent budget into words; it is spent also where nothing is released."""
        if not self.safety.private:
            return f"nothing is guaranteed: mode {self.safety.mode} ({self.safety.claim})"
        chain = (
            "" if self.exact or self.value is None else ", and what the chain lacks of its limit"
        )
        return f"({self.epsilon:g}, {self.delta:g}){chain}"

    def __repr__(self) -> str:
        if self.value is None:
            said = "nothing"
        else:
            parts = ", ".join(f"{v:.4g}" for v in self.value[:5])
            said = f"({parts}{', ...' if self.value.size > 5 else ''}) by {self.sampler}"
        return (
            f"Release({said}; mode {self.safety.mode}, margin {self.safety.margin}, noisy "
            f"{self.noisy_margin:.4g} against {self.threshold:.4g}; spent: {self.spent})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        what = "Nothing was released" if self.value is None else "A draw was released"
        return (
            f"{what}: the margin {self.safety.margin} with noise is {self.noisy_margin:.4g}, the "
            f"threshold {self.threshold:.4g}. Spent: {self.spent}. {self.safety.describe()} "
            f"{NOT_FOR_RELEASES}"
        )

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the levels of the test."""
        return self.safety.plot(ax)


@dataclass(frozen=True)
class Setting:
    """A private projection-depth median by median and MAD, with all that it needs but the data.

    It is a `Mechanism`: called with data, a size and a generator it returns `size` independent
    releases, with nan for nothing.

    Attributes
    ----------
    epsilon : float
        > 0.
    delta : float
        In (0, 1/2].
    eta : float
        Change of outlyingness by one row that is allowed, > 0.
    tau : float
        Only points that lie out by at most tau are drawn, > 0.
    mode : {"nested", "nested_wide", "corrected", "printed"}
        See the module; the last two are not private.
    directions : int
        How many are drawn, >= 1; they do not depend on the data.
    seed : int
        Of the directions, >= 0.
    sampler : {"auto", "hit-and-run", "rejection", "langevin"}
        See `ExponentialMechanism.draws`.
    levels : int, optional
        Largest margin that is looked for, >= 1; by default failures are rarer than 1e-4.

    Raises
    ------
    ValueError
        A number outside its range, an unknown mode or sampler.

    Notes
    -----
    In the data nan is read as 0 and an infinity as 1e100, in silence: an error or a warning that
    depends on an entry would reveal it, outside the count of epsilon and delta. Whoever wants to
    notice missing entries looks for them before the release, and keeps the result secret.

    Source: depth_medians paper, Definition 3.3 (depth_medians:definition-3.3), with the safety
    margin at epsilon / 2 (depth_medians:definition-3.3-corrected), and Theorem 5.1.

    Examples
    --------
    >>> import numpy as np
    >>> setting = Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5, directions=60)
    >>> data = np.random.default_rng(1).normal(size=(4000, 2))
    >>> setting.safety(data).margin >= 3
    True
    >>> setting.release(data, np.random.default_rng(2)).value.shape
    (2,)
    """

    epsilon: float
    delta: float
    eta: float
    tau: float
    mode: Mode = "nested"
    directions: int = 500
    seed: int = 0
    sampler: Sampler = "auto"
    levels: int | None = None

    def __post_init__(self) -> None:
        theory.threshold(self.epsilon, self.delta)
        reading.positive(eta=self.eta, tau=self.tau)
        if self.mode not in CLAIMS:
            raise ValueError(f"mode must be one of {', '.join(CLAIMS)}, got {self.mode!r}")
        if self.sampler not in SAMPLERS:
            raise ValueError(f"sampler must be one of {', '.join(SAMPLERS)}, got {self.sampler!r}")
        reading.count("directions", self.directions)
        reading.count("seed", self.seed, 0)
        if self.levels is not None:
            reading.count("levels", self.levels, 1, 1000)
        elif not 2 / self.epsilon * math.log(1 / self.delta) <= MOST_LEVELS:
            raise ValueError(
                f"epsilon must be larger, got {self.epsilon:g}: a margin of more than {MOST_LEVELS} "
                "levels would be needed"
            )

    # --- what follows from the numbers ------------------------------------------------------------

    @property
    def accounting(self) -> Accounting:
        """Return the budget of a release; an infinite epsilon where the test is not private."""
        private = self.mode in ("nested", "nested_wide")
        epsilon = self.epsilon if private else math.inf
        return Accounting(
            (Spending("release", "the median, or nothing", epsilon, self.delta, CLAIMS[self.mode]),)
        )

    @property
    def beta(self) -> float:
        """Inverse temperature."""
        return theory.inverse_temperature(self.epsilon, self.eta)

    @property
    def threshold(self) -> float:
        """Return the number that the noisy margin must exceed."""
        return theory.threshold(self.epsilon, self.delta)

    @cached_property
    def most(self) -> int:
        """Largest margin that is looked for."""
        if self.levels is not None:
            return self.levels
        return max(1, theory.least_margin(1e-4, self.epsilon, self.delta))

    def pass_probability(self, margin: ArrayLike) -> Floats:
        """Return the chance that the test passes with some margin."""
        return theory.pass_probability(margin, self.epsilon, self.delta)

    def largest_minimum(self, dimension: int) -> float:
        """Return the largest least outlyingness at which the volume part holds."""
        return theory.largest_minimum(
            dimension, epsilon=self.epsilon, delta=self.delta, eta=self.eta, tau=self.tau
        )

    def shell_mass(self, minimum: float, dimension: int) -> float:
        """Return the largest mass beyond tau - eta, given the least outlyingness."""
        return theory.shell_mass(
            minimum, dimension, epsilon=self.epsilon, eta=self.eta, tau=self.tau
        )

    def directions_in(self, dimension: int) -> Floats:
        """Return the directions, shape (N, dimension); the same for all data.

        Raises
        ------
        ValueError
            They are fewer than the dimensions.
        """
        stream = np.random.default_rng(np.random.SeedSequence([self.seed, dimension]))
        return spanning(random_directions(dimension, self.directions, stream))

    def _directions(self, dimension: int, directions: ArrayLike | None) -> Floats:
        if directions is None:
            return self.directions_in(dimension)
        return spanning(unit_rows(directions, dimension))

    # --- the test ---------------------------------------------------------------------------------

    def safety(self, data: ArrayLike, directions: ArrayLike | None = None) -> Safety:
        """Return the margin of a dataset; it is not private.

        Parameters
        ----------
        data : array of float, shape (n, d)
            nan is read as 0, infinities as 1e100: no error depends on an entry.
        directions : array of float, shape (N, d), optional
            Unit rows in place of the setting's rows; they must not depend on the data.

        Returns
        -------
        Safety

        Raises
        ------
        ValueError
            Another shape, or directions that do not span the space.
        """
        rows = cleaned(data)
        return self._tested(rows, self._directions(rows.shape[1], directions))[0]

    def _tested(self, rows: Floats, units: Floats) -> tuple[Safety, Floats, Floats, Floats | None]:
        """The margin, location and scale, and a point of least outlyingness where one is known."""
        if self.mode in ("printed", "corrected"):
            return self._by_appendix_a(rows, units)
        found = Ingredients.of(rows, units, self.most, self.mode == "nested_wide")
        location, scale = found.location, found.scales[:, 0].copy()
        deviation = found.deviation(self.tau)
        point, minimum = None, math.inf
        if deviation[0] <= self.eta:  # else the margin is 0 anyway
            point, minimum, _ = _least(units, location, scale)
        d = units.shape[1]
        volume = np.array(
            [
                2 * self.shell_mass(minimum + (level + 1) * self.eta, d)
                if minimum < math.inf
                else 2.0
                for level in range(self.most)
            ]
        )
        passed = (deviation <= self.eta) & (volume <= self.delta)
        margin = int(np.argmin(np.append(passed, False)))
        safety = Safety(
            self.mode,
            margin,
            self.most,
            deviation,
            self.eta,
            volume,
            self.delta,
            minimum,
            float(self.pass_probability(margin)),
            CLAIMS[self.mode],
        )
        return safety, location, scale, point

    def _by_appendix_a(
        self, rows: Floats, units: Floats
    ) -> tuple[Safety, Floats, Floats, Floats | None]:
        """Test by Algorithm 2. In the paper levels k = 2, 3, ... must pass; corrected, k = 1, 2, ..."""
        printed = self.mode == "printed"
        version: Version = "printed" if printed else "corrected"
        first = 2 if printed else 1
        size, d = units.shape
        n = len(rows)
        location, scale = np.empty(size), np.empty(size)
        bounds = np.empty((size, self.most, 3))

        def work(samples: Floats, part: slice) -> None:
            samples.sort(axis=1)
            location[part] = samples[:, (n - 1) // 2]
            one = np.empty((len(samples), 3))
            for level in range(self.most):
                kernels.sensitivities(samples, first + level, printed, one)
                bounds[part, level] = one
            kernels.sensitivities(samples, 0, True, one)
            scale[part] = one[:, 2]

        over_directions(rows, units, work)
        least, largest = float(scale.min()), float(scale.max())
        wide = 2 * float(np.abs(location).max())
        with np.errstate(all="ignore"):
            top = (self.tau + self.eta) * bounds[:, :, 1].max(axis=0) + bounds[:, :, 0].max(axis=0)
            deviation = top / bounds[:, :, 2].min(axis=0)
        deviation = np.where(bounds[:, :, 2].min(axis=0) > 0, deviation, np.inf)
        volume = math.inf
        if least > 0:
            volume = theory.log_volume_ratio(
                *(least, largest, wide, d),
                epsilon=self.epsilon,
                eta=self.eta,
                tau=self.tau,
                version=version,
            ).value
        allowed = self.eta if printed else self.eta / 2
        budget = theory.volume_budget(self.epsilon, self.delta, version).value
        passed = (deviation < allowed) & (volume < budget)
        if not printed and self.delta > math.exp(-self.epsilon / 2) / 2:
            passed[:] = False  # lemma D.2 says nothing
        margin = int(np.argmin(np.append(passed, False)))
        safety = Safety(
            self.mode,
            margin,
            self.most,
            deviation,
            allowed,
            np.full(self.most, volume),
            budget,
            math.nan,
            float(self.pass_probability(margin)),
            CLAIMS[self.mode],
        )
        return safety, location, scale, None

    # --- the release ------------------------------------------------------------------------------

    def release(
        self,
        data: ArrayLike,
        rng: Generator | None = None,
        directions: ArrayLike | None = None,
    ) -> Release:
        """Run the mechanism once.

        Parameters
        ----------
        data : array of float, shape (n, d)
            nan is read as 0, infinities as 1e100: no error depends on an entry.
        rng : Generator, optional
        directions : array of float, shape (N, d), optional
            Unit rows in place of the setting's rows; they must not depend on the data.

        Returns
        -------
        Release

        Raises
        ------
        ValueError
            Another shape, or directions that do not span the space.
        """
        rows = cleaned(data)
        units = self._directions(rows.shape[1], directions)
        stream = generator(rng)
        safety, draw = self._run(rows, units)
        noisy = safety.margin + 2 / self.epsilon * float(stream.laplace())
        value, sampler, exact = None, "", False
        if noisy > self.threshold:
            values, sampler, exact = draw(1, stream)
            value = values[0] if np.isfinite(values[0]).all() else None
        return Release(
            value, safety, noisy, self.threshold, sampler, exact, self.epsilon, self.delta
        )

    def __call__(self, dataset: ArrayLike, size: int, rng: Generator) -> Floats:
        """Draw `size` independent releases, shape (size, d), nan for nothing."""
        rows = cleaned(dataset)
        safety, draw = self._run(rows, self._directions(rows.shape[1], None))
        noisy = safety.margin + 2 / self.epsilon * rng.laplace(size=size)
        passed = np.flatnonzero(noisy > self.threshold)
        found = np.full((size, rows.shape[1]), np.nan)
        if passed.size:
            found[passed] = draw(passed.size, rng)[0]
        return found

    def _run(
        self, rows: Floats, units: Floats
    ) -> tuple[Safety, Callable[[int, Generator], tuple[Floats, str, bool]]]:
        """Return the margin, and a function that draws; where no draw exists, it returns nan."""
        safety, location, scale, point = self._tested(rows, units)
        d = units.shape[1]

        def draw(size: int, stream: Generator) -> tuple[Floats, str, bool]:
            nothing = np.full((size, d), np.nan), "", False
            start, minimum = point, safety.minimum
            if start is None:
                start, minimum, _ = _least(units, location, scale)
            if not minimum < self.tau:
                return nothing
            fitted = Outlyingness(units, location, scale)
            try:
                with np.errstate(all="ignore"):
                    made = drawn(
                        *(fitted.scaled, fitted.offset, start, self.beta, self.tau),
                        *(size, stream, self.sampler),
                    )
            except (np.linalg.LinAlgError, ArithmeticError, ValueError):
                return nothing
            return made.values, made.sampler, made.exact

        return safety, draw

    # --- how to choose ----------------------------------------------------------------------------

    def tuned(
        self,
        data: ArrayLike,
        failure: float = 1e-3,
        directions: ArrayLike | None = None,
        taus: ArrayLike | None = None,
    ) -> Setting:
        """Choose eta and tau: the least eta with which data like these pass, and its tau.

        Parameters
        ----------
        data : array of float, shape (n, d)
            Public or simulated: the choice depends on them.
        failure : float
            Chance of a failure on these data, in (0, 1/2].
        directions : array of float, shape (N, d), optional
        taus : array of float, optional
            Values to try; default: 120 from 0.1 to 100.

        Returns
        -------
        Setting
            This one with other eta, tau and levels.

        Raises
        ------
        ValueError
            Entries that are not finite, a mode that is not nested, or no eta does it.

        Notes
        -----
        Source: depth_medians:note-nested-test. The cost of privacy is proportional to eta.
        """
        if self.mode not in ("nested", "nested_wide"):
            raise ValueError(f"mode must be nested or nested_wide, got {self.mode!r}")
        rows = finite("data", data)
        units = self._directions(rows.shape[1], directions)
        margin = max(1, theory.least_margin(failure, self.epsilon, self.delta))
        found = Ingredients.of(rows, units, margin, self.mode == "nested_wide")
        minimum = _least(units, found.location, found.scales[:, 0])[1]
        tries = np.geomspace(0.1, 100, 120) if taus is None else np.atleast_1d(taus)
        best = None
        for tau in np.asarray(tries, dtype=np.float64):
            eta = float(found.deviation(float(tau)).max()) * (1 + 1e-9)
            if not (minimum < math.inf and eta < math.inf and (best is None or eta < best.eta)):
                continue
            tried = replace(self, eta=eta, tau=float(tau), levels=margin)
            mass = tried.shell_mass(minimum + margin * eta, rows.shape[1])
            if 2 * mass <= self.delta:
                best = tried
        if best is None:
            raise ValueError(
                f"no eta and tau give a margin of {margin} on these data; take more rows, a larger "
                "epsilon or delta, or a larger failure"
            )
        return best


def _least(units: Floats, location: Floats, scale: Floats) -> tuple[Floats, float, float]:
    """`least_point` of any numbers: infinite where there is no scale or no answer."""
    if not (scale > 0).all():
        return np.full(units.shape[1], np.nan), math.inf, 0.0
    with np.errstate(all="ignore"):
        try:
            return least_point(units / scale[:, None], location / scale)
        except (np.linalg.LinAlgError, ArithmeticError):
            return np.full(units.shape[1], np.nan), math.inf, 0.0


FIGURE_1 = Setting(epsilon=10, delta=1e-3, eta=30 * math.log(10_000) / 10_000, tau=1.0)
"""The setting of Figure 1 below 20 dimensions, for n = 10 000; in 20 it takes 1000 directions."""
