"""Find closed forms of finite sums: written out, or by differences of powers and polynomials."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from dpbook.engine.prove.tactics.core import Chain, Node, Search, contradiction, needs
from dpbook.engine.prove.tactics.reading import (
    arguments,
    bound_terms,
    linear_in,
    over_one_denominator,
    parts_of,
    value_known,
)
from dpbook.engine.prove.tactics.unknown import at_a_point
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import And, Is, Relation, Sequent, parse_formula
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.terms import (
    MINUS_ONE,
    ONE,
    ZERO,
    Term,
    add,
    bind,
    call,
    div,
    infinite,
    mul,
    num,
    power,
    substitute,
    var,
)

SHORT = 12  # terms that are written out
HIGHEST = 8  # power of the index
MOST = 12  # monomials of a summand


@needs("binomial", "factorial", "gamma")
def binomials(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show an equation of binomials and factorials, after their arguments are shown positive."""
    if contradiction(s) or not isinstance(s.goal, Relation) or s.goal.op != "==":
        return None
    inside = dict.fromkeys(parts_of(s.goal))
    names = {n for n, _ in s.variables}
    found = [t for t in inside if t.head in ("binomial", "factorial", "gamma") and t.free <= names]
    arguments: dict[Term, None] = {}
    for t in found[:MOST]:
        first, *rest = t.args
        parts = (rest[0], first - rest[0]) if rest else (first,)
        arguments.update((one, None) for part in parts for one in (part, part + ONE))
    chain = Chain(search, s, 0)
    for t in arguments:
        facts = search.facts(chain.s)
        if not facts.positive(facts.poly(t)):
            chain.have(Relation(t, ">", ZERO))
    return chain.close(search.leaf(chain.s, "identity")) if chain.steps else None


@needs("binomial")
def binomial_term(search: Search, s: Sequent, depth: int) -> Node | None:
    """Bound a binomial coefficient by 2^n: one term of the binomial theorem, the others >= 0."""
    goal = s.goal
    if contradiction(s) or not isinstance(goal, Relation) or goal.op in ("==", "!="):
        return None
    parts = dict.fromkeys(parts_of(goal))
    powers = {t.args[1] for t in parts if t.head == "pow" and t.args[0] == num(2)}
    names = {n for n, _ in s.variables}
    for one in parts:
        if one.head != "binomial" or not one.args[1].free or not one.free <= names:
            continue
        n, k = one.args
        known = f"{one} <= 2^({n})"
        if not any(n.free & e.free for e in powers) or parse_formula(known) in s.hypotheses:
            continue
        chain = Chain(search, s, 0)
        known_sign = search.env.automatic(s.showing(Relation(n, ">=", ZERO)))
        if not known_sign and not chain.have(f"{n} >= 0"):
            continue
        if not chain.apply("axiom", name="binomial theorem", at={"n": str(n), "x": "1", "y": "1"}):
            continue
        j = var(chain.s.new_name("j"))
        whole, first, low, high = (
            bind("sum", call("binomial", n, j), j.name, *ends)
            for ends in ((ZERO, n), (ZERO, k), (ZERO, k - ONE), (k + ONE, n))
        )
        count = len(chain.s.hypotheses)
        sums_up = {
            "terms": [["1", [i], None] for i in range(count + 3, count + 6)],
            "equalities": [[count, "-1"], [count + 1, "1"], [count + 2, "1"]],
        }

        def prove(there: Sequent, fields: dict[str, Any] = sums_up) -> Node | None:
            added = partial(search.leaf, rule="combination", **fields)
            return search.by_each(added, there, "refute")

        fine = (
            chain.have(f"{whole} == 2^({n})")
            and chain.apply("parts", **chain.search.cut(chain.s, whole, k))
            and chain.apply("parts", **chain.search.cut(chain.s, first, k - ONE))
            and _not_negative(chain, low)
            and _not_negative(chain, high)
            and chain.have_by(prove, known)
        )
        if fine:
            return chain.close(search.prove(chain.s, depth))
    return None


def _not_negative(chain: Chain, t: Term) -> bool:
    """Add that a sum of binomial coefficients is not negative."""
    nothing = bind("sum", ZERO, t.name, *t.args[1:])

    def prove(s: Sequent) -> Node | None:
        one = Chain(chain.search, s, 0)
        if isinstance(s.goal, Relation) and s.goal.right.head == "binomial":
            at = dict(zip("uv", map(str, s.goal.right.args), strict=True))
            if not one.apply("axiom", name="binomial at least 1", at=at):
                return None
        return one.close(chain.search.prove(one.s, 0))

    return chain.apply_by(prove, "compare sums", low=str(nothing), high=str(t), op="<=")


