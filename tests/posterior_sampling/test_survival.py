"""Survival functions of all models against quadrature to 50 digits, on a grid of extremes.

The grid: shapes and concentrations from 0.01 to 50 000, counts of a normal prior from 1e-8 to 1e8,
means to 1e6, levels from 1e-6 to 1000. The truth is an integral of the prior's density by Arb, a
ball that holds it; on some points by mpmath as well. What must hold: a relative error below 1e-10,
and where the truth is below 1e-300 an absolute one below 1e-300.
"""

import itertools
import math

import mpmath
import networkx
import numpy as np
import pytest
from flint import acb, arb, arb_poly, ctx

from dpbook.posterior_sampling import lipschitz_profile, models, posterior_pair
from dpbook.posterior_sampling.models import priors
from dpbook.privacy.distributions import Beta, Dirichlet, Exponential, Gamma, Laplace, Normal

LEVELS = (1e-6, 0.01, 0.3, 1.0, 3.0, 12.0, 80.0, 400.0, 1000.0)
SHAPES = (0.01, 0.5, 1.0, 3.0, 100.0, 50_000.0)


@pytest.fixture(autouse=True)
def digits():
    with ctx.workprec(170):
        yield


def close(found, truth):
    """Whether a number is what a narrow ball holds, up to what is asked for."""
    assert truth.is_finite()
    assert float(truth.rad()) <= 1e-12 * abs(float(truth.mid())) + 1e-305
    exact = float(truth.mid())
    assert abs(found - exact) <= max(1e-10 * abs(exact), 1e-300), (found, exact)


def integral(log_density, low, high, *places):
    """Integral of an exponential from low to high, cut about some places of given widths."""
    if not low < high:
        return arb(0)
    steps = [sign * step for step in (0, 1, 4, 12, 40, 150) for sign in (-1, 1)]
    inside = {place + step * width for place, width in places for step in steps}
    cuts = [low, *sorted(arb(cut) for cut in inside if low < cut < high), high]
    total = arb(0)
    for first, last in itertools.pairwise(cuts):
        total += acb.integral(
            lambda s, analytic: log_density(s, analytic).exp(),
            *(acb(first), acb(last)),
            rel_tol=arb(2) ** -64,
            abs_tol=arb("1e-322"),
        ).real
    return total


# --- distributions of one number -----------------------------------------------------------------------------------


def gamma_mass(shape, low=None, high=None):
    """Mass of a gamma distribution of rate 1 between exp(low) and exp(high)."""
    a, width = arb(shape), shape**-0.5
    low = arb(-900 / shape - 40 * width + math.log(shape)) if low is None else low
    high = arb(math.log(shape + 40 * shape**0.5 + 900)) if high is None else high
    place = math.log(shape), width
    return integral(lambda s, _: a * s - s.exp() - a.lgamma(), low, high, place)


def beta_above(a, b, low):
    """Mass of a beta distribution where the logit exceeds a number; in two parts, at 0."""
    first, second, width = arb(a), arb(b), (1 / a + 1 / b) ** 0.5
    norm = (first + second).lgamma() - first.lgamma() - second.lgamma()
    high, middle = arb(math.log(a / b) + 40 * width + 900 / b), math.log(a / b)

    def log_density(v, analytic, less, more):
        return norm + less * v - (less + more) * (1 + v.exp()).log(analytic)

    right = integral(
        lambda v, analytic: log_density(-v, analytic, second, first),
        *(low.max(arb(0)), high, (middle, width), (0.0, 1.0)),
    )
    left = integral(
        lambda v, analytic: log_density(v, analytic, first, second),
        *(low, high.min(arb(0)), (middle, width), (0.0, 1.0)),
    )
    return right + left


def normal_beyond(mean, sd, low):
    """Mass of a normal distribution above a number."""
    high = arb(mean + 40 * sd)

    def log_density(x, _):
        return -(((x - mean) / sd) ** 2) / 2 - (2 * arb.pi()).log() / 2 - arb(sd).log()

    return integral(log_density, low, high, (mean, sd))


