"""Theorem 15, Lemma 8 and sums of Corollary 17, over independent records of any distribution.

A record is an outcome of any distribution mu, with the value X(y); a dataset is a point omega, with the sum S(omega)
of the excesses of its n records' values over the mean.
"""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Lambda,
    Le,
    Lt,
    Max,
    Or,
    Rational,
    exp,
    factorial,
    log,
    sqrt,
)

from dpbook import Every, claim, step
from dpbook.contamination.any_models import (
    AnyFunction,
    NonNegative,
    Numbers,
    Radius,
    Record,
    Shells,
    Slope,
    integral,
)
from dpbook.contamination.claims.appendix_b import psi_of
from dpbook.contamination.claims.general import (
    V,
    averaged,
    bad,
    chosen,
    datasets,
    likelihood,
    records,
    zero_or_one,
)
from dpbook.contamination.claims.general_models import hellinger, root_gap
from dpbook.contamination.claims.general_privacy import with_contamination
from dpbook.contamination.notation import (
    M,
    T,
    bad_0,
    c,
    c_2,
    count,
    data,
    distance_0,
    f,
    f_star,
    in_a,
    in_b,
    k,
    level_0,
    level_1,
    level_3,
    lost_0,
    lost_share,
    mass_0,
    mass_2,
    mean_1,
    moment,
    moment_constant,
    n,
    number,
    p,
    phi,
    radius,
    ratio,
    scales,
    shells,
    size,
    split,
    tau,
    tau_0,
    theta,
    tilt,
    variance,
    weight,
    x_1,
    y,
    y_2,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.statements import probability

# --- theorem 15 -----------------------------------------------------------------------------------

value_of, total_of = AnyFunction("X", 1, Slope), AnyFunction("S_n", 1, Slope)
chances, falling = AnyFunction("p_j", 1, Numbers), AnyFunction("r_j", 1, Numbers)
scaled = AnyFunction("m_j", 1, Numbers)


def under_mu(body):
    """Integral over the records."""
    return integral(records.density(y_2) * body, y_2)


def centred(record=y_2):
    """Return the excess of a record's value over the mean."""
    return value_of(record) - mean_1


def exponent(deviation, second, linear):
    """The exponent of Bernstein's inequality."""
    return deviation**2 / (2 * (second + linear * deviation / sqrt(n)))


@claim(
    "note-theorem-15-exp",
    place="Theorem 15: the exponential, from above",
    given=lambda: [number < 3],
)
def exponential_below_a_rational_function():
    """Exponential function, from above by a rational one."""
    return Le((6 - 2 * number) * exp(number), 6 + 4 * number + number**2)


@claim(
    "note-theorem-15-record",
    place="Theorem 15, eq. 24, at a record: the exponential of what its value exceeds the mean by; x stands "
    "for that",
    given=lambda: [number <= T, tilt * T < 3],
    using=[("note-theorem-15-exp", lambda: {number: tilt * number})],
    proof=lambda: [
        step("the exponent", Le(tilt * number, tilt * T)),
        step(
            "its exponential",
            Le(
                exp(tilt * number),
                1 + tilt * number + (tilt * number) ** 2 / (2 * (1 - tilt * number / 3)),
            ),
        ),
        step(
            "with the bound",
            Le(
                (tilt * number) ** 2 / (2 * (1 - tilt * number / 3)),
                (tilt * number) ** 2 / (2 * (1 - tilt * T / 3)),
            ),
        ),
    ],
)
def exponential_of_a_bounded_value():
    """Exponential of a bounded number, from above by a square."""
    return Le(
        weight * exp(tilt * number),
        weight
        + tilt * (weight * number)
        + tilt**2 / (2 * (1 - tilt * T / 3)) * (weight * number**2),
    )


def moment_of_a_value(rate=tilt):
    """Return the exponential moment of the excess of a record's value over the mean."""
    return under_mu(exp(rate * centred()))


def bounded_values():
    """State that the mean is m_1, and that no value exceeds it by more than T."""
    return [
        Eq(under_mu(centred()), 0),
        Every(y, Le(centred(y), T)),
    ]


def variance_is_bounded():
    """State that the variance of a value is at most v_1."""
    return Le(under_mu(centred() ** 2), variance)


@claim(
    "note-theorem-15-moment",
    place="Theorem 15, eq. 24: the exponential moment of a record",
    given=lambda: [
        *bounded_values(),
        variance_is_bounded(),
        tilt * T < 3,
        Ge(moment_of_a_value(), 0),
    ],
    using=[
        ("note-theorem-15-record", lambda: {number: centred(), weight: records.density(y_2)}),
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                moment_of_a_value(),
                integral(records.density(y_2), y_2)
                + tilt * under_mu(centred())
                + tilt**2 / (2 * (1 - tilt * T / 3)) * under_mu(centred() ** 2),
            ),
        ),
        step("the variance", Le(moment_of_a_value(), 1 + log_moment())),
    ],
)
def exponential_moment_of_a_record():
    """Exponential moment of a bounded record, by its variance."""
    return Le(moment_of_a_value(), exp(log_moment()))


def log_moment():
    """The bound on the logarithm of the moment of a record."""
    return tilt**2 * variance / (2 * (1 - tilt * T / 3))


def large_sum():
    """State that the sum of deviations exceeds sqrt(n) M, or the dataset is not in the event."""
    return Every(data, Or(Eq(chosen(bad), 0), Gt(total_of(data), sqrt(n) * M)))


def moment_of_the_sum(rate=tilt):
    """Exponential moment of the sum of the deviations."""
    return averaged(exp(rate * total_of(data)))


@claim(
    "note-theorem-15-markov",
    place="Theorem 15: Markov's inequality for the exponential of the sum",
    given=lambda: [large_sum(), Le(moment_of_the_sum(), mass_2)],
    using=[
        (
            "note-markov",
            lambda: {
                weight: exp(tilt * (sqrt(n) * M)),
                level_0: 1,
                V(data).function: Lambda((data,), exp(tilt * total_of(data))),
            },
        )
    ],
    proof=lambda: [
        step(
            "where the sum is large",
            Every(
                data, Le(chosen(bad) * exp(tilt * (sqrt(n) * M)), 1 * exp(tilt * total_of(data)))
            ),
        ),
    ],
)
def probability_of_a_large_sum():
    """Probability of a large sum, by its exponential moment."""
    return Le(probability(datasets, bad) * exp(tilt * (sqrt(n) * M)), mass_2)


def best_tilt():
    """The rate of the exponential moment that gives Bernstein's inequality for bounded values."""
    return M / (sqrt(n) * (variance + M * T / (3 * sqrt(n))))


def independent_values(rate=tilt):
    """State that n independent records have the n-th power of a record's exponential moment."""
    return Eq(moment_of_the_sum(rate), moment_of_a_value(rate) ** n)


@claim(
    "note-theorem-15-numbers",
    place="Theorem 15, eq. 24: the rate of the exponential moment",
    proof=lambda: [
        step(
            "what is left",
            Eq(1 - best_tilt() * T / 3, variance / (variance + M * T / (3 * sqrt(n)))),
        ),
        step(
            "the moment",
            Eq(
                n * (best_tilt() ** 2 * variance / (2 * (1 - best_tilt() * T / 3))),
                exponent(M, variance, T / 3),
            ),
        ),
        step("the level", Eq(best_tilt() * (sqrt(n) * M), 2 * exponent(M, variance, T / 3))),
    ],
)
def exponents_at_the_best_tilt():
    """Exponents of Bernstein's inequality for bounded values."""
    return [
        Lt(best_tilt() * T, 3),
        Eq(
            n * (best_tilt() ** 2 * variance / (2 * (1 - best_tilt() * T / 3))),
            exponent(M, variance, T / 3),
        ),
        Eq(best_tilt() * (sqrt(n) * M), 2 * exponent(M, variance, T / 3)),
    ]


