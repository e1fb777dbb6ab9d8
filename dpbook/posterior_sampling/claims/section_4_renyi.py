"""Section 4, sharpened: Renyi divergences of one draw under assumption 1.

A log likelihood ratio within [-a, a] gives D*(a)-zero-concentrated privacy. Its moments are
largest for two parameters at the ends (note-renyi-ends, note-renyi-parts), the best two have a
divergence in closed form (note-renyi), and that is at most nu D*(a) at every order nu > 1
(note-zcdp.i up to order 2, note-zcdp.ii from there on). As nu tends to 1 it is the divergence
itself, which attains D*(a): no smaller constant will do.
"""

from sympy import Eq, Ge, Le, cosh, coth, exp, log, sinh

from dpbook import claim, step
from dpbook.posterior_sampling.notation import (
    a,
    b,
    end,
    part_1,
    part_2,
    quotient,
    share,
    sharp_divergence,
)


def log_sine(at):
    """ln(sinh(y) / y)."""
    return log(sinh(at) / at)


def largest_renyi_divergence(first, second, total):
    """Largest divergence of order total / first over all distributions of a log ratio within first."""
    return (total * log_sine(total) - first * log_sine(first) - second * log_sine(second)) / second


@claim(
    "note-renyi-ends",
    place="Renyi divergences under assumption 1: where the mean of the ratio is given, its "
    "moments of negative order are largest at the two ends of its range, of which u is the "
    "quotient",
)
def negative_power_below_its_chord():
    """Negative power of a ratio, below the chord of its ends."""
    return Le((1 - share + share * quotient) ** (-b), 1 - share + share * quotient ** (-b))


def mean_power(exponent):
    """Mean of exp(exponent) with probability p, and of its inverse otherwise."""
    return share * exp(exponent) + (1 - share) * exp(-exponent)


@claim("note-renyi-parts", place="two parameters, with f = a and f = -a, and an order of 1 + b / a")
def moments_of_two_extreme_parameters():
    """Moments of the ratio on two parameters, as parts of one number."""
    return Eq(mean_power(a) * sinh(b) + mean_power(-b) * sinh(a), sinh(a + b))


@claim(
    "note-renyi",
    place="Renyi divergence of order 1 + b / a of two posteriors under assumption 1; the moments "
    "of order 1 and -b / a are the parts of note-renyi-parts over their factors",
    given=[part_1 + part_2 <= 1],
    proof=lambda: [
        step(
            "tangent of the first logarithm",
            Le(log(part_1 * (a + b) / b), part_1 * (a + b) / b - 1),
        ),
        step(
            "tangent of the second",
            Le(log(part_2 * (a + b) / a), part_2 * (a + b) / a - 1),
        ),
        step(
            "the parts sum to 1",
            Le(b * log(part_1 * (a + b) / b) + a * log(part_2 * (a + b) / a), 0),
        ),
    ],
)
def renyi_divergence_under_assumption_1():
    """Renyi divergence of two posteriors under assumption 1."""
    first, second = part_1 * sinh(a + b) / sinh(b), part_2 * sinh(a + b) / sinh(a)
    return Le(log(first) + a / b * log(second), largest_renyi_divergence(a, b, a + b))


# --- the largest divergence over its order --------------------------------------------------------


@claim(
    "note-ratio-falls",
    place="used by note-zcdp.i and note-zcdp.ii",
    given=[b >= a],
    time_limit=60,
)
def sharp_divergence_over_the_square():
    """Sharp bound on the divergence over the square of its argument."""
    return Le(sharp_divergence(b) / b**2, sharp_divergence(a) / a**2)


@claim("note-sine-growth", place="used by note-zcdp.i", given=[end >= b], time_limit=60)
def growth_of_the_log_sine():
    """Growth of y ln(sinh(y) / y) from b on."""
    return Le(
        end * log_sine(end) - b * log_sine(b),
        sharp_divergence(b) * (end**3 - b**3) / (3 * b**2),
    )


