"""The other forms of statements: a witness, a recurrence, an index that grows, a limit, draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import sympy
from sympy import Expr, Symbol, sympify

from dpbook.engine import recurrences
from dpbook.engine.budget import Deadline
from dpbook.engine.case import difference_of, in_symbols, plain_domain
from dpbook.engine.compile import compare_at
from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.domain import (
    Domain,
    DomainError,
    RangedSymbol,
    case_domains,
    collected,
    first_index,
    with_ranges,
)
from dpbook.engine.ladder import RUNGS
from dpbook.engine.methods.limits import limit_at, tends_to
from dpbook.engine.methods.prover import ALGEBRA, Goal, Prover, merged, renamed
from dpbook.engine.points import Sampler
from dpbook.engine.refute import short
from dpbook.engine.statement import (
    Both,
    Either,
    Eventually,
    Every,
    Exists,
    ForAll,
    Noted,
    Order,
    Recurrence,
    Relation,
    Statistical,
    Tree,
    evaluated,
    unfold_definitions,
)
from dpbook.engine.task import Task, free_symbols
from dpbook.engine.trees import Trees
from dpbook.engine.verdict import EVERYWHERE, Counterexample, Evidence, Verdict, weakest


class Forms(Trees):
    """Decides a task of any form."""

    def run(self) -> Evidence:
        form = self.task.form
        if isinstance(form, Noted):
            return Evidence(Verdict.NOTED, reason=form.why)
        if isinstance(form, Statistical):
            return self._statistical(form)
        if isinstance(form, ForAll):
            evidence = self._with_steps(form.tree)
        elif isinstance(form, Exists):
            evidence = self._exists(form)
        elif isinstance(form, Recurrence):
            evidence = self._recurrence(form)
        elif isinstance(form, Eventually):
            evidence = self._eventually(form)
        else:
            evidence = self._order(form)
        if evidence.verdict is not Verdict.PROVED:
            return evidence
        trusted = {*evidence.trusted, *(t for p in self.conditions for t in p.trusted)}
        return replace(
            evidence,
            certificate=merged([evidence.certificate, *(p.certificate for p in self.conditions)]),
            trusted=tuple(sorted(trusted)),
        )

    def _exists(self, form: Exists) -> Evidence:
        """Put the witness in: it must lie in its range, meet the conditions and the relation.

        Conditions without a bound symbol are assumed; those with one are to be proved of it.
        """
        bound = {symbol for symbol, _ in form.witness}
        for symbol, value in form.witness:
            if unfold_definitions(value).free_symbols & bound:
                raise DomainError(
                    f"the witness of {symbol} must not use a symbol that is bound, got {value}"
                )

        def put(e: Expr) -> Expr:
            with sympy.evaluate(False):
                return unfold_definitions(e).xreplace(dict(form.witness))

        ranges: list[Tree] = []
        for symbol, value in form.witness:
            if isinstance(symbol, RangedSymbol):
                for relation in symbol.range.relations(symbol):
                    ranges.append(relation.map(put))
                if symbol.integer and not value.is_integer:
                    ranges.append(Relation(sympy.floor(value), "==", value))
        others = with_ranges(
            {*free_symbols(form), *(s for t in self.task.given for s in free_symbols(t))}
        )
        for other in sorted(others - bound, key=str):
            if isinstance(other, RangedSymbol):  # its range may speak of what is bound
                for relation in other.range.relations(other):
                    if relation.map(unfold_definitions).free_symbols & bound:
                        ranges.append(relation.map(put))
        about = [t for t in self.task.given if free_symbols(t) & bound]
        assumed = [t for t in self.task.given if t not in about]
        tree = Both((form.relation.map(put), *ranges, *(t.map(put) for t in about)))
        evidence = self._with_steps(tree, assumed)
        if evidence.verdict is Verdict.REFUTED:
            negated = _negated(form.relation)
            if negated is not None:
                opposite = self._tree(negated, list(self.task.given))
                if opposite.verdict is Verdict.PROVED:
                    return replace(
                        opposite,
                        verdict=Verdict.REFUTED,
                        counterexample=Counterexample((), note=EVERYWHERE),
                    )
            return Evidence(
                Verdict.UNDECIDED,
                reason=f"the witness fails at {evidence.counterexample}; another one may do",
            )
        return evidence

    def _recurrence(self, form: Recurrence) -> Evidence:
        """An index at which it fails, or else base and step, by exact algebra."""
        k = form.index
        lowest = first_index(form, self.task.given)
        found = recurrences.refuted(form, self.task.given, self.task.seed, self.deadline)
        if found is not None:
            return Evidence(
                Verdict.REFUTED,
                method="point",
                trusted=("exact arithmetic and Arb",),
                counterexample=found,
                sample=found.point,
            )
        named = getattr(k, "range", None)
        about = (t.map(unfold_definitions).free_symbols for t in self.task.given)
        if named is not None and named.lower is not None and any(k in free for free in about):
            # the sequence also runs where the condition fails: a step there proves more than is said
            return Evidence(Verdict.UNDECIDED, reason="neither proved nor refuted")

        def at(e: Expr, value: Expr) -> Expr:
            with sympy.evaluate(False):
                return unfold_definitions(e).xreplace({k: value})

        base = Relation(at(form.closed_form, lowest), "==", at(form.start, lowest))
        with sympy.evaluate(False):
            following = Relation(
                at(form.closed_form, sympy.Add(k, 1)),
                "==",
                unfold_definitions(form.step).xreplace(
                    {form.previous: unfold_definitions(form.closed_form)}
                ),
            )
        parts = []
        for name, relation in (("base", base), ("step", following)):
            evidence = self._tree(relation, list(self.task.given))
            parts.append(
                replace(evidence, reason=f"{name}: {evidence.reason}" if evidence.reason else name)
            )
        weak = weakest(tuple(parts))
        if weak.verdict is Verdict.PROVED:
            trusted = tuple(sorted({"induction", *(t for p in parts for t in p.trusted)}))
            return replace(
                weak,
                method="induction",
                trusted=trusted,
                reason="",
                steps=tuple(line for p in parts for line in (f"{p.reason}:", *p.steps)),
            )
        if weak.verdict is Verdict.REFUTED:
            # the closed form may fail its own step only where the sequence still agrees with it
            return replace(
                weak,
                verdict=Verdict.UNDECIDED,
                counterexample=None,
                reason="the step fails at a point that the sequence was not followed to",
            )
        return weak

    def _refuse_bounded(
        self, n: Symbol, *fixed: Expr | None, threshold: Expr | None = None, each: bool = False
    ) -> None:
        """Refuse an index with an upper end: a statement about all large values says nothing then.

        What is assumed of the index alone must hold for all its large values. What ties it to other
        symbols (n_2 >= n_1 / 2) must leave points with huge values of it; with `each`, for a limit
        at fixed values of the others, it must hold for all large values too.

        Raises
        ------
        DomainError
            When it is bounded, or a constant of the statement moves with it.
        """
        for value in (*fixed, threshold):
            if value is not None and n in unfold_definitions(value).free_symbols:
                raise DomainError(
                    f"constant, threshold and limit must not use the index {n}, got {value}"
                )
        given = [condition.map(unfold_definitions) for condition in self.task.given]
        free = collected([Relation(n, "==", n), *given])
        symbols = sorted(with_ranges(free_symbols(self.task.form) | set(free)), key=str)
        for domain in case_domains(symbols, given):
            clean, changes = plain_domain(domain)
            everything = sympy.Add(*clean.variables, evaluate=False)
            signed = renamed(Goal(everything, "==", clean)).domain
            index = next(v for v in signed.variables if v.name == changes[n].name)
            ending = [
                r for r in signed.relations() if index in r.free_symbols and not _lasting(r, index)
            ]
            if not ending:
                continue
            tied = all(len(r.free_symbols) > 1 for r in ending)
            if each or not tied or not self._reaches_far(domain, n, threshold):
                raise DomainError(
                    f"the index {n} must be unbounded above, or a statement about all large "
                    f"{n} says nothing; got {ending[0]}: leave that condition out"
                )

    def _reaches_far(self, domain: Domain, n: Symbol, threshold: Expr | None) -> bool:
        """Whether the domain has points with huge values of an index."""
        least = [sympy.Integer(10) ** 8, sympy.Integer(10) ** 40]
        after = [] if threshold is None else [Relation(n, ">=", unfold_definitions(threshold))]
        return all(
            Sampler(domain.with_conditions(Relation(n, ">=", far), *after), self.task.seed).some()
            is not None
            for far in least
        )

    def _eventually(self, form: Eventually) -> Evidence:
        """With a threshold: the relation for every index from it on. Without one: try some."""
        refuse_bounded(self.task)
        thresholds: list[Expr] = []
        if form.threshold is not None:
            thresholds = [form.threshold]
        else:
            thresholds = [sympify(10) ** e for e in (0, 1, 2, 4, 8)]
        last = Evidence(Verdict.UNDECIDED, reason="no threshold found")
        share = self.task.time_limit / max(1, len(thresholds))
        for threshold in thresholds:
            self.deadline = Deadline.after(share)
            evidence = self._tree(
                form.relation, [*self.task.given, Relation(form.index, ">=", threshold)]
            )
            if evidence.verdict is Verdict.PROVED:
                return replace(evidence, reason=f"from {form.index} = {threshold} on")
            last = evidence
        if last.verdict is Verdict.REFUTED:
            limit = self._limit_sign(form)
            if limit is not None:
                return replace(last, counterexample=Counterexample((), note=limit))
            last = replace(
                last,
                verdict=Verdict.UNDECIDED,
                counterexample=None,
                reason="it fails at some points, and its limit is open",
            )
        return last

    def _limit_sign(self, form: Eventually) -> str | None:
        """Refute by proving that the opposite holds for all large indices."""
        opposite = _negated(form.relation)
        if opposite is None:
            return None
        for threshold in (1, 100, 10**4, 10**8):
            self.deadline = Deadline.after(self.task.time_limit / 4)
            evidence = self._tree(
                opposite, [*self.task.given, Relation(form.index, ">=", sympify(threshold))]
            )
            if evidence.verdict is Verdict.PROVED:
                return f"proved false for every {form.index} >= {threshold}"
        return None

    def _order(self, form: Order) -> Evidence:
        n = form.index
        refuse_bounded(self.task)
        if form.limit is not None:
            return self._limit(form)
        with sympy.evaluate(False):
            constants = (
                [form.constant]
                if form.constant is not None
                else [sympify(c) for c in (1, 2, 10, 100)]
            )
            thresholds = (
                [form.threshold]
                if form.threshold is not None
                else [sympify(t) for t in (1, 10, 1000)]
            )
        last = Evidence(Verdict.UNDECIDED, reason="no constant found")
        share = self.task.time_limit / (len(constants) * len(thresholds))
        for constant in constants:
            for threshold in thresholds:
                self.deadline = Deadline.after(share)
                with sympy.evaluate(False):
                    relation = Relation(
                        sympy.Abs(form.f), "<=", sympy.Mul(constant, sympy.Abs(form.g))
                    )
                evidence = self._tree(relation, [*self.task.given, Relation(n, ">=", threshold)])
                if evidence.verdict is Verdict.PROVED:
                    return replace(
                        evidence, reason=f"|f| <= {constant} |g| from {n} = {threshold} on"
                    )
                last = evidence
        if last.verdict is Verdict.REFUTED:
            last = replace(
                last, verdict=Verdict.UNDECIDED, counterexample=None, reason="no constant found"
            )
        return last

    def _limit(self, form: Order) -> Evidence:
        """``f / g -> limit``: a rate ``|f / g - limit| <= C / n`` on the domain, proved."""
        n = form.index
        assert form.limit is not None
        f, g, limit = (unfold_definitions(e) for e in (form.f, form.g, form.limit))
        given = [condition.map(unfold_definitions) for condition in self.task.given]
        domains = case_domains(
            collected([Relation(f, "==", g), Relation(limit, "==", n), *given]), given
        )
        if len(domains) != 1:
            return Evidence(Verdict.UNDECIDED, reason="a limit on a domain of several cases")
        with sympy.evaluate(False):
            quotient = f if g == 1 else f / g
        return _decide_limit(quotient, limit, n, domains[0], self.task, self.deadline)

    def _statistical(self, form: Statistical) -> Evidence:
        rng = np.random.default_rng(self.task.seed)
        p_value = float(form.test(rng, form.size))
        stated = f"{form.size} draws, two-sided error {form.error:g}"
        if p_value < form.error:
            return Evidence(
                Verdict.REFUTED,
                method="statistical",
                trusted=("a two-sided test",),
                counterexample=Counterexample((), note=f"p = {p_value:.3g} with {stated}"),
            )
        return Evidence(
            Verdict.SUPPORTED,
            method="statistical",
            margin=f"p = {p_value:.3g} with {stated}",
            reason="a random procedure is never proved by drawing from it",
        )


def refuse_bounded(task: Task) -> None:
    """Refuse a statement about all large values of an index that has none; others pass.

    Raises
    ------
    DomainError
        When the index is bounded, or a constant of the statement moves with it.
    """
    form = task.form
    if isinstance(form, Eventually):
        Forms(task)._refuse_bounded(form.index, threshold=form.threshold)
    elif isinstance(form, Order):
        Forms(task)._refuse_bounded(
            form.index,
            form.constant,
            form.limit,
            threshold=form.threshold,
            each=form.limit is not None,
        )


def _lasting(relation: Relation, n: Symbol) -> bool:
    """Whether a relation is shown to hold for all large values of a symbol."""
    limit = limit_at(difference_of(relation), n, sympy.oo)
    if limit is None or relation.op == "==":
        return False
    up = limit == sympy.oo or bool(limit.is_positive)
    down = limit == -sympy.oo or bool(limit.is_negative)
    return {"!=": up or down, ">": up, ">=": up, "<": down, "<=": down}[relation.op]


def _negated(tree: Tree) -> Tree | None:
    if isinstance(tree, Relation):
        return tree.negated()
    if isinstance(tree, Every):
        return None
    parts = [_negated(part) for part in tree.parts]
    if any(part is None for part in parts):
        return None
    kept = tuple(part for part in parts if part is not None)
    return Either(kept) if isinstance(tree, Both) else Both(kept)


def _decide_limit(
    f: Expr, limit: Expr, n: Symbol, domain: Domain, task: Task, deadline: Deadline
) -> Evidence:
    """Decide ``f -> limit`` as n grows, by rules whose limits are certain."""
    point = Sampler(domain, task.seed).some()
    if point is None:
        return Evidence(Verdict.UNDECIDED, reason="no point of the domain was found")
    sample = tuple((v.name, short(point[v])) for v in domain.variables)
    clean, changes = plain_domain(domain)
    prover = Prover(RUNGS, deadline, task.seed, task.by)
    try:
        needed = [o for side in (f, limit) for o in obligations(side)]
    except NotUnderstood as why:
        return Evidence(Verdict.UNDECIDED, reason=str(why))
    for obligation in needed:
        relation = in_symbols(obligation.relation, changes)
        if prover.solve(difference_of(relation), relation.op, clean) is None:
            return Evidence(
                Verdict.UNDECIDED,
                reason=f"not shown to be defined: {obligation.why}, {obligation.relation}",
                sample=sample,
            )
    goal = renamed(Goal(evaluated(f, changes) - evaluated(limit, changes), "==", clean))
    names = {v.name: v for v in goal.domain.variables}
    signed = {v: names.get(v.name, v) for v in clean.variables}
    outcome, found = tends_to(
        evaluated(f, {**changes, **{old: signed[new] for old, new in changes.items()}}),
        evaluated(limit, {**changes, **{old: signed[new] for old, new in changes.items()}}),
        signed[changes[n]],
        goal.domain,
        prover.positive_on(goal.domain),
    )
    if outcome == "proved":
        return Evidence(
            Verdict.PROVED,
            method="calculus",
            trusted=(ALGEBRA, "limits of rational functions", "1 - 1/u <= log(u) <= u - 1"),
            steps=(found,),
            sample=sample,
        )
    if outcome == "refuted":
        return Evidence(
            Verdict.REFUTED,
            method="limit",
            trusted=(ALGEBRA,),
            counterexample=Counterexample((), note=found),
            sample=sample,
        )
    if outcome == "different":
        for trial in Sampler(domain, task.seed).simple(10):
            exact = {signed[changes[v]]: x for v, x in trial.items()}
            value = sympify(found, locals={v.name: v for v in exact})
            if (
                compare_at(
                    value, "!=", evaluated(limit, {o: signed[w] for o, w in changes.items()}), exact
                )
                is True
            ):
                where = tuple((v.name, short(x)) for v, x in trial.items() if v != n)
                return Evidence(
                    Verdict.REFUTED,
                    method="limit",
                    trusted=(ALGEBRA, "Arb"),
                    counterexample=Counterexample(where, note=f"the limit is {found}"),
                    sample=sample,
                )
    return Evidence(Verdict.UNDECIDED, reason=found, sample=sample)
