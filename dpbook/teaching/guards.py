"""Refuse contents of a notebook that nbval, the book or the reader would not notice.

nbval compares text. It passes a notebook that was never run, it does not look at pictures, it
obeys comments that switch it off, and it ignores tags that it does not know.
"""

from __future__ import annotations

import ast
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

TAGS = {
    "hide-input": "folds the code",
    "hide-output": "folds the output",
    "hide-cell": "folds both",
    "raises-exception": "the cell has to fail",
    "answer": "where the reader answers the exercise above",
    "check": "checks the answer",
    "solution": "left out of the student edition",
}
METADATA = {"tags", "mystnb", "jupyter", "dpbook"}  # of a cell
LARGEST = 500_000  # bytes

VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
OUTPUT_WIDGETS = {"Output", "interact", "interact_manual", "interactive", "interactive_output"}
SWITCH = re.compile(r"^\s*#+\s*(NBVAL_\w+|PYTEST_VALIDATE_\w+)", re.M)
SHELL = re.compile(r"^\s*(?:!|%{1,2}(?:sx|system|bash|sh|script|pip|conda|uv)\b|\w+\s*=\s*!)", re.M)
RAW = (
    (re.compile(r"^[ >]*(?:`{3,}|~{3,}|:{3,})\s*\{[^}]*\}", re.M), "a raw directive"),
    (re.compile(r"^[ >]*:{3,}\s*$", re.M), "the end of a raw directive"),
    (re.compile(r"(?<!`)\{[a-z][\w:+.-]*\}`[^`]+`"), "a raw role"),
    (re.compile(r"^\([\w:.-]+\)=\s*$", re.M), "a raw target"),
)
REMOTE = re.compile(
    r"<(?:img|script|link|iframe|video|audio|source)\b[^>]*?(?:src|href|srcset)\s*=\s*"
    r"[\"']?(?:https?:)?//[^\s\"'>]*|!\[[^\]]*\]\(\s*(?:https?:)?//[^)\s]*",
    re.I,
)
ROOTS = (
    "bin|etc|home|lib|mnt|nix|opt|private|root|srv|tmp|usr|var|Applications|Library|Users|Volumes"
)
PATH = re.compile(
    rf"(?<![\w.:/<\\-])(?:file://)?/(?:{ROOTS})/[\w.+-]+|\b[A-Za-z]:\\\w+|ipykernel_\d+"
)
ADDRESS = re.compile(r"\bat 0x[0-9a-f]{6,}")
IMAGE = re.compile(r"<(?:img|svg)\b[^>]*>", re.I | re.S)
ALT = re.compile(r"\b(?:alt|aria-label)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)

Cell = Mapping[str, Any]


def text_of(lines: object) -> str:
    """Return a notebook's text, which is a string or a list of lines."""
    return lines if isinstance(lines, str) else "".join(lines) if isinstance(lines, list) else ""


def problems(notebook: Mapping[str, Any], size: int = 0) -> list[str]:
    """Return the faults of an executed notebook, a line each; none when all is well.

    Parameters
    ----------
    notebook : mapping
        The notebook as nbformat or JSON reads it.
    size : int, optional
        Its size in bytes.
    """
    found = list(_whole(notebook, size))
    count = 0
    for number, cell in enumerate(notebook["cells"]):
        name = f"cell {number} ({cell.get('id', 'without id')})"
        if cell["cell_type"] == "code":
            faults = [*source_problems(cell), *_outputs(cell)]
            if text_of(cell["source"]).strip():
                count += 1
                if cell["execution_count"] is None:
                    faults.append("was never executed")
                elif cell["execution_count"] != count:
                    faults.append(f"was executed as number {cell['execution_count']}, not {count}")
        else:
            faults = [*source_problems(cell), *_markdown(cell)]
        found += [f"{name}: {fault}" for fault in faults]
    return found


def source_problems(cell: Cell) -> Iterator[str]:
    """Yield the faults of a cell before it is executed."""
    metadata = cell["metadata"]
    tags = metadata.get("tags", [])
    if not isinstance(tags, list):
        yield f"tags must be a list, got {tags!r}"
        tags = []
    for tag in tags:
        if tag not in TAGS:
            yield f"unknown tag {tag}; known are {', '.join(TAGS)}"
    for key in metadata:
        if key not in METADATA:
            yield f"unknown cell metadata {key}; known are {', '.join(sorted(METADATA))}"
    if cell["cell_type"] == "raw":
        yield "raw cells are shown by some readers and not by others"
    if cell["cell_type"] != "code":
        return
    source = text_of(cell["source"])
    if re.match(r"\s*(?::[\w-]+:|---\s*$)", source):
        yield "options became code: write them as :key: value, without a blank line before them"
    for match in SWITCH.finditer(source):
        yield f"{match[1]} switches the comparison off"
    for match in SHELL.finditer(source):
        yield f"a chapter runs no other program: {match[0].strip()}"
    for name in sorted(_names(source) & OUTPUT_WIDGETS):
        yield f"{name} cannot be compared nor stored: use observe and a widget with a value"


def _names(source: str) -> set[str]:
    """The names that code calls or imports; none where it is no plain Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name):
                found.add(node.func.id)
            elif isinstance(node.func, ast.Attribute):
                found.add(node.func.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("ipywidgets"):
            found |= {alias.name for alias in node.names}
    return found


def _whole(notebook: Mapping[str, Any], size: int) -> Iterator[str]:
    if size >= LARGEST:
        yield f"has {size} bytes; the limit is {LARGEST}"
    if "widgets" in notebook["metadata"]:
        yield "holds widget state, which shows as a dead slider"
    code = [c for c in notebook["cells"] if c["cell_type"] == "code" and text_of(c["source"])]
    if code and all(cell["execution_count"] is None for cell in code):
        yield "was never executed"


def _markdown(cell: Cell) -> Iterator[str]:
    source = text_of(cell["source"])
    prose = re.sub(r"(?ms)^[ >]*(`{3,})(?!\s*\{).*?^[ >]*\1\s*$", "", source)
    prose = re.sub(r"(?<!`)``(?!`).+?(?<!`)``(?!`)", "", prose)
    for pattern, what in RAW:
        for match in pattern.finditer(prose):
            yield f"{what}: {match[0].strip()}"
    for match in REMOTE.finditer(prose):
        yield f"is fetched from the network when it is read: {match[0]}"
    yield from _folds(prose)
    for line in re.findall(r"(?m)^[ ]*>.*$", prose):
        if line.replace(r"\$", "").count("$$") % 2:
            yield f"maths in a quote must stand on one line: {line.strip()[:60]}"


def _folds(prose: str) -> Iterator[str]:
    if len(re.findall(r"<details\b", prose)) != prose.count("</details>"):
        yield "a <details> is not closed"


def _outputs(cell: Cell) -> Iterator[str]:
    tags = cell["metadata"].get("tags", [])
    failed = False
    for output in cell["outputs"]:
        kind = output["output_type"]
        if kind == "stream":
            if output["name"] == "stderr":
                yield f"writes to stderr: {text_of(output['text']).strip()[:80]}"
            yield from _text(text_of(output["text"]))
        elif kind == "error":
            failed = True
            if "raises-exception" not in tags:
                yield f"fails: {output['ename']}: {output['evalue']}"
            yield from _text("\n".join([output["evalue"], *output["traceback"]]))
        else:
            yield from _data(output)
    if "raises-exception" in tags and not failed:
        yield "is tagged raises-exception and does not fail"
    if "execution" in cell["metadata"]:
        yield "holds time stamps"


def _data(output: Mapping[str, Any]) -> Iterator[str]:
    data: Mapping[str, Any] = output["data"]
    plain = text_of(data.get("text/plain", ""))
    for kind, value in data.items():
        if kind in (VIEW, STATE):
            yield "holds a widget view, which shows as 'model not found'"
        elif kind.startswith("image/"):
            alt = output["metadata"].get(kind, {}).get("alt", "")
            if not alt.strip():
                yield f"shows {kind} without alt text"
            elif alt not in plain:
                yield f"alt text of {kind} is not in text/plain, where it would be compared"
        elif kind.startswith("text/"):
            yield from _text(text_of(value))
    html = text_of(data.get("text/html", ""))
    for tag in IMAGE.findall(html):
        found = ALT.search(tag)
        alt = unescape((found[1] or found[2] or "").strip()) if found else ""
        if not alt and 'aria-hidden="true"' not in tag:
            yield f"shows a picture without alt text: {tag[:40]}"
    for match in REMOTE.finditer(html):
        yield f"is fetched from the network when it is read: {match[0]}"


def _text(text: str) -> Iterator[str]:
    """Return the parts of an output that hold on one machine only."""
    bare = re.sub(r"data:[\w/+.-]+;base64,[A-Za-z0-9+/=]+", "", text)
    for place in _here():
        if place in bare:
            yield f"names a folder of one machine: {place}"
            return
    for pattern, what in ((PATH, "an absolute path"), (ADDRESS, "an address in memory")):
        found = pattern.search(bare)
        if found:
            yield f"holds {what}: {found[0]}"
            return


def _here() -> Sequence[str]:
    folders = (Path.home(), Path(sys.prefix), Path(tempfile.gettempdir()), Path.cwd())
    return [str(folder) for folder in folders if len(folder.parts) > 2]
