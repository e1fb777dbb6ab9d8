"""Noise in many coordinates: independent outputs, of which each has a distribution of its own."""

from sympy import Abs, Eq, Integer, Integral, Lambda, Le, Max, Symbol, exp, log, oo

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.claims.general_concentrated import concentrated_loss, concentrated_order
from dpbook.privacy.claims.sources import BUN_STEINKE, DWORK_ROTH, MIRONOV
from dpbook.privacy.coordinates import AnyNumbers, Independent, Running
from dpbook.privacy.distributions import Laplace, Normal
from dpbook.privacy.divergences import hockey_stick, renyi_moment
from dpbook.privacy.notation import (
    at,
    delta,
    density_1,
    density_2,
    density_3,
    density_4,
    epsilon,
    first_mass,
    first_outcome,
    more,
    mu_1,
    mu_2,
    multiple,
    nu,
    other_multiple,
    queries,
    rho,
    scale,
    second_mass,
    sigma_1,
)
from dpbook.privacy.statements import private

j = first_outcome
tau = Symbol("t", real=True)
P, Q = (AnyDistribution(name, j) for name in ("P", "Q"))
ALL_P, ALL_Q = (Independent(distribution, j, queries) for distribution in (P, Q))
loss = AnyNumbers("L")


def within(first, second):
    """State that the ratio of the densities of every coordinate is within its part of the loss."""
    grows = exp(loss(j + 1) - loss(j))
    return Every(j, Every(at, Le(first.density(at), grows * second.density(at))))


@claim(
    "excess-within-a-factor",
    source=DWORK_ROTH,
    place="Theorem 3.6, proof",
    given=lambda: [density_2 <= exp(multiple - other_multiple) * density_4],
)
def excess_within_a_factor():
    """Excess of a product of masses, of which one is within a factor of another."""
    return Le(
        Max(density_1 * density_2 - exp(epsilon - other_multiple) * (density_3 * density_4), 0),
        density_2 * Max(density_1 - exp(epsilon - multiple) * density_3, 0),
    )


def so_far(count):
    """Return the loss of the first coordinates."""
    return loss(count) - loss(Integer(0))


def excess(a, b):
    """Return the integrand over all outputs."""
    return Max(a - exp(epsilon) * b, 0)


def by_induction():
    """Bound of the excess over some coordinates, by their losses."""
    left = ALL_P.total(ALL_Q, excess)(more, density_1, density_3)
    right = Max(density_1 - exp(epsilon - so_far(more)) * density_3, 0)
    tree = Le(left, right)
    for variable in (density_3, density_1):
        tree = Every(variable, tree)
    return Every(more, tree)


@claim(
    "pure-of-coordinates-one-way",
    source=DWORK_ROTH,
    place="Theorem 3.6, proof",
    given=lambda: [
        within(P, Q),
        Relation(so_far(queries), "<=", epsilon),
    ],
    using=[
        (
            "excess-within-a-factor",
            lambda: {
                density_1: density_1,
                density_2: P.density(at).xreplace({j: more}),
                density_3: density_3,
                density_4: Q.density(at).xreplace({j: more}),
                multiple: so_far(more + 1),
                other_multiple: so_far(more),
            },
        )
    ],
    proof=lambda: [step("by induction on the coordinates", by_induction())],
)
def excess_of_coordinates():
    """Excess of independent coordinates whose losses add up to no more than epsilon."""
    return Le(hockey_stick(ALL_P, ALL_Q, epsilon), Integer(0))


def put_in(first, second, body, numbers, so_far, *, both=False):
    """Return the substitution of distributions of the coordinates, and of numbers that go with them.

    If the distributions are compared both ways, there are two integrals over all outputs.
    """
    x, t = Symbol("x", real=True), Symbol("t", real=True)
    found = {
        P.density(t).function: Lambda((x, t), first.density(t).xreplace({j: x})),
        Q.density(t).function: Lambda((x, t), second.density(t).xreplace({j: x})),
        numbers: Lambda((x,), so_far(x)),
    }
    pairs = [((P, Q), (first, second)), ((Q, P), (second, first))]
    i, a, b = (Symbol(name, real=True) for name in ("i", "a", "b"))
    for open_distributions, distributions in pairs[: 2 if both else 1]:
        old, new = (
            Independent(one, j, queries).total(Independent(other, j, queries), body)
            for one, other in (open_distributions, distributions)
        )
        found[old] = Lambda((i, a, b), new(i, a, b))
    return found


