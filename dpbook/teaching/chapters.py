"""A chapter and the cells of the notebook that it makes; both are tied by hashes."""

from __future__ import annotations

import ast
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpbook.engine.claims import record
from dpbook.teaching import guards
from dpbook.teaching.markdown import (
    ENDS,
    Block,
    Chunk,
    Directive,
    Index,
    Place,
    Renderer,
    bibliography,
    blocks,
)

CONVERTER = "1"  # raise it when the same chapter makes another notebook: all are made again
NAME = "[0-9][0-9]_*"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
FOLDED = {
    "hide-input": ("source",),
    "hide-output": ("outputs",),
    "hide-cell": ("source", "outputs"),
}
Notebook = dict[str, Any]


class NotebookError(ValueError):
    """A notebook that cannot be made, or must not be overwritten; the message says what to do."""


def home(name: str) -> Path:
    """Return the folder `chapters` or `notebooks`, of an installed wheel or of the sources."""
    shipped = record.PACKAGE / "shipped" / name
    return shipped if shipped.is_dir() else record.PACKAGE.parent / name


# --- reading chapters -----------------------------------------------------------------------------


@dataclass(frozen=True)
class SourceCell:
    """A cell of a chapter as it is written there."""

    kind: str
    text: str
    metadata: dict[str, Any]
    place: Place


@dataclass(frozen=True)
class Chapter:
    """A chapter as it is written."""

    name: str
    text: str
    header: str
    lexer: str | None
    cells: tuple[SourceCell, ...]

    def parsed(self) -> list[tuple[Block, ...]]:
        """Return the blocks of each cell; a code cell has none."""
        return [
            blocks(cell.text.split("\n"), cell.place) if cell.kind == "markdown" else ()
            for cell in self.cells
        ]


def read_chapter(path: Path) -> Chapter:
    """Read a chapter.

    Raises
    ------
    ChapterError
        When it has no jupytext header (its code would stay text), or a cell cannot be read.
    NotebookError
        When jupytext is not installed.
    """
    try:
        from jupytext.myst import MystMetadataParsingError, myst_to_notebook
        from nbformat import ValidationError
    except ImportError as error:
        raise NotebookError(
            "chapters are read with jupytext, of the extras dev and book: pip install jupytext"
        ) from error
    name = path.stem
    text = path.read_text(encoding="utf-8-sig")  # some editors put a mark of three bytes first
    front = re.match(r"---\n(.*?\n)---\n", text, re.S)
    if not front or not re.search(r"^\s+format_name: myst$", front[1], re.M):
        raise Place(name, 1).error(
            "no jupytext header with format_name: myst, so no code would run"
        )
    if not re.search(r"^kernelspec:\n(?:  .*\n)*  name: python3$", front[1], re.M):
        raise Place(name, 1).error("the header names no kernelspec python3")
    try:
        made = myst_to_notebook(text, add_source_map=True)
    except (MystMetadataParsingError, ValidationError) as error:
        said = getattr(error, "message", str(error))
        raise Place(name, 1).error(" ".join(said.split())) from error
    lines = text.splitlines()
    cells = []
    for cell, start in zip(made.cells, made.metadata["source_map"], strict=True):
        line = start
        while cell.cell_type == "markdown" and not lines[line]:
            line += 1
        metadata = json.loads(json.dumps(cell.metadata))
        cells.append(SourceCell(cell.cell_type, cell.source, metadata, Place(name, line + 1)))
    jupyter = made.metadata.get("jupyter", {}).get("jupytext", {})
    return Chapter(name, text, front[0], jupyter.get("default_lexer"), tuple(cells))


def read_all(chapters: Path) -> tuple[dict[str, Chapter], Index]:
    """Read all chapters and number what can be referred to."""
    paths = sorted(chapters.glob(f"{NAME}.md"))
    if not paths:
        raise NotebookError(f"no chapters in {chapters}; they are made in a checkout of dpbook")
    works = chapters / "references.bib"
    index = Index(works=bibliography(works.read_text(encoding="utf-8")) if works.exists() else {})
    read = {path.stem: read_chapter(path) for path in paths}
    for name, chapter in read.items():
        index.add(name, chapter.parsed())
        if name not in index.titles:
            raise Place(name, 1).error("no heading, so the chapter has no title")
    return read, index


