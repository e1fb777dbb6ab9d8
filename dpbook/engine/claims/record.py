"""Read and write verdicts, on record or remembered: plain JSON, without importing SymPy."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from dpbook.engine.language.verdict import LOOKS

PACKAGE = Path(__file__).resolve().parents[2]
SOURCES = ("*.py", "*.toml", "lemmas/*.json")
ANOTHER = "the proof on record is of another statement"  # one of the two files was not written
STRENGTH = {verdict.value: look.on_record for verdict, look in LOOKS.items()}
Row = dict[str, Any]


def topics() -> list[str]:
    """Return the topics that have claims, the shared topic `privacy` first."""
    folders = [path.parent.name for path in PACKAGE.glob("*/claims") if path.is_dir()]
    found = sorted(name for name in folders if name != "engine")  # this folder defines claims
    return sorted(found, key=lambda topic: (topic != "privacy", topic))


# --- the record -------------------------------------------------------------------------------------


def record_path(topic: str) -> Path:
    """Return the path of a topic's record."""
    return PACKAGE / topic / "claims" / "record.json"


def read_record(path: Path) -> dict[str, Row]:
    """Return the claims on record; empty when there is no record.

    Raises
    ------
    ValueError
        When the file is not a record.
    """
    if not path.exists():
        return {}
    try:
        claims = dict(json.loads(path.read_text(encoding="utf-8"))["claims"])
        for key, row in claims.items():
            if not key.isascii():
                # importing the kernel takes time
                from dpbook.kernel.files.replay import foreign_letter

                raise ValueError(foreign_letter(key))
            if row["verdict"] not in STRENGTH or not isinstance(row["hash"], str):
                raise ValueError(f"{key} has no verdict and hash")
            trusted = row.get("trusted", [])
            if not isinstance(trusted, list) or not all(isinstance(t, str) for t in trusted):
                raise ValueError(f"what {key} trusts is no list of texts")
    except RecursionError:
        raise ValueError(f"{path} is not a record of verdicts: nested too deeply") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} is not a record of verdicts: {error}") from error
    return claims


def recorded_row(row: Row) -> Row:
    """Return the part of a row that goes on record for one decided claim."""
    certificate = row["certificate"] or {}  # proofs stand in separate files
    apart = ("proof", "rejected", "kept")
    fields = ("hash", "verdict", "method", "trusted", "counterexample", "finding")
    kept = {name: row[name] for name in fields}
    kept["certificate"] = {k: v for k, v in certificate.items() if k not in apart}
    if row["verdict"] == "supported":  # the result of a search without a proof
        kept["reason"] = row.get("reason")
    return {name: value for name, value in kept.items() if value not in (None, "", [], {})}


def write_record(
    path: Path,
    rows: Iterable[Row],
    old: Mapping[str, Row],
    weaker: Iterable[str],
    whole: bool = False,
) -> list[str]:
    """Put decided claims on record; return complaints about the claims that were refused.

    An undecided claim never goes on record. A weaker verdict goes on record only when its key is
    named; this includes a claim that was proved and is now refuted. With `whole`, rows on record
    that are no longer claims are left out.
    """
    rows, weaker = list(rows), set(weaker)
    present = {row["key"] for row in rows}
    complaints = []
    claims = {key: row for key, row in old.items() if key in present or not whole}
    for row in rows:
        if why := refusal(row, old.get(row["key"]), weaker):
            complaints.append(why)
        else:
            claims[row["key"]] = recorded_row(row)
    # the order of the paper; if only a few claims are written, the order on record stays
    order = [row["key"] for row in rows] if whole or old.keys() <= present else list(old)
    claims = {key: claims[key] for key in (*order, *claims) if key in claims}
    text = json.dumps({"claims": claims}, indent=1, ensure_ascii=False, sort_keys=False)
    write_atomically(path, text + "\n")
    return complaints


def refusal(row: Row, before: Row | None, weaker: Collection[str]) -> str:
    """Say why a decided claim does not go on record, or return an empty string."""
    key, verdict = row["key"], row["verdict"]
    if verdict == "undecided":
        return f"{key} is undecided and cannot go on record: {row['reason']}"
    if undeclared_refutation(row):
        return (
            f"{key} is refuted, and the claim does not say so: mend the statement, or declare it with "
            "fault= (of a false statement that no paper makes, effect= alone)"
        )
    if before is None or key in weaker:
        return ""
    less = STRENGTH[verdict] < STRENGTH[before["verdict"]]
    if less or (verdict, before["verdict"]) == ("refuted", "proved"):
        return (
            f"{key} is {verdict}, weaker than {before['verdict']} on record; "
            f"to record it all the same: --weaker {key}"
        )
    return ""


