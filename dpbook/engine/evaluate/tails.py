"""Bound the tails of an integral or of a series: a function from some point on.

The function is a tape. It is bounded by a sum of terms, scale y^degree exp(-square y^2 - linear y).
Where it is not shown to be defined on the tail, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from flint import arb, arb_poly, ctx, fmpq

from dpbook.engine.evaluate import arbs
from dpbook.engine.evaluate.tape import LONGEST_SUM, Loop, Tape
from dpbook.engine.language.functions import FUNCTIONS

MOST_BITS = 128  # precision above which no integral and no series is computed
BITS = 96  # accuracy that is asked for: a kink takes work for each bit
FARTHEST = 40  # doublings of the point at which a tail starts
MOST_TERMS = 64  # terms of the bound of a tail
HIGHEST = 8  # degree of a polynomial in a tail


def accuracy() -> arb:
    """Return the accuracy that is asked for at the precision in force."""
    return arb(2) ** -min(ctx.prec, BITS)


def beyond(
    tape: Tape,
    others: Sequence[arb],
    sign: int,
    end: arb | None,
    whole: bool = False,
    doublings: int = FARTHEST,
) -> tuple[arb, arb | None]:
    """Bound the integral, or the sum, of f(sign * y) beyond a point.

    Parameters
    ----------
    tape : Tape
        Of the function; its first input is the variable.
    others : sequence of arb
        The other inputs.
    sign : {1, -1}
    end : arb or None
        The tail starts beyond this point.
    whole : bool
        Whether y is whole: then the sum over all y > T is bounded in place of the integral.
    doublings : int
        The tail starts at most at 2 to this power.

    Returns
    -------
    start : arb
        The point T >= 2, a power of 2, beyond which the function is bounded.
    tail : arb or None
        A ball around 0 that holds the integral, or the sum; None where no bound is found.
    """
    start, tail = arb(1), None
    small = accuracy()
    for _ in range(doublings):
        start = start * 2
        if end is not None and not end < start:
            continue
        try:
            size = _Tail(tape, others, sign, start, whole).integral()
        except _NoBound:
            continue
        tail = arb(0, size.upper())
        if size < small:
            break
    return start, tail


class _NoBound(Exception):
    """Signal a function that has no bound on a tail here."""


@dataclass(frozen=True)
class _Term:
    """Hold scale * y^degree * exp(-square y^2 - linear y), for y beyond the start of a tail."""

    scale: arb
    degree: arb = arbs.ZERO
    square: arb = arbs.ZERO
    linear: arb = arbs.ZERO

    def to_the(self, exponent: arb) -> _Term:
        parts = (exponent * part for part in (self.degree, self.square, self.linear))
        return _Term(self.scale**exponent, *parts)

    def times(self, other: _Term) -> _Term:
        return _Term(
            self.scale * other.scale,
            self.degree + other.degree,
            self.square + other.square,
            self.linear + other.linear,
        )

    @property
    def power(self) -> bool:
        """Say whether it is a multiple of a power of y."""
        return bool(self.square.is_zero() and self.linear.is_zero())

    def at(self, y: arb) -> arb:
        return self.scale * y**self.degree * (-(self.square * y + self.linear) * y).exp()

    def falls(self, start: arb) -> arb:
        """Return a rate: the logarithm of its size falls at least so fast beyond a point.

        Raises
        ------
        _NoBound
            When it does not fall like an exponential.
        """
        rise = arbs.maximum(self.degree, arbs.ZERO) / start
        rate = 2 * self.square * start + self.linear - rise
        if self.square >= arbs.ZERO and rate > arbs.ZERO:
            return rate
        raise _NoBound


@dataclass(frozen=True)
class _Beyond:
    """Hold a function on a tail; it is defined there.

    Attributes
    ----------
    bound : tuple of _Term, optional
        Their sum is at least as large as the function in size.
    polynomial : arb_poly, optional
        The function itself, if it is a polynomial.
    least : _Term, optional
        The function is at least so large in size.
    terms : tuple of _Term, optional
        The function itself, if it is a sum of terms, with their signs.
    """

    bound: tuple[_Term, ...] | None = None
    polynomial: arb_poly | None = None
    least: _Term | None = None
    terms: tuple[_Term, ...] | None = None

    @property
    def bounded(self) -> tuple[_Term, ...]:
        if self.bound is None:
            raise _NoBound
        return self.bound

    @property
    def positive(self) -> _Term | None:
        """Return the function itself, if it is one positive term."""
        if self.terms is None or len(self.terms) != 1 or not self.terms[0].scale > arbs.ZERO:
            return None
        return self.terms[0]


class _Tail:
    """Bound a function f(sign * y) for y >= start."""

    def __init__(
        self, tape: Tape, others: Sequence[arb], sign: int, start: arb, whole: bool
    ) -> None:
        self.tape, self.others, self.sign, self.start = tape, others, sign, start
        self.whole = whole

    def integral(self) -> arb:
        """Return a bound on the integral of the size; as each term falls, also on the sum beyond.

        Raises
        ------
        _NoBound
            When no finite bound is found.
        """
        total, start = arb(0), self.start
        inputs = [self._of(0, self.sign), *map(self._of, self.others)]
        for term in self._value(self.tape, inputs).bounded:
            if term.power and term.degree < -arbs.ONE:
                total += term.scale * start ** (term.degree + 1) / (-term.degree - 1)
            else:
                total += term.at(start) / term.falls(start)
        if not total.is_finite():
            raise _NoBound
        return total

    def _value(self, tape: Tape, inputs: Sequence[_Beyond]) -> _Beyond:
        (value,) = tape.run(inputs, self._apply)
        return value

    def _loop(self, args: list[_Beyond], body: Loop) -> _Beyond:
        """Bound a sum or a product between whole numbers, term by term."""
        ends = [_constant(end) for end in args[:2]]
        if not all(end.is_exact() and end.is_integer() for end in ends):
            raise _NoBound
        first, last = map(arbs.as_int, ends)
        if not -1 <= last - first < LONGEST_SUM:
            raise _NoBound
        op = "mul" if body.product else "add"
        total = self._of(int(body.product))
        for k in range(first, last + 1):
            term = self._value(body.tape, [self._of(k), *args[2:]])
            total = self._apply(op, [total, term], None)
        return total

    def _of(self, *coefficients: arb | int) -> _Beyond:
        return self._of_polynomial(arb_poly(list(coefficients)))

    def _of_polynomial(self, p: arb_poly) -> _Beyond:
        found = tuple(_Term(c, arb(i)) for i, c in enumerate(p.coeffs()) if not c.is_zero())
        least = self._leading(p)[0] if self._sign(p) else None
        sizes = tuple(replace(term, scale=abs(term.scale)) for term in found)
        return _Beyond(sizes, p, least, found)

    def _leading(self, p: arb_poly) -> tuple[_Term, _Term]:
        """Return a lower and an upper bound of a polynomial in size: its degree, and two scales."""
        degree = max(p.degree(), 0)
        rest = sum((abs(p[i]) * self.start ** (i - degree) for i in range(degree)), arb(0))
        size = abs(p[degree])
        return _Term(size - rest, arb(degree)), _Term(size + rest, arb(degree))

    def _sign(self, p: arb_poly) -> int:
        """Return the sign of a polynomial beyond the start; 0 where it is not certain."""
        least, _ = self._leading(p)
        if not least.scale > arbs.ZERO:
            return 0
        return 1 if p[arbs.as_int(least.degree)] > arbs.ZERO else -1

    def _apply(self, op: str, args: list[Any], static: Any) -> Any:
        if op == "const":
            return self._of(arb(static))
        if op == "named":
            return self._of(arbs.NAMED[static]())
        if op == "truth":
            return bool(static)
        if op in _COMPARED:
            return self._compared(op, *args)
        if op in ("and", "or", "not"):
            return arbs.FUNCTIONS[op](*args)
        if op == "piecewise":
            chosen = [v for c, v in zip(args[::2], args[1::2], strict=True) if c is True]
            return chosen[0] if chosen else _refuse()
        if op == "one":
            return self._of(1)
        if op == "loop":
            return self._loop(args, static)
        polynomials = [a.polynomial for a in args]
        if all(p is not None for p in polynomials):
            found = self._of_polynomials(op, polynomials, static)
            if found is not None:
                return self._of_polynomial(found)
        if op in ("add", "max", "min"):
            terms = _together([a.terms for a in args]) if op == "add" else None
            return _Beyond(_short(_together([a.bound for a in args])), terms=terms)
        if op in ("neg", "abs"):
            terms = args[0].terms if op == "neg" else None
            if terms is not None:
                terms = tuple(replace(term, scale=-term.scale) for term in terms)
            return _Beyond(args[0].bound, least=args[0].least, terms=terms)
        if op == "mul":
            return self._product(*args)
        if op == "div":
            if args[1].least is None:
                raise _NoBound
            if args[1].positive is not None:
                return self._product(args[0], _alone(args[1].positive.to_the(-arbs.ONE)))
            return self._product(args[0], _Beyond((args[1].least.to_the(-arbs.ONE),)))
        if op == "ipow":
            return reduce(self._product, [args[0]] * int(static)) if static <= 16 else _refuse()
        if op in ("rpow", "pow"):
            return self._root(args, static)
        if op == "exp":
            return self._exponential(args[0])
        if op in ("gamma", "factorial"):
            return self._gamma(args[0], arbs.ZERO if op == "gamma" else arbs.ONE)
        if op in _BOUNDED:
            return _Beyond((_Term(_BOUNDED[op]),))
        raise _NoBound

    def _of_polynomials(self, op: str, p: list[arb_poly], static: Any) -> arb_poly | None:
        if op == "add":
            return reduce(arb_poly.__add__, p)
        if op == "neg":
            return -p[0]
        if op == "mul":
            product = p[0] * p[1]
            return product if product.degree() <= HIGHEST else None
        if op == "ipow" and static * p[0].degree() <= HIGHEST:
            return p[0] ** int(static)
        if op == "div" and p[1].degree() <= 0:
            inverse = arbs.ONE / p[1][0]
            return p[0] * inverse if inverse.is_finite() else _refuse()
        if op in ("abs", "sign") and (sign := self._sign(p[0])):
            return p[0] * sign if op == "abs" else arb_poly([sign])
        if op in ("max", "min"):
            larger = self._sign(p[0] - p[1])
            if larger:
                return p[0] if (larger > 0) == (op == "max") else p[1]
        if all(q.degree() <= 0 for q in p) and op in arbs.FUNCTIONS:
            given: list[Any] = [q[0] for q in p]
            if op in ("ipow", "polygamma"):
                given.append(int(static))
            elif op == "rpow":
                given.append(static)
            value = arbs.FUNCTIONS[op](*given)
            return arb_poly([value]) if value.is_finite() else _refuse()
        return None

    def _compared(self, op: str, left: _Beyond, right: _Beyond) -> bool:
        if left.polynomial is None or right.polynomial is None:
            raise _NoBound
        sign = self._sign(left.polynomial - right.polynomial)
        if not sign:
            raise _NoBound
        return sign in _COMPARED[op]

    def _product(self, x: _Beyond, y: _Beyond) -> _Beyond:
        bound, terms = (
            None if a is None or b is None else tuple(s.times(t) for s in a for t in b)
            for a, b in ((x.bound, y.bound), (x.terms, y.terms))
        )
        if terms is not None and len(terms) > MOST_TERMS:
            terms = None
        least = None if x.least is None or y.least is None else x.least.times(y.least)
        return _Beyond(_short(bound), least=least, terms=terms)

    def _root(self, args: list[_Beyond], static: Any) -> _Beyond:
        base = args[0]
        if len(args) == 2 and base.polynomial is not None and base.polynomial.degree() <= 0:
            return self._to_a_power(base.polynomial[0], args[1])
        exponent = arb(static) if len(args) == 1 else _constant(args[1])
        if base.positive is not None:
            return _alone(base.positive.to_the(exponent))
        if base.polynomial is None or self._sign(base.polynomial) <= 0:
            raise _NoBound
        least, most = (end.to_the(exponent) for end in self._leading(base.polynomial))
        if exponent > arbs.ZERO:
            return _Beyond((most,), least=least)
        return _Beyond((least,), least=most) if exponent < arbs.ZERO else _refuse()

    def _to_a_power(self, base: arb, exponent: _Beyond) -> _Beyond:
        """Bound c^p(y): c is positive, or p(y) is the whole number y plus an integer, or minus y."""
        p = exponent.polynomial
        if p is None:
            raise _NoBound
        if base > arbs.ZERO:
            return self._exponential(self._of_polynomial(p * base.log()))
        integral = (
            p.degree() == 1 and abs(p[1]) == arbs.ONE and p[0].is_exact() and p[0].is_integer()
        )
        if not (self.whole and integral):
            raise _NoBound
        if base < arbs.ZERO:
            found = self._exponential(self._of_polynomial(p * (-base).log()))
            return replace(found, terms=None)
        if not self._sign(p) > 0:
            raise _NoBound
        size = base.abs_upper()
        if size.is_zero():
            return self._of(0)
        found = self._exponential(self._of_polynomial(p * size.log()))
        return replace(found, terms=None, least=None)

    def _exponential(self, x: _Beyond) -> _Beyond:
        p = x.polynomial
        if p is not None and p.degree() <= 2:
            return _alone(_Term(p[0].exp(), arbs.ZERO, -p[2], -p[1]))
        if x.terms is None:
            raise _NoBound
        constant, linear, square = self._above(x.terms)
        return _Beyond((_Term(constant.exp(), arbs.ZERO, -square, -linear),))

    def _above(self, terms: Sequence[_Term]) -> tuple[arb, arb, arb]:
        """Return c, l, q with c + l y + q y^2 at least as large as a sum of terms."""
        found = [arb(0)] * (HIGHEST + 1)
        start = self.start
        for term in terms:
            degree = term.degree
            whole = degree.is_exact() and degree.is_integer() and 0 <= degree <= HIGHEST
            if term.power and whole:
                found[arbs.as_int(degree)] += term.scale
            elif term.power and degree <= arbs.ZERO:
                found[0] += arbs.maximum(term.at(start), arbs.ZERO)
            elif term.power:
                place = _between(degree, term.scale)
                found[place] += term.scale * start ** (degree - place)
            elif term.scale > arbs.ZERO:
                term.falls(start)
                found[0] += term.at(start)
            elif term.scale < arbs.ZERO:
                # its size is at least |scale| T^degree exp(rate y), and exp(u) >= exp(u/2) u^2/8
                rate = -term.square * start - term.linear
                if term.square <= arbs.ZERO and degree >= arbs.ZERO and rate > arbs.ZERO:
                    size = term.scale * start**degree * (rate * start / 2).exp()
                    found[2] += size * rate**2 / 8
            else:
                raise _NoBound
        high = arb_poly([0, 0, 0, *found[3:]])
        if high.degree() > 2:
            if self._sign(high) >= 0:
                raise _NoBound
            least, _ = self._leading(high)
            found[2] -= least.scale * start ** (least.degree - 2)
        return found[0], found[1], found[2]

    def _gamma(self, x: _Beyond, more: arb) -> _Beyond:
        """Bound gamma(a y + c) from below by its tangent: its logarithm is convex."""
        p = x.polynomial
        if p is None or p.degree() != 1 or not p[1] > arbs.ZERO:
            raise _NoBound
        at = p[1] * self.start + p[0] + more
        if not at > arbs.ZERO:
            raise _NoBound
        slope = p[1] * at.digamma()
        scale = at.gamma() * (-slope * self.start).exp()
        if not (scale.is_finite() and scale > arbs.ZERO):
            raise _NoBound
        return _Beyond(least=_Term(scale, arbs.ZERO, arbs.ZERO, -slope))


_COMPARED = {"<": (-1,), "<=": (-1,), ">": (1,), ">=": (1,), "==": (), "!=": (-1, 1)}
_BOUNDED = {  # with the largest size of a value
    name: arb(fmpq(*max(abs(row.range[0]), abs(row.range[1])).as_integer_ratio()))
    for name, row in FUNCTIONS.items()
    if row.range[0] is not None and row.range[1] is not None
}


def _refuse() -> Any:
    raise _NoBound


def _between(degree: arb, scale: arb) -> int:
    """Return the power 0, 1 or 2 by which a power of y is bounded from above, with its sign."""
    if scale < arbs.ZERO and degree >= arbs.ZERO:
        return max(place for place in (0, 1, 2) if place <= degree)
    if scale > arbs.ZERO and degree <= arb(2):
        return 1 if degree <= arbs.ONE else 2
    raise _NoBound


def _constant(x: _Beyond) -> arb:
    if x.polynomial is None or x.polynomial.degree() > 0:
        raise _NoBound
    return x.polynomial[0]


def _alone(term: _Term) -> _Beyond:
    return _Beyond((term,), least=term, terms=(term,))


def _together(parts: Sequence[tuple[_Term, ...] | None]) -> tuple[_Term, ...] | None:
    if any(part is None for part in parts):
        return None
    return tuple(term for part in parts if part is not None for term in part)


def _short(bound: tuple[_Term, ...] | None) -> tuple[_Term, ...] | None:
    if bound is not None and len(bound) > MOST_TERMS:
        raise _NoBound
    return bound
