"""Section 6 and Appendix C: regression and time use."""

from sympy import Abs, Eq, Ge, Integer, Le, Lt, Rational, Sum, exp, log, sqrt
from sympy import floor as Floor

from dpbook import Noted, claim, step
from dpbook.unknown_sample_size.claims.section_5 import PROGRAM
from dpbook.unknown_sample_size.notation import (
    chernoff,
    clamped,
    coefficient,
    covariates,
    cross,
    floor,
    gram,
    high,
    index,
    low,
    n,
    precision,
    prior_mean,
    prior_precision,
    residual,
    share_1,
    share_2,
    share_3,
    square,
    v_1,
    v_2,
    v_y,
)


@claim("text-6.1-clamp", place="Section 6.1, clamped and normalised variables")
def normalised_variable():
    """Normalised variable."""
    return Le(Abs(2 * (clamped - low) / (high - low) - 1), 1)


def norm_of_two_covariates():
    """The l1 norm of a row's statistics, against the sensitivity, for two covariates."""
    linear = Abs(v_1) + Abs(v_2) + Abs(v_y)
    squares = v_1**2 + v_2**2 + v_y**2
    return Le(linear + squares + Abs(v_1 * v_2) + Abs(v_1 * v_y) + Abs(v_2 * v_y), 9)


@claim(
    "text-6.1-sensitivity-two",
    place="Section 6.1 and Appendix C.2, two covariates: the l1 norm of a row's statistics",
)
def sensitivity_of_two_covariates():
    """Sensitivity of the regression sums, two covariates."""
    return norm_of_two_covariates()


@claim(
    "text-6.1-sensitivity",
    place="Section 6.1 and Appendix C.2: the l1 norm of a row's statistics",
    scope="two covariates, as in the experiment; for p of them their number is text-6.1-number",
    using=["text-6.1-sensitivity-two"],
)
def sensitivity_of_the_regression():
    """Sensitivity of the regression sums."""
    return norm_of_two_covariates()


@claim(
    "text-6.1-number",
    place="Appendix C.2, p covariates: numbers of the sums x, x x, x y, y and y y, each of which is at "
    "most 1 and reaches it in a corner",
    scope="the number of the sums; that each is at most 1, and that one row has all of them at 1, is in words",
)
def number_of_sums():
    """Sensitivity of the regression sums, any number of covariates."""
    sums = covariates + covariates * (covariates + 1) / 2 + covariates + 2
    return [
        Eq(sums, (covariates + 1) * (covariates + 4) / 2),
        Eq(sums, covariates**2 / 2 + 5 * covariates / 2 + 2),
    ]


@claim(
    "note-swap-sensitivity",
    place="Section 2.1 for the release of Section 6.1: two rows, all 1 against all -1/(p + 2), with p + 1 "
    "variables; the l1 distance of their statistics, which a search found to be the largest",
)
def sensitivity_of_a_swap():
    """Distance of the statistics of two rows, and twice the sensitivity."""
    other = -1 / (covariates + 2)
    linear = (covariates + 1) * (1 - other)
    products = (covariates + 1) * (covariates + 2) / 2 * (1 - other**2)
    return [
        Eq(linear + products, (covariates + 1) * (covariates + 3) ** 2 / (2 * (covariates + 2))),
        Lt(linear + products, (covariates + 1) * (covariates + 4)),
    ]


def square_completed():
    """The squares of rows and prior, completed, for one coefficient."""
    precision = gram + prior_precision
    centre = (cross + prior_precision * prior_mean) / precision
    return Eq(
        square
        - 2 * coefficient * cross
        + coefficient**2 * gram
        + prior_precision * (coefficient - prior_mean) ** 2,
        precision * (coefficient - centre) ** 2
        + square
        + prior_precision * prior_mean**2
        - precision * centre**2,
    )


@claim(
    "text-6.1-posterior-one",
    place="Algorithm 1, step 1(a), for the model and priors of Section 6.1, whose posterior the paper does not print: one coefficient, the squares of rows "
    "and prior completed",
)
def completed_square():
    """Posterior of a regression coefficient."""
    return square_completed()


