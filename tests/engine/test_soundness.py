"""What an adversary once got proved though it is false: each class, with more than one example."""

import random

import pytest
import sympy
from sympy import Eq, Ge, Gt, Integral, Lt, Ne, Rational, S, Sum, Symbol, exp, pi, sqrt

from dpbook import check, derive, symbol
from dpbook.engine.evaluate.exact_points import Undefined, evaluate_at
from dpbook.engine.language.domain import Bounds, Domain
from dpbook.engine.language.statement import (
    Either,
    Eventually,
    Every,
    Exists,
    Order,
    Recurrence,
    Relation,
    as_tree,
)

x, y = symbol("x"), symbol("y")
ALL = Bounds()


def verdict(*arguments, **options):
    return check(*arguments, **{"time_limit": 1, **options}).verdict.value


def domain(*conditions, **bounds):
    """A domain of plain symbols, by name; a pair is a closed range."""
    ranges = {}
    for name, own in bounds.items():
        if isinstance(own, tuple):
            low, high = (None if e is None else S(e) for e in own)
            own = Bounds(low, False, high, False)
        kind = {"integer": True} if own.integer else {"real": True}
        ranges[Symbol(name, **kind)] = own
    return Domain(tuple(ranges), ranges, ()).with_conditions(*conditions)


# --- 1. constants ---------------------------------------------------------------------------------


def test_false_statements_around_constants_are_not_proved():
    assert verdict(1000000 * (x**2 - 2) ** 2 + exp(1) > sympy.Rational("2.7183")) != "proved"
    for number, digits in ((sympy.E, "2.71828182846"), (pi, "3.14159265359")):
        near = 10**9 * (x**2 - 3) ** 2 + number
        assert verdict(Gt(near, Rational(digits) + Rational(1, 10**9))) != "proved"
        assert verdict(Lt(-near, -Rational(digits) - Rational(1, 10**9))) != "proved"


@pytest.mark.parametrize("slack", ["10^-3", "10^-9", "10^-12", "10^-30"])
def test_statements_that_are_false_just_above_an_end_have_no_proof(slack):
    """SymPy takes log(2*exp(-10^-9) - 1) >= 0 for true, so numbers are compared by enclosures."""
    for statement in ("x*(exp(x) - 1) >= x", "k*(exp(x) - 1) >= k", "exp(x) >= 2"):
        found = check(statement, f"x >= log(2) - {slack}, x > 0, k >= 1", time_limit=2)
        assert not found.holds


@pytest.mark.parametrize(
    ("tree", "under"),
    [(Relation(x, ">", S(5)), Relation(x, ">", S(6))), (Relation(1 / x, ">", S.Zero), x > 0)],
)
def test_what_is_asked_of_a_bound_variable_alone_is_not_dropped(tree, under):
    """Such a statement came out refuted at a point that its condition leaves out."""
    with pytest.raises(ValueError, match="leave out 'for all x'"):
        check(Every(x, tree, (under,)))
    assert (
        check(tree, given=[under if isinstance(under, sympy.Basic) else x > 6]).verdict.value
        == "proved"
    )


def test_what_holds_for_all_numbers_is_said_without_a_bound_variable():
    with pytest.raises(ValueError, match="leave out 'for all x'$"):
        check(Every(x, Relation(x**2, ">=", S.Zero)))


# --- 2. a closed end stays closed -------------------------------------------------------------------


def test_high_powers_that_touch_are_not_proved_strict():
    shift = Rational(1234567, 7654321)
    assert verdict((1 + (y - shift) ** 2) ** 61 > 1) != "proved"
    assert verdict((1 + (y - shift) ** 2) ** 61 >= 1) == "proved"
    assert (
        verdict((1 - (y - shift) ** 2) ** 75 < 1, given=[y > shift - 1, y < shift + 1]) != "proved"
    )
    assert verdict(((y - shift) ** 2) ** 33 > 0) != "proved"


# --- 3. one segment ---------------------------------------------------------------------------------


X, A, B = (Symbol(name, real=True) for name in "xab")


# --- 4. what is divided by is not 0 ------------------------------------------------------------------

N, K = Symbol("n", integer=True), Symbol("k", integer=True)


