"""Certified privacy accounting: intervals that provably hold epsilon or delta.

`gaussian_delta` and `gaussian_epsilon` answer to two adjacent doubles; `compose` encloses them for many
releases with Gaussian or Laplace noise, on all records or on Poisson samples, as close as its error bounds allow.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
