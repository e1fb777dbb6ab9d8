"""Proofs that can be read: a list of steps, each proved from the domain and the steps before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpbook.engine.statement import Tree, as_tree


@dataclass(frozen=True)
class Step:
    """One step of a proof: what is done, and the relation that then holds."""

    title: str
    tree: Tree

    def latex(self) -> str:
        return self.tree.latex()

    def __str__(self) -> str:
        return f"{self.title}: {self.tree}"


def step(title: str, relation: Any) -> Step:
    """Make a step of a proof.

    Parameters
    ----------
    title : str
        What is done, in words: "change the signs".
    relation : relational, triple, or a list of them
        What then holds.
    """
    return Step(title, as_tree(relation))


@dataclass(frozen=True)
class Derivation:
    """A proof as a list of steps that run forwards."""

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, steps: Sequence[Step]) -> Derivation:
        return cls(tuple(steps))

    def __str__(self) -> str:
        return "\n".join(f"{number}. {one}" for number, one in enumerate(self.steps, 1))
