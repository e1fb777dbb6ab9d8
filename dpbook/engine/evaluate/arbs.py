"""Ball arithmetic: the functions of the compiler on Arb balls, and programs made of them.

A function that is not defined on the whole ball gives NaN; NaN passes no comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from flint import arb, ctx, fmpq, fmpz
from sympy import Expr, Symbol

from dpbook.engine.evaluate.tape import AT_POINTS, Loop, Step, Tape, tape_of

NAN = arb.nan()
ZERO, ONE = arb(0), arb(1)
_NARROW = arb(2) ** -4
_SIGNS = ONE.union(-ONE)


def finite(x: arb) -> arb:
    """Return the ball itself, or NaN for a ball without a bound."""
    return x if x.is_finite() else NAN


def as_int(x: arb) -> int:
    """Return the integer that an exact ball holds."""
    value = x.unique_fmpz()
    assert value is not None
    return int(value)


def hull(x: arb, y: arb) -> arb:
    """Return the smallest ball that holds two balls; NaN if one of them is NaN."""
    return x.union(y) if x.is_finite() and y.is_finite() else NAN


def ipow(x: arb, n: int) -> arb:
    """Return a power with an integer exponent n >= 2, sharp also on balls around 0."""
    if x.is_exact() or n > 400:
        return _exact_power(x, n)
    if n == 2:
        plain = x * x
        if plain > ZERO:
            return plain
        low, high = x.abs_lower(), x.abs_upper()
        return (low * low).union(high * high)
    if n % 2 == 0:
        low, high = x.abs_lower(), x.abs_upper()
    else:
        low, high = x.lower(), x.upper()
    return hull(_exact_power(low, n), _exact_power(high, n))


def _exact_power(x: arb, n: int) -> arb:
    if n <= 400:
        result = ONE
        while n:
            if n & 1:
                result = result * x
            n >>= 1
            if n:
                x = x * x
        return result
    # exp(n log |x|): a library power with a huge exponent cannot be interrupted
    if x.is_zero():
        return ZERO
    size = (abs(x).log() * n).exp()
    if x > ZERO:
        return size
    if x < ZERO:
        return -size if n % 2 else size
    top = (x.abs_upper().log() * n).exp()
    return hull(top, -top if n % 2 else ZERO)


def root(x: arb, q: fmpq) -> arb:
    """Return a power with a rational exponent q > 0 that is no integer, for x >= 0."""
    if x.is_zero():
        return ZERO
    if not x > ZERO:
        return NAN
    if q.q == 2 and q.p == 1:
        return x.sqrt()
    if q.p <= 400 and q.q <= 64:
        y = x.sqrt() if q.q == 2 else x.root(int(q.q))
        return y if q.p == 1 else ipow(y, int(q.p))
    return (x.log() * arb(q)).exp()


def power(b: arb, e: arb) -> arb:
    """Return a power: base > 0, or base >= 0 and exponent > 0, or an exact integer exponent."""
    if e.is_exact() and e.is_integer():
        n = as_int(e)
        if n == 0:
            return ONE if b.is_finite() else NAN  # 0^0 is 1
        if n > 0:
            return b if n == 1 else ipow(b, n)
        return finite(ONE / (b if n == -1 else ipow(b, -n)))
    if b > ZERO:
        return (b.log() * e).exp()
    if b.is_zero() and e > ZERO:
        return ZERO
    return NAN


def _absolute(x: arb) -> arb:
    if x.is_exact():
        return abs(x)
    return x.abs_lower().union(x.abs_upper()) if x.is_finite() else NAN


def _increasing(function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """Enclose a monotone function on a ball by the hull of its values at both ends."""

    def on_ball(x: arb) -> arb:
        # a narrow ball loses next to nothing in the library's own propagation of errors
        if x.is_exact() or x.rad() < _NARROW:
            return finite(function(x))
        if not x.is_finite():
            return NAN
        # digits far below the width of the ball are of no use, and cost time
        low, high = x.lower(), x.upper()
        with ctx.workprec(32):
            return hull(function(low), function(high))

    return on_ball


def _where(inside: Callable[[arb], bool], function: Callable[[arb], arb]) -> Callable[[arb], arb]:
    """Restrict a function to the balls that lie in its domain."""
    return lambda x: function(x) if inside(x) else NAN


def _cosh(x: arb) -> arb:
    if x.is_exact():
        return x.cosh()
    return hull(x.abs_lower().cosh(), x.abs_upper().cosh()) if x.is_finite() else NAN


def _inside(x: arb) -> bool:
    return x > -ONE and x < ONE


def _inside_or_at_an_end(x: arb) -> bool:
    return x >= -ONE and x <= ONE


_digamma_above = _increasing(arb.digamma)


def _digamma(x: arb) -> arb:
    return _digamma_above(x) if x > ZERO else finite(x.digamma())


def _polygamma(x: arb, n: int) -> arb:
    """Return the n-th derivative of digamma, monotone above 0; NaN below, where it has poles."""
    if not x > ZERO:
        return NAN
    if x.is_exact():
        return _polygamma_end(x, n)
    return hull(_polygamma_end(x.lower(), n), _polygamma_end(x.upper(), n))


def _polygamma_end(x: arb, n: int) -> arb:
    # (-1)^(n+1) n! zeta(n+1, x)
    value = arb(n + 1).zeta(x) * fmpz.fac_ui(fmpz(n))
    return finite(value if n % 2 else -value)


# Gamma falls before this point and grows after it.
_LEAST = (arb("1.46163214496836"), arb("1.46163214496837"))
_LEAST_GAMMA = arb("0.8856031944108887", "1e-15")
_LEAST_LOGGAMMA = arb("-0.1214862905358496", "1e-15")


def _valley(x: arb, function: Callable[[arb], arb], least: arb) -> arb:
    low, high = x.lower(), x.upper()
    ends = hull(function(low), function(high))
    if low > _LEAST[1] or high < _LEAST[0]:
        return ends
    return hull(ends, least)


def _gamma(x: arb) -> arb:
    if x.is_exact() or not x > ZERO:
        return finite(x.gamma())
    return _valley(x, arb.gamma, _LEAST_GAMMA)


def _loggamma(x: arb) -> arb:
    if not x > ZERO:
        return NAN
    if x.is_exact():
        return finite(x.lgamma())
    return _valley(x, arb.lgamma, _LEAST_LOGGAMMA)


def beta(a: arb, b: arb) -> arb:
    """Return Gamma(a) Gamma(b) / Gamma(a+b) for a, b > 0."""
    if not (a > ZERO and b > ZERO):
        return NAN
    if a.is_exact() and b.is_exact():
        return finite(a.gamma() * b.gamma() * (a + b).rgamma())
    # decreasing in both arguments
    a0, b0, a1, b1 = a.lower(), b.lower(), a.upper(), b.upper()
    return hull(
        a0.gamma() * b0.gamma() * (a0 + b0).rgamma(), a1.gamma() * b1.gamma() * (a1 + b1).rgamma()
    )


def binomial(n: arb, k: arb) -> arb:
    """Return Gamma(n+1) / (Gamma(k+1) Gamma(n-k+1)) for n >= 0 and k >= 0."""
    if not (n > -ONE and k > -ONE):
        return NAN
    rest = n - k + ONE
    return finite(_gamma(n + ONE) * (k + ONE).rgamma() * rest.rgamma())


def _lowergamma(a: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) e^(-t) from 0 to x, for x >= 0."""
    if not (x >= ZERO and a > ZERO and x.is_finite()):
        return NAN
    if a.is_exact() and x.is_exact():
        return _lower(a, x)
    a0, a1, x0, x1 = a.lower(), a.upper(), x.lower(), x.upper()
    # below t = 1 the integrand falls with a, above it grows
    least = _lower(a1, x0) if x0 <= ONE else _lower(a1, ONE) + _lower(a0, x0) - _lower(a0, ONE)
    most = _lower(a0, x1) if x1 <= ONE else _lower(a0, ONE) + _lower(a1, x1) - _lower(a1, ONE)
    return hull(least, most)


