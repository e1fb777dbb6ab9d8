"""Verification: what differs from the record is named, and the exit status says so."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from dpbook import cli
from dpbook.engine.claims import catalog, proof_files, record, schedule, where
from dpbook.engine.claims.search_results import HEAD, NOT_FOUND, PART, SearchResults
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.run import workers
from dpbook.kernel.files import command as kernel
from dpbook.kernel.files import replay

TESTS = Path(__file__).resolve().parents[2]
OWN = """
from sympy import exp

from dpbook import Noted, claim, symbol

t = symbol("t", above=0)


@claim("tangent")
def tangent():
    \"\"\"Above its tangent.\"\"\"
    return exp(t) >= 1 + t


@claim("half", using=["tangent"])
def half():
    \"\"\"Half of it.\"\"\"
    return exp(t) >= 1 + t / 2


@claim("definition-1")
def name():
    \"\"\"A name.\"\"\"
    return Noted("a name")
"""
ROUNDED = """
from sympy import floor

from dpbook import claim, symbol

t = symbol("t")


@claim("rounded")
def rounded():
    \"\"\"Rounded down.\"\"\"
    return (floor(t), "<=", t)
"""
FALSE = """

@claim("false"{options})
def gap():
    \"\"\"A slip.\"\"\"
    return exp(t) >= 1 + 2 * t
