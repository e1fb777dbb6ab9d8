"""Prove the lemmas of the kernel again: their order, and sketches where a search finds no proof by itself.

``python -m tests.kernel.prove_lemmas [NAME ...]`` proves those without a proof on record, and those that are
named, each from the axioms and from the lemmas before it in `ORDER`, and writes ``dpbook/kernel/lemmas/``.
An axiom that is named in `ORDER` becomes a lemma: its row leaves ``axioms.toml``.

A sketch names rules from the root of a proof; a search fills in the rest, which is written ``...``.
Numbers of hypotheses below 0 count from the last one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

from dpbook.kernel.axioms import INTEGRALS
from tests.kernel.lemma_search import Sketch, Step, renewed

ORDER: dict[str, tuple[str, ...]] = {
    "definitions": (
        "absolute value",
        "maximum",
        "minimum",
        "sign",
        "choice, >",
        "choice, >=",
        "choice, ==",
    ),
    "exponential": (
        "exp increasing",
        "exp positive",
        "exp above its tangent",
        "exp below 1/(1-u)",
        "exp sign",
        "exp strictly above its tangent",
        "exp quadratic",
        "exp rational",
        "exp cubic",
        "exp rational, order 2",
        "exp convex",
        "exp rational, two points",
        "exp of a sum",
    ),
    "logarithm": (
        "log increasing",
        "log sign",
        "log below u-1",
        "log above 1-1/u",
        "log strictly below u-1",
        "log rational",
        "log below a square root",
        "log rational, order 2",
        "log concave",
        "log strictly concave",
        "log rational, two points",
        "log rational of order 2, two points",
        "log square root, two points",
        "exp inverts log",
        "exp against log, tangent",
    ),
    "powers": (
        "power positive",
        "power against 1",
        "Bernoulli",
        "Bernoulli, reciprocal",
        "power against its base",
        "power increasing in its base",
        "Bernoulli, two bases",
        "power increasing in both",
        "power monotone in its exponent",
        "a^b = exp(b log a)",
        "a^b against exp(b(a-1))",
        "power of a sum",
        "small powers",
    ),
    "hyperbolic": (
        "tanh increasing",
        "sinh increasing",
        "cosh above 1",
        "cosh quadratic",
        "sinh sign",
        "sinh cubic",
        "cosh increasing in |u|",
        "tanh bounded",
        "tanh sign",
        "tanh below its tangent",
        "cosh^2 - sinh^2 = 1",
        "tanh = sinh/cosh",
        "tanh^2 = 1 - 1/cosh^2",
        "tanh has slope at most 1",
        "log of sinh",
        "coth rational",
        "cosh below exp(u^2/2)",
    ),
    "trigonometric": (
        "sine bounded",
        "cosine bounded",
        "sine below its argument",
        "sine cubic",
        "sine quintic",
        "sine positive below pi",
        "cosine quadratic",
        "cosine quartic",
        "cosine positive below pi/2",
        "sine positive up to pi",
        "cosine positive up to pi/2",
        "sin has slope at most 1",
        "cos has slope at most 1",
        "sin^2 + cos^2 = 1",
        "sine and cosine of a sum",
        "sine below the circle",
    ),
    "inverse": (
        "atan increasing",
        "atan bounded",
        "atan sign",
        "atan rational",
        "atan has slope at most 1",
        "atan of a reciprocal",
        "range of atan",
        "atan below pi/2",
        "atan of a sum",
        "atan of a sum, above pi/2",
        "atan inverts tan",
        "tan inverts atan",
        "asin inverts sin",
        "acos inverts cos",
        "asin + acos = pi/2",
        "range of asin",
        "range of acos",
        "sin inverts asin",
        "cos inverts acos",
        "asinh inverts sinh",
        "acosh inverts cosh",
        "atanh inverts tanh",
        "sinh inverts asinh",
        "cosh inverts acosh",
        "tanh inverts atanh",
    ),
    "erf_gamma": (
        "erf increasing",
        "erf bounded",
        "erf sign",
        "erf cubic",
        "erfc below exp(-u^2)",
        "gamma positive",
        "gamma near 1",
    ),
    "integers": (
        "integers up to a floor",
        "integers from a ceiling on",
        "floor nondecreasing",
        "ceiling nondecreasing",
        "factorial at least 1",
        "binomial at least 1",
        "binomial theorem",
        "binomial theorem, first moment",
    ),
    "integrals": (
        "Gaussian, up to a point",
        "Gaussian",
        "Gaussian, first moment",
        "Gaussian, second moment",
        "Gaussian, third moment",
        "Gaussian, fourth moment",
        "beta",
        "beta, other logarithm",
        "gamma, up to a point",
        "beta, up to a point",
        "beta, from a point",
    ),
}


# --- steps ----------------------------------------------------------------------------------------


def last(below: Sketch) -> Step:
    """Show the last part of a disjunction, given that the others do not hold."""
    return Step("or", {"part": -1}, {0: below})


def cases(term: str, ops: Sequence[str], *below: Sketch) -> Step:
    """Distinguish the signs of a term."""
    return Step("cases", {"term": term, "ops": list(ops)}, dict(enumerate(below)))


def have(formula: str, how: Sketch = ..., then: Sketch = ...) -> Step:
    """Show a formula on the way."""
    return Step("have", {"formula": formula}, {0: how, 1: then})


def use(name: str, then: Sketch = ..., **at: str) -> Step:
    """Use an axiom or a lemma."""
    return Step("axiom", {"name": name, "at": at}, {-1: then})


def slope(
    variable: str,
    end: str,
    side: str,
    strict: bool = False,
    below: Mapping[int | str, Sketch] | None = None,
) -> Step:
    """Conclude from one end of a segment and the sign of the derivative."""
    fields: dict[str, Any] = {"variable": variable, "end": end, "side": side}
    if strict:
        fields["strict"] = "slope"
    return Step("monotone", fields, below or {})


def both_sides(variable: str, end: str, below: Mapping[int | str, Sketch] | None = None) -> Step:
    """Conclude from one point and the sign of the derivative on each side."""
    return cases(
        f"{variable} - ({end})",
        (">=", "<"),
        slope(variable, end, "above", below=below),
        slope(variable, end, "below", below=below),
    )


def restate(goal: str, **fields: Any) -> Step:
    return Step("restate", {"goal": goal, **fields})


def restate_with(goal: str, below: Sketch) -> Step:
    return Step("restate", {"goal": goal}, {0: below})


REWRITE = Step("rewrite", {"equality": -1})
FROM_0 = both_sides("u", "0")
FROM_1 = last(both_sides("u", "1"))


def products(*terms: tuple[str, list[int]] | tuple[str, list[int], str]) -> Step:
    """Refute the negated goal, the last hypothesis, by a sum of products of hypotheses."""
    made = [[c, numbers, *(square or [None])] for c, numbers, *square in terms]
    return Step("refute", {}, {0: Step("combination", {"terms": [*made, ["1", [-1], None]]})})


def products_only(*terms: tuple[str, list[int]]) -> Step:
    """Refute the negated goal by a sum of products in which it stands."""
    made = [[c, numbers, None] for c, numbers in terms]
    return Step("refute", {}, {0: Step("combination", {"terms": made})})


def derivative(below: Sketch) -> dict[int | str, Sketch]:
    return {-1: below}


def is_zero(term: str, then: Sketch) -> Step:
    """Show that a term without variables is 0, by its enclosures."""
    value = Step("bisect", {"tree": "value"})
    return have(f"{term} >= 0", value, have(f"{term} <= 0", value, have(f"{term} == 0", ..., then)))


def both_zero(f: str, g: str) -> Step:
    """Show f == 0 from f^2 + g^2 == 0, the last hypothesis."""
    contrary = Step(
        "combination",
        {"terms": [["1", [-1, -1], None], ["1", [], g]], "equalities": [[-2, "-1"]]},
    )
    equal = restate("0 == 0", equalities=[[-1, "1"]])
    return cases(f, (">", "==", "<"), contrary, equal, contrary)


def zero_square(f: str) -> Step:
    """Show f == 0 from f^2 == 0, the last hypothesis."""
    contrary = Step("combination", {"terms": [["1", [-1, -1], None]], "equalities": [[-2, "-1"]]})
    return cases(f, (">", "==", "<"), contrary, restate("0 == 0", equalities=[[-1, "1"]]), contrary)


def given(fact: int, variable: str, value: str, then: Sketch, factor: str = "-1") -> Step:
    fields = {"fact": fact, "variable": variable, "value": value, "factor": factor}
    return Step("substitute", fields, {-1: then})


def as_number(kept: list[int], below: Sketch, term: str = "tanh(u_)") -> Step:
    """Put x in place of a term, and keep some hypotheses."""
    given = [True if number in kept else None for number in range(max(kept, default=-1) + 1)]
    return Step("generalise", {"name": "x", "term": term, "given": given}, {-1: below})


# --- sketches -------------------------------------------------------------------------------------


def cosh_grows(larger: str, strict: bool) -> Step:
    """Compare cosh(u) and cosh(v) where the square of one of them is the larger one."""
    smaller = "u" if larger == "v" else "v"
    place = {"u": 1, "v": 2}  # the hypotheses on their signs
    if strict:
        terms = [("1", [place["u"], -1]), ("1", [place["v"], -1]), ("1", [0])]
    else:
        terms = [("1", [-1, -1]), ("2", [place[larger], -1]), ("1", [0])]
    order = products_only(*terms)

    def one(sign: str, other: str) -> Step:
        end = smaller if sign == other else f"-{smaller}"
        side = "above" if sign == ">=" else "below"
        return slope(larger, end, side, strict, {0: order})

    signs = (">=", "<")
    cells = [[one(*((a, b) if larger == "u" else (b, a))) for b in signs] for a in signs]
    return last(cases("u", signs, *(cases("v", signs, *row) for row in cells)))


PADE = "(u - 1)*(u + 5)/(4*u + 2) - log(u) >= 0"
PADE_BELOW = "log(u) - (u - 1)*(5*u + 1)/(u*(2*u + 4)) >= 0"
PADE_OF_W = "(w - 1)*(w + 5)/(4*w + 2) - log(w) >= 0"
PADE_OF_INVERSE = "(1/u - 1)*(1/u + 5)/(4*(1/u) + 2) - log(1/u) >= 0"
RATIOS = (
    "(4*(u/v) + 2)*log(u/v) - (u/v - 1)*(u/v + 5) <= 0",
    "(u/v)*(2*(u/v) + 4)*log(u/v) - (u/v - 1)*(5*(u/v) + 1) >= 0",
)


def pade(x: str) -> Step:
    """The error of the approximation has the slope 4*(x - 1)^3/(x*(4*x + 2)^2)."""

    def side(which: str, op: str, size: str) -> Step:
        terms = [["1", [-2, -2, -2], None], ["1", [-1], None]]
        third = Step("refute", {}, {0: Step("combination", {"terms": terms})})
        fields = {"goal": f"({x}_ - 1)^3 {op} 0", "factor": f"4/({x}_*(4*{x}_ + 2)^2)"}
        known = Step("restate", fields, {0: have(f"{size} > 0", ..., third)})
        return slope(x, "1", which, below=derivative(known))

    above, below = side("above", ">=", f"{x}_ - 1"), side("below", "<=", f"1 - {x}_")
    return cases(f"{x} - 1", (">=", "<"), above, below)


def log_of_ratio(said: str) -> Step:
    known = use("log rational, order 2", u="u/v")
    return last(have("u/v > 0", ..., have(said, known, restate(said, factor="v^2"))))


def both_signs(variable: str, end: str, above: Sketch, below: Sketch) -> Step:
    """Conclude from one point and the sign of the derivative, by a sketch on each side."""
    return cases(
        f"{variable} - ({end})",
        (">=", "<"),
        slope(variable, end, "above", below=derivative(above)),
        slope(variable, end, "below", below=derivative(below)),
    )


def bernoulli(op: str, product: bool) -> Step:
    said = f"u_^(v - 1) - 1 {op} 0"
    then = products(("1", [1, -2])) if product else restate(said, factor="v")
    return have(said, use("power against 1", u="u_", v="v - 1"), then)


def bases(one: str, other: str, op: str) -> Step:
    """Bernoulli's inequality for a ratio of two bases."""
    said = f"({one}/{other})^v - 1 - v*({one}/{other} - 1) {op} 0"
    then = have(
        said,
        use("Bernoulli", u=f"{one}/{other}", v="v"),
        restate(said, factor=f"{other}*{other}^v"),
    )
    return last(given(2, "x", "v", have(f"{one}/{other} > 0", ..., then)))


