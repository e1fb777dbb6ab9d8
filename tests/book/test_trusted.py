"""The page of what is trusted: every rule, function and axiom, with the proofs that use each."""

import inspect
import re
import textwrap
from pathlib import Path
from types import SimpleNamespace

import pytest

import dpbook
from dpbook.engine.claims import record
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.ext import trusted
from dpbook.kernel.files import lemmas as of_kernel
from dpbook.kernel.files.about import lines_of_code
from dpbook.kernel.rules import RULES
from dpbook.kernel.table import AXIOMS, FUNCTIONS, INTEGRALS, UNPROVED


def on_record(topic):
    """The rows of a topic's record."""
    return record.read_record(record.record_path(topic))


TANGENT = {
    "rule": "axiom",
    "name": "exp above its tangent",
    "at": {"u": "x"},
    "premises": [{"rule": "auto"}],
}
SOURCE = "A. Author, A book, 1999, theorem 1"
NAMED = f"named axiom privacy:axiom-a ({SOURCE})"
EMPTY = {"rule": "refute", "premises": [{"rule": "auto"}]}
GOAL = "exp(x) - exp(1)*floor(x) >= 0"
TWICE = {**TANGENT, "premises": [TANGENT]}


@pytest.fixture
def page(monkeypatch):
    on_record = {
        "privacy": {
            "privacy:a": {"sequent": {"goal": GOAL}, "certificate": TWICE},
            "privacy:b": {"certificate": TANGENT},
        },
        "contamination": {"contamination:axiom-a": {"axiom": SOURCE}},
        "langevin": {"langevin:a": {"certificate": EMPTY}},
    }
    evidence = {
        "privacy": [
            Evidence(Verdict.PROVED, method="kernel"),
            Evidence(Verdict.PROVED, method="kernel", trusted=("kernel", NAMED)),
        ],
        "langevin": [
            Evidence(Verdict.PROVED, method="kernel"),
            Evidence(Verdict.SUPPORTED, method="points"),
            Evidence(Verdict.REFUTED, method="point"),
        ],
    }
    plain = SimpleNamespace(axiom=False)
    axiom = SimpleNamespace(axiom=True, key="privacy:axiom-a", title="A fact", source=SOURCE)
    found = {
        t: [SimpleNamespace(evidence=e, claim=plain) for e in each] for t, each in evidence.items()
    }
    found["contamination"] = [SimpleNamespace(evidence=Evidence(Verdict.SUPPORTED), claim=axiom)]
    monkeypatch.setattr(trusted.proof_files, "of_topic", lambda topic: on_record.get(topic, {}))
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
        uses = {"axiom": "In 2 proofs", "refute": "In 1 proof;", "auto": "In 3 proofs"}
        assert said.strip().startswith(uses.get(name.lower(), "In "))
        assert "Goal " in said or "Condition" in said


def test_axioms_and_integrals_are_counted_once_a_proof(page):
    axioms, integrals = rows(page, "Axioms"), rows(page, "Integrals")
    assert set(axioms) == AXIOMS.keys() & UNPROVED
    assert set(integrals) == INTEGRALS.keys() & UNPROVED
    assert all(row[2] and row[3] for row in (*axioms.values(), *integrals.values()))
    assert axioms["coth = cosh/sinh"][0] == "`coth(u)*sinh(u) - cosh(u) == 0 if u != 0`"
    assert {name for name, row in axioms.items() if row[4] != "0"} == set()


