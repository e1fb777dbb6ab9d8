"""Proofs on record of statements whose conditions the kernel cannot evaluate at a point."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpbook.engine.language.task import Task
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove.proofs import Replay
from dpbook.engine.run.decide import known_point


@dataclass(frozen=True)
class WithExample:
    """A proof on record of a statement whose conditions the kernel cannot evaluate at a point.

    Attributes
    ----------
    task : Task
        The statement, for an example that satisfies its conditions: without one a proof may be vacuous.
    replay : Replay
    """

    task: Task
    replay: Replay
    time_limit: float = float("inf")  # examples and the kernel count their work themselves
    proof: tuple[Any, ...] = ()

    def run(self) -> Evidence:
        """Find an example and check the proof; undecided where there is none, or the kernel says no."""
        point = known_point(self.task)
        if point is None:
            return Evidence(Verdict.UNDECIDED, reason="no example satisfies the conditions")
        return replace(self.replay, entry={**self.replay.entry, "sample": dict(point)}).run()
