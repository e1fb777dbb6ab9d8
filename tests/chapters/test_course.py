"""A course from the lecturer's side: generate, autograde, feedback; cheating gets no points."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dpbook.teaching import editions, exercises, grading

ROOT = Path(__file__).resolve().parents[2]
every_chapter = pytest.mark.skipif(
    "DPBOOK_EVERY_EDITION" not in os.environ,
    reason="runs two chapters for several students; .ci/run sets DPBOOK_EVERY_EDITION=1",
)

# --- an answer in another process -------------------------------------------------------------------


def graded(key, answer, *rest, folder=None):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "dpbook.teaching.grading", key, *rest],
        input=grading.sent(answer),
        capture_output=True,
        cwd=folder,
    )
    return done.returncode, done.stdout.decode() + done.stderr.decode()


@pytest.mark.parametrize(
    "answer",
    ["1/3", 7, 0.1, True, None, {"x": 2, "y": "1/3"}, [1, (2.5, "a")], -0.0, float("inf")],
    ids=repr,
)
def test_an_answer_arrives_as_it_was_sent(answer):
    assert repr(grading.received(grading.sent(answer))).replace("(", "[").replace(")", "]") == repr(
        answer
    ).replace("(", "[").replace(")", "]")


def test_formulas_numbers_of_numpy_and_functions_of_libraries_arrive():
    import math

    import numpy as np
    import sympy

    x = sympy.Symbol("x")
    for answer in (x**2 + sympy.log(x), sympy.Rational(1, 3), np.float64(0.1), math.log):
        assert grading.received(grading.sent(answer)) == answer
    assert type(grading.received(grading.sent(np.float64(0.1)))) is float
    with pytest.raises(grading.Unsendable, match="type object"):
        grading.sent(object())


def test_a_function_arrives_with_what_it_uses(tmp_path):
    program = (
        "import math\n"
        "from math import log as ln\n"
        "from dpbook.teaching import grading\n"
        "scale = 2.0\n"
        "def half(x):\n    return x / scale\n"
        "def answer(x):\n    return half(x) + ln(x) + math.pi + sum(map(lambda v: v * scale, [x]))\n"
        "import sys; sys.stdout.buffer.write(grading.sent(answer))\n"
    )
    path = tmp_path / "notebook.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, check=True)
    answer = grading.received(done.stdout)
    import math

    assert answer(2.0) == 1.0 + math.log(2.0) + math.pi + 4.0


def test_only_a_right_answer_ends_with_0():
    assert graded("claims:scientific-notation", "10") == (0, "read as 10\nright\n")
    for wrong in ("11", "10 +", None, "epsilon"):
        assert graded("claims:scientific-notation", wrong)[0] == 1
    assert graded("claims:no-such", "10")[0] == 1


def test_the_numbers_are_those_of_the_student_whose_folder_it_is(tmp_path):
    folder = tmp_path / "autograded" / "ada" / "02_privacy"
    folder.mkdir(parents=True)
    key = "privacy:advanced-beats-basic"
    own = exercises.find(key, "ada", 7).solution()
    other = next(
        f"student-{i}"
        for i in range(100)
        if exercises.find(key, f"student-{i}", 7).solution() != own
    )
    theirs = exercises.find(key, other, 7).solution()
    assert graded(key, int(own), "ada", "7", folder=folder)[0] == 0
    assert graded(key, int(own), "", "7", folder=folder)[0] == 0
    assert graded(key, int(theirs), other, "7", folder=folder)[0] == 1
    assert graded(key, int(theirs), other, "7")[0] == 0


# --- other numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", sorted(k for k in exercises.all_exercises() if k in exercises.VARIED)
)
def test_own_numbers_are_the_same_each_time_and_other_ones_for_others(key):
    questions = {exercises.find(key, f"student-{i}", 1).question for i in range(30)}
    assert len(questions) >= 10
    one = exercises.find(key, "ada", 1)
    assert one.question == exercises.find(key, "ada", 1).question
    assert {exercises.find(key, "ada", seed).question for seed in range(20)} != {one.question}
    assert exercises.find(key, "").question == exercises.find(key).question
    for name in ("ada", "bob"):
        made = exercises.find(key, name, 1)
        assert exercises.check(key, made.solution(), name, 1)
        for slip in made.slips:
            mistaken = slip.answer() if callable(slip.answer) else slip.answer
            outcome = exercises.check(key, mistaken, name, 1)
            assert not outcome
            assert outcome.hint


# --- a course ---------------------------------------------------------------------------------------


def run(course, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=course,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "IPYTHONDIR": str(course / ".ipython"),
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def submit(course, chapter, student, edit, named):
    """Hand in the released notebook, each answer cell changed by `edit(label, source)`."""
    name = f"{chapter}.ipynb"
    notebook = json.loads((course / "release" / chapter / name).read_text())
    for cell in notebook["cells"]:
        mark = cell["metadata"].get("nbgrader", {})
        if "".join(cell["source"]) == editions.STUDENT:
            cell["source"] = f"student = {named!r}"
        if mark.get("solution"):
            label = mark["grade_id"].partition("-")[2]
            cell["source"] = edit(label, "".join(cell["source"]))
    folder = course / "submitted" / student / chapter
    folder.mkdir(parents=True)
    (folder / name).write_text(json.dumps(notebook))


def solutions(chapter):
    """The code of the solutions by the exercise's label."""
    found = {}
    for cell in json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text())["cells"]:
        role, label = editions.role_of(cell)
        if role == "solution" and cell["cell_type"] == "code":
            found[label] = found.get(label, "") + "".join(cell["source"]) + "\n"
    return found


