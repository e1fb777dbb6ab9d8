"""Where a claim stands: its own line, and all lines of code, chapters and tests that name it."""

from __future__ import annotations

import re
from typing import Any

from dpbook.engine import record


def places(claim: Any) -> list[tuple[str, str]]:
    """Return kinds and places, as ``file:line``, of the lines that name a claim's key or function."""
    root = record.PACKAGE.parent
    found = [("claim", claim.location)]
    if claim.topic not in record.topics():  # the book does not speak of a user's claim
        return found
    key, function = re.escape(claim.key), re.escape(claim.function.__name__)
    pattern = re.compile(rf"(?<![\w.-]){key}(?![\w-]|\.\w)|\b{function}\(")
    kinds = (
        ("code", sorted((record.PACKAGE / claim.topic).glob("*.py"))),
        ("chapter", sorted((root / "chapters").glob("*.md"))),
        ("cell", sorted((root / "notebooks").glob("*.ipynb"))),
        ("test", sorted((root / "tests").rglob("*.py"))),
    )
    for kind, paths in kinds:
        for path in paths:
            named = "kernel" if path.name == "kernels.py" else kind
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if pattern.search(line):
                    found.append((named, f"{path.relative_to(root)}:{number}"))
    return found