def exceeds_rate(prior, t, scale=1.0):
    shape, rate = priors.gamma_parts(prior)
    return gamma_mass(shape, low=(arb(rate) * scale * arb(t)).log())


GAMMAS = [Exponential(2.0), *(Gamma(shape, rate) for shape in SHAPES for rate in (0.25, shape))]
BETAS = [(0.01, 0.02), (0.5, 0.5), (1.0, 3.0), (2.0, 0.01), (300.0, 200.0), (4e4, 5e4)]
BETAS = [Beta(a, b) for a, b in BETAS]


def logit_beyond(distribution, t):
    a, b = priors.beta_parts(distribution)
    return beta_above(a, b, arb(t)) + beta_above(b, a, arb(t))


def geometric(distribution, t):
    a, b = priors.beta_parts(distribution)
    return beta_above(a, b, (arb(t).exp() - 1).log())


def poisson(prior, t):
    shape, rate = priors.gamma_parts(prior)
    middle = arb(rate).log()
    return gamma_mass(shape, high=middle - t) + gamma_mass(shape, low=middle + t)


def larger_of_two(prior, t):
    first, second = (exceeds_rate(distribution, t) for distribution in prior.distributions)
    return first + second - first * second


def mean_is_large(distribution, t, variance):
    most = 2 * arb(variance) * arb(t)
    if most < 1:
        return arb(1)
    mean, sd = float(distribution.mean), float(distribution.sd)
    return normal_beyond(mean, sd, most) + normal_beyond(-mean, sd, most)


def small_variance(prior, t, half):
    shape, rate = priors.gamma_parts(prior)
    return gamma_mass(shape, high=(arb(rate) * half / arb(t)).log())


LOCATION = Normal(0, 1)
ONE_NUMBER = {
    "exponential": (models.Exponential(), GAMMAS, exceeds_rate),
    "Laplace, known location": (models.LaplaceKnownLocation(3.0), GAMMAS[:3], exceeds_rate),
    "Laplace, known scale": (
        models.LaplaceKnownScale(2.0),
        [Laplace(0, 1), LOCATION],
        lambda prior, t: arb(int(t < 0.5)),
    ),
    "Laplace": (
        models.LaplaceBoth(),
        [models.Independent([LOCATION, distribution]) for distribution in GAMMAS[:3]],
        lambda prior, t: exceeds_rate(prior.distributions[1], t),
    ),
    "Bernoulli": (models.Bernoulli(), BETAS, logit_beyond),
    "binomial": (models.Binomial(9), BETAS, logit_beyond),
    "two categories": (
        models.Categorical(2),
        [Dirichlet(priors.beta_parts(distribution)) for distribution in BETAS],
        lambda distribution, t: logit_beyond(Beta(*distribution.concentration), t),
    ),
    "geometric": (models.Geometric(), BETAS, geometric),
    "Poisson": (models.Poisson(), GAMMAS[::2], poisson),
    "beta": (
        models.Beta(),
        [models.Independent(pair) for pair in itertools.pairwise(GAMMAS[::3])],
        larger_of_two,
    ),
    "normal, known mean": (
        models.NormalKnownMean(-5.0),
        GAMMAS[::3],
        lambda prior, t: exceeds_rate(prior, t, arb(2) / 5),
    ),
    "normal, variance": (
        models.NormalVariance(3.0),
        GAMMAS[::2],
        lambda prior, t: small_variance(prior, t, arb(3) / 2),
    ),
    "normal, known variance": (
        models.NormalKnownVariance(0.25),
        [Normal(0, 1), Normal(50.0, 0.125), Normal(-3.0, 100.0), Normal(1e6, 1e3)],
        lambda distribution, t: mean_is_large(distribution, t, 0.25),
    ),
}


