"""Topics that are not the book's: a file, a folder, an installed package."""

import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from dpbook import cli, exercises
from dpbook.engine.claims import catalog, proof_files, record, topics
from dpbook.engine.claims.claim import ClaimError
from dpbook.ext import recorded

pytestmark = pytest.mark.usefixtures("own_cache")


SLOPED = '''
from sympy import exp
from numbers_of_this_folder import SLOPE
from dpbook import claim, symbol

t = symbol("t", above=0)


@claim("tangent")
def tangent():
    """The exponential lies above a line."""
    return exp(t) >= 1 + SLOPE * t
'''


SLOPE = """
from dpbook import exercises, questions

exercises.exercise(
    "unfinished:slope",
    questions.Formula(
        question="What?", hints=("Think.",), solution=lambda: 2 * t, symbols=lambda: [t]
    ),
)
"""


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return stop.value.code, shown.out, shown.err

    return run


@pytest.fixture(scope="module")
def starts(tmp_path_factory):
    """A folder for starts that are on record: each is decided once, and then copied."""
    return tmp_path_factory.mktemp("starts")


@pytest.fixture(params=["file", "folder", "installed"])
def own(request, run, starts, tmp_path, monkeypatch):
    """A start that `dpbook new` wrote and that is on record, and how it is asked for."""
    monkeypatch.chdir(tmp_path)
    for cached in ("verdicts", "entry", "entries"):
        getattr(recorded, cached).cache_clear()
    kind, name = ("claims", "tails.py") if request.param == "file" else ("topic", "tails")
    if (starts / kind).exists():
        shutil.copytree(starts / kind, tmp_path, dirs_exist_ok=True)
        assert run("list", name)[0] == 0
    else:
        assert run("new", kind, name)[0] == 0
        assert run("verify", name, "--record")[0] == 0
        shutil.copytree(tmp_path, starts / kind)
    if request.param != "installed":
        return name
    monkeypatch.chdir(_elsewhere(tmp_path))
    monkeypatch.syspath_prepend(str(tmp_path))
    _installed(monkeypatch, ("tails", "tails"))
    return "tails:"


def _elsewhere(folder):
    made = folder / "elsewhere"
    made.mkdir()
    return made


def _installed(monkeypatch, *named):
    points = {}
    for name, value in named:
        points.setdefault(name, []).append(metadata.EntryPoint(name, value, topics.GROUP))
    monkeypatch.setattr(topics, "_entry_points", lambda: points)
    topics.OPENED.clear()


def test_commands_know_the_topic(run, own):
    asked = ["--topic", "tails"] if own == "tails:" else [own]
    status, out, err = run("verify", *asked)
    assert (status, err) == (0, "")
    assert out.endswith("2 claims: 1 proved, 1 refuted; as on record\n")
    name = "tails" if own == "tails:" else own
    status, out, _ = run("list", name)
    assert status == 0
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["refuted", "tails:eq-1"],
        ["proved", "tails:eq-1-corrected"],
    ]
    status, out, _ = run("errata", name, "--whole")
    assert status == 0
    assert "corrected by: tails:eq-1-corrected (proved)\n" in out
    assert out.endswith("1 of 2 claims are refuted as printed\n")
    assert run("errata", "tails:eq-1")[0] == 0
    status, out, _ = run("show", "tails:eq-1-corrected", "--proof")
    assert status == 0
    assert "lemma exp above its tangent of the kernel" in out
    said = "tails is a topic and no claim; its claims: dpbook list tails\n"
    assert run("where", "tails")[2] == said
    status, out, _ = run("where", "tails:eq-1-corrected")
    assert status == 0
    kinds = [line.split()[0] for line in out.splitlines()]
    assert kinds == ["claim", "proof"]
    for arguments in (["tails:eq-1-corrected"], ["--topic", "tails"]):
        assert run("graph", *arguments, "--output", "g.svg")[0] == 0
        assert "tails" in Path("g.svg").read_text()
    assert run("verify", "tails:eq-1")[1].endswith("1 claim: 1 refuted; as on record\n")


