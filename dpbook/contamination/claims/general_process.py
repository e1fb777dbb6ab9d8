"""Theorem 15, for any law: sums of independent records.

A record is an outcome of any law mu, with the value X(y); a dataset is a point omega, with the sum S(omega)
of what the values of its n records exceed the mean by.
"""

from sympy import Eq, Ge, Gt, Lambda, Le, Lt, Or, exp, sqrt

from dpbook.contamination.any_models import AnyFunction, Shells, Slope, integral
from dpbook.contamination.claims.general import V, averaged, bad, chosen, datasets, records
from dpbook.contamination.notation import (
    M,
    T,
    count,
    data,
    level_0,
    level_1,
    level_3,
    mean_1,
    mass_2,
    moment,
    n,
    number,
    tilt,
    variance,
    weight,
    y,
    y_2,
)
from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.privacy.statements import probability

# --- theorem 15 -----------------------------------------------------------------------------------

value_of, total_of = AnyFunction("X", 1, Slope), AnyFunction("S_n", 1, Slope)


def under_mu(body):
    """Integral over the records."""
    return integral(records.density(y_2) * body, y_2)


def centred(record=y_2):
    """What the value of a record exceeds the mean by."""
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
    """Exponential moment of what the value of a record exceeds the mean by."""
    return under_mu(exp(rate * centred()))


def bounded_values():
    """That the mean is m_1, and that no value exceeds it by more than T."""
    return [
        Eq(under_mu(centred()), 0),
        Every(y, Le(centred(y), T)),
    ]


def variance_is_bounded():
    """That the variance of a value is at most v_1."""
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
    """That the sum of the deviations exceeds sqrt(n) M, or the dataset is not in the event."""
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
    """That the exponential moment of n independent records is the power of that of one."""
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


# --- lemma 8 --------------------------------------------------------------------------------------

in_shell, up_to = AnyFunction("F", 2, Shells), AnyFunction("U", 2, Shells)


def chance(events, number_of):
    """Probability of one of a sequence of events."""
    return averaged(events(number_of, data))


def union_of_shells():
    """That U_j is the union of F_0, ..., F_j: what is used is that it is no more."""
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