@pytest.mark.parametrize("name", ONE_NUMBER)
def test_survival_function_of_one_number_is_the_integral_of_its_density(name):
    model, distributions_of_it, truth = ONE_NUMBER[name]
    for distribution in distributions_of_it:
        profile = lipschitz_profile(model, distribution)
        levels = list(LEVELS)
        if (
            "Poisson" not in name
            and isinstance(distribution, Gamma)
            and float(distribution.shape) > 1
        ):
            size = float(distribution.shape) / float(
                distribution.rate
            )  # about the bulk, where the mass changes
            levels += [size * (1 + k * float(distribution.shape) ** -0.5) for k in (-0.9, 0, 3, 20)]
        for t in levels:
            close(profile.survival(t), truth(distribution, t))


def test_counting_measure_shifts_the_survival_function():
    shifted = lipschitz_profile(models.Binomial(9, base="counting"), Beta(2.0, 0.5))
    for t in (2.5, 12.0, 400.0):
        offset = math.log(9)
        close(shifted.survival(t), logit_beyond(Beta(2.0, 0.5), t - offset))
    assert shifted.survival(2.19) == pytest.approx(1.0, rel=1e-15)


# --- normal records, both parameters unknown --------------------------------------------------------------


NORMAL_GAMMAS = [
    *((0.0, 1.0, 1.0, 1.0, t) for t in (1e-6, 0.5, 15.0, 300.0)),
    *((0.5, 1e-3, 0.01, 1.0, t) for t in (1e-6, 0.5, 100.0)),
    *((50.0, 1e5, 5e4, 5e4, t) for t in (24.0, 25.0, 25.5, 40.0)),  # the kink is narrow
    *((50.0, 1e4, 2.0, 1.0, t) for t in (1.0, 100.0, 1000.0)),
    *((-170.0, 200.0, 102.0, 100.0, t) for t in (60.0, 85.0, 300.0)),
    *((1000.0, 1e6, 2.0, 1.0, t) for t in (10.0, 1000.0, 30_000.0)),
    *((1e6, 1e6, 1e3, 1e3, t) for t in (4.9e5, 5e5, 7.5e5)),
    *((1.0, 1.0, 1.0, 1.0, t) for t in (0.5, 5.0)),
    *((0.9999, 1e8, 5.0, 5.0, t) for t in (0.5, 0.65, 5.0)),
    *((1.0001, 1e8, 5.0, 5.0, t) for t in (0.5, 0.65, 5.0)),
    *((3.0, 1e-6, 0.5, 2.0, t) for t in (5e-5, 500.0)),
    *((1e4, 1e-8, 0.05, 0.5, t) for t in (1e-3, 1.0, 1e3)),
    *((1000.0, 1e-3, 0.01, 1.0, t) for t in (0.5, 50.0)),
]


def both_exceed(mean, count, shape, rate, t):
    """Probability that precision * max(abs(mean), 1) / 2 exceeds t: over s, precision = 2 t exp(-s)."""
    p = 2 * t
    m, k, a, b, product = (arb(v) for v in (mean, count, shape, rate, p))
    start = a * b.log() - a.lgamma()

    def log_of(s, side):
        precision = product * (-s).exp()
        root = (k * product / 2).sqrt() * (-s / 2).exp()
        chance = ((s.exp() - side * m) * root).erfc() / 2
        return (start + a * (product.log() - s) - b * precision).exp() * chance

    last = math.log(4 * abs(mean) + 1) + math.log(2 + 6400 / (count * p))
    places = [(math.log(rate * p / shape), shape**-0.5)]
    if mean:
        width = 1 / math.sqrt(abs(mean) * count * p)
        places.append((math.log(abs(mean)), width))
    steps = [sign * step for step in (0, 1, 3, 8, 20, 60, 200) for sign in (-1, 1)]
    inside = {place + step * width for place, width in places for step in steps}
    cuts = [0.0, *sorted(cut for cut in inside if 0 < cut < last), last]
    total = gamma_mass(shape, low=(b * product).log())
    for low, high in itertools.pairwise(cuts):
        total += acb.integral(
            lambda s, _: log_of(s, 1) + log_of(s, -1),
            *(acb(low), acb(high)),
            rel_tol=arb(2) ** -64,
            abs_tol=arb("1e-322"),
        ).real
    return total


