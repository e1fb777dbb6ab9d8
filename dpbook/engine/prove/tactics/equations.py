"""Use equations: their roots, the given alternatives, the few values of an integer."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial, reduce
from math import ceil, floor

from dpbook.engine.prove.tactics import shape
from dpbook.engine.prove.tactics.core import Chain, Node, Search, contradiction, needs
from dpbook.engine.prove.tactics.reading import (
    defined_terms,
    literals,
    parts_of,
    relations,
    value_given,
)
from dpbook.kernel.defined import obligations
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Or, Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.automatic import same
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, ZERO, call, num, parse_term, subterms, var

FACTORS = 4  # factors of one equation
DEGREE = 60  # degree of an equation that is divided by its roots
VALUES = 8  # values of an integer that are tried one by one


# --- roots ----------------------------------------------------------------------------------------


@needs("given")
def roots(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a root of an equation is one of the roots that the goal names.

    Under the negated goal no factor x - r is 0: the equation is divided by these factors, and the
    quotient must have no root.
    """
    parts = s.goal.parts if isinstance(s.goal, Or) else (s.goal,)
    if not all(isinstance(part, Relation) and part.op == "==" for part in parts):
        return None
    for i, _ in relations(s, "=="):
        chain = Chain(search, s, depth)
        if not chain.apply("refute"):
            return None
        facts = search.facts(chain.s)
        factors = range(len(s.hypotheses), len(chain.s.hypotheses))
        found = None
        with suppress(Rejected, ArithmeticError):
            found = _divided(facts, i, factors)
        if found is None:
            continue
        fields = {"by": found[0], "quotient": str(facts.term(found[1]))}
        node = search.prove(chain.s, depth) if chain.apply("cancel", fact=i, **fields) else None
        if node is not None:
            return chain.close(node)
    return None


def _divided(facts: Facts, i: int, factors: range) -> tuple[list[list[int]], P.Poly] | None:
    """Divide an equation by factors as often as possible; return their counts and the quotient."""
    equation = facts.literals[i]
    named = [(j, x[0]) for j in factors if (x := facts.literals[j]) is not None and x[1] == "!="]
    if equation is None or not named:
        return None
    for main in set.intersection(P.atoms_of(equation[0]), *(P.atoms_of(p) for _, p in named)):
        rest, by = equation[0], []
        for j, p in named:
            count = 0
            while (quotient := _by_linear(facts, rest, p, main)) is not None:
                rest, count = quotient, count + 1
            if count:
                by.append([j, count])
        if by:
            return by, rest
    return None


def _by_linear(facts: Facts, p: P.Poly, linear: P.Poly, main: int) -> P.Poly | None:
    """Divide a polynomial by a divisor that is linear in an atom; None if a remainder is left."""
    numerator, divisor = _powers(p, main), _powers(linear, main)
    if numerator is None or divisor is None or max(divisor) != 1 or len(divisor[1]) != 1:
        return None
    ((m, c),) = divisor[1].items()
    root = P.scaled(divisor.get(0, {}), -1 / c, P.raised(m, -1))
    quotient: P.Poly = {}
    carried: P.Poly = {}
    for k in range(max(numerator), -1, -1):
        carried = P.plus(numerator.get(k, {}), facts.canonical(facts.product(carried, root)))
        if k:
            lifted = P.scaled(
                carried, 1 / c, P.times(P.raised(m, -1), ((main, k - 1),) if k > 1 else ())
            )
            quotient = P.plus(quotient, lifted)
    return quotient if quotient and facts.is_zero(carried) else None


def _powers(p: P.Poly, main: int) -> dict[int, P.Poly] | None:
    """Return the coefficients of an atom's powers; None where a power is negative or a root."""
    found: dict[int, P.Poly] = {}
    for m, c in p.items():
        e = dict(m).get(main, 0)
        if Fraction(e).denominator != 1 or not 0 <= e <= DEGREE:
            return None
        found.setdefault(int(e), {})[tuple(x for x in m if x[0] != main)] = c
    return found or None


