"""Chapters become executed notebooks, in one direction.

``chapters/NN_name.md`` is the source; ``notebooks/NN_name.ipynb`` is made from it, executed, and
marked with hashes of both. A notebook that was edited by hand is never overwritten: its edits are
carried back into the chapter first.

    python -m dpbook.teaching.notebooks build [NAME ...] [--force] [--jobs N]
    python -m dpbook.teaching.notebooks check
    python -m dpbook.teaching.notebooks carry-back NOTEBOOK ...
"""

from __future__ import annotations

import argparse
import asyncio
import atexit
import difflib
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbook.engine.claims import record
from dpbook.teaching import guards, offline
from dpbook.teaching.carry import carry_back
from dpbook.teaching.chapters import (
    KERNEL,
    Chapter,
    Notebook,
    NotebookError,
    Part,
    code_hash,
    code_of,
    derive,
    edited_cells,
    home,
    ids_of,
    is_current,
    packed,
    read_all,
    read_chapter,
    read_notebook,
    tags_of,
    unexecuted,
    write,
)

SECONDS = 600  # for one cell
STARTS = 3  # of a kernel that dies before it is ready, as one of two does that draw the same port
STILLBORN = "Kernel died before replying"


# --- the check ------------------------------------------------------------------------------------


def findings(chapters: Path, notebooks: Path) -> list[str]:
    """Return everything that is wrong with chapters, notebooks and their tie, a line each."""
    read, index = read_all(chapters)
    found = []
    for name, chapter in read.items():
        parts = derive(chapter, index)
        path = notebooks / f"{name}.ipynb"
        if not path.exists():
            found.append(f"chapters/{name}.md has no notebook; run make notebooks")
            continue
        notebook = read_notebook(path)
        edited = edited_cells(notebook, parts, name)
        if edited:
            found.append(_refusal(path, edited))
        elif not is_current(notebook, chapter, parts):
            found.append(f"{path.name} is not what chapters/{name}.md makes; run make notebooks")
        found += [f"{path.name}: {p}" for p in guards.problems(notebook, path.stat().st_size)]
    orphans = sorted(path.name for path in notebooks.glob("*.ipynb") if path.stem not in read)
    return found + [f"{name} has no chapter; remove it or write the chapter" for name in orphans]


def _refusal(path: Path, edited: Sequence[str]) -> str:
    cells = ", ".join(edited[:5]) + (f" and {len(edited) - 5} more" if len(edited) > 5 else "")
    return (
        f"{path.name} was edited by hand ({cells}); carry the edits into chapters/ with "
        f"make carry NOTEBOOK={_shown(path)}, or drop them with make notebooks ARGS=--force"
    )


def _shown(path: Path) -> str:
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


# --- executing ------------------------------------------------------------------------------------


@dataclass
class Job:
    """A chapter whose notebook is made."""

    chapter: Chapter
    parts: list[Part]
    path: Path
    kept: Notebook | None = None  # with outputs that still hold

    def run(self, running: set[tuple[Any, Any]], step: Callable[[str], None]) -> str:
        """Make the notebook; return what was done."""
        notebook = unexecuted(self.chapter, self.parts)
        began = time.monotonic()
        if self.kept:
            old = [cell for cell in self.kept["cells"] if cell["cell_type"] == "code"]
            new = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            for before, after in zip(old, new, strict=True):
                after |= {key: before[key] for key in ("execution_count", "outputs")}
        else:
            notebook = self._executed(notebook, running, step)
        text = packed(notebook)
        problems = guards.problems(notebook, len(text.encode()))
        if problems:
            raise NotebookError("\n".join(self._located(problem) for problem in problems))
        write(self.path, text)
        if self.kept:
            return "text renewed, outputs kept"
        return f"executed in {time.monotonic() - began:.1f} s"

    def _located(self, problem: str) -> str:
        cell = re.match(r"cell (\d+) \([^)]*\): (.*)", problem, re.S)
        if cell is None:
            return f"chapters/{self.chapter.name}.md: {problem}"
        place = self.parts[int(cell[1])].place
        return str(place.error(cell[2]))

    def _executed(
        self, notebook: Notebook, running: set[tuple[Any, Any]], step: Callable[[str], None]
    ) -> Notebook:
        import nbformat
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

        failed: list[int] = []
        captured: list[int] = []

        class Client(NotebookClient):
            def handle_comm_msg(self, outs: Any, msg: Any, cell_index: int) -> None:
                state = msg["content"].get("data", {}).get("state", {})
                if state.get("_model_name") == "OutputModel":
                    captured.append(cell_index)
                super().handle_comm_msg(outs, msg, cell_index)

        client = Client(
            nbformat.from_dict(notebook),  # type: ignore[no-untyped-call]
            timeout=SECONDS,
            kernel_name="python3",
            record_timing=False,  # or each execution would be a change in git
            store_widget_state=False,
            coalesce_streams=True,
            resources={"metadata": {"path": str(self.path.parent)}},
            on_cell_error=lambda cell, cell_index, execute_reply: failed.append(cell_index),
            on_cell_executed=lambda cell, cell_index, execute_reply: step(self.chapter.name),
        )

        async def body(env: dict[str, str]) -> None:
            mine = (asyncio.get_running_loop(), asyncio.current_task())
            running.add(mine)
            try:
                for left in reversed(range(STARTS)):
                    try:
                        await client.async_execute(env=env)
                        break
                    except RuntimeError as error:
                        if client.km is None:  # nbclient would look for it again at exit, and fail
                            atexit.unregister(client._cleanup_kernel)
                        if not left or not str(error).startswith(STILLBORN):
                            raise
            finally:
                running.discard(mine)

        with tempfile.TemporaryDirectory(prefix="dpbook-ipython-") as folder:
            try:
                asyncio.run(body(offline.environment(Path(folder))))
            except CellExecutionError as error:
                if not failed:
                    raise
                place = self.parts[failed[-1]].place
                raise place.error(f"{error.ename}: {error.evalue}") from None
            except CellTimeoutError as error:
                raise NotebookError(f"{self.chapter.name}: a cell took over {SECONDS} s") from error
            except DeadKernelError as error:
                raise NotebookError(f"{self.chapter.name}: the kernel died") from error
        if captured:
            raise self.parts[captured[0]].place.error(
                "an Output widget cannot be compared nor stored: use observe and a widget with a value"
            )
        made: Notebook = json.loads(json.dumps(client.nb))
        made["metadata"] = notebook["metadata"]
        for cell in made["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"] = [out for out in map(_cleaned, cell["outputs"]) if out]
        return made


