"""Section 3: assumptions, Theorems 4 and 5 with lemmas, remarks on the assumptions."""

from math import factorial

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Max,
    Min,
    Rational,
    erf,
    erfc,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    pi,
    sqrt,
    uppergamma,
)

from dpbook import Eventually, Noted, Order, claim, derivative, step
from dpbook.contamination.notation import (
    C,
    T,
    alpha,
    answer_0,
    answer_1,
    c,
    c_1,
    c_2,
    c_3,
    c_4,
    contaminated,
    delta,
    f,
    factor,
    g,
    gap,
    logistic,
    n,
    normal,
    number,
    p,
    phi,
    psi,
    r,
    share,
    shift,
    size,
    slack,
    slope_1,
    small,
    t,
    theta,
    theta_star,
    u,
    x,
)

# --- assumptions ----------------------------------------------------------------------------------


@claim("assumption-1", place="Assumption 1, eq. 8")
def entropy_is_small():
    """Bracketing entropy of the sieve is small."""
    return Noted("an assumption")


@claim(
    "note-assumption-1",
    place="Section 3.1 and Remark 8: a root of the entropy of at most c sqrt(n) phi_n on the range is "
    "enough for (8); the integral of the largest one",
)
def bounded_entropy_is_enough():
    """Integral of the largest root of the entropy that the condition allows."""
    return Le(Integral(c * sqrt(n) * phi, (u, phi**2 / 2**10, phi)), c * sqrt(n) * phi**2)


@claim(
    "lemma-2",
    place="Lemma 2, eq. 9, with q = 1/2: the number of records is n**10, so phi_n = 1/n is above their power "
    "-(1 - q)/4. The largest entropy on the range, by (23), is below c**2 n phi_n**2 in the end, which is "
    "enough for (8) by note-assumption-1",
    cites=["eq-22"],
    without={"eq-22": "its consequence (23) is what is put in"},
    scope="from (23), which is put in, for one example: five dimensions, q = 1/2, one sequence phi_n, log M the root of the number of "
    "records, R_n + phi_0 the square of that number, c = 1/8000 and log C* = 10",
)
def smooth_likelihoods_have_small_entropy():
    """Entropy of likelihoods whose roots are locally Lipschitz, at one example."""
    least = 1 / (2**10 * n**2)  # phi_n**2 / 2**10
    entropy = 10 + 5 * log(n**20) + 5 * n**5 - 5 * log(least)
    return Eventually(n, Le(entropy, Rational(1, 8000) ** 2 * n**8))


@claim("definition-6", place="Definition 6")
def divergence_of_order_alpha():
    """Divergence rho of two parameters, and its neighbourhoods."""
    return Noted("a definition")


@claim(
    "note-definition-6-normal",
    place="Definition 6 for normal records of variance 1, without contamination",
)
def divergence_of_normal_records():
    """Divergence rho of two normal distributions."""
    inside = normal(x) ** (1 + alpha) * normal(x - shift) ** (-alpha)
    return Eq(
        (Integral(inside, (x, -oo, oo)) - 1) / alpha,
        (exp(alpha * (alpha + 1) * shift**2 / 2) - 1) / alpha,
    )


@claim("assumption-2", place="Assumption 2, eq. 10")
def prior_has_mass_near_the_truth():
    """Prior mass near the true parameter."""
    return Noted("an assumption")


@claim("assumption-3", place="Assumption 3, eq. 11")
def prior_has_little_mass_outside_the_sieve():
    """Prior mass outside the sieve."""
    return Noted("an assumption")


@claim("definition-7", place="Definition 7")
def directional_derivative():
    """Largest directional derivative of the likelihood."""
    return Noted(
        "a definition; where the likelihood has a kink the largest signed derivative can be "
        "negative, so its absolute value is meant"
    )


@claim("assumption-4", place="Assumption 4")
def contamination_has_heavy_tails():
    """Contamination with tails no lighter than the derivative of the likelihood."""
    return Noted(
        "an assumption, for each parameter by itself; Lemma 14 needs one bound for a neighbourhood"
    )


@claim("assumption-5", place="Assumption 5, eq. 12")
def parameters_can_be_told_apart():
    """Parameters away from the true one have another distribution."""
    return Noted("an assumption")


# --- proposition 3 --------------------------------------------------------------------------------


def contaminated_chances():
    """Chances of a 1 of two coins, contaminated."""
    return contaminated(answer_0, share), contaminated(answer_1, share)


