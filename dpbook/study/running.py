"""A run of a study, a part of one, and the merge of the parts."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tqdm import tqdm

from dpbook import __version__
from dpbook.engine.claims import record
from dpbook.study.cells import Failure, compute
from dpbook.study.definition import Cell, Place, Record, Study, Summary, find, key_of
from dpbook.study.store import REPLICATES, Store, cells_in, hash_of, manifest_in, opened

NAMED = 10  # at most so many failed cells are named


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


class Halted(OSError):
    """The run cannot go on: the disk is full, or the scheduler is gone. No finished cell is lost."""


@dataclass(frozen=True)
class Plan:
    """The cells that are computed.

    Attributes
    ----------
    part : (int, int) or None
        Of a run in N parts the number i, from 1 on, and N; None for a whole run.
    """

    study: Study
    scale: str
    seed: int
    replicates: int
    data: Path | None
    part: tuple[int, int] | None = None

    @cached_property
    def places(self) -> list[Place]:
        """The cells, in the order of the grid; of a part each N-th of them."""
        settings = self.study.scales[self.scale].settings
        places = list(itertools.product(settings, range(self.replicates)))
        first, step = self.part or (1, 1)
        return places[first - 1 :: step]

    @property
    def manifest(self) -> dict[str, Any]:
        """The record of a folder about its cells."""
        settings = "\n".join(key_of(setting) for setting in self.study.scales[self.scale].settings)
        return {
            "study": self.study.name,
            "scale": self.scale,
            "seed": self.seed,
            "part": self.part and "{}/{}".format(*self.part),
            REPLICATES: self.replicates,
            "settings": hashlib.sha256(settings.encode()).hexdigest(),
            "dpbook": __version__,
            "code": code_of(self.study),
            "data": self.data and hash_of(self.data),
        }


def code_of(study: Study) -> str:
    """Return a hash of the code that a cell of a study runs, and of the versions of its libraries."""
    code = hashlib.sha256(record.source_hash("study").encode())
    package, _, module = study.cell.__module__.partition(".")
    if package == "dpbook":
        code.update(record.topic_hash(module.partition(".")[0]).encode())
    else:
        code.update(Path(study.cell.__code__.co_filename).read_bytes())
    return code.hexdigest()


def _plan(
    study: str | Study,
    scale: str,
    seed: int,
    replicates: int | None,
    data: str | os.PathLike[str] | None,
    part: tuple[int, int] | None = None,
) -> Plan:
    chosen = study if isinstance(study, Study) else find(study)
    if scale not in chosen.scales:
        raise ValueError(f"scale must be {' or '.join(chosen.scales)}, got {scale}")
    _at_least("seed", seed, 0)
    _at_least("replicates", replicates, 1)
    own = None
    if data is not None:
        if chosen.reads is None:
            raise ValueError(f"data must be left out: {chosen.name} reads none, got {data}")
        own = Path(data).resolve()
        chosen.reads(own)
    plan = Plan(chosen, scale, seed, replicates or chosen.scales[scale].replicates, own, part)
    if not plan.places and part:
        raise ValueError("part {}/{} has no cell: there are fewer cells than parts".format(*part))
    return plan


def _elsewhere(study: Study) -> None:
    """See that other processes can import a study."""
    if study.cell.__module__ == "__main__":
        raise ValueError(f"{study.name} stands in no module: it runs in this process, jobs=None")


def _at_least(name: str, value: int | None, least: int) -> None:
    if value is not None and (type(value) is not int or value < least):
        raise ValueError(f"{name} must be an integer >= {least}, got {value!r}")


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
    cluster: str | None = None,
    scheduler: str | None = None,
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
        Worker processes; without it the cells are computed in this process. With `cluster`, its
        workers; without it one a processor.
    replicates : int, optional
        In place of the scale's own number. More of them leave the first ones as they are.
    data : path, optional
        A file or folder in place of the data that the study has; not all studies take one.
    cluster : {"local"}, optional
        Start a Dask cluster on this machine, and end it after the run. A script that does so has the
        call under ``if __name__ == "__main__":``, as its workers import the script.
    scheduler : str, optional
        The address of the scheduler of a Dask cluster, such as ``tcp://10.0.0.1:8786``. Each of its
        workers computes one cell at a time.

    Raises
    ------
    ValueError
        There is no such study or scale, the folder is not to be used, the data cannot be read, no
        scheduler answers, or a worker has other code.
    Incomplete
        Cells have failed. With `out`, the others are in the folder.
    Halted
        The disk is full, or the scheduler is gone. With `out`, the finished cells are in the folder.
    """
    _at_least("jobs", jobs, 1)
    if resume and out is None:
        raise ValueError("resume needs out, the folder of the run to go on with")
    if cluster not in (None, "local"):
        raise ValueError(f"cluster must be local, got {cluster!r}; other clusters: scheduler")
    if scheduler is not None and (cluster or jobs):
        other = "cluster" if cluster else "jobs"
        raise ValueError(f"give scheduler or {other}, not both: that cluster has its own workers")
    plan = _plan(study, scale, seed, replicates, data)
    if jobs or cluster or scheduler is not None:
        _elsewhere(plan.study)
    kept: AbstractContextManager[Store | None] = nullcontext()
    if out is not None:
        kept = opened(Path(out), plan.manifest, resume)
    with kept as store:
        cells = _computed(plan, store, jobs, bool(cluster), scheduler)
        summary = plan.study.summary(cells)
        if store:
            _published(plan, store, summary)
    return summary


