"""Find contradictions of polynomial facts by `positivstellensatz`, and translate the proofs."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any

from dpbook.engine.prove.tactics import positivstellensatz
from dpbook.engine.prove.tactics.axioms import (
    Instance,
    calls_in,
    compared_with_exp,
    instances,
)
from dpbook.engine.prove.tactics.core import Chain, Node, Search
from dpbook.engine.prove.tactics.feasible import holds_somewhere
from dpbook.engine.prove.tactics.positivstellensatz import Step
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Or, Relation, Sequent, flat, negated
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
    """Hold facts as polynomials in numbered variables; a variable is an atom to a power."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.scale: dict[int, int] = {}
        self.number: dict[int, int] = {}
        self.atoms: list[int] = []

    def measure(self, polys: list[P.Poly]) -> None:
        for p in polys:
            for m in p:
                for i, e in m:
                    self.scale[i] = lcm(self.scale.get(i, 1), e.denominator)
                    if i not in self.number:
                        self.number[i] = len(self.atoms)
                        self.atoms.append(i)

    def sign(self, i: int) -> int:
        """Return what is known of the sign of an atom."""
        sign = self.facts.atoms[i].sign
        return sign if sign in SIGNS else sign & self.facts.sign(P.atom(i))

    def out(self, p: P.Poly) -> positivstellensatz.Poly:
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
        if found and not (hopeless and not any(map(_equates, found))):
            node = _refuted(search, s, found, 1 if depth < 3 else 2)
            if node is not None:
                return node
    return None


def _equates(one: Instance) -> bool:
    parts = [part for f in one.formulas for part in flat(f)]
    return any(isinstance(part, Relation) and part.op == "==" for part in parts)


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
    if isinstance(goal, Is):
        return None
    if not contrary:
        try:
            negated(goal)
        except Rejected:
            return None
        premises = search.premises(s, "refute")
        if premises is None:
            return None
        inner = premises[0]
    else:
        inner = s
    node = _contradiction(search, inner, more, effort, squares)
    if node is None or contrary:
        return node
    return search.node("refute", [node])


def _contradiction(
    search: Search, s: Sequent, more: list[Instance], effort: int, squares: bool
) -> Node | None:
    facts = search.facts(s)
    formulas: list[Formula] = list(s.hypotheses)
    owner: list[int | None] = [None] * len(formulas)
    for number, one in enumerate(more):
        for f in one.formulas:
            for part in flat(f):
                formulas.append(part)
                owner.append(number)
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
                parts = [_alternative(facts, part) for part in f.parts]
                if all(part is not None for part in parts):
                    clauses.append((i, [part for part in parts if part is not None]))
        except (Rejected, ArithmeticError):
            continue
    own = [(i, c) for i, c in clauses if i >= len(s.hypotheses)]
    few = _close(facts, literals, own, len(s.hypotheses))
    _only_near(facts, literals, len(s.hypotheses))
    if few is not None:
        node = _refutation(search, s, more, owner, few, own, effort, squares)
        if node is not None:
            return node
    return _refutation(search, s, more, owner, literals, clauses, effort, squares)


