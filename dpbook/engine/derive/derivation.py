"""Check derivations: a proof and a student's work are the same object, a list of steps.

In a proof (`proof=` of a claim) the steps run forwards: each step is proved from the domain and
the steps before it. In `derive` each line is compared with the line before. An expression must
equal the line before wherever both are defined, or bound it if the line begins with a sign such as
``<=``. A relation must be equivalent to the line before, or follow from it if it is marked so.
"""

from __future__ import annotations

import html
import itertools
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import sympy
from sympy import Expr, Symbol
from sympy.logic.boolalg import BooleanFalse, BooleanTrue

from dpbook.engine.derive.comparison import Content, changed, sides_of
from dpbook.engine.derive.elimination import FALSE, TRUE
from dpbook.engine.derive.marking import Lines, Marked, ways_of, whole_number
from dpbook.engine.derive.reasons import Reason, reason_of
from dpbook.engine.language.budget import refuse_time_limit
from dpbook.engine.language.card import maths
from dpbook.engine.language.domain import bound_names, from_sympy_symbol, range_of
from dpbook.engine.language.statement import (
    LATEX,
    AlreadyEvaluated,
    Both,
    Relation,
    StatementError,
    Tree,
    as_tree,
    bound_renamed,
    entered,
    in_text,
    latex,
    refuse_floats,
    refuse_long_products,
    refuse_lost_symbols,
    text,
    typed,
    unfold_definitions,
)
from dpbook.engine.language.task import conditions_of, listed
from dpbook.engine.language.verdict import Counterexample, Evidence, Verdict, badge, weakest
from dpbook.engine.prove.proof_text import CHECKED, as_html
from dpbook.engine.prove.proofs import refused, without_certificate
from dpbook.engine.read.latex import LATEX_RELATIONS, lines_of
from dpbook.engine.read.readings import (
    Reading,
    agreed,
    both,
    is_latex,
    probability_ranges,
    read,
    readings,
    without_chosen_events,
)
from dpbook.engine.read.refusals import ParseError
from dpbook.engine.run import workers

_ARROW = re.compile(
    r"\s*(?:(?P<implied>=>|⇒|⟹|implies:|\\(?:implies|Rightarrow|Longrightarrow)(?![^\W\d_]))"
    r"|<=>|⇔|⟺|\\(?:iff|Leftrightarrow|Longleftrightarrow)(?![^\W\d_]))"
)
_SIGN = re.compile(r"<=|>=|[<>≤≥]|\\[A-Za-z]+")
_ORDERS = {"<=", "<", ">=", ">"}


@dataclass(frozen=True)
class Step:
    """Hold one step of a derivation: its line, its title, and the evidence for it.

    Attributes
    ----------
    title : str
        The action of the step, in words; may be empty.
    line : expression, Relation, Both or Either
        The line as written.
    implied : bool
        Whether the line only follows from the line before.
    evidence : Evidence or None
        None as long as the step is not decided.
    hint : str
        The single fault that explains a wrong step.
    conditions : tuple of trees
        The conditions under which a right step holds, if its two expressions are not defined at
        the same points: all conditions that both need to have a value, if there are no `gaps`.
    gaps : bool
        Whether a right step may say nothing at some points of the conditions: it is not shown that
        both sides have a value at all of them.
    sign : str
        For an expression: the sign between the line before and this line.
    """

    title: str
    line: Content
    implied: bool = False
    evidence: Evidence | None = None
    hint: str = ""
    conditions: tuple[Tree, ...] = ()
    gaps: bool = False
    sign: str = "=="

    @property
    def tree(self) -> Tree:
        """Return the line as a relation."""
        if isinstance(self.line, Expr):
            raise StatementError(f"a relation is needed here, got the expression {text(self.line)}")
        return self.line

    @property
    def verdict(self) -> Verdict:
        return Verdict.UNDECIDED if self.evidence is None else self.evidence.verdict

    @property
    def counterexample(self) -> Counterexample | None:
        return None if self.evidence is None else self.evidence.counterexample

    @property
    def word(self) -> str:
        """Return the verdict as shown: "open" if it is not decided and no tactic shows the step."""
        decided = self.verdict in (Verdict.PROVED, Verdict.REFUTED)
        shown = decided or self.evidence is not None and self.evidence.by_tactic
        return self.verdict.value if shown else "open"

    @property
    def written(self) -> str:
        """Return the line as text."""
        return typed(self.line) or ("true" if isinstance(self.line, Both) else "false")

    def latex(self) -> str:
        if isinstance(self.line, Expr):
            return latex(self.line)
        return self.line.latex() or rf"\text{{{self.written}}}"

    def remarks(self) -> list[str]:
        """Return remarks: where the step holds or fails, why it is open, and the hint."""
        among = "both sides are defined, among this " if self.gaps else ""
        where = f"holds where {among}{_joined(self.conditions)}" if self.conditions else ""
        why = "" if self.evidence is None else self.evidence.reason
        if (point := self.counterexample) is not None:
            why = str(point) if point.point else point.finding
        return [said for said in (where, why, self.hint) if said]

    def __str__(self) -> str:
        return f"{self.title}: {self.written}" if self.title else self.written


