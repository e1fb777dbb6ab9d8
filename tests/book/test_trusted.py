"""The page of what is trusted: every rule, axiom and oracle, with the proofs that use each."""

import re
from types import SimpleNamespace

import pytest

from dpbook.engine.verdict import Evidence, Verdict
from dpbook.ext import trusted
from dpbook.kernel.axioms import AXIOMS, INTEGRALS
from dpbook.kernel.rules import RULES

TANGENT = {
    "rule": "axiom",
    "name": "exp above its tangent",
    "at": {"u": "x"},
    "premises": [{"rule": "known"}],
}
SOLVED = {"rule": "refute", "premises": [{"rule": "smt", "solver": "z3", "facts": [0]}]}
TWICE = {**TANGENT, "premises": [TANGENT]}


@pytest.fixture
def page(monkeypatch):
    on_record = {
        "privacy": {"privacy:a": {"certificate": TWICE}, "privacy:b": {"certificate": TANGENT}},
        "langevin": {"langevin:a": {"certificate": SOLVED}},
    }
    evidence = {
        "privacy": [Evidence(Verdict.PROVED, method="kernel")] * 2,
        "langevin": [
            Evidence(Verdict.PROVED, method="kernel"),
            Evidence(Verdict.PROVED, method="derivation, calculus"),
            Evidence(Verdict.REFUTED, method="point"),
        ],
    }
    found = {t: [SimpleNamespace(evidence=e) for e in each] for t, each in evidence.items()}
    monkeypatch.setattr(trusted.proofs, "of_topic", lambda topic: on_record.get(topic, {}))
    monkeypatch.setattr(trusted, "entries", lambda topic: found.get(topic, []))
    return trusted.page()


def rows(page, head):
    """The rows of the table under a head, by their first cell."""
    lines = page.split(f"## {head}\n")[1].split("\n## ")[0].splitlines()
    cells = [
        [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in lines
        if line.startswith("|")
    ]
    return {row[0]: row[1:] for row in cells[2:]}


def test_every_rule_stands_there_with_its_meaning_and_its_count(page):
    parts = dict(part.split("\n", 1) for part in page.split("## Axioms")[0].split("### ")[1:])
    assert {name.lower() for name in parts} == {name.lower() for name in RULES}
    for name, said in parts.items():
        uses = {"axiom": "In 2 proofs", "smt": "In 1 proof;", "known": "In 2 proofs"}
        assert said.strip().startswith(uses.get(name.lower(), "In "))
        assert "Goal " in said or "Condition" in said


def test_axioms_integrals_and_oracles_are_counted_once_a_proof(page):
    axioms, integrals = rows(page, "Axioms"), rows(page, "Integrals")
    assert set(axioms) == set(AXIOMS)
    assert set(integrals) == set(INTEGRALS)
    assert all(row[2] for row in (*axioms.values(), *integrals.values()))  # a source each
    used = {name: row[3] for name, row in axioms.items() if row[3] != "0"}
    assert used == {"exp above its tangent": "2"}
    assert rows(page, "Oracles") == {"z3": ["1"], "cvc5": ["0"]}


def test_what_rests_on_tactics_is_told_apart(page):
    assert "Of 4 claims that are proved, 3 have a proof on record" in page
    assert "and 1 rest on tactics alone" in page
    expected = {"calculus": ["1"], "derivation": ["1"]}
    assert rows(page, "Tactics without a certificate") == expected
