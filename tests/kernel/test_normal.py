"""The normal form decides an identity under the right conditions, and leaves it open without."""

import pickle

import pytest

from dpbook.kernel import Rejected, check
from dpbook.kernel.normal.facts import _factored
from dpbook.kernel.terms import Term, num, parse_term, replaced, var
from tests.kernel.instances import IDENTITY, KNOWN, sequent

# names (reals; integers), identity, conditions that suffice, conditions that do not
IDENTITIES = [
    ("x", "x/x == 1", "x != 0", ""),
    ("x", "x/x == 1", "x > 0", "x >= 0"),
    ("x", "0*x^(-1)*x == 0", "", None),
    ("x y", "(x*y)^(-1) == x^(-1)*y^(-1)", "x != 0|y != 0", "x != 0"),
    ("x", "(x^2 - 1)/(x - 1) == x + 1", "x != 1", "x != -1"),
    ("x", "(x^(1/2))^2 == x", "x >= 0", ""),
    ("x", "(x^2)^(1/2) == abs(x)", "", None),
    ("x", "(x^2)^(1/2) == x", "x >= 0", "x >= -1"),
    ("x", "(x^2)^(1/2) == -x", "x <= 0", "x <= 1"),
    ("x", "(x^3)^(1/3) == x", "x >= 0", ""),
    ("x y", "(x*y)^(1/2) == x^(1/2)*y^(1/2)", "x >= 0|y >= 0", "x*y >= 0"),
    ("x y", "(x*y)^(1/2) == x^(1/2)*y^(1/2)", "x > 0|y > 0", "x*y > 0"),
    ("x y", "log(x*y) == log(x) + log(y)", "x > 0|y > 0", "x*y > 0"),
    ("x", "log(x^2) == 2*log(x)", "x > 0", "x != 0"),
    ("x y", "log(x^y) == y*log(x)", "x > 0", "x >= 0"),
    ("x", "exp(log(x)) == x", "x > 0", "x >= 0"),
    ("x", "log(exp(x)) == x", "", None),
    ("x y", "exp(x + y) == exp(x)*exp(y)", "", None),
    ("x y", "x^y == exp(y*log(x))", "x > 0", "x >= 0"),
    ("x;n", "x^(n + 1) == x*x^n", "n >= 0", "n >= -1"),
    ("x;n", "x^(n + 1) == x*x^n", "x != 0", ""),
    ("x n", "x^(n + 1) == x*x^n", "x > 0", "x != 0"),
    ("x;n", "(-x)^(2*n) == x^(2*n)", "n >= 0", ""),
    ("x n", "(-x)^(2*n) == x^(2*n)", None, "x != 0"),
    (";n", "(-1)^(2*n) == 1", "", None),
    ("n", "(-1)^(2*n) == 1", None, ""),
    (";n", "(-1)^(2*n + 1) == -1", "", None),
    ("x", "x^0 == 1", "", None),
    ("x", "0^x == 0", None, ""),
    ("x", "0^x == 0", None, "x >= 0"),
    (";n", "0^n == 0", None, "n >= 0"),
    (";n", "0^n == 1", None, "n >= 0"),
    ("", "0^(-1) == 0", None, ""),
    ("", "8^(1/3) == 2", "", None),
    ("", "(-8)^(1/3) == -2", None, ""),
    ("", "((1 - 2^(1/2))^2)^(1/2) == 2^(1/2) - 1", "", None),
    ("", "((1 - 2^(1/2))^2)^(1/2) == 1 - 2^(1/2)", None, ""),
    ("x", "gamma(x + 1) == x*gamma(x)", "x > 0", "x > -1"),
    ("x", "gamma(x) == (x - 1)*gamma(x - 1)", "x > 1", "x > 0"),
    ("", "gamma(1/2)^2 == pi", "", None),
    ("", "4*atan(1) == pi", "", None),
    ("", "4*atan(-1) == -pi", "", None),
    ("", "3*atan(1) == pi", None, ""),
    ("x", "4*atan(x/x) == pi", "x != 0", ""),
    (";n", "factorial(n + 1) == (n + 1)*factorial(n)", "n >= 0", "n >= -1"),
    ("n", "factorial(n + 1) == gamma(n + 2)", "integer(n)|n >= 0", "n >= 0"),
    ("x", "digamma(x + 1) == digamma(x) + 1/x", "x > 0", "x != 0"),
    ("x", "polygamma(1, x + 1) == polygamma(1, x) - 1/x^2", "x > 0", "x != 0"),
    ("x", "loggamma(x + 1) == loggamma(x) + log(x)", "x > 0", ""),
    ("x y", "beta(x, y) == gamma(x)*gamma(y)/gamma(x + y)", "x > 0|y > 0", "x > 0"),
    ("x", "lowergamma(x, 0) == 0", "x > 0", "x >= 0"),
    ("x y", "betainc(x, y, 1/2, 1/2) == 0", "x > 0|y > 0", "x > 0|y >= 0"),
    ("x", "betainc(x, x, 2, 2) == 0", None, "x > 0"),
    ("x y", "betainc(x, x, y, y) == 0", None, "x > 0"),
    ("x", "betainc(x, x, 0, 1/2) == 0", None, "x > 0"),
    ("x y", "betainc(x, y, 0, 1) == beta(x, y)", "x > 0|y > 0", "x > 0"),
    ("x y", "betainc(x, y, 1, 0) == beta(x, y)", None, "x > 0|y > 0"),
    ("x y", "betainc(x, y, 0, 1) == beta(x, x)", None, "x > 0|y > 0"),
    ("x", "uppergamma(1, x) == exp(-x)", "x >= 0", "x >= -1"),
    ("x", "uppergamma(2, x) == exp(-x)", None, "x >= 0"),
    (";n", "sum(1, k, 1, n) == n", "n >= 0", "n >= -1"),
    ("n", "sum(1, k, 1, n) == n", None, "n >= 1"),
    (";n", "sum(k/k, k, 1, n) == sum(1, k, 1, n)", "", None),
    (";n", "sum(k/k, k, 0, n) == sum(1, k, 0, n)", None, ""),
    ("x;n", "sum(x*k, k, 1, n) == x*sum(k, k, 1, n)", "", None),
    ("x", "2*x == sum(x, x, 1, 2)", None, ""),
    ("x", "x*integral(1, t, 0, 1) == integral(x, x, 0, 1)", None, ""),
    ("x", "log(gamma(x)) == loggamma(x)", "x > 0", "gamma(x) > 0"),
    ("x k;n", "sum(k*k, k, 1, n) == k*sum(k, k, 1, n)", None, ""),
    (";n", "product(2, k, 1, n) == 2*n", None, "n >= 0"),
    ("", "integral(x/x, x, 0, 1) == integral(1, x, 0, 1)", "", None),
    ("", "integral(x/x, x, -1, 1) == integral(1, x, -1, 1)", None, ""),
    ("", "integral(x/x, x, 1, -1) == integral(1, x, 1, -1)", None, ""),
    ("a", "integral(abs(x), x, 0, a) == integral(x, x, 0, a)", "a >= 0", ""),
    ("a", "integral(x, x, 0, a) == integral(x, x, a, 0)", None, ""),
    ("x;n", "floor(x + n) == floor(x) + n", "", None),
    ("x n", "floor(x + n) == floor(x) + n", "integer(n)", ""),
    (";n", "floor(n) == n", "", None),
    ("x", "floor(-x) == -floor(x)", None, ""),
    ("x", "floor(floor(x) + 1/2) == floor(x)", "", None),
    ("x", "floor(2*x) == 2*floor(x)", None, ""),
    (";n", "ceiling(n + 1/3) == n + 1", "", None),
    ("x", "abs(x)^2 == x^2", "", None),
    ("x", "abs(x)^3 == x^3", "x >= 0", ""),
    ("x y", "abs(x - y) == abs(y - x)", "", None),
    ("x y", "abs(x*y) == x*abs(y)", "x >= 0", ""),
    ("x y", "max(x, y) == x", "x >= y", "x >= y - 1"),
    ("x y", "max(x, y) == max(y, x)", "", None),
    ("x y", "min(x, y) == x", "x <= y", "x != y"),
    ("x y", "ifgt(x, 0, y, 1) == y", "x > 0", "x >= 0"),
    ("x y", "ifge(x, 0, y, 1) == y", "x >= 0", "x != 0"),
    ("x", "sign(x) == 1", "x > 0", "x >= 0"),
    ("x", "sin(-x) == -sin(x)", "", None),
    ("x", "sin(x) == sin(x + 2*pi)", None, "x == 1/3"),
    ("", "sin(3*pi/2) == -1", "", None),
    ("x", "cosh(x)^2 - sinh(x)^2 == 1", "", None),
    ("x", "tan(x)*cos(x) == sin(x)", None, ""),
    ("x", "erf(x) + erfc(x) == 1", "", None),
    ("x", "asin(sin(x)) == x", None, ""),
]  # fmt: skip
DECIDED = [(n, g, c) for n, g, c, _ in IDENTITIES if c is not None]
OPEN = [(n, g, c) for n, g, _, c in IDENTITIES if c is not None]


