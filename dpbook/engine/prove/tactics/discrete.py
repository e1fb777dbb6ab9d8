"""Prove claims about integers: induction, sums, recurrences, residues, strict integer bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, gcd, lcm
from typing import Any

from dpbook.engine.prove.tactics import points, polynomial
from dpbook.engine.prove.tactics.axioms import Instance, at_arguments
from dpbook.engine.prove.tactics.core import Chain, Node, Search, contradiction, first, needs
from dpbook.engine.prove.tactics.reading import heads, linear_in_atom, literals, parts_of, relations
from dpbook.kernel.environment import difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, Formula, Relation, Sequent, free, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import BINDERS, ONE, Term, bind, div, mul, num, power, subterms, var

MODULI = (2, 3, 4, 5, 7, 8, 9, 11, 13, 16)
MOST = 8  # sums that are taken apart in one goal
STEPS = ("floor", "ceiling")
BETWEEN = {"floor": "integers up to a floor", "ceiling": "integers from a ceiling on"}
STEPPED = 4  # floors and ceilings that are compared
LARGEST = 60  # denominator in one of them, and exponent of a root


# --- equalities -----------------------------------------------------------------------------------


@needs("given")
def eliminated(search: Search, s: Sequent, depth: int) -> Node | None:
    """Put in the values that equalities among the hypotheses give sums and unknown functions."""
    _, fields = reduced(search, s) or (None, {})
    chain = Chain(search, s, depth)
    if not fields or not chain.apply("restate", **fields):
        return None
    kept = chain.mark()
    chain.forget("integral")  # which the equalities gave
    node = search.prove(chain.s, depth)
    if node is None and chain.mark() != kept:
        chain.back(kept)
        node = search.prove(chain.s, depth)
    return chain.close(node)


def reduced(search: Search, s: Sequent) -> tuple[Sequent, dict[str, Any]] | None:
    """Return a goal without the atoms that equalities give, and the fields of the kernel's rule."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    facts = search.facts(s)
    t, op = difference(s)
    given = [i for i, _ in literals(facts, "==")]
    if not given:
        return None
    try:
        rest = facts.poly(t)
        equalities = [_equality(facts, i, s.hypotheses[i]) for i in given]
        done: list[int] = []
        used: dict[int, P.Poly] = {}
        for _ in range(12):
            step = _step(facts, rest, equalities, done)
            if step is None:
                break
            number, factor, rest = step
            done.append(number)
            used[number] = P.plus(used.get(number, {}), factor)
        if not used:
            return None
        multipliers = [
            [e.number, str(facts.term(P.scaled(used[e.number], 1, e.cleared)))]
            for e in equalities
            if e.number in used
        ]
        zero = facts.is_zero(rest)
        goal = f"0 {op} 0" if zero else f"{facts.term(rest)} {op} 0"
    except (Rejected, ArithmeticError):
        return None
    if zero and op not in ("==", ">="):
        return None
    fields = {"goal": goal, "equalities": multipliers}
    premises = search.premises(s, "restate", **fields)
    if premises is None or premises[0].goal == s.goal:
        return None
    return premises[0], fields


@dataclass(frozen=True)
class _Equality:
    """Hold a hypothesis p == 0, which the kernel reads as p / cleared == 0."""

    number: int
    p: P.Poly
    cleared: P.Monomial
    left: int | None  # the sum or unknown function that stands alone on the left


def _equality(facts: Facts, number: int, f: Formula) -> _Equality:
    assert isinstance(f, Relation)
    p = facts.poly(f.left - f.right)
    _, m = facts.clear(p)
    over = tuple(x for x in m if x[1] > 0)
    if facts.sign_of_monomial(over) != POSITIVE:  # then it is multiplied out
        m = tuple(x for x in m if x[1] < 0)
    left = facts.poly(f.left)
    alone = (i for i in P.atoms_of(left) if left == P.atom(i) and _opaque(facts, i))
    return _Equality(number, p, m, next(alone, None))


