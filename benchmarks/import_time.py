"""How long dpbook takes to start: the best of several fresh processes, beside a bare Python.

A check is also compared with the import of SymPy, in turn: on a busy machine both take longer.
"""

import statistics
import subprocess
import sys
import time

RUNS = 7
BARE = ["-c", "pass"]
LIMITS = {  # seconds
    "import dpbook": (["-c", "import dpbook"], 0.2),
    "dpbook --help": (["-m", "dpbook", "--help"], 0.35),
    "dpbook check": (["-m", "dpbook", "check", "x^2 + 1 >= 2*x"], 1.5),
}
PAIR = (["-m", "dpbook", "check", "exp(x) >= 1 + x"], ["-c", "import sympy"])
RATIO = 1.4  # limit of the median


def seconds(arguments: list[str]) -> float:
    """The wall time of one process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def best(arguments: list[str]) -> float:
    """The shortest of several runs: the others measure what else the machine did."""
    return min(seconds(arguments) for _ in range(RUNS))


def main() -> None:
    best(BARE)  # fills the disk cache
    print(f"{'bare python':16}{best(BARE):7.3f} s")
    for name, (arguments, limit) in LIMITS.items():
        found = best(arguments)
        print(f"{name:16}{found:7.3f} s   limit {limit} s{'   OVER' * (found > limit)}")
    ratio = statistics.median(seconds(PAIR[0]) / seconds(PAIR[1]) for _ in range(RUNS))
    print(f"{'check to SymPy':16}{ratio:7.2f}     limit {RATIO}{'   OVER' * (ratio > RATIO)}")


if __name__ == "__main__":
    main()
