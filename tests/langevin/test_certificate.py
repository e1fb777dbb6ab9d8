"""Thresholds and certificates against the paper's formulas at 50 digits, and against each other."""

import math

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbook.engine.language.domain import DomainError
from dpbook.langevin import (
    Setting,
    certify,
    least_records,
    least_records_for_centre,
    least_records_for_power,
    theorem_1,
)
from dpbook.langevin.theory.sizes import Whole, exact

mpmath.mp.dps = 50
EQ_27 = {"alpha": 1, "beta": 3, "x_h": 1, "x_l": 0.5, "rho_2": 0.45, "gamma_1": 0.49}
FIGURE_1 = {"epsilon": 1.6, "delta": 0.01, "alpha": 0.1, "beta": 1, "x_h": 1.8, "x_l": 0.9}
PRINT = {"alpha": 10, "beta": 3, "x_h": 2, "gamma_1": 0.05, "gamma_2": 1.35}

models = st.fixed_dictionaries(
    {
        "epsilon": st.floats(0.05, 20),
        "delta": st.floats(1e-9, 0.45),
        "alpha": st.floats(0.01, 100),
        "beta": st.floats(0.1, 50),
        "x_l": st.floats(0.2, 1),
        "x_h": st.floats(1, 5),
        "gamma_1": st.floats(0.02, 0.4),
    }
)


# --- the formulas, transcribed from the paper -----------------------------------------------------


def constants(model):
    """Order, squared ratio of the covariates and weight of a record, at 50 digits."""
    exact = {name: mpmath.mpf(value) for name, value in model.items()}
    order = 1 + 2 * mpmath.log(1 / exact["delta"]) / exact["epsilon"]
    ratio = exact["x_h"] ** 2 / exact["x_l"] ** 2
    weight = exact["x_h"] ** 2 * exact["alpha"] + exact["x_h"] ** 4 * exact["beta"]
    return order, ratio, weight, exact


def of_algorithm(model, c, n, rho_2, version):
    """Entries of eq. 26, as printed or with the four repairs."""
    nu, ratio, weight, v = constants(model)
    eps, beta, x_l, x_h, g = (v[k] for k in ("epsilon", "beta", "x_l", "x_h", "gamma_1"))
    c, nine = mpmath.mpf(c), mpmath.mpf(9) / 10
    cross = 32 * nu * beta / eps * x_h**2 * beta / (nine * (x_l**2 * beta) ** 2) * weight
    radius = (16 * nu * beta * x_h**4 / (nine * eps * x_l**2)) ** (1 / (1 - 2 * g))
    kept = mpmath.mpf(n) ** (mpmath.mpf(rho_2) / g)
    shared = [radius, (cross * c) ** (1 / (2 - g)), cross ** (1 / (2 - 2 * g)), kept]
    if version == "printed":
        square = 8 * nu / eps * weight / (nine * x_l**6 * beta)
        return [
            *shared,
            1 + ratio * 8 / eps,
            1 + nu * ratio * (1 + 8 * (nu - 1) / eps),
            (square * c) ** (mpmath.mpf(2) / 3),
            square ** (2 / (3 - 2 * g)),
            1 + ratio * 10 * nu / beta,
            1 + nu * ratio,
        ]
    square = 16 * nu / eps * weight**2 / (nine * x_l**6 * beta)
    return [*shared, mpmath.cbrt(square * c**2), square ** (1 / (3 - 2 * g)), 1 + 10 * nu * ratio]


