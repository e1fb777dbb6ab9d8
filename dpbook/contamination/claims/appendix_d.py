"""Appendices D and E: contraction by tests, strictly adjacent datasets, other parametrisations."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, Lt, Max, Rational, erf, exp, log, pi, sqrt

from dpbook import Exists, Noted, claim, step, symbol
from dpbook.contamination.notation import (
    alpha,
    answer_0,
    answer_1,
    count,
    epsilon,
    f,
    f_star,
    n,
    phi,
    ratio,
    w,
    w_1,
    w_2,
    x,
)

K = symbol("K", above=0, meaning="exponent of the tests, Assumption 6")
M_n = symbol("M_n", at_least=1, meaning="the sequence M_n of theorem 29")
D_n = symbol("D_n", above=0, meaning="the sequence D_n of assumption 7")
level_of = symbol("D", above=0, meaning="the number D of theorem 29")
rest = symbol("C_1", above=0, meaning="the constant C_1 of theorem 29")
second = symbol("C_2", above=0, meaning="the constant C_2 of eq. 38")
phi_bar = symbol("phi_1", above=0, below=1, meaning="the second radius of assumption 7")

# --- Appendix D -----------------------------------------------------------------------------------


@claim("definition-12", place="Definition 12")
def test_function():
    """Tests."""
    return Noted("a definition")


@claim("assumption-6", place="Assumption 6, eq. 35")
def tests_exist():
    """Tests of the true parameter exist."""
    return Noted("an assumption, which the paper shows to hold always, by Ghosal and van der Vaart")


@claim("assumption-7", place="Assumption 7")
def prior_and_entropy_for_tests():
    """Prior masses of shells, and covering numbers."""
    return Noted("an assumption; what the exponent of (i) is to give is assumption-7.i")


def mean_on_a_shell(exponent):
    """Return the mean mass of the shell j over the mass of the ball, by (37) and Assumption 7 (i).

    `exponent` is the power of phi_n in (i).
    """
    shell = K * (M_n * count) ** 2 * n
    return exp(-shell * phi**2) * exp(shell * exponent / 2)


@claim(
    "assumption-7.i",
    place="Assumption 7 (i), used in step 3 of the proof of Theorem 29: with (37) it is to give the terms of the sum in (36), where the mass of the "
    "shell M_n j has exp(-K M_n**2 j**2 n phi_n**2 / 2) before Markov's inequality",
    given=[count >= 1],
    try_at=[{K: 1, M_n: 1, count: 1, n: 4, phi: "1/2"}],
    fault="misprint",
    effect="None: with phi_n**2 in the exponent the proof goes on as printed.",
)
def mass_of_a_shell_as_printed():
    """Mean of the mass of a shell, by the tests and the prior, as printed."""
    return Le(mean_on_a_shell(phi), exp(-K * (M_n * count) ** 2 * n * phi**2 / 2))


@claim(
    "assumption-7.i-corrected",
    place="Assumption 7 (i), used in step 3 of the proof of Theorem 29",
    corrects=["assumption-7.i"],
    why="The exponent of (i) is K j**2 n phi_n**2 / 2, with the square of phi_n.",
    given=[count >= 1],
)
def mass_of_a_shell():
    """Mean of the mass of a shell, by the tests and the prior."""
    return Le(mean_on_a_shell(phi**2), exp(-K * (M_n * count) ** 2 * n * phi**2 / 2))


@claim("note-eq-36", place="Theorem 29, eq. 36 and 37: Markov's inequality for the tests")
def mass_by_tests():
    """First term of the failure probability of Theorem 29."""
    weight = n * phi**2
    tests = exp(weight) * exp(-K * M_n**2 * weight) / (1 - exp(-K * M_n**2 * weight))
    return Eq(
        tests / exp(-(K * M_n**2 - 1) * weight / 2),
        exp(-(K * M_n**2 - 1) * weight / 2) / (1 - exp(-K * M_n**2 * weight)),
    )


@claim("eq-37", place="Theorem 29, its proof, eq. 37")
def tests_of_the_shells():
    """Tests of the true parameter against the shells."""
    return Noted(
        "what Theorem D.5 of Ghosal and van der Vaart gives; theorem-29 takes it as a condition. Where the print has M_j, M_n j is meant, as in the shells"
    )


def posterior_of_a_point():
    """Posterior probability of a parameter of prior probability w, where theta* is the other one."""
    return w * ratio / (1 - w + w * ratio)


def third_level():
    """The third term in the probability of (36), times the denominator of the display, with a prior mass of B_KL of 1."""
    return rest * exp(-(D_n + 2 * level_of) * (n * phi_bar**2) / 2)


@claim(
    "text-d-outside",
    place="Appendix D.1, the last display of the proof of Theorem 29, and (2) after it: for any X the posterior probability outside the sieve, over "
    "the evidence's lower bound, is at most a multiple of the third term in (36). For a model in which the prior is on theta* and one parameter "
    "outside the sieve, of prior weight w; d is the product of its likelihood ratios over X. For each C_1 the last condition holds from some n on, and "
    "the one before it for some X from some n on, so no C_1 is large enough. A prior that is narrow around both gives the same",
    given=lambda: [w * ratio >= 1 - w, third_level() < Rational(1, 2)],
    try_at=[{w: "1/10", ratio: 9, rest: 1, D_n: 4, level_of: 1, n: 1, phi_bar: "1/2"}],
    fault="misprint",
    effect="None: with the integral of the likelihood ratio as the numerator, as in the display before, Assumption 7 (iii) bounds its mean, and Markov's "
    "inequality gives the term (text-d-outside-corrected; theorem-29, supported).",
)
def mass_outside_the_sieve_as_printed():
    """Posterior probability outside the sieve for any dataset, as printed."""
    return Exists(Le(posterior_of_a_point(), third_level()), {rest: 1})


@claim(
    "note-remark-17",
    place="Remark 17: (38) is weaker than Assumption 2, as the divergence of Definition 6 is at least "
    "that of Kullback and Leibler; at a record, where f is the ratio of the densities",
)
def kullback_leibler_is_smaller():
    """Log likelihood ratio, against the integrand of Definition 6."""
    return Le(log(f), (f**alpha - 1) / alpha)


def too_small():
    """A radius for which eq. 38 fails."""
    return exp(-2 * second) / (4 * sqrt(n))


@claim(
    "note-eq-38",
    place="Remark 17, eq. 38 with phi_n of at most n**(-1/2): for every C_2 and n there is such a phi_n, this one, for which "
    "(38) fails; the model is that of remark-17",
    proof=lambda: [
        step("the radius", Le(exp(-2 * second) / (4 * sqrt(n)), exp(-2 * second) / 4)),
        step("its root", Le(sqrt(too_small()), exp(-second) / 2)),
        step("the mass", Le(erf(sqrt(too_small())), 2 / sqrt(pi) * sqrt(too_small()))),
        step("a constant", Lt(1 / sqrt(pi), Rational(3, 5))),
        step("the square", Lt(n * too_small() ** 2, Rational(1, 16))),
        step("the exponent", Ge(exp(-second * n * too_small() ** 2), exp(-second / 16))),
        step("the exponentials", Le(exp(-second), exp(-second / 16))),
    ],
)
def small_radii_have_little_mass():
    """Prior mass of a small ball in the divergence of Kullback and Leibler, from above."""
    return [
        Lt(too_small(), 1 / sqrt(n)),
        Lt(erf(sqrt(too_small())), exp(-second * n * too_small() ** 2)),
    ]


@claim("eq-38", place="Remark 17, eq. 38")
def prior_mass_near_the_truth():
    """Prior mass of a ball in the divergence of Kullback and Leibler, as a condition."""
    return Noted("a condition; that it is weaker than Assumption 2, as printed, is remark-17")


def bound_on_the_mass():
    """Bound on the prior mass of a small ball, by the density at 0."""
    return 2 / sqrt(pi) * sqrt(phi)


@claim(
    "note-eq-38-root",
    place="Remark 17, eq. 38 with phi_n = n**(-1/2): for every C_2 a bound on the prior mass, the tangent of erf at 0, is below the right side from some n on",
    given=lambda: [Eq(n * phi**2, 1), 4 * phi <= exp(-2 * second)],
    proof=lambda: [
        step("the exponent", Le(second * (n * phi**2), second)),
        step("its exponential", Ge(exp(-second * n * phi**2), exp(-second))),
        step("the root", Le(sqrt(phi), exp(-second) / 2)),
        step("a constant", Lt(1 / sqrt(pi), Rational(3, 5))),
        step("the bound", Le(bound_on_the_mass(), Rational(3, 5) * exp(-second))),
    ],
)
def bound_on_the_mass_is_small():
    """Bound on the prior mass of a small ball, for many records."""
    return Lt(bound_on_the_mass(), exp(-second * n * phi**2))


@claim(
    "remark-17",
    place="Remark 17: (38) is said to be weaker than Assumption 2, so it is to hold, with some C_2, for normal records of variance 1, a standard "
    "normal prior and theta* = 0, where Assumption 2 does. The divergence is below phi_n where |theta| is below sqrt(2 phi_n): this has the prior mass "
    "on the left. The statement is that there is such a C_2. For all C_2 it fails where the conditions hold, and they do for some phi_n, whatever n "
    "(note-eq-38); and so it does for phi_n = n**(-1/2), which Assumption 7 allows too, and all large n (note-eq-38-root)",
    cites=["note-eq-38", "note-eq-38-root"],
    given=lambda: [phi <= 1 / sqrt(n), erf(sqrt(phi)) < exp(-second * n * phi**2)],
    try_at=[{second: 1, n: 100, phi: "1/100"}],
    fault="misprint",
    effect="None: with >= for <=, as Assumption 7 has it, the condition is met (remark-17-corrected, supported, for one model).",
)
def small_radii_as_printed():
    """Prior mass of a ball in the divergence of Kullback and Leibler, as printed."""
    return Exists(Ge(erf(sqrt(phi)), exp(-second * n * phi**2)), {second: 1})


@claim(
    "remark-17-corrected",
    place="Remark 17, eq. 38, for the same model, C_2 = 1, and phi_n at least sqrt(log(n)/n), so above n**(-1/2), where "
    "the divergence is below phi_n**2",
    corrects=["remark-17"],
    scope="normal records with a standard normal prior, C_2 = 1, and radii of at least sqrt(log(n)/n)",
    why="The prior mass of a ball tends to 0 with its radius, and exp(-C_2 n phi_n**2) does not where n phi_n**2 is "
    "bounded: as in Assumption 7 it is >=.",
    given=[n >= 3, n * phi**2 >= log(n)],
    proof=lambda: [
        step("the exponent", Le(exp(-n * phi**2), exp(-log(n)))),
        step("its value", Eq(exp(-log(n)), 1 / n)),
        step("the logarithm", Gt(log(n), 1)),
        step("the square", Gt(phi**2, 1 / n)),
        step("the radius", Gt(phi, sqrt(1 / n))),
        step("a root", Le(sqrt(1 / n), Rational(3, 5))),
        step("its square", Le(1 / n, 3 * sqrt(1 / n) / 5)),
        step("the mass", Ge(erf(phi), 3 * phi / 5)),
    ],
)
def small_radii():
    """Prior mass of a ball in the divergence of Kullback and Leibler."""
    return [Gt(phi, sqrt(1 / n)), Ge(erf(phi), exp(-n * phi**2))]


@claim(
    "remark-18.i",
    place="Remark 18: where K M_n**2 > 4 D fails, the second bound on the posterior mass in (36) is at least 1",
    given=[K * M_n**2 <= 4 * level_of],
)
def second_bound_needs_a_large_radius():
    """Second bound on the posterior mass of Theorem 29, where the radius is small."""
    return Ge(exp(-(K * M_n**2 / 4 - level_of) * (n * phi**2)), 1)


@claim(
    "remark-18.ii",
    place="Remark 18: where D_n > 2 D fails, the third term of the failure probability in (36) is at least 1",
    given=[D_n <= 2 * level_of],
)
def third_term_needs_a_small_prior_mass():
    """Third term of the failure probability of Theorem 29, where D_n is small."""
    return Ge(exp(-(D_n - 2 * level_of) * (n * phi_bar**2) / 2), 1)


@claim(
    "remark-18.iii",
    place="Remark 18: with phi_n no smaller than n**(-1/2) and M_n phi_n at most 1, as it is in the end, M_n is "
    "at most sqrt(n), D below K n/4, and 2/D, a part of the failure probability, above 8/(K n)",
    given=[phi**2 * n >= 1, M_n * phi <= 1, K * M_n**2 > 4 * level_of],
    proof=lambda: [
        step("the squares", Le(M_n**2 * phi**2, 1)),
        step("the radius", Le(M_n**2, n)),
        step("the number D", Lt(4 * level_of, K * n)),
    ],
)
def failure_probability_falls_slowly():
    """Failure probability of Theorem 29, from below."""
    return [
        Le(M_n, sqrt(n)),
        Lt(level_of, K * n / 4),
        Gt(2 / level_of, 8 / (K * n)),
    ]


@claim("remark-19", place="Remark 19")
def least_number_of_records():
    """Least number of records for Theorem 29, and for Theorem 4."""
    return Noted(
        "a comparison without a number: it depends on M_n and the prior. Theorem 5, which it names, is a limit; "
        "Remark 8 speaks of the n that Theorem 4 needs"
    )


# --- strictly adjacent datasets -------------------------------------------------------------------


@claim("definition-13", place="Definition 13")
def strictly_adjacent():
    """Strictly adjacent datasets: one has one record more."""
    return Noted("a definition")


def with_record():
    """Return the posterior probability of the second parameter, given the only record of X."""
    return posterior_of_a_point()


@claim(
    "remark-20.i",
    place="Remark 20, first display, in place of (5), where the print says (4); for two parameters, Z empty and A the true "
    "parameter alone, where d is 1 and so is eta. w may as well be the posterior weight of the other one given the records of Z. The paper's set of parameters "
    "is convex: a prior that is narrow around either of the two gives the same",
    try_at=[{w: "1/10", ratio: 50}],
    fault="error",
    effect="The numerators of the last terms are exchanged; the proof of Corollary 30 goes on with them in place (corollary-30, supported).",
)
def one_record_more_as_printed():
    """Privacy of a posterior draw with one record more, as printed."""
    evidence = 1 - w + w * ratio
    return Le(with_record(), (1 + w / evidence) * w + w / evidence)


@claim(
    "remark-20.ii",
    place="Remark 20, second display, for the same model",
    try_at=[{w: "1/10", ratio: "1/100"}],
    fault="error",
    effect="As for remark-20.i.",
)
def one_record_less_as_printed():
    """Privacy of a posterior draw with one record less, as printed."""
    return Le(w, (1 + w * ratio) * with_record() + w * ratio)


@claim(
    "remark-20.root",
    place="Remark 20, first display, with the numerators in place and A all parameters, so that nothing is outside: eta is that of (6), and "
    "its root is to bound d and 1/d. Records are 1 or 2, Z is empty, X is a 1, with the chances 2/100 under theta*, 8/100 under theta_1 and "
    "5/1000 under theta_2, of prior weights w_1, w_2, the rest theta*'s; so d(1; theta_1) = 4, d(1; theta_2) = 1/4, and eta = 98/23; S holds "
    "theta_1 only. A prior that is narrow around each of the three gives the same",
    given=[w_1 + w_2 < 1],
    try_at=[{w_1: "1/1000", w_2: "9989/10000"}],
    fault="error",
    effect="The supremum of d and 1/d has to take the place of the root, which the bound of Lemma 14 bounds too: so epsilon in Corollary 30 "
    "stays as printed (corollary-30, supported).",
)
def root_of_eta_as_printed():
    """Posterior probability given one record more, by the root of the largest ratio, as printed."""
    after = 4 * w_1 / (4 * w_1 + w_2 / 4 + (1 - w_1 - w_2))
    return Le(after, Rational(98, 23) * w_1)


# --- other parametrisations -----------------------------------------------------------------------


@claim("definition-14", place="Definition 14")
def identifiable():
    """Identifiable models."""
    return Noted("a definition")


def variation(one, zero, cut):
    """Return the total variation of two posteriors on (0, 1), the first larger above a cut only."""
    return Integral(one - zero, (x, cut, 1))


@claim(
    "note-proposition-31",
    place="Proposition 31 for one toss: the evidences of a 1 and of a 0, in psi, in theta = sqrt(psi) "
    "with the Jacobian 2 theta in the prior, and with it in the likelihood as well",
)
def evidences_of_a_toss():
    """Evidences of one toss, in two parameters."""
    return [
        Eq(Integral(x, (x, 0, 1)), Rational(1, 2)),
        Eq(Integral(1 - x, (x, 0, 1)), Rational(1, 2)),
        Eq(Integral(x**2 * (2 * x), (x, 0, 1)), Rational(1, 2)),
        Eq(Integral((1 - x**2) * (2 * x), (x, 0, 1)), Rational(1, 2)),
        Eq(Integral(x**2 * (2 * x) ** 2, (x, 0, 1)), Rational(4, 5)),
        Eq(Integral((1 - x**2) * (2 * x) ** 2, (x, 0, 1)), Rational(8, 15)),
    ]


@claim(
    "proposition-31",
    place="Proposition 31 for one toss of chance psi, uniform, and psi = theta**2: the likelihood and "
    "the prior both have the Jacobian; delta at epsilon = 0 is the total variation of the posteriors, "
    "with the evidences of note-proposition-31",
    fault="error",
    effect="Only the prior may have the Jacobian: with it alone this model keeps its delta (proposition-31-corrected, supported); for others "
    "that is the change of variables in an integral, on paper only. No other result rests on it.",
)
def change_of_parameter_as_printed():
    """Delta at epsilon 0 after a change of parameter, as printed."""
    one = x**2 * (2 * x) ** 2 / Rational(4, 5)
    zero = (1 - x**2) * (2 * x) ** 2 / Rational(8, 15)
    return Eq(
        variation(one, zero, sqrt(Rational(3, 5))), variation(2 * x, 2 * (1 - x), Rational(1, 2))
    )


@claim(
    "proposition-31-corrected",
    place="Proposition 31 for the same model, with the Jacobian in the prior",
    corrects=["proposition-31"],
    why="A likelihood is a density in the records: a change of the parameter leaves it as it is. With "
    "the Jacobian it is no density, and the posterior another one.",
    scope="one toss, a uniform chance and its root, and delta at epsilon = 0 only",
)
def change_of_parameter():
    """Delta at epsilon 0 after a change of parameter."""
    one, zero = x**2 * (2 * x) * 2, (1 - x**2) * (2 * x) * 2
    return Eq(
        variation(one, zero, sqrt(Rational(1, 2))), variation(2 * x, 2 * (1 - x), Rational(1, 2))
    )


@claim(
    "text-e-relation",
    place="Appendix E.2, the relation of two parameters, and the sentence after it, for coins of chance a_0 and a_1: the parameters are related "
    "where the likelihoods differ on a set of positive measure, so at an answer; then they are to be equal almost everywhere",
    given=lambda: [Gt(Abs(answer_0 - answer_1), 0)],
    try_at=[{answer_0: "1/2", answer_1: "1/4"}],
    fault="misprint",
    effect="None: the relation lacks a negation, and the text goes on with parameters of one likelihood.",
)
def related_parameters_as_printed():
    """Likelihoods of two related parameters, as printed."""
    return Eq(answer_0, answer_1)


@claim(
    "text-e-relation-corrected",
    place="Appendix E.2, the relation of two parameters, and the sentence after it, for coins of chance a_0 and a_1",
    corrects=["text-e-relation"],
    why="Parameters are related where there is no set of positive measure on which the likelihoods differ.",
    scope="coins",
    given=lambda: [Le(Abs(answer_0 - answer_1), 0)],
)
def related_parameters():
    """Likelihoods of two related parameters."""
    return Eq(answer_0, answer_1)


@claim(
    "proposition-32",
    place="Proposition 32, eq. 39: two parameters of one likelihood, of prior weights w_1 and w_2; f and "
    "f_0 are what each weight is multiplied with given X and given Z",
    scope="two parameters of positive prior weight that become one; that it is so for any measurable quotient is on paper only",
)
def quotient_keeps_delta():
    """Smallest delta of a model, and of the model where equal parameters are one."""
    lost = f - exp(epsilon) * f_star
    return Eq(Max(w_1 * lost, 0) + Max(w_2 * lost, 0), Max((w_1 + w_2) * lost, 0))
