"""Find topics, and the places of their claims, records and proofs.

A topic is a Python file, or a package that has a package ``claims``. It belongs to the book, or it
is installed and named by the entry point ``dpbook.topics``, or it is a folder or file of the user.
A topic is found without running its code; loading it (`dpbook.engine.claims.catalog`) runs it.
"""

from __future__ import annotations

import difflib
import importlib.util
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpbook.engine.claims import record

if TYPE_CHECKING:
    from importlib import metadata

GROUP = "dpbook.topics"


class NoTopic(ValueError):
    """Report that there is no such topic, or that a file or folder cannot be a topic."""


@dataclass(frozen=True)
class Topic:
    """Represent a topic, with the places of its code, record and proofs.

    Attributes
    ----------
    name : str
        The name with which the keys of its claims begin.
    path : Path
        Its file, or the folder of its package.
    module : str
        The name under which Python imports it.
    installed : bool
        Whether an entry point names it: it is imported like every installed package.
    """

    name: str
    path: Path
    module: str
    installed: bool = False

    @property
    def is_file(self) -> bool:
        return self.path.suffix == ".py"

    @property
    def of_the_book(self) -> bool:
        return self.module.startswith("dpbook.")

    @property
    def own(self) -> bool:
        """Say whether the topic is a file or folder of the user, imported from its place."""
        return not (self.installed or self.of_the_book)

    @property
    def record(self) -> Path:
        """Return the file of its verdicts on record."""
        if self.is_file:
            return self.path.with_suffix(".record.json")
        return self.path / "claims" / "record.json"

    @property
    def folder(self) -> Path:
        """Return the folder in which its record and its proofs are."""
        return self.path.parent if self.is_file else self.path

    @property
    def root(self) -> Path:
        """Return the folder from which Python imports it."""
        return self.folder if self.is_file else self.path.parents[self.module.count(".")]

    def read_only(self) -> str:
        """Say in a line why the topic cannot go on record; return "" if it can."""
        if self.of_the_book or not (self.installed or _in_site_packages(self.path)):
            return ""
        if _in_site_packages(self.path):
            where = f"dpbook verify PATH/{self.name} --record, with the folder of its source"
        else:
            where = f"dpbook verify {self.path} --record"
        return f"{self.name} is an installed topic, which is read-only; put it on record: {where}"


def book(name: str) -> Topic:
    """Return a topic of the book, by its name."""
    return Topic(name, record.PACKAGE / name, f"dpbook.{name}")


def at(path: Path) -> Topic:
    """Return the topic at a path that the user gave: a file, or the folder of a package.

    Raises
    ------
    NoTopic
        When there is no topic, or it has the name of a topic of the book or of another module.
    """
    shown, path = path, path.resolve()
    if path.parent == record.PACKAGE and path.name in record.topics():
        return book(path.name)
    is_file = path.suffix == ".py"
    name = path.stem if is_file else path.name
    if is_file and not path.is_file():
        raise NoTopic(f"{shown}: no such file")
    if not is_file and not _has_claims(path):
        raise NoTopic(
            f"{shown}: no topic; a topic is a FILE.py, or a folder with claims/__init__.py; "
            f"dpbook new topic {name if name.isidentifier() else 'NAME'} writes a start"
        )
    if name in record.topics():
        raise NoTopic(f"{path.name} is called as the topic {name}; give it another name")
    if is_file:
        if "." in name:
            raise NoTopic(f"{path.name} has a dot in its name, and is no Python module; rename it")
        # a file called random.py must not take the place of Python's own module
        return Topic(name, path, f"own_{name}" if other_module(name, path) else name)
    if not (name.isidentifier() and name.isascii() and name.islower()):
        raise NoTopic(
            f"the name of a topic is small letters, digits and _, as in my_topic, got {name}"
        )
    return Topic(name, path, module_at(path))


def _has_claims(folder: Path) -> bool:
    return (folder / "claims" / "__init__.py").is_file()


def module_at(folder: Path) -> str:
    """Return the name under which Python imports the package in a folder: with those around it."""
    parts = [folder.name]
    for above in folder.parents:
        if not (above / "__init__.py").is_file():
            break
        parts.insert(0, above.name)
    return ".".join(parts)


def other_module(name: str, path: Path) -> bool:
    """Say whether Python finds a module of this name that is not the module at the path."""
    spec = importlib.util.find_spec(name) if name.isidentifier() else None
    return spec is not None and (
        spec.origin is None or Path(spec.origin).resolve() not in (path, path / "__init__.py")
    )


OPENED: dict[str, Topic] = {}  # files and folders that the user opened, by name


@dataclass(frozen=True, eq=False)
class Loading:
    """Represent one import of a topic that is not the book's: each is another one."""

    topic: Topic

    def holds(self, file: Path) -> bool:
        """Say whether a file of code is the topic's, or in its folder."""
        return file.resolve().is_relative_to(self.topic.path)


LOADING: list[Loading] = []  # that go on now; a topic may load another one


def opened(path: Path) -> Topic:
    """Return the topic at a path; from now on its name means this topic."""
    made = at(path)
    OPENED[made.name] = made
    return made


