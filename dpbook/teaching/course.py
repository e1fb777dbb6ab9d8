"""The part of dpbook in nbgrader's autograder: it decides answers after a notebook has run.

nbgrader gives points for a cell that raised nothing, in a kernel that belongs to the student. Here
the verdict is made outside of that kernel: of an answer, as the cell handed it, for the student
whose submission nbgrader grades.
"""

from __future__ import annotations

import ast
from typing import Any

import nbformat
from nbclient.exceptions import DeadKernelError
from nbgrader.converters import Autograde  # type: ignore[import-untyped]
from nbgrader.preprocessors import Execute, NbGraderPreprocessor  # type: ignore[import-untyped]
from traitlets import Unicode

from dpbook.teaching import grading

FORMAT: Any = nbformat.v4  # in part without types


class Run(Execute):
    """Runs a notebook; a cell that ends the kernel is left out, and the others are run without it.

    nbgrader gives up the whole notebook there, and with it the points of all other exercises.
    """

    def preprocess(self, nb: Any, resources: Any = None, **named: Any) -> tuple[Any, Any]:
        """Run all cells, again after each kernel that ended."""
        self._ending: set[int] = set()
        while True:
            self._place = -1
            try:
                return super().preprocess(nb, resources, **named)
            except DeadKernelError:
                if self._place in {-1, *self._ending}:
                    raise
                self._ending.add(self._place)

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Run a cell, if it did not end the kernel before."""
        self._place = index
        if index not in self._ending:
            return super().preprocess_cell(cell, resources, index)
        cell.outputs = [_failed(ENDED)]
        return cell, resources


ENDED = (
    "this cell ended Python, so it was left out: its exercise gets no point, and the others were "
    "run and graded without it"
)


class Decide(NbGraderPreprocessor):
    """Puts the verdict in the place of what a check showed."""

    fresh_seed = Unicode("", help="From it the inputs are drawn on which programs are tried.")
    fresh_seed.tag(config=True)

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Decide the answer that a cell hands over; other cells stay as they are."""
        call = handing(cell.source) if cell.cell_type == "code" else None
        mark = cell.metadata.get("nbgrader", {})
        if call is None or not (mark.get("grade") and mark.get("locked")):
            return cell, resources
        if any(output.output_type == "error" for output in cell.outputs):
            return cell, resources  # the check itself failed, and says why
        key, seed = call
        student = "" if seed is None else str(resources["nbgrader"]["student"])
        shown = [output.text for output in cell.outputs if output.get("name") == "stdout"]
        data = grading.data_in("".join(shown))
        if data is None:
            right, words = False, "the check did not run: it handed no answer to the grader"
        else:
            right, words = grading.decided(key, data, student, seed or 0, self.fresh_seed)
        cell.outputs = [_said(words) if right else _failed(words)]
        return cell, resources


def handing(source: str) -> tuple[str, int | None] | None:
    """Return the exercise and the seed in the hidden test of a check; None when it has none."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "grading.handed":
            seeds = [ast.literal_eval(one.value) for one in node.keywords if one.arg == "seed"]
            return str(ast.literal_eval(node.args[0])), seeds[0] if seeds else None
    return None


def _said(words: str) -> Any:
    return FORMAT.new_output("stream", name="stdout", text=f"{words}\n")


def _failed(words: str) -> Any:
    return FORMAT.new_output("error", ename="NotRight", evalue=words, traceback=words.splitlines())


def autograders() -> list[Any]:
    """Return the steps of nbgrader's autograder, with `Run` for its own and `Decide` after that."""
    steps = list(Autograde.autograde_preprocessors.default_args[0])
    place = steps.index(Execute)
    steps[place : place + 1] = [Run, Decide]
    return steps
