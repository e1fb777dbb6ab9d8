"""Write terms of the kernel to be read: a number in front, one bar for a quotient, named roots."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from dpbook.kernel.terms import BINDERS, MINUS_ONE, Term, num, power
from dpbook.kernel.text import text

SUM, PRODUCT, POWER = range(3)  # where a term stands: a looser term gets brackets there
ROOT = num(Fraction(1, 2))


def readable(t: Term, place: int = SUM) -> str:
    """Return a term as text, with the same value in another spelling."""
    if t.head == "add":
        shown = ""
        for part in t.args:
            one = readable(part)
            sign = "-" if one[0] == "-" else "+"
            shown += f" {sign} {one.removeprefix('-')}" if shown else one
        return f"({shown})" if place > SUM else shown
    if t.head in ("mul", "num") or _inverse(t):
        return _product(t, place)
    if t.head == "pow" and t.args[1] == ROOT:
        return f"sqrt({readable(t.args[0])})"
    if t.head == "pow":
        shown = f"{readable(t.args[0], POWER)}^{readable(t.args[1], POWER)}"
        return f"({shown})" if place == POWER else shown
    if t.head in BINDERS:
        body, low, high = map(readable, t.args)
        return f"{t.head}({body}, {t.name}, {low}, {high})"
    return f"{t.head}({', '.join(map(readable, t.args))})" if t.args else text(t)


def _inverse(t: Term) -> bool:
    return t.head == "pow" and t.args[1].head == "num" and t.args[1].value < 0


def _product(t: Term, place: int) -> str:
    """Return a product, a number or an inverse: p*a*b/(q*c), with -p in front."""
    value = Fraction(1)
    above: list[Term] = []
    below: list[Term] = []
    for part, up in _factors(t, True):
        if part.head == "num" and (up or part.value):
            value = value * part.value if up else value / part.value
        else:
            (above if up else below).append(part)
    if value == 1 and len(above) == 1 and not below:
        return readable(above[0], place)
    top, bottom = abs(value.numerator), value.denominator
    over = [str(top)] * (top != 1 or not above) + [readable(part, PRODUCT) for part in above]
    under = [str(bottom)] * (bottom != 1) + [readable(part, PRODUCT) for part in below]
    shown = ("-" if value < 0 else "") + "*".join(over)
    if under:
        shown += f"/({'*'.join(under)})" if len(under) > 1 else f"/{under[0]}"
    loose = value < 0 or under or place == POWER and len(over) > 1
    return f"({shown})" if loose and place > SUM else shown


def _factors(t: Term, up: bool) -> Iterator[tuple[Term, bool]]:
    """Yield the factors of a product above the bar (up) and below."""
    if t.head == "mul":
        for part in t.args:
            yield from _factors(part, up)
    elif _inverse(t):
        base, exponent = t.args
        if exponent != MINUS_ONE:
            yield power(base, num(-exponent.value)), not up
        elif _inverse(base) or any(map(_inverse, base.args)):  # a/(b/c) says that c is not 0
            yield base, not up
        else:
            yield from _factors(base, not up)
    else:
        yield t, up
