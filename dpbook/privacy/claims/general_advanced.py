"""Towards advanced composition: many releases by parts of their distributions, each chosen by all before.

Of each release parts of its two distributions are kept: a mass of at most delta is left out. The moments
of the parts multiply, and the excess over all outputs is below the moment and the mass left out.
"""

from sympy import Eq, Ge, Integer, Lambda, Le, Max, Min, Sum, Symbol, exp, log, sqrt

from dpbook import Every, Relation, claim, step
from dpbook.privacy.any_distributions import (
    AnyFiniteDistribution,
    AnyScore,
    Releases,
    distribution_for,
)
from dpbook.privacy.claims.conversions import scaled_moment
from dpbook.privacy.claims.general_releases import exchanged
from dpbook.privacy.claims.sources import BUN_STEINKE, DWORK_ROTH, HERE
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    delta,
    density_1,
    density_2,
    density_3,
    divergence,
    epsilon,
    first_delta,
    first_mass,
    history,
    last_outcome,
    more,
    multiple,
    nu,
    other_epsilon,
    other_multiple,
    outcome,
    queries,
    ratio,
    second_mass,
    share,
    upper_end,
)
from dpbook.privacy.statements import private

F, G = (AnyFiniteDistribution(name, last_outcome, history) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(distribution, history, queries) for distribution in (F, G))

# --- numbers --------------------------------------------------------------------------------------


def slope():
    """Return the slope of the chord of a power between 1 / y and y, times y - 1 / y."""
    return upper_end**nu - upper_end**-nu


def fall():
    """Return the distance below 0 at which that chord starts, times y - 1 / y."""
    return upper_end ** (nu - 1) - upper_end ** (1 - nu)


@claim(
    "power-below-chord",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    given=lambda: [ratio >= 1, ratio <= upper_end],
)
def power_of_a_ratio_below_its_chord():
    """Power of a ratio between 1 and y, below the chord of its ends."""
    return Le(
        (upper_end - 1) * ratio**nu,
        (ratio - 1) * upper_end**nu + upper_end - ratio,
    )


def log_moment():
    """Return the logarithm of the moment of randomised response."""
    return log(scaled_moment()) - log(1 + exp(epsilon))


@claim("log-moment-of-two-points", source=BUN_STEINKE, place="Proposition 3.3, proof")
def log_moment_of_randomised_response():
    """Logarithm of the moment of randomised response, below a square: convex in the order."""
    return Le(log_moment(), nu * (nu - 1) * epsilon**2 / 2)


@claim(
    "moment-of-two-points",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    using=["log-moment-of-two-points"],
    proof=lambda: [
        step(
            "the exponential function is increasing",
            exp(log_moment()) <= exp(nu * (nu - 1) * epsilon**2 / 2),
        ),
    ],
)
def moment_of_randomised_response():
    """Moment of randomised response, below the exponential of a square."""
    return Le(
        (exp(nu * epsilon) + exp((1 - nu) * epsilon)) / (1 + exp(epsilon)),
        exp(nu * (nu - 1) * epsilon**2 / 2),
    )


@claim(
    "chord-of-two-masses",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    given=lambda: [
        upper_end > 1,
        density_1 > 0,
        density_3 > 0,
        share > 0,
        density_1 <= upper_end * density_3,
        density_3 <= upper_end * density_1,
    ],
    using=[
        (
            "power-below-chord",
            lambda: {ratio: density_1 / density_3 * upper_end, upper_end: upper_end**2},
        )
    ],
    proof=lambda: [
        step("the ratio in units of 1 / y", density_1 / density_3 * upper_end >= 1),
        step("and its largest value", density_1 / density_3 * upper_end <= upper_end**2),
        step(
            "the chord of the ratio",
            (upper_end - 1 / upper_end) * (density_1 / density_3) ** nu
            <= slope() * density_1 / density_3 - fall(),
        ),
        step(
            "the chord, times the second mass and the share",
            (share**nu * density_3) * ((upper_end - 1 / upper_end) * (density_1 / density_3) ** nu)
            <= (share**nu * density_3) * (slope() * density_1 / density_3 - fall()),
        ),
    ],
)
def chord_of_two_masses():
    """Term of a moment of two masses within a factor, below a combination of them."""
    return Le(
        (upper_end - 1 / upper_end) * ((share * density_1) ** nu * density_3 ** (1 - nu)),
        share**nu * (slope() * density_1 - fall() * density_3),
    )


