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
    # the key alone: other functions may have the name of the claim's function, such as gap or mean
    pattern = re.compile(rf"(?<![\w.-]){re.escape(claim.key)}(?![\w-]|\.\w)")
    root = record.PACKAGE.parent if home.of_the_book else home.path
    kinds = {
        "code": [] if home.is_file else _code(home.path),
        "chapter": root.glob("chapters/*.md"),
        "test": root.glob("tests/**/*.py") if home.of_the_book else (),
    }
    for kind, paths in kinds.items():
        for path in sorted(paths):
            named = "kernel" if home.of_the_book and path.name == "kernels.py" else kind
            found += [(named, f"{_shown(path, home)}:{n}") for n in _lines(pattern, path)]
    for path in sorted(root.glob("notebooks/*.ipynb")) if home.of_the_book else ():
        if pattern.search(path.read_text(encoding="utf-8")):
            found.append(("notebook", _shown(path, home)))
    return found + [("proof", _shown(path, home)) for path in _proofs(claim.key, home)]


def _shown(path: Path, home: topics.Topic) -> str:
    """Return a path as text; of the book's from the folder of dpbook."""
    return str(path.relative_to(record.PACKAGE.parent) if home.of_the_book else path)


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


def _code(folder: Path) -> list[Path]:
    """Return the files of code in the folder of a topic, without its claims."""
    paths = folder.rglob("*.py")
    return [path for path in paths if "claims" not in path.relative_to(folder).parts]


def _lines(pattern: re.Pattern[str], path: Path) -> list[int]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return [number for number, line in lines if pattern.search(line)]


def _proofs(key: str, home: topics.Topic) -> list[Path]:
    """Return the files that hold the proof of a claim."""
    # the start of the entry: other proofs name the key as well
    start = re.compile(rf'^"{re.escape(key)}":\{{')
    return [p for p in proof_files.files(home) if p.exists() and _lines(start, p)]