"""
SEQUENT = {"variables": {"t": "real"}, "given": ["t > 0"], "goal": "exp(t) >= 1 + t"}
AXIOM = {"sequent": SEQUENT, "axiom": "A. Author, A book, 1999, theorem 1"}
ABSURD = {
    "sequent": {"variables": {}, "given": [], "goal": "0 > 1"},
    "axiom": "A. Author, A book, 1999, theorem 2",
}


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in (*arguments, "--jobs", 1)])
        shown = capsys.readouterr()
        return stop.value.code, shown.out, shown.err

    return run


def put_on_record(folder, text):
    """Return the texts of a file, its record and its proofs, as `--record` writes them."""
    path = folder / "mine.py"
    path.write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPBOOK_CACHE", str(folder / "cache"))
        record.cache_folder.cache_clear()
        with pytest.raises(SystemExit) as stop:
            cli.main(["verify", str(path), "--record", "--jobs", "1"])
    assert stop.value.code == 0
    names = ("mine.py", "mine.record.json", "mine.proofs.json")
    return {name: (folder / name).read_text() for name in names}


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    return put_on_record(tmp_path_factory.mktemp("recorded"), OWN)


@pytest.fixture(scope="module")
def recorded_floor(tmp_path_factory):
    return put_on_record(tmp_path_factory.mktemp("floor"), ROUNDED)


def write_all(folder, texts):
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder / "mine.py"


@pytest.fixture
def mine(tmp_path, recorded):
    return write_all(tmp_path, recorded)


@pytest.fixture
def rounded(tmp_path, recorded_floor):
    """A claim whose proof rests on an axiom."""
    return write_all(tmp_path, recorded_floor)


def change_record(path, change):
    at = path.with_suffix(".record.json")
    data = json.loads(at.read_text())
    change(data["claims"])
    at.write_text(json.dumps(data))


def change_proofs(path, change):
    entries = dict(proof_files.in_file(proof_files.beside(path)))
    change(entries)
    proof_files.beside(path).write_text(json.dumps({"format": replay.FORMAT, **entries}))


def test_as_recorded_nothing_differs(run, mine):
    status, out, err = run("verify", mine)
    assert (status, err) == (0, "")
    assert out.endswith("as on record\n")
    rows = record.read_record(mine.with_suffix(".record.json"))
    assert rows["mine:tangent"]["trusted"] == ["kernel"]  # its proof uses lemmas of the kernel


KERNEL, FLOOR = "kernel", "axiom floor"


@pytest.mark.parametrize(
    "said",
    [
        *([], [KERNEL], [FLOOR], [KERNEL, FLOOR, "axiom ceiling"]),
        *([KERNEL, "axiom ceiling"], [KERNEL, FLOOR, FLOOR]),
    ],
)
def test_what_the_record_trusts_is_what_the_kernel_says(run, rounded, said):
    change_record(rounded, lambda claims: claims["mine:rounded"].update(trusted=said))
    for _ in range(2):  # also of what is remembered
        status, out, _ = run("verify", rounded)
        assert status == 1
        shown = ", ".join(said) or "nothing"
        assert f"differs: trusted on record is {shown}; its proof trusts {KERNEL}, {FLOOR}" in out
        assert "1 differs from the record\n" in out


def test_a_definition_trusts_nothing(run, mine):
    change_record(mine, lambda claims: claims["mine:definition-1"].update(trusted=[KERNEL]))
    assert run("verify", mine)[0] == 1


def test_the_order_of_what_is_trusted_is_no_difference(run, rounded):
    change_record(rounded, lambda claims: claims["mine:rounded"].update(trusted=[FLOOR, KERNEL]))
    assert run("verify", rounded)[0] == 0


@pytest.mark.parametrize("key", ["mine:tangent-2", "mine:Tangent", "other:tangent", "zero"])
@pytest.mark.parametrize("entry", ["a proof", "an axiom"])
def test_an_entry_of_no_claim_is_named(run, mine, key, entry):
    added = (
        ABSURD
        if entry == "an axiom"
        else proof_files.in_file(proof_files.beside(mine))["mine:tangent"]
    )
    change_proofs(mine, lambda entries: entries.update({key: added}))
    status, out, _ = run("verify", mine)
    assert status == 1
    why = "mine.proofs.json has a proof of it, and it is no claim there"
    assert f"foreign   {key}: {why}\n" in out
    assert run("verify", mine, "--format", "json")[2] == f"{key} differs: {why}\n"
    report = mine.with_suffix(".xml")
    assert run("verify", mine, "--format", "junit", "--output", report)[0] == 1
    suite = ElementTree.parse(report).getroot()
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("4", "1")
    assert [failure.attrib["message"] for failure in suite.iter("failure")] == [f"{key}: {why}"]


def test_a_proof_of_a_definition_is_named(run, mine):
    change_proofs(mine, lambda entries: entries.update({"mine:definition-1": ABSURD}))
    status, out, _ = run("verify", mine)
    assert status == 1
    assert "there is nothing to prove, and a proof stands among those on record" in out


def test_an_axiom_in_place_of_a_proof_is_named(run, mine):
    change_proofs(mine, lambda entries: entries.update({"mine:tangent": AXIOM}))
    for _ in range(2):
        status, out, _ = run("verify", mine)
        assert status == 1
        assert "proved    mine:tangent" in out
        assert "differs: an axiom stands among the proofs in place of its proof" in out
    assert run("verify", "--record", mine)[0] == 0
    assert run("verify", mine)[0] == 0


def test_an_axiom_without_a_record_is_named(run, mine):
    mine.with_suffix(".record.json").unlink()
    assert run("verify", mine)[0] == 0
    change_proofs(mine, lambda entries: entries.update({"mine:tangent": AXIOM}))
    assert run("verify", mine)[0] == 1


@pytest.mark.parametrize("label", ["half", "tangent"])
def test_a_proof_that_is_missing_is_named(run, mine, label):
    change_proofs(mine, lambda entries: entries.pop(f"mine:{label}"))
    for _ in range(2):
        status, out, _ = run("verify", mine)
        assert status == 1
        assert f"proved    mine:{label}" in out
        assert "differs: its proof is missing among those on record" in out


def test_no_file_of_proofs_is_missing_proofs(run, mine):
    proof_files.beside(mine).unlink()
    status, out, _ = run("verify", mine)
    assert status == 1
    assert out.count("its proof is missing among those on record") == 2


def test_a_search_may_find_a_proof_that_trusts_something_else(run, mine):
    change_record(mine, lambda claims: claims["mine:tangent"].update(trusted=[KERNEL, "axiom b"]))
    assert run("verify", mine, "--search")[0] == 0


def test_a_proof_of_a_claim_in_two_files_is_named(tmp_path):
    from dpbook.engine.claims.verification import _foreign

    claims = [SimpleNamespace(key="t:a"), SimpleNamespace(key="t:b")]
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    for path, keys in zip(paths, (("t:a",), ("t:a", "t:b")), strict=True):
        proof_files.write(path, dict.fromkeys(keys, ABSURD))
    said = "its proof stands twice: in one.json and in two.json"
    assert _foreign(claims, paths) == {"t:a": said}


def test_a_topic_names_what_is_foreign_missing_and_shortened(run, tmp_path, monkeypatch):
    """Three claims of a topic with a copy of the record."""
    topic, package = "unknown_sample_size", record.PACKAGE
    rows = record.read_record(record.record_path(topic))
    entries = proof_files.of_topic(topic)
    alone = [c for c in catalog.load(topic) if c.key in entries and not c.using and not c.corrects][
        :3
    ]
    keys = [claim.key for claim in alone]
    monkeypatch.setattr(catalog, "load", lambda name: list(alone))
    monkeypatch.setattr(record, "PACKAGE", tmp_path)
    folder = tmp_path / topic / "claims"
    (folder / "proofs").mkdir(parents=True)
    copy = json.loads(json.dumps({key: rows[key] for key in keys}))
    (folder / "record.json").write_text(json.dumps({"claims": copy}))
    kept = {key: entries[key] for key in keys}
    proof_files.write(folder / "proofs" / "section.json", kept)
    assert run("verify", "--topic", topic)[0] == 0
    copy[keys[0]]["trusted"] = []
    (folder / "record.json").write_text(json.dumps({"claims": copy}))
    del kept[keys[1]]
    proof_files.write(folder / "proofs" / "section.json", {**kept, f"{topic}:no-claim": ABSURD})
    for _ in range(2):  # the second time from what is remembered of the topic
        status, out, _ = run("verify", "--topic", topic)
        assert status == 1
        assert out.count("  differs: ") == 2
        assert "differs: trusted on record is nothing; its proof trusts kernel" in out
        assert "differs: its proof is missing among those on record" in out
        assert f"foreign   {topic}:no-claim: section.json has a proof of it" in out
        assert out.endswith("3 differ from the record\n")
    assert package.is_dir()


# --- refutations --------------------------------------------------------------------------------------


def test_a_refutation_that_is_not_declared_does_not_go_on_record(run, mine):
    mine.write_text(OWN + FALSE.format(options=""))
    for keys in (mine,), (mine,):
        status, out, err = run("verify", *keys, "--record")
        assert status == 1
        assert err.startswith("mine:false is refuted, and the claim does not say so: mend the ")
        assert err.count("\n") == 1
        rows = record.read_record(mine.with_suffix(".record.json"))
        assert [row["verdict"] for row in rows.values()] == ["proved", "proved", "noted"]
    status, out, _ = run("verify", mine)
    assert status == 1
    assert "differs: not on record" in out


def test_of_a_refutation_that_is_not_declared_the_row_stays_as_it_was(run, mine):
    mine.write_text(OWN.replace("exp(t) >= 1 + t / 2", "exp(t) >= 1 + 2 * t"))
    before = record.read_record(mine.with_suffix(".record.json"))["mine:half"]
    status, _, err = run("verify", mine, "--record", "--weaker", "mine:half")
    assert status == 1
    assert err.startswith("mine:half is refuted, and the claim does not say so")
    assert record.read_record(mine.with_suffix(".record.json"))["mine:half"] == before
    assert set(proof_files.in_file(proof_files.beside(mine))) == {"mine:half", "mine:tangent"}


@pytest.mark.parametrize(
    "options", [', fault="misprint"', ', effect="Ours: the slope is 1."'], ids=["fault", "ours"]
)
def test_a_refutation_that_is_declared_goes_on_record(run, mine, options):
    mine.write_text(OWN + FALSE.format(options=options))
    assert run("verify", mine, "--record")[0] == 0
    rows = record.read_record(mine.with_suffix(".record.json"))
    assert rows["mine:false"]["verdict"] == "refuted"
    assert run("verify", mine)[0] == 0


# --- keys -------------------------------------------------------------------------------------------------

CYRILLIC = "tang\u0435nt"  # the fifth letter looks like e
SAID = "has '\u0435' (CYRILLIC SMALL LETTER IE)"


@pytest.mark.parametrize(
    "key", [f"mine:{CYRILLIC}", "min\u0435:tangent", "priv\u0430cy:renyi-normal"]
)
@pytest.mark.parametrize("command", ["verify", "show", "where"])
def test_a_key_with_a_letter_that_is_not_ascii_is_refused(
    run, mine, key, command, monkeypatch, capsys
):
    monkeypatch.chdir(mine.parent)
    with pytest.raises(SystemExit) as stop:
        cli.main([command, key])
    shown = capsys.readouterr()
    assert (stop.value.code, shown.out) == (2, "")
    assert shown.err.startswith(f"keys are ASCII, and '{key}' has ")
    assert shown.err.count("\n") == 1


@pytest.mark.parametrize("where_", ["record", "proofs"])
def test_a_file_with_such_a_key_is_refused(run, mine, where_, capsys):
    at = mine.with_suffix(f".{where_}.json")
    at.write_text(at.read_text().replace("mine:tangent", f"mine:{CYRILLIC}"))
    status, out, err = run("verify", mine)
    assert (status, out) == (2, "")
    assert SAID in err
    assert err.count("\n") == 1
    if where_ == "proofs":
        assert kernel.main([str(at)]) == 2
        assert SAID in capsys.readouterr().err


@pytest.mark.parametrize("field", ["using", "cites", "corrects"])
def test_a_claim_names_no_such_key(run, mine, field):
    mine.write_text(OWN.replace('using=["tangent"]', f'{field}=["{CYRILLIC}"]'))
    status, _, err = run("verify", mine)
    assert status == 2
    assert SAID in err


def test_a_file_whose_name_begins_such_a_key_is_refused(run, tmp_path):
    path = tmp_path / "min\u0435.py"
    path.write_text(OWN)
    status, _, err = run("verify", path)
    assert status == 2
    assert f"keys are ASCII, and 'min\u0435:tangent' {SAID}" in err


# --- where ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["gap", "tail", "mean"])
def test_where_takes_no_line_that_has_the_name_of_the_function_alone(tmp_path, monkeypatch, name):
    package = tmp_path / "dpbook"
    here = package / "lecture"
    (here / "claims").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "chapters").mkdir()
    (here / "theory.py").write_text(f"{name}(1)\n# lecture:eq-1\n# lecture:eq-10\n")
    (tmp_path / "tests" / "test_a.py").write_text(f"other.{name}()\n{name}()\n'lecture:eq-1.'\n")
    (tmp_path / "chapters" / "a.md").write_text(f"{name}(x)\n`my-lecture:eq-1` lecture:eq-1-b\n")
    monkeypatch.setattr(record, "PACKAGE", package)
    claim = SimpleNamespace(
        key="lecture:eq-1", topic="lecture", location="a.py:1", function=SimpleNamespace()
    )
    claim.function.__name__ = name
    assert where.places(claim) == [
        ("claim", "a.py:1"),
        ("code", "dpbook/lecture/theory.py:2"),
        ("test", "tests/test_a.py:3"),
    ]


# --- a search that goes on --------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_SEARCH", str(tmp_path / "search"))
    return tmp_path / "search"


def searched(folder):
    return sorted(path.name for path in folder.glob("*.json"))


KILLED = """
import os, signal, sys
from dpbook import cli
from dpbook.engine.claims.search_results import SearchResults

