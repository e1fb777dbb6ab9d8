"""Kernels are compiled when they are first called; who waits at a terminal is told so.

The machine code is kept beside the sources, or in the user's cache where those cannot be written:
the next process finds it.
"""

from __future__ import annotations

import sys

from numba import njit
from numba.core import event

__all__ = ["njit"]

SAID = "compiling for this processor; that is kept, and takes up to half a minute now ...\n"


class _Telling(event.Listener):
    """Says once, on a terminal, that code is being compiled."""

    said = False

    def on_start(self, event: event.Event) -> None:
        if not self.said and sys.stderr.isatty():
            sys.stderr.write(SAID)
            sys.stderr.flush()
            self.said = True

    def on_end(self, event: event.Event) -> None:
        pass


telling = _Telling()
event.register("numba:compile", telling)  # type: ignore[no-untyped-call]
