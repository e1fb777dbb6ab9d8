"""Translate from SymPy to the kernel: expressions become terms, statements become sequents.

Each form of a statement becomes one sequent here and nowhere else. The goal says first that its
terms are defined; the terms of a condition are assumed to be defined as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import sympy
from sympy import Basic, Expr, Symbol

from dpbook.engine.language.domain import DomainError, RangedSymbol, first_index, with_ranges
from dpbook.engine.language.function_symbols import Unknown, Value, unknowns_of
from dpbook.engine.language.functions import FUNCTIONS
from dpbook.engine.language.statement import (
    Both,
    Either,
    Eventually,
    Every,
    Exists,
    ForAll,
    Form,
    Order,
    Recurrence,
    Relation,
    Tree,
    as_tree,
    free_in,
    unfold_definitions,
)
from dpbook.kernel import formulas as k
from dpbook.kernel.formulas import Formula, Sequent
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import (
    BINDERS,
    CONSTANTS,
    MINUS_ONE,
    MINUS_OO,
    ONE,
    OO,
    ZERO,
    Term,
    add,
    bind,
    call,
    fresh,
    mul,
    num,
    power,
    substitute,
    subterms,
    var,
)

_NAMES = {row.sympy: name for name, row in FUNCTIONS.items() if row.sympy}
_RESERVED = {*CONSTANTS, "and", "or", "all", "defined", "integer", "real", "sum", "product"}


class Untranslatable(ValueError):
    """Report an expression that the kernel has no term for."""


def name_of(symbol: Symbol) -> str:
    """Return the name of a symbol in a sequent."""
    name = re.sub(r"[^A-Za-z0-9_']", "_", symbol.name)
    if not re.match(r"[A-Za-z_]", name):
        name = "v" + name
    return name + "_" if name in _RESERVED or name == "integral" else name


def function_name(function: Unknown) -> str:
    """Return the name of an unknown function in a sequent."""
    name = re.sub(r"[^A-Za-z0-9_']", "_", function.name)
    return name + "_" if name in ARITIES or name in _RESERVED else name


def term_of(e: Basic) -> Term:
    """Return an expression, written out, as a term; nothing is evaluated.

    Raises
    ------
    Untranslatable
        Where the kernel knows no such function or number.
    """
    if isinstance(e, sympy.Rational):
        return num(Fraction(int(e.p), int(e.q)))
    if isinstance(e, Symbol):
        return var(name_of(e))
    if e is sympy.pi:
        return Term("pi")
    if e is sympy.E:
        return call("exp", ONE)
    if e is sympy.EulerGamma:
        return Term("EulerGamma")
    if isinstance(e, sympy.Add):
        return add(*map(term_of, e.args))
    if isinstance(e, sympy.Mul):
        return mul(*map(term_of, e.args))
    if isinstance(e, sympy.Pow):
        base, exponent = e.args
        if base is sympy.E:
            return call("exp", term_of(exponent))
        below, above = term_of(base), _exponent(exponent)
        if below.head == "num" and below.value and above == MINUS_ONE:
            return num(1 / below.value)
        return power(below, above)
    if isinstance(e, sympy.exp):
        return call("exp", term_of(e.args[0]))
    if isinstance(e, (sympy.Sum, sympy.Product, sympy.Integral)):
        return _binder(e)
    if isinstance(e, sympy.Piecewise):
        return _piecewise(e)
    if isinstance(e, Value):
        return call(function_name(e.function), *map(term_of, e.at))
    name = _NAMES.get(type(e).__name__)
    # a function that somebody calls exp is not the exponential
    if name is None or type(e) is not getattr(sympy, type(e).__name__, None):
        raise Untranslatable(f"the kernel does not know {type(e).__name__}")
    args = [term_of(a) for a in e.args]
    if name in ("max", "min"):
        found = args[0]
        for other in args[1:]:
            found = call(name, found, other)
        return found
    if name == "log" and len(args) == 2:
        return call("log", args[0]) / call("log", args[1])
    return call(name, *args)


def _exponent(e: Basic) -> Term:
    """Return an exponent as a term; an expression of numbers, such as -(1/2), becomes one number.

    The number decides which powers are defined.
    """
    found = term_of(e)
    if found.free or found.head == "num":
        return found
    value = _number(found)
    return found if value is None else num(value)


def _number(t: Term) -> Fraction | None:
    if t.head == "num":
        return t.value
    if t.head not in ("add", "mul", "pow"):
        return None
    parts = [_number(a) for a in t.args]
    total = Fraction(t.head != "add")
    for part in parts:
        if part is None:
            return None
        total = total + part if t.head == "add" else total * part
    if t.head == "pow":
        base, exponent = parts
        if base is None or exponent is None or abs(exponent) > 64 or exponent.denominator > 1:
            return None
        return None if base == 0 and exponent < 0 else base ** int(exponent)
    return total


def _binder(e: Expr) -> Term:
    head = {sympy.Sum: "sum", sympy.Product: "product", sympy.Integral: "integral"}[type(e)]
    found, inside = term_of(e.args[0]), e.args[0].free_symbols
    for limit in e.args[1:]:
        if len(limit) != 3:
            raise Untranslatable("an integral needs both ends")
        symbol, low, high = limit
        found = bind(head, found, _bound_name(symbol, inside), _end(low), _end(high))
        inside = (inside - {symbol}) | low.free_symbols | high.free_symbols
    return found


def _bound_name(symbol: Symbol, inside: Iterable[Symbol]) -> str:
    """Return the name of a bound symbol; no other symbol inside may have it in a sequent."""
    name = name_of(symbol)
    if any(other != symbol and name_of(other) == name for other in inside):
        raise Untranslatable(f"a bound symbol and another one are called {name}")
    return name


def _end(e: Basic) -> Term:
    if e is sympy.oo:
        return OO
    if e is sympy.S.NegativeInfinity or e == -sympy.oo:
        return MINUS_OO
    return term_of(e)


def _piecewise(e: Expr) -> Term:
    parts = list(e.args)
    value, condition = parts[-1]
    if condition != True:  # noqa: E712  (a SymPy object)
        raise Untranslatable("a piecewise expression needs a value for all other cases")
    found = term_of(value)
    for value, condition in reversed(parts[:-1]):
        tree = as_tree(condition)
        if not isinstance(tree, Relation):
            raise Untranslatable("a condition of a piecewise expression must be one relation")
        found = _choice(tree, term_of(value), found)
    return found


def _choice(tree: Relation, first: Term, other: Term) -> Term:
    a, b = term_of(tree.lhs), term_of(tree.rhs)
    if tree.op == "!=":
        return call("ifeq", a, b, other, first)
    if tree.op in ("<", "<="):
        a, b = b, a
    return call({"==": "ifeq", ">": "ifgt", "<": "ifgt"}.get(tree.op, "ifge"), a, b, first, other)


# --- formulas -------------------------------------------------------------------------------------


def formula_of(tree: Tree) -> Formula:
    """Return a tree of relations, written out, as a formula."""
    if isinstance(tree, Relation):
        lhs, rhs = unfold_definitions(tree.lhs), unfold_definitions(tree.rhs)
        return k.Relation(term_of(lhs), tree.op, term_of(rhs))
    if isinstance(tree, Every):
        _bound_name(tree.variable, free_of([tree.tree, *tree.conditions]))
        variables, ranges = declared([tree.variable])
        (name, sort), *others = variables
        if others:
            raise Untranslatable("the range of a variable inside a statement must be numbers")
        conditions = (*ranges, *(assumed(formula_of(c)) for c in tree.conditions))
        given = tuple(p for c in conditions for p in k.flat(c))
        return k.All(name, sort, given, formula_of(tree.tree))
    parts = tuple(formula_of(part) for part in tree.parts)
    return k.And(parts) if isinstance(tree, Both) else k.Or(parts)


def plain(t: Term) -> bool:
    """Say whether a term is a polynomial as written, possibly with exp: so defined everywhere."""
    if t.head == "pow":
        whole = t.args[1].head == "num" and t.args[1].value.denominator == 1
        return whole and t.args[1].value >= 0 and plain(t.args[0])
    return t.head in ("num", "var", "pi") or (
        t.head in ("add", "mul", "exp") and all(map(plain, t.args))
    )


def strict(f: Formula) -> Formula:
    """Return the formula that all sides of a formula are defined, and then that it holds."""
    if isinstance(f, k.All):
        parts = k.flat(strict(f.body))
        return k.All(f.name, f.sort, f.conditions, parts[0] if len(parts) == 1 else k.And(parts))
    if isinstance(f, k.And) and any(isinstance(p, k.All) for p in f.parts):
        # a side may hold a variable that only its own part binds
        return k.And(tuple(q for p in f.parts for q in k.flat(strict(p))))
    sides = dict.fromkeys(t for t in k.terms_of(f) if not plain(t))
    parts = (*(k.Is("defined", t) for t in sides), *k.flat(f))
    return parts[0] if len(parts) == 1 else k.And(parts)


def assumed(f: Formula) -> Formula:
    """Return a condition with the definedness that it brings along, alternative by alternative."""
    if isinstance(f, k.Or):
        return k.Or(tuple(assumed(p) for p in f.parts))
    if isinstance(f, k.And):
        return k.And(tuple(q for p in f.parts for q in k.flat(assumed(p))))
    if isinstance(f, k.All):
        parts = k.flat(assumed(f.body))
        return k.All(f.name, f.sort, f.conditions, parts[0] if len(parts) == 1 else k.And(parts))
    return strict(f)


# --- statements -----------------------------------------------------------------------------------


def declared(symbols: Iterable[Symbol]) -> tuple[tuple[tuple[str, str], ...], list[Formula]]:
    """Return symbols, and the symbols in their ranges, as variables and hypotheses."""
    variables: dict[str, str] = {}
    ranges: list[Formula] = []
    for symbol in sorted(with_ranges(symbols), key=lambda s: s.name):
        whole = symbol.integer if isinstance(symbol, RangedSymbol) else bool(symbol.is_integer)
        name = name_of(symbol)
        if name in variables:
            raise Untranslatable(f"two symbols are called {name}")
        variables[name] = "integer" if whole else "real"
        if isinstance(symbol, RangedSymbol):
            ranges += [assumed(formula_of(r)) for r in symbol.range.relations(symbol)]
    return tuple(variables.items()), ranges


def free_of(trees: Sequence[Tree]) -> set[Symbol]:
    """Return the free symbols of trees, written out."""
    found: set[Symbol] = set()
    for tree in trees:
        if isinstance(tree, Every):
            found |= free_of([tree.tree, *tree.conditions]) - {tree.variable}
            continue
        if isinstance(tree, (Both, Either)):
            found |= free_of(tree.parts)
            continue
        for relation in tree.relations():
            found |= free_in(unfold_definitions(relation.lhs))
            found |= free_in(unfold_definitions(relation.rhs))
    return found


def universal(tree: Tree, given: Sequence[Tree], more: Iterable[Symbol] = ()) -> Sequent:
    """Return a tree, for all values of its symbols under conditions, as a sequent."""
    variables, ranges = declared({*free_of([tree, *given]), *more})
    open_ = unknowns_of([tree, *given])
    with sympy.evaluate(False):
        known = [condition for function in open_ for condition in function.known()]
        # the facts about a sequence name the function from which on it is small
        more_open = unknowns_of([tree, *given, *known])
        known += [c for function in more_open if function not in open_ for c in function.known()]
    open_ = more_open
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
    if isinstance(form, Eventually) and form.threshold is not None:
        return beyond(form, given, term_of(unfold_definitions(form.threshold)))
    raise Untranslatable(f"a statement of the form {type(form).__name__} needs a threshold")


def _recurrence(form: Recurrence, given: Sequence[Tree]) -> Sequent:
    """Return a recurrence as a sequent about an unknown function that starts and steps as stated.

    The goal says that each step before the index has a value. This is not assumed: without these
    values there is no sequence.
    """
    index = form.index
    try:
        first_there = first_index(form, given)
    except DomainError as error:
        raise Untranslatable(str(error)) from None
    closed = Relation(form.closed_form, "==", form.closed_form)
    start_tree = Relation(form.start, "==", form.start)
    step = unfold_definitions(form.step)
    outer = {s for s in step.free_symbols if s not in (form.previous, index)}
    base = universal(closed, given, {*outer, *free_of([start_tree]), index})
    n, low = name_of(index), term_of(first_there)
    name = "sequence"
    while any(name == v for v, _ in base.variables):
        name += "_"
    there = "j"
    while any(there == v for v, _ in base.variables):
        there += "_"
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
    said = [p.term for p in parts]
    needed: tuple[Formula, ...] = (
        *parts,
        *_defined_before(following, name, there, earlier, said),
        goal,
    )
    return Sequent(
        base.variables,
        ((name, 1),),
        (*base.hypotheses, *k.flat(assumed(first)), rule),
        needed[0] if len(needed) == 1 else k.And(needed),
    )


def _defined_before(
    following: Term,
    sequence: str,
    there: str,
    earlier: tuple[Formula, ...],
    known: Iterable[Term],
) -> list[Formula]:
    """Return formulas: the steps of a sequence have values.

    A part without the index is named once, other parts for each index. `known` are terms that the
    goal says to be defined; their parts need not be named again.
    """
    said = {part for t in known for part in _strict_parts(t)}
    found: list[Formula] = []
    for part in dict.fromkeys(_not_plain(following, sequence)):
        defined = k.Is("defined", part)
        if there in part.free:
            found.append(k.All(there, "integer", earlier, defined))
        elif part not in said:
            found.append(defined)
    return found


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
    elif t.head == "pow" and t.args[1].head == "num" and _whole(t.args[1]):
        yield from _not_plain(t.args[0], sequence)
    else:
        yield t


def _whole(t: Term) -> bool:
    return t.value is not None and t.value.denominator == 1 and t.value >= 0


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
    return Sequent(
        variables, (), tuple(dict.fromkeys(hypotheses)), goal[0] if len(goal) == 1 else k.And(goal)
    )


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
    goal = (*before, k.Relation(last.left, "<=", mul(constant, last.right)))
    needed = (*(k.Is("defined", t) for t in (constant,) if not plain(t)), *goal)
    own_goal = needed[0] if len(needed) == 1 else k.And(needed)
    return _beyond(base.showing(own_goal), form.index, threshold)


def near(form: Order, given: Sequence[Tree], threshold: Term) -> Sequent:
    """Return the sequent that f / g is within an error of its limit from a threshold on.

    The error is any positive number, a variable of the sequent; the threshold may depend on it.
    """
    assert form.limit is not None
    with sympy.evaluate(False):
        quotient = form.f if form.g == 1 else form.f / form.g
    base = universal(Relation(quotient, "==", form.limit), given, {form.index})
    *before, last = k.flat(base.goal)
    assert isinstance(last, k.Relation)
    name = error_name(base)
    distance = call("abs", last.left - last.right)
    goal = (*before, k.Relation(distance, "<=", var(name)))
    wide = base.with_variable(name, "real").showing(goal[0] if len(goal) == 1 else k.And(goal))
    positive = k.Relation(var(name), ">", ZERO)
    return _beyond(wide.assuming(positive), form.index, threshold)


def error_name(s: Sequent) -> str:
    """Return a free name for the error within which a limit is reached."""
    name = "error"
    while any(name == n for n, _ in s.variables):
        name += "_"
    return name


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
    return dict(own.variables) == dict(other.variables) and _nameless(own) == _nameless(other)


def _nameless(s: Sequent) -> tuple[object, ...]:
    return (s.functions, tuple(map(_canonical, s.hypotheses)), _canonical(s.goal))


def _canonical(f: Formula) -> Formula:
    """Name bound variables by the depth of the binding, which no choice of names changes."""
    if isinstance(f, k.Relation):
        return k.Relation(_canonical_term(f.left)[0], f.op, _canonical_term(f.right)[0])
    if isinstance(f, k.Is):
        return k.Is(f.what, _canonical_term(f.term)[0])
    if isinstance(f, k.All):
        inner = k.All(f.name, f.sort, tuple(map(_canonical, f.conditions)), _canonical(f.body))
        name = f"#all{_height(inner)}"
        put_in = {f.name: var(name)}
        conditions = tuple(k.put(c, put_in) for c in inner.conditions)
        return k.All(name, f.sort, conditions, k.put(inner.body, put_in))
    return type(f)(tuple(map(_canonical, f.parts)))


def _height(f: Formula) -> int:
    if isinstance(f, k.All):
        return 1 + max(map(_height, (*f.conditions, f.body)))
    return max(map(_height, f.parts), default=0) if isinstance(f, (k.And, k.Or)) else 0


def _canonical_term(t: Term) -> tuple[Term, int]:
    if not t.args:
        return t, 0
    found = [_canonical_term(a) for a in t.args]
    args, height = tuple(a for a, _ in found), max(h for _, h in found)
    if t.head not in BINDERS:
        return Term(t.head, args, t.value, t.name), height
    name = f"#{height + 1}"
    body = substitute(args[0], {t.name: var(name)})
    return Term(t.head, (body, *args[1:]), t.value, name), height + 1
