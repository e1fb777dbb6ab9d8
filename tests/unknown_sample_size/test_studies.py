"""Studies run, join their cells, and hold the paper's numbers."""

import math

import numpy as np
import pytest

from dpbook import study
from dpbook.unknown_sample_size import studies
from dpbook.unknown_sample_size.time_use import stand_in


def test_the_papers_tables_are_whole():
    held = studies.tables()
    assert held["table_1"]["0.1"]["mean beta_0"][0] == -0.716
    assert held["table_1"]["1"]["variance n"][:2] == [4051.367, 258.795]
    assert held["table_4"]["1"]["variance n"][0] == 372.407
    assert held["table_2"]["mean"]["tau"] == [1.17, 1.01, 1.14, 1.17, 1.15, 1.14]
    assert held["table_3"]["1"]["mean n_dp + r"][-1] == 1159.551
    for table in ("table_1", "table_4"):
        for block in held[table].values():
            assert len(block) == 10
            assert all(len(row) == 6 for row in block.values())


def test_the_data_set_is_one_and_has_the_sign_of_the_tables():
    rows = studies.fixed_rows()
    assert rows.shape == (1000, 3)
    assert rows[:, :2].mean(axis=0) == pytest.approx([1, -1], abs=0.2)
    assert (rows == studies.fixed_rows()).all()


def test_the_leak_puts_the_true_number_where_a_square_was():
    setting = studies.regression_setting(1.0, 0.1, as_the_authors_code=True)
    assert setting.model.leaks
    assert setting.model.total(studies.fixed_rows()[:7])[4] == 7
    release = studies.regression_setting(1.0, 0.1).release(
        studies.fixed_rows(), np.random.default_rng(1)
    )
    assert studies.leaked(release).s[4] == 1000


@pytest.mark.parametrize("name", ["unknown-size-bootstrap", "unknown-size-atus"])
def test_a_study_runs_and_shows_itself(name):
    found = study.run(name, replicates=1)
    assert len(found.rows) >= 8
    assert found.describe()
    assert found.plot().get_ylabel()
    assert "<table>" in found._repr_html_()
    if name == "unknown-size-atus":
        assert all(row["largest R-hat"] < 1.02 for row in found.rows)


def test_time_use_runs_on_a_file_of_ones_own(tmp_path):
    """Half of the days: n and what it says of alpha are those of the file, not of the survey."""
    shares = stand_in(np.random.default_rng(3), 3000).shares
    table = tmp_path / "shares.csv"
    np.savetxt(table, shares, delimiter=",", header="CARE,EATING,OTHER", comments="")
    found = study.run("unknown-size-atus", replicates=1, data=table)
    sure = [row for row in found.rows if row["epsilon_n"] == 10]
    assert [round(row["mean n"]) for row in sure] == [3000, 3000]
    assert all(row["converged"] == "1 of 1" for row in sure)
    with pytest.raises(ValueError, match="cannot read"):
        study.run("unknown-size-atus", data=tmp_path / "none.csv")


def test_one_cell_of_table_1_has_the_variance_that_the_noise_gives():
    """Converged, Var(n) at epsilon_n = 1 is near 2 for both budgets; what leaks makes it smaller."""
    rng = np.random.default_rng(2)
    found = studies.regression_posteriors.cell(rng, epsilon_s=1.0, epsilon_n=1.0, run="converged")
    assert found["converged"] == 1
    assert found["least ess"] >= 400
    assert 1.3 < found["variance n"] < 2.6
    again = studies.regression_posteriors.cell(rng, epsilon_s=0.1, epsilon_n="inf", run="converged")
    assert again["variance n"] == 0
    assert math.isfinite(again["mean beta_0"])


def test_a_table_without_errors_of_its_own_is_compared_with_those_of_ours():
    """Table 3 prints means of 100 replicates and no errors: none is shown, and a z-score has both."""
    setting = {"epsilon_s": 1.0, "epsilon_n": 1.0, "run": "text"}
    records = [{"mean divisor": 999.0 + k} for k in range(10)]
    cells = [study.Cell(setting, k, record) for k, record in enumerate(records)]
    [row] = studies.regression_bootstrap.summary(cells).rows
    assert row["paper"] == studies.tables()["table_3"]["mean divisor"][3]
    spread = np.std(999.0 + np.arange(10), ddof=1)
    assert row["se"] == pytest.approx(spread / math.sqrt(10))
    assert math.isnan(row["paper se"])
    both = spread * math.hypot(math.sqrt(0.1), 0.1)
    assert row["z"] == pytest.approx((row["ours"] - row["paper"]) / both)


def test_few_replicates_have_no_z_score():
    setting = {"epsilon_s": 1.0, "epsilon_n": 1.0, "run": "text"}
    cells = [study.Cell(setting, k, {"mean divisor": 999.0 + k}) for k in range(9)]
    found = studies.regression_bootstrap.summary(cells)
    assert all(math.isnan(row["z"]) for row in found.rows)
    assert "need 10 replicates" in found.describe()


def test_every_study_of_the_topic_is_listed():
    names = {name for name in study.listed() if name.startswith("unknown-size")}
    assert names == {
        "unknown-size-regression",
        "unknown-size-likelihood",
        "unknown-size-bootstrap",
        "unknown-size-atus",
    }