@claim(
    "text-6.1-posterior",
    place="Algorithm 1, step 1(a), for the model and priors of Section 6.1, whose posterior the paper does not print",
    scope="the mean and the precision of one coefficient; several coefficients, tau, mu and Phi are not stated",
    using=["text-6.1-posterior-one"],
)
def posterior_of_the_regression():
    """Posterior of the regression coefficients."""
    return square_completed()


@claim("text-6.1-table-1", place="Section 6.1, Tables 1 and 4, Figure 2", cites=["note-leaked-n"])
def regression_study():
    """Posteriors of a regression."""
    return Noted(
        "a simulation: the study unknown-size-regression runs it as the authors did and converged"
    )


def mean_response(first_mean, second_mean):
    """Mean of a response, for the printed coefficients (0, -1, 1) and the means of two covariates."""
    return 0 * 1 - 1 * Integer(first_mean) + 1 * Integer(second_mean)


@claim(
    "text-6.1-mu",
    place="Section 6.1, mu = (-1, 1), against the line mu = c(1,-1) of the function run_chain of "
    f"{PROGRAM}: the mean of a response under either",
    fault="misprint",
    effect="Tables 1 to 4 are those of mu = (1, -1), with which the study unknown-size-regression runs.",
)
def mean_of_the_covariates_as_printed():
    """Mean of a response, for the means of the covariates as printed, and as in the program."""
    return (mean_response(-1, 1), "==", mean_response(1, -1))


@claim(
    "text-6.1-mu-corrected",
    place="Section 6.1, mu = (1, -1), against the program of text-6.1-mu",
    corrects=["text-6.1-mu"],
    why="The signs are exchanged.",
)
def mean_of_the_covariates():
    """Mean of a response, for the means of the covariates, and as in the program."""
    return (mean_response(1, -1), "==", -2)


@claim(
    "text-6.1-gram",
    place="Section 6.1, the entry (1, 1) of X X', X with the rows (1, x_i), which is said to be n: for two covariates, the sum of squares of the "
    "first row",
    try_at=[{v_1: 0, v_2: 0, n: 2}],
    fault="misprint",
    effect="None: the sums whose sensitivity Appendix C.2 derives are those of X'X and X'Y.",
)
def number_of_records_in_the_matrix_as_printed():
    """Entry of a matrix that is to be the number of records, as printed."""
    return Eq(1 + v_1**2 + v_2**2, n)


@claim(
    "text-6.1-gram-corrected",
    place="Section 6.1, the entry (1, 1) of X'X: a sum over all rows of the square of their first entry, which is 1",
    corrects=["text-6.1-gram"],
    why="The transposed matrix is the first factor.",
)
def number_of_records_in_the_matrix():
    """Entry of a matrix that is to be the number of records, repaired."""
    return Eq(Sum(1**2, (index, 1, n)), n)


def columns():
    """Number of columns of A = (X, Y): a one, the covariates and the response."""
    return 1 + covariates + 1


@claim(
    "text-6.1-identity",
    place="Section 6.1, the matrix r I_(p + 1) that is added to A'A, where A = (X, Y) and X has the rows (1, x_i): the number of its rows, and of "
    "those of A'A",
    fault="misprint",
    effect="None: the identity matrix that can be added has p + 2 rows.",
)
def size_of_the_identity_matrix_as_printed():
    """Number of rows of a matrix of sums and of the identity matrix that is added to it, as printed."""
    return Eq(columns(), covariates + 1)


@claim(
    "text-6.1-identity-corrected",
    place="Section 6.1, the matrix r I_(p + 2)",
    corrects=["text-6.1-identity"],
    why="A has p + 2 columns.",
)
def size_of_the_identity_matrix():
    """Number of rows of a matrix of sums and of the identity matrix that is added to it, repaired."""
    return Eq(columns(), covariates + 2)


def log_likelihood(value):
    """Log likelihood of the precision of a normal regression at its best coefficients, up to a constant."""
    return n * log(value) / 2 - value * residual / 2


