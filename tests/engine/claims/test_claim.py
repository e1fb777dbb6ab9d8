"""Claims: built once, as written, and refused with one clear line when they are written wrongly."""

import pytest
import sympy
from sympy import Eq, Le, Symbol

from dpbook import claim, symbol
from dpbook.engine.claims.claim import REGISTRY, ClaimError, Source
from dpbook.engine.derive.derivation import step
from dpbook.engine.language.statement import AlreadyEvaluated, Recurrence

x = symbol("x", above=0)
n = symbol("n", integer=True, at_least=0)


@pytest.fixture(autouse=True)
def clean_registry():
    yield
    for key in [key for key, c in REGISTRY.items() if c.topic == "test_claim"]:
        del REGISTRY[key]


def test_statement_is_built_once_when_asked_for_and_kept_as_written():
    calls = []

    @claim("eq-1")
    def fraction():
        """A fraction that keeps its pole."""
        calls.append(1)
        return Eq(x / x, 1)

    assert not calls
    assert str(fraction.form) == "x/x = 1"
    assert fraction.lhs.args
    assert fraction.rhs == 1
    assert fraction.latex() == r"\frac{x}{x} = 1"
    assert calls == [1]


def test_claim_knows_its_key_title_source_and_line():
    @claim("lemma-4.2-corrected", place="Lemma 4.2", source=Source("A paper", "v2"), using=["eq-1"])
    def bound():
        """A bound, repaired."""
        return x > 0

    assert bound.key == "test_claim:lemma-4.2-corrected"
    assert bound.title == "A bound, repaired"
    assert str(bound.source) == "A paper, v2, Lemma 4.2"
    assert bound.using == ("test_claim:eq-1",)
    file, line = bound.location.split(":")
    assert file == __file__  # only files of the book are shown from its folder
    assert int(line) == bound.function.__code__.co_firstlineno
    assert REGISTRY[bound.key] is bound
    assert repr(bound) == "test_claim:lemma-4.2-corrected: A bound, repaired"


def test_conditions_and_proof_may_be_functions():
    @claim("eq-2", given=lambda: [x < 2], proof=lambda: [step("square", x**2 < 4)])
    def small():
        """Small."""
        return x < 3

    assert [str(tree) for tree in small.given] == ["x < 2"]
    assert str(small.proof) == "1. square: x**2 < 4"


@pytest.mark.parametrize("label", ["", "Lemma-1", "lemma 1", "lemma-1:2", "-1", "lemma_1"])
def test_label_that_is_none_is_refused(label):
    with pytest.raises(
        ClaimError, match="label must be small letters, digits, - and ., as in lemma-4.2, got"
    ):
        claim(label)


def test_fault_that_is_none_is_refused():
    with pytest.raises(
        ClaimError, match="fault must be one of error, boundary, code, misprint, scan"
    ):
        claim("eq-1", fault="typo")


def test_a_chain_of_relations_says_what_to_write_instead():
    x = symbol("x", above=0)

    @claim("eq-30")
    def chain():
        """Between."""
        return 0 <= x <= 1

    with pytest.raises(ClaimError, match=r"chain such as .*; write And\(0 <= x, x <= 1\)"):
        _ = chain.form


def test_two_claims_of_one_label_are_refused():
    @claim("eq-3")
    def first():
        """One."""

    with pytest.raises(ClaimError, match="test_claim:eq-3 stands twice: .*test_claim.py:"):

        @claim("eq-3")
        def second():
            """Two."""


@pytest.mark.parametrize("where", ["statement", "given", "proof"])
def test_undeclared_symbol_is_named_with_its_claim(where):
    stranger = Symbol("y")
    parts = {
        "statement": x,
        "given": x,
        "proof": x,
        where: stranger,
    }

    @claim("eq-4", given=[parts["given"] > 1], proof=[step("so", parts["proof"] > 0)])
    def strange():
        """Strange."""
        return parts["statement"] > 0

    with pytest.raises(ClaimError, match="test_claim:eq-4 .*the symbol y is not declared; make it"):
        strange.form, strange.given, strange.proof  # noqa: B018


def test_statement_that_sympy_has_folded_is_refused():
    @claim("eq-5")
    def folded():
        """Folded before it arrived."""
        return sympy.true

    with pytest.raises(ClaimError, match="test_claim:eq-5 .* arrived as True") as caught:
        folded.form  # noqa: B018
    assert isinstance(caught.value.__cause__, AlreadyEvaluated)


def test_float_is_refused():
    @claim("eq-6")
    def half():
        """With a float."""
        return Le(x, 0.5)

    with pytest.raises(ClaimError, match="floating-point number 0.5.* Rational"):
        half.form  # noqa: B018


def test_error_inside_the_function_names_the_claim():
    @claim("eq-7")
    def broken():
        """Broken."""
        return undefined_name  # noqa: F821

    with pytest.raises(ClaimError, match="test_claim:eq-7 .*NameError: name 'undefined_name'"):
        broken.form  # noqa: B018


def test_previous_term_of_a_recurrence_needs_no_declaration():
    @claim("lemma-1")
    def doubling():
        """Doubling."""
        return Recurrence(step=lambda last: 2 * last, start=1, closed_form=2**n, index=n)

    assert type(doubling.form).__name__ == "Recurrence"


def hash_of(statement, given=()):
    made = claim("eq-8", given=given)(lambda: statement)
    del REGISTRY[made.key]
    return made.hash


def test_hash_covers_statement_conditions_and_ranges():
    narrow = symbol("x", above=1)
    with sympy.evaluate(False):
        hashes = [
            hash_of(x > 0),
            hash_of(x >= 0),
            hash_of(x > 0, [x < 2]),
            hash_of(narrow > 0),
            hash_of((2 * x / 2, ">", 0)),
        ]
    assert len(set(hashes)) == len(hashes)
    assert hash_of(x > 0) == hashes[0]


def test_two_symbols_of_one_look_are_refused_on_one_card():
    loss = symbol("loss", latex=r"\epsilon")
    other = symbol("other", latex=r"\epsilon")
    hidden = symbol("hidden", equals=lambda: 2 * other)

    @claim("eq-2")
    def alike():
        return loss <= hidden

    with pytest.raises(ClaimError, match=r"are both typeset as \\epsilon"):
        _ = alike.form


@pytest.mark.parametrize("role", ["guess", "defined"])
def test_role_of_a_symbol_is_one_of_four(role):
    with pytest.raises(ValueError, match="role must be one of given, chosen, defined, placeholder"):
        symbol("p", role=role)


def test_role_is_kept_and_tells_symbols_apart():
    made = symbol("p", role="placeholder")
    assert (2 * made).free_symbols.pop().role == "placeholder"
    assert (2 * symbol("p")).free_symbols.pop().role == "given"
    assert symbol("q", equals=lambda: 2 * x).role == "defined"
