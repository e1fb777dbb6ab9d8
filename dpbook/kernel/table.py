"""The one table of functions: where each is defined, its derivative, range and properties, as text.

Everything that the kernel knows of a function stands in its row, or among the axioms that name it.
`u` and `v` stand for the arguments, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Function:
    """One function.

    Attributes
    ----------
    arguments : int
        How many; -1 for one or more.
    domain : tuple of str
        Formulas in u, v, ...: where they hold, the function is defined.
    wider : bool
        Whether it has values elsewhere too (Gamma at -1/2): that it is defined says nothing then.
    derivatives : tuple of str
        By each argument; "" where it has none that is known here. Each holds wherever the function
        and the derivative as written are defined.
    continuous : bool
        Whether it is continuous wherever it is defined.
    integral : bool
        Whether its values are integers where the formulas of its domain hold.
    """

    arguments: int = 1
    domain: tuple[str, ...] = ()
    wider: bool = False
    derivatives: tuple[str, ...] = ("",)
    continuous: bool = True
    integral: bool = False


_BETAINC = ("u > 0", "v > 0", "w >= 0", "w <= 1", "x >= 0", "x <= 1")

FUNCTIONS: dict[str, Function] = {
    "exp": Function(derivatives=("exp(u)",)),
    "log": Function(domain=("u > 0",), derivatives=("1/u",)),
    "erf": Function(derivatives=("2*exp(-u^2)/pi^(1/2)",)),
    "erfc": Function(derivatives=("-2*exp(-u^2)/pi^(1/2)",)),
    "sin": Function(derivatives=("cos(u)",)),
    "cos": Function(derivatives=("-sin(u)",)),
    "tan": Function(domain=("cos(u) != 0",), derivatives=("1 + tan(u)^2",)),
    "cot": Function(domain=("sin(u) != 0",), derivatives=("-1 - cot(u)^2",)),
    "sec": Function(domain=("cos(u) != 0",), derivatives=("sec(u)*tan(u)",)),
    "csc": Function(domain=("sin(u) != 0",), derivatives=("-csc(u)*cot(u)",)),
    "asin": Function(domain=("u <= 1", "u >= -1"), derivatives=("1/(1 - u^2)^(1/2)",)),
    "acos": Function(domain=("u <= 1", "u >= -1"), derivatives=("-1/(1 - u^2)^(1/2)",)),
    "atan": Function(derivatives=("1/(1 + u^2)",)),
    "sinh": Function(derivatives=("cosh(u)",)),
    "cosh": Function(derivatives=("sinh(u)",)),
    "tanh": Function(derivatives=("1 - tanh(u)^2",)),
    "coth": Function(domain=("u != 0",), derivatives=("1 - coth(u)^2",)),
    "sech": Function(derivatives=("-sech(u)*tanh(u)",)),
    "csch": Function(domain=("u != 0",), derivatives=("-csch(u)*coth(u)",)),
    "asinh": Function(derivatives=("1/(1 + u^2)^(1/2)",)),
    "acosh": Function(domain=("u >= 1",), derivatives=("1/(u^2 - 1)^(1/2)",)),
    "atanh": Function(domain=("u < 1", "u > -1"), derivatives=("1/(1 - u^2)",)),
    "abs": Function(),
    "sign": Function(continuous=False, integral=True),
    "floor": Function(continuous=False, integral=True),
    "ceiling": Function(continuous=False, integral=True),
    "max": Function(arguments=-1),
    "min": Function(arguments=-1),
    "gamma": Function(domain=("u > 0",), wider=True, derivatives=("gamma(u)*digamma(u)",)),
    "loggamma": Function(domain=("u > 0",), wider=True, derivatives=("digamma(u)",)),
    "digamma": Function(domain=("u > 0",), wider=True, derivatives=("polygamma(1, u)",)),
    "polygamma": Function(
        arguments=2,
        domain=("integer(u)", "u >= 0", "v > 0"),
        wider=True,
        derivatives=("", "polygamma(u + 1, v)"),
    ),
    "beta": Function(
        arguments=2,
        domain=("u > 0", "v > 0"),
        wider=True,
        derivatives=(
            "beta(u, v)*(digamma(u) - digamma(u + v))",
            "beta(u, v)*(digamma(v) - digamma(u + v))",
        ),
    ),
    "factorial": Function(domain=("integer(u)", "u >= 0"), wider=True, integral=True),
    "binomial": Function(
        arguments=2, domain=("v >= 0", "u >= v"), wider=True, derivatives=("", "")
    ),
    "lowergamma": Function(
        arguments=2,
        domain=("u > 0", "v >= 0"),
        wider=True,
        derivatives=("", "v^(u - 1)*exp(-v)"),
    ),
    "uppergamma": Function(
        arguments=2,
        domain=("u > 0", "v >= 0"),
        wider=True,
        derivatives=("", "-v^(u - 1)*exp(-v)"),
    ),
    "betainc": Function(
        arguments=4,
        domain=_BETAINC,
        wider=True,
        derivatives=("", "", "-w^(u - 1)*(1 - w)^(v - 1)", "x^(u - 1)*(1 - x)^(v - 1)"),
    ),
    # ifgt(a, b, x, y) is x where a > b and y elsewhere; ifge and ifeq compare with >= and ==
    "ifgt": Function(arguments=4, derivatives=("",) * 4, continuous=False),
    "ifge": Function(arguments=4, derivatives=("",) * 4, continuous=False),
    "ifeq": Function(arguments=4, derivatives=("",) * 4, continuous=False),
}

PARAMETERS = ("u", "v", "w", "x")
ARITIES: dict[str, int] = {
    **{name: row.arguments for name, row in FUNCTIONS.items()},
    **{"pow": 2, "pi": 0, "EulerGamma": 0, "oo": 0},
}
