"""The classes that statements are made of: a statement shows their names, their sources say more."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from uuid import uuid4

from sympy import Basic

from dpbook.engine.domain import RangedSymbol
from dpbook.engine.statement import MANY, unfold_definitions

ELSEWHERE = ("sympy", "dpbook.engine", "dpbook.kernel")  # what else is remembered has these


def classes_in(expressions: Iterable[Basic]) -> set[type]:
    """Return the classes of all parts of expressions, as they stand and written out."""
    return set().union(*map(_classes_in, expressions))


@lru_cache(maxsize=MANY)
def _classes_in(expression: Basic) -> frozenset[type]:
    waiting: list[Basic] = [expression, unfold_definitions(expression)]
    seen: set[Basic] = set()
    while waiting:
        part = waiting.pop()
        if part in seen:
            continue
        seen.add(part)
        waiting += [argument for argument in part.args if isinstance(argument, Basic)]
        if isinstance(part, RangedSymbol):
            ends = [e for e in (part.range.lower, part.range.upper) if e is not None]
            waiting += [*ends, *map(unfold_definitions, ends)]
    return frozenset(map(type, seen))


def sources_of(classes: Iterable[type]) -> list[str]:
    """Return the names of classes and their bases, each with a hash of its module's source.

    Those of SymPy, the standard library, the engine and the kernel are left out.
    """
    own = {base for kind in classes for base in _own_bases(kind)}
    return sorted(f"{c.__module__}.{c.__qualname__} {_source_hash(c)}" for c in own)


@cache
def _own_bases(kind: type) -> tuple[type, ...]:
    return tuple(base for base in kind.__mro__ if base.__module__ and _is_own(base.__module__))


@cache
def _is_own(module: str) -> bool:
    standard = module.partition(".")[0] in sys.stdlib_module_names
    return not standard and not any(f"{module}.".startswith(f"{name}.") for name in ELSEWHERE)


def _source_hash(kind: type) -> str:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if file is None or not Path(file).is_file():
        return _token(kind)
    about = Path(file).stat()  # a user's file may change, and is then loaded anew
    return _hash(file, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=1000)
def _hash(file: str, changed: int, size: int) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _token(kind: type) -> str:
    """Stand for the source of a class without a file: another process knows nothing of it."""
    return uuid4().hex
