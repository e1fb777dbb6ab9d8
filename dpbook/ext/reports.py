"""Report a verification to code hosts: JUnit, annotations of GitHub, SARIF.

Each shows where a claim stands, as file and line below the folder in which the command runs, its
statement, and its counterexample.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from dpbook import __version__
from dpbook.engine.claims import topics
from dpbook.engine.claims.record import Row

SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
RULES = {
    "verdict": "The verdict of a claim differs from the record, or from what the claim declares.",
    "record": "What is on record has no claim.",
    "import": "A file of claims, or its record, cannot be read.",
}
_PLACE_OF_FAULT = re.compile(
    r"(.+?)(?::(\d+))?(?=: | cannot be imported: | holds no claim;| is not a record of verdicts: )"
)
_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Problem:
    """Hold one failure and its place.

    Attributes
    ----------
    rule : str
        One of `RULES`.
    key : str
        The claim's key; of a file that cannot be imported its path.
    file : str
    line : int
        From 1 on; of a record, which has none, 1.
    title : str
        What fails, in a line.
    lines : tuple of str
        More about it: statement, counterexample, reason.
    """

    rule: str
    key: str
    file: str
    line: int
    title: str
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return all that is said of it."""
        return "\n".join((self.title, *self.lines))


def problems(
    rows: Sequence[Row], differing: Mapping[str, str], broken: Sequence[str]
) -> Iterator[Problem]:
    """Yield the failures: claims that differ, records without a claim, broken files."""
    known = set()
    for row in rows:
        known.add(row["key"])
        if row["key"] in differing:
            file, line = place(row["location"])
            title = f"{row['key']} is {row['verdict']}: {differing[row['key']]}"
            yield Problem("verdict", row["key"], file, line, title, details(row))
    for key, why in differing.items():
        if key not in known:
            file, _ = place(_record_of(key, rows))
            yield Problem("record", key, file, 1, f"{key}: {why}")
    for said in broken:
        found = _PLACE_OF_FAULT.match(said)
        file, _ = place(found[1] if found else said)
        yield Problem("import", file, file, int(found[2] or 1) if found else 1, said)


def _record_of(key: str, rows: Sequence[Row]) -> str:
    """Return the record of a key's topic; for a foreign key, the record of the claims beside it."""
    for name in (key.partition(":")[0], *(row["topic"] for row in rows)):
        with suppress(topics.NoTopic):
            return str(topics.find(name).record)
    return key


def details(row: Row) -> tuple[str, ...]:
    """Return the statement, counterexample and reason of a failure, in words."""
    lines = [f"statement: {row['statement']}"] if row["statement"] else []
    if row["given"]:
        lines.append(f"given: {', '.join(row['given'])}")
    point = row["counterexample"]
    if isinstance(point, dict):
        point = ", ".join(f"{name} = {value}" for name, value in point.items())
    lines += [f"counterexample: {point}"] if point else []
    known = (point, f"{row['statement']} is false")  # the second of a statement about numbers
    lines += [f"there: {row['finding']}"] if row["finding"] and row["finding"] not in known else []
    return (*lines, row["reason"]) if row["reason"] else tuple(lines)


def place(location: str) -> tuple[str, int]:
    """Return file and line of a location; the file from this folder where it is below it."""
    file, _, line = location.rpartition(":") if re.search(r":\d+$", location) else (location, "", 1)
    return topics.from_here(Path(file)).as_posix(), int(line)


def junit(rows: Sequence[Row], differing: Mapping[str, str], broken: Sequence[str] = ()) -> str:
    """Return the report as JUnit: a test for each claim, and for each file that is broken."""
    failing = {one.key: one for one in problems(rows, differing, broken)}
    cases = []
    for row in rows:
        file, line = place(row["location"])
        names = {"classname": row["topic"], "name": row["label"], "file": file, "line": str(line)}
        cases.append((names | {"time": str(row["seconds"])}, failing.pop(row["key"], None)))
    for one in failing.values():
        topic, _, label = one.key.rpartition(":") if one.rule == "record" else ("", "", one.key)
        names = {"classname": topic or one.file, "name": label, "file": one.file}
        cases.append((names | {"line": str(one.line)}, one))
    failures = sum(found is not None for _, found in cases)
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<testsuite name="dpbook" tests="{len(cases)}" failures="{failures}">',
    ]
    for names, found in cases:
        head = " ".join(f"{name}={quoteattr(_xml(value))}" for name, value in names.items())
        if found is None:
            lines.append(f"  <testcase {head}/>")
            continue
        body = escape(_xml("\n".join((*found.lines, f"{found.file}:{found.line}"))))
        message = quoteattr(_xml(found.title))
        lines.append(f"  <testcase {head}><failure message={message}>{body}</failure></testcase>")
    return "\n".join([*lines, "</testsuite>"])


def _xml(text: str) -> str:
    return _NOT_IN_XML.sub("?", text)


def github(rows: Sequence[Row], differing: Mapping[str, str], broken: Sequence[str] = ()) -> str:
    """Return a command for GitHub's workflow log for each problem: it shows it at the line."""

    def value(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def named(text: str) -> str:
        return value(text).replace(":", "%3A").replace(",", "%2C")

    return "\n".join(
        f"::error file={named(one.file)},line={one.line},title={named(f'dpbook: {one.key}')}"
        f"::{value(one.text)}"
        for one in problems(rows, differing, broken)
    )


def sarif(rows: Sequence[Row], differing: Mapping[str, str], broken: Sequence[str] = ()) -> str:
    """Return the report as SARIF 2.1.0, which code hosts show at the lines."""
    order = list(RULES)
    results = [
        {
            "ruleId": one.rule,
            "ruleIndex": order.index(one.rule),
            "level": "error",
            "message": {"text": one.text},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": _artifact(one.file),
                        "region": {"startLine": one.line},
                    }
                }
            ],
            "partialFingerprints": {"claim/v1": one.key},
        }
        for one in problems(rows, differing, broken)
    ]
    rules = [{"id": name, "shortDescription": {"text": said}} for name, said in RULES.items()]
    driver = {"name": "dpbook", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {"$schema": SARIF, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2, ensure_ascii=False)


def _artifact(file: str) -> dict[str, Any]:
    path = Path(file)
    if path.is_absolute():
        return {"uri": path.as_uri()}
    from urllib.parse import quote

    return {"uri": quote(path.as_posix()), "uriBaseId": "%SRCROOT%"}
