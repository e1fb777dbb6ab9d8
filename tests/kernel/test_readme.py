"""What the kernel's README shows works: the proofs, the lines of Python, and the limits."""

import importlib
import json
import re
from pathlib import Path

import pytest

from dpbook.kernel import Rejected
from dpbook.kernel.files import command
from dpbook.kernel.files.replay import parsed
from dpbook.kernel.formulas import parse_formula

README = (Path(command.__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def block(language):
    (found,) = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    return found


def test_proofs_of_the_readme_are_accepted_by_the_command_and_by_the_lines_of_python(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    Path("own.json").write_text(block("json"))
    assert command.main(["own.json"]) == 0
    assert "\n2 proofs, 0 rejected\n" in capsys.readouterr().out
    exec(compile(block("python"), "README.md", "exec"), {})
    assert capsys.readouterr().out == "[] []\n"


@pytest.mark.parametrize("goal", ["x^2 - 1 > 0", "sum(k, k, 1, n) == n*(n + 1)/2 + 1"])
def test_proofs_of_the_readme_do_not_prove_something_false(tmp_path, goal, capsys):
    proofs = json.loads(block("json"))
    key = "own:square" if "x" in goal else "own:total"
    proofs[key]["sequent"]["goal"] = goal
    path = tmp_path / "own.json"
    path.write_text(json.dumps(proofs))
    assert command.main([str(path)]) == 1
    assert "2 proofs, 1 rejected" in capsys.readouterr().out


def test_steps_that_the_readme_suggests_lead_from_one_message_to_the_next(tmp_path, capsys):
    proofs = json.loads(block("json"))
    proofs["own:total"]["certificate"]["premises"][3] = {"rule": "auto"}
    path = tmp_path / "own.json"
    path.write_text(json.dumps(proofs))
    assert command.main([str(path)]) == 1
    said = capsys.readouterr().out
    assert "  the goal there: sum(k, k, 1, n_ + 1) == (n_ + 1)*(n_ + 1 + 1)*(1/2)\n" in said
    for number, h in enumerate(["n >= 0", "0 <= n_", "n_ < n"]):
        assert f"  hypothesis {number}: {h}\n" in said


def test_limits_of_the_readme_are_those_of_the_program():
    rows = re.findall(r"^\| [^|]+ \| ([\d,]+) \| `([\w/.]+)` \|$", README, re.MULTILINE)
    assert len(rows) == 13
    for number, place in rows:
        module, _, name = place.rpartition(".")
        found = importlib.import_module(f"dpbook.kernel.{module.replace('/', '.')}")
        assert vars(found)[name] == int(number.replace(",", "")), place


@pytest.mark.parametrize(
    "source", ["0.5 > 0", "x**2 > 0", "2x > 0", "a^b^c > 0", "a < b < c", "\u0662 > 0"]
)
def test_what_the_readme_calls_no_formula_is_refused(source):
    with pytest.raises(Rejected):
        parse_formula(source)


def test_file_with_one_claim_of_the_readme_is_read_without_short_forms():
    entries = parsed(block("json"), "README.md")
    assert {"own:square", "own:total"} == entries.keys()
    assert entries["own:total"] == json.loads(block("json"))["own:total"]
