"""How long the ledger and the trial take, and which claims take longest.

The ledger runs cold (an empty cache), warm (nothing changed) and with mutants, each time in a
process of its own, start included.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMITS = {"ledger, warm": 1}  # seconds; the others grow with the ledger


def timed(name: str, *arguments: str, cache: Path) -> bool:
    """Run Python with the arguments, print how long it took, and tell whether all went well."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=HERE.parent,
        env={**os.environ, "DPBOOK_CACHE": str(cache)},
        capture_output=True,
        text=True,
    )
    seconds = time.perf_counter() - start
    limit = LIMITS.get(name)
    over = limit is not None and seconds > limit
    said = "" if limit is None else f"   limit {limit} s" + "   OVER" * over
    print(f"{name:24}{seconds:8.2f} s{said}", flush=True)
    if done.returncode:
        print(f"  exit status {done.returncode}: {(done.stderr or done.stdout).strip()[-500:]}")
    return not (over or done.returncode)


def slowest(report: Path, count: int = 10) -> None:
    """Print the claims of a JSON report that took longest."""
    claims = json.loads(report.read_text())["claims"]
    print(f"\nslowest of {len(claims)} claims, cold")
    for claim in sorted(claims, key=lambda claim: -claim["seconds"])[:count]:
        print(
            f"  {claim['seconds']:7.2f} s   {claim['key']:44}{claim['verdict']}, {claim['method']}"
        )


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        room = Path(folder)
        report = room / "report.json"
        verify = ("-m", "dpbook", "verify", "--format", "json", "--output")
        good = [
            timed("ledger, cold", *verify, str(report), cache=room / "plain"),
            timed("ledger, warm", *verify, str(room / "warm.json"), cache=room / "plain"),
            timed(
                "ledger, cold, mutants",
                *verify,
                str(room / "mutants.json"),
                "--mutants",
                cache=room / "mutants",
            ),
            timed("trial", str(HERE / "trial.py"), "trial", "--quiet", cache=room / "trial"),
        ]
        if report.exists():
            slowest(report)
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