def run_part(
    study: str | Study,
    part: tuple[int, int],
    *,
    out: str | os.PathLike[str],
    scale: str = "quick",
    resume: bool = False,
    seed: int = 0,
    jobs: int | None = None,
    replicates: int | None = None,
    data: str | os.PathLike[str] | None = None,
) -> int:
    """Compute one part of the cells of a study, for `merge`.

    Parameters
    ----------
    study, out, scale, resume, seed, jobs, replicates, data
        As for `run`; each part has a folder of its own.
    part : (int, int)
        The number of the part, from 1 on, and of how many.

    Returns
    -------
    int
        How many cells the part has.

    Raises
    ------
    ValueError, Incomplete, Halted
        As for `run`; ValueError too where there is no such part.
    """
    number, parts = part
    if not 1 <= number <= parts:
        raise ValueError(f"part must be i/N with 1 <= i <= N, got {number}/{parts}")
    _at_least("jobs", jobs, 1)
    plan = _plan(study, scale, seed, replicates, data, part)
    if jobs:
        _elsewhere(plan.study)
    with opened(Path(out), plan.manifest, resume) as store:
        return len(_computed(plan, store, jobs, False, None))


def merge(
    folders: Sequence[str | os.PathLike[str]],
    *,
    out: str | os.PathLike[str],
    data: str | os.PathLike[str] | None = None,
) -> tuple[Study, Summary]:
    """Join the parts of a run in a new folder, which is the same as after a run without parts.

    Parameters
    ----------
    folders : sequence of path
        Those of the parts, all of them, each once.
    out : path
        A new or empty folder, or that of a merge that was stopped.
    data : path, optional
        As the parts had it.

    Returns
    -------
    (Study, Summary)

    Raises
    ------
    ValueError
        The folders are not all the parts of one run, or this is another version of the code.
    """
    if not folders:
        raise ValueError("merge needs the folders of the parts")
    paths = [Path(folder) for folder in folders]
    held = {path: manifest_in(path) for path in paths}
    first = held[paths[0]]
    by_part: dict[str, Path] = {}
    for path, manifest in zip(paths, map(held.get, paths), strict=True):
        assert manifest is not None
        part = manifest.get("part")
        if not isinstance(part, str):
            raise ValueError(f"{path} holds a whole run, not a part of one")
        if part in by_part:
            raise ValueError(f"part {part} stands twice: in {by_part[part]} and in {path}")
        for field in first:
            if field != "part" and manifest.get(field) != first[field]:
                raise ValueError(
                    f"{path} and {paths[0]} hold parts of different runs: "
                    f"{field} {manifest.get(field)} and {first[field]}"
                )
        if part.partition("/")[2] != first["part"].partition("/")[2]:
            raise ValueError(
                f"{path} and {paths[0]} hold parts that overlap: {part} and {first['part']}"
            )
        by_part[part] = path
    parts = int(first["part"].partition("/")[2])
    lacking = [f"{i}/{parts}" for i in range(1, parts + 1) if f"{i}/{parts}" not in by_part]
    if lacking:
        named = ", ".join(lacking[:NAMED]) + (" and more" if len(lacking) > NAMED else "")
        raise ValueError(f"{len(lacking)} of {parts} parts are missing: {named}")
    plan = _plan(first["study"], first["scale"], first["seed"], first[REPLICATES], data)
    for field, value in plan.manifest.items():
        if field != "part" and value != first[field]:
            raise ValueError(
                f"{paths[0]} was computed with another {field}: merge with the dpbook "
                "and the data that computed the parts"
            )
    records: list[tuple[Place, Record]] = []
    for part, path in by_part.items():
        found = cells_in(path)
        own = plan.places[int(part.partition("/")[0]) - 1 :: parts]
        stored = [(key_of(setting), replicate) for setting, replicate in own]
        missing = sum(key not in found for key in stored)
        if missing:
            raise ValueError(
                f"{path} lacks {missing} of the {len(own)} cells of part {part}: "
                f"finish it with --part {part} --resume"
            )
        records += [(place, found[key]) for place, key in zip(own, stored, strict=True)]
    with opened(Path(out), plan.manifest, resume=True) as store:
        with _halting(store):
            for place, cell in records:
                if store.read(place) is None:
                    store.write(place, cell)
        summary = plan.study.summary(_computed(plan, store, None, False, None))
        _published(plan, store, summary)
    return plan.study, summary


