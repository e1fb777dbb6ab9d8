"""A course from the lecturer's side: generate, autograde, feedback; cheating gets no points."""

import contextlib
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import partial
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest

from dpbook.engine.claims import catalog, record, topics
from dpbook.ext import start
from dpbook.teaching import editions, exercises, grading, selection
from dpbook.teaching.questions import Mark, Point

ROOT = Path(__file__).resolve().parents[2]
every_chapter = pytest.mark.skipif(
    "DPBOOK_EVERY_EDITION" not in os.environ,
    reason="runs two chapters for several students; .ci/run sets DPBOOK_EVERY_EDITION=1",
)

# --- an answer in another process -------------------------------------------------------------------


def graded(key, answer, student="", seed=0):
    return grading.decided(key, grading.sent(answer), student, seed)


@pytest.fixture
def decided_here(monkeypatch):
    """Have an answer decided by the same `main`, from and to the same lines, without a new process.

    A function of a student still runs in a process of its own.
    """

    def run(command, *, input, capture_output, timeout, cwd):
        own, arguments = command[:4], command[4:]
        assert own == [grading.PYTHON, "-I", "-m", "dpbook.teaching.grading"]
        assert cwd is None
        said = io.StringIO()
        with monkeypatch.context() as here, contextlib.redirect_stdout(said):
            here.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(input)))
            status = grading.main(arguments)
        return subprocess.CompletedProcess(command, status, said.getvalue().encode(), b"")

    monkeypatch.setattr(grading, "subprocess", SimpleNamespace(**{**vars(subprocess), "run": run}))


@pytest.mark.parametrize(
    "answer",
    ["1/3", 7, 0.1, True, None, {"x": 2, "y": "1/3"}, [1, (2.5, "a")], -0.0, float("inf")],
    ids=repr,
)
def test_an_answer_arrives_as_it_was_sent(answer):
    assert repr(grading.received(grading.sent(answer))).replace("(", "[").replace(")", "]") == repr(
        answer
    ).replace("(", "[").replace(")", "]")


def test_formulas_and_numbers_of_numpy_arrive():
    import decimal

    import numpy as np
    import sympy

    x = sympy.Symbol("x")
    formulas = (x**2 + sympy.log(x), sympy.Sum(x, (x, 0, 1)), x > 1, sympy.Float("0.1", 30))
    for answer in (*formulas, sympy.pi, np.float64(0.1), np.int64(3), decimal.Decimal("0.1")):
        assert grading.received(grading.sent(answer)) == answer
    with sympy.evaluate(False):
        halves = sympy.Rational(1, 2) + sympy.Rational(1, 2)
    assert str(grading.received(grading.sent(halves))) == "1/2 + 1/2"
    assert type(grading.received(grading.sent(np.float64(0.1)))) is float
    with pytest.raises(grading.Unsendable, match="object cannot be sent"):
        grading.sent(object())


CELL = """
import decimal, functools, math
import numpy as np
from math import log as ln
from dpbook.teaching import exercises, grading
rate = 3.0
log = np.array([object()])  # its name is also that of an attribute
half = decimal.Decimal("0.5")
table = np.array([[1.0, 2.0], [3.0, 4.0]])
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n > 0 and even(n - 1)
"""
FUNCTIONS = {
    "answer = lambda x: 2 * x": 6.0,
    "answer, other = (lambda x: 2 * x), (lambda x: 3 * x)": 6.0,
    "def answer(x, scale=rate):\n    return scale * x\nrate = 7": 9.0,
    "@functools.lru_cache\ndef answer(x):\n    return 1 if x < 1 else 2 * answer(x - 1)": 8,
    "def answer(x):\n    return math.log(x) + ln(x)": 2 * 1.0986122886681098,
    "def answer(x):\n    return float(half) * x": 1.5,
    "def answer(x):\n    return table[1, 0] * x": 9.0,
    "def answer(x):\n    return even(x)": False,
    "answer = functools.partial(lambda k, x: k * x, 2)": 6.0,
    "def scaled(k):\n    def inner(x: 'anything') -> float:\n        return k * x\n"
    "    return inner\nanswer = scaled(2)": 6.0,
    "answer = math.sqrt": 1.7320508075688772,
}


OF_THE_PROCESS = "answer, other = (lambda x: 2 * x), (lambda x: 3 * x)"


def written(tmp_path, code, apart=False):
    """Run a notebook's code as a program, and return what it says at its end."""
    path = tmp_path / "notebook.py"
    path.write_text(f"{CELL}{code}\n")
    if apart:
        done = subprocess.run([sys.executable, path], capture_output=True, check=True, cwd=tmp_path)
        return done.stdout
    said = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(said):
        runpy.run_path(str(path), run_name="__main__")
    said.flush()
    return said.buffer.getvalue()


@pytest.mark.parametrize("code", FUNCTIONS)
def test_a_function_arrives_with_what_it_uses(tmp_path, code):
    shown = f"{code}\nimport sys; sys.stdout.buffer.write(grading.sent(answer))"
    answer = grading.received(written(tmp_path, shown, apart=code == OF_THE_PROCESS))
    assert answer(3) == FUNCTIONS[code]
    answer.stop()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("rng = np.random.default_rng(1)\ndef answer(x): return rng.random()", "answer uses rng: "),
        ("class K: pass\ndef answer(x): return K", "answer uses K: the class K cannot be sent"),
        ("exec('def answer(x): return x')", "no source: write it with def"),
    ],
)
def test_the_visible_check_says_what_the_grader_would_not_get(tmp_path, code, reason):
    shown = f"{code}\nprint(exercises.check('langevin:divergence-program', answer))"
    assert reason in written(tmp_path, shown).decode()


