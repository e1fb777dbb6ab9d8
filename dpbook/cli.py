"""The command line. Heavy imports stand inside the commands, so that `--help` answers at once."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from dpbook.engine.claims import record, topics
from dpbook.engine.claims.record import Row
from dpbook.engine.claims.search_results import SearchResults, search_folder
from dpbook.engine.claims.topics import Topic
from dpbook.engine.claims.verification import MISSING, Found, Verification, put_on_record
from dpbook.engine.language.verdict import A_THEOREM, LOOKS, NAMED, TAKEN

if TYPE_CHECKING:
    from dpbook.study import Study, Summary

USAGE, FAULT, STOPPED = 2, 70, 130
FIELDS = (
    *("key", "topic", "label", "title", "source", "form", "latex", "verdict", "recorded", "method"),
    *("trusted", "seconds", "cached", "counterexample", "margin", "fault", "effect", "scope"),
    *("corrected_by", "cites", "using", "reason", "mutants"),
)
EXITS = {
    0: "all is as on record, or as the claims declare; a statement that is checked is proved",
    1: "a verdict differs, or a proof on record is none; a statement that is checked is refuted",
    USAGE: "the input cannot be used: an option, a key, a file that cannot be imported; a package is not installed",
    3: "a statement that is checked is neither proved nor refuted",
    FAULT: "a fault of dpbook; the traceback is in a file that is named",
    STOPPED: "stopped, by Ctrl-C or an order to end",
}
FORMATS = ("table", "json", "junit", "github", "sarif")
FORMATS_LISTED = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
VERDICTS = tuple(verdict.value for verdict in LOOKS)
TOPICS = ", ".join(record.topics())
GENERAL = ("claims",)  # of these there are exercises and no claims: chapter 1 asks them
EXIT_OF_VERDICT = {"proved": 0, "refuted": 1}
COLOURS = {verdict.value: look.terminal for verdict, look in LOOKS.items()}

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


# typer carries a click of its own in some releases and uses the separate one in others
CLICK_ERROR: Any = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)


class Unusable(ValueError):
    """Input that cannot be used; the message is the one line that is shown."""


def _version(wanted: bool) -> None:
    if wanted:
        from dpbook import __version__

        typer.echo(f"dpbook {__version__}")
        raise typer.Exit


@app.callback(
    epilog="\n\n".join(["Exit codes:", *(f"{code}: {said}" for code, said in EXITS.items())])
)
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Show the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    """Decide the claims of five papers on differential privacy, and statements of your own.

    A claim is a statement of a paper, printed or repaired; its verdict is proved, refuted, supported
    (in part, or by trials), or noted (a definition: nothing to decide). Begin with
    dpbook list topics, dpbook show langevin:lemma-4.2 and dpbook check "exp(x) >= 1 + x".
    """


# --- verify --------------------------------------------------------------------------------------


@app.command()
def verify(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="[KEY ... | FILE.py ... | FOLDER ...]")
    ] = None,
    topic: Annotated[
        str, typer.Option(help=f"Only one topic: {TOPICS}, or one that is installed.")
    ] = "",
    jobs: Annotated[
        int | None,
        typer.Option(help="Worker processes; without it one a processor, up to 8.", min=1),
    ] = None,
    format: Annotated[
        str,
        typer.Option(help=f"What is written: {FORMATS_LISTED}."),
    ] = "table",
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, not to the terminal.")
    ] = None,
    no_cache: Annotated[
        bool,
        typer.Option(
            "--no-cache", help="Check all proofs now, those too that were checked before."
        ),
    ] = False,
    mutants: Annotated[
        bool,
        typer.Option(
            "--mutants", help="Also plant faults in the claims, and count those that are found."
        ),
    ] = False,
    record_: Annotated[
        bool, typer.Option("--record", help="Put verdicts and proofs on record.")
    ] = False,
    weaker: Annotated[
        list[str] | None,
        typer.Option(
            help="With --record: key whose weaker verdict may be recorded; may be repeated."
        ),
    ] = None,
    search: Annotated[
        bool,
        typer.Option("--search", help="Look for proofs anew, also where one is on record."),
    ] = False,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="With --search: go on with a search that was stopped."),
    ] = False,
    part: Annotated[
        str,
        typer.Option(
            help="With --search: of all claims only each N-th from the i-th on; the results are in a "
            "folder of their own, DPBOOK_SEARCH.",
            metavar="i/N",
        ),
    ] = "",
    merge: Annotated[
        list[Path] | None,
        typer.Option(
            help="With --search: the folder of a part, whose results are taken; give those of all "
            "parts.",
            metavar="DIR",
        ),
    ] = None,
) -> None:
    """Decide claims and compare the verdicts with those on record.

    Without KEY all claims of the book are decided, which takes a minute or two, and seconds the next
    time. A KEY names a claim, such as privacy:renyi-normal; FILE.py or FOLDER holds a topic of your
    own, which is run as Python code. Proofs on record are checked by the kernel. It exits with 1
    where a verdict differs from the record, with 2 where a file cannot be read.
    A search keeps what it finds in the folder DPBOOK_SEARCH, or in the user's cache.
    """
    if format not in FORMATS:
        raise Unusable(f"--format must be {FORMATS_LISTED}, got {format}")
    for option, given in (("--resume", resume), ("--part", part), ("--merge", merge)):
        if given and not search:
            raise Unusable(f"{option} belongs to a search: give --search too")
    if part and (merge or keys):
        raise Unusable(
            "--part is one of all claims, or of a topic: give it without KEY and --merge"
        )
    names = list(keys or [])
    paths = [name for name in names if _is_path(name)]
    if paths and (len(names) > len(paths) or topic):
        raise Unusable("give FILE.py and FOLDER without keys and without --topic")
    own, unread = _own_topics(paths)
    _in_a_folder(output)
    whole = not part and (bool(paths) or not names)  # all claims of what was asked for
    asked: dict[str, list[str]] = {one.name: [] for one in own}
    if topic:
        asked[_topic(topic)] = []
    for name in names if not paths else ():
        asked.setdefault(_claimed(name), []).append(name)
    if not asked and not paths:
        asked = {name: [] for name in record.topics()}
    if record_:
        for name in asked:
            if refused := topics.find(name).read_only():
                raise Unusable(refused)
    verification = Verification(
        _progress if not search else _long_progress,
        jobs or min(os.cpu_count() or 1, 8),
        use_cache=not no_cache,
        mutants=mutants,
        search=search,
        certify=record_,
        resume=resume or bool(merge),
        part=_part(part),
        merged=merge or (),
    )
    with _goes_on() if search else nullcontext():
        found = _decided(verification, asked)
    found.broken.extend(unread)
    rows = found.rows
    if search and whole and not topic and not own:
        SearchResults(search_folder()).write_not_found(rows)
    for row in rows:
        before = found.records.get(row["key"])
        row["recorded"] = before["verdict"] if before else None
    if record_:
        if found.broken:
            raise Unusable(f"{found.broken[0]}; nothing was put on record")
        complaints = put_on_record(rows, weaker or [], whole)
        for complaint in complaints:
            typer.echo(complaint, err=True)
        differing = {complaint.split()[0]: complaint for complaint in complaints}
    else:
        differing = found.differing(whole, search)
        if format == "json":  # it has the two verdicts, and no other difference
            said = {row["key"] for row in rows if row["verdict"] != row["recorded"]}
            for key, why in differing.items():
                if key not in said:
                    typer.echo(f"{key} differs: {why}", err=True)
    shown = _shown(format, rows, differing, found.broken)
    if rows or not found.broken or format not in ("table", "json"):  # else nothing was decided
        if output is None:
            typer.echo(shown)
        else:
            record.write_atomically(output, shown + "\n")
    for line in found.broken:
        typer.echo(line, err=True)
    raise typer.Exit(USAGE if found.broken else 1 if differing else 0)


def _shown(
    format: str, rows: Sequence[Row], differing: dict[str, str], broken: Sequence[str]
) -> str:
    """Return what was decided in a format."""
    if format in ("table", "json"):
        return _table(rows, differing) if format == "table" else _json(rows)
    from dpbook.ext import reports

    if format == "github":  # the log is read as well
        return f"{_table(rows, differing)}\n{reports.github(rows, differing, broken)}".rstrip()
    made = reports.junit if format == "junit" else reports.sarif
    return made(rows, differing, broken)


def _decided(verification: Verification, asked: Mapping[str, list[str]]) -> Found:
    """Decide the claims with the given keys in each topic, or all claims of a topic without keys."""
    ours = [name for name in asked if name in record.topics()]
    parts = [
        _decided_own(verification, topics.find(name), keys)
        for name, keys in asked.items()
        if name not in ours
    ]
    if ours:
        keys = [key for name in ours for key in asked[name]]
        parts.insert(0, verification.of_topics(ours, keys))
    return Found.together(parts)


def _decided_own(verification: Verification, topic: Topic, keys: list[str]) -> Found:
    """Decide the claims of a topic of the user; where its record cannot be read, others go on."""
    try:
        return verification.of_own(topic, keys)
    except ValueError as error:
        if keys:
            raise
        return Found([], {}, broken=[str(error)])


def _is_path(name: str) -> bool:
    """Return whether a name is the path of a file or folder with claims, and not a key."""
    there = bool(name) and ":" not in name and (os.sep in name or Path(name).is_dir())
    return there or name.endswith(".py")


def _own_topics(names: Sequence[str]) -> tuple[list[Topic], list[str]]:
    """Return the topics at paths, and a line for each path without one or with the name of another.

    Two of one name are both left out.
    """
    found: dict[str, Topic] = {}
    alike: dict[str, str] = {}
    unread = []
    for name in names:
        try:
            topic = topics.opened(Path(name))
        except topics.NoTopic as error:
            said = str(error)
            unread.append(said if said.startswith(f"{Path(name)}: ") else f"{Path(name)}: {said}")
            continue
        other = found.setdefault(topic.name, topic)
        if other != topic:
            alike[topic.name] = f"{topic.path}: {other.path} is called {topic.name} too; rename one"
    for name in alike:
        topics.OPENED.pop(name)
    own = [topic for name, topic in found.items() if name not in alike]
    return own, [*alike.values(), *unread]


def _claimed(key: str) -> str:
    """Return the name of the topic that a key names."""
    topic, colon, _ = key.partition(":")
    if colon and topics.known(topic):
        return topic
    _found(key)  # an error that names the nearest
    raise Unusable(f"no claim {key}")


def _in_a_folder(output: Path | None) -> None:
    """Refuse a file to write whose folder is not there; it may be mistyped, so it is not made."""
    if output is not None and not output.parent.is_dir():
        raise Unusable(f"there is no folder {output.parent} to write {output.name} to")


@contextmanager
def _progress(total: int, unit: str = "claim") -> Iterator[Callable[[str], None] | None]:
    """A progress bar on a terminal, silence elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    from tqdm import tqdm

    with tqdm(total=total, unit=unit, file=sys.stderr, leave=False) as bar:

        def step(key: str) -> None:
            bar.set_postfix_str(key[-40:])
            bar.update()

        yield step


