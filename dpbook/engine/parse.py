"""Statements typed as text: a whitelist grammar, parsed and never evaluated.

The words are names, numbers, operators and the functions of `FUNCTIONS`; anything else is a
`ParseError` with its position. A name before ``(`` is a function, else a symbol, so ``lambda``,
and ``beta`` are symbols; ``pi`` is a constant, ``e`` and ``E`` are asked about unless a condition
declares them, and ``oo`` stands only at an end of a range. A sequence is not read: ``x_i`` in a sum over i is refused. A Greek letter is its name: ``ε``, ``ϵ``, ``varepsilon``, ``eps`` and ``epsilon`` are one symbol.
``=`` and ``==``, ``^`` and ``**`` are the same, ``-x^2`` is ``-(x^2)``, powers group to the right,
and decimals are exact. A number or a bracket may stand before a factor without a sign: ``2n + 1``,
``(a + 5)(b + 2)``; ``√2``, ``x²`` and ``ln 2`` are read; what can be meant in two ways is refused: ``1/2x``, ``x^2y``, ``x y``, ``e^x``.
What is read stays as written: no operation is carried out, save that a quotient of two numbers and
a rational exponent become one rational number.
"""

from __future__ import annotations

import difflib
import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import lark
import sympy
from lark.lexer import Lexer, Token
from sympy import Add, Expr, Integer, Mul, Pow, Rational, S, Symbol

from dpbook.engine.statement import Both, Either, Relation, Tree, thing_or_both

LONGEST_TEXT = 20_000
LONGEST_NAME = 100
DEEPEST = 200
MOST_DIGITS = 10_000
ONLY = "only names, numbers, operators and functions are understood"
_SUM = "a sum is written Sum(k^2, k, 1, n)"
_INSTEAD = {
    "∞": "write oo",
    ".": f"dots are no number; {_SUM}",
    "∑": _SUM, "∏": "a product is written Product(k, k, 1, n)", "∫": "write Integral(x^2, x, 0, 1)",
    "∈": "write in: x in [0, 1]", "÷": "write /", "½": "write 1/2", "¼": "write 1/4", "¾": "write 3/4",
    "≈": "no relation that can be decided; write |a - b| <= 0.01", "±": "write x = 1 or x = -1",
    "$": "LaTeX and text are mixed",
    **{sign: f"a name with a subscript is written x_{digit}" for digit, sign in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}  # fmt: skip

_GRAMMAR = r"""
start: either (_COMMA either)*
?either: both (_OR both)*
?both: chain (_AND chain)*
?chain: sum (RELATION sum)* | sum _IN set -> member
set: NAME -> named
   | _LSQB sum _COMMA sum _RSQB -> closed
   | _LSQB sum _COMMA sum _RPAR -> right_open
   | _LPAR sum _COMMA sum _RSQB -> left_open
   | _LPAR sum _COMMA sum _RPAR -> open
?sum: product (SIGN product)*
?product: unary (TIMES unary)*
?unary: power | SIGN unary -> signed
?power: postfix | postfix _POWER unary -> power
?postfix: atom | postfix _BANG -> factorial
?atom: NUMBER -> number
     | NAME -> name
     | FUNCTION _LPAR either (_COMMA either)* _RPAR -> call
     | _LPAR either _RPAR
     | _LPAR either (_COMMA either)+ _RPAR -> group
     | _LBAR either _RBAR -> bars
%declare NUMBER NAME FUNCTION RELATION SIGN TIMES _POWER _BANG _COMMA _LPAR _RPAR _LSQB _RSQB
%declare _LBAR _RBAR _AND _OR _IN
"""

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon",
    "ζ": "zeta", "η": "eta", "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "ϰ": "kappa",
    "λ": "lambda", "μ": "mu", "\u00b5": "mu", "ν": "nu", "ξ": "xi", "ρ": "rho", "ϱ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "\u2206": "Delta", "Θ": "Theta",
    "Λ": "Lambda", "Ξ": "Xi", "Σ": "Sigma", "Υ": "Upsilon", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
    "\u2126": "Omega", "ℓ": "ell",
}  # fmt: skip
VARIANTS = {
    "varepsilon": "epsilon", "vartheta": "theta", "varkappa": "kappa", "varrho": "rho",
    "varsigma": "sigma", "varphi": "phi", "eps": "epsilon",
}  # fmt: skip
NO_FACTOR = {
    "if", "then", "thus", "hence", "where", "since", "for", "all", "let", "with", "not", "true",
    "false", "none", "rate", "mean", "size", "iff", "is", "else", "when", "of", "to", "percent",
}  # fmt: skip
_GLYPHS = "".join(GREEK)
_WORD = re.compile(
    r"(?P<NUMBER>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    rf"|(?P<NAME>(?:[A-Za-z][A-Za-z0-9]*|[{_GLYPHS}][0-9]*)(?:_[A-Za-z0-9{_GLYPHS}]*)*|[π∞])"
    r"|(?P<ROOT>√)|(?P<RAISED>[²³])"
    r"|(?P<MARK><=|>=|==|!=|\*\*|&&|\|\||[-+*/^!=<>()\[\],|&≤≥≠·×⋅−∧∨])"
)
_BLANK = " \t\r\n\u00a0"
_MARKS = {
    "<=": ("RELATION", "<="), "≤": ("RELATION", "<="), ">=": ("RELATION", ">="),
    "≥": ("RELATION", ">="), "<": ("RELATION", "<"), ">": ("RELATION", ">"),
    "=": ("RELATION", "=="), "==": ("RELATION", "=="), "!=": ("RELATION", "!="),
    "≠": ("RELATION", "!="), "+": ("SIGN", "+"), "-": ("SIGN", "-"), "−": ("SIGN", "-"),
    "*": ("TIMES", "*"), "·": ("TIMES", "*"), "×": ("TIMES", "*"), "⋅": ("TIMES", "*"),
    "/": ("TIMES", "/"), "^": ("_POWER", "^"), "**": ("_POWER", "^"), "!": ("_BANG", "!"),
    ",": ("_COMMA", ","), "(": ("_LPAR", "("), ")": ("_RPAR", ")"), "[": ("_LSQB", "["),
    "]": ("_RSQB", "]"), "&": ("_AND", "and"), "&&": ("_AND", "and"), "∧": ("_AND", "and"),
    "||": ("_OR", "or"), "∨": ("_OR", "or"),
}  # fmt: skip
_NAMES = {
    "and": ("_AND", "and"), "or": ("_OR", "or"), "in": ("_IN", "in"),
    "π": ("NAME", "pi"), "∞": ("NAME", "oo"),
}  # fmt: skip
UNSIGNED = " "  # the sign of a product that has none
_OPERAND_ENDS = {"NUMBER", "NAME", "_RPAR", "_RSQB", "_RBAR", "_BANG"}


def canonical(name: str) -> str:
    """Return a name in ASCII, with one spelling for each Greek letter.

    Examples
    --------
    >>> canonical("σ_ε"), canonical("varepsilon_1"), canonical("eps_1")
    ('sigma_epsilon', 'epsilon_1', 'epsilon_1')
    """
    if not name.isascii():
        name = "".join(GREEK.get(sign, sign) for sign in name)
    if "var" not in name and "eps" not in name:
        return name
    parts = (re.fullmatch(r"([a-z]+)([0-9]*)", part) for part in name.split("_"))
    return "_".join(
        VARIANTS.get(match[1], match[1]) + match[2] if match else part
        for match, part in zip(parts, name.split("_"), strict=True)
    )


