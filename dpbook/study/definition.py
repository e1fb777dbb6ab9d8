"""Define studies: a grid of settings, a function for one cell, and a summary of all cells."""

from __future__ import annotations

import ast
import difflib
import itertools
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, Protocol

from dpbook.engine.claims import record

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Setting = Mapping[str, int | float | str | bool]
Record = dict[str, Any]
"""Numbers, and lists of numbers, by name."""
Place = tuple[Setting, int]
"""A setting and the number of a replicate."""


class Summary(Protocol):
    """Hold the result of a study: a frozen dataclass that shows itself."""

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The lines of its table: numbers and texts, under the same names in each."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw into axes, or into new ones."""

    def describe(self) -> str:
        """Return the words for the picture."""


@dataclass(frozen=True)
class Cell:
    """Hold one setting, one replicate, and their record."""

    setting: Setting
    replicate: int
    record: Record


@dataclass(frozen=True)
class Scale:
    """Settings, no two alike, and how often each is repeated.

    Of light cells all together take less than one worker process takes to start.
    """

    settings: Sequence[Setting]
    replicates: int = 1
    light: bool = False


def grid(**values: Iterable[Any]) -> list[Setting]:
    """Return all combinations of some values as settings; the last name varies fastest."""
    points = itertools.product(*values.values())
    return [dict(zip(values, point, strict=True)) for point in points]


@dataclass(frozen=True, repr=False)
class Study:
    """A study, as `study` registered it; there its parts are described."""

    name: str
    title: str
    place: str
    scales: Mapping[str, Scale]
    cell: Callable[..., Mapping[str, Any]]
    summary: Callable[[Sequence[Cell]], Summary]
    reads: Callable[[Path], Any] | None = None

    def __post_init__(self) -> None:
        for scale in self.scales.values():
            if len({key_of(setting) for setting in scale.settings}) < len(scale.settings):
                raise ValueError(f"a setting of {self.name} stands twice")

    def __reduce__(self) -> tuple[Any, ...]:  # another process imports it
        home = self.cell.__module__, self.cell.__name__
        if _imported(*home) is not self:
            raise PicklingError(f"{self.name} is not the study at {'.'.join(home)}")
        return _imported, home

    def __repr__(self) -> str:
        return f"{self.name}: {self.title}"


def key_of(setting: Setting) -> str:
    """Return the text that identifies a setting, whatever the order of its names."""
    return json.dumps(dict(setting), sort_keys=True, allow_nan=False)


def _imported(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


REGISTRY: dict[str, Study] = {}


def study(
    name: str,
    *,
    place: str,
    quick: Scale,
    paper: Scale,
    summary: Callable[[Sequence[Cell]], Summary],
    reads: Callable[[Path], Any] | None = None,
) -> Callable[[Callable[..., Mapping[str, Any]]], Study]:
    """Register a function as the cell of a study; the first line of its docstring is the title.

    The function stands at the top of a module. It takes a ``numpy.random.Generator`` and, by name,
    the values of one setting; it returns numbers, and lists of numbers, by name. It depends on
    nothing else and changes nothing.

    Parameters
    ----------
    name, place : str
        A topic and what is studied, such as ``langevin-figure-1``; what of the paper that is. Both
        are written out, for `listed`.
    quick, paper : Scale
        To be had within seconds, and as in the paper.
    summary : function
        From the cells, in the order of the grid, to a `Summary`.
    reads : function, optional
        Reads a file or folder of a user's own, and raises ValueError where it cannot. The cell takes
        the path by the name `data`, and does without one too.
    """

    def register(cell: Callable[..., Mapping[str, Any]]) -> Study:
        scales = {"quick": quick, "paper": paper}
        title = _title(cell.__doc__ or name)
        REGISTRY[name] = Study(name, title, place, scales, cell, summary, reads)
        return REGISTRY[name]

    return register


def _title(docstring: str) -> str:
    return docstring.strip().splitlines()[0].rstrip(".")


@dataclass(frozen=True)
class Listed:
    """Hold name, title and place of a study as its source gives them, and its module."""

    name: str
    title: str
    place: str
    module: str


def listed() -> dict[str, Listed]:
    """Return every study of the package by name; the sources are read, none is imported."""
    found = {}
    for path in sorted(record.PACKAGE.glob("*/studies.py")):
        module = f"dpbook.{path.parent.name}.studies"
        for node in ast.parse(path.read_bytes()).body:
            for call in node.decorator_list if isinstance(node, ast.FunctionDef) else ():
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "study":
                    name = ast.literal_eval(call.args[0])
                    said = {word.arg: word.value for word in call.keywords}
                    title = _title(ast.get_docstring(node) or name)  # type: ignore[arg-type]
                    found[name] = Listed(name, title, ast.literal_eval(said["place"]), module)
    return found


def find(name: str) -> Study:
    """Return a study by its name.

    Raises
    ------
    ValueError
        When there is none; the message names the nearest.
    """
    known = {} if name in REGISTRY else listed()
    if name in known:
        import_module(known[name].module)
    if name in REGISTRY:
        return REGISTRY[name]
    near = difflib.get_close_matches(name, [*known, *REGISTRY], 1, cutoff=0.3)
    raise ValueError(
        f"no study {name}; " + (f"nearest: {near[0]}" if near else "dpbook study list names them")
    )