def step(title: str, relation: Any) -> Step:
    """Make a step of a proof.

    Parameters
    ----------
    title : str
        The action of the step, in words: "change the signs".
    relation : relational, triple, or a list of them
        The relation that then holds.
    """
    return Step(title, as_tree(relation))


@dataclass(frozen=True)
class Implied:
    """Mark a line that only follows from the line before."""

    line: Any


def implies(line: Any) -> Implied:
    """Mark a line of a derivation that follows from the line before, and need not be equivalent.

    Parameters
    ----------
    line : relational or text
        The relation.

    Examples
    --------
    >>> derive(["sqrt(x + 2) = x", implies("x + 2 = x^2")]).verdict.value
    'proved'
    """
    return line if isinstance(line, Implied) else Implied(line)


@dataclass(frozen=True)
class Derivation:
    """Hold a list of steps under conditions.

    Attributes
    ----------
    steps : tuple of Step
    given : tuple of trees
        The conditions.
    seconds : float
        The time that the check took.
    task : Lines or None
        The task that was marked; None for a proof that stands in a claim.
    """

    steps: tuple[Step, ...]
    given: tuple[Tree, ...] = ()
    seconds: float = 0.0
    task: Lines | None = field(default=None, compare=False, repr=False)

    @property
    def verdict(self) -> Verdict:
        """Return `proved` if every step is proved, `refuted` if a step is; one line has no step."""
        if self.lone:
            return Verdict.NOTED
        open_ = Evidence(Verdict.UNDECIDED)
        found = [open_ if one.evidence is None else one.evidence for one in self.steps]
        return weakest(tuple(found)).verdict

    @property
    def holds(self) -> bool:
        """Say whether the kernel or a tactic shows each step; False for one line without a step."""
        decided = (one.evidence is not None and one.evidence.holds for one in self.steps)
        return not self.lone and all(decided)

    def __bool__(self) -> bool:
        """Say whether the derivation holds; ``assert derive(...)`` fails if a step is not shown."""
        return self.holds

    @property
    def lone(self) -> bool:
        """Say whether the derivation is one line without a fault: there is no step to show yet."""
        return self.task is not None and len(self.steps) == 1 and self.steps[0].word == "proved"

    @property
    def first_wrong(self) -> int | None:
        """Return the index of the first refuted line."""
        wrong = (i for i, one in enumerate(self.steps) if one.verdict is Verdict.REFUTED)
        return next(wrong, None)

    @property
    def conditions(self) -> tuple[Tree, ...]:
        """Return the further conditions under which the derivation holds, from its right steps."""
        return tuple(dict.fromkeys(c for one in self.steps for c in one.conditions))

    @property
    def reasons(self) -> tuple[Reason | None, ...]:
        """Return a reason for each right line; None for the first line and for lines not shown.

        A reason has numbered steps that the kernel has checked, or names the tactic that alone
        shows the line.
        """
        return tuple(
            one.evidence.why if isinstance(one.evidence, Marked) else None for one in self.steps
        )

    def explain(self) -> Explanation:
        """Return the derivation with the reason of each right line, ready to show."""
        return Explanation(self)

    def forwards(self) -> Derivation:
        """Return the derivation as a proof: an expression becomes a relation to the line before."""
        made = [one for one in self.steps[:1] if isinstance(one.line, Tree)]
        for before, one in itertools.pairwise(self.steps):
            if isinstance(one.line, Expr):
                one = replace(one, line=Relation(before.line, one.sign, one.line))
            made.append(one)
        return replace(self, steps=tuple(made))

    @property
    def _integers(self) -> list[Symbol]:
        """Return the symbols that stand for integers: this condition is not a relation."""
        things = [*(one.line for one in self.steps), *self.given]
        free = {s.name: s for thing in things for s in thing.free_symbols if s.is_integer}
        return [free[name] for name in sorted(free)]

    def __str__(self) -> str:
        if any(one.evidence is not None for one in self.steps):
            return repr(self)
        return "\n".join(f"{number}. {one}" for number, one in enumerate(self.steps, 1))

    def __repr__(self) -> str:
        if all(one.evidence is None for one in self.steps):
            return str(self)
        lines = []
        if assumed := [*(f"{s} in integers" for s in self._integers), *map(str, self.given)]:
            lines.append("given " + ", ".join(assumed))
        width = min(60, max(len(one.written) for one in self.steps))
        for index, one in enumerate(self.steps):
            mark, title = _mark(self.steps, index), f"  {one.title}" if one.title else ""
            word = one.word if index or one.word != "proved" else ""
            lines.append(f"{index + 1:>3} {mark:>2} {one.written:<{width}}  {word}{title}".rstrip())
            lines += [f"       {said}" for said in one.remarks()]
        lines.append(_summary(self))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = []
        titled = any(one.title for one in self.steps)
        for index, one in enumerate(self.steps):
            mark = _mark(self.steps, index)
            mark = _TEX_MARKS.get(mark, mark)
            said = "<br>".join(html.escape(line) for line in one.remarks())
            verdict = Verdict.UNDECIDED if one.word == "open" else one.verdict
            shown = badge(verdict, one.word) if index or verdict is Verdict.REFUTED else ""
            title = f'<td style="text-align:left">{html.escape(one.title)}</td>' if titled else ""
            rows.append(
                f"<tr><td>{index + 1}</td><td>{maths(mark) if mark else ''}</td>"
                f'<td style="text-align:left">{maths(one.latex())}</td>{title}'
                f'<td>{shown}</td><td style="text-align:left">{said}</td></tr>'
            )
        whole = (rf"{latex(s)} \in \mathbb{{Z}}" for s in self._integers)
        assumed = ", ".join(map(maths, [*whole, *(t.latex() for t in self.given)]))
        given = f"<p>given {assumed}</p>" if assumed else ""
        head = (
            "<tr><th scope='col'>line</th><th scope='col'>sign</th><th scope='col'>written</th>"
            + ("<th scope='col'>step</th>" if titled else "")
            + "<th scope='col'>verdict</th><th scope='col'>remark</th></tr>"
        )
        return (
            f"<div>{given}<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"
            f"<p>{html.escape(_summary(self))}</p></div>"
        )


