"""The accountant: its intervals hold the truth, found here by other means, and are as narrow as said."""

import math
import random
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import acb, arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbook.privacy.accounting import (
    Enclosure,
    compose,
    gaussian_delta,
    gaussian_epsilon,
)
from dpbook.privacy.accounting.doubles import exp_of_minus, sum_in_pairs, turns
from dpbook.privacy.accounting.enclosure import round_down, round_up
from dpbook.privacy.accounting.ends import DEGREES, Ends
from dpbook.privacy.accounting.line import Line, Releases, Smoothed
from dpbook.privacy.accounting.losses import LaplaceLoss, _variance
from dpbook.privacy.accounting.residues import Residues
from dpbook.privacy.distributions import Exponential, Laplace, Normal


def adjacent(found):
    return found.lower <= found.upper <= math.nextafter(found.lower, math.inf)


def normal_delta(epsilon, mu):
    """Delta by the densities: the integral of (p - e^epsilon q)+ over its half-line, by Arb's quadrature."""
    edge = epsilon / mu + mu / 2  # p > e^epsilon q beyond it, for p = N(mu, 1), q = N(0, 1)

    def excess(x, analytic):
        return (-((x - mu) ** 2) / 2).exp() - acb(epsilon).exp() * (-x * x / 2).exp()

    reach = edge + 40
    value = acb.integral(excess, acb(edge), acb(reach)).real / (2 * arb.pi()).sqrt()
    return value + arb(0, 1) * ((mu - reach) ** 2 / -2).exp()


# Gaussian


@pytest.mark.parametrize("mu", [0.25, 0.7, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.3, 2.0])
def test_gaussian_delta_holds_the_integral_of_the_densities(epsilon, mu):
    found = gaussian_delta(epsilon, 1, mu)
    with ctx.workprec(120):
        truth = normal_delta(arb(epsilon), arb(mu))
        assert truth.rad() < 1e-25
        assert arb(found.lower) <= truth <= arb(found.upper)
    assert adjacent(found)


def test_gaussian_epsilon_is_adjacent_doubles_around_the_root():
    rng = random.Random(1)
    for _ in range(150):
        sigma, delta = 10 ** rng.uniform(-6, 6), 10 ** rng.uniform(-300, -0.01)
        found = gaussian_epsilon(delta, sigma)
        assert adjacent(found)
        if found.upper == 0:
            continue
        with ctx.workprec(3000):  # the textbook difference, with bits enough for its cancellation
            mu = 1 / arb(sigma)

            def at(x, mu=mu):
                a, b, root = x / mu - mu / 2, x / mu + mu / 2, arb(2).sqrt()
                return ((a / root).erfc() - x.exp() * (b / root).erfc()) / 2

            if found.upper < 1000:  # beyond, erfc of an argument that is not exact says little
                assert at(arb(found.lower)) >= arb(delta) >= at(arb(found.upper))


def test_gaussian_known_value():
    found = compose(Normal(0, 100), 1000).epsilon(1e-6)
    assert adjacent(found)
    with ctx.workprec(100):
        assert arb(found.lower) <= arb("1.367571475084306688226478") <= arb(found.upper)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(st.floats(1e-6, 1e6), st.floats(1e-300, 0.98))
def test_gaussian_delta_and_epsilon_invert_each_other(sigma, delta):
    found = gaussian_epsilon(delta, sigma)
    assert adjacent(found)
    assert gaussian_delta(found.upper, sigma).lower <= delta
    if found.lower > 0:
        assert gaussian_delta(found.lower, sigma).upper >= delta


def test_delta_below_the_doubles_has_its_logarithm_enclosed():
    found = gaussian_delta(700, 1)
    assert found.lower == 0 < found.upper == 5e-324
    assert adjacent(Enclosure(found.log_lower, found.log_upper))
    with ctx.workprec(200):  # Phi(-a) (1 - 1/a^2..) between the two terms of Mills' series
        a, b = arb(699.5), arb(700.5)
        density = -a * a / 2 - (2 * arb.pi()).log() / 2
        high = (1 / a - 1 / b + 1 / b**3).log() + density
        low = (1 / a - 1 / a**3 - 1 / b).log() + density
        assert low <= arb(found.log_upper)
        assert arb(found.log_lower) <= high


