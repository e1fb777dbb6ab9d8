"""Appendix A with Appendix B.3: the lemmas behind Theorem 4."""

from sympy import Abs, Eq, Ge, Le, Rational, exp, log, pi, sqrt

from dpbook import Eventually, claim, step
from dpbook.contamination.notation import (
    T,
    alpha,
    answer_0,
    answer_1,
    c,
    c_3,
    contaminated,
    f,
    f_1,
    f_2,
    f_star,
    g,
    mass_0,
    mass_1,
    n,
    p,
    p_less,
    psi,
    ratio,
    t,
    weight,
    x_1,
    x_2,
    z_1,
)

# share that is left of a distribution contaminated at the rate p_1, when the rate is raised to p
kept = (1 - p) / (1 - p_less)

# --- entropy of contaminated distributions -----------------------------------------------------------------


@claim(
    "text-b.3-roots",
    place="Appendix B.3.1: the inequality that the proof of Lemma 9 rests on, a >= b >= 0 and c >= 0",
    given=lambda: [mass_0 >= mass_1],
    proof=lambda: [
        step("larger roots", Ge(sqrt(mass_0 + weight), sqrt(mass_1 + weight))),
        step("the roots", Ge(sqrt(mass_0), sqrt(mass_1))),
        step("with the third one", Ge(sqrt(mass_0 + weight), sqrt(mass_0))),
        step("and the lower one", Ge(sqrt(mass_1 + weight), sqrt(mass_1))),
    ],
)
def roots_of_shifted_numbers():
    """Difference of the roots of two numbers, and of the same numbers with a third one added."""
    return Le(sqrt(mass_0 + weight) - sqrt(mass_1 + weight), sqrt(mass_0) - sqrt(mass_1))


@claim(
    "note-roots-squared",
    place="Appendix B.3.1: text-b.3-roots, squared, for c a, c b and what is added; a >= b >= 0",
    given=lambda: [x_1 >= x_2],
)
def squares_of_differences_of_roots():
    """Squared difference of the roots of two numbers, and of their multiples with a third one added."""
    return Le(
        (sqrt(c * x_1 + weight) - sqrt(c * x_2 + weight)) ** 2, c * (sqrt(x_1) - sqrt(x_2)) ** 2
    )


@claim(
    "note-lemma-9",
    place="Lemma 9: a bracket [f_0, f] of distributions contaminated at rate p_1 becomes one at the rate p; "
    "the squared difference of roots at each record",
    using=[
        ("note-roots-squared", lambda: {x_1: f, x_2: f_star, c: kept, weight: (1 - kept) * g}),
    ],
    given=lambda: [f >= f_star],
)
def brackets_of_contaminated_distributions():
    """Size of a bracket at a record, when the rate of contamination is raised."""
    return Le(
        (sqrt(moved(f)) - sqrt(moved(f_star))) ** 2,
        kept * (sqrt(f) - sqrt(f_star)) ** 2,
    )


def moved(end):
    """End of a bracket, when the rate is raised from p_1 to p."""
    return kept * end + (1 - kept) * g


# --- the evidence ---------------------------------------------------------------------------------


@claim("note-lemma-10", place="Lemma 10: the moment of n records, each at most 1 + alpha t")
def moment_of_the_likelihood_ratio():
    """Moment of the likelihood ratio of n records."""
    return Le((1 + alpha * t) ** n, exp(n * alpha * t))


@claim("note-lemma-11", place="Lemma 11 at a record, for alpha = 1; integrated it is (1 - p) rho_0")
def divergence_of_contaminated_distributions():
    """Share of a record in the chi-squared divergence of two contaminated distributions."""
    return Le(contaminated(f_star, g) ** 2 / contaminated(f, g), contaminated(f_star**2 / f, g))


def two_outcomes(first, second, weights):
    """Definition 6 for two coins of chances first and second, at alpha = 1."""
    ones, zeros = weights
    return (first / second - 1) * ones + ((1 - first) / (1 - second) - 1) * zeros


