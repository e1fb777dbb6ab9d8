"""Explorers: sliders beside a picture and its numbers, and frames of it where no kernel runs.

An explorer shows itself in three ways at once. Where a kernel runs there are controls, and what
they change is computed. Everywhere else, in the book, in an exported page, in a code host's
viewer, there are chosen frames to open, each the same as the live picture at its values. As text
there are the numbers of the frames.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ipywidgets

from dpbook.teaching import figures
from dpbook.teaching.figures import Describable, Picture

MOST_FRAMES = 24
DPI = 96
COLOURS = 32  # of a frame: a dozen frames of 8 kB do not make a notebook heavy


@dataclass(frozen=True)
class Control:
    """Offer the reader a list of values to choose from.

    Attributes
    ----------
    label : str
    values : tuple
    kind : {"slider", "choice"}
    shown : function
        How a value is written.
    """

    label: str
    values: tuple[Any, ...]
    kind: str = "slider"
    shown: Callable[[Any], str] = field(default=str, compare=False)

    def widget(self, value: Any) -> Any:
        """Return the control set to a value."""
        kind = ipywidgets.SelectionSlider if self.kind == "slider" else ipywidgets.Dropdown
        return kind(
            options=[(self.shown(v), v) for v in self.values],
            value=value,
            description=self.label,
            style={"description_width": "9em"},
            layout={"width": "30em"},
        )


def number(value: Any) -> str:
    """Write a number shortly, with a thin space between thousands."""
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    return f"{value:g}"


def slider(label: str, values: Sequence[Any], shown: Callable[[Any], str] = number) -> Control:
    """Make a slider over values in their order."""
    return Control(label, tuple(values), "slider", shown)


def choice(label: str, values: Sequence[Any], shown: Callable[[Any], str] = str) -> Control:
    """Make a drop-down list."""
    return Control(label, tuple(values), "choice", shown)


class Explorer:
    """A function of a few controlled values, to be played with.

    Parameters
    ----------
    function : callable
        Takes the values by name; returns a result that says what it is (``describe``), and may
        draw itself (``plot``) or hold a table (``_repr_html_``). A `ValueError` is shown in words.
    controls : dict
        The control of each of its parameters.
    frames : list of dict
        The values of the frames, at most 24; the first is also where the controls start.
    title : str
        What is explored.

    Raises
    ------
    ValueError
        When there is no frame or there are too many, or one names a value that no control has.
    """

    def __init__(
        self,
        function: Callable[..., Describable],
        controls: Mapping[str, Control],
        frames: Sequence[Mapping[str, Any]],
        title: str,
    ) -> None:
        if not 1 <= len(frames) <= MOST_FRAMES:
            raise ValueError(
                f"frames must hold 1 to {MOST_FRAMES} settings, got {len(frames)}; "
                "choose those that teach something"
            )
        for frame in frames:
            if set(frame) != set(controls):
                raise ValueError(
                    f"a frame gives {', '.join(controls)} a value each, got {dict(frame)}"
                )
            for name, value in frame.items():
                if value not in controls[name].values:
                    allowed = ", ".join(map(str, controls[name].values))
                    raise ValueError(f"{name} of a frame must be one of {allowed}, got {value}")
        self.function = function
        self.controls = dict(controls)
        self.frames = [{name: frame[name] for name in controls} for frame in frames]
        self.title = title
        self._widget: Any = None
        self._handles: dict[str, Any] = {}
        self._static: str | None = None

    def __repr__(self) -> str:
        return self._text()

    # --- what is seen at some values ---------------------------------------------------------------

    def at(self, **values: Any) -> Describable:
        """Return the function's result at some values; values left out are as in the first frame."""
        return self.function(**{**self.frames[0], **values})

    def words(self, values: Mapping[str, Any]) -> str:
        """Return what there is to see at some values, as text."""
        try:
            return " ".join(self.function(**values).describe().split())
        except ValueError as error:
            return str(error)

    def view(self, values: Mapping[str, Any]) -> str:
        """Return what there is to see at some values: picture, words and numbers."""
        try:
            result = self.function(**values)
            picture = self._picture(result)
        except ValueError as error:
            return f"<p>{html.escape(str(error))}</p>"
        words = html.escape(" ".join(result.describe().split()))
        table = result._repr_html_() if hasattr(result, "_repr_html_") else ""
        told = " ".join(re.sub(r"<[^>]+>", " ", table).split())
        said = "" if words in told else f"<p>{words}</p>"  # most results are shown as their words
        image = ""
        if picture is not None:
            image = (
                f'<p><img alt="{html.escape(picture.alt)}" src="{picture.data_uri}" '
                f'width="{picture.width}" height="{picture.height}"></p>'
            )
        return f"<div>{image}{said}{table}</div>"

    def _picture(self, result: Any) -> Picture | None:
        if not callable(getattr(result, "plot", None)):
            return None
        figure = result.plot().get_figure(root=True)
        return figures.picture(figure, result, dpi=DPI, colours=COLOURS)

    def label(self, values: Mapping[str, Any]) -> str:
        """Return the values in words."""
        return ", ".join(f"{c.label} {c.shown(values[name])}" for name, c in self.controls.items())

    # --- where a kernel runs -------------------------------------------------------------------------

    @property
    def widget(self) -> Any:
        """Show the controls above the result."""
        if self._widget is None:
            self._handles = {
                name: control.widget(self.frames[0][name])
                for name, control in self.controls.items()
            }
            self._below = ipywidgets.HTML(self.view(self.frames[0]))
            for handle in self._handles.values():
                handle.observe(self._changed, names="value")
            self._widget = ipywidgets.VBox([*self._handles.values(), self._below])
        return self._widget

    @property
    def values(self) -> dict[str, Any]:
        """Return the values of the controls."""
        if not self._handles:
            return dict(self.frames[0])
        return {name: handle.value for name, handle in self._handles.items()}

    @property
    def shown(self) -> str:
        """The HTML that stands below the controls."""
        return str(self.widget.children[-1].value)

    def set(self, **values: Any) -> None:
        """Move the controls, as the reader would."""
        assert self.widget
        for name, value in values.items():
            self._handles[name].value = value

    def _changed(self, change: Any) -> None:
        self._below.value = self.view(self.values)

    # --- where none runs -----------------------------------------------------------------------------

    def static(self) -> str:
        """Return the frames as HTML that opens without a script."""
        if self._static is None:
            group = re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-")
            rows = [f"<p><strong>{html.escape(self.title)}</strong></p>"]
            for place, frame in enumerate(self.frames):
                opened = "" if place else " open"
                rows.append(
                    f'<details name="{group}"{opened}><summary>{html.escape(self.label(frame))}'
                    f"</summary>{self.view(frame)}</details>"
                )
            rows.append("<p>Run the cell to set other values.</p>")
            self._static = "<div>" + "\n".join(rows) + "</div>"
        return self._static

    def _text(self) -> str:
        lines = [self.title]
        lines += [f"{self.label(frame)}: {self.words(frame)}" for frame in self.frames]
        return "\n".join(lines)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {
            "application/vnd.jupyter.widget-view+json": {
                "version_major": 2,
                "version_minor": 0,
                "model_id": self.widget.model_id,
            },
            "text/html": self.static(),
            "text/plain": self._text(),
        }
