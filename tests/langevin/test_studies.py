"""The studies of the paper: known numbers, other ways to the same, and what draws may show."""

import dataclasses
import math
import pickle

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import binom

from dpbook.langevin import FIGURE_1, studies
from dpbook.study import Scale, compute, run
from dpbook.teaching import figures

MODEL = {"alpha": 0.1, "beta": 1, "x_h": 1.8}


# --- Figure 1 -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def figure():
    return run("langevin-figure-1")


def by_steps(n, c, epochs):
    """The separation by taking every step at every position, in plain floats."""
    pull = MODEL["x_h"] ** 2 * MODEL["beta"]
    whole = MODEL["alpha"] + n * pull
    eta = 2 / whole**2
    mean, gap = 0.0, np.zeros(n)
    variance = np.full(n, 1 / MODEL["alpha"])
    rate, odd_rate = 1 - eta / 2 * whole, 1 - eta / 2 * (MODEL["alpha"] + n * pull / 4)
    for _ in range(epochs):
        for at in range(n):
            odd_drift = eta / 2 * n * pull * c / 4
            odd_mean = mean - gap[at]
            new = rate * mean + eta / 2 * n * pull * c
            odd_new = odd_rate * odd_mean + odd_drift
            odd_variance = odd_rate**2 * variance[at] + eta
            gap *= rate
            variance = rate**2 * variance + eta
            gap[at], variance[at], mean = new - odd_new, odd_variance, new
    return np.mean(gap**2 / variance)


def test_curve_is_that_of_every_step_at_every_position(figure):
    small = figure.curves[0]
    assert (small.n, small.c) == (2000, 2015)
    assert len(small.epochs) == 60 * 40
    assert small.epochs[-1] == 60
    for epochs in (1, 10, small.stop):
        found = small.separation[40 * epochs - 1]
        assert found == pytest.approx(by_steps(2000, 2015, epochs), rel=1e-7)


def test_sum_over_positions_and_quadrature_agree(figure):
    assert all(curve.difference < 1e-12 for curve in figure.curves)


def test_privacy_fails_where_the_curve_over_epochs_says_so(figure):
    for curve in figure.curves:
        whole = curve.setting.distinguishability(epsilon=1.6, delta=0.01, points=1)
        assert curve.failing == whole.failing
        assert curve.ends == pytest.approx(whole.divergence[1:].tolist(), rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("epoch", "separation", "divergence"),
    [(25, 3.0335, 0.299), (29, 1.7838, 0.14427), (60, 8.2e-8, 0.0)],
)
def test_paper_scale_has_the_known_numbers(epoch, separation, divergence):
    figure_1 = studies.figure_1
    settings = figure_1.scales["paper"].settings
    assert [setting["epoch"] for setting in settings] == list(range(60))
    assert {(s["n"], s["c"]) for s in settings} == {(FIGURE_1.n, FIGURE_1.c)}
    record = compute(figure_1, (settings[epoch - 1], 0), 0)
    assert record["step"][-1] == epoch * 1149019
    assert record["separation"][-1] == pytest.approx(separation, rel=5e-3 if epoch == 60 else 5e-5)
    assert record["divergence"] == pytest.approx(divergence, abs=5e-4)
    assert record["difference"] < 1e-12
    if epoch == 29:
        assert record["step"][-1] == 33_321_551
        assert record["divergence"] == pytest.approx(divergence, abs=5e-6)


def test_nothing_in_the_figure_is_random(figure):
    setting = studies.figure_1.scales["quick"].settings[70]
    one, other = (compute(studies.figure_1, (setting, 0), seed) for seed in (0, 1))
    assert one == other
    last = Scale([setting], replicates=2)
    alone = dataclasses.replace(studies.figure_1, scales={"quick": last})
    assert len(run(alone).curves[0].separation) == 40


def test_figure_shows_what_its_words_and_its_table_say(figure):
    ax = figure.plot()
    *curves, stops = ax.get_lines()
    for line, curve, row in zip(curves, figure.curves, figure.rows, strict=True):
        assert tuple(line.get_ydata()) == curve.separation
        assert tuple(line.get_xdata()) == curve.epochs
        assert row["peak"] == max(curve.separation)
        assert curve.epochs[curve.separation.index(row["peak"])] == row["epoch"]
        assert f"{row['at T']:.5g} at the stopping step T after {row['T/n']}" in figure.describe()
        assert row["eq. 16"] == pytest.approx(math.log(0.49), abs=1e-4)  # it says nothing
    assert "while eq. 16 shows nothing (epsilon >= -0.713)" in figure.describe()
    assert list(stops.get_ydata()) == [row["at T"] for row in figure.rows]
    assert [row["fails at ends"] for row in figure.rows] == ["11 to 19", "11 to 24"]
    assert figures.show(figure).alt == figure.describe()
    assert "<th>peak</th>" in figure._repr_html_()
    assert repr(figure).startswith("FigureOne(n=2000: at_stop=0.867874, peak=1.07339 at epoch")
    alone = dataclasses.replace(figure, curves=figure.curves[:1]).plot()
    assert "(1.6, 0.01)-DP fails" in [text.get_text() for text in alone.get_legend().get_texts()]


