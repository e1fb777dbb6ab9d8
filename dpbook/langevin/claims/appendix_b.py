"""Appendix B: how many records algorithm 1 asks for before it draws."""

from sympy import Eq, Ge, Gt, Le, Lt, Rational

from dpbook import claim, step
from dpbook.langevin.notation import (
    FAR_SCALE,
    base,
    beta,
    c,
    entries,
    entries_as_printed,
    entry_factor,
    entry_power,
    epsilon,
    gamma_1,
    n,
    n_1,
    n_2,
    nu_of_loss,
    product_entries,
    product_weight,
    radius_entry,
    rare_miss,
    rho_2,
    square_weight,
    strong_data,
    x_h,
    x_l,
)


def radius_need():
    """Return the least n**(1 - 2 gamma_1) in the third condition of claim D.29."""
    return 16 * nu_of_loss * beta * x_h**4 / (Rational(9, 10) * epsilon * x_l**2)


@claim(
    "eq-26",
    place="eq. 26, against the last condition of claim D.29, as printed there and as in eq. 58",
    given=lambda: [
        strong_data,
        rare_miss,
        rho_2 < gamma_1,
        *(n >= entry for entry in entries_as_printed(c, n)),
    ],
    fault="misprint",
    effect="Claim 4.1 fails with it. Claim C.11 and corollaries C.2 and C.3 fail even with the square of S, by "
    "claim D.29, and by this entry at losses that are not large. Claim 4.2 asks for large n_1 only and is not "
    "touched.",
    try_at=[FAR_SCALE],
)
def least_size_as_printed():
    """Least number of records against the last condition of claim D.29, as printed."""
    return [
        Ge(n, (square_weight / 4 * (c + n**gamma_1)) ** Rational(2, 3)),
        Ge(n**3, square_weight / 4 * (c + n**gamma_1) ** 2),
    ]


@claim(
    "note-26-power",
    place="an entry of eq. 26, solved for its base",
    given=lambda: [n >= base ** (1 / entry_power)],
)
def power_of_the_records():
    """Power of the number of records against the base of an entry."""
    return Ge(n**entry_power, base)


@claim(
    "note-26-cube",
    place="an entry of eq. 26, solved for its base",
    given=lambda: [n >= base ** Rational(1, 3)],
)
def cube_of_the_records():
    """Cube of the number of records against the base of an entry."""
    return Ge(n**3, base)


@claim(
    "note-26-product",
    place="fourth and fifth entry of eq. 26",
    given=lambda: [n ** (2 - gamma_1) >= entry_factor * c, n ** (2 - 2 * gamma_1) >= entry_factor],
)
def product_entries_together():
    """Fourth and fifth entry of eq. 26 together."""
    return Ge(n ** (2 - gamma_1), entry_factor / 2 * (c + n**gamma_1))


@claim(
    "note-26-square",
    place="last two entries of eq. 26, repaired",
    given=lambda: [n**3 >= entry_factor * c**2, n ** (3 - 2 * gamma_1) >= entry_factor],
    proof=lambda: [
        step("times the square of the radius", Ge(n**3, entry_factor * (n**gamma_1) ** 2))
    ],
)
def square_entries_together():
    """Last two entries of eq. 26 together, repaired."""
    return Ge(n**3, entry_factor / 4 * (c + n**gamma_1) ** 2)


@claim(
    "note-26-squares",
    place="eq. 26, repaired, against the last condition of claim D.29, as in eq. 58",
    given=lambda: [n >= entry for entry in entries(c, n_2)[4:6]],
    using=[
        ("note-26-cube", lambda: {base: square_weight * c**2}),
        ("note-26-power", lambda: {base: square_weight, entry_power: 3 - 2 * gamma_1}),
        ("note-26-square", lambda: {entry_factor: square_weight}),
    ],
)
def least_size_for_the_square():
    """Least number of records against the last condition of claim D.29, repaired."""
    return Ge(n**3, square_weight / 4 * (c + n**gamma_1) ** 2)


@claim(
    "note-26-centre",
    place="fourth and fifth entry of eq. 26, against the fourth condition of claim D.29",
    given=lambda: [n >= entry for entry in product_entries(c)],
    using=[
        ("note-26-power", lambda: {base: product_weight * c, entry_power: 2 - gamma_1}),
        ("note-26-power", lambda: {base: product_weight, entry_power: 2 - 2 * gamma_1}),
        ("note-26-product", lambda: {entry_factor: product_weight}),
    ],
)
def least_size_for_the_centre():
    """Least number of records against the fourth condition of claim D.29."""
    return Ge(n ** (2 - gamma_1), product_weight / 2 * (c + n**gamma_1))


