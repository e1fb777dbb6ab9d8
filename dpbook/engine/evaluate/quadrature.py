"""Enclose an integral at a point: Arb integrates the middle, and the tails have bounds (`tails`).

The integrand is a tape. Where it is not shown to be defined and analytic, nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from flint import acb, arb, ctx, fmpq

from dpbook.engine.evaluate import arbs
from dpbook.engine.evaluate.tails import MOST_BITS, accuracy, beyond
from dpbook.engine.evaluate.tape import Integrand, Step, Tape
from dpbook.engine.language.budget import held
from dpbook.engine.language.statement import COMPARE

MOST_WORK = 1_000_000  # steps of the integrand's tape, for one integral

_NAN = acb(arb.nan(), arb.nan())


def integral(integrand: Integrand, args: Sequence[fmpq | arb]) -> arb | None:
    """Enclose an integral over a range; None where no finite enclosure is shown.

    Parameters
    ----------
    integrand : Integrand
    args : sequence of fmpq or arb
        The finite ends, in either order, and then the other inputs of the integrand.
    """
    if ctx.prec > MOST_BITS:
        return None
    low, high, others = integrand.split([arb(a) if isinstance(a, fmpq) else a for a in args])
    if low is not None and high is not None and not (low <= high or low > high):
        return None  # the order of the ends is open
    total = arb(0)
    if high is None:
        high, tail = beyond(integrand.tape, others, 1, low)
        if tail is None:
            return None
        total += tail
    if low is None:
        start, tail = beyond(integrand.tape, others, -1, -high)
        if tail is None:
            return None
        low, total = -start, total + tail
    middle, tolerance = _Middle(integrand.tape, others), accuracy()
    most = max(100, min(30_000, MOST_WORK // len(integrand.tape.needed)))
    with held():
        found = acb.integral(
            middle, acb(low), acb(high), rel_tol=tolerance, abs_tol=tolerance, eval_limit=most
        )
    whole = found.real + total
    real = found.imag.is_finite() and found.imag.contains(0)
    return whole if real and whole.is_finite() else None


# --- the middle: the integrand on complex balls ---------------------------------------------------


class _Middle:
    """Evaluate an integrand on complex balls, for given other inputs."""

    def __init__(self, tape: Tape, others: Sequence[arb]) -> None:
        self.tape = tape
        self.values: list[Any] = [None] * len(tape.steps)  # of steps without the variable
        self.steps = []
        for place, step in enumerate(tape.steps):
            if step.op == "input":
                self.values[place] = acb(others[step.static - 1]) if step.static else None
            elif place not in tape.needed:
                continue
            elif step.op == "const":
                self.values[place] = acb(arb(step.static))
            elif step.op == "named":
                self.values[place] = acb(arbs.NAMED[step.static]())
            elif step.op == "truth":
                self.values[place] = bool(step.static)
            else:
                self.steps.append((place, step))

    def __call__(self, x: acb, analytic: bool) -> acb:
        values = [x, *self.values[1:]]
        for place, step in self.steps:
            args = [values[a] for a in step.args]
            if step.op == "piecewise":
                values[place] = _piecewise(args, analytic)
            elif step.op in ("rpow", "pow"):
                log = _log_by_parts(self.tape, values, step.args[0])
                if log is None and _right(args[0]):
                    log = args[0].log()
                values[place] = _NAN if log is None else (_exponent(step, values) * log).exp()
            elif step.op in _FUNCTIONS:
                values[place] = _FUNCTIONS[step.op](args, step.static, analytic)
            else:
                return _NAN
        return values[self.tape.outputs[0]]


def _exponent(step: Step, values: Sequence[Any]) -> acb:
    return acb(arb(step.static)) if step.op == "rpow" else values[step.args[1]]


def _log_by_parts(tape: Tape, values: Sequence[Any], place: int) -> acb | None:
    """Return the logarithm of a product of exponentials and positive constants.

    It is made of the exponents: far from the line only the logarithm of a density is analytic.
    """
    step, value = tape.steps[place], values[place]
    if step.op == "exp":
        return values[step.args[0]]
    if step.op in ("mul", "div"):
        first, second = (_log_by_parts(tape, values, a) for a in step.args)
        if first is None or second is None:
            return None
        return first + second if step.op == "mul" else first - second
    if step.op in ("ipow", "rpow", "pow"):
        log = _log_by_parts(tape, values, step.args[0])
        exponent = int(step.static) if step.op == "ipow" else _exponent(step, values)
        return None if log is None else log * exponent
    constant = step.op in ("const", "named") or (step.op == "input" and step.static > 0)
    return value.log() if constant and _right(value) else None


def _right(x: acb) -> bool:
    return bool(x.real > arbs.ZERO)


def _compared(op: str) -> Callable[..., bool | None]:
    """Compare real parts: a branch that holds on the real part of a ball is taken on all of it."""
    compare = arbs.FUNCTIONS[op]
    return lambda args, _static, _analytic: compare(args[0].real, args[1].real)


def _piecewise(args: Sequence[Any], analytic: bool) -> acb:
    possible = []
    for condition, value in zip(args[::2], args[1::2], strict=True):
        if condition is False:
            continue
        possible.append(value)
        if condition is True:
            break
    else:
        return _NAN
    if len(possible) == 1:
        return possible[0]
    if analytic or not all(value.is_finite() for value in possible):
        return _NAN
    return reduce(acb.union, possible)


def _plain(method: Callable[[acb], acb]) -> Callable[..., acb]:
    return lambda args, _static, _analytic: method(args[0])


def _to_the_right(method: Callable[[acb], acb]) -> Callable[..., acb]:
    return lambda args, _static, _analytic: method(args[0]) if _right(args[0]) else _NAN


def _in_pieces(method: Callable[..., acb]) -> Callable[..., acb]:
    return lambda args, _static, analytic: method(*args, analytic=analytic)


_MEROMORPHIC = ("exp", "erf", "erfc", "erfi", "sinh", "cosh", "tanh", "coth", "sin", "cos", "tan")
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add": lambda args, _static, _analytic: reduce(acb.__add__, args),
    "mul": lambda args, _static, _analytic: args[0] * args[1],
    "neg": lambda args, _static, _analytic: -args[0],
    "div": lambda args, _static, _analytic: args[0] / args[1],
    "one": lambda args, _static, _analytic: acb(1) if args[0].is_finite() else _NAN,
    "ipow": lambda args, n, _analytic: args[0] ** int(n) if n <= 400 else _NAN,
    "log": _to_the_right(acb.log),
    "loggamma": _to_the_right(acb.lgamma),
    "gamma": _to_the_right(acb.gamma),
    "digamma": _to_the_right(acb.digamma),
    "factorial": _to_the_right(lambda x: (x + 1).gamma()),
    **{op: _plain(getattr(acb, op)) for op in _MEROMORPHIC},
    "abs": _in_pieces(acb.real_abs),
    "sign": _in_pieces(acb.real_sgn),
    "floor": _in_pieces(acb.real_floor),
    "ceiling": _in_pieces(acb.real_ceil),
    "max": _in_pieces(acb.real_max),
    "min": _in_pieces(acb.real_min),
    "and": lambda args, _static, _analytic: arbs.conjunction(*args),
    "or": lambda args, _static, _analytic: arbs.disjunction(*args),
    "not": lambda args, _static, _analytic: arbs.negation(*args),
    **{op: _compared(op) for op in COMPARE},
}
