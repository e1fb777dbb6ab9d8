"""Compute limits of quotients: a wrong limit refutes a statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy
from sympy import Expr, Symbol

from dpbook.engine.evaluate.exact_points import compare_at
from dpbook.engine.evaluate.known import Known
from dpbook.engine.evaluate.limits import limit_at_infinity, signed
from dpbook.engine.evaluate.sampler import Sampler, short
from dpbook.engine.language.domain import Domain, case_domains, collected
from dpbook.engine.language.statement import ForAll, Order, Relation, evaluated, unfold_definitions
from dpbook.engine.language.task import Task
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict

RULES = "rules for limits"


def decided_limit(task: Task, proves: Callable[[Task], bool]) -> Evidence | None:
    """Decide ``f / g -> limit`` by rules for limits; None where they say nothing.

    Another limit refutes the statement, where both sides are shown to be defined. The right limit
    only supports it: the rules leave no certificate.

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
    there, symbols = signed(domain)
    found = limit_at_infinity(evaluated(quotient, symbols), symbols[n])
    if found is None:  # no rule gives the limit
        return None
    note = f"the limit is {found}"
    if found in (sympy.oo, -sympy.oo):
        counterexample: Counterexample | None = Counterexample((), note=note)
    elif Known(there).equal(found, evaluated(limit, symbols)):
        reason = f"{note}; it has no certificate that the kernel could check"
        trusted = ("tactic limits",)
        return Evidence(Verdict.SUPPORTED, "limit", trusted, reason=reason, sample=sample)
    else:
        counterexample = _elsewhere(found, limit, symbols, n, domain, task.seed)
    if counterexample is None:
        return None
    defined = ForAll(Relation(quotient, "==", quotient))
    if not proves(replace(task, form=defined, using=(), proof=())):
        return None
    return Evidence(Verdict.REFUTED, "limit", (RULES, "Arb"), counterexample, sample=sample)


def _elsewhere(
    found: Expr, limit: Expr, symbols: dict[Symbol, Symbol], n: Symbol, domain: Domain, seed: int
) -> Counterexample | None:
    """Return a point at which the limit that was found certainly differs from the stated limit."""
    for trial in Sampler(domain, seed).simple(10):
        exact = {symbols[v]: x for v, x in trial.items()}
        if compare_at(found, "!=", evaluated(limit, symbols), exact) is True:
            where = tuple((v.name, short(x)) for v, x in trial.items() if v != n)
            return Counterexample(where, note=f"the limit is {found}")
    return None
