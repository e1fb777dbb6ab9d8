"""Check the examples of an author: closed forms for unknown functions, and numbers for symbols.

Where no drawn example satisfies the conditions of a statement, an author's example may: a normal
density, an infinite sum. It is proposed, never trusted. The kernel shows each fact about the
functions, each range and each condition at the example, so that no proof under them is vacuous. If
the statement fails at the example, it is refuted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

import sympy
from sympy import Expr, Integral, Lambda, Sum, Symbol, Tuple

from dpbook.engine.evaluate.sampler import Sampler, short
from dpbook.engine.language.domain import case_domains, collected, range_of, with_ranges
from dpbook.engine.language.function_symbols import Unknown, Value, unknowns_of
from dpbook.engine.language.statement import (
    Both,
    Either,
    Every,
    ForAll,
    Tree,
    bindings,
    bound_renamed,
    unfold_definitions,
    with_limits,
)
from dpbook.engine.language.task import Task, free_symbols, make_task
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict
from dpbook.kernel.terms import fresh

Decide = Callable[[Task], Evidence]
Told = tuple[tuple[str, str], ...]
METHOD = "example"


class ExampleError(ValueError):
    """Report a supplied example that is wrong, or is not shown to be right."""


def example_point(task: Task, decide: Decide) -> Told:
    """Return the example as text, once it is shown to satisfy all conditions.

    Parameters
    ----------
    task : Task
        With an example.
    decide : callable
        Decides a statement without unknown functions; its proof must have a certificate.

    Raises
    ------
    ExampleError
        When a condition fails at the example, or is not shown there.
    """
    there = _There(task)
    for tree in there.conditions():
        for said, part in there.parts(tree):
            evidence = decide(part)
            if evidence.verdict is Verdict.REFUTED:
                raise ExampleError(f"the example fails the condition {said}")
            if evidence.verdict is not Verdict.PROVED or "proof" not in evidence.certificate:
                raise ExampleError(f"the example is not shown to satisfy the condition {said}")
    return there.told


def failing_at(task: Task, decide: Decide) -> Counterexample | None:
    """Return how a statement fails at its example, which meets the conditions; None if unknown."""
    if not isinstance(task.form, ForAll):
        return None
    there = _There(task)
    with suppress(ExampleError):
        for said, part in there.parts(task.form.tree):
            found = decide(part)
            if found.verdict is Verdict.REFUTED:
                at = found.counterexample or Counterexample(())
                point, note = (*there.told, *at.point), f"{said} fails there"
                return Counterexample(point, at.lhs, at.relation, at.rhs, note)
    return None


class _There:
    """Represent a statement at its example."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.unknowns = unknowns_of([task.form, *task.given])
        names = {f.name: f for f in self.unknowns}
        symbols = {s for thing in (task.form, *task.given) for s in free_symbols(thing)}
        known = {str(s): s for s in with_ranges(symbols)}
        self.functions: dict[Unknown, Lambda] = {}
        self.numbers: dict[Symbol, Expr] = {}
        for what, value in dict(task.example).items():
            if isinstance(what, Unknown) and names.get(what.name) == what:
                self._take_function(what, value)
            elif isinstance(what, Symbol) and known.get(what.name) == what:
                self.numbers[what] = value
            else:
                unknown = f"{what}, of which the statement does not speak"
                raise ExampleError(f"the example gives {unknown}")
        for function in self.unknowns:
            if function not in self.functions:
                raise ExampleError(f"the example gives no closed form of {function.name}")
        self._draw([s for s in known.values() if s not in self.numbers])
        for what, value in self.numbers.items():
            if value.free_symbols or (what.is_integer and not value.is_Integer):
                raise ExampleError(f"the example gives {what} = {value}, which is no number of it")
        for function, made in self.functions.items():
            others = {s: v for s, v in self.numbers.items() if s not in made.variables}
            with sympy.evaluate(False):
                inside = made.expr.xreplace(others)
                self.functions[function] = Lambda(made.variables, inside)
            if inside.free_symbols - set(made.variables) or inside.atoms(Unknown):
                raise ExampleError(f"the example gives {function.name} = {made}: no closed form")

    def _take_function(self, function: Unknown, made: Expr) -> None:
        if not isinstance(made, Lambda) or len(made.variables) != function.arity:
            raise ExampleError(f"{function.name} needs a Lambda of {function.arity} arguments")
        if set(made.variables) & {s for s, _, _ in bindings(made.expr)}:
            raise ExampleError(f"{function.name}: {made} binds an argument once more")
        self.functions[function] = made

    def _draw(self, symbols: list[Symbol]) -> None:
        """Draw numbers for the symbols that the example does not name, in their ranges."""
        for domain in case_domains(collected(symbols), []):
            point = Sampler(domain, self.task.seed).some()
            if point is not None:
                wanted = [v for v in domain.variables if v in symbols]
                self.numbers |= {v: sympy.sympify(short(point[v])) for v in wanted}
                return
        if symbols:
            raise ExampleError(f"no number is found for {', '.join(sorted(map(str, symbols)))}")

    @property
    def told(self) -> Told:
        """Return the numbers and the closed forms as text, by name."""
        found = {s.name: str(value) for s, value in self.numbers.items()}
        found |= {f.name: str(made) for f, made in self.functions.items()}
        return tuple(sorted(found.items()))

    def conditions(self) -> Iterator[Tree]:
        """Yield all conditions: the known facts about each function, ranges, given conditions."""
        for function in self.unknowns:
            yield from function.known()
        for symbol in sorted(self.numbers, key=str):
            yield from range_of(symbol)
        yield from self.task.given

    def parts(
        self, tree: Tree, given: Sequence[Tree] = (), bound: Mapping[Symbol, Symbol] | None = None
    ) -> Iterator[tuple[str, Task]]:
        """Yield the statements without unknown functions that make up a tree at the example."""
        bound = bound or {}
        if isinstance(tree, Every):
            name = fresh(tree.variable.name, {s.name for s in bound.values()})
            letter = Symbol(name, **{"integer" if tree.variable.is_integer else "real": True})
            inner = {**bound, tree.variable: letter}
            here = [self._plain(c, inner) for c in (*range_of(tree.variable), *tree.conditions)]
            yield from self.parts(tree.tree, (*given, *here), inner)
        elif isinstance(tree, Both):
            for part in tree.parts:
                yield from self.parts(part, given, bound)
        else:
            goal, task = ForAll(self._plain(tree, bound)), self.task
            yield str(tree), make_task(goal, given, seed=task.seed, time_limit=task.time_limit)

    def _plain(self, tree: Tree, bound: Mapping[Symbol, Symbol]) -> Tree:
        """Return a tree at the example; it may hold no statement about all values of a variable."""
        if isinstance(tree, Every):
            raise ExampleError(f"the condition ({tree}) within another one is not looked at")
        if isinstance(tree, (Both, Either)):
            return type(tree)(tuple(self._plain(part, bound) for part in tree.parts))
        values = {**self.numbers, **bound}
        with sympy.evaluate(False):
            return tree.map(lambda e: self._moved(unfold_definitions(e), values))

    def _moved(self, e: Expr, values: Mapping[Symbol, Expr]) -> Expr:
        if isinstance(e, Value):
            made = self.functions[e.function]
            at = [self._moved(a, values) for a in e.at]
            # bound symbols of the closed form get other names than the symbols that are put in
            taken = {s.name for a in at for s in a.atoms(Symbol)}
            names: dict[tuple[Symbol, bool], Symbol] = {}
            for variable, whole, _ in bindings(made.expr):
                name = fresh(variable.name, taken)
                names[variable, whole] = Symbol(name, **{"integer" if whole else "real": True})
                taken.add(name)
            body = bound_renamed(made.expr, names)
            return body.xreplace(dict(zip(made.variables, at, strict=True)))
        if not e.args:
            return values.get(e, e)
        if isinstance(e, (Integral, Sum)):
            own = {s: v for s, v in values.items() if s not in e.variables}
            limits = [Tuple(v, *(self._moved(end, own) for end in ends)) for v, *ends in e.limits]
            return with_limits(type(e), self._moved(e.function, own), *limits)
        return e.func(*(self._moved(a, values) for a in e.args))
