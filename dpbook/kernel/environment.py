"""Give a rule the fields of its node, checked for their types, and list the axioms and lemmas that a proof uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

from dpbook.kernel import formulas
from dpbook.kernel.defined import obligations
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent, free, put
from dpbook.kernel.normal.automatic import automatic
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Poly
from dpbook.kernel.rationals import Rational
from dpbook.kernel.table import Entry
from dpbook.kernel.terms import Term, add, bind, infinite, mul, parse_term, substitute, var

Value = TypeVar("Value")
Used = TypeVar("Used", bound=Entry)


@dataclass
class Trust:
    """The trusted base of a proof besides the kernel: axioms and lemmas by their names.

    `named` holds axioms of the literature, by the keys of their claims, with their sources. Only
    `files/replay` knows which lemmas are such axioms, and fills it.
    """

    axioms: set[str] = field(default_factory=set)
    lemmas: set[str] = field(default_factory=set)
    named: dict[str, str] = field(default_factory=dict)


class Environment:
    """The state of one check: normal forms by hypotheses, the lemmas, what was used."""

    def __init__(self, lemmas: Mapping[str, Sequent]) -> None:
        self.lemmas = lemmas
        self.trust = Trust()
        self._facts: dict[object, Facts] = {}
        self._known: dict[object, tuple[tuple[Formula, ...], Facts]] = {}

    def facts(self, s: Sequent) -> Facts:
        """Return the normal forms under the hypotheses of a sequent.

        Those from the start are read together, each later one on top: the result depends on the
        sequent alone, not on what was asked before.
        """
        return self._read(s.variables, s.hypotheses, s.base)

    def _read(
        self, variables: tuple[tuple[str, str], ...], hypotheses: tuple[Formula, ...], base: int
    ) -> Facts:
        # the same formulas are mostly the same objects, which are kept, so that no name is used again
        same = (variables, tuple(map(id, hypotheses)), base)
        known = self._known.get(same)
        if known is not None:
            return known[1]
        if len(self._facts) > 400:
            self._facts.clear()
            self._known.clear()
        # hypotheses say the same whatever variables come in addition: they are read once
        other = {name for name, _ in variables}
        for h in hypotheses:
            other -= free(h)
            if not other:
                break
        before, new = None, hypotheses
        if other:
            own = tuple(v for v in variables if v[0] not in other)
            before, new = self._read(own, hypotheses, base), ()
        elif len(new) > base:
            before, new = self._read(variables, hypotheses[:-1], base), hypotheses[-1:]
        key = (id(before), variables, new)  # what came before is kept as long as this
        found = self._facts.get(key)
        if found is None:
            found = before.extended(variables, *new) if before else Facts(variables, new)
            self._facts[key] = found
        self._known[same] = (hypotheses, found)
        return found

    def automatic(self, s: Sequent) -> bool:
        """Return whether a goal needs no proof of its own."""
        return automatic(s, self.facts)


# --- fields ---------------------------------------------------------------------------------------


def conditions(s: Sequent, t: Term) -> list[Sequent]:
    """Return the conditions under which a term is defined, by the table.

    Innermost first, each given those before it.
    """
    integers = frozenset(n for n, sort in s.variables if sort == "integer")
    taken = frozenset(n for n, _ in s.variables)
    premises: list[Sequent] = []
    before: list[Formula] = []
    for o in obligations(t, integers, taken):
        there = s.showing(o.goal, *before)
        for name, sort in o.variables:
            there = there.with_variable(name, sort)
        premises.append(there.assuming(*o.given))
        if not o.variables and not o.given:
            before.append(o.goal)
    return premises


class Fields:
    """The fields of a node; a field of a wrong type, or a name that does not exist, is rejected."""

    def __init__(self, data: Mapping[str, object], s: Sequent) -> None:
        self.data, self.s = data, s

    def _of_type(self, kind: type[Value], called: str, name: str, default: object = None) -> Value:
        value = self.data.get(name, default)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise Rejected(f"the field {name} must be {called}")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        return self._of_type(str, "text", name, default)

    def number(self, name: str) -> int:
        return self._of_type(int, "an integer", name)

    def items(self, name: str) -> list[object]:
        return self._of_type(list, "a list", name, [])

    def pairs(self, name: str) -> Iterator[tuple[object, object]]:
        for item in self.items(name):
            if not isinstance(item, list) or len(item) != 2:
                raise Rejected(f"the field {name} must hold pairs")
            yield item[0], item[1]

    def mapping(self, name: str) -> Mapping[str, object]:
        return self._of_type(dict, "an object", name, {})

    def has(self, name: str) -> bool:
        return name in self.data

    def term(self, name: str, *more: str, default: str | None = None) -> Term:
        return read_term(self.text(name, default), self.s, *more)

    def formula(self, name: str) -> Formula:
        found = formulas.parse_formula(self.text(name))
        for t in formulas.terms_of(found):
            formulas.check_term(t, self.s.functions)
        _check_declared(free(found), self.s)
        return found

    def variable(self, name: str) -> tuple[str, str]:
        value, sorts = self.text(name), dict(self.s.variables)
        if value not in sorts:
            raise Rejected(f"there is no variable {value}")
        return value, sorts[value]

    def hypothesis(self, name: str) -> Formula:
        return hypothesis_at(self.s, self.number(name))


def hypothesis_at(s: Sequent, index: object) -> Formula:
    """Return a hypothesis by its number."""
    if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(s.hypotheses):
        raise Rejected(f"there is no hypothesis {index}")
    return s.hypotheses[index]


def read_term(source: object, s: Sequent, *more: str) -> Term:
    """Read a term whose free variables occur in a sequent, or are named in addition."""
    if not isinstance(source, str):
        raise Rejected("a term must be text")
    found = parse_term(source)
    _check_declared(found.free.difference(more), s)
    formulas.check_term(found, s.functions)
    return found


def _check_declared(names: frozenset[str], s: Sequent) -> None:
    unknown = names.difference(n for n, _ in s.variables)
    if unknown:
        raise Rejected(f"not declared: {', '.join(sorted(unknown))}")


def entry_at(
    entries: Mapping[str, Used], name: str, s: Sequent, fields: Fields, env: Environment
) -> tuple[Used, dict[str, Term], list[Sequent]]:
    """Return an axiom, the terms `at` of its parameters, and its conditions there."""
    if name not in entries:
        raise Rejected(f"there is no axiom {name}")
    entry, at = entries[name], fields.mapping("at")
    if set(at) != set(entry.names.split()):
        raise Rejected(f"the axiom {name} needs {', '.join(entry.names.split())}")
    values = {p: read_term(source, s) for p, source in at.items()}
    env.trust.axioms.add(name)
    needed = (put(formulas.parse_formula(c), values) for c in entry.conditions)
    return entry, values, list(map(s.showing, needed))


def literal_at(facts: Facts, s: Sequent, index: object) -> tuple[Poly, str]:
    """Return a hypothesis that is a relation, as ``polynomial op 0``."""
    f = hypothesis_at(s, index)
    assert isinstance(index, int)
    found = facts.literals[index]
    if found is None or not isinstance(f, Relation):
        raise Rejected(f"hypothesis {index} is no relation")
    return found


def asked(s: Sequent) -> Term:
    """Return the term t of a goal `defined(t)`."""
    if not isinstance(s.goal, Is) or s.goal.what != "defined":
        raise Rejected("the goal is not that a term is defined, or an integral exists")
    return s.goal.term


def difference(s: Sequent) -> tuple[Term, str]:
    """Return the goal as ``term op 0`` with op among >, >=, ==, !=."""
    goal = s.goal
    if not isinstance(goal, Relation):
        raise Rejected("the goal is no relation")
    if goal.op in ("<", "<="):
        return goal.right - goal.left, {"<": ">", "<=": ">="}[goal.op]
    return goal.left - goal.right, goal.op


def rational(value: object, longest: int, why: str) -> Fraction:
    """Read a rational number, an integer or a text such as -3/4; any other text is rejected."""
    if isinstance(value, int) and not isinstance(value, bool):
        return Rational(value)
    if isinstance(value, str) and len(value) <= longest and value.isascii():
        top, _, below = value.partition("/")
        if top.removeprefix("-").isdecimal() and (not below or below.isdecimal() and int(below)):
            return Rational(int(top), int(below or "1"))
    raise Rejected(why)


# --- the bound variable of a sum or an integral ----------------------------------------------------


class Range:
    """The range of a bound variable: the integers from end to end of a sum, or the points strictly inside an integral."""

    def __init__(self, s: Sequent, t: Term) -> None:
        self.t, self.s = t, s
        self.body, self.low, self.high = t.args
        self.name = s.new_name(t.name)
        self.x = var(self.name)
        self.op, sort = ("<", "real") if t.head == "integral" else ("<=", "integer")
        self.wide = s.with_variable(self.name, sort)

    def own_name(self) -> None:
        """Reject a sum or an integral that binds the name of a variable."""
        if self.t.name in {n for n, _ in self.s.variables}:
            raise Rejected(f"the {self.t.head} binds the name of a variable")

    def at(self, f: Term, x: Term | None = None) -> Term:
        return substitute(f, {self.t.name: self.x if x is None else x})

    def inside(self) -> list[Formula]:
        sides = (self.low, self.x), (self.x, self.high)
        return [Relation(a, self.op, b) for a, b in sides if not (infinite(a) or infinite(b))]

    def showing(self, f: Formula, *more: Formula) -> Sequent:
        return self.wide.showing(f, *self.inside(), *more)

    def body_defined(self) -> Formula:
        return Is("defined", self.at(self.body))

    def combined(self, fields: Fields) -> tuple[list[Sequent], Relation]:
        """Return that a linear combination of `parts` is the whole, and what shows it.

        Premises     f(x) is defined, and f == c_1 f_1 + ...;  each sum or integral of f_i is defined
        """
        total, value, needed = [], [], []
        for factor, source in fields.pairs("parts"):
            c, f = read_term(factor, self.s), read_term(source, self.s, self.t.name)
            part = bind(self.t.head, f, self.t.name, self.low, self.high)
            total.append(mul(c, self.at(f)))
            value.append(mul(c, part))
            needed.append(self.s.showing(Is("defined", part)))
        there = self.body_defined()
        equal = self.showing(Relation(self.at(self.body), "==", add(*total)), there)
        return [self.showing(there), equal, *needed], Relation(self.t, "==", add(*value))