@claim(
    "note-theorem-15-power",
    place="Theorem 15: the moment of n records",
    given=lambda: [Le(moment, exp(weight))],
)
def power_of_an_exponential_moment():
    """Power of a moment that an exponential bounds."""
    return Le(moment**n, exp(n * weight))


@claim(
    "note-theorem-15-tilted",
    place="Theorem 15, from a bound on the exponential moment of a record",
    given=lambda: [
        Le(moment_of_a_value(), exp(weight)),
        Ge(moment_of_a_value(), 0),
        independent_values(),
        large_sum(),
    ],
    using=[
        ("note-theorem-15-power", lambda: {moment: moment_of_a_value()}),
        ("note-theorem-15-markov", lambda: {mass_2: exp(n * weight)}),
    ],
    proof=lambda: [
        step("the sum", Le(moment_of_the_sum(), exp(n * weight))),
    ],
)
def probability_of_a_large_sum_at_any_tilt():
    """Probability of a large sum of independent records, by an exponential moment of one."""
    return Le(probability(datasets, bad) * exp(tilt * (sqrt(n) * M)), exp(n * weight))


@claim(
    "note-theorem-15-divided",
    place="Theorem 15, its last step",
    given=lambda: [
        Le(mass_2 * exp(level_1), exp(level_3)),
        Eq(level_1, 2 * number),
        Eq(level_3, number),
    ],
    proof=lambda: [
        step("the level", Eq(exp(level_1), exp(2 * number))),
        step("the bound", Eq(exp(level_3), exp(number))),
        step("a square", Eq(exp(2 * number), exp(number) ** 2)),
        step("together", Le(mass_2 * exp(number) ** 2, exp(number))),
    ],
)
def probability_without_the_exponential():
    """Probability of a large sum, from its multiple with an exponential."""
    return Le(mass_2, exp(-number))


@claim(
    "note-theorem-15-bounded",
    place="Theorem 15, eq. 24, at a rate of the exponential moment that gives the exponent u_1",
    try_at=[
        {T: "3/2", tilt: 1, variance: "1/2", M: 1, number: "1/2", n: 1, mean_1: 0},
    ],
    given=lambda: [
        *bounded_values(),
        variance_is_bounded(),
        tilt * T < 3,
        Eq(n * log_moment(), number),
        Eq(tilt * (sqrt(n) * M), 2 * number),
        Ge(moment_of_a_value(), 0),
        independent_values(),
        large_sum(),
    ],
    using=[
        "note-theorem-15-moment",
        ("note-theorem-15-tilted", lambda: {weight: log_moment()}),
        (
            "note-theorem-15-divided",
            lambda: {
                mass_2: probability(datasets, bad),
                level_1: tilt * (sqrt(n) * M),
                level_3: n * log_moment(),
            },
        ),
    ],
    proof=lambda: [
        step("the moment", Le(moment_of_a_value(), exp(log_moment()))),
        step(
            "of the sum",
            Le(
                probability(datasets, bad) * exp(tilt * (sqrt(n) * M)),
                exp(n * log_moment()),
            ),
        ),
    ],
)
def probability_of_a_large_sum_of_bounded_records():
    """Probability of a large sum of bounded records, at a rate of the exponential moment."""
    return Le(probability(datasets, bad), exp(-number))


@claim(
    "theorem-15.i",
    place="Theorem 15, eq. 24: B is any event in which the sum is large, so it is about the outer measure; "
    "only values above the mean need a bound. That the records are independent is used for their "
    "exponential moment",
    scope="from moments of independent records that are products: that the exponential moment of the sum is the power of that of a "
    "record, at one rate, is a condition here",
    try_at=[{T: 1, variance: 1, M: 1, n: 1, mean_1: 0}],
    given=lambda: [
        *bounded_values(),
        variance_is_bounded(),
        Ge(moment_of_a_value(best_tilt()), 0),
        independent_values(best_tilt()),
        large_sum(),
    ],
    using=[
        "note-theorem-15-numbers",
        (
            "note-theorem-15-bounded",
            lambda: {tilt: best_tilt(), number: exponent(M, variance, T / 3)},
        ),
    ],
)
def bernstein_for_bounded_records():
    """Bernstein's inequality, one-sided, for bounded records."""
    return Le(probability(datasets, bad), exp(-exponent(M, variance, T / 3)))


# --- theorem 15, by moments ------------------------------------------------------------------------


@claim(
    "note-theorem-15-falls",
    place="Theorem 15, eq. 25: numbers p_j that grow by no more than other numbers fall",
    given=lambda: [
        Le(chances(0), level_0 - level_0 * falling(0)),
        Every(
            count,
            Le(
                chances(count + 1),
                chances(count) + level_0 * falling(count) - level_0 * falling(count + 1),
            ),
        ),
    ],
)
def growth_by_what_falls():
    """A sequence that grows by no more than another falls."""
    return Le(chances(shells), level_0 - level_0 * falling(shells))


@claim("note-theorem-15-next", place="Theorem 15, eq. 25: a power and the next one")
def next_power():
    """A power of a positive number, and the next one."""
    return Eq(ratio ** (count + 1), ratio * ratio**count)


@claim(
    "note-theorem-15-series",
    place="Theorem 15, eq. 25: numbers p_j that grow as a geometric series of the sum b_0",
    given=lambda: [
        ratio < 1,
        Le(chances(0), (1 - ratio) * level_0),
        Every(
            count,
            Le(chances(count + 1), chances(count) + (1 - ratio) * level_0 * ratio * ratio**count),
        ),
    ],
    using=[
        ("note-theorem-15-next", lambda: {count: count}),
        (
            "note-theorem-15-falls",
            lambda: {falling(count).function: Lambda((count,), ratio * ratio**count)},
        ),
    ],
    proof=lambda: [
        step("the first power", Eq(ratio * ratio**0, ratio)),
        step("a power", Every(count, Eq(ratio ** (count + 1), ratio * ratio**count))),
        step(
            "a term",
            Every(
                count,
                Le(
                    chances(count + 1),
                    chances(count)
                    + level_0 * (ratio * ratio**count)
                    - level_0 * (ratio * ratio ** (count + 1)),
                ),
            ),
        ),
    ],
)
def sum_of_a_geometric_series():
    """A sequence that grows by the terms of a geometric series, and the rest of its sum."""
    return Le(chances(shells), level_0 - level_0 * ratio * ratio**shells)


@claim(
    "note-theorem-15-term",
    place="Theorem 15, eq. 25: a term of the series, by the bound on its moment; v_0 is the moment over a "
    "factorial",
    given=lambda: [moment <= T * T**count * variance / 2],
    proof=lambda: [
        step("the power", Eq((tilt * T) ** count, tilt**count * T**count)),
        step("its sign", Gt(tilt**count, 0)),
        step(
            "times the power",
            Le(tilt**count * moment, tilt**count * (T * T**count * variance / 2)),
        ),
    ],
)
def term_of_the_series():
    """Term of the series of an exponential moment, by the bound on a moment."""
    return Le(
        tilt**3 * tilt**count * moment,
        tilt**2 * variance / 2 * (tilt * T) * (tilt * T) ** count,
    )


def absolute_moment(order):
    """Moment of the absolute value of a record, over the factorial of its order."""
    return under_mu(Abs(value_of(y_2)) ** order) / factorial(order)


def moments_are_bounded():
    """State that the absolute moments of a value keep the bounds of eq. 25; T is the b there."""
    return [
        Le(absolute_moment(2), variance / 2),
        Every(count, Le(scaled(count), T * T**count * variance / 2)),
    ]


