"""The numbers of the paper's setting, as its theory takes them."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dpbook.engine.language.domain import DomainError
from dpbook.privacy.reading import count, number

__all__ = ["Numbers"]

MOST_RECORDS = 10**300


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """The numbers of a model, a domain of records and two datasets on it: see `dpbook.langevin.Setting`."""

    n: int
    alpha: float
    beta: float
    x_h: float
    c: float
    x_l: float | None = None
    gamma_1: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", count("n", self.n, 2, MOST_RECORDS))
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            if value is not None:
                read = number(field.name, value, "> 0 and finite")
                object.__setattr__(self, field.name, read)
        if self.x_l is not None and not self.x_l <= self.x_h:
            raise ValueError(f"x_l must be <= x_h = {self.x_h:g}, got {self.x_l:g}")

    @property
    def numbers(self) -> dict[str, float]:
        """The numbers that are given, under the names of the notation."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in found.items() if value is not None}

    def domain(self, claim: str) -> dict[str, float]:
        """Return all the numbers, for a claim about the domain of eq. 5.

        Parameters
        ----------
        claim : str
            Key of the claim that asks for them.

        Raises
        ------
        DomainError
            x_l or gamma_1 is not given, or gamma_1 >= 1/2.
        """
        for name in ("x_l", "gamma_1"):
            if getattr(self, name) is None:
                raise DomainError(f"{claim} needs {name}: Setting(..., {name}=...)")
        if self.gamma_1 is not None and not self.gamma_1 < 0.5:
            raise DomainError(f"{claim} needs gamma_1 < 1/2, got {self.gamma_1}")
        return self.numbers
