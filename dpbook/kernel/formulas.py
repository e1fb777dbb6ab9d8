"""Formulas and sequents: what can be shown, and from what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from dpbook.kernel import terms
from dpbook.kernel.errors import Rejected
from dpbook.kernel.table import ARITIES
from dpbook.kernel.terms import ZERO, Reader, Shown, Term, fresh, substitute, subterms, var

NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
SORTS = ("real", "integer")
# a variable may be called as a function of the table is: brackets tell them apart
_WORDS = ("all", "and", "or", "defined", "integer")
RESERVED = {*terms.CONSTANTS, *terms.BINDERS, *terms.HEADS, *_WORDS}


@dataclass(frozen=True, slots=True)
class Relation(Shown):
    """``left op right``."""

    left: Term
    op: str
    right: Term


@dataclass(frozen=True, slots=True)
class And(Shown):
    """All of several formulas."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Or(Shown):
    """A disjunction: at least one of several formulas holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Is(Shown):
    """A property of a term: "integer", or "defined": it has its value from the table's definitions."""

    what: str
    term: Term


@dataclass(frozen=True, slots=True)
class All(Shown):
    """A formula for every value of a variable, where conditions hold."""

    name: str
    sort: str
    conditions: tuple[Formula, ...]
    body: Formula


Formula = Relation | And | Or | Is | All

FALSE = Relation(ZERO, ">", terms.ONE)


def parts_of(f: Formula) -> tuple[Formula, ...]:
    """Return the parts of a formula; a relation and a property have no parts."""
    if isinstance(f, All):
        return (*f.conditions, f.body)
    return f.parts if isinstance(f, (And, Or)) else ()


def asks_defined(f: Formula, name: str) -> bool:
    """Return whether a formula says that something is defined in which a variable, or a function, stands.

    A variable and an unknown function are defined wherever they stand; a term put in for one need not
    be. A rule that puts one in then asks that the term is defined.
    """
    if isinstance(f, Is):
        return f.what == "defined" and any(name in (t.name, t.head) for t in subterms(f.term))
    return any(asks_defined(p, name) for p in parts_of(f))


def presumes_defined(f: Formula, name: str) -> bool:
    """Return whether a condition inside a formula says that something is defined in which a variable stands.

    Where a term that is not defined is put in for the variable, the formula says less. A rule that has
    the formula to be shown of such a term, and then holds it for a value, asks that the term is defined.
    """
    if isinstance(f, All):
        return any(asks_defined(c, name) for c in f.conditions) or presumes_defined(f.body, name)
    return isinstance(f, (And, Or)) and any(presumes_defined(p, name) for p in f.parts)


def negated(f: Formula) -> Formula:
    """Return the negation of a formula of relations."""
    if isinstance(f, Relation):
        return Relation(f.left, NEGATED[f.op], f.right)
    if isinstance(f, And):
        return Or(tuple(negated(p) for p in f.parts))
    if isinstance(f, Or):
        return And(tuple(negated(p) for p in f.parts))
    raise Rejected(f"no negation of {f} is at hand")


def size(f: Formula) -> int:
    """Return the number of parts of a formula's terms; 0 for other formulas than relations and properties."""
    if isinstance(f, Relation):
        return f.left.size + f.right.size
    return f.term.size if isinstance(f, Is) else 0


def terms_of(f: Formula) -> Iterator[Term]:
    """Yield the terms that stand in a formula."""
    if isinstance(f, Relation):
        yield f.left
        yield f.right
    elif isinstance(f, Is):
        yield f.term
    else:
        for part in parts_of(f):
            yield from terms_of(part)


def free(f: Formula) -> frozenset[str]:
    """Return the free variables of a formula."""
    if isinstance(f, Relation):
        return f.left.free | f.right.free
    if isinstance(f, Is):
        return f.term.free
    found = frozenset().union(*map(free, parts_of(f)))
    return found - {f.name} if isinstance(f, All) else found


def rebuilt(
    f: Formula, term: Callable[[Term], Term], part: Callable[[Formula], Formula]
) -> Formula:
    """Return the same kind of formula with its terms and its parts changed."""
    if isinstance(f, Relation):
        return Relation(term(f.left), f.op, term(f.right))
    if isinstance(f, Is):
        return Is(f.what, term(f.term))
    if isinstance(f, All):
        return All(f.name, f.sort, tuple(map(part, f.conditions)), part(f.body))
    return type(f)(tuple(map(part, f.parts)))


