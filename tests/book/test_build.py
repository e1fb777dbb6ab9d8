"""A small book of its own: what a chapter may hold, and what stops a build."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from importlib.util import find_spec

import pytest

from dpbook import cli
from dpbook.engine.claims import record

CHAPTERS = record.PACKAGE.parent / "chapters"
HEADER = """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
    jupytext_version: 1.19.6
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

"""
CHAPTER = r"""# A small chapter

A card: {claim}`privacy:renyi-normal`, a titled one: {claim}`the divergence <privacy:renyi-normal>`.
A {term}`verdict`, a source {cite}`mironov2017renyi`.

```{prf:theorem} Never negative
:label: theorem-small

A divergence is $\ge 0$.
```

By {prf:ref}`theorem-small`.

```{exercise} A question
:label: exercise-small

Why?
```

````{solution} exercise-small
:class: dropdown

Because $e^x \ge 1 + x$.
````

```{dropdown} More, with $x^2$
Hidden words.
```

```{derivation-cases} cases.toml
```

```{code-cell}
%%derive
\frac{1}{2} = 0.5
```

```{code-cell}
picture
```

```{code-cell}
card
```
"""
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
OUTPUTS = [
    [{"output_type": "stream", "name": "stdout", "text": "never executed\n"}],
    [
        {
            "output_type": "display_data",
            "data": {"image/png": PIXEL, "text/plain": "a line"},
            "metadata": {"image/png": {"alt": "a line that falls from 10 to 0.5"}},
        }
    ],
    [
        {
            "output_type": "execute_result",
            "execution_count": 3,
            "data": {
                "text/html": "<p><code>privacy:renyi-normal</code> <code>no:claim</code></p>",
                "text/plain": "a card",
            },
            "metadata": {},
        }
    ],
]


# The pages of one topic are enough for a small book: those of all take a minute.
FEW = "from dpbook.engine.claims import record; record.topics = lambda: ['privacy'];"
CASES = """[[derivation]]
title = 'roots'
kind = 'Roots'
lines = ['x = 1', 'x = 2']
verdict = 'refuted'
first_wrong = 1
hint = 'value'
failure = 'too deep'
"""


def needs_sphinx():
    if find_spec("myst_nb") is None:
        pytest.skip("no package myst_nb: pip install 'dpbook[book]'")


def write(folder, text):
    """Write one chapter and its notebook; its outputs are made up, so that execution would show."""
    from dpbook.teaching.chapters import read_chapter

    chapters, notebooks = folder / "chapters", folder / "notebooks"
    chapters.mkdir()
    notebooks.mkdir()
    path = chapters / "01_small.md"
    path.write_text(HEADER + text)
    for name in ("glossary.md", "references.bib"):
        (chapters / name).write_text((CHAPTERS / name).read_text())
    (chapters / "teach.md").write_text(
        "# Teach with it\n"
    )  # the page of the book names its chapters
    shutil.copytree(CHAPTERS / "how_to", chapters / "how_to")
    (chapters / "training_run.md").write_text("# Account for your training run\n")
    (chapters / "large_runs.md").write_text("# Plan a large run\n")
    (chapters / "study_results.md").write_text("# The papers' studies\n")
    outputs = iter(OUTPUTS)
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": number,
            "source": cell.text,
            "outputs": next(outputs),
        }
        for number, cell in enumerate(read_chapter(path).cells)
        if cell.kind == "code"
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (notebooks / "01_small.ipynb").write_text(json.dumps(notebook))
    return chapters, notebooks


def build(output, chapters, notebooks, **environment):
    """Build in a process of its own: Sphinx and its extensions warn of what is not ours."""
    program = (
        f"import sys; from pathlib import Path; from dpbook.ext import book; {FEW}"
        "assembled = book.assemble\n"
        "def with_cases(source, *rest):\n"
        "    assembled(source, *rest)\n"
        f"    (source / 'chapters/cases.toml').write_text({CASES!r})\n"
        "book.assemble = with_cases\n"
        "warnings = book.build(*map(Path, sys.argv[1:]))\n"
        "print(*warnings, sep='\\n'); sys.exit(bool(warnings))"
    )
    return subprocess.run(
        [sys.executable, "-c", program, str(output), str(chapters), str(notebooks)],
        cwd=output.parent,  # what is imported is what is installed, or named in the environment
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )


@pytest.fixture(scope="module")
def small_book(book, tmp_path_factory):
    """The folder of a small book and of its sources; not built where no book is wanted."""
    folder = tmp_path_factory.mktemp("small")
    sources = write(folder, CHAPTER)
    done = build(folder / "html", *sources)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html", sources


@pytest.fixture
def small(small_book):
    """The page of its chapter."""
    return (small_book[0] / "chapters" / "01_small.html").read_text()


def test_outputs_are_taken_as_they_are(small):
    assert "never executed" in small
    assert "Traceback" not in small


def test_picture_keeps_its_words(small):
    assert 'alt="a line that falls from 10 to 0.5"' in small


def test_theorem_exercise_and_source_are_numbered_and_linked(small):
    assert 'href="#theorem-small"' in small
    assert "Theorem 1" in small
    assert 'href="../references.html#' in small
    assert 'href="glossary.html#term-verdict"' in small


def test_solution_and_dropdown_are_closed(small):
    assert 'class="solution dropdown admonition"' in small  # which a script of the book closes
    assert "togglebutton.js" in small
    assert '<details class="dropdown"><summary>More, with' in small


def test_claims_are_linked_in_prose_and_in_outputs(small):
    card = 'href="../claims/privacy/closed_forms.html#privacy-renyi-normal"'
    assert small.count(card) == 3
    assert "proved</strong>" in small
    assert "<code>no:claim</code>" in small


WRONG = {
    "{claim}`privacy:renyi-normall`": "no claim privacy:renyi-normall; nearest",
    "{term}`no such word`": "no such word",
    "```{claim-table} no_topic\n```": "no topic no_topic",
    "```{errata} sin\n```": "no kind of fault sin",
}


def test_warnings_name_the_line_and_leave_the_old_book(book, tmp_path):
    output = tmp_path / "html"
    output.mkdir()
    (output / "objects.inv").write_text("an older book")
    done = build(output, *write(tmp_path, "\n\n".join(["# Wrong", *WRONG, ""])))
    assert done.returncode == 1, done.stderr
    for said in WRONG.values():
        assert said in done.stdout
    assert "chapters/01_small.ipynb:" in done.stdout
    assert (output / "objects.inv").read_text() == "an older book"


def test_known_failure_is_shown_apart(small):
    assert "Known failures: 1." in small
    assert small.count("<strong>Known failure: </strong>too deep") == 2
    assert small.count("the hint says: value") == 2


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """What a wheel of this tree installs."""
    folder = tmp_path_factory.mktemp("wheel")
    made = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=record.PACKAGE.parent,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "installed")
    return folder / "installed"


def files_of(folder):
    return {path for path in folder.rglob("*") if "__pycache__" not in str(path)}


def assert_same_pages(one, other):
    names = {
        str(path.relative_to(folder)) for folder in (one, other) for path in folder.rglob("*.html")
    }
    for name in names:
        assert (one / name).read_text() == (other / name).read_text(), name


def test_installed_wheel_builds_the_same_small_book(small_book, installed, tmp_path):
    html, sources = small_book
    before, environment = files_of(installed), {"PYTHONPATH": str(installed)}
    imported = subprocess.run(
        [sys.executable, "-c", "import dpbook; print(dpbook.__file__)"],
        cwd=tmp_path,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert imported.stdout.startswith(str(installed))
    done = build(tmp_path / "html", *sources, **environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert_same_pages(html, tmp_path / "html")
    assert before == files_of(installed)


@pytest.mark.skipif(
    "DPBOOK_EVERY_PAGE" not in os.environ,
    reason="builds the whole book again; .ci/full sets DPBOOK_EVERY_PAGE=1",
)
def test_installed_wheel_builds_the_same_book(book, installed, tmp_path):
    before = files_of(installed)
    done = subprocess.run(
        [sys.executable, "-m", "dpbook", "book", "--output", "html"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "the book is in html/index.html\n", done.stderr
    assert_same_pages(book, tmp_path / "html")
    assert before == files_of(installed)


def test_folder_with_other_things_is_not_replaced(tmp_path):
    needs_sphinx()
    (tmp_path / "thesis.tex").write_text("years of work")
    done = subprocess.run(
        [sys.executable, "-m", "dpbook", "book", "--output", str(tmp_path)],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{tmp_path} holds something that is no book; name another folder\n"
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def test_missing_extra_is_one_line(tmp_path):
    program = (
        "import sys; sys.modules['myst_nb'] = None; from dpbook.cli import main;"
        f"main(['book', '--output', {str(tmp_path / 'html')!r}])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("the book needs the extra book: pip install 'dpbook[book]'")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(find_spec("furo") is None, reason="no package furo: pip install 'dpbook[book]'")
def test_progress_is_told_while_the_book_builds(tmp_path):
    program = """
