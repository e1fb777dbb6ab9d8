"""What the pictures of the chapter on privacy show, recomputed by other means."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import laplace, norm

from dpbook.privacy.curves import composition_curve, pair_curve
from dpbook.privacy.explorers import profile_explorer


def test_exact_curve_of_normal_distributions_is_the_difference_of_two_tails():
    line, _ = pair_curve("normal", 1).plot().get_lines()
    for epsilon, delta in zip(*line.get_data(), strict=True):
        if delta > 1e-7:
            where = epsilon + 0.5
            tails = norm.sf(where, 1) - math.exp(epsilon) * norm.sf(where)
            assert delta == pytest.approx(tails, rel=1e-6)


def test_exact_curve_of_laplace_distributions_is_the_probability_of_an_event():
    line, _ = pair_curve("Laplace", 1).plot().get_lines()
    epsilon, delta = (np.asarray(values) for values in line.get_data())
    inside = epsilon < 0.999
    where = (1 - epsilon) / 2  # below it the loss is larger
    event = laplace.cdf(where) - np.exp(epsilon) * laplace.cdf(where, 1)
    assert delta[inside] == pytest.approx(event[inside], rel=1e-9)
    assert epsilon[-1] == 1
    assert delta[-1] < 1e-8


@pytest.mark.parametrize("distance", [0.2, 1.0, 4.0])
def test_converted_epsilon_of_normal_distributions_is_that_at_the_best_order(distance):
    for delta in (1e-2, 1e-5, 1e-8):
        best = distance**2 / 2 + distance * math.sqrt(2 * math.log(1 / delta))
        found = pair_curve("normal", distance).converted(delta)
        assert best <= found * (1 + 1e-12) <= best * 1.001


@pytest.mark.parametrize("family", ["normal", "Laplace", "randomised response"])
def test_converted_epsilon_is_never_below_the_exact_one(family):
    for distance in (0.1, 1.0, 4.0):
        curve = pair_curve(family, distance)
        for delta in (0.4, 1e-3, 1e-8):
            assert curve.converted(delta) >= curve.profile.epsilon(delta)


@pytest.mark.parametrize("family", ["normal", "Laplace", "randomised response"])
def test_line_of_an_epsilon_is_below_the_errors_and_touches_them(family):
    best, guessing, line = pair_curve(family, 1, "tests").plot().get_lines()
    gap = best.get_ydata() - line.get_ydata()
    gap = gap[np.isfinite(gap)]
    assert gap.min() >= -1e-9
    assert gap.min() <= 2e-3  # the curve is drawn at steps of 0.01
    assert (best.get_ydata() <= guessing.get_ydata() + 1e-12).all()


def test_errors_of_the_best_test_of_normal_distributions_are_those_of_a_threshold():
    curve = pair_curve("normal", 1, "tests")
    missed = minimize_scalar(lambda s: abs(norm.sf(s) - 0.05), bounds=(0, 4), method="bounded").x
    assert f"{norm.cdf(missed, 1):.3f}"[:5] in curve.describe()


def test_composition_curve_is_in_order_and_enclosed():
    curve = composition_curve(0.05, 1e-6)
    assert curve.releases[0] == 1
    assert curve.releases[-1] == 1000
    for place, k in enumerate(curve.releases):
        found = curve.certified[place]
        assert found.certified
        assert found.upper <= curve.basic[place] * (1 + 1e-12)
        assert found.upper <= curve.concentrated[place] <= curve.advanced[place]
        deviation = 0.05 * math.sqrt(2 * k * math.log(1e6))
        assert curve.basic[place] == pytest.approx(0.05 * k)
        assert curve.advanced[place] == pytest.approx(deviation + 0.05 * k * math.expm1(0.05))
        assert curve.concentrated[place] == pytest.approx(deviation + 0.05**2 * k / 2)


def test_certified_composition_is_what_sampled_losses_say():
    curve = composition_curve(0.5, 0.01, 20)
    found = curve.certified[-1]
    rng = np.random.default_rng(3)
    outputs = rng.laplace(size=(200_000, 20))
    losses = (np.abs(outputs - 0.5) - np.abs(outputs)).sum(axis=1)
    excess = np.maximum(0, -np.expm1(found.upper - losses))
    error = excess.std() / math.sqrt(excess.size)
    assert abs(excess.mean() - 0.01) < 5 * error


def test_numbers_of_numpy_are_numbers():
    curve = composition_curve(np.int64(1), 1e-6, np.int64(3))
    assert curve.certified == composition_curve(1, 1e-6, 3).certified
    assert pair_curve("normal", np.int64(1)).describe() == pair_curve("normal", 1).describe()


def test_pictures_show_what_their_words_say():
    curve = composition_curve(0.05, 1e-6)
    labels = [text.get_text() for text in curve.plot().get_legend().get_texts()]
    assert labels == ["basic", "advanced", "by zCDP", "certified"]
    for values, line in zip((curve.basic, curve.advanced), curve.plot().get_lines(), strict=False):
        assert list(line.get_ydata()) == list(values)
    assert f"certified {curve.certified[-1].upper:.4g}" in curve.describe()
    assert f"{curve.advanced[-1]:.4g}" in curve._repr_html_()
    assert repr(curve).startswith("CompositionCurve(after 1000 releases: basic 50")
    normal = pair_curve("normal", 2)
    assert normal.describe().startswith("Two normal distributions, 2 standard deviations apart")
    assert f"{normal.converted(1e-5):.4g}" in normal.describe()
    assert "is 0 from epsilon 2 on" in pair_curve("Laplace", 2).describe()
    assert repr(normal).startswith("PairCurve(Two normal")


def test_frames_of_the_explorer_can_be_drawn():
    explorer = profile_explorer()
    assert "nan" not in repr(explorer)
    for frame in explorer.frames:
        assert "<img" in explorer.view(frame)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: pair_curve("gamma", 1), "family must be one of normal, Laplace"),
        (lambda: pair_curve("normal", 1, "roc"), "view must be one of delta, tests"),
        (lambda: pair_curve("normal", 0), "distance must be > 0 and finite, got 0"),
        (lambda: composition_curve(-1, 1e-6), "epsilon must be > 0 and finite, got -1"),
        (lambda: composition_curve(1, 1e-6, 1), "most must be an integer >= 2, got 1"),
        (lambda: composition_curve(1, 2), r"delta must be in \(0, 1\), got 2"),
    ],
)
def test_unusable_settings_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()
