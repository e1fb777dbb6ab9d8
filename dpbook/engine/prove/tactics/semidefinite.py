"""Sums of squares: a semidefinite program in floating point proposes, rational arithmetic decides.

`refute` looks for one identity: products of facts times sums of squares, and multiples of
equalities, that add up to 0 while a term without squares is positive. The program may have
solutions with singular matrices only. Then the polynomials that are always 0 are guessed from the
numbers and left out of the squares, so that the rest has room for rounding.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb, lcm, prod
from typing import TYPE_CHECKING, Any

import flint

from dpbook.engine.language.arrays import np
from dpbook.engine.language.budget import Later

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

clarabel, linalg, sparse = Later("clarabel"), Later("scipy.linalg"), Later("scipy.sparse")

Exponents = tuple[int, ...]
Poly = Any  # flint.fmpq_mpoly, all of one ring
Number = Any  # flint.fmpq
Fact = tuple[int, Poly, str]
Cone = tuple[tuple[int, ...], Poly, bool]  # names of facts, their product, whether it is positive

LARGEST = 36  # rows of one matrix
WIDEST = 1500  # numbers in all matrices
ROWS = 700  # monomials
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
    # the polynomials that the numbers above the diagonal of the matrix, and on it, stand for
    entries: dict[tuple[int, int], dict[Exponents, Number]] = field(init=False)

    def __post_init__(self) -> None:
        self.entries = {
            (i, j): (self.factor * self.basis[i] * self.basis[j] * (1 if i == j else 2)).to_dict()
            for j in range(len(self.basis))
            for i in range(j + 1)
        }

    def keep(self, kept: list[int]) -> None:
        """Leave out the other polynomials."""
        self.basis = [self.basis[i] for i in kept]
        self.entries = {
            (x, y): self.entries[i, j]
            for y, j in enumerate(kept)
            for x, i in enumerate(kept[: y + 1])
        }


@dataclass(frozen=True)
class Sum:
    """Hold a sum: multiples of products of facts and squares, and multipliers of equalities."""

    terms: list[tuple[Number, tuple[int, ...], Poly | None]]
    equalities: dict[int, Poly]


def refute(
    facts: Sequence[Fact], degree: int, products: int, charge: Callable[[int], None]
) -> Sum | None:
    """Find a sum, of terms of some degree at most, that shows that facts contradict each other.

    A fact is a name, a polynomial and its relation to 0: >, >=, == or !=, of which the last says
    nothing here. So many facts at most are multiplied with each other as `products` says. `charge`
    counts work before it is done, and may raise.
    """
    scales = {n: _scale(p) for n, p, _ in facts if p}
    scaled = [(n, p / scales[n], op) for n, p, op in facts if p]
    blocks = _blocks(scaled, degree, products) if scaled else None
    if blocks is None:
        return None
    ring = scaled[0][1].context()
    most = _powers(b.factor for b in blocks)
    free = [
        (name, multiplier, p * multiplier)
        for name, p, op in scaled
        if op == "==" and p.total_degree() <= degree
        for m in _monomials(ring.nvars(), degree - p.total_degree())
        if all(d or not e for e, d in zip(m, most, strict=True))
        for multiplier in (ring.term(exp_vec=m),)
    ]
    try:
        found = _Program(blocks, free, charge).solve()
    except OverflowError:  # a number is too large for floating point
        return None
    if found is None:
        return None
    return Sum(
        [(c / prod(scales[n] for n in names), names, root) for c, names, root in found.terms],
        {n: p / scales[n] for n, p in found.equalities.items()},
    )


def _scale(p: Poly) -> Number:
    """Return a power of 2 near the largest coefficient."""
    largest = max(abs(c) for c in p.coeffs())
    return flint.fmpq(2) ** (int(largest.p).bit_length() - int(largest.q).bit_length())


def _cones(facts: Sequence[Fact], degree: int, products: int) -> list[Cone]:
    """Return products of inequalities, of some degree at most."""
    below = [(n, p, op) for n, p, op in facts if op in (">", ">=")]
    cones: list[Cone] = [((), facts[0][1].context().constant(1), True)]
    for k in range(1, products + 1):
        for chosen in itertools.combinations_with_replacement(below, k):
            if sum(p.total_degree() for _, p, _ in chosen) > degree or len(cones) > 60:
                continue
            if k == 2 and chosen[0] is chosen[1] and chosen[0][2] != ">":
                continue  # stands among the squares
            strict = all(op == ">" for _, _, op in chosen)
            cones.append((tuple(n for n, _, _ in chosen), prod(p for _, p, _ in chosen), strict))
    for name, p, op in below:
        for k in range(products + 1, degree // max(1, p.total_degree()) + 1 if op == ">" else 0):
            cones.append(((name,) * k, p**k, True))
    return cones


def _ranges(facts: Sequence[Fact]) -> list[Cone]:
    """Return (b - x) (x - a) for the variables with a range from a to b."""
    sides: dict[tuple[Exponents, bool], Fact] = {}
    for name, p, op in facts:
        moving = [m for m in p.monoms() if any(m)]
        if op in (">", ">=") and len(moving) == 1 and sum(moving[0]) == 1:
            sides.setdefault((moving[0], p[moving[0]] > 0), (name, p, op))
    found: list[Cone] = []
    for (m, up), (name, p, op) in sorted(sides.items(), key=lambda side: side[0]):
        if up and (m, False) in sides:
            other, q, last = sides[m, False]
            found.append(((name, other), p * q, op == last == ">"))
    return found


def _blocks(facts: Sequence[Fact], degree: int, products: int) -> list[_Block] | None:
    """Return products of facts with the monomials for their squares; None where they are many."""
    ring = facts[0][1].context()
    count, one = ring.nvars(), ring.constant(1)
    ranges = _ranges(facts) if products == 1 and degree > 1 else []
    cones = ranges + _cones(facts, degree, products)
    paired = {n for names, _, _ in ranges for n in names}
    most = _powers(p for _, p, _ in cones)
    groups = _groups(count, [p for _, p, _ in facts])
    blocks: list[_Block] = []
    for names, p, strict in cones:
        half = (degree - p.total_degree()) // 2
        if strict or not half:
            blocks.append(_Block(names, p, [one], strict))
        if len(names) == 1 and names[0] in paired:
            continue  # (b - x) (b - a) is (b - x)^2 + (b - x) (x - a)
        if len(names) > 2 or (names and not half):
            continue
        low = tuple(map(min, zip(*p.monoms(), strict=True)))
        basis = [
            m
            for m in _monomials(count, half)
            if all(
                2 * e + f <= max(d, degree) and (d or not e)
                for e, d, f in zip(m, most, low, strict=True)
            )
        ]
        for part in _parts(basis, groups, p) if products == 1 else [basis]:
            if len(part) <= LARGEST:
                blocks.append(_Block(names, p, [ring.term(exp_vec=m) for m in part]))
            elif not names:
                return None
    return blocks


def _powers(polys: Iterable[Poly]) -> Exponents:
    """Return the highest power of each variable in polynomials."""
    return tuple(map(max, zip(*(p.degrees() for p in polys), strict=True)))


def _groups(count: int, polys: Sequence[Poly]) -> list[set[int]]:
    """Return the variables in groups, such that no monomial has variables of two."""
    groups = [{i} for i in range(count)]
    for p in polys:
        for m in p.monoms():
            met = [g for g in groups if any(m[i] for i in g)]
            if len(met) > 1:
                groups = [g for g in groups if g not in met] + [set().union(*met)]
    return groups


def _parts(basis: list[Exponents], groups: list[set[int]], factor: Poly) -> list[list[Exponents]]:
    """Return the monomials of each group of variables that stand in a factor."""
    powers = factor.degrees()
    met = [g for g in groups if any(powers[i] for i in g)]
    return [
        [m for m in basis if all(i in g for i, e in enumerate(m) if e)]
        for g in ([set().union(*met)] if met else sorted(groups, key=min))
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


@dataclass
class _Program:
    blocks: list[_Block]
    free: list[tuple[int, Poly, Poly]]  # names of equalities, multipliers, their products
    charge: Callable[[int], None]

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
        """Leave out what would add a monomial that nothing else takes off."""
        multiples = {m for _, _, p in self.free for m in p.monoms()}
        while True:
            signs: dict[Exponents, set[int]] = {}
            for b in self.blocks:
                for (i, j), e in b.entries.items():
                    for m, c in e.items():
                        signs.setdefault(m, set()).add((c > 0) - (c < 0) if i == j else 0)
            stuck = {m for m, s in signs.items() if m not in multiples and s in ({1}, {-1})}
            if not stuck:
                return
            for b in self.blocks:
                b.keep([i for i in range(len(b.basis)) if stuck.isdisjoint(b.entries[i, i])])
            self.blocks = [b for b in self.blocks if b.basis]

    # --- one program ------------------------------------------------------------------------------

    def _round(self) -> Sum | list[_Block] | None:
        """Return a sum; or other blocks to try, where a sum leaves no room for rounding."""
        numbers = [p.to_dict() for _, _, p in self.free]
        numbers += [e for b in self.blocks for e in b.entries.values()]
        diagonal = np.array([i == j for b in self.blocks for i, j in b.entries])
        rows = {m: k for k, m in enumerate(dict.fromkeys(m for p in numbers for m in p))}
        height, width, extra = len(rows) + 1, len(diagonal), len(self.free)
        if width > WIDEST or height > ROWS or extra > WIDEST:
            return None
        columns = [{rows[m]: c for m, c in p.items()} for p in numbers]
        for column, on in zip(columns[extra:], diagonal, strict=True):
            if on:
                column[height - 1] = flint.fmpq(1)  # the traces add up to 1
        sizes = sum(len(b.basis) ** 4 for b in self.blocks)
        self.charge(25 + (height + extra) ** 2 // 80 + sizes // 800)
        least, gap, found = self._largest(columns, diagonal, height)
        if not least + gap >= -1e-7:  # or not a number: Clarabel has no solution
            return None
        if least > 1e-10:
            exact = self._rounded(columns, height, found + least * diagonal)
            if exact is not None:
                return exact
        if least > 1e-4 or gap > 1e-6:
            return None
        return self._without_nulls(found)

    def _largest(
        self, columns: list[dict[int, Number]], diagonal: Floats, height: int
    ) -> tuple[float, float, Floats]:
        """Make the smallest eigenvalue of the matrices as large as can be.

        Return it, how far off the largest may be, and the numbers of the matrices less that
        eigenvalue. Clarabel is given the dual program, which is the smaller one: its variables are
        a number for each monomial and one for the traces.
        """
        extra = len(self.free)
        floats = np.zeros((len(columns), height))
        for row, column in zip(floats, columns, strict=True):
            row[list(column)] = [float(c) for c in column.values()]
        free, entries = floats[:extra], floats[extra:]
        # in Clarabel a number off the diagonal stands times sqrt(2)
        weights = np.where(diagonal, 1.0, np.sqrt(0.5))
        lines = np.vstack([free, entries[diagonal].sum(axis=0), -entries * weights[:, None]])
        cost, right = np.zeros(height), np.zeros(len(lines))
        cost[-1] = right[extra] = 1.0
        cones = [clarabel.ZeroConeT(extra + 1)]
        cones += [clarabel.PSDTriangleConeT(len(b.basis)) for b in self.blocks]
        settings = clarabel.DefaultSettings()
        settings.verbose = False
        settings.direct_solve_method = "qdldl"  # on one thread
        settings.chordal_decomposition_enable = False
        settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-9
        squares, matrix = sparse.csc_matrix((height, height)), sparse.csc_matrix(lines)
        solver = clarabel.DefaultSolver(squares, cost, matrix, right, cones, settings)
        try:
            answer = solver.solve()
        except BaseException as error:
            # Clarabel panics where a matrix on its way has no eigenvalues; that is no Exception
            if type(error).__name__ != "PanicException":
                raise
            raise linalg.LinAlgError(str(error)) from None
        dual = np.array(answer.z)
        gap = abs(answer.obj_val - answer.obj_val_dual)
        return -float(dual[extra]), gap, dual[extra + 1 :] * weights

    def _matrices(self, numbers: Any) -> Iterator[tuple[_Block, list[list[Any]]]]:
        """Return the blocks, each with the symmetric matrix of its numbers."""
        place = 0
        for b in self.blocks:
            table = dict(zip(b.entries, numbers[place : place + len(b.entries)], strict=True))
            size = range(len(b.basis))
            yield b, [[table[min(i, j), max(i, j)] for j in size] for i in size]
            place += len(b.entries)

    def _without_nulls(self, numbers: Floats) -> list[_Block] | None:
        """Leave polynomials that are always 0 out of the squares."""
        kept: list[_Block] = []
        changed = False
        pairs = [(b, np.array(g)) for b, g in self._matrices(numbers)]
        size = max(float(np.trace(g)) / len(g) for _, g in pairs)
        for b, g in pairs:
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

    def _rounded(self, columns: list[dict[int, Number]], height: int, values: Floats) -> Sum | None:
        """Round some of the numbers, and solve for the others."""
        extra, width = len(self.free), len(columns)
        self.charge(height * width // 16)
        table = flint.fmpq_mat(height, width + 1)
        for place, column in enumerate(columns):
            for row, c in column.items():
                table[row, place] = c
        table[height - 1, width] = 1
        solved = reduced(table)
        if solved is None:
            return None
        matrix, pivots = solved
        lines = [
            [(k, entry) for k in range(column + 1, width + 1) if (entry := matrix[row, k]) != 0]
            for row, column in enumerate(pivots)
        ]
        loose = set(range(extra, width)).difference(pivots)
        for bottom in DENOMINATORS:
            solution = [flint.fmpq(0)] * width + [flint.fmpq(-1)]
            for k in loose:
                solution[k] = flint.fmpq(round(float(values[k - extra]) * bottom), bottom)
            for place, line in zip(pivots, lines, strict=True):
                solution[place] = -sum((c * solution[k] for k, c in line), flint.fmpq(0))
            found = self._told(solution[:extra], solution[extra:-1])
            if found is not None:
                return found
        return None

    def _told(self, free: list[Number], values: list[Number]) -> Sum | None:
        terms: list[tuple[Number, tuple[int, ...], Poly | None]] = []
        for b, g in self._matrices(values):
            parts = _squares(g)
            if parts is None:
                return None
            for c, vector in parts:
                root = sum(x * p for x, p in zip(vector, b.basis, strict=True))
                bottom = lcm(*(int(d.q) for d in root.coeffs()))
                root, c = root * bottom, c / bottom**2
                if root.is_constant():
                    terms.append((c * root.leading_coefficient() ** 2, b.names, None))
                else:
                    terms.append((c, b.names, root))
        equalities: dict[int, Poly] = {}
        for (name, multiplier, _), c in zip(self.free, free, strict=True):
            if c:
                equalities[name] = equalities.get(name, 0) + c * multiplier
        return Sum(terms, equalities)


def reduced(table: Any) -> tuple[Any, list[int]] | None:
    """Solve linear equations: return the reduced table and its pivots; None without a solution."""
    last = table.ncols() - 1
    matrix, rank = table.rref()
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


def _squares(g: list[list[Number]]) -> list[tuple[Number, list[Number]]] | None:
    """Write a symmetric matrix as a sum of positive multiples of squares; None where that fails."""
    n = len(g)
    found = []
    for i in range(n):
        d = g[i][i]
        if d < 0 or d == 0 and any(g[i][j] for j in range(i, n)):
            return None
        if d == 0:
            continue
        row = [flint.fmpq(0)] * i + [g[i][j] / d for j in range(i, n)]
        found.append((d, row))
        for j in range(i + 1, n):
            if row[j]:
                for k in range(j, n):
                    g[j][k] -= d * row[j] * row[k]
                    g[k][j] = g[j][k]
    return found


def _complement(basis: list[Poly], null: Floats) -> list[Poly] | None:
    """Return combinations of polynomials on which vectors vanish; None without rational numbers."""
    rank = null.shape[1]
    _, upper, order = linalg.qr(null.T, mode="economic", pivoting=True)
    made = []
    for q, column in zip(
        order[rank:], linalg.solve_triangular(upper[:, :rank], upper[:, rank:]).T, strict=True
    ):
        near = [Fraction(float(x)).limit_denominator(200) for x in column]
        if any(abs(float(c) - x) > 1e-3 for c, x in zip(near, column, strict=True)):
            return None
        exact = [flint.fmpq(c.numerator, c.denominator) for c in near]
        made.append(basis[q] - sum(c * basis[j] for c, j in zip(exact, order[:rank], strict=True)))
    return [p for p in made if p]
