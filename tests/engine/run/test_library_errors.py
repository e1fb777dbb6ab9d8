"""Errors of libraries: they decide nothing, and reach no user."""

import pytest
import sympy

from dpbook.engine.language.errors import of_a_library
from dpbook.engine.language.statement import StatementError
from dpbook.engine.language.task import make_task
from dpbook.engine.run import decide as deciding


def run_with(monkeypatch, failing):
    class Failing:
        def __init__(self, task):
            pass

        def run(self):
            failing()

    monkeypatch.setattr(deciding, "Trial", Failing)
    with sympy.evaluate(False):
        return deciding.tried(make_task((sympy.Symbol("x", real=True), ">=", 0)))


def test_error_of_a_library_decides_nothing(monkeypatch):
    found = run_with(monkeypatch, lambda: sympy.Rational(1, "no number"))
    assert found.verdict.value == "undecided"
    assert "a library failed" in found.reason


def test_error_of_this_package_is_raised(monkeypatch):
    with pytest.raises(StatementError):
        run_with(monkeypatch, lambda: sympy.Integer(1) and refuse())


def refuse():
    from dpbook.engine.language.statement import as_tree

    as_tree([])


def test_the_last_frame_says_whose_an_error_is():
    with pytest.raises(StatementError) as ours:
        refuse()
    assert not of_a_library(ours.value)
    with pytest.raises(TypeError) as theirs:
        sympy.Rational(1, "no number")
    assert of_a_library(theirs.value)
