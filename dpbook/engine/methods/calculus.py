"""Rungs of calculus: monotone, convex and unimodal functions, tails, logarithms, boxes.

Each works in one variable with the others as parameters. Moving along a segment relaxes the
domain, so whatever has to be defined there is proved on the relaxed domain again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy
from flint import fmpq
from sympy import Add, Expr, Mul, Pow, Rational, S, Symbol, oo

from dpbook.engine.definedness import NotUnderstood, obligations
from dpbook.engine.domain import Bounds, Domain
from dpbook.engine.methods.algebra import nonnegative_number, positive_number, too_high
from dpbook.engine.methods.balls import decide_on_box
from dpbook.engine.methods.limits import limit_at, limit_beside
from dpbook.engine.methods.prover import Goal, Proof, Prover, joined
from dpbook.engine.statement import Relation, evaluated

CALCULUS = "calculus"


# --- segments ------------------------------------------------------------------------------------


def _free_of(domain: Domain, v: Symbol) -> tuple[Domain, list[Relation], list[Relation]]:
    """Split what is assumed of v into lower and upper ends that are plain; drop the rest."""
    bounds = domain.bounds[v]
    lowers, uppers = [], []
    if bounds.lower is not None:
        lowers.append(Relation(v, ">" if bounds.lower_open else ">=", bounds.lower))
    if bounds.upper is not None:
        uppers.append(Relation(v, "<" if bounds.upper_open else "<=", bounds.upper))
    others = []
    for relation in domain.conditions:
        if v not in relation.free_symbols:
            others.append(relation)
            continue
        solved = _isolated(relation, v)
        if solved is not None:
            (lowers if solved.op in (">", ">=") else uppers).append(solved)
    others_bounds = {}
    for w in domain.variables:
        b = domain.bounds[w]
        if w == v:
            others_bounds[w] = Bounds(integer=False)
            continue
        lower, upper = b.lower, b.upper
        if lower is not None and v in lower.free_symbols:
            if lower == v:
                uppers.append(Relation(v, "<" if b.lower_open else "<=", w))
            lower = None
        if upper is not None and v in upper.free_symbols:
            if upper == v:
                lowers.append(Relation(v, ">" if b.upper_open else ">=", w))
            upper = None
        others_bounds[w] = Bounds(
            lower,
            b.lower_open and lower is not None,
            upper,
            b.upper_open and upper is not None,
            b.integer,
        )
    return Domain(domain.variables, others_bounds, tuple(others)), lowers, uppers


def _isolated(relation: Relation, v: Symbol) -> Relation | None:
    if relation.op in ("==", "!="):
        return None
    if relation.lhs == v and v not in relation.rhs.free_symbols:
        return relation
    flip = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
    if relation.rhs == v and v not in relation.lhs.free_symbols:
        return Relation(v, flip[relation.op], relation.lhs)
    difference = sympy.expand(relation.lhs - relation.rhs)
    slope = sympy.diff(difference, v)
    if not slope.is_Rational or slope == 0:
        return None
    edge = sympy.expand(v - difference / slope)
    return Relation(v, relation.op if slope > 0 else flip[relation.op], edge)


def _opened(end: Relation) -> Relation:
    return Relation(end.lhs, {">=": ">", "<=": "<"}.get(end.op, end.op), end.rhs)


def _closed(end: Relation) -> Relation:
    return Relation(end.lhs, {">": ">=", "<": "<="}.get(end.op, end.op), end.rhs)


def defined_on(prover: Prover, expr: Expr, domain: Domain, depth: int) -> bool:
    """Whether an expression is proved to be a real number on a domain.

    It may be as written: what has to hold is read off first, and evaluated side by side.
    """
    try:
        needed = obligations(expr)
    except NotUnderstood:
        return False
    for obligation in needed:
        where = domain
        for symbol, bounds in obligation.variables:
            where = where.with_variable(symbol, bounds)
        where = where.with_conditions(*(c.map(evaluated) for c in obligation.conditions))
        relation = obligation.relation.map(evaluated)
        if prover.prove(relation.lhs - relation.rhs, relation.op, where, depth) is None:
            return False
    return True


def _defined_at(prover: Prover, e: Expr, v: Symbol, c: Expr, domain: Domain, depth: int) -> bool:
    """Whether an expression is proved to be a real number where v = c.

    What has to hold is read off before c is put in, for a value may hide it: 0/0, 0**0.
    """
    try:
        needed = obligations(e)
    except NotUnderstood:
        return False
    for one in needed:
        if one.variables or one.conditions:
            return False
        relation = one.relation.map(lambda side: side.subs(v, c))
        if prover.prove(relation.lhs - relation.rhs, relation.op, domain, depth) is None:
            return False
    return True


def _tidy(e: Expr) -> Expr:
    """A short form of a derivative."""
    if sympy.count_ops(e) > 300 or too_high(e):
        return e
    together = sympy.together(e)
    numerator, denominator = sympy.fraction(together)
    if denominator != 1:
        numerator = sympy.expand(numerator)
        candidate = numerator / denominator
        factored = sympy.factor_terms(candidate)
        return min((e, factored), key=sympy.count_ops)
    return min((e, sympy.expand(e), sympy.factor_terms(e)), key=sympy.count_ops)


def differentiable(e: Expr, v: Symbol) -> bool:
    """Whether an expression has no kink or jump in a variable where it is defined."""
    kinked = e.atoms(
        sympy.Abs, sympy.Max, sympy.Min, sympy.sign, sympy.floor, sympy.ceiling, sympy.Piecewise
    )
    return not any(v in part.free_symbols for part in kinked)


def _variables(goal: Goal) -> list[Symbol]:
    """Real variables to differentiate in, the most transcendental first."""
    e = goal.expr

    def weight(v: Symbol) -> tuple[int, str]:
        inside = sum(v in part.free_symbols for part in e.atoms(sympy.Function, Pow))
        return (-inside, v.name)

    free = [v for v in goal.domain.variables if v in e.free_symbols]
    return sorted(free, key=weight)


# --- monotone ------------------------------------------------------------------------------------


def monotone(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """d(end) >= 0 and the derivative has one sign on the segment from that end."""
    if goal.op not in (">=", ">"):
        return None
    for v in _variables(goal)[: 2 if depth < 3 else 4]:
        if not differentiable(goal.expr, v):
            continue
        derivative = _tidy(sympy.diff(goal.expr, v))
        if derivative.has(sympy.Derivative, sympy.Subs):
            continue
        base, lowers, uppers = _free_of(goal.domain, v)
        for ends, away, sign in ((lowers, uppers, 1), (uppers, lowers, -1)):
            for end in ends[-2:]:
                proof = _from_end(prover, goal, v, derivative * sign, end, base, ends, away, depth)
                if proof is not None:
                    return proof
        # an infinite end: d decreases to a limit that is not negative
        for ends, sign, far in ((uppers, -1, oo), (lowers, 1, -oo)):
            if ends:
                continue
            side = lowers if far == oo else uppers
            limit = limit_at(goal.expr, v, far)
            if limit is None or v in limit.free_symbols:
                continue
            domain = base.with_conditions(*side)
            slope = prover.prove(sign * derivative, ">=", domain, depth - 1)
            if slope is None:
                continue
            # the limit is a new expression: it must be a number for all values of the parameters
            if not defined_on(prover, limit, base, min(depth - 1, 2)):
                continue
            at_limit = prover.prove(limit, ">=" if goal.op == ">=" else ">", base, depth - 1)
            if at_limit is None and goal.op == ">":
                slope = prover.prove(sign * derivative, ">", domain, depth - 1)
                at_limit = prover.prove(limit, ">=", base, depth - 1)
            if slope is None or at_limit is None:
                continue
            if defined_on(prover, goal.expr, domain, depth - 1) and defined_on(
                prover, derivative, domain, depth - 1
            ):
                return joined(
                    "calculus",
                    f"{goal.expr} is monotone in {v} with limit {limit} at {far}",
                    [slope, at_limit],
                    {CALCULUS},
                )
    return None


def _from_end(
    prover: Prover,
    goal: Goal,
    v: Symbol,
    rising: Expr,
    end: Relation,
    base: Domain,
    ends: list[Relation],
    away: list[Relation],
    depth: int,
) -> Proof | None:
    edge = end.rhs
    if v in edge.free_symbols:
        return None
    op = end.op
    start = goal.expr.subs(v, edge)
    undefined = start.has(sympy.nan, sympy.zoo, oo, -oo, sympy.I)
    if undefined:
        # an end that is left out: the limit there takes the place of the value
        limit = limit_beside(goal.expr, v, edge, op == ">") if op in (">", "<") else None
        if limit is None:
            return None
        start = limit
    if undefined and not defined_on(prover, start, _at(goal.domain, v, edge, away), 1):
        return None
    closed = {">": ">=", "<": "<="}.get(op, op)
    segment = base.with_conditions(Relation(v, closed, edge), *away)
    inside = base.with_conditions(_opened(Relation(v, op, edge)), *map(_opened, away))
    # the ends of the domain that are not used still hold for the parameters, where v is free of them
    at_edge = _at(goal.domain, v, edge, away)
    begin = prover.prove(start, goal.op, at_edge, depth - 1)
    strict_slope = False
    if begin is None and goal.op == ">" and op in (">", "<"):
        begin = prover.prove(start, ">=", at_edge, depth - 1)
        strict_slope = True
    if begin is None:
        return None
    where = inside if undefined else segment
    if not defined_on(prover, goal.expr, where, min(depth - 1, 2)):
        return None
    slope = prover.prove(rising, ">" if strict_slope else ">=", inside, depth - 1)
    if slope is None or not defined_on(prover, rising, inside, min(depth - 1, 2)):
        return None
    return joined(
        "calculus",
        f"{str(goal.expr)[:120]} is monotone in {v}, and not negative at {v} = {edge}",
        [begin, slope],
        {CALCULUS},
    )


def _at(domain: Domain, v: Symbol, edge: Expr, away: list[Relation]) -> Domain:
    """What is known of the parameters when v is moved to an end of its range.

    Every lower end of v lies below every upper end wherever the domain has a point.
    """
    base, lowers, uppers = _free_of(domain, v)
    conditions = []
    for low in lowers:
        for high in uppers:
            strict = low.op == ">" or high.op == "<"
            conditions.append(Relation(high.rhs, ">" if strict else ">=", low.rhs))
    kept = Domain(
        tuple(w for w in base.variables if w != v),
        {w: b for w, b in base.bounds.items() if w != v},
        base.conditions,
    )
    return kept.with_conditions(*conditions)


# --- anchors ------------------------------------------------------------------------------------


def anchor(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """A point c where d and its derivative vanish, and d is convex in between (or turns there)."""
    if goal.op != ">=":
        return None
    for v in _variables(goal)[:3]:
        if not differentiable(goal.expr, v):
            continue
        derivative = sympy.diff(goal.expr, v)
        if derivative.has(sympy.Derivative, sympy.Subs):
            continue
        base, lowers, uppers = _free_of(goal.domain, v)
        segment = base.with_conditions(*lowers, *uppers)
        for c in _anchors(goal, v, derivative):
            if not prover.looks_zero(derivative, goal.domain, v, c):
                continue
            at_c = derivative.subs(v, c)
            value = goal.expr.subs(v, c)
            if at_c.has(sympy.nan, sympy.zoo, oo) or value.has(sympy.nan, sympy.zoo, oo):
                continue
            kept = _at(goal.domain, v, c, [])
            if not _defined_at(prover, derivative, v, c, kept, min(depth, 2) - 1):
                continue
            if not prover.zero(at_c, kept):
                continue
            # c must lie in the range of v, or the segment to it leaves the domain
            inside = all(
                prover.prove(
                    (c - end.rhs) if end.op in (">", ">=") else (end.rhs - c),
                    ">=" if end.op in (">=", "<=") else ">",
                    kept,
                    min(depth, 2) - 1,
                )
                is not None
                for end in (*lowers, *uppers)
            )
            if not inside:
                continue
            start = prover.prove(value, ">=", kept, depth - 1)
            if start is None or not defined_on(prover, goal.expr, segment, min(depth - 1, 2)):
                continue
            inner = base.with_conditions(*map(_opened, (*lowers, *uppers)))
            if not defined_on(prover, derivative, inner, min(depth - 1, 2)):
                continue
            second = _tidy(sympy.diff(derivative, v))
            convex = prover.prove(second, ">=", inner, depth - 1)
            if convex is not None and defined_on(prover, second, inner, min(depth - 1, 2)):
                return joined(
                    "calculus",
                    f"{str(goal.expr)[:120]} is convex in {v} with its minimum at {v} = {c}",
                    [start, convex],
                    {CALCULUS},
                )
            up = prover.prove(
                _tidy(derivative), ">=", inner.with_conditions(Relation(v, ">", c)), depth - 1
            )
            if up is None:
                continue
            down = prover.prove(
                -_tidy(derivative), ">=", inner.with_conditions(Relation(v, "<", c)), depth - 1
            )
            if down is not None:
                return joined(
                    "calculus",
                    f"{str(goal.expr)[:120]} falls to {v} = {c} and rises after it",
                    [start, down, up],
                    {CALCULUS},
                )
    return None


def _anchors(goal: Goal, v: Symbol, derivative: Expr) -> Iterator[Expr]:
    for w in goal.domain.variables:
        if w != v and w in goal.expr.free_symbols:
            yield w
    for c in (0, 1, Rational(1, 2), -1, 2):
        yield sympy.S(c)
    for w in goal.domain.variables:
        if w != v and w in goal.expr.free_symbols:
            yield from (1 - w, 1 / w, -w)
    numerator = sympy.fraction(sympy.together(derivative))[0]
    if numerator.is_polynomial(v) and not numerator.atoms(sympy.Function):
        try:
            poly = sympy.Poly(numerator, v)
            if poly.degree() == 1:
                a, b = poly.all_coeffs()
                yield sympy.cancel(-b / a)
            elif poly.degree() > 1 and not (numerator.free_symbols - {v}):
                yield from (r for r in sympy.roots(poly) if r.is_Rational)
        except (sympy.PolynomialError, ValueError):
            return


# --- concave and unimodal ------------------------------------------------------------------------


def concave(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Not negative at both ends of a bounded range, and concave in between.

    All is about one segment, for each value of the parameters: from the largest of the lower ends
    of v to the smallest of the upper ends. Which end is the largest one depends on the parameters,
    so the value at each end is proved wherever the other ends of its side do not lie further in.

    Premises, with d the goal and S the closed segment:
    d at each end op 0 where that end bounds S; d is defined on S; d'' is defined and <= 0 inside S.
    Conclusion: d op 0 on S, and the domain lies in S.
    """
    if goal.op not in (">=", ">"):
        return None
    for v in _variables(goal)[:2]:
        if not differentiable(goal.expr, v):
            continue
        base, lowers, uppers = _free_of(goal.domain, v)
        if not lowers or not uppers:
            continue
        kept = _at(goal.domain, v, S.Zero, [])
        proofs = _at_ends(prover, goal, v, lowers, uppers, kept, depth)
        if proofs is None:
            continue
        segment = base.with_conditions(*map(_closed, (*lowers, *uppers)))
        inside = base.with_conditions(*map(_opened, (*lowers, *uppers)))
        if not defined_on(prover, goal.expr, segment, min(depth - 1, 2)):
            continue
        second = _tidy(sympy.diff(goal.expr, v, 2))
        bent = prover.prove(-second, ">=", inside, depth - 1)
        if bent is not None and defined_on(prover, second, inside, min(depth - 1, 2)):
            return joined(
                "calculus",
                f"{str(goal.expr)[:120]} is concave in {v}, and not negative at both ends",
                [*proofs, bent],
                {CALCULUS},
            )
    return None


