"""What holds for all tests: names of their cases, and that they can be interrupted."""

import signal

import pytest


def pytest_configure():
    """Let a process that a test starts be interrupted, also where a shell runs the tests beside others.

    Such a shell has its processes ignore interrupts, and what they start inherits that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl
def pytest_make_parametrize_id(config, val, argname):
    """Dpbook's own objects by what they show, the rest as pytest does."""
    return str(val) if type(val).__module__.startswith("dpbook.") else None
