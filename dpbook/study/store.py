"""Keep the folder of a run: its study, scale and seed, and every finished cell.

It holds plain JSON (infinities and nan as texts):

- ``study.json``: what is computed (study, scale, seed) and hashes of the settings and the code;
- ``cells.jsonl``: a line for each finished cell, with a checksum; new lines go to its end, so that
  whatever ends a run can damage only the last one. Damaged lines are passed over;
- ``summary.json`` and ``NAME.png``, once every cell is there; the lines have the order of the grid
  from then on, so that the folder is the same however the run went.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from dpbook.study.cells import decoded, encoded
from dpbook.study.definition import Place, Record, Study, Summary, key_of

MANIFEST, CELLS, PART = "study.json", "cells.jsonl", ".part"
# a field of the manifest, and its words in a refusal
FIELDS = {
    "study": "for study {}",
    "scale": "at scale {}",
    "seed": "with seed {}",
    "part": "for {}",
    "settings": "on another grid of settings",
    "dpbook": "with dpbook {}",
    "code": "by other code, or with other versions of its libraries",
    "data": "from other data",
}
REPLICATES = "replicates"  # in the manifest too; a run may go on with more of them
# the bytes of a line of CELLS: the checksum covers the rest of the line
HEAD, MIDDLE, END = b'{"sha256": "', b'", "cell": ', b"}\n"
BODY = len(HEAD) + 64 + len(MIDDLE)
SYNC = 1.0  # seconds of work that may be lost when the machine itself goes down


def line_of(place: Place, found: Record) -> bytes:
    """Return the line of a cell."""
    values = {name: encoded(value) for name, value in found.items()}
    cell = {"setting": dict(place[0]), "replicate": place[1], "record": values}
    body = json.dumps(cell, allow_nan=False).encode()
    return HEAD + hashlib.sha256(body).hexdigest().encode() + MIDDLE + body + END


def cell_of(line: bytes) -> tuple[Place, Record] | None:
    """Return the cell in a line; None where the line is damaged."""
    body = line[BODY : -len(END)]
    intact = HEAD + hashlib.sha256(body).hexdigest().encode() + MIDDLE + body + END
    if line != intact:
        return None
    try:
        cell = json.loads(body)
        record = {name: decoded(value) for name, value in cell["record"].items()}
        return (cell["setting"], cell["replicate"]), record
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def manifest_in(folder: Path) -> dict[str, Any]:
    """Return the study, scale, seed and hashes of the run in a folder.

    Raises
    ------
    ValueError
        When it holds no run.
    """
    try:
        found = dict(json.loads((folder / MANIFEST).read_bytes()))
    except (OSError, ValueError, TypeError):
        found = {}
    if not found.keys() >= {*FIELDS, REPLICATES}:
        raise ValueError(f"{folder} holds no run: no {MANIFEST} to be read")
    return found


def cells_in(folder: Path) -> dict[tuple[str, int], Record]:
    """Return the stored records of a folder, by the key of the setting and the replicate."""
    found = {}
    with suppress(FileNotFoundError), (folder / CELLS).open("rb") as file:
        for line in file:
            cell = cell_of(line)
            if cell is not None:
                (setting, replicate), record = cell
                found[key_of(setting), replicate] = record
    return found


class Store:
    """The folder of a run, which this process alone writes to.

    Parameters
    ----------
    folder : Path
        It is there, and holds nothing else than this run.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._synced = time.monotonic()
        self._file = os.open(folder / CELLS, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        try:
            # a second lock: on a file server, the lock of a folder holds on one machine only
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._records = cells_in(folder)
            self._drop_the_tail()
        except BaseException:
            self.close()
            raise

    def _drop_the_tail(self) -> None:
        """Cut a last line that has no end."""
        size = at = os.fstat(self._file).st_size
        while at > 0:
            start = max(0, at - 65536)
            end = os.pread(self._file, at - start, start).rfind(b"\n")
            at = start if end < 0 else start + end + 1
            if end >= 0:
                break
        if at < size:
            os.ftruncate(self._file, at)

    def read(self, place: Place) -> Record | None:
        """Return the record that is stored for a cell, or None."""
        return self._records.get((key_of(place[0]), place[1]))

    def write(self, place: Place, found: Record) -> None:
        """Store a record: when this returns, it outlasts the end of this process.

        It outlasts that of the machine a second later.
        """
        line = line_of(place, found)
        before = os.fstat(self._file).st_size
        try:
            while line:  # at once, unless the disk is full
                line = line[os.write(self._file, line) :]
            if time.monotonic() - self._synced > SYNC:
                self.sync()
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, before)
            raise
        self._records[key_of(place[0]), place[1]] = found

    def sync(self) -> None:
        """Have what was written on the disk."""
        os.fsync(self._file)
        self._synced = time.monotonic()

    def order(self, settings: Sequence[Mapping[str, Any]]) -> None:
        """Write the lines anew, in the order of a grid."""
        number = {key_of(setting): i for i, setting in enumerate(settings)}
        keys = sorted(
            (key for key in self._records if key[0] in number),
            key=lambda key: (number[key[0]], key[1]),
        )
        lines = (line_of((settings[number[k]], r), self._records[k, r]) for k, r in keys)
        path = self.folder / CELLS
        _write_whole(path, lines)

    def publish(self, study: Study, summary: Summary) -> None:
        """Write the result: its words and its table, and its picture, which has the words too."""
        from dpbook.teaching import figures  # heavy; a list of the studies does without

        picture = figures.show(summary)
        rows = [
            {name: v if isinstance(v, str) else encoded(v) for name, v in row.items()}
            for row in summary.rows
        ]
        _write_whole(self.folder / f"{study.name}.png", [picture.png])
        said = {"study": study.name, "title": study.title, "words": picture.alt, "rows": rows}
        _write(self.folder / "summary.json", said)

    def close(self) -> None:
        """Give the folder up to others."""
        os.close(self._file)


