"""Declare claims: a function states a line of a paper.

It is called once, under ``sympy.evaluate(False)``.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Any

import sympy
from sympy import Expr, Symbol

from dpbook.engine.claims.beside import own_modules
from dpbook.engine.claims.record import PACKAGE
from dpbook.engine.claims.topics import LOADING, OPENED, from_its_place, of_claim, of_code
from dpbook.engine.derive.derivation import Derivation, Step, step
from dpbook.engine.language.domain import RangedSymbol, case_domains
from dpbook.engine.language.function_symbols import unknowns_of
from dpbook.engine.language.statement import (
    Both,
    ForAll,
    Form,
    Noted,
    Recurrence,
    Relation,
    Tree,
    as_form,
    as_tree,
    entered,
    free_in,
    unfold_definitions,
)
from dpbook.engine.language.task import Lemma, Task, expressions_of, free_symbols, listed, make_task
from dpbook.kernel.files.replay import foreign_letter

FAULTS = {
    "error": "wrong as printed, beyond a slip of the pen",
    "boundary": "wrong or undefined only at the edge of what is assumed",
    "code": "wrong in the authors' program; the paper has it right",
    "misprint": "a slip of the pen: the paper goes on with the right formula",
    "scan": "a slip of the scan that was read",
    "consequence": "no fault of its own: it falls with a line that it cites",
}
_EXIT = os._exit
AXIOM = "axiom-"  # the beginning of the labels of axioms, and of no other labels
_LABEL = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*(\.[a-z0-9]+)*(-[a-z0-9]+)*(\.[a-z0-9]+)*")

# Python reads `0 <= x <= 1` as `(0 <= x) and (x <= 1)`, and asks the first part for its truth.
_CHAINED = (
    "Python cannot keep a chain such as 0 <= x <= 1, nor relations joined by and, or, not; write "
    "And(0 <= x, x <= 1), Or(...), Not(...) of sympy"
)


class ClaimError(ValueError):
    """Report a claim that is written wrongly: an undeclared symbol, a bad label, an unknown key."""


@contextmanager
def staying() -> Iterator[None]:
    """Turn ``os._exit`` in a user's file into an error: else the file would seem to be verified."""
    own = os.getpid()

    def refused(status: int = 0) -> None:
        if os.getpid() != own:  # a process that the code has started
            _EXIT(status)
        raise SystemExit(f"os._exit({status})")

    setattr(os, "_exit", refused)  # noqa: B010
    try:
        yield
    finally:
        setattr(os, "_exit", _EXIT)  # noqa: B010


@dataclass(frozen=True)
class Source:
    """Describe the source of statements."""

    paper: str
    version: str = ""
    number: str = ""

    def at(self, number: str) -> Source:
        """Return the source of one numbered statement."""
        return Source(self.paper, self.version, number)

    def __str__(self) -> str:
        return ", ".join(part for part in (self.paper, self.version, self.number) if part)


@dataclass(frozen=True)
class Options:
    """Hold the arguments of `claim` after the label, and what `axiom` makes of its own."""

    place: str = ""
    given: Any = ()
    corrects: Sequence[str] = ()
    why: str = ""
    fault: str = ""
    effect: str = ""
    using: Sequence[Any] = ()
    cites: Sequence[str] = ()
    without: Mapping[str, str] = field(default_factory=dict)
    proof: Any = None
    scope: str = ""
    source: Source | None = None
    try_at: Sequence[dict[Any, Any]] = ()
    example: Any = None
    time_limit: float = 20.0


