"""Appendix C: four regressions; densities, envelopes, and distances of parameters."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integral,
    Le,
    Max,
    Min,
    Rational,
    Sum,
    atan,
    erf,
    exp,
    gamma,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Eventually, Every, claim, derivative, step, symbol
from dpbook.contamination.any_models import AnyFunction, Slope, integral
from dpbook.contamination.notation import (
    Delta_1,
    Delta_2,
    R,
    c_1,
    cauchy,
    d,
    gamma_1,
    gap,
    logistic,
    mass_0,
    mass_1,
    n,
    normal,
    q,
    quantile,
    r,
    shift,
    sigma,
    sigma_star,
    size,
    theta,
    theta_star,
    u,
    x,
    x_1,
    x_2,
    y,
    y_2,
    z_1,
    z_2,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyScore

width = symbol("a_w", above=0, meaning="norm of the covariates, ||w||_2")
entry = symbol("i_0", integer=True, meaning="an entry of a vector")


def apart():
    """The parameters differ."""
    return [Delta_1**2 + Delta_2**2 > 0]


def along():
    """The change of theta'w for the covariates (1, 1)."""
    return Delta_1 + Delta_2


# --- covariates that vary: y is a vector of covariates ---------------------------------------------

covariates, change = AnyDistribution("nu_W"), AnyFunction("e_W", 1, Slope)
least_spread = symbol(
    "kappa_0", above=0, meaning="least eigenvalue of E[W W'], or a smaller number"
)
COVARIATES = (
    "for d covariates of any distribution nu_W; e_W(w) is (theta - theta*)'w, and r_0 is ||theta - theta*||; that E[W W'] has no "
    "eigenvalue below kappa_0 is used for theta - theta* only"
)


def on_average(body):
    """Mean over the covariates."""
    return integral(covariates.density(y_2) * body, y_2)


def vary(distance_of, limit):
    """State that covariates vary, theta'w changes by at most a limit and a mean distance exists."""
    return [
        Ge(on_average(change(y_2) ** 2), least_spread * size**2),
        Every(y, Le(Abs(change(y)), limit)),
        Ge(on_average(distance_of(change(y_2))), 0),
    ]


def averaged_over_covariates(distance_of, share):
    """The step from the distance at each vector of covariates to its mean."""
    return [
        step(
            "on average",
            Ge(on_average(distance_of(change(y_2))), share * on_average(change(y_2) ** 2)),
        )
    ]


# --- C.1: linear regression -----------------------------------------------------------------------


def root_normal(at, sd):
    """Root of a normal density."""
    return exp(-(at**2) / (4 * sd**2)) / sqrt(sqrt(2 * pi) * sd)


@claim(
    "lemma-18",
    place="Lemma 18 with d = w = 1 and theta = vartheta = theta* = 0, so M_n = R_n; the true standard "
    "deviation is 1, and the minimum over the ball is at its end r",
    given=lambda: [
        sigma - 1 <= R,
        sigma_star - 1 <= R,
        sigma > 1 / R,
        sigma_star > 1 / R,
        Abs(sigma - sigma_star) <= r,
        x >= r,
    ],
    try_at=[{R: 1, sigma: "19/10", sigma_star: "9/5", x: 8, r: "3/25"}],
    fault="error",
    effect="The rates use only the logarithm of the envelope. lemma-18-corrected (supported) has a sieve with sigma from 1/R_n to R_n.",
)
def envelope_of_linear_regression():
    """Envelope of the roots of two normal densities, as printed."""
    envelope = (
        R**2
        / 2
        * (1 + R * (x + R))
        * (x + R)
        * (R**2 / (2 * pi)) ** Rational(1, 4)
        * exp(-((x - r) ** 2) / (4 * R**2))
    )
    return Le(
        Abs(root_normal(x, sigma) - root_normal(x, sigma_star)), envelope * Abs(sigma - sigma_star)
    )


def printed_envelope(record, covariate, dimension, minimum):
    """Envelope of Lemma 18 at theta* = 0, so M_n = R_n, from |x|, ||w||, d and the minimum over the ball."""
    reach = record + R * covariate
    inner = (dimension * covariate + R * reach) * reach
    return R**2 / 2 * inner * (R**2 / (2 * pi)) ** Rational(1, 4) * exp(-(minimum**2) / (4 * R**2))


@claim(
    "lemma-18.ball",
    place="Lemma 18 for two covariates (1, 1), both standard deviations R_n, vartheta = theta* = 0 and theta = (1, 1), so r = 1: "
    "theta'w is 2, and in the ball of radius 1 around 0, which theta is not in, phi'w is at most sqrt(2). R_n is at least 2, so that theta is in the sieve",
    given=lambda: [x >= 2, R >= 2],
    try_at=[{R: 2, x: 200}],
    fault="error",
    effect="The rates use only the logarithm of the envelope. A ball of radius r sqrt(d) holds all parameters within r in the largest entry.",
)
def envelope_over_the_ball():
    """Envelope of the roots of two normal densities of one standard deviation, as printed."""
    envelope = printed_envelope(x, sqrt(2), 2, x - sqrt(2))
    return Le(root_normal(x - 2, R) - root_normal(x, R), envelope)


@claim(
    "lemma-18.term",
    place="Lemma 18 with d = 1, theta = vartheta = theta* = 0, a small covariate and the record 0, where the minimum over the ball is 0; the true "
    "standard deviation is 1, and neither of the two exceeds R_n",
    given=lambda: [sigma <= R, sigma_star <= R, sigma > 1 / R, sigma_star > 1 / R, width <= 1],
    try_at=[{R: 2, sigma: 1, sigma_star: "6/5", width: "1/10"}],
    fault="error",
    effect="The rates use only the logarithm of the envelope. The derivative in sigma has a second term, 1/sigma, which lemma-18-corrected (supported) keeps.",
)
def envelope_without_the_second_term():
    """Envelope of the roots of two normal densities at a small residual, as printed."""
    envelope = printed_envelope(0, width, 1, 0)
    return Le(
        Abs(root_normal(0, sigma) - root_normal(0, sigma_star)), envelope * Abs(sigma - sigma_star)
    )


@claim(
    "lemma-18-corrected",
    place="Lemma 18 for sigma from 1/R_n to R_n, with the term 1/sigma kept: the derivatives of the root of the "
    "density in theta'w and in sigma; x stands for the residual",
    corrects=["lemma-18", "lemma-18.ball", "lemma-18.term"],
    why="|sigma - sigma*| <= R_n allows sigma above R_n, where the exponential is larger than the print has; the ball has to hold all "
    "parameters within r in the largest entry; and the derivative in sigma has a second term, which counts where the residual is small.",
    given=lambda: [sigma * R >= 1, sigma <= R],
    proof=lambda: [
        step("a small scale", Le(1 / sigma, R)),
        step("its powers", [Le(1 / sigma**2, R**2), Le(1 / sigma**3, R**3)]),
        step("a large scale", Le(x**2 / (4 * R**2), x**2 / (4 * sigma**2))),
        step("the exponential", Le(exp(-(x**2) / (4 * sigma**2)), exp(-(x**2) / (4 * R**2)))),
        step("the factor", Le(1 / sqrt(sqrt(2 * pi) * sigma), sqrt(R) / sqrt(sqrt(2 * pi)))),
        step("the root", Le(root_normal(x, sigma), most_of_the_root())),
        step("the slope in theta'w", Le(Abs(x) / (2 * sigma**2), R**2 * Abs(x) / 2)),
        step(
            "the slope in sigma",
            Le(Abs(x**2 / sigma**3 - 1 / sigma) / 2, (R**3 * x**2 + R) / 2),
        ),
    ],
    scope="one covariate, and the two derivatives, from which the mean value theorem has the difference",
)
def derivatives_of_the_root_of_a_normal_density():
    """Derivatives of the root of a normal density, by an envelope."""
    return [
        Le(
            Abs(x) / (2 * sigma**2) * root_normal(x, sigma),
            R**2 * Abs(x) / 2 * most_of_the_root(),
        ),
        Le(
            Abs(x**2 / sigma**3 - 1 / sigma) / 2 * root_normal(x, sigma),
            (R**3 * x**2 + R) / 2 * most_of_the_root(),
        ),
    ]


def most_of_the_root():
    """Bound on the root of a normal density, by its largest and its smallest scale."""
    return sqrt(R) / sqrt(sqrt(2 * pi)) * exp(-(x**2) / (4 * R**2))


@claim(
    "note-lemma-18-slopes",
    place="Lemma 18: the derivatives of lemma-18-corrected, in x for theta'w up to the sign, and in sigma",
)
def slopes_of_the_root_of_a_normal_density():
    """Derivatives of the root of a normal density."""
    return [
        Eq(derivative(root_normal(x, sigma), x), -x / (2 * sigma**2) * root_normal(x, sigma)),
        Eq(
            derivative(root_normal(x, sigma), sigma),
            (x**2 / sigma**3 - 1 / sigma) / 2 * root_normal(x, sigma),
        ),
    ]


larger, slant = (
    symbol("M_0", above=0, meaning="bound M on both constants of lemma 19"),
    symbol("alpha_1", above=0, meaning="factor alpha of lemma 19"),
)


@claim(
    "note-lemma-19",
    place="Lemma 19 for k = 1: a primitive of the part of the integrand above alpha w, so that the integral "
    "over the positive numbers is alpha w times their share and sigma**2 times the density at 0; sigma "
    "stands for R",
)
def primitive_of_the_integrand():
    """Primitive of x times a normal density around 0."""
    return Eq(derivative(-(sigma**2) * normal(x, sigma), x), x * normal(x, sigma))