def _part(text: str) -> tuple[int, int] | None:
    """Read which part of a search is asked for."""
    if not text:
        return None
    from dpbook.study.running import part_of

    return part_of(text)


STEP = 25  # claims from one line to the next where there is no terminal


@contextmanager
def _long_progress(total: int) -> Iterator[Callable[[str], None] | None]:
    """A progress bar on a terminal, now and then a line elsewhere: for work of hours."""
    if sys.stderr.isatty():
        with _progress(total) as step:
            yield step
        return
    count = 0

    def tell(key: str) -> None:
        nonlocal count
        count += 1
        if count % STEP == 0:
            typer.echo(f"{count} of {total} claims; {key} is done", err=True)

    yield tell


@contextmanager
def _goes_on() -> Iterator[None]:
    """Say how a search goes on that is stopped, by Ctrl-C or an order to end."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(
            f"stopped; each claim that was done is in {search_folder()}: the same command with "
            "--resume goes on with the others"
        ) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _found(key: str) -> Any:
    """Return a claim of the papers, of an installed topic, or of one in this folder."""
    from dpbook.engine.claims import catalog

    try:
        return catalog.find(key)
    except catalog.NoClaim:
        topic, colon, _ = key.partition(":")
        if not key.isascii():
            raise  # which letter it is matters more than which claim may be meant
        if _exercise(key):
            raise Unusable(f"no claim {key}; it is an exercise: dpbook show {key}") from None
        if not colon and topics.known(topic):
            raise Unusable(
                f"{topic} is a topic and no claim; its claims: dpbook list {topic}"
            ) from None
        if colon and topic.isidentifier() and not topics.known(topic):
            raise Unusable(f"no claim {key}; {_instead_of(topic)}") from None
        raise


def _instead_of(topic: str) -> str:
    """Say what may be meant by a topic that there is not."""
    plain = topic.lower().replace("-", "_")
    if topic in GENERAL:
        return f"exercises of that kind: dpbook list exercises --topic {topic}"
    if plain in record.topics():
        return f"the topic is {plain}"
    return (
        f"there is no topic {topic} (dpbook list topics), and no {topic}.py with claims of your own "
        "in this folder"
    )


def _summary(rows: Sequence[Row]) -> dict[str, int]:
    counts = dict.fromkeys(VERDICTS, 0)
    for row in rows:
        counts[row["verdict"]] += 1
    return {verdict: count for verdict, count in counts.items() if count}


def _json(rows: Sequence[Row]) -> str:
    from dpbook import __version__

    claims = [{name: row[name] for name in FIELDS} for row in rows]
    made = {"dpbook": __version__, "claims": claims, "summary": _summary(rows)}
    return json.dumps(made, indent=2, ensure_ascii=False)


def _table(rows: Sequence[Row], differing: dict[str, str]) -> str:
    """A ledger to be read: a line a claim, and what fails underneath.

    (A table of rich has no row across its columns, and what fails needs one.)
    """
    terminal, columns = sys.stdout.isatty(), shutil.get_terminal_size().columns
    width = max((len(row["key"]) for row in rows), default=0)
    lines = []
    for row in rows:
        verdict = f"{row['verdict']:10}"
        if terminal:
            verdict = typer.style(verdict, fg=COLOURS[row["verdict"]])
        seconds = "cached" if row["cached"] else f"{row['seconds']:.2f} s"
        title = row["title"]
        room = columns - width - 22
        if terminal and len(title) > room > 20:
            title = title[: room - 1] + "…"
        lines.append(f"{verdict}{row['key']:{width}}  {seconds:>8}  {title}")
        indent = " " * 12
        point = row["counterexample"]
        if isinstance(point, dict):
            at = ", ".join(f"{name} = {value}" for name, value in point.items())
            lines.append(f"{indent}at {at}")
        if row.get("finding"):
            lines.append(f"{indent}{row['finding']}")
        if row["corrected_by"]:
            lines.append(f"{indent}corrected by {', '.join(row['corrected_by'])}")
        if named := _named_axioms(row):
            lines.append(f"{indent}rests on {named}")
        if row["kept"]:
            lines.append(f"{indent}the search found nothing; what is on record holds")
        if row["verdict"] in ("undecided", "supported") and row["reason"]:
            lines.append(f"{indent}{row['reason']}")
        if row["mutants"]:
            m = row["mutants"]
            lines.append(
                f"{indent}{m['planted']} faults planted: {m['killed']} killed, {m['true']} true, "
                f"{m['survived']} survived"
            )
        if row["key"] in differing:
            where = "" if row["location"].startswith("dpbook/") else f" ({row['location']})"
            lines.append(f"{indent}differs: {differing[row['key']]}{where}")
    lines += [
        f"{'missing' if why == MISSING else 'foreign':10}{key}: {why}"
        for key, why in _without_row(rows, differing).items()
    ]
    lines.append("")
    slow = [row for row in rows if row["seconds"] >= 1 and not row["cached"]]
    slow = sorted(slow, key=lambda row: -row["seconds"])[:3]
    if slow:
        lines.append("slowest: " + ", ".join(f"{r['key']} {r['seconds']:.1f} s" for r in slow))
    kept = sum(row["kept"] for row in rows)
    if kept:
        lines.append(f"not found anew, as on record: {kept}")
        lines += [f"{'':10}{row['key']}" for row in rows if row["kept"]]
    total = [row["mutants"] for row in rows if row["mutants"]]
    if total:
        killed = sum(m["killed"] for m in total)
        survived = sum(m["survived"] for m in total)
        lines.append(f"mutants: {killed} of {killed + survived} killed")
    counts = ", ".join(f"{count} {verdict}" for verdict, count in _summary(rows).items())
    resting = sum(bool(_named_axioms(row)) for row in rows)
    if resting:
        counts = counts.replace(" proved", f" proved ({resting} given {A_THEOREM})", 1)
        lines.append(f"{A_THEOREM} {TAKEN}")
    if not differing:
        state = "as on record" if any(row["recorded"] for row in rows) else "as declared"
    elif all(why.endswith(" is expected") for why in differing.values()):
        state = f"{len(differing)} not as declared"
        if not any(record.refusal(row, None, ()) for row in rows if row["key"] in differing):
            state += "; --record puts what was found on record"
    else:
        verb = "differs" if len(differing) == 1 else "differ"
        state = f"{len(differing)} {verb} from the record"
    lines.append(f"{_claims(len(rows))}: {counts}; {state}" if rows or differing else _claims(0))
    return "\n".join(lines)


def _without_row(rows: Sequence[Row], differing: Mapping[str, str]) -> dict[str, str]:
    """Return what differs and is no claim: on record, or among the proofs, and nowhere else."""
    present = {row["key"] for row in rows}
    return {key: why for key, why in differing.items() if key not in present}


def _named_axioms(row: Row) -> str:
    """The facts of the literature, themselves not proved, from which a claim is proved."""
    proved = row["verdict"] == "proved"
    return "; ".join(name for name in row["trusted"] if proved and name.startswith(NAMED))


def _claims(count: int) -> str:
    return f"{count} claim" if count == 1 else f"{count} claims"


# --- check ---------------------------------------------------------------------------------------


class _WithGrammar(TyperCommand):
    """Show the grammar below the help; it is made only there."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        from dpbook.engine.read import grammar

        self.epilog = grammar.help_text()
        super().format_epilog(ctx, formatter)


