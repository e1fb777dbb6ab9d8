"""The command line: other programs rely on its exit codes, its JSON and its one-line errors."""

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

import hypothesis  # noqa: F401  (its plug-in warns where it is imported after a `gc.freeze` of `check`)
import pytest

from dpbook import cli, study
from dpbook.engine.claims import catalog, errata, proof_files, record, topics
from dpbook.engine.claims.claim import FAULTS
from dpbook.engine.claims.ledger import ledger
from dpbook.engine.claims.rows import rows_of
from dpbook.engine.claims.verification import put_on_record
from dpbook.engine.language import card
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.run import workers
from dpbook.ext import recorded
from dpbook.kernel.files import command as kernel
from dpbook.study import Scale, grid
from dpbook.teaching import exercises, figures

ROOT = Path(__file__).resolve().parents[1]
LECTURE = """
from sympy import erfc, exp, sqrt

from dpbook import claim, symbol

t = symbol("t", above=0)


@claim("tail")
def gaussian_tail():
    \"\"\"Gaussian tail bound.\"\"\"
    return erfc(t / sqrt(2)) / 2 <= exp(-t**2)
"""
HOLDS = LECTURE.replace("exp(-t**2)", "exp(-t**2 / 2)")
FIELDS = (
    *("key", "topic", "label", "title", "source", "form", "latex", "verdict", "recorded"),
    *("method", "trusted", "seconds", "cached", "counterexample", "margin", "fault", "effect"),
    *("scope", "corrected_by", "cites", "using", "reason", "mutants"),
)


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return stop.value.code, shown.out, shown.err

    return run


@pytest.fixture
def lecture(tmp_path):
    path = tmp_path / "my_lecture.py"
    path.write_text(LECTURE)
    return path


# --- verify -------------------------------------------------------------------------------------------


def test_file_of_a_stranger_gets_verdict_point_both_sides_and_line(run, lecture):
    status, out, err = run("verify", lecture)
    assert (status, err) == (1, "")
    assert "refuted   my_lecture:tail" in out
    assert "at t = 2\n" in out
    assert "0.022750132 <= 0.018315639 is false" in out
    line = LECTURE.splitlines().index('@claim("tail")') + 1
    assert f"my_lecture.py:{line})" in out
    assert out.endswith("1 claim: 1 refuted; 1 not as declared\n")


def test_a_fault_that_is_declared_is_expected_to_be_refuted(run, lecture):
    declared = '@claim("tail", fault="error", place="p. 1", effect="none")'
    source = 'from dpbook.engine.claims.claim import Source\nSOURCE = Source("Notes")\n'
    text = LECTURE.replace('@claim("tail")', declared.replace(")", ", source=SOURCE)"))
    lecture.write_text(source + text)
    status, out, err = run("verify", lecture)
    assert (status, err) == (0, "")
    assert out.endswith("1 claim: 1 refuted; as declared\n")


def test_record_looks_for_the_proof_of_what_was_decided_before(run, tmp_path):
    path = tmp_path / "my_proof.py"
    path.write_text(HOLDS)
    assert run("verify", path)[0] == 0
    assert run("verify", path, "--record")[0] == 0
    assert "my_proof:tail" in path.with_suffix(".proofs.json").read_text()


def test_file_with_a_record_beside_it_is_compared_with_that(run, lecture):
    false = LECTURE.replace('@claim("tail")', '@claim("tail", fault="error", effect="none")')
    lecture.write_text(false)
    assert run("verify", lecture, "--record")[0] == 0
    beside = lecture.with_suffix(".record.json")
    assert json.loads(beside.read_text())["claims"]["my_lecture:tail"]["verdict"] == "refuted"
    assert run("verify", lecture)[0] == 0
    lecture.write_text(HOLDS)
    status, out, _ = run("verify", lecture)
    assert status == 1
    assert "differs: statement changed" in out
    assert run("verify", lecture, "--record")[0] == 0
    assert run("verify", lecture)[0] == 0
    lecture.write_text(false)
    status, out, err = run("verify", lecture, "--record")
    assert status == 1
    assert "my_lecture:tail is refuted, weaker than proved on record" in err
    assert run("verify", lecture, "--record", "--weaker", "my_lecture:tail")[0] == 0
    lecture.write_text(false.replace('"tail"', '"tail-2"'))
    status, out, _ = run("verify", lecture)
    assert status == 1
    assert "differs: not on record" in out
    assert "missing   my_lecture:tail: on record, but missing" in out
    assert run("verify", lecture, "--record")[0] == 0
    assert run("verify", lecture)[0] == 0


def test_json_has_exactly_the_fields_of_the_contract(run, lecture):
    status, out, _ = run("verify", lecture, "--format", "json", "--no-cache")
    made = json.loads(out)
    assert status == 1
    assert list(made) == ["dpbook", "claims", "summary"]
    assert made["summary"] == {"refuted": 1}
    [row] = made["claims"]
    assert tuple(row) == FIELDS
    assert row["key"] == "my_lecture:tail"
    assert row["counterexample"] == {"t": "2"}
    assert row["recorded"] is None
    assert row["cached"] is False
    again = json.loads(run("verify", lecture, "--format", "json", "--no-cache")[1])
    for one in (made, again):
        del one["claims"][0]["seconds"]
    assert made == again


def test_junit_names_what_differs(run, lecture, tmp_path):
    output = tmp_path / "report.xml"
    assert run("verify", lecture, "--format", "junit", "--output", output)[0] == 1
    suite = ElementTree.parse(output).getroot()
    assert suite.attrib == {"name": "dpbook", "tests": "1", "failures": "1"}
    [failure] = suite.iter("failure")
    assert failure.attrib["message"] == "my_lecture:tail is refuted: proved is expected"


