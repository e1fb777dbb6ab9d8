"""Use the kernel's rules of calculus: monotone and concave functions, limits, cuts of a range."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from dpbook.engine.language.arrays import np
from dpbook.engine.prove.tactics import points
from dpbook.engine.prove.tactics.core import Chain, Node, Prove, Search
from dpbook.engine.prove.tactics.reading import linear_in
from dpbook.engine.prove.tactics.shape import factors, forms, ordered
from dpbook.kernel.defined import derivative
from dpbook.kernel.environment import difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Relation, Sequent, free
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import ONE, ZERO, Term, num, parse_term, power, substitute, subterms, var

VARIABLES = 3  # variables in which a goal is differentiated
ENDS = 8  # ends of the range of one variable
LONGEST = 1500  # characters of a goal that is differentiated


def monotone(search: Search, s: Sequent, depth: int) -> Node | None:
    """Prove a goal from an end of a range, or from a point in the range on both sides of it."""
    if not isinstance(s.goal, Relation) or s.goal.op == "!=" or len(str(s.goal)) > LONGEST:
        return None
    if ordered(s) is None and (s.goal.op != "==" or depth < 2):
        return None
    return _in_forms(search, s, partial(_monotone, search, depth=depth))


def _in_forms(search: Search, s: Sequent, prove: Prove) -> Node | None:
    """Show a goal in one of the forms in which its derivative may be simple."""
    for there, fields in forms(search, s):
        node = prove(there)
        if node is not None:
            return node if fields is None else search.node("restate", [node], **fields)
    return None


def _monotone(search: Search, s: Sequent, depth: int) -> Node | None:
    facts = search.facts(s)
    sample = points.sample(s, facts)
    for v in _variables(s)[:VARIABLES]:
        for end in [*ends(s, facts, v)[:ENDS], *_roots(s, facts, v)]:
            gap = var(v) - end
            above = not sample.refutes(Relation(gap, ">=", ZERO))
            below = not sample.refutes(Relation(gap, "<=", ZERO))
            if above or below:
                side = "above" if above else "below"
                node = from_end(search, s, depth, v, end, side)
            else:
                node = _both_sides(search, s, depth, v, end)
            if node is not None:
                return node
    return None


def from_end(search: Search, s: Sequent, depth: int, v: str, end: Term, side: str) -> Node | None:
    """Go from one end of a segment, unless a premise is clearly false."""
    _, op = difference(s)
    kinds: tuple[dict[str, str], ...] = ({}, {"strict": "slope"}) if op == ">" else ({},)
    for more in kinds:
        fields: dict[str, Any] = {"variable": v, "end": str(end), "side": side, **more}
        premises = _not_false(search, s, "monotone", **fields)
        found = None if premises is None else all_of(search, premises, depth - 1, v)
        if found is not None:
            return search.node("monotone", found, **fields)
    return None


def _not_false(search: Search, s: Sequent, rule: str, **fields: Any) -> list[Sequent] | None:
    """Return the premises of a rule; None where it does not apply, or one is clearly false."""
    premises = search.premises(s, rule, **fields)
    try:
        if premises is None or any(points.refuted(p, search.facts(p)) for p in premises):
            return None
    except Rejected:
        return None
    return premises


def all_of(search: Search, premises: list[Sequent], depth: int, v: str = "") -> list[Node] | None:
    """Prove all premises, first the easy premises; at a new point in place of v, try lemmas."""
    if depth < 0:
        return None
    found = []
    for p, easy in [(p, search.prove(p, 0)) for p in premises]:
        node = easy or _by_lemmas(search, p, depth, v) or search.prove(p, depth)
        if node is None:
            return None
        found.append(node)
    return found


def _by_lemmas(search: Search, s: Sequent, depth: int, v: str) -> Node | None:
    """Use the lemmas of a claim at a point of the segment, in place of a variable."""
    if not v or not isinstance(s.goal, Relation):
        return None
    chain = Chain(search, s, 0)
    values = {v: var(s.variables[-1][0])}
    for one in search.within:
        fields = one.at_point(s, values)
        names = {name for name, _ in search.env.lemmas[fields["name"]].variables}
        if v in names - set(fields["at"]):
            fields["at"][v] = str(values[v])
        if str(values[v]) in fields["at"].values():
            chain.apply("lemma", **fields)
    return chain.close(search.prove(chain.s, depth)) if chain.steps else None


def _both_sides(search: Search, s: Sequent, depth: int, v: str, c: Term) -> Node | None:
    """Cut the range at a point, and go from it to both sides."""
    _, op = difference(s)
    fields: dict[str, Any] = {"term": str(var(v) - c), "ops": [">=", "<"]}
    cut = search.premises(s, "cases", **fields)
    if cut is None:
        return None
    tried = []
    for there, side in zip(cut, ("above", "below"), strict=True):
        way = {"variable": v, "end": str(c), "side": side}
        premises = _not_false(search, there, "monotone", **way)
        if premises is None:
            return None
        tried.append((premises, way))
    nodes = []
    for premises, way in tried:
        found = all_of(search, premises, depth - 1)
        if found is None:
            return None
        nodes.append(search.node("monotone", found, **way))
    return search.node("cases", nodes, **fields)


def _variables(s: Sequent) -> list[str]:
    """Return the variables of a goal, those inside most functions first."""
    t, _ = difference(s)
    weight = {n: 0 for n, _ in s.variables if n in t.free}
    for part in subterms(t):
        if part.head not in ("num", "var", "add", "mul") and (
            part.head != "pow" or part.args[1].head != "num"
        ):
            for n in part.free & weight.keys():
                weight[n] += 1
    # first the latest variable that an earlier rule made: its range is the tightest
    place = {n: i for i, (n, _) in enumerate(s.variables)}
    return sorted(weight, key=lambda n: (-weight[n], -place[n]))


def ends(s: Sequent, facts: Facts, v: str) -> list[Term]:
    """Return points of a variable's range where its functions may be known."""
    found: dict[Term, None] = {}
    p = facts.poly(var(v))
    if len(p) != 1:
        return []
    (own,) = p
    for q, op in filter(None, reversed(facts.literals)):
        if op == "!=" or own not in q or len(q) > 6:
            continue
        edge = facts.term(P.scaled({m: c for m, c in q.items() if m != own}, -1 / q[own]))
        if v not in edge.free:
            found[edge] = None
    i = facts.interval_of_atom(own[0][0])
    marks = [value for value in (i.low, i.high) if value is not None]
    goal, _ = difference(s)
    marks += [Fraction(0), Fraction(1), Fraction(1, 2)]
    listed = [*found, *(num(c) for c in marks)]
    listed += [var(n) for n, _ in s.variables if n in goal.free]
    return [t for t in dict.fromkeys(listed) if _fits(t, v)]