def exponents(sign: str, op: str, fact: int) -> Step:
    known = use("exp increasing", u="v*log(u)", v="x*log(u)")
    then = have(f"v*log(u) - x*log(u) {op} 0", products(("1", [fact, -2])), known)
    return last(given(0, "w", "u", have(f"log(u) {sign} 0", ..., then)))


def coth(said: str, op: str, side: str, below: Sketch) -> Step:
    """Divide a statement about cosh(u) and sinh(u) by sinh(u)."""
    sign = "" if side == "above" else "-"
    times = "-3*u/(sinh(u)*exp(u))" if said == CUBIC else "u/(sinh(u)*exp(u))"
    known = restate(f"{said} {op} 0", factor=f"{sign}1/sinh(u)", equalities=[[-1, times]])
    then = have("coth(u)*sinh(u) - cosh(u) == 0", use("coth = cosh/sinh", u="u"), known)
    return last(have(f"{said} {op} 0", slope("u", "0", side, True, derivative(below)), then))


def times(fact: str, factor: str, below: Sketch = ...) -> Step:
    """Conclude from a fact times a positive factor."""
    return Step("restate", {"goal": fact, "factor": factor}, {0: below})


CUBIC = "3*u*cosh(u) - (3 + u^2)*sinh(u)"
LINEAR = "u*cosh(u) - sinh(u)"
LINEAR_ = "u_*cosh(u_) - sinh(u_)"


def sinh_times(x: str, side: str) -> Step:
    """Conclude the sign of x*cosh(x) - sinh(x) from its slope x*sinh(x)."""
    op, sign = (">", "") if side == "above" else ("<", "-")
    return slope(x, "0", side, True, derivative(times(f"sinh({x}_) {op} 0", f"{sign}{x}_")))


SINE = "sin(u + v) - sin(u)*cos(v) - cos(u)*sin(v)"
COSINE = "cos(u + v) - cos(u)*cos(v) + sin(u)*sin(v)"
SQUARES = f"({SINE})^2 + ({COSINE})^2 == 0"


def near_pi(strict: bool) -> Step:
    return cases("u - 3", ("<=", ">"), ..., slope("u", "pi", "below", strict))


def near_half_pi(strict: bool) -> Step:
    return last(
        cases(
            "u",
            (">=", "<"),
            cases("u - 3/2", ("<=", ">"), ..., slope("u", "pi/2", "below", strict)),
            cases("u + 3/2", (">=", "<"), ..., slope("u", "-pi/2", "above", strict)),
        )
    )


def sine_below(side: str, bound: int) -> Step:
    """Compare sin(u) with u: far from 0 by its bounds, near 0 by the slope."""
    term, ops = ("u - 1", (">", "<=")) if side == "above" else ("u + 1", ("<", ">="))
    far = use("sine bounded", u="u", then=products(("1", [1]), ("1", [bound])))
    return last(cases(term, ops, far, slope("u", "0", side, True)))


def half_pi(sign: str) -> Step:
    """Bound atan(u) where u has the sign, by the positive atan(1/abs(u))."""
    contrary = {"terms": [["1", [-1], None], ["2", [-2], None]], "equalities": [[-3, "-2"]]}
    then = Step("refute", {}, {0: Step("combination", contrary)})
    said = have(f"atan({sign}1/u) > 0", use("atan sign", u=f"{sign}1/u"), then)
    return use("atan of a reciprocal", u=f"{sign}u", then=said)


