"""Appendix B: brackets, Bernstein's inequality, and the constants of Lemmas 8 and 16."""

from sympy import (
    Abs,
    Eq,
    Ge,
    Gt,
    Integer,
    Le,
    Lt,
    Max,
    Or,
    Rational,
    Sum,
    ceiling,
    cos,
    exp,
    log,
    sin,
    sqrt,
)

from dpbook import Exists, Noted, claim, step, symbol, symbols
from dpbook.contamination.notation import (
    M,
    R,
    T,
    answer_0,
    answer_1,
    c,
    count,
    d,
    distance_0,
    entropies,
    f,
    factor,
    gap_at,
    index,
    k,
    level,
    lost_share,
    moment,
    moment_constant,
    n,
    phi,
    psi,
    radius,
    ratio,
    scales,
    share,
    shells,
    size,
    split,
    tau,
    tau_0,
    theta,
    u,
    weight,
    x_1,
    x_2,
)

# --- definitions and brackets ---------------------------------------------------------------------


@claim("definition-8", place="Definition 8")
def cover():
    """Cover of a set of parameters."""
    return Noted("a definition")


@claim("definition-9", place="Definition 9")
def covering_number():
    """Covering number."""
    return Noted("a definition")


@claim("definition-10", place="Definition 10")
def separated_points():
    """Separated points."""
    return Noted("a definition")


@claim("definition-11", place="Definition 11")
def packing_number():
    """Packing number."""
    return Noted("a definition")


@claim(
    "text-b.1-enlarged",
    place="Appendix B.1.1, after eq. 22: the enlarged sieve is a set of parameters in Omega, and the balls of radius u/2 around separated points are said to lie in it. For "
    "Omega and the sieve from 0 to 1: the points 0 and 1 are separated, the enlarged sieve has the volume 1, and C_1 is 1",
    given=[u < 1],
    try_at=[{u: "9/10"}],
    fault="misprint",
    effect="None: (22) has the enlarged sieve in R^d, and with that the balls lie in it (note-eq-22-volume).",
)
def number_of_points_by_the_volume_in_the_parameters():
    """Number of separated points, by the volume of an enlarged sieve within the parameters, as printed."""
    return Le(2, 1 / u)


@claim(
    "note-eq-22-volume",
    place="Appendix B.1.1, eq. 22, the last inequality: balls of radius u/2 around separated points are "
    "disjoint; w_0 is the volume of the unit ball, v_0 that of the enlarged sieve in R^d, k_1 the number of points",
    corrects=["text-b.1-enlarged"],
    why="The balls reach beyond Omega, so the enlarged sieve has to be a set in R^d, as where (22) first has it.",
    given=lambda: [weight > 0, index * (weight * (u / 2) ** d) <= moment],
    proof=lambda: [
        step("the volume", Eq((u / 2) ** d, u**d / 2**d)),
        step("a power", Gt(u**d, 0)),
    ],
)
def number_of_separated_points():
    """Number of separated points, by a volume."""
    return Le(index, 2**d / weight * moment * u ** (-d))


@claim(
    "eq-22",
    place="Appendix B.1.1, eq. 22. The first link of its chain is the bracket of text-b.1-bracket-corrected, larger by sqrt(2) than the "
    "print's (text-b.1-bracket), the last is note-eq-22-volume, shown here",
    given=lambda: [weight > 0, index * (weight * (u / 2) ** d) <= moment],
    using=["note-eq-22-volume"],
    cites=["text-b.1-bracket", "text-b.1-bracket-corrected"],
    without={
        "text-b.1-bracket": "refuted: with the repaired bracket the constant of the dimension is 2^(d/2) times the printed one",
        "text-b.1-bracket-corrected": "brackets are not counted here",
    },
    scope="the last inequality: how many points of a sieve of volume v_0 can be separated. That each of them has one bracket, and that "
    "the brackets cover the sieve, is not shown. No sieve is known for which the printed constant is too small",
)
def number_of_brackets():
    """Number of brackets of a sieve, by its volume."""
    return Le(index, 2**d / weight * moment * u ** (-d))


@claim(
    "note-eq-23",
    place="Appendix B.1.1, eq. 23, from (22): the number of brackets of size u is at most C_0 ((R_n + phi_0) "
    "M / u)**d; R is R_n + phi_0, T stands for M",
)
def logarithm_of_the_number_of_brackets():
    """Logarithm of the bound on the number of brackets."""
    return Eq(log(factor * (R * T / u) ** d), log(factor) + d * log(R) + d * log(T) - d * log(u))


