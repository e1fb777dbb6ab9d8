"""The public names of dpbook as pages of the book, from their docstrings.

No name is indexed: ``n`` in the shape of an array would lead to an attribute of that name.
"""

from __future__ import annotations

import importlib
import inspect
import re
from types import ModuleType
from typing import Any

from dpbook import __version__
from dpbook.engine.claims import record

NO_TOPIC = ("engine", "ext", "kernel", "teaching")
TEACHING = (  # names that chapters use beside the topics
    *(("dpbook.teaching.exercises", name) for name in ("check", "hint", "preview", "find")),
    *(("dpbook.teaching.figures", name) for name in ("axes", "show")),
)
CONFIGURATION: dict[str, Any] = {
    "autodoc_typehints": "none",  # the docstrings describe parameters
    "autodoc_preserve_defaults": True,
    "napoleon_google_docstring": False,
    "napoleon_use_ivar": True,  # attributes of a dataclass stand once, in its docstring
    "napoleon_use_rtype": False,
}
_CODE = re.compile(r"(`+.*?`+)")


def packages() -> list[str]:
    """Return the names of the packages with public names, the shared one first."""
    found = sorted(path.parent.name for path in record.PACKAGE.glob("*/__init__.py"))
    listed = [name for name in found if name not in NO_TOPIC]
    return sorted(listed, key=lambda name: (name != "privacy", name))


def pages() -> dict[str, str]:
    """Return the pages, as MyST: one with what `dpbook` offers, one for each package."""
    made = {"api/dpbook": _page(importlib.import_module("dpbook"), START)}
    for name in packages():
        made[f"api/{name}"] = _page(importlib.import_module(f"dpbook.{name}"))
    made["api/teaching"] = "\n\n".join([TEACH, *(_entry(*one) for one in TEACHING)]) + "\n"
    toctree = "```{toctree}\n:maxdepth: 1\n\n" + "\n".join(
        name.removeprefix("api/") for name in made
    )
    return {"api/index": f"{INDEX}\n{toctree}\n```\n", **made}


INDEX = """# Reference of the library

Each public name with its parameters and, where it is a function that computes, an example. The examples
are run by the tests.
"""

START = """
These names are imported from `dpbook` itself: `from dpbook import check, derive, ledger`.
"""

TEACH = """# dpbook.teaching

Exercises that check themselves, and figures that say in words what they show.
"""


def _page(package: ModuleType, words: str = "") -> str:
    name = package.__name__
    first, _, rest = (package.__doc__ or "").strip().partition("\n")
    parts = [f"# {name}", first, rest.strip() if not words else words.strip()]
    entries = [_entry(name, public) for public in package.__all__]
    return "\n\n".join(part for part in (*parts, *entries) if part) + "\n"


def _entry(module: str, public: str) -> str:
    thing = getattr(importlib.import_module(module), public)
    if inspect.isclass(thing):
        lines = [f".. autoclass:: {module}::{public}", "   :members:", "   :no-index:"]
    elif inspect.isroutine(thing):
        lines = [f".. autofunction:: {module}::{public}", "   :no-index:"]
    else:
        meant = (inspect.getdoc(type(thing)) or "").splitlines()
        lines = [
            f".. py:data:: {module}.{public}",
            "   :no-index:",
            "",
            f"   {_said(thing, meant)}",
        ]
    body = "\n".join(lines)
    return f"## {public}\n\n```{{eval-rst}}\n{body}\n```"


def _said(thing: Any, meant: list[str]) -> str:
    """Describe a public value in a line."""
    kind = type(thing).__name__
    return f"A ``{kind}``." if isinstance(thing, dict | list | tuple) or not meant else meant[0]


def _bars(app: Any, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Absolute values in docstrings are no substitutions of reStructuredText."""
    for place, line in enumerate(lines):
        if "|" in line and not line.lstrip().startswith(">>>"):
            parts = _CODE.split(line)
            parts[::2] = [part.replace("|", r"\|") for part in parts[::2]]
            lines[place] = "".join(parts)


def setup(app: Any) -> dict[str, Any]:
    """Read docstrings, as a Sphinx extension."""
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("autodoc-process-docstring", _bars, priority=700)
    return {"version": __version__, "parallel_read_safe": True}
