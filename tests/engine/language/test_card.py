"""One card for every reader: the same rows as text, as HTML and in the book; one table of verdicts."""

import json
import re
from pathlib import Path

import pytest
import sympy

from dpbook.engine.claims import drawing, record
from dpbook.engine.claims.entry import _with_common_sides
from dpbook.engine.claims.ledger import ledger
from dpbook.engine.language import card
from dpbook.engine.language.card import Code, Key, Maths, Row
from dpbook.engine.language.statement import Relation
from dpbook.engine.language.verdict import (
    HOW,
    LOOKS,
    Counterexample,
    Evidence,
    Verdict,
    badge,
    from_json,
    how,
    to_json,
)

ROOT = Path(__file__).parents[3]
FOUND = Evidence(
    Verdict.REFUTED,
    method="point",
    trusted=("exact arithmetic and Arb",),
    counterexample=Counterexample((("x", "1/2"),), "1/4", "<=", "1/8"),
    statement="x**2 <= 1/8",
    latex=r"x^2 \leq \frac{1}{8}",
    reason="a `remark` < this",
    sample=(("x", "1"),),
    margin="0.1 at x = 2",
    seconds=0.125,
)


def test_every_verdict_has_one_look_and_strengths_are_an_order():
    assert set(LOOKS) == set(Verdict)
    assert [verdict.value for verdict in LOOKS][:2] == ["proved", "refuted"]
    assert sorted(look.strength for look in LOOKS.values()) == list(range(len(LOOKS)))
    weakest = min(Verdict, key=lambda verdict: verdict.strength)
    assert weakest is Verdict.REFUTED
    assert max(Verdict, key=lambda verdict: verdict.strength) is Verdict.PROVED
    assert {verdict.value: look.on_record for verdict, look in LOOKS.items()} == record.STRENGTH


