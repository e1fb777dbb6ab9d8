"""Proposition 3, Theorem 5 and Lemma 9, for any model and contamination: claims about one record.

As in `general_privacy`, densities are for a measure mu. Densities of the model may be 0, except
in a denominator, as in Theorem 5 and Lemma 6. The density of the contamination is positive.
"""

from functools import partial

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
    ceiling,
    exp,
    gamma,
    lowergamma,
    sqrt,
)

from dpbook import Every, claim, step
from dpbook.contamination.any_models import (
    AnyFunction,
    AnyRate,
    NonNegative,
    Slope,
    integral,
    settled,
)
from dpbook.contamination.claims.general import away, f_any, f_at, f_of, f_true, g_at, records
from dpbook.contamination.claims.general_privacy import (
    divergence,
    excess,
    without_contamination,
)
from dpbook.contamination.notation import (
    alpha,
    at,
    c,
    contaminated,
    d,
    distance_0,
    distance_1,
    f,
    f_star,
    g,
    gap_at,
    index,
    inner,
    level_0,
    mass_0,
    mass_1,
    moment,
    n,
    number,
    odds,
    p,
    p_less,
    phi,
    r,
    radius,
    ratio,
    size,
    slack,
    slope_1,
    slope_2,
    t,
    theta,
    u,
    weight,
    x_1,
    x_2,
    y,
    y_2,
)
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.statements import probability

rates, radii = AnyRate("p_n"), AnyRate("phi_n")


def uncontaminated(record, parameter=None):
    """Density of a record that is not contaminated; it may be 0."""
    return f_true(record) if parameter is None else f_any(record, parameter)


# --- proposition 3 --------------------------------------------------------------------------------


def root_gap(first, second):
    """Squared difference of the roots of two densities, halved."""
    return (sqrt(first) - sqrt(second)) ** 2 / 2


def under_mu(body):
    """Integral over the records."""
    return integral(records.density(y_2) * body, y_2)


def hellinger(parameter, density):
    """Squared Hellinger distance of definition 3, of theta* and another parameter."""
    return under_mu(root_gap(density(y_2), density(y_2, parameter)))


def mixed(rate):
    """The density of a record that is contaminated at a rate."""
    return lambda record, parameter=None: contaminated(
        uncontaminated(record, parameter), g_at(record), rate
    )


def is_density(parameter, density):
    """State that a density integrates to 1."""
    body = density(y_2) if parameter is None else density(y_2, parameter)
    return Eq(under_mu(body), 1)


@claim(
    "note-proposition-3-roots",
    place="Proposition 3: the difference of two densities at a record, by that of their roots",
    proof=lambda: [
        step(
            "factors",
            Eq(Abs(x_1 - x_2), Abs(sqrt(x_1) - sqrt(x_2)) * (sqrt(x_1) + sqrt(x_2))),
        ),
        step(
            "a square",
            Ge(
                (Abs(sqrt(x_1) - sqrt(x_2)) - phi * (sqrt(x_1) + sqrt(x_2))) ** 2,
                0,
            ),
        ),
        step(
            "so",
            Le(
                2 * phi * Abs(x_1 - x_2),
                (sqrt(x_1) - sqrt(x_2)) ** 2 + phi**2 * (sqrt(x_1) + sqrt(x_2)) ** 2,
            ),
        ),
        step("the roots", Le((sqrt(x_1) + sqrt(x_2)) ** 2, 2 * (x_1 + x_2))),
        step(
            "together",
            Le(
                2 * phi * Abs(x_1 - x_2),
                (sqrt(x_1) - sqrt(x_2)) ** 2 + phi**2 * (2 * (x_1 + x_2)),
            ),
        ),
    ],
)
def difference_of_densities_by_their_roots():
    """Difference of two densities, by the difference of their roots."""
    return Le(
        phi * Abs(x_1 - x_2),
        (sqrt(x_1) - sqrt(x_2)) ** 2 / 2 + phi**2 * (x_1 + x_2),
    )


@claim(
    "note-proposition-3-record",
    place="Proposition 3 at a record: the roots of two densities, with contamination and without",
    using=[
        (
            "note-proposition-3-roots",
            lambda: {x_1: contaminated(mass_0, g), x_2: contaminated(mass_1, g)},
        )
    ],
    proof=lambda: [
        step("the roots", Le((sqrt(mass_0) - sqrt(mass_1)) ** 2, Abs(mass_0 - mass_1))),
        step(
            "the contaminated densities",
            Eq(
                (1 - p) * Abs(mass_0 - mass_1),
                Abs(contaminated(mass_0, g) - contaminated(mass_1, g)),
            ),
        ),
        step(
            "by their difference",
            Le(
                phi * ((1 - p) * (2 * root_gap(mass_0, mass_1))),
                phi * Abs(contaminated(mass_0, g) - contaminated(mass_1, g)),
            ),
        ),
    ],
)
def roots_of_contaminated_densities():
    """Squared difference of the roots of two densities, by the difference with contamination."""
    true, other = contaminated(mass_0, g), contaminated(mass_1, g)
    return Le(
        2 * phi * (1 - p) * (weight * root_gap(mass_0, mass_1)),
        weight * root_gap(true, other) + phi**2 * (weight * true + weight * other),
    )