def _cleaned(output: dict[str, Any]) -> dict[str, Any] | None:
    """Return an output as it is stored: without widget views, an error without its traceback."""
    if output["output_type"] == "error":
        return {**output, "traceback": [f"{output['ename']}: {output['evalue']}"]}
    if "data" in output:
        data = {k: v for k, v in output["data"].items() if k not in (guards.VIEW, guards.STATE)}
        return {**output, "data": data} if data else None
    return output


def build(
    chapters: Path,
    notebooks: Path,
    names: Sequence[str] = (),
    *,
    force: bool = False,
    jobs: int | None = None,
    say: Callable[[str], None] = print,
) -> list[str]:
    """Make the notebooks that are not what their chapters make now.

    Where only text changed, the outputs are kept; where code changed, all is executed. Each
    notebook is written when it is finished, so that an interrupt keeps those.

    Parameters
    ----------
    chapters, notebooks : Path
        The folders.
    names : sequence of str, optional
        Chapters, such as ``01_claims``; all when empty.
    force : bool, default False
        Execute everything, and drop edits that were made in a notebook.
    jobs : int, optional
        How many run at a time; at most 4 and the number of processors when not given.
    say : callable, optional
        Takes each line of the report.

    Returns
    -------
    list of str
        What went wrong, a line each.
    """
    with record.alone(notebooks, "another build is running; waiting for it"):
        read, index = read_all(chapters)
        wanted = [Path(name).stem for name in names] or list(read)
        unknown = [name for name in wanted if name not in read]
        if unknown:
            near = difflib.get_close_matches(unknown[0], read, 1) or list(read)
            raise NotebookError(f"no chapter {unknown[0]}; nearest: {near[0]}")
        todo, wrong = [], []
        for name in wanted:
            job = Job(read[name], derive(read[name], index), notebooks / f"{name}.ipynb")
            verdict = "" if force else _needed(job)
            if verdict == "current":
                say(f"{name:34} up to date")
            elif verdict:
                wrong.append(verdict)
            else:
                todo.append(job)
        return wrong + _run_all(todo, jobs or min(os.cpu_count() or 1, 4), say)


def _needed(job: Job) -> str:
    """Say why nothing is done; empty when the notebook is to be made."""
    if not job.path.exists():
        return ""
    notebook = read_notebook(job.path)
    edited = edited_cells(notebook, job.parts, job.chapter.name)
    if edited:
        return _refusal(job.path, edited)
    problems = guards.problems(notebook, job.path.stat().st_size)
    if not problems and is_current(notebook, job.chapter, job.parts):
        return "current"
    code = [
        (c["cell_type"], guards.text_of(c["source"]), tags_of(c["metadata"]))
        for c in notebook["cells"]
    ]
    executed = notebook["metadata"].get("dpbook", {}).get("executed_sha256")
    if not problems and code_hash(code) == code_of(job.parts) == executed:
        job.kept = notebook
    return ""


