"""A small start of a topic or of a file of claims, which verifies as it is written."""

from __future__ import annotations

import sys
from pathlib import Path

from dpbook.engine.claims import record, topics

TWO = '''@claim("eq-1", place="equation (1)", fault="error", effect="the bound holds without the factor 2")
def as_printed():
    """The exponential lies above a line of slope 2."""
    return exp(t) >= 1 + 2 * t


@claim("eq-1-corrected", place="equation (1)", corrects=["eq-1"], why="the slope is 1 and not 2")
def repaired():
    """The exponential lies above its tangent at 0."""
    return exp(t) >= 1 + t
'''

CLAIMS = (
    '''"""Claims of NAME; dpbook verify NAME.py decides them."""

from sympy import exp

from dpbook import claim, symbol

t = symbol("t", above=0, meaning="a positive number")


'''
    + TWO
)

TOPIC = {
    "__init__.py": '"""The topic NAME: its claims, its exercises, its chapters."""\n',
    "notation.py": '''"""Symbols of NAME."""

from dpbook import symbol

t = symbol("t", above=0, meaning="a positive number")
''',
    "claims/__init__.py": '''"""What the source says, section by section."""

from dpbook import Source

SOURCE = Source("Author: Title", version="1")
''',
    "claims/section_1.py": '''"""The exponential function."""

from sympy import exp

from MODULE.notation import t
from dpbook import claim


'''
    + TWO,
    "exercises.py": '''"""Exercises of NAME: what is asked, and how it is decided."""

from sympy import exp

from MODULE.notation import t
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Formula

exercise(
    "NAME:slope",
    Formula(
        question="What is the slope of exp at t?",
        hints=("The exponential is its own derivative.",),
        solution=lambda: exp(t),
        symbols=lambda: [t],
    ),
)
''',
    "chapters/01_NAME.md": """---
jupytext:
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3
  language: python
  name: python3
---

# A line below the exponential

```{code-cell}
from dpbook import exercises, ledger
```

The print has a slip:

```{code-cell}
ledger["NAME:eq-1"]
```

```{exercise} The slope
:label: ex-slope

What is the slope of $e^t$ at $t$?
```

```{code-cell}
:tags: [answer]

slope = "t"
```

```{code-cell}
:tags: [check]

exercises.check("NAME:slope", slope)
```

```{solution-start} ex-slope
```

```{code-cell}
slope = "exp(t)"
```

```{solution-end}
```
""",
}


def claims(path: Path) -> list[str]:
    """Write a file of two claims; return the lines that say what to do next.

    Raises
    ------
    ValueError
        When the path is there already, or can be no file of claims.
    """
    if path.suffix != ".py":
        raise ValueError(f"claims stand in a FILE.py, got {path}")
    _refuse_taken(path)
    if not path.stem.isidentifier():
        raise ValueError(f"{path.name} is no Python module; write it with letters, digits and _")
    if path.stem in sys.stdlib_module_names:
        raise ValueError(
            f"{path.name} would hide Python's own module {path.stem}; name another one"
        )
    _write(path, CLAIMS.replace("NAME", path.stem))
    if refused := _unfit(path):
        path.unlink()
        raise ValueError(refused)
    return [f"{path} has two claims; decide them: dpbook verify {path}"]


def topic(path: Path) -> list[str]:
    """Write a folder with a topic; return the lines that say what to do next.

    Raises
    ------
    ValueError
        When the path is there already, or its name can be none of a topic.
    """
    _refuse_taken(path)
    name = path.name
    if not (name.isidentifier() and name.isascii() and name.islower()):
        raise ValueError(
            f"the name of a topic is small letters, digits and _, as in my_topic, got {name}"
        )
    if name in record.topics() or topics.other_module(name, path.resolve()):
        raise ValueError(f"Python or the book has a module {name} already; take another name")
    module = topics.module_at(path.resolve())
    for file, text in TOPIC.items():
        made = text.replace("MODULE", module).replace("NAME", name)
        _write(path / file.replace("NAME", name), made)
    said = [
        f"{path} has claims, an exercise and a chapter; decide the claims: dpbook verify {path}",
        f"put them on record: dpbook verify {path} --record",
    ]
    if path.resolve().parent == record.PACKAGE:  # a topic of the book
        return said
    return [
        *said,
        "for others to install it, its pyproject.toml names it:",
        f'  [project.entry-points."{topics.GROUP}"]',
        f'  {name} = "{module}"',
        "and takes the files of the record and of the chapters into the package",
    ]


def _refuse_taken(path: Path) -> None:
    if path.exists():
        raise ValueError(f"{path} is there already; name another one")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"there is no folder {path.parent} to write {path.name} to")


def _unfit(path: Path) -> str:
    try:
        topics.at(path)
    except topics.NoTopic as error:
        return str(error)
    return ""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
