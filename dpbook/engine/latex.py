r"""LaTeX as students type it: a strict reader onto the trees of `parse`, evaluating nothing.

A letter is a symbol, with its subscript: ``x_1``, ``\mu_{12}``; letters side by side are a product,
as LaTeX sets them. ``e`` is Euler's number, ``\log`` and ``\ln`` are natural logarithms, ``\pm``
means both signs, one after the other; a probability such as ``\Pr[X > t]`` is one symbol, and ``\varepsilon`` and ``\epsilon`` are one symbol. The lines
of ``align`` are one chain. What can be read in two ways is an error with its position:
``1/2x``, ``\sin x y``, ``\sin^{-1} x``, ``p(x)``, ``x^12``, ``2\frac{1}{2}``, ``x = 1, x = 2``.
A letter before a bracket is a function, unless the bracket is a sum with that letter: ``n(n+1)``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import sympy
from lark.lexer import Token
from sympy import Expr, Symbol

from dpbook.engine.parse import (
    FUNCTIONS,
    GREEK,
    LATEX_LINE,
    LONGEST_TEXT,
    NO_FACTOR,
    NORMAL,
    PROBABILITY,
    VARIANTS,
    Builder,
    Declaration,
    Node,
    ParseError,
    canonical,
    decimal_comma,
    flat,
    given_of,
    integer_names,
    line_of,
    names_in,
    parse_given,
    parse_line,
    parse_statement,
    thousands_at,
    turned,
)
from dpbook.engine.statement import Both, Either, Relation, Tree
from dpbook.engine.verdict import Evidence, Verdict

Found = TypeVar("Found", bound=Evidence)
DEEPEST = 60
LONGEST_EVENT = 200

_GREEK = {*GREEK.values(), *VARIANTS}
_FUNCTIONS = {
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "coth", "log", "ln", "exp",
}  # fmt: skip
_PLAIN_WORDS = sorted(
    {*_FUNCTIONS, "sqrt", "max", "min", "erf", "abs", "pi", "frac", "alpha", "beta", "theta", "mu",
     "sigma", "lambda", "leq", "geq", "neq", "infty"}, key=len, reverse=True,
)  # fmt: skip
_LONGEST_RUN = 6  # letters side by side; more of them are a word
_MAYBE_FUNCTIONS = set("fghFGHP") | {"Phi", "phi", "psi", "Psi"}
RELATIONS = {
    "=": "==", "<": "<", ">": ">", r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", r"\ge": ">=",
    r"\geq": ">=", r"\geqslant": ">=", r"\ne": "!=", r"\neq": "!=", r"\lt": "<", r"\gt": ">",
    "≤": "<=", "≥": ">=", "≠": "!=",
}  # fmt: skip
_TIMES = {r"\cdot", r"\times", "*", "·", "×"}
_OVER = {"/", r"\div"}
_OR = {r"\lor", r"\vee", "∨"}
_AND = {r"\land", r"\wedge", "∧"}
_BLANK_COMMANDS = {
    "quad", "qquad", "displaystyle", "textstyle", "limits", "nolimits", "big", "Big", "bigg",
    "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "left", "right",
    "nonumber", "notag",
}  # fmt: skip
_SYSTEMS = ("cases", "array")  # their lines are conditions; of the others one chain
_ENVIRONMENT = re.compile(
    r"\\begin\{((?:cases|array|aligned|gathered|align|gather|equation|split|eqnarray|multline)\*?)\}"
    r"(?:\s*\{[lcr|]*\})?"
)
_BREAK = re.compile(r"\\\\(?:\s*\[[^\]]*\])?")
_OPENING = {
    "(": ")", "[": "]", r"\{": r"\}", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil", r"\lbrace": r"\rbrace", r"\lbrack": r"\rbrack",
}  # fmt: skip
_CALLS = {"(", "[", r"\{", r"\lbrace", r"\lbrack"}
ACCENTS = {"hat": "hat", "bar": "bar", "tilde": "tilde", "dot": "dot", "overline": "bar"}
_NO_GROUP = _CALLS - {"("}  # round a letter or a number they may mean a whole or a fractional part
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_ENDS = {"", ")", "]", "}", r"\}", r"\rvert", r"\rfloor", r"\rceil", r"\rbrace", r"\rbrack"}


def is_probability(symbol: Symbol) -> bool:
    r"""Whether a symbol stands for a probability that was written out: ``\Pr[M(x) \in S]``."""
    return symbol.name.startswith(PROBABILITY)


def probabilities(trees: Iterable[Any]) -> list[Relation]:
    """Return the ranges of the probabilities in trees and expressions: from 0 to 1."""
    found = sorted({s for tree in trees for s in tree.free_symbols if is_probability(s)}, key=str)
    ends = ((">=", sympy.S.Zero), ("<=", sympy.S.One))
    return [Relation(symbol, sign, end) for symbol in found for sign, end in ends]


def free_of(evidence: Found, trees: Iterable[Any]) -> Found:
    """Take back a refutation that chose probabilities as it liked: events are not understood."""
    if evidence.verdict is not Verdict.REFUTED or not probabilities(trees):
        return evidence
    where = evidence.counterexample.where if evidence.counterexample else ""
    return replace(
        evidence,
        verdict=Verdict.UNDECIDED,
        counterexample=None,
        reason="it does not follow from 0 <= probability <= 1 alone"
        + (f": it fails at {where}" if where else ""),
    )


def strangers(text: str, given: Iterable[str]) -> list[tuple[str, str]]:
    """Return the names that only conditions have, each with the nearest of the statement's own."""
    tree, conditions = read_statement(text, given)
    own = {symbol.name for symbol in tree.free_symbols}
    found = {symbol.name for symbol in conditions.free_symbols}
    found |= {name for line in given for name in _integers(line)}
    return [
        (name, next(iter(difflib.get_close_matches(name, sorted(own), 1, 0.5)), ""))
        for name in sorted(found - own)
    ]


def spelled_twice(texts: Iterable[str]) -> list[str]:
    """Return the spellings of each symbol that is called eps at one place, and in full at another.

    Examples
    --------
    >>> spelled_twice(["exp(eps) <= 1 + x", "epsilon < 1, x > 0"])
    ['eps and epsilon']
    """
    words = dict.fromkeys(word for text in texts for word in re.findall(r"[^\W\d_]\w*", text))
    found: dict[str, list[str]] = {}
    for word in words:
        found.setdefault(canonical(word), []).append(word)
    return [
        " and ".join(spelled)
        for spelled in found.values()
        if len(spelled) > 1 and any("eps" in word.split("_") for word in spelled)
    ]


def is_latex(text: str) -> bool:
    """Whether a text is LaTeX: it has a backslash, a brace or a dollar sign."""
    return any(sign in text for sign in "\\{$")


