"""Rungs of algebra: identities, corners of a domain, factors, fractions, cases, Z3."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow, S, Symbol, exp

from dpbook.engine.compile import compare_at
from dpbook.engine.domain import Domain
from dpbook.engine.methods import smt
from dpbook.engine.methods.identity import Normaliser
from dpbook.engine.methods.prover import ALGEBRA, Goal, Proof, Prover, hypotheses, joined
from dpbook.engine.statement import Relation


def identity(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Prove ``e == 0`` (and so ``e >= 0``) by the normal form."""
    if goal.op not in ("==", ">="):
        return None
    if prover.zero(goal.expr, goal.domain):
        return Proof("identity", frozenset({ALGEBRA}), (f"{goal.expr} = 0 by its normal form",))
    return None


def different(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Prove ``e != 0`` by a sign."""
    if goal.op != "!=":
        return None
    for expr in (goal.expr, -goal.expr):
        proof = prover.prove(expr, ">", goal.domain, depth)
        if proof is not None:
            return proof
    factored = _factored(goal.expr)
    if isinstance(factored, Mul):
        proofs = []
        for factor in factored.args:
            proof = prover.prove(factor, "!=", goal.domain, depth - 1)
            if proof is None:
                return None
            proofs.append(proof)
        return joined("factors", f"no factor of {goal.expr} is zero", proofs)
    return None


def from_facts(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """The goal is a sum of inequalities that are known, or a positive multiple of one."""
    if goal.op not in (">=", ">"):
        return None
    size = sympy.count_ops(goal.expr)
    known = [_gap(r) for r in goal.domain.conditions if r.op in ("<", "<=", ">", ">=")]
    known = [(gap, strict) for gap, strict in known if sympy.count_ops(gap) >= 8]
    facts = [_gap(r) for r in goal.domain.facts if r.op in ("<", "<=", ">", ">=")]
    equal = [r.lhs - r.rhs for r in goal.domain.facts if r.op == "=="]
    if size < 8 or not (known or facts or equal):
        return None
    signs = prover.signs(Domain(goal.domain.variables, goal.domain.bounds, ()))
    either = [(sign * gap, False) for gap in equal[-2:] for sign in (1, -1)]
    every = (known + facts)[-8:] + either
    found = _sum_of(goal, goal.expr, every, signs)
    if found is None and facts and size < 300:  # products may stand apart, or multiplied out
        opened = [(sympy.expand(gap), strict) for gap, strict in every]
        found = _sum_of(goal, sympy.expand(goal.expr), opened, signs)
    if found is not None:
        return found
    # a written proof often ends in the sum of its steps, or in a multiple of the last one
    if 2 <= len(facts) <= 6 and goal.op == ">=":
        rest = goal.expr - Add(*[gap for gap, _ in facts])
        if sympy.count_ops(rest) < 800 and prover.zero(rest, goal.domain):
            return _known(f"the {len(facts)} steps before add up to {goal.expr}")
    for gap, strict in facts[:4] if size < 600 else ():
        if strict or goal.op == ">=":
            share = Normaliser(prover.positive_on(goal.domain)).quotient(goal.expr, gap, 300)
            here = prover.signs(goal.domain)
            # premises: the share is a number everywhere, and positive
            if share is not None and here.defined(share) and here.positive(share):
                return _known(f"{goal.expr} is a positive multiple of a step before")
    return None


def _sum_of(goal: Goal, expr: Expr, every: Sequence[tuple[Expr, bool]], signs: Any) -> Proof | None:
    """Whether up to four known inequalities leave a rest of known sign."""
    size = sympy.count_ops(expr)
    for count in range(1, min(4, len(every)) + 1):
        for chosen in combinations(every, count):
            rest = expr - Add(*[gap for gap, _ in chosen])
            if sympy.count_ops(rest) > size:
                continue  # nothing cancels: these do not belong to the goal
            strict = any(s for _, s in chosen)
            r = signs.range(rest)
            if r.positive or (r.nonnegative and (goal.op == ">=" or strict)):
                return _known(f"{count} known inequalities add up to {goal.expr}")
    return None


def _gap(relation: Relation) -> tuple[Expr, bool]:
    """Write an inequality as ``gap >= 0``, or ``gap > 0`` when it is strict."""
    gap = relation.lhs - relation.rhs
    return (-gap if relation.op in ("<", "<=") else gap), relation.op in ("<", ">")


def _known(line: str) -> Proof:
    return Proof("identity", frozenset({ALGEBRA}), (line,))


def modular(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """A polynomial with integer coefficients has no root among the residues of a small modulus."""
    if goal.op != "!=" or goal.domain.conditions:
        return None
    symbols, bounds = sorted(goal.expr.free_symbols, key=str), goal.domain.bounds
    # a symbol of a step of another proof has no bounds: it stands for any number
    if not 0 < len(symbols) <= 3 or not all(v in bounds and bounds[v].integer for v in symbols):
        return None
    try:
        poly = sympy.Poly(goal.expr, *symbols)
    except sympy.PolynomialError:
        return None
    if not all(c.is_Rational for c in poly.coeffs()):
        return None
    poly = poly.clear_denoms(convert=True)[1]
    for modulus in (2, 3, 4, 5, 7, 8, 9, 11, 13, 16):
        if modulus ** len(symbols) > 3000:
            break
        residues = product(range(modulus), repeat=len(symbols))
        if all(sum(int(c) * _monomial(r, k) for k, c in poly.terms()) % modulus for r in residues):
            return Proof(
                "enumeration",
                frozenset({"exact arithmetic"}),
                (f"{goal.expr} is never 0 modulo {modulus}",),
            )
    return None


def _monomial(values: tuple[int, ...], powers: tuple[int, ...]) -> int:
    result = 1
    for value, power in zip(values, powers, strict=True):
        result *= value**power
    return result


# --- corners --------------------------------------------------------------------------------


def corner(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Substitute the corner form of the domain; all coefficients must have one sign."""
    if goal.op not in (">=", ">") or not goal.expr.is_rational_function(*goal.expr.free_symbols):
        return None
    if too_high(goal.expr):
        return None
    numerator, denominator = sympy.fraction(sympy.together(goal.expr))
    signs = prover.signs(goal.domain)
    if not signs.positive(denominator):
        if not signs.positive(-denominator):
            return None
        numerator = -numerator
    for substitution, positives, closed in _corners(goal.domain):
        # a closed upper end is the limit t -> oo: >= survives there by continuity, > need not
        if closed and goal.op == ">":
            continue
        shown = _one_sign(numerator, substitution, positives, goal.op == ">")
        if shown:
            moved = ", ".join(f"{v} = {e}" for v, e in substitution.items())
            return Proof(
                "corner",
                frozenset({ALGEBRA}),
                (f"{goal.expr}: with {moved} every coefficient is positive",),
            )
    return None


def _one_sign(
    numerator: Expr, substitution: dict[Symbol, Expr], positives: dict[Symbol, bool], strict: bool
) -> bool:
    expr = numerator
    for v, e in substitution.items():
        expr = expr.xreplace({v: e})
    top, below = sympy.fraction(sympy.together(expr))
    if not below.is_Rational:
        under = sympy.Poly(below, *sorted(below.free_symbols, key=str))
        known = set(under.gens) <= set(positives)
        if not known or not all(c.is_Rational and c > 0 for c in under.coeffs()):
            return False
    elif below < 0:
        return False
    generators = sorted(top.free_symbols, key=str)
    if not generators:
        return positive_number(top) if strict else nonnegative_number(top)
    try:
        poly = sympy.Poly(top, *generators)
    except sympy.PolynomialError:
        return False
    if len(poly.terms()) > 3000:
        return False
    some_positive = False
    for powers, coefficient in poly.terms():
        if not coefficient.is_Rational or coefficient < 0:
            return False
        positive = True
        for g, k in zip(generators, powers, strict=True):
            if g in positives:
                positive &= k == 0 or positives[g]
            elif k % 2:
                return False
            else:
                positive &= k == 0
        some_positive |= positive and coefficient > 0
    return some_positive or not strict


def positive_number(value: Expr) -> bool:
    """Whether a number is certainly positive: SymPy's own answer may be wrong very close to 0."""
    return compare_at(value, ">", S.Zero, {}) is True


def nonnegative_number(value: Expr) -> bool:
    """Whether a number is certainly not negative."""
    value = sympy.expand(value)
    return bool(value >= 0) if value.is_Rational else positive_number(value)


def _corners(domain: Domain) -> list[tuple[dict[Symbol, Expr], dict[Symbol, bool], bool]]:
    """Ways to write the variables through nonnegative ones; the booleans mark strictly positive."""
    per_variable = []
    for v in domain.variables:
        options: list[tuple[Expr | None, bool, Expr | None, bool]] = []
        bounds = domain.bounds[v]
        lowers: list[tuple[Expr, bool]] = []
        uppers: list[tuple[Expr, bool]] = []
        if bounds.lower is not None:
            lowers.append((bounds.lower, bounds.lower_open))
        if bounds.upper is not None:
            uppers.append((bounds.upper, bounds.upper_open))
        for relation in domain.conditions:
            solved = _solved_for(relation, v)
            if solved is not None:
                op, edge = solved
                (lowers if op in (">", ">=") else uppers).append((edge, op in (">", "<")))
        for low, low_open in lowers[-3:]:
            options.append((low, low_open, None, False))
            for high, high_open in uppers[-2:]:
                options.append((low, low_open, high, high_open))
        for high, high_open in uppers[-2:]:
            options.append((None, False, high, high_open))
        if not options:
            options.append((None, False, None, False))
        per_variable.append((v, options[:5]))
    total = 1
    for _, options in per_variable:
        total *= len(options)
    if total > 64:
        per_variable = [(v, options[:2]) for v, options in per_variable]
    found = []
    for combination in product(*(options for _, options in per_variable)):
        made = _parametrised([v for v, _ in per_variable], combination, domain)
        if made is not None:
            found.append(made)
        if len(found) >= 12:
            break
    return found


def _parametrised(
    variables: list[Symbol],
    combination: tuple[tuple[Expr | None, bool, Expr | None, bool], ...],
    domain: Domain,
) -> tuple[dict[Symbol, Expr], dict[Symbol, bool], bool] | None:
    uses = {
        v: (set() if low is None else low.free_symbols)
        | (set() if high is None else high.free_symbols)
        for v, (low, _, high, _) in zip(variables, combination, strict=True)
    }
    order: list[Symbol] = []
    remaining = list(variables)
    while remaining:  # a variable is replaced before those that its ends mention
        ready = [v for v in remaining if not any(v in uses[w] for w in remaining if w != v)]
        if not ready or ready[0] in uses[ready[0]]:
            return None
        order.append(ready[0])
        remaining.remove(ready[0])
    substitution: dict[Symbol, Expr] = {}
    positives: dict[Symbol, bool] = {}
    by_variable = dict(zip(variables, combination, strict=True))
    closed_end = False
    for v in order:
        low, low_open, high, high_open = by_variable[v]
        if low is None and high is None:
            continue
        t = Dummy(f"t_{v.name}")
        if low is not None and high is not None:
            # v = (low + high t) / (1 + t) covers [low, high), and t > 0 where the low end is open
            substitution[v] = (low + high * t) / (1 + t)
            positives[t] = low_open
            closed_end |= not high_open
        elif low is not None:
            substitution[v] = low + t
            positives[t] = low_open
        else:
            assert high is not None
            substitution[v] = high - t
            positives[t] = high_open
    return substitution, positives, closed_end


def _solved_for(relation: Relation, v: Symbol) -> tuple[str, Expr] | None:
    """Write a relation that is linear in v with a rational coefficient as ``v op edge``."""
    if relation.op in ("==", "!=") or v not in relation.free_symbols:
        return None
    difference = sympy.expand(relation.lhs - relation.rhs)
    slope = sympy.diff(difference, v)
    if not slope.is_Rational or slope == 0:
        return None
    edge = sympy.expand(-(difference - slope * v) / slope)
    if v in edge.free_symbols or not edge.is_rational_function(*edge.free_symbols):
        return None
    op = relation.op
    if slope < 0:
        op = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}[op]
    return op, edge


