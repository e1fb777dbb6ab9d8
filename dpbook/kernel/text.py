"""Write terms and formulas as text that `parse_term` and `parse_formula` read back.

An accepted proof needs no text: only messages of rejections, files and reports do. So the trusted modules
import this one for a message alone. There a wrong text misleads a reader, and proves nothing. But
`files/lemmas` compares the statements of the kernel's lemmas as texts.
"""

from __future__ import annotations

from dpbook.kernel.formulas import All, And, Is, Or, Relation
from dpbook.kernel.terms import BINDERS, CONSTANTS, MINUS_ONE, ONE, Term, num


def shown(what: object) -> str:
    """Return a term or a formula as text."""
    if isinstance(what, Term):
        return text(what)
    if isinstance(what, Relation):
        return f"{text(what.left)} {what.op} {text(what.right)}"
    if isinstance(what, And):
        return " and ".join(f"({p})" if isinstance(p, (Or, All)) else str(p) for p in what.parts)
    if isinstance(what, Or):
        return " or ".join(f"({p})" if isinstance(p, (And, All)) else str(p) for p in what.parts)
    if isinstance(what, Is):
        return f"{what.what}({text(what.term)})"
    assert isinstance(what, All)
    given = "".join(f"; {c}" for c in what.conditions)
    return f"all({what.name}; {what.sort}{given}; {what.body})"


def text(t: Term, tight: int = 0) -> str:
    """Return a term as text that `parse_term` reads back.

    `tight`: 0 in a sum, 1 in a product, 2 as a base or an exponent.
    """
    if t.head == "num":
        shown = str(t.value)
        plain = t.value.denominator == 1 and t.value >= 0
        return shown if plain or tight == 0 and t.value >= 0 else f"({shown})"
    if t.head == "var":
        return t.name
    if t.head == "add":
        shown = text(t.args[0], 0) if t.args[0].head != "add" else f"({text(t.args[0], 0)})"
        for part in t.args[1:]:
            if part.head == "num" and part.value < 0:
                shown += " - " + text(num(-part.value), 1)
            elif _negated(part):
                shown += " - " + _product(part.args[1:])
            else:
                shown += " + " + text(part, 0 if part.head != "num" else 1)
        return f"({shown})" if tight else shown
    if t.head == "mul":
        if _negated(t):
            shown = "-" + _product(t.args[1:])
            return f"({shown})" if tight else shown
        shown = _product(t.args)
        return f"({shown})" if tight > 1 else shown
    if t.head == "pow":
        shown = f"{text(t.args[0], 2)}^{text(t.args[1], 2)}"
        return f"({shown})" if tight > 1 else shown
    if t.head in BINDERS:
        body, low, high = t.args
        return f"{t.head}({text(body, 0)}, {t.name}, {text(low, 0)}, {text(high, 0)})"
    if not t.args:
        return t.head if t.head in CONSTANTS else f"{t.head}()"
    return f"{t.head}({', '.join(text(a, 0) for a in t.args)})"


def _negated(t: Term) -> bool:
    return t.head == "mul" and t.args[0] == MINUS_ONE and t.args[1].head != "num"


def _product(args: tuple[Term, ...]) -> str:
    shown = ""
    for index, part in enumerate(args):
        under = part.head == "pow" and part.args[1] == MINUS_ONE
        if under and index and not (index == 1 and args[0] == ONE):
            shown += "/" + text(part.args[0], 2)
        else:
            shown += ("*" if index else "") + text(part, 1 if part.head != "mul" else 2)
    return shown