def first_moment():
    """First moment of a normal distribution over the positive numbers, by note-lemma-19."""
    above = (1 + erf(slant * width / (sqrt(2) * sigma))) / 2
    return slant * width * above + sigma**2 * normal(slant * width, sigma)


@claim(
    "lemma-19",
    place="Lemma 19 for k = 1, where the second sum of beta_k is empty, so beta_1(w) = w: a closed form, by "
    "note-lemma-19; sigma stands for R",
    given=lambda: [sigma <= larger, slant <= larger],
    try_at=[{sigma: 1, slant: 1, width: "1/10", larger: 1}],
    fault="misprint",
    effect="None: Lemma 20 has the order M_n only, and only its logarithm counts.",
)
def moments_of_a_normal_distribution_as_printed():
    """First moment of a normal distribution over the positive numbers, as printed."""
    return Le(first_moment(), width * larger)


@claim(
    "lemma-19-corrected",
    place="Lemma 19 for k = 1, with the second sum up to the least whole number from k/2 on",
    corrects=["lemma-19"],
    why="The second sum goes up to k/2 rounded up, where the print, or its scan, rounds down: with it beta_1(w) = w + "
    "1/sqrt(2 pi).",
    given=lambda: [sigma <= larger, slant <= larger],
    scope="k = 1",
    using=["note-lemma-19"],
    proof=lambda: [
        step("a share", Le((1 + erf(slant * width / (sqrt(2) * sigma))) / 2, 1)),
        step("the density", Le(normal(slant * width, sigma), 1 / (sqrt(2 * pi) * sigma))),
        step("its multiple", Le(sigma**2 * normal(slant * width, sigma), sigma / sqrt(2 * pi))),
        step("the scale", Le(sigma / sqrt(2 * pi), larger / sqrt(2 * pi))),
        step(
            "the mean",
            Le(
                slant * width * ((1 + erf(slant * width / (sqrt(2) * sigma))) / 2),
                larger * width,
            ),
        ),
    ],
)
def moments_of_a_normal_distribution():
    """First moment of a normal distribution over the positive numbers."""
    return Le(first_moment(), (width + 1 / sqrt(2 * pi)) * larger)


@claim(
    "lemma-19.display",
    place="Lemma 19, the first display of its proof, for every k; sigma stands for R, and in the second integral x for t, after the "
    "substitution of the print",
)
def half_moments_of_a_normal_distribution():
    """Moments of half a normal distribution."""
    inner = (2 * sigma**2 * x) ** ((order - 1) / 2) * sigma * exp(-x)
    in_t = Integral(inner, (x, 0, oo)) / sqrt(2 * pi)
    return [
        Eq(Integral(x**order * normal(x, sigma), (x, 0, oo)), in_t),
        Eq(in_t, 2 ** (order / 2 - 1) * sigma**order * gamma((order + 1) / 2) / sqrt(pi)),
    ]


order = symbol("k_2", integer=True, at_least=0, meaning="order of a moment, k of lemma 19")


@claim(
    "lemma-20",
    place="Lemma 20 with d = w = 1 and vartheta = theta* = 0, so M_n = R_n: the part of the integral "
    "from -r to r, where the exponential is 1",
    given=lambda: [r <= R],
    try_at=[{R: 1, r: 1}],
    fault="error",
    effect="Only the logarithm of the norm counts; lemma-20-corrected (supported) has the order in M_n. It fails for every R_n from 1 on and every r, by note-lemma-20-below.",
)
def norm_of_the_envelope_of_linear_regression():
    """Squared norm of the envelope of linear regression, as printed."""
    inner = (1 + R * (x + R)) ** 2 * (x + R) ** 2
    return Le(R**5 / (4 * sqrt(2 * pi)) * 2 * Integral(inner, (x, 0, r)), R**12)


def squared_envelope_in_the_ball():
    """Squared envelope of linear regression where the minimum over the ball is 0, without its exponential."""
    inner = (1 + R * (x + R)) ** 2 * (x + R) ** 2
    return R**5 / (4 * sqrt(2 * pi)) * inner


@claim(
    "lemma-20.middle",
    place="Lemma 20, the first line of the display for the middle part, from u_- to u_+, at a record x there, with d = w = 1 and vartheta = theta* = 0, so "
    "M_n = R_n. The minimum over the ball is 0",
    given=lambda: [x >= 0, x <= r],
    try_at=[{R: 1, x: 0, r: 1}],
    fault="misprint",
    effect="None: the next line leaves the exponential out, as an upper bound may; lemma-20.middle-corrected is supported.",
)
def middle_part_as_printed():
    """Squared envelope of linear regression within the ball, as printed."""
    return Eq(
        printed_envelope(x, 1, 1, 0) ** 2, squared_envelope_in_the_ball() * exp(-1 / (2 * R**2))
    )


@claim(
    "lemma-20.middle-corrected",
    place="Lemma 20, the first line of the display for the middle part, at a record, for the same parameters",
    corrects=["lemma-20.middle"],
    why="The exponent has the minimum of (x - phi'w)**2, which is 0 there, and the print has 1 for it.",
    scope="d = w = 1 and vartheta = theta* = 0",
    given=lambda: [x >= 0, x <= r],
)
def middle_part():
    """Squared envelope of linear regression within the ball."""
    return Eq(printed_envelope(x, 1, 1, 0) ** 2, squared_envelope_in_the_ball())


def beyond_the_ball():
    """Part of the integral in Lemma 20 beyond the ball."""
    return Integral(
        (1 + R * (x + r + R)) ** 2 * (x + r + R) ** 2 * exp(-(x**2) / (2 * R**2)), (x, 0, oo)
    )


def closed_form_beyond_the_ball():
    """Integral beyond the ball in Lemma 20, by the powers of the distance from the ball."""
    end = r + R
    first, mixed = end * (1 + R * end), 1 + 2 * R * end
    factors = (first**2, 2 * first * mixed, mixed**2 + 2 * first * R, 2 * R * mixed, R**2)
    root = sqrt(2 * pi) / 2
    values = (root * R, R**2, root * R**3, 2 * R**4, 3 * root * R**5)
    return sum(factor * value for factor, value in zip(factors, values, strict=True))


@claim(
    "lemma-20-corrected",
    place="Lemma 20 with d = w = 1 and vartheta = theta* = 0, so M_n = R_n, with a factor: the parts of the integral "
    "within the ball and beyond, by their distance from the ball",
    corrects=["lemma-20"],
    why="The bounds of the proof drop the factors of the single integrals, which add up to 38 at R_n = r = 1.",
    given=lambda: [r <= R, R >= 1],
    proof=lambda: [
        step("beyond the ball", Eq(beyond_the_ball(), closed_form_beyond_the_ball())),
        step("within", Le(Integral((1 + R * (x + R)) ** 2 * (x + R) ** 2, (x, 0, r)), 17 * R**7)),
        step(
            "a constant", [Le(sqrt(2 * pi), Rational(251, 100)), Ge(sqrt(2 * pi), Rational(5, 2))]
        ),
        step("its size", Le(closed_form_beyond_the_ball(), 180 * R**7)),
    ],
    scope="d = w = 1, vartheta = theta* = 0, and R_n of at least 1",
)
def norm_of_the_envelope_with_a_factor():
    """Squared norm of the envelope of linear regression, up to a factor."""
    within = Integral((1 + R * (x + R)) ** 2 * (x + R) ** 2, (x, 0, r))
    return Le(R**5 / (4 * sqrt(2 * pi)) * 2 * (within + beyond_the_ball()), 40 * R**12)


@claim(
    "note-lemma-20-below",
    place="Lemma 20 with d = w = 1 and vartheta = theta* = 0, so M_n = R_n: the part of the integral beyond the ball",
    proof=lambda: [
        step("beyond the ball", Eq(beyond_the_ball(), closed_form_beyond_the_ball())),
        step(
            "a constant", [Le(sqrt(2 * pi), Rational(251, 100)), Ge(sqrt(2 * pi), Rational(5, 2))]
        ),
        step("its size", Ge(closed_form_beyond_the_ball(), 20 * R**7)),
    ],
)
def norm_of_the_envelope_from_below():
    """Squared norm of the envelope of linear regression, from below."""
    return Gt(R**5 / (4 * sqrt(2 * pi)) * 2 * beyond_the_ball(), 3 * R**12)


@claim(
    "lemma-21",
    place="Lemma 21 for two covariates (1, 1) and one sigma: with any C the distance is above 0 away "
    "from theta*; a closed form, by note-hellinger-normal",
    given=apart,
    try_at=[{Delta_1: "1/1000", Delta_2: "-1/1000", sigma: 1}],
    fault="error",
    effect="Section 5 needs covariates that vary: lemma-21-corrected (supported) has the distance averaged over them, for a known sigma.",
)
def distance_of_linear_regressions_in_two_dimensions():
    """Squared Hellinger distance of two linear regressions with two covariates, as printed."""
    return Gt(1 - exp(-(along() ** 2) / (8 * sigma**2)), 0)


def normal_distance(away):
    """Squared Hellinger distance of two normal distributions of one standard deviation."""
    return 1 - exp(-(away**2) / (8 * sigma**2))


@claim(
    "note-lemma-21",
    place="Lemma 21 at one vector of covariates, as far as one standard deviation",
    given=lambda: [Abs(shift) <= sigma],
)
def distance_of_two_linear_regressions():
    """Squared Hellinger distance of two linear regressions at one vector of covariates, from below."""
    return Ge(normal_distance(shift), shift**2 / (9 * sigma**2))


