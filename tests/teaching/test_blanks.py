"""Blanks of a derivation: each is decided by itself, and counts its share."""

from fractions import Fraction

import numpy
import pytest

from dpbook.engine.language.domain import symbol
from dpbook.teaching import exercises
from dpbook.teaching.questions import Blanks, Mark, Slip

x, y = symbol("x", above=0), symbol("y")


def made(**changed):
    return Blanks(
        **{
            "question": "Fill in the blanks.",
            "hints": ("Multiply out.",),
            "lines": ("(x + y)^2", "x^2 + [a] + y^2", "<= 2*[b] + 2*y^2"),
            "solution": {"a": "2*x*y", "b": "x^2"},
            "symbols": lambda: [x, y],
            "slips": (Slip({"a": "x*y"}, "It stands there twice."),),
            **changed,
        }
    )


@pytest.fixture(autouse=True)
def own():
    exercises.exercise("own:fill", made())
    yield
    del exercises.REGISTRY["own:fill"]


@pytest.mark.parametrize(
    ("answer", "mark", "share"),
    [
        ("a = 2x*y; b = x²", Mark.RIGHT, 1),
        ({"a": "x*y*2", "b": x * x}, Mark.RIGHT, 1),
        ("a = Max(2*x*y, 2*x*y), b = x*x", Mark.RIGHT, 1),
        ("a = 2*x*y; b = 3*x^2", Mark.WRONG, Fraction(1, 2)),
        ("a = 2*x*y", Mark.OPEN, Fraction(1, 2)),
        ("a = x; b = y", Mark.WRONG, 0),
        ("a = ; b =", Mark.OPEN, 0),
        ({"a": " ", "b": None}, Mark.OPEN, 0),
        ({"a": numpy.array([1, 2])}, Mark.OPEN, 0),
        ("c = 1", Mark.OPEN, 0),
        ("a = x; a = y", Mark.OPEN, 0),
        ("x", Mark.OPEN, 0),
        (3, Mark.OPEN, 0),
    ],
)
def test_each_blank_is_decided_by_itself(answer, mark, share):
    outcome = exercises.check("own:fill", answer)
    assert outcome.verdict is mark, outcome
    assert outcome.share == share
    assert bool(outcome.message) != (mark is Mark.RIGHT)


def test_a_misconception_of_a_blank_gets_its_hint():
    outcome = exercises.check("own:fill", "a = x*y; b = x^2")
    assert outcome.hint == "It stands there twice."
    assert "a is wrong: at x = 1, y = 1 your answer is 1, and the right one is 2" in outcome.message
    assert outcome.message.endswith("b is right")


def test_lines_are_shown_with_boxes():
    shown = exercises.find("own:fill")
    assert repr(shown).splitlines()[2] == "  x^2 + [a] + y^2"
    assert r"\boxed{a}" in shown._repr_html_()
    assert "&lt;" not in shown._repr_html_()  # <= is typeset
    assert r"\le 2" in shown._repr_html_()


def test_an_exercise_whose_own_lines_are_wrong_gives_no_verdict():
    exercises.exercise("own:false", made(lines=("(x + y)^2", "x^2 + [a]", "[b]")))
    try:
        outcome = exercises.check("own:false", "a = 2*x*y; b = x^2")
    finally:
        del exercises.REGISTRY["own:false"]
    assert outcome.verdict is Mark.OPEN
    assert outcome.message == "line 2 of this exercise does not follow: tell who wrote it"


@pytest.mark.parametrize(
    "changed", [{"lines": ("x",)}, {"lines": ("[a]", "[a]")}, {"solution": {"a": "x"}}]
)
def test_blanks_and_solutions_belong_together(changed):
    with pytest.raises(ValueError, match="each blank, such as"):
        made(**changed)


def test_a_wrong_solution_of_the_author_marks_no_answer_wrong():
    exercises.exercise("own:wrong-solution", made(solution={"a": "3*x*y", "b": "x^2"}))
    try:
        outcome = exercises.check("own:wrong-solution", "a = 2*x*y; b = x^2")
    finally:
        del exercises.REGISTRY["own:wrong-solution"]
    assert outcome.verdict is Mark.OPEN
    assert outcome.message == "line 2 of this exercise does not follow: tell who wrote it"
