"""Appendix A: the steps of the proofs."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Rational,
    Sum,
    binomial,
    diff,
    evaluate,
    exp,
    gamma,
    log,
    oo,
    sqrt,
)

from dpbook import claim, derivative, step
from dpbook.posterior_sampling.any_models import PRIOR, Chances
from dpbook.posterior_sampling.notation import (
    K,
    c,
    cells,
    coin_x,
    coin_y,
    coins,
    delta,
    draws,
    each,
    end,
    epsilon,
    gain,
    hits,
    index,
    kappa,
    kappa_below,
    last,
    n,
    narrow,
    negative,
    omega,
    p_x,
    p_y,
    q,
    q_x,
    q_y,
    radius,
    rate,
    t,
    theta,
    tilt,
    w,
    weight,
    wider,
    x,
    y,
)
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.privacy.distributions import Bernoulli, Binomial, Exponential
from dpbook.privacy.divergences import kl_divergence
from dpbook.privacy.statements import AtLeast, probability

# --- Lemma 1 --------------------------------------------------------------------------------------


@claim(
    "text-a-lemma-1",
    place="Appendix A, proof of Lemma 1, first line, for two records",
    fault="error",
    effect="Lemma 1 survives: the distance of the products is at most the sum of the distances, "
    "so its factor n is not needed (note-lemma-1-sharp).",
)
def log_ratio_of_products_as_printed():
    """Absolute log ratio of two products, as printed."""
    return Eq(Abs(log((p_x * q_x) / (p_y * q_y))), 2 * (Abs(log(p_x / p_y)) + Abs(log(q_x / q_y))))


@claim(
    "text-a-lemma-1-metric",
    place="Appendix A, proof of Lemma 1, second line: it has d in place of rho; for one exponential record the "
    "rate is the Lipschitz constant under the metric |x - y|",
    given=lambda: [x > 0, y > 0],
    try_at=[{rate: 1, x: 2, y: 1}],
    fault="misprint",
    effect="Lemma 1 states its bound with the pseudo-metric, and holds so (lemma-1.i).",
)
def log_ratio_by_the_log_ratio_of_the_records_as_printed():
    """Absolute log ratio of the likelihoods, by the log ratio of the records, as printed."""
    first, second = Exponential(rate).density(x), Exponential(rate).density(y)
    return Le(Abs(log(first / second)), rate * Abs(log(x / y)))


# --- Theorem 1 ------------------------------------------------------------------------------------


@claim(
    "eq-a.1",
    place="eq. A.1, its first line; the two coins of theorem-1.ii, which meet assumption 1",
    fault="error",
    effect="Part (i) of Theorem 1 survives, for there the log ratio is bounded everywhere; the "
    "proof of part (ii) does not.",
)
def divergence_as_a_mean_as_printed():
    """Divergence of two posteriors as a mean under the prior, as printed."""
    return Eq(
        kl_divergence(Bernoulli(coin_x), Bernoulli(coin_y)),
        w * log(coin_x / coin_y) + (1 - w) * log((1 - coin_x) / (1 - coin_y)),
    )


LESS, MORE = AnyEvent("S_1"), AnyEvent("S_2")  # the parameters of constants up to two levels


@claim(
    "text-a-shell",
    place="Appendix A, before eq. A.4, for any prior: S_1 and S_2 are the parameters of constants of at most t and of "
    "at most a larger level; the condition is assumption 2 at t",
    given=lambda: [probability(PRIOR, LESS) >= 1 - exp(-c * t)],
    proof=lambda: [step("at most all", Le(probability(PRIOR, MORE), 1))],
)
def prior_probability_of_a_shell():
    """Prior probability of the constants between two levels."""
    return Le(probability(PRIOR, MORE) - probability(PRIOR, LESS), exp(-c * t))


def shell_bound(width):
    """Right side of eq. A.4 for shells of width `width` / c and datasets at distance 1."""
    return 2 / c * (width / (1 - exp(-width)) ** 2)


@claim(
    "eq-a.4",
    place="eq. A.4, its first and last line; the two coins of theorem-1.ii",
    cites=["eq-a.1", "text-a-shell", "text-a-series"],
    given=coins,
    try_at=[{K: 5015, w: Rational(1, 5015), c: 1, n: 14, omega: Rational(5, 4)}],
    fault="error",
    effect="Theorem 1(ii) fails with it. Two steps are at fault: the mean under the prior (eq-a.1), and "
    "the bound on the ratio of the evidences shell by shell (eq-a.4-evidences).",
)
def divergence_shell_by_shell_as_printed():
    """Divergence of two posteriors, shell by shell, as printed."""
    return Le(kl_divergence(Bernoulli(coin_x), Bernoulli(coin_y)), shell_bound(omega))


@claim(
    "eq-a.4-evidences",
    place="eq. A.4, its second step on the first shell. The shells are to be a partition, so the first one holds the "
    "fair coin, whose constant is 0, and a later one the biased coin: x is all but one, y all ones. The ratio of "
    "the evidences is the same number on every shell",
    cites=["text-a-shell"],
    given=lambda: [*coins, exp(omega / c) < K],
    try_at=[{K: 1000, w: Rational(1, 10**30), c: 10, n: 105, omega: Rational(5, 4)}],
    fault="error",
    effect="The proof of Theorem 1(ii) needs it, beside the mean under the prior (eq-a.1).",
)
def ratio_of_evidences_on_a_shell_as_printed():
    """Logarithm of the ratio of two evidences on the first shell, by its width, as printed."""
    ones, all_but_one = 1 - w + w * gain, 1 - w + w * gain / K
    return Le((1 - w) * log(ones / all_but_one), omega / c)


@claim("text-a-series", place="eq. A.4, the geometric series in its last step; w is c alpha")
def series_of_the_shells():
    """Series in the last step of eq. A.4."""
    return Eq(Sum(index * exp(-omega * (index - 1)), (index, 1, oo)), (1 - exp(-omega)) ** (-2))


def second_derivative():
    """Second derivative of w / (1 - exp(-w))**2, from SymPy's rules of differentiation."""
    with evaluate(True):
        return diff(omega / (1 - exp(-omega)) ** 2, omega, 2)