@pytest.mark.parametrize(
    ("epsilon", "sigma"), [(1e300, 1e-6), (1e-300, 1e300), (700, 1e6), (0, 1e-300), (5e-324, 1)]
)
def test_extreme_gaussian_delta_is_adjacent_doubles(epsilon, sigma):
    found = gaussian_delta(epsilon, sigma)
    assert adjacent(found)
    assert 0 <= found.lower <= found.upper <= 1
    assert found.log_lower <= found.log_upper <= 0


def test_extreme_gaussian_epsilon_is_certified_or_says_so():
    assert adjacent(gaussian_epsilon(1e-300, 1e-6))
    assert adjacent(gaussian_epsilon(5e-324, 1e-100))
    assert adjacent(gaussian_epsilon(1 - 2**-53, 1e-3))
    beyond = gaussian_epsilon(1e-6, 1e-300)  # about 5e599
    assert beyond.lower == sys.float_info.max
    assert beyond.upper == math.inf


def test_epsilon_is_zero_when_delta_is_at_least_delta_at_zero():
    for found in (
        gaussian_epsilon(0.5, 1),
        gaussian_epsilon(1e-6, 1e6),
        compose(Laplace(0, 1)).epsilon(0.5),
        compose([Laplace(0, 10), Normal(0, 10)], 3).epsilon(0.9),
        compose(Laplace(0, 10), 1000).epsilon(0.999),
        gaussian_epsilon(0.1, 1, 0),
        compose(Laplace(0, 1), 5, sensitivity=0).epsilon(0.1),
    ):
        assert (found.lower, found.upper) == (0, 0)
    assert gaussian_delta(0.1, 1, 0).upper == 0


def test_numbers_are_read_exactly():
    tenth = gaussian_delta(1, Fraction(1, 10), Fraction(1, 100))
    assert tenth == gaussian_delta(1, sympy.Rational(1, 10), sympy.Rational(1, 100))
    assert gaussian_delta(1, 0.1) == gaussian_delta(1, Fraction(0.1))
    assert gaussian_delta(1, 0.1) == gaussian_delta(1, sympy.Float(0.1))
    assert compose(Normal(0, sympy.sqrt(2)), 2).delta(1) == gaussian_delta(1, 1)
    assert compose(Laplace(0, 0.1)).delta(0) == compose(Laplace(0, Fraction(0.1))).delta(0)


def test_the_precision_of_balls_is_left_as_it_was():
    before = ctx.prec
    gaussian_epsilon(1e-9, 3)
    compose(Laplace(0, 10), 100).epsilon(1e-6)
    with pytest.raises(ValueError, match="sigma"):
        gaussian_epsilon(1e-9, -1)
    assert ctx.prec == before


# Laplace: closed form of one, convolution of two, enumeration of the signs


def test_one_laplace_has_its_closed_form():
    for scale in (0.1, 1.0, 7.0, 1e4):
        for share in (0.0, 0.25, 0.999):
            epsilon = share / scale
            found = compose(Laplace(0, scale)).delta(epsilon)
            with ctx.workprec(300):
                truth = 1 - ((arb(epsilon) - 1 / arb(scale)) / 2).exp()
                assert arb(found.lower) <= truth <= arb(found.upper)
            assert adjacent(found)
    assert compose(Laplace(0, 2)).delta(0.5).upper == 0
    assert compose(Laplace(0, 2)).delta(0.7).upper == 0


def line_of(laplaces, epsilon, factor=1.0, v=Fraction(0)):
    """The line near an epsilon, and about the log of delta there."""
    releases = Releases([(LaplaceLoss(e), k) for e, k in laplaces], v)
    saddle = releases.saddle_for_epsilon(float(epsilon))
    size = releases.size(saddle, float(epsilon))
    return Line(releases, factor * saddle, float(epsilon), size)