keep = SearchResults.keep

def killed(self, *arguments):
    keep(self, *arguments)
    os.kill(os.getpid(), signal.SIGKILL)

SearchResults.keep = killed
cli.main(sys.argv[1:])
"""


def test_a_search_that_was_killed_goes_on(run, mine, folder):
    command = [sys.executable, "-c", KILLED, "verify", mine, "--search", "--jobs", "1"]
    assert subprocess.run(command, capture_output=True).returncode == -signal.SIGKILL
    assert searched(folder) == ["mine__tangent.json"]
    before = (folder / "mine__tangent.json").read_bytes()
    status, out, err = run("verify", mine, "--search", "--resume")
    assert (status, err) == (0, "")
    assert out.count("cached") == 1
    assert "proved    mine:tangent         cached" in out
    assert searched(folder) == ["mine__half.json", "mine__tangent.json"]
    assert (folder / "mine__tangent.json").read_bytes() == before


def test_what_was_searched_is_not_searched_again(run, mine, folder, monkeypatch):
    assert run("verify", mine, "--search")[0] == 0

    def refuse(claim, *arguments):
        pytest.fail(f"{claim.key} is searched")

    monkeypatch.setattr(schedule, "_search", refuse)
    status, out, _ = run("verify", mine, "--search", "--resume")
    assert status == 0
    assert out.count("cached") == 2


@pytest.mark.parametrize(
    ("old", "new"), [("1 + t / 2", "1 + t / 3"), ('@claim("half"', '@claim("half", time_limit=30')]
)
def test_of_another_state_a_claim_is_searched_anew(run, mine, folder, old, new):
    assert run("verify", mine, "--search")[0] == 0
    before = {path.name: path.read_bytes() for path in folder.glob("*.json")}
    mine.write_text(OWN.replace(old, new))
    _, out, _ = run("verify", mine, "--search", "--resume")
    assert out.count("cached") == 1
    after = {path.name: path.read_bytes() for path in folder.glob("*.json")}
    assert [name for name in before if before[name] != after[name]] == ["mine__half.json"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"state": 3}', "\x00", '{"state": "", "answer": 1}']
)
def test_a_broken_result_is_searched_anew(run, mine, folder, text):
    folder.mkdir()
    results = SearchResults(folder)
    results.path("mine:tangent").write_text(text)
    assert results.recall("mine:tangent", "") is None


def test_a_kept_proof_is_checked_again(run, mine, folder):
    assert run("verify", mine, "--search")[0] == 0
    path = folder / "mine__tangent.json"
    data = json.loads(path.read_text())
    data["answer"]["certificate"]["proof"]["certificate"] = {"rule": "auto"}
    path.write_text(json.dumps(data))
    status, out, _ = run("verify", mine, "--search", "--resume")
    assert status == 0
    assert "not found anew, as on record: 1\n          mine:tangent\n" in out
    mine.with_suffix(".record.json").unlink()
    proof_files.beside(mine).unlink()
    assert run("verify", mine, "--search")[0] in (0, 1)
    data["state"] = json.loads(path.read_text())["state"]
    path.write_text(json.dumps(data))
    status, out, _ = run("verify", mine, "--search", "--resume")
    assert status == 1
    assert "supported mine:tangent" in out


def test_without_resume_a_search_begins_anew(run, mine, folder):
    assert run("verify", mine, "--search")[0] == 0
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.json")}
    (folder / NOT_FOUND).write_text("old")
    status, out, _ = run("verify", mine, "--search")
    assert status == 0
    assert "cached" not in out
    again = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.json")}
    assert all(again[name] > times[name] for name in times)
    assert not (folder / NOT_FOUND).exists()


def test_resume_alone_is_one_line(run, mine):
    said = "--resume belongs to a search: give --search too\n"
    assert run("verify", mine, "--resume") == (2, "", said)


def test_a_search_that_is_stopped_says_how_it_goes_on(run, mine, folder, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.Verification, "of_own", stopped)
    said = f"\nstopped; each claim that was done is in {folder}: the same command with --resume goes on with the others\n"
    assert run("verify", mine, "--search") == (130, "", said)


def test_a_search_shows_how_far_it_is(run, mine, folder, monkeypatch):
    monkeypatch.setattr(cli, "STEP", 2)
    assert run("verify", mine, "--search")[2] == "2 of 3 claims; mine:tangent is done\n"


def test_a_folder_that_cannot_be_written_is_one_line(run, mine, folder):
    folder.write_text("a file")
    status, out, err = run("verify", mine, "--search")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert str(folder) in err


def test_a_lost_worker_is_no_result():
    lost = workers._evidence(workers.Lost(-9), SimpleNamespace(time_limit=1.0))
    ended = workers._evidence(workers.Lost(None), SimpleNamespace(time_limit=1.0))
    assert workers.was_lost(lost)
    assert workers.was_lost(ended)
    assert not workers.was_lost(Evidence(Verdict.UNDECIDED, reason="no decision within 1 s"))


def test_keys_that_were_not_found_are_written_in_order(tmp_path):
    rows = [
        {"key": "t:b", "kept": True},
        {"key": "t:c", "kept": False},
        {"key": "t:a", "kept": True},
    ]
    SearchResults(tmp_path).write_not_found(rows)
    assert (tmp_path / NOT_FOUND).read_text() == f"{HEAD}t:a\nt:b\n"


def test_the_keys_not_found_by_the_last_whole_search_are_on_record():
    head, *keys = (TESTS / NOT_FOUND).read_text().splitlines(keepends=True)
    assert head == HEAD
    assert keys == sorted(set(keys))
    for key in keys:
        topic = key.partition(":")[0]
        row = record.read_record(record.record_path(topic))[key.strip()]
        assert row["verdict"] in ("proved", "refuted", "supported")
        assert key.strip() in proof_files.of_topic(topic) or "counterexample" in row


# --- a search in parts ------------------------------------------------------------------------------------


@pytest.fixture
def three(tmp_path, monkeypatch):
    """Three claims of a topic with a copy of the record."""
    topic = "unknown_sample_size"
    rows, entries = record.read_record(record.record_path(topic)), proof_files.of_topic(topic)
    alone = [c for c in catalog.load(topic) if c.key in entries and not c.using and not c.corrects][
        :3
    ]
    monkeypatch.setattr(catalog, "load", lambda name: list(alone))
    monkeypatch.setattr(record, "PACKAGE", tmp_path / "package")
    folder = record.PACKAGE / topic / "claims"
    (folder / "proofs").mkdir(parents=True)
    claims = {claim.key: rows[claim.key] for claim in alone}
    (folder / "record.json").write_text(json.dumps({"claims": claims}))
    proof_files.write(folder / "proofs" / "section.json", {key: entries[key] for key in claims})
    return [claim.key for claim in alone]


def test_parts_of_a_search_are_merged_and_nothing_is_searched_again(
    run, three, tmp_path, monkeypatch
):
    folders = [tmp_path / "one", tmp_path / "two"]
    for number, folder in enumerate(folders, 1):
        monkeypatch.setenv("DPBOOK_SEARCH", str(folder))
        status, out, _ = run("verify", "--search", "--part", f"{number}/2")
        assert status == 0, out
        assert not (folder / NOT_FOUND).exists()
    assert [len(searched(folder)) for folder in folders] == [2, 1]

    def refuse(claim, *arguments):
        pytest.fail(f"{claim.key} is searched")

    monkeypatch.setattr(schedule, "_search", refuse)
    monkeypatch.setenv("DPBOOK_SEARCH", str(tmp_path / "whole"))
    merging = [word for folder in folders for word in ("--merge", folder)]
    status, out, _ = run("verify", "--search", *merging)
    assert status == 0
    assert out.count("cached") == 3
    assert (tmp_path / "whole" / NOT_FOUND).read_text() == HEAD


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (["1/3", "3/3"], "part 2/3 is missing"),
        (["1/2", "1/2"], "part 1/2 stands twice: in "),
        (["1/2", "2/3"], "these are parts of different searches: 1/2, 2/3"),
        (["1/2", ""], "holds no part of a search"),
    ],
)
def test_parts_that_overlap_or_are_missing_are_one_line(run, mine, folder, tmp_path, parts, said):
    merging = []
    for number, part in enumerate(parts):
        (tmp_path / str(number)).mkdir()
        if part:
            (tmp_path / str(number) / PART).write_text(f"{part}\n")
        merging += ["--merge", tmp_path / str(number)]
    status, out, err = run("verify", mine, "--search", *merging)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_part_has_a_folder_of_its_own(tmp_path):
    results = SearchResults(tmp_path / "search")
    results.begin((1, 2))
    results.begin((1, 2))
    with pytest.raises(ValueError, match="holds part 1/2: give part 2/2 a folder of its own"):
        results.begin((2, 2))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--part", "1/2"], "--part belongs to a search: give --search too"),
        (["--merge", "a"], "--merge belongs to a search: give --search too"),
        (["--search", "--part", "3/2"], "1 <= i <= N"),
        (["--search", "--part", "one"], "i/N"),
        (["--search", "--part", "1/2", "privacy:pinsker"], "--part is one of all claims"),
    ],
)
def test_a_part_that_is_none_is_one_line(run, arguments, said):
    status, out, err = run("verify", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