def test_errata_of_a_topic_without_a_record_say_so(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("new", "claims", "slips.py")[0] == 0
    status, _, err = run("errata", "slips.py")
    assert status == 2
    assert err == "no claim of slips is on record; first: dpbook verify slips.py --record\n"


def test_a_changed_claim_is_a_difference(run, own, tmp_path):
    path = tmp_path / ("tails.py" if own == "tails.py" else "tails/claims/section_1.py")
    path.write_text(path.read_text().replace("1 + t\n", "1 + t / 2\n"))
    if own == "tails:":  # an installed topic stays as it was imported
        for name in [name for name in sys.modules if name.split(".")[0] == "tails"]:
            del sys.modules[name]
    status, out, _ = run("verify", *(["--topic", "tails"] if own == "tails:" else [own]))
    assert status == 1
    assert f"differs: statement changed ({path}:" in out


def test_errata_and_lists_leave_out_what_has_changed_since_it_was_recorded(run, folder):
    assert run("verify", "tails", "--record")[0] == 0
    path = folder / "claims" / "section_1.py"
    code = path.read_text()
    refuted, last = "exp(t) >= 1 + 2 * t\n", "exp(t) >= 1 + t\n"
    assert refuted in code
    path.write_text(code.replace(refuted, last))
    catalog.forget("tails")  # as in a process of its own
    recorded.forget()
    status, out, _ = run("errata", "tails")
    assert status == 0
    assert out.splitlines()[-1] == "changed since put on record, so not listed: tails:eq-1"
    assert "tails:eq-1 " not in out
    status, _, err = run("errata", "tails:eq-1")
    said = "tails:eq-1 is not on record as it stands; first: dpbook verify tails:eq-1 --record\n"
    assert (status, err) == (2, said)
    path.write_text(code.replace(refuted, "1\n"))  # no statement: the others are listed
    status, out, _ = run("list", "tails")
    assert (status, [line.split()[0] for line in out.splitlines()[:2]]) == (0, ["-", "proved"])


@pytest.mark.parametrize("own", ["installed"], indirect=True)
def test_record_of_an_installed_topic_is_refused_with_the_path_to_use(
    run, own, tmp_path, monkeypatch
):
    before = (tmp_path / "tails/claims/record.json").read_bytes()
    status, out, err = run("verify", "--topic", "tails", "--record")
    assert (status, out) == (2, "")
    assert err == (
        "tails is an installed topic, which is read-only; put it on record: dpbook verify "
        f"{tmp_path / 'tails'} --record\n"
    )
    monkeypatch.setattr(topics, "_in_site_packages", lambda path: True)
    for asked in (["--topic", "tails"], [tmp_path / "tails"]):
        status, _, err = run("verify", *asked, "--record")
        assert status == 2
        assert err.endswith("dpbook verify PATH/tails --record, with the folder of its source\n")
    assert (tmp_path / "tails/claims/record.json").read_bytes() == before


def test_exercise_of_a_topic_is_shown_hinted_and_graded(run, own):
    if own == "tails.py":
        Path("tails.py").write_text(
            Path("tails.py").read_text()
            + "\n\nfrom dpbook.teaching.exercises import exercise\n"
            + "from dpbook.teaching.questions import Formula\n\n"
            + 'exercise("tails:slope", Formula(question="Slope?", hints=("Its own.",), '
            + "solution=lambda: exp(t), symbols=lambda: [t]))\n"
        )
        run("verify", "tails.py")
    for named in ["tails"] if own == "tails:" else ["tails", own]:
        assert run("list", "exercises", named)[1] == "tails:slope  a formula\n"
    status, out, _ = run("show", "tails:slope")
    assert (status, out.splitlines()[0]) == (0, "tails:slope  an exercise")
    assert "  asks for: a formula" in out
    assert exercises.check("tails:slope", "exp(t)")
    wrong = exercises.check("tails:slope", "t")
    assert not wrong
    assert "at t = 1 your answer is 1" in str(wrong)
    assert "own" in str(exercises.hint("tails:slope"))


def test_own_exercises_are_listed_in_their_own_order(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = "exercises.exercise({!r}, questions.Number(question='?', hints=('?',), solution=int))"
    keys = ["mine:square", "mine:slope"]  # a page of the book names these the other way round
    code = "\n".join(["from dpbook import exercises, questions", *map(made.format, keys)])
    Path("mine.py").write_text(f"{code}\n")
    status, out, _ = run("list", "exercises", "mine.py")
    assert (status, [line.split()[0] for line in out.splitlines()]) == (0, keys)


def test_notation_and_cards_of_a_topic(own):
    assert [str(s) for s in recorded.symbols("tails").values()] == ["t"]
    shown = recorded.entry("tails:eq-1")
    assert shown.evidence.verdict.value == "refuted"
    assert shown.corrected_by == ["tails:eq-1-corrected"]


def test_a_start_runs_in_a_process_of_its_own_and_leaves_only_its_record(tmp_path):
    """Nothing of the topic is imported before, and no compiled file stays."""
    dpbook = [sys.executable, "-m", "dpbook"]
    for command in (
        ["new", "topic", "tails"],
        ["verify", "tails", "--record"],
        ["verify", "tails"],
    ):
        done = subprocess.run([*dpbook, *command], cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, ""), done
    made = {str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file()}
    assert {name for name in made if not name.startswith("cache/")} == {
        *(f"tails/{name}" for name in ("__init__.py", "notation.py", "exercises.py")),
        *(f"tails/claims/{name}" for name in ("__init__.py", "section_1.py", "record.json")),
        "tails/claims/proofs/section_1.json",
        "tails/chapters/01_tails.md",
    }


# --- what is wrong with a topic: one line, and the others go on -----------------------------------


@pytest.fixture
def folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("new", "topic", "tails")
    return tmp_path / "tails"


def test_part_that_cannot_be_imported_is_one_line_and_the_others_are_decided(run, folder):
    (folder / "claims" / "section_2.py").write_text("x = 1\ny = (\n")
    (folder / "claims" / "section_3.py").write_text("import nowhere\n")
    status, out, err = run("verify", "tails")
    assert status == 2
    assert out.endswith("2 claims: 1 proved, 1 refuted; as declared\n")
    assert err.splitlines() == [
        f"{folder}/claims/section_2.py:2 cannot be imported: SyntaxError: '(' was never closed "
        "(section_2.py, line 2)",
        f"{folder}/claims/section_3.py:1 cannot be imported: ModuleNotFoundError: No module named "
        "'nowhere'",
    ]
    status, _, err = run("verify", "tails", "--record")
    assert status == 2
    assert err.endswith("; nothing was put on record\n")
    assert not (folder / "claims" / "record.json").exists()


MADE = """from functools import wraps

from dpbook import claim, symbol

t = symbol("t", above=0)


def noted(function):
    @wraps(function)
    def same():
        return function()

    return same


def above(least):
    def statement():
        "Above."
        return t >= least

    return statement


def all_above(*least):
    for number in least:
        claim(f"more-{number}")(above(number))
"""


def test_a_claim_whose_function_another_file_makes_is_not_lost(run, folder):
    (folder.parent / "made.py").write_text(MADE)
    code = """from dpbook import claim
from made import above, all_above, noted, t


@claim("one")
@noted
def one():
    "One."
    return t >= 1


claim("two")(above(2))
all_above(3)
"""
    (folder.parent / "mine.py").write_text(code)
    (folder / "claims" / "section_2.py").write_text(code)
    for name, file in (("mine.py", "mine.py"), ("tails", "tails/claims/section_2.py")):
        status, out, err = run("verify", name)
        assert (status, err) == (1, "")
        topic = name.removesuffix(".py")
        for label, line in (("one", 5), ("two", 12), ("more-3", 13)):
            assert re.search(rf"refuted +{topic}:{label} ", out), out
            assert f"differs: proved is expected ({folder.parent}/{file}:{line})" in out


def test_a_label_that_a_loop_declares_twice_is_one_line(run, folder):
    Path("mine.py").write_text(
        "from dpbook import claim, symbol\nt = symbol('t', above=0)\n"
        "for least in (1, 0):\n    @claim('above')\n    def one(least=least):\n"
        "        'Above.'\n        return t >= least\n"
    )
    for _ in range(2):  # a file may be loaded again
        status, _, err = run("verify", "mine.py")
        assert status == 2
        here = Path("mine.py").resolve()
        assert err == f"{here}:4: mine:above stands twice: {here}:4 and {here}:4\n"


def test_an_exercise_that_a_loop_makes_twice_is_one_line(run, folder):
    with (folder / "exercises.py").open("a") as code:
        code.write(
            "\nfrom dpbook.teaching.questions import Number\n\nfor number in (1, 2):\n    exercise(\n"
            "        'tails:one',\n"
            "        Number(question='', hints=('',), solution=lambda: number),\n    )\n"
        )
    status, _, err = run("list", "exercises", "tails")
    assert status == 2
    assert "the exercise tails:one stands twice: " in err
    assert err.count("\n") == 1


def test_a_claim_beside_the_folder_claims_is_one_line(run, folder):
    notation = folder / "notation.py"
    more = "\n\nfrom dpbook import claim\n\n\n@claim('lost')\ndef lost():\n    return 1 < 0\n"
    notation.write_text(notation.read_text() + more)
    status, _, err = run("verify", "tails")
    assert status == 2
    assert err.endswith(": the claims of tails stand in its folder claims; move this one there\n")
    assert err.count("\n") == 1


def test_other_files_go_on_where_one_cannot_be_imported(run, folder):
    run("new", "claims", "mine.py")
    Path("broken.py").write_text("from dpbook import claim\n\n)\n")
    status, out, err = run("verify", "broken.py", "mine.py")
    assert status == 2
    assert "proved    mine:eq-1-corrected" in out
    assert err.count("\n") == 1
    assert err.startswith(f"{Path('broken.py').resolve()}:3 cannot be imported: SyntaxError: ")
    assert run("verify", "broken.py")[1] == ""
    assert run("verify", "broken.py", "--format", "github")[1].split("\n")[:2] == ["", "0 claims"]


def test_other_files_go_on_where_one_is_not_there(run, folder):
    run("new", "claims", "mine.py")
    status, out, err = run("verify", "gone.py", "mine.py", "empty.folder/")
    assert status == 2
    assert "proved    mine:eq-1-corrected" in out
    first, second = err.splitlines()
    assert first == "gone.py: no such file"
    assert second.startswith("empty.folder: no topic; a topic is a FILE.py, or a folder with ")
    said = run("verify", "gone.py", "mine.py", "--format", "github")[1]
    assert "\n::error file=gone.py,line=1," in said
    assert run("verify", "gone.py") == (2, "", "gone.py: no such file\n")
    status, out, err = run("verify", "gone.py", "mine.py", "--record")
    assert (status, out, err) == (2, "", "gone.py: no such file; nothing was put on record\n")


def test_two_topics_of_one_name_are_one_line(run, folder, monkeypatch):
    run("new", "claims", "other.py")
    Path("other.py").rename("tails.py")
    both = f"{folder.parent}/tails.py and {folder}"
    for command in (
        ["show", "tails:eq-1"],
        ["verify", "tails:eq-1"],
        ["list", "exercises", "tails"],
    ):
        status, out, err = run(*command)
        assert (status, out) == (2, "")
        assert err == f"there are two topics tails: {both}; rename one, or give its path\n"
    said = f"{folder}: {folder.parent}/tails.py is called tails too; rename one\n"
    status, out, err = run("verify", "tails.py", "tails")
    assert (status, out, err) == (2, "", said)
    run("new", "claims", "third.py")
    status, out, err = run("verify", "tails.py", "third.py", "tails")
    assert (status, err) == (2, said)
    assert "proved    third:" in out
    assert "tails:" not in out
    _installed(monkeypatch, ("tails", "a.tails"), ("tails", "b.tails"))
    Path("tails.py").unlink()
    status, _, err = run("show", "tails:eq-1")
    assert status == 2
    assert err.startswith("two installed topics are called tails: a.tails of a package and b.tails")


def test_installed_topic_is_known_in_the_folder_of_its_source(run, folder, monkeypatch):
    home = folder.parent / "home"
    installed = shutil.copytree(folder, home / "tails")
    monkeypatch.syspath_prepend(str(home))
    _installed(monkeypatch, ("tails", "tails"))
    assert topics.find("tails").path == installed
    path = folder / "notation.py"
    path.write_text(path.read_text() + "\nmore = 1\n")
    status, _, err = run("show", "tails:eq-1")
    assert status == 2
    assert err.startswith(f"there are two topics tails: {installed} and {folder}; ")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("privacy", "my.privacy", None),
        ("lost", "nowhere.lost", "the installed topic lost cannot be imported: No module named"),
        ("lost", "nowhere_at_all", "the entry point lost names nowhere_at_all; its last part must"),
        ("json", "json", "the installed topic json has no package claims: "),
    ],
)
def test_entry_point_that_names_no_topic_is_one_line(run, folder, monkeypatch, name, value, said):
    _installed(monkeypatch, (name, value))
    status, out, err = run("show", f"{name}:eq-1")
    assert (status, out) == (2, "")
    if said is None:
        assert err.startswith("no claim privacy:eq-1")
    else:
        assert err.startswith(said)
    assert err.count("\n") == 1


