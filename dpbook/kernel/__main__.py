"""``python -m dpbook.kernel FILE ...``: check the kernel's lemmas, and the proofs of files, with Python alone."""

from __future__ import annotations

import sys

from dpbook.kernel.files.command import main

if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
