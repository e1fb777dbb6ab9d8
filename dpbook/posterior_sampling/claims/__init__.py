"""Claims of the posterior sampling paper, section by section, with their repairs."""

from dpbook import Source

SOURCE = Source(
    "Dimitrakakis, Nelson, Mitrokotsa, Rubinstein: Robust and Private Bayesian Inference",
    version="early arXiv version, dated October 30, 2018",
)