_TURNED = {"=<": "<=", "=>": ">=", "<>": "!=", "><": "!="}  # as some write a relation
_DECIMAL = re.compile(
    r"(?<![0-9A-Za-z_.])(?<![0-9],)([0-9]+(?:\.[0-9]{3})*)(?:,|\{,\})([0-9]+)(?![0-9A-Za-z_]|[.,][0-9]|\{,\})"
)
_UNITS = frozenset({
    "nm", "mm", "cm", "dm", "km", "mg", "kg", "ms", "Hz", "kHz", "MHz", "GHz", "kB", "MB", "GB",
    "TB", "sec", "hours", "days", "years", "EUR", "USD", "bits", "bytes", "nats", "dB",
})  # fmt: skip

_GREEK_NAMES = frozenset(GREEK.values()) | frozenset(VARIANTS)
_A_NAME = re.compile(r"[^\W\d_]\w*")


LATEX_LINE = " $$"  # ends a line of an align, which is LaTeX also where no backslash says so


class ParseError(ValueError):
    """A text that is no statement; `position` counts characters from 1."""

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

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (str(self), self.position, self.reason)


def turned(text: str, place: int) -> str:
    """Say what to write for ``=<`` and its kind, of which the second sign stands at a place."""
    sign = _TURNED.get(text[max(place - 1, 0) : place + 1])
    shown = text[place - 1 : place + 1]
    if shown == "=>":
        return f"what is implied is a statement alone, its condition stands in given; else write {sign}"
    return f'write {sign} for "{shown}"' if sign else ""


def decimal_comma(text: str, place: int) -> str:
    """Say what to write for a decimal comma, where one may stand at a place."""
    for match in _DECIMAL.finditer(text):
        if match.start() <= place < match.end():
            whole = match[1].replace(".", "")
            if re.fullmatch(r"[1-9][0-9]{0,2}(,|\{,\})[0-9]{3}", match[0]):
                thousands = f"{whole}{match[2]}"
                return f"is {match[0]} a decimal? write {whole}.{match[2]}, or {thousands} for thousands"
            return f"is {match[0]} a decimal? write {whole}.{match[2]}"
    return thousands_at(text, place)


_GAP = r"(?:[ \u00a0~]|\\[,:; ])"
_THOUSANDS = re.compile(
    rf"(?<![0-9A-Za-z_.,^])[1-9][0-9]{{0,2}}(?:(?:,[0-9]{{3}}){{2,}}|(?:\{{,\}}[0-9]{{3}}){{2,}}"
    rf"|(?:\.[0-9]{{3}}){{2,}}|(?:(?:{_GAP}|')[0-9]{{3}})+)(?![0-9A-Za-z_]|[.,'][0-9])"
)
_MIXED = re.compile(rf"(?<![0-9A-Za-z_.,^])([0-9]+){_GAP}+([0-9]+/[0-9]+)(?![0-9A-Za-z_.])")


def thousands_at(text: str, place: int) -> str:
    """Say what to write for a number set in groups of three, or a mixed one, at a place."""
    for match in _THOUSANDS.finditer(text):
        if match.start() <= place < match.end():
            return f"is {match[0]} one number? write {re.sub('[^0-9]', '', match[0])}"
    for match in _MIXED.finditer(text):
        if match.start() <= place < match.end():
            return f"is {match[0]} a mixed number? write {match[1]} + {match[2]}"
    return ""


def _rebuilt(message: str, position: int, reason: str) -> ParseError:
    error = ParseError.__new__(ParseError)
    ValueError.__init__(error, message)
    error.position, error.reason = position, reason
    return error


@dataclass(frozen=True)
class Declaration:
    """Names said to be integers, or to lie in an interval.

    The interval is (lower, lower_open, upper, upper_open), with None for an infinite end.
    """

    names: tuple[str, ...]
    integer: bool = False
    interval: tuple[Expr | None, bool, Expr | None, bool] | None = None

    def relations(self, symbols: Mapping[str, Symbol]) -> Iterator[Relation]:
        """Yield the ends of the interval as relations on the given symbols."""
        if self.interval is None:
            return
        lower, lower_open, upper, upper_open = self.interval
        for name in self.names:
            if lower is not None:
                yield Relation(symbols[name], ">" if lower_open else ">=", lower)
            if upper is not None:
                yield Relation(symbols[name], "<" if upper_open else "<=", upper)


def parse_relation(
    text: str, variables: Mapping[str, Symbol] | None = None
) -> list[tuple[Expr, str, Expr]]:
    """Read a relation, a chain of them such as 0 < x < 1, or several joined by `and`.

    Parameters
    ----------
    text : str
        The statement.
    variables : mapping of str to Symbol, optional
        The symbols of names that are known; other names become real symbols.

    Returns
    -------
    list of (lhs, op, rhs)
        The expressions as written, op one of ``== != < <= > >=``.

    Raises
    ------
    ParseError
        When the text is no such statement.
    """
    tree = parse_condition(text, variables)
    if any(isinstance(part, Either) for part in _parts(tree)):
        raise ParseError(text, 1, 'a list of relations is needed here, without "or"')
    return [(relation.lhs, relation.op, relation.rhs) for relation in tree.relations()]


def parse_condition(text: str, variables: Mapping[str, Symbol] | None = None) -> Tree:
    """Read relations joined by `and`, `or` and parentheses as a tree; see `parse_relation`."""
    builder = Builder(text, variables or {})
    items = _read(text)
    tree = thing_or_both(tuple(builder.tree(item) for item in _spread(text, items)))
    return flat(tree)


def parse_printed(text: str) -> Expr:
    """Read an expression as SymPy prints it, where ``E`` is a constant."""
    builder = Builder(text, {})
    builder.printed = True
    items = _read(text)
    if len(items) != 1:
        raise ParseError(text, 1, "one expression is needed here")
    return builder.number(items[0])[0]


def parse_line(text: str, variables: Mapping[str, Symbol] | None = None) -> Tree | Expr:
    """Read a line of a derivation: an expression, or relations joined by `and` and `or`."""
    builder = Builder(text, variables or {})
    return line_of(builder, _read(text))


def integer_names(text: str, items: list[Node] | None = None) -> list[str]:
    """Return the names that a condition declares to be integers."""
    items = _spread(text, _read(text) if items is None else items)
    return sorted(set(_integer_names(text, items)))


def line_of(builder: Builder, items: list[Node]) -> Tree | Expr:
    """Build a line from the nodes of a text."""
    if len(items) == 1 and items[0].kind not in ("chain", "both", "either", "member"):
        return builder.number(items[0])[0]
    parts = tuple(builder.tree(item) for item in _spread(builder.text, items))
    return flat(thing_or_both(parts))


def parse_given(
    text: str, variables: Mapping[str, Symbol] | None = None
) -> Tree | Declaration | tuple[Tree | Declaration, ...]:
    """Read a condition, or a declaration: ``n, k in integers``, ``x in reals``, ``x in [0, oo)``.

    Returns
    -------
    Relation, Both, Either, Declaration
        Or a tuple of them, when declarations and conditions are mixed with commas.

    Raises
    ------
    ParseError
        When the text is neither.
    """
    return given_of(text, _read(text), variables)


def given_of(
    text: str, items: list[Node], variables: Mapping[str, Symbol] | None = None
) -> Tree | Declaration | tuple[Tree | Declaration, ...]:
    """Build conditions and declarations from the nodes of a text."""
    items = _spread(text, items)
    known = dict(variables or {})
    for name in _integer_names(text, items):
        known.setdefault(name, Symbol(name, integer=True))
    for name in _declared_constants(items):
        known.setdefault(name, Symbol(name, real=True))
    builder = Builder(text, known)
    found = builder.given(items)
    conditions = [item for item in found if not isinstance(item, Declaration)]
    if len(conditions) == len(found):
        return flat(thing_or_both(tuple(conditions)))
    return found[0] if len(found) == 1 else tuple(found)