@claim(
    "lemma-21.display",
    place="Lemma 21, the second display of its proof, at a record: s is (theta - theta*)'w, Delta_1 is sigma - sigma*, x the residual and "
    "sigma stands for xi; the derivatives are those of note-lemma-18-slopes",
    scope="the integrand at one point between the parameters; the print takes one point for all records, where the mean value theorem has "
    "one for each",
)
def squared_difference_of_the_roots():
    """Squared difference of the roots of two normal densities, by their derivatives."""
    slope = -derivative(root_normal(x, sigma), x) * shift
    change_ = slope + derivative(root_normal(x, sigma), sigma) * Delta_1
    standard = x / sigma
    return Eq(
        change_**2 / 2,
        normal(x, sigma) / (8 * sigma**2) * (standard * shift + (standard**2 - 1) * Delta_1) ** 2,
    )


@claim(
    "lemma-21-corrected",
    place=f"Lemma 21 for the squared distance averaged over the covariates, {COVARIATES}; sigma is known",
    corrects=["lemma-21"],
    why="For one fixed w the distribution depends on theta'w only. Averaged over covariates that vary in all directions, the distance "
    "bounds the change of the parameter.",
    given=lambda: vary(normal_distance, sigma),
    using=[("note-lemma-21", lambda: {shift: change(y_2)})],
    proof=lambda: averaged_over_covariates(normal_distance, 1 / (9 * sigma**2)),
    scope="a known sigma, and parameters for which no theta'w changes by more than sigma",
)
def distance_of_linear_regressions():
    """Squared Hellinger distance of two linear regressions, averaged over the covariates."""
    return Ge(on_average(normal_distance(change(y_2))), least_spread * size**2 / (9 * sigma**2))


@claim(
    "text-c.1-scale",
    place="Appendix C.1: Assumption 3 with a half-normal prior on sigma, which is ours, as the paper names none: its part below "
    "1/R_n is outside the sieve, and is to be exponentially small, so below 1/R_n**2 in the end; n stands for R_n",
    fault="error",
    effect="Appendix C.1 and C.3 need a known scale, or a prior with less mass near 0, as in text-c.1-scale-corrected (supported).",
)
def prior_mass_of_small_scales_as_printed():
    """Prior mass of scales below the sieve, as printed."""
    return Eventually(n, erf(1 / (n * sqrt(2))) <= 1 / n**2)


@claim(
    "text-c.1-scale-corrected",
    place="Appendix C.1, with an inverse gamma prior of shape 1 on sigma**2",
    corrects=["text-c.1-scale"],
    why="A half-normal distribution puts a mass of the order 1/R_n below 1/R_n.",
    scope="an inverse gamma distribution of shape 1 on sigma**2",
)
def prior_mass_of_small_scales():
    """Prior mass of scales below the sieve, for an inverse gamma distribution."""
    return Eq(Integral(sigma_star * exp(-sigma_star * x), (x, R**2, oo)), exp(-sigma_star * R**2))


# --- C.2: logistic regression ---------------------------------------------------------------------


@claim(
    "note-c.2-growth",
    place="used by note-c.2-lipschitz",
    given=[theta >= theta_star],
    proof=lambda: [
        step("it grows", Ge(sqrt(logistic(theta)), sqrt(logistic(theta_star)))),
        step(
            "no faster than exp",
            Le(logistic(theta) * exp(theta_star - theta), logistic(theta_star)),
        ),
        step(
            "the roots",
            Le(
                sqrt(logistic(theta)) * exp((theta_star - theta) / 2),
                sqrt(logistic(theta_star)),
            ),
        ),
        step("the tangent of exp", Ge(exp((theta_star - theta) / 2), 1 + (theta_star - theta) / 2)),
        step("a root", [Ge(sqrt(logistic(theta)), 0), Le(sqrt(logistic(theta)), 1)]),
        step(
            "times the root",
            Ge(
                sqrt(logistic(theta)) * exp((theta_star - theta) / 2),
                sqrt(logistic(theta)) * (1 + (theta_star - theta) / 2),
            ),
        ),
        step(
            "at most half of the distance",
            Le(sqrt(logistic(theta)) * (theta - theta_star) / 2, (theta - theta_star) / 2),
        ),
    ],
)
def growth_of_the_root_of_a_logistic_probability():
    """Growth of the root of a logistic probability, from below and above."""
    rise = sqrt(logistic(theta)) - sqrt(logistic(theta_star))
    return [Ge(rise, 0), Le(rise, (theta - theta_star) / 2)]


# theta, vartheta and w, by their entries 0, ..., d - 1
FIRST, SECOND, COVARIATE = (AnyScore(name, d - 1) for name in ("b", "b_0", "w"))


def over_entries(body):
    """Sum over the entries of a vector."""
    return Sum(body(entry), (entry, 0, d - 1))


def inner_product(parameter):
    """The inner product of a parameter and the covariates."""
    return over_entries(lambda j: parameter(j) * COVARIATE(j))


def squared_length():
    """The square of ||w||_2."""
    return over_entries(lambda j: COVARIATE(j) ** 2)


def squared_distance():
    """The square of ||theta - vartheta||_2."""
    return over_entries(lambda j: (FIRST(j) - SECOND(j)) ** 2)


def squared_combination(j):
    """The square of the difference of an entry of theta - vartheta and a multiple of one of w."""
    return (FIRST(j) - SECOND(j) - shift * COVARIATE(j)) ** 2


@claim(
    "note-c.2-squares",
    place="used by note-c.2-product: a sum of squares, for any multiple of w",
    proof=lambda: [
        step(
            "entry by entry",
            Eq(
                over_entries(squared_combination),
                squared_distance()
                - 2 * shift * (inner_product(FIRST) - inner_product(SECOND))
                + shift**2 * squared_length(),
            ),
        ),
        step("no square is below 0", Ge(over_entries(squared_combination), 0)),
    ],
)
def squares_and_inner_products():
    """Squares of two vectors and their inner product."""
    inner = inner_product(FIRST) - inner_product(SECOND)
    return Ge(squared_distance() - 2 * shift * inner + shift**2 * squared_length(), 0)


@claim(
    "note-c.2-product",
    place="used by text-c.2-lipschitz: the inequality of Cauchy and Schwarz",
    given=lambda: [Gt(squared_length(), 0)],
    using=[
        (
            "note-c.2-squares",
            lambda: {shift: (inner_product(FIRST) - inner_product(SECOND)) / squared_length()},
        )
    ],
    proof=lambda: [
        step(
            "the squares",
            Le(
                (inner_product(FIRST) - inner_product(SECOND)) ** 2,
                squared_length() * squared_distance(),
            ),
        ),
        step("no square is below 0", Ge(squared_distance(), 0)),
    ],
)
def inner_product_of_two_vectors():
    """Size of an inner product, and lengths."""
    return Le(
        Abs(inner_product(FIRST) - inner_product(SECOND)),
        sqrt(squared_length()) * sqrt(squared_distance()),
    )


@claim(
    "text-c.2-lipschitz",
    place="Appendix C.2, second display, for the answers 1 and 0; b, b_0 and w are theta, vartheta and the covariates, by their entries. Where w is 0 both sides are",
    given=lambda: [Gt(squared_length(), 0)],
    using=[
        "note-c.2-product",
        (
            "note-c.2-lipschitz",
            lambda: {theta: inner_product(FIRST), theta_star: inner_product(SECOND)},
        ),
        (
            "note-c.2-lipschitz",
            lambda: {theta: -inner_product(FIRST), theta_star: -inner_product(SECOND)},
        ),
    ],
    proof=lambda: [
        step(
            "the distance",
            Eq(
                Abs(-inner_product(FIRST) + inner_product(SECOND)),
                Abs(inner_product(FIRST) - inner_product(SECOND)),
            ),
        )
    ],
)
def roots_of_logistic_probabilities():
    """Differences of the roots of two logistic probabilities."""
    return differences_of_roots(sqrt(squared_length()) / 2 * sqrt(squared_distance()))


def differences_of_roots(most):
    """Return the statement: the roots of the probabilities of either answer differ by at most a bound."""
    first, second = inner_product(FIRST), inner_product(SECOND)
    return [
        Le(Abs(sqrt(logistic(first)) - sqrt(logistic(second))), most),
        Le(Abs(sqrt(logistic(-first)) - sqrt(logistic(-second))), most),
    ]


@claim(
    "note-c.2-lipschitz",
    place="Appendix C.2, second display, at the answer 1, along theta'w",
    using=[
        (
            "note-c.2-growth",
            lambda: {theta: Max(theta, theta_star), theta_star: Min(theta, theta_star)},
        )
    ],
)
def root_of_a_logistic_probability():
    """Difference of the roots of two logistic probabilities, by the change of the parameter."""
    return Le(Abs(sqrt(logistic(theta)) - sqrt(logistic(theta_star))), Abs(theta - theta_star) / 2)


@claim(
    "text-c.2-envelope",
    place="Appendix C.2: M = ||w||_2/2 in Lemma 2, whose distance is the largest entry; w = (1, ..., 1) "
    "and theta - vartheta = Delta/d (1, ..., 1)",
    try_at=[{theta: "-3/4", gap: "1/10", d: 10}],
    fault="error",
    effect="None: with the factor sqrt(d) the envelope is still bounded (text-c.2-envelope-corrected, supported).",
)
def envelope_of_logistic_regression_as_printed():
    """Envelope of logistic regression in the largest entry, as printed."""
    return Le(Abs(sqrt(logistic(theta + gap)) - sqrt(logistic(theta))), sqrt(d) / 2 * (gap / d))


