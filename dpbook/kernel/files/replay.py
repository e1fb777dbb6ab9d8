"""Proofs on record: files of sequents with their certificates, checked one after the other.

A file is a JSON object. Its ``format`` is a number; each other key is a claim, each value an object with
its ``sequent`` and its ``certificate``. A certificate may use the claims of the same files as lemmas. An entry with a
``point`` shows that the claim is false there (everywhere, where the point is empty), so it is no
lemma. An entry with an ``axiom``, the published source as text, in place of a certificate is taken as
true: what uses it, itself or by its lemmas, names it among what is trusted. Files hold short forms,
which `files.shorthand` writes out.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dpbook.kernel.check import check
from dpbook.kernel.environment import Trust
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.explain import notes
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.files.shorthand import Entry, Writer
from dpbook.kernel.formulas import Sequent

FORMAT = 3  # of a file; another one when a rule, or the normal form that rules compare, changes
LARGEST = 64_000_000  # bytes of one file
DIGITS = 4000
POINTS = ("sample", "point")
ALLOWED = {"names", "sequent", "certificate", *POINTS}
NAMED = {"sequent", "axiom"}  # all that an axiom of the literature has
LONGEST = 300  # characters of its source


class Unusable(ValueError):
    """A file that holds no proofs; the message is one line."""


def read(path: Path) -> dict[str, Entry]:
    """Return the proofs of a file, by the keys of their claims.

    Raises
    ------
    Unusable
        When the file cannot be read, or is none of proofs.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)  # a device or a pipe does not tell its size
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from None
    if len(data) > LARGEST:
        raise Unusable(f"{path}: more than {LARGEST} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unusable(f"{path}: it is no text in UTF-8") from None
    return parsed(text, str(path))


def parsed(text: str, name: str) -> dict[str, Entry]:
    """Return the proofs in a text; errors call the text `name`.

    Raises
    ------
    Unusable
        When it is no JSON of proofs.
    """
    try:
        data = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_integer
        )
    except RecursionError:
        raise Unusable(f"{name}: it is nested too deeply") from None
    except ValueError as error:
        raise Unusable(f"{name}: it is no JSON of proofs: {str(error)[:200]}") from None
    if not isinstance(data, dict):
        raise Unusable(f"{name}: it is no object of proofs by keys")
    found = data.pop("format", None if data else FORMAT)
    if type(found) is not int or found != FORMAT:
        raise Unusable(f"{name}: {_other_format(found)}")
    for key, entry in data.items():
        if stranger := foreign_letter(key):
            raise Unusable(f"{name}: {stranger}")
        if isinstance(entry, dict) and "axiom" in entry:
            if set(entry) != NAMED or not _is_source(entry["axiom"]):
                raise Unusable(
                    f"{name}: the axiom {key[:80]!r} must have a sequent, a source in one line, and "
                    "nothing else"
                )
            continue
        if (
            not isinstance(entry, dict)
            or not {"sequent", "certificate"} <= set(entry)
            or not set(entry) <= ALLOWED
        ):
            raise Unusable(f"{name}: {key[:80]!r} has no sequent and certificate, or has more")
        for what in POINTS:
            values = entry.get(what, {})
            if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
                raise Unusable(f"{name}: the {what} of {key[:80]!r} must be an object of texts")
    writer = Writer()
    try:
        for key, entry in data.items():
            data[key] = writer.entry(entry)
    except RecursionError:
        raise Unusable(f"{name}: {key[:80]!r} is nested too deeply") from None
    except ValueError as error:
        raise Unusable(f"{name}: {key[:80]!r}: {error}") from None
    return data


def _other_format(found: object) -> str:
    """Say of the format of a file that it is another one, and what to do."""
    if found is None:
        return (
            f'no format is given: write "format": {FORMAT} before the proofs, or remove the file if '
            "an older version of dpbook made it"
        )
    said = f"its format is {repr(found)[:20]}, and this version reads {FORMAT}"
    if type(found) is not int:
        return f'{said}: write "format": {FORMAT}, a number'
    if found > FORMAT:
        return f"{said}: the file was made by a newer version of dpbook, which reads it"
    return f"{said}: remove the file, and search for the proofs with `python -m dpbook verify --record`"


def foreign_letter(key: str) -> str:
    """Say which letter of a key is not ASCII, and may look like another one; empty where all are."""
    letter = next((c for c in key if not " " <= c <= "~"), "")
    if not letter:
        return ""
    called = unicodedata.name(letter, f"U+{ord(letter):04X}")
    return f"keys are ASCII, and {key[:80]!r} has {letter!r} ({called})"


