"""Rewrite what students type: products without a sign, ``e^x``, ``½``, ``50 %``, ``a₀``, ``=>``.

An answer is read as it is typed where it can be; only an answer that cannot be read is rewritten. The
symbols of an exercise are known, so that ``nu d`` is a product and `e` is Euler's number, unless the
exercise has a symbol `e`. What could mean two things, such as ``1/2 x``, stays as it is and is refused.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dpbook.engine.read.functions import FUNCTIONS
from dpbook.engine.read.nodes import canonical
from dpbook.engine.read.refusals import REPEATING

WORDS = {"and", "or", "not", "in", "if", "oo", "inf", "infinity", "integers", "reals"}
NAME = r"[^\W\d_](?:[^\W]|_)*"
TOKEN = re.compile(
    rf"(?P<number>\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+)|(?P<name>{NAME})|(?P<sign>\*\*|<=|>=|!=|==|.)"
)
ENDS = ("+", "-", "<", ">", "<=", ">=", "=", "==", "!=", ",", ";", *WORDS)  # of a product
PERCENT = re.compile(
    r"(?P<before>/\s*|\^\s*|\*\*\s*)?"
    r"(?<![\w.])(?<![\d.][eE][-+])(?P<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*%(?!\s*[\w(])"
)
END = r"(?:oo|inf|infinity|∞)(?!\w)"
PART = re.compile(r"(?:(?!\band\b|\bor\b)[^,;&|])+")  # of a condition, between "and" and "or"
FRACTIONS = "¼-¾⅐-⅞↉"
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@dataclass
class _Token:
    kind: str
    text: str
    apart: bool  # whether a space stands before it


def rewritten(answer: str, symbols: Collection[str]) -> str:
    """Return an answer in the syntax of `dpbook check`; as it is where there is nothing to rewrite.

    Parameters
    ----------
    answer : str
        Plain text that could not be read; no LaTeX.
    symbols : collection of str
        The names of the symbols of the exercise.

    Examples
    --------
    >>> rewritten("δ(1 + e^(2ε))", ["delta", "epsilon"])
    'δ*(1 + exp(2*ε))'
    >>> rewritten("nu d^2/(2 sigma^2)", ["nu", "d", "sigma"])
    'nu*d^2/(2*sigma^2)'
    >>> rewritten("1/2 x", ["x"])
    '1/2 x'
    """
    text = answer.replace("−", "-")
    text = re.sub(r"([⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: f"^({m[1].translate(SUPERSCRIPTS)})", text)
    text = re.sub(r"_?([₀-₉]+)", lambda m: f"_{m[1].translate(SUBSCRIPTS)}", text)
    text = re.sub(rf"(?<![\w.])(\d+)([{FRACTIONS}])", r"(\1+\2)", text)  # a mixed number: 1½
    if re.search(rf"\d\s*[{FRACTIONS}]", text) or REPEATING.search(text):
        return answer
    text = "".join(_fraction(sign) for sign in text)
    text = re.sub(r"(?<![\w.])\d{1,3}(?:_\d{3})+(?!\w)", lambda m: m[0].replace("_", ""), text)
    text = PERCENT.sub(_hundredths, text)
    text = PART.sub(_at_least, text.replace("=<", "<="))
    text = _without_infinity(text)
    text = re.sub(r"(?<!\w)(?:ln|log)(2|10)(?!\w|\s*\()", r"log(\1)", text)
    known = {canonical(name) for name in symbols}
    tokens = list(_tokens(text))
    if "e" not in known:
        tokens = _exponentials(tokens)
    with_signs = _products(tokens, known)
    return answer if with_signs is None else with_signs


def _hundredths(found: re.Match[str]) -> str:
    """Return a percentage as a number; ``1/3 %`` as it is, for it could be 1/3 of a hundredth, or 100/3."""
    return found[0] if found["before"] else f"({found['number']}/100)"


def _at_least(part: re.Match[str]) -> str:
    """Return a relation with ``>=`` for ``=>``; as it is beside another one, where it may mean "implies"."""
    alone = len(re.findall(r"[<>=!≤≥≠]+", part[0])) == 1
    return part[0].replace("=>", ">=") if alone else part[0]


def _fraction(sign: str) -> str:
    """Return ``(1/2)`` for the sign of a half, and other signs as they are."""
    if unicodedata.decomposition(sign).startswith("<fraction>"):
        return f"({unicodedata.normalize('NFKC', sign).replace(chr(0x2044), '/')})"
    return sign


def _without_infinity(text: str) -> str:
    """Leave out ends that are infinite: ``0 < x < oo`` is ``0 < x``."""
    below = rf"(?:\s*(?:\band\b|,)\s*{NAME})?\s*<=?\s*{END}"
    above = rf"(?:\s*(?:\band\b|,)\s*{NAME})?\s*>=?\s*-\s*{END}"
    made = re.sub(rf"(?:{below})|(?:{above})", "", text)
    return re.sub(rf"-\s*{END}\s*<=?\s*", "", made)


def _tokens(text: str) -> Iterator[_Token]:
    """Yield names, numbers and signs."""
    place = 0
    while place < len(text):
        space = re.match(r"\s*", text[place:])
        apart = bool(space and space[0])
        place += len(space[0]) if space else 0
        found = TOKEN.match(text, place)
        if found is None:
            return
        yield _Token(found.lastgroup or "sign", found[0], apart)
        place = found.end()


def _exponentials(tokens: list[_Token]) -> list[_Token]:
    """Write ``e^x`` as ``exp(x)``, and `e` alone as ``exp(1)``."""
    made: list[_Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        place += 1
        if token.kind != "name" or token.text not in ("e", "E"):
            made.append(token)
            continue
        made.append(_Token("name", "exp", token.apart))
        if place < len(tokens) and tokens[place].text in ("^", "**"):
            start = place
            power, place = _power(tokens, place + 1)
            if tokens[place - 1].text != ")" and _goes_on(tokens, place):  # e^2x
                made[-1:] = [token, *tokens[start:place]]
                continue
        else:
            power = [_Token("number", "1", False)]
        inside = _exponentials(power)
        made += [_Token("sign", "(", False), *inside, _Token("sign", ")", False)]
    return made


def _power(tokens: list[_Token], place: int) -> tuple[list[_Token], int]:
    """Return an exponent without its brackets, and the place after it; ``x^2`` in it is a whole."""
    start, place = place, _after_factor(tokens, place)
    whole = place
    while place < len(tokens) and tokens[place].text in ("^", "**"):
        place = _after_factor(tokens, place + 1)
    inner = tokens[start:place]
    if place == whole and inner and inner[0].text == "(":
        inner = inner[1:-1]
    return inner, place


def _goes_on(tokens: list[_Token], place: int) -> bool:
    """Return whether a factor stands at a place, without a space before it."""
    return place < len(tokens) and not tokens[place].apart and _begins(tokens[place])


def _after_factor(tokens: list[_Token], place: int) -> int:
    """Return the place after a sign, and a number, a name, a call or a bracket."""
    while place < len(tokens) and tokens[place].text in ("+", "-"):
        place += 1
    depth = 0
    while place < len(tokens):
        depth += (tokens[place].text == "(") - (tokens[place].text == ")")
        place += 1
        called = place < len(tokens) and tokens[place].text == "("
        name = tokens[place - 1].text
        if depth == 0 and not (called and name in FUNCTIONS) and name != "√":
            break
    return place


def _products(tokens: list[_Token], known: Collection[str]) -> str | None:
    """Put signs where a product has none; None where that could mean two things."""
    made = ""
    # for each open bracket: whether a division stands before, in the same product
    divided = [False]
    power = False  # whether the last token belongs to an exponent
    before: _Token | None = None
    for token in tokens:
        if before and _ends(before) and _begins(token) and not _called(before, token, known):
            mixed = before.kind == token.kind == "number"  # 33 1/3, 10 000
            if mixed or divided[-1] or (power and not token.apart):
                return None
            made += "*"
        elif token.apart and made:
            made += " "
        power = bool(before and (before.text in ("^", "**") or (power and before.text in "+-")))
        if token.text == "(":
            divided.append(False)
        elif token.text == ")" and len(divided) > 1:
            divided.pop()
        elif token.text == "/":
            divided[-1] = True
        elif token.text in ENDS and not (before and before.text in ("^", "**")):
            divided[-1] = False
        made += token.text
        before = token
    return made


def _ends(token: _Token) -> bool:
    """Return whether a factor may end with a token."""
    return token.kind == "number" or token.text == ")" or _names_a_factor(token)


def _begins(token: _Token) -> bool:
    """Return whether a factor may begin with a token."""
    if token.kind == "name":
        return token.text not in WORDS
    return token.kind == "number" or token.text in ("(", "√")


def _names_a_factor(token: _Token) -> bool:
    return token.kind == "name" and token.text not in WORDS and token.text not in FUNCTIONS


def _called(before: _Token | None, token: _Token, known: Collection[str]) -> bool:
    """Return whether a bracket holds the arguments of a function."""
    return bool(
        before
        and before.kind == "name"
        and token.text == "("
        and canonical(before.text) not in known
    )
