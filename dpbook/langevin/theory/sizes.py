"""Numbers of records of any size: integers, and thresholds that compare with them exactly.

The constants of the paper easily pass what a double holds. An entry of a threshold is kept as an
expression of the notation with exact numbers put in: it has a logarithm where a float has only inf,
and balls decide how it compares with an integer.
"""

from __future__ import annotations

import html
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from flint import arb, ctx, fmpq, fmpz
from sympy import Expr, Rational, exp, log

from dpbook.engine.evaluate.public import as_exact, compiled
from dpbook.engine.language.domain import DomainError
from dpbook.engine.language.statement import unfold_definitions
from dpbook.privacy.value import Value, Version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Exact = Mapping[str, fmpq]
"""Numbers by the names of their symbols."""

DIGITS = (30, 120, 480, 1920, 4800)  # at which a comparison is tried
MOST_POWER = math.log10(sys.float_info.max)
WRITTEN = 1000  # an integer of more digits is rounded up to LEADING of them
LEADING = 60


def shown(log10: float) -> str:
    """Return a positive number in six digits, or as a power of ten from 10**30 on."""
    if log10 == -math.inf:
        return "0"
    return f"{10**log10:.6g}" if log10 < 30 else f"10^{log10:.7g}"


@dataclass(frozen=True)
class Whole:
    """A positive integer of any size, digits * 10**zeros.

    Attributes
    ----------
    digits, zeros : int
        `zeros` is 0 up to a thousand digits: then `digits` is the number.
    """

    digits: int
    zeros: int = 0

    @property
    def log10(self) -> float:
        """Its logarithm."""
        with ctx.workprec(80):
            return float(arb(self.digits).log() / arb(10).log() + self.zeros)

    def ball(self) -> arb:
        """Return it at the working precision."""
        return arb(self.digits) * arb(10) ** arb(fmpz(self.zeros))

    def times(self, factor: int) -> Whole:
        """Return a multiple."""
        return Whole(self.digits * factor, self.zeros)

    def __int__(self) -> int:
        return self.digits * 10**self.zeros

    def __repr__(self) -> str:
        return str(int(self)) if self.log10 < 15 else shown(self.log10)


@lru_cache(maxsize=256)
def _program(expression: Expr, digits: int) -> tuple[tuple[str, ...], Callable[..., arb]]:
    plain = unfold_definitions(expression)
    free = sorted(plain.free_symbols, key=lambda s: str(s.name))
    return tuple(s.name for s in free), compiled(plain, *free, digits=digits)


def ball(expression: Expr, numbers: Exact, digits: int = 30) -> arb:
    """Return the value of an expression of the notation, right to so many digits."""
    names, program = _program(expression, digits)
    return program(*(numbers[name] for name in names))


def floor(value: arb) -> int:
    """Return the largest integer below a ball that holds no integer, or is one."""
    found = value.floor().unique_fmpz()
    assert found is not None
    return int(found)


def bits(digits: int) -> int:
    """Return a working precision for so many digits."""
    return int(3.33 * digits) + 40


def exact(value: Any) -> fmpq:
    """Return a number as the fraction that it is."""
    found = as_exact(value)
    assert isinstance(found, fmpq)
    return found


@dataclass(frozen=True)
class Entry:
    """Hold one entry of a maximum that the number of records has to reach.

    Attributes
    ----------
    name : str
        What it is there for.
    formula : Expr
    strict : bool
        Whether the number of records has to exceed it.
    """

    name: str
    formula: Expr
    strict: bool
    _numbers: Exact = field(repr=False, compare=False)

    def value(self, digits: int = 30) -> arb:
        """Return the entry as a ball, right to so many digits."""
        return ball(self.formula, self._numbers, digits)

    @cached_property
    def log10(self) -> float:
        """Its logarithm; -inf for an entry that asks for nothing, 0 or less."""
        value = self.value()
        with ctx.workprec(bits(30)):
            return float(value.log() / arb(10).log()) if value > 0 else -math.inf

    def compare(self, number: fmpq | Whole) -> int:
        """Return the sign of entry - number."""
        if isinstance(number, fmpq) and self._equals(number):
            return 0
        for digits in DIGITS:
            with ctx.workprec(bits(digits)):
                other = number.ball() if isinstance(number, Whole) else arb(number)
                gap = self.value(digits) - other
            if gap > 0 or gap < 0:
                return 1 if gap > 0 else -1
        raise ArithmeticError(
            f"{self.name} cannot be distinguished from {number} at {DIGITS[-1]} digits"
        )

    def _equals(self, number: fmpq) -> bool:
        """Decide equality where it can be: an entry with a logarithm in it is 0 or transcendental."""
        if unfold_definitions(self.formula).has(log, exp):
            return False
        value, power = (_rational(e, self._numbers) for e in self.formula.as_base_exp())
        if power == 1:
            return value == number
        # number = value**(p/q) needs perfect powers, which an exponent beyond the bits rules out
        p, q = int(power.p), int(power.q)
        if value == 1 or number == 1:
            return bool(value == number)
        if max(abs(p), q) > 2 + max(int(x).bit_length() for x in (value.p, value.q)):
            return False
        return bool(number**q == value**p)

    def least(self) -> Whole:
        """Return the smallest integer that passes; beyond 1000 digits it is rounded up to 60."""
        size = self.log10
        if size < 0:
            return Whole(1)
        zeros = 0 if size < WRITTEN else math.floor(size) - LEADING
        digits = (int(size) if not zeros else LEADING + len(str(zeros))) + 20
        with ctx.workprec(bits(digits)):
            scaled = self.value(digits) / arb(10) ** arb(fmpz(zeros))
            # within one of the answer; the comparison below settles which
            found = floor(scaled.lower())
        if zeros:
            return Whole(found + 2, zeros)
        found = max(1, found)
        while not self.passed(found):
            found += 1
        return Whole(found)

    def passed(self, number: Any) -> bool:
        """Say whether a number of records, of any size, reaches or exceeds the entry."""
        sign = self.compare(number if isinstance(number, Whole) else exact(number))
        return sign < 0 or (sign == 0 and not self.strict)


