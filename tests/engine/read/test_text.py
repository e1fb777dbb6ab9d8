"""What the text of `dpbook check` means, and what it must refuse."""

import pickle

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Integer, Rational, Symbol

from dpbook.engine.language.statement import Both, Either, Relation
from dpbook.engine.read.readings import read, read_printed, read_statement
from dpbook.engine.read.refusals import ParseError
from tests.reading import read_condition, read_given, read_line

x, y = Symbol("x", real=True), Symbol("y", real=True)


def relations(text, symbols=None):
    tree = read_condition(text, symbols, latex=False)
    return [(relation.lhs, relation.op, relation.rhs) for relation in tree.relations()]


def sides(text):
    (relation,) = relations(text)
    return relation


def left(text):
    return sides(f"{text} > 0")[0]


def test_a_chain_is_several_relations():
    assert relations("0 < x <= 1") == [(Integer(0), "<", x), (x, "<=", Integer(1))]


def test_the_example_of_a_wrong_input_reads_as_promised():
    with pytest.raises(ParseError) as error:
        relations("x > 0; import os")
    assert str(error.value) == (
        'cannot read "x > 0; import os" at character 6: '
        "only names, numbers, operators and functions are understood"
    )
    assert error.value.position == 6


@pytest.mark.parametrize(
    ("text", "position", "called"),
    [("\u0445^2 >= 0", 1, "CYRILLIC SMALL LETTER HA"), ("\uff11 == 1", 1, "FULLWIDTH DIGIT ONE"),
     ("x\u200d <= x", 2, "ZERO WIDTH JOINER"), ("x\ue000 <= x", 2, "a character without a name")],
)  # fmt: skip
def test_a_character_that_looks_like_another_is_named(text, position, called):
    with pytest.raises(ParseError, match=f"at character {position}: it is {called}; names have"):
        relations(text)


@pytest.mark.parametrize(
    ("text", "op"),
    [("x = 1", "=="), ("x == 1", "=="), ("x != 1", "!="), ("x ≠ 1", "!="), ("x ≤ 1", "<="),
     ("x >= 1", ">="), ("x ≥ 1", ">="), ("x < 1", "<"), ("x > 1", ">")],
)  # fmt: skip
def test_signs_of_relations(text, op):
    assert sides(text) == (x, op, Integer(1))


def test_nothing_is_cancelled_or_computed():
    assert left("x/x") != 1
    assert left("x/x").count_ops() > 0
    assert left("x - x") != 0
    assert str(left("(x^2 - 1)/(x - 1)")) == "(x**2 - 1)/(x - 1)"
    assert sides("0*(1/x) = 0")[0] != 0


@pytest.mark.parametrize(
    ("text", "value"),
    [("10e-5", Rational(1, 10000)), ("0.1", Rational(1, 10)), (".5", Rational(1, 2)),
     ("2.50", Rational(5, 2)), ("1e3", Integer(1000)), ("3/4", Rational(3, 4)),
     ("1E-400", Rational(1, 10**400))],
)  # fmt: skip
def test_decimals_are_exact(text, value):
    assert left(text) == value


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("-x^2", "-(x^2)"), ("2^3^2", "2^(3^2)"), ("x^-1", "1/x"), ("x**2", "x^2"),
     ("-x*y", "-(x*y)"), ("x − y", "x - y"), ("x·y", "x*y"), ("n!^2", "(n!)^2"),
     ("x/y/2", "(x/y)/2"), ("|x - |y||", "abs(x - abs(y))"),
     ("||x| - |y||", "abs(abs(x) - abs(y))"),
     ("|x|*|y|", "abs(x)*abs(y)"), ("ln(x)", "log(x)"), ("log(x, 2)", "log(x)/log(2)"),
     ("34x + 45y", "34*x + 45*y"), ("2n!", "2*(n!)"), ("2x^2", "2*(x^2)"), ("-2x", "-(2*x)"),
     ("(x + 5)(y + 2)", "(x + 5)*(y + 2)"), ("2sin(x)cos(x)", "2*sin(x)*cos(x)"),
     ("(1/2)x", "x/2"), ("2 (x + 1) y", "2*(x + 1)*y"),
     ("2x/3", "(2*x)/3"), ("ε + ϵ + varepsilon + eps", "4*epsilon"), ("σ_ε", "sigma_epsilon"),
     ("x^2_1 - σ^2_x*y", "x_1^2 - sigma_x^2*y"), ("2π", "2*pi"), ("Γ(x)", "gamma(x)"),
     ("Sum(k^2, (k, 1, 3))", "sum(k^2, k, 1, 3)")],
)  # fmt: skip
def test_two_ways_to_write_the_same(text, meaning):
    assert sympy.simplify(left(text) - left(meaning)) == 0


