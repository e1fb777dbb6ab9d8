"""Proofs on record: certificates of claims, a file for each section, replayed by the kernel.

Plain JSON; nothing here needs SymPy.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpbook.engine import record
from dpbook.engine.methods import cvc5_check
from dpbook.engine.shorthand import shortened
from dpbook.engine.verdict import Evidence, Verdict
from dpbook.kernel import oracles, replay
from dpbook.kernel.environment import Environment, Fields, Trust
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import (
    FALSE,
    And,
    Is,
    Or,
    Relation,
    Sequent,
    put,
    sequent_from_json,
)
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import parse_term, substitute

WIDTH = 120  # characters of one line, where a text is not longer
INDENT = 2  # at most: deeper nodes stand below each other
METHOD = "kernel"
Entry = Mapping[str, Any]


# --- files ----------------------------------------------------------------------------------------


def folder(topic: str) -> Path:
    """Return the folder of a topic's proofs."""
    return record.PACKAGE / topic / "claims" / "proofs"


def beside(path: Path) -> Path:
    """Return where the proofs of a user's own file stand."""
    return path.with_suffix(".proofs.json")


def files(topic: str) -> list[Path]:
    """Return the files of a topic's proofs."""
    return sorted(folder(topic).glob("*.json"))


def of_topic(topic: str) -> dict[str, Entry]:
    """Return the proofs of a topic on record.

    Raises
    ------
    ValueError
        When a file holds no proofs.
    """
    return _merged(tuple((path, *_state(path)) for path in files(topic)))


def in_file(path: Path) -> dict[str, Entry]:
    """Return the proofs in a file; none where there is no file.

    Raises
    ------
    ValueError
        When the file holds no proofs.
    """
    if not path.exists():
        return {}
    return _read(path, *_state(path))


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
    """Write proofs to a file, whole or not at all; without any the file goes."""
    if entries:
        record.write_atomically(path, formatted(entries))
    else:
        path.unlink(missing_ok=True)


def put_on_record(
    topic: str, found: Mapping[str, Entry | None], sections: Mapping[str, str]
) -> None:
    """Merge proofs into the files of a topic.

    Parameters
    ----------
    topic : str
    found : mapping from keys to entries
        What was decided now: its proof, or None where it has none that may stay.
    sections : mapping from keys to names
        All claims of the topic in the order of the paper, each with its section. What is on record
        of other claims is left out.
    """
    merged = {**of_topic(topic), **found}
    others = {k: e for t in record.topics() if t != topic for k, e in of_topic(t).items()}
    kept = closed({k: e for k, e in merged.items() if e is not None and k in sections}, others)
    names = list(dict.fromkeys([*sections.values(), *(path.stem for path in files(topic))]))
    for name in names:
        here = {k: kept[k] for k, section in sections.items() if section == name and k in kept}
        write(folder(topic) / f"{name}.json", here)


def closed(entries: Mapping[str, Entry], others: Mapping[str, Entry]) -> dict[str, Entry]:
    """Leave out proofs that use a lemma without one: what is on record stands on its own."""
    kept = dict(entries)
    while True:
        open_ = [
            key
            for key, entry in kept.items()
            if any(
                n not in kept and n not in others
                for n in replay.lemmas_in(entry.get("certificate"))
            )
        ]
        if not open_:
            return kept
        for key in open_:
            del kept[key]


def digest(entry: Entry | None) -> str:
    """Return a hash of an entry; empty for none."""
    if entry is None:
        return ""
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:16]


def entry_of(certificate: Mapping[str, Any] | None, sample: Iterable[Any] = ()) -> Entry | None:
    """Return the proof that evidence, or a row, holds as it goes on record; None where it has none.

    Of an axiom of the literature it is the sequent with its source.
    """
    proof = (certificate or {}).get("proof")
    if proof is None or "axiom" in proof:
        return proof
    entry = {"sequent": proof["sequent"], "certificate": proof["certificate"]}
    if "point" in proof:
        return {**entry, "point": proof["point"]}  # it shows that the statement fails there
    point = dict(sample)
    return {**entry, "sample": point} if point else entry


def kind_of(entry: Entry | None) -> str:
    """Return what an entry is: an axiom, a point where a claim fails, or a proof; empty for none."""
    if entry is None:
        return ""
    return "axiom" if "axiom" in entry else "point" if "point" in entry else "proof"


def of_rows(rows: Iterable[Mapping[str, Any]]) -> dict[str, Entry | None]:
    """Return the proofs in rows; None of a claim that has none."""
    return {row["key"]: entry_of(row["certificate"], row["sample"]) for row in rows}


