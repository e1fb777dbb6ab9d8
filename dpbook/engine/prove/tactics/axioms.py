"""Choose instances of the kernel's axioms for a goal by the functions and arguments in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product

from dpbook.kernel.formulas import Formula, Relation, parse_formula, put, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.table import AXIOMS, FUNCTIONS
from dpbook.kernel.terms import BINDERS, Term, call, num, power, subterms

SHIFTS = 4  # whole numbers by which exponents differ


@dataclass(frozen=True)
class Instance:
    """Hold an axiom at arguments, with the formulas that it gives there."""

    name: str
    at: tuple[tuple[str, Term], ...]
    formulas: tuple[Formula, ...]
    conditions: tuple[Formula, ...]


@cache
def _shape(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the functions that an axiom is about, each with the parameters that it takes."""
    found: dict[tuple[str, tuple[str, ...]], None] = {}
    entry = AXIOMS[name]
    for source in entry.formulas:
        for t in terms_of(parse_formula(source)):
            here = [t]
            while here:
                part = here.pop()
                here.extend(part.args)
                if _kind(part) and all(a.head == "var" for a in part.args):
                    found[_kind(part), tuple(a.name for a in part.args)] = None
    return tuple(found)


@cache
def heads_of(name: str) -> frozenset[str]:
    """Return the functions in the formulas of an axiom."""
    found = (t for f in formulas_of(name)[0] for t in terms_of(f))
    return frozenset(_kind(part) for t in found for part in subterms(t)) - {""}


def _kind(t: Term) -> str:
    if t.head == "pow":
        return "pow" if t.args[1].head != "num" else ""
    return t.head if t.head in FUNCTIONS else ""


@cache
def rank(name: str) -> int:
    """Return how late an axiom is tried: the simplest axioms come first."""
    return RANKS.get(name, 2)


@cache
def formulas_of(name: str) -> tuple[tuple[Formula, ...], tuple[Formula, ...]]:
    """Return the formulas of an axiom and its conditions."""
    entry = AXIOMS[name]
    return (
        tuple(parse_formula(f) for f in entry.formulas),
        tuple(parse_formula(c) for c in entry.conditions),
    )


def calls_in(formulas: Iterable[Formula]) -> list[Term]:
    """Return the function calls in formulas, outside sums and integrals, the smallest first."""
    found: dict[Term, None] = {}

    def visit(t: Term) -> None:
        if t.head in BINDERS:
            visit(t.args[1])
            visit(t.args[2])
            return
        for a in t.args:
            visit(a)
        if _kind(t):
            found[t] = None
        if t.head == "erfc":  # 1 - erf in the normal form
            found[call("erf", t.args[0])] = None

    for f in formulas:
        for t in terms_of(f):
            visit(t)
    return sorted(found, key=lambda t: (len(str(t)), str(t)))


def at_arguments(name: str, **arguments: Term) -> Instance:
    """Return an axiom at arguments."""
    given, conditions = formulas_of(name)
    return Instance(
        name,
        tuple(arguments.items()),
        tuple(put(f, arguments) for f in given),
        tuple(put(c, arguments) for c in conditions),
    )


def compared_with_exp(formulas: Iterable[Formula]) -> list[Instance]:
    """Return axioms about the logarithm of a term that is compared with an exponential."""
    found: dict[tuple[str, str], Instance] = {}
    given, conditions = formulas_of("exp inverts log")
    for f in formulas:
        if not isinstance(f, Relation):
            continue
        for one, other in ((f.left, f.right), (f.right, f.left)):
            if one.head == "exp" and other.head not in ("num", "exp"):
                at = (("u", one.args[0]), ("v", other))
                made = tuple(put(g, dict(at)) for g in given)
                found[str(one), str(other)] = Instance("exp inverts log", at, made, conditions)
    return list(found.values())


