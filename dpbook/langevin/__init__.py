"""Can Langevin dynamics give privacy? A paper's claims, decided, and its formulas, to run.

The paper draws the slope of a regression with known noise. One exact posterior draw tells little
about a record (`theory.posterior`), a chain stopped on its way there can tell much
(`theory.chain`). Its symbols stand in `notation`, what it says, section by section, in `claims`;
the printed version of a formula is ``version="printed"`` and carries the key of the claim that was
refuted.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.langevin.theory.chain import chain_law
    from dpbook.langevin.theory.posterior import (
        Posterior,
        divergence,
        loss_bound,
        loss_curve,
        one_ratio_posteriors,
        posterior,
    )

__all__ = [
    "Posterior",
    "chain_law",
    "divergence",
    "loss_bound",
    "loss_curve",
    "one_ratio_posteriors",
    "posterior",
]

_HOMES = {
    "Posterior": "dpbook.langevin.theory.posterior",
    "chain_law": "dpbook.langevin.theory.chain",
    "divergence": "dpbook.langevin.theory.posterior",
    "loss_bound": "dpbook.langevin.theory.posterior",
    "loss_curve": "dpbook.langevin.theory.posterior",
    "one_ratio_posteriors": "dpbook.langevin.theory.posterior",
    "posterior": "dpbook.langevin.theory.posterior",
}

__getattr__, __dir__ = names(globals(), _HOMES)
