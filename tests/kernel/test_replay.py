"""Proofs in files: replayed with Python alone, and what is damaged is one line."""

import copy
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from dpbook.kernel.files import command as program
from dpbook.kernel.files import replay
from dpbook.kernel.files.lemmas import on_record
from dpbook.kernel.table import AXIOMS, INTEGRALS

ROOT = Path(__file__).resolve().parents[2]

SQUARE = {
    "sequent": {
        "variables": {"x": "real", "y": "real"},
        "given": ["x > 0", "y > 0"],
        "goal": "x^2 + y^2 >= 2*x*y",
    },
    "certificate": {
        "rule": "refute",
        "premises": [
            {"rule": "combination", "terms": [["1", [2], None], ["1", [], "x - y"]]},
        ],
    },
}
TANGENT = {
    "sequent": {"variables": {"x": "real"}, "given": [], "goal": "exp(x) - x >= 1"},
    "certificate": {
        "rule": "axiom",
        "name": "exp above its tangent",
        "at": {"u": "x"},
        "premises": [{"rule": "auto"}],
    },
}
HALF = {
    "sequent": {
        "variables": {"x": "real", "y": "real"},
        "given": ["x > 0", "y > 0"],
        "goal": "(x^2 + y^2)*(1/2) >= x*y",
    },
    "certificate": {
        "rule": "lemma",
        "name": "t:square",
        "premises": [
            {"rule": "auto"},
            {"rule": "auto"},
            {"rule": "restate", "goal": "x^2 + y^2 >= 2*x*y", "factor": "1/2",
             "premises": [{"rule": "auto"}]}],
    },
}  # fmt: skip
PROOFS = {"t:half": HALF, "t:square": SQUARE, "t:tangent": TANGENT}


@pytest.fixture
def run(tmp_path, capsys):
    def of(*contents):
        paths = []
        for number, content in enumerate(contents):
            path = tmp_path / f"file_{number}.json"
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                text = content if isinstance(content, str) else json.dumps(content)
                if text.startswith('{"t:'):
                    text = f'{{"format": {replay.FORMAT}, {text[1:]}'
                path.write_text(text)
            paths.append(str(path))
        status = program.main(paths)
        said = capsys.readouterr()
        return status, said.out, said.err

    return of


def changed(key, *path, to):
    """The proofs with one thing changed."""
    made = copy.deepcopy(PROOFS)
    here = made[key]
    for name in path[:-1]:
        here = here[name]
    here[path[-1]] = to
    return made


def test_proofs_are_accepted_and_what_they_trust_is_counted(run):
    status, out, err = run(PROOFS)
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"{len(on_record())} lemmas of the kernel, 0 rejected",
        "3 proofs, 0 rejected",
        "axioms: none",
        "lemmas: exp above its tangent 1",
    ]


def test_lemma_may_stand_in_another_file_and_its_axioms_count(run):
    uses = {
        "sequent": TANGENT["sequent"],
        "certificate": {"rule": "lemma", "name": "t:tangent", "premises": [{"rule": "auto"}]},
    }
    status, out, _ = run({"t:uses": uses}, {"t:tangent": TANGENT})
    assert status == 0
    assert "exp above its tangent 2" in out


def test_program_runs_with_nothing_but_python(tmp_path):
    path = tmp_path / "proofs.json"
    path.write_text(json.dumps({"format": replay.FORMAT, **PROOFS}))
    code = f"""
        import runpy, sys
        sys.path.insert(0, {str(ROOT)!r})
        sys.argv = ["dpbook.kernel", {str(path)!r}]
        try:
            runpy.run_module("dpbook.kernel", run_name="__main__", alter_sys=True)
        except SystemExit as stop:
            assert stop.code == 0, stop.code
        standard = set(sys.stdlib_module_names) | {{"dpbook", "__main__", "__mp_main__"}}
        strange = {{name.partition(".")[0] for name in sys.modules}} - standard
        assert not strange, strange
        others = {{n for n in sys.modules if n.startswith("dpbook.") and "kernel" not in n}}
        assert others == {{"dpbook.lazy"}}, others
    """
    command = [sys.executable, "-I", "-S", "-c", textwrap.dedent(code)]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "\n3 proofs, 0 rejected\n" in ran.stdout


