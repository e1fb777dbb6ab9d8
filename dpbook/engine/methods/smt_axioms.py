"""What is asserted of one question: relations among its terms, and true axioms about them."""

# Z3 and FLINT terms pass through one variable in several types here.
# mypy: disable-error-code="assignment, return-value, list-item, arg-type, operator, misc, var-annotated"
from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat

from dpbook.engine.methods.axioms import (
    MIXED,
    NEGATED,
    PAIRS,
    POWER_MIXED,
    POWER_PAIRS,
    POWERS,
    TRIPLES,
    UNARY,
    either,
)
from dpbook.engine.methods.ratios import ONE, RING, ZERO, Ratio, Unsupported
from dpbook.engine.methods.smt_signs import SmtTerm
from dpbook.engine.methods.smt_terms import CONSTANTS, Terms, prime_powers

_ARB: dict[str, Callable[[arb], arb]] = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "tanh": lambda x: x.tanh(),
    "cosh": lambda x: x.cosh(),
    "sinh": lambda x: x.sinh(),
    "erf": lambda x: x.erf(),
    "atan": lambda x: x.atan(),
    "sin": lambda x: x.sin(),
    "cos": lambda x: x.cos(),
    "gamma": lambda x: x.gamma(),
    "loggamma": lambda x: x.lgamma(),
    "digamma": lambda x: x.digamma(),
}


def _enclosure(ball: arb) -> tuple[fmpq, fmpq]:
    """Rational bounds of about 20 digits."""
    if not ball.is_finite():
        raise Unsupported("no finite enclosure")
    with ctx.workprec(64):
        low, high = arb(ball.lower()), arb(ball.upper())
    return _dyadic(low), _dyadic(high)


def _dyadic(point: arb) -> fmpq:
    mantissa, exponent = point.mid().man_exp()
    mantissa, exponent = int(mantissa), int(exponent)
    if abs(exponent) > 4000:
        raise Unsupported("number too large")
    return fmpq(mantissa * 2**exponent) if exponent >= 0 else fmpq(mantissa, 2**-exponent)


def _ball(kind: str, point: fmpq) -> tuple[fmpq, fmpq]:
    with ctx.workprec(100):
        return _enclosure(_ARB[kind](arb(point)))


