"""Short forms on record: written out as what they stand for, or refused in one line."""

import json

import pytest

from dpbook.kernel.files import replay
from dpbook.kernel.files.shorthand import Writer

KNOWN = {"rule": "auto"}
SUM = {"rule": "combination", "terms": [["1", [1], None]]}


def written(certificate, **more):
    entry = {"sequent": {}, "certificate": certificate, **more}
    return replay.parsed(json.dumps({"format": replay.FORMAT, "t:a": entry}), "file")["t:a"]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("auto", KNOWN),
        ("defined 2", {"rule": "defined", "premises": [KNOWN, KNOWN]}),
        ("compare sums 0", {"rule": "compare sums"}),
        (["all 1+1", "refute"], {"rule": "all", "premises": [KNOWN, {"rule": "refute"}, KNOWN]}),
        (
            {"rule": "and", "auto": "0+1", "premises": ["refute", "all"]},
            {"rule": "and", "premises": [{"rule": "refute"}, KNOWN, {"rule": "all"}]},
        ),
        (
            [{"rule": "have", "formula": "x > 0", "auto": "1"}, "#1"],
            {"rule": "have", "formula": "x > 0", "premises": [KNOWN, SUM]},
        ),
        (["#1", "auto"], {**SUM, "premises": [KNOWN]}),
        (["refute", "auto"], {"rule": "refute", "premises": [KNOWN]}),
        (
            [{"rule": "have", "formula": "x > 0"}, {"rule": "and", "premises": ["auto", "auto"]}],
            {
                "rule": "have",
                "formula": "x > 0",
                "premises": [{"rule": "and", "premises": [KNOWN, KNOWN]}],
            },
        ),
        (
            "1/2*#3 + #0^2*#12 + 7",
            {
                "rule": "combination",
                "terms": [["1/2", [3], None], ["1", [0, 0, 12], None], ["7", [], None]],
            },
        ),
        ("1", {"rule": "combination", "terms": [["1", [], None]]}),
        (
            {"rule": "combination", "terms": ["#1 + 2*#2", ["1", [], "x - y"], "3"]},
            {
                "rule": "combination",
                "terms": [
                    ["1", [1], None],
                    ["2", [2], None],
                    ["1", [], "x - y"],
                    ["3", [], None],
                ],
            },
        ),
        ({"rule": "weaken", "keep": "0-2 7 5"}, {"rule": "weaken", "keep": [0, 1, 2, 7, 5]}),
        (
            {"rule": "generalise", "keep": "0-1 3"},
            {"rule": "generalise", "keep": [0, 1, 3]},
        ),
    ],
)
def test_short_node_is_what_it_stands_for(short, long):
    assert written(short)["certificate"] == long


def test_names_stand_for_their_texts_also_within_later_names():
    entry = written(
        {"rule": "have", "formula": "$1 > $0^2", "premises": ["auto", "auto"]},
        names=["(a + b)", "exp($0)"],
        sequent={"variables": "a b n:integer", "goal": ["$1", ">", "n"]},
    )
    assert "names" not in entry
    assert written(["refute", "$0"], names=["#1 + #2"]) == written(["refute", "#1 + #2"])
    assert entry["certificate"]["formula"] == "exp((a + b)) > (a + b)^2"
    assert entry["sequent"] == {
        "variables": {"a": "real", "b": "real", "n": "integer"},
        "goal": "defined(exp((a + b))) and defined(n) and exp((a + b)) > n",
    }


