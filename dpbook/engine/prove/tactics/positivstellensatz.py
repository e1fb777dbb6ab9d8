"""Search for certificates that polynomial facts contradict each other.

`refute` looks for a small tree of exact steps (see `Step`) that the kernel can follow. Numbers in floating point (HiGHS) only say where to look: every coefficient of a certificate
is solved for in rational numbers.

Budgets count work (sizes of linear programs, nodes), never seconds, so a result does not depend on
the machine.

The method is the one of Krivine and Stengle: a contradiction is a sum of products of facts and of
squares that vanishes identically, while one of its terms is positive. The decisive step is a change
of coordinates: independent linear facts become coordinates, and all monomials in them are products
of facts.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import flint

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later
from dpbook.engine.prove.tactics import semidefinite

optimize, sparse = Later("scipy.optimize"), Later("scipy.sparse")

Monomial = tuple[tuple[int, int], ...]
Poly = dict[Monomial, Fraction]
Literal = tuple[Poly, str]

# A monomial is packed into one integer, twelve bits a variable, the highest of them a guard: the
# product of monomials is a sum of integers.
_BITS = 12
_FIELD = (1 << _BITS) - 1
_GUARD = 1 << (_BITS - 1)
# Exponents in the input. Products of three facts with a multiplier stay below the guard.
_LARGEST = 100

# Sums of squares: degree, variables and number of facts.
HIGHEST, WIDEST, LONGEST = 10, 8, 18
SMALL = 16  # columns of a linear program that is first solved as a system of equations

_Packed = dict[int, int]
_ONE: _Packed = {0: 1}


class _Spent(Exception):
    """Signal that the budget of work is spent."""


# ------------------------------------------------------------------------- packed polynomials


def _pack(monomial: Iterable[tuple[int, int]]) -> int:
    return sum(exponent << (_BITS * variable) for variable, exponent in monomial)


def _packed(poly: Poly) -> dict[int, Fraction]:
    return {_pack(key): value for key, value in poly.items() if value}


def too_large(literals: Iterable[Literal]) -> bool:
    """Say whether a power is larger than packed monomials hold."""
    return any(power > _LARGEST for poly, _ in literals for key in poly for _, power in key)


def _unpack(key: int) -> Monomial:
    found = []
    variable = 0
    while key:
        if key & _FIELD:
            found.append((variable, key & _FIELD))
        key >>= _BITS
        variable += 1
    return tuple(found)


def _power(key: int, variable: int) -> int:
    return (key >> (_BITS * variable)) & _FIELD


def _degree(key: int) -> int:
    total = 0
    while key:
        total += key & _FIELD
        key >>= _BITS
    return total


def _guard(variables: Iterable[int]) -> int:
    return _pack((variable, _GUARD) for variable in variables)


def _quotients(keys: Iterable[int], own: int, guard: int) -> set[int]:
    """Return the monomials, in guarded variables, that take a monomial to one of `keys`."""
    reached = ((key | guard) - own for key in keys)
    return {reach ^ guard for reach in reached if reach & guard == guard}


def _times(left: dict[int, Any], right: dict[int, Any]) -> dict[int, Any]:
    if len(left) == 1:
        ((shift, factor),) = left.items()
        return {key + shift: value * factor for key, value in right.items()}
    product: dict[int, Any] = {}
    for key, value in left.items():
        for other, factor in right.items():
            place = key + other
            product[place] = product.get(place, 0) + value * factor
    return {key: value for key, value in product.items() if value}


def _plus(left: dict[Any, Any], right: dict[Any, Any], factor: Any = 1) -> dict[Any, Any]:
    total = dict(left)
    for key, value in right.items():
        new = total.get(key, 0) + value * factor
        if new:
            total[key] = new
        else:
            total.pop(key, None)
    return total


def _minus(poly: _Packed) -> _Packed:
    return {key: -value for key, value in poly.items()}


def _primitive(poly: dict[int, Any]) -> tuple[_Packed, Fraction]:
    """Return the polynomial with coprime integer coefficients, and the scale that restores it."""
    if not poly:
        return {}, Fraction(1)
    parts = {key: Fraction(value) for key, value in poly.items()}
    bottom = math.lcm(*(value.denominator for value in parts.values()))
    whole = {key: int(value * bottom) for key, value in parts.items()}
    top = math.gcd(*whole.values())
    return {key: value // top for key, value in whole.items()}, Fraction(top, bottom)


def _key(poly: _Packed) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(poly.items()))


def _variables(poly: Iterable[int]) -> set[int]:
    union = 0
    for key in poly:
        union |= key
    return {variable for variable, _ in _unpack(union)}


def _to_flint(poly: dict[int, Any], variables: Sequence[int], kind: Any) -> Any:
    """Return a polynomial of FLINT, of some kind, in some of the variables."""
    ring = kind.get(tuple(f"x{v}" for v in variables) or ("x",), "lex")
    return ring.from_dict(
        {tuple(_power(key, v) for v in variables) or (0,): value for key, value in poly.items()}
    )


def _from_flint(poly: Any, variables: Sequence[int], read: Callable[[Any], Any]) -> dict[int, Any]:
    return {
        _pack(zip(variables, map(int, place), strict=False)): read(value)
        for place, value in poly.to_dict().items()
    }


def _exact(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _outward(poly: dict[int, Any], scale: Fraction | int = 1) -> Poly:
    return {_unpack(key): Fraction(value) / scale for key, value in sorted(poly.items())}


# ------------------------------------------------------------------------- facts and the tree


@dataclass(frozen=True, slots=True, eq=False)
class _Fact:
    """Hold a fact under a lasting name; the checker's polynomial is `scale` times `poly`."""

    name: int
    poly: _Packed
    op: str
    scale: Fraction


_Alternative = list[tuple[_Packed, Fraction, str]]
_Names = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Clause:
    index: int
    alternatives: list[_Alternative]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """Hold a node of a tree that shows a contradiction.

    Facts have lasting names: the given ones their numbers; those that a node adds stand before its
    child.

    The data of a sum are its terms, each a factor, names of facts and a square; and names of
    equalities with their multipliers. For "cancel" they are the fact, the divisors and the quotient,
    for the other rules the clause, the term or the literal.
    """

    rule: str  # "sum", "split", "cases", "cancel" or "have"
    uses: frozenset[int]  # names of the facts that it needs
    data: dict[str, Any]
    children: tuple[tuple[_Names, Step], ...] = ()  # (names of appended facts, child)

    def clauses(self) -> set[int]:
        """Return the numbers of the clauses that are split here or below."""
        own = {self.data["clause"]} if self.rule == "split" else set()
        return own.union(*(child.clauses() for _, child in self.children))