def test_one_laplace_by_both_methods():
    """A line for one release, where nothing decays, still holds the closed form."""
    with ctx.workprec(128):
        for scale, epsilon in ((1, 0.5), (10, 0.01), (2, 0.0)):
            for factor in (1, 0.5, 2):  # every line is right
                value = line_of([(Fraction(1, scale), 1)], epsilon, factor).delta(arb(epsilon))
                truth = 1 - ((arb(epsilon) - arb(fmpq(1, scale))) / 2).exp()
                assert value.overlaps(truth)
                assert value.rad() < truth / 1e9


def two_laplaces(e, f, epsilon):
    """Delta of two Laplaces by conditioning on the loss of the first; e, f and epsilon are floats."""

    def second(x, form):
        """Delta of the second alone: 0 from f on, 1 - e^x below -f."""
        return (1 - ((x - f) / 2).exp(), 1 - x.exp(), 0 * x)[form]

    def form(x):
        return 2 if x >= f else 0 if x >= -f else 1

    # atoms of the first loss: e with 1/2, -e with e^-e / 2
    total = second(arb(epsilon) - e, form(epsilon - e)) / 2
    total += second(arb(epsilon) + e, form(epsilon + e)) * arb(-e).exp() / 2
    # and between them the density e^((l - e) / 2) / 4, split where `second` changes its form
    cuts = sorted({-e, e, *(x for x in (epsilon - f, epsilon + f) if -e < x < e)})
    for low, high in zip(cuts, cuts[1:], strict=False):
        here = form(epsilon - (low + high) / 2)
        total += acb.integral(
            lambda loss, _, here=here: second(epsilon - loss, here) * ((loss - e) / 2).exp() / 4,
            acb(low),
            acb(high),
        ).real
    return total


@pytest.mark.parametrize(("e", "f"), [(1.0, 1.0), (0.25, 2.0), (0.125, 0.125)])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.8])
def test_two_laplaces_by_convolution(e, f, share):
    epsilon = math.ldexp(round(share * (e + f) * 1024), -10)  # so that the cuts are exact
    found = compose([Laplace(0, Fraction(1 / e)), Laplace(0, Fraction(1 / f))]).delta(epsilon)
    with ctx.workprec(128):
        truth = two_laplaces(e, f, epsilon)
        assert truth.rad() < 1e-20
        assert arb(found.lower) <= truth <= arb(found.upper)
    assert adjacent(found)


@pytest.mark.parametrize("share", [0.05, 0.4, 0.9])
def test_line_holds_a_laplace_and_a_gaussian_by_quadrature(share):
    """A Gaussian with one Laplace: the Gaussian's profile averaged over the loss of the Laplace."""
    e, mu = 0.5, 0.75
    epsilon = share * 3

    def gaussian(x):
        root = acb(2).sqrt()
        return ((x / mu - mu / 2) / root).erfc() / 2 - x.exp() * (
            (x / mu + mu / 2) / root
        ).erfc() / 2

    with ctx.workprec(128):
        x = acb(epsilon)
        truth = gaussian(x - e) / 2 + gaussian(x + e) * acb(-e).exp() / 2
        truth += acb.integral(
            lambda loss, _: gaussian(x - loss) * ((loss - e) / 2).exp() / 4, acb(-e), acb(e)
        )
        found = compose([Laplace(0, 2), Normal(0, Fraction(4, 3))]).delta(epsilon)
        assert truth.real.rad() < 1e-20
        assert arb(found.lower) <= truth.real <= arb(found.upper)
    assert found.width < 1e-11 * found.upper


@pytest.mark.parametrize(
    ("scale", "times", "epsilon"),
    [(1, 90, 40), (10, 90, 2.5), (10, 90, 8.9), (40, 60, 0.5), (20, 100, 2.2), (100, 70, 0.3)],
)
def test_line_holds_the_closed_form_of_many_laplaces(scale, times, epsilon):
    laplaces = ((Fraction(1, scale), times),)
    with ctx.workprec(1500):
        truth = Residues(laplaces).delta(arb(epsilon))
        assert truth.rad() < truth * 1e-30
    found = compose(Laplace(0, scale), times).delta(epsilon)
    assert found.method == Line.method
    with ctx.workprec(1500):
        assert arb(found.lower) <= truth <= arb(found.upper)
    assert found.width < 1e-9 * found.upper


