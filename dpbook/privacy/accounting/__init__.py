"""Certified privacy accounting: intervals that provably hold epsilon or delta.

`gaussian_delta` and `gaussian_epsilon` answer to two adjacent doubles; `compose` does so for many
Gaussian and Laplace releases, as close as its error bounds allow. `compose_numerically` asks
dp-accounting for other distributions, and is not certified.
"""

from dpbook.privacy.accounting.composition import Composition, compose
from dpbook.privacy.accounting.enclosure import Enclosure
from dpbook.privacy.accounting.gaussian import gaussian_delta, gaussian_epsilon
from dpbook.privacy.accounting.numerical import NumericalComposition, compose_numerically

__all__ = [
    "Composition",
    "Enclosure",
    "NumericalComposition",
    "compose",
    "compose_numerically",
    "gaussian_delta",
    "gaussian_epsilon",
]
