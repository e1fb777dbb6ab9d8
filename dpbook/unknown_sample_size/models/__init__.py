"""Models of records: what Algorithm 1 is run on. `Model` is the interface for one of your own."""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
