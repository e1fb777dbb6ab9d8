"""Is one posterior draw private by itself? A paper's claims, decided, and its formulas, to run.

The paper answers queries with a parameter drawn from the posterior and asks which priors make that
private. Where the log likelihood is Lipschitz for every parameter, each draw is (assumption 1);
where it is so only with a high prior probability, less follows than the paper says (assumption 2).
Its symbols stand in `notation`, what it says, section by section, in `claims`; `counterexamples`
finds small models that break the printed bounds under assumption 2.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.posterior_sampling.counterexamples import smallest_counterexample
    from dpbook.posterior_sampling.mechanisms import (
        BudgetSpent,
        DrawBudget,
        FittedSampler,
        PosteriorSampler,
    )
    from dpbook.posterior_sampling.models.base import Model
    from dpbook.posterior_sampling.models.priors import FiniteLaw
    from dpbook.posterior_sampling.theory.adversaries import (
        AdversaryErrors,
        DistinguishingCurve,
        distinguishing_curve,
        likelihood_ratio_test,
        partition_adversary,
    )
    from dpbook.posterior_sampling.theory.adversary_bounds import (
        empirical_radius,
        error_bound,
        relaxed_error_bound,
    )
    from dpbook.posterior_sampling.theory.bounds import (
        delta_bound,
        draw_curve,
        epsilon_bound,
        relaxed_robustness_bound,
        relaxed_variation_bound,
        renyi_bound,
        robustness_bound,
        robustness_curve,
        zcdp_bound,
    )
    from dpbook.posterior_sampling.theory.constants import (
        binomial_constant,
        exponential_constant,
        laplace_constant,
        network_constant,
        normal_constant,
        product_constant,
    )
    from dpbook.posterior_sampling.theory.lipschitz import (
        LipschitzProfile,
        brute_force_lipschitz,
        lipschitz_profile,
    )
    from dpbook.posterior_sampling.theory.minimax import (
        MinimaxRisk,
        le_cam_bound,
        minimax_risk,
        risk_bound,
    )
    from dpbook.posterior_sampling.theory.pair import (
        PosteriorPair,
        posterior_pair,
        worst_neighbour,
        worst_pair,
    )

__all__ = [
    "AdversaryErrors",
    "BudgetSpent",
    "DistinguishingCurve",
    "DrawBudget",
    "FiniteLaw",
    "FittedSampler",
    "LipschitzProfile",
    "MinimaxRisk",
    "Model",
    "PosteriorPair",
    "PosteriorSampler",
    "binomial_constant",
    "brute_force_lipschitz",
    "delta_bound",
    "distinguishing_curve",
    "draw_curve",
    "empirical_radius",
    "epsilon_bound",
    "error_bound",
    "exponential_constant",
    "laplace_constant",
    "le_cam_bound",
    "likelihood_ratio_test",
    "lipschitz_profile",
    "minimax_risk",
    "network_constant",
    "normal_constant",
    "partition_adversary",
    "posterior_pair",
    "product_constant",
    "relaxed_error_bound",
    "relaxed_robustness_bound",
    "relaxed_variation_bound",
    "renyi_bound",
    "risk_bound",
    "robustness_bound",
    "robustness_curve",
    "smallest_counterexample",
    "worst_neighbour",
    "worst_pair",
    "zcdp_bound",
]

_HERE = "dpbook.posterior_sampling."
_HOMES = {
    "smallest_counterexample": "dpbook.posterior_sampling.counterexamples",
    **dict.fromkeys(
        ["BudgetSpent", "DrawBudget", "FittedSampler", "PosteriorSampler"], _HERE + "mechanisms"
    ),
    "Model": _HERE + "models.base",
    "FiniteLaw": _HERE + "models.priors",
    **dict.fromkeys(
        [
            *("AdversaryErrors", "DistinguishingCurve", "distinguishing_curve"),
            *("likelihood_ratio_test", "partition_adversary"),
        ],
        _HERE + "theory.adversaries",
    ),
    **dict.fromkeys(
        ["empirical_radius", "error_bound", "relaxed_error_bound"],
        _HERE + "theory.adversary_bounds",
    ),
    **dict.fromkeys(
        [
            *("delta_bound", "draw_curve", "epsilon_bound", "robustness_bound"),
            *("relaxed_robustness_bound", "relaxed_variation_bound"),
            *("renyi_bound", "robustness_curve", "zcdp_bound"),
        ],
        _HERE + "theory.bounds",
    ),
    **dict.fromkeys(
        [
            *("binomial_constant", "exponential_constant", "laplace_constant"),
            *("network_constant", "normal_constant", "product_constant"),
        ],
        _HERE + "theory.constants",
    ),
    **dict.fromkeys(
        ["LipschitzProfile", "brute_force_lipschitz", "lipschitz_profile"],
        _HERE + "theory.lipschitz",
    ),
    **dict.fromkeys(
        ["MinimaxRisk", "le_cam_bound", "minimax_risk", "risk_bound"],
        _HERE + "theory.minimax",
    ),
    **dict.fromkeys(
        ["PosteriorPair", "posterior_pair", "worst_neighbour", "worst_pair"], _HERE + "theory.pair"
    ),
}

__getattr__, __dir__ = names(globals(), _HOMES)
