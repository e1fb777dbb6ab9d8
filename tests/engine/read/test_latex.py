"""LaTeX as students type it: read as it is set on paper, or refused with the place."""

import pytest

from dpbook.engine.claims.check import check
from dpbook.engine.derive.derivation import derive
from dpbook.engine.read.latex import lines_of
from dpbook.engine.read.readings import both, read, read_statement
from dpbook.engine.read.refusals import ParseError
from tests.reading import read_given, read_line

SAME = {
    r"\frac12 x + 3": "1/2*x + 3",
    r"\dfrac{x^2-1}{x-1}": "(x^2 - 1)/(x - 1)",
    r"x^{2} - 5x + 6 = 0": "x^2 - 5*x + 6 = 0",
    r"(x-2)(x-3) = 0": "(x - 2)*(x - 3) = 0",
    r"x = 2 \lor x = 3": "x = 2 or x = 3",
    r"x = 2 \quad\text{or}\quad x = 3": "x = 2 or x = 3",
    r"x = 2 \wedge y \ne 3": "x = 2 and y != 3",
    r"x = \pm 2": "x = 2 or x = -2",
    r"\sqrt{x+1} \leq 2": "sqrt(x + 1) <= 2",
    r"\sqrt2 x": "sqrt(2)*x",
    r"e^{2x} = 4": "exp(2*x) = 4",
    r"e^x y": "exp(x)*y",
    r"\ln(2x) \ge \log x": "log(2*x) >= log(x)",
    r"\log_2 x": "log(x, 2)",
    r"\sin^2 x + \cos^2 x": "sin(x)^2 + cos(x)^2",
    r"2 \sin x \cos x": "2*sin(x)*cos(x)",
    r"\sin 2x": "sin(2*x)",
    r"\log{\left(x \right)}^{2}": "log(x)^2",
    r"x^2y": "x^2*y",
    r"2\pi r": "2*pi*r",
    r"\alpha\beta_1": "alpha*beta_1",
    r"\mu_{12} x_1": "mu_12*x_1",
    r"|x| < 2": "abs(x) < 2",
    r"2|x-1| + 3": "2*abs(x - 1) + 3",
    r"\left| x \right| = \lvert y \rvert": "abs(x) = abs(y)",
    r"\left|{x - 1}\right|^{2} < 2": "abs(x - 1)^2 < 2",
    r"|\pi| + |{x}| |y|": "abs(pi) + abs(x)*abs(y)",
    r"\left\lfloor{\frac{x}{2} + 1}\right\rfloor": "floor(x/2 + 1)",
    r"\operatorname{erfc}{\left(x + 1 \right)}": "erfc(x + 1)",
    r"\operatorname{polygamma}{\left(1,x \right)}": "polygamma(1, x)",
    r"\operatorname{erf}^{2}{\left(x \right)} \leq 1": "erf(x)^2 <= 1",
    r"\Gamma^{2}\left(\frac{1}{3}\right) > 7": "gamma(1/3)^2 > 7",
    r"\Gamma^2 + \Gamma(x)": "Gamma^2 + gamma(x)",
    r"\left( x + 1 \right)^2": "(x + 1)^2",
    r"\left[ x + 1 \right] \cdot 2": "(x + 1)*2",
    r"3 < x \leqslant 5": "3 < x <= 5",
    r"\max(x, y)": "max(x, y)",
    r"\lfloor x \rfloor": "floor(x)",
    r"n! + \binom{n}{k}": "n! + binomial(n, k)",
    r"n! =1": "n! = 1",
    r"\prod_{k=1}^n 2 \cdot k": "Product(2*k, k, 1, n)",
    r"\sum_{k=1}^{n} k^2": "Sum(k^2, k, 1, n)",
    r"\sum_{k=1}^n k + 1": "Sum(k, k, 1, n) + 1",
    r"\int_0^1 x^2 \, dx": "integral(x^2, x, 0, 1)",
    r"\int_{-\infty}^{\infty} e^{-x^2} \, \mathrm{d}x": "integral(exp(-x^2), x, -oo, oo)",
    r"\operatorname{erf}(x)": "erf(x)",
    r"\begin{cases} x + y = 3 \\ x - y = 1 \end{cases}": "x + y = 3 and x - y = 1",
    r"$x \lt 2$": "x < 2",
    r"\( x = 1 \)": "x = 1",
    r"x &= 1 \\": "x = 1",
    r"x \in [0, 1)": "0 <= x < 1",
    r"x \cdot (y+1)": "x*(y + 1)",
    r"\frac{n(n+1)}{2}": "(n*(n + 1))/2",
    r"p(1-p)^2": "p*(1 - p)^2",
    r"2(x+1)(y+1)": "2*(x + 1)*(y + 1)",
    r"x^2(y+1)": "x^2*(y + 1)",
    r"2^x(y+1)": "2^x*(y + 1)",
    r"x_1(2x_1 + y)": "x_1*(2*x_1 + y)",
    r"\sigma^2_x \ge 0": "sigma_x^2 >= 0",
    r"x^2_1 = x^{12}_2": "x_1^2 = x_2^12",
    r"{x}_{1} + {\mu}^{2}_{ij}": "x_1 + mu_ij^2",
    r"\hat{x}^2_1 y": "xhat_1^2*y",
    r"x^2_1(y+1)": "x_1^2*(y + 1)",
    r"(x)(y+1)": "x*(y + 1)",
    r"x \neq \pm 1": "x != 1 and x != -1",
    r"y < 1 \land x = \pm 2": "y < 1 and x = 2 or y < 1 and x = -2",
    r"\begin{cases} x + y &= 3 \\ x - y &= 1 \end{cases}": "x + y = 3 and x - y = 1",
    r"\begin{array}{rcr} x & + & y & = & 3 \end{array}": "x + y = 3",
    r"\prod_{k=1}^n k/(k+1)": "Product(k/(k + 1), k, 1, n)",
    r"2\prod_{k=1}^n 3k": "2*Product(3*k, k, 1, n)",
    r"\prod_{k=1}^n (k/3)": "Product(k/3, k, 1, n)",
    r"\sin{2x}": "sin(2*x)",
    r"x\;y = 2": "x*y = 2",
    r"x_i + \sum_{i=1}^n i": "x_i + Sum(i, i, 1, n)",
    r"-x^2": "-x^2",
    r"0.5x": "0.5*x",
    r"34x+45y": "34*x + 45*y",
    r"(a+5)(b+2)": "(a + 5)*(b + 2)",
    r"\varepsilon + \epsilon": "epsilon + epsilon",
    r"ϵ + ε": "epsilon + epsilon",
    r"\vartheta_{\varepsilon} \varphi": "theta_epsilon*phi",
    r"δ \cdot (1 + e^{\varepsilon})": "delta*(1 + exp(epsilon))",
    r"\cfrac{1}{1 + \cfrac{1}{x}}": "1/(1 + 1/x)",
    r"\int_0^1 ε \, dε": "integral(epsilon, epsilon, 0, 1)",
    r"\begin{align} a &= b + c \\ &\le d. \end{align}": "a = b + c <= d",
    r"\begin{align*} a &= b,\\[2pt] c &= d \end{align*}": "a = b and c = d",
    r"\begin{equation}\label{eq:1} x = 2 \nonumber \end{equation}": "x = 2",
    r"\begin{equation}\begin{aligned} x &= 2 \end{aligned}\end{equation}": "x = 2",
    r"$x$ \le $2$": "x <= 2",
}  # fmt: skip


