"""Formulas against simulation, integrals and the numbers that the derivations give by hand."""

import itertools
import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from dpbook.depth_medians import (
    FIGURE_1,
    GammaCut,
    Setting,
    cauchy_constants,
    dataset,
    deviation_bound,
    deviation_on_data,
    failure_bound,
    gaussian_constants,
    largest_minimum,
    least_delta,
    least_margin,
    outlyingness_of,
    pass_probability,
    shell_mass,
    theory,
    threshold,
)

MODEL = {"epsilon": 10.0, "eta": 0.027631, "tau": 1.0}


def test_test_passes_as_often_as_in_a_simulation():
    rng = np.random.default_rng(1)
    noise = rng.laplace(size=200_000)
    for margin in range(5):
        share = (margin + 2 / 10 * noise > threshold(10, 1e-3)).mean()
        chance = float(pass_probability(margin, 10, 1e-3))
        # six standard errors: 2e-9 a number, two-sided
        assert abs(share - chance) < 6 * math.sqrt(chance * (1 - chance) / 200_000)


def test_known_chances_at_the_setting_of_figure_1():
    found = FIGURE_1.pass_probability([0, 1, 2, 3])
    assert found == pytest.approx([0.001, 0.148413, 0.98865, 0.999924], abs=2e-6)
    assert FIGURE_1.threshold == pytest.approx(1.2429, abs=1e-4)
    assert FIGURE_1.beta == pytest.approx(90.478, abs=1e-3)
    assert FIGURE_1.most == 3


@pytest.mark.parametrize(
    ("failure", "epsilon", "delta", "margin"),
    [(1e-3, 1, 1e-3, 25), (1e-6, 1, 1e-6, 53), (1e-3, 1, 1e-6, 39), (1e-6, 0.5, 1e-6, 105)],
)
def test_least_margin_is_the_least(failure, epsilon, delta, margin):
    assert least_margin(failure, epsilon, delta) == margin
    assert 1 - pass_probability(margin, epsilon, delta) <= failure * (1 + 1e-9)
    assert 1 - pass_probability(margin - 1, epsilon, delta) > failure


def test_print_takes_a_failure_for_rare_that_is_almost_certain():
    """E3 of theorem 3.1: with a margin of 2 the test fails nearly always at epsilon = 1."""
    fails = 1 - float(pass_probability(2, 1, 1e-3))
    assert fails == pytest.approx(1 - 1e-3 * math.e)
    common = {"eta": 0.01, "tau": 1, "n": 10**7, "a_1": 1, "a_2": 1, "kappa": 0}
    common |= {"c_1": 1, "c_2": 1, "scale_tail": 0}
    printed = failure_bound(epsilon=1, delta=1e-3, **common, version="printed")
    assert printed.value == pytest.approx(1e-3 * math.e)
    assert printed.claim == "depth_medians:theorem-3.1"
    corrected = failure_bound(epsilon=1, delta=1e-3, **common, margin=2)
    assert corrected.value == pytest.approx(fails)
    assert corrected.claim == "depth_medians:theorem-3.1-corrected"
    assert failure_bound(epsilon=1, delta=1e-3, **common).value <= 1e-3


# --- the cut gamma distribution ----------------------------------------------------------------------------


@pytest.mark.parametrize(("shape", "rate", "end"), [(1, 2.0, 1.0), (3, 5.0, 0.9), (20, 90.0, 1.0)])
def test_cut_gamma_is_the_integral_of_its_density(shape, rate, end):
    distribution = GammaCut(shape, rate, end)

    def density(t):
        return t ** (shape - 1) * math.exp(-rate * t)

    whole = quad(density, 0, end)[0]
    for at in (0.1 * end, 0.5 * end, 0.9 * end):
        assert distribution.cdf(at) == pytest.approx(quad(density, 0, at)[0] / whole, rel=1e-7)
        assert distribution.above(at) == pytest.approx(quad(density, at, end)[0] / whole, rel=1e-7)
        if distribution.above(at) > 1e-6:  # else the quantile has no digits left
            assert distribution.quantile(distribution.cdf(at)) == pytest.approx(at, rel=1e-6)
    assert (distribution.above(-1), distribution.above(end)) == (1, 0)


