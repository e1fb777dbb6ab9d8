"""Carry the edits of a notebook back into its chapter."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpbook.teaching import guards
from dpbook.teaching.chapters import (
    Chapter,
    NotebookError,
    Part,
    SourceCell,
    actual_stamps,
    derive,
    packed,
    read_all,
    read_notebook,
    stamps_of,
    stripped,
    tags_of,
    write,
)
from dpbook.teaching.markdown import ENDS, Chunk


def carry_back(path: Path, chapters: Path) -> list[str]:
    """Carry what was edited in a notebook into its chapter.

    Code, plain text, new, moved and removed cells are carried. What a directive or a role made
    cannot be read back: such edits are left out and named.

    Parameters
    ----------
    path : Path
        The notebook.
    chapters : Path
        The folder of the chapters.

    Returns
    -------
    list of str
        What was not carried, and where it has to be put in by hand.

    Raises
    ------
    NotebookError
        When the chapter changed too since the notebook was made.
    """
    notebook = read_notebook(path)
    read, index = read_all(chapters)
    if path.stem not in read:
        raise NotebookError(f"{path.name} has no chapter in {chapters}")
    chapter = read[path.stem]
    parts = derive(chapter, index)
    stamps = stamps_of(chapter.name, parts)
    made = notebook["metadata"].get("dpbook", {}).get("cells")
    if made is None:
        raise NotebookError(f"{path.name} was not made from a chapter: it has no marks")
    if made != stamps:
        raise NotebookError(
            f"chapters/{chapter.name}.md changed too since {path.name} was made: put your changes "
            "of the chapter aside (git stash), carry back, and bring them in again (git stash pop)"
        )
    entries, lost = _carried(notebook, chapter, dict(zip(stamps, parts, strict=True)))
    text = _written(chapter, entries)
    if text != chapter.text:
        write(chapters / f"{chapter.name}.md", text)
    if not lost:  # the notebook holds no edit that the chapter lacks
        notebook["metadata"]["dpbook"]["cells"] = actual_stamps(notebook)
        write(path, packed(notebook))
    return lost


@dataclass
class _Entry:
    origin: int | None
    kind: str
    source: str
    metadata: dict[str, Any]


def _carried(
    notebook: Mapping[str, Any], chapter: Chapter, parts: Mapping[str, Part]
) -> tuple[list[_Entry], list[str]]:
    """Return the new cells of the chapter, and what could not be carried."""
    entries: list[_Entry] = []
    lost: list[str] = []
    intact: dict[int, list[str]] = {}  # the cells of the chapter whose notebook cells are untouched
    for name, known in parts.items():
        intact.setdefault(known.origin, []).append(name)
    actual = list(actual_stamps(notebook))
    silent = _silent(chapter, parts)
    entries += [_whole_cell(chapter, origin) for origin in silent.get(-1, [])]
    done: set[int] = set()
    for name, cell in zip(actual, notebook["cells"], strict=True):
        source, tags = guards.text_of(cell["source"]).rstrip(), tags_of(cell["metadata"])
        part = parts.get(name)
        if part is None or part.kind != cell["cell_type"]:
            metadata = {"tags": tags} if tags else {}
            entries.append(_Entry(None, cell["cell_type"], source, metadata))
            continue
        if part.origin < 0:
            if source != part.source:
                lost.append(f"chapters/{chapter.name}.md: the list of sources is made, in {name}")
            continue
        origin = chapter.cells[part.origin]
        if part.kind == "code":
            kept = {key: value for key, value in origin.metadata.items() if key != "tags"}
            metadata = {**({"tags": tags} if tags else {}), **kept}
            if tags == tags_of(origin.metadata):
                metadata = origin.metadata
            entries.append(_Entry(part.origin, "code", source, metadata))
        else:
            lines = _mapped(part, source.split("\n"), name, lost)
            entries.append(_Entry(part.origin, "markdown", "\n".join(lines), origin.metadata))
        if part.origin not in done and name == intact[part.origin][-1]:
            done.add(part.origin)
            entries += [_whole_cell(chapter, number) for number in silent.get(part.origin, [])]
    return entries, lost


def _silent(chapter: Chapter, parts: Mapping[str, Part]) -> dict[int, list[int]]:
    """Cells of the chapter that show nothing, by the cell before them."""
    shown = {part.origin for part in parts.values()}
    found: dict[int, list[int]] = {}
    last = -1
    for origin in range(len(chapter.cells)):
        if origin in shown:
            last = origin
        else:
            found.setdefault(last, []).append(origin)
    return found


def _whole_cell(chapter: Chapter, origin: int) -> _Entry:
    cell = chapter.cells[origin]
    return _Entry(origin, cell.kind, cell.text, cell.metadata)


def _mapped(part: Part, new: Sequence[str], cell: str, lost: list[str]) -> list[str]:
    """Return the source lines of an edited Markdown cell."""
    frame = [Chunk((), tuple(lines), part.place, "the frame of a solution") for lines in part.frame]
    chunks = [*frame[:1], *_trimmed(part.chunks), *frame[1:]]
    old = [line for chunk in chunks for line in chunk.plain]
    added: dict[int, list[str]] = {}
    instead: dict[int, list[str]] = {}
    deleted: set[int] = set()
    spans, start = [], 0
    for chunk in chunks:
        spans.append((start, start + len(chunk.plain)))
        start += len(chunk.plain)
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            continue
        touched = [
            chunk
            for chunk, (a, b) in zip(chunks, spans, strict=True)
            if (a < i2 and i1 < b) or (i1 == i2 and a < i1 < b)
        ]
        fixed = [chunk for chunk in touched if chunk.source != chunk.plain]
        whole = i1 < i2 and all(
            i1 <= a and b <= i2
            for chunk, (a, b) in zip(chunks, spans, strict=True)
            if chunk in fixed and chunk.source
        )
        if fixed and not (tag == "delete" and whole and all(chunk.source for chunk in fixed)):
            wanted = " / ".join(line for line in new[j1:j2] if line.strip()) or "(removed)"
            what = fixed[0].what if fixed[0].what != "text" else "a reference"
            place = fixed[0].place
            lost.append(
                f"chapters/{place.chapter}.md:{place.line}: {what} cannot be read back from {cell}; "
                f"put in by hand: {wanted}"
            )
            continue
        deleted |= set(range(i1, i2))
        (added if i1 == i2 else instead).setdefault(i1, []).extend(new[j1:j2])
    made: list[str] = []
    for chunk, (a, b) in zip(chunks, spans, strict=True):
        gate = chunk.what in ("{solution-start}", "blank", *ENDS)
        if not (a == b == 0 and gate):  # what opens a cell, such as the end of a solution
            made += added.pop(a, [])
        for line in range(a, b):
            made += instead.get(line, [])
        if a == b or not set(range(a, b)) <= deleted:
            made += chunk.source
    for rest in sorted(added):
        made += added[rest]
    return stripped(made)


def _trimmed(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Let the blank lines at both ends show nothing, as in the cell."""
    shown = [i for i, chunk in enumerate(chunks) if any(line.strip() for line in chunk.plain)]
    return [
        chunk
        if (shown and shown[0] <= i <= shown[-1]) or not chunk.plain
        else Chunk(chunk.source, (), chunk.place, "blank")
        for i, chunk in enumerate(chunks)
    ]


