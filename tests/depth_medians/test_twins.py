"""What runs against the compiled claims, at 50 digits: what runs is what was proved."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtri

import dpbook.depth_medians
from dpbook.depth_medians import (
    cauchy_constants,
    deviation_bound,
    deviation_on_data,
    gaussian_constants,
    least_margin,
    outlyingness_of,
    pass_probability,
    theory,
    threshold,
)
from dpbook.depth_medians.mechanisms import CLAIMS, Ingredients
from dpbook.engine.claims import catalog
from tests.claimed import Topic

PAPER = Topic("depth_medians")
relations, left, right = PAPER.relations, PAPER.left, PAPER.right


# --- the test -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "delta"), [(1.0, 1e-3), (10.0, 1e-3), (0.25, 1e-6)])
def test_chance_to_pass_is_that_of_its_claims(epsilon, delta):
    for margin in range(120):
        gap = math.log(1 / (2 * delta)) - epsilon * margin / 2
        key = "note-pass-above" if gap >= 0 else "note-pass-below"
        claimed = right(key, z=abs(gap))
        assert float(pass_probability(margin, epsilon, delta)) == pytest.approx(claimed, rel=1e-12)
    assert threshold(epsilon, delta) == pytest.approx(2 / epsilon * math.log(1 / (2 * delta)))


@pytest.mark.parametrize("fails", [1e-3, 0.2])
def test_least_margin_is_the_one_of_its_claim_rounded_up(fails):
    epsilon, delta = 1.0, 1e-3
    margin = least_margin(fails, epsilon, delta)
    chance = {
        k: left("note-least-margin", epsilon=epsilon, delta=delta, rho=r)
        for k, r in (("at", fails), ("twice", fails / 2))
    }
    assert chance["at"] == pytest.approx(fails, rel=1e-12)  # at the margin that is not rounded
    assert 1 - float(pass_probability(margin, epsilon, delta)) <= fails
    assert 1 - float(pass_probability(margin - 1, epsilon, delta)) > fails


# --- the printed test -----------------------------------------------------------------------------

VOLUME = {"epsilon": 2.5, "eta": 0.03, "tau": 1.5}


def test_volume_ratio_is_that_of_its_claims():
    numbers = {**VOLUME, "b": 0.6, "B": 0.9, "alpha_mu": 0.05, "d": 3}
    for version, key in (
        ("printed", "text-a-volume-ratio"),
        ("corrected", "text-a-volume-ratio-corrected"),
    ):
        found = theory.log_volume_ratio(0.6, 0.9, 0.05, 3, **VOLUME, version=version)
        assert found.claim == f"depth_medians:{key}"
        part = 0 if version == "printed" else 1
        assert found.value == pytest.approx(right(key, part, **numbers), rel=1e-12)


def test_printed_test_of_the_grid_is_that_of_its_claim():
    """Rows c - 2s, ..., c + 2s, of note-algorithm-2."""
    setting = dpbook.depth_medians.Setting(1, 1e-3, 0.08, 6, mode="printed", levels=30)
    rows = np.arange(1131 - 2000, 1131 + 2001, dtype=float)
    other = np.append(rows[1:], rows[-1])
    first, second = (setting.safety(one[:, None]) for one in (rows, other))
    assert (first.margin, second.margin) == (18, 0)
    assert first.deviation[:5] == pytest.approx(
        [(6.08 * math.floor((k + 1) / 2) + k) / 1000 for k in range(2, 7)]
    )
    assert first.probability == pytest.approx(float(pass_probability(18, 1, 1e-3)))


def test_mended_test_of_its_grid_is_that_of_its_claim():
    setting = dpbook.depth_medians.Setting(1, 1e-3, 0.08, 6, mode="corrected", levels=30)
    rows = np.arange(1847 - 4000, 1847 + 4001, dtype=float)
    other = np.append(rows[1:], rows[-1])
    first, second = (setting.safety(one[:, None]) for one in (rows, other))
    assert first.margin >= 18
    assert second.margin == 0
    assert first.probability > math.e * second.probability + 1e-3


# --- theorem 3.2 and the examples -----------------------------------------------------------------


def test_deviations_are_those_of_their_claims():
    epsilon, eta, d = 5.0, 0.02, 4
    gain = theory.radius_of_draws(0.05, d, epsilon=epsilon, eta=eta)
    found = deviation_on_data(
        0.05, d, epsilon=epsilon, eta=eta, least_scale=0.6, largest_scale=0.8, location_error=0.1
    )
    claimed = right("note-deviation", B=0.8, b=0.6, g=gain, s_n=0.1)
    assert found.value == pytest.approx(claimed, rel=1e-12)
    assert found.claim == "depth_medians:note-deviation"
    bound = deviation_bound(
        *(0.1, d),
        **{"epsilon": epsilon, "eta": eta, "tau": 2.0, "c_1": 0.5, "c_2": 1.5},
        c_3=0.2,
        sampling=0.3,
    )
    quantile = theory.radius_of_draws(0.1 / 3, d, epsilon=4, eta=1)  # of Gamma(d, 1)
    claimed = right(
        "note-deviation-population",
        **{"c_1": 0.5, "c_2": 1.5, "c_3": 0.2, "s_n": 0.3, "h_0": quantile},
        epsilon=epsilon,
        eta=eta,
    )
    assert bound.value == pytest.approx(claimed, rel=1e-12)
    assert bound.claim == "depth_medians:note-deviation-population"


def test_denominator_of_least_delta_is_that_of_its_claims():
    numbers = {"eta": 0.1, "tau": 4.0, "c_1": 0.7, "c_3": 0.05}
    for version, key in (
        ("printed", "theorem-3.1.denominator"),
        ("corrected", "theorem-3.1.denominator-corrected"),
    ):
        found = theory.least_delta(2, epsilon=20.0, c_2=1.0, **numbers, version=version).value
        base = left(key, **numbers)
        first = 10 if version == "printed" else 5 + math.log(3)
        power = 2 * math.log((2 * 4.2 + 4 * 0.05) / base)
        assert found == pytest.approx(math.exp(-20 * 4 / 0.8 + first + power), rel=1e-12)


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_gaussian_constants_are_those_of_their_claims(alpha):
    n, values = 500, [0.5, 4.0]
    found = gaussian_constants(values, alpha, n)
    cut = float(ndtri(1 - alpha))
    middle = right("note-trimmed-deviation", h_0=cut) / (1 - 2 * alpha)
    assert found.c_1 == pytest.approx(math.sqrt(0.5) * middle, rel=1e-12)
    assert found.c_2 == pytest.approx(2 * middle, rel=1e-12)
    quantile = float(ndtri(1 - alpha + 3 / n))
    least = right("example-3.1.density", h_0=quantile, v_d=2.0)
    assert pytest.approx(least, rel=1e-9) == found.M
    assert found.claim == "depth_medians:note-trimmed-deviation"


def test_cauchy_constants_are_at_least_those_of_their_claims():
    for d in (1, 2, 9):
        found = cauchy_constants(d, 1000, q=0.2, r=0.5)
        quantile = math.tan(math.pi * (0.5 - 0.2 + 0.003))
        claimed = right("example-3.2.density", d=d, h_0=quantile, r=0.5)
        assert claimed * (1 - 1e-12) <= found.M
        assert (found.c_1, found.c_2) == (1.0, math.sqrt(d))


# --- the nested test ------------------------------------------------------------------------------


def test_ratio_of_a_level_is_that_of_its_claim():
    rng = np.random.default_rng(1)
    data, units = rng.normal(size=(301, 2)), dpbook.depth_medians.random_directions(2, 4, rng)
    made = Ingredients.of(data, units, 4)
    found = made.deviation(1.5)
    for level in range(4):
        ratios = [
            left(
                "note-nested-test",
                tau=1.5,
                V_j=made.shifts[k, level],
                D_j=made.spreads[k, level] - made.shifts[k, level],
                b_j=made.scales[k, level + 1],
            )
            for k in range(len(units))
        ]
        assert found[level] == pytest.approx(max(ratios), rel=1e-12)


def test_change_of_outlyingness_is_bounded_as_its_claim_says():
    """Lemma B.2 on data, for the largest of a few directions, as note-supremum joins them."""
    rng = np.random.default_rng(2)
    units = dpbook.depth_medians.random_directions(2, 9, rng)
    data = rng.normal(size=(41, 2))
    other = data.copy()
    other[0] = [30, -20]
    first, second = outlyingness_of(data, units), outlyingness_of(other, units)
    points = rng.normal(size=(400, 2))
    out = first(points)
    tau = float(out.max())
    bound = right(
        "lemma-b.2",
        tau=tau,
        S_mu=float(np.abs(first.location - second.location).max()),
        S_sigma=float(np.abs(first.scale - second.scale).max()),
        b=float(min(first.scale.min(), second.scale.min())),
    )
    change = np.abs(out - second(points)).max()
    assert 0 < change <= bound


# --- keys -----------------------------------------------------------------------------------------


def test_every_key_in_code_is_that_of_a_claim():
    """Also keys that are put together from pieces: each piece that looks like one is looked up."""
    there = {claim.key for claim in catalog.load("depth_medians")}
    folder = Path(dpbook.depth_medians.__file__).parent
    found = set()
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        found |= set(re.findall(r"depth_medians:((?:[a-z]+-)[a-z0-9.-]*[a-z0-9])", text))
        for whole_key, more in re.findall(r'"depth_medians:([a-z0-9.-]+)" \+ "([a-z.-]+)"', text):
            found.add(whole_key + more)
    exercises = set(
        re.findall(r'"depth_medians:([a-z-]+)",\n', (folder / "exercises.py").read_text())
    )
    assert len(found) > 40
    assert {f"depth_medians:{label}" for label in found - exercises} <= there
    assert set(CLAIMS.values()) <= there
