"""Appendix C: the noisy centre and the size of W on D_3, claims C.4 and C.5."""

from sympy import Abs, Eq, Ge, Gt, Integral, Le, Lt, Rational, exp, log, oo

from dpbook import Eventually, Order, claim, step
from dpbook.langevin.notation import (
    base,
    centre_3,
    centre_power,
    count_bound,
    count_factor,
    delta,
    entry_factor,
    entry_power,
    epsilon,
    first_factor,
    gamma_1,
    larger_base,
    largest_fixed,
    largest_ratio,
    margin,
    n_1,
    n_2,
    noise,
    noise_between,
    noise_low,
    noisy_centre,
    rare_miss,
    rho_2,
    second_factor,
    share_bound,
    share_factor,
    tenth_root,
    x_h,
    x_l,
)
from dpbook.privacy.distributions import Laplace

# --- the centre: claim C.4 ------------------------------------------------------------------------


def centre_scale():
    """Scale of the noise of the centre, line 13."""
    weight = (2 * (n_2 - 1) * x_h**2 * x_l**2 + x_h**4) / (n_2 * (n_2 - 1) * x_l**4)
    return 1 / epsilon * largest_ratio * weight


def far_centre():
    """Probability that the noise of the centre exceeds the radius, proof of claim C.4."""
    return exp(
        -(n_2 ** (1 + rho_2) * epsilon * (n_2 - 1) * x_l**4)
        / (largest_ratio * (2 * (n_2 - 1) * x_h**2 * x_l**2 + x_h**4))
    )


@claim("text-c.4-noise", place="proof of claim C.4, the display")
def noise_of_the_centre():
    """Probability that the noise of the centre stays within the radius."""
    at = Laplace(0, centre_scale()).density(noise)
    return [
        Eq(
            Integral(at, (noise, -(n_2**rho_2), n_2**rho_2)),
            1 - 2 * (exp(-(n_2**rho_2) * (1 / centre_scale())) / 2),
        ),
        Eq(1 - 2 * (exp(-(n_2**rho_2) * (1 / centre_scale())) / 2), 1 - far_centre()),
    ]


@claim(
    "text-c.4-growth",
    place="proof of claim C.4, last sentence",
    given=[n_2 ** (Rational(9, 10) + rho_2) > largest_ratio],
)
def noisy_count_in_the_exponent():
    """Power of n_2 in the exponent of claim C.4, against a power of the noisy count."""
    return Gt(n_2 ** (1 + rho_2) / largest_ratio, n_2 ** Rational(1, 10))


def record_weight():
    """Return the weight of one record in the noise of the centre, for n_2 >= 2."""
    return 2 * (x_h**2 / x_l**2) + (x_h**2 / x_l**2) ** 2


def root_of_the_threshold():
    """Tenth root of the n_2 from which on claim C.4 holds."""
    return record_weight() * log(1 / delta) / epsilon


@claim("note-c.4-scale", place="proof of claim C.4", given=[n_2 >= 2])
def scale_of_the_centre():
    """Weight of the records in the noise of the centre, bounded."""
    return Ge((n_2 - 1) * x_l**4 / (2 * (n_2 - 1) * x_h**2 * x_l**2 + x_h**4), 1 / record_weight())


@claim(
    "note-c.4-root", place="proof of claim C.4", given=[n_2 >= n_1 / 2, n_1 >= 2 * tenth_root**10]
)
def tenth_root_of_a_count():
    """Tenth root of n_2."""
    return Ge(n_2 ** Rational(1, 10), tenth_root)


@claim(
    "note-c.4-threshold",
    place="proof of claim C.4",
    given=lambda: [n_2 >= n_1 / 2, n_1 >= 2 * root_of_the_threshold() ** 10],
    using=[("note-c.4-root", lambda: {tenth_root: root_of_the_threshold()})],
)
def threshold_of_the_centre():
    """Exponent of claim C.4, bounded, from its threshold on."""
    return Ge(n_2 ** Rational(1, 10) * epsilon * (1 / record_weight()), log(1 / delta))


