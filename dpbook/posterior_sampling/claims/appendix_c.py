"""Appendix C: the proofs of the examples."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Integral,
    Le,
    Lt,
    Max,
    Min,
    Ne,
    Or,
    Piecewise,
    Sum,
    beta,
    betainc,
    binomial,
    exp,
    log,
)

from dpbook import claim, step
from dpbook.posterior_sampling.notation import (
    L,
    alpha,
    apart,
    bound_factor,
    c,
    count,
    entry,
    factor,
    failures,
    gap_0,
    index,
    inner,
    inverse,
    mu,
    n,
    nearer,
    nearest,
    odds,
    other_entry,
    prior_a,
    prior_b,
    rate,
    scale,
    sigma,
    smallest,
    successes,
    t,
    theta,
    whole_alpha,
    x,
    y,
)
from dpbook.privacy.distributions import Beta, Exponential, Laplace, Normal

# --- exponential and Laplace ----------------------------------------------------------------------


@claim("text-c-lemma-3", place="Appendix C, proof of Lemma 3")
def log_ratio_of_exponentials():
    """Absolute log ratio of two exponential densities."""
    return Eq(
        Abs(log(Exponential(rate).density(x) / Exponential(rate).density(y))), rate * Abs(x - y)
    )


def at_most_the_constant():
    """Records and a rate at which the log ratio of two exponential densities has the constant L."""
    first, second = Exponential(inverse).density(x), Exponential(inverse).density(y)
    return [Ne(x, y), Le(Abs(log(first / second)), L * Abs(x - y))]


@claim(
    "text-c-lemma-3-set",
    place="Appendix C, proof of Lemma 3: the rates of constant at most L are those of the open interval (0, L)",
    given=at_most_the_constant,
    cites=["text-c-lemma-3"],
    fault="boundary",
    effect="None: one rate has the prior probability 0.",
)
def rates_of_a_small_constant_as_printed():
    """Exponential rate whose Lipschitz constant is at most L, as printed."""
    return Lt(inverse, L)


@claim(
    "text-c-lemma-3-set-corrected",
    place="Appendix C, proof of Lemma 3, repaired",
    corrects=["text-c-lemma-3-set"],
    why="At the rate L the constant is L, so the interval has this end.",
    given=at_most_the_constant,
    cites=["text-c-lemma-3"],
    using=[("text-c-lemma-3", lambda: {rate: inverse})],
)
def rates_of_a_small_constant():
    """Exponential rate whose Lipschitz constant is at most L, repaired."""
    return Le(inverse, L)


@claim("text-c-lemma-4", place="Appendix C, proof of Lemma 4, its display")
def log_ratio_of_laplaces():
    """Absolute log ratio of two Laplace densities."""
    ratio = Laplace(mu, scale).density(x) / Laplace(mu, scale).density(y)
    return [
        Eq(Abs(log(ratio)), Abs(Abs(x - mu) - Abs(y - mu)) / scale),
        Le(Abs(Abs(x - mu) - Abs(y - mu)) / scale, Abs(x - y) / scale),
    ]


@claim(
    "text-c-lemma-4-link",
    place="Appendix C, proof of Lemma 4, last sentence: |X - mu| is exponential of rate 1 / s",
)
def distance_from_the_centre_of_a_laplace_distribution():
    """Distance of a Laplace variable from its centre."""
    return Eq(Integral(Laplace(mu, scale).density(x), (x, mu - t, mu + t)), 1 - exp(-t / scale))


# --- binomial -------------------------------------------------------------------------------------


def posterior_parameters():
    """Parameters of the posterior of a success probability."""
    return prior_a + successes, prior_b + failures


@claim(
    "text-c-posterior",
    place="Appendix C, proof of Lemma 5: the posterior is a beta-binomial distribution. That is the distribution of "
    "a count, here of the ones among as many further tosses",
    try_at=[{prior_a: 1, prior_b: 1, successes: 1, failures: 1}],
    fault="misprint",
    effect="None: the proof of Lemma 5 is about the prior, which is a beta distribution, as printed.",
)
def mean_of_the_posterior_as_printed():
    """Mean of the posterior of a success probability, against a beta-binomial mean, as printed."""
    first, second = posterior_parameters()
    return Eq(
        Integral(inner * Beta(first, second).density(inner), (inner, 0, 1)),
        (successes + failures) * first / (first + second),
    )


@claim(
    "text-c-posterior-corrected",
    place="Appendix C, proof of Lemma 5, repaired",
    corrects=["text-c-posterior"],
    why="The posterior of a success probability is a beta distribution. The beta-binomial distribution is that of "
    "the next count.",
)
def posterior_of_a_success_probability():
    """Posterior of a success probability under a beta prior, repaired."""
    joint = Beta(prior_a, prior_b).density(theta) * theta**successes * (1 - theta) ** failures
    return Eq(
        joint / Integral(joint, (theta, 0, 1)),
        Beta(*posterior_parameters()).density(theta),
    )


def log_binomial(k):
    """Logarithm of the number of subsets of size k."""
    return log(binomial(n, k))


def slope_at(k):
    """Slope of the logarithm of the binomial coefficients, from one count to the next."""
    return log_binomial(k + 1) - log_binomial(k)


@claim(
    "note-slope",
    place="Appendix C, proof of Lemma 5, between neighbours",
    proof=lambda: [
        step(
            "neighbours",
            Eq((count + 1) * binomial(n, count + 1), (n - count) * binomial(n, count)),
        ),
        step(
            "their quotient",
            Eq(binomial(n, count + 1), (n - count) / (count + 1) * binomial(n, count)),
        ),
        step("in logarithms", Eq(slope_at(count), log((n - count) / (count + 1)))),
        step("its range", Le(Abs(log((n - count) / (count + 1))), log(n))),
    ],
)
def slope_between_neighbours():
    """Slope of the logarithm of the binomial coefficients between neighbours."""
    return [
        Eq(slope_at(count), log((n - count) / (count + 1))),
        Le(slope_at(count), log(n)),
        Le(-slope_at(count), log(n)),
    ]


def slopes(sign):
    """Sum of the slopes between neighbours from one count to another, with a sign."""
    return Sum(sign * slope_at(index), (index, count, count + apart - 1))


@claim(
    "note-chord-slopes",
    place="Appendix C, proof of Lemma 5: a chord is as long as the slopes between neighbours together",
    using=[("note-slope", lambda: {count: index})],
    proof=lambda: [
        step("upwards", Eq(slopes(1), log_binomial(count + apart) - log_binomial(count))),
        step("downwards", Eq(slopes(-1), log_binomial(count) - log_binomial(count + apart))),
        step("as many slopes", Eq(Sum(log(n), (index, count, count + apart - 1)), apart * log(n))),
        step("each from above", Le(slopes(1), Sum(log(n), (index, count, count + apart - 1)))),
        step("each from below", Le(slopes(-1), Sum(log(n), (index, count, count + apart - 1)))),
    ],
)
def differences_of_the_log_binomial():
    """Difference of the logarithms of two binomial coefficients."""
    return [
        Le(log_binomial(count + apart) - log_binomial(count), apart * log(n)),
        Le(log_binomial(count) - log_binomial(count + apart), apart * log(n)),
    ]


@claim(
    "note-falling-slopes",
    place="Appendix C, proof of Lemma 5: the slopes fall",
    given=[count + 2 <= n],
    using=["note-slope", ("note-slope", lambda: {count: count + 1})],
    proof=lambda: [
        step("quotients", Le((n - (count + 1)) / (count + 1 + 1), (n - count) / (count + 1))),
        step(
            "their logarithms",
            Le(log((n - (count + 1)) / (count + 1 + 1)), log((n - count) / (count + 1))),
        ),
    ],
)
def concavity_of_the_log_binomial():
    """Logarithms of three neighbouring binomial coefficients."""
    return Ge(2 * log_binomial(count + 1), log_binomial(count) + log_binomial(count + 2))


@claim(
    "note-outer-slopes",
    place="Appendix C, proof of Lemma 5: the first and the last slope",
    proof=lambda: [
        step("the first two", [Eq(binomial(n, 0), 1), Eq(binomial(n, 1), n)]),
        step("the last two", [Eq(binomial(n, n), 1), Eq(binomial(n, n - 1), n)]),
    ],
)
def first_and_last_slope():
    """First and last slope of the logarithm of the binomial coefficients."""
    return [
        Eq(log_binomial(1) - log_binomial(0), log(n)),
        Eq(log_binomial(n) - log_binomial(n - 1), -log(n)),
    ]


@claim(
    "text-c-slopes",
    place="Appendix C, proof of Lemma 5, for n >= 2: ln binomial is concave in the count, and the slope of a chord is between "
    "that from 0 to 1, which is ln n, and that from n - 1 to n",
    given=[count + 2 <= n],
    using=["note-chord-slopes", "note-falling-slopes", "note-outer-slopes"],
)
def slopes_of_the_log_binomial():
    """Slopes of the chords of the logarithm of the binomial coefficients."""
    return [
        Ge(2 * log_binomial(count + 1), log_binomial(count) + log_binomial(count + 2)),
        Le(slope_of_a_chord(), log(n)),
        Ge(slope_of_a_chord(), -log(n)),
        Eq(log_binomial(1) - log_binomial(0), log(n)),
        Eq(log_binomial(n) - log_binomial(n - 1), -log(n)),
    ]


@claim(
    "text-c-slope-range",
    place="Appendix C, proof of Lemma 5: the largest and the smallest slope, at the counts 0 and "
    "n - 1",
)
def range_of_the_slopes():
    """Range of the slopes of the logarithm of the binomial coefficients."""
    return Le(Abs(log((n - count) / (count + 1))), log(n))


@claim(
    "eq-c.1",
    place="eq. C.1 and the supremum after it: of all chords, at the counts 0 and 1 or at n - 1 and n",
    given=lambda: [count + apart <= n],
    using=["note-chord-slopes", "note-outer-slopes"],
    proof=lambda: [
        step("the slope of a chord, from above", Le(slope_of_a_chord(), log(n))),
        step("from below", Ge(slope_of_a_chord(), -log(n))),
    ],
)
def lipschitz_constant_of_the_binomial():
    """Lipschitz constant of the binomial family."""
    first, last = log_binomial(1) - log_binomial(0), log_binomial(n) - log_binomial(n - 1)
    return [
        Le(Abs(slope_of_a_chord() + odds), log(n) + Abs(odds)),
        Eq(Max(Abs(first + odds), Abs(last + odds)), log(n) + Abs(odds)),
    ]


def slope_of_a_chord():
    """Slope of a chord of the logarithm of the binomial coefficients."""
    return (log_binomial(count + apart) - log_binomial(count)) / apart


def largest_excess():
    """Supremum of eq. 2.5 over all counts for the binomial family, by eq. C.1: 0 where they are equal."""
    return Max(0, log(n) + Abs(odds) - L)


@claim(
    "text-c-supremum",
    place="Appendix C, proof of Lemma 5, before eq. C.1: the L for which the supremum of eq. 2.5 is not negative",
    given=lambda: [largest_excess() >= 0],
    cites=["eq-c.1"],
    try_at=[{n: 1, odds: 2, L: 1}],
    fault="misprint",
    effect="Eq. C.1 goes on with the L for which the supremum is at most 0 (text-c-supremum-corrected).",
)
def feasible_constants_as_printed():
    """Lipschitz constant of the binomial family, from the sign of the supremum, as printed."""
    return Le(log(n) + Abs(odds), L)


@claim(
    "text-c-supremum-corrected",
    place="Appendix C, proof of Lemma 5, before eq. C.1, repaired",
    corrects=["text-c-supremum"],
    why="Two equal counts make the supremum at least 0 for every L. Eq. 2.5 asks for at most 0.",
    given=lambda: [largest_excess() <= 0],
)
def feasible_constants():
    """Lipschitz constant of the binomial family, from the sign of the supremum, repaired."""
    return Le(log(n) + Abs(odds), L)


def interval_end():
    """Lower end of the parameters of constant at most L, as the proof has it."""
    return 1 / (1 + exp(L) / n)


@claim(
    "text-c-interval",
    place="Appendix C, proof of Lemma 5: the set of eq. 2.5 for L >= ln n, in both directions",
    given=lambda: [log(n) <= L],
    proof=lambda: [
        step("the logarithm of the odds at the upper end", Eq(log(exp(L) / n), L - log(n))),
        step("at the lower end", Eq(log(n / exp(L)), log(n) - L)),
        step(
            "beyond the upper end",
            Or(theta <= 1 / (1 + n / exp(L)), log(theta / (1 - theta)) > log(exp(L) / n)),
        ),
        step(
            "up to the upper end",
            Or(theta > 1 / (1 + n / exp(L)), log(theta / (1 - theta)) <= log(exp(L) / n)),
        ),
        step(
            "beyond the lower end",
            Or(theta >= interval_end(), log(theta / (1 - theta)) < log(n / exp(L))),
        ),
        step(
            "up to the lower end",
            Or(theta < interval_end(), log(theta / (1 - theta)) >= log(n / exp(L))),
        ),
    ],
)
def parameters_of_a_small_constant():
    """Parameters at which the binomial family has a constant of at most L."""
    constant = log(n) + Abs(log(theta / (1 - theta)))
    other_end = 1 / (1 + n / exp(L))
    return [
        Or(theta < interval_end(), theta > other_end, constant <= L),
        Or(constant > L, theta >= interval_end()),
        Or(constant > L, theta <= other_end),
    ]


def below(end):
    """Integral of a symmetric beta density up to a point, without its constant."""
    return betainc(alpha, alpha, 0, end)


def excess(end):
    """Return the excess of the bound on the mass near 0 over this integral, without constants."""
    return end**alpha / alpha - below(end)


@claim(
    "note-beta-integrand",
    place="Appendix C, proof of Lemma 5: the integrand of the mass near 0",
    given=[alpha > 1],
    proof=lambda: [
        step("a power", Le(theta ** (alpha - 1), 1)),
        step("the other one", Lt((1 - theta) ** (alpha - 1), 1)),
    ],
)
def integrand_of_a_beta_distribution():
    """Density of a symmetric beta distribution, without its constant."""
    density = theta ** (alpha - 1) * (1 - theta) ** (alpha - 1)
    return [Gt(density, 0), Le(density, 1), Lt(density, theta ** (alpha - 1))]


@claim(
    "note-mass-by-the-width",
    place="Appendix C, proof of Lemma 5: a first bound on the mass near 0",
    given=[alpha > 1],
    using=[("note-beta-integrand", lambda: {theta: nearer})],
)
def mass_by_the_width():
    """Integral of a symmetric beta density near 0, by the width."""
    return Ge(nearer - below(nearer), 0)


@claim(
    "note-excess-rises",
    place="Appendix C, proof of Lemma 5: the bound on the mass exceeds it by more at a larger end",
    given=[alpha > 1],
    using=[
        ("note-beta-integrand", lambda: {theta: nearer}),
        ("note-mass-by-the-width", lambda: {nearer: nearest}),
    ],
    proof=lambda: [
        step("a power", nearest**alpha / alpha >= 0),
        step("at the smaller end", excess(nearest) >= -nearest),
    ],
)
def excess_from_a_smaller_end():
    """Excess of the bound on the mass, from the excess at any smaller end."""
    return Ge(excess(nearer), -nearest)


@claim(
    "note-excess-by-a-gap",
    place="Appendix C, proof of Lemma 5",
    given=[alpha > 1],
    using=[("note-excess-rises", lambda: {nearest: Min(nearer, gap_0)})],
    proof=lambda: [step("an end", Min(nearer, gap_0) <= gap_0)],
)
def excess_above_every_negative_number():
    """Excess of the bound on the mass, against any negative number."""
    return Ge(excess(nearer), -gap_0)


def half_below(number):
    """Half the size of a negative number, and 1 for another one."""
    return Piecewise((-number / 2, number < 0), (Integer(1), True), evaluate=False)


@claim(
    "note-excess-weak",
    place="Appendix C, proof of Lemma 5",
    given=[alpha > 1],
    using=[("note-excess-by-a-gap", lambda: {gap_0: half_below(excess(nearer))})],
)
def excess_is_not_negative():
    """Excess of the bound on the mass."""
    return Ge(excess(nearer), 0)


@claim(
    "note-excess-of-the-mass",
    place="Appendix C, proof of Lemma 5",
    given=[alpha > 1, nearest < nearer],
    using=[
        ("note-beta-integrand", lambda: {theta: nearer}),
        ("note-excess-weak", lambda: {nearer: nearest}),
    ],
)
def excess_is_positive():
    """Excess of the bound on the mass, strictly."""
    return Gt(excess(nearer), 0)


@claim(
    "text-c-mass",
    place="Appendix C, proof of Lemma 5: the mass below z, twice, against the last bound of the display",
    given=[alpha > 1],
    using=[("note-excess-of-the-mass", lambda: {nearest: nearer / 2})],
    proof=lambda: [
        step("the integral", Eq(mass_integral(), below(nearer))),
        step("the constant", 2 / beta(alpha, alpha) > 0),
    ],
)
def mass_near_zero():
    """Mass of a symmetric beta distribution near 0 and near 1."""
    return Lt(
        2 / beta(alpha, alpha) * mass_integral(),
        2 / beta(alpha, alpha) * (1 / alpha) * nearer**alpha,
    )


def mass_integral():
    """Integral of a symmetric beta density up to z, without its constant."""
    return Integral(inner ** (alpha - 1) * (1 - inner) ** (alpha - 1), (inner, 0, nearer))


@claim(
    "note-exponential-quotient",
    place="Appendix C, proof of Lemma 5: (n + exp(L))**(-alpha) against exp(-alpha L), as a quotient",
)
def power_over_an_exponential():
    """Power of the interval's end, over an exponential."""
    return Lt((1 + n * exp(-L)) ** (-alpha), 1)


