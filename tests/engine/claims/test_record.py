"""Records and remembered values: whole files, in order, and never an obstacle."""

import json

import pytest

from dpbook.engine.claims import record


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    record.cache_folder.cache_clear()
    yield
    record.cache_folder.cache_clear()


def row(key, verdict="proved"):
    names = ("method", "trusted", "counterexample", "certificate", "finding", "reason")
    return {"key": key, "hash": "a", "verdict": verdict, **dict.fromkeys(names)}


def test_remembered_value_is_found_under_its_key_only():
    record.remember("claims", "a", "key", [1])
    assert record.recall("claims", "a", "key") == [1]
    assert record.recall("claims", "a", "other") is None
    assert record.recall("claims", "b", "key") is None


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"key": "key"}', "\x00"])
def test_broken_cache_file_is_a_miss(text):
    path = record.cache_folder() / "claims" / "a.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    assert record.recall("claims", "a", "key") is None


def test_cache_file_that_is_no_text_is_a_miss():
    path = record.cache_folder() / "claims" / "a.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe")
    assert record.recall("claims", "a", "key") is None


def test_cache_folder_that_cannot_be_made_costs_only_time(tmp_path):
    (tmp_path / "cache").write_text("a file")
    record.remember("claims", "a", "key", 1)
    assert record.recall("claims", "a", "key") is None


def test_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "whole.json"
    record.write_atomically(path, "before")
    with pytest.raises(UnicodeEncodeError):
        record.write_atomically(path, "\ud800")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.glob("*.part")] == []


def test_record_keeps_the_order_of_the_paper(tmp_path):
    path = tmp_path / "record.json"
    record.write_record(path, [row("t:b"), row("t:a")], {}, [])
    assert list(record.read_record(path)) == ["t:b", "t:a"]
    record.write_record(path, [row("t:a"), row("t:b")], record.read_record(path), [])
    assert list(record.read_record(path)) == ["t:a", "t:b"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"claims": 3}', '{"claims": {"a": 3}}', '{"claims":' * 100_000]
)
def test_broken_record_is_one_line(tmp_path, text):
    path = tmp_path / "record.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="record.json is not a record of verdicts") as caught:
        record.read_record(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("topic", record.topics())
def test_no_claim_on_record_is_undecided_and_every_one_has_its_hash(topic):
    claims = record.read_record(record.record_path(topic))
    assert claims
    for key, one in claims.items():
        assert key.startswith(f"{topic}:")
        assert one["hash"]
        assert one["verdict"] in set(record.STRENGTH) - {"undecided"}


def test_every_refuted_claim_has_a_test_that_names_it():
    tests = record.PACKAGE.parent / "tests"
    table = (tests / "test_recomputed.py").read_text()
    text = {
        t: table + "".join(p.read_text() for p in (tests / t).glob("test_*.py"))
        for t in record.topics()
    }
    unnamed = [
        key
        for topic in record.topics()
        for key, one in record.read_record(record.record_path(topic)).items()
        if one["verdict"] == "refuted"
        and f'"{key.partition(":")[2]}"' not in text[topic]
        and f'"{key}"' not in text[topic]
    ]
    assert unnamed == []


def test_record_is_json_with_a_single_field():
    for topic in record.topics():
        assert list(json.loads(record.record_path(topic).read_text())) == ["claims"]