def lines_of(text: str) -> list[str]:
    r"""Return the lines of an ``align`` and its kind; any other text is one line."""
    whole = text.strip().strip("$").strip()
    match = _ENVIRONMENT.match(whole)
    if match is None or match[1] in _SYSTEMS:
        return [text]
    closing = f"\\end{{{match[1]}}}"
    inner = whole[match.end() :]
    if not inner.endswith(closing) or r"\begin" in inner:
        return [text]
    lines = [line + LATEX_LINE for line in _BREAK.split(inner[: -len(closing)]) if line.strip()]
    return lines or [text]


def read_statement(text: str, given: Iterable[str] = ()) -> tuple[Tree, Both]:
    r"""Read a statement with its conditions, each of them in text or in LaTeX.

    A line without a backslash among lines of LaTeX may be either; where the two differ it is
    refused.

    Raises
    ------
    ParseError
        When one of them cannot be read, or can be read in two ways.
    """
    lines = [given] if isinstance(given, str) else list(given)
    for line in (text, *lines):
        if not isinstance(line, str):
            raise TypeError(f"a statement in words must be text, got {type(line).__name__}")
    if not any(map(is_latex, (text, *lines))):
        tree, conditions, _ = parse_statement(text, lines)
        return tree, conditions
    names = {name for line in lines for name in _integers(line)}
    symbols = {name: Symbol(name, integer=True) for name in sorted(names)}
    found: list[Tree] = []
    for line in lines:
        read = _either_way(line, symbols, parse_given, read_latex_given)
        for item in read if isinstance(read, tuple) else (read,):
            if isinstance(item, Declaration):
                own = {n: symbols.get(n, Symbol(n, real=True)) for n in item.names}
                found += item.relations(own)
            else:
                found.append(item)
    statement = _either_way(text, symbols, parse_line, read_latex)
    if isinstance(statement, Expr):
        raise ParseError(text, 1, r"a relation such as \le is missing")
    whole = flat(Both(tuple(found))) if found else Both(())
    return statement, whole if isinstance(whole, Both) else Both((whole,))


def _integers(line: str) -> list[str]:
    if is_latex(line):
        return latex_integers(line)
    try:
        return integer_names(line)
    except ParseError:
        return latex_integers(line)


def _either_way(line: str, symbols: Mapping[str, Symbol], as_text: Any, as_tex: Any) -> Any:
    """Read a line as LaTeX; without a backslash as text or LaTeX, refused where they differ."""
    if is_latex(line):
        return as_tex(line, symbols)
    try:
        read = as_text(line, symbols)
    except ParseError as error:
        try:
            return as_tex(line, symbols)
        except ParseError:
            raise error from None
    try:
        other = as_tex(line, symbols)
    except ParseError:
        return read
    if other != read:
        raise ParseError(line, 1, f"is this text ({read}) or LaTeX ({other})? write it in one way")
    return read


def read_latex(
    text: str, variables: Mapping[str, Symbol] | None = None, numbers: Collection[str] = ()
) -> Tree | Expr:
    r"""Read a line: an expression, or relations joined by ``\land`` and ``\lor``.

    Before a bracket the names in `numbers` are factors, and no functions.

    Raises
    ------
    ParseError
        When it cannot be read, or can be read in two ways.
    """
    first = _read(text, 1, numbers=numbers)
    builder = _builder(text, variables)
    tree = line_of(builder, first.nodes)
    outside = sorted({symbol.name for symbol in tree.free_symbols} & set(builder.indices))
    if outside:
        index = outside[0]
        reason = (
            f"{index} stands in a sum or product over {index} and outside too: write brackets around what "
            "belongs to it, or another letter"
        )
        raise ParseError(text, builder.indices[index], reason)
    if not first.both_signs:
        return tree
    if isinstance(tree, Expr):
        raise ParseError(text, first.both_signs, r"\pm stands in an equation only")
    other = line_of(_builder(text, variables), _read(text, -1, numbers=numbers).nodes)
    assert not isinstance(other, Expr)
    pairs = zip(tree.relations(), other.relations(), strict=True)
    changed = [(one, two) for one, two in pairs if one != two]
    signs = [one.op for one, _ in changed]
    if any(one.lhs != two.lhs or not one.lhs.free_symbols for one, two in changed):
        raise ParseError(  # an equation with both signs states both, solutions state one of them
            text,
            first.both_signs,
            r"\pm stands on the right, as in x = \pm 2: write both signs out, with \text{and} or "
            r"\text{or}",
        )
    if any(sign not in ("==", "!=") for sign in signs):
        raise ParseError(
            text, first.both_signs, r"\pm stands in an equation only: write \text{and} or \text{or}"
        )
    if not signs:
        return tree
    if len(signs) > 1:
        raise ParseError(
            text, first.both_signs, r"\pm in two relations: write them out, with \text{or}"
        )
    if signs == ["!="]:
        if not isinstance(tree, (Relation, Both)):
            raise ParseError(text, first.both_signs, r"\neq \pm beside an or: write both signs out")
        return flat(Both((tree, other)))
    parts: list[Tree] = []
    for one in (tree, other):
        for part in one.parts if isinstance(one, Either) else (one,):
            if part not in parts:
                parts.append(part)
    return Either(tuple(parts))


def read_latex_given(
    text: str, variables: Mapping[str, Symbol] | None = None
) -> Tree | Declaration | tuple[Tree | Declaration, ...]:
    r"""Read conditions: ``x > 0``, ``n \in \mathbb{Z}``, ``a, b \geq 0``."""
    read = _read(text, 1, commas=True)
    if read.both_signs:
        raise ParseError(text, read.both_signs, r"\pm is not read in a condition")
    return given_of(text, read.nodes, {**_builder(text, variables).symbols})


def latex_integers(text: str) -> list[str]:
    """Return the names that a condition declares to be integers."""
    return integer_names(text, _read(text, 1, commas=True).nodes)


def _builder(text: str, variables: Mapping[str, Symbol] | None) -> Builder:
    # the letters E and I are symbols here: Euler's number is e
    letters = {name: Symbol(name, real=True) for name in "EI"}
    return Builder(text, {**letters, **(variables or {})})


@dataclass
class _Result:
    nodes: list[Node]
    both_signs: int