@claim(
    "text-6.1-mle",
    place="Section 6.1, the estimate of 1/tau with the index MLE, which is the residual sum of squares over n - p: the log likelihood at any tau, and "
    "at the inverse of that estimate",
    given=[covariates < n],
    try_at=[{precision: 3, residual: 1, n: 3, covariates: 1}],
    fault="misprint",
    effect="Hardly any for n = 1000 and p = 2.",
)
def maximum_of_the_likelihood_as_printed():
    """Log likelihood of a precision, and at its estimate, as printed."""
    return Le(log_likelihood(precision), log_likelihood((n - covariates) / residual))


@claim(
    "text-6.1-mle-corrected",
    place="Section 6.1, the estimate of 1/tau that maximises the likelihood",
    corrects=["text-6.1-mle"],
    why="The likelihood has its maximum where 1/tau is the residual sum of squares over n.",
    proof=lambda: [
        step(
            "the logarithm of the ratio",
            Le(log(precision * residual / n), precision * residual / n - 1),
        ),
        step(
            "a difference of logarithms",
            Eq(log(precision * residual / n), log(precision) - log(n / residual)),
        ),
    ],
)
def maximum_of_the_likelihood():
    """Log likelihood of a precision, and at its estimate, repaired."""
    return Le(log_likelihood(precision), log_likelihood(n / residual))


@claim(
    "note-references",
    place="The main text: references that point elsewhere, by the numbers that the statements have",
)
def references_that_point_elsewhere():
    """References that name other statements than they mean."""
    return Noted(
        "no statement. Section 3.2 refers to Theorem 4.2 for 3.3, Section 4.1 to Lemma A.12 for A.13, Section 4.2 to Example A.13 for "
        "A.14, Section 6.1 to Section C.1 for C.2 and to Table C1 for Table 4, Section 6.2 to Figures C2 and C3 for 3 and 4. Section 6.1 has "
        "epsilon_1 for epsilon_s once"
    )


@claim("text-6.1-table-2", place="Section 6.1, Table 2")
def likelihood_study():
    """Maximum likelihood estimates of a regression."""
    return Noted("a simulation: the study unknown-size-likelihood runs it")


@claim("text-6.1-table-3", place="Section 6.1, Table 3")
def bootstrap_study():
    """Parametric bootstrap of a regression."""
    return Noted("a simulation: the study unknown-size-bootstrap runs it")


REPLICATES = 100  # of Table 3
OFFSET = Rational(1753, 1000)  # 1000 - 998.247, the mean of max(n_dp, p + 1) at epsilon_n = 1


def chance_of_the_offset(rate):
    """A bound on the chance that the mean noise of all replicates is as far from 0 as printed.

    By Markov's inequality for exp(t W), W the sum of the noise over its scale: 2 exp(-t w) / (1 - t**2)**100.
    """
    sum_of_noise = REPLICATES * rate * OFFSET
    return 2 * exp(-chernoff * sum_of_noise) / (1 - chernoff**2) ** REPLICATES


@claim(
    "text-6.1-columns",
    place="Table 3, the row of the mean of max(n_dp, p + 1): at epsilon_n = 1 it is 998.247 for n = 1000, in 100 replicates with Laplace noise of "
    "the scale 1/epsilon_n. For every t the chance of a mean that far away is at most this bound, so it is to be at least 10**-9",
    scope="the bound at a t; that it bounds the chance, by Markov's inequality, is on paper only, and a printed number whose chance is below 10**-9 is taken to be wrong",
    try_at=[{chernoff: "7/10"}],
    fault="misprint",
    effect="The columns are those of epsilon_n / 10: the studies run Table 3 at both.",
)
def columns_of_table_3_as_printed():
    """Bound on the chance of the mean number of records in Table 3, for the printed column."""
    return Ge(chance_of_the_offset(1), Rational(1, 10**9))


