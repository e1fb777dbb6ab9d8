"""Section 2: privacy of a posterior, and the two assumptions."""

from sympy import Abs, Eq, Ge, Gt, Le, Or, Piecewise, Rational, exp, log

from dpbook import Every, Exists, Noted, claim, for_all, step
from dpbook.posterior_sampling.any_models import (
    METRIC,
    PRIOR,
    Along,
    Free,
    Nonnegative,
    log_likelihood_ratio,
)
from dpbook.posterior_sampling.notation import (
    L_0,
    L,
    any_x,
    any_y,
    c,
    d_1,
    d_2,
    d_3,
    delta,
    epsilon,
    event_x,
    event_y,
    event_z,
    f_1,
    f_n,
    k,
    n,
    p_x,
    p_y,
    p_z,
    parameter,
    rho_1,
    rho_2,
    step_index,
    theta,
    x,
    y,
)
from dpbook.privacy.any_distributions import AnyEvent
from dpbook.privacy.statements import probability

# --- definitions ----------------------------------------------------------------------------------


@claim("eq-2.1", place="eq. 2.1")
def family_of_models():
    """Family of models."""
    return Noted("a definition: the distributions P_theta of a dataset, for theta in Theta")


@claim("eq-2.2", place="eq. 2.2")
def posterior():
    """Posterior distribution."""
    return Noted("a definition; it needs an evidence that is neither 0 nor infinite")


@claim("eq-2.3", place="eq. 2.3")
def evidence():
    """Evidence of a dataset."""
    return Noted("a definition: the mean of the likelihood under the prior")


@claim("definition-1", place="Definition 1")
def approximate_privacy():
    """Approximate differential privacy."""
    return Noted("a definition: P(B | x) <= exp(epsilon) P(B | y) + delta for Hamming neighbours")


@claim("definition-2", place="Definition 2")
def privacy_under_a_metric():
    """Differential privacy under a pseudo-metric."""
    return Noted(
        "a definition: P(B | x) <= exp(epsilon rho(x, y)) P(B | y) + delta rho(x, y) for all x, y"
    )


@claim("assumption-1", place="Assumption 1, eq. 2.4")
def lipschitz_likelihood():
    """Lipschitz continuity of the likelihood."""
    return Noted("a definition: d(p_theta(x), p_theta(y)) <= L rho(x, y) for all theta, x, y")


@claim("assumption-2", place="Assumption 2, eq. 2.5 and 2.6")
def lipschitz_likelihood_under_the_prior():
    """Lipschitz continuity with prior probability."""
    return Noted(
        "a definition: for all L >= 0 the parameters of Lipschitz constant at most L have a prior "
        "probability of at least 1 - exp(-c L)"
    )


# --- definition 2 against definition 1 ------------------------------------------------------------


B_ALONG = Along("P")  # the probability of B given the i-th of a row of datasets


@claim(
    "remark-1.i",
    place="Remark 1, delta = 0, from Definition 1 to Definition 2: for any mechanism and event. P(i) is the probability of B given the i-th of a "
    "row of datasets from x to y, each of which differs from the next one in a record",
    given=lambda: [
        for_all(step_index, Le(B_ALONG(step_index), exp(epsilon) * B_ALONG(step_index + 1)))
    ],
    proof=lambda: [
        step(
            "by induction",
            for_all(step_index, Le(B_ALONG(0), exp(step_index * epsilon) * B_ALONG(step_index))),
        )
    ],
)
def pure_privacy_at_a_distance():
    """Pure privacy under the Hamming distance."""
    return Le(B_ALONG(0), exp(k * epsilon) * B_ALONG(k))


@claim(
    "remark-1.ii",
    place="Remark 1, epsilon = 0, from Definition 1 to Definition 2, as remark-1.i",
    given=lambda: [for_all(step_index, Le(B_ALONG(step_index), B_ALONG(step_index + 1) + delta))],
    proof=lambda: [
        step(
            "by induction",
            for_all(step_index, Le(B_ALONG(0), B_ALONG(step_index) + step_index * delta)),
        )
    ],
)
def additive_privacy_at_a_distance():
    """Privacy in total variation under the Hamming distance."""
    return Le(B_ALONG(0), B_ALONG(k) + delta * k)


@claim(
    "remark-1.ii-display",
    place="Remark 1, epsilon = 0, the last display of its proof, with P(B | x) on both sides, for an event and two datasets at the Hamming "
    "distance k: from it (0, delta)-privacy in the sense of Definition 2 is to follow",
    given=lambda: [Le(event_x, event_x + delta * k)],
    try_at=[{event_x: 1, event_y: 0, delta: Rational(1, 4), k: 1}],
    scope="the two probabilities, at an event and two datasets at which the printed line holds and the definition does not",
    fault="misprint",
    effect="As displayed the line holds for every mechanism. The induction that it sums up gives P(B | y) on the right (remark-1.ii).",
)
def additive_privacy_at_a_distance_as_printed():
    """Last line on privacy in total variation under the Hamming distance, as printed."""
    return Le(event_x, event_y + delta * k)


