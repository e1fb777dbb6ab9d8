"""Goals without variables: an enclosure of the numbers decides first."""

from __future__ import annotations

from dpbook.engine.tactics.core import Node, Search, Tactic
from dpbook.engine.tactics.strategy import TACTICS
from dpbook.kernel.formulas import Is, Relation, Sequent, free


def numbers(search: Search, s: Sequent, depth: int) -> Node | None:
    """Enclose both sides of a goal that holds of numbers."""
    if free(s.goal):
        return None
    if isinstance(s.goal, Is) and search.premises(s, "enclosed") is not None:
        return search.node("enclosed")
    if not isinstance(s.goal, Relation) or search.premises(s, "bisect", tree="value") is None:
        return None
    return search.node("bisect", tree="value")


AT_POINTS: tuple[tuple[str, Tactic, int], ...] = (("numbers", numbers, 0), *TACTICS)
