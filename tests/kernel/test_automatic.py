"""Premises that need no proof: each is written, and `automatic` may change without the record."""

import pytest

from dpbook.engine.prove.certificates import EACH_GOES_ON, NONE_GOES_ON
from dpbook.kernel import Rejected, check, environment
from dpbook.kernel.files import replay
from dpbook.kernel.formulas import Is, Relation
from dpbook.kernel.normal.automatic import automatic
from dpbook.kernel.rules import RULES
from tests.kernel.instances import IDENTITY, KNOWN, node, sequent
from tests.kernel.on_record import FILES, proofs_in

TOPICS = sorted({path.parents[2].name for path in FILES})
DEFINED = sequent("x", "x > 0", "defined(1/x + log(x))")


def test_every_premise_has_a_node():
    check(DEFINED, node("defined", KNOWN, KNOWN))
    for premises in ((), (KNOWN,), (KNOWN,) * 3):
        with pytest.raises(Rejected, match="the number of premises must be 2"):
            check(DEFINED, node("defined", *premises))


def test_a_premise_that_is_automatic_may_have_a_proof():
    positive = node("refute", node("combination", terms=[["1", [0], None], ["1", [1], None]]))
    bounded = sequent("x", "x >= 1", "defined(log(x))")
    by_hand = node("refute", node("combination", terms=[[c, n, None] for c, n in (("1", [0]), ("1", [1]), ("1", []))]))  # fmt: skip
    check(bounded, node("defined", by_hand))
    with pytest.raises(Rejected, match="strictly positive"):
        check(bounded, node("defined", positive))


@pytest.mark.parametrize(
    ("names", "given", "goal", "certificate"),
    [
        ("x", "x >= 0", "defined(log(x))", node("defined", KNOWN)),
        ("x y", "y != 0|x >= y", "x >= y", node("restate", KNOWN, KNOWN, goal="x*y >= y*y", factor="1/y")),
        ("x", "x > 1", "x >= 2", node("whole", KNOWN, KNOWN, hypothesis=0)),
        ("x", "", "x^2 > 0", KNOWN),
        ("x", "", "defined(x + 1)", KNOWN),
    ],
)  # fmt: skip
def test_a_premise_that_is_not_automatic_is_rejected(names, given, goal, certificate):
    with pytest.raises(Rejected, match="not settled") as caught:
        check(sequent(names, given, goal), certificate)
    assert caught.value.rule == "auto"


@pytest.mark.parametrize(
    ("given", "goal", "near_miss"),
    [
        ("x >= y + 1", "x - y > 0", "x - y - 1 > 0"),
        ("x > y + 1", "x - y - 1 > 0", "x - y - 2 >= 0"),
        ("2*x - 2*y <= 3", "x - y <= 3/2", "x - y < 3/2"),
        ("2*x - 2*y < 3", "y - x + 3/2 > 0", "y - x + 1 >= 0"),
        ("x*y + z >= -1/3", "z + x*y + 1/3 >= 0", "z - x*y + 1/3 >= 0"),
        ("x - y == 2", "x - y - 1 > 0", "x - y - 2 > 0"),
        ("x - y >= 10^(-30)", "x - y > 0", "x - y - 10^(-30) > 0"),
        ("x - y != 2", "x - y != 2", "x - y - 1 != 0"),
    ],
)
def test_a_sum_keeps_its_bounds_whatever_number_is_added(given, goal, near_miss):
    check(sequent("x y z", given, goal), KNOWN)
    with pytest.raises(Rejected, match="not settled"):
        check(sequent("x y z", given, near_miss), KNOWN)


def test_a_factor_that_is_a_number_needs_no_premise():
    half = sequent("x y", "x >= y", "x/2 >= y/2")
    check(half, node("restate", KNOWN, goal="x >= y", factor="1/2"))
    with pytest.raises(Rejected, match="differ"):
        check(half, node("restate", IDENTITY, goal="x >= y", factor="1/3"))


def test_tables_of_the_search_name_rules():
    assert set(RULES) >= EACH_GOES_ON | NONE_GOES_ON
    assert not EACH_GOES_ON & NONE_GOES_ON


# --- on record ------------------------------------------------------------------------------------


def proofs_of(topic):
    """The proofs of a topic, and of the lemmas of other topics on which they rest."""
    found, wanted = {}, [topic]
    while wanted:
        here = wanted.pop()
        for path in FILES:
            if path.parents[2].name == here:
                found |= proofs_in(path)
        named = {n for e in found.values() for n in replay.lemmas_in(e.get("certificate"))}
        wanted = sorted({n.partition(":")[0] for n in named - set(found)})
    return found


def sums_are_defined(s, facts):
    """More: a sum or a product of numbers and variables is defined."""
    plain = isinstance(s.goal, Is) and s.goal.what == "defined" and s.goal.term.plain
    return plain or automatic(s, facts)


def nothing_is_not_0(s, facts):
    """Less: no sign shows that a term differs from another one."""
    return not (isinstance(s.goal, Relation) and s.goal.op == "!=") and automatic(s, facts)


def node_at(entry, path):
    found = entry["certificate"]
    for place in path:
        found = found["premises"][place]
    return found


def test_the_stronger_one_is_stronger_and_the_weaker_one_weaker(monkeypatch):
    plain, other = sequent("x", "", "defined(x + 1)"), sequent("x", "x > 0", "x != 0")
    monkeypatch.setattr(environment, "automatic", sums_are_defined)
    check(plain, KNOWN)
    check(other, KNOWN)
    monkeypatch.setattr(environment, "automatic", nothing_is_not_0)
    with pytest.raises(Rejected):
        check(other, KNOWN)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_stronger_one_loses_no_proof_and_a_weaker_one_only_those_that_name_it(topic, monkeypatch):
    entries = proofs_of(topic)
    monkeypatch.setattr(environment, "automatic", sums_are_defined)
    assert [one.rejected for one in replay.replay(entries) if one.rejected] == []
    monkeypatch.setattr(environment, "automatic", nothing_is_not_0)
    lost = {one.key: one.rejected for one in replay.replay(entries) if one.rejected}
    assert 0 < len(lost) < len(entries)
    for key, error in lost.items():
        if error.rule == "lemma" and not error.path:  # it rests on one that is lost
            assert lost.keys() & set(replay.lemmas_in(entries[key]["certificate"]))
        else:
            assert node_at(entries[key], error.path) == KNOWN
