"""Public names that are imported when they are first used."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


def names(
    package: dict[str, Any], homes: dict[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__getattr__` and `__dir__` of a package, from its globals.

    Parameters
    ----------
    package : dict
        The package's ``globals()``.
    homes : dict of str to str
        The module that each public name stands in.
    """

    def attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        package[name] = getattr(import_module(homes[name]), name)
        return package[name]

    def listed() -> list[str]:
        return sorted({*homes, *(name for name in package if name == "__version__")})

    return attribute, listed
