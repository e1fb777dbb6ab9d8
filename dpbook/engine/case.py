"""One case: alternatives of relations on one conjunctive domain, from a counterexample to a proof."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import sympy
from sympy import Expr, Integral, Sum, Symbol

from dpbook.engine.budget import Deadline, TimeUp, alarm
from dpbook.engine.definedness import NotUnderstood, Obligation, obligations
from dpbook.engine.domain import Bounds, Domain
from dpbook.engine.errors import LIBRARY_ERRORS, unless_ours
from dpbook.engine.ladder import RUNGS
from dpbook.engine.methods import calculus, smt
from dpbook.engine.methods.integrals import NoClosedForm, close_integrals, refuse_undefined
from dpbook.engine.methods.prover import DEPTHS, Proof, ProofCache, Prover, hypotheses, merged
from dpbook.engine.methods.side_conditions import SideConditionProver
from dpbook.engine.methods.signs import Signs
from dpbook.engine.methods.sums import close_sums
from dpbook.engine.points import Point, Sampler
from dpbook.engine.refute import Refuter, short, verdict_at
from dpbook.engine.statement import Relation, evaluated
from dpbook.engine.task import Task
from dpbook.engine.verdict import Counterexample, Evidence, Verdict


class EngineError(RuntimeError):
    """Two ways of deciding disagree: a fault of the engine, never to be hidden."""


class Case:
    """One alternative of relations on one conjunctive domain."""

    def __init__(
        self,
        relations: list[Relation],
        domain: Domain,
        task: Task,
        deadline: Deadline,
        facts: Sequence[Relation] = (),
        shared: ProofCache | None = None,
    ) -> None:
        self.facts = facts
        self.shared = shared or ProofCache()
        self.relations, self.domain, self.defined_by = _inlined(relations, domain)
        self.task = task
        self.deadline = deadline
        self.steps: list[str] = []
        self.trusted: set[str] = set()
        self.failure = ""

    def decide(self) -> Evidence | None:
        sampler = Sampler(self.domain, self.task.seed)
        point = sampler.some()
        if point is None:
            suggested = map(sampler.named, self.task.candidates)
            point = next((p for p in suggested if p is not None), None)
        if point is None:
            if _contradictory(self.domain, self.deadline):
                return None
            return Evidence(
                Verdict.UNDECIDED,
                reason="no point of the domain was found, so a proof might be vacuous",
            )
        sample = tuple((v.name, short(point[v])) for v in self.domain.variables)
        relations = self.relations
        prover = self._prover()
        clean = plain_domain(self.domain)
        if any(side.has(Integral) for r in relations for side in (r.lhs, r.rhs)):
            try:
                relations = [r.map(lambda e: self._integrated(e, prover, clean)) for r in relations]
            except NoClosedForm as why:
                return Evidence(
                    Verdict.UNDECIDED, reason=f"an integral stays open: {why}", sample=sample
                )
        refuter = Refuter(
            relations, self.domain, self.task.seed, self.deadline, self.task.candidates
        )
        found = refuter.quick()
        if found is not None:
            return self._refuted(found, sample)
        if self.task.search_only or self.task.repeats:
            found = refuter.thorough()
            if found is not None:
                return self._refuted(found, sample)
        proof = None
        try:
            # the alarm is for a library call that does not ask for the time
            with alarm(self.deadline.left + 0.1):
                proof = self._proof(relations, prover, clean, DEPTHS[:2])
                if proof is None and not (self.task.search_only or self.task.repeats):
                    found = (
                        refuter.confirm_suggested(prover.candidate_counterexamples[:40])
                        or refuter.thorough()
                    )
                    if found is not None:
                        return self._refuted(found, sample)
                    proof = self._proof(relations, prover, clean, DEPTHS[2:])
        except TimeUp:
            self.failure = self.failure or "the time was used up"
        except LIBRARY_ERRORS as error:
            unless_ours(error)
            self.failure = f"a library failed: {type(error).__name__}: {str(error)[:200]}"
        if proof is not None:
            self._cross_check(relations, sampler)
            return Evidence(
                Verdict.PROVED,
                method=proof.method,
                trusted=tuple(sorted(self.trusted | proof.trusted)),
                sample=sample,
                steps=(*self.steps, *proof.lines),
                certificate=proof.certificate,
            )
        found = refuter.confirm_suggested(prover.candidate_counterexamples[:40])
        if found is not None:
            return self._refuted(found, sample)
        seen = refuter.seen
        if seen.tried == 0:
            reason = "neither proved nor evaluated at any point"
            if not self.domain.variables:
                reason = "neither proved nor refuted; nothing varies in it"
            return Evidence(Verdict.UNDECIDED, reason=reason, sample=sample)
        reason = self.failure or "neither proved nor refuted"
        if not self.domain.variables:  # there are no points, and nothing is close or far
            return Evidence(Verdict.SUPPORTED, method="value", reason=reason, sample=sample)
        return Evidence(
            Verdict.SUPPORTED, method="points", margin=seen.describe(), reason=reason, sample=sample
        )

    def _refuted(self, found: Counterexample, sample: tuple[tuple[str, str], ...]) -> Evidence:
        if self.defined_by:
            named = (*found.point, *((v.name, str(e)) for v, e in self.defined_by))
            found = replace(found, point=named)
        return Evidence(
            Verdict.REFUTED,
            method="point",
            trusted=("exact arithmetic and Arb",),
            counterexample=found,
            sample=sample,
            steps=tuple(self.steps),
        )

    def _prover(self) -> Prover:
        # the method on record first; the order within both groups stays
        rungs = sorted(RUNGS, key=lambda rung: rung[0] != self.task.hint)
        return Prover(rungs, self.deadline, self.task.seed, self.task.by, memory=self.shared)

    # --- closing integrals and sums -----------------------------------------------------------------

    def _integrated(
        self, e: Expr, prover: Prover, clean: tuple[Domain, dict[Symbol, Symbol]]
    ) -> Expr:
        if not e.has(Integral):
            return e
        domain, changes = clean
        used: list[str] = []

        means = means_on(prover, domain, used)

        def close(node: Any) -> Any:
            if isinstance(node, Integral):
                with sympy.evaluate(False):
                    written = node.xreplace(changes)
                with sympy.evaluate(True):
                    refuse_undefined(written, means)
                    body = evaluated(node, changes)
                    closed = close_integrals(body, means)
                back = {new: old for old, new in changes.items()}
                return closed.xreplace(back)
            if not node.args:
                return node
            with sympy.evaluate(False):
                return node.func(*[close(a) for a in node.args])

        result = close(e)
        for name in dict.fromkeys(used):
            self.steps.append(f"{name}, its conditions proved")
            self.trusted.add(f"the {name}" if "theorem" not in name else name)
        return result

    # --- proof -----------------------------------------------------------------------------------------

    def _proof(
        self,
        relations: list[Relation],
        prover: Prover,
        clean: tuple[Domain, dict[Symbol, Symbol]],
        depths: Sequence[int],
    ) -> Proof | None:
        if self.task.repeats:
            return None
        domain, changes = clean
        if any(relation in self.facts for relation in relations):  # proved here, and so defined
            return Proof("known", frozenset({"exact algebra"}), ("it is a step, or a claim used",))
        try:
            needed = {
                o: None for r in relations for side in (r.lhs, r.rhs) for o in obligations(side)
            }
        except NotUnderstood as why:
            self.failure = str(why)
            return None
        known = domain.with_facts(*(in_symbols(fact, changes) for fact in self.facts))
        proofs = []
        settled = settled_by(self.facts)
        for obligation in needed:
            if obligation in settled:
                continue
            proof = None
            if self.facts:  # what is known often shows it at once
                proof = self._obligation(obligation, prover, known, changes, (0,))
            if proof is None:
                proof = self._obligation(obligation, prover, domain, changes, depths)
            if proof is None:
                self.failure = f"not shown to be defined: {obligation.why}, {obligation.relation}"
                return None
            proofs.append(proof)
        self.failure = ""
        for index, relation in enumerate(relations):
            where = domain
            for other, alternative in enumerate(relations):
                if other != index:
                    where = where.with_conditions(in_symbols(alternative.negated(), changes))
            rebuilt = in_symbols(relation, changes)
            difference = difference_of(rebuilt)
            facts = [in_symbols(fact, changes) for fact in self.facts]
            proof = None
            if facts and difference.has(Sum):  # sums as they stand, as in what is known
                proof = prover.solve(difference, rebuilt.op, where.with_facts(*facts), (0,))
            if proof is None and difference.has(Sum):
                quickly, positive = _quickly(prover, where), prover.positive_on(where)
                difference = close_sums(difference, quickly, positive)
                facts += [
                    Relation(
                        close_sums(difference_of(fact), quickly, positive), fact.op, sympy.S.Zero
                    )
                    for fact in facts
                    if difference_of(fact).has(Sum)
                ]
            goal_domain, eliminated = _eliminated(where, prover)
            for v, e in eliminated:
                difference = difference.xreplace({v: e})
            if proof is None and facts:
                helped = goal_domain.with_facts(*(_put(fact, eliminated) for fact in facts))
                # what is known decides most steps at once, before anything is searched for
                proof = (
                    prover.solve(difference, rebuilt.op, helped, (0,))
                    or prover.solve(difference, rebuilt.op, goal_domain, depths[:1])
                    or prover.solve(difference, rebuilt.op, helped, depths)
                )
            elif proof is None:
                proof = prover.solve(difference, rebuilt.op, goal_domain, depths)
            if proof is not None:
                self.trusted |= {t for p in proofs for t in p.trusted}
                certificate = merged(p.certificate for p in (proof, *proofs))
                return replace(proof, certificate=certificate)
        return None

    def _obligation(
        self,
        obligation: Obligation,
        prover: Prover,
        domain: Domain,
        changes: dict[Symbol, Symbol],
        depths: Sequence[int],
    ) -> Proof | None:
        where = domain
        for symbol, bounds in obligation.variables:
            moved = Bounds(
                None if bounds.lower is None else evaluated(bounds.lower, changes),
                bounds.lower_open,
                None if bounds.upper is None else evaluated(bounds.upper, changes),
                bounds.upper_open,
                bounds.integer,
            )
            index = Symbol(symbol.name, integer=True)
            changes = {**changes, symbol: index}
            where = where.with_variable(index, moved)
        where = where.with_conditions(*(in_symbols(c, changes) for c in obligation.conditions))
        where, eliminated = _eliminated(where, prover)
        relation = in_symbols(obligation.relation, changes)
        difference = difference_of(relation)
        if difference.has(Sum):
            difference = close_sums(difference, _quickly(prover, where), prover.positive_on(where))
        for v, e in eliminated:
            difference = difference.xreplace({v: e})
        return prover.solve(difference, relation.op, where, depths)

    def _cross_check(self, relations: list[Relation], sampler: Sampler) -> None:
        """A proof and exact points must agree; a disagreement is the engine's fault."""
        points: list[Point] = list(sampler.simple(6))
        drawn = sampler.floats(40)
        size = len(next(iter(drawn.values()))) if drawn else 0
        for index in range(min(size, 8)):
            point = sampler.exact({v: float(a[index]) for v, a in drawn.items()}, 1e-3)
            if point is not None:
                points.append(point)
        for point in points:
            result, why = verdict_at(relations, point)
            if result is False:
                where = ", ".join(f"{v} = {short(x)}" for v, x in point.items())
                raise EngineError(f"proved, and yet false at {where} {why}: {relations[0]}")