@app.command(
    context_settings={"ignore_unknown_options": True},  # a statement may start with -
    cls=_WithGrammar,
)
def check(
    statement: Annotated[str, typer.Argument(help='Such as "exp(x) >= 1 + x".')],
    given: Annotated[
        list[str] | None,
        typer.Option(help='A condition, such as "x > 0, n in integers"; may be repeated.'),
    ] = None,
    time_limit: Annotated[float, typer.Option(help="Seconds of work, at most.")] = 10.0,
    seed: Annotated[int, typer.Option(help="Seed of the points where it is tried.")] = 0,
    certificate: Annotated[
        Path | None, typer.Option(help="Write the proof to a file, for python -m dpbook.kernel.")
    ] = None,
) -> None:
    """Decide one statement of your own, in text or LaTeX.

    For example: dpbook check "log(x) <= x - 1" --given "x > 0". It is parsed, never run as Python.
    It exits with 0 where it is proved, 1 where it is refuted, 3 where neither is known.
    """
    from dpbook.engine.claims.asked import Asked

    _in_a_folder(certificate)
    if certificate is not None and certificate.exists():
        raise Unusable(
            f"{certificate} is there already: name another file, or remove it before the check"
        )
    found = Asked(statement, tuple(given or ()), seed, time_limit).answer()
    evidence = found.evidence
    typer.echo(repr(evidence))
    for remark in found.remarks:
        typer.echo(remark, err=True)
    if certificate is not None:
        from dpbook.engine.claims import proof_files
        from dpbook.engine.prove import proofs

        entry = proofs.entry_of(evidence.certificate, evidence.sample)
        if entry is None:
            typer.echo(f"there is no certificate to write to {certificate}", err=True)
        else:
            proof_files.write(certificate, {"check:statement": entry})
    raise typer.Exit(EXIT_OF_VERDICT.get(evidence.verdict.value, 3))


