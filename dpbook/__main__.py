"""``python -m dpbook``: the same as the command ``dpbook``."""

import gc
import sys


def main() -> None:
    """Run the command line; ``requirements`` runs also where nothing but dpbook is installed."""
    gc.set_threshold(100_000, 50, 100)  # imports make many objects, and hardly any cycle
    if sys.argv[1:2] == ["check"] and "--help" not in sys.argv:
        from dpbook.engine.run import process

        process.begin()  # it imports its libraries while the command line is read here
    try:
        from dpbook.cli import main as run
    except ModuleNotFoundError as error:
        from dpbook.ext.requirements import alone

        sys.exit(alone(sys.argv[1:], error))
    run()


if __name__ == "__main__":
    main()
