"""The graph of claims as SVG, written by hand: no drawing program is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import networkx as nx

from dpbook.engine.verdict import LOOKS

COLOURS = {verdict.value: look.frame for verdict, look in LOOKS.items()}
SQUARE = {verdict.value for verdict, look in LOOKS.items() if look.square}
DASHES = {"using": "", "cites": "4 3", "corrects": "1 3"}
ROW, COLUMN, HEIGHT = 26, 250, 20


def svg(
    rows: Sequence[dict[str, Any]],
    address: Callable[[str], str] | None = None,
    topic: str = "",
) -> str:
    """Draw claims in layers: a claim stands to the right of everything that it rests on.

    Parameters
    ----------
    rows : sequence of dict
        Rows of the ledger.
    address : callable, optional
        Where a claim's key leads to; without it, or where it is empty, nothing is a link.
    topic : str
        Whose claims are shown by their labels alone, and counted; those of other topics are not.

    Returns
    -------
    str
        The SVG.
    """
    present = {row["key"]: row for row in rows}
    edges = [
        (other, row["key"], kind)
        for row in rows
        for kind in DASHES
        for other in row[kind]
        if other in present
    ]
    rests = nx.DiGraph()
    rests.add_nodes_from(present)
    for source, target, _ in edges:
        if not nx.has_path(rests, target, source):  # corrections and uses could close a circle
            rests.add_edge(source, target)
    layer: dict[str, int] = {}
    for key in nx.topological_sort(rests):
        layer[key] = max((layer[p] + 1 for p in rests.predecessors(key)), default=0)
    places: dict[str, tuple[int, int]] = {}
    filled: dict[int, int] = {}
    for key in present:
        column = layer[key]
        places[key] = (20 + column * COLUMN, 60 + filled.get(column, 0) * ROW)
        filled[column] = filled.get(column, 0) + 1
    width = max(20 + (max(layer.values(), default=0) + 1) * COLUMN, 500)  # the legend's
    height = 80 + max(filled.values(), default=1) * ROW
    own = sum(row["key"].startswith(f"{topic}:") for row in rows) if topic else len(rows)
    title = f"{own} claims and what they rest on"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" font-family="sans-serif" font-size="11" '
        f'role="{"group" if address else "img"}" aria-label="{title}">',
        f"<title>{title}</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="6" '
        'markerHeight="6" orient="auto"><path d="M0 0 8 4 0 8z" fill="#888"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *_legend([row for row in rows if row["key"].startswith(f"{topic}:")] if topic else rows),
    ]
    for source, target, kind in edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        x1, y1, y2 = x1 + COLUMN - 60, y1 + HEIGHT // 2, y2 + HEIGHT // 2
        bend = max(30, abs(x2 - x1) // 2)
        parts.append(
            f'<path d="M{x1} {y1} C{x1 + bend} {y1} {x2 - bend} {y2} {x2} {y2}" fill="none" '
            f'stroke="#888" stroke-dasharray="{DASHES[kind]}" marker-end="url(#tip)">'
            f"<title>{escape(target)} {kind} {escape(source)}</title></path>"
        )
    for key, (x, y) in places.items():
        row = present[key]
        corner = 0 if row["verdict"] in SQUARE else 8
        label = key.removeprefix(f"{topic}:")
        label = label if len(label) <= 32 else label[:31] + "…"
        said = escape(f"{key}: {row['title']} ({row['verdict']})")
        goal = escape(address(key)) if address else ""
        opened = f'<a href="{goal}" aria-label="{said}">' if goal else "<g>"
        parts.append(
            f"{opened}<title>{said}</title>"
            f'<rect x="{x}" y="{y}" width="{COLUMN - 60}" height="{HEIGHT}" rx="{corner}" '
            f'fill="#ffffff" stroke="{COLOURS[row["verdict"]]}" stroke-width="2"/>'
            f'<text x="{x + 8}" y="{y + 14}" fill="#222">{escape(label)}</text>{"</a>" if goal else "</g>"}'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _legend(rows: Sequence[dict[str, Any]]) -> list[str]:
    shown = [verdict for verdict in COLOURS if any(row["verdict"] == verdict for row in rows)]
    parts = []
    for index, verdict in enumerate(shown):
        count = sum(row["verdict"] == verdict for row in rows)
        x = 20 + index * 120
        corner = 0 if verdict in SQUARE else 6
        parts.append(
            f'<rect x="{x}" y="14" width="14" height="14" rx="{corner}" fill="#ffffff" '
            f'stroke="{COLOURS[verdict]}" stroke-width="2"/>'
            f'<text x="{x + 20}" y="25">{count} {verdict}</text>'
        )
    for index, (kind, dash) in enumerate(DASHES.items()):
        x = 20 + index * 120
        parts.append(
            f'<path d="M{x} 42h30" stroke="#888" stroke-dasharray="{dash}" fill="none"/>'
            f'<text x="{x + 36}" y="46">{kind}</text>'
        )
    return parts
