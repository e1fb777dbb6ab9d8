"""What a hostile certificate tried: every sequent here is false, or says more than is known."""

import pytest

from dpbook.kernel import Rejected, check
from dpbook.kernel.defined import continuous, derivative
from dpbook.kernel.files.replay import replay
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.terms import parse_term
from tests.kernel.instances import filled

IDENTITY, KNOWN = {"rule": "identity"}, {"rule": "auto"}


def sequent(goal, given=(), functions=None, **variables):
    return {
        "variables": variables,
        "functions": functions or {},
        "given": list(given),
        "goal": goal,
    }


def checked(data, certificate, lemmas=None):
    """Check a certificate; side premises that are automatic are not written."""
    s = sequent_from_json(data)
    return check(s, filled(s, certificate, lemmas), lemmas)


def erf_of_infinity():
    """Name oo, and compare an integral up to it with one between equal ends."""
    equalities = [[3, "-2/pi^(1/2)"], [5, "2/pi^(1/2)"]]
    ends = [
        {"rule": "restate", "goal": "0 == 0", "equalities": equalities, "premises": [IDENTITY]},
    ]
    between = {
        "rule": "primitive",
        "integral": "integral(exp(-x^2), x, y, y)",
        "by": "pi^(1/2)*erf(x)/2",
        "premises": [{"rule": "defined"}] * 3 + ends,
    }
    steps = [
        {"rule": "rewrite", "equality": 0, "reversed": "yes", "hypothesis": 2},
        {"rule": "rewrite", "equality": 0, "reversed": "yes"},
    ]
    from_y = {
        "rule": "integral of the table",
        "integral": "integral(exp(-x^2), x, y, oo)",
        "entry": "Gaussian, from a point",
        "at": {"a": "1", "b": "0", "c": "0", "d": "y"},
        "premises": [
            {"rule": "defined"},
            {**steps[0], "premises": [{**steps[1], "premises": [between]}]},
        ],
    }
    return {"rule": "name", "name": "y", "term": "oo", "premises": [from_y]}


