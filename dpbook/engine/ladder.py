"""The ladder: which methods there are, and in which order they are tried."""

from __future__ import annotations

from dpbook.engine.methods import algebra, calculus, induction

# (name, rung, smallest depth at which it is tried); cheap and decisive first
RUNGS = (
    ("identity", algebra.identity, 0),
    ("calculus", induction.derivative_zero, 0),
    ("induction", induction.equality, 0),
    ("induction", induction.zeilberger, 1),
    ("enumeration", algebra.modular, 0),
    ("identity", algebra.different, 0),
    ("identity", algebra.factors, 0),
    ("identity", algebra.from_facts, 0),
    ("substitution", algebra.corner, 0),
    ("z3", algebra.z3_polynomial, 0),
    ("cases", algebra.cases, 0),
    ("identity", algebra.fraction, 1),
    ("calculus", calculus.unlog, 1),
    ("calculus", calculus.exp_polynomial, 1),
    ("z3", algebra.z3_axioms, 1),
    ("balls", calculus.box, 1),
    ("calculus", calculus.monotone, 1),
    ("calculus", calculus.anchor, 1),
    ("induction", induction.inequality, 1),
    ("induction", induction.ratio, 1),
    ("calculus", calculus.compare_logs, 1),
    ("calculus", calculus.concave, 2),
    ("calculus", calculus.tail, 2),
    ("calculus", calculus.split_range, 2),
)
