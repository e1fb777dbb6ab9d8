"""The only exception by which the kernel rejects a proof."""

from __future__ import annotations


class Rejected(ValueError):
    """A certificate, or a text, that the kernel does not accept.

    Attributes
    ----------
    path : tuple of int
        The premises that lead from the root of the certificate to the node.
    rule : str
        The rule of that node.
    why : str
        What does not hold.
    """

    def __init__(self, why: str, rule: str = "", path: tuple[int, ...] = ()) -> None:
        super().__init__(why, rule, path)
        self.why, self.rule, self.path = why[:300], rule, path

    def __str__(self) -> str:
        place = ".".join(map(str, self.path)) or "the root"
        return f"rejected at {place}, rule {self.rule or '?'}: {self.why}"