@claim(
    "note-proposition-3",
    place="Proposition 3, made explicit, for coins: h(k_p) is at least (1 - p) h(f)**2 / sqrt(2), "
    "squared; g_1 is the probability of 1 under g",
    using=[
        (
            "note-hellinger-variation",
            lambda: dict(zip((answer_0, answer_1), contaminated_chances(), strict=True)),
        ),
        "note-variation-hellinger",
    ],
    proof=lambda: [
        step(
            "of the contaminated coins",
            Ge(
                coins(*contaminated_chances()),
                (contaminated(answer_0, share) - contaminated(answer_1, share)) ** 2 / 2,
            ),
        ),
        step(
            "contamination shrinks the total variation",
            Eq(
                (contaminated(answer_0, share) - contaminated(answer_1, share)) ** 2,
                (1 - p) ** 2 * (answer_0 - answer_1) ** 2,
            ),
        ),
        step("a sum of squares", Ge(coins(answer_0, answer_1), 0)),
        step(
            "their product",
            Le(
                coins(answer_0, answer_1) ** 2, coins(answer_0, answer_1) * Abs(answer_0 - answer_1)
            ),
        ),
        step(
            "and once more",
            Le(coins(answer_0, answer_1) * Abs(answer_0 - answer_1), Abs(answer_0 - answer_1) ** 2),
        ),
        step("a square", Eq(Abs(answer_0 - answer_1) ** 2, (answer_0 - answer_1) ** 2)),
        step(
            "the total variation without it",
            Ge((answer_0 - answer_1) ** 2, coins(answer_0, answer_1) ** 2),
        ),
        step(
            "with the factor",
            Ge(
                (1 - p) ** 2 * (answer_0 - answer_1) ** 2 / 2,
                (1 - p) ** 2 / 2 * coins(answer_0, answer_1) ** 2,
            ),
        ),
    ],
)
def hellinger_distance_of_contaminated_coins():
    """Hellinger distance of two contaminated coins, from below."""
    return Ge(coins(*contaminated_chances()), (1 - p) ** 2 / 2 * coins(answer_0, answer_1) ** 2)


def coins(first, second):
    """Squared Hellinger distance of two coins, by their chances of a 1."""
    ones = (sqrt(first) - sqrt(second)) ** 2
    return (ones + (sqrt(1 - first) - sqrt(1 - second)) ** 2) / 2


@claim("note-variation-hellinger", place="Proposition 3: total variation of two coins, from below")
def variation_of_coins_from_below():
    """Total variation of two coins is at least their squared Hellinger distance."""
    first, second = answer_0, answer_1
    return Le(coins(first, second), Abs(first - second))


def bound_by_both_differences(first, second):
    """Return the steps of a bound on the squared difference of two chances by their roots."""
    ones = (sqrt(first) + sqrt(second), sqrt(first) - sqrt(second))
    zeros = (sqrt(1 - first) + sqrt(1 - second), sqrt(1 - second) - sqrt(1 - first))
    return [
        step("two points of the circle", Le(ones[0] * zeros[0], 2)),
        step("both differences have one sign", Ge(ones[1] * zeros[1], 0)),
        step("so", Ge((2 - ones[0] * zeros[0]) * (ones[1] * zeros[1]), 0)),
        step("a square", Ge((ones[1] - zeros[1]) ** 2, 0)),
    ]


@claim(
    "note-hellinger-variation",
    place="Proposition 3: Hellinger distance of two coins, from below",
    proof=lambda: bound_by_both_differences(answer_0, answer_1),
)
def hellinger_distance_of_coins_from_below():
    """Squared Hellinger distance of two coins is at least half their squared total variation."""
    first, second = answer_0, answer_1
    return Ge(coins(first, second), (first - second) ** 2 / 2)


# --- theorem 4 ------------------------------------------------------------------------------------


@claim(
    "note-theorem-4-epsilon",
    place="Theorem 4: the factor of (5) with the bounds of Lemma 14 and of the masses put in",
)
def epsilon_of_theorem_4():
    """Epsilon of Theorem 4, from the bound on log eta and delta."""
    return Eq(exp(small + log(delta + exp(small))), exp(small) * (exp(small) + delta))