@claim(
    "text-b.3-measure",
    place="Appendix B.3.2, first display, for coins and alpha = 1: the divergence of Definition 6 as "
    "the proof writes it, with the other distribution under the integral",
    fault="misprint",
    effect="None: with the distribution of Definition 6 the proof is right. As written it would be 0.",
    given=lambda: [answer_0 > 0, answer_0 < 1, answer_1 > 0, answer_1 < 1],
)
def divergence_in_the_proof_as_printed():
    """Divergence of Definition 6 in the proof of Lemma 11, as printed."""
    return Eq(
        two_outcomes(answer_0, answer_1, (answer_1, 1 - answer_1)),
        two_outcomes(answer_0, answer_1, (answer_0, 1 - answer_0)),
    )


@claim("note-lemma-12", place="Lemma 12: the bound of Lemma 10 with that of Assumption 2")
def bound_on_the_evidence():
    """Bound on the evidence under Assumption 2."""
    return Eq(c_3 * exp(-2 * n * t) * exp(-2 * n * t) / 2, c_3 / 2 * exp(-4 * n * t))


# --- the likelihood ratio near the truth ----------------------------------------------------------


def spike(count):
    """Densities at count of a distribution with a spike of weight 1/count**2 there, and of one without."""
    rate, top = Rational(3, 10), Rational(256, 63) / pi
    base = top * (1 + count**2) ** (-6)
    strange = 8 / (3 * pi) * (1 + count**2) ** (-3)
    spread = (1 - 1 / count**2) * base + top / count**2
    return contaminated(spread, strange, rate), contaminated(base, strange, rate)


@claim(
    "lemma-14",
    place="Lemma 14 with Assumption 4 as it stands: f(.; theta) = (1 - theta**2) b(x) + theta**2 "
    "b(x - 1/theta) for the density b of (1 + x**2)**(-6), theta* = 0, g that of (1 + x**2)**(-3), p = "
    "3/10, at theta = 1/n and the record n. The lemma wants log d to be at most (7/3) T theta, so d to "
    "be bounded, and below n in the end",
    fault="error",
    effect="Theorem 4 needs Assumption 4 uniformly near theta*, as lemma-14-corrected (supported) and theorem-4 (supported) have it.",
)
def likelihood_ratio_near_the_truth_as_printed():
    """Log likelihood ratio near the true parameter, as printed."""
    with_spike, without = spike(n)
    return Eventually(n, with_spike <= n * without)


@claim(
    "note-lemma-14",
    place="Lemma 14 at any record: f_1 and f_2 are f and f_0 there, which may be 0, and differ by at most T psi g",
    given=lambda: [f_1 - f_2 <= T * psi * g, f_2 - f_1 <= T * psi * g],
    proof=lambda: [
        step(
            "one way",
            Le(
                log(contaminated(f_1, g)) - log(contaminated(f_2, g)),
                (contaminated(f_1, g) - contaminated(f_2, g)) / contaminated(f_2, g),
            ),
        ),
        step(
            "the other way",
            Le(
                log(contaminated(f_2, g)) - log(contaminated(f_1, g)),
                (contaminated(f_2, g) - contaminated(f_1, g)) / contaminated(f_1, g),
            ),
        ),
        step(
            "one bound",
            Le(
                (contaminated(f_1, g) - contaminated(f_2, g)) / contaminated(f_2, g),
                (1 - p) / p * T * psi,
            ),
        ),
        step(
            "the other",
            Le(
                (contaminated(f_2, g) - contaminated(f_1, g)) / contaminated(f_1, g),
                (1 - p) / p * T * psi,
            ),
        ),
    ],
)
def log_ratio_of_contaminated_densities():
    """Log ratio of two contaminated densities at a record, from their difference."""
    return Le(Abs(log(contaminated(f_1, g)) - log(contaminated(f_2, g))), (1 - p) / p * T * psi)


@claim(
    "note-lemma-14-eta",
    place="Lemma 14, its last line: eta, from two records whose log ratios are bounded",
    given=lambda: [
        log(ratio) <= (1 - p) / p * T * psi,
        log(z_1) >= -(1 - p) / p * T * psi,
    ],
)
def largest_ratio_near_the_truth():
    """Ratio of d at two records, near the true parameter."""
    return Le(log(ratio) - log(z_1), 2 * (1 - p) / p * T * psi)