def test_no_mass_is_lost_to_rounding_where_nearly_all_of_the_gamma_distribution_is_cut_off():
    """A mass of 1 that came out as 0 would let unsafe data pass."""
    with mpmath.workdps(60):
        for shape, rate, end, share in itertools.product(
            (1, 3, 20, 60), (1e-3, 0.5, 7.0, 90.0, 1e4), (0.1, 1.0, 5.0), (0.02, 0.5, 0.9, 0.99)
        ):
            top, at = rate * end, rate * end * share
            exact = mpmath.gammainc(shape, at, top) / mpmath.gammainc(shape, 0, top)
            found = GammaCut(shape, rate, end).above(end * share)
            if mpmath.gammainc(shape, 0, top, regularized=True) < 1e-290:
                assert found == 1.0
            else:
                assert found == pytest.approx(float(exact), rel=1e-7, abs=1e-14)
    assert shell_mass(0.4, 20, epsilon=1, eta=0.5, tau=1) > 0.99


def test_shell_mass_grows_with_the_least_outlyingness_and_bounds_the_truth_in_one_dimension():
    values = [shell_mass(m, 5, **MODEL) for m in np.linspace(0, 1, 60)]
    assert (np.diff(values) >= 0).all()
    assert values[-1] == 1
    beta, tau, eta = 3.0, 2.0, 0.3
    exact = (math.exp(-beta * (tau - eta)) - math.exp(-beta * tau)) / (1 - math.exp(-beta * tau))
    found = shell_mass(0, 1, epsilon=4 * eta * beta, eta=eta, tau=tau)
    assert found == pytest.approx(exact)


def test_excess_of_draws_is_dominated_by_the_cut_gamma_on_a_grid():
    rng = np.random.default_rng(2)
    for seed in range(3):
        data = np.random.default_rng(seed).normal(size=(25, 2)) * [1, 4]
        angles = np.pi * (np.arange(9) + 0.3) / 9
        fitted = outlyingness_of(data, np.column_stack((np.cos(angles), np.sin(angles))))
        centre, least, _ = fitted.minimum()
        side = 4 * fitted.scale.max() * 2
        grid = centre + side * (rng.random((60_000, 2)) - 0.5)
        cost = fitted(grid)
        tau, beta = least + 2.0, 4.0
        inside = cost <= tau
        mass = np.where(inside, np.exp(-beta * (cost - least)), 0)
        mass /= mass.sum()
        distribution = GammaCut(2, beta, tau - least)
        for at in np.linspace(0.05, 1.9, 20):
            above = mass[cost - least > at].sum()
            assert above <= distribution.above(at) + 0.02
    assert inside.sum() > 1000


@pytest.mark.parametrize(("d", "known"), [(2, 0.864), (5, 0.801), (10, 0.714), (20, 0.559)])
def test_largest_least_outlyingness_at_figure_1_is_the_known_one(d, known):
    found = FIGURE_1.largest_minimum(d)
    assert found == pytest.approx(known, abs=1e-3)
    assert 2 * FIGURE_1.shell_mass(found, d) == pytest.approx(1e-3, rel=1e-5)
    assert largest_minimum(d, epsilon=1, delta=1e-3, eta=0.5, tau=1) == -math.inf


# --- appendix A -----------------------------------------------------------------------------------


def test_volume_ratio_is_the_optimum_of_lemma_b_3_and_the_print_is_not():
    least, largest, spread, d = 0.66, 0.69, 0.05, 5

    def bound(y):
        base = (largest * (1 + 2 * MODEL["eta"]) + spread) / (
            least * (1 - y - 2 * MODEL["eta"]) - spread
        )
        return -MODEL["epsilon"] * y / (4 * MODEL["eta"]) + d * math.log(base)

    best = minimize_scalar(bound, bounds=(1e-6, 0.85), method="bounded", options={"xatol": 1e-10})
    found = theory.log_volume_ratio(least, largest, spread, d, **MODEL)
    assert found.value == pytest.approx(best.fun, abs=1e-6)
    printed = theory.log_volume_ratio(least, largest, spread, d, **MODEL, version="printed")
    assert found.value - printed.value == pytest.approx(2 * d * math.log(10))
    wide = theory.log_volume_ratio(least, largest, 0.7, d, **MODEL)
    assert wide.value == math.inf


