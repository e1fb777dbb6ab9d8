"""How long derivations take with and without the reasons of their lines, in one run.

    python benchmarks/derivations.py [EVERY]

Every EVERY-th right derivation of tests/engine/derivations.toml is marked; then the reasons are asked
for, which search for certificates briefly. All runs in this process and is measured in seconds of
work, so that a busy machine does not change the ratio.
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
MOST = 5.0  # marking and reasons together, as a multiple of marking alone


def main() -> int:
    every = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    cases = tomllib.loads(CASES.read_text(encoding="utf-8"))["derivation"]
    right = [c for c in cases if c["verdict"] == "proved" and "failure" not in c][::every]
    workers.run_one = lambda task: task.run()
    derive(["x", "x"])
    marking: list[float] = []
    reasons: list[float] = []
    trusted: Counter[str] = Counter()
    for case in right:
        start = time.process_time()
        found = derive(case["lines"], given=case.get("given", ()))
        middle = time.process_time()
        for why in found.reasons:
            if why is not None:
                trusted["kernel" if why.parts else ", ".join(why.trusted)] += 1
        marking.append(middle - start)
        reasons.append(time.process_time() - middle)
    ratio = (sum(marking) + sum(reasons)) / sum(marking)
    print(f"{len(right)} derivations, {sum(trusted.values())} right lines")
    print(f"marking  {sum(marking):7.2f} s, median {statistics.median(marking):.3f} s")
    print(f"reasons  {sum(reasons):7.2f} s, median {statistics.median(reasons):.3f} s")
    print(f"both, as a multiple of marking alone: {ratio:.2f}{'   OVER' * (ratio > MOST)}")
    print(", ".join(f"{name} {count}" for name, count in trusted.most_common()))
    return int(ratio > MOST)


if __name__ == "__main__":
    sys.exit(main())
