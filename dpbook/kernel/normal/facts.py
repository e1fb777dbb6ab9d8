"""The normal form: every term is a polynomial over Q in atoms; and the known signs.

What may be done with an atom depends on signs; `Facts` collects them once for the hypotheses of a
sequent. It stands on three floors: atoms with their signs and intervals, powers, functions.

Soundness. Premises: the hypotheses hold, and functions have some value everywhere. Conclusion: a
term and its normal form have the same value. Each step here and below that needs a sign asks
`sign` first.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction

from dpbook.kernel import enclosure
from dpbook.kernel.defined import obligations
from dpbook.kernel.enclosure import Interval
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, size
from dpbook.kernel.normal import atoms
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import ALLOWED, NEGATIVE, NONNEGATIVE, NULL, POSITIVE, sign_of
from dpbook.kernel.normal.functions import Functions
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.terms import BINDERS, CHOICES, OO, ZERO, Term, bind, call, infinite, num, var


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
            edge = enclosure.ZERO  # what holds -rest / c: m lies beyond that
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
            return self.product(
                self._to_whole(num(-1), exponent), self._to_whole(num(-t.value), exponent)
            )
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