def find(name: str) -> Topic:
    """Return a topic by its name.

    The search covers the topics of the book, topics opened by a path, installed topics, and the
    current folder: NAME.py, or the folder NAME. An installed topic that has the same claims and
    record as the folder was installed from it, and is taken.

    Raises
    ------
    NoTopic
        When there is no such topic, or there are two; the message names the nearest, or both.
    """
    if name in record.topics():
        return book(name)
    if name in OPENED:
        return OPENED[name]
    found = list(_called(name))
    if len({one.path for one in found}) > 1 and len({_content(one) for one in found}) > 1:
        places = " and ".join(str(one.path) for one in found)
        raise NoTopic(f"there are two topics {name}: {places}; rename one, or give its path")
    if not found:
        known = [*record.topics(), *OPENED, *_entry_points()]
        near = difflib.get_close_matches(name, known, 1)
        hint = f"; nearest: {near[0]}" if near else f"; there are {', '.join(known)}"
        raise NoTopic(f"no topic {name}{hint}")
    return found[0]


def _content(topic: Topic) -> frozenset[tuple[str, bytes]]:
    """Return the code and the record of a topic, by their places below its folder."""
    code = [topic.path] if topic.is_file else list(topic.path.rglob("*.py"))
    files = [file for file in (*code, topic.record) if file.is_file()]
    return frozenset((str(file.relative_to(topic.folder)), file.read_bytes()) for file in files)


def known(name: str) -> bool:
    """Say whether there is a topic of this name.

    Raises
    ------
    NoTopic
        When there are two.
    """
    return name in record.topics() or name in OPENED or any(True for _ in _called(name))


def _called(name: str) -> Iterator[Topic]:
    """Yield the topics of a name that are installed, or stand in the current folder."""
    if not name.isidentifier():
        return
    if name in _entry_points():
        yield installed(name)
    if Path(f"{name}.py").is_file():
        yield at(Path(f"{name}.py"))
    if _has_claims(Path(name)):
        yield at(Path(name))


def installed(name: str) -> Topic:
    """Return an installed topic.

    Raises
    ------
    NoTopic
        When its package cannot be found, or two packages name it.
    """
    points = _entry_points()[name]
    where = [f"{p.value} of {p.dist.name if p.dist else 'a package'}" for p in points]
    if name in record.topics():
        raise NoTopic(f"{where[0]} is called as the topic {name} of the book; rename it")
    if len({point.value for point in points}) > 1:
        raise NoTopic(f"two installed topics are called {name}: {' and '.join(where)}; remove one")
    module = points[0].value
    if module.rpartition(".")[2] != name:
        raise NoTopic(f"the entry point {name} names {module}; its last part must be {name}")
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, SyntaxError) as error:
        raise NoTopic(f"the installed topic {name} cannot be imported: {error}") from error
    if spec is None or spec.origin is None:
        raise NoTopic(f"the installed topic {name} cannot be imported: there is no module {module}")
    origin = Path(spec.origin).resolve()
    path = origin.parent if origin.name == "__init__.py" else origin
    if path.is_dir() and not _has_claims(path):
        raise NoTopic(f"the installed topic {name} has no package claims: {path}")
    return Topic(name, path, module, installed=True)


def installed_names() -> list[str]:
    """Return the names of the topics that are installed, in order."""
    return sorted(set(_entry_points()) - set(record.topics()))


@cache
def _entry_points() -> dict[str, list[metadata.EntryPoint]]:
    from importlib import metadata  # it takes time

    found: dict[str, list[metadata.EntryPoint]] = {}
    for point in metadata.entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return found


def _in_site_packages(path: Path) -> bool:
    homes = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    return any(path.is_relative_to(Path(home).resolve()) for home in homes)


def of_code(path: Path) -> tuple[str, Path] | None:
    """Return name and place of the topic to which a file of code belongs; None if it is no file.

    A file in a package ``claims`` belongs to the package around it; any other file is a topic.
    """
    if not path.is_file():
        return None
    topic = path.parent.parent
    if path.parent.name == "claims" and _has_claims(topic):
        return topic.name, topic
    return path.stem, path


def of_claim(claim: Any) -> Topic | None:
    """Return the topic of a claim, also if it was not loaded as a topic; None in a notebook."""
    if claim.topic in record.topics():
        return book(claim.topic)
    if (found := of_code(Path(claim.file))) is None:
        return None
    name, path = found
    if name in OPENED and OPENED[name].path == path.resolve():
        return OPENED[name]
    return Topic(name, path, claim.module.partition(".claims")[0])


@contextmanager
def importable(topic: Topic) -> Iterator[None]:
    """Let Python import a user's own topic from its place, and write no files beside it.

    Claims that are declared meanwhile know that the topic is loaded.

    Raises
    ------
    NoTopic
        When Python has imported another module of that name.
    """
    if topic.of_the_book:
        yield
        return
    top = topic.module.partition(".")[0]
    there = getattr(sys.modules.get(top), "__file__", None)
    another = there is not None and not Path(there).resolve().is_relative_to(topic.root / top)
    if topic.own and not topic.is_file and (another or top in sys.builtin_module_names):
        raise NoTopic(f"{topic.path}: Python has another module {top}; rename the folder")
    LOADING.append(Loading(topic))
    try:
        with from_its_place(topic) if topic.own else nullcontext():
            yield
    finally:
        LOADING.pop()


@contextmanager
def from_its_place(topic: Topic) -> Iterator[None]:
    """Let Python import the modules beside a user's own topic, and write no files there."""
    folder, writes = str(topic.root), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True  # a folder of the user stays as it was
    try:
        yield
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes


def from_here(path: Path) -> Path:
    """Return a path from the current folder if it is below it; any other path as it is."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path
