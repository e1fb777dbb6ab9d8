"""Statements on any model and mechanism: what is false by a little has an example, and no proof."""

import numpy as np
import pytest
import sympy
from sympy import Eq, Ge, Gt, Integer, Le, Min, Rational, Symbol, exp, oo

from dpbook import ledger
from dpbook.engine.claims.catalog import find
from dpbook.engine.language.statement import Every, as_tree, for_all
from dpbook.engine.language.task import make_task
from dpbook.engine.language.terms import formula_of, strict
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove.certify import certify
from dpbook.engine.refute.finite_models import Model
from dpbook.engine.run.decide import tried
from dpbook.kernel.formulas import All, And
from dpbook.privacy.any_distributions import AnyWholeDistribution
from dpbook.unknown_sample_size.any_models import AnyMechanism, AnySizes, dataset
from dpbook.unknown_sample_size.claims import appendix_a, section_4, section_5
from dpbook.unknown_sample_size.notation import (
    delta,
    distance,
    eps_n,
    eps_s,
    n,
    n_0,
    new_row,
    old_row,
    rows,
    variation,
)

RELEASE, NOISY = section_5.RELEASE, section_5.NOISY


def task(statement, given=()):
    with sympy.evaluate(False):
        return make_task(statement(), [g() for g in given])


def always_accepted():
    """Balance of a swap that is accepted without regard to the release."""
    there = section_5.with_row(old_row) * section_5.ROW.density(new_row)
    back = section_5.with_row(new_row) * section_5.ROW.density(old_row)
    return for_all(rows, old_row, new_row, Eq(there, back))


def without_the_proposal():
    """Balance of a jump whose ratio lacks q."""
    more, row = dataset(rows, old_row), section_5.ROW.density(old_row)
    low, high = section_5.with_noisy_number(n, rows), section_5.with_noisy_number(n + 1, more)
    birth = low * section_5.UP(n) * row * Min(1, high / low)
    death = row * high * section_5.DOWN(n + 1) * Min(1, low / high)
    return for_all(rows, old_row, Eq(birth, death))


def half_a_loss():
    """Acceptance of a swap by half a privacy loss, where a swap takes two steps of one each."""
    return for_all(
        rows, old_row, new_row, Ge(section_5.replaced(old_row, new_row), exp(-eps_s / 2))
    )


def half_of_the_group():
    """Lemma A.12 with half of its bound."""
    chance = appendix_a.set_probability
    return Le(chance(distance) - chance(0), distance * delta / 2)


def of_the_further_rows():
    """Lemma A.12, as if the release came from the further rows."""
    further, event = appendix_a.FURTHER, appendix_a.ACCEPTED
    return Eq(appendix_a.over_both_groups(), appendix_a.probability(further, event))


def given_the_set():
    """Theorem 4.2 with a quarter of its bound."""
    both, event, mean = section_4.BOTH, section_4.SET, section_4.mean_over_numbers
    difference = both(n_0) / event(n_0) - mean(both) / mean(event)
    return Le(difference, section_4.mean_bound() / (2 * event(n_0)))


def half_of_the_trade_off():
    """Part 1 of Lemma A.11 with half of its bound."""
    distribution, other, event = appendix_a.P, appendix_a.Q, appendix_a.REJECTED
    half = Rational(1, 2) - appendix_a.fixed_point
    return Le(
        appendix_a.probability(distribution, event), appendix_a.probability(other, event) + half
    )


def without_the_distance_of_the_parts():
    """Lemma A.3, repaired, as if only the first parts were apart."""
    first, last = appendix_a.MET, appendix_a.MET_LAST
    return Le(appendix_a.coupled_mean(first) - appendix_a.coupled_mean(last), variation)


def half_of_the_oscillation():
    """Means under two distributions, as if half of a function's oscillation were all."""
    first, other = appendix_a.FROM, appendix_a.ANOTHER
    apart = appendix_a.total_variation(first, other)
    difference = appendix_a.after_a_step(first) - appendix_a.after_a_step(other)
    return Le(difference, appendix_a.gap / 2 * apart)


def component_above_both():
    """Lemma A.4, as if what the distributions have in common were all of the first."""
    distribution = appendix_a.SUM
    return for_all(
        appendix_a.told,
        Ge(appendix_a.in_common(appendix_a.told), distribution.density(appendix_a.told)),
    )


def found(label):
    """The conditions of a claim, one by one."""
    count = len(find(f"unknown_sample_size:{label}").given)
    return tuple(lambda i=i: find(f"unknown_sample_size:{label}").given[i] for i in range(count))


