"""Smallest delta at every epsilon, total variation and tests, for pairs of distributions of one family."""

from sympy import (
    Eq,
    Ge,
    Integral,
    Le,
    Max,
    beta,
    betainc,
    erf,
    erfc,
    exp,
    gamma,
    log,
    lowergamma,
    oo,
    sqrt,
    uppergamma,
)

from dpbook import claim
from dpbook.privacy.claims.sources import BALLE_WANG, DONG, HERE, WAINWRIGHT
from dpbook.privacy.distributions import Bernoulli, Beta, Exponential, Gamma, Laplace, Normal
from dpbook.privacy.divergences import hockey_stick, normal_profile, total_variation
from dpbook.privacy.notation import (
    at,
    beta_a,
    beta_b,
    distance,
    epsilon,
    mean_distance,
    p,
    positive_output,
    q,
    rate,
    rate_ratio,
    scale,
    shape,
    tail_start,
    threshold,
)

# --- normal -------------------------------------------------------------------------------------


@claim("normal-tail", source=WAINWRIGHT, place="Section 2.1, Chernoff bound")
def tail_of_a_normal_distribution():
    """Upper tail of the standard normal distribution."""
    return Le(erfc(tail_start / sqrt(2)) / 2, exp(-(tail_start**2) / 2))


def loss_threshold():
    """Output above which one of two unit normal distributions exceeds the other by exp(epsilon)."""
    return epsilon / distance + distance / 2


@claim("normal-loss", source=BALLE_WANG, place="Lemma 3")
def privacy_loss_of_normals():
    """Logarithm of the ratio of two unit normal densities."""
    return Eq(
        log(Normal(distance, 1).density(at) / Normal(0, 1).density(at)) - epsilon,
        distance * (at - loss_threshold()),
    )


@claim("normal-profile", source=BALLE_WANG, place="Theorem 8, over the outputs of larger loss")
def profile_of_normals():
    """Smallest delta at a given epsilon for two unit normal distributions."""
    excess = Normal(distance, 1).density(at) - exp(epsilon) * Normal(0, 1).density(at)
    return Eq(Integral(excess, (at, loss_threshold(), oo)), normal_profile(distance, epsilon))


@claim("hockey-stick-normal", source=BALLE_WANG, place="Theorem 8")
def hockey_stick_of_normals():
    """Hockey-stick divergence of two unit Normals."""
    return Eq(
        hockey_stick(Normal(distance, 1), Normal(0, 1), epsilon),
        erfc((epsilon / distance - distance / 2) / sqrt(2)) / 2
        - exp(epsilon) * erfc((epsilon / distance + distance / 2) / sqrt(2)) / 2,
    )


@claim("hockey-stick-normal-reverse", source=BALLE_WANG, place="Theorem 8, the other way")
def hockey_stick_of_normals_reversed():
    """Hockey-stick divergence of two unit Normals, the other way."""
    return Eq(
        hockey_stick(Normal(0, 1), Normal(distance, 1), epsilon), normal_profile(distance, epsilon)
    )


@claim("total-variation-normal", source=HERE)
def total_variation_of_normals():
    """Total variation of two unit Normals."""
    return Eq(total_variation(Normal(distance, 1), Normal(0, 1)), erf(distance / sqrt(8)))


@claim("trade-off-normal", source=DONG, place="Section 2.2, Gaussian trade-off functions")
def errors_of_the_best_tests_of_normals():
    """Errors of the best tests of two unit Normals, from their smallest delta.

    The test that rejects above the threshold s has the errors on the left; the line that a pair
    (epsilon, delta) allows touches the curve of errors there.
    """
    loss = distance * threshold - distance**2 / 2
    false_alarm = erfc(threshold / sqrt(2)) / 2
    missed = erfc((distance - threshold) / sqrt(2)) / 2
    return Eq(missed + exp(loss) * false_alarm, 1 - normal_profile(distance, loss))


# --- Laplace ------------------------------------------------------------------------------------


@claim(
    "hockey-stick-laplace",
    source=HERE,
    given=[epsilon * scale <= mean_distance],
)
def hockey_stick_of_laplaces():
    """Hockey-stick divergence of two Laplace distributions of one scale."""
    return Eq(
        hockey_stick(Laplace(0, scale), Laplace(mean_distance, scale), epsilon),
        1 - exp((epsilon - mean_distance / scale) / 2),
    )


@claim("hockey-stick-laplace-zero", source=HERE, given=[epsilon * scale >= mean_distance])
def hockey_stick_of_laplaces_beyond_the_loss():
    """Hockey-stick divergence of two Laplace distributions of one scale, beyond their largest loss."""
    return Eq(hockey_stick(Laplace(0, scale), Laplace(mean_distance, scale), epsilon), 0)


@claim("total-variation-laplace", source=HERE)
def total_variation_of_laplaces():
    """Total variation of two Laplace distributions of one scale."""
    return Eq(
        total_variation(Laplace(0, scale), Laplace(mean_distance, scale)),
        1 - exp(-mean_distance / (2 * scale)),
    )


