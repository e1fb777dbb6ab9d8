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


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark the tests that long.txt names: ``.ci/run`` leaves them to ``make test`` and ``.ci/full``."""
    long = set(Path(__file__).with_name("long.txt").read_text().splitlines())
    for item in items:
        if item.nodeid in long:
            item.add_marker("long")
    ignored = tuple(
        config.getoption("ignore") or ()
    )  # the tests of pages run in a step of their own
    lost = {name for name in long - {i.nodeid for i in items} if not name.startswith(ignored)}
    if lost and config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        raise pytest.UsageError(f"tests/long.txt names a test that there is not: {min(lost)}")


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
