"""What is taken as true about functions: axioms and a table of integrals, each with its source.

An axiom holds for all real values of its parameters, whatever a function is where it is not
defined: a condition on the domain stands among the alternatives, or among the conditions, which
become premises. The tests evaluate every one at many points.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Axiom:
    """Formulas that hold for all values of the parameters that satisfy the conditions."""

    names: str
    formulas: tuple[str, ...]
    source: str
    conditions: tuple[str, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.names.split())


@dataclass(frozen=True)
class Integral:
    """The integral of `body` in x from `low` to `high` exists and is `value`."""

    names: str
    low: str
    high: str
    body: str
    value: str
    conditions: tuple[str, ...]
    source: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(self.names.split())


def _increasing(f: str, source: str) -> Axiom:
    """A function that is defined everywhere increases."""
    gap = f"{f}(u) - {f}(v)"
    below = (f"u - v >= 0 or {gap} < 0", f"u - v < 0 or {gap} >= 0")
    return Axiom("u v", (*below, f"u - v <= 0 or {gap} > 0", f"u - v > 0 or {gap} <= 0"), source)


def _gentle(f: str, source: str) -> Axiom:
    """The values of a function lie no further apart than its arguments."""
    gap, way = f"{f}(u) - {f}(v)", "(u - v)"
    above = (f"u - v < 0 or {gap} - {way} <= 0", f"u - v < 0 or {gap} + {way} >= 0")
    below = (f"u - v > 0 or {gap} - {way} >= 0", f"u - v > 0 or {gap} + {way} <= 0")
    return Axiom("u v", (*above, *below), source)


def _inverse(f: str, g: str, source: str, *conditions: str) -> Axiom:
    """A function takes back what another one does."""
    return Axiom("u", (f"{f}({g}(u)) == u",), source, conditions)


AXIOMS: dict[str, Axiom] = {
    "exp positive": Axiom("u", ("exp(u) > 0",), "convexity and power series of exp"),
    "exp above its tangent": Axiom(
        "u", ("exp(u) - 1 - u >= 0",), "convexity and power series of exp"
    ),
    "exp below 1/(1-u)": Axiom(
        "u", ("exp(u)*(1 - u) - 1 <= 0",), "convexity and power series of exp"
    ),
    "exp sign": Axiom(
        "u",
        ("u <= 0 or exp(u) - 1 > 0", "u >= 0 or exp(u) - 1 < 0"),
        "convexity and power series of exp",
    ),
    "exp strictly above its tangent": Axiom(
        "u",
        ("u == 0 or exp(u) - 1 - u > 0", "u == 0 or exp(u)*(1 - u) - 1 < 0"),
        "convexity and power series of exp",
    ),
    "exp quadratic": Axiom(
        "u",
        ("u <= 0 or 2*exp(u) - 2 - 2*u - u*u > 0", "u >= 0 or 2*exp(u) - 2 - 2*u - u*u < 0"),
        "convexity and power series of exp",
    ),
    "exp rational": Axiom(
        "u",
        ("u <= 0 or exp(u)*(2 - u) - 2 - u < 0", "u >= 0 or exp(u)*(2 - u) - 2 - u > 0"),
        "convexity and power series of exp",
    ),
    "exp cubic": Axiom(
        "u", ("6*exp(u) - 6 - 6*u - 3*u*u - u*u*u >= 0",), "convexity and power series of exp"
    ),
    "exp rational, order 2": Axiom(
        "u",
        (
            "u <= 0 or exp(u)*(12 - 6*u + u*u) - (12 + 6*u + u*u) > 0",
            "u >= 0 or exp(u)*(12 - 6*u + u*u) - (12 + 6*u + u*u) < 0",
        ),
        "convexity and power series of exp",
    ),
    "log below u-1": Axiom(
        "u", ("u <= 0 or log(u) - u + 1 <= 0",), "convexity of exp, Pade bounds of log"
    ),
    "log above 1-1/u": Axiom(
        "u", ("u <= 0 or u*log(u) - u + 1 >= 0",), "convexity of exp, Pade bounds of log"
    ),
    "log sign": Axiom(
        "u",
        (
            "u - 1 <= 0 or log(u) > 0",
            "u <= 0 or u - 1 >= 0 or log(u) < 0",
            "u - 1 != 0 or log(u) == 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log strictly below u-1": Axiom(
        "u",
        (
            "u <= 0 or u - 1 == 0 or log(u) - u + 1 < 0",
            "u <= 0 or u - 1 == 0 or u*log(u) - u + 1 > 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log rational": Axiom(
        "u",
        (
            "u - 1 <= 0 or (u + 1)*log(u) - 2*(u - 1) > 0",
            "u <= 0 or u - 1 >= 0 or (u + 1)*log(u) - 2*(u - 1) < 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log below a square root": Axiom(
        "u",
        ("u <= 0 or log(u)*log(u)*u - (u - 1)*(u - 1) <= 0",),
        "convexity of exp, Pade bounds of log",
    ),
    "log rational, order 2": Axiom(
        "u",
        (
            "u <= 0 or (4*u + 2)*log(u) - (u - 1)*(u + 5) <= 0",
            "u <= 0 or u*(2*u + 4)*log(u) - (u - 1)*(5*u + 1) >= 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "tanh bounded": Axiom("u", ("tanh(u) - 1 < 0", "tanh(u) + 1 > 0"), "calculus"),
    "tanh sign": Axiom(
        "u",
        (
            "u <= 0 or tanh(u) > 0",
            "u <= 0 or tanh(u) - u < 0",
            "u >= 0 or tanh(u) < 0",
            "u >= 0 or tanh(u) - u > 0",
            "u != 0 or tanh(u) == 0",
        ),
        "calculus",
    ),
    "tanh below its tangent": Axiom(
        "u",
        (
            "u <= 0 or 3*tanh(u) - 3*u + u*u*u > 0",
            "u <= 0 or tanh(u)*(1 + u) - u > 0",
            "u >= 0 or 3*tanh(u) - 3*u + u*u*u < 0",
            "u >= 0 or tanh(u)*(1 - u) - u < 0",
        ),
        "calculus",
    ),
    "cosh above 1": Axiom("u", ("cosh(u) - 1 >= 0",), "power series of cosh"),
    "cosh quadratic": Axiom(
        "u", ("2*cosh(u) - 2 - u*u >= 0", "u == 0 or cosh(u) - 1 > 0"), "power series of cosh"
    ),
    "sinh sign": Axiom(
        "u",
        ("u <= 0 or sinh(u) - u > 0", "u >= 0 or sinh(u) - u < 0", "u != 0 or sinh(u) == 0"),
        "power series of sinh",
    ),
    "sinh cubic": Axiom(
        "u",
        ("u <= 0 or 6*sinh(u) - 6*u - u*u*u > 0", "u >= 0 or 6*sinh(u) - 6*u - u*u*u < 0"),
        "power series of sinh",
    ),
    "log of sinh": Axiom(
        "u",
        ("u == 0 or 6*log(sinh(u)/u) - u*u < 0", "u == 0 or log(sinh(u)/u) > 0"),
        "NIST DLMF 4.36.1: log(sinh(u)/u) is the sum of log(1 + u^2/(n pi)^2)",
    ),
    "coth rational": Axiom(
        "u",
        (
            "u <= 0 or 3*u*coth(u) - 3 - u*u < 0",
            "u <= 0 or u*coth(u) - 1 > 0",
            "u >= 0 or 3*u*coth(u) - 3 - u*u < 0",
            "u >= 0 or u*coth(u) - 1 > 0",
        ),
        "NIST DLMF 4.36.3: u coth(u) - 1 is the sum of 2 u^2/(u^2 + (n pi)^2)",
    ),
    "erf bounded": Axiom("u", ("erf(u) - 1 < 0", "erf(u) + 1 > 0"), "power series of erf"),
    "erf sign": Axiom(
        "u",
        (
            "u <= 0 or erf(u) > 0",
            "u <= 0 or 1000*erf(u) - 1129*u < 0",
            "u >= 0 or erf(u) < 0",
            "u >= 0 or 1000*erf(u) - 1129*u > 0",
            "u != 0 or erf(u) == 0",
        ),
        "power series of erf",
    ),
    "erf cubic": Axiom(
        "u",
        (
            "u <= 0 or 1000*erf(u)*3 - 1128*(3*u - u*u*u) > 0",
            "u >= 0 or 1000*erf(u)*3 - 1128*(3*u - u*u*u) < 0",
        ),
        "power series of erf",
    ),
    "atan bounded": Axiom(
        "u", ("100000*atan(u) - 157080 < 0", "100000*atan(u) + 157080 > 0"), "power series of atan"
    ),
    "atan sign": Axiom(
        "u",
        (
            "u <= 0 or atan(u) > 0",
            "u <= 0 or atan(u) - u < 0",
            "u <= 0 or atan(u)*(1 + u*u) - u > 0",
            "u >= 0 or atan(u) < 0",
            "u >= 0 or atan(u) - u > 0",
            "u >= 0 or atan(u)*(1 + u*u) - u < 0",
            "u != 0 or atan(u) == 0",
        ),
        "power series of atan",
    ),
    "atan rational": Axiom(
        "u",
        (
            "u <= 0 or atan(u)*(3 + u*u) - 3*u > 0",
            "u <= 0 or 3*atan(u) - 3*u + u*u*u > 0",
            "u >= 0 or atan(u)*(3 + u*u) - 3*u < 0",
            "u >= 0 or 3*atan(u) - 3*u + u*u*u < 0",
        ),
        "power series of atan",
    ),
    "atan below pi/2": Axiom(
        "u", ("2*atan(u) - pi < 0", "2*atan(u) + pi > 0"), "NIST DLMF 4.23(ii)"
    ),
    "asin + acos = pi/2": Axiom(
        "u", ("u + 1 < 0 or u - 1 > 0 or 2*asin(u) + 2*acos(u) - pi == 0",), "NIST DLMF 4.23.16"
    ),
    "sine bounded": Axiom("u", ("sin(u) - 1 <= 0", "sin(u) + 1 >= 0"), "Taylor with remainder"),
    "sine below its argument": Axiom(
        "u",
        (
            "u <= 0 or sin(u) - u < 0",
            "u <= 0 or sin(u) + u > 0",
            "u >= 0 or sin(u) - u > 0",
            "u >= 0 or sin(u) + u < 0",
            "u != 0 or sin(u) == 0",
        ),
        "Taylor with remainder",
    ),
    "sine cubic": Axiom(
        "u",
        ("u <= 0 or 6*sin(u) - 6*u + u*u*u > 0", "u >= 0 or 6*sin(u) - 6*u + u*u*u < 0"),
        "Taylor with remainder",
    ),
    "sine quintic": Axiom(
        "u",
        (
            "u <= 0 or 120*sin(u) - 120*u + 20*u^3 - u^5 < 0",
            "u >= 0 or 120*sin(u) - 120*u + 20*u^3 - u^5 > 0",
        ),
        "Taylor with remainder",
    ),
    "sine positive below pi": Axiom(
        "u",
        (
            "u <= 0 or 10000000000*u - 31415926535 >= 0 or sin(u) > 0",
            "u >= 0 or 10000000000*u + 31415926535 <= 0 or sin(u) < 0",
        ),
        "Taylor with remainder",
    ),
    "cosine bounded": Axiom("u", ("cos(u) - 1 <= 0", "cos(u) + 1 >= 0"), "Taylor with remainder"),
    "cosine quadratic": Axiom(
        "u", ("2*cos(u) - 2 + u*u >= 0", "u != 0 or cos(u) - 1 == 0"), "Taylor with remainder"
    ),
    "cosine quartic": Axiom(
        "u",
        ("24*cos(u) - 24 + 12*u^2 - u^4 <= 0", "720*cos(u) - 720 + 360*u^2 - 30*u^4 + u^6 >= 0"),
        "Taylor with remainder",
    ),
    "cosine positive below pi/2": Axiom(
        "u",
        ("10000000000*u - 15707963267 >= 0 or 10000000000*u + 15707963267 <= 0 or cos(u) > 0",),
        "Taylor with remainder",
    ),
    "sine positive up to pi": Axiom(
        "u",
        ("u <= 0 or u - pi >= 0 or sin(u) > 0", "u < 0 or u - pi > 0 or sin(u) >= 0"),
        "definition of pi, NIST DLMF 4.16",
    ),
    "cosine positive up to pi/2": Axiom(
        "u",
        (
            "2*u + pi <= 0 or 2*u - pi >= 0 or cos(u) > 0",
            "2*u + pi < 0 or 2*u - pi > 0 or cos(u) >= 0",
        ),
        "definition of pi, NIST DLMF 4.16",
    ),
    "sine and cosine of a sum": Axiom(
        "u v",
        (
            "sin(u + v) == sin(u)*cos(v) + cos(u)*sin(v)",
            "cos(u + v) == cos(u)*cos(v) - sin(u)*sin(v)",
        ),
        "addition theorems, NIST DLMF 4.21.2 and 4.21.3",
    ),
    "atan of a sum": Axiom(
        "u v",
        ("atan(u) + atan(v) == atan((u + v)/(1 - u*v))",),
        "addition theorem, NIST DLMF 4.24.15; both angles together are within pi/2",
        ("u*v < 1",),
    ),
    "atan of a sum, above pi/2": Axiom(
        "u v",
        ("atan(u) + atan(v) == atan((u + v)/(1 - u*v)) + pi",),
        "addition theorem, NIST DLMF 4.24.15; both angles together are between pi/2 and pi",
        ("u > 0", "u*v > 1"),
    ),
    "atan of a reciprocal": Axiom(
        "u", ("atan(u) + atan(1/u) == pi/2",), "the angles of a right triangle", ("u > 0",)
    ),
    "range of atan": Axiom(
        "u",
        ("2*atan(u) - pi < 0", "2*atan(u) + pi > 0", "cos(atan(u)) > 0"),
        "principal values, NIST DLMF 4.23",
    ),
    "range of asin": Axiom(
        "u",
        ("2*asin(u) - pi <= 0", "2*asin(u) + pi >= 0"),
        "principal values, NIST DLMF 4.23",
        ("u >= -1", "u <= 1"),
    ),
    "range of acos": Axiom(
        "u",
        ("acos(u) >= 0", "acos(u) - pi <= 0"),
        "principal values, NIST DLMF 4.23",
        ("u >= -1", "u <= 1"),
    ),
    "atan inverts tan": _inverse(
        "atan", "tan", "principal values, NIST DLMF 4.23", "2*u > -pi", "2*u < pi"
    ),
    "asin inverts sin": _inverse(
        "asin", "sin", "principal values, NIST DLMF 4.23", "2*u >= -pi", "2*u <= pi"
    ),
    "acos inverts cos": _inverse(
        "acos", "cos", "principal values, NIST DLMF 4.23", "u >= 0", "u <= pi"
    ),
    "asinh inverts sinh": _inverse("asinh", "sinh", "definition, NIST DLMF 4.37"),
    "acosh inverts cosh": Axiom(
        "u",
        ("acosh(cosh(u)) == abs(u)",),
        "cosh is even, and acosh its inverse above 0, NIST DLMF 4.37",
    ),
    "atanh inverts tanh": _inverse("atanh", "tanh", "definition, NIST DLMF 4.37"),
    "tan inverts atan": _inverse("tan", "atan", "definition, NIST DLMF 4.23"),
    "sin inverts asin": _inverse("sin", "asin", "definition, NIST DLMF 4.23", "u >= -1", "u <= 1"),
    "cos inverts acos": _inverse("cos", "acos", "definition, NIST DLMF 4.23", "u >= -1", "u <= 1"),
    "sinh inverts asinh": _inverse("sinh", "asinh", "definition, NIST DLMF 4.37"),
    "cosh inverts acosh": _inverse("cosh", "acosh", "definition, NIST DLMF 4.37", "u >= 1"),
    "tanh inverts atanh": _inverse(
        "tanh", "atanh", "definition, NIST DLMF 4.37", "u > -1", "u < 1"
    ),
    "gamma positive": Axiom("u", ("u <= 0 or 1000*gamma(u) - 885 > 0",), "NIST DLMF 5"),
    "gamma near 1": Axiom(
        "u",
        (
            "u <= 0 or u - 1 >= 0 or gamma(u) - 1 > 0",
            "u - 1 <= 0 or u - 2 >= 0 or gamma(u) - 1 < 0",
            "u - 2 <= 0 or gamma(u) - 1 > 0",
            "u - 1 != 0 or gamma(u) - 1 == 0",
            "u - 2 != 0 or gamma(u) - 1 == 0",
        ),
        "NIST DLMF 5",
    ),
    "factorial at least 1": Axiom(
        "u", ("factorial(u) >= 1", "factorial(u) >= u"), "definition", ("integer(u)", "u >= 0")
    ),
    "floor": Axiom("u", ("floor(u) - u <= 0", "floor(u) + 1 - u > 0"), "definition"),
    "ceiling": Axiom("u", ("ceiling(u) - u >= 0", "ceiling(u) - 1 - u < 0"), "definition"),
    "integers up to a floor": Axiom(
        "u v",
        ("v > u or v <= floor(u)", "v <= u or v > floor(u)"),
        "definition: floor(u) is the largest integer that is at most u",
        ("integer(v)",),
    ),
    "integers from a ceiling on": Axiom(
        "u v",
        ("v < u or v >= ceiling(u)", "v >= u or v < ceiling(u)"),
        "definition: ceiling(u) is the smallest integer that is at least u",
        ("integer(v)",),
    ),
    "exp increasing": _increasing("exp", "convexity and power series of exp"),
    "exp convex": Axiom(
        "u v",
        ("exp(u) - exp(v)*(1 + u - v) >= 0", "exp(v) - exp(u)*(1 + v - u) >= 0"),
        "convexity and power series of exp",
    ),
    "exp rational, two points": Axiom(
        "u v",
        (
            "u - v < 0 or exp(u)*(2 - u + v) - exp(v)*(2 + u - v) <= 0",
            "u - v > 0 or exp(u)*(2 - u + v) - exp(v)*(2 + u - v) >= 0",
        ),
        "convexity and power series of exp",
    ),
    "log increasing": Axiom(
        "u v",
        (
            "u <= 0 or v <= 0 or u - v >= 0 or log(u) - log(v) < 0",
            "u <= 0 or v <= 0 or u - v < 0 or log(u) - log(v) >= 0",
            "u <= 0 or v <= 0 or u - v <= 0 or log(u) - log(v) > 0",
            "u <= 0 or v <= 0 or u - v > 0 or log(u) - log(v) <= 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log concave": Axiom(
        "u v",
        (
            "u <= 0 or v <= 0 or (log(u) - log(v))*v - (u - v) <= 0",
            "u <= 0 or v <= 0 or (log(u) - log(v))*u - (u - v) >= 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log strictly concave": Axiom(
        "u v",
        (
            "u <= 0 or v <= 0 or u - v == 0 or (log(u) - log(v))*v - (u - v) < 0",
            "u <= 0 or v <= 0 or u - v == 0 or (log(u) - log(v))*u - (u - v) > 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log rational, two points": Axiom(
        "u v",
        (
            "v <= 0 or u - v < 0 or (log(u) - log(v))*(u + v) - 2*(u - v) >= 0",
            "u <= 0 or u - v > 0 or (log(u) - log(v))*(u + v) - 2*(u - v) <= 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log rational of order 2, two points": Axiom(
        "u v",
        (
            "u <= 0 or v <= 0 or (log(u) - log(v))*2*v*(2*u + v) - (u - v)*(u + 5*v) <= 0",
            "u <= 0 or v <= 0 or (log(u) - log(v))*2*u*(2*v + u) - (u - v)*(5*u + v) >= 0",
        ),
        "convexity of exp, Pade bounds of log",
    ),
    "log square root, two points": Axiom(
        "u v",
        ("u <= 0 or v <= 0 or (log(u) - log(v))^2*u*v - (u - v)^2 <= 0",),
        "convexity of exp, Pade bounds of log",
    ),
    "tanh increasing": _increasing("tanh", "calculus"),
    "sinh increasing": _increasing("sinh", "power series of sinh"),
    "erf increasing": _increasing("erf", "power series of erf"),
    "atan increasing": _increasing("atan", "power series of atan"),
    "tanh has slope at most 1": _gentle("tanh", "calculus"),
    "atan has slope at most 1": _gentle("atan", "power series of atan"),
    "sin has slope at most 1": _gentle("sin", "Taylor with remainder"),
    "cos has slope at most 1": _gentle("cos", "Taylor with remainder"),
    "floor nondecreasing": Axiom(
        "u v",
        ("u - v > 0 or floor(u) - floor(v) <= 0", "u - v < 0 or floor(u) - floor(v) >= 0"),
        "definition",
    ),
    "ceiling nondecreasing": Axiom(
        "u v",
        ("u - v > 0 or ceiling(u) - ceiling(v) <= 0", "u - v < 0 or ceiling(u) - ceiling(v) >= 0"),
        "definition",
    ),
    "cosh increasing in |u|": Axiom(
        "u v",
        (
            "u*u - v*v >= 0 or cosh(u) - cosh(v) < 0",
            "u*u - v*v < 0 or cosh(u) - cosh(v) >= 0",
            "u*u - v*v <= 0 or cosh(u) - cosh(v) > 0",
            "u*u - v*v > 0 or cosh(u) - cosh(v) <= 0",
        ),
        "power series of cosh",
    ),
    "exp of a sum": Axiom(
        "u v w",
        (
            "u + v - w >= 0 or exp(u)*exp(v) - exp(w) < 0",
            "u + v - w < 0 or exp(u)*exp(v) - exp(w) >= 0",
            "u + v - w <= 0 or exp(u)*exp(v) - exp(w) > 0",
            "u + v - w > 0 or exp(u)*exp(v) - exp(w) <= 0",
        ),
        "convexity and power series of exp",
    ),
    "power positive": Axiom("u v", ("u <= 0 or u^v > 0",), "Bernoulli's inequality"),
    "power against 1": Axiom(
        "u v",
        (
            "u - 1 < 0 or v < 0 or u^v - 1 >= 0",
            "u <= 0 or u - 1 > 0 or v < 0 or u^v - 1 <= 0",
            "u - 1 < 0 or v > 0 or u^v - 1 <= 0",
            "u <= 0 or u - 1 > 0 or v > 0 or u^v - 1 >= 0",
            "u - 1 <= 0 or v <= 0 or u^v - 1 > 0",
            "u <= 0 or u - 1 >= 0 or v <= 0 or u^v - 1 < 0",
            "u - 1 <= 0 or v >= 0 or u^v - 1 < 0",
            "u <= 0 or u - 1 >= 0 or v >= 0 or u^v - 1 > 0",
        ),
        "Bernoulli's inequality",
    ),
    "Bernoulli": Axiom(
        "u v",
        (
            "u <= 0 or v - 1 < 0 or u^v - 1 - v*(u - 1) >= 0",
            "u <= 0 or v > 0 or u^v - 1 - v*(u - 1) >= 0",
            "u <= 0 or v < 0 or v - 1 > 0 or u^v - 1 - v*(u - 1) <= 0",
        ),
        "Bernoulli's inequality",
    ),
    "Bernoulli, reciprocal": Axiom(
        "u v",
        (
            "u <= 0 or v - 1 < 0 or u^v*(u + v*(1 - u)) - u <= 0",
            "u <= 0 or v > 0 or u^v*(u + v*(1 - u)) - u <= 0",
            "u <= 0 or v < 0 or v - 1 > 0 or u^v*(u + v*(1 - u)) - u >= 0",
        ),
        "Bernoulli's inequality",
    ),
    "power against its base": Axiom(
        "u v",
        (
            "u - 1 < 0 or v - 1 < 0 or u^v - u >= 0",
            "u <= 0 or u - 1 > 0 or v - 1 < 0 or u^v - u <= 0",
            "u - 1 < 0 or v - 1 > 0 or u^v - u <= 0",
            "u <= 0 or u - 1 > 0 or v - 1 > 0 or u^v - u >= 0",
        ),
        "Bernoulli's inequality",
    ),
    "power increasing in its base": Axiom(
        "u v w x",
        (
            "u <= 0 or w <= 0 or v - x != 0 or v <= 0 or u - w >= 0 or u^v - w^x < 0",
            "u <= 0 or w <= 0 or v - x != 0 or v <= 0 or u - w < 0 or u^v - w^x >= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v <= 0 or u - w <= 0 or u^v - w^x > 0",
            "u <= 0 or w <= 0 or v - x != 0 or v <= 0 or u - w > 0 or u^v - w^x <= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v >= 0 or u - w >= 0 or u^v - w^x > 0",
            "u <= 0 or w <= 0 or v - x != 0 or v >= 0 or u - w < 0 or u^v - w^x <= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v >= 0 or u - w <= 0 or u^v - w^x < 0",
            "u <= 0 or w <= 0 or v - x != 0 or v >= 0 or u - w > 0 or u^v - w^x >= 0",
        ),
        "Bernoulli's inequality",
    ),
    "Bernoulli, two bases": Axiom(
        "u v w x",
        (
            "u <= 0 or w <= 0 or v - x != 0 or v < 0 or v - 1 > 0 or w*u^v - w^x*(w + v*(u - w)) <= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v < 0 or v - 1 > 0 or u*w^x - u^v*(u + v*(w - u)) <= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v > 0 or w*u^v - w^x*(w + v*(u - w)) >= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v > 0 or u*w^x - u^v*(u + v*(w - u)) >= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v - 1 < 0 or w*u^v - w^x*(w + v*(u - w)) >= 0",
            "u <= 0 or w <= 0 or v - x != 0 or v - 1 < 0 or u*w^x - u^v*(u + v*(w - u)) >= 0",
        ),
        "Bernoulli's inequality",
    ),
    "power increasing in both": Axiom(
        "u v w x",
        (
            "w <= 0 or u - 1 < 0 or x < 0 or u - w < 0 or v - x < 0 or u^v - w^x >= 0",
            "w <= 0 or u - 1 < 0 or x <= 0 or u - w <= 0 or v - x < 0 or u^v - w^x > 0",
            "u <= 0 or w - 1 < 0 or v < 0 or w - u < 0 or x - v < 0 or w^x - u^v >= 0",
            "u <= 0 or w - 1 < 0 or v <= 0 or w - u <= 0 or x - v < 0 or w^x - u^v > 0",
        ),
        "Bernoulli's inequality",
    ),
    "power monotone in its exponent": Axiom(
        "u v w x",
        (
            "u - w != 0 or u - 1 <= 0 or v - x >= 0 or u^v - w^x < 0",
            "u - w != 0 or u - 1 <= 0 or v - x < 0 or u^v - w^x >= 0",
            "u - w != 0 or u - 1 <= 0 or v - x <= 0 or u^v - w^x > 0",
            "u - w != 0 or u - 1 <= 0 or v - x > 0 or u^v - w^x <= 0",
            "u - w != 0 or u <= 0 or u - 1 >= 0 or v - x >= 0 or u^v - w^x > 0",
            "u - w != 0 or u <= 0 or u - 1 >= 0 or v - x < 0 or u^v - w^x <= 0",
            "u - w != 0 or u <= 0 or u - 1 >= 0 or v - x <= 0 or u^v - w^x < 0",
            "u - w != 0 or u <= 0 or u - 1 >= 0 or v - x > 0 or u^v - w^x >= 0",
        ),
        "Bernoulli's inequality",
    ),
    "sin^2 + cos^2 = 1": Axiom(
        "u v", ("u - v != 0 or sin(u)*sin(u) + cos(v)*cos(v) - 1 == 0",), "Taylor with remainder"
    ),
    "cosh^2 - sinh^2 = 1": Axiom(
        "u v", ("u - v != 0 or cosh(u)*cosh(u) - sinh(v)*sinh(v) - 1 == 0",), "power series of cosh"
    ),
    "coth = cosh/sinh": Axiom("u", ("u == 0 or coth(u)*sinh(u) - cosh(u) == 0",), "definition"),
    "binomial at least 1": Axiom(
        "u v",
        ("binomial(u, v) >= 1",),
        "it counts the subsets of a size, of which there are some",
        ("integer(u)", "integer(v)", "v >= 0", "u >= v"),
    ),
    "binomial theorem": Axiom(
        "n x y",
        ("sum(binomial(n, k)*x^k*y^(n - k), k, 0, n) == (x + y)^n",),
        "binomial theorem",
        ("integer(n)", "n >= 0", "x > 0", "y > 0"),
    ),
    "binomial theorem, first moment": Axiom(
        "n x y",
        ("sum(k*(binomial(n, k)*x^k*y^(n - k)), k, 0, n) == n*x*(x + y)^(n - 1)",),
        "binomial theorem, differentiated in x and multiplied by x",
        ("integer(n)", "n >= 0", "x > 0", "y > 0"),
    ),
    "tanh = sinh/cosh": Axiom(
        "u v",
        ("u - v != 0 or tanh(u)*tanh(u)*(1 + sinh(v)*sinh(v)) - sinh(v)*sinh(v) == 0",),
        "calculus",
    ),
    "tanh^2 = 1 - 1/cosh^2": Axiom(
        "u v", ("u - v != 0 or (1 - tanh(u)*tanh(u))*cosh(v)*cosh(v) - 1 == 0",), "calculus"
    ),
    "exp inverts log": Axiom(
        "u v",
        (
            "v <= 0 or u - log(v) >= 0 or exp(u) - v < 0",
            "v <= 0 or u - log(v) < 0 or exp(u) - v >= 0",
            "v <= 0 or u - log(v) <= 0 or exp(u) - v > 0",
            "v <= 0 or u - log(v) > 0 or exp(u) - v <= 0",
        ),
        "convexity and power series of exp",
    ),
    "exp against log, tangent": Axiom(
        "u v", ("v <= 0 or exp(u) - v*(1 + u - log(v)) >= 0",), "convexity and power series of exp"
    ),
    "erfc below exp(-u^2)": Axiom(
        "u v", ("u < 0 or v + u*u < 0 or 1 - erf(u) - exp(v) <= 0",), "power series of erf"
    ),
    "cosh below exp(u^2/2)": Axiom(
        "u v", ("2*v - u*u < 0 or cosh(u) - exp(v) <= 0",), "power series of cosh"
    ),
    "sine below the circle": Axiom(
        "u v",
        ("u - v != 0 or u < 0 or 10000000000*u - 31415926535 > 0 or sin(u) - u*cos(v) >= 0",),
        "Taylor with remainder",
    ),
    "a^b = exp(b log a)": Axiom(
        "u v w",
        (
            "u <= 0 or u - w != 0 or u^v - 1 - v*log(w) >= 0",
            "u <= 0 or u - w != 0 or u^v*(1 - v*log(w)) - 1 <= 0",
        ),
        "Bernoulli's inequality",
    ),
    "a^b against exp(b(a-1))": Axiom(
        "u v w",
        (
            "u <= 0 or v < 0 or w - v*(u - 1) < 0 or u^v - exp(w) <= 0",
            "u <= 0 or v < 0 or u*w - v*(u - 1) > 0 or u^v - exp(w) >= 0",
            "u <= 0 or v > 0 or w - v*(u - 1) > 0 or u^v - exp(w) >= 0",
            "u <= 0 or v > 0 or u*w - v*(u - 1) < 0 or u^v - exp(w) <= 0",
        ),
        "Bernoulli's inequality",
    ),
    "power of a sum": Axiom(
        "u v w",
        ("u^(v + w) == u^v*u^w",),
        "definition; 0^0 is 1",
        ("integer(v)", "integer(w)", "v >= 0", "w >= 0"),
    ),
    "small powers": Axiom(
        "u v w",
        ("abs(u^v) <= w", "v*abs(u^v) <= w", "v^2*abs(u^v) <= w"),
        "with h = 1 - abs(u): abs(u)^v <= exp(-v*h), and y^3*exp(-y) <= 27/exp(3) < 6 at y = v*h",
        ("abs(u) < 1", "w > 0", "integer(v)", "v*w*(1 - abs(u))^3 >= 6"),
    ),
    "absolute value": Axiom(
        "u",
        (
            "u < 0 or abs(u) - u == 0",
            "u > 0 or abs(u) + u == 0",
            "abs(u) >= 0",
            "abs(u) - u >= 0",
            "abs(u) + u >= 0",
        ),
        "definition",
    ),
    "maximum": Axiom(
        "u v",
        (
            "u < v or max(u, v) - u == 0",
            "u > v or max(u, v) - v == 0",
            "max(u, v) - u >= 0",
            "max(u, v) - v >= 0",
        ),
        "definition",
    ),
    "minimum": Axiom(
        "u v",
        (
            "u > v or min(u, v) - u == 0",
            "u < v or min(u, v) - v == 0",
            "min(u, v) - u <= 0",
            "min(u, v) - v <= 0",
        ),
        "definition",
    ),
    "sign": Axiom(
        "u",
        ("u <= 0 or sign(u) == 1", "u >= 0 or sign(u) == -1", "u != 0 or sign(u) == 0"),
        "definition",
    ),
    "choice, >": Axiom(
        "u v w x",
        ("u <= v or ifgt(u, v, w, x) - w == 0", "u > v or ifgt(u, v, w, x) - x == 0"),
        "definition",
    ),
    "choice, >=": Axiom(
        "u v w x",
        ("u < v or ifge(u, v, w, x) - w == 0", "u >= v or ifge(u, v, w, x) - x == 0"),
        "definition",
    ),
    "choice, ==": Axiom(
        "u v w x",
        ("u != v or ifeq(u, v, w, x) - w == 0", "u == v or ifeq(u, v, w, x) - x == 0"),
        "definition",
    ),
}

INTEGRALS: dict[str, Integral] = {
    "Gaussian": Integral(
        "a b c",
        "-oo",
        "oo",
        "exp(-a*x^2 + b*x + c)",
        "(pi/a)^(1/2)*exp(b^2/(4*a) + c)",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, first moment": Integral(
        "a b c",
        "-oo",
        "oo",
        "x*exp(-a*x^2 + b*x + c)",
        "b/(2*a)*(pi/a)^(1/2)*exp(b^2/(4*a) + c)",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, second moment": Integral(
        "a b c",
        "-oo",
        "oo",
        "x^2*exp(-a*x^2 + b*x + c)",
        "(1/(2*a) + b^2/(4*a^2))*(pi/a)^(1/2)*exp(b^2/(4*a) + c)",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, third moment": Integral(
        "a b c",
        "-oo",
        "oo",
        "x^3*exp(-a*x^2 + b*x + c)",
        "(3*b/(4*a^2) + b^3/(8*a^3))*(pi/a)^(1/2)*exp(b^2/(4*a) + c)",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, fourth moment": Integral(
        "a b c",
        "-oo",
        "oo",
        "x^4*exp(-a*x^2 + b*x + c)",
        "(3/(4*a^2) + 3*b^2/(4*a^3) + b^4/(16*a^4))*(pi/a)^(1/2)*exp(b^2/(4*a) + c)",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, from a point": Integral(
        "a b c d",
        "d",
        "oo",
        "exp(-a*x^2 + b*x + c)",
        "(pi/a)^(1/2)*exp(b^2/(4*a) + c)*erfc(a^(1/2)*d - b/(2*a^(1/2)))/2",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, up to a point": Integral(
        "a b c d",
        "-oo",
        "d",
        "exp(-a*x^2 + b*x + c)",
        "(pi/a)^(1/2)*exp(b^2/(4*a) + c)*erfc(b/(2*a^(1/2)) - a^(1/2)*d)/2",
        ("a > 0",),
        "NIST DLMF 7.7",
    ),
    "Gaussian, power": Integral(
        "a b",
        "0",
        "oo",
        "x^(a - 1)*exp(-b*x^2)",
        "gamma(a/2)/(2*b^(a/2))",
        ("a > 0", "b > 0"),
        "NIST DLMF 5.9.1",
    ),
    "gamma": Integral(
        "a b",
        "0",
        "oo",
        "x^(a - 1)*exp(-b*x)",
        "gamma(a)*b^(-a)",
        ("a > 0", "b > 0"),
        "NIST DLMF 5.9.1",
    ),
    "gamma, logarithm": Integral(
        "a b",
        "0",
        "oo",
        "log(x)*x^(a - 1)*exp(-b*x)",
        "gamma(a)*b^(-a)*(digamma(a) - log(b))",
        ("a > 0", "b > 0"),
        "NIST DLMF 5.9.19",
    ),
    "beta": Integral(
        "a b",
        "0",
        "1",
        "x^(a - 1)*(1 - x)^(b - 1)",
        "beta(a, b)",
        ("a > 0", "b > 0"),
        "NIST DLMF 5.12.1",
    ),
    "beta, logarithm": Integral(
        "a b",
        "0",
        "1",
        "log(x)*x^(a - 1)*(1 - x)^(b - 1)",
        "beta(a, b)*(digamma(a) - digamma(a + b))",
        ("a > 0", "b > 0"),
        "derivative of NIST DLMF 5.12.1",
    ),
    "beta, other logarithm": Integral(
        "a b",
        "0",
        "1",
        "log(1 - x)*x^(a - 1)*(1 - x)^(b - 1)",
        "beta(a, b)*(digamma(b) - digamma(a + b))",
        ("a > 0", "b > 0"),
        "derivative of NIST DLMF 5.12.1",
    ),
    "gamma, up to a point": Integral(
        "a b d",
        "0",
        "d",
        "x^(a - 1)*exp(-b*x)",
        "lowergamma(a, b*d)*b^(-a)",
        ("a > 0", "b > 0", "d >= 0"),
        "NIST DLMF 8.2.1",
    ),
    "gamma, from a point": Integral(
        "a b d",
        "d",
        "oo",
        "x^(a - 1)*exp(-b*x)",
        "uppergamma(a, b*d)*b^(-a)",
        ("a > 0", "b > 0", "d >= 0"),
        "NIST DLMF 8.2.2",
    ),
    "beta, up to a point": Integral(
        "a b d",
        "0",
        "d",
        "x^(a - 1)*(1 - x)^(b - 1)",
        "betainc(a, b, 0, d)",
        ("a > 0", "b > 0", "d >= 0", "d <= 1"),
        "NIST DLMF 8.17.1",
    ),
    "beta, from a point": Integral(
        "a b d",
        "d",
        "1",
        "x^(a - 1)*(1 - x)^(b - 1)",
        "betainc(a, b, d, 1)",
        ("a > 0", "b > 0", "d >= 0", "d <= 1"),
        "NIST DLMF 8.17.1",
    ),
}
