"""Which claims there are: loaded by topic or from a file, found by key, ordered by what they use."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import sympy

from dpbook.engine.claims import record
from dpbook.engine.claims.claim import REGISTRY, Claim, ClaimError, staying
from dpbook.engine.statement import Noted
from dpbook.kernel.replay import foreign_letter


def load(topic: str) -> list[Claim]:
    """Import the claims of a topic, in the order of the paper: sections, then appendices."""
    if topic not in record.topics():
        near = difflib.get_close_matches(topic, record.topics(), 1)
        hint = f"; nearest: {near[0]}" if near else f"; there are {', '.join(record.topics())}"
        raise ClaimError(f"no topic {topic}{hint}")
    with sympy.evaluate(True):  # whoever asks, a condition is the same formula
        package = importlib.import_module(f"dpbook.{topic}.claims")
        names = sorted(
            (info.name for info in pkgutil.iter_modules(package.__path__)),
            key=lambda name: (name.startswith("appendix"), name),
        )
        for name in names:
            importlib.import_module(f"{package.__name__}.{name}")
    order = {f"{package.__name__}.{name}": index for index, name in enumerate(names)}
    claims = [c for c in REGISTRY.values() if c.function.__module__ in order]
    return sorted(
        claims,
        key=lambda c: (order[c.function.__module__], c.function.__code__.co_firstlineno),
    )


def load_file(path: Path) -> list[Claim]:
    """Import a user's own file and return the claims in it.

    Raises
    ------
    ClaimError
        When the file cannot be imported, or holds no claim.
    """
    topic = path.stem
    if topic in record.topics():
        raise ClaimError(f"{path.name} is called as the topic {topic}; give it another name")
    if "." in topic:
        raise ClaimError(f"{path.name} has a dot in its name, and is no Python module; rename it")
    # a file called random.py must not take the place of Python's own module
    name = f"own_{topic}" if importlib.util.find_spec(topic) else topic
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ClaimError(f"{path} is no Python file")
    for key in [key for key, c in REGISTRY.items() if c.topic == topic]:
        del REGISTRY[key]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder, writes = str(path.parent), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True  # a folder of the user's stays as it was
    try:
        with sympy.evaluate(True), staying():
            spec.loader.exec_module(module)
    except ClaimError as error:
        raise ClaimError(f"{path}{_line_in(path, error)}: {error}") from error
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}"
        raise ClaimError(f"{path}{_line_in(path, error)} cannot be imported: {said}") from error
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
    claims = [c for c in REGISTRY.values() if c.topic == topic]
    if not claims:
        raise ClaimError(f"{path} holds no claim; decorate a function with dpbook.claim")
    return claims


def _line_in(path: Path, error: BaseException) -> str:
    """The line of a user's file that an error came from, as ``:12``; empty where there is none."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f":{error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path
    ]
    return f":{lines[-1]}" if lines else ""


def find(key: str) -> Claim:
    """Return a claim by its key.

    Raises
    ------
    KeyError
        When there is none; the message names the nearest key.
    """
    if not isinstance(key, str):
        raise NoClaim(f"a key is text such as langevin:lemma-4.2, got {key!r}")
    if key in REGISTRY:
        return REGISTRY[key]
    if fault := foreign_letter(key):
        raise NoClaim(fault)
    topic = key.partition(":")[0]
    for name in [topic] if topic in record.topics() else record.topics():
        load(name)
    if key in REGISTRY:
        return REGISTRY[key]
    if key in record.topics():
        raise NoClaim(f"{key} is a topic and no claim; its claims: dpbook list {key}")
    near = [full for full in REGISTRY if full.partition(":")[2] == key]
    near = near or difflib.get_close_matches(key, list(REGISTRY), 1, cutoff=0.6)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise NoClaim(f"no claim {key}{hint}")


class NoClaim(ClaimError, KeyError):
    """There is no claim of that key."""

    def __str__(self) -> str:
        return str(self.args[0])


def closure(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims and all that they use or correct, each after those.

    Raises
    ------
    ClaimError
        When claims use each other in a cycle.
    """
    ordered: dict[str, Claim] = {}

    def visit(claim: Claim, path: tuple[str, ...]) -> None:
        if claim.key in path:
            cycle = (*path[path.index(claim.key) :], claim.key)
            raise ClaimError(f"claims use each other in a cycle: {' -> '.join(cycle)}")
        if claim.key in ordered:
            return
        for key in (*claim.using, *claim.corrects):
            visit(find(key), (*path, claim.key))
        ordered[claim.key] = claim

    for claim in claims:
        visit(claim, ())
    return list(ordered.values())


def unreadable(claims: Sequence[Claim]) -> dict[str, str]:
    """Say of claims that cannot be decided as they stand why that is, each in a line.

    Such a one has a fault of its own, a float for example, or uses one that has.
    """
    faults: dict[str, str] = {}
    sound: set[str] = set()
    for claim in claims:
        try:
            ordered = closure([claim])
        except ClaimError as error:
            faults[claim.key] = f"{claim.key} ({claim.location}): {error}"
            continue
        for one in ordered:
            if one.key in sound or one.key in faults:
                continue
            used = [key for key in (*one.using, *one.corrects) if key in faults]
            if used:
                faults[one.key] = f"{used[0]} cannot be read, and this claim uses or corrects it"
            elif fault := _fault(one):
                faults[one.key] = fault
            else:
                sound.add(one.key)
    return faults


def _fault(claim: Claim) -> str:
    """Say in a line why a claim cannot be decided as it stands; nothing where it can."""
    try:
        _ = claim.proof, claim.instances, claim.hash
        if not isinstance(claim.form, Noted):
            claim.task()
    except ClaimError as error:
        return str(error)
    except ValueError as error:
        return f"{claim.key} ({claim.location}): {error}"
    return ""


def sections(topic: str) -> dict[str, str]:
    """Return the claims of a topic in the order of the paper, each with its module's name."""
    return {c.key: c.function.__module__.rpartition(".")[2] for c in load(topic)}
