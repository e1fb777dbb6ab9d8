"""Turn a SymPy tree into a tape, a list of elementary steps with results that can be reused.

The tape follows the tree as it is written (nothing cancels, no pole is lost); equal subtrees share
a step. Every evaluator of the engine runs the same tape: balls, exact points, floats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial, reduce
from itertools import chain
from typing import Any, TypeVar

import sympy
from flint import fmpq
from sympy import Expr, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import ITE

from dpbook.engine.language.functions import FUNCTIONS
from dpbook.engine.language.functions_of_sympy import BY_CLASS

LONGEST_SUM = 300
AT_POINTS = ("undefined", "unknown", "integral", "series")  # steps that only exact points evaluate
UNROLLED = 64
T = TypeVar("T")
Places = Mapping[Symbol, int]
Lowered = Callable[["Tape", Places], int]  # puts the body of a sum or an integral on its own tape


class CannotCompile(ValueError):
    """Signal an expression with a part that the compilers do not know."""


@dataclass(frozen=True)
class Step:
    """Represent a step: an operation on earlier steps, with its fixed data."""

    op: str
    args: tuple[int, ...] = ()
    static: Any = None


@dataclass(frozen=True, eq=False)
class Loop:
    """Hold the body of a sum or a product whose ends are known only at a point."""

    product: bool
    tape: Tape


@dataclass(frozen=True, eq=False)
class Integrand:
    """Hold the integrand of an integral, or the term of a series, known only at a point.

    Attributes
    ----------
    tape : Tape
        Its first input is the variable of integration, or the index.
    has_low, has_high : bool
        Whether an end is finite; an infinite end is no step of the tape.
    """

    tape: Tape
    has_low: bool
    has_high: bool

    def split(self, args: Sequence[T]) -> tuple[T | None, T | None, list[T]]:
        """Return the lower end, the upper end and the other inputs; None for an infinite end."""
        others = list(args)
        low = others.pop(0) if self.has_low else None
        high = others.pop(0) if self.has_high else None
        return low, high, others


# Functions of one argument have the same name in every evaluator; closed forms of integrals use the
# last two.
UNARY: dict[Any, str] = {
    **{
        made: row.name
        for made, row in BY_CLASS.items()
        if row.arguments == 1 and not row.inverse_of
    },
    sympy.erfi: "erfi",
    sympy.erfinv: "erfinv",
}
RECIPROCAL = {made: row.inverse_of for made, row in BY_CLASS.items() if row.inverse_of}
BINARY: dict[Any, str] = {
    made: row.name
    for made, row in BY_CLASS.items()
    if row.arguments == 2 and made is not sympy.polygamma
}
NUMBERS = {sympy.pi: "pi", sympy.E: "e", sympy.EulerGamma: "euler", sympy.Catalan: "catalan"}


@dataclass
class Tape:
    """Hold steps in an order in which they can be run; `inputs` are the first of them.

    Attributes
    ----------
    inputs : tuple of Symbol
    steps : list of Step
    outputs : tuple of int
    """

    inputs: tuple[Symbol, ...]
    steps: list[Step] = field(default_factory=list)
    outputs: tuple[int, ...] = ()
    known: dict[Step, int] = field(default_factory=dict, repr=False)
    opaque: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for position in range(len(self.inputs)):
            self.put("input", static=position)

    def put(self, op: str, *args: int, static: Any = None) -> int:
        """Append a step, or find the equal step that is there already, and return its place."""
        step = Step(op, args, static)
        place = self.known.get(step)
        if place is None:
            place = self.known[step] = len(self.steps)
            self.steps.append(step)
        return place

    @cached_property
    def needed(self) -> set[int]:
        """Return the steps that the outputs depend on; it is asked when all steps are there."""
        seen = set(self.outputs)
        for place in reversed(range(len(self.steps))):  # a step needs earlier steps only
            if place in seen:
                seen.update(self.steps[place].args)
        return seen

    def run(self, inputs: Sequence[Any], apply: Callable[[str, list[Any], Any], Any]) -> list[Any]:
        """Return the outputs; each step that they need is applied to the values of earlier steps."""
        values: list[Any] = [None] * len(self.steps)
        for place, step in enumerate(self.steps):
            if step.op == "input":
                values[place] = inputs[step.static]
            elif place in self.needed:
                values[place] = apply(step.op, [values[a] for a in step.args], step.static)
        return [values[place] for place in self.outputs]

    # --- building blocks, which fold exact constants ------------------------------------------

    def number(self, value: fmpq | int) -> int:
        return self.put("const", static=fmpq(value))

    def constant(self, place: int) -> fmpq | None:
        step = self.steps[place]
        return step.static if step.op == "const" else None

    def add(self, *args: int) -> int:
        if len(args) == 1:
            return args[0]
        values = [value for value in map(self.constant, args) if value is not None]
        if len(values) == len(args):
            return self.number(sum(values, fmpq(0)))
        return self.put("add", *args)

    def neg(self, a: int) -> int:
        value = self.constant(a)
        if value is not None:
            return self.number(-value)
        if self.steps[a].op == "neg":
            return self.steps[a].args[0]
        return self.put("neg", a)

    def mul(self, a: int, b: int) -> int:
        x, y = self.constant(a), self.constant(b)
        if x is not None and y is not None:
            return self.number(x * y)
        for value, other in ((x, b), (y, a)):
            if value in (1, -1):
                return other if value == 1 else self.neg(other)
        return self.ipow(a, 2) if a == b else self.put("mul", a, b)

    def div(self, a: int, b: int) -> int:
        y = self.constant(b)
        if y is None:
            return self.put("div", a, b)
        if y == 0:
            return self.put("undefined", static="denominator is 0")
        return self.mul(a, self.number(1 / y))

    def ipow(self, a: int, n: int) -> int:
        """Put a power with a literal integer exponent on the tape; a literal exponent 0 gives 1."""
        if n < 0:
            return self.div(self.number(1), self.ipow(a, -n))
        if n == 1:
            return a
        x = self.constant(a)
        if x is not None and n * x.height_bits() <= 20_000:
            return self.number(x**n)
        if n == 0:
            # the base must still be a real number
            return self.put("one", a)
        return self.put("ipow", a, static=n)

    def rpow(self, a: int, q: fmpq) -> int:
        """Put a power with a literal rational exponent on the tape."""
        if q.q == 1:
            return self.ipow(a, int(q.p))
        if q < 0:
            return self.div(self.number(1), self.rpow(a, -q))
        x = self.constant(a)
        root = exact_power(x, q) if x is not None and x >= 0 else None
        return self.put("rpow", a, static=q) if root is None else self.number(root)

    # --- lowering -----------------------------------------------------------------------------

    def lower(self, e: Expr, env: Places, memo: dict[Expr, int]) -> int:
        """Put an expression on the tape and return its place."""
        if e not in memo:
            memo[e] = self._lower(e, env, memo)
        return memo[e]

    def _lower(self, e: Expr, env: Places, memo: dict[Expr, int]) -> int:
        def go(part: Expr) -> int:
            return self.lower(part, env, memo)

        if isinstance(e, sympy.Rational):
            return self.number(fmpq(int(e.p), int(e.q))) if e.q else self._not_real(e)
        if isinstance(e, Symbol):
            if e in env:
                return env[e]
            definition = getattr(e, "definition", None)
            if definition is None:
                raise KeyError(e)
            return go(sympy.sympify(definition()))
        if isinstance(e, sympy.Add):
            return self.add(*[go(arg) for arg in e.args])
        if isinstance(e, sympy.Mul):
            return self._product(e, go)
        if isinstance(e, sympy.Pow):
            return self._power(e, go)
        kind = type(e)
        if kind is sympy.log and len(e.args) == 2:
            return self.div(*[self.put("log", go(arg)) for arg in e.args])
        if kind in UNARY:
            return self._unary(UNARY[kind], go(e.args[0]))
        if kind in RECIPROCAL:
            return self.div(self.number(1), self.put(RECIPROCAL[kind], go(e.args[0])))
        if kind is sympy.binomial:
            return self._binomial(*map(go, e.args))
        if kind in BINARY:
            first, *others = map(go, e.args)  # beta(x) is beta(x, x)
            return self.put(BINARY[kind], first, *(others or [first]))
        if e in NUMBERS:
            return self.put("named", static=NUMBERS[e])
        if isinstance(e, (sympy.Max, sympy.Min)):
            op = "max" if isinstance(e, sympy.Max) else "min"
            # the arguments are a frozenset: sort them, or the tape depends on the hash seed
            args = [go(arg) for arg in sorted(e.args, key=sympy.default_sort_key)]
            return reduce(partial(self.put, op), args)
        if isinstance(e, sympy.polygamma):
            order = self.constant(go(e.args[0]))
            if order is None or order.q != 1 or not 0 <= order <= 20:
                raise CannotCompile(f"polygamma needs an order from 0 to 20, got {e.args[0]}")
            if order == 0:
                return self._unary("digamma", go(e.args[1]))
            return self.put("polygamma", go(e.args[1]), static=int(order.p))
        if isinstance(e, (sympy.betainc, sympy.betainc_regularized)):
            a, b, low, high = [go(arg) for arg in e.args]
            op = "betainc" if isinstance(e, sympy.betainc) else "betareg"
            place = self.put(op, a, b, high)
            if self.constant(low) == 0:
                return place
            return self.add(place, self.neg(self.put(op, a, b, low)))
        if isinstance(e, sympy.Piecewise):
            cases = [(self._condition(condition, go), go(value)) for value, condition in e.args]
            return self.put("piecewise", *chain.from_iterable(cases))
        if isinstance(e, (sympy.Sum, sympy.Product)):
            return self._loop(e, e.limits, env, memo)
        if isinstance(e, sympy.Integral):
            limit, function = e.limits[0], e.function
            if len(e.limits) != 1 or len(limit) != 3:
                return self._unknown("Integral")
            free = function.free_symbols - {limit[0]}
            return self._range(
                "integral", limit, free, env, lambda body, at: body.lower(function, at, {})
            )
        if isinstance(e, sympy.Function) and callable(getattr(e, "definition", None)):
            return go(e.definition())
        if e in (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan, sympy.I):
            return self._not_real(e)
        if isinstance(e, sympy.Float):
            raise CannotCompile(f"floating-point number {e}; write it exactly")
        raise CannotCompile(f"the function {type(e).__name__} is not known to the compiler")

    def _not_real(self, e: Expr) -> int:
        return self.put("undefined", static=f"{e} is not a real number")

    def _unknown(self, what: str) -> int:
        self.opaque.add(what)
        return self.put("unknown", static=what)

    def _unary(self, name: str, a: int) -> int:
        value = self.constant(a)
        folded = EXACT[name](value) if value is not None and name in EXACT else None
        return self.put(name, a) if folded is None else self.number(folded)

    def _binomial(self, n: int, k: int) -> int:
        """Put a binomial coefficient on the tape: a polynomial in n for a small literal k."""
        top, under = self.constant(n), self.constant(k)
        literal = under is not None and under.q == 1 and 0 <= under <= 60
        if under is None or not literal or (top is not None and top < 0):
            return self.put("binomial", n, k)
        factors = (self.add(n, self.number(-j)) if j else n for j in range(int(under.p)))
        product = reduce(self.mul, factors, self.number(1))
        value = self.div(product, self.number(math.factorial(int(under.p))))
        # for n < 0 the conventions differ, so the polynomial counts only above 0
        return value if top is not None else self.put("where_nonnegative", n, value)

    def _product(self, e: Expr, go: Any) -> int:
        over, under = [], []
        for arg in e.args:
            if isinstance(arg, sympy.Pow) and arg.exp.is_Integer and arg.exp < 0:
                under.append(self.ipow(go(arg.base), -int(arg.exp)))
            else:
                over.append(go(arg))
        place = reduce(self.mul, over) if over else self.number(1)
        return self.div(place, reduce(self.mul, under)) if under else place

    def _power(self, e: Expr, go: Any) -> int:
        exponent = go(e.exp)
        if e.base is sympy.E:
            return self._unary("exp", exponent)
        base = go(e.base)
        value = self.constant(exponent)
        if value is None:
            return self.put("pow", base, exponent)
        huge = abs(value) > 400 if value.q == 1 else value.q > 10**6 or abs(value) > 10**6
        return self.put("pow", base, exponent) if huge else self.rpow(base, value)

    def _condition(self, condition: Any, go: Any) -> int:
        if condition in (sympy.true, sympy.false):
            return self.put("truth", static=bool(condition))
        if isinstance(condition, Relational):
            return self.put(condition.rel_op, go(condition.lhs), go(condition.rhs))
        if isinstance(condition, (sympy.And, sympy.Or)):
            op = "and" if isinstance(condition, sympy.And) else "or"
            parts = sorted(condition.args, key=sympy.default_sort_key)
            return reduce(partial(self.put, op), [self._condition(part, go) for part in parts])
        if isinstance(condition, sympy.Not):
            return self.put("not", self._condition(condition.args[0], go))
        if isinstance(condition, ITE):
            first, then, other = (self._condition(part, go) for part in condition.args)
            refused = self.put("not", first)
            return self.put("or", self.put("and", first, then), self.put("and", refused, other))
        raise CannotCompile(f"the condition {condition} is not known to the compiler")

    def _loop(self, e: Expr, limits: Any, env: Any, memo: Any) -> int:
        """Put a sum or product on the tape: unrolled if it is short, or as its own tape."""
        if not limits:
            return self.lower(e.function, env, memo)
        product = isinstance(e, sympy.Product)
        index, *ends = limits[-1]
        if len(ends) != 2:
            return self._unknown(type(e).__name__)
        free = e.function.free_symbols.union(
            *(end.free_symbols for _, *pair in limits[:-1] for end in pair)
        )
        free -= {index} | {inner for inner, *_ in limits[:-1]}

        def term(body: Tape, inner: Places) -> int:
            return body._loop(e, limits[:-1], inner, {})

        if any(end.is_infinite for end in ends):
            if product:
                return self._unknown("Product")
            return self._range("series", limits[-1], free, env, term)
        low, high = (self.lower(end, env, memo) for end in ends)
        first, last = self.constant(low), self.constant(high)
        if first is not None and last is not None:
            if first.q != 1 or last.q != 1 or last < first - 1:
                return self.put("undefined", static="bounds of a sum")
            if last - first < UNROLLED:
                terms = []
                for k in range(int(first.p), int(last.p) + 1):
                    at = {**env, index: self.number(k)}
                    kept = {x: p for x, p in memo.items() if index not in x.free_symbols}
                    terms.append(self._loop(e, limits[:-1], at, kept))
                return reduce(self.mul, terms, self.number(1)) if product else self.add(*terms)
        body, others = self._body(index, free, env, term)
        return self.put("loop", low, high, *others, static=Loop(product, body))

    def _range(
        self, op: str, limit: Sequence[Any], free: set[Symbol], env: Places, lowered: Lowered
    ) -> int:
        """Put an integral over one variable, or a series, on the tape; only points evaluate it."""
        index, low, high = limit
        name = "Integral" if op == "integral" else "Sum"
        if low in (sympy.oo, sympy.nan) or high in (-sympy.oo, sympy.nan):
            return self._unknown(name)
        self.opaque.add(name)
        body, others = self._body(index, free, env, lowered)
        has_low, has_high = low != -sympy.oo, high != sympy.oo
        finite = [
            self.lower(end, env, {}) for end in (low, high) if end not in (-sympy.oo, sympy.oo)
        ]
        return self.put(op, *finite, *others, static=Integrand(body, has_low, has_high))

    def _body(
        self, index: Symbol, free: set[Symbol], env: Places, lowered: Lowered
    ) -> tuple[Tape, list[int]]:
        """Return the tape of a body, whose first input is its index, and the places of the others."""
        # abbreviations bring further symbols in
        every = any(getattr(s, "definition", None) is not None for s in free)
        used = [s for s in env if s != index and (every or s in free)]
        body = Tape((index, *used))
        inner = {symbol: place for place, symbol in enumerate(body.inputs)}
        body.outputs = (lowered(body, inner),)
        self.opaque |= body.opaque
        return body, [env[s] for s in used]


# --- exact values ---------------------------------------------------------------------------------


def exact_power(x: fmpq, q: fmpq) -> fmpq | None:
    """Return the power of a rational >= 0 with q > 0 if it is rational, and None otherwise."""
    n, k = int(q.p), int(q.q)
    if k > 64 or n * x.height_bits() > 200_000:
        return None
    over, under = (part if part < 2 else part.root(k) for part in (x.p, x.q))
    return fmpq(over**n, under**n) if (over**k, under**k) == (x.p, x.q) else None


def exact_factorial(x: fmpq) -> fmpq | None:
    """Return the factorial of a small integer >= 0, and None for any other number."""
    return fmpq(math.factorial(int(x.p))) if x.q == 1 and 0 <= x <= 500 else None


def _only_at(where: int, value: int) -> Any:
    return lambda x: fmpq(value) if x == where else None


EXACT: dict[str, Any] = {
    **{name: _only_at(*row.known) for name, row in FUNCTIONS.items() if row.known},
    "erfi": _only_at(0, 0),
    "erfinv": _only_at(0, 0),
    "gamma": lambda x: exact_factorial(x - 1),
    "loggamma": lambda x: fmpq(0) if x in (1, 2) else None,
    "factorial": exact_factorial,
    "abs": abs,
    "sign": lambda x: fmpq((x > 0) - (x < 0)),
    "floor": lambda x: fmpq(x.floor()),
    "ceiling": lambda x: fmpq(x.ceil()),
}


def tape_of(expressions: tuple[Expr, ...], symbols: tuple[Symbol, ...]) -> Tape:
    """Put expressions on one tape; the symbols are its inputs, in that order.

    Raises
    ------
    CannotCompile
        When an expression holds a function that no evaluator knows.
    KeyError
        When a symbol is not among the inputs.
    """
    tape = Tape(tuple(symbols))
    env = {symbol: place for place, symbol in enumerate(tape.inputs)}
    memo: dict[Expr, int] = {}
    tape.outputs = tuple(tape.lower(e, env, memo) for e in expressions)
    return tape


@lru_cache(maxsize=512)
def cached_tape(expressions: tuple[Expr, ...], symbols: tuple[Symbol, ...]) -> Tape:
    """Return the tape of `tape_of` from a cache; the caller must not change it."""
    return tape_of(expressions, symbols)