def _branching(
    rule: str,
    data: dict[str, Any],
    children: Sequence[tuple[_Names, Step]],
    more: Iterable[int] = (),
) -> Step:
    """Return a node with children, or a child that does not use the facts from the node."""
    # the first child of "have" is looked at last
    for names, child in reversed(children) if rule == "have" else children:
        if not child.uses.intersection(names):
            return child
    uses = frozenset(more).union(*(child.uses.difference(names) for names, child in children))
    return Step(rule, uses, data, tuple(children))


_Opened = tuple[list[_Fact], _Names, Step | None]  # facts, their names, and a tree if it is found

Wrap = Callable[[Step], Step]  # the way to put a tree into a larger one


def _around(
    rule: str,
    data: dict[str, Any],
    children: Sequence[tuple[_Names, Step | None]],
    more: Iterable[int] = (),
) -> Wrap:
    """Return the way to put a tree in the place of the child that is missing."""

    def wrap(missing: Step) -> Step:
        return _branching(rule, data, [(names, step or missing) for names, step in children], more)

    return wrap


def _wrapped(step: Step | None, wraps: Sequence[Wrap]) -> Step | None:
    for wrap in reversed(wraps):
        step = step and wrap(step)
    return step


# ------------------------------------------------------------------------- linear programs


@dataclass(slots=True, eq=False)
class _Column:
    """Hold a nonnegative polynomial: a product of facts times the square of a monomial."""

    poly: _Packed
    names: _Names = ()
    square: int = 0  # packed monomial in the problem's variables; its square is a factor
    strict: bool = True
    weight: float = 0.5  # how much it costs to use it
    scale: Fraction = Fraction(1)  # the product is this times the polynomial

    def times(self, other: _Column) -> _Column:
        return _Column(
            _times(self.poly, other.poly),
            self.names + other.names,
            self.square + other.square,
            self.strict and other.strict,
            self.weight + other.weight,
            self.scale * other.scale,
        )


def _combine(
    columns: Sequence[_Column], free: Sequence[_Packed], charge: Callable[[int], None]
) -> dict[int, Fraction] | None:
    """Find multipliers for sum 0: of `columns` (>= 0; strict ones add up to 1), of `free` (any).

    The multipliers other than 0 are returned by place: first the columns, then the free polynomials.
    """
    count = len(columns)
    polys = [column.poly for column in columns] + list(free)
    holders: dict[int, list[int]] = {}
    kinds: dict[int, list[int]] = {}  # terms above 0, terms below 0, terms of free polynomials
    for place, poly in enumerate(polys):
        for key, value in poly.items():
            holders.setdefault(key, []).append(place)
            kinds.setdefault(key, [0, 0, 0])[value < 0 if place < count else 2] += 1
    # A monomial that only terms of one sign hold, or one free polynomial, cannot vanish.
    live = set(range(len(polys)))
    waiting = list(kinds)
    while waiting:
        key = waiting.pop()
        above, below, either = kinds[key]
        if (above > 0) + (below > 0) + either == 1:
            for place in live.intersection(holders[key]):
                live.remove(place)
                for other, value in polys[place].items():
                    kinds[other][value < 0 if place < count else 2] -= 1
                    waiting.append(other)
    places = sorted(live)
    strict = [place < count and columns[place].strict for place in places]
    if not any(strict):
        return None
    chosen = [polys[place] for place in places]
    largest = [max(map(abs, poly.values()), default=1) for poly in chosen]
    if any(value.bit_length() > 900 for value in largest):
        return None  # no floating point number
    row_of: dict[int, int] = {}
    cells = [
        (value / largest[place], row_of.setdefault(key, len(row_of) + 1), place)
        for place, poly in enumerate(chosen)
        for key, value in poly.items()
    ]
    cells += [(1.0, 0, place) for place, positive in enumerate(strict) if positive]
    height = len(row_of) + 1
    charge(len(cells) + 2 * height + 100)
    if len(chosen) <= SMALL:
        family = _solutions(chosen, strict)
        if family is None:
            return None
        if not family.loose:  # one solution at most: no linear program, and no import of SciPy
            only = dict(zip(places, family.near([0.0] * len(chosen)), strict=True))
            below_zero = any(value < 0 for place, value in only.items() if place < count)
            return None if below_zero else {k: value for k, value in only.items() if value}
    entries, down, across = zip(*cells, strict=True)
    matrix = sparse.csc_array((entries, (down, across)), shape=(height, len(chosen)))
    right = np.zeros(height)
    right[0] = 1.0
    answer = optimize.linprog(
        [columns[place].weight if place < count else 0.0 for place in places],
        A_eq=matrix,
        b_eq=right,
        bounds=np.array([(0.0 if p < count else None, None) for p in places], dtype=float),
        method="highs-ds",
        options={
            "maxiter": 20 * (height + len(chosen)),
            "primal_feasibility_tolerance": 1e-9,
            "dual_feasibility_tolerance": 1e-9,
        },
    )
    if answer.x is None or answer.status != 0:
        return None
    values = answer.x
    support = [i for i in range(len(chosen)) if abs(values[i]) > 1e-10]
    for _ in range(4):
        family = _solutions([chosen[i] for i in support], [strict[i] for i in support])
        if family is None:
            return None
        exact = family.near([values[i] / largest[i] for i in support])
        wrong = {i for i, c in zip(support, exact, strict=True) if places[i] < count and c < 0}
        if not wrong:
            return {places[i]: c for i, c in zip(support, exact, strict=True) if c}
        support = [i for i in support if i not in wrong]
    return None


