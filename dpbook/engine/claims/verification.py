"""Verify claims: decide them, compare them with the verdicts on record, and write the record.

The claims belong to topics, or to a file of the user. Earlier decisions are remembered, so the
ledger, and SymPy with it, is imported only if a claim must be decided.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpbook.engine.claims import record
from dpbook.engine.claims.record import Row
from dpbook.engine.claims.search_results import SearchResults, search_folder
from dpbook.engine.claims.topics import Topic, find

Progress = Callable[[int], AbstractContextManager[Callable[[str], None] | None]]


@dataclass(frozen=True)
class Found:
    """Hold the decided claims and their rows on record.

    Attributes
    ----------
    rows : list of Row
        A row for each claim. Its `entry` is the kind of its entry in the files of proofs: a proof,
        a point with the proof that the claim fails there, an axiom, or empty without an entry.
    records : dict
        The rows on record, by key.
    foreign : dict of str to str
        The reasons, by key, why an entry in a file of proofs should not be there; for all claims
        of a topic or a file.
    broken : list of str
        A line for each part of a topic outside the book that cannot be imported.
    unrecorded : set of str
        Topics outside the book that have no record yet: their verdicts must be as declared.
    """

    rows: list[Row]
    records: dict[str, Row]
    foreign: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    unrecorded: set[str] = field(default_factory=set)

    @classmethod
    def together(cls, parts: Sequence[Found]) -> Found:
        """Join the decided claims of several runs."""
        return cls(
            [row for part in parts for row in part.rows],
            {key: row for part in parts for key, row in part.records.items()},
            {key: why for part in parts for key, why in part.foreign.items()},
            [line for part in parts for line in part.broken],
            {name for part in parts for name in part.unrecorded},
        )

    def differing(self, whole: bool, searched: bool) -> dict[str, str]:
        """Say for each key that differs from the record how it differs.

        Parameters
        ----------
        whole : bool
            Whether all claims of topics or of a file were requested, so that others are missing.
        searched : bool
            Whether proofs were searched again: they may differ from the proofs on record.
        """
        differing = {}
        for row in self.rows:
            before = self.records.get(row["key"])
            recorded = row["topic"] not in self.unrecorded
            why = record.differs(row, before, searched) if recorded else undeclared(row)
            if why := why or _unfit_entry(row, before):
                differing[row["key"]] = why
        if whole:
            present = {row["key"] for row in self.rows}
            missing = {key: MISSING for key in self.records if key not in present}
            if self.broken:  # its claims are not known
                missing = {}
            differing = {**self.foreign, **missing, **differing}
        return differing


MISSING = "on record, but missing"


def _unfit_entry(row: Row, before: Row | None) -> str:
    """Say how the entry of a claim in the files of proofs does not fit its verdict; else ""."""
    kind = row["entry"]
    if kind and row["verdict"] == "noted":
        return "there is nothing to prove, and a proof stands among those on record"
    if kind == "axiom" and not _is_axiom(row):
        return "an axiom stands among the proofs in place of its proof"
    if before is None or kind:
        return ""
    rests = before["verdict"] == "proved" or "kernel" in before.get("trusted", ())
    return "its proof is missing among those on record" if rests or _is_axiom(row) else ""


def _is_axiom(row: Row) -> bool:
    return str(row["label"]).startswith("axiom-")


@dataclass(frozen=True)
class Verification:
    """Verify claims with the given settings.

    Attributes
    ----------
    progress : callable
        The function that takes the number of claims; its context gives a function that is called
        with the key of each decided claim.
    jobs : int
        The number of worker processes.
    use_cache : bool
        Whether earlier decisions of the same code are used.
    mutants : bool
        Whether faults are planted in the proofs too.
    search : bool
        Whether proofs are searched again, also if there are proofs on record; the results are kept
        in `search_folder` at once.
    resume : bool
        Whether a search uses the results that are kept, or begins again.
    part : (int, int), optional
        The number of the part of the claims to decide, from 1 on, and the number of parts.
    merged : sequence of Path
        Folders of all parts of a search, whose results are taken first.
    certify : bool
        Whether all claims are decided now and proofs are kept, to be put on record.
    """

    progress: Progress
    jobs: int
    use_cache: bool = True
    mutants: bool = False
    search: bool = False
    certify: bool = False
    resume: bool = False
    part: tuple[int, int] | None = None
    merged: Sequence[Path] = ()

    def of_topics(self, topics: Sequence[str], keys: Sequence[str] = ()) -> Found:
        """Decide the claims of topics of the book, or only the claims in `keys`."""
        for key in keys:
            if key.partition(":")[0] not in record.topics():
                from dpbook.engine.claims import catalog

                catalog.find(key)  # raises an error that names the nearest key
        by_topic: dict[str, list[Row]] = {}
        records: dict[str, Row] = {}
        foreign: dict[str, dict[str, str]] = {}
        open_: list[Any] = []
        kind = "topics-with-mutants" if self.mutants else "topics"
        for topic in topics:
            records |= record.read_record(record.record_path(topic))
            asked = [key for key in keys if key.partition(":")[0] == topic]
            stored = None
            if self.use_cache and not (self.search or self.certify):
                stored = record.recall(kind, topic, record.topic_hash(topic))
            if stored is not None and set(asked) <= {row["key"] for row in stored["rows"]}:
                by_topic[topic] = [{**row, "cached": True} for row in stored["rows"]]
                foreign[topic] = stored["foreign"]
                continue
            from dpbook.engine.claims import catalog, proof_files

            for key in asked:
                catalog.find(key)  # an unknown key is an error that names the nearest key
            claims = catalog.load(topic)
            foreign[topic] = _foreign(claims, proof_files.files(topic))
            open_ += [claim for claim in claims if not keys or claim.key in keys]
        if self.part is not None:
            number, parts = self.part
            open_ = open_[number - 1 :: parts]
        # all topics at once: the workers start once, and do not wait for the last claim of a topic
        decided = self._decided(open_, records)
        for topic in dict.fromkeys(claim.topic for claim in open_):
            found = by_topic[topic] = [row for row in decided if row["topic"] == topic]
            whole = len(found) == len(catalog.load(topic))
            if whole and all(row["verdict"] != "undecided" for row in found):
                value = {"rows": found, "foreign": foreign[topic]}
                record.remember(kind, topic, record.topic_hash(topic), value)
        rows = [row for topic in topics for row in by_topic.get(topic, ())]
        return Found(
            [row for row in rows if not keys or row["key"] in keys],
            records,
            {key: why for topic in topics for key, why in foreign[topic].items()},
        )

    def of_own(self, topic: Topic, keys: Sequence[str] = ()) -> Found:
        """Decide the claims of a topic outside the book, or only the claims in `keys`.

        A claim that cannot be read has a row that says so; a part that cannot be imported has a
        line.
        """
        from dpbook.engine.claims import catalog, proof_files
        from dpbook.engine.claims.rows import row_of_unreadable

        claims, broken = catalog.load_anew(topic)
        if broken and not claims and keys:
            raise ValueError(broken[0])
        foreign = {} if broken else _foreign(claims, proof_files.files(topic))
        if keys:
            claims = [catalog.find(key) for key in keys]
        records = record.read_record(topic.record)
        faults = catalog.unreadable(claims)
        sound = [claim for claim in claims if claim.key not in faults]
        found = {row["key"]: row for row in self._decided(sound, records)}
        rows = [found.get(c.key) or row_of_unreadable(c, faults[c.key]) for c in claims]
        unrecorded = set() if topic.record.exists() else {topic.name}
        return Found(rows, records, foreign, broken, unrecorded)

    def _decided(self, claims: Sequence[Any], records: dict[str, Row]) -> list[Row]:
        if not claims:
            return []
        from dpbook.engine.claims.catalog import closure
        from dpbook.engine.claims.rows import rows_of

        found = SearchResults(search_folder()) if self.search else None
        if found:
            found.begin(self.part)
            if not self.resume:
                found.forget(claim.key for claim in claims)
            if self.merged:
                found.merge(self.merged)
        with self.progress(len(closure(claims))) as step:  # with the claims that they use
            return rows_of(
                claims,
                jobs=self.jobs,
                use_cache=self.use_cache,
                progress=step,
                recorded=records,
                mutants=self.mutants,
                search={claim.key for claim in claims} if self.search else (),
                certify=self.certify or self.search,
                found=found,
            )


def decided_now(claim: Any) -> tuple[Row, str]:
    """Decide one claim in this process; return its row, and its difference from the record.

    If its topic has no record, the verdict is compared with the declared verdict.
    """
    from dpbook.engine.claims import catalog, topics
    from dpbook.engine.claims.rows import row_of_unreadable, rows_of

    home = topics.of_claim(claim)
    records: dict[str, Row] = {}
    if faults := catalog.unreadable([claim]):
        row = row_of_unreadable(claim, faults[claim.key])
    else:
        for other in {topics.of_claim(one) for one in catalog.closure([claim])} - {None}:
            records |= record.read_record(other.record)  # type: ignore[union-attr]
        [row] = rows_of([claim], jobs=1, recorded=records)
    unrecorded = set() if home is not None and home.record.exists() else {claim.topic}
    found = Found([row], records, unrecorded=unrecorded)
    return row, found.differing(whole=False, searched=False).get(claim.key, "")


def _foreign(claims: Sequence[Any], files: Sequence[Path]) -> dict[str, str]:
    """Say for keys in files of proofs that they belong to no claim, or stand in two files."""
    from dpbook.engine.claims import proof_files

    known, seen, foreign = {claim.key for claim in claims}, dict[str, str](), dict[str, str]()
    for path in files:
        for key in proof_files.in_file(path):
            if key not in known:
                foreign[key] = f"{path.name} has a proof of it, and it is no claim there"
            elif key in seen:
                foreign[key] = f"its proof stands twice: in {seen[key]} and in {path.name}"
            seen[key] = path.name
    return foreign


def undeclared(row: Row) -> str:
    """Say which verdict a user's claim without a record should have; return "" if it has it."""
    if row["verdict"] == "noted":
        return ""
    false = row["fault"] or row["effect"]
    declared = "refuted" if false else "supported" if _is_axiom(row) else "proved"
    return "" if row["verdict"] == declared else f"{declared} is expected"


