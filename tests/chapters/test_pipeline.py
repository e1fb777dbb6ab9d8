"""Chapters become notebooks in one direction, and edits by hand are never lost."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dpbook.teaching import notebooks
from dpbook.teaching.carry import carry_back
from dpbook.teaching.chapters import NotebookError, derive, read_all
from dpbook.teaching.guards import VIEW

SLOW = """\
# Slow

```{code-cell}
import os
import time
from pathlib import Path

Path("half").write_text(str(os.getpid()))
os.replace("half", "kernel")
time.sleep(300)
```
"""
ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted((ROOT / "chapters").glob("[0-9][0-9]_*.md"))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def edit(path, change):
    """Edit a notebook as a person does in JupyterLab."""
    notebook = read(path)
    change(notebook["cells"])
    path.write_text(json.dumps(notebook), encoding="utf-8")


def source(cell):
    return "".join(cell["source"])


def replacing(cell, old, new):
    assert old in source(cell)
    cell["source"] = source(cell).replace(old, new)


# --- the tie --------------------------------------------------------------------------------------


def test_every_notebook_is_what_its_chapter_makes_and_passes_the_guards():
    assert notebooks.findings(ROOT / "chapters", ROOT / "notebooks") == []


def test_notebook_is_marked_as_generated_and_names_its_source(built):
    tie = read(built.notebook())["metadata"]["dpbook"]
    assert tie["generated_from"] == "chapters/01_powers.md"
    assert "make notebooks" in tie["generated_by"]
    assert built.findings() == []


def test_changed_chapter_is_found(copied):
    path = copied.chapters / "01_powers.md"
    path.write_text(path.read_text().replace("The end.", "The very end."))
    (finding,) = copied.findings()
    assert finding == "01_powers.ipynb is not what chapters/01_powers.md makes; run make notebooks"


def test_notebook_without_chapter_and_chapter_without_notebook_are_found(copied):
    copied.notebook().rename(copied.notebooks / "02_stray.ipynb")
    assert copied.findings() == [
        "chapters/01_powers.md has no notebook; run make notebooks",
        "02_stray.ipynb has no chapter; remove it or write the chapter",
    ]


# --- building -------------------------------------------------------------------------------------


def test_nothing_is_made_again_when_nothing_changed(copied):
    before = copied.notebook().stat().st_mtime_ns
    assert copied.build() == []
    assert copied.said == [f"{'01_powers':34} up to date"]
    assert copied.notebook().stat().st_mtime_ns == before


def test_execution_is_repeatable_to_the_byte(copied):
    before = copied.notebook().read_bytes()
    assert copied.build(force=True) == []
    assert "executed" in copied.said[0]
    assert copied.notebook().read_bytes() == before


@pytest.mark.parametrize("deaths", [1, notebooks.STARTS])
def test_a_kernel_that_dies_before_it_is_ready_starts_again(copied, monkeypatch, deaths):
    from jupyter_client.asynchronous import AsyncKernelClient

    before, ready = copied.notebook().read_bytes(), AsyncKernelClient._async_wait_for_ready
    died = []

    async def wait(client, timeout=None):
        if len(died) < deaths:
            died.append(client)
            raise RuntimeError("Kernel died before replying to kernel_info")
        await ready(client, timeout)

    monkeypatch.setattr(AsyncKernelClient, "wait_for_ready", wait)
    if deaths < notebooks.STARTS:
        copied.build(force=True)
        assert copied.notebook().read_bytes() == before
    else:
        with pytest.raises(RuntimeError, match="Kernel died"):
            copied.build(force=True)
    assert len(died) == deaths


def test_changed_text_keeps_the_outputs_and_changed_code_is_executed(copied):
    path = copied.chapters / "01_powers.md"
    path.write_text(path.read_text().replace("The end.", "The very end."))
    assert copied.build() == []
    assert copied.said == [f"{'01_powers':34} text renewed, outputs kept"]
    path.write_text(path.read_text().replace("2 * 3\n", "2 * 3 + 1\n"))
    assert copied.build() == []
    assert "executed" in copied.said[0]
    cells = read(copied.notebook())["cells"]
    assert cells[1]["outputs"][0]["data"]["text/plain"] == ["7"]
    assert source(cells[-1]) == "The very end."
    assert copied.findings() == []


def test_only_the_changed_chapter_is_made_again(copied):
    copied.write("# Another\n\n```{code-cell}\n1 + 1\n```\n", "02_another")
    assert copied.build() == []
    assert sorted(line.split()[1] for line in copied.said) == ["executed", "up"]


def test_widget_views_and_state_are_not_stored(shelf):
    shelf.write(
        "# Slider\n\n```{code-cell}\nfrom ipywidgets import IntSlider\n\nIntSlider(3)\n```\n"
    )
    assert shelf.build() == []
    notebook = read(shelf.notebook())
    (output,) = notebook["cells"][1]["outputs"]
    assert VIEW not in output["data"]
    assert "IntSlider(value=3)" in "".join(output["data"]["text/plain"])
    assert "widgets" not in notebook["metadata"]


def test_error_names_the_line_of_the_chapter(shelf):
    path = shelf.write("# Wrong\n\n```{code-cell}\n1 / 0\n```\n")
    line = path.read_text().splitlines().index("1 / 0") + 1
    assert shelf.build() == [f"chapters/01_powers.md:{line}: ZeroDivisionError: division by zero"]
    assert not shelf.notebook().exists()


def test_error_that_is_announced_is_stored_without_the_places_of_this_machine(shelf):
    shelf.write("# Wrong\n\n```{code-cell}\n:tags: [raises-exception]\n\n1 / 0\n```\n")
    assert shelf.build() == []
    (output,) = read(shelf.notebook())["cells"][1]["outputs"]
    assert output["traceback"] == ["ZeroDivisionError: division by zero"]


def test_unknown_chapter_is_one_line(built):
    with pytest.raises(NotebookError, match="^no chapter 01_power; nearest: 01_powers$"):
        built.build("01_power")


def test_interrupt_keeps_what_is_finished_and_ends_the_kernels(shelf):
    shelf.write("# Quick\n\n```{code-cell}\n1 + 1\n```\n", "01_quick")
    shelf.write(SLOW, "02_slow")
    folders = ["--chapters", str(shelf.chapters), "--notebooks", str(shelf.notebooks)]
    command = [sys.executable, "-m", "dpbook.teaching.notebooks", *folders, "build", "--jobs", "2"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    kernel = shelf.notebooks / "kernel"
    deadline = time.monotonic() + 120
    while not (shelf.notebook("01_quick").exists() and kernel.exists()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "stopped; the finished notebooks are kept\n")
    assert not shelf.notebook("02_slow").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(kernel.read_text()), 0)


def test_builds_at_the_same_time_wait_for_each_other(copied):
    folders = ["--chapters", str(copied.chapters), "--notebooks", str(copied.notebooks)]
    command = [sys.executable, "-m", "dpbook.teaching.notebooks", *folders, "build"]
    copied.notebook().unlink()
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = "".join(process.communicate(timeout=120)[0] for process in both)
    assert [process.returncode for process in both] == [0, 0]
    assert said.count("executed") == said.count("up to date") == 1


# --- edits by hand --------------------------------------------------------------------------------


def test_notebook_edited_by_hand_is_not_overwritten(copied):
    edit(copied.notebook(), lambda cells: replacing(cells[-1], "end", "beginning"))
    before = copied.notebook().read_bytes()
    (refusal,) = copied.build()
    assert refusal.startswith("01_powers.ipynb was edited by hand (01_powers-007); ")
    assert f"make carry NOTEBOOK={copied.notebook()}" in refusal
    assert copied.findings() == [refusal]
    assert copied.notebook().read_bytes() == before
    assert copied.build(force=True) == []
    assert source(read(copied.notebook())["cells"][-1]) == "The end."


def test_notebook_that_was_only_run_by_hand_is_made_again(copied):
    def run(cells):
        cells[1]["execution_count"] = 17
        cells[1]["outputs"][0]["data"][VIEW] = {}

    edit(copied.notebook(), run)
    assert copied.build() == []
    assert "executed" in copied.said[0]
    assert copied.findings() == []


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        (lambda cells: replacing(cells[1], "2 * 3", "3 * 2"), "\n2 * 3\n", "\n3 * 2\n"),
        (
            lambda cells: replacing(cells[-1], "The end.", "Done.\n\nQuite."),
            "The end.",
            "Done.\n\nQuite.",
        ),
        # plain text in a cell that holds directives and references too
        (lambda cells: replacing(cells[2], "that is plain", "of text"), "that is plain", "of text"),
        (lambda cells: replacing(cells[5], "three times", "twice"), "three times", "twice"),
        # tags, new cells, removed cells
        (
            lambda cells: cells[1]["metadata"].update(tags=["hide-input"]),
            "```{code-cell}\n2 * 3\n",
            "```{code-cell}\n:tags: [hide-input]\n\n2 * 3\n",
        ),
        (
            lambda cells: cells.append(
                {
                    "cell_type": "code",
                    "id": "new",
                    "metadata": {},
                    "source": "5 + 5",
                    "outputs": [],
                    "execution_count": None,
                }
            ),
            "The end.\n",
            "The end.\n\n```{code-cell}\n5 + 5\n```\n",
        ),
        (
            lambda cells: cells.append(
                {"cell_type": "markdown", "id": "new", "metadata": {}, "source": "More."}
            ),
            "The end.\n",
            "The end.\n\n+++\n\nMore.\n",
        ),
        (lambda cells: cells.pop(1), "```{code-cell}\n2 * 3\n```\n", "+++\n"),
        # a directive that is removed as a whole
        (
            lambda cells: replacing(
                cells[2],
                "> **Note.** Products are *associative*:\n>\n> $$a (b c) = (a b) c \\tag{1}$$\n\nBy (1) the order does not matter.\n\n",
                "",
            ),
            None,
            None,
        ),
    ],
)
def test_edits_are_carried_back(copied, change, old, new):
    path = copied.chapters / "01_powers.md"
    before = path.read_text()
    edit(copied.notebook(), change)
    edited = [source(cell) for cell in read(copied.notebook())["cells"]]
    assert carry_back(copied.notebook(), copied.chapters) == []
    if old is None:
        assert "{note}" not in path.read_text()
    else:
        assert before.count(old) == 1
        assert path.read_text() == before.replace(old, new)
    assert copied.build() == []
    assert [source(cell) for cell in read(copied.notebook())["cells"]] == edited
    assert copied.findings() == []


@pytest.mark.parametrize(
    ("cell", "old", "new", "what", "line"),
    [
        (2, "Products are", "All products are", "{note}", "```{note}"),
        (2, "(a b) c", "c (a b)", "{note}", "```{note}"),
        (2, "By (1) the", "By (1) no", "a reference", "By {eq}"),
        (2, "(A cube)", "(A cubic)", "{exercise}", "```{exercise}"),
        (5, "Solution of", "Answer to", "the frame of a solution", "```{solution-start}"),
    ],
)
def test_what_cannot_be_carried_back_is_named_and_left_as_it_was(
    copied, cell, old, new, what, line
):
    path = copied.chapters / "01_powers.md"
    before = path.read_text()

    def change(cells):
        replacing(cells[cell], old, new)
        replacing(cells[1], "2 * 3", "3 * 2")  # the rest is carried

    edit(copied.notebook(), change)
    (lost,) = carry_back(copied.notebook(), copied.chapters)
    number = next(i for i, text in enumerate(before.splitlines(), 1) if text.startswith(line))
    assert lost.startswith(f"chapters/01_powers.md:{number}: {what} cannot be read back")
    assert new in lost
    assert path.read_text() == before.replace("\n2 * 3\n", "\n3 * 2\n")
    assert copied.build() != []  # the edit still stands in the notebook, and is not overwritten


def test_nothing_is_carried_into_a_chapter_that_changed_too(copied):
    path = copied.chapters / "01_powers.md"
    edit(copied.notebook(), lambda cells: replacing(cells[-1], "end", "beginning"))
    path.write_text(path.read_text().replace("Two times", "Twice"))
    before = path.read_text()
    with pytest.raises(NotebookError, match="changed too since 01_powers.ipynb was made"):
        carry_back(copied.notebook(), copied.chapters)
    assert path.read_text() == before


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_carrying_nothing_back_leaves_a_chapter_as_it_is_to_the_byte(path, tmp_path):
    shutil.copytree(ROOT / "chapters", tmp_path / "chapters")
    notebook = shutil.copy(ROOT / "notebooks" / f"{path.stem}.ipynb", tmp_path)
    assert carry_back(Path(notebook), tmp_path / "chapters") == []
    assert (tmp_path / "chapters" / path.name).read_bytes() == path.read_bytes()


def test_command_says_what_it_did_and_fails_where_something_is_left(copied, capsys):
    edit(copied.notebook(), lambda cells: replacing(cells[2], "Products", "All products"))
    folders = ["--chapters", str(copied.chapters), "--notebooks", str(copied.notebooks)]
    assert notebooks.main([*folders, "carry-back", str(copied.notebook())]) == 1
    shown = capsys.readouterr()
    assert shown.out == "carried 01_powers.ipynb into chapters/01_powers.md, but 1 edits\n"
    assert "{note} cannot be read back" in shown.err
    assert notebooks.main([*folders, "check"]) == 1
    assert notebooks.main([*folders, "carry-back", str(copied.notebooks / "none.ipynb")]) == 1
    assert "Traceback" not in capsys.readouterr().err


# --- the book -------------------------------------------------------------------------------------


def test_book_shows_directives_with_the_outputs_of_the_notebook(built):
    book = notebooks.book_notebook("01_powers", built.chapters, built.notebooks)
    text = "\n".join(cell.source for cell in book.cells)
    assert "```{note}" in text
    assert "{eq}`eq-associative`" in text
    assert "```{solution-end}" in text
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4]
    assert code[0].outputs[0].data["text/plain"] == "6"
    assert book.metadata.language_info.pygments_lexer == "ipython3"


def test_book_refuses_a_notebook_with_other_code(copied):
    path = copied.chapters / "01_powers.md"
    path.write_text(path.read_text().replace("\n2 * 3\n", "\n3 * 2\n"))
    with pytest.raises(NotebookError, match="does not hold the code of its chapter"):
        notebooks.book_notebook("01_powers", copied.chapters, copied.notebooks)


def test_every_solution_is_folded(built):
    chapters, index = read_all(built.chapters)
    parts = derive(chapters["01_powers"], index)
    solutions = [part for part in parts if "solution" in part.metadata.get("dpbook", {})]
    assert len(solutions) == 2
    for part in solutions:
        if part.kind == "code":
            assert part.metadata["jupyter"] == {"source_hidden": True, "outputs_hidden": True}
        else:
            assert part.source.startswith(
                "<details>\n<summary>Solution of exercise 1</summary>\n\n"
            )
            assert part.source.endswith("\n\n</details>")