def _close(facts: Facts, literals: Literals, own: Clauses, count: int) -> Literals | None:
    """Keep facts about the atoms of the negated goal and of axioms, roots only where that has some.

    None where that leaves out next to nothing, so that a search among these says nothing new.
    """
    last = max((i for i in range(count) if literals[i]), default=None)
    if last is None:
        return None
    goal = literals[last]
    assert goal is not None
    near = P.atoms_of(goal[0]).union(
        *(P.atoms_of(p) for _, c in own for part in c for p, _ in part),
        *(P.atoms_of(x[0]) for x in literals[count:] if x is not None),
    )
    rooted = {i for m in goal[0] for i, e in m if Fraction(e).denominator > 1}
    kept = [
        x
        if x is not None
        and all(i in near and (e == int(e) or i in rooted) for m in x[0] for i, e in m)
        else None
        for x in literals
    ]
    before, after = (sum(x is not None for x in part) for part in (literals, kept))
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
    facts = search.facts(s)
    problem = _Problem(facts)
    used = [x[0] for x in literals if x] + [p for _, c in clauses for a in c for p, _ in a]
    if not used:
        return None
    problem.measure(used)
    for i in list(problem.atoms):  # polynomials under roots
        inner = facts.atoms[i].poly
        if inner and problem.scale[i] > 1 and len(inner) <= LARGEST:
            problem.measure([inner])
    # what signs say of atoms becomes a fact of its own
    extra: list[tuple[Formula, P.Poly, str]] = []
    plain = {P.frozen(x[0]) for x in literals if x}
    for i in problem.atoms:
        if problem.scale[i] > 1:
            continue  # the sign of its root says more, in a smaller power
        sign = problem.sign(i)
        if sign not in SIGNS:
            continue
        op = SIGNS[sign]
        t = facts.atoms[i].term
        p, o = facts.literal(Relation(t, op, ZERO))
        if P.frozen(p) not in plain and not _negative(p):
            extra.append((Relation(t, op, ZERO), p, o))
    given: list[positivstellensatz.Literal] = []
    source: list[tuple[str, int]] = []
    for i, x in enumerate(literals):
        if x is not None:
            given.append((problem.out(x[0]), x[1]))
            source.append(("hypothesis", i))
    for j, (_, p, o) in enumerate(extra):
        problem.measure([p])
        given.append((problem.out(p), o))
        source.append(("extra", j))
    for i in list(problem.atoms):
        a = facts.atoms[i]
        k = problem.scale[i]
        if k == 1:
            continue
        v = problem.number[i]
        if a.poly and not _negative(a.poly):
            equation = {m: -c for m, c in problem.out(a.poly).items()}
            key = ((v, k),)
            equation[key] = equation.get(key, Fraction(0)) + 1
            given.append((equation, "=="))
            source.append(("identity", 0))
        elif a.key[0] == "prime":
            given.append(({((v, k),): Fraction(1), (): -Fraction(int(str(a.key[1])))}, "=="))
            source.append(("identity", 0))
        given.append(({((v, 1),): Fraction(1)}, ">" if problem.sign(i) == POSITIVE else ">="))
        source.append(("root", i))
    offered = [[[(problem.out(p), o) for p, o in part] for part in c] for _, c in clauses]
    if not search.alone and holds_somewhere(given, offered):
        return None
    told = _Told(search, s, problem, more, owner, clauses, extra, source)
    if not more:
        focus = sum(x is not None for x in literals) - 1
        tree = positivstellensatz.squares(given, focus, effort=effort)
        if tree is not None or squares:
            return None if tree is None else told.node(tree)
    tree = positivstellensatz.refute(given, offered, effort=effort)
    return None if tree is None else told.node(tree)


NEAR = 26  # facts that are looked at together


def _only_near(facts: Facts, literals: Literals, count: int) -> None:
    """Drop facts that are far from the negated goal: those that need the most further atoms."""
    last = max((i for i in range(count) if literals[i]), default=None)
    if last is None or sum(x is not None for x in literals) <= NEAR:
        return
    first = literals[last]
    assert first is not None
    near = P.atoms_of(first[0])
    kept = {last}
    while len(kept) < NEAR:
        best = min(
            (
                (len(P.atoms_of(x[0]) - near), len(x[0]), i)
                for i, x in enumerate(literals)
                if x is not None and i not in kept
            ),
            default=None,
        )
        if best is None:
            break
        kept.add(best[2])
        chosen = literals[best[2]]
        assert chosen is not None
        near |= P.atoms_of(chosen[0])
    for i in range(len(literals)):
        if i not in kept:
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


