"""Say why and where a text is refused, and which text to write instead."""

from __future__ import annotations

import re
from typing import Any

_TURNED = {"=<": "<=", "=>": ">=", "<>": "!=", "><": "!="}  # as some write a relation
REPEATING = re.compile(r"[0-9]*\.[0-9]*\([0-9]+\)")  # 0.1(6) could be 1/6
DECIMAL = re.compile(
    r"(?<![0-9A-Za-z_.])(?<![0-9],)([0-9]+(?:\.[0-9]{3})*)(?:,|\{,\})([0-9]+)(?![0-9A-Za-z_]|[.,][0-9]|\{,\})"
)
LONGEST_TEXT = 20_000
LATEX_LINE = " $$"  # ends a line of an align, which is LaTeX also where no backslash says so


class ParseError(ValueError):
    """Signal a text that is no statement; `position` counts characters from 1."""

    def __init__(self, text: str, position: int, reason: str) -> None:
        text = text.removesuffix(LATEX_LINE)
        start, end = 0, len(text)
        if len(text) > 100:
            start, end = max(0, position - 31), position + 30
        shown = "".join(
            sign if sign.isprintable() else sign.encode("unicode_escape").decode()
            for sign in text[start:end]
        )
        shown = ("..." if start else "") + shown + ("..." if end < len(text) else "")
        super().__init__(f'cannot read "{shown}" at character {position}: {reason}')
        self.position = position
        self.reason = reason

    def at(self, where: str) -> ParseError:
        """Return the same error of one text among several."""
        return _rebuilt(f"{where}: {self}", self.position, self.reason)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (str(self), self.position, self.reason)


def turned(text: str, place: int) -> str:
    """Say what to write for ``=<`` and similar pairs, whose second sign stands at a place."""
    shown = text[max(place - 1, 0) : place + 1]
    sign = _TURNED.get(shown)
    if shown == "=>":
        return f"what is implied is a statement alone, its condition stands in given; else write {sign}"
    return f'write {sign} for "{shown}"' if sign else ""


def decimal_comma(text: str, place: int) -> str:
    """Say what to write for a decimal comma, where one may stand at a place."""
    match = _around(DECIMAL, text, place)
    if match is None:
        return thousands_at(text, place)
    whole = match[1].replace(".", "")
    advice = f"is {match[0]} a decimal? write {whole}.{match[2]}"
    if re.fullmatch(r"[1-9][0-9]{0,2}(,|\{,\})[0-9]{3}", match[0]):
        advice += f", or {whole}{match[2]} for thousands"
    return advice


def _around(pattern: re.Pattern[str], text: str, place: int) -> re.Match[str] | None:
    """Return the match of a pattern that covers a place."""
    found = (match for match in pattern.finditer(text) if match.start() <= place < match.end())
    return next(found, None)


_GAP = r"(?:[ \u00a0~]|\\[,:; ])"
_THOUSANDS = re.compile(
    rf"(?<![0-9A-Za-z_.,^])[1-9][0-9]{{0,2}}(?:(?:,[0-9]{{3}}){{2,}}|(?:\{{,\}}[0-9]{{3}}){{2,}}"
    rf"|(?:\.[0-9]{{3}}){{2,}}|(?:(?:{_GAP}|')[0-9]{{3}})+)(?![0-9A-Za-z_]|[.,'][0-9])"
)
_MIXED = re.compile(rf"(?<![0-9A-Za-z_.,^])([0-9]+){_GAP}+([0-9]+/[0-9]+)(?![0-9A-Za-z_.])")


def thousands_at(text: str, place: int) -> str:
    """Say what to write for a number in groups of three digits, or a mixed number, at a place."""
    if match := _around(_THOUSANDS, text, place):
        return f"is {match[0]} one number? write {re.sub('[^0-9]', '', match[0])}"
    if match := _around(_MIXED, text, place):
        return f"is {match[0]} a mixed number? write {match[1]} + {match[2]}"
    return ""


def _rebuilt(message: str, position: int, reason: str) -> ParseError:
    error = ParseError.__new__(ParseError)
    ValueError.__init__(error, message)
    error.position, error.reason = position, reason
    return error


NORMAL = {
    "Phi": "for the normal distribution function write erfc(-x/sqrt(2))/2; for a product write a sign",
    "phi": "for the normal density write exp(-x^2/2)/sqrt(2*pi); for a product write a sign",
}
