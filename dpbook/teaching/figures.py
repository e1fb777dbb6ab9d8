"""Figures: one style, colours that every eye tells apart, and words computed from the data.

A figure is shown as an object whose words stand in three places: in ``text/plain``, where nbval
compares them, in the picture's own metadata, and in the metadata of the output, from which the
book makes ``<img alt>``.
"""

from __future__ import annotations

import base64
import html
import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.rcsetup import cycler
from matplotlib.text import Text
from PIL import Image
from PIL.PngImagePlugin import PngInfo

PALETTE = ("#332288", "#ee6677", "#8c4a00", "#4477aa", "#000000")
"""Far apart for normal sight, for each of the three kinds of colour blindness, and in grey."""
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 2)),
    (0, (6, 2, 1, 2)),
    (0, (1, 1.5)),
    (0, (9, 2, 1, 2, 1, 2)),
)
"""One for each colour, so that curves are told apart also without any."""

DPI = 144
WIDTH, HEIGHT = 6.2, 3.6
GREEK = {
    **{"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "eta": "η"},
    **{"theta": "θ", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "pi": "π", "rho": "ρ"},
    **{"sigma": "σ", "tau": "τ", "phi": "φ", "psi": "ψ", "omega": "ω"},
}
"""What stands in a picture for a name, as in the formulas beside it."""
_NAMES = re.compile(rf"\b({'|'.join(GREEK)})(?:_([a-z0-9]))?(?![\w(])")
COLOURS = 64  # of a picture's palette: lines, their soft edges and the text need no more
KEYWORD = "Description"  # the PNG standard's own keyword for words about a picture

RC: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.prop_cycle": cycler(color=PALETTE, linestyle=DASHES),
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.dpi": DPI,
    "figure.facecolor": "white",
    "font.size": 10.0,
    "grid.color": "#d8d8d8",
    "grid.linewidth": 0.6,
    "legend.fontsize": 9.0,
    "legend.framealpha": 1.0,
    "legend.frameon": False,
    "legend.handlelength": 3.4,
    "lines.linewidth": 1.8,
    "savefig.dpi": DPI,
}


Drawing = TypeVar("Drawing", bound=Callable[..., Axes])  # a method that draws into axes


@runtime_checkable
class Describable(Protocol):
    """Be anything that describes itself in words."""

    def describe(self) -> str:
        """Return the words for the picture."""


class Result(Describable, Protocol):
    """Be anything that draws itself, and describes the picture in words."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw into axes, or into new ones."""


@contextmanager
def style() -> Iterator[None]:
    """Draw in the book's style; the user's own settings come back at the end."""
    with matplotlib.style.context(["default", RC]):
        yield


def drawing(plot: Drawing) -> Drawing:
    """Give a method that draws the book's style; it refuses `ax` that is neither axes nor None."""

    @wraps(plot)
    def drawn(self: Any, ax: Axes | None = None, *args: Any, **options: Any) -> Axes:
        if not isinstance(ax, Axes | None):
            raise TypeError(
                f"ax must be axes of Matplotlib, or None for a new figure, got {ax!r:.60}; "
                "dpbook.axes() makes some"
            )
        with style():
            return plot(self, ax, *args, **options)

    return cast(Drawing, drawn)


@style()
def axes(width: float = WIDTH, height: float = HEIGHT) -> Axes:
    """Return the axes of a new figure in the book's style.

    The figure belongs to nobody else: pyplot does not know it, so nothing is left open.

    Parameters
    ----------
    width, height : float
        In inches.
    """
    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()


@dataclass(frozen=True)
class Picture:
    """A picture with the words for it; the last line of a cell shows it.

    Attributes
    ----------
    png : bytes
        With the words under the keyword ``Description``.
    alt : str
    width, height : int
        Of the picture on the page, in CSS pixels; it has half as many pixels again.
    """

    png: bytes
    alt: str
    width: int
    height: int

    def __repr__(self) -> str:
        return self.alt

    @property
    def data_uri(self) -> str:
        """The picture as an address that holds it."""
        return "data:image/png;base64," + base64.b64encode(self.png).decode()

    def _repr_mimebundle_(
        self, include: Any = None, exclude: Any = None
    ) -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
        data = {"image/png": base64.b64encode(self.png).decode(), "text/plain": self.alt}
        size = {"width": self.width, "height": self.height}
        return data, {"image/png": {"alt": self.alt, **size}}


