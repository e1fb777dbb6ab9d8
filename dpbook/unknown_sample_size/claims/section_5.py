"""Section 5: the sampler whose number of rows moves, and Monte Carlo EM."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, Min, Rational, exp, log, oo

from dpbook import Noted, claim, derivative, for_all, step
from dpbook.privacy.any_distributions import AnyDistribution
from dpbook.privacy.distributions import Bernoulli
from dpbook.unknown_sample_size.any_models import AnyMechanism, AnySizes, dataset
from dpbook.unknown_sample_size.notation import (
    cost_draw,
    cost_jump,
    cost_swap,
    down,
    draws,
    eps_n,
    eps_s,
    f_3,
    f_4,
    f_new,
    f_old,
    failures_1,
    failures_2,
    g_0,
    g_00,
    g_01,
    g_1,
    g_11,
    g_new,
    g_old,
    laplace_kernel,
    latent_1,
    latent_2,
    latent_new_1,
    latent_new_2,
    n,
    n_0,
    n_dp,
    new_row,
    new_toss,
    old_row,
    ones,
    ones_1,
    ones_2,
    poisson_rate,
    rest,
    rows,
    s,
    sensitivity,
    size_new,
    size_old,
    statistic_new,
    statistic_old,
    theta,
    toss,
    tosses,
    total,
    up,
)

# --- any model and any mechanism ------------------------------------------------------------------

ROW = AnyDistribution("p")  # of a record, given the parameter
RELEASE = AnyMechanism("g")  # p(s | x) at the release s, as a function of the dataset x
REST = AnyMechanism("r")  # p(theta) and the densities of the rows that a step leaves alone
PRIOR, NOISY = AnySizes("pi"), AnySizes("eta")  # p(n), and p(n_dp | n) at the noisy number
UP, DOWN = AnySizes("q_up"), AnySizes("q_down")  # q(n + 1 | n), and q(n - 1 | n)


def evidence():
    """State that the release has a density given the parameter, whatever the other rows are."""
    mean = Integral(ROW.density(new_row) * RELEASE(dataset(rows, new_row)), (new_row, -oo, oo))
    return for_all(rows, Ge(mean, 0))


# --- Algorithm 1: what each step keeps ------------------------------------------------------------


@claim("algorithm-1", place="Algorithm 1, one cycle")
def cycle():
    """Cycle of the sampler with births and deaths."""
    return Noted(
        "a definition: theta from p(theta | x), each row against a new one by eq. 4, then a birth or "
        "a death by eq. 5; each step is in balance with the posterior (note-theta-balance, "
        "note-swap-balance, note-jump-balance), so their composition keeps it. The kernel has no "
        "distributions of any model; tiny models are enumerated whole by FiniteModel, in exact fractions"
    )


@claim(
    "note-theta-balance",
    place="Algorithm 1, step 1(a), for any densities: the joint density at two parameters, and each "
    "over the evidence of the rows, which does not depend on the parameter",
)
def balance_of_the_parameter():
    """Detailed balance of a draw of the parameter."""
    return Eq(g_old * (g_new / rest), g_new * (g_old / rest))


def replaced(old, new):
    """Acceptance probability of eq. 4."""
    return Min(1, RELEASE(dataset(rows, new)) / RELEASE(dataset(rows, old)))


def with_row(row):
    """Posterior of a row given all else, up to its constant."""
    return ROW.density(row) * RELEASE(dataset(rows, row))


def kept_by_a_swap():
    """State that the density of a row, given all else, is the same after a swap."""
    back = with_row(new_row) * ROW.density(old_row) * replaced(new_row, old_row)
    leave = Integral(ROW.density(new_row) * replaced(old_row, new_row), (new_row, -oo, oo))
    stays = with_row(old_row) * (1 - leave)
    return for_all(rows, old_row, Eq(Integral(back, (new_row, -oo, oo)) + stays, with_row(old_row)))


@claim(
    "eq-4",
    place="eq. 4, for any density p of a row, and any density g of the release that is positive, and measurable "
    "and bounded in a row, as Proposition 5.3 assumes; the other rows are d. First the balance, then the density "
    "at a row y after the step: what arrives and what stays",
    given=lambda: [evidence()],
)
def acceptance_of_a_swap():
    """Balance of a swap of one row with the posterior, and the posterior after it."""
    there = with_row(old_row) * ROW.density(new_row) * replaced(old_row, new_row)
    back = with_row(new_row) * ROW.density(old_row) * replaced(new_row, old_row)
    return [for_all(rows, old_row, new_row, Eq(there, back)), kept_by_a_swap()]


def swap():
    """Flow of a swap of one row, and of the swap back."""
    return (
        rest * f_old * g_old * f_new * Min(1, g_new / g_old),
        rest * f_new * g_new * f_old * Min(1, g_old / g_new),
    )


@claim(
    "note-swap-balance",
    place="eq. 4, for any densities: target times proposal times acceptance, both ways",
)
def balance_of_a_swap():
    """Detailed balance of a swap of one row."""
    return Eq(*swap())


def coin_swap():
    """Return the terms of eq. 4 for tosses of a coin."""
    return {
        rest: 1,
        f_old: Bernoulli(theta).density(toss),
        f_new: Bernoulli(theta).density(new_toss),
        g_old: laplace_kernel(s, total + toss, eps_s),
        g_new: laplace_kernel(s, total + new_toss, eps_s),
    }


@claim(
    "eq-4-bernoulli",
    place="eq. 4, for a coin and a sum with Laplace noise; t is the sum of the other rows",
    using=[("note-swap-balance", coin_swap)],
)
def acceptance_of_a_swap_of_tosses():
    """Detailed balance of a swap of one row, for tosses of a coin."""
    return Eq(*(flow.xreplace(coin_swap()) for flow in swap()))


def jump(to, back, acceptance=None):
    """Flow of a birth, and of the death that undoes it, with q(n* | n) = to and q(n | n*) = back."""
    ratio = size_new * g_new * back / (size_old * g_old * to)
    birth = rest * size_old * g_old * to * f_new * Min(1, ratio)
    death = rest * size_new * g_new * f_new * back * Min(1, 1 / ratio)
    return birth, death


@claim(
    "note-jump-ratio",
    place="eq. 5, for any densities: the ratio of Metropolis, Hastings and Green, whose Jacobian is 1; "
    "the density of the row that is born cancels",
)
def ratio_of_a_jump():
    """Ratio of a birth: target times proposal after it, over the same before it."""
    return Eq(
        (rest * size_new * g_new * f_new * down) / (rest * size_old * g_old * f_new * up),
        (size_new * g_new * down) / (size_old * g_old * up),
    )


@claim(
    "note-jump-balance",
    place="eq. 5, for any densities and any proposal of n: the last row dies, or a new one is "
    "appended; rest is p(theta) and the rows that stay",
)
def balance_of_a_jump():
    """Detailed balance of a birth and the death of the last row."""
    return Eq(*jump(up, down))


@claim(
    "note-jump-balance-boundary",
    place="eq. 5 between n = 1 and n = 2, where q(2 | 1) = 1 and q(1 | 2) = 1/2",
)
def balance_of_a_jump_at_the_boundary():
    """Detailed balance of a jump at the smallest number of records."""
    ratio = size_new * g_new / (2 * size_old * g_old)
    return Eq(
        rest * size_old * g_old * f_new * Min(1, ratio),
        rest * size_new * g_new * f_new * Rational(1, 2) * Min(1, 1 / ratio),
    )


@claim(
    "note-block-balance",
    place="eq. 5, for blocks: three rows are born at once, or the last three die; the ratio is the same",
)
def balance_of_a_block():
    """Detailed balance of the birth of several rows at once."""
    ratio = size_new * g_new * down / (size_old * g_old * up)
    born = f_new * f_3 * f_4
    return Eq(
        rest * size_old * g_old * up * born * Min(1, ratio),
        rest * size_new * g_new * born * down * Min(1, 1 / ratio),
    )


def sizes(at):
    """p(n) p(n_dp | n) under a flat prior and Laplace noise."""
    return laplace_kernel(n_dp, at, eps_n)


def coin_jump():
    """Return the terms of eq. 5 for tosses of a coin, from n + 1 rows to n + 2."""
    return {
        rest: 1,
        size_old: sizes(n + 1),
        size_new: sizes(n + 2),
        g_old: laplace_kernel(s, total, eps_s),
        g_new: laplace_kernel(s, total + toss, eps_s),
        f_new: Bernoulli(theta).density(toss),
        up: Rational(1, 2),
        down: Rational(1, 2),
    }


def with_noisy_number(at, data):
    """Return the factors p(n) and p(n_dp | n) of the target, with the density of the release."""
    return PRIOR(at) * NOISY(at) * RELEASE(data)


def without_noisy_number(at, data):
    """Return the factor p(n) of the target, with the density of the release."""
    return PRIOR(at) * RELEASE(data)


def born(at, low, high, with_size=with_noisy_number):
    """Acceptance probability of eq. 5, from n rows to n + 1."""
    return Min(1, with_size(at + 1, high) * DOWN(at + 1) / (with_size(at, low) * UP(at)))


def dead(at, low, high, with_size=with_noisy_number):
    """Acceptance probability of eq. 5, from n + 1 rows to n."""
    return Min(1, with_size(at, low) * UP(at) / (with_size(at + 1, high) * DOWN(at + 1)))


def of_more_rows(at, data, with_size):
    """Return the flow from one row more, and the probability of a birth.

    The densities of the present rows are left out.
    """
    more, born_row = dataset(data, new_row), ROW.density(new_row)
    comes = born_row * with_size(at + 1, more) * DOWN(at + 1) * dead(at, data, more, with_size)
    goes = UP(at) * born_row * born(at, data, more, with_size)
    return comes, Integral(goes, (new_row, -oo, oo))


def jumps(with_size):
    """Balance of a birth and a death, and the posterior after a jump, at the least number, between, and at the largest."""
    more, row = dataset(rows, old_row), ROW.density(old_row)
    birth = REST(rows) * with_size(n, rows) * UP(n) * row * born(n, rows, more, with_size)
    dies = DOWN(n + 1) * dead(n, rows, more, with_size)
    death = REST(rows) * row * with_size(n + 1, more) * dies
    least = REST(rows) * with_size(n, rows)
    comes_down, goes_up = of_more_rows(n, rows, with_size)
    arrives_down = Integral(REST(rows) * comes_down, (new_row, -oo, oo))
    here = REST(rows) * row * with_size(n + 1, more)
    comes, goes = of_more_rows(n + 1, more, with_size)
    arrives = birth + Integral(REST(rows) * row * comes, (new_row, -oo, oo))
    return [
        for_all(rows, old_row, Eq(birth, death)),
        for_all(rows, Eq(arrives_down + least * (1 - goes_up), least)),
        for_all(rows, old_row, Eq(arrives + here * (1 - dies - goes), here)),
        for_all(rows, old_row, Eq(birth + here * (1 - dies), here)),
    ]


@claim(
    "eq-5",
    place="eq. 5, for any densities p and g as in eq-4, any p(n) that is positive in an interval and p(n_dp | n) that is positive, "
    "and any proposal q. First the balance of a birth and the death of the last row; then the density after a jump: at n rows, the least "
    "number of the interval, where none dies; at n + 1 rows, the last of which is y, inside of it; and at n + 1 rows, the largest number, "
    "where none is born",
    time_limit=60,
    given=lambda: [evidence()],
)
def acceptance_of_a_jump():
    """Balance of a birth and a death with the posterior, and the posterior after a jump."""
    return jumps(with_noisy_number)


@claim(
    "eq-5-bernoulli",
    place="eq. 5, for a coin, a sum and a number of records with Laplace noise, a flat prior, from "
    "n + 1 >= 2 rows to one more; t is the sum of the rows that stay",
    using=[("note-jump-balance", coin_jump)],
)
def acceptance_of_a_jump_of_tosses():
    """Detailed balance of a birth and a death, for tosses of a coin."""
    parts = coin_jump()
    return Eq(*(flow.xreplace(parts) for flow in jump(up, down)))


@claim(
    "note-no-q-ratio",
    place="eq. 5 without q(n | n*) / q(n* | n), between n = 1 and n = 2",
    effect="Ours, not the paper's: what goes wrong when the factor is forgotten. The chain then has "
    "half the mass at n = 1 that it should have.",
)
def balance_without_the_proposal_ratio():
    """Detailed balance of a jump at the smallest number of records, without the proposal's ratio."""
    ratio = size_new * g_new / (size_old * g_old)
    return Eq(
        rest * size_old * g_old * f_new * Min(1, ratio),
        rest * size_new * g_new * f_new * Rational(1, 2) * Min(1, 1 / ratio),
    )


