"""Section 5: densities of two distributions at a small Wasserstein distance."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, Lt, Rational, exp, oo, pi, sqrt

from dpbook import Exists, claim, for_all, step
from dpbook.langevin.any_spaces import (
    DISTANCE,
    VOLUME,
    Coupling,
    average,
    ball,
    density_of,
    volume,
)
from dpbook.langevin.notation import (
    away,
    away_share,
    ball_centre,
    ball_volume,
    closeness,
    dimension,
    factor_left,
    factor_right,
    first_point,
    inside,
    level,
    lipschitz,
    most,
    point_p,
    radius,
    second_point,
    shift_of_distribution,
    step_mean,
    wanted,
    x,
)
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.distributions import Normal
from dpbook.privacy.notation import at
from dpbook.privacy.statements import probability

# --- before the theorem ---------------------------------------------------------------------------


@claim(
    "text-5-disjoint",
    place="Section 5, first paragraph: uniform distributions on [0, s] and [2 s, 3 s], by their quantiles",
)
def near_distributions_of_disjoint_support():
    """Two distributions of disjoint support, as near as is wanted."""
    quantile = shift_of_distribution * away_share
    square = Integral((2 * shift_of_distribution + quantile - quantile) ** 2, (away_share, 0, 1))
    return Exists(Lt(sqrt(square), wanted), {shift_of_distribution: wanted / 3})


P, Q = AnyDistribution("P"), AnyDistribution("Q")


def chance_is_that_of_the_image(image, slope):
    """State that the density q(f(x)) |f'(x)| gives a segment the probability of its image under Q."""
    changed = Q.density(image(x)) * Abs(slope(x))
    ends = image(first_point), image(second_point)
    return Eq(
        Integral(changed, (x, first_point, second_point)),
        Integral(Q.density(step_mean), (step_mean, *ends)),
    )


@claim(
    "text-5-pushforward-affine",
    given=[Lt(first_point, second_point)],
    scope="affine maps of the line, any distribution",
    place="Section 5, the change of variables, by the probabilities of segments",
)
def density_after_an_affine_map():
    """Density after an affine map, by the change of variables."""
    return chance_is_that_of_the_image(
        lambda z: level + shift_of_distribution * z, lambda z: shift_of_distribution
    )


@claim(
    "text-5-pushforward-exponential",
    given=[Lt(first_point, second_point)],
    scope="the map exp of the line, any distribution",
    place="Section 5, the change of variables, by the probabilities of segments",
)
def density_after_the_exponential():
    """Density after the map exp, by the change of variables."""
    return chance_is_that_of_the_image(exp, exp)


def averaged(low, high, at):
    """Integral of the standard normal density, over the volume of the ball in one dimension."""
    return Integral(Normal(0, 1).density(at(step_mean)), (step_mean, low, high)) / (2 * radius)


@claim(
    "text-5-ball-average",
    place="Section 5, the display of p_lambda, for the standard normal distribution",
    fault="misprint",
    effect="None: claim 5.1, theorem 2 and appendix E take the average over the ball around x.",
)
def average_over_a_ball_as_printed():
    """Average of a density over a ball, as printed."""
    return Eq(
        averaged(x - radius, x + radius, lambda z: x + z),
        averaged(x - radius, x + radius, lambda z: z),
    )


# --- claim 5.1 and theorem 2 ----------------------------------------------------------------------


def mean_over_the_ball():
    """Mean of L |z| over the ball: |z| = lambda u, and u has the density d u**(d - 1) on [0, 1]."""
    weighted = lipschitz * radius * (dimension * away_share**dimension)
    return Integral(weighted, (away_share, 0, 1))


p = density_of(P)
BALL = ball("B", ball_centre, radius)
INNER_RADIUS = radius - closeness
INNER = ball("B_r", ball_centre, INNER_RADIUS)
COUPLING = Coupling("Gamma", "X", "Y")


def lipschitz_density():
    """State that the density of P is Lipschitz, at any two points."""
    gap = Abs(p(first_point) - p(second_point))
    return [
        for_all(first_point, second_point, gap <= lipschitz * DISTANCE(first_point, second_point))
    ]


def having_volume(*balls):
    """State that balls have a volume, above 0, and a probability under P."""
    return [r for one in balls for r in (Gt(volume(one), 0), Ge(probability(P, one), 0))]


@claim(
    "note-5-ball",
    place="Section 5: the ball at any point",
)
def points_of_the_ball():
    """Distance of a point of the ball from its centre."""
    there = BALL.indicator(point_p)
    return Le(there * DISTANCE(ball_centre, point_p), there * radius)


