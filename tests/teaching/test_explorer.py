"""Explorers: a frame is what the live callback gives, and the page needs no kernel."""

import base64
import configparser
import io
import re
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from PIL import Image

from dpbook.langevin.explorers import loss_explorer, posterior_loss
from dpbook.teaching import figures
from dpbook.teaching.explorer import MOST_FRAMES, Explorer, choice, slider

ROOT = Path(__file__).resolve().parents[2]


class Square:
    """The smallest result: words and a table, no picture."""

    def __init__(self, side, unit):
        if side < 0:
            raise ValueError(f"side must be >= 0, got {side}")
        self.side, self.unit = side, unit

    def describe(self):
        return f"A square of side {self.side} {self.unit} & area {self.side**2} < 99."

    def _repr_html_(self):
        return f"<table><tr><td>{self.side**2}</td></tr></table>"


def squares(
    frames=({"side": 1, "unit": "m"}, {"side": 3, "unit": "cm"}, {"side": -1, "unit": "m"}),
):
    controls = {"side": slider("side", (-1, 1, 2, 3)), "unit": choice("unit", ("m", "cm"))}
    return Explorer(Square, controls, frames, title="Squares")


@pytest.fixture(scope="module")
def langevin():
    return loss_explorer()


class Said(Square):
    """A result that is shown as its words."""

    def _repr_html_(self):
        return f"<p>{escape(self.describe())}</p>"


def test_words_are_shown_once():
    for result in (Square, Said):
        explorer = squares()
        explorer.function = result
        assert explorer.view({"side": 3, "unit": "m"}).count("A square of side 3 m") == 1


@pytest.mark.parametrize("which", ["squares", "langevin"])
def test_each_frame_is_what_the_live_callback_gives(which, langevin):
    explorer = squares() if which == "squares" else langevin
    page = explorer.static()
    for frame in reversed(explorer.frames):
        explorer.set(**frame)
        assert explorer.values == frame
        assert explorer.shown in page


def test_a_control_changes_picture_and_numbers(langevin):
    langevin.set(**langevin.frames[0])
    before = langevin.shown
    langevin.set(n=1000)
    after = langevin.shown
    sources = [re.search(r'src="([^"]+)"', text)[1] for text in (before, after)]
    tables = [text[text.index("<table>") :] for text in (before, after)]
    assert sources[0] != sources[1]
    assert tables[0] != tables[1]
    values = langevin.values
    assert posterior_loss(**values).describe() in unescape(after)
    assert posterior_loss(**values)._repr_html_() in after


def test_a_value_that_the_function_refuses_is_shown_in_words():
    explorer = squares()
    explorer.set(side=-1)
    assert explorer.shown == "<p>side must be &gt;= 0, got -1</p>"
    assert "side -1, unit m: side must be >= 0, got -1" in repr(explorer)


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))


def test_frames_open_without_script_style_or_network(langevin):
    page = Tags()
    page.feed(langevin.static())
    details = [attributes for tag, attributes in page.tags if tag == "details"]
    assert len(details) == len(langevin.frames) <= MOST_FRAMES
    assert len({attributes["name"] for attributes in details}) == 1  # one is open at a time
    assert ["open" in attributes for attributes in details] == [True] + [False] * (len(details) - 1)
    assert not {tag for tag, _ in page.tags} & {"script", "style", "input", "link", "iframe"}
    for tag, attributes in page.tags:
        if tag == "img":
            assert attributes["src"].startswith("data:image/png;base64,")
            png = base64.b64decode(attributes["src"].partition(",")[2])
            assert figures.words_of(png) == attributes["alt"]
            with Image.open(io.BytesIO(png)) as image:
                assert image.mode == "P"
                assert (str(image.width), str(image.height)) == (
                    attributes["width"],
                    attributes["height"],
                )
    assert len(langevin.static()) < 200_000


def test_hiding_the_pixels_hides_no_number(langevin):
    """What nbval compares after the pixels are left out still holds every number of every frame."""
    rules = configparser.ConfigParser()
    rules.read(ROOT / ".ci" / "nbval.ini")
    bare = langevin.static()
    for rule in rules.sections():
        bare = re.sub(rules[rule]["regex"], rules[rule]["replace"], bare)
    assert "base64" not in bare
    text = unescape(bare)
    plain = langevin._repr_mimebundle_()["text/plain"]
    for frame in langevin.frames:
        result = posterior_loss(**frame)
        assert result.describe() in text
        assert result.describe() in plain
        assert result._repr_html_() in bare


def test_an_explorer_shows_itself_in_three_ways(langevin):
    data = langevin._repr_mimebundle_()
    view = data["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == langevin.widget.model_id
    assert data["text/html"] == langevin.static()
    assert data["text/plain"] == repr(langevin)
    assert loss_explorer().view(langevin.frames[0]) in langevin.static()  # the same bytes each time


def test_no_output_widget_is_used(langevin):
    kinds = {type(part).__name__ for part in langevin.widget.children}
    assert kinds == {"SelectionSlider", "Dropdown", "HTML"}


@pytest.mark.parametrize(
    ("frames", "message"),
    [
        ([], "frames must hold 1 to 24 settings, got 0"),
        ([{"side": 1, "unit": "m"}] * 25, "frames must hold 1 to 24 settings, got 25"),
        ([{"side": 1}], "a frame gives side, unit a value each"),
        ([{"side": 7, "unit": "m"}], "side of a frame must be one of -1, 1, 2, 3, got 7"),
    ],
)
def test_unusable_frames_are_refused(frames, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        squares(frames)


def test_result_at_some_values():
    assert squares().at(side=2).describe() == "A square of side 2 m & area 4 < 99."
    assert squares().values == {"side": 1, "unit": "m"}
