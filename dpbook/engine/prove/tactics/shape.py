"""Change the shape of a goal: without factors of known sign, in logarithms, without logarithms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import lcm

import sympy

from dpbook.engine.prove.tactics import points, polynomial
from dpbook.engine.prove.tactics.core import (
    Chain,
    Node,
    Search,
    Tactic,
    contradiction,
    first,
    needs,
)
from dpbook.engine.prove.tactics.reading import linear_in_atom, literals, relations
from dpbook.kernel.environment import difference, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Formula, Or, Relation, Sequent, free
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.atoms import NEGATIVE, NULL, POSITIVE
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.terms import BINDERS, ONE, ZERO, Term, call, div, mul, num, power, subterms

LARGEST = 40  # terms of a polynomial that is factored
LOGARITHMS = 4  # logarithms that are compared with each other
INEQUALITIES = (">", ">=")
KNOWN = (POSITIVE, NEGATIVE)
FACTORS = 4  # factors of a product that is taken as it is written
TOP = 2  # goals above which there is at most a conjunction


def ordered(s: Sequent) -> tuple[Term, str] | None:
    """Return a goal ``term op 0`` with op > or >=; None for other goals."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    t, op = difference(s)
    return (t, op) if op in INEQUALITIES else None


# --- factors --------------------------------------------------------------------------------------


def stripped(search: Search, s: Sequent, depth: int) -> Node | None:
    """Drop factors of known sign that a sum of products of facts does not see."""
    made = tidied(search, s)
    if made is None or not isinstance(s.goal, Relation):
        return None
    there, fields = made
    facts = search.facts(s)
    assert isinstance(there.goal, Relation)
    before, after = facts.literal(s.goal)[0], facts.literal(there.goal)[0]
    if not before or not after or _alike(before, after):
        return None
    return search.by(s, "restate", depth, **fields)


def _alike(p: P.Poly, q: P.Poly) -> bool:
    """Say whether two polynomials are equal up to a factor that is a number."""
    m = next(iter(p))
    return m in q and P.scaled(p, q[m] / p[m]) == q


@needs("given")
def freed(search: Search, s: Sequent, depth: int) -> Node | None:
    """Drop factors of known sign from the hypotheses of a whole statement."""
    if search.level > TOP:
        return None
    chain = Chain(search, s, 0)
    kept = []
    for i, h in enumerate(s.hypotheses):
        made = tidied(search, s.showing(h)) if isinstance(h, Relation) else None
        if made is None or not free(made[0].goal) or not read_term(made[1]["factor"], s).free:
            kept.append(i)
            continue
        # the way back: from the shorter relation to the hypothesis
        factor = f"1/({made[1]['factor']})"
        back = partial(search.by, rule="restate", depth=0, goal=str(h), factor=factor)
        if not chain.have_by(back, made[0].goal):
            kept.append(i)
    new = range(len(s.hypotheses), len(chain.s.hypotheses))
    if not new or not chain.apply("weaken", keep=[*kept, *new]):
        return None
    # deeper than the statement as it is given, whose search would come first otherwise
    with search.in_part():
        node = search.solve(chain.s, range(depth, max(depth, 2) + 1))
    return chain.close(node)


def tidied(search: Search, s: Sequent) -> tuple[Sequent, dict[str, str]] | None:
    """Return a goal without denominators and factors of known sign; None where nothing changes."""
    goal = s.goal
    if contradiction(s) or not isinstance(goal, Relation):
        return None
    t, op = difference(s)
    facts = search.facts(s)
    try:
        rest, k = _without_factors(facts, facts.poly(t), op)
        new = facts.term(rest)
        if goal.right == ZERO and new == t or not rest:
            return None
        fields = {"goal": f"{new} {op} 0", "factor": str(facts.term(k))}
    except (Rejected, ArithmeticError):
        return None
    premises = search.premises(s, "restate", **fields)
    if premises is None or premises[0] == s:
        return None
    return premises[0], fields


