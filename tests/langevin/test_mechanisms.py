"""Algorithm 1: its sensitivities by brute force, its ends by enumeration, its releases by their distributions."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import kstest, norm

from dpbook.engine.claims import record
from dpbook.engine.evaluate.public import compiled
from dpbook.engine.language.domain import DomainError
from dpbook.langevin import (
    OneRatio,
    ProposeTestSample,
    Setting,
    kernels,
    notation,
    posterior,
    release_loss,
    release_probability,
)
from dpbook.langevin.claims.appendix_c_privacy import limit_by_size
from dpbook.langevin.theory import release_probability as integration
from dpbook.langevin.theory.chain import epoch_distribution
from dpbook.privacy.audit import audit

LEAST = 1e-8  # p-value of a single test with a fixed seed
FAR = 5.73  # standard errors that a mean is off with the same probability
WORKABLE = {
    **{"epsilon": 5, "delta": 0.05, "alpha": 1, "beta": 3.3, "x_l": 0.5, "x_h": 1},
    **{"rho_1": 1.15, "rho_2": 0.29, "gamma_1": 0.3},
}
RHO_3 = 1.1
SMALL = {
    **{"epsilon": 50, "delta": 0.4, "alpha": 1, "beta": 2.9, "x_l": 0.5, "x_h": 1},
    **{"rho_1": 1.05, "rho_2": 0.06, "gamma_1": 0.1},
}
PTS = ProposeTestSample(**WORKABLE)
WITH_SGLD = ProposeTestSample(**WORKABLE, sampler="sgld")


def rng(seed=1):
    return np.random.default_rng(seed)


def pair(n):
    """D_3 and D_4 of eq. 8."""
    return OneRatio(n, n**RHO_3), OneRatio(n, n**RHO_3, odd=True)


# --- sensitivities --------------------------------------------------------------------------------


def test_one_record_moves_both_counts_by_one_at_most_and_the_centre_within_its_bound():
    """Neighbours at random, most of them at the corners of what V can hold."""
    random = rng(61)
    moved, reached = set(), 0.0
    for _ in range(3000):
        n, cap = int(random.integers(3, 40)), float(random.uniform(0.5, 20))
        low, high = 0.5, float(random.uniform(0.6, 3))
        corners = random.random() < 0.7
        x = random.choice([low, high], n + 1) if corners else random.uniform(low, high, n + 1)
        ratios = random.choice([0.0, cap, 1.5 * cap], n + 1, p=random.dirichlet([1, 1, 0.05]))
        if random.random() < 0.5:  # a common ratio, and a record that has another
            ratios[:-2] = ratios[0]
        sizes, centres = [], []
        for left_out in (n, n - 1):
            kept = np.delete(ratios, left_out) <= cap
            squares = (np.delete(x, left_out) ** 2)[kept]
            sizes.append(int(kept.sum()))
            centres.append(
                np.sum(squares * np.delete(ratios, left_out)[kept]) / max(sum(squares), 1)
            )
        moved.add(abs(sizes[0] - sizes[1]))
        n_2 = min(sizes)  # claim C.7: n_2 exceeds |V| with probability delta
        if n_2 > 1:
            bound = kernels.centre_sensitivity(cap, float(n_2), 1.0, low**2, high**2)
            reached = max(reached, abs(centres[0] - centres[1]) / bound)
    assert moved == {0, 1}
    assert 0.4 < reached < 1


def test_centre_sensitivity_is_line_13():
    found = PTS.centre_sensitivity(1000.0, 900.0)
    high, low = 1.0, 0.25  # squared covariates
    assert found == pytest.approx(
        1000**1.15 * (2 * 899 * high * low + high**2) / (900 * 899 * low**2), rel=1e-14
    )
    assert PTS.centre_sensitivity(1000.0, 901.0) < found < PTS.centre_sensitivity(1001.0, 900.0)


def test_centre_sensitivity_kernel_agrees_with_claim_c_8():
    cap, n_2, x_l, x_h = notation.largest_ratio, notation.n_2, notation.x_l, notation.x_h
    claimed = compiled(limit_by_size(n_2), cap, n_2, x_l, x_h)
    for ratio, count, low, high in ((3.5, 2.25, 0.5, 1.0), (1e9, 1e6 + 0.5, 0.1, 7.0)):
        found = kernels.centre_sensitivity(ratio, count, 1.0, low**2, high**2)
        assert found == pytest.approx(float(claimed(ratio, count, low, high)), rel=1e-14)
        assert kernels.centre_sensitivity.py_func(ratio, count, 1.0, low**2, high**2) == found


def test_margin_leaves_delta_to_an_overestimate():
    """Claim C.7: the noisy count exceeds the count with probability delta."""
    assert math.exp(-PTS.epsilon * PTS.margin) / 2 == pytest.approx(PTS.delta, rel=1e-14)


# --- where runs end -------------------------------------------------------------------------------


def run_by_hand(mechanism, dataset, random):
    """Algorithm 1 on records of one ratio, from its lines and `least_records`."""
    scale, n = 1 / mechanism.epsilon, dataset.n
    noisy = n - mechanism.margin + random.laplace(0.0, scale)
    if noisy <= 0:
        return 6
    whole = dataset.ratio <= noisy**mechanism.rho_1
    n_2 = whole * n - mechanism.margin + random.laplace(0.0, scale)
    if n_2 <= 1:
        return 10
    if not whole:
        return 12
    spread = mechanism.centre_sensitivity(noisy, n_2) * scale
    centre = dataset.ratio + random.laplace(0.0, spread)
    if centre <= 0:
        return 13
    if abs(centre - dataset.ratio) > n_2**mechanism.rho_2:
        return 14
    n_w = n - mechanism.margin + random.laplace(0.0, scale)
    return 17 if mechanism.least_records(centre, n_2, n) > n_w else 0


@pytest.mark.parametrize("version", ["corrected", "printed"])
@pytest.mark.parametrize(
    ("parameters", "n", "ratio"),
    [
        (WORKABLE, 108_124, 108_124**1.05),
        (WORKABLE, 112_887, 112_887**1.1),
        (SMALL, 125, 0.2),
        ({**SMALL, "epsilon": 0.5, "delta": 0.48}, 3, 2.0),
        ({**SMALL, "epsilon": 0.1, "delta": 0.48}, 30, 40.0),
    ],
)
def test_kernel_runs_the_lines(parameters, n, ratio, version):
    mechanism = ProposeTestSample(**parameters, version=version)
    dataset = OneRatio(n, ratio)
    by_kernel, first, second = np.empty(300, dtype=np.int8), rng(7), rng(7)
    again = by_kernel.copy()
    constants = (
        *(n, ratio, mechanism.epsilon, mechanism.margin, mechanism.rho_1, mechanism.rho_2),
        *(mechanism.x_l**2, mechanism.x_h**2, mechanism.least_in_logs(n)),
    )
    kernels.one_ratio_lines(by_kernel, *constants, first)
    kernels.one_ratio_lines.py_func(again, *constants, rng(7))
    assert by_kernel.tolist() == [run_by_hand(mechanism, dataset, second) for _ in range(300)]
    assert np.array_equal(by_kernel, again)


def test_every_line_that_can_end_a_run_ends_some():
    noisy = {**SMALL, "epsilon": 0.05, "delta": 0.49}
    runs = ProposeTestSample(**noisy).runs(OneRatio(30, 25.0), 20_000, rng())
    assert set(runs.ended) == {6, 10, 12, 13, 14, 17}
    assert runs.released + sum(runs.ended.values()) == runs.size
    assert ProposeTestSample(**SMALL).runs(OneRatio(500, 5.0), 1000, rng()).released > 900


def test_runs_on_records_are_runs_on_one_ratio():
    """The same noise, drawn in the same order, ends at the same line with the same numbers."""
    noisy = ProposeTestSample(**{**SMALL, "epsilon": 0.05, "delta": 0.49})
    ended = set()
    for mechanism, dataset, seeds in (
        (noisy, OneRatio(30, 25.0), 300),
        (ProposeTestSample(**SMALL), OneRatio(300, 5.0, odd=True), 5),
    ):
        x, y = dataset.records(mechanism.x_h)
        for seed in range(seeds):
            release = mechanism.release(x, y, rng(seed))
            line = run_by_hand(mechanism, dataset, rng(seed))
            assert release.line == (line or 19)
            assert (release.value is None) == (line > 0)
            ended.add(release.line)
    assert ended == {6, 10, 12, 13, 14, 17, 19}


def test_a_release_tells_its_way():
    x, y = OneRatio(300, 5.0).records(1.0)
    x, y = np.append(x, [9.0, -1.0, 1.0]), np.append(y, [50.0, 3.0, -4.0])  # to be clipped
    release = ProposeTestSample(**SMALL).release(x, y, rng(3))
    assert release.n_1 == 303
    assert release.size_v == 303
    # clipped to ratios 50, 6 and 0; noisy_n_1**rho_1 is about 400, n_2**rho_2 about 1.4
    squares = np.append(np.ones(300), [1, 0.25, 1])
    assert release.centre == pytest.approx(np.sum(squares * [*[5] * 300, 50, 6, 0]) / squares.sum())
    kept = 300 + (abs(6 - release.noisy_centre) <= release.n_2**0.06)
    assert release.size_w == kept
    assert release.n_min <= release.n_w
    assert release.line == 19
    assert abs(release.value - 5) < 1


def test_release_of_a_posterior_draw_has_the_distribution_of_w():
    dataset = OneRatio(500, 5.0, odd=True)
    mechanism = ProposeTestSample(**SMALL)
    x, y = dataset.records(1.0)
    distribution = posterior(x, y, alpha=1, beta=2.9)
    assert mechanism.posterior(dataset).mean == pytest.approx(distribution.mean, rel=1e-14)
    assert mechanism.posterior(dataset).variance == pytest.approx(distribution.variance, rel=1e-14)
    drawn = mechanism(dataset, 20_000, rng(5))
    kept = drawn[~np.isnan(drawn)]
    assert kstest(kept, norm(distribution.mean, distribution.sd).cdf).pvalue > LEAST
    one_by_one = [mechanism.release(x, y, rng(seed)).value for seed in range(200)]
    values = np.array([value for value in one_by_one if value is not None])
    assert kstest(values, norm(distribution.mean, distribution.sd).cdf).pvalue > LEAST


def test_one_epoch_at_the_learning_rate_of_claim_4_2_is_what_its_steps_give():
    n, alpha, beta, x_h, c = 7, 0.5, 2.9, 1.25, 3.0
    total = alpha + n * x_h**2 * beta
    rate = 1 / total**2
    distribution = epoch_distribution(
        Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=c), np.arange(1, n + 1)
    )
    for place in range(n + 1):  # 0: all records are alike
        mean, variance = 0.0, 1 / alpha
        for at in range(1, n + 1):
            x = x_h / 2 if at == place else x_h
            grown = 1 - rate / 2 * (alpha + n * x**2 * beta)
            mean = grown * mean + rate / 2 * n * x * (c * x) * beta
            variance = grown**2 * variance + rate
        if place:
            assert distribution.gap[place - 1] == pytest.approx(distribution.mean - mean, rel=1e-9)
            assert distribution.odd_variance[place - 1] == pytest.approx(variance, rel=1e-13)
        else:
            assert (distribution.mean, distribution.variance) == pytest.approx(
                (mean, variance), rel=1e-13
            )


def test_release_of_sgld_as_printed_has_the_distribution_of_one_epoch():
    mechanism = ProposeTestSample(**SMALL, sampler="sgld", version="printed")
    n, ratio = 500, 5.0
    distribution = epoch_distribution(
        Setting(n=n, alpha=1, beta=2.9, x_h=1, c=ratio), np.arange(1, n + 1)
    )
    plain = mechanism(OneRatio(n, ratio), 20_000, rng(8))
    kept = plain[~np.isnan(plain)]
    assert (
        kstest(kept, norm(distribution.mean, math.sqrt(distribution.variance)).cdf).pvalue > LEAST
    )

    def mixture(at):
        scaled = (np.asarray(at)[:, None] - distribution.mean + distribution.gap) / np.sqrt(
            distribution.odd_variance
        )
        return ndtr(scaled).mean(axis=1)

    odd = mechanism(OneRatio(n, ratio, odd=True), 2_000, rng(9))
    assert kstest(odd[~np.isnan(odd)], mixture).pvalue > LEAST
    x, y = OneRatio(n, ratio, odd=True).records(1.0)
    by_steps = np.array([mechanism.release(x, y, rng(seed)).value for seed in range(150)], float)
    assert kstest(by_steps[~np.isnan(by_steps)], mixture).pvalue > LEAST
    with pytest.raises(DomainError, match='learning rate of section 4.2, got version="printed"'):
        release_loss(mechanism, n, ratio)


def test_release_of_sgld_has_the_exact_distribution_of_the_chain():
    mechanism = ProposeTestSample(**SMALL, sampler="sgld")
    n, ratio = 500, 5.0
    step = Setting(n=n, alpha=1, beta=2.9, x_h=1, c=1).stopping_step()
    distribution = Setting(n=n, alpha=1, beta=2.9, x_h=1, c=ratio).distribution(
        step, np.arange(1, n + 1)
    )
    plain = mechanism(OneRatio(n, ratio), 20_000, rng(6))
    kept = plain[~np.isnan(plain)]
    assert (
        kstest(kept, norm(distribution.mean, math.sqrt(distribution.variance)).cdf).pvalue > LEAST
    )

    def mixture(at):
        scaled = (np.asarray(at)[:, None] - distribution.odd_mean) / np.sqrt(
            distribution.odd_variance
        )
        return ndtr(scaled).mean(axis=1)

    odd = mechanism(OneRatio(n, ratio, odd=True), 2_000, rng(7))
    assert kstest(odd[~np.isnan(odd)], mixture).pvalue > LEAST
    # on records the chain itself is run, with the same step and learning rate
    x, y = OneRatio(n, ratio, odd=True).records(1.0)
    by_steps = np.array([mechanism.release(x, y, rng(seed)).value for seed in range(150)], float)
    assert kstest(by_steps[~np.isnan(by_steps)], mixture).pvalue > LEAST


# --- how often a draw is released -----------------------------------------------------------------


def test_release_probabilities_at_workable_constants():
    for n, probability, digits in ((10**5, 0, 12), (2 * 10**5, 0.968, 3), (10**6, 0.987, 3)):
        dataset, _ = pair(n)
        found = release_probability(PTS, dataset)
        assert round(found.value, digits) == probability
        assert found.error < 1e-8
    least = PTS.least_records(1e5**RHO_3, 1e5, 10**5)
    assert int(least.least) == 108_123
    assert least.binding.name == "radius"


CLOSE = [
    (WORKABLE, 108_123, 108_123**1.05),  # the radius binds, and n is close to it
    (WORKABLE, 108_124, 108_124**1.05),
    (WORKABLE, 112_884, 112_884**1.1),  # the centre binds
    (WORKABLE, 112_887, 112_887**1.1),
    (WORKABLE, 200_000, 200_000**1.1),
    (SMALL, 1000, (1000 - 0.0044) ** 1.05),  # V is whole or empty
    (SMALL, 125, 0.2),  # the noisy centre can be negative
    (SMALL, 120, 3.0),
    ({**SMALL, "rho_2": 0.099, "epsilon": 5}, 2000, 2.0),
]


@pytest.mark.parametrize("version", ["corrected", "printed"])
@pytest.mark.parametrize(("parameters", "n", "ratio"), CLOSE)
def test_simulation_and_integration_agree(parameters, n, ratio, version):
    """Two-sided at 1e-8 for each of 18 settings."""
    mechanism, dataset = ProposeTestSample(**parameters, version=version), OneRatio(n, ratio)
    found = release_probability(mechanism, dataset)
    runs = mechanism.runs(dataset, 400_000, rng(11))
    error = math.sqrt(found.value * (1 - found.value) / runs.size)
    assert abs(runs.probability - found.value) <= FAR * error + found.error
    assert found.error < 1e-6


def test_stated_error_covers_a_finer_rule():
    for parameters, n, ratio in CLOSE:
        mechanism, dataset = ProposeTestSample(**parameters), OneRatio(n, ratio)
        found = release_probability(mechanism, dataset)
        entries = mechanism.least_in_logs(n)
        finer = integration._Integral(mechanism, dataset, entries, 24).value()
        assert abs(finer - found.value) <= found.error < 1e-6


def test_far_from_every_threshold_only_the_centre_decides():
    """W is missed where the noise of the centre exceeds the radius; at n = 10**10 n_2 is n."""
    n = 10**10
    found = release_probability(PTS, OneRatio(n, n**RHO_3)).value
    units = n**0.29 / (PTS.centre_sensitivity(n, n) / PTS.epsilon)
    assert 1 - found == pytest.approx(math.exp(-units), rel=1e-5)


def test_a_halved_record_changes_no_probability():
    plain, odd = pair(150_000)
    assert release_probability(PTS, plain) == release_probability(PTS, odd)


def test_print_releases_where_the_repair_does_not():
    """The square of S that is lost in print makes n_min too small where x_l is large."""
    model = {"x_h": 4, "x_l": 2, "beta": 3, "alpha": 1e4, "epsilon": 5, "delta": 0.1}
    model |= {"rho_1": 1.05, "gamma_1": 0.06, "rho_2": 0.055}
    dataset = OneRatio(10**9, 1e9**1.04)
    printed, corrected = (
        ProposeTestSample(**model, version=version) for version in ("printed", "corrected")
    )
    least = [one.least_records(1e9**1.04, 1e9, 10**9) for one in (printed, corrected)]
    assert least[0] < 10**9 < int(least[1].least)
    assert release_probability(printed, dataset).value == pytest.approx(0.5, abs=0.001)
    assert release_probability(corrected, dataset).value == 0


# --- what a release tells -------------------------------------------------------------------------


def test_sgld_breaks_the_guarantee_and_the_posterior_keeps_it_exactly():
    """At epsilon = 5 no number of draws shows it: the odd event has probability 3e-27."""
    loss = release_loss(WITH_SGLD, 200_000, 200_000**RHO_3)
    assert loss.guarantee == (25, 0.1)
    assert 2e-27 < math.exp(loss.log_odd) / loss.release.value < 4e-27
    assert loss.half_line == pytest.approx(60.2, abs=0.1)
    assert loss.epsilon > loss.half_line
    assert loss.broken
    kept = release_loss(PTS, 200_000, 200_000**RHO_3)
    assert kept.epsilon < 25
    assert not kept.broken


def test_a_posterior_draw_breaks_its_guarantee_with_the_printed_threshold():
    """In centimetres n_min without the square lets a draw through that tells too much.

    The gap is the exact difference of the two means, which agree in 13 digits.
    """
    model = {"alpha": 3e5, "beta": 8.25e-5, "x_l": 100, "x_h": 200, "epsilon": 5, "delta": 0.05}
    model |= {"rho_1": 1.05, "rho_2": 0.055, "gamma_1": 0.06}
    n, ratio = 10**9, 1e9**1.04
    alpha, beta, c = (Fraction(one) for one in (model["alpha"], model["beta"], ratio))
    squares = [n * 200**2, (n - 1) * 200**2 + 100**2]
    precisions = [alpha + beta * one for one in squares]
    means = [c * beta * s / p for s, p in zip(squares, precisions, strict=True)]
    gap = float(means[0] - means[1]) * math.sqrt(precisions[1])
    printed = release_loss(ProposeTestSample(**model, version="printed"), n, ratio)
    assert printed.release.value == pytest.approx(0.5, abs=0.01)
    assert printed.log_odd == pytest.approx(math.log(printed.release.value) + norm.logsf(gap))
    assert printed.half_line > 42 > printed.guarantee[0] == 25
    assert printed.epsilon > 46
    assert printed.broken
    corrected = release_loss(ProposeTestSample(**model), n, ratio)
    assert (corrected.release.value, corrected.epsilon) == (0, 0)


def test_half_line_is_the_mixture_over_all_positions():
    mechanism = ProposeTestSample(**SMALL, sampler="sgld")
    n, ratio = 500, 50.0
    loss = release_loss(mechanism, n, ratio)
    distribution = Setting(n=n, alpha=1, beta=2.9, x_h=1, c=ratio).distribution(
        Setting(n=n, alpha=1, beta=2.9, x_h=1, c=1).stopping_step(), np.arange(1, n + 1)
    )
    mass = (
        norm.sf(distribution.gap / np.sqrt(distribution.odd_variance)).mean() * loss.release.value
    )
    assert math.log(mass) <= loss.log_odd <= math.log(mass) + 0.02 * abs(math.log(mass))


def test_audit_shows_sgld_above_its_guarantee_and_the_posterior_below():
    """At epsilon = 1: 100 000 draws from the exact distributions against (5, 0.1), confidence 1 - 1e-6."""
    n = 330_000_000
    plain, odd = pair(n)
    constants = {**WORKABLE, "epsilon": 1}
    found = {
        sampler: audit(
            ProposeTestSample(**constants, sampler=sampler),
            *(plain, odd, 100_000, 1 - 1e-6, rng(13)),
            delta=0.1,
        )
        for sampler in ("sgld", "posterior")
    }
    assert found["sgld"].epsilon_lower > 8 > 5
    assert found["posterior"].epsilon_lower < 5
    # so many draws cannot show more
    assert found["sgld"].epsilon_lower < math.log(0.4 * 100_000 * 2 / 3.7)
    loss = release_loss(ProposeTestSample(**constants, sampler="sgld"), n, n**RHO_3)
    assert round(loss.release.value, 2) == 0.86
    assert loss.half_line > 600


@pytest.mark.parametrize("mechanism", [PTS, WITH_SGLD])
def test_with_too_few_records_every_release_is_null(mechanism):
    drawn = mechanism(OneRatio(10**5, 1e5**RHO_3), 1000, rng())
    assert np.isnan(drawn).all()


# --- accounting -----------------------------------------------------------------------------------


def test_lines_add_up_to_claim_4_1():
    accounting = PTS.accounting
    assert accounting.epsilon == pytest.approx(5 * PTS.epsilon)
    assert accounting.delta == pytest.approx(2 * PTS.delta)
    assert [line.line for line in accounting.lines] == ["6", "8", "13", "15", "19"]
    assert repr(accounting) == (
        "Accounting(6: (5, 0), 8: (5, 0), 13: (5, 0.05), 15: (5, 0), 19: (5, 0.05); "
        "in all (25, 0.1))"
    )
    assert "In all (25, 0.1)." in accounting.describe()
    assert accounting._repr_html_().count("<tr>") == 7


def test_nothing_is_guaranteed_with_sgld_or_the_printed_threshold():
    assert WITH_SGLD.accounting.epsilon == math.inf
    assert WITH_SGLD.accounting.lines[-1].claim == "langevin:lemma-a.6"
    as_printed = ProposeTestSample(**WORKABLE, sampler="sgld", version="printed").accounting
    assert as_printed.epsilon == math.inf
    assert as_printed.lines[-1].claim.startswith("langevin:claim-4.2, supported only")
    assert as_printed.lines[-1].what == "SGLD after n_1 steps"
    printed = ProposeTestSample(**WORKABLE, version="printed").accounting
    assert printed.epsilon == math.inf
    assert "langevin:claim-c.11 is refuted" in printed.lines[-1].claim


@pytest.mark.parametrize("sampler", ["posterior", "sgld"])
@pytest.mark.parametrize("version", ["corrected", "printed"])
def test_a_line_that_names_a_claim_alone_names_one_that_is_proved(sampler, version):
    spent = ProposeTestSample(**WORKABLE, sampler=sampler, version=version).accounting
    recorded = record.read_record(record.record_path("langevin"))
    for said in (*(line.claim for line in spent.lines), spent.claim):
        key = re.search(r"langevin:[\w.-]+\w", said).group()
        verdict = "proved" if said == key else "refuted" if "refuted" in said else "supported"
        assert recorded[key]["verdict"] == verdict, said


# --- what is shown and what is refused ------------------------------------------------------------


def test_results_show_what_they_say():
    x, y = OneRatio(300, 5.0).records(1.0)
    small = ProposeTestSample(**SMALL)
    release = small.release(x, y, rng(3))
    assert repr(release).startswith(f"Release({release.value:.6g}; records 300, ")
    assert "OpenDP" in release.describe()
    assert "OpenDP" in release._repr_html_()
    assert len(release.plot().get_lines()[0].get_xdata()) == 6
    null = next(r for s in range(99) if (r := PTS.release(x, y, rng(s))).line == 17)
    assert "null at line 17: the noisy number of records of W is below n_min" in repr(null)
    runs = small.runs(OneRatio(125, 0.2), 1000, rng())
    assert repr(runs).startswith(f"Runs(1000, released: {runs.released}, line 13: ")
    assert f"released {runs.probability:.4g}" in runs.describe()
    assert [patch.get_height() for patch in runs.plot().patches][0] == runs.probability
    loss = release_loss(WITH_SGLD, 200_000, 200_000**RHO_3)
    assert "is broken" in loss._repr_html_()
    assert "breaks the guarantee (25, 0.1)" in loss.describe()
    curve, mark = loss.plot().get_lines()
    assert (mark.get_xdata()[0], mark.get_ydata()[0]) == (25, 0.1)
    at = curve.get_xdata()[60]
    expected = loss.release.value * max(loss.profile.delta(at), loss.profile.reverse.delta(at))
    assert curve.get_ydata()[60] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"epsilon": -1.0}, ValueError, "epsilon must be > 0 and finite, got -1.0"),
        ({"delta": 0.5}, ValueError, "delta must be < 1/2, got 0.5"),
        ({"x_l": 1.0}, ValueError, "x_l must be < x_h = 1, got 1.0"),
        (
            {"beta": 2.8},
            DomainError,
            "langevin:claim-d.16 needs x_h**2 * beta > 2 / log(2) = 2.88539",
        ),
        ({"gamma_1": 0.5}, DomainError, "langevin:eq-26-corrected needs gamma_1 < 1/2"),
        ({"rho_1": 1.5}, ValueError, "rho_1 must be in (1, 3/2), got 1.5"),
        ({"rho_1": 1.3}, DomainError, "langevin:claim-c.4 needs rho_1 < 1 + rho_2 = 1.29, got"),
        ({"rho_2": 0.3}, ValueError, "rho_2 must be < gamma_1 = 0.3, got 0.3"),
        ({"sampler": "map"}, ValueError, 'sampler must be "posterior" or "sgld", got \'map\''),
        ({"version": "new"}, ValueError, 'version must be "corrected" or "printed", got \'new\''),
    ],
)
def test_parameters_outside_the_algorithm_are_refused(change, error, message):
    with pytest.raises(error) as caught:
        ProposeTestSample(**{**WORKABLE, **change})
    assert str(caught.value).startswith(message)


def test_data_outside_the_algorithm_are_refused():
    with pytest.raises(
        ValueError, match=r"^x and y must have one shape \(n,\), got \(2,\) and \(3,\)"
    ):
        PTS.release([1, 1], [1, 1, 1])
    with pytest.raises(ValueError, match="^x must hold 2 records at least, got 1"):
        PTS.release([1], [1])
    with pytest.raises(ValueError, match="^records must be finite"):
        PTS.release([1, np.inf], [1, 1])
    with pytest.raises(ValueError, match="^rng must be a numpy.random.Generator or None, got 3"):
        PTS.release([1, 1], [1, 1], rng=3)
    with pytest.raises(ValueError, match="^n must be an integer >= 2, got 1"):
        OneRatio(1, 2.0)
    with pytest.raises(ValueError, match="^ratio must be > 0 and finite, got 0"):
        OneRatio(5, 0)
    narrow = ProposeTestSample(**{**WORKABLE, "x_l": 0.6})
    with pytest.raises(
        DomainError, match=r"^langevin:eq-8 needs x_l <= x_h / 2 = 0.5, got x_l = 0.6"
    ):
        narrow(OneRatio(10, 1.0, odd=True), 5, rng())
