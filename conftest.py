"""What holds for every test run: notebooks run without the network."""

import os
import tempfile
from pathlib import Path

import pytest

from dpbook.teaching import offline


def pytest_configure(config: pytest.Config) -> None:
    """Give the kernels that nbval starts an IPython folder in which the network is refused."""
    if config.getoption("nbval", default=False):
        folder = tempfile.TemporaryDirectory(prefix="dpbook-ipython-")
        config.add_cleanup(folder.cleanup)
        os.environ.update(offline.environment(Path(folder.name)))