def means_on(prover: Prover, domain: Domain, used: list[str]) -> SideConditionProver:
    """What the conditions of lemmas on integrals are proved with, on a domain."""

    def within(x: Symbol, a: Expr, b: Expr, closed: bool = False) -> Domain:
        lower = None if a == -sympy.oo else a
        upper = None if b == sympy.oo else b
        return domain.with_variable(x, Bounds(lower, not closed, upper, not closed, False))

    def prove(expr: Expr, op: str) -> bool:
        return prover.solve(evaluated(expr), op, domain, (1, 2)) is not None

    def prove_within(expr: Expr, op: str, x: Symbol, a: Expr, b: Expr) -> bool:
        return prover.solve(evaluated(expr), op, within(x, a, b), (1, 2)) is not None

    def defined(expr: Expr, x: Symbol, a: Expr, b: Expr, closed: bool) -> bool:
        return calculus.defined_on(prover, expr, within(x, a, b, closed), 2)

    def inside(x: Symbol, a: Expr, b: Expr) -> SideConditionProver:
        return means_on(prover, within(x, a, b), used)

    return SideConditionProver(
        prove, prove_within, defined, prover.positive_on(domain), inside, used
    )


def _needed(e: Expr, signs: Signs) -> list[Relation] | None:
    """Return what must hold for an expression to be defined, but for what is plain; None: unknown."""
    try:
        found = obligations(e)
    except NotUnderstood:
        return None
    plain = {">": signs.positive, ">=": signs.nonnegative}
    rest = [
        o
        for o in found
        if not (o.relation.op in plain and plain[o.relation.op](difference_of(o.relation)))
    ]
    if any(o.variables or o.conditions or not o.exact for o in rest):
        return None
    return [o.relation for o in rest]


