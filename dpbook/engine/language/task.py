"""Read a statement, its conditions and its lemmas into a task, in the caller's process."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy import Expr, Symbol

from dpbook.engine.language.budget import refuse_time_limit, time_in_all
from dpbook.engine.language.domain import (
    Bounds,
    DomainError,
    RangedSymbol,
    bound_names,
    collected,
    from_sympy_symbol,
)
from dpbook.engine.language.function_symbols import unknowns_of
from dpbook.engine.language.statement import (
    AlreadyEvaluated,
    Eventually,
    Every,
    Exists,
    Extreme,
    ForAll,
    Form,
    Order,
    Recurrence,
    Relation,
    Tree,
    as_form,
    as_tree,
    bindings,
    bound_renamed,
    entered,
    everies,
    free_in,
    operator_of,
    refuse_floats,
    refuse_long_products,
    refuse_lost_symbols,
    trees_of,
    unfold_abbreviations,
    unfold_definitions,
)


@dataclass(frozen=True)
class Lemma:
    """Represent a statement that a proof may use: a tree with its conditions, and its key.

    With an instance (values of symbols and of unknown functions) it is used at this instance only.
    Without one, an equality is applied wherever its left side occurs, and an inequality is used as
    it stands.
    """

    key: str
    relation: Tree
    given: tuple[Tree, ...] = ()
    instance: tuple[tuple[Any, Expr], ...] = ()

    def map(self, change: Callable[[Expr], Expr]) -> Lemma:
        """Apply `change` to every expression, and to the values that are put in."""
        return Lemma(
            self.key,
            self.relation.map(change),
            tuple(tree.map(change) for tree in self.given),
            tuple((what, change(value)) for what, value in self.instance),
        )


@dataclass(frozen=True)
class Task:
    """Hold everything that a worker needs to decide one statement."""

    form: Form
    given: tuple[Tree, ...] = ()
    using: tuple[Lemma, ...] = ()
    proof: tuple[tuple[str, Tree], ...] = ()
    seed: int = 0
    time_limit: float = 10.0
    candidates: tuple[dict[str, Any], ...] = ()
    example: tuple[tuple[Any, Expr], ...] = ()  # closed forms and numbers that are proposed
    # a planted fault: little is tried, and no certificate of its failure kept
    repeats: bool = False


@dataclass(frozen=True)
class Certified:
    """Hold a task that is decided with a search for a certificate, as plain data.

    Attributes
    ----------
    task : Task
    lemmas : mapping from claim keys to sequents as data
    budget : int
        Goals that the search may try, for the statement and each step: it counts work.
    depths : tuple of int
    net : float
        Seconds of work for one certificate, beyond which none is found.
    """

    task: Task
    lemmas: Mapping[str, Any]
    budget: int = 240
    depths: tuple[int, ...] = (0, 1, 2, 3)
    net: float = 150.0

    @property
    def time_limit(self) -> float:
        """Return the seconds of work: for points in two stages, and searches for and against."""
        return time_in_all(self.task.time_limit, self.net)

    @property
    def proof(self) -> tuple[tuple[str, Tree], ...]:
        """Return the steps, by which the whole time is measured."""
        return self.task.proof


def make_task(
    statement: Any,
    given: Iterable[Any] = (),
    *,
    using: Sequence[Lemma] = (),
    proof: Sequence[tuple[str, Any]] = (),
    seed: int = 0,
    time_limit: float = 10.0,
    candidates: Sequence[dict[Any, Any]] = (),
    example: Mapping[Any, Any] | None = None,
) -> Task:
    """Read a statement, its conditions and its lemmas, in the caller's process.

    Raises
    ------
    AlreadyEvaluated
        When the statement arrived as True or False.
    ValueError
        When something cannot be read: a float, two symbols of one name.
    """
    refuse_time_limit(time_limit)
    if not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be a whole number >= 0, got {seed!r}")
    with sympy.evaluate(False):
        form = as_form(statement)
        if isinstance(form, ForAll):
            form = replace(form, tree=_bound_entered(form.tree))
        trees = [_bound_entered(tree) for tree in conditions_of(given)]
        if isinstance(form, Extreme):
            form = _over_entered(form, trees)
        steps = [(title, _bound_entered(as_tree(step))) for title, step in proof]
    change, more = _declare_symbols(form, [*trees, *(step for _, step in steps)])
    keep_names = bool(using)

    def read(e: Expr) -> Expr:
        there = e.xreplace(change)
        return unfold_abbreviations(there) if keep_names else unfold_definitions(there)

    def moved(thing: Any) -> Any:
        for e in expressions_of(thing):
            refuse_long_products(e)
            refuse_lost_symbols(e)
        with sympy.evaluate(False):
            return thing.map(read)

    form = _symbols_changed(form, change)
    task = Task(
        form=moved(form),
        given=tuple(moved(tree) for tree in (*trees, *more)),
        using=tuple(lemma.map(unfold_abbreviations) for lemma in using),
        proof=tuple((title, moved(step)) for title, step in steps),
        seed=seed,
        time_limit=float(time_limit),
        candidates=tuple({str(k): _exact(v) for k, v in c.items()} for c in candidates),
        example=tuple((k, unfold_definitions(entered(v))) for k, v in (example or {}).items()),
    )
    _refuse_for_all_numbers(task)
    return _bound_apart(task)


def _refuse_for_all_numbers(task: Task) -> None:
    """Refuse a tree for all values of a variable if the task has no unknown function.

    Only points refute such a statement. No point shows that a condition holds for all values, and
    a point tried for a conclusion need not meet the conditions on that variable alone.
    """
    if unknowns_of([task.form, *task.given]):
        return
    if about := next(everies(task.given), None):
        raise ValueError(
            f"the condition ({about}) is for all {about.variable} and holds no unknown function: "
            "state it without, or as the claim on a function"
        )
    shown = [task.form.tree] if isinstance(task.form, ForAll) else []
    if under := next(everies(shown), None):
        more = ", and give what is asked of it as a condition" if under.conditions else ""
        raise ValueError(
            f"the statement ({under}) holds no unknown function: leave out 'for all "
            f"{under.variable}'{more}"
        )


def _exact(value: Any) -> Any:
    made = entered(value)
    refuse_floats(made)
    return made


def _bound_apart(task: Task) -> Task:
    """Give each bound symbol a plain symbol and a name of its own: no value is then captured."""
    things = (task.form, *task.given, *(step for _, step in task.proof), *task.using)
    expressions = [unfold_definitions(e) for thing in things for e in expressions_of(thing)]
    names = bound_names(expressions, bound_symbols(task.form))
    if not names:
        return task

    def apart(e: Expr) -> Expr:
        with sympy.evaluate(False):
            # a function that is kept by name may bind the symbol in its definition
            plain = unfold_definitions(e)
            renamed_here = any((v, whole) in names for v, whole, _ in bindings(plain))
            return bound_renamed(plain, names) if renamed_here else e

    return replace(
        task,
        form=task.form.map(apart),
        given=tuple(tree.map(apart) for tree in task.given),
        proof=tuple((title, tree.map(apart)) for title, tree in task.proof),
        using=tuple(lemma.map(apart) for lemma in task.using),
    )


def conditions_of(given: Any) -> list[Tree]:
    """Read conditions; leave out each condition that SymPy evaluated to True: it assumes nothing.

    Raises
    ------
    DomainError
        When a condition was evaluated to False.
    """
    try:
        return trees_of(listed(given))
    except AlreadyEvaluated as folded:
        why = "the conditions contradict each other: SymPy evaluated one to False"
        raise DomainError(why) from folded


def listed(given: Any) -> list[Any]:
    """Return conditions as a list; a single condition, such as a triple, is its only element."""
    if given is None:
        return []
    triple = isinstance(given, tuple) and len(given) == 3 and operator_of(given[1]) is not None
    if isinstance(given, (list, tuple, set, frozenset)) and not triple:
        return list(given)
    return [given]


def bound_symbols(form: Form) -> list[Symbol]:
    """Return the symbols that a form binds."""
    if isinstance(form, Exists):
        return [symbol for symbol, _ in form.witness]
    if isinstance(form, (Eventually, Order)):
        return [form.index]
    if isinstance(form, Recurrence):
        return [form.index, form.previous]
    return [symbol for symbol, _ in form.over] if isinstance(form, Extreme) else []


def expressions_of(thing: Any) -> list[Expr]:
    """Return the expressions of a form, a tree or a lemma."""
    found: list[Expr] = []

    def note(e: Expr) -> Expr:
        found.append(e)
        return e

    thing.map(note)
    return found


def free_symbols(thing: Any) -> set[Symbol]:
    """Return the free symbols of a form or a tree, written out."""
    return set().union(*(free_in(unfold_definitions(e)) for e in expressions_of(thing)))


def _declare_symbols(
    form: Form, trees: Sequence[Tree]
) -> tuple[dict[Symbol, Symbol], list[Relation]]:
    """Turn strangers' symbols into variables with ranges."""
    free = set(bound_symbols(form)).union(*map(free_symbols, (form, *trees)))
    if isinstance(form, Recurrence):
        free.discard(form.previous)
    change: dict[Symbol, Symbol] = {}
    more: list[Relation] = []
    for symbol in collected(free):
        if not isinstance(symbol, RangedSymbol):
            change[symbol], conditions = from_sympy_symbol(symbol)
            more += conditions
    return change, more


