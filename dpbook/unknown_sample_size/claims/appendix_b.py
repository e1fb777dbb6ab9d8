"""Appendix B: counts of cells, as Poisson counts."""

from sympy import Eq, Integral, Le, Min, Mul, Rational, exp, factorial, gamma, oo

from dpbook import Noted, claim
from dpbook.privacy.distributions import Gamma
from dpbook.unknown_sample_size.any_models import AnySizes
from dpbook.unknown_sample_size.notation import (
    cell_rate,
    cell_rates,
    count,
    counts,
    epsilon,
    intensity,
    laplace_kernel,
    part_1,
    part_2,
    prior_rate,
    s,
    shape,
    shapes,
)


def poisson(at, rate):
    """Mass of a Poisson distribution."""
    return exp(-rate) * rate**at / factorial(at)


def multinomial(found, chances):
    """Mass of a multinomial distribution of three cells."""
    mass = factorial(sum(found[1:], found[0]))
    for at, chance in zip(found, chances, strict=True):
        mass = mass * chance**at / factorial(at)
    return mass


THREE = "three cells; the print has any number of them"


def counts_by_their_sum():
    """Poisson counts of three cells, by their sum and the multinomial counts given it."""
    together = sum(cell_rates[1:], cell_rates[0])
    independent = Mul(*(poisson(y, at) for y, at in zip(counts, cell_rates, strict=True)))
    given_sum = multinomial(counts, [at / together for at in cell_rates])
    return Eq(independent, poisson(sum(counts[1:], counts[0]), together) * given_sum)


@claim("text-b-facts-three", place="Appendix B, the first fact, for three cells")
def three_counts_given_their_sum():
    """Poisson counts of three cells, and multinomial counts given their sum."""
    return counts_by_their_sum()


@claim(
    "text-b-facts",
    place="Appendix B, the first fact; the print has N for n",
    scope=THREE,
    using=["text-b-facts-three"],
)
def counts_given_their_sum():
    """Poisson counts, and multinomial counts given their sum."""
    return counts_by_their_sum()


def split_in_three():
    """Multinomial counts of three cells of a Poisson total, as Poisson counts."""
    chances = (part_1, part_2, 1 - part_1 - part_2)
    total = sum(counts[1:], counts[0])
    return Eq(
        poisson(total, intensity) * multinomial(counts, chances),
        Mul(*(poisson(y, intensity * p) for y, p in zip(counts, chances, strict=True))),
    )


@claim("text-b-split-three", place="Appendix B, the second fact, for three cells")
def split_of_a_poisson_count_in_three():
    """Multinomial counts of three cells of a Poisson total."""
    return split_in_three()


@claim(
    "text-b-split",
    place="Appendix B, the second fact",
    scope=THREE,
    using=["text-b-split-three"],
)
def split_of_a_poisson_count():
    """Multinomial counts of a Poisson total."""
    return split_in_three()


def both_models():
    """Densities of three gamma intensities, and of their sum and shares; the Jacobian is the square of the sum."""
    rest = 1 - part_1 - part_2
    together = sum(shapes[1:], shapes[0])
    first, second, third = shapes
    dirichlet = part_1 ** (first - 1) * part_2 ** (second - 1) * rest ** (third - 1)
    dirichlet = dirichlet * gamma(together) / (gamma(first) * gamma(second) * gamma(third))
    independent = (
        Gamma(first, prior_rate).density(intensity * part_1)
        * Gamma(second, prior_rate).density(intensity * part_2)
        * Gamma(third, prior_rate).density(intensity * rest)
    )
    return Eq(
        independent * intensity**2, Gamma(together, prior_rate).density(intensity) * dirichlet
    )


@claim(
    "text-b-models-three",
    place="Appendix B, models 1 and 2, three cells: gamma intensities of one rate, against a gamma sum and "
    "Dirichlet shares",
)
def three_gamma_intensities():
    """Three independent gamma intensities, and their sum and shares."""
    return both_models()


@claim(
    "text-b-models",
    place="Appendix B, models 1 and 2: gamma intensities of one rate, against a gamma sum and Dirichlet shares",
    scope=THREE,
    using=["text-b-models-three"],
)
def gamma_intensities():
    """Independent gamma intensities, and their sum and shares."""
    return both_models()


@claim("text-b-intensity", place="Appendix B, step 1 of the sampler: an intensity given its count")
def posterior_of_an_intensity():
    """Posterior of the intensity of a cell."""
    joint = Gamma(shape, prior_rate).density(cell_rate) * poisson(count, cell_rate)
    return Eq(
        joint / Integral(joint, (cell_rate, 0, oo)),
        Gamma(shape + count, prior_rate + 1).density(cell_rate),
    )


def mass(at):
    """Posterior of a count, up to its constant: Poisson, with Laplace noise on it."""
    return poisson(at, cell_rate) * laplace_kernel(s, at, epsilon)