def _rational(expression: Expr, numbers: Exact) -> fmpq:
    """Value of an expression without functions, in rational arithmetic."""
    plain = unfold_definitions(expression)
    values = {
        s: Rational(int(v.p), int(v.q)) for s in plain.free_symbols for v in [numbers[s.name]]
    }
    return exact(plain.subs(values).doit())


class Threshold(Value):
    """The number of records that a claim asks for: the largest of its entries.

    It compares with integers, fractions and floats of any size, exactly. As a float it is infinite
    where it is beyond the doubles.

    Parameters
    ----------
    claim : str
        Key of the claim; for ``version="printed"`` that of the refuted one.
    entries : tuple of Entry
    version : {"corrected", "printed"}

    Examples
    --------
    >>> from dpbook.langevin import least_records
    >>> least = least_records(
    ...     10**6, epsilon=1, delta=0.01, alpha=1, beta=3, x_l=0.5, x_h=1.8, c=8e6, rho_2=0.1, gamma_1=0.4
    ... )
    >>> least.met_by(10**6), round(least.log10, 3)
    (False, 21.796)
    >>> least.binding.log10 == least.log10
    True
    """

    entries: tuple[Entry, ...]

    def __init__(
        self, claim: str, entries: tuple[Entry, ...], version: Version = "corrected"
    ) -> None:
        object.__setattr__(self, "entries", entries)
        log10 = max(entry.log10 for entry in entries)
        value = 10**log10 if log10 < MOST_POWER else math.inf
        super().__init__(value, claim, version, "number of records", ">=")

    @property
    def binding(self) -> Entry:
        """The largest entry."""
        return max(self.entries, key=lambda entry: entry.log10)

    @property
    def log10(self) -> float:
        """Logarithm of the largest entry."""
        return self.binding.log10

    @property
    def least(self) -> Whole:
        """The smallest number of records that passes."""
        wholes = [entry.least() for entry in self.entries]
        return max(wholes, key=lambda whole: (whole.log10, whole.digits))

    def met_by(self, records: Any) -> bool:
        """Say whether a number of records passes every entry."""
        return all(entry.passed(records) for entry in self.entries)

    def require(self, records: Any) -> None:
        """Refuse a number of records that does not pass.

        Raises
        ------
        DomainError
            It names the claim and the entry.
        """
        for entry in self.entries:
            if not entry.passed(records):
                rule = ">" if entry.strict else ">="
                raise DomainError(
                    f"{self.claim} needs n {rule} {entry.formula} = {shown(entry.log10)}, "
                    f"got n = {_short(records)}"
                )

    def _signs(self, number: Any) -> list[int]:
        other = number if isinstance(number, Whole) else exact(number)
        return [entry.compare(other) for entry in self.entries]

    def __lt__(self, number: Any) -> bool:
        return max(self._signs(number)) < 0

    def __le__(self, number: Any) -> bool:
        return max(self._signs(number)) <= 0

    def __gt__(self, number: Any) -> bool:
        return max(self._signs(number)) > 0

    def __ge__(self, number: Any) -> bool:
        return max(self._signs(number)) >= 0

    def __repr__(self) -> str:
        return (
            f"Threshold({shown(self.log10)}, binding={self.binding.name!r}, claim={self.claim!r})"
        )

    def _repr_html_(self) -> str:
        binding = self.binding
        rows = "".join(
            f"<tr><th>{html.escape(entry.name)}</th>"
            f"<td><code>n {'&gt;' if entry.strict else '&gt;='} {html.escape(str(entry.formula))}"
            f"</code></td><td>{shown(entry.log10)}</td>"
            f"<td>{'the largest' if entry is binding else ''}</td></tr>"
            for entry in self.entries
        )
        return f"<table><caption><code>{html.escape(self.claim)}</code></caption>{rows}</table>"

    def describe(self) -> str:
        """Return the words for the picture."""
        rows = ", ".join(f"{entry.name} {shown(entry.log10)}" for entry in self.entries)
        return (
            f"Entries of the threshold of {self.claim}, on a scale of powers of ten: {rows}. "
            f"The largest is {self.binding.name}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the entries."""
        ax = ax or figures.axes()
        binding = self.binding
        for place, entry in enumerate(self.entries):
            colour = figures.PALETTE[1] if entry is binding else figures.PALETTE[3]
            ax.barh(place, max(0.0, entry.log10), color=colour)
            ax.annotate(
                shown(entry.log10),
                (max(0.0, entry.log10), place),
                xytext=(3, 0),
                textcoords="offset points",
                va="center",
            )
        ax.set_yticks(range(len(self.entries)), [entry.name for entry in self.entries])
        ax.invert_yaxis()
        ax.grid(visible=False, axis="y")
        ax.set_xlim(0, 1.3 * max(binding.log10, 1.0))  # with room for the numbers
        ax.set_xlabel("power of ten of the number of records")
        return ax


def _short(records: Any) -> str:
    return repr(Whole(records)) if isinstance(records, int) else str(records)
