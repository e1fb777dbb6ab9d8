"""Claims of the contamination paper, section by section, with their repairs."""

from dpbook import Source

SOURCE = Source(
    "Hu, Aslett, Dai, Pollock, Roberts: Privacy Guarantees in Posterior Sampling under "
    "Contamination",
    version="preprint of 2026, with its supplement",
)
