"""Explorers of the langevin chapters."""

from __future__ import annotations

from dpbook.langevin import loss_curve
from dpbook.teaching.explorer import Explorer, choice, slider

ORDERS = (2, 5, 10, 20)
RECORDS = (322, 500, 1000, 3300, 10_000, 100_000, 1_000_000)
RATIOS = (1, 100, 10_000, 1_000_000)


def loss_explorer() -> Explorer:
    """Loss of one posterior draw against lemma 4.2, as printed and repaired."""

    def frame(order: int, n: int, c: int, over: str = "n") -> dict[str, object]:
        return {"order": order, "n": n, "c": c, "over": over}

    return Explorer(
        loss_curve,
        controls={
            "order": slider("order", ORDERS),
            "n": slider("records n", RECORDS),
            "c": slider("ratio c", RATIOS),
            "over": choice("drawn against", ("n", "order")),
        },
        frames=[
            frame(20, 322, 10_000),  # the print fails
            frame(20, 322, 1),  # it does not where c is small
            frame(20, 1000, 10_000),
            frame(20, 10_000, 10_000),
            frame(2, 322, 10_000),  # both lemmas apply
            frame(5, 1000, 10_000),
            frame(2, 1_000_000, 1),  # close to private
            frame(20, 1_000_000, 1_000_000),
            frame(20, 322, 10_000, "order"),
            frame(10, 1_000_000, 1, "order"),
        ],
        title="How much does one posterior draw tell?",
    )