def _is_source(said: object) -> bool:
    """Return whether a text is one line with letters, as the source of an axiom must be."""
    if not isinstance(said, str) or len(said) > LONGEST or not said.isprintable():
        return False
    return said == said.strip() and any(c.isalpha() for c in said)


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise ValueError(f"a number has more than {DIGITS} digits")
    return int(text)


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is no number")


def nodes_in(certificate: object) -> Iterator[dict[str, Any]]:
    """Yield the nodes of a certificate, each before its premises; a step `auto` is a node too."""
    todo = [certificate]
    while todo:
        node = todo.pop()
        if not isinstance(node, dict):
            continue
        yield node
        premises = node.get("premises")
        if isinstance(premises, list):
            todo.extend(reversed(premises))


def named_in(certificate: object, rule: str, field: str = "name") -> list[str]:
    """Return the names in a field of the nodes of a rule, each once, in their order."""
    names = (node.get(field) for node in nodes_in(certificate) if node.get("rule") == rule)
    return list(dict.fromkeys(name for name in names if isinstance(name, str)))


def lemmas_in(certificate: object) -> list[str]:
    """Return the names of the lemmas that a certificate uses, in their order."""
    return named_in(certificate, "lemma")


@dataclass
class Replayed:
    """The result of checking a proof: its trusted axioms, with the axioms of its lemmas, or why it is rejected."""

    key: str
    trust: Trust = field(default_factory=Trust)
    rejected: Rejected | None = None


def replay(
    entries: Mapping[str, Entry], progress: Callable[[int], None] = lambda count: None
) -> Iterator[Replayed]:
    """Check proofs, each after the lemmas that it uses; `progress` is called with the number of checked proofs.

    A proof is rejected when a lemma is not among them, is rejected itself, or rests on it. Of an
    axiom the sequent is read, and it trusts itself.
    """
    done: dict[str, Replayed] = {}
    sequents: dict[str, Sequent] = {}
    for key in _ordered(entries):
        try:
            sequents[key] = sequent_from_json(entries[key]["sequent"])
            trust = _trusted(key, entries[key], sequents, done, entries)
            done[key] = Replayed(key, trust)
        except Rejected as error:
            done[key] = Replayed(key, rejected=error)
        except (RecursionError, MemoryError):
            done[key] = Replayed(key, rejected=Rejected("it is nested too deeply"))
        except ValueError as error:
            done[key] = Replayed(key, rejected=Rejected(f"it is no sequent: {error}"))
        progress(len(done))
    for key in entries:
        yield done[key]


def checked(sequent: Sequent, certificate: object, lemmas: Mapping[str, Sequent]) -> Trust:
    """Check a certificate as `check` does; a rejection has notes on the goal of the rejected step.

    Raises
    ------
    Rejected
        When the certificate does not prove the sequent; its notes are lines of text.
    """
    try:
        return check(sequent, certificate, lemmas)
    except Rejected as error:
        for line in notes(sequent, certificate, lemmas, error):
            error.add_note(line)
        raise


def _trusted(
    key: str,
    entry: Entry,
    sequents: Mapping[str, Sequent],
    done: Mapping[str, Replayed],
    entries: Mapping[str, Entry],
) -> Trust:
    if "axiom" in entry:
        return Trust(named={key: str(entry["axiom"])})
    names = lemmas_in(entry["certificate"])
    for name in names:
        if name not in entries:
            raise Rejected(
                f"the lemma {name} has no proof among the files given: name its file too, which "
                f"`dpbook where {name}` finds",
                "lemma",
            )
        if name not in done:
            raise Rejected(f"the lemma {name} rests on this proof", "lemma")
        if "point" in entries[name]:
            raise Rejected(f"the lemma {name} is refuted", "lemma")
        if done[name].rejected is not None:
            raise Rejected(f"the proof of the lemma {name} is rejected", "lemma")
    trust = checked(sequents[key], entry["certificate"], {n: sequents[n] for n in names})
    for name in names:
        trust.axioms |= done[name].trust.axioms
        trust.lemmas |= done[name].trust.lemmas
        trust.named |= done[name].trust.named
    return trust


def _ordered(entries: Mapping[str, Entry]) -> Iterable[str]:
    """Keys, each after its lemmas where they do not rest on each other."""
    found: dict[str, None] = {}
    begun: set[str] = set()
    todo = [(key, False) for key in reversed(list(entries))]
    while todo:
        key, after = todo.pop()
        if after:
            found[key] = None
        elif key not in begun:
            begun.add(key)
            todo.append((key, True))
            names = lemmas_in(entries[key].get("certificate"))
            todo.extend((name, False) for name in names if name in entries and name not in begun)
    return found