@claim(
    "text-b.1-exponent",
    place="Appendix B.1.1, the last display of the proof of Lemma 2, for q = 1/2 and n**2 records, so that n stands for their power q, with log M = n/2, which "
    "(9) allows: the term d log M of the first line, against the bound c**2 n in the second; c is that of Lemma 8, below 1/8000",
    given=[c <= Rational(1, 8000)],
    try_at=[{d: 1, n: 1, c: "1/8000"}],
    fault="error",
    effect="None for the exponent (1 - q)/4 of the lemma, which leaves room for the constants (text-b.1-exponent-corrected, supported). With the exponent (1 - q)/2, which the "
    "proof has, it leaves none.",
)
def entropy_against_a_small_multiple_of_its_order():
    """Largest term of the bracketing entropy, against a small multiple of its order, as printed."""
    return Lt(d * (n / 2), c**2 * n)


@claim(
    "text-b.1-exponent-corrected",
    place="Appendix B.1.1, the last display of the proof of Lemma 2, for q = 1/2 and n**2 records, with log M of at most n, as (9) has it, and phi_n = n**(-1/4), which is the "
    "power -(1 - q)/4 of the number of records: from an n on",
    corrects=["text-b.1-exponent"],
    why="The term d log M may be of the order n**q itself, and c**2 is small. With the exponent (1 - q)/4 n phi_n**2 is of a higher order.",
    scope="q = 1/2, and the term d log M; the others are of the order log n",
    given=lambda: [sqrt(n) >= d / c**2],
    proof=lambda: [step("the power", Eq(n**2 * (n ** Rational(-1, 4)) ** 2, n * sqrt(n)))],
)
def entropy_with_the_exponent_of_the_lemma():
    """Largest term of the bracketing entropy, by the exponent of the lemma."""
    return Le(d * n, c**2 * (n**2 * (n ** Rational(-1, 4)) ** 2))


def bracket_of_a_coin():
    """Squared size of the bracket around the coin of chance sin(theta)**2, with M = 1."""
    parts = [(root + u - Max(root - u, Integer(0))) ** 2 / 2 for root in (sin(theta), cos(theta))]
    return parts[0] + parts[1]


@claim(
    "text-b.1-bracket",
    place="Appendix B.1.1, the bound on a bracket, for coins of chance sin(theta)**2: their roots are "
    "Lipschitz with M = 1 at both outcomes, so its squared norm is 2",
    given=lambda: [sin(theta) >= u, cos(theta) >= u],
    try_at=[{theta: 1, u: "1/10"}],
    fault="error",
    effect="None: brackets are larger by sqrt(2), a constant in (22), and only its logarithm counts.",
)
def size_of_a_bracket_as_printed():
    """Squared size of a bracket, as printed."""
    return Le(bracket_of_a_coin(), u**2 * 2)


# --- Bernstein and the empirical process ----------------------------------------------------------


@claim(
    "note-theorem-15-sign",
    place="Theorem 15, eq. 24, for one record that is T or -T with even chances",
    given=lambda: [M < T],
)
def bernstein_for_one_sign():
    """Bernstein's inequality for one random sign."""
    return Le(Rational(1, 2), exp(-(M**2) / (2 * (T**2 + M * T / 3))))


def psi_of(deviation, times=8):
    """The exponent Psi(M, t**2, n) of lemma 16; its repair has 32 for 8."""
    spread = times * moment_constant(tau) * radius**2
    return deviation**2 / (4 * (spread + deviation / sqrt(n)))


@claim("lemma-16.psi", place="Lemma 16 and eq. 33, with M = k sqrt(n) t**2")
def exponent_of_lemma_16():
    """Exponent of Lemma 16."""
    return Eq(
        psi_of(k * sqrt(n) * radius**2),
        k**2 / (32 * moment_constant(tau) + 4 * k) * n * radius**2,
    )


@claim("lemma-16.scale", place="Lemma 16, s(t) in two forms")
def smallest_scale():
    """Smallest scale of the chaining in Lemma 16."""
    return Eq(
        k * (k * sqrt(n) * radius**2) / (16 * sqrt(2 * n) * exp(tau / 2)),
        k**2 * radius**2 / (2 ** Rational(9, 2) * exp(tau / 2)),
    )


