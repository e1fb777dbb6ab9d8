"""Every exercise of every topic is tried with the answers in tests/TOPIC/answers.py."""

import importlib.util
from pathlib import Path

import pytest

from dpbook.teaching import exercises
from dpbook.teaching.exercises import check
from dpbook.teaching.questions import Mark

RIGHT, WRONG, UNDECIDED = {}, {}, {}
for path in sorted(Path(__file__).parents[1].glob("*/answers.py")):
    spec = importlib.util.spec_from_file_location(f"answers_{path.parent.name}", path)
    answers = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(answers)
    RIGHT |= answers.RIGHT
    WRONG |= answers.WRONG
    UNDECIDED |= answers.UNDECIDED


def rows(table):
    return [(key, answer) for key, answers in table.items() for answer in answers]


@pytest.mark.parametrize(("key", "answer"), rows(RIGHT))
def test_every_form_of_the_right_answer_passes(key, answer):
    outcome = check(key, answer)
    assert outcome.verdict is Mark.RIGHT, outcome


@pytest.mark.parametrize(("key", "case"), rows(WRONG))
def test_a_wrong_answer_is_wrong_and_a_misconception_gets_its_hint(key, case):
    answer, hint = case
    outcome = check(key, answer)
    assert outcome.verdict is Mark.WRONG, outcome
    assert outcome.hint.startswith(hint), outcome
    assert bool(outcome.hint) == bool(hint), outcome


@pytest.mark.parametrize(("key", "answer"), rows(UNDECIDED))
def test_what_is_no_answer_is_not_decided(key, answer):
    outcome = check(key, answer)
    assert outcome.verdict is Mark.OPEN, outcome
    assert outcome.message


def test_every_exercise_and_every_misconception_is_tried():
    keys = {key for key in exercises.ids() if not key.startswith("own:")}
    assert keys == set(RIGHT) == set(WRONG) == set(UNDECIDED)
    for key in keys:
        hints = [hint for _, hint in WRONG[key] if hint]
        for slip in exercises.find(key).slips:
            assert any(slip.hint.startswith(hint) for hint in hints), slip.hint
