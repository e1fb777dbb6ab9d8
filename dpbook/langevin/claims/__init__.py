"""Claims of the langevin paper, section by section, with their repairs."""

from dpbook import Source

SOURCE = Source(
    "Can Stochastic Gradient Langevin Dynamics Provide Differential Privacy for Deep Learning?",
    version="anonymous submission to ICLR 2022",
)
