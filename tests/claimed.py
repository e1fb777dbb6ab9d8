"""What the claims of a topic say, as numbers: for tests that share no code with what is tested."""

import json
from fractions import Fraction
from functools import lru_cache

import mpmath

from dpbook import compiled
from dpbook.engine.claims import catalog, record
from dpbook.engine.language.statement import unfold_definitions


def rows_of(topic):
    """Return what is on record of each claim of a topic."""
    path = record.record_path(topic)
    return json.loads(path.read_text(encoding="utf-8"))["claims"] if path.exists() else {}


def recorded_points(key, own):
    """Return our own point of a refuted claim and, where there is a record, its counterexample.

    Of the record only what our own point names is taken: the rest follows from it.
    """
    points = [own]
    found = rows_of(key.partition(":")[0]).get(key, {}).get("counterexample")
    if isinstance(found, dict):
        points.append({name: found.get(name, value) for name, value in own.items()})
    return [{name: _number(value) for name, value in point.items()} for point in points]


def real_points(key, own):
    """Return the same points in mpmath's numbers, at 60 digits."""
    with mpmath.workdps(60):
        return [
            {name: mpmath.mpf(x.numerator) / x.denominator for name, x in point.items()}
            for point in recorded_points(key, own)
        ]


def _number(value):
    base, power, exponent = str(value).partition("^")  # powers of ten are written as 10^-1000
    return Fraction(int(base)) ** int(exponent) if power else Fraction(value)


@lru_cache
def relations(key):
    """Return the relations that a claim states, one or several."""
    tree = catalog.find(key).form.tree
    return list(tree.parts) if hasattr(tree, "parts") else [tree]


@lru_cache
def _function(expression):
    plain = unfold_definitions(expression)
    symbols = {free.name: free for free in plain.free_symbols}
    return list(symbols), compiled(plain, *symbols.values())


def value(expression, **numbers):
    """Return an expression at numbers by the names of its symbols; others are passed over."""
    names, calculate = _function(expression)
    assert set(names) <= set(numbers), names
    return float(calculate(*(numbers[name] for name in names)))


class Topic:
    """The claims of one topic, by the keys without its name."""

    def __init__(self, name):
        self.name = name

    def relations(self, key):
        return relations(f"{self.name}:{key}")

    def recorded_points(self, key, own):
        return recorded_points(f"{self.name}:{key}", own)

    def left(self, key, part=0, **numbers):
        return value(self.relations(key)[part].lhs, **numbers)

    def right(self, key, part=0, **numbers):
        return value(self.relations(key)[part].rhs, **numbers)