@claim("slope-and-fall", source=HERE)
def slope_beside_the_fall():
    """Slope of the chord, beside how far below 0 it starts."""
    return Le((nu + 1) * fall(), nu * slope())


@claim(
    "part-of-a-chord",
    source=HERE,
    given=lambda: [share > 0, multiple >= 0, (nu + 1) * multiple <= nu * other_multiple],
)
def part_of_a_chord():
    """Power of a share, times a line, below the line at 1."""
    return Le(share**nu * (other_multiple - share * multiple), other_multiple - multiple)


@claim(
    "chord-of-a-part",
    source=HERE,
    given=lambda: [
        upper_end > 1,
        first_delta < 1,
        density_1 <= 1,
        density_1 >= 1 - first_delta,
        density_3 >= 1 - first_delta,
    ],
    using=[
        "slope-and-fall",
        (
            "part-of-a-chord",
            lambda: {share: part(density_1), multiple: fall(), other_multiple: slope()},
        ),
    ],
    proof=lambda: [
        step("the share is positive", part(density_1) > 0),
        step("and at most 1", part(density_1) <= 1),
        step("the fall is not negative", fall() >= 0),
        step("the slope is larger", slope() >= fall()),
        step(
            "the weights",
            slope() * density_1 - fall() * density_3 <= slope() - part(density_1) * fall(),
        ),
        step(
            "with the power of the share",
            part(density_1) ** nu * (slope() * density_1 - fall() * density_3)
            <= part(density_1) ** nu * (slope() - part(density_1) * fall()),
        ),
    ],
)
def chord_of_parts_of_the_masses():
    """The chord where parts of two distributions are left out, of a mass of at most delta each."""
    return Le(part(density_1) ** nu * (slope() * density_1 - fall() * density_3), slope() - fall())


def part(mass):
    """Return the share of a mass that is kept: then a mass of at most delta is left out."""
    return 2 - first_delta - mass


@claim(
    "excess-below-power",
    source=HERE,
    given=lambda: [density_1 > 0, density_3 > 0],
    using=["excess-below-moment", "powers-of-an-order"],
)
def excess_below_a_power():
    """Excess of a mass over a multiple of another, below a power of their ratio."""
    return Le(
        density_1 - exp(epsilon) * density_3,
        exp((1 - nu) * epsilon) * density_1**nu * density_3 ** (1 - nu),
    )


# --- many releases --------------------------------------------------------------------------------

f, g = (AnyScore(name, last_outcome, history) for name in ("f", "g"))