def parse_statement(text: str, given: Iterable[str] = ()) -> tuple[Tree, Both, tuple[str, ...]]:
    """Read a statement with its givens, each name one symbol throughout.

    Returns
    -------
    tree : Relation, Both or Either
        The statement.
    given : Both
        The conditions, intervals of declarations among them.
    integers : tuple of str
        Names that a given declares to be integers; all others are real.

    Raises
    ------
    ParseError
        When one of the texts cannot be read.
    """
    texts = [given] if isinstance(given, str) else list(given)
    read = [(line, _spread(line, _read(line))) for line in texts]
    integers = sorted({name for line, items in read for name in _integer_names(line, items)})
    symbols = {name: Symbol(name, integer=True) for name in integers}
    for name in sorted({name for _, items in read for name in _declared_constants(items)}):
        symbols.setdefault(name, Symbol(name, real=True))
    tree = parse_condition(text, symbols)
    conditions: list[Tree] = []
    for line, items in read:
        builder = Builder(line, symbols)
        for item in builder.given(items):
            if isinstance(item, Declaration):
                conditions += item.relations({name: builder.symbol(name) for name in item.names})
            else:
                conditions += _parts(flat(item))
    return tree, Both(tuple(conditions)), tuple(integers)


def _declared_constants(items: Iterable[Node]) -> Iterator[str]:
    """Yield names of constants where a condition is about one alone: then that is a symbol."""
    for item in items:
        for part in item.children if item.kind == "both" else (item,):
            sides = part.children[:1] if part.kind == "member" else part.children[::2]
            if part.kind not in ("member", "chain"):
                continue
            names = set(names_in(sides))
            if len(names) == 1 and any(side.kind == "name" for side in sides):
                yield from names & {*_ASKED, "i"}


def names_in(nodes: Iterable[Any]) -> Iterator[str]:
    """Yield the names in nodes and below them."""
    for node in nodes:
        if isinstance(node, Node):
            if node.kind == "name":
                yield str(node.children[0])
            yield from names_in(node.children)


def _parts(tree: Tree) -> tuple[Tree, ...]:
    return tree.parts if isinstance(tree, Both) else (tree,)


def flat(tree: Tree) -> Tree:
    """Merge conjunctions in conjunctions, and disjunctions in disjunctions."""
    if isinstance(tree, Relation):
        return tree
    kind = type(tree)
    parts: list[Tree] = []
    for part in map(flat, tree.parts):
        parts += part.parts if isinstance(part, kind) else (part,)
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


# --- from text to nodes -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the grammar, at its position in the text."""

    kind: str
    children: tuple[Any, ...]
    position: int
    depth: int


class _Words(Lexer):
    """The words of the text; bars are told apart by where they stand."""

    def __init__(self, conf: Any) -> None:
        pass

    __future_interface__ = 1

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        return iter(_words(lexer_state.text.text))


_SET = "set"  # a bracket of an interval, whose comma is no decimal's


def _not_understood(character: str) -> str:
    """Say why a character begins no word; one that looks like another is named."""
    if character in _INSTEAD or character.isascii():
        return _INSTEAD.get(character, ONLY)
    called = unicodedata.name(character, "a character without a name")
    return f"it is {called}; names have Latin and Greek letters, numbers the digits 0 to 9"


_LOWERED = re.compile(rf"_[A-Za-z0-9{_GLYPHS}]+")


def _lowered(text: str, words: list[Token], position: int) -> int:
    """Read the subscript behind an exponent, as in ``x^2_1``; return where it ends."""
    match = _LOWERED.match(text, position)
    name, power, number = (words[-3:] + [Token("", "")] * 3)[:3]
    raised = (name.type, power.type, number.type) == ("NAME", "_POWER", "NUMBER")
    touching = text[name.start_pos or 0 : position].endswith(f"^{number}")
    if match is None or not raised or not touching or "_" in name or name in _CONSTANTS:
        raise ParseError(text, position + 1, _not_understood(text[position]))
    if re.fullmatch("_[0-9]{3}", match.group()):
        reason = f"is {number}{match.group()} one number? write {number}{match.group()[1:]}"
        raise ParseError(text, position + 1, reason)
    words[-3] = Token("NAME", canonical(f"{name}{match.group()}"), name.start_pos)
    return match.end()


def _words(text: str) -> list[Token]:
    """Split the text into tokens, refusing what is no word, deep nesting and juxtaposition."""
    words: list[Token] = []
    nesting: list[tuple[str, int]] = []
    position = 0
    while position < len(text):
        if text[position] in _BLANK:
            position += 1
            continue
        match = _WORD.match(text, position)
        if match is None:
            position = _lowered(text, words, position)
            continue
        kind, value = str(match.lastgroup), match.group()
        after_operand = bool(words) and words[-1].type in _OPERAND_ENDS
        bare = _argument(text, words, match)
        if bare is not None:
            end = match.end() + bare.end()
            if after_operand:
                _refuse_juxtaposed(text, words, "FUNCTION", match)
                words.append(Token("TIMES", UNSIGNED, position))
            inside = match.end() + bare.start("operand")
            function = "sqrt" if kind == "ROOT" else value
            words += [Token("FUNCTION", function, position), Token("_LPAR", "(", inside)]
            words += _words(bare["operand"])[:1]
            words[-1].start_pos = inside
            words.append(Token("_RPAR", ")", end))
            position = end
            continue
        if kind == "RAISED":
            if not after_operand or text[position + 1 : position + 2] in ("²", "³"):
                raise ParseError(text, position + 1, f"write ^{'²³'.index(value) + 2}")
            words.append(Token("_POWER", "^", position))
            words.append(Token("NUMBER", str("²³".index(value) + 2), position))
            position = match.end()
            continue
        if kind == "ROOT":
            if not text[match.end() :].lstrip(_BLANK).startswith("("):
                raise ParseError(text, position + 1, "write sqrt(...)")
            kind, value = "FUNCTION", "sqrt"
        if kind == "NAME":
            if len(value) > LONGEST_NAME:
                raise ParseError(text, position + 1, f"a name has at most {LONGEST_NAME} letters")
            kind, value = _NAMES.get(value, (kind, canonical(value)))
            if "eps" in match[0].split("_") and re.search(rf"(?<!\w){value}(?!\w)", text):
                reason = (
                    f"{match[0]} is read as {value}: write one of them throughout; "
                    "another symbol needs another name"
                )
                raise ParseError(text, position + 1, reason)
            rest = text[match.end() :].lstrip(_BLANK)
            if kind == "NAME" and rest.startswith("(") and not _is_set(words):
                kind = "FUNCTION"
                if text[position] in "βγψ" and value in FUNCTIONS:
                    shown = match.group()
                    reason = f"is {shown}( a product or the function {value}? write {shown}*("
                    raise ParseError(text, position + 1, f"{reason} or {value}(")
        elif value == "|" or (value == "||" and not after_operand):
            # a bar opens where an operand may start, and closes or divides where one has ended
            value = "|"
            if not after_operand:
                kind = "_LBAR"
            else:
                kind = "_RBAR" if nesting and nesting[-1][0] == "|" else "_OR"
        elif value == "||" and nesting and nesting[-1][0] == "|":
            kind, value = "_RBAR", "|"
        elif kind == "MARK":
            kind, value = _MARKS[value]
        starts_operand = kind in ("NUMBER", "NAME", "FUNCTION", "_LPAR", "_LBAR", "_LSQB")
        if after_operand and starts_operand:
            _refuse_juxtaposed(text, words, kind, match)
            words.append(Token("TIMES", UNSIGNED, position))
        if kind == "_COMMA" and (not nesting or nesting[-1][0] != _SET):
            why = decimal_comma(text, position)
            if why:
                reason = f"{why}; after the comma of a list leave a blank"
                if nesting:
                    pair = _DECIMAL.search(text, max(text.rfind("(", 0, position), 0))
                    shown = pair[0].replace(",", ", ") if pair else "a, b"
                    reason = f"{why}, or {shown} with a blank for two arguments"
                raise ParseError(text, position + 1, reason)
        if kind == "_BANG" and words and words[-1].type == "_BANG":
            raise ParseError(
                text, position + 1, "a double factorial is not read; (n!)! is written with brackets"
            )
        if kind in ("_LPAR", "_LSQB", "_LBAR"):
            nesting.append((_SET if _is_set(words) else value, position))
            if len(nesting) > DEEPEST:
                raise ParseError(text, position + 1, f"nested deeper than {DEEPEST}")
        elif kind in ("_RPAR", "_RSQB", "_RBAR"):
            if not nesting or (nesting[-1][0] == "|") != (kind == "_RBAR"):
                raise ParseError(text, position + 1, f'no partner for "{value}"')
            nesting.pop()
        words.append(Token(kind, value, position))
        position += len(value) if kind in ("_LBAR", "_RBAR") else match.end() - position
    if nesting:
        place = nesting[-1][1]
        raise ParseError(text, place + 1, f'this "{text[place]}" is never closed')
    return words