def of_draw(model, version, centre, first, last):
    """Entries of claims D.29 and D.30 for c + n**gamma_1, or for its bound over n**gamma_2."""
    nu, ratio, weight, v = constants(model)
    eps, beta, x_l, x_h, g = (v[k] for k in ("epsilon", "beta", "x_l", "x_h", "gamma_1"))
    nine = mpmath.mpf(9) / 10
    cross = 16 * nu * beta / eps * x_h**2 * beta * weight / (nine * (x_l**2 * beta) ** 2)
    square = 4 * nu / eps * weight**2 / (nine * x_l**6 * beta)
    shared = [
        (16 * nu * beta * x_h**4 / (nine * eps * x_l**2)) ** (1 / (1 - 2 * g)),
        (cross * centre) ** first,
    ]
    if version == "corrected":
        return [*shared, (square * centre**2) ** last, 1 + 10 * nu * ratio]
    return [
        *shared,
        (square * centre) ** (2 * last),
        1 + ratio * 8 / eps,
        1 + nu * ratio * (1 + 8 * (nu - 1) / eps),
        1 + 10 * ratio * nu / beta,
        1 + nu * ratio,
    ]


def agrees(threshold, entries):
    """Whether the entries are these numbers, in any order, to 12 digits of their logarithms."""
    wanted = sorted(float(mpmath.log10(entry)) for entry in entries)
    return sorted(entry.log10 for entry in threshold.entries) == pytest.approx(wanted, rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(model=models, c=st.floats(0.1, 1e12), n=st.floats(2, 1e9), part=st.floats(0.05, 0.95))
@pytest.mark.parametrize("version", ["printed", "corrected"])
def test_n_min_is_eq_26(version, model, c, n, part):
    rho_2 = part * model["gamma_1"]
    found = least_records(n, c=c, rho_2=rho_2, version=version, **model)
    assert agrees(found, of_algorithm(model, c, n, rho_2, version))


@settings(max_examples=30, deadline=None)
@given(model=models, c=st.floats(0.1, 1e12), n=st.integers(2, 10**12))
@pytest.mark.parametrize("version", ["printed", "corrected"])
def test_threshold_for_a_centre_is_claim_d_29(version, model, c, n):
    found = least_records_for_centre(n, c, version=version, **model)
    g = mpmath.mpf(model["gamma_1"])
    centre = mpmath.mpf(c) + mpmath.mpf(n) ** g
    assert agrees(found, of_draw(model, version, centre, 1 / (2 - g), mpmath.mpf(1) / 3))


@settings(max_examples=30, deadline=None)
@given(model=models, part=st.floats(0.05, 0.95))
@pytest.mark.parametrize("version", ["printed", "corrected"])
def test_threshold_for_a_power_is_claim_d_30(version, model, part):
    gamma_2 = model["gamma_1"] + part * (1.5 - model["gamma_1"])
    found = least_records_for_power(gamma_2, version=version, **model)
    nu, ratio, _, v = constants(model)
    g, h = v["gamma_1"], mpmath.mpf(gamma_2)
    condition = 1 + 10 * nu * ratio / (1 if version == "corrected" else v["beta"])
    entries = of_draw(model, version, 1 + condition ** (g - h), 1 / (2 - g - h), 1 / (3 - 2 * h))
    assert agrees(found, entries)


# --- figures of the paper's settings --------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon", "delta", "power"),
    [(1, 0.01, 166.9), (1, 0.05, 158.7), (10, 0.05, 76.6), (0.5, 1e-5, 215.1), (0.1, 1e-6, 288.6)],
)
def test_eq_27_asks_for_a_power_of_ten(epsilon, delta, power):
    found = least_records(10**6, epsilon=epsilon, delta=delta, c=1e6**1.15, **EQ_27)
    assert round(found.log10, 1) == power
    assert repr(found).startswith(f"Threshold(10^{int(power)}.")
    assert found.binding.name == "radius"
    assert 10 ** int(power) < found < 10 ** (int(power) + 1)


def test_figure_1_is_not_covered_by_the_print_but_by_the_repair():
    printed = least_records_for_power(1.001, gamma_1=0.1, version="printed", **FIGURE_1)
    corrected = least_records_for_power(1.001, gamma_1=0.1, **FIGURE_1)
    assert round(10**printed.log10 / 1e7, 3) == 1.791
    assert printed.binding.name == "centre"
    assert not printed.met_by(1149019)
    assert int(corrected.least) == 10263
    assert corrected.met_by(1149019)


