"""Evaluate integrals: cut at kinks, taken apart, from the table or by a primitive."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from dpbook.engine.prove.tactics import symbolic
from dpbook.engine.prove.tactics.core import Chain, Node, Prove, Search, needs
from dpbook.engine.prove.tactics.discrete import STEPS
from dpbook.engine.prove.tactics.reading import (
    arguments,
    bound_terms,
    defined_terms,
    linear_in,
    over_one_denominator,
    parts_of,
    relations,
    renamed_body,
    value_given,
    value_known,
)
from dpbook.kernel.environment import Range
from dpbook.kernel.formulas import And, Formula, Is, Or, Relation, Sequent, parse_formula, put
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE, NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.table import INTEGRALS
from dpbook.kernel.terms import (
    BINDERS,
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    add,
    alike,
    bind,
    call,
    div,
    infinite,
    mul,
    num,
    parse_term,
    power,
    replaced,
    substitute,
    subterms,
    var,
)

DEEPEST = 8  # cuts and moves inside each other
MOST = 24  # parts of one integral
NAMED = "cut"  # variables for points at which an integral is cut
MOST_STEPS = 12  # steps of one floor or ceiling in one range
LOG, LOG_REST = "log x", "log(1 - x)"
Root = tuple[Poly, Poly, bool]


class _NeedsCases(Exception):
    """Signal that a value depends on the sign of a term."""

    def __init__(self, term: Term) -> None:
        self.term = term


@needs("integral")
def integrals(search: Search, s: Sequent, depth: int) -> Node | None:
    """Evaluate the integrals of a goal, and go on with their values."""
    there = bound_terms([s.goal], "integral")
    if not there:
        return None
    try:
        return _with_values(search, s, depth, list(there))
    except _NeedsCases as needed:
        return _by_cases(search, s, depth, needed.term)


def _with_values(search: Search, s: Sequent, depth: int, there: list[Term]) -> Node | None:
    chain = Chain(search, s, depth)
    names = {n for n, _ in s.variables}
    for t in there:
        if t.free <= names and not value_known(chain.s, t):
            _Evaluation(chain).run(t)
    goal = s.goal
    if isinstance(goal, Is) and goal.term.head == "integral":
        return (
            chain.close_if_clear()
            or search.by(s, "proper integral", depth)
            or _below_squares(search, s, depth)
        )
    if isinstance(goal, Relation) or (isinstance(goal, Or) and chain.steps):
        if not chain.rewrite_known("integral"):
            return _compared(search, s, depth)
        chain.forget("integral")
        _named_back(chain)
    elif isinstance(goal, And) and chain.steps:
        _positive_forms(chain)
    if not chain.steps:
        return None
    found = chain.close(search.prove(chain.s, depth))
    if found is None and not all(value_known(chain.s, t) for t in there):
        return _compared(search, s, depth)
    return found


def _named_back(chain: Chain) -> None:
    """Put the points at which integrals were cut in for the points' names."""
    for _ in range(8):
        named = next(((i, h) for i, h in relations(chain.s, "==") if _is_cut(h.left)), None)
        if named is None:
            break
        i, h = named
        if not chain.apply("substitute", fact=i, variable=h.left.name, value=str(h.right)):
            return
    chain.keep(lambda f: not (isinstance(f, Relation) and f.op == "==" and f.left == f.right))


