"""Represent domains: symbols with ranges, and side conditions.

Ranges live here only. A symbol that `symbol` makes carries ``real`` or ``integer`` as its sole
SymPy assumption, so that ``p > 0`` for a positive p is not folded to True while it is built;
range and definition are part of the symbol's identity.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Any

import sympy
from sympy import Basic, Expr, Symbol

from dpbook.engine.language.statement import (
    SWAPPED,
    Both,
    Either,
    Every,
    Recurrence,
    Relation,
    Tree,
    bindings,
    entered,
    evaluated,
    free_in,
    unfold_definitions,
)
from dpbook.kernel.terms import fresh


class DomainError(ValueError):
    """Signal a domain that contradicts itself, or an argument outside the range of a claim."""


def sort_of(whole: bool) -> dict[str, bool]:
    """Return the assumption of SymPy with which a symbol of integers, or of real numbers, is made."""
    return {"integer": True} if whole else {"real": True}


def _told_apart(detail: Any) -> str:
    """Return a text of a detail; symbols of one name but of another sort or range differ in it."""
    free = detail.free_symbols if isinstance(detail, Basic) else ()
    free = sorted(free, key=lambda s: (s.name, str(s.assumptions0)))
    sorts = (f"{s.name}: {getattr(s, 'identity', '')} {sorted(s._assumptions_orig)}" for s in free)
    return f"{detail} [{', '.join(sorts)}]" if free else str(detail)


MOST_CASES = 64  # cases that conditions may split into, and parts of a statement

ROLES = ("given", "chosen", "defined", "placeholder")
"""The roles: given by the source, chosen in a proof, defined by a formula, or a placeholder.