@claim("eq-26", place="Lemma 16, eq. 26, its two right sides")
def entropy_condition():
    """Right side of the entropy condition of Lemma 16."""
    return Eq(
        sqrt(3) * k ** Rational(3, 2) * (k * sqrt(n) * radius**2) / (2**10 * exp(tau / 2)),
        sqrt(3) * k ** Rational(5, 2) * sqrt(n) * radius**2 / (2**10 * exp(tau / 2)),
    )


@claim(
    "note-eq-27",
    place="Lemma 16, eq. 27, at a record: x_1 and x_2 are roots of two likelihood ratios, above the "
    "cut-off; below it the left side only gets smaller",
    given=lambda: [x_1 >= x_2, x_2 >= exp(-tau / 2)],
    proof=lambda: [
        step("a logarithm", Le(log(x_1) - log(x_2), (x_1 - x_2) / x_2)),
        step("its denominator", Le((x_1 - x_2) / x_2, (x_1 - x_2) * exp(tau / 2))),
        step("the logarithms increase", Ge(log(x_1) - log(x_2), 0)),
    ],
)
def truncated_log_ratios():
    """Squared difference of two log likelihood ratios, by the squared difference of their roots."""
    return Le((2 * log(x_1) - 2 * log(x_2)) ** 2, 4 * exp(tau) * (x_1 - x_2) ** 2)


@claim(
    "note-eq-28",
    place="Lemma 16, the check of (28): the last step, under the condition that is printed after it",
    given=lambda: [2**7 * moment_constant(tau) + 16 * k <= 2**14 * Rational(49, 3)],
)
def last_step_of_first_bracketing():
    """Bound on the entropy at the largest scale, against the exponent of Lemma 16."""
    return Le(
        3 * k**5 * n * radius**2 / (2**14 * 49 * exp(tau)),
        k**3 * n * radius**2 / (2**7 * moment_constant(tau) + 16 * k),
    )


@claim(
    "note-b.2-mean",
    place="Appendix B.2, the mean of the truncated log ratio (Wong and Shen, Lemma 4), at a record: "
    "x_1 is the root of the ratio; integrated it is -2 (1 - rho) h**2",
)
def mean_of_the_truncated_log_ratio():
    """Truncated log likelihood ratio, from above by its root."""
    return Le(Max(-tau, 2 * log(x_1)), 2 * (x_1 - 1) + lost_share(tau) * (x_1 - 1) ** 2)


def near_coins():
    """State that the chance a_1 under theta is near the chance a_0 under theta*.

    The bracket ends at g_1, which is near a_1 and not below it.
    """
    near = (sqrt(answer_1) - sqrt(answer_0)) ** 2 + (sqrt(1 - answer_1) - sqrt(1 - answer_0)) ** 2
    return [
        near <= 2 * radius**2,
        (sqrt(share) - sqrt(answer_1)) ** 2 <= 2 * radius**2,
        share >= answer_1,
    ]


def upper_end():
    """Squared distance of the roots of the bracket's upper end and of the distribution of theta*."""
    return (sqrt(share) - sqrt(answer_0)) ** 2 + (sqrt(1 - answer_1) - sqrt(1 - answer_0)) ** 2


def squared_distance(difference):
    """Squared Hellinger distance of two normal distributions of variance 1, by the difference of their means."""
    return 1 - exp(-Rational(1, 8) * difference**2)


@claim(
    "text-b.1-radius",
    place="Appendix B.1, proof of Proposition 3: psi_n is the least psi with phi_n <= A(psi), the infimum of the distance beyond psi. Normal "
    "records of variance 1 and mean 2 theta**3 - 9 theta**2 + 12 theta, theta* = 0: the mean rises to 5 at theta = 1, falls to 4 at 2, and rises "
    "again. With phi_n the distance of means 4 apart, psi_n is 1/2, where the mean is first 4, and (13) is that all theta within phi_n are within 1/2",
    given=lambda: [
        Le(squared_distance(2 * theta**3 - 9 * theta**2 + 12 * theta), squared_distance(4))
    ],
    try_at=[{theta: 2}],
    fault="boundary",
    effect="None: with phi_n < A(psi_n) the proof goes on (text-b.1-radius-corrected).",
)
def radius_by_the_infimum_as_printed():
    """Distance from the true parameter within a Hellinger ball, by the choice of psi_n, as printed."""
    return Le(Abs(theta), Rational(1, 2))


