"""State the exercises of the depth_medians chapters, with the way each is decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from sympy import Expr, Integer, Rational, log, sqrt

from dpbook.depth_medians.notation import (
    d,
    delta,
    epsilon,
    eta,
    failure,
    gain,
    location,
    n,
    point,
    sampling,
    scale,
    tau,
)
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip

# --- outlyingness ---------------------------------------------------------------------------------


def length_of_a_level() -> Expr:
    """Length of the interval of outlyingness at most tau, in one dimension."""
    return 2 * tau * scale


exercise(
    "depth_medians:length-of-a-level",
    Formula(
        question="In one dimension outlyingness is abs(p - mu)/sigma. How long is the interval of all "
        "points that lie out by at most tau?",
        hints=(
            "Solve abs(p - mu) <= tau*sigma for p.",
            "It goes from mu - tau*sigma to mu + tau*sigma.",
        ),
        solution=length_of_a_level,
        symbols=lambda: [tau, scale],
        slips=(
            Slip("tau*sigma", "That is half of it: from the centre to one end."),
            Slip("2*tau", "That is so for sigma = 1."),
            Slip("2*tau/sigma", "A larger scale makes a point lie out less."),
        ),
    ),
)

exercise(
    "depth_medians:same-side",
    Condition(
        question="In one dimension, with location mu and scale sigma: which points p lie out by more than "
        "3 on the right side? Write a condition on p.",
        hints=("Outlyingness is abs(p - mu)/sigma.", "On the right side p - mu is positive."),
        solution=lambda: point > location + 3 * scale,
        symbols=lambda: [point, location, scale],
        slips=(
            Slip("p > 3*sigma", "That is so for mu = 0."),
            Slip("p > mu + 3", "That is so for sigma = 1."),
            Slip("p >= mu + 3*sigma", "At its end outlyingness is 3, not more."),
            Slip("abs(p - mu) > 3*sigma", "This holds on both sides."),
        ),
    ),
)

exercise(
    "depth_medians:equal-rows",
    Point(
        question="Definition 3.4 adds up the ranks from n*alpha to n - n*alpha, and divides by "
        "n*(1 - 2*alpha). Take n rows that are all 1: their trimmed mean should be 1. Give n and alpha, "
        "with a whole n*alpha of at least 1, at which it is not.",
        hints=("How many ranks are there from 2 to 8?", "Count the terms: n - 2*n*alpha + 1."),
        claim="depth_medians:definition-3.4",
        values=("n", ("4", "6", "8", "10", "12")),
        slips=(
            Slip(
                lambda at: at["n"] * at["alpha"] % 1 != 0,
                "n*alpha is to be a whole number: then nothing is rounded.",
                outside=True,
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "depth_medians:kept-points",
    Point(
        question="The proof of Theorem 3.4 says, on the line, that a point p with abs(p - mu)/sigma <= tau "
        "has p >= tau*sigma - abs(mu). Give p, mu, sigma and tau at which that is false.",
        hints=("Try a point at the centre.", "With mu = 0 and p = 0 it says 0 >= tau*sigma."),
        claim="depth_medians:text-3.1-breakdown",
        slips=(
            Slip(
                lambda at: at["sigma"] > 0 and abs(at["p"] - at["mu"]) > at["tau"] * at["sigma"],
                "This point lies out by more than tau, so nothing is said of it.",
                outside=True,
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "depth_medians:breakdown",
    Number(
        question="How many of 21 numbers must be replaced until their median can be made as large as you "
        "like?",
        hints=(
            "The median of 21 numbers is the 11th smallest.",
            "How many may be huge while the 11th is not?",
        ),
        solution=lambda: Integer(11),
        slips=(
            Slip(lambda: Integer(1), "That is so for the mean."),
            Slip(
                lambda: Integer(10),
                "With ten huge ones the 11th smallest is still one of the others.",
            ),
            Slip(lambda: Integer(21), "Half of them will do."),
        ),
    ),
)

exercise(
    "depth_medians:cauchy-scale",
    Number(
        question="Two independent standard Cauchy coordinates are projected on the diagonal, on "
        "(1, 1)/sqrt(2). What is the MAD of the projection?",
        hints=(
            "u_1*X_1 + u_2*X_2 is Cauchy with the scale abs(u_1) + abs(u_2).",
            "The MAD of a Cauchy distribution about 0 is its scale.",
        ),
        solution=lambda: sqrt(2),
        slips=(
            Slip(
                lambda: Integer(1),
                "That is so along a coordinate; for normal ones it would be the same.",
            ),
            Slip(lambda: Integer(2), "The direction has length 1, so its entries are 1/sqrt(2)."),
            Slip(lambda: 1 / sqrt(2), "That is one coordinate's share."),
        ),
    ),
)


def deviation_for_one_scale() -> Expr:
    """Distance of a draw from the truth where all projected scales are the same."""
    return scale * gain + 2 * sampling


exercise(
    "depth_medians:deviation",
    Formula(
        question="A draw lies out by at most g more than the point that lies out least. All projected "
        "scales are sigma, and each projected location is within s_n of the projected truth. How far can "
        "the draw be from the truth?",
        hints=(
            "In the direction of the draw its projection is within sigma times its outlyingness of the "
            "location, and that is within s_n of the truth.",
            "The truth itself lies out by at most s_n/sigma, so the least outlyingness is at most that.",
        ),
        solution=deviation_for_one_scale,
        symbols=lambda: [scale, gain, sampling],
        slips=(
            Slip("sigma*g + s_n", "The least outlyingness is not 0: it costs another s_n."),
            Slip("sigma*g", "The locations err too."),
            Slip("g + 2*s_n", "Outlyingness is measured in scales."),
        ),
    ),
)

# --- propose-test-release -------------------------------------------------------------------------


def margin_for_a_failure() -> Expr:
    """Margin at which the test fails with chance rho."""
    return 2 / epsilon * log(1 / (4 * delta * failure))


exercise(
    "depth_medians:margin",
    Formula(
        question="The test passes if s + (2/epsilon)*W exceeds (2/epsilon)*log(1/(2*delta)), where W is a "
        "standard Laplace variable. From which margin s on does it fail with probability at most rho, for "
        "rho below 1/2?",
        hints=(
            "It fails where W is at most log(1/(2*delta)) - epsilon*s/2.",
            "A standard Laplace variable is below -z with probability exp(-z)/2.",
        ),
        solution=margin_for_a_failure,
        symbols=lambda: [epsilon, delta, failure],
        slips=(
            Slip(
                "2/epsilon*log(1/(2*delta))",
                "That is the threshold: there it fails with probability 1/2.",
            ),
            Slip("1/epsilon*log(1/(4*delta*rho))", "The noise has the scale 2/epsilon."),
            Slip(
                "2/epsilon*log(1/(2*delta*rho))",
                "A Laplace variable has two sides: below -z it has half of exp(-z).",
            ),
        ),
    ),
)


def _fails_at(at: Mapping[str, Any]) -> float:
    """log(1/(2 delta)) - epsilon."""
    return math.log(1 / (2 * float(at["delta"]))) - float(at["epsilon"])


exercise(
    "depth_medians:margin-of-two",
    Point(
        question="In the proof of Theorem 3.1 the chance that the test fails at a margin of 2 is bounded by "
        "delta*exp(epsilon). Give epsilon and delta at which it is larger, with log(1/(2*delta)) >= epsilon.",
        hints=(
            "At a margin of 2 the noise W must exceed log(1/(2*delta)) - epsilon.",
            "If that is positive, W does so with probability delta*exp(epsilon), and fails otherwise.",
        ),
        claim="depth_medians:eq-b.6",
        values=("epsilon", ("1/2", "3/4", "3/2", "2")),
        slips=(
            Slip(
                lambda at: at["epsilon"] > 0 and 0 < at["delta"] < 1 and _fails_at(at) < 0,
                "Here log(1/(2*delta)) is below epsilon.",
                outside=True,
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "depth_medians:two-budgets",
    Point(
        question="A mechanism is (epsilon, delta)-close on two neighbours of margins s + 1 and s, and gives "
        "some event the probabilities q and q_1. The test passes by eq. 3.1. Suppose that the "
        "release is (epsilon, delta)-private. Give epsilon, delta, s >= 1, q and q_1 at which the released "
        "event contradicts that.",
        hints=(
            "Let q be as much as exp(epsilon) times q_1, so that the mechanism has nothing left.",
            "The test has a loss of its own, epsilon/2, where the margins are below the threshold.",
            "With epsilon = 1 and delta = 1/1000 the threshold is 12.4.",
        ),
        claim="depth_medians:note-two-budgets",
        slips=(
            Slip(
                lambda at: (
                    float(at["q"])
                    > math.exp(float(at["epsilon"])) * float(at["q_1"]) + float(at["delta"])
                ),
                "The mechanism itself is not (epsilon, delta)-close: q is too large.",
                outside=True,
            ),
            Slip(
                lambda at: 2 * at["q"] < 3 * at["q_1"],
                "The mechanism has budget left here: make q larger against q_1.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "depth_medians:five-rows",
    Point(
        question="Appendix A bounds the change of MAD by one replaced row. Take five sorted numbers x_1 to "
        "x_5, and replace x_2 by y. The bound is the largest change of the 3rd smallest distance to its "
        "neighbours in rank, over the centres x_2, x_3 and x_4. Give x_1, ..., x_5 and y at which MAD "
        "changes by more.",
        hints=(
            "The bound forgets that the median moves.",
            "Let y be large, so that the median moves from x_3 to x_4.",
            "Try x_2 = x_3, so that one distance is 0.",
        ),
        claim="depth_medians:note-a-mad-observations",
        slips=(
            Slip(lambda at: at["y"] == at["x_2"], "Nothing is replaced here."),
            Slip(
                lambda at: any(at[f"x_{k}"] > at[f"x_{k + 1}"] for k in range(1, 5)),
                "The five numbers are to be sorted.",
                outside=True,
            ),
            Slip(lambda at: at["y"] <= at["x_3"], "With such a y the median stays where it is."),
        ),
        time_limit=20.0,
    ),
)


def mean_gain() -> Expr:
    """Mean outlyingness of a draw where outlyingness is a norm and tau is large."""
    return 4 * d * eta / epsilon


exercise(
    "depth_medians:price-of-privacy",
    Formula(
        question="Around a centre of symmetry the outlyingness of a draw is a Gamma(d, beta) variable with "
        "beta = epsilon/(4*eta), cut at tau. What is its mean, if tau is so large that the cut does not "
        "matter?",
        hints=("A Gamma(d, beta) variable has the mean d/beta.",),
        solution=mean_gain,
        symbols=lambda: [d, eta, epsilon],
        slips=(
            Slip("4*eta/epsilon", "That is so in one dimension."),
            Slip("d*epsilon/(4*eta)", "beta is a rate: it divides."),
            Slip(
                "d*eta/epsilon",
                "A factor 4 is missing: half of epsilon for the test, and half of the rest "
                "for the change of the normaliser.",
            ),
        ),
    ),
)

exercise(
    "depth_medians:volume-ratio",
    Point(
        question="For any inner radius r > 0 let R(r) = exp(-epsilon*(tau - 2*eta - (r + alpha_mu)/b)/(4*eta))"
        "*((B*(tau + 2*eta) + alpha_mu)/r)^d. The bound on the probability of points far out is made of it. It is least at r_1 = "
        "4*eta*d*b/epsilon, where the test needs it; there tau - 2*eta > (r_1 + alpha_mu)/b. Appendix A "
        "prints VR = exp(-epsilon*tau/(4*eta) + epsilon/2 + epsilon*alpha_mu/(4*b*eta) + d)"
        "*((B*(tau + 2*eta) + alpha_mu)/(4*eta*d*b*epsilon))^d for R(r_1). Give epsilon, eta, tau, d, b, "
        "B >= b and alpha_mu >= 0 at which VR is smaller than R(r_1).",
        hints=(
            "The best inner radius is 4*eta*d*b/epsilon, and the print divides by 4*eta*d*b*epsilon.",
            "For which epsilon is the printed divisor larger?",
        ),
        claim="depth_medians:text-a-volume-ratio",
        slips=(
            Slip(
                lambda at: at["epsilon"] <= 1,
                "For epsilon of at most 1 the printed number is not too small.",
            ),
        ),
        time_limit=20.0,
    ),
)

# --- the study ------------------------------------------------------------------------------------


def error_of_the_mean() -> Expr:
    """Root mean squared error of the mean of n standard normal rows in d dimensions."""
    return sqrt(d / n)


exercise(
    "depth_medians:error-of-the-mean",
    Formula(
        question="What is the root mean squared error of the mean of n standard normal rows in d "
        "dimensions? The error is the length of a vector.",
        hints=(
            "Each coordinate of the mean has the variance 1/n.",
            "The square of a length adds up.",
        ),
        solution=error_of_the_mean,
        symbols=lambda: [d, n],
        slips=(
            Slip("1/sqrt(n)", "That is one coordinate's."),
            Slip("d/sqrt(n)", "Squares add up, not lengths."),
            Slip("d/n", "This is its square."),
        ),
    ),
)


def bias_of_the_mean() -> Expr:
    """Distance by which a quarter of rows, moved by 5 in each coordinate, moves the mean."""
    return Rational(5, 4) * sqrt(d)


exercise(
    "depth_medians:bias-of-the-mean",
    Formula(
        question="A quarter of the rows is moved by 5 in each of d coordinates. How far is the mean moved?",
        hints=("In each coordinate the mean moves by 5/4.",),
        solution=bias_of_the_mean,
        symbols=lambda: [d],
        slips=(
            Slip("5/4*d", "The length of a vector of equal entries grows with the root of d."),
            Slip("5/4", "That is one coordinate's."),
            Slip("5*sqrt(d)", "Only a quarter of the rows moves."),
        ),
    ),
)

exercise(
    "depth_medians:temperature",
    Number(
        question="Figure 1 has n = 10000, epsilon = 10 and eta = 30*log(n)/n. What is beta = epsilon/(4*eta)? "
        "(within 0.1 %)",
        hints=("eta is 0.0276.",),
        solution=lambda: Rational(10 * 10_000, 120) / log(10_000),
        relative=Rational(1, 1000),
        slips=(
            Slip(
                lambda: Rational(10 * 10_000, 30) / log(10_000),
                "There is a factor 4 under the line.",
            ),
        ),
    ),
)

exercise(
    "depth_medians:figure-threshold",
    Number(
        question="Figure 1 has epsilon = 10 and delta = 1/1000. What must a margin plus its noise exceed? "
        "(within 0.1 %)",
        hints=("eq. 3.1: 2*log(1/(2*delta))/epsilon.",),
        solution=lambda: log(500) / 5,
        relative=Rational(1, 1000),
        slips=(
            Slip(lambda: log(1000) / 5, "It is 1/(2*delta), not 1/delta."),
            Slip(
                lambda: log(500) / 10,
                "The noise has the scale 2/epsilon, and so the threshold has.",
            ),
        ),
    ),
)

exercise(
    "depth_medians:ideal-error",
    Number(
        question="In 20 dimensions a draw for ideal normal data lies out by 20/beta on average, with beta = "
        "90.5, and each projection has the MAD 0.6745. How far is it from the centre on average? (within "
        "1 %)",
        hints=("Outlyingness is a distance over the MAD.",),
        solution=lambda: Rational(20 * 6745, 905 * 1000),
        relative=Rational(1, 100),
        slips=(
            Slip(lambda: Rational(200, 905), "That is its outlyingness: multiply by the MAD."),
            Slip(lambda: Rational(6745, 905 * 1000), "That is so in one dimension."),
            Slip(
                lambda: Rational(200 * 10_000, 905 * 6745),
                "The MAD multiplies, it does not divide.",
            ),
        ),
    ),
)


def largest_rho() -> Expr:
    """Level of zero-concentrated privacy that is enough for epsilon and delta."""
    return (sqrt(log(1 / delta) + epsilon) - sqrt(log(1 / delta))) ** 2


exercise(
    "depth_medians:level-of-coinpress",
    Formula(
        question="CoinPress is rho-zCDP, and so (rho + 2*sqrt(rho*log(1/delta)), delta)-private. Which rho gives "
        "epsilon?",
        hints=("Add log(1/delta) to both sides: the left is a square.",),
        solution=largest_rho,
        symbols=lambda: [epsilon, delta],
        slips=(
            Slip("epsilon", "That is so without the second term."),
            Slip("epsilon^2/(4*log(1/delta))", "That leaves out the first term."),
            Slip(
                "sqrt(log(1/delta) + epsilon) - sqrt(log(1/delta))",
                "This is the root of it.",
            ),
        ),
    ),
)
