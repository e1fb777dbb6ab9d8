"""Compile all kernels beforehand, by small calls of each topic that reach them."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from dpbook.engine.claims import record

Call = tuple[str, Callable[[], object]]


def first_calls() -> list[Call]:
    """List the calls of all topics, each with its topic and name.

    The topics are imported here: that takes seconds.
    """
    names = [f"dpbook.{topic}.first_calls" for topic in record.topics()]
    modules = [import_module(name) for name in names if find_spec(name)]
    return [
        (f"{module.__name__.split('.')[1]}: {name}", call)
        for module in modules
        for name, call in module.CALLS.items()
    ]


def compile_all(calls: Sequence[Call], step: Callable[[str], None] | None = None) -> None:
    """Make each call, and remember that all kernels are compiled.

    A kernel that was compiled before is read from the cache of Numba: a run that was stopped goes on.

    Parameters
    ----------
    calls : sequence
        Those of `first_calls`.
    step : callable, optional
        Takes the name of each call that was made.
    """
    from dpbook.privacy import compiling

    with compiling.silent(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of estimates from too few draws
        for name, call in calls:
            call()
            if step is not None:
                step(name)
    marker = _marker()
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()


def are_compiled() -> bool:
    """Return whether `compile_all` has compiled the kernels as they stand, for this processor."""
    return _marker().exists()


def _marker() -> Path:
    """Return the path of a file that exists where the kernels as they stand are compiled."""
    from llvmlite.binding import get_host_cpu_name

    sources = sorted(
        path for topic in record.topics() for path in (record.PACKAGE / topic).rglob("*.py")
    )
    # as Numba decides whether machine code is of a source
    stamps = [f"{path} {path.stat().st_mtime_ns} {path.stat().st_size}" for path in sources]
    digest = hashlib.sha256("\n".join([record.versions(), get_host_cpu_name(), *stamps]).encode())
    return record.cache_folder() / f"kernels-{digest.hexdigest()[:16]}"
