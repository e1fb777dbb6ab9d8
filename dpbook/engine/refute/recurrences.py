"""Search for an index at which a recurrence fails.

The sequence runs over all integers from its first index on, whatever the conditions say about the
index. The conditions say where the closed form must hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product

import sympy
from sympy import Expr, Integer, Symbol

from dpbook.engine.language.budget import Deadline
from dpbook.engine.language.definedness import plain_needs
from dpbook.engine.language.domain import Bounds, Domain, case_domains, collected, first_index
from dpbook.engine.language.statement import (
    Recurrence,
    Relation,
    Tree,
    evaluated,
    unfold_definitions,
)
from dpbook.engine.language.verdict import Counterexample
from dpbook.engine.refute.search import Refuter
from dpbook.kernel.terms import fresh

FOLLOWED = 12  # indices at which the sequence is compared with the closed form
LONG = 2000  # operations in a term of a sequence that is followed


def refuted(
    form: Recurrence, given: Sequence[Tree], seed: int, deadline: Deadline
) -> Counterexample | None:
    """Return a point at which a recurrence fails; None where no point is found.

    It fails where a step on the way to the index has no value, and where the sequence, followed
    from its start, differs from the closed form.
    """
    low = first_index(form, given)
    given = [condition.map(unfold_definitions) for condition in given]
    form = form.map(unfold_definitions)
    # the previous term is no symbol of the domain, and may have the name of one
    step = form.step.xreplace({form.previous: form.start})
    sides = [Relation(form.start, "==", form.closed_form), Relation(step, "==", low)]
    symbols = collected([*sides, *given])
    symbols += [form.index] if form.index not in symbols else []
    for domain, way in product(case_domains(symbols, given), (_without_step, _followed)):
        found = way(form, low, domain, seed, deadline)
        if found is not None:
            return found
    return None


def _without_step(
    form: Recurrence, low: Expr, domain: Domain, seed: int, deadline: Deadline
) -> Counterexample | None:
    """Return a point where a step before the index has no value, whatever the term before it is."""
    name = fresh("j", {v.name for v in domain.variables})
    j = Symbol(name, integer=True)
    before = domain.with_variable(j, Bounds(low, False, None, False, True)).with_conditions(
        Relation(j, "<", form.index)
    )
    for need in plain_needs(form.step):
        if form.previous in need.relation.free_symbols:
            continue  # it depends on the term before
        with sympy.evaluate(False):
            wanted = need.relation.map(lambda e: e.xreplace({form.index: j}))
        least = before.bounds[form.index].lower
        least = low if least is None else least
        index = form.index.name
        roots = [{name: r, index: sympy.Max(r + 1, least)} for r in _near_roots(wanted, j)]
        refuter = Refuter([wanted], before, seed, deadline, roots)
        found = refuter.quick() or refuter.thorough()
        if found is not None:
            point = tuple(p for p in found.point if p[0] != name)
            after = evaluated(Integer(dict(found.point)[name]) + 1)
            why = f"x({after}) is undefined: {need.why}, {wanted} fails at {name} = {after - 1}"
            return Counterexample(point, note=why)
    return None


def _near_roots(relation: Relation, j: Symbol) -> Iterator[Expr]:
    """Yield integers at and beside the real roots of a polynomial in one symbol."""
    difference = relation.map(evaluated).difference
    if difference.free_symbols != {j} or not difference.is_polynomial(j):
        return
    with suppress(NotImplementedError, sympy.PolynomialError):
        for root in sympy.real_roots(difference, j):
            there = sympy.floor(root)
            yield from (there, there + 1, there + 2)


def _followed(
    form: Recurrence, low: Expr, domain: Domain, seed: int, deadline: Deadline
) -> Counterexample | None:
    """Return an index near the start at which the sequence differs from the closed form."""
    value = form.start.xreplace({form.index: low})
    for count in range(FOLLOWED):
        here = evaluated(low + count)
        there = domain.with_conditions(Relation(form.index, "==", here))
        with sympy.evaluate(False):
            relation = Relation(form.closed_form.xreplace({form.index: here}), "==", value)
        found = Refuter([relation], there, seed, deadline).quick()
        if found is not None:
            return replace(found, point=tuple(sorted(found.point)))
        with sympy.evaluate(False):
            value = form.step.xreplace({form.index: here, form.previous: value})
        if sympy.count_ops(value) > LONG:
            break
    return None
