"""What the explorers of the posterior_sampling chapters show, recomputed by other means."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.integrate import quad

from dpbook.posterior_sampling import (
    FiniteDistribution,
    delta_bound,
    lipschitz_profile,
    models,
    smallest_counterexample,
)
from dpbook.posterior_sampling.explorers import (
    CONCENTRATIONS,
    FAMILIES,
    LEVELS,
    ODDS,
    RATES,
    RECORDS,
    SHARES,
    STRENGTHS,
    TOSSES,
    TwoCoins,
    coin_explorer,
    neighbour_explorer,
    neighbours,
    profile_explorer,
    promised_profile,
)

# --- one draw ---------------------------------------------------------------------------------------


def by_bayes(ones, n, concentration, low, high):
    """Posterior density of a chance, its evidence by quadrature."""

    def weight(at):
        up, down = concentration + ones - 1, concentration + n - ones - 1
        return at**up * (1 - at) ** down

    total = quad(weight, low, high, epsabs=0, epsrel=1e-10)[0]
    return lambda at: weight(at) / total


@pytest.mark.parametrize(("level", "concentration"), [(0.5, 1), (2.0, 5), (math.inf, 1)])
def test_densities_are_those_of_the_posteriors(level, concentration):
    found = neighbours(level, concentration, 10, 0.7)
    densities, deltas = found.plot().get_figure().axes
    low, high = (
        (0, 1) if math.isinf(level) else (1 / (1 + math.exp(level)), 1 / (1 + math.exp(-level)))
    )
    for line, ones in zip(densities.get_lines(), (7, 6), strict=True):
        density = by_bayes(ones, 10, concentration, low, high)
        at, height = line.get_data()
        assert height[::97] == pytest.approx([density(t) for t in at[::97]], rel=1e-4)
    first, second = (by_bayes(ones, 10, concentration, low, high) for ones in (7, 6))
    points = np.linspace(low, high, 9)
    for way in (1, -1):
        over = sum(
            quad(lambda t, way=way: max(way * (first(t) - second(t)), 0.0), a, b)[0]
            for a, b in zip(points, points[1:], strict=False)
        )
        assert over == pytest.approx(found.pair.total_variation, rel=1e-5)
    assert deltas.get_lines()[0].get_ydata()[0] == pytest.approx(found.pair.total_variation)


def test_data_are_never_worse_than_the_worst_model():
    found = neighbours(1.0, 1, 10, 1.0)
    _, deltas = found.plot().get_figure().axes
    here, worst = (line.get_ydata() for line in deltas.get_lines())
    assert (here <= worst * (1 + 1e-9)).all()
    assert worst[0] == pytest.approx(delta_bound(1.0, 0.0))


def test_a_stronger_prior_helps_at_the_edge_and_records_do_not():
    edge = neighbours(math.inf, 1, 100, 1.0).pair
    assert neighbours(math.inf, 1, 1000, 1.0).pair.total_variation > 0.99 * edge.total_variation
    assert neighbours(math.inf, 20, 100, 1.0).pair.total_variation < 0.3 * edge.total_variation


@pytest.mark.parametrize("level", LEVELS)
def test_every_corner_of_neighbours_is_shown(level):
    corners = product(CONCENTRATIONS[::3], RECORDS[::2], (SHARES[0], SHARES[-1]))
    for concentration, n, share in corners:
        found = neighbours(level, concentration, n, share)
        assert 0 < found.pair.total_variation < 1
        assert "nan" not in found.describe()


# --- two coins --------------------------------------------------------------------------------------


def exact_posteriors(odds, prior, tosses):
    """Posterior probability of the biased coin given ones only, and given one zero, in fractions."""
    one = Fraction(odds, odds + 1)
    found = []
    for zeros in (0, 1):
        biased = prior * one ** (tosses - zeros) * (1 - one) ** zeros
        fair = (1 - prior) * Fraction(1, 2) ** tosses
        found.append(biased / (biased + fair))
    return found


@pytest.mark.parametrize(("odds", "rate", "tosses"), [(10, 1, 5), (100, 4, 28), (1000, 10, 105)])
def test_divergence_is_that_of_the_posteriors(odds, rate, tosses):
    x, y = exact_posteriors(odds, Fraction(1, odds**rate), tosses)
    pairs = ((x, y), (1 - x, 1 - y))
    divergence = sum(float(p) * math.log(p / q) for p, q in pairs)
    shown = TwoCoins(odds, rate, tosses)
    assert shown.divergence(tosses) == pytest.approx(divergence, rel=1e-9)
    assert f"{float(x):.3g} if all are ones, and {float(y):.3g}" in shown.describe()
    assert f"the total variation, {float(x - y):.4g}," in shown.describe()


def test_prior_has_just_the_rate_that_it_shows():
    for odds, rate in product(ODDS, RATES):
        mass = odds**-rate
        distribution = FiniteDistribution([1 / 2, odds / (odds + 1)], [1 - mass, mass])
        assert lipschitz_profile(models.Bernoulli(), distribution).rate() == pytest.approx(
            rate, rel=1e-6
        )


def test_smallest_counterexample_is_one_here_too():
    found = smallest_counterexample()
    shown = TwoCoins(found.odds, float(found.rate), found.tosses)
    assert shown.divergence(found.tosses) == pytest.approx(found.value, rel=1e-6)
    assert shown.printed == pytest.approx(found.printed, rel=1e-5)


def test_no_frame_gives_the_hunt_away_and_the_sliders_reach_the_prey():
    explorer = coin_explorer()
    for frame in explorer.frames:
        assert "exceeds" not in explorer.words(frame)
        curve, bound, _ = explorer.at(**frame).plot().get_figure().axes[1].get_lines()
        assert curve.get_ydata().max() < bound.get_ydata()[0]
    reached = list(map(TwoCoins, *zip(*product(ODDS, RATES, TOSSES), strict=True)))
    assert sum(one.divergence(one.tosses) > one.printed for one in reached) > 10
    assert any(
        "variation, 0.9" in one.describe() and "exceeds" in one.describe() for one in reached
    )


def test_the_point_stands_on_the_curve():
    shown = TwoCoins(100, 2, 14)
    curve, _, point = shown.plot().get_figure().axes[1].get_lines()
    assert np.interp(14, *curve.get_data()) == pytest.approx(np.ravel(point.get_ydata())[0])


# --- profiles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("family", FAMILIES)
def test_survival_is_the_prior_probability_of_large_constants(family):
    chosen, strength = FAMILIES[family], 2
    density = {
        "exponential": lambda t: strength * math.exp(-strength * t),
        "exponential, gamma prior of shape 2": lambda t: strength**2 * t * math.exp(-strength * t),
        "counts of 10, as printed": lambda t: 6 * t * (1 - t),
        "counts of 10, repaired": lambda t: 6 * t * (1 - t),
        "normal, prior on the variance": lambda t: strength * math.exp(-strength * t),
        "normal, prior on the precision": lambda t: strength * math.exp(-strength * t),
    }[family]
    last = 1.0 if family.startswith("counts") else 40.0
    edges = np.concatenate([[0], np.geomspace(1e-6, last, 4001)])
    middles = (edges[1:] + edges[:-1]) / 2
    constants = chosen.model.lipschitz(middles)
    masses = np.array([density(t) for t in middles]) * np.diff(edges)
    profile = promised_profile(family, strength).profile
    for t in (0.3, 1.0, 2.5):
        expected = float(masses[constants > t].sum())
        assert profile.survival(t) == pytest.approx(expected, abs=3e-3)


def test_only_the_printed_lemmas_are_broken():
    for family, strength in product(FAMILIES, STRENGTHS):
        shown = promised_profile(family, strength)
        words = shown.describe()
        assert ("is broken" in words) == (family == "normal, prior on the variance")
        printed_rate = family == "counts of 10, as printed" and strength > 1
        assert ("is not positive" in words) == printed_rate
        assert (shown.profile.rate() == 0) == (
            "No rate will do" in words or "No exponential" in words
        )


def test_the_lemma_of_the_variance_is_drawn_below_the_truth():
    shown = profile_explorer().at(family="normal, prior on the variance", strength=1)
    survival, lemma = shown.plot().get_lines()
    level, truth, promised = shown.broken
    assert truth == pytest.approx(1 - math.exp(-1 / (2 * level)))
    assert promised == pytest.approx(math.exp(-level))
    assert np.interp(level, *survival.get_data()) > np.interp(level, *lemma.get_data())


@pytest.mark.parametrize("explorer", [neighbour_explorer, coin_explorer, profile_explorer])
def test_frames_differ(explorer):
    made = explorer()
    assert len({made.words(frame) for frame in made.frames}) == len(made.frames)
