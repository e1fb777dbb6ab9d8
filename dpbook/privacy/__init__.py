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
        ClippedMean,
        Counting,
        ExponentialMechanism,
        GaussianMechanism,
        LaplaceMechanism,
        NoisySumAndCount,
        PosteriorDraw,
        PrivateMedian,
        ProposeTestRelease,
        RandomisedResponse,
        ReportNoisyMax,
        SparseVector,
        distance_to_instability,
        gaussian_scale,
    )
    from dpbook.privacy.noise import attack, discrete_gaussian, discrete_laplace, reachable
    from dpbook.privacy.profiles import Grid, Profile, profile
    from dpbook.privacy.spending import Accounting
    from dpbook.privacy.value import Value
    from dpbook.privacy.zoo import specimen

__all__ = [
    "Accounting",
    "Audit",
    "Bernoulli",
    "Beta",
    "Binomial",
    "Budget",
    "ClippedMean",
    "Composition",
    "Counting",
    "Dirichlet",
    "Enclosure",
    "Exponential",
    "ExponentialMechanism",
    "Finite",
    "Gamma",
    "GaussianMechanism",
    "Grid",
    "Laplace",
    "LaplaceMechanism",
    "Mixture",
    "NoisySumAndCount",
    "Normal",
    "NumericalComposition",
    "PosteriorDraw",
    "PrivateMedian",
    "Profile",
    "ProposeTestRelease",
    "RandomisedResponse",
    "ReportNoisyMax",
    "SparseVector",
    "Value",
    "admissions",
    "attack",
    "audit",
    "compose",
    "compose_advanced",
    "compose_basic",
    "compose_gaussian",
    "compose_numerically",
    "compose_zcdp",
    "composition_curve",
    "contaminated",
    "discrete_gaussian",
    "discrete_laplace",
    "distance_to_instability",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_scale",
    "gaussian_to_dp",
    "gaussian_to_zcdp",
    "group",
    "pair_curve",
    "profile",
    "profile_explorer",
    "pure_to_zcdp",
    "reachable",
    "renyi_to_dp",
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
            "ClippedMean",
            "Counting",
            "distance_to_instability",
            "ExponentialMechanism",
            "GaussianMechanism",
            "gaussian_scale",
            "LaplaceMechanism",
            "NoisySumAndCount",
            "PosteriorDraw",
            "PrivateMedian",
            "ProposeTestRelease",
            "RandomisedResponse",
            "ReportNoisyMax",
            "SparseVector",
        ],
        _HERE + "mechanisms",
    ),
    **dict.fromkeys(
        ["attack", "discrete_gaussian", "discrete_laplace", "reachable"], _HERE + "noise"
    ),
    **dict.fromkeys(["Grid", "Profile", "profile"], _HERE + "profiles"),
    "Accounting": _HERE + "spending",
    "Value": _HERE + "value",
    **dict.fromkeys(["specimen"], _HERE + "zoo"),
}

sys.modules[__name__].__class__ = Package  # `audit` is the function, whatever was imported before
__getattr__, __dir__ = names(globals(), _HOMES)
