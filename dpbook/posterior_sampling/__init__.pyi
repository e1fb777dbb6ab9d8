"""The public names of dpbook.posterior_sampling, and where each stands."""

from dpbook.posterior_sampling.counterexamples import (
    smallest_counterexample as smallest_counterexample,
)
from dpbook.posterior_sampling.mechanisms import BudgetSpent as BudgetSpent
from dpbook.posterior_sampling.mechanisms import DrawBudget as DrawBudget
from dpbook.posterior_sampling.mechanisms import FittedSampler as FittedSampler
from dpbook.posterior_sampling.mechanisms import PosteriorSampler as PosteriorSampler
from dpbook.posterior_sampling.models.base import Model as Model
from dpbook.posterior_sampling.models.priors import FiniteDistribution as FiniteDistribution
from dpbook.posterior_sampling.setting import COIN as COIN
from dpbook.posterior_sampling.setting import RATE as RATE
from dpbook.posterior_sampling.setting import Setting as Setting
from dpbook.posterior_sampling.theory.adversaries import AdversaryErrors as AdversaryErrors
from dpbook.posterior_sampling.theory.adversaries import DistinguishingCurve as DistinguishingCurve
from dpbook.posterior_sampling.theory.adversaries import (
    distinguishing_curve as distinguishing_curve,
)
from dpbook.posterior_sampling.theory.adversaries import (
    likelihood_ratio_test as likelihood_ratio_test,
)
from dpbook.posterior_sampling.theory.adversaries import partition_adversary as partition_adversary
from dpbook.posterior_sampling.theory.adversary_bounds import empirical_radius as empirical_radius
from dpbook.posterior_sampling.theory.adversary_bounds import error_bound as error_bound
from dpbook.posterior_sampling.theory.adversary_bounds import (
    relaxed_error_bound as relaxed_error_bound,
)
from dpbook.posterior_sampling.theory.bounds import delta_bound as delta_bound
from dpbook.posterior_sampling.theory.bounds import draw_curve as draw_curve
from dpbook.posterior_sampling.theory.bounds import epsilon_bound as epsilon_bound
from dpbook.posterior_sampling.theory.bounds import (
    relaxed_robustness_bound as relaxed_robustness_bound,
)
from dpbook.posterior_sampling.theory.bounds import (
    relaxed_variation_bound as relaxed_variation_bound,
)
from dpbook.posterior_sampling.theory.bounds import renyi_bound as renyi_bound
from dpbook.posterior_sampling.theory.bounds import robustness_bound as robustness_bound
from dpbook.posterior_sampling.theory.bounds import robustness_curve as robustness_curve
from dpbook.posterior_sampling.theory.bounds import zcdp_bound as zcdp_bound
from dpbook.posterior_sampling.theory.constants import binomial_constant as binomial_constant
from dpbook.posterior_sampling.theory.constants import exponential_constant as exponential_constant
from dpbook.posterior_sampling.theory.constants import laplace_constant as laplace_constant
from dpbook.posterior_sampling.theory.constants import network_constant as network_constant
from dpbook.posterior_sampling.theory.constants import normal_constant as normal_constant
from dpbook.posterior_sampling.theory.constants import product_constant as product_constant
from dpbook.posterior_sampling.theory.lipschitz import LipschitzProfile as LipschitzProfile
from dpbook.posterior_sampling.theory.lipschitz import (
    brute_force_lipschitz as brute_force_lipschitz,
)
from dpbook.posterior_sampling.theory.lipschitz import lipschitz_profile as lipschitz_profile
from dpbook.posterior_sampling.theory.minimax import MinimaxRisk as MinimaxRisk
from dpbook.posterior_sampling.theory.minimax import le_cam_bound as le_cam_bound
from dpbook.posterior_sampling.theory.minimax import minimax_risk as minimax_risk
from dpbook.posterior_sampling.theory.minimax import risk_bound as risk_bound
from dpbook.posterior_sampling.theory.pair import PosteriorPair as PosteriorPair
from dpbook.posterior_sampling.theory.pair import posterior_pair as posterior_pair
from dpbook.posterior_sampling.theory.pair import worst_neighbour as worst_neighbour
from dpbook.posterior_sampling.theory.pair import worst_pair as worst_pair