def both_answers():
    """Uses of note-c.2-lipschitz, for the answer 1 and for the answer 0."""
    return [
        "note-c.2-lipschitz",
        ("note-c.2-lipschitz", lambda: {theta: -theta, theta_star: -theta_star}),
    ]


def distance_of_the_opposite():
    """Step that two numbers are as far apart as the opposite ones."""
    return step("the distance", Eq(Abs(-theta + theta_star), Abs(theta - theta_star)))


@claim(
    "text-c.2-envelope-corrected",
    place="Appendix C.2, with M = sqrt(d) ||w||_2 / 2, as text-c.2-lipschitz; r is the largest entry of theta - vartheta, "
    "whose norm is at most sqrt(d) times that",
    corrects=["text-c.2-envelope"],
    why="The norm of a difference is up to sqrt(d) times its largest entry.",
    scope="from the inequality of Cauchy and Schwarz, and from the norm's bound by the largest entry, which are conditions here",
    using=both_answers(),
    given=lambda: [Abs(theta - theta_star) <= width * size, size <= sqrt(d) * r],
    proof=lambda: [
        distance_of_the_opposite(),
        step("the norm", Le(width * size / 2, sqrt(d) * width / 2 * r)),
    ],
)
def envelope_of_logistic_regression():
    """Envelope of logistic regression in the largest entry."""
    most = sqrt(d) * width / 2 * r
    return [
        Le(Abs(sqrt(logistic(theta)) - sqrt(logistic(theta_star))), most),
        Le(Abs(sqrt(logistic(-theta)) - sqrt(logistic(-theta_star))), most),
    ]


def logistic_distance(first, second):
    """Squared Hellinger distance of two logistic answers."""
    affinity = sqrt(logistic(first)) * sqrt(logistic(second))
    return 1 - affinity - sqrt(logistic(-first)) * sqrt(logistic(-second))


@claim(
    "lemma-22",
    place="Lemma 22 for two covariates (1, 1): with any C the distance is above 0 away from theta*",
    given=apart,
    try_at=[{Delta_1: "1/1000", Delta_2: "-1/1000", theta: 0}],
    fault="error",
    effect="As for lemma-21.",
)
def distance_of_logistic_regressions_in_two_dimensions():
    """Squared Hellinger distance of two logistic regressions with two covariates, as printed."""
    return Gt(logistic_distance(theta, theta + along()), 0)


def agreement():
    """Hellinger affinity of two distributions on two outcomes."""
    return sqrt(x_1) * sqrt(z_1) + sqrt(x_2) * sqrt(z_2)


def exchanged():
    """Return the Hellinger affinity with the outcomes of the second distribution exchanged."""
    return sqrt(x_1) * sqrt(z_2) + sqrt(x_2) * sqrt(z_1)


def crossed():
    """Difference of the two products in the affinity with exchanged outcomes."""
    return sqrt(x_1) * sqrt(z_2) - sqrt(x_2) * sqrt(z_1)


@claim(
    "note-lemma-22",
    place="used by lemma-22-corrected: two distributions (x_1, x_2) and (z_1, z_2) on two outcomes",
    given=lambda: [Eq(x_1 + x_2, 1), Eq(z_1 + z_2, 1)],
    proof=lambda: [
        step("the crossed products", Eq(x_1 - z_1, crossed() * exchanged())),
        step("an affinity is at most 1", Le(exchanged(), 1)),
        step("and not below 0", Ge(exchanged(), 0)),
        step("its square", Ge(1 - exchanged() ** 2, 0)),
        step("a product", Ge(crossed() ** 2 * (1 - exchanged() ** 2), 0)),
        step("the total variation", Eq((x_1 - z_1) ** 2, crossed() ** 2 * exchanged() ** 2)),
        step("so", Le((x_1 - z_1) ** 2, crossed() ** 2)),
        step("Lagrange's identity", Eq(crossed() ** 2, (1 - agreement()) * (1 + agreement()))),
        step("the other affinity", [Le(agreement(), 1), Ge(agreement(), 0)]),
        step("factors", Le((1 - agreement()) * (1 + agreement()), 2 * (1 - agreement()))),
        step("together", Le((x_1 - z_1) ** 2, 2 * (1 - agreement()))),
    ],
)
def distance_of_two_coins():
    """Squared Hellinger distance of two distributions on two outcomes, from below by the total variation."""
    return Ge(1 - agreement(), (z_1 - x_1) ** 2 / 2)


most = symbol("b_W", above=0, meaning="bound on |theta'w| at both parameters")


@claim(
    "note-lemma-22-one",
    place="Lemma 22 at one vector of covariates: by the total variation",
    using=[
        (
            "note-lemma-22",
            lambda: {
                x_1: logistic(theta),
                x_2: logistic(-theta),
                z_1: logistic(theta + shift),
                z_2: logistic(-(theta + shift)),
            },
        )
    ],
)
def distance_of_two_logistic_regressions():
    """Squared Hellinger distance of two logistic answers, from below by their total variation."""
    return Ge(
        logistic_distance(theta, theta + shift),
        (logistic(theta + shift) - logistic(theta)) ** 2 / 2,
    )


def least_slope():
    """A bound on the slope of the logistic function between -b_W and b_W."""
    return exp(-most) / (1 + exp(most)) ** 2


@claim(
    "note-lemma-22-slope",
    place="Lemma 22: two logistic probabilities differ by at least a multiple of the difference of the parameters",
    given=lambda: [theta >= -most, theta_star <= most, theta <= theta_star],
    proof=lambda: [
        step(
            "the tangent of exp",
            Ge(exp(theta_star) - exp(theta), exp(theta) * (theta_star - theta)),
        ),
        step("the least one", Ge(exp(theta), exp(-most))),
        step("the largest", [Le(exp(theta_star), exp(most)), Le(exp(theta), exp(most))]),
        step(
            "the difference",
            Eq(
                logistic(theta_star) - logistic(theta),
                (exp(theta_star) - exp(theta)) / ((1 + exp(theta)) * (1 + exp(theta_star))),
            ),
        ),
        step("above", Ge(exp(theta_star) - exp(theta), exp(-most) * (theta_star - theta))),
        step("below", Le((1 + exp(theta)) * (1 + exp(theta_star)), (1 + exp(most)) ** 2)),
    ],
)
def slope_of_the_logistic_function():
    """Difference of two logistic probabilities, from below by the difference of the parameters."""
    return Ge(logistic(theta_star) - logistic(theta), least_slope() * (theta_star - theta))


@claim(
    "note-lemma-22-size",
    place="Lemma 22: squares of the differences, for a change q_0 of theta'w that is not negative",
    given=lambda: [theta >= -most, theta + mass_0 <= most],
    using=[("note-lemma-22-slope", lambda: {theta: theta, theta_star: theta + mass_0})],
    proof=lambda: [
        step(
            "the difference", Ge(logistic(theta + mass_0) - logistic(theta), least_slope() * mass_0)
        ),
        step("a slope", Ge(least_slope() * mass_0, 0)),
    ],
)
def squared_difference_of_logistic_probabilities():
    """Squared difference of logistic probabilities, from below by the squared change of theta'w."""
    return Ge((logistic(theta + mass_0) - logistic(theta)) ** 2, (least_slope() * mass_0) ** 2)


@claim(
    "note-lemma-22-signs",
    place="Lemma 22: squares of the differences, for a change of either sign",
    given=lambda: [Abs(theta) <= most, Abs(theta + shift) <= most],
    using=[
        ("note-lemma-22-size", lambda: {theta: theta, mass_0: Max(shift, 0)}),
        ("note-lemma-22-size", lambda: {theta: theta + shift, mass_0: Max(-shift, 0)}),
    ],
)
def squared_difference_for_either_sign():
    """Squared difference of two logistic probabilities, for a change of either sign."""
    return Ge((logistic(theta + shift) - logistic(theta)) ** 2, (least_slope() * shift) ** 2)


@claim(
    "note-lemma-22-bound",
    place="Lemma 22 at one vector of covariates: theta stands for theta*'w, s for the change of theta'w",
    given=lambda: [Abs(theta) <= most, Abs(theta + shift) <= most],
    using=["note-lemma-22-one", "note-lemma-22-signs"],
)
def distance_of_logistic_answers():
    """Squared Hellinger distance of two logistic answers, from below by the change of theta'w."""
    return Ge(logistic_distance(theta, theta + shift), least_slope() ** 2 / 2 * shift**2)


true_value = AnyFunction("t_W", 1, Slope)


def distance_at(covariate):
    """Squared Hellinger distance of the answers at one vector of covariates."""
    return logistic_distance(true_value(covariate), true_value(covariate) + change(covariate))


@claim(
    "lemma-22-corrected",
    place=f"Lemma 22 for the squared distance averaged over the covariates, {COVARIATES}; t_W(w) is theta*'w",
    corrects=["lemma-22"],
    why="For one fixed w the distribution depends on theta'w only, as in Lemma 21.",
    given=lambda: [
        Ge(on_average(change(y_2) ** 2), least_spread * size**2),
        Every(y, Le(Abs(true_value(y)), most)),
        Every(y, Le(Abs(true_value(y) + change(y)), most)),
        Ge(on_average(distance_at(y_2)), 0),
    ],
    using=[("note-lemma-22-bound", lambda: {theta: true_value(y_2), shift: change(y_2)})],
    proof=lambda: [
        step(
            "on average",
            Ge(on_average(distance_at(y_2)), least_slope() ** 2 / 2 * on_average(change(y_2) ** 2)),
        )
    ],
    scope="parameters for which no |theta'w| exceeds b_W, on which the constant depends",
)
def distance_of_logistic_regressions():
    """Squared Hellinger distance of two logistic regressions, averaged over the covariates."""
    return Ge(on_average(distance_at(y_2)), least_slope() ** 2 / 2 * least_spread * size**2)