@pytest.mark.parametrize(
    ("certificate", "more", "said"),
    [
        ("auto", {"names": ["f($0)"]}, "not given before"),
        ("auto", {"names": ["f($1)", "x"]}, "not given before"),
        ({"rule": "have", "formula": "$2 > 0"}, {"names": ["x", "y"]}, "not given before"),
        ("auto", {"names": ["x", "$999999"]}, "not given before"),
        ("$1", {"names": ["x"]}, "not given before"),
        ("auto", {"names": {"$0": "x"}}, "a list of texts"),
        ("auto", {"names": ["x", 3]}, "a list of texts"),
        ("auto", {"sequent": {"variables": "x y x:integer"}}, "declared twice"),
        ([{"rule": "and", "premises": ["auto"]}, "auto"], {}, "premises of its own"),
        ([3, "auto"], {}, "premises of its own"),
        (["refute"] * 2000, {}, "nested too deeply"),
        ({"rule": "and", "auto": "0+0+1", "premises": ["all"]}, {}, "beside none"),
        ({"rule": "and", "auto": 2}, {}, "no number of premises"),
        ({"rule": "and", "auto": "-1"}, {}, "no number of premises"),
        ("all 1+1", {}, "beside none"),
        (["all " + "+".join(["9999"] * 9000), "auto"], {}, "too large"),
        ("#0^9999", {}, "no term"),
        ("#0 #1", {}, "no term"),
        ("#0*2", {}, "no term"),
        ("1/2*", {}, "no term"),
        ("1 - #0", {}, "no term"),
        ({"rule": "combination", "terms": "*#0"}, {}, "no term"),
        ({"rule": "combination", "terms": ""}, {}, "no term"),
        ({"rule": "weaken", "keep": "0-"}, {}, "no range"),
        ({"rule": "weaken", "keep": "-1"}, {}, "no range"),
        ({"rule": "weaken", "keep": "0-999999"}, {}, "no range"),
    ],
)
def test_what_stands_for_nothing_is_refused_in_one_line(certificate, more, said):
    with pytest.raises(replay.Unusable, match=said) as caught:
        written(certificate, **more)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("a + b", "2*$0 > 3"),
        ("a - b", "c - $0 > 3"),
        ("a + b", "-$0 > 3"),
        ("a + b", "$0 / c > 3"),
        ("a*b", "c/$0 > 3"),
        ("a*b", "$0^2 > 3"),
        ("a^2", "2^$0 > 3"),
        ("-a", "$0^2 > 3"),
        ("a > 0 or b > 0", "c > 0 and $0"),
        ("a > 0 or b > 0", "$0 and c > 0"),
        ("a > 0", "1 + $0"),
        ("a", "b$0 > 0"),
        ("a", "$0b > 0"),
        ("a", "$0$0 > 0"),
        ("a > 0 and b > 0", "defined(c) and $0"),
        ("(a > 0)or(b > 0)", "$0 and c > 0"),
        ("defined(a)\tor(b > 0)", "$0 and c > 0"),
        ("-1", "a $0 > 0"),
        ("-1", "band $0 > 0"),
        ("a + b", "2*  $0 > 3"),
        ("a + b", "$0   *2 > 3"),
    ],
)
def test_a_name_is_one_operand_where_it_stands(name, use):
    have = {"rule": "have", "formula": use, "premises": ["auto", "auto"]}
    with pytest.raises(replay.Unusable, match=r"needs brackets"):
        written(have, names=[name])
    bracketed = {**have, "formula": use.replace("$0", " ($0) ")}
    assert written(bracketed, names=[name])["certificate"]["formula"].count(f"({name})")


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("a + b", "f($0, 2) + $0 - c == $0"),
        ("a*b", "-$0/c + 3*$0"),
        ("a^2", "$0/$0*$0"),
        ("(a + b)", "$0^$0"),
        ("f(a + b, c)", "2 - $0^2"),
        ("-1", "a > 0 and $0 < b"),
        ("a > 0 or b > 0", "c > 0 and ($0)"),
    ],
)
def test_a_name_needs_no_brackets_where_it_binds_tightly_enough(name, use):
    have = {"rule": "have", "formula": use, "premises": ["auto", "auto"]}
    made = written(have, names=[name])["certificate"]["formula"]
    assert made == use.replace("$0", name)


@pytest.mark.parametrize("name", ["a) + (b", ")(", "a)", "(a", "a, b", "x; real; f(x)"])
def test_what_is_no_operand_is_no_name(name):
    have = {"rule": "have", "formula": "(2*$0) > 0", "premises": ["auto", "auto"]}
    with pytest.raises(replay.Unusable, match="must stand for one operand"):
        written(have, names=[name])


def test_names_that_double_each_other_are_refused_before_they_are_written_out():
    doubled = ["x + x + x + x"] + [f"f($0, ${i}, ${i})" for i in range(200)]
    with pytest.raises(replay.Unusable, match="too large"):
        written("auto", names=doubled)
    texts = [{"rule": "have", "formula": "$9", "premises": ["auto"] * 2}] * 5000
    ten = ["x" * 100] + [f"${i}*${i}*${i}" for i in range(9)]
    with pytest.raises(replay.Unusable, match="too large"):
        written({"rule": "and", "premises": texts}, names=ten)


def test_all_entries_of_a_file_share_one_bound():
    writer = Writer(5000)
    entry = {"sequent": {}, "certificate": {"rule": "weaken", "keep": "0-2000"}}
    writer.entry(entry)
    writer.entry(entry)
    with pytest.raises(ValueError, match="too large"):
        writer.entry(entry)
    with pytest.raises(ValueError, match="too large"):
        Writer(5000).entry({"sequent": {}, "certificate": " + ".join(["#0^400"] * 30)})


@pytest.mark.parametrize("left", ["$0", "$1000000", "$" + "9" * 5000, "$", "$x"])
def test_what_is_no_name_of_the_entry_is_left_for_the_kernel_to_refuse(left):
    entries = {
        "format": replay.FORMAT,
        "t:a": {"names": ["x"], "sequent": {"goal": "1 > 0"}, "certificate": "auto"},
        "t:b": {"sequent": {"goal": f"{left} > 0"}, "certificate": "auto"},
    }
    accepted, refused = replay.replay(replay.parsed(json.dumps(entries), "file"))
    assert accepted.rejected is None
    assert refused.rejected is not None
