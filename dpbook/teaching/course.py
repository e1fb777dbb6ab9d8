"""The part of dpbook in nbgrader's autograder: it decides answers after a notebook has run.

nbgrader gives points for a cell that raised nothing, in a kernel that belongs to the student. Here
the verdict is made outside of that kernel: of an answer, as the cell handed it, for the student
whose submission nbgrader grades.
"""

from __future__ import annotations

import ast
import html
import re
from fractions import Fraction
from importlib import metadata
from pathlib import Path
from typing import Any

import nbformat
import zmq
from jupyter_client.manager import KernelManager
from nbclient.exceptions import DeadKernelError
from nbconvert.exporters import HTMLExporter
from nbgrader.api import MissingEntry  # type: ignore[import-untyped]
from nbgrader.converters import Autograde, GenerateFeedback  # type: ignore[import-untyped]
from nbgrader.coursedir import CourseDirectory  # type: ignore[import-untyped]
from nbgrader.preprocessors import (  # type: ignore[import-untyped]
    Execute,
    NbGraderPreprocessor,
    OverwriteCells,
)
from traitlets import Integer, Unicode

from dpbook.teaching import grading
from dpbook.teaching.editions import BEGIN_HIDDEN, END_HIDDEN

FORMAT: Any = nbformat.v4  # in part without types
LONGEST = 100_000  # characters of an output that is given back whole
SHOWN = 2_000  # of a longer one
NOT_RIGHT = "NotRight"


class Restore(OverwriteCells):
    """Puts hidden tests back into checks, and warns only where a student changed a check.

    nbgrader compares a check with its source, which has the hidden test; so it would warn of each.
    """

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """Give a check its source where the visible lines are as they were released."""
        mark = cell.metadata.get("nbgrader", {})
        if mark.get("locked") and "grade_id" in mark:
            try:
                source = self.gradebook.find_source_cell(
                    mark["grade_id"], self.notebook_id, self.assignment_id
                ).source
            except MissingEntry:  # nbgrader warns of it
                source = ""
            if visible(source) == visible(cell.source):
                cell.source = source
        return super().preprocess_cell(cell, resources, cell_index)


class Run(Execute):
    """Runs a notebook; a cell that ends the kernel is left out, and the others are run without it.

    nbgrader gives up the whole notebook there, and with it the points of all other exercises. So it does
    where a long output is late, as it is on a busy machine.
    """

    iopub_timeout = Integer(600, help="Seconds to wait for the output of a cell.").tag(config=True)

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
    """Puts the verdict in the place of a check's outputs."""

    fresh_seed = Unicode("", help="From it the inputs are drawn on which programs are tried.")
    fresh_seed.tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Decide all answers of a notebook."""
        self._failed: list[str] = []  # answer cells since the last check that raised an error
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Decide the answer that a cell hands over; other cells stay as they are, but for length."""
        if cell.cell_type != "code":
            return cell, resources
        mark = cell.metadata.get("nbgrader", {})
        call = handing(cell.source)
        errors = [output for output in cell.outputs if output.output_type == "error"]
        if call is None or not (mark.get("grade") and mark.get("locked")):
            cell.outputs = [_shortened(output) for output in _joined(cell.outputs)]
            self._failed += [_in_words(one) for one in errors if mark.get("solution")]
            return cell, resources
        before, self._failed = self._failed, []
        if any(one.evalue == ENDED for one in errors):
            return cell, resources
        key, seed = call
        student = "" if seed is None else str(resources["nbgrader"]["student"])
        shown = [output.text for output in cell.outputs if output.get("name") == "stdout"]
        data = grading.data_in("".join(shown))
        if data is None:
            share, words = grading.NONE, _not_handed(before, errors)
        else:
            folder = self._source(str(resources["nbgrader"]["assignment"]))
            share, words = grading.decided(key, data, student, seed or 0, self.fresh_seed, folder)
        if share == 1:
            cell.outputs = [_said(words)]
        elif share:
            earned = float(share * Fraction(str(mark["points"])))
            cell.outputs = [_said(words), _points(round(earned, 2))]
        else:
            cell.outputs = [_failed(words)]
        return cell, resources

    def _source(self, assignment: str) -> Path | None:
        """Return the lecturer's folder of an assignment, or None."""
        course = CourseDirectory(config=self.config)
        folder = Path(course.format_path(course.source_directory, ".", assignment))
        return folder if folder.is_dir() else None


def _not_handed(before: list[str], errors: list[Any]) -> str:
    """Say why a check handed no answer to the grader."""
    if ENDED in before:
        return "the answer above ended Python"
    if before:
        return f"the answer above failed: {before[0]}"
    if errors:
        return f"the check did not run: {_in_words(errors[0])}"
    return "the check did not run: it handed no answer to the grader"


def _in_words(error: Any) -> str:
    """Return an error in a line; for an error of the grader, its words alone."""
    # a cell has a number for the name of its file
    words = re.sub(r"\(\d+\.py, (line \d+)\)", r"(\1)", error.evalue)
    return words if error.ename == NOT_RIGHT else f"{error.ename}: {words}"