def _inlined(
    relations: list[Relation], domain: Domain
) -> tuple[list[Relation], Domain, list[tuple[Symbol, Expr]]]:
    """Put in what a condition ``symbol == expression`` defines, where it is not rational."""
    done: list[tuple[Symbol, Expr]] = []
    again = True
    while again:
        again = False
        signs = Signs(domain)
        for relation in domain.conditions:
            sides = ((relation.lhs, relation.rhs), (relation.rhs, relation.lhs))
            pick = next(
                (
                    (v, e)
                    for v, e in sides
                    if relation.op == "=="
                    and v in domain.bounds
                    and v not in e.free_symbols
                    and not domain.bounds[v].integer
                    and not e.is_rational_function(*e.free_symbols)
                ),
                None,
            )
            if pick is None:
                continue
            v, e = pick
            needed = _needed(e, signs)
            if needed is None:
                continue

            def put(x: Expr, v: Symbol = v, e: Expr = e) -> Expr:
                with sympy.evaluate(False):
                    return x.xreplace({v: e})

            ranges = [r.map(put) for r in domain.bounds[v].relations(v)]
            others = [c.map(put) for c in domain.conditions if c is not relation]
            kept = tuple(w for w in domain.variables if w != v)
            bounds = {w: domain.bounds[w] for w in kept}
            if any(
                end is not None and v in end.free_symbols
                for b in bounds.values()
                for end in (b.lower, b.upper)
            ):
                continue
            domain = Domain(kept, bounds, (*others, *ranges, *needed))
            relations = [r.map(put) for r in relations]
            done = [(w, put(x)) for w, x in done] + [(v, e)]
            again = True
            break
    return relations, domain, done


