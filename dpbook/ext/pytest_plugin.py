"""A plugin of pytest: ``pytest --dpbook`` tests the claims of files, topics and documents.

Without the option nothing else of dpbook is imported.
"""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

CLAIMS = re.compile(r"^@(\w+\.)*(claim|axiom)\(", re.MULTILINE)
DECLARE = ("claim", "axiom")
EXAMPLES = re.compile(
    r"(?i:\{claim\}`|:claim:|(`{3,}|:{3,}|~{3,})[ \t]*\{(claim|check|derive|code-cell)\}"
    r"|\.\.[ \t]+(claim|check|derive) ?::)|%%(claim|derive)"
    r"|^[ \t]*([rRuU]?(\"{3}|'{3}|[\"']))?Claims\b",
    re.MULTILINE,
)
DOCUMENTS = (".md", ".markdown", ".qmd", ".Rmd", ".rst", ".txt", ".ipynb")
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
    holds = file_path.suffix == ".py" and (
        holds_claims(text, file_path.parent) or _is_named(parent.config, file_path)
    )
    if not (holds or EXAMPLES.search(text)):
        return None
    from dpbook.ext.tested import Claims

    made: pytest.Collector = Claims.from_parent(parent, path=file_path, holds=holds)
    return made


def _below(root: Path, path: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path


def _is_named(config: pytest.Config, path: Path) -> bool:
    """Say whether the configuration names a file as one with claims, or the folder of its topic."""
    return any(
        path in (named, named / "claims" / path.name) for named in config.getini("dpbook_claims")
    )


def holds_claims(text: str, folder: Path | None = None) -> bool:
    """Say whether code declares a claim or an axiom when it is imported, by any name that it imports.

    Parameters
    ----------
    text : str
        The code.
    folder : Path, optional
        Where it stands: a module beside it may have a `claim` of its own, made of that of dpbook.
    """
    if not re.search(r"\b(dpbook|claim|axiom)\b", text):
        return False
    try:
        nodes = list(_when_imported(ast.parse(text).body))
    except (SyntaxError, ValueError):
        return "dpbook" in text and bool(CLAIMS.search(text))  # the fault is shown as a test
    imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {  # of a function, and of a module with one
        alias.asname or alias.name.split(".")[0]
        for node in imports
        for alias in node.names
        if _declares(node, alias, folder)
    }
    return any(
        (isinstance(one, ast.Name) and one.id in names and one.id not in _modules(imports))
        or (
            isinstance(one, ast.Attribute)
            and one.attr in DECLARE
            and ast.unparse(one.value).split(".")[0] in names
        )
        for one in nodes
    )


def _declares(node: ast.Import | ast.ImportFrom, alias: ast.alias, folder: Path | None) -> bool:
    """Say whether an import gives a function that declares claims, or the module dpbook."""
    if isinstance(node, ast.Import):
        return alias.name.split(".")[0] == "dpbook"
    if alias.name not in DECLARE:
        return False
    module = (node.module or "").split(".")
    beside = folder.joinpath(*module).with_suffix(".py") if folder and node.module else None
    return module[0] == "dpbook" or bool(
        beside and beside.is_file() and b"dpbook" in beside.read_bytes()
    )


def _modules(imports: Iterable[ast.Import | ast.ImportFrom]) -> set[str]:
    """Return the names of whole modules: to name one declares nothing."""
    return {
        alias.asname or alias.name.split(".")[0]
        for node in imports
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _when_imported(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield the nodes of code that run when it is imported: bodies of functions that it calls alone."""
    functions: dict[str, list[ast.stmt]] = {}
    waiting = deque(nodes)
    called: set[str] = set()
    while waiting:
        node = waiting.popleft()
        if isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        yield node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            functions.setdefault(node.name, []).extend(node.body)
            waiting += node.decorator_list
        elif not isinstance(node, ast.Lambda):
            waiting += ast.iter_child_nodes(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            called.add(node.func.id)
        if not waiting:
            for name in called & set(functions):
                waiting += functions.pop(name)
