"""Run files of statements with known truth: what was decided, how, how fast, and was it right.

    python benchmarks/trial.py [FILE.txt ...] [--only TEXT] [--limit SECONDS] [--quiet]

Without a file all of tests/engine/problems is run. A line of a file is
``name | true, false, undefined or vacuous | statement | given ; given ...``.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

PROBLEMS = Path(__file__).resolve().parent.parent / "tests" / "engine" / "problems"
# verdicts that are right for each truth; of the others, those not listed as open are wrong
RIGHT = {
    "true": {"proved"},
    "false": {"refuted"},
    "undefined": {"refuted", "undecided", "supported"},
    "vacuous": {"undecided", "error"},
}
WRONG = {
    "true": {"refuted", "error"},
    "false": {"proved", "error"},
    "undefined": {"proved", "error"},
    "vacuous": {"proved", "refuted", "supported"},
}


# what the engine is asked for by name; the rest of trial.txt is our own
NAMED = {
    "motzkin", "exp-tangent", "log-cosh", "pinsker", "geometric-sum", "sum-of-squares",
    "gamma-shift", "normal-moment-generating", "binomial-sums-to-one",
    "hellinger-below-variation", "variation-below-hellinger", "sinh-coth",
    "outlyingness-stability", "contamination-ratio", "exp-below-square", "tanh-below-line",
    "norms", "advanced-composition", "ten-e-minus-five", "zcdp-to-dp",
    "classical-calibration-at-ten-in-one", "x-over-x", "root-of-negative", "log-of-square",
    "divergent-integral", "empty-interval", "empty-exp",
    "floor-of-the-opposite", "floor-of-a-part-of-a-floor", "ceiling-of-a-part-of-a-ceiling",
    "acosh-of-cosh",
}  # fmt: skip


def problems(path: Path) -> list[tuple[str, str, str, list[str]]]:
    """Read a file of problems as (name, truth, statement, givens)."""
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        # " | " ends a field; a bar of an absolute value is never between two blanks
        fields = [field.strip() for field in f"{line} ".split(" | ")]
        if len(fields) != 4 or fields[1] not in RIGHT:
            raise ValueError(f"{path.name}:{number}: need name | truth | statement | givens")
        name, truth, statement, given = fields
        rows.append(
            (name, truth, statement, [part.strip() for part in given.split(";") if part.strip()])
        )
    return rows


def main() -> int:
    """Run the files and print the table; exit 1 if a verdict is wrong."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--only", default="", help="run statements whose name contains this")
    options.add_argument("--limit", type=float, default=10.0, help="seconds for a statement")
    options.add_argument("--quiet", action="store_true", help="show only what is not decided")
    chosen = options.parse_args()
    files = chosen.files or sorted(PROBLEMS.glob("*.txt"))
    failed = False
    for file in files:
        path = file if file.exists() else PROBLEMS / f"{file.stem}.txt"
        failed |= run(path, chosen)
    return int(failed)


def run(path: Path, chosen: argparse.Namespace) -> bool:
    """Run one file, print its rows and totals, and say whether a verdict was wrong."""
    from dpbook.engine.claims.check import check

    times, wrong, decided, count = [], [], 0, 0
    print(f"\n{path.stem}")
    for name, truth, statement, given in problems(path):
        if chosen.only not in name:
            continue
        start = time.perf_counter()
        try:
            evidence = check(statement, given=given, time_limit=chosen.limit)
            verdict, method = evidence.verdict.value, evidence.method or ""
            reason = evidence.reason or ""
        except ValueError as error:
            verdict, method, reason = "error", "", str(error)
        seconds = time.perf_counter() - start
        times.append(seconds)
        count += 1
        right = verdict in RIGHT[truth]
        decided += right
        mark = "" if right else "open"
        if verdict in WRONG[truth]:
            mark = "WRONG"
            wrong.append(name)
        if mark or seconds > chosen.limit or not chosen.quiet:
            print(
                f"{name:36.36} {truth:9} {verdict:9} {method:24.24} {seconds:7.2f} {mark:5} "
                f"{reason if mark else '':.90}",
                flush=True,
            )
    if times:
        print(
            f"{path.stem}: {count} statements, wrong {len(wrong)}, decided {decided} "
            f"({100 * decided / count:.1f} %), median {statistics.median(times):.3f} s, "
            f"slowest {max(times):.2f} s, total {sum(times):.1f} s"
        )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
