"""Write a proof in which each step `auto` is proved by other rules, but for closed arithmetic.

A step `auto` that shows a relation becomes a `combination` of facts of known sign. What makes a sign known then
stands in the proof: a hypothesis, a lemma of the kernel such as ``exp(u) > 0``, or a relation shown on the
way. The kernel checks the proof that is written as any other.

Some goals have no rule but `auto`: that a term is defined, or an integer, where a hypothesis says so, and
that a term is an integer by its form. These steps stay, and so does one of which no proof is found here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import (
    And,
    Formula,
    Is,
    Or,
    Relation,
    Sequent,
    free,
    negated,
    terms_of,
)
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import ALLOWED, NEGATIVE, NULL, POSITIVE
from dpbook.kernel.normal.automatic import same
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Exponent, Monomial, Poly
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import ONE, ZERO, Term, call, mul, num, subterms
from dpbook.kernel.text import text

DEEPEST = 5  # facts that are shown to show a fact
SUMMED = 3  # hypotheses in a sum whose other terms have known signs
TRIED = 300  # sums for one relation
STEPS = 2_000  # nodes that are tried for one step `auto`
ERRORS = (Rejected, ArithmeticError, ValueError, TypeError, KeyError, IndexError, AssertionError)
ARITHMETIC = "closed arithmetic"
HYPOTHESIS = "a term is defined, or an integer, by a hypothesis"
WHOLE = "a term is an integer by its form"
NOT_FOUND = "no proof is found"
Node = dict[str, Any]
Prove = Callable[[Sequent], Node]
Given = tuple[
    Poly, str, int | Relation
]  # ``polynomial op 0``, the number of a hypothesis, or a relation to be shown
MAX_MIN = (("call", "max"), ("call", "min"))
OPS = {POSITIVE: ">", NEGATIVE: "<"}


@dataclass(frozen=True)
class Product:
    """A coefficient > 0 times facts and a square; a fact is the number of a hypothesis, or is shown before."""

    coefficient: Fraction
    facts: tuple[int | Relation, ...] = ()
    square: Term | None = None


@dataclass(frozen=True)
class Sum:
    """A sum of products, and of multiples of hypotheses that are equalities."""

    products: tuple[Product, ...] = ()
    equalities: tuple[tuple[int, Term], ...] = ()

    def plus(self, other: Sum) -> Sum:
        return Sum(self.products + other.products, self.equalities + other.equalities)


def expanded(sequent: Sequent, certificate: Any, lemmas: Mapping[str, Sequent]) -> Node:
    """Return a certificate of the same sequent with fewer steps `auto`.

    Raises
    ------
    Rejected
        When the certificate does not prove the sequent.
    """
    return Expansion(lemmas).node(sequent, certificate)


def automatic_steps(
    sequent: Sequent, certificate: Any, lemmas: Mapping[str, Sequent]
) -> Counter[str]:
    """Count the steps `auto` of a certificate by their kind."""
    found: Counter[str] = Counter()
    env = Environment(lemmas)
    todo = [(sequent, certificate)]
    while todo:
        s, node = todo.pop()
        if node["rule"] == "auto":
            found[_kind(s)] += 1
        premises = RULES[node["rule"]](s, Fields(node, s), env)
        todo += zip(premises, node.get("premises", []), strict=True)
    return found


def _kind(s: Sequent) -> str:
    if isinstance(s.goal, Is):
        return HYPOTHESIS if any(same(h, s.goal) for h in s.hypotheses) else WHOLE
    return ARITHMETIC if not s.hypotheses and _closed(s, s.goal) else NOT_FOUND


def _closed(s: Sequent, f: Formula) -> bool:
    """Return whether a formula is a relation of numbers, without a variable or an unknown function."""
    unknown = dict(s.functions)
    heads = (part.head for t in terms_of(f) for part in subterms(t))
    return isinstance(f, Relation) and not free(f) and unknown.keys().isdisjoint(heads)


class Expansion:
    """The way through one certificate."""

    def __init__(self, lemmas: Mapping[str, Sequent]) -> None:
        self.env = Environment(lemmas)
        self.asked: list[Formula] = []  # the relations that are being shown
        self.left = 0  # nodes that may be tried yet

    def node(self, s: Sequent, node: Mapping[str, Any]) -> Node:
        """Return a node with its steps `auto` written out."""
        premises = RULES[node["rule"]](s, Fields(node, s), self.env)
        if node["rule"] == "auto":
            self.left = STEPS
            try:
                return self.shown(s)
            except ERRORS:
                return {"rule": "auto"}
        given = zip(premises, node.get("premises", []), strict=True)
        below = [self.node(premise, child) for premise, child in given]
        return {**node, "premises": below} if below else dict(node)

    # --- steps -----------------------------------------------------------------------------------

    def step(self, s: Sequent, node: Node, *proofs: Prove) -> Node:
        """Return a node with proofs of its premises; the last of `proofs` is for all further ones."""
        self.left -= 1
        if self.left < 0:
            raise Rejected("no proof is found in so few steps")
        premises = RULES[node["rule"]](s, Fields(node, s), self.env)
        below = [proofs[min(i, len(proofs) - 1)](p) for i, p in enumerate(premises)]
        return {**node, "premises": below} if below else node

    def way(self, node: Node, *proofs: Prove) -> Prove:
        """Return the proof that begins with a node."""
        return lambda s: self.step(s, node, *proofs)

    def having(self, needed: Sequence[Formula], then: Prove) -> Prove:
        """Return the proof that shows relations first."""
        if not needed:
            return then
        node = {"rule": "have", "formula": str(needed[0])}
        return self.way(node, self.relation, self.having(needed[1:], then))

    def auto(self, s: Sequent) -> Node:
        return self.step(s, {"rule": "auto"})

    def first(self, s: Sequent, proofs: Iterable[Prove]) -> Node:
        """Return the first proof that there is."""
        for prove in proofs:
            try:
                return prove(s)
            except ERRORS:
                if self.left < 0:
                    break
        raise Rejected(NOT_FOUND)

    # --- goals -----------------------------------------------------------------------------------

    def shown(self, s: Sequent) -> Node:
        """Prove a goal that is automatic."""
        goal = s.goal
        if isinstance(goal, Is):
            return self.first(s, (self.way({"rule": "defined"}), self.auto))
        if isinstance(goal, And):
            return self.step(s, {"rule": "and"}, self.shown)
        if isinstance(goal, Relation):
            return self.relation(s)
        at = s.hypotheses.index(goal)
        if isinstance(goal, Or):
            return self.step(s, {"rule": "split", "hypothesis": at}, self.part)
        return self.step(s, {"rule": "all"}, partial(self.instance, at=at))

    def arithmetic(self, s: Sequent) -> Node:
        if not s.hypotheses:
            return self.auto(s)
        return self.step(s, {"rule": "weaken", "keep": []}, self.auto)

    def part(self, s: Sequent) -> Node:
        """Prove a disjunction one part of which is given."""
        assert isinstance(s.goal, Or)
        nodes: list[Node] = [{"rule": "or", "part": i} for i in range(len(s.goal.parts))]
        return self.first(s, (self.way(node, self.shown) for node in nodes))

    def instance(self, s: Sequent, at: int) -> Node:
        """Prove the body of a hypothesis about all values, for the variable that came last."""
        node = {"rule": "instance", "hypothesis": at, "value": s.variables[-1][0]}
        return self.step(s, node, self.shown)

    def relation(self, s: Sequent) -> Node:
        """Prove a relation by its normal form, or from facts whose signs are known."""
        if len(self.asked) > DEEPEST or s.goal in self.asked:
            raise Rejected(NOT_FOUND)
        self.asked.append(s.goal)
        try:
            assert isinstance(s.goal, Relation)
            ways: list[Prove] = [self.way({"rule": "identity"})]
            if _closed(s, s.goal):
                ways.insert(0, self.arithmetic)
            if s.goal.op == "==":
                ways += [self.equality, self.between]
            else:
                ways += [self.directly, self.nonzero, self.by_lemma]
            return self.first(s, ways)
        finally:
            self.asked.pop()

    def equality(self, s: Sequent) -> Node:
        """Prove an equality as a multiple of a hypothesis, or put its sides in for each other."""
        assert isinstance(s.goal, Relation)
        if s.goal in s.hypotheses:
            nodes: list[Node] = [{"rule": "rewrite", "equality": s.hypotheses.index(s.goal)}]
        else:
            facts, nodes = self.env.facts(s), []
            p = facts.poly(s.goal.left - s.goal.right)
            for i, literal in enumerate(facts.literals):
                ratio = _ratio(p, literal[0]) if literal and literal[1] == "==" else None
                if ratio is not None:
                    factor = text(facts.term({ratio[1]: ratio[0]}))
                    nodes.append({"rule": "restate", "goal": "0 == 0", "equalities": [[i, factor]]})
        return self.first(s, (self.way(node, self.way({"rule": "identity"})) for node in nodes))

    def between(self, s: Sequent) -> Node:
        """Prove an equality from both inequalities."""
        assert isinstance(s.goal, Relation)
        t = s.goal.left - s.goal.right
        node = {"rule": "cases", "term": text(t), "ops": [">", "==", "<"]}
        cases = self.way(node, self.contradiction, self.equality, self.contradiction)
        return self.having([Relation(t, "<=", ZERO), Relation(t, ">=", ZERO)], cases)(s)

    def contradiction(self, s: Sequent) -> Node:
        """Prove anything where the last hypothesis contradicts another one."""
        literals = self.env.facts(s).literals
        last = len(literals) - 1
        nodes = [self.against(literals, last, i) for i in range(last)]
        return self.first(s, (self.way(node, self.number) for node in nodes if node))

    def against(
        self, literals: Sequence[tuple[Poly, str] | None], last: int, other: int
    ) -> Node | None:
        """Return the step from two hypotheses of which one is a number times the other."""
        first, second = literals[last], literals[other]
        ratio = _ratio(first[0], second[0]) if first and second else None
        if not first or not second or ratio is None or ratio[1]:
            return None
        c = ratio[0]
        if "!=" in (first[1], second[1]):
            equal, unequal = (last, other) if first[1] == "==" else (other, last)
            quotient = str(c if first[1] == "==" else 1 / c)
            return {"rule": "cancel", "fact": equal, "by": [[unequal, 1]], "quotient": quotient}
        turned = -1 if first[1] == "==" and c > 0 else 1  # what multiplies an inequality is > 0
        terms, equalities = [], []
        for number, op, factor in ((last, first[1], turned), (other, second[1], -c * turned)):
            if op == "==":
                equalities.append([number, str(factor)])
            else:
                terms.append([str(factor), [number], None])
        return {"rule": "combination", "terms": terms, "equalities": equalities}

    def number(self, s: Sequent) -> Node:
        """Prove anything where the last hypothesis is ``c == 0`` for a number c that is not 0."""
        literal = self.env.facts(s).literals[-1]
        assert literal is not None
        equality = [len(s.hypotheses) - 1, str(-1 / literal[0][P.ONE])]
        node = {"rule": "combination", "terms": [[1, [], None]], "equalities": [equality]}
        return self.step(s, node)

    def refuted(self, s: Sequent, sum_: Sum, sign: int) -> Node:
        """Prove a relation ``p op 0``: its negation and a sum that is `sign` times p contradict each other."""
        needed = list(
            dict.fromkeys(f for p in sum_.products for f in p.facts if isinstance(f, Relation))
        )

        def last(s: Sequent) -> Node:
            number = len(s.hypotheses) - 1
            place = {f: s.hypotheses.index(f) for f in needed}
            terms: list[Any] = [
                [
                    str(p.coefficient),
                    [f if isinstance(f, int) else place[f] for f in p.facts],
                    None if p.square is None else text(p.square),
                ]
                for p in sum_.products
            ]
            equalities = [[i, text(t)] for i, t in sum_.equalities]
            literal = self.env.facts(s).literals[-1]
            assert literal is not None
            if literal[1] == "==":
                equalities.append([number, str(-sign)])
            else:
                terms.append([1, [number], None])
            return self.step(s, {"rule": "combination", "terms": terms, "equalities": equalities})

        return self.having(needed, self.way({"rule": "refute"}, last))(s)

    # --- sums of facts whose signs are known -----------------------------------------------------

    def sums(self, facts: Facts, p: Poly, strict: bool) -> Iterator[Sum]:
        """Yield sums of facts that are p, and are positive, or not negative if not `strict`."""
        given = [(q, op, i) for i, (q, op) in _numbered(facts)] + list(self.virtual(facts, p))
        outside = P.common(p)
        inner = P.scaled(p, 1, P.raised(outside, -1))
        split = outside and len(p) > 1 and not facts.sign_of_monomial(outside) & NEGATIVE
        left = [TRIED]
        for most in range(SUMMED + 1):
            yield from self.reduced(facts, given, p, strict, most, left)
            if split:
                for front in self.monomial(facts, outside, Fraction(1), strict):
                    for found in self.reduced(facts, given, inner, strict, most, left):
                        yield from _times(front, found)

    def reduced(
        self,
        facts: Facts,
        given: Sequence[Given],
        p: Poly,
        strict: bool,
        most: int,
        left: list[int],
    ) -> Iterator[Sum]:
        """Yield sums of exactly some facts, and of terms whose signs are known, that are p."""
        left[0] -= 1
        if left[0] < 0:
            return
        if not most:
            if p:
                yield from self.by_terms(facts, p, strict)
            elif not strict:
                yield Sum()
            return
        for q, op, fact in given:
            tried = set()
            for m, n in product(p, q):
                front, c = P.times(m, P.raised(n, -1)), p[m] / q[n]
                if (front, c) in tried or any(e < 0 for _, e in front):
                    continue
                tried.add((front, c))
                rest = P.plus(p, P.scaled(q, c, front), -1)
                if len(rest) > len(p):
                    continue
                sure = op == ">" and facts.sign_of_monomial(front) == POSITIVE
                if op == "==":
                    assert isinstance(fact, int)
                    ones: Iterable[Sum] = [Sum((), ((fact, facts.term({front: c})),))]
                elif c < 0 or facts.sign_of_monomial(front) & NEGATIVE:
                    continue
                else:
                    ones = (_with(one, fact) for one in self.monomial(facts, front, c, sure))
                for one in ones:
                    for found in self.reduced(
                        facts, given, rest, strict and not sure, most - 1, left
                    ):
                        yield one.plus(found)

    def virtual(self, facts: Facts, p: Poly) -> Iterator[Given]:
        """Yield facts about functions in a polynomial that lemmas of the kernel show."""
        for i, e in sorted(P.powers_of(p)):
            a, t = facts.atoms[i], _power(facts, i, e)
            if t.head == "exp":
                sign = facts.sign(facts.poly(t.args[0]))
                if sign in (POSITIVE, NEGATIVE):
                    c = 1 if sign == POSITIVE else -1
                    q = {((i, e),): Fraction(c), P.ONE: Fraction(-c)}
                    yield q, ">", Relation(t, OPS[sign], ONE)
            elif a.key[:2] in MAX_MIN and e == 1 and len(t.args) == 2:
                c = 1 if t.head == "max" else -1
                for u in t.args:
                    q = P.scaled(P.plus(P.atom(i), facts.poly(u), -1), c)
                    yield q, ">=", Relation(t, ">=" if c == 1 else "<=", u)

    def by_terms(self, facts: Facts, p: Poly, strict: bool) -> Iterator[Sum]:
        """Yield the sum of the terms of p, if none is negative and, where asked, one is positive."""
        found, sure = Sum(), not strict
        for m, c in p.items():
            sign = facts.sign_of_monomial(m)
            wanted = POSITIVE if c > 0 else NEGATIVE
            if sign & ~(wanted | NULL):
                return
            positive = sign == wanted and not sure
            sure = sure or positive
            for one in self.monomial(facts, m, c, positive):
                found = found.plus(one)
                break
            else:
                return
        if sure:
            yield found

    def monomial(self, facts: Facts, m: Monomial, c: Fraction, strict: bool) -> Iterator[Sum]:
        """Yield c * m as one product of facts and a square."""
        known: list[int | Relation] = []
        square: list[tuple[int, Exponent]] = []
        for i, e in m:
            sign = facts.sign_of_monomial(((i, 1),)) if isinstance(e, int) else ALLOWED[">="]
            if not isinstance(e, int) and not strict:
                square.append((i, P.whole(Fraction(e) / 2)))
                continue
            if not isinstance(e, int):
                known.append(self.fact(facts, {((i, e),): Fraction(1)}, ">"))
                continue
            if e % 2 == 0 and not strict:
                square.append((i, e // 2))
                continue
            if strict and sign not in (POSITIVE, NEGATIVE):
                if e % 2:
                    return
                known.append(self.fact(facts, {((i, e),): Fraction(1)}, ">"))
                continue
            down = sign & POSITIVE == 0
            if not down and sign & NEGATIVE:
                return
            sure = strict or sign in (POSITIVE, NEGATIVE)
            one = self.fact(facts, {((i, 1),): Fraction(-1 if down else 1)}, ">" if sure else ">=")
            if strict:
                known += [one] * e
            else:
                known.append(one)
                if e > 1:
                    square.append((i, (e - 1) // 2))
            if down and e % 2:
                c = -c
        if c <= 0:
            return
        root = facts.term({tuple(square): Fraction(1)}) if square else None
        yield Sum((Product(Fraction(c), tuple(known), root),))

    def fact(self, facts: Facts, p: Poly, op: str) -> int | Relation:
        """Return the number of a hypothesis that is ``p op 0``, or that relation."""
        for i, literal in enumerate(facts.literals):
            if literal is not None and literal[0] == p and literal[1] in (">", op):
                return i
        ((m, value),) = p.items()
        t = _power(facts, *m[0])
        if value < 0:
            return Relation(t, "<" if op == ">" else "<=", ZERO)
        return Relation(t, op, ZERO)

    # --- facts about functions -------------------------------------------------------------------

    def nonzero(self, s: Sequent) -> Node:
        """Prove that an even power is positive, where its base is not 0 by a hypothesis."""
        facts = self.env.facts(s)
        assert isinstance(s.goal, Relation)
        p, op = facts.literal(s.goal)
        ((m, _),) = p.items()
        ((i, e),) = m
        if op not in (">", "!=") or e % 2 or e == 0:
            raise Rejected(NOT_FOUND)
        term = text(facts.atoms[i].term)
        cases: Node = {"rule": "cases", "term": term, "ops": [">", "==", "<"]}
        return self.step(s, cases, self.directly, self.contradiction, self.directly)

    def by_lemma(self, s: Sequent) -> Node:
        """Prove the sign of a function by a lemma of the kernel about it."""
        facts = self.env.facts(s)
        assert isinstance(s.goal, Relation)
        p, _ = facts.literal(s.goal)
        (m,) = (m for m in p if m)
        ((i, e),) = m
        for name, at in _lemmas(_power(facts, i, e)):
            node = {"rule": "axiom", "name": name, "at": at}
            conditions = len(RULES["axiom"](s, Fields(node, s), self.env)) - 1
            proofs: list[Prove] = [
                *([self.relation] * conditions),
                partial(self.by_parts, start=len(s.hypotheses)),
            ]
            try:
                return self.step(s, node, *proofs)
            except ERRORS:
                continue
        raise Rejected(NOT_FOUND)

    def by_parts(self, s: Sequent, start: int) -> Node:
        """Prove a goal from the hypotheses, or from one of the last, all other parts of which are false."""
        numbers = (i for i, h in enumerate(s.hypotheses) if i >= start and isinstance(h, Or))
        return self.first(s, (self.directly, *(partial(self.last_part, number=i) for i in numbers)))

    def directly(self, s: Sequent) -> Node:
        """Prove a relation from a sum of facts whose signs are known."""
        facts = self.env.facts(s)
        assert isinstance(s.goal, Relation)
        p, op = facts.literal(s.goal)
        signs = (1, -1) if op == "!=" else (1,)
        sums = ((c, found) for c in signs for found in self.sums(facts, P.scaled(p, c), op != ">="))
        return self.first(s, (partial(self.refuted, sum_=found, sign=c) for c, found in sums))

    def last_part(self, s: Sequent, number: int) -> Node:
        """Prove a goal from the last part of a disjunction: the others are false."""
        h = s.hypotheses[number]
        assert isinstance(h, Or)
        others = [negated(part) for part in h.parts[:-1]]
        proofs = [*([self.contradiction] * len(others)), self.directly]
        return self.having(others, self.way({"rule": "split", "hypothesis": number}, *proofs))(s)


def _power(facts: Facts, i: int, e: Exponent) -> Term:
    """Return an atom to a power; of an exponential as an exponential."""
    t = facts.atoms[i].term
    if t.head == "exp" and e != 1:
        return call("exp", mul(num(Fraction(e)), t.args[0]))
    return facts.term(P.atom(i, e))


def _lemmas(t: Term) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield lemmas of the kernel that may show the sign of a term, at the terms of their parameters."""
    parts = [text(a) for a in t.args]
    if t.head == "exp":
        yield "exp positive", {"u": parts[0]}
        yield "exp sign", {"u": parts[0]}
    elif t.head == "pow":
        yield "power positive", {"u": parts[0], "v": parts[1]}
    elif t.head == "log":
        yield "log sign", {"u": parts[0]}
        yield "log increasing", {"u": parts[0], "v": text(ONE)}
        yield "log increasing", {"v": parts[0], "u": text(ONE)}
    elif t.head == "abs":
        yield "absolute value", {"u": parts[0]}
    elif t.head == "gamma":
        yield "gamma positive", {"u": parts[0]}
    elif t.head in ("max", "min") and len(parts) == 2:
        yield "maximum" if t.head == "max" else "minimum", {"u": parts[0], "v": parts[1]}


def _ratio(p: Poly, q: Poly) -> tuple[Fraction, Monomial] | None:
    """Return c and m where p is c * m * q."""
    if not p or len(p) != len(q):
        return None
    first, second = P.leading(p), P.leading(q)
    m, c = P.times(first, P.raised(second, -1)), p[first] / q[second]
    return (c, m) if P.scaled(q, c, m) == p else None


def _numbered(facts: Facts) -> Iterator[tuple[int, tuple[Poly, str]]]:
    """Yield the hypotheses that are inequalities or equalities."""
    for i, literal in enumerate(facts.literals):
        if literal is not None and literal[0] and literal[1] != "!=":
            yield i, literal


def _with(found: Sum, fact: int | Relation) -> Sum:
    (one,) = found.products
    return Sum((Product(one.coefficient, (*one.facts, fact), one.square),))


def _times(front: Sum, found: Sum) -> Iterator[Sum]:
    """Yield the product of a product with each term of a sum."""
    (one,) = front.products
    if not found.equalities and (
        one.square is None or all(p.square is None for p in found.products)
    ):
        yield Sum(
            tuple(
                Product(
                    one.coefficient * p.coefficient, one.facts + p.facts, one.square or p.square
                )
                for p in found.products
            )
        )