def settled_by(proved: Iterable[Relation]) -> set[Obligation]:
    """What had to hold for relations to be defined that are proved on the same domain."""
    found: set[Obligation] = set()
    for relation in proved:
        try:
            found.update(o for side in (relation.lhs, relation.rhs) for o in obligations(side))
        except NotUnderstood:
            continue
    return found


def in_symbols(relation: Relation, changes: dict[Symbol, Symbol]) -> Relation:
    """Return a relation in other symbols, evaluated."""
    return Relation(evaluated(relation.lhs, changes), relation.op, evaluated(relation.rhs, changes))


def _put(relation: Relation, solutions: Sequence[tuple[Symbol, Expr]]) -> Relation:
    for solution in solutions:
        put = dict([solution])
        relation = Relation(relation.lhs.xreplace(put), relation.op, relation.rhs.xreplace(put))
    return relation


def _quickly(prover: Prover, domain: Domain) -> Callable[[Expr, str], bool]:
    def prove(e: Expr, op: str) -> bool:
        return prover.solve(e, op, domain, (1, 2)) is not None

    return prove


def difference_of(relation: Relation) -> Expr:
    """Return the left side minus the right one."""
    return relation.lhs - relation.rhs


def plain_domain(domain: Domain) -> tuple[Domain, dict[Symbol, Symbol]]:
    """The domain in plain symbols, evaluated; strangers to the ranges that their names carry."""
    changes: dict[Symbol, Symbol] = {}
    for v in domain.variables:
        kind = {"integer": True} if domain.bounds[v].integer else {"real": True}
        changes[v] = Symbol(v.name, **kind)
    moved = domain.map(lambda e: evaluated(e, changes), changes)
    conditions = moved.conditions
    base = Domain(moved.variables, moved.bounds, ())
    return base.with_conditions(*conditions), changes


