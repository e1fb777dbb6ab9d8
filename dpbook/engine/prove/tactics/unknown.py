"""Show that integrals and sums with unknown functions exist, or compare them point by point.

A goal that is linear in integrals over one range holds where the same combination of the integrands
does not change its sign. The rest beside the integrals is a multiple of an integral whose value, or
whose bound, is given, such as the total of a density.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from dpbook.engine.language.arrays import np
from dpbook.engine.prove.tactics import integrals, points, polynomial
from dpbook.engine.prove.tactics.core import AtPoint, Chain, Node, Prove, Search, first, needs
from dpbook.engine.prove.tactics.reading import (
    bound_terms,
    defined_terms,
    heads,
    parts_of,
    relations,
    renamed_body,
)
from dpbook.kernel.defined import derivative
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, And, Formula, Is, Or, Relation, Sequent, flat, put, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import (
    BINDERS,
    CHOICES,
    ONE,
    OO,
    ZERO,
    Term,
    add,
    bind,
    call,
    div,
    infinite,
    mul,
    neg,
    num,
    rebuild,
    replace_calls,
    replaced,
    substitute,
    subterms,
    var,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDS = 3  # rounds of putting values into hypotheses for all values
NESTED = 2  # conditions of conditions for which values are put in
VALUES = 12  # values put into one hypothesis
SHARES = 81  # ways to share the rest among integrals that are given
SAMPLES = 400  # points at which an integrand is tried
MOST_TOTALS = 24  # relations of one combination
MOST_SPLITS = 6  # alternatives in a row
FEW = 20  # points that say nothing
LARGEST = {"erfc": num(2), "erf": ONE, "exp": ONE}  # sizes; for exp with a negative argument


@needs(*BINDERS, "functions", "lemmas")
def unknown(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that an integral with unknown functions exists, or compare such integrals or sums."""
    goal = s.goal
    if isinstance(goal, (Is, Relation)) and (node := _given_for_all(search, s, goal, depth)):
        return node
    if not s.functions and isinstance(goal, Is):
        return _below_its_parts(search, s, goal.term, depth)
    if not s.functions:
        return _below_zero(search, s, depth) or _at_new_point(search, s, depth)
    if isinstance(goal, Is) and goal.what == "defined" and _kind(goal.term):
        chain = _with_values(search, s, depth)
        if search.env.automatic(chain.s):
            return chain.close_if_clear() if chain.steps else None
        node = _exists(search, chain.s, goal.term, depth) or _elsewhere(search, chain.s, goal.term)
        node = node or _of_independent(search, chain.s, goal, depth)
        return chain.close(node or _of_nothing(search, chain.s, goal.term, depth))
    if isinstance(goal, Or):
        return _by_cases(search, s, goal, depth) or _one_of(search, s, depth)
    if isinstance(goal, Relation):
        return (
            _by_totals(search, s, goal)
            or _at_new_point(search, s, depth)
            or _positive_sum(search, s, goal, depth)
            or _of_independent(search, s, goal, depth)
            or _compared(search, s, goal, depth)
            or (_elsewhere(search, s, goal.left) if goal.op == "==" else None)
            or polynomial.combination_once(search, s, depth)  # before many values are put in
            or _unfolded(search, s, goal, depth)
            or (_by_alternatives(search, s, goal, depth) if depth else None)
            or _one_of(search, s, depth)
            or (_of_nothing(search, s, goal.left, depth) if goal.right == ZERO else None)
        )
    return None


def _by_cases(search: Search, s: Sequent, goal: Or, depth: int) -> Node | None:
    """Show one of several relations in the cases of a hypothesis that shares some of them."""
    chain = _with_values(search, s, depth)
    if (clear := chain.close_if_clear()) is not None:
        return clear
    wanted = [set(_relations(part)) for part in goal.parts]
    found = []
    for i, h in enumerate(chain.s.hypotheses):
        if isinstance(h, Or) and h != goal:
            there = [set(_relations(part)) for part in h.parts]
            shown = [next((k for k, w in enumerate(wanted) if w <= said), None) for said in there]
            if shown.count(None) < len(shown):
                found.append((shown.count(None), i, shown))
    for _, i, shown in sorted(found)[:2]:
        each = partial(_in_case, search, goal, depth, iter(shown))
        if (node := search.by_each(each, chain.s, "split", hypothesis=i)) is not None:
            return chain.close(node)
    return None


def _in_case(
    search: Search, goal: Or, depth: int, shown: Iterator[int | None], s: Sequent
) -> Node | None:
    """Show one of several relations: the relation of the case, or a relation by lemmas."""
    part = next(shown)
    if part is not None:
        return search.by(s, "or", 0, part=part)
    chain = _with_values(search, s, depth)
    _lemmas_in(chain)
    return chain.close(search.one_part(chain.s, goal, depth))