@claim(
    "text-b.1-radius-corrected",
    place="Appendix B.1, proof of Proposition 3, any parameter at the distance r_0 from theta*, at the Hellinger distance t_0: beyond psi_n that is at least h_0, "
    "which is A(psi_n)",
    corrects=["text-b.1-radius"],
    why="The infimum may be met beyond psi_n, so it must be above phi_n.",
    given=lambda: [Or(Le(size, psi), Ge(radius, gap_at)), Lt(phi, gap_at), Le(radius, phi)],
)
def radius_by_the_infimum():
    """Distance from the true parameter within a Hellinger ball, by the choice of psi_n, repaired."""
    return Le(size, psi)


@claim(
    "text-b.1-quantifier",
    place="Appendix B.1, proof of Proposition 3: if psi_n does not tend to 0, then for every m > 0, here r_0, it is above m from some n on. Here psi_n is 1 for all n",
    given=[Eq(psi, 1)],
    try_at=[{psi: 1, size: 2}],
    fault="misprint",
    effect="None: the proof needs one such m.",
)
def radii_that_do_not_vanish_as_printed():
    """Radii that do not tend to 0, against every positive number, as printed."""
    return Gt(psi, size)


@claim(
    "text-b.1-quantifier-corrected",
    place="Appendix B.1, proof of Proposition 3: psi_n does not increase, so if it does not tend to 0 it is at least some psi > 0 for all n; then there is an m > 0 below it",
    corrects=["text-b.1-quantifier"],
    why="That a sequence does not tend to 0 says that it stays above some number, not above all.",
)
def radii_that_do_not_vanish():
    """Radii that do not tend to 0, against some positive number, repaired."""
    return Exists(Gt(psi, size), {size: psi / 2})


def half_width(root):
    """The number eta_j, with the root that its share k has."""
    return 4 * radius / sqrt(root) * sqrt(entropies)


@claim(
    "text-b.2-eta",
    place="Appendix B.2, eta_j where P_2 is bounded, against (29); t_0 is the scale tilde delta_j, and H_2 the sum of the entropies up to j + 1",
    try_at=[{radius: 1, entropies: 1, k: "2/3"}],
    fault="misprint",
    effect="None: (29) is used, and serves (text-b.2-eta-corrected). With the other the sum of all eta_j need not be at most k M / 8.",
)
def half_width_as_printed():
    """Share of the deviation at a scale, given twice, as printed."""
    return Eq(half_width(k), half_width(3 * k))


@claim(
    "text-b.2-eta-corrected",
    place="Appendix B.2, eta_j of (29), in the last line of the exponent of P_2",
    corrects=["text-b.2-eta"],
    why="The factor 3 under the root is lost where eta_j is repeated.",
)
def half_width_at_a_scale():
    """Exponent of P_2, by the share of the deviation at a scale, repaired."""
    return Eq(3 * half_width(3 * k) ** 2 / (8 * radius**2), 2 * entropies / k)


@claim(
    "note-references",
    place="The main text and the supplement: references that point elsewhere, by the numbers that the statements have",
)
def references_that_point_elsewhere():
    """References to other statements than the ones that are meant."""
    return Noted(
        "no statement. Section 1 refers to Section 4.3 for 4.2, and Section 4.3 to Figure 3 for 2. Appendix C has Lemma 3 for 2, Proposition 4 for 3, "
        "Definition 9 for 7, and Remarks 12 and 13 for 11 and 12. The last step of Lemma 8 has (28) for (32), and Appendix D Theorem 5 for 4"
    )


@claim(
    "text-b.2-triangle",
    place="Appendix B.2, the bound on P_1, for coins: theta* has the chance a_0 of a 1, theta has a_1 "
    "within the distance t_0, and a bracket of that size has g_1 there as its upper end",
    given=near_coins,
    try_at=[{answer_0: "1/100", answer_1: "1/25", share: "9/100", radius: "13/180"}],
    fault="error",
    effect="The constant c_2 of Lemma 8 is smaller: 1/4 to 1/8 of the printed one by this proof.",
)
def triangle_inequality_of_squares_as_printed():
    """Squared distance to the end of a bracket, as printed."""
    return Le(upper_end(), 2 * radius**2)


@claim(
    "note-corollary-17",
    place="Corollary 17: f stands for exp(-(1 - k) Psi), and its powers 2, 8, 32, ... for a geometric "
    "series",
    given=lambda: [f <= Rational(1, 2)],
)
def sum_of_the_exponents():
    """Sum of the exponentials in Corollary 17."""
    return Le(f**2 / (1 - f**6), f)


