"""Appendix A: the divergence between two posteriors, and the distribution of the chain."""

from sympy import (
    Eq,
    Expr,
    Ge,
    Integer,
    Integral,
    Lambda,
    Le,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    oo,
    sqrt,
)

from dpbook import Every, claim, step
from dpbook.langevin.notation import (
    alpha,
    beta,
    c,
    cross_sum,
    dimension,
    ell,
    first_bound,
    gamma_1,
    i,
    j,
    larger_base,
    mu,
    mu_1,
    mu_2,
    mu_hat,
    n,
    nu,
    of_the_first,
    of_the_others,
    positive_responses,
    prior_mean,
    prior_variance,
    q,
    response_sum,
    shifted_variance,
    sigma,
    sigma_1,
    sigma_2,
    sigma_hat,
    square_sum,
    starred_variance,
    strong_data,
    theta,
    variance_hat,
    x_h,
    x_l,
    x_n,
    x_n_hat,
    y_n,
    y_n_hat,
    z,
)
from dpbook.privacy.any_distributions import AnyScore
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import renyi_divergence

# --- A.1 posterior sampling -----------------------------------------------------------------------


def bayes(mean, precision, squares, products, responses):
    """Density at theta by Bayes's rule, from the prior and the sums over the records."""
    misfit = responses - 2 * theta * products + theta**2 * squares
    joint = exp(-precision * (theta - mean) ** 2 / 2 - beta * misfit / 2)
    return joint / Integral(joint, (theta, -oo, oo))


def slope_posterior():
    """Bayes's rule against the normal distribution of eq. 11, for one covariate."""
    spread = 1 / (1 / prior_variance + beta * square_sum)
    mean = spread * (prior_mean / prior_variance + beta * cross_sum)
    return Eq(
        bayes(prior_mean, 1 / prior_variance, square_sum, cross_sum, response_sum),
        Normal(mean, sqrt(spread)).density(theta),
    )


DESIGN, PRECISION = ("Phi", "R")
u, a, e = (AnyScore(name, dimension) for name in ("u", "a", "e"))
WEIGHTS, OTHER = (AnyScore(name, dimension) for name in ("w", "v"))
CENTRE, PRIOR = (AnyScore(name, dimension) for name in ("m_N", "m_0"))
TARGETS = AnyScore("t", n)
"""Any vectors in the proof: a move u, the posterior's mean less the prior's, a, and the errors there, e; then the
weights, another point, both means and the targets of eq. 11."""


def design(record, covariate):
    """Entry of Phi: a basis function of a record."""
    return AnyScore(DESIGN, dimension, record)(covariate)


def prior_precision(row, column):
    """Entry of the inverse of S_0."""
    return AnyScore(PRECISION, dimension, row)(column)


def over_records(term):
    """Sum over the records."""
    return Sum(term, (i, 1, n))


def linear(weights):
    """Mean of a target: the record's basis functions, weighted."""
    return Sum(design(i, j) * weights(j), (j, 1, dimension))


def form(first, second):
    """A vector, the inverse of S_0, and a vector."""
    term = first(j) * prior_precision(j, ell) * second(ell)
    return Sum(term, (ell, 1, dimension), (j, 1, dimension))


def symmetric():
    """State that a variance is symmetric, and its inverse."""
    return Every(j, Every(ell, Eq(prior_precision(j, ell), prior_precision(ell, j))))


def each_covariate(tree):
    """For all covariates."""
    return Every(j, tree, [Ge(j, 1), Le(j, dimension)])


def balanced():
    """State that prior and data pull against each other where the posterior has its mean."""
    return each_covariate(Eq(pull_of_the_prior(a), beta * over_records(design(i, j) * e(i))))


def together(vector):
    """The sum of two vectors."""
    return lambda index: vector(index) + a(index)


def balance_of_one():
    """Return an example with one covariate and two records, all entries 1."""
    whole = Symbol("i_1", integer=True), Symbol("i_2", integer=True)
    vectors = {one(j).function: Lambda(whole[:1], Integer(1)) for one in (u, a, e)}
    return vectors | matrices_of_one()


def matrices_of_one():
    """Return the values of Phi and the precisions for one covariate and two records."""
    whole = Symbol("i_1", integer=True), Symbol("i_2", integer=True)
    tables = (design(i, j), prior_precision(j, ell))
    matrices = {table.function: Lambda(whole, Integer(1)) for table in tables}
    return matrices | {n: Integer(2), dimension: Integer(1), beta: Rational(1, 2)}