def _step(
    facts: Facts, p: P.Poly, equalities: list[_Equality], done: list[int]
) -> tuple[int, P.Poly, P.Poly] | None:
    """Take one atom out of a polynomial by an equality in which it stands once, as a whole."""
    atoms = [i for i in P.atoms_of(p) if _opaque(facts, i)]
    for i in sorted(atoms, key=lambda i: -len(str(facts.atoms[i].term))):
        for e in reversed(equalities):
            if done.count(e.number) > 2 or (e.left is not None and e.left != i):
                continue
            there, mine = linear_in_atom(e.p, i), linear_in_atom(p, i)
            if there is None or mine is None or len(there[1]) != 1:
                continue
            ((over, c),) = there[1].items()
            nonzero = not any(facts.sign_of_monomial((one,)) & NULL for one in over)
            if not nonzero or (e.left is None and not _later(facts, i, e.p)):
                continue
            factor = P.scaled(mine[1], 1 / c, P.raised(over, -1))
            return e.number, factor, P.plus(p, facts.product(factor, e.p), -1)
    return None


def _opaque(facts: Facts, i: int) -> bool:
    """Say whether an atom is a sum, a product, an integral or an unknown function."""
    t = facts.atoms[i].term
    return t.head in BINDERS or _unknown(t)


def _unknown(t: Term) -> bool:
    return bool(t.args) and t.head not in {*ARITIES, *BINDERS, "add", "mul"}


def _later(facts: Facts, i: int, e: P.Poly) -> bool:
    """Say whether an atom is the largest opaque atom of an equality, so that substitution ends."""
    size = len(str(facts.atoms[i].term))
    return all(
        j == i or not _opaque(facts, j) or len(str(facts.atoms[j].term)) <= size
        for j in P.atoms_of(e)
    )


# --- sums -----------------------------------------------------------------------------------------


def _sums(s: Sequent) -> list[Term]:
    """Return the finite sums and products of a goal, the largest first."""

    def outermost(t: Term) -> Iterator[Term]:
        if t.head in ("sum", "product"):
            yield t
        else:
            for a in t.args:
                yield from outermost(a)

    found = dict.fromkeys(part for t in terms_of(s.goal) for part in outermost(t))
    return sorted(found, key=lambda t: -len(str(t)))[:MOST]


def _open(chain: Chain, step: str, front: bool = False) -> None:
    """Write out the sums of a goal, or take their last or first term off, one after the other."""
    search, easy = chain.search, partial(chain.search.prove, depth=0)
    for t in _sums(chain.s):
        low, high = t.args[1], t.args[2]
        if "oo" in (low.head, high.head):
            continue
        written = chain.apply_by(easy, "unroll", **search.unrolled(chain.s, t))
        if written or step not in high.free:
            continue
        if not front:
            chain.apply_by(easy, "parts", **search.cut(chain.s, t, high - ONE))
        elif chain.apply_by(easy, "parts", **search.cut(chain.s, t, low)):
            rest = bind(t.head, t.args[0], t.name, low + ONE, high)
            chain.apply_by(easy, "reindex", sum=str(rest), by="1")


@needs(*BINDERS)
def unfold_definitions(search: Search, s: Sequent, depth: int) -> Node | None:
    """Write out the sums of a goal that have a known number of terms."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    chain = Chain(search, s, 0)
    _open(chain, "")
    return chain.close(eliminated(search, chain.s, depth)) if chain.steps else None


# --- induction ------------------------------------------------------------------------------------


@needs("integer")
def induct(search: Search, s: Sequent, depth: int) -> Node | None:
    """Prove a goal by induction on an integer variable from its lowest value."""
    if contradiction(s) or not isinstance(s.goal, Relation) or s.goal.op == "!=":
        return None
    facts = search.facts(s)
    sample = points.sample(s, facts)
    for v, sort in s.variables:
        if sort != "integer" or v not in free(s.goal):
            continue
        i = facts.interval(facts.poly(var(v)))
        if i.low is None:
            continue
        low = ceil(i.low)
        # a sequence may start before the lowest value that is left of an index
        starts = [first for h in s.hypotheses if (first := _first_of(h)) is not None]
        for start in dict.fromkeys((*starts, num(low), num(low + 1))):
            if sample.refutes(Relation(start, "<=", var(v))):
                continue
            fields = {"variable": v, "start": str(start)}
            premises = search.premises(s, "induct", **fields)
            if premises is None or any(points.refuted(p, search.facts(p)) for p in premises):
                continue
            count = len(s.variables)
            shown = partial(_base_or_step, search, count, depth)
            if (node := search.by_each(shown, s, "induct", **fields)) is not None:
                return node
    return None


def _base_or_step(search: Search, count: int, depth: int, s: Sequent) -> Node | None:
    """Prove a premise of an induction; the step has more variables than the statement's count."""
    step = s.variables[-1][0] if len(s.variables) > count else ""
    node = _part(search, s, step, depth, False)
    return node or (_part(search, s, step, depth, True) if step and _sums(s) else None)