class Claim:
    """Represent one statement of a paper, or of this book, with its place in the source.

    Attributes
    ----------
    key, topic, label : str
    title : str
        The first line of the function's docstring.
    source : Source
    corrects, using, cites : tuple of str
        Keys; a label without a topic belongs to the topic of the claim.
    without : dict of str to str
        The claims that the source cites and our proof does not use, each with the reason.
    axiom : bool
        Whether the claim is a fact of the literature that is tested and not proved.
    module, file, line : str, str, int
        Where it is declared.
    """

    def __init__(
        self, function: Callable[[], Any], label: str, topic: str, options: Options
    ) -> None:
        self.function = function
        self.label = label
        self.topic = topic
        self.key = f"{topic}:{label}"
        self.module, self.file, self.line = _declared(function)
        self.loading = LOADING[-1] if LOADING else None
        if fault := foreign_letter(self.key):
            raise ClaimError(fault)
        self.title = (inspect.getdoc(function) or function.__name__).splitlines()[0].rstrip(".")
        self._options = options
        self.place, self.why, self.scope = options.place, options.why, options.scope
        self.fault, self.effect, self.time_limit = options.fault, options.effect, options.time_limit
        self.corrects = self._keys(options.corrects)
        used = [item if isinstance(item, tuple) else (item, None) for item in options.using]
        keys = self._keys([label for label, _ in used])
        self.using = tuple(dict.fromkeys(keys))
        self._instances = tuple(zip(keys, (at for _, at in used), strict=True))
        left_out = options.without
        self.without = dict(zip(self._keys(list(left_out)), left_out.values(), strict=True))
        self.cites = tuple(dict.fromkeys((*self._keys(options.cites), *self.without)))
        for key, reason in self.without.items():
            if key in self.using or not reason.strip():
                fault = "stands in using too" if key in self.using else "must have a reason"
                raise ClaimError(f"{self.key}: {key} in without {fault}")
        self.try_at = tuple(options.try_at)
        self.axiom = label.startswith(AXIOM)

    def _keys(self, labels: Sequence[str]) -> tuple[str, ...]:
        keys = tuple(label if ":" in label else f"{self.topic}:{label}" for label in labels)
        for key in keys:
            if fault := foreign_letter(key):
                raise ClaimError(f"{self.key}: {fault}")
        return keys

    # --- the statement ---------------------------------------------------------------------------

    @cached_property
    def form(self) -> Form:
        """Return the statement as written, built once with evaluation off."""
        form: Form = self._made(lambda: as_form(self.function()))
        self._refuse_strangers(form)
        if self.axiom and not (isinstance(form, ForAll) and unknowns_of([form])):
            raise ClaimError(
                f"{self.key} ({self.location}): an axiom is a relation about functions that are left "
                "open; a fact about numbers is to be proved"
            )
        if not isinstance(form, Noted):
            self._refuse_placeholders(form)
            self._refuse_lookalikes(form)
        return form

    def _made(self, make: Callable[[], Any]) -> Any:
        """Run a part of the claim with evaluation off; an error in it names the claim.

        What it imports only now is found as when its topic was loaded.
        """
        home = of_claim(self)
        if home is not None and OPENED.get(home.name) != home:
            home = None  # a cell of a notebook, or a module that Python has found by itself
        place = from_its_place(home) if home is not None and home.own else nullcontext()
        with sympy.evaluate(False), staying(), own_modules(home), place:
            try:
                return make()
            except (Exception, SystemExit) as error:
                kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
                said = _CHAINED if "truth value of Relational" in str(error) else f"{kind}{error}"
                raise ClaimError(f"{self.key} ({self.location}): {said}") from error

    @cached_property
    def given(self) -> tuple[Tree, ...]:
        """Return the conditions beyond the ranges of the notation."""
        trees = self._made(lambda: tuple(map(as_tree, listed(_called(self._options.given)))))
        for tree in trees:
            self._refuse_strangers(tree)
        return trees

    @cached_property
    def proof(self) -> Derivation | None:
        """Return the written proof, or None."""
        if self._options.proof is None:
            return None

        def steps() -> Derivation:
            made = _called(self._options.proof)
            if isinstance(made, Derivation):
                return made.forwards()
            return Derivation(tuple(s if isinstance(s, Step) else step(*s) for s in made))

        proof: Derivation = self._made(steps)
        for one in proof.steps:
            self._refuse_strangers(one.tree)
        return proof

    @property
    def relation(self) -> Relation:
        """Return the only relation of the statement."""
        if isinstance(self.form, ForAll) and isinstance(self.form.tree, Relation):
            return self.form.tree
        raise ClaimError(f"{self.key} is not a single relation")

    @property
    def lhs(self) -> Expr:
        """Return the left side as written."""
        return self.relation.lhs

    @property
    def rhs(self) -> Expr:
        """Return the right side as written."""
        return self.relation.rhs

    def _refuse_strangers(self, thing: Any) -> None:
        own = thing.previous if isinstance(thing, Recurrence) else None
        for free in sorted(self._made(lambda: free_symbols(thing)), key=str):
            if not isinstance(free, RangedSymbol) and free != own:
                raise ClaimError(
                    f"{self.key} ({self.location}): the symbol {free} is not declared; "
                    "make it with dpbook.symbol in the notation"
                )

    def _refuse_placeholders(self, form: Form) -> None:
        """Refuse placeholders in a statement of the source that does not declare its scope."""
        if self.label.startswith("note-") or self.scope:
            return
        used = {s for thing in (form, *self.given) for s in free_symbols(thing)}
        found = [str(s) for s in used if isinstance(s, RangedSymbol) and s.role == "placeholder"]
        if found:
            raise ClaimError(
                f"{self.key} ({self.location}): {', '.join(sorted(found))} stands for something that "
                "the statement is about; put that in, call the claim a note-, or say in scope= "
                "what is proved"
            )

    def _refuse_lookalikes(self, form: Form) -> None:
        """Refuse two symbols that a card typesets alike, also in the definitions of symbols."""
        looks: dict[str, Symbol] = {}
        waiting = [e for thing in (form, *self.given) for e in expressions_of(thing)]
        seen: set[Symbol] = set()
        while waiting:
            for symbol in free_in(waiting.pop()) - seen:
                seen.add(symbol)
                other = looks.setdefault(sympy.latex(symbol), symbol)
                if other != symbol:
                    raise ClaimError(
                        f"{self.key} ({self.location}): {other} and {symbol} are both typeset as "
                        f"{sympy.latex(symbol)}; give one of them another latex="
                    )
                definition = getattr(symbol, "definition", None)
                if definition is not None:
                    waiting.append(sympy.sympify(self._made(definition)))

    # --- the task that decides it -----------------------------------------------------------------

    def task(self, lemmas: Sequence[Lemma] = (), candidates: Sequence[dict[Any, Any]] = ()) -> Task:
        """Return the task that decides this claim; it also tries the points in `candidates`."""
        steps = [(s.title, s.tree) for s in self.proof.steps] if self.proof is not None else []
        try:
            return make_task(
                self.form,
                self.given,
                using=lemmas,
                proof=steps,
                time_limit=self.time_limit,
                candidates=(*candidates, *self.try_at),
                example=self.example,
            )
        except ValueError as error:
            raise ClaimError(f"{self.key} ({self.location}): {error}") from error

    @cached_property
    def instances(self) -> tuple[tuple[str, tuple[tuple[Any, Expr], ...]], ...]:
        """Return the keys that the proof uses, in order, each with the values that are put in.

        The value of a symbol is an expression; the value of an unknown function is a ``Lambda``.
        """
        return tuple((key, tuple(self._values(at).items())) for key, at in self._instances)

    @cached_property
    def example(self) -> dict[Any, Expr]:
        """Return the proposed instance of the conditions: numbers, and ``Lambda`` for functions."""
        return self._values(self._options.example)

    def _values(self, given: Any) -> dict[Any, Expr]:
        """Return values as expressions; they are given by a dict, a function, or not at all."""
        values = self._made(lambda: [(k, entered(v)) for k, v in (_called(given) or {}).items()])
        return dict(values)

    def lemmas(self) -> list[Lemma]:
        """Return the parts of this claim, which another proof may use."""
        if not isinstance(self.form, ForAll):
            raise ClaimError(f"{self.key} is no relation, so a proof cannot use it")
        parts = self.form.tree.parts if isinstance(self.form.tree, Both) else (self.form.tree,)
        return [Lemma(self.key, part, self.given) for part in parts]

    @cached_property
    def hash(self) -> str:
        """Return a hash of the statement, conditions, ranges and definitions of the claim."""
        things = [self.form, *self.given]
        said = [type(self.form).__name__, *map(str, things)]
        if not isinstance(self.form, Noted):
            free = [s for thing in things for s in free_symbols(thing)]
            domain = case_domains(free, [t.map(unfold_definitions) for t in self.given])
            whole = (v for case in domain for v in case.variables if case.bounds[v].integer)
            said += [f"{v} in integers" for v in dict.fromkeys(whole)]
            with sympy.evaluate(False):  # once, not for each side
                said.append("; ".join(map(str, domain)))
                said += [str(t.map(unfold_definitions)) for t in things]
        text = " | ".join(said)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    # --- where it stands -----------------------------------------------------------------------------

    @property
    def source(self) -> Source:
        """Return the paper, its version, and the number of the statement."""
        package = sys.modules.get(self.module.rpartition(".")[0])
        base = self._options.source or getattr(package, "SOURCE", None)
        known = base if isinstance(base, Source) else Source("own statement")
        return known.at(self._place_and_words[0])

    @property
    def words(self) -> str:
        """Return the claim in words, or its difference from the paper; empty for most claims."""
        return self._place_and_words[1]

    @property
    def _place_and_words(self) -> tuple[str, str]:
        """Split the place from the words after it, if the words are long."""
        place, mark, words = (*re.split(r"(: |; )", self.place, maxsplit=1), "", "")[:3]
        return (place, words) if len(words) > 40 else (self.place, "")

    @property
    def location(self) -> str:
        """Return the place of the claim as ``file:line``; of the book's from the folder of dpbook."""
        path = Path(self.file)
        shown = path.relative_to(PACKAGE.parent) if path.is_relative_to(PACKAGE) else path
        return f"{shown}:{self.line}"

    def latex(self) -> str:
        """Return the statement as LaTeX."""
        return self.form.latex()

    def __repr__(self) -> str:
        return f"{self.key}: {self.title}"