def only(example, *left_out):
    """Return an example without some of its symbols, for a statement that does not contain them."""
    return {what: value for what, value in example.items() if what not in left_out}


@claim("note-11-rows", place="eq. 11: rows and columns in another order")
def rows_and_columns():
    """A double sum with the inverse of S_0, in another order."""
    term = a(j) * prior_precision(j, ell) * u(ell)
    return Eq(form(a, u), Sum(term, (j, 1, dimension), (ell, 1, dimension)))


@claim("note-11-names", place="eq. 11: rows and columns, by other names")
def rows_by_other_names():
    """A double sum with the inverse of S_0, its indices by other names."""
    term = a(j) * prior_precision(j, ell) * u(ell)
    return Eq(Sum(term, (j, 1, dimension), (ell, 1, dimension)), transposed())


def transposed():
    """A vector, the transposed inverse of S_0, and a vector."""
    term = u(j) * prior_precision(ell, j) * a(ell)
    return Sum(term, (ell, 1, dimension), (j, 1, dimension))


@claim(
    "note-11-transposed",
    place="eq. 11: S_0 is symmetric",
    given=lambda: [symmetric()],
    example=lambda: only(balance_of_one(), e(j).function, design(i, j).function, n, beta),
)
def transposed_is_the_same():
    """A double sum with the inverse of S_0, transposed."""
    return Eq(transposed(), form(u, a))


@claim(
    "note-11-crossed",
    place="eq. 11: S_0 is symmetric",
    given=lambda: [symmetric()],
    example=lambda: only(balance_of_one(), e(j).function, design(i, j).function, n, beta),
    using=["note-11-rows", "note-11-names", "note-11-transposed"],
)
def vectors_change_places():
    """Two vectors that change places around the inverse of S_0."""
    return Eq(form(a, u), form(u, a))


def crossed_data(first):
    """Errors, times the changes of the means of the targets; records or covariates first."""
    term = e(i) * design(i, j) * u(j)
    records, covariates = (i, 1, n), (j, 1, dimension)
    return Sum(term, *((covariates, records) if first == "records" else (records, covariates)))


@claim("note-11-data", place="eq. 11: records and covariates in another order")
def records_and_covariates():
    """A double sum over records and covariates, in another order."""
    return Eq(crossed_data("records"), crossed_data("covariates"))


@claim(
    "note-11-balance",
    place="eq. 11: the balance, weighed",
    given=lambda: [balanced()],
    example=balance_of_one,
)
def balance_of_the_covariates():
    """Pull of prior and data, weighed by a vector."""
    weighed = u(j) * (beta * over_records(design(i, j) * e(i)))
    prior = u(j) * pull_of_the_prior(a)
    return Eq(*(Sum(term, (j, 1, dimension)) for term in (prior, weighed)))


@claim(
    "note-11-balanced",
    place="eq. 11: the balance, weighed",
    given=lambda: [balanced()],
    example=balance_of_one,
    using=["note-11-balance"],
)
def balance_by_covariates():
    """Pull of prior and data, as double sums."""
    return Eq(form(u, a), beta * crossed_data("covariates"))


@claim(
    "note-11-pull",
    place="eq. 11: the balance, weighed",
    given=lambda: [balanced()],
    example=balance_of_one,
    using=["note-11-balanced", "note-11-data"],
)
def balance_by_records():
    """Pull of prior and data, records first."""
    return Eq(form(u, a), beta * crossed_data("records"))


def misfit():
    """Sum of the squared errors, the means moved."""
    return over_records((e(i) - linear(u)) ** 2)


@claim("note-11-misfit", place="eq. 11: the squared errors")
def squares_of_the_errors():
    """Sum of the squared errors, multiplied out."""
    squares = over_records(e(i) ** 2) - 2 * crossed_data("records")
    return Eq(misfit(), squares + over_records(linear(u) ** 2))


@claim("note-11-prior", place="eq. 11: the prior's exponent")
def square_of_the_prior():
    """The prior's exponent, multiplied out."""
    parts = form(u, u) + form(u, a) + form(a, u) + form(a, a)
    return Eq(form(together(u), together(u)), parts)