@pytest.mark.parametrize(("latex", "text"), SAME.items(), ids=list(SAME))
def test_reads_what_stands_on_paper(latex, text):
    def rewritten(line):  # a chain may be written from either side
        return str(line).replace("0 <= x", "x >= 0")

    assert rewritten(read_line(latex, latex=True)) == rewritten(read_line(text, latex=False))


def read_latex(text):
    return read_line(text, latex=True)


REFUSED = {
    r"\sin x y": 8,
    r"\sin x/2": 7,
    r"\ln 2 x": 7,
    r"\sin^{-1} x": 5,
    r"\sin": 5,
    r"a/bc": 4,
    r"1/2x": 4,
    r"x^12": 3,
    r"|{x + y} + 1|": 2,
    r"|{x + y}": 2,
    r"\Gamma^{-1}(x)": 7,
    r"\Gamma^x(y + 1)": 7,
    r"\operatorname{erf}^{-1}(x)": 19,
    r"\operatorname{erfc}{\left(x\right) + 1}": 36,
    r"x^-1": 3,
    r"x^2^3": 4,
    r"x_12": 3,
    r"x_1^2_3": 6,
    r"x^2_1^3": 6,
    r"{x_1}_2": 6,
    r"(x)^2_1": 6,
    r"\pi^2_1": 6,
    r"x^{-1}_1(y+1)": 1,
    r"{x}_1(y+1)": 2,
    r"[x] \le x": 1,
    r"\{x\} = x": 1,
    r"2 + \left[n\right]": 10,
    r"x^{(2)} = x \cdot x": 4,
    r"x_k^{(n)} = 1": 6,
    r"2\frac{1}{2}": 2,
    r"\frac{1}": 9,
    r"\frac{}{2}": 6,
    r"|a|b|c|": 5,
    r"f(x) = 2": 1,
    r"E[X^2] \leq E[X]^2": 1,
    r"E\left[X\right] = 2": 1,
    r"E[X + 1] = 2": 1,
    r"T(n) = 2T(n/2)": 1,
    r"p(x+y) = p(x)+p(y)": 1,
    r"\sigma(-x)": 1,
    r"2\zeta(2)": 2,
    r"\mu(A \cdot B)": 1,
    r"\delta(\varepsilon)": 1,
    r"x(y+1)": 1,
    r"n(n)": 1,
    r"x_1(x+1)": 1,
    r"\hat{p}(x)": 1,
    r"h{\left(x \right)}": 1,
    r"q{\left(x \right)}": 1,
    r"\mu\{A\}": 1,
    r"F^{-1}(x)": 1,
    r"q^{-1}(x)": 1,
    r"f^2(x)": 1,
    r"\pi(x)": 1,
    r"e(x)": 1,
    r"\Phi(x)": 1,
    r"x \pm 1 \neq 2 \lor y = 1": 3,
    r"x = \pm 1 \land y = \pm 1": 5,
    r"\ln|x|^2": 7,
    r"\ln\lvert x\rvert^2": 18,
    r"\ln{x}^2": 7,
    r"\ln{x+1}": 5,
    r"\ln{\lvert x\rvert}^2": 20,
    r"\sin{x} y": 9,
    r"\begin{cases} x & x > 0 \\ 0 & x \leq 0 \end{cases}": 17,
    r"a = b & c = d": 7,
    r"n!!": 3,
    r"n!=1": 2,
    r"a & !b = 2": 3,
    r"x \quad y = 2": 3,
    r"x \in [0, 1] = 2": 14,
    r"0 < x \in [0, 1]": 7,
    r"\prod_{k=1}^n (k + 1) k / 3": 25,
    r"\sqrt[3]{-8}": 1,
    r"x=1 \; y=2": 5,
    r"x=1 \ y=2": 5,
    r"x=1 \quad y=2": 5,
    r"x=1 \qquad (y=2)": 5,
    r"x = 1.5e-3": 5,
    r"2e3 x": 1,
    r"2\prod_{k=1}^n k / 3": 18,
    r"\prod_{k=1}^n k \cdot x": 17,
    r"\max(x, 0,5)": 10,
    r"x>0 $(id)": 5,
    r"\sum_{i=1}^n i + i^2": 1,
    r"\sum_{i=1}^n i = \frac{i(i+1)}{2}": 1,
    r"\sum_{i=1}^n x_i": 14,
    r"\sum_{i=1}^{n} x_{ij}": 16,
    r"\prod_{i=1}^n \hat{x}_i": 15,
    r"\int_0^1 x_t \, dt": 10,
    r"\sum_{k=0}^n \Pr[X=k]": 14,
    r"\sum_{\theta=0}^n \Pr[X=\theta]": 19,
    r"x = 1, x = 2": 6,
    r"x = 1; y": 6,
    r"sin(x)": 1,
    r"\foo x": 1,
    r"x \approx 2": 3,
    r"{x+1}^2": 1,
    r"2 3": 3,
    r"x2": 2,
    r"(x+1)2": 6,
    r"(x": 1,
    r"x)": 2,
    r"\left( x": 6,
    r"\sqrt{x+1": 6,
    r"|x + 1": 1,
    r"\left(x\right]": 14,
    r"delta x": 1,
    r"\begin{align} \le 2 \end{align}": 15,
    r"\begin{tabular} x = 2 \end{tabular}": 1,
    r"²": 1,
    r"\left x": 6,
    r"x +": 4,
    r"x = ": 4,
    r"": 1,
    r"+-x": 1,
    r"x < = 2": 5,
    r"\frac{d}{dx} x^2": 1,
    r"f'": 2,
    r"x'": 2,
    r"90^\circ": 3,
    r"\lim_{x \to 0} x": 1,
    r"x \in \mathbb{N}": 7,
    r"10^{99999999}": 1,
    r"\text{if } x": 1,
    r"x \pm 2 < 3": 3,
    r"\cos(x \pm y) = \cos x \cos y \mp \sin x \sin y": 8,
    r"(x \pm 1)^2 = x^2 + 2x + 1": 4,
    r"1 = \pm 1": 5,
    r"\Gamma x > 0": 1,
    r"e^{i\pi} = -1": 1,
    r"\int x dx": 1,
    r"\sum k": 1,
    r"import os": 1,
    r"x = 1 if y": 7,
    r"x \href{a}{b}": 3,
    r"\input{/etc/passwd}": 1,
}  # fmt: skip