@pytest.mark.parametrize(
    ("proofs", "said"),
    [
        (changed("t:square", "sequent", "goal", to="x^2 + y^2 >= 3*x*y"), "not 0"),
        (changed("t:square", "sequent", "variables", to={"x": "real"}), "not declared: y"),
        (changed("t:square", "certificate", "rule", to="believe"), "there is no rule 'believe'"),
        (
            changed("t:square", "certificate", "premises", to=[]),
            "the number of premises must be 1, got 0",
        ),
        (changed("t:tangent", "certificate", "name", to="none"), "there is no axiom none"),
        (changed("t:tangent", "certificate", to=None), "a node must be an object with a rule"),
        (changed("t:tangent", "sequent", to=SQUARE["sequent"]), "t:tangent: rejected at"),
        (changed("t:half", "certificate", "name", to="t:none"), "no proof among the files given"),
        (changed("t:half", "certificate", "name", to="t:half"), "rests on this proof"),
    ],
)
def test_what_proves_something_else_is_rejected_in_one_line(run, proofs, said):
    status, out, err = run(proofs)
    assert (status, err) == (1, "")
    assert said in out
    assert "file_0.json: t:" in out
    assert out.count("\n") >= 3  # one line for each rejection, and two of the summary


def test_rejection_names_the_node_and_its_rule(run):
    terms = [["1", [2], None], ["1", [], "x + y"]]
    _, out, _ = run(changed("t:square", "certificate", "premises", 0, "terms", to=terms))
    lines = [line for line in out.splitlines()[1:] if not line.startswith("  ")]
    assert "t:square: rejected at 0, rule combination: the combination is not 0" in lines[1]
    assert "t:half: rejected at the root, rule lemma: the proof of the lemma t:square" in lines[0]
    assert lines[2] == "3 proofs, 2 rejected"


def test_lemmas_that_rest_on_each_other_are_rejected():
    cycle = {
        name: {
            "sequent": SQUARE["sequent"],
            "certificate": {"rule": "lemma", "name": other, "premises": [{"rule": "auto"}] * 3},
        }
        for name, other in (("t:a", "t:b"), ("t:b", "t:c"), ("t:c", "t:a"))
    }
    assert all(one.rejected is not None for one in replay.replay(cycle))