@pytest.mark.parametrize("case", NORMAL_GAMMAS, ids=str)
def test_survival_function_of_mean_and_precision_is_the_integral_of_its_density(case):
    *distribution, t = case
    profile = lipschitz_profile(models.NormalBoth(), models.NormalGamma(*distribution))
    close(profile.survival(t), both_exceed(*distribution, t))


@pytest.mark.parametrize(
    ("mean", "count", "shape", "rate", "t"),
    [(50.0, 1e5, 40.0, 40.0, 25.0), (-170.0, 200.0, 102.0, 100.0, 85.0)],
)
def test_survival_function_of_mean_and_precision_by_mpmath(mean, count, shape, rate, t):
    """Over the mean, a Student distribution: given it, the precision is a gamma variable."""
    found = lipschitz_profile(models.NormalBoth(), models.NormalGamma(mean, count, shape, rate))
    with mpmath.workdps(50):
        a, b, k, m = (mpmath.mpf(v) for v in (shape, rate, count, mean))
        spread = mpmath.sqrt(b / (a * k))

        def given(mu):
            below = b + k * (mu - m) ** 2 / 2
            log = a * mpmath.log(b) - mpmath.loggamma(a) + mpmath.log(k / (2 * mpmath.pi)) / 2
            weight = mpmath.exp(
                log + mpmath.loggamma(a + 0.5) - (a + mpmath.mpf(1) / 2) * mpmath.log(below)
            )
            least = below * 2 * mpmath.mpf(t) / max(abs(mu), 1)
            return weight * mpmath.gammainc(a + mpmath.mpf(1) / 2, least, regularized=True)

        steps = [s * x for x in (0, 1, 3, 6, 10, 20, 50, 200, 1e3, 1e5) for s in (-1, 1)]
        cuts = sorted({m + x * spread for x in steps} | {mpmath.mpf(-1), mpmath.mpf(1)})
        cuts = [-mpmath.inf, *cuts, mpmath.inf]
        truth = mpmath.quad(given, cuts, maxdegree=5)
        assert found.survival(t) == pytest.approx(float(truth), rel=1e-10)


def test_divergence_bound_of_a_hundred_thousand_records_is_no_smaller_than_its_claim():
    """Records N(50, 1): half of the posterior has a Lipschitz constant above its median."""
    x = np.random.default_rng(7).normal(50, 1, 100_000)
    y = x.copy()
    y[0] += 0.01
    pair = posterior_pair(models.NormalBoth(), models.NormalGamma(0, 1, 1, 1), x, y)
    distribution = pair.P
    # mean of precision * abs(mean) / 2, as the mean is far above 1
    exact = 0.5 * distribution.mean * distribution.shape / distribution.rate
    assert pair.mean_lipschitz == pytest.approx((exact, exact), rel=1e-5)
    bound = next(one for one in pair.bounds() if one.claim.endswith("note-divergence-sum"))
    assert bound.value == pytest.approx(2 * exact * pair.distance, rel=1e-5)


# --- several cells ----------------------------------------------------------------------------------------


DIRICHLETS = [
    *(((1.0, 1000.0, 1000.0), t) for t in (1e-6, 0.1, 4.0, 20.0)),
    *(((1.0, 30.0, 30.0), t) for t in (1.0, 60.0, 400.0)),
    *(((1.0, 1.0, 1.0), t) for t in (1e-6, 0.01, 5.0, 600.0)),
    *(((3.0, 4.0, 5.0), t) for t in (1e-3, 1.0, 200.0)),
    *(((20.0, 300.0, 25.0), t) for t in (0.1, 3.0, 20.0)),
    *(((1.0, 2.0, 50.0, 7.0, 9.0), t) for t in (1.0, 30.0)),
]
ROUGH = [
    ((0.1, 100.0, 100.0), 60.0),
    ((0.5, 100.0, 100.0), 60.0),
    ((0.5, 0.5, 0.5), 400.0),
    ((0.5, 0.5, 0.5), 1e-3),
    ((0.01, 0.02, 0.01), 300.0),
    ((0.01, 1.0, 2.0, 5.0), 400.0),
]


