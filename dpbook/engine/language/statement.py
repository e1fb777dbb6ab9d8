"""Represent the forms of a statement, kept exactly as written.

SymPy folds, cancels and computes as soon as an expression is built, so statements are made under
``sympy.evaluate(False)`` and kept as triples (lhs, relation, rhs); never as a SymPy relational,
which would simplify itself away when it is copied or pickled.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, ClassVar, Self

import sympy
from sympy import Basic, Expr, Symbol, sympify
from sympy.concrete.expr_with_limits import ExprWithLimits
from sympy.core.parameters import global_parameters
from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Or
from sympy.printing.latex import LatexPrinter
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.str import StrPrinter

from dpbook.kernel.terms import fresh

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
COMPARE = {  # of exact numbers
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
LATEX = {"==": "=", "!=": r"\neq", "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq"}


def in_text(op: str) -> str:
    """Return the sign of a relation as it is shown in text."""
    return "=" if op == "==" else op


_MARKS = {"=": "==", "Eq": "==", "Ne": "!=", "Lt": "<", "Le": "<=", "Gt": ">", "Ge": ">="}
MOST_FACTORS = 100_000  # of a product between numbers

# the previous term of a recurrence; a Dummy is equal to no symbol that is made elsewhere
_PREVIOUS = sympy.Dummy("previous", real=True)

MANY = 1 << 13  # expressions remembered as written out, and as evaluated


class StatementError(ValueError):
    """Signal a statement that cannot be read, or that SymPy has folded away."""


class AlreadyEvaluated(StatementError):
    """Signal a statement that arrived as True or False: there is nothing left to decide."""

    def __init__(self, value: bool) -> None:
        super().__init__(
            f"the statement arrived as {value}: SymPy evaluated it before it could be read; "
            "build it under sympy.evaluate(False), or pass a (lhs, relation, rhs) triple"
        )
        self.value = value


def _set(frozen: Any, **values: Any) -> None:
    """Set the fields of a frozen object that is being made."""
    for name, value in values.items():
        object.__setattr__(frozen, name, value)


NUMBER = re.compile(r"-?\d+(\.\d+)?(/0*[1-9]\d*)?", re.ASCII)


def entered(value: Any) -> Any:
    """Return a value as an object of SymPy; of texts only a number is one, such as "1/10".

    SymPy would evaluate other text as Python.

    Raises
    ------
    StatementError
        When it is other text, a list, or anything else that SymPy has no object for.
    """
    if isinstance(value, str) and NUMBER.fullmatch(value):
        return sympy.Rational(value)
    try:
        return sympify(value, strict=True)
    except sympy.SympifyError:
        raise StatementError(
            f"an expression is needed, got {value!r}; only a whole statement may be text"
        ) from None


def _maybe(change: Callable[[Any], Any], value: Any) -> Any:
    return None if value is None else change(value)


@dataclass(frozen=True)
class Relation:
    """Represent a relation between two expressions, as written."""

    lhs: Expr
    op: str
    rhs: Expr

    @property
    def difference(self) -> Expr:
        """Return the left side minus the right side, unevaluated where evaluation is off."""
        return self.lhs - self.rhs

    @property
    def free_symbols(self) -> set[Symbol]:
        return {*free_in(self.lhs), *free_in(self.rhs)}

    def negated(self) -> Relation:
        return Relation(self.lhs, NEGATED[self.op], self.rhs)

    def map(self, change: Callable[[Expr], Expr]) -> Relation:
        """Apply `change` to both sides."""
        return Relation(change(self.lhs), self.op, change(self.rhs))

    def relations(self) -> Iterator[Relation]:
        yield self

    def conjuncts(self) -> Iterator[Relation]:
        """Yield the relations that hold wherever the tree holds."""
        yield self

    def latex(self) -> str:
        return f"{latex(self.lhs)} {LATEX[self.op]} {latex(self.rhs)}"

    @property
    def sign(self) -> str:
        """Return the sign between the sides in text."""
        return in_text(self.op)

    def __str__(self) -> str:
        return f"{text(self.lhs)} {self.sign} {text(self.rhs)}"


@dataclass(frozen=True)
class _Parts:
    """Hold several trees under one connective."""

    parts: tuple[Tree, ...]
    word: ClassVar[str]
    tex: ClassVar[str]

    def map(self, change: Callable[[Expr], Expr]) -> Self:
        return type(self)(tuple(part.map(change) for part in self.parts))

    def relations(self) -> Iterator[Relation]:
        for part in self.parts:
            yield from part.relations()

    @property
    def free_symbols(self) -> set[Symbol]:
        return set().union(*(part.free_symbols for part in self.parts))

    def latex(self) -> str:
        return rf" \;{self.tex}\; ".join(part.latex() for part in self.parts)

    def __str__(self) -> str:
        other = Either if isinstance(self, Both) else Both
        return f" {self.word} ".join(
            f"({part})" if isinstance(part, other) else str(part) for part in self.parts
        )


class Both(_Parts):
    """Represent a conjunction."""

    word, tex = "and", r"\wedge"

    def conjuncts(self) -> Iterator[Relation]:
        """Yield the relations that hold wherever the tree holds."""
        for part in self.parts:
            yield from part.conjuncts()


class Either(_Parts):
    """Represent a disjunction."""

    word, tex = "or", r"\vee"

    def conjuncts(self) -> Iterator[Relation]:
        """Yield the relations that hold wherever the tree holds: of alternatives, none for sure."""
        yield from ()


@dataclass(frozen=True, init=False)
class Every(Both):
    """Represent a tree for all values of a variable in its range, under conditions.

    Only trees about unknown functions are of this kind.
    """

    variable: Symbol
    conditions: tuple[Tree, ...]

    def __init__(self, variable: Symbol, tree: Any, conditions: Iterable[Any] = ()) -> None:
        under = tuple(map(as_tree, conditions))
        _set(self, parts=(as_tree(tree),), variable=variable, conditions=under)

    @property
    def tree(self) -> Tree:
        """Return the tree that holds for each value."""
        return self.parts[0]

    def map(self, change: Callable[[Expr], Expr]) -> Every:
        conditions = tuple(c.map(change) for c in self.conditions)
        return Every(self.variable, self.tree.map(change), conditions)

    def relations(self) -> Iterator[Relation]:
        for part in (*self.parts, *self.conditions):
            yield from part.relations()

    def conjuncts(self) -> Iterator[Relation]:
        """Yield the relations that hold wherever the tree holds: none, each is about all values."""
        yield from ()

    @property
    def free_symbols(self) -> set[Symbol]:
        inside = (*self.parts, *self.conditions)
        return set().union(*(part.free_symbols for part in inside)) - {self.variable}

    def latex(self) -> str:
        given = "".join(rf",\; {c.latex()}" for c in self.conditions)
        return rf"{self.tree.latex()} \;\text{{ for all }} {latex(self.variable)}{given}"

    def __str__(self) -> str:
        given = "".join(f", {c}" for c in self.conditions)
        return f"{self.tree} for all {self.variable}{given}"


Tree = Relation | Both | Either


def for_all(*parts: Any) -> Tree:
    """Return a tree, the last argument, for all values of the variables before it."""
    *variables, tree = parts
    for variable in reversed(variables):
        tree = Every(variable, tree)
    return as_tree(tree)


def as_tree(thing: Any) -> Tree:
    """Read a relational, a triple, a list of them, or an And/Or of relationals.

    Raises
    ------
    AlreadyEvaluated
        When SymPy has already turned the statement into True or False.
    StatementError
        When it is nothing of the kind, or holds a floating-point number.
    """
    if isinstance(thing, (Relation, Both, Either)):
        return thing
    if isinstance(thing, (bool, BooleanTrue, BooleanFalse)):
        raise AlreadyEvaluated(bool(thing))
    if isinstance(thing, Relational):
        return _relation(thing.lhs, thing.rel_op, thing.rhs)
    if isinstance(thing, (And, Or)):
        kind = Both if isinstance(thing, And) else Either
        return kind(tuple(as_tree(part) for part in sorted(thing.args, key=str)))
    if isinstance(thing, (tuple, list)):
        if len(thing) == 3 and (op := operator_of(thing[1])) is not None:
            return _relation(thing[0], op, thing[2])
        if not thing:
            raise StatementError("a statement needs at least one relation, got none")
        parts = trees_of(thing)
        if not parts:
            raise AlreadyEvaluated(True)
        return thing_or_both(tuple(parts))
    raise StatementError(
        f"a statement must be a relation such as Le(x, y) or (x, '<=', y), got {thing!r}"
    )


def everies(trees: Iterable[Tree]) -> Iterator[Every]:
    """Yield the trees for all values of a variable; a nested tree comes after its outer tree."""
    for tree in trees:
        if isinstance(tree, Every):
            yield tree
            yield from everies([tree.tree])
        elif isinstance(tree, (Both, Either)):
            yield from everies(tree.parts)


def trees_of(things: Iterable[Any]) -> list[Tree]:
    """Read trees; leave out each that arrived as True, and raise AlreadyEvaluated for False."""
    trees = []
    for thing in things:
        try:
            trees.append(as_tree(thing))
        except AlreadyEvaluated as folded:
            if not folded.value:
                raise
    return trees


def thing_or_both(parts: tuple[Tree, ...]) -> Tree:
    """Return the only part, or the conjunction of several."""
    return parts[0] if len(parts) == 1 else Both(parts)


def operator_of(mark: Any) -> str | None:
    """Return the relation that a mark stands for, or None if it stands for no relation."""
    if isinstance(mark, str):
        mark = _MARKS.get(mark, mark)
        return mark if mark in NEGATED else None
    if isinstance(mark, type) and issubclass(mark, Relational):
        return getattr(mark, "rel_op", None)
    return None


def _relation(lhs: Any, op: str, rhs: Any) -> Relation:
    with sympy.evaluate(False):
        sides = [entered(side) for side in (lhs, rhs)]
    for side in sides:
        if not isinstance(side, Expr):
            raise StatementError(f"a side of a relation must be an expression, got {side!r}")
        refuse_floats(side)
        _refuse_one_side(side)
    return Relation(sides[0], op, sides[1])


def _refuse_one_side(expression: Expr) -> None:
    if expression.has(Sup, sympy.Limit):
        raise StatementError(
            f"a supremum, an infimum, or a limit at oo is one side of a whole statement, got {expression}"
        )


def refuse_floats(expression: Basic) -> None:
    """Raise StatementError when a floating-point number occurs: it is not an exact statement."""
    if floats := sorted(expression.atoms(sympy.Float), key=str):
        raise StatementError(
            f"floating-point number {floats[0]} in a statement; write it exactly, "
            f"as Rational({str(sympy.Rational(str(floats[0])))!r})"
        )


def refuse_lost_symbols(expression: Basic) -> None:
    """Raise StatementError where SymPy omits a symbol of a sum or product from its free symbols.

    SymPy renames the index first, which evaluates the term, and x is gone from (k - x)/(k - x).
    Such a symbol would be given no value at a point.
    """
    for found in expression.atoms(sympy.Sum, sympy.Product):
        bound = {index for index, *_ in found.limits}
        inside = {s for e in found.atoms(sympy.Sum, sympy.Product) for s, *_ in e.limits}
        if lost := found.function.free_symbols - bound - inside - found.free_symbols:
            names = ", ".join(sorted(map(str, lost)))
            raise StatementError(
                f"{names} cancels in the term of {text(found)}, so that where the term has a value "
                "cannot be followed: write the term without it"
            )


def refuse_long_products(expression: Basic) -> None:
    """Raise StatementError when a product has more factors than can be multiplied.

    SymPy multiplies factors between numbers as soon as it compares them, and no limit of time can
    stop it within one large number; so they are counted before. A sum needs no such check.
    """
    for found in expression.atoms(sympy.Product):
        for _, low, high in found.limits:
            ends = [high.n(15), low.n(15)]
            known = all(end.is_Float or end.is_Integer for end in ends)
            if known and (count := ends[0] - ends[1] + 1) > MOST_FACTORS:
                raise StatementError(
                    f"a product of {sympy.Integer(count)} factors is too long to be multiplied; "
                    f"at most {MOST_FACTORS} are, or write its value, n! for a factorial"
                )


class Defined(sympy.Function):
    """Represent a named function with a definition, which is written out for the proof only.

    Subclasses implement ``definition(self) -> Expr`` and may implement ``_latex``.
    """

    @classmethod
    def eval(cls, *arguments: Any) -> None:
        """Never evaluate: the name stands in the statement as it is written."""

    def definition(self) -> Expr:
        """Return the expression that the name abbreviates, written out once."""
        raise TypeError(f"{type(self).__name__} has no definition")


class derivative(Defined):
    """Represent ``derivative(f, x)`` of an expression in powers, exponentials and logarithms.

    Where the expression has no value, neither has its derivative.
    """

    nargs = 2

    def __new__(cls, f: Any, x: Any, **options: Any) -> Any:
        if not isinstance(x, Symbol) or getattr(x, "definition", None) is not None:
            raise StatementError(f"derivative(f, x) needs a symbol that stands for itself, got {x}")
        return super().__new__(cls, f, x, **options)

    def definition(self) -> Expr:
        f, x = unfold_definitions(self.args[0]), self.args[1]
        return sympy.Add(_slope(f, x), sympy.Mul(sympy.S.Zero, f))

    def _latex(self, printer: Any, exp: Any = None) -> str:
        f, x = (printer.doprint(argument) for argument in self.args)
        return rf"\frac{{d}}{{d {x}}} \left({f}\right)"


def differentiates(expression: Basic) -> bool:
    """Say whether an expression is a derivative, or a function that takes one in its definition."""
    if isinstance(expression, derivative) or not isinstance(expression, Defined):
        return isinstance(expression, derivative)
    with sympy.evaluate(False):
        meant = sympify(expression.definition())
    return any(differentiates(node) for node in nodes_of(meant))


def _slope(f: Expr, x: Expr) -> Expr:
    """Differentiate term by term, evaluating nothing."""
    if x not in f.free_symbols:
        return sympy.S.Zero
    if f == x:
        return sympy.S.One
    if isinstance(f, sympy.Add):
        return sympy.Add(*(_slope(a, x) for a in f.args if x in a.free_symbols))
    if isinstance(f, sympy.Mul):
        places = [i for i, a in enumerate(f.args) if x in a.free_symbols]
        rest = [sympy.Mul(*f.args[:i], *f.args[i + 1 :]) for i in places]
        return sympy.Add(*(r * _slope(f.args[i], x) for i, r in zip(places, rest, strict=True)))
    if isinstance(f, sympy.Pow) and x not in f.exp.free_symbols:
        return f.exp * f.base ** (f.exp - 1) * _slope(f.base, x)
    if isinstance(f, sympy.Pow):
        return f * _slope(f.exp * sympy.log(f.base), x)
    if isinstance(f, sympy.exp):
        return f * _slope(f.args[0], x)
    if isinstance(f, sympy.log):
        return _slope(f.args[0], x) / f.args[0]
    raise StatementError(f"cannot write out the derivative of {text(f)}")


@lru_cache(maxsize=MANY)
def unfold_definitions(expression: Expr) -> Expr:
    """Replace every abbreviation and defined function by its definition, evaluating nothing."""
    with sympy.evaluate(False):
        return _written_out(expression, {}, ())


def unfold_abbreviations(expression: Expr) -> Expr:
    """Replace every abbreviation by its definition, and keep defined functions by name."""
    with sympy.evaluate(False):
        return _written_out(expression, {}, Defined)


def _written_out(
    expression: Basic, memo: dict[Basic, Basic], kept: type[Defined] | tuple[()]
) -> Basic:
    if expression in memo:
        return memo[expression]
    definition = None if isinstance(expression, kept) else getattr(expression, "definition", None)
    if definition is not None:
        result = _written_out(sympify(definition()), memo, kept)
    elif not expression.args or not isinstance(expression, Basic):
        result = expression
    else:
        arguments = [_written_out(argument, memo, kept) for argument in expression.args]
        build = expression.func
        if isinstance(expression, ExprWithLimits):
            arguments[0] = _without_ones(arguments[0])
            build = partial(with_limits, expression.func)
        same = all(new is old for new, old in zip(arguments, expression.args, strict=True))
        result = expression if same else build(*arguments)
    memo[expression] = result
    return result


def _without_ones(term: Basic) -> Basic:
    """Take away the factors 1 that SymPy adds whenever it builds a sum anew, unevaluated."""
    while isinstance(term, sympy.Mul) and len(term.args) == 2 and term.args[0] is sympy.S.One:
        term = term.args[1]
    return term


def with_limits(kind: type[ExprWithLimits], term: Basic, *limits: Basic) -> Basic:
    """Build a sum or an integral of a term as it stands, so that all ways to one sum agree."""
    made = sympy.Expr.__new__(kind, term, *limits)
    made.is_commutative = term.is_commutative
    return made


def nodes_of(expression: Basic) -> Iterator[Basic]:
    """Yield an expression and all its parts, in a fixed order.

    SymPy's own traversal takes the arguments of a maximum in any order.
    """
    yield expression
    for argument in expression.args:
        yield from nodes_of(argument)


def with_parts(
    expression: Any,
    parts: Mapping[Any, Any],
    build: Callable[[Any, list[Any]], Any] = lambda whole, arguments: whole.func(*arguments),
) -> Any:
    """Replace parts of an expression; an expression without such parts stays the same object.

    Parameters
    ----------
    build : callable
        Makes an expression that holds a part anew, of the old expression and its new arguments. A
        sum, a product or an integral is always put together as it stands: its constructor would
        multiply by 1.
    """
    if expression in parts:
        return parts[expression]
    if not expression.args:
        return expression
    arguments = [with_parts(argument, parts, build) for argument in expression.args]
    if all(new is old for new, old in zip(arguments, expression.args, strict=True)):
        return expression
    if isinstance(expression, ExprWithLimits):
        return with_limits(type(expression), *arguments)
    return build(expression, arguments)


@lru_cache(maxsize=50_000)
def free_in(expression: Basic) -> frozenset[Symbol]:
    """Return the free symbols of an expression; SymPy would rebuild each sum and integral."""
    if isinstance(expression, ExprWithLimits):
        free = free_in(expression.function)
        for variable, *ends in expression.limits:
            free = (free - {variable} if ends else free | {variable}).union(*map(free_in, ends))
        return free
    if expression.args and type(expression).free_symbols is Basic.free_symbols:
        return frozenset().union(*map(free_in, expression.args))
    return frozenset(expression.free_symbols)


def bound_in(expression: Basic) -> set[Symbol]:
    """Return the symbols that sums, products and integrals in an expression bind."""
    return {v for v, _, _ in bindings(expression)}


def bindings(expression: Basic) -> Iterator[tuple[Symbol, bool, tuple[Basic, ...]]]:
    """Yield each bound symbol, whether it runs over integers, and its ends."""
    for node in nodes_of(expression):
        if isinstance(node, ExprWithLimits):
            for variable, *ends in node.limits:
                yield variable, not isinstance(node, sympy.Integral), tuple(ends)


def bound_renamed(expression: Basic, names: Mapping[tuple[Symbol, bool], Symbol]) -> Basic:
    """Give symbols other names where they are bound, and only there.

    Parameters
    ----------
    names : mapping
        From a symbol and whether it is bound as an integer (by a sum, a product).
    """
    if not expression.args or not names:
        return expression
    arguments = [bound_renamed(argument, names) for argument in expression.args]
    if not isinstance(expression, ExprWithLimits):
        same = all(new is old for new, old in zip(arguments, expression.args, strict=True))
        return expression if same else expression.func(*arguments)
    whole = not isinstance(expression, sympy.Integral)
    swap = {v: names[v, whole] for v in expression.variables if (v, whole) in names}
    limits = []
    for place, (variable, *ends) in enumerate(arguments[1:]):
        # a symbol of a later limit is bound in the ends of an earlier limit
        later = {v: swap[v] for v, *_ in expression.args[place + 2 :] if v in swap}
        ends = [end.xreplace(later) for end in ends]
        limits.append(sympy.Tuple(swap.get(variable, variable), *ends))
    return with_limits(expression.func, arguments[0].xreplace(swap), *limits)


def evaluated(e: Any, changes: dict[Symbol, Symbol] | None = None) -> Any:
    """Rebuild an expression, evaluated if evaluation is on.

    The result is sound only where the expression is defined.
    """
    rebuild = _evaluated if global_parameters.evaluate else _rebuilt
    return rebuild(e, tuple((changes or {}).items()))


def _rebuilt(e: Any, pairs: tuple[tuple[Any, Any], ...]) -> Any:
    made = dict(pairs)

    def build(node: Any) -> Any:
        if node not in made:
            made[node] = node.func(*[build(a) for a in node.args]) if node.args else node
        return made[node]

    return build(e)


_evaluated = lru_cache(maxsize=MANY)(_rebuilt)

# --- the forms ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ForAll:
    """Represent a relation, or a conjunction or disjunction, for all points of the domain."""

    tree: Tree

    def map(self, change: Callable[[Expr], Expr]) -> ForAll:
        return ForAll(self.tree.map(change))

    def latex(self) -> str:
        return self.tree.latex()

    def __str__(self) -> str:
        return str(self.tree)


@dataclass(frozen=True)
class Exists:
    """Represent the statement that each key of `witness` has a value with the relation.

    The proof puts in the value from `witness`.
    """

    relation: Tree
    witness: tuple[tuple[Symbol, Expr], ...]

    def __init__(self, relation: Any, witness: Mapping[Symbol, Any] | Iterable[Any]) -> None:
        pairs = witness.items() if isinstance(witness, Mapping) else witness
        values = tuple((symbol, entered(value)) for symbol, value in pairs)
        _set(self, relation=as_tree(relation), witness=values)

    def map(self, change: Callable[[Expr], Expr]) -> Exists:
        return Exists(
            self.relation.map(change), [(symbol, change(value)) for symbol, value in self.witness]
        )

    def latex(self) -> str:
        bound = ", ".join(latex(symbol) for symbol, _ in self.witness)
        return rf"\exists {bound}:\; {self.relation.latex()}"

    def __str__(self) -> str:
        bound = ", ".join(str(symbol) for symbol, _ in self.witness)
        return f"there is {bound} with {self.relation}"


@dataclass(frozen=True)
class Eventually:
    """Represent a relation that holds for all large enough values of `index`."""

    index: Symbol
    relation: Relation
    threshold: Expr | None = None

    def __init__(self, index: Symbol, relation: Any, threshold: Any = None) -> None:
        _set(self, index=index, relation=as_tree(relation), threshold=_maybe(entered, threshold))

    def map(self, change: Callable[[Expr], Expr]) -> Eventually:
        threshold = _maybe(change, self.threshold)
        return Eventually(self.index, self.relation.map(change), threshold)

    def latex(self) -> str:
        return rf"{self.relation.latex()} \quad\text{{for large }} {latex(self.index)}"

    def __str__(self) -> str:
        return f"{self.relation} for all large {self.index}"


@dataclass(frozen=True)
class Order:
    """Represent ``f = O(g)`` as `index` grows: ``|f| <= constant * |g|`` from a threshold on.

    With ``limit`` given, the statement is that ``f / g`` tends to that limit.
    """

    f: Expr
    g: Expr
    index: Symbol
    constant: Expr | None = None
    threshold: Expr | None = None
    limit: Expr | None = None

    def __post_init__(self) -> None:
        _set(self, f=entered(self.f), g=entered(self.g))
        for name in ("constant", "threshold", "limit"):
            _set(self, **{name: _maybe(entered, getattr(self, name))})

    @property
    def quotient(self) -> Expr:
        """Return f / g, not evaluated."""
        with sympy.evaluate(False):
            return self.f if self.g == 1 else self.f / self.g

    @property
    def endless(self) -> bool:
        """Say whether the limit is infinite."""
        return self.limit in (sympy.oo, -sympy.oo)

    def map(self, change: Callable[[Expr], Expr]) -> Order:
        rest = (_maybe(change, value) for value in (self.constant, self.threshold, self.limit))
        return Order(change(self.f), change(self.g), self.index, *rest)

    def latex(self) -> str:
        f, g, n = latex(self.f), latex(self.g), latex(self.index)
        if self.limit is not None:
            quotient = f if self.g == 1 else rf"\frac{{{f}}}{{{g}}}"
            return rf"\lim_{{{n}\to\infty}} {quotient} = {latex(self.limit)}"
        return rf"{f} = O\left({g}\right) \quad ({n}\to\infty)"

    def __str__(self) -> str:
        if self.limit is not None:
            quotient = text(self.f) if self.g == 1 else f"({text(self.f)}) / ({text(self.g)})"
            return f"{quotient} -> {text(self.limit)} as {self.index} -> oo"
        return f"{text(self.f)} = O({text(self.g)}) as {self.index} -> oo"


@dataclass(frozen=True)
class Recurrence:
    """Represent the closed form of a sequence: x(0) = start, x(k+1) = step(x(k)), with k from 0.

    ``start`` belongs to the smallest value in the range of `index`, whatever the conditions say
    about it: they say where the closed form must hold. Only an index whose range has no lower end
    takes its smallest value from the conditions. ``step`` is a function of the previous term (or
    the expression in `previous`), and may use the index of the previous term. It must have a value
    at each term before the index.
    """

    step: Expr
    start: Expr
    closed_form: Expr
    index: Symbol
    previous: Symbol = _PREVIOUS

    def __post_init__(self) -> None:
        # a symbol of our own stands for the previous term: nobody's name is captured
        step, index, previous = self.step, self.index, self.previous
        step = entered(step(_PREVIOUS) if callable(step) and not isinstance(step, Basic) else step)
        start, closed_form = entered(self.start), entered(self.closed_form)
        if previous not in (None, _PREVIOUS):
            if previous == index:
                raise StatementError(
                    f"previous and index must be two symbols, got {index} for both"
                )
            if any(previous in unfold_definitions(e).free_symbols for e in (start, closed_form)):
                raise StatementError(
                    f"previous must stand in step only, got {previous} in start or closed_form; "
                    "pass another symbol, or a function as step"
                )
            with sympy.evaluate(False):
                step = step.xreplace({previous: _PREVIOUS})
        _set(self, step=step, start=start, closed_form=closed_form, previous=_PREVIOUS)

    def map(self, change: Callable[[Expr], Expr]) -> Recurrence:
        step, start, closed_form = map(change, (self.step, self.start, self.closed_form))
        return Recurrence(step, start, closed_form, self.index, self.previous)

    def _shown(self, term: str) -> Expr:
        """Return the step with a name for the previous term."""
        with sympy.evaluate(False):
            return self.step.xreplace({self.previous: Symbol(term, real=True)})

    def _first(self) -> Expr | None:
        """Return the smallest index by its own range; None where only conditions give it."""
        bounds = getattr(self.index, "range", None)
        if bounds is None or bounds.lower is None:
            return None
        with sympy.evaluate(True):
            first = bounds.lower + 1 if bounds.lower_open else bounds.lower
            if first.is_Rational:
                return sympy.floor(first) if bounds.lower_open else sympy.ceiling(first)
            return first

    def latex(self) -> str:
        k, first = latex(self.index), self._first()
        x_k, x_next = f"x_{{{k}}}", f"x_{{{k}+1}}"
        step = latex(self._shown(x_k))
        start = rf"\min {k}" if first is None else latex(first)
        return (
            rf"{x_next} = {step},\; x_{{{start}}} = {latex(self.start)} \;\Longrightarrow\; "
            rf"{x_k} = {latex(self.closed_form)}"
        )

    def __str__(self) -> str:
        k, first = self.index, self._first()
        step = text(self._shown(f"x({k})"))
        start = f"smallest {k}" if first is None else text(first)
        return f"x({k}+1) = {step}, x({start}) = {text(self.start)} gives x({k}) = {text(self.closed_form)}"


class _Words:
    """Represent a statement in words: there is no expression in it."""

    def map(self, change: Callable[[Expr], Expr]) -> Self:
        return self

    def latex(self) -> str:
        return rf"\text{{{self}}}"


@dataclass(frozen=True)
class Statistical(_Words):
    """Represent a statement about a random procedure, tested with a stated error probability.

    Attributes
    ----------
    test : callable
        ``test(rng, size) -> p_value`` with a `numpy.random.Generator`.
    description : str
    size : int
        Sample size, stated before the run.
    error : float
        Two-sided error probability below which the statement is refuted.
    """

    test: Callable[..., float]
    description: str
    size: int
    error: float = 1e-9

    def __str__(self) -> str:
        return self.description


@dataclass(frozen=True)
class Noted(_Words):
    """Represent a definition, a citation or a remark without mathematics.

    There is nothing to decide, and `why` gives the reason.
    """

    why: str

    def __str__(self) -> str:
        return self.why


class Sup(Expr):
    """Represent the supremum of an expression over a set, as one side of a statement.

    ``Sup(f, (x, x > 0, x <= 1))`` is over all x under these conditions, ``Sup(f, (x, Interval(0,
    1)))`` over a set of SymPy's, ``Sup(f, x)`` over the range of the symbol. Further symbols follow.
    """

    is_commutative = True
    name, within = "sup", "<="  # each value stands in the relation `within` to it

    def __new__(cls, f: Any, *over: Any) -> Self:
        if not over:
            raise StatementError(f"{cls.__name__}(f, (x, x > 0)) names its variable, got none")
        return Expr.__new__(cls, entered(f), *map(_over, over))

    @property
    def free_symbols(self) -> set[Symbol]:
        return super().free_symbols - {symbol for symbol, *_ in self.args[1:]}


class Inf(Sup):
    """Represent the infimum of an expression over a set, as `Sup` represents the supremum."""

    name, within = "inf", ">="


def _over(one: Any) -> sympy.Tuple:
    """Read a symbol with its conditions: relations, or sets of SymPy's."""
    symbol, *conditions = one if isinstance(one, (tuple, sympy.Tuple)) else (one,)
    if not isinstance(symbol, Symbol) or getattr(symbol, "definition", None) is not None:
        raise StatementError(f"a set is named by a symbol and conditions, got {one!r}")
    kept = []
    for condition in conditions:
        if isinstance(condition, sympy.Set):
            with sympy.evaluate(True):  # it leaves out that x is below oo
                condition = condition.as_relational(symbol)
        if condition in (False, sympy.false):
            raise StatementError(f"the set of {symbol} is empty: SymPy evaluated a condition")
        kept += [] if condition in (True, sympy.true) else [condition]
    return sympy.Tuple(symbol, *kept)


