"""The normal form: every term is a polynomial over Q in atoms; and the known signs.

What may be done with an atom depends on signs; `Facts` collects them once for the hypotheses of a
sequent. It stands on three floors: atoms with their signs and intervals, powers, functions. Of the
functions of the table the parity, periods, recurrences and rounding are used.

Soundness. Premises: the hypotheses hold, and functions have some value everywhere. Conclusion: a
term and its normal form have the same value. Each step here and below that needs a sign asks
`sign` first: x/x is 1 where x != 0 is known, and the root or logarithm of a product is split where its
factors are known to be positive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from fractions import Fraction
from functools import partialmethod
from math import factorial, isqrt

from dpbook.kernel import enclosure
from dpbook.kernel.defined import obligations
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, size
from dpbook.kernel.normal import atoms
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import ALLOWED, NEGATIVE, NONNEGATIVE, NULL, POSITIVE, sign_of
from dpbook.kernel.normal.polynomials import Exponent, Monomial, Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import FUNCTIONS
from dpbook.kernel.terms import BINDERS, CHOICES, OO, ZERO, Term, bind, call, infinite, num, var

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
            self.atoms[i].sign &= atoms.NONZERO
        front = {P.raised(outside, e): (-c if negative else c) ** e}
        if rest == P.constant(1):
            return front
        turned = self.sign(rest) & POSITIVE == 0  # then its negative is known not to be negative
        index = self._base(P.scaled(rest, -1) if turned else rest)
        self.atoms[index].sign &= atoms.NONZERO
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
        sign = atoms.NONZERO if nonzero else atoms.ANY
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
    if n > FACTORED**2:
        return [(n, 1)]
    found: dict[int, int] = {}
    p = 2
    while p * p <= n and p < 40_000:
        if n % p:
            p += 1 if p == 2 else 2
        else:
            n, found[p] = n // p, found.get(p, 0) + 1
    if n > 1:
        root = isqrt(n)
        part, times = (root, 2) if root * root == n else (n, 1)
        found[part] = found.get(part, 0) + times
    return found.items()


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
        known = name in ("gamma", "beta") and all(map(self.positive, args))
        sign = POSITIVE if known else atoms.ANY
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
        """Divide by one number after another; without a result where one is missing, or may be 0."""
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
            near = value.__floor__() if name == "floor" else value.__ceil__()
            return P.plus(out, P.constant(near))
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
        sign = NEGATIVE if m % 2 == 0 else POSITIVE
        result = self._opaque("polygamma", [order, r], sign) if m else self._opaque("digamma", [r])
        front = (-1) ** int(m) * factorial(int(m))
        for i in range(k):
            below = self._to_number(P.plus(r, P.constant(i)), -m - 1)
            if below is None:
                return None
            result = P.plus(result, below, front)
        return result


class Facts(Functions):
    """The normal forms of the terms of one sequent, under its hypotheses.

    Attributes
    ----------
    literals : list of (polynomial, op) or None
        For each hypothesis that is a relation, ``polynomial op 0`` with op among >, >=, ==, !=.
    """

    def __init__(self, variables: Sequence[tuple[str, str]], hypotheses: Sequence[Formula]) -> None:
        super().__init__()
        self.sorts = dict(variables)
        self.integers = frozenset(n for n, s in variables if s == "integer")
        self.memo: dict[Term, Poly] = {}
        self.sure: dict[Term, Poly] = {}  # normal forms that more hypotheses do not change
        self.scope: dict[str, int] = {}
        self.literals: list[tuple[Poly, str] | None] = [None] * len(hypotheses)
        relations = [(i, f) for i, f in enumerate(hypotheses) if isinstance(f, (Relation, Is))]
        # simple ranges first, then what may need them; the second round knows every sign
        relations.sort(key=lambda pair: size(pair[1]))
        for _ in range(2):
            self._forget()
            for i, f in relations:
                self._try(i, f)
        self._forget()

    def extended(self, variables: Sequence[tuple[str, str]], *more: Formula) -> Facts:
        """Return the known facts when hypotheses, and perhaps variables, come in addition."""
        new = copy(self)
        new.sorts = dict(variables)
        new.integers = frozenset(n for n, s in variables if s == "integer")
        new.atoms = [a.copied() for a in self.atoms]
        new.index, new.known, new.sums = dict(self.index), dict(self.known), dict(self.sums)
        new.products, new.inner = dict(self.products), set(self.inner)
        new.whole_terms, new.literals = set(self.whole_terms), list(self.literals)
        new.sure, new.work, new.asking, new.scope = dict(self.sure), 0, set(), {}
        # the name that something bound has in a term depends on the variables
        kept = self.memo if new.sorts == self.sorts else {}
        new.memo = dict(kept) if all(isinstance(f, Relation) for f in more) else {}
        for f in more:
            new.literals.append(None)
            if isinstance(f, (Relation, Is)):
                new._try(len(new.literals) - 1, f)
            if new.learnt > self.learnt:
                new._forget()
            else:
                new.memo = {**kept, **new.memo}
        return new

    def _forget(self) -> None:
        """Drop normal forms and intervals, which may have been made without all signs."""
        self.memo = {}
        for a in self.atoms:
            if a.key[0] != "var":
                a.interval = None

    def _try(self, i: int, f: Relation | Is) -> None:
        try:
            self._learn(i, f)
        except Rejected:
            if self.work > atoms.WORK:
                raise

    # --- what the hypotheses say -----------------------------------------------------------------

    def _learn(self, i: int, f: Relation | Is) -> None:
        if isinstance(f, Is):
            if f.what == "integer":
                self._learn_whole(f.term)
                return
            for o in obligations(f.term, self.integers, frozenset(self.sorts)):
                if o.exact and isinstance(o.goal, Relation) and not o.variables and not o.given:
                    p, op = self.literal(o.goal)
                    self.note(p, ALLOWED[op])
                    self._narrow(p, op)
            return
        p, op = self.literal(f)
        self.literals[i] = (p, op)
        if f.op == "==" and f.left.head == "floor" and f.left.args[0] == f.right:
            self._learn_whole(f.right)
        self.note(p, ALLOWED[op])
        self._narrow(p, op)

    def _learn_whole(self, t: Term) -> None:
        self.whole_terms.add(P.frozen(self.canonical(self.poly(t))))
        self.learnt += 1

    def _learn_sign(self, index: int, sign: int) -> None:
        a = self.atoms[index]
        if a.sign & ~sign:
            a.sign &= sign
            self.learnt += 1

    def literal(self, f: Relation) -> tuple[Poly, str]:
        """Return a relation as ``polynomial op 0``, without denominators of known sign."""
        return self.cleared_literal(*self.difference(f))

    def difference(self, f: Relation) -> tuple[Poly, str]:
        """Return a relation as ``normal form op 0``, its denominators kept; op is > for <."""
        low, high = (f.left, f.right) if f.op in ("<", "<=") else (f.right, f.left)
        op = {"<": ">", "<=": ">="}.get(f.op, f.op)
        return P.plus(self.poly(high), self.poly(low), -1), op

    def cleared_literal(self, p: Poly, op: str) -> tuple[Poly, str]:
        """Multiply ``p op 0`` by denominators, so that no sign changes."""
        p, m = self.clear(p)
        under = tuple((i, e) for i, e in m if e < 0)
        over = tuple((i, e) for i, e in m if e > 0)
        sign = self.sign_of_monomial(under)
        if over and self.sign_of_monomial(over) == POSITIVE:
            over = ()
        if sign != POSITIVE and op not in ("==", "!="):
            if sign == NEGATIVE:
                p = P.scaled(p, -1)
            else:  # the square of a number other than 0 is positive
                p = self.expand(P.scaled(p, 1, P.raised(under, -1)))
        return (self.expand(P.scaled(p, 1, over)) if over else p), op

    def note(self, p: Poly, sign: int) -> None:
        """Remember the sign of a polynomial."""
        p, m = self.clear(p)
        p = P.scaled(p, 1, m)
        if not p:
            return
        negative, outside, rest = self.primitive(p)
        sign = atoms.flip(sign) if negative else sign
        first = self.sign_of_monomial(outside)
        if first in (POSITIVE, NEGATIVE):
            sign = atoms.flip(sign) if first == NEGATIVE else sign
        else:
            rest = P.scaled(rest, 1, outside)
            if sign in (POSITIVE, NEGATIVE, atoms.NONZERO):  # then no factor is 0
                for i, _ in outside:
                    self._learn_sign(i, atoms.NONZERO)
        key = P.frozen(rest)
        before = self.known.get(key, atoms.ANY)
        if before & ~sign:
            self.known[key] = before & sign
            self.learnt += 1
        if len(rest) == 1:
            ((m, _),) = rest.items()
            if len(m) == 1 and m[0][1] == 1:
                self._learn_sign(m[0][0], sign)
        elif len(rest) > 2 or P.ONE not in rest:
            self._learn_sum(rest, sign)

    def _learn_sum(self, p: Poly, sign: int) -> None:
        """Remember the interval of a sum without its number, from the sign of the whole."""
        span = atoms.interval_of_sign(sign)
        if span is None:
            return
        key, slope, number = atoms.sum_and_number(p)
        span = enclosure.scaled(enclosure.subtract(span, enclosure.point(number)), 1 / slope)
        before = self.sums.get(key, enclosure.REALS)
        found = enclosure.intersect(span, before)
        if found is not None and found != before:
            self.sums[key] = found
            self.learnt += 1

    def _narrow(self, p: Poly, op: str) -> None:
        """Take a bound of each atom that stands alone in a relation, from intervals of the rest."""
        if op == "!=" or len(p) > 12:
            return
        spans, endless = self._spans(p, op)
        for m, c in p.items():
            if not m:
                continue
            single = len(m) == 1 and m[0][1] == 1
            if endless - {m}:  # the rest has no bound: the atom keeps its known bounds
                if single:
                    self._learn_sign(m[0][0], sign_of(self.interval_of_atom(m[0][0])))
                continue
            here = self.interval_of_atom(m[0][0]) if single else self.interval({m: P.UNIT})
            edge = enclosure.ZERO  # the interval of -rest / c: m lies beyond it
            for n, d in p.items():
                if n != m:
                    edge = enclosure.add(edge, enclosure.scaled(spans[n], -d / c))
            if op != "==":
                strict = op == ">"
                if c > 0:
                    open_ = edge.low_open or strict or edge.low is None
                    edge = Interval(edge.low, None, open_, True)
                else:
                    open_ = edge.high_open or strict or edge.high is None
                    edge = Interval(None, edge.high, True, open_)
            found = enclosure.intersect(here, edge)
            if found is None:
                continue
            if found != here and (single or len(self.products) < 60):
                if single:
                    self.atoms[m[0][0]].interval = found
                else:
                    self.products[m] = found
                self.learnt += 1
                spans, endless = self._spans(p, op)
            if single:
                self._learn_sign(m[0][0], sign_of(found))

    def _spans(self, p: Poly, op: str) -> tuple[dict[Monomial, Interval], set[Monomial]]:
        """Return intervals of the monomials of ``p op 0``, and two at most whose term has no bound.

        The bound that matters to the others is the upper one, and for == any.
        """
        spans: dict[Monomial, Interval] = {}
        endless: set[Monomial] = set()
        for m, c in p.items():
            span = spans[m] = self._interval_of_monomial(m) or enclosure.REALS
            ends = (span.low, span.high) if op == "==" else (span.high if c > 0 else span.low,)
            if ends[0] is ends[-1] is None:
                endless.add(m)
                if len(endless) > 1:  # nothing is bounded by the others
                    break
        return spans, endless

    # --- terms to polynomials --------------------------------------------------------------------

    def poly(self, t: Term) -> Poly:
        """Return the normal form of a term."""
        # a bound variable may have the name of a free one, and then is another atom
        scoped = bool(self.scope) and not t.free.isdisjoint(self.scope)
        if not scoped:
            found = self.sure.get(t)
            if found is not None:
                return found
            found = self.memo.get(t)
            if found is not None:
                self.unsure += 1
                return found
        before = self.unsure
        found = self._poly(t)
        if len(found) > atoms.TERMS:
            raise Rejected(f"a polynomial has more than {atoms.TERMS} terms")
        if not scoped:
            (self.sure if self.unsure == before else self.memo)[t] = found
        return found

    def _poly(self, t: Term) -> Poly:
        if t.head == "num":
            return P.constant(t.value)
        if t.head == "var":
            if t.name in self.scope:
                return P.atom(self.scope[t.name])
            whole = t.name in self.integers
            return P.atom(self._atom(("var", t.name), t, whole=whole))
        if t.head == "add":
            return P.total(self.poly(a) for a in t.args)
        if t.head == "mul":
            result = P.constant(1)
            for a in t.args:
                result = self.product(result, self.poly(a))
            return result
        if t.head == "pow":
            return self._power(t)
        if t.head in BINDERS:
            return self._binder(t)
        if t.head in ("pi", "EulerGamma"):
            return P.atom(self._constant(t.head))
        if t.head in CHOICES:
            return self._choice(t)
        if t.head == "log" and self.positive(self.poly(t.args[0])):
            return self._log_of(t.args[0])
        return self._call(t.head, [self.poly(a) for a in t.args])

    def _choice(self, t: Term) -> Poly:
        a, b, first, other = t.args
        sign = self.sign(P.plus(self.poly(a), self.poly(b), -1))
        wanted = ALLOWED[CHOICES[t.head]]
        if sign & ~wanted == 0:
            return self.poly(first)
        if sign & wanted == 0:
            return self.poly(other)
        one, two = self.poly(first), self.poly(other)
        if one == two:
            return one
        gap = P.plus(self.poly(a), self.poly(b), -1)
        keys = tuple(P.frozen(self.canonical(p)) for p in (gap, one, two))
        term = call(t.head, self.term(gap), ZERO, self.term(one), self.term(two))
        return P.atom(self._atom(("choice", t.head, *keys), term))

    # --- powers and logarithms of terms, factor by factor ----------------------------------------

    def _power(self, t: Term) -> Poly:
        base, exponent = t.args[0], self.poly(t.args[1])
        if not exponent or set(exponent) == {P.ONE}:
            found = self._to_power(base, exponent.get(P.ONE, Rational(0)))
            return self._opaque("pow", [self.poly(base), exponent]) if found is None else found
        if self.positive(self.poly(base)):
            return self._exp(self.product(exponent, self._log_of(base)))
        if self.is_whole(exponent):
            return self._to_whole(base, exponent)
        return self._opaque("pow", [self.poly(base), exponent])

    def _to_power(self, t: Term, e: Fraction) -> Poly | None:
        """Return t^e for a number e, factor by factor where that is the same."""
        whole = e.denominator == 1
        if t.head == "mul" and (
            whole or all(self.sign(self.poly(a)) & NEGATIVE == 0 for a in t.args)
        ):
            # for e < 0 each factor is known not to be 0, or it gives None
            parts = [self._to_power(a, e) for a in t.args]
            result: Poly | None = P.constant(1)
            for part in parts:
                result = None if result is None or part is None else self.product(result, part)
            if result is not None:
                return result
        if t.head == "pow" and t.args[1].head == "num" and t.args[1].value.denominator == 1:
            inner, b = t.args[0], t.args[1].value
            sign = self.sign(self.poly(inner))
            if (whole and b >= 0 and e >= 0) or (whole and sign & NULL == 0):
                return self._to_power(inner, b * e)
            if sign & NEGATIVE == 0 and (b > 0 < e or sign & NULL == 0):
                return self._to_power(inner, b * e)
            if b % 2 == 0 and b > 0 < e:
                return self._to_number(self._abs(self.poly(inner)), b * e)
        return self._to_number(self.poly(t), e)

    def _to_whole(self, t: Term, exponent: Poly) -> Poly:
        """Return t^n for a whole exponent n, factor by factor where that is the same.

        (u v)^n = u^n v^n and (u^a)^n = u^(a n) for whole a, n >= 0, or where no base is 0.
        """
        natural = self.sign(exponent) & NEGATIVE == 0
        if t.head == "mul" and (
            natural or all(self.sign(self.poly(a)) & NULL == 0 for a in t.args)
        ):
            result = P.constant(1)
            for a in t.args:
                result = self.product(result, self._to_whole(a, exponent))
            return result
        if t.head == "pow":
            inner = self.poly(t.args[1])
            if self.is_whole(inner) and (
                (natural and self.sign(inner) & NEGATIVE == 0)
                or self.sign(self.poly(t.args[0])) & NULL == 0
            ):
                return self._to_whole(t.args[0], self.product(inner, exponent))
        if t.head == "num" and t.value < -1:
            sign, size = (self._to_whole(num(c), exponent) for c in (-1, -t.value))
            return self.product(sign, size)
        base = self.poly(t)
        if self.positive(base):
            return self._exp(self.product(exponent, self._log_of(t)))
        return self._whole_power(base, exponent)

    def _log_of(self, t: Term) -> Poly:
        """Return log(t) for t > 0, factor by factor where each is known to be positive."""
        if t.head == "mul" and all(self.positive(self.poly(a)) for a in t.args):
            return P.total(self._log_of(a) for a in t.args)
        if t.head == "pow" and self.positive(self.poly(t.args[0])):
            return self.product(self.poly(t.args[1]), self._log_of(t.args[0]))
        if t.head == "exp":
            return self.poly(t.args[0])
        return self._log(self.poly(t))

    # --- sums, products, integrals ---------------------------------------------------------------

    def _binder(self, t: Term) -> Poly:
        self.unsure += 1
        body, low, high = t.args
        ends = [self._end(low), self._end(high)]
        keys = tuple(e if isinstance(e, str) else P.frozen(self.canonical(e)) for e in ends)
        whole = t.head != "integral"
        name = f"i{t.height - 1}"
        while name in self.sorts or name in t.free:
            name += "_"
        index = self._atom(("bound", t.height, t.head, *keys), var(name), whole=whole)
        v = self.atoms[index]
        v.bound |= {index}
        oriented = whole or self._oriented_ends(ends)
        for end, turned in zip(ends, (POSITIVE, NEGATIVE), strict=True):
            if oriented and not isinstance(end, str):
                sign = atoms.both(self.sign(end), turned)
                if sign & NEGATIVE == 0:
                    known = POSITIVE if sign == POSITIVE or not whole else NONNEGATIVE
                    v.sign &= atoms.both(known, turned)
                gap = P.scaled(P.plus(P.atom(index), end, -1), 1 if turned == POSITIVE else -1)
                self.note(gap, NONNEGATIVE if whole else POSITIVE)
        outer, self.scope = self.scope, {**self.scope, t.name: index}
        try:
            inside = self.canonical(self.poly(body))
        finally:
            self.scope = outer
        # nothing is known of the value of a series here: rules give it
        if t.head != "sum" or any(isinstance(e, str) for e in ends):
            return P.atom(self._bound_atom(t.head, inside, index, keys, low, high))
        result: Poly = {}
        for m, c in inside.items():
            out = tuple((i, e) for i, e in m if index not in self.atoms[i].bound)
            kept = tuple((i, e) for i, e in m if index in self.atoms[i].bound)
            if not kept:
                count = self._count(ends)
                if count is not None:
                    result = P.plus(result, self.product({out: c}, count))
                    continue
            made = self._bound_atom("sum", {kept: Rational(1)}, index, keys, low, high)
            result = P.plus(result, self.product({out: c}, P.atom(made)))
        return result

    def _oriented_ends(self, ends: Sequence[Poly | str]) -> bool:
        """Return whether the lower end of an integral is known to be at most the upper one."""
        low, high = ends
        if isinstance(low, str) or isinstance(high, str):
            return low != "oo" and high != "-oo"
        return self.sign(P.plus(high, low, -1)) & NEGATIVE == 0

    def _count(self, ends: Sequence[Poly | str]) -> Poly | None:
        """Return the number of terms of a sum whose ends are integers, the upper not too low."""
        low, high = ends
        if isinstance(low, str) or isinstance(high, str):
            return None
        count = P.plus(P.plus(high, low, -1), P.constant(1))
        fine = self.is_whole(low) and self.is_whole(high) and self.sign(count) & NEGATIVE == 0
        return count if fine else None

    def _end(self, t: Term) -> Poly | str:
        return ("oo" if t == OO else "-oo") if infinite(t) else self.poly(t)

    def _bound_atom(
        self, head: str, body: Poly, index: int, keys: tuple[object, ...], low: Term, high: Term
    ) -> int:
        name = self.atoms[index].term.name
        key: atoms.Key = ("binder", head, index, P.frozen(body), *keys)
        term = bind(head, self.term(body), name, self._end_term(low), self._end_term(high))
        made = self._atom(key, term)
        a = self.atoms[made]
        a.bound = a.bound - {index}
        sign = self.sign(body)
        if any(isinstance(k, str) for k in keys):
            return made
        if head == "sum":
            if sign in (POSITIVE, NONNEGATIVE, NEGATIVE, atoms.NONPOSITIVE):
                a.sign &= sign | NULL
        elif head == "product" and sign in (POSITIVE, atoms.NONZERO, NONNEGATIVE):
            a.sign &= sign
        return made

    def _end_term(self, t: Term) -> Term:
        return t if infinite(t) else self.term(self.poly(t))