@dataclass(frozen=True)
class Explanation:
    """Show a derivation with the reasons of its lines."""

    derivation: Derivation

    def __repr__(self) -> str:
        lines = []
        for number, (one, why) in enumerate(self._reasoned(), 1):
            lines.append(f"{number:>3} {one.written}")
            said = one.remarks()
            if why is not None:
                said += why.lines()
            elif number > 1 or one.word != "proved":
                said.insert(0, one.word)
            lines += [f"       {line}" for line in said]
        return "\n".join([*lines, _summary(self.derivation)])

    def _repr_html_(self) -> str:
        rows = []
        for one, why in self._reasoned():
            said = "<br>".join(map(html.escape, one.remarks()))
            if why is not None and not why.parts:
                said += f"<p>{html.escape(str(why))}</p>"
            elif why is not None:
                steps = "".join(
                    (f"<p>{html.escape(title)}</p>" if title else "") + as_html(lines)
                    for title, lines in why.parts
                )
                said += f"<details><summary>{CHECKED.format('proof')}</summary>{steps}</details>"
            rows.append(f"<li>{maths(one.latex())} {said}</li>")
        return f"<div><ol>{''.join(rows)}</ol><p>{html.escape(_summary(self.derivation))}</p></div>"

    def _reasoned(self) -> Iterable[tuple[Step, Reason | None]]:
        return zip(self.derivation.steps, self.derivation.reasons, strict=True)


