"""Evaluate sequents at random points in floating point, only to drop clearly false goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later
from dpbook.engine.language.functions import FUNCTIONS
from dpbook.kernel.formulas import All, And, Formula, Is, Or, Relation, Sequent
from dpbook.kernel.normal.atoms import ALLOWED
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, Term, subterms, var

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]
    Pair = tuple[Vector, Vector]  # values, and bounds of their rounding errors


TRIED = 600  # points for one sequent, of which those that meet the hypotheses are kept
KEPT = 48
LONGEST = 60  # terms of a sum
EPSILON = 2.0**-51

special = Later("scipy.special")


def _named(module: Any, name: str) -> Callable[[Vector], Vector]:
    return lambda u: np.asarray(getattr(module, name)(u))


def _one_over(name: str) -> Callable[[Vector], Vector]:
    return lambda u: 1 / getattr(np, name)(u)


STEPS = {name: _named(np, FUNCTIONS[name].numpy) for name in ("floor", "ceiling", "sign")}
ONE_ARGUMENT: dict[str, Callable[[Vector], Vector]] = {
    **{
        name: _named(np, row.numpy) if row.numpy else _named(special, row.scipy)
        for name, row in FUNCTIONS.items()
        if (row.numpy or row.scipy) and row.arguments == 1 and name not in STEPS
    },
    **{n: _one_over(row.inverse_of) for n, row in FUNCTIONS.items() if row.inverse_of},
    "log": _named(np, "log"),
    "atanh": _named(np, "arctanh"),
    "coth": _one_over("tanh"),
    "gamma": lambda u: np.where(u > 0, special.gamma(u), np.nan),
    "loggamma": lambda u: np.where(u > 0, special.gammaln(u), np.nan),
    "digamma": lambda u: np.where(u > 0, special.psi(u), np.nan),
    "factorial": lambda u: np.where((u >= 0) & (u == np.floor(u)), special.gamma(u + 1), np.nan),
}


def evaluate(t: Term, at: Mapping[str, Vector]) -> Pair:
    """Return the values of a term at points, with bounds of their errors; nan where unknown."""
    with np.errstate(all="ignore"):
        return _value(t, at, next(iter(at.values())).shape[0] if at else 1, {})


def _value(t: Term, at: Mapping[str, Vector], n: int, memo: dict[Term, Pair]) -> Pair:
    if t not in memo:
        memo[t] = _new_value(t, at, n, memo)
    return memo[t]


def _new_value(t: Term, at: Mapping[str, Vector], n: int, memo: dict[Term, Pair]) -> Pair:
    unknown = np.full(n, np.nan), np.zeros(n)
    if t.head == "num":
        try:
            value = float(t.value)
        except OverflowError:
            return unknown
        exact = value == t.value  # else a whole exponent would look like a root
        return np.full(n, value), np.full(n, 0.0 if exact else abs(value) * EPSILON)
    if t.head == "var":
        return (at[t.name], np.zeros(n)) if t.name in at else unknown
    if t.head in ("pi", "EulerGamma"):
        return np.full(n, np.pi if t.head == "pi" else np.euler_gamma), np.full(n, EPSILON)
    if t.head in BINDERS:
        return _bound(t, at, n, memo)
    parts = [_value(a, at, n, memo) for a in t.args]
    if t.head == "add":
        total = sum((v for v, _ in parts), np.zeros(n))
        size = sum((np.abs(v) for v, _ in parts), np.zeros(n))
        return total, sum((e for _, e in parts), np.zeros(n)) + EPSILON * size
    if t.head == "mul":
        product, error = parts[0]
        for v, e in parts[1:]:
            error = np.abs(product) * e + np.abs(v) * error + EPSILON * np.abs(product * v)
            product = product * v
        return product, error
    if t.head in ("max", "min"):
        stacked = np.stack([v for v, _ in parts])
        pick = np.max if t.head == "max" else np.min
        return pick(stacked, axis=0), np.max(np.stack([e for _, e in parts]), axis=0)
    if t.head in ("ifgt", "ifge", "ifeq"):
        (a, d), (b, e), (x, dx), (y, dy) = parts
        yes = {"ifgt": a > b, "ifge": a >= b, "ifeq": a == b}[t.head]
        close = np.abs(a - b) <= d + e if t.head != "ifeq" else np.zeros(n, dtype=bool)
        close &= (d + e) > 0
        return np.where(close, np.nan, np.where(yes, x, y)), np.where(yes, dx, dy)
    if t.head == "pow":
        exponent = t.args[1]
        if exponent.head == "num" and exponent.value.denominator == 1:
            parts[1] = (parts[1][0], np.zeros(n))  # else a negative base has no power nearby
        return _shaken(_power, parts)
    if t.head in STEPS:
        (u, e) = parts[0]
        low, high = STEPS[t.head](u - e), STEPS[t.head](u + e)
        return np.where(low == high, low, np.nan), np.zeros(n)
    if t.head in ONE_ARGUMENT:
        one = ONE_ARGUMENT[t.head]
        return _shaken(lambda a: one(a[0]), parts)
    if t.head == "binomial":
        return _shaken(lambda a: special.binom(a[0], a[1]), parts)
    if t.head == "beta":
        return _shaken(lambda a: np.exp(special.betaln(a[0], a[1])), parts)
    if t.head == "polygamma":
        return _shaken(lambda a: np.asarray(special.polygamma(a[0].astype(int), a[1])), parts)
    return unknown


def _power(a: list[Vector]) -> Vector:
    base, exponent = a
    whole = exponent == np.floor(exponent)
    value = np.where((base > 0) | whole, np.power(base, exponent), np.nan)
    value = np.where((base == 0) & (exponent > 0), 0.0, value)
    return np.where((base == 0) & (exponent < 0), np.nan, value)


def _shaken(f: Callable[[list[Vector]], Vector], parts: list[Pair]) -> Pair:
    """Evaluate, and take from nearby arguments how far the value may be off."""
    values = [v for v, _ in parts]
    result = np.asarray(f(values), dtype=float)
    error = 4 * EPSILON * np.abs(result)
    for i, (v, e) in enumerate(parts):
        if np.any(e > 0):
            for moved in (v - e, v + e):
                near = np.asarray(f([*values[:i], moved, *values[i + 1 :]]), dtype=float)
                error = error + np.where(np.isfinite(near), np.abs(near - result), np.abs(result))
    return result, error


def _bound(t: Term, at: Mapping[str, Vector], n: int, memo: dict[Term, Pair]) -> Pair:
    unknown = np.full(n, np.nan), np.zeros(n)
    body, low, high = t.args
    if t.head == "integral" or "oo" in (low.head, high.head):
        return unknown
    (a, d), (b, e) = _value(low, at, n, memo), _value(high, at, n, memo)
    a, b = np.where(np.abs(a - np.round(a)) <= d + 1e-9, np.round(a), np.nan), np.round(b + e * 0)
    lengths = b - a + 1
    if not np.any(lengths <= LONGEST):
        return unknown
    most = int(np.nanmax(np.where(lengths <= LONGEST, lengths, 0)))
    total = np.zeros(n) if t.head == "sum" else np.ones(n)
    error = np.zeros(n)
    for k in range(most):
        v, e = _value(body, {**at, t.name: a + k}, n, {})
        here = k < lengths
        if t.head == "sum":
            error = error + np.where(here, e + EPSILON * np.abs(v), 0)
            total = total + np.where(here, v, 0)
        else:
            error = np.where(here, error * np.abs(v) + np.abs(total) * e, error)
            total = np.where(here, total * v, total)
    return np.where((lengths >= 0) & (lengths <= LONGEST), total, np.nan), error


# --- formulas -------------------------------------------------------------------------------------


def holds(f: Formula, at: Mapping[str, Vector]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return where a formula clearly holds, and where it is clearly false."""
    n = next(iter(at.values())).shape[0] if at else 1
    unknown = np.zeros(n, dtype=bool)
    if isinstance(f, Relation):
        (a, d), (b, e) = evaluate(f.left, at), evaluate(f.right, at)
        with np.errstate(all="ignore"):
            gap = a - b
            slack = 8 * (d + e) + 4 * EPSILON * (np.abs(a) + np.abs(b))
            above, below = gap > slack, gap < -slack
            exact = (gap == 0) & (d + e <= 0)
        return {
            ">": (above, below | exact),
            ">=": (above | exact, below),
            "<": (below, above | exact),
            "<=": (below | exact, above),
            "==": (exact, above | below),
            "!=": (above | below, exact),
        }[f.op]
    if isinstance(f, (And, Or)):
        parts = [holds(p, at) for p in f.parts]
        yes, no = (np.stack([p[i] for p in parts]) for i in (0, 1))
        if isinstance(f, And):
            return np.all(yes, axis=0), np.any(no, axis=0)
        return np.any(yes, axis=0), np.all(no, axis=0)
    if isinstance(f, Is) and f.what == "integer":
        v, e = evaluate(f.term, at)
        with np.errstate(all="ignore"):
            return np.zeros(n, dtype=bool), np.abs(v - np.round(v)) > 8 * e + 1e-9
    return unknown, unknown


