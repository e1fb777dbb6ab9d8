"""Pinsker's inequality, Le Cam's method and tests of draws, for any two laws and any estimator.

Laws on the line stand for posteriors of any kind (`privacy.any_laws`).
"""

from sympy import Abs, Eq, Ge, Integral, Le, Max, Min, oo, sqrt

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.posterior_sampling.any_models import Nonnegative
from dpbook.posterior_sampling.notation import gap, parameter
from dpbook.privacy.any_laws import AnyEvent, AnyLaw, law_for
from dpbook.privacy.claims.general_divergences import positive
from dpbook.privacy.divergences import kl_divergence, total_variation
from dpbook.privacy.statements import probability

P, Q = AnyLaw("P"), AnyLaw("Q")
A = AnyEvent("A")


def over_line(body):
    """Integral over the line."""
    return Integral(body(parameter), (parameter, -oo, oo))


def difference(at):
    """Absolute difference of the two densities."""
    return Abs(Q.density(at) - P.density(at))


# --- Pinsker --------------------------------------------------------------------------------------


@claim("note-l1", place="the l1 norm, and the total variation distance")
def l1_norm():
    """l1 norm of the difference of two laws."""
    return Eq(over_line(difference), 2 * total_variation(Q, P))


@claim(
    "eq-a.5",
    place="eq. A.5, for any two laws with densities that are positive everywhere",
    given=lambda: [*positive(), Ge(kl_divergence(Q, P), 0)],
    using=["note-l1", ("privacy:pinsker", lambda: {**law_for(P, Q), **law_for(Q, P)})],
)
def pinsker():
    """Pinsker's inequality."""
    return Ge(kl_divergence(Q, P), over_line(difference) ** 2 / 2)


@claim(
    "text-a-theorem-2",
    place="Appendix A, last display of the proof of Theorem 2, its first inequality",
    cites=["eq-a.5"],
    given=lambda: [*positive(), Ge(kl_divergence(P, Q), 0)],
    using=["privacy:pinsker"],
    without={"eq-a.5": "privacy:pinsker is the same in total variation"},
    proof=lambda: [
        step(
            "the event",
            [
                Le(probability(P, A) - probability(Q, A), total_variation(P, Q)),
                Le(probability(Q, A) - probability(P, A), total_variation(P, Q)),
            ],
        ),
        step(
            "its size", Le(Abs(probability(P, A) - probability(Q, A)), total_variation(P, Q))
        ),
        step(
            "squared",
            Le(Abs(probability(P, A) - probability(Q, A)) ** 2, kl_divergence(P, Q) / 2),
        ),
    ],
)
def event_and_divergence():
    """Probabilities of an event under two laws, by their divergence."""
    return Le(Abs(probability(P, A) - probability(Q, A)), sqrt(kl_divergence(P, Q) / 2))


# --- Le Cam ---------------------------------------------------------------------------------------

FIRST, SECOND = Nonnegative("r_1"), Nonnegative("r_2")


def common():
    """Integral of the smaller of two densities."""
    return over_line(lambda at: Min(P.density(at), Q.density(at)))


def risk(law, distance):
    """Mean distance of a guess from a set, under a law of the draws."""
    return over_line(lambda at: law.density(at) * distance(at))


@claim(
    "lemma-8",
    place="Lemma 8, eq. B.3, for any estimator: r_1 and r_2 are the distances of its guess at a draw from the "
    "two sets of datasets, which are 2 Delta apart; P and Q are mixtures of the posteriors of each, of which "
    "any pair will do. A mean of the risks over a mixture is at most the largest, that of some dataset",
    given=lambda: [
        Every(parameter, Ge(FIRST(parameter) + SECOND(parameter), 2 * gap)),
        Ge(risk(P, FIRST), 0),
        Ge(risk(Q, SECOND), 0),
    ],
    proof=lambda: [
        step("both risks", Ge(risk(P, FIRST) + risk(Q, SECOND), 2 * gap * common())),
    ],
)
def risk_of_a_guess():
    """Le Cam's bound on the risk of an estimator of the data."""
    return Ge(Max(risk(P, FIRST), risk(Q, SECOND)), gap * common())