@pytest.mark.parametrize(("latex", "place"), REFUSED.items(), ids=list(REFUSED))
def test_refuses_what_can_be_read_in_two_ways_or_not_at_all(latex, place):
    with pytest.raises(ParseError) as caught:
        read_latex(latex)
    assert caught.value.position == place


@pytest.mark.parametrize(
    ("latex", "place", "instead"),
    [(r"\alpha =< 2", 9, "write <="), (r"\alpha => 2", 9, "write >="), (r"\alpha \le 0,5", 13, r"write 0\.5"),
     (r"0{,}5 \alpha \le 2", 3, r"write 0\.5"), (r"\alpha > 1{,}000", 12, r"write 1\.000, or 1000 for"),
     (r"\alpha > 1{,}000{,}000", 12, "write 1000000$"), (r"\alpha > 1\,000", 13, "write 1000$"),
     (r"\alpha > x^{12~000\;000}", 16, "write 12000000$"), (r"\alpha > 3 1/2", 12, r"write 3 \+ 1/2$"),
     (r"\alpha > 3\ 1/2", 13, r"write 3 \+ 1/2$"), (r"x^2 200 > \alpha", 5, r"write \\cdot"),
     (r"\alpha 8 \frac{1}{2} > 0", 8, r"write \\cdot"), (r"8 \frac{1}{2} > 0", 3, "a mixed number, or")],
)  # fmt: skip
def test_a_turned_sign_and_a_number_in_parts_are_told_what_to_write(latex, place, instead):
    with pytest.raises(ParseError, match=instead) as caught:
        read_latex(latex)
    assert caught.value.position == place


