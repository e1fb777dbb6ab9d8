"""The book as HTML: chapters as committed, pages made from the claims, nothing executed."""

from __future__ import annotations

import importlib
import io
import json
import re
import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path
from typing import Any, TextIO

from dpbook import __version__
from dpbook.engine.claims import record
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.read import grammar
from dpbook.ext import large_runs, reference, study_results, training, trusted
from dpbook.ext.recorded import entries, groups
from dpbook.teaching.chapters import home
from dpbook.teaching.notebooks import book_notebook

PARTS = ("jupytext", "myst_nb", "sphinx_proof", "sphinx_exercise", "sphinx_togglebutton")
EXTENSIONS = [
    *PARTS[1:],
    "dpbook.ext.reference",
    "sphinx.ext.mathjax",
    "sphinxcontrib.bibtex",
    "dpbook.ext.sphinx",
]
HOW_TO = ("documents", "topic", "exercise", "ci")  # in the order in which a reader needs them
STATIC = Path(__file__).with_name("static")
NOTEBOOKS = "_static/notebooks"  # for readers to download
DERIVATIONS = "derivations.toml"  # a test of the engine, shipped with the wheel
BOOK = "objects.inv"  # every book has it, so a folder without it is not ours to replace


class Unbuildable(ValueError):
    """Say in one line why the book cannot be built."""


def build(
    output: Path,
    chapters: Path | None = None,
    notebooks: Path | None = None,
    status: TextIO | None = None,
) -> list[str]:
    """Build the book from chapters and executed notebooks, without executing anything.

    Parameters
    ----------
    output : Path
        The folder to write; a book that stands there is replaced.
    chapters, notebooks : Path, optional
        Where the sources are, when they are not those of dpbook.
    status : file, optional
        Where progress is told.

    Returns
    -------
    list of str
        Warnings; with any the book is not complete, and `output` stays as it was.

    Raises
    ------
    Unbuildable
        When a package is missing, or the folder holds something else.
    """
    try:
        from sphinx.application import Sphinx

        for part in (*PARTS, "sphinxcontrib.bibtex", "furo"):
            importlib.import_module(part)
        mathjax = _mathjax()
    except ImportError as error:
        raise Unbuildable(
            f"the book needs the extra book: pip install 'dpbook[book]' ({error})"
        ) from error
    output = output.absolute()
    if output.exists() and (not output.is_dir() or _occupied(output)):
        raise Unbuildable(f"{output} holds something that is no book; name another folder")
    said = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="dpbook-book-") as room:
        source, made = Path(room, "source"), Path(room, "html")
        assemble(source, chapters or home("chapters"), notebooks or home("notebooks"))
        shutil.copytree(STATIC, source / "_static", dirs_exist_ok=True)
        _copy_mathjax(mathjax, source / "_static" / "mathjax")
        if status is None:
            print("building the book takes some minutes", file=sys.stderr)
        app = Sphinx(
            source,
            None,
            made,
            Path(room, "doctrees"),
            "html",
            confoverrides=configuration(),
            status=status,
            warning=said,
            warningiserror=True,
        )
        app.build()
        warnings = [_plain(line, source) for line in said.getvalue().splitlines() if line.strip()]
        if not warnings and not app.statuscode:
            if output.exists():
                shutil.rmtree(output)
            output.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(made, output)
    return warnings


def _occupied(folder: Path) -> bool:
    return not (folder / BOOK).exists() and any(folder.iterdir())


def _plain(line: str, source: Path) -> str:
    """A warning without colours and without the temporary folder."""
    return re.sub(r"\x1b\[[\d;]*m", "", line).replace(f"{source}/", "")


# --- MathJax --------------------------------------------------------------------------------------


def _mathjax() -> Path:
    """The folder of MathJax 3.2.2 that sphinx-mathjax-offline carries."""
    try:
        carrier = metadata.distribution("sphinx-mathjax-offline")
    except metadata.PackageNotFoundError as error:
        raise ImportError("No module named 'sphinx-mathjax-offline'") from error
    return Path(str(carrier.locate_file("sphinx-mathjax-offline/static/mathjax")))