FALSE = {
    "half of a trade-off": (half_of_the_trade_off, found("lemma-a.11.i")),
    "parts that are not apart": (
        without_the_distance_of_the_parts,
        found("lemma-a.3-corrected"),
    ),
    "half of an oscillation": (half_of_the_oscillation, found("note-oscillation")),
    "all in common": (component_above_both, found("lemma-a.4")),
    "a swap without its ratio": (always_accepted, ()),
    "a jump without q": (without_the_proposal, ()),
    "half a loss for a swap": (half_a_loss, (section_5.private_releases,)),
    "half of the group": (
        half_of_the_group,
        (
            appendix_a.one_row_more,
            lambda: for_all(
                appendix_a.index_more, Ge(appendix_a.set_probability(appendix_a.index_more), 0)
            ),
        ),
    ),
    "further rows": (of_the_further_rows, ()),
    "given a set": (given_the_set, found("theorem-4.2")),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statement_on_any_model_is_refuted_by_an_example_and_not_proved(name):
    statement, given = FALSE[name]
    made = task(statement, given)
    assert tried(made).verdict is Verdict.REFUTED
    assert certify(made, budget=60, depths=(0,)) is None


def test_a_condition_on_all_numbers_is_checked_beyond_those_of_the_statement():
    sizes = AnySizes("c")
    falls = for_all(n, Le(sizes(n + 1), exp(eps_n) * sizes(n)))
    rng = np.random.default_rng(0)
    for _ in range(40):
        model = Model(rng, 2, {eps_n: sympy.log(2)})
        holds = model.holds(falls, {})
        (table,) = model.tables.values()
        assert holds == all(table[i + 1] <= 2 * table[i] for i in range(1, len(table) - 1))


def test_rows_of_an_example_are_datasets_again():
    release = AnyMechanism("g")
    nested = release(dataset(dataset(rows, old_row), new_row))
    model = Model(np.random.default_rng(0), 3)
    assert model.holds(for_all(rows, old_row, new_row, Gt(nested, 0)), {})
    assert set(map(len, model.tables.values())) == {3}


def test_a_side_in_one_part_of_a_conjunction_stays_under_what_binds_it():
    with sympy.evaluate(False):
        value = 1 / RELEASE(rows)
        tree = as_tree([Every(rows, Gt(value, 0)), Every(rows, Ge(value, Rational(0)))])
        made = strict(formula_of(tree))
    assert isinstance(made, And)
    assert all(isinstance(part, All) and isinstance(part.body, And) for part in made.parts)


n_any, level = Symbol("n", integer=True), Symbol("x", real=True)
FALLS = Le(AnySizes("f")(2), AnySizes("f")(3) / 2)


def from_one_on(relation):
    """A condition for all whole numbers from 1 on, on any positive function of them."""
    return Every(n_any, relation, [Ge(n_any, 1)])


@pytest.mark.parametrize(
    "bound", [20 + n_any, Integer(2), 1 + n_any**2], ids=["rising", "constant", "square"]
)
def test_example_meets_a_condition_for_all_whole_numbers(bound):
    evidence = tried(make_task(FALLS, [from_one_on(Le(AnySizes("f")(n_any), bound))]))
    assert evidence.verdict is Verdict.REFUTED


@pytest.mark.parametrize("bound", [20 - n_any, 1000 / n_any - 1], ids=["falling", "far below 0"])
def test_condition_that_no_function_meets_far_out_refutes_nothing(bound):
    evidence = tried(make_task(FALLS, [from_one_on(Le(AnySizes("f")(n_any), bound))]))
    assert evidence.verdict is Verdict.UNDECIDED


def test_number_in_a_condition_is_one_for_which_it_holds_everywhere():
    given = [from_one_on(Ge(AnySizes("f")(n_any), n_any * level))]
    evidence = tried(make_task(FALLS, given))
    assert evidence.verdict is Verdict.REFUTED
    assert Rational(dict(evidence.counterexample.point)["x"]) <= 0


def test_a_card_says_where_a_distribution_on_whole_numbers_begins():
    """A distribution with mass below 1 has another mean than the sum from 1 on."""
    shown = ledger["unknown_sample_size:theorem-4.1"].left_open
    assert "distribution on the whole numbers >= 1 w" in shown
    assert AnyWholeDistribution("Z", -oo).density(0).function.said == (
        "distribution on the whole numbers"
    )
