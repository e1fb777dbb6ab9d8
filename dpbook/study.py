"""Studies: a grid of settings times replicates, whose cells are computed once and never lost.

A study stands in ``dpbook/<topic>/studies.py``: under `study`, a function that computes one cell
from its setting and a random stream of its own. A cell depends on nothing else, so the result is
the same for any number of workers, in any order, and in however many sessions.

With a folder to write to, a run leaves there, all in plain JSON (infinities and nan as texts):

- ``study.json``: what is computed (study, scale, seed) and hashes of the settings and the code;
- ``cells/SETTING-REPLICATE.json``: each finished cell, with a checksum, whole or not there;
- ``summary.json`` and ``NAME.png``, once every cell is there.
"""

from __future__ import annotations

import ast
import difflib
import fcntl
import hashlib
import itertools
import json
import math
import os
import resource
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pickle import PicklingError
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from tqdm import tqdm

from dpbook import __version__
from dpbook.engine import record

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Setting = Mapping[str, int | float | str | bool]
Record = dict[str, Any]
"""Numbers, and lists of numbers, by name."""
Place = tuple[Setting, int]
"""A setting and the number of a replicate."""

NAMED = 10  # at most so many failed cells are named
MANIFEST, PART = "study.json", ".part"
# a field of the manifest, and how a refusal speaks of it
FIELDS = {
    "study": "for study {}",
    "scale": "at scale {}",
    "seed": "with seed {}",
    "settings": "on another grid of settings",
    "dpbook": "with dpbook {}",
    "code": "by other code, or with other versions of its libraries",
    "data": "from other data",
}


# --- what a study is ---------------------------------------------------------------------------------


class Summary(Protocol):
    """What a study finds: a frozen dataclass that shows itself."""

    @property
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """The lines of its table: numbers and texts, under the same names in each."""

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw into axes, or into new ones."""

    def describe(self) -> str:
        """Return the words for the picture."""


@dataclass(frozen=True)
class Cell:
    """One setting, one replicate, and what was computed for them."""

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
            if len({_key(setting) for setting in scale.settings}) < len(scale.settings):
                raise ValueError(f"a setting of {self.name} stands twice")

    def __reduce__(self) -> tuple[Any, ...]:  # another process imports it
        home = self.cell.__module__, self.cell.__name__
        if _imported(*home) is not self:
            raise PicklingError(f"{self.name} is not the study at {'.'.join(home)}")
        return _imported, home

    def __repr__(self) -> str:
        return f"{self.name}: {self.title}"


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
    """What the source says of a study, and the module that it stands in."""

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


# --- one cell ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Failure:
    """Why a cell has no record."""

    why: str


def compute(study: Study, place: Place, seed: int, data: Path | None = None) -> Record | Failure:
    """Compute one cell; an error in it is returned.

    The stream is spawned from ``SeedSequence(seed)`` by the study, the setting and the replicate:
    other settings, or more replicates, leave it as it is.
    """
    setting, replicate = place
    digest = hashlib.sha256(f"{study.name} {_key(setting)}".encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    stream = np.random.SeedSequence(seed, spawn_key=(*words, replicate))
    try:
        more = {} if data is None else {"data": data}
        found = study.cell(np.random.default_rng(stream), **setting, **more)
        # as a file gives it back, so that a run that is resumed has the same before it
        return {str(name): _decoded(_encoded(value)) for name, value in found.items()}
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        return Failure(f"{type(error).__name__}: {' '.join(str(error).split())} ({where})")


def _key(setting: Setting) -> str:
    return json.dumps(dict(setting), sort_keys=True, allow_nan=False)


def _encoded(value: Any) -> Any:
    """Numbers as JSON has them; floats are written with as many digits as bring them back."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_encoded(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bool | int | float):
        return value
    raise TypeError(f"a cell returns numbers and lists of numbers, not {value!r}")


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(one) for one in value]
    return float(value) if isinstance(value, str) else value


