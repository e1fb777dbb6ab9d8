"""Find the places of a claim, or of a rule or a fact of the kernel: its line, and what names it."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

from dpbook.engine.claims import proof_files, record, topics
from dpbook.kernel.files.lemmas import LEMMAS
from dpbook.kernel.rules import RULES
from dpbook.kernel.table import AXIOMS, INTEGRALS, UNPROVED


def places(claim: Any) -> list[tuple[str, str]]:
    """Return kinds and places: for text ``file:line``, for a notebook or a proof the file.

    The file of a notebook or a proof is JSON, of which nobody reads the lines.
    """
    found = [("claim", claim.location)]
    home = topics.of_claim(claim)
    if home is None:
        return found
    if not home.of_the_book:  # the book does not name a user's claim
        return found + _own(claim.key, home)
    root = record.PACKAGE.parent
    pattern = _pattern(claim.key)
    topic = record.PACKAGE / claim.topic
    sources = [
        path for path in topic.rglob("*.py") if "claims" not in path.relative_to(topic).parts
    ]
    kinds = (
        ("code", sorted(sources)),
        ("chapter", sorted((root / "chapters").glob("*.md"))),
        ("test", sorted((root / "tests").rglob("*.py"))),
    )
    for kind, paths in kinds:
        for path in paths:
            named = "kernel" if path.name == "kernels.py" else kind
            found += [(named, f"{path.relative_to(root)}:{n}") for n in _lines(pattern, path)]
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        if pattern.search(path.read_text(encoding="utf-8")):
            found.append(("notebook", str(path.relative_to(root))))
    return found + [("proof", str(path.relative_to(root))) for path in _proofs(claim.key, home)]


def places_in_kernel(name: str) -> list[tuple[str, str]]:
    """Return kinds and places of a rule of the kernel, or of an axiom or lemma that its rules use by name."""
    root, found = record.PACKAGE.parent, []
    kernel = record.PACKAGE / "kernel"
    if name in RULES:
        rule = inspect.unwrap(RULES[name])
        line = inspect.getsourcelines(rule)[1]
        found.append(("rule", f"{Path(inspect.getfile(rule)).relative_to(root)}:{line}"))
    if name in {**AXIOMS, **INTEGRALS}:
        kind, file = ("axiom", "axioms.toml") if name in UNPROVED else ("lemma", "lemmas.toml")
        head = re.compile(rf'\[(axiom|integral)\."{re.escape(name)}"\]$')
        path = kernel / file
        found += [(kind, f"{path.relative_to(root)}:{n}") for n in _lines(head, path)]
        if kind == "lemma":
            held = (p for p in LEMMAS if name in json.loads(p.read_text(encoding="utf-8")))
            found += [("proof", str(p.relative_to(root))) for p in held]
    return found


def _own(key: str, home: topics.Topic) -> list[tuple[str, str]]:
    """Return the places where a topic outside the book names the key of one of its claims."""
    found = []
    pattern = _pattern(key)
    kinds = (("code", "**/*.py"), ("chapter", "chapters/*.md"))
    for kind, glob in () if home.is_file else kinds:
        for path in sorted(home.path.glob(glob)):
            if "claims" not in path.relative_to(home.path).parts:
                found += [(kind, f"{path}:{number}") for number in _lines(pattern, path)]
    return found + [("proof", str(path)) for path in _proofs(key, home)]


def _lines(pattern: re.Pattern[str], path: Path) -> list[int]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [number for number, line in lines if pattern.search(line)]


def _pattern(key: str) -> re.Pattern[str]:
    # the key alone: other functions may have the name of the claim's function, such as gap or mean
    return re.compile(rf"(?<![\w.-]){re.escape(key)}(?![\w-]|\.\w)")


def _proofs(key: str, home: topics.Topic) -> list[Path]:
    """Return the files that hold the proof of a claim."""
    start = f'"{key}":{{'  # the start of the entry: other proofs name the key as well
    return [
        path
        for path in proof_files.files(home)
        if path.exists()
        and any(line.startswith(start) for line in path.read_text(encoding="utf-8").splitlines())
    ]
