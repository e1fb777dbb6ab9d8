"""Every public function has an example, and its name means the function."""

import doctest
import subprocess
import sys

import pytest

import dpbook
import dpbook.privacy


def functions(package):
    return {
        name: getattr(package, name)
        for name in package.__all__
        if callable(getattr(package, name)) and not isinstance(getattr(package, name), type)
    }


@pytest.mark.parametrize("name", sorted(functions(dpbook.privacy)))
def test_every_public_function_has_an_example_that_runs(name):
    function = getattr(dpbook.privacy, name)
    tests = doctest.DocTestFinder(recurse=False).find(function, name)
    assert sum(len(test.examples) for test in tests) > 0


def test_a_name_of_a_function_and_of_a_module_means_the_function():
    program = (
        "import dpbook.privacy.audit\n"
        "from dpbook.privacy import audit, compose, gaussian_epsilon, profile\n"
        "from dpbook.privacy.audit import Audit\n"
        "import dpbook\n"
        "assert audit is dpbook.audit and callable(audit), audit\n"
        "print(compose.__name__, gaussian_epsilon.__name__, profile.__name__, Audit.__name__)\n"
    )
    for first in ("", "from dpbook.privacy import audit\n", "import dpbook.privacy\n"):
        done = subprocess.run(
            [sys.executable, "-c", first + program], capture_output=True, text=True, check=True
        )
        assert done.stdout.split() == ["compose", "gaussian_epsilon", "profile", "Audit"]


def test_importing_the_package_costs_no_numpy():
    program = "import sys, dpbook.privacy; print('numpy' in sys.modules, 'sympy' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["False", "False"]
