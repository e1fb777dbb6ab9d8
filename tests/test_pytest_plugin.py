"""The plugin of pytest, in a project of its own, in processes of their own."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dpbook.ext import found, pytest_plugin
from dpbook.ext.cells import checked

ROOT = Path(__file__).resolve().parents[1]

CLAIMS = '''"""Claims of a package."""

from sympy import exp

from dpbook import claim, symbol

t = symbol("t", above=0)


@claim("tangent")
def tangent():
    """Above its tangent."""
    return exp(t) >= 1 + t


@claim("slip")
def slip():
    """A slip."""
    return exp(t) >= 1 + 2 * t


@claim("typo", using=["tangnet"])
def typo():
    """It uses no claim."""
    return exp(t) >= t
'''
BROKEN = "from dpbook import claim\n\n@claim('a')\ndef a(:\n"
MARKDOWN = """# A page

It rests on {claim}`mine:tangent`, not on {claim}`the slip <mine:slip>` and {claim}`mine:nothing`.

```{check}
given: x > 0
log(x) <= x - 1
```

```{check}
exp(x) >= 1 + 2*x
```

```{check}
:expect: refuted
exp(x) <= 0
```

```{derive}
(x + 1)^2 = x^2 + 2*x + 1
x^2 + 2*x + 1 = 1 + x*(x + 2)
```

```{derive}
x^2 = 3*x
x = 3
```

````
```{check}
1 = 2
```
{claim}`mine:shown-and-not-meant`
````
"""
RST = """A page
======

It rests on :claim:`mine:tangent`.

.. check::

   given: x > 0
   log(x) <= x - 2
