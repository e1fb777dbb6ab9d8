"""Closed forms of finite sums: written out, or by differences of powers and polynomials."""

from __future__ import annotations

from fractions import Fraction

import sympy

from dpbook.engine.tactics.chain import Chain, bound_terms
from dpbook.engine.tactics.core import Node, Search
from dpbook.engine.tactics.unknown import at_a_point
from dpbook.kernel import polynomials as P
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import And, Is, Relation, Sequent
from dpbook.kernel.normal import Facts
from dpbook.kernel.polynomials import Monomial, Poly
from dpbook.kernel.signs import NULL, POSITIVE
from dpbook.kernel.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    add,
    div,
    mul,
    num,
    power,
    substitute,
    var,
)

SHORT = 12  # terms that are written out
HIGHEST = 8  # power of the index
MOST = 12  # monomials of a summand


def _exchanged(search: Search, s: Sequent, goal: Relation) -> Node | None:
    """Show that two sums of sums are the same in another order."""
    if goal.op != "==":
        return None
    for t in (goal.left, goal.right):
        if t.head == "sum" and t.args[0].head == "sum":
            chain = Chain(search, s, 0)
            if chain.apply("exchange sums", sum=str(t)) and search.env.settled(chain.s):
                return chain.close(search.node("known"))
    return None


def sums(search: Search, s: Sequent, depth: int) -> Node | None:
    """Put closed forms in for the sums of a goal, and go on with them."""
    there = bound_terms([s.goal], "sum")
    goal = s.goal
    if not there or isinstance(goal, Is) or not isinstance(goal, (Relation, And)):
        return None
    if isinstance(goal, Relation):
        node = _exchanged(search, s, goal) or _compared(search, s, max(depth, 1))
        if node is not None:
            return node
    chain = Chain(search, s, max(depth, 1))
    names = {n for n, _ in s.variables}
    for t in there:
        known = any(
            isinstance(f, Relation) and f.op == "==" and f.left == t for f in chain.s.hypotheses
        )
        if t.free <= names and not known:
            mark = chain.mark()
            try:
                if not (_written_out(chain, t) or _binomial(chain, t) or _by_differences(chain, t)):
                    chain.back(mark)
            except (Rejected, ArithmeticError):
                chain.back(mark)
    if isinstance(goal, Relation):
        if not chain.rewrite_known("sum"):
            return None
        chain.forget("sum")
    if not chain.steps:
        return None
    return chain.close(search.prove(chain.s, depth))


def _written_out(chain: Chain, t: Term) -> bool:
    facts = chain.search.facts(chain.s)
    gap = facts.poly(t.args[2] - t.args[1])
    if set(gap) - {P.ONE} or gap.get(P.ONE, Fraction(0)) >= SHORT:
        return False
    return chain.apply("unroll", sum=str(t))


def _binomial(chain: Chain, t: Term) -> bool:
    """Use the binomial theorem, where the summand is written as it has it."""
    body, low, high = t.args
    k = var(t.name)
    factors = list(body.args) if body.head == "mul" else [body]
    there = [f for f in factors if f.head == "binomial" and f.args == (high, k)]
    powers = {
        f.args[1]: f.args[0] for f in factors if f.head == "pow" and t.name not in f.args[0].free
    }
    x, y = powers.get(k), powers.get(high - k)
    if low != ZERO or len(factors) != 3 or not there or x is None or y is None:
        return False
    at = {"n": str(high), "x": str(x), "y": str(y)}
    if not chain.apply("axiom", name="binomial theorem", at=at):
        return False
    found = chain.s.hypotheses[-1]
    if not isinstance(found, Relation) or found.left == t:
        return isinstance(found, Relation)
    if not chain.apply("compare sums", low=str(t), high=str(found.left), op="=="):
        return False
    return chain.apply("have", formula=str(Relation(t, "==", found.right)))


