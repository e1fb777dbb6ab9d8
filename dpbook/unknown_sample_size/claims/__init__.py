"""What the paper on unknown sample sizes says, section by section, and what is left of it."""

from dpbook import Source

SOURCE = Source(
    "Awan, Barrientos, Ju: Statistical Inference for Privatized Data with Unknown Sample Size",
    version="arXiv version with supplement",
)