@claim(
    "text-6.1-columns-corrected",
    place="Table 3, the same row and column, with noise of the scale 10/epsilon_n: the least bound for any t",
    corrects=["text-6.1-columns"],
    why="The columns are labelled with ten times the loss that was used.",
    proof=lambda: [
        step("a power", Le((1 - chernoff**2) ** REPLICATES, 1)),
        step("the exponent", Ge(exp(-chernoff * REPLICATES * OFFSET / 10), exp(-18))),
        step("a constant", Ge(exp(-18), Rational(1, 10**8))),
    ],
)
def columns_of_table_3():
    """Bound on the chance of the mean number of records in Table 3, for a tenth of the printed loss."""
    return Ge(chance_of_the_offset(Rational(1, 10)), Rational(1, 10**9))


@claim(
    "text-6.1-variances",
    place="Section 6.1, the text on Table 3: at epsilon_s = 0.1 Var(beta_j) is to decrease as epsilon_n increases; beta_1 at epsilon_n = 0.001 and 0.01",
    fault="misprint",
    effect="The rows say the opposite; the explanation in the text, by r, is for a small epsilon_n.",
)
def variances_of_table_3_as_printed():
    """Variances of a coefficient in two columns of Table 3, as the text has them."""
    return (Rational(977, 1000), "<=", Rational(773, 1000))


@claim(
    "text-6.1-variances-corrected",
    place="Table 3 at epsilon_s = 0.1: Var(beta_1) in all columns",
    corrects=["text-6.1-variances"],
    why="The variances of beta_1 and beta_2 increase with epsilon_n, and that of beta_0 from 0.01 on.",
)
def variances_of_table_3():
    """Variances of a coefficient in the columns of Table 3."""
    row = [Rational(v, 1000) for v in (773, 977, 1443, 1614, 1642, 1646)]
    return [(first, "<=", second) for first, second in zip(row, row[1:], strict=False)]


@claim(
    "text-6.1-variances-one",
    place="Section 6.1, the text on Table 3: at epsilon_s = 1 the variance is to decrease with increasing epsilon_n; beta_1 at epsilon_n = 0.001 and 0.01",
    fault="misprint",
    effect="The sentence holds for beta_0, and for beta_1 and beta_2 from 0.01 on.",
)
def variances_of_table_3_at_1_as_printed():
    """Variances of a coefficient in two columns of the lower half of Table 3, as the text has them."""
    return (Rational(2177, 1000), "<=", Rational(1644, 1000))


def falling(*thousandths):
    """State that numbers, in thousandths, do not increase."""
    row = [Rational(v, 1000) for v in thousandths]
    return [(second, "<=", first) for first, second in zip(row, row[1:], strict=False)]


@claim(
    "text-6.1-variances-one-corrected",
    place="Table 3 at epsilon_s = 1: Var(beta_1) and Var(beta_2) from epsilon_n = 0.01 on, and Var(beta_0) in all columns",
    corrects=["text-6.1-variances-one"],
    why="From 0.001 to 0.01 the variances of beta_1 and beta_2 increase.",
)
def variances_of_table_3_at_1():
    """Variances of the coefficients in the columns of the lower half of Table 3."""
    return [
        *falling(2177, 1246, 499, 487, 485),
        *falling(2015, 1442, 619, 604, 603),
        *falling(16238, 12353, 2485, 1216, 1186, 1183),
    ]


@claim(
    "text-6.1-learning",
    place="Section 6.1, the text on Table 1: from epsilon_s = 0.1 to 1 the posterior variance of n is to be reduced where epsilon_n is fixed, read for every column; at epsilon_n = 0.001",
    fault="misprint",
    effect="The sentence holds for three columns of the table. What the authors' program adds to the likelihood of n is note-leaked-n.",
)
def variances_of_the_number_as_printed():
    """Posterior variances of the number of records in a column of Table 1, as the text has them."""
    return (Rational(4051367, 1000), "<=", Rational(1005443, 1000))


@claim(
    "text-6.1-learning-corrected",
    place="Table 1: Var(n) at epsilon_n = 0.01, 0.1 and 1, for epsilon_s = 1 and 0.1",
    corrects=["text-6.1-learning"],
    why="At epsilon_n = 0.001 the variance is four times as large, and at 10 it is the same.",
)
def variances_of_the_number():
    """Posterior variances of the number of records in three columns of Table 1."""
    pairs = ((258795, 762425), (66134, 145776), (1665, 1924))
    return [part for one, tenth in pairs for part in falling(tenth, one)]