def test_topic_is_as_on_record_and_remembered_as_a_whole(run):
    status, out, _ = run("verify", "--topic", "unknown_sample_size")
    assert status == 0, out
    assert out.endswith("as on record\n")
    status, again, _ = run("verify", "unknown_sample_size:text-b-poisson-ratio")
    assert status == 0
    assert again.startswith("proved    unknown_sample_size:text-b-poisson-ratio    cached")
    # and is shown without SymPy
    code = """
        import sys
        from dpbook import cli
        try:
            cli.main(["verify", "--topic", "unknown_sample_size"])
        except SystemExit as stop:
            assert stop.code == 0
        heavy = {"sympy", "numpy", "z3", "flint", "numba", "scipy"} & set(sys.modules)
        assert not heavy, heavy
    """
    command = [sys.executable, "-c", textwrap.dedent(code)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


TANGENT = {
    "rule": "axiom",
    "name": "exp above its tangent",
    "at": {"u": "t"},
    "premises": [{"rule": "auto"}],
}
SEQUENT = {"variables": {"t": "real"}, "given": ["t > 0"], "goal": "exp(t) >= 1 + t"}
PROOF = {"sequent": SEQUENT, "certificate": TANGENT}


@pytest.fixture
def tangent(lecture):
    """A file with a claim, and its proof beside it."""
    lecture.write_text(LECTURE.replace("erfc(t / sqrt(2)) / 2 <= exp(-t**2)", "exp(t) >= 1 + t"))
    proof_files.write(
        proof_files.beside(lecture), {"my_lecture:tail": {**PROOF, "sample": {"t": "1"}}}
    )
    return lecture


def test_proof_beside_a_file_is_replayed_and_shown(run, tangent):
    status, out, _ = run("verify", tangent, "--format", "json")
    [row] = json.loads(out)["claims"]
    assert (status, row["verdict"], row["method"]) == (0, "proved", "kernel")
    assert row["trusted"] == ["kernel"]
    assert run("verify", tangent, "--record")[0] == 0
    assert (
        proof_files.in_file(proof_files.beside(tangent))["my_lecture:tail"]["certificate"]
        == TANGENT
    )
    assert "certificate" not in record.read_record(tangent.with_suffix(".record.json"))
    assert kernel.main([str(proof_files.beside(tangent))]) == 0
    status, out, _ = run("show", "my_lecture:tail", "--proof")
    assert status == 0
    assert "1. exp(t) - 1 - t >= 0: lemma exp above its tangent of the kernel, at u = t\n" in out


def test_what_rests_on_a_fact_of_the_literature_is_told_apart(run, tangent):
    _, out, _ = run("verify", tangent)
    assert "named axiom" not in out
    assert "1 claim: 1 proved;" in out
    [row] = rows_of(catalog.load_anew(topics.at(tangent))[0], jobs=1)
    named = "named axiom privacy:axiom-a (A. Author, A book, 1999, theorem 1)"
    resting = {**row, "trusted": ["kernel", named]}
    shown = cli._table([row, resting], {})
    assert f"rests on {named}\n" in shown
    assert "2 claims: 2 proved (1 given a theorem of the literature); as declared" in shown
    assert "a theorem of the literature is taken as an axiom: a statement from which" in shown
    other = {**resting, "verdict": "supported"}
    assert "2 claims: 1 proved, 1 supported; as declared" in cli._table([row, other], {})
    repair = recorded.entry("langevin:claim-c.11-corrected")
    on_axiom = replace(repair, evidence=replace(repair.evidence, trusted=("kernel", named)))
    said = "\n".join(errata.whole(recorded.entry("langevin:claim-c.11"), [on_axiom]))
    fact = named.removeprefix("named axiom ")
    assert f"corrected by: {repair.claim.key} (proved)\n    rests on {fact}\n" in said


def test_spoilt_proof_is_a_difference_until_it_is_recorded_anew(run, tangent):
    path = proof_files.beside(tangent)
    assert run("verify", tangent, "--record")[0] == 0
    before = path.read_text()
    path.write_text(before.replace('"u":"t"', '"u":"-t"'))
    assert path.read_text() != before
    status, out, _ = run("verify", tangent)
    assert status == 1
    assert "proved    my_lecture:tail" in out
    assert "differs: the proof on record is none: rejected at 0, rule auto" in out
    assert run("verify", tangent)[0] == 1  # what is remembered says so as well
    assert run("verify", tangent, "--record")[0] == 0
    assert run("verify", tangent)[0] == 0


def test_verdict_that_is_refused_leaves_the_proof_on_record(run, tangent):
    assert run("verify", tangent, "--record")[0] == 0
    path = proof_files.beside(tangent)
    before = path.read_text()
    row = {
        "key": "my_lecture:tail",
        "topic": "my_lecture",
        "verdict": "supported",
        "certificate": {},
        "sample": (),
    }
    [complaint] = put_on_record([row], (), whole=False)
    assert "weaker than proved on record" in complaint
    assert path.read_text() == before


def test_run_that_ends_between_proofs_and_record_is_seen(run, tangent, monkeypatch):
    assert run("verify", tangent, "--record")[0] == 0
    beside = proof_files.beside(tangent)
    before = beside.read_text()
    tangent.write_text(tangent.read_text().replace("1 + t", "1 + t/2"))

    def killed(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(record, "write_record", killed)
        run("verify", tangent, "--record")
    assert beside.read_text() != before  # the proofs come first
    status, out, _ = run("verify", tangent)
    assert status == 1
    assert "differs: statement changed" in out
    assert run("verify", tangent, "--record")[0] == 0
    assert run("verify", tangent)[0] == 0


@pytest.mark.parametrize("options", [(), ("--no-cache",)])
def test_proof_of_another_statement_is_a_difference(run, tangent, options):
    assert run("verify", tangent, "--record")[0] == 0
    beside = proof_files.beside(tangent)
    before = beside.read_text()
    tangent.write_text(tangent.read_text().replace("1 + t", "1 + t/2"))
    assert run("verify", tangent, "--record")[0] == 0
    assert run("verify", tangent, *options)[0] == 0
    beside.write_text(before)  # as a run leaves it that ends after the record
    status, out, _ = run("verify", tangent, *options)
    assert status == 1
    assert "differs: the proof on record is of another statement" in out
    assert run("verify", tangent, "--record")[0] == 0
    assert run("verify", tangent, *options)[0] == 0


def test_file_with_a_dot_in_its_name_is_one_line(run, lecture):
    path = lecture.with_name("my.lecture.py")
    path.write_text(LECTURE)
    status, out, err = run("verify", path)
    assert (status, out) == (2, "")
    assert (
        err == f"{path}: my.lecture.py has a dot in its name, and is no Python module; rename it\n"
    )


def test_record_that_is_nested_too_deeply_is_one_line(run, tangent):
    tangent.with_suffix(".record.json").write_text('{"claims":' * 100_000)
    status, out, err = run("verify", tangent)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "my_lecture.record.json is not a record of verdicts" in err


def test_two_runs_at_once_put_both_their_verdicts_on_record(tmp_path):
    path = tmp_path / "my_lecture.py"
    path.write_text(HOLDS + HOLDS[HOLDS.index("@claim") :].replace('"tail"', '"again"'))
    keys = ["my_lecture:tail", "my_lecture:again"]
    command = [sys.executable, "-m", "dpbook", "verify", "--jobs", "1", "--record"]
    with record.alone(tmp_path, ""):
        runs = [
            subprocess.Popen([*command, key], cwd=tmp_path, text=True, stderr=subprocess.PIPE)
            for key in keys
        ]
        for one in runs:  # each has read the record, and decided
            assert one.stderr.readline() == "another run writes the record; waiting for it\n"
    for one in runs:
        one.communicate()
    assert {*record.read_record(path.with_suffix(".record.json"))} == {*keys}
    assert {*proof_files.in_file(proof_files.beside(path))} == {*keys}


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 3, "my_lecture:tail": 3}', "{}" * 2, "[" * 100_000]
)
def test_broken_file_of_proofs_is_one_line(run, tangent, text):
    proof_files.beside(tangent).write_text(text)
    status, out, err = run("verify", tangent)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert "my_lecture.proofs.json" in err


