"""The rules by their names. Each returns all premises of its conclusion and looks for nothing.

Their number, order and text depend on the terms as written and on the table only, never on a normal
form or a sign. Which of them need a proof is the matter of `environment`.
"""

from __future__ import annotations

from collections.abc import Callable

from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rules import algebra, boxes, calculus, discrete, logic

Rule = Callable[[Sequent, Fields, Environment], list[Sequent]]

_MODULES = (logic, algebra, calculus, discrete, boxes)
# a rule has the name of its function, with blanks
RULES: dict[str, Rule] = {
    rule.__name__.strip("_").replace("_", " "): rule for m in _MODULES for rule in m.RULES
}