def higher_moments():
    """State that m_j is the absolute moment of the order j + 3, over its factorial."""
    return Every(count, Eq(scaled(count), absolute_moment(count + 3)))


def raw_moment(rate=tilt):
    """Exponential moment of the value of a record."""
    return under_mu(exp(rate * value_of(y_2)))


def term_by_term(rate=tilt):
    """State that the exponential moment is the sum of a series of moments; p_j has j + 1 terms.

    It is finite; and where it is above a number, so is the partial sum up to some term.
    """
    more = rate**3 * rate**count * scaled(count)
    most = 1 + rate * mean_1 + log_raw(rate)
    return [
        Le(chances(0), rate**2 * absolute_moment(2)),
        Every(count, Le(chances(count + 1), chances(count) + more)),
        Ge(raw_moment(rate), 0),
        Or(Le(raw_moment(rate), most), Gt(chances(shells), log_raw(rate))),
    ]


def log_raw(rate=tilt):
    """The bound on the logarithm of the moment of a record, by its moments."""
    return rate**2 * variance / (2 * (1 - rate * T))


@claim(
    "note-theorem-15-terms",
    place="Theorem 15, eq. 25: the sum of the terms, by the moments",
    given=lambda: [*moments_are_bounded(), *term_by_term()[:2], tilt * T < 1],
    using=[
        ("note-theorem-15-term", lambda: {count: count, moment: scaled(count)}),
        ("note-theorem-15-series", lambda: {ratio: tilt * T, level_0: log_raw()}),
    ],
    proof=lambda: [
        step(
            "a term",
            Every(
                count,
                Le(
                    tilt**3 * tilt**count * scaled(count),
                    tilt**2 * variance / 2 * (tilt * T) * (tilt * T) ** count,
                ),
            ),
        ),
        step("the sum", Eq((1 - tilt * T) * log_raw(), tilt**2 * variance / 2)),
        step("the first term", Le(chances(0), (1 - tilt * T) * log_raw())),
        step(
            "the next terms",
            Every(
                count,
                Le(
                    chances(count + 1),
                    chances(count) + (1 - tilt * T) * log_raw() * (tilt * T) * (tilt * T) ** count,
                ),
            ),
        ),
        step("what is left", [Gt((tilt * T) ** shells, 0), Gt(log_raw(), 0)]),
    ],
)
def sum_of_the_terms():
    """Partial sums of the series of an exponential moment, by the moments."""
    return Le(chances(shells), log_raw())


@claim(
    "note-theorem-15-raw",
    place="Theorem 15, eq. 25: the exponential moment of a record",
    given=lambda: [*moments_are_bounded(), *term_by_term(), tilt * T < 1],
    using=["note-theorem-15-terms"],
    proof=lambda: [step("the partial sum", Le(chances(shells), log_raw()))],
)
def exponential_moment_by_moments():
    """Exponential moment of a record, by its moments."""
    return Le(raw_moment(), 1 + tilt * mean_1 + log_raw())


@claim(
    "note-theorem-15-shifted",
    place="Theorem 15, eq. 25: the exponential moment of what a value exceeds the mean by",
    given=lambda: [
        Le(raw_moment(), 1 + tilt * mean_1 + weight),
        Ge(moment_of_a_value(), 0),
    ],
    proof=lambda: [
        step(
            "the mean taken out",
            Eq(moment_of_a_value(), exp(-tilt * mean_1) * raw_moment()),
        ),
        step("the tangent", Le(1 + (tilt * mean_1 + weight), exp(tilt * mean_1 + weight))),
        step(
            "times an exponential",
            Le(
                exp(-tilt * mean_1) * raw_moment(),
                exp(-tilt * mean_1) * exp(tilt * mean_1 + weight),
            ),
        ),
        step("their product", Eq(exp(-tilt * mean_1) * exp(tilt * mean_1 + weight), exp(weight))),
    ],
)
def exponential_moment_without_the_mean():
    """Exponential moment of a value's excess over the mean, from the moment of the value."""
    return Le(moment_of_a_value(), exp(weight))


def steep_tilt():
    """The rate of the exponential moment that gives Bernstein's inequality by moments."""
    return M / (sqrt(n) * (variance + M * T / sqrt(n)))


@claim(
    "note-theorem-15-rates",
    place="Theorem 15, eq. 25: the rate of the exponential moment",
    proof=lambda: [
        step(
            "what is left",
            Eq(1 - steep_tilt() * T, variance / (variance + M * T / sqrt(n))),
        ),
    ],
)
def exponents_at_the_steep_tilt():
    """Exponents of Bernstein's inequality by moments."""
    return [
        Lt(steep_tilt() * T, 1),
        Eq(
            n * log_raw(steep_tilt()),
            exponent(M, variance, T),
        ),
        Eq(steep_tilt() * (sqrt(n) * M), 2 * exponent(M, variance, T)),
    ]


@claim(
    "note-theorem-15-moments",
    place="Theorem 15, eq. 25, at a rate of the exponential moment that gives the exponent u_1",
    try_at=[{T: "1/2", tilt: 1, variance: 1, M: 2, number: 1, n: 1, mean_1: 0, shells: 1}],
    given=lambda: [
        *moments_are_bounded(),
        *term_by_term(),
        tilt * T < 1,
        Eq(n * log_raw(), number),
        Eq(tilt * (sqrt(n) * M), 2 * number),
        Ge(moment_of_a_value(), 0),
        independent_values(),
        large_sum(),
    ],
    using=[
        "note-theorem-15-raw",
        ("note-theorem-15-shifted", lambda: {weight: log_raw()}),
        ("note-theorem-15-tilted", lambda: {weight: log_raw()}),
        (
            "note-theorem-15-divided",
            lambda: {
                mass_2: probability(datasets, bad),
                level_1: tilt * (sqrt(n) * M),
                level_3: n * log_raw(),
            },
        ),
    ],
    proof=lambda: [
        step("the moment", Le(moment_of_a_value(), exp(log_raw()))),
        step(
            "of the sum",
            Le(probability(datasets, bad) * exp(tilt * (sqrt(n) * M)), exp(n * log_raw())),
        ),
    ],
)
def probability_of_a_large_sum_by_moments():
    """Probability of a large sum of records, by their moments, at a rate of the exponential moment."""
    return Le(probability(datasets, bad), exp(-number))


@claim(
    "theorem-15.ii",
    place="Theorem 15, eq. 25: T is the b there, and B any event in which the sum is large; m_j are the "
    "absolute moments over factorials, from the third one on, p_j partial sums of the power series of the "
    "exponential moment with them. That the records are independent is used for their exponential moment",
    scope="from the series of the exponential moment, which is a condition here: it is finite and at most the "
    "supremum of the partial sums, by monotone convergence, so where it exceeds a number one of them does; and from "
    "moments of independent records that are products, a condition as in theorem-15.i",
    try_at=[{T: 1, variance: 1, M: 1, n: 1, mean_1: 0, shells: 1}],
    given=lambda: [
        higher_moments(),
        *moments_are_bounded(),
        *term_by_term(steep_tilt()),
        Ge(moment_of_a_value(steep_tilt()), 0),
        independent_values(steep_tilt()),
        large_sum(),
    ],
    using=[
        "note-theorem-15-rates",
        (
            "note-theorem-15-moments",
            lambda: {tilt: steep_tilt(), number: exponent(M, variance, T)},
        ),
    ],
)
def bernstein_by_moments():
    """Bernstein's inequality, one-sided, by moments."""
    return Le(probability(datasets, bad), exp(-exponent(M, variance, T)))


# --- lemma 8 --------------------------------------------------------------------------------------

in_shell, up_to = AnyFunction("F", 2, Shells), AnyFunction("U", 2, Shells)


