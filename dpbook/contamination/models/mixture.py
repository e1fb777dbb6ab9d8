"""The contaminated likelihood k_p = (1 - p) f + p g, in logs, with its first two derivatives."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.contamination.models.densities import AROUND, ContaminationDensity
from dpbook.contamination.models.likelihoods import Likelihood
from dpbook.privacy.reading import generator, number

Floats = NDArray[np.float64]

__all__ = ["Contaminated", "DataDependent", "contaminate"]

CONDITION = "random DP, conditional on the model"
COARSE = 0.02  # standard errors, of half a unit of the last decimal
BOUND = 1.0  # on covariates, Remark 14
BLOCK = 1 << 20  # numbers of a table that is made at once


class DataDependent(UserWarning):
    """A contamination density was chosen in view of the data.

    Examples
    --------
    >>> import warnings
    >>> import numpy as np
    >>> from dpbook.contamination.models import StudentTDensity, contaminate
    >>> x = np.random.default_rng(2).normal(30, 8, 50)
    >>> fitted = StudentTDensity(5.0, float(x.mean()), 8.0)
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     replaced = contaminate(x, 0.3, fitted, np.random.default_rng(1))
    >>> told[0].category.__name__
    'DataDependent'
    """


@dataclass(frozen=True)
class Contaminated:
    """A likelihood whose records are replaced by draws from a public density with a probability.

    Parameters
    ----------
    likelihood : Likelihood
    density : ContaminationDensity or None
        None: no contamination, k = f.
    rate : float
        p, in (0, 1); 0 without a density.

    Raises
    ------
    ValueError
        A rate outside (0, 1), a density that is 0 somewhere, whose mass is not 1, or that is on
        other values than the records.

    Notes
    -----
    Section 2.2 of the paper. With r = (1 - p) f / k, the chance that a record was kept, the score
    of k is r times that of f, and its second log-derivative is r (f''/f - r (score of f)**2).

    Examples
    --------
    >>> from dpbook.contamination.models import Normal, StudentTDensity
    >>> Contaminated(Normal(8.0), StudentTDensity(5, 30, 8), 0.4)
    Contaminated(likelihood=Normal(sd=8.0),...
    """

    likelihood: Likelihood
    density: ContaminationDensity | None
    rate: float

    def __post_init__(self) -> None:
        if self.density is None:
            if self.rate != 0:
                raise ValueError(f"rate must be 0 without a density, got {self.rate}")
        else:
            number("rate", self.rate, "in (0, 1)")
            self.density.check_support(self.likelihood)

    # --- of one record ------------------------------------------------------------------------

    def log_density(self, x: Floats, s: Floats, centre: Floats | float = 0.0) -> Floats:
        """Log of k_p at records and predictors, which broadcast."""
        plain = self.likelihood.log_density(x, s)
        if self.density is None:
            return plain
        other = math.log(self.rate) + self.density.log_density(x, np.asarray(centre))
        return np.logaddexp(math.log1p(-self.rate) + plain, other)

    def kept(self, x: Floats, s: Floats, centre: Floats | float = 0.0) -> Floats:
        """Chance that each record was kept, given its value."""
        plain = self.likelihood.log_density(x, s)
        if self.density is None:
            return np.ones(np.shape(plain))
        found: Floats = np.exp(math.log1p(-self.rate) + plain - self.log_density(x, s, centre))
        return found

    def score(self, x: Floats, s: Floats, centre: Floats | float = 0.0) -> Floats:
        """Derivative of log k_p in s."""
        return self.kept(x, s, centre) * self.likelihood.score(x, s)

    def curvature(self, x: Floats, s: Floats, centre: Floats | float = 0.0) -> Floats:
        """Second derivative of log k_p in s."""
        kept, slope = self.kept(x, s, centre), self.likelihood.score(x, s)
        return kept * (self.likelihood.curvature(x, s) + (1 - kept) * slope**2)

    # --- of a dataset -------------------------------------------------------------------------

    def read(
        self, x: ArrayLike, covariates: ArrayLike | None = None
    ) -> tuple[Floats, Floats | None]:
        """Return a dataset as arrays.

        Raises
        ------
        ValueError
            A shape that is not (n,) or (n, d), a record that the model cannot produce, a covariate
            that is not finite or beyond the bound 1 of Remark 14.
        """
        records = _array("records", x, 1)
        good = np.isfinite(records) & self.likelihood.inside(records)
        if not good.all():
            rule = "finite"
            if self.likelihood.values is not None:
                rule = " or ".join(f"{value:g}" for value in self.likelihood.values)
            # no value and no place: the records are private
            raise ValueError(f"records must be {rule}, and not all are")
        if covariates is None:
            return records, None
        w = _array("covariates", covariates, 2)
        if len(w) != records.size:
            raise ValueError(f"covariates must have {records.size} rows, got {len(w)}")
        off = ~(np.abs(w) <= BOUND)
        if off.any():
            i, j = (int(v) for v in np.argwhere(off)[0])
            raise ValueError(
                f"covariates must be within {BOUND:g} in size (Remark 14), got {w[i, j]} at "
                f"({i}, {j}); rescale them by public bounds"
            )
        return records, w

    def log_likelihood(
        self, theta: ArrayLike, x: Floats, covariates: Floats | None = None
    ) -> Floats:
        """Contaminated log-likelihood at parameters, shape (m,) or, with covariates, (m, d).

        Returns
        -------
        array of float, shape (m,)
        """
        points = np.atleast_1d(np.asarray(theta, dtype=float))
        centre = self._centres(x, covariates)
        found = np.empty(len(points))
        if covariates is None and self.likelihood.values is not None:
            kinds, counts = np.unique(x, return_counts=True)
            logs = self.log_density(kinds, points[:, None], centre[: kinds.size])
            weighted: Floats = logs @ counts
            return weighted
        size = max(1, BLOCK // x.size)
        for start in range(0, len(points), size):
            block = points[start : start + size]
            s = block[:, None] if covariates is None else block @ covariates.T
            found[start : start + size] = self.log_density(x, s, centre).sum(axis=1)
        return found

    def gradient(self, theta: ArrayLike, x: Floats, covariates: Floats | None = None) -> Floats:
        """Gradient of the log-likelihood at one parameter: shape (1,), or (d,) with covariates."""
        s, w = self._predictor(theta, x, covariates)
        return w.T @ self.score(x, s, self._centres(x, covariates))

    def hessian(self, theta: ArrayLike, x: Floats, covariates: Floats | None = None) -> Floats:
        """Hessian of the log-likelihood at one parameter: shape (1, 1), or (d, d)."""
        s, w = self._predictor(theta, x, covariates)
        return w.T @ (self.curvature(x, s, self._centres(x, covariates))[:, None] * w)

    def _predictor(
        self, theta: ArrayLike, x: Floats, covariates: Floats | None
    ) -> tuple[Floats, Floats]:
        at = np.atleast_1d(np.asarray(theta, dtype=float))
        w = np.ones((x.size, 1)) if covariates is None else covariates
        return w @ at, w

    def _centres(self, x: Floats, covariates: Floats | None) -> Floats:
        return (
            np.zeros(x.size) if self.density is None else self.density.centres(x.size, covariates)
        )


def _array(name: str, value: ArrayLike, dimensions: int) -> Floats:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be numbers, got {value!r:.60}") from None
    if found.ndim != dimensions or not found.size:
        shape = "(n,)" if dimensions == 1 else "(n, d)"
        raise ValueError(f"{name} must have shape {shape}, n >= 1, got {found.shape}")
    return found


def contaminate(
    x: ArrayLike,
    rate: float,
    density: ContaminationDensity,
    rng: Generator | None = None,
    *,
    covariates: ArrayLike | None = None,
) -> Floats:
    """Replace each record, with a probability, by a draw from a public density (Section 2.2).

    Parameters
    ----------
    x : array of float, shape (n,)
    rate : float
        In (0, 1).
    density : ContaminationDensity
        Chosen without looking at the records.
    rng : numpy.random.Generator, optional
        A fresh one when None.
    covariates : array of float, shape (n, d), optional
        Within 1 in size; what the centre of the density may depend on.

    Returns
    -------
    array of float, shape (n,)
        Which records were replaced is not told: nobody may know.

    Raises
    ------
    ValueError
        A rate outside (0, 1), records that are not finite, covariates beyond the bound, a density
        that is 0 somewhere, whose mass is not 1, or that is on other values than the records.

    Warns
    -----
    DataDependent
        The centre or the scale of the density is a mean, median, standard deviation, MAD or
        interquartile range of the records, in full or rounded to decimals that no guess hits by
        chance; or its coefficients are their least-squares fit. The analysis of the paper then does
        not hold: g must be public. A mean that is rounded further is not told from a public guess:
        that no warning comes is no proof that g is public.

    Examples
    --------
    >>> import numpy as np
    >>> from dpbook.contamination.models import StudentTDensity
    >>> contaminate([1.0, 2.0, 3.0], 0.5, StudentTDensity(5), np.random.default_rng(1))
    array([0.28738752, 2.        , 3.        ])
    """
    rate = number("rate", rate, "in (0, 1)")
    rng = generator(rng)
    records = _array("records", x, 1)
    if not np.isfinite(records).all():
        raise ValueError("records must be finite, and not all are")
    w = None
    if covariates is not None:
        w = _array("covariates", covariates, 2)
        if w.shape[0] != records.size or not (np.abs(w) <= BOUND).all():
            raise ValueError(
                f"covariates must have {records.size} rows within {BOUND:g} in size (Remark 14), "
                f"got shape {w.shape} with the largest {np.abs(w).max():g}; rescale them by public "
                "bounds"
            )
    if density.values is None:
        density.check_positive(density.centre + AROUND)
        density.check_mass()
    elif not np.isin(records, density.values).all():
        raise ValueError(
            f"records must be {' or '.join(f'{v:g}' for v in density.values)}, the values of "
            f"{type(density).__name__}, and not all are"
        )
    warn_of_fit(records, density, w)
    fresh = density.draw(density.centres(records.size, w), rng)
    return np.where(rng.random(records.size) < rate, fresh, records)


def warn_of_fit(
    records: Floats, density: ContaminationDensity | None, covariates: Floats | None = None
) -> None:
    """Warn where a density looks as if it was fitted to the records.

    A centre or a scale is taken for fitted where it is a statistic of the records, in full or rounded
    to the decimals that it has. Where these are so few that a public guess hits it by chance, that is
    no sign: half a unit of the last decimal must be below 0.02 standard errors of the mean, so that
    a guess that is right hits the mean of normal records with probability 0.016 at most. What else g
    was chosen by, and a mean that was rounded further, cannot be seen.
    """
    found = {name: getattr(density, name, None) for name in ("centre", "scale")}
    own = {name: float(v) for name, v in found.items() if v is not None}
    slopes = getattr(density, "coefficients", None)
    odd = slopes is not None and any(v != round(float(v), 3) for v in slopes)
    if records.size < 3 or not (own or odd):
        return
    if covariates is not None and slopes is not None:
        if odd and np.allclose(slopes, np.linalg.lstsq(covariates, records)[0], 1e-9, 0):
            _warn("coefficients", "least-squares fit", slopes)
            return
        records = records - covariates @ np.asarray(slopes)
    with np.errstate(over="ignore", invalid="ignore"):
        median = float(np.median(records))
        mad = float(np.median(np.abs(records - median)))
        low, high = np.quantile(records, [0.25, 0.75])
        fitted = {
            "mean": float(records.mean()),
            "median": median,
            "standard deviation": float(records.std()),
            "standard deviation, n - 1": float(records.std(ddof=1)),
            "median absolute deviation": mad,
            "median absolute deviation, times 1.4826": 1.4826 * mad,
            "interquartile range": float(high - low),
            "interquartile range over 1.349": float(high - low) / 1.349,
        }
    for name, mine in own.items():
        half = _last_decimal(mine)
        # under heavy tails the standard deviation is no measure of the reach of a guess
        spread = min(fitted["standard deviation"], 1.4826 * mad)
        if half > COARSE * spread / math.sqrt(records.size):
            half = 0.0
        exact = mine != round(mine, 3)
        for what, value in fitted.items():
            off = abs(mine - value)
            rounded = half > 0 and off <= half * (1 + 1e-9)
            if value and (rounded or (exact and off <= 1e-9 * abs(value))):
                _warn(name, what, value)
                return


def _last_decimal(value: float) -> float:
    """Half a unit of the last decimal digit of a number; 0 where it has more than nine."""
    for digits in range(-15, 10):
        if round(value, digits) == value:
            return 0.5 * 10.0**-digits
    return 0.0


def _warn(name: str, what: str, value: object) -> None:
    shown = ", ".join(f"{float(v):.6g}" for v in np.ravel(np.asarray(value)))
    warnings.warn(
        f"{name} of g is the {what} of the records, {shown}: g must be public, and the guarantee "
        "does not hold for one that depends on the records",
        DataDependent,
        stacklevel=4,
    )