class Sample:
    """Hold points at which the hypotheses of a sequent hold, as far as floating point can tell."""

    def __init__(self, s: Sequent, facts: Facts) -> None:
        self.at: dict[str, Vector] = {}
        self.count = 0
        if not s.variables:
            relations = [h for h in s.hypotheses if isinstance(h, Relation)]
            self.count = int(not any(holds(h, {})[1][0] for h in relations))
            return
        if not s.functions and any(isinstance(h, All) for h in s.hypotheses):
            return  # no point shows that it holds for all values
        drawn = _drawn(s, facts)
        fine = np.ones(TRIED, dtype=bool)
        for h in s.hypotheses:
            if isinstance(h, Is) and h.what == "defined":
                fine &= np.isfinite(evaluate(h.term, drawn)[0])
            elif not isinstance(h, (All, Is)):
                yes, no = holds(h, drawn)
                # a hypothesis must surely hold, but an equality can only be not clearly false
                fine &= ~no if isinstance(h, Relation) and h.op == "==" else yes
        places = np.flatnonzero(fine)[:KEPT]
        self.at = {v: x[places] for v, x in drawn.items()}
        self.count = len(places)

    def refutes(self, f: Formula) -> bool:
        """Say whether a formula is clearly false at a point."""
        return self.count > 0 and bool(np.any(holds(f, self.at)[1]))

    def values(self, t: Term) -> Vector:
        """Return the values of a term."""
        return evaluate(t, self.at)[0]