@claim(
    "text-a-convex",
    scope="that the second derivative is nowhere negative; that the bound is then convex is the mean value theorem",
    place="Appendix A, after eq. A.4; on the left is the second derivative of w / (1 - exp(-w))**2",
)
def convexity_of_the_shell_bound():
    """Convexity of the bound shell by shell, in the width w = c alpha of a shell."""
    return Ge(second_derivative(), 0)


@claim("text-a-stationary", place="Appendix A, after eq. A.4: where the derivative vanishes")
def derivative_of_the_shell_bound():
    """Derivative of the bound in the width of a shell."""
    slope = derivative(omega / (1 - exp(-omega)) ** 2, omega)
    return Eq(slope, exp(-omega) * (exp(omega) - (2 * omega + 1)) / (1 - exp(-omega)) ** 3)


ROOT = (Rational(125643, 100000), Rational(125644, 100000))


@claim(
    "note-omega-rising",
    place="Appendix A, after eq. A.4: the derivative of exp(w) - 2 w is positive from ln 2 on",
    given=[omega >= ROOT[0]],
    proof=lambda: [
        step("the other exponential", Eq(exp(wider), exp(omega) * exp(wider - omega))),
        step("the tangent", Ge(exp(wider - omega), 1 + wider - omega)),
        step("at the smaller width", Gt(exp(omega), 2)),
        step(
            "their product",
            Ge(exp(omega) * exp(wider - omega), exp(omega) * (1 + wider - omega)),
        ),
        step("the slope", Gt(exp(omega) * (wider - omega), 2 * (wider - omega))),
    ],
)
def equation_beyond_its_root():
    """exp(w) - 2 w at two widths beyond the digits of the root."""
    return Gt(exp(wider) - 2 * wider, exp(omega) - 2 * omega)


@claim(
    "text-a-omega",
    scope="all but the intermediate value theorem: that exp(w) - 2 w - 1 is 0 somewhere between two widths at "
    "which it has either sign",
    place="Appendix A, after eq. A.4: the unique root but for 0. There is no root up to 1.25643, nor among "
    "negative arguments, and from there on exp(w) - 2 w rises, so there is at most one; the other parts are the "
    "signs at 1.25643 and 1.25644",
    given=[narrow <= ROOT[0], omega >= ROOT[0]],
    using=["note-omega-rising"],
)
def root_of_the_stationary_equation():
    """Root of exp(w) = 2 w + 1."""
    return [
        Lt(exp(narrow), 2 * narrow + 1),
        Gt(exp(wider) - 2 * wider, exp(omega) - 2 * omega),
        Lt(exp(ROOT[0]), 2 * ROOT[0] + 1),
        Gt(exp(ROOT[1]), 2 * ROOT[1] + 1),
        Gt(exp(negative), 2 * negative + 1),
    ]


