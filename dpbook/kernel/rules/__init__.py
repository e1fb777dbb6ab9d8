"""The rules by their names. Each returns all premises of its conclusion and looks for nothing.

Their number, order and text depend on the terms as written and on the table only, never on a normal
form or a sign. Which of them need a proof is the matter of `environment`.
"""

from __future__ import annotations

from collections.abc import Callable

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rules import algebra, boxes, calculus, discrete, integrals, logic, series

Rule = Callable[[Sequent, Fields, Environment], list[Sequent]]

RULES: dict[str, Rule] = {
    **logic.RULES,
    **algebra.RULES,
    **calculus.RULES,
    **discrete.RULES,
    **integrals.RULES,
    **series.RULES,
    **boxes.RULES,
}