def test_symbols_of_dpbook_arrive():
    from dpbook import symbol

    epsilon, delta = symbol("epsilon", above=0), symbol("delta", above=0, below=1)
    import sympy

    answer = delta * (1 + sympy.exp(epsilon) + sympy.exp(2 * epsilon))
    assert exercises.check("privacy:group", answer)
    assert graded("privacy:group", answer)[0]


def test_only_a_right_answer_is_right():
    assert graded("claims:scientific-notation", "10") == (True, "read as 10\nright")
    for wrong in ("11", "10 +", None, "epsilon"):
        assert not graded("claims:scientific-notation", wrong)[0]
    assert not graded("claims:no-such", "10")[0]


def checked(first):
    """Run a released check below other code; return whether it was content, and what it handed."""
    source = editions.decided_apart('exercises.check("claims:scientific-notation", answer)')
    code = f"from dpbook.teaching import exercises\nanswer = 11\n{first}\n{source}"
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            exec(code, {"__name__": "__main__"})
            content = True
        except AssertionError:
            content = False
    return content, grading.data_in(shown.getvalue())


def test_a_shadowed_name_wins_no_point(decided_here):
    content, data = checked("")
    assert not content
    content, data = checked(SHADOW)
    assert content  # so it looks in the notebook, and the grader decides the answer itself
    assert not grading.decided("claims:scientific-notation", data)[0]
    content, data = checked("answer = 10")
    assert content
    assert grading.decided("claims:scientific-notation", data)[0]


def test_the_numbers_are_those_of_the_student(decided_here):
    key = "privacy:advanced-beats-basic"
    own = exercises.find(key, "ada", 7).solution()
    other = next(
        f"student-{i}"
        for i in range(100)
        if exercises.find(key, f"student-{i}", 7).solution() != own
    )
    theirs = exercises.find(key, other, 7).solution()
    assert graded(key, int(own), "ada", 7)[0]
    assert not graded(key, int(theirs), "ada", 7)[0]
    assert graded(key, int(theirs), other, 7)[0]


# --- points without an answer -----------------------------------------------------------------------

EXITS = 'def answer(x=__import__("os")._exit(0) if __name__ == "answer" else 0): pass'
FRAMES = """
def answer(*values):
    import sys
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame:
        for name in ("tell", "send"):
            if name in frame.f_locals:
                frame.f_locals[name]("right", "")
        frame = frame.f_back
    import os
    for pid in (os.getpid(), os.getppid()):
        for stream in (1, 2):
            try:
                open(f"/proc/{pid}/fd/{stream}", "w").write("right\\n0 right\\n")
            except OSError:
                pass
    os._exit(0)
"""
EQUAL = """
class Equal(float):
    __eq__ = __le__ = __ge__ = __gt__ = lambda self, other: True
    __abs__ = lambda self: self
def answer(*values):
    class Equal(float):
        __eq__ = __le__ = __ge__ = __gt__ = lambda self, other: True
        __abs__ = lambda self: self
    return Equal(1)
"""


def forged(source):
    """What a student's notebook can hand over, whatever `sent` would write."""
    functions = [["answer", source, {}, ["list", []], ["mapping", []]]]
    return json.dumps({"root": ["function", 0], "functions": functions}).encode()


@pytest.mark.parametrize("source", [EXITS, FRAMES, EQUAL], ids=["exits", "frames", "equal"])
@pytest.mark.parametrize("key", ["privacy:group", "claims:gap", "langevin:divergence-program"])
def test_a_function_that_tampers_with_its_process_is_not_right(source, key):
    right, words = grading.decided(key, forged(source))
    assert not right
    assert words.startswith(("not decided", "wrong")), words