def _first_of(h: Formula) -> Term | None:
    """Return the index from which a hypothesis gives each term of a sequence by the term before."""
    if not isinstance(h, All) or not isinstance(h.body, Relation) or h.body.op != "==":
        return None
    for c in h.conditions:
        if isinstance(c, Relation) and (c.left, c.op) == (var(h.name), ">="):
            return c.right if c.right.head == "num" else None
    return None


def _part(search: Search, s: Sequent, step: str, depth: int, first: bool) -> Node | None:
    """Prove the base or the step: sums taken apart, recurrences at the step, equalities put in."""
    chain = Chain(search, s, 0)
    _open(chain, step, first)
    for fields in list(_instances(search, chain.s)):
        chain.apply_by(partial(search.prove, depth=0), "instance", **fields)
    node = eliminated(search, chain.s, depth - 1) or search.prove(chain.s, depth - 1)
    return chain.close(node)


def _instances(search: Search, s: Sequent) -> Iterator[dict[str, Any]]:
    """Yield instances of hypotheses about all integers for the unknown functions in a goal."""
    calls = {part for part in parts_of(s.goal) if _unknown(part) and len(part.args) == 1}
    facts = search.facts(s)
    for i, h in enumerate(s.hypotheses):
        if not isinstance(h, All) or not isinstance(h.body, Relation) or h.body.op != "==":
            continue
        for inner in subterms(h.body.left):
            if not _unknown(inner) or len(inner.args) != 1 or h.name not in inner.free:
                continue
            for mine in sorted(calls, key=str):
                if mine.head != inner.head:
                    continue
                shift = facts.poly(inner.args[0] - var(h.name))
                if set(shift) - {()}:
                    continue
                value = facts.term(P.plus(facts.poly(mine.args[0]), shift, -1))
                yield {"hypothesis": i, "value": str(value)}