@claim(
    "note-11-square",
    place="eq. 11: the square is completed",
    given=lambda: [symmetric(), balanced()],
    example=balance_of_one,
    using=["note-11-crossed", "note-11-pull", "note-11-misfit", "note-11-prior"],
)
def square_is_completed():
    """Exponents of prior and data together, the square completed."""
    least = form(a, a) + beta * over_records(e(i) ** 2)
    return Eq(
        form(together(u), together(u)) + beta * misfit(),
        least + (form(u, u) + beta * over_records(linear(u) ** 2)),
    )


def whole_number():
    """A name for the argument of a sequence."""
    return Symbol("i_0", integer=True)


def less(first, second):
    """The difference of two vectors."""
    return lambda index: first(index) - second(index)


def pull_of_the_prior(vector):
    """A row of the inverse of S_0, and a vector."""
    return Sum(prior_precision(j, ell) * vector(ell), (ell, 1, dimension))


def fitted():
    """Mean of a target at the posterior's mean."""
    return Sum(design(i, ell) * CENTRE(ell), (ell, 1, dimension))


def mean_of_eq_11():
    """State the second equation of eq. 11, times the third: the posterior's mean m_N."""
    left = pull_of_the_prior(CENTRE) + beta * over_records(design(i, j) * fitted())
    right = pull_of_the_prior(PRIOR) + beta * over_records(design(i, j) * TARGETS(i))
    return each_covariate(Eq(left, right))


def at_the_mean():
    """Return an example with one covariate and two records, where the posterior's mean is 1."""
    whole = (Symbol("i_1", integer=True),)
    values = {CENTRE: 1, PRIOR: 0, TARGETS: 2, WEIGHTS: 3, OTHER: 0}
    vectors = {one(j).function: Lambda(whole, Integer(value)) for one, value in values.items()}
    return vectors | matrices_of_one()


def moved_from_the_mean(weights):
    """Return the substitution for differences from the posterior's mean, and the errors there."""
    whole = whole_number()
    mean = Sum(design(whole, j) * CENTRE(j), (j, 1, dimension))
    return {
        u(j).function: Lambda((whole,), weights(whole) - CENTRE(whole)),
        a(j).function: Lambda((whole,), CENTRE(whole) - PRIOR(whole)),
        e(i).function: Lambda((whole,), TARGETS(whole) - mean),
    }


def loss_of_weights(weights):
    """Return minus twice the logarithm of prior times likelihood, without its constant."""
    away = less(weights, PRIOR)
    return form(away, away) + beta * over_records((TARGETS(i) - linear(weights)) ** 2)


def from_the_mean(weights):
    """(w - m_N)' S_N^-1 (w - m_N), by the third equation of eq. 11."""
    away = less(weights, CENTRE)
    return form(away, away) + beta * over_records(linear(away) ** 2)


def least_loss():
    """The loss at the posterior's mean."""
    return loss_of_weights(CENTRE)


def errors_at_the_mean():
    """Pull of the data at the posterior's mean, for one covariate."""
    return over_records(design(i, j) * (TARGETS(i) - fitted()))


@claim("note-11-errors", place="eq. 11: the errors, for one covariate")
def errors_multiplied_out():
    """Pull of the data, multiplied out."""
    return Eq(
        errors_at_the_mean(),
        over_records(design(i, j) * TARGETS(i)) - over_records(design(i, j) * fitted()),
    )


@claim("note-11-away", place="eq. 11: the prior's mean, for one covariate")
def prior_multiplied_out():
    """Pull of the prior, multiplied out."""
    return Eq(
        pull_of_the_prior(less(CENTRE, PRIOR)), pull_of_the_prior(CENTRE) - pull_of_the_prior(PRIOR)
    )


@claim(
    "note-11-at",
    place="eq. 11: what m_N is, for one covariate",
    given=lambda: [mean_of_eq_11(), Ge(j, 1), Le(j, dimension)],
    example=lambda: {**only(at_the_mean(), WEIGHTS(j).function, OTHER(j).function), j: Integer(1)},
    using=["note-11-errors", "note-11-away"],
    proof=lambda: [step("at this one", mean_of_eq_11().tree)],
)
def pull_at_the_mean():
    """Pull of prior and data at the posterior's mean, for one covariate."""
    return Eq(pull_of_the_prior(less(CENTRE, PRIOR)), beta * errors_at_the_mean())


