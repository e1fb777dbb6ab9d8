"""Sections 4.1, 4.3 and 5: Algorithm 1, three regressions, and how fast epsilon and delta fall."""

import math

from sympy import (
    Abs,
    Add,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Lt,
    Rational,
    atan,
    exp,
    gamma,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Noted, Order, Sup, claim, derivative, step
from dpbook.contamination.claims.general import evidence, others, prior_mean
from dpbook.contamination.notation import (
    T,
    after_a,
    c,
    c_1,
    c_3,
    cauchy,
    check_loss,
    contaminated,
    drawn_a,
    e_1,
    e_2,
    gap,
    level_0,
    logistic,
    n,
    normal,
    number,
    p,
    particles,
    psi,
    q,
    quantile,
    r,
    scale,
    shift,
    sigma,
    small,
    student,
    theta,
    theta_star,
    u,
    w_1,
    w_2,
    x,
    x_1,
    x_2,
    z,
    z_1,
    z_2,
)

# --- Algorithm 1 ----------------------------------------------------------------------------------


@claim("algorithm-1", place="Algorithm 1, eq. 15 to 17")
def estimate_of_epsilon():
    """Estimate of epsilon by simulation."""
    return Noted(
        "an algorithm. It takes suprema over x, z and theta apart, which is safe and about twice too "
        "large; with m particles it cannot resolve a delta below 1/m"
    )


def shared_evidence():
    """Evidence of the records that X and Z share."""
    return prior_mean(others(theta))


def mean_given_shared(record):
    """Mean of d at a record under the posterior of the records that X and Z share."""
    return evidence(record) / shared_evidence()


@claim(
    "text-4.1-exchange",
    place="Section 4.1, the display before eq. 15; E is the product of d over the records that X and Z "
    "share",
    given=lambda: [Gt(shared_evidence(), 0), Gt(evidence(x), 0), Gt(evidence(z), 0)],
)
def ratio_of_evidences_as_means():
    """Ratio of the evidences of neighbours, as means under the posterior of the shared records."""
    return Eq(evidence(z) / evidence(x), mean_given_shared(z) / mean_given_shared(x))


@claim(
    "note-sharp",
    place="Section 4.1, sharpened, for two parameters: the log ratio of the posteriors at a parameter "
    "is that of d over its own mean, so theta* cancels",
)
def ratio_of_posteriors_at_a_parameter():
    """Ratio of the posteriors of neighbours at a parameter, by means over the shared records."""
    all_x, all_z = w_1 * e_1 * x_1 + w_2 * e_2 * x_2, w_1 * e_1 * z_1 + w_2 * e_2 * z_2
    shared = w_1 * e_1 + w_2 * e_2
    return Eq(
        (w_1 * e_1 * x_1 / all_x) / (w_1 * e_1 * z_1 / all_z),
        (x_1 / (all_x / shared)) / (z_1 / (all_z / shared)),
    )


def mean_of_a_weight():
    """Return the mean of the weight of a particle that counts outside A only."""
    return drawn_a * (after_a / drawn_a)


@claim(
    "eq-17",
    place="Section 4.1, eq. 17, with the weights that the line before it defines, as an estimate of the posterior probability outside A: its mean, for "
    "m particles of a distribution that is a multiple of the posterior outside A",
    fault="misprint",
    effect="None: line 7 of Algorithm 1 normalises the weights.",
    try_at=[{particles: 2, after_a: "1/3", drawn_a: "1/2"}],
)
def mean_of_the_estimate_of_delta_as_printed():
    """Mean of the estimate of delta, as printed."""
    return Eq(particles * mean_of_a_weight(), after_a)


@claim(
    "eq-17-corrected",
    place="Section 4.1, eq. 17, with weights that are divided by m",
    corrects=["eq-17"],
    why="The weights have the mean 1 each, so their sum is about m. Algorithm 1 has normalised weights.",
    scope="a distribution of particles that is a multiple of the posterior outside A, and weights that are divided by m; Algorithm 1 "
    "divides them by their sum, whose mean that is",
)
def mean_of_the_estimate_of_delta():
    """Mean of the estimate of delta, from weights divided by their number."""
    return Eq(particles * (mean_of_a_weight() / particles), after_a)


@claim(
    "eq-18",
    place="Section 4.1, eq. 18: a rate of contamination is below 1",
    fault="misprint",
    effect="None: Section 4.2 has n**(-1/8).",
    given=[n >= 2],
)
def rate_of_the_simulations_as_printed():
    """Rate of contamination in the simulations, as printed."""
    return Lt(n ** Rational(1, 8), 1)


@claim(
    "eq-18-corrected",
    place="Section 4.1, eq. 18, and Section 4.2",
    corrects=["eq-18"],
    why="The exponent lacks its sign.",
    scope="that the rate is below 1; that the simulations used it is Section 4.2",
    given=[n >= 2],
)
def rate_of_the_simulations():
    """Rate of contamination in the simulations."""
    return Lt(n ** Rational(-1, 8), 1)


@claim("remark-13", place="Remark 13")
def estimate_in_place_of_the_true_parameter():
    """An estimate in place of the true parameter in Algorithm 1."""
    return Noted(
        "advice: it does not say how near the estimate has to be. In the ratio of Algorithm 1 the true parameter cancels (note-sharp)"
    )


@claim(
    "note-remark-14",
    place="Remark 14, for linear regression with one covariate u_1, of variance 1: the slope of the density in theta",
)
def slope_of_linear_regression():
    """Slope of the density of linear regression, by its covariate."""
    return Eq(
        derivative(normal(x - theta * number), theta),
        number * ((x - theta * number) * normal(x - theta * number)),
    )


@claim(
    "remark-14",
    place="Remark 14, for linear regression with one covariate u_1, of variance 1, and any g of at most c: the slope in theta at the record u_1 theta + 1, by "
    "note-remark-14, over c has no upper bound over the covariates",
    scope="linear regression with one covariate and a bounded g: that without a bound on the covariates the supremum of Assumption 4 "
    "is infinite; for the other regressions it is in words",
)
def large_covariates_break_assumption_4():
    """Supremum over the covariates of the slope of the density, against the contamination density."""
    return Eq(Sup(number * normal(Integer(1)) / c, number), oo)


# --- the three regressions (section 4.3) ----------------------------------------------------------


def whole_line(density):
    """Integral of a density over all records."""
    return Integral(density, (x, -oo, oo))


@claim("text-4.3-linear", place="Section 4.3, linear regression, theta'w = s")
def normal_density_integrates_to_one():
    """Integral of the likelihood of linear regression."""
    return Eq(whole_line(normal(x - shift)), 1)


@claim(
    "text-4.3-student",
    place="Section 4.3, contamination of linear regression with lambda = sigma**2: a density has at "
    "most the mass 1 between -r and r",
    try_at=[{sigma: "1/5", r: 10}],
    fault="misprint",
    effect="A density that does not integrate to 1 changes the rate p; what the simulations used is "
    "not known. Section 4.2 has a right one.",
)
def student_density_as_printed():
    """Mass under the contamination density of linear regression, as printed."""
    constant = gamma(3) / (sigma**2 * sqrt(3 * pi) * gamma(Rational(5, 2)))
    return Le(Integral(constant * (1 + x**2 / sigma**2) ** (-3), (x, -r, r)), 1)


@claim(
    "text-4.3-student-corrected",
    place="Section 4.3, contamination of linear regression, with 5 lambda = sigma**2: the mass between "
    "-r and r, which tends to 1",
    corrects=["text-4.3-student"],
    why="With 5 degrees of freedom the constant has sqrt(5 pi lambda), and the square is over "
    "5 lambda. As printed the integral is 1/sqrt(3 lambda).",
)
def student_density():
    """Mass under the contamination density of linear regression."""
    end = r / sigma
    density = 8 / (3 * pi * sigma) * (1 + x**2 / sigma**2) ** (-3)
    found = atan(end) + end * (5 + 3 * end**2) / (3 * (1 + end**2) ** 2)
    return Eq(Integral(density, (x, -r, r)), 2 / pi * found)


@claim("note-student", place="Section 4.3: the constant of Student's t with 5 degrees of freedom")
def constant_of_the_student_density():
    """Constant of the density of Student's t with 5 degrees of freedom."""
    return Eq(gamma(3) / (sqrt(5 * pi) * gamma(Rational(5, 2))), 8 / (3 * pi * sqrt(5)))


@claim("text-4.3-logistic", place="Section 4.3, logistic regression, theta'w = theta")
def logistic_probabilities():
    """Probabilities of the answers of contaminated logistic regression."""
    half = Rational(1, 2)
    one, zero = contaminated(logistic(theta), half), contaminated(logistic(-theta), half)
    return Eq(one + zero, 1)


@claim(
    "note-logistic-loss",
    place="Section 4.3, logistic regression: d is bounded for all parameters once there is "
    "contamination; without it, only on the box",
)
def ratio_of_contaminated_answers():
    """Ratio of the probabilities of an answer under two parameters, contaminated."""
    half = Rational(1, 2)
    return Le(
        contaminated(logistic(theta), half) / contaminated(logistic(shift), half), (2 - p) / p
    )


@claim(
    "text-4.3-cauchy",
    place="Section 4.3, Cauchy regression, likelihood (lambda = 1) and contamination: the mass between "
    "-r and r, which tends to 1",
)
def mass_under_a_cauchy_density():
    """Mass under a Cauchy density."""
    return Eq(Integral(cauchy(x, scale), (x, -r, r)), 2 / pi * atan(r / scale))


@claim(
    "text-4.3-bounded.logistic",
    place="Section 4.3: for logistic regression d is bounded over both answers without contamination",
    proof=lambda: [
        step("one way", Le(theta - theta_star, Abs(theta - theta_star))),
        step("the other way", Le(theta_star - theta, Abs(theta - theta_star))),
        step("at least 1", Ge(exp(Abs(theta - theta_star)), 1)),
        step(
            "the exponentials",
            [
                Le(exp(-theta_star), exp(Abs(theta - theta_star)) * exp(-theta)),
                Le(exp(theta_star), exp(Abs(theta - theta_star)) * exp(theta)),
            ],
        ),
    ],
)
def ratio_of_logistic_answers():
    """Ratio of the probabilities of an answer under two parameters, without contamination."""
    most = exp(Abs(theta - theta_star))
    return [
        Le(logistic(theta) / logistic(theta_star), most),
        Le(logistic(-theta) / logistic(-theta_star), most),
    ]


@claim(
    "text-4.3-bounded",
    place="Section 4.3: for Cauchy regression d is bounded over x without contamination; Delta is above 0 by symmetry",
    proof=lambda: [
        step(
            "a square is left",
            Eq(
                largest_ratio() * (1 + (gap - x) ** 2) - 1 - x**2,
                gap
                / (2 * (gap + sqrt(gap**2 + 4)))
                * ((gap + sqrt(gap**2 + 4)) * (gap - x) + 2) ** 2,
            ),
        ),
        step(
            "which is at least 0",
            Ge(
                gap
                / (2 * (gap + sqrt(gap**2 + 4)))
                * ((gap + sqrt(gap**2 + 4)) * (gap - x) + 2) ** 2,
                0,
            ),
        ),
        step("so", Ge(largest_ratio() * (1 + (gap - x) ** 2), 1 + x**2)),
        step("the ratio", Eq(cauchy(x - gap) / cauchy(x), (1 + x**2) / (1 + (gap - x) ** 2))),
        step("its bound", Le((1 + x**2) / (1 + (gap - x) ** 2), largest_ratio())),
    ],
)
def ratio_of_cauchy_densities():
    """Ratio of two Cauchy densities that are Delta apart, from above."""
    return Le(cauchy(x - gap) / cauchy(x), largest_ratio())


def largest_ratio():
    """The value at which the ratio is largest."""
    return (2 + gap**2 + gap * sqrt(gap**2 + 4)) / 2


@claim("figure-2", place="Figures 2 and 3, and the text of Section 4.3 on them")
def estimates_for_three_regressions():
    """Estimated epsilon of three regressions, by sample size."""
    return Noted(
        "simulations: the factor of about four for logistic regression and the order of the Cauchy "
        "curves are read off a figure. The study contamination-figure-2 runs them; theta*, lambda and "
        "the number of particles are not in the paper"
    )


@claim("remark-16", place="Remark 16")
def contamination_at_other_stages():
    """Contamination at other stages of the inference."""
    return Noted("a comparison with methods of other papers, which the paper does not make either")


# --- information and sensitivity of the families --------------------------------------------------


@claim("note-fisher-normal", place="Theorem 5, normal records")
def information_of_a_normal_mean():
    """Fisher information of a normal mean."""
    score = x / sigma**2
    return Eq(whole_line(score**2 * normal(x, sigma)), 1 / sigma**2)


@claim(
    "note-fisher-cauchy",
    place="Theorem 5, Cauchy records of scale 1: from the records within r, which tends to 1/2",
)
def information_of_a_cauchy_location():
    """Fisher information of a Cauchy location, from records within a bound."""
    score = 2 * x / (1 + x**2)
    found = (atan(r) + (r**3 - r) / (1 + r**2) ** 2) / pi
    return Eq(Integral(score**2 * cauchy(x), (x, -r, r)), found)


@claim("note-fisher-quantile", place="Theorem 5, quantile regression: the score is tau or tau - 1")
def information_of_an_asymmetric_laplace_location():
    """Fisher information of an asymmetric Laplace location."""
    below = Integral(quantile * (1 - quantile) * exp((1 - quantile) * x), (x, -oo, 0))
    above = Integral(quantile * (1 - quantile) * exp(-quantile * x), (x, 0, oo))
    return Eq((1 - quantile) ** 2 * below + quantile**2 * above, quantile * (1 - quantile))


@claim("note-fisher-logistic", place="Theorem 5, logistic regression")
def information_of_a_logistic_answer():
    """Fisher information of a logistic answer."""
    one = logistic(theta)
    slope = one * (1 - one)
    return Eq(slope**2 * (1 / one + 1 / (1 - one)), one * (1 - one))


@claim(
    "note-hellinger-normal",
    place="Definition 3 for two normal distributions, the affinity",
)
def affinity_of_normal_distributions():
    """Hellinger affinity of two normal distributions of one variance."""
    product = exp(-((x**2 + (x - gap) ** 2) / 4)) / sqrt(2 * pi)
    return Eq(Integral(product, (x, -oo, oo)), exp(-(gap**2) / 8))


def slope_below(rest, most):
    """Steps of a proof: the slope of a normal density times `rest` is at most `most` / sqrt(2 pi)."""
    half = gap**2 / 2
    start = Add(1, half, *(half**k / math.factorial(k) for k in range(2, 6)))
    return [
        step("series of exp", Ge(exp(half), start)),
        step("powers of the distance", Le(gap * rest, most * start)),
        step("their product", Le(gap * rest, most * exp(half))),
        step("one exponential", Eq(exp(-half) * exp(half), 1)),
        step("the slope", Le(gap * exp(-half) * rest, most)),
        step("over the other density", Le(gap * exp(-half), most / rest)),
    ]


@claim(
    "note-bound-normal",
    place="Assumption 4 for normal records and Student's t, at theta*",
    proof=lambda: [
        *slope_below((1 + gap**2 / 5) ** 3, Rational(83, 50)),
        step("the constants", Le(Rational(83, 50) / sqrt(2 * pi), 14 / (3 * pi * sqrt(5)))),
    ],
)
def slope_of_a_normal_density_over_student():
    """Slope of a normal density over the density of Student's t."""
    return Le(gap * normal(gap), Rational(7, 4) * student(gap))


@claim(
    "note-bound-normal-cauchy",
    place="Assumption 4 for normal records and a Cauchy density",
    proof=lambda: [
        *slope_below(1 + gap**2, Rational(319, 200)),
        step("the constants", Le(Rational(319, 200) / sqrt(2 * pi), 2 / pi)),
    ],
)
def slope_of_a_normal_density_over_cauchy():
    """Slope of a normal density over a Cauchy density."""
    return Le(gap * normal(gap), 2 * cauchy(gap))


@claim(
    "note-bound-cauchy", place="Assumption 4 for Cauchy regression, g of the same scale, at theta*"
)
def slope_of_a_cauchy_density():
    """Slope of a Cauchy density over the density itself."""
    return Le(2 * Abs(x) / (1 + x**2) * cauchy(x), cauchy(x))


@claim("note-bound-quantile", place="Assumption 4 for quantile regression, without contamination")
def slope_of_an_asymmetric_laplace_density():
    """Difference of two asymmetric Laplace log densities."""
    return Le(Abs(check_loss(x - gap) - check_loss(x)), gap)


@claim("note-bound-logistic", place="Assumption 4 for logistic regression, g even")
def slope_of_a_logistic_probability():
    """Slope of a logistic probability over an even one."""
    one = logistic(theta)
    return Le(one * (1 - one) / Rational(1, 2), Rational(1, 2))


# --- rates (section 5) ----------------------------------------------------------------------------


@claim(
    "text-5-epsilon",
    place="Section 5 and Appendix C: phi_n = n**(-1/q), psi_n = psi n**(-1/q), p_n = n**(-1/(2q)), one T for all n",
    using=[
        ("note-5-sum", lambda: {small: log_eta_above(), level_0: delta_below()}),
        "note-5-delta",
    ],
    proof=lambda: [
        step("twice the exponent", Eq(n ** (-1 / q), (n ** (-1 / (2 * q))) ** 2)),
        step("the bound on log eta", Ge(log_eta_above(), 0)),
        step(
            "its rate",
            Le(
                Abs(2 * log_eta_above() / n ** (-1 / (2 * q)) - 4 * T * psi),
                4 * T * psi * n ** (-1 / (2 * q)),
            ),
        ),
        step(
            "rate",
            Le(
                Abs(epsilon_below() / n ** (-1 / (2 * q)) - 4 * T * psi),
                (4 * T * psi + 8 / (c_1 * c_3)) * n ** (-1 / (2 * q)),
            ),
        ),
    ],
)
def rate_of_epsilon():
    """Rate at which epsilon of Theorem 4 falls."""
    return Order(epsilon_below(), n ** (-1 / (2 * q)), n, limit=4 * T * psi)


def delta_below():
    """Delta of Theorem 4, for n records."""
    return 4 / c_3 * exp(-c_1 * n * (n ** (-1 / q)) ** 2 / 2)


def epsilon_below():
    """Epsilon of Theorem 4, for n records."""
    return log_eta_above() + log(delta_below() + exp(log_eta_above()))


@claim(
    "note-5-sum", place="Section 5: epsilon of Theorem 4, from the bound on log eta and delta, b_0"
)
def logarithm_of_a_sum():
    """Logarithm of an exponential and a small number."""
    return [
        Ge(log(level_0 + exp(small)), small),
        Le(log(level_0 + exp(small)), small + level_0),
    ]


@claim(
    "note-5-delta",
    place="Section 5: delta of Theorem 4 falls faster than the square of the rate of contamination",
    proof=lambda: [
        step("the exponent", Eq(c_1 * n * (n ** (-1 / q)) ** 2 / 2, c_1 / 2 * n ** (1 - 2 / q))),
        step("a power", Ge(n ** (1 - 2 / q), n ** (1 / q))),
        step("the exponential", Ge(exp(c_1 / 2 * n ** (1 / q)), c_1 / 2 * n ** (1 / q))),
        step(
            "its inverse",
            Le(exp(-c_1 * n * (n ** (-1 / q)) ** 2 / 2), exp(-c_1 / 2 * n ** (1 / q))),
        ),
        step("so", Le(exp(-c_1 / 2 * n ** (1 / q)), 2 / c_1 * n ** (-1 / q))),
    ],
)
def delta_falls_fast():
    """Delta of Theorem 4, against the square of the rate of contamination."""
    return Le(delta_below(), 8 / (c_1 * c_3) * n ** (-1 / q))


def log_eta_above():
    """The bound on log eta, for n records."""
    rate = n ** (-1 / (2 * q))
    return 2 * (1 - rate) * T * psi * n ** (-1 / q) / rate


@claim("text-5-delta", place="Section 5 and Appendix C: phi_n = n**(-1/q)")
def rate_of_delta():
    """Rate at which delta of Theorem 4 falls."""
    return Eq(
        4 / c_3 * exp(-c_1 * n * (n ** (-1 / q)) ** 2 / 2),
        4 / c_3 * exp(-c_1 * n ** (1 - 2 / q) / 2),
    )


@claim(
    "note-stretched",
    place="Sections 1.3 and 3.2 call the failure probability exponentially small: with phi_n = "
    "n**(-1/q) it is a stretched exponential, and larger than the exponential",
    given=[n >= 2],
)
def stretched_exponential():
    """Exponential in n, against the exponential in n phi_n**2."""
    return Lt(exp(-c_1 * n), exp(-c_1 * n ** (1 - 2 / q)))


@claim(
    "text-c-radius",
    place="Appendix C.1 to C.4: with the radius n**kappa, kappa = (q - 2)/(2q) + u and u > 0, the "
    "condition R_n**2 >= 4 c_1 n phi_n**2 holds from an n on, in logarithms",
    given=lambda: [log(n) >= log(4 * c_1) / (2 * u)],
)
def radius_of_the_sieve():
    """Radius of the sieve that Assumption 3 needs."""
    kappa = (q - 2) / (2 * q) + u
    return Ge(2 * kappa * log(n), log(4 * c_1) + (1 - 2 / q) * log(n))