def most_of_the_ridge(scale_of_sums, scale_of_products):
    """Bound on a mean of 100 ridges: 8 times 2 times the root mean square norm of the noise, without noise of n.

    Of the 15 entries of the symmetric noise 6 are of sums, and 9 of products.
    """
    return 16 * sqrt(6 * 2 * scale_of_sums**2 + 9 * 2 * scale_of_products**2)


PRINTED = Rational(9042319, 1000)  # the mean of n_dp + r at epsilon_s = 0.1, epsilon_n = Inf
NOISE = Rational(9) / Rational(1, 10)  # Delta / epsilon_s


@claim(
    "text-6.1-normalised",
    place="Section 6.1, A with normalised variables, and Table 3, the mean of n_dp + r at epsilon_s = 0.1 and epsilon_n = Inf, which is 9042.319 for n = 1000: r is at "
    "most twice the norm of the noise, so its mean and standard deviation are at most 2 times the root of 15 2 (Delta/epsilon_s)^2. The mean of 100 "
    "replicates is to be within 70 of its standard deviations, which is 8 times that number",
    scope="the bound; that r is at most twice the norm (Weyl), and that a mean so far off has a chance of at most 1/4000 (Chebyshev), is on paper only",
    fault="error",
    effect="The table is near that of variables which are not normalised, with the ridge of their scale: the study unknown-size-bootstrap runs both.",
)
def ridge_of_normalised_variables():
    """Mean of a number of records with its ridge, for normalised variables, as printed."""
    return Le(PRINTED, 1000 + most_of_the_ridge(NOISE, NOISE))


@claim(
    "text-6.1-normalised-corrected",
    place="Table 3, the same mean, for variables in [-5, 5], whose sums have 5 times and whose products have 25 times the noise, as in "
    "https://github.com/anfebar/Statistical-Inference-for-Privatized-Data-with-Unknown-Sample-Size, commit 774155b, Section6.1/Table3/DPBootsLMFunctions.R",
    corrects=["text-6.1-normalised"],
    why="The bound has room for the mean where A is that of the variables before they are normalised.",
)
def ridge_of_variables():
    """Mean of a number of records with its ridge, for variables that are not normalised."""
    return Le(PRINTED, 1000 + most_of_the_ridge(5 * NOISE, 25 * NOISE))


@claim(
    "text-6.2-sensitivity",
    place="Section 6.2: the l1 norm of three logarithms of shares, each clamped to [a, 1]",
)
def sensitivity_of_three_logarithms():
    """Sensitivity of sums of clamped logarithms."""
    return Le(Abs(log(share_1)) + Abs(log(share_2)) + Abs(log(share_3)), -3 * log(floor))


@claim(
    "note-simplex-sensitivity",
    place="Section 6.2, for shares of at least a that sum to 1, two of which are a at the worst; the "
    "printed bound is larger",
    given=[Eq(share_1 + share_2 + share_3, 1)],
)
def sensitivity_on_the_simplex():
    """Product of three shares that sum to 1."""
    return [
        Ge(share_1 * share_2 * share_3, floor**2 * (1 - 2 * floor)),
        Le(-2 * log(floor) - log(1 - 2 * floor), -3 * log(floor)),
    ]


@claim(
    "text-6.2-floor",
    place="Section 6.2, a = 0.0006: the smallest share is one minute of the 1440 of a day, cut off after four digits, "
    "as the print does not round",
)
def smallest_share():
    """Smallest share of the day."""
    digits = 10**4
    return Eq(Floor(Rational(digits, 1440)) / digits, Rational(6, digits))


@claim("text-6.2-time-use", place="Section 6.2, Figures 1, 3 and 4")
def time_use_study():
    """Posteriors of the time use survey."""
    return Noted(
        "an analysis of data: the study unknown-size-atus runs it. The authors' chains of one jump a "
        "cycle have not converged"
    )