def _called(thing: Any) -> Any:
    """Return a part of a claim that may be given by a function."""
    return thing() if callable(thing) else thing


def _declared(function: Callable[[], Any]) -> tuple[str, str, int]:
    """Return the module, file and line of a claim.

    They are those of its function. A topic that is loaded may take the function from another file, which
    a decorator or a helper made: then they are those of the module that declares the claim.
    """
    code = function.__code__
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    if frame is not None and LOADING and frame.f_code.co_filename != code.co_filename:
        file = frame.f_code.co_filename
        if LOADING[-1].holds(Path(file)):
            return frame.f_globals["__name__"], file, frame.f_lineno
    return function.__module__, code.co_filename, code.co_firstlineno


def _topic_of(function: Callable[[], Any]) -> str:
    """Return the topic's package; for a user's file its stem, in a notebook `own`."""
    module, file, _ = _declared(function)
    parts = module.split(".")
    if parts[0] == "dpbook" and "claims" in parts:
        return parts[1]
    found = of_code(Path(file))
    loading = LOADING[-1] if LOADING else None
    if loading and not loading.topic.is_file and loading.holds(Path(file)):
        name = loading.topic.name
        if found and found[0] != name:
            raise ClaimError(
                f"the claims of {name} stand in its folder claims; move this one there"
            )
    return found[0] if found else "own"