@claim(
    "note-c.4-product",
    place="proof of claim C.4",
    given=lambda: [
        count_factor > count_bound,
        share_factor >= share_bound,
        count_bound * epsilon * share_bound >= log(1 / delta),
    ],
)
def exponent_from_its_factors():
    """Exponential of a product, from bounds of its factors."""
    return Le(exp(-(count_factor * epsilon * share_factor)), delta)


@claim(
    "claim-c.4",
    scope="n_2 of at least 2 and of at least half of n_1, as claim C.3 leaves it",
    place="Claim C.4, where n_2 >= n_1 / 2, as claim C.3 has it; with the threshold",
    given=lambda: [n_2 >= 2, n_2 >= n_1 / 2, n_2 ** (Rational(9, 10) + rho_2) > largest_ratio],
    using=[
        "note-c.4-threshold",
        (
            "note-c.4-product",
            lambda: {
                count_factor: n_2 ** (1 + rho_2) / largest_ratio,
                count_bound: n_2 ** Rational(1, 10),
                share_factor: (n_2 - 1) * x_l**4 / (2 * (n_2 - 1) * x_h**2 * x_l**2 + x_h**4),
                share_bound: 1 / record_weight(),
            },
        ),
    ],
    cites=["text-c.4-growth", "note-c.4-scale"],
)
def centre_is_near():
    """Probability that the noisy centre misses the radius, for many records."""
    return Eventually(n_1, Le(far_centre(), delta), threshold=2 * root_of_the_threshold() ** 10)


def rare_noise():
    """Noise of a count that is exceeded with probability delta / 2."""
    return 1 / epsilon * log(1 / delta)


# --- the size of W: claim C.5 ---------------------------------------------------------------------


@claim("text-c.5-noise", place="proof of claim C.5, the noise of lines 8 and 15")
def rare_noise_of_a_count():
    """Probability that the noise of a count exceeds the logarithm of delta."""
    return [
        Eq(noise_between(-rare_noise(), oo), 1 - delta / 2),
        Eq(noise_between(-oo, rare_noise()), 1 - delta / 2),
    ]


@claim(
    "text-c.5-condition",
    place="proof of claim C.5, last inequality, where B bounds the noise of line 8 from below",
    given=lambda: [delta < Rational(1, 6)],
    fault="error",
    effect="Claim C.5, of which the last step is proved, is not refuted with it: it fails for every bound from below, which is "
    "free here, but what the condition costs vanishes exponentially as n_1 grows, and the product of the two probabilities leaves delta**2 / 4 for it.",
    try_at=[{noise_low: -1, delta: Rational(1, 10), epsilon: 1}],
)
def noise_given_the_event_as_printed():
    """Probability that the noise of line 8 is small, given the event B, as printed."""
    return Ge(noise_between(noise_low, rare_noise()) / noise_between(noise_low, oo), 1 - delta / 2)


@claim(
    "text-c.5-condition-corrected",
    place="proof of claim C.5, last inequality, repaired",
    corrects=["text-c.5-condition"],
    why="To know that n_2 is large makes large noise more likely. Where the bound from below "
    "misses with probability at most delta / 2, the product that the proof needs is still 1 - delta.",
    given=lambda: [noise_low <= -rare_noise()],
)
def noise_given_the_event():
    """Probability that the noises of lines 8 and 15 are small, given the event B, repaired."""
    return Ge(
        (1 - delta / 2) * (noise_between(noise_low, rare_noise()) / noise_between(noise_low, oo)),
        1 - delta,
    )


@claim(
    "text-c.5-centre",
    place="proof of claim C.5, the bound of the noisy centre",
    given=lambda: [
        rare_miss,
        n_2 < n_1 - margin + rare_noise(),
        noisy_centre <= centre_3 + n_2**rho_2,
    ],
    proof=lambda: [
        step("the margin is no gain", Lt(n_2, n_1 + rare_noise())),
        step("a power grows", Le(n_2**rho_2, (n_1 + rare_noise()) ** rho_2)),
    ],
)
def noisy_centre_is_bounded():
    """Noisy centre, bounded by the centre and the number of records."""
    return Le(noisy_centre, centre_3 + (n_1 + rare_noise()) ** rho_2)


def centre_at_27():
    """Bound of the noisy centre at the numbers of eq. 27, in powers of the number of records."""
    return n_1 ** Rational(23, 20) + n_1 ** Rational(9, 20)