def test_a_name_before_a_parenthesis_is_a_function_else_a_symbol():
    expression = left("lambda*beta + gamma(epsilon)")
    assert {str(symbol) for symbol in expression.free_symbols} == {"lambda", "beta", "epsilon"}


def test_e_is_a_symbol_where_a_condition_or_the_caller_says_so():
    tree = read_statement("e^2 > 0", ["e > 0"]).tree
    assert {str(s) for s in tree.free_symbols} == {"e"}
    e = Symbol("e", real=True)
    assert relations("e^2 > 0", {"e": e})[0][0] == e**2


def test_a_symbol_of_the_callers_own_may_be_spelled_otherwise():
    own = Symbol("ε", positive=True)
    assert sides_of("varepsilon > 0", {"ε": own}) == own


def test_eps_is_epsilon_and_both_in_one_text_are_asked_about():
    found = read_statement("eps_1 + eps > 0", ["epsilon > 0", "ε_1 > 0"])
    assert found.tree.free_symbols == found.given.free_symbols
    for text in ("eps <= epsilon", "epsilon_1 < eps_1"):
        with pytest.raises(ParseError, match="is read as epsilon"):
            relations(text)


def sides_of(text, variables):
    return relations(text, variables)[0][0]


@pytest.mark.parametrize(
    "given", ["e > 0", "0 < E <= 1", "x, e > 0", "E in reals", "e in [0, 1]", "e in integers"]
)
def test_a_condition_on_e_alone_declares_it(given):
    name = "e" if "e" in given.split(" in ")[0] else "E"
    tree = read_statement(f"{name}^2 >= {name}", [given]).tree
    assert {str(s) for s in tree.free_symbols} == {name}


@pytest.mark.parametrize("given", ["x < e", "E*x > 1", "x > 0"])
def test_a_condition_that_only_uses_e_declares_nothing(given):
    with pytest.raises(ParseError, match="Euler"):
        read_statement("x < e" if "e" in given else "x < E", [given])


@pytest.mark.parametrize("text", ["e < 2.72", "E < 2.72", "log(e) = 1", "2*E > 5"])
def test_e_alone_is_asked_about(text):
    with pytest.raises(ParseError, match=r"write exp\(1\)"):
        read_condition(text)


@pytest.mark.parametrize("name", ["EulerGamma", "GoldenRatio", "Catalan", "I"])
def test_names_of_other_constants_are_asked_about_unless_they_are_declared(name):
    with pytest.raises(ParseError, match=f'add the condition "{name} in reals"'):
        read_condition(f"{name} > 0")
    assert read_statement(f"{name}^2 >= 0", [f"{name} in reals"])


def test_an_expression_that_sympy_printed_has_its_e():
    assert read_printed(str(2 * sympy.E - 1)) == read_line("2*exp(1) - 1").xreplace(
        {sympy.exp(1, evaluate=False): sympy.E}
    )
    assert read_printed(str(sympy.EulerGamma)) == sympy.EulerGamma
    with pytest.raises(ParseError):
        read_printed("x > E")


@pytest.mark.parametrize("name", ["Sum", "Product", "Integral"])
@pytest.mark.parametrize(
    "body", ["x_i", "i*a_i_j", "x_ij^2", "1 + sigma_i2", "Sum(x_j_i, j, 1, 3)"]
)
def test_numbers_of_a_sequence_are_refused(name, body):
    with pytest.raises(ParseError, match="change with i"):
        read_line(f"{name}({body}, i, 1, n)")


