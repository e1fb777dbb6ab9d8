"""State the exercises of chapter 05, on Propose-Test-Sample, with the way each is decided."""

from __future__ import annotations

from sympy import Expr, Rational, exp, log, sqrt

from dpbook.langevin.claims.appendix_c_privacy import tight_limit
from dpbook.langevin.notation import (
    delta,
    dimension,
    kept,
    largest_ratio,
    lipschitz,
    radius,
    x_h,
    x_l,
)
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Slip

# --- propose, test, sample --------------------------------------------------------------------------

exercise(
    "langevin:centre-sensitivity",
    Formula(
        question="V holds V >= 2 records with covariates from x_l to x_h and ratios y/x from 0 to "
        "cap. Its centre is the sum of x*y over the sum of x^2. One record is replaced by another "
        "one of this kind. By how much can the centre change, at most?",
        hints=(
            "The centre is an average of the ratios, weighted by x^2. Which weight can one have?",
            "Let all others have ratio 0, and the one go from ratio cap to ratio 0.",
            "A weight is largest for the largest covariate among the smallest ones.",
        ),
        solution=tight_limit,
        symbols=lambda: [largest_ratio, kept, x_l, x_h],
        slips=(
            Slip(
                "cap*(2*(V - 1)*x_h^2*x_l^2 + x_h^4)/(V*(V - 1)*x_l^4)",
                "This is the paper's bound, at |V| in the place of n_2. No record moves it so far.",
            ),
            Slip("cap*x_h^2/((V - 1)*x_l^2)", "The record counts in the sum of squares too."),
            Slip("cap*x_h^2/(V*x_l^2)", "The record counts in the sum with its own square."),
            Slip("cap/V", "The others may have smaller covariates, and then weigh less."),
            Slip(
                "cap*x_l^2/((V - 1)*x_h^2 + x_l^2)", "Which covariates give one record most weight?"
            ),
        ),
    ),
)

exercise(
    "langevin:null-and-delta",
    Condition(
        question="On D_3 a draw is released with probability 1 - 5*delta at least. A draw that is "
        "released there is in S with probability 1/2; on D_4 it is in S with a probability as "
        "small as one likes. For which delta is that enough to break (epsilon, delta)-privacy, "
        "whatever epsilon is?",
        hints=(
            "The output is in S on D_3 with the probability that it is released and in S.",
            "Nulls are not all taken from S: the draw would have been in S half of the time.",
        ),
        solution=lambda: (1 - 5 * delta) / 2 > delta,
        symbols=lambda: [delta],
        slips=(
            Slip(
                "delta < 1/12",
                "That is as far as the paper's proof goes: it takes the 5*delta off 1/2.",
            ),
            Slip("delta < 1/6", "This is what the claim says; do 5*delta of nulls allow it?"),
            Slip("delta <= 1/7", "At its end nothing is left for epsilon to multiply."),
            Slip("delta < 1/5", "Then something is released; is it in S often enough?"),
            Slip("delta < 1/2", "Where all is released; but here 5*delta of it is null."),
        ),
    ),
)


def draws_needed(share: Expr, miss: Expr, loss: int = 25) -> Expr:
    """Draws without the event that bound its probability p by share * exp(-loss).

    With log(1 - p) = -p, which is right to 10 digits for so small a p.
    """
    return log(1 / miss) * exp(loss) / share


