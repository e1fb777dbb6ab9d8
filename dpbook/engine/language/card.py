"""Show a claim or a decision: its rows are set as text or HTML here, and as nodes in the book.

A row has a label and parts. A part is plain text in which `code` may be marked, a formula, a piece
of code, or the key of a claim.
"""

from __future__ import annotations

import html
import itertools
import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

LINE = 120  # characters of a line in a terminal


class Described:
    """Represent a result that says its finding in a sentence; a notebook shows the sentence."""

    @abstractmethod
    def describe(self) -> str:
        """Say the finding in a sentence."""

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(self.describe())}</p>"


@dataclass(frozen=True)
class Maths:
    """Hold a formula, as text and as LaTeX.

    In a list of definitions, a formula stands deeper than the formula that uses it.
    """

    text: str
    latex: str
    depth: int = 0


@dataclass(frozen=True)
class Code:
    """Hold a text that is set as code."""

    text: str


@dataclass(frozen=True)
class Key:
    """Hold the key of a claim; a book links it."""

    key: str


Part = str | Maths | Code | Key


@dataclass(frozen=True)
class Row:
    """Represent a line of a card."""

    label: str
    parts: tuple[Part, ...]
    comma: str = ", "

    @property
    def listed(self) -> bool:
        """Say whether the parts stand below each other: several formulas, too long for a line."""
        formulas = [part for part in self.parts if isinstance(part, Maths)]
        return len(formulas) > 1 and sum(len(part.text) for part in formulas) > LINE


@dataclass(frozen=True)
class Card:
    """Hold everything that is shown of a claim or a statement.

    Attributes
    ----------
    verdict : str
    colour, frame : str
        Behind the verdict, and of the frame.
    key, title : str
        Empty for a statement that is no claim.
    statement : Maths
    rows : tuple of Row
    below : str
        HTML that is closed until it is opened, such as the steps of a proof.
    lines : tuple of str
        The same in text, where it is short.
    """

    verdict: str
    colour: str
    frame: str
    statement: Maths
    rows: tuple[Row, ...]
    key: str = ""
    title: str = ""
    below: str = ""
    lines: tuple[str, ...] = ()


def row(label: str, *parts: Part, comma: str = ", ") -> list[Row]:
    """Return a list with one row, or an empty list where there is nothing to say."""
    kept = tuple(part for part in parts if part)
    return [Row(label, kept, comma)] if kept else []


# --- as text ----------------------------------------------------------------------------------------


def _plain(part: Part) -> str:
    if isinstance(part, Key):
        return part.key
    return part if isinstance(part, str) else part.text


def as_lines(rows: Sequence[Row]) -> list[str]:
    """Return rows as lines of text."""
    lines = []
    for one in rows:
        if one.listed:
            depths = [getattr(part, "depth", 0) for part in one.parts]
            below = zip(depths, one.parts, strict=True)
            lines += [f"  {one.label}:", *("  " * (2 + d) + _plain(part) for d, part in below)]
            continue
        first, *more = one.comma.join(map(_plain, one.parts)).splitlines()
        lines += [f"  {one.label}: {first}", *(f"    {line}" for line in more)]
    return lines


def as_text(shown: Card) -> str:
    """Return a card for a terminal."""
    said = shown.statement.text
    if not shown.key:
        head = [f"{shown.verdict}: {said}" if said else shown.verdict]
    else:
        head = [f"{shown.key}  {shown.title}", "", f"  {shown.verdict.upper()}  {said}"]
    below = (f"  {line}" for line in shown.lines)
    lines = [*(line.rstrip() for line in head), *as_lines(shown.rows), *below]
    return "\n".join(piece for line in lines for piece in folded(line))


_OPERATOR = re.compile(r"(?: |^)(?:[-+=<>]|[<>]=|and|or|for)$")  # begins a line, ends none