@pytest.mark.parametrize(
    "text", ["Sum(x_1*i, i, 1, n)", "Sum(x_min, i, 1, n)", "Sum(xi*i, i, 1, n_i)"]
)
def test_constants_in_a_sum_are_read(text):
    assert isinstance(read_line(text), sympy.Sum)


def test_constants():
    assert left("pi") == sympy.pi
    with pytest.raises(ParseError, match="only at an end of a range"):
        relations("oo > 1")


@pytest.mark.parametrize(
    ("text", "position", "advice"),
    [("x y > 0", 3, r"write x\*y"), ("x^2_000 > 0", 4, "one number"), ("x > 5_000", 6, "write 5000"), ("x > 50%", 7, "50/100"),
     ("x_1^2_3 > 0", 6, "only names"),
     ("2^2_1 > 0", 4, "only names"), ("x^2 _1 > 0", 5, "only names"), ("(x)2 > 0", 4, r"write \*"), ("1/2x > 0", 4, "divided too"),
     ("x^2y > 0", 4, "belong to the exponent"), ("x^-2(y) > 0", 5, "belong to the exponent"),
     ("x/(y)(z) > 0", 7, "divided too"), ("e^x > 0", 1, r"write exp\(x\)"),
     ("2e > 0", 2, "power of ten"), ("x + e < 2.72", 5, r"write exp\(1\)"), ("x + E < 2.72", 5, r"write exp\(1\)"),
     ("2E^x > 0", 2, r"write exp\(x\)|power of ten"), ("x^1/2 > 0", 5, r"write brackets: \^\(1/2\)"),
     ("2*x^-1/3 > 0", 8, "exponent"), ("cbrt(x) > 0", 1, r"write|written x\^\(1/3\)"),
     ("Phi(x) > 0", 1, "erfc"), ("n!! > 0", 3, "double factorial"), ("x ∈ y", 3, "write in"), ("x₁ > 0", 2, "x_1"),
     ("½ > 0", 1, "1/2"), ("x ÷ 2 > 0", 3, "write /"), ("∑ > 0", 1, "Sum"), ("x ≈ 2", 3, "no relation"), ("0x10 > 0", 2, "write 0"), ("0.(3) > 0", 3, "a product needs its sign"), ("x > 0 if y", 7, "cannot stand"),
     ("sin x > 0", 5, r"write sin\(x\)"), ("εδ > 0", 2, r"write ε\*δ"),
     ("γ(x) > 0", 1, "product or the function gamma"), ("beta(x) > 0", 1, r"write beta\*"),
     ("sigma(x) > 0", 1, r"write sigma\*"), ("x + (y > 0", 5, "never closed"),
     ("2 + |x > 0", 5, "never closed"), ("2 3 > 0", 3, r"write 2\*3"),
     ("x(y + 1) > 0", 1, r"write x\*"), ("sinn(x) > 0", 1, "nearest: sin"),
     ("exp(x, y) > 0", 1, "takes 1 argument, got 2"), ("x +", 4, "ends too early"),
     ("x + 1", 1, "a relation such as <= is missing"), ("(x > 0) + 1 > 0", 2, "not a condition"),
     ("x > 0)", 6, "no partner"), ("", 1, "empty"), ("not x > 0", 1, "not read"),
     ("x in Q", 6, "integers, reals"), ("Sum(k, 1, n) > 0", 1, r"write Sum\(expression"),
     ("x =< 2", 3, "write <="), ("x => 2", 3, "write >="), ("x <> 2", 3, "write !="),
     ("0,5 < x", 2, r"write 0\.5; after the comma of a list leave a blank"),
     ("x = 0,5, y = 0,1", 6, r"write 0\.5"), ("x > 1,2 < y", 6, r"write 1\.2"), ("x < 1.000,5", 10, r"write 1000\.5"),
     ("exp(0,5) > x", 6, r"is 0,5 a decimal\? write 0\.5"),
     ("x^(0,5) > 1", 5, r"is 0,5 a decimal\? write 0\.5"),
     ("log(1,5) > x", 6, r"write 1\.5, or 1, 5 with a blank"), ("max(x, 0,5) > x", 9, r"write 0\.5, or 0, 5 with"),
     ("x < max(0,5)", 10, r"write 0\.5"), ("1,000 <= x", 2, r"write 1\.000, or 1000 for thousands"),
     ("x < 1,000,000", 6, "write 1000000"), ("1 000 < x", 3, "write 1000$"), ("1 000 000 < x", 3, "write 1000000"),
     ("1.000.000 < x", 6, "write 1000000"), ("3 1/2 < x", 3, r"write 3 \+ 1/2"),
     ("5 km > x", 3, r"is km a unit\?.* write 5\*km")],
)  # fmt: skip
def test_errors_say_where_and_what_to_write(text, position, advice):
    with pytest.raises(ParseError, match=advice) as error:
        read_given(text)
    assert error.value.position == position
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("x in [0,5]", "x in [0, 5]"), ("x > 1, 2 < y", "x > 1 and 2 < y"), ("x < max(0, 5)", "x < Max(0, 5)".lower()),
     ("x < x^2/2", "x < (x^2)/2"), ("x < x^(1)/2", "x < (x^1)/2"), ("x > (n!)!", "x > factorial(n!)"),
     ("2 sigma > x", "2*sigma > x"), ("2eps > x", "2*epsilon > x")],
)  # fmt: skip
def test_what_looks_like_a_decimal_comma_or_a_unit_and_is_none_is_read(text, meaning):
    assert str(read_given(text)) == str(read_given(meaning))


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('true') > 0", "x.__class__ > 0", "eval(x) > 0", "lambda: x > 0",
     "x > 0 if y else 1", "[x for x in y] > 0", "x\x00 > 0", "\u202ex > 0", "ｘ > 0", "x := 1",
     "f'{x}' > 0", "x > 0 # y", "x > 0 \\", "open('f') > 0", "\ud800 > 0"],
)  # fmt: skip
def test_what_is_no_mathematics_is_refused(text):
    with pytest.raises(ParseError) as error:
        relations(text)
    str(error.value).encode("utf-8")


