"""How many modules of dpbook one check enters, counted by a trace of its calls.

    python benchmarks/modules_entered.py [STATEMENT]

A module is entered where one of its functions is called from another module; the body of a module,
which runs once when it is imported, is no call. The check runs in this process, with the search that
a worker would do. At commit c98912f: 78 modules, entered 9,526 times.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from types import FrameType
from typing import Any

from dpbook import check
from dpbook.engine.run import decide, workers

STATEMENT = "exp(x) >= 1 + x"


def entered(statement: str) -> Counter[str]:
    """Return how often a check of a statement enters each module of dpbook."""
    found: Counter[str] = Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_code.co_name == "<module>" or frame.f_back is None:
            return
        name = frame.f_globals.get("__name__", "")
        if name.startswith("dpbook.") and frame.f_back.f_globals.get("__name__") != name:
            found[name] += 1

    decide.ALONE = 60.0  # seconds of the first search, which the trace makes much slower
    elsewhere, workers.run_one = workers.run_one, decide.answered
    sys.setprofile(note)
    try:
        check(statement)
    finally:
        sys.setprofile(None)
        workers.run_one = elsewhere
    return found


def main() -> None:
    """Print the modules and how often each is entered."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("statement", nargs="?", default=STATEMENT)
    found = entered(reader.parse_args().statement)
    for name, times in sorted(found.items(), key=lambda item: -item[1]):
        print(f"{times:8}  {name}")
    print(f"{found.total():8}  {len(found)} modules")


if __name__ == "__main__":
    main()
