"""Where a claim stands: its own line, and where code, chapters, tests and proofs name its key."""

from __future__ import annotations

import re
from typing import Any

from dpbook.engine.claims import proof_files, record


def places(claim: Any) -> list[tuple[str, str]]:
    """Return kinds and places, as ``file:line``: of code the lines, of a notebook or a proof the file.

    A line of a notebook's or a proof's file is a line of JSON, which nobody reads.
    """
    root = record.PACKAGE.parent
    found = [("claim", claim.location)]
    if claim.topic not in record.topics():  # the book does not speak of a user's claim
        return found
    # the key alone: other functions may be called as the claim's own, such as gap or mean
    pattern = re.compile(rf"(?<![\w.-]){re.escape(claim.key)}(?![\w-]|\.\w)")
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
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if pattern.search(line):
                    found.append((named, f"{path.relative_to(root)}:{number}"))
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        if pattern.search(path.read_text(encoding="utf-8")):
            found.append(("notebook", str(path.relative_to(root))))
    start = f'"{claim.key}":{{'  # of the entry: other proofs name it as well
    for path in proof_files.files(claim.topic):
        if any(line.startswith(start) for line in path.read_text(encoding="utf-8").splitlines()):
            found.append(("proof", str(path.relative_to(root))))
    return found
