r"""List the grammar of text and LaTeX, which `dpbook check --help` and a page of the book show.

Nothing heavy is imported here, so that the help answers at once. The tests compare every row with
the readers.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from dpbook.engine.language.functions import FUNCTIONS as BY_NAME


@dataclass(frozen=True)
class Row:
    """Describe an expression: its text, its LaTeX (may be empty), and its meaning."""

    text: str
    latex: str
    meaning: str


@dataclass(frozen=True)
class Refusal:
    """Describe a text that can be meant in two ways, and the texts to write instead."""

    text: str
    instead: tuple[str, ...]


OPERATIONS = (
    Row("34x + 45y", r"34x + 45y", "34*x + 45*y"),
    Row("(a + 5)(b + 2)", r"(a + 5)(b + 2)", "(a + 5)*(b + 2)"),
    Row("x/(2*y)", r"\frac{x}{2y}", "x/(2*y)"),
    Row("x^2", r"x^2", "x**2"),
    Row("2^(n + 1)", r"2^{n + 1}", "2**(n + 1)"),
    Row("-x^2", r"-x^2", "-(x^2)"),
    Row("exp(2*x)", r"e^{2x}", "exp(x*2)"),
    Row("sqrt(x)", r"\sqrt{x}", "x^(1/2)"),
    Row("|x - 1|", r"|x - 1|", "abs(x - 1)"),
    Row("n!", r"n!", "factorial(n)"),
    Row("1.5e-3", "", "0.0015"),
)

NAMES = (
    Row("epsilon", r"\varepsilon", "ε"),
    Row("epsilon", r"\epsilon", "ϵ"),
    Row("eps", r"\epsilon", "epsilon"),
    Row("sigma_0", r"\sigma_0", "σ_0"),
    Row("theta_hat", r"\theta_{hat}", "θ_hat"),
    Row("lambda", r"\lambda", "λ"),
    Row("pi", r"\pi", "π"),
    Row("exp(1)", r"e", "exp(2/2)"),
)

RELATIONS = (
    Row("0 < x <= 1", r"0 < x \leq 1", "0 < x and x <= 1"),
    Row("x != y", r"x \neq y", "x ≠ y"),
    Row("x = 2 or x = 3", r"x = 2 \lor x = 3", "x == 2 or x == 3"),
    Row("x > 0 and y > 0", r"x > 0 \land y > 0", "x > 0 & y > 0"),
    Row("(x > 0 or y > 0) and z = 1", "", "(x > 0 | y > 0) & z = 1"),
    Row("x = 2 or x = -2", r"x = \pm 2", "x = 2 or x = -2"),
    Row(
        "x + y = 3 and x - y = 1",
        r"\begin{cases} x + y = 3 \\ x - y = 1 \end{cases}",
        "x + y = 3 and x - y = 1",
    ),
    Row(
        "a = b + c and b + c <= d",
        r"\begin{align} a &= b + c \\ &\leq d \end{align}",
        "a = b + c <= d",
    ),
)

CONDITIONS = (
    Row("x > 0", r"x > 0", "x > 0"),
    Row("a, b >= 0", r"a, b \geq 0", "a >= 0 and b >= 0"),
    Row("n in integers", r"n \in \mathbb{Z}", "n in Z"),
    Row("x in reals", r"x \in \mathbb{R}", "x in R"),
    Row("x in [0, 1)", r"x \in [0, 1)", "0 <= x and x < 1"),
    Row("x in (0, oo)", r"x \in (0, \infty)", "x > 0"),
)

RANGES = (
    Row("Sum(k^2, k, 1, n)", r"\sum_{k=1}^{n} k^2", "sum(k^2, (k, 1, n))"),
    Row("Product(k, k, 1, n)", r"\prod_{k=1}^{n} k", "prod(k, k, 1, n)"),
    Row(
        "Integral(exp(-x^2), x, -oo, oo)",
        r"\int_{-\infty}^{\infty} e^{-x^2} \, dx",
        "integral(exp(-x^2), x, -oo, oo)",
    ),
    Row("Piecewise((1/x, x > 0), (0, otherwise))", "", "Piecewise((x^(-1), x > 0), (0, True))"),
)

# Names of the same meaning stand together; the first name is shown.
FUNCTIONS = (
    *(row.names for row in BY_NAME.values() if row.names),
    *(("sqrt",), ("log2",), ("log10",), ("betainc_regularized",)),
)

NAMES_OF_FUNCTIONS = {name: names[0] for names in FUNCTIONS for name in names}

REFUSALS = (
    Refusal("1/2x", ("(1/2)*x", "1/(2*x)")),
    Refusal("x^2y", ("x^2*y", "x^(2*y)")),
    Refusal("x y", ("x*y", "x_y")),
    Refusal("a + b + 2ab", ("a + b + 2a*b", "a + b + 2a_b")),
    Refusal("x(y + 1)", ("x*(y + 1)",)),
    Refusal("x^1/2", ("x^(1/2)", "(x^1)/2")),
    Refusal("e^x", ("exp(x)",)),
    Refusal("E", ("exp(1)",)),
    Refusal("2e", ("2*exp(1)",)),
    Refusal("EulerGamma", ("-digamma(1)",)),
    Refusal("cbrt(x)", ("x^(1/3)",)),
    Refusal("sin x", ("sin(x)",)),
    Refusal("0,5", ("0.5",)),
    Refusal("log(1,5)", ("log(1.5)", "log(1, 5)")),
    Refusal("1,000", ("1000", "1.0")),
    Refusal("1 000", ("1000",)),
    Refusal("3 1/2", ("3 + 1/2",)),
    Refusal("n!!", ("(n!)!",)),
    Refusal("Sum(x_i, i, 1, n)", ("Sum(i^2, i, 1, n)", "x_1 + x_2")),
    Refusal("x =< 1", ("x <= 1",)),
    Refusal("5 km", ("5*km",)),
    Refusal("γ(x)", ("gamma(x)", "γ*(x)")),
    Refusal(r"\sin x y", (r"\sin(x y)", r"\sin(x)\, y")),
    Refusal(r"\sin^{-1} x", (r"\operatorname{arcsin}(x)", r"\frac{1}{\sin x}")),
    Refusal(r"1/2x", (r"\frac{1}{2} x", r"\frac{1}{2x}")),
    Refusal(r"p(x+y)", (r"p \cdot (x+y)",)),
    Refusal(r"E[X^2]", (r"E \cdot [X^2]",)),
    Refusal(r"x = 1 \quad y = 2", (r"x = 1 \text{ and } y = 2",)),
    Refusal(r"\ln|x|^2", (r"\ln(|x|^2)", r"(\ln|x|)^2")),
    Refusal(r"\prod_{k=1}^n k / 3", (r"\prod_{k=1}^n (k / 3)", r"(\prod_{k=1}^n k) / 3")),
)

SECTIONS = (
    ("Operations", OPERATIONS),
    ("Names", NAMES),
    ("Relations", RELATIONS),
    ("Conditions", CONDITIONS),
    ("Sums, products, integrals, cases", RANGES),
)

HEAD = (
    "Text has names of letters, digits and underscores; in LaTeX a letter is a name, and letters "
    "side by side are a product. A text with a backslash, a brace or a dollar sign is LaTeX. Two "
    "spellings of a Greek letter are one symbol. A name before a bracket is a function, in LaTeX "
    "too unless the bracket is a sum with that letter, as n(n+1). log takes (number, base). Roots, "
    "x^(1/3) among them, are of numbers >= 0; 0^0 is 1. A sum or a product ends at integers, at least "
    "at its start minus 1. A name is one number: x_i in a sum over i is refused. "
    "Decimals are exact. A statement says that all its sides have a value, in an `or` those of both parts. "
    "Nothing is ever evaluated as Python."
)


def help_text() -> str:
    """Return the grammar for a terminal."""
    parts = ["What can be written", HEAD]
    for title, rows in SECTIONS:
        lines = []
        for row in rows:
            beside = len(row.latex) < 40 and len(row.text) < 34
            lines.append(f"  {row.text:34}{row.latex if beside else ''}".rstrip())
            lines += [f"{'':36}{row.latex}"] if row.latex and not beside else []
        parts.append(f"\b\n{title} (in text, and in LaTeX):\n" + "\n".join(lines))
    names = " ".join("=".join(names) for names in FUNCTIONS)
    shown = textwrap.fill(names, 76, initial_indent="  ", subsequent_indent="  ")
    parts.append("\b\nFunctions (= joins names of one function):\n" + shown)
    refused = [one for one in REFUSALS if "\\" not in one.text and "\\" not in one.instead[0]]
    lines = [f"  {one.text:12} write {' or '.join(one.instead)}" for one in refused]
    parts.append("\b\nWhat can be meant in two ways is refused:\n" + "\n".join(lines))
    return "\n\n".join(parts)


def page() -> str:
    """Return the grammar as a page of the book, in MyST."""

    def code(text: str) -> str:
        return f"`` {text} ``".replace("|", r"\|") if text else ""

    parts = ["# What can be written", INTRODUCTION.strip(), HEAD]
    for title, rows in SECTIONS:
        lines = ["| text | LaTeX | the same |", "| --- | --- | --- |"]
        lines += [f"| {code(row.text)} | {code(row.latex)} | {code(row.meaning)} |" for row in rows]
        parts += [f"## {title}", "\n".join(lines)]
    parts += ["## Functions", FUNCTIONS_NOTE.strip()]
    lines = ["| function | other names |", "| --- | --- |"]
    lines += [f"| {code(first)} | {', '.join(map(code, rest))} |" for first, *rest in FUNCTIONS]
    parts.append("\n".join(lines))
    parts += ["## What is refused", REFUSED_NOTE.strip()]
    lines = ["| typed | write instead |", "| --- | --- |"]
    lines += [f"| {code(one.text)} | {', or '.join(map(code, one.instead))} |" for one in REFUSALS]
    parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


INTRODUCTION = """
This is the grammar of `dpbook check`, of `check` and `derive` in Python, and of the answers to exercises.
"""

FUNCTIONS_NOTE = r"""
In LaTeX `\sin`, `\log` and their kind are read, and any name below as `\operatorname{erf}(x)`. `log(x, b)` has the
base b, `betainc(a, b, x)` is the incomplete beta function. `\Pr[X > t]` and `\mathbb{P}[X > t]` are symbols between 0
and 1: what stands in the brackets is not understood, and a statement with them is never refuted.
"""

REFUSED_NOTE = """
What can be meant in two ways is an error that says where, and what to write.
"""
