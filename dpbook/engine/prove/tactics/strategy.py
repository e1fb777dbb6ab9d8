"""Order the tactics: cheap and decisive tactics come first."""

from __future__ import annotations

from dpbook.engine.prove.tactics import (
    angles,
    bounds,
    boxes,
    calculus,
    discrete,
    equations,
    exponentials,
    integrals,
    names,
    pieces,
    polynomial,
    series,
    shape,
    sums,
    unknown,
    vanishing,
)
from dpbook.engine.prove.tactics.core import Node, Search, Tactic
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
    ("no root", discrete.no_root, 0),
    ("inverted", angles.inverted, 0),
    ("arcs", angles.arcs, 0),
    ("same exponentials", exponentials.same_exponentials, 0),
    ("linear", names.linear, 0),
    ("monomials", names.monomials, 0),
    ("renamed", names.renamed, 0),
    ("vanishing", vanishing.vanishing, 0),
    ("unknown", unknown.unknown, 0),
    ("integrals", integrals.integrals, 0),
    ("series", series.series, 0),
    ("small powers", series.small_powers, 0),
    ("closed sums", sums.sums, 0),
    ("binomials", sums.binomials, 0),
    ("binomial term", sums.binomial_term, 0),
    ("added", shape.added, 0),
    ("combination", combination, 0),
    ("powers of sums", polynomial.with_powers, 0),
    ("sums by integrals", sums.by_integral, 1),
    ("integrals in pieces", pieces.in_pieces, 1),
    ("subtracted", shape.subtracted, 0),
    ("roots", equations.roots, 0),
    ("angle not 0", angles.nonzero, 0),
    ("nonzero", shape.nonzero, 0),
    ("sums", discrete.unfold_definitions, 0),
    ("stripped", shape.stripped, 0),
    ("told", equations.told, 1),
    ("not zero", equations.not_zero, 1),
    ("alternatives", equations.alternatives, 1),
    ("factors", equations.factors, 1),
    ("solved", equations.solved, 1),
    ("signs of sines", angles.signs, 0),
    ("sums of angles", angles.sums_of_angles, 0),
    ("injective", angles.injective, 0),
    ("kinks", shape.kinks, 1),
    ("square root", equations.square_root, 1),
    ("in logarithms", equations.in_logarithms, 1),
    ("squeezed", shape.squeezed, 1),
    ("as written", shape.as_written, 1),
    ("few axioms", few_axioms, 1),
    ("near 0", calculus.near_zero, 2),
    ("largest sum", polynomial.largest_sum, 1),
    ("squared", shape.squared, 1),
    ("denominators", shape.denominators, 1),
    ("stepped", discrete.stepped, 1),
    ("whole", discrete.whole, 1),
    ("rounded", equations.rounded, 1),
    ("values", equations.values, 1),
    ("positive", discrete.positive, 1),
    ("boxes", boxes.bisect, 1),
    ("product", shape.product, 1),
    ("logarithms", shape.logarithms, 1),
    ("powers", shape.powers, 1),
    ("unlog", shape.unlog, 1),
    ("generalised", names.generalised, 1),
    ("induction", discrete.induct, 1),
    ("induction for all", unknown.induct_for_all, 1),
    ("strengthened", discrete.strengthened, 1),
    ("concave", calculus.concave, 1),
    ("monotone", calculus.monotone, 1),
    ("axioms", polynomial.with_axioms, 2),
    ("exponentials", shape.exponentials, 1),
    ("bounded", bounds.bounded, 2),
    ("descend", calculus.descend, 2),
    ("cut", calculus.cut, 3),
)