def _lower(a: arb, x: arb) -> arb:
    if x.is_zero():
        return ZERO
    if a <= 50 or x <= 50:
        return finite(x.gamma_lower(a))
    # FLINT takes seconds where both are large
    if x > a:
        return finite(a.gamma() - x.gamma_upper(a))
    total, rest = _positive_series(lambda n: x / (a + 1 + n), ZERO)
    return finite((a * x.log() - x).exp() / a * (total + hull(ZERO, rest)))


def _positive_series(ratio: Callable[[int], arb], limit: arb) -> tuple[arb, arb]:
    """Sum 1 + r_0 + r_0 r_1 + ... with ratios that tend to `limit` from one side.

    Returns the sum of the terms taken and a bound on the rest; not a number where they are many.
    """
    term = total = ONE
    small = arb(2) ** -ctx.prec
    for n in range(20_000):
        by = ratio(n)
        term = term * by
        total = total + term
        if term < small * total:
            largest = maximum(by, limit)
            rest = term * largest / (ONE - largest)
            return (total, rest) if rest >= ZERO else (NAN, NAN)
    return NAN, NAN


def _uppergamma(a: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) e^(-t) from x on, for x >= 0."""
    if not (x >= ZERO and a.is_finite() and x.is_finite() and (x > ZERO or a > ZERO)):
        return NAN
    if a.is_exact() and x.is_exact():
        return _upper(a, x)
    a0, a1, x0, x1 = a.lower(), a.upper(), x.lower(), x.upper()
    least = _upper(a0, x1) if x1 >= ONE else _upper(a1, x1) - _upper(a1, ONE) + _upper(a0, ONE)
    most = _upper(a1, x0) if x0 >= ONE else _upper(a0, x0) - _upper(a0, ONE) + _upper(a1, ONE)
    return hull(least, most)


def _upper(a: arb, x: arb) -> arb:
    return finite(a.gamma() if x.is_zero() else x.gamma_upper(a))


def _betainc(a: arb, b: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) (1-t)^(b-1) from 0 to x, for x in [0, 1]."""
    if not (a > ZERO and b > ZERO and x >= ZERO and x <= ONE):
        return NAN
    if x.is_exact() and a.is_exact() and b.is_exact():
        return _incomplete(a, b, x)
    # the integrand falls with a and with b
    low, high = x.lower(), x.upper()
    return hull(_incomplete(a.upper(), b.upper(), low), _incomplete(a.lower(), b.lower(), high))


