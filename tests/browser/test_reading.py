"""A chapter as JupyterLab shows it to a reader who runs nothing."""

import json
import os
import re
import time
from pathlib import Path

import pytest

from dpbook.teaching.chapters import derive, read_all, unexecuted

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
SECONDS = 120
HEADER = """\
---
jupytext:
  text_representation:
    format_name: myst
kernelspec:
  display_name: Python 3
  name: python3
---

"""
EVERYTHING = r"""
# Everything

```{prf:theorem} In a quote
:label: t
For $a +
b$ and a list

$$
\begin{aligned}
  a &= b \\
    &= c
\end{aligned}
$$ (eq-list)

- one: $x^2$
- two
```

```{prf:proof}
By {eq}`eq-list`.
```

$$
\sum_{k=1}^n k
  = \frac{n (n + 1)}{2}
$$

````{exercise} Nested
:label: e
Why {prf:ref}`t`?

```{tip}
Look at $x$.
```
````

```{solution} e
:class: dropdown
Because $$\int_0^1 x \, dx = \tfrac12.$$
```
"""
OPENED = """
const widget = window.jupyterapp && window.jupyterapp.shell.currentWidget;
return Boolean(widget && widget.sessionContext && widget.context.path === arguments[0]);
"""
READ = r"""
const [expected, done] = arguments;  // formulas in each cell
(async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready;
  const found = [];
  for (const [place, cell] of panel.content.widgets.entries()) {
    await panel.content.scrollToItem(place, 'center');
    const shown = {kind: cell.model.type, folded: [cell.inputHidden, cell.outputHidden]};
    found.push(shown);
    for (let i = 0; i < 400; i++) {  // until it is rendered and its maths typeset
      await new Promise(resolve => setTimeout(resolve, 50));
      const part = cell.node.querySelector('.jp-RenderedMarkdown');
      if (shown.kind !== 'markdown') {
        shown.text = cell.node.innerText;
        break;
      }
      if (!part) continue;
      for (const one of part.querySelectorAll('details')) shown.open = shown.open || one.open;
      const copy = part.cloneNode(true);
      for (const one of copy.querySelectorAll('mjx-container, code, pre')) one.remove();
      shown.text = copy.textContent;
      shown.maths = part.querySelectorAll('mjx-container').length;
      shown.wrong = part.querySelectorAll('mjx-merror, [data-mjx-error]').length;
      shown.folds = part.querySelectorAll('details > summary').length;
      shown.quotes = part.querySelectorAll('blockquote').length;
      if (shown.maths >= expected[place] && !shown.text.includes('$')) break;
    }
  }
  done(found);
})().catch(error => done(String(error)));
"""


def formulas(cell):
    """How many formulas a Markdown cell holds."""
    prose = re.sub(r"(`+).+?\1", "", "".join(cell["source"]), flags=re.S)
    return len(re.findall(r"\$\$.+?\$\$|\$[^$]+\$", prose, re.S))


def read(driver, lab, name, cells):
    """Every cell as it is shown."""
    address, _ = lab
    driver.get(f"{address}/lab/tree/{name}?reset")
    end = time.monotonic() + SECONDS
    while not driver.execute_script(OPENED, name):
        assert time.monotonic() < end, "the notebook did not open"
        time.sleep(0.1)
    expected = [formulas(cell) if cell["cell_type"] == "markdown" else 0 for cell in cells]
    found = driver.execute_async_script(READ, expected)
    assert isinstance(found, list), found
    return found


def assert_reads_well(cells, shown):
    assert [cell["cell_type"] for cell in cells] == [one["kind"] for one in shown]
    for cell, one in zip(cells, shown, strict=True):
        source = "".join(cell["source"])
        assert "model not found" not in one["text"]
        if cell["cell_type"] == "code":
            hidden = cell["metadata"].get("jupyter", {})
            assert one["folded"] == [bool(hidden.get(f"{k}_hidden")) for k in ("source", "outputs")]
            continue
        assert not re.search(r"`{3}|:::|\{[a-z]+\}|\$|^>|\\begin|\\tag", one["text"], re.M), one
        assert one["wrong"] == 0
        assert one["maths"] == formulas(cell), source
        assert one["folds"] == source.count("<summary>")
        assert not one.get("open"), "a solution is open"


# The others hold the same kinds of cells; .ci/full reads them all.
READ_HERE = NOTEBOOKS if "DPBOOK_EVERY_PAGE" in os.environ else NOTEBOOKS[::3]


@pytest.mark.parametrize("path", READ_HERE, ids=lambda path: path.stem)
def test_chapter_reads_well(driver, lab, path):
    name = f"reading_{path.name}"
    (lab[1] / name).write_bytes(path.read_bytes())
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert_reads_well(cells, read(driver, lab, name, cells))


def test_every_directive_reads_well(driver, lab, tmp_path):
    (tmp_path / "01_everything.md").write_text(HEADER + EVERYTHING, encoding="utf-8")
    chapters, index = read_all(tmp_path)
    chapter = chapters["01_everything"]
    made = unexecuted(chapter, derive(chapter, index))
    (lab[1] / "everything.ipynb").write_text(json.dumps(made), encoding="utf-8")
    shown = read(driver, lab, "everything.ipynb", made["cells"])
    assert_reads_well(made["cells"], shown)
    assert [one["quotes"] for one in shown] == [4, 0]
    assert [one["folds"] for one in shown] == [0, 1]
