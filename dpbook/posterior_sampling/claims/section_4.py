"""Section 4: privacy of posterior draws, and the use of draws by an adversary."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Le,
    Lt,
    Rational,
    Sum,
    cosh,
    exp,
    gamma,
    log,
    lowergamma,
    sqrt,
    tanh,
)

from dpbook import Noted, claim, step
from dpbook.posterior_sampling.claims.appendix_a import CHANCE, all_proper_events
from dpbook.posterior_sampling.notation import (
    L_0,
    K,
    L,
    R,
    a,
    c,
    cells,
    coin_x,
    coin_y,
    coins,
    delta,
    draws,
    evidence_0,
    evidence_y,
    f,
    highest,
    index,
    inside,
    kappa,
    kappa_below,
    kept_x,
    kept_y,
    last,
    level,
    lost_x,
    lost_y,
    lowest,
    mean_ratio,
    mean_root,
    more,
    n,
    one_log_ratio,
    outside,
    overlap,
    p_x,
    p_y,
    part_x,
    part_y,
    peak_x,
    peak_y,
    radius,
    rare_rate,
    rate,
    record,
    rho,
    share,
    size,
    spread,
    sum_x,
    sum_y,
    t,
    tail_x,
    tail_y,
    theta_0,
    variation,
    w,
    weight,
)
from dpbook.privacy.distributions import Binomial
from dpbook.privacy.statements import AtLeast, probability

# --- one draw under assumption 1 ------------------------------------------------------------------


@claim(
    "note-theorem-2-sharp",
    place="Theorem 2(i): two parameters, f = a with posterior probability p, and f = -a; as p "
    "tends to 1 the ratio of the posteriors at f = -a tends to exp(2 a)",
)
def ratio_of_posteriors_on_two_parameters():
    """Ratio of two posteriors at a rare parameter, against the bound."""
    ratio = (share * exp(a) + (1 - share) * exp(-a)) / exp(-a)
    return Eq(exp(2 * a) - ratio, (1 - share) * (exp(2 * a) - 1))


@claim(
    "note-oscillation",
    place="Theorem 2(i), sharpened: the range of the log likelihood ratio over the parameters, "
    "whatever it is, bounds the log ratio of the posteriors",
    given=lambda: [
        lowest <= one_log_ratio,
        one_log_ratio <= highest,
        exp(lowest) <= mean_ratio,
        mean_ratio <= exp(highest),
    ],
)
def oscillation_of_the_log_ratio():
    """Log ratio of two posteriors, from the range of the log likelihood ratio."""
    return Le(Abs(log(mean_ratio) - one_log_ratio), highest - lowest)


def half_tanh():
    """tanh(a / 2) by exponentials."""
    return (exp(a) - 1) / (exp(a) + 1)


@claim(
    "note-total-variation",
    place="Theorem 2 under assumption 1, in total variation: p is the probability of an event "
    "under the posterior of x, and the conditions bound the mean of exp(f) on it and off it",
    given=lambda: [inside <= share * exp(a), outside >= (1 - share) * exp(-a)],
    proof=lambda: [
        step("by exponentials", Eq(tanh(a / 2), half_tanh())),
        step(
            "the worst means",
            Le(
                inside / (inside + outside),
                share * exp(a) / (share * exp(a) + (1 - share) * exp(-a)),
            ),
        ),
        step(
            "the worst event",
            Le(
                share * exp(a) / (share * exp(a) + (1 - share) * exp(-a)) - share,
                half_tanh(),
            ),
        ),
    ],
)
def total_variation_under_assumption_1():
    """Total variation of two posteriors under assumption 1."""
    return Le(inside / (inside + outside) - share, tanh(a / 2))


@claim("note-total-variation-attained", place="two parameters, with f = a and f = -a")
def total_variation_of_two_extreme_parameters():
    """Total variation of two posteriors on two parameters, the worst case."""
    likely = 1 / (1 + exp(a))
    other = likely * exp(a) / (likely * exp(a) + (1 - likely) * exp(-a))
    return Eq(other - likely, tanh(a / 2))


@claim(
    "note-affinity-chord",
    place="used by note-affinity",
    proof=lambda: [
        step(
            "the root lies between its ends",
            Ge((exp(a / 2) - exp(f / 2)) * (exp(f / 2) - exp(-a / 2)), 0),
        ),
    ],
)
def ratio_below_a_multiple_of_its_root():
    """Likelihood ratio, below a multiple of its root."""
    return Le(exp(f), 2 * cosh(a / 2) * exp(f / 2) - 1)


@claim(
    "note-affinity",
    place="Section 4.3 under assumption 1; the condition is the mean of note-affinity-chord",
    given=lambda: [mean_ratio <= 2 * cosh(a / 2) * mean_root - 1],
)
def affinity_from_its_mean():
    """Hellinger affinity of two posteriors under assumption 1."""
    return Ge(mean_root / sqrt(mean_ratio), 1 / cosh(a / 2))


# --- one draw under assumption 2 ------------------------------------------------------------------


@claim(
    "theorem-2.ii",
    place="Theorem 2(ii), for the event that the coin is biased; n tosses, all ones against all "
    "but one; the condition is assumption 2",
    cites=["theorem-1.ii", "eq-a.5"],
    given=coins,
    try_at=[{K: 71, w: Rational(1, 71**4), c: 4, n: 28}],
    fault="error",
    effect="No function of c alone can take the place of the bound (note-no-bound). The total "
    "variation is bounded with the largest densities of the posteriors (theorem-2.ii-corrected).",
)
def total_variation_under_assumption_2_as_printed():
    """Total variation of two posteriors under assumption 2, as printed."""
    return Le(coin_x - coin_y, sqrt(kappa / (2 * c)))


@claim(
    "theorem-2.ii-exponential",
    place="Theorem 2(ii), for the model of Lemma 3 with n records and the summed metric, and the "
    "event that the rate is below a level",
    cites=["lemma-3", "lemma-1.ii"],
    try_at=[{rate: 1, sum_x: 0, sum_y: Rational(1, 5), n: 200, level: 183}],
    fault="error",
    effect="As for theorem-2.ii. For one record it follows from eq. A.5 and note-one-exponential.",
)
def total_variation_of_exponential_posteriors_as_printed():
    """Probability of an event under two posteriors of an exponential rate, as printed."""
    below_x = lowergamma(n + 1, (rate + sum_x) * level)
    below_y = lowergamma(n + 1, (rate + sum_y) * level)
    return Le(Abs(below_x - below_y) / gamma(n + 1), sqrt(kappa / (2 * rate) * (sum_y - sum_x)))


@claim(
    "theorem-2.ii-one-record",
    place="Theorem 2(ii), for one exponential record, 0 against y, and the event that the rate is "
    "the rare one, R; the conditions are assumption 2 with c = 1",
    given=rare_rate,
    try_at=[{R: 25, theta_0: Rational(1, 10**11), record: Rational(3, 10)}],
    fault="error",
    effect="As for theorem-2.ii: one record is enough.",
)
def total_variation_of_posteriors_of_a_rare_rate_as_printed():
    """Probability of a rare rate under two posteriors of one record, as printed."""
    weight_0, weight_y = exp(-R) * R, exp(-R) * R * exp(-R * record)
    return Le(weight_0 / evidence_0 - weight_y / evidence_y, sqrt(kappa / 2 * record))


def event_with_tail(inner, lost, tail):
    """Return the probability of an event, from its parts with small and with large constants."""
    return (1 - tail) * inner + tail * lost


@claim(
    "note-theorem-2.ii-parts",
    place="Theorem 2(ii), repaired, for any event, any t and assumption 2 from L_0 on, from the part with "
    "small constants and the tails of both posteriors, with a peak for each dataset",
    given=lambda: [
        kept_x - kept_y <= tanh(t * rho / 2),
        tail_x <= peak_x * exp(-c * (t - L_0)),
        tail_y <= peak_y * exp(-c * (t - L_0)),
    ],
)
def total_variation_from_parts():
    """Total variation of two posteriors, from the part on small constants and the tails."""
    return Le(
        event_with_tail(kept_x, lost_x, tail_x) - event_with_tail(kept_y, lost_y, tail_y),
        tanh(t * rho / 2) + (peak_x + peak_y) * exp(-c * (t - L_0)),
    )


# --- the mechanism --------------------------------------------------------------------------------


@claim("algorithm-1", place="Algorithm 1")
def posterior_sampling():
    """Posterior sampling query model."""
    return Noted("an algorithm: each query is answered with a draw of its own")


@claim(
    "note-two-answers",
    place="Section 4.2: two answers that are both the rarer of two parameters, f = -a, where each "
    "has posterior probability 1/2 given x",
)
def ratio_after_two_answers():
    """Ratio of the posteriors after two answers, against the loss of one."""
    return Gt((cosh(a) / exp(-a)) ** 2, exp(2 * a))


@claim("example-1", place="Example 1")
def conditional_expectations():
    """Queries of conditional expectations."""
    return Noted("an example of queries: functions of a draw, as private as the draw")


# --- the adversary --------------------------------------------------------------------------------


@claim(
    "note-lemma-2-bound",
    place="Lemma 2, eq. 4.2: the bound of eq. A.6 at the radius",
    given=lambda: [cells <= log(sqrt(1 / delta)) / log(2)],
    using=[("note-bounds-at-the-radius", lambda: {radius: radius_of_lemma_2()})],
    proof=lambda: [
        step("the square", Eq(radius_of_lemma_2() ** 2, 3 / draws * log(1 / delta))),
        step(
            "the exponent",
            Eq(
                cells * log(2) - draws * radius_of_lemma_2() ** 2 / 2,
                cells * log(2) - Rational(3, 2) * log(1 / delta),
            ),
        ),
        step(
            "its exponential",
            Eq(
                exp(cells * log(2) - draws * radius_of_lemma_2() ** 2 / 2),
                exp(cells * log(2) - Rational(3, 2) * log(1 / delta)),
            ),
        ),
    ],
)
def bound_at_the_radius():
    """Bound on the probability that the empirical distribution deviates by more than the radius."""
    return Le((2**cells - 2) * exp(-draws * sqrt(3 / draws * log(1 / delta)) ** 2 / 2), delta)


def radius_of_lemma_2():
    """Radius of eq. 4.2."""
    return sqrt(3 / draws * log(1 / delta))


def chances_at_the_radius():
    """Sum over the proper events of the probability that one is too frequent by half the radius."""
    level = draws * (CHANCE(index) + radius_of_lemma_2() / 2)
    return Sum(
        probability(Binomial(draws, CHANCE(index)), AtLeast(level)),
        (index, 0, last),
    )


@claim(
    "lemma-2",
    scope="the sum of the probabilities over the proper events of the partition, as for eq. A.6: that it bounds "
    "the probability of the l1 deviation is taken from the print",
    place="Lemma 2, eq. 4.2: for any distribution of the draws and any partition, by the probabilities of its events",
    cites=["eq-a.6", "eq-a.7"],
    given=lambda: [all_proper_events(), cells <= log(sqrt(1 / delta)) / log(2)],
    try_at=[{cells: 2, last: 1, delta: Rational(1, 20), draws: 2}],
    using=[
        ("note-deviations", lambda: {radius: radius_of_lemma_2()}),
        "note-lemma-2-bound",
    ],
    without={
        "eq-a.6": "note-deviations is what is proved of it",
        "eq-a.7": "note-lemma-2-bound rests on it",
    },
)
def deviation_of_the_empirical_distribution():
    """Probabilities that an event is too frequent by half the radius, over all proper events."""
    return Le(chances_at_the_radius(), delta)


@claim(
    "note-lemma-2-range",
    place="Lemma 2: what its condition leaves of delta; two cells need 1/16",
    given=lambda: [cells <= log(sqrt(1 / delta)) / log(2)],
)
def range_of_the_error_probability():
    """Error probability for a number of cells."""
    return Le(delta, 4 ** (-cells))


@claim("note-lemma-2-sharp", place="Lemma 2, sharpened", given=lambda: [cells >= 2])
def sharper_radius_of_the_empirical_distribution():
    """Bound on the deviation at the sharper radius."""
    sharper = sqrt(2 / draws * log((2**cells - 2) / delta))
    return Eq((2**cells - 2) * exp(-draws * sharper**2 / 2), delta)


@claim(
    "theorem-3.i",
    place="Theorem 3, eq. 4.3; one toss, 1 against 0, one draw, and a uniform prior on the odds "
    "K and 1/K, whose least Lipschitz constant is ln K; the best test is right with the "
    "probability on the left",
    cites=["lemma-2", "theorem-1.i", "eq-a.9", "eq-a.10"],
    given=lambda: [
        3 / (4 * log(K)) * log(1 / delta) <= 1,
        delta <= Rational(1, 16),
    ],
    fault="error",
    effect="The proof bounds the distance of the posteriors from above, so it shows what an "
    "adversary needs and not what is enough. As a necessary condition eq. 4.3 is right where delta "
    "is at most 1/16 (note-theorem-3-necessary), though of the rate 1/T where T**(-1/2) holds "
    "(theorem-3.i-corrected); in total variation there is a sufficient one "
    "(theorem-3.ii-corrected).",
)
def distinguishing_under_assumption_1_as_printed():
    """Probability of telling two datasets apart under assumption 1, as printed."""
    return Ge(K / (K + 1), 1 - delta)


@claim(
    "note-theorem-3-error",
    place="Theorem 3, eq. 4.3, repaired, in numbers: V is the total variation distance of the distributions of T draws, B "
    "the affinity of one",
    given=lambda: [
        delta < Rational(1, 2),
        variation >= 1 - 2 * delta,
        variation**2 <= 1 - (overlap**draws) ** 2,
        spread * overlap >= 1,
    ],
    proof=lambda: [
        step("the error", Ge(variation**2, (1 - 2 * delta) ** 2)),
        step("the affinity of T draws", Le((overlap**draws) ** 2, 4 * delta * (1 - delta))),
        step("of one", Ge((spread * overlap) ** draws, 1)),
        step(
            "a power of a product", Eq((spread * overlap) ** draws, spread**draws * overlap**draws)
        ),
        step("squared", Ge((spread**draws * overlap**draws) ** 2, 1)),
        step(
            "as a product",
            Ge((spread**draws) ** 2 * (4 * delta * (1 - delta)), 1),
        ),
    ],
)
def spread_needed_by_an_adversary():
    """Power of a bound on the affinity that an adversary needs."""
    return Ge((spread**draws) ** 2, 1 / (4 * delta * (1 - delta)))


@claim(
    "note-theorem-3-rate",
    place="Theorem 3, repaired: the rate in T",
    given=lambda: [cosh(a / 2) ** (2 * draws) >= 1 / (4 * delta * (1 - delta))],
    proof=lambda: [
        step("a hyperbolic cosine", Le(log(cosh(a / 2)), a**2 / 8)),
        step("its power", Le(cosh(a / 2) ** (2 * draws), exp(a**2 * draws / 4))),
        step("with the condition", Ge(exp(a**2 * draws / 4), 1 / (4 * delta * (1 - delta)))),
    ],
)
def rate_of_the_distance_needed():
    """Rate of the log likelihood ratio that an adversary needs."""
    return Ge(a**2 * draws / 4, log(1 / (4 * delta * (1 - delta))))


@claim("note-cosh-power", place="used for note-theorem-3-necessary: T draws against one of T a")
def power_of_a_hyperbolic_cosine():
    """Logarithm of a hyperbolic cosine, times a number of draws."""
    return Le(draws * log(cosh(a / 2)), log(cosh(draws * a / 2)))


@claim(
    "note-theorem-3-necessary",
    place="Theorem 3, eq. 4.3, read as what an adversary needs, for any test and delta of at most "
    "1/16; the condition is theorem-3.i-corrected with note-cosh-power",
    given=lambda: [
        delta <= Rational(1, 16),
        cosh(draws * a / 2) ** 2 >= 1 / (4 * delta * (1 - delta)),
    ],
    proof=lambda: [
        step(
            "up to 1/16",
            Lt(delta ** Rational(-3, 4) + 2 + delta ** Rational(3, 4), 1 / delta),
        ),
        step(
            "by exponentials",
            Eq(4 * cosh(draws * a / 2) ** 2, exp(draws * a) + 2 + exp(-draws * a)),
        ),
        step(
            "so the sum is larger",
            Gt(
                exp(draws * a) + exp(-draws * a),
                delta ** Rational(-3, 4) + delta ** Rational(3, 4),
            ),
        ),
        step(
            "as a product",
            Gt(
                (exp(draws * a) - delta ** Rational(-3, 4))
                * (1 - delta ** Rational(3, 4) * exp(-draws * a)),
                0,
            ),
        ),
        step("its first factor", Ge(exp(draws * a), delta ** Rational(-3, 4))),
    ],
)
def printed_distance_as_a_necessary_condition():
    """Distance of eq. 4.3, as a necessary condition."""
    return Ge(a, 3 / (4 * draws) * log(1 / delta))


@claim(
    "note-variation-affinity",
    place="Theorem 3, repaired: an integrand, and the mean of it at the best weight",
    given=lambda: [overlap < 1],
)
def total_variation_against_affinity():
    """Total variation of two distributions, from above by their affinity."""
    low, high = sqrt(p_x) - sqrt(p_y), sqrt(p_x) + sqrt(p_y)
    best = sqrt((1 + overlap) / (1 - overlap))
    return [
        Le(Abs(low) * high, weight * low**2 / 2 + high**2 / (2 * weight)),
        Eq((best * (1 - overlap) + (1 + overlap) / best) / 2, sqrt(1 - overlap**2)),
    ]


@claim(
    "theorem-3.ii",
    place="Theorem 3, eq. 4.4; n tosses, all ones against all but one, one draw; the conditions "
    "are assumption 2 and eq. 4.4 with kappa rounded down",
    cites=["lemma-2", "theorem-1.ii", "eq-a.11"],
    given=lambda: [
        *coins,
        3 * c / (2 * kappa_below) * log(1 / delta) <= 1,
        delta <= Rational(1, 16),
    ],
    fault="error",
    effect="As for theorem-3.i; under assumption 2 the inequality is not necessary either "
    "(eq-a.11). The sufficient condition in total variation needs no assumption.",
)
def distinguishing_under_assumption_2_as_printed():
    """Probability of telling two datasets apart under assumption 2, as printed."""
    return Ge((1 + coin_x - coin_y) / 2, 1 - delta)


@claim(
    "note-theorem-3-enough",
    place="Theorem 3, repaired as a sufficient condition, in numbers",
    given=lambda: [variation >= radius_of_lemma_2()],
    using=[
        (
            "note-half-a-square",
            lambda: {
                part_x: variation**2 / 2,
                part_y: variation,
                size: radius_of_lemma_2(),
            },
        )
    ],
    proof=lambda: [
        step("the square", Eq(radius_of_lemma_2() ** 2, 3 / draws * log(1 / delta))),
        step("squares", variation**2 >= 3 / draws * log(1 / delta)),
        step("times the draws", draws * variation**2 / 2 >= Rational(3, 2) * log(1 / delta)),
        step("less", -draws * variation**2 / 2 <= log(delta)),
    ],
)
def error_at_the_radius():
    """Bound on the error of a test on two cells."""
    return Le(exp(-draws * variation**2 / 2), delta)


def effort(constant, distance):
    """Number of draws at which eq. 4.3 holds with equality."""
    return 3 / (4 * constant * distance) * log(1 / delta)


@claim(
    "text-1-iv",
    place="contribution (iv) of the introduction, of eq. 4.3: the information that an adversary needs grows "
    "with the distance",
    fault="error",
    effect="None: Theorem 3 and the text below it have it fall with the distance.",
)
def effort_and_distance_as_printed():
    """Number of draws in Theorem 3, against the distance, as printed."""
    return Le(effort(L, rho), effort(L, rho + more))


def relaxed_effort(concentration):
    """Number of draws at which eq. 4.4 holds with equality."""
    return 3 * concentration / (2 * kappa * rho) * log(1 / delta)


@claim(
    "text-1-iv-concentration",
    place="contribution (iv) of the introduction, of eq. 4.4: the information that an adversary needs falls "
    "with the concentration of the prior, which is the rate c",
    fault="error",
    effect="None: Theorem 3 and the text below it have it grow with c.",
)
def effort_and_concentration_as_printed():
    """Number of draws in Theorem 3, against the concentration of the prior, as printed."""
    return Le(relaxed_effort(c + more), relaxed_effort(c))


@claim(
    "text-4.3-effort",
    place="Section 4.3, after Theorem 3, its half on the effort, of eq. 4.3 and 4.4 as they stand: it falls with "
    "L and with the distance, and grows with c. The half on the sensitivity is text-3-larger-c",
    corrects=["text-1-iv", "text-1-iv-concentration"],
    why="Datasets that are further apart are easier to tell apart: the number of draws is in inverse "
    "proportion to the distance. It is in proportion to c, not in inverse proportion.",
)
def effort_of_the_adversary():
    """Number of draws in Theorem 3, against smoothness, distance and concentration."""
    return [
        Gt(effort(L, rho), effort(L + more, rho)),
        Gt(effort(L, rho), effort(L, rho + more)),
        Lt(relaxed_effort(c), relaxed_effort(c + more)),
    ]