@pytest.mark.parametrize(
    "text",
    ["10^10^10", "2^100000", "2^2^2^2^2^2", "9^9^9^9", "(1/2)^40000", "100000!", "(120!)!",
     "gamma(10^6)", "binomial(10^6, 5*10^5)", "1e10000", "1e-99999999999999999999",
     "9" * 10_001, "10^9999*10^9999", "abs(2^30000)^2", "max(10^9000, 2)^2", "x^(10^10^10)",
     "gamma(100.5)^1000", "gamma(1/3)^(10^9)", "exp(10^5)^2", "(2*exp(1000))^100",
     "sqrt(2)^100000", "(1 + 1)^(10^9)", "2^exp(1000)", "0.1^(10^6)"],
)  # fmt: skip
def test_numbers_of_over_ten_thousand_digits_are_refused_before_they_are_made(text):
    with pytest.raises(ParseError, match="over 10000 digits"):
        relations(f"{text} > 0")  # made, they would never end


@pytest.mark.parametrize(
    "text", ["(1 + x)^100000", "10^9999", "3248!", "0^(10^9)", "(-1)^(10^9)", "x^n", "exp(10^9)",
     "1/gamma(1/3)", "gamma(100.5)^2", "1/gamma(200.5)", "exp(1000)^2", "1/exp(1000)", "(-exp(1000))^2",
     "(1 + exp(1000))^2", "sqrt(10^400)^2", "factorial(1/2)^2"],
)  # fmt: skip
def test_what_stays_short_as_written_is_read(text):
    assert relations(f"{text} > 0")


@pytest.mark.parametrize(
    "text",
    ["(" * 201 + "x" + ")" * 201, "(" * 9000, "-" * 300 + "x", "x^" * 300 + "x",
     "abs(" * 250 + "x" + ")" * 250, "|" * 5000],
)  # fmt: skip
def test_deep_nesting_is_refused_without_recursion(text):
    with pytest.raises(ParseError):
        relations(f"{text} > 0")


