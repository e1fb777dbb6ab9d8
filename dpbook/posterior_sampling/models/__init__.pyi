"""The public names of dpbook.posterior_sampling.models, and where each stands."""

from dpbook.posterior_sampling.models.base import Model as Model
from dpbook.posterior_sampling.models.cells import BayesianNetwork as BayesianNetwork
from dpbook.posterior_sampling.models.cells import Categorical as Categorical
from dpbook.posterior_sampling.models.cells import FiniteModel as FiniteModel
from dpbook.posterior_sampling.models.normal import NormalBoth as NormalBoth
from dpbook.posterior_sampling.models.normal import NormalKnownMean as NormalKnownMean
from dpbook.posterior_sampling.models.normal import NormalKnownVariance as NormalKnownVariance
from dpbook.posterior_sampling.models.normal import NormalVariance as NormalVariance
from dpbook.posterior_sampling.models.priors import FiniteDistribution as FiniteDistribution
from dpbook.posterior_sampling.models.priors import Independent as Independent
from dpbook.posterior_sampling.models.priors import NormalGamma as NormalGamma
from dpbook.posterior_sampling.models.priors import Restricted as Restricted
from dpbook.posterior_sampling.models.priors import draws as draws
from dpbook.posterior_sampling.models.scalar import Beta as Beta
from dpbook.posterior_sampling.models.scalar import Exponential as Exponential
from dpbook.posterior_sampling.models.scalar import Geometric as Geometric
from dpbook.posterior_sampling.models.scalar import LaplaceBoth as LaplaceBoth
from dpbook.posterior_sampling.models.scalar import LaplaceKnownLocation as LaplaceKnownLocation
from dpbook.posterior_sampling.models.scalar import LaplaceKnownScale as LaplaceKnownScale
from dpbook.posterior_sampling.models.scalar import Poisson as Poisson
from dpbook.posterior_sampling.models.successes import Bernoulli as Bernoulli
from dpbook.posterior_sampling.models.successes import Binomial as Binomial