@claim(
    "note-5-numbers",
    place="claim 5.1 and the proof of claim E.2: densities a and b, s apart, for any numbers",
    given=lambda: [
        Abs(factor_left - factor_right) <= lipschitz * away,
        inside * away <= inside * most,
    ],
    proof=lambda: [
        step(
            "the distance",
            Le(inside * (lipschitz * away), inside * (lipschitz * most)),
        ),
        step(
            "the densities",
            [
                Le(inside * (factor_left - factor_right), inside * (lipschitz * away)),
                Le(inside * (factor_right - factor_left), inside * (lipschitz * away)),
            ],
        ),
    ],
)
def densities_at_a_distance():
    """Two densities, by their distance."""
    slope = lipschitz * most
    return [
        Le(inside * (factor_left - slope), inside * factor_right),
        Le(inside * factor_right, inside * (factor_left + slope)),
    ]


@claim(
    "note-5.1-points",
    place="Claim 5.1, at each point",
    given=lipschitz_density,
    using=[
        "note-5-ball",
        (
            "note-5-numbers",
            lambda: {
                **{factor_left: p(ball_centre), factor_right: p(point_p)},
                **{inside: BALL.indicator(point_p), most: radius},
                away: DISTANCE(ball_centre, point_p),
            },
        ),
    ],
)
def density_on_the_ball():
    """A density on a ball, by the density in the middle."""
    there, slope = BALL.indicator(point_p), lipschitz * radius
    return [
        Le(there * (p(ball_centre) - slope), there * p(point_p)),
        Le(there * p(point_p), there * (p(ball_centre) + slope)),
    ]


def on_the_ball():
    """The distribution and the volume at a point of the ball."""
    return P.density(at) * BALL.indicator(at), VOLUME(at) * BALL.indicator(at)


@claim(
    "note-5.1-law",
    place="Claim 5.1, at each point, with the volume",
    given=lipschitz_density,
    using=[("note-5.1-points", lambda: {point_p: at})],
)
def distribution_on_the_ball_by_the_middle():
    """A distribution on a ball, by its density in the middle."""
    there, room = on_the_ball()
    return [
        for_all(at, Le((p(ball_centre) - radius * lipschitz) * room, there)),
        for_all(at, Le(there, (p(ball_centre) + radius * lipschitz) * room)),
    ]


@claim(
    "note-5.1-mean",
    place="Claim 5.1, before the volume divides it",
    given=lambda: [*lipschitz_density(), *having_volume(BALL)],
    using=["note-5.1-law"],
)
def probability_of_the_ball():
    """Probability of a ball, by the density in the middle."""
    return [
        Le((p(ball_centre) - radius * lipschitz) * volume(BALL), probability(P, BALL)),
        Le(probability(P, BALL), (p(ball_centre) + radius * lipschitz) * volume(BALL)),
    ]


SPACE = (
    "for any space, R^d among them, whose points are told by real numbers, with any distance d and any "
    "volume; B is the closed ball around any point x_0"
)


def mass_of_the_ball():
    """Integral of the density over the ball."""
    return Integral(p(at) * on_the_ball()[1], (at, -oo, oo))


def having_a_density():
    """State that P has a density with respect to the volume."""
    return [for_all(first_point, p(first_point) >= 0)]


@claim(
    "note-5-average",
    place="Section 5, the display of p_lambda, at each point",
    given=having_a_density,
)
def distribution_by_its_density():
    """A distribution on a ball, by its density and the volume."""
    there, room = on_the_ball()
    return [for_all(at, Le(there, p(at) * room)), for_all(at, Le(p(at) * room, there))]


@claim(
    "note-5-average-mass",
    place="Section 5, the display of p_lambda, before the volume divides it",
    given=lambda: [*having_a_density(), Ge(mass_of_the_ball(), 0), *having_volume(BALL)],
    using=["note-5-average"],
)
def probability_by_the_density():
    """Probability of a ball, by the density."""
    return [
        Le(probability(P, BALL), mass_of_the_ball()),
        Le(mass_of_the_ball(), probability(P, BALL)),
    ]


@claim(
    "text-5-ball-average-corrected",
    place=f"Section 5, the display of p_lambda, repaired, {SPACE}",
    corrects=["text-5-ball-average"],
    why="The point x is added twice, in the density and in the ball. Here the ball is around x, and the density "
    "is taken at its points.",
    given=lambda: [*having_a_density(), Ge(mass_of_the_ball(), 0), *having_volume(BALL)],
    using=["note-5-average-mass"],
)
def average_over_a_ball():
    """Average of a density over a ball, repaired."""
    return Eq(average(P, BALL), mass_of_the_ball() / volume(BALL))