@claim(
    "pure-of-coordinates",
    source=DWORK_ROTH,
    place="Theorem 3.14, pure releases that are independent, each with a loss of its own",
    given=lambda: [
        within(P, Q),
        within(Q, P),
        Relation(so_far(queries), "<=", epsilon),
    ],
    using=[
        "pure-of-coordinates-one-way",
        ("pure-of-coordinates-one-way", lambda: put_in(Q, P, excess, loss, loss)),
    ],
)
def privacy_of_coordinates():
    """Privacy of independent coordinates whose losses add up to no more than epsilon."""
    return private(ALL_P, ALL_Q, epsilon)


# --- Laplace noise --------------------------------------------------------------------------------

value, other_value = AnyNumbers("f"), AnyNumbers("g")
NOISY, OTHER = (Laplace(one(j), scale) for one in (value, other_value))


TAXICAB = Running("taxicab", j, Abs(value(j) - other_value(j)))


def beside(first, second):
    """Return the substitution of the two values of a coordinate, and of its part of the loss."""
    apart = Abs(first(j) - second(j))
    return {mu_1: first(j), mu_2: second(j), epsilon: apart / scale, at: at}


@claim(
    "laplace-mechanism-many",
    source=DWORK_ROTH,
    place="Theorem 3.6",
    given=lambda: [Relation(TAXICAB(queries), "<=", epsilon * scale)],
    using=[
        ("laplace-ratio", lambda: beside(value, other_value)),
        ("laplace-ratio", lambda: beside(other_value, value)),
        (
            "pure-of-coordinates",
            lambda: put_in(NOISY, OTHER, excess, loss, lambda x: TAXICAB(x) / scale, both=True),
        ),
    ],
)
def privacy_of_laplace_noise_in_many_coordinates():
    """Privacy of k values with Laplace noise each, for a distance of at most epsilon times its scale."""
    first, second = (Independent(distribution, j, queries) for distribution in (NOISY, OTHER))
    return private(first, second, epsilon)


# --- moments --------------------------------------------------------------------------------------


def power(a, b):
    """Return the integrand of a moment."""
    return a**nu * b ** (1 - nu)


factor = AnyNumbers("E")


def moments(first, second):
    """State that densities are positive, and bound the moment of a coordinate by a ratio of factors.

    The ratio is the next factor over the coordinate's own.
    """
    weighed = factor(j) * power(first.density(tau), second.density(tau))
    before = Integral(weighed.xreplace({j: j - 1}), (tau, -oo, oo))
    return [
        *(
            Every(j, Every(at, Relation(distribution.density(at), ">", Integer(0))))
            for distribution in (first, second)
        ),
        Relation(factor(Integer(0)), "==", Integer(1)),
        Every(j, Le(before, factor(j)), (Relation(j, ">=", Integer(1)),)),
    ]


def by_moments(body, bound):
    """Bound an integral over some coordinates, for all positive densities of the rest."""
    left = ALL_P.total(ALL_Q, body)(more, first_mass, second_mass)
    tree = Le(left, bound * power(first_mass, second_mass) * factor(more))
    for variable in (second_mass, first_mass, more):
        tree = Every(variable, tree)
    return tree


@claim(
    "moment-of-coordinates",
    source=MIRONOV,
    place="Proposition 1, independent releases",
    given=lambda: moments(P, Q),
    proof=lambda: [step("by induction on the coordinates", by_moments(power, 1))],
)
def moment_of_coordinates():
    """Moment of independent coordinates."""
    return Le(renyi_moment(ALL_P, ALL_Q, nu), factor(queries))


@claim(
    "delta-of-coordinates",
    source=MIRONOV,
    place="Proposition 3, for independent releases",
    given=lambda: moments(P, Q),
    using=[("excess-below-power", lambda: {density_1: first_mass, density_3: second_mass})],
    proof=lambda: [
        step("by induction on the coordinates", by_moments(excess, exp((1 - nu) * epsilon)))
    ],
)
def delta_of_coordinates():
    """Delta of independent coordinates, by their moments."""
    return Le(
        hockey_stick(ALL_P, ALL_Q, epsilon),
        exp((1 - nu) * epsilon) * factor(queries),
    )


# --- Gaussian noise -------------------------------------------------------------------------------

SQUARES = Running("squares", j, (value(j) - other_value(j)) ** 2)
GAUSSIAN, SHIFTED = (Normal(one(j), sigma_1) for one in (value, other_value))
ALL_GAUSSIAN, ALL_SHIFTED = (
    Independent(distribution, j, queries) for distribution in (GAUSSIAN, SHIFTED)
)


def growth(squares):
    """Return the moment of Gaussian noise, where the squares of the distances add up to a number."""
    return exp(nu * (nu - 1) * squares / (2 * sigma_1**2))


def gaussian(body):
    """Return the substitution of Gaussian noise for the coordinates."""
    return put_in(GAUSSIAN, SHIFTED, body, factor, lambda x: growth(SQUARES(x)))


