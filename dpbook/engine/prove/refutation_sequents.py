"""Write counterexamples as sequents: if the kernel accepts one, the statement is refuted.

A point refutes a statement when it lies in the domain, and either all sides are defined there and
the relation does not hold, or a side is not defined there. A statement of existence is refuted when
its negation holds for every value. A statement about large values of an index is refuted when its
negation holds for every large value, and a limit when the sequence stays away from the number for
all large values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product

import sympy
from sympy import Expr, Integer, Rational, Symbol

from dpbook.engine.language.domain import RangedSymbol
from dpbook.engine.language.statement import (
    Both,
    Either,
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
    evaluated,
    unfold_definitions,
)
from dpbook.engine.language.terms import (
    Untranslatable,
    conjunction,
    formula_of,
    name_of,
    plain,
    strict,
    term_of,
)
from dpbook.engine.language.verdict import BOUNDED, EVERYWHERE, FOLLOWED
from dpbook.engine.prove.sequents import of_closed_form, same, start_of, universal
from dpbook.engine.read.readings import read_printed
from dpbook.engine.read.refusals import ParseError
from dpbook.kernel import formulas as k
from dpbook.kernel.defined import obligations
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Formula, Sequent
from dpbook.kernel.terms import Term, num, parse_term, substitute

STEPS = 12  # steps of a sequence that is followed, at most
THRESHOLDS = (100, 10_000)  # indices from which on a statement about large values is tried to fail
MANY = 4000  # parts of a term of a sequence, at most


def failing(form: Form, given: Sequence[Tree], point: Mapping[str, str]) -> tuple[Sequent, ...]:
    """Return sequents, each of which shows that a statement fails; a conjunction goes part by part.

    Parameters
    ----------
    point : mapping from names of variables to closed terms as text
        Empty for a statement of existence, which fails for every value, and for a statement about
        large values of an index or about a limit, which fails for every large value.

    Raises
    ------
    Untranslatable
        When the point does not belong to the statement, or the kernel has no terms for it.
    """
    if isinstance(form, Exists) and not point:
        bound = [symbol for symbol, _ in form.witness]
        base = universal(form.relation, given, bound)
        return tuple(base.showing(f) for f in _failures(form.relation))
    if isinstance(form, Eventually) and not point:
        return _in_the_end(form.index, form.relation, _failures(form.relation), given)
    if isinstance(form, Order) and form.limit is not None and not point:
        return _away(form, form.limit, given)
    if isinstance(form, Extreme) and name_of(form.bound(given)) not in point:
        return failing(ForAll(form.at_points()), [*given, *form.conditions], point)
    try:
        values = {name: parse_term(source) for name, source in point.items()}
        if isinstance(form, Extreme):
            return (_bounded(form, given, values),)
        if isinstance(form, ForAll):
            base = universal(form.tree, given)
            # a side without a value needs no search for the other side: it comes first
            fails = (*_undefined(form.tree, base), *_failures(form.tree))
            return tuple(at_point(base, values, f) for f in fails)
        if isinstance(form, Recurrence):
            return tuple(_sequence_fails(form, given, values))
    except Rejected as error:
        raise Untranslatable(str(error)) from None
    raise Untranslatable(f"a statement of the form {type(form).__name__} is refuted by no point")


def refutes(form: Form, given: Sequence[Tree], point: Mapping[str, str], s: Sequent) -> bool:
    """Say whether a proof of a sequent shows that a statement fails at a point."""
    try:
        with sympy.evaluate(False):
            return any(same(own, s) for own in failing(form, given, point))
    except Untranslatable:
        return False


def _failures(tree: Tree) -> tuple[Formula, ...]:
    """Return formulas, each of which says that a tree fails where all its sides are defined."""
    if isinstance(tree, Relation):
        return (strict(formula_of(tree.negated())),)
    if isinstance(tree, Every):
        raise Untranslatable("a point says nothing of what is bound in a statement")
    if isinstance(tree, Both):
        return tuple(f for part in tree.parts for f in _failures(part))
    every = product(*map(_failures, tree.parts))  # an alternative fails where one of its parts does
    return tuple(k.And(tuple(p for f in fails for p in k.flat(f))) for fails in every)


def _undefined(tree: Tree, base: Sequent) -> Iterator[Formula]:
    """Yield formulas, each of which says that a side of a relation of a statement has no value.

    Premise: a condition that a side needs, and cannot do without (`Obligation.exact`), fails.
    Conclusion: the side is not defined. A statement says that all its sides are defined, also the
    sides of an alternative, so it fails.
    """
    if isinstance(tree, (Both, Either)):
        for part in tree.parts:
            yield from _undefined(part, base)
    elif isinstance(tree, Relation):
        for side in k.terms_of(formula_of(tree)):
            yield from _without_value(side, base)


def _without_value(t: Term, base: Sequent) -> Iterator[Formula]:
    """Yield formulas, each of which says that a term has no value."""
    integers = frozenset(name for name, sort in base.variables if sort == "integer")
    taken = frozenset(name for name, _ in base.variables)
    for need in obligations(t, integers, taken):
        if need.exact and not need.variables and isinstance(need.goal, k.Relation):
            fails = (*need.given, k.negated(need.goal))
            yield strict(k.And(fails) if need.given else fails[0])


def note_of(form: Form, conditions: Sequence[object], point: Collection[object]) -> str:
    """Return the note of a refutation by a certificate; the last condition is on the index of `Eventually`."""
    if isinstance(form, Eventually):
        return f"proved false for every {conditions[-1]}"
    if isinstance(form, Extreme):
        return BOUNDED
    return FOLLOWED if point else EVERYWHERE


def _bounded(form: Extreme, given: Sequence[Tree], values: Mapping[str, Term]) -> Sequent:
    """Return the sequent: a number is a bound of all values, and smaller than the statement says."""
    with sympy.evaluate(False):
        *_, least = form.tree(form.bound(given)).parts
        assert isinstance(least, Every)
        base = universal(Both((*least.conditions, least.tree)), given)
        fails = (*map(strict, map(formula_of, least.conditions)), *_failures(least.tree))
    return at_point(base, values, k.And(fails))


def _away(form: Order, limit: Expr, given: Sequence[Tree]) -> tuple[Sequent, ...]:
    """Return sequents: a quotient is at least 1/2 away from a number for all large indices."""
    with sympy.evaluate(False):
        quotient = form.f / form.g
        far = (
            Relation(quotient, "<=", evaluated(limit - Rational(1, 2))),
            Relation(quotient, ">=", evaluated(limit + Rational(1, 2))),
        )
    return tuple(
        s
        for relation in far
        for s in _in_the_end(form.index, relation, (strict(formula_of(relation)),), given)
    )


def _in_the_end(
    index: Symbol, relation: Relation, failures: Sequence[Formula], given: Sequence[Tree]
) -> tuple[Sequent, ...]:
    """Return sequents: each of `failures` holds for all large values of an index without upper end.

    Any threshold will do. Nothing else may be open: a condition, or the range of another symbol,
    could leave no large value, and the failure would be vacuous.
    """
    if not isinstance(index, RangedSymbol) or index.range.upper is not None or given:
        raise Untranslatable("the index must have no upper end, and no condition")
    found = []
    for fails in failures:
        for threshold in THRESHOLDS:
            base = universal(relation, [Relation(index, ">=", Integer(threshold))], [index])
            if {name for name, _ in base.variables} != {name_of(index)} or base.functions:
                raise Untranslatable("only the index may stand in the statement")
            found.append(base.showing(fails))
    return tuple(found)


def at_point(base: Sequent, values: Mapping[str, Term], said: Formula) -> Sequent:
    """Return the sequent: a point lies in the domain, and the formula `said` holds there."""
    sorts = dict(base.variables)
    if set(values) != set(sorts) or any(t.free for t in values.values()):
        raise Untranslatable("the point must give each variable a number, and no other")
    inside: list[Formula] = [k.Is("defined", t) for t in values.values() if not plain(t)]
    inside += [k.Is("integer", t) for name, t in values.items() if sorts[name] == "integer"]
    inside += [k.put(h, values) for h in base.hypotheses]
    goal = tuple(dict.fromkeys((*inside, *k.flat(k.put(said, values)))))
    made = Sequent((), (), (), conjunction(goal))
    return sequent_from_json(made.to_json())  # 1 divided by a number is read as one number


def _sequence_fails(
    form: Recurrence, given: Sequence[Tree], values: Mapping[str, Term]
) -> Iterator[Sequent]:
    """Yield sequents: a sequence has no value at an index, or another value than stated.

    The other value is found when the sequence is followed from its start.
    """
    low, index = start_of(form, given), name_of(form.index)
    here = values.get(index)
    if here is None or here.head != "num" or low.head != "num":
        raise Untranslatable("a sequence is followed from a number to a number")
    count = here.value - low.value
    if count.denominator > 1 or count < 0:
        raise Untranslatable("a sequence is followed from its first index on")
    step = unfold_definitions(form.step)
    before = "previous"
    if before in values:
        raise Untranslatable(f"{before} is the name of a variable")
    with sympy.evaluate(False):
        stepped = term_of(step.xreplace({form.previous: Symbol(before, real=True)}))
    base = of_closed_form(form, given)
    if count > 0:  # the step to the index has no value, whatever the term before it is
        last = {index: num(here.value - 1)}
        for fails in _without_value(stepped, base):
            if before not in k.free(fails):
                yield at_point(base, values, k.put(fails, last))
    if count > STEPS:
        return
    reached = substitute(term_of(unfold_definitions(form.start)), {index: low})
    for j in range(int(count)):
        there = num(low.value + Fraction(j))
        reached = substitute(stepped, {index: there, before: reached})
        if reached.size > MANY:
            return
    yield from (at_point(base, values, fails) for fails in _without_value(reached, base))
    differs = strict(k.Relation(term_of(unfold_definitions(form.closed_form)), "!=", reached))
    yield at_point(base, values, differs)


# --- points ---------------------------------------------------------------------------------------


def coordinate(text: str) -> Expr | None:
    """Return a coordinate of a counterexample as written; None where the text cannot be read."""
    try:
        return read_printed(text)
    except ParseError:
        return None


def kernel_point(point: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return a counterexample's point as terms of the kernel: a closed term for each variable.

    A coordinate may be stated by other coordinates; these are put in.

    Raises
    ------
    Untranslatable
        When the kernel has no term for a coordinate.
    """
    values: dict[str, Term] = {}
    for name, text in point:
        written = coordinate(text)
        if written is None:
            raise Untranslatable(f"{text} is no number")
        number = evaluated(written) if not written.free_symbols else written
        values[name_of(Symbol(name))] = term_of(number)
    for _ in values:
        values = {name: substitute(t, values) if t.free else t for name, t in values.items()}
    return {name: str(t) for name, t in values.items()}