@pytest.mark.parametrize(("names", "goal", "given"), DECIDED)
def test_identity_is_decided_under_its_conditions(names, goal, given):
    check(sequent(names, given, goal), IDENTITY)


@pytest.mark.parametrize(("names", "goal", "given"), OPEN)
def test_identity_stays_open_without_its_conditions(names, goal, given):
    with pytest.raises(Rejected, match="normal forms differ"):
        check(sequent(names, given, goal), IDENTITY)


SIGNS = [
    ("x", "x^2 >= 0", "", None),
    ("x", "x^2 > 0", "x != 0", ""),
    ("x", "x^(1/2) >= 0", "x >= 0", ""),
    ("x;n", "x^n > 0", "x > 0", "x >= 0"),
    ("x", "abs(x) > 0", "x != 0", ""),
    ("x", "exp(x) > 0", "", None),
    ("x", "log(x) > 0", "x > 1", "x > 0"),
    ("x", "1/x > 0", "x > 0", "x != 0"),
    ("x", "1/x >= 0", "x > 0", "x >= 0"),
    ("x", "gamma(x) > 0", "x > 0", "x != 0"),
    ("x", "1 - x^2 > 0", "x > -1|x < 1", "x < 1"),
    (";n", "sum(1/k, k, 1, n) >= 0", "", None),
    (";n", "sum(1/k, k, 1, n) > 0", None, "n >= 0"),
    (";n", "sum(1/k, k, 0, n) >= 0", None, ""),
    ("a", "integral(1/x, x, 1, a) >= 0", None, ""),
    (";n", "integer(n*(n + 1))", "", None),
    (";n", "integer(n/2)", None, ""),
    ("n", "integer(2^n)", None, "n >= 0"),
    (";n", "integer(2^n)", None, ""),
]


