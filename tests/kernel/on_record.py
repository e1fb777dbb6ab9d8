"""The proofs on record, read once for all files of tests."""

from functools import cache
from pathlib import Path

import dpbook
from dpbook.kernel.files import replay

FILES = sorted(Path(dpbook.__file__).parent.glob("*/claims/proofs/*.json"))


@cache
def proofs_in(path):
    """Return the proofs in a file, which are not to be changed."""
    return replay.read(path)


@cache
def entries():
    """Return all proofs on record by their keys, which are not to be changed."""
    return {key: entry for path in FILES for key, entry in proofs_in(path).items()}
