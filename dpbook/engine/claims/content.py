"""Hash all things on which the verdict of a claim depends.

A statement shows only the names of its classes, so the sources of these are hashed too.
"""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from types import ModuleType
from uuid import uuid4

import sympy
from sympy import Basic

from dpbook.engine.claims import proof_files, record
from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.statement import MANY, unfold_definitions
from dpbook.engine.language.task import expressions_of

ELSEWHERE = ("sympy", "dpbook.engine", "dpbook.kernel")  # other hashes contain these


def content_key(claim: Claim, known: dict[str, str] | None = None) -> str:
    """Return a hash of all that decides the verdict of a claim, with its proof on record.

    Parameters
    ----------
    claim : Claim
    known : dict, optional
        The hashes so far, by the keys of the claims: each hash is made once.
    """
    known = {} if known is None else known
    if claim.key in known:
        return known[claim.key]
    said = [claim.hash, str(claim.time_limit), record.source_hash("kernel", "engine")]
    said.append(proof_files.digest(proof_on_record(claim)))
    said += [str(claim.source)] if claim.axiom else []
    steps, instances = claim.proof.steps if claim.proof is not None else (), claim.instances
    with sympy.evaluate(False):  # once, not for each side
        said += [str(s.tree.map(unfold_definitions)) for s in steps]
        said += [str(sorted((str(k), str(v)) for k, v in point.items())) for point in claim.try_at]
        said += [f"{what} = {value}" for what, value in claim.example.items()]
        said += [claim.scope, *claim.cites, *sorted(claim.without)]
        said += [f"{s} = {unfold_definitions(value)}" for _, at in instances for s, value in at]
    trees = (claim.form, *claim.given, *(s.tree for s in steps))
    put_in = (e for _, at in instances for pair in at for e in pair if isinstance(e, sympy.Basic))
    parts = [*(e for tree in trees for e in expressions_of(tree)), *put_in]
    # two distributions with the same name look the same in the text of a statement
    said += sources_of(classes_in(parts))
    said += [content_key(find(key), known) for key in (*claim.using, *claim.corrects)]
    known[claim.key] = hashlib.sha256("|".join(said).encode()).hexdigest()
    return known[claim.key]


def file_name(claim: Claim) -> str:
    """Return the name under which the evidence of a claim is remembered."""
    return claim.key.replace(":", "__")


# --- classes ------------------------------------------------------------------------------------------


def classes_in(expressions: Iterable[Basic]) -> set[type]:
    """Return the classes of all parts of expressions, as written and with definitions unfolded."""
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

    The modules that the source imports are hashed with it, and the modules that they import.
    Modules of SymPy, the standard library, the engine and the kernel are left out; so are the
    imports of a library that is installed.
    """
    bases = {base for kind in classes for base in kind.__mro__}
    own = {base for base in bases if base.__module__ and _is_own(base.__module__)}
    return sorted(f"{c.__module__}.{c.__qualname__} {_source_hash(c)}" for c in own)


@cache
def _is_own(module: str) -> bool:
    standard = module.partition(".")[0] in sys.stdlib_module_names
    return not standard and not any(f"{module}.".startswith(f"{name}.") for name in ELSEWHERE)


Stamp = tuple[ModuleType, int, int]  # a module, the time of the last change of its file, its size
_stamps: dict[str, Stamp] = {}  # of the modules that this process imported, when first met
# for a module the stamps of all modules that it rests on, and its hash
_known: dict[str, tuple[dict[str, Stamp], str]] = {}
_INSTALLED = {"site-packages", "dist-packages"}


def _source_hash(kind: type) -> str:
    module = kind.__module__
    if module in _known:
        rests_on, known = _known[module]
        if all(_stamp(name) == stamp for name, stamp in rests_on.items()):
            return known
    stamps: dict[str, Stamp] = {}
    waiting = [(module, "")]
    while waiting:
        name, importing = waiting.pop()
        stamp = _stamp(name)
        if stamp is None and name == module:
            return _token(kind)
        if stamp is None or name in stamps:
            continue
        before = _stamps.setdefault(name, stamp)
        if before != stamp and before[0] is stamp[0]:
            return _token(kind)  # the file has changed since this process imported it
        stamps[name] = _stamps[name] = stamp
        installed = _INSTALLED & set(Path(_file(name)).parts)
        if not installed or _top(name) == _top(importing or name):
            waiting += [(one, name) for one in _imported(name)]
    hashes = [f"{name} {_hash(_file(name), *stamp[1:])}" for name, stamp in sorted(stamps.items())]
    found = hashlib.sha256("|".join(hashes).encode()).hexdigest()
    _known[module] = stamps, found
    return found


def _top(module: str) -> str:
    return module.partition(".")[0]


def _file(module: str) -> str:
    return getattr(sys.modules.get(module), "__file__", None) or ""


def _stamp(module: str) -> Stamp | None:
    """Return a stamp that differs when the source of a module differs; a user's file may change."""
    try:
        about = os.stat(_file(module))
    except OSError:
        return None
    return sys.modules[module], about.st_mtime_ns, about.st_size


def _imported(module: str) -> list[str]:
    """Return the modules that a module imports and whose sources are hashed."""
    stamp, file = _stamp(module), _file(module)
    if stamp is None or not file.endswith(".py"):
        return []
    package = stamp[0].__package__ or ""
    names = _names_imported(file, package, *stamp[1:])
    return [name for name in names if name in sys.modules and _is_own(name)]


@lru_cache(maxsize=1000)
def _names_imported(file: str, package: str, changed: int, size: int) -> tuple[str, ...]:
    found: list[str] = []
    for node in ast.walk(ast.parse(Path(file).read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: 1 - node.level or None] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            found += [origin, *(f"{origin}.{alias.name}" for alias in node.names)]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1000)
def _hash(file: str, changed: int, size: int) -> str:
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


@cache
def _token(kind: type) -> str:
    """Return a random token in place of the source of a class without a file.

    Another process knows nothing of this class.
    """
    return uuid4().hex