def _copy_mathjax(mathjax: Path, to: Path) -> None:
    """Copy the files that typeset TeX: a script, the parts that it loads when a formula needs them, the fonts."""
    to.mkdir()
    shutil.copy(mathjax / "tex-mml-chtml.js", to)
    for part in ("input/tex/extensions", "output/chtml/fonts/woff-v2"):
        shutil.copytree(mathjax / part, to / part)


# --- Sphinx ---------------------------------------------------------------------------------------


def configuration() -> dict[str, Any]:
    """Return the settings of Sphinx."""
    return {
        "project": "dpbook",
        "author": "The dpbook developers",
        "version": __version__,
        "release": __version__,
        "language": "en",
        "extensions": EXTENSIONS,
        "myst_enable_extensions": ["amsmath", "colon_fence", "deflist", "dollarmath"],
        "myst_heading_anchors": 3,
        "nb_execution_mode": "off",
        "nb_ipywidgets_js": {},
        "bibtex_bibfiles": ["chapters/references.bib"],
        **reference.CONFIGURATION,
        "numfig": True,
        "numfig_secnum_depth": 0,
        "mathjax_path": "mathjax/tex-mml-chtml.js",
        "html_theme": "furo",
        "html_title": f"dpbook {__version__}",
        "html_static_path": ["_static"],
        "html_css_files": ["book.css"],
        "html_js_files": ["book.js"],
        "html_search_scorer": str(STATIC / "scorer.js"),
        "html_favicon": "_static/icon.svg",
        "html_copy_source": False,
        "html_show_sourcelink": False,
        "html_show_copyright": False,
        "togglebutton_open_on_print": False,
        "togglebutton_hint": "Show",
        "togglebutton_hint_hide": "Hide",
    }


def assemble(source: Path, chapters: Path, notebooks: Path) -> None:
    """Write the source of the book: the chapters with their outputs, and the pages made here."""
    (source / "chapters").mkdir(parents=True)
    names = sorted(path.stem for path in chapters.glob("[0-9][0-9]_*.md"))
    for name in names:
        notebook = book_notebook(name, chapters, notebooks)
        path = source / "chapters" / f"{name}.ipynb"
        path.write_text(json.dumps(notebook), encoding="utf-8")
        (source / NOTEBOOKS).mkdir(parents=True, exist_ok=True)
        shutil.copy(notebooks / f"{name}.ipynb", source / NOTEBOOKS)
    for name in ("glossary.md", "teach.md", "references.bib"):
        shutil.copy(chapters / name, source / "chapters" / name)
    shutil.copytree(chapters / "how_to", source / "chapters" / "how_to")
    for page in (training, study_results, large_runs):
        path = source / "chapters" / f"{page.NAME}.md"
        path.write_text(page.page(chapters), encoding="utf-8")
    study_results.copy_pictures(source / "chapters" / "studies")
    shipped = record.PACKAGE / "shipped" / "tests"
    tests = shipped if shipped.is_dir() else record.PACKAGE.parent / "tests" / "engine"
    shutil.copy(tests / DERIVATIONS, source)
    for docname, text in pages(names).items():
        path = source / f"{docname}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# --- pages made from the claims -------------------------------------------------------------------


def pages(chapters: list[str]) -> dict[str, str]:
    """Return the pages that are made from the claims, as MyST."""
    topics = record.topics()
    made = {}
    for topic in topics:
        made[f"claims/{topic}"] = topic_page(topic)
        for name, title, found in groups(topic):
            cards = [f"```{{claim}} {one.claim.key}\n```" for one in found]
            made[f"claims/{topic}/{name}"] = "\n\n".join([f"# {title}", *cards]) + "\n"
    return {
        "index": index(chapters, topics),
        **made,
        "errata": errata(topics),
        "graph": graph(topics),
        "trusted": trusted.page(),
        "notation": notation(topics),
        "grammar": grammar.page(),
        "derivations": CHECKER,
        **reference.pages(),
        "references": REFERENCES,
    }


def _named(topic: str) -> str:
    return topic.replace("_", " ").capitalize()