def undeclared_refutation(row: Row) -> bool:
    """Say whether a claim is refuted and declares neither a fault nor an effect."""
    return row["verdict"] == "refuted" and not (row["fault"] or row["effect"])


def differs(row: Row, before: Row | None, searched: bool = False) -> str:
    """Say how a decided claim differs from the record, or return an empty string.

    With `searched` the proof may differ from the proof on record, and so may its trusted list.
    """
    if before is None:
        return "not on record"
    if before.get("hash") != row["hash"]:
        return "statement changed"
    if before["verdict"] != row["verdict"]:
        return f"{before['verdict']} on record"
    if row.get("rejected") == ANOTHER:
        return ANOTHER
    if row.get("rejected"):
        return f"the proof on record is none: {row['rejected']}"
    said, found = before.get("trusted", []), row["trusted"]
    if sorted(said) != sorted(found) and not (searched and not row["kept"]):
        return f"trusted on record is {_named(said)}; its proof trusts {_named(found)}"
    return ""


def _named(names: Collection[str]) -> str:
    return ", ".join(names) or "nothing"


def write_atomically(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)  # only the owner can read a temporary file
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@contextmanager
def alone(folder: Path, waiting: str) -> Iterator[None]:
    """Let one process at a time write into a folder; another process says that it is waiting."""
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the lock ends with the process
        except BlockingIOError:
            print(waiting, file=sys.stderr, flush=True)
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


# --- the cache -----------------------------------------------------------------------------------------


@cache
def cache_folder() -> Path:
    """Return the folder of remembered verdicts; DPBOOK_CACHE overrides it."""
    named = os.environ.get("DPBOOK_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("dpbook", appauthor=False)


@cache
def versions() -> str:
    """Return the versions that a verdict depends on, without importing the packages."""
    from importlib import metadata  # it takes time

    names = ("sympy", "python-flint", "numba", "numpy", "scipy", "clarabel")
    found = []
    for name in names:
        try:
            found.append(f"{name}={metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name}=none")
    return " ".join([f"python={sys.version_info[0]}.{sys.version_info[1]}", *found])


@cache
def source_hash(*folders: str) -> str:
    """Return a hash of all sources in folders of the package, and of the versions."""
    return _hash_of_files(versions(), ((PACKAGE / folder, SOURCES) for folder in folders))


def _hash_of_files(start: str, kinds: Iterable[tuple[Path, Sequence[str]]]) -> str:
    """Return a hash of a text and of the files in folders, by the kinds of their names."""
    digest = hashlib.sha256(start.encode())
    for folder, names in kinds:
        for path in sorted(p for name in names for p in folder.rglob(name)):
            digest.update(str(path.relative_to(PACKAGE)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def topic_hash(topic: str) -> str:
    """Return a hash of everything on which a topic's verdicts depend, with its records."""
    names = list(dict.fromkeys(("privacy", topic)))
    start = source_hash("kernel", "engine", *names)
    return _hash_of_files(start, ((PACKAGE / name / "claims", ["*.json"]) for name in names))


def remembers(kind: str, name: str) -> bool:
    """Say whether a value is remembered under a name: without a value no key is needed."""
    return _remembered(kind, name).is_file()


def _remembered(kind: str, name: str) -> Path:
    return cache_folder() / kind / f"{name}.json"


def recall(kind: str, name: str, key: str) -> Any:
    """Return the value remembered under a key, or None, also for a file that cannot be read."""
    try:
        stored = json.loads(_remembered(kind, name).read_text(encoding="utf-8"))
        return stored["value"] if stored["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


def remember(kind: str, name: str, key: str, value: Any) -> None:
    """Remember a value; do nothing if the folder cannot be written."""
    with suppress(OSError):
        write_atomically(_remembered(kind, name), json.dumps({"key": key, "value": value}))


def forget(kind: str, name: str) -> None:
    """Forget the value that is remembered under a name."""
    with suppress(OSError):
        _remembered(kind, name).unlink()
