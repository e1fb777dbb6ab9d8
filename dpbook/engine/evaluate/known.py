"""Ask the kernel's normal form: which expressions are equal, and which relations it knows."""

from __future__ import annotations

from sympy import Expr

from dpbook.engine.language.domain import Domain
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.terms import Untranslatable, assumed, formula_of, name_of, term_of
from dpbook.kernel.environment import Environment
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import FALSE, Formula, Is, Sequent, flat, terms_of
from dpbook.kernel.terms import Term


class Known:
    """Hold all that the normal form knows on a domain; without a domain, of numbers.

    Each answer is about the points where all expressions have a value. False says only that the
    normal form does not show it. A symbol of an expression that shares its name with another one of
    the expression or the domain makes the answer False: terms know names alone.
    """

    def __init__(self, domain: Domain | None = None) -> None:
        domain = domain or Domain((), {})
        self._symbols = frozenset(domain.variables)
        variables = [
            (name_of(v), "integer" if domain.bounds[v].integer else "real")
            for v in domain.variables
        ]
        hypotheses: list[Formula] = []
        for relation in domain.relations():
            try:
                hypotheses += flat(assumed(formula_of(relation)))
            except Untranslatable:  # a condition that is left out makes nothing true
                continue
        self._base = Sequent(tuple(variables), (), tuple(dict.fromkeys(hypotheses)), FALSE)
        self._environment = Environment({})

    def equal(self, first: Expr, second: Expr) -> bool:
        """Say whether two expressions have the same normal form."""
        try:
            self._refuse_namesakes(first, second)
            a, b = term_of(first), term_of(second)
            facts = self._environment.facts(self._where_defined(a, b))
            return facts.is_zero(facts.poly(a - b))
        except (Untranslatable, Rejected, ArithmeticError):
            return False

    def holds(self, relation: Relation) -> bool:
        """Say whether the signs in the normal form show a relation on the whole domain."""
        try:
            self._refuse_namesakes(relation)
            goal = formula_of(relation)
            here = self._where_defined(*terms_of(goal))
            return self._environment.automatic(here.showing(goal))
        except (Untranslatable, Rejected, ArithmeticError):
            return False

    def _refuse_namesakes(self, *parts: Expr | Relation) -> None:
        symbols = self._symbols.union(*(part.free_symbols for part in parts))
        if len({name_of(s) for s in symbols}) < len(symbols):
            raise Untranslatable("two symbols have one name")

    def _where_defined(self, *terms: Term) -> Sequent:
        return self._base.showing(FALSE, *(Is("defined", t) for t in terms))