@claim(
    "gaussian-mechanism-many-moment",
    source=MIRONOV,
    place="Corollary 3, in k coordinates",
    using=[("moment-of-coordinates", lambda: gaussian(power))],
)
def moment_of_gaussian_noise_in_many_coordinates():
    """Moment of k values with Gaussian noise each, by the square of their distance."""
    return Le(renyi_moment(ALL_GAUSSIAN, ALL_SHIFTED, nu), growth(SQUARES(queries)))


@claim(
    "gaussian-mechanism-many-delta",
    source=MIRONOV,
    place="Proposition 3, for Gaussian noise in k coordinates",
    using=[("delta-of-coordinates", lambda: gaussian(excess))],
)
def delta_of_gaussian_noise_in_many_coordinates():
    """Delta of k values with Gaussian noise each, by the square of their distance, at any order."""
    return Le(
        hockey_stick(ALL_GAUSSIAN, ALL_SHIFTED, epsilon),
        exp((1 - nu) * epsilon) * growth(SQUARES(queries)),
    )


def exchanged(body):
    """Return the substitution that exchanges the two values: their distance is the same."""
    x, i, a, b = (Symbol(name, real=True) for name in ("x", "i", "a", "b"))
    there, back = (
        one.total(other, body)
        for one, other in ((ALL_GAUSSIAN, ALL_SHIFTED), (ALL_SHIFTED, ALL_GAUSSIAN))
    )
    return {
        value: Lambda((x,), other_value(x)),
        other_value: Lambda((x,), value(x)),
        SQUARES: Lambda((x,), SQUARES(x)),
        there: Lambda((i, a, b), back(i, a, b)),
    }


def near(squares):
    """State that the square of the distance is at most 2 rho variances; the loss is large enough."""
    return [
        Relation(squares, "<=", 2 * sigma_1**2 * rho),
        Relation(concentrated_loss(), "<=", epsilon),
    ]


def exponent(loss_):
    """Return the logarithm of the bound at the best order, for a loss."""
    best = concentrated_order()
    return (1 - best) * loss_ + best * (best - 1) * rho


def bound(squares):
    """Bound of delta at the best order."""
    best = concentrated_order()
    return exp((1 - best) * epsilon) * exp(best * (best - 1) * squares / (2 * sigma_1**2))


@claim(
    "gaussian-bound-at-the-best-order",
    source=BUN_STEINKE,
    place="Proposition 1.3, proof",
    given=lambda: near(multiple),
    proof=lambda: [
        step("the order is above 1", concentrated_order() > 1),
        step("the exponent", Eq(exponent(concentrated_loss()), log(delta))),
        step("is smaller at a larger loss", exponent(epsilon) <= log(delta)),
        step("the exponential function is increasing", exp(exponent(epsilon)) <= delta),
        step(
            "the moment at the best order",
            concentrated_order() * (concentrated_order() - 1) * multiple / (2 * sigma_1**2)
            <= concentrated_order() * (concentrated_order() - 1) * rho,
        ),
        step("the bound, with it", bound(multiple) <= exp(exponent(epsilon))),
    ],
)
def bound_at_the_best_order():
    """Bound of the delta of Gaussian noise, at the best order of the moment."""
    return Le(bound(multiple), delta)


@claim(
    "gaussian-mechanism-many-one-way",
    source=BUN_STEINKE,
    place="Propositions 1.3 and 1.6, in k coordinates",
    given=lambda: near(SQUARES(queries)),
    using=[
        ("gaussian-mechanism-many-delta", lambda: {nu: concentrated_order()}),
        ("gaussian-bound-at-the-best-order", lambda: {multiple: SQUARES(queries)}),
    ],
    proof=lambda: [step("the order is above 1", concentrated_order() > 1)],
)
def delta_of_gaussian_noise_at_the_best_order():
    """Delta of k values with Gaussian noise each, by the square of their distance."""
    return Le(hockey_stick(ALL_GAUSSIAN, ALL_SHIFTED, epsilon), delta)


@claim(
    "gaussian-mechanism-many",
    source=BUN_STEINKE,
    place="Propositions 1.3 and 1.6, in k coordinates",
    given=lambda: near(SQUARES(queries)),
    using=[
        "gaussian-mechanism-many-one-way",
        ("gaussian-mechanism-many-one-way", lambda: exchanged(excess)),
    ],
)
def privacy_of_gaussian_noise_in_many_coordinates():
    """Privacy of k values with Gaussian noise each: by concentration, so delta is not the smallest."""
    return private(ALL_GAUSSIAN, ALL_SHIFTED, epsilon, delta)
