"""Section 5, further families: their Lipschitz constants, for the models that have no lemma."""

from sympy import Abs, Eq, Le, Max, exp, log

from dpbook import claim, symbol
from dpbook.posterior_sampling.notation import inverse, theta

count_x, count_y = (
    symbol(name, integer=True, at_least=0, meaning="a count in each dataset")
    for name in ("k_3", "k_4")
)
logit = symbol("v_2", meaning="log odds of a record")
beta_a, beta_b = (
    symbol(name, above=0, meaning="a parameter of the beta distribution of a record")
    for name in ("a_1", "b_1")
)
least_chance = symbol("p_4", above=0, below=1, meaning="least probability of a category")
most_chance = symbol(
    "p_5", at_least=least_chance, at_most=1, meaning="largest probability of a category"
)
chance_x, chance_y = (
    symbol(name, at_least=least_chance, at_most=most_chance, meaning="probability of a category")
    for name in ("p_6", "p_7")
)


@claim("note-constant-poisson", place="Section 5, Poisson records, base measure 1 / k!")
def constant_of_poisson_records():
    """Log likelihood ratio of two counts under a Poisson distribution of rate tau."""
    first, second = (count * log(inverse) - inverse for count in (count_x, count_y))
    return Eq(Abs(first - second), Abs(log(inverse)) * Abs(count_x - count_y))


@claim("note-constant-geometric", place="Section 5, geometric records, failures before a success")
def constant_of_geometric_records():
    """Log likelihood ratio of two counts of failures under a geometric distribution."""
    first, second = (log(theta) + count * log(1 - theta) for count in (count_x, count_y))
    return Eq(Abs(first - second), -log(1 - theta) * Abs(count_x - count_y))


@claim(
    "note-constant-beta",
    place="Section 5, beta records in the distance of log odds, base measure dx / (x (1 - x)): the "
    "slope of the log density",
)
def constant_of_beta_records():
    """Slope of the log density of a beta distribution in the log odds."""
    one = 1 / (1 + exp(-logit))
    return Le(Abs(beta_a * (1 - one) - beta_b * one), Max(beta_a, beta_b))


@claim(
    "note-constant-categories", place="Section 5, records of several categories, Hamming distance"
)
def constant_of_categories():
    """Log ratio of the probabilities of two categories."""
    return Le(Abs(log(chance_x / chance_y)), log(most_chance / least_chance))