@dataclass(frozen=True)
class Extreme:
    """Represent a relation between a supremum, or an infimum, over a set and a number.

    The supremum is the least number that is at least each value. It is the number M where every
    value is at most M, and M is at most every such bound.
    """

    kind: type[Sup]
    f: Expr
    over: tuple[tuple[Symbol, tuple[Tree, ...]], ...]
    op: str
    value: Expr

    def __post_init__(self) -> None:
        variables = [symbol for symbol, _ in self.over]
        if len({s.name for s in variables}) < len(variables) or free_in(self.value) & {*variables}:
            raise StatementError(f"a {self.kind.name} binds each of its symbols once: {self}")
        for side in (self.f, self.value):
            _refuse_one_side(side)
        endless = sympy.oo if self.kind is Sup else -sympy.oo
        above = {*SWAPPED} - {"!=", self.kind.within[0]}  # that it is below M has no bound to name
        if self.op not in above or (
            self.value.is_infinite and (self.value, self.op) != (endless, "==")
        ):
            raise StatementError(
                f"cannot say that a {self.kind.name} is {in_text(self.op)} {self.value}"
            )

    def map(self, change: Callable[[Expr], Expr]) -> Extreme:
        over = tuple((s, tuple(c.map(change) for c in under)) for s, under in self.over)
        return Extreme(self.kind, change(self.f), over, self.op, change(self.value))

    @property
    def conditions(self) -> tuple[Tree, ...]:
        """Return the conditions under which a point lies in the set."""
        return tuple(c for _, under in self.over for c in under)

    def at_points(self) -> Relation:
        """Return the relation that the statement asks of each point of the set."""
        if self.op in ("==", self.kind.within) and not self.value.is_infinite:
            return Relation(self.f, self.kind.within, self.value)
        return Relation(self.f, "==", self.f)  # it has a value

    def bound(self, given: Iterable[Tree] = ()) -> Symbol:
        """Return a symbol for the bounds of the values; no other has its name."""
        trees = (*given, *self.conditions, Relation(self.f, "==", self.value))
        taken = {s.name for s, _ in self.over}.union(
            *({s.name for s in tree.free_symbols} for tree in trees)
        )
        return Symbol(fresh("bound", taken), real=True)

    def everywhere(self, relation: Tree) -> Tree:
        """Return a relation for all points of the set."""
        for symbol, under in reversed(self.over):
            relation = Every(symbol, relation, under)
        return relation

    def tree(self, bound: Symbol) -> Both:
        """Return the statement in relations for all values of symbols."""
        value, within = self.value, self.kind.within
        f = sympy.S.Zero if self.op == within else self.f  # only that the set has a point is left
        below = Relation(value, SWAPPED[self.op], bound)
        if self.op in ("==", within):
            below = Relation(sympy.S.Zero if self.op == within else value, within, bound)
        if value.is_infinite:
            below = Relation(sympy.S.Zero, ">", sympy.S.One)
        least = Every(bound, below, [self.everywhere(Relation(f, within, bound))])
        own = () if value.is_infinite else (Relation(value, "==", value),)
        return Both((self.everywhere(self.at_points()), *own, least))

    def latex(self) -> str:
        return self._said(latex, r"\{}_{{{}}} \left({}\right) {} {}", LATEX[self.op])

    def __str__(self) -> str:
        return self._said(text, "{}_{{{}}} ({}) {} {}", in_text(self.op))

    def _said(self, write: Callable[[Basic], str], pattern: str, sign: str) -> str:
        under = [c.latex() if write is latex else str(c) for c in self.conditions]
        named = [write(s) for s, own in self.over if not own]
        return pattern.format(
            self.kind.name, ", ".join(named + under), write(self.f), sign, write(self.value)
        )