def _drawn(s: Sequent, facts: Facts) -> dict[str, Vector]:
    """Draw each variable between the bounds that hypotheses give in the ones drawn before."""
    rng = np.random.default_rng(20)
    sides: dict[str, list[tuple[str, Term]]] = {n: [] for n, _ in s.variables}
    flip = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
    listed = dict(filter(None, map(_listed, s.hypotheses)))
    for h in (h for h in s.hypotheses if isinstance(h, Relation) and h.op != "!="):
        for here, there, op in ((h.left, h.right, h.op), (h.right, h.left, flip[h.op])):
            if here.head == "var" and here.name not in there.free and here.name in sides:
                sides[here.name].append((op, there))
    drawn: dict[str, Vector] = {}
    waiting = dict(s.variables)

    def waits(name: str) -> int:
        """Return how many bounds wait for other variables; an equality that does not comes first."""
        open_ = [not waiting.keys().isdisjoint(t.free) for _, t in sides[name]]
        given = any(op == "==" and not o for (op, _), o in zip(sides[name], open_, strict=True))
        return sum(open_) - 3 * given

    while waiting:
        name = min(waiting, key=waits)
        sort = waiting.pop(name)
        own = facts.interval(facts.poly(var(name)))
        low = np.full(TRIED, -np.inf if own.low is None else _float(own.low))
        high = np.full(TRIED, np.inf if own.high is None else _float(own.high))
        fixed = None
        for op, t in sides[name]:
            if not waiting.keys().isdisjoint(t.free):
                continue
            v = evaluate(t, drawn)[0] if drawn or not t.free else np.full(TRIED, np.nan)
            v = np.broadcast_to(v, (TRIED,))
            with np.errstate(all="ignore"):
                if op in (">", ">="):
                    low = np.fmax(low, v)
                elif op in ("<", "<="):
                    high = np.fmin(high, v)
                else:
                    fixed = v
        value = _between(low, high, rng)
        if name in listed:
            value = rng.choice([evaluate(t, {})[0][0] for t in listed[name]], TRIED)
        if sort == "integer":
            whole = np.round(value)
            whole = np.where(whole < low, np.ceil(low), whole)
            value = np.where(whole > high, np.floor(high), whole)
        drawn[name] = np.array(fixed if fixed is not None else value)
    return drawn