def total_loss(n, c, model):
    """Lemma 4.3, repaired, with the order of eq. 53."""
    order = 1 + 2 * math.log(1 / model["delta"]) / model["epsilon"]
    bound = {name: value for name, value in model.items() if name not in ("epsilon", "delta")}
    return Setting(n=n, c=c, **bound).loss_bound(order=order).value + model["epsilon"] / 2


def test_print_of_claim_d_29_is_too_small():
    model = {"epsilon": 200, "delta": 0.45, "x_h": 1, "x_l": 0.999, "alpha": 0.001, "beta": 3.1}
    model["gamma_1"] = 0.05
    printed = least_records_for_centre(1697, 1e6, version="printed", **model)
    assert printed.met_by(1697)
    assert round(total_loss(1697, 1e6, model)) == 461
    corrected = least_records_for_centre(1697, 1e6, **model)
    assert int(corrected.least) == 4120
    assert least_records_for_centre(4120, 1e6, **model).met_by(4120)
    assert total_loss(4120, 1e6, model) <= 200


def test_print_of_eq_26_is_too_small():
    model = {"epsilon": 1, "delta": 0.1, "alpha": 100, "beta": 3, "x_h": 4, "x_l": 3}
    model["gamma_1"] = 0.05
    printed = least_records(1000, c=1e8, rho_2=1e-6, version="printed", **model)
    assert int(printed.least) == 4477466
    assert total_loss(4477466, 1e8, model) == pytest.approx(1.453, abs=5e-4)
    corrected = least_records(1000, c=1e8, rho_2=1e-6, **model)
    assert total_loss(int(corrected.least), 1e8, model) <= 1


@settings(max_examples=60, deadline=None)
@given(model=models, c=st.floats(0.1, 1e9), part=st.floats(0.05, 0.95))
def test_repaired_thresholds_suffice_for_lemma_4_3(model, c, part):
    gamma_2 = model["gamma_1"] + part * (1.45 - model["gamma_1"])
    by_power = least_records_for_power(gamma_2, **model).least
    if by_power.log10 < 150:
        n = int(by_power)
        assert total_loss(n, float(n) ** gamma_2, model) <= model["epsilon"] * (1 + 1e-12)
    of_algorithm_1 = least_records(2, c=c, rho_2=model["gamma_1"] / 2, **model).least
    if of_algorithm_1.log10 < 150:
        loss = total_loss(int(of_algorithm_1), c, model)
        assert loss <= model["epsilon"] * (1 + 1e-12)


# --- comparisons ----------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(model=models, n=st.floats(2, 1e9), version=st.sampled_from(["printed", "corrected"]))
def test_least_is_the_smallest_integer_that_passes(model, n, version):
    found = least_records(n, c=1e3, rho_2=model["gamma_1"] / 2, version=version, **model)
    least = found.least
    assert found.met_by(least)
    assert not found.met_by(int(least) - 1)
    assert int(least) - 1 < found <= int(least)


def test_ties_are_decided_exactly():
    model = {**FIGURE_1, "gamma_1": 0.3, "rho_2": 0.15, "c": 1}
    first, *_, last = least_records(40000.0, version="printed", **{**model, "epsilon": 2}).entries
    assert first.compare(exact(17)) == 0  # 1 + 8 R / epsilon, with R = 4
    assert first.passed(17)
    assert not first.passed(17 - 1e-14)
    assert last.compare(exact(200)) == 0  # 40000**(0.15 / 0.3), as doubles
    assert last.passed(200)
    strict = theorem_1(
        epsilon=1, delta=0.1, epsilon_prime=5, **{**PRINT, "alpha": 36}
    ).threshold.entries
    (prior,) = (entry for entry in strict if entry.name == "more signal than prior")
    assert prior.compare(exact(3)) == 0  # alpha / (x_h**2 beta)
    assert not prior.passed(3)
    assert int(prior.least()) == 4


