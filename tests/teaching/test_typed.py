"""Answers as students type them are read; what could mean two things is refused."""

import pytest

from dpbook.engine.language.domain import symbol
from dpbook.teaching.answers import Unreadable, as_condition, as_expression, as_number
from dpbook.teaching.typed import rewritten

NAMES = ("delta", "epsilon", "rho", "nu", "d", "sigma", "x", "a_0")
SYMBOLS = {name: symbol(name, above=0) for name in NAMES}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("e^epsilon", "exp(epsilon)"),
        ("e^(2ε)", "exp(2*epsilon)"),
        ("e^-x^2", "exp(-x^2)"),
        ("e^x^2 x", "exp(x^2)*x"),
        ("e^-(x + 1) d", "exp(-(x + 1))*d"),
        ("2 e", "2*exp(1)"),
        ("e^sqrt(x)", "exp(sqrt(x))"),
        ("nu d^2/(2 sigma^2)", "nu*d^2/(2*sigma^2)"),
        ("nu d²/(2 σ²)", "nu*d^2/(2*sigma^2)"),
        ("δ(1 + e^ε + e^(2ε))", "delta*(1 + exp(epsilon) + exp(2*epsilon))"),
        ("ρ + 2√(ρ ln(1/δ))", "rho + 2*sqrt(rho*log(1/delta))"),
        ("½ε", "(1/2)*epsilon"),
        ("a₀ x", "a_0*x"),
        ("x(1 + x)(1 - x)", "x*(1 + x)*(1 - x)"),
        ("exp(x) exp(d)", "exp(x)*exp(d)"),
    ],
)
def test_a_formula_is_read_as_it_is_meant(typed, meant):
    assert as_expression(typed, SYMBOLS) == as_expression(meant, SYMBOLS)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("50%", "50/100"),
        ("1 %", "1/100"),
        ("1e-3 %", "1/10^5"),
        ("5 - 3 %", "497/100"),
        ("5_000", "5000"),
        ("1_000_000", "10^6"),
        ("3.2e−4", "3.2e-4"),
        ("1½", "3/2"),
        ("-2¾", "-11/4"),
        ("4^1½", "8"),
    ],
)
def test_a_number_is_read_as_it_is_meant(typed, meant):
    assert as_number(typed).equals(as_number(meant))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("x > 0 and x < oo", "x > 0"),
        ("0 < x < ∞", "0 < x"),
        ("-oo < x < 3", "x < 3"),
        ("x => 2", "x >= 2"),
        ("x => 2 and d =< 3", "x >= 2 and d <= 3"),
        ("epsilon >= log2", "epsilon >= log(2)"),
        ("ε ≥ ln2", "epsilon >= log(2)"),
        ("nu d > 3", "nu*d > 3"),
    ],
)
def test_a_condition_is_read_as_it_is_meant(typed, meant):
    assert str(as_condition(typed, SYMBOLS)) == str(as_condition(meant, SYMBOLS))


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "1/2 x",
            "d/2σ",
            "x^2d",
            "x e^2d",
            "x < oo",
            "foo(x)",
            "x and d",
            "2 sqrt",
            "1/3 %",
            "2^3%",
        ),
        "x < 2 => d < 3",
        "+-x",
        "x < +- 3",
    ],
)
def test_what_could_mean_two_things_is_refused(typed):
    with pytest.raises(Unreadable):
        as_condition(typed, SYMBOLS) if "<" in typed else as_expression(typed, SYMBOLS)


@pytest.mark.parametrize("typed", ["33 1/3", "2 1/2", "33 1/3 %", "10 000", "1 ½", "1.5½", "0.(3)"])
def test_a_mixed_number_is_no_product(typed):
    with pytest.raises(Unreadable):
        as_number(typed)


def test_e_is_a_symbol_where_an_exercise_has_one():
    e = symbol("e", above=0)
    assert rewritten("e x", ["e", "x"]) == "e*x"
    assert as_expression("e x", {"e": e, "x": SYMBOLS["x"]}).free_symbols == {e, SYMBOLS["x"]}


def test_a_word_in_a_number_is_named():
    with pytest.raises(Unreadable, match="a number is asked for, and times is none: leave it out"):
        as_number("10 times")
