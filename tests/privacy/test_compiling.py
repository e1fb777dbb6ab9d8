"""Nothing is compiled at an import; who waits long for a kernel is told so, once."""

import gc
import io
import os
import subprocess
import sys
import time
from contextlib import nullcontext

import pytest
from numba import types
from numba.core import compiler

from dpbook.engine.claims import record
from dpbook.privacy import compiling
from dpbook.teaching import offline


class Stream(io.StringIO):
    def __init__(self, terminal):
        super().__init__()
        self.terminal = terminal

    def isatty(self):
        return self.terminal


class Shell:
    kernel = object()


@pytest.fixture
def said(monkeypatch):
    """Tell at once, and forget what was said."""
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(compiling.telling, "said", set())


def slow_kernel(**more):
    """Return a kernel whose compiling takes longer than a thread needs to begin."""

    @compiling.njit(**more)
    def double(x):
        return 2 * x

    plain = compiling.telling.on_end

    def on_end(event):
        limit = time.monotonic() + 60
        while not compiling.telling.said and time.monotonic() < limit:
            time.sleep(0.001)
        plain(event)

    return double, on_end


@pytest.mark.parametrize(("seconds", "length"), [(11, "about 11 s"), (None, "more than 0 s")])
def test_a_terminal_is_told_once_how_long_a_kernel_compiles(monkeypatch, said, seconds, length):
    stream = Stream(True)
    monkeypatch.setattr("sys.stderr", stream)
    double, on_end = slow_kernel(seconds=seconds)
    monkeypatch.setattr(compiling.telling, "on_end", on_end)
    assert (double(1), double(1.5)) == (2, 3.0)  # two signatures are compiled
    assert stream.getvalue().startswith(f"compiling once, {length}: ")
    assert stream.getvalue().count("\n") == 1


@pytest.mark.parametrize("refused", [True, False])
def test_a_notebook_is_told_but_for_one_whose_outputs_are_kept(monkeypatch, refused):
    monkeypatch.setattr("sys.stderr", Stream(False))
    assert not compiling._is_watched()
    monkeypatch.setattr("IPython.get_ipython", Shell)
    monkeypatch.setattr(offline, "_refusing", refused)
    assert compiling._is_watched() == (not refused)


@pytest.mark.parametrize(("terminal", "context"), [(False, nullcontext), (True, compiling.silent)])
def test_nothing_is_said_where_nobody_waits_or_a_bar_is_shown(monkeypatch, said, terminal, context):
    stream = Stream(terminal)
    monkeypatch.setattr("sys.stderr", stream)
    double, _ = slow_kernel()
    with context():
        assert double(1) == 2
    assert compiling.telling.clock is None
    assert stream.getvalue() == ""
    assert not compiling.telling.silent


def test_a_kernel_with_a_signature_is_compiled_when_it_is_called():
    @compiling.njit(types.float64(types.float64), nogil=True)
    def double(x):
        """Double a number."""
        return 2 * x

    assert "compiled" not in vars(double)
    assert (double.__doc__, double.py_func(3)) == ("Double a number.", 6)
    assert double(3) == 6.0
    assert double.compiled.signatures == [(types.float64,)]


IMPORTS = """
import importlib, sys
from numba.core import event

class Listener(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
package = importlib.import_module(sys.argv[1])
for name in package.__all__:
    getattr(package, name)
"""


@pytest.mark.parametrize("topic", record.topics())
def test_no_public_name_is_compiled_when_it_is_imported(topic, tmp_path):
    command = [sys.executable, "-c", IMPORTS, f"dpbook.{topic}"]
    environment = {"NUMBA_CACHE_DIR": str(tmp_path)}
    found = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert (found.returncode, found.stdout) == (0, "")


def test_a_function_that_kernels_call_is_compiled_for_python_only_where_python_calls_it():
    @compiling.njit(inner=True)
    def double(x):
        return 2 * x

    @compiling.njit
    def one_more(x):
        return double(x) + 1

    assert one_more(3) == 7
    assert double.for_kernels.signatures == [(types.int64,)]
    assert "compiled" not in vars(double)
    assert double(3) == double.py_func(3) == 6
    assert double.compiled.signatures == [(types.int64,)]


def test_a_division_by_0_is_an_error_only_where_this_is_asked_for():
    def inverse(x):
        return 1.0 / x

    assert compiling.njit()(inverse)(0.0) == float("inf")
    with pytest.raises(ZeroDivisionError):
        compiling.njit(error_model="python")(inverse)(0.0)


def test_options_are_equal_where_numbas_own_functions_take_over_the_same():
    def flags(**options):
        made = compiling.Flags()
        for name, value in options.items():
            setattr(made, name, value)
        return made

    plain = flags()
    same = flags(release_gil=True, no_cfunc_wrapper=True)
    assert plain == same
    assert hash(plain) == hash(same)
    for other in (
        flags(error_model="numpy"),
        flags(fastmath={"contract"}),
        flags(forceinline=True),
        flags(nrt=True),
        compiler.Flags(),
    ):
        assert plain != other


def test_a_function_has_an_entry_for_pointers_only_where_this_is_asked_for():
    signature = types.float64(types.float64)

    @compiling.njit(types.float64(types.FunctionType(signature), types.float64))
    def twice(function, x):
        return function(function(x))

    def double(x):
        return 2 * x

    pointed, plain = compiling.njit(pointed=True)(double), compiling.njit()(double)
    for function in (pointed, plain):
        function.compile(signature)
        function.disable_compile()
    assert twice(pointed, 3.0) == 12.0
    with pytest.raises(ValueError, match="wrapper address"):
        twice(plain, 3.0)


def test_a_function_that_kernels_call_has_machine_code_in_these_only():
    @compiling.njit(inner=True)
    def double(x):
        return 2 * x

    @compiling.njit
    def one_more(x):
        return double(x) + 1

    assert one_more(3) == 7
    (inner,), (outer,) = double.for_kernels.overloads.values(), one_more.overloads.values()
    for made, has_code in ((inner, False), (outer, True)):
        assert bool(made.library.get_pointer_to_function(made.fndesc.llvm_func_name)) == has_code


def test_garbage_is_looked_for_less_often_while_a_kernel_is_compiled(monkeypatch):
    before, seen = (700, 10, 10), []
    plain = compiling.telling.on_start

    def on_start(event):
        seen.append(gc.get_threshold())
        plain(event)

    monkeypatch.setattr(compiling.telling, "on_start", on_start)

    @compiling.njit
    def double(x):
        return 2 * x

    @compiling.njit
    def fourfold(x):
        return double(double(x))

    others = gc.get_threshold()
    gc.set_threshold(*before)  # tests before this one may have set others
    try:
        assert fourfold(1) == 4
        assert [one[0] for one in seen] == [100_000] * 2
        assert gc.get_threshold() == before
    finally:
        gc.set_threshold(*others)
