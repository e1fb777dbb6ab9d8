"""The public names of dpbook.unknown_sample_size.models, and where each stands."""

from dpbook.unknown_sample_size.models.base import Model as Model
from dpbook.unknown_sample_size.models.compositions import dirichlet as dirichlet
from dpbook.unknown_sample_size.models.conjugate import bernoulli as bernoulli
from dpbook.unknown_sample_size.models.conjugate import finite as finite
from dpbook.unknown_sample_size.models.conjugate import multinomial as multinomial
from dpbook.unknown_sample_size.models.conjugate import normal_mean as normal_mean
from dpbook.unknown_sample_size.models.regression import LinearRegression as LinearRegression
from dpbook.unknown_sample_size.models.regression import linear_regression as linear_regression
