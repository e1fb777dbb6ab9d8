"""Privacy of distributions that are left open: what holds for all of them, and what fails for some."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import isclose

import numpy as np
import pytest
import sympy
from sympy import Ge, Integer, Le, exp, log

from dpbook import check, symbol
from dpbook.engine.claims import catalog, proof_files
from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.entry import Entry
from dpbook.engine.claims.lemmas import lemmas_used
from dpbook.engine.language.statement import Every, ForAll, Relation, unfold_definitions
from dpbook.engine.language.task import make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove import proofs
from dpbook.engine.prove.certify import certify
from dpbook.engine.prove.proofs import fits
from dpbook.engine.prove.sequents import sequent_of
from dpbook.engine.refute.finite_models import Model
from dpbook.engine.refute.trial import point_of
from dpbook.engine.run.decide import tried
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.privacy.any_distributions import (
    AnyDistribution,
    AnyEvent,
    AnyFiniteDistribution,
    AnyTest,
    Releases,
    Repeated,
    Then,
)
from dpbook.privacy.claims.general_concentrated import beside_others
from dpbook.privacy.distributions import (
    Bernoulli,
    Finite,
    Laplace,
    Mixture,
    Normal,
    TruthOrNot,
    TwoSidedGeometric,
)
from dpbook.privacy.divergences import affinity, hockey_stick, total_variation
from dpbook.privacy.notation import (
    at,
    common_affinity,
    delta,
    epsilon,
    first_delta,
    first_outcome,
    first_output,
    history,
    last_outcome,
    mu_1,
    mu_2,
    other_epsilon,
    queries,
    rho,
    scale,
    second_delta,
    share,
)
from dpbook.privacy.statements import Interval, Outcomes, not_private, private, probability

P, Q, R = AnyDistribution("P"), AnyDistribution("Q"), AnyDistribution("R")
GENERAL = [
    claim
    for claim in catalog.load("privacy")
    if claim.function.__module__.rpartition(".")[2].startswith("general")
]
F, G = (AnyFiniteDistribution(name, last_outcome, history) for name in ("F", "G"))
F_1, G_1 = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(distribution, history, queries) for distribution in (F, G))


def decided(statement, given=()):
    with sympy.evaluate(False):
        task = make_task(statement(), [g() for g in given])
    return tried(task)


# --- all small distributions, in exact rationals -------------------------------------------------------------

WEIGHTS = [Fraction(i, 3) for i in range(4)]
SMALL = [w for w in product(WEIGHTS, repeat=3) if sum(w) == 1]
MORE = [tuple(Fraction(i, 6) for i in w) for w in ((1, 2, 3), (3, 2, 1), (4, 1, 1), (2, 2, 2))]
LOSS = 2  # exp(epsilon)


def excess(first, second, factor=LOSS):
    """Largest P(A) - factor Q(A) over all events, event by event."""
    gaps = [p - factor * q for p, q in zip(first, second, strict=True)]
    events = product((False, True), repeat=len(first))
    return max(
        sum(gap for gap, inside in zip(gaps, event, strict=True) if inside) for event in events
    )


def test_hockey_stick_is_the_largest_excess_of_an_event():
    for first, second in product(SMALL, repeat=2):
        with sympy.evaluate(True):
            value = (
                hockey_stick(
                    Finite([sympy.Rational(p.numerator, p.denominator) for p in first]),
                    Finite([sympy.Rational(q.numerator, q.denominator) for q in second]),
                    log(2),
                )
                .definition()
                .doit()
            )
        assert value == excess(first, second)


def test_groups_of_two_of_all_small_distributions():
    for p, q, r in product(SMALL, repeat=3):
        assert excess(p, r, LOSS**2) <= excess(p, q) + LOSS * excess(q, r)


def test_total_variation_of_all_small_distributions_that_are_private():
    for p, q in product(SMALL, repeat=2):
        allowed = LOSS - 1 + excess(p, q) + excess(q, p)
        assert (1 + LOSS) * excess(p, q, 1) <= allowed


def test_composition_of_all_small_distributions():
    pairs = [(Fraction(i, 2), 1 - Fraction(i, 2)) for i in range(3)]
    for p, q in product(pairs, repeat=2):
        for p_0, q_0, p_1, q_1 in product(pairs, repeat=4):
            first = [p[0] * p_0[0], p[0] * p_0[1], p[1] * p_1[0], p[1] * p_1[1]]
            second = [q[0] * q_0[0], q[0] * q_0[1], q[1] * q_1[0], q[1] * q_1[1]]
            later = max(excess(p_0, q_0), excess(p_1, q_1))
            assert excess(first, second, LOSS**2) <= excess(p, q) + later


def test_pinsker_and_affinity_of_small_distributions():
    for p, q in product(SMALL, repeat=2):
        distance = float(excess(p, q, 1))
        affinity = sum(float(a * b) ** 0.5 for a, b in zip(p, q, strict=True))
        assert distance**2 <= 1 - affinity**2 + 1e-12
        if all(p) and all(q):
            loss = sum(float(a) * float(log(a / b)) for a, b in zip(p, q, strict=True))
            assert 2 * distance**2 <= loss + 1e-12


def mixed(first, second, share):
    return [share * a + (1 - share) * b for a, b in zip(first, second, strict=True)]


def test_subsampling_of_all_small_distributions():
    share = Fraction(1, 3)
    factor = 1 + share * (LOSS - 1)
    for p, r in product(SMALL, repeat=2):
        delta = max(excess(p, r), excess(r, p))
        sampled = mixed(p, r, share)
        assert max(excess(sampled, r, factor), excess(r, sampled, factor)) <= share * delta
    for p, q, r in product(SMALL[:7], SMALL, SMALL[::2]):
        delta = max(excess(a, b) for a, b in permutations((p, q, r), 2))
        assert excess(mixed(p, r, share), mixed(q, r, share), factor) <= share * delta


def test_subsampling_is_attained():
    # a record that is told with certainty, where nothing is told without it
    sampled, without = [Fraction(1, 3), Fraction(2, 3)], [Fraction(0), Fraction(1)]
    assert excess(sampled, without, 1) == Fraction(1, 3)


def releases(distribution, tree, count):
    """All probabilities of `count` outputs 0 and 1, each with the probabilities after those before."""
    found = []
    for outputs in product((0, 1), repeat=count):
        weight = Fraction(1)
        for i in range(count):
            weight *= distribution[tree[outputs[:i]]][outputs[i]]
        found.append(weight)
    return found


PAIRS = [
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 3), Fraction(2, 3))),
    ((Fraction(1, 4), Fraction(3, 4)), (Fraction(1, 2), Fraction(1, 2))),
    ((Fraction(9, 10), Fraction(1, 10)), (Fraction(1), Fraction(0))),
]


def composed(count, factor):
    """Excess of several releases, each a pair of the list that the outputs before choose."""
    before = [outputs for i in range(count) for outputs in product((0, 1), repeat=i)]
    for number in range(60):
        tree = {outputs: (number * (i + 2) + i * i) % 3 for i, outputs in enumerate(before)}
        first, second = (releases([pair[side] for pair in PAIRS], tree, count) for side in (0, 1))
        yield max(
            sum(max(a - factor * b, 0) for a, b in zip(one, other, strict=True))
            for one, other in permutations((first, second))
        )


def test_composition_of_three_releases_each_chosen_by_those_before():
    delta = max(excess(a, b) for pair in PAIRS for a, b in permutations(pair))
    assert delta > 0
    for worst in composed(3, LOSS**3):
        assert worst <= 3 * delta


def test_advanced_composition_of_three_releases():
    loss, last = 0.5, 0.1
    delta = max(excess(a, b, exp(loss).evalf()) for pair in PAIRS for a, b in permutations(pair))
    largest = loss * (6 * log(1 / last)) ** 0.5 + 3 * loss * (exp(loss) - 1)
    smaller = loss * (6 * log(1 / last)) ** 0.5 + 3 * loss**2 / 2
    assert smaller < largest
    for worst in composed(3, exp(smaller).evalf()):
        assert worst <= 3 * delta + last


def test_moments_of_releases_multiply():
    order = 2
    largest = max(sum(a**order / b for a, b in zip(*pair, strict=True)) for pair in PAIRS[:2])
    tree = {(): 0, (0,): 1, (1,): 0}
    first, second = (releases([pair[side] for pair in PAIRS], tree, 2) for side in (0, 1))
    moment = sum(a**order / b for a, b in zip(first, second, strict=True))
    assert 1 < moment <= largest**2


@pytest.mark.parametrize("factor", [1, 2, 4])
@pytest.mark.parametrize("kept", [Fraction(1), Fraction(3, 4), Fraction(1, 2)])
def test_excess_of_releases_is_below_the_moments_of_parts_and_what_these_leave_out(kept, factor):
    """The bound of `privacy:composition-of-parts`, at the order 2; without what is left out it is too small."""
    pairs = PAIRS[:2]
    parts = [([kept * min(a, b) for a, b in zip(*pair, strict=True)], pair[1]) for pair in pairs]
    left_out = max(1 - sum(f) for f, _ in parts)
    moment = max(sum(a**2 / b for a, b in zip(f, g, strict=True)) for f, g in parts)
    for tree in product((0, 1), repeat=3):
        chosen = dict(zip([(), (0,), (1,)], tree, strict=True))
        first, second = (releases([pair[side] for pair in pairs], chosen, 2) for side in (0, 1))
        assert excess(first, second, factor) <= 2 * left_out + moment**2 / factor


def test_what_parts_leave_out_counts():
    # the part that is kept has a small moment; what it leaves out is told apart
    first, second = (Fraction(9, 10), Fraction(1, 10)), (Fraction(1, 100), Fraction(99, 100))
    part = (Fraction(1, 100), Fraction(1, 10))
    moment = sum(a**2 / b for a, b in zip(part, second, strict=True))
    factor = 4
    assert excess(first, second, factor) > moment / factor
    assert excess(first, second, factor) <= 1 - sum(part) + moment / factor


def test_sum_over_all_outputs_is_that_of_the_recursion():
    total = ALL_F.total(ALL_G, lambda a, b: sympy.Max(a - b, 0))
    values = []
    for seed in range(4):
        model = Model(np.random.default_rng(seed), 2)
        model.symbols[last_outcome] = sympy.Integer(1)
        values.append(model.value(total(3, 0, 1, 1), {}))
        f, g, later = total.args[1:4]
        gaps = []
        for outputs in product((0, 1), repeat=3):
            state, masses = 0, [Fraction(1), Fraction(1)]
            for output in outputs:
                both = zip((f, g), masses, strict=True)
                masses = [
                    mass * model.table(distribution, (state,))[output]
                    for distribution, mass in both
                ]
                state = model.table(later, (state,))[output] % 2
            gaps.append(masses[0] - masses[1])
        assert sum(gaps) == 0
        assert values[-1] == sum(max(gap, 0) for gap in gaps)
    assert max(values) > 0


def test_errors_of_tests_of_all_small_distributions():
    for p, q in product(SMALL, repeat=2):
        delta = max(excess(p, q), excess(q, p))
        for accepts in product((0, Fraction(1, 2), 1), repeat=3):
            level = sum(a * b for a, b in zip(p, accepts, strict=True))
            other = 1 - sum(a * b for a, b in zip(q, accepts, strict=True))
            assert other >= max(1 - delta - LOSS * level, (1 - delta - level) / LOSS, 0)
            assert level + other >= 1 - excess(q, p, 1)
            assert (1 + LOSS) * (level + other) >= 2 * (1 - delta)


CHANNELS = [
    list(zip(first, [1 - w for w in first], strict=True))
    for first in product((0, Fraction(1, 2), 1), repeat=3)
]


def sent(distribution, channel):
    """Distribution of the answers of a channel, which has a row of probabilities for each outcome."""
    return [
        sum(mass * row[answer] for mass, row in zip(distribution, channel, strict=True))
        for answer in range(2)
    ]


def moment(first, second, order):
    terms = zip(first, second, strict=True)
    return sum(float(a) ** order * float(b) ** (1 - order) for a, b in terms)


def test_processing_of_all_small_distributions_by_all_small_channels():
    smaller = 0
    for p, q, channel in product(SMALL, SMALL, CHANNELS):
        for factor in (1, LOSS):
            before, after = (excess(*pair, factor) for pair in ((p, q), map_both(p, q, channel)))
            assert after <= before
            smaller += after < before
    assert smaller


def map_both(first, second, channel):
    return sent(first, channel), sent(second, channel)


def test_processing_makes_no_moment_larger():
    positive = [w for w in SMALL if all(w)] + MORE
    for p, q, channel in product(positive, positive, CHANNELS):
        after = map_both(p, q, channel)
        if all(after[0]):
            for order in (1.5, 2, 7):
                assert moment(*after, order) <= moment(p, q, order) * (1 + 1e-12)


def test_moments_of_bounded_range_of_small_distributions():
    positive = [w for w in SMALL if all(w)] + MORE
    for p, q in product(positive, repeat=2):
        ratios = [float(a / b) for a, b in zip(p, q, strict=True)]
        length = math.log(max(ratios) / min(ratios))
        for order in (1.01, 1.5, 2, 7):
            bound = math.exp(order * (order - 1) * length**2 / 8)
            assert moment(p, q, order) <= bound * (1 + 1e-12)


def test_no_smaller_constant_bounds_the_moments_of_bounded_range():
    even, length = (0.5, 0.5), 0.2
    tilted = [math.exp(length) / (1 + math.exp(length)), 1 / (1 + math.exp(length))]
    assert moment(tilted, even, 1.5) > math.exp(1.5 * 0.5 * length**2 / 8.1)


def test_lines_of_all_losses_are_the_trade_off_function_of_small_distributions():
    losses = [Fraction(0), *(Fraction(2) ** i for i in range(-3, 4))]
    for p, q in product(SMALL, repeat=2):
        for accepts in product((0, Fraction(1, 2), 1), repeat=3):
            first = sum(a * b for a, b in zip(q, accepts, strict=True))
            second = 1 - sum(a * b for a, b in zip(p, accepts, strict=True))
            assert all(second >= 1 - excess(p, q, y) - y * first for y in losses)


def test_tested_releases_of_all_small_distributions():
    chances = [Fraction(i, 4) for i in range(5)]
    refusal = (Fraction(0), Fraction(1, 2), Fraction(1, 2))
    seen = 0
    for here, there in product(chances, repeat=2):
        if 1 - here > LOSS * (1 - there):
            continue
        for p, q in product(SMALL[::2], repeat=2):
            out = [
                mixed(distribution, refusal, share)
                for distribution, share in ((p, here), (q, there))
            ]
            assert excess(*out) <= here
            if here <= LOSS * there:
                assert excess(*out, LOSS**2) <= here * excess(p, q)
                seen += excess(*out, LOSS**2) > 0
    assert seen


def test_draws_of_bounded_range_compose_with_half_of_the_deviation():
    length, count, chance = math.log(2), 3, 0.05
    scores, others = (0, 1, 1), (1, 0, 1)
    distributions = []
    for own in (scores, others):
        weights = [math.exp(length * score / 2) for score in own]
        distributions.append([w / sum(weights) for w in weights])
    ratios = [a / b for a, b in zip(*distributions, strict=True)]
    assert max(ratios) / min(ratios) <= math.exp(length) + 1e-12
    rows = list(product(range(3), repeat=count))
    joint = [
        [math.prod(distribution[i] for i in row) for row in rows] for distribution in distributions
    ]

    def gap(loss):
        return sum(max(a - math.exp(loss) * b, 0) for a, b in zip(*joint, strict=True))

    loss = count * length**2 / 8 + length * math.sqrt(count * math.log(1 / chance) / 2)
    assert gap(loss) <= chance
    assert gap(count * length**2 / 8) > chance


def test_geometric_noise_is_as_private_as_its_rate():
    rate, counts = 0.5, (3, 4)
    distribution, other = (
        {z: float(TwoSidedGeometric(c, rate).density(z)) for z in range(-120, 130)} for c in counts
    )
    assert isclose(sum(distribution.values()), 1, abs_tol=1e-12)

    def gap(loss):
        return sum(max(distribution[z] - math.exp(loss) * other[z], 0) for z in distribution)

    assert gap(rate) < 1e-12
    assert gap(0.9 * rate) > 0.01
    written = hockey_stick(*(TwoSidedGeometric(c, rate) for c in counts), 0.9 * rate).definition()
    k = sympy.Symbol("k", integer=True)
    total = sum(float(half.function.subs(k, i)) for half in written.args for i in range(120))
    assert isclose(total, gap(0.9 * rate), rel_tol=1e-9)


# --- what is proved, and what is not -----------------------------------------------------------------


@pytest.mark.parametrize("claim", GENERAL, ids=str)
def test_each_general_claim_has_a_certificate_of_its_own_statement(claim):
    entry = proof_files.of_topic("privacy")[claim.key]
    assert fits(claim.form, claim.given, entry)
    used = {key: proof_files.of_topic("privacy")[key]["sequent"] for key in claim.using}
    proofs.checked(entry, used)


def test_a_claim_of_all_distributions_is_proved_by_a_certificate_alone():
    statement = ForAll(Relation(hockey_stick(P, Q, epsilon), "<=", sympy.Integer(1)))
    task = make_task(statement)
    assert tried(task).verdict is Verdict.SUPPORTED
    assert certify(task) is not None


FALSE = {
    "a group without the factor": (
        lambda: Le(hockey_stick(P, R, epsilon + other_epsilon), first_delta + second_delta),
        lambda: Le(hockey_stick(P, Q, epsilon), first_delta),
        lambda: Le(hockey_stick(Q, R, other_epsilon), second_delta),
    ),
    "an event without delta": (
        lambda: Le(probability(P, AnyEvent("A")), exp(epsilon) * probability(Q, AnyEvent("A"))),
        lambda: private(P, Q, epsilon, first_delta),
    ),
    "the other direction": (
        lambda: Le(hockey_stick(Q, P, epsilon), first_delta),
        lambda: Le(hockey_stick(P, Q, epsilon), first_delta),
    ),
    "mixtures with a smaller delta": (
        lambda: Le(
            hockey_stick(Mixture([P, R], [share, 1 - share]), Q, epsilon), share * first_delta
        ),
        lambda: Le(hockey_stick(P, Q, epsilon), first_delta),
    ),
    "two draws no further apart than one": (
        lambda: Le(total_variation(Repeated(P, 2), Repeated(Q, 2)), total_variation(P, Q)),
    ),
    "a distance that is too small": (
        lambda: Le((2 + exp(epsilon)) * total_variation(P, Q), exp(epsilon) - 1 + first_delta),
        lambda: private(P, Q, epsilon, first_delta),
    ),
    "adaptive composition with one delta": (
        lambda: Le(
            hockey_stick(
                Then(P, first_output, AnyDistribution("P_2", first_output)),
                Then(Q, first_output, AnyDistribution("Q_2", first_output)),
                epsilon + other_epsilon,
            ),
            first_delta,
        ),
        lambda: Le(hockey_stick(P, Q, epsilon), first_delta),
        lambda: Every(
            first_output,
            private(
                AnyDistribution("P_2", first_output),
                AnyDistribution("Q_2", first_output),
                other_epsilon,
                second_delta,
            ),
        ),
    ),
    "a sample with too small a delta": (
        lambda: Le(
            hockey_stick(
                Mixture([P, R], [share, 1 - share]), R, log(1 + share * (exp(epsilon) - 1))
            ),
            share**2 * first_delta,
        ),
        lambda: private(P, R, epsilon, first_delta),
    ),
    "a sample with too small a loss": (
        lambda: Le(
            hockey_stick(Mixture([P, R], [share, 1 - share]), R, share * epsilon / 2),
            share * first_delta,
        ),
        lambda: private(P, R, epsilon, first_delta),
    ),
    "the wrong slope of a trade-off": (
        lambda: Ge(
            1 - probability(Q, AnyTest("phi")),
            1 - first_delta - probability(P, AnyTest("phi")),
        ),
        lambda: private(P, Q, epsilon, first_delta),
    ),
    "errors that are too large": (
        lambda: Ge(probability(P, AnyTest("phi")) + 1 - probability(Q, AnyTest("phi")), 1),
    ),
    "many releases with the delta of one": (
        lambda: Le(hockey_stick(ALL_F, ALL_G, queries * epsilon), first_delta),
        lambda: Every(history, private(F, G, epsilon, first_delta)),
    ),
    "a bounded ratio with half of the loss": (
        lambda: Le(hockey_stick(P, Q, epsilon / 2), 0),
        lambda: Every(at, Le(P.density(at), exp(epsilon) * Q.density(at))),
        lambda: Every(at, Le(Q.density(at), exp(epsilon) * P.density(at))),
    ),
    "affinities of many outputs that are too small": (
        lambda: Le(affinity(ALL_F, ALL_G), common_affinity ** (queries + 1)),
        lambda: Every(history, Le(affinity(F, G), common_affinity)),
    ),
    "a mass of bounded range without the factor": (
        lambda: Le(F_1.density(first_outcome), G_1.density(first_outcome)),
        lambda: first_outcome <= last_outcome,
        lambda: beside_others(F_1, G_1),
    ),
    "finite distributions, the other direction": (
        lambda: Le(
            hockey_stick(
                AnyFiniteDistribution("G", last_outcome),
                AnyFiniteDistribution("F", last_outcome),
                epsilon,
            ),
            first_delta,
        ),
        lambda: Le(
            hockey_stick(
                AnyFiniteDistribution("F", last_outcome),
                AnyFiniteDistribution("G", last_outcome),
                epsilon,
            ),
            first_delta,
        ),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statement_of_all_distributions_is_refuted_by_an_example_and_not_proved(name):
    statement, *given = FALSE[name]
    evidence = decided(statement, given)
    assert evidence.verdict is Verdict.REFUTED, evidence
    assert evidence.counterexample.point
    with sympy.evaluate(False):
        task = make_task(statement(), [g() for g in given])
    assert certify(task, budget=30, depths=(0, 1)) is None


def weakened(key, change):
    """The task of a claim with another right side, without its lemmas."""
    claim = find(key)
    relation = claim.form.tree
    with sympy.evaluate(False):
        return make_task(Relation(relation.lhs, relation.op, change(relation.rhs)), claim.given)


SMALLER = {
    "privacy:power-below-chord": lambda bound: bound - sympy.Rational(1, 10),
    "privacy:log-moment-of-two-points": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:moment-of-two-points": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:excess-below-power": lambda bound: bound * sympy.Rational(1, 10),
    "privacy:chord-at-one": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:slope-and-fall": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:part-of-a-chord": lambda bound: bound - sympy.Rational(1, 10),
    "privacy:composition-basic-excess": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:threshold-beside-the-best": lambda bound: bound * sympy.Rational(9, 10),
    "privacy:geometric-ratio": lambda bound: bound * sympy.Rational(9, 10),
}


@pytest.mark.parametrize("key", SMALLER)
def test_a_smaller_bound_is_refuted_and_not_proved(key):
    task = weakened(key, SMALLER[key])
    assert tried(task).verdict is Verdict.REFUTED
    assert certify(task, budget=30, depths=(0, 1)) is None


def test_bound_whose_variables_the_call_does_not_all_tell_is_searched_for_and_found():
    claim = find("privacy:composition-of-parts")
    entries = proof_files.of_topic("privacy")
    lemmas = {key: sequent_from_json(entries[key]["sequent"]) for key in claim.using}
    assert certify(claim.task(lemmas_used(claim)), lemmas) is not None


@pytest.mark.parametrize(
    "key",
    [
        "privacy:parts-of-many",
        "privacy:composition-advanced-laws",
        "privacy:composition-adaptive-many",
    ],
)
def test_lemma_on_distributions_is_searched_for_and_found_where_it_is_used_at_others(key):
    claim = find(key)
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    assert certify(claim.task(lemmas_used(claim)), lemmas) is not None


def test_lemma_on_distributions_whose_conditions_are_not_given_after_every_history_is_not_used():
    claim = find("privacy:parts-of-many")
    lemmas = {k: sequent_of(find(k).form, find(k).given) for k in claim.using}
    task = claim.task(lemmas_used(claim))
    without = replace(task, given=task.given[:-1])  # that each release is private
    assert certify(without, lemmas, budget=30, depths=(0, 1)) is None


def test_sum_of_what_is_positive_somewhere_is_not_shown_to_be_at_most_0():
    answers = [TruthOrNot(truth, last_outcome, epsilon) for truth in (Integer(0), Integer(1))]
    with sympy.evaluate(False):
        half = make_task(ForAll(Relation(hockey_stick(*answers, epsilon / 2), "<=", Integer(0))))
    assert certify(half, budget=30, depths=(0, 1)) is None


@pytest.mark.parametrize("distance_", [0.3, 1.0, 2.5])
@pytest.mark.parametrize("start", [-1.0, 0.2, 1.5])
def test_errors_of_tests_of_normal_distributions_are_those_of_the_profile(distance_, start):
    """Both directions of `privacy:gaussian-trade-off`, from the tails of two normal distributions."""

    def tail(u):
        return math.erfc(u / math.sqrt(2)) / 2

    def profile(loss):
        sure = loss / distance_ - distance_ / 2
        return tail(sure) - math.exp(loss) * tail(sure + distance_)

    # a test that accepts in a tail, or at random: its power is at most what the profile allows
    losses = np.linspace(-3, 3, 61)
    for level, power in [(tail(start), tail(start - distance_)), (0.3, 0.3)]:
        assert all(power <= math.exp(x) * level + profile(x) + 1e-12 for x in losses)
    touching = distance_ * start - distance_**2 / 2
    assert isclose(
        math.exp(touching) * tail(start) + profile(touching), tail(start - distance_), rel_tol=1e-9
    )


def test_parts_with_nothing_for_what_is_left_out_are_not_proved():
    claim = find("privacy:composition-of-parts")
    relation = claim.form.tree
    with sympy.evaluate(False):
        smaller = relation.rhs - queries * first_delta
        task = make_task(ForAll(Relation(relation.lhs, "<=", smaller)), claim.given)
    assert certify(task, budget=30, depths=(0, 1)) is None


@pytest.mark.parametrize("concentration", [0.01, 0.5, 3])
@pytest.mark.parametrize("chance", [1e-9, 1e-3, 0.2])
def test_normal_distributions_are_as_private_as_the_conversion_of_zcdp_says(concentration, chance):
    """Normal distributions a distance d apart are d**2 / 2 - zero-concentrated; see `privacy:gaussian-to-zcdp`."""
    d = math.sqrt(2 * concentration)
    loss = concentration + 2 * math.sqrt(concentration * math.log(1 / chance))

    def above(u):
        return math.erfc(u / math.sqrt(2)) / 2

    def exact(at):
        return above(at / d - d / 2) - math.exp(at) * above(at / d + d / 2)

    assert exact(loss) <= chance
    claim = find("privacy:zcdp-to-dp-private")
    hockey, bound = claim.form.tree.parts[0].lhs, claim.form.tree.parts[0].rhs
    assert bound == delta
    assert float(hockey.args[2].subs({rho: concentration, delta: chance})) == pytest.approx(loss)


def test_randomised_response_with_many_answers_is_a_distribution():
    distribution = TruthOrNot(2, 4, log(3))
    masses = [sympy.simplify(distribution.density(Integer(i))) for i in range(5)]
    assert sum(masses) == 1
    assert masses[2] / masses[0] == 3
    assert [m == masses[0] for m in masses] == [True, True, False, True, True]


def test_laplace_noise_of_too_small_a_scale_is_not_private():
    statement = private(Laplace(mu_1, scale), Laplace(mu_2, scale), epsilon)
    far = sympy.Abs(mu_1 - mu_2) <= 2 * epsilon * scale
    with sympy.evaluate(False):
        task = make_task(ForAll(statement), [far])
    assert certify(task, budget=30, depths=(0, 1)) is None
    assert 2 * excess_of_laplaces(distance=1.0, scale=1.0, loss=0.5) > 0.1
    assert excess_of_laplaces(distance=1.0, scale=2.0, loss=0.5) == 0


def excess_of_laplaces(distance, scale, loss):
    """Largest excess of one Laplace distribution over another, by its midpoint rule."""
    outputs = (np.arange(-40_000, 40_000) + 0.5) / 1000
    first, second = (np.exp(-np.abs(outputs - m) / scale) / (2 * scale) for m in (0.0, distance))
    gaps = first - np.exp(loss) * second
    return float(np.sum(gaps[gaps > 1e-12]) / 1000)


def test_affinities_of_small_distributions_multiply():
    for p, q in product(SMALL, repeat=2):
        one = sum(float(a * b) ** 0.5 for a, b in zip(p, q, strict=True))
        both = sum(
            float(a * c * b * d) ** 0.5
            for (a, b), (c, d) in product(zip(p, q, strict=True), repeat=2)
        )
        assert isclose(both, one**2, abs_tol=1e-12)


def test_bounded_range_of_small_distributions_bounds_their_loss():
    seen = 0
    for p, q in product([w for w in SMALL if all(w)] + MORE, repeat=2):
        ratios = [a / b for a, b in zip(p, q, strict=True)]
        widest = max(ratios) / min(ratios)
        assert max(ratios) <= widest
        assert excess(p, q, widest) == excess(q, p, widest) == 0
        seen += widest > 1
    assert seen


def test_integrand_that_cells_do_not_model_decides_nothing():
    square = sympy.Integral(
        P.density(sympy.Symbol("t", real=True)) ** 2,
        (sympy.Symbol("t", real=True), -sympy.oo, sympy.oo),
    )
    evidence = tried(make_task(ForAll(Relation(square, "<=", sympy.Integer(1)))))
    assert evidence.verdict is Verdict.UNDECIDED
    assert "proportion" in evidence.reason


# --- statements ----------------------------------------------------------------------------------------


def test_private_says_what_it_stands_for():
    statement = private(P, Q, epsilon, first_delta)
    assert str(statement) == "P and Q are (epsilon, delta_1)-private"
    assert statement.latex() == r"P \approx_{\varepsilon,\, \delta_{1}} Q"
    sequent = sequent_of(ForAll(statement))
    assert sequent.functions == (("P", 1), ("Q", 1))
    assert "integral(P(t), t, -oo, oo) == 1" in map(str, sequent.hypotheses)


def test_probability_under_named_distributions():
    coin = probability(Bernoulli(sympy.Rational(1, 3)), Outcomes(1))
    assert unfold_definitions(coin).doit() == sympy.Rational(1, 3)
    half = unfold_definitions(probability(Normal(0, 1), Interval(0, sympy.oo))).doit()
    assert isclose(float(half), 0.5)


def test_event_that_tells_two_distributions_apart_is_a_witness():
    first, second = Bernoulli(sympy.Rational(3, 4)), Bernoulli(sympy.Rational(1, 4))
    with sympy.evaluate(False):
        apart = not_private(first, second, log(2), sympy.Rational(1, 8), Outcomes(1))
        close = not_private(first, second, log(2), sympy.Rational(1, 4), Outcomes(1))
    assert certify(make_task(ForAll(apart))) is not None
    assert tried(make_task(ForAll(close))).verdict is Verdict.REFUTED


def test_card_says_for_which_distributions_it_holds():
    card = repr(Entry(catalog.find("privacy:events"), tried(make_task(Ge(epsilon, 0)))))
    assert "for every: event A, distribution with a density on the line P, Q" in card


def test_a_statement_about_other_records_is_not_vacuous():
    # its integral cannot be evaluated on a few outcomes; its conditions can
    assert point_of(find("privacy:clipped-mean").task()) is not None


def test_a_small_number_is_not_taken_for_0_in_an_example():
    P, A = AnyDistribution("P"), AnyEvent("A")
    assert check((probability(P, A) * (1 - exp(-100)), "<", 1)).verdict is not Verdict.REFUTED
    delta = symbol("delta", at_least=0)
    found = check((delta + probability(P, A), ">", 0), given=[(delta, ">=", exp(-100))])
    assert found.verdict is not Verdict.REFUTED


def test_a_branch_that_is_not_taken_needs_no_value_in_an_example():
    delta = symbol("delta", at_least=0)
    guarded = sympy.Piecewise((1 / delta, delta > 0), (0, True))
    found = check((probability(AnyDistribution("P"), AnyEvent("A")) + guarded, ">=", 0))
    assert found.verdict is not Verdict.REFUTED


T, LOW, MIDDLE, HIGH = (symbol(name) for name in ("t", "a", "b", "c"))


def _on(low, high):
    """Return the probability of a segment under any distribution on the line."""
    return sympy.Integral(AnyDistribution("Q").density(T), (T, low, high))


@pytest.mark.parametrize(
    "statement",
    [
        _on(LOW, MIDDLE) >= 0,
        _on(LOW, MIDDLE) <= 1,
        _on(0, sympy.oo) <= 1,
        sympy.Eq(_on(-sympy.oo, MIDDLE) + _on(MIDDLE, sympy.oo), 1),
        sympy.Eq(_on(LOW, MIDDLE) + _on(MIDDLE, HIGH), _on(LOW, HIGH)),
        _on(LOW, MIDDLE) <= _on(LOW, HIGH),
    ],
    ids=str,
)
def test_probabilities_of_segments_add_up_for_any_distribution(statement):
    assert check(statement, given=[LOW < MIDDLE, MIDDLE < HIGH]).verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "statement",
    [
        _on(LOW, MIDDLE) > 0,
        _on(LOW, MIDDLE) <= _on(MIDDLE, HIGH),
        sympy.Eq(_on(-sympy.oo, LOW) + _on(MIDDLE, sympy.oo), 1),
    ],
    ids=str,
)
def test_what_a_segment_need_not_have_is_not_proved(statement):
    task = make_task(statement, [LOW < MIDDLE, MIDDLE < HIGH])
    assert certify(task, depths=(0, 1)) is None