def test_nesting_up_to_the_limit_and_long_sums_are_read():
    assert relations("(" * 199 + "x" + ")" * 199 + " > 0")
    assert relations("+".join(["x"] * 3000) + " > 0")
    with pytest.raises(ParseError, match="longer than 20000"):
        relations("+".join(["x"] * 20_000) + " > 0")


def test_names_may_have_digits_and_underscores_up_to_a_hundred_letters():
    assert left("mu_hat + x_1").free_symbols == {
        Symbol("mu_hat", real=True),
        Symbol("x_1", real=True),
    }
    assert relations(f"{'a' * 100} > 0")
    with pytest.raises(ParseError, match="at most 100"):
        relations(f"{'a' * 101} > 0")


def test_and_or_and_parentheses_make_trees():
    tree = read_condition("(x > 0 or y > 0) and x < 1")
    assert tree == Both(
        (
            Either((Relation(x, ">", Integer(0)), Relation(y, ">", Integer(0)))),
            Relation(x, "<", Integer(1)),
        )
    )
    assert read_condition("x > 0 | y > 0") == Either(tree.parts[0].parts)
    assert read_condition("x > 0 & y > 0") == read_condition("x, y > 0")


def test_conditions_may_declare_integers_and_ranges():
    assert read("n, k in integers").integers == ["k", "n"]
    assert read_given("n, k in integers") == read_given("x in reals") == []
    assert read_given("x in (0, oo)") == [Relation(x, ">", Integer(0))]
    half_open = [Relation(x, ">=", Integer(0)), Relation(x, "<", Integer(1))]
    assert read_given("x in [0, 1)") == half_open
    assert read_given("x > 0") == [Relation(x, ">", Integer(0))]
    assert read_given("x, y in [0, oo), x < 1") == [
        Relation(x, ">=", Integer(0)), Relation(y, ">=", Integer(0)), Relation(x, "<", Integer(1)),
    ]  # fmt: skip


def test_a_statement_and_its_givens_share_their_symbols():
    found = read_statement("x^n > y", ["n in integers", "n >= 1", "x, y in [0, 1]"])
    n = Symbol("n", integer=True)
    assert found.integers == ("n",)
    assert found.tree.free_symbols == {x, y, n}
    assert Relation(n, ">=", Integer(1)) in found.given.parts
    assert [part.op for part in found.given.parts] == [">=", ">=", "<=", ">=", "<="]


def test_a_statement_knows_its_decimals_and_the_names_that_only_conditions_have():
    found = read_statement("0.5*x + .25 <= 1e3", ["z > 1.5e-3", "k in integers", "xx > 2"])
    assert found.decimals == ("0.5", ".25", "1.5e-3")
    assert found.strangers() == [("k", ""), ("xx", "x"), ("z", "")]


def test_indices_of_sums_are_integers_and_bound():
    total = left("Sum(k*x, k, 1, n)")
    assert total.free_symbols == {x, Symbol("n", real=True)}
    assert total.limits[0][0].is_integer
    area = left("integral(exp(-x^2), x, -oo, oo)")
    assert not area.free_symbols
    assert area.limits[0][1] == -sympy.oo


def test_piecewise_keeps_its_pieces():
    pieces = left("Piecewise((1/x, x > 0 and x < 2), (0, otherwise))")
    assert isinstance(pieces, sympy.Piecewise)
    assert len(pieces.args) == 2


def test_known_symbols_are_used():
    n = Symbol("n", integer=True)
    assert relations("n > 0", {"n": n})[0][0] is n


def test_errors_travel_between_processes():
    with pytest.raises(ParseError) as error:
        relations("x >")
    copy = pickle.loads(pickle.dumps(error.value))
    assert (str(copy), copy.position) == (str(error.value), error.value.position)


