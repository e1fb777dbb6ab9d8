"""Pages that say how to do something are tried as they stand, from an empty folder."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from dpbook.ext import book

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "chapters" / "how_to"


def test_every_page_stands_in_the_book():
    assert {path.stem for path in PAGES.glob("*.md")} == set(book.HOW_TO)


def tried(*pages):
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "how_to", sys.executable, *pages],
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", book.HOW_TO)
def test_what_a_page_says_is_written(name):
    if find_spec("sphinx") is None:
        pytest.skip("no package sphinx: pip install 'dpbook[sphinx]'")
    assert tried(PAGES / f"{name}.md") == (0, "")


def test_a_page_that_says_something_else_fails(tmp_path):
    page = tmp_path / "page.md"
    fence = "```"
    page.write_text(f"{fence}console\n$ echo one\none\n$ echo two\nthree\n{fence}\n")
    status, said = tried(page)
    assert status == 1
    assert "-three\n+two\n" in said
    page.write_text(f"{fence}console\n$ false\n{fence}\n")
    assert tried(page)[0] == 1
    page.write_text(f"{fence}{{code-block}} console\n:class: fails\n\n$ true\n{fence}\n")
    assert tried(page)[0] == 1