# --- from chapter to notebook ---------------------------------------------------------------------


@dataclass
class Part:
    """A cell of the notebook and where it comes from."""

    kind: str
    origin: int  # the cell of the chapter; -1: made, such as the list of sources
    chunks: list[Chunk]
    metadata: dict[str, Any] = field(default_factory=dict)
    frame: tuple[list[str], list[str]] = ((), ())  # type: ignore[assignment]
    code: str = ""

    @property
    def source(self) -> str:
        if self.kind == "code":
            return self.code
        lines = [line for chunk in self.chunks for line in chunk.plain]
        return "\n".join([*self.frame[0], *stripped(lines), *self.frame[1]])

    @property
    def place(self) -> Place:
        return self.chunks[0].place


def stripped(lines: Sequence[str]) -> list[str]:
    """Return lines without the blank ones at both ends."""
    made = list(lines)
    while made and not made[0].strip():
        del made[0]
    while made and not made[-1].strip():
        del made[-1]
    return made


def derive(chapter: Chapter, index: Index) -> list[Part]:
    """Return the cells of the notebook that a chapter makes.

    A solution is a cell of its own, so that an edition without solutions only leaves cells out.

    Raises
    ------
    ChapterError
        For what a notebook cannot show, or would not run.
    """
    renderer = Renderer(chapter.name, index)
    parts: list[Part] = []
    gate: Directive | None = None  # the {solution-start} that is open
    exercise = ""
    for origin, (cell, parsed) in enumerate(zip(chapter.cells, chapter.parsed(), strict=True)):
        node = {"cell_type": cell.kind, "metadata": cell.metadata, "source": cell.text}
        for problem in guards.source_problems(node):
            raise cell.place.error(problem)
        if cell.kind == "code":
            parts.append(_code(cell, origin, exercise, gate))
            continue
        groups, gate, exercise = _groups(parsed, gate, exercise)
        made = [_text(group, opener, origin, renderer) for group, opener in groups]
        parts += _merged(made)
    if gate:
        raise gate.place.error("{solution-start} has no {solution-end}")
    _match_exercises(parts)
    _solutions_are_not_needed(parts)
    if renderer.cited:
        lines = ("**Cited here**", "", *renderer.sources())
        parts.append(Part("markdown", -1, [Chunk((), lines, Place(chapter.name, 1), "sources")]))
    return parts


Group = tuple[list[Block], Directive | None]


def _groups(
    parsed: Sequence[Block], gate: Directive | None, exercise: str
) -> tuple[list[Group], Directive | None, str]:
    """Split a cell where solutions start and end."""
    groups: list[Group] = [([], gate)]
    for part in parsed:
        name = part.name if isinstance(part, Directive) else ""
        if isinstance(part, Directive) and name.startswith("exercise") and name not in ENDS:
            exercise = part.options.get("label", "")
            if not exercise:
                raise part.place.error("an exercise needs a :label:")
        if isinstance(part, Directive) and name in ("solution", "solution-start"):
            if gate:
                raise part.place.error("a solution inside a solution")
            groups.append(([part], part))
            if name == "solution":
                groups.append(([], None))
            else:
                gate = part
        elif name == "solution-end":
            if gate is None:
                raise part.place.error("{solution-end} without {solution-start}")
            groups[-1][0].append(part)
            groups.append(([], None))
            gate = None
        else:
            groups[-1][0].append(part)
    return [group for group in groups if group[0]], gate, exercise


def _text(group: list[Block], opener: Directive | None, origin: int, renderer: Renderer) -> Part:
    made = Part("markdown", origin, renderer.chunks(group))
    if opener is None:
        return made
    made.metadata = {"dpbook": {"solution": opener.argument}}
    if opener.name == "solution-start":
        starts = opener in group
        title = renderer.heading(opener) + ("" if starts else ", continued")
        if any(line.strip() for chunk in made.chunks for line in chunk.plain):
            first, *_, last = renderer.folded(title, [""])
            summary = renderer.folded(title, [""])[1]
            made.frame = ([first, summary, ""], ["", last])
        elif starts:
            made.frame = ([f"**{title}**: open the folded cells below."], [])
    return made


