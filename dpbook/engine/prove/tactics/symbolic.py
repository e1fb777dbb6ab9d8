"""Ask SymPy for proposals, and translate terms there and back; the kernel checks the proposals."""

from __future__ import annotations

from functools import lru_cache

import sympy
from sympy.concrete.gosper import gosper_term
from sympy.integrals.rationaltools import ratint

from dpbook.engine.language.budget import Later
from dpbook.engine.language.errors import unless_ours
from dpbook.engine.language.terms import Untranslatable, term_of
from dpbook.kernel.terms import Term, mul, subterms, var

manual = Later("sympy.integrals.manualintegrate")  # a fifth of what SymPy takes to import

KNOWN = (
    *("exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asinh", "acosh", "atan"),
    *("asin", "acos", "erf", "erfc"),
)
REFUSALS = (  # the refusals of SymPy, where it has no answer
    Untranslatable,
    ValueError,
    TypeError,
    NotImplementedError,
    AttributeError,
    RecursionError,
)
LARGEST = 60  # parts of a term that is put to SymPy


def expression(t: Term, opaque: dict[sympy.Symbol, Term] | None = None) -> sympy.Expr:
    """Return a term as an expression; with `opaque`, parts that SymPy need not know are symbols."""
    if t.head == "num":
        return sympy.Rational(t.value.numerator, t.value.denominator)
    if t.head == "var":
        return sympy.Symbol(t.name, real=True)
    if t.head == "pi":
        return sympy.pi
    if t.head in ("add", "mul", "pow"):
        args = [expression(a, opaque) for a in t.args]
        return {"add": sympy.Add, "mul": sympy.Mul, "pow": sympy.Pow}[t.head](*args)
    if opaque is not None:
        for symbol, other in opaque.items():
            if other == t:
                return symbol
        symbol = sympy.Symbol(f"opaque{len(opaque)}", real=True)
        opaque[symbol] = t
        return symbol
    if t.head in KNOWN:
        return getattr(sympy, t.head)(*(expression(a) for a in t.args))
    raise Untranslatable(f"{t.head} is not put to SymPy")


def cancelled(t: Term) -> Term:
    """Return a fraction with common factors cancelled; the term itself where that fails."""
    opaque: dict[sympy.Symbol, Term] = {}
    if sum(1 for _ in subterms(t)) > 2 * LARGEST:
        return t
    try:
        found = term_of(sympy.cancel(expression(t, opaque)))
    except (Untranslatable, sympy.PolynomialError, ValueError, TypeError):
        return t
    return _back(found, {s.name: other for s, other in opaque.items()})


def _back(t: Term, opaque: dict[str, Term]) -> Term:
    if t.head == "var":
        return opaque.get(t.name, t)
    if not t.args:
        return t
    return Term(t.head, tuple(_back(a, opaque) for a in t.args), t.value, t.name)


def forget() -> None:
    """Empty what SymPy remembers of its integrals by hand.

    After a search that an alarm has ended SymPy keeps a mark, and takes the next search for a loop:
    no primitive would be found from then on.
    """
    manual._integral_cache.clear()


@lru_cache(maxsize=500)
def primitive(body: Term, name: str) -> Term | None:
    """Return what SymPy takes for a primitive of a term.

    Factors without the variable stay as they are: SymPy would put gamma(5/2) in another form, which
    the kernel would have to show equal.
    """
    if body.head == "mul" and any(name not in part.free for part in body.args):
        moving = [part for part in body.args if name in part.free]
        found = primitive(mul(*moving), name) if moving else var(name)
        fixed = (part for part in body.args if name not in part.free)
        return None if found is None else mul(*fixed, found)
    if sum(1 for _ in subterms(body)) > LARGEST:
        return None
    x = sympy.Symbol(name, real=True)
    try:
        f = expression(body)
        forget()
        found = manual.manualintegrate(f, x)
        if found.has(sympy.Integral) and f.is_rational_function(x):
            found = ratint(f, x)
        if found.has(sympy.Piecewise):  # where other letters are positive there is one piece
            positive = {v: sympy.Dummy(positive=True) for v in f.free_symbols - {x}}
            back = {dummy: v for v, dummy in positive.items()}
            found = manual.manualintegrate(f.xreplace(positive), x).xreplace(back)
        if found.has(sympy.Integral, sympy.Piecewise, sympy.I):
            return None
        return term_of(found)
    except REFUSALS as error:
        unless_ours(error)
        return None