_BARE = re.compile(
    rf"[{_BLANK}]*(?P<operand>[0-9]+(?:\.[0-9]+)?(?![eE]?[0-9.])"
    rf"|(?:[A-Za-z][A-Za-z0-9]*|[{_GLYPHS}][0-9]*)(?:_[A-Za-z0-9{_GLYPHS}]*)*|π)"
)
_AFTER_BARE = re.compile(rf"[{_BLANK}]*(?:$|[-+*/−·×⋅<>=≤≥≠,)\]|&∧∨]|(?:!=)|(?:and|or|in)\b)(?!\*)")


def _argument(text: str, words: list[Token], match: re.Match[str]) -> re.Match[str] | None:
    """Find the number or name that stands without brackets after ``√``, ``ln`` or ``log``.

    Only where it is the whole argument: ``ln 2x`` and ``√x^2`` can be meant in two ways.
    """
    if match.group() not in ("√", "ln", "log") or _is_set(words):
        return None
    bare = _BARE.match(text[match.end() :])
    if bare is None or bare["operand"] in ("and", "or", "in"):
        return None
    rest = text[match.end() + bare.end() :]
    return bare if _AFTER_BARE.match(rest) and not rest.lstrip(_BLANK).startswith("**") else None


def _refuse_juxtaposed(text: str, words: list[Token], kind: str, match: re.Match[str]) -> None:
    """Refuse two operands side by side, unless they can only be a product.

    A number or a closed bracket may stand before a name, a function or an open bracket. What
    stands in an exponent, or begins like a number of another kind, needs its sign.
    """
    before, after, place = words[-1], match.group(), match.start() + 1
    if before.type == "NAME" and before == "not":
        raise ParseError(text, (before.start_pos or 0) + 1, '"not" is not read; negate by hand')
    if "mod" in (before, after):  # a remainder is no name beside a number
        raise ParseError(text, place, "mod is not understood here: write n - m*floor(n/m)")
    if before.type in ("NUMBER", "NAME") and kind in ("NUMBER", "NAME", "FUNCTION"):
        written = text[(before.start_pos or 0) : match.start()].rstrip(_BLANK)
        advice = f"a product needs its sign: write {written}*{after}"
        if before.type == "NAME" and before in FUNCTIONS:
            advice = f"write {written}({after}), or {written}*{after} for a product"
    else:
        advice = "a product needs its sign: write * here"
    if kind == "NUMBER":
        advice = thousands_at(text, match.start()) or advice
    if before.type not in ("NUMBER", "_RPAR") or kind not in ("NAME", "FUNCTION", "_LPAR"):
        raise ParseError(text, place, advice)
    if after in _UNITS and before.type == "NUMBER":
        number = text[before.start_pos or 0 : match.start()].strip(_BLANK)
        advice = (
            f"is {after} a unit? leave it out; for a product with a symbol write {number}*{after}"
        )
        raise ParseError(text, place, advice)
    if after in NO_FACTOR:
        raise ParseError(text, place, f'"{after}" cannot stand here')
    if before.type == "_RPAR":
        return
    power = [word.type for word in words[-3:-1]]
    if power[-1:] == ["_POWER"] or power == ["_POWER", "SIGN"]:
        raise ParseError(text, place, "does this belong to the exponent? write brackets, or *")
    number = text[before.start_pos or 0 : match.start()]
    if number == "0" and re.fullmatch(r"[xXbBoO][0-9A-Fa-f]+", after):
        raise ParseError(text, place, advice)
    if re.fullmatch(r"[eE][0-9]*", after):
        rest = text[match.end() :].lstrip(_BLANK)
        if not (after == "e" and rest.startswith(("^", "**"))):
            raise ParseError(text, place, f"is this a power of ten? write {number.strip()}*{after}")


def _is_set(words: list[Token]) -> bool:
    return bool(words) and words[-1].type == "_IN"


class _Nodes:
    """Callbacks of the grammar: each makes one node."""

    def __getattr__(self, kind: str) -> Callable[[list[Any]], Node]:
        if kind not in _KINDS:
            raise AttributeError(kind)

        def make(children: list[Any]) -> Node:
            first = children[0]
            position = first.position if isinstance(first, Node) else (first.start_pos or 0) + 1
            depth = 1 + max((c.depth for c in children if isinstance(c, Node)), default=0)
            return Node(kind, tuple(children), position, depth)

        return make


_KINDS = {
    "start", "either", "both", "chain", "member", "named", "closed", "right_open", "left_open",
    "open", "sum", "product", "signed", "power", "factorial", "number", "name", "call", "group",
    "bars",
}  # fmt: skip
_parser: lark.Lark | None = None


def _read(text: str) -> list[Node]:
    """Parse the text into the nodes of its comma-separated items."""
    global _parser
    if not isinstance(text, str):
        raise TypeError(f"a statement in words must be text, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise ParseError(
            text, LONGEST_TEXT + 1, f"longer than {LONGEST_TEXT} characters ({len(text)})"
        )
    if not text.strip(_BLANK):
        raise ParseError(text, 1, "the text is empty; write a relation such as x^2 >= 0")
    if _parser is None:
        _parser = lark.Lark(
            _GRAMMAR, parser="lalr", lexer=_Words, transformer=_Nodes(), maybe_placeholders=False
        )
    try:
        root: Any = _parser.parse(text)
    except lark.exceptions.UnexpectedToken as error:
        if error.token.type == "$END":
            raise ParseError(text, len(text) + 1, "the text ends too early") from None
        place = error.token.start_pos
        why = turned(text, place)
        if why:
            raise ParseError(text, place, why) from None
        raise ParseError(text, place + 1, f'"{error.token}" cannot stand here') from None
    if root.depth > DEEPEST + 1:
        raise ParseError(text, root.position, f"nested deeper than {DEEPEST}")
    return list(root.children)


def _spread(text: str, items: list[Node]) -> list[Node]:
    """Let names alone share what follows them: in ``x, y > 0`` both are positive."""
    result: list[Node] = []
    waiting: list[Node] = []
    for item in items:
        if item.kind == "name":
            waiting.append(item)
            continue
        if waiting:
            head = item.children[0]
            if item.kind not in ("chain", "member") or head.kind != "name":
                raise ParseError(text, waiting[0].position, "a name alone is no condition")
            result += [
                Node(item.kind, (name, *item.children[1:]), name.position, item.depth)
                for name in waiting
            ]
            waiting = []
        result.append(item)
    if waiting:
        raise ParseError(text, waiting[0].position, "a name alone is no condition")
    return result


_INTEGERS = ("integers", "integer", "Z", "ints")
_REALS = ("reals", "real", "R")