PROGRAM = (
    "https://github.com/anfebar/Statistical-Inference-for-Privatized-Data-with-Unknown-Sample-Size, commit 0a7ccf7, "
    "Section6.1/linearregression_gibbs_unbounded_fullprior_felipe.R"
)

# --- which row dies -------------------------------------------------------------------------------
# one row or two, a coin; c_1 and c_2 are the weights of n = 1 and n = 2. States: (x), (x, y)


def target(*rows):
    """Target at one row or two of a coin."""
    release = {1: (g_0, g_1), 2: (g_00, g_01, g_11)}[len(rows)][sum(rows)]
    found = (size_old if len(rows) == 1 else size_new) * release
    for row in rows:
        found = found * (theta if row else 1 - theta)
    return found


def born_probability(first, second):
    """Probability of a birth from (first) to (first, second): proposal times acceptance."""
    chance = theta if second else 1 - theta
    before = size_old * {0: g_0, 1: g_1}[first]
    after = size_new * {0: g_00, 1: g_01, 2: g_11}[first + second]
    return chance * Min(1, after / (2 * before))


def death_acceptance(first, second, left):
    """Acceptance of a death that leaves one row."""
    before = size_new * {0: g_00, 1: g_01, 2: g_11}[first + second]
    after = size_old * {0: g_0, 1: g_1}[left]
    return Min(1, 2 * after / before)


