"""A library that has no answer decides nothing; a fault of this package must not look like that."""

import types

import pytest
import sympy

from dpbook.engine.language.errors import LIBRARY_ERRORS, unless_ours
from dpbook.engine.language.task import Certified, make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.prove import certify
from dpbook.engine.run import decide
from dpbook.engine.run.decide import decided


def raised(error, module):
    """Raise an error in a function of a module that is made up, and return it with its frames."""
    made = types.ModuleType(module)
    made.error = error
    exec("def fail():\n    raise error", vars(made))
    try:
        made.fail()
    except BaseException as caught:
        return caught


@pytest.mark.parametrize("kind", [AssertionError, AttributeError, KeyError, NameError, ImportError])
def test_a_fault_of_ours_is_raised_again_and_that_of_a_library_is_not(kind):
    unless_ours(raised(kind("no"), "sympy.core.expr"))
    with pytest.raises(kind, match="no"):
        unless_ours(raised(kind("no"), "dpbook.engine.run.decide"))


def test_what_a_library_in_c_raises_in_a_frame_of_ours_is_not_ours():
    for error in (ValueError("no"), TypeError("no"), ZeroDivisionError("no"), RecursionError("no")):
        unless_ours(raised(error, "dpbook.engine.run.decide"))
        assert isinstance(error, LIBRARY_ERRORS)


def failing(module, error):
    made = types.ModuleType(module)
    made.error = error
    exec("def tactic(search, s, depth):\n    raise error", vars(made))
    return (("broken", made.tactic, 0),)


x, y = sympy.symbols("x y", real=True)
STATEMENT = (x**2 * y**2 + x**2 + y**2 + 1, ">=", 2 * x * y)


@pytest.mark.parametrize("kind", [AttributeError, NameError])
def test_a_tactic_that_a_typo_broke_is_no_undecided_statement(monkeypatch, kind):
    broken = failing("dpbook.engine.prove.tactics.broken", kind("typo"))
    monkeypatch.setattr(decide, "FIRST", broken)
    monkeypatch.setattr(certify, "TACTICS", broken)
    with pytest.raises(kind, match="typo"):
        decided(Certified(make_task(STATEMENT), {}))


def test_a_tactic_in_which_a_library_fails_leaves_the_statement_undecided(monkeypatch):
    broken = failing("sympy.polys", AttributeError("no such form"))
    monkeypatch.setattr(decide, "FIRST", broken)
    monkeypatch.setattr(certify, "TACTICS", broken)
    found = decided(Certified(make_task(STATEMENT), {}))
    assert found.verdict in (Verdict.SUPPORTED, Verdict.UNDECIDED)