def chance(events, number_of):
    """Probability of one of a sequence of events."""
    return averaged(events(number_of, data))


def union_of_shells():
    """State that U_j is no larger than the union of F_0, ..., F_j."""
    later = Le(up_to(count + 1, data), up_to(count, data) + in_shell(count + 1, data))
    return [
        Every(data, Le(up_to(0, data), in_shell(0, data))),
        Every(count, Every(data, later)),
    ]


@claim(
    "note-lemma-8-next",
    place="Lemma 8, eq. 34: the probability of one shell more",
    given=lambda: [*union_of_shells()],
)
def probability_of_one_shell_more():
    """Probability of a union of events, with one more."""
    return [
        Le(chance(up_to, 0), chance(in_shell, 0)),
        Le(chance(up_to, count + 1), chance(up_to, count) + chance(in_shell, count + 1)),
    ]


@claim(
    "note-lemma-8-induction",
    place="Lemma 8, eq. 34: numbers p_j of which each is at most b_0 more than the one before",
    given=lambda: [
        Le(chances(0), level_0),
        Every(count, Le(chances(count + 1), chances(count) + level_0)),
    ],
)
def sum_of_equal_bounds():
    """A sequence that grows by at most a bound in each step."""
    return Le(chances(shells), (shells + 1) * level_0)


@claim(
    "note-lemma-8-geometric",
    place="Lemma 8, its last display: numbers p_j that grow by less and less",
    given=lambda: [
        Le(chances(0), 2 * level_0),
        Every(count, Le(chances(count + 1), chances(count) + 2 ** (-count) * level_0)),
    ],
)
def sum_of_geometric_bounds():
    """A sequence that grows by half as much in each step."""
    return Le(chances(shells), 4 * level_0 - 2 * 2 ** (-shells) * level_0)


@claim(
    "note-lemma-8-power",
    place="Lemma 8, its last display: exponents that double; w_0 is c_2 n phi_n**2",
    given=lambda: [weight >= log(2)],
    proof=lambda: [
        step("a power of 2", Ge(2 ** (count + 1), count + 2)),
        step("the exponents", Ge(weight * 2 ** (count + 1), weight + (count + 1) * log(2))),
        step(
            "their exponentials",
            Le(exp(-weight * 2 ** (count + 1)), exp(-weight) * exp(-(count + 1) * log(2))),
        ),
        step("the power", Eq(exp(-(count + 1) * log(2)), 2 ** (-count) / 2)),
    ],
)
def exponents_that_double():
    """Exponential of an exponent that doubles, below a geometric sequence."""
    return Le(2 * exp(-weight * 2 ** (count + 1)), 2 ** (-count) * exp(-weight))


def same_integral(parameter):
    """State that the density at a parameter has no larger integral than the density at theta*."""
    return Le(under_mu(with_contamination(y_2, parameter)), under_mu(with_contamination(y_2)))


def truncated(parameter, cut=tau):
    """The log likelihood ratio of a record, cut off below at -tau."""
    ratio_ = with_contamination(y_2, parameter) / with_contamination(y_2)
    return Max(-cut, log(ratio_))


def mean_of_truncated(parameter, cut=tau):
    """Its mean under the true parameter."""
    return under_mu(with_contamination(y_2) * truncated(parameter, cut))


@claim(
    "note-lemma-8-record",
    place="Lemma 8, the mean of the truncated log ratio, at a record",
    given=lambda: [lost_share(tau) <= lost_0],
    using=[("note-b.2-mean", lambda: {x_1: sqrt(f / f_star)})],
    proof=lambda: [
        step("the logarithm", Eq(log(f / f_star), 2 * log(sqrt(f / f_star)))),
        step("the root", Eq(sqrt(f / f_star) ** 2, f / f_star)),
        step(
            "without the density",
            Le(
                Max(-tau, log(f / f_star)),
                2 * (sqrt(f / f_star) - 1) + lost_share(tau) * (sqrt(f / f_star) - 1) ** 2,
            ),
        ),
        step("the roots", Eq(sqrt(f / f_star), sqrt(f) / sqrt(f_star))),
        step(
            "times the density",
            Le(
                f_star * Max(-tau, log(f / f_star)),
                f_star
                * (2 * (sqrt(f / f_star) - 1) + lost_share(tau) * (sqrt(f / f_star) - 1) ** 2),
            ),
        ),
        step(
            "the share",
            Ge(lost_0 * root_gap(f_star, f), lost_share(tau) * root_gap(f_star, f)),
        ),
        step(
            "a square",
            Eq(
                f_star
                * (2 * (sqrt(f / f_star) - 1) + lost_share(tau) * (sqrt(f / f_star) - 1) ** 2),
                f - f_star - 2 * (1 - lost_share(tau)) * root_gap(f_star, f),
            ),
        ),
    ],
)
def truncated_log_ratio_of_a_record():
    """Truncated log likelihood ratio of a record, by the difference of the roots."""
    return Le(
        weight * (f_star * Max(-tau, log(f / f_star))),
        weight * f - weight * f_star - 2 * (1 - lost_0) * (weight * root_gap(f_star, f)),
    )