def after_appending(first, second, *, anywhere):
    """Probability of (first, second) after one jump that starts from the target."""
    if anywhere:
        dies = (
            death_acceptance(first, second, first) + death_acceptance(first, second, second)
        ) / 4
    else:
        dies = death_acceptance(first, second, first) / 2
    births = target(first) * born_probability(first, second)
    return births + target(first, second) * (1 - dies)


@claim(
    "note-append-and-die-anywhere",
    place="Algorithm 1, step 2, with births appended and a row that dies anywhere, as in the functions update_XiYi_gibbs_add and "
    f"update_XiYi_gibbs_delete of {PROGRAM}: the mass of the rows (0, 1) after a jump from the posterior; a coin of known theta, n = 1 "
    "or 2",
    fault="code",
    effect="Together with a sweep of the rows in their order the chain misses the posterior, by 0.3 to "
    "3 % in total variation on small examples. The last row may die, as in the paper, or rows may be "
    "born in any place and die anywhere.",
)
def rows_in_order_after_a_jump_as_coded():
    """Distribution of the rows in their order after a jump, births appended and deaths anywhere."""
    return Eq(after_appending(0, 1, anywhere=True), target(0, 1))


@claim(
    "note-append-and-last-dies",
    place="Algorithm 1, step 2, as the paper has it: births appended, the last row dies; a coin of "
    "known theta, n = 1 or 2",
    corrects=["note-append-and-die-anywhere"],
    why="A row that is appended can be undone at once only by the death of the last row.",
)
def rows_in_order_after_a_jump():
    """Distribution of the rows in their order after a jump, births appended and deaths of the last."""
    return Eq(after_appending(0, 1, anywhere=False), target(0, 1))