def _roots(s: Sequent, facts: Facts, v: str) -> list[Term]:
    """Return the zeros of a goal's derivative, as far as its factors are linear in the variable."""
    found: dict[Term, None] = {}
    try:
        q, _ = facts.clear(facts.poly(derivative(difference(s)[0], v)))
        for factor, _ in factors(facts, q):
            rest, slope = linear_in(facts, factor, v) or ({}, {})
            if rest and slope:
                root = facts.term(P.scaled(rest, -1)) / facts.term(slope)
                if _fits(root, v):
                    found[root] = None
    except (Rejected, ArithmeticError, ValueError):
        return []
    return list(found)[:3]


def _fits(t: Term, v: str) -> bool:
    return v not in t.free and (t.head == "num" or len(str(t)) < 120)


# --- concave --------------------------------------------------------------------------------------


def concave(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a concave function is not negative, as it is not negative at two points around."""
    if ordered(s) is None or len(str(s.goal)) > LONGEST:
        return None
    with search.in_part():
        return _in_forms(search, s, partial(_concave, search, depth=depth))
    return None


def _concave(search: Search, s: Sequent, depth: int) -> Node | None:
    facts = search.facts(s)
    sample = points.sample(s, facts)
    for v in _variables(s)[:VARIABLES]:
        listed = ends(s, facts, v)[:ENDS]
        lows = [e for e in listed if not sample.refutes(Relation(e, "<=", var(v)))][:2]
        highs = [e for e in listed if not sample.refutes(Relation(var(v), "<=", e))][:2]
        for low, high in product(lows, highs):
            fields = {"variable": v, "low": str(low), "high": str(high)}
            premises = _not_false(search, s, "concave", **fields)
            found = None if premises is None else all_of(search, premises, depth - 1)
            if found is not None:
                return search.node("concave", found, **fields)
    return None


# --- to infinity ----------------------------------------------------------------------------------


def descend(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the sign of a function that falls to a limit that is not negative."""
    return _descend(search, s, depth, _far)


def near_zero(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the sign of a function, undefined at 0, that falls to a nonnegative limit towards 0."""
    return _descend(search, s, depth, _near)


Falls = Callable[[Search, Sequent, str, Term], Iterator[dict[str, str]]]


def _descend(search: Search, s: Sequent, depth: int, falls: Falls) -> Node | None:
    if ordered(s) is None or len(str(s.goal)) > LONGEST:
        return None
    return _in_forms(search, s, partial(_falling, search, depth=depth, falls=falls))


def _falling(search: Search, s: Sequent, depth: int, falls: Falls) -> Node | None:
    small = s.new_name("e")
    for v in _variables(s)[:2]:
        for more in falls(search, s, v, var(small)):
            fields = {"variable": v, "small": small, **more}
            premises = _not_false(search, s, "descend", **fields)
            if premises is None:
                continue
            there = None
            if "end" in more:
                reach = parse_term(more["reach"])
                there = _at(search, premises.pop(), difference(s)[0], v, reach, depth - 1)
                if there is None:
                    continue
            found = all_of(search, premises, depth - 1, v)
            if found is not None:
                return search.node("descend", [*found, there] if there else found, **fields)
    return None


def _far(search: Search, s: Sequent, v: str, e: Term) -> Iterator[dict[str, str]]:
    """Yield the fields for a fall towards infinity, to both sides."""
    steps = [ONE + t for t in (ONE / e, num(4) / e, ONE / (e * e), ONE + ONE / e)]
    for t in steps:
        yield {"side": "up", "reach": str(var(v) + t)}
    for t in steps:
        yield {"side": "down", "reach": str(var(v) - t)}


def _near(search: Search, s: Sequent, v: str, e: Term) -> Iterator[dict[str, str]]:
    """Yield the fields for a fall towards 0: not half the way, and of the size of the root of e."""
    sample = points.sample(s, search.facts(s))
    at_zero = sample.values(substitute(difference(s)[0], {v: ZERO}))
    if not sample.count or np.all(np.isfinite(at_zero)):
        return
    reach = var(v) * e / (num(2) * (e + var(v) * var(v)))
    for side, op in (("down", ">"), ("up", "<")):
        if not sample.refutes(Relation(var(v), op, ZERO)):
            yield {"side": side, "reach": str(reach), "end": "0"}


def _at(search: Search, s: Sequent, f: Term, v: str, reach: Term, depth: int) -> Node | None:
    """Bound a function near 0, at a point of which only its distance from 0 is kept."""
    e, point = var(s.variables[-1][0]), var(s.new_name(v))
    chain = Chain(search, s, 1)
    side = ">" if search.facts(s).sign(search.facts(s).poly(reach)) & NEGATIVE == 0 else "<"
    known: tuple[Formula, ...]
    known = Relation(reach, side, ZERO), Relation(power(reach, num(2)), "<=", e)
    if not all(chain.have(one) for one in known):
        return None
    known = chain.s.hypotheses[-2:]  # as they are read
    goal = str(Relation(substitute(f, {v: point}), ">=", num(-1) * e))
    keep = [i for i, h in enumerate(chain.s.hypotheses) if h in known or v not in free(h)]
    fields: dict[str, Any] = {"name": point.name, "term": str(reach), "goal": goal, "keep": keep}
    if not chain.apply("generalise", **fields):
        return None
    return chain.close(search.prove(chain.s, depth))


# --- cuts -----------------------------------------------------------------------------------------


def cut(search: Search, s: Sequent, depth: int) -> Node | None:
    """Cut the range of a variable at 0, 1, 1/2 or another variable, and prove both cases."""
    if ordered(s) is None or len(str(s.goal)) > LONGEST:
        return None
    facts = search.facts(s)
    sample = points.sample(s, facts)
    tried = 0
    # of one variable, the part without the tie falls to boxes, and the other is short
    left = depth - 1 if len(_variables(s)) == 1 else depth - 2
    for v in _variables(s)[:2]:
        others = [var(n) for n in _variables(s) if n != v]
        for c in (ONE, num(Fraction(1, 2)), ZERO, *others):
            inside = all(sample.refutes(Relation(var(v), op, c)) for op in ("<=", ">="))
            here = [Relation(var(v) - c, op, ZERO) for op in (">=", "<")]
            if not inside or any(h in s.hypotheses for h in here):
                continue
            tried += 1
            if tried > 3:
                return None
            node = search.by(s, "cases", left, term=str(var(v) - c), ops=[">=", "<"])
            if node is not None:
                return node
    return None