@claim(
    "text-b-ratio",
    place="Appendix B, step 2 of the sampler, from a count of 0, where the proposal is always 1, to 1 and back, "
    "with Laplace noise; p(x' | x) stands above and below the line, and cancels",
    fault="misprint",
    effect="The text below the display bounds the last ratio by 1/2 and 2, so the right one is meant, and "
    "the sampler with it is right (text-b-ratio-corrected). As displayed it is 1, and in an example the "
    "chain is 0.12 in total variation away from the posterior.",
)
def ratio_of_a_count_as_printed():
    """Detailed balance of a step of a count at its lower end, as printed."""
    ratio = mass(1) / mass(0)
    return Eq(mass(0) * 1 * Min(1, ratio), mass(1) * Rational(1, 2) * Min(1, 1 / ratio))


def balance_of_counts(of):
    """Balance of a step of a count with a mass, at 0, and from x to x + 1."""
    half = Rational(1, 2)
    first = of(1) / of(0) * half
    ratio = of(count + 1) / of(count)
    return [
        Eq(of(0) * 1 * Min(1, first), of(1) * half * Min(1, 1 / first)),
        Eq(of(count) * half * Min(1, ratio), of(count + 1) * half * Min(1, 1 / ratio)),
    ]


@claim(
    "text-b-ratio-corrected-laplace",
    place="Appendix B, step 2 of the sampler, repaired, with Laplace noise: at x = 0, and from x to x + 1",
)
def ratio_of_a_noisy_count():
    """Detailed balance of a step of a count with Laplace noise, repaired."""
    return balance_of_counts(mass)


WEIGHT = AnySizes("w")  # posterior mass of the count x, at x + 1


@claim(
    "text-b-ratio-corrected",
    place="Appendix B, step 2 of the sampler, repaired: for any noise, at x = 0, and from x to x + 1; w(x + 1) is the posterior mass of the count "
    "x, up to its constant, for any density of the release that is positive",
    corrects=["text-b-ratio"],
    why="The density of the way back belongs above the line: 1/2 from 0 to 1, 2 from 1 to 0, else 1.",
)
def ratio_of_a_count():
    """Detailed balance of a step of a count, repaired."""
    return balance_of_counts(lambda at: WEIGHT(at + 1))


@claim("text-b-poisson-ratio", place="Appendix B, below the display: the ratio of Poisson masses")
def ratio_of_poisson_masses():
    """Ratio of two neighbouring Poisson masses."""
    return Eq(poisson(count + 1, cell_rate) / poisson(count, cell_rate), cell_rate / (count + 1))


@claim(
    "text-b-down",
    place="Appendix B, below the display: the ratio of Poisson masses x/lambda, which is given for x' = x",
    try_at=[{count: 1, cell_rate: 2}],
    fault="misprint",
    effect="None: a proposal is one more or one less, so one less is meant.",
)
def ratio_of_poisson_masses_downward_as_printed():
    """Ratio of two Poisson masses for a count that falls, as printed."""
    return Eq(poisson(count, cell_rate) / poisson(count, cell_rate), count / cell_rate)


@claim(
    "text-b-down-corrected",
    place="Appendix B, below the display: the ratio of Poisson masses for x' = x - 1",
    corrects=["text-b-down"],
    why="The minus sign and the 1 are missing.",
    given=[count >= 1],
)
def ratio_of_poisson_masses_downward():
    """Ratio of two Poisson masses for a count that falls, repaired."""
    return Eq(poisson(count - 1, cell_rate) / poisson(count, cell_rate), count / cell_rate)


def acceptance(at, to):
    """Ratio of the target masses of two counts, without noise and with proposals of one probability."""
    return poisson(to, cell_rate) / poisson(at, cell_rate)


@claim(
    "text-b-power",
    place="Appendix B, step 2 of the sampler: the ratio to the power 1 is to be a probability, here for a count from 1 on that rises, where both proposals are 1/2, under a release that says nothing of it",
    given=[count >= 1],
    try_at=[{count: 1, cell_rate: 4}],
    fault="misprint",
    effect="None: the least of the ratio and 1 is meant.",
)
def probability_of_acceptance_as_printed():
    """Probability that a larger count is accepted, as printed."""
    return Le(acceptance(count, count + 1) ** 1, 1)


@claim(
    "text-b-power-corrected",
    place="Appendix B, step 2 of the sampler, repaired: the least of the ratio and 1",
    corrects=["text-b-power"],
    why="A sign for the lesser one of two numbers became an exponent.",
    given=[count >= 1],
)
def probability_of_acceptance():
    """Probability that a larger count is accepted, repaired."""
    return Le(Min(acceptance(count, count + 1), 1), 1)


@claim(
    "note-letters",
    place="Appendices A and B: letters and signs that stand for others, none of which a statement rests on",
)
def slips_of_letters():
    """Letters that stand for others."""
    return Noted(
        "the proof of Theorem 3.3 has b for b', first on its left side; that of Lemma A.12 has the density of n rows for that of m in its second integral; "
        "that of Theorem 4.3 has f for L, and h for theta under a supremum; that of Lemma A.7 has F of X_n for that of X beside F of Y, and needs that each small cube lies in a large one, where it says that each large one holds a small one. "
        "In Appendix B the first fact has N for n and k for i under a sum, Model 1 has s among the conditions of the counts, and an intensity lacks its index"
    )


@claim("remark-b.1", place="Remark B.1")
def number_as_latent():
    """The number of records as a latent variable."""
    return Noted("a choice of words: n is a function of the sample")