def _eliminated(domain: Domain, prover: Prover) -> tuple[Domain, list[tuple[Symbol, Expr]]]:
    """Solve equalities that are linear in a variable and put the solution in everywhere."""
    done: list[tuple[Symbol, Expr]] = []
    for _ in range(len(domain.variables)):
        step = _one_elimination(domain, prover)
        if step is None:
            break
        v, e, domain = step
        done.append((v, e))
    return domain, done


def _one_elimination(domain: Domain, prover: Prover) -> tuple[Symbol, Expr, Domain] | None:
    for relation in domain.conditions:
        if relation.op != "==" or sympy.count_ops(relation.lhs - relation.rhs) > 60:
            continue
        difference = sympy.expand(relation.lhs - relation.rhs)
        for v in sorted(difference.free_symbols & set(domain.variables), key=lambda s: s.name):
            if domain.bounds[v].integer:
                continue
            a = sympy.diff(difference, v)
            if v in a.free_symbols:
                continue
            b = sympy.expand(difference - a * v)
            if not (a.is_Rational and a != 0):
                rest = Domain(
                    domain.variables,
                    domain.bounds,
                    tuple(c for c in domain.conditions if c != relation),
                )
                if prover.prove(a, "!=", rest, 0) is None:
                    continue
            solution = sympy.cancel(-b / a) if not b.atoms(sympy.Function) else -b / a
            if v in solution.free_symbols:
                continue

            def put(e: Expr, v: Symbol = v, solution: Expr = solution) -> Expr:
                return e.xreplace({v: solution})

            conditions = [c.map(put) for c in domain.conditions if c != relation]
            for own in domain.bounds[v].relations(v):
                conditions.append(own.map(put))
            bounds = {}
            for w in domain.variables:
                if w == v:
                    continue
                b_w = domain.bounds[w]
                touched = any(e is not None and v in e.free_symbols for e in (b_w.lower, b_w.upper))
                if touched:
                    conditions += [r.map(put) for r in b_w.relations(w)]
                    bounds[w] = Bounds(integer=b_w.integer)
                else:
                    bounds[w] = b_w
            kept = Domain(tuple(w for w in domain.variables if w != v), bounds, ())
            return v, solution, kept.with_conditions(*(c for c in conditions if not _trivial(c)))
    return None


def _trivial(relation: Relation) -> bool:
    return bool(relation.lhs.is_Rational and relation.rhs.is_Rational)


def _contradictory(domain: Domain, deadline: Deadline) -> bool:
    clean, _ = plain_domain(domain)
    integers = tuple(v for v in clean.variables if clean.bounds[v].integer)
    proof = smt.prove(
        (sympy.S.NegativeOne, ">"),
        hypotheses(clean),
        integers=integers,
        seconds=deadline.part(2.0),
        axioms=True,
    )
    return proof is not None


def prove_relation(
    relation: Relation, domain: Domain, deadline: Deadline, task: Task, shared: ProofCache
) -> Proof | None:
    """Prove a relation on a domain, without a search for counterexamples."""
    case = Case([relation], domain, task, deadline, shared=shared)
    clean = plain_domain(domain)
    prover = case._prover()
    try:
        relation = relation.map(lambda e: case._integrated(e, prover, clean))
    except NoClosedForm:
        return None
    return case._proof([relation], prover, clean, DEPTHS)
