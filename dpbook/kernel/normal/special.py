"""The functions of the table at polynomials in atoms: parity, periods, recurrences, rounding."""

from __future__ import annotations

from functools import partialmethod
from math import factorial

from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.polynomials import Poly
from dpbook.kernel.normal.powers import SHIFTS, Powers
from dpbook.kernel.normal.signs import ANY, NEGATIVE, NULL, POSITIVE
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import FUNCTIONS


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
        sign = POSITIVE if name in ("gamma", "beta") and all(map(self.positive, args)) else ANY
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

    def _over(self, top: Poly, below: Poly) -> Poly | None:
        """Return top / below; None where below is not known to differ from 0."""
        inverse = self._to_number(below, Rational(-1))
        return None if inverse is None else self.product(top, inverse)

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
        if top is None or first is None or second is None:
            return None
        return self._over(top, self.product(first, second))

    def _beta(self, a: Poly, b: Poly) -> Poly | None:
        first, second, below = (self._gamma(p) for p in (a, b, P.plus(a, b)))
        if first is None or second is None or below is None:
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
        result: Poly | None
        if r == P.constant(Rational(1, 2)):
            result = P.atom(self._constant("pi"), Rational(1, 2))
        else:
            result = self._opaque("gamma", [r], POSITIVE)
        for i in range(k):
            result = self.product(result, P.plus(r, P.constant(i)))
        for i in range(1, -k + 1):
            result = self._over(result, P.plus(r, P.constant(i), -1))
            if result is None:
                return None
        return result

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
