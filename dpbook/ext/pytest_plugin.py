"""A plugin of pytest: ``pytest --dpbook`` tests the claims of files, topics and documents.

Without the option nothing else of dpbook is imported.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

CLAIMS = re.compile(r"^@(\w+\.)*(claim|axiom)\(", re.MULTILINE)
DECLARE = ("claim", "axiom")
EXAMPLES = re.compile(
    r"\{claim\}`|:claim:`|(`{3,}|:{3,}|~{3,})[ \t]*\{(claim|check|derive|code-cell)\}"
    r"|\.\.[ \t]+(claim|check|derive)::|%%(claim|derive)"
    r"|^[ \t]*([rRuU]?(\"{3}|'{3}|[\"']))?Claims\b",
    re.MULTILINE,
)
DOCUMENTS = (".md", ".qmd", ".rst", ".txt", ".ipynb")
BUILT = {"_build", "_sources", "jupyter_execute"}  # copies of documents, made by Sphinx and MyST-NB


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
    if BUILT.intersection(_below(parent.config.rootpath, file_path).parts):
        return None
    try:
        text = file_path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        text = file_path.read_text(encoding="latin-1")  # that it is not UTF-8 fails as a test
    except OSError:
        return None
    holds = file_path.suffix == ".py" and holds_claims(text)
    if not (holds or EXAMPLES.search(text)):
        return None
    from dpbook.ext.tested import Claims

    made: pytest.Collector = Claims.from_parent(parent, path=file_path, holds=holds)
    return made


def _below(root: Path, path: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


def holds_claims(text: str) -> bool:
    """Say whether code declares a claim or an axiom when it is imported, by any name that it imports."""
    if "dpbook" not in text:
        return False
    try:
        nodes = list(_when_imported(ast.parse(text).body))
    except (SyntaxError, ValueError):
        return bool(CLAIMS.search(text))  # the fault is shown as a test
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {  # of a function, and of a module with one
        alias.asname or alias.name.split(".")[0]
        for node in imports
        for alias in node.names
        if (getattr(node, "module", None) or alias.name).split(".")[0] == "dpbook"
        and (isinstance(node, ast.Import) or alias.name in DECLARE)
    }
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    return any(
        ast.unparse(one).split(".")[0] in names
        and (isinstance(one, ast.Name) or (isinstance(one, ast.Attribute) and one.attr in DECLARE))
        for one in called
    )


def _when_imported(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of code that run when it is imported: no body of a function."""
    for node in nodes:
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _when_imported(node.decorator_list)
        elif not isinstance(node, ast.Lambda):
            yield from _when_imported(ast.iter_child_nodes(node))