@claim(
    "note-eq-33",
    place="Appendix B.2, before eq. 33: what is left of the mean, for h of at least t, h**2 = ratio",
    given=lambda: [ratio >= radius**2, lost_share(tau) < 1],
)
def deviation_from_the_mean():
    """Log likelihood ratio of n records, from the deviation of its mean."""
    return Le(
        -2 * (1 - lost_share(tau)) * n * ratio + k * n * radius**2,
        -2 * (1 - lost_share(tau) - k / 2) * n * radius**2,
    )


def bound_of_a_shell():
    """The bound of eq. 33 for a shell, by Lemma 16."""
    return (1 + scales) * exp(-weight * 2**count)


def over_the_shells(bound):
    """The sum of a bound over all shells."""
    return Sum(bound, (count, 0, shells))


@claim(
    "eq-34",
    place="Appendix B.2, eq. 34, its last inequality: L_0 is L, N_0 is N, and w_0 is c_2 n t**2",
    scope="the last inequality. The steps before it are eq-34.union and eq-34.shells. The "
    "printed threshold has 2**(j + 1), and (33) gives the bound for the threshold with 2**j (note-eq-34-shell); that the printed one fails "
    "is not shown",
    proof=lambda: [
        step(
            "shell by shell",
            Le(over_the_shells(bound_of_a_shell()), over_the_shells((scales + 1) * exp(-weight))),
        ),
    ],
)
def sum_over_the_shells():
    """Sum of the bounds for all shells, by the bound for the first one."""
    return Le(over_the_shells(bound_of_a_shell()), (shells + 1) * (scales + 1) * exp(-weight))


@claim(
    "eq-34.union",
    place="Appendix B.2, before eq. 34, its first member and the sum over the shells, with t = 1/4, for one record that is a coin: a_0 is the probability of a 1 under theta*, "
    "and two parameters, in two shells, have 1/2 and 9/10. A 1 puts the likelihood ratio above the level on both shells, a 0 on neither",
    given=lambda: [Eq(answer_0, Rational(1, 100))],
    try_at=[{answer_0: "1/100"}],
    fault="misprint",
    effect="None: the first member is at most the sum (eq-34.union-corrected, supported), as the proof needs.",
)
def shells_met_at_once_as_printed():
    """Probability that the likelihood ratio is large on one of two shells, by their sum, as printed."""
    return Eq(answer_0, answer_0 + answer_0)


@claim(
    "eq-34.shells",
    place="Appendix B.2, before eq. 34: the shells are those of h, from 2**j t**2 to 2**(j + 1) t**2, and (33), which is to bound each, is about h of at least the root of "
    "2**j t**2; j = count, H_0 is h**2",
    given=lambda: [
        sqrt(distance_0) >= 2**count * radius**2,
        sqrt(distance_0) < 2 ** (count + 1) * radius**2,
    ],
    try_at=[{count: 0, radius: "1/2", distance_0: "1/9"}],
    fault="misprint",
    effect="None: with h**2 for h the shells are those of (33) (eq-34.shells-corrected).",
)
def shells_of_the_distance_as_printed():
    """Distances of a shell, against the least distance in (33), as printed."""
    return Ge(sqrt(distance_0), sqrt(2**count * radius**2))


@claim(
    "eq-34.shells-corrected",
    place="Appendix B.2, before eq. 34, with shells of h**2, the set of (33) with 2**j t**2 for its square; j = count, H_0 is h**2",
    corrects=["eq-34.shells"],
    why="The shells are those of the squared distance.",
    given=lambda: [distance_0 >= 2**count * radius**2, distance_0 < 2 ** (count + 1) * radius**2],
)
def shells_of_the_squared_distance():
    """Distances of a shell, in the set of (33)."""
    least = 2**count * radius**2
    return [Ge(sqrt(distance_0), sqrt(least)), Le(sqrt(distance_0), sqrt(2 * least))]


@claim(
    "note-eq-34-shell",
    place="Appendix B.2, eq. 34: what (33) gives on the shell with h**2 from 2**j t**2 on: a log likelihood ratio above the threshold with the "
    "exponent 2**j is a deviation above k n 2**j t**2, as the mean is at most -2 (1 - rho) n h**2; h**2 = ratio, j = count",
    given=lambda: [ratio >= 2**count * radius**2, lost_share(tau) < 1],
)
def shell_of_the_ratio():
    """Log likelihood ratio on a shell, from the deviation of its mean."""
    return Le(
        -2 * (1 - lost_share(tau)) * n * ratio + k * n * 2**count * radius**2,
        -2 * (1 - lost_share(tau) - k / 2) * n * 2**count * radius**2,
    )