@claim(
    "note-append-unordered",
    place="Algorithm 1, step 2, with births appended and a row that dies anywhere: the mass of the two "
    "orders of 0 and 1 together",
)
def rows_without_order_after_a_jump():
    """Distribution of the rows without their order after a jump, births appended and deaths anywhere."""
    return Eq(
        after_appending(0, 1, anywhere=True) + after_appending(1, 0, anywhere=True),
        target(0, 1) + target(1, 0),
    )


@claim(
    "note-leaked-n",
    place=f"eq. 5 in the function get_logeta of {PROGRAM}: the difference of log likelihoods of n and n + 1 "
    "rows. diag(T3)[2:length(T2)] with a T2 of one entry has an index that runs from 2 down to 1, and takes the entry (1, 1) of the "
    "matrix into the release, which is n itself. n_0 is the true number, t and t + u the sums",
    fault="code",
    effect="The published Table 1 shows n learned from s, and Figure 2 a chain that finds n = 1000. By "
    "eq. 4 and 5 as the paper states them there is no such term (note-proper-n).",
)
def leaked_number_of_records():
    """Log likelihood ratio of one more row, with the entry (1, 1) and without it."""
    scale = eps_s / sensitivity
    proper = -scale * (Abs(s - total - statistic_new) - Abs(s - total))
    leak = -scale * (Abs(n_0 - (n + 1)) - Abs(n_0 - n))
    return Eq(proper + leak, proper)


@claim(
    "note-proper-n",
    place="eq. 5 for the release of Section 6.1, which has no entry for n: the difference of log likelihoods of n and n + 1 rows, from the two "
    "densities of the noise",
    corrects=["note-leaked-n"],
    why="The sums are released, and the number of records is not one of them.",
)
def log_ratio_without_the_number():
    """Log likelihood ratio of one more row, from the densities of the release."""
    scale = eps_s / sensitivity
    more = laplace_kernel(s, total + statistic_new, scale)
    return Eq(
        log(more / laplace_kernel(s, total, scale)),
        -scale * (Abs(s - total - statistic_new) - Abs(s - total)),
    )


# --- how often it moves ---------------------------------------------------------------------------


def laplace_log_ratio(new, old):
    """Log density of Laplace noise of scale sensitivity over epsilon, at one sum less at another."""
    return -eps_s / sensitivity * (Abs(s - new) - Abs(s - old))


def private_releases():
    """State that the release is private for a dataset of two rows or more, with and without each of its last two rows."""
    less = dataset(rows, old_row)
    more = RELEASE(dataset(less, new_row))
    return for_all(
        rows,
        old_row,
        new_row,
        [
            part
            for data in (less, dataset(rows, new_row))
            for part in (
                Le(more, exp(eps_s) * RELEASE(data)),
                Le(RELEASE(data), exp(eps_s) * more),
            )
        ],
    )


def within_two_steps():
    """Bound on the density after a swap, by the density before it."""
    return Ge(RELEASE(dataset(rows, new_row)), exp(-2 * eps_s) * RELEASE(dataset(rows, old_row)))


