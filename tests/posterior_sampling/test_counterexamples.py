"""The search for small counterexamples: what it finds, confirmed without it."""

from fractions import Fraction

import mpmath
import pytest

from dpbook.posterior_sampling.counterexamples import smallest_counterexample


def exact_posteriors(found):
    """Posterior probabilities of the biased coin, from the tosses themselves."""
    fair, biased = Fraction(1, 2), Fraction(found.odds, found.odds + 1)
    given = []
    for zeros in (0, 1):
        ones = found.tosses - zeros
        likely = found.prior * biased**ones * (1 - biased) ** zeros
        given.append(likely / (likely + (1 - found.prior) * fair**found.tosses))
    return given


def real(fraction):
    return mpmath.mpf(fraction.numerator) / fraction.denominator


def kappa():
    omega = mpmath.findroot(lambda w: mpmath.exp(w) - 2 * w - 1, mpmath.mpf("1.25"))
    return 2 * omega / (1 - mpmath.exp(-omega)) ** 2


@pytest.mark.parametrize(
    ("rates", "tosses"),
    [
        (range(1, 13), 14),
        ([Fraction(1, 2)], 13),
        ([Fraction(1, 3)], 12),
        ([Fraction(1, 20)], 11),
    ],
)
def test_fewest_tosses_for_the_divergence(rates, tosses):
    found = smallest_counterexample("divergence", rates)
    assert found.tosses == tosses
    with mpmath.workdps(40):
        ones, zero = map(real, exact_posteriors(found))
        apart = ones * mpmath.log(ones / zero) + (1 - ones) * mpmath.log((1 - ones) / (1 - zero))
        assert apart > kappa() / real(found.rate)
        assert found.value == pytest.approx(float(apart), rel=1e-12)
    # assumption 2 at the one place where it could fail, the constant ln(odds) of the biased coin
    assert found.prior**found.rate.denominator * found.odds**found.rate.numerator <= 1


def test_fewest_tosses_for_the_total_variation():
    found = smallest_counterexample("total variation")
    assert (found.tosses, found.odds, found.rate) == (28, 71, 4)
    ones, zero = exact_posteriors(found)
    assert 2 * found.rate * (ones - zero) ** 2 > Fraction("4.91082")
    assert found.value == pytest.approx(float(ones - zero), rel=1e-12)


def test_no_pair_of_coins_with_fewer_tosses_in_exact_numbers():
    """Total variation is rational, so a coarse grid of odds is decided with fractions alone."""
    for tosses in range(1, 28):
        for rate in range(3, 8):
            for odds in (*range(2, 120, 3), 200, 1000):
                prior = Fraction(1, odds**rate)
                gain = prior / (1 - prior) * Fraction(2 * odds, odds + 1) ** tosses
                apart = gain / (1 + gain) - gain / (odds + gain)
                assert 2 * rate * apart**2 < Fraction("4.91081")


def test_a_counterexample_shows_itself():
    found = smallest_counterexample()
    assert repr(found) == (
        "CoinCounterexample(divergence, tosses=14, odds=5015, rate=1, value=5.07118, "
        "printed=4.91082)"
    )
    assert "posterior_sampling:theorem-1.ii" in found._repr_html_()
    assert "At 14 tosses it is 5.0712" in found.describe()
    curve = found.plot().lines[0]
    assert curve.get_ydata()[found.tosses - 1] == pytest.approx(found.value, rel=1e-9)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bound": "renyi"}, "bound must be one of divergence, total variation"),
        ({"rates": [0]}, "rates must be integers or fractions > 0, got 0"),
        ({"rates": [0.5]}, "rates must be integers or fractions > 0, got 0.5"),
        ({"most_odds": 1}, "most_odds must be an integer >= 2"),
        ({"most_tosses": 13}, "no counterexample with at most 13 tosses"),
    ],
)
def test_bad_searches_are_refused_in_one_line(arguments, message):
    with pytest.raises(ValueError, match=message):
        smallest_counterexample(**arguments)