_TEX_MARKS = {**LATEX, "<=>": r"\Leftrightarrow", "=>": r"\Rightarrow"}


def _mark(steps: Sequence[Step], index: int) -> str:
    """Return the sign that stands in front of a line."""
    if index == 0:
        return ""
    if isinstance(steps[index].line, Expr):
        return in_text(steps[index].sign)
    return "=>" if steps[index].implied else "<=>"


def _joined(conditions: Iterable[Tree]) -> str:
    numbers = ((c, whole_number(c)) for c in conditions)
    return ", ".join(typed(c) if s is None else f"{s} is an integer" for c, s in numbers)


def _summary(derivation: Derivation) -> str:
    wrong = derivation.first_wrong
    if wrong is not None:
        return f"refuted: line {wrong + 1} is wrong"
    if derivation.lone:
        check = "" if isinstance(derivation.steps[0].line, Expr) else "; check decides a statement"
        return f"one line: there is no step to check{check}"
    if derivation.verdict is Verdict.PROVED:
        where = [f"where {_joined(derivation.conditions)}"] if derivation.conditions else []
        if any(one.gaps for one in derivation.steps):
            where.append("wherever both sides are defined")
        return ", ".join(["proved: every step", *where])
    for word, said in (("open", "open: "), ("supported", "supported: no certificate of ")):
        lines = [str(i) for i, one in enumerate(derivation.steps, 1) if one.word == word]
        if lines:
            return f"{said}line{'s' * (len(lines) > 1)} {', '.join(lines)}"
    return "open"


# --- reading -------------------------------------------------------------------------------------------------


@dataclass
class _Read:
    line: Any
    implied: bool
    title: str
    where: str
    continues: bool = False
    order: str = ""  # such as <=, where the line begins with it
    shown: Any = None  # as written; in `line` each bound variable has its own name


