"""How long derivations take, and what is trusted for their right lines.

    python benchmarks/derivations.py [EVERY]

Every EVERY-th derivation of tests/engine/derivations.toml is marked in this process and measured in
seconds of work, which a busy machine does not change.
"""

import statistics
import sys
import time
import tomllib
from collections import Counter
from pathlib import Path

from dpbook import derive
from dpbook.engine.run import workers

CASES = Path(__file__).resolve().parent.parent / "tests" / "engine" / "derivations.toml"
SLOWEST = 5  # derivations that are named


def main() -> None:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))["derivation"][::every]
    workers.run_one = lambda task: task.run()
    derive(["x", "x"])
    seconds: dict[str, float] = {}
    trusted: Counter[str] = Counter()
    for case in cases:
        start = time.process_time()
        found = derive(case["lines"], given=case.get("given", ()))
        seconds[case["title"]] = time.process_time() - start
        for why in found.reasons:
            if why is not None:
                trusted["kernel" if why.parts else ", ".join(why.trusted)] += 1
    times = list(seconds.values())
    print(f"{len(cases)} derivations, {sum(trusted.values())} right lines")
    print(f"{sum(times):.2f} s of work, median {statistics.median(times):.3f} s")
    for title in sorted(seconds, key=seconds.__getitem__, reverse=True)[:SLOWEST]:
        print(f"  {seconds[title]:6.2f} s  {title}")
    print(", ".join(f"{name} {count}" for name, count in trusted.most_common()))


if __name__ == "__main__":
    main()