# --- layout ---------------------------------------------------------------------------------------


def formatted(entries: Mapping[str, Entry]) -> str:
    """Return proofs as JSON whose lines are filled, and in which a diff shows what changed.

    Each of several premises starts a line, one deeper than its node. A single premise, or the last
    one after short ones, goes on where its node stands: a chain does not creep to the right.
    """
    lines = ["{"]
    for number, (key, entry) in enumerate(entries.items()):
        if number:
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
    """The lines of a value that starts after `used` characters of a line indented by `depth`."""
    short = _short(value, WIDTH - used)
    if short is not None:
        return [short]
    named = isinstance(value, dict)
    if named:
        parts = [(f"{_text(name)}:", part) for name, part in value.items()]
    elif isinstance(value, list):
        parts = [("", part) for part in value]
    else:
        return [_text(value)]
    nodes = not named and any(_has_node(part) for part in value)
    # after premises that are short the last one is the rest of the proof, no deeper than its node
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


def _has_node(part: Any) -> bool:
    """Whether a part is a node with fields, or a chain with one."""
    return isinstance(part, dict) or (isinstance(part, list) and any(map(_has_node, part)))


def _goes_on(part: Any, start: int, fresh: int) -> bool:
    """Whether a part stands better on the line that is begun than on a line of its own."""
    if _short(part, WIDTH - start) is not None:
        return True
    large = isinstance(part, (dict, list)) and _short(part, WIDTH - fresh) is None
    return large and start < 3 * WIDTH // 4


def _short(value: Any, room: int) -> str | None:
    """A value on one line; None where the room does not do."""
    if isinstance(value, dict):
        parts = [(f"{_text(name)}:", part) for name, part in value.items()]
        opening, between, closing = "{", ", ", "}"
    elif isinstance(value, list):
        parts = [("", part) for part in value]
        opening, between, closing = "[", ",", "]"
    else:
        shown = _text(value)
        return shown if len(shown) <= room else None
    shown = opening
    for number, (head, part) in enumerate(parts):
        shown += (between if number else "") + head
        inner = _short(part, room - len(shown) - 1)
        if inner is None:
            return None
        shown += inner
    return shown + closing if len(shown) < room else None


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


# --- replaying ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Replay:
    """A proof on record, to be checked here or in a worker; plain data.

    Attributes
    ----------
    entry : mapping
        Sequent, certificate, and a point of the domain.
    lemmas : mapping from keys to sequents as data
    trusted : tuple of str
        What the lemmas trust.
    refused : str
        Why it is no proof whatever the kernel says of it; empty where nothing is known against it.
    """

    entry: Entry
    lemmas: Mapping[str, Any]
    trusted: tuple[str, ...] = ()
    refused: str = ""
    time_limit: float = float("inf")  # the kernel counts its work itself
    proof: tuple[Any, ...] = ()

    def run(self) -> Evidence:
        """Check; the evidence is undecided, with the reason, where the kernel says no."""
        started = time.perf_counter()
        if self.refused:
            return Evidence(Verdict.UNDECIDED, method=METHOD, reason=self.refused)
        try:
            trust = checked(self.entry, self.lemmas)
        except Rejected as error:
            return Evidence(Verdict.UNDECIDED, method=METHOD, reason=str(error))
        return Evidence(
            Verdict.PROVED,
            method=METHOD,
            trusted=words(trust, self.trusted),
            seconds=time.perf_counter() - started,
            sample=tuple(dict(self.entry.get("sample", {})).items()),
            certificate={
                "proof": {name: self.entry[name] for name in ("sequent", "certificate")},
            },
        )


def checked(entry: Entry, lemmas: Mapping[str, Any]) -> Trust:
    """Check a proof with lemmas as plain data; what it asks a solver, a second one is asked too.

    Raises
    ------
    Rejected
        When it is none, or the second solver contradicts the first.
    """
    sequents: dict[str, Sequent] = {n: sequent_from_json(data) for n, data in lemmas.items()}
    sequent, certificate = sequent_from_json(entry["sequent"]), entry["certificate"]
    trust = replay.checked(sequent, certificate, sequents)
    if trust.oracles:
        problems = [
            oracles.written(
                one.sequent, one.node.get("facts", []), one.environment.facts(one.sequent)
            )
            for one in walk(sequent, certificate, sequents)
            if one.node["rule"] == "smt"
        ]
        if _second(problems) is False:
            raise Rejected("cvc5 finds a model of what Z3 finds contradictory", "smt")
    return trust