def _merged(made: list[Part]) -> list[Part]:
    """Drop groups that show nothing; their part of the source goes to a neighbour."""
    shown = [part for part in made if part.source]
    for place, part in enumerate(made):
        if part.source:
            continue
        before = [p for p in made[:place] if p.source]
        after = [p for p in made[place:] if p.source]
        if before:
            before[-1].chunks += part.chunks
        elif after:
            after[0].chunks[:0] = part.chunks
    return shown


def _code(cell: SourceCell, origin: int, exercise: str, gate: Directive | None) -> Part:
    tags = cell.metadata.get("tags", [])
    metadata = dict(cell.metadata)
    folded = [part for tag in tags for part in FOLDED.get(tag, ())]
    roles = [role for role in ("answer", "check", "solution") if role in tags]
    if len(roles) > 1:
        raise cell.place.error(f"a cell is one of {', '.join(roles)}, not several")
    if gate:
        if "answer" in roles:
            raise cell.place.error("an answer cell stands before the solution")
        metadata["dpbook"] = {"solution": gate.argument}
        folded = ["source", "outputs"]
    elif roles:
        if not exercise:
            raise cell.place.error(f"a cell tagged {roles[0]} needs an exercise before it")
        metadata["dpbook"] = {roles[0]: exercise}
        if roles == ["solution"]:
            folded = ["source", "outputs"]
    if folded:
        metadata["jupyter"] = {f"{part}_hidden": True for part in dict.fromkeys(folded)}
    if not cell.text.strip():
        raise cell.place.error("an empty code cell")
    chunk = Chunk((cell.text,), (cell.text,), cell.place, "code")
    return Part("code", origin, [chunk], metadata, code=cell.text)


def _match_exercises(parts: Sequence[Part]) -> None:
    """See that each answer has a check and a solution, and that each check follows an answer."""
    seen: dict[str, dict[str, Part]] = {}
    for part in parts:
        for role, label in part.metadata.get("dpbook", {}).items():
            roles = seen.setdefault(label, {})
            if role == "check" and "answer" not in roles:
                raise part.place.error(f"exercise {label} is checked before it is answered")
            if role == "answer" and "answer" in roles:
                raise part.place.error(f"exercise {label} has two answer cells")
            if role != "solution" or part.kind == "code":
                roles.setdefault(role, part)
    for label, roles in seen.items():
        for role in ("check", "solution"):
            if "answer" in roles and role not in roles:
                kind = "check" if role == "check" else "solution in code"
                raise roles["answer"].place.error(f"exercise {label} has no {kind}")


def _solutions_are_not_needed(parts: Sequence[Part]) -> None:
    """See that a student, who has no solutions, can run what comes after them."""
    theirs: set[str] = set()
    ours: dict[str, str] = {}  # names that only a solution defines, and the exercise
    for part in parts:
        if part.kind != "code":
            continue
        defined, used = _names(part.code)
        solution = part.metadata.get("dpbook", {}).get("solution")
        if solution:
            ours |= dict.fromkeys(defined - theirs - set(ours), solution)
            continue
        for name in sorted(used & set(ours)):
            raise part.place.error(
                f"{name} is defined only in the solution of {ours[name]}, which students do not have"
            )
        theirs |= defined
        ours = {name: label for name, label in ours.items() if name not in defined}


def _names(code: str) -> tuple[set[str], set[str]]:
    """The names that code defines, and those that it uses; none where it is no plain Python."""
    try:
        tree = ast.parse(code)
    except SyntaxError:
        return set(), set()
    defined: set[str] = set()
    used: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            defined.add(node.name)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).partition(".")[0])
    return defined, used - defined


def _hash(*texts: object) -> str:
    return hashlib.sha256("\0".join(str(text) for text in texts).encode()).hexdigest()


def _cell_hash(kind: str, source: str, tags: Sequence[str]) -> str:
    return _hash(kind, source, *tags)[:16]


def ids_of(chapter: str, count: int) -> list[str]:
    """Return the ids of a notebook's cells."""
    return [f"{re.sub(r'[^A-Za-z0-9_-]', '-', chapter)[:40]}-{i:03d}" for i in range(count)]