def range_of_whole_sizes(concentration, t):
    """With whole concentrations the masses above a place are polynomials times exponentials."""
    cells, grown = range(len(concentration)), arb(t).exp()
    total = arb(0)
    for j in cells:
        others = [i for i in cells if i != j]
        size = int(concentration[j])
        for beyond in itertools.product((False, True), repeat=len(others)):
            if not any(beyond):
                continue
            product = arb_poly([0] * (size - 1) + [1 / arb(size).gamma()])
            decay = arb(1)
            for i, far in zip(others, beyond, strict=True):
                scale, term, terms = (grown if far else arb(1)), arb(1), []
                for k in range(int(concentration[i])):
                    terms.append(term)
                    term *= scale / (k + 1)
                product, decay = product * arb_poly(terms), decay + scale
            sign = -1 if sum(beyond) % 2 == 0 else 1
            moment = sign / decay
            for k, coefficient in enumerate(product.coeffs()):
                total += coefficient * moment
                moment *= (k + 1) / decay
    return total


def range_of_sizes(concentration, t):
    """Over the logarithm of the least of some gamma variables, by Gauss and Legendre."""
    sizes, cells = [arb(g) for g in concentration], range(len(concentration))
    edges = [math.log(2 * max(concentration) + 700)]
    while edges[-1] > -6:
        edges.append(edges[-1] - 0.25)
    while edges[-1] > -120 / min(concentration):
        edges.append(edges[-1] * 1.25)
    rule = [arb.legendre_p_root(24, k, weight=True) for k in range(24)]
    total = arb(0)
    for last, first in itertools.pairwise(edges):
        half = (arb(last) - first) / 2
        for node, weight in rule:
            v = arb(first) + half * (1 + node)
            s = v - t
            low, high = s.exp(), v.exp()
            above = [low.gamma_upper(g, regularized=1) for g in sizes]
            beyond = [high.gamma_upper(g, regularized=1) for g in sizes]
            for j in cells:
                free = within = arb(1)
                for i in cells:
                    if i != j:
                        free, within = free * above[i], within * (above[i] - beyond[i])
                density = (sizes[j] * s - low - sizes[j].lgamma()).exp()
                total += half * weight * density * (free - within)
    return total


@pytest.mark.parametrize("case", DIRICHLETS, ids=str)
def test_survival_function_of_categories_is_its_closed_form_for_whole_concentrations(case):
    concentration, t = case
    model = models.Categorical(len(concentration))
    with ctx.workprec(1000):
        truth = range_of_whole_sizes(concentration, t)
    close(lipschitz_profile(model, Dirichlet(concentration)).survival(t), truth)


@pytest.mark.parametrize("case", ROUGH, ids=str)
def test_survival_function_of_categories_is_the_integral_of_its_density(case):
    concentration, t = case
    model = models.Categorical(len(concentration))
    close(
        lipschitz_profile(model, Dirichlet(concentration)).survival(t),
        range_of_sizes(concentration, t),
    )


def test_small_probabilities_of_a_network_without_edges_keep_their_digits():
    graph = networkx.DiGraph()
    graph.add_node("a", cpt=[0.5, 0.5])
    graph.add_node("b", cpt=[0.2, 0.8])
    network = models.BayesianNetwork(graph)
    profile = lipschitz_profile(network, network.prior(2.0))
    for t in (0.1, 5.0, 30.0, 200.0):
        once = logit_beyond(Beta(2.0, 2.0), t)
        close(profile.survival(t), once * (2 - once))
