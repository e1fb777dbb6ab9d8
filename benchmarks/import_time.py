"""How long dpbook takes to start: the best of several fresh processes, beside a bare Python."""

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


def best(arguments: list[str]) -> float:
    """The shortest of several runs: the others measure what else the machine did."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    best(BARE)  # fills the disk cache
    print(f"{'bare python':16}{best(BARE):7.3f} s")
    for name, (arguments, limit) in LIMITS.items():
        seconds = best(arguments)
        print(f"{name:16}{seconds:7.3f} s   limit {limit} s{'   OVER' * (seconds > limit)}")


if __name__ == "__main__":
    main()