def private_sizes():
    """State that the noisy number is private."""
    return for_all(
        n, [Le(NOISY(n + 1), exp(eps_n) * NOISY(n)), Le(NOISY(n), exp(eps_n) * NOISY(n + 1))]
    )


@claim(
    "proposition-5.1",
    place="Proposition 5.1, for any mechanisms that are private in the unbounded sense, with densities g and "
    "eta of what was seen, a row z, and rows d and y, the last of n: swaps of z for y; births of z and its death, a flat prior, where q cancels; a birth "
    "from n = 1, where q(1 | 2)/q(2 | 1) is 1/2, and the death back to n = 1, where it is 2",
    given=lambda: [private_releases(), private_sizes()],
    proof=lambda: [
        step("a swap, over both rows", for_all(rows, old_row, new_row, within_two_steps())),
    ],
)
def least_acceptance():
    """Least acceptance probabilities of swaps and jumps."""
    data = dataset(rows, old_row)
    more = dataset(data, new_row)
    jump_ratio = RELEASE(more) * NOISY(n + 1) / (RELEASE(data) * NOISY(n))
    first = RELEASE(more) * NOISY(2) / (RELEASE(data) * NOISY(1))
    both = exp(-(eps_s + eps_n))
    return [
        for_all(rows, old_row, new_row, Ge(replaced(old_row, new_row), exp(-2 * eps_s))),
        for_all(
            n,
            rows,
            old_row,
            new_row,
            [Ge(Min(1, jump_ratio), both), Ge(Min(1, 1 / jump_ratio), both)],
        ),
        for_all(
            rows,
            old_row,
            new_row,
            [
                Ge(Min(1, first * Rational(1, 2)), both / 2),
                Ge(Min(1, 1 / (first * Rational(1, 2))), both),
            ],
        ),
    ]


@claim(
    "text-5.1-cancel",
    place="Proof of Proposition 5.1, part 2: for n >= 2 q(n | n*) and q(n* | n) are to cancel; n = 2 and n* = 1, where q(2 | 1) = 1 and q(1 | 2) = 1/2",
    fault="boundary",
    effect="None: the factor is 2 there, and the bound holds all the more (proposition-5.1).",
)
def proposals_as_printed():
    """Factor of the proposals in eq. 5, from two rows to one, as printed."""
    return Eq(1 / Rational(1, 2), 1)


@claim(
    "text-5.1-cancel-corrected",
    place="Proof of Proposition 5.1, part 2, repaired: for n >= 2 the factor q(n | n*) / q(n* | n) is 1, or 2 where n = 2 and n* = 1",
    corrects=["text-5.1-cancel"],
    why="From one row the proposal is always a birth, so from two rows to one the factor is 2, which is not below 1.",
)
def proposals_repaired():
    """Factor of the proposals in eq. 5, from two rows or more, repaired."""
    return [Ge(Rational(1, 2) / Rational(1, 2), 1), Ge(1 / Rational(1, 2), 1)]


@claim(
    "proposition-5.1.i-laplace",
    place="Proposition 5.1, swaps, for one sum with Laplace noise; t is the sum of the other rows",
)
def acceptance_of_swaps():
    """Acceptance probability of a swap under Laplace noise."""
    return Ge(
        Min(1, exp(laplace_log_ratio(total + statistic_new, total + statistic_old))),
        exp(-2 * eps_s),
    )


@claim(
    "proposition-5.1.ii-laplace",
    place="Proposition 5.1, births from n >= 2 rows, a flat prior, for one sum and a number of records with "
    "Laplace noise",
    time_limit=60,
)
def acceptance_of_jumps():
    """Acceptance probability of a birth under Laplace noise."""
    ratio = exp(
        laplace_log_ratio(total + statistic_new, total)
        - eps_n * (Abs(n_dp - (n + 1)) - Abs(n_dp - n))
    )
    return [
        Ge(Min(1, ratio), exp(-(eps_s + eps_n))),
        Ge(Min(1, ratio / 2), exp(-(eps_s + eps_n)) / 2),
    ]


@claim(
    "remark-5.2",
    place="Remark 5.2: a draw of theta takes k_1 n, a swap k_2 and a jump k_3, as under record additivity a proposal "
    "changes the sum by two terms; without it they take k_2 n and k_3 n. A cycle has n swaps: O(n), and O(n^2)",
    scope="the sum of the costs; that a swap takes a bounded time under record additivity, and a time in proportion to n without it, is "
    "in words",
)
def cost_of_a_cycle():
    """Cost of a cycle, with record additivity and without."""
    most = cost_draw + cost_swap + cost_jump
    return [
        Le(cost_draw * n + n * cost_swap + cost_jump, most * n),
        Le(cost_draw * n + n * (cost_swap * n) + cost_jump * n, most * n**2),
    ]


