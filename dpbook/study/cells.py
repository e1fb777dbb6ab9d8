"""Compute one cell: its random stream, its record or the reason why there is none, numbers as JSON."""

from __future__ import annotations

import hashlib
import math
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dpbook.study.definition import Place, Record, Study, key_of


@dataclass(frozen=True)
class Failure:
    """Why a cell has no record."""

    why: str


def compute(study: Study, place: Place, seed: int, data: Path | None = None) -> Record | Failure:
    """Compute one cell; an error in it is returned.

    The stream is spawned from ``SeedSequence(seed)`` by the study, the setting and the replicate:
    other settings, or more replicates, leave it as it is.
    """
    setting, replicate = place
    digest = hashlib.sha256(f"{study.name} {key_of(setting)}".encode()).digest()
    words = np.frombuffer(digest, dtype="<u4").tolist()
    stream = np.random.SeedSequence(seed, spawn_key=(*words, replicate))
    try:
        more = {} if data is None else {"data": data}
        found = study.cell(np.random.default_rng(stream), **setting, **more)
        # as a file gives it back, so that a run that is resumed has the same before it
        return {str(name): decoded(encoded(value)) for name, value in found.items()}
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(frame.filename).name}:{frame.lineno}"
        return Failure(f"{type(error).__name__}: {' '.join(str(error).split())} ({where})")


def encoded(value: Any) -> Any:
    """Return numbers as JSON has them; floats have as many digits as bring them back."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [encoded(entry) for entry in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bool | int | float):
        return value
    raise TypeError(f"a cell returns numbers and lists of numbers, not {value!r}")


def decoded(value: Any) -> Any:
    """Return what `encoded` was given."""
    if isinstance(value, list):
        return [decoded(entry) for entry in value]
    return float(value) if isinstance(value, str) else value