ALL_KNOWN = {"rule": "all", "premises": [KNOWN]}
ATTACKS = {
    "the name of a constant is bound by a sum": (sequent("sum(pi, pi, 1, 3) == 3*pi"), IDENTITY),
    "the name of a constant is bound by all": (sequent("all(pi; real; pi > 3)"), ALL_KNOWN),
    "the name of another is bound by all": (
        sequent("all(EulerGamma; real; EulerGamma < 1)"),
        ALL_KNOWN,
    ),
    "residues of a polynomial of thousands of terms": (
        sequent(
            f"2*({' + '.join(f'n{i}' for i in range(14))} + 1)^4 + 1 != 0",
            **{f"n{i}": "integer" for i in range(14)},
        ),
        {"rule": "residues", "modulus": 2},
    ),
    "a power of an exponent of thousands of digits": (
        sequent(f"x^{'9' * 3900} > 0", given=["x >= 1/2", "x <= 2/3"], x="real"),
        {"rule": "bisect", "tree": "value"},
    ),
    "a bound variable is the free one of its name": (
        sequent("k + sum(k, k, 1, 3) == 4*k", k="real"),
        IDENTITY,
    ),
    "a bound variable is the free one of its name, in a function": (
        sequent("exp(k) + sum(exp(k), k, 1, 3) == 4*exp(k)", k="real"),
        IDENTITY,
    ),
    "0 to a positive power is not 0 to a lower one": (
        sequent("0^(n + 1) == 0^n", ["n >= 0"], n="integer"),
        IDENTITY,
    ),
    "0^0 is 1": (sequent("0^0 == 0"), IDENTITY),
    "(x - x)^0 is 1": (sequent("(x - x)^0 == 0", x="real"), IDENTITY),
    "an unknown function is called as a sum is": (
        sequent("add(x, y) == x + y", functions={"add": 2}, x="real", y="real"),
        IDENTITY,
    ),
    "an unknown function is called as a product is": (
        sequent("mul(x, y) == x*y", functions={"mul": 2}, x="real", y="real"),
        IDENTITY,
    ),
    "an empty sum tells the sign of a factor": (
        sequent("y + 0*sum(1/(k*y), k, 1, -1) != 0", y="real"),
        KNOWN,
    ),
    "an empty sum tells the sign of a factor, to a power of its own": (
        sequent("y + 0*sum((k*y)^(-3), k, 0, -1) != 0", y="real"),
        KNOWN,
    ),
    "an integral between equal ends tells the sign of a factor": (
        sequent("y + 0*integral(1/(y*x - y*a), x, a, a) != 0", y="real", a="real"),
        KNOWN,
    ),
    "the sign of gamma where it is undefined tells its logarithm": (
        sequent("log(gamma(u)) == loggamma(u)", ["gamma(u) > 0"], u="real"),
        IDENTITY,
    ),
    "oo is a number": (sequent("erfc(oo) == 0"), erf_of_infinity()),
    "oo is a real number below another": (
        sequent("all(x; real; x <= oo)"),
        {"rule": "all", "premises": [KNOWN]},
    ),
    "oo is hidden in a lemma's value": (
        sequent("exp(oo) > 0"),
        {"rule": "axiom", "name": "exp positive", "at": {"u": "oo"}, "premises": [KNOWN]},
    ),
    "oo is an argument of a function in an end": (
        sequent("integral(x, x, 0, 2*oo) == integral(x, x, 0, oo)"),
        IDENTITY,
    ),
    "an infinite sum is linear": (
        sequent("sum(2^k + a, k, 0, oo) == sum(2^k, k, 0, oo) + a*sum(1, k, 0, oo)", a="real"),
        IDENTITY,
    ),
    "an infinite sum has a sign": (sequent("sum(2^k, k, 0, oo) >= 0"), KNOWN),
    "a series of integers that differ by hairs from nothing is an integer": (
        sequent("integer(sum(k - k, k, x, oo))", x="real"),
        KNOWN,
    ),
    "a series is compared as a finite sum": (
        sequent("sum(1, k, 0, oo) <= sum(2, k, 0, oo)"),
        {"rule": "compare sums", "low": "sum(1, k, 0, oo)", "high": "sum(2, k, 0, oo)",
         "op": "<=", "premises": [KNOWN]},
    ),
    "a series has a derivative, term by term": (
        sequent("sum(x^k, k, 0, oo) >= 0", ["x >= 0"], x="real"),
        {"rule": "monotone", "variable": "x", "end": "0", "side": "above", "premises": [KNOWN] * 5},
    ),
    "infinite sums are exchanged": (
        sequent(
            "sum(sum(j*k, j, 1, oo), k, 1, n) == sum(sum(j*k, k, 1, n), j, 1, oo)", n="integer"
        ),
        {"rule": "exchange sums", "sum": "sum(sum(j*k, j, 1, oo), k, 1, n)", "premises": [KNOWN]},
    ),
    "between reversed ends all integrands are equal": (
        sequent(
            "integral(1, x, 1, 0) == integral(x, x, 1, 0)",
            ["defined(integral(x, x, 1, 0))"],
        ),
        {
            "rule": "linear integral",
            "integral": "integral(1, x, 1, 0)",
            "parts": [["1", "x"]],
            "premises": [
                {"rule": "refute", "premises": [
                    {"rule": "combination",
                     "terms": [["1", [1], None], ["1", [2], None], ["1", [], None]]}]},
                KNOWN,
            ],
        },
    ),
    "a factorial is an integer where it is undefined": (sequent("integer(factorial(1/2))"), KNOWN),
    "a general variable is defined, so its value is": (
        sequent("defined(1/y)", y="real"),
        {"rule": "generalise", "name": "x", "term": "1/y", "goal": "defined(x)",
         "premises": [KNOWN]},
    ),
    "every variable is defined, so an instance is": (
        sequent("y != 0", y="real"),
        {"rule": "have", "formula": "all(x; real; defined(x))", "premises": [
            {"rule": "all", "premises": [KNOWN]},
            {"rule": "instance", "hypothesis": 0, "value": "1/y", "premises": [KNOWN]}]},
    ),
    "a named variable is defined, so its value is": (
        sequent("y != 0", y="real"),
        {"rule": "name", "name": "x", "term": "1/y", "premises": [
            {"rule": "have", "formula": "defined(x)", "premises": [KNOWN, {
                "rule": "substitute", "fact": 0, "variable": "x", "value": "1/y",
                "premises": [KNOWN]}]}]},
    ),
    "infinite sums are compared": (
        sequent("sum(-k^2, k, -oo, 0) <= sum(k^2, k, -oo, 0)"),
        {"rule": "compare sums", "low": "sum(-k^2, k, -oo, 0)", "high": "sum(k^2, k, -oo, 0)",
         "op": "<=", "premises": [KNOWN]},
    ),
    "a number is called with arguments": (sequent("num(x) == 0", x="real"), IDENTITY),
    "arguments have no comma between them": (
        sequent("max(x y) == max(x, y)", x="real", y="real"),
        IDENTITY,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ATTACKS)
def test_false_sequent_is_rejected(name):
    data, certificate = ATTACKS[name]
    with pytest.raises(Rejected):
        checked(data, certificate)


# each of these would take hours, or memory that no machine has
LARGE = {
    "of a sum": sequent("(2*x + 2*y)^1000000000000 == 1", x="real", y="real"),
    "of an inverse": sequent("(2*x)^(-1000000000000) == 1", ["x > 0"], x="real"),
    "of roots": sequent(
        "(999999999999999989^(1/2)/999999999999999967^(1/2))^1000000 == 1",
    ),
    "of a number": sequent("2^100000000000 == 1"),
    "of factors": sequent("*".join(["x"] * 90_000) + " == 1", x="real"),
    "of digits": sequent("x == " + "1" * 5000, x="real"),
    "of brackets": sequent("(" * 90_000 + "x", x="real"),
    "of spaces": sequent("x == " + " " * 190_000 + "1 1", x="real"),
}


def test_substitution_does_not_grow_without_end():
    names = [f"x{i}" for i in range(60)]
    given = [f"{a} == {b}*{b}" for a, b in zip(names, names[1:], strict=False)]
    certificate = KNOWN
    for number, (a, b) in reversed(list(enumerate(zip(names, names[1:], strict=False)))):
        certificate = {"rule": "substitute", "fact": number, "variable": a, "value": f"{b}*{b}",
                       "premises": [certificate]}  # fmt: skip
    data = sequent("x0 > 0", given, **dict.fromkeys(names, "real"))
    with pytest.raises(Rejected, match="parts"):
        check(sequent_from_json(data), certificate)


@pytest.mark.parametrize("name", LARGE)
def test_large_thing_is_rejected_at_once(name):
    (result,) = replay({"t:large": {"sequent": LARGE[name], "certificate": IDENTITY}})
    assert isinstance(result.rejected, Rejected)


def test_truth_next_to_an_attack_is_accepted():
    """The mends leave what they stand next to."""
    for data in (
        sequent("k + sum(k, k, 1, n) == sum(j, j, 1, n) + k", k="real", n="integer"),
        sequent("2^(n + 1) == 2*2^n", n="integer"),
        sequent("0^(n + 1) == 0*0^n", ["n >= 0"], n="integer"),
        sequent("0^0 == 1"),
        sequent("sum(1/(k*y), k, 1, n) == sum(1/k, k, 1, n)/y", ["y > 0"], y="real", n="integer"),
        sequent("log(gamma(u)) == loggamma(u)", ["u > 0"], u="real"),
        sequent("integral(exp(-x), x, 0, oo) == integral(exp(-y), y, 0, oo)"),
    ):
        check(sequent_from_json(data), IDENTITY)


@pytest.mark.parametrize(
    ("lemma", "instance"),
    [
        (sequent("defined(x)", x="real"), {"at": {"x": "1/y"}}),
        (
            sequent("defined(f(x))", functions={"f": 1}, x="real"),
            {"at": {"x": "y"}, "functions": {"f": {"of": ["a"], "is": "1/a"}}},
        ),
    ],
)
def test_lemma_about_what_is_defined_asks_that_values_are(lemma, instance):
    use = {"rule": "lemma", "name": "l", **instance, "premises": [KNOWN]}
    s, lemmas = sequent_from_json(sequent("y != 0", y="real")), {"l": sequent_from_json(lemma)}
    for certificate in (filled(s, use, lemmas), {**use, "premises": [KNOWN, KNOWN]}):
        with pytest.raises(Rejected):
            check(s, certificate, lemmas)


LOG = {"of": ["y"], "is": "log(z)"}
DEFINED = {"rule": "defined"}
# lemma, sequent, instance, certificates of the premises
MIXED = {
    "a definition is put into another one": (
        sequent("defined(f(0))", functions={"f": 1, "g": 1}),
        sequent("z > 0", functions={"g": 1}, z="real"),
        {"functions": {"f": {"of": ["y"], "is": "g(y)"}, "g": LOG}},
        [DEFINED],
    ),
    "a variable has the name to which one of the lemma steps aside": (
        sequent("defined(f(x))", functions={"f": 1}, x="real"),
        sequent("z > 0", ["x' > 0"], **{"x'": "real", "z": "real"}),
        {"at": {"x": "z"}, "functions": {"f": {"of": ["y"], "is": "log(x')"}}},
        [DEFINED],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXED)
def test_lemma_keeps_apart_what_is_put_in(name):
    """Both once gave ``defined(log(z))`` for every z, and so z > 0."""
    stated, data, instance, before = MIXED[name]
    use = {"rule": "lemma", "name": "l", **instance, "premises": [*before, KNOWN]}
    with pytest.raises(Rejected, match="not settled"):
        checked(data, use, {"l": sequent_from_json(stated)})


def test_infinite_sum_is_not_differentiated():
    for low, high in (("0", "oo"), ("-oo", "0")):
        t = parse_term(f"sum(x^k, k, {low}, {high})")
        assert not continuous(t, "x")
        with pytest.raises(Rejected):
            derivative(t, "x")
    assert continuous(parse_term("sum(x^k, k, 0, 9)"), "x")


def test_functions_of_a_lemma_may_change_places():
    stated = sequent("f(x) <= g(x)", ["f(0) <= g(0)", "f(x) <= g(x)"], {"f": 1, "g": 1}, x="real")
    data = sequent("g(x) <= f(x)", ["g(0) <= f(0)", "g(x) <= f(x)"], {"f": 1, "g": 1}, x="real")
    places = {"f": {"of": ["y"], "is": "g(y)"}, "g": {"of": ["y"], "is": "f(y)"}}
    use = {"rule": "lemma", "name": "l", "functions": places, "premises": [KNOWN]}
    checked(data, use, {"l": sequent_from_json(stated)})


def nothing_defined(at):
    """No number y has a defined sum with a term: false of each number, true where the term has no value."""
    return f"all(y; real; defined({at} + y); 0 > 1)"


def absurd(more):
    """From p - q < 0, the first hypothesis, and that log(p - q) is defined."""
    terms = [["1", [0], None], ["1", [more], None]]
    opposite = {"rule": "combination", "terms": terms}
    step = {"rule": "have", "formula": "p - q > 0", "premises": [KNOWN, opposite]}
    return {"rule": "all", "premises": [step]}


def at_zero(hypothesis):
    return {
        "rule": "instance",
        "hypothesis": hypothesis,
        "value": "0",
        "premises": [DEFINED, KNOWN],
    }


LOG_OF_NEGATIVE = "log(p - q)"
# each once gave 0 > 1, as a condition about what has no value was met by no number
CONDITIONS = {
    "a variable is given the value": {
        "rule": "name", "name": "v", "term": LOG_OF_NEGATIVE, "premises": [
            {"rule": "have", "formula": nothing_defined("v"), "premises": [
                {"rule": "substitute", "fact": 1, "variable": "v", "value": LOG_OF_NEGATIVE,
                 "premises": [absurd(3)]},
                at_zero(2)]}]},
    "a hypothesis is used there": {
        "rule": "have", "formula": f"all(x; real; {nothing_defined('x')}; 0 > 1)", "premises": [
            {"rule": "all", "premises": [at_zero(1)]},
            {"rule": "instance", "hypothesis": 1, "value": LOG_OF_NEGATIVE,
             "premises": [absurd(3), KNOWN]}]},
    "a hypothesis is kept of any number in its place": {
        "rule": "have", "formula": nothing_defined(LOG_OF_NEGATIVE), "premises": [
            absurd(2),
            {"rule": "generalise", "name": "v", "term": LOG_OF_NEGATIVE, "keep": [1],
             "premises": [at_zero(0)]}]},
    "an induction starts there": {
        "rule": "induct", "variable": "n", "start": f"floor({LOG_OF_NEGATIVE})",
        "premises": [absurd(3), {"rule": "all", "premises": [at_zero(4)]}]},
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_condition_about_what_is_not_defined_is_not_met_for_nothing(name):
    data = sequent("0 > 1", ["p - q < 0"], p="real", q="real")
    if "induction" in name:
        data = sequent(
            nothing_defined("n"),
            ["p - q < 0", f"n >= floor({LOG_OF_NEGATIVE})"],
            p="real",
            q="real",
            n="integer",
        )
    with pytest.raises(Rejected, match="the number of premises must be"):
        checked(data, CONDITIONS[name])


def test_condition_about_what_is_defined_is_kept_where_a_number_is_put_in():
    data = sequent("all(y; real; defined(1/(v + y)); v > 1)", ["v == 2"], v="real")
    step = {"rule": "all", "premises": [KNOWN]}
    use = {"rule": "substitute", "fact": 0, "variable": "v", "value": "2", "premises": [step]}
    checked(data, use)