@contextmanager
def opened(folder: Path, manifest: Mapping[str, Any], resume: bool) -> Iterator[Store]:
    """Open a folder that nobody else writes to meanwhile.

    Raises
    ------
    ValueError
        When the folder cannot be written to, or holds something else than this run, or holds
        anything and is not to be resumed.
    """
    if folder.exists() and not folder.is_dir():
        raise ValueError(f"results go to a folder, and {folder} is a file")
    lock, store = None, None
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = os.open(folder, os.O_RDONLY)
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # gone with the process
            _begin(folder, manifest, resume)
            store = Store(folder)
        except BlockingIOError:
            raise ValueError(f"another run writes to {folder}") from None
        except OSError as error:
            raise ValueError(f"cannot write to {folder}: {error.strerror}") from error
        yield store
    finally:
        if store is not None:
            store.close()
            if os.path.getsize(folder / CELLS) == 0:  # nothing came of it: the folder is new again
                for name in (CELLS, MANIFEST):
                    (folder / name).unlink()
        if lock is not None:
            os.close(lock)


def _begin(folder: Path, manifest: Mapping[str, Any], resume: bool) -> None:
    """Write the manifest, or check that the run that began here has the same."""
    held = [name for name in sorted(os.listdir(folder)) if not name.endswith(PART)]
    if held and not resume:
        raise ValueError(
            f"{folder} already holds {held[0]}: go on with that run (--resume, "
            "resume=True), or name another folder"
        )
    before = manifest_in(folder) if held else manifest
    for field, said in FIELDS.items():
        if before.get(field) != manifest[field]:
            there = before.get(field)
            if field == "part":
                there = f"part {there}" if there else "a whole run"
            raise ValueError(
                f"{folder} holds cells computed {said.format(there)}: "
                "resume with the same, or name another folder"
            )
    if manifest["part"] and before[REPLICATES] != manifest[REPLICATES]:
        raise ValueError(
            f"{folder} holds part {manifest['part']} of {before[REPLICATES]} replicates: "
            "resume with as many, or name another folder"
        )
    if not held or before != manifest:
        _write(folder / MANIFEST, manifest)


def _write(path: Path, content: Mapping[str, Any]) -> None:
    _write_whole(path, [(json.dumps(content, indent=1, allow_nan=False) + "\n").encode()])


def _write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file whole or not at all, also when the machine goes down."""
    part = path.with_name(path.name + PART)  # no other writer is there to use that name
    try:
        with part.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        part.unlink(missing_ok=True)  # of no use, and the disk may be full
        raise
    os.replace(part, path)


def hash_of(path: Path) -> str:
    """Return the SHA-256 of a file, or of the files of a folder with their names."""
    files: Iterable[Path] = sorted(path.iterdir()) if path.is_dir() else [path]
    found = hashlib.sha256()
    for file in files:
        if file.is_file():
            found.update(f"{file.name} {file.stat().st_size} ".encode())
            found.update(file.read_bytes())
    return found.hexdigest()