class _Told:
    """Translate a tree of `positivstellensatz` into nodes of the kernel."""

    def __init__(
        self,
        search: Search,
        s: Sequent,
        problem: _Problem,
        more: list[Instance],
        owner: list[int | None],
        clauses: list[Any],
        extra: list[tuple[Formula, P.Poly, str]],
        source: list[tuple[str, int]],
    ) -> None:
        self.search, self.s, self.problem = search, s, problem
        self.more, self.owner, self.clauses, self.extra = more, owner, clauses, extra
        self.source = source
        self.place: dict[tuple[str, int], int] = {}

    def node(self, tree: Step) -> Node | None:
        chain = Chain(self.search, self.s, 0)
        self.place = place = {("hypothesis", i): i for i in range(len(self.s.hypotheses))}
        count = len(self.s.hypotheses)
        wanted = {self.source[i] for i in tree.uses}
        wanted |= {("hypothesis", self.clauses[c][0]) for c in tree.clauses()}
        axioms = sorted(
            {o for kind, i in wanted if kind == "hypothesis" and (o := self.owner[i]) is not None}
        )
        for number in axioms:
            one = self.more[number]
            at = {p: str(t) for p, t in one.at}
            if not chain.apply_by(self._easy, "axiom", name=one.name, at=at):
                return None
            mine = [i for i, o in enumerate(self.owner) if o == number]
            for i in mine:
                place["hypothesis", i] = count
                count += 1
        for kind, j in sorted(wanted):
            if kind not in ("extra", "root"):
                continue
            if kind == "extra":
                f = self.extra[j][0]
            else:
                a = self.problem.facts.atoms[j]
                root = power(a.term, num(Fraction(1, self.problem.scale[j])))
                f = Relation(root, ">" if self.problem.sign(j) == POSITIVE else ">=", ZERO)
            if not chain.apply_by(self._easy, "have", formula=str(f)):
                return None
            place[kind, j] = count
            count += 1
        ids = {i: place[pair] for i, pair in enumerate(self.source) if pair in place}
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
        fields: dict[str, Any]
        if tree.rule == "cases":
            fields = {"term": str(text(data["term"])), "ops": data["ops"]}
            premises = self.search.premises(s, "cases", **fields)
            if premises is None:
                return None
            children = [
                self._visit(child, p, inner, count + 1)
                for (child, inner), p in zip(below, premises, strict=True)
            ]
            return self._joined("cases", children, fields)
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

            def shown(there: Sequent) -> Node | None:
                turned = Chain(self.search, there, 0)
                if not turned.apply("refute"):
                    return None
                return turned.close(self._visit(below[0][0], turned.s, below[0][1], count + 1))

            applied = chain.apply_by(shown, "have", formula=f"{text(p)} {op} 0")
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
        fields: dict[str, Any] = {"terms": terms}
        used = [(f, p) for f, p in data["equalities"] if self._kind(f) != "identity"]
        if not all(f in ids for f, _ in used):
            return None
        equalities = [[ids[f], str(text(p))] for f, p in used]
        if equalities:
            fields["equalities"] = equalities
        return self.search.leaf(s, "combination", **fields)

    def _kind(self, fact: int) -> str:
        """Return the kind of a given fact; empty for a fact of the tree."""
        return self.source[fact][0] if fact < len(self.source) else ""

    def _half(self, fact: int) -> Term | None:
        """Return the square root of a positive root of a sum, which says 1 > 0 as a hypothesis."""
        if self._kind(fact) != "root":
            return None
        i = self.source[fact][1]
        a = self.problem.facts.atoms[i]
        if not a.poly or a.sign != POSITIVE:
            return None
        return power(a.term, num(Fraction(1, 2 * self.problem.scale[i])))

    def _split(self, tree: Step, s: Sequent, ids: dict[int, int], count: int) -> Node | None:
        index = self.clauses[tree.data["clause"]][0]
        fields = {"hypothesis": self.place["hypothesis", index]}
        premises = self.search.premises(s, "split", **fields)
        if premises is None:
            return None
        children: list[Node | None] = []
        for (names, child), premise in zip(tree.children, premises, strict=True):
            more = len(premise.hypotheses) - len(s.hypotheses)
            added = premise.hypotheses[-more:] if more else ()
            new = [count + i for i, f in enumerate(added) if isinstance(f, Relation)]
            inner = {**ids, **dict(zip(names, new, strict=False))}
            children.append(self._visit(child, premise, inner, count + more))
        return self._joined("split", children, fields)

    def _joined(
        self, rule: str, children: list[Node | None], fields: dict[str, Any]
    ) -> Node | None:
        kept = [c for c in children if c is not None]
        return self.search.node(rule, kept, **fields) if len(kept) == len(children) else None
