"""The examples in the docstrings do what they say, and every public name is there."""

import doctest
from importlib import import_module

import pytest

import dpbook.contamination

MODULES = (
    *("audits", "calculator", "enclosures", "mechanisms", "settings"),
    *("models.likelihoods", "models.mixture"),
)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_the_docstrings_are_right(module):
    found = doctest.testmod(
        import_module(f"dpbook.contamination.{module}"), optionflags=doctest.ELLIPSIS
    )
    assert found.attempted > 0
    assert found.failed == 0


def test_public_names_are_imported_when_they_are_used():
    for name in dpbook.contamination.__all__:
        assert getattr(dpbook.contamination, name).__doc__
    assert set(dpbook.contamination.__all__) == set(dir(dpbook.contamination))
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = dpbook.contamination.nothing