def everywhere(*trees):
    """State that relations hold after every history, at every outcome."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [Every(history, Every(outcome, tree, inside)) for tree in trees]


def parts():
    """State that f and g are positive parts of the masses of one release."""
    x = outcome
    return everywhere(
        Relation(f(x), ">", Integer(0)),
        Relation(g(x), ">", Integer(0)),
        Relation(f(x), "<=", F.density(x)),
        Relation(g(x), "<=", G.density(x)),
    )


def left_out():
    """Return the mass under F that a part leaves out."""
    k = Symbol("k", integer=True)
    return Sum(F.density(k) - f(k), (k, 0, last_outcome))


def part_moment():
    """Return the moment of the two parts."""
    k = Symbol("k", integer=True)
    return Sum(f(k) ** nu * g(k) ** (1 - nu), (k, 0, last_outcome))


def kept_bound():
    """Bound of the excess from masses so far of which parts are kept."""
    kept = first_mass**nu * second_mass ** (1 - nu)
    return (
        density_1
        - first_mass
        + more * first_delta * density_1
        + exp((1 - nu) * epsilon) * kept * exp(more * (nu - 1) * divergence)
    )


def by_induction():
    """Return the bound, for all masses so far and all parts of them."""
    excess = ALL_F.total(ALL_G, lambda a, b: Max(a - exp(epsilon) * b, 0))
    left = excess(more, history, density_1, density_3)
    tree = Every(
        density_3,
        Le(left, kept_bound()),
        (Relation(first_mass, "<=", density_1), Relation(second_mass, "<=", density_3)),
    )
    for variable in (density_1, second_mass, first_mass, history, more):
        tree = Every(variable, tree)
    return tree


@claim(
    "composition-of-parts",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=lambda: [
        *parts(),
        Every(history, Le(left_out(), first_delta)),
        Every(history, Le(part_moment(), exp((nu - 1) * divergence))),
    ],
    using=[("excess-below-power", lambda: {density_1: first_mass, density_3: second_mass})],
    proof=lambda: [step("by induction on the releases to come", by_induction())],
)
def excess_of_many_releases_by_parts():
    """Excess of many releases, by the moments of parts of their distributions and the mass left out."""
    return Le(
        hockey_stick(ALL_F, ALL_G, epsilon),
        queries * first_delta + exp((1 - nu) * epsilon) * exp(queries * (nu - 1) * divergence),
    )


# --- one release ------------------------------------------------------------------------------------

now_f, now_g = (AnyScore(name, last_outcome) for name in ("f", "g"))


def summed(body):
    """Return the sum over all outcomes of the next release."""
    k = Symbol("k", integer=True)
    return Sum(body(k), (k, 0, last_outcome))


def within_a_factor():
    """State that two masses are positive, and within exp(epsilon) of each other, at every outcome."""
    inside = (Relation(outcome, "<=", last_outcome),)
    f, g = now_f(outcome), now_g(outcome)
    sides = [(f, ">", Integer(0)), (g, ">", Integer(0))]
    sides += [(f, "<=", exp(epsilon) * g), (g, "<=", exp(epsilon) * f)]
    return [Every(outcome, Relation(*one), inside) for one in sides]


def moment_with(weight):
    """Return the moment of two parts, where the first is kept with a weight."""
    return summed(lambda k: (weight * now_f(k)) ** nu * now_g(k) ** (1 - nu))


def at_the_loss(body):
    """Return a number of the chord, where y is exp(epsilon)."""
    return body.subs(upper_end, exp(epsilon))


def chord_at_one():
    """Return the chord at the ratio 1, where y is exp(epsilon)."""
    return at_the_loss(slope()) - at_the_loss(fall())


def length():
    """Return the length of the range of ratios."""
    return exp(epsilon) - exp(-epsilon)


def most():
    """Return the bound of the chord at the ratio 1."""
    return length() * exp(nu * (nu - 1) * epsilon**2 / 2)


@claim(
    "chord-at-one",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    given=lambda: [epsilon > 0],
    using=["moment-of-two-points"],
    proof=lambda: [
        step("the loss is positive", length() >= 0),
        step(
            "times the length of the range",
            length() * ((exp(nu * epsilon) + exp((1 - nu) * epsilon)) / (1 + exp(epsilon)))
            <= most(),
        ),
    ],
)
def chord_of_randomised_response():
    """The chord at the ratio 1, below the exponential of a square."""
    return Le(chord_at_one(), most())


@claim(
    "chord-of-parts",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    given=lambda: [epsilon > 0, share > 0, *within_a_factor()],
    using=[
        (
            "chord-of-two-masses",
            lambda: {
                upper_end: exp(epsilon),
                density_1: now_f(outcome),
                density_3: now_g(outcome),
                share: share,
            },
        ),
    ],
)
def chord_of_parts_within_a_factor():
    """Moment of two parts that are within a factor, below the chord."""
    return Le(
        length() * moment_with(share),
        share**nu * (at_the_loss(slope()) * summed(now_f) - at_the_loss(fall()) * summed(now_g)),
    )


def kept_share():
    """Return the share of the first part that is kept."""
    return part(summed(now_f))


def masses_of_parts():
    """State that either part leaves out a mass of at most delta."""
    return [
        first_delta < 1,
        Le(summed(now_f), 1),
        Ge(summed(now_f), 1 - first_delta),
        Ge(summed(now_g), 1 - first_delta),
    ]


@claim(
    "moment-of-parts",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=lambda: [epsilon > 0, *within_a_factor(), *masses_of_parts()],
    using=[
        "chord-at-one",
        ("chord-of-parts", lambda: {share: kept_share()}),
        (
            "chord-of-a-part",
            lambda: {
                upper_end: exp(epsilon),
                density_1: summed(now_f),
                density_3: summed(now_g),
            },
        ),
    ],
    proof=lambda: [
        step("the share is positive", kept_share() > 0),
        step("the length of the range is positive", length() > 0),
        step("below the chord at 1", length() * moment_with(kept_share()) <= most()),
    ],
)
def moment_of_parts_within_a_factor():
    """Moment of two parts of private distributions, where the first is kept with a share."""
    return Le(moment_with(kept_share()), exp(nu * (nu - 1) * epsilon**2 / 2))


# --- the parts of a private release -----------------------------------------------------------------

NOW_F, NOW_G = (AnyFiniteDistribution(name, last_outcome) for name in ("F", "G"))


def below(first, second, at):
    """Return the mass of an outcome, cut at exp(epsilon) times its mass under the other distribution."""
    return Min(first.density(at), exp(epsilon) * second.density(at))


def mass_below(first, second):
    """Return the sum of the masses of all outcomes, each cut as `below` does."""
    return summed(lambda k: below(first, second, k))


def positive_masses(*distributions):
    """State that the mass of every outcome is positive."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [
        Every(outcome, Relation(distribution.density(outcome), ">", Integer(0)), inside)
        for distribution in distributions
    ]


