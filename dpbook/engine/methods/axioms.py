"""True statements about exp, log, powers and the like, as polynomial formulas for a solver.

Each rule takes the arguments and the values of one or two terms (numbers, or anything that
can be added and multiplied) and returns formulas ``(term, op)``, read ``term op 0``, that hold
for all real arguments at which the terms are defined. Where a term is defined on a part of
the line only, the rule says so itself. The tests evaluate every rule at many points.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import arb

from dpbook.engine.compile.constants import of_ball

__all__ = [
    "MIXED",
    "NEGATED",
    "PAIRS",
    "POWERS",
    "POWER_MIXED",
    "POWER_PAIRS",
    "TRIPLES",
    "UNARY",
    "either",
]

# (low, high, scale): low / scale <= number <= high / scale, from balls
PI = of_ball(arb.pi, 10)
HALF_PI = of_ball(lambda: arb.pi() / 2, 10)
ERF_SLOPE = of_ball(lambda: 2 / arb.pi().sqrt(), 4)  # of erf at 0


def _least_gamma(digits: int = 4) -> tuple[int, int]:
    """(low, scale): Gamma is convex on (0, oo), so above its tangents left and right of its least."""

    def meeting() -> arb:
        left, right = arb(1.46), arb(1.463)
        y, z = left.gamma(), right.gamma()
        slope, rise = y * left.digamma(), z * right.digamma()
        assert slope < 0 < rise
        at = (y - z + rise * right - slope * left) / (rise - slope)
        return y + slope * (at - left)

    low, _, scale = of_ball(meeting, digits)
    return low, scale


LEAST_GAMMA = _least_gamma()

NEGATED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def either(*parts):
    """Make the disjunction of formulas."""
    return ("or", list(parts))


def when(condition, *then):
    """The formulas `not condition or t`, one for each t."""
    return [either((condition[0], NEGATED[condition[1]]), t) for t in then]


def when_both(first, second, *then):
    return [either((first[0], NEGATED[first[1]]), (second[0], NEGATED[second[1]]), t) for t in then]


def exactly_if(a, b):
    """`a` exactly if `b`."""
    return [
        either((a[0], NEGATED[a[1]]), b),
        either(a, (b[0], NEGATED[b[1]])),
    ]


# name -> (kind, rank, function(argument..., value)); a lower rank is tried first
UNARY: dict[str, tuple[str, int, Callable]] = {
    "exp positive": ("exp", 0, lambda u, e: [(e, ">")]),
    "exp above its tangent": ("exp", 1, lambda u, e: [(e - 1 - u, ">=")]),
    "exp below 1/(1-u)": ("exp", 1, lambda u, e: [(e * (1 - u) - 1, "<=")]),
    "exp sign": (
        "exp",
        1,
        lambda u, e: when((u, ">"), (e - 1, ">")) + when((u, "<"), (e - 1, "<")),
    ),
    "exp strictly above its tangent": (
        "exp",
        2,
        lambda u, e: [
            either((u, "=="), (e - 1 - u, ">")),
            either((u, "=="), (e * (1 - u) - 1, "<")),
        ],
    ),
    "exp quadratic": (
        "exp",
        3,
        lambda u, e: (
            when((u, ">"), (2 * e - 2 - 2 * u - u * u, ">"))
            + when((u, "<"), (2 * e - 2 - 2 * u - u * u, "<"))
        ),
    ),
    "exp rational": (
        "exp",
        3,
        lambda u, e: (
            when((u, ">"), (e * (2 - u) - 2 - u, "<")) + when((u, "<"), (e * (2 - u) - 2 - u, ">"))
        ),
    ),
    "exp cubic": (
        "exp",
        4,
        lambda u, e: [(6 * e - 6 - 6 * u - 3 * u * u - u * u * u, ">=")],
    ),
    "exp rational, order 2": (
        "exp",
        5,
        lambda u, e: (
            when((u, ">"), (e * (12 - 6 * u + u * u) - (12 + 6 * u + u * u), ">"))
            + when((u, "<"), (e * (12 - 6 * u + u * u) - (12 + 6 * u + u * u), "<"))
        ),
    ),
    "log below u-1": ("log", 1, lambda u, v: when((u, ">"), (v - u + 1, "<="))),
    "log above 1-1/u": ("log", 1, lambda u, v: when((u, ">"), (u * v - u + 1, ">="))),
    "log sign": (
        "log",
        1,
        lambda u, v: (
            when((u - 1, ">"), (v, ">"))
            + when_both((u, ">"), (u - 1, "<"), (v, "<"))
            + when((u - 1, "=="), (v, "=="))
        ),
    ),
    "log strictly below u-1": (
        "log",
        2,
        lambda u, v: [
            either((u, "<="), (u - 1, "=="), (v - u + 1, "<")),
            either((u, "<="), (u - 1, "=="), (u * v - u + 1, ">")),
        ],
    ),
    "log rational": (
        "log",
        3,
        lambda u, v: (
            when((u - 1, ">"), ((u + 1) * v - 2 * (u - 1), ">"))
            + when_both((u, ">"), (u - 1, "<"), ((u + 1) * v - 2 * (u - 1), "<"))
        ),
    ),
    "log below a square root": (
        "log",
        4,
        lambda u, v: when((u, ">"), (v * v * u - (u - 1) * (u - 1), "<=")),
    ),
    "log rational, order 2": (
        "log",
        5,
        lambda u, v: when(
            (u, ">"),
            ((4 * u + 2) * v - (u - 1) * (u + 5), "<="),
            (u * (2 * u + 4) * v - (u - 1) * (5 * u + 1), ">="),
        ),
    ),
    "tanh bounded": ("tanh", 0, lambda u, t: [(t - 1, "<"), (t + 1, ">")]),
    "tanh sign": (
        "tanh",
        1,
        lambda u, t: (
            when((u, ">"), (t, ">"), (t - u, "<"))
            + when((u, "<"), (t, "<"), (t - u, ">"))
            + when((u, "=="), (t, "=="))
        ),
    ),
    "tanh below its tangent": (
        "tanh",
        3,
        lambda u, t: (
            when((u, ">"), (3 * t - 3 * u + u * u * u, ">"), (t * (1 + u) - u, ">"))
            + when((u, "<"), (3 * t - 3 * u + u * u * u, "<"), (t * (1 - u) - u, "<"))
        ),
    ),
    "cosh above 1": ("cosh", 0, lambda u, c: [(c - 1, ">=")]),
    "cosh quadratic": (
        "cosh",
        1,
        lambda u, c: [(2 * c - 2 - u * u, ">="), either((u, "=="), (c - 1, ">"))],
    ),
    "sinh sign": (
        "sinh",
        1,
        lambda u, s: (
            when((u, ">"), (s - u, ">")) + when((u, "<"), (s - u, "<")) + when((u, "=="), (s, "=="))
        ),
    ),
    "sinh cubic": (
        "sinh",
        3,
        lambda u, s: (
            when((u, ">"), (6 * s - 6 * u - u * u * u, ">"))
            + when((u, "<"), (6 * s - 6 * u - u * u * u, "<"))
        ),
    ),
    "erf bounded": ("erf", 0, lambda u, t: [(t - 1, "<"), (t + 1, ">")]),
    "erf sign": (
        "erf",
        1,
        lambda u, t: (
            when((u, ">"), (t, ">"), (ERF_SLOPE[2] * t - ERF_SLOPE[1] * u, "<"))
            + when((u, "<"), (t, "<"), (ERF_SLOPE[2] * t - ERF_SLOPE[1] * u, ">"))
            + when((u, "=="), (t, "=="))
        ),
    ),
    "erf cubic": (
        "erf",
        3,
        lambda u, t: (
            when((u, ">"), (ERF_SLOPE[2] * t * 3 - ERF_SLOPE[0] * (3 * u - u * u * u), ">"))
            + when((u, "<"), (ERF_SLOPE[2] * t * 3 - ERF_SLOPE[0] * (3 * u - u * u * u), "<"))
        ),
    ),
    "atan bounded": (
        "atan",
        0,
        lambda u, t: [(HALF_PI[2] * t - HALF_PI[1], "<"), (HALF_PI[2] * t + HALF_PI[1], ">")],
    ),
    "atan sign": (
        "atan",
        1,
        lambda u, t: (
            when((u, ">"), (t, ">"), (t - u, "<"), (t * (1 + u * u) - u, ">"))
            + when((u, "<"), (t, "<"), (t - u, ">"), (t * (1 + u * u) - u, "<"))
            + when((u, "=="), (t, "=="))
        ),
    ),
    "atan rational": (
        "atan",
        3,
        lambda u, t: (
            when((u, ">"), (t * (3 + u * u) - 3 * u, ">"), (3 * t - 3 * u + u * u * u, ">"))
            + when((u, "<"), (t * (3 + u * u) - 3 * u, "<"), (3 * t - 3 * u + u * u * u, "<"))
        ),
    ),
    "sine bounded": ("sin", 0, lambda u, s: [(s - 1, "<="), (s + 1, ">=")]),
    "sine below its argument": (
        "sin",
        1,
        lambda u, s: (
            when((u, ">"), (s - u, "<"), (s + u, ">"))
            + when((u, "<"), (s - u, ">"), (s + u, "<"))
            + when((u, "=="), (s, "=="))
        ),
    ),
    "sine cubic": (
        "sin",
        2,
        lambda u, s: (
            when((u, ">"), (6 * s - 6 * u + u * u * u, ">"))
            + when((u, "<"), (6 * s - 6 * u + u * u * u, "<"))
        ),
    ),
    "sine quintic": (
        "sin",
        4,
        lambda u, s: (
            when((u, ">"), (120 * s - 120 * u + 20 * u**3 - u**5, "<"))
            + when((u, "<"), (120 * s - 120 * u + 20 * u**3 - u**5, ">"))
        ),
    ),
    "sine positive below pi": (
        "sin",
        3,
        lambda u, s: [
            either((u, "<="), (PI[2] * u - PI[0], ">="), (s, ">")),
            either((u, ">="), (PI[2] * u + PI[0], "<="), (s, "<")),
        ],
    ),
    "cosine bounded": ("cos", 0, lambda u, c: [(c - 1, "<="), (c + 1, ">=")]),
    "cosine quadratic": (
        "cos",
        1,
        lambda u, c: [(2 * c - 2 + u * u, ">="), either((u, "!="), (c - 1, "=="))],
    ),
    "cosine quartic": (
        "cos",
        3,
        lambda u, c: [
            (24 * c - 24 + 12 * u**2 - u**4, "<="),
            (720 * c - 720 + 360 * u**2 - 30 * u**4 + u**6, ">="),
        ],
    ),
    "cosine positive below pi/2": (
        "cos",
        3,
        lambda u, c: [
            either(
                (HALF_PI[2] * u - HALF_PI[0], ">="), (HALF_PI[2] * u + HALF_PI[0], "<="), (c, ">")
            )
        ],
    ),
    "gamma positive": (
        "gamma",
        0,
        lambda u, g: when((u, ">"), (LEAST_GAMMA[1] * g - LEAST_GAMMA[0], ">=")),
    ),
    "gamma near 1": (
        "gamma",
        2,
        lambda u, g: [
            either((u, "<="), (u - 1, ">="), (g - 1, ">")),
            either((u - 1, "<="), (u - 2, ">="), (g - 1, "<")),
            either((u - 2, "<="), (g - 1, ">")),
            either((u - 1, "!="), (g - 1, "==")),
            either((u - 2, "!="), (g - 1, "==")),
        ],
    ),
    "factorial at least 1": (
        "factorial",
        0,
        # for a nonnegative integer u; 0! = 1! = 1, and u! >= u
        lambda u, f: when((u, ">="), (f - 1, ">="), (f - u, ">=")),
    ),
    "floor": ("floor", 0, lambda u, k: [(k - u, "<="), (k + 1 - u, ">")]),
    "ceiling": ("ceiling", 0, lambda u, k: [(k - u, ">="), (k - 1 - u, "<")]),
}

# name -> (kind, rank, function(u1, value1, u2, value2))
PAIRS: dict[str, tuple[str, int, Callable]] = {
    "exp increasing": (
        "exp",
        1,
        lambda u, e, w, f: (
            exactly_if((u - w, "<"), (e - f, "<")) + exactly_if((u - w, ">"), (e - f, ">"))
        ),
    ),
    "exp convex": (
        "exp",
        2,
        lambda u, e, w, f: [(e - f * (1 + u - w), ">="), (f - e * (1 + w - u), ">=")],
    ),
    "exp rational, two points": (
        "exp",
        4,
        lambda u, e, w, f: (
            when((u - w, ">="), (e * (2 - u + w) - f * (2 + u - w), "<="))
            + when((u - w, "<="), (e * (2 - u + w) - f * (2 + u - w), ">="))
        ),
    ),
    "log increasing": (
        "log",
        1,
        lambda u, v, w, z: [
            either((u, "<="), (w, "<="), part)
            for a, b in (("<", "<"), (">", ">"))
            for part in exactly_if((u - w, a), (v - z, b))
        ],
    ),
    "log concave": (
        "log",
        2,
        lambda u, v, w, z: (
            when_both((u, ">"), (w, ">"), ((v - z) * w - (u - w), "<="))
            + when_both((u, ">"), (w, ">"), ((v - z) * u - (u - w), ">="))
        ),
    ),
    "log rational, two points": (
        "log",
        4,
        lambda u, v, w, z: (
            when_both((w, ">"), (u - w, ">="), ((v - z) * (u + w) - 2 * (u - w), ">="))
            + when_both((u, ">"), (u - w, "<="), ((v - z) * (u + w) - 2 * (u - w), "<="))
        ),
    ),
    "log rational of order 2, two points": (
        "log",
        6,
        lambda u, v, w, z: when_both(
            (u, ">"),
            (w, ">"),
            ((v - z) * 2 * w * (2 * u + w) - (u - w) * (u + 5 * w), "<="),
            ((v - z) * 2 * u * (2 * w + u) - (u - w) * (5 * u + w), ">="),
        ),
    ),
    "log square root, two points": (
        "log",
        5,
        lambda u, v, w, z: when_both(
            (u, ">"), (w, ">"), ((v - z) ** 2 * u * w - (u - w) ** 2, "<=")
        ),
    ),
}
for _kind in ("tanh", "sinh", "erf", "atan"):
    PAIRS[f"{_kind} increasing"] = (
        _kind,
        1,
        lambda u, e, w, f: (
            exactly_if((u - w, "<"), (e - f, "<")) + exactly_if((u - w, ">"), (e - f, ">"))
        ),
    )
for _kind in ("tanh", "atan", "sin", "cos"):
    PAIRS[f"{_kind} has slope at most 1"] = (
        _kind,
        3,
        lambda u, e, w, f: [
            either((u - w, "<"), (e - f - (u - w), "<=")),
            either((u - w, "<"), (e - f + (u - w), ">=")),
            either((u - w, ">"), (e - f - (u - w), ">=")),
            either((u - w, ">"), (e - f + (u - w), "<=")),
        ],
    )
for _kind in ("floor", "ceiling"):
    PAIRS[f"{_kind} nondecreasing"] = (
        _kind,
        1,
        lambda u, k, w, m: when((u - w, "<="), (k - m, "<=")) + when((u - w, ">="), (k - m, ">=")),
    )
PAIRS["cosh increasing in |u|"] = (
    "cosh",
    1,
    lambda u, c, w, d: (
        exactly_if((u * u - w * w, "<"), (c - d, "<"))
        + exactly_if((u * u - w * w, ">"), (c - d, ">"))
    ),
)

# three exponentials: function(u, e_u, v, e_v, w, e_w)
TRIPLES: dict[str, tuple[int, Callable]] = {
    "exp of a sum": (
        3,
        lambda u, e, v, f, w, g: (
            exactly_if((u + v - w, "<"), (e * f - g, "<"))
            + exactly_if((u + v - w, ">"), (e * f - g, ">"))
        ),
    ),
}
# a**b: function(a, b, value); each guarded by a > 0
POWERS: dict[str, tuple[int, Callable]] = {
    "power positive": (0, lambda a, b, p: when((a, ">"), (p, ">"))),
    "power against 1": (
        1,
        lambda a, b, p: [
            either((a - 1, "<"), (b, "<"), (p - 1, ">=")),
            either((a, "<="), (a - 1, ">"), (b, "<"), (p - 1, "<=")),
            either((a - 1, "<"), (b, ">"), (p - 1, "<=")),
            either((a, "<="), (a - 1, ">"), (b, ">"), (p - 1, ">=")),
            either((a - 1, "<="), (b, "<="), (p - 1, ">")),
            either((a, "<="), (a - 1, ">="), (b, "<="), (p - 1, "<")),
            either((a - 1, "<="), (b, ">="), (p - 1, "<")),
            either((a, "<="), (a - 1, ">="), (b, ">="), (p - 1, ">")),
        ],
    ),
    "Bernoulli": (
        2,
        lambda a, b, p: [
            either((a, "<="), (b - 1, "<"), (p - 1 - b * (a - 1), ">=")),
            either((a, "<="), (b, ">"), (p - 1 - b * (a - 1), ">=")),
            either((a, "<="), (b, "<"), (b - 1, ">"), (p - 1 - b * (a - 1), "<=")),
        ],
    ),
    "Bernoulli, reciprocal": (
        3,
        # (1/a)**b by Bernoulli, times a**b: p*(1 + b*(1/a - 1)) <= 1
        lambda a, b, p: [
            either((a, "<="), (b - 1, "<"), (p * (a + b * (1 - a)) - a, "<=")),
            either((a, "<="), (b, ">"), (p * (a + b * (1 - a)) - a, "<=")),
            either((a, "<="), (b, "<"), (b - 1, ">"), (p * (a + b * (1 - a)) - a, ">=")),
        ],
    ),
    "power against its base": (
        2,
        lambda a, b, p: [
            either((a - 1, "<"), (b - 1, "<"), (p - a, ">=")),
            either((a, "<="), (a - 1, ">"), (b - 1, "<"), (p - a, "<=")),
            either((a - 1, "<"), (b - 1, ">"), (p - a, "<=")),
            either((a, "<="), (a - 1, ">"), (b - 1, ">"), (p - a, ">=")),
        ],
    ),
}
# two powers: function(a1, b1, p1, a2, b2, p2)
POWER_PAIRS: dict[str, tuple[int, Callable]] = {
    "power increasing in its base": (
        2,
        lambda a, b, p, c, d, q: (
            [
                either((a, "<="), (c, "<="), (b - d, "!="), (b, "<="), part)
                for part in exactly_if((a - c, "<"), (p - q, "<"))
                + exactly_if((a - c, ">"), (p - q, ">"))
            ]
            + [
                either((a, "<="), (c, "<="), (b - d, "!="), (b, ">="), part)
                for part in exactly_if((a - c, "<"), (p - q, ">"))
                + exactly_if((a - c, ">"), (p - q, "<"))
            ]
        ),
    ),
    "Bernoulli, two bases": (
        3,
        # p/q = (a/c)**b for a common exponent b
        lambda a, b, p, c, d, q: (
            [
                either((a, "<="), (c, "<="), (b - d, "!="), (b, "<"), (b - 1, ">"), part)
                for part in [
                    (c * p - q * (c + b * (a - c)), "<="),
                    (a * q - p * (a + b * (c - a)), "<="),
                ]
            ]
            + [
                either((a, "<="), (c, "<="), (b - d, "!="), outside, part)
                for outside in [(b, ">"), (b - 1, "<")]
                for part in [
                    (c * p - q * (c + b * (a - c)), ">="),
                    (a * q - p * (a + b * (c - a)), ">="),
                ]
            ]
        ),
    ),
    "power increasing in both": (
        3,
        lambda a, b, p, c, d, q: [
            either((c, "<="), (a - 1, "<"), (d, "<"), (a - c, "<"), (b - d, "<"), (p - q, ">=")),
            either((c, "<="), (a - 1, "<"), (d, "<="), (a - c, "<="), (b - d, "<"), (p - q, ">")),
            either((a, "<="), (c - 1, "<"), (b, "<"), (c - a, "<"), (d - b, "<"), (q - p, ">=")),
            either((a, "<="), (c - 1, "<"), (b, "<="), (c - a, "<="), (d - b, "<"), (q - p, ">")),
        ],
    ),
    "power monotone in its exponent": (
        2,
        lambda a, b, p, c, d, q: (
            [
                either((a - c, "!="), (a - 1, "<="), part)
                for part in exactly_if((b - d, "<"), (p - q, "<"))
                + exactly_if((b - d, ">"), (p - q, ">"))
            ]
            + [
                either((a - c, "!="), (a, "<="), (a - 1, ">="), part)
                for part in exactly_if((b - d, "<"), (p - q, ">"))
                + exactly_if((b - d, ">"), (p - q, "<"))
            ]
        ),
    ),
}
# relations between terms of two kinds with the same argument or a related one
MIXED: dict[str, tuple[str, str, int, Callable]] = {
    # kind of the first, of the second, rank, function(u1, v1, u2, v2)
    "sin^2 + cos^2 = 1": (
        "sin",
        "cos",
        0,
        lambda u, s, w, c: when((u - w, "=="), (s * s + c * c - 1, "==")),
    ),
    "cosh^2 - sinh^2 = 1": (
        "cosh",
        "sinh",
        0,
        lambda u, c, w, s: when((u - w, "=="), (c * c - s * s - 1, "==")),
    ),
    "tanh = sinh/cosh": (
        "tanh",
        "sinh",
        1,
        lambda u, t, w, s: when((u - w, "=="), (t * t * (1 + s * s) - s * s, "==")),
    ),
    "tanh^2 = 1 - 1/cosh^2": (
        "tanh",
        "cosh",
        1,
        lambda u, t, w, c: when((u - w, "=="), ((1 - t * t) * c * c - 1, "==")),
    ),
    "exp inverts log": (
        "exp",
        "log",
        1,
        # exp(u) = e and log(w) = v for w > 0: u < v exactly if e < w
        lambda u, e, w, v: [
            either((w, "<="), part)
            for part in exactly_if((u - v, "<"), (e - w, "<"))
            + exactly_if((u - v, ">"), (e - w, ">"))
        ],
    ),
    "exp against log, tangent": (
        "exp",
        "log",
        3,
        lambda u, e, w, v: when((w, ">"), (e - w * (1 + u - v), ">=")),
    ),
    "erfc below exp(-u^2)": (
        "erf",
        "exp",
        2,
        # 1 - erf(u) <= exp(w) if u >= 0 and w >= -u^2
        lambda u, t, w, e: [either((u, "<"), (w + u * u, "<"), (1 - t - e, "<="))],
    ),
    "cosh below exp(u^2/2)": (
        "cosh",
        "exp",
        2,
        lambda u, c, w, e: [either((2 * w - u * u, "<"), (c - e, "<="))],
    ),
    "sine below the circle": (
        "sin",
        "cos",
        3,
        # sin(u) >= u cos(u) for 0 <= u <= pi
        lambda u, s, w, c: [
            either((u - w, "!="), (u, "<"), (PI[2] * u - PI[0], ">"), (s - u * c, ">="))
        ],
    ),
}
# a power and a log of its base, or an exp: function(a, b, p, u, v)
POWER_MIXED: dict[str, tuple[str, int, Callable]] = {
    "a^b = exp(b log a)": (
        "log",
        2,
        lambda a, b, p, u, v: [
            either((a, "<="), (a - u, "!="), (p - 1 - b * v, ">=")),
            either((a, "<="), (a - u, "!="), (p * (1 - b * v) - 1, "<=")),
        ],
    ),
    "a^b against exp(b(a-1))": (
        "exp",
        3,
        lambda a, b, p, u, e: [
            either((a, "<="), (b, "<"), (u - b * (a - 1), "<"), (p - e, "<=")),
            either((a, "<="), (b, "<"), (a * u - b * (a - 1), ">"), (p - e, ">=")),
            either((a, "<="), (b, ">"), (u - b * (a - 1), ">"), (p - e, ">=")),
            either((a, "<="), (b, ">"), (a * u - b * (a - 1), "<"), (p - e, "<=")),
        ],
    ),
}
