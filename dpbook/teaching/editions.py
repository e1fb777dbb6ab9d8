"""Copies of the notebooks for readers, for students and for nbgrader."""

from __future__ import annotations

import ast
import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dpbook.teaching import exercises
from dpbook.teaching.chapters import Notebook, NotebookError, home, read_notebook
from dpbook.teaching.guards import text_of
from dpbook.teaching.selection import Chosen, chosen

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
BEGIN_HIDDEN, END_HIDDEN = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
CONFIG = "nbgrader_config.py"


def copy(
    folder: Path,
    edition: str = "reader",
    notebooks: Path | None = None,
    seed: int | None = None,
    chapters: Sequence[str] = (),
) -> list[str]:
    """Write an edition of the notebooks into a folder; a file there is never overwritten.

    Parameters
    ----------
    folder : Path
        Where to write; made when it is missing.
    edition : {'reader', 'student', 'nbgrader'}
        ``reader``: as committed. ``student``: without solutions. ``nbgrader``: a course folder
        with ``source/NAME/NAME.ipynb``, of those chapters that have an exercise to be graded.
    notebooks : Path, optional
        Where the notebooks are, when they are not those of dpbook.
    seed : int, optional
        Of the edition for nbgrader: each student has other numbers, drawn from it.
    chapters : sequence of str, optional
        Only these, chapter files of the user's own among them; see `dpbook.teaching.selection.chosen`.

    Returns
    -------
    list of str
        The report, a line each.

    Raises
    ------
    NotebookError
        When there is nothing to copy, `folder` is a file, or an edition without solutions would
        stand among files that may hold them.
    """
    shelf = notebooks or home("notebooks")
    if edition not in ("reader", "student", "nbgrader"):
        raise NotebookError(f"edition must be reader, student or nbgrader, got {edition}")
    asked = chosen(chapters, shelf)
    if not asked:
        raise NotebookError(f"no notebooks in {shelf}; make notebooks, or install dpbook again")
    if folder.exists() and not folder.is_dir():
        raise NotebookError(f"{folder} is a file; name a folder")
    if seed is not None and seed < 0:
        raise NotebookError(f"the seed must be 0 or more, got {seed}")
    _refuse_two_files(asked, edition)
    contents = list(_contents(asked, edition, seed))
    if edition == "nbgrader":
        config = folder / CONFIG
        fresh = CONFIGURATION.format(seed=secrets.token_hex(8)).encode()
        contents.insert(0, (CONFIG, config.read_bytes() if config.is_file() else fresh))
    if edition == "student":
        _refuse_solutions(folder, contents)
    written, same, kept = 0, 0, []
    for name, content in contents:
        goal = folder / name
        counts = name.endswith(".ipynb")
        if not goal.exists():
            goal.parent.mkdir(parents=True, exist_ok=True)
            goal.write_bytes(content)
            written += counts
        elif goal.read_bytes() == content:
            same += counts
        else:
            kept.append(goal)
    books = "notebook" if written == 1 else "notebooks"
    report = [f"{written} {books} written to {folder}" + (f", {same} there already" * bool(same))]
    if kept:
        names = ", ".join(str(path.relative_to(folder)) for path in kept)
        report.append(f"kept as they are, because they differ: {names}; remove one to get it anew")
    if edition == "nbgrader" and written:
        first = next(name for name, _ in contents if name.endswith(".ipynb"))
        report.append(f"next, in {folder}: nbgrader generate_assignment {Path(first).stem}")
        report.append('the page "Teach with it" of the book tells the rest')
    return report


def _refuse_solutions(folder: Path, contents: Sequence[tuple[str, bytes]]) -> None:
    """Refuse a folder where a notebook stands that is not the edition for students."""
    own = dict(contents)
    if (folder / CONFIG).exists() or (folder / "source").is_dir():
        raise NotebookError(
            f"{folder} is the folder of a course, which holds solutions: name another folder"
        )
    others = [
        path.name
        for path in sorted(folder.glob("*.ipynb"))
        if path.read_bytes() != own.get(path.name) and _holds_solutions(path)
    ]
    if others:
        raise NotebookError(
            f"{folder} holds notebooks with solutions ({', '.join(others)}): name another folder"
        )


def _holds_solutions(path: Path) -> bool:
    try:
        cells = read_notebook(path)["cells"]
    except (NotebookError, KeyError, ValueError):
        return False
    return any(role_of(cell)[0] == "solution" for cell in cells)