@settings(max_examples=40, derandomize=True, deadline=None)
@given(
    st.lists(st.tuples(st.floats(0.05, 50), st.integers(1, 6)), min_size=1, max_size=2),
    st.floats(0, 0.99),
    st.floats(0.3, 3),
)
def test_line_holds_the_closed_form_anywhere(parts, share, factor):
    joined = {}
    for scale, times in parts:
        joined[1 / Fraction(scale)] = times
    laplaces = tuple(sorted(joined.items()))
    epsilon = share * float(sum(e * k for e, k in laplaces))
    with ctx.workprec(400):
        truth = Residues(laplaces).delta(arb(epsilon))
    with ctx.workprec(128):
        value = line_of(laplaces, epsilon, factor).delta(arb(epsilon))
        assert not value.is_finite() or value.overlaps(truth)
        assert not truth < value
        assert not truth > value


def two_point(k, e, epsilon, atom_up, atom_down):
    """Exact sum over the binomial of (p - e^epsilon q)+ for k losses that are +e or -e."""
    total = arb(0)
    for j in range(k + 1):
        gain = 1 - (arb(epsilon) - (k - 2 * j) * e).exp()
        if gain > 0:
            total += math.comb(k, j) * atom_up ** (k - j) * atom_down**j * gain
    return total


def test_a_thousand_laplaces_lie_between_two_exact_sums():
    """Randomized response is the worst e-private pair; the atoms alone are a part of the Laplace's loss."""
    k, scale = 1000, 100
    composed = compose(Laplace(0, scale), k)
    for target in (1e-6, 1e-2):
        found = composed.epsilon(target)
        assert found.width < 1e-5
        with ctx.workprec(200):
            e = arb(1) / scale
            for end in (found.lower, found.upper):
                most = two_point(k, e, end, 1 / (1 + (-e).exp()), 1 / (1 + e.exp()))
                least = two_point(k, e, end, arb(0.5), (-e).exp() / 2)
                assert least <= arb(target) <= most


@pytest.mark.parametrize("scale", [10, 20, 30, 50, 70, 100])
@pytest.mark.parametrize("target", [1e-6, 1e-3])
def test_a_thousand_laplaces_are_within_1e_5(scale, target):
    composed = compose(Laplace(0, scale), 1000)
    found = composed.epsilon(target)
    assert found.width < 1e-5
    assert composed.delta(found.lower).upper >= target >= composed.delta(found.upper).lower


def test_a_thousand_mixed_releases_are_within_1e_5():
    composed = compose([Laplace(0, 20), Normal(0, 30)], [500, 500])
    found = composed.epsilon(1e-6)
    assert found.width < 1e-9
    # the losses may be taken in any order and any grouping
    again = compose(
        [Normal(0, 30), Laplace(0, 20), Normal(1, 30), Laplace(-3, 20)], [499, 400, 1, 100]
    )
    assert again.epsilon(1e-6) == found


def test_scale_and_sensitivity_count_only_by_their_ratio():
    assert compose(Laplace(0, 40), 50).delta(0.5) == compose(
        Laplace(0, 80), 50, sensitivity=2
    ).delta(0.5)


# the parts of the error bound


def test_turns_are_as_close_as_said():
    with ctx.workprec(200):
        for angle, most in ((arb("0.0123456789"), 5000), (arb(2).sqrt() * 1000, 40000)):
            found, error = turns(angle, most)
            assert found.size == most + 1
            for m in (0, 1, 31, 32, 33, 1023, 1024, 4999, most):
                truth = acb(0, 1) * (angle * m)
                assert abs(acb(found[m]) - truth.exp()) < error