@claim(
    "proposition-5.3",
    place="Proposition 5.3: for any densities p, g, p(n) and p(n_dp | n) that are positive, every proposal of a "
    "swap, a birth or a death has a positive density, and is accepted with a positive probability. So a path of "
    "positive density leads from any rows to any others; eq-4 and eq-5 have the invariance",
    scope="positivity and invariance of the moves, for a p(n) that is positive for every n of at least 1; that a chain with both is ergodic is the theorem "
    "that the proof cites. The proof speaks of balance of the whole cycle, which fails (note-sweep-reversible), "
    "and its bounded densities are not met by the paper's own examples",
    cites=["eq-4", "eq-5", "note-sweep-reversible"],
    given=lambda: [for_all(new_row, Gt(ROW.density(new_row), 0))],
)
def ergodicity():
    """Densities of the moves of the sampler."""
    more = dataset(rows, new_row)
    return [
        for_all(rows, old_row, new_row, Gt(ROW.density(new_row) * replaced(old_row, new_row), 0)),
        for_all(rows, new_row, Gt(UP(n) * ROW.density(new_row) * born(n, rows, more), 0)),
        for_all(rows, new_row, Gt(DOWN(n + 1) * dead(n, rows, more), 0)),
    ]


@claim(
    "proposition-5.4",
    place="Proposition 5.4: for any mechanism that is epsilon_s-private, the density of the move from any row to "
    "another is at least exp(-2 epsilon_s) times that of the model, whatever the row was. Row by row, that is "
    "a density from below for each n, which is Doeblin's condition",
    scope="the density from below of a swap; what Doeblin's condition gives in each step is note-doeblin. "
    "The proof invokes Lemma A.15, which demands reversible kernels within each n; a sweep is none "
    "(note-sweep-reversible)",
    cites=["proposition-5.1", "note-sweep-reversible"],
    given=lambda: [private_releases()],
    proof=lambda: [
        step("a swap, over both rows", for_all(rows, old_row, new_row, within_two_steps())),
    ],
)
def geometric_ergodicity():
    """Density of a swap from any row, and of the model."""
    moved = ROW.density(new_row) * replaced(old_row, new_row)
    return for_all(rows, old_row, new_row, Ge(moved, exp(-2 * eps_s) * ROW.density(new_row)))


@claim(
    "note-sweep-reversible",
    place="Proofs of Propositions 5.3 and 5.4: a sweep over two rows of a fair coin at fixed n, from the "
    "rows (0, 1) to (1, 0) and back; the sweep goes through (1, 1), or through (0, 0)",
    fault="error",
    effect="The proof of Proposition 5.4 needs it, for property 2 of Lemma A.15. Each row's step is "
    "reversible and the sweep keeps the posterior (note-sweep-invariant), which is what Proposition 5.3 needs. "
    "Lemma A.15 cannot be applied to a sweep; a random or a palindromic order of the rows would do (note-palindrome).",
)
def balance_of_a_sweep():
    """Detailed balance of a sweep over two rows."""
    half = Rational(1, 2)
    over = half * Min(1, g_11 / g_01) * half * Min(1, g_01 / g_11)
    under = half * Min(1, g_00 / g_01) * half * Min(1, g_01 / g_00)
    return Eq(g_01 * over, g_01 * under)


@claim(
    "note-palindrome",
    place="Proofs of Propositions 5.3 and 5.4, for a sweep over two rows of a fair coin at fixed n in the order 1, 2, 1: from the rows (0, 1) to "
    "(1, 0), where the first row goes to 1, the second to 0 and the first stays, or the first stays, the second goes to 0 and the first to 1",
    corrects=["note-sweep-reversible"],
    why="A sweep in one order is not its own reverse; one there and back is.",
)
def balance_of_a_palindromic_sweep():
    """Detailed balance of a sweep over two rows, there and back."""
    half = Rational(1, 2)

    def move(old, new):
        return half * Min(1, new / old)

    def flow(stays):
        over = move(g_01, g_11) * move(g_11, g_01) * stays(g_01, g_00)
        under = stays(g_01, g_11) * move(g_01, g_00) * move(g_00, g_01)
        return g_01 * (over + under)

    return Eq(
        flow(lambda old, new: 1 - move(old, new)),
        g_01
        * (
            (1 - move(g_01, g_00)) * move(g_01, g_11) * move(g_11, g_01)
            + move(g_01, g_00) * move(g_00, g_01) * (1 - move(g_01, g_11))
        ),
    )