@claim(
    "note-theorem-4-delta",
    place="Theorem 4, the first display of its proof, t_n = c_1 phi_n**2 / 8",
)
def delta_of_theorem_4():
    """Delta of Theorem 4, from the bounds of Lemmas 12 and 13."""
    radius = c_1 * phi**2 / 8
    return Eq(
        2 * exp(-c_1 * n * phi**2) / (c_3 / 2 * exp(-4 * n * radius)),
        4 / c_3 * exp(-c_1 * n * phi**2 / 2),
    )


def below_both_exponents():
    """The smaller exponent against each, and the exponentials the other way round."""
    least, weight = Min(c_1 * alpha / 8, c_2), n * phi**2
    rates = (c_2, c_1 * alpha / 8, c_1)
    return [
        step("as alpha is at most 1", Le(least, c_1)),
        step("the exponents", [Le(least * weight, rate * weight) for rate in rates]),
        step("the terms", [Le(exp(-rate * weight), exp(-least * weight)) for rate in rates]),
    ]


@claim(
    "note-theorem-4-failure",
    place="Theorem 4, the last display of its proof; C_0 is C(n, phi_n)",
    proof=below_both_exponents,
)
def failure_of_theorem_4():
    """Failure probability of Theorem 4, with the smaller exponent."""
    weight = n * phi**2
    return Le(
        4 * exp(-c_1 * alpha / 8 * weight)
        + 2 * factor * exp(-c_2 * weight)
        + 2 * c_4 * exp(-c_1 * weight),
        (4 + 2 * factor + 2 * c_4) * exp(-Min(c_1 * alpha / 8, c_2) * weight),
    )


@claim(
    "text-a-constant",
    place="Appendix A, end of the proof of Theorem 4: the constant C' where n is small",
    fault="misprint",
    effect="None: the constant of Lemma 13, in phi_n, is meant.",
    given=[phi <= Rational(1, 2)],
    try_at=[{phi: "1/1024", n: 2, c_4: 1}],
)
def constant_of_theorem_4_as_printed():
    """Constant of the failure probability of Theorem 4, as printed."""
    steps = -log(phi) / log(2)
    return Eq(4 + 40 * Max(steps, steps**2) + 2 * c_4, 4 + 40 * (log(n) / log(2)) ** 2 + 2 * c_4)


@claim(
    "text-a-constant-corrected",
    place="Appendix A, end of the proof of Theorem 4",
    corrects=["text-a-constant"],
    why="The logarithm is that of phi_n, not of n; and where it is below 1 it is larger than its square.",
)
def constant_of_theorem_4():
    """Constant of the failure probability of Theorem 4."""
    steps = -log(phi) / log(2)
    lemma_13 = 20 * Max(steps, steps**2)
    return Eq(4 + 2 * lemma_13 + 2 * c_4, 4 + 40 * Max(steps, steps**2) + 2 * c_4)


@claim(
    "note-theorem-4-vacuous",
    place="Theorem 4, the second line of (14)",
    given=lambda: [n * c_2 * phi**2 < log(2)],
    proof=lambda: [
        step("the smaller exponent", Le(Min(c_1 * alpha / 8, c_2) * n * phi**2, log(2))),
        step("its exponential", Ge(exp(-Min(c_1 * alpha / 8, c_2) * n * phi**2), exp(-log(2)))),
    ],
)
def second_line_of_theorem_4():
    """Failure probability of Theorem 4 where n is small, against 1."""
    return Gt((4 + 2 * C + 2 * c_4) * exp(-Min(c_1 * alpha / 8, c_2) * n * phi**2), 1)


def chance_of_a_small_evidence():
    """Probability that the evidence of n normal records of variance 1 is at most exp(-2 n t)/2, for a prior at the mean Delta."""
    radius_ = (
        exp(gap**2) - 1
    )  # of Definition 6 without contamination, at alpha = 1 (note-definition-6-normal)
    level = 2 * n * radius_ + log(2) - n * gap**2 / 2
    return erfc(level / (gap * sqrt(2 * n))) / 2


@claim(
    "note-3.2-sketch",
    place="Section 3.2, sketch, for n normal records of variance 1, theta* = 0, no contamination, and a prior that is a point at Delta (a narrow "
    "one around it does as well): the likelihood ratio of a record, so the logarithm of the evidence is Delta S - n Delta**2/2, with the sum S of the records, "
    "and normal of the variance n Delta**2",
)
def likelihood_ratio_of_a_normal_record():
    """Likelihood ratio of a normal record."""
    return Eq(normal(x - gap) / normal(x), exp(gap * x - gap**2 / 2))


