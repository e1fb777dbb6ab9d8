"""Atoms, and polynomials in them: their signs, their intervals, their shapes.

An atom is a variable, a root of a prime, a polynomial that has a negative or fractional exponent,
an exponential of a monomial, a logarithm of an atom, or any other function of normal forms. Signs
are known from the hypotheses, from the table and from intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from dpbook.kernel import enclosure
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.errors import Rejected
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.polynomials import Exponent, Frozen, Monomial, Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import ZERO, Term, add, call, div, mul, num, power

# --- signs, as sets of bits -----------------------------------------------------------------------

NEGATIVE, NULL, POSITIVE = 1, 2, 4
ANY, NONNEGATIVE, NONPOSITIVE, NONZERO = 7, 6, 3, 5
ALLOWED = {">": POSITIVE, ">=": NONNEGATIVE, "<": NEGATIVE, "<=": NONPOSITIVE}
ALLOWED |= {"==": NULL, "!=": NONZERO}


def flip(sign: int) -> int:
    """Return the signs of -x."""
    return sign & NULL | (sign & POSITIVE) >> 2 | (sign & NEGATIVE) << 2


@cache
def both(a: int, b: int) -> int:
    """Return the signs of a product."""
    result = NULL if (a | b) & NULL else 0
    if a & POSITIVE and b & POSITIVE or a & NEGATIVE and b & NEGATIVE:
        result |= POSITIVE
    if a & POSITIVE and b & NEGATIVE or a & NEGATIVE and b & POSITIVE:
        result |= NEGATIVE
    return result


def sign_of(i: Interval) -> int:
    """Return what signs a number in an interval may have."""
    sign = ANY
    if i.low is not None and (i.low > 0 or (i.low == 0 and i.low_open)):
        sign &= POSITIVE
    elif i.low == 0:
        sign &= NONNEGATIVE
    if i.high is not None and (i.high < 0 or (i.high == 0 and i.high_open)):
        sign &= NEGATIVE
    elif i.high == 0:
        sign &= NONPOSITIVE
    return sign or NULL


_INTERVALS = {
    POSITIVE: enclosure.POSITIVE,
    NONNEGATIVE: enclosure.NONNEGATIVE,
    NEGATIVE: enclosure.negate(enclosure.POSITIVE),
    NONPOSITIVE: enclosure.negate(enclosure.NONNEGATIVE),
    NULL: enclosure.ZERO,
}


def interval_of_sign(sign: int) -> Interval | None:
    """Return the interval of the numbers with a sign, if these numbers are an interval."""
    return _INTERVALS.get(sign)


# --- atoms ----------------------------------------------------------------------------------------

WORK = 3_000_000  # monomials multiplied for one sequent, or as much
TERMS = 5_000  # of one polynomial

Key = tuple[object, ...]
_new = object.__new__


class Atom:
    """An atom: its key, its term, and the known facts about it."""

    __slots__ = ("bound", "interval", "key", "met", "poly", "powers", "sign", "term", "whole")

    def __init__(self, key: Key, term: Term) -> None:
        self.key, self.term = key, term
        self.sign = ANY
        self.whole = False  # whether its value is an integer
        self.poly: Poly = {}  # of an atom that stands for a polynomial
        self.bound: frozenset[int] = frozenset()  # the bound variables that it depends on
        self.interval: Interval | None = None
        # what was made of an interval and a sign, and of that again: no more than the same again
        self.met: tuple[Interval, int, Interval] | None = None
        self.powers: dict[Exponent, tuple[Interval, Interval | None]] = {}

    def copied(self) -> Atom:
        """Return an atom of which more may become known."""
        new = _new(Atom)
        new.key, new.term = self.key, self.term
        new.sign, new.whole, new.poly = self.sign, self.whole, self.poly
        new.bound, new.interval = self.bound, self.interval
        new.met, new.powers = self.met, dict(self.powers)
        return new


class Atoms:
    """The atoms of one sequent, and the known facts about polynomials in them."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self.index: dict[Key, int] = {}
        self.known: dict[Frozen, int] = {}
        self.products: dict[Monomial, Interval] = {}  # the known facts about products of atoms
        self.sums: dict[Frozen, Interval] = {}  # the known facts about sums, without their numbers
        self.whole_terms: set[Frozen] = set()
        self.work = 0
        self.learnt = 0  # how often something came to be known that was not
        self.unsure = 0  # how often an answer was given that more hypotheses might change
        self.primes = False  # whether a root of a prime is among the atoms
        self.inner: set[int] = set()  # atoms that stand for polynomials, and absolute values
        self.asking: set[Frozen] = set()

    # --- atoms -----------------------------------------------------------------------------------

    def _atom(self, key: Key, term: Term, sign: int = ANY, whole: bool = False) -> int:
        if key not in self.index:
            a = Atom(key, term)
            a.sign, a.whole = sign, whole
            self.index[key] = len(self.atoms)
            self.primes = self.primes or key[0] == "prime"
            if key[0] == "base" or key[:2] == ("call", "abs"):
                self.inner.add(len(self.atoms))
            self.atoms.append(a)
            for part in key[1:]:
                if isinstance(part, frozenset):
                    a.bound |= self._bound(thaw(part))
        return self.index[key]

    def _bound(self, p: Poly) -> frozenset[int]:
        return frozenset().union(*(self.atoms[i].bound for i in P.atoms_of(p)))

    def _opaque(
        self, name: str, args: Sequence[Poly], sign: int = ANY, whole: bool = False
    ) -> Poly:
        keys = tuple(P.frozen(self.canonical(p)) for p in args)
        key: Key = ("call", name, *keys)
        if key in self.index:
            return P.atom(self.index[key])
        term = call(name, *(self.term(thaw(k)) for k in keys))
        return P.atom(self._atom(key, term, sign, whole))

    def _base(self, p: Poly) -> int:
        """Return the atom that stands for a polynomial."""
        key: Key = ("base", P.frozen(p))
        index = self.index.get(key)
        if index is None:
            index = self._atom(key, self.term(p), whole=self.is_whole(p))
            self.atoms[index].poly = p
        return index

    def _constant(self, name: str) -> int:
        return self._atom(("constant", name), Term(name), POSITIVE)

    # --- signs -----------------------------------------------------------------------------------

    def sign(self, p: Poly) -> int:
        """Return what signs a polynomial may have."""
        if not p:
            return NULL
        self.work += 20 * len(p)  # of the time of a product
        if self.work > WORK:
            raise Rejected("the normal form takes too much work")
        result = self._sign_by_terms(p)
        if result in (POSITIVE, NEGATIVE, NULL):
            return result
        key = P.frozen(p)
        if key in self.asking:
            self.unsure += 1
            return result
        self.asking.add(key)
        try:
            result &= self._sign_known(p)
            if result not in (POSITIVE, NEGATIVE, NULL):
                result &= sign_of(self.interval(p))
        finally:
            self.asking.discard(key)
        if result not in (POSITIVE, NEGATIVE, NULL):
            self.unsure += 1
        return result

    def _sign_by_terms(self, p: Poly) -> int:
        found = 0
        strict = 0
        for m, c in p.items():
            sign = self.sign_of_monomial(m)
            sign = sign if c.numerator > 0 else flip(sign)
            found |= sign
            strict |= sign if sign in (POSITIVE, NEGATIVE) else 0
        if found & NEGATIVE and found & POSITIVE:
            return ANY
        if strict:
            return found & ~NULL
        return found

    def sign_of_monomial(self, m: Monomial) -> int:
        """Return what signs a monomial may have."""
        result = POSITIVE
        for index, exponent in m:
            if self.atoms[index].sign != POSITIVE:
                result = both(result, self._sign_of_power(index, exponent))
        return result

    def _sign_of_power(self, index: int, exponent: Exponent) -> int:
        a = self.atoms[index]
        sign = a.sign
        if sign not in (POSITIVE, NEGATIVE) and a.poly:
            sign &= self.sign(a.poly)
            a.sign &= sign
        if not isinstance(exponent, int):
            sign &= NONNEGATIVE  # made only where the atom is not negative
        elif exponent % 2 == 0:
            sign = POSITIVE | (sign & NULL)
        sign = sign & ~NULL if exponent < 0 else sign
        if sign not in (POSITIVE, NEGATIVE, NULL):
            self.unsure += 1
        return sign

    def _sign_known(self, p: Poly) -> int:
        q, m = self.clear(p)
        q = P.scaled(q, 1, m)
        if not q:
            return NULL
        negative, outside, rest = self.primitive(q)
        whole = self.known.get(P.frozen(P.scaled(rest, 1, outside)), ANY) if outside else ANY
        inner = self.known.get(P.frozen(rest), ANY)
        if rest == P.constant(1):
            inner = POSITIVE
        elif outside:
            inner &= self._sign_by_terms(rest)
        result = whole & both(self.sign_of_monomial(outside), inner)
        return flip(result) if negative else result

    def positive(self, p: Poly) -> bool:
        return self.sign(p) == POSITIVE

    # --- intervals -------------------------------------------------------------------------------

    def interval(self, p: Poly, bits: int = 64) -> Interval:
        """Return an interval that holds a polynomial."""
        result = enclosure.ZERO
        for m, c in p.items():
            part = self._interval_of_monomial(m, bits)
            if part is None or part.low is None and part.high is None:
                return enclosure.REALS
            part = enclosure.scaled(part, c, bits)
            result = part if result is enclosure.ZERO else enclosure.add(result, part, bits)
        return result

    def interval_of_sum(self, p: Poly) -> Interval:
        """Return the interval that hypotheses give for a sum, whatever number is added to it.

        Normal forms do not ask for it, so that they stay as they are.
        """
        key, slope, level = sum_and_number(p)
        found = self.sums.get(key)
        if found is None:
            return enclosure.REALS
        return enclosure.add(enclosure.scaled(found, slope), enclosure.point(level))

    def _interval_of_monomial(self, m: Monomial, bits: int = 64) -> Interval | None:
        """Return an interval that holds a monomial; None: nothing is known."""
        part = enclosure.ONE
        for known, found in self.products.items():
            if _divides(known, m):
                part, m = found, P.times(m, P.raised(known, -1))
                break
        for index, exponent in m:
            factor = self._interval_of_power(index, exponent, bits)
            if factor is None:
                return None
            one = part is enclosure.ONE
            part = factor if one else enclosure.multiply(part, factor, bits)
        return part

    def _interval_of_power(self, index: int, exponent: Exponent, bits: int) -> Interval | None:
        base = self.interval_of_atom(index)
        if exponent == 1:
            return base
        powers = self.atoms[index].powers
        kept = powers.get(exponent)
        if bits == 64 and kept is not None and kept[0] is base:
            return kept[1]
        found = enclosure.power(base, enclosure.point(Rational(exponent)), bits)
        if bits == 64:
            powers[exponent] = (base, found)
        return found

    def interval_of_atom(self, index: int) -> Interval:
        """Return an interval that holds an atom."""
        a = self.atoms[index]
        if a.interval is None:
            a.interval = enclosure.REALS
            if a.poly:
                found: Interval | None = self.interval(a.poly)
            else:
                found = self._interval_of_function(a)
            if found is not None:
                a.interval = found
        if a.met is not None and a.met[0] is a.interval and a.met[1] == a.sign:
            return a.met[2]
        by_sign = interval_of_sign(a.sign)
        met = a.interval
        if by_sign is not None:
            met = enclosure.intersect(a.interval, by_sign) or a.interval
        a.met = (a.interval, a.sign, met)
        return met

    def _interval_of_function(self, a: Atom) -> Interval | None:
        kind = a.key[0]
        if kind == "prime":
            return enclosure.point(Rational(str(a.key[1])))
        if kind in ("call", "constant"):
            name, parts = str(a.key[1]), [self.interval(thaw(k)) for k in a.key[2:]]
        elif kind == "exp":
            name, parts = "exp", [self.interval(thaw(a.key[1]))]
        elif kind == "log":
            inner = a.key[1]
            assert isinstance(inner, int)
            name, parts = "log", [self.interval_of_atom(inner)]
        else:
            return None
        make = enclosure.FUNCTIONS.get(name)
        return None if make is None or name not in ARITIES else make(parts, 64)

    # --- shapes ----------------------------------------------------------------------------------

    def product(self, p: Poly, q: Poly) -> Poly:
        """Return p * q, its work counted."""
        self.work += len(p) * len(q) + 1
        if self.work > WORK:
            raise Rejected("the normal form takes too much work")
        return self._without_roots(P.product(p, q))

    def _without_roots(self, p: Poly) -> Poly:
        """Take whole powers of primes out of the monomials."""
        if not self.primes or not any(
            self.atoms[i].key[0] == "prime" and not 0 < e < 1 for i, e in P.powers_of(p)
        ):
            return p
        result: Poly = {}
        for m, c in p.items():
            kept = []
            for i, e in m:
                if self.atoms[i].key[0] == "prime":
                    out = e.__floor__()
                    if abs(out) * int(str(self.atoms[i].key[1])).bit_length() > 80_000:
                        raise Rejected("a power is too large")
                    c, e = c * Rational(int(str(self.atoms[i].key[1]))) ** out, P.whole(e - out)
                if e:
                    kept.append((i, e))
            result = P.plus(result, {tuple(kept): c})
        return result

    def primitive(self, p: Poly) -> tuple[bool, Monomial, Poly]:
        """Write p as (-1 or 1) * content * monomial * rest, the leading coefficient of rest > 0."""
        if len(p) == 1:
            ((m, value),) = p.items()
            return value < 0, m, {P.ONE: P.UNIT}
        outside = P.common(p)
        c = P.content(p)
        rest = P.scaled(p, 1 if c == 1 else 1 / c, P.raised(outside, -1))
        negative = rest[P.leading(rest)] < 0
        return negative, outside, P.scaled(rest, -1) if negative else rest

    def expand(self, p: Poly) -> Poly:
        """Multiply out whole powers of atoms that stand for polynomials, and of absolute values."""
        if self.inner.isdisjoint([i for m in p for i, _ in m]):
            return p
        for _ in range(200):
            outs = {pair: out for pair in P.powers_of(p) if (out := self._out(*pair))}
            if not outs:
                return p
            i, e = next(pair for m in p for pair in m if pair in outs)
            out = outs[i, e]
            same = {n: c for n, c in p.items() if (i, e) in n}
            rest = {n: c for n, c in p.items() if (i, e) not in n}
            moved = {
                tuple((j, k if j != i else P.whole(k - out)) for j, k in n if j != i or k != out): c
                for n, c in same.items()
            }
            a = self.atoms[i]
            inner = a.poly if a.poly else self.product(*(2 * [thaw(a.key[2])]))
            factor = self._multiplied(inner, int(out) if a.poly else int(out) // 2)
            p = P.plus(rest, self.product(moved, factor))
            if len(p) > TERMS:
                raise Rejected("a polynomial is too large to be multiplied out")
        raise Rejected("a polynomial is nested too deeply")

    def _out(self, index: int, e: Exponent) -> int:
        """Return which whole power of an atom is multiplied out."""
        a = self.atoms[index]
        if a.poly:
            whole = e.__floor__()
            return whole if 0 < whole <= 400 else 0
        if a.key[:2] == ("call", "abs") and e >= 2:
            return e.__floor__() // 2 * 2
        return 0

    def _multiplied(self, p: Poly, e: int) -> Poly:
        if len(p) ** min(e, 8) > 100 * TERMS:
            raise Rejected("a power is too large to be multiplied out")
        result = P.constant(1)
        for _ in range(e):
            result = self.product(result, p)
            if len(result) > TERMS:
                raise Rejected("a power is too large to be multiplied out")
        return result

    def clear(self, p: Poly) -> tuple[Poly, Monomial]:
        """Write p as q * monomial, where q holds no negative powers and is multiplied out."""
        outside: Monomial = ()
        if self._plain(p):
            return p, outside
        for _ in range(200):
            # negative exponents, and powers of polynomials that all terms share
            shift = tuple((i, e) for i, e in P.common(p) if e < 0 or self.atoms[i].poly)
            if shift:
                p = self._without_roots(P.scaled(p, 1, P.raised(shift, -1)))
                outside = P.times(outside, shift)
            q = self.expand(p)
            if q is p or q == p:
                return p, outside
            p = q
        raise Rejected("denominators are nested too deeply")

    def _plain(self, p: Poly) -> bool:
        """Return whether no exponent is negative and no atom is ever multiplied out."""
        inner = self.inner
        for m in p:
            for i, e in m:
                if e < 0 or i in inner:
                    return False
        return True

    def canonical(self, p: Poly) -> Poly:
        """Return a polynomial with denominators cancelled where they divide the numerator."""
        if self.inner.isdisjoint([i for m in p for i, _ in m]):
            return p
        q, outside = self.clear(p)
        kept = []
        for i, e in outside:
            a = self.atoms[i]
            while a.poly and e < 0:
                self.work += 10 * len(q) + len(q) ** 2 // 4
                if self.work > WORK:
                    raise Rejected("the normal form takes too much work")
                inner = P.common(q)
                reduced = P.quotient(P.scaled(q, 1, P.raised(inner, -1)), a.poly)
                if reduced is None:
                    break
                q, e = P.scaled(reduced, 1, inner), P.whole(e + 1)
            if e:
                kept.append((i, e))
        return P.scaled(q, 1, tuple(sorted(kept)))

    def is_zero(self, p: Poly) -> bool:
        """Return whether the normal form is 0."""
        return not self.clear(p)[0]

    def is_whole(self, p: Poly) -> bool:
        """Return whether a polynomial is known to be an integer."""
        fine = all(
            c.denominator == 1
            and all(self.atoms[i].whole and isinstance(e, int) and e > 0 for i, e in m)
            for m, c in p.items()
        )
        if fine:
            return True
        self.unsure += 1
        gaps = (P.plus(p, dict(w), -1) for w in self.whole_terms)
        return any(set(g) <= {P.ONE} and all(c.denominator == 1 for c in g.values()) for g in gaps)

    # --- polynomials to terms --------------------------------------------------------------------

    def term(self, p: Poly) -> Term:
        """Return a term whose normal form this is."""
        parts = []
        for m, c in sorted(p.items(), key=lambda item: _place(item[0])):
            over: list[Term] = []
            under: list[Term] = []
            for i, e in m:
                base = self.atoms[i].term
                if e > 0:
                    over.append(base if e == 1 else power(base, num(Rational(e))))
                else:
                    under.append(base if e == -1 else power(base, num(Rational(-e))))
            top = mul(*([] if c == 1 and over else [num(c)]), *over)
            for factor in under:
                top = div(top, factor)
            parts.append(top)
        return add(*parts) if parts else ZERO


def _divides(m: Monomial, n: Monomial) -> bool:
    if len(m) > len(n):
        return False
    powers = dict(n)
    return all(0 < e <= powers.get(i, 0) for i, e in m)


def thaw(key: object) -> Poly:
    """Return the polynomial that a part of a key stands for."""
    assert isinstance(key, frozenset)
    return dict(key)


def _place(m: Monomial) -> tuple[object, ...]:
    return (-sum(e for _, e in m), m)


def sum_and_number(p: Poly) -> tuple[Frozen, Fraction, Fraction]:
    """Write p as slope * sum + number, the leading coefficient of the sum being 1."""
    moving = {m: c for m, c in p.items() if m != P.ONE}
    slope = moving[P.leading(moving)] if moving else P.UNIT
    return P.frozen(P.scaled(moving, 1 / slope)), slope, p.get(P.ONE, Rational(0))
