"""Compile kernels when they are first called, and say so to a user who waits long.

The machine code is kept beside the sources, or in the user's cache where those cannot be written:
the next process finds it. `dpbook compile` compiles all kernels beforehand.
"""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, update_wrapper
from typing import Any

import numba
from numba.core import (
    codegen,
    compiler,
    compiler_machinery,
    event,
    typed_passes,
    types,
    untyped_passes,
)
from numba.core.typing.templates import Signature
from numba.extending import typeof_impl

from dpbook.teaching import offline

__all__ = ["njit"]

PATIENCE = 2.0  # seconds of compiling that pass in silence
# steps of Numba's compiler for closures and functions to inline, which kernels do not hold, and for expressions of whole
# arrays, which hold one operation each
NEEDLESS = (
    untyped_passes.WithLifting,
    untyped_passes.InlineClosureLikes,
    untyped_passes.MakeFunctionToJitFunction,
    untyped_passes.InlineInlinables,
    typed_passes.InlineOverloads,
    typed_passes.NopythonRewrites,
)
Function = Callable[..., Any]


def njit(
    given: Any = None,
    *,
    seconds: float | None = None,
    inner: bool = False,
    pointed: bool = False,
    **options: Any,
) -> Callable[[Any], Any]:
    """Compile a function when it is first called: `numba.njit`, but for five things.

    A division by 0 gives inf or nan, as in NumPy. Where it should be an error, `error_model="python"` asks for it: that costs
    a branch in each division. A kernel holds no closure and no list comprehension.

    Parameters
    ----------
    given : function or signature, optional
        Numba compiles a function with a signature where it is defined; this does not. A signature
        is for a kernel that takes functions through pointers: otherwise it is compiled anew for each of them.
    seconds : float, optional
        How long compiling takes, about, with all that the function calls.
    inner : bool
        Only kernels call it: it gets no entry from Python, which is half of the work for a short one.
    pointed : bool
        Kernels call it through a pointer: it gets an entry for that.
    **options
        Those of `numba.njit`.
    """
    if given is not None and not isinstance(given, Signature):
        return numba.njit(given, **options)

    options = {"error_model": "numpy", **options}
    entries: dict[str, Any] = {"no_cfunc_wrapper": not pointed, "pipeline_class": Compiler}

    def made(function: Function) -> Any:
        if seconds is not None:
            function.__dict__["seconds"] = seconds
        if inner:
            return Inner(function, options)
        if given is None:
            return numba.njit(**entries, **options)(function)
        return Later(function, given, {**entries, **options})

    return made


class Later:
    """A function with a signature, which is compiled when it is first called from Python.

    Parameters
    ----------
    function : function
    signature : Signature
    options : dict
        Those of `numba.njit`.
    """

    def __init__(self, function: Function, signature: Any, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._signature, self._options = function, signature, options

    @cached_property
    def compiled(self) -> Any:
        """The dispatcher of Numba."""
        return numba.njit(self._signature, **self._options)(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)


class Library(codegen.JITCodeLibrary):
    """Numba's code of a function that only kernels call: each of them optimises it with its own.

    Numba would optimise it by itself too, and make machine code. A process that compiles a kernel would run that in place of
    the kernel's own copy, which later processes read from the cache: sums of `fastmath` then differ in their last bits.
    """

    def _optimize_final_module(self) -> None:
        """Leave the code as it is."""

    def _finalize_final_module(self) -> None:
        """Keep the code for the kernels, which link it."""
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True

    @property
    def codegen(self) -> Any:
        """Return this library: Numba asks the generator of code to set environments, as `set_env` does."""
        return self

    def set_env(self, name: str, environment: object) -> None:
        """Set no environment: only machine code reads it, and this library has no machine code."""


class Flags(compiler.Flags):
    """Options of a function. They are equal where Numba's own functions take over the same of them.

    Numba compiles its own functions, as `min`, once for all callers of equal options, and looks for them at each operation
    of a kernel. Its own options are equal only as a whole, and are compared so slowly that it takes a tenth of the time.
    """

    __slots__ = ()

    def _taken_over(self) -> tuple[object, ...]:
        fastmath: Any = self.fastmath
        return self.error_model, frozenset(fastmath.flags), self.forceinline, self.nrt

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and self._taken_over() == other._taken_over()

    def __hash__(self) -> int:
        return hash(self._taken_over())


class Compiler(compiler.Compiler):
    """Numba's compiler, with `Flags`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)  # type: ignore[no-untyped-call]
        self.state.flags = Flags(self.state.flags)  # type: ignore[no-untyped-call]

    def define_pipelines(self) -> list[Any]:
        """Leave out the passes in `NEEDLESS`."""
        (whole,) = super().define_pipelines()  # type: ignore[no-untyped-call]
        steps = compiler_machinery.PassManager("kernel")  # type: ignore[no-untyped-call]
        steps.passes.extend(step for step in whole.passes if step[0] not in NEEDLESS)
        steps.finalize()  # type: ignore[no-untyped-call]
        return [steps]


class InnerCompiler(Compiler):
    """Numba's compiler with `Flags` and `Library`."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.library = Library(self.state.targetctx.codegen(), "inner")  # type: ignore[no-untyped-call]


class Inner:
    """A function that kernels call. A call from Python, as in a test, compiles it once more.

    For kernels it is not cached: the machine code of each kernel holds what the kernel calls.

    Parameters
    ----------
    function : function
    options : dict
        Those of `numba.njit`, without `cache`.
    """

    def __init__(self, function: Function, options: dict[str, Any]) -> None:
        update_wrapper(self, function)
        self.py_func, self._options = function, options
        entries: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        self.for_kernels: Any = numba.njit(**entries, pipeline_class=InnerCompiler, **options)(
            function
        )

    @cached_property
    def compiled(self) -> Any:
        """The dispatcher of Numba for calls from Python."""
        return numba.njit(cache=True, **self._options)(self.py_func)

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)