@claim(
    "text-3.2-sketch",
    place="Section 3.2, sketch, first bound, for the model and the prior of note-3.2-sketch and alpha = 1. The neighbourhood of radius t_n, here the divergence of Delta "
    "(note-definition-6-normal), has the prior mass 1, so c_3 is exp(2 n t_n). The conditions are those of Assumption 2",
    cites=["lemma-12"],
    given=lambda: [exp(gap**2) - 1 <= Rational(1, 96), n * (exp(gap**2) - 1) >= 9 * log(n)],
    try_at=[{n: 10000, gap: "1/10"}],
    fault="misprint",
    effect="None: the proof in Appendix A goes on with the lemma's bound, without the 2 in the exponent.",
)
def failure_of_the_evidence_as_sketched():
    """Probability of a small evidence, as quoted in the sketch."""
    return Le(chance_of_a_small_evidence(), 2 * exp(-2 * n * (exp(gap**2) - 1)))


# --- theorem 5 ------------------------------------------------------------------------------------


@claim(
    "note-theorem-5",
    place="Theorem 5, sharpened, record by record: s is a derivative of f in any direction; integrated, "
    "I_p is at most (1 - p) I, and at least that with k_p over f bounded",
)
def information_of_a_contaminated_record():
    """Share of a record in the Fisher information, contaminated and not."""
    return Le((1 - p) ** 2 * shift**2 / contaminated(f, g), (1 - p) * shift**2 / f)


def logistic_information(rate):
    """Fisher information about theta'w of a contaminated answer, 0 or 1 with even chances."""
    one = logistic(theta)
    slope = one * (1 - one)
    ones = contaminated(one, Rational(1, 2), rate)
    return (1 - rate) ** 2 * slope**2 * (1 / ones + 1 / (1 - ones))


@claim(
    "note-theorem-5-logistic",
    place="Theorem 5 for logistic regression: both ends tend to the information without contamination "
    "as p_n tends to 0. The entries of the matrix are these numbers times w_i w_j",
)
def information_of_logistic_regression():
    """Fisher information of contaminated logistic regression, between two bounds."""
    one = logistic(theta)
    clean = one * (1 - one)
    return [
        Ge(logistic_information(p), clean - p / (2 * (1 - p) ** 2)),
        Le(logistic_information(p), (1 - p) * clean),
    ]


# --- remarks on the assumptions -------------------------------------------------------------------


@claim(
    "remark-4",
    place="Remark 4, its last sentence, for normal records of variance 1 and a sieve of radius exp(n), with any constant c: an "
    "entropy of at least n - log 2, as in note-exponential-sieve, so (8) fails once phi_n is at most 1/(5 c) and 9/10, as it is "
    "in the end for every phi_n that tends to 0. That a polynomial radius is enough is Lemma 2",
    scope="the left side with the entropy n - log 2 in it; that the entropy is at least this, for means 4 apart, is in words",
    given=[phi <= Rational(9, 10), c * phi <= Rational(1, 5), n >= 2],
    proof=lambda: [
        step("log 2 is small", Ge(n - log(2), n / 4)),
        step("the root", Ge(sqrt(n - log(2)), sqrt(n) / 2)),
        step("the range", Gt(phi - phi**2 / 2**10, phi * Rational(9, 10))),
        step("the constant", Le(c * phi**2, phi / 5)),
        step("the root is positive", Gt(sqrt(n), 0)),
        step(
            "left", Ge((phi - phi**2 / 2**10) * sqrt(n - log(2)), phi * Rational(9, 20) * sqrt(n))
        ),
        step("right", Le(c * phi**2 * sqrt(n), phi / 5 * sqrt(n))),
    ],
)
def entropy_of_a_sieve_that_grows_exponentially():
    """Integral of the root of the entropy over a sieve that grows exponentially, against (8)."""
    return Gt((phi - phi**2 / 2**10) * sqrt(n - log(2)), c * sqrt(n) * phi**2)


def laplace(at):
    """Density of the Laplace distribution around 0."""
    return exp(-Abs(at)) / 2


