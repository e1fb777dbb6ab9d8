"""Refuse and prove statements about all large values of an index: thresholds, constants and rates.

A statement is refused where its index has no large values. Nothing here is trusted: a threshold
will do if the kernel accepts a proof with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import sympy
from sympy import Expr, Symbol
from sympy.concrete.expr_with_limits import ExprWithLimits

from dpbook.engine.evaluate.limits import limit_at_infinity, signed
from dpbook.engine.evaluate.sampler import Sampler
from dpbook.engine.language.domain import Domain, DomainError, case_domains, collected, with_ranges
from dpbook.engine.language.statement import (
    Eventually,
    Form,
    Order,
    Relation,
    Tree,
    evaluated,
    unfold_definitions,
)
from dpbook.engine.language.task import Task, free_symbols
from dpbook.engine.language.terms import Untranslatable, term_of
from dpbook.engine.prove.sequents import at_limit, beyond, bounded, error_name, near, sequent_of
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.terms import ONE, Term, add, div, num, power, var

THRESHOLDS = (1, 10, 100, 10**4, 10**8)
CONSTANTS = (1, 2, 10, 100)
RATES = (1, sympy.Rational(1, 2))  # powers of 1/n, with these factors
FACTORS = (2, 10)
TRIED = (10, 100, 1000)  # values of n at which a rate must hold


def sequents_for(
    form: Form, given: Sequence[Tree] = (), steps: Sequence[Tree] = ()
) -> Iterator[Sequent]:
    """Yield sequents, each of which shows a statement about all large values of an index.

    Parameters
    ----------
    steps : sequence of Tree
        The written proof. For a limit it may state from which index on it argues (``n >= ...``),
        and end in a rate ``|f / g - limit| <= C / n**p``.

    Raises
    ------
    Untranslatable
        When the kernel has no terms for it.
    """
    if isinstance(form, Eventually) and form.threshold is None:
        for least in THRESHOLDS:
            yield beyond(form, given, num(least))
    elif isinstance(form, Order) and form.limit is not None:
        yield from _limits(form, given, steps)
    elif isinstance(form, Order):
        constants = _own_or(form.constant, CONSTANTS)
        for constant, threshold in product(constants, _own_or(form.threshold, THRESHOLDS)):
            yield bounded(form, given, constant, threshold)
    else:
        yield sequent_of(form, given)


def _own_or(own: Expr | None, tried: Sequence[int]) -> list[Term]:
    """Return the number of a statement alone, or the numbers to try where it states none."""
    return list(map(num, tried)) if own is None else [term_of(unfold_definitions(own))]


def _limits(form: Order, given: Sequence[Tree], steps: Sequence[Tree]) -> Iterator[Sequent]:
    """Yield a sequent for each rate of a limit, with a threshold that depends on the error.

    A rate C / n**p is at most the error as soon as n >= (C / error)**(1/p).
    """
    n = form.index
    floors = [  # lower bounds that steps set for the index
        term_of(unfold_definitions(step.rhs))
        for step in steps
        if isinstance(step, Relation) and (step.op, step.lhs) == (">=", n)
    ]
    last = [step for step in steps[-1:] if isinstance(step, Relation)]
    rates: list[Expr] = [s.rhs for s in last if s.op == "<="]
    if form.endless:  # it is beyond 1 over the error as soon as its inverse is at most the error
        rates += [1 / s.rhs for s in last if s.op == ">="]
        rates.append(1 / unfold_definitions(form.quotient))
    else:
        rates.append(unfold_definitions(form.quotient) - unfold_definitions(form.limit))
    error: Term = var(error_name(at_limit(form, given)))
    for rate in rates:
        made = _monomial(unfold_definitions(rate), n)
        if made is None:
            continue
        size, root = made
        needed = div(size, error)
        least = needed if root == 1 else power(needed, term_of(root))
        yield near(form, given, add(least, *floors) if floors else least)


def rates(form: Form, point: Sequence[tuple[str, str]] | None) -> Iterator[Relation]:
    """Yield rates ``|f / g - limit| <= C / n**p`` that hold in floats at a few places.

    Parameters
    ----------
    point : sequence of (name, value)
        A point of the domain, as text; the index is moved from there.
    """
    if not isinstance(form, Order) or form.limit is None or form.endless or point is None:
        return
    n = form.index
    try:
        known = {name: sympy.Rational(value) for name, value in point}
    except TypeError:
        return  # the values are no fractions
    quotient, limit = unfold_definitions(form.f / form.g), unfold_definitions(form.limit)
    # the factors that the axiom of small powers has
    found = [6 / (1 - abs(base)) ** 3 for base in _bases(quotient, n)]
    with sympy.evaluate(False):
        sides = [
            (sympy.Abs(quotient - limit), factor / n**p)
            for p in RATES
            for factor in (*found, *map(sympy.Integer, FACTORS))
        ]
        by_terms = _rate_by_terms(evaluated(quotient - limit), n)
        if by_terms is not None:
            sides.insert(0, (sympy.Abs(quotient - limit), by_terms))
    for gap, rate in sides:
        if all(_holds_at(gap, rate, n, known, there) for there in TRIED):
            yield Relation(gap, "<=", rate)


def _rate_by_terms(e: Expr, n: Symbol) -> Expr | None:
    """Return C / n**p that bounds a sum of powers of n >= 1 and of exponentials term by term."""
    sizes, least = [], []
    with sympy.evaluate(True):
        for term in sympy.Add.make_args(sympy.expand(evaluated(e))):
            size, moving = term.as_independent(n, as_Add=False)
            power = moving.as_base_exp()[1] if moving.is_Pow and moving.base == n else None
            slope = moving.args[0].coeff(n) if isinstance(moving, sympy.exp) else None
            if power is not None and not power.has(n):
                least.append(-power)
            elif slope is not None and moving.args[0] == slope * n:
                size /= -slope  # exp(-x) is at most 1 / x
                least.append(sympy.S.One)
            else:
                return None
            sizes.append(abs(size))
        p = min(least) if all(one.is_Rational for one in least) else sympy.S.Zero
        return sum(sizes) / n**p if p > 0 else None


def _bases(e: Expr, n: Symbol) -> list[Expr]:
    """Return the bases of the powers whose exponent is the index."""
    powers = sorted(e.atoms(sympy.Pow), key=str)
    return [one.base for one in powers if one.exp == n and n not in one.base.free_symbols]


def _holds_at(gap: Expr, rate: Expr, n: Symbol, point: Mapping[str, Expr], there: int) -> bool:
    at = {v: point[v.name] for v in gap.free_symbols | rate.free_symbols if v != n}
    at[n] = there
    try:
        left, right = (complex(evaluated(side).subs(at).evalf()) for side in (gap, rate))
    except (TypeError, ValueError, KeyError, OverflowError):
        return False
    return left.imag == right.imag == 0 and left.real <= right.real


def _monomial(rate: Expr, n: Symbol) -> tuple[Term, Expr] | None:
    """Write a rate as C / n**p, where C and p are free of n; return C and 1 / p."""
    x = sympy.Symbol(n.name, positive=True)
    with sympy.evaluate(True):
        there = evaluated(rate, {n: x})
        if there.has(ExprWithLimits):  # a sum is no such rate, and SymPy fails at some quotients
            return None
        p = sympy.simplify(-x * sympy.diff(there, x) / there) if there != 0 else None
        if p is None or x in p.free_symbols or p.is_nonpositive or p.is_real is False:
            return None
        size = sympy.simplify(there * x**p)
        if x in size.free_symbols:
            return None
        size = abs(size) if size.is_number else size
        root = 1 / p
    try:
        found = term_of(size)
    except Untranslatable:
        return None
    return (ONE if size == 1 else found), root


# --- an index without large values ----------------------------------------------------------------


def refuse_bounded(task: Task) -> None:
    """Refuse a statement about all large values of an index, if the index has no large values.

    A condition on the index alone must hold for all its large values. A condition that ties it to
    other symbols (n_2 >= n_1 / 2) must leave points with huge values of the index; for a limit, at
    fixed values of the others, it must hold for all large values too.

    Raises
    ------
    DomainError
        When the index is bounded, or a constant of the statement moves with it.
    """
    form = task.form
    if not isinstance(form, (Eventually, Order)):
        return
    n, limit = form.index, form.limit if isinstance(form, Order) else None
    fixed = (form.constant, limit) if isinstance(form, Order) else ()
    for value in (*fixed, form.threshold):
        if value is not None and n in unfold_definitions(value).free_symbols:
            raise DomainError(
                f"constant, threshold and limit must not use the index {n}, got {value}"
            )
    given = [condition.map(unfold_definitions) for condition in task.given]
    free = collected([Relation(n, "==", n), *given])
    symbols = sorted(with_ranges(free_symbols(form) | set(free)), key=str)
    for domain in case_domains(symbols, given):
        there, changes = signed(domain)
        index = changes[n]
        ending = [
            r for r in there.relations() if index in r.free_symbols and not _lasting(r, index)
        ]
        if not ending:
            continue
        tied = all(len(r.free_symbols) > 1 for r in ending)
        if limit is not None or not tied or not _reaches_far(domain, n, form.threshold, task.seed):
            raise DomainError(
                f"the index {n} must be unbounded above, or a statement about all large "
                f"{n} says nothing; got {ending[0]}: leave that condition out"
            )


def _reaches_far(domain: Domain, n: Symbol, threshold: Expr | None, seed: int) -> bool:
    """Say whether the domain has points with huge values of an index."""
    least = [sympy.Integer(10) ** 8, sympy.Integer(10) ** 40]
    after = [] if threshold is None else [Relation(n, ">=", unfold_definitions(threshold))]
    return all(
        Sampler(domain.with_conditions(Relation(n, ">=", far), *after), seed).some() is not None
        for far in least
    )


def _lasting(relation: Relation, n: Symbol) -> bool:
    """Say whether a relation is shown to hold for all large values of a symbol."""
    limit = limit_at_infinity(relation.difference, n)
    if limit is None or relation.op == "==":
        return False
    up = limit == sympy.oo or bool(limit.is_positive)
    down = limit == -sympy.oo or bool(limit.is_negative)
    return {"!=": up or down, ">": up, ">=": up, "<": down, "<=": down}[relation.op]
