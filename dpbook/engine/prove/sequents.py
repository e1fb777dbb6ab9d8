"""Translate from SymPy to the kernel: expressions become terms, statements become sequents.

Each form of a statement becomes one sequent here and nowhere else. The goal says first that its
terms are defined; the terms of a condition are assumed to be defined as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import sympy
from sympy import Symbol

from dpbook.engine.language.domain import DomainError, RangedSymbol, first_index, with_ranges
from dpbook.engine.language.function_symbols import unknowns_of
from dpbook.engine.language.statement import (
    Eventually,
    Exists,
    Extreme,
    ForAll,
    Form,
    Order,
    Recurrence,
    Relation,
    Tree,
    unfold_definitions,
)
from dpbook.engine.language.terms import (
    Untranslatable,
    assumed,
    conjunction,
    declared,
    formula_of,
    free_of,
    function_name,
    name_of,
    natural,
    plain,
    strict,
    term_of,
)
from dpbook.kernel import formulas as k
from dpbook.kernel.formulas import Formula, Sequent
from dpbook.kernel.terms import (
    BINDERS,
    ONE,
    ZERO,
    Term,
    bind,
    call,
    div,
    fresh,
    mul,
    neg,
    rebuilt,
    substitute,
    subterms,
    var,
)


def universal(tree: Tree, given: Sequence[Tree], more: Iterable[Symbol] = ()) -> Sequent:
    """Return a tree, for all values of its symbols under conditions, as a sequent."""
    variables, ranges = declared({*free_of([tree, *given]), *more})
    named = unknowns_of([tree, *given])
    with sympy.evaluate(False):
        known = [condition for function in named for condition in function.known()]
        # the facts about a sequence name the function from which on it is small
        open_ = unknowns_of([tree, *given, *known])
        known += [c for function in open_ if function not in named for c in function.known()]
    conditions = [assumed(formula_of(condition)) for condition in (*known, *given)]
    hypotheses = tuple(p for f in (*ranges, *conditions) for p in k.flat(f))
    functions = tuple((function_name(function), function.arity) for function in open_)
    if {name for name, _ in functions} & {name for name, _ in variables}:
        raise Untranslatable("a function has the name of a variable")
    goal = strict(formula_of(tree))
    return Sequent(variables, functions, tuple(dict.fromkeys(hypotheses)), goal)


def sequent_of(form: Form, given: Sequence[Tree] = ()) -> Sequent:
    """Return a statement as a sequent.

    Raises
    ------
    Untranslatable
        When the form has no sequent of its own: its proof gives a threshold, or a constant, first.
    """
    if isinstance(form, ForAll):
        return universal(form.tree, given)
    if isinstance(form, Recurrence):
        return _recurrence(form, given)
    if isinstance(form, Exists):
        return witnessed(form, given)
    if isinstance(form, Extreme):
        with sympy.evaluate(False):
            return universal(form.tree(form.bound(given)), given)
    if isinstance(form, Eventually) and form.threshold is not None:
        return beyond(form, given, term_of(unfold_definitions(form.threshold)))
    raise Untranslatable(f"a statement of the form {type(form).__name__} needs a threshold")


def start_of(form: Recurrence, given: Sequence[Tree]) -> Term:
    """Return the first index of a sequence as a term."""
    try:
        return term_of(first_index(form, given))
    except DomainError as error:
        raise Untranslatable(str(error)) from None


def of_closed_form(form: Recurrence, given: Sequence[Tree]) -> Sequent:
    """Return the sequent that the closed form of a sequence has values, with all its symbols."""
    closed, start = (Relation(e, "==", e) for e in (form.closed_form, form.start))
    others = unfold_definitions(form.step).free_symbols - {form.previous}
    return universal(closed, given, {*others, *free_of([start]), form.index})


def _recurrence(form: Recurrence, given: Sequence[Tree]) -> Sequent:
    """Return a recurrence as a sequent about an unknown function that starts and steps as stated.

    The goal says that each step before the index has a value. This is not assumed: without these
    values there is no sequence.
    """
    low, n, step = start_of(form, given), name_of(form.index), unfold_definitions(form.step)
    base = of_closed_form(form, given)
    taken = set(dict(base.variables))
    name, there = fresh("sequence", taken), fresh("j", taken)
    j = var(there)
    before = Symbol(fresh("previous", {name_of(s) for s in step.free_symbols}), real=True)
    with sympy.evaluate(False):
        stepped = term_of(step.xreplace({form.previous: before}))
    values = {n: j, name_of(before): call(name, j)}
    following = substitute(stepped, values)
    earlier = (k.Relation(j, ">=", low), k.Relation(j, "<", var(n)))
    rule = k.All(there, "integer", earlier, k.Relation(call(name, j + ONE), "==", following))
    start = substitute(term_of(unfold_definitions(form.start)), {n: low})
    first = k.Relation(call(name, low), "==", start)
    goal = k.Relation(call(name, var(n)), "==", term_of(unfold_definitions(form.closed_form)))
    parts = [p for p in k.flat(base.goal) if isinstance(p, k.Is) and p.what == "defined"]
    parts += [k.Is("defined", t) for t in (start,) if not plain(t)]
    # each step has a value: a part without the index is named once, other parts for each index
    said = {part for p in parts for part in _strict_parts(p.term)}
    steps: list[Formula] = []
    for part in dict.fromkeys(_not_plain(following, name)):
        defined = k.Is("defined", part)
        if there in part.free:
            steps.append(k.All(there, "integer", earlier, defined))
        elif part not in said:
            steps.append(defined)
    hypotheses = (*base.hypotheses, *k.flat(assumed(first)), rule)
    return Sequent(base.variables, ((name, 1),), hypotheses, conjunction((*parts, *steps, goal)))


def _strict_parts(t: Term) -> Iterator[Term]:
    """Yield parts of sums, products and powers: they have values wherever the whole has one."""
    yield t
    if t.head in ("add", "mul", "pow"):
        for part in t.args:
            yield from _strict_parts(part)


def _not_plain(t: Term, sequence: str) -> Iterator[Term]:
    """Yield parts such that a term has a value just where all of them have one."""
    if t.head == sequence or plain(t):  # a function that is left open has values everywhere
        return
    if t.head in ("add", "mul"):
        for part in t.args:
            yield from _not_plain(part, sequence)
    elif t.head == "pow" and natural(t.args[1]):
        yield from _not_plain(t.args[0], sequence)
    else:
        yield t


# --- the same statement ---------------------------------------------------------------------------


def same_statement(form: Form, given: Sequence[Tree], sequent: Sequent) -> bool:
    """Say whether a proof of a sequent is a proof of a statement.

    The sequents agree except for the names of bound variables. A threshold, or a constant, that the
    statement leaves open is read from the sequent; any value will do that does not move with the
    index.
    """
    try:
        with sympy.evaluate(False):  # as the search has it: SymPy would make 0 of an empty sum
            if isinstance(form, Order) or (isinstance(form, Eventually) and form.threshold is None):
                return any(
                    same(own, sequent)
                    for threshold in _thresholds(form.index, sequent)
                    for own in _from_threshold(form, given, threshold, sequent)
                )
            return same(sequent_of(form, given), sequent)
    except Untranslatable:
        return False


def _thresholds(index: Symbol, sequent: Sequent) -> Iterator[Term]:
    there = var(name_of(index))
    for h in sequent.hypotheses:
        if isinstance(h, k.Relation) and (h.left, h.op) == (there, ">="):
            yield h.right


def _from_threshold(
    form: Eventually | Order, given: Sequence[Tree], threshold: Term, sequent: Sequent
) -> Iterator[Sequent]:
    """Yield the sequents of a statement with the threshold of a proof, if it is allowed."""
    if isinstance(form, Eventually):
        own = beyond(form, given, threshold)
        if _fixed(threshold, _moving(form.index, own)):
            yield own
        return
    if form.limit is not None:
        own = near(form, given, threshold)
        # a limit is taken at fixed values of all other symbols
        if _fixed(threshold, {name_of(form.index)}):
            yield own
        return
    for part in k.flat(sequent.goal):
        if isinstance(part, k.Relation) and part.right.head == "mul":
            constant = part.right.args[0]
            try:
                own = bounded(form, given, constant, threshold)
            except Untranslatable:  # the statement says another constant, or another threshold
                continue
            moving = _moving(form.index, own)
            if _fixed(threshold, moving) and _fixed(constant, moving):
                yield own


def witnessed(form: Exists, given: Sequence[Tree] = ()) -> Sequent:
    """Return a statement of existence, with its witness put in, as a sequent.

    The witness must lie in its range. A condition, or a range, with a bound symbol is to be shown
    for the witness; all others are assumed.
    """
    bound = {symbol for symbol, _ in form.witness}
    values: dict[str, Term] = {}
    for symbol, value in form.witness:
        if unfold_definitions(value).free_symbols & bound:
            raise Untranslatable(f"the witness of {symbol} must not use a symbol that is bound")
        values[name_of(symbol)] = term_of(unfold_definitions(value))
    witnesses = [Relation(value, "==", value) for _, value in form.witness]
    symbols = with_ranges({*free_of([form.relation, *witnesses, *given]), *bound})
    shown: list[Tree] = [form.relation, *(t for t in given if free_of([t]) & bound)]
    ranges: list[Tree] = []
    for symbol in sorted(symbols, key=lambda s: s.name):
        if isinstance(symbol, RangedSymbol):
            own = symbol.range.relations(symbol)
            (shown if free_of(own) & bound else ranges).extend(own)
    conditions = [t for t in given if not free_of([t]) & bound]
    variables = tuple(
        (name_of(s), "integer" if s.is_integer else "real")
        for s in sorted(symbols - bound, key=lambda s: s.name)
    )
    if len({n for n, _ in variables} | set(values)) < len(variables) + len(form.witness):
        raise Untranslatable("two symbols have one name")
    hypotheses = (p for t in (*ranges, *conditions) for p in k.flat(assumed(formula_of(t))))
    goals = [strict(k.put(formula_of(t), values)) for t in shown]
    goals += [k.Is("defined", t) for t in values.values() if not plain(t)]
    whole = sorted(name_of(s) for s in bound if s.is_integer)  # a set has another order every time
    goals += [k.Is("integer", values[name]) for name in whole]
    goal = tuple(dict.fromkeys(p for f in goals for p in k.flat(f)))
    return Sequent(variables, (), tuple(dict.fromkeys(hypotheses)), conjunction(goal))


def beyond(form: Eventually, given: Sequence[Tree], threshold: Term) -> Sequent:
    """Return the sequent that a statement holds for every index from a threshold on."""
    return _beyond(universal(form.relation, given, {form.index}), form.index, threshold)


def bounded(form: Order, given: Sequence[Tree], constant: Term, threshold: Term) -> Sequent:
    """Return the sequent ``|f| <= constant |g|`` for every index from a threshold on.

    Raises
    ------
    Untranslatable
        When the statement has another constant, or another threshold.
    """
    for own, found in ((form.constant, constant), (form.threshold, threshold)):
        if own is not None and term_of(unfold_definitions(own)) != found:
            raise Untranslatable(f"the statement says {own}")
    with sympy.evaluate(False):
        sides = Relation(sympy.Abs(form.f), "<=", sympy.Abs(form.g))
    used = [] if form.constant is None else [Relation(form.constant, "==", form.constant)]
    base = universal(sides, given, {form.index, *free_of(used)})
    *before, last = k.flat(base.goal)
    assert isinstance(last, k.Relation)
    needed = [] if plain(constant) else [k.Is("defined", constant)]
    within = k.Relation(last.left, "<=", mul(constant, last.right))
    goal = conjunction((*needed, *before, within))
    return _beyond(base.showing(goal), form.index, threshold)


def at_limit(form: Order, given: Sequence[Tree]) -> Sequent:
    """Return the sequent that f / g equals its limit, or 0 where the limit is infinite."""
    assert form.limit is not None
    limit = sympy.S.Zero if form.endless else form.limit
    return universal(Relation(form.quotient, "==", limit), given, {form.index})


def near(form: Order, given: Sequence[Tree], threshold: Term) -> Sequent:
    """Return the sequent that f / g is within an error of its limit from a threshold on.

    The error is any positive number, a variable of the sequent; the threshold may depend on it.
    Where the limit is infinite, f / g is beyond 1 over the error.
    """
    base = at_limit(form, given)
    *before, last = k.flat(base.goal)
    assert isinstance(last, k.Relation)
    name = error_name(base)
    if form.endless:
        up = last.left if form.limit == sympy.oo else neg(last.left)
        close = k.Relation(up, ">=", div(ONE, var(name)))
    else:
        close = k.Relation(call("abs", last.left - last.right), "<=", var(name))
    wide = base.with_variable(name, "real").showing(conjunction((*before, close)))
    positive = k.Relation(var(name), ">", ZERO)
    return _beyond(wide.assuming(positive), form.index, threshold)


def error_name(s: Sequent) -> str:
    """Return a free name for the error within which a limit is reached."""
    return fresh("error", set(dict(s.variables)))


def _beyond(s: Sequent, index: Symbol, threshold: Term) -> Sequent:
    """Return a sequent for indices from a threshold on, which must be defined."""
    if not threshold.free <= {n for n, _ in s.variables}:
        raise Untranslatable(f"the threshold {threshold} has other symbols")
    found = s.assuming(k.Relation(var(name_of(index)), ">=", threshold))
    if plain(threshold):
        return found
    return found.showing(k.And((k.Is("defined", threshold), *k.flat(s.goal))))


def _moving(index: Symbol, s: Sequent) -> set[str]:
    """Return the names that conditions tie to an index: they may move as it grows."""
    moving = {name_of(index)}
    tied = [k.free(h) for h in s.hypotheses[:-1]]  # without the threshold itself
    while True:
        more = {n for names in tied if names & moving for n in names} - moving
        if not more:
            return moving
        moving |= more


def _fixed(t: Term, moving: set[str]) -> bool:
    """Say whether a term is a finite number, and no part of it moves with the index."""
    return not t.free & moving and all(s.head != "oo" for s in subterms(t))


def same(own: Sequent, other: Sequent) -> bool:
    """Say whether two sequents are the same except for the names of bound variables."""
    if dict(own.variables) != dict(other.variables) or own.functions != other.functions:
        return False
    first, second = (tuple(map(_canonical, (*s.hypotheses, s.goal))) for s in (own, other))
    return first == second


def _canonical(f: Formula) -> Formula:
    """Name bound variables by the depth of the binding, which no choice of names changes."""
    inner = k.rebuilt(f, lambda t: rebuilt(t, _canonical_binder), _canonical)
    if not isinstance(inner, k.All):
        return inner
    name = f"#all{_height(inner)}"
    put_in = {inner.name: var(name)}
    conditions = tuple(k.put(c, put_in) for c in inner.conditions)
    return k.All(name, inner.sort, conditions, k.put(inner.body, put_in))


def _height(f: Formula) -> int:
    return isinstance(f, k.All) + max(map(_height, k.parts_of(f)), default=0)


def _canonical_binder(t: Term) -> Term:
    if t.head not in BINDERS:
        return t
    body, low, high = t.args
    name = f"#{t.height}"
    return bind(t.head, substitute(body, {t.name: var(name)}), name, low, high)
