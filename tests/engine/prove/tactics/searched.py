"""What the tests of tactics share: a search with some of them, whose result the kernel checks."""

from __future__ import annotations

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import check
from dpbook.kernel.files.sequents import sequent_from_json

DEPTHS = (0, 1, 2, 3, 4)


def rules(node: dict[str, object]) -> set[str]:
    """Return the rules that a certificate uses."""
    premises = node.get("premises", [])
    assert isinstance(premises, list)
    return {str(node["rule"])}.union(*(rules(p) for p in premises))


def certificate(
    data: dict[str, object],
    names: tuple[str, ...],
    budget: int = 60,
    depths: tuple[int, ...] = DEPTHS,
) -> dict[str, object] | None:
    """Search with some of the tactics; what is found must pass the kernel."""
    s = sequent_from_json(data)
    chosen = [t for t in TACTICS if t[0] in names]
    assert len(chosen) == len(names)
    node = Search(chosen, budget=budget).solve(s, depths)
    if node is not None:
        node = explicit(s, node)
        check(s, node)
    return node