def test_comparisons_far_beyond_the_doubles():
    model = {"epsilon": 0.1, "delta": 1e-6, "alpha": 1, "beta": 3, "x_h": 1, "x_l": 0.5}
    found = least_records(10, c=3, rho_2=0.1, gamma_1=0.4999, **model)
    size = int(found.log10)
    assert size > 20000
    assert 10**size < found < 10 ** (size + 1)
    assert found > 1.7e308
    assert found.met_by(found.least)
    assert repr(found.least).startswith("10^")
    assert not found.met_by(10**size)


def test_an_integer_of_many_zeros_is_what_it_says():
    assert int(Whole(12, 5)) == 1200000
    assert Whole(12, 5).log10 == pytest.approx(math.log10(1200000))
    assert repr(Whole(12, 3_000_000)) == "10^3000001"
    assert repr(Whole(12, 2)) == "1200"
    assert Whole(12, 2).times(3) == Whole(36, 2)


# --- certificates ---------------------------------------------------------------------------------


def test_printed_construction_fails_and_the_repaired_one_holds():
    printed = theorem_1(epsilon=1, delta=0.1, epsilon_prime=5, version="printed", **PRINT)
    assert int(printed.n) == 2726069374022
    assert not printed.holds
    assert [one.claim for one in printed.fails] == ["langevin:lemma-4.3-corrected"]
    assert float(printed.posterior.left) == pytest.approx(1.995, abs=5e-4)
    corrected = theorem_1(epsilon=1, delta=0.1, epsilon_prime=5, **PRINT)
    assert corrected.holds
    assert float(corrected.posterior.left) == pytest.approx(0.624, abs=1e-3)
    assert 1.07e16 < int(corrected.n) < 1.08e16
    assert corrected.threshold.met_by(corrected.n)