@dataclass(frozen=True, slots=True)
class _Solutions:
    """Hold all multipliers with sum 0 and weight 1 on the strict columns, as a reduced table."""

    table: Any
    pivots: tuple[int, ...]
    loose: tuple[int, ...]

    def near(self, guess: Sequence[float]) -> list[Fraction]:
        """Return the solution whose loose multipliers are close to a guess."""
        width = len(self.pivots) + len(self.loose)
        near = {place: Fraction(guess[place]).limit_denominator(1 << 20) for place in self.loose}
        solution = dict(near)
        for row, place in enumerate(self.pivots):
            taken = (_exact(self.table[row, other]) * value for other, value in near.items())
            solution[place] = _exact(self.table[row, width]) - sum(taken)
        return [solution[place] for place in range(width)]


def _solutions(polys: Sequence[_Packed], strict: Sequence[bool]) -> _Solutions | None:
    """Return all exact multipliers; None if no multipliers exist."""
    keys = sorted(set().union(*polys)) if polys else []
    width = len(polys)
    table = [[poly.get(key, 0) for poly in polys] + [0] for key in keys]
    table.append([int(one) for one in strict] + [1])
    solved = semidefinite.reduced(flint.fmpq_mat(table))
    if solved is None:
        return None
    reduced, pivots = solved
    loose = tuple(place for place in range(width) if place not in set(pivots))
    return _Solutions(reduced, tuple(pivots), loose)


# ------------------------------------------------------------------------- shifted coordinates


_Line = dict[Any, Fraction]  # coordinate -> coefficient; None is the constant


