"""Errors of best tests and largest log ratios, where `profiles` has only the smallest delta."""

from sympy import Abs, Eq, Le, Rational, exp, log

from dpbook import claim, step, symbol
from dpbook.privacy.claims.sources import DONG, HERE
from dpbook.privacy.distributions import Laplace, Normal
from dpbook.privacy.notation import (
    at,
    beta_a,
    beta_b,
    delta,
    distance,
    mean_distance,
    mu_1,
    mu_2,
    other_a,
    other_b,
    other_rate,
    other_scale,
    other_shape,
    positive_output,
    rate,
    scale,
    shape,
    sigma_1,
    sigma_2,
)

level = symbol("alpha_1", above=0, below=1, meaning="probability of a false alarm")
chance = symbol("theta", above=0, below=1, meaning="an output that is a probability")


# --- Laplace --------------------------------------------------------------------------------------


@claim(
    "epsilon-laplace",
    source=HERE,
    place="hockey-stick-laplace, solved for epsilon",
    without={"hockey-stick-laplace": "that curve is written out and solved"},
    given=lambda: [distance + 2 * log(1 - delta) >= 0],
)
def loss_of_laplaces_at_a_delta():
    """Smallest epsilon at a delta, of two Laplace distributions of one scale."""
    return Eq(1 - exp((distance + 2 * log(1 - delta) - distance) / 2), delta)


@claim(
    "trade-off-laplace-low",
    source=DONG,
    place="Lemma A.6, for a threshold above both means; Delta in scales",
    given=lambda: [level <= exp(-distance) / 2],
)
def errors_at_a_high_threshold():
    """Errors of the best test of two Laplace distributions, few false alarms."""
    threshold = -log(2 * level)
    return [
        threshold >= distance,
        Eq(exp(-threshold) / 2, level),
        Eq(1 - exp(distance - threshold) / 2, 1 - exp(distance) * level),
    ]


@claim(
    "trade-off-laplace-middle",
    source=DONG,
    place="Lemma A.6, for a threshold between the means; Delta in scales",
    given=lambda: [level >= exp(-distance) / 2, level <= Rational(1, 2)],
)
def errors_at_a_threshold_between():
    """Errors of the best test of two Laplace distributions, a threshold between them."""
    threshold = -log(2 * level)
    return [
        threshold >= 0,
        threshold <= distance,
        Eq(exp(-threshold) / 2, level),
        Eq(exp(threshold - distance) / 2, exp(-distance) / (4 * level)),
    ]


@claim(
    "trade-off-laplace-high",
    source=DONG,
    place="Lemma A.6, for a threshold below both means; Delta in scales",
    given=lambda: [level >= Rational(1, 2)],
)
def errors_at_a_low_threshold():
    """Errors of the best test of two Laplace distributions, many false alarms."""
    threshold = log(2 * (1 - level))
    return [
        threshold <= 0,
        Eq(1 - exp(threshold) / 2, level),
        Eq(exp(threshold - distance) / 2, exp(-distance) * (1 - level)),
    ]


@claim(
    "log-ratio-laplace-scales",
    source=HERE,
    given=lambda: [scale <= other_scale],
    proof=lambda: [
        step(
            "triangle inequality",
            Le(Abs(at - mean_distance), Abs(at) + mean_distance),
        ),
    ],
)
def log_ratio_of_laplaces_of_two_scales():
    """Logarithm of the ratio of two Laplace densities, the smaller scale above."""
    ratio = Laplace(0, scale).density(at) / Laplace(mean_distance, other_scale).density(at)
    return Le(log(ratio), log(other_scale / scale) + mean_distance / other_scale)


# --- normal ---------------------------------------------------------------------------------------


def largest_of_normals():
    """Return the largest log ratio of two normal densities, the smaller standard deviation above."""
    return log(sigma_2 / sigma_1) + (mu_1 - mu_2) ** 2 / (2 * (sigma_2**2 - sigma_1**2))


@claim("log-ratio-normal", source=HERE, given=lambda: [sigma_1 < sigma_2])
def log_ratio_of_normals():
    """Logarithm of the ratio of two normal densities, the smaller standard deviation above."""
    ratio = Normal(mu_1, sigma_1).density(at) / Normal(mu_2, sigma_2).density(at)
    return Le(log(ratio), largest_of_normals())


@claim("log-ratio-normal-attained", source=HERE, given=lambda: [sigma_1 < sigma_2])
def largest_log_ratio_of_normals():
    """Logarithm of the ratio of two normal densities, at the output of its largest value."""
    place = (sigma_2**2 * mu_1 - sigma_1**2 * mu_2) / (sigma_2**2 - sigma_1**2)
    ratio = Normal(mu_1, sigma_1).density(place) / Normal(mu_2, sigma_2).density(place)
    return Eq(log(ratio), largest_of_normals())


# --- gamma and beta -------------------------------------------------------------------------------


def place_of_gammas():
    """Return the output at which the ratio of two gamma densities is largest."""
    return (shape - other_shape) / (rate - other_rate)


@claim(
    "log-ratio-gamma-shapes",
    source=HERE,
    given=lambda: [shape > other_shape, rate > other_rate],
    proof=lambda: [
        step(
            "a tangent of the logarithm",
            Le(log(positive_output / place_of_gammas()), positive_output / place_of_gammas() - 1),
        ),
    ],
)
def ratio_of_gammas_of_two_shapes():
    """Logarithm of a ratio of gamma densities without its constants, at most its value at one output."""
    power, slope = shape - other_shape, rate - other_rate
    return Le(
        power * log(positive_output) - slope * positive_output,
        power * (log(place_of_gammas()) - 1),
    )


def place_of_betas():
    """Return the output at which the ratio of two beta densities is largest."""
    return (beta_a - other_a) / (beta_a - other_a + beta_b - other_b)


@claim(
    "log-ratio-beta",
    source=HERE,
    given=lambda: [beta_a > other_a, beta_b > other_b],
    proof=lambda: [
        step(
            "a tangent of the logarithm",
            Le(log(chance / place_of_betas()), chance / place_of_betas() - 1),
        ),
        step(
            "another",
            Le(
                log((1 - chance) / (1 - place_of_betas())),
                (1 - chance) / (1 - place_of_betas()) - 1,
            ),
        ),
        step(
            "logarithms of quotients",
            Eq(log(chance / place_of_betas()), log(chance) - log(place_of_betas())),
        ),
        step(
            "and of the others",
            Eq(
                log((1 - chance) / (1 - place_of_betas())),
                log(1 - chance) - log(1 - place_of_betas()),
            ),
        ),
        step(
            "their weighted sum",
            Le(
                (beta_a - other_a) * log(chance / place_of_betas())
                + (beta_b - other_b) * log((1 - chance) / (1 - place_of_betas())),
                0,
            ),
        ),
    ],
    time_limit=60,
)
def ratio_of_betas():
    """Logarithm of a ratio of beta densities without its constants, at most its value at one output."""
    first, second = beta_a - other_a, beta_b - other_b
    return Le(
        first * log(chance) + second * log(1 - chance),
        first * log(place_of_betas()) + second * log(1 - place_of_betas()),
    )
