"""Every refuted claim is recomputed by a test that shares no code with the claim.

A test names its claim by the recorded points that it takes; the others stand in a table: key, and test.
"""

import ast
from functools import cache
from pathlib import Path

import pytest

from dpbook.engine.claims import catalog
from tests.claimed import rows_of

HERE = Path(__file__).parent
# what reads a point or a verdict on record, and no statement of a claim
FROM_THE_RECORD = {
    ("tests.claimed", name) for name in ("Topic", "real_points", "recorded_points", "rows_of")
}
PRINTED_NUMBERS = {("dpbook.unknown_sample_size.studies", "tables")}  # the tables in data/
STATEMENTS = {"left", "relations", "right"}  # of its Topic, what takes the statement of a claim
WITHOUT_POINTS = {
    "contamination/test_definitions.py": {
        "text-a-constant": "test_constant_of_theorem_4_has_the_logarithm_of_phi",
        "remark-12": "test_prior_mass_outside_a_disc_is_not_the_printed_one",
        "eq-18": "test_rate_of_eq_18_is_no_probability",
        "text-b.3-measure": "test_divergence_in_the_proof_of_lemma_11_would_vanish",
        "lemma-14": "test_likelihood_ratio_of_a_spike_is_not_bounded",
        "eq-34.union": "test_one_record_is_above_the_level_on_two_shells_at_once",
        "text-b.2-c": "test_constant_c_of_lemma_8_has_another_power_of_3",
        "lemma-21": "test_two_covariates_leave_the_distribution_as_it_is",
        "text-c.1-scale": "test_scale_of_a_half_normal_prior_is_often_small",
        "text-c.2-envelope": "test_envelope_of_logistic_regression_lacks_a_factor",
        "lemma-22": "test_two_covariates_leave_the_distribution_as_it_is",
        "lemma-25": "test_two_covariates_leave_the_distribution_as_it_is",
        "text-c.3-quarter": "test_radii_of_appendix_c_are_too_small",
        "lemma-26": "test_envelope_of_lemma_26_lacks_its_dimension",
        "lemma-28": "test_two_covariates_leave_the_distribution_as_it_is",
        "text-c.4-six": "test_radii_of_appendix_c_are_too_small",
        "text-d-outside": "test_posterior_mass_outside_the_sieve_is_not_bounded_for_any_dataset",
        "remark-17": "test_small_balls_have_less_mass_than_eq_38_says",
        "proposition-31": "test_jacobian_in_the_likelihood_changes_the_posterior",
    },
    "depth_medians/test_definitions.py": {
        "example-3.2.quantile": "test_no_cauchy_coordinate_has_the_width_that_lemma_e_2_asks_for",
        "text-e.3-mean": "test_mean_of_a_folded_normal_is_not_the_printed_one",
    },
    "langevin/test_definitions_pts.py": {
        "corollary-c.2": "test_corollaries_c_2_and_c_3_fail_on_two_datasets",
        "corollary-c.3": "test_corollaries_c_2_and_c_3_fail_on_two_datasets",
    },
    "posterior_sampling/test_definitions.py": {
        "text-2.2-weaker": "test_assumption_1_does_not_give_assumption_2_below_the_least_constant",
    },
    "unknown_sample_size/test_definitions.py": {
        "text-4.1-joint": "test_joint_probabilities_bound_no_distance_of_releases",
        "note-no-q-ratio": "test_without_the_proposals_ratio_a_jump_is_not_in_balance",
        "note-append-and-die-anywhere": "test_births_at_the_end_and_deaths_anywhere_change_the_order",
        "note-leaked-n": "test_an_entry_that_is_the_number_changes_the_likelihood_ratio",
        "note-sweep-reversible": "test_a_sweep_over_two_rows_is_not_reversible",
        "algorithm-2": "test_the_sum_over_draws_is_no_gradient_of_their_mean",
        "text-5.2-descent": "test_the_gradient_step_ascends",
        "example-5.6": "test_the_printed_sign_fails_at_the_maximum_of_the_likelihood",
        "example-5.6.number": "test_one_term_for_all_records_fails_at_the_maximum_of_the_likelihood",
        "remark-3.4.index": "test_a_rectangle_that_shrinks_keeps_the_distance_over_its_probability_up",
        "text-5.1-cancel": "test_from_two_rows_to_one_the_proposals_do_not_cancel",
        "text-6.1-mu": "test_printed_means_of_the_covariates_give_another_mean_response",
        "text-6.1-gram": "test_rows_against_rows_do_not_count_the_rows",
        "text-6.1-identity": "test_sums_of_products_have_a_row_more_than_the_identity_matrix",
        "text-6.1-mle": "test_residuals_over_their_number_less_that_of_covariates_are_no_maximum",
        "text-6.1-columns": "test_mean_number_of_records_of_table_3_is_out_of_reach_at_its_column",
        "text-6.1-variances": "test_variances_of_table_3_rise_with_the_loss",
        "text-6.1-variances-one": "test_variances_of_the_lower_half_of_table_3_rise_at_first",
        "text-6.1-learning": "test_more_is_known_of_the_sums_and_less_of_the_number",
        "text-6.1-normalised": "test_the_ridge_of_normalised_variables_is_far_below_the_printed_one",
        "lemma-a.2.centre": "test_noise_around_0_says_nothing_of_the_number",
        "text-a.2-series": "test_the_series_is_larger_than_printed",
        "text-a.2-tail": "test_the_tail_is_larger_than_printed",
        "text-a.2-half": "test_the_probability_of_numbers_from_one_on_is_above_a_half",
        "eq-11": "test_the_lower_sum_does_not_end_at_the_ceiling",
        "eq-11.denominator": "test_the_lower_sum_has_another_denominator",
        "lemma-a.3": "test_what_depends_on_the_first_part_keeps_the_sum_on_a_grid",
        "lemma-a.5": "test_a_sum_of_ones_and_their_opposites_keeps_half_its_distance",
        "lemma-a.5.centre": "test_a_sum_that_is_not_centred_leaves_the_normal_distribution",
        "text-a.6-clamp": "test_a_variable_above_both_bounds_is_a_constant_once_clamped",
        "lemma-a.6.iii": "test_uniform_noise_is_too_narrow_for_a_coarse_lattice",
        "lemma-a.11.vi": "test_a_free_rho_bounds_no_distance",
        "text-a.12-size": "test_distributions_at_two_numbers_of_records_are_not_one",
        "example-a.14.mode": "test_bounded_noise_leaves_a_uniform_summary_many_best_locations",
        "eq-19": "test_weights_without_the_size_of_the_number_grow",
        "text-b-ratio": "test_the_displayed_ratio_of_counts_is_not_in_balance",
        "text-b-down": "test_the_ratio_of_masses_that_is_given_for_no_step_is_that_of_a_step_down",
        "text-b-power": "test_a_ratio_to_the_power_1_may_exceed_every_probability",
        "eq-9": "test_bounds_on_the_masses_add_up_to_more_than_the_masses",
    },
}