class _Shift:
    """Hold facts in coordinates of which as many as possible are facts themselves.

    Variables whose exponents are proportional in all facts are merged, and independent linear facts
    become coordinates. The forms are nonnegative quantities that are linear in the merged variables.
    """

    def __init__(self, facts: Sequence[_Fact]):
        bounds: dict[int, _Fact] = {}
        rest: list[_Fact] = []
        for fact in facts:
            if len(fact.poly) == 1 and fact.op in (">", ">="):
                ((key, value),) = fact.poly.items()
                if value == 1 and _degree(key) == 1:
                    ((variable, _),) = _unpack(key)
                    if variable not in bounds or fact.op == ">":
                        bounds[variable] = fact
                    continue
            rest.append(fact)
        self.bounds = bounds
        keys = sorted({key for fact in rest for key in fact.poly})
        groups: dict[tuple[int, ...], list[tuple[int, int]]] = {}
        for variable in sorted(_variables(keys)):
            vector = [_power(key, variable) for key in keys]
            common = math.gcd(*vector)
            alike = groups.setdefault(tuple(entry // common for entry in vector), [])
            alike.append((variable, common))
        self.groups = list(groups.values())
        self.group_key = [_pack(group) for group in self.groups]
        self.forms: list[_Column] = []
        rows: list[_Line] = []
        for place, group in enumerate(self.groups):
            form = self._sign(group)
            if form is not None:
                self.forms.append(form)
                rows.append({("u", place): Fraction(1)})
        others: list[tuple[_Fact, _Packed]] = []
        for fact in rest:
            poly = self._merge(fact.poly)
            if fact.op in (">", ">=") and all(_degree(key) <= 1 for key in poly) and any(poly):
                self.forms.append(_Column(fact.poly, (fact.name,), 0, fact.op == ">"))
                labelled = ((("u", _unpack(k)[0][0]) if k else None, c) for k, c in poly.items())
                rows.append({label: Fraction(value) for label, value in labelled})
            else:
                others.append((fact, poly))
        self._coordinates(rows)
        self._rewrite(others)

    def _sign(self, group: list[tuple[int, int]]) -> _Column | None:
        """Return the merged variable as a product of sign facts and squares, if it is one."""
        names: list[int] = []
        square = 0
        strict = True
        for variable, power in group:
            fact = self.bounds.get(variable)
            if fact is not None and (fact.op == ">" or power % 2):
                names += [fact.name] * power
                strict = strict and fact.op == ">"
            elif power % 2 == 0:
                square += (power // 2) << (_BITS * variable)
                strict = False
            else:
                return None
        return _Column({_pack(group): 1}, tuple(names), square, strict)

    def _merge(self, poly: _Packed) -> _Packed:
        """Return the polynomial in the merged variables."""
        firsts = [group[0] for group in self.groups]
        return {
            _pack(
                (place, _power(key, v) // power) for place, (v, power) in enumerate(firsts)
            ): value
            for key, value in poly.items()
        }

    def _coordinates(self, rows: list[_Line]) -> None:
        """Choose forms as coordinates such that the other forms have few negative coefficients."""

        def pivot(table: list[_Line], row: _Line, old: Any, new: Any) -> list[_Line]:
            lead = row[old]
            # the other coordinates for the old one, which -1 times itself takes off
            express = {key: -value / lead for key, value in row.items()}
            express[new] = 1 / lead
            return [_plus(line, express, line[old]) if old in line else line for line in table]

        size = len(rows)
        table = rows + [{("u", place): Fraction(1)} for place in range(len(self.groups))]

        def says(place: int) -> tuple[bool, int]:
            return all(value >= 0 for value in rows[place].values()), len(rows[place])

        # Forms that say most come first: differences and bounds away from zero, before signs.
        for place in sorted(range(size), key=says):
            row = table[place]
            old = [key for key in row if key is not None and key[0] == "u"]
            if old:
                # Better to replace a variable that the form bounds from below.
                best = min(old, key=lambda key: (row[key] < 0, key[1]))
                table = pivot(table, row, best, ("t", place))

        def badness(lines: list[_Line]) -> int:
            items = (item for line in lines[:size] for item in line.items())
            return sum(value < 0 for key, value in items if key is None or key[0] == "t")

        def moves(table: list[_Line]) -> Iterator[list[_Line]]:
            """Yield the tables in which another form has become a coordinate."""
            for place, row in enumerate(table[:size]):
                if len(row) == 1 and None not in row and 1 in row.values():
                    continue  # it is a coordinate
                for key, value in row.items():
                    if key is not None and key[0] == "t" and value > 0:
                        yield pivot(table, row, key, ("t", place))

        for _ in range(8):
            best_move = min(moves(table), key=badness, default=table)
            if badness(best_move) >= badness(table):
                break
            table = best_move
        self.table = table[:size]
        self.values = table[size:]

    def _rewrite(self, others: list[tuple[_Fact, _Packed]]) -> None:
        labels = sorted({key for line in self.values for key in line if key is not None})
        self.labels = labels
        width = len(labels)
        index = {label: place for place, label in enumerate(labels)}
        self.sign = [self.forms[number] if kind == "t" else None for kind, number in labels]
        self.free_mask = _pack((place, 1) for place, form in enumerate(self.sign) if not form)
        self.guard = _guard(range(width))

        def packed(line: _Line) -> dict[int, Fraction]:
            return {
                _pack([(index[label], 1)]) if label is not None else 0: value
                for label, value in line.items()
            }

        images = [
            _to_flint(
                {k: flint.fmpq(c.numerator, c.denominator) for k, c in packed(line).items()},
                range(width),
                flint.fmpq_mpoly_ctx,
            )
            for line in self.values or [{}]
        ]
        self.bases: list[_Column] = []
        self.equalities: list[tuple[_Packed, int, Fraction]] = []
        for place, form in enumerate(self.forms):
            if ("t", place) in index:
                continue
            self._base(packed(self.table[place]), form.names, form.square, form.strict)
        for fact, merged in others:
            source = _to_flint(merged, range(len(self.groups)), flint.fmpq_mpoly_ctx)
            image = source.compose(*images, ctx=images[0].context())
            poly = _from_flint(image, range(width), _exact)
            if fact.op == "==":
                whole, scale = _primitive(poly)
                if whole:
                    self.equalities.append((whole, fact.name, scale))
            else:
                self._base(poly, (fact.name,), 0, fact.op == ">")

    def _base(self, poly: dict[int, Any], names: _Names, square: int, strict: bool) -> None:
        whole, scale = _primitive(poly)
        nonnegative = all(value > 0 and self.even(key) for key, value in whole.items())
        if nonnegative and whole and (not strict or any(self.positive(key) for key in whole)):
            return
        self.bases.append(_Column(whole, names, square, strict, float(len(names)), scale))

    def even(self, key: int) -> bool:
        """Say whether a monomial in the coordinates is nonnegative."""
        return not key & self.free_mask

    def positive(self, key: int) -> bool:
        """Say whether a monomial in the coordinates is positive."""
        forms = (self.sign[place] for place, _ in _unpack(key))
        return all(form is not None and form.strict for form in forms)

    def monomial(self, key: int) -> _Column:
        """Return a nonnegative monomial in the coordinates as a product of facts and a square."""
        names: list[int] = []
        square = 0
        for place, power in _unpack(key):
            form = self.sign[place]
            if form is None:
                square += (power // 2) * self.group_key[self.labels[place][1]]
            else:
                names += list(form.names) * power
                square += form.square * power
        weight = len(names) + 0.5 * _degree(square) + 0.1
        return _Column({key: 1}, tuple(names), square, self.positive(key), weight)

    def original(self, key: int) -> _Packed:
        """Return a monomial in the coordinates as a polynomial in the problem's variables."""
        product: _Packed = {0: 1}
        for place, power in _unpack(key):
            form = self.sign[place]
            factor = form.poly if form else {self.group_key[self.labels[place][1]]: 1}
            for _ in range(power):
                product = _times(product, factor)
        return product


# ------------------------------------------------------------------------- the search


class _Search:
    def __init__(self) -> None:
        self.left = 0
        self.names = itertools.count()
        self.tried: set[Any] = set()
        self.factored: dict[Any, tuple[int, list[tuple[_Packed, int]]]] = {}

    def charge(self, work: int) -> None:
        self.left -= work
        if self.left < 0:
            raise _Spent

    def fact(self, poly: dict[int, Any], op: str, name: int | None = None) -> _Fact:
        whole, scale = _primitive(poly)
        return _Fact(next(self.names) if name is None else name, whole, op, scale)

    # ---- sums

    def _sum(
        self,
        facts: Sequence[_Fact],
        terms: Iterable[tuple[Fraction, _Names, dict[int, Any]]],
        equalities: dict[int, dict[int, Any]],
    ) -> Step:
        """Return a sum node; multipliers refer to the primitive polynomials.

        The last entry of a term is a polynomial whose square is a factor.
        """
        scales = {fact.name: fact.scale for fact in facts}
        listed = []
        for value, names, root in terms:
            scale = math.prod(scales[name] for name in names)
            listed.append((value / scale, names, None if root == _ONE else _outward(root)))
        equal = [(n, _outward(poly, scales[n])) for n, poly in sorted(equalities.items()) if poly]
        uses = frozenset(name for name, _ in equal).union(*(names for _, names, _ in listed))
        return Step("sum", uses, {"terms": listed, "equalities": equal})

    def trivial(self, facts: Sequence[_Fact]) -> Step | None:
        """Refute two facts, or one, that contradict each other as they stand."""
        groups: dict[Any, list[_Fact]] = {}
        for fact in facts:
            groups.setdefault(min(_key(fact.poly), _key(_minus(fact.poly))), []).append(fact)
        for group in groups.values():
            differs = [fact for fact in group if fact.op == "!="]
            equal = [fact for fact in group if fact.op == "=="]
            if differs and (equal or not differs[0].poly):
                return self._nonzero(facts, differs[0], equal[0] if equal else None)
            if len(group) > 1 or group[0].poly.keys() <= {0}:
                step = self.linear(group)
                if step is not None:
                    return step
        return None

    def _nonzero(self, facts: Sequence[_Fact], fact: _Fact, equal: _Fact | None) -> Step:
        """Refute p != 0 and p == 0 (or 0 != 0): dividing gives 1 == 0."""
        if equal is None:
            # 0 == 0 in the case "==", which the other cases refute by 0 > 0.
            above, level, below = (self.fact({}, op) for op in (">", "==", ">"))
            children = [
                ((above.name,), self._sum([above], [(Fraction(1), (above.name,), _ONE)], {})),
                ((level.name,), self._nonzero([*facts, level], fact, level)),
                ((below.name,), self._sum([below], [(Fraction(1), (below.name,), _ONE)], {})),
            ]
            return _branching("cases", {"term": {}, "ops": [">", "==", "<"]}, children)
        ratio = Fraction(1)
        if equal.poly:
            key = next(iter(equal.poly))
            ratio = equal.poly[key] * equal.scale / (fact.poly[key] * fact.scale)
        new = self.fact({0: ratio}, "==")
        multiplier = {0: Fraction(-1, new.poly[0])}
        child = self._sum([new], [(Fraction(1), (), _ONE)], {new.name: multiplier})
        by = [(fact.name, 1)]
        data = {"fact": equal.name, "by": by, "even": [], "quotient": {(): ratio}}
        return _branching("cancel", data, [((new.name,), child)], (equal.name, fact.name))

    def linear(self, facts: Sequence[_Fact]) -> Step | None:
        """Refute facts with monomials as unknowns, by the lemma of Farkas."""
        usable = [fact for fact in facts if fact.op in (">", ">=")]
        equal = [fact for fact in facts if fact.op == "=="]
        columns = [_Column(fact.poly, (fact.name,), 0, fact.op == ">", 1.0) for fact in usable]
        columns.append(_Column({0: 1}))
        return self._combined(facts, columns, [(fact.poly, fact.name, 0, 1) for fact in equal])

    def _combined(
        self,
        facts: Sequence[_Fact],
        columns: Sequence[_Column],
        free: Sequence[tuple[_Packed, int, int, Any]],
        written: Callable[[int], _Packed] = lambda key: {key: 1},
    ) -> Step | None:
        """Refute by multiples of columns and of equalities.

        Each of `free` is the multiple of an equality by a monomial, the equality's name, the
        monomial, and the equality's scale; `written` gives a monomial in the problem's variables.
        """
        found = _combine(columns, [poly for poly, _, _, _ in free], self.charge)
        if found is None:
            return None
        multipliers: dict[int, dict[int, Any]] = {}
        listed = []
        for place, value in found.items():
            if place < len(columns):
                one = columns[place]
                listed.append((value / one.scale, one.names, {one.square: 1}))
            else:
                _, name, key, scale = free[place - len(columns)]
                multipliers[name] = _plus(multipliers.get(name, {}), written(key), value / scale)
        return self._sum(facts, listed, multipliers)

    def products(self, facts: Sequence[_Fact], most: int, cap: int) -> Step | None:
        """Refute with products of up to `most` facts, and equalities times fitting monomials."""
        usable = [fact for fact in facts if fact.op in (">", ">=") and fact.poly]
        equal = [fact for fact in facts if fact.op == "==" and fact.poly]
        single = [_Column(fact.poly, (fact.name,), 0, fact.op == ">", 1.0) for fact in usable]
        columns = [_Column({0: 1})]
        layer = [(columns[0], 0)]
        for _ in range(most):
            pairs = (
                (column, place)
                for column, first in layer
                for place in range(first, len(single))
                if len(column.poly) * len(single[place].poly) <= 400
            )
            some = itertools.islice(pairs, max(1, cap + 1 - len(columns)))
            layer = [(column.times(single[place]), place) for column, place in some]
            columns += [column for column, _ in layer]
        self.charge(sum(len(column.poly) for column in columns))
        keys = {key for column in columns for key in column.poly}
        multiples = self._multiples(equal, keys, cap) if equal else []
        free = [(_times({key: 1}, fact.poly), fact.name, key, 1) for fact, key in multiples]
        return self._combined(facts, columns, free)

    @staticmethod
    def _multiples(equal: Sequence[_Fact], keys: set[int], cap: int) -> list[tuple[_Fact, int]]:
        guard = _guard(_variables(keys.union(*(fact.poly for fact in equal))))
        found: list[tuple[int, int, int, _Fact]] = []
        for order, fact in enumerate(equal):
            for key in {0}.union(*(_quotients(keys, own, guard) for own in fact.poly)):
                outside = sum((own + key) not in keys for own in fact.poly)
                found.append((outside + _degree(key), order, key, fact))
        found.sort(key=lambda entry: entry[:3])
        return [(fact, key) for _, _, key, fact in found[:cap]]

    def shifted(
        self, facts: Sequence[_Fact], products: int, most: int, rounds: int = 1
    ) -> Step | None:
        """Refute by a sum in shifted coordinates.

        Up to `products` facts that are no coordinates are multiplied with each other; `most` is the
        number of columns of the linear program in one of the rounds.
        """
        usable = [fact for fact in facts if fact.op != "!=" and fact.poly]
        if not usable or sum(len(fact.poly) for fact in usable) > 600:
            return None
        shift = _Shift(usable)
        self.charge(sum(len(base.poly) for base in shift.bases) + 200)
        if sum(len(base.poly) for base in shift.bases) > 4000:
            return None
        layer = [(base, place) for place, base in enumerate(shift.bases)]
        every = list(shift.bases)
        for _ in range(1, products):
            grown: list[tuple[_Column, int]] = []
            for column, first in layer:
                for place in range(first, len(shift.bases)):
                    work = len(column.poly) * len(shift.bases[place].poly)
                    if work > 900 or len(every) + len(grown) > 80:
                        continue
                    self.charge(work)
                    grown.append((column.times(shift.bases[place]), place))
            every += [column for column, _ in grown]
            layer = grown
        polys = [*(column.poly for column in every), *(poly for poly, _, _ in shift.equalities)]
        keys = {0}.union(*polys[: len(shift.bases)], *polys[len(every) :])
        for _ in range(rounds):
            candidates = sorted(
                (sum((own + key) not in keys for own in poly), _degree(key), order, key)
                for order, poly in enumerate(polys)
                for key in self._reach(poly, keys, shift.guard, most * 4)
                if order >= len(every) or shift.even(key)
            )[:most]
            columns: list[_Column] = []
            free: list[tuple[_Packed, int, int, Fraction]] = []
            rows = {0}
            for _, _, order, key in candidates:
                if order < len(every):
                    columns.append(every[order].times(shift.monomial(key)))
                    rows.update(columns[-1].poly)
                else:
                    poly, name, scale = shift.equalities[order - len(every)]
                    free.append((_times({key: 1}, poly), name, key, scale))
                    rows.update(free[-1][0])
            columns += [shift.monomial(key) for key in sorted(rows) if shift.even(key)]
            self.charge(sum(len(column.poly) for column in columns) // 2)
            step = self._combined(facts, columns, free, shift.original)
            if step is not None:
                return step
            if len(candidates) == most:
                break
            keys = rows
        return None

    @staticmethod
    def _reach(poly: _Packed, keys: set[int], guard: int, most: int) -> list[int]:
        """Return monomials that take some monomial of `poly` to one of `keys`."""
        wanted = {0}
        for own in sorted(poly, key=lambda key: (-_degree(key), key)):
            wanted |= _quotients(keys, own, guard)
            if len(wanted) > most:
                break
        return sorted(wanted, key=lambda key: (_degree(key), key))[:most]

    def sum(self, facts: Sequence[_Fact], level: int) -> Step | None:
        """Refute by a single sum, with growing cost."""
        mark = (level, frozenset((_key(fact.poly), fact.op) for fact in facts))
        if mark in self.tried:
            return None
        ways: list[tuple[bool, Callable[[], Step | None]]] = [
            (True, lambda: self.trivial(facts)),
            (True, lambda: self.linear(facts)),
            (level == 1, lambda: self.shifted(facts, 1, 160)),
            (level >= 1, lambda: self.products(facts, 2, 250)),
            (level == 2, lambda: self.shifted(facts, 2, 500)),
            (level >= 2, lambda: self.products(facts, 3, 800)),
            (level >= 2, lambda: self.sums_of_squares(facts, level)),
            (level >= 3, lambda: self.shifted(facts, 2, 2000, rounds=2)),
        ]
        for now, way in ways:
            if now and (step := way()) is not None:
                return step
        self.tried.add(mark)
        return None

    def sums_of_squares(self, facts: Sequence[_Fact], level: int) -> Step | None:
        """Refute by a sum with squares of any polynomials of a degree."""
        used = [fact for fact in facts if fact.op != "!=" and fact.poly]
        variables = sorted(set().union(*(_variables(fact.poly) for fact in used)))
        most = max((_degree(key) for fact in used for key in fact.poly), default=0)
        if not 1 < most <= HIGHEST or len(variables) > WIDEST or len(used) > LONGEST:
            return None
        given = [
            (fact.name, _to_flint(fact.poly, variables, flint.fmpq_mpoly_ctx), fact.op)
            for fact in used
        ]
        even = most + most % 2
        for degree in (even, even + 2)[: max(1, level - 1)]:
            for products in (1, 2):
                found = semidefinite.refute(given, degree, products, self.charge)
                if found is not None:
                    read = partial(_from_flint, variables=variables, read=_exact)
                    terms = [
                        (_exact(c), n, read(root) if root else _ONE) for c, n, root in found.terms
                    ]
                    multipliers = {name: read(q) for name, q in found.equalities.items()}
                    return self._sum(used, terms, multipliers)
        return None

    # ---- factors

    def factors(self, poly: _Packed) -> tuple[int, list[tuple[_Packed, int]]]:
        """Return an integer and irreducible primitive factors with exponents."""
        mark = _key(poly)
        if mark not in self.factored:
            variables = sorted(_variables(poly))
            source = _to_flint(poly, variables, flint.fmpz_mpoly_ctx)
            try:
                content, parts = source.factor()
            except OverflowError:  # FLINT sorts the factors by numbers of its own size
                self.factored[mark] = (1, [(poly, 1)])
                return self.factored[mark]
            unit = int(content)
            listed = []
            for part, power in parts:
                whole, scale = _primitive(_from_flint(part, variables, int))
                unit *= int(scale) ** int(power)
                listed.append((whole, int(power)))
            listed.sort(key=lambda entry: (len(entry[0]), _key(entry[0])))
            self.factored[mark] = (unit, listed)
        return self.factored[mark]

    # ---- lemmas

    def have(
        self, facts: Sequence[_Fact], poly: _Packed, op: str, level: int
    ) -> tuple[_Fact, Wrap] | None:
        """Return the fact `poly op 0`, proved by one sum, and a wrapper for a tree that uses it."""
        opposite = self.fact(_minus(poly), ">=" if op == ">" else ">")
        by = self.sum([*facts, opposite], level)
        if by is None:
            return None
        new = self.fact(poly, op)
        children = [((opposite.name,), by), ((new.name,), None)]
        return new, _around("have", {"literal": [_outward(poly), op]}, children)

    @staticmethod
    def known(facts: Sequence[_Fact]) -> dict[Any, _Fact]:
        """Return the facts by polynomial and relation."""
        return {(_key(fact.poly), fact.op): fact for fact in reversed(facts)}

    def cancel(
        self, facts: list[_Fact], focus: list[_Fact], level: int
    ) -> tuple[list[_Fact], list[_Fact], list[Wrap]]:
        """Divide facts by factors whose sign is known."""
        wraps: list[Wrap] = []
        table = self.known(facts)
        result: list[_Fact] = []
        for fact in focus:
            curved = fact.op != "!=" and any(_degree(key) > 1 for key in fact.poly)
            unit, parts = self.factors(fact.poly) if curved else (1, [])
            if sum(power for _, power in parts) < 2:  # it has no factors
                result.append(fact)
                continue
            by: list[tuple[_Fact, int]] = []
            even: list[tuple[_Packed, int]] = []
            quotient: _Packed = {0: unit}
            others = [entry for entry in facts if entry is not fact]
            for part, power in parts:
                cofactor, sign = self._cofactor(others, table, part, fact.op, level, wraps)
                left = power
                if cofactor is not None:
                    by.append((cofactor, power))
                    left = 0
                    if sign < 0 and power % 2:
                        quotient = _minus(quotient)
                    if cofactor not in facts:
                        facts = [*facts, cofactor]
                        table = self.known(facts)
                elif power > 1 and fact.op == ">":
                    left = power % 2
                    even.append((part, power - left))
                for _ in range(left):
                    quotient = _times(quotient, part)
            if not by and not even:
                result.append(fact)
                continue
            if quotient.keys() == {0} and quotient[0] > 0 and fact.op != "==":
                continue  # says nothing new
            ratio = fact.scale / math.prod(cofactor.scale**power for cofactor, power in by)
            whole = {key: value * ratio for key, value in quotient.items()}
            new = self.fact(whole, fact.op)
            mark = (_key(new.poly), new.op)
            if mark in table:
                result.append(table[mark])
                continue
            data = {
                "fact": fact.name,
                "by": [(cofactor.name, power) for cofactor, power in by],
                "even": [[_outward(part), power] for part, power in even],
                "quotient": _outward(whole),
            }
            uses = {fact.name, *(cofactor.name for cofactor, _ in by)}
            wraps.append(_around("cancel", data, [((new.name,), None)], uses))
            facts = [*facts, new]
            table[mark] = new
            result.append(new)
        return facts, result, wraps

    def _cofactor(
        self,
        facts: list[_Fact],
        table: dict[Any, _Fact],
        part: _Packed,
        op: str,
        level: int,
        wraps: list[Wrap],
    ) -> tuple[_Fact | None, int]:
        """Return a fact that gives a factor, or its negative, a sign, and which of the two it is."""
        both = ((part, 1), (_minus(part), -1))
        signs = (">", ">=") if op == ">" else (">",)
        for relation, (poly, sign) in itertools.product(signs, both):
            if known := table.get((_key(poly), relation)):
                return known, sign
        if op == "==" and (known := table.get((_key(part), "!="))):
            return known, 1
        for (poly, sign), relation in itertools.product(both, signs):
            if found := self.have(facts, poly, relation, level):
                wraps.append(found[1])
                return found[0], sign
        return None, 0

    # ---- the tree

    def clean(self, facts: Iterable[_Fact]) -> list[_Fact]:
        """Return the facts without facts that hold anyway or stand twice."""
        kept: dict[Any, _Fact] = {}
        for fact in facts:
            if fact.op in (">=", "==") and not fact.poly:
                continue
            number = fact.poly[0] if fact.poly.keys() == {0} else 0
            if fact.op == "!=" and number or fact.op != "==" and number > 0:
                continue
            kept.setdefault((_key(fact.poly), fact.op), fact)
        return [
            fact
            for (key, op), fact in kept.items()
            if not (op in (">=", "!=") and (key, ">") in kept)
        ]

    def literals(self, alternative: _Alternative) -> list[_Fact]:
        return [_Fact(next(self.names), poly, op, scale) for poly, scale, op in alternative]

    def opened(self, facts: list[_Fact], clause: _Clause) -> list[_Opened]:
        """Return the alternatives of a clause, refuted where one cheap sum does it."""
        lists = [self.literals(alternative) for alternative in clause.alternatives]
        return [(new, tuple(f.name for f in new), self.sum([*facts, *new], 0)) for new in lists]

    def attack(
        self, facts: list[_Fact], clauses: list[_Clause], level: int, depth: int
    ) -> Step | None:
        """Refute facts and clauses: sums up to `level`, sign cases up to `depth`."""
        self.charge(50)
        facts = self.clean(facts)
        step = self.sum(facts, 0)
        if step is not None:
            return step
        wraps: list[Wrap] = []
        facts, clauses, step = self._units(facts, clauses, wraps)
        if step is None:
            facts = self._nonzeros(facts, wraps)
            step = self.sum(facts, 1) or self._split(facts, clauses, level, depth)
        return _wrapped(step, wraps)

    def _split(
        self, facts: list[_Fact], clauses: list[_Clause], level: int, depth: int
    ) -> Step | None:
        """Refute facts with each alternative of the clause that leaves the fewest of them open."""
        if not clauses:
            return self._leaf(facts, facts, level, depth)

        def rank(tried: tuple[_Clause, list[_Opened]]) -> tuple[int, int, int]:
            left = sum(step is None for _, _, step in tried[1])
            return left, sum(len(new) for new, _, _ in tried[1]), tried[0].index

        clause, parts = min(((c, self.opened(facts, c)) for c in clauses), key=rank)
        rest = [other for other in clauses if other is not clause]
        children: list[tuple[_Names, Step]] = []
        for new, names, done in parts:
            child = done or self.attack([*facts, *new], rest, level, depth)
            if child is None or not child.uses.intersection(names):
                return child
            children.append((names, child))
        return _branching("split", {"clause": clause.index}, children)

    def _units(
        self, facts: list[_Fact], clauses: list[_Clause], wraps: list[Wrap]
    ) -> tuple[list[_Fact], list[_Clause], Step | None]:
        """Take clauses of which all alternatives but one fall at once."""
        changed = True
        while changed:
            changed = False
            for clause in list(clauses):
                if any(
                    all(not self.clean([fact]) for fact in self.literals(alternative))
                    for alternative in clause.alternatives
                ):
                    clauses = [other for other in clauses if other is not clause]
                    continue
                parts = self.opened(facts, clause)
                live = [new for new, _, step in parts if step is None]
                if len(live) > 1:
                    continue
                clauses = [other for other in clauses if other is not clause]
                data = {"clause": clause.index}
                if not live:
                    children = [(names, step) for _, names, step in parts if step]
                    return facts, clauses, _branching("split", data, children)
                wraps.append(_around("split", data, [(names, step) for _, names, step in parts]))
                facts = self.clean([*facts, *live[0]])
                changed = True
        return facts, clauses, None

    def _nonzeros(self, facts: list[_Fact], wraps: list[Wrap]) -> list[_Fact]:
        """Read p != 0 with p >= 0 as p > 0."""
        for fact in [fact for fact in facts if fact.op == "!="]:
            for poly in (fact.poly, _minus(fact.poly)):
                opposite = self.fact(_minus(poly), ">")
                closed = self.sum([*facts, opposite], 0)
                if closed is None:
                    continue
                level = self.fact(poly, "==")
                new = self.fact(poly, ">")
                zero = self._nonzero([*facts, level], fact, level)
                children = [((new.name,), None), ((level.name,), zero), ((opposite.name,), closed)]
                data = {"term": _outward(poly), "ops": [">", "==", "<"]}
                wraps.append(_around("cases", data, children))
                facts = self.clean([other for other in facts if other is not fact] + [new])
                break
        return facts

    def _leaf(self, facts: list[_Fact], core: list[_Fact], level: int, depth: int) -> Step | None:
        """Refute facts without clauses."""
        step = self.sum(core, min(level, 2))
        if step is not None:
            return step
        every, focus, wraps = self.cancel(facts, core, min(level, 1))
        if wraps:
            known = {fact.name for fact in facts}
            new = [fact for fact in every if fact.name not in known]
            step = self._leaf(self.clean([*every]), self.clean([*focus, *new]), level, depth)
            return _wrapped(step, wraps)
        step = self.sum(core, level) if level >= 3 else None
        if step is not None or depth == 0:
            return step
        listed = self.candidates(core)[: 4 + 6 * level]
        cases = (self._case(facts, core, poly, level, depth - 1) for poly in listed)
        return next(filter(None, cases), None)

    def candidates(self, core: Sequence[_Fact]) -> list[_Packed]:
        """Return polynomials whose sign may decide."""
        signed = [fact.poly for fact in core if fact.op in (">", "==")]
        known = {_key(poly) for one in signed for poly in (one, _minus(one))}
        found: dict[Any, _Packed] = {}
        for offered in self._offered(core):
            poly, _ = _primitive(offered)
            if not poly.keys() <= {0}:
                poly = _minus(poly) if poly[max(poly)] < 0 else poly
                found.setdefault(_key(poly), poly)
        return [poly for key, poly in found.items() if key not in known]

    def _offered(self, core: Sequence[_Fact]) -> Iterator[_Packed]:
        """Yield parts of facts: factors, variables, coefficients, differences of variables and 1."""
        yield from (fact.poly for fact in core if fact.op == "!=")
        for fact in core:
            parts = self.factors(fact.poly)[1] if fact.poly else []
            if len(parts) > 1 or any(power > 1 for _, power in parts):
                yield from (part for part, _ in parts)
        variables = sorted(set().union(*(_variables(fact.poly) for fact in core)))
        singles = [_pack([(variable, 1)]) for variable in variables]
        yield from ({key: 1} for key in singles)
        for fact in core:
            for variable in sorted(_variables(fact.poly)):
                lead: dict[int, _Packed] = {}
                field = _FIELD << (_BITS * variable)
                for key, value in fact.poly.items():
                    lead.setdefault(key & field, {})[key & ~field] = value
                for poly in lead.values() if len(lead) > 1 else ():
                    yield from (part for part, _ in self.factors(poly)[1] if len(part) > 1)
        yield from ({one: 1, other: -1} for one, other in itertools.combinations(singles, 2))
        yield from ({key: 1, 0: -1} for key in singles)

    def _case(
        self, facts: list[_Fact], core: list[_Fact], poly: _Packed, level: int, depth: int
    ) -> Step | None:
        linear = all(_degree(key) <= 1 for key in poly)
        nonzero = any(
            fact.op == "!=" and _key(fact.poly) in (_key(poly), _key(_minus(poly))) for fact in core
        )
        ops = [">", "==", "<"] if linear or nonzero else [">", "<="]
        children = []
        for op in ops:
            relation = {">": ">", "==": "==", "<": ">", "<=": ">="}[op]
            new = self.fact(poly if op in (">", "==") else _minus(poly), relation)
            child = self._leaf([*facts, new], [*core, new], level, depth)
            if child is None:
                return None
            if new.name not in child.uses:
                return child
            children.append(((new.name,), child))
        return _branching("cases", {"term": _outward(poly), "ops": ops}, children)


# ------------------------------------------------------------------------- the door

# (level of sums, depth of cases, share of the budget)
_LADDER = {
    1: [(1, 0, 0.3), (2, 0, 0.4), (2, 1, 0.3)],
    2: [(1, 0, 0.1), (2, 0, 0.2), (2, 1, 0.4), (3, 1, 0.3)],
}
_BUDGET = {1: 80_000, 2: 300_000}
_SQUARED = {1: 30_000, 2: 100_000, 3: 300_000}


def refute(
    facts: list[Literal], clauses: list[list[list[Literal]]], *, effort: int = 1
) -> Step | None:
    """Return a certificate that the facts and the clauses contradict each other, or None.

    The facts all hold: pairs of a polynomial and one of ``>``, ``>=``, ``==``, ``!=``. The clauses
    are disjunctions, each a list of alternatives, each a list of literals that hold together. The
    effort, 1 or 2, is the budget of work. None says only that the search found no tree.
    """
    literals = [*facts, *(one for clause in clauses for part in clause for one in part)]
    if too_large(literals):
        return None
    search = _Search()
    start = [search.fact(_packed(poly), op) for poly, op in facts]
    listed = [
        _Clause(index, [[(*_primitive(_packed(p)), op) for p, op in part] for part in clause])
        for index, clause in enumerate(clauses)
    ]
    for level, depth, share in _LADDER[effort]:
        search.left = int(_BUDGET[effort] * share)
        try:
            step = search.attack(start, listed, level, depth)
        except _Spent:
            continue
        if step is not None:
            return step
    return None


def squares(facts: list[Literal], focus: int, *, effort: int = 1) -> Step | None:
    """Refute facts by one sum of products, or of squares of polynomials: cheaper than `refute`.

    The fact in focus is first tried with the equalities alone.
    """
    if too_large(facts):
        return None
    search = _Search()
    start = [search.fact(_packed(poly), op) for poly, op in facts]
    search.left = _SQUARED[effort]
    try:
        kept = _tightest(search.clean(start))
        few = [f for f in search.clean(start) if f.op == "==" or f.name == start[focus].name]
        step = search.products(kept, 3, 800) if effort > 1 else None
        if len(few) + 2 < len(kept):
            step = step or search.sums_of_squares(few, min(effort + 1, 3))
        return step or search.sums_of_squares(kept, effort + 1)
    except _Spent:
        return None


def _tightest(facts: list[_Fact]) -> list[_Fact]:
    """Leave out bounds of one variable that a tighter one says as well."""
    best: dict[tuple[int, bool], tuple[Fraction, bool]] = {}
    bounds: list[tuple[tuple[int, bool], tuple[Fraction, bool]] | None] = []
    for fact in facts:
        moving = [key for key in fact.poly if key]
        if len(moving) != 1 or _degree(moving[0]) != 1 or fact.op not in (">", ">="):
            bounds.append(None)
            continue
        slope = fact.poly[moving[0]]
        # slope x + c > 0: the larger -c / |slope|, the tighter
        side = (moving[0], slope > 0)
        tight = (Fraction(-fact.poly.get(0, 0), abs(slope)), fact.op == ">")
        bounds.append((side, tight))
        best[side] = max(tight, best.get(side, tight))
    return [
        fact
        for fact, bound in zip(facts, bounds, strict=True)
        if bound is None or best[bound[0]] == bound[1]
    ]
