"""Small chapters for the tests."""

from pathlib import Path

from dpbook.teaching import notebooks

HEADER = """\
---
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
BODY = """\
# Powers

Two times three is {math}`6`. Ask yourself first.

```{code-cell}
2 * 3
```

```{note}
Products are *associative*:

$$
a (b c)
  = (a b) c
$$ (eq-associative)
```

By {eq}`eq-associative` the order does not matter.

A paragraph that is plain.

```{exercise} A cube
:label: ex-cube

Put the cube of 2 into `answer`.
```

```{code-cell}
:tags: [answer]

answer = 0
```

```{code-cell}
:tags: [check]

answer == 2**3
```

```{solution-start} ex-cube
:class: dropdown
```

Multiply three times.

```{code-cell}
answer = 2 * 2 * 2
```

```{solution-end}
```

The end.
"""


class Shelf:
    """Two folders, as in the project."""

    def __init__(self, folder: Path):
        self.chapters = folder / "chapters"
        self.notebooks = folder / "notebooks"
        self.chapters.mkdir(parents=True)
        self.said = []

    def write(self, body, name="01_powers", header=HEADER):
        path = self.chapters / f"{name}.md"
        path.write_text(header + body, encoding="utf-8")
        return path

    def build(self, *names, **options):
        self.said.clear()
        return notebooks.build(
            self.chapters, self.notebooks, names, say=self.said.append, **options
        )

    def findings(self):
        return notebooks.findings(self.chapters, self.notebooks)

    def notebook(self, name="01_powers"):
        return self.notebooks / f"{name}.ipynb"
