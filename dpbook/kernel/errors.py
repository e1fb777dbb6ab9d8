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

    # `Rejected(why, rule, path)`, the last two where they are known, is kept as these arguments
    @property
    def why(self) -> str:
        return str(self.args[0])[:300]

    @property
    def rule(self) -> str:
        return str(self.args[1]) if len(self.args) > 1 else ""

    @property
    def path(self) -> tuple[int, ...]:
        return tuple(self.args[2]) if len(self.args) > 2 else ()

    def __str__(self) -> str:
        place = ".".join(map(str, self.path)) or "the root"
        return f"rejected at {place}, rule {self.rule or '?'}: {self.why}"