@claim(
    "note-lemma-8-mean",
    place="Lemma 8, the mean of the truncated log ratio (Wong and Shen, Lemma 4), for all models",
    given=lambda: [
        lost_share(tau) <= lost_0,
        same_integral(theta),
        Ge(hellinger(theta, with_contamination), 0),
        Ge(mean_of_truncated(theta), -tau),
    ],
    using=[
        (
            "note-lemma-8-record",
            lambda: {
                f: with_contamination(y_2, theta),
                f_star: with_contamination(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                mean_of_truncated(theta),
                under_mu(with_contamination(y_2, theta))
                - under_mu(with_contamination(y_2))
                - 2 * (1 - lost_0) * hellinger(theta, with_contamination),
            ),
        ),
    ],
)
def mean_of_the_truncated_log_ratio_of_two_distributions():
    """Mean of the truncated log likelihood ratio of a record."""
    return Le(
        mean_of_truncated(theta),
        -2 * (1 - lost_0) * hellinger(theta, with_contamination),
    )


def rate_with(lost):
    """The constant c_1 of Lemma 8."""
    return 2 * (1 - lost - k / 2)


def about_the_mean():
    """The steps from the mean of a log ratio to the radius of its shell, and from there to phi_n."""
    return [
        step("the mean", Le(mean_1, -2 * (1 - lost_0) * size**2)),
        step("of all records", Le(n * mean_1, n * (-2 * (1 - lost_0) * size**2))),
        step("the radius", Ge(n * size**2, n * phi**2)),
        step(
            "the constant",
            Le(-rate_with(lost_0) * (n * size**2), -rate_with(lost_0) * (n * phi**2)),
        ),
    ]


@claim(
    "note-lemma-8-numbers",
    place="Lemma 8, before eq. 33: from the mean and the deviation to the likelihood ratio; H_0 is the "
    "squared distance, r_0 the inner radius of its shell, u_1 the truncated log ratio, m_1 its mean",
    given=lambda: [
        log(ratio) <= number,
        number - n * mean_1 < k * n * size**2,
        mean_1 <= -2 * (1 - lost_0) * distance_0,
        size**2 <= distance_0,
        phi <= size,
        lost_0 + k / 2 <= 1,
    ],
    proof=lambda: [
        *about_the_mean(),
        step("together", Lt(log(ratio), -rate_with(lost_0) * (n * phi**2))),
    ],
)
def likelihood_ratio_from_the_deviation():
    """Likelihood ratio of n records, from the deviation of the truncated one."""
    return Lt(log(ratio), -rate_with(lost_0) * (n * phi**2))


@claim(
    "note-lemma-8-cases",
    place="Lemma 8 for a dataset, in numbers: J_0 is 1 where a likelihood ratio is large, I_B where the "
    "deviation on some shell is",
    given=lambda: [
        zero_or_one(bad_0),
        zero_or_one(in_b),
        Or(Eq(bad_0, 0), Ge(log(ratio), -rate_with(lost_0) * (n * phi**2))),
        Or(Eq(in_b, 1), Lt(number - n * mean_1, k * n * size**2)),
        log(ratio) <= number,
        mean_1 <= -2 * (1 - lost_0) * distance_0,
        size**2 <= distance_0,
        phi <= size,
        lost_0 + k / 2 <= 1,
    ],
    proof=lambda: [
        *about_the_mean(),
        step(
            "outside",
            Or(Eq(in_b, 1), Lt(log(ratio), -rate_with(lost_0) * (n * phi**2))),
        ),
    ],
)
def large_ratio_by_the_deviation():
    """Event of a large likelihood ratio, by the event of a large deviation on a shell."""
    return Le(bad_0, in_b)


worst, inner_radius = AnyFunction("theta_n", 1, Record), AnyFunction("r_n", 1, Radius)
truncated_sum, shells_fail = AnyFunction("Z_n", 1, Slope), AnyEvent("U")


def large_ratio():
    """State that the likelihood ratio at theta_n reaches the bound, or the dataset is not in B."""
    top = log(likelihood(data, worst(data)))
    return Or(Eq(chosen(bad), 0), Ge(top, -(n * phi**2) / 12))


def on_its_shell():
    """State the conditions on a dataset and the parameter theta_n, on the sieve and outside A."""
    parameter = worst(data)
    deviation = truncated_sum(data) - n * mean_of_truncated(parameter, tau_0)
    return [
        same_integral(parameter),
        Le(inner_radius(data) ** 2, hellinger(parameter, with_contamination)),
        Ge(mean_of_truncated(parameter, tau_0), -tau_0),
        phi <= inner_radius(data),
        log(likelihood(data, parameter)) <= truncated_sum(data),
        Or(Eq(chosen(shells_fail), 1), Lt(deviation, split * n * inner_radius(data) ** 2)),
        large_ratio(),
    ]


@claim(
    "note-lemma-8-dataset",
    place="Lemma 8 for a dataset",
    given=lambda: [*on_its_shell()],
    using=[
        ("note-lemma-8-mean", lambda: {theta: worst(data), tau: tau_0, lost_0: Rational(5, 8)}),
        (
            "note-lemma-8-cases",
            lambda: {
                bad_0: chosen(bad),
                in_b: chosen(shells_fail),
                ratio: likelihood(data, worst(data)),
                number: truncated_sum(data),
                mean_1: mean_of_truncated(worst(data), tau_0),
                distance_0: hellinger(worst(data), with_contamination),
                size: inner_radius(data),
                k: split,
                lost_0: Rational(5, 8),
            },
        ),
    ],
    proof=lambda: [
        step("the share", Le(lost_share(tau_0), Rational(5, 8))),
        step(
            "the mean",
            Le(
                mean_of_truncated(worst(data), tau_0),
                -2 * (1 - Rational(5, 8)) * hellinger(worst(data), with_contamination),
            ),
        ),
    ],
)
def large_ratio_of_a_dataset():
    """Event of a large likelihood ratio on the sieve and outside A, by an event of the shells."""
    return Le(chosen(bad), chosen(shells_fail))


@claim(
    "note-lemma-8-datasets",
    place="Lemma 8 for all datasets",
    given=lambda: [
        Every(data, on_its_shell()),
    ],
    using=[("note-lemma-8-dataset", lambda: {data: data})],
)
def large_ratio_of_all_datasets():
    """Event of a large likelihood ratio, by an event of the shells, for all datasets."""
    return Every(data, Le(chosen(bad), chosen(shells_fail)))


@claim(
    "note-lemma-8-chance",
    place="Lemma 8: the probability of an event, by that of one that covers it",
    given=lambda: [
        Every(data, Le(chosen(bad), chosen(shells_fail))),
        Le(probability(datasets, shells_fail), mass_2),
    ],
)
def probability_of_a_part():
    """Probability of an event, by the probability of an event that covers it."""
    return Le(probability(datasets, bad), mass_2)


LEMMA_16 = (
    "from the conclusion of lemma 16 for each shell, a bound on an empirical process, which is a "
    "condition here, as is that the probability of a union is at most the sum (note-lemma-8-next); for densities f that are "
    "positive"
)
AROUND_LEMMA_8 = (
    "B is any event for each dataset of which a likelihood ratio reaches the bound, at the parameter "
    "theta_n on the sieve and outside A; r_n is the inner radius of its shell, Z_n the sum of the "
    "truncated log ratios there; U is the union of the events of Lemma 16 for the shells 0 to L_0, and "
    "p_j the probability of the union of the first ones. The constants are those of the paper, tau = 2 "
    "log 5 and k = 2/3, so that c_1 is 1/12"
)
WITHOUT_16 = {
    "lemma-16": "its conclusion for each shell is a condition",
    "corollary-17": "as for lemma 16",
}


def rate_2():
    """The exponent c_2 n phi_n**2."""
    return c_2 * (n * phi**2)


def by_shells(first, more):
    """State that p_j of the last shell bounds the probability of all shells, and how p_j grows."""
    return [
        Every(data, on_its_shell()),
        Le(probability(datasets, shells_fail), chances(shells)),
        Le(chances(0), first),
        Every(count, Le(chances(count + 1), chances(count) + more)),
    ]


@claim(
    "lemma-8",
    place=f"Lemma 8, eq. 19; {AROUND_LEMMA_8}",
    scope=f"{LEMMA_16}, and a supremum that is attained. The last display, the factor 4 where exp(-c_2 n phi_n**2) is at most "
    "1/2, is not stated; note-lemma-8-geometric and note-lemma-8-power add up its terms",
    without=WITHOUT_16,
    try_at=[{n: 1, phi: "1/10", p: "1/10", c_2: 1, scales: 3, shells: 1}],
    given=lambda: by_shells(
        (1 + scales) * exp(-rate_2()),
        (1 + scales) * exp(-rate_2()),
    ),
    using=[
        "note-lemma-8-datasets",
        ("note-lemma-8-induction", lambda: {level_0: (1 + scales) * exp(-rate_2())}),
        (
            "note-lemma-8-chance",
            lambda: {mass_2: (1 + shells) * (1 + scales) * exp(-rate_2())},
        ),
    ],
    proof=lambda: [
        step(
            "all shells",
            Le(
                probability(datasets, shells_fail),
                (1 + shells) * (1 + scales) * exp(-rate_2()),
            ),
        ),
        step("the event", Every(data, Le(chosen(bad), chosen(shells_fail)))),
    ],
)
def likelihood_ratio_is_small_away_from_the_truth():
    """Likelihood ratio of parameters away from the true one (Wong and Shen)."""
    return Le(probability(datasets, bad), (1 + shells) * (1 + scales) * exp(-rate_2()))


# --- lemma 16 and corollary 17 ----------------------------------------------------------------------


def large_deviation():
    """The deviation M of the empirical process that Lemma 16 is about."""
    return k * sqrt(n) * radius**2


deviation, first_part = AnyFunction("nu", 1, Slope), AnyFunction("nu_0", 1, Slope)
other_parts, scales_fail = AnyFunction("nu_1", 1, Slope), AnyEvent("V")


def parts_of_the_deviation():
    """Eq. 30 for a dataset at the parameter where the deviation is large: its parts, and their bounds."""
    whole = large_deviation()
    return [
        Or(Eq(chosen(bad), 0), Ge(deviation(data), whole)),
        deviation(data) <= first_part(data) + other_parts(data),
        Or(Eq(chosen(scales_fail), 1), Lt(first_part(data), (1 - 3 * k / 8) * whole)),
        Or(Eq(chosen(scales_fail), 1), Le(other_parts(data), 3 * k / 8 * whole)),
    ]


AROUND_LEMMA_16 = (
    "B is any event of datasets for which the process reaches M at a parameter within the Hellinger "
    "distance t_0, so it is about the outer measure; nu_0 is the first part of (30) there "
    "and nu_1 the others, V the event in which the first part or a step exceeds its level, and p_j the probability of its union up "
    "to the scale j"
)
CHAINING = (
    "from what the proof says of the parts of (30), which is a condition here: outside V the parts after the "
    "first are at most 3k/8 of M by (26) and (29), as the last two stay below k/8 each, and for each scale a bound by Bernstein's inequality "
    "and the number of brackets, (28) and (31)"
)
AS_PRINTED = (
    ". The bound for the first scale is that of the print, with 8 c_0, which the proof has by text-b.2-triangle; that is "
    "refuted, and its repair gives 32 c_0 (note-lemma-16-repaired; the same for Corollary 17)"
)
WITHOUT_15 = {
    "theorem-15.i": "what it gives for each scale, (31), is a condition",
    "theorem-15.ii": "what it gives for the first part is a condition",
}


def exponent_16(times=8):
    """The exponent (1 - k) Psi of Lemma 16."""
    return (1 - k) * psi_of(large_deviation(), times)


def first_bound(times=8):
    """Return the bound on the probability that the first part of (30) exceeds its level.

    It is by (25) and the number of brackets.
    """
    return exp(number - psi_of((1 - 3 * k / 8) * large_deviation(), times))


def by_all_scales(times=8):
    """State how the probability of the event V grows, scale by scale."""
    return [
        Every(data, parts_of_the_deviation()),
        Le(probability(datasets, scales_fail), chances(shells)),
        Le(number, k / 4 * psi_of(large_deviation(), times)),
        Le(chances(0), first_bound(times)),
        Every(
            count,
            Le(chances(count + 1), chances(count) + exp(-exponent_16(times) * (2 * 4**count))),
        ),
    ]


@claim(
    "note-lemma-16-parts",
    place="Lemma 16, eq. 30, in numbers: I_B where the process reaches M, I_A where a part exceeds its level; "
    "b_1 is M, q_2 the first part and u_1 the others",
    given=lambda: [
        zero_or_one(in_b),
        zero_or_one(in_a),
        Or(Eq(in_b, 0), mean_1 >= level_1),
        mean_1 <= mass_2 + number,
        Or(Eq(in_a, 1), mass_2 < (1 - 3 * k / 8) * level_1),
        Or(Eq(in_a, 1), number <= 3 * k / 8 * level_1),
    ],
)
def large_deviation_by_its_parts():
    """Event of a large sum, by the event where one of its parts is large."""
    return Le(in_b, in_a)


@claim(
    "note-lemma-16-event",
    place="Lemma 16: the probability of a large deviation, by that of the event V",
    given=lambda: [
        Every(data, parts_of_the_deviation()),
        Le(probability(datasets, scales_fail), mass_2),
    ],
    using=[
        (
            "note-lemma-16-parts",
            lambda: {
                in_b: chosen(bad),
                in_a: chosen(scales_fail),
                mean_1: deviation(data),
                mass_2: first_part(data),
                number: other_parts(data),
                level_1: large_deviation(),
            },
        ),
    ],
    proof=lambda: [step("a dataset", Every(data, Le(chosen(bad), chosen(scales_fail))))],
)
def large_deviation_by_an_event():
    """Probability of a large deviation, by the probability that a part exceeds its level."""
    return Le(probability(datasets, bad), mass_2)


@claim(
    "note-lemma-16-share",
    place="Lemma 16, the bound on P_1: the exponent at a share of the deviation; v_0 is 8 c_0 t**2 in the print, b_0 is M, "
    "and r_0 is M / sqrt(n)",
    proof=lambda: [
        step("the share", [Ge(1 - 3 * k / 8, 0), Le(1 - 3 * k / 8, 1)]),
        step(
            "below the line",
            Ge(
                ((1 - 3 * k / 8) * level_0) ** 2 / (4 * (moment + (1 - 3 * k / 8) * size)),
                (1 - 3 * k / 8) ** 2 * (level_0**2 / (4 * (moment + size))),
            ),
        ),
        step("the squared share", Ge((1 - 3 * k / 8) ** 2 - k / 4, 1 - k)),
        step("the exponent", Ge(level_0**2 / (4 * (moment + size)), 0)),
        step(
            "times the exponent",
            Ge(
                ((1 - 3 * k / 8) ** 2 - k / 4) * (level_0**2 / (4 * (moment + size))),
                (1 - k) * (level_0**2 / (4 * (moment + size))),
            ),
        ),
    ],
)
def exponent_at_a_smaller_deviation():
    """Exponent of Bernstein's inequality at a share of a deviation, less a share of the exponent."""
    smaller = ((1 - 3 * k / 8) * level_0) ** 2 / (4 * (moment + (1 - 3 * k / 8) * size))
    return Ge(
        smaller - k / 4 * (level_0**2 / (4 * (moment + size))),
        (1 - k) * (level_0**2 / (4 * (moment + size))),
    )


@claim(
    "note-lemma-16-first",
    place="Lemma 16, the bound on P_1, in numbers; b_1 is Psi, b_3 is Psi at the share of the deviation",
    given=lambda: [
        number <= k / 4 * level_1,
        level_3 - k / 4 * level_1 >= (1 - k) * level_1,
        mass_2 <= exp(number - level_3),
    ],
    proof=lambda: [step("the exponents", Le(number - level_3, -((1 - k) * level_1)))],
)
def chance_of_the_first_part():
    """Probability that the first part is large, by the exponent of Lemma 16."""
    return Le(mass_2, exp(-((1 - k) * level_1)))


@claim(
    "note-lemma-16-next",
    place="Lemma 16, eq. 31: exponents that only grow",
    proof=lambda: [
        step("a power of 4", Ge(2 * 4**count, 1)),
        step("the exponents", Ge(weight * (2 * 4**count), weight)),
    ],
)
def larger_exponents():
    """Exponential of a multiple of an exponent."""
    return Le(exp(-weight * (2 * 4**count)), exp(-weight))


def by_scales(least):
    """State that p_j is small for the first scale, and by how much it grows."""
    return [
        Le(chances(0), exp(-least)),
        Every(count, Le(chances(count + 1), chances(count) + exp(-least * (2 * 4**count)))),
    ]


@claim(
    "note-lemma-16-sum",
    place="Lemma 16: the sum over the scales; w_0 is (1 - k) Psi",
    given=lambda: by_scales(weight),
    using=[
        ("note-lemma-16-next", lambda: {count: count}),
        ("note-lemma-8-induction", lambda: {level_0: exp(-weight)}),
    ],
    proof=lambda: [
        step(
            "each scale",
            Every(count, Le(chances(count + 1), chances(count) + exp(-weight))),
        ),
    ],
)
def sum_over_all_scales():
    """A sequence that grows by exponentials of at least one exponent."""
    return Le(chances(shells), (1 + shells) * exp(-weight))


@claim("note-lemma-16-constant", place="Lemma 16: its constant c_0")
def constant_is_not_negative():
    """Constant c_0 of Lemma 16, from below."""
    return Ge(moment_constant(tau), 0)


def note_on_the_share(times):
    """Return note-lemma-16-share for the deviation M and a factor of c_0, with the note on c_0."""
    whole = large_deviation()
    return [
        "note-lemma-16-constant",
        (
            "note-lemma-16-share",
            lambda: {
                level_0: whole,
                moment: times * moment_constant(tau) * radius**2,
                size: whole / sqrt(n),
            },
        ),
    ]


def share_of_the_deviation(times):
    """Psi at the share of the deviation, less a share of Psi, against (1 - k) Psi; and that Psi is not negative."""
    whole = large_deviation()
    return [
        Ge(
            psi_of((1 - 3 * k / 8) * whole, times) - k / 4 * psi_of(whole, times),
            exponent_16(times),
        ),
        Ge(exponent_16(times), 0),
    ]


def about_the_share(times):
    """The steps for the exponents of Lemma 16."""
    whole, share = large_deviation(), 1 - 3 * k / 8
    spread = times * moment_constant(tau) * radius**2
    return [
        step("its multiple", Ge(spread, 0)),
        step("the shares of M", Eq(share * whole / sqrt(n), share * (whole / sqrt(n)))),
        step(
            "the smaller exponent",
            Eq(
                psi_of(share * whole, times),
                (share * whole) ** 2 / (4 * (spread + share * (whole / sqrt(n)))),
            ),
        ),
    ]


@claim(
    "note-lemma-16-exponents",
    place="Lemma 16, the bound on P_1: its exponents",
    using=note_on_the_share(8),
    proof=lambda: about_the_share(8),
)
def exponents_of_the_first_part():
    """Exponents of the bound on the first part, with the printed constant."""
    return share_of_the_deviation(8)


@claim(
    "note-lemma-16-exponents-repaired",
    place="Lemma 16, the bound on P_1: its exponents with 32 c_0",
    using=note_on_the_share(32),
    proof=lambda: about_the_share(32),
)
def exponents_of_the_first_part_repaired():
    """Exponents of the bound on the first part, with the larger constant."""
    return share_of_the_deviation(32)


def bernstein_for_each_scale(times=8):
    """The first member of `by_scales`, from what (25) and (28) say of the first part."""
    whole = large_deviation()
    return [
        "note-lemma-16-exponents" if times == 8 else "note-lemma-16-exponents-repaired",
        (
            "note-lemma-16-first",
            lambda: {
                mass_2: chances(0),
                level_1: psi_of(whole, times),
                level_3: psi_of((1 - 3 * k / 8) * whole, times),
            },
        ),
    ]


def in_steps(total, times=8):
    """The steps from the bounds for each scale to the exponent of Lemma 16."""
    return [
        step("the first part", Le(chances(0), exp(-exponent_16(times)))),
        step("all scales", Le(chances(shells), total)),
        step("the event V", Le(probability(datasets, scales_fail), total)),
    ]


@claim(
    "lemma-16",
    place=f"Lemma 16, eq. 26 to 31; {AROUND_LEMMA_16}. N(t) is L_0, and u_1 the entropy at the largest "
    "scale",
    scope=CHAINING + AS_PRINTED,
    without=WITHOUT_15,
    try_at=[{n: 1, k: "1/2", radius: 1, tau: 2, shells: 1, number: 0}],
    given=by_all_scales,
    using=[
        *bernstein_for_each_scale(),
        ("note-lemma-16-sum", lambda: {weight: exponent_16()}),
        (
            "note-lemma-16-event",
            lambda: {mass_2: (1 + shells) * exp(-exponent_16())},
        ),
    ],
    proof=lambda: in_steps((1 + shells) * exp(-exponent_16())),
)
def empirical_process_near_the_truth():
    """Deviation of the empirical process near the true parameter (Wong and Shen)."""
    return Le(probability(datasets, bad), (1 + shells) * exp(-exponent_16()))


@claim(
    "note-lemma-16-repaired",
    place="Lemma 16 with the repair of text-b.2-triangle: with 8 t**2 for 2 t**2 in the bound on P_1 the proof gives 32 c_0 "
    "for 8 c_0 in Psi",
    scope=CHAINING,
    try_at=[{n: 1, k: "1/2", radius: 1, tau: 2, shells: 1, number: 0}],
    given=lambda: by_all_scales(32),
    using=[
        *bernstein_for_each_scale(32),
        ("note-lemma-16-sum", lambda: {weight: exponent_16(32)}),
        (
            "note-lemma-16-event",
            lambda: {mass_2: (1 + shells) * exp(-exponent_16(32))},
        ),
    ],
    proof=lambda: in_steps((1 + shells) * exp(-exponent_16(32)), 32),
)
def empirical_process_by_the_repaired_proof():
    """Deviation of the empirical process near the true parameter, with the larger constant."""
    return Le(probability(datasets, bad), (1 + shells) * exp(-exponent_16(32)))


# --- eq. 28 ---------------------------------------------------------------------------------------

entropy, between = AnyFunction("H", 1, NonNegative), AnyDistribution("kappa")


def smallest_of_all():
    """The scale s(t) of Lemma 16."""
    return k**2 * radius**2 / (2 ** Rational(9, 2) * exp(tau / 2))


def right_side_of_26():
    """The right side of eq. 26."""
    return sqrt(3) * k ** Rational(5, 2) * sqrt(n) * radius**2 / (2**10 * exp(tau / 2))


def mean_root():
    """Mean of the root of the entropy between s(t)/4 and t."""
    return integral(between.density(y_2) * sqrt(entropy(y_2)), y_2)


@claim(
    "remark-8",
    place="Remark 8, its first sentence: H is the entropy, and kappa the uniform distribution on the range of the integral in (8), so that its "
    "length times a mean is the integral",
    scope="that the condition is enough for Assumption 1; that it holds for most families where n is large, by Lemma 2, is not stated",
    given=lambda: [
        Every(y_2, Or(Eq(between.density(y_2), 0), Le(entropy(y_2), c**2 * n * phi**2))),
        Ge(mean_root(), 0),
    ],
    using=[
        (
            "note-remark-8",
            lambda: {weight: between.density(y_2), mass_0: entropy(y_2)},
        )
    ],
    proof=lambda: [
        step("the mean", Le(mean_root(), c * sqrt(n) * phi)),
        step("the length", [Ge(phi - phi**2 / 2**10, 0), Le(phi - phi**2 / 2**10, phi)]),
    ],
)
def small_entropy_is_enough():
    """Integral of the root of the entropy, by a bound on the entropy."""
    return Le((phi - phi**2 / 2**10) * mean_root(), c * sqrt(n) * phi**2)


@claim(
    "note-remark-8",
    place="used by remark-8: at a size of brackets; w_0 is its weight, q_0 the entropy",
    given=lambda: [Or(Eq(weight, 0), mass_0 <= c**2 * n * phi**2)],
    proof=lambda: [
        step("the root", Or(Eq(weight, 0), Le(sqrt(mass_0), c * sqrt(n) * phi))),
    ],
)
def root_of_a_small_entropy():
    """Weighted root of the entropy, by a bound on the entropy."""
    return Le(weight * sqrt(mass_0), c * sqrt(n) * phi * weight)


@claim(
    "eq-28",
    place="Lemma 16, eq. 28, from eq. 26 and the condition that is printed after the check; H is the entropy, w_0 its "
    "value at t, which is the smallest on the range of the integral as an entropy decreases, and kappa the uniform distribution "
    "on that range, so that its length times a mean is an integral",
    given=lambda: [
        Every(y_2, Or(Eq(between.density(y_2), 0), Ge(entropy(y_2), weight))),
        Le((radius - smallest_of_all() / 4) * mean_root(), right_side_of_26()),
        Ge(mean_root(), 0),
        2**7 * moment_constant(tau) + 16 * k <= 2**14 * Rational(49, 3),
    ],
    using=["note-eq-28"],
    proof=lambda: [
        step("the mean", Ge(mean_root(), sqrt(weight))),
        step("the smallest scale", Le(smallest_of_all(), radius / 2)),
        step("the length", Ge(radius - smallest_of_all() / 4, 7 * radius / 8)),
        step("its multiple", Le(7 * radius / 8 * sqrt(weight), right_side_of_26())),
        step("the root", Le(sqrt(weight), 8 * right_side_of_26() / (7 * radius))),
        step("squared", Le(weight, (8 * right_side_of_26() / (7 * radius)) ** 2)),
        step(
            "written out",
            Eq(
                (8 * right_side_of_26() / (7 * radius)) ** 2,
                3 * k**5 * n * radius**2 / (2**14 * 49 * exp(tau)),
            ),
        ),
        step("the exponent", Eq(k / 4 * psi_of(large_deviation()), last_of_28())),
    ],
)
def first_bracketing():
    """Entropy at the largest scale, against the exponent of Lemma 16."""
    return Le(weight, k / 4 * psi_of(large_deviation()))


def last_of_28():
    """The last but one member of the check of eq. 28."""
    return k**3 * n * radius**2 / (2**7 * moment_constant(tau) + 16 * k)


# --- corollary 17 ---------------------------------------------------------------------------------


@claim(
    "note-corollary-17-power",
    place="Corollary 17: exponents that are four times as large; w_0 is (1 - k) Psi",
    given=lambda: [weight >= log(2)],
    proof=lambda: [
        step("a power of 4", Ge(2 * 4**count, count + 2)),
        step("the exponents", Ge(weight * (2 * 4**count), weight + (count + 1) * log(2))),
        step(
            "their exponentials",
            Le(exp(-weight * (2 * 4**count)), exp(-weight) * exp(-(count + 1) * log(2))),
        ),
        step("the power", Eq(exp(-(count + 1) * log(2)), 2 ** (-count) / 2)),
    ],
)
def exponents_four_times_as_large():
    """Exponential of an exponent that grows by a factor of 4, below a geometric sequence."""
    return Le(exp(-weight * (2 * 4**count)), 2 ** (-count) * (exp(-weight) / 2))


@claim(
    "note-corollary-17-sum",
    place="Corollary 17, the sum of the exponentials; w_0 is (1 - k) Psi",
    given=lambda: [weight >= log(2), *by_scales(weight)],
    using=[
        ("note-corollary-17-power", lambda: {count: count}),
        ("note-lemma-8-geometric", lambda: {level_0: exp(-weight) / 2}),
    ],
    proof=lambda: [
        step(
            "each scale",
            Every(
                count,
                Le(chances(count + 1), chances(count) + 2 ** (-count) * (exp(-weight) / 2)),
            ),
        ),
        step("the last scale", Gt(2 ** (-shells), 0)),
    ],
)
def sum_over_the_scales():
    """A sequence that grows by exponentials whose exponents are four times as large each time."""
    return Le(chances(shells), 2 * exp(-weight))


def small_bound():
    """Eq. 32: that the exponential is at most 1/2."""
    return Le(exp(-exponent_16()), Rational(1, 2))


@claim(
    "note-eq-32",
    place="Corollary 17, eq. 32: what it says of the exponent; w_0 is (1 - k) Psi",
    given=lambda: [exp(-weight) <= Rational(1, 2)],
)
def exponent_of_a_small_bound():
    """Exponent whose exponential is at most 1/2."""
    return Ge(weight, log(2))


@claim(
    "corollary-17",
    place=f"Corollary 17, eq. 32; {AROUND_LEMMA_16}. N(t) is L_0, and u_1 the entropy at the largest scale",
    scope=CHAINING + AS_PRINTED,
    without={"lemma-16": "its proof is followed, and its conclusion not used"},
    try_at=[{n: 400, k: "1/2", radius: 1, tau: 2, shells: 1, number: 0}],
    given=lambda: [small_bound(), *by_all_scales()],
    using=[
        *bernstein_for_each_scale(),
        ("note-eq-32", lambda: {weight: exponent_16()}),
        ("note-corollary-17-sum", lambda: {weight: exponent_16()}),
        ("note-lemma-16-event", lambda: {mass_2: 2 * exp(-exponent_16())}),
    ],
    proof=lambda: in_steps(2 * exp(-exponent_16())),
)
def empirical_process_with_a_small_bound():
    """Deviation of the empirical process where its bound is small."""
    return Le(probability(datasets, bad), 2 * exp(-exponent_16()))


# --- eq. 33 -----------------------------------------------------------------------------------------


one_shell, other_shell = AnyEvent("B_1"), AnyEvent("B_2")


@claim(
    "eq-34.union-corrected",
    place="Appendix B.2, before eq. 34, for any model and two shells: B is where the likelihood ratio is above the level on one of them, B_1 and B_2 where it is on the "
    "first and on the second",
    corrects=["eq-34.union"],
    why="A dataset may put the likelihood ratio above the level on more shells than one, so the probability is at most the sum.",
    scope="two shells; for one shell more it is note-lemma-8-next, and the sum over all shells is not stated",
    given=lambda: [
        Every(data, Le(chosen(bad), one_shell.indicator(data) + other_shell.indicator(data)))
    ],
)
def shells_met_at_once():
    """Probability that the likelihood ratio is large on one of two shells, by their sum."""
    return Le(
        probability(datasets, bad),
        probability(datasets, one_shell) + probability(datasets, other_shell),
    )


@claim(
    "eq-33",
    place="Appendix B.2, eq. 33, its first inequality at a dataset and a parameter on the shell of t, which is t_0: d is the likelihood "
    "ratio of the dataset, u_1 the sum of its truncated log ratios and m_1 their mean, which note-lemma-8-mean bounds, H_0 the squared "
    "distance, rho_0 the share rho",
    scope="the first inequality, at one parameter. The second has the bound of Lemma 16, which is about parameters within t, for a shell that "
    "ends at sqrt(2) t; it is neither proved nor refuted, and note-eq-33-shell is what Lemma 16 gives for that shell",
    given=lambda: [
        log(ratio) <= number,
        log(ratio) >= -rate_with(lost_0) * (n * radius**2),
        mean_1 <= -2 * (1 - lost_0) * distance_0,
        radius**2 <= distance_0,
        lost_0 <= 1,
    ],
    proof=lambda: [
        step("the mean", Le(mean_1, -2 * (1 - lost_0) * radius**2)),
        step("of all records", Le(n * mean_1, n * (-2 * (1 - lost_0) * radius**2))),
    ],
)
def deviation_from_the_likelihood_ratio():
    """Deviation of the truncated log ratios on a shell, from a large likelihood ratio."""
    return Ge(number - n * mean_1, k * n * radius**2)


@claim(
    "note-eq-33-shell",
    place="Appendix B.2, eq. 33, for all models: the shell of the parameters with t <= h <= sqrt(2) t lies within the radius "
    "sqrt(2) t, where Lemma 16 with k/2 has the level k sqrt(n) t**2 of (33); its exponent (1 - k/2) Psi, with the 32 c_0 of "
    "note-lemma-16-repaired. Where sqrt(2) t is above 1, the shell lies within 1",
    given=lambda: [
        Ge(hellinger(theta, with_contamination), radius**2),
        Le(hellinger(theta, with_contamination), 2 * radius**2),
    ],
)
def shell_within_the_larger_radius():
    """Shell within the radius of the bound, its level and its exponent there."""
    wide = sqrt(2) * radius
    level_of = k / 2 * sqrt(n) * wide**2
    exponent_of = level_of**2 / (4 * (32 * moment_constant(tau) * wide**2 + level_of / sqrt(n)))
    rate = (1 - k / 2) * k**2 / (256 * moment_constant(tau) + 4 * k)
    return [
        Le(hellinger(theta, with_contamination), wide**2),
        Eq(level_of, k * sqrt(n) * radius**2),
        Eq((1 - k / 2) * exponent_of, rate * n * radius**2),
    ]
