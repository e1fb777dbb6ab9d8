"""Answers as they are given: text, LaTeX, SymPy objects and numbers, read exactly or refused."""

from __future__ import annotations

import contextlib
import difflib
import numbers
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import sympy
from sympy import Expr, Rational, Symbol
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from dpbook.engine.language.statement import (
    AlreadyEvaluated,
    Defined,
    Either,
    Relation,
    Tree,
    as_tree,
    evaluated,
    nodes_of,
    typed,
)
from dpbook.engine.read.latex import ACCENTS
from dpbook.engine.read.nodes import canonical
from dpbook.engine.read.readings import is_latex, read
from dpbook.engine.read.refusals import ParseError
from dpbook.teaching.typed import rewritten


class Unreadable(ValueError):
    """An answer that is none: what stands in it, where, and what is asked for."""


_NO_NUMBERS = (sympy.Lambda, sympy.AccumBounds, sympy.Order, sympy.MatrixBase, sympy.MatrixExpr)
LARGEST = 24  # power of ten below which a statement is decided at a point in reasonable time


def as_expression(answer: Any, symbols: Mapping[str, Symbol], asks: str = "a formula") -> Expr:
    """Read an answer as an expression in the given symbols; `asks` says what was asked for.

    ``b = 2/epsilon`` is the formula 2/epsilon where `b` is none of the symbols.

    Raises
    ------
    Unreadable
        Where and why it is none.
    """
    if isinstance(answer, str):
        expression = _parsed(answer, symbols)
        if isinstance(expression, Relation) and _names_it(expression, symbols):
            expression = expression.rhs
        if not isinstance(expression, Expr):
            alone = _alone(expression, symbols)
            raise Unreadable(f'{asks} is asked for, and "{answer}" is a condition{alone}')
    else:
        expression = _entered(answer)
        if not isinstance(expression, Expr) or _no_number(expression):
            raise Unreadable(f"{asks} is asked for, got {_kind(answer)}")
    return _named(expression, symbols)


def as_number(answer: Any) -> Expr:
    """Read an answer as a number without symbols; ``k = 3`` is 3. See `as_expression`."""
    if isinstance(answer, str):
        tree = _parsed(answer, {})
        if isinstance(tree, Relation) and _names_it(tree, {}):
            return _named(tree.rhs, {})
        if not isinstance(tree, Expr):
            alone = _alone(tree, {})
            raise Unreadable(f'a number alone is asked for, and "{answer}" is a condition{alone}')
    return as_expression(answer, {}, "a number")


def _names_it(relation: Relation, symbols: Mapping[str, Symbol]) -> bool:
    """Say whether an equation only names the answer: ``k = 3``, where `k` is no symbol of the exercise."""
    left = relation.lhs
    return relation.op == "==" and isinstance(left, Symbol) and left.name not in symbols


def _alone(tree: Tree, symbols: Mapping[str, Symbol]) -> str:
    """Say to write the right side alone, of a relation whose left side only names the answer."""
    if not isinstance(tree, Relation) or not isinstance(tree.lhs, Symbol):
        return ""
    if tree.lhs.name in symbols or _strange(tree.rhs, symbols):
        return ""
    return f": write {typed(tree.rhs).replace('**', '^')}"


def as_condition(answer: Any, symbols: Mapping[str, Symbol]) -> Tree:
    """Read an answer as relations on the given symbols; see `as_expression`."""
    if isinstance(answer, str):
        read = _parsed(answer, symbols)
        if isinstance(read, Expr):
            kind = "a formula" if read.free_symbols else "a number"
            raise Unreadable(f'{_condition_on(symbols)} is asked for, and "{answer}" is {kind}')
        tree = read
    else:
        thing = _entered(answer)
        try:
            tree = as_tree(thing)
        except AlreadyEvaluated as folded:
            raise Unreadable(
                f"the answer arrived as {folded.value}: write it as text, such as {_such_as(symbols)}"
            ) from None
        except ValueError:
            raise Unreadable(
                f"{_condition_on(symbols)} is asked for, got {_kind(answer)}"
            ) from None
    named: Tree = tree.map(lambda e: _named(e, symbols))
    return named