@claim(
    "text-c-exponential",
    place="Appendix C, proof of Lemma 5: the power of z at the end of the interval, and its bound",
    using=["note-exponential-quotient"],
    proof=lambda: [
        step("the sum", Eq(n + exp(L), exp(L) * (1 + n * exp(-L)))),
        step(
            "its power",
            Eq(
                (exp(L) * (1 + n * exp(-L))) ** (-alpha),
                exp(-alpha * L) * (1 + n * exp(-L)) ** (-alpha),
            ),
        ),
    ],
)
def power_below_an_exponential():
    """Power of the interval's end, below an exponential."""
    return [
        Eq((1 + exp(L) / n) ** (-alpha), n**alpha * (n + exp(L)) ** (-alpha)),
        Lt((n + exp(L)) ** (-alpha), exp(-alpha * L)),
    ]


def mass_factor(size):
    """The factor v of the proof of Lemma 5."""
    return 2 / beta(alpha, alpha) * (1 / alpha) * size**alpha


@claim(
    "text-c-rate",
    place="Appendix C, last display of the proof of Lemma 5",
    given=lambda: [alpha > 1, log(n) <= L, c <= log(1 / mass_factor(n)) + alpha],
    fault="error",
    effect="Lemma 5 does not survive this way. The printed rate is negative from n = 2 on "
    "for whole alpha (note-lemma-5-negative).",
)
def rate_from_the_mass_as_printed():
    """Rate from the bound on the mass, as printed."""
    return Le(mass_factor(n) * exp(-alpha * L), exp(-c * L))