# --- factors and fractions ---------------------------------------------------------------------


def too_high(e: Expr) -> bool:
    """Whether a power of a sum is too high to be multiplied out."""
    return any(
        p.exp.is_Integer and abs(p.exp) > 24 and not isinstance(p.base, Symbol)
        for p in e.atoms(Pow)
    )


HIGHEST = 100  # degree of a polynomial that is factored: no alarm stops the library that does


def _of_high_degree(e: Expr) -> bool:
    """Whether a power of a symbol, or of e, has a high whole exponent."""
    powers = [p.exp for p in e.atoms(Pow)] + [x.args[0].as_coeff_Mul()[0] for x in e.atoms(exp)]
    return any(n.is_Integer and abs(n) > HIGHEST for n in powers)


def _factored(e: Expr) -> Expr:
    if isinstance(e, Mul):
        return e
    if too_high(e) or _of_high_degree(e) or sympy.count_ops(e) > 150:
        return sympy.factor_terms(e) if sympy.count_ops(e) < 400 else e
    try:
        if len(e.free_symbols) <= 6 and sympy.count_ops(e) < 150:
            return sympy.factor(e)
    except (sympy.PolynomialError, NotImplementedError, ValueError):
        pass
    return sympy.factor_terms(e)


def factors(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Strip factors of known sign."""
    if goal.op not in (">=", ">"):
        return None
    factored = _factored(goal.expr)
    if not isinstance(factored, Mul):
        return None
    signs = prover.signs(goal.domain)
    negative, rest = False, []
    for factor in factored.args:
        if signs.positive(factor):
            continue
        if signs.positive(-factor):
            negative = not negative
        elif goal.op == ">=" and signs.nonnegative(factor):
            continue
        elif goal.op == ">=" and signs.nonnegative(-factor):
            negative = not negative
        elif isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp < 0:
            odd = factor.exp % 2 == 1
            if odd:
                rest.append(factor.base)
        elif (
            isinstance(factor, Pow)
            and factor.exp.is_Integer
            and factor.exp % 2 == 0
            and goal.op == ">="
        ):
            continue
        elif isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp % 2 == 1:
            rest.append(factor.base)
            if goal.op == ">=":
                continue
        else:
            rest.append(factor)
    if not rest:
        if negative:
            return None
        return Proof(
            "factors", frozenset({ALGEBRA}), (f"{goal.expr}: by the signs of its factors",)
        )
    if len(rest) == 1:
        if rest[0] == goal.expr:
            return None
        inner = prover.prove(-rest[0] if negative else rest[0], goal.op, goal.domain, depth - 1)
        return (
            None
            if inner is None
            else inner.because(f"strip factors of known sign from {goal.expr}")
        )
    if len(rest) > 4:
        return None
    proofs = []
    for factor in rest:
        proof = prover.prove(factor, goal.op, goal.domain, depth - 1)
        if proof is None:
            proof = prover.prove(-factor, goal.op, goal.domain, depth - 1)
            if proof is None:
                return None
            negative = not negative
        proofs.append(proof)
    if negative:
        return None
    return joined("factors", f"{goal.expr}: the signs of its factors", proofs)


def fraction(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Multiply by a denominator of known sign."""
    if goal.op not in (">=", ">") or too_high(goal.expr):
        return None
    numerator, denominator = sympy.fraction(sympy.together(goal.expr))
    if denominator.is_Rational:
        return None
    for sign in (1, -1):
        proof = prover.prove(sign * denominator, ">", goal.domain, min(depth - 1, 1))
        if proof is None:
            continue
        top = sympy.expand(sign * numerator)
        inner = prover.prove(top, goal.op, goal.domain, depth - 1)
        if inner is None:
            return None
        return joined("fraction", f"multiply {goal.expr} by its denominator", [proof, inner])
    return None


def cases(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Split absolute values, maxima, minima, signs and piecewise expressions into cases."""
    for part in sorted(
        goal.expr.atoms(sympy.Abs, sympy.Max, sympy.Min, sympy.sign, sympy.Piecewise),
        key=sympy.default_sort_key,
    ):
        if not part.free_symbols <= set(goal.domain.variables):
            continue  # the index of a sum: its terms need not be in one case
        options: list[tuple[tuple[Relation, ...], Expr]]
        if isinstance(part, sympy.Abs):
            u = part.args[0]
            options = [((Relation(u, ">=", S.Zero),), u), ((Relation(u, "<", S.Zero),), -u)]
        elif isinstance(part, sympy.sign):
            u = part.args[0]
            options = [
                ((Relation(u, ">", S.Zero),), S.One),
                ((Relation(u, "<", S.Zero),), S.NegativeOne),
                ((Relation(u, "==", S.Zero),), S.Zero),
            ]
        elif isinstance(part, (sympy.Max, sympy.Min)):
            op = ">=" if isinstance(part, sympy.Max) else "<="
            options = [
                (tuple(Relation(a, op, b) for b in part.args if b != a), a) for a in part.args
            ]
        else:
            options = []
            before: tuple[Relation, ...] = ()
            for value, condition in part.args:
                if condition == True:  # noqa: E712  (a SymPy object)
                    options.append((before, value))
                    break
                relation = (
                    Relation(
                        condition.lhs, _OPERATORS.get(type(condition).__name__, "?"), condition.rhs
                    )
                    if getattr(condition, "is_Relational", False)
                    else None
                )
                if relation is None or relation.op == "?":
                    return None
                options.append(((*before, relation), value))
                before = (*before, relation.negated())
        proofs = []
        for conditions, value in options:
            domain = goal.domain.with_conditions(*conditions)
            if _empty(prover, domain):
                continue
            proof = prover.prove(goal.expr.xreplace({part: value}), goal.op, domain, depth)
            if proof is None:
                return None
            proofs.append(proof)
        return joined("cases", f"the cases of {part}", proofs)
    return None


_OPERATORS = {
    "Equality": "==",
    "Unequality": "!=",
    "StrictLessThan": "<",
    "LessThan": "<=",
    "StrictGreaterThan": ">",
    "GreaterThan": ">=",
}


def _empty(prover: Prover, domain: Domain) -> bool:
    for relation in domain.conditions:
        difference = relation.lhs - relation.rhs
        r = prover.signs(Domain(domain.variables, domain.bounds, ())).range(difference)
        if relation.op in (">", ">=") and (r.negative or (relation.op == ">" and r.nonpositive)):
            return True
        if relation.op in ("<", "<=") and (r.positive or (relation.op == "<" and r.nonnegative)):
            return True
    return False


# --- Z3 ---------------------------------------------------------------------------------------


def z3_polynomial(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Z3 on polynomial, rational and algebraic goals."""
    kinds = goal.expr.atoms(sympy.Function) - goal.expr.atoms(sympy.Abs, sympy.Max, sympy.Min)
    if kinds or any(not e.exp.is_Rational for e in goal.expr.atoms(Pow)):
        return None
    return _z3(prover, goal, 0.4 if prover.effort < 3 else 2.5, axioms=False)


def z3_axioms(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Z3 with transcendental terms as fresh reals that satisfy true axioms."""
    kinds = goal.expr.atoms(sympy.Function) - goal.expr.atoms(sympy.Abs, sympy.Max, sympy.Min)
    symbolic = any(not e.exp.is_Rational for e in goal.expr.atoms(Pow))
    conditions = any(
        side.atoms(sympy.Function) or any(not e.exp.is_Rational for e in side.atoms(Pow))
        for r in goal.domain.conditions
        for side in (r.lhs, r.rhs)
    )
    if not (kinds or symbolic or conditions):
        return None
    return _z3(
        prover, goal, 0.25 if prover.effort < 2 else 0.6 if prover.effort < 4 else 2.0, axioms=True
    )


def _z3(prover: Prover, goal: Goal, seconds: float, axioms: bool) -> Proof | None:
    integers = tuple(v for v in goal.domain.variables if goal.domain.bounds[v].integer)
    found = smt.prove(
        (goal.expr, goal.op),
        hypotheses(goal.domain),
        integers=integers,
        seconds=prover.deadline.part(seconds),
        axioms=axioms,
    )
    if found is None:
        return None
    trusted = {"Z3", *(f"axiom: {name}" for name in found.axioms)}
    line = f"{goal.expr} {goal.op} 0 by Z3"
    return Proof("z3", frozenset(trusted), (line,), {"smt": found.certificate})