def test_search_replays_nothing(run, tangent):
    proof_files.beside(tangent).write_text(
        json.dumps({"format": 3, "my_lecture:tail": {**PROOF, "certificate": 3}})
    )
    status, out, _ = run("verify", tangent, "--search")
    assert status == 0, out
    assert "differs" not in out


# --- check --------------------------------------------------------------------------------------------


def test_certificate_of_a_check_is_written_for_the_kernel(run, tmp_path, monkeypatch, capsys):
    path = tmp_path / "proof.json"
    found = Evidence(Verdict.PROVED, method="search", certificate={"proof": PROOF})
    monkeypatch.setattr(workers, "run_one", lambda task: found)
    arguments = ("check", "exp(t) >= 1 + t", "--given", "t > 0", "--certificate", path)
    status, out, err = run(*arguments)
    assert (status, err) == (0, "")
    assert "how: each step checked by the kernel\n  trusted: kernel\n" in out
    assert kernel.main([str(path)]) == 0
    capsys.readouterr()
    written = path.read_text()
    assert run(*arguments) == (
        *(2, ""),
        f"{path} is there already: name another file, or remove it before the check\n",
    )
    assert path.read_text() == written
    path.unlink()
    monkeypatch.setattr(workers, "run_one", lambda task: replace(found, certificate={}))
    status, out, err = run(*arguments)
    assert status == 3
    assert "supported: exp(t) >= " in out
    assert "how: search\n  trusted: tactic search" in out
    assert err == f"there is no certificate to write to {path}\n"
    assert not path.exists()


@pytest.mark.parametrize(
    ("arguments", "status", "begins"),
    [
        (["exp(x) >= 1 + x"], 0, "proved: exp(x) >= "),
        (["x^2 > 0"], 1, "refuted: x**2 > 0\n  counterexample: x = 0\n"),
        (["n^2 >= n", "--given", "n in integers"], 0, "proved: "),
        (["0 < x < 1", "--given", "x > 0", "--given", "x < 1/2"], 0, "proved: "),
    ],
)
def test_check_answers_with_its_exit_status(run, arguments, status, begins):
    found, out, err = run("check", *arguments)
    assert (found, err) == (status, "")
    assert out.startswith(begins)


def test_a_name_that_only_a_condition_has_is_warned_of(run):
    _, out, err = run("check", "ε > -1", "--given", "epsilom > 0", "--given", "n in integers")
    assert out.startswith("refuted")
    assert err == (
        "warning: epsilom of --given is not in the statement; nearest: epsilon\n"
        "warning: n of --given is not in the statement\n"
    )
    assert run("check", r"\varepsilon > -1", "--given", "ε > 0")[2] == ""


FAULTY = """
from sympy import Ge, exp

from dpbook import claim, symbol

x = symbol("x")


@claim("sound")
def sound():
    \"\"\"Above its tangent.\"\"\"
    return Ge(exp(x), 1 + x)


@claim("float")
def float_():
    \"\"\"Half of x, written as a float.\"\"\"
    return Ge(exp(x), 0.5 * x)


@claim("resting", using=["float"])
def resting():
    \"\"\"Uses what cannot be read.\"\"\"
    return Ge(exp(x), x)


@claim("typo", using=["flaot"])
def typo():
    \"\"\"Uses what is not there.\"\"\"
    return Ge(exp(x), x)


@claim("empty", given=[x > 1, x < 0])
def empty():
    \"\"\"Holds nowhere.\"\"\"
    return Ge(exp(x), x)


@claim("index")
def index():
    \"\"\"An error of Python.\"\"\"
    return Ge(exp(x), [][0])
"""


def test_a_claim_that_cannot_be_read_is_one_line_and_the_others_are_decided(run, tmp_path):
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY)
    status, out, err = run("verify", path, "--format", "json")
    assert (status, err) == (1, "")
    rows = {row["label"]: row for row in json.loads(out)["claims"]}
    assert {label: row["verdict"] for label, row in rows.items()} == {
        "sound": "proved",
        **dict.fromkeys(("float", "resting", "typo", "empty", "index"), "undecided"),
    }
    for label, said in {
        "float": f"faulty:float ({path}:15): floating-point number 0.5",
        "resting": "faulty:float cannot be read, and this claim uses or corrects it",
        "typo": f"faulty:typo ({path}:27): no claim faulty:flaot; nearest: faulty:float",
        "empty": f"faulty:empty ({path}:33): the conditions contradict each other: x > 1, x < 0",
        "index": f"faulty:index ({path}:39): IndexError: list index out of range",
    }.items():
        assert rows[label]["reason"].startswith(said), label
        assert "\n" not in rows[label]["reason"]
    status, out, _ = run("verify", path)
    assert out.endswith("6 claims: 1 proved, 5 undecided; 5 not as declared\n")
    status, _, err = run("verify", path, "--record")
    assert status == 1
    assert err.count("is undecided and cannot go on record") == 5
    assert list(record.read_record(path.with_suffix(".record.json"))) == ["faulty:sound"]


