"""Powers, exponentials and logarithms of polynomials in atoms.

Every step that holds under a condition only asks for the sign first: x/x is 1 where x != 0 is
known, and the root or logarithm of a product is split where its factors are known to be positive.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from dpbook.kernel.errors import Rejected
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import TERMS, Atoms, thaw
from dpbook.kernel.normal.polynomials import Exponent, Monomial, Poly
from dpbook.kernel.normal.signs import ANY, NEGATIVE, NONNEGATIVE, NONZERO, NULL, POSITIVE
from dpbook.kernel.rationals import Rational
from dpbook.kernel.terms import call, num

SHIFTS = 60  # steps of a recurrence
EXPANDED = 24  # the highest power of a sum that is multiplied out
FACTORED = 10**9  # numbers above are not factored


class Powers(Atoms):
    """Atoms, and polynomials raised to powers."""

    # --- powers ----------------------------------------------------------------------------------

    def _root_of_number(self, c: Fraction, e: Fraction) -> Poly | None:
        """Return c^e for c > 0 as a product of roots of primes."""
        result = P.constant(1)
        for number, sign in ((c.numerator, 1), (c.denominator, -1)):
            for prime, times in _factored(number):
                whole, rest = divmod(e * times * sign, 1)
                if abs(whole) > 3000 or abs(whole) * prime.bit_length() > 40_000:
                    return None
                result = P.scaled(result, Rational(prime) ** int(whole))
                if rest:
                    index = self._atom(("prime", prime), num(prime), POSITIVE, True)
                    result = P.product(result, P.atom(index, P.whole(rest)))
        return result

    def _to_number(self, p: Poly, e: Fraction) -> Poly | None:
        if e.denominator == 1 and e >= 0:
            return self._repeated(p, int(e))
        if not p:
            return {} if e > 0 else None
        negative, outside, rest = self.primitive(p)
        c, sign = P.content(p), self.sign(p)
        if e.denominator == 1:
            # no sign is left where a range is empty: that says nothing of the atoms from outside
            if not sign or sign & NULL:
                return None
            if -e * _digits(c) > 40_000:
                raise Rejected("a power is too large")
            return self._inverse(negative, c, outside, rest, int(e))
        if sign & NEGATIVE or (e < 0 and sign & NULL):
            return None
        return self._rooted(p, e, negative, c, outside, rest)

    def _repeated(self, p: Poly, e: int) -> Poly:
        if e == 0:
            return P.constant(1)  # 0^0 = 1 too
        if e > 10**6 or p and e * _digits(P.content(p)) > 40_000:
            raise Rejected("a power is too large")
        if len(p) <= 1:
            return self._without_roots({P.raised(m, e): c**e for m, c in p.items()})
        if e > EXPANDED or len(p) ** min(e, 6) > 40 * TERMS and e > 2:
            negative, outside, rest = self.primitive(p)
            c = P.content(p) * (-1 if negative else 1)
            front = {P.raised(outside, e): c**e}
            if rest == P.constant(1):
                return front
            return P.product(front, P.atom(self._base(rest), e))
        result = P.constant(1)
        for _ in range(e):
            result = self.product(result, p)
        return result

    def _inverse(self, negative: bool, c: Fraction, outside: Monomial, rest: Poly, e: int) -> Poly:
        """Return (±c * outside * rest)^e for e < 0; the product is known not to be 0."""
        for i, _ in outside:
            self.atoms[i].sign &= NONZERO
        front = {P.raised(outside, e): (-c if negative else c) ** e}
        if rest == P.constant(1):
            return front
        turned = self.sign(rest) & POSITIVE == 0  # then its negative is known not to be negative
        index = self._base(P.scaled(rest, -1) if turned else rest)
        self.atoms[index].sign &= NONZERO
        if turned and e % 2:
            front = P.scaled(front, -1)
        return P.product(front, P.atom(index, e))

    def _rooted(
        self, p: Poly, e: Fraction, negative: bool, c: Fraction, outside: Monomial, rest: Poly
    ) -> Poly | None:
        """Return p^e for p >= 0, factor by factor where each factor is known not to be negative."""
        numeric = self._root_of_number(c, e)
        if numeric is None:
            return None
        split: list[tuple[int, Exponent]] = []
        left: list[tuple[int, Exponent]] = []
        for i, k in outside:
            known = self._sign_of_power(i, 1)
            if known & NEGATIVE == 0 and (k > 0 or known == POSITIVE):
                split.append((i, k))
            else:
                left.append((i, k))
        inner = P.scaled(rest, -1 if negative else 1, tuple(left))
        result = P.scaled(numeric, 1, P.raised(tuple(split), e))
        if inner == P.constant(1):
            return self._without_roots(result)
        if self.sign(inner) & NEGATIVE and self.sign_of_monomial(tuple(split)) != POSITIVE:
            # the factors that were split off are not negative; as they may be 0, keep all together
            inner, result = P.scaled(p, 1 / c), numeric
        if len(inner) == 1:
            ((m, d),) = inner.items()
            if d == 1 and len(m) == 1 and m[0][1] == 2:  # (x^2)^e = abs(x)^(2e)
                size = self._abs(P.atom(m[0][0]))
                ((n, factor),) = size.items()
                if factor == 1:
                    return self._without_roots(P.scaled(result, 1, P.raised(n, 2 * e)))
        if inner == P.constant(-1):
            return None
        return self.product(result, P.atom(self._base(inner), P.whole(e)))

    def _abs(self, u: Poly) -> Poly:
        sign = self.sign(u)
        if sign & NEGATIVE == 0:
            return u
        if sign & POSITIVE == 0:
            return P.scaled(u, -1)
        u = self.canonical(u)
        negative, outside, rest = self.primitive(u)
        result = P.constant(P.content(u))
        for i, e in outside:
            if isinstance(e, int) and e % 2 == 0 or self._sign_of_power(i, e) & NEGATIVE == 0:
                result = P.product(result, P.atom(i, e))
            else:
                if isinstance(e, int) and abs(e) > 1:
                    even = e - 1 if e > 0 else e + 1
                    result, e = P.product(result, P.atom(i, even)), P.whole(e - even)
                rest = P.product(rest, P.atom(i, e))
        if rest == P.constant(1):
            return result
        sign = NONNEGATIVE if self.sign(rest) & NULL else POSITIVE
        return self.product(result, self._opaque("abs", [rest], sign, self.is_whole(rest)))

    def _whole_power(self, base: Poly, exponent: Poly) -> Poly:
        """Return b^n for an integer n: b^(n + c) is b^n * b^c where b != 0, or where n, c >= 0."""
        shift = exponent.get(P.ONE, Rational(0))
        rest = {m: c for m, c in exponent.items() if m != P.ONE}
        nonzero = self.sign(base) & NULL == 0
        front = P.constant(1)
        fine = all(c.denominator == 1 and self.is_whole({m: Rational(1)}) for m, c in rest.items())
        if base == P.constant(-1) and fine and shift.denominator == 1:  # (-1)^(2n) = 1
            rest = {m: c % 2 for m, c in rest.items() if c % 2}
            shift %= 2
            exponent = P.plus(rest, P.constant(shift))
        if not rest and shift.denominator == 1:
            found = self._to_number(base, shift)
            if found is not None:
                return found
        if nonzero and fine and shift.denominator == 1:
            found = self._to_number(base, shift)
            if found is not None:
                front, exponent = found, rest
        elif (
            fine
            and all(c > 0 and self.sign_of_monomial(m) & NEGATIVE == 0 for m, c in rest.items())
            and shift >= 0
        ):
            found = self._to_number(base, shift)  # {} is 0, not that nothing is found
            front, exponent = front if found is None else found, rest
        else:  # as low a power as is known to be one
            for _ in range(SHIFTS):
                lower = P.plus(exponent, P.constant(-1))
                if shift.denominator > 1 or self.sign(lower) & NEGATIVE:
                    break
                front, exponent = self.product(front, base), lower
            return self.product(front, self._one_power(base, exponent))
        for m, c in exponent.items():  # here b != 0, or all c > 0: b^(c m) is (b^m)^c
            ((one, _),) = self._one_power(base, {m: Rational(1)}).items()
            front = self.product(front, {P.raised(one, P.whole(c)): Rational(1)})
        return front

    def _one_power(self, base: Poly, exponent: Poly) -> Poly:
        """Return the atom b^n."""
        nonzero = self.sign(base) & NULL == 0
        # 0^n has some unknown value for n < 0
        never_negative = self.sign(exponent) & NEGATIVE == 0
        sign = NONZERO if nonzero else ANY
        if self.sign(base) & NEGATIVE == 0 and (nonzero or never_negative):
            sign &= NONNEGATIVE
        whole = self.is_whole(base) and never_negative
        return self._opaque("pow", [base, exponent], sign, whole)

    # --- exponentials and logarithms -------------------------------------------------------------

    def _exp(self, p: Poly) -> Poly:
        p = self.canonical(p)
        result = P.constant(1)
        for m, c in sorted(p.items()):
            result = self.product(result, self._exp_of_monomial(m, c))
        return result

    def _exp_of_monomial(self, m: Monomial, c: Fraction) -> Poly:
        """Return exp(c * m); where m is the logarithm of an atom, a power of that."""
        if len(m) == 1 and m[0][1] == 1 and self.atoms[m[0][0]].key[0] == "log":
            inner = self.atoms[m[0][0]].key[1]
            assert isinstance(inner, int)
            a = self.atoms[inner]
            if a.key[0] == "prime":
                root = self._root_of_number(Rational(int(str(a.key[1]))), c)
                if root is not None:
                    return root
            if a.poly and c.denominator == 1 and 0 < c <= EXPANDED:
                return self._repeated(a.poly, int(c))
            return P.atom(inner, P.whole(c))
        one: Poly = {m: Rational(1)}
        index = self.index.get(("exp", P.frozen(one)))
        if index is None:
            term = call("exp", self.term(one))
            index = self._atom(("exp", P.frozen(one)), term, POSITIVE)
        return P.atom(index, P.whole(c))

    def _log(self, p: Poly) -> Poly:
        """Return log(p) for p > 0 as a sum of logarithms of its factors."""
        p = self.canonical(p)
        negative, outside, rest = self.primitive(p)
        c = P.content(p)
        if any(self._sign_of_power(i, 1) != POSITIVE for i, _ in outside):
            split: Monomial = ()
            inner = P.scaled(rest, -1 if negative else 1, outside)
        else:
            split = outside
            inner = P.scaled(rest, -1 if negative else 1)
        result: Poly = {}
        for number, sign in ((c.numerator, 1), (c.denominator, -1)):
            for prime, count in _factored(number):
                index = self._atom(("prime", prime), num(prime), POSITIVE, True)
                result = P.plus(result, self._log_of_atom(index), sign * count)
        for i, e in split:
            result = P.plus(result, self._log_of_atom(i), e)
        if inner == P.constant(1):
            return result
        index = self._base(inner)
        self.atoms[index].sign &= POSITIVE  # as p and what was split off are
        return P.plus(result, self._log_of_atom(index))

    def _log_of_atom(self, index: int) -> Poly:
        a = self.atoms[index]
        if a.key[0] == "exp":
            return thaw(a.key[1])
        if a.key[:2] == ("call", "gamma") and self.positive(thaw(a.key[2])):
            return self._opaque("loggamma", [thaw(a.key[2])])
        made = self._atom(("log", index), call("log", a.term))
        self.atoms[made].bound = a.bound
        if a.key[0] == "prime":
            self.atoms[made].sign = POSITIVE
        return P.atom(made)


def _digits(c: Fraction) -> int:
    return c.numerator.bit_length() + c.denominator.bit_length()


def _factored(n: int) -> Iterable[tuple[int, int]]:
    """Factor a number by trial division; a large factor stays whole."""
    found: list[tuple[int, int]] = []
    if n > FACTORED**2:
        return [(n, 1)]
    p = 2
    while p * p <= n and p < 40_000:
        count = 0
        while n % p == 0:
            n //= p
            count += 1
        if count:
            found.append((p, count))
        p += 1 if p == 2 else 2
    if n > 1:
        root = isqrt(n)
        found.append((root, 2) if root * root == n and root > 1 else (n, 1))
    return found