@claim("text-c.5-rate", place="proof of claim C.5, the order of n_min", given=[noisy_centre >= 1])
def order_of_an_entry():
    """Entry of n_min with the power 1 / (2 - gamma_1) of the centre, against the power 2 / 3."""
    return Le(
        (entry_factor * noisy_centre) ** (1 / (2 - gamma_1)),
        entry_factor ** (1 / (2 - gamma_1)) * noisy_centre ** Rational(2, 3),
    )


@claim(
    "note-c.5-power",
    place="proof of claim C.5, at the numbers of eq. 27",
    using=[
        (
            "note-exponent",
            lambda: {
                base: n_1,
                entry_power: Rational(23, 30),
                centre_power: Rational(45, 49),
            },
        )
    ],
    proof=lambda: [
        step(
            "powers apart",
            Eq(
                (2 * n_1 ** Rational(23, 20)) ** Rational(2, 3),
                2 ** Rational(2, 3) * n_1 ** Rational(23, 30),
            ),
        ),
        step("the factor", Le(2 ** Rational(2, 3), 2)),
        step(
            "a larger factor",
            Le(2 ** Rational(2, 3) * n_1 ** Rational(23, 30), 2 * n_1 ** Rational(23, 30)),
        ),
    ],
)
def power_of_the_centre():
    """Power of the centre that n_min takes, against its largest power of n_1."""
    return Le((2 * n_1 ** Rational(23, 20)) ** Rational(2, 3), 2 * n_1 ** Rational(45, 49))


@claim(
    "note-c.5-order",
    place="proof of claim C.5, at the numbers of eq. 27",
    using=[
        (
            "note-power",
            lambda: {
                base: centre_at_27(),
                larger_base: 2 * n_1 ** Rational(23, 20),
                entry_power: Rational(2, 3),
            },
        ),
        "note-c.5-power",
    ],
)
def power_of_the_bound():
    """Power of the bound of the noisy centre, against the largest power of n_1."""
    return Le(centre_at_27() ** Rational(2, 3), 2 * n_1 ** Rational(45, 49))


@claim(
    "note-c.5-larger",
    place="proof of claim C.5, the order of n_min at the numbers of eq. 27",
    using=[
        (
            "note-exponent",
            lambda: {base: n_1, entry_power: Rational(3, 10), centre_power: Rational(45, 49)},
        ),
    ],
)
def larger_power_of_the_records():
    """Two powers of the number of records in a maximum of the paper."""
    return Le(n_1 ** Rational(3, 10), n_1 ** Rational(45, 49))


@claim(
    "text-c.5-order",
    place="proof of claim C.5, the order of n_min at the numbers of eq. 27; m = n_1**rho_3, and "
    "2 rho_2 / 3 = 3 / 10 is below rho_2 / gamma_1 = 45 / 49",
    using=["note-c.5-order"],
    without={"note-c.5-larger": "the larger power is in note-c.5-order"},
)
def order_of_the_least_size():
    """Order of n_min, in powers of the number of records."""
    return Order(
        centre_at_27() ** Rational(2, 3), n_1 ** Rational(45, 49), n_1, constant=2, threshold=1
    )


@claim(
    "text-c.5-small",
    place="proof of claim C.5, the order of n_min at the numbers of eq. 27",
    proof=lambda: [
        step("one power", Eq(n_1 ** Rational(45, 49) / n_1, n_1 ** Rational(-4, 49))),
        step("one of a root", Le(n_1 ** Rational(-4, 49), n_1 ** Rational(-1, 13))),
        step("rate", Le(Abs(n_1 ** Rational(45, 49) / n_1), n_1 ** Rational(-1, 13))),
    ],
)
def least_size_is_small():
    """Order of n_min against the number of records."""
    return Order(n_1 ** Rational(45, 49), n_1, n_1, limit=0)