def test_exponential_by_products_is_as_close_as_said():
    import numpy as np

    y = np.concatenate(
        [np.linspace(0, 700, 4001), [0.34657359027997264, 0.3465735902799727, 1e-300]]
    )
    found = exp_of_minus(y)
    with ctx.workprec(120):
        for at, value in zip(y, found, strict=True):
            assert abs(arb(value) * arb(at).exp() - 1) < 5 * arb(2) ** -53


def test_sum_in_pairs_adds_all():
    import numpy as np

    assert sum_in_pairs(np.arange(1001.0)) == 500500


def test_float_sum_is_within_its_bound_of_the_sum_in_balls():
    """The same nodes in balls: the doubles' error stays below what is added for it."""
    e, k, times, v = Fraction(1, 10), Fraction(1, 20), (700, 300), Fraction(1, 4)
    laplaces = ((e, times[0]), (k, times[1]))
    with ctx.workprec(160):
        x = arb(12)
        line = line_of(laplaces, 12, v=v)
        c = float(line.c)
        total = acb(0)
        for m in range(line.nodes + 1):
            z = acb(arb(c), arb(line.step) * m)
            w = 2 * z + 1
            log = v.numerator * z * (z + 1) / (2 * v.denominator) - z * x - line.log_peak + c * x
            factor = log.exp() / (z * (z + 1))
            for loss, n in laplaces:
                a = acb(arb(fmpq(loss.numerator, loss.denominator)))
                one = ((z * a).exp() * (1 + 1 / w) + (-(z + 1) * a).exp() * (1 - 1 / w)) / 2
                factor *= one**n
            total += factor / (2 if m == 0 else 1)
        value = line.delta(x)
        scale = (line.log_peak - c * x).exp() / arb.pi() * arb(line.step)
        assert abs(total.real * scale - value.mid()) < value.rad()
        allowed = scale * line.error
        assert abs(total.real * scale - value.mid()) < allowed * 2
        assert line.error < 1e-9 * abs(total.real)


def ratio(e, c, t):
    """The factor of one Laplace at c + it, over its value at c."""
    z, w = acb(c, t), acb(2 * c + 1, 2 * t)
    one = ((z * e).exp() * (1 + 1 / w) + (-(z + 1) * e).exp() * (1 - 1 / w)) / 2
    return one / LaplaceLoss(Fraction(e)).cumulant(arb(c)).exp()


def test_modulus_bounds_hold_beyond_the_cut():
    with ctx.workprec(128):
        for e, c in ((0.1, 1.3), (2.0, 0.2), (0.01, 30.0)):
            nodes = LaplaceLoss(Fraction(e)).grid(c, 1.0, 1)
            for cut in (0.01, 0.3, 1.0, 5.0, 40.0, 200.0):
                far = nodes.log_far(cut).exp()
                for step in range(60):
                    there = abs(ratio(e, c, cut * 1.13**step))
                    assert there < far * (1 + arb(2) ** -100)


def test_variance_is_the_second_derivative():
    with ctx.workprec(400):
        e, c, h = arb(0.3), arb(0.7), arb(2) ** -100
        k = [LaplaceLoss(Fraction(0.3)).cumulant(c + i * h) for i in (-1, 0, 1)]
        second = (k[0] - 2 * k[1] + k[2]) / h**2
        assert abs(second - _variance(e, 2 * c + 1)) < 1e-20


# where all but few releases lose their most


@pytest.mark.parametrize("degree", DEGREES)
def test_terms_at_the_ends_are_within_their_bounds(degree):
    """The terms in balls; the others are below the bound of what is left."""
    import numpy as np

    parts, c, h = [(0.125, 9), (0.25, 6)], 3.0, 5.0
    laplaces = [(LaplaceLoss(Fraction(e)), k) for e, k in parts]
    with ctx.workprec(128):
        found, error = Ends(laplaces, degree).terms(c, np.arange(40) * h)
        far = Ends.log_far_of(laplaces, degree, arb(c), arb(20 * h)).exp()
        for m in range(40):
            row = [acb(1)] + [acb(0)] * 15
            for e, k in parts:
                a, b = LaplaceLoss(Fraction(e)).shares(arb(c))
                up, down = (acb(0, m * h * e).exp() * a, acb(0, -m * h * e).exp() * b)
                d = (up - down) / acb(2 * c + 1, 2 * m * h)
                for _ in range(k):
                    row = [row[j] * (up + down) + (row[j - 1] * d if j else 0) for j in range(16)]
            head, rest = sum(row[: degree + 1], acb(0)), sum(row[degree + 1 :], acb(0))
            assert abs(head - acb(complex(found[m]))) <= error[m]
            assert error[m] < 1e-12
            if m >= 20:
                assert abs(rest) <= far


