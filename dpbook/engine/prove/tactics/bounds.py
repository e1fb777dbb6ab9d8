"""Replace functions by bounds that axioms give, one after the other, until polynomials are left."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

from dpbook.engine.language.arrays import np
from dpbook.engine.prove.tactics import points, polynomial
from dpbook.engine.prove.tactics.axioms import Instance, instances
from dpbook.engine.prove.tactics.chain import Chain
from dpbook.engine.prove.tactics.core import Node, Search
from dpbook.engine.prove.tactics.shape import ordered, tidied
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Or, Relation, Sequent, flat, terms_of, with_new
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Poly
from dpbook.kernel.terms import ZERO, Term, subterms

RANK = 5  # axioms that are tried
MOST = 3  # bounds of one function


def bounded(search: Search, s: Sequent, depth: int) -> Node | None:
    """Put a bound in for a function in which a goal is monotone."""
    made = tidied(search, s)
    there = s if made is None else made[0]
    goal = ordered(there)
    if goal is None or len(goal[0].free) > 2:
        return None
    facts = search.facts(there)
    p = facts.expand(facts.poly(goal[0]))
    sample = points.sample(there, facts)
    if not sample.count:
        return None
    for i in sorted(P.atoms_of(p)):
        t = facts.atoms[i].term
        if facts.atoms[i].key[0] not in ("call", "exp", "log") or not t.free or len(t.args) != 1:
            continue
        side = _direction(facts, sample, p, i)
        for bound, op, one in _bounds(facts, sample, p, i, side)[:MOST] if side else []:
            node = _with_bound(search, there, depth, t, Relation(t, op, bound), one)
            if node is not None:
                return node if made is None else search.node("restate", [node], **made[1])
    return None


def _direction(facts: Facts, sample: points.Sample, p: Poly, i: int) -> int:
    """Return 1 if a polynomial grows in an atom at all points, -1 if it falls, 0 if neither."""
    slope: Poly = {}
    for m, c in p.items():
        e = dict(m).get(i, 0)
        if e:
            if Fraction(e).denominator != 1 or e < 0:
                return 0
            slope = P.plus(slope, {P.times(m, ((i, -1),)): c * e})
    values = sample.values(facts.term(slope))
    if not np.all(np.isfinite(values)):
        return 0
    return 1 if np.all(values > 0) else -1 if np.all(values < 0) else 0


def _bounds(
    facts: Facts, sample: points.Sample, p: Poly, i: int, side: int
) -> list[tuple[Term, str, Instance]]:
    """Return bounds of an atom with which the goal may hold still, the tightest first."""
    found: list[tuple[float, Term, str, Instance]] = []
    t = facts.atoms[i].term
    own = sample.values(t)
    for one in instances([t], RANK):
        for bound, op in _solved(facts, sample, one, i):
            if (op in (">", ">=")) != (side > 0):
                continue
            values = sample.values(bound)
            if not np.all(np.isfinite(values)):
                continue
            whole = with_new(Relation(facts.term(p), ">=", ZERO), t, bound)
            if sample.refutes(whole):
                continue
            found.append((float(np.mean(np.abs(values - own))), bound, op, one))
    found.sort(key=lambda entry: entry[0])
    return [entry[1:] for entry in found]


def _solved(
    facts: Facts, sample: points.Sample, one: Instance, i: int
) -> Iterator[tuple[Term, str]]:
    """Yield the bounds of an atom in an axiom whose other alternatives hold at no point."""
    for f in (part for g in one.formulas for part in flat(g)):
        parts = f.parts if isinstance(f, Or) else (f,)
        for part in parts:
            others = [x for x in parts if x is not part]
            if not isinstance(part, Relation) or part.op == "!=":
                continue
            if any(np.any(points.holds(x, sample.at)[0]) for x in others):
                continue
            try:
                p, op = facts.difference(part)
            except (Rejected, ArithmeticError):
                continue
            mine = {m: c for m, c in p.items() if any(j == i for j, _ in m)}
            if set(mine) != {((i, 1),)} or op not in (">", ">="):
                continue
            c = mine[((i, 1),)]
            rest = {m: -d / c for m, d in p.items() if m not in mine}
            yield facts.term(rest), op if c > 0 else {">": "<", ">=": "<="}[op]


def _with_bound(
    search: Search, s: Sequent, depth: int, t: Term, bound: Relation, one: Instance
) -> Node | None:
    chain = Chain(search, s, 0)
    by_axiom = partial(polynomial.with_chosen, search, found=[one])
    if not chain.apply_by(by_axiom, "have", formula=str(bound)):
        return None
    name = chain.s.new_name("y")
    last = len(chain.s.hypotheses) - 1
    keep = [
        i
        for i, h in enumerate(chain.s.hypotheses)
        if i == last or not any(t in subterms(u) for u in terms_of(h))
    ]
    if not chain.apply("generalise", name=name, term=str(t), keep=keep):
        return None
    side = "above" if bound.op in (">", ">=") else "below"
    fields = {"variable": name, "end": str(bound.right), "side": side}
    left = search.premises(chain.s, "monotone", **fields)
    if left is None or any(points.refuted(p, search.facts(p)) for p in left):
        return None
    # the slope first, for the value at the bound may take long
    nodes: dict[int, Node] = {}
    for k in sorted(range(len(left)), key=lambda k: len(left[k].variables), reverse=True):
        node = search.prove(left[k], 0) or search.prove(left[k], depth)
        if node is None:
            return None
        nodes[k] = node
    return chain.close(search.node("monotone", [nodes[k] for k in range(len(left))], **fields))