DEEP = '{"t:a": {"sequent": {}, "certificate": ' + '{"premises": [' * 50_000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "no JSON of proofs"),
        ("no proofs", "no JSON of proofs"),
        (json.dumps(PROOFS)[:-40], "no JSON of proofs"),
        (DEEP, "nested too deeply"),
        ("[" * 200_000, "nested too deeply"),
        ("[]", "no object of proofs by keys"),
        ("{}", "no proofs in the files named"),
        ('{"t:a": 3}', "'t:a' has no sequent and certificate"),
        ('{"t:a": {"sequent": {}, "certificate": {}, "proved": true}}', "or has more"),
        ('{"t:a": {"sequent": {}, "sequent": {}, "certificate": {}}}', "stands twice"),
        ('{"t:a": {"sequent": {}, "certificate": {}, "sample": {"x": 1}}}', "an object of texts"),
        ('{"t:a": {"sequent": {}, "certificate": NaN}}', "NaN is no number"),
        ('{"t:a": {"sequent": {}, "certificate": ' + "9" * 5000 + "}}", "than 4000 digits"),
        (b"\xff\xfe{}", "no text in UTF-8"),
    ],
)
def test_unusable_file_is_one_line(run, content, said):
    status, out, err = run(content)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_key_that_a_terminal_cannot_show_is_refused_in_one_line(tmp_path):
    path = tmp_path / "file.json"
    path.write_text(json.dumps({"format": 3, "t:é→": SQUARE, "t:→": SQUARE}))
    said = subprocess.run(
        [sys.executable, "-m", "dpbook.kernel", str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert (said.returncode, said.stdout) == (2, "")
    assert "LATIN SMALL LETTER E WITH ACUTE" in said.stderr
    assert said.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("1", "its format is 1, and this version reads 3: remove the file, and search for the "),
        ("2", "its format is 2, and this version reads 3: remove the file, and search for the "),
        ("4", "its format is 4, and this version reads 3: the file was made by a newer version"),
        ('"3"', "its format is '3', and this version reads 3: write \"format\": 3, a number"),
        ("true", 'its format is True, and this version reads 3: write "format": 3, a number'),
        ("3.0", 'its format is 3.0, and this version reads 3: write "format": 3, a number'),
        (None, 'no format is given: write "format": 3 before the proofs'),
    ],
)
def test_file_of_another_format_is_refused_with_what_to_do(run, found, said):
    text = json.dumps(PROOFS)
    given = f'"format": {found}, ' if found else ""
    status, out, err = run(f"{{{given} {text[1:]}")
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert ("remove the file" in err) == (found in ("1", "2", None))


def test_file_that_is_too_large_is_read_no_further(run, monkeypatch):
    monkeypatch.setattr(replay, "LARGEST", 1000)
    status, out, err = run(json.dumps(PROOFS) + " " * 1000)
    assert (status, out) == (2, "")
    assert err.endswith(": more than 1000 bytes\n")
    assert program.main(["/dev/zero"]) == 2  # a device, which has no size and no end


def test_missing_folder_and_doubled_files_are_one_line(run, tmp_path, capsys):
    assert program.main([str(tmp_path / "none.json")]) == 2
    assert program.main([str(tmp_path)]) == 2
    assert program.main([]) == 2
    assert capsys.readouterr().err.count("\n") == 3
    status, _, err = run(PROOFS, PROOFS)
    assert status == 2
    assert "t:half stands in" in err


@pytest.mark.parametrize(
    "proofs",
    [
        changed("t:square", "sequent", "goal", to="x^(9^(9^9)) >= 0"),
        changed("t:square", "sequent", "goal", to=f"x + {'9' * 300} ^ {'9' * 300} >= 0"),
        changed("t:square", "sequent", "goal", to="(" * 90_000),
        changed("t:square", "sequent", "goal", to=["x"]),
        changed("t:square", "sequent", "goal", to="x >= 1e999"),
        changed("t:square", "sequent", "given", to="x > 0"),
        changed("t:square", "sequent", "variables", to={"x": "complex", "y": "real"}),
        changed("t:square", "sequent", to=[]),
        changed("t:square", "certificate", "premises", 0, "terms", to=[["1", [10**300], None]]),
        changed("t:square", "certificate", "premises", 0, "terms", to=[[1e308, [2], None]]),
        changed("t:square", "certificate", "premises", 0, "terms", to=[["1", ["2"], {}]]),
        changed("t:tangent", "certificate", "at", "u", to=f"{'9' * 4000}^{'9' * 4000}"),
    ],
)
def test_enormous_numbers_and_wrong_types_are_rejected(run, proofs):
    status, out, err = run(proofs)
    assert (status, err) == (1, "")
    assert ": rejected at " in out


def test_deep_certificate_is_rejected(run):
    node = {"rule": "auto"}
    for _ in range(400):
        node = {"rule": "refute", "premises": [node]}
    status, out, _ = run(changed("t:square", "certificate", to=node))
    assert status == 1
    assert "t:square: rejected at " in out


# --- axioms of the literature ----------------------------------------------------------------------