@claim(
    "text-c-rate-corrected",
    place="Appendix C, last display of the proof of Lemma 5, repaired",
    corrects=["text-c-rate"],
    why="The logarithm of v is not multiplied by L, so it has to be divided by it.",
    given=lambda: [c <= log(1 / bound_factor) / L + alpha],
)
def rate_from_the_mass():
    """Rate from the bound on the mass, repaired."""
    return Le(bound_factor * exp(-alpha * L), exp(-c * L))


@claim(
    "note-lemma-5-negative",
    place="Appendix C, last display of the proof of Lemma 5: the printed rate for whole alpha",
    given=[n >= 2],
    proof=lambda: [
        step(
            "the factor v",
            Eq(
                2 / beta(whole_alpha, whole_alpha) * (1 / whole_alpha) * n**whole_alpha,
                n**whole_alpha * binomial(2 * whole_alpha, whole_alpha),
            ),
        ),
        step("binomials", Ge(binomial(2 * whole_alpha, whole_alpha), 2**whole_alpha)),
        step("as n is at least 2", Ge(n**whole_alpha, 2**whole_alpha)),
        step(
            "together",
            Ge(
                n**whole_alpha * binomial(2 * whole_alpha, whole_alpha),
                2**whole_alpha * 2**whole_alpha,
            ),
        ),
        step(
            "as an exponential", Eq(2**whole_alpha * 2**whole_alpha, exp(2 * log(2) * whole_alpha))
        ),
        step("4 is above e", Gt(exp(2 * log(2) * whole_alpha), exp(whole_alpha))),
        step("so", Gt(whole_factor(), exp(whole_alpha))),
        step("in logarithms", Gt(log(whole_factor()), whole_alpha)),
    ],
    time_limit=60,
)
def printed_rate():
    """Rate that the proof of Lemma 5 ends with."""
    return Lt(log(1 / whole_factor()) + whole_alpha, 0)