words = st.sampled_from([
    "x", "y", "n_1", "pi", "E", "oo", "e", "0", "1", "2", "10", "0.5", "1e9", "99999", "+", "-",
    "*", "/", "^", "**", "!", "(", ")", "[", "]", "|", "||", ",", "<", "<=", "=", "!=", "and",
    "or", "in", "integers", "reals", "exp(", "log(", "sqrt(", "gamma(", "binomial(", "max(",
    "Sum(", "integral(", "Piecewise(", "k", "True",
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=60), st.lists(words, max_size=25).map(" ".join)))
def test_any_text_is_read_or_refused_with_a_position(text):
    for reader in (read_condition, read_given, lambda t: read_statement(t, [t])):
        position = 1
        try:
            reader(text)
        except ParseError as error:
            position = error.position
        assert 1 <= position <= len(text) + 1


@pytest.mark.parametrize("text", ["a^2 + b^2 >= 2ab", "ab = b*a", "1/ba <= a + b", "aa >= 2*a"])
def test_letters_side_by_side_are_asked_about_where_each_is_a_name(text):
    with pytest.raises(ParseError, match=r"is (ab|ba|aa) the product .\*.\? write that"):
        relations(text)


@pytest.mark.parametrize(
    "text", ["ab >= 2*a", "nu >= n*u", "pi > p + i", "a_b >= a*b", "LHS <= RHS", "cab >= a*b"]
)
def test_a_name_of_several_letters_stays_one(text):
    ((left, _, _),) = relations(text)
    assert len(left.free_symbols) <= 1
    assert not left.is_Mul


def test_letters_side_by_side_are_a_symbol_of_the_callers_own():
    a, b, ab = sympy.symbols("a b ab", real=True)
    ((left, _, right),) = relations("ab <= a + b", {"a": a, "b": b, "ab": ab})
    assert left == ab
    assert right == a + b


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("x²³ >= 0", r"write \^2"),
        ("² >= 0", r"write \^2"),
        ("√x² >= 0", "write sqrt"),
        ("√2x >= 0", "write sqrt"),
        ("ln 2x >= 0", r"write ln\(2\)"),
        ("sum(k, k=1..n) >= 0", "a sum is written Sum"),
        ("√ >= 0", "write sqrt"),
    ],
)
def test_a_sign_that_is_not_read_is_told_what_to_write(text, instead):
    with pytest.raises(ParseError, match=instead):
        relations(text)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("√2", "sqrt(2)"), ("2√x", "2*sqrt(x)"), ("√(2x)", "sqrt(2*x)"), ("x²", "x^2"),
        ("-x² + y³", "-x^2 + y^3"), ("(x + 1)²/2", "(x + 1)^2/2"), ("ln 2", "log(2)"),
        ("2*log x", "2*log(x)"), ("√σ_1*x", "sqrt(sigma_1)*x"), ("2^√2", "2^sqrt(2)"),
    ],
)  # fmt: skip
def test_roots_powers_and_logarithms_as_they_are_written_by_hand(text, plain):
    assert left(text) == left(plain)


@pytest.mark.parametrize("name", ["betainc", "betainc_regularized"])
def test_incomplete_beta_functions_are_read_with_three_and_with_four_arguments(name):
    assert read_line(f"{name}(2, 3, x)") == read_line(f"{name}(2, 3, 0, x)")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n^2 mod 4 <= 1", "mod is not understood here: write n - m"),
        ("7 mod 4 = 3", "mod is not understood here"),
        ("gcd(n, n + 1) = 1", "gcd is not understood here"),
        ("Pr(X > t) <= 1", r"written in LaTeX, as \\Pr"),
        ("x > 2 => x^2 > 4", "its condition stands in given"),
        ("exp(i*pi) = -1", "is i the imaginary unit"),
    ],
)
def test_what_is_not_here_is_told_by_its_name(text, said):
    with pytest.raises(ParseError, match=said):
        read_condition(text)


def test_an_index_or_a_declared_i_is_no_imaginary_unit():
    assert read_condition("Sum(exp(i*pi), i, 0, 3) > 0")
    assert read_statement("exp(i*pi) > 0", ["i in reals"])
