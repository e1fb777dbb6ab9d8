"""Write the graph of claims as SVG, without a drawing program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from statistics import fmean
from typing import Any

import networkx as nx

from dpbook.engine.language.verdict import LOOKS

COLOURS = {verdict.value: look.frame for verdict, look in LOOKS.items()}
SQUARE = {verdict.value for verdict, look in LOOKS.items() if look.square}
DASHES = {"using": "", "cites": "4 3", "corrects": "1 3"}
ROW, COLUMN, WIDTH, HEIGHT = 26, 290, 220, 20  # of a row, a column and a claim's frame
TOP, EDGE = 60, 20  # the space for the legend, and the margin at the left
ALONE = "rest on no claim that is shown, and no claim rests on them:"


def svg(
    rows: Sequence[dict[str, Any]], address: Callable[[str], str] | None = None, topic: str = ""
) -> str:
    """Draw claims in layers: a claim stands to the right of everything that it rests on.

    Claims that no line joins stand in separate groups; claims without any line stand in a list
    below.

    Parameters
    ----------
    rows : sequence of dict
        Rows of the ledger.
    address : callable, optional
        The function that maps the key of a claim to its link; without it, or if it returns an
        empty text, there is no link.
    topic : str
        The topic whose claims are counted and shown by their labels alone; claims of other topics
        are shown by their keys.

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
        if not nx.has_path(rests, target, source):  # corrections and uses could make a cycle
            rests.add_edge(source, target)
    places, width, height, listed = _places(rests)
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
    if listed:
        parts.append(f'<text x="{EDGE}" y="{listed}" fill="#222">{ALONE}</text>')
    for source, target, kind in edges:
        (x1, y1), (x2, y2) = places[source], places[target]
        x1, y1, y2 = x1 + WIDTH, y1 + HEIGHT // 2, y2 + HEIGHT // 2
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
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="{corner}" '
            f'fill="#ffffff" stroke="{COLOURS[row["verdict"]]}" stroke-width="2"/>'
            f'<text x="{x + 8}" y="{y + 14}" fill="#222">{escape(label)}</text>{"</a>" if goal else "</g>"}'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def _places(rests: nx.DiGraph) -> tuple[dict[str, tuple[int, int]], int, int, int]:
    """Return the places of the claims, the width and height of all, and the top of the list.

    Groups stand in rows, the highest first; a row is as wide as the widest group.
    """
    order = {key: index for index, key in enumerate(rests)}
    groups = [
        sorted(group, key=order.__getitem__) for group in nx.weakly_connected_components(rests)
    ]
    alone = [group[0] for group in groups if len(group) == 1]
    layered = [_layers(rests.subgraph(group), group) for group in groups if len(group) > 1]
    layered.sort(key=lambda layers: -max(map(len, layers)))  # groups of equal height stay in order
    columns = max((len(layers) for layers in layered), default=0)
    columns = max(columns, min(4, max(len(alone), 1)))
    places: dict[str, tuple[int, int]] = {}
    x, y, high = 0, 0, 0
    for layers in layered:
        if x + len(layers) > columns:
            x, y, high = 0, y + high + 1, 0
        for column, layer in enumerate(layers, x):
            for row, key in enumerate(layer, y):
                places[key] = (EDGE + column * COLUMN, TOP + row * ROW)
        x, high = x + len(layers), max(high, *map(len, layers))
    y += high
    listed = 0
    if alone:
        y += 1 if layered else 0
        listed, y = TOP + y * ROW + 14, y + 1
        high = -(-len(alone) // columns)
        for index, key in enumerate(alone):
            places[key] = (EDGE + index // high * COLUMN, TOP + (y + index % high) * ROW)
        y += high
    return places, max(EDGE + columns * COLUMN, 500), TOP + y * ROW + EDGE, listed


def _layers(rests: nx.DiGraph, group: Sequence[str]) -> list[list[str]]:
    """Return claims by the column, each near the claims to which a line joins it."""
    place: dict[str, int] = {}
    for key in nx.lexicographical_topological_sort(rests, key=group.index):
        place[key] = max((place[p] + 1 for p in rests.predecessors(key)), default=0)
    for key in group:
        if not rests.pred[key]:  # a claim without premises stands beside the first that uses it
            place[key] = min(place[after] for after in rests.successors(key)) - 1
    layers = [[key for key in group if place[key] == n] for n in range(max(place.values()) + 1)]
    for _ in range(3):
        for across, neighbours in ((layers, rests.pred), (layers[::-1], rests.succ)):
            row = {key: index for layer in layers for index, key in enumerate(layer)}
            for layer in across:
                layer.sort(key=lambda key: fmean([row[n] for n in neighbours[key]] or [row[key]]))
                row.update((key, index) for index, key in enumerate(layer))
    return layers


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