def powers_of_sums(calls: Iterable[Term], facts: Facts) -> list[Instance]:
    """Return u^(v + w) = u^v u^w where all three powers stand, up to whole shifts of an exponent.

    The equation is also returned where u^(v + w) and u^v stand, and w is a small number.
    """
    by_base: dict[Term, list[Term]] = {}
    for t in calls:
        if t.head == "pow" and t.args[1].head != "num" and facts.is_whole(facts.poly(t.args[1])):
            by_base.setdefault(t.args[0], []).append(t.args[1])
    found: list[Instance] = []
    given, conditions = formulas_of("power of a sum")
    for base, exponents in by_base.items():
        polys = [facts.poly(e) for e in exponents[:8]]
        sums: list[tuple[P.Poly, P.Poly]] = []
        for whole, (i, j) in product(range(len(polys)), combinations(range(len(polys)), 2)):
            shift = _whole_gap(P.plus(polys[whole], polys[i], -1), polys[j])
            if whole not in (i, j) and shift is not None:
                first = P.plus(polys[i], P.constant(max(shift, 0)))
                sums.append((first, P.plus(polys[j], P.constant(min(shift, 0)))))
        for one, other in permutations(polys, 2):
            shift = _whole_gap(one, other)
            if shift is not None and shift > 0:
                sums.append((other, P.constant(shift)))
        for first, second in sums:
            if (facts.sign(first) | facts.sign(second)) & NEGATIVE:
                continue
            at = (("u", base), ("v", facts.term(first)), ("w", facts.term(second)))
            values = dict(at)
            found.append(
                Instance(
                    "power of a sum",
                    at,
                    tuple(put(f, values) for f in given),
                    tuple(put(c, values) for c in conditions),
                )
            )
    return found[:12]


def _whole_gap(p: P.Poly, q: P.Poly) -> int | None:
    """Return p - q where the difference is a small integer."""
    rest = P.plus(p, q, -1)
    shift = rest.get((), Fraction(0))
    fine = not set(rest) - {()} and int(shift) == shift and abs(shift) <= SHIFTS
    return int(shift) if fine else None


def instances(calls: Iterable[Term], most: int, limit: int = 160) -> list[Instance]:
    """Return the instances of axioms up to a rank at the calls given."""
    by_kind: dict[str, list[Term]] = {}
    for t in calls:
        by_kind.setdefault(_kind(t), []).append(t)
    for t in by_kind.get("erf", [])[:2] if "exp" in by_kind else []:
        one = call("exp", -power(t.args[0], num(2)))  # erfc is compared with this exponential
        if one not in by_kind["exp"]:
            by_kind["exp"].append(one)
    found: dict[tuple[str, tuple[tuple[str, Term], ...]], Instance] = {}
    for name in sorted(AXIOMS, key=lambda n: (rank(n), n)):
        if rank(name) > most or name == "power of a sum":
            continue
        if not heads_of(name) <= by_kind.keys():
            continue
        for at in _assignments(_shape(name), by_kind):
            values = dict(at)
            given, conditions = formulas_of(name)
            made = Instance(
                name,
                at,
                tuple(put(f, values) for f in given),
                tuple(put(c, values) for c in conditions),
            )
            found.setdefault((name, at), made)
            if len(found) >= limit:
                return list(found.values())
    return list(found.values())


def _assignments(
    shape: tuple[tuple[str, tuple[str, ...]], ...], by_kind: dict[str, list[Term]]
) -> Iterator[tuple[tuple[str, Term], ...]]:
    if not shape or any(kind not in by_kind for kind, _ in shape):
        return
    if len(shape) == 1:
        for t in by_kind[shape[0][0]]:
            yield tuple(sorted(zip(shape[0][1], t.args, strict=True), key=lambda p: p[0]))
        return
    kinds = [kind for kind, _ in shape]
    if len(set(kinds)) == 1:
        choices: Iterable[tuple[Term, ...]] = combinations(by_kind[kinds[0]][:8], len(kinds))
    else:
        choices = _product([by_kind[kind][:8] for kind in kinds])
    for chosen in choices:
        values: dict[str, Term] = {}
        fine = True
        for (_, parameters), t in zip(shape, chosen, strict=True):
            for p, a in zip(parameters, t.args, strict=True):
                fine = fine and values.setdefault(p, a) == a
        if fine:
            yield tuple(sorted(values.items()))


def _product(pools: list[list[Term]]) -> Iterator[tuple[Term, ...]]:
    if not pools:
        yield ()
        return
    for first in pools[0]:
        for rest in _product(pools[1:]):
            yield (first, *rest)


