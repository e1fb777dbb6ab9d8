"""Refuse statements about all large values of an index that has no large values."""

from __future__ import annotations

import sympy
from sympy import Expr, Symbol

from dpbook.engine.evaluate.limits import limit_at
from dpbook.engine.evaluate.sampler import Sampler
from dpbook.engine.evaluate.signed import plain_domain, signed
from dpbook.engine.language.domain import Domain, DomainError, case_domains, collected, with_ranges
from dpbook.engine.language.statement import (
    Eventually,
    Order,
    Relation,
    unfold_definitions,
)
from dpbook.engine.language.task import Task, free_symbols


def refuse_bounded(task: Task) -> None:
    """Refuse a statement about all large values of an index, if the index has no large values.

    A condition on the index alone must hold for all its large values. A condition that ties it to
    other symbols (n_2 >= n_1 / 2) must leave points with huge values of the index; for a limit, at
    fixed values of the others, it must hold for all large values too.

    Raises
    ------
    DomainError
        When the index is bounded, or a constant of the statement moves with it.
    """
    form = task.form
    if not isinstance(form, (Eventually, Order)):
        return
    n, limit = form.index, form.limit if isinstance(form, Order) else None
    fixed = (form.constant, limit) if isinstance(form, Order) else ()
    for value in (*fixed, form.threshold):
        if value is not None and n in unfold_definitions(value).free_symbols:
            raise DomainError(
                f"constant, threshold and limit must not use the index {n}, got {value}"
            )
    given = [condition.map(unfold_definitions) for condition in task.given]
    free = collected([Relation(n, "==", n), *given])
    symbols = sorted(with_ranges(free_symbols(form) | set(free)), key=str)
    for domain in case_domains(symbols, given):
        clean, changes = plain_domain(domain)
        everything = sympy.Add(*clean.variables, evaluate=False)
        _, there = signed(everything, clean)
        index = next(v for v in there.variables if v.name == changes[n].name)
        ending = [
            r for r in there.relations() if index in r.free_symbols and not _lasting(r, index)
        ]
        if not ending:
            continue
        tied = all(len(r.free_symbols) > 1 for r in ending)
        if limit is not None or not tied or not _reaches_far(domain, n, form.threshold, task.seed):
            raise DomainError(
                f"the index {n} must be unbounded above, or a statement about all large "
                f"{n} says nothing; got {ending[0]}: leave that condition out"
            )


def _reaches_far(domain: Domain, n: Symbol, threshold: Expr | None, seed: int) -> bool:
    """Say whether the domain has points with huge values of an index."""
    least = [sympy.Integer(10) ** 8, sympy.Integer(10) ** 40]
    after = [] if threshold is None else [Relation(n, ">=", unfold_definitions(threshold))]
    return all(
        Sampler(domain.with_conditions(Relation(n, ">=", far), *after), seed).some() is not None
        for far in least
    )


def _lasting(relation: Relation, n: Symbol) -> bool:
    """Say whether a relation is shown to hold for all large values of a symbol."""
    limit = limit_at(relation.difference, n, sympy.oo)
    if limit is None or relation.op == "==":
        return False
    up = limit == sympy.oo or bool(limit.is_positive)
    down = limit == -sympy.oo or bool(limit.is_negative)
    return {"!=": up or down, ">": up, ">=": up, "<": down, "<=": down}[relation.op]
