"""Certified privacy accounting: intervals that provably hold epsilon or delta.

`gaussian_delta` and `gaussian_epsilon` answer to two adjacent doubles; `compose` encloses them for many
releases with Gaussian or Laplace noise, on all records or on Poisson samples, as close as its error bounds allow.
"""

from dpbook.privacy.accounting.calibration import calibrate
from dpbook.privacy.accounting.composition import Composition, compose
from dpbook.privacy.accounting.enclosure import Enclosure
from dpbook.privacy.accounting.gaussian import gaussian_delta, gaussian_epsilon
from dpbook.privacy.accounting.subsampling import PoissonSampled

__all__ = [
    "Composition",
    "Enclosure",
    "PoissonSampled",
    "calibrate",
    "compose",
    "gaussian_delta",
    "gaussian_epsilon",
]
