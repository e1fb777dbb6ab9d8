"""State the exercises of the unknown_sample_size chapters, with the way each is decided."""

from __future__ import annotations

import math
from functools import lru_cache

import sympy
from sympy import Expr, Integer, Rational, exp, log, sinh

from dpbook import unknown_sample_size  # its public names are imported when they are used
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip
from dpbook.unknown_sample_size.notation import (
    cell_rate,
    covariates,
    distance,
    eps_n,
    eps_s,
    floor,
    fraction,
    n,
    n_0,
    poisson_rate,
    q,
)

# --- a noisy number (chapter 10) ------------------------------------------------------------------


def mass_at_the_noisy_number() -> Expr:
    """Posterior mass of n = n_0 given n_dp = n_0, under a flat prior and discrete Laplace noise."""
    return (1 - q) / (1 + q - q**n_0)


exercise(
    "unknown_sample_size:mass-at-the-noisy-number",
    Formula(
        question="n is at least 1, and all numbers are alike a priori. n_dp is n plus noise k of mass "
        "proportional to q^abs(k), where q = exp(-epsilon). It comes out as n_0. What is the "
        "probability that n is n_0?",
        hints=(
            "The weight of n is q^abs(n - n_0); sum it over n >= 1.",
            "Below and at n_0 the weights are q^0, ..., q^(n_0 - 1); above it q, q^2, ...",
        ),
        solution=mass_at_the_noisy_number,
        symbols=lambda: [q, n_0],
        slips=(
            Slip("(1 - q)/(1 + q)", "This is the noise's own mass at 0: n cannot be below 1."),
            Slip(
                "(1 - q)/(1 + q - q^(n_0 + 1))",
                "One weight too many: the smallest n is 1, and its weight is q^(n_0 - 1).",
            ),
            Slip("1 - q", "That counts the numbers on one side only."),
        ),
    ),
)

exercise(
    "unknown_sample_size:mean-distance",
    Number(
        question="How far is n from n_dp on average, at epsilon_n = 1, flat prior, discrete Laplace "
        "noise, and n_dp so large that the lower end of n plays no part? (within 0.1 %)",
        hints=(
            "The weights are q^abs(j), with q = exp(-1).",
            "The sum of j*q^j is q/(1 - q)^2, and all weights sum to (1 + q)/(1 - q).",
        ),
        solution=lambda: 1 / sinh(Integer(1)),
        relative=Rational(1, 1000),
        slips=(
            Slip(2 / (sympy.E - 1), "This is the bound of Lemma A.13; the mean is smaller."),
            Slip(1, "That is so for continuous Laplace noise."),
        ),
    ),
)

exercise(
    "unknown_sample_size:distance-of-sums",
    Formula(
        question="All records are 1, so their sum is n. Laplace noise of scale 1/epsilon_s is added. "
        "What is the total variation distance of the releases of n records and of n + k?",
        hints=(
            "The two densities cross half way, k/2 from either centre.",
            "It is the mass of one distribution on its side of the crossing, less that of the other there.",
        ),
        solution=lambda: 1 - exp(-eps_s * distance / 2),
        symbols=lambda: [eps_s, distance],
        slips=(
            Slip("1 - exp(-epsilon_s*k)", "They cross half way between the centres."),
            Slip("tanh(epsilon_s*k/2)", "This bounds it, for any mechanism of the same loss."),
            Slip("k*tanh(epsilon_s/2)", "This is Lemma A.12's bound."),
            Slip("exp(-epsilon_s*k/2)", "That is what the two distributions have in common."),
        ),
    ),
)

exercise(
    "unknown_sample_size:loss-of-a-swap",
    Formula(
        question="The regression release of p covariates has the sensitivity (p + 1)*(p + 4)/2 when a "
        "row is added. When a row is swapped its sums move by at most (p + 1)*(p + 3)^2/(2*(p + 2)). "
        "Its noise makes it epsilon_s-private in the unbounded sense. What is its loss in the bounded "
        "sense?",
        hints=(
            "Laplace noise of a scale b loses the movement of the sums over b.",
            "The scale is the sensitivity over epsilon_s.",
        ),
        solution=lambda: eps_s * (covariates + 3) ** 2 / ((covariates + 2) * (covariates + 4)),
        symbols=lambda: [eps_s, covariates],
        slips=(
            Slip("2*epsilon_s", "This holds for any mechanism; here the movement is known."),
            Slip(
                "epsilon_s*(p + 2)*(p + 4)/(p + 3)^2",
                "Turned over: a larger movement is a larger loss.",
            ),
            Slip("epsilon_s", "A swap moves the sums by more than a row does."),
        ),
    ),
)

