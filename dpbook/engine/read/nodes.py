"""Represent the nodes of text and of LaTeX, at their positions, and the names in them.

No number is made yet. Each Greek letter has one spelling in a name; some words are no factor.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from dpbook.engine.read.refusals import ParseError

# --- names ----------------------------------------------------------------------------------------

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
GLYPHS = "".join(GREEK)
PROBABILITY = r"{\Pr"  # how the name of a probability in LaTeX begins


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
    part = r"(?<![^_])([a-z]+)([0-9]*)(?![^_])"
    return re.sub(part, lambda match: VARIANTS.get(match[1], match[1]) + match[2], name)


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


_ACCENTED = re.compile(r"(?:hat|bar|tilde|dot)$")
_LABELS = frozenset(
    {"min", "max", "hat", "bar", "tot", "inf", "sup", "old", "new", "opt", "ref", "avg"}
)


def mentions(name: str, index: str) -> bool:
    """Return whether the subscript of a name, or the event of a probability, has an index in it."""
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


# --- nodes ----------------------------------------------------------------------------------------

OR, AND, RELATION, SIGN, TIMES = range(1, 6)  # a sign of a higher level binds tighter
_KINDS = {OR: "either", AND: "both", RELATION: "chain", SIGN: "sum", TIMES: "product"}
RELATIONS = {
    "=": "==", "<": "<", ">": ">", "<=": "<=", ">=": ">=", "≤": "<=", "≥": ">=", "≠": "!=",
}  # fmt: skip
UNSIGNED = " "  # the sign of a product that has none
INTERVALS = {"[]": "closed", "[)": "right_open", "(]": "left_open", "()": "open"}
INTEGERS = ("integers", "integer", "Z", "ints")
CONSTANTS = ("pi",)
_EULER = "Euler's number? write exp({exponent})"
ASKED = {  # names of constants, each with the question about it, unless it is declared
    "e": _EULER,
    "E": _EULER,
    "EulerGamma": "Euler's constant? write -digamma(1)",
    "GoldenRatio": "the golden ratio? write (1 + sqrt(5))/2",
    "Catalan": "Catalan's constant? that is not known here",
    "I": "the imaginary unit? numbers are real here",
}


@dataclass(frozen=True, slots=True)
class Node:
    """Represent a node: its kind, its parts, and its first position, counted from 1.

    `words` are the name, the digits or the function, or the signs between the parts.
    """

    kind: str
    parts: tuple[Node, ...]
    position: int
    words: tuple[str, ...] = ()
    depth: int = 1

    @property
    def word(self) -> str:
        """Return the name, the digits, the function, or the sign in front."""
        return self.words[0]

    @property
    def is_condition(self) -> bool:
        """Return whether this is a relation, or several."""
        return self.kind in ("chain", "both", "either", "member")


class Joint(NamedTuple):
    """Represent a sign between two operands: its level, its meaning, and the place behind it."""

    level: int
    sign: str
    behind: int


class Rules(ABC):
    """Hold the rules that text and LaTeX share: operands are joined by signs, each of a level."""

    text: str
    place: int  # of the next word
    deepest: int
    depth = 0

    @abstractmethod
    def ahead(self) -> int:
        """Return where the next word begins in the text, counted from 0."""

    @abstractmethod
    def joint(self) -> Joint | None:
        """Return the sign that comes next, where one does."""

    @abstractmethod
    def operand(self, sign: str) -> Node:
        """Read the operand behind a sign; the sign is empty at the start."""

    @abstractmethod
    def set(self) -> Node:
        """Read a set."""

    def fail(self, place: int, reason: str) -> ParseError:
        """Return the error at a place, counted from 0."""
        return ParseError(self.text, min(place, len(self.text)) + 1, reason)

    def node(
        self, kind: str, place: int, parts: Iterable[Node] = (), words: Iterable[str] = ()
    ) -> Node:
        """Return a node that begins at a place, counted from 0."""
        below = tuple(parts)
        depth = 1 + max((part.depth for part in below), default=0)
        return Node(kind, below, place + 1, tuple(words), depth)

    def joined(self, least: int = OR, before: Node | None = None) -> Node:
        """Read operands joined by signs of a level or tighter; go on with a chain that began before."""
        self.depth += 1
        if self.depth > self.deepest:
            raise self.fail(self.ahead(), f"nested deeper than {self.deepest}")
        waiting: list[tuple[int, int, list[Node], list[str]]] = []
        if before is None:
            begins, part = self.ahead(), self.operand("")
        else:
            begins, part = before.position - 1, before
        if part is before and part.kind == "chain":
            waiting.append((RELATION, begins, list(part.parts[:-1]), list(part.words)))
            part = part.parts[-1]
        most = TIMES
        while True:
            level, sign, behind = self.joint() or (0, "", 0)
            chained = any(above == RELATION for above, *_ in waiting)
            if not least <= level <= most or (sign == "in" and chained):
                level = 0
            while waiting and waiting[-1][0] > level:
                above, begins, parts, signs = waiting.pop()
                part = self.node(_KINDS[above], begins, [*parts, part], signs)
            if not level:
                self.depth -= 1
                return part
            self.place = behind
            if sign == "in":
                part, most = self.node("member", begins, [part, self.set()]), AND
                continue
            if not waiting or waiting[-1][0] < level:
                waiting.append((level, begins, [], []))
            waiting[-1][2].append(part)
            waiting[-1][3].append(sign)
            begins, part, most = self.ahead(), self.operand(sign), TIMES


def words_in(nodes: Iterable[Node], kind: str = "name") -> Iterator[Node]:
    """Yield the names, or the numbers, among nodes and below them."""
    for one in nodes:
        if one.kind == kind:
            yield one
        yield from words_in(one.parts, kind)


def spread(text: str, items: Iterable[Node]) -> list[Node]:
    """Let names alone share the next condition: in ``x, y > 0`` both are positive."""
    found: list[Node] = []
    waiting: list[Node] = []
    for item in items:
        if item.kind == "name":
            waiting.append(item)
            continue
        if waiting and (item.kind not in ("chain", "member") or item.parts[0].kind != "name"):
            break
        for name in waiting:
            found.append(replace(item, parts=(name, *item.parts[1:]), position=name.position))
        waiting = []
        found.append(item)
    if waiting:
        raise ParseError(text, waiting[0].position, "a name alone is no condition")
    return found


def declared(text: str, member: Node) -> str:
    """Return the name that a node declares to lie in a set."""
    head = member.parts[0]
    if head.kind != "name" or head.word in CONSTANTS:
        raise ParseError(text, head.position, "only a name can be declared with in")
    return head.word


def integers_in(text: str, items: Iterable[Node]) -> Iterator[str]:
    """Yield the names that conditions declare to be integers."""
    for part in conjuncts(items):
        where = part.parts[1] if part.kind == "member" else part
        if where.kind == "named" and where.word in INTEGERS:
            yield declared(text, part)


def constants_in(items: Iterable[Node]) -> Iterator[str]:
    """Yield names of constants where a condition is about one alone: then that is a symbol."""
    for part in conjuncts(items):
        sides = part.parts[:1] if part.kind == "member" else part.parts
        names = {name.word for name in words_in(sides)}
        if part.is_condition and len(names) == 1 and any(side.kind == "name" for side in sides):
            yield from names & {*ASKED, "i"}


def conjuncts(items: Iterable[Node]) -> Iterator[Node]:
    """Yield conditions, and the parts of each conjunction among them."""
    for item in items:
        yield from item.parts if item.kind == "both" else (item,)
