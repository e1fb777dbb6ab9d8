"""Read statements typed as text: names, numbers, operators and functions, never evaluated.

A name before ``(`` is a function, else a symbol, so ``lambda`` and ``beta`` are symbols; ``pi`` is a
constant, and ``oo`` stands only at an end of a range. ``=`` and ``==``, ``^`` and ``**`` are the same,
``-x^2`` is ``-(x^2)``, powers group to the right, and decimals are exact. A number or a bracket may
stand before a factor without a sign: ``2n + 1``, ``(a + 5)(b + 2)``; ``√2``, ``x²`` and ``ln 2`` are
read. A text that can be meant in two ways is refused: ``1/2x``, ``x^2y``, ``x y``.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from dpbook.engine.read.grammar import NAMES_OF_FUNCTIONS
from dpbook.engine.read.nodes import (
    AND,
    CONSTANTS,
    GLYPHS,
    INTERVALS,
    NO_FACTOR,
    OR,
    RELATION,
    RELATIONS,
    SIGN,
    TIMES,
    UNSIGNED,
    Joint,
    Node,
    Rules,
    canonical,
)
from dpbook.engine.read.refusals import (
    DECIMAL,
    LONGEST_TEXT,
    REPEATING,
    ParseError,
    decimal_comma,
    thousands_at,
    turned,
)

LONGEST_NAME = 100
DEEPEST = 200
ONLY = "only names, numbers, operators and functions are understood"
_SUM = "a sum is written Sum(k^2, k, 1, n)"
_INSTEAD = {
    "∞": "write oo",
    ".": f"dots are no number; {_SUM}",
    "∑": _SUM, "∏": "a product is written Product(k, k, 1, n)", "∫": "write Integral(x^2, x, 0, 1)",
    "∈": "write in: x in [0, 1]", "÷": "write /", "½": "write 1/2", "¼": "write 1/4", "¾": "write 3/4",
    "≈": "no relation that can be decided; write |a - b| <= 0.01", "±": "write x = 1 or x = -1",
    "$": "LaTeX and text are mixed", "%": "a percentage is written as a fraction, 50/100 for 50%",
    **{sign: f"a name with a subscript is written x_{digit}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip
_WORD = re.compile(
    r"(?P<NUMBER>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<NAME>(?:[A-Za-z][A-Za-z0-9]*|[{GLYPHS}][0-9]*)(?:_[A-Za-z0-9{GLYPHS}]*)*|[π∞])"
    r"|(?P<ROOT>√)|(?P<RAISED>[²³])"
    r"|(?P<MARK><=|>=|==|!=|\*\*|&&|\|\||[-+*/^!=<>()\[\],|&≤≥≠·×⋅−∧∨])"
)
_BLANK = " \t\r\n\u00a0"
_MARKS = {
    **{sign: ("RELATION", meaning) for sign, meaning in RELATIONS.items()},
    "==": ("RELATION", "=="), "!=": ("RELATION", "!="),
    "+": ("SIGN", "+"), "-": ("SIGN", "-"), "−": ("SIGN", "-"),
    "*": ("TIMES", "*"), "·": ("TIMES", "*"), "×": ("TIMES", "*"), "⋅": ("TIMES", "*"),
    "/": ("TIMES", "/"), "^": ("^", "^"), "**": ("^", "^"),
    "&": ("AND", "and"), "&&": ("AND", "and"), "∧": ("AND", "and"),
    "||": ("OR", "or"), "∨": ("OR", "or"), **{sign: (sign, sign) for sign in "!,()[]"},
}  # fmt: skip
_NAMES = {
    "and": ("AND", "and"), "or": ("OR", "or"), "in": ("IN", "in"),
    "π": ("NAME", "pi"), "∞": ("NAME", "oo"),
}  # fmt: skip
_LEVELS = {"OR": OR, "AND": AND, "RELATION": RELATION, "IN": RELATION, "SIGN": SIGN, "TIMES": TIMES}
_OPERAND_ENDS = {"NUMBER", "NAME", ")", "]", "BAR)", "!"}
_OPERAND_STARTS = {"NUMBER", "NAME", "FUNCTION", "(", "(BAR", "["}
_BARE = re.compile(
    rf"[{_BLANK}]*(?P<operand>[0-9]+(?:\.[0-9]+)?(?![eE]?[0-9.])"
    rf"|(?:[A-Za-z][A-Za-z0-9]*|[{GLYPHS}][0-9]*)(?:_[A-Za-z0-9{GLYPHS}]*)*|π)"
)
_AFTER_BARE = re.compile(rf"[{_BLANK}]*(?:$|[-+*/−·×⋅<>=≤≥≠,)\]|&∧∨]|(?:!=)|(?:and|or|in)\b)(?!\*)")
_LOWERED = re.compile(rf"_[A-Za-z0-9{GLYPHS}]+")
_UNITS = frozenset({
    "nm", "mm", "cm", "dm", "km", "mg", "kg", "ms", "Hz", "kHz", "MHz", "GHz", "kB", "MB", "GB",
    "TB", "sec", "hours", "days", "years", "EUR", "USD", "bits", "bytes", "nats", "dB",
})  # fmt: skip


def nodes_of_text(text: str) -> list[Node]:
    """Read a text; return the nodes of its items, which commas separate.

    Raises
    ------
    ParseError
        When it is not valid, or can be read in two ways.
    """
    if len(text) > LONGEST_TEXT:
        reason = f"longer than {LONGEST_TEXT} characters ({len(text)})"
        raise ParseError(text, LONGEST_TEXT + 1, reason)
    if not text.strip(_BLANK):
        raise ParseError(text, 1, "the text is empty; write a relation such as x^2 >= 0")
    items = _Rules(text).items()
    if max(item.depth for item in items) > DEEPEST:
        raise ParseError(text, items[0].position, f"nested deeper than {DEEPEST}")
    return items


class _Word(NamedTuple):
    kind: str
    word: str
    place: int


class _Words:
    """Split a text into words; refuse other characters, deep nesting and factors side by side."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[_Word] = []
        self.nesting: list[tuple[str, int]] = []
        self.place = 0
        while self.place < len(text):
            if text[self.place] in _BLANK:
                self.place += 1
                continue
            match = _WORD.match(text, self.place)
            if match is None:
                self._lowered()
            else:
                self._read(str(match.lastgroup), match.group())
        if self.nesting:
            place = self.nesting[-1][1]
            raise self.fail(place, f'this "{text[place]}" is never closed')

    def fail(self, place: int, reason: str) -> ParseError:
        return ParseError(self.text, place + 1, reason)

    def _last(self, kind: str) -> bool:
        return bool(self.found) and self.found[-1].kind == kind

    def _rest(self, word: str) -> str:
        return self.text[self.place + len(word) :].lstrip(_BLANK)

    def _read(self, kind: str, written: str) -> None:
        """Read a word; a product of factors side by side gets its sign."""
        place, word = self.place, written
        ended = bool(self.found) and self.found[-1].kind in _OPERAND_ENDS
        bare = self._bare(written)
        if kind == "RAISED":
            exponent = str(unicodedata.digit(word))
            if not ended or self.text[place + 1 : place + 2] in ("²", "³"):
                raise self.fail(place, f"write ^{exponent}")
            self.found += [_Word("^", "^", place), _Word("NUMBER", exponent, place)]
            self.place += 1
            return
        if kind == "ROOT" or bare is not None:
            if bare is None and not self._rest(word).startswith("("):
                raise self.fail(place, "write sqrt(...)")
            kind, word = "FUNCTION", "sqrt" if kind == "ROOT" else word
        elif kind == "NAME":
            kind, word = self._name(word)
        elif word in ("|", "||"):
            kind, word = self._bar(word, ended)
        elif kind == "MARK":
            kind, word = _MARKS[word]
        if ended and kind in _OPERAND_STARTS:
            self._refuse_juxtaposed(kind, written)
            self.found.append(_Word("TIMES", UNSIGNED, place))
        if kind == ",":
            self._refuse_decimal_comma()
        elif kind == "!" and self._last("!"):
            raise self.fail(place, "a double factorial is not read; (n!)! is written with brackets")
        elif kind in ("(", "[", "(BAR"):
            self.nesting.append(("set" if self._last("IN") else word, place))
            if len(self.nesting) > DEEPEST:
                raise self.fail(place, f"nested deeper than {DEEPEST}")
        elif kind in (")", "]", "BAR)"):
            if not self.nesting or (self.nesting[-1][0] == "|") != (kind == "BAR)"):
                raise self.fail(place, f'no partner for "{word}"')
            self.nesting.pop()
        self.found.append(_Word(kind, word, place))
        self.place += 1 if "BAR" in kind else len(written)
        if bare is not None:
            inside = self.place + bare.start("operand")
            self.place += bare.end()
            operand = bare["operand"]
            kind = "NUMBER" if operand[0].isdigit() else "NAME"
            kind, word = _NAMES.get(operand, (kind, canonical(operand)))
            self.found += [_Word("(", "(", inside), _Word(kind, word, inside)]
            self.found.append(_Word(")", ")", self.place))

    def _bare(self, written: str) -> re.Match[str] | None:
        """Find the number or name that stands without brackets after ``√``, ``ln`` or ``log``.

        Only where it is the whole argument: ``ln 2x`` and ``√x^2`` can be meant in two ways.
        """
        if written not in ("√", "ln", "log") or self._last("IN"):
            return None
        behind = self.text[self.place + len(written) :]
        bare = _BARE.match(behind)
        if bare is None or bare["operand"] in ("and", "or", "in"):
            return None
        rest = behind[bare.end() :]
        whole = _AFTER_BARE.match(rest) and not rest.lstrip(_BLANK).startswith("**")
        return bare if whole else None

    def _name(self, written: str) -> tuple[str, str]:
        """Read a name, which is a function before a bracket."""
        if len(written) > LONGEST_NAME:
            raise self.fail(self.place, f"a name has at most {LONGEST_NAME} letters")
        kind, name = _NAMES.get(written, ("NAME", canonical(written)))
        if "eps" in written.split("_") and re.search(rf"(?<!\w){name}(?!\w)", self.text):
            reason = (
                f"{written} is read as {name}: write one of them throughout; "
                "another symbol needs another name"
            )
            raise self.fail(self.place, reason)
        if kind == "NAME" and self._rest(written).startswith("(") and not self._last("IN"):
            if written[0] in "βγψ" and name in NAMES_OF_FUNCTIONS:
                reason = f"is {written}( a product or the function {name}? write {written}*("
                raise self.fail(self.place, f"{reason} or {name}(")
            return "FUNCTION", name
        return kind, name

    def _bar(self, word: str, ended: bool) -> tuple[str, str]:
        """Read a bar: it opens where an operand may start, and closes or divides where one has ended."""
        inside = bool(self.nesting) and self.nesting[-1][0] == "|"
        if word == "||" and ended and not inside:
            return _MARKS[word]
        if not ended:
            return "(BAR", "|"
        return ("BAR)" if inside else "OR"), "|"

    def _lowered(self) -> None:
        """Read the subscript behind an exponent, as in ``x^2_1``."""
        match = _LOWERED.match(self.text, self.place)
        name, power, number = (self.found[-3:] + [_Word("", "", 0)] * 3)[:3]
        written = f"{number.word}{self.text[self.place :]}"
        grouped = re.match("[0-9]{1,3}(_[0-9]{3})+(?![0-9_])", written)
        if grouped and number.kind == "NUMBER" and self.text[: self.place].endswith(number.word):
            whole = grouped[0].replace("_", "")
            raise self.fail(self.place, f"is {grouped[0]} one number? write {whole}")
        raised = (name.kind, power.kind, number.kind) == ("NAME", "^", "NUMBER")
        touching = self.text[name.place : self.place].endswith(f"^{number.word}")
        lowers = "_" not in name.word and name.word not in CONSTANTS
        if match is None or not (raised and touching and lowers):
            raise self.fail(self.place, _not_understood(self.text[self.place]))
        self.found[-3] = name._replace(word=canonical(f"{name.word}{match.group()}"))
        self.place = match.end()

    def _refuse_decimal_comma(self) -> None:
        """Refuse ``0,5``: a comma between digits, but not in an interval."""
        if self.nesting and self.nesting[-1][0] == "set":
            return
        why = decimal_comma(self.text, self.place)
        if not why:
            return
        if not self.nesting:
            raise self.fail(self.place, f"{why}; after the comma of a list leave a blank")
        pair = DECIMAL.search(self.text, max(self.text.rfind("(", 0, self.place), 0))
        shown = pair[0].replace(",", ", ") if pair else "a, b"
        raise self.fail(self.place, f"{why}, or {shown} with a blank for two arguments")

    def _refuse_juxtaposed(self, kind: str, after: str) -> None:
        """Refuse two operands side by side, unless they can only be a product.

        A number or a closed bracket may stand before a name, a function or an open bracket. What
        stands in an exponent, or begins like a number of another kind, needs its sign.
        """
        before = self.found[-1]
        written = self.text[before.place : self.place].rstrip(_BLANK)
        if before[:2] == ("NAME", "not"):
            raise self.fail(before.place, '"not" is not read; negate by hand')
        if "mod" in (before.word, after):  # a remainder is no name beside a number
            raise self.fail(self.place, "mod is not understood here: write n - m*floor(n/m)")
        advice = "a product needs its sign: write * here"
        if before.kind in ("NUMBER", "NAME") and kind in ("NUMBER", "NAME", "FUNCTION"):
            advice = f"a product needs its sign: write {written}*{after}"
            if before.kind == "NAME" and before.word in NAMES_OF_FUNCTIONS:
                advice = f"write {written}({after}), or {written}*{after} for a product"
        if kind == "NUMBER":
            advice = thousands_at(self.text, self.place) or advice
        if before.kind not in ("NUMBER", ")") or kind not in ("NAME", "FUNCTION", "("):
            raise self.fail(self.place, advice)
        if after in _UNITS and before.kind == "NUMBER":
            advice = f"is {after} a unit? leave it out; for a product with a symbol write {written}*{after}"
            raise self.fail(self.place, advice)
        if after in NO_FACTOR:
            raise self.fail(self.place, f'"{after}" cannot stand here')
        if before.kind == ")":
            return
        power = [word.kind for word in self.found[-3:-1]]
        if power[-1:] == ["^"] or power == ["^", "SIGN"]:
            raise self.fail(self.place, "does this belong to the exponent? write brackets, or *")
        other_base = written == "0" and re.fullmatch(r"[xXbBoO][0-9A-Fa-f]+", after)
        if other_base or REPEATING.match(self.text, before.place):
            raise self.fail(self.place, advice)
        raised = after == "e" and self._rest(after).startswith(("^", "**"))
        if re.fullmatch(r"[eE][0-9]*", after) and not raised:
            raise self.fail(self.place, f"is this a power of ten? write {written}*{after}")


