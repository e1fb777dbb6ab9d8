"""Lemmas hold only where they are proved, and no value that is put in is captured by a sum or an integral."""

import textwrap

import pytest

from dpbook.engine.claims import catalog, record, topics
from dpbook.engine.claims.claim import REGISTRY, ClaimError
from dpbook.engine.claims.rows import rows_of

HEAD = """
    from sympy import Abs, Eq, Integral, Max, Ne, Or, Rational, Sum, cos, exp, log, sin
    from dpbook import claim, symbol
    from dpbook.engine.language.statement import Exists, derivative

    x, y, v = symbol("x"), symbol("y"), symbol("v")
    p = symbol("p", above=0)
    far = Rational(1234567, 7654321)
    between = symbol("z", above=far, below=x)
    n = symbol("n", integer=True, at_least=1)
    i = symbol("i", integer=True, at_least=1)
    j, k = symbol("j", integer=True), symbol("k", integer=True)
"""
FALSE = {
    "a derivative on a line where only the values agree": (
        """
        @claim("eq-1", given=lambda: [Eq(x, 1)])
        def lemma():
            return (x**3, "==", x**2)

        @claim("eq-2", given=lambda: [Eq(x, 1)], using=["eq-1"])
        def false():
            return (derivative(x**3, x), "==", 2)
        """
    ),
    "an index outside the range of the lemma": (
        """
        @claim("eq-1")
        def lemma():
            return (Max(i, 1), "==", i)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (Sum(Max(i, 1), (i, 0, n)), "==", n * (n + 1) / 2)
        """
    ),
    "a variable of integration outside the range": (
        """
        @claim("eq-1")
        def lemma():
            return (Abs(p), "==", p)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (Integral(Abs(p), (p, -1, 1)), "==", 0)
        """
    ),
    "a variable of integration that a lemma holds free": (
        """
        @claim("eq-1")
        def lemma():
            return (Integral(x, (p, 0, 1)), "==", x)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (Integral(p, (p, 0, 1)), "==", p)
        """
    ),
    "what has no value": (
        """
        @claim("eq-1")
        def lemma():
            return (sin(x) ** 2 + cos(x) ** 2, "==", 1)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (sin(log(y)) ** 2 + cos(log(y)) ** 2, "==", 1)
        """
    ),
    "zero times what has no value": (
        """
        @claim("eq-1")
        def lemma():
            return (0 * x, "==", 0)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (0 * (1 / y), "==", 0)
        """
    ),
    "an instance with the index of a sum": (
        """
        def bump(at):
            return Max(0, 1 - (at - 1234567891) ** 2)

        @claim("eq-1")
        def lemma():
            return (Sum(bump(x), (k, 1, 3)), "==", 3 * bump(x))

        @claim("eq-2", using=[("eq-1", lambda: {x: k})])
        def false():
            return (Sum(bump(k), (k, 1, 3)), "==", 3 * bump(k))
        """
    ),
    "a condition with an or that was not put in": (
        """
        @claim("eq-1", given=lambda: [Or(x > far, x < far)])
        def lemma():
            return (x, "!=", far)

        @claim("eq-2", given=lambda: [Or(x > far, x < far)], using=[("eq-1", lambda: {x: y})])
        def false():
            return (y, "!=", far)
        """
    ),
    "the range of a symbol that stands in the lemma alone": (
        """
        @claim("eq-1", given=lambda: [between > 0])
        def lemma():
            return (x, "!=", far)

        @claim("eq-2", using=["eq-1"])
        def false():
            return (x, "!=", far)
        """
    ),
    "the range of a symbol that an instance brings in": (
        """
        @claim("eq-1", given=lambda: [v > far, v < x])
        def lemma():
            return (x, "!=", far)

        @claim("eq-2", using=[("eq-1", lambda: {v: between})])
        def false():
            return (x, "!=", far)
        """
    ),
    "an equation with the index of a sum": (
        """
        @claim("eq-2", given=lambda: [Eq(x, 2**k)])
        def false():
            return (Sum(x, (k, 1, 3)), "==", 14)
        """
    ),
    "an equation with a variable of integration": (
        """
        @claim("eq-2", given=lambda: [Eq(x, exp(p))])
        def false():
            return (Integral(x, (p, 0, 1)), "==", exp(1) - 1)
        """
    ),
    "a witness with the index of a sum": (
        """
        @claim("eq-2")
        def false():
            return Exists((Sum(j, (k, 1, 2)), "==", 3), {j: k})
        """
    ),
}
TRUE = {
    "an equation with the index of a sum": (
        """
        @claim("eq-2", given=lambda: [Eq(x, 2**k)])
        def true():
            return (Sum(x, (k, 1, 3)), "==", 3 * x)
        """
    ),
    "a lemma whose own symbol may have any value of a constant range": (
        """
        @claim("eq-1", given=lambda: [p > -1])
        def lemma():
            return (exp(x), ">=", 1 + x)

        @claim("eq-2", using=["eq-1"])
        def true():
            return (exp(y), ">=", 1 + y)
        """
    ),
}


@pytest.fixture
def decided(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    record.cache_folder.cache_clear()

    def verdicts(text):
        path = tmp_path / "lecture.py"
        path.write_text(textwrap.dedent(HEAD) + textwrap.dedent(text))
        return {
            row["label"]: row["verdict"] for row in rows_of(catalog.load_anew(topics.at(path))[0])
        }

    yield verdicts
    record.cache_folder.cache_clear()
    for key in [key for key, c in REGISTRY.items() if c.topic == "lecture"]:
        del REGISTRY[key]


@pytest.mark.parametrize("name", FALSE)
def test_no_lemma_and_no_equation_proves_what_is_false(decided, name):
    found = decided(FALSE[name])
    assert found.get("eq-1", "proved") == "proved"
    assert found["eq-2"] in ("refuted", "supported", "undecided")


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_still_proved(decided, name):
    assert decided(TRUE[name])["eq-2"] == "proved"


@pytest.mark.parametrize("by", ["x**2", "half"])
def test_derivative_by_what_is_no_symbol_is_an_error_that_names_the_claim(decided, by):
    text = f"""
        half = symbol("h", equals=lambda: x / 2)

        @claim("eq-2")
        def false():
            return (derivative(x**4, {by}), "==", 0)
        """
    with pytest.raises(ClaimError, match=r"lecture:eq-2 .*needs a symbol that stands for itself"):
        decided(text)


def test_function_without_a_derivative_is_an_error_that_names_the_claim(decided):
    text = """
        @claim("eq-2")
        def true():
            return (derivative(Abs(p), p), "==", 1)
        """
    with pytest.raises(ClaimError, match=r"lecture:eq-2 .*cannot write out the derivative"):
        decided(text)


def test_changed_definition_is_a_changed_claim(decided):
    text = """
        square = symbol("R", equals=lambda: {})

        @claim("eq-2")
        def sign():
            return (square, ">=", 0)
        """
    assert decided(text.format("x**2")) == {"eq-2": "proved"}
    assert decided(text.format("x**3")) == {"eq-2": "refuted"}
