"""Exercises that check themselves: an answer is decided like a claim, not compared as text.

    from dpbook.teaching import exercises

    exercises.check("langevin:posterior-variance", "1/(alpha + beta*s_xx)")
    exercises.hint("langevin:posterior-variance")

An answer is text in the syntax of ``dpbook check``, LaTeX, a SymPy object, a number, or a
function. `right` and `wrong` are said only where they are decided; anything else is `not decided`,
with the reason. The exercises of a topic stand in ``dpbook/<topic>/exercises.py``.
"""

from __future__ import annotations

import difflib
import html
import importlib
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from dpbook.engine import record
from dpbook.teaching.answers import Unreadable
from dpbook.teaching.questions import Exercise, Mark, Outcome


@dataclass(frozen=True)
class Hint:
    """One of an exercise's hints."""

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
_ID = re.compile(r"[a-z_]+:[a-z0-9]+(-[a-z0-9]+)*")


def exercise(key: str, made: Exercise) -> Exercise:
    """Register an exercise under its id.

    Raises
    ------
    ValueError
        When the id is none, or stands already.
    """
    if not _ID.fullmatch(key):
        raise ValueError(f"an exercise's id must be topic:label-in-words, got {key!r}")
    if not made.hints:
        raise ValueError(f"{key} needs a hint")
    if key in REGISTRY:
        raise ValueError(f"the exercise {key} stands twice")
    REGISTRY[key] = replace(made, key=key)
    return REGISTRY[key]


def all_exercises() -> dict[str, Exercise]:
    """Return the exercises of all topics by id."""
    for topic in record.topics():
        if importlib.util.find_spec(f"dpbook.{topic}.exercises"):
            importlib.import_module(f"dpbook.{topic}.exercises")
    return dict(REGISTRY)


def find(key: str) -> Exercise:
    """Return an exercise by its id; it shows its question.

    Raises
    ------
    NoExercise
        When there is none; the message names the nearest id.
    """
    if key not in REGISTRY:
        names = list(all_exercises())
        if key not in names:
            near = difflib.get_close_matches(str(key), names, 1, cutoff=0.3)
            hint = f"; nearest: {near[0]}" if near else ""
            raise NoExercise(f"no exercise {key}{hint}")
    return REGISTRY[key]


def check(id: str, answer: Any) -> Outcome:
    """Decide an answer to an exercise.

    Parameters
    ----------
    id : str
        The exercise, such as ``claims:pole``.
    answer : str, SymPy object, number, mapping or function
        What the exercise asks for.

    Returns
    -------
    Outcome
        `right` or `wrong` where that is decided, else `not decided` with the reason.

    Raises
    ------
    NoExercise
        When there is no such exercise; the message names the nearest.
    """
    asked = find(id)
    try:
        return asked.judge(answer)
    except Unreadable as problem:
        return asked.said(Mark.OPEN, str(problem))


def hint(id: str, number: int = 1) -> Hint:
    """Return a hint; the first helps least.

    Raises
    ------
    ValueError
        When there are not so many.
    """
    asked = find(id)
    if not 1 <= number <= len(asked.hints):
        total = len(asked.hints)
        raise ValueError(f"{id} has {total} hints: number must be 1 to {total}, got {number}")
    return Hint(asked.hints[number - 1], number, len(asked.hints))


def ids(topic: str = "") -> Iterator[str]:
    """Yield the ids, of one topic or of all."""
    for key in all_exercises():
        if not topic or key.startswith(f"{topic}:"):
            yield key