BELOW_HALF_PI = cases("u", (">", "<="), half_pi(""), ...)
ABOVE_HALF_PI = cases("u", ("<", ">="), half_pi("-"), ...)


def root(bound: str, how: Sketch, lemma: str, f: str, g: str) -> dict[int | str, Sketch]:
    """Show that g is the positive root of 1 - f^2 at u_, between the ends of a segment."""

    def sure(then: Sketch) -> Step:
        square = have(
            f"1 - {f}(u_)^2 > 0",
            Step("restate", {"goal": f"{g}(u_)^2 > 0", "equalities": [[-1, "1"]]}),
            then,
        )
        known = have(f"1 - {f}(u_)^2 == {g}(u_)^2", both_sides("u_", "0"), square)
        return have(bound, how, have(f"{g}(u_) > 0", use(lemma, u="u_"), known))

    return {f"defined({'-' if g == 'sin' else ''}{g}(u_)": sure(...), -1: sure(REWRITE_ROOT)}


REWRITE_ROOT = Step("rewrite", {"equality": -2})
COSINE_POSITIVE = "cosine positive up to pi/2"
ROOT_ABOVE = root("2*u_ - pi < 0", products(("2", [7]), ("1", [1])), COSINE_POSITIVE, "sin", "cos")
ROOT_BELOW = root("2*u_ + pi > 0", products(("2", [6]), ("1", [0])), COSINE_POSITIVE, "sin", "cos")
SINE_ROOT = root(
    "u_ - pi < 0", products(("1", [6]), ("1", [1])), "sine positive up to pi", "cos", "sin"
)


def atan_sum(side: str, *bounds: tuple[list[int], list[int]]) -> Step:
    """Show that u_*v stays below 1 on the segment, by the sign of v."""
    cell = [products(("1", product), ("1", fact)) for product, fact in bounds]
    below = have("1 - u_*v > 0", cases("v", (">=", "<"), *cell))
    return slope("u", "0", side, below={"defined(atan(u_) + atan(v)": below})


def tan_defined(side: str, bound: str, near: int, end: int) -> Step:
    known = have(bound, products(("2", [near]), ("1", [end])), use(COSINE_POSITIVE, u="u_"))
    return slope("u", "0", side, below={"defined(atan(tan(u_)) - u_)": known})


def atan_slope(op: str, sign: str) -> Step:
    fact = times(f"atan(u_)*(1 + u_*u_) - u_ {op} 0", f"{sign}2*u_/(1 + u_^2)")
    return use("atan sign", u="u_", then=fact)


OF_ASIN = "sin(asin(u)) - u", "cos(asin(u)) - (1 - u^2)^(1/2)"
TAN_OF_ATAN = have(
    "(sin(atan(u)) - u*cos(atan(u)))^2/(1 + u^2) == 0",
    FROM_0,
    have(
        "sin(atan(u)) - u*cos(atan(u)) == 0",
        zero_square("sin(atan(u)) - u*cos(atan(u))"),
        have(
            "sin(atan(u))^2 + cos(atan(u))^2 == 1",
            FROM_0,
            have(
                "cos(atan(u)) != 0",
                use("range of atan", u="u"),
                have("tan(atan(u))*cos(atan(u)) == sin(atan(u))"),
            ),
        ),
    ),
)


def acosh_of_cosh(op: str, said: str) -> Step:
    def sure(then: Sketch) -> Step:
        wide = have("cosh(u_)^2 - 1 > 0", restate("sinh(u_)*sinh(u_) > 0"), then)
        inner = have("sinh(u_)*sinh(u_) > 0", products(("1", [-2, -2])), wide)
        return have(f"sinh(u_) {op} 0", ..., inner)

    side = "above" if op == ">" else "below"
    at = {
        "defined(acosh(cosh(u_))": use("cosh above 1", u="u_"),
        "defined(sinh(u_)": sure(...),
        -1: sure(have("cosh(u_)^2 - 1 == sinh(u_)^2", ..., REWRITE)),
    }
    return have(f"acosh(cosh(u)) == {said}", slope("u", "0", side, below=at))


def exp_of(inverse: str, value: str, reciprocal: str, how: Sketch, sign: str) -> Step:
    """Show the exponential of an inverse hyperbolic function, and its reciprocal."""
    minus = restate("0 == 0", equalities=[[-1, f"-({reciprocal})*exp(-{inverse})"]])
    both = restate("0 == 0", equalities=[[-2, "1/2"], [-1, f"{sign}exp(-{inverse})/2"]])
    return have(
        f"(exp({inverse}) - ({value}))*exp(-{inverse}) == 0",
        how,
        have(
            f"exp({inverse}) == {value}",
            ...,
            have(f"exp(-{inverse}) == {reciprocal}", minus, both),
        ),
    )


def for_integers(formula: str, how: Sketch, at: str, then: Sketch = ...) -> Step:
    """Show a formula for all integers by induction, and use it at one of them."""
    used = Step("instance", {"hypothesis": -1, "value": at}, {-1: then})
    return have(formula, Step("all", {}, {0: how}), used)


def induct(start: str, step: Sketch = ...) -> Step:
    return Step("induct", {"variable": "n", "start": start}, {-1: step})


def between(name: str, relation: str, negated: str) -> Step:
    """Show that no integer lies between a number and its rounding."""
    sum_of = {"terms": [["1", [-1], None], ["1", [-2], None], ["1", [1], None]]}
    whole = Step("whole", {"hypothesis": 2}, {0: Step("combination", sum_of)})
    known = last(Step("refute", {}, {0: use(name, u="u", then=whole)}))
    formula = f"all(n; integer; n {negated} u or n {relation} {name}(u))"
    return for_integers(formula, known, "v")


def rounded(name: str, lemma: str, at: str, other: str, op: str) -> Step:
    """Compare the rounded values of two numbers, one of which is an integer beside the other."""
    how = use(name, u=at, then=products(("1", [0]), ("1", [1])))
    then = use(lemma, u=other, v=f"{name}({at})")
    return last(have(f"{name}({at}) - {other} {op} 0", how, then))


FACTORIALS = "all(n; integer; n >= 0; factorial(n) >= 1 and factorial(n) >= n)"
NEXT_FACTORIAL = Step(
    "and",
    {},
    {
        0: restate_with(
            "(n_ + 1)*factorial(n_) >= 1", products(("1", [-5, -3]), ("1", [-3]), ("1", [-5]))
        ),
        1: restate_with("(n_ + 1)*factorial(n_) >= n_ + 1", products(("1", [-6, -4]), ("1", [-4]))),
    },
)


PASCAL = have(
    "n_ - m + 1 > 0",
    products(("1", [-4]), ("1", [])),
    have(
        "n_ - m + 2 > 0",
        products(("1", [-2]), ("1", [])),
        have(
            "n_ + 1 > 0",
            ...,
            Step(
                "restate",
                {"goal": "binomial(n_, m)*(n_ + 1) >= n_ + 1 - m", "factor": "1/(n_ + 1 - m)"},
                {
                    0: as_number(
                        [4, 8, 11],
                        products(("1", [1, 2]), ("1", [0])),
                        "binomial(n_, m)",
                    )
                },
            ),
        ),
    ),
)
NEXT = "binomial(m_ + 1, k)*x^k*y^(m_ + 1 - k)"
POWERS = "sum(binomial(m, k)*x^k*y^(m - k), k, 0, m) == (x + y)^m"
NEXT_TERM = have(
    "m_ - k_ + 1 > 0",
    products(("1", [-2]), ("1", [])),
    have(
        "m_ - k_ + 2 > 0",
        products(("1", [-2]), ("1", [])),
        have("k_ + 1 > 0", ..., have("m_ + 1 > 0")),
    ),
)
NEXT_POWER = Step(
    "telescope",
    {
        "sum": f"sum({NEXT} - (x + y)*(binomial(m_, k)*x^k*y^(m_ - k)), k, 0, m_)",
        "by": f"-k/(m_ + 1)*{NEXT}",
    },
    {
        "-(k_ + 1)": NEXT_TERM,
        -1: Step(
            "parts",
            {"sum": f"sum({NEXT}, k, 0, m_ + 1)", "at": "m_"},
            {
                -1: restate(
                    "0 == 0",
                    equalities=[[-1, "1/(m_ + 1)"], [-2, "1/(m_ + 1)^2"], [-3, "x + y"]],
                )
            },
        ),
    },
)
EMPTY_POWER = Step(
    "unroll",
    {"sum": "sum(binomial(0, k)*x^k*y^(0 - k), k, 0, 0)"},
    {-1: restate("0 == 0", equalities=[[-1, "1"]])},
)


