"""Describe a release and the part of a setting that a sampler takes, so that it imports no setting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from dpbook.unknown_sample_size.mechanisms import Mechanism, SizePrior
from dpbook.unknown_sample_size.models.base import Model


@dataclass(frozen=True)
class Release:
    """Hold the release.

    Attributes
    ----------
    s : tuple of float
        Noisy sums.
    n_dp : float or None
        Noisy number of records, which may be negative; None where there is none (remark 5.5).

    Examples
    --------
    >>> Release((12.0,), 30.0)
    Release(s=(12), n_dp=30)
    """

    s: tuple[float, ...]
    n_dp: float | None = None

    def __repr__(self) -> str:
        shown = ", ".join(f"{one:.6g}" for one in self.s)
        return f"Release(s=({shown}), n_dp={'none' if self.n_dp is None else f'{self.n_dp:.6g}'})"


class Problem(Protocol):
    """Describe a model, two mechanisms and a prior of the number of records.

    A `setting.Setting` is one.
    """

    @property
    def model(self) -> Model: ...
    @property
    def mechanism(self) -> Mechanism: ...
    @property
    def count(self) -> Mechanism: ...
    @property
    def sizes(self) -> SizePrior: ...
    @property
    def pieces(self) -> tuple[Any, ...]: ...
    @property
    def inlined(self) -> int: ...

    def check(self, release: Release) -> None:
        """Refuse a release that the mechanisms cannot have made."""

    def acceptance_bounds(self) -> tuple[float, float] | None:
        """Return the least acceptance probability of a swap, and of a jump."""
