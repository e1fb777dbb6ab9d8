"""Induction over an integer index: equalities, inequalities, recurrences, sums with a moving body."""

from __future__ import annotations

from collections.abc import Callable

import sympy
from sympy import Add, Dummy, Expr, Mul, Pow, S, Sum, Symbol

from dpbook.engine.domain import Bounds, Domain
from dpbook.engine.methods.calculus import defined_on, differentiable
from dpbook.engine.methods.identity import is_zero, prepare
from dpbook.engine.methods.prover import ALGEBRA, Goal, Proof, Prover, joined

INDUCTION = "induction"


def _indices(goal: Goal) -> list[Symbol]:
    return [
        v
        for v in goal.domain.variables
        if goal.domain.bounds[v].integer
        and goal.domain.bounds[v].lower is not None
        and goal.domain.bounds[v].lower.is_Integer  # type: ignore[union-attr]
        and v in goal.expr.free_symbols
    ]


def _from_next(domain: Domain, n: Symbol) -> Domain | None:
    """The domain of the step: n and n + 1 both lie in it; None when a condition on n may break.

    A condition on n that holds at n + 1 must hold at n, or the chain would leave the domain; so
    only the lower end of n and conditions free of n, or upper ends of n, are kept.
    """
    for relation in domain.conditions:
        if n not in relation.free_symbols:
            continue
        if relation.lhs == n and relation.op in ("<", "<=") and n not in relation.rhs.free_symbols:
            continue
        return None
    for v in domain.variables:
        bounds = domain.bounds[v]
        if v != n and any(
            e is not None and n in e.free_symbols for e in (bounds.lower, bounds.upper)
        ):
            return None
    return domain


