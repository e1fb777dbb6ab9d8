"""Models of records, for Algorithm 1. `Model` is the interface for one of your own."""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