# --- show, where, errata, graph -------------------------------------------------------------------


@app.command()
def show(
    key: Annotated[str, typer.Argument(metavar="KEY")],
    proof: Annotated[bool, typer.Option("--proof", help="Show the steps of the proof.")] = False,
    expanded: Annotated[
        bool,
        typer.Option(
            "--expanded",
            help="Show a long statement without names such as t_1, which a card makes up.",
        ),
    ] = False,
) -> None:
    """Show a claim: statement, verdict, evidence, repair.

    KEY names a claim of the papers, such as privacy:renyi-normal, or of a file of your own in this
    folder: mine:tail is in mine.py. Of an exercise its question is shown.
    """
    asked = _exercise(key)
    if asked and not _is_claim(key):
        for line in asked:
            typer.echo(line)
        return
    claim = _found(key)
    if asked:
        typer.echo(f"{key} is a claim and an exercise; the exercise stands below\n")
    from dpbook.engine.claims.catalog import closure
    from dpbook.engine.claims.entry import Entry
    from dpbook.engine.claims.schedule import decide_one

    with _progress(len(closure([claim]))) as tell:  # a theorem rests on hundreds
        entry = Entry(claim, decide_one(claim, progress=tell))
    from dpbook.engine.language.card import as_text as card_text

    typer.echo(card_text(entry.whole_card if expanded else entry.card))
    from dpbook.engine.prove.proof_text import as_text, sequent_as_text

    if proof:
        evidence = entry.evidence
        lines = as_text(entry.steps)
        if lines:
            typer.echo("\n  sequent that the kernel checked")
            for line in sequent_as_text(evidence.certificate["proof"]["sequent"]):
                typer.echo(f"    {line}")
        said = f"it was {evidence.verdict.value}"
        if entry.steps and evidence.in_part:
            said = "the part was proved"
        elif evidence.verdict.value not in EXIT_OF_VERDICT:
            said = "it was examined"
        typer.echo(f"\n  how {said}" if lines else "\n  no proof is shown")
        for line in lines:
            typer.echo(f"    {line}")
    if asked:
        typer.echo()
        for line in asked:
            typer.echo(line)


def _is_claim(key: str) -> bool:
    """Whether a key is on record, or is that of a claim of another topic."""
    topic = key.partition(":")[0]
    if topic in record.topics():
        return key in record.read_record(record.record_path(topic))
    if not topics.known(topic):
        return False
    from dpbook.engine.claims import catalog

    return key in {claim.key for claim in catalog.load(topic)}


