"""Powers, exponentials, logarithms and the functions of the table, at polynomials in atoms.

Every step that holds under a condition only asks for the sign first: x/x is 1 where x != 0 is
known, and the root or logarithm of a product is split where its factors are known to be positive.
Of the functions of the table the parity, periods, recurrences and rounding are used.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import partialmethod
from math import factorial, isqrt

from dpbook.kernel.errors import Rejected
from dpbook.kernel.normal import atoms
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE, NONNEGATIVE, NONZERO, NULL, POSITIVE
from dpbook.kernel.normal.polynomials import Exponent, Monomial, Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import FUNCTIONS
from dpbook.kernel.terms import call, num

SHIFTS = 60  # steps of a recurrence
EXPANDED = 24  # the highest power of a sum that is multiplied out
FACTORED = 10**9  # numbers above are not factored


class Powers(atoms.Atoms):
    """Atoms, and polynomials raised to powers."""

    # --- powers ----------------------------------------------------------------------------------

    def _root_of_number(self, c: Fraction, e: Fraction) -> Poly | None:
        """Return c^e for c > 0 as a product of roots of primes."""
        result = P.constant(1)
        for prime, times in _factors(c):
            whole, rest = divmod(e * times, 1)
            if abs(whole) > 3000 or abs(whole) * prime.bit_length() > 40_000:
                return None
            result = P.scaled(result, Rational(prime) ** int(whole))
            if rest:
                result = P.product(result, P.atom(self._prime(prime), P.whole(rest)))
        return result

    def _prime(self, number: int) -> int:
        return self._atom(("prime", number), num(number), POSITIVE, True)

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
        if e > EXPANDED or len(p) ** min(e, 6) > 40 * atoms.TERMS and e > 2:
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
        sign = NONZERO if nonzero else atoms.ANY
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
        for prime, times in _factors(c):
            result = P.plus(result, self._log_of_atom(self._prime(prime)), times)
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
            return atoms.thaw(a.key[1])
        if a.key[:2] == ("call", "gamma") and self.positive(atoms.thaw(a.key[2])):
            return self._opaque("loggamma", [atoms.thaw(a.key[2])])
        made = self._atom(("log", index), call("log", a.term))
        self.atoms[made].bound = a.bound
        if a.key[0] == "prime":
            self.atoms[made].sign = POSITIVE
        return P.atom(made)


def _digits(c: Fraction) -> int:
    return c.numerator.bit_length() + c.denominator.bit_length()


def _factors(c: Fraction) -> Iterable[tuple[int, int]]:
    """Factor a number > 0; the exponents of its denominator are negative."""
    yield from _factored(c.numerator)
    yield from ((prime, -times) for prime, times in _factored(c.denominator))


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


class Functions(Powers):
    """Atoms, and functions of polynomials in them."""

    def _call(self, name: str, args: list[Poly]) -> Poly:
        u = args[0] if args else {}
        if name == "exp":
            return self._exp(u)
        if name == "log":
            return self._log(u) if self.positive(u) else self._opaque("log", args)
        row = FUNCTIONS.get(name)
        # the known facts about a function stand in the method of its name
        special = None if row is None else getattr(self, f"_{name}", None)
        result: Poly | None = None if special is None else special(*args)
        if result is not None:
            return result
        sign = (
            POSITIVE if name in ("gamma", "beta") and all(map(self.positive, args)) else atoms.ANY
        )
        # where a function is not defined, its value need not be an integer
        whole = row is not None and row.integral and not row.domain
        return self._opaque(name, args, sign, whole)

    def _lowergamma(self, u: Poly, v: Poly) -> Poly | None:
        """An integral from 0 to 0 is 0; NIST DLMF 8.2.1."""
        return {} if not v and self.positive(u) else None

    def _uppergamma(self, u: Poly, v: Poly) -> Poly | None:
        """Of 1 and v >= 0 it is exp(-v); NIST DLMF 8.4.5."""
        if u != P.constant(1) or self.sign(v) & NEGATIVE:
            return None
        return self._exp(P.scaled(v, -1))

    def _betainc(self, a: Poly, b: Poly, low: Poly, high: Poly) -> Poly | None:
        """An integral from a point of [0, 1] to itself is 0, that from 0 to 1 is beta; NIST DLMF 8.17.1."""
        if not (self.positive(a) and self.positive(b) and set(low) | set(high) <= {()}):
            return None
        if low == high and 0 <= low.get((), 0) <= 1:
            return {}
        whole = not low and high == P.constant(1)
        return self._call("beta", [a, b]) if whole else None

    # --- even and odd functions ------------------------------------------------------------------

    def _odd(self, name: str, u: Poly) -> Poly:
        if not u:
            return {}
        negative, _, _ = self.primitive(self.canonical(u))
        found = self._opaque(name, [P.scaled(u, -1) if negative else u])
        return P.scaled(found, -1) if negative else found

    def _erfc(self, u: Poly) -> Poly:
        return P.plus(P.constant(1), self._odd("erf", u), -1)

    def _atan(self, u: Poly) -> Poly:
        """Of 1 a quarter of pi, as tan(pi/4) = 1; an odd function."""
        quarter: Poly = {((self._constant("pi"), 1),): Rational(1, 4)}
        if u == P.constant(1):
            return quarter
        if u == P.constant(-1):
            return P.scaled(quarter, -1)
        return self._odd("atan", u)

    _erf, _asinh = partialmethod(_odd, "erf"), partialmethod(_odd, "asinh")

    def _sin(self, u: Poly) -> Poly:
        turns = self._half_turns(u)
        if turns is not None:
            return P.constant((0, 1, 0, -1)[turns % 4])
        return self._odd("sin", u)

    def _cos(self, u: Poly) -> Poly:
        turns = self._half_turns(u)
        if turns is not None:
            return P.constant((1, 0, -1, 0)[turns % 4])
        negative, _, _ = self.primitive(self.canonical(u))
        return self._opaque("cos", [P.scaled(u, -1) if negative else u])

    def _half_turns(self, u: Poly) -> int | None:
        """Return k where u = k pi / 2."""
        if not u:
            return 0
        pi = self._constant("pi")
        if set(u) == {((pi, 1),)}:
            c = 2 * u[((pi, 1),)]
            return int(c) if c.denominator == 1 else None
        return None

    # --- functions written by exponentials -------------------------------------------------------

    def _over(self, top: Poly | None, *below: Poly | None) -> Poly | None:
        """Return top / below / ...; None where one of them is None, or not known to differ from 0."""
        for p in below:
            inverse = None if p is None else self._to_number(p, Rational(-1))
            top = None if top is None or inverse is None else self.product(top, inverse)
        return top

    def _sinh(self, u: Poly) -> Poly:
        e = self._exp(u)
        return P.scaled(P.plus(e, self._exp(P.scaled(u, -1)), -1), Rational(1, 2))

    def _cosh(self, u: Poly) -> Poly:
        return P.scaled(P.plus(self._exp(u), self._exp(P.scaled(u, -1))), Rational(1, 2))

    def _tanh(self, u: Poly) -> Poly | None:
        return self._over(self._sinh(u), self._cosh(u))

    def _sech(self, u: Poly) -> Poly | None:
        return self._to_number(self._cosh(u), Rational(-1))

    def _tan(self, u: Poly) -> Poly | None:
        below = self._sec(u)
        return None if below is None else self.product(self._sin(u), below)

    def _sec(self, u: Poly) -> Poly | None:
        return self._to_number(self._cos(u), Rational(-1))

    # --- signs, order, rounding ------------------------------------------------------------------

    def _sign(self, u: Poly) -> Poly | None:
        return {POSITIVE: P.constant(1), NEGATIVE: P.constant(-1), NULL: {}}.get(self.sign(u))

    def _extreme(self, name: str, better: int, *args: Poly) -> Poly:
        """Drop what another argument always reaches; the rest in a fixed order."""
        kept: list[Poly] = []
        for a in args:
            if any(self.sign(P.plus(a, b, -1)) & better == 0 for b in kept):
                continue
            kept = [b for b in kept if self.sign(P.plus(b, a, -1)) & better]
            kept.append(a)
        if len(kept) == 1:
            return kept[0]
        kept.sort(key=lambda p: sorted(map(str, self.canonical(p).items())))
        return self._opaque(name, kept)

    _max = partialmethod(_extreme, "max", POSITIVE)
    _min = partialmethod(_extreme, "min", NEGATIVE)

    def _rounded(self, name: str, u: Poly) -> Poly | None:
        """Take integers out of a floor: floor(u + k) = floor(u) + k."""
        if self.is_whole(u):
            return u
        out = {m: c for m, c in u.items() if m and self.is_whole({m: c})}
        c = u.get(P.ONE, Rational(0))
        if c.__floor__():
            out[P.ONE] = Rational(c.__floor__())
        rest = P.plus(u, out, -1)
        if set(rest) <= {P.ONE}:
            value = rest.get(P.ONE, Rational(0))
            return P.plus(
                out, P.constant(value.__floor__() if name == "floor" else value.__ceil__())
            )
        return P.plus(out, self._opaque(name, [rest], whole=True)) if out else None

    _floor = partialmethod(_rounded, "floor")
    _ceiling = partialmethod(_rounded, "ceiling")

    # --- Gamma and its kin -----------------------------------------------------------------------

    def _factorial(self, u: Poly) -> Poly | None:
        if self.is_whole(u) and self.sign(u) & NEGATIVE == 0:
            return self._gamma(P.plus(u, P.constant(1)))
        return None

    def _binomial(self, n: Poly, k: Poly) -> Poly | None:
        rest = P.plus(n, k, -1)
        if self.sign(k) & NEGATIVE or self.sign(rest) & NEGATIVE:
            return None
        top, first, second = (self._gamma(P.plus(p, P.constant(1))) for p in (n, k, rest))
        # one after the other, for the sign of each is known and the sign of the product need not be
        return self._over(top, first, second)

    def _beta(self, a: Poly, b: Poly) -> Poly | None:
        first, second, below = (self._gamma(p) for p in (a, b, P.plus(a, b)))
        if first is None or second is None:
            return None
        return self._over(self.product(first, second), below)

    def _shifted(self, u: Poly) -> tuple[Poly, int] | None:
        """Write u > 0 as r + k with r > 0 as small as is known, and k an integer."""
        if not self.positive(u):
            return None
        c = u.get(P.ONE, Rational(0))
        for up in range(4):
            k = c.__floor__() - up
            r = P.plus(u, P.constant(k), -1)
            if abs(k) <= SHIFTS and self.positive(r):
                return r, k
        return u, 0

    def _gamma(self, u: Poly) -> Poly | None:
        """Gamma(r + k) = r (r + 1) ... (r + k - 1) Gamma(r)."""
        if set(u) == {P.ONE} and u[P.ONE].denominator == 1 and 0 < u[P.ONE] <= 200:
            return P.constant(factorial(int(u[P.ONE]) - 1))
        found = self._shifted(u)
        if found is None:
            return None
        r, k = found
        if r == P.constant(Rational(1, 2)):
            result = P.atom(self._constant("pi"), Rational(1, 2))
        else:
            result = self._opaque("gamma", [r], POSITIVE)
        for i in range(k):
            result = self.product(result, P.plus(r, P.constant(i)))
        return self._over(result, *(P.plus(r, P.constant(i), -1) for i in range(1, -k + 1)))

    def _loggamma(self, u: Poly) -> Poly | None:
        g = self._gamma(u)
        return None if g is None or not self.positive(g) else self._log(g)

    def _digamma(self, u: Poly) -> Poly | None:
        return self._polygamma({}, u)

    def _polygamma(self, order: Poly, u: Poly) -> Poly | None:
        """psi_m(r + k) = psi_m(r) + (-1)^m m! sum of 1/(r + i)^(m + 1)."""
        m = order.get(P.ONE, Rational(0))
        if set(order) - {P.ONE} or m.denominator != 1 or not 0 <= m <= 20:
            return None
        found = self._shifted(u)
        if found is None:
            return None
        r, k = found
        if k < 0:
            return None
        result = (
            self._opaque("polygamma", [order, r], NEGATIVE if m % 2 == 0 else POSITIVE)
            if m
            else self._opaque("digamma", [r])
        )
        front = (-1) ** int(m) * factorial(int(m))
        for i in range(k):
            below = self._to_number(P.plus(r, P.constant(i)), -m - 1)
            if below is None:
                return None
            result = P.plus(result, below, front)
        return result
