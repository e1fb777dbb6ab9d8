"""Show bounds by integrals that tend to 0: dominated convergence, with a guessed bound."""

from __future__ import annotations

from collections.abc import Iterator

from dpbook.engine.prove.tactics.core import Chain, Node, Search, needs
from dpbook.kernel.defined import derivative
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, Formula, Is, Relation, Sequent, flat
from dpbook.kernel.terms import ONE, ZERO, Term, add, bind, div, mul, num, substitute, subterms, var


@needs("integral")
def vanishing(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a number is at most 0, as it is at most integrals that tend to 0 with a variable.

    The integrand is taken to be concave in that variable, and to be below twice an integrand of
    which the integral is given to exist.
    """
    goal = s.goal
    if not isinstance(goal, Relation) or (goal.op, goal.right) != ("<=", ZERO):
        return None
    for i, h in enumerate(s.hypotheses):
        for t, name in _integrals_above(goal.left, h):
            small, close, at = (s.new_name(letter) for letter in ("e", "h", "x"))
            body = substitute(t.args[0], {t.name: var(at), name: var(small)})
            try:
                slope = substitute(derivative(body, small), {small: ZERO})
            except Rejected:
                continue
            moved = bind("integral", body, at, *t.args[1:])
            for bound in _given(s, moved, at):
                node = _by(search, s, i, goal.left, moved, mul(num(2), bound), slope, small, close)
                if node is not None:
                    return node
    return None


def _integrals_above(u: Term, h: Formula) -> Iterator[tuple[Term, str]]:
    """Yield the integrals that are at least u for all values of a number, which stands in them."""
    if not isinstance(h, All) or h.sort != "real" or h.name in u.free:
        return
    for part in flat(h.body):
        if not isinstance(part, Relation) or (part.left, part.op) != (u, "<="):
            continue
        if part.right.head == "integral" and h.name in part.right.args[0].free:
            yield part.right, h.name


def _given(s: Sequent, like: Term, at: str) -> Iterator[Term]:
    """Yield the integrands in this integrand whose integrals over its range are given to exist."""
    parts = set(subterms(like.args[0]))
    for h in s.hypotheses:
        if isinstance(h, Is) and h.what == "defined" and h.term.head == "integral":
            body = substitute(h.term.args[0], {h.term.name: var(at)})
            if h.term.args[1:] == like.args[1:] and body in parts:
                yield body


def _by(
    search: Search,
    s: Sequent,
    hypothesis: int,
    u: Term,
    t: Term,
    bound: Term,
    slope: Term,
    small: str,
    close: str,
) -> Node | None:
    chain = Chain(search, s, 1)

    def prove(premise: Sequent) -> Node | None:
        there = Chain(search, premise, 1)
        if any(n == small for n, _ in premise.variables):
            there.apply("instance", hypothesis=hypothesis, value=small)
        return there.close(search.prove(there.s, 1))

    fields = {
        "integral": str(t),
        "small": small,
        "close": close,
        "below": str(u),
        "by": str(bound),
        "from": str(div(var(close), add(ONE, slope))),
    }
    if not chain.apply_by(prove, "vanishing integral", **fields):
        return None
    return chain.close_if_clear()
