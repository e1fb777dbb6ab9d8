"""Find contradictions of polynomial facts by `positivstellensatz`, and translate the proofs."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

from dpbook.engine.prove.tactics import positivstellensatz
from dpbook.engine.prove.tactics.axioms import Instance, calls_in, compared_with_exp, instances
from dpbook.engine.prove.tactics.core import Chain, Node, Search
from dpbook.engine.prove.tactics.feasible import holds_somewhere
from dpbook.engine.prove.tactics.positivstellensatz import Step
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Or, Relation, Sequent, flat
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE, NONNEGATIVE, NONPOSITIVE, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import ZERO, Term, add, mul, num, power

Literals = list[tuple[P.Poly, str] | None]
Clauses = list[tuple[int, list[list[tuple[P.Poly, str]]]]]

LARGEST = 60  # terms of one fact
FAR = 4  # facts about other atoms, from which a search without them is worth while
SIGNS = {POSITIVE: ">", NONNEGATIVE: ">=", NEGATIVE: "<", NONPOSITIVE: "<="}


class _Problem:
    """Hold facts as polynomials in numbered variables; a variable is an atom to a power.

    Each given fact has a source: the number of a hypothesis, of an atom whose sign is known, or of
    an atom that is a root.
    """

    def __init__(self, facts: Facts, used: list[P.Poly]) -> None:
        self.facts = facts
        self.scale: dict[int, int] = {}
        self.number: dict[int, int] = {}
        self.given: list[positivstellensatz.Literal] = []
        self.source: list[tuple[str, int]] = []
        self.signs: list[Relation] = []
        self.measure(used)
        for i in list(self.number):  # polynomials under roots
            inner = facts.atoms[i].poly
            if inner and self.scale[i] > 1 and len(inner) <= LARGEST:
                self.measure([inner])
        self.atoms = list(self.number)

    def measure(self, polys: list[P.Poly]) -> None:
        """Number the atoms in polynomials, and find the powers of them that are variables."""
        for p in polys:
            for m in p:
                for i, e in m:
                    self.scale[i] = lcm(self.scale.get(i, 1), e.denominator)
                    self.number.setdefault(i, len(self.number))

    def give(self, literals: Literals) -> None:
        """Give the hypotheses that are read, the signs of atoms, and the facts about roots."""
        for i, x in enumerate(literals):
            if x is not None:
                self._add(self.out(x[0]), x[1], "hypothesis", i)
        plain = {P.frozen(x[0]) for x in literals if x}
        for f in filter(None, map(self._sign, self.atoms)):
            p, op = self.facts.literal(f)
            if P.frozen(p) not in plain and not _negative(p):
                self.measure([p])
                if not positivstellensatz.too_large([(self.out(p), op)]):  # its root has a sign
                    self._add(self.out(p), op, "atom", len(self.signs))
                    self.signs.append(f)
        for i in list(self.number):
            if self.scale[i] > 1:
                self._give_root(i)
        self.atoms = list(self.number)

    def _add(self, p: positivstellensatz.Poly, op: str, kind: str, number: int) -> None:
        self.given.append((p, op))
        self.source.append((kind, number))

    def _known_sign(self, i: int) -> int:
        sign = self.facts.atoms[i].sign
        return sign if sign in SIGNS else sign & self.facts.sign(P.atom(i))

    def _sign(self, i: int) -> Relation | None:
        """Return the sign of an atom as a fact."""
        sign = self._known_sign(i)
        return Relation(self.facts.atoms[i].term, SIGNS[sign], ZERO) if sign in SIGNS else None

    def _give_root(self, i: int) -> None:
        """Give the power of a root, where that is a polynomial or a number, and the root's sign."""
        a, v = self.facts.atoms[i], self.number[i]
        whole = ((v, self.scale[i]),)
        if a.poly and not _negative(a.poly):
            equation = {m: -c for m, c in self.out(a.poly).items()}
            equation[whole] = equation.get(whole, Fraction(0)) + 1
            self._add(equation, "==", "identity", 0)
        elif a.key[0] == "prime":
            equation = {whole: Fraction(1), (): -Fraction(int(str(a.key[1])))}
            self._add(equation, "==", "identity", 0)
        self._add({((v, 1),): Fraction(1)}, self.root(i).op, "root", i)

    def root(self, i: int) -> Relation:
        """Return the sign of the root that stands for an atom."""
        t = power(self.facts.atoms[i].term, num(Fraction(1, self.scale[i])))
        return Relation(t, ">" if self._known_sign(i) == POSITIVE else ">=", ZERO)

    def out(self, p: P.Poly) -> positivstellensatz.Poly:
        """Return a polynomial in the variables."""
        return {
            tuple(sorted((self.number[i], int(e * self.scale[i])) for i, e in m)): c
            for m, c in p.items()
        }

    def term(self, p: positivstellensatz.Poly) -> Term:
        """Return a polynomial in the variables as a term."""
        parts = []
        for m, c in sorted(p.items()):
            factors = []
            for v, e in m:
                i = self.atoms[v]
                exponent = Fraction(e, self.scale[i])
                base = self.facts.atoms[i].term
                factors.append(base if exponent == 1 else power(base, num(exponent)))
            parts.append(mul(*([] if c == 1 and factors else [num(Fraction(c))]), *factors))
        return add(*parts) if parts else ZERO


