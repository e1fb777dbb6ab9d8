"""Claims of the depth_medians paper, section by section, and their repairs."""

from dpbook import Source

SOURCE = Source(
    "Ramsay, Spicker: Differentially private projection-depth-based medians",
    version="dated July 24, 2024",
)