def inhabited(entry: Entry) -> bool:
    """Whether the point of an entry certainly satisfies all hypotheses: its proof is not vacuous.

    Where this is False, nothing is known: the kernel evaluates no sums and no unknown functions.
    """
    try:
        sequent = sequent_from_json(entry["sequent"])
        values = {name: parse_term(source) for name, source in entry.get("sample", {}).items()}
        names = {name for name, _ in sequent.variables}
        for h in sequent.hypotheses:  # a name that a condition defines need not stand in the point
            if isinstance(h, Relation) and h.op == "==" and h.left.head == "var":
                value = substitute(h.right, values)
                if h.left.name not in values and not value.free:
                    values[h.left.name] = value
        if set(values) < names or any(t.free for t in values.values()):
            return False
        empty = Sequent((), sequent.functions, (), FALSE)
        whole = [
            Is("integer", values[name]) for name, sort in sequent.variables if sort == "integer"
        ]
        environment = Environment({})
        return all(
            _holds(empty.showing(put(h, values)), environment)
            for h in (*sequent.hypotheses, *whole)
        )
    except (Rejected, RecursionError):
        return False


def _holds(s: Sequent, environment: Environment) -> bool:
    if isinstance(s.goal, (And, Or)):
        each = all if isinstance(s.goal, And) else any
        return each(_holds(s.showing(part), environment) for part in s.goal.parts)
    if environment.settled(s):
        return True
    defined = isinstance(s.goal, Is) and s.goal.what == "defined"
    rule, fields = ("defined", {}) if defined else ("bisect", {"tree": "value"})
    try:
        premises = RULES[rule](s, Fields(fields, s), environment)
    except (Rejected, ArithmeticError, ValueError):
        return False
    return all(_holds(premise, environment) for premise in premises)


def _second(problems: list[str]) -> bool | None:
    """Whether cvc5 agrees; None where it is not installed or has no answer in time."""
    try:
        return cvc5_check.unsatisfiable(problems, 5.0)
    except ImportError:
        return None


@dataclass(frozen=True)
class Step:
    """A node of a certificate with the sequent that it shows.

    Attributes
    ----------
    path : tuple of int
        The premises that lead to it from the root.
    """

    path: tuple[int, ...]
    sequent: Sequent
    node: Mapping[str, Any]
    environment: Environment


def walk(sequent: Sequent, certificate: Any, lemmas: Mapping[str, Sequent]) -> Iterator[Step]:
    """Yield the nodes of a certificate that the kernel has accepted, each before its premises.

    Raises
    ------
    Rejected
        A lemma has changed since, and the certificate does not fit it any more.
    """
    environment = Environment(lemmas)
    todo: list[Step] = [Step((), sequent, certificate, environment)]
    while todo:
        step = todo.pop()
        yield step
        children = step.node.get("premises", [])
        if children:
            fields = Fields(step.node, step.sequent)
            premises = RULES[step.node["rule"]](step.sequent, fields, environment)
            if len(premises) != len(children):
                raise Rejected("it is one of another statement", step.node["rule"])
            pairs = enumerate(zip(premises, children, strict=True))
            found = [Step((*step.path, i), s, node, environment) for i, (s, node) in pairs]
            todo.extend(reversed(found))


def words(trust: Trust, more: Iterable[str] = ()) -> tuple[str, ...]:
    """Return what a proof trusts: the kernel, axioms and oracles by name, and what its lemmas trust."""
    named = {
        *(f"axiom {name}" for name in trust.axioms),
        *(f"oracle {name}" for name in trust.oracles),
        *more,
    }
    return (METHOD, *sorted(named - {METHOD}))


def without_certificate(evidence: Evidence) -> Evidence:
    """Return a tactic's finding as support, with the tactics that are trusted: only the kernel proves."""
    names = dict.fromkeys(evidence.method.split(", "))
    return replace(
        evidence,
        verdict=Verdict.SUPPORTED,
        trusted=tuple(f"tactic {name}" for name in names),
        reason="a tactic proved it, without a certificate that the kernel could check",
    )


def refused(evidence: Evidence, why: str) -> Evidence:
    """A proof that the kernel does not accept proves nothing."""
    return replace(
        evidence,
        verdict=Verdict.SUPPORTED,
        trusted=(),
        certificate={},
        reason=f"the kernel does not accept its proof: {why}",
    )