def test_induction_with_a_vanishing_factor_end_to_end():
    n, k = symbol("n", integer=True), symbol("k", integer=True)
    first, second = Sum(1 / k**2, (k, 1, n)), Sum(1 / (k + 1) ** 2, (k, 0, n - 1))
    for base in (1, 1000):
        claim = Eq((n - base) * first, (n - base) * (second + 7), evaluate=False)
        assert verdict(claim, [n >= base]) != "proved"


# --- 5. a multiple of what is known --------------------------------------------------------------------


def test_geometric_sums_are_closed_only_where_their_parts_exist():
    n, k = symbol("n", integer=True, at_least=1), symbol("k", integer=True)
    u = symbol("u", at_least=0, below=1)
    v = symbol("v", at_least=0)
    assert verdict(Gt(Sum(u ** (n - k), (k, 0, n)), 1)) != "proved"  # at u = 0 it is 1
    assert verdict(Ne(Sum(v**k, (k, 1, n)), n)) != "proved"  # at v = 1 it is n
    assert verdict(Gt(Sum(u ** (k - 1), (k, 1, n)), 1)) != "proved"


# --- 6. conditions enter every form --------------------------------------------------------------------


def outcome(statement, given=(), **options):
    """The verdict, or "refused"."""
    try:
        return verdict(statement, given, **options)
    except ValueError:
        return "refused"


def test_a_witness_must_meet_the_conditions():
    assert verdict(Exists(Lt(x, 0), {x: -1}), [x > 0]) == "refuted"
    assert verdict(Exists(Lt(x, 0), {x: -1}), [x < 5]) == "proved"
    assert verdict(Exists(Lt(x, 5), {x: 1}), [x > 2]) != "proved"  # another witness would do
    assert verdict(Exists(Lt(x, 5), {x: 3}), [x > 2]) == "proved"
    assert verdict(Exists(Lt(x, y + 1), {x: y}), [x > y]) != "proved"
    assert verdict(Exists(Lt(x, y + 1), {x: y + Rational(1, 2)}), [x > y]) == "proved"
    below = symbol("w", at_least=0, at_most=x)
    assert verdict(Exists(Ge(below, x), {x: -1})) != "proved"
    with pytest.raises(ValueError, match="must not use a symbol that is bound"):
        check(Exists(Gt(x, 0), {x: x + 1}))


def test_a_recurrence_starts_where_its_range_does():
    k = symbol("k", integer=True, at_least=0)
    late = Recurrence(lambda last: sympy.Max(2 * last, 1 - k), 1, 2**k, k)
    assert outcome(Recurrence(lambda last: last + 1, 0, k, k), [k >= 5]) == "proved"
    assert outcome(Recurrence(lambda last: last + 1, 5, k, k), [k >= 5]) == "refuted"
    assert outcome(Recurrence(lambda last: last + 1, 0, k, k)) == "proved"
    assert outcome(late, [k >= 1]) != "refuted"
    # below the conditions the sequence is not k, and so not from k = 5 on
    odd = Recurrence(lambda last: last + 1 + 100 * (sympy.Abs(k - 4) - (k - 4)), 0, k, k)
    assert outcome(odd, [k >= 5]) == "refuted"
    # an index above the conditions refutes nothing
    ends = Recurrence(lambda last: last + 1 + k * (k - 1) * (k - 2), 0, k, k)
    assert outcome(ends, [k <= 2]) in ("proved", "supported", "undecided")
    for gap in ([Ne(k, 3)], [k * (k - 5) >= 0], [Ge(sympy.Abs(k - 3), 2)]):
        assert outcome(Recurrence(lambda last: last + 1, 0, k, k), gap) != "refuted"
        assert outcome(Recurrence(lambda last: last + 1, 1, k, k), gap) == "refuted"
    half = symbol("h", integer=True, at_least=Rational(1, 2))
    assert outcome(Recurrence(lambda last: last + 1, Rational(1, 2), half, half)) != "proved"
    assert check(Recurrence(lambda last: last + 1, 1, half, half)).holds


# --- 7. no name is captured ----------------------------------------------------------------------------


def test_a_symbol_called_previous_is_no_internal_one():
    k = symbol("k", integer=True, at_least=0)
    for own in (Symbol("previous", real=True), Symbol("previous"), symbol("previous")):
        false = Recurrence(lambda last, own=own: last + own, 1, 2**k, k)
        assert outcome(false) != "proved"
        true = Recurrence(lambda last, own=own: last + own, 1, 1 + k * own, k)
        assert check(true).holds
    own = Symbol("previous", real=True)
    assert check(Recurrence(own + 1, 0, k, k, previous=own)).holds
    with pytest.raises(ValueError, match="previous must stand in step only"):
        Recurrence(own + 1, own, k + own, k, previous=own)
    with pytest.raises(ValueError, match="two symbols"):
        Recurrence(k + 1, 0, k, k, previous=k)
    shown = str(Recurrence(lambda last: last + Symbol("previous_2"), 0, k, k))
    assert shown == "x(k+1) = previous_2 + x(k), x(0) = 0 gives x(k) = k"


