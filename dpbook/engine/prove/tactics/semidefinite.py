"""Sums of squares: a semidefinite program in floating point proposes, rational arithmetic decides.

`refute` looks for one identity: products of facts times sums of squares, and multiples of
equalities, that add up to 0 while a term without squares is positive. The program may have
solutions with singular matrices only. Then the polynomials that are always 0 are guessed from the
numbers and left out of the squares, so that the rest has room for rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any

import flint

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

linalg = Later("scipy.linalg")

Exponents = tuple[int, ...]
Poly = dict[Exponents, Fraction]

LARGEST = 36  # rows of one matrix
WIDEST = 1500  # numbers in all matrices
ROWS = 700  # monomials
STEPS = 90  # steps of Newton's method in all
CLOSED = 1e-9  # gap at which the program counts as solved
SINGULAR = 1e-5  # eigenvalues below count as 0, those ten times larger do not
ROUNDS = 4  # rounds of leaving out polynomials that are always 0
DENOMINATORS = (2**6, 2**12, 2**20, 2**30, 2**40)


@dataclass
class _Block:
    """Hold a product of facts times a sum of squares of combinations of polynomials."""

    names: tuple[int, ...]
    factor: Poly
    basis: list[Poly]
    pure: bool = False  # a positive number in place of the squares
    entries: list[dict[Exponents, Fraction]] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.basis)

    def places(self) -> list[tuple[int, int]]:
        """Return rows and columns of the numbers in the matrix, each pair once."""
        return [(i, j) for i in range(self.size) for j in range(i, self.size)]

    @property
    def width(self) -> int:
        return self.size * (self.size + 1) // 2


@dataclass(frozen=True)
class Sum:
    """Hold a sum: multiples of products of facts and squares, and multipliers of equalities."""

    terms: list[tuple[Fraction, tuple[int, ...], Poly | None]]
    equalities: dict[int, Poly]


def refute(
    facts: Sequence[tuple[int, Poly, str]],
    degree: int,
    products: int,
    charge: Callable[[int], None],
) -> Sum | None:
    """Find a sum that shows that facts contradict each other.

    Parameters
    ----------
    facts : sequence of (name, polynomial, relation to 0)
        The relations are >, >=, == and !=; the last says nothing here.
    degree : int
        Of the terms of the sum, at most.
    products : int
        Facts that are multiplied with each other, at most.
    charge : callable
        Counts work before it is done, and may raise.
    """
    scales = {n: _scale(p) for n, p, _ in facts if p}
    scaled = [(n, {m: c / scales[n] for m, c in p.items()}, op) for n, p, op in facts if p]
    try:
        found = _refute(scaled, degree, products, charge)
    except OverflowError:  # a number is too large for floating point
        return None
    if found is None:
        return None
    terms = [
        (c / prod((scales[n] for n in names), start=Fraction(1)), names, root)
        for c, names, root in found.terms
    ]
    equalities = {n: {m: c / scales[n] for m, c in p.items()} for n, p in found.equalities.items()}
    return Sum(terms, equalities)


def in_coordinates(
    facts: Sequence[tuple[int, Poly, str]], degree: int, charge: Callable[[int], None]
) -> Sum | None:
    """Find a sum of products of two facts where linear facts in several variables are coordinates.

    The sides of a triangle become the gaps in its inequalities, for which squares are short.
    """
    count = len(next(iter(facts[0][1]), ())) if facts else 0
    units = [tuple(int(i == j) for j in range(count)) for i in range(count)]
    linear = [p for _, p, op in facts if op in (">", ">=") and 1 <= _degree(p) <= 1]
    if not any(sum(any(m) for m in p) > 1 for p in linear):
        return None
    chosen: list[Poly] = []
    rows: list[list[Fraction]] = []
    for p in sorted(linear, key=lambda p: -len(p)):
        row = [p.get(m, Fraction(0)) for m in units]
        if _rank([*rows, row]) > len(rows):
            rows.append(row)
            chosen.append(p)
    if len(rows) < count or chosen == [{m: Fraction(1)} for m in units]:
        return None
    flat = [flint.fmpq(c.numerator, c.denominator) for row in rows for c in row]
    inverse = flint.fmpq_mat(count, count, flat).inv()
    zero = (0,) * count
    images: list[Poly] = []
    for i in range(count):
        image: Poly = {}
        for j in range(count):
            c = Fraction(int(inverse[i, j].p), int(inverse[i, j].q))
            if c:
                image[units[j]] = c
                image[zero] = image.get(zero, Fraction(0)) - c * chosen[j].get(zero, Fraction(0))
        images.append({m: c for m, c in image.items() if c})
    moved = [(n, _composed(p, images), op) for n, p, op in facts]
    charge(sum(len(p) for _, p, _ in moved))
    kept = [
        (n, p, op)
        for n, p, op in moved
        if op == "==" or len(p) == 1 or any(c < 0 for c in p.values())
    ]
    found = refute(kept, degree, 2, charge)
    if found is None:
        return None
    return Sum(
        [(c, n, None if q is None else _composed(q, chosen)) for c, n, q in found.terms],
        {n: _composed(q, chosen) for n, q in found.equalities.items()},
    )


def _rank(rows: list[list[Fraction]]) -> int:
    flat = [flint.fmpq(c.numerator, c.denominator) for row in rows for c in row]
    return int(flint.fmpq_mat(len(rows), len(rows[0]), flat).rref()[1])


def _composed(p: Poly, images: Sequence[Poly]) -> Poly:
    """Return a polynomial with others in place of its variables."""
    zero = (0,) * len(images)
    total: Poly = {}
    for m, c in p.items():
        part: Poly = {zero: c}
        for e, image in zip(m, images, strict=True):
            for _ in range(e):
                part = _times(part, image)
        for n, d in part.items():
            total[n] = total.get(n, Fraction(0)) + d
    return {m: c for m, c in total.items() if c}


def _scale(p: Poly) -> Fraction:
    """Return a power of 2 near the largest coefficient."""
    largest = max(abs(c) for c in p.values())
    bits = int(largest).bit_length() if largest >= 1 else 1 - int(1 / largest).bit_length()
    return Fraction(2) ** bits


def _refute(
    facts: Sequence[tuple[int, Poly, str]],
    degree: int,
    products: int,
    charge: Callable[[int], None],
) -> Sum | None:
    count = len(next(iter(facts[0][1]), ())) if facts else 0
    one: Poly = {(0,) * count: Fraction(1)}
    below = [(n, p, op) for n, p, op in facts if op in (">", ">=") and p]
    equal = [(n, p) for n, p, op in facts if op == "==" and p and _degree(p) <= degree]
    cones: list[tuple[tuple[int, ...], Poly, bool]] = [((), one, True)]
    ranges = _ranges(below) if products == 1 and degree > 1 else []
    cones += ranges
    for k in range(1, products + 1):
        for chosen in itertools.combinations_with_replacement(below, k):
            if sum(_degree(p) for _, p, _ in chosen) > degree:
                continue
            if k == 2 and chosen[0] is chosen[1] and chosen[0][2] != ">":
                continue  # stands among the squares
            p = one
            for _, q, _ in chosen:
                p = _times(p, q)
            cones.append((tuple(n for n, _, _ in chosen), p, all(op == ">" for _, _, op in chosen)))
            if len(cones) > 60:
                break
    for name, p, op in below:
        power = p
        for k in range(2, degree + 1):
            power = _times(power, p)
            if op != ">" or _degree(power) > degree:
                break
            if k > products:
                cones.append(((name,) * k, power, True))
    paired = {n for names, _, _ in ranges for n in names}
    most = tuple(max((m[i] for _, p, _ in cones for m in p), default=0) for i in range(count))
    groups = _groups(count, [p for _, p, _ in facts])
    blocks: list[_Block] = []
    for names, p, strict in cones:
        if strict:
            blocks.append(_Block(names, p, [one], True))
        elif not (degree - _degree(p)) // 2:
            blocks.append(_Block(names, p, [one]))
        if len(names) == 1 and names[0] in paired:
            continue  # (b - x) (b - a) is (b - x)^2 + (b - x) (x - a)
        if len(names) > 2:
            continue
        half = (degree - _degree(p)) // 2
        if half or not names:
            low = tuple(min((m[i] for m in p), default=0) for i in range(count))
            basis = [
                m
                for m in _monomials(count, half)
                if all(
                    2 * e + f <= max(d, degree) and (d or not e)
                    for e, d, f in zip(m, most, low, strict=True)
                )
            ]
            for part in _parts(basis, groups, p) if products == 1 else [basis]:
                if len(part) > LARGEST and not names:
                    return None
                if len(part) <= LARGEST:
                    blocks.append(_Block(names, p, [{m: Fraction(1)} for m in part]))
    free: list[tuple[int, Exponents, Poly]] = []
    for name, p in equal:
        for m in _monomials(count, degree - _degree(p)):
            if all(d or not e for e, d in zip(m, most, strict=True)):
                free.append((name, m, _times(p, {m: Fraction(1)})))
    return _Program(blocks, free, charge).solve()


def _ranges(
    below: Sequence[tuple[int, Poly, str]],
) -> list[tuple[tuple[int, ...], Poly, bool]]:
    """Return (b - x) (x - a) for the variables with a range from a to b."""
    sides: dict[tuple[Exponents, bool], tuple[int, Poly, str]] = {}
    for name, p, op in below:
        moving = [m for m in p if any(m)]
        if len(moving) == 1 and sum(moving[0]) == 1:
            sides.setdefault((moving[0], p[moving[0]] > 0), (name, p, op))
    found: list[tuple[tuple[int, ...], Poly, bool]] = []
    for (m, up), (name, p, op) in sorted(sides.items()):
        if up and (m, False) in sides:
            other, q, last = sides[m, False]
            found.append(((name, other), _times(p, q), op == last == ">"))
    return found


def _groups(count: int, polys: Sequence[Poly]) -> list[set[int]]:
    """Return the variables in groups, such that no monomial has variables of two."""
    groups = [{i} for i in range(count)]
    for p in polys:
        for m in p:
            met = [g for g in groups if any(m[i] for i in g)]
            if len(met) > 1:
                groups = [g for g in groups if g not in met] + [set().union(*met)]
    return groups


def _parts(basis: list[Exponents], groups: list[set[int]], factor: Poly) -> list[list[Exponents]]:
    """Return the monomials of each group of variables that stand in a factor."""
    met = [g for g in groups if any(m[i] for m in factor for i in g)] or groups
    if len(met) > 1 and any(any(m) for m in factor):
        met = [set().union(*met)]
    return [
        [m for m in basis if all(i in g for i, e in enumerate(m) if e)]
        for g in sorted(met, key=min)
    ]


def _monomials(count: int, degree: int) -> list[Exponents]:
    if comb(count + degree, degree) > 4 * ROWS:
        degree = min(degree, 1)
    found = [
        tuple(chosen.count(i) for i in range(count))
        for d in range(degree + 1)
        for chosen in itertools.combinations_with_replacement(range(count), d)
    ]
    return sorted(found, key=lambda m: (sum(m), m))


def _degree(p: Poly) -> int:
    return max((sum(m) for m in p), default=0)


def _times(p: Poly, q: Poly) -> Poly:
    made: Poly = {}
    for m, c in p.items():
        for n, d in q.items():
            k = tuple(a + b for a, b in zip(m, n, strict=True))
            made[k] = made.get(k, Fraction(0)) + c * d
    return {m: c for m, c in made.items() if c}


class _Program:
    def __init__(
        self,
        blocks: list[_Block],
        free: list[tuple[int, Exponents, Poly]],
        charge: Callable[[int], None],
    ) -> None:
        self.blocks, self.free, self.charge = blocks, free, charge

    def solve(self) -> Sum | None:
        for _ in range(ROUNDS):
            self._reach()
            if not any(b.pure for b in self.blocks):
                return None
            try:
                found = self._round()
            except linalg.LinAlgError:  # numbers too far apart for floating point
                return None
            if found is None or isinstance(found, Sum):
                return found
            self.blocks = found
        return None

    def _reach(self) -> None:
        """Fill in the entries; leave out what would add a monomial that nothing else takes off."""
        for b in self.blocks:
            b.entries = []
            for i, j in b.places():
                p = _times(b.factor, _times(b.basis[i], b.basis[j]))
                b.entries.append(p if i == j else {m: 2 * c for m, c in p.items()})
        multiples = {m for _, _, p in self.free for m in p}
        while True:
            signs: dict[Exponents, set[int]] = {}
            for b in self.blocks:
                for (i, j), e in zip(b.places(), b.entries, strict=True):
                    for m, c in e.items():
                        signs.setdefault(m, set()).add((c > 0) - (c < 0) if i == j else 0)
            stuck = {m for m, s in signs.items() if m not in multiples and s in ({1}, {-1})}
            if not stuck:
                return
            for b in self.blocks:
                table = dict(zip(b.places(), b.entries, strict=True))
                kept = [i for i in range(b.size) if stuck.isdisjoint(table[i, i])]
                b.basis = [b.basis[i] for i in kept]
                b.entries = [table[i, j] for x, i in enumerate(kept) for j in kept[x:]]
            self.blocks = [b for b in self.blocks if b.basis]

    def _diagonal(self) -> list[int]:
        """Return the places of the numbers on the diagonals of the matrices."""
        found, place = [], 0
        for b in self.blocks:
            for i in range(b.size):
                found.append(place)
                place += b.size - i
        return found

    # --- one program ------------------------------------------------------------------------------

    def _round(self) -> Sum | list[_Block] | None:
        rows: dict[Exponents, int] = {}
        for p in (*(e for b in self.blocks for e in b.entries), *(p for _, _, p in self.free)):
            for m in p:
                rows.setdefault(m, len(rows))
        height = len(rows) + 1  # the last says that the traces add up to 1
        width = sum(b.width for b in self.blocks)
        if width > WIDEST or height > ROWS or len(self.free) > WIDEST:
            return None
        self.charge(50 + height * width // 20 + (height * len(self.free)) // 40)
        A = np.zeros((height, width))
        for place, e in enumerate(e for b in self.blocks for e in b.entries):
            for m, c in e.items():
                A[rows[m], place] = float(c)
        A[-1, self._diagonal()] = 1.0
        right = np.zeros(height)
        right[-1] = 1.0
        F = np.zeros((height, len(self.free)))
        for j, (_, _, p) in enumerate(self.free):
            for m, c in p.items():
                F[rows[m], j] = float(c)
        if len(self.free):
            u, sizes, _ = linalg.svd(F, full_matrices=True)
            rank = int(np.sum(sizes > 1e-9 * max(1.0, sizes.max(initial=0.0))))
            left = u[:, rank:]
            here, there = left.T @ A, left.T @ right
        else:
            here, there = A, right
        scale = np.maximum(np.abs(here).max(axis=1, initial=0.0), 1e-12)
        here, there = here / scale[:, None], there / scale
        start, *_ = linalg.lstsq(here, there)
        if np.abs(here @ start - there).max(initial=0.0) > 1e-7:
            return None
        directions = linalg.null_space(here, rcond=1e-10)
        inside = _Inside(self.blocks, start, directions, self.charge)
        t, gap = inside.climb()
        if t + gap < -1e-7:
            return None
        if t > 1e-10:
            found = self._rounded(rows, inside.values())
            if found is not None:
                return found
        if t > 1e-4 or gap > 1e-6:
            return None
        return self._without_nulls(inside.matrices())

    def _without_nulls(self, matrices: list[Matrix]) -> list[_Block] | None:
        """Leave polynomials that are always 0 out of the squares."""
        kept: list[_Block] = []
        changed = False
        size = max(float(np.trace(g)) / len(g) for g in matrices)
        for b, g in zip(self.blocks, matrices, strict=True):
            values, vectors = linalg.eigh(g)
            null = vectors[:, values < SINGULAR * size]
            if not null.shape[1]:
                kept.append(b)
                continue
            changed = True
            basis = _complement(b.basis, null)
            if basis is None:
                return None
            if basis:
                kept.append(_Block(b.names, b.factor, basis, b.pure))
        return kept if changed else None

    # --- rational numbers -------------------------------------------------------------------------

    def _rounded(self, rows: dict[Exponents, int], values: Matrix) -> Sum | None:
        """Round some of the numbers, and solve for the others."""
        width, extra = len(values), len(self.free)
        height = len(rows) + 1
        self.charge(height * (width + extra) // 4)
        table = [[Fraction(0)] * (extra + width + 1) for _ in range(height)]
        for j, (_, _, p) in enumerate(self.free):
            for m, c in p.items():
                table[rows[m]][j] += c
        for place, e in enumerate(e for b in self.blocks for e in b.entries):
            for m, c in e.items():
                table[rows[m]][extra + place] = c
        for place in self._diagonal():
            table[-1][extra + place] = Fraction(1)
        table[-1][-1] = Fraction(1)
        solved = reduced([[flint.fmpq(c.numerator, c.denominator) for c in row] for row in table])
        if solved is None:
            return None
        matrix, pivots = solved
        lines = [
            [
                (k, Fraction(int(entry.p), int(entry.q)))
                for k in range(column + 1, extra + width + 1)
                if (entry := matrix[row, k]) != 0
            ]
            for row, column in enumerate(pivots)
        ]
        loose = sorted(set(range(extra + width)) - set(pivots))
        for bottom in DENOMINATORS:
            solution = [Fraction(0)] * (extra + width + 1)
            for k in loose:
                if k >= extra:
                    solution[k] = Fraction(round(float(values[k - extra]) * bottom), bottom)
            solution[-1] = Fraction(-1)
            for place, line in zip(pivots, lines, strict=True):
                solution[place] = -sum((c * solution[k] for k, c in line), Fraction(0))
            found = self._told(solution[:extra], solution[extra:-1])
            if found is not None:
                return found
        return None

    def _told(self, free: list[Fraction], values: list[Fraction]) -> Sum | None:
        terms: list[tuple[Fraction, tuple[int, ...], Poly | None]] = []
        place = 0
        for b in self.blocks:
            g = [[Fraction(0)] * b.size for _ in range(b.size)]
            for k, (i, j) in enumerate(b.places()):
                g[i][j] = g[j][i] = values[place + k]
            place += b.width
            parts = _squares(g)
            if parts is None:
                return None
            for c, vector in parts:
                if b.pure:
                    terms.append((c, b.names, None))
                    continue
                root: Poly = {}
                for x, p in zip(vector, b.basis, strict=True):
                    for m, d in p.items():
                        root[m] = root.get(m, Fraction(0)) + x * d
                root = {m: d for m, d in root.items() if d}
                bottom = lcm(*(d.denominator for d in root.values()))
                root = {m: d * bottom for m, d in root.items()}
                c /= bottom**2
                if len(root) == 1 and not any(next(iter(root))):
                    ((_, d),) = root.items()
                    terms.append((c * d * d, b.names, None))
                else:
                    terms.append((c, b.names, root))
        equalities: dict[int, Poly] = {}
        for (name, m, _), c in zip(self.free, free, strict=True):
            if c:
                equalities.setdefault(name, {})[m] = c
        return Sum(terms, equalities)


def reduced(table: Sequence[Sequence[Any]]) -> tuple[Any, list[int]] | None:
    """Solve linear equations: return the reduced table and its pivots; None without a solution."""
    last = len(table[0]) - 1
    matrix, rank = flint.fmpq_mat(
        len(table), last + 1, [entry for row in table for entry in row]
    ).rref()
    pivots: list[int] = []
    column = 0
    for row in range(rank):
        while matrix[row, column] == 0:
            column += 1
        if column == last:
            return None
        pivots.append(column)
        column += 1
    return matrix, pivots


def _squares(g: list[list[Fraction]]) -> list[tuple[Fraction, list[Fraction]]] | None:
    """Write a symmetric matrix as a sum of positive multiples of squares; None where that fails."""
    n = len(g)
    g = [list(row) for row in g]
    found = []
    for i in range(n):
        d = g[i][i]
        if d < 0 or d == 0 and any(g[i][j] for j in range(i, n)):
            return None
        if d == 0:
            continue
        row = [Fraction(0)] * i + [g[i][j] / d for j in range(i, n)]
        found.append((d, row))
        for j in range(i + 1, n):
            if row[j]:
                for k in range(j, n):
                    g[j][k] -= d * row[j] * row[k]
                    g[k][j] = g[j][k]
    return found


def _complement(basis: list[Poly], null: Matrix) -> list[Poly] | None:
    """Return combinations of polynomials on which vectors vanish; None without rational numbers."""
    n, r = null.shape
    rows = null.T.copy()
    pivots: list[int] = []
    for k in range(r):
        left = [j for j in range(n) if j not in pivots]
        i, j = max(
            ((i, j) for i in range(k, r) for j in left), key=lambda at: abs(rows[at[0], at[1]])
        )
        rows[[k, i]] = rows[[i, k]]
        rows[k] /= rows[k, j]
        for other in range(r):
            if other != k:
                rows[other] -= rows[other, j] * rows[k]
        pivots.append(j)
    exact = []
    for row in rows:
        near = [Fraction(float(x)).limit_denominator(200) for x in row]
        if max(abs(float(q) - x) for q, x in zip(near, row, strict=True)) > 1e-3:
            return None
        exact.append(near)
    made = []
    for q in range(n):
        if q in pivots:
            continue
        p = dict(basis[q])
        for k, j in enumerate(pivots):
            for m, c in basis[j].items():
                p[m] = p.get(m, Fraction(0)) - exact[k][q] * c
        made.append({m: c for m, c in p.items() if c})
    return [p for p in made if p]


class _Inside:
    """Run Newton's method, to make the smallest eigenvalue of matrices as large as can be."""

    def __init__(
        self,
        blocks: list[_Block],
        start: Matrix,
        directions: Matrix,
        charge: Callable[[int], None],
    ) -> None:
        self.blocks, self.charge = blocks, charge
        self.count = directions.shape[1]
        self.start, self.directions = start, directions
        self.spread: list[tuple[Matrix, Matrix]] = []
        singles, place = [], 0
        for b in blocks:
            if b.size == 1:
                singles.append(place)
            place += b.width
        self.singles = np.array(singles, dtype=int)
        place = 0
        for b in blocks:
            if b.size > 1:
                index = np.zeros((b.size, b.size), dtype=int)
                for k, (i, j) in enumerate(b.places()):
                    index[i, j] = index[j, i] = place + k
                self.spread.append((start[index], np.moveaxis(directions[index], 2, 0).copy()))
            place += b.width
        self.y = np.zeros(self.count)
        lowest = [float(start[self.singles].min(initial=0.0))]
        lowest += [float(linalg.eigvalsh(g)[0]) for g, _ in self.spread]
        self.t = min(lowest) - 1.0
        self.order = len(singles) + sum(g.shape[0] for g, _ in self.spread)

    def climb(self) -> tuple[float, float]:
        """Return the smallest eigenvalue that was reached, and how far off the largest may be."""
        weight, left = 1.0, STEPS
        cost = sum(d.shape[1] ** 2 for _, d in self.spread) + len(self.singles)
        each = 30 + (self.count * cost * (self.count + 30)) // 60_000
        while True:
            for _ in range(12):
                self.charge(each)
                left -= 1
                if self._step(weight) < 1e-2 or left <= 0:
                    break
            gap = self.order / weight
            if (
                left <= 0
                or gap < CLOSED
                or (self.t > 3 * gap and self.t > 1e-6)
                or self.t + gap < -1e-7
            ):
                return self.t, gap
            weight *= 6.0

    def _step(self, weight: float) -> float:
        """Go one step of Newton's method; return its decrement."""
        n = self.count
        gradient = np.zeros(n + 1)
        hessian = np.zeros((n + 1, n + 1))
        gradient[n] = -weight
        if len(self.singles):
            d = self.directions[self.singles]
            s = 1 / (self.start[self.singles] + d @ self.y - self.t)
            gradient[:n] -= s @ d
            gradient[n] += s.sum()
            scaled = d * s[:, None]
            hessian[:n, :n] += scaled.T @ scaled
            hessian[:n, n] -= scaled.T @ s
            hessian[n, n] += s @ s
        for g, d in self.spread:
            m = g + np.tensordot(self.y, d, 1) - self.t * np.eye(g.shape[0])
            inverse = np.linalg.inv(m)
            gradient[n] += np.trace(inverse)
            hessian[n, n] += float(np.sum(inverse * inverse.T))
            if not n:
                continue
            product = inverse @ d
            gradient[:n] -= np.trace(product, axis1=1, axis2=2)
            k = product.reshape(n, -1)
            turned = product.transpose(0, 2, 1).reshape(n, -1)
            hessian[:n, :n] += k @ turned.T
            hessian[:n, n] -= k @ inverse.T.ravel()
        hessian[n, :n] = hessian[:n, n]
        hessian[np.diag_indices(n + 1)] *= 1 + 1e-13
        hessian[np.diag_indices(n + 1)] += 1e-14
        try:
            step = -np.linalg.solve(hessian, gradient)
        except np.linalg.LinAlgError:
            return 0.0
        decrement = float(-gradient @ step)
        if not np.isfinite(decrement) or decrement <= 0:
            return 0.0
        size = 1.0 if decrement < 0.1 else 1 / (1 + np.sqrt(decrement))
        # a longer step, where the matrices stay positive
        longer = min(1.0, 3 * size)
        for trial in (longer, size, size / 4, size / 16):
            y, t = self.y + trial * step[:n], self.t + float(trial * step[n])
            if self._fits(y, t):
                self.y, self.t = y, t
                return decrement
        return 0.0

    def _fits(self, y: Matrix, t: float) -> bool:
        alone = self.start[self.singles] + self.directions[self.singles] @ y
        if alone.min(initial=np.inf) <= t:
            return False
        for g, d in self.spread:
            m = g + np.tensordot(y, d, 1) - t * np.eye(g.shape[0])
            try:
                linalg.cholesky(m)
            except linalg.LinAlgError:
                return False
        return True

    def values(self) -> Matrix:
        """Return the numbers of the matrices, one after the other."""
        return self.start + self.directions @ self.y

    def matrices(self) -> list[Matrix]:
        """Return the matrices, less their smallest eigenvalue."""
        found, place, values = [], 0, self.values()
        for b in self.blocks:
            g = np.zeros((b.size, b.size))
            for k, (i, j) in enumerate(b.places()):
                g[i, j] = g[j, i] = values[place + k]
            place += b.width
            found.append(g - self.t * np.eye(b.size))
        return found
