"""Which tactic is tried when: cheap and decisive ones first."""

from __future__ import annotations

from dpbook.engine.tactics import (
    boxes,
    calculus,
    discrete,
    exponentials,
    integrals,
    names,
    polynomial,
    shape,
    sums,
    unknown,
    vanishing,
)
from dpbook.engine.tactics.core import Node, Search, Tactic
from dpbook.kernel.formulas import Sequent


def combination(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by the hypotheses; once with each effort."""
    if search.failed.get(s, -1) >= (3 if depth >= 3 else 0):
        return None
    return polynomial.combination(search, s, depth)


def few_axioms(search: Search, s: Sequent, depth: int) -> Node | None:
    """Refute the negated goal by hypotheses and the simplest axioms; once."""
    if search.failed.get(s, -1) >= 1:
        return None
    return polynomial.with_axioms(search, s, 1)


# (name, tactic, smallest depth at which it is tried)
TACTICS: tuple[tuple[str, Tactic, int], ...] = (
    ("residues", discrete.residues, 0),
    ("equalities", discrete.eliminated, 0),
    ("same exponentials", exponentials.same_exponentials, 0),
    ("linear", names.linear, 0),
    ("monomials", names.monomials, 0),
    ("renamed", names.renamed, 0),
    ("vanishing", vanishing.vanishing, 0),
    ("unknown", unknown.unknown, 0),
    ("integrals", integrals.integrals, 0),
    ("closed sums", sums.sums, 0),
    ("added", shape.added, 0),
    ("combination", combination, 0),
    ("powers of sums", polynomial.with_powers, 0),
    ("subtracted", shape.subtracted, 0),
    ("nonzero", shape.nonzero, 0),
    ("sums", discrete.written_out, 0),
    ("stripped", shape.stripped, 0),
    ("kinks", shape.kinks, 1),
    ("squeezed", shape.squeezed, 1),
    ("as written", shape.as_written, 1),
    ("few axioms", few_axioms, 1),
    ("whole", discrete.whole, 1),
    ("positive", discrete.positive, 1),
    ("boxes", boxes.bisect, 1),
    ("product", shape.product, 1),
    ("logarithms", shape.logarithms, 1),
    ("powers", shape.powers, 1),
    ("unlog", shape.unlog, 1),
    ("generalised", names.generalised, 1),
    ("induction", discrete.induct, 1),
    ("strengthened", discrete.strengthened, 1),
    ("concave", calculus.concave, 1),
    ("monotone", calculus.monotone, 1),
    ("axioms", polynomial.with_axioms, 2),
    ("exponentials", shape.exponentials, 2),
    ("descend", calculus.descend, 2),
    ("cut", calculus.cut, 3),
)