# --- C.3: Cauchy regression -----------------------------------------------------------------------


@claim(
    "text-c.3-density",
    place="Appendix C.3, the likelihood with gamma = sigma**2: a density has at most the mass 1 between "
    "-r and r",
    fault="error",
    effect="Lemmas 23 to 25 differentiate it; what the rates use is their orders in R_n.",
    try_at=[{sigma: 2, r: 10}],
)
def cauchy_likelihood_as_printed():
    """Mass under the likelihood of Cauchy regression, as printed."""
    return Le(Integral(sigma / pi / (1 + x**2 / sigma**2), (x, -r, r)), 1)


@claim(
    "text-c.3-density-corrected",
    place="Appendix C.3, the likelihood with gamma = sigma**2: the mass between -r and r, which tends "
    "to 1",
    corrects=["text-c.3-density"],
    why="The scale is sqrt(gamma), so it belongs below: as printed the integral is gamma.",
)
def cauchy_likelihood():
    """Mass under the likelihood of Cauchy regression."""
    inner = 1 / (pi * sigma) / (1 + x**2 / sigma**2)
    return Eq(Integral(inner, (x, -r, r)), 2 / pi * atan(r / sigma))


one_covariate = symbol("w_i", meaning="an entry of the covariates")


def core(at):
    """The power of 1 + y**2/gamma in the gradients."""
    return (1 + at**2 / gamma_1) ** Rational(-3, 2) / sqrt(pi)


@claim(
    "lemma-23.gradient",
    place="Lemma 23, the two gradients of its proof, of the root of the printed density: in an entry of theta, whose "
    "covariate is w_i, where the other entries add s to theta'w, and in gamma",
)
def gradient_of_the_printed_cauchy_density():
    """Derivatives of the root of the printed Cauchy density."""
    away = x - (theta * one_covariate + shift)
    return [
        Eq(
            derivative(printed_root(away), theta),
            gamma_1 ** Rational(1, 4) * core(away) * (away / gamma_1) * one_covariate,
        ),
        Eq(
            derivative(printed_root(x), gamma_1),
            gamma_1 ** Rational(-7, 4) / 4 * core(x) * (gamma_1 + 3 * x**2),
        ),
    ]


@claim(
    "note-lemma-23", place="Lemma 23, its gradient in gamma, for the density that integrates to 1"
)
def gradient_of_the_cauchy_density():
    """Derivative in gamma of the root of the Cauchy density."""
    root = gamma_1 ** Rational(-1, 4) / sqrt(pi) * (1 + x**2 / gamma_1) ** Rational(-1, 2)
    return Eq(
        derivative(root, gamma_1), gamma_1 ** Rational(-9, 4) / 4 * core(x) * (x**2 - gamma_1)
    )


def printed_root(at):
    """Root of the printed Cauchy density."""
    return gamma_1 ** Rational(1, 4) / sqrt(pi) * (1 + at**2 / gamma_1) ** Rational(-1, 2)


@claim(
    "lemma-23",
    place="Lemma 23 with d = w = 1, vartheta = theta* = 0, so M_n = R_n, and gamma = gamma*: the parameter "
    "theta is r, and the minimum over the ball at its end r",
    given=lambda: [x >= r, r <= R, gamma_1 > 1 / R],
    try_at=[{R: 1, gamma_1: 10000, x: 70, r: 1}],
    fault="boundary",
    effect="None: only the logarithm counts, and R_n is above gamma* in the end. With the density that "
    "integrates to 1 in place of the printed one it fails as well, at w = x = 0 and gamma just above 1 / R_n.",
)
def envelope_of_cauchy_regression():
    """Envelope of the roots of two Cauchy densities, as printed."""
    inside = (
        R ** Rational(3, 4) * (x + R) + R ** Rational(3, 4) / 4 + R ** Rational(7, 4) * (x + R) ** 2
    )
    most = (1 + (x - r) ** 2 / R) ** Rational(-3, 2) / sqrt(pi) * inside
    return Le(printed_root(x - r) - printed_root(x), most * r)


@claim(
    "note-lemma-23-falls",
    place="Lemma 23: a power that falls",
    given=lambda: [x_1 >= x_2, x_2 >= 1],
)
def power_that_falls():
    """Power of a larger number, with a negative exponent."""
    return Le(x_1 ** Rational(-3, 2), x_2 ** Rational(-3, 2))


@claim(
    "note-lemma-23-power",
    place="Lemma 23: the power in the derivatives, for gamma up to R_n",
    given=lambda: [gamma_1 <= R],
    using=[("note-lemma-23-falls", lambda: {x_1: 1 + x**2 / gamma_1, x_2: 1 + x**2 / R})],
)
def power_for_a_larger_scale():
    """Power in the derivatives of the root of a Cauchy density, from above at the largest scale."""
    return Le(power_of(gamma_1), power_of(R))


@claim(
    "note-lemma-23-scale",
    place="Lemma 23: the powers of a scale from 1/R_n on",
    given=lambda: [gamma_1 * R >= 1],
    proof=lambda: [
        step("a small scale", Le(1 / gamma_1, R)),
        step(
            "its powers",
            [
                Le((1 / gamma_1) ** Rational(5, 4), R ** Rational(5, 4)),
                Le((1 / gamma_1) ** Rational(9, 4), R ** Rational(9, 4)),
            ],
        ),
    ],
)
def powers_of_a_small_scale():
    """Negative powers of a scale, from above at the smallest scale."""
    return [
        Le(gamma_1 ** Rational(-5, 4), R ** Rational(5, 4)),
        Le(gamma_1 ** Rational(-9, 4), R ** Rational(9, 4)),
    ]


@claim(
    "note-lemma-23-factor",
    place="Lemma 23: the factor of the derivative in gamma",
    given=lambda: [gamma_1 * R >= 1],
    using=["note-lemma-23-scale"],
    proof=lambda: [
        step("a power", Eq(gamma_1 ** Rational(-9, 4) * gamma_1, gamma_1 ** Rational(-5, 4))),
        step("either sign", Le(Abs(x**2 - gamma_1), x**2 + gamma_1)),
        step(
            "times the power",
            Le(
                gamma_1 ** Rational(-9, 4) * Abs(x**2 - gamma_1),
                gamma_1 ** Rational(-9, 4) * (x**2 + gamma_1),
            ),
        ),
        step(
            "of the square",
            Le(gamma_1 ** Rational(-9, 4) * x**2, R ** Rational(9, 4) * x**2),
        ),
    ],
)
def factor_of_the_derivative_in_the_scale():
    """Factor of the derivative in the scale of the root of a Cauchy density, from above."""
    return Le(
        gamma_1 ** Rational(-9, 4) * Abs(x**2 - gamma_1),
        R ** Rational(9, 4) * x**2 + R ** Rational(5, 4),
    )


@claim(
    "note-lemma-23-product",
    place="Lemma 23: products of bounds",
    given=lambda: [mass_0 <= x_1, mass_1 <= x_2],
)
def product_of_two_bounds():
    """Product of two numbers, by the product of their bounds."""
    return Le(mass_0 * mass_1, x_1 * x_2)


@claim(
    "note-lemma-23-theta",
    place="Lemma 23: the derivative in theta'w, over the size of y",
    given=lambda: [gamma_1 * R >= 1, gamma_1 <= R],
    using=[
        "note-lemma-23-power",
        "note-lemma-23-scale",
        (
            "note-lemma-23-product",
            lambda: {
                mass_0: gamma_1 ** Rational(-5, 4),
                x_1: R ** Rational(5, 4),
                mass_1: power_of(gamma_1),
                x_2: power_of(R),
            },
        ),
    ],
)
def derivative_in_the_location():
    """Derivative in the location of the root of a Cauchy density, by an envelope."""
    return Le(gamma_1 ** Rational(-5, 4) * power_of(gamma_1), R ** Rational(5, 4) * power_of(R))


@claim(
    "note-lemma-23-gamma",
    place="Lemma 23: the derivative in gamma, four times",
    given=lambda: [gamma_1 * R >= 1, gamma_1 <= R],
    using=[
        "note-lemma-23-power",
        "note-lemma-23-factor",
        (
            "note-lemma-23-product",
            lambda: {
                mass_0: gamma_1 ** Rational(-9, 4) * Abs(x**2 - gamma_1),
                x_1: R ** Rational(9, 4) * x**2 + R ** Rational(5, 4),
                mass_1: power_of(gamma_1),
                x_2: power_of(R),
            },
        ),
    ],
)
def derivative_in_the_scale():
    """Derivative in the scale of the root of a Cauchy density, by an envelope."""
    return Le(
        gamma_1 ** Rational(-9, 4) * Abs(x**2 - gamma_1) * power_of(gamma_1),
        (R ** Rational(9, 4) * x**2 + R ** Rational(5, 4)) * power_of(R),
    )


