"""Check the kernel's lemmas, and the proofs of files, from the command line: `HELP` says how."""

from __future__ import annotations

import gc
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TextIO

from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.about import about
from dpbook.kernel.files.expand import automatic_steps, expanded
from dpbook.kernel.files.lemmas import on_record, replay_lemmas, resting
from dpbook.kernel.files.replay import FORMAT, Replayed, Unusable, checked, lemmas_in, read, replay
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.files.shorthand import Entry


def main(arguments: Sequence[str]) -> int:
    """Check the proofs of the files named, or describe the kernel; return the status with which the program ends."""
    if arguments in (["-h"], ["--help"]):
        print(HELP)
        return 0
    if arguments == ["--about"]:
        print(about())
        return 0
    if arguments[:1] == ["--expand"] and len(arguments) > 2:
        return _expand(*arguments[1:])
    if not arguments or any(a.startswith("-") for a in arguments):
        print(USAGE, file=sys.stderr)
        return 2
    entries: dict[str, Entry] = {}
    places: dict[str, str] = {}
    try:
        for name in arguments:
            for key, entry in read(Path(name)).items():
                if key in places:
                    raise Unusable(f"{name}: {key} stands in {places[key]} too")
                entries[key], places[key] = entry, name
        known = _lemmas() if entries else {}
    except Unusable as error:
        print(_line(str(error)), file=sys.stderr)
        return 2
    if not entries:
        print("no proofs in the files named", file=sys.stderr)
        return 2
    gc.set_threshold(500_000, 50, 100)  # proofs make many objects, and hardly any cycle of them
    wrong = [one for one in known.values() if one.rejected is not None]
    for one in wrong:
        print(_line(f"{one.key}: {one.rejected}"))
        _print_notes(one.rejected)
    print(f"{len(known)} lemmas of the kernel, {len(wrong)} rejected")
    axioms: Counter[str] = Counter()
    lemmas: Counter[str] = Counter()
    sources = {key: str(entry["axiom"]) for key, entry in entries.items() if "axiom" in entry}
    named = Counter(dict.fromkeys(sources, 0))
    rejected = 0
    for result in replay(entries, _progress(len(entries))):
        used = result.trust.axioms
        try:
            if result.rejected is not None:
                raise result.rejected
            axioms.update(resting(used, known))
        except Rejected as error:
            rejected += 1
            print(_line(f"{places[result.key]}: {result.key}: {error}"))
            _print_notes(error)
            continue
        lemmas.update(used & known.keys())
        named.update(set(result.trust.named) - {result.key})
    print(f"{len(entries) - len(sources)} proofs, {rejected} rejected")
    print(_wrapped(f"axioms: {_counts(axioms)}"))
    print(_wrapped(f"lemmas: {_counts(lemmas)}"))
    for key, count in named.items():
        print(_line(f"named axiom, not proved: {key} ({sources[key]}), {count} proofs rest on it"))
    return 1 if rejected or wrong else 0


USAGE = "usage: python -m dpbook.kernel FILE ... | --expand FILE KEY [FILE ...] | --about | --help"
HELP = f"""{USAGE}

Check proofs with Python's standard library alone.

FILE ...
    Check the lemmas of the kernel, and then all proofs of the files. A proof may use other proofs
    of these files as lemmas: name all files at once, as dpbook/*/claims/proofs/*.json. For a
    rejected proof the file, its key, the place of the step, the rule and the reason are printed,
    and below them the goal and the hypotheses at this step.
--expand FILE KEY [FILE ...]
    Write a file with the proof KEY of FILE to the standard output. In it other rules prove the
    steps `auto`, where such a proof is found. Further files hold the lemmas of the proof. Their
    statements are taken as given here: check the same files without --expand, too.
--about
    Print the version, the rules, and the number of lines of code that are trusted.
--help, -h
    Print this text.

The program ends with 0 when all is accepted, with 1 when a proof is rejected, and with 2 when the
arguments or a file cannot be used. dpbook/kernel/README.md says what a file holds, with an example.
"""