# --- errors: one line each ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["verify", "privacy:renyi-norml"],
            "no claim privacy:renyi-norml; nearest: privacy:renyi-",
        ),
        (["show", "privacy:renyi-norml"], "no claim privacy:renyi-norml; nearest: privacy:renyi-"),
        (["where", "nothing"], "no claim nothing\n"),
        (
            ["where", "privacy"],
            "privacy is a topic and no claim; its claims: dpbook list privacy\n",
        ),
        (["verify", "/tmp"], "/tmp: no topic; a topic is a FILE.py, or a folder with claims/"),
        (["show", "lemma-14"], "no claim lemma-14; nearest: contamination:lemma-14\n"),
        (
            ["show", "langevin"],
            "langevin is a topic and no claim; its claims: dpbook list langevin",
        ),
        (["show", "LANGEVIN:theorem-1"], "no claim LANGEVIN:theorem-1; the topic is langevin"),
        (["show", "mine:tail"], "no claim mine:tail; there is no topic mine (dpbook list topics)"),
        (["where", "claims:gap"], "no claim claims:gap; it is an exercise: dpbook show claims:gap"),
        (["show", "claims:gapp"], "no claim claims:gapp; exercises of that kind: dpbook list"),
        (["errata", "langevin", "--topic", "privacy"], "give one topic: langevin or privacy"),
        (["list", "--topic", "claims"], "of claims there are exercises alone: dpbook list exer"),
        (
            ["graph", "langevin:lemma-4.2", "--topic", "privacy", "--output", "g.svg"],
            "langevin:lemma-4.2 is a claim of langevin, not of privacy: leave --topic out",
        ),
        (["graph", "--output", "no/g.svg"], "there is no folder no to write g.svg to"),
        (["verify", "--output", "no/g.json"], "there is no folder no to write g.json to"),
        (["check", "1 < 2", "--certificate", "no/c.json"], "there is no folder no to write c.json"),
        (["verify", "--topic", "nothing"], "no topic nothing; there are privacy, "),
        (["errata", "--topic", "nothing"], "no topic nothing; there are privacy, "),
        (["errata", "nothing"], "no topic nothing; there are privacy, "),
        (["errata", "mine.py"], "mine.py: no such file"),
        (
            ["errata", "langevin:lema-4.2"],
            "no claim langevin:lema-4.2; nearest: langevin:lemma-4.2",
        ),
        (["verify", "no_file.py"], "no_file.py: no such file"),
        (["verify", "a.py", "privacy:renyi-normal"], "give FILE.py and FOLDER without keys"),
        (
            ["verify", "--format", "yaml"],
            "--format must be table, json, junit, github or sarif, got yaml",
        ),
        (["verify", "--jobs", "0"], "Invalid value for '--jobs'"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["derive", "x"], "No such command 'derive'. In Python: from dpbook import derive"),
        (["check", "__import__('os').system('true') > 0"], "cannot read \"__import__('os')"),
        (["check", "x > 0", "--given", "x > 0; import os"], "cannot read"),
        (["check", "Sum((k-x)/(k-x), k, 1, 3) = 3"], "x cancels in the term of Sum("),
        (["check", "Sum((k-x)/(k-x), k, 1, 3) <= 3"], "x cancels in the term of Sum("),
        (["check", "x > 0", "--given", "x > 1", "--given", "x < 0"], "the conditions contradict"),
        (
            ["check", "x > 0", "--time-limit", "0"],
            "time_limit must be > 0 and <= 86400 seconds, got 0.0",
        ),
    ],
)
def test_unusable_input_is_one_line_and_status_2(run, toy, arguments, line):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1


def test_fault_of_dpbook_is_one_line_that_names_a_file_with_the_traceback(run, monkeypatch):
    def broken(*_arguments):
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(cli.Verification, "of_topics", broken)
    status, out, err = run("verify")
    assert (status, out) == (70, "")
    assert err.count("\n") == 1
    assert err.startswith("a fault of dpbook (ZeroDivisionError); the traceback is in ")
    path = Path(err.split()[-1])
    assert "a fault of ours" in path.read_text()
    path.unlink()


# --- show, where, errata, graph ---------------------------------------------------------------------------


def test_show_of_an_exercise_is_its_question_and_where_it_is_asked(run):
    status, out, err = run("show", "claims:gap")
    assert (status, err) == (0, "")
    assert out.startswith("claims:gap  an exercise\n  question: Is x/x = 1 for every real x?")
    assert "\n  asked in: chapters/01_claims.md:" in out


def test_every_exercise_is_shown_by_its_key(run):
    for key in exercises.all_exercises():
        status, out, _ = run("show", key)
        assert status == 0, key
        assert f"{key}  an exercise\n  question: " in out


def test_show_of_a_claim_tells_of_an_exercise_of_the_same_key(run):
    out = run("show", "privacy:clipped-mean")[1]
    both = "privacy:clipped-mean is a claim and an exercise; the exercise stands below\n\n"
    assert out.startswith(both)
    assert "\n\nprivacy:clipped-mean  an exercise\n  question: " in out
    assert "exercise" not in run("show", "privacy:renyi-normal")[1]


def test_exercises_of_the_first_chapter_are_listed_alone(run):
    keys = [
        line.split()[0] for line in run("list", "exercises", "--topic", "claims")[1].splitlines()
    ]
    assert "claims:gap" in keys
    assert all(key.startswith("claims:") for key in keys)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [("x = 1\ny = 1 / 0\n", 2, "ZeroDivisionError"), ("x = 1\n\ny = = 2\n", 3, "SyntaxError")],
)
def test_a_file_that_cannot_be_imported_names_the_line(run, tmp_path, text, line, said):
    path = tmp_path / "mine.py"
    path.write_text(text)
    status, out, err = run("verify", path)
    assert (status, out) == (2, "")
    assert err.startswith(f"{path}:{line} cannot be imported: {said}")