@claim(
    "remark-5",
    place="Remark 5, in any dimension: u_1 is the change of f for a step t in a direction of length 1, s_1 the total derivative in that direction, "
    "and the total derivative is off by at most epsilon_1 t; so where f has a total derivative, the directional one that Assumption 4 asks for exists",
    scope="that Assumption 4 asks for no more than a total derivative; that it asks for less is remark-5-laplace. The sentence on heavy tails "
    "of g has no number",
    given=lambda: [Le(Abs(number - slope_1 * t), slack * t)],
)
def quotients_where_there_is_a_total_derivative():
    """Quotient of a density for a step in a direction, where the density has a total derivative."""
    return Le(Abs(number / t - slope_1), slack)


@claim(
    "remark-5-laplace",
    place="Remark 5, the Laplace density exp(-|x - theta|)/2 at theta = x: its quotients for a step t in the directions 1 and -1. "
    "Both tend to -1/2, so both directional derivatives exist; a total derivative would make them opposite numbers",
)
def quotients_of_the_laplace_density():
    """Quotients of the Laplace density at its peak, in both directions."""
    found = []
    for direction in (1, -1):
        quotient = (laplace(x - (x + direction * t)) - laplace(x - x)) / t
        found += [
            Ge(quotient, -Rational(1, 2)),
            Le(quotient, -Rational(1, 2) + t / 4),
        ]
    return found


@claim(
    "remark-10",
    place="Remark 10, its last sentence: the bound on log eta in Theorem 4 vanishes with psi_n / p_n, for one T",
    scope="the bound on log eta; that phi_n and psi_n may vanish at one rate is the lemmas of Appendix C, 21, 22, 25 and 28",
)
def rate_of_contamination_is_free():
    """Bound on log eta, by the quotient of the radius and the rate of contamination."""
    return Le(2 * (1 - p) * T * psi / p, 2 * T * (psi / p))


@claim("remark-7", place="Remark 7")
def other_ways_to_bound_the_mass_outside():
    """Bounds on the posterior mass outside A by other theorems."""
    return Noted(
        "a comparison with the theorems of Ghosal and van der Vaart, which are not stated here"
    )


@claim(
    "remark-9",
    place="Remark 9, the condition of Lemma 6 where theta does not control the dispersion, for normal records of "
    "variance 1, alpha = 1 and theta* = 0: theta is s, and theta' that of the slope. f_0**2 / f**2 times the slope is "
    "exp(3 s**2 - 2 s theta') times |x - 2 s| and the density of a normal distribution at x, where x + theta' - 2 s is the record",
    scope="normal records of known variance and alpha = 1 only; that it is so for most families is not stated",
    proof=lambda: [
        step(
            "at each record, and so in the mean",
            Le(
                Integral(Abs(x - 2 * shift) * normal(x), (x, -oo, oo)),
                Integral((1 + (x - 2 * shift) ** 2) / 2 * normal(x), (x, -oo, oo)),
            ),
        ),
        step(
            "the mean of the square",
            Eq(
                Integral((1 + (x - 2 * shift) ** 2) / 2 * normal(x), (x, -oo, oo)),
                1 + 2 * shift**2,
            ),
        ),
    ],
)
def condition_of_lemma_6_for_normal_records():
    """Mean distance of a normal record from a number, from above."""
    return Le(
        Integral(Abs(x - 2 * shift) * normal(x), (x, -oo, oo)),
        1 + 2 * shift**2,
    )


def kinked_chance():
    """Chance of a 1 of a coin that is nearly fair for parameters within 1."""
    return Rational(1, 2) + size / 1000 + Max(size - 1, 0) / 8


@claim(
    "lemma-6",
    place="Lemma 6 for coins of chance 1/2 + |theta|/1000 + max(|theta| - 1, 0)/8, theta* = 0, alpha = 1 and c_r = 1/2: "
    "the integral of the condition is at most 0.002001 in the ball of radius c_r, so every M above 1/400 meets it; c stands for "
    "M, r_0 for |theta|",
    given=lambda: [size * c <= t, size <= 4, t <= Rational(1, 96), c >= Rational(1, 400)],
    try_at=[{t: "1/100", c: "1/300", size: 3}],
    fault="boundary",
    effect="None: t_n tends to 0, so t_n / M is below c_r in the end.",
)
def balls_inside_the_neighbourhoods():
    """Balls around the true parameter inside the neighbourhoods of Definition 6, as printed."""
    chance = kinked_chance()
    half = Rational(1, 2)
    return Le((half / chance - 1) * half + (half / (1 - chance) - 1) * half, t)


