"""Section 3: how far apart two posteriors are in Kullback-Leibler divergence."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Integral,
    Le,
    Lt,
    Min,
    Or,
    Rational,
    cosh,
    coth,
    exp,
    log,
    oo,
    sinh,
    sqrt,
)

from dpbook import Noted, claim, step
from dpbook.posterior_sampling.notation import (
    L_0,
    K,
    L,
    R,
    a,
    alpha,
    beta_rate,
    biased_odds,
    c,
    coin_posteriors,
    coin_x,
    coin_y,
    coins,
    density_ratio,
    divergence,
    evidence_0,
    evidence_1,
    evidence_2,
    evidence_y,
    f,
    inner,
    kappa,
    mean_loss,
    mean_rate,
    mean_ratio,
    mean_x,
    mean_y,
    n,
    p_x,
    p_y,
    peak,
    peak_x,
    peak_y,
    phi_x,
    phi_y,
    rare_rate,
    rate,
    rate_more,
    record,
    rho,
    sharp_divergence,
    sum_x,
    sum_y,
    t,
    t_1,
    t_2,
    theta_0,
    w,
    w_1,
    w_2,
    w_less,
)
from dpbook.privacy.distributions import Bernoulli, Beta, Finite, Gamma
from dpbook.privacy.divergences import kl_divergence


@claim("eq-3.1", place="eq. 3.1; its integral runs over Theta, not over S")
def kullback_leibler_divergence():
    """Kullback-Leibler divergence."""
    return Noted("a definition; privacy's kl_divergence is the same")


# --- under assumption 1 ---------------------------------------------------------------------------


@claim("note-chord", place="used by note-divergence")
def exponential_below_its_chord():
    """Likelihood ratio, below the chord of its ends in the log ratio."""
    return Le(exp(f), cosh(a) + f * sinh(a) / a)


@claim(
    "note-divergence",
    place="Theorem 1(i), sharpened; the condition is the mean of note-chord",
    given=lambda: [mean_ratio <= cosh(a) + mean_loss * sinh(a) / a],
)
def sharp_divergence_under_assumption_1():
    """Divergence of two posteriors under assumption 1, the sharp bound."""
    return Le(log(mean_ratio) - mean_loss, sharp_divergence(a))


def best_share():
    """Posterior probability of f = a that makes the divergence largest."""
    return (1 + 1 / a - coth(a)) / 2


@claim("note-divergence-attained", place="Theorem 1(i): two parameters, with f = a and f = -a")
def divergence_of_two_extreme_parameters():
    """Divergence of two posteriors on two parameters, the worst case."""
    ratio = best_share() * exp(a) + (1 - best_share()) * exp(-a)
    return Eq(log(ratio) - (2 * best_share() - 1) * a, sharp_divergence(a))


@claim(
    "note-divergence-small",
    place="Theorem 1(i), beside the sharp bound",
    proof=lambda: [
        step("the cotangent", Eq(coth(a) * sinh(a), cosh(a))),
        step("its bound", Le(a * coth(a), 1 + a**2 / 3)),
        step("the sine", Le(log(sinh(a) / a), a**2 / 6)),
    ],
)
def sharp_divergence_of_small_ratios():
    """Sharp bound on the divergence, against a**2 / 2."""
    return Le(sharp_divergence(a), a**2 / 2)


@claim(
    "note-divergence-large",
    place="Theorem 1(i), beside the sharp bound",
    proof=lambda: [
        step("the cotangent", Le(a * cosh(a) / sinh(a), a + 1)),
        step("the sine", Le(log(sinh(a) / a), a)),
    ],
)
def sharp_divergence_of_large_ratios():
    """Sharp bound on the divergence, against 2 a."""
    return Le(sharp_divergence(a), 2 * a)


@claim(
    "note-divergence-growth",
    place="Theorem 1(i): its 2 is right for large a",
    given=[a >= 1],
    proof=lambda: [
        step("the sine", Eq(log(sinh(a) / a), a - log(2 * a) + log(1 - exp(-2 * a)))),
        step("its logarithm", Ge(log(1 - exp(-2 * a)), -1 / (exp(2 * a) - 1))),
        step("the cotangent", Eq(a * cosh(a) / sinh(a), a + 2 * a / (exp(2 * a) - 1))),
    ],
)
def growth_of_the_sharp_divergence():
    """Sharp bound on the divergence, from below."""
    return Ge(sharp_divergence(a), 2 * a - log(2 * a) - 1)


@claim(
    "note-divergence-sum",
    place="Theorem 1 without an assumption on tails: the integrand of the divergence summed over "
    "both directions, from which the evidences cancel; L is this parameter's own constant",
    given=lambda: [Abs(log(p_x / p_y)) <= rho * L],
)
def integrand_of_the_symmetrised_divergence():
    """Integrand of the symmetrised divergence, bounded by the Lipschitz constant."""
    return Le((p_x / phi_x - p_y / phi_y) * log(p_x / p_y), (p_x / phi_x + p_y / phi_y) * rho * L)


# --- under assumption 2 ---------------------------------------------------------------------------


@claim(
    "note-coins",
    place="Assumption 2 for a prior on a fair coin and one of odds K, below ln K; from there on "
    "the prior probability is 1",
    given=[*coins, t <= log(K)],
    proof=lambda: [
        step("the condition", Eq(K**c, exp(c * log(K)))),
        step("below ln K", Le(exp(c * t), exp(c * log(K)))),
        step("together", Le(w * exp(c * t), 1)),
    ],
)
def prior_on_two_coins():
    """Prior probability of the fair coin."""
    return Ge(1 - w, 1 - exp(-c * t))


@claim(
    "theorem-1.ii",
    place="Theorem 1(ii), eq. 3.3; n tosses, all ones against all but one; the condition is "
    "assumption 2",
    cites=["eq-a.1", "eq-a.4"],
    given=coins,
    try_at=[{K: 5015, w: Rational(1, 5015), c: 1, n: 14}],
    fault="error",
    effect="No function of c alone can take the place of kappa / c (note-no-bound). A bound with "
    "the largest densities of the posteriors takes its place (theorem-1.ii-corrected); "
    "theorem 2(ii) and eq. 4.4 fall with it.",
)
def divergence_under_assumption_2_as_printed():
    """Divergence of two posteriors under assumption 2, as printed."""
    return Le(kl_divergence(Bernoulli(coin_x), Bernoulli(coin_y)), kappa / c)


@claim(
    "note-no-bound",
    place="Theorem 1(ii) and 2(ii), for the two coins and any c: o are the posterior odds of the "
    "biased coin given n ones. A toss multiplies them by 4/3 to 2, so some n puts them within a "
    "factor 2 of the root of K, and the total variation tends to 1 as K grows",
    given=lambda: [K >= 2, biased_odds >= sqrt(K) / 2, biased_odds <= 2 * sqrt(K)],
)
def total_variation_of_far_coins():
    """Total variation of two posteriors on two coins of very different odds."""
    return [
        Ge(2 * K / (K + 1), Rational(4, 3)),
        Lt(2 * K / (K + 1), 2),
        Ge(
            biased_odds / (1 + biased_odds) - biased_odds / (K + biased_odds),
            1 - 4 / sqrt(K),
        ),
    ]


@claim(
    "theorem-1.ii-exponential",
    place="Theorem 1(ii), eq. 3.3, for the model of Lemma 3 with n records and the summed metric",
    cites=["lemma-3", "lemma-1.ii"],
    try_at=[{rate: 1, sum_x: 0, sum_y: 10, n: 10}],
    fault="error",
    effect="For one record a bound with 2 in place of kappa holds (note-one-exponential). "
    "With the rate lambda / n that Lemma 1 prints, the bound holds in this direction (note-exponential-records).",
)
def divergence_of_exponential_posteriors_as_printed():
    """Divergence of two posteriors of an exponential rate, as printed."""
    return Le(
        kl_divergence(Gamma(n + 1, rate + sum_x), Gamma(n + 1, rate + sum_y)),
        kappa / rate * (sum_y - sum_x),
    )


@claim(
    "note-excess-of-a-ratio",
    place="used by note-one-exponential",
    given=[density_ratio >= 1],
    proof=lambda: [
        step("the tangent", Le(log(density_ratio), density_ratio - 1)),
        step("the sign", Ge(log(density_ratio), 0)),
        step("the other ratio", Eq(log(1 / density_ratio), -log(density_ratio))),
    ],
)
def excess_of_a_ratio():
    """Excess of a ratio over its logarithm, and of its inverse."""
    return [
        Le(excess(density_ratio), density_ratio - 1),
        Le(excess(1 / density_ratio), density_ratio - 1),
    ]


def one_record():
    """Posteriors of one record under the prior of Lemma 3."""
    return Gamma(2, rate + sum_x), Gamma(2, rate + sum_y)


@claim(
    "note-one-exponential",
    place="Theorem 1(ii) for the model of Lemma 3 with one record, in both directions: with 2 in "
    "place of kappa",
    using=[("note-excess-of-a-ratio", lambda: {density_ratio: quotient_of_rates(rate)})],
    proof=lambda: [
        step("one way", Eq(kl_divergence(*one_record()), 2 * excess(quotient_of_rates(rate)))),
        step(
            "the other",
            Eq(kl_divergence(*one_record()[::-1]), 2 * excess(1 / quotient_of_rates(rate))),
        ),
        step("the ratio", Le(quotient_of_rates(rate) - 1, (sum_y - sum_x) / rate)),
    ],
)
def divergence_of_exponential_posteriors_of_one_record():
    """Divergence of two posteriors of an exponential rate, one record."""
    return [
        Le(kl_divergence(*one_record()), 2 / rate * (sum_y - sum_x)),
        Le(kl_divergence(*one_record()[::-1]), 2 / rate * (sum_y - sum_x)),
    ]


@claim(
    "note-exponential-records",
    place="Theorem 1(ii) for the model of Lemma 3 with n records and the rate lambda / n of Lemma 1: with 2 in place "
    "of kappa",
    using=[("note-excess-of-a-ratio", lambda: {density_ratio: quotient_of_rates(rate)})],
    proof=lambda: [
        step(
            "the divergence",
            Eq(
                kl_divergence(Gamma(n + 1, rate + sum_x), Gamma(n + 1, rate + sum_y)),
                (n + 1) * excess(quotient_of_rates(rate)),
            ),
        ),
        step("the ratio", Le(quotient_of_rates(rate) - 1, (sum_y - sum_x) / rate)),
        step("the number", Le(n + 1, 2 * n)),
        step(
            "their product",
            Le((n + 1) * excess(quotient_of_rates(rate)), 2 * n * ((sum_y - sum_x) / rate)),
        ),
    ],
)
def divergence_of_exponential_posteriors_at_the_rate_of_lemma_1():
    """Divergence of two posteriors of an exponential rate, by the rate of Lemma 1."""
    return Le(
        kl_divergence(Gamma(n + 1, rate + sum_x), Gamma(n + 1, rate + sum_y)),
        2 * n / rate * (sum_y - sum_x),
    )


@claim(
    "theorem-1.ii-bernoulli",
    place="Theorem 1(ii), eq. 3.3, for n tosses under a symmetric beta prior, all ones against "
    "all zeros; its rate is that of lemma-5-corrected",
    cites=["lemma-1.ii"],
    try_at=[{alpha: 1, n: 12000}],
    fault="error",
    effect="As for theorem-1.ii. The failure that is shown has thousands of tosses.",
)
def divergence_of_beta_posteriors_as_printed():
    """Divergence of two posteriors of a success probability, as printed."""
    return Le(kl_divergence(Beta(alpha + n, alpha), Beta(alpha, alpha + n)), kappa / beta_rate * n)


@claim(
    "note-three-coins",
    place="Assumption 2 for a prior on three coins, below t_1 and between t_1 and t_2",
    given=lambda: [w_1 + w_2 <= exp(-c * t_1), w_2 <= exp(-c * t_2)],
)
def prior_on_three_coins():
    """Prior probability of the coins of larger constant."""
    return [
        Or(t >= t_1, w_1 + w_2 <= exp(-c * t)),
        Or(t >= t_2, w_2 <= exp(-c * t)),
    ]


@claim(
    "theorem-1.ii-two-datasets",
    place="Theorem 1(ii), eq. 3.3, for one toss, 1 against 0, and a prior on three coins; the "
    "conditions are assumption 2",
    given=lambda: [w_1 + w_2 <= exp(-c * t_1), w_2 <= exp(-c * t_2)],
    try_at=[
        {
            **{c: Rational(1, 30000), t_1: 12, t_2: 195000},
            **{w_1: Rational(9981, 10000), w_2: Rational(15, 10000)},
        }
    ],
    fault="error",
    effect="As for theorem-1.ii: one toss is enough where c is small.",
)
def divergence_of_posteriors_on_three_coins_as_printed():
    """Divergence of two posteriors on three coins, as printed."""
    fair = (1 - w_1 - w_2) / 2
    ones = [fair, w_1 / (1 + exp(t_1)), w_2 / (1 + exp(-t_2))]
    zeros = [fair, w_1 / (1 + exp(-t_1)), w_2 / (1 + exp(t_2))]
    return Le(
        kl_divergence(
            Finite([part / evidence_1 for part in ones]),
            Finite([part / evidence_2 for part in zeros]),
        ),
        kappa / c,
    )


@claim(
    "note-one-record",
    place="Assumption 2 with c = 1 for a rate that is uniform below theta_0, or R",
    given=lambda: [*rare_rate, t <= R],
)
def prior_on_a_rare_rate():
    """Prior probability of the rates above t."""
    small = (1 - exp(-R)) * (1 - t / theta_0)
    return [
        Or(t >= theta_0, Le(small + exp(-R), exp(-t))),
        Le(exp(-R), exp(-t)),
    ]


@claim(
    "theorem-1.ii-one-record",
    place="Theorem 1(ii), eq. 3.3, for one exponential record, 0 against y, and a prior that is "
    "uniform but for a rare large rate; the conditions are assumption 2 with c = 1",
    given=rare_rate,
    try_at=[{R: 20, theta_0: Rational(1, 10**10), record: 1}],
    fault="error",
    effect="As for theorem-1.ii: one record is enough.",
)
def divergence_of_posteriors_of_a_rare_rate_as_printed():
    """Divergence of two posteriors of one exponential record, as printed."""
    return Le(record * mean_rate + log(evidence_y / evidence_0), kappa * record)


@claim(
    "note-mean-constant",
    place="Theorem 1(ii), repaired: a density of at most C against the prior, and assumption 2",
)
def mean_of_a_bounded_exponential_tail():
    """Mean of a number that exceeds each level with probability at most C exp(-c t)."""
    return Eq(Integral(Min(1, peak * exp(-c * inner)), (inner, 0, oo)), (1 + log(peak)) / c)


@claim(
    "note-mean-constant-entropy",
    place="Theorem 1(ii), repaired, for densities without a bound: Fenchel's inequality for the "
    "posterior's density and c / 2 times the constant, and the mean of its exponential under "
    "assumption 2",
)
def mean_of_the_constant_from_a_divergence():
    """Mean of the Lipschitz constant, from the divergence of the posterior from the prior."""
    return [
        Le(
            density_ratio * (c * t / 2),
            density_ratio * log(density_ratio) - density_ratio + exp(c * t / 2),
        ),
        Eq(1 + Integral(c / 2 * exp(c * inner / 2) * exp(-c * inner), (inner, 0, oo)), 2),
    ]


@claim(
    "note-theorem-1.ii-means",
    place="Theorem 1(ii), repaired, with assumption 2 from L_0 on, from the mean of the Lipschitz constant under "
    "both posteriors, with a peak for each dataset; the conditions are note-divergence-means and "
    "note-mean-constant",
    given=lambda: [
        divergence <= rho * (mean_x + mean_y),
        mean_x <= L_0 + (1 + log(peak_x)) / c,
        mean_y <= L_0 + (1 + log(peak_y)) / c,
    ],
)
def divergence_from_means():
    """Divergence of two posteriors, from the means of the Lipschitz constant."""
    return Le(divergence, rho * (2 * L_0 + (2 + log(peak_x * peak_y)) / c))


# --- what c does ----------------------------------------------------------------------------------


@claim(
    "text-3-larger-c",
    place="Section 3, after Theorem 1, and Section 6; for the two coins, of which the smaller "
    "prior probability of the biased one has the larger c",
    try_at=[{K: 9, n: 1, w: Rational(9, 10), w_less: Rational(1, 2)}],
    fault="error",
    effect="It is true of the bound, and of the divergence in the model of Lemma 3 "
    "(text-3-larger-c-corrected). A prior that all but rules a parameter out can make the "
    "posterior less robust than one that favours it.",
)
def divergence_and_concentration_as_printed():
    """Divergence of two posteriors under a prior of larger c, as printed."""
    x_less, y_less = coin_posteriors(w_less)
    return Le(
        kl_divergence(Bernoulli(x_less), Bernoulli(y_less)),
        kl_divergence(Bernoulli(coin_x), Bernoulli(coin_y)),
    )


def quotient_of_rates(prior):
    """Return the quotient of the rates of the posteriors of y and of x."""
    return (prior + sum_y) / (prior + sum_x)


def divergence_of_rates(prior):
    """Divergence of two posteriors of an exponential rate."""
    return kl_divergence(Gamma(n + 1, prior + sum_x), Gamma(n + 1, prior + sum_y))


def excess(ratio):
    """Divergence of two gamma distributions per unit of their shape."""
    return ratio - 1 - log(ratio)


@claim(
    "text-3-larger-c-corrected",
    place="Section 3, after Theorem 1, for the model of Lemma 3",
    corrects=["text-3-larger-c"],
    why="Whether a larger c helps depends on the family.",
    proof=lambda: [
        step(
            "one rate",
            Eq(divergence_of_rates(rate), (n + 1) * excess(quotient_of_rates(rate))),
        ),
        step(
            "the other",
            Eq(divergence_of_rates(rate_more), (n + 1) * excess(quotient_of_rates(rate_more))),
        ),
        step("the quotients", Le(quotient_of_rates(rate_more), quotient_of_rates(rate))),
        step(
            "the logarithm lies below its tangent at 1",
            Le(
                log(quotient_of_rates(rate) / quotient_of_rates(rate_more)),
                quotient_of_rates(rate) / quotient_of_rates(rate_more) - 1,
            ),
        ),
        step(
            "so the excess grows",
            Le(excess(quotient_of_rates(rate_more)), excess(quotient_of_rates(rate))),
        ),
    ],
)
def divergence_and_concentration():
    """Divergence of two posteriors of an exponential rate under a prior of larger c."""
    return Le(divergence_of_rates(rate_more), divergence_of_rates(rate))