exercise(
    "unknown_sample_size:where-the-series",
    Condition(
        question="A noisy number n_dp lies a above a whole number, 0 <= a < 1. The proof of Lemma A.2 prints that the "
        "sum of the weights exp(-epsilon*abs(i - n_dp)) is at most 2*exp(epsilon/2)/(exp(epsilon) - 1), "
        "its value at a = 1/2. For which a is that true?",
        hints=(
            "The sum is (exp((1 - a)*epsilon) + exp(a*epsilon))/(exp(epsilon) - 1).",
            "A convex function of a that is symmetric about 1/2 has its minimum there.",
        ),
        solution=lambda: sympy.Eq(fraction, Rational(1, 2)),
        symbols=lambda: [fraction],
        slips=(
            Slip("a = 0", "There the sum is largest: take epsilon = 1."),
            Slip("a >= 1/2", "The sum is the same at a and at 1 - a."),
        ),
    ),
)

exercise(
    "unknown_sample_size:tail-slip",
    Point(
        question="The proof of Lemma A.2 prints exp(-epsilon - r_0*epsilon)/(exp(epsilon) - 1) for the "
        "sum of the weights of all numbers below 1. Give epsilon and r_0 at which that fails.",
        hints=(
            "The largest weight is that of the number 0: exp(-epsilon*r_0).",
            "The sum is at least that. Compare it with exp(-epsilon - r_0*epsilon)/(exp(epsilon) - 1).",
        ),
        claim="unknown_sample_size:text-a.2-tail",
        slips=(
            Slip(lambda at: at["r_0"] < 1, "The noisy number is at least 1 there.", outside=True),
            Slip(lambda at: at["epsilon"] <= 0, "A privacy loss is positive.", outside=True),
        ),
        time_limit=20.0,
    ),
)

# --- reversible jump (chapter 11) -----------------------------------------------------------------

exercise(
    "unknown_sample_size:poisson-prior",
    Formula(
        question="n has a Poisson(lambda) prior. Which factor does it put into the acceptance ratio of "
        "a birth, from n to n + 1?",
        hints=("It is p(n + 1)/p(n).", "p(n) is proportional to lambda^n/n!."),
        solution=lambda: poisson_rate / (n + 1),
        symbols=lambda: [poisson_rate, n],
        slips=(
            Slip("lambda/n", "This is p(n)/p(n - 1): the number is one too small."),
            Slip("(n + 1)/lambda", "This is that of the death that undoes it."),
            Slip("lambda", "And the factorials?"),
        ),
    ),
)

exercise(
    "unknown_sample_size:forgotten-ratio",
    Number(
        question="n is 1 or 2, both with the same posterior mass. From 1 a birth is always proposed, "
        "from 2 a death with probability 1/2; else the chain stays. Someone forgets q(n | n*)/q(n* | n), "
        "and accepts all of it. What share of the time does the chain spend at n = 1?",
        hints=(
            "In the long run there are as many births as deaths.",
            "From 1 it always leaves, from 2 every second time.",
        ),
        solution=lambda: Rational(1, 3),
        slips=(
            Slip(Rational(1, 2), "This is the posterior; the chain misses it."),
            Slip(Rational(2, 3), "It leaves 1 faster than 2."),
        ),
    ),
)

exercise(
    "unknown_sample_size:least-swaps",
    Formula(
        question="A mechanism is epsilon_s-private when a row is added or removed. What is the least "
        "acceptance probability of a swap that Proposition 5.1 promises?",
        hints=("A swap removes a row and adds another.",),
        solution=lambda: exp(-2 * eps_s),
        symbols=lambda: [eps_s],
        slips=(
            Slip("exp(-epsilon_s)", "A swap is two steps: one row out, another in."),
            Slip("exp(2*epsilon_s)", "This is above 1; which way is the ratio at its worst?"),
            Slip("1 - 2*epsilon_s", "This is its tangent, below it."),
        ),
    ),
)