@claim(
    "note-sweep-invariant",
    place="Algorithm 1, step 1(b): the mass of the rows (0, 1) of a fair coin after a sweep from the "
    "posterior, row by row",
)
def sweep_keeps_the_posterior():
    """Distribution of two rows after a sweep."""
    half = Rational(1, 2)

    def move(old, new):
        return half * Min(1, new / old)

    # the first row, from (1, 1); then the second, from (0, 0)
    first_01 = g_11 * move(g_11, g_01) + g_01 * (1 - move(g_01, g_11))
    first_00 = g_01 * move(g_01, g_00) + g_00 * (1 - move(g_00, g_01))
    return [
        Eq(first_01, g_01),
        Eq(first_00, g_00),
        Eq(g_00 * move(g_00, g_01) + g_01 * (1 - move(g_01, g_00)), g_01),
    ]


@claim(
    "remark-5.5",
    place="Remark 5.5, as eq-5, where no noisy number is released, with the ratio of eq. 5 without p(n_dp | n)",
    time_limit=60,
    given=lambda: [evidence()],
)
def no_noisy_number():
    """Balance of a birth and a death, and the posterior after a jump, without a noisy number."""
    return jumps(without_noisy_number)


# --- Monte Carlo EM -------------------------------------------------------------------------------


@claim("text-5.2-q", place="Section 5.2, the function Q, and its mean Q_m over draws")
def expected_log_likelihood():
    """Expected complete log likelihood."""
    return Noted("a definition")


def mean_log_likelihood():
    """Q_m for tosses of a coin: the log likelihood of all latent tosses, over the number of draws."""
    return (ones * log(theta) + (tosses - ones) * log(1 - theta)) / draws


def sum_of_scores():
    """The sum in the gradient step, over all latent tosses of all draws."""
    return ones / theta - (tosses - ones) / (1 - theta)


@claim(
    "algorithm-2",
    place="Algorithm 2, its M-step, and Section 5.2",
    scope="tosses of a coin, T_1 ones among all N tosses of m_1 draws, by the reading that the step goes along the gradient of Q_m itself, which is a "
    "mean over the draws; the learning rate, which is not given, may hold the factor",
    try_at=[{draws: 2, ones: 1, tosses: 4, theta: "1/2"}],
    fault="misprint",
    effect="None where the learning rate holds the factor 1/m; the text gives no rate.",
)
def gradient_step_as_printed():
    """Sum in the gradient step, against the gradient of Q_m, as printed."""
    return Eq(sum_of_scores(), derivative(mean_log_likelihood(), theta))


@claim(
    "algorithm-2-corrected",
    place="Algorithm 2, its M-step, for tosses of a coin",
    corrects=["algorithm-2"],
    why="The step lacks the factor 1/m of Q_m.",
    scope="tosses of a coin",
)
def gradient_step():
    """Sum in the gradient step over the number of draws, against the gradient of Q_m."""
    return Eq(sum_of_scores() / draws, derivative(mean_log_likelihood(), theta))


@claim(
    "text-5.2-descent",
    place="Section 5.2, the words 'gradient descent step' for the step of Algorithm 2, for tosses of a coin: to first order Q_m is to fall along it",
    try_at=[{draws: 1, ones: 1, tosses: 4, theta: "1/2"}],
    fault="misprint",
    effect="None: the displayed step has the sign of an ascent.",
)
def descent_as_printed():
    """Change of Q_m along the gradient step, to first order, as printed."""
    return Le(derivative(mean_log_likelihood(), theta) * sum_of_scores(), 0)


@claim(
    "text-5.2-descent-corrected",
    place="Section 5.2, the step of Algorithm 2, for tosses of a coin",
    corrects=["text-5.2-descent"],
    why="The step adds the gradient, so it ascends.",
    scope="tosses of a coin",
)
def ascent():
    """Change of Q_m along the gradient step, to first order."""
    return Ge(derivative(mean_log_likelihood(), theta) * sum_of_scores(), 0)


@claim(
    "note-em-ascent",
    place="Section 5.2, why EM climbs: the log likelihood gains at least what Q gains; two latent "
    "datasets, which stand for a mean",
)
def ascent_of_em():
    """Gain of the log likelihood, against the gain of Q."""
    weight = latent_1 / (latent_1 + latent_2)
    gain = weight * log(latent_new_1 / latent_1) + (1 - weight) * log(latent_new_2 / latent_2)
    return Ge(log((latent_new_1 + latent_new_2) / (latent_1 + latent_2)), gain)


def coin_likelihood(zeros, successes):
    """Likelihood of tosses."""
    return theta**successes * (1 - theta) ** zeros


@claim(
    "note-fisher-identity",
    place="Section 5.2: the score of the release is the mean score of the latent tosses; two latent "
    "datasets of a coin, with any weights p(s | x) p(n)",
)
def fisher_identity():
    """Score of the release, and the posterior mean of the complete score."""
    first = g_old * coin_likelihood(failures_1, ones_1)
    second = g_new * coin_likelihood(failures_2, ones_2)
    score_1 = ones_1 / theta - failures_1 / (1 - theta)
    score_2 = ones_2 / theta - failures_2 / (1 - theta)
    return Eq(
        derivative(log(first + second), theta),
        (first * score_1 + second * score_2) / (first + second),
    )