def test_letters_that_are_constants_in_text_are_symbols_in_latex():
    tree = read_statement(r"I^2 + E^2 \geq 2 I E", []).tree
    assert {str(s) for s in tree.free_symbols} == {"I", "E"}


def test_a_statement_and_its_conditions_may_be_latex_or_text():
    found = read_statement(r"\frac{e^{x}-1}{e^{x}+1} \le \frac{x}{2}", "x > 0")
    assert found.tree == read_line("(exp(x) - 1)/(exp(x) + 1) <= x/2")
    assert [str(part) for part in found.given.parts] == ["x > 0"]
    found = read_statement(r"\binom{n}{k} \geq 1", [r"n, k \in \mathbb{Z}", "0 <= k <= n"])
    assert all(symbol.is_integer for symbol in found.tree.free_symbols)
    found = read_statement("δ > 0", [r"\delta > \varepsilon", "epsilon > 0"])
    assert {str(s) for s in found.tree.free_symbols} == {"delta"}
    assert {str(s) for s in found.given.free_symbols} == {"delta", "epsilon"}


@pytest.mark.parametrize("given", ["ab > 0", "e > 0"])
def test_a_condition_that_means_another_thing_in_latex_is_refused(given):
    with pytest.raises(ParseError, match="is this text"):
        read_statement(r"a \cdot b \geq 0", [given])


