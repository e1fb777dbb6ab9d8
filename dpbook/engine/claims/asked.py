"""Have a statement that was typed read and decided in a worker; this process needs no SymPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpbook.engine.language.budget import WHOLE, refuse_time_limit, time_in_all, uncounted
from dpbook.engine.language.verdict import Evidence
from dpbook.engine.run import workers


@dataclass(frozen=True)
class Answer:
    """Hold the evidence on a statement, and remarks on its names, a line each."""

    evidence: Evidence
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Asked:
    """Hold a statement with its conditions as text.

    Attributes
    ----------
    seconds : float
        Seconds of work for each stage of the search.
    """

    statement: str
    given: tuple[str, ...] = ()
    seed: int = 0
    seconds: float = 10.0

    @property
    def time_limit(self) -> float:
        """Return the seconds of work in all."""
        return time_in_all(self.seconds, WHOLE * self.seconds)

    def answer(self) -> Answer:
        """Decide the statement in a worker.

        Raises
        ------
        ValueError
            When it cannot be read, or its conditions contradict each other.
        """
        refuse_time_limit(self.seconds)
        found = workers.run_one(self)
        if isinstance(found, Answer):
            return found
        return self._decided_by(lambda _: found)  # the worker was lost: only the text is read here

    def run(self) -> Answer:
        """Decide the statement in this process."""
        with uncounted():
            from dpbook.engine.run.decide import answered
        try:
            return self._decided_by(answered)
        except ValueError as error:
            raise ValueError(str(error)) from None  # of a class that needs no import to be read

    def _decided_by(self, decide: Callable[[Any], Evidence]) -> Answer:
        with uncounted():
            from dpbook.engine.claims.check import decided_by
            from dpbook.engine.read.nodes import spelled_twice
            from dpbook.engine.read.readings import read_statement
        read = read_statement(self.statement, self.given)
        evidence = decided_by(decide, read, time_limit=self.seconds, seed=self.seed)
        remarks = [
            f"{names} are read as one symbol"
            for names in spelled_twice([self.statement, *self.given])
        ]
        for name, near in read.strangers():
            hint = f"; nearest: {near}" if near else ""
            remarks.append(f"warning: {name} of --given is not in the statement{hint}")
        return Answer(evidence, tuple(remarks))