Form = ForAll | Exists | Eventually | Order | Extreme | Recurrence | Statistical | Noted


def as_form(thing: Any) -> Form:
    """Return the form itself, the form of a supremum or a limit, or `ForAll` of a relation."""
    if isinstance(thing, Form):
        return thing
    sides: Any = thing if isinstance(thing, (tuple, list)) and len(thing) == 3 else ()
    if isinstance(thing, Relational):
        sides = thing.lhs, type(thing), thing.rhs
    for a, mark, b in [sides, sides[::-1]] if sides else []:
        op = operator_of(mark)
        if isinstance(a, sympy.Limit) and op == "==" and a.args[2] is sympy.oo:
            refuse_floats(sympy.Tuple(a.args[0], entered(b)))
            return Order(a.args[0], 1, a.args[1], limit=b)
        if isinstance(a, Sup) and op is not None:
            f, *over = a.args
            under = [(s, tuple(map(as_tree, conditions))) for s, *conditions in over]
            refuse_floats(sympy.Tuple(f, entered(b)))
            return Extreme(
                type(a), f, tuple(under), SWAPPED[op] if a is sides[2] else op, entered(b)
            )
    return ForAll(as_tree(thing))


# --- typesetting ----------------------------------------------------------------------------------


def _divisor(factor: Basic) -> Basic:
    """Turn a factor 1/n that is not in front into a divisor: it came from a quotient."""
    if isinstance(factor, sympy.Rational) and factor.p == 1 and factor.q != 1:
        return sympy.Pow(sympy.Integer(factor.q), -1, evaluate=False)
    return factor