@pytest.mark.parametrize("exit", ["sys.exit(0)", "os._exit(0)"])
def test_a_claim_that_ends_the_program_is_not_verified(tmp_path, exit):
    claim = "@claim(\"a\")\ndef first():\n    '''T.'''\n    {}\n"
    for name, text in (("top", f"import os, sys\n{exit}\n"), ("claim", claim.format(exit))):
        path = tmp_path / f"{name}.py"
        path.write_text(f"import os, sys\nfrom dpbook import claim\n{text}")
        done = subprocess.run(
            [sys.executable, "-m", "dpbook", "verify", path], capture_output=True, text=True
        )
        assert done.returncode in (1, 2)
        assert f"SystemExit: {exit.replace('sys.exit(0)', '0')}" in done.stdout + done.stderr
        assert "Traceback" not in done.stderr


def test_show_is_the_card_and_proof_its_steps(run):
    status, out, _ = run("show", "privacy:normal-loss", "--proof")
    assert status == 0
    assert out.startswith("privacy:normal-loss  Logarithm of the ratio")
    assert "PROVED" in out
    assert "how it was proved" in out


def test_show_of_a_proof_writes_the_sequent_that_the_kernel_checked(run):
    out = run("show", "privacy:trade-off-laplace-low", "--proof")[1]
    lines = out.split("  sequent that the kernel checked\n")[1].split("\n\n")[0].splitlines()
    assert lines[0].strip().startswith("variables: real ")
    assert any(line.strip().startswith("given 0: ") for line in lines)
    assert any(line.strip().startswith("goal: defined(") for line in lines)


def test_own_claims_are_shown_found_and_verified_by_key(run, lecture, monkeypatch):
    monkeypatch.chdir(lecture.parent)
    status, out, err = run("show", "my_lecture:tail")
    assert (status, err) == (0, "")
    assert out.startswith("my_lecture:tail  Gaussian tail bound")
    assert "REFUTED" in out
    status, out, _ = run("where", "my_lecture:tail")
    assert status == 0
    assert "my_lecture.py:" in out
    status, out, _ = run("verify", "my_lecture:tail")
    assert status == 1
    assert "refuted   my_lecture:tail" in out
    status, _, err = run("show", "my_lecture:no")
    assert (status, err[:22]) == (2, "no claim my_lecture:no")
    status, _, err = run("show", "elsewhere:tail")
    assert err.rstrip().endswith("no elsewhere.py with claims of your own in this folder")


def test_the_example_for_contributors_is_decided(run, tmp_path, monkeypatch):
    text = (ROOT / "CONTRIBUTING.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", text, re.S)
    (tmp_path / "tails.py").write_text(code)
    monkeypatch.chdir(tmp_path)
    status, out, _ = run("verify", "tails.py")
    assert status == 0  # the fault is declared
    assert out.endswith("; as declared\n")
    assert "refuted   tails:eq-7 " in out
    assert "proved    tails:eq-7-corrected" in out
    assert "corrected by tails:eq-7-corrected" in out
    assert run("verify", "tails.py", "--record")[0] == 0
    assert run("verify", "tails.py")[0] == 0


def test_a_refuted_claim_is_not_said_to_be_proved(run):
    assert "how it was proved" not in run("show", "langevin:lemma-4.2", "--proof")[1]


def test_a_symbol_that_is_spelled_in_two_ways_is_told(run):
    both = "eps and epsilon are read as one symbol\n"
    assert run("check", "exp(eps) >= 1 + x", "--given", "epsilon >= x")[2] == both
    assert run("check", "exp(eps) >= 1 + x", "--given", "eps >= x")[2] == ""
    assert "write \\epsilon, or" in run("check", r"eps \ge 0")[2]


def test_the_erratum_that_a_claim_mends_is_told_as_such(run):
    status, out, _ = run("errata", "langevin:theorem-1")
    assert status == 0
    told = "langevin:theorem-1 is proved: no erratum; it corrects langevin:text-a-theorem-1:"
    assert out.splitlines()[0] == told
    assert max(map(len, out.splitlines())) <= card.LINE + 20  # a name is not broken


def test_the_long_effect_of_an_erratum_is_broken(run):
    refuted = [claim for claim in catalog.load("langevin") if claim.fault]
    longest = max(refuted, key=lambda claim: len(claim.effect))
    assert len(longest.effect) > card.LINE
    lines = run("errata", longest.key)[1].splitlines()
    assert any(line.startswith("  effect: ") for line in lines)
    assert max(map(len, lines)) <= card.LINE + 20


def test_the_words_for_faults_are_explained_below_the_lines_that_use_them(run):
    out = run("errata", "posterior_sampling")[1]
    lines = out.splitlines()
    for kind, meant in FAULTS.items():
        used = any(line.startswith("posterior") and f" {kind} " in line for line in lines)
        assert (f"  {kind}: {meant}" in lines) == used


@pytest.mark.parametrize("group", [(), ("study",)])
def test_no_command_is_summed_up_by_half_a_sentence(run, group):
    status, out, _ = run(*group, "--help")
    assert status == 0
    assert "Commands:" in out
    assert "..." not in out.partition("Commands:")[2]


@pytest.mark.parametrize("name", ["unknown_sample_size", "Unknown-Sample-Size"])
def test_the_claims_of_a_topic_are_listed(run, name):
    status, out, err = run("list", name)
    assert (status, err) == (0, "")
    assert out == run("list", "--topic", "unknown_sample_size")[1]
    rows = record.read_record(record.record_path("unknown_sample_size"))
    assert [line.split()[1] for line in out.splitlines()] == list(rows)
    assert run("list", name, "--topic", "privacy")[0] == 2


def test_the_claims_of_a_file_are_listed_with_what_is_on_record(run, tangent, monkeypatch):
    monkeypatch.chdir(tangent.parent)
    [before, hint] = run("list", tangent.name)[1].splitlines()
    assert before.startswith("-         my_lecture:tail  ")
    decides = "dpbook verify my_lecture.py --record decides and keeps them"
    assert hint == f"-: not on record; {decides}, dpbook show my_lecture:tail decides one"
    assert run("verify", tangent, "--record")[0] == 0
    assert run("list", "my_lecture")[1].splitlines() == [before.replace("-     ", "proved", 1)]
    tangent.write_text(tangent.read_text().replace(">=", ">"))
    # another statement than on record
    assert run("list", "my_lecture.py")[1].splitlines() == [before, hint]
    assert run("errata", "my_lecture")[:2] == (
        0,
        "0 of 0 claims are refuted as printed\n"
        "changed since put on record, so not listed: my_lecture:tail\n",
    )
    assert "in a Python file, such as mine.py" in run("list", "mine.txt")[2]
    assert run("list", "nothing.py") == (2, "", "nothing.py: no such file\n")
    assert "no nothing.py with claims of your own" in run("list", "nothing")[2]


