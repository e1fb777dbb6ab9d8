"""Can Langevin dynamics give privacy? A paper's claims, decided, and its formulas, to run.

The paper draws the slope of a regression with known noise. One exact posterior draw tells little
about a record, a chain stopped on its way there can tell much. `Setting` holds the numbers of both,
and is asked for what is known of them; `FIGURE_1` is one. The formulas stand in `theory`, the
symbols in `notation`, what the paper says, section by section, in `claims`; the printed version of a
formula is ``version="printed"`` and carries the key of the claim that was refuted.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.langevin.mechanisms import OneRatio, ProposeTestSample
    from dpbook.langevin.samplers import Chains, sgld
    from dpbook.langevin.setting import FIGURE_1, Setting
    from dpbook.langevin.theory.ball_averages import IsotropicNormal, ball_average, ball_volume
    from dpbook.langevin.theory.certificate import Certificate, certify, theorem_1
    from dpbook.langevin.theory.posterior import (
        Posterior,
        divergence,
        posterior,
    )
    from dpbook.langevin.theory.release_probability import release_loss, release_probability
    from dpbook.langevin.theory.sizes import Threshold
    from dpbook.langevin.theory.thresholds import (
        least_records,
        least_records_for_centre,
        least_records_for_power,
    )
    from dpbook.langevin.theory.wasserstein import (
        lipschitz_bound,
        smoothing_error,
        theorem_2_bound,
        wasserstein_2,
    )
    from dpbook.langevin.theory.wasserstein_curves import wasserstein_curve, wasserstein_region

__all__ = [
    "Certificate",
    "Chains",
    "FIGURE_1",
    "IsotropicNormal",
    "OneRatio",
    "Posterior",
    "ProposeTestSample",
    "Setting",
    "Threshold",
    "ball_average",
    "ball_volume",
    "certify",
    "divergence",
    "least_records",
    "least_records_for_centre",
    "least_records_for_power",
    "lipschitz_bound",
    "posterior",
    "release_loss",
    "release_probability",
    "sgld",
    "smoothing_error",
    "theorem_1",
    "theorem_2_bound",
    "wasserstein_2",
    "wasserstein_curve",
    "wasserstein_region",
]

_HOMES = {
    "Certificate": "dpbook.langevin.theory.certificate",
    "Chains": "dpbook.langevin.samplers",
    "FIGURE_1": "dpbook.langevin.setting",
    "IsotropicNormal": "dpbook.langevin.theory.ball_averages",
    "OneRatio": "dpbook.langevin.mechanisms",
    "Posterior": "dpbook.langevin.theory.posterior",
    "ProposeTestSample": "dpbook.langevin.mechanisms",
    "Setting": "dpbook.langevin.setting",
    "Threshold": "dpbook.langevin.theory.sizes",
    "ball_average": "dpbook.langevin.theory.ball_averages",
    "ball_volume": "dpbook.langevin.theory.ball_averages",
    "certify": "dpbook.langevin.theory.certificate",
    "divergence": "dpbook.langevin.theory.posterior",
    "least_records": "dpbook.langevin.theory.thresholds",
    "least_records_for_centre": "dpbook.langevin.theory.thresholds",
    "least_records_for_power": "dpbook.langevin.theory.thresholds",
    "lipschitz_bound": "dpbook.langevin.theory.wasserstein",
    "posterior": "dpbook.langevin.theory.posterior",
    "release_loss": "dpbook.langevin.theory.release_probability",
    "release_probability": "dpbook.langevin.theory.release_probability",
    "sgld": "dpbook.langevin.samplers",
    "smoothing_error": "dpbook.langevin.theory.wasserstein",
    "theorem_1": "dpbook.langevin.theory.certificate",
    "theorem_2_bound": "dpbook.langevin.theory.wasserstein",
    "wasserstein_2": "dpbook.langevin.theory.wasserstein",
    "wasserstein_curve": "dpbook.langevin.theory.wasserstein_curves",
    "wasserstein_region": "dpbook.langevin.theory.wasserstein_curves",
}

__getattr__, __dir__ = names(globals(), _HOMES)