"""
MODULE = '''"""A module. See :claim:`mine:slip`."""


def tail(t):
    """Return a bound.

    Claims: mine:tangent, mine:slip
    """
    return t


def other(t):
    """Return another.

    Claims
    ------
    mine:tangent
    """
'''
NOTEBOOK = """{"cells": [
 {"cell_type": "markdown", "metadata": {}, "source": ["See {claim}`mine:tangent`."]},
 {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null,
  "source": ["%%claim\\n", "exp(x) >= 1 + 2*x"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}"""
CONFIGURATION = """[tool.pytest.ini_options]
addopts = ["--dpbook"]
dpbook_claims = ["docs/mine.py"]
"""
OUTCOMES = {
    "docs/broken.py::import": "failed",
    "docs/mine.py::tangent": "passed",
    "docs/mine.py::slip": "failed",
    "docs/mine.py::typo": "failed",
    "docs/page.md::mine:tangent": "passed",
    "docs/page.md::mine:slip": "failed",
    "docs/page.md::mine:nothing": "failed",
    "docs/page.md::check-5": "passed",
    "docs/page.md::check-10": "failed",
    "docs/page.md::check-14": "passed",
    "docs/page.md::derive-19-line-2": "passed",
    "docs/page.md::derive-24-line-2": "failed",
    "docs/page.rst::mine:tangent": "passed",
    "docs/page.rst::check-6": "failed",
    "docs/notes.ipynb::mine:tangent": "passed",
    "docs/notes.ipynb::check-2": "failed",
    "package.py::mine:slip": "failed",
    "package.py::mine:tangent": "passed",
    "package.py::mine:slip-2": "failed",
    "package.py::mine:tangent-2": "passed",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("project")
    (folder / "docs").mkdir()
    for name, text in {
        "docs/mine.py": CLAIMS,
        "docs/broken.py": BROKEN,
        "docs/page.md": MARKDOWN,
        "docs/page.rst": RST,
        "docs/notes.ipynb": NOTEBOOK,
        "docs/plain.md": "# Nothing of ours\n",
        "package.py": MODULE,
        "pyproject.toml": CONFIGURATION,
    }.items():
        (folder / name).write_text(text)
    return folder


# nbval imports for two seconds what reads notebooks: no test here needs that
PYTEST = [sys.executable, "-m", "pytest", "-p", "no:nbval"]


def run(folder, *options):
    """Run pytest as one does who has installed dpbook: the plugin is loaded by name."""
    plugin = ["-p", "dpbook.ext.pytest_plugin"] * (not _installed())
    command = [*PYTEST, *plugin, "-rA", "--color=no", *options]
    place = {"PYTHONPATH": str(ROOT), "DPBOOK_CACHE": str(folder / "cache")}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, **place}
    )
    said = re.findall(r"^(PASSED|FAILED|ERROR) (\S+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return {name: outcome.lower() for outcome, name in said}, done


def _installed():
    """Whether the plugin is among the entry points of the dpbook that is installed."""
    from importlib import metadata

    return any(
        p.value == "dpbook.ext.pytest_plugin" for p in metadata.entry_points(group="pytest11")
    )


@pytest.fixture(scope="module")
def whole(project):
    return run(project, "--junitxml", "report.xml")


def test_each_claim_and_each_line_is_a_test(whole):
    outcomes, done = whole
    assert outcomes == OUTCOMES, done.stdout
    assert done.returncode == 1


def test_failure_shows_statement_counterexample_and_place(whole):
    out = whole[1].stdout
    line = CLAIMS.splitlines().index('@claim("slip")') + 1
    shown = (
        "mine:slip is refuted: proved is expected\nstatement: exp(t) >= 1 + 2*t\n"
        f"counterexample: t = 1\nthere: 2.7182818 >= 3 is false\ndocs/mine.py:{line}\n"
    )
    assert shown in out
    assert "docs/page.md:10\n" in out
    assert "no claim mine:nothing" in out
    assert "a root is lost: x = 0" in out
    assert "docs/notes.ipynb, cell 2\n" in out
    assert re.search(r"docs/broken\.py:4 cannot be imported: SyntaxError", out)
    assert "Traceback" not in out


def test_report_of_junit_holds_the_counterexample(whole, project):
    cases = {
        case.get("name"): case
        for case in ElementTree.parse(project / "report.xml").iter("testcase")
    }
    assert len(cases) <= len(OUTCOMES)
    assert "counterexample: t = 1" in cases["slip"].find("failure").text


def test_one_is_chosen_by_k_and_the_failed_ones_by_lf(whole, project):
    outcomes, _ = run(project, "-k", "slip and not docs", "package.py")
    assert set(outcomes) == {"package.py::mine:slip", "package.py::mine:slip-2"}
    outcomes, _ = run(project, "--lf")
    assert outcomes == dict.fromkeys(outcomes, "failed")
    assert outcomes


def test_several_processes_say_the_same(whole, project):
    outcomes, done = run(project, "-n", "2", "docs/mine.py", "docs/page.md")
    assert outcomes == {
        name: said
        for name, said in OUTCOMES.items()
        if name.startswith(("docs/mine.py", "docs/page.md"))
    }, done.stdout


def test_nothing_of_dpbook_is_imported_without_the_option(project, tmp_path):
    (tmp_path / "test_none.py").write_text(
        "import sys\n\ndef test_none():\n"
        "    here = {n for n in sys.modules if n.partition('.')[0] in ('dpbook', 'sympy', 'sybil')}\n"
        "    assert here <= {'dpbook', 'dpbook.lazy', 'dpbook.ext', 'dpbook.ext.pytest_plugin'}\n"
    )
    outcomes, done = run(tmp_path, "test_none.py")
    assert outcomes == {"test_none.py::test_none": "passed"}, done.stdout


BAD = {
    "a.md": ("```{check}\n:expect: blue\n1 < 2\n```\n", "expect must be one of proved, "),
    "b.md": ("```{check}\n1 < 2\n2 < 3\n```\n", "one statement is to stand here, got 2 lines"),
    "c.md": ("```{derive}\n1 <\n```\n", "cannot read"),
    "d.ipynb": ('{"%%claim": 3}', "it is no notebook: 'cells'"),
}


def test_bad_example_is_one_line(tmp_path):
    for name, (text, _) in BAD.items():
        (tmp_path / name).write_text(text)
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert [name.partition("::")[0] for name in outcomes] == list(BAD), done.stdout
    assert set(outcomes.values()) == {"failed"}
    for _, said in BAD.values():
        assert said in done.stdout
    assert "Traceback" not in done.stdout


def test_a_statement_about_numbers_is_shown_once():
    assert repr(checked("1 = 2")) == "refuted: 1 = 2"
    found = checked("sqrt(2) = 1.4142")
    assert repr(found) == "refuted: sqrt(2) = 1.4142, 1.4142136 = 1.4142 is false"


def test_a_worker_that_does_not_start_is_one_line(tmp_path):
    (tmp_path / "page.md").write_text("```{check}\n1 < 2\n```\n")
    (tmp_path / "conftest.py").write_text(
        "from dpbook.engine.run.workers import Worker\n\n"
        'Worker.__init__.__defaults__ = ("no_such_program",)\n'
    )
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert outcomes == {"page.md::check-1": "failed"}, done.stdout
    assert "a worker did not start; python -m no_such_program says why\npage.md:1\n" in done.stdout
    assert "Traceback" not in done.stdout
    assert "workers.py" not in done.stdout


def test_examples_are_found_with_their_lines():
    kinds = [(one.kind, one.line) for one in found.examples(Path("a.md"), MARKDOWN)]
    assert kinds == [
        *[("claim", 3)] * 3,
        *(("check", line) for line in (5, 10, 14)),
        *(("derive", line) for line in (19, 24)),
    ]
    assert [(x.text, x.line) for x in found.examples(Path("a.py"), MODULE)] == [
        ("mine:slip", 1),
        ("mine:tangent", 7),
        ("mine:slip", 7),
        ("mine:tangent", 15),
    ]


def test_key_in_a_docstring_is_read_whole():
    text = '"""Bound.\n\nClaims: mine:tail_2, mine:tail.\n"""\n'
    assert [one.text for one in found.examples(Path("a.py"), text)] == ["mine:tail_2", "mine:tail"]


def test_line_beside_the_name_of_a_directive_is_read():
    text = ".. derive:: (x+1)^2\n   = x^2 + 3*x + 1\n\n.. check::\n\n   x^2 >= 0\n"
    first, second = found.examples(Path("a.rst"), text)
    assert first.text.split("\n")[0] == "(x+1)^2"
    assert second.text.strip() == "x^2 >= 0"


def test_each_line_of_a_derivation_has_its_own_place():
    rst = "Text\n\n.. derive:: x\n   :expect: proved\n\n   given: x > 0\n\n   = x\n   = x + 0\n"
    python = f'"""Title.\n\n{rst}"""\n'
    markdown = f"Text\n\n```{{eval-rst}}\n{rst}```\n\n> ```{{derive}}\n> x\n> = x\n> ```\n"
    cell = "```{code-cell} python\n:tags: [a]\n\n\n%%derive\nx\n= x\n```\n"
    for name, text in (("a.rst", rst), ("a.py", python), ("a.md", markdown), ("b.md", cell)):
        written = text.splitlines()
        for one in found.examples(Path(name), text):
            for row, line in enumerate(one.text.splitlines()):
                if line.strip():
                    assert written[one.rows[row] - 1].endswith(line.strip())
            assert "derive" in written[one.line - 1]


def test_cells_that_begin_with_blank_lines_are_read_as_ipython_reads_them():
    cell = {"cell_type": "code", "source": ["\n", "\n", "%%claim a\n", "x^2 >= 0\n"]}
    [one] = found.examples(Path("a.ipynb"), json.dumps({"cells": [cell]}))
    assert (one.kind, one.text, one.line) == ("check", "x^2 >= 0\n", 1)


def test_a_key_is_not_looked_up_in_the_file_of_another_folder(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bounds.py").write_text(CLAIMS)
        (tmp_path / name / "index.rst").write_text(":claim:`bounds:tangent`\n")
    command = [*PYTEST, "--dpbook", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, "."], capture_output=True, text=True, cwd=tmp_path)
    assert "there are two topics bounds: " in done.stdout
    alone = subprocess.run(
        [*command, "index.rst"], capture_output=True, text=True, cwd=tmp_path / "two"
    )
    assert "1 passed" in alone.stdout, alone.stdout


def test_docstring_that_begins_with_claims_is_looked_at():
    assert pytest_plugin.EXAMPLES.search('"""Claims: mine:tail."""\n')
    assert not pytest_plugin.EXAMPLES.search('"""Claimed: mine:tail."""\n')


def test_directives_are_found_in_fences_of_colons_and_in_restructuredtext_inside_markdown():
    text = (
        ":::{check}\nx^2 >= 1\n:::\n\n::::{note}\n:::{check}\n:expect: refuted\n\nx^2 >= 2\n:::\n::::\n\n"
        "```{eval-rst}\n.. check::\n\n   x^2 >= 3\n```\n"
    )
    assert [
        (one.text.strip(), one.line, one.expect) for one in found.examples(Path("a.md"), text)
    ] == [("x^2 >= 1", 1, "proved"), ("x^2 >= 2", 6, "refuted"), ("x^2 >= 3", 14, "proved")]


@pytest.mark.parametrize(
    ("code", "holds"),
    [
        ('from dpbook import claim as stated\n@stated("a")\ndef f(): pass\n', True),
        ('from dpbook import axiom\nif True:\n    @axiom("a")\n    def f(): pass\n', True),
        ('import dpbook as d\n@d.claim("a")\ndef f(): pass\n', True),
        ('from dpbook import claim\n@claim("a"\ndef f(): pass\n', True),
        ('from dpbook import claim\ndef test():\n    @claim("a")\n    def f(): pass\n', False),
        ('from dpbook import check\n"""\n@claim("a")\n"""\n', False),
        ("import dpbook, other\nother.claim(1)\n", False),
        (
            'from dpbook import claim\ndef more():\n    @claim("a")\n    def f(): pass\nmore()\n',
            True,
        ),
        ("import dpbook\nmine = partial(dpbook.claim)\n@mine('a')\ndef f(): pass\n", True),
        ("import dpbook\nprint(dpbook)\n", False),
        (
            "from dpbook import claim\ndef main():\n    claim('a')(f)\n"
            "if __name__ == '__main__':\n    main()\n",
            False,
        ),
    ],
)
def test_a_file_holds_claims_where_importing_it_declares_one(code, holds):
    assert pytest_plugin.holds_claims(code) is holds


def test_a_file_holds_claims_that_another_file_helps_to_declare(tmp_path):
    (tmp_path / "helper.py").write_text(
        "from dpbook import claim as declared, symbol\n"
        "from functools import wraps\n"
        "t = symbol('t', above=0)\n"
        "def claim(label):\n    return declared(label, place=label)\n"
        "def noted(function):\n"
        "    @wraps(function)\n    def same():\n        return function()\n    return same\n"
    )
    (tmp_path / "first.py").write_text(
        "from helper import claim, noted, t\n"
        "@claim('wrong')\n@noted\ndef wrong():\n    'Wrong.'\n    return t >= 1\n"
    )
    (tmp_path / "second.py").write_text(
        "import helper as h\n@h.claim('wrong')\ndef wrong():\n    'Wrong.'\n    return h.t >= 2\n"
    )
    (tmp_path / "pytest.ini").write_text("[pytest]\ndpbook_claims = second.py\n")
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert outcomes == {"first.py::wrong": "failed", "second.py::wrong": "failed"}, done.stdout
    assert "first:wrong is refuted" in done.stdout
    assert "first.py:2" in done.stdout


def test_a_document_in_another_encoding_fails_as_a_test(tmp_path):
    (tmp_path / "page.md").write_bytes("Zürich\n\n```{check}\n1 > 2\n```\n".encode("cp1252"))
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert list(outcomes.values()) == ["failed"], done.stdout
    assert "UTF-8" in done.stdout
    assert "Traceback" not in done.stdout


TWO = """from sympy import exp
from dpbook import claim, symbol
t = symbol("t", above=0)
@claim("base"{false})
def base():
    return exp(t) >= 1 + {slope} * t
"""
RESTS = """
@claim("rests", using=["base"])
def rests():
    return exp(t) >= 1 + t
"""


@pytest.fixture
def two_files_of_one_name(tmp_path):
    """A right claim in a/mine.py rests on one that is wrong in b/mine.py, and has another number there."""
    for name, text in (
        ("a", TWO.format(false="", slope=1) + RESTS),
        ("b", TWO.format(false=', effect="none"', slope=2)),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(text)
        (tmp_path / name / "page.md").write_text("See {claim}`mine:base` and {claim}`mine:rests`.")
    return tmp_path


def test_claims_of_two_files_of_one_name_are_not_mixed(two_files_of_one_name):
    folder = two_files_of_one_name
    outcomes, done = run(folder, "--dpbook", ".")
    own = dict.fromkeys(("a/mine.py::base", "a/mine.py::rests", "b/mine.py::base"), "passed")
    named = {f"{page}/page.md::mine:{key}" for page in "ab" for key in ("base", "rests")}
    assert outcomes == own | dict.fromkeys(named, "failed")
    assert "there are two topics mine" in done.stdout
    (folder / "pytest.ini").write_text("[pytest]\ndpbook_claims = a/mine.py\n")
    outcomes, done = run(folder, "--dpbook", ".")
    assert outcomes == dict.fromkeys([*own, *named], "passed"), done.stdout
    (folder / "pytest.ini").write_text("[pytest]\ndpbook_claims = a/mine.py b/mine.py\n")
    outcomes, done = run(folder, "--dpbook", ".")
    assert set(outcomes.values()) == {"error"}
    assert "both called mine" in done.stdout + done.stderr


def _cells(*sources):
    return json.dumps({"cells": [{"cell_type": "code", "source": one} for one in sources]})


FOUND = [
    ("a.ipynb", _cells("\n%%claim\n1 < 2", "#| label: one\n%%claim\n1 < 3"), ["1 < 2", "1 < 3"]),
    ("a.ipynb", _cells("%%time\n  %%claim\n1 < 2", "x = '''\n%%claim\n'''"), ["1 < 2"]),
    ("a.md", "1. ```{check}\n   1 < 2\n   ```\n", ["1 < 2"]),
    ("a.md", "``` {check}\n1 < 2\n```\n", ["1 < 2"]),
    # code in a list, code in a line and a longer end of code must not hide what follows
    ("a.md", "- ```python\n  1 + 1\n  ```\n\n```{check}\n1 < 2\n```\n", ["1 < 2"]),
    ("a.md", "* > ```{check}\n  > 1 < 2\n  > ```\n\n```{check}\n1 < 3\n```\n", ["1 < 2", "1 < 3"]),
    ("a.md", "```pip install it```\n\n```{check}\n1 < 2\n```\n", ["1 < 2"]),
    ("a.md", "```python\n1 + 1\n````\n\n```{check}\n1 < 2\n`````\n\nText\n", ["1 < 2"]),
    ("a.md", "  ```{check}\n  1 < 2\n```\n\n{claim}`a:b`\n", ["1 < 2", "a:b"]),
    ("a.md", "```{eval-rst}\n.. check::\n\n   1 < 2\n\nSo::\n\n   .. check::\n```\n", ["1 < 2"]),
    ("a.Rmd", "```{python, echo=FALSE}\n%%claim\n1 < 2\n```\n", ["1 < 2"]),
    ("a.markdown", "```{python r, echo=FALSE}\n%%derive\nx\n= x\n```\n", ["x\n= x"]),
    ("a.rst", ".. jupyter-execute::\n\n    %%claim\n    1 < 2\n", ["1 < 2"]),
    ("a.qmd", "```{python}\n#| label: one\n%%claim\n1 < 2\n```\n", ["1 < 2"]),
    ("a.rst", "* .. note::\n\n     .. check::\n\n        1 < 2\n", ["1 < 2"]),
    ("a.rst", ".. list-table::\n\n   * - .. check::\n\n          1 < 2\n     - b\n", ["1 < 2"]),
    ("a.rst", "..  check::\n\n    1 < 2\n", ["1 < 2"]),
    ("a.rst", "So::\n\n   .. check::\n\n      1 < 2\n\n.. claim:: a:b\n", ["a:b"]),
    ("a.rst", ".. code-block:: rst\n\n   :claim:`a:b`\n\n.. _goal:\n\n:claim:`c:d`\n", ["c:d"]),
    ("a.rst", ".. later: :claim:`a:b`\n   :claim:`c:d`\n\n.. note:: :claim:`e:f`\n", ["e:f"]),
    ("a.py", 'def f():\n    """.. check::\n\n        1 < 2\n    """\n', ["1 < 2"]),
    (
        "a.py",
        'def f():\n    """F.\n\n    Claims:\n        a:b\n        c:d, e:f\n\n    g:h\n    """',
        ["a:b", "c:d", "e:f"],
    ),
    ("a.py", 'x = 1\n"""Claims: a:b"""\n', ["a:b"]),
    # keys in a second line, in a second paragraph, below another underline
    ("a.py", 'def f():\n    """Claims: a:b,\n        c:d\n    e:f\n    """\n', ["a:b", "c:d"]),
    ("a.py", '"""F.\n\nClaims\n------\na:b\n\n* c:d\n\nText.\n"""\n', ["a:b", "c:d"]),
    ("a.py", '"""F.\n\nClaims:\n    a:b\n\n    c:d\n\n    Text.\n"""\n', ["a:b", "c:d"]),
    ("a.py", '"""F.\n\nClaims\n======\n\na:b\n"""\n', ["a:b"]),
    ("a.py", '"""F.\n\n```{check}\n1 < 2\n```\n"""\n', ["1 < 2"]),
    ("a.py", "# %%\n# %%claim\n# given: x > 0\n# x < 2\n\n# %%\nx = 1\n", ["given: x > 0\nx < 2"]),
    # as docutils and MyST take them
    ("a.rst", ".. Check ::\n\n   1 < 2\n", ["1 < 2"]),
    ("a.rst", "So `a:b`:claim:, and `c:d`:ref:.\n", ["a:b"]),
    ("a.md", "```{Check}\n1 < 2\n```\n\n{claim}``a:b``\n", ["1 < 2", "a:b"]),
    ("a.md", ":::{note} Code\n```{check}\n1 < 2\n```\n:::\n", ["1 < 2"]),
    (
        "a.md",
        "::::{note}\n```{eval-rst}\n.. check::\n\n   1 < 2\n```\n::::\n",
        ["1 < 2"],
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), FOUND)
def test_each_form_of_an_example_is_found(name, text, said):
    assert pytest_plugin.EXAMPLES.search(text)
    assert [one.text.strip() for one in found.examples(Path(name), text)] == said


def test_each_folder_has_modules_of_its_own(tmp_path):
    for name, slope in (("one", 1), ("two", 2)):
        home = tmp_path / name
        home.mkdir()
        (home / "helper.py").write_text(f"SLOPE = {slope}\n")
        text = CLAIMS.partition('@claim("slip")')[0].replace("+ t", "+ SLOPE * t")
        (home / f"claims_{name}.py").write_text(f"from helper import SLOPE\n{text}")
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert outcomes == {
        "one/claims_one.py::tangent": "passed",
        "two/claims_two.py::tangent": "failed",
    }
    assert "statement: exp(t) >= 1 + 2*t" in done.stdout


def test_copies_of_documents_that_builders_make_are_left_out(tmp_path):
    for name in ("a.md", "_build/html/_sources/a.md.txt", "jupyter_execute/a.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("```{check}\n1 < 2\n```\n")
    outcomes, _ = run(tmp_path, "--dpbook", ".")
    assert outcomes == {"a.md::check-1": "passed"}


def test_options_that_cannot_be_read_are_one_line(tmp_path):
    (tmp_path / "a.md").write_text("```{check}\n---\nexpect: [\n---\n1 < 2\n```\n")
    (tmp_path / "b.md").write_text("```{check}\n1 < 2\n```\n")
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert outcomes == {"a.md::document": "failed", "b.md::check-1": "passed"}
    assert "options between --- cannot be read: " in done.stdout
    assert "Traceback" not in done.stdout


def test_options_without_the_package_that_reads_them_are_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "yaml", None)
    text = "```{check}\n---\nexpect: refuted\n---\n1 > 2\n```\n"
    with pytest.raises(ValueError, match="pip install pyyaml$"):
        found.examples(Path("a.md"), text)


def test_code_with_a_syntax_error_fails_where_a_docstring_names_a_claim(tmp_path):
    (tmp_path / "package.py").write_text('"""Claims: a:b"""\ndef f(:\n')
    outcomes, done = run(tmp_path, "--dpbook", ".")
    assert outcomes == {"package.py::document": "failed"}
    assert "this is no Python: invalid syntax, line 2" in done.stdout


ONE = """from dpbook import claim, symbol
{begin}
t = symbol("t", above=0)
@claim("one")
def one():
    return t > 0
{end}
"""


@pytest.mark.parametrize("at", ["begin", "end"])
@pytest.mark.parametrize("fault", ["def f(:", "raise ValueError('no')"])
def test_a_fault_in_a_file_beside_the_claims_is_a_test_that_fails(at, fault, tmp_path):
    (tmp_path / "test_other.py").write_text("def test_other():\n    pass\n")
    (tmp_path / "helper.py").write_text(fault)
    lines = {"begin": "", "end": "", at: "import helper"}
    (tmp_path / "mine.py").write_text(ONE.format(**lines))
    topic = tmp_path / "tails"
    (topic / "claims").mkdir(parents=True)
    (topic / "__init__.py").write_text("")
    (topic / "claims" / "__init__.py").write_text("")
    (topic / "notation.py").write_text(fault)
    lines = {"begin": "", "end": "", at: "from tails import notation"}
    (topic / "claims" / "section_1.py").write_text(ONE.format(**lines))
    outcomes, done = run(tmp_path, "--dpbook", ".")
    failed = {name for name, outcome in outcomes.items() if outcome == "failed"}
    assert failed == {"mine.py::import", "tails/claims/section_1.py::import"}, done.stdout