def _not_understood(character: str) -> str:
    """Say why a character begins no word; a character that looks like a letter is named."""
    if character in _INSTEAD or character.isascii():
        return _INSTEAD.get(character, ONLY)
    called = unicodedata.name(character, "a character without a name")
    return f"it is {called}; names have Latin and Greek letters, numbers the digits 0 to 9"


class _Rules(Rules):
    """Apply the grammar of text to its words."""

    deepest = DEEPEST + 1

    def __init__(self, text: str) -> None:
        self.text, self.place = text, 0
        self.words = [*_Words(text).found, _Word("END", "", len(text))]

    def items(self, end: str = "END") -> list[Node]:
        """Read items between commas up to a word of the kind `end`."""
        found = [self.joined()]
        while self.take(","):
            found.append(self.joined())
        self.need(end)
        return found

    def ahead(self) -> int:
        return self.words[self.place].place

    def take(self, *kinds: str) -> _Word | None:
        word = self.words[self.place]
        if word.kind not in kinds:
            return None
        self.place += 1
        return word

    def need(self, *kinds: str) -> _Word:
        """Take the next word, which must be of one of the kinds."""
        if taken := self.take(*kinds):
            return taken
        word = self.words[self.place]
        if word.kind == "END":
            raise self.fail(word.place, "the text ends too early")
        if why := turned(self.text, word.place):
            raise self.fail(word.place - 1, why)
        raise self.fail(word.place, f'"{word.word}" cannot stand here')

    def joint(self) -> Joint | None:
        word = self.words[self.place]
        level = _LEVELS.get(word.kind)
        return Joint(level, word.word, self.place + 1) if level else None

    def operand(self, sign: str) -> Node:
        """Read a factor with signs before it and powers behind it, which group to the right."""
        around: list[tuple[int, str, Node | None]] = []
        while True:
            place = self.ahead()
            if signed := self.take("SIGN"):
                around.append((place, signed.word, None))
                continue
            base = self.atom()
            if self.take("!"):
                base = self.node("factorial", place, [base])
            if not self.take("^"):
                break
            around.append((place, "", base))
        for place, word, below in reversed(around):
            if below is None:
                base = self.node("signed", place, [base], [word])
            else:
                base = self.node("power", place, [below, base])
        return base

    def atom(self) -> Node:
        kind, word, place = self.need("NUMBER", "NAME", "FUNCTION", "(", "(BAR")
        if kind in ("NUMBER", "NAME"):
            return self.node(kind.lower(), place, words=[word])
        if kind == "(BAR":
            inner = self.joined()
            self.need("BAR)")
            return self.node("bars", place, [inner])
        if kind == "FUNCTION":
            self.take("(")
        parts = self.items(")")
        if kind == "FUNCTION":
            return self.node("call", place, parts, [word])
        return parts[0] if len(parts) == 1 else self.node("group", place, parts)

    def set(self) -> Node:
        kind, word, place = self.need("NAME", "[", "(")
        if kind == "NAME":
            return self.node("named", place, words=[word])
        low = self.joined(SIGN)
        self.need(",")
        high = self.joined(SIGN)
        return self.node(INTERVALS[kind + self.need(")", "]").word], place, [low, high])