REGISTRY: dict[str, Claim] = {}


def claim(
    label: str,
    *,
    place: str = "",
    given: Any = (),
    corrects: Sequence[str] = (),
    why: str = "",
    fault: str = "",
    effect: str = "",
    using: Sequence[Any] = (),
    cites: Sequence[str] = (),
    without: Mapping[str, str] = MappingProxyType({}),
    proof: Any = None,
    scope: str = "",
    source: Source | None = None,
    try_at: Sequence[dict[Any, Any]] = (),
    example: Any = None,
    time_limit: float = 20.0,
) -> Callable[[Callable[[], Any]], Claim]:
    """Register a function as a claim; it returns the statement and is called once, on demand.

    Parameters
    ----------
    label : str
        Kind and number, such as ``lemma-4.2`` or ``eq-14``.
    place : str
        The place of the statement in the paper.
    given : list of relations, or a function that returns one
        The conditions of the statement beyond the ranges of the notation.
    corrects : list of str
        Labels of the printed claims that this one repairs.
    why, fault, effect : str
        The explanation of the error; the kind of fault (one of `FAULTS`); the results that survive.
    using : list of str, or of pairs of str and dict
        The claims on which our proof rests. With a dict (or a function that returns a dict) of
        symbols and values, the proof uses the claim only at these values; the value of an unknown
        distribution is another distribution
        (`dpbook.privacy.any_distributions.distribution_for`).
    cites : list of str
        The claims that the paper invokes; our proof uses each, or names it in `without`.
    without : dict of str to str
        The claims that the paper invokes and our proof does not use, each with the reason.
    proof : list of steps, a Derivation, or a function that returns one
        A proof for the reader.
    scope : str
        The part that is proved, if it is less than the statement of the source: for some families,
        for some values, or the last step from premises that are not shown. Such a claim is
        supported at most. A claim of the source whose statement holds a placeholder must have a
        scope.
    source : Source, optional
        The source, if it is not the paper of the topic.
    try_at : list of dict
        Points that the search for a counterexample tries first. They prove nothing by themselves.
    example : dict, or a function that returns one
        An instance that satisfies all conditions, if random examples do not: a number for a symbol,
        a ``Lambda`` for an unknown function, the result of
        `dpbook.privacy.any_distributions.distribution_for` for a distribution. The instance is
        never trusted: the kernel must show each condition at it.
    time_limit : float
        Seconds of work for the statement, and for each step of its proof.

    Raises
    ------
    ClaimError
        When the label or the fault is not valid, or `without` names a claim that is used, or lacks
        a reason.
    """
    if label.startswith(AXIOM):
        raise ClaimError(f"{label}: an axiom of the literature is declared with @axiom")
    if fault not in ("", *FAULTS):
        raise ClaimError(f"fault must be one of {', '.join(FAULTS)}, got {fault!r}")
    if fault == "consequence" and not cites:
        raise ClaimError(
            f"{label}: of a consequence, cites must name the fault that it follows from"
        )
    options = Options(
        place=place,
        given=given,
        corrects=corrects,
        why=why,
        fault=fault,
        effect=effect,
        using=using,
        cites=cites,
        without=without,
        proof=proof,
        scope=scope,
        source=source,
        try_at=try_at,
        example=example,
        time_limit=time_limit,
    )
    return _registering(label, options)


