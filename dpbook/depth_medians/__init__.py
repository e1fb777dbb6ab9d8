"""A private median of points: a paper's claims, decided, and its mechanism, to run.

A point lies out by the largest standardised distance of its projections from their median
(`outlyingness`); the point that lies out least is the projection-depth median
(`Outlyingness.minimum`). It is made private by propose-test-release: a test whether the data are
safe, then a draw that prefers points which lie out little (`Setting.release`). `Setting` holds the
parameters; its mode says whether the test is the printed one, which is not private, or one that is.
`audits` attacks both, `theory` holds the formulas, `competitors` the other estimates of Figure 1.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.depth_medians.audits import (
        PRINTED_LEAK,
        divergence_on_line,
        enumerate_samples,
        langevin_laws,
        leaking_pair,
        normal_scores,
        search_for_jumps,
    )
    from dpbook.depth_medians.competitors import SmoothedDepth, coinpress_mean
    from dpbook.depth_medians.mechanisms import FIGURE_1, Release, Safety, Setting
    from dpbook.depth_medians.models import dataset
    from dpbook.depth_medians.projections import (
        MedianIQR,
        MedianMAD,
        MedianOfMeans,
        Outlyingness,
        Trimmed,
        exact_directions,
        outlyingness,
        outlyingness_of,
        projection_depth,
        random_directions,
        refined_directions,
    )
    from dpbook.depth_medians.samplers import Draws, ExponentialMechanism, elliptical_draws
    from dpbook.depth_medians.theory import (
        GammaCut,
        cauchy_constants,
        deviation_bound,
        deviation_on_data,
        failure_bound,
        gaussian_constants,
        largest_minimum,
        least_delta,
        least_margin,
        pass_probability,
        shell_mass,
        threshold,
    )

_HOMES = {
    "Draws": "dpbook.depth_medians.samplers",
    "ExponentialMechanism": "dpbook.depth_medians.samplers",
    "FIGURE_1": "dpbook.depth_medians.mechanisms",
    "GammaCut": "dpbook.depth_medians.theory",
    "MedianIQR": "dpbook.depth_medians.projections",
    "MedianMAD": "dpbook.depth_medians.projections",
    "MedianOfMeans": "dpbook.depth_medians.projections",
    "Outlyingness": "dpbook.depth_medians.projections",
    "PRINTED_LEAK": "dpbook.depth_medians.audits",
    "Release": "dpbook.depth_medians.mechanisms",
    "Safety": "dpbook.depth_medians.mechanisms",
    "Setting": "dpbook.depth_medians.mechanisms",
    "SmoothedDepth": "dpbook.depth_medians.competitors",
    "Trimmed": "dpbook.depth_medians.projections",
    "cauchy_constants": "dpbook.depth_medians.theory",
    "coinpress_mean": "dpbook.depth_medians.competitors",
    "dataset": "dpbook.depth_medians.models",
    "deviation_bound": "dpbook.depth_medians.theory",
    "deviation_on_data": "dpbook.depth_medians.theory",
    "divergence_on_line": "dpbook.depth_medians.audits",
    "elliptical_draws": "dpbook.depth_medians.samplers",
    "enumerate_samples": "dpbook.depth_medians.audits",
    "exact_directions": "dpbook.depth_medians.projections",
    "failure_bound": "dpbook.depth_medians.theory",
    "gaussian_constants": "dpbook.depth_medians.theory",
    "langevin_laws": "dpbook.depth_medians.audits",
    "largest_minimum": "dpbook.depth_medians.theory",
    "leaking_pair": "dpbook.depth_medians.audits",
    "least_delta": "dpbook.depth_medians.theory",
    "least_margin": "dpbook.depth_medians.theory",
    "normal_scores": "dpbook.depth_medians.audits",
    "outlyingness": "dpbook.depth_medians.projections",
    "outlyingness_of": "dpbook.depth_medians.projections",
    "pass_probability": "dpbook.depth_medians.theory",
    "projection_depth": "dpbook.depth_medians.projections",
    "random_directions": "dpbook.depth_medians.projections",
    "refined_directions": "dpbook.depth_medians.projections",
    "search_for_jumps": "dpbook.depth_medians.audits",
    "shell_mass": "dpbook.depth_medians.theory",
    "threshold": "dpbook.depth_medians.theory",
}

__all__ = [
    "Draws",
    "ExponentialMechanism",
    "FIGURE_1",
    "GammaCut",
    "MedianIQR",
    "MedianMAD",
    "MedianOfMeans",
    "Outlyingness",
    "PRINTED_LEAK",
    "Release",
    "Safety",
    "Setting",
    "SmoothedDepth",
    "Trimmed",
    "cauchy_constants",
    "coinpress_mean",
    "dataset",
    "deviation_bound",
    "deviation_on_data",
    "divergence_on_line",
    "elliptical_draws",
    "enumerate_samples",
    "exact_directions",
    "failure_bound",
    "gaussian_constants",
    "langevin_laws",
    "largest_minimum",
    "leaking_pair",
    "least_delta",
    "least_margin",
    "normal_scores",
    "outlyingness",
    "outlyingness_of",
    "pass_probability",
    "projection_depth",
    "random_directions",
    "refined_directions",
    "search_for_jumps",
    "shell_mass",
    "threshold",
]

__getattr__, __dir__ = names(globals(), _HOMES)