# --- gamma and exponential ----------------------------------------------------------------------


@claim("hockey-stick-gamma", source=HERE)
def hockey_stick_of_gammas():
    """Hockey-stick divergence of two gamma distributions of one shape, the smaller rate first."""
    end = (epsilon + shape * log(rate_ratio)) / (rate_ratio - 1)
    return Eq(
        hockey_stick(Gamma(shape, rate), Gamma(shape, rate_ratio * rate), epsilon),
        (uppergamma(shape, end) - exp(epsilon) * uppergamma(shape, rate_ratio * end))
        / gamma(shape),
    )


@claim(
    "hockey-stick-gamma-reverse", source=HERE, given=lambda: [epsilon <= shape * log(rate_ratio)]
)
def hockey_stick_of_gammas_reversed():
    """Hockey-stick divergence of two gamma distributions of one shape, the larger rate first."""
    end = (shape * log(rate_ratio) - epsilon) / (rate_ratio - 1)
    return Eq(
        hockey_stick(Gamma(shape, rate_ratio * rate), Gamma(shape, rate), epsilon),
        (lowergamma(shape, rate_ratio * end) - exp(epsilon) * lowergamma(shape, end))
        / gamma(shape),
    )


@claim("log-ratio-gamma", source=HERE)
def log_ratio_of_gammas():
    """Logarithm of the ratio of two gamma densities of one shape, the larger rate above."""
    first, second = Gamma(shape, rate_ratio * rate), Gamma(shape, rate)
    ratio = first.density(positive_output) / second.density(positive_output)
    return Le(log(ratio), shape * log(rate_ratio))


@claim("hockey-stick-exponential", source=HERE)
def hockey_stick_of_exponentials():
    """Hockey-stick divergence of two exponential distributions, the smaller rate first."""
    return Eq(
        hockey_stick(Exponential(rate), Exponential(rate_ratio * rate), epsilon),
        (1 - 1 / rate_ratio) * exp(-(epsilon + log(rate_ratio)) / (rate_ratio - 1)),
    )


@claim("total-variation-exponential", source=HERE)
def total_variation_of_exponentials():
    """Total variation of two exponential distributions."""
    return Eq(
        total_variation(Exponential(rate), Exponential(rate_ratio * rate)),
        (1 - 1 / rate_ratio) * rate_ratio ** (-1 / (rate_ratio - 1)),
    )


# --- beta: posteriors whose data differ in one outcome -------------------------------------------


@claim("hockey-stick-beta-neighbours", source=HERE)
def hockey_stick_of_beta_posteriors():
    """Hockey-stick divergence of two beta posteriors whose data differ in one outcome."""
    end = beta_a * exp(epsilon) / (beta_b + beta_a * exp(epsilon))
    first = betainc(beta_a + 1, beta_b, end, 1) / beta(beta_a + 1, beta_b)
    second = betainc(beta_a, beta_b + 1, end, 1) / beta(beta_a, beta_b + 1)
    return Eq(
        hockey_stick(Beta(beta_a + 1, beta_b), Beta(beta_a, beta_b + 1), epsilon),
        first - exp(epsilon) * second,
    )


@claim("hockey-stick-beta-neighbours-reverse", source=HERE)
def hockey_stick_of_beta_posteriors_reversed():
    """Hockey-stick divergence of two beta posteriors, the other way."""
    end = beta_a / (beta_a + beta_b * exp(epsilon))
    first = betainc(beta_a, beta_b + 1, 0, end) / beta(beta_a, beta_b + 1)
    second = betainc(beta_a + 1, beta_b, 0, end) / beta(beta_a + 1, beta_b)
    return Eq(
        hockey_stick(Beta(beta_a, beta_b + 1), Beta(beta_a + 1, beta_b), epsilon),
        first - exp(epsilon) * second,
    )


@claim("total-variation-beta-neighbours", source=HERE)
def total_variation_of_beta_posteriors():
    """Total variation of two beta posteriors whose data differ in one outcome."""
    return Eq(
        total_variation(Beta(beta_a + 1, beta_b), Beta(beta_a, beta_b + 1)),
        beta_a ** (beta_a - 1)
        * beta_b ** (beta_b - 1)
        / ((beta_a + beta_b) ** (beta_a + beta_b - 1) * beta(beta_a, beta_b)),
    )


# --- discrete -----------------------------------------------------------------------------------


@claim("hockey-stick-bernoulli", source=HERE, given=[p >= q])
def hockey_stick_of_bernoullis():
    """Hockey-stick divergence of two Bernoulli distributions, the larger probability first."""
    return Eq(hockey_stick(Bernoulli(p), Bernoulli(q), epsilon), Max(p - exp(epsilon) * q, 0))


@claim("distances-bernoulli", source=HERE)
def total_variation_and_affinity_of_bernoullis():
    """Total variation of two Bernoulli distributions, from below by their Hellinger affinity."""
    return Ge(
        total_variation(Bernoulli(p), Bernoulli(q)),
        1 - (sqrt(p * q) + sqrt((1 - p) * (1 - q))),
    )
