"""Claims of one's own in Sphinx projects: those of the folder examples, and what is wrong in one."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpbook.ext import found

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def build(source, folder, *options):
    """Build a project as a stranger does; return what is warned of, and where."""
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", *options, str(source), folder]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder.parent)
    warned = re.findall(r"^(\S+?):(\d+): (?:WARNING|ERROR): (.*)$", done.stderr, re.MULTILINE)
    here = [(Path(name).name, int(line), said) for name, line, said in warned]
    return done, here, folder


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The project in reStructuredText, as it stands."""
    folder = tmp_path_factory.mktemp("rst")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPBOOK_CACHE", str(folder / "cache"))
        source = shutil.copytree(EXAMPLES / "rst", folder / "source")
        return build(source, folder / "html", "-W", "--keep-going")


def test_build_fails_at_the_wrong_claim_alone(pages):
    done, warned, _ = pages
    assert done.returncode == 1, done.stderr
    lines = (EXAMPLES / "rst" / "index.rst").read_text().splitlines()
    assert {lines[line - 1] for _, line, _ in warned} <= {
        ".. claim-table:: bounds",
        ".. claim:: bounds:eq-3",
        "------",
        ".. errata:: error ours",
    }
    assert {said.partition(":")[0] for *_, said in warned} == {"bounds"}
    assert all(said.startswith("bounds:eq-3 is refuted: proved is expected") for *_, said in warned)
    assert all("counterexample: t = 1" in said for *_, said in warned)
    assert ("index.rst", lines.index(".. claim:: bounds:eq-3") + 1) in {w[:2] for w in warned}


def test_page_shows_cards_links_table_derivation_and_errata(pages):
    page = (pages[2] / "index.html").read_text()
    for key in ("tangent", "lemma-1", "eq-3"):
        assert f'id="bounds-{key}"' in page
    claims = page[page.index("<strong>Claims:</strong>") :]
    assert 'href="#bounds-lemma-1"' in claims[: claims.index("</p>")]
    assert 'class="derivation' in page
    assert 'id="erratum-bounds-eq-3"' in page
    assert page.count(">refuted</strong>") == 2  # in the table and on the card


