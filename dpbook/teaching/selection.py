"""Choose the chapters of a copy: chapters of the book, and chapter files of the user's own.

A chapter of the user's own is taken as it is written, and not run. Files that it needs and that stand
beside it go with it: topics whose exercises it asks, and modules that it imports. So does the topic in
whose folder ``chapters`` it stands. A topic that is installed stays where it is.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dpbook.engine.claims import record, topics
from dpbook.teaching.chapters import (
    NAME,
    Notebook,
    NotebookError,
    derive,
    home,
    read_all,
    read_chapter,
    read_notebook,
    unexecuted,
)
from dpbook.teaching.guards import text_of
from dpbook.teaching.markdown import ChapterError, Index, bibliography

BOOK = ("claims",)  # exercises of the book that belong to no topic
KEY = re.compile(r"([a-z_][a-z0-9_]*):[a-z0-9]+(-[a-z0-9]+)*")
REFERENCE = re.compile(r"\{(?!code-cell|exercise|solution)[\w:]+\}`")


@dataclass(frozen=True)
class Chosen:
    """Hold a notebook, and the files that go with it.

    Attributes
    ----------
    name : str
        The name of the chapter, without an ending.
    notebook : mapping
    path : Path, optional
        The file of the notebook; None where it was made from a chapter file.
    files : mapping of str to Path
        The files beside a chapter of the user's own that it needs, by the name in the copy.
    """

    name: str
    notebook: Notebook
    path: Path | None = None
    files: dict[str, Path] = field(default_factory=dict)


def chosen(names: Sequence[str], shelf: Path) -> list[Chosen]:
    """Return the chapters that are asked for, in their order; all of the book without names.

    Parameters
    ----------
    names : sequence of str
        Each is the number of a chapter (``02``), its name (``02_privacy``), or a chapter file
        (``mine.md``).
    shelf : Path
        The folder with the notebooks of the book.

    Raises
    ------
    NotebookError
        When there is no such chapter, a chapter is named twice, a file that it needs is missing, or a
        chapter file cannot be read; the message names its line.
    """
    paths = sorted(shelf.glob(f"{NAME}.ipynb"))
    if not names:
        return [Chosen(path.stem, read_notebook(path), path) for path in paths]
    made = []
    for name in names:
        if name.endswith(".md"):
            made.append(_own(Path(name)))
            continue
        found = [
            path for path in paths if name in (path.stem, path.stem[:2], path.stem[:2].lstrip("0"))
        ]
        if not found:
            known = ", ".join(path.stem for path in paths)
            raise NotebookError(
                f"no chapter {name}; there are {known}, and chapter files of your own, such as mine.md"
            )
        made.append(Chosen(found[0].stem, read_notebook(found[0]), found[0]))
    for place, one in enumerate(made):
        if one.name in [other.name for other in made[:place]]:
            raise NotebookError(f"the chapter {one.name} is named twice")
    return made


def _own(path: Path) -> Chosen:
    """Return the notebook of a chapter file, without outputs, and open the topics beside it."""
    if not path.is_file():
        raise NotebookError(f"no file {path}")
    if not re.fullmatch(r"\w[\w-]*", path.stem):
        raise NotebookError(f"{path.name}: the name of a chapter is letters, digits, _ and -")
    index = Index()
    try:
        chapter = read_chapter(path)
        book = home("chapters")
        if REFERENCE.search(chapter.text) and book.is_dir():  # it may refer to chapters of the book
            _, index = read_all(book)
        works = path.parent / "references.bib"
        if works.is_file():
            index.works |= bibliography(works.read_text(encoding="utf-8-sig"))
        index.add(chapter.name, chapter.parsed())
        notebook = unexecuted(chapter, derive(chapter, index))
    except ChapterError as error:
        raise NotebookError(str(error).replace(f"chapters/{path.stem}.md:", f"{path}:")) from None
    notebook["metadata"]["dpbook"]["generated_from"] = path.name
    files = dict(_needed(path, notebook))
    code = (name for name in files if name.endswith(".py"))
    for name in {name.partition("/")[0].removesuffix(".py") for name in code}:
        _open(_home(path, name), name)
    return Chosen(path.stem, notebook, None, files)


def _home(path: Path, name: str) -> Path:
    """Return the folder in which a topic or module of a chapter is looked for."""
    folder = path.resolve().parent
    topic = folder.parent
    of_topic = folder.name == "chapters" and (topic / "claims" / "__init__.py").is_file()
    # a part of a package has to be installed to work
    inside = (topic.parent / "__init__.py").is_file()
    return topic.parent if of_topic and name == topic.name and not inside else path.parent


def _open(folder: Path, name: str) -> None:
    """Open a topic; do nothing for a module that is no topic."""
    for place in (folder / f"{name}.py", folder / name):
        if place.is_file() or (place / "claims" / "__init__.py").is_file():
            topics.opened(place)
            return


def _needed(path: Path, notebook: Notebook) -> Iterator[tuple[str, Path]]:
    """Yield the files that a chapter needs, by the names that they have in the copy."""
    seen = set[str]()
    for cell in notebook["cells"]:
        source = text_of(cell["source"])
        if cell["cell_type"] != "code":
            continue
        asked = {key.partition(":")[0]: key for key in _keys(source)}
        for topic, key in asked.items():
            beside = any(_places(_home(path, topic), topic))
            if not beside and topic not in (*record.topics(), *BOOK):
                if topics.known(topic) and topics.find(topic).installed:
                    continue
                raise NotebookError(
                    f"{path}: {key} is no exercise of the book, and no {topic}.py or folder {topic} stands "
                    f"beside {path.name}"
                )
        for name in (*asked, *_imported(source)):
            yield from _with_modules(_home(path, name), name, seen)


def _with_modules(folder: Path, name: str, seen: set[str]) -> Iterator[tuple[str, Path]]:
    """Yield the files of a topic or module in a folder, and of the modules that it imports."""
    if name in seen or name in record.topics():
        return
    seen.add(name)
    for place in _places(folder, name):
        yield str(place.relative_to(folder)), place
        if place.suffix == ".py":
            for other in _imported(place.read_text(encoding="utf-8-sig")):
                yield from _with_modules(folder, other, seen)


def _places(folder: Path, name: str) -> Iterator[Path]:
    """Yield the files of a topic or module: a file and its record, or a package."""
    if (folder / f"{name}.py").is_file():
        yield folder / f"{name}.py"
        if (folder / f"{name}.record.json").is_file():
            yield folder / f"{name}.record.json"
    elif (folder / name / "__init__.py").is_file():
        for place in sorted((folder / name).rglob("*")):
            if place.is_file() and place.suffix in (".py", ".json", ".jsonl"):
                yield place


def _keys(source: str) -> Iterator[str]:
    """Yield the keys of exercises and claims in a cell: ``mine:slope``."""
    for node in _nodes(source):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and KEY.fullmatch(value):
            yield value


def _imported(source: str) -> Iterator[str]:
    """Yield the names of the modules that code imports, their first part alone."""
    for node in _nodes(source):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def _nodes(source: str) -> Iterable[ast.AST]:
    try:
        return ast.walk(ast.parse(source))
    except SyntaxError:  # a cell with a magic
        return ()