@claim("smaller-of-two-masses", source=DWORK_ROTH, place="Theorem 3.20, proof")
def smaller_of_two_masses():
    """Smaller of a mass and a multiple of another, beside the same with the masses exchanged."""
    return Le(
        Min(density_1, exp(epsilon) * density_3),
        exp(epsilon) * Min(density_3, exp(epsilon) * density_1),
    )


@claim("mass-below", source=DWORK_ROTH, place="Theorem 3.20, proof")
def mass_below_the_other_distribution():
    """Mass of a distribution below a multiple of another: the excess is left out."""
    return Eq(mass_below(NOW_F, NOW_G), 1 - hockey_stick(NOW_F, NOW_G, epsilon))


@claim("mass-of-a-share", source=HERE)
def mass_that_a_share_leaves_out():
    """Mass that is left out where a share of the smaller masses is kept."""
    left = summed(lambda k: NOW_F.density(k) - multiple * below(NOW_F, NOW_G, k))
    return Eq(left, 1 - multiple * mass_below(NOW_F, NOW_G))


@claim(
    "mass-left-out",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=lambda: [Le(hockey_stick(NOW_F, NOW_G, epsilon), first_delta)],
    using=[
        "mass-below",
        ("mass-of-a-share", lambda: {multiple: part(mass_below(NOW_F, NOW_G))}),
    ],
    proof=lambda: [
        step("what exceeds is not negative", hockey_stick(NOW_F, NOW_G, epsilon) >= 0),
        step("the mass that is kept", mass_below(NOW_F, NOW_G) >= 1 - first_delta),
        step("is at most 1", mass_below(NOW_F, NOW_G) <= 1),
        step(
            "what the share leaves out",
            1 - part(mass_below(NOW_F, NOW_G)) * mass_below(NOW_F, NOW_G) <= first_delta,
        ),
    ],
)
def mass_that_is_left_out():
    """Mass of a private release that is left out."""
    return Le(mass_left_out(NOW_F, NOW_G), first_delta)


def kept(first, second, at):
    """Return the kept part of the mass of an outcome."""
    return part(mass_below(first, second)) * below(first, second, at)


def mass_left_out(first, second):
    """Return the mass that is not kept."""
    return summed(lambda k: first.density(k) - kept(first, second, k))


def kept_moment(first, second):
    """Return the moment of the kept parts."""
    return summed(lambda k: kept(first, second, k) ** nu * below(second, first, k) ** (1 - nu))


def as_parts():
    """Return the substitution for the parts of the two distributions."""
    k = Symbol("k", integer=True)
    return {
        now_f(k).function: Lambda((k,), below(NOW_F, NOW_G, k)),
        now_g(k).function: Lambda((k,), below(NOW_G, NOW_F, k)),
    }


