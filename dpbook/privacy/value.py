"""Hold a number from a claim, the result of every formula of the topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from dpbook.engine.language.card import Described

__all__ = ["Value", "Version", "check_version"]

Version = Literal["corrected", "printed"]
Relation = Literal["=", "<=", ">="]

WORDS: dict[Relation, str] = {"=": "is", "<=": "is at most", ">=": "is at least"}


def check_version(version: str) -> None:
    """Refuse a version that is neither the paper nor its repair.

    Raises
    ------
    ValueError
        The message names both.
    """
    if version not in get_args(Version):
        raise ValueError(f'version must be "corrected" or "printed", got {version!r}')


@dataclass(frozen=True)
class Value(Described):
    """A number, and the claim that it is taken from.

    ``float`` gives the number.

    Parameters
    ----------
    value : float
    claim : str
        Key of the claim. With the printed version, the key of the printed claim, refuted or not.
    version : {"corrected", "printed"}
    of : str
        The quantity that it is a value or a bound of.
    relation : {"=", "<=", ">="}
        Whether `of` is the number, at most the number, or at least.
    at : dict of str to float
        Other numbers that belong to it: the order of a divergence, the delta of an epsilon. They
        are had by name, ``value["order"]``.

    Examples
    --------
    >>> Value(0.5, "privacy:pure-to-zcdp", of="rho", at={"epsilon": 1})
    Value(rho=0.5, epsilon=1, claim='privacy:pure-to-zcdp')
    """

    value: float
    claim: str
    version: Version = "corrected"
    of: str = ""
    relation: Relation = "="
    at: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __float__(self) -> float:
        return float(self.value)

    def __getitem__(self, name: str) -> float:
        return self.at[name]

    def __repr__(self) -> str:
        sign = "=" if self.relation == "=" else f" {self.relation} "
        rows = [f"{self.of or 'value'}{sign}{self.value:.6g}"]
        rows += [f"{name}={number:.6g}" for name, number in self.at.items()]
        rows.append(f"claim={self.claim!r}")
        if self.version != "corrected":
            rows.append(f"version={self.version!r}")
        return f"{type(self).__name__}({', '.join(rows)})"

    def describe(self) -> str:
        """Return the number in words."""
        name = self.of or "value"
        named = name if len(name) == 1 else f"The {name}"  # a symbol, or words
        at = ", ".join(f"{one} {number:.4g}" for one, number in self.at.items())
        printed = ", as printed" if self.version == "printed" else ""
        return (
            f"{named} {WORDS[self.relation]} {self.value:.4g}{f' at {at}' if at else ''}, "
            f"by {self.claim}{printed}."
        )
