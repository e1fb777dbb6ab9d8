"""What the contamination paper says, section by section, and what is left of it."""

from dpbook import Source

SOURCE = Source(
    "Hu, Aslett, Dai, Pollock, Roberts: Privacy Guarantees in Posterior Sampling under "
    "Contamination",
    version="preprint of 2026, with its supplement",
)
