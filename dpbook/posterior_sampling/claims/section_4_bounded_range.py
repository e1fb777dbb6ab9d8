"""Section 4, sharpened: draws of a bounded range, and the constants that other metrics ask for.

Under assumption 1 the log ratio of two posteriors has range 2 a. Its hockey-stick divergences are
below those of two parameters with log ratios 2 a - s and -s, for one s (note-bounded-range-chord),
whatever epsilon is, so those two parameters tell no less, in one draw or in many. The best s for
one draw gives a closed form (note-bounded-range, note-bounded-range-attained).
"""

from sympy import Abs, Eq, Ge, Le, Max, exp, log, sinh

from dpbook import claim, step, symbol
from dpbook.posterior_sampling.notation import (
    L_1,
    L,
    L_n,
    a,
    c,
    changed,
    delta,
    draws,
    epsilon,
    f_1,
    f_n,
    kept_x,
    kept_y,
    lost_x,
    lost_y,
    n,
    rho,
    smallest,
    tail_x,
    tail_y,
)

low_end = symbol(
    "s_0", above=0, below=2 * a, meaning="the log ratio of two posteriors is at least -s_0"
)
posterior_ratio = symbol(
    "u_3",
    at_least=exp(-low_end),
    at_most=exp(2 * a - low_end),
    meaning="ratio of two posteriors at a parameter",
)
seldom = symbol(
    "s_1", at_least=0, below=1, meaning="bound on the probability that one draw is rough"
)
children = symbol("d_0", integer=True, at_least=0, meaning="most children that a variable has")


def share_of_the_upper_end():
    """Probability of the log ratio 2 a - s under the second of the two extreme posteriors."""
    return (1 - exp(-low_end)) / (exp(2 * a - low_end) - exp(-low_end))


def extreme_delta():
    """Hockey-stick divergence of posteriors on two parameters, log ratios 2 a - s and -s."""
    return share_of_the_upper_end() * (exp(2 * a - low_end) - exp(epsilon))


def largest_delta():
    """Largest hockey-stick divergence of one draw when the log ratio has range 2 a."""
    return 2 * exp(epsilon / 2) * sinh((2 * a - epsilon) / 4) ** 2 / sinh(a)


@claim(
    "note-bounded-range-chord",
    place="Theorem 2 under assumption 1, for a loss epsilon that the ratio can reach: the mean of "
    "the right side under the posterior of y is the divergence of two extreme posteriors, as the "
    "mean of the ratio is 1",
    given=lambda: [epsilon <= 2 * a - low_end],
    proof=lambda: [
        step(
            "a chord of a convex function",
            Le(
                (posterior_ratio - exp(epsilon)) * (exp(2 * a - low_end) - exp(-low_end)),
                (posterior_ratio - exp(-low_end)) * (exp(2 * a - low_end) - exp(epsilon)),
            ),
        ),
    ],
)
def excess_below_its_chord():
    """Excess of the ratio of two posteriors over exp(epsilon), below the chord of its ends."""
    weight = (posterior_ratio - exp(-low_end)) / (exp(2 * a - low_end) - exp(-low_end))
    return Le(
        Max(posterior_ratio - exp(epsilon), 0), weight * (exp(2 * a - low_end) - exp(epsilon))
    )


@claim(
    "note-bounded-range",
    place="Theorem 2 under assumption 1: the hockey-stick divergence of two extreme posteriors, "
    "against its largest value",
    given=lambda: [epsilon <= 2 * a - low_end],
    proof=lambda: [
        step(
            "a square",
            Ge((exp((epsilon + low_end) / 2) - exp((2 * a - low_end) / 2)) ** 2, 0),
        ),
        step(
            "the means",
            Ge(exp(epsilon + low_end) + exp(2 * a - low_end), 2 * exp(a + epsilon / 2)),
        ),
        step(
            "the divergence, by exponentials",
            Eq(
                extreme_delta(),
                (exp(2 * a) + exp(epsilon) - exp(epsilon + low_end) - exp(2 * a - low_end))
                / (exp(2 * a) - 1),
            ),
        ),
        step(
            "its largest value, by exponentials",
            Eq(
                largest_delta(),
                (exp(2 * a) + exp(epsilon) - 2 * exp(a + epsilon / 2)) / (exp(2 * a) - 1),
            ),
        ),
    ],
)
def delta_of_two_extreme_posteriors():
    """Smallest delta of two extreme posteriors, over all of one range."""
    return Le(extreme_delta(), largest_delta())


@claim(
    "note-bounded-range-attained",
    place="Theorem 2 under assumption 1: the range from -s to 2 a - s at s = a - epsilon / 2",
    given=lambda: [epsilon < 2 * a],
)
def largest_delta_of_extreme_posteriors():
    """Smallest delta of two extreme posteriors at the worst range."""
    return Eq(extreme_delta().subs(low_end, a - epsilon / 2), largest_delta())


@claim(
    "note-guarantee-relaxed",
    place="Theorem 2 under assumption 2, for draws and any event: the first condition is privacy "
    "given that no draw has a constant above t; the others are a union bound, and independence",
    given=lambda: [
        kept_x <= exp(epsilon) * kept_y + delta,
        tail_x <= draws * seldom,
        1 - tail_y >= (1 - seldom) ** draws,
    ],
    proof=lambda: [
        step(
            "one posterior",
            Le((1 - tail_x) * kept_x + tail_x * lost_x, kept_x + draws * seldom),
        ),
        step(
            "the other",
            Le(
                kept_y * (1 - seldom) ** draws,
                (1 - tail_y) * kept_y + tail_y * lost_y,
            ),
        ),
        step(
            "divide",
            Le(
                kept_y,
                ((1 - tail_y) * kept_y + tail_y * lost_y) / (1 - seldom) ** draws,
            ),
        ),
    ],
)
def privacy_where_rough_parameters_are_rare():
    """Approximate privacy of draws, from their privacy given that no draw is rough."""
    return Le(
        (1 - tail_x) * kept_x + tail_x * lost_x,
        exp(epsilon) / (1 - seldom) ** draws * ((1 - tail_y) * kept_y + tail_y * lost_y)
        + delta
        + draws * seldom,
    )


# --- other metrics --------------------------------------------------------------------------------


@claim(
    "note-lemma-1-largest",
    place="Lemma 1 with the largest of the records' distances for a metric, under assumption 1 "
    "from n to n + 1 records, and under assumption 2",
    given=lambda: [Abs(f_n) <= L * n * rho, Abs(f_1) <= L * rho, L_n <= n * L_1, L / n >= L_1],
)
def constants_in_the_largest_distance():
    """Constants of a product in the largest of the records' distances."""
    return [
        Le(Abs(f_n + f_1), L * (n + 1) * rho),
        Le(L_n, L),
        Eq(exp(-c * (L / n)), exp(-(c / n) * L)),
    ]


@claim(
    "note-lemma-7-hamming",
    place="Lemma 7, repaired, in the Hamming distance, from N_0 variables that differ to one more: "
    "by lemma-7-corrected that one changes the log ratio by 1 plus the number of its children",
    without={"lemma-7-corrected": "its conclusion for one record stands among the conditions"},
    given=lambda: [
        Abs(f_n) <= (1 + children) * log(1 / smallest) * changed,
        Abs(f_1) <= (1 + children) * log(1 / smallest),
    ],
)
def network_in_the_hamming_distance():
    """Log likelihood ratio of a Bayesian network under the Hamming distance."""
    return Le(Abs(f_n + f_1), (1 + children) * log(1 / smallest) * (changed + 1))