def _exercise(key: str) -> list[str]:
    """Return the question of an exercise and where it is asked; nothing where there is no such exercise."""
    topic, colon, _ = key.partition(":")
    if not colon or not (topic in GENERAL or topics.known(topic)):
        return []
    home = topics.find("privacy" if topic in GENERAL else topic).path
    homes = [home] if home.is_file() else [*home.glob("exercises.py"), *home.glob("exercises/*.py")]
    if not any(f'"{key}"' in home.read_text(encoding="utf-8") for home in homes):
        return []  # nothing is imported for that
    from dpbook.teaching import exercises

    try:
        found = exercises.find(key)
    except exercises.NoExercise:
        return []
    asked_in = [f"{name}:{number}" for named, name, number in _named_in_chapters() if named == key]
    # below the question of blanks stands their derivation
    question, *lines = repr(found).removeprefix(f"{key}: ").splitlines()
    return [
        f"{key}  an exercise",
        f"  question: {question}",
        *(f"  {line}" for line in lines),
        f"  asks for: {found.asks}",
        *([f"  asked in: {', '.join(asked_in)}"] if asked_in else []),
        f'  answer with: from dpbook import exercises; exercises.check("{key}", ...)',
    ]


def _named_in_chapters() -> Iterator[tuple[str, str, int]]:
    """Yield the keys that chapters name in their code, with file and line, in the order of the book."""
    for path in sorted((record.PACKAGE.parent / "chapters").glob("*.md")):
        name = str(path.relative_to(record.PACKAGE.parent))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for key in re.findall(r'"(\w+:[\w.-]+)"', line):
                yield key, name, number


@app.command()
def where(key: Annotated[str, typer.Argument(metavar="KEY")]) -> None:
    """Print where a claim stands, as file:line.

    KEY names a claim, such as privacy:renyi-normal. So too the lines of its numerical code, chapters
    and tests, the notebooks, and the file of its proof. A rule, an axiom or a lemma of the kernel is
    found by its name, such as "exp positive".
    """
    from dpbook.engine.claims.where import places, places_in_kernel

    for kind, place in places_in_kernel(key) or places(_found(key)):
        typer.echo(f"{kind:10}{place}")


@app.command("list")
def list_(
    what: Annotated[
        str,
        typer.Argument(
            metavar="[WHAT]",
            help="claims, exercises or topics; or whose claims: a topic, or a FILE.py of your own.",
        ),
    ] = "claims",
    of: Annotated[
        str, typer.Argument(metavar="[TOPIC | FILE.py]", help="Only one topic, or one file.")
    ] = "",
    *,
    topic: Annotated[str, typer.Option(help=f"Only one topic: {TOPICS}.")] = "",
) -> None:
    """List claims with their verdicts, exercises, or topics.

    dpbook list langevin lists the claims of a topic, dpbook list mine.py those of a file of your
    own. The verdicts are those on record; nothing is decided.
    """
    known = record.topics()
    if of and topic and of != topic:
        raise Unusable(f"give one topic: {of} or {topic}")
    topic = topic or of
    if topic.endswith(".py") or os.sep in topic:
        topic = topics.opened(Path(topic)).name
    file = Path(what if what.endswith(".py") else f"{what}.py")
    if what not in ("claims", "exercises", "topics") and what not in known:
        if _is_path(what) or topics.known(what):
            if topic:
                raise Unusable(f"give {what} without --topic")
            return _list_own(topics.opened(Path(what)) if _is_path(what) else topics.find(what))
        plain = what.lower().replace("-", "_")
        what = plain if plain in known else what
    if what in known:
        if topic and _topic(topic) != what:
            raise Unusable(f"give one topic: {what} or {_topic(topic)}")
        what, topic = "claims", what
    if topic in GENERAL and what != "exercises":
        raise Unusable(
            f"of {topic} there are exercises alone: dpbook list exercises --topic {topic}"
        )
    if topic not in GENERAL:
        topic = topic and _topic(topic)
    if topic and topic not in known and what == "claims":
        return _list_own(topics.find(topic))
    wanted = [topic] if topic else known
    if what == "topics":
        for name in wanted:
            typer.echo(f"{name}  {_claims(len(record.read_record(topics.find(name).record)))}")
        for name in topics.installed_names() if not topic else ():
            typer.echo(f"{name}  {_installed(name)}")
    elif what == "claims":
        for name in wanted:
            for key, row in record.read_record(record.record_path(name)).items():
                typer.echo(f"{row['verdict']:10}{key}")
    elif what == "exercises":
        from dpbook.teaching import exercises

        mine = topic and topic not in (*known, *GENERAL)
        known_ones = exercises.of_topic(topic) if mine else exercises.all_exercises()
        width = max(map(len, known_ones), default=0)
        of_book = () if mine else _named_in_chapters()
        asked = [key for key, _, _ in of_book if key in known_ones]
        for key in dict.fromkeys([*asked, *known_ones]):
            one = known_ones[key]
            if not topic or _of_topic(one.key, topic):
                typer.echo(f"{key:{width}}  {one.asks.partition(',')[0]}")
    else:
        raise Unusable(
            f"there are claims, exercises and topics to list, got {what}; it is no topic (dpbook "
            "list topics), and "
            + (
                f"claims of your own are in a Python file, such as {Path(what).stem}.py"
                if Path(what).suffix
                else f"there is no {file} with claims of your own in this folder"
            )
        )


def _installed(name: str) -> str:
    """Say of an installed topic how many claims are on record, or why it cannot be used."""
    try:
        one = topics.find(name)
        return f"{_claims(len(record.read_record(one.record)))}, installed at {one.path}"
    except ValueError as error:
        return str(error)


def _list_own(topic: Topic) -> None:
    """List the claims of a user's topic with their verdicts on record."""
    from dpbook.engine.claims import catalog
    from dpbook.ext import recorded

    rows = record.read_record(topic.record)
    unknown = []
    claims, faults = catalog.load_anew(topic)
    changed = recorded.changed(topic.name) if claims else ()
    for claim in claims:
        known = claim.key in rows and claim.key not in changed
        verdict = rows[claim.key]["verdict"] if known else "-"
        if verdict == "-":
            unknown.append(claim.key)
        typer.echo(f"{verdict:10}{claim.key}  {claim.title}")
    if unknown:
        typer.echo(
            f"-: not on record; dpbook verify {topics.from_here(topic.path)} --record decides and keeps them, "
            f"dpbook show {unknown[0]} decides one"
        )
    if faults:
        raise Unusable(faults[0])


