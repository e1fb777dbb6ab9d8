"""What holds for all tests: names of their cases, which are long, and that they can be interrupted."""

import signal
from pathlib import Path

import pytest


def pytest_configure():
    """Let a process that a test starts be interrupted, also where a shell runs the tests beside others.

    Such a shell has its processes ignore interrupts, and what they start inherits that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


class NotThere(pytest.Item):
    """A line of long.txt that names no test: a test that fails."""

    def runtest(self):
        """Say so; an error of the collection ends the workers of xdist without a word."""
        pytest.fail(f"tests/long.txt names a test that there is not: {self.name}", pytrace=False)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session, config, items):
    """Mark the tests that long.txt names: ``make test`` leaves them to ``.ci/full``.

    A line of it is a file, a function of one, or one case of a function.
    """
    lines = Path(__file__).with_name("long.txt").read_text().splitlines()
    unused = set(lines)
    for item in items:
        function = item.nodeid.partition("[")[0]
        names = {item.nodeid, function, function.partition("::")[0]}.intersection(lines)
        unused -= names
        if names:
            item.add_marker("long")
    # A line matches something wherever its file is collected as a whole.
    whole = not config.getoption("lf", default=False) and not any(
        "::" in argument for argument in config.args
    )
    collected = {item.nodeid.partition("::")[0] for item in items}
    for line in sorted(unused):
        file = line.partition("::")[0]
        if not (config.rootpath / file).is_file() or (whole and file in collected):
            items.append(NotThere.from_parent(session, name=line, nodeid=f"tests/long.txt::{line}"))


@pytest.hookimpl
def pytest_make_parametrize_id(config, val, argname):
    """Dpbook's own objects by what they show, the rest as pytest does."""
    return str(val) if type(val).__module__.startswith("dpbook.") else None


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """Remember verdicts in a folder of this test, and forget afterwards the topics that it made."""
    from dpbook.engine.claims import catalog, record, topics

    monkeypatch.setenv("DPBOOK_CACHE", str(tmp_path / "cache"))
    record.cache_folder.cache_clear()
    known = record.topics()
    yield tmp_path / "cache"
    record.cache_folder.cache_clear()
    for name in {*catalog.LOADED, *topics.OPENED}:
        catalog.forget(name)
    for key in [key for key, c in catalog.REGISTRY.items() if c.topic not in known]:
        del catalog.REGISTRY[key]