def primitive(integral: str, by: str) -> Step:
    return Step("primitive", {"integral": f"integral({integral})", "by": by})


def finished(*equalities: int) -> dict[int | str, Sketch]:
    """Conclude the value of an integral by putting in equalities, the first one its own."""
    then: Sketch = Step("identity")
    for equality in reversed(equalities):
        then = Step("rewrite", {"equality": equality}, {0: then})
    return {-1: Step("and", {}, {-1: then})}


def moved(integral: str, scale: str, shift: str, *equalities: int) -> Step:
    fields = {"integral": integral, "scale": scale, "shift": shift}
    if scale.startswith("-"):
        fields["reflected"] = "yes"
    return Step("move integral", fields, finished(-2, *equalities))


def table(integral: str, entry: str, **at: str) -> Step:
    fields = {"integral": integral, "entry": entry, "at": at}
    return Step("integral of the table", fields, finished(-2))


def linear(integral: str, parts: Sequence[tuple[str, str]], *equalities: int) -> Step:
    fields = {"integral": integral, "parts": list(map(list, parts))}
    return Step("linear integral", fields, finished(-2, *equalities))


def halved(integral: str, *equalities: int) -> Step:
    fields = {"integral": integral, "at": "0"}
    return Step("cut integral", fields, finished(-2, *equalities))


def valued(integral: str, value: str, how: Sketch, then: Sketch) -> Step:
    """Show that an integral exists and has a value, on the way."""
    return have(f"defined({integral}) and {integral} == {value}", how, then)


def reflected(integral: str, other: str, shift: str, entry: str, value: str, **at: str) -> Step:
    """Show an integral from its value after the substitution of shift - x."""
    return valued(other, value, table(other, entry, **at), moved(integral, "-1", shift, -4))


# the integrals of x^k*exp(-a*x^2) above 0, and over all reals
ABOVE = {1: "1/(2*a)", 2: "pi^(1/2)/(4*a^(3/2))", 3: "1/(2*a^2)", 4: "3*pi^(1/2)/(8*a^(5/2))"}
WHOLE = {0: "(pi/a)^(1/2)", 1: "0", 2: "(pi/a)^(1/2)/(2*a)", 3: "0", 4: "3*(pi/a)^(1/2)/(4*a^2)"}


def powered(x: str, k: int) -> str:
    return f"{x}^{k}*" if k > 1 else f"{x}*" if k else ""


def centred(k: int, then: Sketch) -> Step:
    """Show the moment of order k of exp(-a*x^2)."""
    body = f"{powered('x', k)}exp(-a*x^2)"
    whole = f"integral({body}, x, -oo, oo)"
    if k == 0:
        return valued(whole, WHOLE[0], table(whole, "Gaussian", a="a", b="0", c="0"), then)
    above, below = f"integral({body}, x, 0, oo)", f"integral({body}, x, -oo, 0)"
    # as the substitution of -x writes it
    end = "(0 + 0)*(-1)"
    other = f"integral((-1)*(-1)*{powered('(-x + 0)', k)}exp(-a*(-x + 0)^2), x, {end}, oo)"
    same = f"integral({body}, x, {end}, oo)"
    sign = "-1" if k % 2 else "1"
    at = {"a": str(k + 1), "b": "a"}
    value = f"({sign})*{ABOVE[k]}"
    then = valued(whole, WHOLE[k], halved(whole, -4, -10), then)
    then = valued(below, value, moved(below, "-1", "0", -4), then)
    then = valued(other, value, linear(other, [(sign, body)], -4), then)
    then = valued(same, ABOVE[k], table(same, "Gaussian, power", **at), then)
    return valued(above, ABOVE[k], table(above, "Gaussian, power", **at), then)


def moment(k: int) -> Step:
    """Show the moment of order k of a Gaussian from those that are centred at 0."""
    integral = f"integral({powered('x', k)}exp(-a*x^2 + b*x + c), x, -oo, oo)"
    at = "1*x + b/(2*a)"
    shifted = f"1*{powered(f'({at})', k)}exp(-a*({at})^2 + b*({at}) + c)"
    factor = "exp(b^2/(4*a) + c)"
    parts = [
        (f"{factor}*{comb(k, j)}*(b/(2*a))^{k - j}", f"{powered('x', j)}exp(-a*x^2)")
        for j in range(k + 1)
    ]
    other = f"integral({shifted}, x, -oo, oo)"
    value = INTEGRALS[f"Gaussian, {MOMENTS[k - 1]} moment"].value
    places = [-4 - 10 * (k - j) for j in range(k + 1)]
    shown = moved(integral, "1", "b/(2*a)", -4)
    then: Sketch = valued(other, value, linear(other, parts, *places), shown)
    for j in reversed(range(k + 1)):
        then = centred(j, then)
    return then


MOMENTS = ("first", "second", "third", "fourth")
GAUSS = "exp(-a*x^2 + b*x + c), x"
BETA = "x^(a - 1)*(1 - x)^(b - 1), x"


SAME = last(given(0, "v", "u", Step("identity")))
TANH_SQUARE = [
    have(f"tanh(u_) {op} 0", use("tanh increasing", u="u_", v="0"), products(("1", [-2, -2])))
    for op in (">", "<")
]


def tanh_below(sign: str, op: str, fact: int) -> Step:
    """Compare the squares of tanh(u_) and u_."""
    known = use("tanh sign", u="u_")
    sum_of = as_number([fact, 5, 6], products(("3", [0, 2]), ("3", [1, 2])))
    return have(f"tanh(u_) {sign} 0", known, have(f"tanh(u_) - u_ {op} 0", known, sum_of))


TANH_BELOW_0 = have(
    "tanh(u_) < 0",
    use("tanh increasing", u="u_", v="0"),
    have(
        "1 + tanh(u_) > 0",
        use("tanh bounded", u="u_"),
        as_number([2, 5, 6], products(("1", [2, 1]), ("1", [2, 0]), ("1", [2, 1, 0]))),
    ),
)


def tanh_slope(side: str, square: bool) -> Step:
    below = as_number([], products(("1", [], "x"))) if square else ...
    return last(slope("u", "v", side, below=derivative(below)))


def growing() -> list[Sketch]:
    """Compare the values of an increasing function at u and at v."""
    return [
        last(slope("v", "u", "above", True)),
        last(slope("u", "v", "above")),
        last(slope("u", "v", "above", True)),
        last(slope("v", "u", "above")),
    ]


def slopes(*below: Sketch) -> list[Sketch]:
    """Conclude a strict sign above 0 for each sketch of the derivative's sign, then each below 0."""
    sides = ("above", "below")
    return [last(slope("u", "0", side, True, derivative(one))) for side in sides for one in below]


def away_from(end: str, below: Sketch = ...) -> Step:
    """Conclude a strict sign on both sides of a point, where u is not there."""
    term = f"u - ({end})"
    above = slope("u", end, "above", True, derivative(below))
    return last(cases(term, (">", "<="), above, slope("u", end, "below", True, derivative(below))))


def twice(variable: str, end: str, below: Sketch = ...) -> Step:
    """Conclude from one point, the derivative there and the sign of the second derivative."""
    above, below = (
        slope(
            variable,
            end,
            side,
            below=derivative(slope(f"{variable}_", end, side, below=derivative(below))),
        )
        for side in ("above", "below")
    )
    return cases(f"{variable} - ({end})", (">=", "<"), above, below)


