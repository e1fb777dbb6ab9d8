"""Every refuted claim is recomputed by a test that shares no code with the claim: key, and test."""

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
RECOMPUTED = {
    "contamination/test_definitions.py": {
        "remark-1": "test_remark_1_counts_the_mean_of_the_prior_n_times",
        "text-a-constant": "test_constant_of_theorem_4_has_the_logarithm_of_phi",
        "text-3.2-sketch": "test_a_small_evidence_is_likelier_than_the_sketch_says",
        "lemma-6": "test_a_ball_of_lemma_6_may_reach_beyond_where_its_bound_holds",
        "text-3.3-sieve": "test_means_of_an_exponential_sieve_are_too_many_for_8",
        "remark-12": "test_prior_mass_outside_a_disc_is_not_the_printed_one",
        "eq-17": "test_sum_of_the_weights_of_eq_17_is_m_times_too_large",
        "eq-18": "test_rate_of_eq_18_is_no_probability",
        "text-4.3-student": "test_student_density_of_section_4_3_has_too_much_mass",
        "text-4.2-zcdp": "test_gaussian_mechanism_needs_more_than_section_4_2_says",
        "text-4.2-stricter": "test_printed_budget_gives_the_gaussian_mechanism_more_than_epsilon_and_delta",
        "text-b.3-measure": "test_divergence_in_the_proof_of_lemma_11_would_vanish",
        "lemma-14": "test_likelihood_ratio_of_a_spike_is_not_bounded",
        "text-b.1-bracket": "test_bracket_is_larger_than_the_print_says",
        "text-b.1-radius": "test_a_parameter_beyond_the_printed_radius_is_within_the_hellinger_ball",
        "text-b.1-quantifier": "test_radii_of_1_do_not_vanish_and_are_below_2",
        "text-b.2-eta": "test_the_shares_of_the_deviation_are_given_with_two_roots",
        "text-b.2-triangle": "test_squares_of_norms_do_not_add",
        "eq-34.union": "test_one_record_is_above_the_level_on_two_shells_at_once",
        "eq-34.shells": "test_shells_of_the_distance_are_not_those_of_33",
        "text-b.2-c": "test_constant_c_of_lemma_8_has_another_power_of_3",
        "text-b.2-shells": "test_shells_near_one_are_more_than_the_print_says",
        "lemma-18": "test_envelope_of_lemma_18_is_too_small",
        "lemma-18.ball": "test_ball_of_lemma_18_does_not_hold_the_parameter",
        "lemma-18.term": "test_term_that_lemma_18_drops_counts_at_the_record_0",
        "lemma-19": "test_first_moment_of_lemma_19_lacks_the_odd_power",
        "lemma-20": "test_norm_of_lemma_20_is_too_small",
        "lemma-21": "test_two_covariates_leave_the_distribution_as_it_is",
        "text-c.1-scale": "test_scale_of_a_half_normal_prior_is_often_small",
        "text-c.2-envelope": "test_envelope_of_logistic_regression_lacks_a_factor",
        "lemma-22": "test_two_covariates_leave_the_distribution_as_it_is",
        "text-c.3-density": "test_cauchy_density_of_appendix_c_has_too_much_mass",
        "lemma-23": "test_envelope_of_lemma_23_is_too_small_for_a_large_scale",
        "lemma-24": "test_norm_of_lemma_24_is_too_small",
        "lemma-25": "test_two_covariates_leave_the_distribution_as_it_is",
        "lemma-25.display": "test_bracket_of_lemma_25_is_not_the_derivative",
        "text-c.3-quarter": "test_radii_of_appendix_c_are_too_small",
        "lemma-26": "test_envelope_of_lemma_26_lacks_its_dimension",
        "lemma-26.gradient": "test_gradient_of_lemma_26_lacks_one_half",
        "lemma-26.sign": "test_root_of_lemma_26_increases_below_the_record",
        "lemma-28": "test_two_covariates_leave_the_distribution_as_it_is",
        "lemma-28.ii": "test_integral_of_case_ii_begins_too_early",
        "text-c.4-six": "test_radii_of_appendix_c_are_too_small",
        "assumption-7.i": "test_shells_have_more_mass_than_assumption_7_gives",
        "text-d-outside": "test_posterior_mass_outside_the_sieve_is_not_bounded_for_any_dataset",
        "remark-17": "test_small_balls_have_less_mass_than_eq_38_says",
        "remark-20.i": "test_first_display_of_remark_20_has_the_wrong_numerator",
        "remark-20.ii": "test_second_display_of_remark_20_has_the_wrong_numerator",
        "remark-20.root": "test_root_of_eta_does_not_bound_the_ratio_of_remark_20",
        "proposition-31": "test_jacobian_in_the_likelihood_changes_the_posterior",
        "text-e-relation": "test_related_coins_differ",
    },
    "langevin/test_definitions.py": {
        "lemma-4.2": "test_lemma_4_2_fails_on_two_datasets",
        "lemma-4.3": "test_lemma_4_3_fails_on_two_datasets_and_a_half_line",
        "text-a-renyi": "test_printed_divergence_of_normals_is_not_the_integral",
        "eq-14": "test_printed_divergence_of_posteriors_is_not_the_integral",
        "text-a-mean": "test_printed_mean_for_later_positions_is_not_the_mean",
        "claim-d.10": "test_claim_d_10_fails_in_exact_arithmetic",
        "eq-51": "test_eq_51_is_not_the_starred_variance",
        "claim-d.27": "test_claim_d_27_fails_on_two_datasets",
        "claim-d.28": "test_claim_d_28_fails_on_two_datasets",
        "claim-d.29": "test_claim_d_29_fails_where_one_ratio_leaves_the_means_far_apart",
    },
    "langevin/test_definitions_chain.py": {
        "text-a.1-noise": "test_the_noise_of_lemma_a_1_is_not_the_same_in_every_epoch",
        "claim-d.12": "test_claim_d_12_is_an_equality_where_k_is_k_dot",
        "eq-38": "test_eq_38_has_one_term_at_k_1",
        "text-d.15": "test_what_is_enough_for_claim_d_15_is_not_true",
        "eq-43": "test_eq_43_has_another_sign_and_another_number",
        "claim-d.19": "test_claim_d_19_fails_where_the_power_rises_to_its_limit",
        "claim-d.17": "test_claim_d_17_fails_at_its_epoch",
        "claim-d.18": "test_claim_d_18_fails_at_a_power_below_1",
        "text-d.21": "test_the_condition_on_n_does_not_give_that_on_alpha",
        "claim-d.21": "test_claim_d_21_has_a_rising_power",
        "text-d.29": "test_the_terms_of_claim_d_29_add_up_to_more_than_epsilon",
        "text-a-theorem-1": "test_the_numbers_in_the_proof_of_theorem_1_leave_more_than_epsilon",
    },
    "langevin/test_definitions_pts.py": {
        "claim-4.1": "test_claim_4_1_fails_on_two_datasets",
        "text-5-ball-average": "test_printed_ball_average_is_around_another_point",
        "theorem-2": "test_theorem_2_says_nothing_true_for_a_ball_no_wider_than_the_shift",
        "eq-26": "test_eq_26_does_not_give_the_last_condition_of_claim_d_29",
        "eq-27": "test_eq_27_is_at_the_end_of_the_assumption",
        "eq-31": "test_eq_31_needs_six_delta_below_one_half",
        "text-c-six-delta": "test_six_delta_may_exceed_one_half",
        "text-c-choice": "test_chosen_records_need_not_give_the_loss",
        "text-c.3-tail": "test_noise_falls_below_the_margin_with_probability_delta",
        "text-c.5-condition": "test_a_bound_from_below_makes_large_noise_likelier",
        "text-c.8-split": "test_limit_of_claim_c_8_does_not_split_as_printed",
        "text-c.9-chain": "test_lines_6_to_13_lose_more_than_two_epsilon",
        "eq-35": "test_null_is_less_likely_than_eq_35_says",
        "claim-c.11": "test_claim_c_11_fails_on_two_datasets",
        "corollary-c.2": "test_corollaries_c_2_and_c_3_fail_on_two_datasets",
        "corollary-c.3": "test_corollaries_c_2_and_c_3_fail_on_two_datasets",
        "text-e.1-markov": "test_mean_distance_of_two_exponential_distributions_is_below_the_root_of_its_square",
        "text-e.1-inclusion": "test_larger_ball_around_another_point_misses_the_pair",
    },
    "posterior_sampling/test_definitions.py": {
        "remark-1.ii-display": "test_the_last_line_of_remark_1_holds_for_a_mechanism_that_is_not_private",
        "text-2.2-weaker": "test_assumption_1_does_not_give_assumption_2_below_the_least_constant",
        "eq-2.7": "test_absolute_log_ratio_is_not_finite",
        "theorem-1.ii": "test_theorem_1_ii_fails_for_two_coins",
        "theorem-1.ii-exponential": "test_theorem_1_ii_fails_for_exponential_records",
        "theorem-1.ii-bernoulli": "test_theorem_1_ii_fails_for_all_ones_against_all_zeros",
        "theorem-1.ii-two-datasets": "test_theorem_1_ii_fails_for_one_toss",
        "theorem-1.ii-one-record": "test_theorem_1_ii_fails_for_one_record",
        "text-3-larger-c": "test_larger_c_can_be_less_robust",
        "theorem-2.ii": "test_theorem_2_ii_fails_for_two_coins",
        "theorem-2.ii-exponential": "test_theorem_2_ii_fails_for_exponential_records",
        "theorem-2.ii-one-record": "test_theorem_2_ii_fails_for_one_record",
        "theorem-3.i": "test_theorem_3_fails_for_a_uniform_prior_on_two_coins",
        "theorem-3.ii": "test_theorem_3_fails_under_assumption_2",
        "text-1-iv": "test_fewer_draws_tell_datasets_apart_that_are_further_apart",
        "text-5-scalar": "test_scalar_condition_needs_the_absolute_value",
        "lemma-4": "test_scales_above_l_do_not_have_a_small_constant",
        "lemma-5": "test_lemma_5_fails_below_ln_n",
        "lemma-6": "test_lemma_6_fails",
        "lemma-7": "test_lemma_7_fails_for_a_chain_of_two_variables",
        "text-a-lemma-1": "test_log_ratio_of_a_product_has_no_factor_n",
        "text-a-lemma-1-metric": "test_log_ratio_of_exponential_records_is_bounded_by_their_distance_only",
        "eq-a.1": "test_eq_a_1_is_not_the_divergence",
        "eq-a.4": "test_eq_a_4_fails_for_two_coins",
        "eq-a.11": "test_eq_a_11_fails_for_two_coins",
        "text-c-supremum": "test_supremum_of_equal_counts_is_not_negative_for_any_constant",
        "text-c-rate": "test_last_step_of_lemma_5_fails",
    },
    "unknown_sample_size/test_definitions.py": {
        "text-4.1-joint": "test_joint_probabilities_bound_no_distance_of_releases",
        "note-no-q-ratio": "test_without_the_proposals_ratio_a_jump_is_not_in_balance",
        "note-append-and-die-anywhere": "test_births_at_the_end_and_deaths_anywhere_change_the_order",
        "note-leaked-n": "test_an_entry_that_is_the_number_changes_the_likelihood_ratio",
        "note-sweep-reversible": "test_a_sweep_over_two_rows_is_not_reversible",
        "algorithm-2": "test_the_sum_over_draws_is_no_gradient_of_their_mean",
        "text-5.2-descent": "test_the_gradient_step_ascends",
        "example-5.6": "test_the_printed_equation_fails_at_the_maximum_of_the_likelihood",
        "text-6.1-mu": "test_printed_means_of_the_covariates_give_another_mean_response",
        "text-6.1-gram": "test_rows_against_rows_do_not_count_the_rows",
        "text-6.1-identity": "test_sums_of_products_have_a_row_more_than_the_identity_matrix",
        "text-6.1-mle": "test_residuals_over_their_number_less_that_of_covariates_are_no_maximum",
        "text-6.1-columns": "test_mean_number_of_records_of_table_3_is_out_of_reach_at_its_column",
        "text-6.1-variances": "test_variances_of_table_3_rise_with_the_loss",
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
        "eq-19": "test_weights_without_the_size_of_the_number_grow",
        "text-b-ratio": "test_the_displayed_ratio_of_counts_is_not_in_balance",
        "text-b-down": "test_the_ratio_of_masses_that_is_given_for_no_step_is_that_of_a_step_down",
        "text-b-power": "test_a_ratio_to_the_power_1_may_exceed_every_probability",
        "eq-9": "test_bounds_on_the_masses_add_up_to_more_than_the_masses",
    },
}

ROWS = [(file, key, test) for file, tests in RECOMPUTED.items() for key, test in tests.items()]
TOPICS = sorted({file.partition("/")[0] for file in RECOMPUTED})


@pytest.mark.parametrize("topic", TOPICS)
def test_every_refuted_claim_has_its_recomputation(topic):
    """Each key stands once in the table, with a test; no other key does."""
    listed = [key for file, key, _ in ROWS if file.startswith(f"{topic}/")]
    rows = rows_of(topic).items()
    refuted = {key.partition(":")[2] for key, row in rows if row["verdict"] == "refuted"}
    assert refuted
    assert len(listed) == len(set(listed))
    assert set(listed) == refuted


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
