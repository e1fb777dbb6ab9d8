"""Section 6 and Appendix C: regression and time use."""

from sympy import Abs, Eq, Ge, Le, Lt, Rational, log
from sympy import floor as Floor

from dpbook import Noted, claim
from dpbook.unknown_sample_size.notation import (
    clamped,
    coefficient,
    covariates,
    cross,
    floor,
    gram,
    high,
    low,
    prior_mean,
    prior_precision,
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


@claim(
    "text-6.1-sensitivity-two",
    place="Section 6.1 and Appendix C.2, two covariates: the l1 norm of a row's statistics",
)
def sensitivity_of_two_covariates():
    """Sensitivity of the regression sums, two covariates."""
    linear = Abs(v_1) + Abs(v_2) + Abs(v_y)
    squares = v_1**2 + v_2**2 + v_y**2
    return Le(linear + squares + Abs(v_1 * v_2) + Abs(v_1 * v_y) + Abs(v_2 * v_y), 9)


@claim(
    "text-6.1-number",
    place="Appendix C.2, p covariates: numbers of the sums x, x x, x y, y and y y, each of which is at "
    "most 1 and reaches it in a corner",
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


@claim(
    "text-6.1-posterior-one",
    place="Appendix C.2, the posterior of the coefficients, for one of them: the squares of rows and prior, "
    "completed",
)
def completed_square():
    """Posterior of a regression coefficient."""
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


@claim("text-6.1-table-1", place="Section 6.1, Tables 1 and 4, Figure 2", cites=["note-leaked-n"])
def regression_study():
    """Posteriors of a regression."""
    return Noted(
        "a simulation: the study unknown-size-regression runs it as the authors did and converged. The "
        "data need mu = (1, -1), where the text prints (-1, 1)"
    )


@claim("text-6.1-table-2", place="Section 6.1, Table 2")
def likelihood_study():
    """Maximum likelihood estimates of a regression."""
    return Noted("a simulation: the study unknown-size-likelihood runs it")


@claim("text-6.1-table-3", place="Section 6.1, Table 3")
def bootstrap_study():
    """Parametric bootstrap of a regression."""
    return Noted(
        "a simulation: the study unknown-size-bootstrap runs it. Its columns fit epsilon_n / 10, and the "
        "text on the variances contradicts the rows"
    )


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
