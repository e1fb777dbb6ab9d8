"""Which statements of the problem collections the short search proves: compared, both ways.

The search counts goals, so every machine has the same result. After a change that is meant,
``python tests/engine/test_certified.py`` writes the file anew, and its difference is read.
"""

import importlib.util
import os
from pathlib import Path

import pytest

from dpbook.engine.language.budget import alarm
from dpbook.engine.language.task import SHORT, make_task
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
BUDGET, DEPTHS, _ = SHORT
NET = 600.0  # seconds after which a test fails; no result depends on it
FULL = "DPBOOK_FULL" in os.environ  # .ci/full tries every statement


def proved(name):
    """Say whether the short search, the first that `check` makes, proves a statement."""
    statement, given = PROBLEMS[name]
    read = read_statement(statement, given)
    task = make_task(read.tree, [read.given] if read.given.parts else [])
    with alarm(NET):
        return certify(task, {}, BUDGET, DEPTHS) is not None


def on_file():
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return dict(reversed(line.split(" ")) for line in lines if not line.startswith("#"))


def test_the_file_names_every_true_statement():
    assert set(on_file()) == set(PROBLEMS)


@pytest.mark.parametrize("name", sorted(PROBLEMS)[:: 1 if FULL else 4])
def test_the_search_proves_what_the_file_says(name):
    assert ("proved" if proved(name) else "open") == on_file()[name]


if __name__ == "__main__":
    rows = [f"{'proved' if proved(name) else 'open'} {name}" for name in sorted(PROBLEMS)]
    head = "# what the short search says of each true statement; see tests/engine/test_certified.py"
    FILE.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