def combination(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by the hypotheses alone."""
    if _hopeless(s):
        return None
    return _refuted(search, s, [], 1 if depth < 3 else 2)


def largest_sum(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute by the hypotheses in one sum with squares, perhaps a large one for the statement."""
    if search.level > 4 or _hopeless(s):
        return None
    return _refuted(search, s, [], 3 if search.level <= 2 else 2, squares=True)


def combination_once(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by the hypotheses; once with each effort."""
    effort = 3 if depth >= 3 else 0
    if search.combined.get(s, -1) >= effort:
        return None
    search.combined[s] = effort
    return combination(search, s, depth)


def few_axioms(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by hypotheses and the simplest axioms; once."""
    if search.failed.get(s, -1) >= 1:
        return None
    return with_axioms(search, s, 1)


def with_axioms(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by the hypotheses and instances of axioms."""
    calls = calls_in([s.goal, *s.hypotheses])
    if not calls:
        return None
    hopeless = _hopeless(s)
    own = calls_in([s.goal])
    for most, among in ((1, own), (3, calls[:12])):
        if most == 3 and depth < 2:
            break
        found = instances(among, most, 60 if most == 1 else 120)
        found += compared_with_exp([s.goal, *s.hypotheses])
        given = (part for one in found for f in one.formulas for part in flat(f))
        equates = any(isinstance(part, Relation) and part.op == "==" for part in given)
        if found and (equates or not hopeless):
            node = _refuted(search, s, found, 1 if depth < 3 else 2)
            if node is not None:
                return node
    return None


def with_chosen(search: Search, s: Sequent, found: list[Instance]) -> Node | None:
    """Refute the negated goal by the hypotheses and chosen instances of axioms."""
    return _refuted(search, s, found, 1)


def _hopeless(s: Sequent) -> bool:
    """Say whether an equality is to follow from inequalities only, a rare case that is left out."""
    equalities = any(
        isinstance(h, Relation) and (h.op == "==" or not h.left.free | h.right.free)
        for h in s.hypotheses
    )
    return isinstance(s.goal, Relation) and s.goal.op == "==" and not equalities


def _refuted(
    search: Search, s: Sequent, more: list[Instance], effort: int, *, squares: bool = False
) -> Node | None:
    goal = s.goal
    contrary = isinstance(goal, Relation) and goal.left.head == goal.right.head == "num"
    prove = partial(_contradiction, search, more, effort, squares)
    return prove(s) if contrary else search.by_each(prove, s, "refute")


def _contradiction(
    search: Search, more: list[Instance], effort: int, squares: bool, s: Sequent
) -> Node | None:
    facts = search.facts(s)
    parts = [(part, n) for n, one in enumerate(more) for f in one.formulas for part in flat(f)]
    formulas = [*s.hypotheses, *(part for part, _ in parts)]
    owner = [*([None] * len(s.hypotheses)), *(number for _, number in parts)]
    literals: Literals = []
    clauses: Clauses = []
    for i, f in enumerate(formulas):
        literals.append(None)
        try:
            if isinstance(f, Relation):
                p, op = (
                    facts.literal(f) if i >= len(s.hypotheses) else facts.literals[i] or ({}, "")
                )
                if op and p and len(p) <= LARGEST and not _negative(p):
                    literals[i] = (p, op)
            elif isinstance(f, Or):
                read = [_alternative(facts, part) for part in f.parts]
                if None not in read:
                    clauses.append((i, [part for part in read if part is not None]))
        except (Rejected, ArithmeticError):
            continue
    own = [(i, c) for i, c in clauses if i >= len(s.hypotheses)]
    few = _close(facts, literals, own, len(s.hypotheses))
    _only_near(facts, literals, len(s.hypotheses))
    near = few and _refutation(search, s, more, owner, few, own, effort, squares)
    return near or _refutation(search, s, more, owner, literals, clauses, effort, squares)


def _close(facts: Facts, literals: Literals, own: Clauses, count: int) -> Literals | None:
    """Keep facts about the atoms of the negated goal and of axioms, roots only where that has some.

    None where that leaves out next to nothing, so that a search among these says nothing new.
    """
    goal = next((x for x in reversed(literals[:count]) if x), None)
    if goal is None:
        return None
    near = P.atoms_of(goal[0]).union(
        *(P.atoms_of(p) for _, c in own for part in c for p, _ in part),
        *(P.atoms_of(x[0]) for x in literals[count:] if x is not None),
    )
    rooted = {i for m in goal[0] for i, e in m if Fraction(e).denominator > 1}

    def fits(p: P.Poly) -> bool:
        return all(i in near and (e == int(e) or i in rooted) for m in p for i, e in m)

    kept = [x if x is not None and fits(x[0]) else None for x in literals]
    before, after = (len(part) - part.count(None) for part in (literals, kept))
    return kept if 2 <= after <= before - FAR else None


def _refutation(
    search: Search,
    s: Sequent,
    more: list[Instance],
    owner: list[int | None],
    literals: Literals,
    clauses: Clauses,
    effort: int,
    squares: bool,
) -> Node | None:
    used = [x[0] for x in literals if x] + [p for _, c in clauses for a in c for p, _ in a]
    if not used:
        return None
    problem = _Problem(search.facts(s), used)
    problem.give(literals)
    offered = [[[(problem.out(p), o) for p, o in part] for part in c] for _, c in clauses]
    if not search.alone and holds_somewhere(problem.given, offered):
        return None
    told = _Told(search, s, problem, more, owner, clauses)
    if not more:
        focus = sum(x is not None for x in literals) - 1
        tree = positivstellensatz.squares(problem.given, focus, effort=effort)
        if tree is not None or squares:
            return None if tree is None else told.node(tree)
    tree = positivstellensatz.refute(problem.given, offered, effort=effort)
    return None if tree is None else told.node(tree)


NEAR = 30  # facts that are looked at together


def _only_near(facts: Facts, literals: Literals, count: int) -> None:
    """Drop facts that are far from the negated goal: those that need the most further atoms."""
    far = {i: x[0] for i, x in enumerate(literals) if x is not None}
    last = max((i for i in far if i < count), default=None)
    if last is None or len(far) <= NEAR:
        return
    near = P.atoms_of(far.pop(last))
    for _ in range(NEAR - 1):
        best = min(far, key=lambda i: (len(P.atoms_of(far[i]) - near), len(far[i]), i))
        near |= P.atoms_of(far.pop(best))
    for i in far:
        literals[i] = None


def _negative(p: P.Poly) -> bool:
    return any(e < 0 for m in p for _, e in m)


def _alternative(facts: Facts, f: Formula) -> list[tuple[P.Poly, str]] | None:
    found = []
    for part in flat(f):
        if isinstance(part, Is):
            continue
        if not isinstance(part, Relation):
            return None
        p, op = facts.literal(part)
        if len(p) > LARGEST or _negative(p):
            return None
        found.append((p, op))
    return found


@dataclass
class _Told:
    """Translate a tree of `positivstellensatz` into nodes of the kernel."""

    search: Search
    s: Sequent
    problem: _Problem
    more: list[Instance]
    owner: list[int | None]
    clauses: Clauses
    place: dict[tuple[str, int], int] = field(default_factory=dict)

    def node(self, tree: Step) -> Node | None:
        chain = Chain(self.search, self.s, 0)
        self.place = place = {("hypothesis", i): i for i in range(len(self.s.hypotheses))}
        count = len(self.s.hypotheses)
        wanted = {self.problem.source[i] for i in tree.uses}
        wanted |= {("hypothesis", self.clauses[c][0]) for c in tree.clauses()}
        axioms = sorted(
            {o for kind, i in wanted if kind == "hypothesis" and (o := self.owner[i]) is not None}
        )
        for number in axioms:
            one = self.more[number]
            at = {p: str(t) for p, t in one.at}
            if not chain.apply_by(self._easy, "axiom", name=one.name, at=at):
                return None
            for i in (i for i, o in enumerate(self.owner) if o == number):
                place["hypothesis", i] = count
                count += 1
        for kind, j in sorted(wanted):
            if kind not in ("atom", "root"):
                continue
            f = self.problem.signs[j] if kind == "atom" else self.problem.root(j)
            if not chain.have_by(self._easy, f):
                return None
            place[kind, j] = count
            count += 1
        ids = {i: place[pair] for i, pair in enumerate(self.problem.source) if pair in place}
        return chain.close(self._visit(tree, chain.s, ids, count))

    def _easy(self, s: Sequent) -> Node | None:
        return self.search.prove(s, 0)

    def _visit(self, tree: Step, s: Sequent, ids: dict[int, int], count: int) -> Node | None:
        """Translate a tree; `ids` are the numbers of its facts among `count` hypotheses."""
        data, text = tree.data, self.problem.term
        if tree.rule == "sum":
            return self._sum(data, s, ids)
        if tree.rule == "split":
            return self._split(tree, s, ids, count)
        chain = Chain(self.search, s, 0)
        below = [(child, {**ids, name: count}) for (name,), child in tree.children]
        if tree.rule == "cases":
            rest = iter(below)

            def case(there: Sequent) -> Node | None:
                child, inner = next(rest)
                return self._visit(child, there, inner, count + 1)

            term = str(text(data["term"]))
            return self.search.by_each(case, s, "cases", term=term, ops=data["ops"])
        if tree.rule == "cancel":
            if not {data["fact"], *(f for f, _ in data["by"])} <= ids.keys():
                return None
            fields = {
                "fact": ids[data["fact"]],
                "by": [[ids[f], k] for f, k in data["by"]],
                "even": [[str(text(p)), k] for p, k in data["even"]],
                "quotient": str(text(data["quotient"])),
            }
            applied = chain.apply("cancel", **fields)
        else:
            p, op = data["literal"]

            def refuted(there: Sequent) -> Node | None:
                return self._visit(below[0][0], there, below[0][1], count + 1)

            shown = partial(self.search.by_each, refuted, rule="refute")
            applied = chain.have_by(shown, f"{text(p)} {op} 0")
        child, inner = below[-1]
        return chain.close(self._visit(child, chain.s, inner, count + 1)) if applied else None

    def _sum(self, data: dict[str, Any], s: Sequent, ids: dict[int, int]) -> Node | None:
        text, terms = self.problem.term, []
        for c, names, square in data["terms"]:
            halves = {f: self._half(f) for f in names}
            roots = [] if square is None else [text(square)]
            roots += [half for f in names if (half := halves[f]) is not None]
            numbers = [ids.get(f) for f in sorted(names) if halves[f] is None]
            if None in numbers:
                return None
            terms.append([str(c), numbers, str(mul(*roots)) if roots else None])
        used = [(f, p) for f, p in data["equalities"] if self._kind(f) != "identity"]
        if not all(f in ids for f, _ in used):
            return None
        equalities = [[ids[f], str(text(p))] for f, p in used]
        more = {"equalities": equalities} if equalities else {}
        return self.search.leaf(s, "combination", terms=terms, **more)

    def _kind(self, fact: int) -> str:
        """Return the kind of a given fact; empty for a fact of the tree."""
        return self.problem.source[fact][0] if fact < len(self.problem.source) else ""

    def _half(self, fact: int) -> Term | None:
        """Return the square root of a positive root of a sum, which says 1 > 0 as a hypothesis."""
        if self._kind(fact) != "root":
            return None
        i = self.problem.source[fact][1]
        a = self.problem.facts.atoms[i]
        if not a.poly or a.sign != POSITIVE:
            return None
        return power(a.term, num(Fraction(1, 2 * self.problem.scale[i])))

    def _split(self, tree: Step, s: Sequent, ids: dict[int, int], count: int) -> Node | None:
        index = self.clauses[tree.data["clause"]][0]
        rest = iter(tree.children)

        def part(there: Sequent) -> Node | None:
            names, child = next(rest)
            added = there.hypotheses[len(s.hypotheses) :]
            new = (count + i for i, f in enumerate(added) if isinstance(f, Relation))
            inner = {**ids, **dict(zip(names, new, strict=False))}
            return self._visit(child, there, inner, count + len(added))

        return self.search.by_each(part, s, "split", hypothesis=self.place["hypothesis", index])
