"""Choose instances of the kernel's axioms for a goal by the functions and arguments in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

from dpbook.engine.prove.tactics.core import Chain, Node, Search, needs
from dpbook.kernel.formulas import Formula, Relation, Sequent, parse_formula, put, terms_of
from dpbook.kernel.table import AXIOMS, FUNCTIONS
from dpbook.kernel.terms import BINDERS, Term, call, num, power, subterms

RANK = 1  # of the last axioms that may state a goal


@dataclass(frozen=True)
class Instance:
    """Hold an axiom at arguments, with the formulas that it gives there."""

    name: str
    at: tuple[tuple[str, Term], ...]
    formulas: tuple[Formula, ...]


@cache
def _shape(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the functions that an axiom is about, each with the parameters that it takes."""
    found: dict[tuple[str, tuple[str, ...]], None] = {}
    for f in formulas_of(name):
        for t in terms_of(f):
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
    found = (t for f in formulas_of(name) for t in terms_of(f))
    return frozenset(_kind(part) for t in found for part in subterms(t)) - {""}


def _kind(t: Term) -> str:
    if t.head == "pow":
        return "pow" if t.args[1].head != "num" else ""
    return t.head if t.head in FUNCTIONS else ""


@cache
def formulas_of(name: str) -> tuple[Formula, ...]:
    """Return the formulas of an axiom."""
    return tuple(map(parse_formula, AXIOMS[name].formulas))


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
    given = tuple(put(f, arguments) for f in formulas_of(name))
    return Instance(name, tuple(arguments.items()), given)


def compared_with_exp(formulas: Iterable[Formula]) -> list[Instance]:
    """Return axioms about the logarithm of a term that is compared with an exponential."""
    sides = [(f.left, f.right) for f in formulas if isinstance(f, Relation)]
    found = {
        (one, other): at_arguments("exp inverts log", u=one.args[0], v=other)
        for pair in sides
        for one, other in (pair, pair[::-1])
        if one.head == "exp" and other.head not in ("num", "exp")
    }
    return list(found.values())


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
    for rank, name in sorted((RANKS.get(name, 2), name) for name in AXIOMS):
        if rank > most or name == "power of a sum" or not heads_of(name) <= by_kind.keys():
            continue
        for at in _assignments(_shape(name), by_kind):
            found.setdefault((name, at), at_arguments(name, **dict(at)))
            if len(found) >= limit:
                return list(found.values())
    return list(found.values())


@needs(*FUNCTIONS, "pow")
def stated(search: Search, s: Sequent, depth: int) -> Node | None:
    """Take the goal from an axiom, which may have its terms in another order."""
    if not isinstance(s.goal, Relation):
        return None
    facts = search.facts(s)
    wanted = facts.literal(s.goal)
    for one in instances(calls_in([s.goal]), RANK):
        if any(isinstance(f, Relation) and facts.literal(f) == wanted for f in one.formulas):
            chain = Chain(search, s, depth)
            at = {parameter: str(t) for parameter, t in one.at}
            if chain.apply("axiom", name=one.name, at=at):
                return chain.close_if_clear()
    return None


def _assignments(
    shape: tuple[tuple[str, tuple[str, ...]], ...], by_kind: dict[str, list[Term]]
) -> Iterator[tuple[tuple[str, Term], ...]]:
    """Yield arguments at which each function of an axiom is one of the calls."""
    if not shape or any(kind not in by_kind for kind, _ in shape):
        return
    kinds = [kind for kind, _ in shape]
    listed = [by_kind[kind][: 8 if len(kinds) > 1 else None] for kind in kinds]
    choices: Iterable[tuple[Term, ...]] = product(*listed)
    if len(kinds) > 1 and len(set(kinds)) == 1:
        choices = combinations(listed[0], len(kinds))
    for chosen in choices:
        values: dict[str, Term] = {}
        fine = True
        for (_, parameters), t in zip(shape, chosen, strict=True):
            for p, a in zip(parameters, t.args, strict=True):
                fine = fine and values.setdefault(p, a) == a
        if fine:
            yield tuple(sorted(values.items()))


# How late an axiom is tried: the simplest axioms come first. An axiom without a line has the rank 2.
# The last are never tried: tactics for angles, series, sums and rounding ask for them by name.
RANKED = {
    0: """
        absolute value; maximum; minimum; sign; choice, >; choice, >=; choice, ==; exp positive;
        tanh bounded; cosh above 1; erf bounded; atan bounded; asin + acos = pi/2; binomial at least
        1; sine bounded; cosine bounded; gamma positive; factorial at least 1; floor; ceiling; power
        positive; sin^2 + cos^2 = 1; cosh^2 - sinh^2 = 1
    """,
    1: """
        exp above its tangent; exp below 1/(1-u); exp sign; erfc below exp(-u^2); log below u-1; log
        above 1-1/u; log sign; tanh sign; cosh quadratic; sinh sign; log of sinh; coth rational; erf
        sign; atan sign; atan below pi/2; sine below its argument; cosine quadratic; exp increasing;
        log increasing; log strictly concave; tanh increasing; sinh increasing; erf increasing; atan
        increasing; floor nondecreasing; ceiling nondecreasing; cosh increasing in |u|; power
        against 1; tanh = sinh/cosh; coth = cosh/sinh; tanh^2 = 1 - 1/cosh^2; exp inverts log
    """,
    3: """
        exp quadratic; exp rational; log rational; tanh below its tangent; sinh cubic; erf cubic;
        atan rational; sine positive below pi; cosine quartic; cosine positive below pi/2; tanh has
        slope at most 1; atan has slope at most 1; sin has slope at most 1; cos has slope at most 1;
        exp of a sum; Bernoulli, reciprocal; Bernoulli, two bases; power increasing in both; exp
        against log, tangent; sine below the circle; a^b against exp(b(a-1))
    """,
    4: """
        exp cubic; log below a square root; sine quintic; exp rational, two points; log rational,
        two points
    """,
    5: """
        exp rational, order 2; log rational, order 2; log square root, two points
    """,
    6: """
        log rational of order 2, two points
    """,
    99: """
        acosh inverts cosh; sine positive up to pi; cosine positive up to pi/2; sine and cosine of a
        sum; atan of a sum; atan of a sum, above pi/2; atan of a reciprocal; range of atan; range of
        asin; range of acos; atan inverts tan; asin inverts sin; acos inverts cos; asinh inverts
        sinh; atanh inverts tanh; tan inverts atan; sin inverts asin; cos inverts acos; sinh inverts
        asinh; cosh inverts acosh; tanh inverts atanh; small powers; loggamma above its tangents;
        integers up to a floor; integers from a ceiling on; binomial theorem; binomial theorem,
        first moment
    """,
}
RANKS = {name: rank for rank, text in RANKED.items() for name in " ".join(text.split()).split("; ")}
