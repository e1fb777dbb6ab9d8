"""A number from a claim: what it shows, and that there is one class of them."""

import ast
import dataclasses
import pickle
from pathlib import Path

import pytest

import dpbook
from dpbook.privacy import Value, zcdp_to_dp
from dpbook.privacy.value import check_version

LOSS = Value(2.5, "privacy:renyi-normal", "printed", "Renyi loss", "<=", {"order": 2})


def test_a_value_shows_number_claim_and_version():
    assert repr(LOSS) == (
        "Value(Renyi loss <= 2.5, order=2, claim='privacy:renyi-normal', version='printed')"
    )
    assert LOSS.describe() == (
        "The Renyi loss is at most 2.5 at order 2, by privacy:renyi-normal, as printed."
    )
    assert Value(0.25, "t:lemma", of="L").describe() == "L is 0.25, by t:lemma."
    assert "&lt;" in Value(1, "t:lemma", of="a < b")._repr_html_()
    assert float(LOSS) == 2.5
    assert LOSS["order"] == 2
    assert pickle.loads(pickle.dumps(LOSS)) == LOSS
    assert dataclasses.replace(LOSS, version="corrected") != LOSS
    with pytest.raises(KeyError):
        LOSS["delta"]


def test_an_unknown_version_is_refused():
    check_version("printed")
    with pytest.raises(ValueError, match='version must be "corrected" or "printed", got \'best\''):
        check_version("best")


def test_a_budget_is_a_value():
    budget = zcdp_to_dp(0.5, 1e-6)
    assert isinstance(budget, Value)
    assert float(budget) == budget.epsilon
    assert (budget.delta, budget.order) == (budget["delta"], budget["order"])
    assert pickle.loads(pickle.dumps(budget)) == budget


def test_no_other_class_is_a_number_and_its_claim():
    """A class with both, and no more than labels beside them, would be a second `Value`."""
    labels = {"of", "order", "side", "symbol", "offset", "version", "relation", "at"}
    found = []
    for path in sorted(Path(dpbook.__path__[0]).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef):
                fields = {
                    line.target.id
                    for line in node.body
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name)
                }
                if {"value", "claim"} <= fields <= {"value", "claim", *labels}:
                    found.append(node.name)
    assert found == ["Value"]


def test_the_version_is_declared_once():
    found = [
        path.name
        for path in sorted(Path(dpbook.__path__[0]).rglob("*.py"))
        if 'Literal["corrected", "printed"]' in path.read_text()
    ]
    assert found == ["value.py"]
