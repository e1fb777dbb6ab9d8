"""Whether a claim says what the paper says: data/fidelity.csv has a grade for every printed key."""

import csv
from datetime import date
from pathlib import Path

import pytest

from dpbook.engine.claims import catalog
from tests.claimed import rows_of

TABLE = Path(__file__).parents[1] / "data" / "fidelity.csv"
# as printed; a special case that its label names; as far as its scope says; no statement
GRADES = {"faithful", "family", "partial", "noted"}
TOPICS = (
    "contamination",
    "depth_medians",
    "langevin",
    "posterior_sampling",
    "unknown_sample_size",
)


def graded(topic):
    """The rows of the table about a topic, by the keys without its name."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["key"].startswith(f"{topic}:")]
    found = {row["key"].partition(":")[2]: row for row in rows}
    assert len(found) == len(rows), "a key stands there twice"
    return found


def printed(topic):
    """The keys of the paper's own statements and of their repairs, with what is on record of them."""
    rows = {key.partition(":")[2]: row for key, row in rows_of(topic).items()}
    return {key: row for key, row in rows.items() if not key.startswith(("note-", "axiom-"))}


@pytest.mark.parametrize("topic", TOPICS)
def test_every_printed_key_has_a_grade_and_no_other_key_has_one(topic):
    assert set(graded(topic)) == set(printed(topic)), (
        "data/fidelity.csv has a row (key, grade, reason, date) for each claim but note- and axiom-, and no other"
    )


@pytest.mark.parametrize("topic", TOPICS)
def test_every_grade_has_a_reason_and_a_date(topic):
    for key, row in graded(topic).items():
        assert row["grade"] in GRADES, key
        assert row["reason"].strip(), key
        assert date.fromisoformat(row["date"]), key


@pytest.mark.parametrize("topic", TOPICS)
def test_grades_agree_with_the_verdicts_on_record(topic):
    rows = printed(topic)
    scopes = {claim.key.partition(":")[2]: claim.scope for claim in catalog.load(topic)}
    for key, row in graded(topic).items():
        verdict = rows[key]["verdict"]
        assert (row["grade"] == "noted") == (verdict == "noted"), key
        assert (row["grade"] == "partial") == bool(scopes[key]), key
        assert row["grade"] == "partial" or verdict != "supported", key