@pytest.mark.parametrize("name", ["x__0", "x__1", "t", "t_", "g0", "r", "c0"])
def test_no_internal_name_captures_a_bound_symbol(name):
    a = Symbol("a", real=True)
    bound = Symbol(name, real=True)
    assert verdict(Eq(Integral(a * bound, (bound, 0, 1)), Rational(1, 3))) != "proved"
    false = derive([f"integral(a*{name}, {name}, 0, 1)", "1/3"], time_limit=5)
    assert false.verdict.value != "proved"
    true = derive([f"integral(a*{name}, {name}, 0, 1)", "a/2"], time_limit=5)
    assert true.verdict.value == "proved"


def test_a_bound_symbol_of_the_same_name_is_another_one():
    free, bound = symbol("t"), Symbol("t", real=True)
    assert outcome(Eq(Integral(free * bound, (bound, 0, 1)), Rational(1, 3))) != "proved"
    assert outcome(Eq(Integral(free * bound, (bound, 0, 1)), free / 2)) == "proved"
    loose = Symbol("t")
    assert outcome(Eq(Integral(loose * bound, (bound, 0, 1)), Rational(1, 3))) != "proved"
    k, other = symbol("k", integer=True, at_least=1), Symbol("k", integer=True)
    assert outcome(Eq(Sum(k * other, (other, 1, 2)), 5)) != "proved"
    assert outcome(Eq(Sum(k * other, (other, 1, 2)), 3 * k)) == "proved"
    inner, outer = Symbol("t", real=True), Symbol("t", positive=True)
    twice = Integral(Integral(inner * outer, (inner, 0, 1)), (outer, 0, 1))
    assert outcome(Eq(twice, Rational(1, 3))) != "proved"


def test_products_bind_as_sums_do():
    k, other = symbol("k", integer=True, at_least=2), Symbol("k", integer=True)
    assert outcome((sympy.Product(k * other, (other, 1, 2)), "==", 4)) != "proved"
    assert outcome((sympy.Product(k * other, (other, 1, 2)), "==", 2 * k**2)) != "refuted"
    own = sympy.Product(k, (k, 1, 3))
    assert outcome((own * k, "==", 6 * k)) != "refuted"
    assert outcome((own * k, "==", k**4)) != "proved"
    assert verdict("sum(k, k, 1, k) = 2*k", ["k in integers", "k >= 1"]) != "proved"
    assert verdict("sum(k, k, 1, k) = k*(k + 1)/2", ["k in integers", "k >= 1"]) == "proved"


# --- 14. forms that say nothing ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "given",
    ["n <= 10", "n^2 < 100", "n*m = 5", "1/n > 1/10", "n = 3", "n*m <= 7", "n < m and m < 20"],
)
def test_statements_about_large_values_of_a_bounded_index_are_refused(given):
    n, m = symbol("n", integer=True, at_least=1), symbol("m", integer=True, at_least=1)

    from tests.reading import read_condition

    read = read_condition(given, {"n": n, "m": m})
    for form in (
        Eventually(n, n < 11),
        Order(n**2, n, n),
        Order(n**2, n, n, constant=10),
        Order(n, 1, n, limit=0),
    ):
        with pytest.raises(ValueError, match="must be unbounded above"):
            check(form, [read], time_limit=2)


def test_an_index_below_another_one_may_be_large_but_has_no_limit():
    n, m = symbol("n", integer=True, at_least=1), symbol("m", integer=True, at_least=1)
    assert verdict(Eventually(n, m >= n / 2, threshold=3), [m >= n]) == "proved"
    with pytest.raises(ValueError, match="must be unbounded above"):
        check(Order(n, m, n, limit=0), [m >= n])