def derive(
    steps: Iterable[Any],
    given: Any = (),
    *,
    syntax: str | None = None,
    seed: int = 0,
    time_limit: float = 20.0,
) -> Derivation:
    """Check a derivation line by line.

    Parameters
    ----------
    steps : list of relationals, expressions, or text
        The lines. An expression must equal the line before wherever both are defined, which must be
        at more than single points; in text it may begin with ``<=``, ``<``, ``>=`` or ``>``, and then
        must bound the line before wherever the conditions hold. A relation must be true at the same
        points as the line before, or follow from it if marked with `implies` (in text: ``=>`` in
        front). If the first line is ``a = b`` and the next line begins with a sign, then a is the
        first line and ``= b`` is the second, unless a is a name for b. Text is read by the grammar
        of ``dpbook check``; text with a backslash is read as LaTeX, and an ``align`` as its lines.
        Text is never evaluated.
    given : relational, text, or a list of them
        The conditions that are assumed throughout.
    syntax : {"text", "latex"}, optional
        The syntax of the text, where the backslash does not decide it.
    seed : int
        Seed of the points drawn; the verdict does not depend on it.
    time_limit : float
        Seconds of work for all lines, in a separate process; a busy machine takes longer.

    Returns
    -------
    Derivation
        It has ``verdict``, ``first_wrong``, ``conditions``, and for each step ``verdict``,
        ``counterexample``, ``hint``, ``conditions``.

    Raises
    ------
    ValueError
        When a line cannot be read (with its number and position), or the conditions contradict
        each other.

    Examples
    --------
    >>> derive(["x^2 = x", "x = 1"]).steps[1].hint
    'a root is lost: x = 0'
    >>> derive(["(x^2 - 1)/(x + 1)", "x - 1"])
      1    (x**2 - 1)/(x + 1)
      2  = x - 1               proved
           holds where x != -1
    proved: every step, where x != -1
    """
    started = time.perf_counter()
    if syntax not in (None, "text", "latex"):
        raise ValueError(f'syntax must be "text" or "latex", got {syntax!r}')
    refuse_time_limit(time_limit)
    if isinstance(steps, str) and len(lines_of(steps)) > 1:
        steps = lines_of(steps)
    if not isinstance(steps, Iterable):
        raise ValueError(f"steps must be a list of lines, got {steps!r}")
    if isinstance(steps, (str, Relation, sympy.Basic)):
        raise ValueError("steps must be a list of lines, got a single one")
    lines, conditions, written, ranges, originals = _read(list(steps), given, syntax)
    for one in lines:
        if one.implied and isinstance(one.line, Expr):
            raise ValueError(f"{one.where}: an expression cannot be implied, only a relation")
    if lines[0].order:
        raise ValueError(f"line 1: {lines[0].order} needs a line before")
    for before, one in itertools.pairwise(lines):
        if isinstance(one.line, Tree) and one.order:
            raise ValueError(f"{one.where}: {one.order} must be followed by one expression")
        if isinstance(one.line, Tree) and isinstance(before.line, Expr):
            raise ValueError(
                f"{one.where}: a relation cannot follow an expression: "
                "begin the line with =, <= or >=, and go on"
            )
    said = [one.line for one in lines]
    for side in (side for content in (*said, *conditions) for side in sides_of(content)):
        refuse_long_products(side)
        refuse_lost_symbols(side)
    ranges += probability_ranges([*said, *conditions])
    marks = tuple(
        "continues" if one.continues else "implied" if one.implied else one.order for one in lines
    )
    task = Lines(tuple(said), marks, (*conditions, *ranges), seed, time_limit)
    parts = [without_chosen_events(part, said) for part in _marked(task)]
    made = []
    for one, part in zip(lines, parts, strict=True):
        line, sign = changed(one.shown, originals), one.order or "=="
        needed = tuple(changed(condition, originals) for condition in part.conditions)
        made.append(Step(one.title, line, one.implied, part, part.hint, needed, part.gaps, sign))
    shown = tuple(changed(condition, originals) for condition in written)
    return Derivation(tuple(made), shown, time.perf_counter() - started, task)


def _marked(task: Lines) -> list[Marked]:
    """Mark all lines in one task; if the worker hangs or crashes, mark them one after the other.

    A line whose own worker hangs as well is compared without a search for certificates.
    """
    found = list(workers.run_one(task).parts)
    if not found:
        for index in range(len(task.lines)):
            alone = replace(task, only=index, time_limit=min(5.0, task.time_limit))
            one = workers.run_one(alone)
            if not one.parts:
                one = workers.run_one(replace(alone, searched=False))
            found.append(one.parts[0] if one.parts else one)
    return [_with_reason(task, index, Marked.of(part)) for index, part in enumerate(found)]


def _with_reason(task: Lines, index: int, part: Marked) -> Marked:
    """Have the kernel check the certificates of a right line; without any it is supported."""
    if index == 0 or part.verdict is not Verdict.PROVED:
        return part
    if not part.certificate:
        supported = Marked.of(without_certificate(part))
        return replace(supported, why=Reason(supported.trusted))
    equality = isinstance(task.pair(index)[1], Expr)
    why = reason_of(ways_of(task, index, part.conditions), part.certificate, equality)
    if why is None:
        return Marked.of(refused(part, "it is no certificate of this line"))
    return replace(part, trusted=why.trusted, why=why)


