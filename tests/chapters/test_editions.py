"""`dpbook lab`: copies for readers, for students, and for nbgrader."""

import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest

from dpbook import cli
from dpbook.ext import kernels
from dpbook.teaching import editions
from dpbook.teaching.chapters import NotebookError

ROOT = Path(__file__).resolve().parents[2]
every_chapter = pytest.mark.skipif(
    "DPBOOK_EVERY_EDITION" not in os.environ,
    reason="runs every chapter again; .ci/full sets DPBOOK_EVERY_EDITION=1",
)
COMMITTED = sorted((ROOT / "notebooks").glob("*.ipynb"))


def cells(path):
    return json.loads(path.read_text())["cells"]


def text(path):
    return "\n".join("".join(cell["source"]) for cell in cells(path))


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main(["lab", *map(str, arguments)])
        shown = capsys.readouterr()
        return stop.value.code, shown.out, shown.err

    return run


# --- copying --------------------------------------------------------------------------------------


@pytest.fixture
def compiled(monkeypatch):
    """All kernels are compiled."""
    monkeypatch.setattr(kernels, "are_compiled", lambda: True)


@pytest.mark.usefixtures("compiled")
def test_lab_copies_every_notebook_and_opens_jupyterlab_there(run, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(os, "execv", lambda path, command: opened.append((path, command)))
    status, out, err = run(tmp_path / "mine")
    assert (status, err) == (0, "")
    books = "notebook" if len(COMMITTED) == 1 else "notebooks"
    assert out == f"{len(COMMITTED)} {books} written to {tmp_path / 'mine'}\n"
    for path in COMMITTED:
        assert (tmp_path / "mine" / path.name).read_bytes() == path.read_bytes()
    folder = f"--ServerApp.root_dir={tmp_path / 'mine'}"
    command = [sys.executable, "-m", "jupyterlab", folder]
    root = ["--allow-root"] if os.geteuid() == 0 else []
    assert opened == [(sys.executable, [*command, *root])]


@pytest.mark.usefixtures("own_cache")
def test_lab_compiles_all_kernels_once_before_it_opens(run, tmp_path, monkeypatch):
    done = []
    monkeypatch.setattr(kernels, "first_calls", lambda: [("topic: one", lambda: done.append(1))])
    monkeypatch.setattr(os, "execv", lambda path, command: done.append("opened"))
    assert run(tmp_path / "mine", "--no-open")[0] == 0
    assert done == []
    status, _, err = run(tmp_path / "mine")
    assert (status, err) == (0, "compiling all kernels once, which takes minutes\n")
    assert run(tmp_path / "mine")[2] == ""
    assert done == [1, "opened", "opened"]


@pytest.mark.usefixtures("compiled")
def test_lab_opens_for_root_too_as_in_a_container(run, tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr(os, "execv", lambda path, command: opened.append(command))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert run(tmp_path / "mine")[0] == 0
    assert "--allow-root" in opened[0]


def test_own_work_is_never_overwritten(run, tmp_path):
    assert run(tmp_path, "--no-open")[0] == 0
    mine = tmp_path / COMMITTED[0].name
    mine.write_text("my own")
    status, out, _ = run(tmp_path, "--no-open")
    assert status == 0
    assert mine.read_text() == "my own"
    assert f"{len(COMMITTED) - 1} there already" in out or len(COMMITTED) == 1
    assert out.endswith(
        f"kept as they are, because they differ: {mine.name}; remove one to get it anew\n"
    )


def test_without_jupyterlab_one_line_names_the_extra(run, tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, out, err = run(tmp_path / "mine")
    assert (status, out) == (2, "")
    assert (
        err == "JupyterLab is not installed: pip install 'dpbook[lab]' (in a clone: "
        ".venv/bin/pip install -c constraints.txt '.[lab]'), or copy only: --no-open\n"
    )
    assert not (tmp_path / "mine").exists()
    assert run(tmp_path / "mine", "--no-open")[0] == 0


def test_unusable_folder_is_one_line(run, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("x")
    assert run(taken, "--no-open") == (2, "", f"{taken} is a file; name a folder\n")
    status, _, err = run(taken / "below", "--no-open")
    assert status == 2
    assert err.count("\n") == 1
    status, _, err = run(tmp_path, "--student", "--nbgrader")
    assert (status, err.count("\n")) == (2, 1)


def test_notebooks_of_an_installed_wheel_are_found(tmp_path, monkeypatch):
    shipped = tmp_path / "shipped" / "notebooks"
    shipped.mkdir(parents=True)
    (shipped / COMMITTED[0].name).write_bytes(COMMITTED[0].read_bytes())
    monkeypatch.setattr("dpbook.engine.claims.record.PACKAGE", tmp_path)
    (report,) = editions.copy(tmp_path / "out")
    assert report.startswith("1 notebook written")


def test_nothing_to_copy_is_one_line(tmp_path):
    with pytest.raises(NotebookError, match="no notebooks in "):
        editions.copy(tmp_path / "out", notebooks=tmp_path)


# --- students -------------------------------------------------------------------------------------


def test_student_edition_leaves_solutions_out_and_nothing_else(built, tmp_path):
    editions.copy(tmp_path, "student", built.notebooks)
    path = tmp_path / "01_powers.ipynb"
    assert "2 * 2 * 2" in text(built.notebook())
    for solution in ("2 * 2 * 2", "Solution", "Multiply three times"):
        assert solution not in text(path)
    left = [cell for cell in cells(built.notebook()) if editions.role_of(cell)[0] != "solution"]
    assert cells(path) == left
    assert "source_sha256" not in path.read_text()


@every_chapter
@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_student_edition_runs_from_top_to_bottom(path, tmp_path):
    """A cell that needs what a solution defined would fail for the student."""
    import nbformat
    from nbclient import NotebookClient

    made = editions.student(json.loads(path.read_text()))
    assert not any("Solution of" in "".join(cell["source"]) for cell in made["cells"])
    notebook = nbformat.reads(json.dumps(made), as_version=4)
    NotebookClient(notebook, kernel_name="python3", timeout=600).execute(cwd=str(tmp_path))


def test_student_edition_never_stands_among_solutions(run, tmp_path):
    assert run(tmp_path, "--no-open")[0] == 0
    status, out, err = run(tmp_path, "--student", "--no-open")
    assert (status, out) == (2, "")
    assert err.startswith(f"{tmp_path} holds notebooks with solutions (01_claims.ipynb, ")
    clean = tmp_path / "students"
    assert run(clean, "--student", "--no-open")[0] == 0
    mine = clean / COMMITTED[0].name
    mine.write_text(mine.read_text().replace("import", "import "))  # a student's own work
    assert run(clean, "--student", "--no-open")[0] == 0


def test_a_seed_belongs_to_nbgrader(run, tmp_path):
    assert run(tmp_path, "--seed", "3", "--no-open")[0] == 2


def test_student_edition_never_stands_in_the_folder_of_a_course(run, tmp_path):
    editions.copy(tmp_path / "course", "nbgrader", seed=3)
    status, out, err = run(tmp_path / "course", "--student", "--no-open")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "is the folder of a course, which holds solutions: name another folder" in err
    assert not list((tmp_path / "course").glob("*.ipynb"))
    status, _, err = run(tmp_path / "other", "--nbgrader", "--seed", "-3")
    assert (status, err) == (2, "the seed must be 0 or more, got -3\n")


# --- nbgrader -------------------------------------------------------------------------------------


def test_lecturers_seed_stands_in_the_configuration_alone_and_stays(built, tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        editions.copy(folder, "nbgrader", built.notebooks)
    text = (first / "nbgrader_config.py").read_text()
    seed = re.search(r'c\.Decide\.fresh_seed = "([0-9a-f]{16})"\n', text)[1]
    assert seed not in (second / "nbgrader_config.py").read_text()
    assert not any(seed in path.read_text() for path in (first / "source").rglob("*.ipynb"))
    report = editions.copy(first, "nbgrader", built.notebooks)
    assert "kept" not in " ".join(report)
    assert (first / "nbgrader_config.py").read_text() == text


nbgrader = pytest.mark.filterwarnings("default")  # it and what it imports are not ours to mend


@pytest.fixture
def course(built, tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is in the extra dev")
    report = editions.copy(tmp_path, "nbgrader", built.notebooks)
    assert report[0] == f"1 notebook written to {tmp_path}"
    assert report[1].endswith("nbgrader generate_assignment 01_powers")
    return tmp_path


def released(course, monkeypatch):
    """The assignment as nbgrader hands it out."""
    from nbgrader.apps import NbGraderAPI
    from traitlets.config import Config

    bin_ = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", f"{bin_}{os.pathsep}{os.environ['PATH']}")  # it calls alembic
    config = Config()
    exec((course / "nbgrader_config.py").read_text(), {"get_config": lambda: config})
    config.CourseDirectory.root = str(course)
    config.CourseDirectory.db_url = f"sqlite:///{course}/gradebook.db"
    done = NbGraderAPI(config=config).generate_assignment("01_powers", create=True)
    assert done["success"], done["log"]
    return course / "release" / "01_powers" / "01_powers.ipynb"


def edited(path, old, new):
    notebook = json.loads(path.read_text())
    (cell,) = [c for c in notebook["cells"] if old in "".join(c["source"])]
    cell["source"] = "".join(cell["source"]).replace(old, new)
    path.write_text(json.dumps(notebook))


@nbgrader
def test_marks_are_those_that_nbgrader_expects(course):
    import nbformat
    from nbgrader.nbgraderformat import MetadataValidator

    path = course / "source" / "01_powers" / "01_powers.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    MetadataValidator().validate_nb(notebook)
    marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
    answer, check = (cell.metadata.nbgrader for cell in marked)
    assert (answer.grade_id, answer.solution, answer.grade) == ("01_powers-ex-cube", True, False)
    assert (check.grade_id, check.grade, check.locked) == ("01_powers-ex-cube-check", True, True)
    assert check.points == 1
    assert marked[0].source == (
        "answer = 0\n### BEGIN SOLUTION\nanswer = 2 * 2 * 2\n### END SOLUTION"
    )
    assert marked[1].source == "feedback = answer == 2**3\nassert feedback, feedback"


@nbgrader
def test_nbgrader_passes_the_solution_and_right_answers_only(course, monkeypatch):
    from nbgrader.validator import Validator

    source = course / "source" / "01_powers" / "01_powers.ipynb"
    assert Validator().validate(str(source)) == {}
    path = released(course, monkeypatch)
    assert "2 * 2 * 2" not in path.read_text()
    assert "Solution" not in text(path)
    assert set(Validator().validate(str(path))) == {"failed"}
    assert "answer = 0" in text(path)  # the first try stays
    edited(path, "# change the answer above", "answer = 9")
    assert set(Validator().validate(str(path))) == {"failed"}
    edited(path, "answer = 9", "answer = 8")
    assert Validator().validate(str(path)) == {}
    edited(path, "2**3", "2**3 or True")
    assert set(Validator().validate(str(path))) == {"changed"}


@every_chapter
@nbgrader
@pytest.mark.parametrize("path", COMMITTED, ids=lambda path: path.stem)
def test_every_chapter_with_graded_exercises_passes_its_own_tests(path, tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is in the extra dev")
    from nbgrader.validator import Validator
    from traitlets.config import Config

    made = editions.graded(json.loads(path.read_text()), path.stem)
    if made is None:
        assert not any(editions.role_of(c)[0] == "check" for c in cells(path))
        return
    goal = tmp_path / path.name
    goal.write_text(json.dumps(made))
    patient = Config({"Execute": {"timeout": 600}})  # of itself it waits 30 s for a cell
    assert Validator(config=patient).validate(str(goal)) == {}


def test_chapter_without_graded_exercises_is_left_out(shelf):
    shelf.write("# Text\n\n```{code-cell}\n1\n```\n")
    assert shelf.build() == []
    report = editions.copy(shelf.notebooks / "out", "nbgrader", shelf.notebooks)
    assert report[0].startswith("0 notebooks written")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x == 1", "feedback = x == 1\nassert feedback, feedback"),
        (
            "y = 1\nf(\n  y,\n)  # so",
            "y = 1\nfeedback = f(\n  y,\n)  # so\nassert feedback, feedback",
        ),
        ("'é'; x", "'é'; feedback = x\nassert feedback, feedback"),
        ("assert x == 1", "assert x == 1"),
    ],
)
def test_last_expression_of_a_check_has_to_be_true(source, expected):
    assert editions.asserted(source) == expected


def test_nbgrader_is_in_an_extra_of_its_own_and_in_that_for_tests():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    found = [name for name, needs in extras.items() if any("nbgrader" in need for need in needs)]
    assert found == ["nbgrader", "dev"]