@claim(
    "text-a-kappa",
    place="Theorem 1(ii) and Appendix A, after eq. A.4: the constant, at the root",
    given=[omega >= ROOT[0], omega <= ROOT[1]],
)
def constant_of_theorem_1():
    """Constant of Theorem 1(ii), to six digits."""
    return [
        Gt(2 * omega / (1 - exp(-omega)) ** 2, kappa_below),
        Lt(2 * omega / (1 - exp(-omega)) ** 2, kappa),
    ]


@claim(
    "text-a-optimum",
    scope="the least bound, to the six digits of kappa (text-a-kappa): not that the width at the root has it",
    place="Appendix A, after eq. A.4: the optimal width",
    time_limit=60,
)
def least_shell_bound():
    """Bound of eq. A.4 over all widths of a shell."""
    return Ge(2 * omega / (1 - exp(-omega)) ** 2, kappa_below)


# --- Theorem 2 ------------------------------------------------------------------------------------


@claim("eq-a.5-two-cells", place="eq. A.5, for two cells")
def pinsker_on_two_cells():
    """Pinsker's inequality for two Bernoulli distributions."""
    return Ge(
        kl_divergence(Bernoulli(theta), Bernoulli(q)),
        (Abs(theta - q) + Abs((1 - theta) - (1 - q))) ** 2 / 2,
    )


# --- Lemma 2 --------------------------------------------------------------------------------------


@claim("note-hoeffding", place="used for eq. A.6; Hoeffding's lemma for an indicator")
def moment_of_a_centred_indicator():
    """Logarithm of the moment generating function of a centred indicator."""
    return Le(log(1 - theta + theta * exp(tilt)) - tilt * theta, tilt**2 / 8)


def raised():
    """The count from which an event is more frequent than probable by half the radius."""
    return draws * (theta + radius / 2)


@claim(
    "note-markov",
    place="used for eq. A.6: Markov's inequality for exp(2 r (count - level)), at a count",
)
def indicator_below_an_exponential():
    """Indicator of a large count, below an exponential."""
    return Le(
        AtLeast(raised()).indicator(hits), exp(2 * radius * hits) * exp(-2 * radius * raised())
    )


@claim("note-binomial-power", place="used for eq. A.6: the binomial theorem")
def power_of_a_count():
    """Mean of a power of a binomial count."""
    return Eq(
        Sum(binomial(draws, index) * weight**index * end ** (draws - index), (index, 0, draws)),
        (weight + end) ** draws,
    )


@claim(
    "note-binomial-term",
    place="used for eq. A.6, at a count",
    given=lambda: [hits <= draws],
    proof=lambda: [
        step("the exponential", Eq(exp(2 * radius * hits), exp(2 * radius) ** hits)),
        step(
            "of a product",
            Eq((exp(2 * radius) * theta) ** hits, exp(2 * radius) ** hits * theta**hits),
        ),
    ],
)
def term_of_the_moment():
    """Term of the mean of an exponential of a binomial count."""
    return Eq(
        Binomial(draws, theta).density(hits) * exp(2 * radius * hits),
        binomial(draws, hits) * (exp(2 * radius) * theta) ** hits * (1 - theta) ** (draws - hits),
    )


@claim(
    "note-binomial-moment",
    place="used for eq. A.6",
    using=[
        ("note-binomial-power", lambda: {weight: exp(2 * radius) * theta, end: 1 - theta}),
        ("note-binomial-term", lambda: {hits: index}),
    ],
    proof=lambda: [
        step(
            "term by term",
            Eq(
                Sum(
                    Binomial(draws, theta).density(index) * exp(2 * radius * index),
                    (index, 0, draws),
                ),
                Sum(
                    binomial(draws, index)
                    * (exp(2 * radius) * theta) ** index
                    * (1 - theta) ** (draws - index),
                    (index, 0, draws),
                ),
            ),
        ),
    ],
)
def moment_of_a_count():
    """Mean of an exponential of a binomial count."""
    distribution = Binomial(draws, theta)
    return Eq(
        Sum(distribution.density(index) * exp(2 * radius * index), (index, 0, draws)),
        (1 - theta + theta * exp(2 * radius)) ** draws,
    )