def _read(
    steps: list[Any], given: Any, syntax: str | None
) -> tuple[list[_Read], list[Tree], list[Tree], list[Tree], dict[Symbol, Symbol]]:
    """Read lines and conditions; names in text mean the symbols of the other lines."""
    if not steps:
        raise ValueError("a derivation needs at least one line, got none")
    lines = [_unwrapped(one, number) for number, one in enumerate(steps, 1)]
    built = [one for one in lines if not isinstance(one.line, str)]
    texts = [one for one in lines if isinstance(one.line, str)]
    things = listed(given)
    conditions: list[Any] = []
    with sympy.evaluate(False):
        for one in built:
            one.line = _content(one.line, one.where)
        for c in things:
            conditions += [c] if isinstance(c, str) else map(_unfolded, conditions_of([c]))
    trees = [c for c in conditions if not isinstance(c, str)]
    known: dict[str, set[Symbol]] = {}
    for thing in [*(one.line for one in built), *trees]:
        for symbol in thing.free_symbols:
            known.setdefault(symbol.name, set()).add(symbol)
    changes, ranges, table = _unified(known)
    for one in built:
        one.line = changed(one.line, changes)
    found: list[Tree] = []
    try:
        entered: list[Reading | Tree] = [
            read(c, _as_latex(c, syntax), given=True) if isinstance(c, str) else changed(c, changes)
            for c in conditions
        ]
        for reading in (one for one in entered if isinstance(one, Reading)):
            for name in reading.integers:
                table.setdefault(name, Symbol(name, integer=True))
            for name in reading.constants:
                table.setdefault(name, Symbol(name, real=True))
        for tree in entered:
            found += both(tree.given(table)).parts if isinstance(tree, Reading) else [tree]
    except ParseError as error:
        raise error.at("given") from None
    for tree in found:
        for symbol in tree.free_symbols:
            table.setdefault(symbol.name, symbol)
    mixed = any(is_latex(one.line) for one in texts)
    for one in texts:
        one.line = _text_line(one, table, syntax, mixed)
    if _is_chain(lines):  # the line a, and the line = b
        first, relation = lines[0], lines[0].line
        order = "" if relation.op == "==" else relation.op
        lines[:1] = [
            _Read(relation.lhs, first.implied, "", first.where),
            _Read(relation.rhs, False, first.title, first.where, order=order),
        ]
    for before, one in itertools.pairwise(lines):
        if one.continues and isinstance(one.line, Expr) and isinstance(before.line, Relation):
            one.line = Relation(before.line.lhs, before.line.op, one.line)  # "= c" after "a = b"
        else:
            one.continues = False
    contents = [*(one.line for one in lines), *found]
    names = bound_names(side for content in contents for side in sides_of(content))
    apart = partial(bound_renamed, names=names)
    shown = found
    with sympy.evaluate(False):
        for one in lines:
            one.shown = one.line
            one.line = apart(one.line) if isinstance(one.line, Expr) else one.line.map(apart)
        found = [tree.map(apart) for tree in shown]
    # a symbol of the caller stands in the answer as the caller made it
    originals = {table[name]: next(iter(own)) for name, own in known.items() if len(own) == 1}
    return lines, found, shown, ranges, originals


def _is_chain(lines: Sequence[_Read]) -> bool:
    """Say whether the first lines are ``a = b`` and ``= c``, and a is not only a name for b."""
    first = lines[0].line
    if len(lines) == 1 or not isinstance(first, Relation) or first.op == "!=":
        return False
    goes_on = (lines[1].continues or lines[1].order) and isinstance(lines[1].line, Expr)
    return bool(goes_on) and not (first.lhs.is_Symbol and first.lhs not in first.rhs.free_symbols)