def test_certificate_of_moderate_size():
    model = {"alpha": 3, "beta": 1, "x_h": 1.8, "gamma_1": 0.01}
    found = theorem_1(epsilon=1.6, delta=0.01, epsilon_prime=10, gamma_2=1.27, **model)
    assert found.holds
    n = int(found.n)
    assert n == 1648413736
    c = float(n) ** 1.27
    draw = {**model, "x_l": 0.9, "epsilon": 1.6, "delta": 0.01}
    assert float(found.posterior.left) == pytest.approx(total_loss(n, c, draw), rel=1e-12)
    floor = Setting(n=n, alpha=3, beta=1, x_h=1.8, c=c).loss_floor(delta=0.01)
    assert float(found.chain.left) == pytest.approx(floor.value, rel=1e-12)
    assert float(found.separation.right) == pytest.approx(floor.ratio, rel=1e-12)
    assert (
        found.steps.digits
        == Setting(n=n, alpha=3, beta=1, x_h=1.8, c=1).stopping_step()
        == floor.step
    )
    # over all positions, by the closed form of another module
    distribution = Setting(n=n, alpha=3, beta=1, x_h=1.8, c=c).distribution(
        floor.step, [1, 2, n // 2, n - 1, n]
    )
    least = min(distribution.gap) ** 2 / max(distribution.odd_variance)
    assert float(found.separation.left) == pytest.approx(least, rel=1e-9)
    assert all(
        distribution.gap**2 / distribution.odd_variance
        >= float(found.separation.left) * (1 - 1e-12)
    )
    # one record less, and eq. 16 falls short
    fewer = certify(n - 1, float(n - 1) ** 1.27, epsilon=1.6, delta=0.01, epsilon_prime=10, **model)
    assert not fewer.chain.holds


def test_exact_loss_is_below_the_normal_tail():
    found = theorem_1(
        epsilon=1.6,
        delta=0.01,
        epsilon_prime=1,
        alpha=3,
        beta=1,
        x_h=1.8,
        gamma_1=0.01,
        gamma_2=1.27,
    )
    with ctx.workprec(200):
        deviations = arb(found.separation.left).sqrt()
        tail = (deviations / arb(2).sqrt()).erfc() / 2
        assert found.exact_loss < ((arb(1) / 2 - arb(exact(0.01))) / tail).log()


def test_a_centre_of_ones_own_needs_fewer_records():
    model = {"alpha": 10, "beta": 1, "x_h": 1.8, "gamma_1": 0.01, "epsilon": 1.6, "delta": 0.01}
    found = certify(103_000_000, 8.1e9, epsilon_prime=1.6, **model)
    assert found.holds
    assert found.epochs == 29
    assert int(found.steps) == 29 * 103_000_000
    assert not certify(90_000_000, 8.1e9, epsilon_prime=1.6, **model).posterior.holds
    assert not certify(103_000_000, 7.5e9, epsilon_prime=1.6, **model).chain.holds


@pytest.mark.parametrize(
    ("gamma_1", "gamma_2", "power"),
    [
        (0.49, 1.495, 643),
        (0.001, 1.0011, 3376),
        (1e-6, 1.0000011, 3376096),
        (0.4999, 1.49995, 64339),
    ],
)
def test_certificates_of_any_size_are_decided(gamma_1, gamma_2, power):
    model = {"alpha": 0.1, "beta": 1, "x_h": 1.8}
    found = theorem_1(
        epsilon=0.1, delta=1e-6, epsilon_prime=100, gamma_1=gamma_1, gamma_2=gamma_2, **model
    )
    assert found.holds
    assert int(found.n.log10) == power
    assert found.threshold.met_by(found.n)
    assert "inf" not in repr(found) + found.describe() + found._repr_html_()
    assert found.steps.zeros == found.n.zeros
    assert found.steps.digits == found.n.digits * found.epochs


@settings(max_examples=25, deadline=None)
@given(
    epsilon=st.floats(0.05, 5),
    delta=st.floats(1e-6, 0.45),
    epsilon_prime=st.floats(0.1, 100),
    alpha=st.floats(0.01, 50),
    x_h=st.floats(1.7, 5),
    gamma_1=st.floats(0.02, 0.4),
    part=st.floats(0.1, 0.9),
)
def test_the_repaired_construction_always_holds(
    epsilon, delta, epsilon_prime, alpha, x_h, gamma_1, part
):
    gamma_2 = 1 + gamma_1 + part * (0.5 - gamma_1)
    found = theorem_1(
        epsilon=epsilon,
        delta=delta,
        epsilon_prime=epsilon_prime,
        alpha=alpha,
        beta=1,
        x_h=x_h,
        gamma_1=gamma_1,
        gamma_2=gamma_2,
    )
    assert found.holds


# --- what is shown and what is refused ------------------------------------------------------------


def test_threshold_shows_its_entries():
    found = least_records(1e5, epsilon=5, delta=0.05, c=1e5**1.1, **{**EQ_27, "gamma_1": 0.46})
    rows = found._repr_html_()
    assert rows.count("the largest") == 1
    assert all(entry.name in rows and entry.name in found.describe() for entry in found.entries)
    ax = found.plot()
    assert [t.get_text() for t in ax.get_yticklabels()] == [e.name for e in found.entries]
    assert max(patch.get_width() for patch in ax.patches) == found.log10


def test_certificate_shows_what_it_says():
    found = theorem_1(epsilon=1, delta=0.1, epsilon_prime=5, version="printed", **PRINT)
    assert "holds=False; fails: loss of a posterior draw: 1.99466 <= 1 fails" in repr(found)
    assert found._repr_html_().count("<tr>") == len(found.inequalities) == 6
    assert "proves nothing" in found.describe()
    assert (
        "proves theorem 1" in theorem_1(epsilon=1, delta=0.1, epsilon_prime=5, **PRINT).describe()
    )
    ax = found.plot()
    line, mark, _ = ax.get_lines()
    at = list(line.get_xdata()).index(found.epochs)
    assert 10 ** line.get_ydata()[at] == pytest.approx(float(found.separation.left))
    assert 10 ** mark.get_ydata()[0] == pytest.approx(float(found.separation.right))


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"x_h": 0.9},
            DomainError,
            "langevin:claim-d.16 needs x_h**2 * beta > 2 / log(2) = 2.88539",
        ),
        (
            {"gamma_1": 0.5},
            DomainError,
            "langevin:theorem-1 needs gamma_1 < 1/2, got gamma_1 = 0.5",
        ),
        ({"gamma_2": 1.04}, DomainError, "langevin:theorem-1 needs 1 + gamma_1 < gamma_2 < 3/2"),
        ({"gamma_2": 1.5}, DomainError, "langevin:theorem-1 needs 1 + gamma_1 < gamma_2 < 3/2"),
        ({"delta": 0.5}, ValueError, "delta must be < 1/2, got 0.5"),
        ({"epsilon": 0}, ValueError, "epsilon must be > 0 and finite, got 0"),
        ({"x_h": -1}, ValueError, "x_h must be > 0 and finite, got -1"),
        ({"version": "new"}, ValueError, 'version must be "corrected" or "printed", got \'new\''),
    ],
)
def test_settings_without_a_theorem_are_refused(change, error, message):
    setting = {"epsilon": 1, "delta": 0.1, "epsilon_prime": 5, **PRINT, **change}
    with pytest.raises(error) as caught:
        theorem_1(**setting)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"n": 100}, DomainError, "langevin:lemma-4.2-corrected needs n > "),
        ({"n": 900, "alpha": 10**4}, DomainError, "langevin:lemma-a.5.later needs n > "),
        ({"n": 2.5}, ValueError, "n must be an integer >= 2, got 2.5"),
        ({"c": 0}, ValueError, "c must be > 0 and finite, got 0"),
    ],
)
def test_too_few_records_name_the_lemma(change, error, message):
    setting = {"n": 10**8, "c": 10**10, "epsilon": 1.6, "delta": 0.01, "epsilon_prime": 1}
    setting |= {"alpha": 10, "beta": 1, "x_h": 1.8, "gamma_1": 0.01}
    with pytest.raises(error) as caught:
        certify(**{**setting, **change})
    assert str(caught.value).startswith(message)


def test_thresholds_refuse_in_one_line():
    model = {**FIGURE_1, "gamma_1": 0.1}
    with pytest.raises(
        DomainError, match=r"^langevin:claim-d.30 needs gamma_1 < gamma_2 < 3/2, got"
    ):
        least_records_for_power(1.6, version="printed", **model)
    with pytest.raises(DomainError, match=r"^langevin:eq-26-corrected needs gamma_1 < 1/2, got"):
        least_records(10, c=1, rho_2=0.1, **{**model, "gamma_1": 0.6})
    with pytest.raises(ValueError, match=r"^rho_2 must be < gamma_1 = 0.1, got 0.2"):
        least_records(10, c=1, rho_2=0.2, **model)
    with pytest.raises(ValueError, match=r"^x_l must be <= x_h = 1.8, got 2"):
        least_records_for_centre(10, 1, **{**model, "x_l": 2})
    with pytest.raises(DomainError) as caught:
        least_records_for_centre(10, 1, **model).require(10)
    assert str(caught.value) == (
        "langevin:claim-d.29-corrected needs n >= "
        "(160*beta*nu_epsilon*x_h**4/(9*epsilon*x_l**2))**(1/(1 - 2*gamma_1)) = 5433.78, got n = 10"
    )