def _condition_on(symbols: Mapping[str, Symbol]) -> str:
    return f"a condition on {', '.join(symbols)} such as {_such_as(symbols)}"


def _such_as(symbols: Mapping[str, Symbol]) -> str:
    """Return an example of a condition as it is typed, which is not the answer."""
    return f'"{next(iter(symbols), "x")} > 7"'


def as_point(answer: Any, names: Sequence[str]) -> dict[str, Expr]:
    """Read an answer as exact values of all the names; see `as_expression`.

    Where there is one name a value alone will do.
    """
    pairs: list[tuple[str, Expr]]
    if isinstance(answer, str):
        trees = _point(answer)
        if (
            len(names) == len(trees) == 1
            and isinstance(trees[0], Expr)
            and not trees[0].free_symbols
        ):
            return as_point({names[0]: trees[0]}, names)
        plain = not any(isinstance(tree, (Expr, Either)) for tree in trees)
        found = [relation for tree in trees for relation in tree.relations()] if plain else []
        pairs = [(str(r.lhs), r.rhs) for r in found if r.op == "=="]
        once = len(dict(pairs)) == len(found)
        if not found or not once:
            raise Unreadable(f"a point is asked for, each symbol once, as in {_shown(names)}")
    elif isinstance(answer, Mapping):
        pairs = [
            (str(name), as_expression(value, {}, f"a number for {name}"))
            for name, value in answer.items()
        ]
    elif len(names) == 1 and isinstance(answer, (numbers.Number, Expr)):
        return as_point({names[0]: answer}, names)
    else:
        raise Unreadable(f"a point is asked for, as in {_shown(names)}, got {_kind(answer)}")
    point = {canonical(name): value for name, value in pairs}
    _refuse_strangers(point, names)
    missing = [name for name in names if name not in point]
    if missing:
        raise Unreadable(f"the point needs a value for {', '.join(missing)}")
    for name, value in point.items():
        if value.free_symbols:
            raise Unreadable(f"{name} needs a number, got {value}")
        refuse_restated(value, None)
        number = evaluated(value)
        if number.is_Rational and abs(number) >= 10**LARGEST:
            raise Unreadable(f"{name} needs a number below 10^{LARGEST}; a smaller one will do")
        point[name] = number if number.is_Rational else value
    return point


def _point(answer: str) -> Sequence[Any]:
    """Read the equations of a point; in LaTeX, too, a comma stands between them."""
    if not is_latex(answer):
        return [_parsed(answer.replace(";", ","), {})]
    try:
        return read(answer, given=True).given({})
    except ParseError as error:
        raise Unreadable(str(error)) from None


def _shown(names: Sequence[str]) -> str:
    """A point as it is typed; no numbers, which might lie outside the domain."""
    return '"' + ", ".join(f"{name} = ..." for name in names) + '"'


def refuse_restated(expression: Expr, functions: tuple[str, ...] | None) -> None:
    """Refuse what only repeats the question: integrals, sums, divergences left as they stand.

    Raises
    ------
    Unreadable
        With the name of what has to go.
    """
    for part in nodes_of(expression):
        name = type(part).__name__
        unevaluated = isinstance(
            part,
            (sympy.Integral, sympy.Sum, sympy.Product, sympy.Derivative, sympy.Limit, Defined),
        )
        power = isinstance(part, sympy.Pow) and bool(part.exp.free_symbols)
        if power and part.base is not sympy.E:
            name = "a variable exponent"
        elif power:
            name = "exp"
        strange = functions is not None and (
            (isinstance(part, sympy.Function) and name not in functions)
            or (power and name not in functions)
        )
        if unevaluated:
            counted = isinstance(part, (sympy.Sum, sympy.Product))
            why = "write it out" if counted else "this restates the question"
            raise Unreadable(f"{why}: {name} is still in it")
        if strange:
            allowed = f"; {', '.join(functions or ())} may stand in it" if functions else ""
            raise Unreadable(
                f"the answer has to do without {name}: simplify it, or solve for the unknown{allowed}"
            )
        if part in (sympy.oo, -sympy.oo, sympy.nan, sympy.zoo, sympy.I):
            raise Unreadable(f"{part} is no real number")


