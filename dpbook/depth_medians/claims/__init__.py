"""What the depth_medians paper says, section by section, and what is left of it."""

from dpbook import Source

SOURCE = Source(
    "Ramsay, Spicker: Differentially private projection-depth-based medians",
    version="dated July 24, 2024",
)
