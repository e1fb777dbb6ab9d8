"""Long statements with names for their parts: they say what the statement says, and are shorter."""

import pytest
import sympy

from dpbook.engine import card
from dpbook.engine.named import LONG, put_in, with_names
from dpbook.engine.statement import unfold_definitions
from dpbook.engine.task import expressions_of
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


def test_a_name_shows_the_bound_variables_that_its_part_depends_on():
    named = recorded.entry("contamination:theorem-4").named
    assert any(str(name).endswith("(omega)") for name, _ in named.names)


def test_a_short_statement_stays_as_it_is():
    one = recorded.entry("privacy:renyi-normal")
    assert one.named is None
    assert one.card == one.whole_card
    assert with_names(one.claim.form, one.claim.given, one.abbreviations) is None