@claim(
    "note-chernoff",
    place="used for eq. A.6: the exponent",
    using=[("note-hoeffding", lambda: {tilt: 2 * radius})],
    proof=lambda: [
        step(
            "without the logarithm",
            Le(1 - theta + theta * exp(2 * radius), exp(2 * radius * theta + radius**2 / 2)),
        ),
        step(
            "all draws",
            Le(
                (1 - theta + theta * exp(2 * radius)) ** draws,
                exp(2 * radius * theta + radius**2 / 2) ** draws,
            ),
        ),
        step(
            "its power",
            Eq(
                exp(2 * radius * theta + radius**2 / 2) ** draws,
                exp(draws * (2 * radius * theta + radius**2 / 2)),
            ),
        ),
        step(
            "the level",
            Eq(
                exp(draws * (2 * radius * theta + radius**2 / 2)) * exp(-2 * radius * raised()),
                exp(-draws * radius**2 / 2),
            ),
        ),
    ],
)
def bound_of_a_large_count():
    """Exponential of a level, times the moment of a binomial count."""
    return Le(
        (1 - theta + theta * exp(2 * radius)) ** draws * exp(-2 * radius * raised()),
        exp(-draws * radius**2 / 2),
    )


@claim(
    "note-binomial-mass",
    place="used for eq. A.6",
    given=lambda: [hits <= draws],
    proof=lambda: [
        step("the others", draws - hits + 1 > 0),
        step("their factorial", gamma(draws - hits + 1) > 0),
        step("of the first", gamma(hits + 1) > 0),
        step("the coefficient", binomial(draws, hits) >= 0),
    ],
)
def binomial_mass_is_not_negative():
    """Probability of a binomial count."""
    return Ge(Binomial(draws, theta).density(hits), 0)


@claim(
    "note-markov-count",
    place="used for eq. A.6: Markov's inequality, at a count",
    given=lambda: [hits <= draws],
    using=["note-markov", "note-binomial-mass"],
)
def weighted_indicator():
    """Indicator of a large count, weighted, below an exponential."""
    mass = Binomial(draws, theta).density(hits)
    bound = exp(2 * radius * hits) * exp(-2 * radius * raised())
    return Le(AtLeast(raised()).indicator(hits) * mass, mass * bound)


@claim(
    "note-binomial-tail",
    place="used for eq. A.6: an event of probability theta, among T draws",
    using=[
        "note-binomial-moment",
        "note-chernoff",
        ("note-markov-count", lambda: {hits: hits}),
    ],
    proof=lambda: [
        step(
            "count by count",
            Le(
                probability(Binomial(draws, theta), AtLeast(raised())),
                Sum(
                    Binomial(draws, theta).density(index)
                    * (exp(2 * radius * index) * exp(-2 * radius * raised())),
                    (index, 0, draws),
                ),
            ),
        ),
        step(
            "a factor",
            Eq(
                Sum(
                    Binomial(draws, theta).density(index)
                    * (exp(2 * radius * index) * exp(-2 * radius * raised())),
                    (index, 0, draws),
                ),
                exp(-2 * radius * raised())
                * Sum(
                    Binomial(draws, theta).density(index) * exp(2 * radius * index),
                    (index, 0, draws),
                ),
            ),
        ),
    ],
)
def probability_of_a_large_count():
    """Probability that an event is more frequent among draws than probable, by half the radius."""
    return Le(
        probability(Binomial(draws, theta), AtLeast(raised())),
        exp(-draws * radius**2 / 2),
    )


CHANCE = Chances("q", 0, last)  # the probability of each proper event


def chance_of_deviation(j):
    """Probability that the j-th event is more frequent than probable, by half the radius."""
    return probability(Binomial(draws, CHANCE(j)), AtLeast(draws * (CHANCE(j) + radius / 2)))


def chances_of_deviation():
    """Sum of these probabilities over all proper events."""
    return Sum(chance_of_deviation(index), (index, 0, last))


def all_proper_events():
    """State that there are 2**m - 2 of them: neither empty nor all, counted from 0."""
    return Eq(last, 2**cells - 3)


@claim(
    "note-deviation-of-an-event",
    place="eq. A.6, for each proper event",
    given=lambda: [each <= last],
    using=[("note-binomial-tail", lambda: {theta: CHANCE(each)})],
)
def deviation_of_an_event():
    """Probability that an event is more frequent than probable, by half the radius."""
    return Le(chance_of_deviation(each), exp(-draws * radius**2 / 2))


