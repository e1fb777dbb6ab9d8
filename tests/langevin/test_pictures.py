"""What the pictures of the langevin chapters show, recomputed by other means."""

import math

import numpy as np
import pytest
from scipy.integrate import quad

from dpbook.engine.domain import DomainError
from dpbook.langevin import chain_law, divergence, kernels, loss_bound, loss_curve
from dpbook.langevin import one_ratio_posteriors as neighbours

MODEL = {"alpha": 500, "beta": 20, "x_l": 1, "x_h": 4}


def test_neighbours_of_one_ratio_are_the_posteriors_of_their_records():
    for law, last in zip(neighbours(5, **MODEL, c=3), (1, 4), strict=True):
        x = np.array([1, 1, 1, 1, last])
        precision = 500 + 20 * np.sum(x**2)
        assert law.variance == pytest.approx(1 / precision)
        assert law.mean == pytest.approx(20 * np.sum(x * 3 * x) / precision)


def test_exact_loss_is_the_integral():
    curve = loss_curve(400, order=3, c=1)
    first, second = neighbours(400, **MODEL, c=1)

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
    curve = loss_curve(322, order=20, c=1e6)
    assert curve.exact[curve.place] > curve.printed[curve.place]
    assert math.isnan(curve.corrected[curve.place])
    assert curve.broken[0] == 322
    assert "bound as printed 2.865e+12, exceeded by the loss" in curve.describe()
    assert "The printed bound fails from 322 to" in curve.describe()
    assert "repaired: the lemma does not apply" in curve.describe()


@pytest.mark.parametrize("over", ["n", "order"])
def test_the_repaired_bound_holds_at_each_point(over):
    for c in (1, 1e6):
        curve = loss_curve(4000, order=20, c=c, over=over)
        pairs = [(e, b) for e, b in zip(curve.exact, curve.corrected, strict=True) if b == b]
        assert len(pairs) > 5
        assert all(exact <= bound for exact, bound in pairs)


def test_a_curve_is_made_of_the_calculators():
    curve = loss_curve(4000, order=20, c=10)
    first, second = neighbours(4000, **MODEL, c=10)
    assert curve.at[curve.place] == 4000
    assert curve.exact[curve.place] == divergence(first, second, 20).value
    for version, bounds in (("printed", curve.printed), ("corrected", curve.corrected)):
        bound = loss_bound(4000, **MODEL, c=10, gamma_1=0.25, order=20, version=version)
        assert bounds[curve.place] == bound.value
    assert repr(curve).startswith("LossCurve(n=4000, order=20, c=10, exact=")
    assert f"{curve.exact[curve.place]:.6g}" in curve._repr_html_()


def test_a_picture_shows_what_its_words_say():
    curve = loss_curve(322, order=20, c=1e4)
    ax = curve.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["exact loss", "bound as printed", "bound, repaired", "the print fails"]
    lines = ax.get_lines()
    assert list(lines[0].get_ydata()) == list(curve.exact)
    assert list(lines[1].get_ydata()) == list(curve.printed)
    assert lines[3].get_xdata() == [322]
    assert "order" in loss_curve(322, order=20, c=1e4, over="order").plot().get_xlabel()


def test_chain_law_is_the_recursion_step_by_step():
    n, alpha, beta, x_h, c, position = 7, 2.0, 3.0, 1.5, 4.0, 3
    law = chain_law(n, alpha=alpha, beta=beta, x_h=x_h, c=c, epochs=4, position=position)
    eta = 2 / (alpha + n * x_h**2 * beta) ** 2
    for odd, means, variances in (
        (None, law.mean, law.variance),
        (position, law.odd_mean, law.odd_variance),
    ):
        mean, variance = 0.0, 1 / alpha
        for epoch in range(5):
            assert means[epoch] == pytest.approx(mean, rel=1e-12)
            assert variances[epoch] == pytest.approx(variance, rel=1e-12)
            for i in range(1, n + 1):
                x = x_h / 2 if i == odd else x_h
                rate = 1 - eta / 2 * (alpha + n * x**2 * beta)
                mean = rate * mean + eta / 2 * n * c * x**2 * beta
                variance = rate**2 * variance + eta
    assert law.gap[0] == 0
    assert f"distance is {law.gap[-1]:.4g} of it" in law.describe()
    assert repr(law).startswith("ChainLaw(epochs=4, mean=")
    first, second = law.plot().get_lines()
    assert list(first.get_ydata()) == pytest.approx(
        [abs(a - b) for a, b in zip(law.mean, law.odd_mean, strict=True)][1:]
    )
    assert list(second.get_ydata()) == pytest.approx(np.sqrt(law.variance))


def test_epoch_laws_run_the_same_in_plain_python():
    arrays = [(np.zeros(4), np.ones(4)) for _ in range(2)]
    for run, (mean, variance) in zip(
        (kernels.epoch_laws, kernels.epoch_laws.py_func), arrays, strict=True
    ):
        run(mean, variance, 5, 0.9, 0.95, 0.1, 0.05, 0.01, 2)
    assert np.array_equal(arrays[0], arrays[1])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: loss_curve(321, order=20, c=1), DomainError, "langevin:lemma-4.2 needs n >"),
        (
            lambda: loss_curve(400, order=20, c=1, over="c"),
            ValueError,
            'over must be "n" or "order"',
        ),
        (lambda: loss_curve(400, order=20, c=0), ValueError, "c must be > 0"),
        (lambda: neighbours(1, **MODEL, c=1), ValueError, "n must be >= 2, got 1"),
        (
            lambda: neighbours(5, alpha=1, beta=1, x_l=2, x_h=1, c=1),
            ValueError,
            "x_l must be <= x_h = 1, got 2",
        ),
        (
            lambda: chain_law(1, alpha=1, beta=1, x_h=1, c=1, epochs=1),
            ValueError,
            "n must be >= 2, got 1",
        ),
        (
            lambda: chain_law(5, alpha=1, beta=1, x_h=1, c=1, epochs=0),
            ValueError,
            "epochs must be >= 1, got 0",
        ),
        (
            lambda: chain_law(5, alpha=1, beta=1, x_h=1, c=1, epochs=1, position=6),
            ValueError,
            "position must be 1 to n = 5, got 6",
        ),
    ],
)
def test_unusable_settings_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        call()