def _exchanged(search: Search, s: Sequent, goal: Relation) -> Node | None:
    """Show that two sums of sums are the same in another order."""
    if goal.op != "==":
        return None
    for t in (goal.left, goal.right):
        if t.head == "sum" and t.args[0].head == "sum":
            chain = Chain(search, s, 0)
            exchanged = chain.apply("exchange sums", sum=str(t))
            if exchanged and (clear := chain.close_if_clear()) is not None:
                return clear
    return None


@needs("sum")
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
        if t.free <= names and not value_known(chain.s, t):
            chain.one_of((_written_out, _by_the_binomial_theorem, _by_differences), t)
    if isinstance(goal, Relation):
        if not chain.rewrite_known("sum"):
            return None
        chain.forget("sum")
    if not chain.steps:
        return None
    return chain.close(search.prove(chain.s, depth))


@needs("sum")
def by_integral(search: Search, s: Sequent, depth: int) -> Node | None:
    """Bound a sum of powers of its index by the integral: all terms but the first, one by one."""
    there = bound_terms([s.goal], "sum")
    if len(there) != 1 or not isinstance(s.goal, Relation) or s.goal.op in ("==", "!="):
        return None
    (t,) = there
    low, high = t.args[1:]
    if not t.free <= {n for n, _ in s.variables} or t.name in low.free | high.free:
        return None
    k, name = var(t.name), t.name
    try:
        found = Summand(search, s, t)
        facts = search.facts(s)
        own, (p, _) = facts.poly(t), facts.difference(s.goal)
    except (Rejected, ArithmeticError):
        return None
    if len(found.body) != 1 or len(own) != 1:
        return None
    ((m, c),) = found.body.items()
    if len(m) != 1 or m[0][0] != found.k or m[0][1] == -1 or c <= 0:
        return None
    e = Fraction(m[0][1])
    upper = p.get(next(iter(own)), Fraction(0)) < 0

    def F(x: Term) -> Term:
        return mul(num(c / (e + 1)), power(x, num(e + 1)))

    before = upper == (e < 0)  # the step ends at the index, or it starts there
    G = F(k - ONE) if before else F(k)
    step = bind("sum", F(k) - G if before else F(k + ONE) - G, name, low + ONE, high)
    rest = bind("sum", t.args[0], name, low + ONE, high)
    sides = (rest, step) if upper else (step, rest)
    chain = Chain(search, s, max(depth, 1))
    done = (
        chain.apply("parts", **chain.search.cut(chain.s, t, low))
        and chain.apply("compare sums", low=str(sides[0]), high=str(sides[1]), op="<=")
        and chain.apply("telescope", sum=str(step), by=str(G))
    )
    return chain.close(search.prove(chain.s, depth)) if done else None


def _written_out(chain: Chain, t: Term) -> bool:
    gap = chain.search.difference(chain.s, t.args[2], t.args[1])
    if gap is None or gap >= SHORT:
        return False
    return chain.apply("unroll", **chain.search.unrolled(chain.s, t))


def _by_the_binomial_theorem(chain: Chain, t: Term) -> bool:
    """Give a sum of binomials times x^k y^(n - k) its value, as it is written."""
    body, low, n = t.args
    k = var(t.name)
    parts = body.args if body.head == "mul" else (body,)
    if low != ZERO or call("binomial", n, k) not in parts:
        return False
    bases = {k: ONE, n - k: ONE}
    for part in (one for one in parts if one != call("binomial", n, k)):
        if part.head != "pow" or part.args[1] not in bases or t.name in part.args[0].free:
            return False
        bases[part.args[1]] = bases[part.args[1]] * part.args[0]
    x, y = bases.values()
    at = {"n": str(n), "x": str(x), "y": str(y)}
    value = Relation(t, "==", power(x + y, n))
    if not chain.apply("axiom", name="binomial theorem", at=at):
        return False
    if value in chain.s.hypotheses or chain.have(value):
        return True
    found = chain.s.hypotheses[-1]  # its summand is written in another way
    if not isinstance(found, Relation) or found.left.head != "sum":
        return False
    fields = {"low": str(t), "high": str(found.left), "op": "=="}
    return chain.apply("compare sums", **fields) and chain.have(value)


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
    with_lemmas = search.at_points and not s.functions  # lemmas about a term
    if chain.apply("compare sums", **fields) or (
        with_lemmas
        and chain.apply_by(lambda t: at_a_point(search, t, depth), "compare sums", **fields)
    ):
        return chain.close(search.prove(chain.s, 0))
    return None