def test_version_and_lists(run):
    from dpbook import __version__
    from dpbook.teaching import exercises

    assert run("--version") == (0, f"dpbook {__version__}\n", "")
    status, out, _ = run("list")
    assert status == 0
    assert "proved    privacy:renyi-normal\n" in out
    assert run("list", "topics")[1].startswith("privacy  ")
    out = run("list", "exercises", "--topic", "privacy")[1]
    assert {"claims:gap", "privacy:group"} <= {line.split()[0] for line in out.splitlines()}
    assert not any(line.startswith("langevin:") for line in out.splitlines())
    every = run("list", "exercises")[1].splitlines()
    assert {line.split()[0] for line in every} == set(exercises.all_exercises())
    asked = "".join(path.read_text() for path in sorted((ROOT / "chapters").glob("[0-9]*.md")))
    places = [asked.find(f'"{line.split()[0]}"') for line in every]
    assert [place for place in places if place >= 0] == sorted(
        place for place in places if place >= 0
    )
    assert run("list", "claims", "langevin") == run("list", "langevin")
    assert run("list", "claims", "langevin", "--topic", "privacy")[0] == 2
    assert run("list", "things")[0] == 2


def test_a_book_that_is_stopped_is_not_said_to_be_remembered(run, monkeypatch):
    def interrupted(*arguments, **named):
        raise KeyboardInterrupt

    monkeypatch.setattr("dpbook.ext.book.build", interrupted)
    status, _, err = run("book")
    assert (status, err) == (130, "\nstopped; no book was written, build/book is as it was\n")


def test_where_names_claim_and_tests_that_are_there(run):
    status, out, _ = run("where", "privacy:renyi-normal")
    assert status == 0
    places = [line.split() for line in out.splitlines()]
    assert places[0][0] == "claim"
    assert {"claim", "test"} <= {kind for kind, _ in places}
    for kind, place in places:
        file, _, line = place.partition(":")
        # of JSON the file is enough: its lines are not for readers
        assert bool(line) == (not file.endswith((".json", ".ipynb"))), kind
        assert len((ROOT / file).read_text().splitlines()) >= int(line or 1)


def test_where_names_the_file_of_the_proof_and_no_line_of_a_notebook(run):
    out = run("where", "langevin:theorem-1")[1]
    proofs = [line.split()[1] for line in out.splitlines() if line.startswith("proof")]
    assert proofs == ["dpbook/langevin/claims/proofs/appendix_d_sizes.json"]
    assert "notebook  notebooks/03_langevin_posterior.ipynb\n" in out


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("exp above its tangent", ["lemma", "proof"]),
        ("gamma, logarithm", ["axiom"]),
        ("no root", ["rule"]),
        ("and", ["rule"]),
    ],
)
def test_where_names_rules_axioms_and_lemmas_of_the_kernel(run, name, kinds):
    status, out, _ = run("where", name)
    places = [line.split() for line in out.splitlines()]
    assert (status, [kind for kind, _ in places]) == (0, kinds)
    file, _, line = places[0][1].partition(":")
    shown = (ROOT / file).read_text().splitlines()[int(line) - 1]
    assert shown.startswith(f"def {name.replace(' ', '_')}") or f'"{name}"' in shown


ROWS = [
    {
        "key": "own:eq-1", "title": "A bound, as printed", "verdict": "refuted", "source": "A paper, eq. 1",
        "fault": "error", "effect": "none", "corrected_by": ["own:eq-1-corrected"], "why": "",
        "counterexample": {"x": "2"}, "finding": "4 <= 3 is false",
        "statement": "x**2 <= b", "given": ["x > 1"], "where": ["b = 3"],
        "using": [], "cites": [], "corrects": [], "trusted": [],
    },
    {
        "key": "own:eq-1-corrected", "title": "A bound <, repaired", "verdict": "proved", "source": "ours",
        "fault": None, "effect": None, "corrected_by": [], "why": "A factor 2.",
        "counterexample": None, "finding": "", "statement": "x**2 <= c", "where": ["b = 3", "c = 2*b"],
        "using": ["own:eq-2"], "cites": [], "corrects": ["own:eq-1"], "trusted": ["kernel"],
    },
]  # fmt: skip


def unfolded(out):
    """The lines of errata, each whole again where its pieces stand below each other."""
    return re.sub(r"\n {6,}(?=\S)", " ", out).splitlines()


def test_errata_say_where_why_and_what_repairs_in_the_words_of_the_card(run):
    status, out, _ = run("errata", "langevin:text-a-renyi")
    assert status == 0
    lines = unfolded(out)
    starts = (
        "langevin:text-a-renyi  Renyi divergence of two Normals, as printed",
        "  where it stands: ",
        "  statement: renyi_divergence(",
        "  given: nu > 1; sigma_1, sigma_2 > 0; shifted_variance > 0",
        "  where: shifted_variance = nu*sigma_2**2 + (1 - nu)*sigma_1**2",
        "  kind of fault: wrong as printed, beyond a slip of the pen (error)",
        "  what was wrong: The first logarithm of the print has the wrong sign",
        "  counterexample: mu_1 = 0, mu_2 = 3",
        "  there: 1.8813201 = -1.0765143 is false",
        "  corrected by: langevin:text-a-renyi-corrected (proved)",
        "    renyi_divergence(",
        "  effect: The printed factor returns",
    )
    assert len(lines) == len(starts) + 1  # what the repair shares with the print is not said again
    for line, start in zip(lines, starts, strict=False):
        assert line.startswith(start)
    card = {
        line.strip().partition(":")[0]
        for line in run("show", "langevin:text-a-renyi")[1].splitlines()
    }
    assert {line.strip().partition(":")[0] for line in lines[3:9]} <= card


