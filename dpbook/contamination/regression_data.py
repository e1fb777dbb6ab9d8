"""Compute log-likelihoods of a regression: by loops for the likelihoods of Section 4.3, by arrays for others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpbook.contamination import kernels
from dpbook.contamination.models.likelihoods import Cauchy, Logistic, Normal
from dpbook.contamination.models.mixture import Contaminated

Floats = NDArray[np.float64]


class Terms(NamedTuple):
    """The parameters that the loops take; see `kernels.regression_logs`."""

    kind: int
    scale: float
    height: float
    other: Floats


@dataclass(frozen=True, eq=False)
class RegressionData:
    """Records with their covariates, under a contaminated likelihood.

    Attributes
    ----------
    model : Contaminated
    x : array of float, shape (n,)
    w : array of float, shape (n, d)
    """

    model: Contaminated
    x: Floats
    w: Floats

    @cached_property
    def terms(self) -> Terms | None:
        """The parameters of the loops; None where they do not know the likelihood."""
        likelihood, density = self.model.likelihood, self.model.density
        # a class that is derived from one of these may have another density
        if type(likelihood) is Normal:
            kind, scale, constant = kernels.NORMAL, likelihood.sd, math.sqrt(2 * math.pi)
        elif type(likelihood) is Cauchy:
            kind, scale, constant = kernels.CAUCHY, likelihood.gamma, math.pi
        elif type(likelihood) is Logistic:
            kind, scale, constant = kernels.LOGISTIC, 1.0, 1.0
        else:
            return None
        other = np.zeros(self.x.size)
        if density is not None:
            centres = density.centres(self.x.size, self.w)
            other = self.model.rate * np.exp(density.log_density(self.x, centres))
            if not other.min() > 0:  # too small for a float
                return None
        return Terms(kind, scale, (1 - self.model.rate) / (scale * constant), other)

    # the loops are compiled for arrays without gaps

    @cached_property
    def _x(self) -> Floats:
        return np.ascontiguousarray(self.x)

    @cached_property
    def _rows(self) -> Floats:
        return np.ascontiguousarray(self.w)

    @cached_property
    def _columns(self) -> Floats:
        return np.ascontiguousarray(self.w.T)

    def log_likelihood(self, points: Floats) -> Floats:
        """Log-likelihood at parameters of shape (m, d); shape (m,)."""
        if self.terms is None:
            return self.model.log_likelihood(points, self.x, self.w)
        found, points = np.empty(len(points)), np.ascontiguousarray(points)
        kernels.regression_logs(*self.terms, self._x, self._columns, points, found)
        lacking = np.isnan(found)
        if lacking.any():
            found[lacking] = self.model.log_likelihood(points[lacking], self.x, self.w)
        return found

    def derivatives(self, theta: Floats) -> tuple[Floats, Floats]:
        """Gradient and Hessian of the log-likelihood at a parameter of shape (d,)."""
        if self.terms is None:
            slope = self.model.gradient(theta, self.x, self.w)
            return slope, self.model.hessian(theta, self.x, self.w)
        slope, bend = np.empty(theta.size), np.empty((theta.size, theta.size))
        kernels.regression_derivatives(*self.terms, self._x, self._rows, theta, slope, bend)
        return slope, bend