def _bound_entered(tree: Tree) -> Tree:
    """Turn strangers' symbols that a tree binds into variables with ranges, for this tree alone."""
    if isinstance(tree, Relation):
        return tree
    parts = tuple(map(_bound_entered, tree.parts))
    if not isinstance(tree, Every):
        return type(tree)(parts)
    variable, more = from_sympy_symbol(tree.variable)

    def own(e: Expr) -> Expr:
        return e.xreplace({tree.variable: variable})

    conditions = (_bound_entered(c).map(own) for c in tree.conditions)
    return Every(variable, parts[0].map(own), (*more, *conditions))


def _over_entered(form: Extreme, given: Sequence[Tree]) -> Extreme:
    """Turn the range of each symbol that a supremum binds into conditions of its set."""
    used = {s.name for tree in given for s in free_symbols(tree)}
    change: dict[Symbol, Symbol] = {}
    over: list[tuple[Symbol, tuple[Tree, ...]]] = []
    for symbol, conditions in form.over:
        if symbol.name in used:
            raise ValueError(
                f"a {form.kind.name} binds {symbol}: state conditions on it in its set, not in given"
            )
        ranged, more = from_sympy_symbol(symbol)
        within = (*more, *ranged.range.relations(ranged), *conditions)
        plain = RangedSymbol(symbol.name, Bounds(integer=ranged.integer))
        change |= {symbol: plain, ranged: plain}
        over.append((plain, within))
    return replace(form, over=tuple(over)).map(lambda e: e.xreplace(change))


def _symbols_changed(form: Form, change: dict[Symbol, Symbol]) -> Form:
    if isinstance(form, Exists):
        return replace(form, witness=tuple((change.get(s, s), v) for s, v in form.witness))
    if isinstance(form, (Eventually, Order, Recurrence)):
        return replace(form, index=change.get(form.index, form.index))
    return form