def put_on_record(rows: Sequence[Row], weaker: Sequence[str], whole: bool) -> list[str]:
    """Write verdicts and proofs of topics, also of the user's own; return complaints.

    They are added to the current record, which another process may have changed. A verdict that is
    weaker than the verdict on record is refused, and its proof on record stays, if its key is not
    in `weaker`. With `whole`, rows on record that are not in `rows` are removed.
    """
    complaints = []
    for name in dict.fromkeys(row["topic"] for row in rows):
        topic, mine = find(name), [row for row in rows if row["topic"] == name]
        # proofs of one topic of the book use proofs of other topics, so there is one lock for all
        folder = record.PACKAGE if topic.of_the_book else topic.folder
        with record.alone(folder, "another run writes the record; waiting for it"):
            complaints += _put_in(topic, mine, weaker, whole)
    return complaints


def _put_in(topic: Topic, rows: Sequence[Row], weaker: Sequence[str], whole: bool) -> list[str]:
    from dpbook.engine.claims import catalog, proof_files

    old = record.read_record(topic.record)
    taken = [row for row in rows if not record.refusal(row, old.get(row["key"]), weaker)]
    # proofs first: a verdict without its proof would look like the verdict of a tactic alone
    sections = catalog.sections(topic.name)
    proof_files.put_on_record(topic, proof_files.of_rows(taken), sections)
    return record.write_record(topic.record, rows, old, weaker, whole)