def _as_latex(line: str, syntax: str | None) -> bool:
    return is_latex(line) if syntax is None else syntax == "latex"


def _unwrapped(one: Any, number: int) -> _Read:
    title, implied = "", False
    while isinstance(one, (Implied, Step)):
        if isinstance(one, Step):
            title = one.title or title
        implied = implied or isinstance(one, Implied) or one.implied
        one = one.line
    return _Read(one, implied, title, f"line {number}")


def _content(thing: Any, where: str) -> Content:
    """Read a line that is not text."""
    if isinstance(thing, Tree):
        return thing
    if isinstance(thing, bool):
        raise ValueError(
            f"{where}: Python's {thing} is no line: == compares objects, write Eq(left, right)"
        )
    if isinstance(thing, (BooleanTrue, BooleanFalse)):
        return TRUE if thing else FALSE
    try:
        if isinstance(thing, (Expr, int)):
            made = unfold_definitions(entered(thing))
            refuse_floats(made)
            return made
        if isinstance(thing, float):
            raise StatementError(f"floating-point number {thing}; write it exactly")
        return _unfolded(as_tree(thing))
    except AlreadyEvaluated as folded:
        return TRUE if folded.value else FALSE
    except StatementError as error:
        raise StatementError(f"{where}: {error}") from error


def _unfolded(tree: Tree) -> Tree:
    return tree.map(unfold_definitions)


def _unified(
    known: dict[str, set[Symbol]],
) -> tuple[dict[Symbol, Symbol], list[Tree], dict[str, Symbol]]:
    """Make one symbol of each name; it has the assumptions of all symbols of that name."""
    changes: dict[Symbol, Symbol] = {}
    ranges: list[Tree] = []
    table: dict[str, Symbol] = {}
    for name in sorted(known):
        group = sorted(known[name], key=lambda s: str(s.assumptions0))
        made = [from_sympy_symbol(symbol) for symbol in group]
        integer = any(one.integer for one, _ in made)
        plain = table[name] = Symbol(name, **{"integer" if integer else "real": True})
        for symbol, (one, more) in zip(group, made, strict=True):
            changes[symbol] = changes[one] = plain
            ranges += [*one.range.relations(one), *more]
    symbols = {s for tree in ranges for s in tree.free_symbols} - set(changes)
    for symbol in sorted(symbols, key=str):  # an end of a range may hold further symbols
        changes[symbol] = table.setdefault(symbol.name, Symbol(symbol.name, real=True))
        ranges += range_of(symbol)
    with sympy.evaluate(False):
        moved = [tree.map(lambda e: unfold_definitions(e).xreplace(changes)) for tree in ranges]
    return changes, list(dict.fromkeys(moved)), table


def _text_line(one: _Read, table: dict[str, Symbol], syntax: str | None, mixed: bool) -> Content:
    """Read a line of text; the lines after it know the names in it."""
    line = one.line
    if arrow := _ARROW.match(line):
        line, one.implied = line[arrow.end() :], one.implied or arrow["implied"] is not None
    start = line.lstrip(" \t&")
    sign = _SIGN.match(start)
    order = LATEX_RELATIONS.get(sign[0], sign[0]) if sign else ""
    if start.startswith("=") and not start.startswith(("==", "=>")):
        line, one.continues = start[1:], True
    elif sign and order in _ORDERS:
        line, one.order = start[sign.end() :], order
    if line.strip().lower() in ("true", "false"):
        return TRUE if line.strip().lower() == "true" else FALSE
    # read the whole text, with blanks in place of the sign of the step, so that positions are right
    blanked = line.rjust(len(one.line))
    latex = _as_latex(one.line, syntax)
    try:
        if latex or syntax == "text" or not mixed:
            return read(blanked, latex).line(table)
        ways = readings(blanked, mixed)
        return agreed(ways, lambda reading: reading.line(table), "pass syntax=")
    except ParseError as error:
        raise error.at(one.where) from None
