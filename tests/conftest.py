"""Names of the cases of a test: dpbook's own objects by what they show, the rest as pytest does."""

import pytest


@pytest.hookimpl
def pytest_make_parametrize_id(config, val, argname):
    return str(val) if type(val).__module__.startswith("dpbook.") else None
