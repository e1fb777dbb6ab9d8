"""Ask SymPy for proposals, and translate terms there and back; the kernel checks the proposals."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, wraps
from typing import Any, TypeVar, cast

import sympy
from sympy.concrete.gosper import gosper_term
from sympy.integrals.rationaltools import ratint

from dpbook.engine.language.budget import Later
from dpbook.engine.language.errors import unless_ours
from dpbook.engine.language.terms import Untranslatable, term_of
from dpbook.kernel.terms import Term, mul, substitute, subterms, var

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
    sympy.PolynomialError,
)
LARGEST = 60  # parts of a term that is put to SymPy
Asking = TypeVar("Asking", bound=Callable[..., Any])


def asking(nothing: Any, largest: float = LARGEST) -> Callable[[Asking], Asking]:
    """Name the answer to a question where SymPy has none, or where the term is too large."""

    def guarded(ask: Asking) -> Asking:
        @wraps(ask)
        def answered(t: Term, *more: Any) -> Any:
            if sum(1 for _ in subterms(t)) > largest:
                return nothing
            try:
                return ask(t, *more)
            except REFUSALS as error:
                unless_ours(error)
                return nothing

        return cast(Asking, answered)

    return guarded


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
    return substitute(found, {s.name: other for s, other in opaque.items()})


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
    fixed = [part for part in body.args if name not in part.free] if body.head == "mul" else []
    if fixed:
        moving = [part for part in body.args if name in part.free]
        found = primitive(mul(*moving), name) if moving else var(name)
        return None if found is None else mul(*fixed, found)
    return _primitive(body, name)


@asking(None)
def _primitive(body: Term, name: str) -> Term | None:
    f, x = expression(body), sympy.Symbol(name, real=True)
    forget()
    found = manual.manualintegrate(f, x)
    if found.has(sympy.Integral) and f.is_rational_function(x):
        found = ratint(f, x)
    if found.has(sympy.Piecewise):  # where other letters are positive there is one piece
        positive = {v: sympy.Dummy(positive=True) for v in f.free_symbols - {x}}
        back = {dummy: v for v, dummy in positive.items()}
        found = manual.manualintegrate(f.xreplace(positive), x).xreplace(back)
    unknown = found.has(sympy.Integral, sympy.Piecewise, sympy.I)
    return None if unknown else term_of(found)


@lru_cache(maxsize=500)
@asking(None)
def antidifference(body: Term, name: str) -> Term | None:
    """Return a rational function with the given rational differences, by Gosper's algorithm."""
    f, k, n = expression(body), sympy.Symbol(name, real=True), sympy.Symbol(name, integer=True)
    factor = gosper_term(f.xreplace({k: n}), n) if f.is_rational_function(k) else None
    if factor is None:
        return None
    return term_of(sympy.factor(sympy.cancel(factor.xreplace({n: k}) * f)))


@lru_cache(maxsize=500)
@asking(None, math.inf)
def tail(F: Term, name: str) -> tuple[Term, int] | None:
    """Return the limit of a term at oo, and a bound of x times its distance from there."""
    f, x = expression(F), sympy.Symbol(name, real=True)
    limit = sympy.limit(f, x, sympy.oo)
    size = sympy.limit(x * (f - limit), x, sympy.oo)
    if not (limit.is_finite and size.is_finite and size.is_number):
        return None
    return term_of(limit), int(sympy.ceiling(abs(size))) + 1


def ways_to_limit(F: Term | None, name: str, small: str) -> Iterator[dict[str, str]]:
    """Yield how a term may come near its limit at oo, at least as fast as 1/x, for the kernel."""
    found = None if F is None else tail(F, name)
    if found is not None:
        limit, size = found
        for reach in (f"{size}/{small}", f"{size}/{small} + {size}"):
            yield {"limit": str(limit), "from": reach, "small": small}


@asking(None)
def roots(t: Term, name: str, low: Term, high: Term) -> list[Term] | None:
    """Return the roots of a polynomial, a sine or a cosine strictly between two numbers, in order."""
    x = sympy.Symbol(name, real=True)
    f, start, end = (expression(part) for part in (t, low, high))
    if t.free != {name}:
        return None
    if f.is_polynomial(x):
        listed = [root for root, _ in sympy.Poly(f, x).real_roots(multiple=False)]
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


@asking(())
def solutions(gap: Term, name: str) -> Sequence[Term]:
    """Return values of a variable for which SymPy takes a term to be 0."""
    found = sympy.solve(expression(gap), sympy.Symbol(name, real=True))
    return [term_of(value) for value in found if isinstance(value, sympy.Expr)]


@asking(None)
def bell(body: Term, name: str) -> tuple[Term, Term, Term] | None:
    """Return c, b and m of c / (b^2 + (x - m)^2); None where a term does not have that form."""
    f, x = expression(body), sympy.Symbol(name, real=True)
    positive = {v: sympy.Dummy(positive=True) for v in f.free_symbols - {x}}
    top, bottom = sympy.fraction(sympy.together(f))
    if x in top.free_symbols or not bottom.is_polynomial(x):
        return None
    two, one, none = sympy.Poly(bottom, x).all_coeffs()
    centre = sympy.cancel(-one / (2 * two))
    square = sympy.factor(sympy.cancel(none / two - centre**2)).xreplace(positive)
    scale = sympy.sqrt(square).xreplace({p: v for v, p in positive.items()})
    return term_of(sympy.cancel(top / two)), term_of(scale), term_of(centre)
