"""Represent functions that a statement leaves open: it holds for all with the known properties.

An `Unknown` becomes a function symbol of the kernel's sequent, and its known properties become
hypotheses. Nothing evaluates it: a statement with such a function is proved by a certificate, or
refuted by an example in which the function is a table of numbers (`finite_models`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import sympy
from sympy import Basic, Expr, Symbol
from sympy.core.symbol import Str

from dpbook.engine.language.statement import Relation, Tree, for_all, latex, unfold_definitions

if TYPE_CHECKING:
    import numpy as np


class Unknown(Basic):
    """Represent a named function of real arguments; its class says which properties are known.

    Parameters
    ----------
    name : str
    parameters : int
        Number of arguments before the last one; they index a family of functions of the last one.
    """

    words: ClassVar[str] = "function"
    integer: ClassVar[bool] = False  # whether it is a function of integers
    endless: ClassVar[bool] = False  # whether a table of it goes on for ever, with its last value
    costly: ClassVar[bool] = False  # whether an example takes long
    by_place: ClassVar[bool] = False  # whether its own `value` is asked for at cells of the line
    measure: ClassVar[bool] = False  # whether it is the density, or the mass, of a distribution
    density: ClassVar[bool] = False  # whether an example gives its integral over a cell

    def __new__(cls, name: Any, parameters: Any = 0) -> Unknown:
        return Basic.__new__(cls, Str(str(name)), sympy.Integer(parameters))

    @property
    def name(self) -> str:
        return str(self.args[0].name)

    @property
    def parameters(self) -> int:
        return int(self.args[1])

    @property
    def arity(self) -> int:
        return self.parameters + 1

    @property
    def said(self) -> str:
        """Return the kind of the function, in words."""
        return self.words

    @property
    def arguments(self) -> list[Symbol]:
        """Return real symbols for its arguments, for the properties that hold at all arguments."""
        return [Symbol(f"x_{i}", real=True) for i in range(1, self.arity + 1)]

    def __call__(self, *at: Any) -> Value:
        return Value(self, *at)

    @abstractmethod
    def known(self) -> Sequence[Tree]:
        """Return the known properties of the function, with evaluation off."""

    @abstractmethod
    def example(self, cells: int, rng: np.random.Generator) -> tuple[Fraction, ...]:
        """Return exact values on a few cells, of one function of the last argument."""

    def value(self, model: Any, at: Sequence[Expr]) -> Expr | None:
        """Return its value in an example where other values give it, and None where it is drawn."""
        return None

    def at(self, table: Sequence[Fraction], place: Any) -> Expr | None:
        """Return its value at a whole number in an example, nan where that is not clear, None where a table holds all."""
        return None

    def given_by(self) -> tuple[str, str] | None:
        """Return the formula of its values, as text and as LaTeX; None if there is no formula."""
        return None

    def told(self, table: Sequence[Any]) -> str:
        """Return its values in an example, on the cells one after the other, as text."""
        return f"[{', '.join(map(str, table))}]"

    def _sympystr(self, printer: Any) -> str:
        return self.name

    def _latex(self, printer: Any) -> str:
        return str(printer.doprint(sympy.Symbol(self.name)))


class Signed(Unknown):
    """Represent a function of known sign: its values all stand in the relation `op` to 0."""

    op: ClassVar[str] = ">"

    def known(self) -> Sequence[Tree]:
        at = self.arguments
        return [for_all(*at, Relation(self(*at), self.op, sympy.Integer(0)))]


class Value(Expr):
    """Represent the value of an unknown function at its arguments."""

    is_commutative = True
    is_real = True
    is_extended_real = True

    def __new__(cls, function: Unknown, *at: Any) -> Value:
        if len(at) != function.arity:
            raise TypeError(f"{function.name} has {function.arity} arguments, got {len(at)}")
        return Expr.__new__(cls, function, *map(sympy.sympify, at))

    @property
    def function(self) -> Unknown:
        return self.args[0]

    @property
    def at(self) -> tuple[Expr, ...]:
        return tuple(self.args[1:])

    def _sympystr(self, printer: Any) -> str:
        return f"{self.function.name}({', '.join(printer.doprint(a) for a in self.at)})"

    def _latex(self, printer: Any, exp: Any = None) -> str:
        power = "" if exp is None else f"^{{{exp}}}"
        inside = ", ".join(latex(a) for a in self.at)
        return rf"{printer.doprint(self.function)}{power}\left({inside}\right)"


def unknowns_of(things: Iterable[Any]) -> tuple[Unknown, ...]:
    """Return the unknown functions in forms and trees, written out, ordered by name.

    Raises
    ------
    ValueError
        When two of them share a name.
    """
    found: dict[str, Unknown] = {}

    def note(e: Expr) -> Expr:
        for one in unfold_definitions(e).atoms(Unknown):
            if found.setdefault(one.name, one) != one:
                raise ValueError(f"two unknown functions are called {one.name}")
        return e

    for thing in things:
        thing.map(note)
    return tuple(found[name] for name in sorted(found))


def has_unknown(form: Any, given: Sequence[Tree]) -> bool:
    """Say whether a statement has functions that it leaves open."""
    return bool(unknowns_of([form, *given]))