def folded(line: str, width: int = LINE) -> list[str]:
    """Cut a line into pieces of a width, at blanks that stand in the fewest brackets.

    A list of conditions is cut between two of them, where the piece is long enough then.

    Examples
    --------
    >>> folded("  f(x + y, z) <= g(x + y) and x > 0", 26)
    ['  f(x + y, z) <= g(x + y)', '      and x > 0']
    >>> folded("  given: b >= 0; eta >= 1; s + r > 0", 30)
    ['  given: b >= 0; eta >= 1;', '      s + r > 0']
    """
    margin = len(line) - len(line.lstrip()) + 4
    pieces, depth = list[str](), 0
    while len(line) > width:
        depths = list(
            itertools.accumulate(((c in "([") - (c in ")]") for c in line[:width]), initial=depth)
        )
        start = max(len(line) - len(line.lstrip()) + 1, width // 2)
        blanks = [place for place in range(start, width) if line[place] == " "]
        blanks = [place for place in blanks if not _OPERATOR.search(line[:place])] or blanks
        if not blanks:
            break
        listed = [place for place in blanks if line[place - 1] == ";" and 4 * place > 3 * width]
        cut = min(listed or blanks, key=lambda place: (depths[place], -place))
        pieces.append(line[:cut].rstrip())
        depth = depths[cut]
        line = " " * (margin + 2 * min(depth, 4)) + line[cut:].lstrip()
    return [*pieces, line]


# --- as HTML ----------------------------------------------------------------------------------------


def maths(tex: str) -> str:
    """Return a formula in the form that MathJax reads in notebooks and in the book."""
    return f'<span class="math notranslate nohighlight">\\({html.escape(tex)}\\)</span>'


def badge(word: str, colour: str) -> str:
    """Return a verdict as a coloured word."""
    style = f"background:{colour};color:#fff;border-radius:3px;padding:1px 6px"
    return f'<strong style="{style}">{html.escape(word)}</strong>'


def _marked(part: Part) -> str:
    if isinstance(part, Maths):
        return maths(part.latex) if part.latex else html.escape(part.text)
    if isinstance(part, (Key, Code)):
        return f"<code>{html.escape(_plain(part))}</code>"
    return "".join(_TAGS[kind].format(html.escape(piece)) for kind, piece in marks(part))


def _pushed(part: Part) -> str:
    depth = getattr(part, "depth", 0)
    return f' style="margin-left:{1.5 * depth:g}em"' if depth else ""


_TAGS = {"": "{}", "code": "<code>{}</code>", "power": "<sup>{}</sup>"}


def marks(said: str) -> list[tuple[str, str]]:
    """Return text in pieces with their kinds: `code` as in Markdown, and x**2 as a power.

    Examples
    --------
    >>> marks("a**(k (n - 1)).")
    [('', 'a'), ('power', 'k (n - 1)'), ('', '.')]
    """
    pieces = []
    for place, part in enumerate(re.split(r"`+([^`]+)`+", said)):
        if place % 2:
            pieces.append(("code", part))
            continue
        for power, piece in enumerate(re.split(r"\*\*(\((?:[^()]|\([^()]*\))*\)|\w+)", part)):
            if power % 2:
                pieces.append(("power", piece.removeprefix("(").removesuffix(")")))
            elif piece:
                pieces.append(("", piece))
    return pieces


def as_html(shown: Card) -> str:
    """Return a card for a notebook: framed, in the colour of its verdict."""
    style = (
        f"border:1px solid #8888;border-left:4px solid {shown.frame};"
        "border-radius:6px;padding:0.25rem 1rem 0.5rem;margin:0.5rem 0"
    )
    big = rf"\displaystyle {shown.statement.latex}" if shown.statement.latex else ""
    statement = _marked(Maths(shown.statement.text, big))
    if shown.key:
        head = f"<code>{shown.key}</code> <strong>{html.escape(shown.title)}</strong>"
        parts = [f"<p>{badge(shown.verdict, shown.colour)} {head}</p>"]
        parts += [f"<p>{statement}</p>"] if shown.statement.text or big else []
    else:
        parts = [f"<p>{badge(shown.verdict, shown.colour)} {statement}</p>"]
    for one in shown.rows:
        if one.listed:
            items = "".join(f"<li{_pushed(part)}>{_marked(part)}</li>" for part in one.parts)
            label = f"<small>{html.escape(one.label)}:</small>"
            parts.append(f'<p style="margin-bottom:0">{label}</p><ul>{items}</ul>')
            continue
        said = one.comma.join(map(_marked, one.parts)).replace("\n", "<br>")
        parts.append(f"<p><small>{html.escape(one.label)}:</small> {said}</p>")
    inside = "".join(parts) + shown.below
    return f'<div class="claim-card" style="{style}">{inside}</div>'
