"""Compare exponentials whose exponents agree only over a common denominator."""

from __future__ import annotations

from fractions import Fraction

from dpbook.engine.prove.tactics.core import Chain, Node, Search, needs
from dpbook.engine.prove.tactics.reading import arguments
from dpbook.kernel.formulas import Relation, Sequent
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.terms import ZERO, Term, call

MOST = 12  # monomials


@needs("goal ==")
def same_exponentials(search: Search, s: Sequent, depth: int) -> Node | None:
    """Write each product of exponentials as one, cancel in its exponent, and compare."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op != "==":
        return None
    facts = search.facts(s)
    p = facts.poly(goal.left - goal.right)
    if not 2 <= len(p) <= MOST:
        return None
    logs = _logs(facts, p)
    changes: list[tuple[Poly, Poly, Poly]] = []  # factor, product, its logarithm
    total: Poly = {}
    for m, c in sorted(p.items()):
        exponent: Poly = {}
        kept: list[tuple[int, int | Fraction]] = []
        for i, e in m:
            a = facts.atoms[i]
            if a.key[0] == "exp":
                exponent = P.plus(exponent, arguments(a)[0], Fraction(e))
            elif i in logs:
                exponent = P.plus(exponent, P.atom(logs[i]), Fraction(e))
            else:
                kept.append((i, e))
        if not exponent:
            total = P.plus(total, {m: c})
            continue
        exponent = facts.canonical(exponent)
        whole = facts._exp(exponent)
        rest: Monomial = tuple(kept)
        product: Poly = {P.times(m, P.raised(rest, -1)): Fraction(1)}
        if product != whole:
            changes.append(({rest: c}, product, exponent))
        total = P.plus(total, P.scaled(facts.product(whole, {rest: Fraction(1)}), c))
    if not changes or not facts.is_zero(total):
        return None
    chain, used = Chain(search, s, 0), []
    for factor, product, exponent in changes:
        # a hypothesis is read without its denominators
        outside = facts.clear(P.plus(product, facts._exp(exponent), -1))[1]
        under = facts.term({outside: Fraction(1)})
        if not _equal(chain, facts.term(product), facts.term(exponent), under):
            return None
        share = facts.term({P.times(m, outside): c for m, c in factor.items()})
        used.append([len(chain.s.hypotheses) - 1, str(share)])
    return chain.close(search.by(chain.s, "restate", 0, goal="0 == 0", equalities=used))


def _equal(chain: Chain, product: Term, exponent: Term, under: Term) -> bool:
    """Add that a product is the exponential of its logarithm, which has this simpler form."""
    search, count = chain.search, len(chain.s.hypotheses)
    if not chain.have(Relation(product, ">", ZERO)):
        return False
    at = {"u": str(exponent), "v": str(product)}
    if not chain.apply("axiom", name="exp inverts log", at=at):
        return False
    case, last = count + 5, count + 6

    def impossible(*facts: int) -> Node:
        return search.node("combination", terms=[["1", [i], None] for i in facts])

    def excluded(axiom: int) -> Node:
        parts = [impossible(last, count), impossible(last), impossible(case, last)]
        return search.node("split", parts, hypothesis=axiom)

    zero = {"goal": "0 == 0", "equalities": [[case, f"-({under})"]]}
    same = search.node("restate", [search.node("auto")], **zero)
    equation = Relation(product, "==", call("exp", exponent))
    shown = search.node(
        "cases",
        [excluded(count + 4), same, excluded(count + 2)],
        term=str(call("exp", exponent) - product),
        ops=[">", "==", "<"],
    )
    return chain.have_by(lambda _: shown, equation)


def _logs(facts: Facts, p: Poly) -> dict[int, int]:
    """Return the positive atoms whose logarithm stands in an exponent, with that logarithm."""
    found: dict[int, int] = {}
    for i in P.atoms_of(p):
        a = facts.atoms[i]
        for j in P.atoms_of(arguments(a)[0]) if a.key[0] == "exp" else ():
            key = facts.atoms[j].key
            if key[0] == "log" and isinstance(key[1], int):
                found[key[1]] = j
    return found
