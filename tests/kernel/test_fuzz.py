"""Random terms: the normal form, the signs and the intervals against values of mpmath."""

import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import parse_formula
from dpbook.kernel.normal.atoms import NEGATIVE, NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, CHOICES, parse_term

SORTS = (("x", "real"), ("y", "real"), ("n", "integer"))
GIVEN = ["x > 0", "x >= 0", "x < 0", "x != 0", "x <= 0", "y > 0", "y >= 1", "y < 0", "y != 0",
         "y <= -1", "n >= 0", "n > 0", "n >= 2", "n <= 0", "n != 0", "x*y > 0", "x*y >= 0",
         "x - y > 0", "x >= y", "x + y > 0", "x < 1", "y < 2", "x*y == 1", "x == y", "x^2*y > 0",
         "x + n >= 0", "x/y > 0", "1/x < 2", "y^2 > 1", "abs(x) <= 1"]  # fmt: skip
EXPONENTS = ["2", "3", "0", "(-1)", "(-2)", "(1/2)", "(-1/2)", "(3/2)", "(1/3)", "n", "(n + 1)",
             "(2*n)", "(-n)", "(n - 2)", "y", "x"]  # fmt: skip
FUNCTIONS = ["exp", "log", "abs", "sign", "floor", "ceiling", "sin", "cos", "tanh", "sinh", "gamma",
             "loggamma", "digamma", "erf", "erfc", "atan", "factorial", "cosh"]  # fmt: skip


class Undefined(Exception):
    """A value of which the kernel knows nothing, or that is too large to compare."""


def written(r, depth, bound=()):
    """A random term as text; `bound` are variables that binders around it bind."""
    if depth == 0 or r.random() < 0.12:
        return r.choice(["x", "y", "n", "1", "2", "(-1)", "(1/2)", "0", "3", *bound, *bound])
    kind = r.randrange(13)

    def part():
        return written(r, depth - 1, bound)

    if kind < 3:
        return f"({part()} {r.choice('+-')} {part()})"
    if kind < 5:
        return f"({part()}*{part()})"
    if kind == 5:
        return f"({part()}/({part()}))"
    if kind < 9:
        return f"(({part()})^{r.choice(EXPONENTS)})"
    if kind == 9:
        name = r.choice(["max", "min", "binomial", "beta", "polygamma"])
        return f"{name}({part()}, {part()})"
    if kind == 10:
        name, ends = r.choice("kxn"), r.choice(["1, 3", "0, 2", "1, n", "n, 2", "0, -1", "2, 0"])
        head = r.choice(["sum", "sum", "product"])
        return f"{head}({written(r, depth - 1, (*bound, name))}, {name}, {ends})"
    if kind == 11:
        name = r.choice(list(CHOICES))
        return f"{name}({part()}, {part()}, {part()}, {part()})"
    return f"{r.choice(FUNCTIONS)}({part()})"


def value(t, at):
    """The value of a term; an unknown one where the kernel says that nothing is known."""
    found = _value(t, at)
    if not mpmath.isfinite(found) or abs(found) > mpf(10) ** 60:
        raise Undefined
    return found


def _value(t, at):
    if t.head == "num":
        return mpf(t.value.numerator) / t.value.denominator
    if t.head == "var":
        return at[t.name]
    if t.head in BINDERS:
        body, low, high = t.args
        first, last = (value(end, at) for end in (low, high))
        parts = [
            value(body, {**at, t.name: mpf(k)})
            for k in range(int(mpmath.ceil(first)), int(mpmath.floor(last)) + 1)
        ]
        return mpmath.fsum(parts) if t.head == "sum" else mpmath.fprod(parts)
    if t.head in CHOICES:
        a, b = value(t.args[0], at), value(t.args[1], at)
        if a != b and abs(a - b) < mpf(10) ** -20:
            raise Undefined  # rounding decides
        yes = {"ifgt": a > b, "ifge": a >= b, "ifeq": a == b}[t.head]
        return value(t.args[2 if yes else 3], at)
    return _applied(t.head, [value(a, at) for a in t.args])


def _needed(*conditions):
    if not all(conditions):
        raise Undefined