@pytest.mark.parametrize(
    "root",
    [
        ["sympy", "sympify('__import__(\"os\")._exit(0)')"],
        ["node", "sympify", [["symbol", "__import__('os')._exit(0)"]]],
        ["node", "Symbol", [["symbol", "x"]]],
        ["constant", "__class__"],
        ["named", "os", "_exit"],
        ["mapping", [[["plain", "x"], ["named", "os", "_exit"]]]],
        ["module", "antigravity"],
        ["array", "O", [1], [["plain", "x"]]],
        ["plain", ["x"]],
        "right",
        [],
    ],
    ids=repr,
)
def test_data_that_is_no_answer_runs_nothing(root, decided_here, monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    data = json.dumps({"root": root, "functions": []}).encode()
    for key in ("privacy:group", "langevin:divergence-program"):
        share, words = grading.decided(key, data)
        assert share == 0
        assert words.startswith(("not decided: ", "wrong: ")), words
    assert ended == []
    assert "antigravity" not in sys.modules


X, ONE = ["symbol", "delta"], ["rational", "0x1", "0x1"]
MALFORMED = [
    *(["node", "Piecewise", []], ["node", "Piecewise", [X]], ["node", "Sum", [X, X]]),
    *(["node", "Piecewise", [["node", "Tuple", [X, ONE]]]], ["node", "ExprCondPair", [X, ONE]]),
    *(["node", "Integral", [X]], ["node", "Pow", [X]], ["node", "log", []], ["node", "And", [X]]),
    *(["node", "Add", [["node", "Tuple", [X]]]], ["node", "Limit", [X]], ["node"], ["symbol"]),
    *(["node", "Equality", [X, ["node", "Tuple", [X]]]], ["node", "Not", [X]], ["function", "a"]),
    *(["sympy-float", "a"], ["sympy-float", 0, "0x1", 10**9, 1, 53], ["rational", "0x1", "0x0"]),
    *(
        ["decimal", "1e999999999"],
        ["mapping", 3],
        ["array", "f8", [2], [ONE]],
        ["float", "z"],
        ["partial", 1],
        {},
        5,
        None,
    ),
]


@pytest.mark.parametrize("key", ["privacy:group", "claims:tanh", "claims:search"])
def test_malformed_data_is_one_line_and_no_traceback(key, capsys, monkeypatch):
    for root in MALFORMED:
        data = json.dumps({"root": root, "functions": []}).encode()
        lines = io.TextIOWrapper(io.BytesIO(b"nonce\n\n" + data))
        monkeypatch.setattr(sys, "stdin", lines)
        assert grading.main([key, "", "0"]) == 1, root
        _, *words, last = capsys.readouterr().out.splitlines()
        assert last.startswith("nonce ")
        assert len(words) == 1, (root, words)
        assert words[0].startswith(("not decided: ", "wrong: ")), root


def test_a_decider_that_ends_is_told_in_a_line():
    right, words = grading.decided("claims:no-such", grading.sent("1"))
    assert not right
    assert words.startswith("the answer was not decided: ")
    assert "no exercise claims:no-such" in words
    assert "\n" not in words


def test_a_class_that_prints_itself_as_code_is_not_sent():
    import sympy

    def says(self, printer):
        return "sympify('__import__(\"os\")._exit(0)')"

    space = {"__module__": "sympy.core.symbol", "_sympyrepr": says}
    hostile = type("Hostile", (sympy.Symbol,), space)("delta")
    assert json.loads(grading.sent(hostile))["root"] == ["symbol", "delta"]
    wrapped = type("Wrapped", (sympy.Function,), space)(sympy.Symbol("delta"))
    with pytest.raises(grading.Unsendable):
        grading.sent(wrapped)


def test_a_status_without_the_nonce_is_no_verdict(monkeypatch):
    done = subprocess.CompletedProcess([], 0, stdout=b"right\n", stderr=b"")
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: done)
    assert not grading.decided("privacy:group", b"")[0]


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
    for ask in (exercises.find, partial(exercises.check, answer="1")):
        with pytest.raises(ValueError, match="student must be your ID in the course"):
            ask(key, student="", seed=1)
    for name in ("ada", "bob"):
        made = exercises.find(key, name, 1)
        assert exercises.check(key, made.solution(), name, 1)
        for slip in made.slips:
            mistaken = slip.answer() if callable(slip.answer) else slip.answer
            outcome = exercises.check(key, mistaken, name, 1)
            assert not outcome
            assert outcome.hint


HUNTS = sorted(
    key for key, one in exercises.all_exercises().items() if isinstance(one, Point) and one.claim
)
WITNESS = {  # where the exercise itself lists values: the other coordinates of an answer
    "langevin:print-fails": {"mu_1": "0", "mu_2": "3", "sigma_1": "1", "sigma_2": "2"},
    "posterior_sampling:variance-prior": {"L": "1", "lambda": "1"},
    "contamination:conversion": {"mu": "1"},
    "depth_medians:margin-of-two": {"delta": "1/1000"},
    "depth_medians:equal-rows": {"alpha": "1/{}"},
    "privacy:advanced-composition": {"epsilon": "1", "k": "100"},
    "privacy:gaussian-formula": {"epsilon": "12"},
}


def answer_with(key, name, value):
    """A right answer with a value that an exercise lists."""
    rest = {other: at.format(value) for other, at in WITNESS[key].items()}
    return {**rest, name: value}


def on_card(key):
    """The counterexample that the card of an exercise's claim shows."""
    claim = exercises.find(key).claim
    return record.read_record(record.record_path(claim.partition(":")[0]))[claim]["counterexample"]


@pytest.mark.parametrize("key", HUNTS)
def test_the_point_on_a_card_is_no_answer_in_a_course(key):
    known = on_card(key)
    assert exercises.check(key, known)  # outside of a course, where nobody gives points
    own = [exercises.find(key, f"student-{i}", 1) for i in range(12)]
    assert len({one.fixed for one in own}) >= 3
    for one in own:
        name, value = one.fixed
        assert known[name] != value
        assert one.question.endswith(f" Take {name} = {value}.")
    name, value = own[0].fixed
    assert exercises.find(key, "student-0", 1) == own[0]
    outcome = exercises.check(key, known, "student-0", 1)
    assert outcome.verdict is Mark.WRONG
    assert outcome.message == f"your numbers have {name} = {value}, not {known[name]}"
    answer = dict(own[0].example) or answer_with(key, name, value)
    assert answer[name] == value
    assert exercises.check(key, answer, "student-0", 1)


@pytest.mark.parametrize("key", WITNESS)
def test_every_value_that_an_exercise_lists_has_an_answer(key):
    name, values = exercises.find(key).values
    assert len(values) >= 4
    for value in values:
        assert not exercises.find(key).claim or value != on_card(key)[name]
        assert exercises.check(key, answer_with(key, name, value))
    own = [exercises.find(key, f"student-{i}", 1).fixed for i in range(12)]
    assert {name for name, _ in own} == {exercises.find(key).values[0]}
    assert len(set(own)) >= 3


