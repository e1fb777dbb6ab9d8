"""What the pictures of the langevin chapters show, recomputed by other means."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import Setting, divergence

MODEL = {"alpha": 500, "beta": 20, "x_l": 1, "x_h": 4, "gamma_1": 0.25}


def setting(n, c):
    return Setting(n=n, c=c, **MODEL)


def neighbours(n, c):
    return setting(n, c).one_ratio_posteriors()


def test_neighbours_of_one_ratio_are_the_posteriors_of_their_records():
    for distribution, last in zip(neighbours(5, 3), (1, 4), strict=True):
        x = np.array([1, 1, 1, 1, last])
        precision = 500 + 20 * np.sum(x**2)
        assert distribution.variance == pytest.approx(1 / precision)
        assert distribution.mean == pytest.approx(20 * np.sum(x * 3 * x) / precision)


def test_exact_loss_is_the_integral():
    curve = setting(400, 1).loss_curve(order=3)
    first, second = neighbours(400, 1)

    def ratio(t):
        powers = ((3, first), (-2, second))
        return math.exp(
            sum(-p * ((t - q.mean) / q.sd) ** 2 / 2 - p * math.log(q.sd) for p, q in powers)
        )

    centre = first.mean
    integral, _ = quad(ratio, centre - 0.5, centre + 0.5, points=[centre], limit=200, epsrel=1e-10)
    loss = math.log(integral / math.sqrt(math.tau)) / 2
    assert curve.exact[curve.place] == pytest.approx(loss, rel=1e-6)


def test_the_print_fails_where_the_claim_was_refuted():
    curve = setting(322, 1e6).loss_curve(order=20)
    assert curve.exact[curve.place] > curve.printed[curve.place]
    assert math.isnan(curve.corrected[curve.place])
    assert curve.broken[0] == 322
    assert "bound as printed 2.865e+12, exceeded by the loss" in curve.describe()
    assert "The printed bound fails from 322 to" in curve.describe()
    assert "repaired: the lemma does not apply" in curve.describe()


@pytest.mark.parametrize("over", ["n", "order"])
def test_the_repaired_bound_holds_at_each_point(over):
    for c in (1, 1e6):
        curve = setting(4000, c).loss_curve(order=20, over=over)
        pairs = [(e, b) for e, b in zip(curve.exact, curve.corrected, strict=True) if b == b]
        assert len(pairs) > 5
        assert all(exact <= bound for exact, bound in pairs)


def test_a_curve_is_made_of_the_calculators():
    curve = setting(4000, 10).loss_curve(order=20)
    first, second = neighbours(4000, 10)
    assert curve.at[curve.place] == 4000
    assert curve.exact[curve.place] == divergence(first, second, 20).value
    for version, bounds in (("printed", curve.printed), ("corrected", curve.corrected)):
        bound = setting(4000, 10).loss_bound(order=20, version=version)
        assert bounds[curve.place] == bound.value
    assert repr(curve).startswith("LossCurve(n=4000, order=20, c=10, exact=")
    assert f"{curve.exact[curve.place]:.6g}" in curve._repr_html_()


def test_a_picture_shows_what_its_words_say():
    curve = setting(322, 1e4).loss_curve(order=20)
    ax = curve.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["exact loss", "bound as printed", "bound, repaired", "the print fails"]
    lines = ax.get_lines()
    assert list(lines[0].get_ydata()) == list(curve.exact)
    assert list(lines[1].get_ydata()) == list(curve.printed)
    assert lines[3].get_xdata() == [322]
    assert "order" in setting(322, 1e4).loss_curve(order=20, over="order").plot().get_xlabel()


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: setting(321, 1).loss_curve(order=20),
            DomainError,
            "langevin:lemma-4.2 needs n >",
        ),
        (
            lambda: setting(400, 1).loss_curve(order=20, over="c"),
            ValueError,
            'over must be "n" or "order"',
        ),
        (lambda: setting(400, 0).loss_curve(order=20), ValueError, "c must be > 0"),
        (lambda: neighbours(1, 1), ValueError, "n must be an integer >= 2, got 1"),
        (
            lambda: Setting(n=5, alpha=1, beta=1, x_l=2, x_h=1, c=1),
            ValueError,
            "x_l must be <= x_h = 1, got 2",
        ),
    ],
)
def test_unusable_settings_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
