"""Find values of integrals: the search proposes a value, and the kernel accepts it.

Points are then tried with these values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import sympy
from sympy import Basic, Expr, Integral, Symbol

from dpbook.engine.language.budget import attempt
from dpbook.engine.language.statement import Both, Relation
from dpbook.engine.language.terms import name_of, term_of
from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.proofs import METHOD, words
from dpbook.engine.prove.sequents import universal
from dpbook.engine.prove.tactics.core import Exhausted, Search
from dpbook.engine.prove.tactics.integrals import valued
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.engine.read.readings import read_printed
from dpbook.kernel import Rejected, check
from dpbook.kernel.formulas import Relation as Formula
from dpbook.kernel.formulas import Sequent

GOALS = 60  # goals that the search for the value of one integral may try
SECONDS = 20.0  # seconds of work for all integrals of a statement: a safety net
VALUES = "values of integrals that the kernel accepts"


@dataclass(frozen=True)
class Closed:
    """Hold relations with values in place of all integrals, and the trusted base of the values."""

    relations: list[Relation]
    trusted: tuple[str, ...]


def closed(
    relations: Sequence[Relation], given: Sequence[Relation], seconds: float = SECONDS
) -> Closed | None:
    """Put values in place of integrals; None where the kernel accepts no value of an integral.

    Parameters
    ----------
    relations : sequence of Relation
        Their integrals stand in no other integral.
    given : sequence of Relation
        The conditions under which the values hold.
    seconds : float
        Seconds of work for all integrals, at most.
    """
    symbols = {name_of(s): s for r in (*relations, *given) for s in r.free_symbols}
    sides = [side for relation in relations for side in (relation.lhs, relation.rhs)]
    values: dict[Expr, Expr] = {}
    trusted: dict[str, None] = {}

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return e.xreplace(values)

    with attempt(min(seconds, SECONDS), Exhausted, Rejected):
        with sympy.evaluate(False):
            base = universal(Both(tuple(relations)), given)
        for integral in dict.fromkeys(one for side in sides for one in _outermost(side)):
            found = _value(integral, base, symbols)
            if found is None:
                return None
            values[integral], more = found
            trusted |= dict.fromkeys(name for name in more if name != METHOD)
        return Closed([relation.map(put) for relation in relations], (VALUES, *trusted))
    return None


def _outermost(e: Basic) -> Iterator[Integral]:
    """Yield the integrals that stand in no other integral."""
    if isinstance(e, Integral):
        yield e
        return
    for argument in e.args:
        yield from _outermost(argument)


def _value(
    integral: Integral, base: Sequent, symbols: dict[str, Symbol]
) -> tuple[Expr, tuple[str, ...]] | None:
    """Return the value of an integral on a domain, with the trusted base of its proof."""
    with sympy.evaluate(False):
        term = term_of(integral)
    found = valued(Search(TACTICS, {}, GOALS), base, term)
    if found is None:
        return None
    value, node = found
    equal = base.showing(Formula(term, "==", value))
    trust = check(equal, explicit(equal, node))
    with sympy.evaluate(False):
        written = read_printed(str(value))
        back = {s: symbols[s.name] for s in written.free_symbols if s.name in symbols}
        known = len(back) == len(written.free_symbols)
        return (written.xreplace(back), words(trust)) if known else None
