"""The live explorer in JupyterLab: a slider moves, and picture and numbers follow."""

import base64
import os
import time
from html import unescape

import pytest

from dpbook.langevin import Posterior
from dpbook.langevin.explorers import loss_explorer, posterior_loss
from dpbook.teaching import figures

SECONDS = 120
CSS = "css selector"  # Selenium's words: this file can be read where Selenium is not installed
ARROW_RIGHT = "\ue014"
OPENED = """
const widget = window.jupyterapp && window.jupyterapp.shell.currentWidget;
return Boolean(widget && widget.sessionContext && widget.content && widget.content.widgets);
"""
RUN = """
const [id, done] = arguments;
(async () => {
  const panel = window.jupyterapp.shell.currentWidget;
  await panel.context.ready;
  await panel.sessionContext.ready;
  const ran = await window.jupyterapp.commands.execute('notebook:run-all-cells');
  const place = panel.content.widgets.findIndex(cell => cell.model.id === id);
  panel.content.activeCellIndex = place;
  await panel.content.scrollToItem(place, 'center');
  const cells = panel.content.model.cells;
  const states = [];
  for (let i = 0; i < cells.length; i++) {
    const outputs = cells.get(i).toJSON().outputs;
    states.push([cells.get(i).executionCount, outputs.map(output => output.output_type)]);
  }
  done([ran, states]);
})().catch(error => done([String(error), []]));
"""
# The picture and the numbers are read at one moment: each change makes new elements.
SEEN = """
const output = document.querySelector('.jp-Cell.jp-mod-active .jp-OutputArea');
const image = output && output.querySelector('.widget-html-content img');
const table = output && output.querySelector('.widget-html-content table');
if (!image || !table || !image.complete || !image.naturalWidth) return null;
return {src: image.src, alt: image.alt, width: image.naturalWidth, table: table.innerText,
        readouts: [...output.querySelectorAll('.widget-readout')].map(e => e.innerText)};
"""


def until(driver, condition, what):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = condition(driver)
        if found:
            return found
        time.sleep(0.1)
    keep(driver, "failed")
    return pytest.fail(what, pytrace=False)


def opened(driver, address):
    driver.get(address)
    until(driver, lambda d: d.execute_script(OPENED), "the notebook did not open")


def keep(driver, name):
    """Keep a picture of the screen where somebody asked for it."""
    folder = os.environ.get("DPBOOK_SCREENSHOTS")
    if folder:
        driver.save_screenshot(os.path.join(folder, f"{name}.png"))


def test_moving_a_slider_changes_the_picture_and_the_numbers(driver, notebook):
    address = notebook(
        "explorer.ipynb",
        "from dpbook.langevin.explorers import loss_explorer",
        "loss_explorer()",
    )
    opened(driver, address)
    ran, states = driver.execute_async_script(RUN, "cell-1")
    assert ran is True
    assert [count for count, _ in states] == [1, 2]
    assert not [kinds for _, kinds in states if "error" in kinds]

    values = loss_explorer().frames[0]
    before = until(driver, lambda d: d.execute_script(SEEN), "the explorer did not appear")
    agrees(before, values)
    keep(driver, "before")

    records = loss_explorer().controls["n"].values
    handle = driver.find_elements(CSS, ".jp-Cell.jp-mod-active .noUi-handle")[1]
    handle.send_keys(ARROW_RIGHT)
    values = {**values, "n": records[records.index(values["n"]) + 1]}
    words = posterior_loss(**values).describe()
    after = until(driver, lambda d: changed(d, words), "the slider moved, and nothing changed")
    agrees(after, values)
    assert after["src"] != before["src"]
    assert after["table"] != before["table"]
    assert after["readouts"] != before["readouts"]
    keep(driver, "after")

    driver.find_elements(CSS, ".jp-Cell.jp-mod-active select option")[1].click()
    values = {**values, "over": "order"}
    words = posterior_loss(**values).describe()
    last = until(driver, lambda d: changed(d, words), "the drop-down changed nothing")
    agrees(last, values)
    assert last["src"] != after["src"]


def changed(driver, words):
    seen = driver.execute_script(SEEN)
    return seen if seen and seen["alt"] == words else None


def agrees(seen, values):
    """What is on the screen is what the function gives in this process, to the byte."""
    result = posterior_loss(**values)
    assert seen["alt"] == result.describe()
    png = base64.b64decode(seen["src"].partition(",")[2])
    assert figures.words_of(png) == seen["alt"]
    assert unescape(loss_explorer().view(values)).count(seen["src"]) == 1
    assert f"{result.exact[result.place]:.6g}" in seen["table"]


STATIC = """
const output = document.querySelector('.jp-Cell .jp-OutputArea-output');
if (!output) return null;
const details = [...output.querySelectorAll('details')];
const images = [...output.querySelectorAll('img')];
if (!details.length || !images.every(image => image.complete && image.naturalWidth)) return null;
return {open: details.map(d => d.open), heads: details.map(d => d.querySelector('summary').innerText),
        alts: images.map(image => image.alt), tables: output.querySelectorAll('table').length,
        shown: images.map(image => image.checkVisibility()), sliders:
        document.querySelectorAll('.noUi-handle').length, text: output.innerText};
"""


def test_frames_are_there_without_a_kernel(driver, notebook):
    """A stored notebook that is opened and not run, and not trusted: the sanitiser is at work."""
    explorer = loss_explorer()
    data = explorer._repr_mimebundle_()
    stored = {
        "output_type": "execute_result",
        "execution_count": 1,
        "data": {kind: data[kind] for kind in ("text/html", "text/plain")},
        "metadata": {},
    }
    opened(driver, notebook("stored.ipynb", "loss_explorer()", outputs=[stored]))
    seen = until(driver, lambda d: d.execute_script(STATIC), "no frame appeared")
    assert seen["sliders"] == 0
    assert seen["open"] == [True] + [False] * (len(explorer.frames) - 1)
    assert seen["heads"] == [explorer.label(frame) for frame in explorer.frames]
    assert seen["alts"] == [explorer.words(frame) for frame in explorer.frames]
    assert seen["tables"] == len(explorer.frames)
    assert seen["shown"] == seen["open"]

    driver.find_elements(CSS, ".jp-OutputArea-output summary")[1].click()
    seen = until(driver, lambda d: d.execute_script(STATIC), "the frame did not open")
    assert seen["shown"][1]
    keep(driver, "static")


def test_a_picture_brings_its_words_into_the_page(driver, notebook):
    """Inside the picture: JupyterLab itself gives no picture an alt (4.6), the book does."""
    source = "from dpbook.teaching import figures\nfrom dpbook.langevin import Posterior\n"
    address = notebook("picture.ipynb", source + "figures.show(Posterior(1.0, 4.0))")
    opened(driver, address)
    ran, states = driver.execute_async_script(RUN, "cell-0")
    assert ran is True
    script = "const i = document.querySelector('.jp-OutputArea-output img'); return i && i.src"
    src = until(driver, lambda d: d.execute_script(script), "no picture appeared")
    words = figures.words_of(base64.b64decode(src.partition(",")[2]))
    assert words == Posterior(1.0, 4.0).describe()
    keep(driver, "picture")