def _of_topic(key: str, topic: str) -> bool:
    general = topic == "privacy" and key.partition(":")[0] in GENERAL
    return key.startswith(f"{topic}:") or general


@app.command()
def errata(
    names: Annotated[list[str] | None, typer.Argument(metavar="[TOPIC | KEY] ...")] = None,
    topic: Annotated[str, typer.Option(help=f"Only one topic: {TOPICS}.")] = "",
    whole: Annotated[
        bool,
        typer.Option(
            "--whole", help="Show each erratum whole: statement, counterexample and repair."
        ),
    ] = False,
) -> None:
    """List what is refuted as printed, and the repairs.

    Without a name their number is told by topic. A TOPIC, one of those that dpbook list topics
    names, has a line for each erratum; the KEY of a claim shows its erratum whole. Nothing is
    decided anew: the verdicts are those on record.
    """
    wanted = [*([topic] if topic else []), *(names or [])]
    wanted = [topics.opened(Path(name)).name if _is_path(name) else name for name in wanted]
    asked = [_key_on_record(name) if ":" in name else _topic(name) for name in wanted]
    others = {key.partition(":")[0] for key in asked} - {asked[0]} if topic else ()
    if others:
        raise Unusable(f"give one topic: {', '.join(sorted(others))} or {asked[0]}")
    from dpbook.engine.claims.errata import Errata
    from dpbook.ext import recorded

    named = list(dict.fromkeys(key.partition(":")[0] for key in asked or record.topics()))
    verdicts = {
        name: {key: row["verdict"] for key, row in recorded.verdicts(name).items()}
        for name in named
    }
    if empty := [name for name in named if not verdicts[name]]:
        raise Unusable(
            f"no claim of {empty[0]} is on record; first: dpbook verify "
            f"{topics.from_here(topics.find(empty[0]).path)} --record"
        )
    repairs = {}
    with _progress(len(named), "topic") as step:
        for name in named:
            repairs[name] = recorded.repairs(name)  # all claims of a topic are loaded for that
            if step is not None:
                step(name)
    changed = {
        key for name in named if name not in record.topics() for key in recorded.changed(name)
    }
    for key in asked:
        topic = key.partition(":")[0]
        if ":" in key and (key in changed or key not in verdicts[topic]):
            raise Unusable(
                f"{key} is not on record as it stands; first: dpbook verify {key} --record"
            )
    verdicts = {
        name: {key: said for key, said in rows.items() if key not in changed}
        for name, rows in verdicts.items()
    }
    found = Errata(asked, whole, verdicts, repairs, recorded.entry)
    listed = bool(asked or whole)
    for line in () if listed else found.by_topic():
        typer.echo(line)
    # on a terminal the errata themselves show how far it is
    quiet = sys.stdout.isatty() or not listed
    with nullcontext() if quiet else _progress(len(found.shown_whole), "erratum") as step:
        for key in found.refuted if listed else ():
            for line in found.lines(key):
                typer.echo(line)
            if step is not None and key in found.shown_whole:
                step(key)
    for line in found.closing():
        typer.echo(line)
    if changed:
        keys = ", ".join(sorted(changed))
        typer.echo(f"changed since put on record, so not listed: {keys}")


def _topic(name: str) -> str:
    """Return the topic that was meant; depth-medians and Langevin are understood."""
    if name not in record.topics() and topics.known(name):
        return name
    found = name.lower().replace("-", "_")
    if found in record.topics():
        return found
    raise Unusable(f"no topic {name}; there are {', '.join(record.topics())}")


def _key_on_record(key: str) -> str:
    """Return the key of a claim."""
    from dpbook.engine.claims import catalog

    found: str = catalog.find(key).key
    return found


@app.command()
def graph(
    key: Annotated[
        str,
        typer.Argument(
            metavar="[KEY | FILE.py | FOLDER]",
            help="Only this claim and all that it rests on; or the claims of a topic of your own.",
        ),
    ] = "",
    *,
    output: Annotated[Path, typer.Option(help="The SVG file to write, such as graph.svg.")],
    topic: Annotated[str, typer.Option(help=f"Only one topic: {TOPICS}.")] = "",
) -> None:
    """Draw which claim uses, cites or corrects which, as SVG.

    A browser shows the file; a claim stands to the right of all that it rests on.
    """
    from dpbook.engine.claims.drawing import svg
    from dpbook.ext import recorded

    if output.suffix != ".svg":
        raise ValueError(f"--output must end in .svg, got {output}")
    _in_a_folder(output)
    path = _is_path(key)
    if path:
        topic, key = topics.opened(Path(key)).name, ""
    named = [_topic(topic)] if topic else record.topics()
    if key:
        asked = _found(key)
        if topic and asked.topic not in named:
            raise Unusable(
                f"{key} is a claim of {asked.topic}, not of {named[0]}: leave --topic out"
            )
        # a claim may rest on claims of any topic
        named = list(dict.fromkeys([*record.topics(), asked.topic]))
    rows: list[dict[str, Any]] = []
    with _progress(len(named), "topic") as step:
        for name in named:
            rows += recorded.drawn(name)
            if step is not None:
                step(name)
    if key:
        known = {row["key"]: row for row in rows}
        below, ahead = set[str](), [asked.key]
        while ahead:
            one = ahead.pop()
            if one in known and one not in below:
                below.add(one)
                ahead += [*known[one]["using"], *known[one]["cites"]]
        rows = [row for row in rows if row["key"] in below]
    record.write_atomically(output, svg(rows))
    typer.echo(f"{_claims(len(rows))} drawn to {output}")


# --- new ------------------------------------------------------------------------------------------

starts = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(starts, name="new", help="Write a small start of a topic or of claims of your own.")