RANKS: dict[str, int] = {
    "absolute value": 0,
    "maximum": 0,
    "minimum": 0,
    "sign": 0,
    "choice, >": 0,
    "choice, >=": 0,
    "choice, ==": 0,
    "exp positive": 0,
    "exp above its tangent": 1,
    "exp below 1/(1-u)": 1,
    "exp sign": 1,
    "erfc below exp(-u^2)": 1,
    "exp strictly above its tangent": 2,
    "exp quadratic": 3,
    "exp rational": 3,
    "exp cubic": 4,
    "exp rational, order 2": 5,
    "log below u-1": 1,
    "log above 1-1/u": 1,
    "log sign": 1,
    "log strictly below u-1": 2,
    "log rational": 3,
    "log below a square root": 4,
    "log rational, order 2": 5,
    "tanh bounded": 0,
    "tanh sign": 1,
    "tanh below its tangent": 3,
    "cosh above 1": 0,
    "cosh quadratic": 1,
    "sinh sign": 1,
    "sinh cubic": 3,
    "log of sinh": 1,
    "coth rational": 1,
    "erf bounded": 0,
    "erf sign": 1,
    "erf cubic": 3,
    "atan bounded": 0,
    "atan sign": 1,
    "atan rational": 3,
    "atan below pi/2": 1,
    "asin + acos = pi/2": 0,
    "acosh inverts cosh": 0,
    "binomial at least 1": 0,
    "sine bounded": 0,
    "sine below its argument": 1,
    "sine cubic": 2,
    "sine quintic": 4,
    "sine positive below pi": 3,
    "cosine bounded": 0,
    "cosine quadratic": 1,
    "cosine quartic": 3,
    "cosine positive below pi/2": 3,
    "gamma positive": 0,
    "gamma near 1": 2,
    "factorial at least 1": 0,
    "floor": 0,
    "ceiling": 0,
    "exp increasing": 1,
    "exp convex": 2,
    "exp rational, two points": 4,
    "log increasing": 1,
    "log concave": 2,
    "log strictly concave": 1,
    "log rational, two points": 4,
    "log rational of order 2, two points": 6,
    "log square root, two points": 5,
    "tanh increasing": 1,
    "sinh increasing": 1,
    "erf increasing": 1,
    "atan increasing": 1,
    "tanh has slope at most 1": 3,
    "atan has slope at most 1": 3,
    "sin has slope at most 1": 3,
    "cos has slope at most 1": 3,
    "floor nondecreasing": 1,
    "ceiling nondecreasing": 1,
    "cosh increasing in |u|": 1,
    "exp of a sum": 3,
    "power positive": 0,
    "power against 1": 1,
    "Bernoulli": 2,
    "Bernoulli, reciprocal": 3,
    "power against its base": 2,
    "power increasing in its base": 2,
    "Bernoulli, two bases": 3,
    "power increasing in both": 3,
    "power monotone in its exponent": 2,
    "sin^2 + cos^2 = 1": 0,
    "cosh^2 - sinh^2 = 1": 0,
    "tanh = sinh/cosh": 1,
    "coth = cosh/sinh": 1,
    # a tactic of their own asks for these: `angles`
    **dict.fromkeys(
        (
            *("sine positive up to pi", "cosine positive up to pi/2"),
            *("sine and cosine of a sum", "atan of a sum", "atan of a sum, above pi/2"),
            *("atan of a reciprocal", "range of atan", "range of asin", "range of acos"),
            *("atan inverts tan", "asin inverts sin", "acos inverts cos"),
            *("asinh inverts sinh", "acosh inverts cosh", "atanh inverts tanh"),
            *("tan inverts atan", "sin inverts asin", "cos inverts acos"),
            *("sinh inverts asinh", "cosh inverts acosh", "tanh inverts atanh"),
        ),
        99,
    ),
    "small powers": 99,  # series ask for it
    "loggamma above its tangents": 99,  # the lemmas about gamma rest on it
    "integers up to a floor": 99,  # asked for at multiples of other floors
    "integers from a ceiling on": 99,
    "binomial theorem": 99,  # about a whole sum: a tactic of its own asks for it
    "binomial theorem, first moment": 99,
    "tanh^2 = 1 - 1/cosh^2": 1,
    "exp inverts log": 1,
    "exp against log, tangent": 3,
    "cosh below exp(u^2/2)": 2,
    "sine below the circle": 3,
    "a^b = exp(b log a)": 2,
    "a^b against exp(b(a-1))": 3,
}