def _contents(
    asked: Sequence[Chosen], edition: str, seed: int | None
) -> Iterator[tuple[str, bytes]]:
    for one in asked:
        place = f"{one.name}.ipynb"
        if edition == "reader":
            yield place, one.path.read_bytes() if one.path else _packed(_untied(one.notebook))
        elif edition == "student":
            yield place, _packed(student(one.notebook))
        else:
            made = graded(one.notebook, one.name, seed)
            if made is None:
                if one.path is None:
                    raise NotebookError(
                        f"{one.name}.md has no exercise to be graded: a cell tagged answer, one tagged "
                        "check, and a solution"
                    )
                continue
            yield f"source/{one.name}/{place}", _packed(made)
        folder = f"source/{one.name}/" if edition == "nbgrader" else ""
        for name, path in one.files.items():
            yield f"{folder}{name}", path.read_bytes()


def _refuse_two_files(asked: Sequence[Chosen], edition: str) -> None:
    """Refuse chapters that would write different files to one place."""
    places: dict[str, Path] = {}
    for one in asked:
        for name, path in one.files.items():
            folder = f"{one.name}/" if edition == "nbgrader" else ""
            first = places.setdefault(f"{folder}{name}", path.resolve())
            if first != path.resolve() and first.read_bytes() != path.read_bytes():
                raise NotebookError(f"{first} and {path.resolve()} have one name; rename one")


def _packed(notebook: Notebook) -> bytes:
    return f"{json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True)}\n".encode()


def role_of(cell: Mapping[str, Any]) -> tuple[str, str]:
    """Return the role of a cell in an exercise, and the exercise: ``("check", "ex-sign")``."""
    for role, label in cell["metadata"].get("dpbook", {}).items():
        return role, label
    return "", ""


def _untied(notebook: Notebook) -> Notebook:
    """A notebook without the hashes that tie it to its chapter: the copy is the reader's own."""
    made: Notebook = json.loads(json.dumps(notebook))
    tie = made["metadata"].get("dpbook", {})
    made["metadata"]["dpbook"] = {k: v for k, v in tie.items() if k == "generated_from"}
    return made


def student(notebook: Notebook) -> Notebook:
    """Return a notebook without its solutions."""
    made = _untied(notebook)
    made["cells"] = [cell for cell in made["cells"] if role_of(cell)[0] != "solution"]
    return made


def graded(notebook: Notebook, name: str, seed: int | None = None) -> Notebook | None:
    """Return a notebook as an instructor hands it to nbgrader; None when nothing is graded.

    The answer cell keeps its first try; the solution stands below it, between the marks that
    nbgrader cuts out. The check becomes a locked test that fails unless its last expression is
    true. Where that is ``exercises.check(...)``, a hidden test before it, which only the autograder
    runs, hands the answer over as data, and the autograder's own process decides it once more, after the
    notebook has run (`dpbook.teaching.course`): nothing that the notebook did counts there.

    Parameters
    ----------
    notebook : mapping
        A notebook of the book.
    name : str
        Of the assignment.
    seed : int, optional
        With it each student has numbers of their own, where an exercise has others.
    """
    made = _untied(notebook)
    solutions: dict[str, list[str]] = {}
    for cell in made["cells"]:
        role, label = role_of(cell)
        if role == "solution" and cell["cell_type"] == "code":
            solutions.setdefault(label, []).append(text_of(cell["source"]))
    keys = _keys(made)
    cells: list[Any] = []
    points, checks = 0, dict[str, int]()
    varied = [label for label, key in keys.items() if seed is not None and _varies(key)]
    for cell in made["cells"]:
        role, label = role_of(cell)
        if role == "solution":
            continue
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
        if role == "answer":
            if label in varied:
                if cells and cells[-1]["cell_type"] == "markdown":
                    text = f"{text_of(cells[-1]['source']).rstrip()}\n{OWN}"
                    cells[-1]["source"] = text.splitlines(keepends=True)
                shown = f"exercises.find({keys[label]!r}, student, seed={seed})"
                cells.append(_code(f"{label}-own", f"{shown}  # your own numbers"))
            first = text_of(cell["source"]).rstrip()
            source = "\n".join([first, BEGIN, *solutions.get(label, []), END])
            cell["source"] = source.splitlines(keepends=True)
            cell["metadata"]["nbgrader"] = _mark(f"{name}-{label}", solution=True)
        elif role == "check":
            checks[label] = checks.get(label, 0) + 1
            again = f"-{checks[label]}" if checks[label] > 1 else ""
            own = f"student=student, seed={seed}" if label in varied else ""
            source = decided_apart(text_of(cell["source"]), own)
            cell["source"] = source.splitlines(keepends=True)
            worth = _points(keys.get(label, ""))
            cell["metadata"]["nbgrader"] = {
                **_mark(f"{name}-{label}-check{again}", grade=True, locked=True),
                "points": worth,
            }
            points += worth
        cells.append(cell)
    if varied:
        first_code = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
        cells.insert(first_code, _code("student-id", STUDENT))
    made["cells"] = cells
    return made if points else None


