"""Prove claims about angles: inverse functions, multiples and sums of angles, sums of arcs."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import cos, gcd, lcm, pi

import sympy

from dpbook.engine.language.terms import term_of
from dpbook.engine.prove.tactics import polynomial, shape
from dpbook.engine.prove.tactics.axioms import at_arguments
from dpbook.engine.prove.tactics.core import Chain, Node, Search, needs
from dpbook.engine.prove.tactics.reading import arguments, heads, parts_of, relations
from dpbook.kernel.environment import difference
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.terms import ONE, ZERO, Term, add, call, mul, neg, num, power

MOST = 24  # multiples of angles that are written out, and arcs that are added
BASES = 3  # base angles; the other angles are sums of their multiples

PI = Term("pi")
INVERSES = {
    (outer, inner): f"{outer} inverts {inner}"
    for pair in (
        *(("atan", "tan"), ("asin", "sin"), ("acos", "cos")),
        *(("asinh", "sinh"), ("acosh", "cosh"), ("atanh", "tanh")),
    )
    for outer, inner in (pair, pair[::-1])
}
PLAIN = {"exp": "log", "log": "exp"}
INVERSE_OF = {inner: outer for outer, inner in INVERSES}


# --- a function and its inverse -------------------------------------------------------------------


@needs(*INVERSE_OF)
def inverted(search: Search, s: Sequent, depth: int) -> Node | None:
    """Put u for f(g(u)), where f and g are inverse to each other there."""
    if not isinstance(s.goal, Relation):
        return None
    chain = Chain(search, s, depth)
    for name, u in _compositions(s):
        mark, before = chain.mark(), chain.s.goal
        fine = chain.apply("axiom", name=name, at={"u": str(u)})
        fine = fine and chain.apply("rewrite", equality=len(chain.s.hypotheses) - 1)
        if not fine or chain.s.goal == before:
            chain.back(mark)
    return chain.close(search.prove(chain.s, depth)) if chain.steps else None


def _compositions(s: Sequent) -> list[tuple[str, Term]]:
    """Return the axiom and u for each f(g(u)) of a goal, where f and g are inverse to each other."""
    found: dict[tuple[str, Term], None] = {}
    names = {n for n, _ in s.variables}
    for part in parts_of(s.goal):
        name = INVERSES.get((part.head, part.args[0].head)) if part.args else None
        if name and part.free <= names:
            found[name, part.args[0].args[0]] = None
    return sorted(found, key=lambda one: len(str(one[1])))  # the innermost first


@needs("given")
def injective(search: Search, s: Sequent, depth: int) -> Node | None:
    """Conclude u = v from f(u) = f(v), by the inverse of f."""
    for i, h in relations(s, "=="):
        f = h.left.head
        if f not in (*INVERSE_OF, *PLAIN) or h.right.head != f or f in heads(s.goal):
            continue
        chain, first = Chain(search, s, depth), len(s.hypotheses)
        # g(f(u)) = u becomes g(f(v)) = u, and with g(f(v)) = v that is v = u
        fine = (
            all(_inverse(chain, f, side.args[0]) for side in (h.left, h.right))
            and chain.apply("rewrite", equality=i, hypothesis=first)
            and chain.apply("rewrite", equality=first + 1, hypothesis=first + 2)
            and chain.s.hypotheses[-1] not in s.hypotheses
        )
        if fine and (node := search.prove(chain.s, depth)) is not None:
            return chain.close(node)
    return None


def _inverse(chain: Chain, f: str, u: Term) -> bool:
    """Add the equation g(f(u)) = u; for exp and log the normal form knows it already."""
    if f in PLAIN:
        return chain.have(Relation(call(PLAIN[f], call(f, u)), "==", u))
    return chain.apply("axiom", name=INVERSES[INVERSE_OF[f], f], at={"u": str(u)})


SIGNED = {"sin": "sine positive up to pi", "cos": "cosine positive up to pi/2"}
RANGES = {name: f"range of {name}" for name in ("atan", "asin", "acos")}


@needs(*SIGNED, *RANGES)
def signs(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show a sign from the signs of sine and cosine up to pi and from the inverses' ranges."""
    if not isinstance(s.goal, Relation) or s.goal.op == "==":
        return None
    names = {n for n, _ in s.variables}
    axioms = {**SIGNED, **RANGES}
    there = [part for part in parts_of(s.goal) if part.head in axioms and part.free <= names]
    found = list(dict.fromkeys(at_arguments(axioms[t.head], u=t.args[0]) for t in there))
    if not 0 < len(found) <= 6:
        return None
    node = polynomial.with_chosen(search, s, found)
    if node is not None or len(found) > 2:
        return node
    angles = [(one.name, dict(one.at)["u"]) for one in found if one.name in SIGNED.values()]
    for turn in (neg(PI), PI) if angles else ():  # half a turn back, or on, changes both signs
        turned = []
        for name, u in angles:
            turned.append(at_arguments("sine and cosine of a sum", u=u, v=turn))
            turned.append(at_arguments(name, u=u + turn))
        if (node := polynomial.with_chosen(search, s, turned)) is not None:
            return node
    return None