def _at_new_point(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show a relation for all values of a variable by a lemma at a new variable."""
    if not search.at_points or not s.variables or s.variables[-1][0] in search.top:
        return None
    if any(_says(s, h, t.head) for t in _calls(s, (s.goal,)) for h in s.hypotheses):
        return None  # it is unfolded first
    if s.functions:
        return _one_of(search, s, depth)
    chain = Chain(search, s, depth)
    _lemmas_in(chain)
    return chain.close(polynomial.combination(search, chain.s, 0)) if chain.steps else None


def _one_of(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show one of several relations by hypotheses for all values, and by lemmas at a point."""
    binders = not heads(s.goal).isdisjoint(BINDERS)
    chain = _with_values(search, s, depth)
    if (clear := chain.close_if_clear()) is not None:
        return clear
    more = not set(chain.s.hypotheses) <= set(s.hypotheses)
    if binders and search.at_points:
        before = len(chain.steps)
        _lemmas_in(chain)
        more = len(chain.steps) > before
        return chain.close(polynomial.combination(search, chain.s, depth)) if more else None
    if binders or not more:
        return None
    _lemmas_in(chain)
    _without_binders(chain)
    return chain.close(search.prove(chain.s, depth))


# --- hypotheses for all values of a number --------------------------------------------------------


def _given_for_all(search: Search, s: Sequent, goal: Is | Relation, depth: int) -> Node | None:
    """Use a hypothesis about integrals for all values of a number, if the goal is an instance."""
    if "integral" not in heads(goal):
        return None
    sides = list(terms_of(goal))
    for i, h in enumerate(s.hypotheses):
        if not isinstance(h, All):
            continue
        for part in flat(h.body):
            found: list[Term] = []
            pairs = zip(terms_of(part), sides, strict=False)
            alike = all(_same_but_for(h.name, a, b, found) for a, b in pairs)
            if not (alike and found) or found[0].free - {n for n, _ in s.variables}:
                continue
            chain = Chain(search, s, depth)
            applied = chain.apply("instance", hypothesis=i, value=str(found[0]))
            if applied and (clear := chain.close_if_clear()) is not None:
                return clear
    return None


def _same_but_for(name: str, pattern: Term, t: Term, found: list[Term]) -> bool:
    """Say whether a term may be a pattern with one value for a variable, and find that value.

    Sums and products of other lengths may be equal still: a value that was put in may have been
    flattened.
    """
    if pattern == var(name):
        found.append(t)
        return found[0] == t
    if pattern.head != t.head or pattern.value != t.value:
        return False
    if len(pattern.args) != len(t.args):
        return t.head in ("add", "mul")
    if t.head in BINDERS:
        if pattern.name == name:
            return pattern == t
        t = Term(t.head, (renamed_body(t, pattern.name), *t.args[1:]), t.value, pattern.name)
    elif pattern.name != t.name:
        return False
    return all(_same_but_for(name, a, b, found) for a, b in zip(pattern.args, t.args, strict=True))


def _by_totals(search: Search, s: Sequent, goal: Relation) -> Node | None:
    """Compare sums and integrals that are numbers, by the hypotheses that link them."""
    linked = set(bound_terms([goal], "", everywhere=True))
    given = ((i, h) for i, h in relations(s) if h.right != ZERO)
    about = {i: there for i, h in given if (there := bound_terms([h], "", everywhere=True))}
    kept: set[int] = set()
    while more := {i for i, there in about.items() if i not in kept and linked & there.keys()}:
        kept |= more
        linked = linked.union(*(about[i] for i in more))
    if not 1 <= len(kept) <= MOST_TOTALS:
        return None
    sums = partial(polynomial.combination, search, depth=0)
    return search.by_each(sums, s, "weaken", keep=sorted(kept))


# --- formulas for all values, by induction --------------------------------------------------------


def induct_for_all(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show a formula for all values at every index: at the lowest and at the next, by a lemma."""
    if not isinstance(s.goal, All) or not search.at_points:
        return None
    index = search.index_of(s, s.goal)
    if index is None:
        return None

    def shown(premise: Sequent) -> Node | None:
        return _by_a_lemma(search, premise) or search.prove(premise, depth - 1)

    return search.by_each(shown, s, "induct", variable=index, start="0")


def _by_a_lemma(search: Search, s: Sequent) -> Node | None:
    """Show a formula for all values by a lemma with given conditions, at a new variable."""
    chain = Chain(search, s, 0)
    while isinstance(chain.s.goal, All) and chain.apply("all"):
        pass
    if not chain.steps:
        return None

    def given(premise: Sequent) -> Node | None:
        node = search.at_once(premise)
        if node is None and isinstance(premise.goal, All):
            return _as_given(search, premise)
        return node or (search.prove(premise, 0) if isinstance(premise.goal, Is) else None)

    for one, _, later in list(_at_the_newest(chain)):
        chain.apply_by(given, "lemma", **one.at_point(chain.s, later))
    return chain.close(all_known(search, chain.s))


def all_known(search: Search, s: Sequent) -> Node | None:
    """Show a known formula, or a conjunction of known parts."""
    conjunction = isinstance(s.goal, And)
    return search.at_once(s) or (search.by_each(search.at_once, s, "and") if conjunction else None)


def _as_given(search: Search, s: Sequent) -> Node | None:
    """Show a formula that is given for all values, with other names for the bound variables."""
    for i, h in enumerate(s.hypotheses):
        chain, at, there = Chain(search, s, 0), i, h
        while isinstance(there, All) and isinstance(chain.s.goal, All) and chain.apply("all"):
            name = chain.s.variables[-1][0]
            before = len(chain.s.hypotheses)
            if not chain.apply_by(
                partial(all_known, search), "instance", hypothesis=at, value=name
            ):
                break
            new = chain.s.hypotheses[before:]
            at, there = before + len(new) - 1, new[-1] if new else there
        if chain.steps and (node := all_known(search, chain.s)) is not None:
            return chain.close(node)
    return None


# --- alternatives, such as an event that is defined by a relation ---------------------------------


def _by_alternatives(search: Search, s: Sequent, goal: Relation, depth: int) -> Node | None:
    """Split alternatives that are given for all values into cases, at the values in the goal."""
    if not heads(goal).isdisjoint(BINDERS) or not any(map(_chooses, s.hypotheses)):
        return None
    chain = _with_values(search, s, 0)
    _without_binders(chain)
    if any(_chooses(h) and isinstance(h, All) for h in chain.s.hypotheses):
        return None
    _sizes_in(chain)
    return chain.close(_split(search, chain.s, depth, MOST_SPLITS))


def _sizes_in(chain: Chain) -> None:
    """Add that the absolute values in the hypotheses bound their argument from both sides."""
    given = chain.s.hypotheses
    for t in dict.fromkeys(part for part in parts_of(*given) if part.head == "abs"):
        chain.apply("axiom", name="absolute value", at={"u": str(t.args[0])})
    chain.keep(lambda h: h in given or not isinstance(h, Or))


def _chooses(f: Formula) -> bool:
    """Say whether a formula gives alternatives, perhaps for all values."""
    return isinstance(_innermost(f), Or)


def _innermost(f: Formula) -> Formula:
    """Return the innermost body of a formula for all values."""
    while isinstance(f, All):
        f = f.body
    return f


def _split(search: Search, s: Sequent, depth: int, more: int) -> Node | None:
    """Prove a relation by the parts of alternatives, where they are needed."""
    there = [i for i, h in enumerate(s.hypotheses) if isinstance(h, Or)]
    if there and not more:
        kept = [i for i in range(len(s.hypotheses)) if i not in there]
        return search.by(s, "weaken", depth, keep=kept)
    node = polynomial.combination(search, s, 0)
    if node is not None or not there:
        return node or search.prove(s, max(depth, 1))
    goal = set(_calls(s, (s.goal,)))
    chosen = min(there, key=lambda i: (goal.isdisjoint(_calls(s, (s.hypotheses[i],))), i))

    def shown(premise: Sequent) -> Node | None:
        kept = [i for i, h in enumerate(premise.hypotheses) if h != s.hypotheses[chosen]]
        rest = partial(_split, search, depth=depth, more=more - 1)
        return search.by_each(rest, premise, "weaken", keep=kept)

    return search.by_each(shown, s, "split", hypothesis=chosen)


# --- functions that are given by a recursion ------------------------------------------------------


def _unfolded(search: Search, s: Sequent, goal: Relation, depth: int) -> Node | None:
    """Use a hypothesis for all values at a call in the goal: a bound of it, or its definition."""
    there = _calls(s, (goal,))
    if not any(_says(s, h, t.head) for t in there for h in s.hypotheses):
        return None
    if (node := _below_its_bound(search, s, goal, depth)) is not None:
        return node
    chain = _with_values(search, s, 0)  # hypotheses that are given need no search
    bounded = goal.left in there or any(t in goal.left.args for t in there)
    bounds = [h.right for _, h in relations(chain.s, "<=") if h.left == goal.left]
    if bounded and any(b.head != "num" or goal.right.head == "num" for b in bounds):
        _without_binders(chain)
        return chain.close(search.prove(chain.s, max(depth, 1)))
    for t in there:
        i = next((i for i, h in relations(chain.s, "==") if h.left == t), None)
        if i is not None and not chain.apply("rewrite", equality=i):
            return None
    if chain.s.goal == goal:
        return None
    left = next(iter(terms_of(chain.s.goal)))
    if search.at_points and not any(part.head in BINDERS for part in subterms(left)):
        _lemmas_in(chain)
        _without_binders(chain)
    return chain.close(_by_bounds(search, chain.s, depth) or search.prove(chain.s, depth))


def _below_its_bound(search: Search, s: Sequent, goal: Relation, depth: int) -> Node | None:
    """Use a bound for all values, where the call does not hold all variables of the bound."""
    if goal.op != "<=":
        return None
    new = (
        (h, values)
        for h, core, values in _bounds_of(s, goal.left)
        if not core.left.free >= set(values)
    )
    return first(_by_bound(search, s, h, values.values()) for h, values in new)


def _bounds_of(s: Sequent, t: Term) -> Iterator[tuple[Formula, Relation, dict[str, Term]]]:
    """Yield the formulas for all values, with their relation, that bound a call at some values."""
    for h in s.hypotheses:
        core, values = _core(h), _values_for(s, h, t) if _says(s, h, t.head) else None
        if core is not None and values is not None:
            yield h, core, values


def _says(s: Sequent, f: Formula, head: str) -> bool:
    """Say whether a formula for all values has a call of a function alone on its left side."""
    found = _core(f)
    return isinstance(f, All) and found is not None and found.left.head == head


def _core(f: Formula) -> Relation | None:
    """Return the relation in which a formula for all values ends, an equality or an upper bound."""
    f = _innermost(f)
    parts = [p for p in (f.parts if isinstance(f, And) else (f,)) if isinstance(p, Relation)]
    return parts[0] if len(parts) == 1 and parts[0].op in ("==", "<=") else None


def _by_bounds(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a sum of a bounded function is small: it is below the sum of the given bounds."""
    goal = s.goal
    if not isinstance(goal, Relation) or (goal.op, goal.left.head) != ("<=", "sum"):
        return None
    t = goal.left
    for h, core, values in _bounds_of(s, t.args[0]):
        high = bind("sum", substitute(core.right, values), t.name, *t.args[1:])
        chain = Chain(search, s, depth)
        if core.left.free >= set(values):  # the call holds all variables of the bound
            compared = _applied(chain, "compare sums", low=str(t), high=str(high), op="<=")
        else:
            compared = _bounded(chain, h, values, t, high)
        if not compared or not chain.have(Relation(high, "<=", goal.right), max(depth, 1)):
            continue
        both = Relation(t, "<=", high), Relation(high, "<=", goal.right)
        found = [i for i, f in enumerate(chain.s.hypotheses) if f in both]
        if chain.apply("weaken", keep=found):
            return chain.close(polynomial.combination(search, chain.s, depth))
    return None


def _values_for(s: Sequent, f: Formula, t: Term) -> dict[str, Term] | None:
    """Return the values for variables that make a formula for all values a bound of a call.

    A variable that the call does not contain is at most another variable, by a condition. It gets
    the value of that variable, with the unknown functions in the value replaced by functions that
    are given to be below them.
    """
    core = _core(f)
    values: dict[str, Term] = {}
    names = []
    above: dict[str, str] = {}
    while isinstance(f, All):
        names.append(f.name)
        for c in f.conditions:
            if isinstance(c, Relation) and c.op == "<=" and c.left.head == c.right.head == "var":
                above[c.left.name] = c.right.name
        f = f.body
    if core is None or core.op != "<=" or len(core.left.args) != len(t.args):
        return None
    for mine, theirs in zip(core.left.args, t.args, strict=True):
        if mine.head == "var" and mine.name in names:
            values[mine.name] = theirs
    lower = {f: lambda args, g=g: call(g, *args) for f, g in _lower_functions(s).items()}
    for n in names:
        if n in values:
            continue
        if above.get(n) not in values:
            return None
        there = substitute(values[above[n]], {above[n]: var(n)})
        values[n] = replace_calls(there, lower)
    return {n: values[n] for n in names}


def _bounded(chain: Chain, h: Formula, values: Mapping[str, Term], low: Term, high: Term) -> bool:
    """Compare sums by a formula for all values, at values for its variables."""
    search = chain.search

    def shown(premise: Sequent) -> Node | None:
        here = premise.variables[-1][0]
        inner = Chain(search, premise, max(chain.depth, 1))
        head = low.args[0].head
        kept = [i for i, f in enumerate(inner.s.hypotheses) if f == h or head not in heads(f)]
        inner.apply("weaken", keep=kept)
        _put_values_in(inner)
        there = [substitute(value, {low.name: var(here)}) for value in values.values()]
        return inner.close(_by_bound(search, inner.s, h, there))

    return chain.apply_by(shown, "compare sums", low=str(low), high=str(high), op="<=")


def _by_bound(search: Search, s: Sequent, h: Formula, values: Iterable[Term]) -> Node | None:
    """Use a formula for all values, with one value for each variable; relations show conditions."""

    def given(premise: Sequent) -> Node | None:
        there = Chain(search, premise, 0)
        _without_binders(there)
        return there.close_if_clear() or there.close(search.prove(there.s, 1))

    chain = Chain(search, s, 0)
    _without_binders(chain, also=h)
    for value in values:
        if h not in chain.s.hypotheses:
            return None
        there = chain.s.hypotheses.index(h)
        if not chain.apply_by(given, "instance", hypothesis=there, value=str(value)):
            return None
        h = chain.s.hypotheses[-1]
    return chain.close(polynomial.combination(search, chain.s, 0))


def _lower_functions(s: Sequent) -> dict[str, str]:
    """Map unknown functions to another function that is given to be at most as large everywhere."""
    functions = dict(s.functions).keys()
    cores = [r for h in s.hypotheses if isinstance(h, All) and (r := _core(h)) and r.op == "<="]
    alike = [r for r in cores if r.left.args == r.right.args]
    return {r.right.head: r.left.head for r in alike if {r.left.head, r.right.head} <= functions}


def _positive_sum(search: Search, s: Sequent, goal: Relation, depth: int) -> Node | None:
    """Show that a sum of positive terms is positive: by its first one."""
    low, high = (goal.left, goal.right) if goal.op == "<" else (goal.right, goal.left)
    if goal.op not in ("<", ">") or low != ZERO or high.head != "sum":
        return None
    chain = Chain(search, s, depth)
    cut = chain.apply("parts", **search.cut(chain.s, high, high.args[1]))
    return chain.close_if_clear() if cut else None


def _below_zero(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that an integral or a sum of a maximum with 0 is at most 0: it is nowhere positive."""
    goal = s.goal
    if not isinstance(goal, Relation) or (goal.op, goal.right) != ("<=", ZERO):
        return None
    t = goal.left
    if t.head not in BINDERS or not _is_excess(t.args[0]):
        return None
    name = s.new_name("v")
    body = renamed_body(t, name)
    there, none = (bind(t.head, b, name, *t.args[1:]) for b in (body, ZERO))
    chain = Chain(search, s, max(depth, 1))
    if t.head == "integral" and not chain.apply("linear integral", integral=str(none), parts=[]):
        return None

    def prove(premise: Sequent) -> Node | None:
        if isinstance(premise.goal, Is) and premise.goal.term.head == "integral":
            return _below_its_parts(search, premise, premise.goal.term, depth)
        return at_a_point(search, premise, depth)

    rule = "compare integrals" if t.head == "integral" else "compare sums"
    if not chain.apply_by(prove, rule, low=str(there), high=str(none), op="<="):
        return None
    return chain.close(polynomial.combination(search, chain.s, depth))


def _is_excess(t: Term) -> bool:
    """Say whether a term is a maximum with 0."""
    return t.head == "max" and ZERO in t.args


def _below_its_parts(search: Search, s: Sequent, t: Term, depth: int) -> Node | None:
    """Show that the integral of a maximum of 0 and a difference exists: the parts bound it."""
    if t.head != "integral" or not _is_excess(t.args[0]):
        return None
    inside = [a for a in t.args[0].args if a != ZERO]
    if len(inside) != 1 or inside[0].head != "add":
        return None
    sizes = [neg(a) if a.head == "mul" and a.args[0] == num(-1) else a for a in inside[0].args]
    fields = {"by": str(add(*sizes)), "measurable": []}
    return search.by(s, "bounded integral", max(depth, 1), **fields)


# --- hypotheses for all values --------------------------------------------------------------------


def _put_values_in(chain: Chain) -> None:
    """Use hypotheses for all values at the arguments that unknown functions have in the sequent."""
    if chain.search.putting >= NESTED:
        return  # for the condition of a condition
    chain.search.putting += 1
    done: set[tuple[Formula, Term]] = set()
    changed, rounds = True, max(ROUNDS, 1 + max(map(_nesting, chain.s.hypotheses), default=0))
    shown = partial(_condition, chain.search)
    try:
        while changed and rounds:
            changed, rounds = False, rounds - 1
            calls = _calls(chain.s, (chain.s.goal, *chain.s.hypotheses))
            for i, h in enumerate(chain.s.hypotheses):
                there = _matching(chain.s, h, calls) if isinstance(h, All) else iter(())
                for value in islice(there, VALUES):
                    if (h, value) not in done:
                        done.add((h, value))
                        changed |= chain.apply_by(shown, "instance", hypothesis=i, value=str(value))
    finally:
        chain.search.putting -= 1


def _with_values(search: Search, s: Sequent, depth: int) -> Chain:
    """Return a chain in which hypotheses for all values have been used."""
    chain = Chain(search, s, depth)
    _put_values_in(chain)
    return chain


def _condition(search: Search, s: Sequent) -> Node | None:
    """Prove a condition on variables alone without the hypotheses about functions, which differ each time."""
    chain, calls = Chain(search, s, 0), set(dict(s.functions))

    def holds_one(f: Formula) -> bool:
        return isinstance(f, All) or not heads(f).isdisjoint(calls)

    if not holds_one(s.goal):
        chain.keep(lambda h: not holds_one(h))
    return chain.close(chain.shown(chain.s))


def _nesting(f: Formula) -> int:
    return 1 + _nesting(f.body) if isinstance(f, All) else 0


def _calls(s: Sequent, formulas: tuple[Formula, ...]) -> list[Term]:
    """Return the values of unknown functions in formulas, in order; not the values in an `All`."""
    names = dict(s.functions)
    there = parts_of(*(f for f in formulas if not isinstance(f, All)))
    return list(dict.fromkeys(part for part in there if part.head in names))


def _matching(s: Sequent, h: All, calls: list[Term]) -> Iterator[Term]:
    """Yield the arguments that an unknown function has where the hypothesis has its variable."""
    functions, known = dict(s.functions), {n for n, _ in s.variables}
    patterns = (part for part in parts_of(h.body) if part.head in functions)
    values = (
        one.args[place]
        for pattern in patterns
        for place, argument in enumerate(pattern.args)
        if argument == var(h.name)
        for one in calls
        if one.head == pattern.head
    )
    yield from dict.fromkeys(value for value in values if value.free <= known)


def _without_binders(
    chain: Chain, numbers: Container[Term] = (), also: Formula | None = None
) -> None:
    """Keep the hypotheses that a proof at one point can use: no sum outside the goal is in them."""

    def foreign(t: Term) -> bool:
        if t in numbers:
            return False
        return t.head in BINDERS or any(map(foreign, t.args))

    chain.keep(
        lambda h: h == also or isinstance(h, (Relation, Or)) and not any(map(foreign, terms_of(h)))
    )


def at_a_point(search: Search, s: Sequent, depth: int) -> Node | None:
    """Prove a relation between integrands at a new point."""
    chain = _with_values(search, s, depth)
    here = s.variables[-1][0]
    there = bound_terms([s.goal], "", everywhere=True)
    if not any(here in part.free for part in there):
        _lemmas_in(chain)
        _without_binders(chain, there)
        return chain.close(search.prove(chain.s, max(depth, 1)))
    if not isinstance(s.goal, Relation):
        return chain.close(search.prove(chain.s, depth))
    before = chain.mark()
    if search.at_points:
        _lemmas_in(chain)
    if chain.mark() != before:
        node = polynomial.combination(search, chain.s, depth)
        if node is not None:
            return chain.close(node)
        chain.back(before)
    return chain.close(_compared(search, chain.s, s.goal, depth))


def _lemmas_in(chain: Chain) -> None:
    """Use the lemmas about outputs, and once more for their conditions, but no deeper."""
    here = chain.s.variables[-1][0] if chain.s.variables else ""
    if chain.search.lemmas_within < 2 and here and here not in chain.search.top:
        chain.search.lemmas_within += 1
        chain.depth = min(chain.depth, 1)
        try:
            for one, values, later in list(_at_the_newest(chain)):
                if later == values or not chain.apply("lemma", **one.at_point(chain.s, later)):
                    chain.apply("lemma", **one.at_point(chain.s, values))
        finally:
            chain.search.lemmas_within -= 1


def _at_the_newest(chain: Chain) -> Iterator[tuple[AtPoint, dict[str, Term], dict[str, Term]]]:
    """Yield the lemmas about outputs with values for their variables: the newest variable.

    In a step of an induction a lemma is about the new index, which has the name of the old one: the
    last values name it.
    """
    names = {n for n, _ in chain.s.variables}
    here = var(chain.s.variables[-1][0])
    new = {n.rstrip("_"): var(n) for n in names if n.endswith("_")}
    for one in chain.search.at_points:
        values = dict.fromkeys(one.speaks_of - names, here)
        yield one, values, {**values, **{n: new[n] for n in new if n in one.speaks_of & names}}


def _premise(search: Search, s: Sequent, depth: int) -> Node | None:
    """Prove a premise of a rule for integrals: an integral exists, or a claim at a new point."""
    goal = s.goal
    if (node := search.at_once(s)) is not None:
        return node
    if isinstance(goal, Is) and _kind(goal.term):
        return _exists(search, s, goal.term, depth, bounded=False)
    if isinstance(goal, Relation):
        return search.leaf(s, "identity") or at_a_point(search, s, depth)
    chain = _with_values(search, s, depth)  # it is defined at a new point
    return chain.close(search.prove(chain.s, depth))


def _applied(chain: Chain, rule: str, **fields: Any) -> bool:
    """Apply a rule for integrals; return False and change nothing where a side premise fails."""
    return chain.apply_by(lambda s: _premise(chain.search, s, chain.depth), rule, **fields)


# --- what exists ----------------------------------------------------------------------------------


def _integrable(s: Sequent, like: Term, name: str) -> list[Term]:
    """Return the integrands over the same range whose integrals are given to exist."""
    there = [t for t in defined_terms(s) if _same_range(t, like)]
    return list(dict.fromkeys(renamed_body(t, name) for t in there))


def _same_range(t: Term, like: Term) -> bool:
    """Say whether two terms are integrals, or sums, over one range."""
    return t.head == like.head and t.args[1:] == like.args[1:]


def _exists(search: Search, s: Sequent, t: Term, depth: int, bounded: bool = True) -> Node | None:
    """Show that an integral, or a series, exists: a combination of those that do, or below one in size."""
    if t.name in {n for n, _ in s.variables}:
        return None
    if (node := search.at_once(s)) is not None:
        return node
    given = _integrable(s, t, t.name)
    body = t.args[0]
    parts = _combination_of(search.facts(s), t, given)
    chain = Chain(search, s, depth)
    combined = parts is not None and _taken_apart(chain, t, parts)
    if combined and (clear := chain.close_if_clear()) is not None:
        return clear
    if not bounded:
        return None
    bound = _Bound(search, s, t.name, given)
    by = bound.of(body)
    if by is not None and _kind(t) == "series":
        chain = Chain(search, s, depth)
        larger = bind("sum", by, t.name, *t.args[1:])
        below = _applied(chain, "compare series", low=str(t), high=str(larger))
        return chain.close_if_clear() if below else None
    measurable = bound.measurable(body)
    if by is None or measurable is None:
        return None
    fields = {"by": str(by), "measurable": [[str(h), str(w)] for h, w in measurable]}
    return search.by_each(lambda p: _premise(search, p, depth), s, "bounded integral", **fields)


def _elsewhere(search: Search, s: Sequent, t: Term) -> Node | None:
    """Show that an integral over the line exists, or its value, by a moved function's integral."""
    if t.head != "integral" or not all(map(infinite, t.args[1:])):
        return None
    x, facts = var(t.name), search.facts(s)
    sums = [part.args for part in subterms(t.args[0]) if part.head == "add" and x in part.args]
    shifts = dict.fromkeys(neg(add(*(a for a in args if a != x))) for args in sums)
    for shift, body in product(shifts, _integrable(s, t, t.name)):
        moved = substitute(t.args[0], {t.name: add(x, shift)})
        if not facts.is_zero(facts.poly(add(moved, neg(body)))):
            continue
        chain = Chain(search, s, 0)
        if integrals.by_moving(chain, t, partial(_with_body, chain, body), ONE, shift):
            return chain.close(search.prove(chain.s, 0))
    return None


def _with_body(chain: Chain, body: Term, t: Term) -> bool:
    """Use that an integral exists, and its value, where its integrand has another form."""
    return chain.apply("linear integral", integral=str(t), parts=[["1", str(body)]])


def _of_nothing(search: Search, s: Sequent, t: Term, depth: int) -> Node | None:
    """Show that an integral exists, or its value, where the integrand is 0 everywhere."""
    chain = Chain(search, s, depth)
    if not _kind(t) or not s.functions or not _taken_apart(chain, t, []):
        return None
    return chain.close(all_known(search, chain.s) or polynomial.combination(search, chain.s, 0))


Parts = list[tuple[Term, Term]]


def _combination_of(facts: Facts, t: Term, given: list[Term]) -> Parts | None:
    """Write the integrand of an integral as a combination of others; None where this fails."""
    parts, rest = _linear(t.args[0], set(given)) or ({}, t.args[0])
    if any(t.name in one.free for one in (rest, *parts.values())):
        return None
    return [(c, h) for h, c in parts.items()] if facts.is_zero(facts.poly(rest)) else None


def _kind(t: Term) -> str:
    """Return "integral", or "series" for a sum without an end, as the rules name them; else nothing."""
    if t.head == "sum":
        return "series" if t.args[2] == OO else ""
    return t.head if t.head == "integral" else ""


def _taken_apart(chain: Chain, t: Term, parts: Parts) -> bool:
    """Use that an integral or a series is a combination of others."""
    shown = [[str(c), str(f)] for c, f in parts]
    return _applied(chain, f"linear {_kind(t)}", **{t.head: str(t)}, parts=shown)


class _Bound:
    """Hold bounds of integrands by sums of given integrands that are nowhere negative."""

    def __init__(self, search: Search, s: Sequent, name: str, given: list[Term]) -> None:
        self.search, self.s, self.name, self.given = search, s, name, given

    def of(self, t: Term) -> Term | None:
        """Return a term that is at least the size of another term; None where no term is found."""
        if self.name not in t.free:
            if t.head == "num":
                return num(abs(t.value))
            positive = self.search.env.automatic(self.s.showing(Relation(t, ">=", ZERO)))
            return t if positive else call("abs", t)
        if t in self.given:
            return t
        if t.head in dict(self.s.functions):
            return self._largest(t)
        numbers = [a for a in t.args if a.head == "num" and a.value >= 0]
        if t.head == "min" and numbers:
            return numbers[0]
        if t.head in ("add", "max", "min", *CHOICES):
            # a choice is one of its last two arguments
            parts = [self.of(a) for a in (t.args[2:] if t.head in CHOICES else t.args)]
            kept = [p for p in parts if p is not None and p != ZERO]
            return None if None in parts else add(*kept)
        if t.head == "abs":
            return self.of(t.args[0])
        if t.head in LARGEST:
            return LARGEST[t.head]
        if t.head == "mul":
            whole = self._times_given(t)
            if whole is not None:
                return whole
            parts = [self.of(a) for a in t.args]
            moving = [p for p in parts if p is not None and self.name in p.free]
            fixed = [p for p in parts if p is not None and self.name not in p.free and p != ONE]
            if None in parts or len(moving) > 1:
                return None
            return _times(mul(*fixed), moving[0]) if moving else mul(*fixed)
        if t.head == "pow" and t.args[1] == num(Fraction(1, 2)):
            factors = t.args[0].args if t.args[0].head == "mul" else (t.args[0], ONE)
            if len(factors) != 2:
                return None
            halves = [self.of(a) for a in factors]
            if None in halves:
                return None
            return add(*(_times(num(Fraction(1, 2)), h) for h in halves if h is not None))
        return None

    def _times_given(self, t: Term) -> Term | None:
        """Bound a product that holds all factors of a given integrand, the others being bounded."""
        for h in self.given:
            rest = _without(t, h)
            if rest is None:
                continue
            parts = [self.of(a) for a in (rest.args if rest.head == "mul" else (rest,))]
            fixed = [p for p in parts if p is not None and self.name not in p.free]
            if len(fixed) == len(parts):
                return _times(mul(*(p for p in fixed if p != ONE)), h)
        return None

    def _largest(self, t: Term) -> Term | None:
        """Return an upper bound of an unknown function, where one number is given for all values."""
        names, given = {n for n, _ in self.s.variables}, self.s.hypotheses
        there = (r for h in given if isinstance(h, All) for r in _relations(_innermost(h)))
        # of an event one of two values is given
        calls = (r for r in there if r.left.head == t.head)
        bounds = (r.right for r in calls if r.op == "<=" or r.right == ONE)
        return next((bound for bound in bounds if bound.free <= names), None)

    def measurable(self, t: Term) -> Parts | None:
        """Return the unknown parts of an integrand, each with a weight that makes it integrable."""
        functions = dict(self.s.functions)
        if self.name not in t.free:
            return []
        if t.head not in functions:
            if t in self.given:
                return [(t, ONE)]
            parts = [self.measurable(a) for a in t.args]
            if None in parts:
                return [(t, ONE)] if self._multiple(t) else None
            return list(dict.fromkeys(one for p in parts if p for one in p))
        weights = (ONE if h == t else _without(h, t) for h in self.given)
        known = (w for w in weights if w and not any(u.head in functions for u in subterms(w)))
        return next(([(t, w)] for w in known), None)

    def _multiple(self, t: Term) -> bool:
        """Say whether a term is a multiple of a given integrand, so that it has an integral too."""
        rest = [r for h in self.given if t.head == "mul" and (r := _without(t, h)) is not None]
        return any(self.name not in r.free for r in rest)


def _relations(f: Formula) -> Iterator[Relation]:
    """Yield the relations in conjunctions and alternatives."""
    if isinstance(f, (And, Or)):
        for part in f.parts:
            yield from _relations(part)
    elif isinstance(f, Relation):
        yield f


def _times(c: Term, t: Term) -> Term:
    if t.head == "add":
        return add(*(_times(c, a) for a in t.args))
    return t if c == ONE else mul(c, t)


# --- integrals that tend to 0 ---------------------------------------------------------------------


@needs("integral")
def vanishing(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a number is at most 0, as it is at most integrals that tend to 0 with a variable.

    The integrand is taken to be concave in that variable, and to be below twice an integrand of
    which the integral is given to exist.
    """
    goal = s.goal
    if not isinstance(goal, Relation) or (goal.op, goal.right) != ("<=", ZERO):
        return None
    small, close, at = (s.new_name(letter) for letter in ("e", "h", "x"))
    names = {"small": small, "close": close, "below": str(goal.left)}
    for i, h in enumerate(s.hypotheses):
        prove = partial(_at_a_small_number, search, i, small)
        for t, name in _integrals_above(goal.left, h):
            body = substitute(t.args[0], {t.name: var(at), name: var(small)})
            try:
                slope = substitute(derivative(body, small), {small: ZERO})
            except Rejected:
                continue
            moved, reach = bind("integral", body, at, *t.args[1:]), div(var(close), add(ONE, slope))
            parts = set(subterms(body))
            for bound in (one for one in _integrable(s, moved, at) if one in parts):
                fields = {"by": str(mul(num(2), bound)), "from": str(reach), **names}
                chain, rule = Chain(search, s, 1), "vanishing integral"
                applied = chain.apply_by(prove, rule, integral=str(moved), **fields)
                if applied and (clear := chain.close_if_clear()) is not None:
                    return clear
    return None


def _at_a_small_number(search: Search, hypothesis: int, small: str, s: Sequent) -> Node | None:
    """Prove a premise by a hypothesis for all values at a small number, where there is one."""
    chain = Chain(search, s, 1)
    if small in dict(s.variables):
        chain.apply("instance", hypothesis=hypothesis, value=small)
    return chain.close(search.prove(chain.s, 1))


def _integrals_above(u: Term, h: Formula) -> Iterator[tuple[Term, str]]:
    """Yield the integrals that are at least u for all values of a number, which stands in them."""
    if isinstance(h, All) and h.sort == "real" and h.name not in u.free:
        parts = (part for part in flat(h.body) if isinstance(part, Relation))
        above = (part.right for part in parts if (part.left, part.op) == (u, "<="))
        yield from ((t, h.name) for t in above if t.head == "integral" and h.name in t.args[0].free)


# --- two orders of integration --------------------------------------------------------------------


@needs("integral")
def exchanged(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that an integral of an integral exists, or its value, by the other order."""
    if search.entered > 1 or s in search.failed:
        return None  # too much work for a goal below another one, or once more for the same goal
    names = {n for n, _ in s.variables}
    for t in (t for head in ("integral", "sum") for t in bound_terms([s.goal], head)):
        inner = t.args[0]
        if not t.free <= names or inner.head not in ("integral", "sum"):
            continue
        if any(one.head == "sum" and not infinite(one.args[2]) for one in (t, inner)):
            continue
        if t.name not in inner.args[1].free | inner.args[2].free:
            node = _in_the_other_order(search, s, t, depth)
            if node is not None:
                return node
    return None


def _in_the_other_order(search: Search, s: Sequent, t: Term, depth: int) -> Node | None:
    x, y = s.new_name("x"), s.new_name("y")  # of the inner and of the outer one
    body = renamed_body(t, y)
    ends, inner_ends, inner_head = t.args[1:], body.args[1:], body.head

    def there(f: Term) -> Term:
        return bind(inner_head, f, x, *inner_ends)

    def other(f: Term) -> Term:
        return there(bind(t.head, f, y, *ends))

    known, across = _integrable(s, there(ZERO), x), _integrable(s, t, y)
    as_it_is = renamed_body(body, x)
    for f in _measurable_forms(as_it_is, known, var(y)):
        parts: Parts | None = []
        if t.head == inner_head == "integral":
            found = [
                _Bound(search, s, n, given).measurable(f) for n, given in ((x, known), (y, across))
            ]
            parts = None if None in found else [one for p in found if p for one in p]
        if parts is None:
            continue
        chain = Chain(search, s, depth)
        shown = [[str(h), str(w)] for h, w in parts]
        swapped = {"integral": str(other(f)), "measurable": shown}
        back: dict[str, Any] = {
            "integral": str(bind(t.head, there(as_it_is), y, *ends)),
            "parts": [["1", str(there(f))]],
        }
        by_form, at_point = _in_form(search, there(f), y, depth), partial(_there, search, depth)
        if not (
            _exists_in_order(chain, other(f), bind(t.head, as_it_is, y, *ends), known)
            and chain.apply_by(at_point, "exchange integrals", **swapped)
            and (f == as_it_is or chain.apply_by(by_form, "linear integral", **back))
        ):
            continue
        node = chain.close_if_clear() or chain.close(polynomial.combination(search, chain.s, 0))
        if node is not None:
            return node
    return None


def _measurable_forms(f: Term, known: list[Term], y: Term) -> Iterator[Term]:
    """Yield an integrand, and forms of it in which less has to be measurable.

    Where w max(0, g - c) has an integral, g > y says for y > c that w max(0, g - c) > w (y - c), unless
    w is 0: there g need not be measurable.
    """

    def form(h: Term, most: Term) -> Term:
        gap = most.args[1] if most.args[0] == ZERO else most.args[0]
        weight = mul(*(a for a in h.args if a != most))

        def above(part: Term) -> Term | None:
            compared = part.head in CHOICES and part.args[1] == y and gap.head == "add"
            if not compared or part.args[0] not in gap.args:
                return None
            rest = [a for a in gap.args if a != part.args[0]]
            return Term(part.head, (h, mul(weight, add(y, *rest)), *part.args[2:]))

        return replaced(f, above, frozenset())

    pairs = ((h, most) for h in known if h.head == "mul" for most in h.args)
    forms = (form(h, most) for h, most in pairs if _is_excess(most) and len(most.args) == 2)
    yield f
    yield from (one for one in forms if one != f)


def _exists_in_order(chain: Chain, t: Term, inner: Term, known: list[Term]) -> bool:
    """Add that an integral of integrals exists: it is given, or the inner ones have known values."""
    search = chain.search
    if search.env.automatic(chain.s.showing(Is("defined", t))):
        return True
    use = partial(chain.apply_by, _in_form(search, inner, t.name, chain.depth), "linear integral")
    largest_first = sorted(known, key=lambda h: -h.size)
    return any(use(integral=str(t), parts=[["1", str(h)]]) for h in largest_first)


def _in_form(search: Search, form: Term, name: str, depth: int) -> Prove:
    """Return a way to show at a point that an inner integral exists, or its value, by another form of it."""

    def prove(s: Sequent) -> Node | None:
        chain, goal = Chain(search, s, depth), s.goal
        here = substitute(form, {name: var(s.variables[-1][0])})
        t = goal.left if isinstance(goal, Relation) else next(terms_of(goal))
        facts: list[Formula] = [Is("defined", here)]
        if isinstance(goal, Relation) and goal.right != mul(ONE, here):
            facts.append(Relation(here, "==", goal.right))
        at_point = partial(_there, search, depth)
        fields: dict[str, Any] = {"integral": str(t), "parts": [["1", str(here.args[0])]]}
        if not all(chain.have_by(at_point, f) for f in facts):
            return None
        if t != here and not chain.apply_by(at_point, "linear integral", **fields):
            return None
        return chain.close_if_clear() or chain.close(polynomial.combination(search, chain.s, 0))

    return prove


def _there(search: Search, depth: int, s: Sequent) -> Node | None:
    """Prove a premise of a rule for integrals in integrals, from the hypotheses at its point."""
    if (node := search.at_once(s)) is not None:
        return node
    goal = s.goal
    if isinstance(goal, Is) and goal.term.head == "integral":
        chain = _with_values(search, s, depth)
        node = chain.close(_exists(search, chain.s, goal.term, depth))
        if node is not None:
            return node
    chain = _with_values(search, s, max(depth, 1))
    _without_binders(chain)
    node = integrals.integrals(search, chain.s, chain.depth)
    return chain.close(node or search.prove(chain.s, chain.depth)) or at_a_point(search, s, depth)


# --- comparing ------------------------------------------------------------------------------------


def _linear(t: Term, given: set[Term]) -> tuple[dict[Term, Term], Term] | None:
    """Write a term as a combination of given terms and a rest; None where it is not linear."""
    if t in given:
        return {t: ONE}, ZERO
    if t.head == "mul":
        for h in sorted(given, key=lambda h: (-len(h.args), str(h))):  # the longest product first
            rest_of = _without(t, h)
            if rest_of is not None and given.isdisjoint(subterms(rest_of)):
                return {h: rest_of}, ZERO
    if given.isdisjoint(subterms(t)):
        return {}, t
    if t.head == "add":
        parts = [part for a in t.args if (part := _linear(a, given)) is not None]
        rest = (part for _, part in parts if part != ZERO)
        whole = _summed(pair for shares, _ in parts for pair in shares.items())
        return (whole, add(*rest)) if len(parts) == len(t.args) else None
    if t.head == "mul":
        holding = [i for i, a in enumerate(t.args) if not given.isdisjoint(subterms(a))]
        found = _linear(t.args[holding[0]], given) if len(holding) == 1 else None
        if found is None:
            return None
        others = mul(*(a for i, a in enumerate(t.args) if i != holding[0]))
        rest_ = ZERO if found[1] == ZERO else mul(others, found[1])
        return {one: _product(others, c) for one, c in found[0].items()}, rest_
    return None


def _summed(pairs: Iterable[tuple[Term, Term]]) -> dict[Term, Term]:
    """Return each term with the sum of its coefficients."""
    total: dict[Term, Term] = {}
    for t, c in pairs:
        total[t] = add(total[t], c) if t in total else c
    return total


def _without(t: Term, h: Term) -> Term | None:
    """Return a product without the factors of another term; None where it lacks one of them."""
    factors, rest = h.args if h.head == "mul" else (h,), list(t.args)
    if t.head != "mul" or any(factors.count(a) > rest.count(a) for a in factors):
        return None
    for a in factors:
        rest.remove(a)
    return mul(*rest)


def _product(a: Term, b: Term) -> Term:
    return mul(*(x for x in (a, b) if x != ONE))


def _outer(t: Term, names: set[str]) -> dict[Term, None]:
    """Return the sums and integrals of a term that stand in no other sum or integral."""
    if t.head in ("integral", "sum"):
        return {t: None} if t.free <= names else {}
    if t.head == "pow":
        return {}  # nothing is linear in the parts of a power
    found: dict[Term, None] = {}
    for a in t.args:
        found |= _outer(a, names)
    return found


def _compared(search: Search, s: Sequent, goal: Relation, depth: int) -> Node | None:
    """Show a relation that is linear in integrals, or in sums, over one range."""
    names = {n for n, _ in s.variables}
    if goal.op not in ("<=", ">=", "=="):
        return None
    low, high = (goal.right, goal.left) if goal.op == ">=" else (goal.left, goal.right)
    there = list(_outer(goal.left, names) | _outer(goal.right, names))
    if not there or len({(t.head, t.args[1:]) for t in there}) > 1:
        return None
    if not any(part.head in dict(s.functions) for t in there for part in subterms(t)):
        return None
    linear = _linear(high - low, set(there))
    if linear is None:
        return None
    chain = _with_values(search, s, depth)
    name = chain.s.new_name("v")
    for more in _balanced(chain.s, _shares(search, chain.s, linear[1], there[0]), there[0]):
        parts = _summed([*linear[0].items(), *more.items()])
        node = _point_by_point(search, chain.s, parts, name, goal, depth)
        if node is not None:
            return chain.close(node)
    return None


def _of_independent(search: Search, s: Sequent, goal: Is | Relation, depth: int) -> Node | None:
    """Use that an integral, or a series, over two variables of a product of functions of one each is a product."""
    chain = Chain(search, s, depth)
    for t in _outer(next(terms_of(goal)), {n for n, _ in s.variables}):
        inner = t.args[0]
        if not _kind(t) or not _kind(inner) or inner.args[0].head != "mul":
            continue
        mine = [f for f in inner.args[0].args if inner.name in f.free]
        others = [f for f in inner.args[0].args if inner.name not in f.free]
        one = bind(inner.head, mul(*mine), inner.name, *inner.args[1:])
        if t.name in one.free or not others:
            continue
        for part in (one, bind(t.head, mul(*others), t.name, *t.args[1:])):
            chain.have_by(partial(_exists, search, t=part, depth=depth), Is("defined", part))
        _taken_apart(chain, t, [(one, mul(*others))])
    if not chain.steps:
        return None
    if isinstance(goal, Is):
        return chain.close_if_clear()
    node = search.leaf(chain.s, "identity")
    if node is None:
        chain.rewrite_known(goal.left.head)
        node = search.prove(chain.s, depth)
    return chain.close(node)


def _shares(search: Search, s: Sequent, rest: Term, like: Term) -> Iterator[dict[Term, Term]]:
    """Yield ways to write a rest as a combination of given values, or bounds, of integrals."""
    facts = search.facts(s)
    p = facts.canonical(facts.poly(rest))
    if not p:
        yield {}
        return
    functions = dict(s.functions)
    wanted = [part.head for part in _leaves(like) if part.head in functions]

    def in_order(t: Term) -> bool:
        rest = iter(wanted)
        return all(part.head in rest for part in _leaves(t) if part.head in functions)

    def beside(t: Term, share: Term) -> bool:
        """Say whether factors of the share multiply the integrand somewhere in the goal."""
        body, factors = renamed_body(t, like.name), set(_leaves(share))
        there = (part.args for part in _leaves(like) if part.head == "mul")
        return any(body in args and factors.issuperset(set(args) - {body}) for args in there)

    choices: list[list[tuple[Term, Term]]] = []
    for m, c in p.items():
        as_it_is = facts.term({m: c})
        mine: list[tuple[Term, Term]] = []
        for _, h in relations(s, "==", "<="):
            t, value = h.left, h.right
            if not _same_range(t, like) or any(u.head in BINDERS for u in subterms(value)):
                continue
            if value == ONE:
                mine.append((t, as_it_is))
                continue
            bound = list(facts.canonical(facts.poly(value)).items())
            quotient = _divided(m, bound[0][0]) if len(bound) == 1 else None
            if quotient is not None:
                mine.append((t, facts.term({quotient: c / bound[0][1]})))
        # first shares that divide, that stand beside the integrand, and that keep the goal's order
        ranks = {
            one: (one[1] == as_it_is, not beside(one[0], as_it_is), not in_order(one[0]))
            for one in mine
        }
        choices.append(sorted(mine, key=lambda one: ranks[one]))
    yield from map(_summed, islice(product(*choices), SHARES))


def _leaves(t: Term) -> Iterator[Term]:
    """Yield a term and all terms inside it, from left to right."""
    yield t
    for a in t.args:
        yield from _leaves(a)


def _balanced(
    s: Sequent, shares: Iterator[dict[Term, Term]], like: Term
) -> Iterator[dict[Term, Term]]:
    """Yield the shares, then also with the difference of two integrals of value 1, which is 0."""
    found = list(shares)
    yield from found
    given = relations(s, "==")
    ones = [h.left for _, h in given if h.right == ONE and _same_range(h.left, like)]
    sizes = dict.fromkeys([ONE, *(c for share in found for c in share.values())])
    for share in found:
        for size, one, other in product(sizes, ones, ones):
            if one != other:
                yield _summed([*share.items(), (one, size), (other, neg(size))])


def _divided(m: P.Monomial, n: P.Monomial) -> P.Monomial | None:
    """Divide one monomial by another, whose factors it must have: they may be 0."""
    rest = P.times(m, P.raised(n, -1))
    powers = dict(rest)
    return rest if all(powers.get(i, 0) >= 0 for i, _ in n) else None


def _point_by_point(
    search: Search, s: Sequent, parts: Mapping[Term, Term], name: str, goal: Relation, depth: int
) -> Node | None:
    like = next(iter(parts))
    bodies = [(c, renamed_body(t, name)) for t, c in parts.items()]
    total = add(*(_product(c, b) for c, b in bodies))
    if _hopeless(s, total, goal.op, name):
        return None
    ends = like.args[1:]
    whole, none = bind(like.head, total, name, *ends), bind(like.head, ZERO, name, *ends)
    op = "==" if goal.op == "==" else "<="
    chain = Chain(search, s, depth)
    before = len(chain.s.hypotheses)
    kind = _kind(like)
    if kind:
        for _, body in bodies:
            there = bind(like.head, body, name, *ends)
            exists = partial(_exists, search, t=there, depth=depth)
            if not chain.have_by(exists, Is("defined", there)):
                return None
        if not _taken_apart(chain, whole, bodies) or not _taken_apart(chain, none, []):
            return None
    fields = {"low": str(none), "high": str(whole)}
    if kind != "series":
        rule = "compare integrals" if kind else "compare sums"
        compared = _applied(chain, rule, **fields, op=op)
    elif op == "==":
        compared = _taken_apart(chain, whole, [])
    else:
        compared = _applied(chain, "compare series", **fields)
    if not compared:
        return None
    if not kind and not _of_one_height(chain, bodies, name, ends):
        return None
    # the remaining goal is linear in integrals that are numbers now
    inside = {part for t in parts for part in subterms(t)}
    useful = [
        i
        for i, h in relations(chain.s)
        if i >= before or inside.issuperset(bound_terms([h], "", everywhere=True))
    ]
    if len(useful) < len(chain.s.hypotheses) and not chain.apply("weaken", keep=useful):
        return None
    node = search.leaf(chain.s, "identity")
    return chain.close(node or polynomial.combination(search, chain.s, depth))


def _of_one_height(
    chain: Chain, bodies: list[tuple[Term, Term]], name: str, ends: tuple[Term, ...]
) -> bool:
    """Say of sums without a sum inside that they are equal to ones with it, times 0.

    The normal form of a sum of several terms names its index by the deepest of them.
    """
    deepest = max((b for _, b in bodies), key=lambda b: b.height)
    for _, body in bodies:
        if body.height < deepest.height:
            low = bind("sum", body, name, *ends)
            high = bind("sum", add(body, mul(ZERO, deepest)), name, *ends)
            if not _applied(chain, "compare sums", low=str(low), high=str(high), op="=="):
                return False
    return True


def _hopeless(s: Sequent, total: Term, op: str, name: str) -> bool:
    """Say whether an integrand is negative somewhere when unknown functions are positive."""
    if any(part.head in BINDERS for part in subterms(total)):
        return False
    if any(_relates(s, h) for h in s.hypotheses if isinstance(h, All)):
        return False
    names: dict[Term, Term] = {}
    functions = dict(s.functions)

    def change(t: Term) -> Term:
        if t.head in functions:
            return names.setdefault(t, var(f"value{len(names)}'"))
        return rebuild(t, tuple(map(change, t.args))) if t.args else t

    changed = change(total)
    rng = np.random.default_rng(0)
    at = {n: _in_range(s, n, rng.exponential(size=SAMPLES)) for n, _ in s.variables}
    for_all = [h for h in s.hypotheses if isinstance(h, All)]
    tests = {r.left.head for h in for_all for r in _relations(h.body) if r.right == ONE}
    for t, v in names.items():
        size = rng.exponential(size=SAMPLES) * rng.integers(0, 2, SAMPLES)
        at[v.name] = rng.integers(0, 2, SAMPLES).astype(float) if t.head in tests else size
    value, error = points.evaluate(changed, at)
    fine = np.isfinite(value)
    # hypotheses that hold at every point, and those about numbers
    sure = [h for _, h in relations(s) if not {*functions, *BINDERS} & heads(h)]
    for one in for_all:
        if isinstance(one.body, (And, Relation)):
            sure += _relations(put(one.body, {one.name: var(name)}))
        elif not one.conditions and _offers(one):  # at least one of several relations holds
            offered = _relations(put(one.body, {one.name: var(name)}))
            gaps = [(change(r.left - r.right), r.op) for r in offered]
            if all(gap.free <= set(at) for gap, _ in gaps):
                fine &= np.any([_met(points.evaluate(g, at)[0], op) for g, op in gaps], axis=0)
    for r in sure:
        gap = change(r.left - r.right)
        if r.op in ("<=", ">=") and gap.free <= set(at):
            fine &= _met(points.evaluate(gap, at)[0], r.op)
    if np.count_nonzero(fine) < FEW:
        return False
    wrong = np.abs(value) > error + 1e-9 if op == "==" else value < -(error + 1e-9)
    return bool(np.any(wrong & fine))


def _offers(h: All) -> bool:
    """Say whether a hypothesis gives, for all values of a variable, one of some relations."""
    return isinstance(h.body, Or) and len(list(_relations(h.body))) == len(h.body.parts)


def _met(gap: NDArray[np.float64], op: str) -> NDArray[np.bool_]:
    """Return where a difference has the sign that a relation asks for."""
    signs = {"<=": gap <= 0, "<": gap < 0, ">=": gap >= 0, ">": gap > 0, "==": gap == 0}
    found: NDArray[np.bool_] = signs.get(op, gap != 0)
    return found


def _relates(s: Sequent, h: All) -> bool:
    """Say whether a hypothesis for all values relates unknown functions in an untried way."""
    if isinstance(h.body, (And, Relation)) or (not h.conditions and _offers(h)):
        return False
    return len(_calls(s, (_innermost(h),))) > 1


def _in_range(s: Sequent, name: str, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Move positive numbers into the range of a variable, where numbers give it."""
    ends = [(h.op, h.right) for _, h in relations(s) if h.left == var(name)]
    numbers = [(op, float(end.value)) for op, end in ends if end.head == "num"]
    low = max([0.0, *(x for op, x in numbers if op in (">", ">="))])
    high = min((x for op, x in numbers if op in ("<", "<=")), default=np.inf)
    return low + (values if high == np.inf else (high - low) * values / (1 + values))
