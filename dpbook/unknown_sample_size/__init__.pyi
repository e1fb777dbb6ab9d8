"""The public names of dpbook.unknown_sample_size, and where each stands."""

from dpbook.unknown_sample_size.calibration import Calibration as Calibration
from dpbook.unknown_sample_size.calibration import calibrate as calibrate
from dpbook.unknown_sample_size.cells import sample_cells as sample_cells
from dpbook.unknown_sample_size.enumeration import FiniteModel as FiniteModel
from dpbook.unknown_sample_size.enumeration import exact_counts as exact_counts
from dpbook.unknown_sample_size.enumeration import exact_normal as exact_normal
from dpbook.unknown_sample_size.enumeration import poisson_cell as poisson_cell
from dpbook.unknown_sample_size.estimation import Estimate as Estimate
from dpbook.unknown_sample_size.estimation import abc_posterior as abc_posterior
from dpbook.unknown_sample_size.estimation import (
    expectation_maximisation as expectation_maximisation,
)
from dpbook.unknown_sample_size.estimation import newton_on_scores as newton_on_scores
from dpbook.unknown_sample_size.estimation import parametric_bootstrap as parametric_bootstrap
from dpbook.unknown_sample_size.mechanisms import DiscreteGaussian as DiscreteGaussian
from dpbook.unknown_sample_size.mechanisms import DiscreteLaplace as DiscreteLaplace
from dpbook.unknown_sample_size.mechanisms import Flat as Flat
from dpbook.unknown_sample_size.mechanisms import Gaussian as Gaussian
from dpbook.unknown_sample_size.mechanisms import KNGMean as KNGMean
from dpbook.unknown_sample_size.mechanisms import Known as Known
from dpbook.unknown_sample_size.mechanisms import Laplace as Laplace
from dpbook.unknown_sample_size.mechanisms import Missing as Missing
from dpbook.unknown_sample_size.mechanisms import Poisson as Poisson
from dpbook.unknown_sample_size.mechanisms import Uniform as Uniform
from dpbook.unknown_sample_size.problem import Release as Release
from dpbook.unknown_sample_size.samplers import Chain as Chain
from dpbook.unknown_sample_size.samplers import Chains as Chains
from dpbook.unknown_sample_size.samplers import sample as sample
from dpbook.unknown_sample_size.setting import Setting as Setting
from dpbook.unknown_sample_size.surrogate import TABLE_1 as TABLE_1
from dpbook.unknown_sample_size.surrogate import RegressionChain as RegressionChain
from dpbook.unknown_sample_size.surrogate import regression_setting as regression_setting
from dpbook.unknown_sample_size.surrogate import sample_regression as sample_regression
from dpbook.unknown_sample_size.time_use import FIGURE_1 as FIGURE_1
from dpbook.unknown_sample_size.time_use import SumsChain as SumsChain
from dpbook.unknown_sample_size.time_use import load_time_use as load_time_use
from dpbook.unknown_sample_size.time_use import sample_sums as sample_sums
from dpbook.unknown_sample_size.time_use import time_use_setting as time_use_setting
