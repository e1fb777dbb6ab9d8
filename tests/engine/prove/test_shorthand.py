"""Proofs in short forms: smaller, and the same proofs when they are read."""

import json

import pytest

from dpbook.engine.prove.shorthand import shortened
from dpbook.kernel.files import replay

KNOWN = {"rule": "auto"}
LONG = "log(alpha + beta^2)/(1 + alpha + beta + gamma)"


def entry(certificate, **sequent):
    return {"sequent": {"goal": "x > 0", **sequent}, "certificate": certificate}


def read(made):
    return replay.parsed(json.dumps({"format": replay.FORMAT, "t:a": made}), "text")["t:a"]


@pytest.mark.parametrize(
    "certificate",
    [
        KNOWN,
        {"rule": "refute", "premises": []},
        {"rule": "defined", "premises": [KNOWN] * 12},
        {"rule": "and", "premises": [KNOWN, {"rule": "all"}, KNOWN, KNOWN, {"rule": "all"}]},
        {"rule": "all", "premises": [KNOWN, {"rule": "refute", "premises": [KNOWN]}, KNOWN]},
        {"rule": "refute", "premises": [KNOWN, {"rule": "have", "formula": "x > 1"}]},
        {"rule": "refute", "premises": "auto"},
        {"rule": "combination", "terms": [["1/2", [3, 3, 0, 3], None], ["1", [], "x"]]},
        {"rule": "combination", "terms": [["1", [], None], ["-1", [2], None], ["1", [True], None]]},
        {"rule": "combination", "terms": []},
        {"rule": "combination", "terms": [["1", [0], None]], "premises": [KNOWN]},
        {"rule": "combination", "terms": [["1", [0] * 1500, None]]},
        {"rule": "weaken", "keep": [4, 3, 3, 5], "premises": [KNOWN]},
        {"rule": "weaken", "keep": [], "premises": [KNOWN]},
        {"rule": "generalise", "keep": [0, 2], "premises": [KNOWN]},
        {"rule": "generalise", "keep": ["1", True], "premises": [KNOWN]},
        {"rule": "have", "formula": "$0 > 0", "premises": [KNOWN]},
        {"rule": 3, "premises": [KNOWN]},
        [KNOWN, KNOWN],
        None,
        7,
    ],
)
def test_short_forms_are_read_as_the_proof_again(certificate):
    for goal in ("x > 0", "defined(x) and defined(1/x) and x < 1/x", "defined(x) and x < y", "x >"):
        proof = entry(certificate, goal=goal, variables={"x": "real", "n": "integer"})
        again = read(shortened(proof)) if isinstance(certificate, dict) else proof
        assert json.dumps(again) == json.dumps(proof)
        assert shortened(again) == shortened(proof)


def test_what_recurs_gets_a_name_and_what_does_not_gets_none():
    twice = {"rule": "have", "formula": f"{LONG} > 0", "premises": [KNOWN]}
    made = shortened(entry(twice, given=[f"{LONG} >= 1", "alpha > 0"]))
    assert made["names"] == [LONG]
    assert made["sequent"]["given"] == ["$0 >= 1", "alpha > 0"]
    assert made["certificate"] == {"rule": "have", "formula": "$0 > 0", "auto": "1"}
    assert "names" not in shortened(entry(twice))


def test_a_name_may_stand_for_a_text_with_a_name():
    inner, outer = f"exp({LONG})", f"integral(1 + exp({LONG}), alpha, 0, gamma)"
    given = [f"{inner} > 0", f"{inner} < 9", f"{outer} > 0", f"{outer} < 9", f"{outer} != 1"]
    proof = entry(KNOWN, given=given)
    made = shortened(proof)
    assert len(made["names"]) == 2
    assert "$0" in made["names"][1]
    assert read(made) == proof