SOURCE = "A. Author, A book, 1999, theorem 1"
GROWTH = {
    "sequent": {
        "variables": {"x": "real", "y": "real"},
        "functions": {"f": 1},
        "given": ["x <= y"],
        "goal": "f(x) <= f(y)",
    },
    "axiom": SOURCE,
}
USES = {
    "sequent": {
        "variables": {"z": "real"},
        "functions": {"f": 1},
        "given": ["z >= 1"],
        "goal": "f(1) <= f(z)",
    },
    "certificate": {
        "rule": "lemma",
        "name": "t:axiom-growth",
        "at": {"x": "1", "y": "z"},
        "premises": [{"rule": "auto"}, {"rule": "auto"}],
    },
}
USES_THAT = {
    "sequent": {**USES["sequent"], "given": ["z >= 2"]},
    "certificate": {
        "rule": "lemma",
        "name": "t:uses",
        "at": {"z": "z"},
        "premises": [{"rule": "auto"}, {"rule": "auto"}],
    },
}
RESTING = {"t:uses-that": USES_THAT, "t:uses": USES, "t:axiom-growth": GROWTH}


def rejections(proofs):
    return {one.key: str(one.rejected) for one in replay.replay(proofs) if one.rejected}


def test_axiom_is_trusted_by_name_by_all_that_rests_on_it():
    found = {one.key: one.trust.named for one in replay.replay({**RESTING, **PROOFS})}
    assert found == {
        **dict.fromkeys(RESTING, {"t:axiom-growth": SOURCE}),
        **dict.fromkeys(PROOFS, {}),
    }


def test_axiom_is_shown_with_its_source_and_is_no_proof(run):
    status, out, err = run({**RESTING, **PROOFS})
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"{len(on_record())} lemmas of the kernel, 0 rejected",
        "5 proofs, 0 rejected",
        "axioms: none",
        "lemmas: exp above its tangent 1",
        f"named axiom, not proved: t:axiom-growth ({SOURCE}), 2 proofs rest on it",
    ]


@pytest.mark.parametrize(
    ("given", "at", "said"),
    [
        (["z >= 0"], {"x": "1", "y": "z"}, "t:uses"),  # its condition is not shown at the instance
        (["z >= 1"], {"x": "z", "y": "1"}, "t:uses"),
        (["z >= 1"], {"x": "1"}, "needs a value for y"),
        (["z >= 1"], {"x": "1", "y": "z", "w": "z"}, "no such variable"),
    ],
)
def test_axiom_is_used_where_its_conditions_are_shown(given, at, said):
    proofs = copy.deepcopy(RESTING)
    proofs["t:uses"]["sequent"]["given"] = given
    proofs["t:uses"]["certificate"]["at"] = at
    found = rejections(proofs)
    assert set(found) == {"t:uses", "t:uses-that"}
    assert said in f"t:uses {found['t:uses']}"


def test_axiom_among_no_file_is_claimed_by_no_certificate(run):
    without = {key: entry for key, entry in RESTING.items() if "axiom" not in entry}
    assert "no proof among the files given" in rejections(without)["t:uses"]
    status, _, _ = run({"t:uses-that": USES_THAT}, {"t:uses": USES})
    assert status == 1
    status, _, _ = run({"t:uses-that": USES_THAT}, {"t:uses": USES}, {"t:axiom-growth": GROWTH})
    assert status == 0


def test_axiom_of_a_file_is_none_of_the_kernel_and_a_node_declares_none():
    proofs = copy.deepcopy(RESTING)
    proofs["t:uses"]["certificate"]["rule"] = "axiom"
    assert "there is no axiom t:axiom-growth" in rejections(proofs)["t:uses"]
    proofs["t:uses"]["certificate"] = {"rule": "auto", "axiom": SOURCE}
    assert "t:uses" in rejections(proofs)


def test_axiom_that_says_something_else_does_not_serve():
    proofs = copy.deepcopy(RESTING)
    proofs["t:axiom-growth"]["sequent"]["goal"] = "f(x) >= f(y)"
    assert set(rejections(proofs)) == {"t:uses", "t:uses-that"}


