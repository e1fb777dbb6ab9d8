"""Long statements with names for their parts: they say what the statement says, and are shorter."""

import re

import pytest
import sympy

from dpbook.engine.claims.named import LONG, put_in, with_names
from dpbook.engine.language import card
from dpbook.engine.language.statement import unfold_definitions
from dpbook.engine.language.task import expressions_of
from dpbook.ext import recorded

LONG_ONES = (
    "langevin:theorem-1",
    "langevin:note-lemma-4.4",
    "contamination:theorem-4",
    "contamination:note-theorem-4-posterior",
    "posterior_sampling:note-three-parts",
    "unknown_sample_size:eq-5",
    "depth_medians:text-a-mad",
    "contamination:theorem-29",
)


def put_back(expression, names):
    """Return an expression with what names stand for in their place, written out."""
    meant = {name: value for name, value in names if getattr(name, "definition", None) is None}
    with sympy.evaluate(False):
        while (more := put_in(expression, meant)) != expression:
            expression = more
        return unfold_definitions(expression)


@pytest.mark.parametrize("key", LONG_ONES)
def test_a_statement_with_its_names_put_back_is_the_statement(key):
    one = recorded.entry(key)
    named = one.named
    for whole, short in zip(
        (one.claim.form, *one.claim.given), (named.form, *named.given), strict=True
    ):
        pairs = zip(expressions_of(whole), expressions_of(short), strict=True)
        for said, shown in pairs:
            assert str(put_back(shown, named.names)) == str(unfold_definitions(said))


@pytest.mark.parametrize("key", LONG_ONES[:3])
def test_a_name_that_is_shown_is_explained(key):
    one = recorded.entry(key)
    told = {name for name, _ in one.named.names}
    free = set()
    for thing in (one.claim.form, *one.claim.given):
        for e in expressions_of(thing):
            free |= unfold_definitions(e).atoms(sympy.Symbol)
    for thing in (one.named.form, *one.named.given):
        for expression in expressions_of(thing):
            for node in expression.atoms(sympy.Symbol):
                assert node in told | free


def test_theorem_1_is_read_in_a_glance():
    shown = recorded.entry("langevin:theorem-1").card
    assert len(shown.statement.text) < LONG
    assert "are (epsilon, delta)-private" in shown.statement.text
    rows = {row.label: row for row in shown.rows}
    assert "there is a problem" in rows["in words"].parts[0]
    assert any(part.text.startswith("P_1 = even mixture") for part in rows["where"].parts)
    assert "--expanded" in card.as_text(shown)
    assert "<details>" in shown.below


def test_what_defines_an_event_or_a_weight_is_told():
    shown = recorded.entry("depth_medians:theorem-3.4").card
    (where,) = [row for row in shown.rows if row.label == "where"]
    assert [part.text for part in where.parts] == [
        "N(x_0) = 1 where R(x_0) <= tau*B + s_n, and 0 elsewhere",
        "w(t) = exp(-epsilon*f(t)/(4*eta)) where f(t) <= tau, and 0 elsewhere",
    ]


@pytest.mark.parametrize("shown", ["card", "whole_card"])
def test_theorem_1_is_set_in_lines_with_each_name_below_the_one_that_uses_it_first(shown):
    made = getattr(recorded.entry("langevin:theorem-1"), shown)
    assert len(made.statement.text) < 2 * LONG
    said = card.as_text(made)
    assert max(map(len, said.splitlines())) <= card.LINE
    assert "1 - 1" not in said  # an index that was put in is no arithmetic for the reader
    [where] = [row for row in made.rows if row.label == "where"]
    named = [(part.text.partition(" = ")[0], part) for part in where.parts]
    seen, above = made.statement.text + str([r for r in made.rows if r.label == "given"]), []
    for name, part in named:
        assert re.search(rf"(?<![\w]){re.escape(name)}(?!\w)", seen), name
        assert part.depth <= len(above)
        above = [*above[: part.depth], part]
        if part.depth:  # it stands below what uses it
            assert re.search(rf"(?<![\w]){re.escape(name)}(?!\w)", above[-2].text), name
        seen += part.text
    assert max(part.depth for _, part in named) >= 2
    assert "margin-left:3em" in card.as_html(made)


DEFINITIONS = (card.Maths("a = b", "a = b"), card.Maths("b = c" + " + c" * 40, "b = c", 1))


def test_text_and_html_push_a_definition_in():
    rows = (card.Row("where", DEFINITIONS),)
    made = card.Card("proved", "#000", "#000", card.Maths("x", "x"), rows)
    assert "\n    a = b\n      b = c" in card.as_text(made)
    assert '<li style="margin-left:1.5em">' in card.as_html(made)


def test_the_book_pushes_a_definition_in():
    sphinx = pytest.importorskip("dpbook.ext.sphinx", reason="the book's extra is not installed")
    [(_, [listed])] = sphinx._rows((card.Row("where", DEFINITIONS),), "index")
    assert [item["classes"] for item in listed] == [[], ["depth-1"]]


def test_the_expanded_statement_has_the_symbols_of_the_notation_and_no_others():
    one = recorded.entry("langevin:theorem-1")
    symbols = {name for name, _ in one.abbreviations}
    assert {name for name, _ in one.spelled.names} <= symbols
    assert "even mixture of Normal(mean_odd[r = 1]," in one.whole_card.statement.text
    with sympy.evaluate(False):
        for whole, short in zip(
            (one.claim.form, *one.claim.given),
            (one.spelled.form, *one.spelled.given),
            strict=True,
        ):
            for said, shown in zip(expressions_of(whole), expressions_of(short), strict=True):
                assert str(unfold_definitions(shown)) == str(unfold_definitions(said))


def test_a_name_shows_the_bound_variables_that_its_part_depends_on():
    named = recorded.entry("contamination:theorem-4").named
    assert any(str(name).endswith("(omega)") for name, _ in named.names)


def test_a_short_statement_stays_as_it_is():
    one = recorded.entry("privacy:renyi-normal")
    assert one.named is None
    assert one.card == one.whole_card
    assert with_names(one.claim.form, one.claim.given, one.abbreviations) is None
