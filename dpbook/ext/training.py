"""The page "Account for your training run": its code runs when the page is made, and each result stands below."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import re
from pathlib import Path
from typing import Any

from dpbook.privacy.accounting import Composition
from dpbook.privacy.datasets import shipped

NAME = "training_run"
FIGURES = "training_run_peers.json"
_BLOCK = re.compile(r"```python\n(.*?)```\n", re.S)
_PEERS = "%%peers%%"
_DIGITS = 9  # after the point, both ends rounded outwards


def page(chapters: Path) -> str:
    """Return the page as MyST."""
    return made((chapters / f"{NAME}.md").read_text(encoding="utf-8"))[0]


def made(text: str) -> tuple[str, dict[str, Any]]:
    """Run the blocks of Python of a page; return the page with their results, and their names."""
    names: dict[str, Any] = {}

    def with_result(block: re.Match[str]) -> str:
        shown = _ran(block[1], names)
        result = f"\n```text\n{shown}\n```\n" if shown else ""
        return block[0] + result

    found = _BLOCK.sub(with_result, text)
    if _PEERS in found:
        found = found.replace(_PEERS, _table(names["run"], names["delta"]))
    return found, names


def _ran(code: str, names: dict[str, Any]) -> str:
    """Run a block; return its output and the value of its last expression."""
    tree, written = ast.parse(code), io.StringIO()
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value = None
    with contextlib.redirect_stdout(written):
        exec(compile(tree, NAME, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), NAME, "eval"), names)
    shown = [written.getvalue().rstrip(), "" if value is None else repr(value)]
    return "\n".join(part for part in shown if part)


def figures() -> dict[str, Any]:
    """Return what `benchmarks/training_run.py --record` wrote."""
    found: dict[str, Any] = json.loads(shipped(FIGURES).read_text(encoding="utf-8"))
    return found


def _table(run: Composition, delta: float) -> str:
    """Return the epsilon of a run by each accountant."""
    ours = run.epsilon(delta)
    unit = 10**_DIGITS
    low, high = math.floor(ours.lower * unit) / unit, math.ceil(ours.upper * unit) / unit
    lines = [
        "| accountant | method | epsilon | says | processor time over ours |",
        "| --- | --- | ---: | --- | ---: |",
        f"| dpbook | {ours.method} | {low:.{_DIGITS}f} to {high:.{_DIGITS}f} | both ends certified | 1 |",
    ]
    for row in figures()["rows"]:
        lines.append(
            f"| {row['package']} {row['version']} | {row['method']} | {row['epsilon']:.6f} | {row['kind']} "
            f"| {row['times_ours']:g} |"
        )
    return "\n".join(lines)
