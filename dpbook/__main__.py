"""``python -m dpbook``: the same as the command ``dpbook``."""

from dpbook.cli import main

if __name__ == "__main__":
    main()