@needs("sum")
def strengthened(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a growing sum stays below a number: by induction it stays further below."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op not in ("<", "<=") or goal.right.free:
        return None
    if goal.left.head != "sum" or goal.left.args[2].head != "var":
        return None
    n = goal.left.args[2]
    sample = points.sample(s, search.facts(s))
    for rest in (div(ONE, n), div(ONE, n + ONE), div(ONE, power(n, num(2)))):
        more = Relation(goal.left, "<=", goal.right - rest)
        chain, shown = Chain(search, s, 0), partial(induct, search, depth=depth)
        known = not sample.refutes(more) and chain.have_by(shown, more)
        if known and (node := search.prove(chain.s, 0)) is not None:
            return chain.close(node)
    return None


# --- residues and gaps ----------------------------------------------------------------------------


@needs("goal !=")
def residues(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a polynomial of integers is not 0 modulo a small number, and so is never 0."""
    if contradiction(s) or not isinstance(s.goal, Relation) or s.goal.op != "!=":
        return None
    return first(search.leaf(s, "residues", modulus=modulus) for modulus in MODULI)


@needs("goal !=", "given")
def no_root(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that multiples of two powers of integers differ, in the goal or against an equality."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    if s.goal.op == "!=":
        return _without_root(search, s)
    for i, h in relations(s, "=="):
        chain = Chain(search, s, depth)
        other = Relation(h.left, "!=", h.right)
        if (
            chain.apply("refute")
            and chain.have_by(lambda t: _without_root(search, t), other)
            and chain.apply("cancel", fact=i, by=[[len(chain.s.hypotheses) - 1, 1]], quotient="1")
        ):
            known = [[len(chain.s.hypotheses) - 1, "-1"]]
            fields: dict[str, Any] = {"terms": [["1", [], None]], "equalities": known}
            if (node := search.leaf(chain.s, "combination", **fields)) is not None:
                return chain.close(node)
    return None


def _without_root(search: Search, s: Sequent) -> Node | None:
    """Show that c u^k != d v^k by the rule, where u and v stand as powers."""
    facts = search.facts(s)
    t, _ = difference(s)
    try:
        p = facts.poly(t)
    except (Rejected, ArithmeticError):
        return None
    if len(p) != 2 or P.ONE in p:
        return None
    (m, c), (n, d) = p.items()
    exponents = [e for _, e in (*m, *n)]
    if not all(isinstance(e, int) and 0 < e <= LARGEST for e in exponents):
        return None
    k = gcd(*(int(e) for e in exponents))
    scale = lcm(Fraction(c).denominator, Fraction(d).denominator)
    u, v = (facts.term({tuple((i, e // k) for i, e in x): Fraction(1)}) for x in (m, n))
    if c * d > 0:
        if k % 2 == 0:
            return None
        u = num(-1) * u
    factors = (int(abs(c) * scale), int(abs(d) * scale))
    shared = gcd(*factors)
    tried = []
    for base, other, (one, two) in ((u, v, factors), (v, u, factors[::-1])):
        fields = {
            "base": str(base),
            "other": str(other),
            "exponent": k,
            "factors": [str(one // shared), str(two // shared)],
        }
        premises = search.premises(s, "no root", **fields)
        if premises is None:
            return None
        tried.append((len(premises), fields))
    # first where more is known to differ from 0
    tried.sort(key=lambda one: one[0])
    return first(search.by(s, "no root", 0, **fields) for _, fields in tried)


@needs("integer", *STEPS)
def whole(search: Search, s: Sequent, depth: int) -> Node | None:
    """Use that different integers are at least 1 apart, also in the negated goal."""
    if not isinstance(s.goal, Relation):
        return None
    integers = any(sort == "integer" for _, sort in s.variables)
    if not integers and not any(map(_steps, (s.goal, *s.hypotheses))):
        return None
    chain = Chain(search, s, depth)
    if not contradiction(s):
        if s.goal.op == "==" and _steps(s.goal):
            return _both_ways(search, s, depth)
        if s.goal.op in ("==", "!=") or not chain.apply("refute"):
            return None
    before = chain.s
    for i in range(len(before.hypotheses)):
        known, mark = chain.s.hypotheses, chain.mark()
        if chain.apply("whole", hypothesis=i) and chain.s.hypotheses[-1] in known:
            chain.back(mark)
    here = chain.s
    if here == before:
        return None
    last = search.prove(here, 0)
    if last is None and any(map(_steps, (*here.hypotheses, here.goal))):
        last = polynomial.with_axioms(search, here, 2) or _by_steps(search, here)
    return chain.close(last)


def _by_steps(search: Search, s: Sequent) -> Node | None:
    """Refute by the axioms of floors and ceilings, alone and with multiples of one another."""
    found = _of_steps(search, s)
    return polynomial.with_chosen(search, s, found) if found else None


def _of_steps(search: Search, s: Sequent) -> list[Instance]:
    """Return the axioms of rounding for the floors and ceilings in a sequent."""
    facts = search.facts(s)
    names = {n for n, _ in s.variables}
    parts = parts_of(s.goal, *s.hypotheses)
    there = dict.fromkeys(part for part in parts if part.head in STEPS and part.free <= names)
    steps = list(there)[:STEPPED]
    found: list[Instance] = []
    for t in steps:
        found.append(at_arguments(t.head, u=t.args[0]))
        for other in steps:
            p, under = facts.clear(facts.poly(other.args[0]))
            d = lcm(*(Fraction(c).denominator for c in p.values()))
            v = mul(num(d), facts.term({P.raised(under, -1): Fraction(1)}), other)
            if other != t and d <= LARGEST and facts.is_whole(facts.canonical(facts.poly(v))):
                found.append(at_arguments(BETWEEN[t.head], u=t.args[0], v=v))
    return found


@needs(*STEPS)
def stepped(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by the axioms of all floors and ceilings in the sequent."""
    goal = s.goal
    if contradiction(s) or not isinstance(goal, Relation) or goal.op in ("==", "!="):
        return None
    return _by_steps(search, s)


def _both_ways(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show an equality of integers as two inequalities."""
    t, _ = difference(s)
    chain = Chain(search, s, depth)
    both = all(chain.have(f"{t} {op} 0") for op in (">=", "<="))
    return chain.close_if_clear() if both else None


def _steps(f: Formula) -> bool:
    """Say whether a floor or a ceiling stands in a formula."""
    return not heads(f).isdisjoint(STEPS)


def positive(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a number is positive, as it is not negative and, for integers, never 0."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op not in ("<", ">"):
        return None
    other = Relation(goal.left, "!=", goal.right)
    if residues(search, s.showing(other), depth) is None:
        return None
    weak = Relation(goal.left, goal.op + "=", goal.right)
    chain = Chain(search, s, depth)
    both = all(map(chain.have, (other, weak)))
    return chain.close(search.prove(chain.s, 0)) if both else None
