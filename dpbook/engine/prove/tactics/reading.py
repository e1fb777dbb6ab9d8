"""Read sequents: the terms in formulas, the relations that are given, and linear equations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from dpbook.kernel.formulas import Formula, Is, Relation, Sequent, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import Atom
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, Term, mul, substitute, subterms, var


@lru_cache(maxsize=20_000)
def heads(f: Formula) -> frozenset[str]:
    """Return the heads of all terms in a formula."""
    return frozenset(part.head for part in parts_of(f))


def relations(s: Sequent, *ops: str) -> Iterator[tuple[int, Relation]]:
    """Yield the hypotheses that are relations, or of some kinds of them, with their numbers."""
    for i, h in enumerate(s.hypotheses):
        if isinstance(h, Relation) and (not ops or h.op in ops):
            yield i, h


def literals(facts: Facts, *ops: str) -> Iterator[tuple[int, P.Poly]]:
    """Yield the polynomials of the hypotheses that are read as relations of some kinds to 0."""
    for i, x in enumerate(facts.literals):
        if x is not None and x[1] in ops:
            yield i, x[0]


def value_known(s: Sequent, t: Term) -> bool:
    """Say whether an equality gives a term its value."""
    return any(h.left == t for _, h in relations(s, "=="))


def defined_terms(s: Sequent) -> list[Term]:
    """Return the terms that are given to be defined."""
    return [h.term for h in s.hypotheses if isinstance(h, Is) and h.what == "defined"]


def parts_of(*formulas: Formula) -> Iterator[Term]:
    """Yield the terms in formulas, each with the terms inside it."""
    return (part for f in formulas for t in terms_of(f) for part in subterms(t))


def renamed_body(t: Term, name: str) -> Term:
    """Return the body of a binder with another name for its bound variable."""
    return substitute(t.args[0], {t.name: var(name)})


def bound_terms(
    formulas: Sequence[Formula], head: str, everywhere: bool = False
) -> dict[Term, None]:
    """Return the sums or integrals in formulas that stand in no other binder, each once.

    Without a head the terms of all binders are returned; with `everywhere` also the terms inside
    another binder.
    """
    found: dict[Term, None] = {}

    def visit(t: Term) -> None:
        if t.head == head or (not head and t.head in BINDERS):
            found[t] = None
        if t.head in BINDERS and not everywhere:
            visit(t.args[1])
            visit(t.args[2])
            return
        for a in t.args:
            visit(a)

    for f in formulas:
        for t in terms_of(f):
            visit(t)
    return found


def arguments(a: Atom) -> list[P.Poly]:
    """Return the polynomials in the key of an atom, such as the arguments of a function."""
    return [dict(part) for part in a.key if isinstance(part, frozenset)]


def linear_in_atom(p: P.Poly, index: int) -> tuple[P.Poly, P.Poly] | None:
    """Return (a, b) where p == a + b x for an atom x; None where another power of x is in p."""
    a: P.Poly = {}
    b: P.Poly = {}
    for m, c in p.items():
        powers = dict(m)
        e = powers.pop(index, 0)
        if e not in (0, 1):
            return None
        (b if e else a)[tuple(powers.items())] = c
    return a, b


def linear_in(facts: Facts, p: P.Poly, name: str) -> tuple[P.Poly, P.Poly] | None:
    """Return (a, b) where p == a + b x, with a and b free of the variable x."""
    (((x, _),),) = facts.poly(var(name))
    inside = P.atoms_of(p) - {x}
    if any(name in facts.atoms[i].term.free for i in inside):
        return None
    return linear_in_atom(p, x)


def over_one_denominator(facts: Facts, p: P.Poly) -> Term:
    """Return a polynomial as a term over one denominator."""
    q, outside = facts.clear(p)
    if not outside:
        return facts.term(q)
    return mul(facts.term(q), facts.term({outside: Fraction(1)}))


def value_given(facts: Facts, h: Relation, name: str) -> dict[str, str] | None:
    """Return the fields of the rule `substitute` for the value that an equality gives a variable.

    The equality is linear in the variable, with a number for a coefficient once it has no
    denominators.
    """
    gap = facts.poly(h.left - h.right)
    cleared, _ = facts.clear(gap)
    (own,) = facts.poly(var(name))
    rest, slope = linear_in(facts, cleared, name) or ({}, {})
    if set(slope) != {P.ONE}:
        return None
    value = facts.term(P.scaled(rest, -1 / slope[P.ONE]))
    for m, c in gap.items():  # the way back to the equality as it is written
        if dict(m).get(own[0][0]) == 1:
            factor = facts.term({P.times(own, P.raised(m, -1)): 1 / c})
            return {"variable": name, "value": str(value), "factor": str(factor)}
    return None