@pytest.mark.parametrize(
    ("panel", "d", "known"), [("clean", 2, -69), ("clean", 10, -42), ("contaminated", 5, 66)]
)
def test_volume_ratio_on_the_panels_is_near_the_known_one(panel, d, known):
    """Mended constants, where the optimum is inside; on the contaminated panel it is not."""
    data = dataset(panel, 10_000, d, np.random.default_rng(3))
    fitted = outlyingness_of(data, FIGURE_1.directions_in(d)[:200])
    found = theory.log_volume_ratio(
        *(float(fitted.scale.min()), float(fitted.scale.max())),
        2 * float(np.abs(fitted.location).max()),
        d,
        **MODEL,
    )
    assert math.isinf(found.value) or found.value == pytest.approx(known, abs=6)
    assert math.isinf(found.value) == (panel == "contaminated")


def test_condition_on_delta_and_its_repair():
    printed = least_delta(
        1, epsilon=10, eta=0.9, tau=3.86, c_1=0.1, c_2=0.1, c_3=0.001, version="printed"
    )
    assert printed.value == math.inf  # its denominator is -0.81
    mended = least_delta(1, epsilon=10, eta=0.9, tau=3.86, c_1=0.1, c_2=0.1, c_3=0.001)
    assert 0 < mended.value < math.inf
    small = least_delta(2, epsilon=10, eta=0.01, tau=1, c_1=1, c_2=1, c_3=0)
    assert small.value == pytest.approx(
        3 * math.exp(2.5 - 125 + 2 * math.log(2 * 1.02 / (0.25 - 0.01))), rel=1e-9
    )


# --- deviations -----------------------------------------------------------------------------------


def test_draws_stay_within_the_bound_on_their_data():
    rng = np.random.default_rng(4)
    setting = Setting(10, 1e-3, 0.03, 1.0, directions=400)
    data = dataset("clean", 4000, 2, rng)
    fitted = outlyingness_of(data, setting.directions_in(2))
    bound = deviation_on_data(
        0.2,
        2,
        epsilon=10,
        eta=0.03,
        least_scale=float(fitted.scale.min()),
        largest_scale=float(fitted.scale.max()),
        location_error=float(np.abs(fitted.location).max()),
    )
    draws = setting(data, 400, rng)
    draws = draws[np.isfinite(draws[:, 0])]
    over = (np.linalg.norm(draws, axis=1) > bound.value).mean()
    assert over <= 0.2
    assert bound.claim == "depth_medians:note-deviation"


def test_printed_deviation_bound_shrinks_too_fast_where_the_centre_lies_out():
    """E5: three clusters in a plane; draws spread like the root of eta, the print says eta."""
    from dpbook.depth_medians import ExponentialMechanism, Outlyingness, random_directions

    rng = np.random.default_rng(5)
    units = random_directions(3, 300, rng)
    planar = np.linalg.norm(units[:, :2], axis=1)
    # location that leans with three-fold symmetry, as that of three clusters does
    angle = np.arctan2(units[:, 1], units[:, 0])
    tilted = Outlyingness(units, 0.6 * planar * np.cos(3 * angle), 0.7 + 0.7 * planar)
    spread = []
    for eta in (1e-2, 1e-4):
        mechanism = ExponentialMechanism(tilted, 1.0, eta, 6.0)
        values = mechanism.draws(150, rng).values - mechanism.median
        spread.append(float(np.median(np.linalg.norm(values, axis=1))) / eta)
    printed, corrected = (
        deviation_bound(
            0.5,
            3,
            epsilon=1,
            eta=1e-4,
            tau=22,
            c_1=0.7,
            c_2=1.4,
            c_3=0.6,
            sampling=0,
            version=version,
        ).value
        for version in ("printed", "corrected")
    )
    assert spread[1] > 1.2 * spread[0]
    assert corrected > printed