def log_odds():
    """Natural parameter of the Bernoulli family."""
    return log(theta / (1 - theta))


@claim(
    "example-5.6",
    place="Example 5.6, the sign in its equation, for the Bernoulli family, where eta = ln(theta / (1 - theta)) and, with the sign "
    "that the print gives A, A = ln(1 - theta): the equation of the M-step, at the maximiser T / N; the factor N stands as repaired (example-5.6.number)",
    given=[Eq(theta * tosses, ones)],
    try_at=[{tosses: 2, ones: 1, theta: "1/2"}],
    fault="error",
    effect="The gradient step below it has the same sign, and so stops elsewhere. The closed forms for the models of Section 6 are not touched.",
)
def m_step_as_printed():
    """Equation of the M-step of an exponential family, with the sign as printed."""
    return Eq(derivative(log_odds(), theta) * ones, tosses * derivative(log(1 - theta), theta))


@claim(
    "example-5.6.number",
    place="Example 5.6, its equation without the number of latent records, for the Bernoulli family, as example-5.6; the sign stands as repaired",
    given=[Eq(theta * tosses, ones)],
    try_at=[{tosses: 2, ones: 1, theta: "1/2"}],
    fault="error",
    effect="The gradient step below it lacks the number too. The closed forms for the models of Section 6 are not touched.",
)
def m_step_without_the_number():
    """Equation of the M-step of an exponential family, without a number of records as printed."""
    return Eq(derivative(log_odds(), theta) * ones, -derivative(log(1 - theta), theta))


def m_step_equation():
    """The equation of the M-step for the Bernoulli family, with the number of records and the sign."""
    return Eq(derivative(log_odds(), theta) * ones, -tosses * derivative(log(1 - theta), theta))


@claim(
    "example-5.6-corrected-bernoulli",
    place="Example 5.6, repaired, for the Bernoulli family",
    given=[Eq(theta * tosses, ones)],
)
def m_step_of_tosses():
    """Equation of the M-step of the Bernoulli family."""
    return m_step_equation()


@claim(
    "example-5.6-corrected",
    place="Example 5.6, repaired: eta'(theta) T = -N A'(theta)",
    corrects=["example-5.6", "example-5.6.number"],
    why="Each of the N latent records has a term A(theta), and exp(eta T + A) has the sign + before it.",
    scope="the Bernoulli family",
    given=[Eq(theta * tosses, ones)],
    using=["example-5.6-corrected-bernoulli"],
)
def m_step():
    """Equation of the M-step of an exponential family, repaired."""
    return m_step_equation()


@claim(
    "note-m-step-bernoulli",
    place="Example 5.6, the Bernoulli family: the share of ones maximises",
)
def maximiser_of_tosses():
    """Log likelihood of all latent tosses, at any theta and at its maximiser."""
    best = ones / tosses
    return Le(
        ones * log(theta) + (tosses - ones) * log(1 - theta),
        ones * log(best) + (tosses - ones) * log(1 - best),
    )


@claim("note-m-step-poisson", place="Example 5.6, the Poisson family: the mean maximises")
def maximiser_of_counts():
    """Log likelihood of all latent counts, at any rate and at its maximiser."""
    best = ones / tosses
    return Le(ones * log(poisson_rate) - tosses * poisson_rate, ones * log(best) - tosses * best)


@claim(
    "remark-5.7",
    place="Remark 5.7, any density of a row and of the release, as eq-4: at a public n and a fixed theta the sampler is "
    "the swaps alone; p(x | s, theta) at a row y and other rows d, after a swap, up to its constant",
    scope="the E-step, by a swap; that the M-step is the same with the public n is in words",
    using=["eq-4"],
    given=lambda: [evidence()],
)
def bounded_em():
    """Posterior of the records after a swap, with a public number of records."""
    return kept_by_a_swap()


@claim(
    "note-learned-at-most",
    place="Sections 5 and 6: how much a release of the sums can say on n, for one row more: the odds of "
    "n + 1 against n move by at most exp(epsilon_s), whatever the rows",
    given=[g_old <= exp(eps_s) * g_new, g_new <= exp(eps_s) * g_old],
)
def odds_of_one_more_row():
    """Posterior odds of one more row, against the odds from n_dp alone."""
    odds = size_new / size_old
    return [
        Le(odds * (g_new / g_old), exp(eps_s) * odds),
        Ge(odds * (g_new / g_old), exp(-eps_s) * odds),
    ]