def _incomplete(a: arb, b: arb, x: arb) -> arb:
    if x.is_zero():
        return ZERO
    if x == ONE:
        return beta(a, b)
    if a <= 20 and b <= 20:
        return finite(x.beta_lower(a, b))
    # FLINT takes seconds where a parameter is large
    if x * (a + b) > a:
        return finite(beta(a, b) - _beta_series(b, a, ONE - x))
    return _beta_series(a, b, x)


def _beta_series(a: arb, b: arb, x: arb) -> arb:
    """Return the integral of t^(a-1) (1-t)^(b-1) from 0 to x, by a series of positive terms."""
    total, rest = _positive_series(lambda n: (a + b + n) * x / (a + 1 + n), x)
    return finite((a * x.log() + b * (ONE - x).log()).exp() / a * (total + hull(ZERO, rest)))


def _betareg(a: arb, b: arb, x: arb) -> arb:
    """Return the distribution function of the Beta distribution, for x in [0, 1]."""
    if not (a > ZERO and b > ZERO and x >= ZERO and x <= ONE):
        return NAN
    if x.is_exact() and a.is_exact() and b.is_exact():
        return _regularized(a, b, x)
    # the distribution moves to the right as a grows, and to the left as b does
    low, high = x.lower(), x.upper()
    return hull(_regularized(a.upper(), b.lower(), low), _regularized(a.lower(), b.upper(), high))


def _regularized(a: arb, b: arb, x: arb) -> arb:
    if x.is_zero() or x == ONE:
        return x
    if a <= 20 and b <= 20:
        return finite(x.beta_lower(a, b, regularized=True))
    return finite(_incomplete(a, b, x) / beta(a, b))


def maximum(x: arb, y: arb) -> arb:
    """Return the larger of two numbers."""
    return arb.max(x, y) if x.is_finite() and y.is_finite() else NAN


def minimum(x: arb, y: arb) -> arb:
    """Return the smaller of two numbers."""
    return arb.min(x, y) if x.is_finite() and y.is_finite() else NAN


def sign(x: arb) -> arb:
    """Return the sign; [-1, 1] where it is not certain."""
    if x > ZERO:
        return ONE
    if x < ZERO:
        return -ONE
    if x.is_zero():
        return ZERO
    return _SIGNS if x.is_finite() else NAN