def part_of(text: str) -> tuple[int, int]:
    """Read i/N.

    Raises
    ------
    ValueError
        When it is something else.
    """
    found = re.fullmatch(r"(\d{1,9})/(\d{1,9})", text.strip(), re.ASCII)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"part must be i/N with 1 <= i <= N, such as 2/8, got {text}")
    return int(found[1]), int(found[2])


@contextmanager
def _halting(store: Store | None) -> Iterator[None]:
    """Say of an error of the disk or the network where the finished cells are."""
    try:
        yield
    except OSError as error:
        if store is None:
            raise Halted(str(error)) from error
        why = f"cannot write to {store.folder}: {error.strerror}" if error.strerror else str(error)
        raise Halted(
            f"{why}; the finished cells are in {store.folder}: the same command with --resume goes on"
        ) from error


def _published(plan: Plan, store: Store, summary: Summary) -> None:
    with _halting(store):
        store.order(plan.study.scales[plan.scale].settings)
        store.publish(plan.study, summary)


def _computed(
    plan: Plan, store: Store | None, jobs: int | None, cluster: bool, scheduler: str | None
) -> list[Cell]:
    """Compute the cells that are not stored; store each at once."""
    places = plan.places
    records = [store.read(place) if store else None for place in places]
    todo = [number for number, found in enumerate(records) if found is None]
    failures: dict[int, str] = {}
    # a bar on a terminal, silence elsewhere
    bar = tqdm(total=len(places), initial=len(places) - len(todo), unit="cell", disable=None)
    outcomes = _outcomes(plan, todo, jobs, cluster, scheduler)
    with _halting(store), bar, closing(outcomes):
        for number, found in outcomes:
            if isinstance(found, Failure):
                failures[number] = found.why
                bar.set_postfix(failed=len(failures))
            else:
                records[number] = found
                if store:
                    store.write(places[number], found)
            bar.update()
        if store:
            store.sync()
    cells = [Cell(*p, r) for p, r in zip(places, records, strict=True) if r is not None]
    if failures:
        named = {_label(places[number]): failures[number] for number in sorted(failures)}
        raise Incomplete(named, cells)
    return cells


def _label(place: Place) -> str:
    setting, replicate = place
    return ", ".join([*(f"{k}={v}" for k, v in setting.items()), f"replicate {replicate}"])


def _outcomes(
    plan: Plan, todo: Sequence[int], jobs: int | None, cluster: bool, scheduler: str | None
) -> Generator[tuple[int, Record | Failure]]:
    """Compute cells; yield them as they are finished."""
    if not todo:
        return
    # heavy, as the picture is
    if cluster or scheduler is not None:
        try:
            from dpbook.study import cluster as dask_cluster
        except ModuleNotFoundError as error:
            raise ValueError(f"{error}: pip install 'dpbook[study]'") from None
        yield from dask_cluster.outcomes(plan, todo, jobs, scheduler)
    elif jobs is not None:
        from dpbook.study import crew

        yield from crew.outcomes(plan.study, plan.places, todo, plan.seed, plan.data, jobs)
    else:
        for number in todo:
            yield number, compute(plan.study, plan.places[number], plan.seed, plan.data)
