"""Decide a statement of your own, in one public call."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy

from dpbook.engine.language.budget import WHOLE, Later
from dpbook.engine.language.statement import (
    AlreadyEvaluated,
    ForAll,
    Noted,
    StatementError,
    Statistical,
    as_form,
    bindings,
    free_in,
    text,
    typed,
)
from dpbook.engine.language.task import (
    Certified,
    Lemma,
    Task,
    conditions_of,
    expressions_of,
    free_symbols,
    listed,
    make_task,
)
from dpbook.engine.language.verdict import NO_INTEGER, Evidence, Verdict
from dpbook.engine.prove.proofs import kernel_checked, without_certificate
from dpbook.engine.read.decimals import found_in_decimals, typed_decimals, with_decimals
from dpbook.engine.read.readings import (
    Statement,
    probability_ranges,
    read,
    read_statement,
    without_chosen_events,
)
from dpbook.engine.run import workers

# without lemmas the ledger is not needed, and its import takes time
_ledger = Later("dpbook.engine.claims.ledger")


def check(
    statement: Any,
    given: Any = (),
    using: Sequence[Any] = (),
    seed: int = 0,
    time_limit: float = 10.0,
) -> Evidence:
    """Decide a statement of your own.

    Parameters
    ----------
    statement : relational, And of relationals, triple (lhs, relation, rhs), or text
        A symbol without a range is real, or integer if so declared. Text is parsed by the grammar
        of ``dpbook check`` and never evaluated; text with a backslash is read as LaTeX.
    given : relational, text, or a list of them
        Conditions under which the statement must hold.
    using : sequence of keys or claims
        Proved statements that the proof may use, each with the names of its own symbols. A pair
        ``(key, values)`` puts values in: `values` is a function without arguments that returns a
        mapping from the symbols and the unknown functions of the claim. For example,
        ``("privacy:events", lambda: {first_delta: 0})`` uses the claim where its delta is 0.
    seed : int
        Seed of the random points.
    time_limit : float
        Seconds of work for each stage of the search, in a separate process. A busy machine takes
        longer.

    Returns
    -------
    Evidence
        For an `and` the weakest verdict, with the part that gave it. The evidence is true in a
        condition if the statement `holds`: proved by the kernel, or by rules for limits alone.

    Raises
    ------
    ValueError
        When the statement cannot be read, SymPy has evaluated it to True or False, or its conditions
        contradict each other.

    Examples
    --------
    >>> check("exp(x) >= 1 + x").verdict.value
    'proved'
    """
    return decided_by(workers.run_one, statement, given, using, seed, time_limit)


def decided_by(
    decide: Callable[[Task | Certified], Evidence],
    statement: Any,
    given: Any = (),
    using: Sequence[Any] = (),
    seed: int = 0,
    time_limit: float = 10.0,
) -> Evidence:
    """Decide a statement as `check` does, by a function that decides its task."""
    started = time.perf_counter()
    try:
        whole, conditions, decimals = _read_text(statement, given)
        as_text = isinstance(statement, (str, Statement))
        texts = (whole, *conditions) if as_text else ()
        conditions += probability_ranges(texts)
        lemmas: list[Lemma] = _ledger.lemmas(using) if using else []
        task = make_task(whole, conditions, using=lemmas, seed=seed, time_limit=time_limit)
    except AlreadyEvaluated as folded:
        raise StatementError(
            f"the statement arrived as {folded.value}: SymPy, or Python, evaluated it while it was "
            'built; pass it as text, or as a triple such as (lhs, ">=", rhs)'
        ) from None
    tried = isinstance(task.form, (Statistical, Noted))  # of these there are no certificates
    keys = {lemma.key for lemma in lemmas}
    sequents = _ledger.statements(keys) if keys else {}
    job = task if tried else Certified(task, sequents, net=WHOLE * time_limit)
    evidence = without_chosen_events(decide(job), texts)
    if "proof" in evidence.certificate:
        # without lemmas, the kernel refuses a proof that uses one
        among = _ledger.lemmas_among(keys) if keys else lambda certificate: ({}, ())
        evidence = kernel_checked(evidence, task.form, task.given, among)
    elif evidence.verdict is Verdict.PROVED:  # only the kernel proves
        evidence = without_certificate(evidence)
    with sympy.evaluate(False):
        form, assumed = as_form(whole), conditions_of(conditions)
        remarks = [evidence.reason]
        point = evidence.counterexample
        if point is not None and NO_INTEGER in point.note:
            counted = _counted_to(form)
            remarks += [f'for an integer {n} add the condition "{n} in integers"' for n in counted]
        if not as_text:
            remarks.append(_maybe_folded(form))
        evidence = replace(evidence, reason="; ".join(filter(None, remarks)))
        if decimals and (typed_ones := typed_decimals(decimals)):
            form = form.map(partial(with_decimals, shown=typed_ones))
            assumed = [tree.map(partial(with_decimals, shown=typed_ones)) for tree in assumed]
            if evidence.counterexample is not None:
                found = found_in_decimals(evidence.counterexample)
                evidence = replace(evidence, counterexample=found)
        free = {s.name for thing in (form, *assumed) for s in free_symbols(thing) if s.is_integer}
        return replace(
            evidence,
            statement=str(form),
            latex=form.latex(),
            given=(*(f"{name} in integers" for name in sorted(free)), *map(typed, assumed)),
            seconds=time.perf_counter() - started,
        )


def _maybe_folded(form: Any) -> str:
    """Warn if SymPy may have evaluated a side before it was read: x/x is 1 by then."""
    for relation in form.tree.relations() if isinstance(form, ForAll) else ():
        if relation.lhs == relation.rhs or not relation.free_symbols:
            return (
                f"its sides arrived as {text(relation.lhs)} and {text(relation.rhs)}: if they were "
                "written otherwise, SymPy evaluated them; as text they are read as they are written"
            )
    return ""


def _read_text(statement: Any, given: Any) -> tuple[Any, list[Any], Sequence[str]]:
    """Read all text, where names mean the symbols of the other parts; return decimals apart."""
    conditions = [given] if isinstance(given, str) else listed(given)
    others = [condition for condition in conditions if not isinstance(condition, str)]
    written = [condition for condition in conditions if isinstance(condition, str)]
    if not isinstance(statement, (str, Statement)) and not written:
        return statement, conditions, ()
    if isinstance(statement, str) and not others:
        statement, conditions = read_statement(statement, conditions), []
    if isinstance(statement, Statement) and not conditions:
        given = [statement.given] if statement.given.parts else []
        return statement.tree, given, statement.decimals
    with sympy.evaluate(False):
        trees: list[Any] = list(conditions_of(others))
        if not isinstance(statement, str):
            trees.append(as_form(statement))
    symbols = {free.name: free for tree in trees for free in free_symbols(tree)}
    decimals: list[str] = []

    def made(thing: Any) -> Any:
        if not isinstance(thing, str):
            return thing
        reading = read(thing)
        decimals.extend(reading.decimals)
        return reading.condition(symbols)

    return made(statement), [*others, *map(made, written)], decimals


def _counted_to(form: Any) -> list[str]:
    """Return the names n of real numbers such that a sum or product ends at n, or at n + 1."""
    names = set[str]()
    for side in expressions_of(form):
        for end in (end for _, counts, ends in bindings(side) if counts for end in ends):
            parts = [part for part in sympy.Add.make_args(end) if not part.is_Integer]
            if len(parts) == 1 and parts[0] in free_in(side) and not parts[0].is_integer:
                names.add(parts[0].name)
    return sorted(names)
