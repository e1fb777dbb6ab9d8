"""How much of a search a test takes: by itself as much as the true twin needs, with DPBOOK_FULL the whole."""

import os

FULL = bool(os.environ.get("DPBOOK_FULL"))


def effort(short, whole):
    """Return the whole budget, or the whole depths, only where everything is run."""
    return whole if FULL else short
