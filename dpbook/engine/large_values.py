"""Statements about all large values of an index: which are refused, and which limits are wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy
from sympy import Expr, Symbol, sympify

from dpbook.engine.compile import compare_at
from dpbook.engine.domain import Domain, DomainError, case_domains, collected, with_ranges
from dpbook.engine.methods.limits import limit_at, tends_to
from dpbook.engine.methods.signs import Signs
from dpbook.engine.points import Sampler
from dpbook.engine.refute import short
from dpbook.engine.signed import plain_domain, signed
from dpbook.engine.statement import (
    Eventually,
    ForAll,
    Order,
    Relation,
    evaluated,
    unfold_definitions,
)
from dpbook.engine.task import Task, free_symbols
from dpbook.engine.verdict import Counterexample, Evidence, Verdict

RULES = "rules for limits"


def refuse_bounded(task: Task) -> None:
    """Refuse a statement about all large values of an index that has none; others pass.

    What is assumed of the index alone must hold for all its large values. What ties it to other
    symbols (n_2 >= n_1 / 2) must leave points with huge values of it; for a limit, at fixed values of
    the others, it must hold for all large values too.

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
    """Whether the domain has points with huge values of an index."""
    least = [sympy.Integer(10) ** 8, sympy.Integer(10) ** 40]
    after = [] if threshold is None else [Relation(n, ">=", unfold_definitions(threshold))]
    return all(
        Sampler(domain.with_conditions(Relation(n, ">=", far), *after), seed).some() is not None
        for far in least
    )


def _lasting(relation: Relation, n: Symbol) -> bool:
    """Whether a relation is shown to hold for all large values of a symbol."""
    limit = limit_at(relation.difference, n, sympy.oo)
    if limit is None or relation.op == "==":
        return False
    up = limit == sympy.oo or bool(limit.is_positive)
    down = limit == -sympy.oo or bool(limit.is_negative)
    return {"!=": up or down, ">": up, ">=": up, "<": down, "<=": down}[relation.op]


def decided_limit(task: Task, proves: Callable[[Task], bool]) -> Evidence | None:
    """Decide ``f / g -> limit`` by rules for limits; None where they say nothing.

    Another limit refutes the statement, where both sides are shown to be defined. The right one
    supports it only: the rules leave no certificate.

    Parameters
    ----------
    proves : function
        Says whether the kernel proves a task.
    """
    form = task.form
    assert isinstance(form, Order)
    assert form.limit is not None
    f, g, limit = (unfold_definitions(e) for e in (form.f, form.g, form.limit))
    given = [condition.map(unfold_definitions) for condition in task.given]
    n = form.index
    domains = case_domains(
        collected([Relation(f, "==", g), Relation(limit, "==", n), *given]), given
    )
    if len(domains) != 1:
        return None
    with sympy.evaluate(False):
        quotient = f if g == 1 else f / g
    domain = domains[0]
    point = Sampler(domain, task.seed).some()
    if point is None:
        return Evidence(Verdict.UNDECIDED, reason="no point of the domain was found")
    sample = tuple((v.name, short(point[v])) for v in domain.variables)
    clean, changes = plain_domain(domain)
    _, there = signed(evaluated(quotient, changes) - evaluated(limit, changes), clean)
    names = {v.name: v for v in there.variables}
    symbols = {old: names.get(new.name, new) for old, new in changes.items()}
    outcome, found = tends_to(
        evaluated(quotient, symbols),
        evaluated(limit, symbols),
        symbols[n],
        there,
        Signs(there).positive,
    )
    if outcome == "proved":
        return Evidence(
            Verdict.SUPPORTED,
            method="limit",
            trusted=("tactic limits",),
            reason=f"{found}; it has no certificate that the kernel could check",
            sample=sample,
        )
    counterexample = None
    if outcome == "refuted":
        counterexample = Counterexample((), note=found)
    elif outcome == "different":
        counterexample = _elsewhere(found, limit, symbols, n, domain, task.seed)
    if counterexample is None:
        return None
    defined = ForAll(Relation(quotient, "==", quotient))
    if not proves(replace(task, form=defined, using=(), proof=())):
        return None
    return Evidence(
        Verdict.REFUTED,
        method="limit",
        trusted=(RULES, "Arb"),
        counterexample=counterexample,
        sample=sample,
    )


def _elsewhere(
    found: str, limit: Expr, symbols: dict[Symbol, Symbol], n: Symbol, domain: Domain, seed: int
) -> Counterexample | None:
    """Return a point at which the limit that was found certainly is another one than is said."""
    for trial in Sampler(domain, seed).simple(10):
        exact = {symbols[v]: x for v, x in trial.items()}
        value = sympify(found, locals={v.name: v for v in exact})
        if compare_at(value, "!=", evaluated(limit, symbols), exact) is True:
            where = tuple((v.name, short(x)) for v, x in trial.items() if v != n)
            return Counterexample(where, note=f"the limit is {found}")
    return None