def _parsed(answer: str, symbols: Mapping[str, Symbol]) -> Tree | Expr:
    """Read text or LaTeX: an expression, or relations; see `dpbook.engine.read`."""
    if not answer.strip():
        raise Unreadable("the answer is empty")
    if re.search(r"(?:^|[=<>≤≥(,])\s*\+\s*[-−]", answer):
        raise Unreadable("+- could mean both signs: write one, or x = 1 or x = -1")
    known = {**_accented(symbols), **symbols} if is_latex(answer) else symbols
    made: Tree | Expr | None = None
    said = ""
    try:
        made = read(answer, factors=known).line(known)
    except ParseError as error:  # an exercise has its symbols: nobody can add one
        said = str(error).partition("; for a symbol add the condition")[0]
    if not is_latex(answer) and (made is None or _strange(made, symbols)):
        other = rewritten(answer, symbols)
        if other != answer:
            with contextlib.suppress(ParseError):
                again = read(other, factors=known).line(known)
                if made is None or not _strange(again, symbols):
                    return again
    if made is None:
        raise Unreadable(said)
    return made


def _strange(made: Tree | Expr, symbols: Mapping[str, Symbol]) -> bool:
    """Return whether an answer holds names that the exercise does not have."""
    sides = (
        [made]
        if isinstance(made, Expr)
        else [side for relation in made.relations() for side in (relation.lhs, relation.rhs)]
    )
    return any(canonical(free.name) not in symbols for side in sides for free in side.free_symbols)


def _accented(symbols: Mapping[str, Symbol]) -> dict[str, Symbol]:
    r"""Return a symbol such as ``y_n_hat`` by what is read of ``\hat{y}_n`` and of ``\hat{y_n}``."""
    found: dict[str, Symbol] = {}
    for name, symbol in symbols.items():
        stem, _, accent = name.rpartition("_")
        if accent in ACCENTS.values() and stem:
            letter, below, sub = stem.partition("_")
            found |= dict.fromkeys((f"{letter}{accent}{below}{sub}", f"{stem}{accent}"), symbol)
    return found


def _entered(answer: Any) -> Any:
    """Turn Python's numbers into exact ones; a float counts as the decimal that it shows."""
    if isinstance(answer, (bool, Boolean)) and not isinstance(answer, Relational):
        return answer
    if isinstance(answer, Decimal) and answer.is_finite():
        return Rational(str(answer))
    if isinstance(answer, numbers.Rational):
        return Rational(int(answer.numerator), int(answer.denominator))
    if isinstance(answer, numbers.Real) and not isinstance(answer, Expr):
        number = float(answer)
        if number - number != 0:
            raise Unreadable(f"a finite number is asked for, got {number}")
        return Rational(repr(number))
    if isinstance(getattr(answer, "lower", None), numbers.Real):
        raise Unreadable(
            f"a number is asked for, got an enclosure, {answer!r}: take its .lower or its .upper"
        )
    if isinstance(answer, sympy.Basic):
        with sympy.evaluate(False):
            return answer.xreplace({f: Rational(str(f)) for f in answer.atoms(sympy.Float)})
    return answer


def _named(expression: Expr, symbols: Mapping[str, Symbol]) -> Expr:
    """Put the exercise's own symbols in place of symbols of the same name."""
    names = {free: canonical(free.name) for free in expression.free_symbols}
    _refuse_strangers({name: free for free, name in names.items()}, list(symbols))
    with sympy.evaluate(False):
        return expression.xreplace({free: symbols[name] for free, name in names.items()})


def _refuse_strangers(found: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in sorted(found):
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            hint = f"; nearest: {near[0]}" if near else ""
            if name in ("e", "E"):
                hint = "; write exp(1) for Euler's number"
            if not names:
                raise Unreadable(f"a number is asked for, and {name} is none: leave it out")
            raise Unreadable(
                f"{name} is no symbol of this exercise, which has {', '.join(names) or 'none'}{hint}"
            )


def _no_number(expression: Expr) -> bool:
    """Say whether a part of a SymPy expression has a value that is no number."""
    return any(isinstance(part, _NO_NUMBERS) for part in nodes_of(expression))


def _kind(answer: Any) -> str:
    if isinstance(answer, (Relational, Boolean, bool)):
        return "a condition"
    return "a function" if callable(answer) else type(answer).__name__
