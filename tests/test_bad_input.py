"""Bad input to what is public is told in a sentence: no error from inside reaches the reader."""

import importlib
import inspect

import pytest

BAD = (None, "x", -1, 0, float("nan"), [], "nope:nope", float("inf"), object(), {}, True, ())
SENTENCE = (ValueError, TypeError, OverflowError)  # a TypeError: an argument is missing


def public():
    for package in ("dpbook", "dpbook.privacy"):
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            error = isinstance(thing, type) and issubclass(thing, Exception)
            if callable(thing) and not error and name not in ("claim", "axiom"):
                yield pytest.param(thing, id=f"{package}.{name}")


@pytest.mark.parametrize("thing", list(public()))
def test_bad_input_is_refused_in_a_sentence(thing):
    empty = inspect.Parameter.empty
    needed = [p for p in inspect.signature(thing).parameters.values() if p.default is empty]
    for bad in BAD:
        values = [bad for p in needed if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        named = {p.name: bad for p in needed if p.kind is p.KEYWORD_ONLY}
        said = ""
        try:
            thing(*values, **named)
        except SENTENCE as error:
            said = str(error)
        assert "not supported between instances" not in said