@claim(
    "note-proposition-3-laws",
    place="Proposition 3 made explicit, for all models; with phi = h(k_p)/sqrt(2) it says that h(k_p) is at "
    "least (1 - p) h(f)**2 / sqrt(2)",
    given=lambda: [
        is_density(None, mixed(p)),
        is_density(theta, mixed(p)),
        Ge(hellinger(theta, uncontaminated), 0),
        Ge(hellinger(theta, mixed(p)), 0),
    ],
    using=[
        (
            "note-proposition-3-record",
            lambda: {
                mass_1: f_any(y_2, theta),
                mass_0: f_true(y_2),
                g: g_at(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                2 * phi * (1 - p) * hellinger(theta, uncontaminated),
                hellinger(theta, mixed(p))
                + phi**2 * (under_mu(mixed(p)(y_2)) + under_mu(mixed(p)(y_2, theta))),
            ),
        ),
    ],
)
def distance_of_contaminated_distributions():
    """Hellinger distance of two distributions, by the distance with contamination, at any scale."""
    return Le(
        2 * phi * (1 - p) * hellinger(theta, uncontaminated),
        hellinger(theta, mixed(p)) + 2 * phi**2,
    )


def can_be_told_apart():
    """Assumption 5 at one distance: beyond it the Hellinger distance is at least its infimum."""
    return Every(at, apart_or_near(at))


def apart_or_near(parameter):
    """State that a parameter is near theta*, or its distribution is not."""
    apart = Ge(hellinger(parameter, uncontaminated), gap_at**2)
    return Or(Le(away(parameter), size), apart)


@claim(
    "note-proposition-3-numbers",
    place="Proposition 3: where the contaminated distributions are close, the others are closer than the infimum",
    given=lambda: [
        p <= Rational(1, 2),
        phi <= gap_at**2 / 4,
        distance_1 <= phi**2,
        2 * phi * (1 - p) * distance_0 <= distance_1 + 2 * phi**2,
    ],
    proof=lambda: [
        step("both", Le(phi * (2 * (1 - p) * distance_0), phi * (3 * phi))),
        step("divided", Le(2 * (1 - p) * distance_0, 3 * phi)),
        step("the rate", Le(distance_0, 3 * phi)),
    ],
)
def distance_below_the_infimum():
    """Squared Hellinger distance, against the infimum beyond a distance of the parameters."""
    return Lt(distance_0, gap_at**2)


@claim(
    "note-proposition-3-ball",
    place="Proposition 3 at an n from which on p_n is at most 1/2, and phi_n at most a quarter of the squared infimum h_0",
    given=lambda: [
        can_be_told_apart(),
        n >= settled(rates, Rational(1, 2)),
        n >= settled(radii, gap_at**2 / 4),
        is_density(None, mixed(rates(n))),
        is_density(theta, mixed(rates(n))),
        Ge(hellinger(theta, uncontaminated), 0),
        Le(hellinger(theta, mixed(rates(n))), radii(n) ** 2),
    ],
    using=[
        ("note-proposition-3-laws", lambda: {p: rates(n), phi: radii(n)}),
        (
            "note-proposition-3-numbers",
            lambda: {
                p: rates(n),
                phi: radii(n),
                distance_0: hellinger(theta, uncontaminated),
                distance_1: hellinger(theta, mixed(rates(n))),
            },
        ),
    ],
    proof=lambda: [
        step("the sequences", [Le(rates(n), Rational(1, 2)), Le(radii(n), gap_at**2 / 4)]),
        step("below the infimum", Lt(hellinger(theta, uncontaminated), gap_at**2)),
        step("assumption 5", apart_or_near(theta)),
    ],
)
def hellinger_ball_within_a_ball():
    """Distance of a parameter in a contaminated Hellinger ball from the true one."""
    return Le(away(theta), size)


def close_in_the_end():
    """State that k_1 is large enough for the radius r_0, and theta is in the Hellinger ball."""
    return [
        index >= 1,
        index >= settled(rates, Rational(1, 2)),
        index >= settled(radii, gap_at**2 / 4),
        Le(hellinger(theta, mixed(rates(index))), radii(index) ** 2),
    ]


@claim(
    "proposition-3",
    place="Proposition 3, eq. 13: that there is a sequence psi_n that tends to 0 is said without it: for every r_0 > 0 the contaminated Hellinger balls lie in the "
    "ball of radius r_0 for all n from a number on, here k_1; for small n, with phi_n near 1, there may be no radius. h_0 is the infimum of Assumption 5 beyond r_0",
    given=lambda: [
        can_be_told_apart(),
        Every(
            index,
            [is_density(None, mixed(rates(index))), is_density(theta, mixed(rates(index)))],
            [index >= 1],
        ),
        Ge(hellinger(theta, uncontaminated), 0),
    ],
    using=[("note-proposition-3-ball", lambda: {n: index})],
)
def hellinger_balls_shrink():
    """Hellinger balls of contaminated distributions shrink to the true parameter."""
    return Every(index, Le(away(theta), size), close_in_the_end())


# --- theorem 5 ------------------------------------------------------------------------------------

share_of, ratio_of = AnyFunction("V", 1, NonNegative), AnyFunction("r")


def lost(total, quotient, change):
    """Return a bound on the loss of a share of the information; `change` is p / (1 - p)."""
    return total * (change / (1 + change) + change * quotient / (1 + change * quotient))


@claim(
    "note-theorem-5-limit",
    place="Theorem 5: dominated convergence. V is the share of a record in the information, r the ratio of "
    "g and f",
    given=lambda: [
        Ge(integral(share_of(y_2), y_2), 0),
        Every(odds, Le(slack, integral(lost(share_of(y_2), ratio_of(y_2), odds), y_2))),
    ],
)
def what_is_lost_tends_to_nothing():
    """Lower bound on the lost information for all rates of contamination."""
    return Le(slack, 0)


def score(derivative_, density):
    """Derivative of the logarithm of a density."""
    return derivative_ / density


def information(first, second, density):
    """Share of a record in an entry of the Fisher information, from two derivatives of its density."""
    return score(first, density) * score(second, density) * density


@claim(
    "note-theorem-5-share",
    place="Theorem 5 at a record: what contamination takes from its share; o_1 is at least p / (1 - p)",
    given=lambda: [p * (1 + odds) <= odds],
    proof=lambda: [
        step("what is left", Gt(contaminated(f, g), 0)),
        step("the odds", Le(p, odds * (1 - p))),
        step("of the ratio", Le(p * (g / f), odds * (g / f) * (1 - p))),
        step(
            "what is left, in the ratio",
            Eq((1 - p) ** 2 * f / contaminated(f, g), (1 - p) ** 2 / (1 - p + p * (g / f))),
        ),
        step(
            "from below",
            Ge(
                (1 - p) ** 2 / (1 - p + p * (g / f)),
                1 - lost(1, g / f, odds),
            ),
        ),
        step("from above", Le((1 - p) ** 2 * f / contaminated(f, g), 1)),
    ],
)
def share_of_a_contaminated_record():
    """Share of a record in the information that contamination leaves."""
    return [
        Ge((1 - p) ** 2 * f / contaminated(f, g), 1 - lost(1, g / f, odds)),
        Le((1 - p) ** 2 * f / contaminated(f, g), 1),
    ]


@claim(
    "note-theorem-5-record",
    place="Theorem 5 at a record: s_1 and s_2 are two derivatives of f",
    given=lambda: [p * (1 + odds) <= odds],
    using=["note-theorem-5-share"],
    proof=lambda: [
        step(
            "the contaminated one",
            Eq(
                information((1 - p) * slope_1, (1 - p) * slope_2, contaminated(f, g)),
                slope_1 * slope_2 / f * ((1 - p) ** 2 * f / contaminated(f, g)),
            ),
        ),
        step("the other", Eq(information(slope_1, slope_2, f), slope_1 * slope_2 / f)),
        step(
            "either sign",
            [
                Le(slope_1 * slope_2 / f, Abs(slope_1 * slope_2) / f),
                Le(-slope_1 * slope_2 / f, Abs(slope_1 * slope_2) / f),
            ],
        ),
        step(
            "their difference",
            Eq(
                information((1 - p) * slope_1, (1 - p) * slope_2, contaminated(f, g))
                - information(slope_1, slope_2, f),
                -(slope_1 * slope_2 / f) * (1 - (1 - p) ** 2 * f / contaminated(f, g)),
            ),
        ),
        step(
            "its size",
            [
                Le(
                    sign * (slope_1 * slope_2 / f) * (1 - (1 - p) ** 2 * f / contaminated(f, g)),
                    Abs(slope_1 * slope_2) / f * (1 - (1 - p) ** 2 * f / contaminated(f, g)),
                )
                for sign in (1, -1)
            ],
        ),
        step(
            "what is lost",
            Le(
                Abs(slope_1 * slope_2) / f * (1 - (1 - p) ** 2 * f / contaminated(f, g)),
                lost(Abs(slope_1 * slope_2) / f, g / f, odds),
            ),
        ),
        step(
            "without the weight",
            [
                Le(
                    information((1 - p) * slope_1, (1 - p) * slope_2, contaminated(f, g))
                    - information(slope_1, slope_2, f),
                    lost(Abs(slope_1 * slope_2) / f, g / f, odds),
                ),
                Le(
                    information(slope_1, slope_2, f)
                    - information((1 - p) * slope_1, (1 - p) * slope_2, contaminated(f, g)),
                    lost(Abs(slope_1 * slope_2) / f, g / f, odds),
                ),
            ],
        ),
    ],
)
def shares_of_a_record_differ_little():
    """Shares of a record in an entry of the information, contaminated and not."""
    mixed_, clean = (
        weight * information((1 - p) * slope_1, (1 - p) * slope_2, contaminated(f, g)),
        weight * information(slope_1, slope_2, f),
    )
    most = lost(weight * (Abs(slope_1 * slope_2) / f), g / f, odds)
    return [Le(mixed_ - clean, most), Le(clean - mixed_, most)]


first_slope, second_slope = AnyFunction("s_i", 1, Slope), AnyFunction("s_j", 1, Slope)


def entry(rate=None):
    """An entry of the Fisher information at theta*, at a rate of contamination or without any."""
    slopes, density = (first_slope(y_2), second_slope(y_2)), f_at(y_2)
    if rate is None:
        return under_mu(information(*slopes, density))
    first, second = ((1 - rate) * s for s in slopes)
    return under_mu(information(first, second, contaminated(density, g_at(y_2), rate)))


def size_of_the_share(record=y_2):
    """Size of the share of a record in an entry of the information without contamination."""
    slopes = first_slope(record) * second_slope(record)
    return records.density(record) * (Abs(slopes) / f_at(record))


def whole_size():
    """The integral of the size of the shares: the entries are at most that, where they exist."""
    return integral(size_of_the_share(), y_2)


def most_lost():
    """The bound on the difference of two entries; o_1 is at least p / (1 - p)."""
    return integral(lost(size_of_the_share(), g_at(y_2) / f_at(y_2), odds), y_2)


@claim(
    "note-theorem-5-laws",
    place="Theorem 5 made explicit, for all models: what contamination changes in an entry of the "
    "information; o_1 is at least p / (1 - p)",
    given=lambda: [
        p * (1 + odds) <= odds,
        *(Le(one, whole_size()) for one in (entry(p), entry())),
        Ge(most_lost(), 0),
    ],
    using=[
        (
            "note-theorem-5-record",
            lambda: {
                f: f_at(y_2),
                g: g_at(y_2),
                slope_1: first_slope(y_2),
                slope_2: second_slope(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step("from below", Le(entry(), entry(p) + most_lost())),
        step("from above", Le(entry(p), entry() + most_lost())),
    ],
)
def informations_differ_little():
    """Entries of the Fisher information, contaminated and not."""
    return Le(Abs(entry(p) - entry()), most_lost())


def late():
    """A number of records from which on the odds of contamination are at most o_1."""
    return ceiling(settled(rates, odds / (1 + odds)))


def stays_away():
    """State that an entry of the information differs by some amount for all numbers of records."""
    return Every(index, Le(slack, Abs(entry(rates(index)) - entry())))


def entries_exist():
    """State that the entries of the information exist, with contamination and without."""
    return [
        Every(index, Le(entry(rates(index)), whole_size())),
        Le(entry(), whole_size()),
    ]


@claim(
    "note-theorem-5-late",
    place="Theorem 5: the difference of two entries for a large number of records",
    given=lambda: [stays_away(), *entries_exist(), Ge(most_lost(), 0)],
    using=[("note-theorem-5-laws", lambda: {p: rates(late())})],
    proof=lambda: [
        step("a whole number", Ge(late(), settled(rates, odds / (1 + odds)))),
        step("the rate there", Le(rates(late()), odds / (1 + odds))),
        step("its odds", Le(rates(late()) * (1 + odds), odds)),
        step("the difference there", Le(slack, Abs(entry(rates(late())) - entry()))),
    ],
)
def difference_for_many_records():
    """Least difference of two entries of the information, against a bound."""
    return Le(slack, most_lost())


@claim(
    "theorem-5",
    place="Theorem 5, for all entries: f_0 is the density f at theta*, for a measure mu, s_i and s_j are its derivatives in any two "
    "coordinates, k_1 numbers the rates p_n, o_1 is any odds p/(1 - p) of a rate, and epsilon_1 what the entries of the "
    "two matrices differ by at least; a matrix tends to another if each entry does. That the entry of I is finite the print does not say. A limit is said without a threshold: along no sequence of "
    "rates that tends to 0, such as a part of p_n, the entry stays away from that without contamination",
    scope="densities f_0 that are positive everywhere, and entries that are finite, neither of which the print asks for",
    given=lambda: [
        stays_away(),
        *entries_exist(),
        Every(odds, Ge(most_lost(), 0)),
    ],
    using=[
        ("note-theorem-5-late", lambda: {odds: odds}),
        (
            "note-theorem-5-limit",
            lambda: {
                share_of(y_2).function: Lambda((y_2,), size_of_the_share()),
                ratio_of(y_2).function: Lambda((y_2,), g_at(y_2) / f_at(y_2)),
            },
        ),
    ],
    proof=lambda: [step("for all rates", Every(odds, Le(slack, most_lost())))],
)
def information_converges():
    """Fisher information of contaminated records tends to the information without contamination."""
    return Le(slack, 0)


# --- lemma 9 --------------------------------------------------------------------------------------

low_end, high_end = AnyFunction("b_L", 1, NonNegative), AnyFunction("b_U", 1, NonNegative)
left_over = (1 - p) / (1 - p_less)


def moved(end, record=y_2):
    """An end of a bracket, when the rate is raised from p_1 to p."""
    return left_over * end(record) + (1 - left_over) * g_at(record)


def in_the_bracket(ends, rate):
    """State that a contaminated density lies in a bracket, at every record."""
    low, high = ends
    density = mixed(rate)(y, theta)
    return Every(y, [Le(low(y), density), Le(density, high(y))])


def width_of(low, high):
    """Squared Hellinger distance of the ends of a bracket."""
    return under_mu(root_gap(low, high))


@claim(
    "note-lemma-9-record",
    place="Lemma 9 at a record: the ends of a bracket, of which the lower one may be 0",
    given=lambda: [mass_0 >= mass_1],
    proof=lambda: [
        step("larger roots", Ge(sqrt(c * mass_0 + weight), sqrt(c * mass_1 + weight))),
        step("the roots", Ge(sqrt(mass_0), sqrt(mass_1))),
        step("with the weight", Ge(sqrt(c * mass_0 + weight), sqrt(c * mass_0))),
        step("and the lower one", Ge(sqrt(c * mass_1 + weight), sqrt(c * mass_1))),
        step("squares", Ge((sqrt(c * mass_0) - sqrt(c * mass_1)) ** 2, 0)),
    ],
)
def roots_of_the_ends_of_a_bracket():
    """Squared difference of the roots of two ends, and of their multiples with a third number added."""
    return Le(
        (sqrt(c * mass_1 + weight) - sqrt(c * mass_0 + weight)) ** 2,
        c * (sqrt(mass_1) - sqrt(mass_0)) ** 2,
    )


@claim(
    "note-lemma-9-bracket",
    place="Lemma 9, eq. 20, for one bracket of a distribution contaminated at the rate p_1: what it becomes is a bracket of the distribution at "
    "the rate p, of a size smaller by the factor",
    given=lambda: [
        in_the_bracket((low_end, high_end), p_less),
        Le(width_of(low_end(y_2), high_end(y_2)), u**2),
        Ge(width_of(moved(low_end), moved(high_end)), 0),
    ],
    using=[
        (
            "note-lemma-9-record",
            lambda: {
                mass_0: high_end(y_2),
                mass_1: low_end(y_2),
                c: left_over,
                weight: (1 - left_over) * g_at(y_2),
            },
        )
    ],
    proof=lambda: [
        step("the factor", [Gt(left_over, 0), Le(left_over, 1)]),
        step(
            "the ends",
            Every(
                y,
                [
                    Le(moved(low_end, y), mixed(p)(y, theta)),
                    Le(mixed(p)(y, theta), moved(high_end, y)),
                ],
            ),
        ),
        step(
            "integrated",
            Le(
                width_of(moved(low_end), moved(high_end)),
                left_over * width_of(low_end(y_2), high_end(y_2)),
            ),
        ),
    ],
)
def bracket_when_the_rate_is_raised():
    """Bracket of a contaminated distribution, when the rate of contamination is raised."""
    ends = [
        Le(moved(low_end, y), mixed(p)(y, theta)),
        Le(mixed(p)(y, theta), moved(high_end, y)),
    ]
    return [*ends, Le(width_of(moved(low_end), moved(high_end)), left_over * u**2)]


low_of, high_of = AnyFunction("b_L", 2, NonNegative), AnyFunction("b_U", 2, NonNegative)
bracket_of = AnyFunction("i_0", 1, Slope)


def ends_of(which):
    """The ends of one of a set of brackets."""
    return (lambda record: low_of(which, record)), (lambda record: high_of(which, record))


def within(ends, rate):
    """State that the distribution at theta, contaminated at a rate, lies in a bracket."""
    low, high = ends
    density = mixed(rate)(y, theta)
    return [Le(low(y), density), Le(density, high(y))]


def moved_ends(which):
    """The ends of a bracket, when the rate is raised from p_1 to p."""
    low, high = ends_of(which)
    return partial(moved, low), partial(moved, high)


@claim(
    "lemma-9",
    place="Lemma 9, eq. 20, for any set of brackets, numbered by numbers k_1: b_L(k_1, .) and b_U(k_1, .) are the ends, and "
    "i_0(theta) is the number of a bracket that has the distribution at theta. A set of brackets of the distributions at the rate p_1, of a size "
    "up to u, becomes one of the distributions at the rate p with the same numbers, of a size smaller by the factor (at p = 0, where p_1 "
    "is 0 too, there is nothing to show). p_1 = 0 is eq. 21",
    scope="the brackets and their size; that the least number of brackets, of which the entropy is the logarithm, is no larger, which is "
    "(20) and (21), is in words",
    given=lambda: [
        Every(y, within(ends_of(bracket_of(theta)), p_less)),
        Le(width_of(*(end(y_2) for end in ends_of(bracket_of(theta)))), u**2),
        Ge(width_of(*(end(y_2) for end in moved_ends(bracket_of(theta)))), 0),
    ],
    using=[
        (
            "note-lemma-9-bracket",
            lambda: {
                low_end(y).function: Lambda((y,), low_of(bracket_of(theta), y)),
                high_end(y).function: Lambda((y,), high_of(bracket_of(theta), y)),
            },
        )
    ],
)
def brackets_when_the_rate_is_raised():
    """Brackets of contaminated distributions, when the rate of contamination is raised."""
    size_ = width_of(*(end(y_2) for end in moved_ends(bracket_of(theta))))
    return [*within(moved_ends(bracket_of(theta)), p), Le(size_, left_over * u**2)]


# --- appendix B.2, the end of a bracket -----------------------------------------------------------

end_of = AnyFunction("w_U", 1, NonNegative)


def root_square(first, second):
    """Squared norm of the difference of the roots of two functions of a record."""
    return under_mu((sqrt(first) - sqrt(second)) ** 2)


@claim(
    "note-b.2-triangle",
    place="Appendix B.2, the bound on P_1, at a record: the three roots",
    proof=lambda: [
        step(
            "a square",
            Ge((sqrt(mass_0) - 2 * sqrt(mass_1) + sqrt(moment)) ** 2, 0),
        ),
    ],
)
def square_of_a_sum_of_differences():
    """Squared difference of two roots, by the differences from a third root."""
    return Le(
        weight * (sqrt(mass_0) - sqrt(moment)) ** 2,
        2 * (weight * (sqrt(mass_0) - sqrt(mass_1)) ** 2)
        + 2 * (weight * (sqrt(moment) - sqrt(mass_1)) ** 2),
    )


@claim(
    "text-b.2-triangle-corrected",
    place="Appendix B.2, the bound on P_1, for all models: w_U is the upper end of the bracket of theta, whose size is at most "
    "t_0, and theta is within the distance t_0 of theta*",
    corrects=["text-b.2-triangle"],
    why="Norms add, not their squares; and the norm of the difference of roots is sqrt(2) h.",
    given=lambda: [
        Le(root_square(f_true(y_2), f_any(y_2, theta)), 2 * radius**2),
        Le(root_square(end_of(y_2), f_any(y_2, theta)), 2 * radius**2),
        Ge(root_square(end_of(y_2), f_true(y_2)), 0),
        Ge(root_square(f_true(y_2), f_any(y_2, theta)), 0),
        Ge(root_square(end_of(y_2), f_any(y_2, theta)), 0),
    ],
    using=[
        (
            "note-b.2-triangle",
            lambda: {
                mass_0: end_of(y_2),
                mass_1: f_any(y_2, theta),
                moment: f_true(y_2),
                weight: records.density(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                root_square(end_of(y_2), f_true(y_2)),
                2 * root_square(end_of(y_2), f_any(y_2, theta))
                + 2 * root_square(f_true(y_2), f_any(y_2, theta)),
            ),
        ),
    ],
)
def distance_to_the_end_of_a_bracket():
    """Squared distance of the roots to the upper end of a bracket."""
    return Le(root_square(end_of(y_2), f_true(y_2)), 8 * radius**2)


# --- lemma 6 --------------------------------------------------------------------------------------

slope_of, segment = AnyFunction("D_f", 2, NonNegative), AnyDistribution("kappa")


@claim(
    "note-lemma-6-record",
    place="Lemma 6 at a record: the integrand of Definition 6, by the difference of the densities; s_1 "
    "stands for the distance from theta*, s_2 for the mean of the derivative",
    given=lambda: [f_star - f <= slope_1 * slope_2],
    using=[("note-power-tangent", lambda: {ratio: f_star / f})],
    proof=lambda: [
        step("a power", Gt((f_star / f) ** alpha, 0)),
        step("its inverse", Eq((f_star / f) ** alpha * (f_star / f) ** (-alpha), 1)),
        step(
            "times the power",
            Ge(1, (f_star / f) ** alpha * (1 + alpha - alpha * (f_star / f))),
        ),
        step(
            "one power more",
            Eq((f_star / f) ** (alpha + 1), (f_star / f) ** alpha * (f_star / f)),
        ),
        step(
            "without the weight",
            Le(
                ((f_star / f) ** alpha - 1) * f_star,
                alpha * ((f_star / f) ** (alpha + 1) * (f_star - f)),
            ),
        ),
        step(
            "the difference",
            Le(
                (f_star / f) ** (alpha + 1) * (f_star - f),
                (f_star / f) ** (alpha + 1) * (slope_1 * slope_2),
            ),
        ),
    ],
)
def divergence_by_the_difference():
    """Integrand of the divergence of two distributions, by a bound on the difference of their densities."""
    return Le(
        weight * (((f_star / f) ** alpha - 1) * f_star),
        alpha * slope_1 * (weight * ((f_star / f) ** (alpha + 1) * slope_2)),
    )


def on_the_segment(body):
    """Mean over the segment from theta* to theta."""
    return integral(segment.density(inner) * body, inner)


def tilted(body):
    """Integral over the records, with the power of the likelihood ratio that Lemma 6 has."""
    return under_mu((f_at(y_2) / f_of(y_2, theta)) ** (alpha + 1) * body)


mean_slope = AnyFunction("E_f", 1, NonNegative)


@claim(
    "note-lemma-6-integrated",
    place="Lemma 6, integrated over the records; E_f is the mean of the directional derivative on the segment from theta* to theta",
    given=lambda: [
        Every(y, Le(f_at(y) - f_of(y, theta), away(theta) * mean_slope(y))),
        Ge(excess(theta, without_contamination), -1),
        Ge(tilted(mean_slope(y_2)), 0),
    ],
    using=[
        (
            "note-lemma-6-record",
            lambda: {
                f: f_of(y_2, theta),
                f_star: f_at(y_2),
                weight: records.density(y_2),
                slope_1: away(theta),
                slope_2: mean_slope(y_2),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(
                excess(theta, without_contamination),
                alpha * away(theta) * tilted(mean_slope(y_2)),
            ),
        ),
    ],
)
def excess_by_the_mean_of_the_derivative():
    """Integral of the divergence of two distributions, by the mean of the derivative on the segment."""
    return Le(excess(theta, without_contamination), alpha * away(theta) * tilted(mean_slope(y_2)))


value_at = AnyFunction("G_f", 1, NonNegative)


@claim(
    "note-lemma-6-point",
    place="Lemma 6, at a point of the segment; w_0 is its weight, q_0 the integral of the condition there",
    given=lambda: [Or(Eq(weight, 0), mass_0 <= c)],
)
def bound_at_a_point_of_the_segment():
    """Weighted integral at a point of the segment, by its bound."""
    return Le(weight * mass_0, c * weight)


@claim(
    "note-lemma-6-segment",
    place="Lemma 6: a mean over the segment, by the bound on the segment; G_f is the integral of the condition at a point",
    given=lambda: [
        Every(at, Or(Eq(segment.density(at), 0), Le(value_at(at), c))),
        Ge(on_the_segment(value_at(inner)), 0),
    ],
    using=[
        ("note-lemma-6-point", lambda: {weight: segment.density(inner), mass_0: value_at(inner)}),
    ],
    proof=lambda: [
        step(
            "integrated",
            Le(on_the_segment(value_at(inner)), c * integral(segment.density(inner), inner)),
        ),
    ],
)
def mean_over_the_segment():
    """Mean over the segment from theta* to theta, by a bound on the segment."""
    return Le(on_the_segment(value_at(inner)), c)


@claim(
    "lemma-6-corrected",
    place="Lemma 6, repaired, for all models: kappa is the uniform distribution on the segment from theta* to theta, "
    "D_f the size of the directional derivative of Definition 7, E_f its mean on the segment, G_f the integral of the condition at a "
    "parameter, and c its bound M in the ball of radius c_r; the order of two integrals is that of Fubini's theorem",
    corrects=["lemma-6"],
    why="The bound M holds in the ball of radius c_r only, so t_n / M may be at most c_r.",
    scope="from f as the integral of its directional derivative along a segment, and from the exchange of two integrals, "
    "by Fubini's theorem, which are conditions here",
    given=lambda: [
        Every(y, Le(f_at(y) - f_of(y, theta), away(theta) * mean_slope(y))),
        Every(y, Eq(mean_slope(y), on_the_segment(slope_of(y, inner)))),
        Every(at, Eq(value_at(at), tilted(slope_of(y_2, at)))),
        Every(at, Or(Eq(segment.density(at), 0), Le(value_at(at), c))),
        Eq(tilted(mean_slope(y_2)), on_the_segment(value_at(inner))),
        Ge(tilted(mean_slope(y_2)), 0),
        Le(away(theta) * c, t),
        Ge(excess(theta, without_contamination), -1),
    ],
    using=["note-lemma-6-integrated", "note-lemma-6-segment"],
    proof=lambda: [
        step("the mean", Le(tilted(mean_slope(y_2)), c)),
        step("times the distance", Le(away(theta) * tilted(mean_slope(y_2)), away(theta) * c)),
    ],
)
def balls_inside_the_neighbourhoods_of_all_models():
    """Balls around the true parameter inside the neighbourhoods of Definition 6."""
    return Le(divergence(theta, without_contamination), t)


# --- lemma 7 --------------------------------------------------------------------------------------

norm_of, along = AnyFunction("N_0", 1, NonNegative), AnyFunction("e_0", 1, Slope)
normal_prior, ball = AnyDistribution("pi_0"), AnyEvent("N")
around_0, smaller = AnyEvent("N_1"), AnyEvent("N_2")


def chi_squared(radius_):
    """Chance that a standard normal vector is within a radius of 0."""
    return lowergamma(d / 2, radius_**2 / 2) / gamma(d / 2)


def mass_of(event):
    """Prior probability of a set of parameters."""
    return probability(normal_prior, event)


def shifted(record=theta):
    """The prior's density around theta*, over that around 0."""
    return exp(-(level_0**2) / 2 - along(record))


@claim(
    "note-lemma-7-tangent",
    place="Lemma 7, first line, at a parameter; b_0 is |theta*|, u_1 the product of the parameter and theta*, w_0 its weight",
    proof=lambda: [step("the tangent of exp", Ge(exp(-number), 1 - number))],
)
def tangent_of_the_shifted_density():
    """Density of the prior at a shifted point, from below."""
    return Ge(
        weight * exp(-(level_0**2) / 2 - number),
        exp(-(level_0**2) / 2) * weight - exp(-(level_0**2) / 2) * (weight * number),
    )


@claim(
    "lemma-7.i",
    place="Lemma 7, first line, which the print has for small r; it holds for every r. N is the ball of radius r around theta*, "
    "N_1 that around 0, b_0 is |theta*|, and e_0 the product of a point and theta*; of the chi-squared distribution what is used is that "
    "the mass of N_1 is at least so much",
    scope="from the chi-squared distribution of the squared norm, the prior's density at a shifted point, and the symmetry of a ball, "
    "which are conditions here",
    try_at=[{d: 1, r: 2, level_0: 1}],
    given=lambda: [
        Ge(
            mass_of(ball),
            integral(normal_prior.density(theta) * (around_0.indicator(theta) * shifted()), theta),
        ),
        Ge(
            integral(normal_prior.density(theta) * (around_0.indicator(theta) * shifted()), theta),
            0,
        ),
        Eq(
            integral(
                normal_prior.density(theta) * (around_0.indicator(theta) * along(theta)), theta
            ),
            0,
        ),
        Ge(mass_of(around_0), chi_squared(r)),
    ],
    using=[
        (
            "note-lemma-7-tangent",
            lambda: {
                number: along(theta),
                weight: normal_prior.density(theta) * around_0.indicator(theta),
            },
        )
    ],
    proof=lambda: [
        step(
            "integrated",
            Ge(
                integral(
                    normal_prior.density(theta) * (around_0.indicator(theta) * shifted()), theta
                ),
                exp(-(level_0**2) / 2)
                * integral(normal_prior.density(theta) * around_0.indicator(theta), theta)
                - exp(-(level_0**2) / 2)
                * integral(
                    normal_prior.density(theta) * (around_0.indicator(theta) * along(theta)), theta
                ),
            ),
        ),
        step("a factor", Gt(exp(-(level_0**2) / 2), 0)),
        step(
            "by symmetry",
            Ge(
                integral(
                    normal_prior.density(theta) * (around_0.indicator(theta) * shifted()), theta
                ),
                exp(-(level_0**2) / 2) * mass_of(around_0),
            ),
        ),
    ],
)
def prior_mass_of_a_ball():
    """Standard normal prior mass of a ball, from below by the mass of the ball around 0."""
    return Ge(mass_of(ball), exp(-(level_0**2) / 2) * chi_squared(r))


@claim(
    "note-lemma-7-balls",
    place="Lemma 7, second line: the ball of radius r - |theta*| around 0 lies in N",
    given=lambda: [
        Every(theta, Le(away(theta), norm_of(theta) + level_0)),
        Every(theta, Or(Eq(smaller.indicator(theta), 0), Le(norm_of(theta), r - level_0))),
        Every(theta, Or(Eq(ball.indicator(theta), 1), Gt(away(theta), r))),
    ],
)
def ball_within_a_ball():
    """Ball around 0 within the ball around the true parameter."""
    return Every(theta, Le(smaller.indicator(theta), ball.indicator(theta)))


@claim(
    "lemma-7.ii",
    place="Lemma 7, second line, for r above |theta*|: N is the ball of radius r around theta*, N_2 that of radius r - |theta*| "
    "around 0, and b_0 is |theta*|",
    scope="from the chi-squared distribution of the squared norm, and the triangle inequality, which are conditions here",
    try_at=[{d: 1, r: 2, level_0: 1}],
    given=lambda: [
        r > level_0,
        Every(theta, Le(away(theta), norm_of(theta) + level_0)),
        Every(theta, Or(Eq(smaller.indicator(theta), 0), Le(norm_of(theta), r - level_0))),
        Every(theta, Or(Eq(ball.indicator(theta), 1), Gt(away(theta), r))),
        Ge(mass_of(smaller), chi_squared(r - level_0)),
    ],
    using=["note-lemma-7-balls"],
    proof=lambda: [
        step("the smaller ball", Every(theta, Le(smaller.indicator(theta), ball.indicator(theta)))),
        step("its mass", Le(mass_of(smaller), mass_of(ball))),
    ],
)
def prior_mass_of_a_larger_ball():
    """Standard normal prior mass of a ball, from below by the mass of a ball around 0 in it."""
    return Ge(mass_of(ball), chi_squared(r - level_0))


# --- eq. 22 ---------------------------------------------------------------------------------------

envelope = AnyFunction("M_u", 1, NonNegative)


def low(record):
    """Root of the lower end of the bracket around a parameter of the cover."""
    return Max(sqrt(f_any(record, at)) - u * envelope(record), 0)


def high(record):
    """Root of its upper end."""
    return sqrt(f_any(record, at)) + u * envelope(record)


def roots_are_close():
    """State that the roots of the densities at two parameters differ by at most u M."""
    roots = (sqrt(f_any(y, theta)), sqrt(f_any(y, at)))
    most = u * envelope(y)
    return Every(y, [Le(roots[0] - roots[1], most), Le(roots[1] - roots[0], most)])


@claim(
    "text-b.1-bracket-corrected",
    place="Appendix B.1.1, eq. 22, the first inequality: the bracket around a parameter vartheta of the cover "
    "has the distribution of each theta within the distance u, and its squared size is at most 2 u**2 times the "
    "squared norm of M, as its ends are 2 u M apart. So there are no more brackets of that size than points in the cover",
    corrects=["text-b.1-bracket"],
    why="The ends are 2 u M apart, not u M sqrt(2): the squared size is 2 u**2 times the squared norm.",
    given=lambda: [
        roots_are_close(),
        Ge(width_of(low(y_2) ** 2, high(y_2) ** 2), 0),
        Ge(under_mu(envelope(y_2) ** 2), 0),
    ],
    proof=lambda: [
        step("the roots", Every(y, Ge(sqrt(f_any(y, theta)), 0))),
        step("below", Every(y, [Ge(low(y), 0), Le(low(y), sqrt(f_any(y, theta)))])),
        step("above", Every(y, Ge(high(y), sqrt(f_any(y, theta))))),
        step(
            "the squares",
            Every(y, [Le(low(y) ** 2, f_any(y, theta)), Le(f_any(y, theta), high(y) ** 2)]),
        ),
        step(
            "at a record",
            Every(
                y_2,
                Le(root_gap(low(y_2) ** 2, high(y_2) ** 2), 2 * u**2 * envelope(y_2) ** 2),
            ),
        ),
    ],
)
def bracket_around_a_parameter():
    """Bracket around a parameter of a cover: the distributions in it, and its size."""
    ends = [Le(low(y) ** 2, f_any(y, theta)), Le(f_any(y, theta), high(y) ** 2)]
    size_ = width_of(low(y_2) ** 2, high(y_2) ** 2)
    return [*ends, Le(size_, 2 * u**2 * under_mu(envelope(y_2) ** 2))]
