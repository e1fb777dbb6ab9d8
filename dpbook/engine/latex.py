r"""LaTeX as students type it: a strict reader onto the trees of `parse`, evaluating nothing.

A letter is a symbol, with its subscript: ``x_1``, ``\mu_{12}``; letters side by side are a product,
as LaTeX sets them. ``e`` is Euler's number, ``\log`` and ``\ln`` are natural logarithms, ``\pm``
means both signs, one after the other. What can be read in two ways is an error with its position:
``1/2x``, ``\sin x y``, ``\sin^{-1} x``, ``f(x)``, ``x^12``, ``2\frac{1}{2}``, ``x = 1, x = 2``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lark.lexer import Token
from sympy import Expr, Symbol

from dpbook.engine.parse import (
    FUNCTIONS,
    LONGEST_TEXT,
    Builder,
    Declaration,
    Node,
    ParseError,
    given_of,
    integer_names,
    line_of,
)
from dpbook.engine.statement import Either, Tree

DEEPEST = 60

_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "varepsilon", "zeta", "eta", "theta", "vartheta",
    "iota", "kappa", "lambda", "mu", "nu", "xi", "rho", "varrho", "sigma", "varsigma", "tau",
    "upsilon", "phi", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi",
    "Sigma", "Upsilon", "Phi", "Psi", "Omega", "ell",
}  # fmt: skip
_FUNCTIONS = {
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
    "coth", "log", "ln", "exp",
}  # fmt: skip
_PLAIN_WORDS = sorted(
    {*_FUNCTIONS, "sqrt", "max", "min", "erf", "abs", "pi", "frac", "alpha", "beta", "theta", "mu",
     "sigma", "lambda", "leq", "geq", "neq", "infty"}, key=len, reverse=True,
)  # fmt: skip
_LONGEST_RUN = 6  # letters side by side; more of them are a word
_ENGLISH = {
    "if", "then", "thus", "hence", "where", "since", "for", "all", "let", "with", "not", "true",
    "false", "none", "rate", "mean", "size", "iff",
}  # fmt: skip
_MAYBE_FUNCTIONS = set("fghFGHP") | {"Phi", "phi", "psi", "Psi"}
_RELATIONS = {
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
}  # fmt: skip
_OPENING = {
    "(": ")", "[": "]", r"\{": r"\}", r"\lvert": r"\rvert", r"\lfloor": r"\rfloor",
    r"\lceil": r"\rceil", r"\lbrace": r"\rbrace", r"\lbrack": r"\rbrack",
}  # fmt: skip
_ACCENTS = {"hat": "hat", "bar": "bar", "tilde": "tilde", "dot": "dot", "overline": "bar"}
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?|\.[0-9]+")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)", re.DOTALL)
_ENDS = {"", ")", "]", "}", r"\}", r"\rvert", r"\rfloor", r"\rceil", r"\rbrace", r"\rbrack"}


def is_latex(text: str) -> bool:
    """Whether a text is LaTeX: it has a backslash."""
    return "\\" in text


def read_latex(text: str, variables: Mapping[str, Symbol] | None = None) -> Tree | Expr:
    r"""Read a line: an expression, or relations joined by ``\land`` and ``\lor``.

    Raises
    ------
    ParseError
        When it cannot be read, or can be read in two ways.
    """
    first = _read(text, 1)
    tree = line_of(_builder(text, variables), first.nodes)
    if not first.both_signs:
        return tree
    if isinstance(tree, Expr) or any(r.op not in ("==", "!=") for r in tree.relations()):
        raise ParseError(text, first.both_signs, r"\pm stands in an equation only")
    other = line_of(_builder(text, variables), _read(text, -1).nodes)
    assert not isinstance(other, Expr)
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
    # a letter E is a symbol here: Euler's number is e
    return Builder(text, {"E": Symbol("E", real=True), **(variables or {})})


@dataclass
class _Result:
    nodes: list[Node]
    both_signs: int


def _read(text: str, sign: int, commas: bool = False) -> _Result:
    if not isinstance(text, str):
        raise TypeError(f"a line must be text, got {type(text).__name__}")
    if len(text) > LONGEST_TEXT:
        raise ParseError(text, LONGEST_TEXT + 1, f"longer than {LONGEST_TEXT} characters")
    reader = _Reader(text, sign)
    return _Result(reader.items(commas), reader.both_signs)


_LOWERED = r"([A-Za-z0-9]+(?:\s*,\s*[A-Za-z0-9]+)*)"
_SUBSCRIPTS = (
    re.compile(rf"\{{\s*{_LOWERED}\s*\}}"),
    re.compile(rf"\{{\s*\\(?:text|mathrm)\s*\{{\s*{_LOWERED}\s*\}}\s*\}}"),
)


class _Reader:
    """Reads by recursive descent: each rule looks at the next word only."""

    def __init__(self, text: str, sign: int) -> None:
        self.text = text
        self.pm = sign
        self.both_signs = 0
        self.depth = 0
        self.integrals = 0
        self.bars: list[int] = []
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
            if sign.isspace() or sign in "~&":
                self.place += 1
                continue
            match = _COMMAND.match(self.text, self.place, self.end)
            if match is None:
                return
            name = match.group(1)
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
        return self.node("name", start, Token("NAME", name, start))

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
            raise self.fail(start, r"a comma may mean and, or or: write \text{and} or \text{or}")
        if word:
            raise self.fail(start, self._stray(word))
        return found

    def _stray(self, word: str) -> str:
        if word in _ENDS:
            return f'no partner for "{word}"'
        if word.startswith("\\"):
            return f"{word} is not understood"
        return f'"{word}" cannot stand here'

    def cases(self) -> Node:
        r"""A system: ``\begin{cases} ... \\ ... \end{cases}`` joins its lines by `and`."""
        start = self.look()[1]
        match = re.compile(r"\\begin\{(cases|aligned|array|gathered)\}").match(self.text, start)
        if match is None:
            raise self.fail(start, "only the environment cases is understood")
        self.place = match.end()
        parts = [self.either()]
        while self.look()[0] in ("\\\\", ","):
            self.take()
            if self.look()[0] not in ("\\\\", ",", r"\end"):
                parts.append(self.either())
        closing = f"\\end{{{match.group(1)}}}"
        self._skip()
        if not self.text.startswith(closing, self.place):
            raise self.fail(self.place, f"{closing} is missing")
        self.place += len(closing)
        return parts[0] if len(parts) == 1 else self.node("both", start, *parts)

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
        children: list[Any] = [self.sum()]
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
            elif word in _RELATIONS:
                self.take()
                sign = _RELATIONS[word]
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
            children += [Token("TIMES", "*", place), self.factor()]
        return children[0] if len(children) == 1 else self.node("product", start, *children)

    def _juxtaposed(self, before: Node, word: str, place: int) -> None:
        """Refuse factors side by side that mean something else on paper."""
        if word[0].isdigit() or word[0] == ".":
            raise self.fail(place, r"a number after a factor: write \cdot between them")
        if before.kind == "number" and word in (r"\frac", r"\dfrac", r"\tfrac"):
            raise self.fail(place, r"a mixed number, or a product? write + or \cdot between them")

    def _starts_factor(self, word: str) -> bool:
        if word in _ENDS or word in _RELATIONS or word in _TIMES or word in _OVER:
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
            if self.word_ahead("or", "and"):
                return False
            return not (self.integrals and self._differential())
        if word[0].isdigit() or word[0] == "." or word in ("(", "[", "{"):
            return True
        if word.startswith("\\"):
            if word in (r"\text", r"\mathrm", r"\textrm", r"\mbox") and self.word_ahead(
                "or", "and"
            ):
                return False
            if self.integrals and self._differential():
                return False
            name = word[1:]
            known = name in _GREEK or name in _FUNCTIONS or name in _ACCENTS
            return known or word in _OPENING or name in _OTHERS
        return False

    def _differential(self) -> str:
        """The variable of a ``dx`` that comes next."""
        self._skip()
        match = re.compile(
            r"(?:\\mathrm\s*\{\s*d\s*\}|\\operatorname\s*\{\s*d\s*\}|d)\s*(\\?[A-Za-z]+|[A-Za-z])"
        ).match(self.text, self.place, self.end)
        if match is None:
            return ""
        name = match.group(1)
        if name.startswith("\\"):
            return match.group() if name[1:] in _GREEK else ""
        return match.group()[: len(match.group()) - len(name) + 1]

    def factor(self) -> Node:
        base, start = self.atom()
        while self.look()[0] == "!":
            self.take()
            base = self.node("factorial", start, base)
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
        exponent = self.argument("^")
        if self.look()[0] == "^":
            raise self.fail(self.place, "a second exponent: write braces or brackets")
        made = self._raised(base, exponent, start)
        if self.look()[0] == "!":
            raise self.fail(self.place, "write brackets around what the ! belongs to")
        return made

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
            inner = self.sum()
            self.expect("}", f"what {after} holds")
            return inner
        if word in ("", "}", ")", "]", "+", "-", "−", "=", "|", ",") or word in _RELATIONS:
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
            return self.atom()[0]
        raise self.fail(start, f"the argument of {after} needs braces")

    def _constant(self, letter: str, start: int) -> Node:
        return self._euler(start) if letter == "e" else self.name(letter, start)

    def _euler(self, start: int) -> Node:
        one = self.number("1", start)
        return self.node("call", start, Token("FUNCTION", "exp", start), one)

    # --- atoms ----------------------------------------------------------------------------------------------

    def atom(self) -> tuple[Node, int]:
        word, start = self.take()
        if not word:
            raise self.fail(self.end, "the text ends too early")
        if word[0].isdigit() or word[0] == ".":
            return self.number(word, start), start
        if word[0].isascii() and word[0].isalpha():
            return self._letter(word, start), start
        if word == "{":
            inner = self.sum()
            self.expect("}", "a group in braces")
            if inner.kind in ("sum", "product", "signed"):
                raise self.fail(start, "braces are not seen on paper: write brackets")
            return inner, start
        if word == "|":
            self.bars.append(self.depth + 1)
            inner = self.sum()
            self.bars.pop()
            self.expect("|", "an absolute value")
            return self.node("bars", start, inner), start
        if word in _OPENING:
            return self._bracket(word, start), start
        if word.startswith("\\"):
            return self._command(word[1:], start), start
        raise self.fail(start, self._stray(word))

    def _bracket(self, word: str, start: int) -> Node:
        bars, self.bars = self.bars, []
        inner = self.either() if word == "(" else self.sum()
        self.bars = bars
        if self.look()[0] == ",":
            raise self.fail(self.place, "a pair is no number")
        self.expect(_OPENING[word], f'"{word}"')
        if word == r"\lvert":
            return self.node("bars", start, inner)
        if word in (r"\lfloor", r"\lceil"):
            return self.call("floor" if word == r"\lfloor" else "ceiling", start, inner)
        return inner

    def _letter(self, letter: str, start: int) -> Node:
        run = re.compile(r"[A-Za-z]+").match(self.text, start, self.end)
        if run is not None:
            if len(run.group()) >= _LONGEST_RUN or run.group() in _ENGLISH:
                raise self.fail(start, f'is "{run.group()}" a product? write its letters apart')
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
            return self._euler(start)
        return self._symbol(letter, start)

    def _symbol(self, name: str, start: int) -> Node:
        plain = name
        if self.look()[0] == "_":
            self.take()
            name += "_" + self._subscript()
        following, place = self.look()
        if plain == name and name in _MAYBE_FUNCTIONS and following == "(":
            raise self.fail(start, rf"{name}( may be a function or a product: write {name} \cdot (")
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
            return match.group(1) or match.group(2)
        sign = self.text[self.place : self.place + 1]
        following = self.text[self.place + 1 : self.place + 2]
        if not sign.isalnum():
            raise self.fail(self.place, "a subscript is letters or digits")
        if sign.isdigit() and following.isdigit():
            raise self.fail(self.place, f"only {sign} is lowered: write braces")
        self.place += 1
        return sign

    def _command(self, name: str, start: int) -> Node:
        if name == "pi":
            return self.name("pi", start)
        if name == "infty":
            return self.name("oo", start)
        if name in ("frac", "dfrac", "tfrac"):
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
        if name in _ACCENTS:
            inner = self.argument(f"\\{name}")
            if inner.kind != "name":
                raise self.fail(start, f"\\{name} stands over a letter only")
            return self._symbol(f"{inner.children[0]}{_ACCENTS[name]}", start)
        if name in ("Gamma",) and self.look()[0] == "(":
            return self.call("gamma", start, *self._several(name))
        if name in _GREEK:
            return self._symbol(name, start)
        if name in ("begin", "end"):
            raise self.fail(start, "an environment cannot stand here")
        if f"\\{name}" in _ENDS:
            raise self.fail(start, f'no partner for "\\{name}"')
        raise self.fail(start, f"\\{name} is not understood")

    def _root(self, start: int) -> Node:
        degree = None
        if self.look()[0] == "[":
            self.take()
            degree = self.sum()
            self.expect("]", "the degree of a root")
        inner = self.argument(r"\sqrt")
        if degree is None:
            return self.call("sqrt", start, inner)
        one = self.number("1", start)
        exponent = self.node("product", start, one, Token("TIMES", "/", start), degree)
        return self.node("power", start, inner, exponent)

    def _several(self, name: str) -> list[Node]:
        word, start = self.look()
        if word not in ("(", r"\{", "["):
            raise self.fail(start, f"\\{name} needs brackets")
        self.take()
        bars, self.bars = self.bars, []
        found = [self.sum()]
        while self.look()[0] == ",":
            self.take()
            found.append(self.sum())
        self.expect(_OPENING[word], f'"{word}"')
        self.bars = bars
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
        return self.call(word, start, *self._several(name))

    def _function(self, name: str, start: int) -> Node:
        power: Node | None = None
        base: Node | None = None
        for _ in range(2):
            word, place = self.look()
            if word == "^" and power is None:
                self.take()
                power = self.argument("^")
                if power.kind != "number":
                    raise self.fail(
                        place,
                        f"may mean a power or the inverse: write (\\{name} x)^{{..}}, or \\arc..",
                    )
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
            self.take()
            return self._bracket(word, start)
        if word == "{":
            return self.argument(f"\\{name}")
        if word == "|":
            return self.atom()[0]
        if not word or word in _ENDS or word in ("+", "-", "−", "^", ",") or word in _RELATIONS:
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
        body = self.product()
        return self.call(name, start, body, index, low, high)

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
    "pi", "infty", "frac", "dfrac", "tfrac", "sqrt", "binom", "dbinom", "tbinom", "max", "min",
    "operatorname", "mathrm", "sum", "prod", "int", "lvert", "lfloor", "lceil", "{", "text",
}  # fmt: skip
