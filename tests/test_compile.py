"""`dpbook compile`: all kernels are reached, and a run that was stopped goes on."""

import importlib.util
import json
import subprocess
import sys

import pytest

from dpbook import cli
from dpbook.ext import kernels

KERNELS = """
from dpbook.privacy.compiling import njit

@njit(cache=True)
def twice(x):
    return 2 * x

@njit(cache=True)
def thrice(x):
    return 3 * x
"""


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def run(capsys):
    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            cli.main(list(arguments))
        shown = capsys.readouterr()
        return stop.value.code, shown.out, shown.err

    return run


def loaded(path, monkeypatch):
    """Import a file anew, as another process would."""
    spec = importlib.util.spec_from_file_location("some_kernels", path)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "some_kernels", module)
    spec.loader.exec_module(module)
    return module


def test_a_run_that_is_stopped_goes_on_with_what_is_compiled(run, tmp_path, monkeypatch):
    path = tmp_path / "some_kernels.py"
    path.write_text(KERNELS)

    def interrupted():
        raise KeyboardInterrupt

    first = loaded(path, monkeypatch)
    calls = [("topic: twice", lambda: first.twice(1)), ("topic: stop", interrupted)]
    monkeypatch.setattr(kernels, "first_calls", lambda: calls)
    said = "\nstopped; the kernels so far are kept: dpbook compile goes on\n"
    assert run("compile") == (130, "", said)
    assert not kernels.are_compiled()

    again = loaded(path, monkeypatch)
    calls = [("topic: twice", lambda: again.twice(1)), ("topic: thrice", lambda: again.thrice(1))]
    assert run("compile") == (0, "the kernels of all topics are compiled\n", "")
    assert kernels.are_compiled()
    assert [sum(one.stats.cache_hits.values()) for one in (again.twice, again.thrice)] == [1, 0]


def test_kernels_that_were_changed_are_not_compiled(run, tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "first_calls", list)
    assert run("compile")[0] == 0
    assert kernels.are_compiled()
    monkeypatch.setattr("llvmlite.binding.get_host_cpu_name", lambda: "another processor")
    assert not kernels.are_compiled()


# A kernel that is loaded from the cache has not loaded those that it calls: these are found by name.
REACHED = """
import inspect, json, sys, warnings
from numba.core.dispatcher import Dispatcher
from dpbook.ext.kernels import first_calls
from dpbook.privacy.compiling import Inner, Later

warnings.simplefilter("ignore")
for name, call in first_calls():
    call()

def plain(thing):
    return vars(thing).get("compiled") if isinstance(thing, (Inner, Later)) else thing

def named(function):
    found = inspect.getclosurevars(function)
    return [*found.globals.values(), *found.nonlocals.values()]

everything = {}
for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith("dpbook."):
        for name, thing in vars(module).items():
            if isinstance(thing, (Dispatcher, Inner, Later)) and thing.py_func.__module__ == module.__name__:
                everything[f"{module.__name__}.{name}"] = thing
left = [one for one in everything.values() if plain(one) is not None and plain(one).signatures]
reached = set()
while left:
    one = left.pop()
    if one.py_func not in reached:
        reached.add(one.py_func)
        left += [other for other in named(one.py_func) if isinstance(other, (Dispatcher, Inner, Later))]
missed = sorted(name for name, thing in everything.items() if thing.py_func not in reached)
print(json.dumps([len(everything), missed]))
"""


def test_every_kernel_is_reached_by_the_first_calls():
    found = subprocess.run(
        [sys.executable, "-c", REACHED], capture_output=True, text=True, check=True
    )
    count, missed = json.loads(found.stdout)
    assert count > 150
    assert missed == [], "a small call in first_calls.py of the topic reaches each"
