"""Propose bounds of a function that are smaller than a stated supremum, or larger than an infimum."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import sympy
from sympy import Expr

from dpbook.engine.evaluate.sampler import Sampler, simplest_between
from dpbook.engine.language.domain import case_domains, collected
from dpbook.engine.language.statement import Extreme
from dpbook.engine.language.task import Task
from dpbook.engine.refute.author_examples import Told
from dpbook.engine.refute.trial import point_of

DRAWN = 60  # points of the set at which the values are taken
NEARER = (0.9, 0.5)  # where a bound is tried, between the largest of these values and the number


def other_bounds(task: Task) -> Iterator[Told]:
    """Yield points of the other symbols, with a number that may bound all values there."""
    form, sample = task.form, point_of(task)
    assert isinstance(form, Extreme)
    if sample is None or form.op == form.kind.within:
        return
    inside = {symbol.name for symbol, _ in form.over}
    told = tuple((name, value) for name, value in sample if name not in inside)
    try:
        at = {name: sympy.Rational(value) for name, value in told}
    except TypeError:
        return  # the values are no fractions

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return e.xreplace({s: at[s.name] for s in e.free_symbols if s.name in at})

    there = form.map(put)
    top = None
    for domain in case_domains(collected([there.f, *there.conditions]), there.conditions):
        drawn = Sampler(domain, task.seed).floats(DRAWN)
        for i in range(min(map(len, drawn.values()), default=1)):
            found = _number(there.f.xreplace({v: sympy.Float(x[i]) for v, x in drawn.items()}))
            if found is not None and (top is None or _beyond(form, found, top)):
                top = found
    stated = _number(there.value)
    name = form.bound(task.given).name
    if form.op in ("<", ">"):
        yield (*told, (name, str(there.value)))
    if top is None or (stated is not None and not _beyond(form, stated, top)):
        return
    for part in NEARER:
        far = 2 * top if stated is None else stated
        low, high = sorted(Fraction(top + share * (far - top)) for share in (part - 0.05, part))
        yield (*told, (name, str(simplest_between(low, high))))


def _number(e: Expr) -> float | None:
    """Return the value of an expression; None where it is no real number."""
    found = sympy.S(e).evalf()
    return float(found) if found.is_Float or found.is_Integer or found.is_Rational else None


def _beyond(form: Extreme, value: float, other: float) -> bool:
    """Say whether a value lies on the side of a supremum, seen from another one."""
    return value > other if form.kind.within == "<=" else value < other