def test_colours_of_the_book_and_of_the_graph_are_those_of_the_table():
    css = (ROOT / "dpbook" / "ext" / "static" / "book.css").read_text()
    found = dict(re.findall(r"section\.claim-(\w+) \{ border-left-color: (#\w+); \}", css))
    assert (
        found == {verdict.value: look.frame for verdict, look in LOOKS.items()} == drawing.COLOURS
    )
    for verdict, look in LOOKS.items():
        assert f"background:{look.colour};" in badge(verdict)
        light = [int(look.colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [x / 12.92 if x <= 0.04 else ((x + 0.055) / 1.055) ** 2.4 for x in light]
        shine = sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
        assert 1.05 / (shine + 0.05) > 4.5, verdict  # white letters can be read


@pytest.mark.parametrize("topic", record.topics())
def test_every_method_on_record_is_told_in_words(topic):
    for key, row in record.read_record(record.record_path(topic)).items():
        for name in filter(None, row.get("method", "").split(", ")):
            assert name in HOW, f"{key}: {name}"
            assert " " in HOW[name], name


def test_methods_are_told_in_words_that_need_no_manual():
    assert how("identity").startswith("normal form")
    assert how("cells") == HOW["cells"]
    assert how("") == ""
    assert how("no such method") == "no such method"


def test_a_margin_that_rounding_decides_is_not_told_as_a_failure():
    def labels(margin):
        rows = Evidence(Verdict.SUPPORTED, margin=margin).rows
        return [(row.label, str(row.parts[0])) for row in rows]

    assert labels("2e-10 (relative) at n = 3; 18 points drawn")[0][0] == "closest"
    assert labels("8 points") == [("tried", "8 points")]
    told = [("tried", "18 points drawn, none fails in exact numbers")]
    assert labels("-1 (relative) at n = 3; 18 points drawn") == told
    assert labels("0 (relative) at n = 3; 18 points drawn") == told


def test_what_is_supported_by_the_kernel_is_proved_in_part():
    assert Evidence(Verdict.SUPPORTED, method="kernel").how.endswith(", of the part that is proved")
    assert Evidence(Verdict.PROVED, method="kernel").how == "each step checked by the kernel"
    assert not Evidence(Verdict.NOTED).in_part
    assert not Evidence(Verdict.SUPPORTED, method="points").in_part


def test_the_same_rows_are_text_and_html():
    shown = FOUND.card()
    text, made = card.as_text(shown), card.as_html(shown)
    assert text == repr(FOUND)
    assert made == FOUND._repr_html_()
    labels = [row.label for row in shown.rows]
    assert labels == ["counterexample", "there", "trusted", "closest", "remark"]
    for label in labels:
        assert f"  {label}: " in text
        assert f"<small>{label}:</small>" in made
    assert "x = 1/2" in text
    assert "<code>x = 1/2</code>" in made
    assert "a <code>remark</code> &lt; this" in made
    assert LOOKS[Verdict.REFUTED].frame in made


@pytest.mark.parametrize("verdict", list(Verdict))
def test_a_card_has_a_frame_in_the_colour_of_its_verdict_and_begins_with_it(verdict):
    shown = card.as_html(Evidence(verdict, statement="x < y", latex="x < y").card(key="own:eq-1"))
    style = re.match(r'<div class="claim-card" style="([^"]*)">', shown)[1]
    assert "border:1px solid" in style
    assert f"border-left:4px solid {LOOKS[verdict].frame}" in style
    first = re.sub(r"<[^>]+>", " ", shown.partition("</p>")[0]).split()
    assert first == [verdict.value, "own:eq-1"]


def test_what_is_trusted_can_be_told_apart():
    names = ("kernel", "axiom Gaussian, from a point", "axiom floor")
    assert "  trusted: " + "; ".join(names) in repr(Evidence(Verdict.PROVED, trusted=names))
    assert "  trusted: kernel, axiom floor" in repr(Evidence(Verdict.PROVED, trusted=names[::2]))


def test_a_proof_says_how_and_parts_of_every_kind_are_set():
    proved = Evidence(Verdict.PROVED, method="identity", statement="x = x", latex="x = x")
    assert repr(proved).splitlines()[1] == (
        "  how: normal form: both sides become the same expression"
    )
    rows = [Row("given", (Maths("x > 0", "x \\gt 0"), Code("a<b"), Key("own:eq-1"), "words"))]
    shown = proved.card(rows, key="own:eq-2", title="A & B", lines=("proof", "  1. so"))
    assert card.as_text(shown) == (
        "own:eq-2  A & B\n\n  PROVED  x = x\n  given: x > 0, a<b, own:eq-1, words\n  proof\n    1. so"
    )
    made = card.as_html(shown)
    assert r"\(x \gt 0\)</span>, <code>a&lt;b</code>, <code>own:eq-1</code>, words" in made
    assert "A &amp; B" in made


def test_evidence_survives_being_written_down():
    again = from_json(json.loads(json.dumps(to_json(FOUND))))
    assert again == Evidence(**{**vars(FOUND), "statement": "", "latex": ""})


def test_a_record_is_read_by_the_same_reader():
    at_a_point = from_json({"verdict": "refuted", "counterexample": {"x": "1"}, "finding": "2 < 1"})
    assert at_a_point.counterexample.told == [("counterexample", "x = 1"), ("there", "2 < 1")]
    symbol_called_point = from_json({"verdict": "refuted", "counterexample": {"point": "1"}})
    assert symbol_called_point.counterexample.where == "point = 1"
    without = from_json({"verdict": "refuted", "counterexample": "the limit is 2"})
    assert without.counterexample.told == [("because", "the limit is 2")]
    assert from_json({"verdict": "noted"}).counterexample is None


def test_what_a_side_exceeds_stands_below_it_where_that_is_three_times_or_more():
    n, x, y = sympy.symbols("n x y", real=True)
    many = [Relation(n, ">=", e) for e in (x, y, x * y)]
    few = [Relation(x, ">", sympy.S.Zero), Relation(n, "<", x), Relation(n, "<", y)]
    conditions = [few[0], *many, *few[1:]]
    lines = _with_common_sides([(t, Maths(str(t), t.latex())) for t in conditions])
    assert [(line.depth, line.text) for line in lines] == [
        (0, "x > 0"),
        (0, "n >= each of"),
        (1, "x"),
        (1, "y"),
        (1, "x*y"),
        (0, "n < x"),
        (0, "n < y"),
    ]
    assert lines[1].latex == r"n \geq \text{ each of}"
    alike = [(Relation(n, "==", e), Maths(str(e), "")) for e in (x, y, x * y)]
    assert _with_common_sides(alike)[0].text == "n = each of"


def test_where_a_number_is_sought_is_no_condition_of_the_statement():
    found = ledger["langevin:theorem-1.step"]
    rows = {
        one.label: [getattr(part, "text", part) for part in one.parts] for one in found.card.rows
    }
    assert rows["sought among"] == ["integers k >= 0"]
    assert "integers n >= 2" in rows["given"]
    assert "integers k >= 0" not in rows["given"]
