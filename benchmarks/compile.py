"""List the seconds that each kernel compiles, with their sum: processor time, in an empty cache.

    python benchmarks/compile.py [--topic TOPIC] [--least SECONDS]

`alone` is without the kernels that it calls; `with all` counts those that were not compiled before
it, as the first caller waits for them. `stated` is the time that a waiting user is shown; it should
be near where a kernel takes more than two seconds.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from typing import Any


class Spent:
    """Seconds of each kernel."""

    def __init__(self) -> None:
        self.open: list[list[float]] = []  # start, and what the kernels inside took
        self.alone: dict[Callable[..., Any], float] = {}
        self.whole: dict[Callable[..., Any], float] = {}

    def on_start(self) -> None:
        self.open.append([time.process_time(), 0.0])

    def on_end(self, kernel: Callable[..., Any]) -> None:
        start, inside = self.open.pop()
        whole = time.process_time() - start
        self.alone[kernel] = self.alone.get(kernel, 0.0) + whole - inside
        if self.open:
            self.open[-1][1] += whole
        else:
            self.whole[kernel] = max(whole, self.whole.get(kernel, 0.0))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--topic", default="")
    options.add_argument("--least", type=float, default=0.3, help="shorter kernels are not listed")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder  # before Numba is imported
        from numba.core import event

        from dpbook.ext import kernels

        spent = Spent()

        def is_ours(event: event.Event) -> bool:
            module: str = event.data["dispatcher"].py_func.__module__
            return module.startswith("dpbook.")

        class Clock(event.Listener):
            """Counts what Numba compiles of its own with the kernel that needs it."""

            def on_start(self, event: event.Event) -> None:
                if is_ours(event):
                    spent.on_start()

            def on_end(self, event: event.Event) -> None:
                if is_ours(event):
                    spent.on_end(event.data["dispatcher"].py_func)

        event.register("numba:compile", Clock())  # type: ignore[no-untyped-call]
        warnings.simplefilter("ignore")  # of estimates from too few draws
        for name, call in kernels.first_calls():
            if name.startswith(chosen.topic):
                start = sum(spent.alone.values())
                call()
                print(f"{name}: {sum(spent.alone.values()) - start:.1f} s", flush=True)
    print(f"\n{'kernel':52}{'alone':>8}{'with all':>10}{'stated':>8}")
    off = False
    for kernel, alone in sorted(spent.alone.items(), key=lambda item: -item[1]):
        whole, stated = spent.whole.get(kernel, 0.0), getattr(kernel, "seconds", None)
        wrong = whole > 2.0 and not (stated and whole / 2 < stated < 2 * whole)
        off |= wrong
        if alone >= chosen.least or wrong or stated:
            name = f"{kernel.__module__.removeprefix('dpbook.')}.{kernel.__qualname__}"
            shown = "" if stated is None else f"{stated:g}"
            print(f"{name:52}{alone:8.2f}{whole:10.2f}{shown:>8}{'   OFF' * wrong}")
    print(f"{'all ' + str(len(spent.alone)) + ' kernels':52}{sum(spent.alone.values()):8.1f}")
    return int(off)


if __name__ == "__main__":
    raise SystemExit(main())