def test_indices_without_an_upper_end_are_fine():
    n, m = symbol("n", integer=True, at_least=1), symbol("m", integer=True, at_least=1)
    assert verdict(Eventually(n, n >= m, threshold=m), [n >= m]) == "proved"
    assert verdict(Order(n, n**2, n), [n >= 5, m <= n]) == "proved"
    assert verdict(Order(1 / n, 1, n, limit=0), [Ne(n, 3)]) == "proved"
    above = symbol("b", integer=True, at_least=1, at_most=10)
    with pytest.raises(ValueError, match="must be unbounded above"):
        check(Eventually(above, above < 11))


def test_constants_of_a_growing_statement_do_not_grow():
    n = symbol("n", integer=True, at_least=1)
    for form in (
        Order(n**2, n, n, constant=n),
        Order(n, 1, n, limit=n),
        Eventually(n, n > 5, threshold=n),
        Order(n, n, n, threshold=n + 1),
    ):
        with pytest.raises(ValueError, match="must not use the index"):
            check(form)


# --- 8. nothing is evaluated before it is defined ------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("integral(x/x, x, -1, 1)", "2"),
        ("integral(log(t) - log(t), t, -1, 1)", "0"),
        ("integral(t^2/t, t, -1, 1)", "0"),
        ("integral(0*log(t), t, -1, 1)", "0"),
        ("integral(sqrt(t)^2, t, -1, 1)", "0"),
        ("integral(exp(log(t)), t, -2, 2)", "0"),
        ("integral(integral(s/s, s, -1, 1), t, 0, 1)", "2"),
        ("integral(integral(t/(s - s + t), s, 0, 1), t, -1, 1)", "2"),
        ("integral(1, t, 0, 1/0 - 1/0 + 1)", "1"),
        ("integral(1, t, log(-1) - log(-1), 1)", "1"),
        ("sum(k/k, k, -1, 1)", "3"),
        ("sum(log(k) - log(k), k, 0, 3)", "0"),
        ("sum(0*(1/k), k, 0, 2)", "0"),
        ("1 + 0*integral(t/t, t, -1, 1)", "1"),
    ],
)
def test_an_integrand_or_summand_without_a_value_has_no_sum(text, value):
    assert verdict(f"{text} = {value}") != "proved"
    assert derive([text, value], time_limit=1.5).verdict.value != "proved"
    assert derive([f"{text} = {value}", "0 = 0"], time_limit=1.5).verdict.value != "proved"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("integral(x/x, x, 1, 2)", "1"),
        ("integral(1/sqrt(t), t, 0, 1)", "2"),
        ("integral(integral(s*t, s, 0, t), t, 0, 1)", "1/8"),
        ("integral(exp(-t), t, 0, oo)", "1"),
        ("sum(k^2/k, k, 1, 3)", "6"),
    ],
)
def test_integrals_and_sums_with_values_are_still_closed(text, value):
    assert check(f"{text} = {value}", time_limit=5).holds
    assert derive([text, value], time_limit=5).steps[1].evidence.holds


# --- 9. ends of sums are integers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sum(1, k, 1, pi*n) = pi*n", ["n in integers", "n >= 1"]),
        ("sum(1, k, 1, x) = x", "x >= 0"),
        ("sum(k, k, 1, x) = x*(x + 1)/2", "x >= 1"),
        ("sum(1, k, 1/2, n + 1/2) = n + 1", ["n in integers", "n >= 1"]),
        ("sum(k, k, 1, n/2) = n/2*(n/2 + 1)/2", ["n in integers", "n >= 2"]),
        ("sum(2^k, k, 0, sqrt(n)) = 2^(sqrt(n) + 1) - 1", ["n in integers", "n >= 1"]),
        ("sum(sum(1, j, 1, k/2), k, 2, 3) = 5/2", []),
        ("product(2, k, 1, x) = 2^x", "x >= 1"),
        ("sum(1, k, x, x + 2) = 3", []),
    ],
)
def test_a_sum_between_ends_that_are_no_integers_is_undefined(text, given):
    assert verdict(text, given) != "proved"
    found = derive(text.split(" = "), given, time_limit=1.5)
    told = "where x is an integer" in str(found)  # right with a remark
    assert found.verdict.value != "proved" or told


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("sum(1, k, 1, 2*n) = 2*n", ["n in integers", "n >= 1"]),
        ("sum(1, k, 1, floor(x)) = floor(x)", "x >= 1"),
        ("sum(1, k, n, n + 2) = 3", ["n in integers"]),
    ],
)
def test_ends_that_are_integers_are_seen(text, given):
    assert check(text, given, time_limit=5).holds