def _without_factors(facts: Facts, p: P.Poly, op: str) -> tuple[P.Poly, P.Poly]:
    """Write p as k * rest, where k is positive (for == and != not 0)."""
    q, m = facts.clear(p)
    if not q:
        return {}, P.constant(1)
    negative, outside, rest = facts.primitive(q)
    content = P.content(q)
    k = P.constant(content)
    sign = -1 if negative else 1
    kept: P.Monomial = ()
    for i, e in P.times(m, outside):
        here = facts.sign_of_monomial(((i, e),))
        if here in KNOWN or op in ("==", "!=") and not here & NULL:
            if here == NEGATIVE and op in INEQUALITIES:
                sign = -sign
                k = P.scaled(k, -1, ((i, e),))
            else:
                k = P.scaled(k, 1, ((i, e),))
        else:
            kept = P.times(kept, ((i, e),))
    found: P.Poly = P.constant(1)
    for factor, e in factors(facts, rest):
        here = facts.sign(factor)
        for _ in range(e):
            if here == NEGATIVE and op in INEQUALITIES:
                sign = -sign
                k = facts.product(k, P.scaled(factor, -1))
            elif here == POSITIVE or op in ("==", "!=") and not here & NULL:
                k = facts.product(k, factor)
            else:
                found = facts.product(found, factor)
    return P.scaled(found, sign if op in INEQUALITIES else 1, kept), k


def factors(facts: Facts, p: P.Poly) -> list[tuple[P.Poly, int]]:
    """Return factors of a polynomial, with their multiplicities; their product is p."""
    atoms = sorted(P.atoms_of(p))
    if not 2 <= len(p) <= LARGEST or len(atoms) > 8:
        return [(p, 1)]
    scale = {i: lcm(*(Fraction(e).denominator for m in p for j, e in m if j == i)) for i in atoms}
    if any(e < 0 or e * scale[i] > 24 for m in p for i, e in m):
        return [(p, 1)]
    symbols = [sympy.Symbol(f"a{i}") for i in atoms]
    whole = {
        tuple(int(dict(m).get(i, 0) * scale[i]) for i in atoms): sympy.Rational(*ratio)
        for m, ratio in ((m, c.as_integer_ratio()) for m, c in p.items())
    }
    content, listed = sympy.factor_list(sympy.Poly(whole, *symbols))
    found: list[tuple[P.Poly, int]] = []
    for factor, e in listed:
        back: P.Poly = {}
        for powers, c in factor.terms():
            pairs = zip(atoms, map(int, powers), strict=True)
            m = tuple((i, P.whole(Fraction(k, scale[i]))) for i, k in pairs if k)
            back[m] = Fraction(int(c.p), int(c.q))
        found.append((back, int(e)))
    c = Fraction(int(content.p), int(content.q))
    return found if c == 1 else [(P.constant(c), 1), *found]