def test_axiom_that_is_no_sequent_is_rejected_and_all_that_uses_it():
    for goal in ("f(x) <= f(y", "f(x) <= g(y)", "f(x, y) <= 1", "f(x) <= z", ["x"]):
        proofs = copy.deepcopy(RESTING)
        proofs["t:axiom-growth"]["sequent"]["goal"] = goal
        assert set(rejections(proofs)) == set(RESTING)


@pytest.mark.parametrize(
    "entry",
    [
        {**GROWTH, "certificate": {"rule": "auto"}},
        {**GROWTH, "certificate": None},
        {**GROWTH, "sample": {"x": "1", "y": "2"}},
        {**GROWTH, "point": {}},
        {"axiom": SOURCE},
        *({**GROWTH, "axiom": said} for said in ("", " ", "12", " A book", "a\nb", "x" * 301)),
        *({**GROWTH, "axiom": said} for said in (None, True, 1, [SOURCE], {"author": "A"})),
    ],
)
def test_axiom_with_a_proof_or_without_a_source_is_unusable(run, entry):
    status, out, err = run({**PROOFS, "t:axiom-growth": entry})
    assert (status, out) == (2, "")
    assert (
        "the axiom 't:axiom-growth' must have a sequent, a source in one line, and nothing" in err
    )
    assert err.count("\n") == 1


def test_axiom_and_proof_of_one_key_are_unusable(run):
    proof = {"sequent": GROWTH["sequent"], "certificate": {"rule": "auto"}}
    status, _, err = run({"t:axiom-growth": GROWTH}, {"t:axiom-growth": proof})
    assert status == 2
    assert "t:axiom-growth stands in" in err


def test_counts_are_broken_after_numbers_alone():
    from dpbook.kernel.files.command import _wrapped

    assert _wrapped("axioms: a, from a point 12; b 3; c 4", 26) == (
        "axioms: a, from a point 12;\n  b 3; c 4"
    )


def test_no_name_of_a_fact_holds_what_stands_between_counts():
    assert not any(";" in name for name in (*AXIOMS, *INTEGRALS))


# --- what is said of a rejected step, and of the command ---------------------------------------------


def test_rejection_is_followed_by_the_goal_and_the_hypotheses_of_the_step(run):
    terms = [["1", [2], None], ["1", [], "x + y"]]
    _, out, _ = run(changed("t:square", "certificate", "premises", 0, "terms", to=terms))
    at = out.splitlines().index(
        next(line for line in out.splitlines() if "rule combination: the combination" in line)
    )
    assert out.splitlines()[at + 1 : at + 6] == [
        "  the goal there: 0 > 1",
        "  hypothesis 0: x > 0, read as x > 0",
        "  hypothesis 1: y > 0, read as y > 0",
        "  hypothesis 2: x^2 + y^2 < 2*x*y, read as 2*x*y - x^2 - y^2 > 0",
        "  the combination is 4*x*y",
    ]


def test_rejection_for_the_number_of_premises_is_followed_by_the_premises(run):
    _, out, _ = run(changed("t:square", "certificate", "premises", to=[]))
    assert "  premise 0: 0 > 1, given x^2 + y^2 < 2*x*y\n" in out
    _, out, _ = run(changed("t:square", "certificate", to={"rule": "induct", "variable": "x"}))
    assert "  the goal there: x^2 + y^2 >= 2*x*y\n" in out


def test_combination_is_made_of_hypotheses_without_their_denominators(run):
    """A fact of a combination is the hypothesis as the normal form reads it, and the note says so."""
    entry = {
        "sequent": {"variables": {"e": "real", "x": "real"}, "given": ["e > 0", "1/e <= x", "x < 0"],
                    "goal": "0 > 1"},
        "certificate": {"rule": "combination", "terms": [["1", [0], None], ["1", [1], None]]},
    }  # fmt: skip
    status, out, _ = run({"t:a": entry})
    assert status == 1
    assert "  hypothesis 1: e^(-1) <= x, read as e*x - 1 >= 0\n" in out
    entry["certificate"]["terms"] = [["1", [1], None], ["1", [0, 2], None], ["1", [0, 0, 2], None]]
    assert run({"t:a": entry})[0] == 1


