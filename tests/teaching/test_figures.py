"""Pictures carry their words in three places, and every eye tells their lines apart."""

import ast
import base64
import io
import json
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from PIL import Image

from dpbook.langevin import Posterior, Setting
from dpbook.langevin.explorers import posterior_loss
from dpbook.teaching import figures

ROOT = Path(__file__).resolve().parents[2]
WORDS = 'A line from 0 to 2: "x ≤ 2 & y < 3", at 0.5.'


def a_figure():
    ax = figures.axes()
    ax.plot([0, 1], [0, 2], label="a line")
    ax.legend()
    return ax


# --- words ----------------------------------------------------------------------------------------


def test_words_stand_in_text_metadata_and_picture():
    data, metadata = figures.show(a_figure(), alt=WORDS)._repr_mimebundle_()
    assert data["text/plain"] == WORDS
    assert metadata["image/png"]["alt"] == WORDS
    assert figures.words_of(base64.b64decode(data["image/png"])) == WORDS


class Images(HTMLParser):
    def __init__(self):
        super().__init__()
        self.alts = []

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.alts.append(dict(attrs).get("alt"))


def test_words_of_text_picture_and_page_are_the_same(tmp_path):
    """A notebook with a picture, through MyST-NB as the book does it."""
    pytest.importorskip("myst_nb", reason="the book's extra is not installed")
    from sphinx.application import Sphinx

    result = Setting(n=100, alpha=1, beta=3, x_h=1.5, c=2).distribution(
        step=range(0, 501, 100), position=1
    )
    data, metadata = figures.show(result)._repr_mimebundle_()
    output = {
        "output_type": "execute_result",
        "execution_count": 1,
        "data": data,
        "metadata": metadata,
    }
    cell = {
        **{"cell_type": "code", "id": "a", "execution_count": 1, "metadata": {}},
        **{"source": "figures.show(result)", "outputs": [output]},
    }
    title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": "# A picture"}
    metadata = {"language_info": {"name": "python", "pygments_lexer": "ipython3"}}
    notebook = {"cells": [title, cell], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    source, out = tmp_path / "source", tmp_path / "out"
    source.mkdir()
    (source / "index.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    settings = {"extensions": ["myst_nb"], "nb_execution_mode": "off"}
    Sphinx(source, None, out, tmp_path / "trees", "html", settings, None, None).build()
    page = Images()
    page.feed((out / "index.html").read_text(encoding="utf-8"))
    copied = next((out / "_images").glob("*.png")).read_bytes()
    assert [result.describe()] == page.alts == [data["text/plain"]] == [figures.words_of(copied)]


def test_every_stored_picture_carries_its_words():
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for output in cell.get("outputs", ()):
                png = output.get("data", {}).get("image/png")
                if png is None:
                    continue
                text = "".join(output["data"]["text/plain"])
                words = figures.words_of(base64.b64decode("".join(png)))
                assert words == text == output["metadata"]["image/png"]["alt"] != "", path.name


def code_cells():
    jupytext = pytest.importorskip("jupytext", reason="jupytext is not installed")
    for path in sorted((ROOT / "chapters").glob("*_*.md")):
        for cell in jupytext.read(path).cells:
            if cell.cell_type == "code":
                yield path.name, cell.source


def test_no_chapter_types_the_words_of_a_picture_by_hand():
    for name, source in code_cells():
        if "%" in source[:1] or "alt=" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.keyword) and node.arg == "alt":
                assert not isinstance(node.value, ast.Constant), f"{name}: {ast.unparse(node)}"


def test_a_result_is_drawn_and_described():
    distribution = Posterior(1.0, 4.0)
    shown = figures.show(distribution)
    assert repr(shown) == distribution.describe() == figures.words_of(shown.png)
    assert figures.show(a_figure(), alt=distribution).alt == distribution.describe()
    assert figures.show(a_figure().figure, alt="x\n  y").alt == "x y"


def test_a_picture_without_words_is_refused():
    with pytest.raises(ValueError, match="alt must say what the picture shows, got nothing"):
        figures.show(a_figure())
    with pytest.raises(ValueError, match="got nothing"):
        figures.show(a_figure(), alt="  ")
    with pytest.raises(TypeError, match="a figure, axes or a result that plots, got 3"):
        figures.show(3, alt="three")


# --- style ------------------------------------------------------------------------------------------


def test_style_leaves_nothing_behind():
    before = dict(matplotlib.rcParams)
    open_figures = pyplot.get_fignums()
    figures.show(posterior_loss(20, 350, 100))
    with pytest.raises(ZeroDivisionError), figures.style():
        1 / 0  # noqa: B018
    assert dict(matplotlib.rcParams) == before
    assert pyplot.get_fignums() == open_figures


def test_style_does_not_depend_on_the_readers_settings():
    ours = figures.show(a_figure(), alt="x").png
    with matplotlib.rc_context({"lines.linewidth": 9, "font.size": 30, "axes.facecolor": "red"}):
        result = Posterior(1.0, 4.0)
        theirs = figures.show(result).png
    assert theirs == figures.show(result).png
    assert figures.show(a_figure(), alt="x").png == ours


def test_pictures_are_small_and_have_a_palette():
    png = figures.show(posterior_loss(20, 350, 100)).png
    with Image.open(io.BytesIO(png)) as image:
        assert image.mode == "P"
        assert image.width >= 850  # sharp on a fine screen
        assert set(image.info) <= {"dpi", figures.KEYWORD}  # no date, no version
    assert len(png) < 40_000


def test_a_figure_of_pyplot_is_shown_too():
    fig = Figure()
    fig.add_subplot().plot([1, 2])
    assert figures.show(fig, alt="from 1 to 2").alt == "from 1 to 2"


# --- colours ----------------------------------------------------------------------------------------

# Machado, Oliveira, Fernandes 2009, full severity, for linear RGB
EYES = {
    "normal": np.eye(3),
    "no red cones": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green cones": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue cones": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def linear(colour):
    c = np.asarray(to_rgb(colour))
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    x = XYZ @ np.clip(rgb, 0, 1) / [0.95047, 1, 1.08883]
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def distance(first, second, eye):
    """Distance of two colours as an eye sees them; 2.3 is just noticeable."""
    matrix = np.asarray(EYES[eye])
    return np.linalg.norm(lab(matrix @ linear(first)) - lab(matrix @ linear(second)))


@pytest.mark.parametrize("eye", EYES)
def test_every_eye_tells_the_colours_apart(eye):
    least = 9 if eye == "grey" else 25
    for first, second in combinations(figures.PALETTE, 2):
        assert distance(first, second, eye) > least, (first, second)
    for colour in figures.PALETTE:
        assert distance(colour, "white", eye) > 35, colour


def test_simulation_sees_what_is_known():
    """A red and a green that are confused, and a blue and a yellow that are not."""
    assert distance("#c8511b", "#7f7a00", "normal") > 40
    assert distance("#c8511b", "#7f7a00", "no green cones") < 15
    assert distance("#0072b2", "#f0e442", "no green cones") > 60


def test_lines_stand_out_from_the_page():
    for colour in figures.PALETTE:
        assert 1.05 / (linear(colour) @ [0.2126, 0.7152, 0.0722] + 0.05) > 3, colour  # WCAG 1.4.11


def test_line_styles_survive_without_colour():
    ax = figures.axes()
    with figures.style():
        lines = [ax.plot([0, 1], [0, k])[0] for k in range(len(figures.PALETTE))]
    assert [line.get_color() for line in lines] == list(figures.PALETTE)
    dashes = [str(line._unscaled_dash_pattern) for line in lines]
    assert len(set(dashes)) == len(figures.PALETTE)


def test_the_picture_keeps_the_colours_of_its_lines():
    ax = figures.axes()
    with figures.style():
        for k in range(len(figures.PALETTE)):
            ax.plot([0, 1], [k, k], linestyle="-", linewidth=6)
    for dpi, colours in ((figures.DPI, figures.COLOURS), (96, 32)):
        png = figures.picture(ax.get_figure(), "five lines", dpi=dpi, colours=colours).png
        with Image.open(io.BytesIO(png)) as image:
            pixels = np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)
        for colour in figures.PALETTE:
            wanted = np.array(to_rgb(colour)) * 255
            assert np.abs(pixels - wanted).max(axis=1).min() <= 2, colour


def labelled(xlabel, curve):
    ax = figures.axes()
    ax.plot([0, 1], [0, 2], label=curve)
    ax.set_xlabel(xlabel)
    ax.legend()
    return ax


@pytest.mark.parametrize(
    ("value", "shown"),
    [(1e-6, "10⁻⁶"), (1e-12, "10⁻¹²"), (1e4, "10⁴"), (2e-6, "2e-06"), (0.1, "0.1"), (0, "0")],
)
def test_power_of_ten_is_shown_with_its_exponent(value, shown):
    assert figures.power_of_ten(value) == shown


def test_names_are_drawn_as_the_letters_of_the_formulas_and_come_back():
    ax = labelled("epsilon at delta 0.1", "epsilon_n = n^-0.5")
    made = figures.show(ax, alt="A line.").png
    assert made == figures.show(labelled("ε at δ 0.1", "ε$_{n}$ = n^-0.5"), alt="A line.").png
    assert ax.get_xlabel() == "epsilon at delta 0.1"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["epsilon_n = n^-0.5"]
    for word in ("alphabet", "delta(x)", "Beta", "delta_dp"):  # no letter's name by itself
        assert figures._NAMES.search(word) is None


def test_tables_of_results_are_escaped_and_have_their_caption():
    facts = figures.html_facts([("a < b", "1 & 2", "x"), ("c", "3")], "P <= Q")
    assert facts == (
        "<table><caption>P &lt;= Q</caption><tr><th>a &lt; b</th><td>1 &amp; 2</td><td>x</td></tr>"
        "<tr><th>c</th><td>3</td></tr></table>"
    )
    rows = [{"d": 1, "share": 0.123456}]
    assert figures.html_table(rows, digits=3) == (
        "<table><tr><th>d</th><th>share</th></tr><tr><td>1</td><td>0.123</td></tr></table>"
    )
    assert figures.html_table(rows, caption="<d>").startswith("<table><caption>&lt;d&gt;</caption>")


@pytest.mark.parametrize("ax", [5, "axes", figures, [1.0] * 100])
def test_a_result_draws_into_axes_only(ax):
    class Line:
        @figures.drawing
        def plot(self, ax=None):
            ax = ax or figures.axes()
            ax.plot([0, 1])
            return ax

    with pytest.raises(
        TypeError, match=r"^ax must be axes of Matplotlib, or None .*, got .*axes\(\)"
    ):
        Line().plot(ax)
    axes = figures.axes()
    assert Line().plot(axes) is axes
    assert Line().plot().get_lines()[0].get_linewidth() == figures.RC["lines.linewidth"]