@claim(
    "lemma-23-corrected",
    place="Lemma 23 for the density that integrates to 1 and gamma from 1/R_n to R_n, as Lemma 24 has it: the "
    "derivatives of its root in theta'w and in gamma (note-lemma-23), without 1/sqrt(pi); x stands for y",
    corrects=["lemma-23"],
    time_limit=3,
    why="|gamma - gamma*| < R_n allows gamma far above R_n, and the power is bounded for gamma up to R_n only; "
    "the density is that of text-c.3-density-corrected.",
    given=lambda: [gamma_1 * R >= 1, gamma_1 <= R],
    using=["note-lemma-23-theta", "note-lemma-23-gamma"],
    scope="one covariate, and the two derivatives, from which the mean value theorem has the difference",
)
def derivatives_of_the_root_of_a_cauchy_density():
    """Derivatives of the root of a Cauchy density, by an envelope."""
    return [
        Le(
            gamma_1 ** Rational(-5, 4) * Abs(x) * power_of(gamma_1),
            R ** Rational(5, 4) * Abs(x) * power_of(R),
        ),
        Le(
            gamma_1 ** Rational(-9, 4) / 4 * Abs(x**2 - gamma_1) * power_of(gamma_1),
            (R ** Rational(9, 4) * x**2 + R ** Rational(5, 4)) / 4 * power_of(R),
        ),
    ]


def power_of(at):
    """The power of 1 + y**2/gamma in the derivatives."""
    return (1 + x**2 / at) ** Rational(-3, 2)


@claim(
    "lemma-24",
    place="Lemma 24 with d = w = 1 and vartheta = theta* = 0, so M_n = R_n: the part of the integral "
    "from -r to r, where the power is 1",
    given=lambda: [r <= R],
    try_at=[{R: 1, r: 1}],
    fault="boundary",
    effect="Only the logarithm of the norm counts; lemma-24-corrected (supported) has the order in M_n.",
)
def norm_of_the_envelope_of_cauchy_regression():
    """Squared norm of the envelope of Cauchy regression, as printed."""
    inner = ((x + R) + Rational(1, 4) + R * (x + R) ** 2) ** 2
    return Le(2 / pi * R ** Rational(3, 2) * Integral(inner, (x, 0, r)), R**9)


root_radius = symbol(
    "s_R", at_least=1, meaning="root of the radius R_n of the sieve, which is at least 1"
)


def cube_of(at):
    """The third power in the squared envelope of Lemma 24."""
    return (1 + at**2 / root_radius**2) ** (-3)


@claim(
    "note-lemma-24",
    place="Lemma 24, the integrals of its proof, k = 0 to 4: primitives by u = 1 + x**2/R_n for the odd ones, with an arc "
    "tangent for the even ones; from 0 on they grow by s_R**2/4 and s_R**4/4, and by 3 pi s_R/16, pi s_R**3/16 and 3 pi s_R**5/16",
)
def primitives_of_the_moments():
    """Primitives of the powers of a record times the third power of the kernel."""
    s = root_radius
    odd = -(s**2) / 4 * (1 + x**2 / s**2) ** (-2)
    return [
        Eq(derivative(odd, x), x * cube_of(x)),
        Eq(
            derivative(
                -(s**4) / 4 * (2 * (1 + x**2 / s**2) ** (-1) - (1 + x**2 / s**2) ** (-2)), x
            ),
            x**3 * cube_of(x),
        ),
        *(
            Eq(Integral(x**order * cube_of(x), (x, 0, r)), found)
            for order, found in zip((0, 2, 4), even_moments(), strict=True)
        ),
    ]


def even_moments():
    """Moments of even orders from 0 to r."""
    s, at = root_radius, r / root_radius
    below = (1 + at**2) ** 2
    return (
        s * (3 * atan(at) / 8 + at * (5 + 3 * at**2) / (8 * below)),
        s**3 * (atan(at) / 8 + at * (at**2 - 1) / (8 * below)),
        s**5 * (3 * atan(at) / 8 - at * (3 + 5 * at**2) / (8 * below)),
    )


def moments_beyond():
    """The moments of note-lemma-24 from 0 on, by the radius of the sieve."""
    return (
        3 * pi / 16 * sqrt(R),
        R / 4,
        pi / 16 * R * sqrt(R),
        R**2 / 4,
        3 * pi / 16 * R**2 * sqrt(R),
    )


def by_coefficients(first, second):
    """Integral beyond the ball, by the coefficients of the bracket in the distance from it."""
    factors = (
        first**2,
        2 * first * second,
        second**2 + 2 * first * R,
        2 * second * R,
        R**2,
    )
    return sum(factor * value for factor, value in zip(factors, moments_beyond(), strict=True))


@claim(
    "note-lemma-24-sum",
    place="used by lemma-24-corrected: q_0 and q_1 are the first two coefficients of the bracket",
    given=lambda: [mass_0 <= Rational(25, 4) * R**3, mass_1 <= 5 * R**2],
    proof=lambda: [
        step("a root", Le(sqrt(R), R)),
        step(
            "moments",
            [
                Le(moments_beyond()[0], Rational(3, 5) * R),
                Le(moments_beyond()[2], R**2 / 5),
                Le(moments_beyond()[4], Rational(3, 5) * R**3),
            ],
        ),
        step(
            "products",
            [
                Le(mass_0**2, Rational(625, 16) * R**6),
                Le(2 * mass_0 * mass_1, Rational(125, 2) * R**5),
                Le(mass_1**2 + 2 * mass_0 * R, Rational(75, 2) * R**4),
                Le(2 * mass_1 * R, 10 * R**3),
            ],
        ),
        step(
            "terms",
            [
                Le(mass_0**2 * moments_beyond()[0], Rational(375, 16) * R**7),
                Le(2 * mass_0 * mass_1 * moments_beyond()[1], Rational(125, 8) * R**6),
                Le((mass_1**2 + 2 * mass_0 * R) * moments_beyond()[2], Rational(15, 2) * R**6),
                Le(2 * mass_1 * R * moments_beyond()[3], Rational(5, 2) * R**5),
                Le(R**2 * moments_beyond()[4], Rational(3, 5) * R**5),
            ],
        ),
    ],
)
def integral_beyond_by_bounds_on_coefficients():
    """Integral beyond the ball, from bounds on the coefficients of the bracket."""
    return Le(by_coefficients(mass_0, mass_1), 50 * R**7)


def bracket_of(at):
    """The bracket of Lemma 24 at a record, over R_n**(3/4)."""
    return at + R + Rational(1, 4) + R * (at + R) ** 2


@claim(
    "note-lemma-24-within",
    place="used by lemma-24-corrected: the part of the integral within the ball",
    given=lambda: [r <= R],
)
def integral_within_the_ball():
    """Integral within the ball in Lemma 24."""
    return Le(Integral(bracket_of(x) ** 2, (x, 0, r)), 19 * R**7)


@claim(
    "lemma-24-corrected",
    place="Lemma 24 with d = w = 1 and vartheta = theta* = 0, so M_n = R_n, with a factor: the parts of the integral within "
    "the ball and beyond, the latter in closed form by note-lemma-24, s_R = sqrt(R_n)",
    corrects=["lemma-24"],
    why="The bounds of the proof drop the factors of the single integrals, which add up to 43 at R_n = r = 1.",
    scope="d = w = 1, vartheta = theta* = 0, and R_n of at least 1; from the closed forms of the integrals beyond the ball, "
    "whose primitives note-lemma-24 has",
    given=lambda: [r <= R],
    using=[
        "note-lemma-24-within",
        (
            "note-lemma-24-sum",
            lambda: {mass_0: bracket_of(r), mass_1: 1 + 2 * R * (r + R)},
        ),
    ],
    proof=lambda: [
        step("the distance", [Le(r + R, 2 * R), Le((r + R) ** 2, 4 * R**2)]),
        step(
            "the coefficients",
            [
                Le(bracket_of(r), Rational(25, 4) * R**3),
                Le(1 + 2 * R * (r + R), 5 * R**2),
            ],
        ),
        step("beyond", Le(by_coefficients(bracket_of(r), 1 + 2 * R * (r + R)), 50 * R**7)),
        step("a power", Le(R * sqrt(R), R**2)),
        step("a constant", Le(138 / pi, 45)),
        step("both", Le(norm_in_parts(), 2 / pi * (R * sqrt(R)) * (69 * R**7))),
        step("together", Le(2 / pi * (R * sqrt(R)) * (69 * R**7), 138 / pi * R**9)),
    ],
)
def norm_of_the_envelope_of_cauchy_regression_with_a_factor():
    """Squared norm of the envelope of Cauchy regression, up to a factor."""
    return Le(norm_in_parts(), 45 * R**9)


def norm_in_parts():
    """Squared norm of the envelope, by the parts of the integral."""
    within = Integral(bracket_of(x) ** 2, (x, 0, r))
    beyond = by_coefficients(bracket_of(r), 1 + 2 * R * (r + R))
    return 2 / pi * (R * sqrt(R)) * (within + beyond)


@claim(
    "lemma-25",
    place="Lemma 25 for two covariates (1, 1) and gamma = 1, from below by the total variation: with "
    "any C the distance is above 0 away from theta*, so the two distributions differ",
    given=apart,
    try_at=[{Delta_1: "1/1000", Delta_2: "-1/1000"}],
    fault="error",
    effect="As for lemma-21, for a known gamma.",
)
def distance_of_cauchy_regressions_in_two_dimensions():
    """Total variation of two Cauchy regressions with two covariates, as printed."""
    return Gt(2 / pi * atan(Abs(along()) / 2), 0)