def axiom(
    label: str, *, author: str, title: str, number: str, given: Any = ()
) -> Callable[[Callable[[], Any]], Claim]:
    """Register a fact of the literature that the kernel cannot show: it is tested, not proved.

    Use this as a last resort. The axiom is tried on all small examples; no example may refute it,
    and its verdict is supported. A claim that uses the axiom may be proved; the claim, and all
    claims that rest on it, then name the axiom as trusted.

    Parameters
    ----------
    label : str
        A label that begins with ``axiom-``, such as ``axiom-dominating-pairs-compose``.
    author, title, number : str
        The publication: the authors, the book or the article with its year, the number of the
        theorem or the page.
    given : list of relations, or a function that returns one
        All hypotheses of the source: the axiom is not stronger than the published statement.

    Raises
    ------
    ClaimError
        When the label does not begin with ``axiom-``, or the source lacks a part.
    """
    if not label.startswith(AXIOM):
        raise ClaimError(f"the label of an axiom begins with {AXIOM}, got {label!r}")
    source = {"author": author, "title": title, "number": number}
    for name, said in source.items():
        if not isinstance(said, str) or not said.strip() or not said.isprintable():
            raise ClaimError(f"{label}: an axiom names its source; {name} is {said!r}")
    return _registering(
        label, Options(place=number, given=given, source=Source(f"{author}, {title}"))
    )


def _registering(label: str, options: Options) -> Callable[[Callable[[], Any]], Claim]:
    """Check a label, and return the decorator that makes a claim of a function."""
    if not _LABEL.fullmatch(label):
        raise ClaimError(
            f"label must be small letters, digits, - and ., as in lemma-4.2, got {label!r}"
        )

    def register(function: Callable[[], Any]) -> Claim:
        made = Claim(function, label, _topic_of(function), options)
        other = REGISTRY.get(made.key)
        if other is not None and made.module != "__main__":  # a cell of a notebook may run again
            looped = made.loading is not None and other.loading is made.loading
            if looped or other.location != made.location:
                raise ClaimError(f"{made.key} stands twice: {other.location} and {made.location}")
        REGISTRY[made.key] = made
        return made

    return register
