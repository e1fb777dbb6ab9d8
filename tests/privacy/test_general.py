"""Privacy of laws that are left open: what holds for all of them, and what fails for some."""

from fractions import Fraction
from itertools import product
from math import isclose

import pytest
import sympy
from sympy import Ge, Le, exp, log

from dpbook.engine import ledger, proofs
from dpbook.engine.certify import certify
from dpbook.engine.decide import decide
from dpbook.engine.sequents import sequent_of
from dpbook.engine.statement import Every, ForAll, Relation, written_out
from dpbook.engine.task import task_of
from dpbook.engine.verdict import Verdict
from dpbook.privacy.any_laws import AnyEvent, AnyFiniteLaw, AnyLaw, Then
from dpbook.privacy.divergences import hockey_stick, total_variation
from dpbook.privacy.laws import Bernoulli, Finite, Mixture, Normal
from dpbook.privacy.notation import (
    epsilon,
    first_delta,
    first_output,
    last_outcome,
    other_epsilon,
    second_delta,
    share,
)
from dpbook.privacy.statements import Interval, Outcomes, not_private, private, probability

P, Q, R = AnyLaw("P"), AnyLaw("Q"), AnyLaw("R")
GENERAL = [
    claim
    for claim in ledger.load("privacy")
    if claim.function.__module__.rpartition(".")[2].startswith("general")
]


def decided(statement, given=()):
    with sympy.evaluate(False):
        task = task_of(statement(), [g() for g in given])
    return decide(task)


# --- all small laws, in exact rationals -------------------------------------------------------------

WEIGHTS = [Fraction(i, 3) for i in range(4)]
SMALL = [w for w in product(WEIGHTS, repeat=3) if sum(w) == 1]
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


def test_groups_of_two_of_all_small_laws():
    for p, q, r in product(SMALL, repeat=3):
        assert excess(p, r, LOSS**2) <= excess(p, q) + LOSS * excess(q, r)


def test_total_variation_of_all_small_laws_that_are_private():
    for p, q in product(SMALL, repeat=2):
        allowed = LOSS - 1 + excess(p, q) + excess(q, p)
        assert (1 + LOSS) * excess(p, q, 1) <= allowed


def test_composition_of_all_small_laws():
    pairs = [(Fraction(i, 2), 1 - Fraction(i, 2)) for i in range(3)]
    for p, q in product(pairs, repeat=2):
        for p_0, q_0, p_1, q_1 in product(pairs, repeat=4):
            first = [p[0] * p_0[0], p[0] * p_0[1], p[1] * p_1[0], p[1] * p_1[1]]
            second = [q[0] * q_0[0], q[0] * q_0[1], q[1] * q_1[0], q[1] * q_1[1]]
            later = max(excess(p_0, q_0), excess(p_1, q_1))
            assert excess(first, second, LOSS**2) <= excess(p, q) + later


def test_pinsker_and_affinity_of_small_laws():
    for p, q in product(SMALL, repeat=2):
        distance = float(excess(p, q, 1))
        affinity = sum(float(a * b) ** 0.5 for a, b in zip(p, q, strict=True))
        assert distance**2 <= 1 - affinity**2 + 1e-12
        if all(p) and all(q):
            loss = sum(float(a) * float(log(a / b)) for a, b in zip(p, q, strict=True))
            assert 2 * distance**2 <= loss + 1e-12


# --- what is proved, and what is not -----------------------------------------------------------------


@pytest.mark.parametrize("claim", GENERAL, ids=str)
def test_each_general_claim_has_a_certificate_of_its_own_statement(claim):
    entry = proofs.of_topic("privacy")[claim.key]
    assert ledger._fits(claim.form, claim.given, entry)
    used = {key: proofs.of_topic("privacy")[key]["sequent"] for key in claim.using}
    proofs.checked(entry, used)


def test_a_claim_of_all_laws_is_proved_by_a_certificate_alone():
    statement = ForAll(Relation(hockey_stick(P, Q, epsilon), "<=", sympy.Integer(1)))
    task = task_of(statement)
    assert decide(task).verdict is Verdict.SUPPORTED
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
    "a distance that is too small": (
        lambda: Le((2 + exp(epsilon)) * total_variation(P, Q), exp(epsilon) - 1 + first_delta),
        lambda: private(P, Q, epsilon, first_delta),
    ),
    "adaptive composition with one delta": (
        lambda: Le(
            hockey_stick(
                Then(P, first_output, AnyLaw("P_2", first_output)),
                Then(Q, first_output, AnyLaw("Q_2", first_output)),
                epsilon + other_epsilon,
            ),
            first_delta,
        ),
        lambda: Le(hockey_stick(P, Q, epsilon), first_delta),
        lambda: Every(
            first_output,
            private(
                AnyLaw("P_2", first_output),
                AnyLaw("Q_2", first_output),
                other_epsilon,
                second_delta,
            ),
        ),
    ),
    "finite laws, the other direction": (
        lambda: Le(
            hockey_stick(AnyFiniteLaw("G", last_outcome), AnyFiniteLaw("F", last_outcome), epsilon),
            first_delta,
        ),
        lambda: Le(
            hockey_stick(AnyFiniteLaw("F", last_outcome), AnyFiniteLaw("G", last_outcome), epsilon),
            first_delta,
        ),
    ),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_statement_of_all_laws_is_refuted_by_an_example_and_not_proved(name):
    statement, *given = FALSE[name]
    evidence = decided(statement, given)
    assert evidence.verdict is Verdict.REFUTED, evidence
    assert evidence.counterexample.point
    with sympy.evaluate(False):
        task = task_of(statement(), [g() for g in given])
    assert certify(task, budget=30, depths=(0, 1)) is None


def test_integrand_that_cells_do_not_model_decides_nothing():
    square = sympy.Integral(
        P.density(sympy.Symbol("t", real=True)) ** 2,
        (sympy.Symbol("t", real=True), -sympy.oo, sympy.oo),
    )
    evidence = decide(task_of(ForAll(Relation(square, "<=", sympy.Integer(1)))))
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


def test_probability_under_named_laws():
    coin = probability(Bernoulli(sympy.Rational(1, 3)), Outcomes(1))
    assert written_out(coin).doit() == sympy.Rational(1, 3)
    half = written_out(probability(Normal(0, 1), Interval(0, sympy.oo))).doit()
    assert isclose(float(half), 0.5)


def test_event_that_tells_two_laws_apart_is_a_witness():
    first, second = Bernoulli(sympy.Rational(3, 4)), Bernoulli(sympy.Rational(1, 4))
    with sympy.evaluate(False):
        apart = not_private(first, second, log(2), sympy.Rational(1, 8), Outcomes(1))
        close = not_private(first, second, log(2), sympy.Rational(1, 4), Outcomes(1))
    assert decide(task_of(ForAll(apart))).verdict is Verdict.PROVED
    assert decide(task_of(ForAll(close))).verdict is Verdict.REFUTED


def test_card_says_for_which_laws_it_holds():
    card = repr(ledger.Entry(ledger.find("privacy:events"), decide(task_of(Ge(epsilon, 0)))))
    assert "for every: event A, law with a density on the line P, Q" in card
