"""Terms as they are read in a proof: the same value, in another spelling."""

import random

import pytest

from dpbook.engine.prove.term_text import readable
from dpbook.kernel.terms import parse_term
from dpbook.kernel.text import text
from tests.reading import read_line


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("-a*t^2*(1/2) - b*(c + (-1)*2*t*d)*(1/2)", "-a*t^2/2 - b*(c - 2*t*d)/2"),
        ("(2*pi/a)^(1/2)", "sqrt(2*pi/a)"),
        ("a^(-1/2)*3", "3/sqrt(a)"),
        ("a/b/(c^(1/2))", "a/(b*sqrt(c))"),
        ("1*(a + b)", "a + b"),
        ("2^(1*(a + b))", "2^(a + b)"),
        ("(2/3)*(-a)", "-2*a/3"),
        ("a*(b + c)*(-1)", "-a*(b + c)"),
        ("a - (b - c)", "a - (b - c)"),
        ("(-a)^2 + (1/2)^n + (a*b)^2", "(-a)^2 + (1/2)^n + (a*b)^2"),
        ("0*a + 1/0", "0*a + 1/0"),
        ("sum(k*(1/2), k, 1, n)", "sum(k/2, k, 1, n)"),
        ("f() + g(a*(1/2), -1)", "f() + g(a/2, -1)"),
    ],
)
def test_numbers_stand_in_front_and_quotients_have_one_bar(written, shown):
    assert readable(parse_term(written)) == shown


@pytest.mark.parametrize("written", ["a/(b/c)", "a/(1*(b/c))", "(a/b)^(-1)"])
def test_a_denominator_within_a_denominator_is_shown(written):
    assert "/c" in readable(parse_term(written)) or readable(parse_term(written)) == "1/(a/b)"


def term(rng, depth):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(["a", "b", "2", "(-1)", "(1/3)", "(-5/2)", "pi"])
    x, y = term(rng, depth - 1), term(rng, depth - 1)
    forms = (
        f"({x} + {y})",
        f"({x} - {y})",
        f"({x})*({y})",
        f"({x})/({y})",
        f"({x})^2",
        f"(-({x}))",
        f"({x})^(-1)",
        f"(({x})^2)^(1/2)",
        f"(({x})^2 + 1)^({y})",
        f"(({x})^2 + 1)^(-3/2)",
        f"exp(({x})/9)",
    )
    return rng.choice(forms)


def test_the_value_stays_the_same():
    rng = random.Random(20261127)
    compared = 0
    for _ in range(400):
        t = parse_term(term(rng, 4))
        before, after = read_line(text(t)), read_line(readable(t))
        values = {s: rng.choice([0.7, 1.9, -1.3]) for s in before.free_symbols}
        one, other = (complex(e.subs(values).evalf(30, maxn=60)) for e in (before, after))
        if abs(one) < 1e30:
            assert other == pytest.approx(one, rel=1e-9, abs=1e-9)
            compared += 1
    assert compared > 200