def _integer_names(text: str, items: list[Node]) -> Iterator[str]:
    for item in items:
        parts = item.children if item.kind == "both" else (item,)
        for part in parts:
            if part.kind != "member" or part.children[1].kind != "named":
                continue
            if str(part.children[1].children[0]) in _INTEGERS:
                yield _declared(text, part)


def _declared(text: str, member: Node) -> str:
    head = member.children[0]
    if head.kind != "name" or str(head.children[0]) in _CONSTANTS:
        raise ParseError(text, head.position, "only a name can be declared with in")
    return str(head.children[0])


# --- sizes of numbers ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Size:
    """What is known of a constant before it is made.

    `log` is log10 of numerator times denominator if it is rational, else None; `value` is exact
    if that is short, else a float, perhaps inf or nan; `most` bounds log10 of what is inf as a float.
    """

    log: float | None
    value: Fraction | float
    whole: bool = False
    most: float = math.inf

    @property
    def tens(self) -> float:
        """A bound of the size of log10 of the value."""
        size = abs(_float(self.value))
        if 0 < size < math.inf:
            return abs(math.log10(size))
        return self.most if size == math.inf else size


_UNKNOWN = _Size(None, math.nan)


def _exact(value: Fraction) -> _Size:
    log = math.log10(abs(value.numerator) or 1) + math.log10(value.denominator)
    short: Fraction | float = value
    if log > 300:
        try:
            short = float(value)
        except OverflowError:
            short = math.inf
    return _Size(log, short, value.denominator == 1)