STUDENT = 'student = ""  # your ID in this course: some exercises have numbers of your own'

OWN = ">\n> **In this course** your numbers are those shown below, not those above."

CONFIGURATION = """\
# Written by `dpbook lab --nbgrader`; nbgrader reads it when it runs in this folder.
from dpbook.teaching.course import autograders, encrypt, feedback, sanitizers

c = get_config()
# Hidden tests are put back without a warning; a check that a student changed is named.
c.Autograde.sanitize_preprocessors = sanitizers()
# Answers are decided in the autograder's own process, after a notebook has run.
c.Autograde.autograde_preprocessors = autograders()
# What students get back shows no hidden test, and its formulas are typeset without a network.
feedback(c)
c.CourseDirectory.course_id = "dpbook"
# Programs are tried on inputs that are drawn from this seed too: keep it from students. Another one tries
# others; the same one gives the same marks.
c.Decide.fresh_seed = "{seed}"
# Messages to a kernel are encrypted; else each kernel warns.
encrypt(c)
# The first try stays in the answer cell; this line stands where the solution was.
c.ClearSolutions.code_stub = {{"python": "# change the answer above"}}
# An exercise may take half a minute to be decided, and it is decided twice.
c.ExecutePreprocessor.timeout = 600
c.Execute.timeout = 600
"""


def _code(identity: str, source: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "id": identity,
        "metadata": {},
        "execution_count": None,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def _asked(source: str) -> ast.Call | None:
    """The last expression of a check, where it asks `exercises` to decide an answer."""
    body = ast.parse(source).body
    last = body[-1].value if body and isinstance(body[-1], ast.Expr) else None
    if (
        isinstance(last, ast.Call)
        and ast.unparse(last.func) == "exercises.check"
        and len(last.args) == 2
        and not last.keywords
        and isinstance(last.args[0], ast.Constant)
    ):
        return last
    return None


def _keys(notebook: Notebook) -> dict[str, str]:
    """The id of the exercise that each check decides, by its label."""
    found = {}
    for cell in notebook["cells"]:
        role, label = role_of(cell)
        call = _asked(text_of(cell["source"])) if role == "check" else None
        if call is not None:
            found[label] = ast.literal_eval(call.args[0])
    return found


def _points(key: str) -> int:
    return exercises.find(key).points if key else 1


def _varies(key: str) -> bool:
    return exercises.varies(exercises.find(key).key)


def decided_apart(source: str, own: str = "") -> str:
    """Return a check that has to be true, with the hidden test that hands the answer over.

    The test stands before the check: an answer is handed over whatever the check says of it.

    Parameters
    ----------
    source : str
        The check.
    own : str
        Further arguments of the check: ``student=student, seed=7``.
    """
    call = _asked(source)
    if call is None:
        return asserted(source)
    key, answer = (ast.unparse(argument) for argument in call.args)
    if own:
        # the call is the last expression, and its closing bracket the last one of the source
        cut = source.rstrip().rindex(")")
        source = f"{source[:cut]}, {own}{source[cut:]}"
    seed = f", {own.partition(', ')[2]}" if own else ""
    hidden = f"""\
{BEGIN_HIDDEN}
from dpbook.teaching import grading
grading.handed({key}, {answer}{seed})
{END_HIDDEN}"""
    return asserted(source, hidden)


def _mark(identity: str, **true: bool) -> dict[str, Any]:
    fields = {"solution": False, "grade": False, "locked": False, "task": False}
    return {"schema_version": 3, "grade_id": identity, **fields, **true}


def asserted(source: str, first: str = "") -> str:
    """Return a check whose last expression has to be true, with lines that stand before it.

    Examples
    --------
    >>> print(asserted("answer == 3"))
    feedback = answer == 3
    assert feedback, feedback
    """
    body = ast.parse(source).body
    if not body or not isinstance(body[-1], ast.Expr):
        return source
    lines = source.encode().splitlines()
    last = body[-1]
    before = [line.decode() for line in lines[: last.lineno - 1]]
    opening = lines[last.lineno - 1]
    head, rest = opening[: last.col_offset].decode(), opening[last.col_offset :].decode()
    tail = [line.decode() for line in lines[last.lineno :]]
    if first and head.strip():  # `a = 1; exercises.check(...)` on one line
        before, head = [*before, head.rstrip().rstrip(";")], ""
    added = [first] if first else []
    return "\n".join(
        [*before, *added, f"{head}feedback = {rest}", *tail, "assert feedback, feedback"]
    )