def test_delta_at_the_ends_is_all_of_delta_at_the_full_degree():
    parts = ((Fraction(1, 8), 4), (Fraction(1, 2), 3))
    ends = Ends([(LaplaceLoss(e), k) for e, k in parts], 7)
    for epsilon in (0.0, 0.3, 1.25, 1.9, 2.0):
        with ctx.workprec(300):
            whole = Residues(parts).delta(arb(epsilon))
            assert ends.delta(arb(epsilon)).overlaps(whole)
            less = Ends(ends.laplaces, 3).delta(arb(epsilon))
            assert less <= whole or less.overlaps(whole)


@pytest.mark.parametrize("times", [5, 60, 200])
@pytest.mark.parametrize("epsilon", [0.0, 0.25, 1.5])
def test_a_smoothed_line_holds_the_closed_form(times, epsilon):
    laplaces = ((Fraction(1, 20), times),)
    with ctx.workprec(1500):
        truth = Residues(laplaces).delta(arb(epsilon))
    with ctx.workprec(128):
        releases = Releases([(LaplaceLoss(e), k) for e, k in laplaces], Fraction(0))
        saddle = releases.saddle_for_epsilon(epsilon)
        line = Smoothed(releases, saddle, epsilon, releases.size(saddle, epsilon))
        if line.known:
            value = line.delta(arb(epsilon))
            assert value.overlaps(truth)
            # the loss may be epsilon itself with a positive probability: then the gap is of the first order
            assert value.rad() < 3e-4 * value.mid() or epsilon > 0.9 * times / 20
    assert line.known or epsilon > times / 20


@pytest.mark.parametrize("scale", [1, 20, 100])
@pytest.mark.parametrize("times", [40, 70, 100, 200])
@pytest.mark.parametrize("target", [1e-3, 1e-6, 1e-10])
def test_laplace_in_the_middle_range_has_nine_digits(scale, times, target):
    found = compose(Laplace(0, scale), times).epsilon(target)
    assert found.width < 1e-9 * max(found.upper, 1e-3)
    with ctx.workprec(3000):
        whole = Residues(((Fraction(1, scale), times),))
        assert whole.delta(arb(found.lower)) >= arb(target) >= whole.delta(arb(found.upper))


def test_rounding_of_balls_is_outward():
    with ctx.workprec(200):
        for text in ("0.1", "-0.1", "1e-320", "1e-400", "3", "-1e-310", "1e308", "1e400"):
            value = arb(text)
            low, high = round_down(value), round_up(value)
            assert math.isinf(low) or arb(low) <= value.upper()
            assert math.isinf(high) or arb(high) >= value.lower()
            assert not arb(low) > value
            assert not arb(high) < value
            assert high <= math.nextafter(math.nextafter(low, math.inf), math.inf)


# hard and wrong input