def thrice(side: str) -> Step:
    inner = slope("u__", "0", side, True)
    return last(
        slope("u", "0", side, True, derivative(slope("u_", "0", side, True, derivative(inner))))
    )


def two_sided() -> list[Sketch]:
    """Compare values of a function at u and v with u - v."""
    return [last(slope("u", "v", side)) for side in ("above", "above", "below", "below")]


def from_1() -> list[Sketch]:
    return [
        last(slope("u", "1", side, strict))
        for strict, side in (
            (False, "above"),
            (False, "below"),
            (False, "above"),
            (False, "below"),
            (True, "above"),
            (True, "below"),
            (True, "above"),
            (True, "below"),
        )
    ]


def same_exponent(one: str, other: str, side: str, strict: bool) -> Step:
    return last(given(2, "x", "v", slope(one, other, side, strict)))


def both_larger(one: str, p: str, other: str, q: str, strict: bool) -> Step:
    said = f"{one}^{q} - {other}^{q} {'>' if strict else '>='} 0"
    both = products(("1", [-2]), ("1", [-3]))
    more = have(f"{one}^{p} - {one}^{q} >= 0", slope(p, q, "above"), both)
    return last(have(said, slope(one, other, "above", strict), more))


def times_base(op: str) -> Step:
    said = f"u^(v - 1) - 1 {op} 0"
    return last(have(said, use("power against 1", u="u", v="v - 1"), restate(said, factor="u")))


def exponent_log(op: str, name: str) -> Step:
    known = use("exp increasing", u="v*log(u)", v="w")
    below = name == "log below u-1"
    said = "log(u) - u + 1 <= 0" if below else "u*log(u) - u + 1 >= 0"
    terms = [["1", [1, -2], None], ["1", [2], None], ["1", [-1] if below else [0, -1], None]]
    third = Step("refute", {}, {0: Step("combination", {"terms": terms})})
    return last(have(said, use(name, u="u"), have(f"v*log(u) - w {op} 0", third, known)))


LOG_SLOPE = use(
    "log strictly below u-1", u="u_", then=restate("u_*log(u_) - u_ + 1 > 0", factor="1/u_")
)
LOG_SECOND = use("log below u-1", u="u__", then=restate("log(u__) - u__ + 1 <= 0", factor="2/u__"))
LOG_CONCAVE = use(
    "log concave",
    u="u_",
    v="v",
    then=restate("(log(u_) - log(v))*u_ - (u_ - v) >= 0", factor="1/u_"),
)
SQUARE_ROOT = "log(u/v)^2*(u/v) - (u/v - 1)^2 <= 0"
TANGENT = "exp(u)/v - 1 - (u - log(v)) >= 0"
GROWS = {
    name: use(f"{name} increasing", u="u_", v="0")
    for name in ("exp", "sinh", "tanh", "atan", "erf")
}
INVERSE_EXP = last(use("exp increasing", u="u", v="log(v)"))

ERFC = "integral(exp(-x^2 - 2*u*x - u^2), x, 0, oo)"
ERFC_LARGER = "integral(exp(-x^2 - u^2), x, 0, oo)"
ERFC_COMPARED = Step(
    "compare integrals",
    {"low": ERFC, "high": ERFC_LARGER, "op": "<="},
    {
        "exp(": use("exp increasing", u="-x_^2 - 2*u*x_ - u^2", v="-x_^2 - u^2"),
        -1: have(
            "erfc(u) - exp(-u^2) <= 0",
            restate(
                f"{ERFC} - {ERFC_LARGER} <= 0",
                factor="2/pi^(1/2)",
                equalities=[[3, "2/pi^(1/2)"], [5, "-2*exp(-u^2)/pi^(1/2)"]],
            ),
            have(
                "exp(-u^2) - exp(v) <= 0",
                use("exp increasing", u="-u^2", v="v"),
                have("exp(u^2) > 0", ..., products_only(("1", [-3]), ("1", [-4]), ("1", [-2, -1]))),
            ),
        ),
    },
)
SINH_BELOW = times(
    "exp(x_^2/6) - cosh(x_) + x_*sinh(x_)/3 > 0",
    "exp(-x_^2/6)",
    slope(
        "x_",
        "0",
        "above",
        True,
        derivative(
            have(
                "x__*(1 + x__^2/6) + x__*cosh(x__) - 2*sinh(x__) > 0",
                slope(
                    "x__",
                    "0",
                    "above",
                    True,
                    derivative(slope("x___", "0", "above", True)),
                ),
                have(
                    "exp(x__^2/6) - 1 - x__^2/6 >= 0",
                    use("exp above its tangent", u="x__^2/6"),
                    have(
                        "exp(x__) > 0",
                        ...,
                        have("x__ > 0", ..., products(("1/3", [-2, -3, -4]), ("1/3", [-5]))),
                    ),
                ),
            )
        ),
    ),
)
BELOW_EXP = "all(x; real; x > 0; x - sinh(x)*exp(-x^2/6) > 0)"


def log_of_sinh(value: str, sign: str) -> Step:
    """Bound sinh(u)/u where u has a sign, from the bound at abs(u)."""
    known = restate(
        f"{value} - sinh({value})*exp(-({value})^2/6) > 0", factor=f"exp(u^2/6)/({value})"
    )
    return have(
        f"sinh(u) {sign} 0",
        ...,
        have(
            "sinh(u)/u > 0",
            times(f"sinh(u) {sign} 0", f"1/({value})"),
            Step(
                "instance",
                {"hypothesis": 1, "value": value},
                {
                    -1: have(
                        "exp(u^2/6) - sinh(u)/u > 0",
                        known,
                        use("log increasing", u="sinh(u)/u", v="exp(u^2/6)"),
                    )
                },
            ),
        ),
    )


def log_of_more(value: str, sign: str) -> Step:
    known = use("sinh sign", u="u", then=restate(f"sinh(u) - u {sign} 0", factor=f"1/({value})"))
    return have("sinh(u)/u - 1 > 0", known, use("log sign", u="sinh(u)/u"))


WEIGHT = "binomial(m, k)*x^k*y^(m - k)"
FIRST = f"sum(k*({WEIGHT}), k, 0, m) == m*x*(x + y)^(m - 1)"
NEXT_WEIGHT = have(
    "m - k_ > 0",
    products(("1", [-2]), ("1", [])),
    have(
        "m - k_ + 1 > 0",
        products(("1", [-2]), ("1", [])),
        have("k_ + 1 > 0", ..., have("m + 1 > 0")),
    ),
)
EMPTY_MOMENT = have(
    "m == 0",
    ...,
    Step(
        "rewrite",
        {"equality": -1},
        {
            0: Step(
                "unroll",
                {"sum": "sum(k*(binomial(0, k)*x^k*y^(0 - k)), k, 0, 0)"},
                {-1: restate("0 == 0", equalities=[[-1, "1"]])},
            )
        },
    ),
)
MOMENT = Step(
    "telescope",
    {"sum": f"sum((x + y)*(k*({WEIGHT})) - m*x*({WEIGHT}), k, 0, m - 1)", "by": f"-y*k*({WEIGHT})"},
    {
        "-y*(k_ + 1)": NEXT_WEIGHT,
        -1: Step(
            "parts",
            {"sum": f"sum(k*({WEIGHT}), k, 0, m)", "at": "m - 1"},
            {
                -1: Step(
                    "parts",
                    {"sum": f"sum({WEIGHT}, k, 0, m)", "at": "m - 1"},
                    {
                        -1: use(
                            "binomial theorem",
                            n="m",
                            x="x",
                            y="y",
                            then=restate(
                                "0 == 0",
                                equalities=[
                                    [-3, "1"],
                                    [-4, "1/(x + y)"],
                                    [-1, "m*x/(x + y)"],
                                    [-2, "-m*x/(x + y)"],
                                ],
                            ),
                        )
                    },
                )
            },
        ),
    },
)