@typeof_impl.register(Inner)
def _type_in_kernels(inner: Inner, context: Any) -> Any:
    return types.Dispatcher(inner.for_kernels)


def _is_watched() -> bool:
    """Return whether somebody waits: at a terminal, or in a notebook whose outputs are not kept."""
    if sys.stderr.isatty():
        return True
    get_shell = getattr(sys.modules.get("IPython"), "get_ipython", None)
    in_notebook = getattr(get_shell and get_shell(), "kernel", None) is not None
    return in_notebook and not offline.is_refused()


class _Telling(event.Listener):
    """Says of a kernel, after two seconds, that it is being compiled.

    Numba compiles in one thread at a time, and compiles the calls of a kernel while it compiles the
    kernel: one clock runs, for the outermost kernel.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.clock: threading.Timer | None = None
        self.silent = False
        self.said = set[Function]()

    def on_start(self, event: event.Event) -> None:
        self.depth += 1
        function = event.data["dispatcher"].py_func
        if self.depth == 1 and not self.silent and function not in self.said and _is_watched():
            self.clock = threading.Timer(PATIENCE, self.say, [function])
            self.clock.daemon = True
            self.clock.start()

    def on_end(self, event: event.Event) -> None:
        self.depth -= 1
        if self.depth == 0 and self.clock is not None:
            self.clock.cancel()
            self.clock = None

    def say(self, function: Function) -> None:
        """Write the line."""
        self.said.add(function)
        seconds = function.__dict__.get("seconds")
        length = f"more than {PATIENCE:g} s" if seconds is None else f"about {seconds:g} s"
        name = f"{function.__module__.removeprefix('dpbook.')}.{function.__name__}"
        sys.stderr.write(f"compiling once, {length}: {name} (beforehand: dpbook compile)\n")
        sys.stderr.flush()


class _Collecting(event.Listener):
    """Looks for garbage less often while Numba compiles: it makes many objects, and few that are left over."""

    def __init__(self) -> None:
        self.depth = 0
        self.before = gc.get_threshold()

    def on_start(self, event: event.Event) -> None:
        if self.depth == 0:
            self.before = gc.get_threshold()
            if self.before[0]:  # else nothing is collected
                gc.set_threshold(max(self.before[0], 100_000), *self.before[1:])
        self.depth += 1

    def on_end(self, event: event.Event) -> None:
        self.depth -= 1
        if self.depth == 0:
            gc.set_threshold(*self.before)


telling = _Telling()
event.register("numba:compile", _Collecting())  # type: ignore[no-untyped-call]
event.register("numba:compile", telling)  # type: ignore[no-untyped-call]


@contextmanager
def silent() -> Iterator[None]:
    """Say nothing while kernels are compiled, where a progress bar is shown."""
    telling.silent = True
    try:
        yield
    finally:
        telling.silent = False
