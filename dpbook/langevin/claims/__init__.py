"""What the langevin paper says, section by section, and what is left of it."""

from dpbook import Source

SOURCE = Source(
    "Can Stochastic Gradient Langevin Dynamics Provide Differential Privacy for Deep Learning?",
    version="anonymous submission to ICLR 2022",
)
