"""An answer graded in a process of its own, where no name of the student's notebook is known.

`sent` writes an answer down as data, in the notebook. ``python -I -m dpbook.teaching.grading KEY``
reads it, decides it, says why, and ends with 0 only if it is right. A function is sent as its
source, with what it uses: modules, other functions of the notebook, and plain values.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import inspect
import linecache
import os
import sys
import textwrap
import types
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbook.teaching import exercises
from dpbook.teaching.questions import Mark

DEEPEST = 20  # functions that use functions
_PLAIN = (str, int, float, complex, bool, type(None))


class Unsendable(ValueError):
    """An answer that cannot be graded in another process."""


def sent(answer: Any) -> bytes:
    """Write an answer down.

    Raises
    ------
    Unsendable
        When it is neither text, a number, a mapping, a SymPy object nor a function with a source.
    """
    return repr(_written(answer, 0)).encode()


def _written(answer: Any, depth: int) -> tuple[Any, ...]:
    if depth > DEEPEST:
        raise Unsendable("functions that use functions, too deeply")
    if isinstance(answer, float) and not isinstance(answer, bool):
        return ("float", float(answer).hex())
    if type(answer) in _PLAIN:
        return ("plain", answer)
    if isinstance(answer, Fraction):
        return ("fraction", str(answer))
    if isinstance(answer, Mapping):
        pairs = [(_written(k, depth + 1), _written(v, depth + 1)) for k, v in answer.items()]
        return ("mapping", pairs)
    if isinstance(answer, (list, tuple)):
        return (type(answer).__name__, [_written(one, depth + 1) for one in answer])
    if isinstance(answer, types.ModuleType):
        return ("module", answer.__name__)
    if isinstance(answer, types.FunctionType) and answer.__module__ == "__main__":
        return _source(answer, depth)
    name, module = getattr(answer, "__qualname__", ""), getattr(answer, "__module__", "")
    if name and module and module != "__main__" and "<" not in name:
        return ("named", module, name)
    if type(answer).__module__.startswith("sympy."):
        import sympy

        return ("sympy", sympy.srepr(answer))
    with contextlib.suppress(TypeError, ValueError, AttributeError):
        return ("float", float(answer.item()).hex())  # a scalar of NumPy
    raise Unsendable(f"an answer of type {type(answer).__name__} cannot be graded; give text")


def _source(function: types.FunctionType, depth: int) -> tuple[Any, ...]:
    if function.__closure__:
        raise Unsendable(f"{function.__name__} is made by another function: define it by itself")
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except OSError:
        raise Unsendable(f"{function.__name__} has no source") from None
    uses = {
        name: _written(function.__globals__[name], depth + 1)
        for name in sorted(_names(function.__code__))
        if name in function.__globals__ and function.__globals__[name] is not function
    }
    return ("source", function.__name__, source, uses)


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found


def received(data: bytes) -> Any:
    """Read an answer that `sent` wrote."""
    return _read(ast.literal_eval(data.decode()))


def _read(written: tuple[Any, ...]) -> Any:
    kind, *rest = written
    if kind == "plain":
        return rest[0]
    if kind == "float":
        return float.fromhex(rest[0])
    if kind == "fraction":
        return Fraction(rest[0])
    if kind == "mapping":
        return {_read(key): _read(value) for key, value in rest[0]}
    if kind in ("list", "tuple"):
        return [_read(one) for one in rest[0]]
    if kind == "module":
        return importlib.import_module(rest[0])
    if kind == "named":
        found: Any = importlib.import_module(rest[0])
        for part in rest[1].split("."):
            found = getattr(found, part)
        return found
    if kind == "sympy":
        return _symbolic(rest[0])
    return _function(*rest)


def _symbolic(written: str) -> Any:
    import sympy

    names = {name: getattr(sympy, name) for name in dir(sympy) if not name.startswith("_")}
    with sympy.evaluate(False):
        return eval(written, {"__builtins__": {}, **names})


def _function(name: str, source: str, uses: Mapping[str, tuple[Any, ...]]) -> Any:
    space: dict[str, Any] = {used: _read(written) for used, written in uses.items()}
    space["__name__"] = "answer"
    place = f"<answer {name}>"
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    exec(compile(ast.parse(source), place, "exec"), space)
    return space[name]


def student_here(named: str) -> str:
    """Return whose numbers count: in nbgrader's folders those of the student they belong to."""
    here = Path.cwd()
    return here.parent.name if here.parent.parent.name == "autograded" else named


def main(arguments: list[str]) -> int:
    """Grade the answer on the standard input: KEY [STUDENT SEED]."""
    key, named, seed = (*arguments, "", "0")[:3] if len(arguments) < 3 else arguments[:3]
    data = sys.stdin.buffer.read()
    student = student_here(named) if named or len(arguments) > 1 else ""
    # what the answer prints is no verdict
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        asked = exercises.find(key, student, int(seed)).with_hidden()
        outcome = exercises.judged(asked, received(data))
    print(outcome)
    return 0 if outcome.verdict is Mark.RIGHT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