def _flattened(expression: Basic) -> Basic:
    """Flatten nested sums and products: ``a + b + c`` without brackets, ``1*`` or ``0 +``."""
    if isinstance(expression, (sympy.Symbol, Defined, sympy.Rational)) or not expression.args:
        signed = type(expression) is sympy.Symbol and expression.is_extended_nonnegative
        # SymPy's printers ask for signs, and fail at some that they find in unevaluated trees
        return sympy.Symbol(expression.name) if signed else expression
    arguments = [_flattened(argument) for argument in expression.args]
    if isinstance(expression, (sympy.Add, sympy.Mul)):
        kind = type(expression)
        flat = [b for a in arguments for b in (a.args if type(a) is kind else (a,))]
        if isinstance(expression, sympy.Mul):  # a quotient is built as 1 times an inverse
            kept = [a for a in flat if a != 1] or [sympy.S.One]
            arguments = kept[:1] + [_divisor(a) for a in kept[1:]]
        else:
            arguments = _without_sign_in_front([a for a in flat if a != 0] or [sympy.S.Zero])
        if len(arguments) == 1:
            return arguments[0]
    if isinstance(expression, ExprWithLimits):
        return with_limits(type(expression), *arguments)
    return expression.func(*arguments)


def _without_sign_in_front(terms: list[Basic]) -> list[Basic]:
    """Move a negative number from the front, where SymPy puts it: ``-1 + n`` becomes ``n - 1``."""
    first, *others = terms
    if isinstance(first, sympy.Rational) and first < 0:
        for place, term in enumerate(others):
            if not term.could_extract_minus_sign():
                return [term, first, *others[:place], *others[place + 1 :]]
    return terms


