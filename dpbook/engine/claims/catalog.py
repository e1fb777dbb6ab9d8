"""Load claims by topic or from a file, find them by key, and order them by their dependencies."""

from __future__ import annotations

import difflib
import importlib.util
import pkgutil
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

import sympy

from dpbook.engine.claims import record, topics
from dpbook.engine.claims.beside import own_modules
from dpbook.engine.claims.claim import REGISTRY, Claim, ClaimError, staying
from dpbook.engine.language.statement import Noted
from dpbook.kernel.files.replay import foreign_letter

LOADED: dict[str, topics.Topic] = {}  # topics that do not belong to the book, by name


class EmptyTopic(ClaimError):
    """Signal a topic that can be imported, and holds no claim."""


def load(topic: str) -> list[Claim]:
    """Import the claims of a topic, in the order of the paper: sections, then appendices.

    A topic that does not belong to the book stays as it was loaded; `load_anew` runs it again.

    Raises
    ------
    ClaimError
        When there is no such topic, or a part of it cannot be imported.
    """
    try:
        found = topics.find(topic)
    except topics.NoTopic as error:
        raise ClaimError(str(error)) from None
    if found.of_the_book:
        _run(found, f"{found.module}.claims")
        for module in _sections(found):
            _run(found, module)
        return _of(found)
    if LOADED.get(topic) == found and (claims := _of(found)):
        return claims
    opened = topics.OPENED.get(topic)
    claims, faults = load_anew(found)
    if faults == [_empty(found)]:
        raise EmptyTopic(faults[0])
    if faults:
        forget(topic)  # else the next call would find the half above the fault
        if opened is not None:
            topics.OPENED[topic] = opened
        raise ClaimError(faults[0])
    return claims


def load_anew(topic: topics.Topic) -> tuple[list[Claim], list[str]]:
    """Import the claims of a topic that does not belong to the book; run an imported topic again.

    If a part cannot be imported, the other parts are still loaded.

    Returns
    -------
    list of Claim
    list of str
        A line for each part that cannot be imported, with its file and line.
    """
    faults: list[str] = []
    if topic.own:
        forget(topic.name)
        topics.OPENED[topic.name] = topic

    def attempt(module: str) -> bool:
        try:
            with staying(), topics.importable(topic):
                _run(topic, module)
        except (Exception, SystemExit) as error:
            faults.append(_said(topic, module, error))
        return not faults

    with own_modules(topic):
        if topic.is_file:
            attempt(topic.module)
        elif attempt(f"{topic.module}.claims"):
            for module in _sections(topic):
                attempt(module)
    claims = _of(topic)
    if not claims and not faults:
        faults.append(_empty(topic))
    LOADED[topic.name] = topic
    return claims, faults


def _empty(topic: topics.Topic) -> str:
    where = topic.path if topic.is_file else topic.path / "claims"
    return f"{where} holds no claim; decorate a function with dpbook.claim"


def forget(name: str) -> None:
    """Unload a topic of the user; do nothing if it is not loaded."""
    topics.OPENED.pop(name, None)
    for key in [key for key, c in REGISTRY.items() if c.topic == name]:
        del REGISTRY[key]
    loaded = LOADED.pop(name, None)
    if loaded is None:
        return
    for module, made in list(sys.modules.items()):
        file = getattr(made, "__file__", None)
        if file is not None and Path(file).is_relative_to(loaded.path):
            del sys.modules[module]


def restore(topic: topics.Topic, claims: Sequence[Claim]) -> None:
    """Let a name mean a topic of the user that was loaded before, where another one took the name."""
    if LOADED.get(topic.name) == topic == topics.OPENED.get(topic.name):
        return
    for key in [key for key, c in REGISTRY.items() if c.topic == topic.name]:
        del REGISTRY[key]
    REGISTRY.update({claim.key: claim for claim in claims})
    LOADED[topic.name] = topics.OPENED[topic.name] = topic


def import_part(topic: topics.Topic, part: str) -> bool:
    """Import a module of a topic that is a package; return False if there is no such module.

    Raises
    ------
    ClaimError
        When the module of a topic that does not belong to the book cannot be imported.
    """
    module = f"{topic.module}.{part}"
    try:
        with topics.importable(topic):
            if importlib.util.find_spec(module) is None:
                return False
            importlib.import_module(module)
    except (Exception, SystemExit) as error:
        if topic.of_the_book:
            raise
        raise ClaimError(_said(topic, module, error)) from error
    return True


