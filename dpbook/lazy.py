"""Public names that are imported when they are first used."""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any


class Package(ModuleType):
    """A package whose public name stays what it is where a module of the package has the same.

    Importing ``dpbook.privacy.audit`` would else put the module in the place of the function.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and name in vars(self).get("__all__", ())):
            super().__setattr__(name, value)


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