def by_points(file):
    """The keys of the recorded points that tests of a file take, with these tests."""
    for node in ast.parse((HERE / file).read_text(encoding="utf-8")).body:
        for call in [one for top in getattr(node, "decorator_list", []) for one in ast.walk(top)]:
            name = getattr(getattr(call, "func", None), "id", None)
            if name in ("recorded_points", "real_points"):
                yield call.args[0].value.rpartition(":")[2], node.name


FILES = sorted(path.relative_to(HERE).as_posix() for path in HERE.glob("*/test_definitions*.py"))
ROWS = [
    (file, key, test)
    for file in FILES
    for key, test in (*WITHOUT_POINTS.get(file, {}).items(), *by_points(file))
]
TOPICS = sorted({file.partition("/")[0] for file in FILES})


@pytest.mark.parametrize("topic", TOPICS)
def test_every_refuted_claim_has_its_recomputation(topic):
    """Each key has a test, and no other key has one."""
    listed = {key for file, key, _ in ROWS if file.startswith(f"{topic}/")}
    rows = rows_of(topic).items()
    refuted = {key.partition(":")[2] for key, row in rows if row["verdict"] == "refuted"}
    assert refuted
    assert listed == refuted


@pytest.mark.parametrize("topic", TOPICS)
def test_faults_are_the_refuted_claims(topic):
    faults = {claim.key for claim in catalog.load(topic) if claim.fault}
    refuted = {key for key, row in rows_of(topic).items() if row["verdict"] == "refuted"}
    assert faults <= refuted
    assert not {key for key in refuted - faults if ":note-" not in key}