def _read(text: str, sign: int, commas: bool = False, numbers: Collection[str] = ()) -> _Result:
    if not isinstance(text, str):
        raise TypeError(f"a line must be text, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise ParseError(text, LONGEST_TEXT + 1, f"longer than {LONGEST_TEXT} characters")
    dollars = [match.start() for match in re.finditer(r"(?<!\\)\$", text)]
    if len(dollars) % 2:
        raise ParseError(text, dollars[-1] + 1, "this $ has no partner")
    _refuse_columns(text)
    reader = _Reader(text, sign, numbers)
    return _Result(reader.items(commas), reader.both_signs)


WIDE = (r"\;", r"\:", r"\ ")  # between relations these set apart, else they are blanks
_GAP = re.compile(r"(?<!\\)(?:&|\\q?quad(?![A-Za-z])|\\[;: ])")
_SPACES = (
    r"(?:\s|[~&$]|\\q?quad(?![A-Za-z])|\\[,;:! >]|\\(?:left|right|label\{[^{}]*\})(?![A-Za-z]))"
)
_NO_OPERAND = re.compile(
    rf"{_SPACES}*(?:$|[-+*/=<>≤≥≠±,;.)\]}}−·×∨∧]|\\\\|\\\]|\\\)|\\(?:leq?|leqslant|geq?|geqslant|neq?|not|lt|gt|pm|mp|cdot"
    r"|times|div|in|lor|land|vee|wedge|end|text|textrm|mbox|textnormal|mathrm|implies|iff|nonumber|notag|to|approx"
    r"|Rightarrow|Leftrightarrow|label)(?![A-Za-z])|(?:and|or)\b)"
)
_OPEN_BEFORE = re.compile(
    rf"(?:^|[-+*/=<>≤≥≠±,;.(\[{{−·×∨∧]|\\\\(?:\[[^\]]*\])?|\\(?:leq?|leqslant|geq?|geqslant|neq?|lt|gt|pm|mp|cdot"
    r"|times|div|in|lor|land|vee|wedge|implies|iff|Rightarrow|Leftrightarrow)|\\begin\{[a-z]+\*?\}(?:\s*\{[lcr|]*\})?"
    rf"|\\(?:text|textrm|mbox|textnormal|mathrm)\s*\{{\s*(?:and|or)\s*\}}|\b(?:and|or)){_SPACES}*$"
)


_SIGN = re.compile(r"[=<>≤≥≠]|\\(?:leq?|leqslant|geq?|geqslant|neq?|lt|gt)(?![A-Za-z])")


def _refuse_columns(text: str) -> None:
    r"""Refuse an ``&`` or a ``\quad`` between two things: on paper these stand apart, no product."""
    for gap in _GAP.finditer(text):
        before, after = text[: gap.start()], text[gap.end() :]
        if gap.group() in WIDE and not (_SIGN.search(before) and _SIGN.search(after)):
            continue
        if _NO_OPERAND.match(after) or _OPEN_BEFORE.search(before):
            continue
        if gap.group() == "&":
            reason = (
                "columns are not read: write a function by cases in text, Piecewise((value, condition), "
                r"...), and join relations by \text{and}"
            )
        else:
            reason = (
                rf"{gap.group()} sets two things apart: write \text{{and}}, or \cdot for a product"
            )
        raise ParseError(text, gap.start() + 1, reason)


def _spaced(raw: str) -> str:
    """Raw LaTeX with the blanks that it needs, so that the same event is the same text."""
    raw = re.sub(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])|\\[,;:! ]|[~&$]", " ", raw)
    raw = re.sub(r"\\var(epsilon|theta|rho|phi|sigma|kappa)(?![A-Za-z])", r"\\\1", raw)
    return re.sub(r"\s+(?![A-Za-z])|(?<![A-Za-z])\s+", "", raw.strip())


_LOWERED = r"([A-Za-z0-9]+(?:\s*,\s*[A-Za-z0-9]+)*)"
_SUBSCRIPTS = (
    re.compile(rf"\{{\s*{_LOWERED}\s*\}}"),
    re.compile(rf"\{{\s*\\(?:text|mathrm)\s*\{{\s*{_LOWERED}\s*\}}\s*\}}"),
)


