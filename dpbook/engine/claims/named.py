"""Give names to the parts of a long statement; a card shows this form, and folds the full one.

A part that a symbol of the statement abbreviates is shown by that symbol; a distribution, or a term
that recurs, gets its own name. No verdict depends on these names: a name only stands for its part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import sympy
from sympy import Basic, Expr, Integer, Symbol
from sympy.core.function import AppliedUndef

from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.function_symbols import unknowns_of
from dpbook.engine.language.statement import (
    Form,
    Tree,
    bound_in,
    everies,
    free_in,
    latex,
    nodes_of,
    text,
    unfold_definitions,
    with_parts,
)
from dpbook.engine.language.task import expressions_of

LONG = 240  # characters of a statement, or of a condition, that is shown with names
TERM, LAW = 20, 60  # least characters of a term that recurs, and of a distribution, with a name
SAVED = 30  # least characters that a name saves
MOST = 12  # names in one statement
LETTERS = ("t", "u", "v", "w", "T", "U", "V", "W")  # of terms
CAPITALS = ("P", "Q", "R", "D")  # of distributions

Meant = tuple[Basic, Basic]  # a name, and its meaning


@dataclass(frozen=True)
class Named:
    """Hold a statement and its conditions with names, and the meaning of each name.

    A name stands below the name whose meaning uses it first, at the depth in `depths`.
    """

    form: Any
    given: tuple[Tree, ...]
    names: tuple[Meant, ...]
    depths: tuple[int, ...]


def with_names(
    form: Form,
    given: Sequence[Tree],
    abbreviations: Sequence[tuple[Symbol, Expr]],
    most: int = MOST,
) -> Named | None:
    """Return a statement with names for its parts; None if it is short, or no part gets a name.

    The symbols of the notation replace the parts that they abbreviate; there are up to `most` other
    names.
    """
    things: tuple[Any, ...] = (form, *given)
    if max(len(str(thing)) for thing in things) <= LONG:
        return None
    with sympy.evaluate(False):
        known = _known(abbreviations, _bound_by_distributions(things))
        others = [{w: s for w, s in known.items() if s != short} for short, _ in abbreviations]
        shown = [thing.map(partial(put_in, names=known)) for thing in things]
        meant = [put_in(m, o) for (_, m), o in zip(abbreviations, others, strict=True)]
        names = list[Meant]()
        bound = _bound([*things, *meant])
        fresh = _Fresh(things, abbreviations)
        lengths: dict[Basic, int] = {}
        while len(names) < most:
            part = _worst([*shown, *meant, *(inside for _, inside in names)], lengths)
            if part is None:
                break
            name = fresh.name(part, sorted(free_in(part) & bound, key=str))
            change: dict[Basic, Basic] = {part: name}
            shown = [thing.map(partial(put_in, names=change)) for thing in shown]
            meant = [put_in(m, change) for m in meant]
            names = [(other, put_in(inside, change)) for other, inside in names]
            names.append((name, part))
        if [str(a) for a in shown] == [str(b) for b in things]:
            return None
        symbols = [(short, m) for (short, _), m in zip(abbreviations, meant, strict=True)]
        told = list(in_order(shown, dict([*names, *symbols])))
        numbered = fresh.numbered([name for name, _, _ in told if name not in dict(symbols)])
        return Named(
            shown[0].map(partial(put_in, names=numbered)),
            tuple(thing.map(partial(put_in, names=numbered)) for thing in shown[1:]),
            tuple((put_in(name, numbered), put_in(inside, numbered)) for name, inside, _ in told),
            tuple(depth for _, _, depth in told),
        )


def _known(
    abbreviations: Sequence[tuple[Symbol, Expr]], indices: Iterable[Symbol]
) -> dict[Basic, Basic]:
    """Return the symbols of a statement by the expressions that they abbreviate, with unfolding.

    It also holds their values at the first value of an index of distributions.
    """
    known: dict[Basic, Basic] = {}
    for short, meant in abbreviations:
        whole = unfold_definitions(meant)
        if whole.args and len(text(whole)) > 8:
            known.setdefault(whole, short)
            for index in sorted(free_in(whole) & set(indices), key=str):
                first = whole.xreplace({index: Integer(1)})
                known.setdefault(first, _at_first(short, index, first))
    return known


def _at_first(short: Symbol, index: Symbol, meant: Expr) -> Symbol:
    """Return the symbol for an abbreviation at the first value of an index of distributions."""
    at = rf"{{\left. {latex(short)} \right|}}_{{{latex(index)} = 1}}"
    return RangedSymbol(f"{short.name}[{index.name} = 1]", latex=at, definition=lambda: meant)


def put_in(expression: Basic, names: Mapping[Basic, Basic]) -> Any:
    """Return an expression with names in place of parts; a part that cannot be changed stays."""
    return with_parts(expression, names, _as_it_stands)


def _as_it_stands(whole: Basic, arguments: Sequence[Basic]) -> Basic:
    if not isinstance(whole, Expr):
        return Basic.__new__(type(whole), *arguments)  # its constructor accepts no names
    try:
        return whole.func(*arguments)
    except (TypeError, ValueError):
        return whole


def _distribution(part: Basic) -> bool:
    return callable(getattr(part, "density", None))


def _worst(things: Sequence[Any], lengths: dict[Basic, int]) -> Basic | None:
    """Return the part whose name saves most characters."""
    count = Counter[Basic]()
    for thing in things:  # the meaning of a name is an expression, and needs no second name
        for expression in [thing] if isinstance(thing, Basic) else expressions_of(thing):
            found = [n for n in nodes_of(expression) if isinstance(n, Expr) or _distribution(n)]
            count.update(found[1:] if isinstance(thing, Basic) else found)
    best, saved = None, SAVED
    for part, times in count.items():
        named = isinstance(part, AppliedUndef) or not part.args
        # of a product that begins with a number, the rest may have a name
        signed = isinstance(part, sympy.Mul) and part.args[0].is_Number
        if named or (times == 1 and not _distribution(part)) or signed:
            continue
        if part not in lengths:
            lengths[part] = len(text(part))
        gain = (lengths[part] - 6) * (times if _distribution(part) else times - 1)
        if lengths[part] >= (LAW if _distribution(part) else TERM) and gain > saved:
            best, saved = part, gain
    return best


def _bound(things: Sequence[Any]) -> set[Symbol]:
    """Return the symbols that a sum, an integral, a mixture or "for all" binds."""
    found = {every.variable for every in everies(t for t in things if not isinstance(t, Basic))}
    for thing in things:
        for expression in [thing] if isinstance(thing, Basic) else expressions_of(thing):
            found |= bound_in(expression)
    return found | _bound_by_distributions(things)


def _bound_by_distributions(things: Sequence[Any]) -> set[Symbol]:
    """Return the symbols that a mixture binds."""
    found = set[Symbol]()
    for thing in things:
        for expression in [thing] if isinstance(thing, Basic) else expressions_of(thing):
            for node in nodes_of(expression):
                if _distribution(node):
                    inside = set().union(*(free_in(a) for a in node.args))
                    found |= inside - free_in(node)
    return found


class _Fresh:
    """Make names that occur nowhere else in a statement."""

    def __init__(self, things: Sequence[Any], abbreviations: Sequence[tuple[Symbol, Any]]) -> None:
        taken = {str(function) for function in unknowns_of(list(things))}
        for expression in (
            *(e for thing in things for e in expressions_of(thing)),
            *(meant for _, meant in abbreviations),
        ):
            for node in nodes_of(expression):
                if isinstance(node, Symbol):
                    taken |= {node.name, getattr(node, "latex_text", None) or node.name}
        begin = {name.partition("_")[0] for name in taken}
        self._letter = next((a for a in LETTERS if a not in begin), "term")
        self._capital = next((a for a in CAPITALS if a not in begin), "distribution")
        self._count = 0

    def name(self, part: Basic, of: Sequence[Symbol]) -> Basic:
        """Return a name for a part, with the bound symbols that the part depends on."""
        self._count += 1
        return _called(
            f"{self._capital if _distribution(part) else self._letter}_0{self._count}", of
        )

    def numbered(self, names: Sequence[Basic]) -> dict[Basic, Basic]:
        """Return names numbered from 1, in the order in which a reader meets them."""
        count = Counter[str]()
        made = dict[Basic, Basic]()
        for name in names:
            letter = str(name).partition("_")[0]
            count[letter] += 1
            made[name] = _called(f"{letter}_{count[letter]}", name.args)
        return made


def _called(name: str, of: Sequence[Basic]) -> Basic:
    return sympy.Function(name)(*of) if of else Symbol(name, real=True)


def in_order(
    shown: Sequence[Any], meanings: Mapping[Basic, Basic]
) -> Iterator[tuple[Basic, Basic, int]]:
    """Yield the names with their depth, each followed by the names that its meaning uses first."""
    met = set[Basic]()

    def below(expression: Basic, depth: int) -> Iterator[tuple[Basic, Basic, int]]:
        own = [n for n in nodes_of(expression) if n in meanings and n not in met]
        for node in dict.fromkeys(own):
            if node not in met:
                met.add(node)
                yield node, meanings[node], depth
                yield from below(meanings[node], depth + 1)

    for thing in shown:
        for expression in expressions_of(thing):
            yield from below(expression, 0)
