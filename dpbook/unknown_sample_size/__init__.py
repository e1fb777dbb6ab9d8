"""Inference from privatised data whose number of records is noisy too: a paper's sampler, and proofs.

Under unbounded privacy the number of records n is itself secret. The paper (Awan, Barrientos and
Ju) adds n to the state of a Markov chain: rows are born and die. A `Setting` joins a model, noise
on its sums and on n, and a prior of n; it releases, samples and says whether the chains have
converged. `enumeration` lists tiny models whole, to check every step against.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
