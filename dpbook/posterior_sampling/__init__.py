"""Is one posterior draw private by itself? A paper's claims, decided, and its formulas, to run.

The paper answers queries with a parameter drawn from the posterior and asks which priors make that
private. Where the log likelihood is Lipschitz for every parameter, each draw is (assumption 1);
where it is so only with a high prior probability, less follows than the paper says (assumption 2).
Its symbols stand in `notation`, what it says, section by section, in `claims`; `counterexamples`
finds small models that break the printed bounds under assumption 2.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