@pytest.mark.parametrize(
    ("names", "goal", "given"), [(n, g, c) for n, g, c, _ in SIGNS if c is not None]
)
def test_sign_is_known_under_its_conditions(names, goal, given):
    check(sequent(names, given, goal), KNOWN)


@pytest.mark.parametrize(
    ("names", "goal", "given"), [(n, g, c) for n, g, _, c in SIGNS if c is not None]
)
def test_sign_stays_open_without_its_conditions(names, goal, given):
    with pytest.raises(Rejected, match="not settled"):
        check(sequent(names, given, goal), KNOWN)


def test_term_that_was_pickled_is_the_same_in_another_process():
    term, other = (Term("mul", (var("x"), var("k"))) for _ in range(2))
    other._hash += 1  # as in a process that hashes text in another way
    assert other != term
    assert pickle.loads(pickle.dumps(other)) == term


def test_an_infinite_end_holds_no_number_that_is_replaced():
    half_line = parse_term("integral(exp(x), x, -oo, 0)")
    kept = replaced(half_line, lambda t: var("y") if t == num(-1) else None, frozenset())
    assert kept == half_line


def test_a_prime_stands_once_among_the_factors_of_a_number():
    for n, factors in (
        (1, {}),
        (4, {2: 2}),
        (27, {3: 3}),
        (72, {2: 3, 3: 2}),
        (40_009**2, {40_009: 2}),
    ):
        assert list(_factored(n)) == list(factors.items())
