"""Keep the results of a search for proofs claim by claim, so that a stopped search can go on."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dpbook.engine.claims import record
from dpbook.engine.language.verdict import Evidence, from_json, to_json

NOT_FOUND = "not_found_anew.txt"
PART = "part.txt"  # in the folder of a part of a search: the number of the part, as 1/4
HEAD = (
    "# Claims whose proof or counterexample on record a search of all claims does not find: "
    f"dpbook verify --search writes this file, {NOT_FOUND}, to the folder DPBOOK_SEARCH.\n"
)


def search_folder() -> Path:
    """Return the folder of search results; DPBOOK_SEARCH overrides it."""
    named = os.environ.get("DPBOOK_SEARCH")
    return Path(named) if named else record.cache_folder() / "search"


@dataclass(frozen=True)
class SearchResults:
    """Represent a folder with a file for each claim that was searched.

    A result counts only for the same statement, engine and record: a result of another state is
    ignored, and the claim is searched again. The ledger checks each proof again when it takes it.
    """

    folder: Path

    def path(self, key: str) -> Path:
        """Return the file of a claim."""
        return self.folder / f"{key.replace(':', '__')}.json"

    def forget(self, keys: Iterable[str]) -> None:
        """Delete the earlier results of claims, to begin a new search."""
        for path in (self.folder / NOT_FOUND, *map(self.path, keys)):
            path.unlink(missing_ok=True)

    def begin(self, part: tuple[int, int] | None) -> None:
        """Make the folder, and write there which part of a search it holds.

        Raises
        ------
        ValueError
            When the folder holds another part, or a whole search.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        if part is None:
            (self.folder / PART).unlink(missing_ok=True)
            return
        named, there = "{}/{}".format(*part), self._part()
        if there != named:
            if there or any(self.folder.glob("*.json")):
                held = f"part {there}" if there else "another search"
                raise ValueError(
                    f"{self.folder} holds {held}: give part {named} a folder of its own"
                )
            record.write_atomically(self.folder / PART, f"{named}\n")

    def _part(self) -> str:
        path = self.folder / PART
        text = path.read_text(encoding="utf-8").strip() if path.is_file() else ""
        return text if re.fullmatch(r"[0-9]{1,9}/[0-9]{1,9}", text) else ""

    def merge(self, folders: Sequence[Path]) -> None:
        """Copy the results from the folders of all parts of a search.

        Raises
        ------
        ValueError
            When a folder holds no part, a part stands twice, or a part is missing.
        """
        found: dict[str, Path] = {}
        for folder in folders:
            part = SearchResults(folder)._part()
            if not part:
                raise ValueError(f"{folder} holds no part of a search")
            if part in found:
                raise ValueError(f"part {part} stands twice: in {found[part]} and in {folder}")
            found[part] = folder
        counts = {part.partition("/")[2] for part in found}
        if len(counts) > 1:
            raise ValueError(f"these are parts of different searches: {', '.join(sorted(found))}")
        parts = int(counts.pop())
        for number in range(1, parts + 1):
            if f"{number}/{parts}" not in found:
                raise ValueError(f"part {number}/{parts} is missing")
        self.folder.mkdir(parents=True, exist_ok=True)
        for folder in folders:
            for path in sorted(folder.glob("*.json")):
                shutil.copyfile(path, self.folder / path.name)

    def keep(self, key: str, state: str, answer: Evidence) -> None:
        """Keep the result of the search of a claim.

        Raises
        ------
        OSError
            When the result cannot be written: a search of hours must not be lost.
        """
        text = json.dumps({"state": state, "answer": to_json(answer)})
        record.write_atomically(self.path(key), text)

    def recall(self, key: str, state: str) -> Evidence | None:
        """Return the result of the search of a claim; None if it must be searched."""
        try:
            data = json.loads(self.path(key).read_text(encoding="utf-8"))
            return from_json(data["answer"]) if data["state"] == state else None
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None

    def write_not_found(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write the keys of the claims whose proof on record a whole search did not find."""
        keys = sorted(row["key"] for row in rows if row["kept"])
        text = HEAD + "".join(f"{key}\n" for key in keys)
        record.write_atomically(self.folder / NOT_FOUND, text)


def state(content: str, before: Mapping[str, Any]) -> str:
    """Return a hash of the two inputs of a search: a claim's content, and its row on record."""
    said = content + json.dumps(before, sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()