@claim(
    "remark-1.ii-display-corrected",
    place="Remark 1, epsilon = 0, the last display of its proof, repaired: P(i) as in remark-1.i, so x is the first and y the last of the row",
    corrects=["remark-1.ii-display"],
    why="The right side is about the other dataset, y.",
    given=lambda: [for_all(step_index, Le(B_ALONG(step_index), B_ALONG(step_index + 1) + delta))],
    using=["remark-1.ii"],
)
def last_line_on_additive_privacy():
    """Last line on privacy in total variation under the Hamming distance, repaired."""
    return Le(B_ALONG(0), B_ALONG(k) + delta * k)


GIVEN = Nonnegative("P_0")  # the probability of B given a dataset


@claim(
    "remark-1.i-converse",
    place="Remark 1, delta = 0, from Definition 2 to Definition 1: x and y differ in a record at most, so their "
    "Hamming distance is 1 or 0",
    given=lambda: [
        for_all(any_x, any_y, Le(GIVEN(any_x), exp(epsilon * METRIC(any_x, any_y)) * GIVEN(any_y))),
        METRIC(x, y) <= 1,
    ],
    proof=lambda: [step("the distance", Le(exp(epsilon * METRIC(x, y)), exp(epsilon)))],
)
def pure_privacy_of_neighbours():
    """Pure privacy under the Hamming distance, of neighbours."""
    return Le(GIVEN(x), exp(epsilon) * GIVEN(y))


@claim(
    "remark-1.ii-converse",
    place="Remark 1, epsilon = 0, from Definition 2 to Definition 1, as remark-1.i-converse",
    given=lambda: [
        for_all(any_x, any_y, Le(GIVEN(any_x), GIVEN(any_y) + delta * METRIC(any_x, any_y))),
        METRIC(x, y) <= 1,
    ],
)
def additive_privacy_of_neighbours():
    """Privacy in total variation under the Hamming distance, of neighbours."""
    return Le(GIVEN(x), GIVEN(y) + delta)


def private(first, second, distance):
    """Definition 2 for an event and for its complement, one way."""
    return [
        Le(first, exp(epsilon * distance) * second + delta * distance),
        Le(1 - first, exp(epsilon * distance) * (1 - second) + delta * distance),
    ]


@claim("note-remark-1", place="Remark 1, where both epsilon and delta are positive")
def definition_1_does_not_give_definition_2():
    """Three datasets in a row, private step by step and not over two steps."""
    steps = [
        *private(event_x, event_z, 1),
        *private(event_z, event_x, 1),
        *private(event_z, event_y, 1),
        *private(event_y, event_z, 1),
    ]
    return Exists(
        [*steps, Gt(event_x, exp(2 * epsilon) * event_y + 2 * delta)],
        {
            event_y: Rational(1, 10),
            event_z: Rational(1, 4),
            event_x: Rational(11, 20),
            epsilon: log(2),
            delta: Rational(1, 20),
        },
    )


# --- the assumptions ------------------------------------------------------------------------------


@claim("text-2.2-bernoulli", place="Section 2.2, after Assumption 1; one record, 1 against 0")
def bernoulli_is_not_lipschitz():
    """Log likelihood ratio of the Bernoulli family exceeds every constant."""
    return Exists(Gt(Abs(log(theta / (1 - theta))), L), {theta: 1 / (1 + exp(-L - 1))})


def mass_up_to(constant):
    """Prior probability of the Lipschitz constants up to L, where all parameters have one."""
    return Piecewise((1, Ge(L, constant)), (0, True))


@claim(
    "text-2.2-weaker",
    place="Section 2.2, before and after Assumption 2: assumption 1 implies it; for a family "
    "whose parameters all have the Lipschitz constant L_0, such as Laplace of a known scale",
    given=[L < L_0],
    fault="boundary",
    effect="It holds once small L are left out (text-2.2-weaker-corrected). Theorems 1 and 2 treat the two "
    "assumptions one by one.",
)
def first_assumption_implies_the_second_as_printed():
    """Assumption 2 from assumption 1, as printed."""
    return Exists(Ge(mass_up_to(L_0), 1 - exp(-c * L)), {c: 1})


SMALL = AnyEvent("S")  # the parameters of a small constant
X, Y = Free("X"), Free("Y")  # of a parameter: two datasets


def lipschitz_everywhere():
    """Assumption 1 with the constant L_0."""
    ratio = Abs(log_likelihood_ratio(any_x, any_y, parameter))
    return for_all(any_x, any_y, parameter, Le(ratio, L_0 * METRIC(any_x, any_y)))