exercise(
    "langevin:audit-draws",
    Number(
        question="On D_3 an event has probability 1/2. In N draws on D_4 it does not occur at all, "
        "so that its probability there is at most p, with (1 - p)^N = 1/100, at confidence 99 %. "
        "Which N shows that epsilon is 25 at least, at delta = 1/10? (within 1 %)",
        hints=(
            "Privacy would have 1/2 <= exp(epsilon)*p + delta.",
            "So p has to be 0.4*exp(-25) or less. Now solve for N, or use log(1 - p) = -p.",
        ),
        solution=lambda: draws_needed(Rational(2, 5), Rational(1, 100)),
        relative=Rational(1, 100),
        slips=(
            Slip(
                lambda: draws_needed(Rational(1, 2), Rational(1, 100)),
                "delta explains a part of the 1/2 before epsilon explains any.",
            ),
            Slip(lambda: exp(25), "How sure is that? The event may be rarer than 1/N."),
            Slip(
                lambda: Rational(5, 2) * exp(25),
                "That many draws hold the event once in the mean; they may well miss it.",
            ),
            Slip(
                lambda: draws_needed(Rational(2, 5), Rational(1, 20)),
                "The confidence is 99 %, not 95 %.",
            ),
            Slip(
                lambda: draws_needed(Rational(2, 5), Rational(1, 100), 5),
                "Claim 4.1 promises 5*epsilon: here all of it is to be shown, 25.",
            ),
        ),
    ),
)

exercise(
    "langevin:close-enough",
    Formula(
        question="Theorem 2 multiplies the average of q over a ball of radius lambda_ball in "
        "dimension d by the ratio of two volumes, (lambda_ball/(lambda_ball - epsilon))^d. Up to "
        "which epsilon is that at most 2?",
        hints=(
            "Set the ratio to 2, and take the d-th root on both sides.",
            "lambda_ball - epsilon is lambda_ball/2^(1/d).",
        ),
        solution=lambda: radius * (1 - 2 ** (-1 / dimension)),
        symbols=lambda: [radius, dimension],
        slips=(
            Slip(
                "lambda_ball*(2^(1/d) - 1)",
                "That is epsilon in parts of the smaller radius, lambda_ball - epsilon.",
            ),
            Slip("lambda_ball/2", "That is so on the line; and in dimension d?"),
            Slip("lambda_ball*(1 - 2^(-d))", "A root was to be taken, not a power."),
            Slip("lambda_ball*2^(-1/d)", "This is the smaller radius, lambda_ball - epsilon."),
            Slip(
                "lambda_ball^2*(1 - 2^(-1/d))^2",
                "This is the distance that the distributions may have; epsilon is its root.",
            ),
        ),
    ),
)

exercise(
    "langevin:null-though-enough",
    Number(
        question="epsilon = 5 and delta = 1/20. The set W has two records more than n_min. With which "
        "probability does line 16 return null? A noisy count is the number plus Laplace noise of "
        "scale 1/epsilon, less log(1/(2*delta))/epsilon. (within 0.1 %)",
        hints=(
            "The noise has to be below the margin less 2. The margin is log(10)/5.",
            "Laplace noise of scale b is below -s with probability exp(-s/b)/2.",
        ),
        solution=lambda: 5 * exp(-10),
        relative=Rational(1, 1000),
        slips=(
            Slip(lambda: exp(-10) / 2, "The margin is taken off the count before it is compared."),
            Slip(lambda: exp(-10) / 20, "The margin makes null likelier, not rarer."),
            Slip(lambda: 10 * exp(-10), "Half of the noise is above 0, and does no harm."),
            Slip(lambda: 5 * exp(-2), "The noise has the scale 1/epsilon, a fifth."),
        ),
    ),
)

exercise(
    "langevin:highest-density",
    Formula(
        question="A density on the line changes by at most L per unit of length. How high can it be "
        "anywhere?",
        hints=(
            "Where it has the height h it cannot be below a triangle of height h and slope L.",
            "That triangle has the area h^2/L, and the density has mass 1.",
        ),
        solution=lambda: sqrt(lipschitz),
        symbols=lambda: [lipschitz],
        slips=(
            Slip("L", "Density is one over length, and L is one over length squared."),
            Slip("sqrt(2*L)", "The triangle has two sides: h/L long to the left and to the right."),
            Slip("1/sqrt(L)", "The steeper it may be, the higher."),
            Slip("sqrt(L/2)", "The triangle has half the area of its rectangle."),
        ),
    ),
)
