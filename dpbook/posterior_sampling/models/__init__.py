"""Likelihoods and priors: what posterior sampling draws from, and how smooth it is.

`Model` is the interface for one of your own. The names are those of the records' distributions.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
