"""Decide which goals are automatic: a certificate says `auto` of them, in place of a proof.

Only this may grow. A goal that is automatic stays so when `automatic` becomes stronger, and no rule asks it
what to show: a stronger one accepts each certificate that a weaker one accepts.
"""

from __future__ import annotations

from collections.abc import Callable

from dpbook.kernel.defined import is_integer
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent, size, terms_of
from dpbook.kernel.normal.atoms import ALLOWED, sign_of
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import alike

LONG = 150  # parts of a hypothesis that is not short
Read = Callable[[Sequent], Facts]


def automatic(s: Sequent, facts: Read) -> bool:
    """Return whether the goal stands among the hypotheses, is an integer by its form, or has its sign.

    The short hypotheses are asked alone first: what follows from some of them follows. A normal form
    that takes too much work shows nothing.

    Parameters
    ----------
    facts : function
        Returns the normal forms under the hypotheses of a sequent.
    """
    goal = s.goal
    if goal in s.hypotheses:
        return True
    if any(t.height for t in terms_of(goal)) and any(same(h, goal) for h in s.hypotheses):
        return True
    if isinstance(goal, Is) and goal.what == "defined":
        return goal.term.head in ("num", "var")
    if isinstance(goal, Is) and goal.term.plain:  # a sum or a product of integers is one
        integers = frozenset(n for n, sort in s.variables if sort == "integer")
        if is_integer(goal.term, integers):
            return True
    try:
        short = tuple(h for h in s.hypotheses if size(h) <= LONG)
        if len(short) < len(s.hypotheses):
            base = sum(size(h) <= LONG for h in s.hypotheses[: s.base])
            if _by_signs(Sequent(s.variables, s.functions, short, goal, base), facts):
                return True
        return _by_signs(s, facts)
    except Rejected:  # too much work
        return False


def _by_signs(s: Sequent, read: Read) -> bool:
    """Return whether the goal is an integer by its normal form, or has its sign."""
    goal = s.goal
    if isinstance(goal, Is):
        facts = read(s)
        return facts.is_whole(facts.canonical(facts.poly(goal.term)))
    if isinstance(goal, Relation):
        facts = read(s)
        p, op = facts.literal(goal)
        left = facts.sign(p) & ~ALLOWED[op]  # signs that the goal does not allow
        return not left or not left & sign_of(facts.interval_of_sum(p))
    return False


def same(f: Formula, g: Formula) -> bool:
    """Return whether two formulas about terms differ at most in the names of bound variables."""
    if isinstance(f, Relation) and isinstance(g, Relation):
        if f.left.size != g.left.size:
            return False
        return f.op == g.op and alike(f.left, g.left) and alike(f.right, g.right)
    return isinstance(f, Is) and isinstance(g, Is) and f.what == g.what and alike(f.term, g.term)