@claim("eq-29", place="Appendix B.2, eq. 29")
def shares_and_cuts():
    """Shares eta_j of the deviation, and cuts a_j."""
    return Noted("a definition; where eta_j is repeated it has another root, which is text-b.2-eta")


wide_0, wide_1 = symbols(
    "I_3 I_4",
    meaning="1 for the records at which u_j - l_j is at least a_(j + 1), 0 for others, at two scales",
)


def seen_or_not():
    """State that two numbers are indicators."""
    return [Or(Eq(one, 0), Eq(one, 1)) for one in (wide_0, wide_1)]


@claim(
    "text-b.2-partition",
    place="Appendix B.2, after eq. 30: the sets B_j are to be a partition. The conditions of B_j begin with i = 1, so that of B_1 has none at the scale 0: the sum of the "
    "indicators of B_0 and B_1 at a record",
    given=seen_or_not,
    try_at=[{wide_0: 1, wide_1: 1}],
    fault="misprint",
    effect="None: with i from 0 the sets are disjoint (text-b.2-partition-corrected, supported), and eq. 30 goes on with a partition.",
)
def parts_of_the_records_as_printed():
    """Number of the first two parts that a record is in, as printed."""
    return Le(wide_0 + wide_1, 1)


@claim(
    "text-b.2-partition-corrected",
    place="Appendix B.2, after eq. 30, with i from 0 in the conditions of B_j: the sum of the indicators of B_0 and B_1 at a record",
    corrects=["text-b.2-partition"],
    why="A record in B_0 must be outside the later sets, so their conditions begin with i = 0.",
    scope="the first two of the sets",
    given=seen_or_not,
)
def parts_of_the_records():
    """Number of the first two parts that a record is in."""
    return Le(wide_0 + (1 - wide_0) * wide_1, 1)


value = symbol("Z_0", meaning="the truncated log ratio of a record, of theta and theta*")
end_0, end_1, end_2 = symbols("U_0 U_1 U_2", meaning="upper ends u_j at a record, at three scales")
in_0, in_1, in_2 = symbols(
    "I_0 I_1 I_2", meaning="1 for the records in a part B_j of the sample space, 0 for others"
)


def left_in_the_parts():
    """The last sum of eq. 30."""
    return (value - end_0) * in_0 + (value - end_1) * in_1 + (value - end_2) * in_2


@claim(
    "eq-30",
    place="Appendix B.2, eq. 30, at a record, for N = 2",
    scope="N = 2, so three parts of the sample space",
    given=[Eq(in_0 + in_1 + in_2, 1)],
    proof=lambda: [
        step("the parts, for the first end", Eq(end_0 * (in_0 + in_1 + in_2), end_0)),
        step("and for the value", Eq(value * (in_0 + in_1 + in_2), value)),
    ],
)
def value_by_the_scales():
    """Truncated log ratio of a record, by its upper ends at all scales."""
    ends = ((end_0, in_0), (end_1, in_1), (end_2, in_2))
    first = end_0 + sum(e * i - end_0 * i for e, i in ends) + (value - sum(e * i for e, i in ends))
    second = end_0 + (end_1 - end_0) * in_1 + (end_1 - end_0 + (end_2 - end_1)) * in_2
    third = end_0 + (end_1 - end_0) * (in_1 + in_2) + (end_2 - end_1) * in_2
    return [
        Eq(value, first),
        Eq(value, second + left_in_the_parts()),
        Eq(value, third + left_in_the_parts()),
    ]


# --- constants ------------------------------------------------------------------------------------


@claim("text-b.2-c0", place="Appendix B.2, the constants: c_0, exactly and to two digits")
def constant_c_0():
    """Constant c_0 of Lemma 16."""
    return [
        Eq(moment_constant(tau_0), 25 * (4 - tau_0 / 2) / 16),
        Le(Abs(moment_constant(tau_0) - Rational(374, 100)), Rational(5, 1000)),
    ]