def test_an_end_that_is_an_integer_by_a_case_is_not_taken_for_another_number():
    given = ["n in integers", "n >= 1"]
    assert verdict("sum(1, k, 1, n*(n + 1)/2) = n*(n + 1)/2", given) == "supported"
    assert verdict("sum(1, k, 1, n*(n + 1)/2) = n*(n + 1)/2 + 1", given) == "refuted"


def test_ends_that_are_plainly_integers_cost_nothing():
    assert verdict("sum(k, k, 1, n) = n*(n + 1)/2", ["n in integers", "n >= 1"]) == "proved"


# --- 10. bound symbols are plain -----------------------------------------------------------------------


def test_a_bound_symbol_is_real_or_an_integer_and_nothing_more():
    t = Symbol("t", positive=True)
    with pytest.raises(
        ValueError, match=r"bound symbol t: positive=True must hold in the whole range"
    ):
        check(Integral(sqrt(t**2), (t, -1, 1)) > 0)
    for declared in ({"nonnegative": True}, {"negative": True}, {"nonzero": True, "real": True}):
        v = Symbol("v", **declared)
        for false in (
            (Integral(sqrt(v**2), (v, -1, 1)), "==", 0),
            (Sum(sympy.Abs(v), (v, -1, 1)), "==", 0),
            (Integral(sympy.sign(v), (v, -1, 1)), "==", 2),
        ):
            if declared != {"nonzero": True, "real": True}:
                assert outcome(false) == "refused"
            assert outcome(false) != "proved"
        assert outcome((Integral(sqrt(v**2), (v, -1, 1)), "==", 1)) != "refuted"
    n = Symbol("n", integer=True)
    with pytest.raises(ValueError, match="variable of an integral must be real, got integer=True"):
        check((Integral(sympy.sin(pi * n) ** 2 + 1, (n, 0, 1)), "==", 1))
    own = symbol("o", integer=True)
    with pytest.raises(ValueError, match="variable of an integral must be real"):
        check((Integral(sympy.sin(pi * own) ** 2 + 1, (own, 0, 1)), "==", 1))


def test_declarations_that_the_range_bears_out_are_dropped():
    t = Symbol("t", positive=True)
    assert outcome(Eq(Integral(sqrt(t**2), (t, 0, 1)), Rational(1, 2))) == "proved"
    k = Symbol("k", integer=True, positive=True)
    n = symbol("n", integer=True, at_least=1)
    assert outcome(Eq(Sum(k, (k, 1, n)), n * (n + 1) / 2)) == "proved"
    assert outcome(Eq(Sum(k, (k, 0, n)), n * (n + 1) / 2)) == "refused"
    loose = Symbol("k")
    assert outcome(Eq(Sum(loose, (loose, 1, n)), n * (n + 1) / 2)) == "proved"


def test_bound_symbols_of_a_derivation_are_plain_too():
    t = Symbol("t", positive=True)
    with pytest.raises(ValueError, match="bound symbol t"):
        derive([Integral(sqrt(t**2), (t, -1, 1)), S.Zero])


# --- 11. no assumption is dropped in silence -------------------------------------------------------------


@pytest.mark.parametrize(
    "assumption",
    [
        *("rational", "irrational", "algebraic", "transcendental", "prime", "composite", "even"),
        *("odd", "complex", "imaginary", "finite", "infinite", "zero", "noninteger", "hermitian"),
        *("antihermitian", "extended_real", "extended_positive", "extended_nonzero"),
    ],
)
def test_an_assumption_without_a_range_is_an_error(assumption):
    q = Symbol("q", **{assumption: True})
    for thing in (
        lambda: check((q**2, "!=", 2)),
        lambda: check((x, ">=", 0), [(x, ">=", q**2)]),
        lambda: derive([(q**2, ">=", 0), (q**4, ">=", 0)]),
        lambda: check(Exists((q, ">", 0), {q: 1})),
        lambda: check((Sum(q, (q, 1, 3)), "==", 6)),
    ):
        with pytest.raises(ValueError, match=f"symbol q: .*got {assumption}=True") as failed:
            thing()
        assert "state the rest as a condition" in str(failed.value)


