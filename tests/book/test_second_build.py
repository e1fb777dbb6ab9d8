"""A page that is not as expected fails each build with -W, also one that finds the page unchanged."""

import re
import subprocess
import sys

import pytest

PAGE = "Title\n=====\n\n.. check::\n\n   {}\n"


def _status(folder):
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "_build"]
    return subprocess.run(command, cwd=folder, capture_output=True).returncode


def test_second_build_fails_as_the_first(tmp_path):
    (tmp_path / "conf.py").write_text('extensions = ["dpbook.ext.sphinx"]\n')
    page = tmp_path / "index.rst"
    page.write_text(PAGE.format("x^2 >= 1"))
    assert _status(tmp_path) == 1
    assert _status(tmp_path) == 1
    page.write_text(PAGE.format("x^2 >= 0"))
    assert _status(tmp_path) == 0


CLAIMS = '''"""Claims of mine."""
from numbers_of_mine import SLOPE, t
from sympy import exp
from dpbook import claim

@claim("eq-1", place="equation (1)")
def tangent():
    """The exponential lies above its tangent at 0."""
    return exp(t) >= 1 + SLOPE * t
'''
NUMBERS = 'from dpbook import symbol\nt = symbol("t", above=0, meaning="{}")\nSLOPE = {}\n'
SHOWN = {
    "role": "See :claim:`mine:eq-1`.",
    "card": ".. claim:: mine:eq-1",
    "table": ".. claim-table:: mine",
    "graph": ".. claim-graph:: mine",
    "errata": ".. errata:: error\n   :topic: mine",
}


@pytest.fixture
def own(tmp_path):
    """A project with claims that are on record; the claims import a file beside them."""
    (tmp_path / "conf.py").write_text(
        'extensions = ["dpbook.ext.sphinx"]\ndpbook_claims = ["mine.py"]\n'
    )
    (tmp_path / "mine.py").write_text(CLAIMS)
    (tmp_path / "numbers_of_mine.py").write_text(NUMBERS.format("a number", 1))
    pages = {**SHOWN, "notation": ".. notation:: mine", "other": "Nothing."}
    for name, shown in pages.items():
        (tmp_path / f"{name}.rst").write_text(f"Title\n=====\n\n{shown}\n")
    listed = "".join(f"   {name}\n" for name in pages)
    (tmp_path / "index.rst").write_text(f"Title\n=====\n\n.. toctree::\n\n{listed}")
    command = [sys.executable, "-m", "dpbook", "verify", "mine.py", "--record"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True).returncode == 0
    return tmp_path


def _built(folder, kind="html", *options):
    """Build; return the status, the pages with a warning, and the pages that were read."""
    command = [sys.executable, "-m", "sphinx", "-W", "--no-color", "--keep-going", "-d", "_trees"]
    done = subprocess.run(
        [*command, *options, "-b", kind, ".", f"_{kind}"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    warned = re.findall(r"(\w+)\.rst:\d+: WARNING", done.stderr)
    read = re.findall(r"reading sources\.\.\. \[ *\d+%\] (\w+)", done.stdout)
    return done.returncode, set(warned), set(read)


def test_pages_follow_a_file_that_the_claims_import(own):
    status, warned, _ = _built(own)
    assert (status, warned) == (0, set())
    assert _built(own) == (0, set(), set())
    (own / "numbers_of_mine.py").write_text(NUMBERS.format("a number", 2))
    status, warned, read = _built(own)
    assert (status, warned) == (1, set(SHOWN))
    assert read == {*SHOWN, "notation"}
    (own / "numbers_of_mine.py").write_text(NUMBERS.format("another word", 1))
    assert _built(own)[:2] == (0, set())
    assert "another word" in (own / "_html" / "notation.html").read_text()


def test_pages_follow_a_file_of_numbers_that_the_claims_read(own):
    (own / "slope.txt").write_text("1")
    read = 'int(__import__("pathlib").Path(__file__).with_name("slope.txt").read_text())'
    (own / "numbers_of_mine.py").write_text(NUMBERS.format("a number", read))
    assert _built(own)[:2] == (0, set())
    (own / "slope.txt").write_text("2")
    assert _built(own)[:2] == (1, set(SHOWN))


def test_two_processes_and_other_formats_show_the_verdict(own):
    assert _built(own, "text", "-j", "2")[:2] == (0, set())
    assert "mine:eq-1 (proved)" in (own / "_text" / "graph.txt").read_text()
    assert '"mine:eq-1" proved.' in (own / "_text" / "role.txt").read_text()
    (own / "mine.record.json").unlink()
    (own / "numbers_of_mine.py").write_text(NUMBERS.format("a number", 2))
    assert _built(own, "latex", "-j", "2")[:2] == (1, set(SHOWN))


def test_two_files_of_one_name_are_a_warning(own):
    (own / "more").mkdir()
    (own / "more" / "mine.py").write_text(CLAIMS)
    with (own / "conf.py").open("a") as conf:
        conf.write('dpbook_claims.append("more/mine.py")\n')
    status, warned, _ = _built(own)
    assert (status, warned) == (1, set())