class _Reader:
    """Reads by recursive descent: each rule looks at the next word only."""

    def __init__(self, text: str, sign: int, numbers: Collection[str] = ()) -> None:
        self.text = text
        self.numbers = numbers  # names that are no functions
        self.pm = sign
        self.both_signs = 0
        self.depth = 0
        self.integrals = 0
        self.bars: list[int] = []
        self.letter = ("", -1, -1)  # a letter that was just read: its name, its place, what follows
        self.bracket = (-1, -1)  # where the last bracket opened, and where it closed
        self.place, self.end = 0, len(text)
        self._strip()

    # --- words ------------------------------------------------------------------------------------------

    def _strip(self) -> None:
        r"""Leave out the signs around the formula: $...$, \(...\), \[...\], a final \\ or full stop."""
        while self.end > self.place and self.text[self.end - 1].isspace():
            self.end -= 1
        body = self.text[: self.end]
        for tail in ("\\\\", "."):
            if body.endswith(tail) and not body[: -len(tail)].endswith("\\"):
                self.end -= len(tail)
                body = self.text[: self.end].rstrip()
                self.end = len(body)
        start = len(self.text) - len(self.text.lstrip())
        for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
            inside = self.end - start >= len(opening) + len(closing)
            if body.startswith(opening, start) and body.endswith(closing) and inside:
                self.place, self.end = start + len(opening), self.end - len(closing)
                break

    def fail(self, place: int, reason: str) -> ParseError:
        return ParseError(self.text, min(place, len(self.text)) + 1, reason)

    def _skip(self) -> None:
        while self.place < self.end:
            sign = self.text[self.place]
            if sign.isspace() or sign in "~&$":
                self.place += 1
                continue
            match = _COMMAND.match(self.text, self.place, self.end)
            if match is None:
                return
            name = match.group(1)
            if name == "label":
                label = re.compile(r"\s*\{[^{}]*\}").match(self.text, match.end(), self.end)
                if label is None:
                    return
                self.place = label.end()
                continue
            if name in _BLANK_COMMANDS or name in ",;:! >":
                if name in ("left", "right"):
                    self._delimiter(match.end(), name)
                self.place = match.end()
                continue
            return

    def _delimiter(self, place: int, name: str) -> None:
        rest = self.text[place : self.end].lstrip()
        if not rest or not (rest[0] in "()[]|" or rest.startswith("\\")):
            raise self.fail(place, f"\\{name} needs a bracket")

    def look(self) -> tuple[str, int]:
        """Return the next word and where it starts; an empty word at the end."""
        self._skip()
        if self.place >= self.end:
            return "", self.end
        match = _COMMAND.match(self.text, self.place, self.end)
        if match is not None:
            return match.group(), self.place
        match = _NUMBER.match(self.text, self.place, self.end)
        if match is not None:
            return match.group(), self.place
        return self.text[self.place], self.place

    def take(self) -> tuple[str, int]:
        word, start = self.look()
        self.place = start + len(word)
        return word, start

    def close(self, opening: str, start: int, wanted: str) -> None:
        """Take the bracket that closes; the place of a lost one is that of its partner."""
        word, place = self.look()
        if not word:
            raise self.fail(start, f'this "{opening}" is never closed')
        if word != wanted:
            raise self.fail(
                place, f'"{wanted}" is missing here, for the "{opening}" at character {start + 1}'
            )
        self.take()

    def expect(self, wanted: str, after: str) -> None:
        word, start = self.look()
        if word != wanted:
            raise self.fail(start, f'"{wanted}" is missing after {after}')
        self.take()

    def word_ahead(self, *words: str) -> str:
        r"""Return a plain word such as `or`, or the text of ``\text{or}``, if it comes next."""
        self._skip()
        rest = self.text[self.place : self.end]
        match = re.match(r"\\(?:text|mathrm|textrm|mbox|textnormal)\s*\{\s*([^{}]*?)\s*\}", rest)
        if match is not None and match.group(1) in words:
            return match.group()
        match = re.match(r"[A-Za-z]+", rest)
        if match is not None and match.group() in words:
            return match.group()
        return ""

    # --- nodes ------------------------------------------------------------------------------------------

    def node(self, kind: str, start: int, *children: Any) -> Node:
        depth = 1 + max((c.depth for c in children if isinstance(c, Node)), default=0)
        if depth > 3 * DEEPEST:
            raise self.fail(start, f"nested deeper than {DEEPEST}")
        return Node(kind, children, start + 1, depth)

    def name(self, name: str, start: int) -> Node:
        return self.node("name", start, Token("NAME", canonical(name), start))

    def call(self, name: str, start: int, *arguments: Node) -> Node:
        return self.node("call", start, Token("FUNCTION", name, start), *arguments)

    def number(self, digits: str, start: int) -> Node:
        return self.node("number", start, Token("NUMBER", digits, start))

    # --- relations --------------------------------------------------------------------------------------

    def items(self, commas: bool) -> list[Node]:
        if not self.look()[0]:
            raise self.fail(self.place, "the text is empty; write a relation such as x^2 \\geq 0")
        found = [self.cases() if self.look()[0] == r"\begin" else self.either()]
        while commas and self.look()[0] in (",", ";"):
            self.take()
            found.append(self.either())
        word, start = self.look()
        if word in (",", ";"):
            why = decimal_comma(self.text, start)
            if why:
                raise self.fail(start, why)
            raise self.fail(start, r"a comma may mean and, or or: write \text{and} or \text{or}")
        if word:
            raise self.fail(start, self._stray(word, start))
        return found

    def _stray(self, word: str, start: int) -> str:
        why = turned(self.text, start) or decimal_comma(self.text, start)
        if why:
            return why
        if word in _ENDS:
            return f'no partner for "{word}"'
        if word.startswith("\\"):
            return f"{word} is not understood"
        return f'"{word}" cannot stand here'

    def cases(self) -> Node:
        r"""A system: ``\begin{cases} ... \\ ... \end{cases}`` joins its lines by `and`."""
        start = self.look()[1]
        match = _ENVIRONMENT.match(self.text, start)
        if match is None:
            raise self.fail(start, "of environments only cases, align and their kind are read")
        self.place = match.end()
        parts = [self.cases() if self.look()[0] == r"\begin" else self.either()]
        while self._line_ended():
            if self.look()[0] == r"\end":
                break
            if self.look()[0] in RELATIONS and match.group(1) not in _SYSTEMS:
                parts[-1] = self._continued(parts[-1])
            else:
                parts.append(self.either())
        closing = f"\\end{{{match.group(1)}}}"
        self._skip()
        if not self.text.startswith(closing, self.place):
            raise self.fail(self.place, f"{closing} is missing")
        self.place += len(closing)
        return parts[0] if len(parts) == 1 else self.node("both", start, *parts)

    def _line_ended(self) -> bool:
        """Take what stands between two lines: a comma or a full stop, and the break."""
        ended = False
        while True:
            word, start = self.look()
            broken = _BREAK.match(self.text, start, self.end)
            if broken is not None:
                self.place = broken.end()
            elif word in (",", "."):
                self.take()
            else:
                return ended
            ended = True

    def _continued(self, before: Node) -> Node:
        """Go on with the line before: a second line that begins with a sign."""
        if before.kind in ("both", "either", "member"):
            raise self.fail(self.place, "what stands left of this sign?")
        children = list(before.children) if before.kind == "chain" else [before]
        return self._chained(before.position - 1, children)

    def either(self) -> Node:
        return self._joined("either", _OR, ("or",), self.both)

    def both(self) -> Node:
        return self._joined("both", _AND, ("and",), self.chain)

    def _joined(self, kind: str, signs: set[str], words: tuple[str, ...], rule: Any) -> Node:
        start = self.look()[1]
        parts = [rule()]
        while True:
            ahead = self.word_ahead(*words)
            if ahead:
                self.place += len(ahead)
            elif self.look()[0] in signs:
                self.take()
            else:
                return parts[0] if len(parts) == 1 else self.node(kind, start, *parts)
            parts.append(rule())

    def chain(self) -> Node:
        start = self.look()[1]
        return self._chained(start, [self.sum()])

    def _chained(self, start: int, children: list[Any]) -> Node:
        while True:
            word, place = self.look()
            if word == r"\in":
                if len(children) > 1:
                    raise self.fail(place, r"\in cannot stand in a chain")
                self.take()
                return self.node("member", start, children[0], self.set())
            if word == r"\not":
                self.take()
                if self.take()[0] != "=":
                    raise self.fail(place, r"\not is read before = only")
                sign = "!="
            elif word in RELATIONS:
                self.take()
                sign = RELATIONS[word]
                if word in "<>" and self.text.startswith("=", self.place):
                    raise self.fail(place, f"write {chr(92)}leq or {chr(92)}geq")
            else:
                break
            children += [Token("RELATION", sign, place), self.sum()]
        return children[0] if len(children) == 1 else self.node("chain", start, *children)

    def set(self) -> Node:
        word, start = self.take()
        if word == r"\mathbb":
            match = re.compile(r"\s*\{?\s*([A-Z])\s*\}?").match(self.text, self.place)
            letter = match.group(1) if match else ""
            named = {"R": "reals", "Z": "integers"}.get(letter)
            if letter == "N":
                raise self.fail(start, r"with or without 0? write n \in \mathbb{Z}, n \geq 1")
            if match is None or named is None:
                raise self.fail(start, r"write \mathbb{R}, \mathbb{Z} or an interval")
            self.place = match.end()
            return self.node("named", start, Token("NAME", named, start))
        if word not in ("(", "["):
            raise self.fail(start, r"a set is needed: \mathbb{R}, \mathbb{Z} or an interval")
        low = self.sum()
        self.expect(",", "the lower end")
        high = self.sum()
        closing, place = self.take()
        if closing not in (")", "]"):
            raise self.fail(place, "the interval is not closed")
        kind = {"[]": "closed", "[)": "right_open", "(]": "left_open", "()": "open"}[word + closing]
        return self.node(kind, start, low, high)

    # --- sums and products --------------------------------------------------------------------------------

    def sum(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fail(self.place, f"nested deeper than {DEEPEST}")
        start = self.look()[1]
        first = self._sign()
        term = self.product()
        children: list[Any] = [term if not first else self.node("signed", start, first, term)]
        while True:
            sign = self._sign()
            if sign is None:
                break
            children += [sign, self.product()]
        self.depth -= 1
        return children[0] if len(children) == 1 else self.node("sum", start, *children)

    def _sign(self) -> Token | None:
        word, start = self.look()
        if word in ("+", "-", "−"):
            self.take()
            following = self.look()[0]
            if word == "+" and following == "-" and self.place == start + 1:
                raise self.fail(start, r'"+-" may mean both signs: write \pm, or -')
            return Token("SIGN", "+" if word == "+" else "-", start)
        if word in (r"\pm", r"\mp", "±"):
            self.take()
            self.both_signs = self.both_signs or start + 1
            plus = (self.pm > 0) == (word != r"\mp")
            return Token("SIGN", "+" if plus else "-", start)
        return None

    def product(self) -> Node:
        start = self.look()[1]
        children: list[Any] = [self.factor()]
        closed_bars = 0
        divided = False
        while True:
            word, place = self.look()
            if word in _TIMES or word in _OVER:
                self.take()
                divided = word in _OVER
                mark = Token("TIMES", "/" if divided else "*", place)
                signed_at = self.look()[1]
                sign = self._sign()
                factor = self.factor()
                if sign is not None:
                    factor = self.node("signed", signed_at, sign, factor)
                children += [mark, factor]
                closed_bars = 0
                continue
            if not self._starts_factor(word):
                break
            if divided:
                raise self.fail(
                    place, r"what is divided by? write \frac{..}{..}, or brackets around it"
                )
            if word == "|":
                closed_bars += 1
                if closed_bars > 1 or (children[0].kind == "bars" and len(children) > 1):
                    raise self.fail(
                        place, r"these bars can be read in two ways: write \lvert, \rvert"
                    )
            self._juxtaposed(children[-1], word, place)
            letter, at, before = self.letter
            called = before == place and self._opens_bracket(word)
            factor = self.factor()
            if called:
                self._refuse_call(letter, at, factor)
            children += [Token("TIMES", "*", place), factor]
        return children[0] if len(children) == 1 else self.node("product", start, *children)

    def _opens_bracket(self, word: str) -> bool:
        r"""Whether a bracket comes next, perhaps in braces: ``f{\left(x\right)}``."""
        if word == "{":
            place = self.place
            self.take()
            word = self.look()[0]
            self.place = place
        return word in _CALLS

    def _refuse_call(self, letter: str, at: int, argument: Node) -> None:
        """Refuse ``p(x)``, unless the bracket is a sum in which the letter stands: ``n(n+1)``."""
        while argument.kind in ("power", "factorial"):
            argument = argument.children[0]
        if letter in self.numbers:
            return
        if argument.kind == "sum" and letter in set(names_in((argument,))):
            return
        raise self.fail(at, self._ask_call(letter))

    def _ask_call(self, letter: str) -> str:
        shown = rf"\{letter}" if letter in _GREEK else letter
        if letter in NORMAL:
            return NORMAL[letter].replace("a sign", rf"{shown} \cdot (")
        return rf"{shown}( may be a function or a product: for a product write {shown} \cdot ("

    def _juxtaposed(self, before: Node, word: str, place: int) -> None:
        """Refuse factors side by side that mean something else on paper."""
        if word[0].isdigit() or word[0] == ".":
            why = thousands_at(self.text, place)
            raise self.fail(place, why or r"a number after a factor: write \cdot between them")
        if before.kind == "number" and word in (r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"):
            raise self.fail(place, r"a mixed number, or a product? write + or \cdot between them")

    def _starts_factor(self, word: str) -> bool:
        if word in _ENDS or word in RELATIONS or word in _TIMES or word in _OVER:
            return False
        if (
            word in _OR
            or word in _AND
            or word in (",", ";", "+", "-", "−", "±", "^", "_", "!", "'")
        ):
            return False
        if word == "|":
            return not self.bars or self.bars[-1] != self.depth
        if word[0].isalpha():
            if self.word_ahead("or", "and") or not (word.isascii() or word in GREEK or word == "π"):
                return False
            return not (self.integrals and self._differential())
        if word[0].isdigit() or (word[0] == "." and word != ".") or word in ("(", "[", "{"):
            return True
        if word.startswith("\\"):
            if word in (r"\text", r"\mathrm", r"\textrm", r"\mbox") and self.word_ahead(
                "or", "and"
            ):
                return False
            if self.integrals and self._differential():
                return False
            name = word[1:]
            known = name in _GREEK or name in _FUNCTIONS or name in ACCENTS
            return known or word in _OPENING or name in _OTHERS
        return False

    def _differential(self) -> str:
        """The variable of a ``dx`` that comes next."""
        self._skip()
        match = re.compile(
            r"(?:\\mathrm\s*\{\s*d\s*\}|\\operatorname\s*\{\s*d\s*\}|d)\s*(\\?[A-Za-z]+|[^\W\d_])"
        ).match(self.text, self.place, self.end)
        if match is None:
            return ""
        name = match.group(1)
        if name.startswith("\\"):
            return match.group() if name[1:] in _GREEK else ""
        if not name.isascii() and name not in GREEK:
            return ""
        return match.group()[: len(match.group()) - len(name) + 1]

    def factor(self) -> Node:
        sign, opens = self.look()
        called = self.letter[2] == opens  # a letter before the bracket: asked about by the product
        base, start = self.atom()
        if sign == "{" and self.look()[0] == "_":
            base = self._lowered(base, sign)
        if sign in _NO_GROUP and not called and base.kind in ("name", "number"):
            raise self.fail(
                start, r"the whole or the fractional part? write (..) for brackets, or \lfloor"
            )
        while self.look()[0] == "!":
            self.take()
            base = self.node("factorial", start, base)
            if self.look()[0] == "!":
                raise self.fail(
                    self.place, "a double factorial is not read; (n!)! is written with brackets"
                )
        word, place = self.look()
        if word == "'":
            raise self.fail(place, "a prime is not understood")
        if word == "_":
            raise self.fail(place, "only a letter or log takes a subscript")
        if word != "^":
            return base
        self.take()
        if self.look()[0] in (r"\circ", r"\prime", "'"):
            raise self.fail(place, "degrees and primes are not understood")
        letter, at, before = self.letter
        raised = self.look()[1]
        exponent = self.argument("^")
        opened, closed = self.bracket
        whole = (
            self.text[raised:opened].strip() == "{"
            and self.text[closed : self.place].strip() == "}"
        )
        if before == place and whole and exponent.kind in ("name", "number"):
            raise self.fail(
                opened, "an upper index, a derivative or a power? write no brackets in a power"
            )
        if self.look()[0] == "_":
            base = self._lowered(base, sign)
            letter = self.letter[0]
            self.letter = ("", -1, -1)
        if self.look()[0] == "^":
            raise self.fail(self.place, "a second exponent: write braces or brackets")
        if before == place and self._opens_bracket(self.look()[0]):
            self._refuse_inverse(letter, at, exponent)
        made = self._raised(base, exponent, start)
        if self.look()[0] == "!":
            raise self.fail(self.place, "write brackets around what the ! belongs to")
        return made

    def _refuse_inverse(self, letter: str, at: int, exponent: Node) -> None:
        """Refuse ``F^{-1}(p)``, and powers of what is mostly a function: ``f^2(x)``."""
        inner = exponent.children[1] if exponent.kind == "signed" else exponent
        inverse = exponent.kind == "signed" and inner.kind == "number"
        if inverse or letter in _MAYBE_FUNCTIONS:
            raise self.fail(
                at, r"may be a power or an inverse function: write a \cdot before the bracket"
            )

    def _lowered(self, base: Node, sign: str) -> Node:
        """Give a letter the subscript that stands behind its exponent, or behind its braces."""
        name = str(base.children[0])
        bare = base.kind == "name" and "_" not in name and name not in ("pi", "oo")
        if not bare or sign in _OPENING or name.startswith(PROBABILITY):
            raise self.fail(self.place, "only a letter or log takes a subscript")
        return self._symbol(name, base.position - 1)

    def _raised(self, base: Node, exponent: Node, start: int) -> Node:
        if base.kind == "call" and str(base.children[0]) == "exp" and base.position < 0:
            return self.call("exp", start, exponent)
        return self.node("power", start, base, exponent)

    def argument(self, after: str) -> Node:
        """What stands in braces, or a single sign."""
        word, start = self.look()
        if word == "{":
            self.take()
            if self.look()[0] == "}":
                raise self.fail(start, f"nothing stands in the braces after {after}")
            if not self.look()[0]:
                raise self.fail(start, 'this "{" is never closed')
            inner = self.sum()
            self.close("{", start, "}")
            self.letter = ("", -1, -1)
            return inner
        if word in ("", "}", ")", "]", "+", "-", "−", "=", "|", ",") or word in RELATIONS:
            if word == "-" and after == "^":
                raise self.fail(start, "write the exponent in braces: ^{-1}")
            raise self.fail(start, f"the argument of {after} is missing")
        if word[0].isdigit() or word[0] == ".":
            if after != r"\frac" and len(word) > 1:
                raise self.fail(start, f"only {word[0]} belongs to {after}: write {{{word}}}")
            self.place = start + 1
            return self.number(word[0], start)
        if word[0].isalpha():
            self.place = start + 1
            following = self.text[self.place : self.place + 1]
            if after == "^" and following.isalpha():
                raise self.fail(start, f"only {word} is raised: write braces, or a blank after it")
            return self._constant(word, start)
        if word[1:] in _GREEK or word in (r"\pi", r"\infty", r"\frac", r"\sqrt"):
            found = self.atom()[0]
            self.letter = ("", -1, -1)  # an exponent or a numerator is no function of what follows
            return found
        raise self.fail(start, f"the argument of {after} needs braces")

    def _constant(self, letter: str, start: int) -> Node:
        if letter == "π":
            return self.name("pi", start)
        return self._euler(start) if letter == "e" else self.name(letter, start)

    def _euler(self, start: int) -> Node:
        one = self.number("1", start)
        return self.node("call", start, Token("FUNCTION", "exp", start), one)

    # --- atoms ----------------------------------------------------------------------------------------------

    def atom(self) -> tuple[Node, int]:
        word, start = self.take()
        if not word:
            raise self.fail(self.end, "the text ends too early")
        if _NUMBER.fullmatch(word):
            power = re.compile(r"[eE]([+-]?[0-9]+)").match(self.text, self.place, self.end)
            if power is not None:
                tens = rf"{word} \cdot 10^{{{power[1].lstrip('+')}}}"
                raise self.fail(
                    start, f"is {word}{power[0]} a power of ten? write {tens}, or blanks"
                )
            return self.number(word, start), start
        if word == "π":
            return self._constant_letter("pi", start), start
        if word in GREEK:
            return self._symbol(GREEK[word], start), start
        if word[0].isascii() and word[0].isalpha():
            return self._letter(word, start), start
        if word == "{":
            inner = self.sum()
            self.close("{", start, "}")
            if inner.kind in ("sum", "product", "signed"):
                raise self.fail(start, "braces are not seen on paper: write brackets")
            return inner, start
        if word == "|":
            self.bars.append(self.depth + 1)
            inner = self._content("|")
            self.bars.pop()
            self.close("|", start, "|")
            return self.node("bars", start, inner), start
        if word in _OPENING:
            return self._bracket(word, start), start
        if word.startswith("\\"):
            return self._command(word[1:], start), start
        raise self.fail(start, self._stray(word, start))

    def _constant_letter(self, name: str, start: int) -> Node:
        self.letter = (name, start, self.look()[1])
        return self.name(name, start)

    def _bracket(self, word: str, start: int) -> Node:
        bars, self.bars = self.bars, []
        inner = self.either() if word == "(" else self._content(_OPENING[word])
        self.bars = bars
        if self.look()[0] == ",":
            why = decimal_comma(self.text, self.place)
            raise self.fail(self.place, f"a pair is no number{why and '; '}{why}")
        self.close(word, start, _OPENING[word])
        self.bracket = (start, self.place)
        if word == r"\lvert":
            return self.node("bars", start, inner)
        if word in (r"\lfloor", r"\lceil"):
            return self.call("floor" if word == r"\lfloor" else "ceiling", start, inner)
        return inner

    def _content(self, closing: str) -> Node:
        """What stands up to a closing sign; braces around all of it, as SymPy writes them, say nothing."""
        if not self._filled(closing):
            return self.sum()
        _, start = self.take()
        inner = self.sum()
        self.close("{", start, "}")
        return inner

    def _filled(self, closing: str) -> bool:
        """Whether braces that open here end at a closing sign."""
        if self.look()[0] != "{":
            return False
        here, depth = self.place, 0
        while self.place < self.end:
            word, _ = self.take()
            depth += (word == "{") - (word == "}")
            if not depth:
                break
        filled = self.look()[0] == closing
        self.place = here
        return filled

    def _letter(self, letter: str, start: int) -> Node:
        run = re.compile(r"[A-Za-z]+").match(self.text, start, self.end)
        if run is not None:
            if len(run.group()) >= _LONGEST_RUN or run.group() in NO_FACTOR:
                raise self.fail(start, f'is "{run.group()}" a product? write its letters apart')
            if canonical(run.group()) in GREEK.values():
                word = run.group()
                greek = canonical(word) if word == "eps" else word  # there is no \eps in LaTeX
                raise self.fail(start, f"write \\{greek}, or {' '.join(word)} for a product")
            for word in _PLAIN_WORDS:
                if run.group().startswith(word):
                    raise self.fail(start, f"write \\{word}, or {' '.join(word)} for a product")
        if letter == "e" and self.look()[0] != "_":
            if self.look()[0] == "^":
                self.take()
                exponent = self.argument("^")
                if self.look()[0] == "^":
                    raise self.fail(self.place, "a second exponent: write braces or brackets")
                return self.call("exp", start, exponent)
            made = self._euler(start)
            self.letter = ("e", start, self.look()[1])
            return made
        return self._symbol(letter, start)

    def _symbol(self, name: str, start: int) -> Node:
        plain = name
        if self.look()[0] == "_":
            self.take()
            name += "_" + self._subscript()
        following, place = self.look()
        self.letter = (canonical(name), start, place)
        if plain == name and canonical(name) in _MAYBE_FUNCTIONS and self._opens_bracket(following):
            raise self.fail(start, self._ask_call(canonical(name)))
        if following == "'":
            raise self.fail(place, "a prime is not understood")
        return self.name(name, start)

    def _subscript(self) -> str:
        self._skip()
        for wrapped in _SUBSCRIPTS:
            match = wrapped.match(self.text, self.place, self.end)
            if match is not None:
                self.place = match.end()
                return re.sub(r"\s*,\s*", "_", match.group(1))
        match = re.compile(r"\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+)").match(
            self.text, self.place, self.end
        )
        if match is not None and (match.group(1) or match.group(2)) in _GREEK:
            self.place = match.end()
            return canonical(match.group(1) or match.group(2))
        sign = self.text[self.place : self.place + 1]
        following = self.text[self.place + 1 : self.place + 2]
        if sign in GREEK:
            self.place += 1
            return GREEK[sign]
        if not (sign.isalnum() and sign.isascii()):
            raise self.fail(self.place, "a subscript is letters or digits")
        if sign.isdigit() and following.isdigit():
            raise self.fail(self.place, f"only {sign} is lowered: write braces")
        self.place += 1
        return sign

    def _command(self, name: str, start: int) -> Node:
        if name == "pi":
            return self._constant_letter("pi", start)
        if name == "infty":
            return self.name("oo", start)
        if name == "Pr":
            return self._probability(start)
        if name == "mathbb":
            match = re.compile(r"\s*\{?\s*P\s*\}?").match(self.text, self.place, self.end)
            if match is None:
                raise self.fail(start, r"\mathbb stands after \in, or as \mathbb{P}[...]")
            self.place = match.end()
            return self._probability(start)
        if name in ("frac", "dfrac", "tfrac", "cfrac"):
            if re.compile(
                r"\s*\{\s*(d|\\mathrm\s*\{\s*d\s*\}|\\partial)[^{}]*\}\s*\{\s*(d|\\mathrm|\\partial)"
            ).match(self.text, self.place, self.end):
                raise self.fail(start, "a derivative is not read: write it out")
            top, bottom = self.argument(r"\frac"), self.argument(r"\frac")
            return self.node("product", start, top, Token("TIMES", "/", start), bottom)
        if name == "sqrt":
            return self._root(start)
        if name in ("binom", "dbinom", "tbinom"):
            return self.call("binomial", start, self.argument(r"\binom"), self.argument(r"\binom"))
        if name in ("max", "min"):
            return self.call(name, start, *self._several(name))
        if name in ("operatorname", "mathrm", "text"):
            return self._spelled(name, start)
        if name in _FUNCTIONS:
            return self._function(name, start)
        if name in ("sum", "prod"):
            return self._ranged("Sum" if name == "sum" else "Product", start)
        if name == "int":
            return self._integral(start)
        if name in ACCENTS:
            inner = self.argument(f"\\{name}")
            if inner.kind != "name":
                raise self.fail(start, f"\\{name} stands over a letter only")
            return self._symbol(f"{inner.children[0]}{ACCENTS[name]}", start)
        if name == "Gamma" and self._called_with_brackets():
            return self._called("gamma", name, start)
        if name == "Gamma" and self._starts_factor(self.look()[0]):
            raise self.fail(start, r"the function \Gamma? write brackets; for a product a \cdot")
        if name in _GREEK:
            return self._symbol(name, start)
        if name in ("begin", "end"):
            raise self.fail(start, "an environment cannot stand here")
        if f"\\{name}" in _ENDS:
            raise self.fail(start, f'no partner for "\\{name}"')
        raise self.fail(start, f"\\{name} is not understood")

    def _probability(self, start: int) -> Node:
        """A probability is one symbol; two are the same if they are written in the same way."""
        lowered = ""
        if self.look()[0] == "_":
            match = re.compile(r"_\s*(?:\{[^{}]*\}|\\?\w+)").match(self.text, self.place, self.end)
            if match is None:
                raise self.fail(self.place, "a subscript is letters, or stands in braces")
            lowered, self.place = _spaced(match.group()), match.end()
        word, opened = self.look()
        if word not in ("(", "[", r"\{"):
            raise self.fail(start, r"write the event in brackets: \Pr[X > t]")
        closing, depth = _OPENING[word], 0
        while True:
            following, place = self.take()
            if not following:
                raise self.fail(opened, f'this "{word}" is never closed')
            depth += (following == word) - (following == closing)
            if not depth:
                break
        event = _spaced(self.text[opened + len(word) : place])
        if not event or len(event) > LONGEST_EVENT:
            raise self.fail(opened, f"an event has 1 to {LONGEST_EVENT} signs")
        return self.node("name", start, Token("NAME", f"{PROBABILITY}{lowered}[{event}]}}", start))

    def _root(self, start: int) -> Node:
        degree = None
        if self.look()[0] == "[":
            self.take()
            degree = self.sum()
            self.expect("]", "the degree of a root")
        inner = self.argument(r"\sqrt")
        if (
            inner.kind == "signed"
            and str(inner.children[0]) == "-"
            and inner.children[1].kind == "number"
        ):
            raise self.fail(start, "a root is read of numbers >= 0 only, a cube root too")
        if degree is None:
            return self.call("sqrt", start, inner)
        one = self.number("1", start)
        exponent = self.node("product", start, one, Token("TIMES", "/", start), degree)
        return self.node("power", start, inner, exponent)

    def _several(self, name: str) -> list[Node]:
        braces = self.take()[1] if self.look()[0] == "{" else None
        word, start = self.look()
        if word not in ("(", r"\{", "["):
            raise self.fail(start, f"\\{name} needs brackets")
        self.take()
        bars, self.bars = self.bars, []
        found = [self.sum()]
        while self.look()[0] == ",":
            why = decimal_comma(self.text, self.look()[1])
            if why:
                raise self.fail(self.place, f"{why}, or leave a blank after the comma")
            self.take()
            found.append(self.sum())
        self.close(word, start, _OPENING[word])
        self.bars = bars
        if braces is not None:
            self.close("{", braces, "}")
        return found

    def _spelled(self, name: str, start: int) -> Node:
        match = re.compile(r"\s*\{\s*([A-Za-z]+)\s*\}").match(self.text, self.place, self.end)
        word = match.group(1) if match else ""
        if word == "e" and match is not None:
            self.place = match.end()
            return self._letter("e", start)
        if match is None or word not in FUNCTIONS:
            raise self.fail(start, f"\\{name}{{{word}}} is not understood")
        self.place = match.end()
        if word in _FUNCTIONS:
            return self._function(word, start)
        return self._called(word, name, start)

    def _called_with_brackets(self) -> bool:
        """Whether a bracket follows, or an exponent with a bracket behind it."""
        here = self.place
        if self.look()[0] == "^":
            self.take()
            self.argument("^")
        found = self.look()[0] == "("
        self.place = here
        return found

    def _called(self, name: str, shown: str, start: int) -> Node:
        """A function with its arguments in brackets; a number before them is an exponent of its value."""
        power = self._exponent("the power outside") if self.look()[0] == "^" else None
        made = self.call(name, start, *self._several(shown))
        return made if power is None else self.node("power", start, made, power)

    def _exponent(self, instead: str) -> Node:
        """The exponent between a function's name and its argument: a number, as others may mean the inverse."""
        _, place = self.take()
        exponent = self.argument("^")
        if exponent.kind != "number":
            raise self.fail(place, f"may mean a power or the inverse: write {instead}")
        return exponent

    def _function(self, name: str, start: int) -> Node:
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            word, place = self.look()
            if word == "^" and power is None:
                power = self._exponent(f"(\\{name} x)^{{..}}, or \\arc..")
            elif word == "_" and base is None and name == "log":
                self.take()
                base = self.argument("_")
            elif word == "_":
                raise self.fail(place, f"\\{name} takes no subscript")
        made = self.call(name, start, self._argument_of(name), *([base] if base else []))
        return made if power is None else self.node("power", start, made, power)

    def _argument_of(self, name: str) -> Node:
        """The argument of a function: in brackets, in braces, or one factor with its coefficient."""
        word, start = self.look()
        if word in ("(", "[", r"\lvert", r"\lbrack", r"\lfloor", r"\lceil"):
            inner = self.atom()[0]
            if word not in ("(", "[", r"\lbrack"):
                self._refuse_power_after(name)
            return inner
        if word == "{":
            return self._in_braces(name)
        if word == "|":
            inner = self.atom()[0]
            self._refuse_power_after(name)
            return inner
        if not word or word in _ENDS or word in ("+", "-", "−", "^", ",") or word in RELATIONS:
            raise self.fail(start, f"the argument of \\{name} is missing, or needs brackets")
        children: list[Any] = []
        while True:
            word, place = self.look()
            children.append(self.factor())
            ended = place + len(word)
            following, after = self.look()
            coefficient = children[-1].kind == "number" or word == r"\pi"
            if not (coefficient and self._starts_factor(following)):
                break
            if after > ended or following[0].isdigit():
                raise self.fail(after, f"does this belong to \\{name}? write brackets")
            if following[1:] in _FUNCTIONS:
                break
            children.append(Token("TIMES", "*", after))
        following, after = self.look()
        joined = self._starts_factor(following) and following[1:] not in _FUNCTIONS
        if joined or following in _OVER:
            raise self.fail(after, f"does this belong to \\{name}? write brackets")
        return children[0] if len(children) == 1 else self.node("product", place, *children)

    def _refuse_power_after(self, name: str) -> None:
        if self.look()[0] == "^":
            raise self.fail(
                self.place,
                rf"a power of \{name} or of its argument? write (\{name} ..)^2, or \{name}(..^2)",
            )

    def _in_braces(self, name: str) -> Node:
        """An argument in braces: these are not seen on paper, where a bracket may be."""
        start = self.look()[1]
        self.take()
        word, opened = self.look()
        self.place = start
        inner = self.argument(f"\\{name}")
        whole = self.bracket[0] == opened and self.text[self.bracket[1] : self.place].strip() == "}"
        if whole and word in _CALLS:
            return inner
        if inner.kind in ("sum", "signed"):
            raise self.fail(opened, "braces are not seen on paper: write brackets")
        self._refuse_power_after(name)
        following, after = self.look()
        if (
            self._starts_factor(following) and following[1:] not in _FUNCTIONS
        ) or following in _OVER:
            raise self.fail(after, f"does this belong to \\{name}? write brackets")
        return inner

    def _ranged(self, name: str, start: int) -> Node:
        index = low = high = None
        for _ in range(2):
            word, place = self.look()
            if word == "_":
                self.take()
                self.expect("{", "the sign of a sum")
                index, low = self._index()
                self.expect("}", "the lower end")
            elif word == "^":
                self.take()
                high = self.argument("^")
        if index is None or low is None or high is None:
            raise self.fail(start, r"write \sum_{k=1}^{n}")
        after = self.look()[1]
        body = self.product()
        if name == "Product":
            self._refuse_constant_after(body, str(index.children[0]), after)
        return self.call(name, start, body, index, low, high)

    def _refuse_constant_after(self, body: Node, index: str, place: int) -> None:
        r"""Refuse ``\prod k / 3``: a factor without the index may stand outside the product."""
        if body.kind != "product" or self.bracket == (place, self.place):
            return
        seen = False
        for mark, factor in zip([None, *body.children[1::2]], body.children[::2], strict=True):
            numbered = index in set(names_in((factor,)))
            if seen and not numbered:
                at = mark.start_pos if mark is not None and mark.start_pos is not None else place
                raise self.fail(
                    at,
                    r"does this belong to \prod? write brackets around the product or its factor",
                )
            seen = seen or numbered

    def _index(self) -> tuple[Node, Node]:
        node, start = self.atom()
        if node.kind != "name":
            raise self.fail(start, "an index is a letter")
        self.expect("=", "an index")
        return node, self.sum()

    def _integral(self, start: int) -> Node:
        low = high = None
        for _ in range(2):
            word, _ = self.look()
            if word == "_":
                self.take()
                low = self._end_of_range("_")
            elif word == "^":
                self.take()
                high = self._end_of_range("^")
        if low is None or high is None:
            raise self.fail(start, r"write \int_{a}^{b} ... \, dx")
        self.integrals += 1
        body = self.sum()
        self.integrals -= 1
        differential = self._differential()
        if not differential:
            raise self.fail(self.place, "the dx of the integral is missing")
        name = re.split(r"d\s*\}?\s*", differential, maxsplit=1)[1].lstrip("\\")
        variable = self.name(name, self.place)
        self.place += len(differential)
        return self.call("Integral", start, body, variable, low, high)

    def _end_of_range(self, after: str) -> Node:
        return self.argument(after)


_OTHERS = {
    "pi", "infty", "frac", "dfrac", "tfrac", "cfrac", "sqrt", "binom", "dbinom", "tbinom", "max", "min",
    "operatorname", "mathrm", "sum", "prod", "int", "lvert", "lfloor", "lceil", "{", "text",
    "Pr", "mathbb",
}  # fmt: skip