A placeholder is a free number that stands for a probability, a loss or a distribution. A proof
about a placeholder is arithmetic: a statement of the source says the same of the thing itself.
"""


@dataclass(frozen=True)
class Bounds:
    """Represent the range of a symbol; None stands for an infinite end."""

    lower: Expr | None = None
    lower_open: bool = False
    upper: Expr | None = None
    upper_open: bool = False
    integer: bool = False

    def map(self, change: Callable[[Expr], Expr]) -> Bounds:
        """Apply `change` to both ends."""
        lower, upper = (None if end is None else change(end) for end in (self.lower, self.upper))
        return replace(self, lower=lower, upper=upper)

    def relations(self, symbol: Symbol) -> list[Relation]:
        """Return the range as relations."""
        above, below = ">" if self.lower_open else ">=", "<" if self.upper_open else "<="
        ends = ((above, self.lower), (below, self.upper))
        return [Relation(symbol, op, end) for op, end in ends if end is not None]


class RangedSymbol(Symbol):
    """Represent a symbol with a range, a meaning and perhaps a definition; `symbol` makes it.

    Attributes
    ----------
    range : Bounds
    latex_text : str or None
        How it is typeset, where its name does not say.
    meaning : str
        Its meaning, in words.
    definition : callable or None
        For an abbreviation: a function that returns its definition.
    identity : str
        A text that separates symbols of one name; symbols of equal text are the same.
    """

    __slots__ = ("range", "latex_text", "meaning", "definition", "_role", "identity")

    def __new__(
        cls,
        name: str,
        range: Bounds = Bounds(),
        latex: str | None = None,
        meaning: str = "",
        definition: Callable[[], Expr] | None = None,
        role: str = "",
    ) -> RangedSymbol:
        made = Symbol.__xnew__(cls, name, **sort_of(range.integer))
        made.range, made.latex_text, made.meaning = range, latex, meaning
        made.definition, made._role = definition, role
        ends = (range.lower, range.lower_open, range.upper, range.upper_open)
        # written once: SymPy compares symbols many thousand times
        made.identity = "; ".join(map(_told_apart, (range.integer, *ends, definition, role)))
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        return (*super()._hashable_content(), getattr(self, "identity", ""))

    def __reduce__(self) -> tuple[Any, ...]:
        # a definition may be a lambda, which does not pickle; statements are written out before
        kept = (self.range, self.latex_text, self.meaning, None, self._role)
        return RangedSymbol, (self.name, *kept)

    def __copy__(self) -> RangedSymbol:
        return self

    def __deepcopy__(self, memo: Any) -> RangedSymbol:
        return self

    @property
    def integer(self) -> bool:
        return self.range.integer

    @property
    def role(self) -> str:
        """Return the role of the symbol in a statement, one of `ROLES`."""
        return self._role or ("defined" if self.definition else "given")

    def _latex(self, printer: Any) -> str:
        return self.latex_text or printer._deal_with_super_sub(self.name)


def range_of(symbol: Symbol) -> list[Relation]:
    """Return the range of a symbol as relations; a symbol of another class has none."""
    return symbol.range.relations(symbol) if isinstance(symbol, RangedSymbol) else []


def symbol(
    name: str,
    *,
    above: Any = None,
    at_least: Any = None,
    below: Any = None,
    at_most: Any = None,
    integer: bool = False,
    equals: Callable[[], Expr] | None = None,
    latex: str | None = None,
    meaning: str = "",
    role: str = "",
) -> RangedSymbol:
    """Make a symbol with a range, or an abbreviation with a definition.

    Parameters
    ----------
    name : str
        Its name in text.
    above, at_least, below, at_most : number or expression, optional
        Ends of its range; ``above`` and ``below`` exclude the end.
    integer : bool
        Whether it runs over the integers.
    equals : callable, optional
        For an abbreviation: a function that returns its definition.
    latex : str, optional
        How it is typeset, where its name does not say.
    meaning : str
        Its meaning, for the table of notation.
    role : str, optional
        One of `ROLES`; without it "defined" where there is a definition, else "given".

    Returns
    -------
    RangedSymbol

    Raises
    ------
    ValueError
        When the name is not valid, both ends of one kind are given, a number is a float, or there
        is no such role.

    Examples
    --------
    >>> n = symbol("n", integer=True, at_least=1, meaning="number of records")
    >>> n.name, n.is_integer
    ('n', True)
    """
    if not isinstance(name, str):
        raise ValueError(f"a symbol's name is text such as 'x', got {name!r}")
    if not name.isidentifier():
        raise ValueError(
            f"symbol {name!r}: a name is made of letters, digits and _, and begins with none of the digits"
        )
    if role and (role not in ROLES or (role == "defined") != (equals is not None)):
        raise ValueError(
            f"symbol {name}: role must be one of {', '.join(ROLES)}, and defined with equals only, "
            f"got {role!r}"
        )
    if above is not None and at_least is not None:
        raise ValueError(f"symbol {name}: give above or at_least, not both")
    if below is not None and at_most is not None:
        raise ValueError(f"symbol {name}: give below or at_most, not both")
    lower = above if above is not None else at_least
    upper = below if below is not None else at_most
    ends = []
    for end in (lower, upper):
        if isinstance(end, float):
            raise ValueError(f"symbol {name}: its range must be exact, got the float {end}")
        if end is not None and end in (sympy.oo, -sympy.oo):
            end = None
        # written out here: a range is part of the symbol, wherever it is sent
        ends.append(None if end is None else unfold_definitions(entered(end)))
    lower, upper = ends
    if lower is not None and upper is not None:
        gap = upper - lower
        if gap.is_number and (gap.is_negative or (gap.is_zero and (above, below) != (None, None))):
            raise ValueError(f"symbol {name}: no number lies between {lower} and {upper}")
    bounds = Bounds(lower, above is not None, upper, below is not None, bool(integer))
    return RangedSymbol(name, bounds, latex, meaning, equals, role)


def symbols(names: str, **ranges: Any) -> tuple[RangedSymbol, ...]:
    """Make several symbols of one range; `names` is separated by spaces.

    Parameters
    ----------
    names : str
        Their names.
    **ranges
        As for `symbol`.

    Examples
    --------
    >>> symbols("a b", above=0)
    (a, b)
    """
    if not isinstance(names, str) or not names.split():
        raise ValueError(f"names must be text such as 'a b', got {names!r}")
    return tuple(symbol(name, **ranges) for name in names.split())


# SymPy's own assumptions that a stranger's symbol may be declared with; all others have no range
_SIGNS = ("positive", "nonnegative", "negative", "nonpositive")
_UNDERSTOOD = ("real", "integer", "nonzero", *_SIGNS)


def _refuse_assumptions(symbol: Symbol) -> dict[str, bool]:
    """Return the assumptions that a symbol was declared with; refuse any that has no range."""
    declared = {k: v for k, v in symbol._assumptions_orig.items() if v is not None}
    for key, value in sorted(declared.items()):
        if not value or key not in ("commutative", *_UNDERSTOOD):
            raise DomainError(
                f"symbol {symbol}: an assumption must be one of {', '.join(_UNDERSTOOD)}, "
                f"got {key}={value}; declare the symbol real or integer, and state the rest as a condition"
            )
    return declared


def from_sympy_symbol(symbol: Symbol) -> tuple[RangedSymbol, list[Relation]]:
    """Turn a stranger's symbol into a `RangedSymbol`; its assumptions become ranges and conditions.

    Raises
    ------
    DomainError
        When an assumption has no range: rational, even, prime, complex, noncommutative ...
    """
    if isinstance(symbol, RangedSymbol):
        return symbol, []
    _refuse_assumptions(symbol)
    positive, negative = bool(symbol.is_positive), bool(symbol.is_negative)
    bounds = Bounds(
        lower=sympy.S.Zero if symbol.is_nonnegative else None,
        lower_open=positive,
        upper=sympy.S.Zero if symbol.is_nonpositive else None,
        upper_open=negative,
        integer=bool(symbol.is_integer),
    )
    made = RangedSymbol(symbol.name, bounds)
    strict = symbol.is_nonzero and not (positive or negative)
    return made, [Relation(made, "!=", sympy.S.Zero)] if strict else []


def bound_names(
    expressions: Iterable[Basic], also_free: Iterable[Symbol] = ()
) -> dict[tuple[Symbol, bool], Symbol]:
    """Say which plain symbol stands for each symbol that sums, products and integrals bind.

    An index is an integer and nothing more, a variable of an integral a real number, whatever the
    symbol was declared to be; its name is no free symbol's and no other bound symbol's.

    Returns
    -------
    dict
        From a symbol and whether it is bound as an integer; it holds only symbols that change.

    Raises
    ------
    DomainError
        When a bound symbol was declared with an assumption that its range does not confirm: SymPy
        may have simplified with that assumption already.
    """
    expressions = list(expressions)
    found: dict[tuple[Symbol, bool], None] = {}
    for e in expressions:
        for variable, whole, ends in bindings(e):
            _refuse_bound(variable, whole, ends)
            found[variable, whole] = None
    taken = {v.name for e in expressions for v in free_in(e)} | {v.name for v in also_free}
    names = taken | {variable.name for variable, _ in found}
    made: dict[tuple[Symbol, bool], Symbol] = {}
    # a symbol that is plain already keeps its name before another one of that name
    for variable, whole in sorted(found, key=lambda b: (b[0].name, not _is_plain(*b), b[1])):
        name = fresh(variable.name, names) if variable.name in taken else variable.name
        taken.add(name)
        names.add(name)
        if name != variable.name or not _is_plain(variable, whole):
            made[variable, whole] = Symbol(name, **sort_of(whole))
    return made


def _is_plain(variable: Symbol, whole: bool) -> bool:
    if isinstance(variable, RangedSymbol):
        return variable.integer == whole
    return bool(variable == Symbol(variable.name, **sort_of(whole)))


def _refuse_bound(variable: Symbol, whole: bool, ends: Sequence[Any]) -> None:
    """Refuse a declaration that SymPy may have used, and that does not hold in the range."""
    ranged = isinstance(variable, RangedSymbol)
    declared = sort_of(variable.integer) if ranged else _refuse_assumptions(variable)
    if declared.get("integer") and not whole:
        raise DomainError(
            f"bound symbol {variable}: the variable of an integral must be real, got integer=True; "
            "declare another symbol"
        )
    for key in (*_SIGNS, "nonzero"):
        if declared.get(key) and not _borne_out(key, whole, ends):
            raise DomainError(
                f"bound symbol {variable}: {key}=True must hold in the whole range, got the ends "
                f"{', '.join(map(str, ends))}; declare it {'integer' if whole else 'real'} only"
            )


def _borne_out(key: str, whole: bool, ends: Sequence[Any]) -> bool:
    """Say whether all values between two ends satisfy a declared assumption."""
    if len(ends) != 2:
        return False
    # an end of an integral does not matter
    strict = whole and key in ("positive", "negative", "nonzero")
    above = all(_on_side(e, 1, strict) for e in (ends[:1] if whole else ends))
    below = all(_on_side(e, -1, strict) for e in (ends[1:] if whole else ends))
    if key == "nonzero":
        return above or below
    return above if key in ("positive", "nonnegative") else below


def _on_side(end: Any, sign: int, strict: bool) -> bool:
    """Say whether an end of a range is >= 0 (sign 1) or <= 0 (sign -1) by its form."""
    if end in (sympy.oo, -sympy.oo):
        return bool(end == sign * sympy.oo)
    if isinstance(end, RangedSymbol):
        own = end.range
        edge, opened = (own.lower, own.lower_open) if sign > 0 else (own.upper, own.upper_open)
        if edge is None or not edge.is_Rational:
            return False
        return bool(sign * edge > 0 or (edge == 0 and (opened or not strict)))
    value = evaluated(sign * end) if not end.free_symbols else sign * end
    return bool(value.is_positive if strict else value.is_nonnegative)


@dataclass(frozen=True)
class Domain:
    """Represent a conjunction: variables with ranges, and side conditions on them.

    Attributes
    ----------
    variables : tuple of Symbol
        In the order of their names.
    bounds : dict
        The range of each variable.
    conditions : tuple of Relation
        Relations that are assumed beyond the ranges.
    """

    variables: tuple[Symbol, ...]
    bounds: dict[Symbol, Bounds] = field(default_factory=dict)
    conditions: tuple[Relation, ...] = ()

    def __hash__(self) -> int:
        bounds = tuple(self.bounds[v] for v in self.variables)
        return hash((self.variables, self.conditions, bounds))

    def relations(self) -> list[Relation]:
        """Return ranges and conditions as one list."""
        ranges = [r for v in self.variables for r in self.bounds[v].relations(v)]
        return [*ranges, *self.conditions]

    def with_conditions(self, *more: Relation) -> Domain:
        """Return the domain with further conditions; ranges are tightened where they are plain."""
        bounds, conditions = dict(self.bounds), list(self.conditions)
        for relation in more:
            if not _tighten(bounds, relation) and relation not in conditions:
                conditions.append(relation)
        return Domain(self.variables, bounds, tuple(conditions))

    def with_variable(self, variable: Symbol, bounds: Bounds) -> Domain:
        """Return the domain with one more variable."""
        variables = tuple(sorted({*self.variables, variable}, key=lambda s: s.name))
        return Domain(variables, {**self.bounds, variable: bounds}, self.conditions)

    def map(self, change: Callable[[Expr], Expr], renamed: Mapping[Symbol, Symbol]) -> Domain:
        """Rename the variables and apply `change` to every expression."""
        return Domain(
            tuple(renamed.get(v, v) for v in self.variables),
            {renamed.get(v, v): b.map(change) for v, b in self.bounds.items()},
            tuple(condition.map(change) for condition in self.conditions),
        )

    def __str__(self) -> str:
        return ", ".join(str(relation) for relation in self.relations()) or "all reals"


def _tighten(bounds: dict[Symbol, Bounds], relation: Relation) -> bool:
    """Put ``symbol relation number`` into the ranges; say whether that was possible."""
    relation = relation.map(_number)
    for lhs, op, rhs in (
        (relation.lhs, relation.op, relation.rhs),
        (relation.rhs, SWAPPED[relation.op], relation.lhs),
    ):
        if not (lhs in bounds and rhs.is_Rational and op in ("<", "<=", ">", ">=")):
            continue
        old, side, strict = bounds[lhs], "lower" if op in (">", ">=") else "upper", op in ("<", ">")
        end, is_open = getattr(old, side), getattr(old, f"{side}_open")
        if end is not None and not end.is_Rational:
            return False
        # compared as they are: where SymPy evaluates nothing, a difference is no number
        if end is None or (rhs > end if side == "lower" else rhs < end):
            end, is_open = rhs, strict
        elif rhs == end:
            is_open = is_open or strict
        bounds[lhs] = _closed_integer_range(replace(old, **{side: end, f"{side}_open": is_open}))
        return True
    return False


def _number(e: Expr) -> Expr:
    """Evaluate an end that is a number in rational arithmetic; leave everything else."""
    if e.is_Rational or free_in(e) or e.atoms(sympy.Function):
        return e
    if any(not p.exp.is_Integer or abs(p.exp) > 5000 for p in e.atoms(sympy.Pow)):
        return e
    value = evaluated(e)
    return value if value.is_Rational else e


def _closed_integer_range(bounds: Bounds) -> Bounds:
    """Move the open or fractional ends of an integer range to the next integers."""
    if not bounds.integer:
        return bounds
    with sympy.evaluate(True):
        lower, upper = bounds.lower, bounds.upper
        if lower is not None and lower.is_Rational:
            least = sympy.floor(lower) + 1 if bounds.lower_open else sympy.ceiling(lower)
            bounds = replace(bounds, lower=least, lower_open=False)
        if upper is not None and upper.is_Rational:
            most = sympy.ceiling(upper) - 1 if bounds.upper_open else sympy.floor(upper)
            bounds = replace(bounds, upper=most, upper_open=False)
    return bounds


def collected(expressions: Iterable[Any]) -> list[Symbol]:
    """Return the free symbols of expressions or trees, written out, ordered by name.

    Raises
    ------
    DomainError
        When two different symbols share a name.
    """
    found: dict[str, Symbol] = {}
    for expression in expressions:
        for free in expression.free_symbols:
            if found.setdefault(free.name, free) != free:
                raise DomainError(
                    f"two different symbols are called {free.name}; "
                    "use one symbol, or rename one of them"
                )
    return [found[name] for name in sorted(found)]


def with_ranges(symbols: Iterable[Symbol]) -> set[Symbol]:
    """Return symbols together with those that their ranges mention."""
    found: set[Symbol] = set()
    todo = list(symbols)
    while todo:
        symbol = todo.pop()
        if symbol not in found:
            found.add(symbol)
            todo += (s for r in range_of(symbol) for s in unfold_definitions(r.rhs).free_symbols)
    return found


def case_domains(variables: Iterable[Symbol], givens: Iterable[Tree]) -> list[Domain]:
    """Build the domain of the variables under the givens, one for each case of a disjunction.

    Ranges that mention further symbols bring those symbols in as well.
    """
    ordered = tuple(sorted(with_ranges(variables), key=lambda s: s.name))
    collected(ordered)
    bounds = {}
    for variable in ordered:
        own = getattr(variable, "range", None) or Bounds(integer=bool(variable.is_integer))
        bounds[variable] = _closed_integer_range(own.map(unfold_definitions))
    base = Domain(ordered, bounds)
    why = f"the conditions split into more than {MOST_CASES} cases; state fewer of them"
    # a condition for all values is about unknown functions, and bounds no variable
    cases = normal_form(Both(tuple(givens)), Either, lambda _: [[]], why)
    return [base.with_conditions(*case) for case in cases]


def normal_form(
    tree: Tree,
    outer: type[Both] | type[Either],
    of_every: Callable[[Every], list[list[Relation]]],
    why: str,
) -> list[list[Relation]]:
    """Return a tree as lists of relations: `outer` joins the lists, the other word joins the relations of a list.

    Raises
    ------
    DomainError
        With the text `why`, when there would be too many lists.
    """
    if isinstance(tree, Relation):
        return [[tree]]
    if isinstance(tree, Every):
        return of_every(tree)
    found = [normal_form(part, outer, of_every, why) for part in tree.parts]
    if isinstance(tree, outer):
        return [one for part in found for one in part]
    if prod(map(len, found)) > MOST_CASES:
        raise DomainError(why)
    return [[r for one in chosen for r in one] for chosen in product(*found)]


def first_index(form: Recurrence, given: Sequence[Tree]) -> Expr:
    """Return the index that a sequence starts at.

    The range of the index gives it. Where that has no lower end, the conditions give it.

    Raises
    ------
    DomainError
        When the index is no integer, or has no lowest value.
    """
    index = form.index
    if isinstance(index, RangedSymbol) and index.range.lower is not None:
        given = []
    given = [condition.map(unfold_definitions) for condition in given]
    domains = case_domains(collected([Relation(index, "==", index), *given]), given)
    if len(domains) != 1:
        raise DomainError(f"the index {index} of a recurrence needs one range, got several cases")
    bounds = domains[0].bounds[index]
    if not bounds.integer or bounds.lower is None:
        raise DomainError(
            f"the index {index} of a recurrence must be an integer with a lowest value"
        )
    low = unfold_definitions(bounds.lower)
    low = evaluated(low + 1) if bounds.lower_open else low
    if not low.is_integer:
        raise DomainError(
            f"the lowest value of the index {index} must be an integer, got {bounds.lower}"
        )
    return low