import sys
from pathlib import Path
from dpbook.ext import book

def assembled(source, chapters, notebooks):
    (source / "chapters").mkdir(parents=True)
    (source / "chapters" / "references.bib").write_text("")
    (source / "index.md").write_text("# A book\\n\\n```{toctree}\\none\\n```\\n")
    (source / "one.md").write_text("# A chapter\\n\\nText.\\n")

book.assemble = assembled
sys.exit(len(book.build(Path("made"), status=sys.stdout)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    said = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    for stage in ("reading sources... [ 50%]", "writing output... [100%]"):
        assert stage in said, said
    assert (tmp_path / "made" / "one.html").is_file()


@pytest.mark.parametrize("terminal", [True, False])
def test_the_command_tells_progress_on_a_terminal_only(tmp_path, monkeypatch, terminal):
    given = []
    monkeypatch.setattr("dpbook.ext.book.build", lambda output, status: given.append(status) or [])
    monkeypatch.setattr("sys.stderr", Terminal() if terminal else io.StringIO())
    with pytest.raises(SystemExit) as stop:
        cli.main(["book", "--output", str(tmp_path / "made")])
    assert stop.value.code == 0
    assert (given == [sys.stderr]) is terminal
    assert (given == [None]) is not terminal


class Terminal(io.StringIO):
    def isatty(self):
        return True