@lru_cache(maxsize=MANY, typed=True)
def latex(expression: Basic) -> str:
    """Typeset an expression as it is written."""
    printer = _Latex({"order": "none", "mul_symbol": None})
    return _printed(expression, printer).replace(r"\epsilon", r"\varepsilon")  # as in the papers


@lru_cache(maxsize=MANY, typed=True)
def text(expression: Basic) -> str:
    """Write an expression as plain text, as it is written."""
    return _printed(expression, _Text({"order": "none"}))


def _printed(expression: Basic, printer: Any) -> str:
    if not expression.args:  # whenever evaluation is switched, SymPy forgets all it knows
        return str(printer.doprint(_flattened(expression)))
    with sympy.evaluate(False):
        flat = _flattened(expression)
        with suppress(TypeError, RecursionError):
            return str(printer.doprint(flat))
    # the printers ask for signs, in a random order; for some signs SymPy needs evaluation
    try:
        return str(printer.doprint(flat))
    except RecursionError:
        raise StatementError("SymPy cannot write it: it asks for a sign without end") from None


def _number_behind(expression: Basic) -> bool:
    """Say whether it is a product in which a factor after the first begins with a number."""
    product = isinstance(expression, sympy.Mul)
    return product and any(map(_begins_with_number, expression.args[1:]))