# --- the examples ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("alpha", "known"), [(0.05, 0.657), (0.1, 0.559), (0.2, 0.397), (0.25, 0.325)]
)
def test_trimmed_deviation_of_the_normal_distribution_is_not_1(alpha, known):
    low, high = norm.ppf(alpha), norm.ppf(1 - alpha)
    exact = quad(lambda x: abs(x) * norm.pdf(x), low, high)[0] / (1 - 2 * alpha)
    assert theory.trimmed_deviation(alpha) == pytest.approx(exact)
    assert exact == pytest.approx(known, abs=5e-4)
    assert theory.trimmed_deviation(0) == pytest.approx(math.sqrt(2 / math.pi))


def test_gaussian_constants_are_bounds():
    found = gaussian_constants([0.5, 4.0], 0.2, 500)
    assert pytest.approx(0.1073, abs=1e-4) == found.M
    assert found.c_1 == pytest.approx(0.3966 * math.sqrt(0.5), abs=1e-4)
    assert gaussian_constants([0.5, 4.0], 0.2, 500, "printed").c_1 == math.sqrt(0.5)
    least = min(
        norm.pdf(sd * norm.ppf(0.2 - 3 / 500) - found.r, scale=sd) for sd in (math.sqrt(0.5), 2.0)
    )
    assert least >= found.M
    assert least == pytest.approx(0.1268, abs=1e-4)


def test_cauchy_constants_are_the_least_density():
    found = cauchy_constants(4, 1000)
    end = math.tan(math.pi * (0.5 - 0.2 + 0.003))
    inner = [s / (math.pi * (s**2 + (s * end + 0.5) ** 2)) for s in np.linspace(1, 2, 101)]
    assert min(inner) == pytest.approx(found.M)
    assert (found.c_1, found.c_2, found.c_3) == (1, 2, 0)
    assert cauchy_constants(4, 1000, version="printed").c_3 == 1
    assert "c_2=2" in repr(found)


def test_tuned_settings_pass_on_data_like_those_they_were_tuned_on():
    rng = np.random.default_rng(6)
    start = Setting(5, 1e-3, 1.0, 1.0, directions=100)
    tuned = start.tuned(dataset("clean", 20_000, 2, rng), 1e-2)
    assert tuned.levels == least_margin(1e-2, 5, 1e-3)
    again = tuned.safety(dataset("clean", 20_000, 2, np.random.default_rng(6)))
    assert again.margin == tuned.levels
    assert tuned.eta < 0.05
    less = Setting(5, 1e-3, tuned.eta * 0.9, tuned.tau, directions=100, levels=tuned.levels)
    assert less.safety(dataset("clean", 20_000, 2, np.random.default_rng(6))).margin < tuned.levels
    with pytest.raises(ValueError, match="no eta and tau give a margin of"):
        start.tuned(rng.normal(size=(50, 2)))
    with pytest.raises(ValueError, match="mode must be nested"):
        Setting(5, 1e-3, 1.0, 1.0, "printed").tuned(rng.normal(size=(50, 2)))


def test_bad_input_gets_one_clear_line():
    for call, said in [
        (lambda: threshold(-1.0, 0.1), "epsilon must be > 0 and finite, got -1.0"),
        (lambda: threshold(1, 0.7), r"delta must be in \(0, 1/2\], got 0.7"),
        (lambda: least_margin(0.9, 1, 0.1), "failure must be in"),
        (lambda: Setting(1, 0.1, 0, 1), "eta must be > 0 and finite, got 0"),
        (lambda: Setting(1, 0.1, 1, -2), "tau must be > 0 and finite, got -2"),
        (lambda: Setting(1, 0.1, 1, 1, "best"), "mode must be one of nested, nested_wide"),
        (lambda: Setting(1, 0.1, 1, 1, sampler="x"), "sampler must be one of auto"),
        (lambda: Setting(1, 0.1, 1, 1, levels=0), "levels must be an integer >= 1"),
        (lambda: GammaCut(0, 1, 1), "shape must be an integer >= 1"),
        (lambda: gaussian_constants([1, -1], 0.2, 100), "eigenvalues must be > 0"),
        (lambda: gaussian_constants([1], 0.6, 100), "alpha must be in"),
        (lambda: cauchy_constants(2, 100, 0.3), "q must be in"),
        (lambda: theory.volume_budget(1, 0.1, "new"), "version must be"),
    ]:
        with pytest.raises(ValueError, match=said):
            call()