def _compared(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare two sums over the same range term by term."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op not in ("<=", ">=", "=="):
        return None
    low, high = (goal.right, goal.left) if goal.op == ">=" else (goal.left, goal.right)
    if low.head != "sum" or high.head != "sum":
        return None
    chain = Chain(search, s, depth)
    fields = {"low": str(low), "high": str(high), "op": "==" if goal.op == "==" else "<="}
    if not chain.apply("compare sums", **fields):
        if not search.at_points or s.functions:
            return None
        # term by term with what is said of a term
        if not chain.apply_by(lambda t: at_a_point(search, t, depth), "compare sums", **fields):
            return None
    return chain.close(search.prove(chain.s, 0))


def _by_differences(chain: Chain, t: Term) -> bool:
    search = chain.search
    for _ in range(3):  # bases of powers that turn out to be positive change the normal form
        found = _Summand(search, chain.s, t)
        base = found.unknown_base()
        if base is None or not chain.apply("have", formula=str(Relation(base, ">", ZERO))):
            break
    found = _Summand(search, chain.s, t)
    F = found.antidifference(chain)
    if F is None:
        return False
    return chain.apply("telescope", sum=str(t), by=str(substitute(F, {found.name: var(t.name)})))


class _Summand:
    """The normal form of a summand: factors free of the index, times powers q^k and k^j."""

    def __init__(self, search: Search, s: Sequent, t: Term) -> None:
        self.name = s.new_name(t.name)
        k = var(self.name)
        body = substitute(t.args[0], {t.name: k})
        wide = s.with_variable(self.name, "integer").showing(
            Relation(body, "==", body), Relation(t.args[1], "<=", k), Relation(k, "<=", t.args[2])
        )
        self.facts: Facts = search.facts(wide)
        self.k = next(iter(self.facts.poly(k)))[0][0]
        self.body = self.facts.canonical(self.facts.poly(body))

    def depends(self, i: int) -> bool:
        return self.name in self.facts.atoms[i].term.free

    def unknown_base(self) -> Term | None:
        """Return the base of a power of the index that is not known to be positive."""
        for i in sorted(P.atoms_of(self.body)):
            a = self.facts.atoms[i]
            if a.key[:2] == ("call", "pow") and self.depends(i):
                assert isinstance(a.key[2], frozenset)
                base = dict(a.key[2])
                if self.facts.sign(base) & POSITIVE and self.facts.sign(base) != POSITIVE:
                    q, outside = self.facts.clear(base)
                    if outside:
                        return mul(self.facts.term(q), self.facts.term({outside: Fraction(1)}))
                    return self.facts.term(q)
        return None

    def _linear(self, p: Poly) -> Poly | None:
        """Return the coefficient of the index, where a polynomial is linear in it."""
        slope: Poly = {}
        for m, c in p.items():
            powers = dict(m)
            e = powers.pop(self.k, 0)
            if any(self.depends(i) for i in powers) or e not in (0, 1):
                return None
            if e:
                slope = P.plus(slope, {tuple(sorted(powers.items())): c})
        return slope

    def antidifference(self, chain: Chain) -> Term | None:
        """Return F with F(k + 1) - F(k) equal to the summand."""
        if len(self.body) > MOST:
            return None
        parts = []
        for m, c in self.body.items():
            one = self._one(chain, m, c)
            if one is None:
                return None
            parts.append(one)
        return add(*parts) if parts else ZERO

    def _one(self, chain: Chain, m: Monomial, c: Fraction) -> Term | None:
        facts = self.facts
        degree = 0
        slope: Poly = {}
        ratio = P.constant(1)
        geometric: list[tuple[int, int | Fraction]] = []
        for i, e in m:
            a = facts.atoms[i]
            if i == self.k and isinstance(e, int) and 0 <= e <= HIGHEST:
                degree = e
                continue
            geometric.append((i, e))
            if not self.depends(i):
                continue
            if a.key[0] == "exp":
                assert isinstance(a.key[1], frozenset)
                one = self._linear(dict(a.key[1]))
                if one is None:
                    return None
                slope = P.plus(slope, one, Fraction(e))
            elif a.key[:2] == ("call", "pow") and isinstance(e, int):
                assert isinstance(a.key[2], frozenset)
                assert isinstance(a.key[3], frozenset)
                one = self._linear(dict(a.key[3]))
                if one is None or set(one) != {P.ONE} or one[P.ONE].denominator > 1:
                    return None
                step = facts._to_number(dict(a.key[2]), e * one[P.ONE])
                if step is None:
                    return None
                ratio = facts.product(ratio, step)
            else:
                return None
        front = facts.term({tuple(geometric): c})
        ratio = facts.canonical(facts.product(ratio, facts._exp(slope)))
        k = var(self.name)
        if ratio == P.constant(1):
            x = sympy.Symbol("x")
            F = sympy.Poly(sympy.bernoulli(degree + 1, x) / (degree + 1), x)
            terms = [
                mul(num(Fraction(int(b.p), int(b.q))), power(k, num(j)) if j else ONE)
                for (j,), b in F.terms()
            ]
            return mul(front, add(*terms))
        less = _over_one_denominator(facts, facts.canonical(P.plus(ratio, P.constant(1), -1)))
        if facts.sign(P.plus(ratio, P.constant(1), -1)) & NULL and not _differs(chain, less):
            return None
        q = facts.term(ratio)
        shapes = {
            0: lambda: div(ONE, less),
            1: lambda: add(div(k, less), mul(MINUS_ONE, div(q, mul(less, less)))),
            2: lambda: add(
                div(mul(k, k), less),
                mul(num(-2), div(mul(q, k), mul(less, less))),
                div(mul(q, add(q, ONE)), mul(less, less, less)),
            ),
        }
        if degree not in shapes:
            return None
        return mul(front, shapes[degree]())


def _over_one_denominator(facts: Facts, p: Poly) -> Term:
    q, outside = facts.clear(p)
    if not outside:
        return facts.term(q)
    return mul(facts.term(q), facts.term({outside: Fraction(1)}))


def _differs(chain: Chain, t: Term) -> bool:
    """Add that a term is negative, or positive."""
    return any(chain.apply("have", formula=str(Relation(t, op, ZERO))) for op in ("<", ">"))