@lru_cache(maxsize=500)
def antidifference(body: Term, name: str) -> Term | None:
    """Return a rational function with the given rational differences, by Gosper's algorithm."""
    k = sympy.Symbol(name, real=True)
    if sum(1 for _ in subterms(body)) > LARGEST:
        return None
    try:
        f = expression(body)
        if not f.is_rational_function(k):
            return None
        n = sympy.Symbol(name, integer=True)
        factor = gosper_term(f.xreplace({k: n}), n)
        if factor is None:
            return None
        return term_of(sympy.factor(sympy.cancel(factor.xreplace({n: k}) * f)))
    except (*REFUSALS, sympy.PolynomialError) as error:
        unless_ours(error)
        return None


@lru_cache(maxsize=500)
def tail(F: Term, name: str) -> tuple[Term, int] | None:
    """Return the limit of a term at oo, and a bound of x times its distance from there."""
    x = sympy.Symbol(name, real=True)
    try:
        f = expression(F)
        limit = sympy.limit(f, x, sympy.oo)
        size = sympy.limit(x * (f - limit), x, sympy.oo)
        if not (limit.is_finite and size.is_finite and size.is_number):
            return None
        return term_of(limit), int(sympy.ceiling(abs(size))) + 1
    except REFUSALS as error:
        unless_ours(error)
        return None


def roots(t: Term, name: str, low: Term, high: Term) -> list[Term] | None:
    """Return the roots of a polynomial, a sine or a cosine strictly between two numbers, in order."""
    x = sympy.Symbol(name, real=True)
    if sum(1 for _ in subterms(t)) > LARGEST or t.free != {name}:
        return None
    try:
        f, start, end = (expression(part) for part in (t, low, high))
        if f.is_polynomial(x):
            found = sympy.Poly(f, x).real_roots(multiple=False)
            listed = [root for root, _ in found]
        else:
            _, wave = f.as_independent(x, as_Add=False)
            if not isinstance(wave, (sympy.sin, sympy.cos)):
                return None
            slope, first = sympy.Poly(wave.args[0], x).all_coeffs()  # of a line
            first += sympy.pi / 2 if isinstance(wave, sympy.cos) else 0
            ends = [sympy.floor((slope * end + first) / sympy.pi) for end in (start, end)]
            turns = range(int(min(ends)), int(max(ends)) + 2)
            listed = sorted((turn * sympy.pi - first) / slope for turn in turns)
        inside = [root for root in listed if start < root < end]
        return None if any(r.has(sympy.CRootOf) for r in inside) else list(map(term_of, inside))
    except (*REFUSALS, sympy.PolynomialError) as error:
        unless_ours(error)
        return None


def solutions(left: Term, right: Term, name: str) -> list[Term]:
    """Return values of a variable for which SymPy takes two terms to be equal."""
    if sum(1 for _ in subterms(left - right)) > LARGEST:
        return []
    try:
        found = sympy.solve(expression(left - right), sympy.Symbol(name, real=True))
        return [term_of(value) for value in found if isinstance(value, sympy.Expr)]
    except (*REFUSALS, sympy.PolynomialError) as error:
        unless_ours(error)
        return []


def bell(body: Term, name: str) -> tuple[Term, Term, Term] | None:
    """Return c, b and m of c / (b^2 + (x - m)^2); None where a term does not have that form."""
    if sum(1 for _ in subterms(body)) > LARGEST:
        return None
    try:
        f = expression(body)
        x = sympy.Symbol(name, real=True)
        positive = {v: sympy.Dummy(positive=True) for v in f.free_symbols - {x}}
        top, bottom = sympy.fraction(sympy.together(f))
        if x in top.free_symbols or not bottom.is_polynomial(x):
            return None
        two, one, none = sympy.Poly(bottom, x).all_coeffs()
        centre = sympy.cancel(-one / (2 * two))
        square = sympy.factor(sympy.cancel(none / two - centre**2)).xreplace(positive)
        scale = sympy.sqrt(square).xreplace({p: v for v, p in positive.items()})
        return term_of(sympy.cancel(top / two)), term_of(scale), term_of(centre)
    except (*REFUSALS, sympy.PolynomialError) as error:
        unless_ours(error)
        return None