# --- conditions: True, False, or None when a ball does not say --------------------------------


def _gt(x: arb, y: arb) -> bool | None:
    return True if x > y else False if x <= y else None


def _ge(x: arb, y: arb) -> bool | None:
    return negation(_gt(y, x))


def _eq(x: arb, y: arb) -> bool | None:
    if x > y or x < y:
        return False
    return True if x.is_exact() and y.is_exact() and x == y else None


def negation(x: bool | None) -> bool | None:
    """Return the three-valued `not`."""
    return None if x is None else not x


def conjunction(x: bool | None, y: bool | None) -> bool | None:
    """Return the three-valued `and`."""
    if x is False or y is False:
        return False
    return True if x and y else None


def disjunction(x: bool | None, y: bool | None) -> bool | None:
    """Return the three-valued `or`."""
    if x or y:
        return True
    return False if x is False and y is False else None


def _piecewise(*parts: Any) -> arb:
    """Return the value of the first branch that holds, or the hull of those that may hold."""
    result = None
    for condition, value in zip(parts[::2], parts[1::2], strict=True):
        if condition is False:
            continue
        result = value if result is None else hull(result, value)
        if condition is True:
            return result
    return NAN


def _loop(low: arb, high: arb, *arguments: arb, body: Loop) -> arb:
    """Compute a sum or product whose ends are exact integers, at most 300 terms."""
    if not (low.is_exact() and high.is_exact() and low.is_integer() and high.is_integer()):
        return NAN
    first, last = as_int(low), as_int(high)
    if last < first - 1 or last - first >= 300:
        return NAN
    program = _body_program(body)
    total = ONE if body.product else ZERO
    for k in range(first, last + 1):
        (term,) = program.run(arb(k), *arguments)
        total = total * term if body.product else total + term
    return total


@lru_cache(maxsize=200)
def _body_program(body: Loop) -> ArbProgram:
    return ArbProgram.of(body.tape)


FUNCTIONS: dict[str, Any] = {
    "one": lambda x: ONE if x.is_finite() else NAN,
    "ipow": ipow,
    "rpow": root,
    "pow": power,
    "exp": arb.exp,
    "log": _where(lambda x: x > ZERO, arb.log),
    "erf": _increasing(arb.erf),
    "erfc": _increasing(arb.erfc),
    "erfi": _increasing(arb.erfi),
    "erfinv": _where(_inside, _increasing(arb.erfinv)),
    "gamma": _gamma,
    "loggamma": _loggamma,
    "digamma": _digamma,
    "polygamma": _polygamma,
    "factorial": _where(lambda x: x > -ONE, lambda x: _gamma(x + ONE)),
    "sinh": _increasing(arb.sinh),
    "cosh": _cosh,
    "tanh": _increasing(arb.tanh),
    "coth": _where(lambda x: x > ZERO or x < ZERO, _increasing(arb.coth)),
    "asinh": _increasing(arb.asinh),
    "acosh": _where(lambda x: x >= ONE, _increasing(arb.acosh)),
    "atanh": _where(_inside, _increasing(arb.atanh)),
    "sin": arb.sin,
    "cos": arb.cos,
    "tan": lambda x: finite(x.tan()),
    "asin": _where(_inside_or_at_an_end, _increasing(arb.asin)),
    "acos": _where(_inside_or_at_an_end, _increasing(arb.acos)),
    "atan": arb.atan,
    "abs": _absolute,
    "sign": sign,
    "floor": arb.floor,
    "ceiling": arb.ceil,
    "beta": beta,
    "lowergamma": _lowergamma,
    "uppergamma": _uppergamma,
    "binomial": binomial,
    "betainc": _betainc,
    "betareg": _betareg,
    "max": maximum,
    "min": minimum,
    "where_nonnegative": lambda n, value: value if n >= ZERO else NAN,
    "gt": _gt,
    "ge": _ge,
    "lt": lambda x, y: _gt(y, x),
    "le": lambda x, y: _ge(y, x),
    "eq": _eq,
    "ne": lambda x, y: negation(_eq(x, y)),
    "not": negation,
    "and": conjunction,
    "or": disjunction,
    "piecewise": _piecewise,
    "loop": _loop,
}
NAMED: dict[str, Callable[[], arb]] = {
    "pi": arb.pi,
    "e": arb.const_e,
    "euler": arb.const_euler,
    "catalan": arb.const_catalan,
}
INFIX = {"mul": "*", "div": "/", "add": "+"}