def test_what_does_not_commute_or_is_declared_not_to_hold_is_an_error():
    first, second = sympy.symbols("A B", commutative=False)
    with pytest.raises(ValueError, match="symbol A: .*got commutative=False"):
        check((first * second, "==", second * first))
    for key in ("real", "integer", "positive", "rational", "zero"):
        with pytest.raises(ValueError, match=f"got {key}=False"):
            check((Symbol("z", **{key: False}) ** 2, ">=", 0))


def test_assumptions_with_a_range_are_kept():
    a, b = Symbol("a", positive=True), Symbol("b", integer=True, nonnegative=True)
    assert verdict((a + b, ">", 0)) == "proved"
    assert verdict((Symbol("c", nonzero=True) ** 2, ">", 0)) == "proved"
    assert verdict((Symbol("d"), ">=", 0)) == "refuted"


# --- 12. one meaning of "defined" -----------------------------------------------------------------------

UNARY = (
    *(sympy.log, sqrt, sympy.gamma, sympy.loggamma, sympy.digamma, sympy.factorial, sympy.coth),
    *(sympy.asin, sympy.acosh, sympy.atanh, sympy.exp, sympy.tan, sympy.cot, sympy.floor, abs),
)
BINARY = (
    *(sympy.Add, sympy.Mul, sympy.Pow, sympy.Pow, sympy.Pow, lambda a, b: a / b, sympy.beta),
    *(sympy.binomial, sympy.lowergamma, sympy.uppergamma, lambda a, b: sympy.log(a, b)),
)
COUNT = symbol("n", integer=True)


def term(rng, depth):
    """A random term, as written."""
    if depth == 0 or rng.random() < 0.2:
        leaves = [x, y, COUNT, *(S(c) for c in (-2, -1, 0, 1, 2)), Rational(1, 2), Rational(-1, 3)]
        return rng.choice(leaves)
    if rng.random() < 0.45:
        return rng.choice(UNARY)(term(rng, depth - 1))
    return rng.choice(BINARY)(term(rng, depth - 1), term(rng, depth - 1))


def needs(expression, point):
    """What the obligations say at a point: defined, undefined, or nothing for sure."""
    from dpbook.engine.evaluate.exact_points import compare_at
    from dpbook.engine.language.definedness import NotUnderstood, obligations

    try:
        needed = obligations(expression)
    except NotUnderstood:
        return None
    open_ = False
    for one in needed:  # innermost first
        holds = compare_at(one.relation.lhs, one.relation.op, one.relation.rhs, point)
        if isinstance(holds, Undefined):
            return None if open_ else "undefined"
        if holds is False and one.exact and not open_:
            return "undefined"
        open_ |= holds is not True
    return None if open_ else "defined"


@pytest.mark.parametrize("seed", range(6))
def test_obligations_and_exact_points_mean_the_same_by_defined(seed):
    from flint import fmpq

    rng = random.Random(seed)
    numbers = [
        fmpq(p, q) for p, q in ((0, 1), (1, 1), (-1, 1), (2, 1), (-2, 1), (1, 2), (-1, 2), (3, 2))
    ]
    whole = [fmpq(k) for k in (-2, -1, 0, 1, 2, 3)]
    seen = {"defined": 0, "undefined": 0}
    for _ in range(250):
        with sympy.evaluate(False):
            e = term(rng, 3)
        point = {x: rng.choice(numbers), y: rng.choice(numbers), COUNT: rng.choice(whole)}
        said = needs(e, point)
        if said is None:
            continue
        seen[said] += 1
        found = evaluate_at(e, point, 128)
        if said == "defined":
            assert not found.undefined, (e, point, found)
        else:
            assert found.undefined or (found.ball is None and found.exact is None), (
                e,
                point,
                found,
            )
    assert min(seen.values()) > 20


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        (["y^x > 0", "y > 0"], []),
        (["gamma(x) < y", "gamma(x) < y and x > 0"], []),
        (["y^x = 4", "x*log(y) = log(4)"], []),
        (["y^x*y^x", "y^(2*x)"], []),
        (["gamma(x + 1)", "x*gamma(x)"], []),
        (["gamma(x) = gamma(x)", "x > 0"], []),
        (["beta(x, y) > 0", "beta(x, y) > 0 and x > 0"], []),
        (["factorial(x) >= 1", "factorial(x) >= 1 and x >= 0"], []),
        (["digamma(x) < 1", "digamma(x) < 1 and x > 0"], []),
        (["y^x + 1 > 1", "y^x + 1 > 1 and y != -2"], []),
        (["y^x < 0", "1 < 0"], []),
    ],
)
def test_a_line_is_not_taken_to_be_undefined_where_it_has_a_value(lines, given):
    assert derive(lines, given, time_limit=1.5).verdict.value != "proved"