def _run(topic: topics.Topic, module: str) -> None:
    with sympy.evaluate(True):  # a condition is the same formula for every caller
        if not (topic.is_file and topic.own):
            importlib.import_module(module)
            return
        spec = importlib.util.spec_from_file_location(module, topic.path)
        if spec is None or spec.loader is None:
            raise ClaimError("it is no Python file")
        made = sys.modules[module] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)


def _sections(topic: topics.Topic) -> list[str]:
    """Return the modules of a topic's claims in the order of the paper.

    The package of the claims must be imported before.
    """
    package = sys.modules[f"{topic.module}.claims"]
    names = (info.name for info in pkgutil.iter_modules(package.__path__))
    ordered = sorted(names, key=lambda name: (name.startswith("appendix"), name))
    return [f"{package.__name__}.{name}" for name in ordered]


def _of(topic: topics.Topic) -> list[Claim]:
    """Return the registered claims of a topic, in the order of the paper."""
    claims = [c for c in REGISTRY.values() if c.topic == topic.name]
    package = f"{topic.module}.claims"
    if topic.is_file or package not in sys.modules:
        return claims
    order = {module: index for index, module in enumerate((package, *_sections(topic)))}
    return sorted((c for c in claims if c.module in order), key=lambda c: (order[c.module], c.line))


def _said(topic: topics.Topic, module: str, error: BaseException) -> str:
    """Say in a line why a part of a topic cannot be imported, with its file and line."""
    if isinstance(error, topics.NoTopic):
        return str(error)
    parts = module.removeprefix(topic.module).strip(".").split(".")
    file = topic.path.joinpath(*parts)
    where = str(topic.path if topic.is_file else file if file.is_dir() else f"{file}.py")
    if isinstance(error, SyntaxError) and error.filename:
        where = f"{error.filename}:{error.lineno}"
    else:
        for frame in traceback.extract_tb(error.__traceback__):
            if Path(frame.filename).is_relative_to(topic.path):
                where = f"{frame.filename}:{frame.lineno}"
    said = " ".join(str(error).split())
    if isinstance(error, ClaimError):
        return f"{where}: {said}"
    return f"{where} cannot be imported: {type(error).__name__}: {said}"


def find(key: str) -> Claim:
    """Return a claim by its key.

    Raises
    ------
    KeyError
        When there is no such claim; the message names the nearest key.
    """
    if not isinstance(key, str):
        raise NoClaim(f"a key is text such as langevin:lemma-4.2, got {key!r}")
    if key in REGISTRY:
        return REGISTRY[key]
    if fault := foreign_letter(key):
        raise NoClaim(fault)
    topic = key.partition(":")[0]
    try:
        names = [topic] if topics.known(topic) else record.topics()
    except topics.NoTopic as error:
        raise NoClaim(str(error)) from None
    for name in names:
        load(name)
    if key in REGISTRY:
        return REGISTRY[key]
    if key in record.topics():
        raise NoClaim(f"{key} is a topic and no claim; its claims: dpbook list {key}")
    near = [full for full in REGISTRY if full.partition(":")[2] == key]
    near = near or [full for full in REGISTRY if full.startswith((f"{key}.", f"{key}-"))][:3]
    near = near or difflib.get_close_matches(key, list(REGISTRY), 1, cutoff=0.6)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise NoClaim(f"no claim {key}{hint}")


class NoClaim(ClaimError, KeyError):
    """Report that no claim has this key."""

    def __str__(self) -> str:
        return str(self.args[0])


def closure(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims with all claims that they use or correct, each after its dependencies.

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
    """Say in a line for each claim that cannot be decided as it stands why this is so.

    Such a claim has a fault, a float for example, or uses or corrects a claim with a fault.
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
    """Say in a line why a claim cannot be decided as it stands; return "" if it can."""
    try:
        _ = claim.proof, claim.instances, claim.hash
        if not isinstance(claim.form, Noted):
            claim.task()
    except ValueError as error:
        named = isinstance(error, ClaimError)
        return str(error) if named else f"{claim.key} ({claim.location}): {error}"
    return ""


def sections(topic: str) -> dict[str, str]:
    """Return the keys of a topic's claims in the order of the paper, with their modules' names."""
    return {c.key: c.module.rpartition(".")[2] for c in load(topic)}