@claim(
    "claim-5.1",
    place=f"Claim 5.1, {SPACE}, and p_lambda(x_0) is P(B) over the volume of B",
    given=lambda: [*lipschitz_density(), *having_volume(BALL)],
    using=["note-5.1-mean"],
)
def density_against_its_average():
    """Density against its average over a ball."""
    return Le(Abs(p(ball_centre) - average(P, BALL)), radius * lipschitz)


@claim("note-5.1-sharp", place="Claim 5.1 with the best constant")
def mean_of_the_lipschitz_bound():
    """Mean of the Lipschitz bound over a ball."""
    return Eq(mean_over_the_ball(), radius * lipschitz * (dimension / (dimension + 1)))


@claim("text-5-volume", place="Section 5, after theorem 2", given=[radius > closeness])
def ratio_of_the_volumes():
    """Ratio of the volumes of two balls."""
    return Eq(
        ball_volume(radius) / ball_volume(radius - closeness),
        (1 + closeness / (radius - closeness)) ** dimension,
    )


@claim(
    "note-5-dimension",
    place="Section 5, after theorem 2: the bound and the dimension",
    given=[radius > closeness],
)
def ratio_grows_with_the_dimension():
    """Ratio of the volumes of two balls, from below."""
    return Ge(
        (1 + closeness / (radius - closeness)) ** dimension,
        1 + dimension * (closeness / (radius - closeness)),
    )


def theorem_2(order, outer, inner, average_of_q):
    """Bound of theorem 2 on the average of p; the terms in one order or the other."""
    ratio = outer / inner
    slope = (ratio - 1) * 2 * radius * lipschitz
    moved = closeness / inner
    first, second = (
        (slope, moved) if order == "eq. 9" else (moved, 2 * (ratio - 1) * radius * lipschitz)
    )
    return ratio * average_of_q + first + second


def coupled(smaller):
    """State that a distribution of pairs couples P and Q on two balls, which is enough here."""
    return [
        Eq(COUPLING.within(smaller, 0), probability(P, smaller)),
        Eq(COUPLING.within(BALL, 1), probability(Q, BALL)),
    ]


def lipschitz_distribution():
    """State the conditions of appendix E on P alone."""
    return [radius > closeness, *lipschitz_density(), *having_volume(BALL, INNER)]


def conditions_of_theorem_2():
    """State the conditions of theorem 2, repaired, and of claim E.2."""
    return [*lipschitz_distribution(), *coupled(INNER), COUPLING.mean_square < closeness**4]


def bound_of_theorem_2(order):
    """Bound of theorem 2, by the volumes of the two balls."""
    return theorem_2(order, volume(BALL), volume(INNER), average(Q, BALL))


COUPLED = "Gamma is a distribution of pairs w of points X(w) of P and Y(w) of Q, a coupling"
CLOSER = f"{SPACE}. {COUPLED}: some has a mean square below epsilon**4 where W_2(P, Q) < epsilon**2"


def mass_around_the_mean():
    """Probability of the ball around 0 under the standard normal distribution on the line."""
    return Integral(Normal(0, 1).density(step_mean), (step_mean, -radius, radius))


@claim(
    "theorem-2",
    place="Theorem 2, eq. 9, on the line, where P and Q are both the standard normal distribution: W_2(P, Q) is 0, the "
    "density has the Lipschitz constant 1 / sqrt(2 pi e), and a ball of radius r around 0 has the length 2 r; lambda is "
    "at least epsilon, as no ball has a negative radius; at lambda = epsilon the bound divides by 0",
    given=lambda: [Ge(radius, closeness), Ge(lipschitz, exp(-Rational(1, 2)) / sqrt(2 * pi))],
    cites=["claim-e.2"],
    fault="boundary",
    effect="None: claim E.2, which is its proof, asks for lambda > epsilon.",
    try_at=[{radius: 1, closeness: 1, lipschitz: 1}],
)
def averages_of_near_distributions_as_printed():
    """Averages of two densities over a ball, as printed."""
    mean = mass_around_the_mean() / (2 * radius)
    return Le(mean, theorem_2("eq. 9", 2 * radius, 2 * (radius - closeness), mean))


@claim(
    "theorem-2-corrected",
    place=f"Theorem 2, eq. 9, repaired, {CLOSER}",
    corrects=["theorem-2"],
    why="The bound divides by the volume of a ball of radius lambda - epsilon, so lambda has to "
    "exceed epsilon; claim E.2 says so, the theorem does not.",
    given=conditions_of_theorem_2,
    using=["claim-e.2"],
)
def averages_of_near_distributions():
    """Averages of two densities over a ball, repaired."""
    return Le(average(P, BALL), bound_of_theorem_2("eq. 9"))
