"""What runs against the compiled claims and notation, at 50 digits: what runs is what was proved."""

import math

import pytest
from flint import arb, fmpq
from sympy import Integer

from dpbook.engine.claims import catalog
from dpbook.langevin import Setting, notation, smoothing_error, theorem_2_bound
from dpbook.langevin.any_spaces import volume
from dpbook.langevin.claims.appendix_a_3_mixture import lost_privacy
from dpbook.langevin.claims.appendix_d_sizes import entries_of_the_proof
from dpbook.langevin.claims.section_5 import BALL, INNER, Q
from dpbook.langevin.theory import certificate
from dpbook.langevin.theory.ball_averages import ball_volume
from dpbook.langevin.theory.loss_floor import LOST
from dpbook.langevin.theory.posterior import lemma_4_2
from dpbook.langevin.theory.sizes import Whole
from dpbook.privacy.statements import probability
from tests.claimed import value


def claimed(key):
    return catalog.find(f"langevin:{key}")


# --- section 5 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [1, 2, 3, 10])
def test_volume_and_smoothing_error_are_those_of_their_claims(dimension):
    numbers = {notation.dimension.name: dimension, notation.radius.name: 0.75}
    numbers[notation.lipschitz.name] = 1.5
    volume = value(notation.ball_volume(notation.radius), **numbers)
    assert ball_volume(dimension, 0.75) == pytest.approx(volume, rel=1e-14)
    sharp = value(claimed("note-5.1-sharp").rhs, **numbers)
    assert smoothing_error(1.5, 0.75, dimension) == pytest.approx(sharp, rel=1e-15)
    loose = value(claimed("claim-5.1").rhs, **numbers)
    assert smoothing_error(1.5, 0.75) == pytest.approx(loose, rel=1e-15)


@pytest.mark.parametrize("dimension", [1, 2, 5])
@pytest.mark.parametrize("radius", [0.5, 2.0])
def test_bound_of_theorem_2_is_that_of_its_claim(dimension, radius):
    q, epsilon, lipschitz = 0.25, 0.125, 0.75
    numbers = {
        notation.dimension.name: dimension,
        notation.radius.name: radius,
        notation.lipschitz.name: lipschitz,
        notation.closeness.name: epsilon,
    }
    ball_q = q * ball_volume(dimension, radius)
    numbers[notation.ball_q.name] = ball_q
    stands_for = {
        volume(BALL): notation.ball_volume(notation.radius),
        volume(INNER): notation.ball_volume(notation.radius - notation.closeness),
        probability(Q, BALL): notation.ball_q,
    }
    bound = value(claimed("theorem-2-corrected").rhs.xreplace(stands_for), **numbers)
    found = theorem_2_bound(
        q_average=q, radius=radius, epsilon=epsilon, lipschitz=lipschitz, dimension=dimension
    )
    assert found.value == pytest.approx(bound, rel=1e-13)


# --- sizes ----------------------------------------------------------------------------------------


def test_conditions_of_lemma_4_2_are_those_of_the_notation():
    numbers = {"beta": 2.5, "x_l": 0.5, "x_h": 1.25, "nu": 3.0}
    for version, conditions in (
        ("corrected", notation.many_records),
        ("printed", notation.many_records_as_printed),
    ):
        setting = Setting(n=10, alpha=1, beta=2.5, x_l=0.5, x_h=1.25, c=1)
        _, _, each = lemma_4_2(setting, version)
        least = max(value(one.lts, **numbers) for one in conditions)
        assert 1 + 3 * each == pytest.approx(least, rel=1e-15)


def test_loss_floor_is_the_right_side_of_equation_16():
    numbers = {"alpha": 0.5, "beta": 3.5, "x_h": 1.5, "n": 40, "c": 200, "delta": 0.125}
    assert value(LOST, **numbers) == value(lost_privacy(), **numbers)


# --- the certificate ------------------------------------------------------------------------------

SETTING = {"alpha": fmpq(1, 2), "beta": fmpq(7, 2), "x_h": fmpq(3, 2)}


def numbers_of(n, c=3):
    return {**SETTING, "n": n, "c": fmpq(c)}


@pytest.mark.parametrize("n", [3, 40, 1000])
def test_constants_of_a_certificate_are_those_of_the_notation(n):
    share, inverse, rate, odd, cycle = (float(one) for one in certificate._chain(Whole(n), SETTING))
    numbers = numbers_of(n)
    lam, hat = value(notation.rate, **numbers), value(notation.odd_rate, **numbers)
    total = 0.5 + n * 2.25 * 3.5
    assert inverse == pytest.approx(1 / total, rel=1e-14)
    assert share * 3 == pytest.approx(value(notation.long_run(), **numbers), rel=1e-14)
    assert math.exp(rate) == pytest.approx(lam, rel=1e-14)
    assert math.exp(odd) == pytest.approx(hat / lam, rel=1e-14)
    assert math.exp(cycle) == pytest.approx(value(notation.epoch_rate, **numbers), rel=1e-13)
    balance = value(notation.balance, **numbers)
    assert certificate._epochs(Whole(n), SETTING) == math.ceil(balance) + 1


@pytest.mark.parametrize("n", [3, 6])
@pytest.mark.parametrize("epochs", [1, 3])
def test_separation_of_a_certificate_is_below_that_of_every_position(n, epochs):
    found = float(certificate._separation(Whole(n), SETTING, Integer(3), epochs))
    numbers = {**numbers_of(n), "k": epochs - 1}
    exact = []
    for r in range(1, n + 1):
        gap = value(notation.mean_plain - notation.mean_odd, **numbers, r=r)
        exact.append(gap**2 / value(notation.variance_odd, **numbers, r=r))
    assert found <= min(exact) * (1 + 1e-12)
    assert found >= 0.8 * min(exact)


def test_last_entry_of_a_certificate_is_where_equation_16_reaches_the_loss():
    numbers = {"alpha": 0.5, "beta": 3.5, "x_h": 1.5, "delta": 0.125}
    power, wanted = 1.25, 2.0
    n = value(certificate._of_chain(), **numbers, gamma_2=power, epsilon_prime=wanted)
    lost = value(LOST, **{**numbers, "n": arb(n), "c": arb(n) ** power})
    assert lost == pytest.approx(wanted, rel=1e-12)


def test_printed_entries_of_a_certificate_are_those_of_the_proof():
    numbers = {"alpha": 0.5, "beta": 3.5, "x_h": 1.5, "x_l": 0.75, "delta": 0.125}
    numbers |= {"epsilon": 2.0, "gamma_1": 0.125, "gamma_2": 1.25, "epsilon_prime": 3.0}
    rows = [value(row[1], **numbers) for row in certificate._rows("printed")]
    for entry in entries_of_the_proof():
        least = value(entry.lts, **numbers)
        assert any(abs(row - least) <= 1e-12 * least for row in rows), entry
