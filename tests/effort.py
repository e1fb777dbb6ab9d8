"""Choose how far a test searches for a proof of a false statement."""

import os

FULL = bool(os.environ.get("DPBOOK_FULL"))


def effort(short, whole):
    """Return the budget, or the depths, that its true twin needs; the whole of them with DPBOOK_FULL."""
    return whole if FULL else short