@claim(
    "moment-of-what-is-kept",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=lambda: [
        epsilon > 0,
        first_delta < 1,
        *positive_masses(NOW_F, NOW_G),
        private(NOW_F, NOW_G, epsilon, first_delta),
    ],
    using=[
        "mass-below",
        (
            "mass-below",
            lambda: {**distribution_for(NOW_F, NOW_G), **distribution_for(NOW_G, NOW_F)},
        ),
        (
            "smaller-of-two-masses",
            lambda: {density_1: NOW_F.density(outcome), density_3: NOW_G.density(outcome)},
        ),
        (
            "smaller-of-two-masses",
            lambda: {density_1: NOW_G.density(outcome), density_3: NOW_F.density(outcome)},
        ),
        ("moment-of-parts", as_parts),
    ],
    proof=lambda: [
        step("what exceeds is not negative", hockey_stick(NOW_F, NOW_G, epsilon) >= 0),
        step("the mass that is kept", mass_below(NOW_F, NOW_G) >= 1 - first_delta),
        step("is at most 1", mass_below(NOW_F, NOW_G) <= 1),
        step("and of the other distribution", mass_below(NOW_G, NOW_F) >= 1 - first_delta),
    ],
)
def moment_of_what_is_kept():
    """Moment of the parts that are kept of a private release."""
    return Le(kept_moment(NOW_F, NOW_G), exp(nu * (nu - 1) * epsilon**2 / 2))


def sizes_of_parts(first, second):
    """State that the kept parts are positive, and no more than the masses, at an outcome."""
    x = outcome
    share_of_first, rest = kept(first, second, x), below(second, first, x)
    return [
        Relation(share_of_first, ">", Integer(0)),
        Relation(rest, ">", Integer(0)),
        Relation(share_of_first, "<=", first.density(x)),
        Relation(rest, "<=", second.density(x)),
    ]


@claim(
    "size-of-a-part",
    source=HERE,
    given=lambda: [
        density_1 > 0,
        density_3 > 0,
        first_delta < 1,
        density_2 <= 1,
        density_2 >= 1 - first_delta,
    ],
)
def size_of_a_part():
    """Kept part of a mass, where most of all mass is kept."""
    smaller = Min(density_1, exp(epsilon) * density_3)
    return [
        Relation(part(density_2) * smaller, ">", Integer(0)),
        Le(part(density_2) * smaller, density_1),
    ]


