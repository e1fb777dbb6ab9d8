"""Textbook integrals: how many are decided, how many of their derivations are, and was all right.

    python benchmarks/integrals.py [--only TEXT] [--every N] [--limit SECONDS] [--what value,twin,steps]

The integrals are tests/engine/problems/integrals.list. Each value is to be proved, a value that is off by
about a thousandth part to be refuted, and each line of the derivation to be proved.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

PROBLEMS = Path(__file__).resolve().parent.parent / "tests/engine/problems/integrals.list"
Problem = tuple[str, list[str], list[str]]
OWED = 0.9  # of the values, and of the derivations


def problems(path: Path = PROBLEMS) -> list[Problem]:
    """Read integrals as (name, lines, givens)."""
    rows: list[Problem] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = [field.strip() for field in f"{line} ".split(" | ")]
        if len(fields) != 3 or " = " not in fields[1]:
            raise ValueError(f"{path.name}:{number}: need name | integral = ... = value | givens")
        given = [part.strip() for part in fields[2].split(";") if part.strip()]
        rows.append((fields[0], fields[1].split(" = "), given))
    return rows


def twin(value: str) -> str:
    """Return a value that is wrong by a hair."""
    return f"({value})*1.001 + 0.0017"


def main() -> int:
    """Run them, print those that stay open, and the shares; exit 1 if one is wrong or too many open."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--only", default="", help="run those whose name contains this")
    options.add_argument("--every", type=int, default=1, help="run every N-th")
    options.add_argument("--limit", type=float, default=10.0, help="seconds for a statement")
    options.add_argument("--what", default="value,twin,steps", help="what is run")
    options.add_argument("--kernel", action="store_true", help="show what a tactic is trusted for")
    chosen = options.parse_args()
    rows = [row for row in problems() if chosen.only in row[0]][:: chosen.every]
    from dpbook import derive
    from dpbook.engine.claims.check import check

    decided: Counter[str] = Counter()
    certified = wrong = 0
    for name, lines, given in rows:
        for what in chosen.what.split(","):
            start = time.perf_counter()
            if what == "steps":
                found = derive(lines, given=given, time_limit=2 * chosen.limit)
                verdict, right = found.verdict.value, "proved"
                why = next(("; ".join(s.remarks()) for s in found.steps if s.word != "proved"), "")
            else:
                value = twin(lines[-1]) if what == "twin" else lines[-1]
                evidence = check(f"{lines[0]} = {value}", given=given, time_limit=chosen.limit)
                verdict, why = evidence.verdict.value, evidence.reason
                right = "refuted" if what == "twin" else "proved"
                if what == "value" and verdict == "proved":
                    certified += "proof" in evidence.certificate
                    if chosen.kernel and "proof" not in evidence.certificate:
                        print(f"{name:34.34} {what:6} {', '.join(evidence.trusted)}", flush=True)
            seconds = time.perf_counter() - start
            decided[what] += verdict == right
            bad = {"proved", "refuted"} - {right}
            wrong += verdict in bad
            if verdict != right or seconds > chosen.limit:
                mark = "WRONG" if verdict in bad else ""
                print(
                    f"{name:34.34} {what:6} {verdict:9} {seconds:6.2f} {mark}{why:.110}", flush=True
                )
    shares = {what: decided[what] / len(rows) for what in chosen.what.split(",")} if rows else {}
    for what, share in shares.items():
        print(f"{what:6} {decided[what]:4} of {len(rows)}, {100 * share:.1f} %")
    print(f"wrong {wrong}; values by the kernel {certified}")
    return int(wrong > 0 or any(share < OWED for share in shares.values()))


if __name__ == "__main__":
    sys.exit(main())
