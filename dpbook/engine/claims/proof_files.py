"""Read and write files of proofs: certificates of claims as plain JSON, a file for each section."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpbook.engine.claims import record
from dpbook.engine.claims.topics import Topic, find, known
from dpbook.engine.prove.proofs import Entry, entry_of
from dpbook.engine.prove.shorthand import shortened
from dpbook.kernel.files import replay

WIDTH = 120  # characters of one line, if no single text is longer
INDENT = 2  # the largest indent: deeper nodes stand below each other


# --- files ----------------------------------------------------------------------------------------


def beside(path: Path) -> Path:
    """Return the path of the proofs of a user's own file."""
    return path.with_suffix(".proofs.json")


def folder(topic: Topic) -> Path:
    """Return the folder of the proofs of a topic that is a package."""
    return topic.path / "claims" / "proofs"


def files(topic: str | Topic) -> list[Path]:
    """Return the files of proofs of a topic, which is a name or a `Topic`."""
    found = find(topic) if isinstance(topic, str) else topic
    return [beside(found.path)] if found.is_file else sorted(folder(found).glob("*.json"))


def of_topic(topic: str | Topic) -> dict[str, Entry]:
    """Return the proofs on record of a topic, which is a name or a `Topic`.

    Raises
    ------
    ValueError
        When a file holds no proofs.
    """
    return _merged(tuple((path, *_state(path)) for path in files(topic) if path.exists()))


def in_file(path: Path) -> dict[str, Entry]:
    """Return the proofs in a file; empty if there is no file.

    Raises
    ------
    ValueError
        When the file holds no proofs.
    """
    return _read(path, *_state(path)) if path.exists() else {}


def _state(path: Path) -> tuple[int, int]:
    about = path.stat()
    return about.st_mtime_ns, about.st_size


@lru_cache(maxsize=200)
def _read(path: Path, changed: int, size: int) -> dict[str, Entry]:
    return dict(replay.read(path))


@lru_cache(maxsize=10)
def _merged(states: tuple[tuple[Path, int, int], ...]) -> dict[str, Entry]:
    return {key: entry for state in states for key, entry in _read(*state).items()}


def write(path: Path, entries: Mapping[str, Entry]) -> None:
    """Write proofs to a file, whole or not at all; without proofs the file is deleted."""
    if entries:
        record.write_atomically(path, formatted(entries))
    else:
        path.unlink(missing_ok=True)


def put_on_record(
    topic: Topic, found: Mapping[str, Entry | None], sections: Mapping[str, str]
) -> None:
    """Merge proofs into the files of a topic.

    Parameters
    ----------
    topic : Topic
    found : mapping from keys to entries
        The claims decided now: each with its proof, or None if no proof may stay.
    sections : mapping from keys to names
        All claims of the topic in the order of the paper, each with its section. Proofs on record
        of other claims are left out.
    """
    merged = {**of_topic(topic), **found}
    claimed = {k: e for k, e in merged.items() if e is not None and k in sections}
    # a proof may use lemmas of other topics
    lemmas = {n for e in claimed.values() for n in replay.lemmas_in(e.get("certificate"))}
    named = {name.partition(":")[0] for name in lemmas} - {topic.name}
    others = {k: e for t in named if known(t) for k, e in of_topic(t).items()}
    kept = closed(claimed, others)
    if topic.is_file:
        write(beside(topic.path), kept)
        return
    names = list(dict.fromkeys([*sections.values(), *(path.stem for path in files(topic))]))
    for name in names:
        here = {k: kept[k] for k, section in sections.items() if section == name and k in kept}
        write(folder(topic) / f"{name}.json", here)


def closed(entries: Mapping[str, Entry], others: Mapping[str, Entry]) -> dict[str, Entry]:
    """Leave out each proof that uses a lemma without a proof: the record is complete by itself."""
    lemmas = {key: replay.lemmas_in(entry.get("certificate")) for key, entry in entries.items()}
    kept = dict(entries)
    while open_ := [
        key for key in kept if any(n not in kept and n not in others for n in lemmas[key])
    ]:
        for key in open_:
            del kept[key]
    return kept