def _expand(name: str, key: str, *others: str) -> int:
    """Write a proof with its steps `auto` written out, and count the steps before and after."""
    try:
        entries = {k: e for file in (*others, name) for k, e in read(Path(file)).items()}
        if "certificate" not in entries.get(key, {}):
            raise Unusable(f"{name}: it has no proof of {key}")
        entry = entries[key]
        names = lemmas_in(entry["certificate"])
        if missing := [n for n in names if n not in entries]:
            raise Unusable(
                f"{name}: {key}: name the files with the lemmas {', '.join(missing)}, too"
            )
    except Unusable as error:
        print(_line(str(error)), file=sys.stderr)
        return 2
    read_now = key
    try:
        sequent = sequent_from_json(entry["sequent"])
        lemmas = {}
        for read_now in names:
            lemmas[read_now] = sequent_from_json(entries[read_now]["sequent"])
    except ValueError as error:
        print(_line(f"{name}: {read_now}: it is no sequent: {error}"), file=sys.stderr)
        return 2
    try:
        checked(sequent, entry["certificate"], lemmas)
        certificate = expanded(sequent, entry["certificate"], lemmas)
        checked(sequent, certificate, lemmas)
        before = automatic_steps(sequent, entry["certificate"], lemmas).total()
        left = automatic_steps(sequent, certificate, lemmas)
        written = json.dumps(
            {"format": FORMAT, key: {**entry, "certificate": certificate}}, indent=1
        )
    except Rejected as error:
        print(_line(f"{name}: {key}: {error}"), file=sys.stderr)
        _print_notes(error, sys.stderr)
        return 1
    except (RecursionError, MemoryError):
        print(
            _line(f"{name}: {key}: the proof is nested too deeply to be written out"),
            file=sys.stderr,
        )
        return 1
    print(written)
    if names:
        print(
            f"taken as given, not checked here: the lemmas {', '.join(names)}; "
            "without --expand they are checked",
            file=sys.stderr,
        )
    print(f"{before} steps auto; left: {left.total()}", file=sys.stderr)
    for kind, count in left.most_common():
        print(f"  {count} {kind}", file=sys.stderr)
    return 0


@cache
def _lemmas() -> Mapping[str, Replayed]:
    """Return the lemmas of the kernel, which are checked once."""
    return replay_lemmas(on_record())


def _counts(counts: Counter[str]) -> str:
    ordered: Iterable[tuple[str, int]] = sorted(
        counts.items(), key=lambda item: (-item[1], item[0])
    )
    return "; ".join(f"{name} {count}" for name, count in ordered) or "none"


def _wrapped(text: str, width: int = 100) -> str:
    """Return counts over several lines, broken at semicolons alone: no name holds one."""
    lines = [""]
    for part in text.split("; "):
        if lines[-1] and len(lines[-1]) + len(part) + 2 > width:
            lines[-1] += ";"
            lines.append(f"  {part}")
        else:
            lines[-1] += f"; {part}" if lines[-1] else part
    return "\n".join(lines)


def _progress(total: int) -> Callable[[int], None]:
    """Return a callback that shows on a terminal how many proofs are checked; elsewhere it is silent."""

    def show(count: int) -> None:
        if count % 20 == 0 or count == total:
            end = "\r\033[K" if count == total else ""
            print(f"\r{count} of {total} proofs checked{end}", end="", file=sys.stderr, flush=True)

    return show if sys.stderr.isatty() else lambda count: None


def _print_notes(error: Rejected | None, file: TextIO | None = None) -> None:
    """Write the goal and the hypotheses of a rejected step below its line."""
    for note in getattr(error, "__notes__", ()):
        print(f"  {_line(note)}", file=file)


def _line(text: str) -> str:
    """Return a text as one line that a terminal can show, in the encoding of the terminal."""
    encoding = sys.stdout.encoding or "ascii"
    shown = text.encode(encoding, "replace").decode(encoding)
    return "".join(c if c.isprintable() else "?" for c in shown)[:600]