def _below_squares(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that an integral of absolute values exists: abs(u) is below the mean of 1 and u^2."""
    assert isinstance(s.goal, Is)
    body = s.goal.term.args[0]
    half = num(Fraction(1, 2))

    def square(part: Term) -> Term | None:
        if part.head != "abs":
            return None
        return mul(half, add(ONE, power(part.args[0], num(2))))

    by = replaced(body, square, frozenset())
    if by == body:
        return None
    return search.by(s, "bounded integral", depth, by=str(by), measurable=[])


def _is_order(f: Formula) -> bool:
    return isinstance(f, Relation) and f.op != "==" and not bound_terms([f], "", everywhere=True)


def _positive_forms(chain: Chain) -> None:
    """Where log(integral) stands, show that the integral is the argument of another logarithm."""
    logs = dict.fromkeys(t.args[0] for t in parts_of(chain.s.goal) if t.head == "log")
    names = {n for n, _ in chain.s.variables}
    for t in logs:
        if t.head != "integral" or not value_known(chain.s, t):
            continue
        inner = Chain(chain.search, chain.s.showing(Relation(t, ">", ZERO)), 0)
        if not inner.rewrite_known("integral") or chain.search.env.automatic(inner.s):
            continue
        for other in logs:
            if bound_terms([Relation(other, ">", ZERO)], "") or not other.free <= names:
                continue
            if chain.have(Relation(t, "==", other)):
                break


def _by_cases(search: Search, s: Sequent, depth: int, t: Term) -> Node | None:
    """Show a goal where a term is positive, 0 and negative."""
    sign = search.facts(s).sign(search.facts(s).poly(t))

    def shown(premise: Sequent) -> Node | None:
        last = premise.hypotheses[-1]
        assert isinstance(last, Relation)
        if not sign & {">": POSITIVE, "==": NULL, "<": NEGATIVE}[last.op]:
            return _contradiction(search, premise)
        node = _substituted(search, premise, depth) if last.op == "==" else None
        return node or search.prove(premise, depth)

    return search.by_each(shown, s, "cases", term=str(t), ops=[">", "==", "<"])


def _contradiction(search: Search, s: Sequent) -> Node | None:
    """Show anything from a last hypothesis, t > 0 or t < 0, that signs exclude."""
    last = s.hypotheses[-1]
    if not isinstance(last, Relation) or last.op == "==":
        return None
    opposite = Relation(last.left, {"<": ">=", ">": "<="}[last.op], ZERO)
    chain = Chain(search, s, 0)
    if not chain.have(opposite):
        return None
    count = len(s.hypotheses)
    terms = [["1", [count - 1], None], ["1", [count], None]]
    return chain.close(search.leaf(chain.s, "combination", terms=terms))


def _substituted(search: Search, s: Sequent, depth: int) -> Node | None:
    """Put in the value of a variable that the last hypothesis, t == 0, gives."""
    last = s.hypotheses[-1]
    assert isinstance(last, Relation)
    facts = search.facts(s)
    for m in facts.clear(facts.poly(last.left))[0]:
        if len(m) == 1 and m[0][1] == 1 and facts.atoms[m[0][0]].key[0] == "var":
            fields = value_given(facts, last, facts.atoms[m[0][0]].term.name)
            fact = len(s.hypotheses) - 1
            node = search.by(s, "substitute", depth, fact=fact, **fields) if fields else None
            if node is not None:
                return node
    return None


def _compared(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare two integrals over the same range point by point."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op not in ("<=", ">=", "=="):
        return None
    low, high = (goal.right, goal.left) if goal.op == ">=" else (goal.left, goal.right)
    if low.head != "integral" or high.head != "integral" or low.args[1:] != high.args[1:]:
        return None
    op = "==" if goal.op == "==" else "<="
    return search.by(s, "compare integrals", depth, low=str(low), high=str(high), op=op)


# --- another variable -----------------------------------------------------------------------------


@needs("integral")
def substituted(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that two integrals are equal, or that one exists, by another variable in one of them."""
    goal, pairs = s.goal, []
    if isinstance(goal, Is):
        pairs = [(goal.term, t) for t in defined_terms(s)]
    elif isinstance(goal, Relation) and goal.op == "==":
        pairs = [(goal.left, goal.right), (goal.right, goal.left)]
    names = {n for n, _ in s.variables}
    x, y = s.new_name("x"), s.new_name("y")
    for first, other in pairs:
        if first.head != "integral" or other.head != "integral" or not first.free <= names:
            continue
        f, F = (renamed_body(t, n) for t, n in ((first, x), (other, y)))
        whole = str(bind("integral", f, x, *first.args[1:]))
        for g, h in _changes(f, x, F, y):
            for more, ends in _ranges(goal, first, other, h, x):
                changed = str(bind("integral", F, y, *ends))
                fields = {"integral": whole, "other": changed, "by": str(g), "back": str(h)}
                chain = Chain(search, s, depth)
                if not chain.apply("change integral", **fields, **more):
                    continue
                node = chain.close_if_clear()
                if node is None and chain.rewrite_known("integral"):
                    node = chain.close(search.prove(chain.s, 0))
                if node is not None:
                    return node
    return None


def _ranges(
    goal: Formula, first: Term, other: Term, h: Term, x: str
) -> list[tuple[dict[str, str], tuple[Term, ...]]]:
    """Return the ends that the other integral may have, for a map that rises and for a map that falls.

    These are its own ends. Where the first integral is to exist, they may also be the images of its ends.
    """
    rises, falls = dict[str, str](), {"reflected": "yes"}
    own, ends = other.args[1:], first.args[1:]
    image = tuple(substitute(h, {x: end}) for end in ends)
    ways = [(rises, own), (falls, own)]
    if isinstance(goal, Is) and not any(map(infinite, ends)):
        ways += [way for way in ((rises, image), (falls, image[::-1])) if way[1] != own]
    return ways


# --- a part of the range --------------------------------------------------------------------------


@needs("integral")
def in_parts(search: Search, s: Sequent, depth: int) -> Node | None:
    """Use that an integral of an unknown function exists over each part of its range, and that the parts make the whole."""
    names, parts = {n for n, _ in s.variables}, dict[Term, list[Term]]()
    for t in bound_terms([s.goal], "integral"):
        whole = _around(s, t)
        if whole is not None and t.free <= names:
            parts.setdefault(whole, []).append(_over(whole, *t.args[1:]))
    if search.cutting or not parts:
        return None
    chain = Chain(search, s, depth)
    search.cutting = True
    try:
        for whole, there in parts.items():
            _cut_at_ends(chain, whole, there)
        return chain.close(search.prove(chain.s, depth)) if chain.steps else None
    finally:
        search.cutting = False


def _around(s: Sequent, t: Term) -> Term | None:
    """Return the integral over the longest range that is given to exist, of a factor of the integrand."""
    inside, known = set(subterms(t.args[0])), dict(s.functions)
    found: list[Term] = []
    for h in s.hypotheses:
        if isinstance(h, Is) and h.term.head == "integral":
            calls = {part for part in subterms(renamed_body(h.term, t.name)) if part.head in known}
            if calls and calls <= inside:
                found.append(h.term)
    whole = max(found, key=lambda w: sum(map(infinite, w.args[1:])), default=None)
    return None if whole is None or whole.args[1:] == t.args[1:] else whole


def _over(t: Term, low: Term, high: Term) -> Term:
    """Return an integral over another range."""
    return bind("integral", t.args[0], t.name, low, high)


def _cut_at_ends(chain: Chain, whole: Term, parts: list[Term]) -> None:
    """Show that parts of an integral exist; in a relation, cut the whole and each part at the ends of the others."""
    facts = chain.search.facts(chain.s)

    def before(a: Term, b: Term) -> bool:
        return facts.sign(facts.poly(b - a)) & NEGATIVE == 0

    points = [end for t in parts for end in t.args[1:] if end not in whole.args[1:]]
    points = sorted(dict.fromkeys(points), key=lambda p: sum(before(q, p) for q in points))
    if not all(map(before, points, points[1:])):
        return
    ends = [whole.args[1], *points, whole.args[2]]
    goal = chain.s.goal
    related = isinstance(goal, Relation)
    for t in (whole, *parts):
        if not _exists(chain, t, whole):
            return
        low, high = map(ends.index, t.args[1:])
        for start, end in zip(ends[low:high], ends[low + 1 : high], strict=False):
            if related and not _cut(chain, _over(whole, start, ends[high]), end, whole):
                return
    if not isinstance(goal, Relation) or goal.op == "==":
        return
    for pair in zip(ends, ends[1:], strict=False):
        positive = Relation(_over(whole, *pair), ">=", ZERO)
        if positive not in chain.s.hypotheses:
            chain.have(positive, 0)


def _cut(chain: Chain, t: Term, point: Term, whole: Term) -> bool:
    parts = (_over(t, t.args[1], point), _over(t, point, t.args[2]))
    if Relation(t, "==", add(*parts)) in chain.s.hypotheses:
        return True
    return all(_exists(chain, part, whole) for part in parts) and chain.apply(
        "cut integral", integral=str(t), at=str(point)
    )


def _exists(chain: Chain, part: Term, whole: Term) -> bool:
    """Show that an integral exists over a part of the range of a whole one."""
    if any(isinstance(h, Is) and alike(h.term, part) for h in chain.s.hypotheses):
        return True
    prove = partial(chain.search.by, rule="inner integral", depth=0, whole=str(whole))
    return chain.have_by(prove, Is("defined", part))


def _changes(f: Term, x: str, F: Term, y: str) -> dict[tuple[Term, Term], None]:
    """Return what x, and y, may be where one function has an argument in x and one in y."""
    found: dict[tuple[Term, Term], None] = {}
    for u in subterms(f):
        for v in subterms(F):
            if u.head == v.head and len(u.args) == 1 and x in u.free and y in v.free:
                g, h = _inverse(u.args[0], x, v.args[0]), _inverse(v.args[0], y, u.args[0])
                if g is not None and h is not None and g != var(y):
                    found[g, h] = None
    return found


def _inverse(t: Term, name: str, value: Term) -> Term | None:
    """Solve a term for a variable that it holds once, given the value of the term; powers are of positive numbers."""
    if t == var(name):
        return value
    holding = [a for a in t.args if name in a.free]
    if len(holding) != 1:
        return None
    inner, rest = holding[0], [a for a in t.args if name not in a.free]
    if t.head == "add":
        return _inverse(inner, name, add(value, *(mul(MINUS_ONE, a) for a in rest)))
    if t.head == "mul":
        return _inverse(inner, name, div(value, mul(*rest)))
    if t.head == "pow" and inner == t.args[0]:
        return _inverse(inner, name, power(value, div(ONE, rest[0])))
    if t.head in ("exp", "log"):
        return _inverse(inner, name, call("log" if t.head == "exp" else "exp", value))
    return None


# --- shapes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Shape:
    """Hold x^power * log(x)^a * log(1 - x)^b * exp(polynomial in x, log(x), log(1 - x))."""

    power: Fraction
    logs: tuple[int, int]
    exponent: tuple[tuple[object, frozenset[tuple[Monomial, Fraction]]], ...]

    def exponents(self) -> dict[object, Poly]:
        return {kind: dict(p) for kind, p in self.exponent}


class _Reader:
    """Read an integrand off its normal form."""

    def __init__(self, search: Search, s: Sequent, t: Term) -> None:
        self.r = Range(s, t)
        self.inner = self.r.showing(Relation(ZERO, ">", ONE))
        self.facts: Facts = search.facts(self.inner)
        self.name = self.r.name
        self.x = next(iter(self.facts.poly(self.r.x)))[0][0]
        self.body = self.facts.canonical(self.facts.poly(self.r.at(self.r.body)))

    def depends(self, i: int) -> bool:
        return self.name in self.facts.atoms[i].term.free

    def term(self, p: Poly) -> Term:
        """Return a polynomial as a term, over one denominator."""
        q, outside = self.facts.clear(p)
        if outside and len(q) == 1:
            return self.facts.term(P.scaled(q, 1, outside))
        return over_one_denominator(self.facts, p)

    def linear(self, p: Poly) -> tuple[Poly, Poly] | None:
        """Return (a, b) where p == a + b x, and a and b are free of x."""
        return linear_in(self.facts, p, self.name)

    def rest(self, i: int) -> int:
        """Return 1 for the atom 1 - x, -1 for x - 1, 0 for another."""
        p = self.facts.atoms[i].poly
        one, x = P.constant(1), P.atom(self.x)
        if p == P.plus(one, x, -1):
            return 1
        return -1 if p == P.plus(x, one, -1) else 0

    def log_kind(self, i: int) -> str:
        """Say whether an atom is the logarithm of x or of 1 - x; nothing for another atom."""
        kind, inner, *_ = (*self.facts.atoms[i].key, None)
        if kind != "log" or not isinstance(inner, int):
            return ""
        return LOG if inner == self.x else LOG_REST if self.rest(inner) == 1 else ""

    def shapes(self) -> dict[_Shape, Poly] | None:
        """Return the integrand as a combination of shapes, with coefficients free of x."""
        found: dict[_Shape, Poly] = {}
        for m, c in self.body.items():
            one = self._shape(m, c)
            if one is None:
                return None
            shape, factor = one
            found[shape] = P.plus(found.get(shape, {}), factor)
            if len(found) > MOST:
                return None
        return {shape: p for shape, p in found.items() if p}

    def _shape(self, m: Monomial, c: Fraction) -> tuple[_Shape, Poly] | None:
        facts = self.facts
        factor = P.constant(c)
        degree = Fraction(0)
        logs = {LOG: 0, LOG_REST: 0}
        exponent: dict[object, Poly] = {}
        fixed: Poly = {}  # the exponent of the factors that are free of x

        def more(kind: object, p: Poly) -> None:
            exponent[kind] = P.plus(exponent.get(kind, {}), p)

        for i, e in m:
            a = facts.atoms[i]
            if not self.depends(i):
                if a.key[0] == "exp":
                    fixed = P.plus(fixed, arguments(a)[0], Fraction(e))
                else:
                    factor = facts.product(factor, P.atom(i, e))
            elif i == self.x:
                degree += Fraction(e)
            elif a.key[0] == "exp":
                parts = self._exponent(i)
                if parts is None:
                    return None
                for kind, p in parts:
                    more(kind, P.scaled(p, Fraction(e)))
            elif self.log_kind(i) and e in (1, 2, 3):
                logs[self.log_kind(i)] += int(e)
            elif self.rest(i):
                if self.rest(i) < 0:
                    if Fraction(e).denominator > 1:
                        return None
                    factor = P.scaled(factor, (-1) ** int(e))
                more(LOG_REST, P.constant(Fraction(e)))
            else:
                return None
        if 2 in exponent:  # one exponent, in which denominators can be cancelled
            more(0, fixed)
        else:
            factor = facts.product(factor, facts._exp(fixed))
        kinds = ((k, P.frozen(facts.canonical(p))) for k, p in exponent.items() if p)
        frozen = tuple(sorted(kinds, key=lambda pair: str(pair[0])))
        return _Shape(degree, (logs[LOG], logs[LOG_REST]), frozen), factor

    def _exponent(self, index: int) -> list[tuple[object, Poly]] | None:
        found: list[tuple[object, Poly]] = []
        for m, c in arguments(self.facts.atoms[index])[0].items():
            mine = [(i, e) for i, e in m if self.depends(i)]
            out = {tuple((i, e) for i, e in m if not self.depends(i)): c}
            if len(mine) != 1:
                return None
            i, e = mine[0]
            kind: object = self.log_kind(i) if e == 1 else ""
            if i == self.x and e in (1, 2):
                kind = int(e)
            if not kind:
                return None
            found.append((kind, out))
        return found

    def entry(self, shape: _Shape) -> tuple[str, dict[str, Term]] | None:
        """Return the entry of the table that has this shape, and its parameters."""
        low, high = self.r.low, self.r.high
        exponent = shape.exponents()
        below, above = infinite(low), infinite(high)
        k = shape.power
        kinds = set(exponent)
        zero = not below and self.facts.is_zero(self.facts.poly(low))
        plain = shape.logs == (0, 0)
        if 2 in kinds and plain and kinds <= {0, 1, 2}:
            if zero and above and kinds == {2} and k:
                return "Gaussian, power", {"a": num(k + 1), "b": self._minus(exponent[2])}
            at = {
                "a": self._minus(exponent[2]),
                "b": self.term(exponent.get(1, {})),
                "c": self.term(exponent.get(0, {})),
            }
            if below and above and k in range(5):
                moments = ("", "first", "second", "third", "fourth")
                return "Gaussian" + (f", {moments[int(k)]} moment" if k else ""), at
            if above and not k:
                return "Gaussian, from a point", {**at, "d": low}
            if below and not k:
                return "Gaussian, up to a point", {**at, "d": high}
            return None
        a = self.term(P.plus(exponent.get(LOG, {}), P.constant(k + 1)))
        if zero and above and plain and kinds == {2, LOG}:
            return "Gaussian, power", {"a": a, "b": self._minus(exponent[2])}
        if kinds <= {LOG, LOG_REST} and not above:
            at = {"a": a, "b": self.term(P.plus(exponent.get(LOG_REST, {}), P.constant(1)))}
            which = {(0, 0): "beta", (1, 0): "beta, logarithm", (0, 1): "beta, other logarithm"}
            to_one = self.facts.poly(high) == P.constant(1)
            if zero and to_one and shape.logs in which:
                return which[shape.logs], at
            if zero and plain and LOG_REST in kinds:
                return "beta, up to a point", {**at, "d": high}
            if to_one and plain and LOG_REST in kinds and not below:
                return "beta, from a point", {**at, "d": low}
        if 1 in kinds and kinds <= {1, LOG}:
            at = {"a": a, "b": self._minus(exponent[1])}
            if zero and above and shape.logs in ((0, 0), (1, 0)):
                return "gamma" + (", logarithm" if shape.logs[0] else ""), at
            if zero and plain and LOG in kinds and not above:
                return "gamma, up to a point", {**at, "d": high}
            if above and plain and LOG in kinds and not below:
                return "gamma, from a point", {**at, "d": low}
        return None

    def _minus(self, p: Poly) -> Term:
        return self.term(P.scaled(p, -1))

    # --- kinks ------------------------------------------------------------------------------------

    def kinks(self) -> list[int]:
        """Return the atoms that may have kinks in x."""
        kinked = {("call", name) for name in ("abs", "max", "min", "sign", *STEPS)}

        def has_kinks(i: int) -> bool:
            key = self.facts.atoms[i].key
            return self.depends(i) and (key[0] == "choice" or key[:2] in kinked)

        return list(filter(has_kinks, sorted(self.inside(self.body))))

    def inside(self, p: Poly) -> set[int]:
        """Return the atoms of a polynomial and of all polynomials in them."""
        found: set[int] = set()
        todo = list(P.atoms_of(p))
        while todo:
            if (i := todo.pop()) in found:
                continue
            found.add(i)
            a = self.facts.atoms[i]
            todo += P.atoms_of(a.poly)
            todo += (j for part in arguments(a) for j in P.atoms_of(part))
            todo += (part for part in a.key if a.key[0] == "log" and isinstance(part, int))
        return found

    def innermost(self, i: int) -> bool:
        """Say whether no kink stands in the arguments of a kinked atom."""
        inside = set[int]().union(*map(self.inside, arguments(self.facts.atoms[i])))
        return not any(j != i and j in inside for j in self.kinks())

    def gap(self, i: int) -> Poly:
        """Return the difference whose sign decides which branch a kinked atom takes."""
        a = self.facts.atoms[i]
        parts = arguments(a)
        if a.key[0] == "choice" or a.key[1] in ("abs", "sign"):
            return parts[0]
        return P.plus(parts[0], parts[1], -1)

    def singular(self) -> bool:
        """Say whether a power or a logarithm of the variable needs its sign."""
        there = filter(self.depends, self.inside(self.body))
        return any(self.facts.atoms[i].key[0] in ("log", "base") for i in there)

    def root(self, gap: Poly) -> Root | None:
        """Return (a, b, logarithmic): a + b x, or its logarithmic form, has the sign of the gap."""
        facts = self.facts
        q, outside = facts.clear(gap)
        negative, more, rest = facts.primitive(q)
        back = tuple((i, e) for i, e in more if i == self.x)
        more = tuple((i, e) for i, e in more if i != self.x)
        rest = P.scaled(rest, 1, back)
        sign = facts.sign_of_monomial(P.times(outside, more))
        if sign in (POSITIVE, NEGATIVE):
            line = self.linear(rest)
            if line is not None and (line[1] or len(gap) != 2):
                turned = negative != (sign == NEGATIVE)
                a, b = line
                return (P.scaled(a, -1), P.scaled(b, -1), False) if turned else (a, b, False)
        if len(gap) == 2:
            (m, c), (n, d) = sorted(gap.items(), key=lambda pair: -pair[1])
            if c > 0 > d and facts.positive({m: c}) and facts.positive({n: -d}):
                ratio = P.plus(facts._log({m: c}), facts._log({n: -d}), -1)
                line = self.linear(facts.canonical(ratio))
                if line is not None:
                    return line[0], line[1], True
        return None


# --- evaluation -----------------------------------------------------------------------------------


def valued(search: Search, s: Sequent, t: Term) -> tuple[Term, Node] | None:
    """Return the value of an integral under a sequent's hypotheses, and a proof of the value."""
    chain = Chain(search, s, 1)
    try:
        if not _Evaluation(chain).run(t):
            return None
    except _NeedsCases:  # the value is another one on a part of the domain
        return None
    given = [h for _, h in relations(chain.s, "==")]
    known = {h.left: h.right for h in given if h.left.head == "integral" or _is_cut(h.left)}
    value = _written_out(t, known)
    inside = bound_terms([Relation(value, "==", value)], "integral")
    if inside or not value.free <= {name for name, _ in s.variables}:
        return None
    again = Chain(search, s.showing(Relation(t, "==", value)), 1)
    if not _Evaluation(again).run(t) or not again.rewrite_known("integral"):
        return None
    _named_back(again)
    node = again.close(search.prove(again.s, 1))
    return None if node is None else (value, node)


def _is_cut(t: Term) -> bool:
    """Say whether a term is the name of a point at which an integral was cut."""
    return t.head == "var" and t.name.startswith(NAMED + "_")


def _written_out(t: Term, known: Mapping[Term, Term]) -> Term:
    """Put known values in for terms, again and again."""
    if t in known:
        return _written_out(known[t], known)
    if not t.args or t.head in BINDERS:
        return t
    return Term(t.head, tuple(_written_out(a, known) for a in t.args), t.value, t.name)


class _Evaluation:
    """Evaluate an integral in a chain: equations for it and for its parts are added."""

    def __init__(self, chain: Chain) -> None:
        self.chain, self.search = chain, chain.search

    def run(self, t: Term, level: int = 0) -> bool:
        """Add that an integral exists, and its value; return False without a change on failure."""
        if value_known(self.chain.s, t):
            return True
        if level > DEEPEST:
            return False
        return self.chain.one_of([lambda _, there: self._run(there, level)], t)

    def _run(self, t: Term, level: int) -> bool:
        low, high = t.args[1:]
        facts, endless = self.search.facts(self.chain.s), any(map(infinite, t.args[1:]))
        order = POSITIVE if endless else facts.sign(facts.poly(high - low))
        if not order & POSITIVE and order & NEGATIVE:
            back = bind("integral", t.args[0], t.name, high, low)
            known = self.run(back, level + 1)
            return known and self.chain.apply("reverse integral", integral=str(t))
        if self._forwards(t, level):
            return True
        if level == 0 and order & POSITIVE and order & NEGATIVE:
            raise _NeedsCases(facts.term(facts.poly(high - low)))
        return False

    def _forwards(self, t: Term, level: int) -> bool:
        reader = _Reader(self.search, self.chain.s, t)
        kinks = reader.kinks()
        if kinks:
            return self._kinked(t, reader, kinks, level)
        mark = self.chain.mark()
        ways = (self._by_product, self._by_table, self._moved, self._by_primitive)
        for way in (*ways, self._by_arc, self._stretched, self._inside_first):
            if way(t, reader, level):
                return True
            self.chain.back(mark)
        return False

    # --- cuts -------------------------------------------------------------------------------------

    def _kinked(self, t: Term, reader: _Reader, kinks: list[int], level: int) -> bool:
        for i in filter(reader.innermost, kinks):
            if reader.facts.atoms[i].key[1] in STEPS:
                return self._stepped(t, reader, i, level)
            gap = reader.gap(i)
            found = reader.root(gap)
            if found is None:
                if self._between_roots(t, reader, i, gap, level):
                    return True
                continue
            a, b, _ = found
            facts = reader.facts
            slope = facts.sign(b)
            if not b:
                sign = self._decided(reader.term(a))
                return self._resolved(t, reader, i, gap, found, sign, level)
            if slope not in (POSITIVE, NEGATIVE):
                raise _NeedsCases(reader.term(b))
            below = facts._to_number(b, Fraction(-1))
            if below is None:
                continue
            point = reader.term(facts.canonical(P.scaled(facts.product(a, below), -1)))
            side = self._side(reader, point)
            if side == 0:
                if reader.singular():
                    point = self._named(reader, symbolic.cancelled(point))
                return self._cut(t, point, level)
            rising = 1 if slope == POSITIVE else -1
            return self._resolved(t, reader, i, gap, found, -side * rising, level)
        return False

    def _between_roots(self, t: Term, reader: _Reader, i: int, gap: Poly, level: int) -> bool:
        """Cut a range between numbers where a polynomial, a sine or a cosine is 0."""
        low, high = t.args[1:]
        if low.free | high.free or infinite(low) or infinite(high):
            return False
        between = symbolic.roots(reader.term(gap), reader.name, low, high)
        if between is None:
            return False
        if between:
            return self._cut(t, between[0], level)
        halfway = mul(num(Fraction(1, 2)), add(low, high))
        facts = self.search.facts(self.chain.s)
        sign = facts.sign(facts.poly(substitute(reader.term(gap), {reader.name: halfway})))
        if sign not in (POSITIVE, NEGATIVE):
            return False
        way = 1 if sign == POSITIVE else -1
        return self._resolved(t, reader, i, gap, (gap, {}, False), way, level)

    def _cut(self, t: Term, point: Term, level: int) -> bool:
        parts = (_over(t, t.args[1], point), _over(t, point, t.args[2]))
        known = all(self.run(part, level + 1) for part in parts)
        return known and self.chain.apply("cut integral", integral=str(t), at=str(point))

    def _stepped(self, t: Term, reader: _Reader, i: int, level: int) -> bool:
        """Cut a range between numbers where a floor or a ceiling of a line takes its next step."""
        atom = reader.facts.atoms[i]
        line = reader.linear(arguments(atom)[0])
        ends = [reader.facts.poly(end) for end in (reader.r.low, reader.r.high)]
        if line is None or not all(set(p) <= {()} for p in (*line, *ends)) or not line[1]:
            return False
        a, b, low, high = (Fraction(p.get((), 0)) for p in (*line, *ends))
        bottom, top = sorted((a + b * low, a + b * high))
        step = bottom // 1 + 1
        if step < top:
            if top - bottom > MOST_STEPS:
                return False
            return self._cut(t, num((step - a) / b), level)
        value = step if atom.key[1] == "ceiling" else step - 1
        prove = partial(self.search.prove, depth=2)
        return self._replaced(t, reader, i, P.constant(value), prove, level)

    def _named(self, reader: _Reader, point: Term) -> Term:
        """Give a point a name, so that a bound of the range is seen through it."""
        name = self.chain.s.new_name(NAMED)
        if not self.chain.apply("name", name=name, term=str(point)):
            return point
        for end, ops in ((reader.r.low, (">", ">=")), (reader.r.high, ("<", "<="))):
            if not infinite(end):
                any(self.chain.have(f"{name} {op} {end}") for op in ops)
        return var(name)

    def _decided(self, t: Term) -> int:
        """Return 1 where t >= 0 is known, and -1 where t <= 0 is known."""
        for sign, op in ((1, ">="), (-1, "<=")):
            if self.search.prove(self.chain.s.showing(Relation(t, op, ZERO)), 0) is not None:
                return sign
        raise _NeedsCases(t)

    def _side(self, reader: _Reader, point: Term) -> int:
        """Return -1 where a point lies at or below the range, 1 where at or above, 0 inside."""
        facts = self.search.facts(self.chain.s)
        for end, where in ((reader.r.low, -1), (reader.r.high, 1)):
            if infinite(end):
                continue
            gap = point - end if where < 0 else end - point
            sign = facts.sign(facts.poly(gap))
            if sign == POSITIVE:
                continue
            if not sign & POSITIVE:
                return where
            s = self.chain.s
            strict = reader.singular()  # the integrand need not be defined at the end
            if not sign & NEGATIVE and not strict:
                continue
            if self.search.prove(s.showing(Relation(gap, "<=", ZERO)), 0) is not None:
                return where
            op = ">" if strict else ">="
            if self.search.prove(s.showing(Relation(gap, op, ZERO)), 0) is None:
                raise _NeedsCases(facts.term(facts.clear(facts.poly(gap))[0]))
        return 0

    def _resolved(
        self, t: Term, reader: _Reader, i: int, gap: Poly, root: Root, sign: int, level: int
    ) -> bool:
        """Replace a kinked function by the branch that it takes on the whole range."""
        facts = reader.facts
        atom = facts.atoms[i]
        parts = arguments(atom)
        # where it is 0, its sign is neither of the two, and a choice depends on how it is made
        strict = atom.key[0] == "choice" or atom.key[1] == "sign"
        op = (">" if strict else ">=") if sign > 0 else ("<" if strict else "<=")
        claim = Relation(facts.term(gap), op, ZERO)
        if atom.key[0] == "choice":
            branch = parts[1] if sign > 0 and atom.key[1] != "ifeq" else parts[2]
        elif atom.key[1] == "sign":
            branch = P.constant(sign)
        elif atom.key[1] == "abs":
            branch = P.scaled(parts[0], sign)
        elif atom.key[1] in ("max", "min") and len(parts) == 2:
            branch = parts[0] if (sign > 0) == (atom.key[1] == "max") else parts[1]
        else:
            return False
        a, b, logarithmic = root
        line = facts.term(P.plus(a, P.product(b, P.atom(reader.x))))
        prove = partial(self._branch, claim=claim, line=line, logarithmic=logarithmic)
        return self._replaced(t, reader, i, branch, prove, level)

    def _replaced(
        self, t: Term, reader: _Reader, i: int, branch: Poly, prove: Prove, level: int
    ) -> bool:
        """Put a branch in the place of a function that has it on the whole range."""
        facts = reader.facts
        old, new = facts.term(P.atom(i)), facts.term(branch)
        whole = facts.term(reader.body)
        body = replaced(whole, {old: new}.get, frozenset())
        if body == whole:
            return False
        back = substitute(body, {reader.name: var(t.name)})
        if not self.run(_with_body(t, back), level + 1):
            return False
        fields = {"integral": str(t), "parts": [["1", str(back)]]}
        premises = self.search.premises(self.chain.s, "linear integral", **fields)
        if premises is None:
            return False
        for premise in premises[:-1]:
            easy = not isinstance(premise.goal, Relation) or self.search.prove(premise, 0)
            if not easy and (node := prove(premise)) is not None:
                self.search.proved[premise] = node
        return self.chain.apply("linear integral", **fields)

    def _branch(self, s: Sequent, claim: Relation, line: Term, logarithmic: bool) -> Node | None:
        """Prove an equation of a kinked function and its branch: first the sign, then the rest."""
        inner = Chain(self.search, s, 1)
        if not inner.have(Relation(line, claim.op, ZERO)):
            return None
        if logarithmic:
            over = line if claim.op == ">=" else mul(MINUS_ONE, line)
            above = Relation(add(call("exp", over), MINUS_ONE), ">=", ZERO)
            tangent = {"name": "exp above its tangent", "at": {"u": str(over)}}
            if not inner.apply("axiom", **tangent) or not inner.have(above):
                return None
            self._scaled(inner.s.showing(claim), above)
        return inner.close(self.search.prove(inner.s, 1)) if inner.have(claim) else None

    def _scaled(self, s: Sequent, above: Relation) -> None:
        """Prove a goal that is a hypothesis times something positive, and remember the proof."""
        facts = self.search.facts(s)
        assert isinstance(s.goal, Relation)
        for m, c in facts.poly(s.goal.left).items():
            factor = str(facts.term({m: abs(c)}))
            node = self.search.by(s, "restate", 0, goal=str(above), factor=factor)
            if node is not None:
                self.search.proved[s] = node
                return

    # --- the table --------------------------------------------------------------------------------

    def _by_product(self, t: Term, reader: _Reader, level: int) -> bool:
        """Use the primitive x^a (1 - x)^b, where the integrand is a multiple of its derivative."""
        low, high = reader.r.low, reader.r.high
        found = None if infinite(low) or infinite(high) else _product(reader)
        if found is None:
            return False
        factor, a, b = found
        x = var(t.name)
        rest = ONE - x
        slope = add(
            mul(a, power(x, add(a, MINUS_ONE)), power(rest, b)),
            mul(MINUS_ONE, b, power(x, a), power(rest, add(b, MINUS_ONE))),
        )
        one = _with_body(t, slope)
        fields: dict[str, Any] = {"integral": str(one), "by": str(mul(power(x, a), power(rest, b)))}
        small = self.chain.s.new_name("small")
        if reader.facts.is_zero(reader.facts.poly(low)):
            reach = power(var(small), div(ONE, a))
            fields["low"] = {"limit": "0", "from": str(reach), "small": small}
        if reader.facts.poly(high) == P.constant(1):
            reach = ONE - power(var(small), div(ONE, b))
            fields["high"] = {"limit": "0", "from": str(reach), "small": small}

        prove = partial(_small_product, self.search, a=a, b=b, small=var(small))
        known = self.chain.apply_by(prove, "primitive", **fields)
        return known and as_combination(self.chain, t, (factor, slope))

    def _by_table(self, t: Term, reader: _Reader, level: int) -> bool:
        shapes = reader.shapes()
        if shapes is None:
            return False
        parts = []
        shapes = _neighbours(reader, shapes)
        for shape, factor in shapes.items():
            found = reader.entry(shape)
            if found is None or found[0] not in INTEGRALS:
                return False
            name, at = found
            entry = INTEGRALS[name]
            body = substitute(parse_term(entry.body), {**at, "x": var(t.name)})
            fields: dict[str, Any] = {"entry": name, "at": {p: str(v) for p, v in at.items()}}
            for condition in entry.conditions:
                f = put(parse_formula(condition), at)
                known = self.search.env.automatic(self.chain.s.showing(f))
                if not known and not self.chain.have(f):
                    return False
            if len(shapes) == 1 and factor == P.constant(1):
                return self.chain.apply("integral of the table", integral=str(t), **fields)
            one = _with_body(t, body)
            fields["integral"] = str(one)
            known = value_known(self.chain.s, one)
            if not known and not self.chain.apply("integral of the table", **fields):
                return False
            parts.append((reader.term(factor), body))
        return as_combination(self.chain, t, *parts)

    def _moved(self, t: Term, reader: _Reader, level: int) -> bool:
        """Shift, or reflect, a range with one infinite end so that it starts at 0."""
        low, high = reader.r.low, reader.r.high
        up = infinite(high)
        shift = low if up else high
        if infinite(low) == up or (up and reader.facts.is_zero(reader.facts.poly(low))):
            return False
        fields = {} if up else {"reflected": "yes"}
        scale, inside = (ONE if up else MINUS_ONE), partial(self.run, level=level + 3)
        return by_moving(self.chain, t, inside, scale, shift, **fields)

    def _stretched(self, t: Term, reader: _Reader, level: int) -> bool:
        """Stretch a range from 0 to c, where powers of c - x stand, to the range from 0 to 1."""
        low, high = reader.r.low, reader.r.high
        facts = reader.facts
        if infinite(low) or infinite(high) or not facts.is_zero(facts.poly(low)):
            return False
        if facts.poly(high) == P.constant(1):
            return False
        gap = add(high, mul(MINUS_ONE, reader.r.x))
        if reader.name in high.free or not any(
            reader.depends(i) and facts.is_zero(facts.poly(add(atom.term, mul(MINUS_ONE, gap))))
            for i, atom in enumerate(facts.atoms)
        ):
            return False
        return by_moving(self.chain, t, partial(self.run, level=level + 3), high, ZERO)

    def _inside_first(self, t: Term, reader: _Reader, level: int) -> bool:
        """Put the values of inner integrals in, each found at a point of the range."""
        x = var(t.name)
        values: dict[Term, Term] = {}
        for one in subterms(t.args[0]):
            if one.head != "integral" or t.name not in one.free:
                continue
            at_point = substitute(one, {t.name: reader.r.x})
            there = Chain(self.search, reader.inner, self.chain.depth)
            if not _Evaluation(there).run(at_point, level + 1):
                return False
            given = (h for _, h in relations(there.s, "=="))
            known = {h.left: h.right for h in given if h.left.head == "integral"}
            found = _written_out(at_point, known)
            if bound_terms([Relation(found, ">", ZERO)], ""):
                return False
            values[one] = substitute(found, {reader.name: x})
        body = replaced(t.args[0], values.get, frozenset())
        if not values or not body.free <= {t.name, *(n for n, _ in self.chain.s.variables)}:
            return False
        done = self.run(_with_body(t, body), level + 1)
        return done and as_combination(self.chain, t, (ONE, body))

    # --- primitives -------------------------------------------------------------------------------

    def _by_primitive(self, t: Term, reader: _Reader, level: int) -> bool:
        apply = partial(self.chain.apply, "primitive", integral=str(t))
        if infinite(reader.r.low):
            return False
        if infinite(reader.r.high):  # it comes near its limit at oo at least as fast as 1/x
            F = symbolic.primitive(t.args[0], t.name)
            ways = symbolic.ways_to_limit(F, t.name, self.chain.s.new_name("small"))
            return any(apply(by=str(F), high=high) for high in ways)
        F = self._by_shapes(reader)
        if F is not None and apply(by=str(substitute(F, {reader.name: var(t.name)}))):
            return True
        F = symbolic.primitive(t.args[0], t.name)
        return F is not None and apply(by=str(F))

    def _by_arc(self, t: Term, reader: _Reader, level: int) -> bool:
        """Move multiples of Cauchy densities to the standard one, whose primitive is an arc."""
        body = t.args[0]
        if not all(map(infinite, t.args[1:])):
            return False
        if body.head == "add":
            known = all(self.run(_with_body(t, one), level + 1) for one in body.args)
            return known and as_combination(self.chain, t, *((ONE, one) for one in body.args))
        found = symbolic.bell(body, t.name)
        if found is None:
            return False
        factor, scale, centre = found
        standard = power(add(ONE, power(var(t.name), num(2))), MINUS_ONE)
        arc, part = _with_body(t, standard), (div(factor, scale), standard)

        def multiple(there: Term) -> bool:
            return self._arc(arc) and as_combination(self.chain, there, part)

        return by_moving(self.chain, t, multiple, scale, centre)

    def _arc(self, t: Term) -> bool:
        """Add the integral of 1/(1 + x^2) over the line: the arc nears its limits as 1/x does."""
        if value_known(self.chain.s, t):
            return True
        small = self.chain.s.new_name("small")
        high = {"limit": "pi/2", "from": f"1/{small}", "small": small}
        low = {"limit": "-pi/2", "from": f"-1/{small}", "small": small}
        fields = {"integral": str(t), "by": f"atan({t.name})", "low": low, "high": high}
        return self.chain.apply_by(self._near_its_limit, "primitive", **fields)

    def _near_its_limit(self, s: Sequent) -> Node | None:
        """Show that an arc is near its limit, by the arc of the reciprocal, which is small."""
        if isinstance(s.goal, Relation) and s.goal.op != "==":
            x = s.variables[-1][0]
            for u in (x, f"-{x}"):
                inner = Chain(self.search, s, 2)
                if inner.have(f"{u} > 0"):
                    inner.apply("axiom", name="atan of a reciprocal", at={"u": u})
                    inner.apply("axiom", name="atan sign", at={"u": f"1/({u})"})
                    inner.apply("axiom", name="range of atan", at={"u": u})
                    return inner.close(self.search.prove(inner.s, 2))
        return self.search.prove(s, 2)

    def _by_shapes(self, reader: _Reader) -> Term | None:
        shapes = reader.shapes()
        if shapes is None:
            return None
        found = {shape: _primitive(reader, shape) for shape in shapes}
        parts = [mul(reader.term(shapes[shape]), one) for shape, one in found.items() if one]
        return add(*parts) if len(parts) == len(shapes) else None


def as_combination(chain: Chain, t: Term, *parts: tuple[Term, Term]) -> bool:
    """Use that an integral is a combination of the integrals of coefficients and integrands."""
    shown = [[str(c), str(f)] for c, f in parts]
    return chain.apply("linear integral", integral=str(t), parts=shown)


def _with_body(t: Term, body: Term) -> Term:
    """Return an integral of another integrand."""
    return bind("integral", body, t.name, *t.args[1:])


def by_moving(
    chain: Chain, t: Term, by: Callable[[Term], bool], scale: Term, shift: Term, **more: str
) -> bool:
    """Evaluate an integral over a moved and stretched range, and move it back."""
    fields = {"integral": str(t), "scale": str(scale), "shift": str(shift), **more}
    premises = chain.search.premises(chain.s, "move integral", **fields)
    last = premises[-1].hypotheses[-1] if premises else None
    known = isinstance(last, Relation) and by(last.right)
    return known and chain.apply("move integral", **fields)


def _neighbours(reader: _Reader, shapes: dict[_Shape, Poly]) -> dict[_Shape, Poly]:
    """Write c x^k u + d x^(k + 1) u as c x^k (1 - x) u + (c + d) x^(k + 1) u.

    The factor u has powers of 1 - x. Incomplete beta integrals of densities are written so.
    """
    found = _consecutive(shapes)
    whole_range = reader.facts.is_zero(reader.facts.poly(ONE - reader.r.high + reader.r.low))
    if found is None or whole_range:
        return shapes
    (one, c), (two, d) = found
    exponent = one.exponents()
    if LOG_REST not in exponent:
        return shapes
    exponent[LOG_REST] = P.plus(exponent[LOG_REST], P.constant(1))
    frozen = tuple((k, P.frozen(p)) for k, p in exponent.items())
    both = P.plus(c, d)
    made = {_Shape(one.power, one.logs, frozen): c}
    return {**made, two: both} if reader.facts.canonical(both) else made


def _consecutive(
    shapes: dict[_Shape, Poly],
) -> tuple[tuple[_Shape, Poly], tuple[_Shape, Poly]] | None:
    """Return the parts c x^k u and d x^(k + 1) u of an integrand that has no others."""
    if len(shapes) != 2:
        return None
    first, second = sorted(shapes.items(), key=lambda pair: pair[0].power)
    fits = first[0].exponent == second[0].exponent and second[0].power == first[0].power + 1
    return (first, second) if fits else None


def _product(reader: _Reader) -> tuple[Term, Term, Term] | None:
    """Return c, a and b where the integrand is c times the derivative of x^a (1 - x)^b.

    The derivative is a x^(a - 1) (1 - x)^(b - 1) - (a + b) x^a (1 - x)^(b - 1).
    """
    shapes = reader.shapes()
    found = None if shapes is None else _consecutive(shapes)
    if found is None:
        return None
    (one, c), (two, d) = found
    exponent = one.exponents()
    if not one.logs == two.logs == (0, 0) or set(exponent) != {LOG, LOG_REST}:
        return None
    a = P.plus(exponent[LOG], P.constant(one.power + 1))
    b = P.plus(exponent[LOG_REST], P.constant(1))
    facts = reader.facts
    if facts.canonical(P.plus(facts.product(a, d), facts.product(P.plus(a, b), c))):
        return None
    return div(reader.term(c), reader.term(a)), reader.term(a), reader.term(b)


def _small_product(search: Search, s: Sequent, a: Term, b: Term, small: Term) -> Node | None:
    """Show that x^a (1 - x)^b is small where one of the two factors is, by logarithms."""
    chain = Chain(search, s, 1)
    chain.keep(_is_order)
    if isinstance(s.goal, Relation) and s.goal.right == small:
        x = var(s.variables[-1][0])
        first, second = mul(a, call("log", x)), mul(b, call("log", ONE - x))
        bound = call("log", small)
        for one, exponent in ((x, a), (ONE - x, b)):
            mark = chain.mark()
            steps = (
                Relation(call("log", one), "<=", div(bound, exponent)),
                Relation(mul(exponent, call("log", one)), "<=", bound),
                Relation(add(first, second), "<=", bound),
            )
            if all(map(chain.have, steps)):
                break
            chain.back(mark)
    return chain.close(search.prove(chain.s, 1))


def _primitive(reader: _Reader, shape: _Shape) -> Term | None:
    """Return a primitive of a shape in closed form."""
    x = reader.r.x
    exponent = shape.exponents()
    kinds = set(exponent)
    k = shape.power
    if not kinds and shape.logs == (0, 0):
        if k == -1:
            return call("log", x)
        return mul(num(1 / (k + 1)), power(x, num(k + 1)))
    if not kinds and shape.logs == (1, 0):
        if k == -1:
            return mul(num(Fraction(1, 2)), power(call("log", x), num(2)))
        n = num(k + 1)
        return mul(power(x, n), add(div(call("log", x), n), num(-1 / (k + 1) ** 2)))
    if shape.logs != (0, 0):
        return None
    if kinds == {LOG}:
        n = reader.term(P.plus(exponent[LOG], P.constant(k + 1)))
        return div(power(x, n), n)
    if kinds == {1} and k.denominator == 1 and 0 <= k <= 12:
        b = reader.term(exponent[1])
        front = []
        factor = Fraction(1)
        for j in range(int(k) + 1):
            # x^k e^(bx) has the primitive sum of (-1)^j k!/(k - j)! x^(k - j) e^(bx) / b^(j + 1)
            if j:
                factor *= -(int(k) - j + 1)
            left = power(x, num(int(k) - j)) if j < k else ONE
            front.append(div(mul(num(factor), left), mul(*(j + 1) * [b])))
        return mul(add(*front), call("exp", mul(b, x)))
    if kinds <= {0, 1, 2} and 2 in kinds and not k:
        a = reader.term(P.scaled(exponent[2], -1))
        b, c = reader.term(exponent.get(1, {})), reader.term(exponent.get(0, {}))
        root = power(a, num(Fraction(1, 2)))
        outside = mul(
            num(Fraction(1, 2)),
            power(div(Term("pi"), a), num(Fraction(1, 2))),
            call("exp", add(div(power(b, num(2)), mul(num(4), a)), c)),
        )
        inside = mul(root, x) - div(b, mul(num(2), root))
        return mul(outside, call("erf", inside))
    return None
