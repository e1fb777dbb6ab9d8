"""Proof methods: each names its trusted base, and each may answer "undecided"."""

METHODS = (
    *("identity", "calculus", "induction", "enumeration", "substitution", "z3", "cases", "balls"),
    "point",
)