DEEP_GOALS = ["(" * 300 + "1" + ")" * 300 + " > 0", "(" * 500 + "1 > 0" + ")" * 500]


@pytest.mark.parametrize("goal", DEEP_GOALS)
def test_deep_goal_is_rejected_in_one_line_by_both_commands(run, tmp_path, capsys, goal):
    entry = {"sequent": {"goal": goal}, "certificate": {"rule": "auto"}}
    status, out, err = run({"t:a": entry})
    assert (status, err) == (1, "")
    assert "t:a: rejected at the root, rule ?: the sequent is nested too deeply\n" in out
    assert program.main(["--expand", str(tmp_path / "file_0.json"), "t:a"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "file_0.json: t:a: it is no sequent: " in said


def test_goal_of_some_hundred_brackets_is_read(run):
    goal = "(" * 190 + "1" + ")" * 190 + " > 0"
    assert run({"t:a": {"sequent": {"goal": goal}, "certificate": {"rule": "auto"}}})[0] == 0


@pytest.mark.parametrize(
    ("sequent", "said"),
    [
        ({"variables": {"": "real"}, "goal": "1 > 0"}, "'' is no name: write ASCII letters"),
        ({"variables": {"x y": "real"}, "goal": "1 > 0"}, "'x y' is no name"),
        ({"variables": {"é": "real"}, "goal": "1 > 0"}, "'é' is no name"),
        ({"functions": {"f": True}, "goal": "1 > 0"}, "a sequent has variables, functions"),
        ({"goal": "1 > 0", "hypotheses": ["0 > 1"]}, "a sequent has no field 'hypotheses'"),
        ({"functions": {"f": 1}, "goal": "f(1) == f(\u0661)"}, "cannot read '\u0661'"),
    ],
)
def test_sequent_with_a_strange_name_or_field_is_rejected_in_one_line(run, sequent, said):
    status, out, err = run({"t:a": {"sequent": sequent, "certificate": {"rule": "auto"}}})
    assert (status, err) == (1, "")
    assert f"t:a: rejected at the root, rule ?: {said}" in out
    assert len(out.splitlines()) == 5


def test_coefficient_has_ascii_digits(run):
    terms = [["1", [2], None], ["\u0661", [], "x - y"]]
    status, out, _ = run(changed("t:square", "certificate", "premises", 0, "terms", to=terms))
    assert status == 1
    assert "a coefficient must be a rational number" in out


def test_help_is_written_to_the_output_and_names_options_and_ends(capsys):
    for option in ("--help", "-h"):
        assert program.main([option]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        for word in ("FILE ...", "--expand", "--about", "ends with 0", "with 1", "with 2"):
            assert word in said.out
    assert program.main(["--unknown"]) == 2
    assert capsys.readouterr().err.startswith("usage: ")


def test_missing_lemma_is_named_with_the_command_that_finds_its_file(run):
    status, out, _ = run({"t:half": HALF})
    assert status == 1
    assert "name its file too, which `dpbook where t:square` finds" in out


def test_expand_says_that_lemmas_are_taken_as_given(tmp_path, capsys):
    path = tmp_path / "proofs.json"
    path.write_text(json.dumps({"format": replay.FORMAT, **PROOFS}))
    assert program.main(["--expand", str(path), "t:half"]) == 0
    assert "taken as given, not checked here: the lemmas t:square; " in capsys.readouterr().err
    assert program.main(["--expand", str(path), "t:square"]) == 0
    assert "taken as given" not in capsys.readouterr().err
