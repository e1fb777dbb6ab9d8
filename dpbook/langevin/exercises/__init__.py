"""Exercises of the langevin chapters, a file each; importing them registers them."""

from dpbook.langevin.exercises import chains, posterior, propose_test

__all__ = ["chains", "posterior", "propose_test"]