@claim(
    "note-11-mean",
    place="eq. 11: what m_N is",
    given=lambda: [mean_of_eq_11()],
    example=lambda: only(at_the_mean(), WEIGHTS(j).function, OTHER(j).function),
    using=[("note-11-at", lambda: {j: j})],
)
def pulls_at_the_mean():
    """Pull of prior and data at the posterior's mean."""
    return each_covariate(Eq(pull_of_the_prior(less(CENTRE, PRIOR)), beta * errors_at_the_mean()))


@claim(
    "note-11-loss",
    place="eq. 11: the exponent",
    given=lambda: [symmetric(), mean_of_eq_11()],
    example=lambda: only(at_the_mean(), OTHER(j).function),
    using=["note-11-mean", ("note-11-square", lambda: moved_from_the_mean(WEIGHTS))],
)
def loss_from_the_mean():
    """Exponents of prior and likelihood, around the posterior's mean."""
    return Eq(loss_of_weights(WEIGHTS), least_loss() + from_the_mean(WEIGHTS))


@claim(
    "note-11-ratio",
    place="eq. 11, for any numbers",
    given=lambda: [
        Eq(mu_1, first_bound + of_the_first),
        Eq(mu_2, first_bound + of_the_others),
    ],
)
def ratio_of_exponentials():
    """Ratio of two exponentials whose exponents have a part in common."""
    return Eq(exp(-mu_1 / 2) / exp(-mu_2 / 2), exp(-of_the_first / 2) / exp(-of_the_others / 2))


@claim(
    "eq-11",
    place="eq. 11, for any number n of records and d of basis functions Phi(i, j), any targets t, any m_0, and any "
    "symmetric R, the inverse of S_0: what the posterior's density is at w against any other point v; a density is "
    "known by these ratios. (w - m_N)' S_N^-1 (w - m_N) is written out by the third equation of eq. 11, and what m_N "
    "is, by the second and the third, stands among the conditions",
    given=lambda: [symmetric(), mean_of_eq_11()],
    example=at_the_mean,
    using=[
        "note-11-loss",
        (
            "note-11-loss",
            lambda: {WEIGHTS(j).function: Lambda((whole_number(),), OTHER(whole_number()))},
        ),
        (
            "note-11-ratio",
            lambda: {
                **{mu_1: loss_of_weights(WEIGHTS), mu_2: loss_of_weights(OTHER)},
                first_bound: least_loss(),
                **{of_the_first: from_the_mean(WEIGHTS), of_the_others: from_the_mean(OTHER)},
            },
        ),
    ],
)
def posterior_of_weights():
    """Posterior of a linear model under a normal prior."""
    return Eq(
        exp(-loss_of_weights(WEIGHTS) / 2) / exp(-loss_of_weights(OTHER) / 2),
        exp(-from_the_mean(WEIGHTS) / 2) / exp(-from_the_mean(OTHER) / 2),
    )


@claim("note-eq-11", place="eq. 11 for one covariate, phi(x) = x")
def posterior_of_a_slope():
    """Posterior of a slope under a normal prior."""
    return slope_posterior()


X, Y = AnyScore("x", n - 1), AnyScore("y", n - 1)
SQUARES, PRODUCTS = Sum(X(i) ** 2, (i, 1, n - 1)), Sum(Y(i) * X(i), (i, 1, n - 1))


SMALL_DOMAIN = {n: 2, x_l: 1, x_h: 2, c: 1, gamma_1: Rational(1, 4)}
"""Domain in which small integers are records."""


def of_every_record(*bounds):
    """State that bounds hold of each of the common records."""
    return [Every(i, bound, [Ge(i, 1), Le(i, n - 1)]) for bound in bounds]


def records_in_the_domain():
    """State that the common records are in the domain of eq. 5."""
    low, high = (c - n**gamma_1) * X(i), (c + n**gamma_1) * X(i)
    return of_every_record(Le(x_l, X(i)), Le(X(i), x_h), Le(low, Y(i)), Le(Y(i), high))


@claim(
    "note-eq-12",
    place="eq. 12, at each of the records",
    given=records_in_the_domain,
    try_at=[SMALL_DOMAIN],
)
def bounds_of_each_record():
    """Square and product of a record in the domain of eq. 5."""
    square, radius = X(i) ** 2, n**gamma_1
    return of_every_record(
        Le(x_l**2, square),
        Le(square, x_h**2),
        Le((c - radius) * square, Y(i) * X(i)),
        Le(Y(i) * X(i), (c + radius) * square),
    )