@claim("text-b.2-c1", place="Appendix B.2, the constants: c_1 = 2 (1 - rho - k/2)")
def constant_c_1():
    """Constant c_1 of Lemma 8."""
    return Eq(2 * (1 - lost_share(tau_0) - split / 2), Rational(1, 12))


@claim("text-b.2-c2", place="Appendix B.2, the constants: c_2 as (33) gives it")
def constant_c_2():
    """Constant c_2 of Lemma 8, as printed."""
    printed = Rational(4, 27) / (32 * moment_constant(tau_0) + Rational(8, 3))
    return [
        Eq((1 - split) * split**2 / (32 * moment_constant(tau_0) + 4 * split), printed),
        Le(Abs(printed - Rational(1212, 10**6)), Rational(1, 10**6)),
    ]


def entropy_constant():
    """Constant c of Lemma 8, as (26) gives it."""
    return sqrt(3) * split ** Rational(5, 2) / (2**10 * exp(tau_0 / 2))


@claim(
    "note-b.2-constants",
    place="Appendix B.2, the constants with both repairs, of text-b.2-triangle and of (33), for k = 2/3 and exp(tau/2) = 5: c_2, "
    "and c, from (26) with k/2 at the radius sqrt(2) t; the range of (19) is then from phi**2/2**11 to sqrt(2) phi, and c_1 = 1/12 stays",
)
def constants_of_lemma_8_repaired():
    """Constants c_2 and c of Lemma 8, with the repairs of its proof."""
    half = split / 2
    entropy = sqrt(3) * half ** Rational(5, 2) * 2 / (2**10 * exp(tau_0 / 2))
    second = (1 - half) * split**2 / (256 * moment_constant(tau_0) + 4 * split)
    return [
        Le(Abs(second - Rational(309, 10**6)), Rational(1, 10**6)),
        Le(Abs(entropy - Rational(434, 10**7)), Rational(1, 10**7)),
    ]


@claim(
    "text-b.2-c",
    place="Appendix B.2, the constants: c, as (26) gives it",
    fault="misprint",
    effect="None: 2**(-13), printed beside it, is right.",
)
def constant_c_as_printed():
    """Constant c of Lemma 8, as printed."""
    return Eq(entropy_constant(), 2 ** Rational(-15, 2) * 3 ** Rational(-3, 2) / 5)


@claim(
    "text-b.2-c-corrected",
    place="Appendix B.2, the constants: c, and its size",
    corrects=["text-b.2-c"],
    why="From (26) the power of 3 is -2.",
)
def constant_c():
    """Constant c of Lemma 8."""
    return [
        Eq(entropy_constant(), 2 ** Rational(-15, 2) * Rational(1, 9) / 5),
        Le(Abs(2**13 * entropy_constant() - 1), Rational(1, 100)),
    ]


def number_of_both():
    """The number (1 + L)(1 + N) of shells and scales, by their formulas."""
    return (1 + ceiling(2 * level - 1)) * (1 + ceiling(8 + level))


@claim(
    "text-b.2-shells",
    place="Lemma 8, its proof: (1 + L)(1 + N), N = ceil(8 + log2(1/t)), L = ceil(2 log2(1/t) - 1)",
    try_at=[{phi: "9/10"}],
    fault="boundary",
    effect="None for small phi_n, which the theorems have.",
)
def number_of_shellsas_printed():
    """Number of shells and scales in Lemma 8, as printed."""
    return Le(number_of_both(), 20 * Max(level, level**2))


@claim(
    "text-b.2-shells-corrected",
    place="Lemma 8, its proof, for t of at most 1/3",
    corrects=["text-b.2-shells"],
    why="Near 1 the logarithm is almost 0, and there are ten scales all the same.",
    given=lambda: [phi <= Rational(1, 3)],
    proof=lambda: [
        step("the logarithm to the base 2 of 3", Ge(level, Rational(31, 20))),
        step("so the square is the larger", Eq(Max(level, level**2), level**2)),
        step(
            "whole numbers from above",
            [Le(ceiling(2 * level - 1), 2 * level), Le(ceiling(8 + level), 9 + level)],
        ),
        step("the second is not negative", Ge(ceiling(8 + level), 0)),
        step("their product", Le(number_of_both(), (1 + 2 * level) * (10 + level))),
        step("against the square", Le((1 + 2 * level) * (10 + level), 20 * level**2)),
    ],
)
def number_of_shells():
    """Number of shells and scales in Lemma 8."""
    return Le(number_of_both(), 20 * Max(level, level**2))
