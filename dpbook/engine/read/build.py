"""Turn nodes into SymPy objects, each made with ``evaluate=False``.

A statement stays as written: no operation is carried out, save that a quotient of two numbers and
a rational exponent become one rational number. ``pi`` is a constant, ``e`` and ``E`` are asked about
unless a condition declares them. A sequence is not read: ``x_i`` in a sum over i is refused.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy
from sympy import Add, Expr, Mul, Pow, Rational, S, Symbol

from dpbook.engine.language.statement import Both, Either, Relation, Tree, thing_or_both
from dpbook.engine.read.functions import (
    FUNCTIONS,
    MOST_DIGITS,
    UNKNOWN,
    Size,
    exact,
    power_size,
    product_size,
    sum_size,
)
from dpbook.engine.read.nodes import (
    ASKED,
    CONSTANTS,
    GREEK,
    INTEGERS,
    PROBABILITY,
    UNSIGNED,
    VARIANTS,
    Node,
    canonical,
    conjuncts,
    constants_in,
    declared,
    integers_in,
    mentions,
    spread,
    words_in,
)
from dpbook.engine.read.refusals import DECIMAL, NORMAL, ParseError, decimal_comma

_GREEK_NAMES = frozenset(GREEK.values()) | frozenset(VARIANTS)
_A_NAME = re.compile(r"[^\W\d_]\w*")
_REALS = ("reals", "real", "R")

_RANGES = {
    "Sum": sympy.Sum, "sum": sympy.Sum, "Product": sympy.Product, "product": sympy.Product,
    "prod": sympy.Product, "Integral": sympy.Integral, "integral": sympy.Integral,
}  # fmt: skip
_PI = (S.Pi, Size(None, math.pi))
_PRINTED = {
    "E": (S.Exp1, Size(None, math.e)),
    "EulerGamma": (S.EulerGamma, Size(None, 0.5772156649015329)),
}
_NOT_HERE = {
    **dict.fromkeys(
        ("Pr", "Prob", "P"),
        r"a probability is written in LaTeX, as \Pr[X > t], and stands for one number",
    ),
    **{
        name: f"{name} is not understood here"
        for name in ("mod", "gcd", "lcm", "lim", "Var", "Cov")
    },
    **NORMAL,
    "cbrt": "a cube root is written x^(1/3), for x >= 0",
}
_ASK = 'is {name} {asked}; for a symbol add the condition "{name} in reals"'
_INFINITE = ("oo", "inf", "infinity")
_NO_NUMBERS = {
    **{name: f"{name} stands only at an end of a range" for name in _INFINITE},
    **{name: f"{name} is no number" for name in ("nan", "NaN", "zoo")},
}
_ALWAYS = ("True", "true", "otherwise", "else")
_NO_NUMBERS |= {name: f"{name} stands only as the last condition of Piecewise" for name in _ALWAYS}

Built = tuple[Expr, Size | None]  # the size of an expression, beside it; None if it holds a symbol


class Builder:
    """Build conditions and expressions of the nodes of one text.

    Parameters
    ----------
    text : str
        The text, for errors.
    variables : mapping of str to Symbol
        Symbols of names that are known; other names become real symbols.
    latex : bool
        Whether the text is LaTeX: there the letters E and I are symbols.
    both : str
        The sign that ``±`` stands for.
    printed : bool
        Whether SymPy wrote the text, so that E is a constant.
    """

    def __init__(
        self,
        text: str,
        variables: Mapping[str, Symbol],
        *,
        latex: bool = False,
        both: str = "+",
        printed: bool = False,
    ) -> None:
        self.text, self.latex, self.printed = text, latex, printed
        # a symbol of the caller's own may be spelled otherwise: Symbol("ε")
        self.symbols: dict[str, Symbol] = {canonical(n): s for n, s in variables.items()}
        self.symbols.update(variables)
        if latex:
            self.symbols = {name: Symbol(name, real=True) for name in "EI"} | self.symbols
        self.known = frozenset(self.symbols)
        self.indices: dict[str, int] = {}  # of sums and products, with their places
        self.negative = {"-", "±" if both == "-" else "∓"}

    def refuse(self, node: Node, reason: str) -> ParseError:
        return ParseError(self.text, node.position, reason)

    def symbol(self, name: str) -> Symbol:
        return self.symbols.setdefault(name, Symbol(name, real=True))

    # --- conditions -------------------------------------------------------------------------------------

    def given(self, items: Sequence[Node]) -> list[Tree]:
        """Build conditions; declarations among them say which names are integers, and ranges."""
        items = spread(self.text, items)
        for name in integers_in(self.text, items):
            self.symbols.setdefault(name, Symbol(name, integer=True))
        for name in constants_in(items):
            self.symbol(name)
        self.known = frozenset(self.symbols)
        found: list[Tree] = []
        for part in conjuncts(items):
            found += self.member(part) if part.kind == "member" else [flat(self.tree(part))]
        return found

    def member(self, node: Node) -> list[Tree]:
        """Build the ends of an interval as relations; a set such as the integers has none."""
        name, where = declared(self.text, node), node.parts[1]
        if where.kind == "named":
            if where.word not in (*INTEGERS, *_REALS):
                reason = f"write integers, reals or an interval such as [0, oo), not {where.word}"
                raise self.refuse(where, reason)
            return []
        lower, upper = map(self.end, where.parts)
        if lower == S.Infinity or upper == S.NegativeInfinity:
            raise self.refuse(where, "the ends of the interval are exchanged")
        above = ">" if where.kind in ("open", "left_open") else ">="
        below = "<" if where.kind in ("open", "right_open") else "<="
        ends = ((above, lower, S.NegativeInfinity), (below, upper, S.Infinity))
        return [Relation(self.symbol(name), op, end) for op, end, far in ends if end != far]

    def end(self, node: Node) -> Expr:
        """Build an end of a range, where oo may stand."""
        inner = node.parts[0] if node.kind == "signed" else node
        if inner.kind == "name" and inner.word in _INFINITE:
            negative = node.kind == "signed" and node.word in self.negative
            return S.NegativeInfinity if negative else S.Infinity
        return self.number(node)[0]

    def tree(self, node: Node) -> Tree:
        """Build a condition."""
        if node.kind in ("both", "either"):
            kind = Both if node.kind == "both" else Either
            return kind(tuple(map(self.tree, node.parts)))
        if node.kind == "member":
            name = declared(self.text, node)
            if node.parts[1].kind == "named":
                raise self.refuse(node, f'declare {name} in a given of its own: "{name} in ..."')
            ends = tuple(self.member(node))
            if not ends:
                raise self.refuse(node, "this interval says nothing")
            return thing_or_both(ends)
        if node.kind != "chain":
            raise self.refuse(node, "a relation such as <= is missing")
        sides = [self.number(side)[0] for side in node.parts]
        return thing_or_both(tuple(map(Relation, sides, node.words, sides[1:])))

    # --- numbers ----------------------------------------------------------------------------------------

    def number(self, node: Node) -> Built:
        """Build an expression, unless it is a number too large to be made."""
        build = _BUILD.get(node.kind)
        if build is None:
            shown = "a list" if node.kind == "group" else "a condition"
            raise self.refuse(node, self.or_decimal(node, f"a number is needed here, not {shown}"))
        expression, size = build(self, node)
        self._refuse_large(node, size)
        return expression, size

    def _refuse_large(self, node: Node, size: Size | None) -> None:
        if size is not None and size.log is not None and size.log >= MOST_DIGITS:
            raise self.refuse(node, f"the number would have over {MOST_DIGITS} digits")

    def _number(self, node: Node) -> Built:
        mantissa, _, exponent = node.word.lower().partition("e")
        whole, _, decimals = mantissa.partition(".")
        digits = (whole + decimals).lstrip("0") or "0"
        long = len(exponent.lstrip("+-").lstrip("0")) > 6
        scale = 0 if long else int(exponent or "0") - len(decimals)
        if long or max(len(digits) + max(scale, 0), abs(scale)) > MOST_DIGITS + len(decimals):
            raise self.refuse(node, f"the number would have over {MOST_DIGITS} digits")
        # Python refuses to read an integer of more than 4300 digits
        value = Fraction(Decimal(digits)) * Fraction(10) ** scale
        return Rational(value.numerator, value.denominator), exact(value)

    def _name(self, node: Node) -> Built:
        name = node.word
        if self.printed and name in _PRINTED:
            return _PRINTED[name]
        self.refuse_constant(node, "1")
        if name in CONSTANTS and name not in self.symbols:
            return _PI
        if name in _NO_NUMBERS:
            raise self.refuse(node, _NO_NUMBERS[name])
        self.refuse_letters_side_by_side(node)
        return self.symbol(name), None

    def refuse_letters_side_by_side(self, node: Node) -> None:
        """Refuse ``ab`` beside ``a`` and ``b``, unless it is a symbol by the conditions or the caller."""
        name = node.word
        letters = len(name) > 1 and name.isascii() and name.isalpha() and name not in _GREEK_NAMES
        if not letters or name in self.known or self.latex:
            return
        if set(name) <= {one for one in _A_NAME.findall(self.text) if len(one) == 1}:
            product = "*".join(name)
            reason = f"is {name} the product {product}? write that; as a symbol rename it"
            raise self.refuse(node, reason)

    def _sum(self, node: Node) -> Built:
        signed = zip(("+", *node.words), node.parts, strict=True)
        built = [self._times(sign, self.number(part)) for sign, part in signed]
        size = _combined(sum_size, [size for _, size in built])
        return Add(*(term for term, _ in built), evaluate=False), size

    def _times(self, sign: str, built: Built) -> Built:
        """Return a term behind a sign."""
        expression, size = built
        if sign not in self.negative:
            return built
        return _negative(expression), _combined(product_size, [size, exact(Fraction(-1))])

    def _product(self, node: Node) -> Built:
        factors: list[Expr] = []
        sizes: list[Size | None] = []
        negative = divided = False
        before = node
        for sign, part in zip(("*", *node.words), node.parts, strict=True):
            if sign == UNSIGNED and divided:
                reason = "is this divided too? write brackets: (1/2)*x, or 1/(2*x)"
                raise self.refuse(part, reason)
            divided = sign == "/" or (divided and sign == UNSIGNED)
            while part.kind == "signed":
                negative ^= part.word in self.negative
                part = part.parts[0]
            factor, size = self.number(part)
            if sign == "/":
                self.refuse_root(before, part)
                size = power_size(size, exact(Fraction(-1))) if size else None
                if isinstance(factor, Rational) and factor != 0:
                    factor = 1 / factor
                    if factors and isinstance(factors[-1], Rational):
                        factor = factors.pop() * factor
                else:
                    factor = Pow(factor, S.NegativeOne, evaluate=False)
            factors.append(factor)
            sizes.append(size)
            before = part
        product = factors[0] if len(factors) == 1 else Mul(*factors, evaluate=False)
        if negative:
            product = _negative(product)
            sizes.append(exact(Fraction(-1)))
        return product, _combined(product_size, sizes)

    def refuse_root(self, before: Node, divisor: Node) -> None:
        """Refuse ``x^1/2``: nobody writes a power of 1, so that the root may be meant."""
        if before.kind != "power" or divisor.kind != "number":
            return
        between = self.text[before.parts[1].position - 1 : divisor.position - 1]
        if re.fullmatch(r"[-+−]?\s*1\s*/\s*", between):
            reason = f"is 1/{divisor.word} the exponent? write brackets: ^(1/2), or (x^1)/2"
            raise self.refuse(divisor, reason)

    def _power(self, node: Node) -> Built:
        below, above = node.parts
        if below.kind == "name" and below.word in ("e", "E"):
            self.refuse_constant(below, above.word if above.kind in ("name", "number") else "...")
        (base, base_size), (exponent, exponent_size) = map(self.number, node.parts)
        if exponent_size and isinstance(exponent_size.value, Fraction):
            value = exponent_size.value
            exponent = Rational(value.numerator, value.denominator)
        size = power_size(base_size, exponent_size) if base_size and exponent_size else None
        return Pow(base, exponent, evaluate=False), size

    def refuse_constant(self, node: Node, exponent: str) -> None:
        """Refuse the name of a constant, unless that is a symbol by the conditions or the caller."""
        if node.word in ASKED and node.word not in self.symbols:
            asked = ASKED[node.word].format(exponent=exponent)
            raise self.refuse(node, _ASK.format(name=node.word, asked=asked))

    # --- functions --------------------------------------------------------------------------------------

    def _call(self, node: Node) -> Built:
        name = node.word
        if name in FUNCTIONS:
            return self.applied(name, node)
        if name in _RANGES:
            return self.ranged(node)
        if name == "Piecewise":
            return self.piecewise(node)
        if name in _NOT_HERE:
            raise self.refuse(node, _NOT_HERE[name])
        known = [*FUNCTIONS, *_RANGES, "Piecewise"]
        spelled = (name, name.lower())
        near = [match for one in spelled for match in difflib.get_close_matches(one, known, 1)]
        short = len(name) <= len("epsilon") or canonical(name) in GREEK.values()
        product = f"; for a product write {name}*(...)" if short else ""
        hint = f"; nearest: {near[0]}" if near and name not in GREEK.values() else product
        raise self.refuse(node, f"unknown function {name}{hint}")

    def or_decimal(self, node: Node, reason: str) -> str:
        """Add to a reason what to write, where the arguments of a node may be a decimal comma."""
        for match in DECIMAL.finditer(self.text, node.position - 1):
            before = self.text[: match.start()]
            if before.count("(") > before.count(")"):
                return f"{reason}; {decimal_comma(self.text, match.start())}"
        return reason

    def applied(self, name: str, node: Node) -> Built:
        """Build a function of its arguments."""
        function, arguments = FUNCTIONS[name], node.parts
        if not function.least <= len(arguments) <= function.most:
            least, most = function.least, function.most
            counts = f"{least}" if least == most else f"{least} to {most}"
            plural = "s" if counts != "1" else ""
            reason = f"{name} takes {counts} argument{plural}, got {len(arguments)}"
            if name in GREEK.values() and len(arguments) == 1:
                reason += f"; for a product write {name}*(...)"
            raise self.refuse(node, self.or_decimal(node, reason))
        built = [self.number(argument) for argument in arguments]
        if name == "exp" and "i" not in self.known and "i" not in self.indices:
            exponent = built[0][0]
            if exponent.has(S.Pi) and "i" in {symbol.name for symbol in exponent.free_symbols}:
                raise self.refuse(node, _ASK.format(name="i", asked=ASKED["I"]))
        sizes = [size for _, size in built if size is not None]
        size = None
        if len(sizes) == len(built):
            size = function.size(*sizes) if function.size else UNKNOWN
            self._refuse_large(node, size)
        return function.make(*(expression for expression, _ in built)), size

    def ranged(self, node: Node) -> Built:
        """Build a sum, a product or an integral."""
        name, arguments = node.word, node.parts
        if len(arguments) == 2 and arguments[1].kind == "group":
            arguments = (arguments[0], *arguments[1].parts)
        if len(arguments) != 4 or arguments[1].kind != "name":
            raise self.refuse(node, f"write {name}(expression, k, lower, upper)")
        body, index, *limits = arguments
        if index.word in CONSTANTS or index.word in _INFINITE:
            raise self.refuse(index, f"{index.word} cannot be an index")
        self.refuse_sequence(body, index.word)
        kind = _RANGES[name]
        assumption = {"real": True} if kind is sympy.Integral else {"integer": True}
        if kind is not sympy.Integral:
            self.indices.setdefault(index.word, node.position)
        ends = [self.end(limit) for limit in limits]
        outer, bound = self.symbols, Symbol(index.word, **assumption)
        self.symbols = {**outer, index.word: bound}
        expression, _ = self.number(body)
        self.symbols = outer
        # SymPy would fold a Piecewise and merge nested ranges: put the parts in as they are
        made = Expr.__new__(kind, expression, sympy.Tuple(bound, *ends))
        made.is_commutative = True
        return made, None if made.free_symbols else UNKNOWN

    def refuse_sequence(self, body: Node, index: str) -> None:
        """Refuse names that an index seems to number: ``x_i`` would be one symbol for all i."""
        for node in words_in((body,)):
            if mentions(node.word, index):
                shown = node.word.strip("{}") if node.word.startswith(PROBABILITY) else node.word
                reason = (
                    f"does {shown} change with {index}? numbers of a sequence are not read: write the sum "
                    f"out, or a formula of {index}; for a constant take a name without {index}"
                )
                raise self.refuse(node, reason)

    def piecewise(self, node: Node) -> Built:
        """Build a function by cases."""
        pieces = []
        for argument in node.parts:
            if argument.kind != "group" or len(argument.parts) != 2:
                raise self.refuse(argument, "write Piecewise((value, condition), ...)")
            value, condition = argument.parts
            expression, _ = self.number(value)
            always = condition.kind == "name" and condition.word in _ALWAYS
            pieces.append((expression, S.true if always else _boolean(self.tree(condition))))
        with sympy.evaluate(False):
            made = sympy.Piecewise(*pieces, evaluate=False)
        return made, None if made.free_symbols else UNKNOWN


_BUILD: dict[str, Callable[[Builder, Node], Built]] = {
    "number": Builder._number,
    "name": Builder._name,
    "sum": Builder._sum,
    "signed": lambda builder, node: builder._times(node.word, builder.number(node.parts[0])),
    "product": Builder._product,
    "power": Builder._power,
    "factorial": lambda builder, node: builder.applied("factorial", node),
    "bars": lambda builder, node: builder.applied("abs", node),
    "call": Builder._call,
}


def flat(tree: Tree) -> Tree:
    """Merge conjunctions in conjunctions, and disjunctions in disjunctions."""
    if isinstance(tree, Relation):
        return tree
    kind = type(tree)
    parts: list[Tree] = []
    for part in map(flat, tree.parts):
        parts += part.parts if isinstance(part, kind) else (part,)
    return parts[0] if len(parts) == 1 else kind(tuple(parts))


def _combined(rule: Callable[[list[Size]], Size], sizes: Iterable[Size | None]) -> Size | None:
    known = list(sizes)
    return None if None in known else rule([size for size in known if size is not None])


def _negative(expression: Expr) -> Expr:
    """Put a minus before an expression; a number keeps it as its sign."""
    if isinstance(expression, Rational):
        return -expression
    if isinstance(expression, Mul):
        first, *rest = expression.args
        if isinstance(first, Rational) and first > 0:
            return Mul(-first, *rest, evaluate=False)
        return Mul(S.NegativeOne, *expression.args, evaluate=False)
    return Mul(S.NegativeOne, expression, evaluate=False)


def _boolean(tree: Tree) -> Any:
    if isinstance(tree, Relation):
        return sympy.Rel(tree.lhs, tree.rhs, tree.op, evaluate=False)
    kind = sympy.And if isinstance(tree, Both) else sympy.Or
    return kind(*(_boolean(part) for part in tree.parts), evaluate=False)
