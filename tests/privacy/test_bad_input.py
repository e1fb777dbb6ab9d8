"""Bad input of every kind to the public functions of the topic: one line with the name, never nonsense or a library's error."""

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from dpbook import privacy
from dpbook.privacy import (
    Bernoulli,
    BoundedRange,
    ClippedMean,
    Counting,
    ExponentialMechanism,
    Finite,
    GaussianMechanism,
    Laplace,
    LaplaceMechanism,
    Mixture,
    NoisyDescent,
    NoisySumAndCount,
    Normal,
    PoissonSampled,
    PosteriorDraw,
    PrivateMedian,
    ProposeTestRelease,
    RandomisedResponse,
    ReportNoisyMax,
    SparseVector,
    TreeAggregation,
    compose,
    profile,
)
from dpbook.privacy import noise as N
from dpbook.privacy.distributions import DiscreteGaussian, TruthOrNot, TwoSidedGeometric
from dpbook.privacy.mechanisms import distance_to_instability

NUMBERS = {
    "nan": math.nan,
    "inf": math.inf,
    "minus": -1.0,
    "text": "1",
    "bytes": b"1",
    "none": None,
    "true": True,
    "complex": 1j,
    "list": [1.0, 2.0],
    "object": object(),
}
OF_ONE_NUMBER = {
    "gaussian_delta epsilon": (lambda x: privacy.gaussian_delta(x, 1), "epsilon"),
    "gaussian_delta sigma": (lambda x: privacy.gaussian_delta(1, x), "sigma"),
    "gaussian_delta sensitivity": (lambda x: privacy.gaussian_delta(1, 1, x), "sensitivity"),
    "gaussian_epsilon delta": (lambda x: privacy.gaussian_epsilon(x, 1), "delta"),
    "gaussian_epsilon sigma": (lambda x: privacy.gaussian_epsilon(0.1, x), "sigma"),
    "gaussian_scale epsilon": (lambda x: privacy.gaussian_scale(x, 0.1), "epsilon"),
    "gaussian_scale delta": (lambda x: privacy.gaussian_scale(1, x), "delta"),
    "gaussian_scale sensitivity": (lambda x: privacy.gaussian_scale(1, 0.1, x), "sensitivity"),
    "compose sensitivity": (lambda x: compose(Normal(0, 1), sensitivity=x), "sensitivity"),
    "epsilon of a composition": (lambda x: compose(Laplace(0, 1)).epsilon(x), "delta"),
    "delta of a composition": (lambda x: compose(Laplace(0, 1)).delta(x), "epsilon"),
    "order of a composition": (lambda x: compose(Laplace(0, 1)).renyi(x), "order"),
    "rate of a sample": (lambda x: PoissonSampled(Normal(0, 1), x), "rate"),
    "bounded range": (BoundedRange, "epsilon"),
    "zcdp_to_dp rho": (lambda x: privacy.zcdp_to_dp(x, 0.1), "rho"),
    "zcdp_to_dp delta": (lambda x: privacy.zcdp_to_dp(1, x), "delta"),
    "gaussian_to_dp mu": (lambda x: privacy.gaussian_to_dp(x, 0.1), "mu"),
    "gaussian_to_zcdp mu": (privacy.gaussian_to_zcdp, "mu"),
    "pure_to_zcdp epsilon": (privacy.pure_to_zcdp, "epsilon"),
    "LaplaceMechanism sensitivity": (lambda x: LaplaceMechanism(len, x, 1), "sensitivity"),
    "LaplaceMechanism epsilon": (lambda x: LaplaceMechanism(len, 1, x), "epsilon"),
    "GaussianMechanism delta": (lambda x: GaussianMechanism(len, 1, 1, x), "delta"),
    "Counting epsilon": (lambda x: Counting(bool, x), "epsilon"),
    "RandomisedResponse epsilon": (RandomisedResponse, "epsilon"),
    "ExponentialMechanism epsilon": (lambda x: ExponentialMechanism(len, [1], 1, x), "epsilon"),
    "ReportNoisyMax epsilon": (lambda x: ReportNoisyMax(len, 1, x), "epsilon"),
    "SparseVector epsilon": (lambda x: SparseVector(len, 0, x), "epsilon"),
    "PrivateMedian epsilon": (lambda x: PrivateMedian(0, 1, x), "epsilon"),
    "ProposeTestRelease bound": (lambda x: ProposeTestRelease(x, 1, 0.1), "bound"),
    "ClippedMean epsilon": (lambda x: ClippedMean(0, 1, x), "epsilon"),
    "NoisySumAndCount epsilon": (lambda x: NoisySumAndCount(0, 1, x), "epsilon"),
    "PosteriorDraw epsilon": (lambda x: PosteriorDraw([0.2, 0.5], x), "epsilon"),
    "laplace scale": (lambda x: N.laplace(x, 3), "scale"),
    "gaussian sd": (lambda x: N.gaussian(x, 3), "sd"),
    "discrete_laplace scale": (lambda x: N.discrete_laplace(x, 3), "scale"),
    "discrete_gaussian sd": (lambda x: N.discrete_gaussian(x, 3), "sd"),
    "discrete_laplace size": (lambda x: N.discrete_laplace(1, x), "size"),
    "discrete_gaussian size": (lambda x: N.discrete_gaussian(1, x), "size"),
    "laplace size": (lambda x: N.laplace(1, x), "size"),
    "naive_laplace scale": (lambda x: N.naive_laplace(1, x, 3), "scale"),
    "reachable scale": (lambda x: N.reachable([1.0], 0, x), "scale"),
}


