"""Where there is no browser the tests say so, or fail where one is required."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("required", [False, True])
def test_a_missing_browser_is_named(required, tmp_path):
    environment = {**os.environ, "PATH": str(tmp_path), "COLUMNS": "300"}
    environment.pop("DPBOOK_BROWSER", None)
    if required:
        environment["DPBOOK_BROWSER"] = "required"
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q"]
    done = subprocess.run(
        [*command, str(HERE / "test_explorer.py")],
        capture_output=True,
        text=True,
        env=environment,
        cwd=HERE.parents[1],
        check=False,
    )
    assert "Chromium (Debian: apt-get install chromium)" in done.stdout
    if required:
        assert done.returncode == 1
        assert "a browser is required here" in done.stdout
        assert "passed" not in done.stdout
        assert "skipped" not in done.stdout
    else:
        assert done.returncode == 0
        assert "The live widgets were not tried in a browser: missing" in done.stdout
        assert "3 skipped" in done.stdout
