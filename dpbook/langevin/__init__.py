"""Can Langevin dynamics give privacy? A paper's claims, decided, and its formulas, to run.

The paper draws the slope of a regression with known noise. One exact posterior draw tells little
about a record (`theory.posterior`), a chain stopped on its way there can tell much
(`theory.chain`, `theory.separation`, `theory.distinguishability`). Its symbols stand in `notation`,
what it says, section by section, in `claims`; the printed version of a formula is
``version="printed"`` and carries the key of the claim that was refuted.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.langevin.mechanisms import OneRatio, ProposeTestSample, propose_test_sample
    from dpbook.langevin.samplers import Chains, exact_draws, sgld, two_rate_chain
    from dpbook.langevin.theory.ball_averages import IsotropicNormal, ball_average, ball_volume
    from dpbook.langevin.theory.certificate import Certificate, certify, theorem_1
    from dpbook.langevin.theory.chain import balance_epoch, exact_law, stopping_step
    from dpbook.langevin.theory.distinguishability import distinguishability, step_profile
    from dpbook.langevin.theory.loss_floor import loss_floor
    from dpbook.langevin.theory.posterior import (
        Posterior,
        divergence,
        loss_bound,
        loss_curve,
        one_ratio_posteriors,
        posterior,
    )
    from dpbook.langevin.theory.release_probability import release_loss, release_probability
    from dpbook.langevin.theory.separation import FIGURE_1, separation, separation_curve
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
    from dpbook.langevin.theory.worst_case import (
        privacy_curve,
        privacy_of_a_draw,
        worst_case_divergence,
    )

__all__ = [
    "Certificate",
    "Chains",
    "FIGURE_1",
    "IsotropicNormal",
    "OneRatio",
    "Posterior",
    "ProposeTestSample",
    "Threshold",
    "balance_epoch",
    "ball_average",
    "ball_volume",
    "certify",
    "distinguishability",
    "divergence",
    "exact_draws",
    "exact_law",
    "least_records",
    "least_records_for_centre",
    "least_records_for_power",
    "lipschitz_bound",
    "loss_bound",
    "loss_curve",
    "loss_floor",
    "one_ratio_posteriors",
    "posterior",
    "privacy_curve",
    "privacy_of_a_draw",
    "propose_test_sample",
    "release_loss",
    "release_probability",
    "separation",
    "separation_curve",
    "sgld",
    "smoothing_error",
    "step_profile",
    "stopping_step",
    "theorem_1",
    "theorem_2_bound",
    "two_rate_chain",
    "wasserstein_2",
    "wasserstein_curve",
    "wasserstein_region",
    "worst_case_divergence",
]

_HOMES = {
    "Certificate": "dpbook.langevin.theory.certificate",
    "Chains": "dpbook.langevin.samplers",
    "FIGURE_1": "dpbook.langevin.theory.separation",
    "IsotropicNormal": "dpbook.langevin.theory.ball_averages",
    "OneRatio": "dpbook.langevin.mechanisms",
    "Posterior": "dpbook.langevin.theory.posterior",
    "ProposeTestSample": "dpbook.langevin.mechanisms",
    "Threshold": "dpbook.langevin.theory.sizes",
    "balance_epoch": "dpbook.langevin.theory.chain",
    "ball_average": "dpbook.langevin.theory.ball_averages",
    "ball_volume": "dpbook.langevin.theory.ball_averages",
    "certify": "dpbook.langevin.theory.certificate",
    "distinguishability": "dpbook.langevin.theory.distinguishability",
    "divergence": "dpbook.langevin.theory.posterior",
    "exact_draws": "dpbook.langevin.samplers",
    "exact_law": "dpbook.langevin.theory.chain",
    "least_records": "dpbook.langevin.theory.thresholds",
    "least_records_for_centre": "dpbook.langevin.theory.thresholds",
    "least_records_for_power": "dpbook.langevin.theory.thresholds",
    "lipschitz_bound": "dpbook.langevin.theory.wasserstein",
    "loss_bound": "dpbook.langevin.theory.posterior",
    "loss_curve": "dpbook.langevin.theory.posterior",
    "loss_floor": "dpbook.langevin.theory.loss_floor",
    "one_ratio_posteriors": "dpbook.langevin.theory.posterior",
    "posterior": "dpbook.langevin.theory.posterior",
    "privacy_curve": "dpbook.langevin.theory.worst_case",
    "privacy_of_a_draw": "dpbook.langevin.theory.worst_case",
    "propose_test_sample": "dpbook.langevin.mechanisms",
    "release_loss": "dpbook.langevin.theory.release_probability",
    "release_probability": "dpbook.langevin.theory.release_probability",
    "separation": "dpbook.langevin.theory.separation",
    "separation_curve": "dpbook.langevin.theory.separation",
    "sgld": "dpbook.langevin.samplers",
    "smoothing_error": "dpbook.langevin.theory.wasserstein",
    "step_profile": "dpbook.langevin.theory.distinguishability",
    "stopping_step": "dpbook.langevin.theory.chain",
    "theorem_1": "dpbook.langevin.theory.certificate",
    "theorem_2_bound": "dpbook.langevin.theory.wasserstein",
    "two_rate_chain": "dpbook.langevin.samplers",
    "wasserstein_2": "dpbook.langevin.theory.wasserstein",
    "wasserstein_curve": "dpbook.langevin.theory.wasserstein_curves",
    "wasserstein_region": "dpbook.langevin.theory.wasserstein_curves",
    "worst_case_divergence": "dpbook.langevin.theory.worst_case",
}

__getattr__, __dir__ = names(globals(), _HOMES)
