"""Write relations as formulas of polynomials: no quotient, root or absolute value is left.

A relation is true at a point only where both its sides are real numbers, so its formula holds the
conditions for that. Every rewriting here is an equivalence for all real arguments: squaring keeps
the sign that a square root demands, and a logarithm keeps its positive argument. A part that is not
a polynomial afterwards (an exponential, a sine) stays in its place as a term.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import sympy
from sympy import Add, Expr, Mul, Poly, Pow, S

from dpbook.engine.evaluate.exact_points import compare_at
from dpbook.engine.evaluate.limits import exponent_of
from dpbook.engine.language.definedness import NotUnderstood, obligations
from dpbook.engine.language.functions_of_sympy import BY_CLASS
from dpbook.engine.language.statement import COMPARE, Both, Either, Relation, Tree, evaluated

# Each relation of a formula is `expression op 0`, and op is one of == != > >=.
TRUE: Tree = Both(())
FALSE: Tree = Either(())

_FLIPPED = {"<": ">", "<=": ">="}
_OPPOSITE = {"==": "!=", "!=": "==", ">": ">=", ">=": ">"}
_MOST_OPERATIONS = 400
_HIGHEST = 12


_QUOTIENTS = {
    sympy.tan: lambda u: sympy.sin(u) / sympy.cos(u),
    sympy.cot: lambda u: sympy.cos(u) / sympy.sin(u),
    sympy.sec: lambda u: 1 / sympy.cos(u),
    sympy.csc: lambda u: 1 / sympy.sin(u),
}


class NotPlain(ValueError):
    """Report a relation that these rules do not open."""


def conjunction(parts: Iterable[Tree]) -> Tree:
    """Join formulas by `and`, each once; `FALSE` decides the whole."""
    return _joined(Both, parts, FALSE)


def disjunction(parts: Iterable[Tree]) -> Tree:
    """Join formulas by `or`, each once; `TRUE` decides the whole."""
    return _joined(Either, parts, TRUE)


def _joined(kind: type[Both | Either], parts: Iterable[Tree], decisive: Tree) -> Tree:
    kept: dict[Tree, None] = {}
    for part in parts:
        if part == decisive:
            return decisive
        kept |= dict.fromkeys(part.parts if isinstance(part, kind) else (part,))
    return next(iter(kept)) if len(kept) == 1 else kind(tuple(kept))


def negation(formula: Tree) -> Tree:
    """Return the opposite of a formula; its relations are defined everywhere.

    The conditions for a value stand beside the relations.
    """
    if isinstance(formula, Both):
        return disjunction(map(negation, formula.parts))
    if isinstance(formula, Either):
        return conjunction(map(negation, formula.parts))
    e = formula.lhs if formula.op in ("==", "!=") else -formula.lhs
    return Relation(e, _OPPOSITE[formula.op], S.Zero)


def put_in(formula: Tree, change: Callable[[Expr], Expr]) -> Tree:
    """Put numbers into a formula, and decide each relation whose sides have become numbers."""
    if isinstance(formula, Relation):
        return _relation(change(formula.lhs), formula.op)
    parts = (put_in(part, change) for part in formula.parts)
    return conjunction(parts) if isinstance(formula, Both) else disjunction(parts)


def _relation(e: Expr, op: str) -> Tree:
    """Return the formula ``e op 0``, which is decided where `e` is a number."""
    if not e.is_Rational:
        return Relation(e, op, S.Zero)
    return TRUE if COMPARE[op](e, 0) else FALSE


def truth_of(tree: Tree, of: Callable[[Relation], bool | None]) -> bool | None:
    """Return whether a tree is true, from the truth of each relation; None where it is not known."""
    if isinstance(tree, Relation):
        return of(tree)
    decisive = isinstance(tree, Either)
    unknown = False
    for part in tree.parts:
        value = truth_of(part, of)
        if value is decisive:
            return decisive
        unknown |= value is None
    return None if unknown else not decisive


class Eliminator:
    """Open relations: write them as formulas of polynomials.

    Parameters
    ----------
    inverted : bool
        Whether logarithms and exponentials are solved for their arguments.
    sure : callable
        Whether a relation is shown to hold wherever the lines are compared.
    """

    def __init__(
        self, inverted: bool = True, sure: Callable[[Relation], bool] = lambda _: False
    ) -> None:
        self.inverted = inverted
        self.sure = sure
        self.budget = 200  # atoms, before the formula is too large to be of use

    def truth(self, tree: Tree) -> Tree:
        """Return the formula that says where a tree is true: its sides are real, and it holds.

        Raises
        ------
        NotPlain
            When these rules do not open a part of the tree.
        """
        if isinstance(tree, Relation):
            base = conjunction([self.defined(side) for side in (tree.lhs, tree.rhs)])
            if base == FALSE:
                return FALSE
            return conjunction([base, self.opened(tree.map(evaluated).difference, tree.op)])
        parts = [self.truth(part) for part in tree.parts]
        return conjunction(parts) if isinstance(tree, Both) else disjunction(parts)

    def defined(self, expression: Expr, inexact: bool = True) -> Tree:
        """Return the formula that is true exactly where an expression is a real number.

        A condition that is sufficient for a value and not necessary must hold everywhere. Without
        `inexact` such a condition is left out, and the caller must deal with it.
        """
        try:
            needed = obligations(expression)
        except NotUnderstood as why:
            raise NotPlain(str(why)) from why
        parts: list[Tree] = []
        for one in needed:
            if one.variables or one.conditions:
                raise NotPlain(f"{one.why} with a bound variable or a case")
            if not one.exact and not inexact:
                continue
            part = self.opened(one.relation.map(evaluated).difference, one.relation.op)
            if one.exact and part == FALSE:
                return FALSE
            if one.exact:
                parts.append(part)
            elif part != TRUE and not self.sure(one.relation):
                raise NotPlain(f"{one.why}: where else there is a value is not known")
        return conjunction(parts)

    # --- one relation with zero ---------------------------------------------------------------------

    def opened(self, e: Expr, op: str) -> Tree:
        """Open ``e op 0``, where `e` is known to be a real number."""
        if op in _FLIPPED:
            e, op = -e, _FLIPPED[op]
        if e.is_Rational:
            return _relation(e, op)
        if e.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo, sympy.I):
            raise NotPlain(f"{e} is no real number")
        self.budget -= 1
        if self.budget < 0 or sympy.count_ops(e) > _MOST_OPERATIONS:
            raise NotPlain("too large")
        if e.has(sympy.Sum, sympy.Product, sympy.Integral, sympy.Piecewise, sympy.Derivative):
            raise NotPlain("a sum, an integral or a case")
        arguments = _increasing(e)
        if arguments is not None:
            return self.opened(arguments, op)
        if e.has(*_QUOTIENTS):
            for function, quotient in _QUOTIENTS.items():
                e = e.replace(function, quotient)
        if e.has(sympy.sin, sympy.cos):
            e = sympy.expand_trig(e)  # sines and cosines of sums and multiples
        return self._cases(e, op) or self._fraction(e, op)

    def _cases(self, e: Expr, op: str) -> Tree | None:
        """Split the innermost absolute value, maximum, minimum or sign."""
        kinds = (sympy.Abs, sympy.Max, sympy.Min, sympy.sign)
        found = [p for p in e.atoms(*kinds) if not any(a.has(*kinds) for a in p.args)]
        if not found:
            return None
        part = min(found, key=sympy.default_sort_key)
        u = part.args[0]
        if isinstance(part, sympy.Abs):
            options = [(">=", u), ("<", -u)]
        elif isinstance(part, sympy.sign):
            options = [(">", S.One), ("<", S.NegativeOne), ("==", S.Zero)]
        else:
            rest = part.func(*part.args[1:])
            first, other = (">=", "<") if isinstance(part, sympy.Max) else ("<=", ">")
            options = [(first, u), (other, rest)]
            u = u - rest
        conditions = [(self.opened(u, relation), value) for relation, value in options]
        cases = [
            conjunction([condition, self.opened(e.xreplace({part: value}), op)])
            for condition, value in conditions
            if condition != FALSE
        ]
        return disjunction(cases)

    def _fraction(self, e: Expr, op: str) -> Tree:
        top, below = sympy.fraction(sympy.together(e))
        if below.is_Rational or op in (">", ">="):
            top = top * below
        top = _lowered(top, op)
        # each factor is defined where the product is
        parts = [factor for factor in Mul.make_args(top) if not factor.is_Rational]
        if len(parts) > 1 and op in ("==", "!="):
            return self._opened_factors(parts, op)
        top = self._expanded(top)
        if top.is_Rational:
            return self.opened(top, op)
        rounded = self._rounded(top, op)
        if rounded is not None:
            return rounded
        root = self._outermost_root(top)
        if root is not None:
            return self._without_root(top, op, *root)
        solved = self._solved(top, op) if self.inverted else None
        return Relation(top, op, S.Zero) if solved is None else solved

    def _opened_factors(self, factors: Iterable[Expr], op: str) -> Tree:
        """Open a product that is 0, or is not 0."""
        found = [self.opened(factor, op) for factor in factors]
        return disjunction(found) if op == "==" else conjunction(found)

    def _rounded(self, e: Expr, op: str) -> Tree | None:
        """Open ``m floor(u) + r op 0`` with numbers m and r.

        For an integer k, floor(u) >= k is u >= k.
        """
        found = e.atoms(sympy.floor, sympy.ceiling)
        if len(found) != 1:
            return None
        (part,) = found
        m, u = e.coeff(part), part.args[0]
        r = sympy.expand(e - m * part)
        if not (m.is_Rational and r.is_Rational and m != 0):
            return None
        if isinstance(part, sympy.ceiling):  # -floor(-u)
            u, m = -u, -m
        level = -r / m
        least, above = sympy.ceiling(level), sympy.floor(level) + 1
        if op in ("==", "!="):
            inside = FALSE
            if level.is_Integer:
                inside = conjunction([self.opened(u - level, ">="), self.opened(u - above, "<")])
            return inside if op == "==" else negation(inside)
        if m > 0:
            return self.opened(u - (least if op == ">=" else above), ">=")
        return self.opened(u - (above if op == ">=" else least), "<")

    def _expanded(self, e: Expr) -> Expr:
        if any(p.exp.is_Integer and abs(p.exp) > 24 and p.base.is_Add for p in e.atoms(Pow)):
            raise NotPlain("a high power of a sum")
        return sympy.expand(e, log=False, power_base=False, power_exp=False)

    # --- roots ------------------------------------------------------------------------------------------

    def _outermost_root(self, e: Expr) -> tuple[Expr, int] | None:
        """Return (base, degree) of a root that stands in the base of no other root."""
        roots: dict[Expr, int] = {}
        for node in e.atoms(Pow):
            if node.exp.is_Rational and not node.exp.is_Integer:
                roots[node.base] = int(sympy.ilcm(roots.get(node.base, 1), node.exp.q))
        for base in sorted(roots, key=sympy.default_sort_key):
            # a root inside a logarithm or an exponential is not opened
            outside = e.xreplace({p: S.One for p in e.atoms(Pow) if p.base == base})
            powers = {n for other in (outside, *roots) if other != base for n in other.atoms(Pow)}
            if not any(n.base == base and not n.exp.is_Integer for n in powers):
                return base, roots[base]
        if roots:
            raise NotPlain("a root inside another term")
        return None

    def _without_root(self, e: Expr, op: str, base: Expr, degree: int) -> Tree:
        r = sympy.Dummy("r")
        put = {
            p: r ** int(p.exp * degree)
            for p in e.atoms(Pow)
            if p.base == base and p.exp.is_Rational and not p.exp.is_Integer
        }
        moved = e.xreplace(put)
        top, below = sympy.fraction(sympy.together(moved))
        if below.has(r):
            product = self._expanded(top * below if op in (">", ">=") else top)
            again = product.xreplace({r: Pow(base, sympy.Rational(1, degree))})
            return self._without_root(again, op, base, degree)
        try:
            poly = Poly(moved, r)
        except sympy.PolynomialError as why:
            raise NotPlain("a root inside another term") from why
        parts: dict[int, Expr] = {}
        for (k,), c in poly.terms():
            parts[k % degree] = parts.get(k % degree, S.Zero) + c * base ** (k // degree)
        a = parts.pop(0, S.Zero)
        several = [(k, c) for k, c in parts.items() if c != 0]
        if not several:
            return self.opened(a, op)
        if len(several) > 1:
            raise NotPlain("several powers of one root")
        ((k, b),) = several
        common = int(sympy.igcd(k, degree))
        n, w = degree // common, base ** (k // common)  # s = w**(1/n), and the relation is a + b*s
        if n > _HIGHEST:
            raise NotPlain("a high root")
        opened = self.opened
        if op in ("==", "!="):
            equal = conjunction([opened(a * b, "<="), opened((-a) ** n - b**n * w, "==")])
            return equal if op == "==" else negation(equal)
        above = disjunction([opened(b, ">="), opened(a**n - (-b) ** n * w, op)])
        by_a = conjunction([opened(a, op), above])
        by_root = conjunction([opened(b, op), opened(b**n * w - (-a) ** n, op)])
        return disjunction([by_a, by_root])

    # --- logarithms and exponentials --------------------------------------------------------------------

    def _solved(self, e: Expr, op: str) -> Tree | None:
        found = [t for t in e.atoms(sympy.log, sympy.exp, Pow) if t.free_symbols]
        if all(isinstance(t, Pow) and t.exp.is_Rational for t in found):
            return None
        if op in ("==", "!=") and not e.is_Symbol:
            factors = _factors(e)
            if len(factors) > 1:
                return self._opened_factors(factors, op)
            if factors:
                e = factors[0]
        return self._without_logs(e, op) or self._without_exponentials(e, op)

    def _without_logs(self, e: Expr, op: str) -> Tree | None:
        """Write ``sum of m log(u) + rest op 0`` as ``product of u**m op exp(-rest)``."""
        rest, scale = S.Zero, 1
        found: list[tuple[Expr, Expr]] = []
        for term in Add.make_args(e):
            m, log = term.as_coeff_Mul()
            if isinstance(log, sympy.log) and log.free_symbols and m.is_Rational:
                found.append((log.args[0], m))
                scale = int(sympy.ilcm(scale, m.q))
            elif any(log.free_symbols for log in term.atoms(sympy.log)):
                return None
            else:
                rest += term
        if not found:
            return None
        if len(found) == 1:  # log(u) = -rest / m, whatever the size of m
            ((u, m),) = found
            target = sympy.exp(self._expanded(-rest / m))
            return self.opened(u - target if m > 0 else target - u, op)
        powers = [(u, int(m * scale)) for u, m in found]
        if any(abs(power) > _HIGHEST for _, power in powers):
            return None
        left = Mul(*(u**power for u, power in powers if power > 0))
        right = Mul(*(u**-power for u, power in powers if power < 0))
        return self.opened(left - right * sympy.exp(self._expanded(-rest * scale)), op)

    def _without_exponentials(self, e: Expr, op: str) -> Tree | None:
        """Write ``c exp(u) + d exp(v) op 0`` with constants c and d as a relation for ``u - v``."""
        terms = Add.make_args(e)
        if len(terms) != 2:
            return None
        pieces = []
        for term in terms:
            exponent, constant = S.Zero, S.One
            for factor in Mul.make_args(term):
                u = exponent_of(factor, factor.free_symbols)
                if u is not None:
                    exponent += u
                elif factor.free_symbols:
                    return None
                else:
                    constant *= factor
            pieces.append((constant, exponent))
        (c, u), (d, v) = pieces
        sign_c, sign_d = sign_of(c), sign_of(d)
        if not sign_c or not sign_d:
            return None
        if sign_c == sign_d:
            return TRUE if op == "!=" or (op != "==" and sign_c > 0) else FALSE
        difference = self._expanded(u - v - sympy.log(sympy.cancel(-d / c)))
        return self.opened(difference if sign_c > 0 else -difference, op)


# on all reals, strictly
_GROWING = tuple(made for made, row in BY_CLASS.items() if row.grows == "up" and row.everywhere)


def _increasing(e: Expr) -> Expr | None:
    """Return ``u - v`` for a positive multiple of ``f(u) - f(v)``, which has the same sign."""
    terms = [term.as_coeff_Mul() for term in Add.make_args(e)]
    if len(terms) != 2:
        return None
    (c, first), (d, second) = terms
    growing = isinstance(first, _GROWING) and first.func is second.func
    if not growing or not c.is_Rational or c + d != 0:
        return None
    u, v = first.args[0], second.args[0]
    return u - v if c > 0 else v - u


def _lowered(e: Expr, op: str) -> Expr:
    """Lower the powers in a product: its zeros need no powers, its sign only their parity."""
    made = []
    for factor in Mul.make_args(e):
        if isinstance(factor, Pow) and factor.exp.is_Integer and factor.exp > 1:
            even = factor.exp % 2 == 0 and op in (">", ">=")
            factor = factor.base**2 if even else factor.base
        made.append(factor)
    return Mul(*made)


def _factors(e: Expr) -> list[Expr]:
    """Return the factors of a polynomial in its terms, without factors that are never zero."""
    try:
        _, factors = sympy.factor_list(e)
    except (sympy.PolynomialError, NotImplementedError, ValueError):
        return []
    if not all(factor.free_symbols or sign_of(factor) for factor, _ in factors):
        return []
    return [f for f, _ in factors if f.free_symbols and not isinstance(f, sympy.exp)]


def sign_of(constant: Expr) -> int | None:
    """Return the sign of a constant, or None when balls do not decide it."""
    if constant.is_Rational:
        return int(sympy.sign(constant))
    if constant.free_symbols:
        return None
    above = compare_at(constant, ">", S.Zero, {})
    if above is True:
        return 1
    below = compare_at(constant, "<", S.Zero, {})
    return -1 if below is True else None