class Problem(Terms):
    """One conjunction without cases: its formulas, terms and what is known of signs."""

    def relate_powers(self) -> None:
        """Write exponentials of dependent arguments by those of a basis."""
        groups: dict[str, list[SmtTerm]] = {}
        for t in self.terms:
            if t.kind == "exp":
                groups.setdefault("exp", []).append(t)
            elif t.kind == "power" and self.sign(t.arguments[0]) == ">":
                groups.setdefault(t.arguments[0].key, []).append(t)
        table: dict[int, Ratio] = {}
        for group in groups.values():
            if len(group) > 1:
                table.update(self._basis(group))
        if table:
            self.substitute(table)

    def relate_logs(self) -> None:
        """log(u) is q log(s) for a root s**q = u that occurs."""
        roots = {t.arguments[0].key: t for t in self.terms if t.kind == "root"}
        table: dict[int, Ratio] = {}
        for t in [t for t in self.terms if t.kind == "log"]:
            root = roots.get(t.arguments[0].key)
            if root is not None and t.arguments[0].constant() is None:
                fresh = self.term("log", [root.value], t.needs())
                table[t.index] = self._root_degree(root) * fresh
        if table:
            self.substitute(table)

    def _basis(self, group: list[SmtTerm]) -> dict[int, Ratio]:
        vectors = _as_vectors([t.arguments[-1] for t in group])
        if vectors is None:
            return {}
        order = sorted(range(len(group)), key=lambda i: (sum(1 for x in vectors[i] if x != 0), i))
        basis: list[int] = []
        written: dict[int, list[fmpq]] = {}
        for i in order:
            solution = _combination([vectors[j] for j in basis], vectors[i])
            if solution is None:
                basis.append(i)
            else:
                written[i] = solution
        if not written:
            return {}
        scales = [
            math.lcm(1, *(int(s[k].q) for s in written.values() if k < len(s)))
            for k in range(len(basis))
        ]
        powers = [c * d for s in written.values() for c, d in zip(s, scales, strict=False)]
        if max(scales) > 12 or max(abs(int(p.p)) for p in powers) > 24:
            return {}
        table: dict[int, Ratio] = {}
        roots = []
        for j, scale in zip(basis, scales, strict=True):
            t = group[j]
            if scale == 1:
                roots.append(t.value)
                continue
            arguments = [*t.arguments[:-1], t.arguments[-1] / scale]
            fresh = self.term(t.kind, arguments)
            self.signs[str(fresh.num)] = ">"
            roots.append(fresh)
            table[t.index] = fresh**scale
        for i, solution in written.items():
            value = Ratio(ONE, ONE, True)
            for c, d, root in zip(solution, scales, roots, strict=False):
                value = value * root ** int((c * d).p)
            if value.key != group[i].value.key:
                table[group[i].index] = value
        return table

    def substitute(self, table: dict[int, Ratio]) -> None:
        """Put quotients in place of generators, everywhere."""
        gone = set(table)
        self.terms = [t for t in self.terms if t.index not in gone]

        def put(ratio: Ratio) -> Ratio:
            return _put(ratio, table)

        for t in [*self.terms, *self.scaled]:
            t.arguments, t.value = [put(a) for a in t.arguments], put(t.value)
            t.conditions = tuple((put(r), op) for r, op in t.conditions)
        self.raw = [(put(r), op) for r, op in self.raw]
        self.formulas = [_map(f, put) for f in self.formulas]

    # ---- what is asserted ----

    def assertions(self) -> tuple[list, list]:
        """What is asserted as it stands, and what may be simplified by known signs.

        The first part holds whatever the known signs were read from.
        """
        firm: list = list(self.raw)
        sure = {(r.key, op) for r, op in self.raw}
        for t in self.terms:
            if t.kind == "root":
                q = self._root_degree(t)
                for part in ((t.value, ">="), (t.value**q - t.arguments[0], "==")):
                    firm.append(self._guard(t.needs(), part, sure))
            known = self.signs.get(str(t.value.num))
            if known in (">", ">=", "!="):
                firm.append((t.value, known))
        loose = list(self.formulas)
        if self.whole:
            firm = [_map_atoms(f, self._tighten) for f in firm]
            loose = [_map_atoms(f, self._tighten) for f in loose]
        return firm, loose

    def _root_degree(self, term: SmtTerm) -> int:
        return next(int(k[2]) for k, t in self.by_key.items() if t is term)

    def _guard(self, conditions, formula, sure) -> Any:
        open_ones = [
            (r, NEGATED[op])
            for r, op in conditions
            if (r.key, op) not in sure and not _implies(self.sign(r), op)
        ]
        # a denominator inside the formula may vanish only where it was not required
        return ("or", [*open_ones, formula]) if open_ones else formula

    def _tighten(self, ratio: Ratio, op: str) -> tuple[Ratio, str]:
        """Write p > 0 as p >= 1 for a polynomial with integer values."""
        if op not in (">", "<") or not ratio.den.is_one():
            return ratio, op
        scale = math.lcm(1, *(int(c.q) for _, c in ratio.num.terms()))
        for exponents, _ in ratio.num.terms():
            if any(e and i not in self.whole for i, e in enumerate(exponents)):
                return ratio, op
        scaled = ratio * scale
        return (scaled - 1, ">=") if op == ">" else (scaled + 1, "<=")

    def axioms(self) -> list[tuple[int, str, Any]]:
        """All instances: (rank, name, formula)."""
        found: list[tuple[int, str, Any]] = []
        sure = {(r.key, op) for r, op in self.raw}

        def add(rank: int, name: str, formulas: Iterable, *terms: SmtTerm) -> None:
            conditions = [c for t in terms for c in t.needs()]
            for formula in formulas:
                found.append((rank, name, self._guard(conditions, formula, sure)))

        def attempt(rank, name, rule, values, *terms):
            try:
                add(rank, name, rule(*values), *terms)
            except Unsupported:
                return

        kinds: dict[str, list[SmtTerm]] = {}
        for t in self.terms:
            kinds.setdefault(t.kind, []).append(t)
            self._constant_bounds(t, found)
        kinds.setdefault("log", []).extend(self.scaled)
        for name, (kind, rank, rule) in UNARY.items():
            for t in kinds.get(kind, ()):
                if t.arguments[0].constant() is None:
                    attempt(rank, name, rule, (t.arguments[0], t.value), t)
        for name, (kind, rank, rule) in PAIRS.items():
            for s, t in combinations(kinds.get(kind, ())[:8], 2):
                if s.arguments[0].constant() is None or t.arguments[0].constant() is None:
                    values = (s.arguments[0], s.value, t.arguments[0], t.value)
                    attempt(rank, name, rule, values, s, t)
        exps = [t for t in kinds.get("exp", ())[:5] if t.arguments[0].constant() is None]
        for name, (rank, rule) in TRIPLES.items():
            for (r, s), t in product(combinations(exps, 2), exps):
                if t is not r and t is not s:
                    values = (x for e in (r, s, t) for x in (e.arguments[0], e.value))
                    attempt(rank, name, rule, tuple(values), r, s, t)
        for name, (rank, rule) in POWERS.items():
            for t in kinds.get("power", ()):
                attempt(rank, name, rule, (*t.arguments, t.value), t)
        for t in kinds.get("power", ()):
            b = t.arguments[1].constant()
            if b is not None and b.q == 1 and b > 0:
                # a whole power is defined for all a
                a, even = t.arguments[0], int(b.p) % 2 == 0
                product_ = (t.value, ">") if even else (t.value * a, ">")
                formulas = [either((a, "=="), product_), either((a, "!="), (t.value, "=="))]
                add(1, "sign of a whole power", formulas, t)
        for name, (rank, rule) in POWER_PAIRS.items():
            for s, t in combinations(kinds.get("power", ())[:8], 2):
                values = (*s.arguments, s.value, *t.arguments, t.value)
                attempt(rank, name, rule, values, s, t)
        for name, (first, second, rank, rule) in MIXED.items():
            for s, t in product(kinds.get(first, ())[:6], kinds.get(second, ())[:6]):
                values = (s.arguments[0], s.value, t.arguments[0], t.value)
                attempt(rank, name, rule, values, s, t)
        for name, (second, rank, rule) in POWER_MIXED.items():
            for s, t in product(kinds.get("power", ())[:6], kinds.get(second, ())[:6]):
                values = (*s.arguments, s.value, t.arguments[0], t.value)
                attempt(rank, name, rule, values, s, t)
        for kind, members in kinds.items():
            if kind.startswith("function "):
                for s, t in combinations(members[:8], 2):
                    if len(s.arguments) == len(t.arguments):
                        apart = [
                            (a - b, "!=") for a, b in zip(s.arguments, t.arguments, strict=True)
                        ]
                        add(1, "equal arguments", [either(*apart, (s.value - t.value, "=="))], s, t)
        for r, s, t in product(kinds.get("log", ())[:6], repeat=3):
            # log(ab) = log a + log b
            if r is not s and r is not t and s.index <= t.index:
                try:
                    equal = (r.arguments[0] - s.arguments[0] * t.arguments[0]).num == 0
                except Unsupported:
                    continue
                if equal:
                    guard = [(s.arguments[0], "<="), (t.arguments[0], "<=")]
                    whole = (r.value - s.value - t.value, "==")
                    add(0, "log of a product", [either(*guard, whole)], r, s, t)
        return found

    def _constant_bounds(self, t: SmtTerm, found: list) -> None:
        """Enclosures of a term whose arguments are numbers."""
        try:
            if t.kind == "constant":
                name = next(k[1] for k, v in self.by_key.items() if v is t)
                with ctx.workprec(100):
                    low, high = _enclosure(CONSTANTS[name]())
            elif t.kind in _ARB and t.arguments and t.arguments[0].constant() is not None:
                low, high = _ball(t.kind, t.arguments[0].constant())
            elif t.kind == "power" and all(a.constant() is not None for a in t.arguments):
                a, b = (x.constant() for x in t.arguments)
                if a <= 0:
                    return
                with ctx.workprec(100):
                    low, high = _enclosure((arb(a).log() * arb(b)).exp())
            else:
                return
        except (Unsupported, OverflowError, ZeroDivisionError):
            return
        found.append((0, "enclosure of a constant", (t.value - low, ">=")))
        found.append((0, "enclosure of a constant", (t.value - high, "<=")))

    def tangents(self, values: list[fmpq]) -> list[tuple[int, str, Any]]:
        """Instances of convexity at numbers that the model suggests."""
        found = []
        sure = {(r.key, op) for r, op in self.raw}
        members: dict[str, list[SmtTerm]] = {"exp": [], "log": []}
        for t in self.terms:
            if t.kind in members and t.arguments[0].constant() is None:
                members[t.kind].append(t)
        for kind, terms in members.items():
            rule = self._exp_tangent if kind == "exp" else self._log_tangent
            pairs = [(t, None) for t in terms]
            pairs += [(s, t) for s in terms[:6] for t in terms[:6] if s is not t]
            for s, t in pairs:
                try:
                    formulas = rule(s, t, values)
                except (Unsupported, OverflowError, ZeroDivisionError):
                    continue
                needs = s.needs() + (t.needs() if t else [])
                name = f"{kind} at a rational point" if t is None else f"{kind}, shifted tangent"
                for formula in formulas:
                    found.append((2 if t is None else 3, name, self._guard(needs, formula, sure)))
        return found

    def _exp_tangent(self, s: SmtTerm, t: SmtTerm | None, values: list[fmpq]) -> list:
        """exp(u) = exp(c) exp(w) exp(u-w-c) for a number c near u - w."""
        u, e = s.arguments[0], s.value
        w, f = (t.arguments[0], t.value) if t else (0, 1)
        here = _value(u - w, values)
        if here is None:
            return []
        point = _short(here, 200)
        if t and point == 0:
            return []
        low, high = _ball("exp", point)
        low, high = _short_below(low), _short_above(high)
        step = u - w - point
        return [(e - low * f * (1 + step), ">="), (e * (1 - step) - high * f, "<=")]

    def _log_tangent(self, s: SmtTerm, t: SmtTerm | None, values: list[fmpq]) -> list:
        """log(u) = log(c) + log(w) + log(u/(cw)) for a number c near u/w."""
        u, v = s.arguments[0], s.value
        w, z = (t.arguments[0], t.value) if t else (1, 0)
        here = _value(u / w, values)
        if here is None or here <= 0:
            return []
        point = _short(here, 10**6)
        if point <= 0 or (t and point == 1):
            return []
        exact = self._known_log(point)
        if exact is None:
            low, high = _ball("log", point)
            low, high = _short_below(low), _short_above(high)
        else:
            low = high = exact
        shifted = point * w
        outside = [(u, "<="), (w, "<=")] if t else [(u, "<=")]
        return [
            either(*outside, (shifted * (v - z - high) - u + shifted, "<=")),
            either(*outside, (u * (v - z - low) - u + shifted, ">=")),
        ]

    def _known_log(self, number: fmpq) -> Ratio | None:
        """The log of a rational by the logs of primes that occur already."""
        total = Ratio(ZERO, ONE, True)
        for part, direction in ((int(number.p), 1), (int(number.q), -1)):
            primes = prime_powers(part)
            if primes is None:
                return None
            for prime, power in primes.items():
                key = ("log", Ratio(RING.constant(fmpq(prime)), ONE, True).key)
                if key not in self.by_key:
                    return None
                total = total + direction * power * self.by_key[key].value
        return total


