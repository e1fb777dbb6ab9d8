"""The kernel runs in Pyodide, which `.ci/full` tries; where node is missing, one line says so."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_without_node_the_script_says_so_in_one_line(tmp_path):
    for name in ("bash", "dirname"):
        os.symlink(shutil.which(name), tmp_path / name)
    done = subprocess.run(
        [ROOT / ".ci" / "pyodide"],
        env={"PATH": str(tmp_path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout == "not done: Pyodide needs node and npm, which are not here\n"
    assert not done.stderr
