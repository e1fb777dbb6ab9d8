"""Numbers from a caller, read once at the face: one clear error that names them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral
from typing import Any

import numpy as np

from dpbook.engine.language.domain import DomainError

# float() would take them
UNFIT = (str, bytes, bool, np.bool_, np.ma.MaskedArray, np.datetime64, np.timedelta64)
RULES: dict[str, Callable[[float], bool]] = {
    "finite": lambda v: True,
    "> 0": lambda v: v > 0,
    "> 0 and finite": lambda v: v > 0,
    "> 1 and finite": lambda v: v > 1,
    ">= 0": lambda v: v >= 0,
    "in (0, 1)": lambda v: 0 < v < 1,
    "in [0, 1)": lambda v: 0 <= v < 1,
}


def number(name: str, value: Any, rule: str, claim: str = "") -> float:
    """Return a finite number that keeps a rule.

    Raises
    ------
    ValueError
        When it does not; a `DomainError` that names the claim where there is one.
    """
    try:
        read = math.nan if isinstance(value, UNFIT) else float(value)
    except (TypeError, ValueError, OverflowError):
        read = math.nan
    if math.isfinite(read) and RULES[rule](read):
        return read
    if math.isinf(read) and rule in ("> 0", ">= 0"):
        rule = f"{rule} and finite"
    if claim:
        raise DomainError(f"{claim} needs {name} {rule}, got {short(value)}")
    raise ValueError(f"{name} must be {rule}, got {short(value)}")


def positive(**values: Any) -> None:
    """Refuse the first of some numbers that is not > 0 and finite.

    Raises
    ------
    ValueError
        The message names it.
    """
    for name, value in values.items():
        number(name, value, "> 0 and finite")


def count(name: str, value: Any, least: int = 1, most: int = 10**15, claim: str = "") -> int:
    """Return an integer from `least` to `most`.

    Raises
    ------
    ValueError
        For another value; a `DomainError` that names the claim, if a claim is given.
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and least <= int(value) <= most:
        return int(value)
    rule = f"<= {_limit(most)}" if whole and int(value) > most else f">= {least}"
    if claim:
        raise DomainError(f"{claim} needs an integer {name} {rule}, got {short(value)}")
    raise ValueError(f"{name} must be an integer {rule}, got {short(value)}")


def entries(values: Any) -> list[Any] | None:
    """Return the entries of a list, tuple, array or generator; None where there is no list to read.

    Bytes are numbers, a set drops equal entries, and a mask hides some.
    """
    unlisted = isinstance(values, str | bytes | bytearray | set | frozenset | Mapping)
    if unlisted or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        return None
    return None if np.ma.is_masked(values) else list(values)


def records(name: str, values: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a dataset as an array of floats; no error shows an entry, which is private.

    Raises
    ------
    ValueError
        Complex, masked or other entries that are no real numbers, also as text, rows of different lengths.
    """
    try:
        given = np.asarray(values)
        masked = bool(np.ma.is_masked(values))  # masked entries would be used
        # imaginary parts would be dropped, text be read
        unfit = given.dtype.kind not in "biufO" or any(
            isinstance(entry, str | bytes | complex)
            for entry in given.flat
            if given.dtype == object
        )
        if masked or unfit:
            raise TypeError
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} must be real numbers, in rows of one length") from None


def shape(size: Any) -> tuple[int, ...]:
    """Return the shape of an array that a caller asks for.

    Raises
    ------
    ValueError
        It is no integer >= 0, and no tuple or list of them.
    """
    given = size if isinstance(size, tuple | list) else (size,)
    return tuple(count("size", each, 0) for each in given)


def generator(rng: np.random.Generator | None, seed: int | None = None) -> np.random.Generator:
    """Return the caller's generator of random numbers; for None, a generator from a seed, or a fresh generator.

    Raises
    ------
    ValueError
        It is something else.
    """
    if rng is None:
        return np.random.default_rng(seed)
    if not isinstance(rng, np.random.Generator):
        raise ValueError(f"rng must be a numpy.random.Generator or None, got {rng!r:.60}")
    return rng


def _limit(most: int) -> str:
    """Return a limit as it is, or as a power of ten where that is easier to read."""
    zeros = len(str(most)) - 1
    return f"10**{zeros}" if zeros > 15 and most == 10**zeros else str(most)


def short(value: Any) -> str:
    """Write a value that is refused; one with many characters by its first ones."""
    if isinstance(value, np.ma.MaskedArray):
        return "a masked array"
    shown = repr(value) if isinstance(value, str | bytes | np.ndarray) else str(value)
    return shown if len(shown) <= 60 else f"{shown[:20]}... ({len(shown)} characters)"
