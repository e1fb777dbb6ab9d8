"""Read a text in one call, as tests of single texts need it."""

from dpbook.engine.read.readings import read


def read_line(text, symbols=None, latex=None):
    """An expression, or relations; names in `symbols` are these symbols, others become real ones."""
    return read(text, latex).line(symbols or {})


def read_condition(text, symbols=None, latex=None):
    """Relations joined by `and` and `or`."""
    return read(text, latex).condition(symbols or {})


def read_given(text):
    """Conditions, intervals among them."""
    return read(text, given=True).given({})
