"""The public names of accounting, and where each stands."""

from dpbook.privacy.accounting.calibration import calibrate as calibrate
from dpbook.privacy.accounting.composition import Composition as Composition
from dpbook.privacy.accounting.composition import compose as compose
from dpbook.privacy.accounting.enclosure import Enclosure as Enclosure
from dpbook.privacy.accounting.gaussian import gaussian_delta as gaussian_delta
from dpbook.privacy.accounting.gaussian import gaussian_epsilon as gaussian_epsilon
from dpbook.privacy.accounting.outputs import BoundedRange as BoundedRange
from dpbook.privacy.accounting.outputs import Pair as Pair
from dpbook.privacy.accounting.outputs import TreeAggregation as TreeAggregation
from dpbook.privacy.accounting.subsampling import PoissonSampled as PoissonSampled
from dpbook.privacy.accounting.subsampling import WithoutReplacement as WithoutReplacement