@starts.command("topic")
def new_topic(path: Annotated[Path, typer.Argument(metavar="NAME")]) -> None:
    """Write the folder NAME: claims, their notation, an exercise and a chapter."""
    from dpbook.ext import start

    for line in start.topic(path):
        typer.echo(line)


@starts.command("claims")
def new_claims(path: Annotated[Path, typer.Argument(metavar="FILE.py")]) -> None:
    """Write FILE.py with two claims, a faulty one and its repair."""
    from dpbook.ext import start

    for line in start.claims(path):
        typer.echo(line)


# --- study ----------------------------------------------------------------------------------------

studies = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(studies, name="study", help="List and run the papers' tables and figures.")


class Stopped(Exception):
    """Ctrl-C, or an order to end; the message says how to go on."""


@studies.command("list")
def study_list() -> None:
    """List the studies: name, what of the paper it is, title."""
    from dpbook.study import listed

    found = list(listed().values())
    width = max((len(one.name) for one in found), default=0)
    room = max((len(one.place) for one in found), default=0)
    for one in found:
        typer.echo(f"{one.name:{width}}  {one.place:{room}}  {one.title}")


OutFolder = Annotated[
    Path | None,
    typer.Option(
        help="Folder for cells and results; dpbook-studies/NAME-SCALE without it.", metavar="DIR"
    ),
]


@studies.command("run")
def study_run(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    scale: Annotated[
        str, typer.Option(help="quick, or paper: as large as in the paper.")
    ] = "quick",
    out: OutFolder = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in DIR.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of all random numbers.", min=0)] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Worker processes; without it one a processor, or none where all is done sooner "
            "than they start.",
            min=1,
        ),
    ] = None,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="local: start a Dask cluster of --jobs workers on this machine.", metavar="local"
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            help="Use the workers of a Dask cluster: the address of its scheduler.",
            metavar="ADDRESS",
        ),
    ] = None,
    part: Annotated[
        str | None,
        typer.Option(
            help="Only the i-th of N parts, into a folder of its own; dpbook study merge joins them.",
            metavar="i/N",
        ),
    ] = None,
    replicates: Annotated[
        int | None, typer.Option(help="Repetitions of each setting, other than usual.", min=1)
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="File or folder to read in place of the data that the study has.", metavar="PATH"
        ),
    ] = None,
) -> None:
    """Run a study, a table or figure of a paper.

    NAME is one of those that dpbook study list names. Its table, summary.json, picture and every
    finished cell stand in DIR.
    """
    from dpbook.study import find, run, run_part
    from dpbook.study.running import part_of

    study = find(name)
    if part and (cluster or scheduler):
        raise Unusable("give --part, --cluster or --scheduler, not two: a cluster has no parts")
    light = replicates is None and scale in study.scales and study.scales[scale].light
    if jobs is None and scheduler is None and (cluster or not light):
        jobs = min(os.cpu_count() or 1, 8)
    place = f"{name}-{scale}" + (f"-part-{part.replace('/', '-of-')}" if part else "")
    folder = out or Path("dpbook-studies") / place
    more: dict[str, Any] = {"scale": scale, "resume": resume, "seed": seed, "jobs": jobs}
    more |= {"replicates": replicates, "data": data}
    with _stoppable(folder):
        if part:
            count = run_part(study, part_of(part), out=folder, **more)
            typer.echo(f"part {part}, {count} cells, is in {folder}")
            typer.echo("dpbook study merge DIR ... joins the folders of all parts")
            return
        if cluster or scheduler:
            more |= {"cluster": cluster, "scheduler": scheduler}
        summary = run(study, out=folder, **more)
    _show_study(study, summary, folder)


@studies.command("merge")
def study_merge(
    folders: Annotated[list[Path], typer.Argument(metavar="DIR ...")],
    out: OutFolder = None,
    data: Annotated[
        Path | None, typer.Option(help="The data that the parts were run on.", metavar="PATH")
    ] = None,
) -> None:
    """Join the parts of a run."""
    from dpbook.study import merge
    from dpbook.study.store import manifest_in

    first = manifest_in(folders[0])
    folder = out or Path("dpbook-studies") / "{study}-{scale}".format(**first)
    with _stoppable(folder):
        study, summary = merge(folders, out=folder, data=data)
    _show_study(study, summary, folder)


@contextmanager
def _stoppable(folder: Path) -> Iterator[None]:
    """Say how a run in a folder goes on that was stopped, or whose cells have failed."""
    from dpbook.study import Incomplete

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        raise Stopped(
            f"stopped; the finished cells are in {folder}: the same command with --resume goes on"
        ) from None
    except Incomplete as incomplete:
        typer.echo(
            f"{incomplete}; the others are in {folder}, --resume tries these again", err=True
        )
        raise typer.Exit(1) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def _show_study(study: Study, summary: Summary, folder: Path) -> None:
    typer.echo(study.title)
    _show_rows(summary.rows)
    typer.echo(summary.describe())
    typer.echo(f"in {folder}: summary.json, {study.name}.png and the cells")


