"""Towards advanced composition: many releases by parts of their laws, each chosen by all before.

Of each release parts of its two laws are kept: what is left out has a mass of at most delta. The moments
of the parts multiply, and the excess over all outputs is below the moment and what was left out.
"""

from sympy import Integer, Le, Max, Sum, Symbol, exp, log

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every, Relation
from dpbook.privacy.any_laws import AnyFiniteLaw, AnyScore, Releases
from dpbook.privacy.claims.conversions import scaled_moment
from dpbook.privacy.claims.sources import BUN_STEINKE, DWORK_ROTH, HERE
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import (
    density_1,
    density_3,
    divergence,
    epsilon,
    first_delta,
    first_mass,
    history,
    last_outcome,
    more,
    nu,
    outcome,
    queries,
    ratio,
    second_mass,
    share,
    upper_end,
)

F, G = (AnyFiniteLaw(name, last_outcome, history) for name in ("F", "G"))
ALL_F, ALL_G = (Releases(law, history, queries) for law in (F, G))

# --- numbers --------------------------------------------------------------------------------------


def slope():
    """Slope of the chord of a power between 1 / y and y, times y - 1 / y."""
    return upper_end**nu - upper_end**-nu


def fall():
    """How far below 0 that chord starts, times y - 1 / y."""
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
    """Logarithm of the moment of randomised response."""
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
    """After every history, at every outcome."""
    inside = (Relation(outcome, "<=", last_outcome),)
    return [Every(history, Every(outcome, tree, inside)) for tree in trees]


def parts():
    """That f and g are positive parts of the masses of one release."""
    x = outcome
    return everywhere(
        Relation(f(x), ">", Integer(0)),
        Relation(g(x), ">", Integer(0)),
        Relation(f(x), "<=", F.density(x)),
        Relation(g(x), "<=", G.density(x)),
    )


def left_out():
    """Mass under F that a part leaves out."""
    k = Symbol("k", integer=True)
    return Sum(F.density(k) - f(k), (k, 0, last_outcome))


def part_moment():
    """Moment of the two parts."""
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
    """The bound, for all masses so far and all parts of them."""
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
    """Excess of many releases, by the moments of parts of their laws and what these leave out."""
    return Le(
        hockey_stick(ALL_F, ALL_G, epsilon),
        queries * first_delta + exp((1 - nu) * epsilon) * exp(queries * (nu - 1) * divergence),
    )


# --- parts within a factor ------------------------------------------------------------------------


def within_a_factor(first, second):
    """That two masses are positive, and within exp(epsilon) of each other, after every history."""
    return everywhere(
        Relation(first(outcome), ">", Integer(0)),
        Relation(second(outcome), ">", Integer(0)),
        Relation(first(outcome), "<=", exp(epsilon) * second(outcome)),
        Relation(second(outcome), "<=", exp(epsilon) * first(outcome)),
    )


def summed(body):
    """Sum over all outcomes of the next release."""
    k = Symbol("k", integer=True)
    return Sum(body(k), (k, 0, last_outcome))


def at_the_loss(body):
    """A number of the chord, where y is exp(epsilon)."""
    return body.subs(upper_end, exp(epsilon))


def chord_at_one():
    """The chord at the ratio 1, where y is exp(epsilon)."""
    return at_the_loss(slope()) - at_the_loss(fall())


def most():
    """What bounds it."""
    return (exp(epsilon) - exp(-epsilon)) * exp(nu * (nu - 1) * epsilon**2 / 2)


@claim(
    "chord-at-one",
    source=BUN_STEINKE,
    place="Proposition 3.3, proof",
    given=lambda: [epsilon > 0],
    using=["moment-of-two-points"],
    proof=lambda: [
        step("the loss is positive", exp(epsilon) - exp(-epsilon) >= 0),
        step(
            "times the length of the range",
            (exp(epsilon) - exp(-epsilon))
            * ((exp(nu * epsilon) + exp((1 - nu) * epsilon)) / (1 + exp(epsilon)))
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
    given=lambda: [
        epsilon > 0,
        *within_a_factor(f, g),
    ],
    using=[
        (
            "chord-of-two-masses",
            lambda: {
                upper_end: exp(epsilon),
                density_1: f(outcome),
                density_3: g(outcome),
                share: Integer(1),
            },
        ),
    ],
)
def chord_of_parts_within_a_factor():
    """Moment of two parts that are within a factor, below the chord, after every history."""
    return Every(
        history,
        Le(
            (exp(epsilon) - exp(-epsilon)) * part_moment(),
            at_the_loss(slope()) * summed(f) - at_the_loss(fall()) * summed(g),
        ),
    )