@cache
def bound_in(file):
    """The statements of a file that bind a name of the module, by that name."""
    found = {}
    for node in ast.parse((HERE / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [one.asname or one.name.partition(".")[0] for one in node.names]
        else:
            stored = [one for one in ast.walk(node) if isinstance(one, ast.Name)]
            names = [one.id for one in stored if isinstance(one.ctx, ast.Store)]
        for name in names:
            found.setdefault(name, []).append(node)
    return found


def reached_from(file, test):
    """The statements of a file that a test takes, and those that these take, with their names."""
    bound = bound_in(file)
    found, ahead = {}, [test]
    while ahead:
        name = ahead.pop()
        if name in found or name not in bound:
            continue
        found[name] = bound[name]
        ahead += [one.id for node in bound[name] for one in ast.walk(node) if is_taken(one)]
    return found


def is_taken(node):
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def shared_code(file, test):
    """Return the names that a test takes from dpbook, or by way of a helper from a claim."""
    shared = set()
    for name, nodes in reached_from(file, test).items():
        for node in nodes:
            if isinstance(node, ast.Import):
                modules = [one.name for one in node.names]
                shared |= {module for module in modules if module.startswith(("dpbook", "tests"))}
            elif isinstance(node, ast.ImportFrom):
                allowed = (node.module, name) in FROM_THE_RECORD | PRINTED_NUMBERS
                if node.level or (node.module.startswith(("dpbook", "tests")) and not allowed):
                    shared.add(name)
            else:
                inside = [one for one in ast.walk(node) if isinstance(one, ast.Attribute)]
                shared |= {one.attr for one in inside if one.attr in STATEMENTS}
                local = (ast.Import, ast.ImportFrom)
                shared |= {name for one in ast.walk(node) if isinstance(one, local)}
    return shared


@pytest.mark.parametrize(("file", "key", "test"), ROWS)
def test_a_recomputation_is_a_test_that_shares_no_code_with_the_claim(file, key, test):
    (node,) = bound_in(file)[test]
    assert isinstance(node, ast.FunctionDef)
    assert test.startswith("test_")
    assert any(isinstance(one, ast.Assert) for one in ast.walk(node)), f"{test} asserts nothing"
    assert not shared_code(file, test)


def test_shared_code_is_found(tmp_path, monkeypatch):
    """The check finds the statement of a claim in a test, also where a helper takes it."""
    monkeypatch.setattr(f"{__name__}.HERE", tmp_path)
    source = """
from dpbook.contamination.notation import cauchy
from tests.claimed import Topic, value
paper = Topic("contamination")
points = Topic("contamination").recorded_points
def helper(x):
    return cauchy(x)
def test_by_a_helper():
    assert helper(1)
def test_by_the_statement():
    assert paper.left("eq-18")
def test_by_a_value():
    assert value(1)
def test_from_within():
    from dpbook import ledger
    assert ledger
def test_apart():
    assert points
"""
    (tmp_path / "test_some.py").write_text(source, encoding="utf-8")
    for name, found in (
        ("by_a_helper", {"cauchy"}),
        ("by_the_statement", {"left"}),
        ("by_a_value", {"value"}),
    ):
        assert shared_code("test_some.py", f"test_{name}") == found
    assert shared_code("test_some.py", "test_from_within")
    assert not shared_code("test_some.py", "test_apart")