def _quotient(expression: Basic) -> tuple[list[Basic], list[Basic]]:
    """Return the factors of a product or power above and below the line; numbers stay in place."""
    over, under = list[Basic](), list[Basic]()
    for factor in expression.args if isinstance(expression, sympy.Mul) else (expression,):
        if isinstance(factor, sympy.Pow) and factor.exp.is_Rational and factor.exp < 0:
            whole = factor.exp == -1
            base = factor.base if whole else sympy.Pow(factor.base, -factor.exp, evaluate=False)
            under += base.args if isinstance(base, sympy.Mul) else [base]
        else:
            over.append(factor)
    return over, under


def _product(factors: list[Basic]) -> Basic:
    """Return a product as it stands, also where evaluation is on: SymPy would sort the factors."""
    if len(factors) == 1:
        return factors[0]
    return sympy.Mul(*factors, evaluate=False) if factors else sympy.S.One


def _begins_with_number(factor: Basic) -> bool:
    if isinstance(factor, sympy.Pow):
        return bool(factor.base.is_Rational and not factor.exp.is_Rational)
    return isinstance(factor, sympy.Rational) and factor != -1  # -1 has brackets of its own


class _Latex(LatexPrinter):
    def __init__(self, settings: Any = None) -> None:
        super().__init__(settings)
        self._powers: dict[Any, Any] = {}

    def _print_ExpBase(self, expr: Any, exp: str | None = None) -> str:
        """Write exp(...) if the exponent holds a fraction, which would be too small to read."""
        inside = self._print(expr.args[0])
        if r"\frac" in inside:
            power = "" if exp is None else f"^{{{exp}}}"
            return rf"\exp{power}\left({inside}\right)"
        # not by SymPy's own method, which writes the argument once more: twice at each depth
        return str(self._do_exponent(rf"e^{{{inside}}}", exp))

    def _print_Add(self, expr: Any, order: Any = None) -> str:
        """Subtract a term with a minus; SymPy would subtract the negative of a term with two."""
        said = ""
        for term in expr.args:
            shown = self._print(term)
            if self._needs_add_brackets(term):
                shown = rf"\left({shown}\right)"
            minus = shown.startswith("-")
            rest = shown[1:].lstrip() if minus else shown
            said += f" {'-' if minus else '+'} {rest}" if said else shown
        return said

    def _print_Mul(self, expr: Any) -> str:
        """Put a dot before a number that stands behind a factor: ``x 2`` can be misread."""
        if isinstance(expr, sympy.Mul) and -1 in expr.args[:2]:
            rest = list(expr.args)
            rest.remove(sympy.S.NegativeOne)
            shown = self._print(_product(rest))
            bare = len(rest) > 1 or not rest[0].is_Add
            return f"- {shown}" if bare and shown[0] != "-" else rf"- \left({shown}\right)"
        top, bottom = map(_product, _quotient(expr))
        if not any(map(_number_behind, (expr, top, bottom))):
            return str(super()._print_Mul(self._without_powers(expr)))
        if bottom != 1:
            return rf"\frac{{{self._print(top)}}}{{{self._print(bottom)}}}"
        if not _number_behind(top):
            return str(self._print(top))
        said, number = "", False
        for position, factor in enumerate(top.args):
            shown, last = self._print(factor), position == len(top.args) - 1
            signed = not position and factor.is_Rational
            if not signed and self._needs_mul_brackets(factor, first=not position, last=last):
                shown = rf"\left({shown}\right)"
            dotted = shown[0].isdigit() or factor.is_Rational or (number and shown[:2] == r"\f")
            said += (r" \cdot " if said and dotted else " " if said else "") + shown
            number = bool(factor.is_Rational)
        return said

    def _without_powers(self, expr: Any) -> Any:
        """Put symbols for powers with symbols in the exponent: SymPy would simplify the exponent."""
        if not isinstance(expr, sympy.Mul):
            return expr
        factors = list(expr.args)
        for place, factor in enumerate(factors):
            if isinstance(factor, (sympy.Pow, sympy.exp)) and factor.exp.free_symbols:
                factors[place] = sympy.Dummy()
                self._powers[factors[place]] = factor
        return sympy.Mul(*factors, evaluate=False)

    def _print_Dummy(self, expr: Any) -> str:
        power = self._powers.get(expr)
        return str(super()._print_Symbol(expr) if power is None else self._print(power))

    def _print_beta(self, expr: Any, exp: str | None = None) -> str:
        """Typeset a Beta function; SymPy would set its arguments by their plain names."""
        power = "" if exp is None else f"^{{{exp}}}"
        inside = ", ".join(self._print(argument) for argument in expr.args)
        return rf"\operatorname{{B}}{power}\left({inside}\right)"


