"""The lists of packages for a CI that only checks, and what is said where a package is lacking."""

import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from dpbook.ext import requirements

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGES = {"pillow": "PIL"}  # by the module that each brings, where it has another name


def names(lines):
    return {canonicalize_name(Requirement(line).name) for line in lines}


@pytest.mark.parametrize("name", requirements.WITHOUT)
def test_a_list_has_all_that_dpbook_needs_but_what_it_leaves_out(name):
    without = set(requirements.WITHOUT[name])
    optional = PROJECT["optional-dependencies"]
    extras = [line for extra in requirements.EXTRAS for line in optional[extra]]
    core = PROJECT["dependencies"]
    assert without < names(core)
    assert names(requirements.listed(name)) == names(core) - without | names(extras)
    asked = {Requirement(line) for line in requirements.listed(name)}
    assert asked <= {Requirement(line) for line in (*core, *extras)}


@pytest.fixture
def alone(tmp_path):
    """Run dpbook where nothing else is installed, as after `pip install --no-deps`."""
    folder = tmp_path / "dpbook-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata.distribution("dpbook").read_text("METADATA"))
    start = (
        f"import runpy, sys; sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]\n"
        "runpy.run_module('dpbook', run_name='__main__', alter_sys=True)"
    )

    def run(*arguments):
        command = [sys.executable, "-I", "-S", "-c", start, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    return run


def test_a_list_is_written_where_nothing_but_dpbook_is_installed(alone):
    for name in requirements.WITHOUT:
        status, out, err = alone("requirements", name)
        assert (status, err) == (0, "")
        assert out.splitlines() == requirements.listed(name)
    status, out, err = alone("requirements", "none")
    assert (status, out) == (2, "")
    assert err == "no list none; there are verify, check\n"


def test_the_first_package_that_is_lacking_is_named(alone):
    status, out, err = alone("verify")
    assert (status, out) == (2, "")
    assert err.startswith("the package typer is not installed: pip install 'typer>=")
    assert err.endswith("requirements check lists all that it needs to decide claims\n")
    assert err.count("\n") == 1


def lean(name, folder, *arguments):
    """Run a command where only the packages of a list can be imported."""
    out = {PACKAGES.get(package, package) for package in requirements.WITHOUT[name]}
    start = (
        "import sys\n"
        "class Lacking:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {out!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Lacking())\n"
        "from dpbook.cli import main\n"
        "main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", start, *arguments], capture_output=True, text=True, cwd=folder
    )
    return done.returncode, done.stdout, done.stderr


def test_a_graph_names_what_it_lacks(tmp_path):
    status, out, err = lean(
        "verify", tmp_path, "graph", "privacy:renyi-normal", "--output", "tails.svg"
    )
    assert (status, out) == (2, "")
    assert err == f"the package networkx is not installed: pip install '{_wanted('networkx')}'\n"


def test_a_study_names_what_it_lacks(tmp_path):
    status, _, err = lean("check", tmp_path, "study", "run", "langevin-figure-1")
    assert status == 2
    assert err.startswith("the package ")
    assert err.count("\n") == 1


def _wanted(package):
    return next(x for x in metadata.requires("dpbook") if x.startswith(package))


def test_another_module_that_is_lacking_is_not_taken_for_a_package_of_dpbook():
    assert requirements.lacking(ModuleNotFoundError("No module", name="nowhere")) == ""
    assert requirements.lacking(ImportError("cannot import name")) == ""
    said = requirements.lacking(ModuleNotFoundError("No module", name="flint.utils"))
    assert said.startswith("the package python-flint is not installed: pip install 'python-flint>=")
