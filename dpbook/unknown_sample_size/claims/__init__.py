"""Claims of the paper on unknown sample sizes, section by section, and their repairs."""

from dpbook import Source

SOURCE = Source(
    "Awan, Barrientos, Ju: Statistical Inference for Privatized Data with Unknown Sample Size",
    version="arXiv version with supplement",
)