SHADOW = "class E:\n    check = staticmethod(lambda *a, **k: True)\nexercises = E()\n"
PATCH = (
    "import dpbook.teaching.exercises as module\nmodule.check = lambda *a, **k: True\n"
    "module.judged = module.check\nimport subprocess\n"
    "subprocess.run = lambda *a, **k: type('Done', (), {'returncode': 0})\n"
)


@every_chapter
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("chapter", ["02_privacy", "03_langevin_posterior"])
def test_generate_autograde_and_feedback(chapter, tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is in the extra nbgrader")
    report = editions.copy(tmp_path, "nbgrader", seed=7)
    assert report[-1].startswith('the page "Teach with it"')
    run(tmp_path, "generate_assignment", chapter, "--create")
    released = (tmp_path / "release" / chapter / f"{chapter}.ipynb").read_text()
    made = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text())
    keys = editions._keys(made)
    right, own = solutions(chapter), {}
    for label, key in keys.items():
        own[label] = right[label]
        if key in exercises.VARIED:  # with the numbers of the student called right
            name = right[label].partition(" =")[0]
            own[label] = f"{name} = '{exercises.find(key, 'right', 7).solution()}'"
    varied = sum(own[label] != right[label] for label in right)
    assert varied == (2 if chapter == "02_privacy" else 0)
    for words in ("BEGIN SOLUTION", "HIDDEN", "grading", "NotImplemented"):
        assert words not in released
    labels = list(right)

    def partly(label, source):  # the first right, the second a syntax error, the others first tries
        if label == labels[0]:
            return right[label]
        return f"{source}\n)" if label == labels[1] else source

    students = {
        "right": lambda label, source: own[label],
        "copied": lambda label, source: own[label],
        "partly": partly,
        "shadow": lambda label, source: f"{SHADOW}{source}",
        "patch": lambda label, source: f"{PATCH}{source}",
    }
    for name, edit in students.items():
        submit(tmp_path, chapter, name, edit, "right" if name in ("right", "copied") else name)
    run(tmp_path, "autograde", chapter, "--create")
    run(tmp_path, "generate_feedback", chapter)
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        scores = {name: book.find_submission(chapter, name).score for name in students}
        most = book.find_assignment(chapter).max_score
    assert scores["right"] == most
    assert scores["copied"] == most - varied  # a neighbour's numbers are no others
    assert 0 < scores["partly"] < most
    assert (scores["shadow"], scores["patch"]) == (0, 0)
    assert (tmp_path / "feedback" / "partly" / chapter / f"{chapter}.html").is_file()


def test_the_page_for_lecturers_names_commands_that_there_are():
    page = (ROOT / "chapters" / "teach.md").read_text()
    apps = pytest.importorskip("nbgrader.apps", reason="nbgrader is in the extra nbgrader")
    known = {name.replace("-", "_") for name in apps.NbGraderApp.subcommands}
    named = set(re.findall(r"nbgrader ([a-z]+(?:_[a-z]+)?) ?(?=[0-9a-z`])", page))
    assert {"generate_assignment", "autograde", "generate_feedback"} <= named
    assert {name for name in named if f"`nbgrader {name}" in page} <= known
    chapters = {path.stem for path in (ROOT / "chapters").glob("[01]*.md")}
    assert set(re.findall(r"{doc}`(\w+)`", page)) == chapters


def test_points_are_those_of_the_exercises():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        made = editions.graded(json.loads(path.read_text()), path.stem)
        for cell in made["cells"]:
            mark = cell["metadata"].get("nbgrader", {})
            if not mark.get("grade"):
                continue
            call = editions._asked("".join(cell["source"]).split("\n")[0].partition(" = ")[2])
            key = call.args[0].value
            assert mark["points"] == exercises.find(key).points


def test_other_numbers_reach_the_notebook():
    path = ROOT / "notebooks" / "02_privacy.ipynb"
    made = editions.graded(json.loads(path.read_text()), path.stem, seed=7)
    texts = ["".join(cell["source"]) for cell in made["cells"]]
    assert texts.count(editions.STUDENT) == 1
    assert any(
        text.startswith("exercises.find('privacy:exact-epsilon', student, seed=7)")
        for text in texts
    )
    assert sum("student=student, seed=7)" in text for text in texts) == 2
    identities = [cell["id"] for cell in made["cells"]]
    assert len(identities) == len(set(identities))