@pytest.mark.parametrize(
    ("distributions", "times", "delta"),
    [
        (Laplace(0, 1), 1, 1e-300),
        (Laplace(0, 10), 1000, 1e-300),
        (Laplace(0, 1e6), 10**12, 1e-6),
        (Laplace(0, 1e9), 10**18, 1e-6),
        (Laplace(0, 5), 10**9, 1e-6),
        (Laplace(0, 5), 10**400, 1e-6),
        (Laplace(0, Fraction(1, 10**400)), 300, 1e-6),
        (Laplace(0, Fraction(10**400)), 300, 1e-6),
        (Laplace(0, 1e-200), 300, 1e-6),
        ([Laplace(0, 1), Normal(0, 1e-6)], 1, 1e-6),
        ([Laplace(0, 2), Normal(0, 1)], [100, 3], Fraction(1, 10**2000)),
        ([Laplace(0, 1), Laplace(0, 10**6)], 500, 1e-9),
    ],
    ids=range(12),
)
def test_hard_input_gives_an_interval_inside_what_is_sure(distributions, times, delta):
    composed = compose(distributions, times)
    found = composed.epsilon(delta)
    assert 0 <= found.lower <= found.upper
    sure = composed.delta(0)
    assert 0 <= sure.lower <= sure.upper <= 1
    if found.upper < math.inf:
        at = composed.delta(found.upper)
        assert Fraction(at.lower) <= Fraction(delta)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gaussian_delta(1, -1.0), "sigma must be > 0, got -1.0"),
        (lambda: gaussian_delta(1, 0), "sigma must be > 0, got 0"),
        (lambda: gaussian_delta(1, math.nan), "sigma must be finite and > 0, got nan"),
        (lambda: gaussian_delta(1, math.inf), "sigma must be finite and > 0, got inf"),
        (lambda: gaussian_delta(1, "2"), "sigma must be a rational number or a float > 0, got '2'"),
        (lambda: gaussian_delta(-1, 1), "epsilon must be >= 0, got -1"),
        (lambda: gaussian_delta(math.inf, 1), "epsilon must be finite and >= 0, got inf"),
        (lambda: gaussian_delta(1, 1, -2), "sensitivity must be >= 0, got -2"),
        (
            lambda: gaussian_epsilon(0, 1),
            r"delta must be in \(0, 1\), got 0: with Gaussian noise every epsilon has a delta above 0",
        ),
        (lambda: gaussian_epsilon(1.0, 1), r"delta must be in \(0, 1\), got 1.0"),
        (lambda: gaussian_epsilon(math.nan, 1), r"delta must be in \(0, 1\), got nan"),
        (lambda: gaussian_epsilon(True, 1), "delta must be a rational number or a float"),
        (lambda: compose([]), "distributions must hold at least one distribution, got none"),
        (
            lambda: compose(3),
            "compose has no method for 3: distributions must be Normal, Laplace",
        ),
        (
            lambda: compose([Exponential(1)]),
            "compose has no method for Exponential",
        ),
        (lambda: compose(Laplace(0, 1), 0), "times must be an integer >= 1, got 0"),
        (lambda: compose(Laplace(0, 1), 2.0), "times must be an integer >= 1, got 2.0"),
        (lambda: compose(Laplace(0, 1), True), "times must be an integer >= 1, got True"),
        (lambda: compose(Laplace(0, 1), "3"), "times must be an integer >= 1, got '3'"),
        (
            lambda: compose([Laplace(0, 1)], [1, 2]),
            "times must be one for each distribution, 1, got 2",
        ),
        (lambda: compose(Laplace(0, 1), sensitivity=-1), "sensitivity must be >= 0, got -1"),
        (lambda: compose(Laplace(0, sympy.Symbol("b"))), "scale must be a rational number"),
        (lambda: compose(Normal(0, sympy.Symbol("s"))), "sd must be a rational number"),
        (lambda: compose(Laplace(0, 1)).epsilon(2), r"delta must be in \(0, 1\), got 2"),
        (lambda: compose(Laplace(0, 1)).delta(-0.5), "epsilon must be >= 0, got -0.5"),
    ],
)
def test_wrong_input_is_one_clear_line(call, message):
    with pytest.raises(ValueError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


# how it shows itself, and the others


def test_enclosures_show_themselves_rounded_outwards():
    found = gaussian_epsilon(1e-6, 1)
    assert repr(found) == "Enclosure(lower=4.88655, upper=4.88656, width=9e-16)"
    assert found.describe() == (
        "Proved: epsilon lies from 4.88655 to 4.88656, in an interval 9e-16 wide."
    )
    assert "log_lower=-244" in repr(gaussian_delta(700, 1))
    assert "log(delta)" in gaussian_delta(700, 1).describe()
    assert "&" not in found._repr_html_()
    assert gaussian_epsilon(0.5, 1).describe() == "Proved: epsilon is 0."
    assert found.lower in found
    assert 5 not in found
    assert Enclosure(1e-300, 1.0).width == 1.0


def test_compositions_say_what_they_are():
    composed = compose([Laplace(0, 20), Normal(0, 30)], [500, 1])
    assert repr(composed) == "Composition(500 x Laplace(0, 20) + 1 x Normal(0, 30), sensitivity=1)"
    assert composed.describe().startswith("501 releases of a query of sensitivity 1: 500 x Laplace")


def test_import_leaves_scipy_stats_alone():
    code = "import sys, dpbook.privacy.accounting; sys.exit('scipy.stats' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_dp_accounting_brackets_overlap_ours():
    pld = pytest.importorskip("dp_accounting.pld.privacy_loss_distribution")
    for scale in (10.0, 100.0):
        ours = compose(Laplace(0, scale), 1000).epsilon(1e-6)
        theirs = pld.from_laplace_mechanism(
            scale, value_discretization_interval=1e-3, pessimistic_estimate=True
        ).self_compose(1000)
        assert ours.lower <= theirs.get_epsilon_for_delta(1e-6) <= ours.upper + 0.1


@pytest.mark.parametrize("delta", [1e-307, 1e-310, 5e-324])
def test_epsilon_at_the_smallest_deltas_is_two_adjacent_doubles(delta):
    found = gaussian_epsilon(delta, 1)
    assert found.upper <= math.nextafter(found.lower, math.inf)
    assert gaussian_delta(found.lower, 1).log_upper >= math.log(delta) - 1e-9


@pytest.mark.parametrize("sigma", [0.5, 1, 2, 5, 30])
def test_epsilon_close_to_zero_is_two_adjacent_doubles(sigma):
    found = gaussian_epsilon(gaussian_delta(0, sigma).lower, sigma)
    assert 0 < found.upper < 1e-15
    assert found.upper <= math.nextafter(found.lower, math.inf)


def test_pure_privacy_is_asked_at_delta_0():
    assert compose(Laplace(0, 20), 1000).epsilon(0) == Enclosure(50.0, 50.0, method="pure privacy")
    third = compose([Laplace(0, 3), Laplace(0, 6)], [1, 4]).epsilon(0)
    assert Fraction(third.lower) <= 1 <= Fraction(third.upper)
    assert (
        compose(Laplace(0, 3)).epsilon(0).upper
        > Fraction(1, 3)
        > compose(Laplace(0, 3)).epsilon(0).lower
    )
    assert str(compose(Laplace(0, 1), sensitivity=0).epsilon(0).upper) == "0.0"
    for noisy in (Normal(0, 1), [Normal(0, 1), Laplace(0, 1)]):
        with pytest.raises(
            ValueError, match="with Gaussian noise every epsilon has a delta above 0"
        ):
            compose(noisy).epsilon(0)


@pytest.mark.parametrize(
    "use", [float, lambda one: one < 3, lambda one: one >= 3, lambda one: sorted([one, one])]
)
def test_an_enclosure_is_no_number_and_says_what_to_take(use):
    with pytest.raises(TypeError, match=r"take \.upper, which epsilon is at most, or \.lower"):
        use(gaussian_epsilon(1e-6, 2))


def test_an_interval_without_an_end_says_that_nothing_is_known():
    assert Enclosure(0.0, math.inf).describe().startswith("Nothing is known of epsilon")


def test_a_profile_shows_itself_in_a_line():
    shown = repr(compose(Laplace(0, 1), 2).profile([0, 1, 2]))
    assert shown == (
        "CompositionProfile(Composition(2 x Laplace(0, 1), sensitivity=1), 3 epsilons from 0 to 2)"
    )


def test_times_may_be_an_array_of_one_number():
    assert compose(Laplace(0, 1), np.array(3)) == compose(Laplace(0, 1), 3)
    assert compose(Laplace(0, 1), np.array([3])) == compose(Laplace(0, 1), 3)
