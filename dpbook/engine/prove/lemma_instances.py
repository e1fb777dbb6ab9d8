"""Find the values at which a lemma is used: its left side stands in the statement there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy
from sympy import Expr, Symbol

from dpbook.engine.language.statement import Relation, bound_in, differentiates, unfold_definitions
from dpbook.engine.language.task import Lemma, Task, expressions_of


def rewriting_instances(task: Task, lemma: Lemma) -> list[dict[Symbol, Expr]]:
    """Return the values at which the left side of a lemma stands in a task's statement or steps."""
    if not isinstance(lemma.relation, Relation) or lemma.relation.op != "==":
        return []
    found: list[dict[Symbol, Expr]] = []
    for thing in (task.form, *(tree for _, tree in task.proof)):
        expressions = expressions_of(thing)
        bound = {v for e in expressions for v in bound_in(unfold_definitions(e))}
        for e in expressions:
            for instance in _matches(lemma.relation.lhs, e):
                captured = any(v.free_symbols & bound for v in instance.values())
                if not captured and instance not in found:
                    found.append(instance)
    return found


def _matches(pattern: Expr, e: Any) -> Iterator[dict[Symbol, Expr]]:
    match = _matched(pattern, e, pattern.free_symbols, {})
    if match is not None:
        yield match
    elif not differentiates(e):  # equality on a domain need not carry over to derivatives
        for argument in e.args:
            yield from _matches(pattern, argument)


def _matched(
    pattern: Any, e: Any, wild: set[Symbol], known: dict[Symbol, Expr]
) -> dict[Symbol, Expr] | None:
    if pattern in wild:
        if pattern in known:
            return known if known[pattern] == e else None
        return {**known, pattern: e}
    if not pattern.args:
        return known if pattern == e else None
    if pattern.func != e.func or len(pattern.args) != len(e.args):
        return None
    for p, a in zip(pattern.args, e.args, strict=True):
        found = _matched(p, a, wild, known)
        if found is None:
            return None
        known = found
    return known


def put_in(instance: Mapping[Symbol, Expr]) -> Callable[[Expr], Expr]:
    """Return a function that puts values into an expression.

    It writes out abbreviations first: a symbol that they hide would stay otherwise.
    """

    def put(e: Expr) -> Expr:
        with sympy.evaluate(False):
            return unfold_definitions(unfold_definitions(e).xreplace(dict(instance)))

    return put