SIZE_OF_POWER = "all(n; integer; n >= 0; abs(u^n) == abs(u)^n)"
ABOVE_1 = "all(n; integer; n > 0; n >= 1)"
ZERO = "all(n; integer; n >= 0; 0^(n + 1) == 0)"
NEXT_SIZE_OF = have(
    "abs(u^(n_ + 1)) == abs(u)*abs(u^n_)",
    ...,
    have(
        "abs(u)^(n_ + 1) == abs(u)*abs(u)^n_",
        ...,
        Step(
            "rewrite",
            {"equality": -2},
            {
                0: Step(
                    "rewrite",
                    {"equality": -1},
                    {0: Step("rewrite", {"equality": -5}, {0: Step("identity")})},
                )
            },
        ),
    ),
)
NEXT_SIZE = cases(
    "u",
    (">", "==", "<"),
    ...,
    ...,
    cases("u^n_", (">=", "<"), NEXT_SIZE_OF, NEXT_SIZE_OF),
)


def small_power(*factors: list[int]) -> Step:
    """Bound v^k*abs(u^v): with h = 1 - abs(u), abs(u)^v is at most exp(-v*h), and that 6/(v*h)^3."""
    # hypotheses: w > 0, v*w*h^3 >= 6, h > 0, v > 0, v >= 1, p <= exp(-v*h), p >= 0, and those below
    terms = [
        ["1", [-1, 3, 2, 2, 2, 7], None],
        ["1", [1, 7], None],
        ["1", [9], None],
        ["1", [5, 3, 3, 3, 2, 2, 2], None],
        ["6", [8], None],
        ["6", [3, 2, 8], None],
        ["3", [3, 3, 2, 2, 8], None],
    ]
    square = Step("refute", {}, {0: Step("combination", {"terms": terms})})
    then = products(*(("1", numbers) for numbers in (*factors, [-2])))
    cubic = have("v^2*p - w <= 0", square, then)
    fact = "6*exp(v*(1 - a)) - 6 - 6*v*(1 - a) - 3*(v*(1 - a))^2 - (v*(1 - a))^3 >= 0"
    cubic = have("exp(a*v) > 0", ..., have(fact, use("exp cubic", u="v*(1 - a)"), cubic))
    whole = [True] * 7
    as_p = Step(
        "generalise",
        {"name": "p", "term": "a^v", "given": whole},
        {-1: have("exp(v) > 0", ..., cubic)},
    )
    kept = [True if number in (1, 3, 4, 5, 9, 12, 13) else None for number in range(14)]
    as_a = Step("generalise", {"name": "a", "term": "abs(u)", "given": kept}, {-1: as_p})
    then = have("abs(u)^v >= 0", ..., Step("rewrite", {"equality": 7}, {0: as_a}))
    to_zero = Step("rewrite", {"equality": -2}, {0: Step("rewrite", {"equality": -1})})
    zero = have("abs(u) == 0", ..., have("0^v == 0", restate("0^(v - 1 + 1) == 0"), to_zero))
    known = use("a^b against exp(b(a-1))", u="abs(u)", v="v", w="-v*(1 - abs(u))")
    bound = have(
        "abs(u)^v - exp(-v*(1 - abs(u))) <= 0", cases("abs(u)", (">", "<="), known, zero), then
    )
    bound = for_integers(ZERO, ..., "v - 1", bound)
    above_1 = for_integers(ABOVE_1, Step("whole", {"hypothesis": -1}), "v", bound)
    size = for_integers(SIZE_OF_POWER, induct("0", NEXT_SIZE), "v", above_1)
    positive = products_only(("1", [-1, 1, -2, -2, -2]), ("1", [3]), ("6", []))
    return have("1 - abs(u) > 0", ..., have("v > 0", positive, size))


