"""What the posterior sampling paper says, section by section, and what is left of it."""

from dpbook import Source

SOURCE = Source(
    "Dimitrakakis, Nelson, Mitrokotsa, Rubinstein: Robust and Private Bayesian Inference",
    version="early arXiv version, dated October 30, 2018",
)
