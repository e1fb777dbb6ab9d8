"""Divergences between normal laws, from the literature."""

from sympy import Eq, Integral, Le, erfc, exp, log, oo, sqrt

from dpbook.engine.claim import Source, claim
from dpbook.privacy.divergences import normal_profile, renyi_divergence
from dpbook.privacy.laws import Normal
from dpbook.privacy.notation import (
    at,
    distance,
    epsilon,
    mu_1,
    mu_2,
    nu,
    shifted_variance,
    sigma_1,
    sigma_2,
    tail_start,
)

GIL = Source(
    "Gil, Alajaji, Linder: Renyi divergence measures for commonly used univariate continuous "
    "distributions",
    version="Information Sciences 249, 2013",
)
BALLE_WANG = Source(
    "Balle, Wang: Improving the Gaussian Mechanism for Differential Privacy",
    version="ICML 2018, arXiv 1805.06530v2",
)
WAINWRIGHT = Source(
    "Wainwright: High-Dimensional Statistics", version="Cambridge University Press, 2019"
)


@claim(
    "renyi-normal",
    source=GIL,
    place="univariate Gaussians",
    given=[shifted_variance > 0],
)
def renyi_divergence_of_normals():
    """Renyi divergence of two Normals."""
    return Eq(
        renyi_divergence(Normal(mu_1, sigma_1), Normal(mu_2, sigma_2), nu),
        log(sigma_2 / sigma_1)
        + log(sigma_2**2 / shifted_variance) / (2 * (nu - 1))
        + nu * (mu_1 - mu_2) ** 2 / (2 * shifted_variance),
    )


@claim("normal-tail", source=WAINWRIGHT, place="Section 2.1, Chernoff bound")
def tail_of_a_normal_law():
    """Upper tail of the standard normal law."""
    return Le(erfc(tail_start / sqrt(2)) / 2, exp(-(tail_start**2) / 2))


def loss_threshold():
    """Output above which one of two unit normal laws exceeds the other by exp(epsilon)."""
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
    """Smallest delta at a given epsilon for two unit normal laws."""
    excess = Normal(distance, 1).density(at) - exp(epsilon) * Normal(0, 1).density(at)
    return Eq(Integral(excess, (at, loss_threshold(), oo)), normal_profile(distance, epsilon))
