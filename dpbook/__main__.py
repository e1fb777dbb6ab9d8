"""``python -m dpbook``: the same as the command ``dpbook``."""

import sys


def main() -> None:
    """Run the command line; ``requirements`` runs also where nothing but dpbook is installed."""
    try:
        from dpbook.cli import main as run
    except ModuleNotFoundError as error:
        from dpbook.ext.requirements import alone

        sys.exit(alone(sys.argv[1:], error))
    run()


if __name__ == "__main__":
    main()