def equality(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Prove ``e == 0`` from its base and from ``e(n + 1) - c e(n) == 0`` for a suitable c."""
    if goal.op != "==":
        return None
    for n in _indices(goal):
        if _from_next(goal.domain, n) is None:
            continue
        lower = goal.domain.bounds[n].lower
        base_domain = _fixed(goal.domain, n, lower)
        base = _unrolled(goal.expr.subs(n, lower))
        if not is_zero(base, prover.positive_on(base_domain)):
            continue
        if _step_is_zero(goal.expr, n, prover, goal.domain):
            return Proof(
                INDUCTION,
                frozenset({ALGEBRA, INDUCTION}),
                (f"base {n} = {lower}; the step from {n} to {n} + 1 by the normal form",),
            )
    return None


def _fixed(domain: Domain, n: Symbol, value: Expr) -> Domain:
    def put(e: Expr) -> Expr:
        return e.subs(n, value)

    return Domain(
        tuple(v for v in domain.variables if v != n),
        {
            v: Bounds(
                None if b.lower is None else put(b.lower),
                b.lower_open,
                None if b.upper is None else put(b.upper),
                b.upper_open,
                b.integer,
            )
            for v, b in domain.bounds.items()
            if v != n
        },
        tuple(c.map(put) for c in domain.conditions if n not in c.free_symbols),
    )


def _unrolled(e: Expr) -> Expr:
    """Write out sums and products with a number of terms that is now a small number."""
    if isinstance(e, (Sum, sympy.Product)) and len(e.limits) == 1:
        index, a, b = e.limits[0]
        length = sympy.expand(b - a)
        if length.is_Integer and -1 <= length <= 60:
            body = _unrolled(e.function)
            terms = [body.subs(index, a + i) for i in range(int(length) + 1)]
            return Add(*terms) if isinstance(e, Sum) else Mul(*terms)
    if not e.args:
        return e
    return e.func(*[_unrolled(a) if isinstance(a, Expr) else a for a in e.args])


def _stepped(e: Expr, n: Symbol) -> Expr:
    """E at n + 1, with sums whose body does not move split at their last term."""
    if isinstance(e, (Sum, sympy.Product)) and len(e.limits) == 1:
        index, a, b = e.limits[0]
        growth = sympy.expand(b.subs(n, n + 1) - b)
        if (
            n not in e.function.free_symbols
            and n not in a.free_symbols
            and growth.is_Integer
            and 0 <= growth <= 4
        ):
            more = [e.function.subs(index, b + i) for i in range(1, int(growth) + 1)]
            return Add(e, *more) if isinstance(e, Sum) else Mul(e, *more)
        return e.subs(n, n + 1)
    if not e.args:
        return n + 1 if e == n else e
    if not all(isinstance(a, Expr) for a in e.args):  # several limits, cases: no split
        return e.subs(n, n + 1)
    return e.func(*[_stepped(a, n) for a in e.args])


def _step_is_zero(e: Expr, n: Symbol, prover: Prover, domain: Domain) -> bool:
    """e(n + 1) - c e(n) = 0, where c is chosen so that the remaining sum cancels."""
    following = _stepped(e, n)
    positive = prover.positive_on(domain)
    parts = sorted(e.atoms(Sum, sympy.Product), key=str)
    if not parts:
        return is_zero(following - e, positive)
    # solve the hypothesis e(n) = 0 for one sum and put it into e(n + 1)
    for part in parts:
        if part not in following.atoms(Sum, sympy.Product):
            continue
        place = Dummy("S")
        linear = sympy.expand(e.xreplace({part: place}))
        slope = sympy.diff(linear, place)
        if place in slope.free_symbols or slope == 0:
            continue
        # premise: the hypothesis has one solution for that sum, so its factor is nowhere 0
        if prover.prove(slope, "!=", domain, 1) is None:
            continue
        solution = -(linear - slope * place) / slope
        if is_zero(following.xreplace({part: solution}), positive):
            return True
    return is_zero(following - e, positive)


def inequality(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Prove ``d >= 0`` from its base and from ``d(n + 1) - c d(n) >= 0`` with some c >= 0.

    For ``d > 0`` either c > 0, or that difference is positive itself.
    """
    if goal.op not in (">=", ">"):
        return None
    for n in _indices(goal):
        if _from_next(goal.domain, n) is None:
            continue
        lower = goal.domain.bounds[n].lower
        base_domain = _fixed(goal.domain, n, lower)
        base = prover.prove(_unrolled(goal.expr.subs(n, lower)), goal.op, base_domain, depth - 1)
        if base is None:
            continue
        following = _stepped(goal.expr, n)
        for c in _ratios(goal.expr, n, prover, goal.domain):
            step = _simplified(following - c * goal.expr)
            op = ">=" if goal.op == ">=" or prover.signs(goal.domain).positive(c) else ">"
            proof = prover.prove(step, op, goal.domain, depth - 1)
            if proof is not None:
                return joined(
                    INDUCTION,
                    f"base {n} = {lower}; step d({n}+1) - ({c}) d({n}) {op} 0",
                    [base, proof],
                    {INDUCTION},
                )
    return None


def _simplified(e: Expr) -> Expr:
    expanded = sympy.expand(e, power_exp=True, power_base=False, log=False)
    factored = sympy.factor_terms(expanded)
    return min((e, expanded, factored), key=sympy.count_ops)


def _ratios(e: Expr, n: Symbol, prover: Prover, domain: Domain) -> list[Expr]:
    """Candidates for c: 1, and the bases of powers with exponent n; defined, and not negative."""
    found: list[Expr] = [S.One]
    candidates: list[Expr] = []
    for power in sorted(e.atoms(Pow), key=sympy.default_sort_key):
        if n in power.exp.free_symbols and n not in power.base.free_symbols:
            slope = sympy.diff(sympy.expand(power.exp), n)
            if slope.is_Integer:
                candidates.append(power.base**slope)
    for power in sorted(e.atoms(sympy.exp), key=sympy.default_sort_key):
        slope = sympy.diff(power.args[0], n)
        if slope != 0 and n not in slope.free_symbols:
            candidates.append(sympy.exp(slope))
    signs = prover.signs(domain)
    found += [c for c in candidates if signs.defined(c) and signs.nonnegative(c)]
    return list(dict.fromkeys(found))[:4]


def ratio(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """A - B >= 0 for positive A, B with Gamma functions or powers: A(n+1)/A(n) >= B(n+1)/B(n)."""
    if goal.op not in (">=", ">") or not isinstance(goal.expr, Add) or len(goal.expr.args) != 2:
        return None
    plus = [t for t in goal.expr.args if not t.could_extract_minus_sign()]
    if len(plus) != 1:
        return None
    a = plus[0]
    b = a - goal.expr
    signs = prover.signs(goal.domain)
    if not (signs.positive(a) and signs.positive(b)):
        return None
    for n in _indices(goal):
        if _from_next(goal.domain, n) is None:
            continue
        lower = goal.domain.bounds[n].lower
        base_domain = _fixed(goal.domain, n, lower)
        base = prover.prove(goal.expr.subs(n, lower), goal.op, base_domain, depth - 1)
        if base is None:
            continue
        first = sympy.combsimp(sympy.gammasimp(prepare(a.subs(n, n + 1) / a)))
        second = sympy.combsimp(sympy.gammasimp(prepare(b.subs(n, n + 1) / b)))
        if not is_zero(first * a - a.subs(n, n + 1), signs.positive):
            continue
        if not is_zero(second * b - b.subs(n, n + 1), signs.positive):
            continue
        # premise: the ratios are numbers wherever the terms are, whatever form they were brought to
        if not (
            defined_on(prover, first, goal.domain, min(depth - 1, 2))
            and defined_on(prover, second, goal.domain, min(depth - 1, 2))
        ):
            continue
        step = prover.prove(sympy.together(first - second), ">=", goal.domain, depth - 1)
        if step is not None:
            return joined(
                INDUCTION,
                f"base {n} = {lower}; the ratios of both sides compare",
                [base, step],
                {INDUCTION},
            )
    return None


def derivative_zero(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Prove ``e == 0`` from a derivative that is 0 and one value that is 0."""
    if goal.op != "==":
        return None
    for v in goal.domain.variables:
        if v not in goal.expr.free_symbols or goal.domain.bounds[v].integer:
            continue
        if not differentiable(goal.expr, v):
            continue
        if not prover.zero(sympy.diff(goal.expr, v), goal.domain):
            continue
        # the domain must be an interval in v, and hold the point
        if any(v in r.free_symbols for r in goal.domain.conditions):
            continue
        if any(
            w != v and any(e is not None and v in e.free_symbols for e in (b.lower, b.upper))
            for w, b in goal.domain.bounds.items()
        ):
            continue
        bounds = goal.domain.bounds[v]
        for c in (S.One, S.Zero, S.Half, sympy.Integer(2)):
            inside = all(
                prover.prove(r.lhs.subs(v, c) - r.rhs, r.op, goal.domain, 0) is not None
                for r in bounds.relations(v)
            )
            value = goal.expr.subs(v, c)
            if inside and not value.has(sympy.nan, sympy.zoo) and prover.zero(value, goal.domain):
                return Proof(
                    "calculus",
                    frozenset({ALGEBRA, "calculus"}),
                    (f"the derivative in {v} is 0, and so is the value at {v} = {c}",),
                )
    return None


def zeilberger(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Sums over k of a hypergeometric F(n, k): a WZ certificate, checked exactly.

    The goal is ``sum_k F(n, k) == r(n)``; with f = F / r the certificate R satisfies
    ``f(n+1, k) - f(n, k) = G(n, k+1) - G(n, k)`` with ``G = R f``. The boundary terms are added
    by hand, so that no pole of R is met.
    """
    if goal.op != "==":
        return None
    parts = sorted(goal.expr.atoms(Sum), key=str)
    if len(parts) != 1 or len(parts[0].limits) != 1:
        return None
    part = parts[0]
    k, a, b = part.limits[0]
    place = Dummy("S")
    linear = sympy.expand(goal.expr.xreplace({part: place}))
    slope = sympy.diff(linear, place)
    if place in slope.free_symbols or slope == 0:
        return None
    right = sympy.powsimp(-(linear - slope * place) / slope)
    for n in _indices(goal):
        if n not in part.function.free_symbols or n in a.free_symbols:
            continue
        if sympy.expand(b - n).free_symbols or _from_next(goal.domain, n) is None:
            continue
        # premises: the goal says what the sum is only where the sum's factor is not 0
        if any(prover.prove(e, "!=", goal.domain, 1) is None for e in (slope, right)):
            continue
        if not defined_on(prover, right, goal.domain, 1):
            continue
        lower = goal.domain.bounds[n].lower
        base_domain = _fixed(goal.domain, n, lower)
        if not is_zero(_unrolled(goal.expr.subs(n, lower)), prover.positive_on(base_domain)):
            continue
        if _certified(part.function, right, n, k, a, b, prover, goal.domain):
            return Proof(
                INDUCTION,
                frozenset({ALGEBRA, INDUCTION}),
                (f"base {n} = {lower}; the step by a WZ certificate, checked exactly",),
            )
    return None


def _certified(
    body: Expr, right: Expr, n: Symbol, k: Symbol, a: Expr, b: Expr, prover: Prover, domain: Domain
) -> bool:
    f = body / right
    positive = prover.positive_on(domain)

    def quotient(shifted: Expr) -> Expr | None:
        q = sympy.gammasimp(prepare(shifted / f))
        q = sympy.combsimp(sympy.powsimp(q, force=False))
        q = sympy.cancel(sympy.powsimp(sympy.expand_power_exp(q)))
        return q if q.is_rational_function(k, n) else None

    up_n, up_k = quotient(f.subs(n, n + 1)), quotient(f.subs(k, k + 1))
    if up_n is None or up_k is None:
        return False
    target = sympy.cancel(up_n - 1)
    numerator, denominator = sympy.fraction(sympy.together(target))
    for degree in range(4):
        unknowns = sympy.symbols(f"c0:{degree + 1}", cls=Dummy)
        ansatz = Add(*[c * k**i for i, c in enumerate(unknowns)])
        for below in (denominator, sympy.S.One):
            R = ansatz / below
            equation = sympy.together(R.subs(k, k + 1) * up_k - R - target)
            try:
                poly = sympy.Poly(sympy.fraction(equation)[0], k)
                solutions = sympy.solve(poly.all_coeffs(), unknowns, dict=True)
            except (sympy.PolynomialError, NotImplementedError):
                continue
            for solution in solutions:
                found = R.subs(solution).subs(dict.fromkeys(unknowns, 0))
                if _steps(f, found, n, k, a, b, positive):
                    return True
    return False


def _steps(
    f: Expr, R: Expr, n: Symbol, k: Symbol, a: Expr, b: Expr, positive: Callable[[Expr], bool]
) -> bool:
    """Whether sum f(n+1, .) - sum f(n, .) is exactly 0, telescoping on [a, b - u]."""
    R = sympy.cancel(R)
    G = R * f
    telescopes = f.subs(n, n + 1) - f - (G.subs(k, k + 1) - G)
    if not is_zero(telescopes, positive):
        return False
    poles = sympy.fraction(sympy.together(R))[1]
    growth = int(sympy.expand(b.subs(n, n + 1) - b))
    for u in (0, 1, 2):
        top = b - u  # sum the telescoping part for k from a to top
        ends = [G.subs(k, top + 1), G.subs(k, a)]
        if any(poles.subs(k, end) == 0 for end in (a, top + 1)):
            continue
        if not _no_pole(poles, k, n, a, top + 1):
            continue
        rest = Add(*[f.subs(n, n + 1).subs(k, b + i) for i in range(1, growth + 1)])
        for i in range(u):
            rest += (f.subs(n, n + 1) - f).subs(k, b - i)
        if is_zero(ends[0] - ends[1] + rest, positive):
            return True
    return False


def _no_pole(poles: Expr, k: Symbol, n: Symbol, low: Expr, high: Expr) -> bool:
    """Whether no linear factor of the certificate's denominator vanishes for low <= k <= high."""
    if k not in poles.free_symbols:
        return True
    for factor, _ in sympy.factor_list(poles)[1]:
        if k not in factor.free_symbols:
            continue
        poly = sympy.Poly(factor, k)
        if poly.degree() != 1:
            return False
        root = sympy.expand(-poly.nth(0) / poly.nth(1))
        below, above = sympy.expand(root - low), sympy.expand(root - high)
        if not (
            below.is_negative or above.is_positive or (root.is_Rational and not root.is_integer)
        ):
            return False
    return True
