"""Look for a point at which polynomial facts hold, in floating point: then none contradicts them.

A search for a contradiction of facts that hold together somewhere cannot succeed, and takes long.
The variables are numbers of any kind here, also where they stand for values of functions, so a point
says nothing about the statement itself. Points move by the method of Gauss and Newton; facts hold
there with a margin, so that rounding hides no contradiction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dpbook.engine.language.arrays import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dpbook.engine.prove.tactics.positivstellensatz import Literal, Poly

    Array = NDArray[np.float64]

POINTS, STEPS = 24, 25
LARGEST = 100_000  # variables times monomials of the facts
# Sides are compared with the sum of the sizes of the terms.
EQUAL = 1e-12  # an equality holds
CLEAR, BESIDE = 1e-9, 1e-4  # an inequality holds; beside equalities, which hold by rounding only
WANTED = 1e-3  # the margin that steps aim at
DAMPING = 1e-6
FARTHEST = 2.0  # of a step, as a multiple of a coordinate


def holds_somewhere(facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]] = ()) -> bool:
    """Say whether a point was found at which facts hold, with an alternative of each clause.

    Facts are pairs of a polynomial and one of ``>``, ``>=``, ``==``, ``!=``. Clauses are
    disjunctions, each a list of alternatives, each a list of literals that hold together.
    """
    try:
        system = _System(facts, clauses)
    except (OverflowError, _Unfit):
        return False
    with np.errstate(all="ignore"):
        return system.solvable()


class _Unfit(Exception):
    """Signal facts without variables, a fact that is false everywhere, or too large facts."""


class _System:
    """Hold facts as matrices: exponents of monomials, and coefficients of polynomials."""

    def __init__(self, facts: Sequence[Literal], clauses: Sequence[list[list[Literal]]]) -> None:
        self.numbers: dict[Any, int] = {}
        self.polys: list[Poly] = []
        self.ops: list[str] = []
        given = self._numbered(facts)
        parts = [[self._numbered(part) for part in clause] for clause in clauses]
        if given is None or any(part.count(None) == len(part) for part in parts):
            raise _Unfit
        self.given = given
        self.clauses = [list(filter(None, clause)) for clause in parts if [] not in clause]
        self._join_opposites()
        monomials = {m: i for i, m in enumerate(dict.fromkeys(m for p in self.polys for m in p))}
        variables = {v: i for i, v in enumerate(dict.fromkeys(v for m in monomials for v, _ in m))}
        if not 0 < len(monomials) * len(variables) <= LARGEST:
            raise _Unfit
        self.exponents = np.zeros((len(monomials), len(variables)))
        for m, i in monomials.items():
            for v, e in m:
                self.exponents[i, variables[v]] = e
        self.coefficients = np.zeros((len(self.polys), len(monomials)))
        for row, poly in enumerate(self.polys):
            largest = max(map(abs, poly.values()))
            for m, c in poly.items():
                self.coefficients[row, monomials[m]] = float(c / largest)
        self.signs = np.zeros(len(variables))
        for i in self.given:
            if len(self.polys[i]) == 1 and self.ops[i] in (">", ">="):
                ((m, c),) = self.polys[i].items()
                if len(m) == 1 and m[0][1] % 2:
                    self.signs[variables[m[0][0]]] = 1 if c > 0 else -1

    def _numbered(self, facts: Iterable[Literal]) -> list[int] | None:
        """Return the numbers of facts, but of 0 >= 0; None where one is 0 > 0."""
        facts = list(facts)
        if any(not poly and op in (">", "!=") for poly, op in facts):
            return None
        return [self._number(poly, op) for poly, op in facts if poly]

    def _number(self, poly: Poly, op: str) -> int:
        """Return the number of a fact, the same for the same fact."""
        number = self.numbers.setdefault((frozenset(poly.items()), op), len(self.polys))
        if number == len(self.polys):
            self.polys.append(poly)
            self.ops.append(op)
        return number

    def _join_opposites(self) -> None:
        """Read p >= 0 and -p >= 0 as equalities: a point would have to meet them exactly."""

        def scaled(poly: Poly, factor: int) -> Any:
            lead = abs(poly[min(poly)])
            return frozenset((m, Fraction(c) * factor / lead) for m, c in poly.items())

        weak = [i for i in self.given if self.ops[i] == ">="]
        there = {scaled(self.polys[i], 1) for i in weak}
        for i in weak:
            if scaled(self.polys[i], -1) in there:
                self.ops[i] = "=="

    def solvable(self) -> bool:
        """Say whether one of the points moves to a point at which everything holds."""
        rng = np.random.default_rng(24)
        shape = POINTS, self.exponents.shape[1]
        chosen = np.where(self.signs == 0, rng.choice([-1.0, 1.0], shape), self.signs)
        points = chosen * np.exp(rng.normal(0, 1.2, shape))
        for _ in range(STEPS):
            terms = np.prod(points[:, None, :] ** self.exponents, axis=2)
            sizes = np.abs(terms) @ np.abs(self.coefficients).T
            sides = terms @ self.coefficients.T / sizes
            if self._hold(sides).any():
                return True
            points = self._moved(points, terms, sizes, self._missing(sides))
            lost = ~np.isfinite(points) | (points == 0)
            points = np.where(lost, rng.normal(0, 1, shape), points)
        return False

    def _hold(self, sides: Array) -> NDArray[np.bool_]:
        """Return at which points all facts hold, and an alternative of each clause."""
        clear = BESIDE if "==" in self.ops else CLEAR

        def fits(side: Array, op: str) -> NDArray[np.bool_]:
            if op == "==":
                return np.abs(side) <= EQUAL
            return (np.abs(side) if op == "!=" else side) > clear

        fine = np.stack([fits(side, op) for side, op in zip(sides.T, self.ops, strict=True)])
        every = [fine[self.given].all(axis=0)]
        every += [np.any([fine[part].all(axis=0) for part in c], axis=0) for c in self.clauses]
        return np.all(every, axis=0)

    def _missing(self, sides: Array) -> Array:
        """Return how far each side is from its margin, 0 for alternatives that are not nearest."""

        def short(side: Array, op: str) -> Array:
            if op == "!=":
                return np.where(abs(side) < WANTED, side - np.copysign(WANTED, side), 0)
            return side if op == "==" else np.minimum(side - WANTED, 0)

        missing = np.stack([short(side, op) for side, op in zip(sides.T, self.ops, strict=True)])
        wanted = np.zeros(missing.shape, dtype=bool)
        wanted[self.given] = True
        for clause in self.clauses:
            far = np.stack([np.abs(missing[part]).max(axis=0) for part in clause])
            nearest = far.argmin(axis=0)
            for place, part in enumerate(clause):
                wanted[part] |= nearest == place
        return np.where(wanted, missing, 0).T

    def _moved(self, points: Array, terms: Array, sizes: Array, missing: Array) -> Array:
        """Return the points after a step that would reach the margins if all sides were linear."""
        slopes = terms[:, :, None] * self.exponents  # of monomials, by relative changes
        turned = np.einsum("fm,bmv->bfv", self.coefficients, slopes) / sizes[:, :, None]
        turned = np.where((missing != 0)[:, :, None], turned, 0)
        normal = np.einsum("bfv,bfw->bvw", turned, turned)
        trace = np.einsum("bvv->b", normal)[:, None, None] / points.shape[1]
        normal += (DAMPING * trace + 1e-9) * np.eye(points.shape[1])
        downhill = np.einsum("bfv,bf->bv", turned, missing)
        step = -np.linalg.solve(normal, downhill[:, :, None])[:, :, 0]
        longest = np.abs(step).max(axis=1, keepdims=True)
        return points * (1 + step * np.minimum(1, FARTHEST / longest))