class ArbProgram:
    """Represent expressions as a straight-line program on Arb balls.

    Constants are kept exactly and become balls at the precision of each call.

    Parameters
    ----------
    expressions : tuple of Expr
        Sympy expressions, evaluated or as written.
    symbols : tuple of Symbol
        The order of the arguments.

    Raises
    ------
    CannotCompile
        When an expression holds something that the compiler does not know.
    """

    def __init__(self, expressions: Sequence[Expr], symbols: Sequence[Symbol]) -> None:
        self._build(tape_of(tuple(expressions), tuple(symbols)))

    @classmethod
    def of(cls, tape: Tape) -> ArbProgram:
        """Compile a tape."""
        program = cls.__new__(cls)
        program._build(tape)
        return program

    def _build(self, tape: Tape) -> None:
        self.tape = tape
        self.source, statics = _python(tape)
        space: dict[str, Any] = {f"F_{key}": function for key, function in FUNCTIONS.items()}
        space.update(statics)
        space.update({f"N_{key}": function for key, function in NAMED.items()})
        space.update(NAN=NAN, arb=arb)
        # the source is made of the whitelisted steps of the tape only: no text of a user in it
        exec(self.source, space)
        self._function, self._make = space["program"], space["constants"]
        self._constants: dict[int, tuple[arb, ...]] = {}

    def __call__(self, *values: arb, prec: int | None = None) -> tuple[arb, ...]:
        """Evaluate on balls, in the order of the symbols, at a precision in bits."""
        with ctx.workprec(prec or ctx.prec):
            return self.run(*values)

    def run(self, *values: arb) -> tuple[arb, ...]:
        """Evaluate at the precision in force."""
        constants = self._constants.get(ctx.prec)
        if constants is None:
            constants = self._constants[ctx.prec] = self._make()
        return self._function(constants, *values)


def _python(tape: Tape) -> tuple[str, dict[str, Any]]:
    """Write the steps that the outputs need as Python source.

    Steps that depend on no input go into a function of their own, called once per precision.
    """
    needed = tape.needed()
    statics: dict[str, Any] = {}
    names: dict[int, str] = {}
    constant: set[int] = set()
    before, lines, kept = [], [], []
    for place, step in enumerate(tape.steps):
        if step.op == "input":
            names[place] = f"x{step.static}"
            continue
        if place not in needed:
            continue
        name = names[place] = f"t{place}"
        text = _text(step, place, [names[arg] for arg in step.args], statics)
        if all(arg in constant for arg in step.args):
            constant.add(place)
            before.append(f"    {name} = {text}")
        else:
            lines.append(f"    {name} = {text}")
            kept += [names[arg] for arg in step.args if arg in constant]
    kept += [names[place] for place in tape.outputs if place in constant]
    kept = list(dict.fromkeys(kept))
    listed = "".join(f"{name}, " for name in kept)
    if kept:
        lines.insert(0, f"    {listed}= c")
    arguments = "".join(f", x{i}" for i in range(len(tape.inputs)))
    back = "".join(f"{names[place]}, " for place in tape.outputs)
    parts = ["def constants():", *before, f"    return ({listed})"]
    parts += [f"def program(c{arguments}):", *lines, f"    return ({back})", ""]
    return "\n".join(parts), statics


def _text(step: Step, place: int, args: list[str], statics: dict[str, Any]) -> str:
    op = step.op
    if op == "const":
        statics[f"s{place}"] = step.static.value
        return f"arb(s{place})"
    if op == "named":
        return f"N_{step.static}()"
    if op in INFIX:
        return f" {INFIX[op]} ".join(args)
    if op == "neg":
        return f"-{args[0]}"
    if op in AT_POINTS:
        return "NAN"
    if op == "truth":
        return str(bool(step.static))
    if op == "loop":
        statics[f"s{place}"] = step.static.value
        return f"F_loop({', '.join(args)}, body=s{place})"
    if op in ("ipow", "polygamma"):
        args = [*args, str(int(step.static))]
    elif op == "rpow":
        statics[f"s{place}"] = step.static.value
        args = [*args, f"s{place}"]
    return f"F_{op}({', '.join(args)})"
