"""Claims in documents: keys that are named, statements and derivations that are to be checked.

Sybil finds them: in Markdown (MyST), reStructuredText and docstrings the role and the directive
``claim`` with a key, the directives ``check`` and ``derive`` with lines, ``Claims: KEY`` in a docstring,
and cells that begin with ``%%claim`` or ``%%derive``, in notebooks too, and in those that Jupytext keeps
as scripts.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

CELLS = ("code-cell", "jupyter-execute", "python")  # Quarto writes a cell as {python}
NAMES = "|".join(("claim", "check", "derive", *CELLS))
MARKDOWN = (".md", ".markdown", ".qmd", ".Rmd")
ROLE = re.compile(r"(?i)(?:(?<![`\w]):claim:|(?<![`\\])\{claim\})(?P<mark>`+)([^`]+)(?P=mark)(?!`)")
ROLE_BEHIND = re.compile(r"(?i)(?<![`\w:}])(?P<mark>`)([^`]+)`:claim:(?![`\w])")  # reStructuredText
FENCE = re.compile(  # it is closed by a mark that is as long, or longer
    r"^(?P<prefix>[ \t>]*)(?P<mark>(?P<one>[`~:])(?P=one){2,})(?P<info>[^\n]*)\n(?P<body>.*?)"
    r"^[ \t>]*(?P=mark)(?P=one)*[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
ITEM = r"[ \t>]*(?:(?:[-*+]|\(?(?:\d+|[A-Za-z]|\#)[.)])[ \t]+[ \t>]*)+"
ITEM_WITH_FENCE = re.compile(rf"^{ITEM}(?=`{{3}}|~{{3}}|:{{3}})", re.MULTILINE)
ITEM_WITH_DIRECTIVE = re.compile(rf"^{ITEM}(?=\.\.[ \t])", re.MULTILINE)
CODE_IN_A_LINE = re.compile(r"^[ \t>]*`{3,}+(?=[^`\n]+`)", re.MULTILINE)
COMMENT = re.compile(r"[ \t]*\.\.(?:[ \t]*$|[ \t]+(?=\S)(?![_[|])(?!\S[^\n]*::(?:\s|$)))")
CODE = r"[ \t]*\.\.[ \t]+(?:code|code-block|sourcecode|parsed-literal|prompt)::"
LITERAL = re.compile(rf"{CODE}|{COMMENT.pattern}|(?![ \t]*\.\.[ \t]).*::[ \t]*$")
OURS = re.compile(rf"(?i)\s*\{{({NAMES})\}}")
DIRECTIVE = re.compile(rf"(?im)^([ \t>]*\.\.[ \t]+)({NAMES})[ ]?(::)")  # as docutils takes it
CASE = re.compile(  # R Markdown writes options: {python, echo=FALSE}
    rf"(?im)^([ \t>]*(?:`{{3,}}|~{{3,}}|:{{3,}})[ \t]*\{{)({NAMES})(?:(?<=python)[ ,][^}}\n]*)?(\}})"
)
FIRST = r"[ \t]*(?:[-*+][ \t]+)?(?::claim:`)?\w[\w.-]*:\w"  # a paragraph that begins with a key
SECTION = re.compile(
    r"^(?P<indent>[ \t]*)Claims(?:"
    r":[ \t]*(?P<inline>\S[^\n]*(?:\n(?P=indent)[ \t]+\S[^\n]*|(?<=,)\n[ \t]*\S[^\n]*)*)"
    r"|:[ \t]*\n(?P<under>(?:(?P=indent)[ \t]+\S[^\n]*(?:\n|\Z)"
    rf"|(?:[ \t]*\n)+(?=(?P=indent)[ \t]+{FIRST}))+)"
    r"|[ \t]*\n[ \t]*(?:-{3,}|={3,})[ \t]*\n"
    rf"(?P<below>(?:[ \t]*\S[^\n]*(?:\n|\Z)|(?:[ \t]*\n)+(?={FIRST}))+))",
    re.MULTILINE,
)
# blank lines, comments such as Quarto's `#| label`, and other magics such as %%time
MAGIC = re.compile(
    r"(?:[ \t]*(?:#[^\n]*|%%(?!claim\b|derive\b)[^\n]*)?\n)*[ \t]*%%(claim|derive)\b[^\n]*\n?"
)
KEY = re.compile(r"\w[\w.-]*:\w[\w.-]*")
# a cell in a notebook that Jupytext keeps as a script: all its lines are comments
SCRIPT_CELL = re.compile(
    r"^# %%(claim|derive)\b[^\n]*\n(?P<body>(?:#(?! ?%%)[^\n]*(?:\n|\Z))*)", re.MULTILINE
)
MAGIC_LINE = re.compile(r"^[ \t>]*(%%(?:claim|derive))\b", re.MULTILINE)


@dataclass(frozen=True)
class Example:
    """A claim in a document.

    Attributes
    ----------
    kind : str
        ``claim`` (a key), ``check`` (a statement) or ``derive``.
    text : str
        The key, or the lines.
    line : int
        Where it begins, from 1 on; in a notebook the number of the cell.
    expect : str
        The verdict that is expected of a statement or a derivation.
    cell : bool
        Whether `line` is the number of a cell.
    rows : tuple of int
        Where each line of `text` stands; empty for a key and in a notebook.
    """

    kind: str
    text: str
    line: int
    expect: str = "proved"
    cell: bool = False
    rows: tuple[int, ...] = ()

    def moved(self, lines: int) -> Example:
        """Return the example as it stands in a document that has so many lines before it."""
        rows = tuple(row + lines for row in self.rows)
        return replace(self, line=self.line + lines, rows=rows)


def examples(path: Path, text: str) -> list[Example]:
    """Return the claims in a document, in their order.

    Raises
    ------
    ValueError
        When the document cannot be read, or Sybil is not installed.
    """
    if path.suffix == ".ipynb":
        return list(_in_notebook(text))
    if path.suffix == ".py":
        return sorted([*_in_docstrings(text), *_in_script(text)], key=_line)
    return list(_in_text(path, text, markdown=path.suffix in MARKDOWN))


def _in_notebook(text: str) -> Iterator[Example]:
    try:
        cells = json.loads(text)["cells"]
        sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"it is no notebook: {error}") from error
    for number, (kind, source) in enumerate(sources, 1):
        if kind == "code":
            found = list(_magic(source, number))
        else:
            found = list(_in_text(Path("cell.md"), source, markdown=True))
        for one in found:
            yield Example(one.kind, one.text, number, one.expect, cell=True)


def _magic(source: str, line: int) -> Iterator[Example]:
    """A cell that begins with a magic; as in IPython and Quarto, some lines may stand above it."""
    found = MAGIC.match(source)
    if found:
        yield Example("check" if found[1] == "claim" else "derive", source[found.end() :], line)


def _in_docstrings(text: str) -> Iterator[Example]:
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        raise ValueError(f"this is no Python: {error.msg}, line {error.lineno}") from None
    for first in ast.walk(tree):  # docstrings, of attributes too
        if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
            continue
        if not isinstance(first.value.value, str):
            continue
        said = _dedented(first.value.value, first.col_offset)
        inside = [*_in_text(Path("docstring.rst"), said, markdown=False)]
        if any(OURS.match(fence["info"]) for fence in FENCE.finditer(said)):  # it is in Markdown
            text = _without_code(CASE.sub(_lower, _without_items(said, markdown=True)))
            inside += _blocks(Path("docstring.md"), text, markdown=True)
        for section in SECTION.finditer(said):
            line = said.count("\n", 0, section.start()) + 1
            inside += [Example("claim", key, line) for key in keys_of(section)]
        for one in sorted(inside, key=_line):
            yield one.moved(first.value.lineno - 1)


def _in_script(text: str) -> Iterator[Example]:
    for cell in SCRIPT_CELL.finditer(text):
        line = text.count("\n", 0, cell.start()) + 1
        lines = [re.sub(r"^# ?", "", row) for row in cell["body"].splitlines()]
        rows = tuple(range(line + 1, line + 1 + len(lines)))
        kind = "check" if cell[1] == "claim" else "derive"
        yield Example(kind, "\n".join(lines), line, rows=rows)


def _dedented(docstring: str, depth: int) -> str:
    """Return a docstring without the indentation at which it begins; each line stays where it is."""
    return re.sub(rf"(?<=\n)[ \t]{{1,{depth}}}" if depth else r"(?!)", "", docstring)


def keys_of(section: re.Match[str]) -> list[str]:
    """Return the keys that a section Claims of a docstring names.

    Each is taken whole: a wrong key must not pass as its beginning.
    """
    return [
        word.rstrip(".")
        for word in KEY.findall(section["inline"] or section["under"] or section["below"])
    ]


def _in_text(path: Path, text: str, markdown: bool) -> Iterator[Example]:
    text = _without_items(text, markdown)
    text = CASE.sub(_lower, text) if markdown else DIRECTIVE.sub(_lower, text)
    text = _without_code(text) if markdown else _without_literals(text)
    yield from sorted((*_blocks(path, text, markdown), *_roles(text, markdown)), key=_line)


def _lower(directive: re.Match[str]) -> str:
    """Write a directive in small letters, without a blank behind its name: Sybil knows no other form."""
    return f"{directive[1]}{directive[2].lower()}{directive[3]}"


def _line(one: Example) -> int:
    return one.line


def _without_code(text: str, ours: bool = True) -> str:
    """The text with blanks in place of fenced code, which shows how something is written.

    The directives that hold examples stay where `ours` is true.
    """

    def kept(fence: re.Match[str]) -> str:
        if OURS.match(fence["info"]):
            return _with_backticks(fence) if ours else _blank(fence[0])
        if re.match(r"\s*\{(?![^}]*code)", fence["info"]):
            return _fenced(fence, fence["mark"], fence["info"], _without_code(fence["body"], ours))
        return _blank(fence[0])

    return FENCE.sub(kept, text)


def _without_items(text: str, markdown: bool) -> str:
    """The text with blanks in place of the mark of a list before a fence or a directive.

    Else the end of code in a list would look like the beginning of code, and what follows would
    not be seen. So would a line of code between three backticks.
    """

    def unmarked(item: re.Match[str]) -> str:
        return re.sub(r"[^ \t>]", " ", item[0])

    if not markdown:
        return ITEM_WITH_DIRECTIVE.sub(unmarked, text)
    return CODE_IN_A_LINE.sub(unmarked, ITEM_WITH_FENCE.sub(unmarked, text))


def _without_literals(text: str) -> str:
    """The reStructuredText with blanks in place of literal blocks, code and comments."""
    made: list[str] = []
    inside: int | None = None  # the indentation of the line above the part that is left out
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip())
        if inside is not None and (not line.strip() or depth > inside):
            made.append(_blank(line))
            continue
        inside = depth if LITERAL.match(line) else None
        comment = inside is not None and COMMENT.match(line)
        made.append(_blank(line) if comment else line)
    return "\n".join(made)


def _with_backticks(fence: re.Match[str]) -> str:
    """Return a fence with backticks where it has colons, which Sybil does not know."""
    # nor does it know blanks before a name
    return _fenced(fence, fence["mark"].replace(":", "`"), fence["info"].lstrip(), fence["body"])


def _fenced(fence: re.Match[str], mark: str, info: str, body: str) -> str:
    """Return a fence whose end stands as its beginning does: Sybil knows no other end."""
    return f"{fence['prefix']}{mark}{info}\n{body}{fence['prefix']}{mark}"


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _roles(text: str, markdown: bool) -> Iterator[Example]:
    if markdown:
        text = _without_code(text, ours=False)
    roles = [*ROLE.finditer(text), *(() if markdown else ROLE_BEHIND.finditer(text))]
    for role in roles:
        titled = re.fullmatch(r".*<([^<>]+)>", role[2], re.DOTALL)
        key = titled[1] if titled else role[2]
        yield Example("claim", key.strip(), text.count("\n", 0, role.start()) + 1)


def _blocks(path: Path, text: str, markdown: bool) -> Iterator[Example]:
    if markdown:
        yield from _in_eval_rst(path, text)
    try:
        from sybil import Document
        from sybil.parsers.abstract.lexers import LexingException
        from sybil.parsers.myst.lexers import DirectiveLexer as MystLexer
        from sybil.parsers.rest.lexers import DirectiveLexer as RestLexer
    except ImportError as error:
        raise ValueError(
            "claims in documents are found with Sybil: pip install 'dpbook[pytest]'"
        ) from error
    lexer: Any = MystLexer(NAMES) if markdown else RestLexer(NAMES)
    if not text.endswith("\n"):
        text += "\n"
    try:
        regions: Iterable[Any] = list(lexer(Document(text, str(path))))
    except LexingException as error:
        raise ValueError(str(error).partition(", looking for")[0]) from error
    except ModuleNotFoundError as error:  # PyYAML, which comes with MyST
        raise ValueError("options between --- are read with PyYAML: pip install pyyaml") from error
    except Exception as error:  # of PyYAML, or of options that have no names
        said = " ".join(str(error).split())
        raise ValueError(f"options between --- cannot be read: {said}") from error
    for region in regions:
        lexemes = region.lexemes
        line = text.count("\n", 0, region.start) + 1
        source, name = str(lexemes["source"] or ""), lexemes["directive"]
        if name in ("check", "derive") and (first := (lexemes["arguments"] or "").strip()):
            source = f"{first}\n{source}"  # Sphinx takes it as the first line, too
        if name in CELLS:
            for one in _magic(source, line + 1):
                magic = MAGIC_LINE.search(text, region.start, region.end)
                if magic:
                    one = replace(one, line=text.count("\n", 0, magic.start(1)) + 1)
                yield replace(one, rows=_rows(text, one.line, one.text))
        elif name == "claim":
            yield Example("claim", (lexemes["arguments"] or "").strip(), line)
        else:
            expect = lexemes["options"].get("expect", "proved").strip()
            yield Example(name, source, line, expect, rows=_rows(text, line, source))


def _in_eval_rst(path: Path, text: str) -> Iterator[Example]:
    """Yield the blocks in reStructuredText inside Markdown, also inside other directives."""
    for fence in FENCE.finditer(text):
        before = text.count("\n", 0, fence.start("body"))
        found: Iterable[Example] = ()
        if fence["info"].strip().lower() == "{eval-rst}":
            body = DIRECTIVE.sub(_lower, _without_items(fence["body"], markdown=False))
            found = _blocks(path, _without_literals(body), markdown=False)
        elif fence["info"].strip().startswith("{"):
            found = _in_eval_rst(path, fence["body"])
        for one in found:
            yield one.moved(before)


def _rows(text: str, start: int, source: str) -> tuple[int, ...]:
    """Return where each line of an example stands in its document, which begins at a line."""
    below = iter(enumerate(text.split("\n")[start - 1 :], start))
    found: list[int] = []
    for wanted in map(str.strip, source.splitlines()):
        at = (
            number
            for number, row in below
            if row.strip(" \t>") == wanted or (number == start and row.rstrip().endswith(wanted))
        )
        found.append(next(at, start) if wanted else start)
    return tuple(found)