def _float(value: Fraction | float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _sum_size(sizes: list[_Size]) -> _Size:
    exact = [size.value for size in sizes if isinstance(size.value, Fraction)]
    if len(exact) == len(sizes):
        below = sum(math.log10(bottom) for bottom in {value.denominator for value in exact})
        if below <= 2000:
            return _exact(sum(exact, Fraction(0)))
    value = sum(_float(size.value) for size in sizes)
    if any(size.log is None for size in sizes):
        most = max(size.tens for size in sizes) + math.log10(len(sizes))
        return _Size(None, value, most=most)
    logs = [size.log or 0.0 for size in sizes]
    whole = all(size.whole for size in sizes)
    return _Size(max(logs) + math.log10(len(logs)) if whole else sum(logs), value, whole)


def _product_size(sizes: list[_Size]) -> _Size:
    exact = [size.value for size in sizes if isinstance(size.value, Fraction)]
    if len(exact) == len(sizes) and sum(size.log or 0.0 for size in sizes) <= 2000:
        return _exact(math.prod(exact, start=Fraction(1)))
    value = math.prod(_float(size.value) for size in sizes)
    if any(size.log is None for size in sizes):
        return _Size(None, value, most=sum(size.tens for size in sizes))
    return _Size(sum(size.log or 0.0 for size in sizes), value, all(s.whole for s in sizes))


def _power_size(base: _Size, exponent: _Size) -> _Size:
    """Size of a power; its `log` is infinite if no number should be made of it."""
    power = exponent.value
    if isinstance(power, Fraction) and power.denominator == 1 and base.log is not None:
        if power < 0 and base.value == 0:
            return _UNKNOWN
        log = abs(power.numerator) * base.log if base.log else 0.0
        if log <= 300 and isinstance(base.value, Fraction):
            # a base of 0, 1 or -1 has log 0: its power is short, but is not made by multiplying
            if base.log == 0.0:
                return _exact(base.value ** (power.numerator % 2 + 2 if power else 0))
            return _exact(base.value**power.numerator)
        return _Size(log, _estimate(base, exponent), base.whole and power >= 0)
    log = abs(_float(power)) * (base.log if base.log is not None else base.tens)
    return _Size(log if log >= MOST_DIGITS else None, _estimate(base, exponent), most=log)


def _estimate(base: _Size, exponent: _Size) -> float:
    try:
        value = _float(base.value) ** _float(exponent.value)
    except OverflowError:
        return math.inf
    except ZeroDivisionError:
        return math.nan
    return value if isinstance(value, float) else math.nan


def _factorial_size(argument: _Size) -> _Size:
    value = _float(argument.value)
    if not value > -1:
        return _UNKNOWN
    log = math.lgamma(value + 1) / math.log(10) if value < 1e300 else math.inf
    if argument.whole and log < 300:
        return _exact(Fraction(math.factorial(int(value))))
    if argument.whole:
        return _Size(log, math.inf, True)
    value = 10**log if log < 300 else math.inf
    return _Size(log if log > MOST_DIGITS else None, value, most=log)


def _gamma_size(argument: _Size) -> _Size:
    return _factorial_size(_sum_size([argument, _exact(Fraction(-1))]))


def _binomial_size(upper: _Size, lower: _Size) -> _Size:
    n, k = _float(upper.value), _float(lower.value)
    if not 0 <= k <= n or not (upper.whole and lower.whole):
        return _UNKNOWN
    if n >= 1e15:
        log = min(k, n - k) * math.log10(max(n, 2)) if n < math.inf else math.inf
    else:
        log = (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(10)
    if log < 300 and n < 1e6:
        return _exact(Fraction(math.comb(int(n), int(k))))
    return _Size(log, math.inf, True)


def _largest_size(*sizes: _Size) -> _Size:
    logs = [size.log for size in sizes]
    value = max(abs(_float(size.value)) for size in sizes)
    known = None if None in logs else max(log or 0.0 for log in logs)
    return _Size(known, value, all(size.whole for size in sizes))


def _exponential_size(argument: _Size) -> _Size:
    size = _float_size(math.exp)(argument)
    return replace(size, most=abs(_float(argument.value)) * math.log10(math.e))


def _float_size(function: Callable[[float], float]) -> Callable[[_Size], _Size]:
    def size(argument: _Size) -> _Size:
        try:
            return _Size(None, function(_float(argument.value)))
        except OverflowError:
            return _Size(None, math.inf)
        except ValueError:
            return _UNKNOWN

    return size


# --- functions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Function:
    make: Callable[..., Expr]
    least: int = 1
    most: int = 1
    size: Callable[..., _Size] | None = None


def _plain(name: str) -> Callable[..., Expr]:
    function = getattr(sympy, name)
    return lambda *arguments: function(*arguments, evaluate=False)


def _quotient(top: Expr, bottom: Expr) -> Expr:
    return Mul(top, Pow(bottom, S.NegativeOne, evaluate=False), evaluate=False)


def _logarithm(argument: Expr, base: Expr | None = None) -> Expr:
    log = sympy.log(argument, evaluate=False)
    return log if base is None else _quotient(log, sympy.log(base, evaluate=False))


def _extreme(name: str) -> Callable[..., Expr]:
    function = getattr(sympy, name)

    def make(*arguments: Expr) -> Expr:
        return function(*arguments, evaluate=False) if len(set(arguments)) > 1 else arguments[0]

    return make


def _betainc(a: Expr, b: Expr, *ends: Expr) -> Expr:
    lower, upper = ends if len(ends) == 2 else (S.Zero, ends[0])
    return sympy.betainc(a, b, lower, upper, evaluate=False)


def _betainc_regularized(a: Expr, b: Expr, *ends: Expr) -> Expr:
    lower, upper = ends if len(ends) == 2 else (S.Zero, ends[0])
    return sympy.betainc_regularized(a, b, lower, upper)  # SymPy evaluates none of it


def _functions() -> dict[str, _Function]:
    one = {
        "sin": "sin", "cos": "cos", "tan": "tan", "cot": "cot", "sec": "sec", "csc": "csc",
        "asin": "asin", "acos": "acos", "atan": "atan", "arcsin": "asin", "arccos": "acos",
        "arctan": "atan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "coth": "coth",
        "sech": "sech", "csch": "csch", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh",
        "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "arsinh": "asinh",
        "arcosh": "acosh", "artanh": "atanh", "erf": "erf", "erfc": "erfc",
        "loggamma": "loggamma", "lgamma": "loggamma", "lnGamma": "loggamma",
        "digamma": "digamma", "psi": "digamma",
    }  # fmt: skip
    table = {name: _Function(_plain(target)) for name, target in one.items()}
    for name in ("log", "ln"):
        table[name] = _Function(_logarithm, 1, 2, lambda a, *b: _float_size(math.log)(a))
    table["log2"] = _Function(lambda x: _logarithm(x, Integer(2)))
    table["log10"] = _Function(lambda x: _logarithm(x, Integer(10)))
    table["exp"] = _Function(_plain("exp"), size=_exponential_size)
    table["sqrt"] = _Function(
        lambda x: Pow(x, S.Half, evaluate=False),
        size=lambda x: _power_size(x, _exact(Fraction(1, 2))),
    )
    for name in ("abs", "Abs"):
        table[name] = _Function(_plain("Abs"), size=_largest_size)
    for name in ("min", "Min"):
        table[name] = _Function(_extreme("Min"), 1, 1000, _largest_size)
    for name in ("max", "Max"):
        table[name] = _Function(_extreme("Max"), 1, 1000, _largest_size)
    table["floor"] = _Function(_plain("floor"), size=_largest_size)
    for name in ("ceil", "ceiling"):
        table[name] = _Function(_plain("ceiling"), size=_largest_size)
    table["sign"] = _Function(_plain("sign"), size=lambda x: _Size(0.0, math.nan, True))
    for name in ("gamma", "Gamma"):
        table[name] = _Function(_plain("gamma"), size=_gamma_size)
    for name in ("beta", "Beta", "B"):
        table[name] = _Function(_plain("beta"), 2, 2)
    for name in ("binomial", "choose"):
        table[name] = _Function(_plain("binomial"), 2, 2, _binomial_size)
    table["factorial"] = _Function(_plain("factorial"), size=_factorial_size)
    table["polygamma"] = _Function(_plain("polygamma"), 2, 2)
    table["lowergamma"] = _Function(_plain("lowergamma"), 2, 2)
    table["uppergamma"] = _Function(_plain("uppergamma"), 2, 2)
    table["betainc"] = _Function(_betainc, 3, 4)
    table["betainc_regularized"] = _Function(_betainc_regularized, 3, 4)
    return table


FUNCTIONS = _functions()
_RANGES = {
    "Sum": sympy.Sum, "sum": sympy.Sum, "Product": sympy.Product, "product": sympy.Product,
    "prod": sympy.Product, "Integral": sympy.Integral, "integral": sympy.Integral,
}  # fmt: skip
_CONSTANTS = {"pi": (S.Pi, math.pi)}
_BY_SYMPY = {
    "E": (S.Exp1, _Size(None, math.e)),
    "EulerGamma": (S.EulerGamma, _Size(None, 0.5772156649015329)),
}
NORMAL = {
    "Phi": "for the normal distribution function write erfc(-x/sqrt(2))/2; for a product write a sign",
    "phi": "for the normal density write exp(-x^2/2)/sqrt(2*pi); for a product write a sign",
}
_EULER = ("e", "E")
_A_PROBABILITY = r"a probability is written in LaTeX, as \Pr[X > t], and stands for one number"
_NOT_HERE = {
    **dict.fromkeys(("Pr", "Prob", "P"), _A_PROBABILITY),
    **{
        name: f"{name} is not understood here"
        for name in ("mod", "gcd", "lcm", "lim", "Var", "Cov")
    },
}
_ASK = 'is {name} {asked}; for a symbol add the condition "{name} in reals"'
# A name that SymPy or mathematics has for a constant is asked about, unless it is declared.
_ASKED = {
    **dict.fromkeys(_EULER, "Euler's number? write exp({exponent})"),
    "EulerGamma": "Euler's constant? write -digamma(1)",
    "GoldenRatio": "the golden ratio? write (1 + sqrt(5))/2",
    "Catalan": "Catalan's constant? that is not known here",
    "I": "the imaginary unit? numbers are real here",
}
_INFINITE = ("oo", "inf", "infinity")
_UNDEFINED = ("nan", "NaN", "zoo")
_ALWAYS = ("True", "true", "otherwise", "else")
_SYMPY = {
    "==": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge,
}  # fmt: skip


# --- from nodes to expressions ------------------------------------------------------------------


class Builder:
    """Builds SymPy objects from nodes, each made with ``evaluate=False``."""

    def __init__(self, text: str, variables: Mapping[str, Symbol]) -> None:
        self.text = text
        # a symbol of the caller's own may be spelled otherwise: Symbol("ε")
        self.symbols: dict[str, Symbol] = {canonical(n): s for n, s in variables.items()}
        self.symbols.update(variables)
        self.known = frozenset(self.symbols)
        self.indices: dict[str, int] = {}  # of sums and products, with their places
        self.printed = False  # whether SymPy wrote the text, so that E is a constant

    def refuse(self, node: Node | Token, reason: str) -> ParseError:
        position = node.position if isinstance(node, Node) else (node.start_pos or 0) + 1
        return ParseError(self.text, position, reason)

    def symbol(self, name: str) -> Symbol:
        return self.symbols.setdefault(name, Symbol(name, real=True))

    # conditions

    def given(self, items: list[Node]) -> list[Tree | Declaration]:
        found: list[Tree | Declaration] = []
        for item in items:
            for part in item.children if item.kind == "both" else (item,):
                found.append(self.declaration(part) if part.kind == "member" else self.tree(part))
        return _merged(found)

    def declaration(self, node: Node) -> Declaration:
        name = _declared(self.text, node)
        where = node.children[1]
        if where.kind != "named":
            return Declaration((name,), False, self.interval(where))
        word = where.children[0]
        if str(word) in _INTEGERS:
            return Declaration((name,), True)
        if str(word) in _REALS:
            return Declaration((name,))
        raise self.refuse(word, f"write integers, reals or an interval such as [0, oo), not {word}")

    def interval(self, node: Node) -> tuple[Expr | None, bool, Expr | None, bool]:
        lower, upper = (self.end(child) for child in node.children)
        if lower == S.Infinity or upper == S.NegativeInfinity:
            raise self.refuse(node, "the ends of the interval are exchanged")
        lower_end = None if lower == S.NegativeInfinity else lower
        upper_end = None if upper == S.Infinity else upper
        open_left = lower_end is None or node.kind in ("open", "left_open")
        open_right = upper_end is None or node.kind in ("open", "right_open")
        return lower_end, open_left, upper_end, open_right

    def end(self, node: Node) -> Expr:
        """Build an end of a range, where oo may stand."""
        inner, sign = node, 1
        if node.kind == "signed" and str(node.children[0]) == "-":
            inner, sign = node.children[1], -1
        elif node.kind == "signed":
            inner = node.children[1]
        if inner.kind == "name" and str(inner.children[0]) in _INFINITE:
            return S.Infinity if sign > 0 else S.NegativeInfinity
        return self.number(node)[0]

    def tree(self, node: Node) -> Tree:
        if node.kind == "both":
            return Both(tuple(self.tree(child) for child in node.children))
        if node.kind == "either":
            return Either(tuple(self.tree(child) for child in node.children))
        if node.kind == "member":
            name = _declared(self.text, node)
            if node.children[1].kind == "named":
                raise self.refuse(node, f'declare {name} in a given of its own: "{name} in ..."')
            declared = Declaration((name,), False, self.interval(node.children[1]))
            ends = tuple(declared.relations({name: self.symbol(name)}))
            if not ends:
                raise self.refuse(node, "this interval says nothing")
            return thing_or_both(ends)
        if node.kind != "chain":
            raise self.refuse(node, "a relation such as <= is missing")
        sides = [self.number(child)[0] for child in node.children[::2]]
        signs = [str(sign) for sign in node.children[1::2]]
        return thing_or_both(
            tuple(
                Relation(left, sign, right)
                for left, sign, right in zip(sides, signs, sides[1:], strict=False)
            )
        )

    # numbers

    def number(self, node: Node) -> tuple[Expr, _Size | None]:
        """Build an expression; beside it what is known of its size, None if it holds a symbol."""
        build = getattr(self, f"_{node.kind}", None)
        if build is None:
            what = {"group": "a list"}.get(node.kind, "a condition")
            reason = f"a number is needed here, not {what}"
            raise self.refuse(node, self.or_decimal(node, reason))
        expression, size = build(node)
        if size is not None and size.log is not None and size.log >= MOST_DIGITS:
            raise self.refuse(node, f"the number would have over {MOST_DIGITS} digits")
        return expression, size

    def _number(self, node: Node) -> tuple[Expr, _Size]:
        mantissa, _, exponent = str(node.children[0]).lower().partition("e")
        whole, _, decimals = mantissa.partition(".")
        digits = (whole + decimals).lstrip("0") or "0"
        if len(exponent.lstrip("+-").lstrip("0")) > 6:
            scale = MOST_DIGITS * 3
        else:
            scale = int(exponent or "0")
        scale -= len(decimals)
        if max(len(digits) + max(scale, 0), abs(scale)) > MOST_DIGITS + len(decimals):
            raise self.refuse(node, f"the number would have over {MOST_DIGITS} digits")
        value = Fraction(_integer(digits)) * Fraction(10) ** scale
        return Rational(value.numerator, value.denominator), _exact(value)

    def _name(self, node: Node) -> tuple[Expr, _Size | None]:
        name = str(node.children[0])
        if self.printed and name in _BY_SYMPY:
            return _BY_SYMPY[name]
        self.refuse_constant(node, "1")
        if name in _CONSTANTS and name not in self.symbols:
            constant, value = _CONSTANTS[name]
            return constant, _Size(None, value)
        if name in _INFINITE:
            raise self.refuse(node, f"{name} stands only at an end of a range")
        if name in _UNDEFINED:
            raise self.refuse(node, f"{name} is no number")
        if name in _ALWAYS:
            raise self.refuse(node, f"{name} stands only as the last condition of Piecewise")
        self.refuse_letters_side_by_side(node, name)
        return self.symbol(name), None

    def refuse_letters_side_by_side(self, node: Node, name: str) -> None:
        """Refuse ``ab`` beside ``a`` and ``b``, unless it is a symbol by the conditions or the caller."""
        letters = len(name) > 1 and name.isascii() and name.isalpha() and name not in _GREEK_NAMES
        if not letters or name in self.known or "\\" in self.text:
            return
        if set(name) <= {one for one in _A_NAME.findall(self.text) if len(one) == 1}:
            product = "*".join(name)
            raise self.refuse(
                node, f"is {name} the product {product}? write that; as a symbol rename it"
            )

    def _sum(self, node: Node) -> tuple[Expr, _Size | None]:
        terms, sizes = [], []
        signs = ["+", *map(str, node.children[1::2])]
        for sign, child in zip(signs, node.children[::2], strict=True):
            term, size = self.number(child)
            terms.append(term if sign == "+" else _negative(term))
            sizes.append(
                _product_size([size, _exact(Fraction(-1))]) if size and sign == "-" else size
            )
        return Add(*terms, evaluate=False), _combined(_sum_size, sizes)

    def _product(self, node: Node) -> tuple[Expr, _Size | None]:
        factors: list[Expr] = []
        sizes: list[_Size | None] = []
        negative = divided = False
        signs = ["*", *map(str, node.children[1::2])]
        before = node
        for sign, child in zip(signs, node.children[::2], strict=True):
            if sign == UNSIGNED and divided:
                reason = "is this divided too? write brackets: (1/2)*x, or 1/(2*x)"
                raise self.refuse(child, reason)
            divided = sign == "/" or (divided and sign == UNSIGNED)
            while child.kind == "signed":
                negative ^= str(child.children[0]) == "-"
                child = child.children[1]
            factor, size = self.number(child)
            if sign == "/":
                self.refuse_root(before, child)
                size = _power_size(size, _exact(Fraction(-1))) if size else None
                if isinstance(factor, Rational) and factor != 0:
                    factor = 1 / factor
                    if factors and isinstance(factors[-1], Rational):
                        factor = factors.pop() * factor
                else:
                    factor = Pow(factor, S.NegativeOne, evaluate=False)
            factors.append(factor)
            sizes.append(size)
            before = child
        product = factors[0] if len(factors) == 1 else Mul(*factors, evaluate=False)
        if negative:
            product = _negative(product)
            sizes.append(_exact(Fraction(-1)))
        return product, _combined(_product_size, sizes)

    def refuse_root(self, before: Node, divisor: Node) -> None:
        """Refuse ``x^1/2``: nobody writes a power of 1, so that the root may be meant."""
        if before.kind != "power" or divisor.kind != "number":
            return
        exponent = before.children[1]
        between = self.text[exponent.position - 1 : divisor.position - 1]
        if re.fullmatch(r"[-+−]?\s*1\s*/\s*", between):
            reason = f"is 1/{divisor.children[0]} the exponent? write brackets: ^(1/2), or (x^1)/2"
            raise self.refuse(divisor, reason)

    def _signed(self, node: Node) -> tuple[Expr, _Size | None]:
        expression, size = self.number(node.children[1])
        if str(node.children[0]) == "+":
            return expression, size
        sizes = [size, _exact(Fraction(-1))]
        return _negative(expression), _combined(_product_size, sizes)

    def _power(self, node: Node) -> tuple[Expr, _Size | None]:
        self.refuse_euler(node)
        (base, base_size), (exponent, exponent_size) = map(self.number, node.children)
        if exponent_size and isinstance(exponent_size.value, Fraction):
            value = exponent_size.value
            exponent = Rational(value.numerator, value.denominator)
        size = _power_size(base_size, exponent_size) if base_size and exponent_size else None
        return Pow(base, exponent, evaluate=False), size

    def refuse_euler(self, node: Node) -> None:
        """Refuse a power of ``e``, unless that is a symbol by the conditions or the caller."""
        base, exponent = node.children
        if base.kind != "name":
            return
        if str(base.children[0]) not in _EULER:
            return
        shown = "..."
        if exponent.kind in ("name", "number"):
            shown = str(exponent.children[0])
        self.refuse_constant(base, shown)

    def refuse_constant(self, node: Node, exponent: str) -> None:
        """Refuse the name of a constant, unless that is a symbol by the conditions or the caller."""
        name = str(node.children[0])
        if name in _ASKED and name not in self.symbols:
            asked = _ASKED[name].format(exponent=exponent)
            raise self.refuse(node, _ASK.format(name=name, asked=asked))

    def _factorial(self, node: Node) -> tuple[Expr, _Size | None]:
        return self.applied("factorial", node, node.children)

    def _bars(self, node: Node) -> tuple[Expr, _Size | None]:
        return self.applied("abs", node, node.children)

    def _call(self, node: Node) -> tuple[Expr, _Size | None]:
        name, arguments = str(node.children[0]), node.children[1:]
        if name in FUNCTIONS:
            return self.applied(name, node, arguments)
        if name in _RANGES:
            return self.ranged(name, node, arguments)
        if name == "Piecewise":
            return self.piecewise(node, arguments)
        if name == "cbrt":
            raise self.refuse(node, "a cube root is written x^(1/3), for x >= 0")
        if name in ("Phi", "phi"):
            raise self.refuse(node, NORMAL[name])
        if name in _NOT_HERE:
            raise self.refuse(node, _NOT_HERE[name])
        known = [*FUNCTIONS, *_RANGES, "Piecewise"]
        near = difflib.get_close_matches(name, known, 1) or difflib.get_close_matches(
            name.lower(), known, 1
        )
        short = len(name) <= len("epsilon") or canonical(name) in GREEK.values()
        product = f"; for a product write {name}*(...)" if short else ""
        hint = f"; nearest: {near[0]}" if near and name not in GREEK.values() else product
        raise self.refuse(node, f"unknown function {name}{hint}")

    def or_decimal(self, node: Node, reason: str) -> str:
        """Add to a reason what to write, where the arguments of a node may be a decimal comma."""
        start = node.position - 1
        for match in _DECIMAL.finditer(self.text, start):
            before = self.text[: match.start()]
            if before.count("(") > before.count(")"):
                return f"{reason}; {decimal_comma(self.text, match.start())}"
        return reason

    def applied(
        self, name: str, node: Node, arguments: Collection[Node]
    ) -> tuple[Expr, _Size | None]:
        function = FUNCTIONS[name]
        if not function.least <= len(arguments) <= function.most:
            counts = str(function.least)
            if function.most != function.least:
                counts += f" to {function.most}"
            plural = "s" if counts != "1" else ""
            reason = f"{name} takes {counts} argument{plural}, got {len(arguments)}"
            if name in GREEK.values() and len(arguments) == 1:
                reason += f"; for a product write {name}*(...)"
            raise self.refuse(node, self.or_decimal(node, reason))
        built = [self.number(argument) for argument in arguments]
        if name == "exp" and "i" not in self.known and "i" not in self.indices:
            exponent = built[0][0]
            if exponent.has(S.Pi) and "i" in {symbol.name for symbol in exponent.free_symbols}:
                raise self.refuse(node, _ASK.format(name="i", asked=_ASKED["I"]))
        sizes = [size for _, size in built if size is not None]
        size = None
        if len(sizes) == len(built):
            size = function.size(*sizes) if function.size else _UNKNOWN
            if size.log is not None and size.log >= MOST_DIGITS:
                raise self.refuse(node, f"the number would have over {MOST_DIGITS} digits")
        return function.make(*(expression for expression, _ in built)), size

    def ranged(
        self, name: str, node: Node, arguments: tuple[Node, ...]
    ) -> tuple[Expr, _Size | None]:
        if len(arguments) == 2 and arguments[1].kind == "group":
            arguments = (arguments[0], *arguments[1].children)
        if len(arguments) != 4 or arguments[1].kind != "name":
            raise self.refuse(node, f"write {name}(expression, k, lower, upper)")
        body, index, lower, upper = arguments
        index_name = str(index.children[0])
        if index_name in _CONSTANTS or index_name in _INFINITE:
            raise self.refuse(index, f"{index_name} cannot be an index")
        self.refuse_sequence(body, index_name)
        if _RANGES[name] is not sympy.Integral:
            self.indices.setdefault(index_name, node.position)
        ends = self.end(lower), self.end(upper)
        kind = _RANGES[name]
        outer = self.symbols.get(index_name)
        assumption = {"real": True} if kind is sympy.Integral else {"integer": True}
        bound = Symbol(index_name, **assumption)
        self.symbols[index_name] = bound
        expression, size = self.number(body)
        del self.symbols[index_name]
        if outer is not None:
            self.symbols[index_name] = outer
        # SymPy would fold a Piecewise and merge nested ranges: put the parts in as they are
        made = Expr.__new__(kind, expression, sympy.Tuple(bound, *ends))
        made.is_commutative = True
        free = made.free_symbols
        return made, None if free else _UNKNOWN

    def refuse_sequence(self, body: Node, index: str) -> None:
        """Refuse names that an index seems to number: ``x_i`` would be one symbol for all i."""
        for node in _name_nodes((body,)):
            name = str(node.children[0])
            if _mentions(name, index):
                shown = name.strip("{}") if name.startswith(PROBABILITY) else name
                reason = (
                    f"does {shown} change with {index}? numbers of a sequence are not read: write the sum "
                    f"out, or a formula of {index}; for a constant take a name without {index}"
                )
                raise self.refuse(node, reason)

    def piecewise(self, node: Node, arguments: tuple[Node, ...]) -> tuple[Expr, _Size | None]:
        pieces = []
        sizes: list[_Size | None] = []
        for argument in arguments:
            if argument.kind != "group" or len(argument.children) != 2:
                raise self.refuse(argument, "write Piecewise((value, condition), ...)")
            value, condition = argument.children
            expression, size = self.number(value)
            sizes.append(size)
            if condition.kind == "name" and str(condition.children[0]) in _ALWAYS:
                holds: Any = S.true
            else:
                holds = _boolean(self.tree(condition))
            pieces.append((expression, holds))
        with sympy.evaluate(False):
            made = sympy.Piecewise(*pieces, evaluate=False)
        constant = not made.free_symbols
        return made, _UNKNOWN if constant else None


PROBABILITY = r"{\Pr"  # how the name of a probability in LaTeX begins
_ACCENTED = re.compile(r"(?:hat|bar|tilde|dot)$")
_LABELS = frozenset(
    {"min", "max", "hat", "bar", "tot", "inf", "sup", "old", "new", "opt", "ref", "avg"}
)


def _mentions(name: str, index: str) -> bool:
    """Whether the subscript of a name, or the event of a probability, has an index in it."""
    if name.startswith(PROBABILITY):
        words = re.findall(r"\\?[A-Za-z]+", name[len(PROBABILITY) :])
        return any(
            canonical(word.lstrip("\\")) == index
            or (len(index) == 1 and index in word and not word.startswith("\\"))
            for word in words
        ) or index in re.split(r"[^A-Za-z0-9_]+", name)
    for part in name.split("_")[1:]:
        bare = _ACCENTED.sub("", part) or part
        numbered = len(index) == 1 and index in bare and len(bare) <= 3 and bare not in _LABELS
        if index in (part, bare) or numbered:
            return True
    return False


def _name_nodes(nodes: Iterable[Any]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, Node):
            if node.kind == "name":
                yield node
            yield from _name_nodes(node.children)


def _combined(rule: Callable[[list[_Size]], _Size], sizes: list[_Size | None]) -> _Size | None:
    known = [size for size in sizes if size is not None]
    return rule(known) if len(known) == len(sizes) else None


def _merged(found: list[Tree | Declaration]) -> list[Tree | Declaration]:
    """Join neighbours that declare the same of several names."""
    result: list[Tree | Declaration] = []
    for item in found:
        last = result[-1] if result else None
        if (
            isinstance(item, Declaration)
            and isinstance(last, Declaration)
            and (item.integer, item.interval) == (last.integer, last.interval)
        ):
            result[-1] = Declaration(last.names + item.names, item.integer, item.interval)
        else:
            result.append(item)
    return result


def _negative(expression: Expr) -> Expr:
    """Put a minus before an expression; a number keeps it as its sign."""
    if isinstance(expression, Rational):
        return -expression
    if isinstance(expression, Mul):
        first, *rest = expression.args
        if isinstance(first, Rational) and first > 0:
            return Mul(-first, *rest, evaluate=False)
        return Mul(S.NegativeOne, *expression.args, evaluate=False)
    return Mul(S.NegativeOne, expression, evaluate=False)


def _integer(digits: str) -> int:
    # Python refuses to read more than 4300 digits at once
    value = 0
    for start in range(0, len(digits), 4000):
        piece = digits[start : start + 4000]
        value = value * 10 ** len(piece) + int(piece)
    return value


def _boolean(tree: Tree) -> Any:
    if isinstance(tree, Relation):
        return _SYMPY[tree.op](tree.lhs, tree.rhs, evaluate=False)
    kind = sympy.And if isinstance(tree, Both) else sympy.Or
    return kind(*(_boolean(part) for part in tree.parts), evaluate=False)
