"""Describe the kernel: its version, rules and axioms, and the lines of code that are trusted."""

from __future__ import annotations

import importlib
import inspect
import io
import sys
import tokenize

import dpbook
from dpbook.kernel.rules import RULES
from dpbook.kernel.table import AXIOMS, FUNCTIONS, INTEGRALS, UNPROVED

PACKAGE = "dpbook.kernel"
OUTSIDE = (f"{PACKAGE}.__main__", f"{PACKAGE}.files", f"{PACKAGE}.text")
# `check` takes the statements of lemmas as given; that they hold is the care of the first two, and
# `lemmas` compares statements as texts
CALLERS = (f"{PACKAGE}.files.replay", f"{PACKAGE}.files.lemmas", f"{PACKAGE}.text")
WIDTH = 100  # characters; a longer line counts as several


def about() -> str:
    """Return the version, the numbers of rules and axioms, and the trusted lines, as text."""
    sizes = trusted_lines()
    callers = {
        name: lines_of_code(inspect.getsource(importlib.import_module(name))) for name in CALLERS
    }
    axioms, integrals = (len(facts.keys() & UNPROVED) for facts in (AXIOMS, INTEGRALS))
    lemmas = len(AXIOMS) + len(INTEGRALS) - axioms - integrals
    return "\n".join(
        [
            f"dpbook {dpbook.__version__}",
            f"{len(RULES)} rules: {', '.join(RULES)}",
            f"{axioms} axioms, {integrals} integrals, {len(FUNCTIONS)} functions, {lemmas} lemmas",
            f"{sum(sizes.values())} trusted lines in {len(sizes)} modules",
            "also trusted, as their care is that lemmas hold: "
            + ", ".join(f"{size} lines in {name}" for name, size in callers.items()),
            "trusted data: functions.toml, axioms.toml; lemmas.toml, which is checked against its proofs",
        ]
    )


def trusted_lines() -> dict[str, int]:
    """Return the lines of code of each module that is imported when `kernel.check` checks a proof."""
    importlib.import_module(f"{PACKAGE}.check")
    found = {name for name in sys.modules if name.partition(f"{PACKAGE}.")[0] == ""} | {PACKAGE}
    trusted = [n for n in sorted(found) if not n.startswith(OUTSIDE)]
    return {n: lines_of_code(inspect.getsource(sys.modules[n])) for n in trusted}


def lines_of_code(source: str) -> int:
    """Return the number of lines that hold code: no comment, no docstring and no empty line."""
    held: set[int] = set()
    begins = True  # a text alone at the beginning of a line says something to a reader only
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _LAYOUT:
            begins = begins or token.type in (tokenize.NEWLINE, tokenize.INDENT)
            continue
        if not (begins and token.type == tokenize.STRING):
            held.update(range(token.start[0], token.end[0] + 1))
        begins = False
    lines = source.splitlines()
    return sum(-(-len(lines[number - 1]) // WIDTH) for number in held if lines[number - 1])


_LAYOUT = (
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
)
