"""Decide exact identities by a normal form in independent generators, which must be a literal 0.

Each atom that is not rational arithmetic (an exponential, a logarithm, a power with a symbolic
exponent, a root, a Gamma value ...) is reduced to canonical atoms, which are then treated as
independent. A zero there is a zero everywhere that both sides are defined; the converse need not
hold, so a non-zero normal form decides nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from math import comb

import sympy
from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx
from sympy import Add, Dummy, Expr, Integer, Mul, Pow, Rational, S, Symbol

from dpbook.engine.language.statement import nodes_of

SignTest = Callable[[Expr], bool]

# the most that FLINT may compute: beyond it, FLINT allocates until the process ends
MOST_DEGREE = 4096
MOST_TERMS = 200_000
MOST_BITS = 1 << 20  # of a number


class TooLarge(TypeError):
    """Signal an expression whose polynomials would be too large to be written out."""


def _never(_: Expr) -> bool:
    return False


def is_zero(expression: Expr, positive: SignTest = _never) -> bool:
    """Say whether an expression is identically zero where it is defined.

    Parameters
    ----------
    expression : Expr
        Evaluated, in symbols that carry the signs of their domain.
    positive : callable
        A sound test for positivity of a rational expression on the domain, used to split
        logarithms and powers of products.
    """
    if expression.is_Rational:
        return expression == 0
    try:
        return Normaliser(positive).numerator(expression) == 0
    except (
        sympy.PolynomialError,
        NotImplementedError,
        RecursionError,
        TypeError,
        ValueError,
        ArithmeticError,
    ):
        return False


class Normaliser:
    """Rewrite expressions into rational functions of independent generators.

    Parameters
    ----------
    positive : callable
        See `is_zero`.
    shifted : bool
        Whether Gamma(n + 1) becomes n Gamma(n). An identity survives that, but a generator that
        stands for Gamma(n) has no value at n = 0, where Gamma(n + 1) has one.
    """

    def __init__(self, positive: SignTest = _never, shifted: bool = True) -> None:
        self.positive = positive
        self.shifted = shifted
        self.atoms: dict[Expr, Dummy] = {}
        self.roots: dict[Dummy, tuple[int, Expr]] = {}
        self.relations: list[tuple[Dummy, Dummy]] = []  # sin, cos pairs
        self.memo: dict[Expr, Expr] = {}

    def numerator(self, expression: Expr) -> Expr:
        """Return 0 for an identity, and something else where that is not shown."""
        prepared = prepare(expression)
        self._common_denominators(prepared)
        flat = self.flat(prepared)
        return self._reduced(flat)

    def quotient(self, top: Expr, bottom: Expr, most: int) -> Expr | None:
        """Return top / bottom in lowest terms; None when it has more than `most` terms."""
        prepared = prepare(top / bottom)
        self._common_denominators(prepared)
        quotient = Quotient.of(self.flat(prepared))
        return self._back(quotient.cancelled()) if quotient.terms() <= most else None

    # --- to generators -----------------------------------------------------------------------

    def _atom(self, key: Expr) -> Dummy:
        if key not in self.atoms:
            self.atoms[key] = Dummy(f"g{len(self.atoms)}")
        return self.atoms[key]

    def flat(self, e: Expr) -> Expr:
        """Replace every non-rational part by its generators."""
        if e in self.memo:
            return self.memo[e]
        result = self._flat(e)
        self.memo[e] = result
        return result

    def _flat(self, e: Expr) -> Expr:
        if e.is_Rational or isinstance(e, Symbol):
            return e
        if isinstance(e, Add):
            return Add(*[self.flat(a) for a in e.args])
        if isinstance(e, Mul):
            return Mul(*[self.flat(a) for a in e.args])
        if isinstance(e, sympy.exp):
            return self._exponential(self._exponent(e.args[0]))
        if e is S.Exp1:
            return self._exponential(S.One)
        if isinstance(e, Pow):
            return self._power(e.base, e.exp)
        if isinstance(e, sympy.log):
            return self._logarithm(e.args[0])
        if isinstance(e, sympy.gamma):
            return self._gamma(self.canonical(e.args[0]))
        if isinstance(e, sympy.loggamma):
            return self._loggamma(self.canonical(e.args[0]))
        if isinstance(e, sympy.polygamma) and e.args[0] == 0:
            return self._digamma(self.canonical(e.args[1]))
        if isinstance(e, sympy.Abs):
            inner = self.canonical(e.args[0])
            lead = sympy.factor_terms(inner)
            if lead.could_extract_minus_sign():
                inner = -inner
            return self._atom(sympy.Abs(inner, evaluate=False))
        if isinstance(e, (sympy.Max, sympy.Min)):
            arguments = sorted({self.canonical(a) for a in e.args}, key=sympy.default_sort_key)
            return self._atom(e.func(*arguments, evaluate=False))
        if e.args:
            bound = isinstance(e, (sympy.Sum, sympy.Product, sympy.Integral, sympy.Piecewise))
            if bound:
                return self._atom(e)
            return self._atom(e.func(*[self.canonical(a) for a in e.args], evaluate=False))
        return self._atom(e)

    def canonical(self, e: Expr) -> Expr:
        """Return a canonical equal of an argument: its normal form, put back into atoms."""
        if e.is_Rational or isinstance(e, Symbol):
            return e
        flat = self._reduced_fraction(self.flat(prepare(e)))
        back = {dummy: key for key, dummy in self.atoms.items()}
        for _ in range(len(back) + 1):
            used = flat.free_symbols & set(back)
            if not used:
                break
            flat = flat.xreplace({d: back[d] for d in used})
        return flat

    def _exponent(self, e: Expr) -> Expr:
        """Return the terms of an exponent: a fraction as its quotient and what remains of it."""
        if e.is_Rational or isinstance(e, Symbol):
            return e
        flat = self._reduced_fraction(self.flat(prepare(e)))
        top, bottom = sympy.fraction(flat)
        variables = sorted(bottom.free_symbols, key=str)
        if variables and len(bottom.args) > 1 and bottom.is_Add:
            whole, rest = sympy.div(top, bottom, *variables)
            flat = sympy.expand(whole) + sympy.expand(rest / bottom)
        else:
            flat = sympy.expand(flat)
        return self._back(flat)

    def _common_denominators(self, e: Expr) -> None:
        self.exp_unit: dict[Expr, int] = {}
        self.power_unit: dict[tuple[Expr, Expr], int] = {}
        for node in nodes_of(e):
            if isinstance(node, sympy.exp):
                for term in Add.make_args(sympy.expand(node.args[0])):
                    c, rest = term.as_coeff_Mul()
                    if c.is_Rational:
                        self.exp_unit[rest] = sympy.ilcm(self.exp_unit.get(rest, 1), c.q)

    def _exponential(self, u: Expr) -> Expr:
        factors = []
        for term in Add.make_args(u):
            c, rest = term.as_coeff_Mul()
            if not c.is_Rational:
                c, rest = S.One, term
            logs = [a for a in Mul.make_args(rest) if isinstance(a, sympy.log)]
            if len(logs) == 1:
                exponent = c * rest / logs[0]
                factors.append(self._power(logs[0].args[0], exponent))
                continue
            unit = self.exp_unit.get(rest, c.q)
            if (c * unit).q != 1:
                unit = sympy.ilcm(unit, c.q)
            generator = self._atom(sympy.exp(rest / unit, evaluate=False))
            factors.append(generator ** Integer(c * unit))
        return Mul(*factors)

    def _power(self, base: Expr, exponent: Expr) -> Expr:
        if exponent.is_Integer:
            if abs(exponent) > 24 and isinstance(base, Add):
                return self._atom(self.canonical(base)) ** exponent  # never multiplied out
            return self.flat(base) ** exponent
        if base == S.Exp1:
            return self._exponential(self._exponent(exponent))
        if isinstance(base, sympy.exp):
            return self._exponential(sympy.expand(self.canonical(base.args[0] * exponent)))
        if isinstance(base, Pow) and (
            (exponent.is_integer and base.exp.is_integer) or self.is_positive(base.base)
        ):
            return self._power(base.base, base.exp * exponent)
        exponent = self._exponent(exponent)
        flat = self._reduced_fraction(self.flat(base))
        parts = self._split(flat, exponent)
        return Mul(*[self._part_power(b, sympy.expand(m * exponent)) for b, m in parts])

    def _part_power(self, part: Expr, exponent: Expr) -> Expr:
        """Return a power of one part; exponents multiply if the part is a power's own generator."""
        if isinstance(part, Dummy):
            key = self._back(part)
            if isinstance(key, sympy.exp):
                return self._exponential(sympy.expand(self.canonical(key.args[0] * exponent)))
            if isinstance(key, Pow) and (
                (exponent.is_integer and key.exp.is_integer) or self.is_positive(key.base)
            ):
                return self._power(key.base, sympy.expand(key.exp * exponent))
        return self._simple_power(part, exponent)

    def _split(self, flat: Expr, exponent: Expr) -> list[tuple[Expr, int]]:
        """Write a rational expression as powers of parts, where the exponent allows it."""
        if flat.is_Rational:
            if flat > 0:
                factors = sympy.factorint(flat.p) if flat.p < 10**12 else {flat.p: 1}
                below = sympy.factorint(flat.q) if flat.q < 10**12 else {flat.q: 1}
                return [(Integer(b), m) for b, m in factors.items() if b != 1] + [
                    (Integer(b), -m) for b, m in below.items() if b != 1
                ]
            return [(flat, 1)]
        constant, factors = sympy.factor_list(sympy.fraction(flat)[0])
        constant_below, below = sympy.factor_list(sympy.fraction(flat)[1])
        constant = constant / constant_below
        pieces = [(f, m) for f, m in factors] + [(f, -m) for f, m in below]
        if exponent.is_integer:
            for place, (f, m) in enumerate(pieces):
                if not self._flat_positive(f) and self._flat_positive(-f):
                    pieces[place] = (-f, m)
                    constant = -constant if m % 2 else constant
            head = [(constant, 1)] if constant not in (1,) else []
            if constant.is_Rational and constant > 0:
                head = self._split(constant, exponent)
            return head + pieces
        good: list[tuple[Expr, int]] = []
        rest: Expr = S.One
        for f, m in pieces:
            if self._flat_positive(f):
                good.append((f, m))
            elif self._flat_positive(-f) and m % 2 == 0:
                good.append((-f, m))
            elif self._flat_positive(-f):
                good.append((-f, m))
                constant = -constant
            else:
                rest = rest * f**m
        if rest == 1 and constant > 0:
            return self._split(constant, exponent) + good
        if constant.is_Rational and constant > 0:
            return self._split(constant, exponent) + good + [(rest, 1)]
        return good + [(constant * rest, 1)]

    def _simple_power(self, base: Expr, exponent: Expr) -> Expr:
        """Return a power whose base is not split further; terms of the exponent give generators."""
        if base == 1:
            return S.One
        factors = []
        for term in Add.make_args(exponent):
            c, rest = term.as_coeff_Mul()
            if rest == 1:
                whole = c.p // c.q
                factors.append(base**whole)
                fraction = c - whole
                if fraction:
                    factors.append(self._root(base, fraction.q) ** fraction.p)
                continue
            q = c.q
            key = (base, rest)
            unit = sympy.ilcm(self.power_unit.get(key, 1), q)
            self.power_unit[key] = unit
            if unit == 1:
                factors.append(self._atom(Pow(self._back(base), rest, evaluate=False)) ** c)
            else:
                generator = self._atom(Pow(self._back(base), rest / unit, evaluate=False))
                if self.is_positive(self._back(base)):
                    factors.append(generator ** Integer(c * unit))
                else:
                    factors.append(self._atom(Pow(self._back(base), term, evaluate=False)))
        return Mul(*factors)

    def _back(self, flat: Expr) -> Expr:
        back = {dummy: key for key, dummy in self.atoms.items()}
        while flat.free_symbols & set(back):
            flat = flat.xreplace({d: back[d] for d in flat.free_symbols & set(back)})
        return flat

    def _root(self, base: Expr, degree: int) -> Dummy:
        known = [q for d, (q, b) in self.roots.items() if b == base]
        for d, (q, b) in self.roots.items():
            if b == base and q % degree == 0:
                return d ** (q // degree)
        generator = self._atom(Pow(self._back(base), Rational(1, degree), evaluate=False))
        if not known:
            self.roots[generator] = (degree, base)
        return generator

    def _logarithm(self, u: Expr) -> Expr:
        if isinstance(u, sympy.exp):
            return self.flat(u.args[0])
        if isinstance(u, Pow) and self.is_positive(u.base):
            return self.flat(u.exp) * self._logarithm(u.base)
        if isinstance(u, Mul):
            positive = [a for a in u.args if self.is_positive(a)]
            others = [a for a in u.args if not self.is_positive(a)]
            if positive and len(others) > 0:
                return Add(*[self._logarithm(a) for a in positive]) + self._logarithm(Mul(*others))
            if positive and not others and len(positive) > 1:
                return Add(*[self._logarithm(a) for a in positive])
        flat = self._reduced_fraction(self.flat(u))
        return Add(*[m * self._simple_log(b) for b, m in self._split(flat, Rational(1, 2))])

    def _simple_log(self, base: Expr) -> Expr:
        if base == 1:
            return S.Zero
        back = self._back(base)
        if isinstance(back, sympy.exp):
            return self.flat(back.args[0])
        if isinstance(back, Pow) and self.is_positive(back.base):
            return self.flat(back.exp) * self._logarithm(back.base)
        return self._atom(sympy.log(back, evaluate=False))

    def _shift(self, u: Expr) -> tuple[Expr, int]:
        c, rest = sympy.expand(u).as_coeff_Add()
        whole = int(sympy.floor(c)) if c.is_Rational and self.shifted else 0
        return rest + (c - whole), whole

    def _gamma(self, u: Expr) -> Expr:
        if u.is_Integer and 0 < u < 200:
            return sympy.factorial(u - 1)
        rest, k = self._shift(u)
        if rest == S.Half:
            value: Expr = self._root(self._atom(S.Pi), 2)
        else:
            value = self._atom(sympy.gamma(rest, evaluate=False))
        flat = self.flat(rest)
        if abs(k) > 60:
            return self._atom(sympy.gamma(u, evaluate=False))
        for i in range(abs(k)):
            value = value * (flat + i) if k > 0 else value / (flat - i - 1)
        return value

    def _loggamma(self, u: Expr) -> Expr:
        rest, k = self._shift(u)
        if abs(k) > 60 or rest == 0:
            return self._atom(sympy.loggamma(u, evaluate=False))
        value: Expr = self._atom(sympy.log(sympy.gamma(rest, evaluate=False), evaluate=False))
        for i in range(abs(k)):
            value = (
                value + self._logarithm(rest + i)
                if k > 0
                else value - self._logarithm(rest - i - 1)
            )
        return value

    def _digamma(self, u: Expr) -> Expr:
        rest, k = self._shift(u)
        if abs(k) > 60 or rest == 0:
            return self._atom(sympy.polygamma(0, u, evaluate=False))
        value: Expr = self._atom(sympy.polygamma(0, rest, evaluate=False))
        flat = self.flat(rest)
        for i in range(abs(k)):
            value = value + 1 / (flat + i) if k > 0 else value - 1 / (flat - i - 1)
        return value

    # --- signs ---------------------------------------------------------------------------------

    def is_positive(self, e: Expr) -> bool:
        if e.is_Rational:
            return bool(e > 0)
        if isinstance(e, Symbol):
            return bool(e.is_positive) or self.positive(e)
        if isinstance(e, sympy.exp):
            return True
        return self.positive(e)

    def _flat_positive(self, flat: Expr) -> bool:
        return self.is_positive(self._back(flat))

    # --- rational functions ----------------------------------------------------------------------

    def _reduced_fraction(self, flat: Expr) -> Expr:
        if flat.is_Rational or isinstance(flat, Symbol):
            return flat
        return Quotient.of(flat).cancelled()

    def _reduced(self, flat: Expr) -> Expr:
        if flat.is_Rational:
            return flat
        quotient = Quotient.of(flat)
        if quotient.top.is_zero():
            return S.Zero
        if not self.roots and not any(isinstance(key, sympy.sin) for key in self.atoms):
            return S.One  # not zero as a polynomial, and no generator is tied to another
        numerator = quotient.numerator()
        # a root's own generator may stand inside another root's radicand: innermost last
        for generator, (degree, base) in reversed(list(self.roots.items())):
            if generator not in numerator.free_symbols:
                continue
            poly = sympy.Poly(numerator, generator)
            reduced = S.Zero
            for (power,), coefficient in poly.terms():
                reduced += coefficient * base ** (power // degree) * generator ** (power % degree)
            numerator = _numerator(reduced)
            if numerator == 0:
                return S.Zero
        for key, sine in list(self.atoms.items()):
            if isinstance(key, sympy.sin):
                cosine = self.atoms.get(sympy.cos(key.args[0], evaluate=False))
                if cosine is not None and sine in numerator.free_symbols:
                    poly = sympy.Poly(numerator, sine)
                    numerator = _numerator(
                        Add(
                            *[
                                c * (1 - cosine**2) ** (p // 2) * sine ** (p % 2)
                                for (p,), c in poly.terms()
                            ]
                        )
                    )
        return numerator


def _numerator(flat: Expr) -> Expr:
    """Return the numerator of a rational expression in expanded form."""
    if flat.is_Rational:
        return flat
    return Quotient.of(flat).numerator()


class Quotient:
    """Represent a quotient of polynomials over the rationals, by FLINT."""

    def __init__(self, top: fmpq_mpoly, bottom: fmpq_mpoly, gens: tuple[Symbol, ...]) -> None:
        self.top, self.bottom, self.gens = top, bottom, gens

    @classmethod
    def of(cls, flat: Expr) -> Quotient:
        """Read a rational expression; raise TypeError for any other expression."""
        gens = tuple(sorted(flat.free_symbols, key=lambda s: (s.name, str(s.assumptions0), str(s))))
        context = fmpq_mpoly_ctx.get([f"v{i}" for i in range(max(1, len(gens)))], "lex")
        places = dict(zip(gens, context.gens(), strict=False))
        one = context.constant(1)
        memo: dict[Expr, tuple[fmpq_mpoly, fmpq_mpoly]] = {}

        def read(e: Expr) -> tuple[fmpq_mpoly, fmpq_mpoly]:
            if e in memo:
                return memo[e]
            if e.is_Rational:
                result = context.constant(fmpq(int(e.p), int(e.q))), one
            elif e in places:
                result = places[e], one
            elif isinstance(e, Add):
                groups: dict[str, tuple[fmpq_mpoly, fmpq_mpoly]] = {}
                for a in e.args:  # terms over one denominator are added first
                    top, bottom = read(a)
                    key = str(bottom)
                    old = groups.get(key)
                    groups[key] = (top if old is None else old[0] + top, bottom)
                result = reduce(_sum, groups.values())
            elif isinstance(e, Mul):
                result = reduce(_product, map(read, e.args))
            elif isinstance(e, Pow) and e.exp.is_Integer:
                top, bottom = read(e.base)
                k = abs(int(e.exp))
                _refuse_power(top, k)
                _refuse_power(bottom, k)
                result = (top**k, bottom**k) if e.exp > 0 else (bottom**k, top**k)
                if result[1].is_zero():
                    raise ZeroDivisionError
            else:
                raise TypeError(f"{e} is not rational")
            memo[e] = result
            return result

        return cls(*read(flat), gens)

    def _expr(self, poly: fmpq_mpoly) -> Expr:
        return Add(
            *[
                Mul(
                    Rational(int(c.p), int(c.q)),
                    *[g ** int(k) for g, k in zip(self.gens, powers, strict=False)],
                )
                for powers, c in poly.to_dict().items()
            ]
        )

    def numerator(self) -> Expr:
        return self._expr(self.top) if not self.top.is_zero() else S.Zero

    def terms(self) -> int:
        """Return the number of terms of the quotient in lowest terms."""
        common = self.top.gcd(self.bottom)
        return len(self.top / common) + len(self.bottom / common) if not common.is_zero() else 0

    def cancelled(self) -> Expr:
        """Return the quotient in lowest terms."""
        if self.top.is_zero():
            return S.Zero
        common = self.top.gcd(self.bottom)
        return self._expr(self.top / common) / self._expr(self.bottom / common)


def _refuse_power(a: fmpq_mpoly, k: int) -> None:
    """Raise `TooLarge` before a power is multiplied out that would be."""
    if len(a) > 1 and (k > MOST_DEGREE or comb(k + len(a) - 1, k) > MOST_TERMS):
        raise TooLarge("a power has too many terms to be multiplied out")
    if _bits(a) * k > MOST_BITS:
        raise TooLarge("a power has numbers that are too long to be written out")


def _times(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    """Multiply, after asking how large the product may be."""
    if len(a) * len(b) > MOST_TERMS or _bits(a) + _bits(b) > MOST_BITS:
        raise TooLarge("a product is too large to be multiplied out")
    return a * b


def _common(a: fmpq_mpoly, b: fmpq_mpoly) -> fmpq_mpoly:
    """Return the greatest common divisor, after asking for the degrees: it is found with dense polynomials."""
    if len(a) > 1 and len(b) > 1 and max(a.total_degree(), b.total_degree()) > MOST_DEGREE:
        raise TooLarge("a common divisor of polynomials of too high a degree")
    return a.gcd(b)


def _bits(a: fmpq_mpoly) -> int:
    return max((max(int(c.p).bit_length(), int(c.q).bit_length()) for c in a.coeffs()), default=0)


def _sum(
    a: tuple[fmpq_mpoly, fmpq_mpoly], b: tuple[fmpq_mpoly, fmpq_mpoly]
) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    common = _common(a[1], b[1])
    left, right = b[1] / common, a[1] / common
    return _times(a[0], left) + _times(b[0], right), _times(a[1], left)


def _product(
    a: tuple[fmpq_mpoly, fmpq_mpoly], b: tuple[fmpq_mpoly, fmpq_mpoly]
) -> tuple[fmpq_mpoly, fmpq_mpoly]:
    first, second = _common(a[0], b[1]), _common(b[0], a[1])
    if first.is_zero() or second.is_zero():
        return _times(a[0], b[0]), _times(a[1], b[1])
    return _times(a[0] / first, b[0] / second), _times(a[1] / second, b[1] / first)


def _floor(u: Expr) -> Expr:
    """Return a floor; the floor of floor(v) / k with a whole k >= 1 is the floor of v / k."""
    c, rest = u.as_coeff_Mul()
    if isinstance(rest, sympy.floor) and c.is_Rational and c.p == 1:
        return _floor(rest.args[0] / c.q)
    return sympy.floor(u, evaluate=False)


@lru_cache(maxsize=4096)
def prepare(e: Expr) -> Expr:
    """Rewrite special functions into the few that the normal form knows."""
    if not e.args:
        return e
    arguments = [prepare(a) if isinstance(a, Expr) else a for a in e.args]
    if isinstance(e, (sympy.Sum, sympy.Product, sympy.Integral)):
        return e.func(*arguments)
    if isinstance(e, sympy.ceiling):
        return Mul(-1, _floor(-arguments[0]))
    if isinstance(e, sympy.floor):
        return _floor(arguments[0])
    if isinstance(e, sympy.acosh) and isinstance(e.args[0], sympy.cosh):
        return sympy.Abs(prepare(e.args[0].args[0]))
    if isinstance(e, sympy.binomial):
        n, k = arguments
        if k.is_Integer and 0 <= k <= 60:
            return Mul(*[(n - i) for i in range(int(k))]) / sympy.factorial(k)
        return sympy.gamma(n + 1) / sympy.gamma(k + 1) / sympy.gamma(n - k + 1)
    if isinstance(e, sympy.factorial):
        return sympy.gamma(arguments[0] + 1)
    if isinstance(e, sympy.beta):
        a, b = arguments[0], arguments[-1]
        return sympy.gamma(a) * sympy.gamma(b) / sympy.gamma(a + b)
    if isinstance(e, sympy.sinh):
        u = arguments[0]
        return (sympy.exp(u) - sympy.exp(-u)) / 2
    if isinstance(e, sympy.cosh):
        u = arguments[0]
        return (sympy.exp(u) + sympy.exp(-u)) / 2
    if isinstance(e, sympy.tanh):
        u = arguments[0]
        return 1 - 2 / (sympy.exp(2 * u) + 1)
    if isinstance(e, sympy.coth):
        u = arguments[0]
        return 1 + 2 / (sympy.exp(2 * u) - 1)
    if isinstance(e, sympy.tan):
        return sympy.sin(arguments[0]) / sympy.cos(arguments[0])
    if isinstance(e, sympy.erfc):
        return 1 - sympy.erf(arguments[0])
    if isinstance(e, sympy.atanh):
        u = arguments[0]
        return sympy.log((1 + u) / (1 - u)) / 2
    if isinstance(e, sympy.asinh):
        u = arguments[0]
        return sympy.log(u + sympy.sqrt(u**2 + 1))
    if isinstance(e, sympy.acosh):
        u = arguments[0]
        return sympy.log(u + sympy.sqrt(u - 1) * sympy.sqrt(u + 1))
    return e.func(*arguments)
