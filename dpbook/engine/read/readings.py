r"""Read each text once; its reading knows the facts in it.

A text with a backslash, a brace or a dollar sign is LaTeX. A line without them among lines of LaTeX
may be either: it is read in both ways, and refused where these differ.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import sympy
from sympy import Expr, Symbol

from dpbook.engine.language.statement import Both, Either, Relation, Tree, thing_or_both
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.read.build import Builder, flat
from dpbook.engine.read.latex import nodes_of_latex
from dpbook.engine.read.nodes import PROBABILITY, Node, constants_in, integers_in, spread, words_in
from dpbook.engine.read.refusals import ParseError
from dpbook.engine.read.text import nodes_of_text

Way = TypeVar("Way")
Made = TypeVar("Made")
Found = TypeVar("Found", bound=Evidence)
Symbols = Mapping[str, Symbol]


def is_latex(text: str) -> bool:
    """Return whether a text is LaTeX: it has a backslash, a brace or a dollar sign."""
    return any(sign in text for sign in "\\{$")


@dataclass(frozen=True)
class Reading:
    r"""Represent a text as nodes, before anything is made of them.

    Attributes
    ----------
    text : str
    items : list of Node
        The items that commas separate.
    latex : bool
        Whether it was read as LaTeX.
    both_signs : int
        Where a ``\pm`` stands, counted from 1; 0 where there is none.
    """

    text: str
    items: list[Node]
    latex: bool = False
    both_signs: int = 0

    @cached_property
    def integers(self) -> list[str]:
        """Return the names that the text declares to be integers."""
        return sorted(set(integers_in(self.text, spread(self.text, self.items))))

    @cached_property
    def constants(self) -> list[str]:
        """Return names of constants that a condition in the text declares to be symbols."""
        return sorted(set(constants_in(spread(self.text, self.items))))

    @cached_property
    def decimals(self) -> list[str]:
        """Return the numbers with a decimal point."""
        return [one.word for one in words_in(self.items, "number") if "." in one.word]

    def given(self, symbols: Symbols) -> list[Tree]:
        r"""Return the conditions: ``x > 0``, ``a, b >= 0``, ``x in [0, oo)``; ``n in integers`` has none."""
        if self.both_signs:
            raise self.refused(r"\pm is not read in a condition")
        return self._builder(symbols).given(self.items)

    def condition(self, symbols: Symbols) -> Tree:
        """Return the relations, joined by `and` and `or`."""
        alone = self.items[0]
        if len(self.items) == 1 and not alone.is_condition:
            sign = r"\le" if self.latex else "<="
            raise ParseError(self.text, alone.position, f"a relation such as {sign} is missing")
        line = self.line(symbols)
        assert not isinstance(line, Expr)
        return line

    def line(self, symbols: Symbols) -> Tree | Expr:
        """Return an expression, or relations joined by `and` and `or`."""
        builder = self._builder(symbols)
        if len(self.items) == 1 and not self.items[0].is_condition:
            line: Tree | Expr = builder.number(self.items[0])[0]
        else:
            line = self._tree(builder)
        if not self.latex:
            return line
        if outside := sorted({symbol.name for symbol in line.free_symbols} & set(builder.indices)):
            reason = (
                f"{outside[0]} stands in a sum or product over {outside[0]} and outside too: write "
                "brackets around what belongs to it, or another letter"
            )
            raise ParseError(self.text, builder.indices[outside[0]], reason)
        if not self.both_signs:
            return line
        if isinstance(line, Expr):
            raise self.refused(r"\pm stands in an equation only")
        return self._with_both_signs(line, self._tree(self._builder(symbols, "-")))

    def _builder(self, symbols: Symbols, both: str = "+") -> Builder:
        return Builder(self.text, symbols, latex=self.latex, both=both)

    def _tree(self, builder: Builder) -> Tree:
        return flat(thing_or_both(tuple(map(builder.tree, spread(self.text, self.items)))))

    def refused(self, reason: str) -> ParseError:
        """Return the error at the ± of the text, or at its start."""
        return ParseError(self.text, self.both_signs or 1, reason)

    def _with_both_signs(self, tree: Tree, other: Tree) -> Tree:
        """Join the equation with the upper signs and the equation with the lower signs."""
        pairs = zip(tree.relations(), other.relations(), strict=True)
        changed = [(one, two) for one, two in pairs if one != two]
        signs = [one.op for one, _ in changed]
        if any(one.lhs != two.lhs or not one.lhs.free_symbols for one, two in changed):
            raise self.refused(  # an equation with both signs states both, solutions state one of them
                r"\pm stands on the right, as in x = \pm 2: write both signs out, with \text{and} or "
                r"\text{or}"
            )
        if any(sign not in ("==", "!=") for sign in signs):
            raise self.refused(r"\pm stands in an equation only: write \text{and} or \text{or}")
        if not signs:
            return tree
        if len(signs) > 1:
            raise self.refused(r"\pm in two relations: write them out, with \text{or}")
        if signs == ["!="]:
            if not isinstance(tree, (Relation, Both)):
                raise self.refused(r"\neq \pm beside an or: write both signs out")
            return flat(Both((tree, other)))
        parts = [
            p for one in (tree, other) for p in (one.parts if isinstance(one, Either) else (one,))
        ]
        return Either(tuple(dict.fromkeys(parts)))


def read(
    text: str, latex: bool | None = None, *, given: bool = False, factors: Collection[str] = ()
) -> Reading:
    """Read a text.

    Parameters
    ----------
    text : str
    latex : bool, optional
        Whether it is LaTeX; where it is not said, `is_latex` tells.
    given : bool
        Whether it is a condition: then in LaTeX, too, commas separate conditions.
    factors : collection of str
        Names that are no functions before a bracket, in LaTeX.

    Raises
    ------
    ParseError
        When it cannot be read, or can be read in two ways.
    TypeError
        When it is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a statement in words must be text, got {type(text).__name__}")
    if is_latex(text) if latex is None else latex:
        items, both_signs = nodes_of_latex(text, given, factors)
        return Reading(text, items, True, both_signs)
    return Reading(text, nodes_of_text(text))


