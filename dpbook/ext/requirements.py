"""List the packages that a part of dpbook needs: ``python -m dpbook requirements verify > r.txt``.

The lists are made from the metadata of the installed package, which has them from ``pyproject.toml``.
This module needs the standard library alone: it runs where nothing but dpbook is installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib import metadata

# Modules that are called otherwise than the package that brings them.
PACKAGES = {"flint": "python-flint", "IPython": "ipython", "PIL": "pillow"}


EXTRAS = ("pytest", "sphinx")  # whose packages every list has too
_SHOWN = ("matplotlib", "ipywidgets", "pillow")  # figures, explorers
# Of each list the packages that dpbook needs, and that are left out.
WITHOUT = {
    "verify": (*_SHOWN, "numba", "scipy", "clarabel", "networkx"),  # pages and tests of the record
    "check": (*_SHOWN, "numba"),  # also the search, which uses SciPy, and graphs
}


def listed(name: str) -> list[str]:
    """Return the requirements of a list, as pip reads them.

    Raises
    ------
    ValueError
        When there is no such list.
    """
    if name not in WITHOUT:
        said = f"no list {name}" if name else "name a list"
        raise ValueError(f"{said}; there are {', '.join(WITHOUT)}")
    return [
        requirement
        for package, requirement, extra in _all()
        if (extra in EXTRAS if extra else package not in WITHOUT[name])
    ]


def lacking(error: ImportError) -> str:
    """Return one line that names the package that is lacking; "" when dpbook does not need it."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    module = error.name.partition(".")[0]
    package = PACKAGES.get(module, module)
    found = next((wanted for name, wanted, _ in _all() if name == package.lower()), None)
    if found is None:
        return ""
    return f"the package {package} is not installed: pip install '{found}'"


def alone(arguments: Sequence[str], error: ModuleNotFoundError) -> int:
    """Run ``requirements NAME`` where the command line cannot start; return the exit status.

    Of any other command say which package is lacking.

    Raises
    ------
    ModuleNotFoundError
        When it is no package that dpbook needs.
    """
    try:
        if arguments[:1] == ["requirements"] and len(arguments) < 3:
            sys.stdout.write("\n".join(listed("".join(arguments[1:]))) + "\n")
            return 0
    except ValueError as refused:
        said = str(refused)
    else:
        said = lacking(error)
        if not said:
            raise error
        said += "; python -m dpbook requirements check lists all that it needs to decide claims"
    sys.stderr.write(f"{said}\n")
    return 2  # as in dpbook.cli.EXITS, which cannot be imported here


def _all() -> list[tuple[str, str, str]]:
    """Return each requirement of dpbook: the name of its package, its text, its extra or ""."""
    made = []
    for line in metadata.requires("dpbook") or ():
        requirement, _, marker = (part.strip() for part in line.partition(";"))
        name = re.match(r"[\w.-]+", requirement)
        extra = re.search(r"""extra\s*==\s*['"]([^'"]+)""", marker)
        if name:
            made.append((name[0].lower(), requirement, extra[1] if extra else ""))
    return made
