"""What all papers share: divergences, privacy curves, accounting, noise and audits.

The claims are those of the literature, each with its own source. `laws` and `divergences` hold laws
and divergences as SymPy objects (`Normal`, `renyi_divergence`): short in a statement, written out
for its proof. `profiles` evaluates them for two laws with numbers, `conversions` goes from one
notion of privacy to another within the range of a claim, `accounting` encloses epsilon and delta,
`noise` and `mechanisms` draw, and `audit` tests what was drawn, on the broken mechanisms of `zoo`
too. Nothing here is for releasing real data: use OpenDP for that.
"""

import sys
from typing import TYPE_CHECKING

from dpbook.lazy import Package, names

if TYPE_CHECKING:
    from dpbook.privacy.accounting import (
        Composition,
        Enclosure,
        NumericalComposition,
        compose,
        compose_numerically,
        gaussian_delta,
        gaussian_epsilon,
    )
    from dpbook.privacy.audit import Audit, audit
    from dpbook.privacy.conversions import (
        Budget,
        compose_advanced,
        compose_basic,
        compose_gaussian,
        compose_zcdp,
        contaminated,
        gaussian_to_dp,
        gaussian_to_zcdp,
        group,
        pure_to_zcdp,
        renyi_to_dp,
        zcdp_to_dp,
    )
    from dpbook.privacy.curves import composition_curve, pair_curve
    from dpbook.privacy.datasets import admissions
    from dpbook.privacy.explorers import profile_explorer
    from dpbook.privacy.laws import (
        Bernoulli,
        Beta,
        Binomial,
        Dirichlet,
        Exponential,
        Finite,
        Gamma,
        Laplace,
        Mixture,
        Normal,
    )
    from dpbook.privacy.mechanisms import (
        clipped_mean,
        counting,
        distance_to_instability,
        exponential_mechanism,
        gaussian_mechanism,
        gaussian_scale,
        laplace_mechanism,
        noisy_sum_and_count,
        posterior_draw,
        private_median,
        propose_test_release,
        randomised_response,
        report_noisy_max,
        sparse_vector,
    )
    from dpbook.privacy.noise import attack, discrete_gaussian, discrete_laplace, reachable
    from dpbook.privacy.profiles import Grid, Profile, profile
    from dpbook.privacy.value import Value
    from dpbook.privacy.zoo import specimen

__all__ = [
    "Audit",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Budget",
    "Composition",
    "Dirichlet",
    "Enclosure",
    "Exponential",
    "Finite",
    "Gamma",
    "Grid",
    "Laplace",
    "Mixture",
    "Normal",
    "NumericalComposition",
    "Profile",
    "Value",
    "admissions",
    "attack",
    "audit",
    "clipped_mean",
    "compose",
    "compose_advanced",
    "compose_basic",
    "compose_gaussian",
    "compose_numerically",
    "compose_zcdp",
    "composition_curve",
    "contaminated",
    "counting",
    "discrete_gaussian",
    "discrete_laplace",
    "distance_to_instability",
    "exponential_mechanism",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mechanism",
    "gaussian_scale",
    "gaussian_to_dp",
    "gaussian_to_zcdp",
    "group",
    "laplace_mechanism",
    "noisy_sum_and_count",
    "pair_curve",
    "posterior_draw",
    "private_median",
    "profile",
    "profile_explorer",
    "propose_test_release",
    "pure_to_zcdp",
    "randomised_response",
    "reachable",
    "renyi_to_dp",
    "report_noisy_max",
    "sparse_vector",
    "specimen",
    "zcdp_to_dp",
]

_HERE = "dpbook.privacy."
_HOMES = {
    **dict.fromkeys(
        [
            "Composition",
            "Enclosure",
            "NumericalComposition",
            "compose",
            "compose_numerically",
            "gaussian_delta",
            "gaussian_epsilon",
        ],
        _HERE + "accounting",
    ),
    **dict.fromkeys(["Audit", "audit"], _HERE + "audit"),
    **dict.fromkeys(
        [
            "Budget",
            "compose_advanced",
            "compose_basic",
            "compose_gaussian",
            "compose_zcdp",
            "contaminated",
            "gaussian_to_dp",
            "gaussian_to_zcdp",
            "group",
            "pure_to_zcdp",
            "renyi_to_dp",
            "zcdp_to_dp",
        ],
        _HERE + "conversions",
    ),
    **dict.fromkeys(["composition_curve", "pair_curve"], _HERE + "curves"),
    **dict.fromkeys(["admissions"], _HERE + "datasets"),
    **dict.fromkeys(["profile_explorer"], _HERE + "explorers"),
    **dict.fromkeys(
        [
            "Bernoulli",
            "Beta",
            "Binomial",
            "Dirichlet",
            "Exponential",
            "Finite",
            "Gamma",
            "Laplace",
            "Mixture",
            "Normal",
        ],
        _HERE + "laws",
    ),
    **dict.fromkeys(
        [
            "clipped_mean",
            "counting",
            "distance_to_instability",
            "exponential_mechanism",
            "gaussian_mechanism",
            "gaussian_scale",
            "laplace_mechanism",
            "noisy_sum_and_count",
            "posterior_draw",
            "private_median",
            "propose_test_release",
            "randomised_response",
            "report_noisy_max",
            "sparse_vector",
        ],
        _HERE + "mechanisms",
    ),
    **dict.fromkeys(
        ["attack", "discrete_gaussian", "discrete_laplace", "reachable"], _HERE + "noise"
    ),
    **dict.fromkeys(["Grid", "Profile", "profile"], _HERE + "profiles"),
    "Value": _HERE + "value",
    **dict.fromkeys(["specimen"], _HERE + "zoo"),
}

sys.modules[__name__].__class__ = Package  # `audit` is the function, whatever was imported before
__getattr__, __dir__ = names(globals(), _HOMES)
