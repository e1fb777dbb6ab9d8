"""``python -m dpbook``: the same as the command ``dpbook``."""

import sys

from dpbook.cli import main

if __name__ == "__main__":
    sys.exit(main())