def _renamed(f: All, taken: frozenset[str]) -> All:
    """Give the variable of a formula another name where its name is taken."""
    if f.name not in taken:
        return f
    name = fresh(f.name, taken.union(*map(free, parts_of(f))))
    moved = {f.name: var(name)}
    return All(name, f.sort, tuple(put(c, moved) for c in f.conditions), put(f.body, moved))


def put(f: Formula, values: Mapping[str, Term]) -> Formula:
    """Put terms in for free variables."""
    if isinstance(f, All):
        values = {n: t for n, t in values.items() if n != f.name and n in free(f)}
        if not values:
            return f
        f = _renamed(f, frozenset().union(*(t.free for t in values.values())))
    return rebuilt(f, lambda t: substitute(t, values), lambda p: put(p, values))


def with_new(f: Formula, old: Term, new: Term) -> Formula:
    """Put a term in place of another one, or of that times a number, where none of it is bound."""

    def other(t: Term) -> Term | None:
        if t == old:
            return new
        if t.head == "mul" and t.args[0].head == "num" and terms.mul(*t.args[1:]) == old:
            return terms.mul(t.args[0], new)
        return None

    if isinstance(f, All) and f.name in old.free:
        return f
    return rebuilt(f, lambda t: terms.replaced(t, other, old.free), lambda p: with_new(p, old, new))


def define(f: Formula, definitions: Mapping[str, tuple[tuple[str, ...], Term]]) -> Formula:
    """Put definitions in for unknown functions, for all at once: no value is defined again.

    Parameters
    ----------
    definitions : mapping
        From a function to its parameters and its value; other free variables are not captured.
    """
    outer = frozenset().union(*(body.free - set(of) for of, body in definitions.values()))

    def maker(of: tuple[str, ...], body: Term) -> Callable[[tuple[Term, ...]], Term]:
        return lambda args: substitute(body, dict(zip(of, args, strict=True)))

    makes = {name: maker(of, body) for name, (of, body) in definitions.items()}

    def change(t: Term) -> Term:
        return terms.replace_calls(terms.rename_bound(t, outer), makes)

    def changed(f: Formula) -> Formula:
        f = _renamed(f, outer) if isinstance(f, All) else f
        return rebuilt(f, change, changed)

    return changed(f)


def flat(f: Formula) -> tuple[Formula, ...]:
    """Return the parts of a conjunction; of anything else the formula itself."""
    if isinstance(f, And):
        return tuple(p for part in f.parts for p in flat(part))
    return (f,)


@dataclass(frozen=True)
class Sequent:
    """A goal, for all values of the variables and functions that satisfy the hypotheses.

    Attributes
    ----------
    variables : tuple of (name, "real" or "integer")
    functions : tuple of (name, number of arguments)
        Unknown functions of real arguments with real values.
    hypotheses : tuple of Formula
    goal : Formula
    base : int
        How many of the hypotheses were there from the start, and are read together.
    """

    variables: tuple[tuple[str, str], ...]
    functions: tuple[tuple[str, int], ...]
    hypotheses: tuple[Formula, ...]
    goal: Formula
    base: int = -1

    def __post_init__(self) -> None:
        if self.base < 0:
            object.__setattr__(self, "base", len(self.hypotheses))

    def showing(self, goal: Formula, *more: Formula) -> Sequent:
        """Return the sequent with another goal, and further hypotheses."""
        hypotheses = self.hypotheses
        if more:
            hypotheses = (*hypotheses, *(p for f in more for p in flat(f)))
        return Sequent(self.variables, self.functions, hypotheses, goal, self.base)

    def assuming(self, *more: Formula) -> Sequent:
        """Return the sequent with further hypotheses."""
        return self.showing(self.goal, *more)

    def saying(self, what: str, *parts: Term) -> list[Sequent]:
        """Return the sequents whose goals say of terms that they are defined, or integers."""
        return [self.showing(Is(what, t)) for t in parts]

    def with_variable(self, name: str, sort: str) -> Sequent:
        """Return the sequent with a further variable; its name must be new and not reserved."""
        if any(name == n for n, _ in (*self.variables, *self.functions)):
            raise Rejected(f"{name} is a variable already, or a function")
        if not name.isidentifier() or name in RESERVED:
            raise Rejected(f"{name} cannot be the name of a variable")
        variables = (*self.variables, (name, sort))
        return Sequent(variables, self.functions, self.hypotheses, self.goal, self.base)

    def new_name(self, like: str) -> str:
        """Return a name that stands nowhere in the sequent."""
        taken = {n for n, _ in self.variables} | {n for n, _ in self.functions}
        for f in (*self.hypotheses, self.goal):
            for t in terms_of(f):
                taken |= {s.name for s in subterms(t) if s.name}
        return fresh(like + "_", taken)

    def check_formed(self) -> None:
        """Reject a sequent whose names are not declared, or whose functions have other arities."""
        names = [n for n, _ in self.variables]
        sorts = {s for _, s in self.variables}
        if len(set(names)) != len(names) or not sorts <= set(SORTS):
            raise Rejected("a variable is declared twice, or its sort is unknown")
        functions = dict(self.functions)
        twice = len({*ARITIES, *functions}) != len(ARITIES) + len(self.functions)
        if twice or RESERVED & {*names, *functions}:
            raise Rejected("a function has the name of another one, or a name is reserved")
        for f in (*self.hypotheses, self.goal):
            if not free(f) <= set(names):
                raise Rejected(f"not declared: {', '.join(sorted(free(f) - set(names)))}")
            for t in terms_of(f):
                check_term(t, self.functions)

    def to_json(self) -> dict[str, object]:
        """Return the sequent as plain data."""
        functions = {"functions": dict(self.functions)} if self.functions else {}
        shown = {"variables": dict(self.variables), **functions}
        return {**shown, "given": list(map(str, self.hypotheses)), "goal": str(self.goal)}