@needs(*SIGNED)
def nonzero(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a written-out sine or cosine of a sum is not 0, by a hypothesis about the sum."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op != "!=":
        return None
    facts = search.facts(s)
    for _, h in relations(s, "!=", ">", "<"):
        if h.left.head not in SIGNED or h.right != ZERO:
            continue
        angle = facts.poly(h.left.args[0])
        if not 1 <= len(angle) <= 4:
            continue
        halves = [(n, d / 2) for n, d in angle.items()] * 2
        (m, c), *rest = angle.items() if len(angle) > 1 else halves
        chain = Chain(search, s, 0)
        at = {"u": str(facts.term({m: c})), "v": str(facts.term(dict(rest)))}
        if not chain.apply("axiom", name="sine and cosine of a sum", at=at):
            continue
        made = shape.tidied(search, chain.s)
        there = made[0] if made else chain.s
        number = len(chain.s.hypotheses) - (2 if h.left.head == "sin" else 1)
        shown = f"{h.left} != 0"
        for sign in ("-1", "1"):
            fields = {"goal": shown, "factor": str(-int(sign)), "equalities": [[number, sign]]}
            premises = search.premises(there, "restate", **fields)
            if premises and search.env.automatic(premises[0]):
                node = search.node("restate", [search.node("auto")], **fields)
                node = search.node("restate", [node], **made[1]) if made else node
                return chain.close(node)
    return None


# --- sums and multiples of angles -----------------------------------------------------------------


@needs("sin", "cos", "tan", "cot", "sec", "csc")
def sums_of_angles(search: Search, s: Sequent, depth: int) -> Node | None:
    """Write sines and cosines in terms of the simplest angles, and compare the polynomials."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op != "==":
        return None
    facts = search.facts(s)
    p, _ = facts.literal(goal)
    found = _Angles(facts, p)
    if not found.worth_while:
        return None
    made = shape.tidied(search, s) if p != facts.poly(goal.left - goal.right) else None
    if made is not None and not any(
        e < 0 for m in search.facts(made[0]).poly(difference(made[0])[0]) for _, e in m
    ):
        node = sums_of_angles(search, made[0], depth)
        return None if node is None else search.node("restate", [node], **made[1])
    for halves in (False, True) if found.parts_of_pi % 2 else (False,):
        with suppress(Rejected, ArithmeticError):
            if (node := _Expansion(search, s, found, halves).node()) is not None:
                return node
    return None


class _Angles:
    """Hold the angles of a polynomial: whole combinations of a few, one perhaps a part of pi."""

    def __init__(self, facts: Facts, p: Poly) -> None:
        self.facts = facts
        atoms = (facts.atoms[i] for i in sorted(P.atoms_of(p)))
        calls = [arguments(a)[0] for a in atoms if a.key[:2] in (("call", "sin"), ("call", "cos"))]
        units: dict[Monomial, Fraction] = {}
        for angle in calls:
            for m, c in angle.items():
                units[m] = _common(units[m], c) if m in units else abs(Fraction(c))
        turn = ((facts._constant("pi"), 1),)
        if turn in units:
            units[turn] = Fraction(1, units[turn].denominator)
        self.parts_of_pi = units[turn].denominator if turn in units else 0
        self.bases = sorted(units, key=lambda m: (m != turn, str(m)))
        self.units = units
        self.multiples = [
            tuple(int(angle.get(m, Fraction(0)) / units[m]) for m in self.bases) for angle in calls
        ]
        size = sum(max(map(abs, ks)) for ks in zip(*self.multiples, strict=True))
        several = any(sum(map(abs, ks)) > 1 for ks in self.multiples)
        self.worth_while = (
            bool(calls)
            and len(self.bases) <= BASES
            and size <= MOST
            and (several or self.parts_of_pi > 0)
            and self.parts_of_pi <= MOST
        )


def _common(a: Fraction, b: Fraction) -> Fraction:
    """Return the largest number such that both numbers are whole multiples of it."""
    below = lcm(a.denominator, b.denominator)
    return Fraction(gcd(int(a * below), int(b * below)), below)


class _Expansion:
    """Represent a proof that a polynomial is 0, in sines and cosines of the simplest angles.

    A known equation of a sine, a cosine or a power stands for its leading monomial: the goal is
    divided by all known equations, and the kernel gets the quotients.
    """

    def __init__(self, search: Search, s: Sequent, angles: _Angles, halves: bool) -> None:
        self.search, self.angles = search, angles
        self.chain = Chain(search, s, 0)
        facts = search.facts(s)
        self.factor = 2 if halves and angles.parts_of_pi else 1
        self.parts = angles.parts_of_pi * self.factor
        self.base: list[Term] = []
        for m in angles.bases:
            first = self.parts and m == angles.bases[0]
            self.base.append(facts.term({m: angles.units[m] / (self.factor if first else 1)}))
        self.known: list[tuple[int, Term]] = []  # hypotheses, with their leading monomials
        self.done: set[tuple[int, ...]] = set()

    def node(self) -> Node | None:
        for b in self.base:
            if not self._add(b, num(-1) * b):  # cos(b - b) = 1
                return None
            if not P.atoms_of(self.search.facts(self.chain.s).poly(call("sin", b))):
                continue  # a number, at a multiple of pi/2
            self.known.append((self._last, power(call("sin", b), num(2))))
        for ks in self.angles.multiples:
            if not self._show((ks[0] * self.factor, *ks[1:]) if self.parts else ks):
                return None
        if self.parts > 2 and not self._part_of_pi():
            return None
        goal = self.chain.s.goal
        assert isinstance(goal, Relation)
        facts = self.search.facts(self.chain.s)
        rest, used = self._divided(facts.poly(goal.left - goal.right))
        return None if rest else self.chain.close(self._restated(self.chain.s, used))

    @property
    def _last(self) -> int:
        return len(self.chain.s.hypotheses) - 1

    def _angle(self, ks: tuple[int, ...]) -> Term:
        facts = self.search.facts(self.chain.s)
        return facts.term(
            facts.poly(add(*(mul(num(k), b) for k, b in zip(ks, self.base, strict=True))))
        )

    def _add(self, u: Term, v: Term) -> bool:
        """Use the addition theorems: two hypotheses, of the sine and of the cosine."""
        at = {"u": str(u), "v": str(v)}
        return self.chain.apply("axiom", name="sine and cosine of a sum", at=at)

    def _show(self, ks: tuple[int, ...]) -> bool:
        """Show equations for the sine and the cosine of a combination of the base angles."""
        first = next((k for k in ks if k), 0)
        if first < 0:
            ks = tuple(-k for k in ks)
        if ks in self.done or sum(map(abs, ks)) == 1 or not first:
            return True
        self.done.add(ks)
        *others, j = (j for j, k in enumerate(ks) if k)
        one = ks[j] if others else (1 if ks[j] > 0 else -1)
        last = tuple(one if i == j else 0 for i in range(len(ks)))
        rest = tuple(k - m for k, m in zip(ks, last, strict=True))
        known = self._show(rest) and self._show(last)
        if not known or not self._add(self._angle(rest), self._angle(last)):
            return False
        sine, cosine = self._last - 1, self._last
        angle = self._angle(ks)
        for f, number in (("sin", sine), ("cos", cosine)):
            facts = self.search.facts(self.chain.s)
            there = P.atoms_of(facts.poly(call(f, angle)))
            if not there:
                continue  # a number, at a multiple of pi/2
            atom = facts.atoms[min(there)].term
            value, used = self._divided(facts.poly(atom), (number, atom))
            if not self._have(Relation(atom, "==", facts.term(value)), used):
                return False
            self.known.append((self._last, atom))
        return True

    def _have(self, f: Relation, used: list[list[object]]) -> bool:
        return self.chain.have_by(partial(self._restated, used=used), f)

    def _restated(self, s: Sequent, used: list[list[object]]) -> Node | None:
        """Show an equality by multiples of others, where one is needed."""
        known = self.search.at_once(s)
        return known or self.search.by(s, "restate", 0, goal="0 == 0", equalities=used)

    def _divided(self, p: Poly, *more: tuple[int, Term]) -> tuple[Poly, list[list[object]]]:
        """Return the remainder of a polynomial and the subtracted multiples of hypotheses."""
        facts = self.search.facts(self.chain.s)
        by: list[tuple[int, Monomial, Poly]] = []
        for number, lead in (*more, *reversed(self.known)):
            literal = facts.literals[number]
            ((m, _),) = facts.poly(lead).items()
            if literal is not None and m in literal[0]:
                by.append((number, m, literal[0]))
        used: dict[int, Poly] = {}
        for _ in range(400):
            divisible = ((*one, n) for one in by for n in p if _divides(one[1], n))
            found = next(divisible, None)
            if found is None:
                break
            number, m, q, n = found
            factor: Poly = {P.times(n, P.raised(m, -1)): p[n] / q[m]}
            used[number] = P.plus(used.get(number, {}), factor)
            p = P.plus(p, facts.product(factor, q), -1)
        return p, [[number, str(facts.term(factor))] for number, factor in used.items() if factor]

    def _factors(self, p: sympy.Poly) -> tuple[sympy.Expr, list[tuple[sympy.Poly, int]]]:
        """Factor a polynomial over the rational numbers and the square roots in the goal."""
        goal = self.chain.s.goal
        assert isinstance(goal, Relation)
        facts = self.search.facts(self.chain.s)
        roots = {
            int(str(facts.atoms[i].key[1]))
            for i in P.atoms_of(facts.poly(goal.left - goal.right))
            if facts.atoms[i].key[0] == "prime"
        }
        few = [sympy.sqrt(q) for q in sorted(roots)] if len(roots) <= 2 else []
        return sympy.factor_list(p, extension=few) if few else sympy.factor_list(p)

    # --- parts of pi ------------------------------------------------------------------------------

    def _part_of_pi(self) -> bool:
        """Add the polynomial equation of the cosine of the simplest part of pi."""
        n = self.parts
        none = (0,) * (len(self.base) - 1)
        half, rest = (n // 2, n // 2 - 1) if n % 2 == 0 else (n // 2 + 1, n // 2)
        if not self._show((rest, *none)):
            return False
        turn = mul(num(Fraction(1, 2) if n % 2 == 0 else Fraction(1)), Term("pi"))
        sine = call("sin", self.base[0])
        back = mul(num(-1), self._angle((rest, *none)))
        if n % 2:  # cos(pi - x) = - cos(x), where both are multiples of pi/n
            return self._show((half, *none)) and self._add(turn, back) and self._minimal(self._last)
        # cos(pi/2) = 0, and sin(pi/n) = cos(pi/2 - pi/n)
        done = (
            self._add(self._angle((rest, *none)), self.base[0])
            and self._minimal(self._last)
            and self._add(turn, back)
            and self._reduced(self._last - 1) is not None
        )
        if done:
            self.known.append((self._last, sine))
        return done

    def _reduced(self, number: int) -> Poly | None:
        """Reduce a hypothesis by the known equations, and add its remainder."""
        facts = self.search.facts(self.chain.s)
        literal = facts.literals[number]
        if literal is None:
            return None
        p, used = self._divided(literal[0])
        negative = [[i, f"-({c})"] for i, c in used]
        shown = self._have(Relation(facts.term(p), "==", ZERO), [[number, "1"], *negative])
        return p if shown else None

    def _minimal(self, number: int) -> bool:
        """Cancel the factors of a polynomial in a cosine that are not 0 there."""
        facts = self.search.facts(self.chain.s)
        cosine = call("cos", self.base[0])
        atom = next(iter(facts.poly(cosine)))
        p = self._reduced(number) if len(atom) == 1 else None
        if p is None or P.atoms_of(p) != {atom[0][0]}:
            return False
        number = self._last
        powers = {
            (int(dict(m).get(atom[0][0], 0)),): sympy.Rational(*c.as_integer_ratio())
            for m, c in p.items()
        }
        made = sympy.Poly(powers, sympy.Symbol("x"))
        here = cos(pi / self.parts)
        content, factors = self._factors(made)
        own = min(factors, key=lambda f: abs(float(f[0].eval(here))))[0]
        by = []
        for factor, k in factors:
            if factor is own:
                continue
            sign = 1 if float(factor.eval(here)) > 0 else -1
            shown = Relation(_at(factor * sign, cosine), ">", ZERO)
            enclosed = partial(self.search.leaf, rule="bisect", tree="value")
            if not self.chain.have_by(enclosed, shown):
                return False
            by.append([self._last, k])
            content *= sign**k
        quotient = _at(own * content, cosine)
        if by and not self.chain.apply("cancel", fact=number, by=by, quotient=str(quotient)):
            return False
        self.known.append((self._last if by else number, power(cosine, num(own.degree()))))
        return True


def _at(p: sympy.Poly, t: Term) -> Term:
    """Return a polynomial in one variable at a term."""
    return add(*(mul(term_of(c), power(t, num(k)) if k else ONE) for (k,), c in p.terms()))


def _divides(m: Monomial, n: Monomial) -> bool:
    powers = dict(n)
    return all(powers.get(i, 0) >= e for i, e in m)


# --- arcs -----------------------------------------------------------------------------------------


@needs("atan")
def arcs(search: Search, s: Sequent, depth: int) -> Node | None:
    """Add up arcs of given tangents, as in Machin's formula."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op != "==":
        return None
    facts = search.facts(s)
    listed = _arcs_of(facts, facts.poly(goal.left - goal.right))
    if listed is None:
        return None
    scale, tangents = listed
    chain = Chain(search, s, 0)
    here, used = tangents[0], []
    for i, v in enumerate(tangents[1:], 2):
        # the arcs of -u and -v are theirs reversed
        sign = 1 if here > 0 or v > 0 else -1
        one, other = sign * here, sign * v
        if one * other == 1 and i < len(tangents):
            return None  # a right angle has no tangent to go on with
        if one * other == 1:
            fine = chain.apply("axiom", name="atan of a reciprocal", at={"u": str(one)})
        else:
            name = "atan of a sum" if one * other < 1 else "atan of a sum, above pi/2"
            fine = chain.apply("axiom", name=name, at={"u": str(one), "v": str(other)})
            here = (here + v) / (1 - here * v)
        if not fine:
            return None
        used.append([len(chain.s.hypotheses) - 1, str(Fraction(sign, scale))])
    return chain.close(search.by(chain.s, "restate", 0, goal="0 == 0", equalities=used))


def _arcs_of(facts: Facts, p: Poly) -> tuple[int, list[Fraction]] | None:
    """Return the tangents of arcs, each as often as a whole multiple of a polynomial counts it."""
    scale = 1
    counted: list[tuple[Fraction, Fraction]] = []
    for m, c in p.items():
        if len(m) != 1 or m[0][1] != 1:
            return None
        atom = facts.atoms[m[0][0]]
        if atom.key == ("constant", "pi"):
            continue
        if atom.key[:2] != ("call", "atan") or set(u := arguments(atom)[0]) != {P.ONE}:
            return None
        scale = lcm(scale, Fraction(c).denominator)
        counted.append((Fraction(u[P.ONE]), Fraction(c)))
    if not 2 <= sum(abs(c) for _, c in counted) * scale <= MOST:
        return None
    found: list[Fraction] = []
    for tangent, c in counted:
        found += [tangent if c > 0 else -tangent] * int(abs(c) * scale)
    return scale, found