def _joined(outputs: list[Any]) -> list[Any]:
    """Join the output of a cell, which a kernel hands over in many short pieces."""
    made: list[Any] = []
    for output in outputs:
        piece = output.output_type == "stream"
        if made and piece and made[-1].get("name") == output.name:
            made[-1].text += output.text
        else:
            made.append(output)
    return made


def _shortened(output: Any) -> Any:
    """Cut a long text in an output, and say how much was left out."""
    if output.output_type == "stream":
        output.text = _cut(output.text)
    elif output.output_type == "error":
        output.evalue = _cut(output.evalue)
        output.traceback = [_cut(line) for line in output.traceback]
    else:
        for kind, text in output.get("data", {}).items():
            if kind.startswith("text/") and isinstance(text, str) and len(text) > LONGEST:
                # a part of a page of HTML would be none: the plain text stands for it
                output.data = {"text/plain": _cut(output.data.get("text/plain", ""))}
                break
    return output


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    return f"{text[:SHOWN]}\n... {len(text) - SHOWN} characters were left out here"


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
    return FORMAT.new_output("error", ename=NOT_RIGHT, evalue=words, traceback=words.splitlines())


def _points(number: float) -> Any:
    """Return the output in which nbgrader reads a part of the points."""
    return FORMAT.new_output("execute_result", data={"text/plain": repr(number)})


def sanitizers() -> list[Any]:
    """Return the steps of nbgrader before it runs a notebook, with `Restore` for its own."""
    steps = list(Autograde.sanitize_preprocessors.default_args[0])
    steps[steps.index(OverwriteCells)] = Restore
    return steps


def autograders() -> list[Any]:
    """Return the steps of nbgrader's autograder, with `Run` for its own and `Decide` after that."""
    steps = list(Autograde.autograde_preprocessors.default_args[0])
    place = steps.index(Execute)
    steps[place : place + 1] = [Run, Decide]
    return steps


def encrypt(configuration: Any) -> None:
    """Encrypt the messages to a kernel, where the installed Jupyter and ZeroMQ can."""
    if "transport_encryption" in KernelManager.class_trait_names() and zmq.has("curve"):
        configuration.KernelManager.transport_encryption = "auto"


# --- feedback -------------------------------------------------------------------------------------------


def visible(source: str) -> str:
    """Return a check without its hidden test."""
    hidden = rf"(?ms)^[ \t]*{BEGIN_HIDDEN}.*?(?:{END_HIDDEN}[^\n]*\n?|\Z)"
    return re.sub(hidden, "", source).rstrip()


class Shown(NbGraderPreprocessor):
    """Takes hidden tests and tracebacks of checks out of feedback."""

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """Leave a check with its visible lines and the words of its verdict."""
        mark = cell.metadata.get("nbgrader", {})
        if cell.cell_type != "code" or not mark.get("locked"):
            return cell, resources
        cell.source = visible(cell.source)
        cell.outputs = [self._words(output) for output in cell.outputs]
        return cell, resources

    def _words(self, output: Any) -> Any:
        if output.output_type != "error":
            return output
        return _said(_in_words(output))


class Page(HTMLExporter):
    """Makes a page of feedback that needs no network: MathJax stands in it."""

    def from_notebook_node(self, nb: Any, resources: Any = None, **named: Any) -> Any:
        """Return the page of a notebook."""
        page, resources = super().from_notebook_node(nb, resources, **named)
        page = re.sub(
            r"(?s)<!-- Load mathjax -->.*?<!-- End of mathjax configuration -->", "", page
        )
        page = re.sub(r"(?s)<script\b[^>]*\bsrc=[^>]*>\s*</script>", "", page)
        page = re.sub(r"(?s)<script type=\"module\">.*?</script>", "", page)
        return page.replace("</head>", f"{_mathjax()}</head>", 1), resources


def _mathjax() -> str:
    """Return MathJax as scripts; a line that formulas stay as they are typed where it is not installed."""
    try:
        carrier = metadata.distribution("sphinx-mathjax-offline")
    except metadata.PackageNotFoundError:
        lacks = "formulas are shown as they are typed: pip install sphinx-mathjax-offline"
        return f"<!-- {html.escape(lacks)} -->"
    path = Path(str(carrier.locate_file("sphinx-mathjax-offline/static/mathjax/tex-svg-full.js")))
    script = path.read_text(encoding="utf-8").replace("</script", "<\\/script")
    return f"<script>{MATHJAX}</script><script>{script}</script>"


MATHJAX = """\
window.MathJax = {
  tex: {inlineMath: [['$', '$'], ['\\\\(', '\\\\)']], processEscapes: true},
  options: {ignoreHtmlClass: 'input_area|output_text|output_stream', enableMenu: false}
};"""


def feedback(configuration: Any) -> None:
    """Set up nbgrader's feedback in its configuration."""
    steps = list(GenerateFeedback.preprocessors.default_args[0])
    configuration.GenerateFeedback.preprocessors = [Shown, *steps]
    configuration.GenerateFeedback.exporter_class = Page