@lru_cache(maxsize=4096)
def check_term(t: Term, functions: tuple[tuple[str, int], ...]) -> None:
    """Reject a term in which oo is no end, or a function is not known or has other arguments."""
    known = {**ARITIES, **dict(functions)}
    todo = [t]
    while todo:
        s = todo.pop()
        count = len(s.args)
        if s.head == "oo":
            raise Rejected("oo stands outside the ends of an integral or a sum")
        if s.head in terms.BINDERS:
            todo += (s.args[0], *(end for end in s.args[1:] if not terms.infinite(end)))
            continue
        if s.head in ("add", "mul"):
            if count < 2:
                raise Rejected("a sum or a product needs two parts")
        elif s.head not in ("num", "var"):
            if s.head not in known:
                raise Rejected(f"the function {s.head} is not known")
            if known[s.head] != count and not (known[s.head] < 0 and count):
                raise Rejected(f"{s.head} has {known[s.head]} arguments, not {count}")
        todo += s.args


# --- text -----------------------------------------------------------------------------------------


def parse_formula(source: object) -> Formula:
    """Read a formula: relations, ``and``, ``or``, ``defined(t)``, ``integer(t)``, ``all(...)``.

    Raises
    ------
    Rejected
        When the text is no formula.
    """
    if not isinstance(source, str):
        raise Rejected("a formula must be text")
    return _parsed(source)


@lru_cache(maxsize=4096)
def _parsed(source: str) -> Formula:
    reader = Reader(source)
    found = _either(reader)
    if reader.peek():
        raise Rejected(f"the text goes on after a formula: {reader.peek()}")
    return found


def _either(reader: Reader) -> Formula:
    parts = [_both(reader)]
    while reader.peek() == "or":
        reader.take()
        parts.append(_both(reader))
    return parts[0] if len(parts) == 1 else Or(tuple(parts))


def _both(reader: Reader) -> Formula:
    parts = [_single(reader)]
    while reader.peek() == "and":
        reader.take()
        parts.append(_single(reader))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def _single(reader: Reader) -> Formula:
    token = reader.peek()
    ahead = reader.tokens[reader.place + 1] if token else ""
    if token in ("defined", "integer") and ahead == "(":
        reader.take()
        reader.take("(")
        term = reader.term()
        reader.take(")")
        return Is(token, term)
    if token == "all" and ahead == "(":
        return _all(reader)
    if token == "(":
        start = reader.place
        try:
            reader.take()
            inner = _either(reader)
            reader.take(")")
            if reader.peek() in ("", "and", "or", ")", ";"):
                return inner
        except Rejected:
            pass
        reader.place, reader.depth = start, 0
    left = reader.term()
    op = reader.take()
    if op not in NEGATED:
        raise Rejected(f"expected a relation, got {op}")
    return Relation(left, op, reader.term())


def _all(reader: Reader) -> Formula:
    reader.take()
    reader.take("(")
    name = reader.take()
    reader.take(";")
    sort = reader.take()
    if sort not in SORTS or not (name[0].isalpha() or name[0] == "_") or name in RESERVED:
        raise Rejected("all(name; sort; conditions; formula) is not well formed")
    parts = []
    while reader.peek() == ";":
        reader.take()
        parts.append(_either(reader))
    reader.take(")")
    if not parts:
        raise Rejected("all(name; sort; conditions; formula) is not well formed")
    return All(name, sort, tuple(parts[:-1]), parts[-1])
