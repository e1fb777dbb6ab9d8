"""Bad input of every kind to the public functions of the topic: one line with the name, never nonsense or a library's error."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dpbook import privacy
from dpbook.privacy import (
    Bernoulli,
    BoundedRange,
    ClippedMean,
    Counting,
    ExponentialMechanism,
    GaussianMechanism,
    Laplace,
    LaplaceMechanism,
    NoisySumAndCount,
    Normal,
    PoissonSampled,
    PosteriorDraw,
    PrivateMedian,
    ProposeTestRelease,
    RandomisedResponse,
    ReportNoisyMax,
    SparseVector,
    compose,
    profile,
)
from dpbook.privacy import noise as N
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