@claim(
    "parts-of-a-release",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=lambda: [
        first_delta < 1,
        *positive_masses(NOW_F, NOW_G),
        Le(hockey_stick(NOW_F, NOW_G, epsilon), first_delta),
    ],
    using=[
        "mass-below",
        (
            "size-of-a-part",
            lambda: {
                density_1: NOW_F.density(outcome),
                density_2: mass_below(NOW_F, NOW_G),
                density_3: NOW_G.density(outcome),
            },
        ),
    ],
    proof=lambda: [
        step("what exceeds is not negative", hockey_stick(NOW_F, NOW_G, epsilon) >= 0),
        step("the mass that is kept", mass_below(NOW_F, NOW_G) >= 1 - first_delta),
        step("is at most 1", mass_below(NOW_F, NOW_G) <= 1),
    ],
)
def parts_of_a_release():
    """Parts that are kept of two distributions, at every outcome."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [Every(outcome, tree, inside) for tree in sizes_of_parts(NOW_F, NOW_G)]


# --- many releases ----------------------------------------------------------------------------------


def after_the_history():
    """Return the substitution of distributions after any history for the distributions of a release."""
    return {**distribution_for(NOW_F, F), **distribution_for(NOW_G, G)}


def private_releases():
    """State that masses are positive and each release is private, after every history."""
    return [
        epsilon > 0,
        first_delta < 1,
        *(Every(history, tree) for tree in positive_masses(F, G)),
        Every(history, private(F, G, epsilon, first_delta)),
    ]


@claim(
    "parts-of-many",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof",
    given=private_releases,
    using=[
        ("parts-of-a-release", after_the_history),
        ("mass-left-out", after_the_history),
        ("moment-of-what-is-kept", after_the_history),
    ],
    proof=lambda: [step("after every history", tree) for tree in kept_after_every_history()],
)
def parts_of_many_releases():
    """Kept parts of every release, the mass that they leave out, and their moment."""
    return kept_after_every_history()


def kept_after_every_history():
    """State the claims about the kept parts, after every history."""
    moment = exp(nu * (nu - 1) * epsilon**2 / 2)
    return [
        *everywhere(*sizes_of_parts(F, G)),
        Every(history, Le(mass_left_out(F, G), first_delta)),
        Every(history, Le(kept_moment(F, G), moment)),
    ]


def as_parts_of_many():
    """Return the substitution for the parts of two distributions, after any history."""
    k = Symbol("k", integer=True)
    return {
        epsilon: other_epsilon,
        divergence: nu * epsilon**2 / 2,
        f(k).function: Lambda((history, k), kept(F, G, k)),
        g(k).function: Lambda((history, k), below(G, F, k)),
    }


@claim(
    "composition-advanced-order",
    source=DWORK_ROTH,
    place="Theorem 3.20, proof, at every order",
    given=private_releases,
    using=["parts-of-many", ("composition-of-parts", as_parts_of_many)],
)
def excess_of_many_private_releases():
    """Excess of many private releases, each chosen by the outputs of all before, at any order."""
    return Le(
        hockey_stick(ALL_F, ALL_G, other_epsilon),
        queries * first_delta + left_over(nu, other_epsilon),
    )


def best_order():
    """Return the order at which the bound is smallest."""
    return 1 + sqrt(2 * log(1 / delta) / queries) / epsilon


def advanced_loss():
    """Return the loss of many releases, for a given probability of a larger loss."""
    return queries * epsilon**2 / 2 + epsilon * sqrt(2 * queries * log(1 / delta))


def left_over(order, loss):
    """Return the term that the bound at an order adds to the deltas of the releases."""
    return exp((1 - order) * loss) * exp(queries * (order - 1) * (order * epsilon**2 / 2))


def exponent(order, loss):
    """Return the logarithm of the term that the bound adds."""
    return (1 - order) * loss + queries * (order - 1) * (order * epsilon**2 / 2)


@claim("exponential-of-a-logarithm", source=HERE, given=lambda: [Eq(multiple, log(delta))])
def exponential_of_a_logarithm():
    """Exponential of a number that is a logarithm."""
    return Eq(exp(multiple), delta)


@claim(
    "left-over-at-the-best-order",
    source=BUN_STEINKE,
    place="Proposition 1.3, at many releases",
    given=lambda: [epsilon > 0],
    using=[
        (
            "exponential-of-a-logarithm",
            lambda: {multiple: exponent(best_order(), advanced_loss())},
        )
    ],
    proof=lambda: [
        step("the exponent", Eq(exponent(best_order(), advanced_loss()), log(delta))),
        step(
            "one exponential",
            Eq(
                left_over(best_order(), advanced_loss()),
                exp(exponent(best_order(), advanced_loss())),
            ),
        ),
    ],
)
def left_over_at_the_best_order():
    """Term that the bound at the best order adds to the deltas of the releases."""
    return Eq(left_over(best_order(), advanced_loss()), delta)


@claim(
    "composition-advanced-one-way",
    source=DWORK_ROTH,
    place="Theorem 3.20, with the smaller mean loss of Bun and Steinke, from one distribution to the other",
    given=private_releases,
    using=[
        "left-over-at-the-best-order",
        (
            "composition-advanced-order",
            lambda: {nu: best_order(), other_epsilon: advanced_loss()},
        ),
    ],
    proof=lambda: [
        step("the order is above 1", best_order() > 1),
        step("the loss is not negative", advanced_loss() >= 0),
    ],
)
def delta_of_many_private_releases():
    """Delta of many private releases, each chosen by the outputs of all before."""
    return Le(hockey_stick(ALL_F, ALL_G, advanced_loss()), queries * first_delta + delta)


@claim(
    "composition-advanced-laws",
    source=DWORK_ROTH,
    place="Theorem 3.20, with the smaller mean loss of Bun and Steinke; masses are positive",
    given=private_releases,
    using=[
        "composition-advanced-one-way",
        ("composition-advanced-one-way", lambda: exchanged(advanced_loss())),
    ],
)
def privacy_of_many_private_releases():
    """Privacy of many releases, each chosen by the outputs of all before: advanced composition."""
    return private(ALL_F, ALL_G, advanced_loss(), queries * first_delta + delta)
