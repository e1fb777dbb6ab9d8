"""The bound variable of a sum or an integral, as a new variable of a sequent between the ends."""

from __future__ import annotations

from dpbook.kernel.environment import Fields, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent
from dpbook.kernel.terms import Term, add, bind, infinite, mul, substitute, var


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