def test_errata_without_variables_show_both_sides(run):
    out = run("errata", "depth_medians:text-e.3-mean")[1]
    assert "\n  because: 0.79788456 = 2.5066283 is false\n" in out


def test_errata_of_several_repairs_say_which_mends_what(run):
    out = run("errata", "depth_medians:lemma-e.3")[1]
    told = [line for line in unfolded(out) if line.startswith("  what was wrong")]
    repairs = ledger["depth_medians:lemma-e.3"].corrected_by
    assert len(repairs) == 3
    for key in repairs:
        [line] = [line for line in told if re.search(rf"{re.escape(key)}[,)]", line)]
        assert line.endswith(f": {catalog.find(key).why}")


@pytest.mark.parametrize("asked", ["privacy", "Privacy", "--topic privacy", "privacy privacy"])
def test_errata_of_a_topic_however_it_is_asked_for(run, asked):
    refuted = [
        key for key, row in recorded.verdicts("privacy").items() if row["verdict"] == "refuted"
    ]
    status, out, err = run("errata", "--whole", *asked.split())
    assert (status, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines() if line.startswith("privacy:")] == refuted
    count = len(recorded.verdicts("privacy"))
    assert out.endswith(f"{len(refuted)} of {count} claims are refuted as printed\n")


def test_errata_are_counted_first_and_have_a_line_each_before_they_are_whole(run):
    status, out, err = run("errata")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) == len(record.topics()) + 2
    for line, topic in zip(out.splitlines(), record.topics(), strict=False):
        rows = recorded.verdicts(topic)
        refuted = [key for key, row in rows.items() if row["verdict"] == "refuted"]
        assert line.split()[0] == topic
        assert sum(map(int, re.findall(r"\b[0-9]+\b", line))) == len(refuted)
        each = run("errata", topic)[1].splitlines()
        told = [line.split()[:2] for line in each if line.startswith(f"{topic}:")]
        assert [key for key, _ in told] == refuted
        for key, kind in told:
            assert kind == (catalog.find(key).fault or "not")


def test_errata_count_programs_and_statements_of_our_own_apart(run):
    out = run("errata", "unknown_sample_size", "--whole")[1]
    keys = [line.split()[0] for line in out.splitlines() if line.startswith("unknown_sample_size:")]
    faults = [catalog.find(key).fault for key in keys]
    code, ours = faults.count("code"), faults.count("")
    assert (code, ours) == (2, 1)
    assert "  kind of fault: not of a paper\n" in out
    last = out.splitlines()[-1]
    assert last.startswith(f"{len(keys) - 3} of ")
    assert last.endswith("; 2 more are about the authors' programs; 1 more is not of a paper")


def test_a_misprint_counts_once_and_what_falls_with_it_apart(run):
    *lines, last, hint = run("errata", "langevin")[1].splitlines()
    keys = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert hint.startswith("one whole: dpbook errata KEY; ")
    falling = [key for key in keys if catalog.find(key).fault == "consequence"]
    assert falling == [
        *("langevin:claim-4.1", "langevin:claim-c.11"),
        *("langevin:corollary-c.2", "langevin:corollary-c.3"),
    ]
    assert catalog.find("langevin:eq-26").fault == "misprint"
    for key in falling:
        assert "langevin:eq-26" in catalog.find(key).cites
    assert last.startswith(f"{len(keys) - 4} of ")
    assert "4 more are consequences of these" in last


def test_a_consequence_names_what_it_follows_from(run, lecture):
    declared = '@claim("tail", fault="consequence", place="p. 1", effect="none")'
    lecture.write_text(LECTURE.replace('@claim("tail")', declared))
    status, _, err = run("verify", lecture)
    assert status != 0
    assert "cites must name the fault that it follows from" in err


def test_errata_of_a_claim_of_its_repair_and_of_what_holds(run):
    printed = run("errata", "langevin:lemma-4.2")
    assert printed[0] == 0
    assert printed[1].startswith("langevin:lemma-4.2  ")
    assert "refuted as printed" not in printed[1]
    statement = "renyi_divergence(Normal(mu, sigma), Normal(mu_hat, sigma_hat), nu)"
    assert f"\n  statement: {statement} <= epsilon_1\n" in printed[1]
    assert f"\n    {statement} <= epsilon_1_repaired\n" in printed[1]
    for name in ("epsilon_1", "epsilon_1_repaired"):  # both bounds are defined there
        assert re.search(rf"^ +{name} = \S", printed[1], re.M), name
    card = run("show", "langevin:eq-14")[1]
    assert "what was wrong: The first logarithm has the wrong sign." in " ".join(card.split())
    mended = (
        "langevin:lemma-4.2-corrected is proved: no erratum; it corrects langevin:lemma-4.2:\n\n"
    )
    assert run("errata", "langevin:lemma-4.2-corrected")[1] == mended + printed[1]
    holds = run("errata", "privacy:renyi-normal")
    assert holds == (0, "privacy:renyi-normal is proved: no erratum\n", "")


def test_graph_is_an_svg_with_every_claim_and_a_legend(run, monkeypatch, tmp_path):
    monkeypatch.setattr(record, "topics", lambda: ["own"])
    monkeypatch.setattr(recorded, "drawn", lambda topic: ROWS)
    output = tmp_path / "graph.svg"
    assert run("graph", "--output", output)[0] == 0
    root = ElementTree.parse(output).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"own:eq-1", "own:eq-1-corrected", "1 proved", "1 refuted", "corrects"} <= set(texts)


def test_graph_of_a_claim_is_what_it_rests_on(run, tmp_path):
    output = tmp_path / "graph.svg"
    status, out, _ = run("graph", "langevin:lemma-4.2-corrected", "--output", output)
    assert status == 0
    shown = set(re.findall(r"<title>([\w.-]+:[\w.-]+):", output.read_text(encoding="utf-8")))
    every = {row["key"]: row for topic in record.topics() for row in recorded.drawn(topic)}
    assert "langevin:lemma-4.2-corrected" in shown < set(every)
    assert out.startswith(f"{len(shown)} claims drawn")
    for key in shown:
        assert {*every[key]["using"], *every[key]["cites"]} <= shown
    whole = run("graph", "langevin:lemma-4.2-corrected", "--topic", "langevin", "--output", output)
    assert whole[1] == out  # its topic named, a claim rests on those of other topics still
    status, _, err = run("graph", "langevin:nothing", "--output", output)
    assert status == 2
    assert "langevin:nothing" in err