def test_a_probability_is_one_symbol_from_0_to_1_and_never_refutes():
    once = read_latex(r"\Pr[M(x) \in S] + \mathbb{P}\left[ M(x)\in S \right]")
    assert {str(s) for s in once.free_symbols} == {r"{\Pr[M(x)\in S]}"}
    assert read_latex(r"\Pr_{x \sim D}(x > \varepsilon)") == read_latex(
        r"\Pr_{x\sim D}[x>\epsilon]"
    )
    assert check(r"\Pr[A]^2 \leq \Pr[A]").verdict.value == "proved"
    found = check(r"\Pr[A \cap B] \leq \Pr[A]")
    assert found.verdict.value == "undecided"
    assert "does not follow" in found.reason
    lines = [
        r"\Pr[A] \leq e^\varepsilon (e^\varepsilon \Pr[B] + \delta) + \delta",
        r"\Pr[A] \leq e^{2\varepsilon}\Pr[B] + \delta \cdot (1 + e^\varepsilon)",
    ]
    assert derive(lines).verdict.value == "proved"
    assert derive([lines[0], r"\Pr[A] \leq \Pr[B]"]).verdict.value == "undecided"
    for text, place in ((r"\Pr A", 1), (r"\Pr[A", 4), (r"\Pr[]", 4)):
        with pytest.raises(ParseError) as caught:
            read_latex(text)
        assert caught.value.position == place


def test_an_align_has_lines():
    lines = lines_of(r"\begin{align} a &= b \\ &= c \end{align}")
    assert [line.strip(" $") for line in lines] == ["a &= b", "&= c"]
    assert lines_of(r"\begin{cases} a = b \\ b = c \end{cases}") == [
        r"\begin{cases} a = b \\ b = c \end{cases}"
    ]
    whole = derive(r"\begin{align} (x+1)^2 &= x^2 + 2x + 1 \\ &= x(x+2) + 1 \end{align}")
    assert whole.verdict.value == "proved"
    assert [one.written for one in whole.steps][:2] == ["(x + 1)**2", "x**2 + 2*x + 1"]


def test_depth_and_length_are_limited():
    for text in (
        "(" * 70 + "x" + ")" * 70,
        r"\frac{1}{" * 100 + "x" + "}" * 100,
        r"\sqrt{" * 300 + "x" + "}" * 300,
        "x^{" * 300 + "2" + "}" * 300,
    ):
        with pytest.raises(ParseError, match="nested deeper"):
            read_latex(text)
    with pytest.raises(ParseError, match="longer than"):
        read_latex("x+" * 20_000 + "x")


def test_conditions():
    assert str(both(read_given(r"x > 0, y \geq 1"))) == "x > 0 and y >= 1"
    assert str(both(read_given(r"a, b \neq 0"))) == "a != 0 and b != 0"
    assert read(r"n \in \mathbb{Z}", given=True).integers == ["n"]