@pytest.mark.parametrize("bad", NUMBERS.values(), ids=NUMBERS.keys())
@pytest.mark.parametrize(("call", "name"), OF_ONE_NUMBER.values(), ids=OF_ONE_NUMBER.keys())
def test_a_bad_number_is_refused_by_name(call, name, bad):
    with pytest.raises(ValueError, match=name) as caught:
        call(bad)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300


ARRAYS = {
    "nan": [math.nan, 0.0],
    "complex": np.array([1j, 0.0]),
    "text": ["1", "2"],
    "text as objects": np.array(["1", "0"], dtype=object),
    "masked": np.ma.array([1.0, 0.0], mask=[0, 1]),
    "ragged": [[1.0, 2.0], [3.0]],
    "objects": [object(), object()],
}
OF_AN_ARRAY = {
    "delta of a pair": lambda x: profile(Normal(0, 1), Normal(1, 1)).delta(x),
    "epsilon of a pair": lambda x: profile(Normal(0, 1), Normal(1, 1)).epsilon(x),
    "order of a pair": lambda x: profile(Normal(0, 1), Normal(1, 1)).renyi(x),
    "distance_to_instability": lambda x: distance_to_instability(x, 1.0),
    "RandomisedResponse": lambda x: RandomisedResponse(1.0)(x, 1, np.random.default_rng(1)),
    "ProposeTestRelease": lambda x: ProposeTestRelease(1, 1, 0.1)(x, 1, np.random.default_rng(1)),
    "PosteriorDraw": lambda x: PosteriorDraw([0.2, 0.5], 1)(x, 1, np.random.default_rng(1)),
    "answers of LaplaceMechanism": lambda x: LaplaceMechanism(lambda _: x, 1, 1)(
        [], 1, np.random.default_rng(1)
    ),
    "answers of GaussianMechanism": lambda x: GaussianMechanism(lambda _: x, 1, 1, 0.1)(
        [], 1, np.random.default_rng(1)
    ),
    "scores of ExponentialMechanism": lambda x: ExponentialMechanism(lambda _: x, [1, 2], 1, 1)(
        [], 1, np.random.default_rng(1)
    ),
    "answers of ReportNoisyMax": lambda x: ReportNoisyMax(lambda _: x, 1, 1)(
        [], 1, np.random.default_rng(1)
    ),
    "answers of SparseVector": lambda x: SparseVector(lambda _: x, 1, 1)(
        [], 1, np.random.default_rng(1)
    ),
}


@pytest.mark.parametrize("bad", ARRAYS.values(), ids=ARRAYS.keys())
@pytest.mark.parametrize("call", OF_AN_ARRAY.values(), ids=OF_AN_ARRAY.keys())
def test_a_bad_array_is_refused_in_a_line(call, bad):
    with pytest.raises(ValueError, match=" must be ") as caught:
        call(bad)
    assert "\n" not in str(caught.value)


CLIPPED = [PrivateMedian(0, 1, 1), ClippedMean(0, 1, 1), NoisySumAndCount(0, 1, 1)]