def _written(chapter: Chapter, entries: Sequence[_Entry]) -> str:
    """Return the text of a chapter with new cells."""
    import nbformat
    from jupytext.myst import notebook_to_myst

    joined: list[_Entry] = []
    for entry in entries:
        before = joined[-1] if joined else None
        if before and entry.kind == "markdown" and before.origin == entry.origin is not None:
            before.source += f"\n\n{entry.source}"
        else:
            joined.append(replace(entry))
    for entry in joined:
        if entry.origin is not None and _same(entry, chapter.cells[entry.origin]):
            entry.source = chapter.cells[entry.origin].text  # with its own blank lines
    new: Any = nbformat.v4
    cells = []
    for entry in joined:
        if entry.kind == "markdown" and not entry.source.strip():
            continue
        maker = new.new_code_cell if entry.kind == "code" else new.new_markdown_cell
        cells.append(maker(source=entry.source, metadata=entry.metadata))
    body: str = notebook_to_myst(new.new_notebook(cells=cells), default_lexer=chapter.lexer)
    return f"{chapter.header}\n{body}"


def _same(entry: _Entry, cell: SourceCell) -> bool:
    def packed(text: str) -> list[str]:
        return [line for line in text.split("\n") if line.strip()]

    return packed(entry.source) == packed(cell.text)