@claim(
    "note-lemma-6-normal",
    place="Lemma 6 for normal records of variance 1: M is at least the integral of the derivative, "
    "sqrt(2/pi), by note-lemma-6-slope; t_n is at most 1/96 as c_1 is 1/12",
    using=["note-definition-6-normal"],
    given=lambda: [t <= Rational(1, 96), Abs(shift) <= t * sqrt(pi / 2)],
    proof=lambda: [
        step("either sign", [Le(shift, Abs(shift)), Le(-shift, Abs(shift))]),
        step(
            "the difference of the means",
            [Le(shift, t * sqrt(pi / 2)), Le(-shift, t * sqrt(pi / 2))],
        ),
        step("its square", Ge((t * sqrt(pi / 2) - shift) * (t * sqrt(pi / 2) + shift), 0)),
        step("written out", Le(shift**2, t**2 * pi / 2)),
        step("pi is below 4", Le(t**2 * pi / 2, 2 * t**2)),
        step("as t is at most 1/96", Le(2 * t**2, t / 48)),
        step("together", Le(shift**2, t / 48)),
        step("so the exponent is small", Le(alpha * (alpha + 1) * shift**2 / 2, alpha * t / 2)),
        step(
            "its exponential",
            Le(exp(alpha * (alpha + 1) * shift**2 / 2), 1 / (1 - alpha * t / 2)),
        ),
        step("against the line", Le(exp(alpha * (alpha + 1) * shift**2 / 2), 1 + alpha * t)),
    ],
)
def balls_inside_the_neighbourhoods_of_normal_records():
    """Parameters near the true one have a small divergence rho, for normal records."""
    return Le((exp(alpha * (alpha + 1) * shift**2 / 2) - 1) / alpha, t)


@claim(
    "note-lemma-6-slope",
    place="Lemma 6 for normal records: a primitive of the slope of the density in its mean, so that "
    "the integral of its absolute value is twice the density at 0",
)
def primitive_of_the_slope_of_a_normal_density():
    """Primitive of the slope of a normal density in its mean."""
    return Eq(derivative(-normal(x), x), x * normal(x))


@claim(
    "note-brackets-apart",
    place="after Remark 10, Gaussian records: two means 4 standard deviations apart are in no bracket "
    "of a size below 9/10, as the squared distance shows",
    using=["note-hellinger-normal"],
)
def far_means_share_no_bracket():
    """Squared Hellinger distance of two normal distributions that are at least 4 standard deviations apart."""
    return Ge(1 - exp(-((4 + u) ** 2) / 8), Rational(81, 100))


@claim(
    "note-exponential-sieve",
    place="after Remark 10: a sieve of radius exp(n) has at least exp(n)/2 means 4 apart, so an entropy "
    "of n - log 2; the print says that (8) can hold. Here with c of at most 1/8000, as in Lemma 8",
    corrects=["text-3.3-sieve"],
    why="The entropy of means up to exp(n) grows as n, and (8) allows c**2 n phi_n**2 of it: so (8) fails for this sieve.",
    given=[phi <= Rational(9, 10), c <= Rational(1, 8000), n >= 2],
    proof=lambda: [
        step("log 2 is small", Ge(n - log(2), n / 4)),
        step("the root", Ge(sqrt(n - log(2)), sqrt(n) / 2)),
        step("the range", Ge(phi - phi**2 / 2**10, phi**2 / 2)),
        step("the root is positive", Gt(sqrt(n), 0)),
    ],
)
def entropy_of_an_exponential_sieve():
    """Integral of the root of the entropy over an exponential sieve, against (8)."""
    return Gt((phi - phi**2 / 2**10) * sqrt(n - log(2)), c * sqrt(n) * phi**2)


@claim(
    "text-3.3-sieve",
    place="after Remark 10: for Gaussian records (8) holds in the end for a sieve of radius exp(n). The left side from "
    "below by the entropy n - log 2 of note-exponential-sieve, with c of at most 1/8000, as in Lemma 8",
    given=[phi <= Rational(9, 10), c <= Rational(1, 8000), n >= 2],
    try_at=[{phi: "1/10", c: "1/8000", n: 1000}],
    fault="error",
    effect="For this sieve (8) fails for all n and radii (note-exponential-sieve), so the theorems do not reach the horseshoe prior in the way that is "
    "printed. Whether a smaller sieve, or Appendix D with its local entropies, reaches it is not shown.",
)
def exponential_sieve_as_printed():
    """Integral of the root of the entropy over an exponential sieve, as printed."""
    return Le((phi - phi**2 / 2**10) * sqrt(n - log(2)), c * sqrt(n) * phi**2)


