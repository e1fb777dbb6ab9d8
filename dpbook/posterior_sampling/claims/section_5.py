"""Section 5: conjugate families and the rates of assumption 2 that their priors have."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Integral,
    Le,
    Lt,
    Ne,
    Piecewise,
    Rational,
    Sum,
    beta,
    betainc,
    binomial,
    cosh,
    exp,
    log,
    oo,
    pi,
    sqrt,
)

from dpbook import Exists, claim, step
from dpbook.posterior_sampling.any_models import Free, Likelihood, Listed
from dpbook.posterior_sampling.notation import (
    L,
    alpha,
    base_x,
    beta_rate,
    c,
    child_0,
    child_1,
    eta,
    factor,
    inner,
    inverse,
    last,
    level,
    log_odds,
    more_log_odds,
    mu,
    n,
    nearer,
    p_x,
    parameter,
    prior_mass,
    q_x,
    rate,
    rho,
    root,
    scale,
    sigma,
    smallest,
    statistic_x,
    statistic_y,
    variable,
    whole_alpha,
    x,
    y,
)
from dpbook.privacy.distributions import Exponential, Gamma, Normal

# --- exponential families -------------------------------------------------------------------------


BASE, STATISTIC = Likelihood("h"), Listed("T", 1, last)  # of a record; each statistic of it
NATURAL, LOG_PARTITION = Listed("eta", 1, last), Free("A")  # of the parameter


def exponential_family(record):
    """Likelihood of an exponential family at the parameter, for any number of statistics."""
    product = Sum(NATURAL(parameter, variable) * STATISTIC(record, variable), (variable, 0, last))
    return BASE(record) * exp(product - LOG_PARTITION(parameter))


@claim(
    "text-5-families",
    place="Section 5, exponential families: for any base measure, natural parameter and statistics, of which "
    "there are K_0 + 1, the side that eq. 2.5 compares with L rho(x, y)",
    proof=lambda: [
        step(
            "the difference of two products",
            Eq(
                Sum(
                    NATURAL(parameter, variable)
                    * (STATISTIC(x, variable) - STATISTIC(y, variable)),
                    (variable, 0, last),
                ),
                Sum(NATURAL(parameter, variable) * STATISTIC(x, variable), (variable, 0, last))
                - Sum(NATURAL(parameter, variable) * STATISTIC(y, variable), (variable, 0, last)),
            ),
        ),
        step(
            "without the absolute value",
            Eq(log(exponential_family(x) / exponential_family(y)), log_ratio_by_statistics()),
        ),
    ],
)
def log_ratio_of_an_exponential_family():
    """Absolute log likelihood ratio of an exponential family."""
    return Eq(
        Abs(log(exponential_family(x) / exponential_family(y))), Abs(log_ratio_by_statistics())
    )


def log_ratio_by_statistics():
    """Log likelihood ratio of an exponential family, by its statistics."""
    differences = Sum(
        NATURAL(parameter, variable) * (STATISTIC(x, variable) - STATISTIC(y, variable)),
        (variable, 0, last),
    )
    return log(BASE(x) / BASE(y)) + differences


@claim(
    "text-5-scalar",
    place="Section 5, constant base measure and scalar statistic",
    given=lambda: [Ne(eta, 0), Abs(eta * (statistic_x - statistic_y)) <= L * rho],
    try_at=[{eta: -1, statistic_x: 1, statistic_y: 0, L: 1, rho: 1}],
    fault="misprint",
    effect="The natural parameter of the exponential and Laplace families is negative, and that "
    "of the Bernoulli family can be; Lemmas 3 to 5 go on with its absolute value.",
)
def scalar_condition_as_printed():
    """Lipschitz condition on a scalar statistic, as printed."""
    return Le(Abs(statistic_x - statistic_y) / rho, L / eta)


@claim(
    "text-5-scalar-corrected",
    place="Section 5, constant base measure and scalar statistic, repaired",
    corrects=["text-5-scalar"],
    why="A condition on an absolute value is divided by the absolute value of the parameter.",
    given=lambda: [Ne(eta, 0), Abs(eta * (statistic_x - statistic_y)) <= L * rho],
)
def scalar_condition():
    """Lipschitz condition on a scalar statistic, repaired."""
    return Le(Abs(statistic_x - statistic_y) / rho, L / Abs(eta))


@claim(
    "note-base-measure",
    place="eq. 2.2: dividing the likelihood of x by h(x) changes the assumptions and not the "
    "posterior",
)
def posterior_and_base_measure():
    """Posterior under a likelihood divided by a base measure."""
    rest = q_x / base_x
    return Eq(
        (p_x / base_x) * prior_mass / ((p_x / base_x) * prior_mass + rest * (1 - prior_mass)),
        p_x * prior_mass / (p_x * prior_mass + q_x * (1 - prior_mass)),
    )


# --- exponential and Laplace ----------------------------------------------------------------------


@claim(
    "lemma-3",
    place="Lemma 3: a rate tau of at most L has a Lipschitz constant of at most L under the metric |x - y|, and the prior "
    "probability of these rates. The densities are those of records that are not negative",
    given=[inverse <= L],
    using=[("text-c-lemma-3", lambda: {rate: inverse})],
)
def rate_of_an_exponential_prior():
    """Exponential family at the rates of a small constant, and their prior probability."""
    first, second = Exponential(inverse).density(x), Exponential(inverse).density(y)
    mass = Integral(Exponential(rate).density(inner), (inner, 0, L))
    return [Le(Abs(log(first / second)), L * Abs(x - y)), Ge(mass, 1 - exp(-rate * L))]


@claim(
    "note-lemma-3-gamma",
    place="Lemma 3 for a gamma prior of shape 2: no rate c will do, as there is too little mass "
    "near 0",
)
def gamma_prior_without_a_rate():
    """Prior probability of a small Lipschitz constant under a gamma prior of shape 2."""
    mass = Integral(Gamma(2, rate).density(inner), (inner, 0, L))
    return Exists(Lt(mass, 1 - exp(-c * L)), {L: c / (rate**2 + c**2)})


@claim(
    "lemma-4",
    place="Lemma 4 and its proof: the parameters of constant at most L are those of scale s >= L",
    given=[scale >= L],
    fault="misprint",
    effect="The proof goes on with an exponential prior on 1 / s, as if the lemma said s >= 1 / L; "
    "the rate c = lambda survives.",
)
def scales_of_a_small_constant_as_printed():
    """Laplace family at the scales that Lemma 4 allows, as printed."""
    return Le(Abs(Abs(x - mu) - Abs(y - mu)) / scale, L * Abs(x - y))


@claim(
    "lemma-4-corrected",
    place="Lemma 4, repaired, for any prior on mu: the scales s >= 1 / L, and the prior "
    "probability of 1 / s <= L",
    corrects=["lemma-4"],
    why="The constant is 1 / s, which is at most L where s is at least 1 / L. No distribution called "
    "Laplace(mu, s, lambda) is defined; meant is any distribution of mu, and Exp(lambda) for 1 / s.",
    given=[scale >= 1 / L],
)
def rate_of_a_laplace_prior():
    """Laplace family at the scales of a small constant, and their prior probability, repaired."""
    mass = Integral(Exponential(rate).density(inverse), (inverse, 0, L))
    return [
        Le(Abs(Abs(x - mu) - Abs(y - mu)) / scale, L * Abs(x - y)),
        Ge(mass, 1 - exp(-rate * L)),
    ]


# --- binomial -------------------------------------------------------------------------------------


def interval_end():
    """Lower end of the parameters of constant at most L, for a binomial of size n."""
    return 1 / (1 + exp(L) / n)


def mass_of_the_interval():
    """Prior probability of a Lipschitz constant of at most L, binomial family."""
    inside = betainc(alpha, alpha, interval_end(), 1 - interval_end()) / beta(alpha, alpha)
    return Piecewise((inside, Ge(L, log(n))), (0, True))


@claim(
    "lemma-5",
    place="Lemma 5, for n >= 2 and L below ln n, where the set of eq. 2.5 is empty by eq. C.1: "
    "there is a rate c",
    cites=["eq-c.1"],
    given=lambda: [n >= 2, alpha > 1, log(n) > L],
    fault="error",
    effect="With a base measure that takes the binomial coefficient away, or for Bernoulli "
    "records, there is a rate: for alpha = 1 and 2 it is proved (lemma-5-corrected-uniform, "
    "lemma-5-corrected-two), for every alpha lemma-5-corrected says so, as far as it is supported.",
)
def rate_of_a_beta_prior_as_printed():
    """Rate of assumption 2 for the binomial family, as printed."""
    return Exists(Ge(mass_of_the_interval(), 1 - exp(-c * L)), {c: alpha})


@claim(
    "lemma-5-corrected",
    place="Lemma 5, repaired: for Bernoulli records or a base measure without binomial "
    "coefficients, with z_0 = 1 / (1 + exp(L))",
    corrects=["lemma-5"],
    why="Under the counting measure every constant is at least ln n, so assumption 2 fails below "
    "it. Without the coefficients the constant is |ln(theta / (1 - theta))|.",
    scope="alpha = 1 and alpha = 2 (lemma-5-corrected-uniform, lemma-5-corrected-two); for all "
    "alpha the step that makes 0 the worst L (note-log-odds)",
    time_limit=5,
)
def rate_of_a_beta_prior():
    """Rate of assumption 2 for Bernoulli records under a symmetric beta prior, repaired."""
    outside = 1 - betainc(alpha, alpha, nearer, 1 - nearer) / beta(alpha, alpha)
    return Le(outside, exp(beta_rate * log(nearer / (1 - nearer))))


@claim("lemma-5-corrected-uniform", place="Lemma 5, repaired, for a uniform prior: c = 1/2")
def rate_of_a_uniform_prior():
    """Rate of assumption 2 for Bernoulli records under a uniform prior."""
    return Le(1 - Integral(1, (inner, nearer, 1 - nearer)), sqrt(nearer / (1 - nearer)))


@claim("lemma-5-corrected-two", place="Lemma 5, repaired, for alpha = 2: c = 3/4")
def rate_of_a_quadratic_prior():
    """Rate of assumption 2 for Bernoulli records under a beta prior with alpha = 2."""
    mass = Integral(6 * inner * (1 - inner), (inner, nearer, 1 - nearer))
    return Le(1 - mass, (nearer / (1 - nearer)) ** Rational(3, 4))


def log_density(at):
    """Return the log density of absolute log odds under a symmetric beta, less its value at 0."""
    return -2 * alpha * log(cosh(at / 2))


@claim(
    "note-log-odds",
    place="Lemma 5, repaired: beyond o_1 the absolute log odds fall at least as fast as from 0, "
    "so the least rate is that at 0, which is c_alpha",
    proof=lambda: [
        step(
            "products of hyperbolic cosines",
            Le(
                log(cosh(log_odds / 2)) + log(cosh(more_log_odds / 2)),
                log(cosh((log_odds + more_log_odds) / 2)),
            ),
        ),
    ],
)
def density_of_the_log_odds():
    """Density of the absolute log odds under a symmetric beta prior."""
    return Le(
        log_density(log_odds + more_log_odds),
        log_density(log_odds) + log_density(more_log_odds),
    )


@claim(
    "note-lemma-5-growth",
    place="Lemma 5, repaired, for whole alpha: the rate grows as the root of alpha",
    proof=lambda: [
        step(
            "central binomials",
            Le(binomial(2 * whole_alpha, whole_alpha), 4**whole_alpha / sqrt(3 * whole_alpha + 1)),
        ),
        step(
            "from below, squared",
            Ge(4 * whole_alpha * binomial(2 * whole_alpha, whole_alpha) ** 2, 16**whole_alpha),
        ),
        step(
            "from below",
            Ge(binomial(2 * whole_alpha, whole_alpha), 4**whole_alpha / (2 * sqrt(whole_alpha))),
        ),
        step(
            "the rate",
            Eq(
                2 ** (1 - 2 * whole_alpha) / beta(whole_alpha, whole_alpha),
                whole_alpha * binomial(2 * whole_alpha, whole_alpha) / 4**whole_alpha,
            ),
        ),
        step(
            "its part from below",
            Ge(
                whole_alpha * binomial(2 * whole_alpha, whole_alpha) / 4**whole_alpha,
                sqrt(whole_alpha) / 2,
            ),
        ),
        step(
            "its part from above",
            Le(
                whole_alpha * binomial(2 * whole_alpha, whole_alpha) / 4**whole_alpha,
                whole_alpha / sqrt(3 * whole_alpha + 1),
            ),
        ),
        step("roots", Le(whole_alpha / sqrt(3 * whole_alpha + 1), sqrt(whole_alpha / 3))),
    ],
)
def growth_of_the_rate():
    """Rate of assumption 2 for a symmetric beta prior, between two roots."""
    best = 2 ** (1 - 2 * whole_alpha) / beta(whole_alpha, whole_alpha)
    return [Ge(best, sqrt(whole_alpha) / 2), Le(best, sqrt(whole_alpha / 3))]


# --- normal ---------------------------------------------------------------------------------------


@claim(
    "lemma-6",
    place="Lemma 6: the prior probability of a variance of at least max(|mu|, 1) / (2 L), where L is a Lipschitz "
    "constant; at smaller variances it is none (note-lemma-6-tight)",
    cites=["text-c-lemma-6-bound"],
    fault="error",
    effect="It holds for an exponential prior on the precision, with c = 2 lambda / max(|mu|, 1) "
    "(lemma-6-corrected). Under the printed prior a constant exceeds L with probability "
    "1 - exp(-lambda max(|mu|, 1) / (2 L)).",
)
def rate_of_a_normal_prior_as_printed():
    """Prior probability of a Lipschitz constant of at most L, normal family, as printed."""
    mass = Integral(Exponential(rate).density(inner), (inner, factor / (2 * L), oo))
    return Ge(mass, 1 - exp(-rate * L))


@claim(
    "lemma-6-corrected",
    place="Lemma 6, repaired: a precision 1 / sigma**2 of at most 2 L / max(|mu|, 1) has a Lipschitz constant of at most L, "
    "and the probability of these precisions under an exponential prior",
    corrects=["lemma-6"],
    why="The constant is proportional to the precision, so it is the precision whose tail has to "
    "be exponential. The rate is 2 lambda / max(|mu|, 1).",
    given=lambda: [1 / sigma**2 <= 2 * L / factor],
    using=["text-c-lemma-6", "text-c-lemma-6-bound"],
)
def rate_of_a_normal_prior():
    """Normal family at the precisions of a small constant, and their prior probability, repaired."""
    first, second = Normal(mu, sigma).density(x), Normal(mu, sigma).density(y)
    mass = Integral(Exponential(rate).density(inverse), (inverse, 0, 2 * L / factor))
    return [
        Le(Abs(log(first / second)), L * (Abs(x**2 - y**2) + 2 * Abs(x - y))),
        Ge(mass, 1 - exp(-(2 * rate / factor) * L)),
    ]


@claim(
    "note-lemma-6-evidence",
    place="Lemma 6 as printed: the evidence of two records that equal mu, integrated over the "
    "variances up to 1; the integral of the right side over (0, 1] is infinite",
    given=[level <= 1],
)
def evidence_of_two_equal_records():
    """Integrand of the evidence of two records equal to mu, under an exponential variance."""
    likelihood = Normal(mu, sqrt(level)).density(mu) ** 2
    return Ge(Exponential(rate).density(level) * likelihood, rate * exp(-rate) / (2 * pi * level))


# --- networks -------------------------------------------------------------------------------------


@claim(
    "lemma-7",
    place="Lemma 7, for two binary variables of which the second depends on the first; x and y "
    "differ in the first, and the second is 1 in both. The smallest probability of a sub-event is read as the least entry of a "
    "table, as the proof has it; were outcomes sub-events too, the bound would be larger and hold trivially",
    fault="error",
    effect="It holds where the variables are independent (lemma-7-independent), and with each "
    "variable weighted by 1 plus the number of its children, as the proof has it "
    "(lemma-7-corrected).",
    try_at=[
        {
            **{smallest: Rational(1, 4), root: Rational(1, 4)},
            **{child_0: Rational(3, 4), child_1: Rational(1, 4)},
        }
    ],
)
def network_as_printed():
    """Log likelihood ratio of a Bayesian network under the Hamming distance, as printed."""
    return Le(Abs(log((1 - root) * child_0 / (root * child_1))), log(1 / smallest))