@claim(
    "lemma-25.display",
    place="Lemma 25, the display of its proof: the factor of gamma - gamma* in the bracket, from the gradient that it quotes from Lemma 23; "
    "gamma stands for xi, and x for y",
    cites=["lemma-23.gradient"],
    without={"lemma-23.gradient": "the derivative is taken anew"},
    try_at=[{gamma_1: 1, x: 1}],
    fault="misprint",
    effect="None: the proof goes on with any positive factor.",
)
def factor_of_the_scale_as_printed():
    """Derivative in gamma of the root of the printed Cauchy density, by the bracket, as printed."""
    bracket = 1 / (4 * gamma_1) + 3 * x**2 / gamma_1**2
    return Eq(derivative(printed_root(x), gamma_1), gamma_1 ** Rational(1, 4) * core(x) * bracket)


@claim(
    "lemma-25.display-corrected",
    place="Lemma 25, the display of its proof, repaired",
    corrects=["lemma-25.display"],
    why="The gradient of Lemma 23 has gamma + 3 y**2 over 4 gamma**2, so the second term is 3 y**2/(4 xi**2).",
)
def factor_of_the_scale():
    """Derivative in gamma of the root of the printed Cauchy density, by the bracket."""
    bracket = 1 / (4 * gamma_1) + 3 * x**2 / (4 * gamma_1**2)
    return Eq(derivative(printed_root(x), gamma_1), gamma_1 ** Rational(1, 4) * core(x) * bracket)


@claim(
    "note-lemma-25",
    place="Lemma 25: the total variation of two Cauchy distributions Delta apart is the mass within Delta/2",
)
def variation_of_cauchy_distributions():
    """Total variation of two Cauchy distributions."""
    return Eq(Integral(cauchy(x), (x, -gap / 2, gap / 2)), 2 / pi * atan(gap / 2))


def half_squared_variation(away):
    """Half of the squared total variation of two Cauchy distributions, by note-lemma-25."""
    return (2 / pi * atan(Abs(away) / (2 * sigma))) ** 2 / 2


@claim(
    "note-lemma-25-one",
    place="Lemma 25 at one vector of covariates, as far as two widths",
    given=lambda: [Abs(shift) <= 2 * sigma],
)
def variation_of_cauchy_regressions():
    """Total variation of two Cauchy regressions at one vector of covariates, from below."""
    return Ge(2 / pi * atan(Abs(shift) / (2 * sigma)), Abs(shift) / (4 * sigma))


@claim(
    "note-lemma-25-squared",
    place="Lemma 25 at one vector of covariates: half of the squared total variation",
    given=lambda: [Abs(shift) <= 2 * sigma],
    using=["note-lemma-25-one"],
    proof=lambda: [
        step(
            "squared",
            Ge((2 / pi * atan(Abs(shift) / (2 * sigma))) ** 2, (Abs(shift) / (4 * sigma)) ** 2),
        ),
    ],
)
def squared_variation_of_cauchy_regressions():
    """Half of the squared total variation of two Cauchy regressions, from below."""
    return Ge(half_squared_variation(shift), shift**2 / (32 * sigma**2))


@claim(
    "lemma-25-corrected",
    place=f"Lemma 25 for half of the squared total variation averaged over the covariates, {COVARIATES}; gamma = sigma**2 is known",
    corrects=["lemma-25"],
    why="For one fixed w the distribution depends on theta'w only, as in Lemma 21.",
    given=lambda: vary(half_squared_variation, 2 * sigma),
    using=[("note-lemma-25-squared", lambda: {shift: change(y_2)})],
    proof=lambda: averaged_over_covariates(half_squared_variation, 1 / (32 * sigma**2)),
    scope="a known gamma, parameters for which no theta'w changes by more than two widths, and the total variation; that the "
    "squared Hellinger distance is at least half of its square is on paper only",
)
def distance_of_cauchy_regressions():
    """Half of the squared total variation of two Cauchy regressions, averaged over the covariates."""
    return Ge(
        on_average(half_squared_variation(change(y_2))), least_spread * size**2 / (32 * sigma**2)
    )


@claim(
    "text-c.3-quarter",
    place="Appendix C.3: kappa > 1/4 is enough for the radius, with q = 8 and kappa = 3/10; the number "
    "of records is n**20, and 4 c_1 = 1/3",
    fault="error",
    effect="None: kappa > (q - 2)/(2q), as in the other sections, is possible for every q.",
)
def radius_for_cauchy_regression_as_printed():
    """Radius of the sieve for Cauchy regression, as printed."""
    return Eventually(n, 3 * n**12 >= n**15)


@claim(
    "text-c.3-quarter-corrected",
    place="Appendix C.3: with the radius n**kappa, kappa = (q - 2)/(2q) + u and u > 0, the condition R_n**2 >= 4 c_1 n "
    "phi_n**2 holds from an n on, in logarithms, for every q above 4",
    corrects=["text-c.3-quarter"],
    why="1/4 is what (q - 2)/(2q) is for q = 4; for larger q it is more.",
    given=lambda: [log(n) >= log(4 * c_1) / (2 * u)],
    using=["text-c-radius"],
)
def radius_for_cauchy_regression():
    """Radius of the sieve for Cauchy regression."""
    kappa = (q - 2) / (2 * q) + u
    return Ge(2 * kappa * log(n), log(4 * c_1) + (1 - 2 / q) * log(n))


# --- C.4: quantile regression ---------------------------------------------------------------------


@claim("text-c.4-density", place="Appendix C.4, the likelihood integrates to 1; s is theta'w")
def asymmetric_laplace_integrates_to_one():
    """Integral of the likelihood of quantile regression."""
    below = Integral(exp((1 - quantile) * (x - shift)), (x, -oo, shift))
    above = Integral(exp(-quantile * (x - shift)), (x, shift, oo))
    return Eq(quantile * (1 - quantile) * (below + above), 1)


def steepest():
    """Return the difference of the roots of two likelihoods, at the quantile under theta."""
    return sqrt(quantile * (1 - quantile)) * (1 - exp(-quantile * gap / 2))


@claim(
    "lemma-26",
    place="Lemma 26 with w = (1, ..., 1) and theta - vartheta = Delta/d (1, ..., 1), at the record x = "
    "theta'w, where the minimum over the ball is 0",
    try_at=[{quantile: "3/4", gap: "1/100", d: 16}],
    fault="misprint",
    effect="None: the text before it and its proof have the factor d.",
)
def envelope_of_quantile_regression_as_printed():
    """Envelope of quantile regression, as printed."""
    return Le(steepest(), sqrt(d) / 2 * (gap / d))


@claim(
    "lemma-26-corrected",
    place="Lemma 26, with the factor of its proof, for the same covariates and record",
    corrects=["lemma-26"],
    why="The lemma's display has lost the factor d of its proof.",
    proof=lambda: [
        step("an exponential", Le(1 - exp(-quantile * gap / 2), quantile * gap / 2)),
        step("a root", Le(sqrt(quantile * (1 - quantile)), Rational(1, 2))),
    ],
    scope="the record at the quantile, and changes along (1, ..., 1)",
)
def envelope_of_quantile_regression():
    """Envelope of quantile regression."""
    return Le(steepest(), d * sqrt(d) / 2 * (gap / d))


def root_of_likelihood(slope, value=theta):
    """Root of the likelihood of quantile regression, where its loss has one slope in the residual."""
    return sqrt(quantile * (1 - quantile)) * exp(-slope / 2 * (x - value))


@claim(
    "lemma-26.gradient",
    place="Lemma 26, its proof, the first line of the gradient, for one covariate w = 1; theta is theta'w",
    given=[x < theta],
    try_at=[{quantile: "1/2", x: 0, theta: 1}],
    fault="misprint",
    effect="None: the bound after it has the factor 1/2, which both lines have lost.",
)
def gradient_below_as_printed():
    """Derivative of the root of the likelihood where the record is below theta'w, as printed."""
    slope = quantile - 1
    return Eq(
        derivative(root_of_likelihood(slope), theta),
        -sqrt(quantile * (1 - quantile)) * (1 - quantile) * exp(-slope / 2 * (x - theta)),
    )


@claim(
    "lemma-26.sign",
    place="Lemma 26, its proof, the second line of the gradient with the factor 1/2, for one covariate w = 1; theta is theta'w",
    given=[x > theta],
    try_at=[{quantile: "1/2", x: 1, theta: 0}],
    fault="misprint",
    effect="None: the bound after it is about the absolute value.",
)
def gradient_above_as_printed():
    """Derivative of the root of the likelihood where the record is above theta'w, as printed."""
    return Eq(
        derivative(root_of_likelihood(quantile), theta),
        -sqrt(quantile * (1 - quantile)) * (quantile / 2) * exp(-quantile / 2 * (x - theta)),
    )


@claim(
    "lemma-26.gradient-corrected",
    place="Lemma 26, its proof, both lines of the gradient, in an entry theta of the parameter, whose covariate is w_i, where the other entries add s to theta'w",
    corrects=["lemma-26.gradient", "lemma-26.sign"],
    why="The root halves the exponent, so both lines have a factor 1/2; and above theta'w the root increases in theta'w, so the second has no minus.",
)
def gradient_of_the_root():
    """Derivatives of the root of the likelihood of quantile regression, in an entry of the parameter."""
    root, at_w = sqrt(quantile * (1 - quantile)), theta * one_covariate + shift
    below = -root * ((1 - quantile) / 2) * exp(-(quantile - 1) / 2 * (x - at_w)) * one_covariate
    above = root * (quantile / 2) * exp(-quantile / 2 * (x - at_w)) * one_covariate
    return [
        Eq(derivative(root_of_likelihood(quantile - 1, at_w), theta), below),
        Eq(derivative(root_of_likelihood(quantile, at_w), theta), above),
    ]


largest = symbol(
    "tau_2", at_least=Rational(1, 2), below=1, meaning="the larger of tau and 1 - tau, tau*"
)


