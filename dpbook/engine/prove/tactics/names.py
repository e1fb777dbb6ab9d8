"""Put a new variable for a compound term, as any number or with one variable in terms of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later
from dpbook.engine.prove.tactics.core import Chain, Node, Search, contradiction, needs
from dpbook.engine.prove.tactics.reading import linear_in, parts_of, relations
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Is, Relation, Sequent, terms_of
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE, NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Monomial, Poly
from dpbook.kernel.terms import ZERO, Term, add, mul, num, var

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]


optimize = Later("scipy.optimize")

LARGEST = 3  # bases that get a variable, one after the other
NEW = "w"  # the name that a base gets, with underscores
SIDE = "s"  # the name that an addend gets, with underscores
ADDED = 16  # hypotheses that are added up
WIDE = 200  # monomials of one of the hypotheses
OFTEN = 3  # times that a base stands in a goal that is to become a variable
PARTS = 6  # monomials of such a base


def generalised(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show a goal for every value of a base, or every positive one where it is positive."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    bases = _bases(s)
    if not 1 <= len(bases) <= LARGEST:
        return None
    one = bases[0]
    chain = Chain(search, s, depth)
    chain.have(Relation(one, ">", ZERO), min(depth, 1))
    # a hypothesis that a term is defined is dropped; in the others the variable replaces the base
    keep = [i for i, h in enumerate(chain.s.hypotheses) if not isinstance(h, Is)]
    if not chain.apply("generalise", name=chain.s.new_name("p"), term=str(one), keep=keep):
        return None
    return chain.close(search.prove(chain.s, depth))


def _bases(s: Sequent) -> list[Term]:
    """Return the sums that are raised to symbolic powers in a goal, the largest first.

    A product is raised to a power by raising its factors.
    """
    found: dict[Term, None] = {}
    names = {n for n, _ in s.variables}
    for part in parts_of(s.goal):
        if part.head == "pow" and part.args[1].head != "num":
            raised = part.args[0]
            for base in raised.args if raised.head == "mul" else (raised,):
                if base.head == "add" and base.free <= names and len(str(base)) > 12:
                    found[base] = None
    return sorted(found, key=lambda t: (-len(str(t)), str(t)))


# --- one variable in terms of a base --------------------------------------------------------------


@needs("pow")
def renamed(search: Search, s: Sequent, depth: int) -> Node | None:
    """Name a base that stands often, and write a variable in it in terms of the new name.

    With w = a + n y and a = w - n y for a, powers of a + n y need not be multiplied out. A base
    with powers in a hypothesis gets a name only at a larger depth: the hypothesis is tried first.
    """
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    if any(n.strip("_") == NEW and n != NEW for n, _ in s.variables):
        return None  # that was done before
    chain = Chain(search, s, 0)
    if not any(_exchange(chain, base) for base in _often(s, depth > 0)):
        return None
    first = chain.s.variables[-1][0]
    for _ in range(LARGEST):
        listed = [*_often(chain.s, depth > 0), *_over(search.facts(chain.s), chain.s, first)]
        if not any(_exchange(chain, base) for base in listed):
            break
    return chain.close(search.prove(chain.s, depth))


def _exchange(chain: Chain, base: Term) -> bool:
    """Give a base a name, and take a variable of the base out of the sequent."""
    search, mark = chain.search, chain.mark()
    facts = search.facts(chain.s)
    try:
        p = facts.poly(base)
        found = _solved(facts, p, chain.s)
        if found is None:
            return False
        v, slope, rest = found
        ((m, c),) = slope.items()
        inverse = {P.raised(m, -1): 1 / c}
        name = chain.s.new_name(NEW)
        value = facts.term(facts.product(P.plus(facts.poly(var(name)), rest, -1), inverse))
        factor = facts.term(P.scaled(inverse, -1))
        fields = {"variable": v, "value": str(value), "factor": str(factor)}
        positive = facts.sign(p) == POSITIVE
    except (Rejected, ArithmeticError):
        return False
    done = (
        (not positive or chain.have(Relation(base, ">", ZERO)))
        and chain.apply("name", name=name, term=str(base))
        and chain.apply("rewrite", equality=len(chain.s.hypotheses) - 1, reversed="yes")
        and chain.apply("substitute", fact=len(chain.s.hypotheses) - 1, **fields)
    )
    if not done:
        chain.back(mark)
        return False
    says_nothing = [i for i, h in relations(chain.s, "==") if h.left == var(name)]
    keep = [i for i in range(len(chain.s.hypotheses)) if i not in says_nothing]
    return chain.apply("weaken", keep=keep)


def _solved(facts: Facts, p: Poly, s: Sequent) -> tuple[str, Poly, Poly] | None:
    """Write a base as slope * v + rest with a real v, the variable that stands least elsewhere."""
    if not 2 <= len(p) <= PARTS:
        return None
    found = []
    for name, sort in s.variables:
        if sort != "real":
            continue
        rest, slope = linear_in(facts, p, name) or ({}, {})
        if len(slope) == 1 and not facts.sign_of_monomial(m := next(iter(slope))) & NULL:
            found.append((len(m), str(s.goal).count(name), name, slope, rest))
    return min(found, key=lambda f: f[:3])[2:] if found else None


def _often(s: Sequent, anywhere: bool) -> list[Term]:
    """Return the bases of powers that stand often in a goal, the smallest first."""
    names = {n for n, _ in s.variables}
    parts = [*parts_of(s.goal)]
    count = Counter(part for part in parts if part.head == "add" and part.free <= names)
    bases = {part.args[0] for part in parts if part.head == "pow"}
    kept = [t for t, n in count.items() if n >= OFTEN and t in bases]
    if kept and not anywhere:
        given = parts_of(*(h for _, h in relations(s)))
        taken = {part.args[0] for part in given if part.head == "pow"}
        kept = [t for t in kept if t not in taken]
    return sorted(kept, key=lambda t: (t.size, str(t)))


def _over(facts: Facts, s: Sequent, name: str) -> list[Term]:
    """Return positive factors that are sums with powers of a variable below the line."""
    found: set[Term] = set()
    names = {n for n, _ in s.variables}
    for part in parts_of(s.goal):
        factors = part.args if part.head == "mul" else part.args[:1] if part.head == "pow" else ()
        for factor in factors:
            inside = (x for a in factor.args for x in (a, *a.args))
            below = any(x.head == "pow" and name in x.args[0].free for x in inside)
            if factor.head == "add" and factor.free <= names and below:
                found.add(factor)
    listed = sorted(found, key=lambda t: (t.size, str(t)))[:LARGEST]
    try:
        return [t for t in listed if facts.sign(facts.poly(t)) == POSITIVE]
    except (Rejected, ArithmeticError):
        return []


# --- monomials ------------------------------------------------------------------------------------


@needs("given")
def monomials(search: Search, s: Sequent, depth: int) -> Node | None:
    """Give each monomial of the normal forms a variable, where hypotheses add up to the goal.

    Multiples of the hypotheses are added. A fraction in several of them would be multiplied out in
    each by another denominator.
    """
    goal = s.goal
    if contradiction(s) or not isinstance(goal, Relation) or goal.op == "!=":
        return None
    if any(n.strip("_") == SIDE and n != SIDE for n, _ in s.variables):
        return None
    facts = search.facts(s)
    rows = _rows(facts, s)
    wanted, op = facts.difference(goal)
    found = _weights(facts, rows, wanted, op) if rows else None
    if found is None or not found[0]:
        return None
    return _in_monomials(search, s, rows, (wanted, op), *found) or _as_written(search, s, found[0])


def _as_written(search: Search, s: Sequent, used: list[int]) -> Node | None:
    """Name the sides as they are written: a normal form that is written out may have another one."""
    chain = Chain(search, s, 0)
    chain.apply("weaken", keep=sorted(used))
    list(_named(chain, {t for f in (chain.s.goal, *chain.s.hypotheses) for t in terms_of(f)}))
    return chain.close(search.prove(chain.s, 0))


def _in_monomials(
    search: Search,
    s: Sequent,
    rows: Mapping[int, tuple[Poly, str]],
    goal: tuple[Poly, str],
    used: list[int],
    signed: list[Monomial],
) -> Node | None:
    wanted, op = goal
    facts = search.facts(s)
    chain = Chain(search, s, 0)
    kept: list[Formula] = []
    for i in used:
        p, own = rows[i]
        kept.append(Relation(_written(facts, p), own, ZERO))
        if kept[-1] not in chain.s.hypotheses and not chain.apply(
            "change", fact=i, formula=str(kept[-1])
        ):
            return None
    for m in signed:
        sign = Relation(facts.term({m: Fraction(1)}), ">=", ZERO)
        if not chain.have(sign):
            return None
        kept.append(sign)
    if not chain.apply("restate", goal=str(Relation(_written(facts, wanted), op, ZERO))):
        return None
    places = [chain.s.hypotheses.index(f) for f in dict.fromkeys(kept)]
    if not chain.apply("weaken", keep=sorted(places)):
        return None
    monomials = {m for p in (wanted, *(rows[i][0] for i in used)) for m in p if m}
    parts = {facts.term({m: Fraction(1)}) for m in {*monomials, *signed}}
    return chain.close(search.prove(chain.s, 0)) if all(_named(chain, parts)) else None


def _named(chain: Chain, parts: set[Term]) -> Iterator[bool]:
    """Name terms one after the other, the largest first, and yield whether that went well."""
    for part in sorted(parts, key=lambda t: (-t.size, str(t))):
        if part.args and part.free:
            keep = [*range(len(chain.s.hypotheses))]
            name = chain.s.new_name(SIDE)
            yield chain.apply("generalise", name=name, term=str(part), keep=keep)


def _rows(facts: Facts, s: Sequent) -> dict[int, tuple[Poly, str]]:
    """Return the hypotheses as polynomials that are compared with 0."""
    rows = {}
    for i, h in relations(s, "==", "<", "<=", ">", ">="):
        with suppress(Rejected, ArithmeticError):
            p, op = facts.difference(h)
            if p and len(p) <= WIDE:
                rows[i] = p, op
    return rows


def _weights(
    facts: Facts, rows: dict[int, tuple[Poly, str]], wanted: Poly, op: str
) -> tuple[list[int], list[Monomial]] | None:
    """Return the hypotheses, and the monomials of known sign, that add up to a goal; a guess."""
    columns = [(p, own == "==") for p, own in rows.values()]
    signed: list[Monomial] = []
    if op != "==":
        listed = sorted({m for p in (wanted, *(p for p, _ in columns)) for m in p if m}, key=_order)
        signed = [m for m in listed if facts.sign_of_monomial(m) & NEGATIVE == 0]
        columns += [({m: Fraction(1)}, False) for m in (*signed, P.ONE)]
    polys = [wanted, *(p for p, _ in columns)]
    places = {m: i for i, m in enumerate(dict.fromkeys(m for p in polys for m in p))}
    table = np.zeros((len(polys), len(places)))
    try:
        for row, p in zip(table, polys, strict=True):
            for m, c in p.items():
                row[places[m]] = float(c)
    except OverflowError:
        return None
    right, matrix = table[0], table[1:].T
    if _out_of_reach(matrix, right, np.array([free for _, free in columns])):
        return None
    # the cost is a sum of sizes, for few hypotheses; free columns cost nothing
    bounds = [(None, None) if free else (0.0, None) for _, free in columns]
    cost = [0.0 if free else 1.0 for _, free in columns]
    answer = optimize.linprog(cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds")
    if answer.x is None or answer.status != 0:
        return None
    used = [i for i, x in zip(rows, answer.x, strict=False) if abs(x) > 1e-9]
    beside = zip(signed, answer.x[len(rows) :], strict=False)
    more = [m for m, x in beside if abs(x) > 1e-9]
    return (used, more) if len(used) <= ADDED else None


def _out_of_reach(matrix: Matrix, right: Matrix, free: NDArray[np.bool_]) -> bool:
    """Say whether the right side of a row has a sign that none of the row's columns can give."""
    either = matrix[:, free].any(axis=1)
    above = either | (matrix[:, ~free] > 0).any(axis=1)
    below = either | (matrix[:, ~free] < 0).any(axis=1)
    return bool((((right > 0) & ~above) | ((right < 0) & ~below)).any())


def _order(m: Monomial) -> tuple[Any, ...]:
    """Return the key of a monomial order: total degree, then the exponents of the atoms."""
    return (sum(e for _, e in m), tuple((-i, e) for i, e in m))


def _written(facts: Facts, p: Poly) -> Term:
    """Return a normal form as a sum of numbers times monomials, each written in one way."""
    parts = []
    for m, c in sorted(p.items(), key=lambda item: _order(item[0])):
        one = facts.term({m: Fraction(1)}) if m else num(1)
        parts.append(num(c) if not m else one if c == 1 else mul(num(c), one))
    return add(*parts)