@claim(
    "note-26-radius",
    place="third entry of eq. 26",
    given=lambda: [n >= radius_entry()],
    using=[("note-26-power", lambda: {base: radius_need(), entry_power: 1 - 2 * gamma_1})],
)
def least_size_for_the_radius():
    """Least number of records against the third condition of claim D.29."""
    return Ge(n ** (1 - 2 * gamma_1), radius_need())


@claim(
    "note-26-order",
    place="eq. 26, its first entry, repaired, against the first conditions of claim D.29",
    given=lambda: [rare_miss, n >= entries(c, n_2)[0]],
    using=["note-c.11-order"],
)
def least_size_for_the_variances():
    """Least number of records against the first conditions of claim D.29, repaired."""
    ratio = x_h**2 / x_l**2
    return [Ge(n, 1 + ratio * (8 / epsilon)), Ge(n, 1 + ratio * (nu_of_loss - 1 + 8 / epsilon))]


@claim(
    "eq-26-corrected",
    place="eq. 26, repaired: a number of records of n_min or more, above its first entry, meets every condition of "
    "claim D.29, repaired, each solved for its power of n; the last entry gives the radius of line 14",
    corrects=["eq-26"],
    why="The last two entries of the print have S = x_h**2 alpha + x_h**4 beta where claim D.29 has "
    "its square. The repair follows eq. 58, with (c + n**gamma_1)**2 <= 2 c**2 + 2 n**(2 gamma_1). Its "
    "first entry is that of lemma 4.2, repaired. Its last has n_2, as eq. 36 has it, where the print has n_1. The centre "
    "is positive here.",
    given=lambda: [
        rare_miss,
        n > entries(c, n_2)[0],
        *(n >= entry for entry in entries(c, n_2)[1:]),
    ],
    using=[
        "note-26-order",
        "note-26-radius",
        "note-26-centre",
        "note-26-squares",
        ("note-26-power", lambda: {base: n_2**rho_2, entry_power: gamma_1}),
    ],
    proof=lambda: [
        step("a root of a power", Eq((n_2**rho_2) ** (1 / gamma_1), n_2 ** (rho_2 / gamma_1))),
    ],
)
def least_size():
    """Least number of records against every condition of claim D.29, repaired."""
    ratio = x_h**2 / x_l**2
    return [
        Gt(n, 1 + 10 * nu_of_loss * ratio),
        Ge(n, 1 + ratio * (8 / epsilon)),
        Ge(n, 1 + ratio * (nu_of_loss - 1 + 8 / epsilon)),
        Ge(n ** (1 - 2 * gamma_1), radius_need()),
        Ge(n ** (2 - gamma_1), product_weight / 2 * (c + n**gamma_1)),
        Ge(n**3, square_weight / 4 * (c + n**gamma_1) ** 2),
        Ge(n**gamma_1, n_2**rho_2),
    ]


@claim(
    "note-26-adjacency",
    place="the last entry of eq. 26, where a neighbour has one record more",
    given=[rho_2 < gamma_1],
    proof=lambda: [
        step("the exponent is below 1", Lt(rho_2 / gamma_1 - 1, 0)),
        step("a power below 1", Le(n_1 ** (rho_2 / gamma_1 - 1), 1)),
        step(
            "it falls",
            Le((n_1 + 1) ** (rho_2 / gamma_1 - 1), n_1 ** (rho_2 / gamma_1 - 1)),
        ),
        step(
            "one factor apart",
            [
                Eq((n_1 + 1) ** (rho_2 / gamma_1), (n_1 + 1) * (n_1 + 1) ** (rho_2 / gamma_1 - 1)),
                Eq(n_1 ** (rho_2 / gamma_1), n_1 * n_1 ** (rho_2 / gamma_1 - 1)),
            ],
        ),
        step(
            "so",
            Le(
                (n_1 + 1) * (n_1 + 1) ** (rho_2 / gamma_1 - 1),
                (n_1 + 1) * n_1 ** (rho_2 / gamma_1 - 1),
            ),
        ),
    ],
)
def entry_moves_by_less_than_a_record():
    """Last entry of n_min on two neighbours of different size."""
    return Le((n_1 + 1) ** (rho_2 / gamma_1) - n_1 ** (rho_2 / gamma_1), 1)