def digest(entry: Entry | None) -> str:
    """Return a hash of an entry; empty for None."""
    if entry is None:
        return ""
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16]


def kind_of(entry: Entry | None) -> str:
    """Return the kind of an entry: axiom, point (where a claim fails), or proof; empty for None."""
    if entry is None:
        return ""
    return "axiom" if "axiom" in entry else "point" if "point" in entry else "proof"


def of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, Entry | None]:
    """Return the proofs in rows; None for a claim without a proof."""
    return {row["key"]: entry_of(row["certificate"], row["sample"]) for row in rows}


# --- layout ---------------------------------------------------------------------------------------


def formatted(entries: Mapping[str, Entry]) -> str:
    """Return proofs as JSON with filled lines, in which a diff shows the changes.

    Each of several premises starts a line, one deeper than its node. A single premise, or the last
    premise after short premises, continues at the depth of its node: a long chain stays at the
    left.
    """
    lines = [f'{{"format": {replay.FORMAT}']
    for key, entry in entries.items():
        lines[-1] += ","
        lines.append(f"{_text(key)}:{{")
        for place, (name, value) in enumerate(shortened(entry).items()):
            if place:
                lines[-1] += ","
            head = f" {_text(name)}:"
            first, *others = _lines(value, 1, len(head))
            lines += [head + first, *others]
        lines[-1] += "}"
    return "\n".join([*lines, "}", ""])


def _lines(value: Any, depth: int, used: int) -> list[str]:
    """Return the lines of a value that starts after `used` characters of a line, at `depth`."""
    short = _short(value, WIDTH - used)
    if short is not None or not isinstance(value, (dict, list)):
        return [_text(value) if short is None else short]
    named, parts = isinstance(value, dict), _parts(value)
    nodes = not named and any(_has_node(part) for part in value)
    # after short premises the last premise is the rest of the proof, at the depth of its node
    rest = nodes and all(_short(part, WIDTH - depth - 2) is not None for part in value[:-1])
    lines, used = ["{" if named else "["], used + 1
    for number, (head, part) in enumerate(parts):
        last = number == len(parts) - 1
        inside = depth if rest and last else depth + 1
        space = " " * min(inside, INDENT)
        if number:
            lines[-1] += ","
            used += 1
        blank = " " if number and named else ""
        start = used + len(blank + head)
        filled = not nodes or (rest and not last)
        apart = number > 0 or start > WIDTH // 2 if filled else len(parts) > 1
        if apart and not (filled and _goes_on(part, start, len(space + head))):
            lines.append(space)
            blank, start = "", len(space + head)
        first, *others = _lines(part, depth if named else inside, start)
        lines[-1] += blank + head + first
        lines += others
        used = len(others[-1]) if others else start + len(first)
    lines[-1] += "}" if named else "]"
    return lines


def _parts(value: Any) -> list[tuple[str, Any]]:
    """Return the parts of an object or a list, each with the text before it."""
    if isinstance(value, dict):
        return [(f"{_text(name)}:", part) for name, part in value.items()]
    return [("", part) for part in value]


def _has_node(part: Any) -> bool:
    """Say whether a part is a node with fields, or a list that holds such a node."""
    return isinstance(part, dict) or (isinstance(part, list) and any(map(_has_node, part)))


def _goes_on(part: Any, start: int, fresh: int) -> bool:
    """Say whether a part stands better on the current line than on a new line."""
    if _short(part, WIDTH - start) is not None:
        return True
    large = isinstance(part, (dict, list)) and _short(part, WIDTH - fresh) is None
    return large and start < 3 * WIDTH // 4


def _short(value: Any, room: int) -> str | None:
    """Return a value on one line; None if there is not enough room."""
    if not isinstance(value, (dict, list)):
        shown = _text(value)
        return shown if len(shown) <= room else None
    shown, between, closing = ("{", ", ", "}") if isinstance(value, dict) else ("[", ",", "]")
    for number, (head, part) in enumerate(_parts(value)):
        shown += (between if number else "") + head
        inner = _short(part, room - len(shown) - 1)
        if inner is None:
            return None
        shown += inner
    return shown + closing if len(shown) < room else None


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