def _by_differences(chain: Chain, t: Term) -> bool:
    search = chain.search
    for _ in range(3):  # bases of powers that turn out to be positive change the normal form
        found = Summand(search, chain.s, t)
        base = found.unknown_base()
        if base is None or not chain.have(Relation(base, ">", ZERO)):
            break
    found = Summand(search, chain.s, t)
    F = found.antidifference(chain)
    if F is None:
        return False
    return chain.apply("telescope", sum=str(t), by=str(substitute(F, {found.name: var(t.name)})))


class Summand:
    """Hold the normal form of a summand: factors free of the index, times powers q^k and k^j."""

    def __init__(self, search: Search, s: Sequent, t: Term) -> None:
        self.name = s.new_name(t.name)
        k = var(self.name)
        body = substitute(t.args[0], {t.name: k})
        between = [Relation(t.args[1], "<=", k)]
        if not infinite(t.args[2]):
            between.append(Relation(k, "<=", t.args[2]))
        wide = s.with_variable(self.name, "integer").showing(Relation(body, "==", body), *between)
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
                base, _ = arguments(a)
                if self.facts.sign(base) & POSITIVE and self.facts.sign(base) != POSITIVE:
                    return over_one_denominator(self.facts, base)
        return None

    def parts(self) -> list[tuple[Term, Term]]:
        """Return the summand as a sum of products: a factor without the index times a rest."""
        found: dict[Monomial, Poly] = {}
        for m, c in self.body.items():
            out = tuple((i, e) for i, e in m if not self.depends(i))
            kept = tuple((i, e) for i, e in m if self.depends(i))
            found[kept] = P.plus(found.get(kept, {}), {out: c})
        term = self.facts.term
        return [(term(front), term({kept: Fraction(1)})) for kept, front in found.items()]

    def ratios(self) -> set[Term] | None:
        """Return the ratios of powers of the index, if each summand is such a power times k^j."""
        found = [self._ratio(m) for m in self.body]
        return None if None in found else {self.facts.term(one[0]) for one in found if one}

    def _ratio(self, m: Monomial) -> tuple[Poly, int] | None:
        """Return the ratio of the power in a summand, and the exponent of k beside it."""
        facts = self.facts
        degree = 0
        slope: Poly = {}
        ratio = P.constant(1)
        for i, e in m:
            a = facts.atoms[i]
            if i == self.k and isinstance(e, int) and 0 <= e <= HIGHEST:
                degree = e
                continue
            if not self.depends(i):
                continue
            if a.key[0] == "exp":
                line = linear_in(facts, arguments(a)[0], self.name)
                if line is None:
                    return None
                slope = P.plus(slope, line[1], Fraction(e))
            elif a.key[:2] == ("call", "pow") and isinstance(e, int):
                base, exponent = arguments(a)
                line = linear_in(facts, exponent, self.name)
                if line is None or set(line[1]) != {P.ONE} or line[1][P.ONE].denominator > 1:
                    return None
                step = facts._to_number(base, e * line[1][P.ONE])
                if step is None:
                    return None
                ratio = facts.product(ratio, step)
            else:
                return None
        return facts.canonical(facts.product(ratio, facts._exp(slope))), degree

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
        found = self._ratio(m)
        if found is None:
            return None
        ratio, degree = found
        front = facts.term({tuple((i, e) for i, e in m if i != self.k): c})
        k = var(self.name)
        if ratio == P.constant(1):
            x = sympy.Symbol("x")
            F = sympy.Poly(sympy.bernoulli(degree + 1, x) / (degree + 1), x)
            terms = [
                mul(num(Fraction(int(b.p), int(b.q))), power(k, num(j)) if j else ONE)
                for (j,), b in F.terms()
            ]
            return mul(front, add(*terms))
        gap = P.plus(ratio, P.constant(1), -1)
        less = over_one_denominator(facts, facts.canonical(gap))
        signs = (Relation(less, op, ZERO) for op in ("<", ">"))
        if facts.sign(gap) & NULL and not any(map(chain.have, signs)):
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
