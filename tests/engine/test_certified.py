"""Which statements of the problem collections the search proves, in how much work: compared, both ways.

The search counts goals, so every machine has the same result. After a change that is meant,
``python tests/engine/test_certified.py`` writes the file anew, and its difference is read.
"""

import importlib.util
import os
from pathlib import Path

import pytest

from dpbook.engine.language.budget import alarm
from dpbook.engine.language.task import SHORT, Certified, make_task
from dpbook.engine.prove.certify import certify
from dpbook.engine.read.readings import read_statement

ROOT = Path(__file__).resolve().parents[2]
FILE = Path(__file__).parent / "problems" / "certified.list"
_specification = importlib.util.spec_from_file_location("trial", ROOT / "benchmarks" / "trial.py")
trial = importlib.util.module_from_spec(_specification)
_specification.loader.exec_module(trial)

PROBLEMS = {
    f"{path.stem}:{name}": (statement, given)
    for path in sorted(trial.PROBLEMS.glob("*.txt"))
    for name, truth, statement, given in trial.problems(path)
    if truth == "true"
}
LEVELS = {"short": SHORT[:2], "whole": (Certified.budget, Certified.depths)}
NET = 600.0  # seconds after which a test fails; no result depends on it
# in .ci/full the whole search is tried as well, and every statement
FULL = "DPBOOK_FULL" in os.environ


def level_of(name, levels=LEVELS):
    """Return the smallest level at which the search proves a statement, or "open"."""
    statement, given = PROBLEMS[name]
    read = read_statement(statement, given)
    task = make_task(read.tree, [read.given] if read.given.parts else [])
    for level, (budget, depths) in levels.items():
        with alarm(NET):
            if certify(task, {}, budget, depths) is not None:
                return level
    return "open"


def on_file():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.split(" ")) for line in lines if not line.startswith("#"))


def test_the_file_names_every_true_statement():
    assert set(on_file()) == set(PROBLEMS)


@pytest.mark.parametrize("name", sorted(PROBLEMS)[:: 1 if FULL else 4])
def test_the_search_proves_what_the_file_says(name):
    expected = on_file()[name]
    if FULL:
        assert level_of(name) == expected
    else:
        found = level_of(name, {"short": LEVELS["short"]})
        assert (found == "short") == (expected == "short")


if __name__ == "__main__":
    rows = []
    for each in sorted(PROBLEMS):
        rows.append(f"{level_of(each)} {each}")
        print(rows[-1], flush=True)
    head = (
        "# the smallest search that proves each true statement; see tests/engine/test_certified.py"
    )
    FILE.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