@claim("note-sine-product", place="used by note-sine-parabola")
def product_of_sine_and_cosine():
    """Product of sinh(a) and cosh(a), from above."""
    return Le(3 * sinh(a) * cosh(a), 3 * a + 2 * a * sinh(a) ** 2)


@claim("note-sine-parabola", place="used by note-sine-cotangent", using=["note-sine-product"])
def square_of_the_sine():
    """Square of sinh(a), from above."""
    return Le(2 * sinh(a) ** 2, a * sinh(a) * cosh(a) + a**2)


@claim(
    "note-sine-cotangent",
    place="used by note-zcdp.i",
    using=["note-sine-parabola"],
    time_limit=60,
)
def log_sine_against_the_cotangent():
    """Logarithm of sinh(a) / a against the cotangent."""
    return Le(a * coth(a) - 2 * log_sine(a), 1)


@claim(
    "note-zcdp.i",
    place="Renyi divergences under assumption 1, with b for the most that the log ratio can be, "
    "and orders z / b = 1 + a / b up to 2",
    given=lambda: [Eq(end, a + b), b >= a],
    using=["note-ratio-falls", "note-sine-growth", "note-sine-cotangent"],
    proof=lambda: [
        step("the cotangent", Eq(a * coth(a), a * cosh(a) / sinh(a))),
        step("up to a", Ge(a * log_sine(a), a / 3 * sharp_divergence(a))),
        step(
            "the ratio falls",
            Ge(a / 3 * sharp_divergence(a), a**3 / (3 * b**2) * sharp_divergence(b)),
        ),
        step(
            "beside the growth from b on",
            Le(
                end * log_sine(end) - b * log_sine(b) - a * log_sine(a),
                sharp_divergence(b) * (end**3 - b**3) / (3 * b**2)
                - a**3 / (3 * b**2) * sharp_divergence(b),
            ),
        ),
    ],
    time_limit=60,
)
def concentrated_privacy_at_low_orders():
    """Largest Renyi divergence under assumption 1, orders from 1 to 2."""
    return Le(largest_renyi_divergence(b, a, end), end / b * sharp_divergence(b))


@claim("note-log-product", place="used by note-zcdp.ii: the tangent of the logarithm at 1")
def logarithm_of_a_number_beside_a_product():
    """Logarithm of a number, against the logarithms of two factors."""
    return Le(log(end), log(a) + log(b) + end / (a * b) - 1)


def gain():
    """The quotient of sinh(y) / y at a + b and its product at a and b, by the addition theorem."""
    return a * b * (cosh(a) / sinh(a) + cosh(b) / sinh(b)) / (a + b)


@claim(
    "note-zcdp.ii",
    place="Renyi divergences under assumption 1, orders 1 + b / a from 2 on",
    given=[b >= a],
    using=[
        "note-ratio-falls",
        (
            "note-log-product",
            lambda: {a: sinh(a) / a, b: sinh(b) / b, end: sinh(a + b) / (a + b)},
        ),
    ],
    proof=lambda: [
        step(
            "the addition theorem",
            Eq(sinh(a + b) / (a + b) / (sinh(a) / a * (sinh(b) / b)), gain()),
        ),
        step(
            "the logarithm lies below its tangent at 1",
            Le(log_sine(a + b), log_sine(a) + log_sine(b) + gain() - 1),
        ),
        step(
            "times a + b, over b",
            Le(
                (a + b) / b * log_sine(a + b),
                (a + b) / b * (log_sine(a) + log_sine(b))
                + a * (cosh(a) / sinh(a) + cosh(b) / sinh(b))
                - (a + b) / b,
            ),
        ),
        step(
            "so the sum of both divergences serves",
            Le(
                largest_renyi_divergence(a, b, a + b),
                sharp_divergence(a) + a / b * sharp_divergence(b),
            ),
        ),
        step(
            "the ratio falls",
            Le(a / b * sharp_divergence(b), b / a * sharp_divergence(a)),
        ),
    ],
    time_limit=60,
)
def concentrated_privacy_at_high_orders():
    """Largest Renyi divergence under assumption 1, orders from 2 on."""
    return Le(largest_renyi_divergence(a, b, a + b), (a + b) / a * sharp_divergence(a))