def mass_near(centre):
    """Standard normal prior mass within r of a centre, in one dimension."""
    return (erf((centre + r) / sqrt(2)) - erf((centre - r) / sqrt(2))) / 2


def incomplete(order, end):
    """Regularised lower incomplete gamma function."""
    return lowergamma(order, end) / gamma(order)


@claim("note-lemma-7.i-one", place="Lemma 7, first line, in one dimension; it holds for every r")
def prior_mass_of_a_small_interval():
    """Standard normal prior mass of an interval, against the mass of the interval around 0."""
    return Ge(mass_near(theta_star), exp(-(theta_star**2) / 2) * erf(r / sqrt(2)))


@claim(
    "note-lemma-7.ii-one",
    place="Lemma 7, second line, in one dimension",
    given=lambda: [r > Abs(theta_star)],
)
def prior_mass_of_a_large_interval():
    """Standard normal prior mass of an interval, against the part that is symmetric about 0."""
    return Ge(mass_near(theta_star), erf((r - Abs(theta_star)) / sqrt(2)))


@claim("note-lemma-7-gamma", place="Lemma 7: its incomplete gamma function in one dimension")
def incomplete_gamma_in_one_dimension():
    """Normal mass within r of 0, as an incomplete gamma function."""
    return Eq(incomplete(Rational(1, 2), r**2 / 2), erf(r / sqrt(2)))


def stirling(order, end):
    """The lower bound of Remark 11."""
    power = exp(order) * order ** (-order - Rational(1, 2)) * end**order
    return power * exp(-end) / (2 * pi)


@claim(
    "remark-11",
    place="Remark 11, for the orders d/2 that it is used for",
    scope="one and two dimensions, orders 1/2 and 1 only, in closed form; the print has every order, and is used for d/2",
)
def incomplete_gamma_from_below():
    """Incomplete gamma function, from below."""
    return [
        Ge(erf(sqrt(r)), stirling(Rational(1, 2), r)),
        Ge(1 - exp(-r), stirling(Integer(1), r)),
    ]


@claim(
    "remark-12",
    place="Remark 12 in two dimensions with theta* = 0: the two sides are to have the ratio 1 in the "
    "limit; n stands for r",
    fault="misprint",
    effect="None: it is used for the exponent, and Appendix C has the power d - 2 itself.",
)
def prior_mass_outside_a_ball_as_printed():
    """Prior mass outside a ball, as printed."""
    return Order(uppergamma(1, n**2 / 2) / gamma(1), n * exp(-(n**2) / 2) / gamma(1), n, limit=1)


@claim(
    "remark-12-corrected",
    place="Remark 12 in two, four and six dimensions with theta* = 0, the incomplete gamma function "
    "written as its integral: what is outside is between the leading term and 1 + 12/r**2 times that, so their ratio tends to 1",
    corrects=["remark-12"],
    why="Gamma(d/2, y) is y**(d/2 - 1) exp(-y) to leading order, and y is r**2/2: the power of r is "
    "d - 2, over 2**(d/2 - 1).",
    scope="two, four and six dimensions, theta* = 0",
    given=lambda: [r >= 1],
    proof=lambda: [
        step("two dimensions", Eq(mass_within(2), 1 - exp(-(r**2) / 2))),
        step("four dimensions", Eq(mass_within(4), 1 - (1 + r**2 / 2) * exp(-(r**2) / 2))),
        step(
            "six dimensions", Eq(mass_within(6), 1 - (1 + r**2 / 2 + r**4 / 8) * exp(-(r**2) / 2))
        ),
    ],
)
def prior_mass_outside_a_ball():
    """Prior mass outside a ball, to leading order."""
    found = []
    for d, outside in ((2, 1), (4, 2), (6, 8)):
        leading = r ** (d - 2) * exp(-(r**2) / 2) / outside
        found += [
            Ge(1 - mass_within(d), leading),
            Le(1 - mass_within(d), (1 + 12 / r**2) * leading),
        ]
    return found


def mass_within(d):
    """Standard normal prior mass within r of 0 in d dimensions, d even."""
    half = d // 2
    return Integral(u ** (half - 1) * exp(-u) / factorial(half - 1), (u, 0, r**2 / 2))