def product(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the signs of the factors of a product one by one."""
    goal = ordered(s)
    if goal is None:
        return None
    t, op = goal
    facts = search.facts(s)
    q, m = facts.clear(facts.poly(t))
    if not q or any(facts.sign_of_monomial(((i, e),)) != POSITIVE for i, e in m if e < 0):
        return None
    outside, rest = P.common(q), q
    rest = P.scaled(q, 1, P.raised(outside, -1))
    pieces = [
        (P.atom(i), int(e))
        for i, e in P.times(outside, tuple(x for x in m if x[1] > 0))
        if Fraction(e).denominator == 1
    ]
    pieces += factors(facts, rest)
    open_ = [f for f, e in pieces if facts.sign(f) not in KNOWN and (e % 2 or op == ">")]
    rest_known = sum(1 for f, _ in pieces if facts.sign(f) in KNOWN) + 1 >= len(pieces)
    if not 1 <= len(open_) <= 3 or len(open_) == 1 and rest_known:
        return None
    chain = Chain(search, s, depth)
    ops = (op, {">": "<", ">=": "<="}[op])
    if not all(_has_sign(chain, facts.term(f), ops, depth - 1) for f in open_):
        return None
    return chain.close(search.prove(chain.s, 0))


def _has_sign(chain: Chain, t: Term, ops: Sequence[str], depth: int) -> bool:
    """Add the first of the signs of a term that is not clearly false, and is shown."""
    sample = points.sample(chain.s, chain.search.facts(chain.s))
    claims = [Relation(t, op, ZERO) for op in ops]
    return any(not sample.refutes(claim) and chain.have(claim, depth) for claim in claims)


def denominators(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the signs of denominators first, where they are not known."""
    if ordered(s) is None:
        return None
    facts = search.facts(s)
    p = facts.poly(difference(s)[0])
    under = {i for m in p for i, e in m if e < 0}
    open_ = [facts.atoms[i].term for i in sorted(under) if facts.sign(P.atom(i)) not in KNOWN]
    if not 1 <= len(open_) <= FACTORS:
        return None
    chain = Chain(search, s, depth)
    if not all(_has_sign(chain, t, (">", "<"), depth - 1) for t in open_):
        return None
    return chain.close(search.prove(chain.s, depth))


def as_written(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the signs of the factors of a product as written; it may have no other factors."""
    goal = s.goal
    if contradiction(s) or not isinstance(goal, Relation) or goal.op not in INEQUALITIES:
        return None
    if goal.right != ZERO or goal.left.head != "mul" or len(goal.left.args) > FACTORS:
        return None
    if sum(t.head == "add" for t in goal.left.args) < 2:
        return None
    found = _of_two_known(search, s)
    if found is not None:
        return found
    chain = Chain(search, s, depth - 1)
    numbers = []
    for factor in goal.left.args:
        claim = Relation(factor, goal.op, ZERO)
        if points.refuted(chain.s.showing(claim), search.facts(chain.s)):
            return None
        if not chain.have(claim):
            return None
        numbers.append(len(chain.s.hypotheses) - 1)
    if not chain.apply("refute"):
        return None
    terms = [["1", [len(chain.s.hypotheses) - 1], None], ["1", numbers, None]]
    return chain.close(search.leaf(chain.s, "combination", terms=terms))


def _of_two_known(search: Search, s: Sequent) -> Node | None:
    """Show the sign of a product of two known inequalities."""
    known = [i for i, h in relations(s, "<=", ">=", "<", ">") if h.left.head != "var"][-FACTORS:]
    last = ["1", [len(s.hypotheses)], None]

    def shown(premise: Sequent) -> Node | None:
        return first(
            search.leaf(premise, "combination", terms=[last, ["1", [*pair], None]])
            for pair in combinations(known, 2)
        )

    return search.by_each(shown, s, "refute")


@needs("pow")
def squared(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare the squares of two sides A >= B, one of which is a root times a term without it.

    Where A >= 0, A - B < 0 would give (A - B)^2 - 2 A (A - B) + A^2 - B^2 > 0, though that is 0.
    """
    goal, facts = ordered(s), search.facts(s)
    p = facts.poly(goal[0]) if goal else {}
    rooted = {m: c for m, c in p.items() if any(e % 1 for _, e in m)}
    rest = {m: c for m, c in p.items() if m not in rooted}
    square = facts.product(rooted, rooted) if len(p) <= LARGEST else rooted
    if not goal or not rooted or not rest or any(e % 1 for m in square for _, e in m):
        return None
    gap = facts.expand(P.plus(facts.product(rest, rest), square, -1))
    sample, shown = points.sample(s, facts), partial(polynomial.largest_sum, search, depth=1)
    for high, sign in ((rest, 1), (rooted, -1)):
        claim = Relation(facts.term(P.scaled(gap, sign)), goal[1], ZERO)
        above, chain = Relation(facts.term(high), ">=", ZERO), Chain(search, s, depth - 1)
        if sample.refutes(above) or sample.refutes(claim) or not chain.have(above):
            continue
        if not (chain.have_by(shown, claim) or chain.have(claim)) or not chain.apply("refute"):
            continue
        n = len(chain.s.hypotheses) - 1
        terms = [["1", [n, n], None], ["2", [n, n - 2], None], ["1", [n - 1], None]]
        if node := search.leaf(chain.s, "combination", terms=terms):
            return chain.close(node)
    return None


# --- forms before calculus ------------------------------------------------------------------------


def forms(search: Search, s: Sequent) -> Iterator[tuple[Sequent, dict[str, str] | None]]:
    """Yield a goal in the forms in which a derivative may be simple: tidy, divided, as written."""
    made = tidied(search, s)
    first = s if made is None else made[0]
    yield (s, None) if made is None else made
    yield from divided(search, s, first)
    if made is not None:
        yield s, None


def divided(
    search: Search, s: Sequent, first: Sequent
) -> Iterator[tuple[Sequent, dict[str, str] | None]]:
    """Yield a goal divided by the factor before a logarithm, an exponential or another function."""
    goal = ordered(first)
    if goal is None:
        return
    t, op = goal
    facts = search.facts(first)
    try:
        p = facts.poly(t)
        listed = [i for i in sorted(P.atoms_of(p)) if facts.atoms[i].key[0] in ("log", "call")]
        listed += [i for i in sorted(P.atoms_of(p)) if facts.atoms[i].key[0] == "exp"]
    except Rejected:
        return
    for i in listed[:3]:
        rest, factor = linear_in_atom(p, i) or ({}, {})
        sign = facts.sign(factor) if rest and set(factor) != {P.ONE} else NULL
        if sign in KNOWN:
            by = facts.term(factor if sign == POSITIVE else P.scaled(factor, -1))
            atom = facts.atoms[i].term
            new = (atom if sign == POSITIVE else -atom) + div(facts.term(rest), by)
            yield from _restated(search, s, new, op, by)


def _restated(
    search: Search, s: Sequent, new: Term, op: str, by: Term
) -> Iterator[tuple[Sequent, dict[str, str] | None]]:
    facts = search.facts(s)
    t, _ = difference(s)
    try:
        first = _without_factors(facts, facts.poly(t), op)[1]
        factor = mul(facts.term(first), by)
    except (Rejected, ArithmeticError):
        return
    fields = {"goal": f"{new} {op} 0", "factor": str(factor)}
    premises = search.premises(s, "restate", **fields)
    if premises is not None:
        yield premises[0], fields


# --- logarithms -----------------------------------------------------------------------------------


def logarithms(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare the logarithms of two positive terms, one of them a power or an exponential."""
    goal = ordered(s)
    if goal is None:
        return None
    facts = search.facts(s)
    pair = _compared(facts, facts.poly(goal[0]))
    if pair is None:
        return None
    u, v = pair
    chain = Chain(search, s, 0)
    for h in _comparable(facts):
        with_logarithms(chain, *h)
    claim = Relation(call("log", u), goal[1], call("log", v))
    _order_logarithms(chain, claim)
    if points.refuted(chain.s.showing(claim), search.facts(chain.s)):
        return None
    return _by_function(chain, depth, "log increasing", claim, u, v)


def _by_function(
    chain: Chain, depth: int, fact: str, claim: Relation, u: Term, v: Term
) -> Node | None:
    """Show a comparison first, then the goal by a function that increases from u to v."""
    if not chain.have(claim, depth - 1):
        return None
    return chain.close(increasing(chain.search, chain.s, fact, u, v))


def increasing(
    search: Search, s: Sequent, name: str, u: Term, v: Term, show: Tactic = Search.prove
) -> Node | None:
    """Show a goal by an axiom on a function that increases, at two values."""
    chain = Chain(search, s, 0)
    fields = {"name": name, "at": {"u": str(u), "v": str(v)}}
    known = chain.apply_by(lambda _: None, "axiom", **fields)  # without side premises
    return chain.close(show(search, chain.s, 0)) if known else None


@needs("log", "exp")
def one_function(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare two logarithms, or two exponentials, by their arguments, where that is easy."""
    goal = s.goal
    if not isinstance(goal, Relation) or goal.op == "!=":
        return None
    head = goal.left.head
    if head not in ("log", "exp") or goal.right.head != head:
        return None
    (u,), (v,) = goal.left.args, goal.right.args
    # by the hypotheses alone: this tactic would take the axiom again
    return increasing(search, s, f"{head} increasing", u, v, polynomial.combination_once)


def _grows(facts: Facts, m: P.Monomial) -> bool:
    """Say whether a monomial holds a power with a variable exponent, a root or an exponential."""
    return any(
        facts.atoms[i].key[0] not in ("var", "base", "call", "log", "constant", "prime")
        or Fraction(e).denominator != 1
        for i, e in m
    )


def _compared(facts: Facts, p: P.Poly) -> tuple[Term, Term] | None:
    """Write p as u - v, up to a positive factor, where both are positive and one is a power."""
    q, m = facts.clear(p)
    over = tuple((i, e) for i, e in m if facts.sign_of_monomial(((i, e),)) == POSITIVE)
    if len(over) != len(m) or len(q) < 2 or len(q) > 12:
        return None
    common = P.common(q)
    if facts.sign_of_monomial(common) == POSITIVE:
        q = P.scaled(q, 1, P.raised(common, -1))
    for top in sorted(q, key=lambda m: (not _grows(facts, m), str(m))):
        if not _grows(facts, top) and len(q) > 2:
            return None
        rest = {n: -c for n, c in q.items() if n != top}
        c = q[top]
        if c < 0:
            rest = P.scaled(rest, -1)
        if facts.sign_of_monomial(top) != POSITIVE or facts.sign(rest) != POSITIVE:
            continue
        one, other = facts.term({top: abs(c)}), facts.term(rest)
        return (one, other) if c > 0 else (other, one)
    return None


def _comparable(facts: Facts) -> list[tuple[Term, str, Term]]:
    """Return the hypotheses that compare two positive monomials."""
    found = []
    for p, op in filter(None, facts.literals):
        over = {m: c for m, c in p.items() if c > 0}
        under = {m: -c for m, c in p.items() if c < 0}
        if op not in INEQUALITIES or not len(over) == len(under) == 1:
            continue
        if all(facts.sign_of_monomial(m) == POSITIVE for m in p):
            found.append((facts.term(over), op, facts.term(under)))
    return found[:8]


def with_logarithms(chain: Chain, u: Term, op: str, v: Term) -> bool:
    """Add that log(u) op log(v), where u op v is known."""
    search = chain.search

    def shown(s: Sequent) -> Node | None:
        return search.at_once(s) or increasing(search, s, "log increasing", u, v)

    return chain.have_by(shown, Relation(call("log", u), op, call("log", v)))


def _order_logarithms(chain: Chain, claim: Relation) -> None:
    """Add how the logarithms in a claim compare with each other and with 0, where that is easy."""
    facts = chain.search.facts(chain.s)
    try:
        listed = sorted(P.atoms_of(facts.canonical(facts.poly(claim.left - claim.right))))
        inside = [facts.atoms[i].term.args[0] for i in listed if facts.atoms[i].key[0] == "log"]
    except (Rejected, ArithmeticError):
        return
    if len(inside) > LOGARITHMS:
        return
    pairs = [(x, y) for i, x in enumerate(inside) for y in (*inside[:i], ONE) if x.head != "num"]
    sample = points.sample(chain.s, facts)
    for x, y in pairs:
        for op in (">", "<"):
            gap, mark = Relation(x, op, y), chain.mark()
            if sample.refutes(gap) or not chain.have(gap, 0):
                continue
            if not with_logarithms(chain, x, op, y):
                chain.back(mark)
            break


def unlog(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show the sign of a sum of multiples of logarithms: its product is compared with 1."""
    goal = ordered(s)
    if goal is None:
        return None
    facts = search.facts(s)
    p = facts.poly(goal[0])
    if not p or not all(_is_log(facts, m) for m in p):
        return None
    powers = [(facts.atoms[m[0][0]].term.args[0], c) for m, c in p.items()]
    scale = lcm(*(c.denominator for _, c in powers))
    if any(abs(c) * scale > 12 for _, c in powers):
        return None
    u = mul(*(power(t, num(c * scale)) for t, c in powers if c > 0))
    v = mul(*(power(t, num(-c * scale)) for t, c in powers if c < 0))
    chain = Chain(search, s, 0)
    return _by_function(chain, depth, "log increasing", Relation(u, goal[1], v), u, v)


def _is_log(facts: Facts, m: P.Monomial) -> bool:
    return len(m) == 1 and m[0][1] == 1 and facts.atoms[m[0][0]].key[0] == "log"


def exponentials(search: Search, s: Sequent, depth: int) -> Node | None:
    """Compare u and log(w) as exp(u) and w, where w > 0."""
    if contradiction(s) or not isinstance(s.goal, Relation):
        return None
    goal = difference(s)
    if goal[1] != "==" and (goal[1] not in INEQUALITIES or depth < 2):
        return None
    facts = search.facts(s)
    p = facts.poly(goal[0])
    logs = [m for m in p if any(facts.atoms[i].key[0] == "log" for i, _ in m)]
    if len(logs) != 1 or not _is_log(facts, logs[0]) or len(p) > 12:
        return None
    c = p[logs[0]]
    inner = facts.atoms[logs[0][0][0]].term
    rest = facts.term(P.scaled({m: d for m, d in p.items() if m != logs[0]}, -1 / c))
    first, second = (inner, rest) if c > 0 else (rest, inner)  # first op second
    claim = Relation(call("exp", first), goal[1], call("exp", second))
    return _by_function(Chain(search, s, 0), depth, "exp increasing", claim, first, second)


@needs("goal !=")
def nonzero(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show that a term differs from 0 by showing its sign."""
    if contradiction(s) or not isinstance(s.goal, Relation) or s.goal.op != "!=":
        return None
    facts = search.facts(s)
    t, _ = difference(s)
    for op in (">", "<"):
        claim = Relation(t, op, ZERO)
        chain = Chain(search, s, 0)
        known = not points.sample(s, facts).refutes(claim) and chain.have(claim, depth)
        if known and (node := chain.close_if_clear()) is not None:
            return node
    return None


# --- the rest of a goal ---------------------------------------------------------------------------


@needs("given")
def subtracted(search: Search, s: Sequent, depth: int) -> Node | None:
    """Take multiples of known inequalities off a goal until signs and enclosures settle the rest.

    The rest may be a constant, such as a sum of logarithms of numbers, whose sign no axiom gives.
    """
    if ordered(s) is None or not isinstance(s.goal, Relation):
        return None
    facts = search.facts(s)
    p, op = facts.literal(s.goal)
    if not any(facts.atoms[i].key[0] in ("log", "exp", "call", "constant") for i in P.atoms_of(p)):
        return None
    known = [h for _, h in literals(facts, *INEQUALITIES) if 1 < len(h) <= 6]
    for rest in _rests(facts, p, known, 3):
        claim = Relation(facts.term(rest), op, ZERO)
        chain = Chain(search, s, 0)
        known_rest = search.env.automatic(s.showing(claim)) and chain.have(claim, 0)
        if known_rest and (node := search.prove(chain.s, 0)) is not None:
            return chain.close(node)
    return None


def _rests(facts: Facts, p: P.Poly, known: list[P.Poly], most: int) -> Iterator[P.Poly]:
    """Yield what multiples of known inequalities leave of a polynomial, where its sign is known."""
    if most == 0:
        return
    for h in known:
        tried = set()
        for m in h:
            if not m or m not in p or p[m] / h[m] <= 0 or p[m] / h[m] in tried:
                continue
            tried.add(p[m] / h[m])
            rest = P.plus(p, h, -p[m] / h[m])
            if len(rest) > len(p):
                continue
            if rest and facts.sign(rest) == POSITIVE:
                yield rest
            elif rest:
                yield from _rests(facts, rest, [g for g in known if g is not h], most - 1)


# --- equalities -----------------------------------------------------------------------------------


@needs("goal ==")
def squeezed(search: Search, s: Sequent, depth: int) -> Node | None:
    """Show an equality as two inequalities, such as 0 where a maximum is never more."""
    if contradiction(s) or not isinstance(s.goal, Relation) or s.goal.op != "==":
        return None
    t, _ = difference(s)
    chain = Chain(search, s, depth)
    both = all(chain.have(Relation(t, op, ZERO), depth - 1) for op in (">=", "<="))
    return chain.close_if_clear() if both else None


# --- kinks ----------------------------------------------------------------------------------------


def _kinks(facts: Facts, f: Formula) -> dict[Term, None]:
    """Return the kinks in the relations of a formula, as its normal form has them."""
    if isinstance(f, Or):
        return {t: None for part in f.parts for t in _kinks(facts, part)}
    if not isinstance(f, Relation):
        return {}
    try:
        parts = [p for t in (f.left, f.right) for p in subterms(facts.term(facts.poly(t)))]
    except (Rejected, ArithmeticError):
        return {}
    bound = {part.name for part in parts if part.head in BINDERS}
    kinked = [t for t in parts if t.head in (*CASES, "abs", "max", "min", "sign")]
    return {t: None for t in kinked if not bound & t.free}


CASES = {"ifgt": [">", "<="], "ifge": [">=", "<"], "ifeq": ["==", "!="]}
KINKS = 5  # in one goal


def kinks(search: Search, s: Sequent, depth: int) -> Node | None:
    """Distinguish the cases of an absolute value, a maximum, a minimum or a choice.

    Those of the goal come first; where there are none, those of the hypotheses.
    """
    facts = search.facts(s)
    found = _kinks(facts, s.goal) or {t: None for h in s.hypotheses for t in _kinks(facts, h)}
    if not 1 <= len(found) <= KINKS:
        return None
    one = min(found, key=lambda t: (len(str(t)), str(t)))
    term = one.args[0] if len(one.args) == 1 else one.args[0] - one.args[1]
    ops = CASES.get(one.head, [">=", "<"])
    if one.head == "sign":
        ops = [">", "==", "<"]
    fields = {"term": str(term), "ops": ops}

    def shown(premise: Sequent) -> Node | None:
        # read together again, so that every hypothesis loses the kink
        keep = list(range(len(premise.hypotheses)))
        there = search.premises(premise, "weaken", keep=keep)
        known = there is None or there[0].hypotheses[-1] in s.hypotheses
        return None if known else search.by(premise, "weaken", depth, keep=keep)

    return search.by_each(shown, s, "cases", **fields)