def whole_factor():
    """The factor v of the proof of Lemma 5, for whole alpha."""
    return 2 / beta(whole_alpha, whole_alpha) * (1 / whole_alpha) * n**whole_alpha


# --- normal ---------------------------------------------------------------------------------------


@claim("text-c-lemma-6", place="Appendix C, proof of Lemma 6, first sentence")
def log_ratio_of_normals():
    """Absolute log ratio of two normal densities."""
    ratio = Normal(mu, sigma).density(x) / Normal(mu, sigma).density(y)
    return Eq(2 * sigma**2 * Abs(log(ratio)), Abs(2 * mu - x - y) * Abs(x - y))


@claim("text-c-lemma-6-bound", place="Appendix C, proof of Lemma 6, its display")
def lipschitz_bound_of_the_normal():
    """Absolute log ratio of two normal densities, bounded."""
    return Le(
        Abs((x - mu) ** 2 - (y - mu) ** 2) / (2 * sigma**2),
        factor / (2 * sigma**2) * (Abs(x**2 - y**2) + 2 * Abs(x - y)),
    )


@claim(
    "note-lemma-6-tight",
    place="Lemma 6: no smaller constant will do. Records 1 and -1 reach |mu|, and records r and "
    "r + 1 tend to 1 as r grows",
)
def tightness_of_the_normal_constant():
    """Lipschitz constant of the normal family, from below."""
    far = Abs((n - mu) ** 2 - (n + 1 - mu) ** 2)
    return [
        Eq(Abs((1 - mu) ** 2 - (-1 - mu) ** 2), Abs(mu) * (Abs(1 - 1) + 2 * Abs(1 - (-1)))),
        Ge(far, Abs(n**2 - (n + 1) ** 2) + 2 * Abs(n - (n + 1)) - 2 * (1 + Abs(mu))),
    ]


# --- networks -------------------------------------------------------------------------------------


@claim(
    "text-c-lemma-7",
    place="Appendix C, proof of Lemma 7, below eq. C.2: ln(1/epsilon_0) serves as L",
)
def log_ratio_of_two_entries():
    """Absolute log ratio of two entries of a table."""
    return Le(Abs(log(entry / other_entry)), log(1 / smallest))