def _at_ends(
    prover: Prover,
    goal: Goal,
    v: Symbol,
    lowers: list[Relation],
    uppers: list[Relation],
    kept: Domain,
    depth: int,
) -> list[Proof] | None:
    """Prove the goal at each end of v, where no other end of that side lies further in."""
    proofs = []
    for ends, further in ((lowers, ">="), (uppers, "<=")):
        for end in dict.fromkeys(relation.rhs for relation in ends):
            value = goal.expr.subs(v, end)
            if value.has(sympy.nan, sympy.zoo, oo, sympy.I):
                return None
            others = dict.fromkeys(other.rhs for other in ends if other.rhs != end)
            here = kept.with_conditions(*(Relation(end, further, other) for other in others))
            proof = prover.prove(value, goal.op, here, depth - 1)
            if proof is None:
                return None
            proofs.append(proof)
    return proofs


# --- logarithms -------------------------------------------------------------------------------------


def unlog(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """A sum of rational multiples of logarithms becomes one polynomial inequality."""
    if goal.op not in (">=", ">") or not goal.expr.has(sympy.log):
        return None
    top, constant = S.One, S.Zero
    scale = 1
    terms = []
    for term in Add.make_args(sympy.expand_mul(goal.expr)):
        c, rest = term.as_coeff_Mul()
        if isinstance(rest, sympy.log) and c.is_Rational:
            terms.append((c, rest.args[0]))
            scale = sympy.ilcm(scale, c.q)
        elif not term.atoms(sympy.log):
            constant += term
        else:
            return None
    if not terms or any(abs(c * scale) > 12 for c, _ in terms):
        return None
    above, below = S.One, S.One
    for c, u in terms:
        power = c * scale
        numerator, denominator = sympy.fraction(sympy.together(u))
        if not prover.signs(goal.domain).positive(denominator):
            numerator, denominator = u, S.One
        if power > 0:
            above, below = above * numerator**power, below * denominator**power
        else:
            below, above = below * numerator**-power, above * denominator**-power
    factor = sympy.exp(scale * constant)
    top = above * factor - below
    proof = prover.prove(top, goal.op, goal.domain, depth - 1)
    return (
        None
        if proof is None
        else proof.because(f"take exponentials in {str(goal.expr)[:100]} {goal.op} 0")
    )


def compare_logs(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """A - B >= 0 with positive A and B, by their logarithms."""
    if goal.op not in (">=", ">") or not isinstance(goal.expr, Add):
        return None
    plus = [t for t in goal.expr.args if not t.could_extract_minus_sign()]
    minus = [-t for t in goal.expr.args if t.could_extract_minus_sign()]
    a, b = Add(*plus), Add(*minus)
    if not plus or not minus:
        return None
    if not (len(plus) == 1 or len(minus) == 1):
        return None
    if not any(
        e.has(sympy.exp, sympy.gamma, sympy.binomial, sympy.factorial, sympy.beta)
        or _symbolic_power(e)
        for e in (a, b)
    ):
        return None
    signs = prover.signs(goal.domain)
    if not (signs.positive(a) and signs.positive(b)):
        return None
    log_a, log_b = _log_of(a, signs.positive), _log_of(b, signs.positive)
    if log_a is None or log_b is None or log_a - log_b == goal.expr:
        return None
    difference = log_a - log_b
    proof = prover.prove(sympy.expand_mul(difference), goal.op, goal.domain, depth - 1)
    return (
        None
        if proof is None
        else proof.because(f"compare the logarithms of both sides of {str(goal.expr)[:100]}")
    )


def _symbolic_power(e: Expr) -> bool:
    return any(p.exp.free_symbols for p in e.atoms(Pow))


def _log_of(e: Expr, positive: Callable[[Expr], bool]) -> Expr | None:
    e = sympy.factor_terms(e)
    terms = []
    for factor in Mul.make_args(e):
        base, power = (
            (sympy.E, factor.args[0]) if isinstance(factor, sympy.exp) else factor.as_base_exp()
        )
        if base is sympy.E:
            terms.append(power)
        elif isinstance(base, sympy.gamma) and power.is_Rational:
            terms.append(power * sympy.loggamma(base.args[0]))
        elif isinstance(base, sympy.factorial):
            terms.append(power * sympy.loggamma(base.args[0] + 1))
        elif isinstance(base, sympy.binomial):
            n, k = base.args
            terms.append(
                power * (sympy.loggamma(n + 1) - sympy.loggamma(k + 1) - sympy.loggamma(n - k + 1))
            )
        elif positive(base):
            terms.append(power * sympy.log(base))
        elif positive(factor):
            terms.append(sympy.log(factor))
        else:
            return None
    return Add(*terms)


# --- boxes and tails ---------------------------------------------------------------------------------


def box(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Arb on a bounded domain, by subdivision."""
    if goal.op not in (">=", ">"):
        return None
    domain = goal.domain
    signs = prover.signs(domain)
    edges = {}
    for v in domain.variables:
        r = signs.range(v)
        if isinstance(r.low, float) or isinstance(r.high, float):
            return None
        if len(str(r.low)) > 60 or len(str(r.high)) > 60:
            return None
        edges[v] = (
            fmpq(r.low.numerator, r.low.denominator),
            fmpq(r.high.numerator, r.high.denominator),
        )
    if not edges or len(edges) > 10:
        return None
    conditions = [
        (r.lhs - r.rhs, r.op)
        for r in domain.relations()
        if r.op != "!=" and (len(r.free_symbols) > 1 or r in domain.conditions)
    ]
    seconds = prover.deadline.part((0.15, 0.4, 1.0, 2.5, 5.0, 8.0)[min(int(prover.effort) - 1, 5)])
    result = decide_on_box(
        goal.expr, goal.op == ">", edges, conditions, max_boxes=10**6, seconds=seconds
    )
    if result.status == "refuted" and result.point:
        prover.candidate_counterexamples.append(dict(result.point))
    if result.status != "proved":
        return None
    return Proof(
        "balls",
        frozenset({"Arb"}),
        (f"{str(goal.expr)[:120]} {goal.op} 0 on a box, {result.boxes} boxes",),
        {"boxes": result.boxes},
    )


def tail(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Cut an unbounded range at a point: a box below it, another method beyond."""
    if goal.op not in (">=", ">"):
        return None
    signs = prover.signs(goal.domain)
    unbounded = []
    for v in goal.domain.variables:
        r = signs.range(v)
        if isinstance(r.low, float) or isinstance(r.high, float):
            unbounded.append(v)
    if len(unbounded) != 1:
        return None
    v = unbounded[0]
    r = signs.range(v)
    both = isinstance(r.low, float) and isinstance(r.high, float)
    cuts = [S.Zero] if both else [sympy.Integer(c) for c in (1, 2, 4, 8, 20)]
    if depth >= 3 and both:
        cuts += [S.One, S.NegativeOne]
    for cut in cuts:
        if isinstance(r.low, float) and not both:
            cut = -cut
        first = goal.domain.with_conditions(Relation(v, ">=", cut))
        second = goal.domain.with_conditions(Relation(v, "<=", cut))
        hard, easy = (first, second) if not isinstance(r.low, float) else (second, first)
        if not both and (r.low if not isinstance(r.low, float) else -r.high) >= abs(cut):
            continue
        beyond = prover.prove(goal.expr, goal.op, hard, depth - 1)
        if beyond is None:
            continue
        near = prover.prove(goal.expr, goal.op, easy, depth - 1)
        if near is None:
            continue
        return joined("cases", f"cut the range of {v} at {cut}", [beyond, near])
    return None


def split_range(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Cut a bounded range where another symbol, or its middle, stands."""
    if goal.op not in (">=", ">"):
        return None
    names = _variables(goal)
    for v in names[:2]:
        points: list[Expr] = [w for w in names if w != v and not goal.domain.bounds[w].integer][:2]
        points += [S.One, S.Zero, S.Half]
        signs = prover.signs(goal.domain)
        for c in points:
            r = signs.range(v - c)
            if r.nonnegative or r.nonpositive:
                continue
            above = goal.domain.with_conditions(Relation(v, ">=", c))
            below = goal.domain.with_conditions(Relation(v, "<=", c))
            if above == goal.domain or below == goal.domain:
                continue
            up = prover.prove(goal.expr, goal.op, above, depth - 1)
            if up is None:
                continue
            down = prover.prove(goal.expr, goal.op, below, depth - 1)
            if down is not None:
                return joined("cases", f"cut at {v} = {c}", [up, down])
    return None


def exp_polynomial(prover: Prover, goal: Goal, depth: int) -> Proof | None:
    """Sum of p_i(x) exp(c_i x) on [a, oo): divide by the slowest exponential, differentiate.

    Every value at a is >= 0 and the degrees fall, so the chain ends.
    """
    if goal.op not in (">=", ">") or len(goal.expr.free_symbols) != 1:
        return None
    (x,) = goal.expr.free_symbols
    if x not in goal.domain.variables:
        return None
    r = prover.signs(goal.domain).range(x)
    if isinstance(r.low, float):
        return None
    a = Rational(r.low.numerator, r.low.denominator)
    pieces = _exp_pieces(goal.expr, x)
    if pieces is None:
        return None
    strict_needed = goal.op == ">"
    lines: list[str] = []
    for _ in range(60):
        pieces = {c: sympy.expand(p) for c, p in pieces.items() if sympy.expand(p) != 0}
        if not pieces:
            return None
        slowest = min(pieces)
        pieces = {c - slowest: p for c, p in pieces.items()}
        value = Add(*[p.subs(x, a) * sympy.exp(c * a) for c, p in pieces.items()])
        if len(pieces) == 1 and x not in pieces[S.Zero].free_symbols:
            constant = pieces[S.Zero]
            if positive_number(constant) or (constant == 0 and not strict_needed):
                # rising from a value >= 0: positive beyond the end, and at it if it is positive
                at_end = r.low_open or not lines or positive_number(goal.expr.subs(x, a))
                if strict_needed and not at_end:
                    return None
                return Proof(
                    "calculus",
                    frozenset({CALCULUS, "Arb"}),
                    (f"exponential polynomial in {x}: {len(lines)} derivatives, each >= 0 at {a}",),
                )
            return None
        if not nonnegative_number(value):
            return None
        lines.append(str(value))
        pieces = {c: sympy.diff(p, x) + c * p for c, p in pieces.items()}
    return None


def _exp_pieces(e: Expr, x: Symbol) -> dict[Expr, Expr] | None:
    pieces: dict[Expr, Expr] = {}
    for term in Add.make_args(
        sympy.expand(e.rewrite(sympy.exp) if e.has(sympy.sinh, sympy.cosh) else e)
    ):
        slope, rest = S.Zero, S.One
        for factor in Mul.make_args(term):
            if isinstance(factor, sympy.exp):
                c = sympy.expand(factor.args[0])
                s = sympy.diff(c, x)
                if not s.is_Rational:
                    return None
                slope += s
                rest *= sympy.exp(c - s * x)
            elif factor.is_polynomial(x):
                rest *= factor
            else:
                return None
        if sympy.Poly(rest, x).free_symbols_in_domain:
            return None
        pieces[slope] = pieces.get(slope, S.Zero) + rest
    return pieces