@needs("given")
def factors(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the goal at the zeros of each factor of an equation."""
    facts = search.facts(s)
    for i, equation in literals(facts, "=="):
        found = None
        with suppress(Rejected, ArithmeticError):
            found = shape.factors(facts, equation)
        if (
            not found
            or equation.keys() <= {P.ONE}
            or found[0][1] == 1 == len(found)
            or len(found) > FACTORS
        ):
            continue
        named = [Relation(facts.term(p), "==", ZERO) for p, _ in found]
        if any(same(h, f) for h in s.hypotheses for f in named):
            continue  # one of them is known to be 0
        return _where_one_is_zero(search, s, i, [e for _, e in found], named, depth)
    return None


def _where_one_is_zero(
    search: Search, s: Sequent, i: int, powers: list[int], named: list[Relation], depth: int
) -> Node | None:
    """Show the goal where the first factor is 0, and where not, where the next one is."""
    chain = Chain(search, s, depth)
    for f in named:
        fields = {"term": str(f.left), "ops": ["==", "!="]}
        if not chain.apply_by(partial(_without, search, i, depth), "cases", **fields):
            return None
    by = [[len(s.hypotheses) + j, e] for j, e in enumerate(powers)]
    facts, count = search.facts(chain.s), len(chain.s.hypotheses)
    read = dict(literals(facts, "==", "!="))
    if not {i, *(j for j, _ in by)} <= read.keys():
        return None
    whole = reduce(facts.product, (read[j] for j, e in by for _ in range(e)), P.constant(1))
    scale = next((c / whole[m] for m, c in read[i].items() if m in whole), None)
    if scale is None or not chain.apply("cancel", fact=i, by=by, quotient=str(num(scale))):
        return None
    chain.apply("weaken", keep=[count])
    return chain.close(search.prove(chain.s, 0))


@needs("given")
def told(search: Search, s: Sequent, depth: int) -> Node | None:
    """Use that terms are defined: denominators are not 0, arguments of logarithms are positive."""
    integers = frozenset(n for n, sort in s.variables if sort == "integer")
    taken = frozenset(n for n, _ in s.variables)
    chain = Chain(search, s, 0)
    for t in defined_terms(s):
        for o in obligations(t, integers, taken):
            plain = isinstance(o.goal, Relation) and not o.variables and not o.given
            if plain and not any(same(f, o.goal) for f in chain.s.hypotheses):
                chain.have_by(search.at_once, o.goal)
    return chain.close(search.prove(chain.s, depth)) if chain.s != s else None


@needs("given")
def not_zero(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a term is not 0, or a contradiction, as a nonzero term would have to be 0."""
    chain = Chain(search, s, depth)
    open_ = isinstance(s.goal, Relation) and s.goal.op == "!="
    if not contradiction(s) and not (open_ and chain.apply("refute")):
        return None
    start = chain.mark()
    for i, h in relations(s, "!="):
        place = len(chain.s.hypotheses)
        fields = {"fact": place, "by": [[i, 1]], "quotient": "1"}
        if chain.have(replace(h, op="==")) and chain.apply("cancel", **fields):
            chain.apply("weaken", keep=[place + 1])
            return chain.close(search.prove(chain.s, 0))
        chain.back(start)
    return None


@needs("given")
def solved(search: Search, s: Sequent, depth: int) -> Node | None:
    """Eliminate a variable by a linear equation that gives a number, or if others contain it."""
    facts = search.facts(s)
    equations = dict(literals(facts, "=="))
    for i, h in relations(s, "=="):
        for name, _ in s.variables if i in equations else ():
            fields = value_given(facts, h, name)
            others = any(name in facts.term(q).free for j, q in equations.items() if j != i)
            if fields is None or parse_term(fields["value"]).free and not others:
                continue
            chain = Chain(search, s, depth)
            if chain.apply("substitute", fact=i, **fields):
                return chain.close(search.prove(chain.s, depth))
    return None


@needs("given")
def in_logarithms(search: Search, s: Sequent, depth: int) -> Node | None:
    """Take logarithms of an equation with a variable exponent, exponentials of logarithms."""
    chain = Chain(search, s, depth)
    for _, h in relations(s, "=="):
        if h.left.head == h.right.head and h.left.head in ("exp", "log"):
            continue  # it was made here: taken again, it would have another one made, and so on
        parts = [t for side in (h.left, h.right) for t in subterms(side)]
        if any(t.head in BINDERS for t in parts):
            continue  # the value of a sum or of an integral
        if any(t.head == "log" and t.free for t in parts):
            function = "exp"
        elif any(t.head == "pow" and t.args[1].free for t in parts):
            function = "log"
        else:
            continue
        sides = [call(function, side) for side in (h.left, h.right)]
        claim = Relation(sides[0], "==", sides[1])
        if any(same(f, claim) for f in s.hypotheses):
            continue
        name = f"{function} increasing"
        chain.have_by(partial(shape.increasing, search, name=name, u=h.left, v=h.right), claim)
    return chain.close(search.prove(chain.s, depth)) if chain.s != s else None


# --- alternatives ---------------------------------------------------------------------------------


@needs("given")
def alternatives(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the goal in each case of the first alternative that is given."""
    known = set(s.hypotheses)
    for i, h in enumerate(s.hypotheses):
        if not isinstance(h, Or) or known & set(h.parts):
            continue
        return search.by_each(partial(_without, search, i, depth), s, "split", hypothesis=i)
    return None


def _without(search: Search, i: int, depth: int, s: Sequent) -> Node | None:
    """Prove a sequent without one of its hypotheses."""
    return search.by(s, "weaken", depth, keep=[j for j in range(len(s.hypotheses)) if j != i])


# --- integers -------------------------------------------------------------------------------------


@needs("integer", "floor", "ceiling")
def rounded(search: Search, s: Sequent, depth: int) -> Node | None:
    """Round the bounds of the integers in the goal and the hypotheses."""
    facts = search.facts(s)
    parts = [t for f in (s.goal, *s.hypotheses) for t in parts_of(f)]
    whole = [t for t in dict.fromkeys(parts) if t.head in ("floor", "ceiling")]
    whole += [var(name) for name, sort in s.variables if sort == "integer"]
    bound = {t.name for t in parts if t.head in BINDERS}
    chain = Chain(search, s, 0)
    for t in whole:
        if t.free & bound:
            continue
        low, high = _ends(facts, facts.poly(t))
        for end, op, near in ((high, "<=", floor), (low, ">=", ceil)):
            if end is not None and end != near(end):
                claim = Relation(t, op, num(near(end)))
                chain.have_by(partial(_by_wholeness, search), claim)
    return chain.close(search.prove(chain.s, depth)) if chain.s != s else None


def _by_wholeness(search: Search, s: Sequent) -> Node | None:
    """Show a bound of an integer: beyond the bound the integer would be one more."""
    chain = Chain(search, s, 0)
    if chain.apply("refute") and chain.apply("whole", hypothesis=len(s.hypotheses)):
        return chain.close(search.prove(chain.s, 0))
    return None


@needs("integer")
def values(search: Search, s: Sequent, depth: int) -> Node | None:
    """Try the values of an integer that has only a few."""
    facts = search.facts(s)
    for name, sort in s.variables:
        if sort != "integer" or _told(facts, s, name):
            continue
        low, high = _ends(facts, facts.poly(var(name)))
        if low is not None and high is not None and 0 <= floor(high) - ceil(low) < VALUES:
            return _one_by_one(search, s, name, ceil(low), floor(high), depth)
    return None


def _told(facts: Facts, s: Sequent, name: str) -> bool:
    """Say whether an equality has a variable for a side, or gives the variable as a number."""
    if any(var(name) in (h.left, h.right) for _, h in relations(s, "==")):
        return True
    (m,) = facts.poly(var(name))
    return any(m in p and p.keys() <= {m, P.ONE} for _, p in literals(facts, "=="))


def _ends(facts: Facts, p: P.Poly) -> tuple[Fraction | None, Fraction | None]:
    """Return the largest lower and the smallest upper bound of an atom that are known."""
    known = facts.interval(p)
    low, high = ([Fraction(e)] if e is not None else [] for e in (known.low, known.high))
    (m,) = p
    for q, op in filter(None, facts.literals):
        if m not in q or q.keys() - {m, P.ONE} or op == "!=":
            continue
        end = -Fraction(q.get(P.ONE, 0)) / Fraction(q[m])
        if q[m] > 0 or op == "==":
            low.append(end)
        if q[m] < 0 or op == "==":
            high.append(end)
    return max(low, default=None), min(high, default=None)


def _one_by_one(
    search: Search, s: Sequent, name: str, low: int, high: int, depth: int
) -> Node | None:
    """Show the goal at one value, and where the integer is larger, at the others."""
    fields = {"term": str(var(name) - num(low)), "ops": [">", "==", "<"]}

    def shown(premise: Sequent) -> Node | None:
        chain, last = Chain(search, premise, depth), premise.hypotheses[-1]
        op = last.op if isinstance(last, Relation) else ""
        if op != "==" and not chain.apply("whole", hypothesis=len(premise.hypotheses) - 1):
            return None
        if op == ">" and low < high:
            return chain.close(_one_by_one(search, chain.s, name, low + 1, high, depth))
        return chain.close(search.prove(chain.s, depth))

    return search.by_each(shown, s, "cases", **fields)
