"""The study posterior-adversary: what its cells find, and that picture, words and table agree."""

import dataclasses
import pickle

import pytest
from scipy.stats import binom

from dpbook.posterior_sampling import posterior_pair, studies
from dpbook.study import Scale, compute, listed, run
from dpbook.teaching import figures


def small(draws, replicates=1):
    settings = [
        {"model": model, "constant": constant, "draws": T, "games": 2000}
        for model, constant in (("coin", 2.0), ("exponential", 1.0), ("two coins", 10.0))
        for T in draws
    ]
    scales = {"quick": Scale(settings, replicates)}
    return dataclasses.replace(studies.posterior_adversary, scales=scales)


@pytest.fixture(scope="module")
def found():
    return run(small((1, 4, 20), replicates=2))


def test_games_are_lost_as_often_as_the_best_test_errs(found):
    for attack in found.attacks:
        assert attack.games == 4000
        for tried, best in zip(attack.tried, attack.best, strict=True):
            lost, games = round(tried * 2 * attack.games), 2 * attack.games
            # two-sided, 5e-8 each, nine of them
            assert binom.cdf(lost, games, best) > 2.5e-8
            assert binom.sf(lost - 1, games, best) > 2.5e-8


def test_errors_keep_the_repairs_and_not_the_print(found):
    coin, rate, coins = found.attacks
    for attack in found.attacks:
        for k in range(len(attack.draws)):
            assert attack.least[k] <= attack.best[k] <= attack.nearest[k] + 1e-9
            assert attack.nearest[k] <= attack.most[k]
    assert (coin.above, rate.above) == (3, 3)
    assert coins.above == 0  # here the adversary needs less than the print says
    assert coins.best[0] < coins.printed[0] / 20


def test_pairs_are_those_of_the_notes():
    rate = studies.attacked("exponential", 1.0)
    assert rate.total_variation == pytest.approx(0.216595, abs=1e-6)
    many = posterior_pair(rate.model, rate.prior, rate.x, rate.y, draws=10)
    assert many.total_variation == pytest.approx(0.618538, abs=1e-6)
    coins = studies.attacked("two coins", 10.0)
    assert coins.total_variation == pytest.approx(0.9381, abs=5e-5)
    assert coins.profile.rate() == pytest.approx(10)
    assert studies.attacked("coin", 2.0).exponent == pytest.approx(2)


def test_study_shows_what_its_words_and_its_table_say(found):
    ax = found.plot()
    lines = ax.get_lines()
    assert len(lines) == 3 * len(found.attacks) + 2
    for k, attack in enumerate(found.attacks):
        exact, tried, printed = lines[3 * k : 3 * k + 3]
        assert tuple(exact.get_ydata()) == attack.best
        assert tuple(tried.get_ydata()) == attack.tried
        assert tuple(printed.get_ydata()) == attack.printed
        assert f"{attack.name}: with 1 draw it is {attack.best[0]:.3g}" in found.describe()
    assert len(found.rows) == 9
    for row in found.rows:
        assert (row["best test is"] == "above") == (row["best test"] > row["theorem 3"])
    assert figures.show(found).alt == found.describe()
    assert "<th>two cells</th>" in found._repr_html_()
    assert repr(found).startswith("PosteriorAdversaries(coin, L = 2: best=0.383 to")


def test_a_cell_depends_on_its_setting_and_seed_alone():
    place = {"model": "coin", "constant": 0.5, "draws": 3, "games": 1000}, 0
    one, again, other = (compute(studies.posterior_adversary, place, seed) for seed in (1, 1, 2))
    assert one == again
    assert one["tried"] != other["tried"]
    assert {**one, "tried": 0} == {**other, "tried": 0}


def test_study_is_listed_and_workers_get_it_by_name():
    said = listed()["posterior-adversary"]
    assert said.module == "dpbook.posterior_sampling.studies"
    study = studies.posterior_adversary
    assert pickle.loads(pickle.dumps(study)) is study