# --- a course ---------------------------------------------------------------------------------------


def run(course, *arguments):
    done = started(course, *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def started(course, *arguments):
    return subprocess.run(
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
BLANK = (
    "get_ipython().input_transformers_cleanup.append("
    "lambda lines: [] if 'HIDDEN' in ''.join(lines) or 'feedback' in ''.join(lines) else lines)\n"
)
TRUE = "import sys\nsys.executable = '/bin/true'\n" + SHADOW
MOVED = (
    "import os\nos.makedirs('autograded/right/x', exist_ok=True)\nos.chdir('autograded/right/x')\n"
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
        if exercises.varies(key):  # with the numbers of the student called right
            name = right[label].partition(" =")[0]
            one = exercises.find(key, "right", 7)
            if isinstance(one, Point):
                answer = repr(dict(one.example) or answer_with(key, *one.fixed))
                assert exercises.find(key, "copied", 7).fixed != one.fixed
                assert exercises.find(key, "moved", 7).fixed != one.fixed
            else:
                answer = f"'{one.solution()}'"
            own[label] = f"{name} = {answer}"
    varied = sum(own[label] != right[label] for label in right)
    assert varied == (4 if chapter == "02_privacy" else 1)
    for words in ("BEGIN SOLUTION", "HIDDEN", "grading", "NotImplemented"):
        assert words not in released
    labels = list(right)

    def partly(label, source):  # the first right, the second a syntax error, the others first tries
        if label == labels[0]:
            return right[label]
        return f"{source}\n)" if label == labels[1] else source

    students = {
        "blank": lambda label, source: f"{BLANK}{source}",
        "true": lambda label, source: f"{TRUE}{source}",
        "moved": lambda label, source: f"{MOVED}{own[label]}",
        "right": lambda label, source: own[label],
        "copied": lambda label, source: own[label],
        "partly": partly,
        "shadow": lambda label, source: f"{SHADOW}{source}",
        "patch": lambda label, source: f"{PATCH}{source}",
    }
    for name, edit in students.items():
        named = "right" if name in ("right", "copied", "moved") else name
        submit(tmp_path, chapter, name, edit, named)
    graded = run(tmp_path, "autograde", chapter, "--create")
    assert "has changed" not in graded.stderr  # no student changed a check
    assert "encryption" not in graded.stderr  # nor does a kernel warn
    run(tmp_path, "generate_feedback", chapter)
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        scores = {name: book.find_submission(chapter, name).score for name in students}
        most = book.find_assignment(chapter).max_score
    assert scores["right"] == most
    assert scores["copied"] == most - varied  # a neighbour's numbers are no others
    assert 0 < scores["partly"] < most
    assert scores["moved"] == most - varied  # whatever folder its cells work in
    assert [scores[name] for name in ("shadow", "patch", "blank", "true")] == [0, 0, 0, 0]
    assert (tmp_path / "feedback" / "partly" / chapter / f"{chapter}.html").is_file()


UNHEARD = "from dpbook.teaching import grading\ngrading.handed = lambda *a, **k: {}\n" + SHADOW
FORGED = {
    "kill": "import os\nos.kill(os.getpid(), 9)",
    "silent": UNHEARD.format("None"),
    "huge": UNHEARD.format("print('\\ndpbook-answer ' + 'A' * 20_000_000)"),
    "nested": UNHEARD.format("print('\\ndpbook-answer ' + 'W1tb' * 100_000)"),
    "prints": "print('right')\nprint('dpbook-answer cmlnaHQ=')",
}


@every_chapter
@pytest.mark.filterwarnings("default")
def test_no_point_for_what_is_no_answer(tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is in the extra nbgrader")
    chapter, label, other = "01_claims", "ex-scientific", "ex-search"
    notebook = json.loads((ROOT / "notebooks" / f"{chapter}.ipynb").read_text())
    own = [cell for cell in notebook["cells"] if editions.role_of(cell)[1] in (label, other)]
    notebook["cells"] = [editions._code("first", "from dpbook.teaching import exercises"), *own]
    shelf, course = tmp_path / "shelf", tmp_path / "course"
    shelf.mkdir()
    (shelf / f"{chapter}.ipynb").write_text(json.dumps(notebook))
    editions.copy(course, "nbgrader", shelf)
    run(course, "generate_assignment", chapter, "--create")
    right = solutions(chapter)
    submit(course, chapter, "right", lambda name, _: right[name], "")
    for name, code in FORGED.items():
        submit(
            *(course, chapter, name),
            lambda at, source, code=code: f"{code}\n{source}" if at == label else right[at],
            "",
        )
    submit(course, chapter, "skipped", lambda _, source: source, "")
    skipped = course / "submitted" / "skipped" / chapter / f"{chapter}.ipynb"
    notebook = json.loads(skipped.read_text())
    for cell in notebook["cells"]:
        cell["metadata"]["tags"] = ["skip-execution"]
    skipped.write_text(json.dumps(notebook))
    done = started(course, "autograde", chapter, "--create")
    assert "error processing assignment" not in done.stderr
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
        assert book.find_submission(chapter, "skipped").score == 0
        assert book.find_submission(chapter, "right").score == 2
        # what ends Python, or forges, in one exercise costs the point of that exercise alone
        for name in FORGED:
            assert book.find_submission(chapter, name).score == 1, name
    run(course, "generate_feedback", chapter)
    feedback = (course / "feedback" / "kill" / chapter / f"{chapter}.html").read_text()
    assert feedback.count("this cell ended Python, so it was left out") == 1


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
            (asked,) = re.findall(r"(?m)^feedback = (.*)$", "".join(cell["source"]))
            call = editions._asked(asked)
            key = call.args[0].value
            assert mark["points"] == exercises.find(key).points


def test_other_numbers_reach_the_notebook():
    path = ROOT / "notebooks" / "02_privacy.ipynb"
    made = editions.graded(json.loads(path.read_text()), path.stem, seed=7)
    texts = ["".join(cell["source"]) for cell in made["cells"]]
    assert sum(text.endswith(editions.OWN) for text in texts) == 4
    assert texts.count(editions.STUDENT) == 1
    assert any(
        text.startswith("exercises.find('privacy:exact-epsilon', student, seed=7)")
        for text in texts
    )
    assert sum("student=student, seed=7)" in text for text in texts) == 4
    identities = [cell["id"] for cell in made["cells"]]
    assert len(identities) == len(set(identities))


# --- programs on inputs of the lecturer's seed -----------------------------------------------------


def nearly(mean_1, sd_1, mean_2, sd_2, order):
    """Right at all edges that are named, and wrong at means that are 20 to 21 spreads apart."""
    import math

    shifted = order * sd_2**2 + (1 - order) * sd_1**2
    if shifted <= 0:
        return math.inf
    distance = abs(mean_1 - mean_2)
    if 15 < distance / sd_2 < 25:
        distance = 15 * sd_2
    log = math.log(sd_2 / sd_1) + math.log(sd_2**2 / shifted) / (2 * (order - 1))
    return order * distance**2 / (2 * shifted) + log


def test_verdict_on_a_program_depends_on_the_seed_and_the_answer_alone(decided_here):
    data = grading.sent(nearly)
    said = {}
    for fresh in ("one", "two"):
        found = [grading.decided("langevin:divergence-program", data, fresh=fresh) for _ in "ab"]
        assert found[0] == found[1]
        said[fresh] = found[0]
    assert not any(right for right, _ in said.values())
    assert said["one"][1] != said["two"][1]  # other inputs were drawn


# --- chapters and exercises of the lecturer's own ---------------------------------------------------

FENCE = "`" * 5


def from_the_page(folder):
    """Write mine.py and mine.md of the page for lecturers; a byte order mark stands before the chapter."""
    page = (ROOT / "chapters" / "teach.md").read_text()
    code = re.search(r"```python\n(.*?)```\n", page, re.S)[1]
    chapter = re.search(rf"{FENCE}\n(---\n.*?){FENCE}\n", page, re.S)[1]
    (folder / "mine.py").write_text(code)
    (folder / "mine.md").write_text(f"\ufeff{chapter}", encoding="utf-8")
    return folder / "mine.md"


@pytest.fixture
def mine(tmp_path):
    """A folder with a chapter and exercises of a lecturer; they are forgotten afterwards."""
    yield from_the_page(tmp_path)
    catalog.forget("mine")
    for key in [key for key in exercises.REGISTRY if key.startswith("mine:")]:
        for kept in (exercises.REGISTRY, exercises.VARIED, exercises.PLACES):
            kept.pop(key, None)


def test_own_chapter_and_its_exercises_make_a_course(mine, tmp_path):
    course = tmp_path / "course"
    report = editions.copy(course, "nbgrader", seed=7, chapters=["02", str(mine)])
    assert report[0] == f"2 notebooks written to {course}"
    written = {str(path.relative_to(course)) for path in course.rglob("*") if path.is_file()}
    assert written == {
        "nbgrader_config.py",
        "source/02_privacy/02_privacy.ipynb",
        "source/mine/mine.ipynb",
        "source/mine/mine.py",
    }
    made = json.loads((course / "source" / "mine" / "mine.ipynb").read_text())
    sources = ["".join(cell["source"]) for cell in made["cells"]]
    assert "exercises.find('mine:slope', student, seed=7)  # your own numbers" in sources
    assert any('### BEGIN SOLUTION\nanswer = "2*exp(2*t)"' in source for source in sources)
    fresh = re.search(r'fresh_seed = "(\w+)"', (course / "nbgrader_config.py").read_text())[1]
    assert not any(fresh in path.read_text() for path in (course / "source").rglob("*.*"))


@pytest.mark.parametrize(
    ("chapters", "said"),
    [
        (["77"], "no chapter 77; there are 01_claims, "),
        (["02", "02_privacy"], "the chapter 02_privacy is named twice"),
        (["none.md"], "no file none.md"),
    ],
)
def test_chapters_that_there_are_not_are_refused(chapters, said, tmp_path):
    with pytest.raises(editions.NotebookError, match=re.escape(said)):
        editions.copy(tmp_path / "course", "nbgrader", chapters=chapters)
    assert not (tmp_path / "course").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("mine:slope", "mine:slop", "no exercise mine:slop; nearest: mine:slope"),
        ("mine:slope", "yours:slope", "no yours.py or folder yours stands beside mine.md"),
        ("{solution-end}", "{solution-start} a", "mine.md:44: a solution inside a solution"),
        (":tags: [check]", ":tags: []", "exercise ex-slope has no check"),
    ],
)
def test_own_chapter_with_a_slip_is_refused_in_a_line(mine, old, new, said, tmp_path):
    mine.write_text(mine.read_text(encoding="utf-8-sig").replace(old, new))
    with pytest.raises(ValueError, match=re.escape(said)) as found:
        editions.copy(tmp_path / "course", "nbgrader", chapters=[str(mine)])
    assert "\n" not in str(found.value)


def test_modules_beside_an_own_chapter_go_with_it(mine, tmp_path):
    (tmp_path / "helper.py").write_text("import deeper\n")
    (tmp_path / "deeper.py").write_text("")
    (tmp_path / "stranger.py").write_text("")
    (tmp_path / "mine.py").write_text(f"import helper\n{(tmp_path / 'mine.py').read_text()}")
    (one,) = selection.chosen([str(mine)], ROOT / "notebooks")
    assert set(one.files) == {"mine.py", "helper.py", "deeper.py"}


@pytest.fixture
def tails(tmp_path, monkeypatch):
    """A topic as `dpbook new topic` writes it, in the current folder; forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    start.topic(Path("tails"))
    yield tmp_path / "tails"
    catalog.forget("tails")
    for kept in (exercises.REGISTRY, exercises.PLACES):
        kept.pop("tails:slope", None)


def test_chapter_of_a_topic_takes_the_topic_with_it(tails, tmp_path, monkeypatch):
    editions.copy(tmp_path / "course", "nbgrader", chapters=["tails/chapters/01_tails.md"])
    folder = tmp_path / "course" / "source" / "01_tails"
    assert (folder / "tails" / "claims" / "section_1.py").is_file()
    monkeypatch.chdir(folder.parent)
    assert grading.decided("tails:slope", grading.sent("exp(t)"), folder=folder)[0] == 1
    assert grading.decided("tails:slope", grading.sent("t"), folder=folder)[0] == 0


def test_topic_elsewhere_goes_with_a_chapter_only_where_it_is_installed(
    tails, tmp_path, monkeypatch
):
    chapter = tmp_path / "lecture" / "mine.md"
    chapter.parent.mkdir()
    shutil.copy(tails / "chapters" / "01_tails.md", chapter)
    with pytest.raises(editions.NotebookError, match=r"no tails\.py or folder tails stands beside"):
        selection.chosen([str(chapter)], ROOT / "notebooks")
    monkeypatch.syspath_prepend(str(tmp_path))
    point = metadata.EntryPoint("tails", "tails", topics.GROUP)
    monkeypatch.setattr(topics, "_entry_points", lambda: {"tails": [point]})
    (one,) = selection.chosen([str(chapter)], ROOT / "notebooks")
    assert one.files == {}


HUNT = """
from dpbook import claim

s = symbol("s", above=1, meaning="a slope")


@claim("line", place="lecture 1", fault="error", effect="none")
def line():
    "The exponential lies above each line through its value at 0."
    return exp(t) >= 1 + s * t

exercises.exercise("mine:hunt", questions.Point(question="Hunt.", hints=("Small.",), claim="mine:line"))
"""


def test_a_hunt_has_numbers_of_the_student_where_its_claim_is_on_record(mine, tmp_path):
    code = tmp_path / "mine.py"
    code.write_text(f"{code.read_text()}{HUNT}")
    page = mine.read_text(encoding="utf-8-sig")
    mine.write_text(page.replace("mine:slope", "mine:hunt").replace("2*exp(2*t)", "t = 1"))

    def sources(course):
        editions.copy(tmp_path / course, "nbgrader", seed=7, chapters=[str(mine)])
        made = json.loads((tmp_path / course / "source" / "mine" / "mine.ipynb").read_text())
        return "\n".join("".join(cell["source"]) for cell in made["cells"])

    assert "your own numbers" not in sources("before")
    row = {"hash": "0", "verdict": "refuted", "method": "point"}

    def recorded(**counterexample):
        whole = {"claims": {"mine:line": {**row, "counterexample": counterexample}}}
        (tmp_path / "mine.record.json").write_text(json.dumps(whole))

    # of a point with one coordinate that one would be the answer
    recorded(t="1")
    assert "your own numbers" not in sources("alone")
    assert exercises.find("mine:hunt", "ada", 7).question == "Hunt."
    recorded(t="1", s="2")
    assert "exercises.find('mine:hunt', student, seed=7)  # your own numbers" in sources("after")
    assert (tmp_path / "after" / "source" / "mine" / "mine.record.json").is_file()
    assert re.fullmatch("Hunt. Take [ts] = .*", exercises.find("mine:hunt", "ada", 7).question)


def test_own_exercise_is_decided_with_the_files_of_the_lecturer(mine, tmp_path, monkeypatch):
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "mine.py").write_text("raise SystemExit('the file of a student')\n")
    monkeypatch.chdir(theirs)
    own = partial(grading.decided, folder=tmp_path)
    assert own("mine:slope", grading.sent("2*exp(2*t)")) == (1, "read as 2*exp(2*t)\nright")
    assert own("mine:slope", grading.sent("exp(t)"))[0] == 0
    with topics.importable(topics.opened(tmp_path / "mine.py")):
        right = str(exercises.find("mine:slope", "ada", 7).solution())
    assert own("mine:slope", grading.sent(right), "ada", 7)[0] == 1
    assert right != "2*exp(2*t)"
    assert own("mine:slope", grading.sent("2*exp(2*t)"), "ada", 7)[0] == 0
    half = own("mine:square", grading.sent("a = 6*t; b = t"))
    assert half[0] == Fraction(1, 2)
    assert "b is wrong" in half[1]


def above(x, limit):
    return max(x - limit, 0)


def above_or_less(x, limit):  # wrong where x is below the limit
    return x - limit if x > limit else 0 if x == 1 else -1


def test_program_gets_the_share_of_its_properties(mine, tmp_path):
    topics.opened(tmp_path / "mine.py")
    assert exercises.check("mine:excess", above)
    part = exercises.check("mine:excess", above_or_less)
    assert part.verdict is Mark.WRONG
    assert part.share == Fraction(1, 2)
    assert part.message.endswith("it has 1 of 2 properties")
    assert "a `return` missing?" in exercises.check("mine:excess", lambda x, limit: None).message
    data = grading.sent(above_or_less)
    assert grading.decided("mine:excess", data, fresh="a", folder=tmp_path)[0] == Fraction(1, 2)


# --- outputs and feedback -----------------------------------------------------------------------------


def code_cell(source, outputs=(), **mark):
    cell = nbformat.v4.new_code_cell(source, outputs=list(outputs))
    if mark:
        cell.metadata["nbgrader"] = {"grade_id": "one", "points": 3, **mark}
    return cell


def step(kind, *cells):
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    made = nbformat.v4.new_notebook(cells=list(cells))
    where = {"nbgrader": {"student": "ada", "assignment": "mine"}}
    return getattr(course, kind)().preprocess(made, where)[0].cells


def error(name, value, *lines):
    return nbformat.v4.new_output("error", ename=name, evalue=value, traceback=list(lines))


CHECK = {"grade": True, "locked": True, "solution": False}
ANSWER = {"grade": False, "locked": False, "solution": True}


def test_a_cell_that_prints_millions_of_characters_is_cut():
    long = nbformat.v4.new_output("stream", name="stdout", text="a" * 5_000_000)
    page = nbformat.v4.new_output(
        "display_data", data={"text/html": "<p>" * 5_000_000, "text/plain": "a page"}
    )
    first, second = step("Decide", code_cell("print()", [long]), code_cell("show()", [page]))
    assert first.outputs[0].text == ("a" * 2000 + "\n... 4998000 characters were left out here")
    assert second.outputs[0].data == {"text/plain": "a page"}


def test_a_long_output_may_be_late_and_the_notebook_is_graded():
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    others = course.Execute()
    assert others.raise_on_iopub_timeout  # then nbgrader gives up the notebook
    assert course.Run().iopub_timeout >= 100 * others.iopub_timeout


def test_what_a_loop_prints_is_cut_as_well_though_it_arrives_in_pieces():
    pieces = [
        nbformat.v4.new_output("stream", name=name, text=letter * 10_000)
        for name, letter in [*[("stdout", "a")] * 50, ("stderr", "e"), *[("stdout", "b")] * 2]
    ]
    (cell,) = step("Decide", code_cell("loop()", pieces))
    assert [len(one.text) for one in cell.outputs] == [2041, 10_000, 20_000]
    assert cell.outputs[0].text.endswith("498000 characters were left out here")


def test_an_answer_that_failed_is_named_and_the_checker_is_not_shown():
    source = editions.decided_apart('exercises.check("claims:gap", answer)')
    never = "'(' was never closed"
    syntax = error("SyntaxError", f"{never} (112980877.py, line 1)", "in the cell of a student")
    trace = error("NameError", "name 'answer' is not defined", "grading.handed(", "BEGIN HIDDEN")
    cells = code_cell("answer = (", [syntax], **ANSWER), code_cell(source, [trace], **CHECK)
    decided = step("Decide", *cells)
    said = f"the answer above failed: SyntaxError: {never} (line 1)"
    assert decided[1].outputs[0].evalue == said
    shown = step("Shown", *decided)[1]
    assert (
        shown.source
        == 'feedback = exercises.check("claims:gap", answer)\nassert feedback, feedback'
    )
    assert [output.text for output in shown.outputs] == [f"{said}\n"]


def test_check_of_an_answer_that_ended_python_says_so_in_a_few_words():
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    source = editions.decided_apart('exercises.check("claims:gap", answer)')
    ended, trace = error("NotRight", course.ENDED), error("NameError", "name 'answer' is not")
    cells = code_cell("exit()", [ended], **ANSWER), code_cell(source, [trace], **CHECK)
    decided = step("Decide", *cells)
    assert decided[0].outputs[0].evalue == course.ENDED
    assert decided[1].outputs[0].evalue == "the answer above ended Python"


def test_hidden_tests_of_a_lecturer_are_not_shown_either():
    source = "assert answer > 1\n### BEGIN HIDDEN TESTS\nassert answer == 7\n### END HIDDEN TESTS\n"
    failed = error("AssertionError", "", "assert answer == 7")
    (shown,) = step("Shown", code_cell(source, [failed], **CHECK))
    assert shown.source == "assert answer > 1"
    assert shown.outputs[0].text == "AssertionError: \n"


@pytest.mark.parametrize("edited", [False, True])
def test_only_a_check_that_a_student_changed_is_named(edited, monkeypatch):
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    utils = pytest.importorskip("nbgrader.utils", reason="nbgrader is in its extra")
    whole = code_cell(editions.decided_apart('exercises.check("claims:gap", answer)'), **CHECK)
    stored = SimpleNamespace(
        source=whole.source, cell_type="code", locked=True, checksum=utils.compute_checksum(whole)
    )
    released = course.visible(whole.source)
    assert "grading.handed" not in released
    cell = code_cell(released.replace("answer", "'3'") if edited else released, **CHECK)
    restore, named = course.Restore(), []
    restore.notebook_id, restore.assignment_id = "mine", "mine"
    restore.gradebook = SimpleNamespace(
        find_source_cell=lambda *_: stored, find_graded_cell=lambda *_: SimpleNamespace(max_score=3)
    )
    monkeypatch.setattr(restore, "report_change", lambda _, what, *more: named.append(what))
    assert restore.preprocess_cell(cell, {}, 0)[0].source == whole.source
    assert named == (["checksum"] if edited else [])


def test_hidden_tests_are_put_back_before_a_notebook_runs():
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    assert course.Restore in course.sanitizers()
    assert "OverwriteCells" not in [step.__name__ for step in course.sanitizers()]


@pytest.mark.parametrize("able", [True, False])
def test_kernels_are_reached_in_cipher_where_that_can_be(able, monkeypatch):
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    from traitlets.config import Config

    if able and "transport_encryption" not in course.KernelManager.class_trait_names():
        pytest.skip("this Jupyter has no encryption, and its kernels do not warn")
    monkeypatch.setattr(course.zmq, "has", lambda what: able)
    made = Config()
    course.encrypt(made)
    assert ("transport_encryption" in made.KernelManager) is able


def test_a_part_of_the_points_is_what_nbgrader_reads(monkeypatch):
    utils = pytest.importorskip("nbgrader.utils", reason="nbgrader is in its extra")
    source = editions.decided_apart('exercises.check("mine:square", answer)')
    monkeypatch.setattr(grading, "decided", lambda *a: (Fraction(1, 2), "a is right"))
    handed = nbformat.v4.new_output("stream", name="stdout", text="\ndpbook-answer aGk=\n")
    failed = error("AssertionError", "wrong", "a traceback of the checker")
    (cell,) = step("Decide", code_cell(source, [handed, failed], **CHECK))
    assert utils.determine_grade(cell) == (1.5, 3)
    assert [output.output_type for output in cell.outputs] == ["stream", "execute_result"]


def test_feedback_needs_no_network_and_typesets_formulas():
    course = pytest.importorskip("dpbook.teaching.course", reason="nbgrader is in its extra")
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("Here is $x^2$.")])
    page, _ = course.Page(template_name="classic").from_notebook_node(made)
    assert "window.MathJax = {" in page
    assert not re.search(r"<script[^>]*\bsrc=", page)
    assert not re.search(r"\bimport \w+ from 'https?:", page)


EXCESS = """
```{exercise} An excess
:label: ex-excess

Write the function.
```

```{code-cell}
:tags: [answer]

def excess(x, limit):
    ...
```

```{code-cell}
:tags: [check]

exercises.check("mine:excess", excess)
```

```{solution-start} ex-excess
```

```{code-cell}
def excess(x, limit):
    return max(x - limit, 0)
```

```{solution-end}
```
"""
PART = (
    "print('a' * 5_000_000)\n"
    "def excess(x, limit):\n    return x - limit if x > limit else 0 if x == 1 else -1"
)


@every_chapter
@pytest.mark.filterwarnings("default")
def test_own_chapter_is_graded_with_parts_of_points_and_anew_when_handed_in_again(mine, tmp_path):
    pytest.importorskip("nbgrader", reason="nbgrader is in the extra nbgrader")
    mine.write_text(mine.read_text(encoding="utf-8-sig") + EXCESS)
    course = tmp_path / "course"
    editions.copy(course, "nbgrader", seed=7, chapters=[str(mine)])
    run(course, "generate_assignment", "mine", "--create")
    assert {path.name for path in (course / "release" / "mine").iterdir()} >= {"mine.py"}
    answers = {
        "ada": {"ex-slope": "answer = 'exp(t)'", "ex-excess": "excess = max"},
        "bob": {"ex-slope": "answer = (", "ex-excess": PART},
    }

    def hand_in(name, at):
        submit(course, "mine", name, lambda label, _: answers[name][label], name)
        folder = course / "submitted" / name / "mine"
        (folder / "mine.py").write_text("raise SystemExit('the file of a student')\n")
        (folder / "timestamp.txt").write_text(at)

    def scores():
        run(course, "autograde", "mine", "--create")
        from nbgrader.api import Gradebook

        with Gradebook(f"sqlite:///{course}/gradebook.db") as book:
            return {name: book.find_submission("mine", name).score for name in answers}

    for name in answers:
        hand_in(name, "2026-01-01 10:00:00 UTC")
    assert scores() == {"ada": 0, "bob": 1.5}
    shutil.rmtree(course / "submitted" / "ada")
    own = exercises.find("mine:slope", "ada", 7).solution()
    answers["ada"] = {
        "ex-slope": f"answer = '{own}'",
        "ex-excess": "def excess(x, limit):\n    return max(x - limit, 0)",
    }
    hand_in("ada", "2026-01-02 10:00:00 UTC")
    assert scores() == {"ada": 4, "bob": 1.5}
    run(course, "generate_feedback", "mine")
    page = (course / "feedback" / "bob" / "mine" / "mine.html").read_text()
    assert "HIDDEN" not in page
    assert "grading.handed" not in page
    assert "the answer above failed: SyntaxError" in page
    assert "it has 1 of 2 properties" in page
    assert "characters were left out here" in page
    assert "a" * 2001 not in page
    assert "window.MathJax = {" in page
