"""Let each topic of the user import the modules that stand beside it.

Python imports a name once: where two folders have a ``helpers.py``, claims of the second folder would
be decided with the numbers of the first one.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from dpbook.engine.claims.record import PACKAGE
from dpbook.engine.claims.topics import Topic

# of modules that were unloaded, as another folder has modules of their names
FILES: set[Path] = set()


@contextmanager
def own_modules(topic: Topic | None) -> Iterator[None]:
    """Put modules of other folders aside while code of a topic runs that has modules of their names.

    Modules of Python, of installed packages and of dpbook stay.

    Parameters
    ----------
    topic : Topic or None
        A topic that is installed or belongs to the book has no modules beside it.
    """
    aside = _of_other_folders(topic) if topic is not None and topic.own else {}
    if not aside:
        yield
        return
    for name in aside:
        del sys.modules[name]
    try:
        yield
    finally:
        tops = {name.partition(".")[0] for name in aside}
        for name in [name for name in sys.modules if name.partition(".")[0] in tops]:
            if file := getattr(sys.modules.pop(name), "__file__", None):
                FILES.add(Path(file).resolve())
        sys.modules.update(aside)


def _of_other_folders(topic: Topic) -> dict[str, ModuleType]:
    root = topic.root
    beside = {path.stem for path in root.glob("*.py")}
    beside |= {path.parent.name for path in root.glob("*/__init__.py")}
    beside.discard(topic.module.partition(".")[0])  # the loader itself says where it is another one
    return {
        name: module
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in beside and _of_another(module, root)
    }


def _of_another(module: ModuleType, root: Path) -> bool:
    """Say whether a module is the user's, and stands in another folder."""
    file = getattr(module, "__file__", None)
    if not file:
        return False
    path = Path(file).resolve()
    homes = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "purelib", "platlib")]
    return not any(path.is_relative_to(home) for home in (root, PACKAGE, *homes))