def _listed(h: Formula) -> tuple[str, list[Term]] | None:
    """Return a variable and its values, where a hypothesis lists them: 0 or 1, of an event."""
    if not isinstance(h, Or):
        return None
    parts = [p for p in h.parts if isinstance(p, Relation) and p.op == "==" and not p.right.free]
    sides = {p.left for p in parts}
    listed = len(parts) == len(h.parts) and len(sides) == 1 and parts[0].left.head == "var"
    return (parts[0].left.name, [p.right for p in parts]) if listed else None


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _between(low: Vector, high: Vector, rng: np.random.Generator) -> Vector:
    n = low.shape[0]
    u, kind = rng.random(n), rng.integers(0, 4, n)
    far = np.exp(rng.normal(0, 1.5, n))
    with np.errstate(all="ignore"):
        width = high - low
        near = np.where(kind == 0, u**4, np.where(kind == 1, 1 - u**4, u))
        both = low + width * np.clip(near, 1e-6, 1 - 1e-6)
        up = low + np.where(kind == 0, 0.05, 1.0) * far * np.maximum(1, np.abs(low) * (kind == 3))
        down = high - np.where(kind == 0, 0.05, 1.0) * far
        free = np.where(u < 0.5, -1, 1) * far
        value = np.where(np.isfinite(low), up, np.where(np.isfinite(high), down, free))
        value = np.where(np.isfinite(low) & np.isfinite(high), both, value)
        # some round values, where they lie between
        plain = np.round(value)
        return np.where((kind == 2) & (plain > low) & (plain < high) & (u < 0.3), plain, value)


@lru_cache(maxsize=2000)
def _sample_of(variables: object, hypotheses: object) -> list[Sample]:
    return []


def sample(s: Sequent, facts: Facts) -> Sample:
    """Return points of a sequent; the same for the same variables and hypotheses."""
    kept = _sample_of(s.variables, s.hypotheses)
    if not kept:
        kept.append(Sample(s, facts))
    return kept[0]


def refuted(s: Sequent, facts: Facts) -> bool:
    """Say whether a goal is clearly false at a point where the hypotheses hold."""
    return sample(s, facts).refutes(s.goal)


def hopeless(s: Sequent, facts: Facts) -> bool:
    """Say whether a goal is clearly false, or contains a number that is undefined."""
    found = sample(s, facts)
    if not found.count or not isinstance(s.goal, Relation):
        return found.refutes(s.goal)
    if found.refutes(s.goal):
        return True
    p, op = facts.literal(s.goal)
    parts = (part for t in (s.goal.left, s.goal.right) for part in subterms(t))
    return facts.sign(p) & ALLOWED[op] == 0 or any(map(_undefined, parts))


def _undefined(t: Term) -> bool:
    """Say whether a power or a logarithm of a number is undefined."""
    evaluable = {*ONE_ARGUMENT, "num", "add", "mul", "pow", "pi"}
    if t.head not in ("log", "pow") or t.free or any(p.head not in evaluable for p in subterms(t)):
        return False
    at = evaluate(t, {})[0][0]
    # a large power only looks infinite
    return bool(np.isnan(at) or (t.head == "log" and not np.isfinite(at)))