@pytest.mark.parametrize("mechanism", CLIPPED, ids=lambda one: type(one).__name__)
def test_a_record_that_is_nan_is_the_lower_end(mechanism):
    first, other = (
        mechanism(data, 20, np.random.default_rng(1))
        for data in ([math.nan, 1, 0.5, math.inf], [0, 1, 0.5, 1])
    )
    assert np.array_equal(first, other)
    assert np.isfinite(first).all()


@pytest.mark.parametrize("mechanism", CLIPPED, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("kind", [kind for kind in ARRAYS if kind != "nan"])
def test_records_that_are_no_numbers_are_refused(mechanism, kind):
    with pytest.raises(ValueError, match="records must be real numbers"):
        mechanism(ARRAYS[kind], 1, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: LaplaceMechanism(3, 1, 1), "query must be a function of the dataset, got 3"),
        (lambda: GaussianMechanism(3, 1, 1, 0.1), "query must be a function"),
        (lambda: Counting(3, 1), "predicate must be a function"),
        (lambda: ExponentialMechanism(3, [1], 1, 1), "score must be a function"),
        (lambda: ReportNoisyMax(3, 1, 1), "queries must be a function"),
        (lambda: SparseVector(3, 1, 1), "queries must be a function"),
        (lambda: SparseVector(len, math.nan, 1), "threshold must be finite, got nan"),
        (lambda: ClippedMean(-1e308, 1e308, 1), "high - low must be finite"),
        (lambda: ClippedMean(0, 10, 1.0)([], 3, None), "records must not be empty"),
        (lambda: ClippedMean(0, 10, 1.0)([1], -1, None), "size must be an integer >= 0, got -1"),
        (lambda: ClippedMean(0, 10, 1.0)([1], 1, 7), "rng must be a numpy.random.Generator"),
        (lambda: RandomisedResponse(1.0)([0, 1, 7, -1], 1, None), "records must be integers from 0 to 1"),
        (lambda: RandomisedResponse(1.0)([0.5, 0.9], 1, None), "records must be integers from 0 to 1"),
        (lambda: N.discrete_laplace(1, (2, "a")), "size must be an integer >= 0, got 'a'"),
        (lambda: compose("Normal", 3), "compose has no method for 'Normal'"),
        (lambda: compose(3), "compose has no method for 3"),
        (lambda: compose([[Normal(0, 1)]]), "compose has no method for"),
    ],
)  # fmt: skip
def test_other_bad_input_is_refused_by_name(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_epsilon_at_delta_0_is_the_largest_log_ratio():
    assert profile(Bernoulli(0.75), Bernoulli(0.25)).epsilon(0) == pytest.approx(math.log(3))
    assert profile(Normal(0, 1), Normal(1, 1)).epsilon(0) == math.inf


def test_numbers_of_other_kinds_are_read():
    records = [Fraction(1, 2), np.float32(0.25), 1]
    drawn = ClippedMean(0, 1, 1)(records, 2, np.random.default_rng(1))
    assert np.array_equal(drawn, ClippedMean(0, 1, 1)([0.5, 0.25, 1], 2, np.random.default_rng(1)))


RUN = compose(PoissonSampled(Normal(0, 1), 0.1), 10)
MASKED = np.ma.array([0.01, 1.0], mask=[True, False])


def _noisy(noise):
    return compose(PoissonSampled(Normal(0, noise), 0.01), 1000)


ONE_LINE = {
    "masked divergences": (lambda: privacy.renyi_to_dp(MASKED, [40, 4], 1e-5), "divergence"),
    "text for a divergence": (lambda: privacy.renyi_to_dp("0.5", 2, 1e-5), "divergence"),
    "a date for a divergence": (
        lambda: privacy.renyi_to_dp(np.datetime64("2020-01-01"), 2, 1e-5),
        "divergence",
    ),
    "truth for an order": (lambda: privacy.renyi_to_dp(0.5, True, 1e-5), "order"),
    "masked draws": (
        lambda: privacy.audit(
            lambda d, s, r: np.ma.masked_array(r.normal(size=s), mask=True), [0], [1]
        ),
        "masked entries",
    ),
    "a masked mean": (lambda: Normal(np.ma.masked, 1), "mean"),
    "a masked rho": (lambda: privacy.zcdp_to_dp(np.ma.masked, 1e-5), "rho"),
    "a symbol for the first weight": (
        lambda: compose(Mixture([Normal(0, 1), Normal(1, 1)], [sympy.Symbol("x"), 0.01])),
        "weight",
    ),
    "a huge epsilon": (lambda: RUN.delta(10**400), "epsilon must be at most 1e300"),
    "a huge order": (lambda: RUN.renyi(10**400), "order"),
    "a huge epsilon in a list": (lambda: RUN.profile([10**400]), "epsilons"),
    "a tiny rate": (lambda: PoissonSampled(Normal(0, 1), 5e-324), "rate"),
    "a huge standard deviation": (lambda: compose(DiscreteGaussian(0, 1e308)), "sd"),
    "a tiny standard deviation": (
        lambda: compose(PoissonSampled(Normal(0, 1e-300), 0.1)),
        "sd",
    ),
    "a huge rate": (lambda: compose(TwoSidedGeometric(0, 1e308)), "rate"),
    "many answers": (lambda: compose(TruthOrNot(0, 10**400, 1)), "last"),
    "many leaves": (lambda: TreeAggregation(Normal(0, 1), 10**400), "leaves"),
    "one number for weights": (lambda: Mixture([Normal(0, 1), Normal(1, 1)], 0.5), "weights"),
    "no list of parts": (lambda: Mixture(np.array(0.5)), "distributions"),
    "no list of probabilities": (lambda: Finite(np.array(0.5)), "probabilities"),
    "no list of epsilons": (lambda: RUN.profile(np.array(0.5)), "epsilons"),
    "bytes for epsilons": (lambda: RUN.profile(b"12"), "epsilons"),
    "a set of epsilons": (lambda: RUN.profile({1}), "epsilons"),
    "an entry that is a list": (lambda: RUN.profile([[0, 0.1]]), "each of epsilons"),
    "no list of losses": (lambda: privacy.compose_zcdp(np.array(0.5)), "losses"),
    "bytes for losses": (lambda: privacy.compose_zcdp(b"1"), "losses"),
    "a set of losses": (lambda: privacy.compose_zcdp({0.5}), "losses"),
    "a set of distances": (lambda: privacy.compose_gaussian({0.5, 1}), "distances"),
    "a mapping of budgets": (lambda: privacy.compose_basic({}), "budgets"),
    "bytes for times": (lambda: compose(Laplace(0, 2), b"2"), "times"),
    "a set of times": (lambda: compose(Laplace(0, 2), {1}), "times"),
    "no last answer": (lambda: TruthOrNot(0, None, 1), "last"),
    "a truth beyond the last": (lambda: TruthOrNot(3, 2, 1), "truth"),
    "a function for an epsilon": (lambda: TruthOrNot(0, 1, lambda x: x), "epsilon"),
    "text for an epsilon": (lambda: TruthOrNot(0, 1, "0.5"), "epsilon"),
    "noise around no integer": (lambda: DiscreteGaussian(0.5, 3), "center"),
    "noise without an end": (lambda: Normal(0, math.inf), "sd must be > 0 and finite"),
    "a class": (lambda: compose(SparseVector), "the class SparseVector"),
    "a composition": (lambda: compose([RUN]), "a list of all its releases"),
    "a training": (lambda: compose(NoisyDescent(1, 0.1, 2, 1e-3)), "composition"),
    "a function of nothing": (
        lambda: privacy.calibrate(lambda: 1, 2, 1e-5, between=(0.5, 5)),
        "make",
    ),
    "steps that are no integer": (
        lambda: privacy.calibrate(lambda n: compose(Normal(0, 50), n), 2, 1e-5, between=(1, 10**4)),
        "whole=True",
    ),
    "an end that is too small": (
        lambda: privacy.calibrate(_noisy, 2, 1e-5, between=(1e-300, 5)),
        "sd",
    ),
}


@pytest.mark.parametrize(("call", "words"), ONE_LINE.values(), ids=ONE_LINE)
@pytest.mark.filterwarnings("error")
def test_what_cannot_be_used_is_one_line(call, words):
    with pytest.raises(ValueError, match=re.escape(words)) as found:
        call()
    message = str(found.value)
    assert "\n" not in message
    assert len(message) < 420


def test_numbers_of_32_bits_and_decimals_are_read():
    half = privacy.gaussian_scale(1, 1e-5, 0.5)
    assert privacy.gaussian_scale(1, 1e-5, np.float32(0.5)) == half
    assert privacy.gaussian_scale(Decimal(1), 1e-5, np.float16(0.5)) == half