@claim(
    "lemma-27",
    place="Lemma 27: the three parts of the integral, where s is vartheta'w; and a bound without the radius of the "
    "sieve, by ||w||_2 <= sqrt(d), as no entry of w exceeds 1",
    scope="from the value that the minimum over the ball has at each record, and a norm of w of at most sqrt(d), which are put in",
    given=lambda: [width <= sqrt(d)],
    proof=lambda: [
        step(
            "the parts",
            [
                Eq(Integral(exp(-(1 - largest) * (low_end() - x)), (x, -oo, low_end())), beyond()),
                Eq(Integral(1, (x, low_end(), high_end())), 2 * r * width),
                Eq(Integral(exp(-(1 - largest) * (x - high_end())), (x, high_end(), oo)), beyond()),
            ],
        ),
        step("the covariates", [Le(width**2, d), Le(width**3, d * sqrt(d))]),
    ],
)
def norm_of_the_envelope_of_quantile_regression():
    """Squared norm of the envelope of quantile regression."""
    parts = (
        Integral(exp(-(1 - largest) * (low_end() - x)), (x, -oo, low_end()))
        + Integral(1, (x, low_end(), high_end()))
        + Integral(exp(-(1 - largest) * (x - high_end())), (x, high_end(), oo))
    )
    found = d**2 / (2 * (1 - largest)) * width**2 + d**2 * r / 2 * width**3
    return [
        Eq(d**2 / 4 * width**2 * parts, found),
        Le(found, d**2 / (2 * (1 - largest)) * d + d**2 * r / 2 * (d * sqrt(d))),
    ]


def low_end():
    """The end u_- of the middle part."""
    return shift - r * width


def high_end():
    """The end u_+ of the middle part."""
    return shift + r * width


def beyond():
    """The integral beyond an end."""
    return 1 / (1 - largest)


def laplace_distance(away):
    """Squared Hellinger distance of two Laplace distributions of scale 2, tau = 1/2."""
    return 1 - (1 + away / 4) * exp(-away / 4)


@claim(
    "lemma-28",
    place="Lemma 28 for two covariates (1, 1) and the median, tau = 1/2: with any C the distance is "
    "above 0 away from theta*; a closed form, by note-lemma-28",
    given=apart,
    try_at=[{Delta_1: "1/1000", Delta_2: "-1/1000"}],
    fault="error",
    effect="As for lemma-21, for the median.",
)
def distance_of_quantile_regressions_in_two_dimensions():
    """Squared Hellinger distance of two median regressions with two covariates, as printed."""
    return Gt(laplace_distance(Abs(along())), 0)


def before_the_true_one():
    """Squared difference of the roots at a record between theta'w, put at 0, and theta*'w, at Delta."""
    difference = exp(-quantile * x / 2) - exp(-(1 - quantile) * (gap - x) / 2)
    return quantile * (1 - quantile) * difference**2


def beyond_the_true_one():
    """Squared difference of the roots at a record beyond both."""
    difference = exp(-quantile * x / 2) - exp(-quantile * (x - gap) / 2)
    return quantile * (1 - quantile) * difference**2


@claim(
    "lemma-28.ii",
    place="Lemma 28, its proof, case (ii): the integral from theta'w on, theta'w = 0 and theta*'w = Delta. The last line has an exponential that is at "
    "most 1, as varphi_2 lies between theta and theta*, and here it is 1",
    try_at=[{quantile: "1/4", gap: 1}],
    fault="misprint",
    effect="None: the case is about x from theta*'w on, and so is the formula (lemma-28.ii-corrected).",
)
def integral_of_case_ii_as_printed():
    """Integral of the squared difference of the roots from theta'w on, as printed."""
    between = Integral(before_the_true_one(), (x, 0, gap))
    beyond_both = Integral(beyond_the_true_one(), (x, gap, oo))
    return Le(between + beyond_both, quantile**2 * (1 - quantile) / 4 * gap**2)


@claim(
    "lemma-28.ii-corrected",
    place="Lemma 28, its proof, case (ii), from theta*'w on; between the two bounds, with exp(-tau Delta) and with 1, the exponential in print has some varphi_2",
    corrects=["lemma-28.ii"],
    why="The lower limit is theta*'w: between the two the derivative has the other form.",
    proof=lambda: [
        step(
            "the integral",
            Eq(
                Integral(beyond_the_true_one(), (x, gap, oo)),
                (1 - quantile) * (1 - exp(-quantile * gap / 2)) ** 2,
            ),
        ),
        step(
            "the tangents",
            [
                Le(1 - exp(-quantile * gap / 2), quantile * gap / 2),
                Ge(1 - exp(-quantile * gap / 2), 0),
                Ge(exp(quantile * gap / 2), 1 + quantile * gap / 2),
            ],
        ),
        step(
            "from below",
            Ge(
                1 - exp(-quantile * gap / 2),
                quantile * gap / 2 * exp(-quantile * gap / 2),
            ),
        ),
        step(
            "squares",
            [
                Le((1 - exp(-quantile * gap / 2)) ** 2, (quantile * gap / 2) ** 2),
                Ge(
                    (1 - exp(-quantile * gap / 2)) ** 2,
                    (quantile * gap / 2 * exp(-quantile * gap / 2)) ** 2,
                ),
            ],
        ),
    ],
)
def integral_of_case_ii():
    """Integral of the squared difference of the roots from theta*'w on, repaired."""
    found = Integral(beyond_the_true_one(), (x, gap, oo))
    most = quantile**2 * (1 - quantile) / 4 * gap**2
    return [Le(found, most), Ge(found, most * exp(-quantile * gap))]


@claim("note-lemma-28", place="Lemma 28, tau = 1/2: the affinity of two likelihoods Delta apart")
def affinity_of_median_regressions():
    """Hellinger affinity of two likelihoods of median regression."""
    product = exp(-(Abs(x) + Abs(x - gap)) / 4) / 4
    return Eq(Integral(product, (x, -oo, oo)), (1 + gap / 4) * exp(-gap / 4))


@claim(
    "note-lemma-28-one",
    place="Lemma 28 at one vector of covariates, tau = 1/2, q_0 is the change of theta'w",
    given=lambda: [mass_0 <= 1],
    proof=lambda: [
        step(
            "the series of exp",
            Ge(exp(mass_0 / 4), 1 + mass_0 / 4 + mass_0**2 / 32 + mass_0**3 / 384),
        ),
        step(
            "a polynomial",
            Ge(
                (1 - mass_0**2 / 40) * (1 + mass_0 / 4 + mass_0**2 / 32 + mass_0**3 / 384),
                1 + mass_0 / 4,
            ),
        ),
        step("so", Ge((1 - mass_0**2 / 40) * exp(mass_0 / 4), 1 + mass_0 / 4)),
        step("the inverse", Eq(exp(mass_0 / 4) * exp(-mass_0 / 4), 1)),
        step(
            "times the inverse",
            Ge(
                (1 - mass_0**2 / 40) * exp(mass_0 / 4) * exp(-mass_0 / 4),
                (1 + mass_0 / 4) * exp(-mass_0 / 4),
            ),
        ),
        step("written shorter", Ge(1 - mass_0**2 / 40, (1 + mass_0 / 4) * exp(-mass_0 / 4))),
    ],
)
def distance_of_two_quantile_regressions():
    """Squared Hellinger distance of two median regressions at one vector of covariates, from below."""
    return Ge(laplace_distance(mass_0), mass_0**2 / 40)


def distance_at_the_median(away):
    """Squared Hellinger distance of two median regressions."""
    return laplace_distance(Abs(away))


@claim(
    "lemma-28-corrected",
    place=f"Lemma 28 for the squared distance averaged over the covariates, {COVARIATES}; tau = 1/2",
    corrects=["lemma-28"],
    why="For one fixed w the distribution depends on theta'w only, as in Lemma 21.",
    given=lambda: vary(distance_at_the_median, 1),
    using=[("note-lemma-28-one", lambda: {mass_0: Abs(change(y_2))}), "note-lemma-28"],
    proof=lambda: averaged_over_covariates(distance_at_the_median, Rational(1, 40)),
    scope="the median, and parameters for which no theta'w changes by more than 1",
)
def distance_of_quantile_regressions():
    """Squared Hellinger distance of two median regressions, averaged over the covariates."""
    return Ge(on_average(distance_at_the_median(change(y_2))), least_spread * size**2 / 40)


@claim(
    "text-c.4-six",
    place="Appendix C.4: for q = 6 any kappa > 1/6 is enough, as kappa = 1/5; the number of records is "
    "n**15, and 4 c_1 = 1/3",
    fault="misprint",
    effect="None: the formula beside it, (q - 2)/(2q), is right, and gives 1/3.",
)
def radius_for_quantile_regression_as_printed():
    """Radius of the sieve for q = 6, as printed."""
    return Eventually(n, 3 * n**6 >= n**10)


@claim(
    "text-c.4-six-corrected",
    place="Appendix C.4 for q = 6: with the radius n**kappa, kappa = 1/3 + u and u > 0, the condition R_n**2 >= 4 c_1 n "
    "phi_n**2 holds from an n on, in logarithms",
    corrects=["text-c.4-six"],
    why="(q - 2)/(2q) is 1/3 for q = 6.",
    given=lambda: [log(n) >= log(4 * c_1) / (2 * u)],
)
def radius_for_quantile_regression():
    """Radius of the sieve for q = 6."""
    return Ge(2 * (Rational(1, 3) + u) * log(n), log(4 * c_1) + Rational(2, 3) * log(n))