def show(thing: Figure | Axes | Result, alt: str | Describable | None = None) -> Picture:
    """Make a picture that carries its words.

    Parameters
    ----------
    thing : Figure, Axes, or a result with ``plot`` and ``describe``
        What is shown. A result is drawn here.
    alt : str, or a result with ``describe``
        What the picture says, computed from its data. Of a result shown it is its own words.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        When there are no words.
    TypeError
        When `thing` is none of these.

    Examples
    --------
    >>> ax = axes()
    >>> lines = ax.plot([0, 1], [0, 2])
    >>> show(ax, alt="A line that rises from 0 to 2.")
    A line that rises from 0 to 2.
    """
    if alt is None and isinstance(thing, Describable):
        alt = thing
    if isinstance(thing, Figure):
        figure = thing
    elif isinstance(thing, Axes):
        figure = thing.get_figure(root=True)  # type: ignore[assignment]
    elif callable(getattr(thing, "plot", None)):
        figure = thing.plot().get_figure(root=True)  # type: ignore[assignment]
    else:
        raise TypeError(f"show needs a figure, axes or a result that plots, got {thing!r}")
    return picture(figure, alt)


def picture(
    figure: Figure, alt: str | Describable | None, *, dpi: float = DPI, colours: int = COLOURS
) -> Picture:
    """Draw a figure as a small PNG with a palette; the same figure gives the same bytes."""
    words = " ".join((alt.describe() if isinstance(alt, Describable) else alt or "").split())
    if not words:
        raise ValueError(
            "alt must say what the picture shows, got nothing; pass the result's describe()"
        )
    drawn = io.BytesIO()
    with style(), _lettered(figure):
        # without the version of Matplotlib, which would change the bytes
        figure.savefig(drawn, format="png", dpi=dpi, metadata={"Software": None})
    drawn.seek(0)
    with Image.open(drawn) as image:
        size = image.size
        # octrees keep the colours of the lines as they are; the median cut mixes them with grey
        small = image.convert("RGB").quantize(
            colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    info = PngInfo()
    info.add_text(KEYWORD, words)
    out = io.BytesIO()
    small.save(out, format="png", optimize=True, pnginfo=info)
    shown = 96 / dpi
    return Picture(out.getvalue(), words, round(size[0] * shown), round(size[1] * shown))


RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value: float) -> str:
    """Return a number for a label: 10⁻⁶ for 1e-06, other numbers as they are.

    Examples
    --------
    >>> power_of_ten(1e-06), power_of_ten(0.05)
    ('10⁻⁶', '0.05')
    """
    exponent = round(math.log10(value)) if value > 0 else 0
    if abs(exponent) < 3 or value != float(f"1e{exponent}"):
        return f"{value:g}"
    return f"10{str(exponent).translate(RAISED)}"


def _letter(found: re.Match[str]) -> str:
    letter, below = GREEK[found[1]], found[2]
    return f"{letter}$_{{{below}}}$" if below else letter


@contextmanager
def _lettered(figure: Figure) -> Iterator[None]:
    """Draw Greek letters for their names; the texts of the figure come back at the end."""
    texts = [one for one in figure.findobj(Text) if isinstance(one, Text)]
    before = [(one, one.get_text()) for one in texts]
    for one, words in before:
        if "$" not in words and _NAMES.search(words):
            one.set_text(_NAMES.sub(_letter, words))
    try:
        yield
    finally:
        for one, words in before:
            one.set_text(words)


def html_table(rows: Sequence[Mapping[str, Any]], digits: int = 4, caption: str = "") -> str:
    """Return rows with the same names as a table, for the `_repr_html_` of a result.

    Parameters
    ----------
    rows : sequence of mapping of str to value
        At least one.
    digits : int
        Significant digits of a number that is no integer.
    caption : str
        Above the table.
    """

    def line(kind: str, cells: Iterable[Any]) -> str:
        shown = (f"{v:.{digits}g}" if isinstance(v, float) else str(v) for v in cells)
        return "".join(f"<{kind}>{html.escape(one)}</{kind}>" for one in shown)

    body = "".join(f"<tr>{line('td', row.values())}</tr>" for row in rows)
    return f"<table>{_caption(caption)}<tr>{line('th', rows[0])}</tr>{body}</table>"


def html_facts(facts: Iterable[Sequence[str]], caption: str = "") -> str:
    """Return the description of a result as a table: in each row a name and its meaning.

    Parameters
    ----------
    facts : iterable of sequence of str
        The first of each is the name.
    caption : str
        Above the table.
    """
    rows = (
        f"<tr><th>{html.escape(name)}</th>"
        + "".join(f"<td>{html.escape(one)}</td>" for one in said)
        + "</tr>"
        for name, *said in facts
    )
    return f"<table>{_caption(caption)}{''.join(rows)}</table>"


def _caption(words: str) -> str:
    return f"<caption>{html.escape(words)}</caption>" if words else ""


def words_of(png: bytes) -> str:
    """Return the words in a picture's metadata, or an empty string."""
    with Image.open(io.BytesIO(png)) as image:
        image.load()
        texts: Mapping[str, Any] = getattr(image, "text", {})
        return str(texts.get(KEYWORD, ""))