def test_record_of_another_version_is_one_line(run, folder):
    run("verify", "tails", "--record")
    path = folder / "claims" / "record.json"
    path.write_text(path.read_text().replace('"verdict"', '"verdict_2"'))
    status, out, err = run("verify", "tails")
    assert (status, out) == (2, "")
    assert err.startswith(f"{path} is not a record of verdicts: ")
    assert err.count("\n") == 1
    run("new", "claims", "third.py")
    status, out, others = run("verify", "tails", "third.py", "--format", "github")
    assert (status, others) == (2, err)
    assert "proved    third:" in out
    assert "::error file=tails/claims/record.json,line=1," in out


def test_a_file_that_cannot_be_imported_is_named_at_each_answer(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("new", "claims", "unfinished.py")
    path = tmp_path / "unfinished.py"
    whole = path.read_text()
    path.write_text(whole + "\nraise ValueError('no')\n")
    for _ in range(2):
        with pytest.raises(ClaimError, match="unfinished.py.* cannot be imported: ValueError: no"):
            catalog.load("unfinished")
    asked = f"{whole}\n{SLOPE}"
    path.write_text(asked + "\nraise ValueError('no')\n")
    for _ in range(2):
        with pytest.raises(ClaimError, match="unfinished.py.* cannot be imported: ValueError: no"):
            exercises.check("unfinished:slope", "2*t")
    path.write_text(asked)
    assert exercises.check("unfinished:slope", "2*t")


def test_each_folder_has_modules_of_its_own(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, slope in (("one", 1), ("two", 2)):
        home = Path(name)
        home.mkdir()
        (home / "numbers_of_this_folder.py").write_text(f"SLOPE = {slope}\n")
        (home / f"claims_{name}.py").write_text(SLOPED)
    status, out, _ = run("verify", "one/claims_one.py", "two/claims_two.py")
    assert status == 1
    assert "proved    claims_one:tangent" in out
    assert "refuted   claims_two:tangent" in out
    del sys.modules["numbers_of_this_folder"]  # that of `one`: the second was put back


def test_what_a_claim_imports_when_it_is_decided_is_of_its_folder(tmp_path, monkeypatch):
    later = SLOPED.replace("from numbers_of_this_folder import SLOPE\n", "").replace(
        "    return", "    from numbers_of_this_folder import SLOPE\n\n    return"
    )
    for name, slope, text in (("one", 1, SLOPED), ("two", 2, later)):
        home = tmp_path / name
        home.mkdir()
        (home / "numbers_of_this_folder.py").write_text(f"SLOPE = {slope}\n")
        (home / f"claims_{name}.py").write_text(text)
    found = [
        catalog.load_anew(topics.at(tmp_path / name / f"claims_{name}.py"))[0][0]
        for name in ("one", "two")
    ]
    at_one = [claim.rhs.subs(dict.fromkeys(claim.rhs.free_symbols, 1)) for claim in found]
    assert at_one == [2, 3]
    del sys.modules["numbers_of_this_folder"]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["topic", "tails"], "tails is there already"),
        (["topic", "Tails"], "the name of a topic is small letters"),
        (["topic", "privacy"], "Python or the book has a module privacy already"),
        (["topic", "json"], "Python or the book has a module json already"),
        (["topic", "no/where"], "there is no folder no to write where to"),
        (["claims", "mine"], "claims stand in a FILE.py"),
        (["claims", "my-own.py"], "my-own.py is no Python module"),
        (["claims", "random.py"], "random.py would hide Python's own module random"),
        (["claims", "langevin.py"], "langevin.py is called as the topic langevin"),
    ],
)
def test_start_that_cannot_be_written_is_one_line(run, folder, command, said):
    before = sorted(folder.parent.rglob("*"))
    status, out, err = run("new", *command)
    assert (status, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1
    assert sorted(folder.parent.rglob("*")) == before


def test_folder_called_as_another_module_is_refused(run, folder):
    folder.rename(folder.parent / "json")
    status, out, err = run("verify", "json")
    assert status == 2
    assert err == f"{folder.parent / 'json'}: Python has another module json; rename the folder\n"


def test_topic_inside_a_package_is_imported_by_its_whole_name(run, folder):
    (folder.parent / "around").mkdir()
    (folder.parent / "around" / "__init__.py").write_text("")
    inside = folder.parent / "around" / "tails"
    shutil.rmtree(folder)
    status, out, _ = run("new", "topic", "around/tails")
    assert status == 0
    assert '\n  tails = "around.tails"\n' in out
    assert run("verify", inside, "--record")[0] == 0
    assert exercises.check("tails:slope", "exp(t)")
    assert run("verify", inside)[1].endswith("1 proved, 1 refuted; as on record\n")
    assert set(proof_files.of_topic("tails")) <= set(
        record.read_record(topics.find("tails").record)
    )


def test_a_start_for_the_book_imports_from_the_book_and_needs_no_entry_point(
    run, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("dpbook").mkdir()
    Path("dpbook/__init__.py").write_text("")
    monkeypatch.setattr(record, "PACKAGE", tmp_path / "dpbook")
    status, out, _ = run("new", "topic", "dpbook/tails")
    assert (status, out.count("\n")) == (0, 2)
    for file in ("claims/section_1.py", "exercises.py"):
        assert "from dpbook.tails.notation import t\n" in Path("dpbook/tails", file).read_text()
