"""Answers and values as plain data: numbers, text, formulas node by node, functions as their source.

`sent` writes an answer down in the notebook; `opened` and `read` read it where it is decided. Reading
runs nothing that a student wrote: a function stays data there, and runs in a process of its own
(`dpbook.teaching.apart`), which is handed inputs and hands back values, in this form too.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import json
import symtable
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Integral
from typing import Any

DEEPEST = 200  # parts within parts
LONGEST = 10**7  # bytes
LARGEST = 50_000  # exponent of a number that is read: exact numbers are written out
CALLED = ("function", "named", "partial")

CONSTANTS = {
    name: name
    for name in (
        *("Pi", "Exp1", "EulerGamma", "GoldenRatio", "Infinity", "NegativeInfinity", "NaN"),
        *("ComplexInfinity", "ImaginaryUnit"),
    )
} | {"BooleanTrue": "true", "BooleanFalse": "false"}
"""Classes of SymPy's constants, and their names in ``sympy.S``."""

NODES = frozenset(
    {
        *("Add", "Mul", "Pow", "exp", "log", "Abs", "sign"),
        *("Max", "Min", "floor", "ceiling", "Mod"),
        *("factorial", "binomial", "gamma", "loggamma", "beta", "lowergamma", "uppergamma", "zeta"),
        *("digamma", "polygamma", "erf", "erfc", "erfi", "erfinv", "erfcinv", "LambertW"),
        *("sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "atan2"),
        *("sinh", "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "Heaviside"),
        *("Equality", "Unequality", "StrictGreaterThan", "GreaterThan", "StrictLessThan"),
        *("LessThan", "And", "Or", "Not", "Piecewise", "ExprCondPair", "Tuple"),
        *("Sum", "Product", "Integral", "Derivative", "Limit"),
    }
)
"""What a formula may be made of, besides symbols and numbers."""

WITH_LIMITS = ("Sum", "Product", "Integral")  # SymPy writes a factor 1 in them, evaluation off


class Unsendable(ValueError):
    """An answer that cannot be graded in another process."""


# --- writing ----------------------------------------------------------------------------------------


def sent(answer: Any) -> bytes:
    """Write an answer down.

    Raises
    ------
    Unsendable
        When it, or what its function uses, is neither text, a number, a collection of such, a
        formula, something of an installed library, nor a function with a source.
    """
    if isinstance(answer, (type, types.ModuleType)):
        raise Unsendable(f"{answer.__name__} is no answer")
    writer = _Writer()
    root = writer.write(answer, 0)
    data = json.dumps({"root": root, "functions": writer.functions}).encode()
    if len(data) > LONGEST:
        raise Unsendable("it is too long to be sent to the grader")
    return data


class _Writer:
    def __init__(self) -> None:
        self.functions: list[Any] = []
        self.known: dict[int, int] = {}

    def write(self, thing: Any, depth: int) -> list[Any]:
        if depth > DEEPEST:
            raise Unsendable("it has parts within parts, too deeply")
        if thing is None or isinstance(thing, bool):
            return ["plain", thing]
        if isinstance(thing, str):
            return ["plain", str(thing)]
        if isinstance(thing, float):
            return ["float", float(thing).hex()]
        if isinstance(thing, Fraction):
            return ["fraction", hex(thing.numerator), hex(thing.denominator)]
        if isinstance(thing, Decimal):
            return ["decimal", str(thing)]
        if type(thing).__module__.partition(".")[0] in ("sympy", "dpbook"):
            formula = _formula(thing, depth)
            if formula:
                return formula
        if isinstance(thing, Integral):
            return ["integer", hex(int(thing))]
        if isinstance(thing, complex):
            return ["complex", thing.real.hex(), thing.imag.hex()]
        if isinstance(thing, Mapping):
            pairs = [[self.write(k, depth + 1), self.write(v, depth + 1)] for k, v in thing.items()]
            return ["mapping", pairs]
        if type(thing) in (list, tuple, set, frozenset, range):
            return [type(thing).__name__, [self.write(one, depth + 1) for one in thing]]
        return self._other(thing, depth)

    def _other(self, thing: Any, depth: int) -> list[Any]:
        kind = type(thing)
        if isinstance(thing, types.ModuleType):
            if not of_a_library(thing.__name__):
                raise Unsendable(f"the grader does not have the module {thing.__name__}")
            return ["module", thing.__name__]
        if kind.__module__ == "numpy" and kind.__name__ == "ndarray":
            if thing.dtype.kind not in "biufc":
                raise Unsendable(f"an array of {thing.dtype} cannot be sent to the grader")
            values = [self.write(one, depth + 1) for one in thing.ravel().tolist()]
            return ["array", thing.dtype.str, list(thing.shape), values]
        if kind.__module__ == "numpy" and kind.__name__ == "ufunc":
            return ["named", "numpy", thing.__name__]
        if kind.__module__ == "numpy" and hasattr(thing, "item"):
            return self.write(thing.item(), depth + 1)
        if isinstance(thing, functools.partial):
            parts = (thing.func, list(thing.args), dict(thing.keywords))
            return ["partial", *(self.write(one, depth + 1) for one in parts)]
        named = _of_library(thing)
        if named:
            return named
        bare = inspect.unwrap(thing) if callable(thing) else thing
        if isinstance(bare, types.FunctionType):
            return ["function", self._function(bare, depth)]
        what = f"the class {thing.__name__}" if isinstance(thing, type) else f"a {kind.__name__}"
        raise Unsendable(
            f"{what} cannot be sent to the grader, which takes numbers, text, lists, formulas, and "
            "functions written with def"
        )

    def _function(self, function: types.FunctionType, depth: int) -> int:
        if id(function) in self.known:
            return self.known[id(function)]
        number = self.known[id(function)] = len(self.functions)
        self.functions.append(None)
        node = _node_of(function)
        name = node.name if isinstance(node, ast.FunctionDef) else "answer"
        defaults = self._used(function, "a default", list(function.__defaults__ or ()), depth)
        named = self._used(function, "a default", dict(function.__kwdefaults__ or {}), depth)
        node.args.defaults = [ast.Constant(None) for _ in node.args.defaults]
        node.args.kw_defaults = [one and ast.Constant(None) for one in node.args.kw_defaults]
        made: ast.stmt = node if isinstance(node, ast.FunctionDef) else _assigned(name, node)
        source = ast.unparse(ast.fix_missing_locations(ast.Module([made], [])))
        space = {**function.__globals__, **_closure(function)}
        uses = {
            used: self._used(function, used, space[used], depth)
            for used in sorted(_globals_in(source))
            if used in space and not (used == name and _unwrapped(space[used]) is function)
        }
        self.functions[number] = [name, source, uses, defaults, named]
        return number

    def _used(self, function: types.FunctionType, name: str, value: Any, depth: int) -> list[Any]:
        try:
            return self.write(value, depth + 1)
        except Unsendable as problem:
            raise Unsendable(
                f"{function.__name__} uses {name}: {problem}; make it inside the function"
            ) from None


def _unwrapped(thing: Any) -> Any:
    return inspect.unwrap(thing) if callable(thing) else thing


def of_a_library(module: str) -> bool:
    """Say whether a process of the grader can import a module: it is Python's, or installed."""
    top = module.partition(".")[0]
    if top in sys.stdlib_module_names or top == "dpbook":
        return top != "__main__"
    found = sys.modules.get(top)
    places = [getattr(found, "__file__", None) or "", *map(str, getattr(found, "__path__", ()))]
    return any("site-packages" in place or "dist-packages" in place for place in places)


def _of_library(thing: Any) -> list[Any]:
    """Where something of an installed library is found; nothing when it is not of one."""
    name, module = getattr(thing, "__qualname__", ""), getattr(thing, "__module__", "")
    if not (isinstance(name, str) and isinstance(module, str) and name and module):
        return []
    if not of_a_library(module):
        return []
    try:
        found = named(module, name)
    except (ImportError, AttributeError):
        return []
    return ["named", module, name] if found is thing else []


def named(module: str, name: str) -> Any:
    """Return the object of that name in a library."""
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _closure(function: types.FunctionType) -> dict[str, Any]:
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    return found


def _node_of(function: types.FunctionType) -> ast.FunctionDef | ast.Lambda:
    """The definition of a function, found in the text of its cell or file."""
    code = function.__code__
    try:
        lines, _ = inspect.findsource(function)
        tree = ast.parse("".join(lines))
    except (OSError, TypeError, SyntaxError):
        raise Unsendable(f"{function.__name__} has no source: write it with def") from None
    found = [node for node in ast.walk(tree) if _is_definition(node, code)]
    if len(found) > 1:  # several lambdas on a line: the smallest that holds all instructions
        places = [(a, c) for a, _, c, _ in code.co_positions() if a and c]
        found = [node for node in found if all(_within(node, place) for place in places)]
        found.sort(key=lambda node: len(ast.unparse(node)))
    if not found:
        raise Unsendable(f"{function.__name__} has no source: write it with def")
    node = found[0]
    assert isinstance(node, (ast.FunctionDef, ast.Lambda))
    return node


def _is_definition(node: ast.AST, code: types.CodeType) -> bool:
    if isinstance(node, ast.FunctionDef) and node.name == code.co_name:
        lines = [node.lineno, *(one.lineno for one in node.decorator_list)]
        return min(lines) == code.co_firstlineno
    if not (isinstance(node, ast.Lambda) and code.co_name == "<lambda>"):
        return False
    given = node.args
    names = [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    names += [one.arg for one in (given.vararg, given.kwarg) if one]
    return node.lineno == code.co_firstlineno and names == list(code.co_varnames[: len(names)])


def _within(node: Any, place: tuple[int, int]) -> bool:
    body = node.body if isinstance(node, ast.Lambda) else node
    return bool((body.lineno, body.col_offset) <= place < (body.end_lineno, body.end_col_offset))


def _assigned(name: str, value: ast.Lambda) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value, lineno=1)


ANNOTATED = "from __future__ import annotations\n"  # what annotations name is not needed


def _globals_in(source: str) -> set[str]:
    """The names that a definition takes from its surroundings; no attributes, no locals."""

    def names(table: symtable.SymbolTable) -> Iterator[str]:
        outermost = table.get_type() == "module"  # there definitions are global as well
        for symbol in table.get_symbols():
            if symbol.is_referenced() if outermost else symbol.is_global():
                yield symbol.get_name()
        for child in table.get_children():
            yield from names(child)

    return set(names(symtable.symtable(ANNOTATED + source, "<answer>", "exec")))


def _formula(thing: Any, depth: int) -> list[Any]:
    """Return a formula node by node; nothing for another object."""
    import sympy

    if not isinstance(thing, sympy.Basic):
        return []
    if depth > DEEPEST:
        raise Unsendable("the formula is too deep")
    name = type(thing).__name__
    if isinstance(thing, sympy.Symbol):  # its exercise knows its range
        return ["symbol", thing.name]
    if isinstance(thing, sympy.Rational):
        return ["rational", hex(thing.p), hex(thing.q)]
    if isinstance(thing, sympy.Float):
        sign, mantissa, exponent, bits = thing._mpf_
        if not mantissa:
            return ["float", float(thing).hex()]
        return ["sympy-float", sign, hex(int(mantissa)), int(exponent), int(bits), thing._prec]
    if name in CONSTANTS:
        return ["constant", name]
    if name not in NODES or not type(thing).__module__.startswith("sympy."):
        raise Unsendable(f"{name} cannot be sent to the grader: give the formula as text")
    return ["node", name, [_formula(one, depth + 1) for one in thing.args]]


# --- reading ----------------------------------------------------------------------------------------


def opened(data: bytes) -> tuple[Any, list[Any]]:
    """Return what `sent` wrote: the answer, and the functions that it names by their numbers."""
    if len(data) > LONGEST:
        raise ValueError("it is too long")
    whole = json.loads(data)
    return whole["root"], whole["functions"]


def read(written: Any, function: Callable[[list[Any]], Any] | None = None) -> Any:
    """Read what was written; what would have to be run is left to `function`, or refused.

    Raises
    ------
    ValueError
        When it is nothing that was written here.
    """
    kind, *rest = written
    if kind in (*CALLED, "module"):
        if function is None:
            raise ValueError("a function or a module stands where a value is asked for")
        return function(written)
    if kind == "mapping":
        return {read(key, function): read(value, function) for key, value in rest[0]}
    if kind in _COLLECTIONS:
        return _COLLECTIONS[kind](read(one, function) for one in rest[0])
    if kind == "array":
        import numpy

        dtype = numpy.dtype(str(rest[0]))
        if dtype.kind not in "biufc":
            raise ValueError(f"an array of {dtype}")
        return numpy.array([read(one) for one in rest[2]], dtype).reshape([int(n) for n in rest[1]])
    if kind in _ATOMS:
        return _ATOMS[kind](*rest)
    return _read_formula(written, 0)


def _plain(value: Any) -> Any:
    if value is not None and not isinstance(value, (bool, str)):
        raise ValueError("no plain value")
    return value


def _decimal(digits: str) -> Decimal:
    found = Decimal(digits)
    if found.is_finite() and abs(found.adjusted()) > LARGEST:
        raise ValueError("a number of too many digits")
    return found


def _whole(digits: str) -> int:
    return int(digits, 16)


_COLLECTIONS: Mapping[str, Callable[..., Any]] = {
    "list": list,
    "range": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
}
_ATOMS: Mapping[str, Callable[..., Any]] = {
    "plain": _plain,
    "integer": _whole,
    "float": float.fromhex,
    "complex": lambda re, im: complex(float.fromhex(re), float.fromhex(im)),
    "fraction": lambda p, q: Fraction(_whole(p), _whole(q)),
    "decimal": lambda digits: _decimal(str(digits)),
}


def _read_formula(written: Any, depth: int) -> Any:
    import sympy
    from sympy.functions.elementary.piecewise import ExprCondPair

    kind, *rest = written
    if depth > DEEPEST:
        raise ValueError("the formula is too deep")
    if kind == "symbol":
        return sympy.Symbol(str(rest[0]))
    if kind == "rational":
        return sympy.Rational(_whole(rest[0]), _whole(rest[1]))
    if kind == "float":
        return sympy.Float(float.fromhex(rest[0]))
    if kind == "sympy-float":
        sign, mantissa, exponent, bits, precision = rest
        if max(abs(int(exponent)), int(precision)) > LARGEST:
            raise ValueError("a number of too many digits")
        parts = (int(sign), _whole(mantissa), int(exponent), int(bits))
        return sympy.Float(parts, precision=int(precision))
    if kind == "constant" and rest[0] in CONSTANTS:
        return getattr(sympy.S, CONSTANTS[rest[0]])
    if kind == "node" and rest[0] in NODES:
        maker = ExprCondPair if rest[0] == "ExprCondPair" else getattr(sympy, rest[0])
        parts_read = [_read_formula(one, depth + 1) for one in rest[1]]
        with sympy.evaluate(rest[0] in WITH_LIMITS):
            return maker(*parts_read)
    raise ValueError(f"{kind} is nothing that is sent")