class _Text(StrPrinter):
    """Write products and powers without building new ones: unevaluated, they would show ``1*``."""

    def _print_Mul(self, expr: Any) -> str:
        sign, top, bottom = "", [], []
        for position, factor in enumerate(expr.args):
            if factor.is_Rational and (factor.q != 1 or not position or abs(factor) == 1):
                if factor < 0:
                    sign = "" if sign else "-"
                top += [str(abs(factor.p))] if abs(factor.p) != 1 else []
                bottom += [str(factor.q)] if factor.q != 1 else []
            elif factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
                bottom.append(self._power(factor.base, -factor.exp, "Mul"))
            else:
                top.append(self.parenthesize(factor, PRECEDENCE["Mul"], strict=False))
        over = "*".join(top) or "1"
        if not bottom:
            return sign + over
        under = bottom[0] if len(bottom) == 1 else f"({'*'.join(bottom)})"
        return f"{sign}{over}/{under}"

    def _print_Pow(self, expr: Any, rational: bool = False) -> str:
        if expr.exp.is_Rational and expr.exp < 0:
            return f"1/{self._power(expr.base, -expr.exp, 'Mul')}"
        return self._power(expr.base, expr.exp, "Pow")

    def _power(self, base: Any, exponent: Any, level: str) -> str:
        if exponent == 1 and base.is_Pow and base.exp.is_Rational and base.exp < 0:
            return f"({self._print(base)})"  # 1/(1/x), which is not 1/1/x
        if exponent == 1:
            return str(self.parenthesize(base, PRECEDENCE[level], strict=False))
        if exponent == sympy.S.Half:
            return f"sqrt({self._print(base)})"
        power = PRECEDENCE["Pow"]
        return (
            f"{self.parenthesize(base, power, strict=False)}"
            f"**{self.parenthesize(exponent, power, strict=False)}"
        )


def typed(thing: Expr | Tree) -> str:
    """Write a line as a reader would type it: an expression, or relations."""
    return text(thing) if isinstance(thing, Expr) else str(thing)