def _applied(head, args):
    if head == "pi":
        return +mpmath.pi
    functions = {"add": mpmath.fsum, "mul": mpmath.fprod, "max": max, "min": min}
    if head in functions:
        return functions[head](args)
    a, b = args[0], args[-1]
    whole = b == mpmath.nint(b)
    if head == "pow":
        _needed(abs(b) < 200, a > 0 or (whole and (a != 0 or b >= 0)) or (a == 0 and b > 0))
        _needed(abs(a) > mpf(10) ** -25 or a == 0)
        return mpmath.power(a, int(b)) if whole else mpmath.power(a, b) if a else mpf(0)
    if head in ("floor", "ceiling", "sign", "abs"):
        near = mpmath.nint(a)
        _needed(head == "abs" or a == near or abs(a - near) > mpf(10) ** -20)
        return {"floor": mpmath.floor, "ceiling": mpmath.ceil, "sign": mpmath.sign, "abs": abs}[
            head
        ](a)
    if head in ("log", "gamma", "loggamma", "digamma"):
        _needed(0 < a < 100)
    elif head == "factorial":
        _needed(0 <= a < 60, a == mpmath.nint(a))
    elif head == "binomial":
        _needed(0 <= b <= a < 60)
        return mpmath.gamma(a + 1) / mpmath.gamma(b + 1) / mpmath.gamma(a - b + 1)
    elif head == "beta":
        _needed(0 < a < 60, 0 < b < 60)
    elif head == "polygamma":
        _needed(a in (0, 1, 2, 3), 0 < b < 60)
        return mpmath.polygamma(int(a), b)
    else:
        _needed(abs(a) < 60)
    return getattr(mpmath, head)(*args)


def holds(f, at):
    a, b = value(f.left, at), value(f.right, at)
    return {">": a > b, ">=": a >= b, "<": a < b, "<=": a <= b, "==": a == b, "!=": a != b}[f.op]


def points(r, given, many):
    """Points that satisfy the hypotheses, those at their edges too."""
    edges = [0, 0, 1, -1, 2, Fraction(1, 2), Fraction(-1, 2), -2, 3]
    found = []
    for _ in range(40 * many):
        at = {"n": mpf(r.choice([0, 0, 1, 2, 3, -1, -2, 4]))}
        for name in "xy":
            number = r.choice([*edges, Fraction(r.randrange(-48, 49), 16)])
            at[name] = mpf(number.numerator) / number.denominator
        if "x == y" in map(str, given):
            at["y"] = at["x"]
        try:
            fine = all(holds(f, at) for f in given)
        except Undefined:
            continue
        if fine:
            found.append(at)
        if len(found) == many:
            break
    return found


def compare(seed):
    """Compare one random term with its normal form; returns how many points were compared."""
    r = random.Random(seed)
    given = [parse_formula(g) for g in r.sample(GIVEN, r.randrange(5))]
    if any("x*y == 1" in str(f) for f in given):
        given = [f for f in given if str(f) != "x == y"]
    text = written(r, r.choice([2, 3, 3, 4]))
    t = parse_term(text)
    where = points(r, given, 6)
    if not where:
        return 0
    facts = Facts(SORTS, given[:-1]).extended(SORTS, given[-1]) if given else Facts(SORTS, [])
    try:
        p = facts.poly(t)
        canonical = facts.canonical(p)
        sign, interval = facts.sign(p), facts.interval(p)
        shown = facts.term(canonical)
        whole = facts.is_whole(p)
    except (Rejected, ValueError):
        return 0
    count = 0
    story = f"{seed}: {text} given {'; '.join(map(str, given))}: {shown}"
    for at in where:
        try:
            mine, theirs = value(t, at), value(shown, at)
        except Undefined:
            continue
        except (ValueError, ZeroDivisionError):
            continue
        count += 1
        size = 1 + abs(mine)
        assert abs(mine - theirs) < mpf(10) ** -15 * size, (story, at, mine, theirs)
        if abs(mine) > mpf(10) ** -20:
            assert sign & (POSITIVE if mine > 0 else NEGATIVE), (story, at, mine, sign)
        elif mine == 0:
            assert sign & NULL, (story, at, mine, sign)
        slack = mpf(10) ** -15 * size
        low, high = interval.low, interval.high
        assert low is None or mpf(low.numerator) / low.denominator <= mine + slack, (story, at)
        assert high is None or mpf(high.numerator) / high.denominator >= mine - slack, (story, at)
        assert not whole or abs(mine - mpmath.nint(mine)) < slack, (story, at, mine)
    return count


@pytest.mark.parametrize("start", range(0, 3000, 500))
def test_normal_forms_signs_and_intervals_hold_at_random_points(start):
    with mpmath.workdps(50):
        compared = sum(compare(seed) for seed in range(start, start + 500))
    assert compared > 500
