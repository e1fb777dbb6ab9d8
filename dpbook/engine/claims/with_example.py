"""Replay proofs of statements whose conditions the kernel cannot evaluate at a point."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dpbook.engine.language.task import Task
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove.proofs import Replay
from dpbook.engine.run.decide import known_point


@dataclass(frozen=True)
class WithExample:
    """Hold a proof on record if the kernel cannot evaluate the conditions at a point.

    Attributes
    ----------
    task : Task
        The statement, to find an example that satisfies its conditions: without an example a proof
        may be vacuous.
    replay : Replay
    """

    task: Task
    replay: Replay
    time_limit: float = float("inf")  # the search for examples and the kernel count their work
    proof: tuple[Any, ...] = ()

    def run(self) -> Evidence:
        """Find an example and check the proof; undecided without an example or a checked proof."""
        point = known_point(self.task)
        if point is None:
            return Evidence(Verdict.UNDECIDED, reason="no example satisfies the conditions")
        return replace(self.replay, entry={**self.replay.entry, "sample": dict(point)}).run()
