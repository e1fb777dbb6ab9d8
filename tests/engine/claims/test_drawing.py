"""The graph of claims: each to the right of what it rests on, none over another, none left out."""

import re
from functools import cache
from itertools import combinations

import pytest

from dpbook.engine.claims import record
from dpbook.engine.claims.drawing import ALONE, HEIGHT, ROW, WIDTH, svg
from dpbook.ext import recorded

FRAME = re.compile(r"<title>([\w.-]+:[\w.-]+): [^<]*</title>\s*<rect x=\"(\d+)\" y=\"(\d+)\"", re.S)


def row(label, using=(), cites=(), corrects=(), verdict="proved"):
    own = {"key": f"own:{label}", "title": label, "verdict": verdict}
    kinds = {"using": using, "cites": cites, "corrects": corrects}
    return own | {kind: [f"own:{one}" for one in found] for kind, found in kinds.items()}


@cache
def drawing(topic):
    """The picture of a topic, laid out once for the tests that look at it."""
    return svg(recorded.drawn(topic), topic=topic)


def places(drawn):
    return {key: (int(x), int(y)) for key, x, y in FRAME.findall(drawn)}


@pytest.mark.parametrize("topic", record.topics())
def test_claims_stand_right_of_what_they_rest_on_and_over_no_other(topic):
    rows = recorded.drawn(topic)
    found = places(drawing(topic))
    assert set(found) == {one["key"] for one in rows}
    for one in rows:
        for other in set(one["using"]) & set(found):
            assert found[other][0] < found[one["key"]][0], (other, one["key"])
    columns = {}
    for x, y in found.values():
        columns.setdefault(x, []).append(y)
    for ys in columns.values():
        assert all(abs(a - b) >= ROW for a, b in combinations(ys, 2))
    xs = sorted(columns)
    assert all(b - a > WIDTH for a, b in zip(xs, xs[1:], strict=False))


@pytest.mark.parametrize("topic", record.topics())
def test_everything_lies_within_the_picture(topic):
    drawn = drawing(topic)
    width, height = map(int, re.search(r'viewBox="0 0 (\d+) (\d+)"', drawn).groups())
    for x, y in places(drawn).values():
        assert x + WIDTH <= width
        assert y + HEIGHT <= height


def test_what_no_line_joins_stands_in_a_list_below():
    rows = [row("alone"), row("first"), row("next", using=["first"])]
    found = places(svg(rows, topic="own"))
    assert found["own:alone"][1] > found["own:next"][1] == found["own:first"][1]
    assert ALONE in svg(rows, topic="own")
    assert ALONE not in svg(rows[1:], topic="own")


def test_a_circle_of_corrections_and_uses_is_drawn():
    rows = [row("wrong", using=["right"], verdict="refuted"), row("right", corrects=["wrong"])]
    assert len(places(svg(rows, topic="own"))) == 2


def test_a_fact_that_is_used_far_up_stands_beside_what_uses_it():
    rows = [row("a"), row("b", using=["a"]), row("c", using=["b", "fact"]), row("fact")]
    found = places(svg(rows, topic="own"))
    assert found["own:fact"][0] == found["own:b"][0] > found["own:a"][0]


def test_nothing_is_a_graph_too():
    assert svg([], topic="own").startswith("<svg")
