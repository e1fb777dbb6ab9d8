"""Collect and run the tests of ``pytest --dpbook``: one for each claim, and for each line of a derivation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from dpbook.engine.claims import catalog, topics
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.verification import decided_now
from dpbook.engine.derive.derivation import Derivation, Step
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.run.workers import NotStarted
from dpbook.ext import found, reports
from dpbook.ext.cells import checked, derived, read_cell, step_rows
from dpbook.ext.pytest_plugin import holds_claims

LOADED = pytest.StashKey[dict[Path, "Loaded"]]()


@dataclass(frozen=True)
class Loaded:
    """A topic that was loaded in this run: its claims, and a line for each part that cannot be."""

    topic: topics.Topic | None
    claims: list[Claim]
    faults: list[str]

    def meant(self) -> None:
        """Let the name of the topic mean this one: a run may hold two files of one name."""
        if self.topic is not None and self.topic.own:
            catalog.restore(self.topic, self.claims)


class Differs(Exception):
    """Show a failure without a traceback, which would not help."""


class Claims(pytest.File):
    """A file of claims, or a document in which claims stand."""

    def __init__(self, *, holds: bool, **rest: Any) -> None:
        super().__init__(**rest)
        self.holds = holds

    def collect(self) -> Iterator[pytest.Item]:
        _open_named(self.config)
        names: dict[str, int] = {}
        for name, line, test in self._tests():
            names[name] = names.get(name, 0) + 1
            shown = name if names[name] == 1 else f"{name}-{names[name]}"
            yield One.from_parent(self, name=shown, line=line, test=test)

    def _tests(self) -> Iterator[tuple[str, int, Any]]:
        if self.holds:
            yield from self._own()
        try:
            inside = found.examples(self.path, self.path.read_text(encoding="utf-8-sig"))
        except UnicodeDecodeError as error:
            line = error.object.count(b"\n", 0, error.start) + 1
            yield "document", line, Broken("this is not UTF-8: save the file as UTF-8")
            return
        except ValueError as error:
            if not (self.holds and self.path.suffix == ".py"):  # it says so when it is imported
                yield "document", 1, Broken(str(error))
            return
        for one in inside:
            if one.kind == "claim":
                yield one.text, one.line, Named(one.text, self.config)
            elif one.kind == "check":
                yield f"check-{one.line}", one.line, Statement(one)
            else:
                yield from _lines(f"derive-{one.line}", one.line, Block(one), one)

    def _own(self) -> Iterator[tuple[str, int, Any]]:
        """The claims of a file, and the derivations at its top level."""
        loaded = _loaded(self.config, self.path)
        here = self.path.resolve()
        claims = [c for c in loaded.claims if Path(c.file).resolve() == here]
        for fault in loaded.faults:
            problem = next(reports.problems((), {}, [fault]))
            place = Path(problem.file).resolve()
            if place == here:
                yield "import", problem.line, Broken(fault)
            elif not (claims and _holds_claims(place)):  # else it is shown with that file
                yield "import", 1, Broken(fault)
        for claim in claims:
            yield claim.label, reports.place(claim.location)[1], Own(claim, loaded)


def _holds_claims(path: Path) -> bool:
    return path.is_file() and holds_claims(path.read_text(encoding="utf-8", errors="replace"))


def _open_named(config: pytest.Config) -> None:
    """Let the documents name the claims of the files and folders that the configuration names."""
    named: dict[str, topics.Topic] = {}
    for path in config.getini("dpbook_claims"):
        try:
            one = topics.at(Path(path))
        except topics.NoTopic as error:
            raise pytest.UsageError(f"dpbook_claims: {error}") from None
        if (other := named.setdefault(one.name, one)) != one:
            said = f"{other.path} and {one.path} are both called {one.name}; rename one"
            raise pytest.UsageError(f"dpbook_claims: {said}")
        topics.OPENED.setdefault(one.name, one)


def _loaded(config: pytest.Config, path: Path) -> Loaded:
    """The claims of the topic of a file, loaded once in a run."""
    known = config.stash.setdefault(LOADED, {})
    place = topics.of_code(path.resolve())
    home = path if place is None else place[1]
    if home not in known:
        try:
            topic = topics.at(home)
        except topics.NoTopic as error:
            return Loaded(None, [], [f"{path}: {error}"])
        if topic.of_the_book:
            known[home] = Loaded(topic, catalog.load(topic.name), [])
        else:
            known[home] = Loaded(topic, *catalog.load_anew(topic))
    return known[home]


def _meant(config: pytest.Config, name: str) -> Loaded | None:
    """Return the topic of the run that a document means by a name: a configured topic comes first.

    Raises
    ------
    ValueError
        When the run holds two of that name.
    """
    for path in config.getini("dpbook_claims"):
        if topics.at(Path(path)).name == name:
            return _loaded(config, topics.at(Path(path)).path)
    found = [
        one
        for one in config.stash.get(LOADED, {}).values()
        if one.topic is not None and one.topic.name == name
    ]
    if len(found) > 1:
        places = " and ".join(str(one.topic.path) for one in found if one.topic)
        raise ValueError(f"there are two topics {name}: {places}; name one in dpbook_claims")
    return found[0] if found else None


def _lines(
    name: str, start: int, block: Block, one: found.Example
) -> Iterator[tuple[str, int, Any]]:
    """A test for each line of a derivation that follows from another one; one where it has one line."""
    rows = step_rows(one.text)
    if len(rows) < 2 or one.expect != "proved":
        yield name, start, Line(block, None)
        return
    for index, row in enumerate(rows[1:], 1):
        line = one.rows[row] if one.rows else start
        yield f"{name}-line-{index + 1}", line, Line(block, index)


class Own:
    """A claim is as on record, or as it is declared."""

    def __init__(self, claim: Claim, loaded: Loaded | None = None) -> None:
        self.claim = claim
        self.loaded = loaded

    def run(self) -> None:
        """Decide it.

        Raises
        ------
        Differs
            When the verdict is another one.
        """
        if self.loaded is not None:
            self.loaded.meant()
        row, why = decided_now(self.claim)
        if why:
            [problem] = reports.problems([row], {row["key"]: why}, ())
            raise Differs(problem.text)


class Named:
    """Test that a key in a document names a claim, and that the claim is as on record."""

    def __init__(self, key: str, config: pytest.Config) -> None:
        self.key = key
        self.config = config

    def run(self) -> None:
        """Find the claim and decide it; as `Own.run`."""
        loaded = _meant(self.config, self.key.partition(":")[0])
        if loaded is not None:
            loaded.meant()
        Own(catalog.find(self.key)).run()


class Broken:
    """A part that cannot be read."""

    def __init__(self, said: str) -> None:
        self.said = said

    def run(self) -> None:
        """Say so.

        Raises
        ------
        Differs
            Always.
        """
        raise Differs(self.said)


class Statement:
    """A statement in a document has the verdict that is expected."""

    def __init__(self, example: found.Example) -> None:
        self.example = example

    def run(self) -> None:
        """Decide it; as `Own.run`."""
        made = checked(self.example.text)
        if made.verdict is not _expected(self.example):
            head, *rest = repr(made.evidence).splitlines()
            raise Differs("\n".join([f"{head}; {self.example.expect} is expected", *rest]))


class Block:
    """A derivation in a document, checked once for the tests of its lines."""

    def __init__(self, example: found.Example) -> None:
        self.example = example

    @cached_property
    def made(self) -> Derivation:
        return derived(self.example.text)


class Line:
    """A line of a derivation follows; without an index the whole has the verdict that is expected."""

    def __init__(self, block: Block, index: int | None) -> None:
        self.block = block
        self.index = index

    def run(self) -> None:
        """Check the derivation, and look at the line; as `Own.run`."""
        made, example = self.block.made, self.block.example
        count = len(read_cell(example.text)[1])
        if self.index is None or len(made.steps) != count:  # a line may be a chain of several
            right = made.verdict is _expected(example)
        else:
            right = _follows(made.steps[self.index])
        if not right:
            where = "" if self.index is None else f"line {self.index + 1}: "
            raise Differs(f"{where}{example.expect} is expected\n{made!r}")


def _follows(step: Step) -> bool:
    return step.evidence is not None and step.evidence.holds


def _expected(example: found.Example) -> Verdict:
    try:
        return Verdict(example.expect)
    except ValueError:
        known = ", ".join(verdict.value for verdict in Verdict)
        raise ValueError(f"expect must be one of {known}, got {example.expect}") from None


class One(pytest.Item):
    """A test of a claim; what fails is shown without a traceback."""

    def __init__(self, *, line: int, test: Any, **rest: Any) -> None:
        super().__init__(**rest)
        self.line = line
        self.test = test

    def runtest(self) -> None:
        self.test.run()

    def reportinfo(self) -> tuple[Path, int, str]:
        cells = self.path.suffix == ".ipynb"
        where = f", cell {self.line}" if cells else ""
        return self.path, 0 if cells else self.line - 1, f"{self.name}{where}"

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if not isinstance(excinfo.value, (Differs, ValueError, NotStarted)):
            return super().repr_failure(excinfo, style)
        cell = self.path.suffix == ".ipynb"
        place = reports.place(str(self.path))[0]
        return f"{excinfo.value}\n{place}{', cell ' if cell else ':'}{self.line}"