@claim("note-eq-12-sum", place="eq. 12, for any number")
def sum_of_one_number():
    """Sum of one number over the common records."""
    return Eq(Sum(larger_base, (i, 1, n - 1)), (n - 1) * larger_base)


@claim(
    "eq-12",
    place="eq. 12: what the domain of eq. 5 leaves to z and q, the ranges that the notation gives them; any "
    "n - 1 common records",
    given=records_in_the_domain,
    using=[
        "note-eq-12",
        ("note-eq-12-sum", lambda: {larger_base: x_l**2}),
        ("note-eq-12-sum", lambda: {larger_base: x_h**2}),
    ],
    proof=lambda: [
        step("squares", Le(Sum(x_l**2, (i, 1, n - 1)), SQUARES)),
        step("squares from above", Le(SQUARES, Sum(x_h**2, (i, 1, n - 1)))),
    ],
    try_at=[SMALL_DOMAIN],
)
def common_records():
    """Sums over the common records of two neighbours."""
    radius = n**gamma_1
    return [
        Le((n - 1) * x_l**2, SQUARES),
        Le(SQUARES, (n - 1) * x_h**2),
        Le((c - radius) * SQUARES, PRODUCTS),
        Le(PRODUCTS, (c + radius) * SQUARES),
    ]


@claim("eq-13", place="eq. 13")
def posteriors_of_neighbours():
    """Posteriors of two neighbours, by the sums over their common records."""
    ours = bayes(0, alpha, z + x_n**2, q + x_n * y_n, response_sum)
    theirs = bayes(0, alpha, z + x_n_hat**2, q + x_n_hat * y_n_hat, response_sum)
    return [
        Eq(ours, Normal(mu, sigma).density(theta)),
        Eq(theirs, Normal(mu_hat, sigma_hat).density(theta)),
    ]


def printed_divergence() -> Expr:
    """Return the divergence of two normal distributions, as printed."""
    return (
        log(sigma_1 / sigma_2)
        + (nu - 1) / 2 * log(sigma_2**2 / shifted_variance)
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance)
    )


@claim(
    "text-a-renyi",
    place="Appendix A, before eq. 14",
    given=[shifted_variance > 0],
    fault="error",
    effect="The printed factor returns in lemma 4.2, claim D.27 and claim D.29. The second term of "
    "lemma 4.2 is larger than needed for it; theorem 1 does not depend on it.",
)
def divergence_of_normals_as_printed():
    """Renyi divergence of two Normals, as printed."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu), printed_divergence()
    )


@claim(
    "text-a-renyi-corrected",
    place="Appendix A, before eq. 14, repaired",
    corrects=["text-a-renyi"],
    why="The first logarithm of the print has the wrong sign, the second the wrong factor.",
    given=[shifted_variance > 0],
    using=["privacy:renyi-normal"],
)
def divergence_of_normals():
    """Renyi divergence of two Normals, repaired."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu),
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance),
    )


@claim(
    "eq-14",
    place="eq. 14",
    given=[starred_variance > 0, strong_data, *positive_responses],
    cites=["text-a-renyi"],
    fault="error",
    effect="As for the divergence before eq. 14: the bounds on its terms survive for the repair, "
    "with a better second term.",
)
def divergence_of_posteriors_as_printed():
    """Renyi divergence of two posteriors, as printed."""
    return Eq(
        renyi_divergence(Normal(mu, sigma), Normal(mu_hat, sigma_hat), nu),
        log(sigma / sigma_hat)
        + (nu - 1) / 2 * log(sigma_hat**2 / starred_variance)
        + nu * (mu - mu_hat) ** 2 / (2 * starred_variance),
    )


@claim(
    "eq-14-corrected",
    place="eq. 14, repaired",
    corrects=["eq-14"],
    why="The first logarithm has the wrong sign. The second is multiplied by (nu - 1)/2, where it "
    "has to be divided by 2 (nu - 1).",
    given=[starred_variance > 0],
    using=["note-common-sum", "privacy:renyi-normal"],
)
def divergence_of_posteriors():
    """Renyi divergence of two posteriors, repaired."""
    return Eq(
        renyi_divergence(Normal(mu, sigma), Normal(mu_hat, sigma_hat), nu),
        log(sigma_hat / sigma)
        + log(variance_hat / starred_variance) / (2 * (nu - 1))
        + nu * (mu - mu_hat) ** 2 / (2 * starred_variance),
    )