def test_pages_go_through_once_the_fault_is_declared(pages, tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    source = shutil.copytree(EXAMPLES / "rst", tmp_path / "source")
    path = source / "bounds.py"
    text = path.read_text()
    path.write_text(text.replace('"equation (3)"', '"equation (3)", fault="misprint"'))
    assert path.read_text() != text
    done, warned, _ = build(source, tmp_path / "html", "-W", "--keep-going")
    assert (done.returncode, warned) == (0, []), done.stderr


BAD = """A page
======

:claim:`bounds:nothing` and :claim:`nowhere:eq-1`.

.. claim-table:: nowhere

.. check::
   :expect: blue

   1 < 2

.. check::

   1 <

.. derive::

   x^2 = 3*x
   x = 3

.. errata:: error
   :topic: nowhere
"""


SLOPED = """
from sympy import exp
from slope import SLOPE
from dpbook import claim, symbol

t = symbol("t", above=0)


@claim("tangent")
def tangent():
    return exp(t) >= 1 + SLOPE * t
"""


def test_each_folder_has_modules_of_its_own_whose_changes_are_seen(tmp_path):
    source = tmp_path / "source"
    for name in ("one", "two"):
        (source / name).mkdir(parents=True)
        (source / name / "slope.py").write_text("SLOPE = 1\n")
        (source / name / f"claims_{name}.py").write_text(SLOPED)
    (source / "conf.py").write_text(
        'extensions = ["dpbook.ext.sphinx"]\n'
        'dpbook_claims = ["one/claims_one.py", "two/claims_two.py"]\n'
    )
    keys = "and".join(f" :claim:`claims_{name}:tangent` " for name in ("one", "two"))
    (source / "index.rst").write_text(f"Page\n====\n\nSee{keys}.\n")
    done, warned, _ = build(source, tmp_path / "html", "-W", "--keep-going")
    assert (done.returncode, warned) == (0, []), done.stderr
    (source / "two" / "slope.py").write_text("SLOPE = 2\n")
    done, warned, _ = build(source, tmp_path / "html", "-W", "--keep-going")
    assert done.returncode == 1
    [(name, line, said)] = warned
    assert (name, line) == ("index.rst", 4)
    assert said.startswith("claims_two:tangent is refuted: proved is expected")


def test_what_is_wrong_on_a_page_is_a_line_with_its_place(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    source = tmp_path / "source"
    source.mkdir()
    (source / "conf.py").write_text(
        'extensions = ["dpbook.ext.sphinx"]\ndpbook_claims = ["bounds.py", "broken.py", "none.py"]\n'
    )
    (source / "index.rst").write_text(BAD)
    (source / "bounds.py").write_text((EXAMPLES / "rst" / "bounds.py").read_text())
    (source / "broken.py").write_text("x = (\n")
    done, warned, _ = build(source, tmp_path / "html")
    assert done.returncode == 0
    said = [(line, text.partition(";")[0].partition(" [")[0]) for _, line, text in warned]
    assert [line for line, _ in said] == [4, 4, 6, 8, 13, 17, 22]
    assert said[0][1] == "no claim bounds:nothing"
    assert said[1][1] == "no claim nowhere:eq-1"
    assert said[2][1].startswith("no topic nowhere")
    assert said[3][1].startswith("expect must be one of proved, ")
    assert said[4][1].startswith("cannot read")
    assert "refuted: line 2 is wrong: x = 3: " in warned[5][2]
    assert "a root is lost" in warned[5][2]
    assert re.search(r"broken\.py:1 cannot be imported: SyntaxError", done.stderr)
    assert re.search(r"dpbook_claims: .*: no such file", done.stderr)
    assert "Traceback" not in done.stderr


def test_claims_of_a_docstring_become_links():
    lines = ["Return a bound.", "", "Claims: mine:tail, mine:eq-1", "", "Claims", "------"]
    lines += ["langevin:lemma-4.2", "", "Claims are checked.", ""]
    links = shown_as_links(lines)
    assert lines == ["Return a bound.", "", "", "", "", "Claims are checked.", "", *links]
    assert links[1] == (
        "**Claims:** :claim:`mine:tail`, :claim:`mine:eq-1`, :claim:`langevin:lemma-4.2`"
    )
    lines = ["Claims are checked.", ""]
    assert shown_as_links(lines) == []
    assert lines == ["Claims are checked.", ""]


def shown_as_links(lines, between=lambda lines: None):
    """What the extension adds to a docstring that others change in between."""
    from dpbook.ext.sphinx import ClaimLinks

    links = ClaimLinks()
    links.take(None, "function", "f", None, None, lines)
    between(lines)
    before = len(lines)
    links.add(None, "function", "f", None, None, lines)
    return lines[before:]


def test_claims_below_a_section_of_numpydoc_are_no_part_of_it():
    napoleon = pytest.importorskip("sphinx.ext.napoleon")

    def read(lines):
        lines[:] = str(napoleon.NumpyDocstring(lines, napoleon.Config())).split("\n")

    lines = ["Return a bound.", "", "Returns", "-------", "float", "    At least 0.", ""]
    links = shown_as_links([*lines, "Claims:mine:tail"], read)
    assert links == ["", "**Claims:** :claim:`mine:tail`", ""]
    alone = [*lines, "Claims: mine:tail"]
    read(lines)
    shown_as_links(alone, read)
    assert "\n".join(alone).startswith("\n".join(lines).rstrip())
    assert lines[2] == ":returns: At least 0."


def test_a_key_in_an_output_is_found_whatever_its_topic_is_called():
    from dpbook.ext.sphinx import _KEY

    assert _KEY.fullmatch("<code>tails_2:eq-1.a</code>")[2] == "tails_2:eq-1.a"


def test_a_worker_that_does_not_start_is_a_line_with_its_place(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "conf.py").write_text(
        "from dpbook.engine.run.workers import Worker\n"
        'extensions = ["dpbook.ext.sphinx"]\n'
        'Worker.__init__.__defaults__ = ("no_such_program",)\n'
    )
    (source / "index.rst").write_text("Bounds\n======\n\n.. check::\n\n   x^2 >= 0\n")
    done, warned, _ = build(source, tmp_path / "html", "-W", "--keep-going")
    assert done.returncode == 1
    [(_, line, said)] = warned
    assert line == 4
    assert said.startswith("a worker did not start; python -m no_such_program says why")
    assert "Traceback" not in done.stderr


def test_each_example_has_one_wrong_claim_for_the_plugin():
    """What `pytest --dpbook` collects there; the tests of the plugin say what it does with it."""
    kinds = {
        path.relative_to(EXAMPLES).as_posix(): [
            one.kind for one in found.examples(path, path.read_text())
        ]
        for path in (*EXAMPLES.glob("*/index.*"), *EXAMPLES.glob("nbval/*.ipynb"))
    }
    assert kinds["nbval/formulas.ipynb"] == ["check"] * 3
    assert kinds["rst/index.rst"].count("claim") == 4
    assert kinds["myst-nb/index.md"].count("derive") == 2


def test_page_whose_cells_run_fails_at_the_wrong_derivation(tmp_path, monkeypatch):
    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    source = shutil.copytree(EXAMPLES / "myst-nb", tmp_path / "source")
    done, warned, folder = build(source, tmp_path / "html", "-W", "--keep-going")
    assert done.returncode == 1
    [(name, line, said)] = warned
    lines = (source / "index.md").read_text().splitlines()
    assert (name, lines[line - 1]) == ("index.md", "```{derive}")
    assert "a root is lost: x = 0" in said
    page = (folder / "index.html").read_text()
    assert ">proved</strong> \\(\\log{\\left(x \\right)}" in page


def test_notebook_fails_at_the_output_that_is_wrong(tmp_path):
    path = shutil.copy(EXAMPLES / "nbval" / "formulas.ipynb", tmp_path)
    command = [sys.executable, "-m", "pytest", "--nbval", "-q", "-rA", "--color=no", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    failed = re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    assert [name.rpartition("::")[2] for name in failed] == ["Cell"], done.stdout
    assert "at x = 1: 2.7182818" in done.stdout
    assert "1 failed, 3 passed" in done.stdout