def test_lemmas_stand_there_with_what_their_proofs_use(page):
    lemmas = rows(page, "Lemmas of the kernel")
    assert set(lemmas) == {*AXIOMS, *INTEGRALS} - UNPROVED
    below_1, above_1 = lemmas["log rational"][0].split("<br>")[::-1]
    assert below_1 == "`(u + 1)*log(u) + (-2)*(u - 1) < 0 if u > 0, u - 1 < 0`"
    assert above_1 == "`(u + 1)*log(u) + (-2)*(u - 1) > 0 if u - 1 > 0`"
    assert {name: row[4] for name, row in lemmas.items() if row[4] != "0"} == {
        "exp above its tangent": "2"
    }
    order = list(of_kernel.on_record())
    for name, (_, _, used, rules, _) in lemmas.items():
        earlier = {*order[: order.index(name)], *UNPROVED}
        assert set(used.split("; ")) - {""} <= earlier, name
        assert set(rules.split(", ")) <= set(RULES), name
    assert lemmas["absolute value"][2] == ""
    assert f"{len(lemmas)} facts about functions that proofs use like axioms are proved." in page
    assert re.search(r"Of [1-9]\d* of them the proof says little", page)


def test_functions_stand_there_with_their_domains_and_how_many_proofs_name_them(page):
    functions = rows(page, "Functions")
    assert {name.strip("`").partition("(")[0] for name in functions} == set(FUNCTIONS)
    assert functions["`log(u)`"] == ["`u > 0`", "`1/u`", "0"]
    assert functions["`lowergamma(u, v)`"][1] == "`by v: v^(u - 1)*exp(-v)`"
    assert functions["`floor(u)`"][:2] == ["everywhere", ""]
    assert {name: row[2] for name, row in functions.items() if row[2] != "0"} == {
        "`exp(u)`": "1",
        "`floor(u)`": "1",
    }


def test_files_of_the_kernel_stand_there_with_their_sizes(page):
    files = rows(page, "The program")
    kernel = Path(dpbook.__file__).parent / "kernel"
    assert len(files) == len(list(kernel.rglob("*.py")))
    assert all(said for said, _ in files.values())
    sizes = [int(size) for _, size in files.values()]
    assert f"The kernel has {sum(sizes):,} lines of code in {len(files)} files" in page
    assert "Two of the others are trusted as well" in page


CODE = """
    \"\"\"What the module is.\"\"\"

    import os  # counted


    # not counted
    def f(x):
        \"\"\"What it returns,

        in two lines.
        \"\"\"
        text = \"\"\"these two
        are code\"\"\"
        return (
            x  # the lines of a bracket, four

            + text
        )
"""


def test_lines_of_code_are_those_that_are_no_comment_and_no_docstring():
    assert lines_of_code(textwrap.dedent(CODE)) == 8


def test_axioms_of_the_literature_stand_there_with_what_rests_on_them(page):
    assert rows(page, "Named axioms") == {"{claim}`privacy:axiom-a`": ["A fact", SOURCE, "1"]}
    assert "1 of the 3 claims that are proved rest on it." in page


def test_a_claim_that_is_proved_has_a_proof_that_the_kernel_checks(page):
    assert "Each of the 3 claims that are proved has a proof that the kernel checks; 3" in page
    assert "0 of the 1 refutations" in page


def test_no_claim_on_record_is_proved_by_anything_but_the_kernel():
    rows = {key: row for topic in record.topics() for key, row in on_record(topic).items()}
    proved = {key: row for key, row in rows.items() if row["verdict"] == "proved"}
    assert len(proved) > 1000
    assert {key for key, row in proved.items() if row["trusted"][0] != "kernel"} == set()


def test_rules_are_told_in_lines_that_the_page_has_room_for():
    for name, rule in RULES.items():
        said = inspect.getdoc(rule) or ""
        told = trusted._narrow(said)
        assert told.split() == said.split(), name
        assert max(map(len, told.splitlines())) <= 84, name
    assert "\nWith an end  b in place of oo" in trusted._narrow(inspect.getdoc(RULES["descend"]))
    wrapped = trusted._narrow(f"Conclude it.\n\nGoal     {'a is b, and ' * 12}c\nSource   a book")
    first, blank, goal, more, *_, last = wrapped.splitlines()
    assert (first, blank, last) == ("Conclude it.", "", "Source   a book")
    assert goal.startswith("Goal     a is b")
    assert more.startswith(" " * 9 + "is b")