exercise(
    "unknown_sample_size:least-first-birth",
    Formula(
        question="Under a flat prior, with losses epsilon_s and epsilon_n: what is the least acceptance "
        "probability of the birth from n = 1, where q(2 | 1) = 1 and q(1 | 2) = 1/2?",
        hints=("Elsewhere it is exp(-(epsilon_s + epsilon_n)).", "Which factor does eq. 5 add?"),
        solution=lambda: exp(-(eps_s + eps_n)) / 2,
        symbols=lambda: [eps_s, eps_n],
        slips=(
            Slip("exp(-(epsilon_s + epsilon_n))", "From n = 1 the ratio of proposals is 1/2."),
            Slip("2*exp(-(epsilon_s + epsilon_n))", "That is the way back, from 2 to 1."),
            Slip("exp(-(2*epsilon_s + epsilon_n))/2", "A birth adds a row, and removes none."),
        ),
    ),
)

exercise(
    "unknown_sample_size:wrong-grave",
    Point(
        question="A coin of known theta, one toss or two. c_1 and c_2 are the weights of n = 1 and 2; "
        "g_4, g_5 those of the release for one toss, 0 or 1, and g_7 for two that sum to 1. Births are "
        "appended, and either row may die. Give c_1, c_2, g_4, g_5, g_7 and theta at which a jump "
        "changes the probability of the rows (0, 1).",
        hints=(
            "A death of the second row leaves (0), and a death of the first leaves (1).",
            "Only (0) is ever brought back to (0, 1) by a birth. Make the two deaths unlike.",
            "Accept one of them always, and the other rarely: the two are accepted with "
            "probability min(1, 2*c_1*g_4/(c_2*g_7)) and min(1, 2*c_1*g_5/(c_2*g_7)).",
        ),
        claim="unknown_sample_size:note-append-and-die-anywhere",
        slips=(
            Slip(
                lambda at: at["g_4"] == at["g_5"],
                "With g_4 = g_5 both deaths are as likely, and the flows agree by chance.",
            ),
            Slip(
                lambda at: (
                    min(at["g_4"], at["g_5"]) > 0
                    and 2 * at["c_1"] * min(at["g_4"], at["g_5"]) >= at["c_2"] * at["g_7"] > 0
                ),
                "Here both deaths are always accepted: give n = 2 more weight.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "unknown_sample_size:one-way-sweep",
    Point(
        question="Two tosses of a fair coin, swept in order. g_6, g_7 and g_8 are the weights of the "
        "release for sums 0, 1 and 2. A sweep can go from (0, 1) over (1, 1) to (1, 0), and from (1, 0) "
        "over (0, 0) to (0, 1). Give g_6, g_7 and g_8 at which the two flows differ.",
        hints=(
            "The way over (1, 1) has the probability min(1, g_8/g_7)*min(1, g_7/g_8)/4.",
            "One of the two factors is 1. So it is the smaller of the two over the larger, over 4.",
        ),
        claim="unknown_sample_size:note-sweep-reversible",
        slips=(
            Slip(lambda at: at["g_6"] == at["g_8"], "With g_6 = g_8 both ways are alike."),
            Slip(
                lambda at: at["g_6"] * at["g_8"] == at["g_7"] ** 2,
                "Here the two quotients are each other's inverse, and the flows agree.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "unknown_sample_size:first-count",
    Formula(
        question="A cell's count is Poisson(lambda_1), and may go from 0 to 1, which is always proposed "
        "at 0; from 1 to 0 is proposed with probability 1/2. What is the acceptance ratio of the step "
        "from 0 to 1, the release left out?",
        hints=("Poisson masses: p(1)/p(0) is lambda_1.", "Times q(0 | 1)/q(1 | 0)."),
        solution=lambda: cell_rate / 2,
        symbols=lambda: [cell_rate],
        slips=(
            Slip("lambda_1", "As displayed in Appendix B: the proposal stands on both sides."),
            Slip("2*lambda_1", "The way back belongs above the line."),
            Slip("1/2", "And the Poisson masses?"),
        ),
    ),
)

# --- time use (chapter 12) ------------------------------------------------------------------------

exercise(
    "unknown_sample_size:sensitivity-of-shares",
    Formula(
        question="Three shares sum to 1, and each is at least a_0 <= 1/3. What is the largest sum of "
        "the absolute values of their logarithms?",
        hints=(
            "It is minus the logarithm of the product. When is the product smallest?",
            "Make two of them as small as they can be.",
        ),
        solution=lambda: -2 * log(floor) - log(1 - 2 * floor),
        symbols=lambda: [floor],
        slips=(
            Slip("-3*log(a_0)", "That is the printed bound: not all three can be as small."),
            Slip("-2*log(a_0)", "The third share is not 1 then, but 1 - 2*a_0."),
            Slip("-log(a_0) - 2*log((1 - a_0)/2)", "Two of them can be small."),
        ),
    ),
)

exercise(
    "unknown_sample_size:noise-of-a-day",
    Number(
        question="Shares below one minute of a day count as one minute. The paper adds Laplace noise "
        "for a sensitivity of -3*ln(a). What is its standard deviation at epsilon_s = 1? "
        "(within 0.1 %)",
        hints=(
            "a is 1/1440.",
            "A Laplace distribution of scale b has the standard deviation sqrt(2)*b.",
        ),
        solution=lambda: 3 * sympy.sqrt(2) * log(Integer(1440)),
        relative=Rational(1, 1000),
        slips=(
            Slip(3 * log(Integer(1440)), "This is its scale."),
            Slip(sympy.sqrt(2) * log(Integer(1440)), "All three sums are released."),
        ),
    ),
)

exercise(
    "unknown_sample_size:random-walk",
    Number(
        question="A chain makes one jump a cycle, up or down by one, and accepts 93 of 100. It runs for "
        "2000 cycles on a plateau. How far does it get, in root mean square? (within 1 %)",
        hints=("Squares of independent steps add up.", "Each cycle adds 0.93 to the mean square."),
        solution=lambda: sympy.sqrt(Integer(1860)),
        relative=Rational(1, 100),
        slips=(
            Slip(1860, "This is its mean square."),
            Slip(2000, "Only if it always went the same way."),
        ),
    ),
)


@lru_cache(maxsize=1)
def largest_number() -> int:
    """Largest n with sum of exp(S_j/n) < 1, for the sums of the survey."""
    sums = unknown_sample_size.load_time_use().sums
    at, step = 1, 1 << 20
    while step:
        if sum(math.exp(one / (at + step)) for one in sums) < 1:
            at += step
        step //= 2
    return at


exercise(
    "unknown_sample_size:most-people",
    Number(
        question="Shares sum to 1, so their geometric means sum to less (Jensen). The sums S_j of "
        "logarithms of load_time_use() are given, and n is not. What is the largest n that is "
        "possible?",
        hints=(
            "The geometric mean of the j-th share is exp(S_j/n).",
            "Raise n until the three of them sum to 1.",
        ),
        solution=largest_number,
        slips=(
            Slip(
                lambda: unknown_sample_size.load_time_use().n,
                "So many there are; how many more could there be?",
            ),
        ),
    ),
)

exercise(
    "unknown_sample_size:plateau",
    Formula(
        question="A chain walks by steps of one, up or down alike. After how many steps is it n away, "
        "in root mean square?",
        hints=("The mean square grows by 1 with each step.",),
        solution=lambda: n**2,
        symbols=lambda: [n],
        slips=(
            Slip("n", "Only if it always went the same way."),
            Slip("sqrt(n)", "So far does it get in n steps."),
        ),
    ),
)

exercise(
    "unknown_sample_size:blocks",
    Number(
        question="A chain moves by blocks of 40 rows instead of one, all accepted. By what factor does "
        "it need fewer steps to get as far, in root mean square?",
        hints=("The mean square grows by 40^2 with each step.",),
        solution=lambda: 1600,
        slips=(Slip(40, "So much longer is a step; the squares of steps add up."),),
    ),
)