def _short(value: fmpq, limit: int) -> fmpq:
    """A rational of small denominator nearby."""
    if abs(value) > limit:
        value = fmpq(limit if value > 0 else -limit)
    p, q = int(value.p), int(value.q)
    if q <= 1000:
        return value
    small = Fraction(p, q).limit_denominator(max(64, min(10**6, 64 * q // max(1, abs(p)))))
    return fmpq(small.numerator, small.denominator)


def _short_below(value: fmpq) -> fmpq:
    """Round down to about 12 digits."""
    scale = _scale(value)
    return fmpq((value * scale).p // (value * scale).q) / scale


def _short_above(value: fmpq) -> fmpq:
    return -_short_below(-value)


def _scale(value: fmpq) -> fmpq:
    size = abs(int(value.p)).bit_length() - int(value.q).bit_length()
    shift = 40 - size
    return fmpq(2**shift) if shift >= 0 else fmpq(1, 2**-shift)


def _implies(sign: str | None, op: str) -> bool:
    if sign is None:
        return False
    return (
        sign == op or (sign == ">" and op in (">=", "!=")) or (sign == "<" and op in ("<=", "!="))
    )


def _map(tree, put):
    if tree[0] in ("and", "or"):
        return (tree[0], [_map(t, put) for t in tree[1]])
    return (put(tree[0]), tree[1])


def _map_atoms(tree, rule):
    if tree[0] in ("and", "or"):
        return (tree[0], [_map_atoms(t, rule) for t in tree[1]])
    return rule(*tree)


def _put(ratio: Ratio, table: dict[int, Ratio]) -> Ratio:
    def poly(p) -> Ratio:
        if not any(d for i, d in enumerate(p.degrees()) if i in table):
            return Ratio(p, ONE, True)
        total = Ratio(ZERO, ONE, True)
        for exponents, coefficient in p.terms():
            rest = [0 if i in table else int(e) for i, e in enumerate(exponents)]
            value = Ratio(RING.term(coeff=coefficient, exp_vec=tuple(rest)), ONE, True)
            for i, e in enumerate(exponents):
                if e and i in table:
                    value = value * table[i] ** int(e)
            total = total + value
        return total

    top = poly(ratio.num)
    return top if ratio.den.is_one() else top / poly(ratio.den)


def _as_vectors(arguments: list[Ratio]) -> list[list[fmpq]] | None:
    """Quotients as rational vectors over common monomials."""
    common = ONE
    for a in arguments:
        if not a.den.is_constant():
            common = common * (a.den / common.gcd(a.den))
            if len(common) > 60:
                return None
    rows = []
    for a in arguments:
        top = a.num * (common / a.den)
        rows.append(dict(top.terms()))
    monomials = sorted({e for row in rows for e in row})
    return [[fmpq(row.get(e, 0)) for e in monomials] for row in rows]


def _combination(basis: list[list[fmpq]], vector: list[fmpq]) -> list[fmpq] | None:
    """Rational coefficients that write the vector by the basis, or None."""
    if not basis:
        return None
    rows = len(vector)
    entries = [[b[i] for b in basis] + [vector[i]] for i in range(rows)]
    reduced, rank = fmpq_mat(entries).rref()
    n = len(basis)
    if rank > n:
        return None
    if any(reduced[r, n] != 0 and all(reduced[r, c] == 0 for c in range(n)) for r in range(rows)):
        return None
    return [reduced[i, n] for i in range(n)]


def _value(ratio: Ratio, values: list[fmpq]) -> fmpq | None:
    below = ratio.den(*values)
    return None if below == 0 else ratio.num(*values) / below


def holds(tree, values: list[fmpq]) -> bool:
    """Whether a formula holds where the generators have these values."""
    if tree[0] == "and":
        return all(holds(t, values) for t in tree[1])
    if tree[0] == "or":
        return any(holds(t, values) for t in tree[1])
    value = _value(tree[0], values)
    if value is None:
        return True
    return {
        "==": value == 0,
        "!=": value != 0,
        "<": value < 0,
        "<=": value <= 0,
        ">": value > 0,
        ">=": value >= 0,
    }[tree[1]]
