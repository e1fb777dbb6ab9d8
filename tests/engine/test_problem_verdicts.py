"""A short search decides as many problems as the file says: neither fewer nor more.

When a verdict differs: ``python -m tests.engine.problems.verdicts`` writes the file anew. A problem
that is no longer proved or refuted is a search that became weaker.
"""

import os

import pytest

from dpbook.engine.prove import certify
from tests.engine.problems.verdicts import collections, on_file, verdict_of

PROBLEMS = collections()
ON_FILE = on_file()
FULL = "DPBOOK_FULL" in os.environ


def differing(collection, long):
    """Return what differs from the file, by problem: the verdict now, and the one on file."""
    found = {}
    for name, problem in PROBLEMS[collection].items():
        verdict, is_long = ON_FILE[f"{collection}:{name}"]
        if is_long is long and (now := verdict_of(*problem)) != verdict:
            found[name] = f"{now} now, {verdict} on file"
    return found


def test_file_names_each_problem_once():
    assert list(ON_FILE) == [f"{stem}:{name}" for stem, rows in PROBLEMS.items() for name in rows]


@pytest.mark.parametrize("collection", PROBLEMS)
def test_verdicts_of_quick_problems_are_those_on_file(collection):
    assert differing(collection, long=False) == {}


@pytest.mark.skipif(not FULL, reason="long problems are compared in .ci/full")
@pytest.mark.parametrize("collection", PROBLEMS)
def test_verdicts_of_long_problems_are_those_on_file(collection):
    assert differing(collection, long=True) == {}


def test_search_without_a_tactic_is_noticed(monkeypatch):
    proved = [key for key, (verdict, long) in ON_FILE.items() if verdict == "proved" and not long]
    fewer = [
        one for one in certify.TACTICS if one[0] not in ("combination", "axioms", "few axioms")
    ]
    monkeypatch.setattr(certify, "TACTICS", tuple(fewer))
    lost = {
        name
        for name in (key.partition(":")[2] for key in proved if key.startswith("polya:"))
        if verdict_of(*PROBLEMS["polya"][name]) != "proved"
    }
    assert lost