def large_elsewhere():
    """State that at the parameters off S the datasets X and Y have a larger constant than L."""
    first, second = X(parameter), Y(parameter)
    large = Abs(log_likelihood_ratio(first, second, parameter)) > L * METRIC(first, second)
    return Every(parameter, Or(Eq(SMALL.indicator(parameter), 1), large))


@claim(
    "note-weaker-everywhere",
    place="Section 2.2, repaired, at a parameter",
    given=lambda: [lipschitz_everywhere(), large_elsewhere(), L >= L_0],
    proof=lambda: [
        step(
            "its constant",
            Le(
                Abs(log_likelihood_ratio(X(parameter), Y(parameter), parameter)),
                L_0 * METRIC(X(parameter), Y(parameter)),
            ),
        ),
        step(
            "a larger one",
            Le(
                L_0 * METRIC(X(parameter), Y(parameter)),
                L * METRIC(X(parameter), Y(parameter)),
            ),
        ),
        step(
            "in S or not",
            Or(
                Eq(SMALL.indicator(parameter), 1),
                Abs(log_likelihood_ratio(X(parameter), Y(parameter), parameter))
                > L * METRIC(X(parameter), Y(parameter)),
            ),
        ),
    ],
)
def all_constants_are_small():
    """Indicator of the small constants under assumption 1."""
    return Eq(SMALL.indicator(parameter), 1)


@claim(
    "text-2.2-weaker-corrected",
    place="Section 2.2, repaired, for any likelihood, metric and prior: assumption 2 for L >= L_0, with the rate "
    "1 - exp(-c (L - L_0)). A parameter off S does not have the constant L, so two datasets X and Y show this",
    corrects=["text-2.2-weaker"],
    why="For L below every parameter's constant the set of eq. 2.5 is empty, and eq. 2.6 asks for "
    "a positive probability. The offset L_0 leaves those L out.",
    given=lambda: [lipschitz_everywhere(), large_elsewhere(), L >= L_0],
    using=[("note-weaker-everywhere", lambda: {parameter: parameter})],
    proof=lambda: [step("all of the prior", Ge(probability(PRIOR, SMALL), 1))],
)
def first_assumption_implies_the_second():
    """Assumption 2 from assumption 1, repaired."""
    return Ge(probability(PRIOR, SMALL), 1 - exp(-c * (L - L_0)))


# --- the metric -----------------------------------------------------------------------------------


def log_ratio(first, second):
    """Absolute log ratio, eq. 2.7; of two numbers that are not negative, 0 + 0 alone is 0."""
    return Piecewise((0, Eq(first + second, 0)), (Abs(log(first / second)), True))


@claim(
    "eq-2.7",
    place="eq. 2.7 and the line below it: the triangle inequality on the numbers >= 0",
    fault="boundary",
    effect="The distance of a positive number to 0 is infinite. On positive likelihoods it is a "
    "metric (eq-2.7-corrected); elsewhere the assumptions ask for one common support.",
)
def log_ratio_is_a_metric_as_printed():
    """Absolute log ratio as a metric, as printed."""
    return Le(log_ratio(d_1, d_3), log_ratio(d_1, d_2) + log_ratio(d_2, d_3))


@claim(
    "eq-2.7-corrected",
    place="eq. 2.7, repaired, on the positive numbers",
    corrects=["eq-2.7"],
    why="Where one of the numbers is 0 and the other is not, the logarithm is infinite.",
)
def log_ratio_is_a_metric():
    """Absolute log ratio as a metric, repaired."""
    return [
        Le(Abs(log(p_x / p_z)), Abs(log(p_x / p_y)) + Abs(log(p_y / p_z))),
        Eq(Abs(log(p_x / p_y)), Abs(log(p_y / p_x))),
        Or(Eq(p_x, p_y), Gt(Abs(log(p_x / p_y)), 0)),
    ]


# --- products -------------------------------------------------------------------------------------


@claim(
    "note-lemma-1-step",
    place="Lemma 1 under assumption 1, from n to n + 1 records",
    given=lambda: [Abs(f_n) <= L * n * rho_1, Abs(f_1) <= L * rho_2],
)
def lipschitz_constant_of_one_more_record():
    """Lipschitz constant of a product, record by record."""
    return Le(Abs(f_n + f_1), L * (n + 1) * (rho_1 + rho_2))


@claim(
    "note-lemma-1-sharp",
    place="Lemma 1, sharpened: with the summed metric the constant of a record serves",
    given=lambda: [Abs(f_n) <= L * rho_1, Abs(f_1) <= L * rho_2],
)
def sharp_lipschitz_constant_of_a_product():
    """Lipschitz constant of a product, without the number of records."""
    return Le(Abs(f_n + f_1), L * (rho_1 + rho_2))
