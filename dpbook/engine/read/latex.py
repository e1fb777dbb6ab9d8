r"""Read LaTeX as students type it, strictly and without evaluation, into the nodes of text.

A letter is a symbol, with its subscript: ``x_1``, ``\mu_{12}``; letters side by side are a product,
as LaTeX sets them. ``e`` is Euler's number, ``\log`` and ``\ln`` are natural logarithms, ``\pm``
means both signs, one after the other; a probability such as ``\Pr[X > t]`` is one symbol, and
``\varepsilon`` and ``\epsilon`` are one symbol. The lines of ``align`` are one chain. What can be
read in two ways is an error with its position: ``1/2x``, ``\sin x y``, ``\sin^{-1} x``, ``p(x)``,
``x^12``, ``2\frac{1}{2}``, ``x = 1, x = 2``. A letter before a bracket is a function, unless the
bracket is a sum with that letter: ``n(n+1)``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from dpbook.engine.language.functions import FUNCTIONS as BY_NAME
from dpbook.engine.read.grammar import NAMES_OF_FUNCTIONS
from dpbook.engine.read.nodes import (
    AND,
    GREEK,
    INTERVALS,
    NO_FACTOR,
    OR,
    PROBABILITY,
    RELATION,
    RELATIONS,
    SIGN,
    VARIANTS,
    Joint,
    Node,
    Rules,
    canonical,
    words_in,
)
from dpbook.engine.read.refusals import (
    LATEX_LINE,
    LONGEST_TEXT,
    NORMAL,
    ParseError,
    decimal_comma,
    thousands_at,
    turned,
)

DEEPEST = 60
LONGEST_EVENT = 200

_GREEK = {*GREEK.values(), *VARIANTS}
_FUNCTIONS = {"ln", *(row.command for row in BY_NAME.values() if row.command)}
_PLAIN_WORDS = sorted(
    {*_FUNCTIONS, "sqrt", "max", "min", "erf", "abs", "pi", "frac", "alpha", "beta", "theta", "mu",
     "sigma", "lambda", "leq", "geq", "neq", "infty"}, key=len, reverse=True,
)  # fmt: skip
_LONGEST_RUN = 6  # letters side by side; more of them are a word
_MAYBE_FUNCTIONS = set("fghFGHP") | {"Phi", "phi", "psi", "Psi"}
LATEX_RELATIONS = {
    **{sign: meaning for sign, meaning in RELATIONS.items() if len(sign) == 1},
    r"\le": "<=", r"\leq": "<=", r"\leqslant": "<=", r"\ge": ">=", r"\geq": ">=",
    r"\geqslant": ">=", r"\ne": "!=", r"\neq": "!=", r"\lt": "<", r"\gt": ">",
}  # fmt: skip
_FRACTIONS = ("frac", "dfrac", "tfrac", "cfrac")
_TIMES = {r"\cdot", r"\times", "*", "·", "×"}
_OVER = {"/", r"\div"}
_JOINTS = {
    r"\lor": (OR, "or"), r"\vee": (OR, "or"), "∨": (OR, "or"), "or": (OR, "or"),
    r"\land": (AND, "and"), r"\wedge": (AND, "and"), "∧": (AND, "and"), "and": (AND, "and"),
    r"\in": (RELATION, "in"), **{sign: (RELATION, op) for sign, op in LATEX_RELATIONS.items()},
    "+": (SIGN, "+"), "-": (SIGN, "-"), "−": (SIGN, "-"), r"\pm": (SIGN, "±"), "±": (SIGN, "±"),
    r"\mp": (SIGN, "∓"),
}  # fmt: skip
_SIGNS = {sign for sign, (level, _) in _JOINTS.items() if level == SIGN}
_TEXT = r"\\(?:text|mathrm|textrm|mbox|textnormal)\s*\{"
_SPELLED = re.compile(rf"{_TEXT}\s*(or|and)\s*\}}|(or|and)(?![A-Za-z])")
_BLANK_COMMANDS = {
    "quad", "qquad", "displaystyle", "textstyle", "limits", "nolimits", "big", "Big", "bigg",
    "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr", "left", "right",
    "nonumber", "notag",
}  # fmt: skip
_SYSTEMS = ("cases", "array")  # their lines are conditions; the lines of the others are one chain
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


_WIDE = (r"\;", r"\:", r"\ ")  # these set relations apart; elsewhere they are blanks
_GAP = re.compile(r"(?<!\\)(?:&|\\q?quad(?![A-Za-z])|\\[;: ])")
_SIGN = re.compile(r"[=<>≤≥≠]|\\(?:leq?|leqslant|geq?|geqslant|neq?|lt|gt)(?![A-Za-z])")


def _spaced(raw: str) -> str:
    """Return raw LaTeX with the blanks that it needs, so that the same event is the same text."""
    raw = re.sub(r"\\(?:left|right|[bB]igg?[lr]?)(?![A-Za-z])|\\[,;:! ]|[~&$]", " ", raw)
    raw = re.sub(r"\\var(epsilon|theta|rho|phi|sigma|kappa)(?![A-Za-z])", r"\\\1", raw)
    return re.sub(r"\s+(?![A-Za-z])|(?<![A-Za-z])\s+", "", raw.strip())


_LOWERED = r"([A-Za-z0-9]+(?:\s*,\s*[A-Za-z0-9]+)*)"
_SUBSCRIPT = rf"\{{\s*(?:\\(?:text|mathrm)\s*\{{\s*{_LOWERED}\s*\}}|{_LOWERED})\s*\}}"
_DIFFERENTIAL = (
    r"(?:\\mathrm\s*\{\s*d\s*\}|\\operatorname\s*\{\s*d\s*\}|d)\s*(\\?[A-Za-z]+|[^\W\d_])"
)


def nodes_of_latex(
    text: str, commas: bool = False, factors: Collection[str] = ()
) -> tuple[list[Node], int]:
    r"""Read LaTeX; return the nodes of its items, and where a ``\pm`` stands, or 0.

    Commas between items are read only where they can only mean `and`, as in conditions. The names
    in `factors` are no functions before a bracket.

    Raises
    ------
    ParseError
        When it is not valid LaTeX, or can be read in two ways.
    """
    if len(text) > LONGEST_TEXT:
        raise ParseError(text, LONGEST_TEXT + 1, f"longer than {LONGEST_TEXT} characters")
    dollars = [match.start() for match in re.finditer(r"(?<!\\)\$", text)]
    if len(dollars) % 2:
        raise ParseError(text, dollars[-1] + 1, "this $ has no partner")
    rules = _Rules(text, factors)
    return rules.items(commas), rules.both_signs


_NONE = ("", -1, -1)  # no letter: its name, its place, the place behind it


class _Rules(Rules):
    """Apply the grammar of LaTeX; each rule looks at the next word only."""

    deepest = DEEPEST

    def __init__(self, text: str, factors: Collection[str]) -> None:
        self.text = text
        self.factors = factors
        self.both_signs = 0
        self.integrals = 0
        self.bars: list[int] = []
        self.letter = _NONE  # the last letter
        self.bracket = (-1, -1)  # where the last bracket opened, and where it closed
        self.gap = (-1, -1)  # the blanks before the next word
        self.place, self.end = 0, len(text)
        self._strip()

    # --- words ------------------------------------------------------------------------------------------

    def _strip(self) -> None:
        r"""Leave out the signs around the formula: $...$, \(...\), \[...\], a final \\ or full stop."""
        body = self.text.rstrip()
        for tail in ("\\\\", "."):
            if body.endswith(tail) and not body[: -len(tail)].endswith("\\"):
                body = body[: -len(tail)].rstrip()
        self.end = len(body)
        start = len(self.text) - len(self.text.lstrip())
        for opening, closing in (("$$", "$$"), ("$", "$"), (r"\(", r"\)"), (r"\[", r"\]")):
            inside = self.end - start >= len(opening) + len(closing)
            if body.startswith(opening, start) and body.endswith(closing) and inside:
                self.place, self.end = start + len(opening), self.end - len(closing)
                break

    def matched(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Return the match of a pattern at this place."""
        return re.compile(pattern).match(self.text, self.place, self.end)

    def eat(self, pattern: str | re.Pattern[str]) -> re.Match[str] | None:
        """Go on behind the match of a pattern, if it stands here."""
        if match := self.matched(pattern):
            self.place = match.end()
        return match

    def _skip(self) -> None:
        begun = self.place
        while self.place < self.end:
            if self.eat(r"(?:[\s~&$]|\\label\s*\{[^{}]*\})+"):
                continue
            match = self.matched(_COMMAND)
            if match is None or not (match[1] in _BLANK_COMMANDS or match[1] in ",;:! >"):
                break
            rest = self.text[match.end() : self.end].lstrip()
            if match[1] in ("left", "right") and not rest.startswith((*"()[]|", "\\")):
                raise self.fail(match.end(), f"{match[0]} needs a bracket")
            self.place = match.end()
        if self.gap[1] != self.place:
            self.gap = (begun, self.place)

    def look(self) -> tuple[str, int]:
        """Return the next word and where it starts; an empty word at the end."""
        self._skip()
        if self.place >= self.end:
            return "", self.end
        match = self.matched(_COMMAND) or self.matched(_NUMBER)
        return (match.group() if match else self.text[self.place]), self.place

    def ahead(self) -> int:
        return self.look()[1]

    def take(self) -> tuple[str, int]:
        word, start = self.look()
        self.place = start + len(word)
        return word, start

    def next_is(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self.look()[0] != word:
            return False
        self.take()
        return True

    def refuse(self, reason: str, *words: str) -> None:
        """Raise an error if one of these words comes next."""
        if self.look()[0] in words:
            raise self.fail(self.place, reason)

    def close(self, opening: str, start: int, wanted: str) -> None:
        """Take the closing bracket; if it is lost, the error stands at its partner."""
        word, place = self.look()
        if not word:
            raise self.fail(start, f'this "{opening}" is never closed')
        if word != wanted:
            reason = f'"{wanted}" is missing here, for the "{opening}" at character {start + 1}'
            raise self.fail(place, reason)
        self.take()

    def expect(self, wanted: str, after: str) -> None:
        if not self.next_is(wanted):
            raise self.fail(self.place, f'"{wanted}" is missing after {after}')

    # --- nodes ------------------------------------------------------------------------------------------

    def name(self, name: str, start: int) -> Node:
        return self.node("name", start, words=[canonical(name)])

    def call(self, name: str, start: int, *arguments: Node) -> Node:
        return self.node("call", start, arguments, [name])

    def number(self, digits: str, start: int) -> Node:
        return self.node("number", start, words=[digits])

    # --- relations --------------------------------------------------------------------------------------

    def items(self, commas: bool) -> list[Node]:
        if not self.look()[0]:
            raise self.fail(self.place, "the text is empty; write a relation such as x^2 \\geq 0")
        found = [self.cases() if self.look()[0] == r"\begin" else self.joined()]
        while commas and (self.next_is(",") or self.next_is(";")):
            found.append(self.joined())
        word, start = self.look()
        if word in (",", ";"):
            unclear = r"a comma may mean and, or or: write \text{and} or \text{or}"
            raise self.fail(start, decimal_comma(self.text, start) or unclear)
        if word:
            raise self.fail(start, self._stray(word, start))
        return found

    def _stray(self, word: str, start: int) -> str:
        """Say why a word cannot stand at a place."""
        if why := turned(self.text, start) or decimal_comma(self.text, start):
            return why
        if word == r"\in":
            return r"\in cannot stand in a chain"
        if word in _ENDS:
            return f'no partner for "{word}"'
        if word.startswith("\\"):
            return f"{word} is not understood"
        return f'"{word}" cannot stand here'

    def cases(self) -> Node:
        r"""Read a system: ``\begin{cases} ... \\ ... \end{cases}`` joins its lines by `and`."""
        start = self.look()[1]
        match = self.eat(_ENVIRONMENT)
        if match is None:
            raise self.fail(start, "of environments only cases, align and their kind are read")
        parts = [self.cases() if self.look()[0] == r"\begin" else self.joined()]
        while self._line_ended() and self.look()[0] != r"\end":
            if self.look()[0] in LATEX_RELATIONS and match[1] not in _SYSTEMS:
                if parts[-1].kind in ("both", "either", "member"):
                    raise self.fail(self.place, "what stands left of this sign?")
                parts[-1] = self.joined(RELATION, parts[-1])
            else:
                parts.append(self.joined())
        closing = f"\\end{{{match[1]}}}"
        self._skip()
        if not self.text.startswith(closing, self.place):
            raise self.fail(self.place, f"{closing} is missing")
        self.place += len(closing)
        return parts[0] if len(parts) == 1 else self.node("both", start, parts)

    def _line_ended(self) -> bool:
        """Take the end of a line: a comma or a full stop, and the break."""
        ended = False
        while True:
            self._skip()
            if not (self.eat(_BREAK) or self.next_is(",") or self.next_is(".")):
                return ended
            ended = True

    def word_ahead(self) -> re.Match[str] | None:
        r"""Return a plain `or` or `and`, or that in ``\text{or}``, if it comes next."""
        self._skip()
        return self.matched(_SPELLED)

    def joint(self) -> Joint | None:
        if spelled := self.word_ahead():
            return Joint(*_JOINTS[spelled[1] or spelled[2]], spelled.end())
        word, place = self.look()
        behind = place + len(word)
        if word == r"\not":
            equals = re.compile(r"\s*=").match(self.text, behind, self.end)
            if equals is None:
                raise self.fail(behind, r"\not is read before = only")
            return Joint(RELATION, "!=", equals.end())
        if word not in _JOINTS:
            return None
        if word in ("<", ">") and self.text.startswith("=", behind):
            raise self.fail(place, r"write \leq or \geq")
        if word == "+" and self.text.startswith("-", behind):
            raise self.fail(place, r'"+-" may mean both signs: write \pm, or -')
        level, sign = _JOINTS[word]
        if sign in "±∓":
            self.both_signs = self.both_signs or place + 1
        return Joint(level, sign, behind)

    def operand(self, sign: str) -> Node:
        """Read a product, at the start or behind a relation with a sign before it."""
        return self._signed(self.product, sign)

    def _signed(self, read: Callable[[], Node], before: str = "") -> Node:
        """Read something that may have a sign in front, if no sign stands before it."""
        word, start = self.look()
        first = self.joint() if word in _SIGNS else None
        if first is None or before in tuple("+-±∓"):
            return read()
        self.place = first.behind
        return self.node("signed", start, [read()], [first.sign])

    def sum(self) -> Node:
        return self.joined(SIGN)

    def set(self) -> Node:
        word, start = self.take()
        if word == r"\mathbb":
            match = self.eat(r"\s*\{?\s*([A-Z])\s*\}?")
            named = {"R": "reals", "Z": "integers"}.get(match[1] if match else "")
            if match is not None and match[1] == "N":
                raise self.fail(start, r"with or without 0? write n \in \mathbb{Z}, n \geq 1")
            if named is None:
                raise self.fail(start, r"write \mathbb{R}, \mathbb{Z} or an interval")
            return self.node("named", start, words=[named])
        if word not in ("(", "["):
            raise self.fail(start, r"a set is needed: \mathbb{R}, \mathbb{Z} or an interval")
        low = self.sum()
        self.expect(",", "the lower end")
        high = self.sum()
        closing, place = self.take()
        if closing not in (")", "]"):
            raise self.fail(place, "the interval is not closed")
        return self.node(INTERVALS[word + closing], start, [low, high])

    # --- products ---------------------------------------------------------------------------------------

    def product(self, index: str = "") -> Node:
        r"""Read factors; behind ``\prod`` one without the index may stand outside the product."""
        start = self.look()[1]
        factors, signs = [self.factor()], list[str]()
        closed_bars = 0
        numbered = self._has(factors[0], index)
        while True:
            word, place = self.look()
            if word in _TIMES or word in _OVER:
                self.take()
                signs.append("/" if word in _OVER else "*")
                factor = self._signed(self.factor)
                closed_bars = 0
            elif not self._starts_factor(word):
                break
            else:
                if signs and signs[-1] == "/":
                    reason = r"what is divided by? write \frac{..}{..}, or brackets around it"
                    raise self.fail(place, reason)
                if word == "|":
                    closed_bars += 1
                    if closed_bars > 1 or (factors[0].kind == "bars" and signs):
                        reason = r"these bars can be read in two ways: write \lvert, \rvert"
                        raise self.fail(place, reason)
                self._refuse_juxtaposed(factors[-1], word, place)
                letter, at, end = self.letter
                called = end == place and self._opens_bracket(word)
                factor = self.factor()
                if called:
                    self._refuse_call(letter, at, factor)
                signs.append("*")
            factors.append(factor)
            before, numbered = numbered, self._has(factor, index)
            if before and not numbered:
                reason = (
                    r"does this belong to \prod? write brackets around the product or its factor"
                )
                raise self.fail(place, reason)
        return factors[0] if not signs else self.node("product", start, factors, signs)

    def _has(self, part: Node, name: str) -> bool:
        return bool(name) and any(one.word == name for one in words_in([part]))

    def _opens_bracket(self, word: str) -> bool:
        r"""Return whether a bracket comes next, perhaps in braces: ``f{\left(x\right)}``."""
        if word == "{":
            place = self.place
            self.take()
            word = self.look()[0]
            self.place = place
        return word in _CALLS

    def _refuse_call(self, letter: str, at: int, argument: Node) -> None:
        """Refuse ``p(x)``, unless the bracket is a sum in which the letter stands: ``n(n+1)``."""
        while argument.kind in ("power", "factorial"):
            argument = argument.parts[0]
        if letter in self.factors or (argument.kind == "sum" and self._has(argument, letter)):
            return
        raise self.fail(at, self._ask_call(letter))

    def _ask_call(self, letter: str) -> str:
        shown = rf"\{letter}" if letter in _GREEK else letter
        if letter in NORMAL:
            return NORMAL[letter].replace("a sign", rf"{shown} \cdot (")
        return rf"{shown}( may be a function or a product: for a product write {shown} \cdot ("

    def _refuse_juxtaposed(self, before: Node, word: str, place: int) -> None:
        """Refuse factors side by side that mean something else on paper."""
        self._refuse_gap(place)
        if word[0].isdigit() or word[0] == ".":
            why = thousands_at(self.text, place)
            raise self.fail(place, why or r"a number after a factor: write \cdot between them")
        if before.kind == "number" and word[1:] in _FRACTIONS:
            raise self.fail(place, r"a mixed number, or a product? write + or \cdot between them")

    def _refuse_gap(self, place: int) -> None:
        r"""Refuse an ``&`` or a ``\quad`` between two things: on paper these stand apart, no product."""
        gap = _GAP.search(self.text, self.gap[0], place) if self.gap[1] == place else None
        related = _SIGN.search(self.text, 0, place) and _SIGN.search(self.text, place)
        if gap is not None and (gap.group() not in _WIDE or related):
            reason = (
                "columns are not read: write a function by cases in text, Piecewise((value, condition), "
                r"...), and join relations by \text{and}"
                if gap.group() == "&"
                else rf"{gap.group()} sets two things apart: write \text{{and}}, or \cdot for a product"
            )
            raise self.fail(gap.start(), reason)

    def _starts_factor(self, word: str) -> bool:
        if word in _ENDS or word in _JOINTS or word in _TIMES or word in _OVER or word in ",;^_!'":
            return False
        if word == "|":
            return not self.bars or self.bars[-1] != self.depth
        if word[0].isdigit() or (word[0] == "." and word != ".") or word in ("(", "[", "{"):
            return True
        if self.word_ahead() or (self.integrals and self._differential()[0]):
            return False
        if word[0].isalpha():
            return word.isascii() or word in GREEK or word == "π"
        return word.startswith("\\") and (word[1:] in _COMMANDS or word in _OPENING)

    def _differential(self) -> tuple[str, int]:
        """Return the variable of a ``dx`` that comes next, or an empty name, and its end."""
        self._skip()
        match = self.matched(_DIFFERENTIAL)
        if match is None:
            return "", self.place
        name = match[1]
        if name.startswith("\\"):
            return name[1:] if name[1:] in _GREEK else "", match.end()
        return name[0] if name.isascii() or name in GREEK else "", match.start(1) + 1

    def factor(self) -> Node:
        """Read an atom with its subscript, its exponent, or the sign of a factorial."""
        sign, opens = self.look()
        called = self.letter[2] == opens  # a letter before the bracket: asked about by the product
        base, start = self.atom()
        if sign == "{" and self.look()[0] == "_":
            base = self._lowered(base, sign)
        if sign in _NO_GROUP and not called and base.kind in ("name", "number"):
            reason = r"the whole or the fractional part? write (..) for brackets, or \lfloor"
            raise self.fail(start, reason)
        if self.next_is("!"):
            self._refuse_gap(self.place - 1)
            if self.text.startswith("=", self.place):
                reason = r"a factorial, or \neq? write \neq, or a blank before the ="
                raise self.fail(self.place - 1, reason)
            base = self.node("factorial", start, [base])
            self.refuse("a double factorial is not read; (n!)! is written with brackets", "!")
        self.refuse("a prime is not understood", "'")
        self.refuse("only a letter or log takes a subscript", "_")
        return self._raised(base, sign, start) if self.look()[0] == "^" else base

    def _raised(self, base: Node, sign: str, start: int) -> Node:
        """Read the exponent of a base, which began with a sign."""
        _, place = self.take()
        if self.look()[0] in (r"\circ", r"\prime", "'"):
            raise self.fail(place, "degrees and primes are not understood")
        letter, at, before = self.letter
        raised = self.look()[1]
        exponent = self.argument("^")
        opened, closed = self.bracket
        whole = (self.text[raised:opened].strip(), self.text[closed : self.place].strip())
        if before == place and whole == ("{", "}") and exponent.kind in ("name", "number"):
            reason = "an upper index, a derivative or a power? write no brackets in a power"
            raise self.fail(opened, reason)
        if self.look()[0] == "_":
            base = self._lowered(base, sign)
            letter = self.letter[0]
            self.letter = _NONE
        self.refuse("a second exponent: write braces or brackets", "^")
        if before == place and self._opens_bracket(self.look()[0]):
            inner = exponent.parts[0] if exponent.kind == "signed" else exponent
            inverse = exponent.kind == "signed" and inner.kind == "number"
            if inverse or letter in _MAYBE_FUNCTIONS:  # F^{-1}(p), and f^2(x)
                reason = r"may be a power or an inverse function: write a \cdot before the bracket"
                raise self.fail(at, reason)
        self.refuse("write brackets around what the ! belongs to", "!")
        return self.node("power", start, [base, exponent])

    def _lowered(self, base: Node, sign: str) -> Node:
        """Give a letter the subscript that stands behind its exponent, or behind its braces."""
        letter = base.kind == "name" and not base.word.startswith(PROBABILITY)
        if not letter or "_" in base.word or base.word in ("pi", "oo") or sign in _OPENING:
            raise self.fail(self.place, "only a letter or log takes a subscript")
        return self._symbol(base.word, base.position - 1)

    def argument(self, after: str) -> Node:
        """Read an argument in braces, or a single sign."""
        word, start = self.look()
        if word == "{":
            self.take()
            if self.look()[0] == "}":
                raise self.fail(start, f"nothing stands in the braces after {after}")
            if not self.look()[0]:
                raise self.fail(start, 'this "{" is never closed')
            inner = self.sum()
            self.close("{", start, "}")
            self.letter = _NONE
            return inner
        if word == "-" and after == "^":
            raise self.fail(start, "write the exponent in braces: ^{-1}")
        if word in ("", "}", ")", "]", "+", "-", "−", "|", ",") or word in LATEX_RELATIONS:
            raise self.fail(start, f"the argument of {after} is missing")
        if word[0].isdigit() or word[0] == ".":
            if after != r"\frac" and len(word) > 1:
                raise self.fail(start, f"only {word[0]} belongs to {after}: write {{{word}}}")
            self.place = start + 1
            return self.number(word[0], start)
        if word[0].isalpha():
            self.place = start + 1
            if after == "^" and self.text[self.place : self.place + 1].isalpha():
                raise self.fail(start, f"only {word} is raised: write braces, or a blank after it")
            return (
                self._euler(start) if word == "e" else self.name({"π": "pi"}.get(word, word), start)
            )
        if word[1:] in _GREEK or word in (r"\pi", r"\infty", r"\frac", r"\sqrt"):
            found = self.atom()[0]
            self.letter = _NONE  # an exponent or a numerator is no function of the next bracket
            return found
        raise self.fail(start, f"the argument of {after} needs braces")

    def _euler(self, start: int) -> Node:
        return self.call("exp", start, self.number("1", start))

    # --- atoms ------------------------------------------------------------------------------------------

    def atom(self) -> tuple[Node, int]:
        """Read a number, a letter, a command or brackets; return also where it began."""
        word, start = self.take()
        return self._atom(word, start), start

    def _atom(self, word: str, start: int) -> Node:
        if not word:
            raise self.fail(self.end, "the text ends too early")
        if _NUMBER.fullmatch(word):
            if power := self.matched(r"[eE]([+-]?[0-9]+)"):
                tens = rf"{word} \cdot 10^{{{power[1].lstrip('+')}}}"
                reason = f"is {word}{power[0]} a power of ten? write {tens}, or blanks"
                raise self.fail(start, reason)
            return self.number(word, start)
        if word == "π":
            return self._constant("pi", start)
        if word in GREEK:
            return self._symbol(GREEK[word], start)
        if word.isascii() and word.isalpha():
            return self._letter(word, start)
        if word == "{":
            inner = self.sum()
            self.close("{", start, "}")
            if inner.kind in ("sum", "product", "signed"):
                raise self.fail(start, "braces are not seen on paper: write brackets")
            return inner
        if word == "|":
            self.bars.append(self.depth + 1)
            inner = self._content("|")
            self.bars.pop()
            self.close("|", start, "|")
            return self.node("bars", start, [inner])
        if word in _OPENING:
            return self._bracket(word, start)
        if word.startswith("\\"):
            return self._command(word[1:], start)
        raise self.fail(start, self._stray(word, start))

    def _constant(self, name: str, start: int) -> Node:
        self.letter = (name, start, self.look()[1])
        return self.name(name, start)

    def _bracket(self, word: str, start: int) -> Node:
        bars, self.bars = self.bars, []
        inner = self.joined() if word == "(" else self._content(_OPENING[word])
        self.bars = bars
        if self.look()[0] == ",":
            why = decimal_comma(self.text, self.place)
            raise self.fail(self.place, f"a pair is no number{why and '; '}{why}")
        self.close(word, start, _OPENING[word])
        self.bracket = (start, self.place)
        if word == r"\lvert":
            return self.node("bars", start, [inner])
        if word in (r"\lfloor", r"\lceil"):
            return self.call("floor" if word == r"\lfloor" else "ceiling", start, inner)
        return inner

    def _content(self, closing: str) -> Node:
        """Read a sum up to a closing sign; braces around it, as SymPy writes them, have no meaning."""
        if not self._filled(closing):
            return self.sum()
        _, start = self.take()
        inner = self.sum()
        self.close("{", start, "}")
        return inner

    def _filled(self, closing: str) -> bool:
        """Return whether braces that open here end at a closing sign."""
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
        letters = run.group() if run else ""
        if len(letters) >= _LONGEST_RUN or letters in NO_FACTOR:
            raise self.fail(start, f'is "{letters}" a product? write its letters apart')
        greek = canonical(letters)
        if greek not in GREEK.values():
            greek = next((word for word in _PLAIN_WORDS if letters.startswith(word)), "")
        elif letters != "eps":  # there is no \eps in LaTeX
            greek = letters
        if greek:
            spaced = " ".join(letters if letters == "eps" else greek)
            raise self.fail(start, f"write \\{greek}, or {spaced} for a product")
        if letter != "e" or self.look()[0] == "_":
            return self._symbol(letter, start)
        if not self.next_is("^"):
            self.letter = ("e", start, self.look()[1])
            return self._euler(start)
        exponent = self.argument("^")
        self.refuse("a second exponent: write braces or brackets", "^")
        return self.call("exp", start, exponent)

    def _symbol(self, name: str, start: int) -> Node:
        plain = name
        if self.next_is("_"):
            name += "_" + self._subscript()
        following, place = self.look()
        self.letter = (canonical(name), start, place)
        if plain == name and canonical(name) in _MAYBE_FUNCTIONS and self._opens_bracket(following):
            raise self.fail(start, self._ask_call(canonical(name)))
        self.refuse("a prime is not understood", "'")
        return self.name(name, start)

    def _subscript(self) -> str:
        self._skip()
        if match := self.eat(_SUBSCRIPT):
            return re.sub(r"\s*,\s*", "_", match[1] or match[2])
        match = self.matched(r"\{\s*\\([A-Za-z]+)\s*\}|\\([A-Za-z]+)")
        if match is not None and (match[1] or match[2]) in _GREEK:
            self.place = match.end()
            return canonical(match[1] or match[2])
        sign = self.text[self.place : self.place + 1]
        if sign not in GREEK and not (sign.isalnum() and sign.isascii()):
            raise self.fail(self.place, "a subscript is letters or digits")
        if sign.isdigit() and self.text[self.place + 1 : self.place + 2].isdigit():
            raise self.fail(self.place, f"only {sign} is lowered: write braces")
        self.place += 1
        return GREEK.get(sign, sign)

    def _command(self, name: str, start: int) -> Node:
        if read := _COMMANDS.get(name):
            return read(self, name, start)
        if name in ("begin", "end"):
            raise self.fail(start, "an environment cannot stand here")
        if f"\\{name}" in _ENDS:
            raise self.fail(start, f'no partner for "\\{name}"')
        raise self.fail(start, f"\\{name} is not understood")

    def _gamma(self, name: str, start: int) -> Node:
        if self._called_with_brackets():
            return self._called("gamma", name, start)
        if self._starts_factor(self.look()[0]):
            raise self.fail(start, r"the function \Gamma? write brackets; for a product a \cdot")
        return self._symbol(name, start)

    def _accented(self, name: str, start: int) -> Node:
        inner = self.argument(f"\\{name}")
        if inner.kind != "name":
            raise self.fail(start, f"\\{name} stands over a letter only")
        return self._symbol(f"{inner.word}{ACCENTS[name]}", start)

    def _binomial(self, _: str, start: int) -> Node:
        return self.call("binomial", start, self.argument(r"\binom"), self.argument(r"\binom"))

    def _fraction(self, _: str, start: int) -> Node:
        derivative = (
            r"\s*\{\s*(d|\\mathrm\s*\{\s*d\s*\}|\\partial)[^{}]*\}\s*\{\s*(d|\\mathrm|\\partial)"
        )
        if self.matched(derivative):
            raise self.fail(start, "a derivative is not read: write it out")
        parts = [self.argument(r"\frac"), self.argument(r"\frac")]
        return self.node("product", start, parts, ["/"])

    def _probability(self, name: str, start: int) -> Node:
        """Read a probability as one symbol; two are the same if they are written alike."""
        if name == "mathbb" and self.eat(r"\s*\{?\s*P\s*\}?") is None:
            raise self.fail(start, r"\mathbb stands after \in, or as \mathbb{P}[...]")
        lowered = ""
        if self.look()[0] == "_":
            match = self.eat(r"_\s*(?:\{[^{}]*\}|\\?\w+)")
            if match is None:
                raise self.fail(self.place, "a subscript is letters, or stands in braces")
            lowered = _spaced(match.group())
        word, opened = self.look()
        if word not in ("(", "[", r"\{"):
            raise self.fail(start, r"write the event in brackets: \Pr[X > t]")
        closing, depth, place = _OPENING[word], 0, opened
        while depth or place == opened:
            following, place = self.take()
            if not following:
                raise self.fail(opened, f'this "{word}" is never closed')
            depth += (following == word) - (following == closing)
        event = _spaced(self.text[opened + len(word) : place])
        if not event or len(event) > LONGEST_EVENT:
            raise self.fail(opened, f"an event has 1 to {LONGEST_EVENT} signs")
        return self.node("name", start, words=[f"{PROBABILITY}{lowered}[{event}]}}"])

    def _root(self, _: str, start: int) -> Node:
        degree = None
        if self.next_is("["):
            degree = self.sum()
            self.expect("]", "the degree of a root")
        inner = self.argument(r"\sqrt")
        if inner.kind == "signed" and inner.word == "-" and inner.parts[0].kind == "number":
            raise self.fail(start, "a root is read of numbers >= 0 only, a cube root too")
        if degree is None:
            return self.call("sqrt", start, inner)
        exponent = self.node("product", start, [self.number("1", start), degree], ["/"])
        return self.node("power", start, [inner, exponent])

    def _several(self, name: str) -> list[Node]:
        braces = self.take()[1] if self.look()[0] == "{" else None
        word, start = self.take()
        if word not in ("(", r"\{", "["):
            raise self.fail(start, f"\\{name} needs brackets")
        bars, self.bars = self.bars, []
        found = [self.sum()]
        while self.look()[0] == ",":
            if why := decimal_comma(self.text, self.place):
                raise self.fail(self.place, f"{why}, or leave a blank after the comma")
            self.take()
            found.append(self.sum())
        self.close(word, start, _OPENING[word])
        self.bars = bars
        if braces is not None:
            self.close("{", braces, "}")
        return found

    def _spelled(self, name: str, start: int) -> Node:
        match = self.matched(r"\s*\{\s*([A-Za-z]+)\s*\}")
        word = match[1] if match else ""
        if match is None or (word != "e" and word not in NAMES_OF_FUNCTIONS):
            raise self.fail(start, f"\\{name}{{{word}}} is not understood")
        self.place = match.end()
        if word in _FUNCTIONS:
            return self._function(word, start)
        return self._letter("e", start) if word == "e" else self._called(word, name, start)

    def _called_with_brackets(self) -> bool:
        """Return whether a bracket follows, or an exponent with a bracket behind it."""
        here = self.place
        if self.next_is("^"):
            self.argument("^")
        found = self.look()[0] == "("
        self.place = here
        return found

    def _called(self, name: str, shown: str, start: int) -> Node:
        """Read a function with arguments in brackets; a number before them raises its value."""
        power = self._exponent("the power outside") if self.look()[0] == "^" else None
        made = self.call(name, start, *self._several(shown))
        return made if power is None else self.node("power", start, [made, power])

    def _exponent(self, instead: str) -> Node:
        """Read the exponent behind a function name: a number, as others may mean the inverse."""
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
        return made if power is None else self.node("power", start, [made, power])

    def _argument_of(self, name: str) -> Node:
        """Read the argument of a function: in brackets or braces, or a factor with coefficient."""
        word, start = self.look()
        if word in ("(", "[", r"\lbrack"):
            return self.atom()[0]
        if word in (r"\lvert", r"\lfloor", r"\lceil", "|"):
            inner = self.atom()[0]
            self._refuse_power_after(name)
            return inner
        if word == "{":
            return self._in_braces(name)
        if word in _ENDS or word in LATEX_RELATIONS or word in ("+", "-", "−", "^", ","):
            raise self.fail(start, f"the argument of \\{name} is missing, or needs brackets")
        factors: list[Node] = []
        while True:
            word, place = self.look()
            factors.append(self.factor())
            following, after = self.look()
            coefficient = factors[-1].kind == "number" or word == r"\pi"
            if not (coefficient and self._starts_factor(following)):
                break
            if after > place + len(word) or following[0].isdigit():
                raise self.fail(after, f"does this belong to \\{name}? write brackets")
            if following[1:] in _FUNCTIONS:
                break
        self._refuse_factor_after(name)
        signs = ["*"] * (len(factors) - 1)
        return self.node("product", place, factors, signs) if signs else factors[0]

    def _refuse_factor_after(self, name: str) -> None:
        following, after = self.look()
        joined = self._starts_factor(following) and following[1:] not in _FUNCTIONS
        if joined or following in _OVER:
            raise self.fail(after, f"does this belong to \\{name}? write brackets")

    def _refuse_power_after(self, name: str) -> None:
        question = rf"a power of \{name} or of its argument?"
        self.refuse(rf"{question} write (\{name} ..)^2, or \{name}(..^2)", "^")

    def _in_braces(self, name: str) -> Node:
        """Read an argument in braces: these are not seen on paper, where a bracket may be."""
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
        self._refuse_factor_after(name)
        return inner

    def _ranged(self, name: str, start: int) -> Node:
        index = low = high = None
        for _ in range(2):
            if self.next_is("_"):
                self.expect("{", "the sign of a sum")
                index, place = self.atom()
                if index.kind != "name":
                    raise self.fail(place, "an index is a letter")
                self.expect("=", "an index")
                low = self.sum()
                self.expect("}", "the lower end")
            elif self.next_is("^"):
                high = self.argument("^")
        if index is None or low is None or high is None:
            raise self.fail(start, r"write \sum_{k=1}^{n}")
        if name == "sum":
            return self.call("Sum", start, self.product(), index, low, high)
        return self.call("Product", start, self.product(index.word), index, low, high)

    def _integral(self, _name: str, start: int) -> Node:
        low = high = None
        for _ in range(2):
            if self.next_is("_"):
                low = self.argument("_")
            elif self.next_is("^"):
                high = self.argument("^")
        if low is None or high is None:
            raise self.fail(start, r"write \int_{a}^{b} ... \, dx")
        self.integrals += 1
        body = self.sum()
        self.integrals -= 1
        name, behind = self._differential()
        if not name:
            raise self.fail(self.place, "the dx of the integral is missing")
        variable = self.name(name, self.place)
        self.place = behind
        return self.call("Integral", start, body, variable, low, high)


_COMMANDS: dict[str, Callable[[_Rules, str, int], Node]] = {
    **dict.fromkeys(_GREEK, _Rules._symbol),
    **dict.fromkeys(_FUNCTIONS, _Rules._function),
    **dict.fromkeys(_FRACTIONS, _Rules._fraction),
    **dict.fromkeys(("binom", "dbinom", "tbinom"), _Rules._binomial),
    **dict.fromkeys(ACCENTS, _Rules._accented),
    **dict.fromkeys(
        ("max", "min"), lambda rules, name, at: rules.call(name, at, *rules._several(name))
    ),
    **dict.fromkeys(("sum", "prod"), _Rules._ranged),
    **dict.fromkeys(("Pr", "mathbb"), _Rules._probability),
    **dict.fromkeys(("operatorname", "mathrm", "text"), _Rules._spelled),
    "Gamma": _Rules._gamma,
    "infty": lambda rules, _, at: rules.name("oo", at),
    "int": _Rules._integral,
    "pi": _Rules._constant,
    "sqrt": _Rules._root,
}