def _paper(topic: str) -> str:
    source = getattr(importlib.import_module(f"dpbook.{topic}.claims"), "SOURCE", None)
    return f"*{source.paper}*, {source.version}" if source else "From the literature"


def _toctree(caption: str, docnames: list[str], options: str = "") -> str:
    head = f"```{{toctree}}\n:hidden:\n:caption: {caption}\n{options}"
    return f"{head}\n" + "\n".join(docnames) + "\n```\n"


def index(chapters: list[str], topics: list[str]) -> str:
    """Return the first page: what this is, and how the verdicts stand."""
    shown = [Verdict.PROVED, Verdict.REFUTED, Verdict.SUPPORTED, Verdict.NOTED]
    lines = [
        "| topic | paper | " + " | ".join(v.value for v in shown) + " |",
        "| --- | --- |" + " ---: |" * len(shown),
    ]
    resting = 0
    for topic in topics:
        found = [one.evidence.verdict for one in entries(topic)]
        resting += sum(bool(one.evidence.named_axioms) for one in entries(topic))
        counts = " | ".join(str(found.count(verdict)) for verdict in shown)
        lines.append(f"| [{_named(topic)}](claims/{topic}.md) | {_paper(topic)} | {counts} |")
    return "\n\n".join(
        [
            "# A book that checks itself",
            f"{_papers(topics)} {INTRODUCTION.strip()}",
            BEGIN.strip(),
            "\n".join(lines),
            f"Of the proved claims {resting} rest on [a theorem of the literature]"
            "(trusted.md#named-axioms) that the kernel does not show.",
            f"The verdicts are those on record in dpbook {__version__}. A build of this book "
            "decides nothing; `dpbook verify --no-cache` replays all proofs and counterexamples.",
            FIND.strip(),
            _toctree("Chapters", [f"chapters/{name}" for name in chapters], ":numbered: 1\n"),
            _toctree(
                "Claims and verdicts",
                [*(f"claims/{topic}" for topic in topics), "errata", "graph", "trusted"],
            ),
            _toctree("How to", [f"chapters/how_to/{name}" for name in HOW_TO]),
            _toctree(
                "Reference",
                [
                    "notation",
                    "chapters/glossary",
                    "grammar",
                    "api/index",
                    "derivations",
                    "chapters/training_run",
                    "chapters/study_results",
                    "chapters/large_runs",
                    "chapters/teach",
                    "references",
                ],
            ),
        ]
    )


def _papers(topics: list[str]) -> str:
    """How many papers there are, as a sentence begins: those whose claims are here."""
    modules = (importlib.import_module(f"dpbook.{topic}.claims") for topic in topics)
    count = sum(hasattr(module, "SOURCE") for module in modules)
    word = dict(enumerate(("No", "One", "Two", "Three", "Four", "Five"))).get(count, str(count))
    return f"{word} paper{'s' * (count != 1)}"


INTRODUCTION = """
on differential privacy for Bayesian and robust statistics, and what they rest on. Every numbered statement
is a {term}`claim` that a machine decides: {term}`proved` by a named method, {term}`refuted` by an exact
{term}`counterexample`, or {term}`supported` by a search. The chapters are notebooks; their outputs are compared on each
change, so what you read is what ran.
"""

BEGIN = """
It is written for students who know probability but not differential privacy, for researchers who check a derivation, and
for those who keep a library's documentation true. Begin with the first chapter, on how to read a verdict and how to have a
statement of your own decided. To run and change what you read, type `make lab`, or `pip install 'dpbook[lab]'` and then
`dpbook lab`.
"""

FIND = """
- [](chapters/how_to/documents.md), [](chapters/how_to/topic.md), [](chapters/how_to/exercise.md) and
  [](chapters/how_to/ci.md): each in a few minutes, from an empty folder.
- [](errata.md): what is wrong in print, and the repair.
- [](graph.md): which claim rests on which.
- [](trusted.md): what you have to trust for a proof, and how many proofs rest on each thing.
- [](notation.md) and [](chapters/glossary.md): what the symbols and the words mean.
- [](grammar.md): how to write a statement, in text or LaTeX.
- [](api/index.md): every public name of the library, with examples.
- [](derivations.md): which mistakes in a calculation are found, known failures included.
- [](chapters/training_run.md): account for your training run.
- [](chapters/study_results.md): the papers' tables and figures, computed at the size of the papers.
- [](chapters/large_runs.md): how long the papers' studies take, on one worker and on many.
- [](chapters/teach.md): a course with these notebooks, graded by nbgrader.
- [](references.md): papers and books.
"""