def tags_of(metadata: Mapping[str, Any]) -> list[str]:
    """Return the tags of a cell."""
    tags = metadata.get("tags", [])
    return list(tags) if isinstance(tags, list) else [str(tags)]


def stamps_of(chapter: str, parts: Sequence[Part]) -> dict[str, str]:
    """Return the hash of each cell that a chapter makes, by the cell's id."""
    return {
        name: _cell_hash(part.kind, part.source, tags_of(part.metadata))
        for name, part in zip(ids_of(chapter, len(parts)), parts, strict=True)
    }


def actual_stamps(notebook: Mapping[str, Any]) -> dict[str, str]:
    """Return the hash of each cell that a notebook holds, by the cell's id."""
    return {
        cell.get("id", str(number)): _cell_hash(
            cell["cell_type"], guards.text_of(cell["source"]), tags_of(cell["metadata"])
        )
        for number, cell in enumerate(notebook["cells"])
    }


def code_hash(cells: Sequence[tuple[str, str, Sequence[str]]]) -> str:
    """Return the hash of the executed code."""
    code = ((source, *tags) for kind, source, tags in cells if kind == "code")
    return _hash(CONVERTER, *(_hash(*one) for one in code))


def code_of(parts: Sequence[Part]) -> str:
    """Return the hash of the code that a chapter executes."""
    return code_hash([(part.kind, part.source, tags_of(part.metadata)) for part in parts])


def unexecuted(chapter: Chapter, parts: Sequence[Part]) -> Notebook:
    """Return the notebook of a chapter without outputs, with the marks that tie it."""
    cells = []
    for name, part in zip(ids_of(chapter.name, len(parts)), parts, strict=True):
        cell: dict[str, Any] = {"cell_type": part.kind, "id": name, "metadata": part.metadata}
        if part.kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append({**cell, "source": part.source})
    tie = {
        "generated_from": f"chapters/{chapter.name}.md",
        "generated_by": "make notebooks; edit the chapter, not the notebook",
        "source_sha256": _hash(CONVERTER, chapter.text),
        "executed_sha256": code_of(parts),
        "cells": stamps_of(chapter.name, parts),
    }
    metadata = {"dpbook": tie, "kernelspec": KERNEL, "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


# --- the tie between both -------------------------------------------------------------------------


def read_notebook(path: Path) -> Notebook:
    """Read a notebook as JSON.

    Raises
    ------
    NotebookError
        When it is none.
    """
    try:
        notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
        if notebook["nbformat"] != 4 or not isinstance(notebook["metadata"], dict):
            raise ValueError("not of format 4")
        for cell in notebook["cells"]:
            cell["cell_type"], cell["source"], cell["metadata"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotebookError(f"{path} is not a notebook: {error}") from error
    return notebook


def packed(notebook: Notebook) -> str:
    """Return the text of a notebook's file, a line of source a line."""
    import nbformat

    node = nbformat.from_dict(notebook)  # type: ignore[no-untyped-call]
    nbformat.validate(node)
    return f"{nbformat.writes(node)}\n"  # type: ignore[no-untyped-call]


def write(path: Path, text: str) -> None:
    """Write a file that all may read, whole or not at all."""
    record.write_atomically(path, text)
    path.chmod(0o644)


def edited_cells(notebook: Mapping[str, Any], parts: Sequence[Part], chapter: str) -> list[str]:
    """Return the cells that were edited, added or removed by hand since the notebook was made.

    None, when the notebook holds what the chapter now makes: then the edits are carried back.
    """
    actual = actual_stamps(notebook)
    made = notebook["metadata"].get("dpbook", {}).get("cells")
    if actual == made or list(actual.values()) == list(stamps_of(chapter, parts).values()):
        return []
    if made is None:
        return ["it has no marks of a chapter"]
    changed = [name for name, value in actual.items() if made.get(name) != value]
    changed += [name for name in made if name not in actual]
    return changed or ["their order"]


def is_current(notebook: Mapping[str, Any], chapter: Chapter, parts: Sequence[Part]) -> bool:
    """Return whether a notebook is what its chapter makes now."""
    tie = notebook["metadata"].get("dpbook", {})
    return bool(
        tie == unexecuted(chapter, parts)["metadata"]["dpbook"]
        and actual_stamps(notebook) == tie["cells"]
    )