def test_a_power_is_an_exponential_only_where_the_logarithm_is_defined():
    found = derive(["y^x", "exp(x*log(y))"])
    assert list(map(str, found.conditions)) == ["y > 0"]


@pytest.mark.parametrize(
    ("lines", "given"),
    [
        (["y^x = 4", "x*log(y) = log(4)"], ["y > 0"]),
        (["gamma(x + 1)", "x*gamma(x)"], ["x > 0"]),
        (["y^x*y^x", "y^(2*x)"], ["y > 0"]),
        (["y^x", "exp(x*log(y))"], ["y > 0"]),
        (["2^x > 4", "x > 2"], []),
        (["gamma(-1/2)", "-2*sqrt(pi)"], []),
    ],
)
def test_derivations_with_powers_and_gamma_functions_are_proved_or_open(lines, given):
    assert derive(lines, given, time_limit=2).verdict.value != "refuted"


def test_derivations_with_positive_bases_are_proved():
    assert derive(["gamma(x + 1)", "x*gamma(x)"], ["x > 0"]).verdict.value == "proved"
    assert derive(["y^x*y^x", "y^(2*x)"], ["y > 0"]).verdict.value == "proved"


# --- 13. what is remembered, is remembered of the same statement -------------------------------------------


def hashed(**options):
    from dpbook.engine.claims.claim import Claim, Options

    n = symbol("n", **options)
    return Claim(lambda: Ge(n**2, n), "eq-1", "own", Options(time_limit=5.0)).hash


def test_the_hash_of_a_claim_holds_sorts_and_ranges():
    variants = [
        {"integer": True, "at_least": 0},
        {"at_least": 0},
        {"integer": True},
        {},
        {"above": 0},
        {"integer": True, "at_least": 0, "at_most": 5},
        {"at_least": 0, "at_most": 5},
        {"at_least": 0, "below": 5},
    ]
    found = [hashed(**options) for options in variants]
    assert len(set(found)) == len(variants)
    assert found == [hashed(**options) for options in variants]


def test_expressions_of_another_sort_are_other_keys():
    from dpbook.engine.evaluate.tape import cached_tape
    from dpbook.engine.language.statement import evaluated, unfold_definitions

    sorts = [Symbol("n", integer=True), Symbol("n", real=True), Symbol("n"), symbol("n")]
    sorts += [
        symbol("n", integer=True),
        symbol("n", at_least=0),
        symbol("n", integer=True, at_least=0),
    ]
    assert len(set(sorts)) == len(sorts)
    with sympy.evaluate(False):
        powers = [sympy.Pow(S.NegativeOne, sympy.Mul(2, n)) for n in sorts]
    for cached in (unfold_definitions, evaluated):
        for power, n in zip(powers, sorts, strict=True):
            assert cached(power).free_symbols <= {n}
    assert evaluated(powers[0]) == 1
    assert evaluated(powers[1]) != 1
    assert len({id(cached_tape((p,), (n,))) for p, n in zip(powers, sorts, strict=True)}) == len(
        sorts
    )


def test_symbols_differ_where_the_symbols_of_their_ranges_do():
    ends = [symbol("a"), symbol("a", integer=True), symbol("a", at_least=0), Symbol("a", real=True)]
    assert len({symbol("z", at_least=end) for end in ends}) == len(ends)
    assert symbol("z", at_least=ends[1]) == symbol("z", at_least=symbol("a", integer=True))


def test_verdicts_do_not_depend_on_what_another_sort_was_decided_to_be():
    for integer in (True, False, True):
        n = symbol("n", integer=integer, at_least=0)
        assert verdict(Ge(n**2, n)) == ("proved" if integer else "refuted")


@pytest.mark.parametrize("condition", ["alone", "in a case"])
def test_a_condition_for_all_numbers_is_refused_where_no_function_is_open(condition):
    # x is at most every positive number, so at most 0: a point was once said to refute that
    small = symbol("s", above=0)
    below_all = Every(small, sympy.Le(x, small))
    given = [below_all if condition == "alone" else Either((as_tree(Eq(y, 0)), below_all))]
    with pytest.raises(ValueError, match="for all s and holds no unknown function"):
        check(sympy.Le(x, 0), given=given)