def _run_all(todo: Sequence[Job], workers: int, say: Callable[[str], None]) -> list[str]:
    """Run jobs side by side; an interrupt ends their kernels and keeps the finished jobs."""
    wrong: list[str] = []
    running: set[tuple[Any, Any]] = set()
    cells = sum(part.kind == "code" for job in todo for part in job.parts if not job.kept)
    step, close = _progress(cells)
    with ThreadPoolExecutor(workers) as pool:
        futures = {pool.submit(job.run, running, step): job for job in todo}
        try:
            for future in as_completed(futures):
                name = futures[future].chapter.name
                try:
                    say(f"{name:34} {future.result()}")
                except ValueError as error:
                    wrong.append(str(error))
        except KeyboardInterrupt:
            for future in futures:
                future.cancel()
            for loop, task in list(running):
                loop.call_soon_threadsafe(task.cancel)
            raise
        finally:
            close()
    return wrong


def _progress(cells: int) -> tuple[Callable[[str], None], Callable[[], None]]:
    """A bar of cells on a terminal, silence elsewhere."""
    if not cells or not sys.stderr.isatty():
        return lambda name: None, lambda: None
    from tqdm import tqdm

    bar = tqdm(total=cells, unit="cell", file=sys.stderr, leave=False)

    def step(name: str) -> None:
        bar.set_postfix_str(name)
        bar.update()

    return step, bar.close


# --- for the book ---------------------------------------------------------------------------------


def book_notebook(name: str, chapters: Path | None = None, notebooks: Path | None = None) -> Any:
    """Return a chapter as the book shows it: MyST with its directives, outputs of the notebook.

    Parameters
    ----------
    name : str
        The chapter, such as ``01_claims``.
    chapters, notebooks : Path, optional
        The folders, when they are not those of dpbook.

    Returns
    -------
    nbformat.NotebookNode
        Not to be executed: reader and nbval see the same outputs.

    Raises
    ------
    NotebookError
        When the notebook does not hold the code of the chapter.
    """
    import nbformat

    path = (notebooks or home("notebooks")) / f"{name}.ipynb"
    chapter = read_chapter((chapters or home("chapters")) / f"{name}.md")
    stored = [cell for cell in read_notebook(path)["cells"] if cell["cell_type"] == "code"]
    outputs = iter(stored)
    code = [cell.text for cell in chapter.cells if cell.kind == "code"]
    if [guards.text_of(cell["source"]) for cell in stored] != code:
        raise NotebookError(f"{path.name} does not hold the code of its chapter; make notebooks")
    cells = []
    for number, cell in zip(ids_of(name, len(chapter.cells)), chapter.cells, strict=True):
        made = {"cell_type": cell.kind, "id": number, "metadata": cell.metadata}
        if cell.kind == "code":
            from_run = next(outputs)
            made |= {key: from_run[key] for key in ("execution_count", "outputs")}
        cells.append({**made, "source": cell.text})
    language = {"name": "python", "pygments_lexer": "ipython3"}  # or %%magics fail in Sphinx
    metadata = {"kernelspec": KERNEL, "language_info": language}
    node = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return nbformat.reads(json.dumps(node), as_version=4)  # type: ignore[no-untyped-call]


# --- the command ----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m dpbook.teaching.notebooks")
    parser.add_argument("--chapters", type=Path, default=home("chapters"), help="their folder")
    parser.add_argument("--notebooks", type=Path, default=home("notebooks"), help="their folder")
    commands = parser.add_subparsers(dest="command", required=True)
    building = commands.add_parser("build", help="make the notebooks that are not current")
    building.add_argument("names", nargs="*", metavar="NAME", help="such as 01_claims")
    building.add_argument("--force", action="store_true", help="execute all, drop edits by hand")
    building.add_argument("--jobs", type=int, help="how many at a time")
    commands.add_parser("check", help="compare notebooks with chapters; change nothing")
    carrying = commands.add_parser("carry-back", help="carry edits of a notebook into its chapter")
    carrying.add_argument("paths", nargs="+", type=Path, metavar="NOTEBOOK")
    given = parser.parse_args(arguments)
    try:
        if given.command == "build":
            wrong = build(
                given.chapters, given.notebooks, given.names, force=given.force, jobs=given.jobs
            )
        elif given.command == "check":
            wrong = findings(given.chapters, given.notebooks)
        else:
            wrong = []
            for path in given.paths:
                lost = carry_back(path, given.chapters)
                rest = f", but {len(lost)} edits" if lost else ""
                print(f"carried {path.name} into chapters/{path.stem}.md{rest}")
                wrong += lost
            if not wrong:
                print("now make notebooks")
    except (ValueError, OSError) as error:
        wrong = [str(error)]
    except KeyboardInterrupt:
        print("stopped; the finished notebooks are kept", file=sys.stderr)
        return 130
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