# --- the folder ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Store:
    """The folder of a run."""

    folder: Path

    def begin(self, manifest: Mapping[str, Any], resume: bool) -> None:
        """Write down what is computed, or see that it is what was begun here.

        Raises
        ------
        ValueError
            When the folder holds something else, or holds anything and is not to be resumed.
        """
        held = [name for name in sorted(os.listdir(self.folder)) if not name.endswith(PART)]
        if held and not resume:
            raise ValueError(
                f"{self.folder} already holds {held[0]}: go on with that run (--resume, "
                "resume=True), or name another folder"
            )
        if held:
            try:
                before = dict(json.loads((self.folder / MANIFEST).read_bytes()))
            except (OSError, ValueError, TypeError):
                raise ValueError(f"{self.folder} holds no run: no {MANIFEST} to be read") from None
            for field, said in FIELDS.items():
                if before.get(field) != manifest[field]:
                    raise ValueError(
                        f"{self.folder} holds cells computed {said.format(before.get(field))}: "
                        "resume with the same, or name another folder"
                    )
        else:
            _write(self.folder / MANIFEST, manifest)
        (self.folder / "cells").mkdir(exist_ok=True)

    def _path(self, place: Place) -> Path:
        setting = hashlib.sha256(_key(place[0]).encode()).hexdigest()[:16]
        return self.folder / "cells" / f"{setting}-{place[1]:05d}.json"

    def read(self, place: Place) -> Record | None:
        """Return a stored record; None where there is none, or a damaged one."""
        try:
            found = json.loads(self._path(place).read_bytes())
            body = found["cell"]
            same = (_key(body["setting"]), body["replicate"]) == (_key(place[0]), place[1])
            if same and found["sha256"] == _checksum(body):
                return {name: _decoded(value) for name, value in body["record"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        return None

    def write(self, place: Place, found: Record) -> None:
        """Store a record, whole or not at all."""
        values = {name: _encoded(value) for name, value in found.items()}
        body = {"setting": dict(place[0]), "replicate": place[1], "record": values}
        _write(self._path(place), {"cell": body, "sha256": _checksum(body)})

    def publish(self, study: Study, summary: Summary) -> None:
        """Write the result: its words and its table, and its picture, which has the words too."""
        from dpbook.teaching import figures  # heavy; a list of the studies does without

        picture = figures.show(summary)
        rows = [
            {name: v if isinstance(v, str) else _encoded(v) for name, v in row.items()}
            for row in summary.rows
        ]
        _write(self.folder / f"{study.name}.png", picture.png)
        said = {"study": study.name, "title": study.title, "words": picture.alt, "rows": rows}
        _write(self.folder / "summary.json", said)


@contextmanager
def _store(folder: Path, manifest: Mapping[str, Any], resume: bool) -> Iterator[Store]:
    """A folder that nobody else writes to meanwhile."""
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"results go to a folder, and {folder} is a file")
    lock = None
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # gone with the process
            Store(folder).begin(manifest, resume)
        except BlockingIOError:
            raise ValueError(f"another run writes to {folder}") from None
        except OSError as error:
            raise ValueError(f"cannot write to {folder}: {error.strerror}") from error
        yield Store(folder)
    finally:
        if lock is not None:
            os.close(lock)


def _checksum(body: Any) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _write(path: Path, content: bytes | Mapping[str, Any]) -> None:
    """Write a file whole or not at all, also when the machine goes down."""
    if not isinstance(content, bytes):
        content = (json.dumps(content, indent=1, allow_nan=False) + "\n").encode()
    part = path.with_name(path.name + PART)  # no other writer is there to use that name
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(part, path)


def _content(path: Path) -> str:
    """SHA-256 of a file, or of the files of a folder with their names."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    found = hashlib.sha256()
    for file in files:
        if file.is_file():
            found.update(f"{file.name} {file.stat().st_size} ".encode())
            found.update(file.read_bytes())
    return found.hexdigest()


def _manifest(study: Study, scale: str, seed: int, data: Path | None = None) -> dict[str, Any]:
    settings = "\n".join(_key(setting) for setting in study.scales[scale].settings)
    code = hashlib.sha256(Path(__file__).read_bytes())
    package, _, module = study.cell.__module__.partition(".")
    if package == "dpbook":
        code.update(record.topic_hash(module.partition(".")[0]).encode())
    else:
        code.update(record.versions().encode())
        code.update(Path(study.cell.__code__.co_filename).read_bytes())
    return {
        "study": study.name,
        "scale": scale,
        "seed": seed,
        "settings": hashlib.sha256(settings.encode()).hexdigest(),
        "dpbook": __version__,
        "code": code.hexdigest(),
        "data": None if data is None else _content(data),
    }


# --- running ---------------------------------------------------------------------------------------------


class Incomplete(RuntimeError):
    """Cells have failed.

    Attributes
    ----------
    failures : dict of str to str
        What went wrong, by the setting and the replicate.
    cells : list of Cell
        Those that have not failed.
    """

    def __init__(self, failures: Mapping[str, str], cells: Sequence[Cell]) -> None:
        self.failures, self.cells = dict(failures), list(cells)
        lines = [f"{place}: {why}" for place, why in failures.items()][:NAMED]
        if len(failures) > NAMED:
            lines.append(f"and {len(failures) - NAMED} more")
        lines.append(f"{len(failures)} of {len(failures) + len(cells)} cells failed")
        super().__init__("\n".join(lines))


def run(
    study: str | Study,
    *,
    scale: str = "quick",
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    seed: int = 0,
    jobs: int | None = None,
    replicates: int | None = None,
    data: str | os.PathLike[str] | None = None,
) -> Summary:
    """Compute the cells of a study, those that are not there yet, and return its summary.

    Parameters
    ----------
    study : str or Study
        A study, or its name.
    scale : {"quick", "paper"}
    out : path, optional
        A new or empty folder for cells and result; without it nothing is written.
    resume : bool
        Go on in a folder of the same study, scale, seed, settings and code.
    seed : int
        At least 0.
    jobs : int, optional
        Worker processes; without it the cells are computed in this process.
    replicates : int, optional
        In place of the scale's own number. More of them leave the first ones as they are.
    data : path, optional
        A file or folder in place of the data that the study has; not all studies take one.

    Raises
    ------
    ValueError
        There is no such study or scale, the folder is not to be used, or the data cannot be read.
    Incomplete
        Cells have failed. With `out`, the others are in the folder.
    """
    chosen = study if isinstance(study, Study) else find(study)
    if scale not in chosen.scales:
        raise ValueError(f"scale must be {' or '.join(chosen.scales)}, got {scale}")
    for name, value, least in (("seed", seed, 0), ("jobs", jobs, 1), ("replicates", replicates, 1)):
        if value is not None and (type(value) is not int or value < least):
            raise ValueError(f"{name} must be an integer >= {least}, got {value!r}")
    if resume and out is None:
        raise ValueError("resume needs out, the folder of the run to go on with")
    if jobs is not None and chosen.cell.__module__ == "__main__":
        raise ValueError(f"{chosen.name} stands in no module: it runs in this process, jobs=None")
    own = None
    if data is not None:
        if chosen.reads is None:
            raise ValueError(f"data must be left out: {chosen.name} reads none, got {data}")
        own = Path(data).resolve()
        chosen.reads(own)
    wanted = chosen.scales[scale]
    places = list(itertools.product(wanted.settings, range(replicates or wanted.replicates)))
    kept: AbstractContextManager[Store | None] = nullcontext()
    if out is not None:
        kept = _store(Path(out), _manifest(chosen, scale, seed, own), resume)
    failures: dict[int, str] = {}
    with kept as store:
        records = [store.read(place) if store else None for place in places]
        todo = [number for number, found in enumerate(records) if found is None]
        # a bar on a terminal, silence elsewhere
        bar = tqdm(total=len(places), initial=len(places) - len(todo), unit="cell", disable=None)
        with bar, closing(_outcomes(chosen, places, todo, seed, jobs, own)) as outcomes:
            for number, found in outcomes:
                if isinstance(found, Failure):
                    failures[number] = found.why
                    bar.set_postfix(failed=len(failures))
                else:
                    records[number] = found
                    if store:
                        store.write(places[number], found)
                bar.update()
        cells = [Cell(*p, r) for p, r in zip(places, records, strict=True) if r is not None]
        if failures:
            named = {_label(places[number]): failures[number] for number in sorted(failures)}
            raise Incomplete(named, cells)
        summary = chosen.summary(cells)
        if store:
            store.publish(chosen, summary)
    return summary


def _label(place: Place) -> str:
    setting, replicate = place
    return ", ".join([*(f"{k}={v}" for k, v in setting.items()), f"replicate {replicate}"])


def _outcomes(
    study: Study,
    places: Sequence[Place],
    todo: Sequence[int],
    seed: int,
    jobs: int | None,
    data: Path | None,
) -> Generator[tuple[int, Record | Failure]]:
    """Compute cells, each in the first worker that is free; yield them as they are finished."""
    if jobs is None:
        for number in todo:
            yield number, compute(study, places[number], seed, data)
        return
    from dpbook.engine import workers  # heavy, as the picture is

    waiting, crew = deque(todo), workers.Workers(min(jobs, len(todo)), "dpbook.study")
    try:
        while waiting or crew.busy:
            while waiting and crew.idle:
                number = waiting.popleft()
                crew.give(number, (study, places[number], seed, data), math.inf)
            for number, _, found in crew.take():
                if isinstance(found, workers.Lost):
                    why = f"its process ended (status {found.status}): no memory, or a crash"
                    found = Failure(why)
                elif isinstance(found, workers.Failure):  # the study cannot be imported there
                    found = Failure(str(found.error or found.text))
                yield number, found
    finally:
        crew.close()


def serve() -> None:
    """Compute cells for another process, in all the memory that there is."""
    from dpbook.engine import workers

    def answer(task: Any) -> Any:
        return compute(*task)

    workers.serve(answer, memory=resource.RLIM_INFINITY)


if __name__ == "__main__":
    # a Failure must be that of the importable module, not of __main__, to be pickled
    import_module("dpbook.study").serve()
