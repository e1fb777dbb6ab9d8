"""Exercises that check themselves: an answer is decided like a claim, not compared as text.

    from dpbook import exercises

    exercises.check("langevin:posterior-variance", "1/(alpha + beta*s_xx)")
    exercises.hint("langevin:posterior-variance")

An answer is text in the syntax of ``dpbook check``, LaTeX, a SymPy object, a number, or a
function. `right` and `wrong` are said only where they are decided; anything else is `not decided`,
with the reason. The exercises of a topic stand in its module ``exercises``, those of a file of the
user's own in the file.
"""

from __future__ import annotations

import difflib
import functools
import html
import random
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy

from dpbook.engine.claims import catalog, record, topics
from dpbook.engine.claims.claim import ClaimError
from dpbook.engine.language.statement import StatementError
from dpbook.teaching.answers import Unreadable
from dpbook.teaching.apart import received
from dpbook.teaching.plain import Unsendable, sent
from dpbook.teaching.questions import Exercise, Mark, Outcome, Point, Reading


@dataclass(frozen=True)
class Hint:
    """Hold one of an exercise's hints."""

    text: str
    number: int
    total: int

    def __repr__(self) -> str:
        return f"hint {self.number} of {self.total}: {self.text}"

    def _repr_html_(self) -> str:
        return f"<p><em>Hint {self.number} of {self.total}:</em> {html.escape(self.text)}</p>"


class NoExercise(KeyError, ValueError):
    """There is no exercise of that id."""

    def __str__(self) -> str:
        return str(self.args[0])


REGISTRY: dict[str, Exercise] = {}
VARIED: dict[str, Callable[[random.Random], Exercise]] = {}
PLACES: dict[str, tuple[str, str, int]] = {}  # the module, file and line of each
LOADED_BY: dict[str, topics.Loading | None] = {}  # the import of a topic that made each
_ID = re.compile(r"[a-z_][a-z0-9_]*:[a-z0-9]+(-[a-z0-9]+)*")


def exercise(
    key: str, made: Exercise, vary: Callable[[random.Random], Exercise] | None = None
) -> Exercise:
    """Register an exercise under its id.

    Parameters
    ----------
    key : str
        The id, ``topic:label``.
    made : Exercise
        With the numbers of the book.
    vary : function, optional
        Takes a random generator and returns the exercise with other numbers.

    Raises
    ------
    ValueError
        When the id is none, or stands already.
    """
    if not _ID.fullmatch(key):
        raise ValueError(f"an exercise's id must be topic:label-in-words, got {key!r}")
    if not made.hints:
        raise ValueError(f"{key} needs a hint")
    caller = sys._getframe(1)
    place = (caller.f_globals.get("__name__", ""), caller.f_code.co_filename, caller.f_lineno)
    module, file, line = PLACES.get(key, place)
    loaded = getattr(sys.modules.get(module), "__file__", None) == file
    loading = topics.LOADING[-1] if topics.LOADING else None
    in_a_loop = loading is not None and LOADED_BY.get(key) is loading
    if in_a_loop or (loaded and (file, line) != place[1:] and module != "__main__"):
        raise ValueError(
            f"the exercise {key} stands twice: {file}:{line} and {place[1]}:{place[2]}"
        )
    PLACES[key], LOADED_BY[key] = place, loading
    REGISTRY[key] = replace(made, key=key)
    VARIED.pop(key, None)
    _own.cache_clear()
    if vary is not None:
        VARIED[key] = vary
    return REGISTRY[key]


def all_exercises() -> dict[str, Exercise]:
    """Return the exercises of the book's topics by id."""
    for topic in record.topics():
        _load(topic)
    return {key: made for key, made in REGISTRY.items() if _of_the_book(key)}


def of_topic(topic: str) -> dict[str, Exercise]:
    """Return the exercises of a topic by id, also of a topic that is not the book's.

    Raises
    ------
    ClaimError
        When there is no such topic, or it cannot be imported.
    """
    _load(topic)
    return {key: made for key, made in REGISTRY.items() if key.startswith(f"{topic}:")}


def _of_the_book(key: str) -> bool:
    return key.partition(":")[0] in (*record.topics(), "claims")


def _load(topic: str) -> None:
    if topic not in record.topics():
        try:
            catalog.load(topic)
        except catalog.EmptyTopic:
            if not any(key.startswith(f"{topic}:") for key in REGISTRY):
                raise  # and it is no file of exercises alone
        except ClaimError:
            for key in [key for key in REGISTRY if key.startswith(f"{topic}:")]:
                del REGISTRY[key]  # else the next answer would find the half above the fault
            raise
    found = topics.find(topic)
    if found.is_file:  # they stand beside the claims
        return
    with sympy.evaluate(True):  # whoever asks, an exercise is about the same formulas
        catalog.import_part(found, "exercises")


