"""Find exact ranges of the steps of a tape on a box, by interval arithmetic with rational ends.

Balls round outwards, so that a ball around [0, 1] reaches below 0. A value that is known exactly to
be >= 0 keeps its root there.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from dpbook.engine.evaluate.constants import bounds_of
from dpbook.engine.evaluate.tape import NUMBERS, Step, Tape

# Ends of a range; None for no bound on that side.
Range = tuple[fmpq | None, fmpq | None]
_ALL: Range = (None, None)
_NAMED = {name: number for number, name in NUMBERS.items()}
_MANY_BITS = 2000
# Functions on a closed domain: the range of their last argument.
_DOMAINS: dict[str, tuple[int, int | None]] = {
    "asin": (-1, 1),
    "acos": (-1, 1),
    "acosh": (1, None),
    "lowergamma": (0, None),
    "uppergamma": (0, None),
    "betainc": (0, 1),
    "betareg": (0, 1),
}


def ranges_of(tape: Tape, box: Sequence[tuple[fmpq, fmpq]]) -> list[Range]:
    """Return a range for each step, valid where every step has a value."""
    found: list[Range] = []
    for step in tape.steps:
        if step.op == "input":
            found.append(box[step.static])
        else:
            found.append(_short(_range(step, [found[a] for a in step.args])))
    return found


def rooted(tape: Tape, box: Sequence[tuple[fmpq, fmpq]]) -> Tape:
    """Return the tape with roots and powers that know where their base is certainly >= 0."""
    found = ranges_of(tape, box)
    result = Tape(tape.inputs)
    result.opaque = set(tape.opaque)
    places: list[int] = []
    for step in tape.steps:
        op = step.op
        if op in ("rpow", "pow"):
            low = found[step.args[0]][0]
            if low is not None and low >= 0:
                op = f"{op}_from_zero"
        elif op in _DOMAINS:
            least, most = _DOMAINS[op]
            low, high = found[step.args[-1]]
            if (
                low is not None
                and low >= least
                and (most is None or (high is not None and high <= most))
            ):
                op = f"{op}_inside"
        places.append(result.put(op, *[places[a] for a in step.args], static=step.static))
    result.outputs = tuple(places[p] for p in tape.outputs)
    return result


def _short(r: Range) -> Range:
    """Drop ends that have become too long to compute with."""
    low, high = (None if end is None or _bits(end) > _MANY_BITS else end for end in r)
    if low is None and r[0] is not None and r[0] >= 0:
        low = fmpq(0)
    if high is None and r[1] is not None and r[1] <= 0:
        high = fmpq(0)
    return low, high


def _bits(x: fmpq) -> int:
    return max(int(x.p).bit_length(), int(x.q).bit_length())


def _range(step: Step, args: list[Range]) -> Range:
    op = step.op
    if op == "const":
        return step.static.value, step.static.value
    if op == "add":
        return _sum([a[0] for a in args]), _sum([a[1] for a in args])
    if op == "neg":
        return _negative(args[0])
    if op == "mul":
        return _product(*args)
    if op == "div":
        inverse = _inverse(args[1])
        return _ALL if inverse is None else _product(args[0], inverse)
    if op == "one":
        return fmpq(1), fmpq(1)
    if op == "ipow":
        return _power(args[0], step.static)
    if op == "abs":
        return _power(args[0], 1, even=True)
    if op in ("max", "min"):
        a, b = args
        if op == "min":
            a, b = _negative(a), _negative(b)
        low = b[0] if a[0] is None else a[0] if b[0] is None else max(a[0], b[0])
        high = None if a[1] is None or b[1] is None else max(a[1], b[1])
        return (low, high) if op == "max" else _negative((low, high))
    if op == "piecewise":
        values = args[1::2]
        return _least([v[0] for v in values]), _greatest([v[1] for v in values])
    return _known(op, args, step)


def _known(op: str, args: list[Range], step: Step) -> Range:
    if op in ("rpow", "rpow_from_zero", "abs"):
        return fmpq(0), None
    if op == "exp":
        low, high = args[0]
        # e^x >= 1 + x
        least = fmpq(0) if low is None else max(fmpq(0), 1 + low)
        return least, fmpq(1) if high is not None and high <= 0 else None
    if op in ("erf", "tanh", "sin", "cos", "sign"):
        signed = op in ("erf", "tanh", "sign")
        low, high = args[0]
        bottom = 0 if signed and low is not None and low >= 0 else -1
        top = 0 if signed and high is not None and high <= 0 else 1
        return fmpq(bottom), fmpq(top)
    if op == "erfc":
        return fmpq(0), fmpq(2)
    if op == "betareg":
        return fmpq(0), fmpq(1)
    if op == "cosh":
        return fmpq(1), None
    if op in ("pow", "pow_from_zero"):
        low = args[0][0]
        return (fmpq(0), None) if low is not None and low >= 0 else _ALL
    if op in ("atan", "asinh", "sinh", "floor", "ceiling"):
        low, high = args[0]
        return (
            fmpq(0) if low is not None and low >= 0 else None,
            fmpq(0) if high is not None and high <= 0 else None,
        )
    if op in ("gamma", "lowergamma", "uppergamma", "beta", "betainc"):
        low = args[0][0]
        return (fmpq(0), None) if low is not None and low >= 0 else _ALL
    if op == "log":
        low, high = args[0]
        return (
            fmpq(0) if low is not None and low >= 1 else None,
            fmpq(0) if high is not None and high <= 1 else None,
        )
    if op == "where_nonnegative":
        return args[1]
    if op == "named":
        named = bounds_of(_NAMED[step.static])
        assert named is not None
        low, high = (fmpq(end.numerator, end.denominator) for end in named)
        return low, high
    return _ALL


def _sum(ends: list[fmpq | None]) -> fmpq | None:
    total = fmpq(0)
    for end in ends:
        if end is None:
            return None
        total += end
    return total


def _least(ends: list[fmpq | None]) -> fmpq | None:
    return None if None in ends else min(ends)  # type: ignore[type-var]


def _greatest(ends: list[fmpq | None]) -> fmpq | None:
    return None if None in ends else max(ends)  # type: ignore[type-var]


def _negative(r: Range) -> Range:
    low, high = r
    return (None if high is None else -high), (None if low is None else -low)


def _product(a: Range, b: Range) -> Range:
    if a[0] is not None and a[1] is not None and b[0] is not None and b[1] is not None:
        corners = [a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1]]
        return min(corners), max(corners)
    if a[0] is not None and a[0] >= 0 and b[0] is not None and b[0] >= 0:
        return a[0] * b[0], None
    if a[1] is not None and a[1] <= 0 and b[1] is not None and b[1] <= 0:
        return a[1] * b[1], None
    for x, y in ((a, b), (b, a)):
        if x[0] is not None and x[0] >= 0 and y[1] is not None and y[1] <= 0:
            return None, x[0] * y[1]
    return _ALL


def _inverse(r: Range) -> Range | None:
    low, high = r
    if low is not None and low > 0:
        return (fmpq(0) if high is None else 1 / high), 1 / low
    if high is not None and high < 0:
        return 1 / high, (fmpq(0) if low is None else 1 / low)
    # a quotient that has a value has a divisor that is not 0: its sign is known all the same
    if low is not None and low >= 0:
        return fmpq(0), None
    if high is not None and high <= 0:
        return None, fmpq(0)
    return None


def _power(r: Range, n: int, even: bool = False) -> Range:
    low, high = r
    if n > 60:
        return (fmpq(0), None) if n % 2 == 0 else _ALL
    if n % 2 and not even:
        return (None if low is None else low**n), (None if high is None else high**n)
    top = None if low is None or high is None else max(abs(low), abs(high)) ** n
    if low is not None and low > 0:
        return low**n, top
    if high is not None and high < 0:
        return (-high) ** n, top
    return fmpq(0), top