def topic_page(topic: str) -> str:
    """Return the page of a topic: the sections, whose pages have the cards, and all its claims."""
    tour = (importlib.import_module(f"dpbook.{topic}").__doc__ or "").strip()
    parts = [
        f"# {_named(topic)}",
        f"{_paper(topic)}.",
        tour,
        f"Verdicts on record in dpbook {__version__}.",
        "## Sections",
        "```{toctree}\n:maxdepth: 1\n\n"
        + "\n".join(f"{topic}/{name}" for name, *_ in groups(topic))
        + "\n```",
        "## Claims",
        f"```{{claim-table}} {topic}\n```",
    ]
    return "\n\n".join(parts) + "\n"


def graph(topics: list[str]) -> str:
    """Return the page of the graphs."""
    parts = ["# What rests on what", GRAPH.strip()]
    for topic in topics:
        parts.append(f"## {_named(topic)}\n\n```{{claim-graph}} {topic}\n```")
    return "\n\n".join(parts) + "\n"


GRAPH = """
A claim stands to the right of everything that it rests on. The colour of its frame is its verdict, and what is refuted has
sharp corners. A full line: our proof uses it. A dashed line: the paper invokes it. A dotted line: it corrects it. Each
claim leads to its card, which names the same in words.
"""


def notation(topics: list[str]) -> str:
    """Return the table of notation, from the modules that the claims are written with."""
    parts = ["# Notation", NOTATION.strip()]
    for topic in topics:
        parts.append(f"## {_named(topic)}\n\n```{{notation}} {topic}\n```")
    return "\n\n".join(parts) + "\n"


NOTATION = """
Each symbol of a topic once, from the module that its claims are written with: what is proved and what is typeset use these.
"""

ERRATA = f"""
What is refuted as printed. A claim is quoted as it stands in the paper; the repair stands beside it, with its own
verdict. Verdicts on record in dpbook {__version__}.
"""

FAULTS = {
    "error": ("Errors", ""),
    "boundary": (
        "At the edge",
        "Wrong or undefined only at the edge of what is assumed.",
    ),
    "code": (
        "In the authors' programs",
        "What a published program does, where the paper itself has it right.",
    ),
    "misprint scan": (
        "Misprints",
        "Slips of the pen, and of the scan that was read: the paper goes on with the right formula.",
    ),
    "consequence": (
        "Consequences",
        "What falls with one of the faults above, and has none of its own.",
    ),
    "ours": (
        "Not of a paper",
        "False statements of this book's own: what goes wrong when a part of a method is forgotten.",
    ),
}


def errata(topics: list[str]) -> str:
    """Return the page of refuted claims, by kinds of fault."""
    refuted = [
        one for topic in topics for one in entries(topic) if one.evidence.verdict is Verdict.REFUTED
    ]
    found = {one.claim.fault or "ours" for one in refuted}
    parts = ["# Errata", ERRATA.strip()]
    for kinds, (title, words) in FAULTS.items():
        if found & set(kinds.split()):
            parts += [f"## {title}", words, f"```{{errata}} {kinds}\n```"]
    return "\n\n".join(part for part in parts if part) + "\n"


CHECKER = f"""# The checker of derivations, tested

Each calculation below has a known truth. The tests of dpbook run the checker on all of them and compare: a right one must be
proved, a wrong one must be refuted at its first wrong line, with a hint where one is named. A known failure is a case in which
the checker does not get this far yet; it then leaves the line open and never gives a wrong answer.

```{{derivation-cases}} {DERIVATIONS}
```
"""

REFERENCES = """# References

```{bibliography}
:all:
```
"""