def _sought(key: str) -> bool:
    """Say whether there is an exercise of that id; looks into its own topic first, which is quick."""
    own = str(key).partition(":")[0]
    if own not in (*record.topics(), "claims") and topics.known(own):
        _load(own)
        return key in REGISTRY
    for topic in sorted(record.topics(), key=lambda topic: (topic != own, topic != "privacy")):
        _load(topic)
        if key in REGISTRY:
            return True
    return False


def find(key: str, student: str = "", seed: int | None = None) -> Exercise:
    """Return an exercise by its id; it shows its question.

    Parameters
    ----------
    key : str
        The id.
    student : str
        Whose numbers; those of the book when it is empty, or when the exercise has no others.
    seed : int, optional
        Of a course: another one gives all students other numbers. Without it 0.

    Raises
    ------
    ValueError
        When the numbers of a course are asked for, and no student is named.
    NoExercise
        When there is none; the message names the nearest id.

    Examples
    --------
    >>> find("privacy:exact-epsilon", "ada").question == find("privacy:exact-epsilon").question
    False
    """
    if key not in REGISTRY and not _sought(key):
        near = difflib.get_close_matches(str(key), list(REGISTRY), 1, cutoff=0.3)
        hint = f"; nearest: {near[0]}" if near else ""
        raise NoExercise(f"no exercise {key}{hint}")
    if seed is not None and not student and varies(key):
        raise ValueError(
            "student must be your ID in the course, got '': "
            "write it in the first code cell, and run that cell again"
        )
    if student and varies(key):
        return _own(key, f"{seed or 0}:{student}:{key}")
    return REGISTRY[key]


def varies(key: str) -> bool:
    """Say whether an exercise that was found has other numbers for each student.

    It draws numbers, or asks for a counterexample: with a value of a list, or to a claim whose card shows
    the one on record. Where none is on record there are no other numbers.
    """
    made = REGISTRY[key]
    return key in VARIED or (isinstance(made, Point) and made.varies)


@functools.lru_cache(maxsize=256)
def _own(key: str, seed: str) -> Exercise:
    rng, made = random.Random(seed), REGISTRY[key]
    if key in VARIED:
        return replace(VARIED[key](rng), key=key)
    assert isinstance(made, Point)
    return made.varied(rng)


def check(id: str, answer: Any, student: str = "", seed: int | None = None) -> Outcome:
    """Decide an answer to an exercise.

    Parameters
    ----------
    id : str
        The exercise, such as ``claims:gap``.
    answer : str, SymPy object, number, mapping or function
        What the exercise asks for.
    student, seed
        Whose numbers; see `find`.

    Returns
    -------
    Outcome
        `right` or `wrong` where that is decided, else `not decided` with the reason.

    Raises
    ------
    NoExercise
        When there is no such exercise; the message names the nearest.
    ValueError
        When the numbers of a course are asked for, and no student is named.
    """
    asked = find(id, student, seed)
    try:  # a grader gets the answer as data: the same parts are lost here as there
        there = received(sent(answer))
    except ValueError as problem:
        outcome = judged(asked, answer)
        return asked.said(Mark.OPEN, str(problem)) if outcome else outcome
    return judged(asked, there)


def judged(asked: Exercise, answer: Any) -> Outcome:
    """Decide an answer to an exercise that was found; see `check`."""
    try:
        reading = asked.read(answer) if isinstance(answer, str) else Reading()
        return replace(asked.judge(answer), reading=reading)
    except (Unreadable, Unsendable) as problem:
        return asked.said(Mark.OPEN, str(problem))
    except StatementError as problem:  # answers are read exactly: a decimal is the author's
        why = f"this exercise cannot be decided as it is written: {problem}; tell who wrote it"
        return asked.said(Mark.OPEN, why)


def preview(id: str, answer: Any) -> Reading:
    """Return an answer as it is read, without deciding it.

    Parameters
    ----------
    id : str
        The exercise, such as ``claims:gap``.
    answer : str, SymPy object, number, mapping or function
        What the exercise asks for.

    Raises
    ------
    ValueError
        When there is no such exercise, or the answer cannot be read: where, and why.

    Examples
    --------
    >>> preview("privacy:group", "2ε + 1")
    read as 2*epsilon + 1
    """
    return find(id).read(answer)


def hint(id: str, number: int = 1, student: str = "", seed: int | None = None) -> Hint:
    """Return a hint; the first helps least.

    Raises
    ------
    ValueError
        When there are not so many.
    """
    asked = find(id, student, seed)
    if not 1 <= number <= len(asked.hints):
        total = len(asked.hints)
        hints = (
            "1 hint: number must be 1"
            if total == 1
            else f"{total} hints: number must be 1 to {total}"
        )
        raise ValueError(f"{id} has {hints}, got {number}")
    return Hint(asked.hints[number - 1], number, len(asked.hints))


def ids(topic: str = "") -> Iterator[str]:
    """Yield the ids, of one topic or of all."""
    for key in all_exercises():
        if not topic or key.startswith(f"{topic}:"):
            yield key
