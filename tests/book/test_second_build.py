"""A page that is not as expected fails each build with -W, also one that finds the page unchanged."""

import subprocess
import sys

PAGE = "Title\n=====\n\n.. check::\n\n   {}\n"


def _status(folder):
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", ".", "_build"]
    return subprocess.run(command, cwd=folder, capture_output=True).returncode


def test_second_build_fails_as_the_first(tmp_path):
    (tmp_path / "conf.py").write_text('extensions = ["dpbook.ext.sphinx"]\n')
    page = tmp_path / "index.rst"
    page.write_text(PAGE.format("x^2 >= 1"))
    assert _status(tmp_path) == 1
    assert _status(tmp_path) == 1
    page.write_text(PAGE.format("x^2 >= 0"))
    assert _status(tmp_path) == 0