@claim(
    "note-deviations",
    place="eq. A.6, summed over the proper events",
    given=lambda: [all_proper_events()],
    try_at=[{cells: 2, last: 1, radius: 1, draws: 2}],
    using=[("note-deviation-of-an-event", lambda: {each: each})],
    proof=lambda: [
        step(
            "event by event",
            Le(chances_of_deviation(), Sum(exp(-draws * radius**2 / 2), (index, 0, last))),
        ),
        step(
            "their number",
            Eq(
                Sum(exp(-draws * radius**2 / 2), (index, 0, last)),
                (last + 1) * exp(-draws * radius**2 / 2),
            ),
        ),
    ],
)
def deviations_of_all_events():
    """Sum over all proper events of the probability that they are more frequent than probable."""
    return Le(chances_of_deviation(), (2**cells - 2) * exp(-draws * radius**2 / 2))


@claim(
    "eq-a.6",
    scope="the sum over the proper events of the probability that one is more frequent than probable by half the "
    "radius; that the l1 deviation is twice the largest over these events, so that the sum bounds its "
    "probability, is taken from the print",
    place="eq. A.6: q(j) is the probability of the j-th of the 2**m - 2 proper events, and the number of draws in "
    "it is binomial. Cells of probability 0 are left out: no draw lies in them",
    given=lambda: [all_proper_events()],
    try_at=[{cells: 2, last: 1, radius: 1, draws: 2}],
    using=["note-deviations"],
)
def deviation_over_all_events():
    """Probabilities that an event of m cells is more frequent than probable, over all proper events."""
    return Le(chances_of_deviation(), (2**cells - 2) * exp(-draws * radius**2 / 2))


@claim(
    "note-bounds-at-the-radius",
    place="eq. A.7 and the line before it, without the probability",
    given=lambda: [cells <= log(sqrt(1 / delta)) / log(2)],
)
def bounds_at_the_radius():
    """Bound of eq. A.6, at the radius of Lemma 2."""
    return bounds_of_a_deviation()


@claim(
    "eq-a.7",
    scope="the bounds on the right and of the line before it; that the first of them bounds the probability is "
    "eq-a.6",
    place="eq. A.7 and the line before it",
    cites=["eq-a.6"],
    given=lambda: [cells <= log(sqrt(1 / delta)) / log(2)],
    using=["note-bounds-at-the-radius"],
    without={"eq-a.6": "the step that rests on it is left out, as the scope says"},
)
def deviation_at_the_radius():
    """Bounds on the probability of a deviation, at the radius of Lemma 2."""
    return bounds_of_a_deviation()


def bounds_of_a_deviation():
    """Bounds of eq. A.7 and of the line before it."""
    return [
        Le(
            (2**cells - 2) * exp(-draws * radius**2 / 2),
            exp(cells * log(2) - draws * radius**2 / 2),
        ),
        Le(exp(cells * log(2) - Rational(3, 2) * log(1 / delta)), delta),
    ]


# --- Theorem 3 ------------------------------------------------------------------------------------


@claim(
    "eq-a.9-epsilon",
    place="eq. A.9, its first line, 2 L rho(x, y) >= 2 L epsilon >= D: for the two coins of theorem-1.ii, whose L is "
    "ln K, and any epsilon, since the proof does not say which. Section 4.3 has an epsilon: the radius of the "
    "neighbourhood of x in which y is, and for such a one the first inequality fails",
    cites=["theorem-1.i"],
    fault="misprint",
    effect="None: without 2 L epsilon the line is Theorem 1(i), as eq-a.9 has it.",
)
def divergence_and_the_radius_as_printed():
    """Divergence of two posteriors, by a number epsilon that stands for the distance, as printed."""
    return [
        Ge(2 * log(K), 2 * log(K) * epsilon),
        Ge(2 * log(K) * epsilon, kl_divergence(Bernoulli(coin_x), Bernoulli(coin_y))),
    ]


@claim(
    "eq-a.11",
    place="eq. A.11, as eq. A.10; the two coins of theorem-1.ii, whose posteriors are 2 (u_x - "
    "u_y) apart",
    cites=["lemma-2", "theorem-1.ii"],
    given=lambda: [
        *coins,
        2 * (coin_x - coin_y) >= sqrt(3 / draws * log(1 / delta)),
        delta <= Rational(1, 16),
    ],
    try_at=[
        {K: 1000, w: Rational(1, 10**12), c: 4, n: 44, draws: 3, delta: Rational(1, 16)},
    ],
    fault="error",
    effect="It rests on Theorem 1(ii). Under assumption 2, datasets that are closer than eq. 4.4 "
    "asks for can be told apart.",
)
def distance_and_radius_under_assumption_2_as_printed():
    """Distance of two datasets whose posteriors are apart, under assumption 2, as printed."""
    return Ge(2 * kappa / c, 3 / draws * log(1 / delta))