def _show_rows(rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name in rows[0]:
        table.add_column(Text(name), justify="right", no_wrap=True)
    for row in rows:
        shown = (f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values())
        table.add_row(*map(Text, shown))  # not markup
    Console(width=10_000).print(table)  # as wide as it has to be: numbers are never cut


# --- compile, lab ---------------------------------------------------------------------------------


@app.command("compile")
def compile_() -> None:
    """Compile all kernels and keep the machine code.

    A kernel is a loop behind a mechanism; otherwise each is compiled when it is first called. It takes
    minutes once; stopped by Ctrl-C, it goes on from there the next time.
    """
    _compile()
    typer.echo("the kernels of all topics are compiled")


def _compile() -> None:
    """Compile all kernels, with a progress bar on a terminal."""
    from dpbook.ext import kernels

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        calls = kernels.first_calls()
        with _progress(len(calls), "call") as step:
            kernels.compile_all(calls, step)
    except KeyboardInterrupt:
        raise Stopped("stopped; the kernels so far are kept: dpbook compile goes on") from None
    finally:
        signal.signal(signal.SIGTERM, before)


@app.command()
def lab(
    directory: Annotated[Path, typer.Argument(metavar="DIR")] = Path("dpbook-notebooks"),
    student: Annotated[bool, typer.Option("--student", help="Leave solutions out.")] = False,
    nbgrader: Annotated[
        bool, typer.Option("--nbgrader", help="Write a course folder for nbgrader; open nothing.")
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(help="With --nbgrader: each student has other numbers, drawn from it."),
    ] = None,
    chapters: Annotated[
        str | None,
        typer.Option(
            help="Only these, with commas: numbers or names of chapters, and chapter files of your own.",
            metavar="01,02,mine.md",
        ),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only copy.")] = False,
) -> None:
    """Copy the notebooks to DIR and open them in JupyterLab.

    All kernels are compiled before it opens, once: see dpbook compile.
    """
    from importlib.util import find_spec

    from dpbook.teaching import editions

    if student and nbgrader:
        raise Unusable("give --student or --nbgrader, not both: nbgrader cuts the solutions out")
    if seed is not None and not nbgrader:
        raise Unusable("--seed belongs to --nbgrader: it gives each student other numbers")
    opens = not (no_open or nbgrader)
    if opens and find_spec("jupyterlab") is None:
        raise Unusable(
            "JupyterLab is not installed: pip install 'dpbook[lab]' (in a clone: .venv/bin/pip install -c constraints.txt '.[lab]'), or copy only: --no-open"
        )
    edition = "nbgrader" if nbgrader else "student" if student else "reader"
    names = [name.strip() for name in (chapters or "").split(",")]
    if chapters is not None and "" in names:
        raise Unusable(f"--chapters needs chapters with commas between, got {chapters!r}")
    for line in editions.copy(
        directory, edition, seed=seed, chapters=names if chapters is not None else ()
    ):
        typer.echo(line)
    if opens:
        from dpbook.ext import kernels

        if not kernels.are_compiled():
            typer.echo("compiling all kernels once, which takes minutes", err=True)
            _compile()
        sys.stdout.flush()
        command = [
            sys.executable,
            "-m",
            "jupyterlab",
            f"--ServerApp.root_dir={directory.resolve()}",
        ]
        if os.geteuid() == 0:  # in a container; Jupyter refuses root otherwise
            command.append("--allow-root")
        os.execv(sys.executable, command)  # so that Ctrl-C is JupyterLab's


# --- book -----------------------------------------------------------------------------------------


@app.command()
def book(
    output: Annotated[Path, typer.Option(help="The folder to write.")] = Path("build/book"),
) -> None:
    """Build the HTML book.

    It is made from chapters and notebooks as they are; nothing is executed.
    """
    from dpbook.ext.book import build

    try:
        warnings = build(output, status=sys.stderr if sys.stderr.isatty() else None)
    except KeyboardInterrupt:
        raise Stopped(f"stopped; no book was written, {output} is as it was") from None
    for warning in warnings:
        typer.echo(warning, err=True)
    if warnings:
        raise typer.Exit(1)
    typer.echo(f"the book is in {output / 'index.html'}")


# --- requirements --------------------------------------------------------------------------------


@app.command()
def requirements(name: Annotated[str, typer.Argument(metavar="verify | check")]) -> None:
    """Write the packages that a CI needs, for pip install -r.

    verify: replay proofs on record, show cards, Sphinx and pytest. check: also decide claims anew, and
    draw graphs. As python -m dpbook requirements NAME it runs where
    pip install --no-deps has installed nothing but dpbook.
    """
    from dpbook.ext.requirements import listed

    typer.echo("\n".join(listed(name)))


# --- entry ----------------------------------------------------------------------------------------


def _in_python(message: str) -> str:
    """Say where a name that is no command is found, such as derive."""
    import dpbook

    asked = re.match(r"No such command '(\w+)'", message)
    if asked is None or not callable(getattr(dpbook, asked[1], None)):
        return message
    return f"{message} In Python: from dpbook import {asked[1]}"


def _failed(error: Exception) -> int:
    """Say which package is lacking, or where the traceback of a fault is; return the exit status."""
    from dpbook.ext.requirements import lacking

    # of a fault in another process only the text is known
    module = re.search(r"ModuleNotFoundError: No module named '([\w.]+)'", traceback.format_exc())
    if module and (said := lacking(ModuleNotFoundError(name=module[1]))):
        sys.stderr.write(f"{said}\n")
        return USAGE
    with tempfile.NamedTemporaryFile(
        "w", prefix="dpbook-fault-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(traceback.format_exc())
    sys.stderr.write(
        f"a fault of dpbook ({type(error).__name__}); the traceback is in {file.name}\n"
    )
    return FAULT


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; never shows a traceback."""
    try:
        stopped = app(
            args=list(arguments) if arguments is not None else None, standalone_mode=False
        )
        status = stopped if isinstance(stopped, int) else 0  # an Exit is returned, not raised
        if status == STOPPED:
            raise KeyboardInterrupt  # typer has made an Exit of it
    except typer.Exit as stop:
        status = stop.exit_code
    except CLICK_ERROR as error:
        sys.stderr.write(f"{_in_python(error.format_message())}\n")
        status = USAGE
    except (typer.Abort, KeyboardInterrupt):
        sys.stderr.write("\nstopped; what was decided is remembered\n")
        status = STOPPED
    except Stopped as stop:
        sys.stderr.write(f"\n{stop}\n")
        status = STOPPED
    except ValueError as error:
        sys.stderr.write(f"{' '.join(str(error).split())}\n")
        status = USAGE
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        sys.stderr.write(f"{error}\n")
        status = USAGE
    except Exception as error:
        status = _failed(error)
    if arguments is None:
        gc.freeze()  # at the end of a process no cycles need to be looked for
    sys.exit(status)