def test_ctrl_c_ends_with_one_line(monkeypatch, capsys):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.Verification, "of_topics", interrupted)
    with pytest.raises(SystemExit) as stop:
        cli.main(["verify"])
    assert stop.value.code == 130
    assert capsys.readouterr().err == "\nstopped; what was decided is remembered\n"


# --- study ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Squares:
    rows: tuple

    def describe(self):
        return "Squares of two numbers."

    def plot(self, ax=None):
        ax = ax or figures.axes()
        ax.plot([row["n"] for row in self.rows])
        return ax


@pytest.fixture
def toy():
    """A study that is on no topic's shelf; its cells run in no worker, so `run` is told jobs=None."""

    def of(cells):
        wide = "w" * 200
        return Squares(
            tuple({"n": c.setting["n"], wide: c.record["x"] / 3, "[b]": "[/]"} for c in cells)
        )

    @study.study("toy", place="", quick=Scale(grid(n=(2, 30_000_000))), paper=Scale([]), summary=of)
    def squares(rng, n):
        """Squares of numbers."""
        return {"x": n**2}

    yield squares
    del study.REGISTRY["toy"]


def test_study_list_names_them_without_importing_a_topic(run):
    status, out, err = run("study", "list")
    assert (status, err) == (0, "")
    names = [line.split()[0] for line in out.splitlines()]
    assert names == list(study.listed())
    assert "langevin-figure-1" in names


def test_study_shows_its_table_whole_and_says_where_the_rest_is(run, toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    without_workers = study.run
    monkeypatch.setattr(study, "run", lambda one, jobs, **kw: without_workers(one, **kw))
    status, out, err = run("study", "run", "toy", "--replicates", "2")
    assert (status, err) == (0, "")
    title, head, *rows, words, where = out.splitlines()
    assert title == "Squares of numbers"
    assert head.split() == ["n", "w" * 200, "[b]"]
    assert [row.split() for row in rows] == 2 * [["2", "1.33333", "[/]"]] + 2 * [
        ["30000000", "3e+14", "[/]"]
    ]
    assert words == "Squares of two numbers."
    assert where == "in dpbook-studies/toy-quick: summary.json, toy.png and the cells"
    written = sorted(path.name for path in (tmp_path / "dpbook-studies/toy-quick").iterdir())
    assert written == ["cells.jsonl", "study.json", "summary.json", "toy.png"]
    status, _, err = run("study", "run", "toy")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith(
        "dpbook-studies/toy-quick already holds cells.jsonl: go on with that run (--resume, resume=True), or name"
    )


def test_study_of_light_cells_starts_no_worker_unless_told(run, toy, tmp_path, monkeypatch):
    told = []
    monkeypatch.setattr(study, "run", lambda one, jobs, **kw: told.append(jobs) or Squares(({},)))
    light = replace(toy.scales["quick"], light=True)
    heavy = replace(toy, scales={"quick": toy.scales["quick"]})
    monkeypatch.setitem(
        study.REGISTRY, "toy", replace(toy, scales={"quick": light, "paper": light})
    )
    for more in ([], ["--jobs", "2"], ["--replicates", "50"]):
        assert run("study", "run", "toy", "--out", str(tmp_path), *more)[0] == 0
    monkeypatch.setitem(study.REGISTRY, "toy", heavy)
    assert run("study", "run", "toy", "--out", str(tmp_path))[0] == 0
    every = min(os.cpu_count() or 1, 8)
    assert told == [None, 2, every, every]


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (
            study.Incomplete({"n=1, replicate 0": "ValueError: no"}, [None]),
            1,
            "n=1, replicate 0: ValueError: no\n1 of 2 cells failed; the others are in kept, "
            "--resume tries these again\n",
        ),
        (
            KeyboardInterrupt(),
            130,
            "\nstopped; the finished cells are in kept: the same command with --resume goes on\n",
        ),
    ],
)
def test_study_that_does_not_end_well_says_how_to_go_on(run, toy, monkeypatch, error, status, told):
    handler = signal.getsignal(signal.SIGTERM)

    def ended(*_, **told):
        assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
        raise error

    monkeypatch.setattr(study, "run", ended)
    assert run("study", "run", "toy", "--out", "kept") == (status, "", told)
    assert signal.getsignal(signal.SIGTERM) is handler


def test_parts_of_a_study_are_run_and_merged(run, toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    in_workers = study.run_part
    monkeypatch.setattr(
        study, "run_part", lambda one, part, jobs, **kw: in_workers(one, part, **kw)
    )
    for part in ("1/2", "2/2"):
        status, out, err = run("study", "run", "toy", "--part", part)
        folder = f"dpbook-studies/toy-quick-part-{part.replace('/', '-of-')}"
        assert (status, err) == (0, "")
        assert out.splitlines() == [
            f"part {part}, 1 cells, is in {folder}",
            "dpbook study merge DIR ... joins the folders of all parts",
        ]
    folders = sorted(map(str, (tmp_path / "dpbook-studies").iterdir()))
    status, out, err = run("study", "merge", folders[0])
    assert (status, out, err) == (2, "", "1 of 2 parts are missing: 2/2\n")
    status, out, err = run("study", "merge", *folders)
    assert (status, err) == (0, "")
    assert (
        out.splitlines()[-1] == "in dpbook-studies/toy-quick: summary.json, toy.png and the cells"
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--part", "3/2"], "part must be i/N with 1 <= i <= N, such as 2/8, got 3/2\n"),
        (["--part", "1/2", "--cluster", "local"], "give --part, --cluster or --scheduler, not two"),
        (["--cluster", "moon"], "cluster must be local, got 'moon'; other clusters: scheduler\n"),
        (["--scheduler", "x:1", "--jobs", "2"], "give scheduler or jobs, not both"),
    ],
)
def test_study_refuses_in_one_line(run, toy, tmp_path, monkeypatch, options, told):
    monkeypatch.chdir(tmp_path)
    status, out, err = run("study", "run", "toy", *options)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(told)
    assert list(tmp_path.iterdir()) == []