def read_printed(text: str) -> Expr:
    """Read an expression as SymPy writes it, where ``E`` is a constant."""
    items = nodes_of_text(text)
    if len(items) != 1:
        raise ParseError(text, 1, "one expression is needed here")
    return Builder(text, {}, printed=True).number(items[0])[0]


@dataclass(frozen=True)
class Statement:
    """Represent a statement with its conditions; each name is one symbol throughout.

    Attributes
    ----------
    tree : Relation, Both or Either
    given : Both
    integers : tuple of str
        Names that a condition declares to be integers; all others are real.
    decimals : tuple of str
        The numbers that are written with a decimal point.
    """

    tree: Tree
    given: Both
    integers: tuple[str, ...] = ()
    decimals: tuple[str, ...] = field(default=(), compare=False)

    def strangers(self) -> list[tuple[str, str]]:
        """Return the names that only conditions have, each with the nearest of the statement's own."""
        own = {symbol.name for symbol in self.tree.free_symbols}
        found = {symbol.name for symbol in self.given.free_symbols} | set(self.integers)
        return [
            (name, next(iter(difflib.get_close_matches(name, sorted(own), 1, 0.5)), ""))
            for name in sorted(found - own)
        ]


def read_statement(text: str, given: Iterable[str] = ()) -> Statement:
    r"""Read a statement with its conditions, each of them in text or in LaTeX.

    A condition may declare what its names are: ``n, k in integers``, ``x in reals``, ``e > 0``.

    Raises
    ------
    ParseError
        When one of them cannot be read, or can be read in two ways.
    """
    lines = [given] if isinstance(given, str) else list(given)
    mixed = any(is_latex(line) for line in (text, *lines) if isinstance(line, str))
    conditions = [readings(line, mixed, given=True) for line in lines]
    integers = sorted({name for ways in conditions for name in ways[0].integers})
    symbols = {name: Symbol(name, integer=True) for name in integers}
    for name in sorted({name for ways in conditions for name in ways[0].constants}):
        symbols.setdefault(name, Symbol(name, real=True))
    statement = readings(text, mixed)
    tree = agreed(statement, lambda reading: reading.condition(symbols))
    found = [agreed(ways, lambda reading: both(reading.given(symbols))) for ways in conditions]
    return Statement(
        tree,
        both(found),
        tuple(integers),
        tuple(number for ways in (statement, *conditions) for number in ways[0].decimals),
    )


def both(trees: Iterable[Tree]) -> Both:
    """Join conditions by `and`."""
    whole = flat(Both(tuple(trees)))
    return whole if isinstance(whole, Both) else Both((whole,))


def readings(text: str, mixed: bool, given: bool = False) -> list[Reading]:
    """Read a text; among LaTeX, where nothing says so, in each way in which it can be read."""
    if not mixed or is_latex(text):
        return [read(text, given=given)]
    return _those_read((False, True), lambda latex: read(text, latex, given=given))


def _those_read(ways: Iterable[Way], make: Callable[[Way], Made]) -> list[Made]:
    """Make a thing in each way of reading that works; raise the first error if no way does."""
    made: list[Made] = []
    failed: list[ParseError] = []
    for way in ways:
        try:
            made.append(make(way))
        except ParseError as error:
            failed.append(error)
    if failed and not made:
        raise failed[0]
    return made


def agreed(
    ways: Sequence[Reading], make: Callable[[Reading], Made], remedy: str = "write it in one way"
) -> Made:
    """Return the same thing, made of a text in each way in which it can be read.

    Raises
    ------
    ParseError
        When it means nothing in any way, or different things in two.
    """
    made = _those_read(ways, make)
    if made[1:] and made[0] != made[1]:
        reason = f"is this text ({made[0]}) or LaTeX ({made[1]})? {remedy}"
        raise ParseError(ways[0].text, 1, reason)
    return made[0]


def probability_ranges(trees: Iterable[Any]) -> list[Relation]:
    """Return the ranges of the probabilities in trees and expressions: from 0 to 1."""
    found = sorted(
        {s for tree in trees for s in tree.free_symbols if s.name.startswith(PROBABILITY)}, key=str
    )
    ends = ((">=", sympy.S.Zero), ("<=", sympy.S.One))
    return [Relation(symbol, sign, end) for symbol in found for sign, end in ends]


def without_chosen_events(evidence: Found, trees: Iterable[Any]) -> Found:
    """Take back a refutation that chose probabilities as it liked: events are not understood."""
    if evidence.verdict is not Verdict.REFUTED or not probability_ranges(trees):
        return evidence
    where = evidence.counterexample.where if evidence.counterexample else ""
    return replace(
        evidence,
        verdict=Verdict.UNDECIDED,
        counterexample=None,
        reason="it does not follow from 0 <= probability <= 1 alone"
        + (f": it fails at {where}" if where else ""),
    )
