"""Section 4.2: the private mean, and how budgets are converted."""

from sympy import Eq, Ge, Gt, Integer, Le, Lt, Rational, exp, log, sqrt

from dpbook import Noted, claim, step
from dpbook.contamination.notation import (
    contaminated,
    delta,
    distance,
    epsilon,
    normal,
    p,
    student,
)
from dpbook.privacy import notation as privacy
from dpbook.privacy.claims.general_concentrated import P, Q, positive
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.statements import concentrated, private


@claim(
    "text-4.2-zcdp",
    place="Section 4.2, the result that mu**2/2-zCDP implies (mu sqrt(log(1/delta)), delta)-DP, for "
    "two outputs of the Gaussian mechanism, mu standard deviations apart, which is mu**2/2-zCDP",
    cites=["privacy:zcdp-to-dp"],
    try_at=[{distance: 1, delta: "1/100000"}],
    fault="error",
    effect="The budgets of Figure 1 are too large: the competitors get more than (epsilon, delta) "
    "allows. Algorithm 1, Table 1 and the theorems do not use it.",
)
def delta_of_zcdp_as_printed():
    """Delta of a zCDP budget, as printed."""
    distribution = hockey_stick(Normal(distance, 1), Normal(0, 1), distance * sqrt(log(1 / delta)))
    return Le(distribution, delta)


def loss():
    """Epsilon of rho-zCDP at delta, for rho = mu**2/2."""
    return distance**2 / 2 + distance * sqrt(2 * log(1 / delta))


@claim(
    "text-4.2-zcdp-corrected",
    place="Section 4.2, the result of Bun and Steinke: mu**2/2-zCDP and delta, for any two distributions with positive densities; zCDP both "
    "ways gives the distributions the same null sets, so that on what is left both have positive densities for their sum",
    corrects=["text-4.2-zcdp"],
    why="With rho = mu**2/2 the theorem is rho + 2 sqrt(rho log(1/delta)): the first term and a "
    "factor sqrt(2) are missing.",
    given=lambda: [*positive(P, Q), concentrated(P, Q, distance**2 / 2)],
    using=[
        (
            "privacy:zcdp-to-dp-private",
            lambda: {privacy.rho: distance**2 / 2, privacy.delta: delta},
        )
    ],
    proof=lambda: [
        step(
            "the square root",
            Eq(
                2 * sqrt(distance**2 / 2 * log(1 / delta)),
                distance * sqrt(2 * log(1 / delta)),
            ),
        ),
    ],
)
def delta_of_a_zcdp_budget():
    """Delta of a zCDP budget."""
    return private(P, Q, loss(), delta)


@claim(
    "text-4.2-stricter",
    place="Section 4.2: the printed translation makes rho-zCDP the stricter restriction, read as: rho-zCDP with the printed rho implies "
    "(epsilon, delta)-DP. Tried on the Gaussian mechanism that spends all of rho: two normal distributions, sqrt(2 rho) standard deviations apart",
    cites=["text-4.2-zcdp"],
    try_at=[{epsilon: Rational(47, 50), delta: "1/10000"}],
    given=[epsilon > 0],
    fault="consequence",
    effect="As for text-4.2-zcdp: the printed rho is about twice as large as that of the theorem, so the comparison is "
    "kinder to the competitors. It fails at five of the seven pairs of Table 1, as at n = 1000 "
    "(epsilon 47/50, delta 1/10000); at n = 10,000 and 50,000 this mechanism stays below delta.",
)
def printed_budget_is_stricter():
    """Delta that the printed budget rho gives, at the given epsilon."""
    apart = epsilon / sqrt(log(1 / delta))
    return Le(hockey_stick(Normal(apart, 1), Normal(0, 1), epsilon), delta)


@claim(
    "note-standard-rho",
    place="Section 4.2, repaired: the largest rho whose epsilon at delta is the given one",
    proof=lambda: [
        step("delta is below 1", Gt(log(1 / delta), 0)),
        step("the roots grow", Ge(sqrt(log(1 / delta) + epsilon), sqrt(log(1 / delta)))),
        step(
            "so the root of the product is one of factors",
            Eq(
                sqrt((sqrt(log(1 / delta) + epsilon) - sqrt(log(1 / delta))) ** 2 * log(1 / delta)),
                (sqrt(log(1 / delta) + epsilon) - sqrt(log(1 / delta))) * sqrt(log(1 / delta)),
            ),
        ),
    ],
)
def standard_budget():
    """Budget rho of a given epsilon and delta."""
    share = log(1 / delta)
    rho = (sqrt(share + epsilon) - sqrt(share)) ** 2
    return Eq(rho + 2 * sqrt(rho * share), epsilon)


@claim(
    "text-4.2-stricter-corrected",
    place="Section 4.2: the two translations, compared",
    corrects=["text-4.2-stricter"],
    why="The printed rho, epsilon**2 / (2 log(1/delta)), is larger than that of the theorem for every epsilon and "
    "delta, so it restricts less.",
    given=[epsilon > 0],
)
def printed_budget_is_larger():
    """Budget rho of Bun and Steinke, against the printed one."""
    share = log(1 / delta)
    return Lt((sqrt(share + epsilon) - sqrt(share)) ** 2, epsilon**2 / (2 * share))


@claim("table-1", place="Table 1")
def estimates_of_epsilon():
    """Estimated epsilon for seven sample sizes."""
    return Noted(
        "seven numbers from a simulation; the study contamination-table-1 computes them anew"
    )


@claim("figure-1", place="Figure 1")
def errors_of_private_means():
    """Mean squared error of four private means."""
    return Noted("a simulation; the study contamination-figure-1 runs it under three conversions")


@claim("remark-15", place="Remark 15")
def where_the_three_methods_apply():
    """To which problems the three methods apply."""
    return Noted("a comparison in words; it states no bound")


@claim(
    "note-not-private",
    place="Section 2.1, Definition 2 against (1): two datasets of 2m + 1 contaminated records, m of "
    "them 8 standard deviations above 0 and m below, the last one either; a prior on these two "
    "means; g is Student's t around 0",
    given=[p <= Rational(1, 2)],
)
def one_record_decides():
    """Delta that two clusters of records need at the epsilon of Table 1 for n = 1000."""
    near = contaminated(normal(Integer(0)), student(Integer(8)))
    away = contaminated(normal(Integer(16)), student(Integer(8)))
    lost = near - exp(Rational(94, 100)) * away
    return Gt(lost, Rational(99, 100) * (near + away))