@pytest.mark.parametrize(
    ("epochs", "said"),
    [((), "none"), ((4,), "4"), ((4, 5), "4 to 5"), ((2, 4, 5), "2, 4, 5")],
)
def test_epoch_ends_are_a_range_only_when_they_are(epochs, said):
    assert studies._ends(epochs) == said


# --- algorithm 1 --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def audits():
    return run("langevin-pts")


def test_share_of_releases_is_its_probability(audits):
    assert len(audits.settings) == 4
    for one in audits.settings:
        count = round(one.released * one.runs)
        assert one.runs == 60_000
        # two-sided, 1e-8 a setting
        assert binom.cdf(count, one.runs, one.probability) > 5e-9
        assert binom.sf(count - 1, one.runs, one.probability) > 5e-9


@pytest.mark.parametrize(("place", "probability"), [(0, 0.857), (2, 0.968)])
def test_release_probabilities_are_the_known_ones(audits, place, probability):
    posterior, sgld = audits.settings[place : place + 2]
    assert posterior.probability == sgld.probability
    assert posterior.probability == pytest.approx(probability, abs=1e-3)


def test_draws_show_sgld_above_its_guarantee_at_epsilon_1_and_the_distributions_also_at_5(audits):
    posterior_1, sgld_1, posterior_5, sgld_5 = audits.settings
    for kept in (posterior_1, posterior_5):
        assert kept.audit <= kept.loss <= kept.guarantee
        assert kept.verdict == "kept on this pair"
    assert (sgld_1.guarantee, sgld_5.guarantee) == (5, 25)
    assert min(sgld_1.shown) > 5
    assert sgld_1.verdict == "broken, as draws show"
    assert max(sgld_5.shown) < 25 < sgld_5.loss  # so many draws cannot show that much
    assert sgld_5.verdict == "broken, as the distributions show"
    for one in audits.settings:
        # with so many draws an audit that grants delta 0.1 shows no more than the log of their number
        assert max(one.shown) <= min(one.loss, math.log(20_000))


def test_loss_is_at_least_what_the_half_line_shows(audits):
    sgld = audits.settings[3]
    # 115.7 is the squared gap of the means in variances at this setting
    plain = math.log(sgld.probability / 2 - 0.1)
    odd = math.log(sgld.probability) + log_ndtr(-math.sqrt(115.7))
    assert plain - odd < sgld.loss < 1.3 * (plain - odd)


def test_audits_show_what_their_words_and_their_table_say(audits):
    ax = audits.plot()
    guarantee, shown, exact = ax.get_lines()
    assert list(guarantee.get_xdata()) == [row["guarantee"] for row in audits.rows]
    assert list(shown.get_xdata()) == [row["audit"] for row in audits.rows]
    assert list(exact.get_xdata()) == [row["exact loss"] for row in audits.rows]
    low, high = ax.get_xlim()
    assert low < 0 < max(exact.get_xdata()) < high
    assert [text.get_text() for text in ax.get_yticklabels()][1].startswith("SGLD, ")
    for one in audits.settings:
        assert (
            f"audit {one.audit:.3g}, exact {one.loss:.4g}, so {one.verdict}." in audits.describe()
        )
    assert "<td>broken, as draws show</td>" in audits._repr_html_()
    assert "sgld, epsilon=5, n=200000: released=0.97, audit=" in repr(audits)


def test_more_replicates_are_joined(audits):
    [setting] = [s for s in studies.algorithm_1.scales["quick"].settings if s["n"] == 200_000][:1]
    fewer = dataclasses.replace(studies.algorithm_1, scales={"quick": Scale([setting])})
    [one] = run(fewer).settings
    [three] = [s for s in audits.settings if (s.sampler, s.n) == (one.sampler, one.n)]
    assert three.shown[:1] == one.shown
    assert (one.runs, three.runs) == (20_000, 60_000)


def test_where_all_is_null_the_guarantee_is_kept():
    [setting] = [
        s
        for s in studies.algorithm_1.scales["paper"].settings
        if (s["sampler"], s["n"]) == ("sgld", 100_000)
    ]
    few = Scale([{**setting, "draws": 1000}])
    [one] = run(dataclasses.replace(studies.algorithm_1, scales={"quick": few})).settings
    assert (one.released, one.probability, one.shown, one.loss) == (0, 0, (0,), 0)
    assert one.verdict == "kept: all is null"


def test_worker_processes_get_the_studies_by_name():
    for study in (studies.figure_1, studies.algorithm_1):
        assert pickle.loads(pickle.dumps(study)) is study
