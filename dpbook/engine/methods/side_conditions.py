"""What the conditions of lemmas on integrals are proved with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sympy import Expr, Symbol


@dataclass(frozen=True)
class SideConditionProver:
    """What the lemmas' conditions are proved with.

    Attributes
    ----------
    prove : callable
        ``prove(expr, op)`` proves ``expr op 0`` on the domain.
    prove_within : callable
        ``prove_within(expr, op, x, a, b)`` proves it for all x of the open range (a, b) as well.
    defined : callable
        ``defined(expr, x, a, b, closed)`` proves that an expression is a real number for all x
        of (a, b), or of [a, b] when `closed`.
    positive : callable
        ``positive(expr)`` is a quick test of a sign, for normal forms.
    inside : callable
        ``inside(x, a, b)`` gives the means on the domain with x in the open range (a, b) as well.
    used : list of str
        Receives the names of the lemmas used.
    """

    prove: Callable[[Expr, str], bool]
    prove_within: Callable[[Expr, str, Symbol, Expr, Expr], bool]
    defined: Callable[[Expr, Symbol, Expr, Expr, bool], bool]
    positive: Callable[[Expr], bool]
    inside: Callable[[Symbol, Expr, Expr], SideConditionProver]
    used: list[str]