@claim(
    "note-c.5-entry",
    place="claim C.5, an entry of n_min",
    given=lambda: [
        noisy_centre <= 2 * n_1**centre_power,
        n_1 ** (1 - centre_power * entry_power) >= 2 * (2 * entry_factor) ** entry_power,
    ],
    using=[
        (
            "note-power",
            lambda: {
                base: entry_factor * noisy_centre,
                larger_base: 2 * entry_factor * n_1**centre_power,
            },
        ),
    ],
    proof=lambda: [
        step(
            "powers apart",
            Eq(
                (2 * entry_factor * n_1**centre_power) ** entry_power,
                (2 * entry_factor) ** entry_power * n_1 ** (centre_power * entry_power),
            ),
        ),
        step(
            "the condition",
            Le((2 * entry_factor) ** entry_power * n_1 ** (centre_power * entry_power), n_1 / 2),
        ),
    ],
)
def entry_is_half_of_the_records():
    """Entry of n_min against half of the records."""
    return Le((entry_factor * noisy_centre) ** entry_power, n_1 / 2)


@claim(
    "note-c.5-last",
    place="claim C.5, the last entry of n_min",
    given=lambda: [n_1 ** (1 - entry_power) >= 2],
)
def last_entry_is_half_of_the_records():
    """Power of n_1 against half of it."""
    return Le(n_1**entry_power, n_1 / 2)


def enough_for_the_entries():
    """State that n_1 is large in claim C.5: each condition is a lower bound on a power of n_1."""
    return [
        n_1 ** (1 - Rational(23, 20) * Rational(100, 151))
        >= 2 * (2 * first_factor) ** Rational(100, 151),
        n_1 ** (1 - Rational(23, 20) * Rational(2, 3)) >= 2 * (2 * second_factor) ** Rational(2, 3),
        n_1 ** (1 - Rational(45, 49)) >= 2,
        largest_fixed <= n_1 / 2,
        n_1 / 2 > 2 * margin + rare_noise(),
    ]


@claim(
    "note-c.5-first",
    place="claim C.5, the fourth entry of n_b1 at the numbers of eq. 27",
    given=lambda: [noisy_centre <= 2 * n_1 ** Rational(23, 20), enough_for_the_entries()[0]],
    using=[
        (
            "note-c.5-entry",
            lambda: {
                entry_factor: first_factor,
                centre_power: Rational(23, 20),
                entry_power: Rational(100, 151),
            },
        ),
    ],
)
def entry_of_the_product():
    """Fourth entry of n_b1 against half of the records."""
    return Le((first_factor * noisy_centre) ** Rational(100, 151), n_1 / 2)


@claim(
    "note-c.5-second",
    place="claim C.5, the sixth entry of n_b1 at the numbers of eq. 27",
    given=lambda: [noisy_centre <= 2 * n_1 ** Rational(23, 20), enough_for_the_entries()[1]],
    using=[
        (
            "note-c.5-entry",
            lambda: {
                entry_factor: second_factor,
                centre_power: Rational(23, 20),
                entry_power: Rational(2, 3),
            },
        ),
    ],
)
def entry_of_the_square():
    """Sixth entry of n_b1 against half of the records."""
    return Le((second_factor * noisy_centre) ** Rational(2, 3), n_1 / 2)


@claim(
    "note-c.5-third",
    place="claim C.5, the last entry of n_min at the numbers of eq. 27",
    given=lambda: enough_for_the_entries()[2:3],
    using=[("note-c.5-last", lambda: {entry_power: Rational(45, 49)})],
)
def entry_of_the_records():
    """Last entry of n_min against half of the records."""
    return Le(n_1 ** Rational(45, 49), n_1 / 2)


@claim(
    "claim-c.5",
    scope="the last step, from the entries that grow with the centre; no probability occurs",
    place="Claim C.5 at the numbers of eq. 27, entry by entry; the noise is text-c.5-noise",
    given=lambda: [
        rare_miss,
        noisy_centre <= 2 * n_1 ** Rational(23, 20),
        *enough_for_the_entries(),
    ],
    using=["note-c.5-first", "note-c.5-second", "note-c.5-third"],
    cites=["text-c.5-noise", "text-c.5-centre"],
)
def noisy_size_passes_the_test():
    """Least noisy size of W, but for rare noise, against each entry of n_min."""
    size = n_1 - 2 * margin - rare_noise()
    return [
        Gt(size, largest_fixed),
        Gt(size, (first_factor * noisy_centre) ** Rational(100, 151)),
        Gt(size, (second_factor * noisy_centre) ** Rational(2, 3)),
        Gt(size, n_1 ** Rational(45, 49)),
    ]