SKETCHES: dict[str, Sequence[Sketch]] = {
    **{f"{name} increasing": growing() for name in ("exp", "log", "tanh", "sinh", "erf", "atan")},
    "exp strictly above its tangent": [away_from("0"), away_from("0")],
    "exp above its tangent": [FROM_0],
    "exp below 1/(1-u)": [FROM_0],
    "exp quadratic": slopes(use("exp strictly above its tangent", u="u_")),
    "exp rational": slopes(use("exp strictly above its tangent", u="u_")),
    "exp cubic": [both_sides("u", "0", derivative(use("exp quadratic", u="u_")))],
    "exp rational, order 2": [thrice("above"), thrice("below")],
    "exp convex": [
        both_sides("u", "v", derivative(use("exp increasing", u="u_", v="v"))),
        both_sides("v", "u", derivative(use("exp increasing", u="v_", v="u"))),
    ],
    "exp rational, two points": [
        last(slope("u", "v", side, below=derivative(use("exp convex", u="u_", v="v"))))
        for side in ("above", "below")
    ],
    "exp of a sum": [last(use("exp increasing", u="u + v", v="w"))] * 4,
    "log sign": [last(slope("u", "1", "above", True)), last(slope("u", "1", "below", True)), ...],
    "log below u-1": [FROM_1],
    "log above 1-1/u": [FROM_1],
    "log strictly below u-1": [away_from("1"), away_from("1")],
    "log rational": [
        last(slope("u", "1", side, True, derivative(LOG_SLOPE))) for side in ("above", "below")
    ],
    "log below a square root": [last(twice("u", "1", LOG_SECOND))],
    "log concave": [last(both_sides("u", "v")), last(both_sides("v", "u"))],
    "log strictly concave": [
        away_from("v"),
        away_from("v", use("log increasing", u="u_", v="v")),
    ],
    "log rational, two points": [
        last(slope("u", "v", side, below=derivative(LOG_CONCAVE))) for side in ("above", "below")
    ],
    "log square root, two points": [
        last(
            have(
                "u/v > 0",
                ...,
                have(
                    SQUARE_ROOT,
                    use("log below a square root", u="u/v"),
                    restate(SQUARE_ROOT, factor="v^2"),
                ),
            )
        )
    ],
    "exp inverts log": [INVERSE_EXP] * 4,
    "exp against log, tangent": [
        last(
            have(
                TANGENT, use("exp above its tangent", u="u - log(v)"), restate(TANGENT, factor="v")
            )
        )
    ],
    "power against 1": from_1(),
    "power against its base": [times_base(op) for op in (">=", "<=", "<=", ">=")],
    "power increasing in its base": [
        same_exponent(*pair, side, strict)
        for side, first, second in (
            ("above", ("w", "u"), ("u", "w")),
            ("below", ("u", "w"), ("w", "u")),
        )
        for pair, strict in ((first, True), (second, False), (second, True), (first, False))
    ],
    "power increasing in both": [
        both_larger(*names, strict)
        for names in (("u", "v", "w", "x"), ("w", "x", "u", "v"))
        for strict in (False, True)
    ],
    "a^b against exp(b(a-1))": [
        exponent_log(op, name)
        for op, name in (
            ("<=", "log below u-1"),
            (">=", "log above 1-1/u"),
            (">=", "log below u-1"),
            ("<=", "log above 1-1/u"),
        )
    ],
    "cosh above 1": [both_sides("u", "0", derivative(GROWS["sinh"]))],
    "cosh quadratic": [
        twice("u", "0", use("cosh above 1", u="u__")),
        away_from("0", GROWS["sinh"]),
    ],
    "sinh sign": [*slopes(use("cosh quadratic", u="u_")), ...],
    "sinh cubic": [
        last(
            slope(
                "u",
                "0",
                side,
                True,
                derivative(slope("u_", "0", side, True, derivative(use("sinh sign", u="u__")))),
            )
        )
        for side in ("above", "below")
    ],
    "tanh sign": [*slopes(..., TANH_SQUARE[0])[:2], *slopes(..., TANH_SQUARE[1])[2:], ...],
    "tanh below its tangent": [
        last(slope("u", "0", "above", True, derivative(tanh_below(">", "<", 1)))),
        last(slope("u", "0", "above", True)),
        last(slope("u", "0", "below", True, derivative(tanh_below("<", ">", 2)))),
        last(slope("u", "0", "below", True, derivative(TANH_BELOW_0))),
    ],
    "tanh has slope at most 1": [
        tanh_slope(side, square) for side in ("above", "below") for square in (True, False)
    ],
    "cosh^2 - sinh^2 = 1": [SAME],
    "tanh = sinh/cosh": [SAME],
    "tanh^2 = 1 - 1/cosh^2": [SAME],
    **{f"{name} has slope at most 1": two_sided() for name in ("atan", "sin", "cos")},
    "atan sign": [*slopes(..., ..., GROWS["atan"]), ...],
    "erf sign": [*slopes(..., ...), ...],
    "erf cubic": slopes(
        times(
            "6000*exp(-u_^2) - 3384*pi^(1/2)*(1 - u_^2) > 0",
            "1/pi^(1/2)",
            have(
                "pi^(1/2) > 0",
                ...,
                have(
                    "6000 - 3384*pi^(1/2) > 0",
                    ...,
                    have(
                        "exp(-u_^2) > 0",
                        ...,
                        have(
                            "exp(-u_^2) - 1 + u_^2 >= 0",
                            use("exp above its tangent", u="-u_^2"),
                            products(("1", [-4, -3]), ("3384", [-5, -2])),
                        ),
                    ),
                ),
            ),
        )
    ),
    "cosh increasing in |u|": [
        cosh_grows("v", True),
        cosh_grows("u", False),
        cosh_grows("u", True),
        cosh_grows("v", False),
    ],
    "log rational, order 2": [
        last(have(PADE, pade("u"))),
        last(
            Step(
                "name",
                {"name": "w", "term": "1/u"},
                {
                    0: have(
                        PADE_OF_W,
                        have("w > 0", restate("1/u > 0", equalities=[[-1, "1/u"]]), pade("w")),
                        given(
                            1,
                            "w",
                            "1/u",
                            have(
                                PADE_BELOW,
                                restate(PADE_OF_INVERSE),
                                restate(PADE_BELOW, factor="u*(2*u + 4)"),
                            ),
                            "1",
                        ),
                    )
                },
            )
        ),
    ],
    "log rational of order 2, two points": [log_of_ratio(said) for said in RATIOS],
    "Bernoulli": [
        last(both_signs("u", "1", *(bernoulli(op, many) for op in ops)))
        for ops, many in (((">=", "<="), False), (("<=", ">="), True), (("<=", ">="), True))
    ],
    "Bernoulli, reciprocal": [last(use("Bernoulli", u="1/u", v="v"))] * 3,
    "Bernoulli, two bases": [
        bases(*ratio, op) for op in ("<=", ">=", ">=") for ratio in (("u", "w"), ("w", "u"))
    ],
    "power monotone in its exponent": [
        exponents(sign, op, fact)
        for sign, fact, ops in ((">", 2, ("<", ">=", ">", "<=")), ("<", 3, (">", "<=", "<", ">=")))
        for op in ops
    ],
    "a^b = exp(b log a)": [
        last(given(1, "w", "u", use("exp above its tangent", u="v*log(u)"))),
        last(given(1, "w", "u", use("exp below 1/(1-u)", u="v*log(u)"))),
    ],
    "power of a sum": [
        have(
            "all(m; integer; m >= 0; all(n; integer; n >= 0; u^(m + n) == u^m*u^n))",
            Step("all", {}, {0: Step("all", {}, {0: Step("identity")})}),
            Step(
                "instance",
                {"hypothesis": -1, "value": "v"},
                {-1: Step("instance", {"hypothesis": -1, "value": "w"})},
            ),
        )
    ],
    "cosh below exp(u^2/2)": [
        last(
            have(
                "u^2/2 - log(cosh(u)) >= 0",
                both_sides("u", "0", derivative(use("tanh sign", u="u_"))),
                have(
                    "log(cosh(u)) - v <= 0",
                    products(("1", [-2]), ("1/2", [0])),
                    use("exp increasing", u="log(cosh(u))", v="v"),
                ),
            )
        )
    ],
    "coth rational": [
        coth(CUBIC, "<", "above", times(f"{LINEAR_} > 0", "u_", sinh_times("u_", "above"))),
        coth(LINEAR, ">", "above", times("sinh(u_) > 0", "u_")),
        coth(CUBIC, ">", "below", times(f"{LINEAR_} < 0", "-u_", sinh_times("u_", "below"))),
        coth(LINEAR, "<", "below", times("sinh(u_) < 0", "-u_")),
    ],
    "sine below its argument": [
        sine_below("above", 2),
        sine_below("above", 3),
        sine_below("below", 3),
        sine_below("below", 2),
        ...,
    ],
    "cosine quadratic": [
        both_sides("u", "0", derivative(use("sine below its argument", u="u_"))),
        ...,
    ],
    **{
        name: [
            last(
                slope(
                    "u",
                    "0",
                    side,
                    True,
                    derivative(slope("u_", "0", side, True, derivative(use(before, u="u__")))),
                )
            )
            for side in ("above", "below")
        ]
        for name, before in (
            ("sine cubic", "sine below its argument"),
            ("sine quintic", "sine cubic"),
        )
    },
    "cosine quartic": [
        both_sides("u", "0", derivative(use(name, u="u_")))
        for name in ("sine cubic", "sine quintic")
    ],
    "sine positive up to pi": [
        last(near_pi(True)),
        last(cases("u", (">", "<="), near_pi(False), ...)),
    ],
    "cosine positive up to pi/2": [near_half_pi(True), near_half_pi(False)],
    "sin^2 + cos^2 = 1": [last(given(0, "v", "u", FROM_0))],
    "sine and cosine of a sum": [
        have(SQUARES, FROM_0, both_zero(SINE, COSINE)),
        have(SQUARES, FROM_0, both_zero(COSINE, SINE)),
    ],
    "sine below the circle": [last(given(0, "v", "u", slope("u", "0", "above")))],
    "range of atan": [
        BELOW_HALF_PI,
        ABOVE_HALF_PI,
        have(
            "2*atan(u) - pi < 0",
            BELOW_HALF_PI,
            have(
                "2*atan(u) + pi > 0", ABOVE_HALF_PI, use("cosine positive up to pi/2", u="atan(u)")
            ),
        ),
    ],
    "atan below pi/2": [use("range of atan", u="u")] * 2,
    "atan of a sum": [
        cases(
            "u",
            (">=", "<"),
            atan_sum("above", ([3, 4], [0]), ([2, 4], [])),
            atan_sum("below", ([3, 4], []), ([2, 4], [0])),
        )
    ],
    "atan of a sum, above pi/2": [
        have(
            "v > 0",
            products_only(("1", [0, -1]), ("1", [1]), ("1", [])),
            use(
                "atan of a sum",
                u="1/u",
                v="1/v",
                then=use(
                    "atan of a reciprocal",
                    u="u",
                    then=use(
                        "atan of a reciprocal",
                        u="v",
                        then=restate("0 == 0", equalities=[[-3, "-1"], [-2, "1"], [-1, "1"]]),
                    ),
                ),
            ),
        )
    ],
    "atan inverts tan": [
        cases(
            "u",
            (">=", "<"),
            tan_defined("above", "2*u_ - pi < 0", 4, 1),
            tan_defined("below", "2*u_ + pi > 0", 3, 0),
        )
    ],
    "atan rational": [
        last(slope("u", "0", "above", True, derivative(atan_slope(">", "")))),
        last(slope("u", "0", "above", True)),
        last(slope("u", "0", "below", True, derivative(atan_slope("<", "-")))),
        last(slope("u", "0", "below", True)),
    ],
    "atan of a reciprocal": [both_sides("u", "1")],
    "tan inverts atan": [TAN_OF_ATAN],
    "asin inverts sin": [
        is_zero(
            "asin(0)",
            cases(
                "u",
                (">=", "<"),
                slope("u", "0", "above", below=ROOT_ABOVE),
                slope("u", "0", "below", below=ROOT_BELOW),
            ),
        )
    ],
    "acos inverts cos": [is_zero("acos(1)", slope("u", "0", "above", below=SINE_ROOT))],
    "asin + acos = pi/2": [
        last(
            is_zero(
                "asin(0)",
                use(
                    "acos inverts cos",
                    u="pi/2",
                    then=both_sides(
                        "u", "0", {0: restate("0 == 0", equalities=[[-3, "2"], [-2, "2"]])}
                    ),
                ),
            )
        )
    ],
    "range of asin": [
        use("asin inverts sin", u="pi/2", then=slope("u", "1", "below")),
        use("asin inverts sin", u="-pi/2", then=slope("u", "-1", "above")),
    ],
    "range of acos": [
        is_zero("acos(1)", slope("u", "1", "below")),
        use("acos inverts cos", u="pi", then=slope("u", "-1", "above")),
    ],
    "sin inverts asin": [
        is_zero(
            "asin(0)",
            have(f"({OF_ASIN[0]})^2 + ({OF_ASIN[1]})^2 == 0", FROM_0, both_zero(*OF_ASIN)),
        )
    ],
    "cos inverts acos": [
        have(
            "2*asin(u) + 2*acos(u) - pi == 0",
            use("asin + acos = pi/2", u="u"),
            have(
                "acos(u) == pi/2 - asin(u)",
                restate("0 == 0", equalities=[[-1, "1/2"]]),
                Step(
                    "rewrite",
                    {"equality": -1},
                    {
                        0: use(
                            "sin inverts asin",
                            u="u",
                            then=use(
                                "sine and cosine of a sum",
                                u="pi/2",
                                v="-asin(u)",
                                then=restate("0 == 0", equalities=[[-1, "1"], [-3, "1"]]),
                            ),
                        )
                    },
                ),
            ),
        )
    ],
    "acosh inverts cosh": [
        is_zero(
            "acosh(1)", cases("u", (">=", "<"), acosh_of_cosh(">", "u"), acosh_of_cosh("<", "-u"))
        )
    ],
    "sinh inverts asinh": [
        exp_of("asinh(u)", "u + (1 + u^2)^(1/2)", "(1 + u^2)^(1/2) - u", FROM_0, "-")
    ],
    "cosh inverts acosh": [
        is_zero(
            "acosh(1)",
            exp_of(
                "acosh(u)",
                "u + (u^2 - 1)^(1/2)",
                "u - (u^2 - 1)^(1/2)",
                slope("u", "1", "above"),
                "",
            ),
        )
    ],
    "tanh inverts atanh": [
        is_zero("atanh(0)", have("exp(2*atanh(u))*(1 - u)/(1 + u) == 1", FROM_0))
    ],
    "integers up to a floor": [
        between("floor", "<=", ">"),
        last(use("floor", u="u", then=products(("1", [1]), ("1", [2])))),
    ],
    "integers from a ceiling on": [
        between("ceiling", ">=", "<"),
        last(use("ceiling", u="u", then=products(("1", [1]), ("1", [2])))),
    ],
    "factorial at least 1": [for_integers(FACTORIALS, induct("0", NEXT_FACTORIAL), "u")] * 2,
    "binomial at least 1": [
        have(
            "all(m; integer; m >= 0; all(n; integer; n >= m; binomial(n, m) >= 1))",
            Step("all", {}, {0: Step("all", {}, {0: induct("m", PASCAL)})}),
            Step(
                "instance",
                {"hypothesis": -1, "value": "v"},
                {-1: Step("instance", {"hypothesis": -1, "value": "u"})},
            ),
        )
    ],
    "binomial theorem": [
        for_integers(
            f"all(m; integer; m >= 0; {POWERS})",
            Step(
                "induct",
                {"variable": "m", "start": "0"},
                {"sum(binomial(0": EMPTY_POWER, -1: NEXT_POWER},
            ),
            "n",
        )
    ],
    "Gaussian": [
        valued(
            f"integral({GAUSS}, -oo, 0)",
            INTEGRALS["Gaussian, up to a point"].value.replace("d", "0"),
            table(
                f"integral({GAUSS}, -oo, 0)", "Gaussian, up to a point", a="a", b="b", c="c", d="0"
            ),
            valued(
                f"integral({GAUSS}, 0, oo)",
                INTEGRALS["Gaussian, from a point"].value.replace("d", "0"),
                table(
                    f"integral({GAUSS}, 0, oo)",
                    "Gaussian, from a point",
                    a="a",
                    b="b",
                    c="c",
                    d="0",
                ),
                halved(f"integral({GAUSS}, -oo, oo)", -6, -4),
            ),
        )
    ],
    "Gaussian, up to a point": [
        reflected(
            f"integral({GAUSS}, -oo, d)",
            "integral((-1)*(-1)*exp(-a*(-x + 0)^2 + b*(-x + 0) + c), x, (d + 0)*(-1), oo)",
            "0",
            "Gaussian, from a point",
            INTEGRALS["Gaussian, up to a point"].value,
            a="a",
            b="-b",
            c="c",
            d="(d + 0)*(-1)",
        )
    ],
    **{f"Gaussian, {name} moment": [moment(k)] for k, name in enumerate(MOMENTS, 1)},
    "beta": [primitive(f"{BETA}, 0, 1", "betainc(a, b, 0, x)")],
    "beta, other logarithm": [
        reflected(
            f"integral(log(1 - x)*{BETA}, 0, 1)",
            "integral((-1)*(-1)*log(1 - (-x + 1))*(-x + 1)^(a - 1)*(1 - (-x + 1))^(b - 1), x, "
            "(1 - 1)*(-1), (0 - 1)*(-1))",
            "1",
            "beta, logarithm",
            INTEGRALS["beta, other logarithm"].value,
            a="b",
            b="a",
        )
    ],
    "gamma, up to a point": [
        primitive("x^(a - 1)*exp(-b*x), x, 0, d", "lowergamma(a, b*x)*b^(-a)")
    ],
    "beta, up to a point": [primitive(f"{BETA}, 0, d", "betainc(a, b, 0, x)")],
    "beta, from a point": [primitive(f"{BETA}, d, 1", "-betainc(a, b, x, 1)")],
    "asinh inverts sinh": [
        both_sides("u", "0", derivative(have("1 + sinh(u_)^2 == cosh(u_)^2", ..., REWRITE)))
    ],
    "atanh inverts tanh": [is_zero("atanh(0)", FROM_0)],
    "floor nondecreasing": [
        rounded("floor", "integers up to a floor", "u", "v", "<="),
        rounded("floor", "integers up to a floor", "v", "u", "<="),
    ],
    "ceiling nondecreasing": [
        rounded("ceiling", "integers from a ceiling on", "v", "u", ">="),
        rounded("ceiling", "integers from a ceiling on", "u", "v", ">="),
    ],
    "erfc below exp(-u^2)": [
        last(
            valued(
                ERFC,
                "pi^(1/2)*erfc(u)/2",
                table(ERFC, "Gaussian, from a point", a="1", b="-2*u", c="-u^2", d="0"),
                valued(
                    ERFC_LARGER,
                    "pi^(1/2)*exp(-u^2)/2",
                    table(ERFC_LARGER, "Gaussian, from a point", a="1", b="0", c="-u^2", d="0"),
                    ERFC_COMPARED,
                ),
            )
        )
    ],
    "log of sinh": [
        last(
            have(
                BELOW_EXP,
                Step("all", {}, {0: slope("x", "0", "above", True, derivative(SINH_BELOW))}),
                cases("u", (">", "<="), log_of_sinh("u", ">"), log_of_sinh("-u", "<")),
            )
        ),
        last(cases("u", (">", "<="), log_of_more("u", ">"), log_of_more("-u", "<"))),
    ],
    "binomial theorem, first moment": [
        for_integers(
            f"all(m; integer; m >= 0; {FIRST})",
            cases("m", (">", "<="), MOMENT, EMPTY_MOMENT),
            "n",
        )
    ],
    "small powers": [
        small_power([4, 6], [4, 3, 6]),
        small_power([4, 3, 6]),
        small_power(),
    ],
}


if __name__ == "__main__":
    sys.exit(0 if renewed(ORDER, SKETCHES, sys.argv[1:]) else 1)
