"""A plugin of pytest: ``pytest --dpbook`` tests the claims of files, topics and documents.

Without the option nothing else of dpbook is imported.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

CLAIMS = re.compile(r"^@(\w+\.)*(claim|axiom)\(", re.MULTILINE)
EXAMPLES = re.compile(
    r"\{claim\}`|:claim:`|^[ \t>]*(`{3,}|:{3,}|~{3,})\{(claim|check|derive|code-cell)\}"
    r"|^[ \t]*\.\. (claim|check|derive)::|%%(claim|derive)"
    r"|^[ \t]*([rRuU]?(\"{3}|'{3}|[\"']))?Claims\b",
    re.MULTILINE,
)
DOCUMENTS = (".md", ".rst", ".txt", ".ipynb")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option, and where the claims are that documents name."""
    group = parser.getgroup("dpbook")
    group.addoption(
        "--dpbook",
        action="store_true",
        help="Test claims: in Python files, Markdown, reStructuredText, docstrings, notebooks.",
    )
    parser.addini(
        "dpbook_claims",
        "Files and folders of claims that documents name by their keys.",
        type="paths",
        default=[],
    )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a file that holds claims, or a document that names some."""
    if not parent.config.getoption("dpbook") or file_path.suffix not in (".py", *DOCUMENTS):
        return None
    try:
        text = file_path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = file_path.read_text(encoding="latin-1")  # that it is not UTF-8 fails as a test
    except OSError:
        return None
    holds = file_path.suffix == ".py" and "dpbook" in text and CLAIMS.search(text)
    if not (holds or EXAMPLES.search(text)):
        return None
    from dpbook.ext.tested import Claims

    made: pytest.Collector = Claims.from_parent(parent, path=file_path, holds=bool(holds))
    return made
