"""Terms: numbers, variables, functions, and what sums, products and integrals bind; as text.

A term is immutable. Building one computes nothing but the quotient of two numbers, so ``x/x`` keeps
its pole. The text of a term is infix and can be read back: ``parse_term(str(t)) == t``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

from dpbook.kernel.errors import Rejected
from dpbook.kernel.rationals import Rational

HEADS = ("num", "var", "add", "mul")  # of terms that are written without a name
BINDERS = ("sum", "product", "integral")
CONSTANTS = ("pi", "EulerGamma", "oo")
CHOICES = {"ifgt": ">", "ifge": ">=", "ifeq": "=="}  # ifgt(a, b, x, y): x if a > b, and y otherwise
LONGEST = 200_000  # characters of one text
DIGITS = 4000  # of one number; Python itself reads no more than 4300
FACTORS = 2000  # of one product
LARGEST = 100_000  # parts of a term; substitution may double it again and again
DEEPEST = 200  # brackets, operators and binders inside each other, of four calls each


_NONE = Rational(0)
_EMPTY: frozenset[str] = frozenset()


class Shown:
    """Base of terms and formulas, which have a text; the kernel needs none, so `kernel.text` stands apart."""

    __slots__ = ()

    def __str__(self) -> str:
        from dpbook.kernel.text import shown

        return shown(self)


class Term(Shown):
    """A term; `head` is "num", "var", "add", "mul", "pow", a binder or a function's name.

    Attributes
    ----------
    head : str
    args : tuple of Term
        Of a binder: body, lower end, upper end.
    value : Fraction
        Of a number.
    name : str
        Of a variable; of a binder the variable that it binds.
    """

    __slots__ = [
        "_hash",
        "args",
        "depth",
        "free",
        "head",
        "height",
        "name",
        "plain",
        "size",
        "value",
    ]

    def __init__(
        self, head: str, args: tuple[Term, ...] = (), value: Fraction = _NONE, name: str = ""
    ) -> None:
        self.head, self.args, self.value, self.name = head, args, value, name
        self._hash = hash((head, args, value if head == "num" else name))
        size, depth, height = 1, 0, 0
        plain = head in ("num", "var", "add", "mul")
        free: frozenset[str] = _EMPTY
        for a in args:
            size += a.size
            if a.depth > depth:
                depth = a.depth
            if a.height > height:
                height = a.height
            plain = plain and a.plain
            if not a.free <= free:
                free = free | a.free if free else a.free
        if size > LARGEST:
            raise Rejected(f"a term has more than {LARGEST} parts")
        if depth >= DEEPEST:
            raise Rejected(f"a term is nested more than {DEEPEST} deep")
        if head == "var":
            free = frozenset((name,))
        elif head in BINDERS:
            height += 1
            free = (args[0].free - {name}) | args[1].free | args[2].free
        self.size: int = size
        self.depth: int = depth + 1
        self.height: int = height
        self.plain: bool = plain  # defined for all values, for nothing but sums and products
        self.free: frozenset[str] = free

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Term], tuple[object, ...]]:
        """Pickle what makes the term: a hash of text holds in one process only."""
        return Term, (self.head, self.args, self.value, self.name)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            type(other) is Term
            and self._hash == other._hash
            and self.head == other.head
            and self.name == other.name
            and (self.value is other.value or self.value == other.value)
            and self.args == other.args
        )

    def __repr__(self) -> str:
        return f"Term({self})"

    def __add__(self, other: Term) -> Term:
        return add(self, other)

    def __sub__(self, other: Term) -> Term:
        return add(self, neg(other))

    def __mul__(self, other: Term) -> Term:
        return mul(self, other)

    def __truediv__(self, other: Term) -> Term:
        return div(self, other)

    def __neg__(self) -> Term:
        return neg(self)


# --- building -------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def num(value: Fraction | int) -> Term:
    """Return a number."""
    return Term("num", value=Rational(value))


ZERO, ONE, MINUS_ONE = num(0), num(1), num(-1)
OO = Term("oo")
MINUS_OO = Term("mul", (MINUS_ONE, OO))


@lru_cache(maxsize=4096)
def var(name: str) -> Term:
    """Return a variable."""
    return Term("var", name=name)


def _flat(head: str, parts: tuple[Term, ...]) -> tuple[Term, ...]:
    if head not in [part.head for part in parts]:
        return parts
    found: list[Term] = []
    for part in parts:
        found.extend(part.args if part.head == head else (part,))
    return tuple(found)


def add(*parts: Term) -> Term:
    """Return a sum of terms; nothing cancels."""
    flat = _flat("add", parts)
    if not flat:
        return ZERO
    return flat[0] if len(flat) == 1 else Term("add", flat)


def mul(*parts: Term) -> Term:
    """Return a product of terms; nothing cancels."""
    flat = _flat("mul", parts)
    if not flat:
        return ONE
    return flat[0] if len(flat) == 1 else Term("mul", flat)


def neg(a: Term) -> Term:
    """Return -a."""
    if a.head == "num":
        return num(-a.value)
    if a.head == "mul" and a.args[0].head == "num":
        if a.args[0].value == -1:
            return mul(*a.args[1:])
        return mul(num(-a.args[0].value), *a.args[1:])
    return mul(MINUS_ONE, a)


def div(a: Term, b: Term) -> Term:
    """Return a / b; of two numbers their quotient, but never one by 0."""
    if a.head == b.head == "num" and b.value != 0:
        return num(a.value / b.value)
    inverse = num(1 / b.value) if b.head == "num" and b.value != 0 else Term("pow", (b, MINUS_ONE))
    return inverse if a == ONE else mul(a, inverse)


def power(a: Term, b: Term) -> Term:
    """Return a^b."""
    return Term("pow", (a, b))


def call(name: str, *args: Term) -> Term:
    """Return a function of arguments."""
    return Term(name, args)


def bind(head: str, body: Term, name: str, low: Term, high: Term) -> Term:
    """Return a sum, a product or an integral."""
    return Term(head, (body, low, high), name=name)


# --- walking --------------------------------------------------------------------------------------


def subterms(t: Term) -> Iterator[Term]:
    """Yield a term and all terms inside it."""
    todo = [t]
    while todo:
        here = todo.pop()
        yield here
        todo.extend(here.args)


def infinite(t: Term) -> bool:
    """Return whether an end is oo or -oo."""
    return t in (OO, MINUS_OO)


def fresh(name: str, taken: frozenset[str] | set[str]) -> str:
    """Return a name like the given name that is not taken."""
    while name in taken:
        name += "_"
    return name


def rebuild(t: Term, args: tuple[Term, ...]) -> Term:
    """Return the same kind of term with other arguments."""
    if t.head == "add":
        return add(*args)
    if t.head == "mul":
        return mul(*args)
    return Term(t.head, args, t.value, t.name)


def substitute(t: Term, values: Mapping[str, Term]) -> Term:
    """Put terms in for free variables; a bound variable is renamed where it would capture one."""
    return _substitute(t, {n: v for n, v in values.items() if n in t.free}, {})


def _substitute(t: Term, values: Mapping[str, Term], memo: dict[Term, Term]) -> Term:
    if t.free.isdisjoint(values):
        return t
    if t.head == "var":
        return values[t.name]
    if t.head in BINDERS:
        body, low, high = t.args
        ends = (_substitute(low, values, memo), _substitute(high, values, memo))
        inner = {n: v for n, v in values.items() if n != t.name and n in body.free}
        name = t.name
        incoming = frozenset().union(*(v.free for v in inner.values())) if inner else frozenset()
        if name in incoming:
            name = fresh(name, incoming | body.free)
            inner[t.name] = var(name)
        return Term(t.head, (_substitute(body, inner, {}), *ends), name=name)
    found = memo.get(t)
    if found is None:
        found = memo[t] = rebuild(t, tuple([_substitute(a, values, memo) for a in t.args]))
    return found


def replaced(t: Term, new: Callable[[Term], Term | None], fixed: frozenset[str]) -> Term:
    """Put other terms in place of the outermost ones for which there are any.

    What stands under a binder of one of the fixed names stays as it is, and so does an infinite end.
    """
    if infinite(t):
        return t
    found = new(t)
    if found is not None:
        return found
    if not t.args or t.head in BINDERS and t.name in fixed:
        return t
    args = tuple([replaced(a, new, fixed) for a in t.args])
    return t if args == t.args else rebuild(t, args)


def rebuilt(t: Term, change: Callable[[Term], Term]) -> Term:
    """Change a term from its leaves on: each part, once its own parts are changed."""
    if not t.args:
        return t
    args = tuple([rebuilt(a, change) for a in t.args])
    return change(t if args == t.args else rebuild(t, args))


def replace_calls(t: Term, makes: Mapping[str, Callable[[tuple[Term, ...]], Term]]) -> Term:
    """Put definitions in for the calls of unknown functions, of all of them at once.

    What `makes` returns for the arguments is not looked at again: a function in it is another one.
    Its free variables besides the arguments are the caller's care (`formulas.define` renames binders
    before).
    """
    return rebuilt(t, lambda part: makes[part.head](part.args) if part.head in makes else part)


def rename_bound(t: Term, taken: frozenset[str]) -> Term:
    """Rename what binders bind so that none of it is taken."""

    def renamed(part: Term) -> Term:
        if part.head not in BINDERS or part.name not in taken:
            return part
        body, low, high = part.args
        name = fresh(part.name, taken | body.free)
        return bind(part.head, substitute(body, {part.name: var(name)}), name, low, high)

    return rebuilt(t, renamed)


def alike(a: Term, b: Term) -> bool:
    """Return whether two terms differ at most in the names of bound variables."""
    if a == b:
        return True
    if not a.height or a.size != b.size:  # without binders alike is equal
        return False
    if a.head != b.head or a.value != b.value or len(a.args) != len(b.args):
        return False
    if a.head not in BINDERS:
        return a.name == b.name and bool(a.args) and all(map(alike, a.args, b.args))
    name = fresh(a.name, a.free | b.free | a.args[0].free | b.args[0].free)
    bodies = (substitute(t.args[0], {t.name: var(name)}) for t in (a, b))
    return alike(*bodies) and all(map(alike, a.args[1:], b.args[1:]))


# --- text -----------------------------------------------------------------------------------------


_TOKEN = re.compile(r"([0-9]+|[A-Za-z_][A-Za-z_0-9']*|<=|>=|==|!=|[-+*/^(),<>;])|(\S)")


class Reader:
    """Reads terms from text, one token after the other."""

    def __init__(self, source: str) -> None:
        if not isinstance(source, str):
            raise Rejected("a term must be text")
        if len(source) > LONGEST:
            raise Rejected(f"a text has more than {LONGEST} characters")
        found = _TOKEN.findall(source)
        for _, other in found:
            if other:
                raise Rejected(f"cannot read {other[:20]!r}")
        # and empty ones at the end, so that one may look ahead
        self.tokens = [token for token, _ in found] + ["", ""]
        self.place = 0
        self.depth = 0

    def peek(self) -> str:
        return self.tokens[self.place]

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise Rejected(f"expected {expected or 'more'}, got {token or 'the end'}")
        self.place += 1
        return token

    def term(self) -> Term:
        self._deeper()
        parts = [self._product()]
        while self.peek() in ("+", "-"):
            sign = self.take()
            part = self._product()
            parts.append(neg(part) if sign == "-" else part)
        self.depth -= 1
        return parts[0] if len(parts) == 1 else add(*parts)

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Rejected(f"a text is nested more than {DEEPEST} deep")

    def _product(self) -> Term:
        if self.peek() == "-":
            self._deeper()
            self.take()
            inner = self._product()
            self.depth -= 1
            return neg(inner)
        found = self._power()
        while self.peek() in ("*", "/"):
            sign = self.take()
            right = self._power()
            if len(found.args) > FACTORS:
                raise Rejected(f"a product has more than {FACTORS} factors")
            found = div(found, right) if sign == "/" else mul(found, right)
        return found

    def _power(self) -> Term:
        base = self._atom()
        if self.peek() == "^":
            self.take()
            return power(base, self._atom())
        return base

    def _atom(self) -> Term:
        token = self.take()
        if token.isdigit():
            if len(token) > DIGITS:
                raise Rejected(f"a number has more than {DIGITS} digits")
            return num(int(token))
        if token == "(":
            inner = self.term()
            self.take(")")
            return inner
        if not (token[0].isalpha() or token[0] == "_"):
            raise Rejected(f"expected a term, got {token}")
        if self.peek() != "(":
            return Term(token) if token in CONSTANTS else var(token)
        self.take("(")
        if token in BINDERS:
            body = self.term()
            self.take(",")
            name = self.take()
            if not (name[0].isalpha() or name[0] == "_") or name in CONSTANTS:
                raise Rejected(f"{name} cannot be bound")
            self.take(",")
            low = self.term()
            self.take(",")
            high = self.term()
            self.take(")")
            return bind(token, body, name, low, high)
        if token in HEADS:
            raise Rejected(f"{token} is no function")
        args: list[Term] = []
        if self.peek() != ")":
            args.append(self.term())
        while self.peek() == ",":
            self.take()
            args.append(self.term())
        self.take(")")
        return Term(token, tuple(args))


@lru_cache(maxsize=4096)
def parse_term(source: str) -> Term:
    """Read a term.

    Raises
    ------
    Rejected
        When the text is no term, too long or nested too deeply.
    """
    reader = Reader(source)
    found = reader.term()
    if reader.peek():
        raise Rejected(f"the text goes on after a term: {reader.peek()}")
    return found
