"""Public names that are imported when they are first used.

The stub of a package, ``__init__.pyi``, is the one place where its public names stand, for type
checkers and for Python. (lazy_loader does the same; but ``dpbook.kernel``, whose parent loads this
module, needs the standard library and nothing else.)
"""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
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
    package: dict[str, Any],
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return the `__all__`, `__getattr__` and `__dir__` of a package, from its globals.

    Its stub imports each public name from the module in which the name stands.
    """
    homes = _homes(package["__file__"] + "i")

    def attribute(name: str) -> Any:
        if name not in homes:
            module = f"{package['__name__']}.{name}"
            if not name.startswith("_") and find_spec(module):
                return import_module(module)
            raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")
        home, module = import_module(homes[name]), f"{homes[name]}.{name}"
        package[name] = getattr(home, name) if hasattr(home, name) else import_module(module)
        return package[name]

    def listed() -> list[str]:
        return sorted({*homes, *(name for name in package if name == "__version__")})

    return sorted(homes), attribute, listed


def _homes(stub: str) -> dict[str, str]:
    """Read the module of each public name: lines are ``from MODULE import NAME as NAME``."""
    with open(stub, encoding="utf-8") as text:
        lines = text.read().replace("(", " ").split("\nfrom ")[1:]
    return {name: module for module, _, name, *_ in map(str.split, lines)}
