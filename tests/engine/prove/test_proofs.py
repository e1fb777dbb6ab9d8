"""Proofs on record: written, replayed without a search, and searched again when they do not fit."""

import copy
import json
import re
import textwrap
from pathlib import Path

import pytest

from dpbook.engine.claims import catalog, proof_files, record, schedule, topics
from dpbook.engine.claims.ledger import ledger, lemmas_among
from dpbook.engine.claims.rows import rows_of
from dpbook.engine.language.task import Certified, Task
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove import proof_text, proofs
from dpbook.engine.prove.certificates import steps_of
from dpbook.engine.prove.proofs import kernel_checked
from dpbook.engine.prove.sequents import beyond, same_statement, sequent_of, witnessed
from dpbook.engine.run import workers
from dpbook.engine.run.decide import decided, tried
from dpbook.kernel import Rejected
from dpbook.kernel.environment import Environment
from dpbook.kernel.files import replay
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import And, Is, Or, Relation, parse_formula
from dpbook.kernel.rules import RULES
from dpbook.kernel.terms import parse_term

LECTURE = """
    from sympy import Ge, Integral, Le

    from dpbook import claim, symbol

    x = symbol("x", above=0)
    y = symbol("y", above=0)
    t = symbol("t")

    @claim("eq-1")
    def square():
        \"\"\"A square.\"\"\"
        return Ge(x**2 + y**2, 2 * x * y)

    @claim("eq-2", using=["eq-1"])
    def half():
        \"\"\"Rests on the first.\"\"\"
        return Ge(x**2 / 2 + y**2 / 2, x * y)

    @claim("eq-3")
    def wrong():
        \"\"\"A slip.\"\"\"
        return Le(x * y, x + y)
"""
SQUARE = {
    "rule": "refute",
    "premises": [{"rule": "combination", "terms": [["1", [2], None], ["1", [], "x - y"]]}],
}
HALF = {
    "rule": "lemma",
    "name": "lecture:eq-1",
    "premises": [
        {"rule": "auto"},
        {"rule": "auto"},
        {
            "rule": "restate",
            "goal": "x^2 + y^2 >= 2*x*y",
            "factor": "1/2",
            "premises": [{"rule": "auto"}],
        },
    ],
}


@pytest.fixture(autouse=True)
def workers_here(own_cache, monkeypatch):
    monkeypatch.setattr(schedule, "Pool", Here)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lecture.py"


def loaded(path, text=LECTURE):
    path.write_text(textwrap.dedent(text))
    return catalog.load_anew(topics.at(path))[0]


def entry(claim, certificate):
    sequent = sequent_of(claim.form, claim.given).to_json()
    return {"sequent": sequent, "certificate": certificate, "sample": {"x": "1", "y": "1"}}


@pytest.fixture
def claims(path):
    """Three claims, two with a proof on record beside the file."""
    found = loaded(path)
    entries = {
        "lecture:eq-1": entry(found[0], SQUARE),
        "lecture:eq-2": entry(found[1], HALF),
    }
    proof_files.write(proof_files.beside(path), entries)
    return found


class Here:
    """A pool that does its tasks in this process: no test of proofs needs another one."""

    def __init__(self, jobs, patience):
        self.idle, self.busy = [self], []

    def submit(self, name, task):
        try:
            if isinstance(task, Certified):
                answer = decided(task)
            else:
                answer = tried(task) if isinstance(task, Task) else task.run()
        except ValueError as error:
            answer = error
        self.busy.append((name, answer))

    def wait(self):
        answers, self.busy = self.busy, []
        return answers

    def close(self):
        self.idle = []


@pytest.fixture
def no_search(monkeypatch):
    def refuse(*arguments):
        pytest.fail(f"{arguments[0].key} is searched")

    monkeypatch.setattr(schedule, "_search", refuse)


def by_label(rows):
    return {row["label"]: row for row in rows}


def spoil(path, change):
    entries = copy.deepcopy(proof_files.in_file(proof_files.beside(path)))
    change(entries)
    proof_files.write(proof_files.beside(path), entries)


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"t:a": {"sequent": {}, "certificate": {"rule": "auto"}}},
        {"t:u": {"sequent": {"goal": "ü" * 300}, "certificate": {"rule": "a", "premises": []}}},
        {
            "t:a": {"sequent": {}, "certificate": SQUARE},
            "t:b": {"sequent": {}, "certificate": HALF},
        },
    ],
)
def test_layout_says_the_same(value):
    assert replay.parsed(proof_files.formatted(value), "text") == value


@pytest.mark.parametrize(
    ("goal", "brief"),
    [
        ("defined(erf(x)) and defined(log(x)) and erf(x) > log(x)", ["erf(x)", ">", "log(x)"]),
        ("defined(log(x)) and log(x) == 1", ["log(x)", "==", "1", "left"]),
        ("defined(log(x)) and 1 == log(x)", ["1", "==", "log(x)", "right"]),
        ("defined(log(x)) and log(x)^2 == 1", "defined(log(x)) and log(x)^2 == 1"),
        ("x > 0", "x > 0"),
    ],
)
def test_sides_that_are_said_to_be_defined_are_written_once(goal, brief):
    value = {"t:a": {"sequent": {"goal": goal}, "certificate": SQUARE}}
    written = proof_files.formatted(value)
    assert json.loads(written)["t:a"]["sequent"]["goal"] == brief
    assert replay.parsed(written, "text") == value


@pytest.mark.parametrize("goal", [[], ["x"], ["x", ">", 1], ["x", ">", "0", "both"], ["x"] * 5])
def test_a_list_that_is_no_goal_is_rejected(goal):
    entry = {"sequent": {"variables": {"x": "real"}, "goal": goal}, "certificate": SQUARE}
    read = replay.parsed(json.dumps({"format": 3, "t:a": entry}), "text")
    with pytest.raises(Rejected):
        proofs.checked(read["t:a"], {})


def test_layout_keeps_deep_proofs_small_and_short_ones_on_a_line():
    node = {"rule": "auto"}
    for number in range(140):
        node = {"rule": "have", "formula": f"x > -{number}", "premises": [{"rule": "auto"}, node]}
    made = proof_files.formatted({"t:a": {"sequent": {"goal": "x > 0"}, "certificate": node}})
    assert replay.parsed(made, "text")["t:a"]["certificate"] == node
    assert len(made) < 1.1 * len(json.dumps(node))
    assert max(len(line.rstrip("]}")) for line in made.splitlines()) <= proof_files.WIDTH
    assert ' "sequent":{"goal":"x > 0"},' in made.splitlines()


def test_layout_shows_branches_and_a_change_as_few_lines():
    def made(number):
        branches = []
        for large in (10**30 + 1, 10**30 + 3):
            terms = [[f"{i}/{large}", [i], None] for i in range(20)]
            terms[7][0] = number
            branch = {"rule": "combination", "terms": terms}
            branches.append({"rule": "refute", "premises": [branch]})
        node = {"rule": "and", "premises": [branches[0], {"rule": "auto"}, branches[1]]}
        entry = {"sequent": {"goal": "x > 0"}, "certificate": node}
        return proof_files.formatted({"t:a": entry}).splitlines()

    lines = made("7")
    assert lines.count('  ["refute",') == 2
    changed = made("8")
    assert len(lines) == len(changed)
    assert sum(a != b for a, b in zip(lines, changed, strict=True)) == 2


@pytest.mark.parametrize("topic", record.topics())
def test_files_on_record_are_laid_out_by_the_writer(topic):
    for path in proof_files.files(topic):
        assert path.read_text(encoding="utf-8") == proof_files.formatted(replay.read(path)), path


def test_round_trip_of_file_sequent_and_evidence(claims, path):
    read = proof_files.in_file(proof_files.beside(path))
    assert list(read) == ["lecture:eq-1", "lecture:eq-2"]
    for claim, one in zip(claims, read.values(), strict=False):
        sequent = sequent_from_json(one["sequent"])
        assert sequent.to_json() == one["sequent"]
        assert same_statement(claim.form, claim.given, sequent)
    rows = rows_of(claims)
    found = proof_files.of_rows(rows)
    assert {key: found[key] for key in read} == read


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 3, "lecture:eq-1": {}}', '{"lecture:eq-1": {}}', "\x00"]
)
def test_broken_file_is_one_line(claims, path, text):
    proof_files.beside(path).write_text(text)
    with pytest.raises(ValueError, match=r"lecture\.proofs\.json") as caught:
        rows_of(claims, jobs=1)
    assert "\n" not in str(caught.value)


def test_record_of_a_topic_is_merged_sorted_and_stands_on_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(record, "PACKAGE", tmp_path)
    (tmp_path / "lecture" / "claims").mkdir(parents=True)
    order = {"t:a": "one", "t:b": "one", "t:c": "two", "t:d": "two"}

    def made(*lemmas):
        node = {"rule": "auto"}
        for name in lemmas:
            node = {"rule": "lemma", "name": name, "premises": [node]}
        return {"sequent": {}, "certificate": node}

    lecture = topics.book("lecture")
    proof_files.put_on_record(lecture, {"t:b": made(), "t:a": made("t:c"), "t:c": made()}, order)
    assert [path.name for path in proof_files.files(lecture)] == ["one.json", "two.json"]
    assert list(proof_files.in_file(proof_files.folder(lecture) / "one.json")) == ["t:a", "t:b"]
    # a lemma without a proof takes along what uses it; a claim that is gone leaves the record
    proof_files.put_on_record(lecture, {"t:c": None, "t:d": made("t:e")}, order)
    assert list(proof_files.of_topic(lecture)) == ["t:b"]
    assert [path.name for path in proof_files.files(lecture)] == ["one.json"]
    proof_files.put_on_record(lecture, {}, {"t:a": "one"})
    assert proof_files.files(lecture) == []


# --- replaying ------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, 2])
def test_proof_on_record_is_replayed_without_a_search(claims, no_search, monkeypatch, jobs):
    monkeypatch.setattr(schedule, "Pool", workers.Pool)
    rows = by_label(rows_of(claims[:2], jobs=jobs))
    for row in rows.values():
        assert (row["verdict"], row["method"], row["trusted"]) == ("proved", "kernel", ["kernel"])
        assert row["sample"] == [["x", "1"], ["y", "1"]]
        assert row["rejected"] is None


def test_counterexample_on_record_is_confirmed_without_a_search(claims, no_search):
    recorded = {
        "lecture:eq-3": {
            "hash": claims[2].hash,
            "verdict": "refuted",
            "counterexample": {"x": "7", "y": "9/2"},
        }
    }
    [row] = rows_of(claims[2:], recorded=recorded)
    assert (row["verdict"], row["method"]) == ("refuted", "point")
    assert row["counterexample"] == {"x": "7", "y": "9/2"}
    assert row["finding"] == "63/2 <= 23/2 is false"


@pytest.mark.parametrize("point", [{"x": "1", "y": "1"}, {"x": "-1", "y": "3"}, {"x": "3"}, {}])
def test_point_that_refutes_nothing_is_searched(claims, point):
    recorded = {"lecture:eq-3": {"hash": claims[2].hash, "counterexample": point}}
    [row] = rows_of(claims[2:], recorded=recorded)
    assert row["verdict"] == "refuted"
    assert row["counterexample"] != point


def test_a_new_search_ends_in_a_certificate(claims):
    rows = by_label(rows_of(claims, search=[c.key for c in claims]))
    for label, verdict in (("eq-1", "proved"), ("eq-2", "proved"), ("eq-3", "refuted")):
        assert (rows[label]["verdict"], rows[label]["trusted"]) == (verdict, ["kernel"])
        assert rows[label]["certificate"]["proof"]


def test_proof_on_record_stands_where_a_new_search_finds_none(claims, monkeypatch):
    nothing = Evidence(Verdict.SUPPORTED, method="points", reason="nothing found")
    monkeypatch.setitem(globals(), "decided", lambda task: nothing)
    rows = by_label(rows_of(claims, search=[c.key for c in claims]))
    for label, verdict in (("eq-1", "proved"), ("eq-2", "proved"), ("eq-3", "supported")):
        assert (rows[label]["verdict"], rows[label]["kept"]) == (verdict, verdict == "proved")
    again = by_label(rows_of(claims))
    assert (again["eq-1"]["verdict"], again["eq-1"]["kept"]) == ("proved", False)
    spoilt = {"lecture:eq-1": {**entry(claims[0], SQUARE), "certificate": {"rule": "auto"}}}
    proof_files.write(proof_files.beside(Path(claims[0].function.__code__.co_filename)), spoilt)
    [row] = rows_of(claims[:1], search=["lecture:eq-1"])
    assert (row["verdict"], row["kept"]) == ("supported", False)
    assert row["rejected"].startswith("rejected at ")


def test_changed_statement_is_searched(claims, path, monkeypatch):
    rows_of(claims)
    changed = loaded(path, LECTURE.replace("2 * x * y", "x * y"))
    searched = []
    whole = schedule._search
    monkeypatch.setattr(
        schedule,
        "_search",
        lambda claim, *more: (searched.append(claim.key), whole(claim, *more))[1],
    )
    rows = by_label(rows_of(changed[:1]))
    assert searched == ["lecture:eq-1"]
    assert rows["eq-1"]["verdict"] == "proved"
    assert rows["eq-1"]["rejected"] is None


def mutated_number(entries):
    entries["lecture:eq-1"]["certificate"]["premises"][0]["terms"][1] = ["1", [], "x + y"]


def without_premise(entries):
    entries["lecture:eq-1"]["certificate"]["premises"] = []


def believed(entries):
    entries["lecture:eq-1"]["certificate"] = {"rule": "auto"}


def nothing(entries):
    entries["lecture:eq-1"]["certificate"] = None


@pytest.mark.parametrize("change", [mutated_number, without_premise, believed, nothing])
def test_spoilt_certificate_is_rejected_and_the_claim_searched(claims, path, change):
    rows_of(claims)  # what is remembered must not hide it
    spoil(path, change)
    rows = by_label(rows_of(claims[:1]))
    row = rows["eq-1"]
    assert row["verdict"] == "proved"
    assert row["rejected"].startswith("rejected at ")
    before = {"hash": row["hash"], "verdict": "proved", "trusted": row["trusted"]}
    assert record.differs(row, before).startswith("the proof on record is none: rejected at ")
    assert record.differs({**row, "rejected": None}, before) == ""


def test_certificate_of_another_statement_is_not_used(claims, path):
    def swapped(entries):
        entries["lecture:eq-1"], entries["lecture:eq-2"] = (
            entries["lecture:eq-2"],
            entries["lecture:eq-1"],
        )

    spoil(path, swapped)
    rows = by_label(rows_of(claims[:2], use_cache=False))
    for claim in claims[:2]:
        row = rows[claim.label]
        assert row["verdict"] == "proved"
        own = (row["certificate"].get("proof") or {}).get("sequent")
        assert own in (None, sequent_of(claim.form, claim.given).to_json())


def test_lemma_that_is_not_used_by_the_claim_is_not_used_by_its_proof(path):
    found = loaded(path, LECTURE.replace(', using=["eq-1"]', ""))
    one = entry(found[1], HALF)
    proof_files.write(proof_files.beside(path), {"lecture:eq-2": one})
    [row] = rows_of(found[1:2])
    assert row["verdict"] == "proved"
    assert (row["certificate"].get("proof") or {}).get("certificate") != HALF


@pytest.mark.parametrize(
    ("given", "goal", "sample", "sure"),
    [
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "1/3", "n": "2"}, True),
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "1/3", "n": "5/2"}, False),
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "-1/3", "n": "2"}, False),
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "1/3"}, False),
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "n", "n": "2"}, False),
        (["x > 0", "n >= 2"], "x^n > 0", {"x": "1/", "n": "2"}, False),
        (["defined(log(x))", "log(x) > 1", "n >= 0"], "x > 2", {"x": "3", "n": "0"}, True),
        (["defined(log(x))", "log(x) > 1", "n >= 0"], "x > 2", {"x": "2", "n": "0"}, False),
        (["defined(log(x - 3))", "n >= 0"], "x > 2", {"x": "3", "n": "0"}, False),
        (["x < 0 or x > n"], "x != n", {"x": "3", "n": "0"}, True),
        (["x < 0 or x > n"], "x != n", {"x": "0", "n": "0"}, False),
        (["x == 2^(1/2)"], "x > 1", {"x": "7/5", "n": "0"}, False),
        (["x == 2^n", "x > 3"], "x > 2", {"n": "2"}, True),
        (["x == 2^n", "x > 3"], "x > 2", {"n": "1"}, False),
        (["x == x + n"], "x > 2", {"n": "0"}, False),
        ([], "x > 1 or x <= 1", {"x": "0", "n": "0"}, True),
    ],
)
def test_point_shows_that_a_proof_is_not_vacuous(given, goal, sample, sure):
    variables = {"x": "real", "n": "integer"}
    sequent = {"variables": variables, "given": given, "goal": goal}
    assert proofs.inhabited({"sequent": sequent, "sample": sample}) is sure


@pytest.mark.parametrize("sample", [{}, {"x": "-1", "y": "1"}, {"x": "sqrt(", "y": "1"}])
def test_point_on_record_that_shows_nothing_is_replaced(claims, path, no_search, sample):
    spoil(path, lambda entries: entries["lecture:eq-1"].update(sample=sample))
    [row] = rows_of(claims[:1])
    assert (row["verdict"], row["method"]) == ("proved", "kernel")
    assert dict(row["sample"]).keys() == {"x", "y"}
    assert row["sample"] != [list(pair) for pair in sample.items()]


def test_vacuous_proof_is_not_used(path):
    text = LECTURE.replace('@claim("eq-1")', '@claim("eq-1", given=[x**2 + 1 < 2 * x])')
    [claim, *_] = loaded(path, text)
    certificate = {
        "rule": "refute",
        "premises": [{"rule": "combination", "terms": [["1", [2], None], ["1", [], "x - 1"]]}],
    }
    one = {**entry(claim, certificate), "sample": {"x": "1", "y": "1"}}
    proofs.checked(one, {})  # the kernel has nothing against it
    proof_files.write(proof_files.beside(path), {"lecture:eq-1": one})
    [row] = rows_of([claim])
    assert row["verdict"] == "undecided"
    assert "contradict each other" in row["reason"]


def test_trust_of_lemmas_is_passed_on(claims, path):
    spoil(path, lambda entries: entries.pop("lecture:eq-1"))
    rows = by_label(rows_of(claims[:2]))
    assert rows["eq-2"]["method"] == "kernel"
    assert set(rows["eq-1"]["trusted"]) <= set(rows["eq-2"]["trusted"])


@pytest.mark.parametrize("lemmas_of", [lemmas_among(()), lambda certificate: ({}, ())])
def test_found_proof_that_the_kernel_does_not_accept_proves_nothing(claims, lemmas_of):
    claim = claims[0]
    sequent = sequent_of(claim.form, claim.given).to_json()

    def found(certificate, sequent=sequent):
        proof = {"proof": {"sequent": sequent, "certificate": certificate}}
        evidence = Evidence(Verdict.PROVED, method="search", certificate=proof)
        return kernel_checked(evidence, claim.form, claim.given, lemmas_of)

    good = found(SQUARE)
    assert (good.verdict, good.trusted) == (Verdict.PROVED, ("kernel",))
    lemma = {"rule": "lemma", "name": claims[0].key}
    for bad in (found({"rule": "auto"}), found(None), found(HALF), found(lemma)):
        assert bad.verdict is Verdict.SUPPORTED
        assert bad.certificate == {}
        assert "the kernel does not accept its proof" in bad.reason
    other = {**sequent, "given": [], "variables": {"x": "integer", "y": "integer"}}
    assert "of another statement" in found(SQUARE, other).reason


def test_names_of_what_is_bound_do_not_matter(path):
    [claim, other] = loaded(
        path,
        """
        from sympy import Eq, Integral
        from dpbook import claim, symbol
        t, u, x = symbol("t"), symbol("u"), symbol("x", above=0)

        @claim("eq-1")
        def one():
            \"\"\"An integral.\"\"\"
            return Eq(Integral(Integral(t * u, (t, 0, x)), (u, 0, x)), x**4 / 4)

        @claim("eq-2")
        def two():
            \"\"\"Another one.\"\"\"
            return Eq(Integral(Integral(t * t, (t, 0, x)), (u, 0, x)), x**4 / 4)
        """,
    )
    data = sequent_of(claim.form, claim.given).to_json()
    inner = "integral(integral(t*u, t, 0, x), u, 0, x)"
    assert inner in data["goal"]

    def says_the_same(written):
        changed = {**data, "goal": data["goal"].replace(inner, written)}
        return same_statement(claim.form, claim.given, sequent_from_json(changed))

    assert says_the_same(inner)
    assert says_the_same("integral(integral(u*t, u, 0, x), t, 0, x)")
    assert says_the_same("integral(integral(w*v, w, 0, x), v, 0, x)")
    assert not says_the_same("integral(integral(w*w, w, 0, x), v, 0, x)")
    assert not says_the_same("integral(integral(v*w, w, 0, x), v, 0, x)")
    assert not says_the_same("integral(integral(w*x, w, 0, x), x, 0, x)")
    assert not same_statement(other.form, other.given, sequent_from_json(data))


def test_proof_of_existence_is_one_of_its_witness(path):
    [claim, other] = loaded(
        path,
        """
        from sympy import Ge
        from dpbook import claim, symbol
        from dpbook.engine.language.statement import Exists
        x, k = symbol("x", above=0), symbol("k", integer=True, at_least=0)

        @claim("eq-1")
        def one():
            \"\"\"A witness.\"\"\"
            return Exists(Ge(k * x, x), {k: 1})

        @claim("eq-2")
        def two():
            \"\"\"Another one.\"\"\"
            return Exists(Ge(k * x, x), {k: 2})
        """,
    )
    sequent = witnessed(claim.form, claim.given)
    assert str(sequent.goal) == "1*x >= x and 1 >= 0 and integer(1)"
    read = sequent_from_json(sequent.to_json())
    assert same_statement(claim.form, claim.given, read)
    assert not same_statement(other.form, other.given, read)


@pytest.mark.parametrize(
    ("threshold", "stands"),
    [("5", True), ("1/x", True), ("n", False), ("n - 1", False), ("oo", False), ("2*oo", False)],
)
def test_threshold_is_any_number_that_does_not_move_with_the_index(path, threshold, stands):
    [claim, fixed] = loaded(
        path,
        """
        from sympy import Ge
        from dpbook import claim, symbol
        from dpbook.engine.language.statement import Eventually
        x, n = symbol("x", above=0), symbol("n", integer=True, at_least=1)

        @claim("eq-1")
        def one():
            \"\"\"From somewhere on.\"\"\"
            return Eventually(n, Ge(n * x, 1))

        @claim("eq-2")
        def two():
            \"\"\"From 5 on.\"\"\"
            return Eventually(n, Ge(n * x, 1), 5)
        """,
    )
    sequent = beyond(claim.form, claim.given, parse_term(threshold))
    assert same_statement(claim.form, claim.given, sequent) is stands
    assert same_statement(fixed.form, fixed.given, sequent) is (threshold == "5")
    vacuous = sequent.assuming(parse_formula("x < 0"))
    assert not same_statement(claim.form, claim.given, vacuous)


# --- to be read -----------------------------------------------------------------------------------


def test_every_rule_has_words():
    assert set(proof_text.WORDS) == set(RULES), (
        "each rule of the kernel has its words in WORDS, in dpbook/engine/prove/proof_text.py"
    )


def test_card_unfolds_into_the_steps_of_the_proof(claims):
    one = ledger["lecture:eq-2"]
    assert [str(line) for line in one.steps] == [
        "x^2 + y^2 >= 2*x*y: by lecture:eq-1",
        "it is enough that x^2 + y^2 >= 2*x*y: the same, written in another way",
        "x^2 + y^2 >= 2*x*y: given, or shown before",
    ]
    shown = one._repr_html_()
    assert "<details><summary>the proof that the kernel checked</summary><div" in shown
    assert "<ol><li>" in shown
    assert "by <code>lecture:eq-1</code>" in shown


def test_long_proofs_are_cut_and_say_how_much_is_left_out():
    line = proof_text.Line("x", "why")
    deep = line
    for _ in range(9):
        deep = proof_text.Line("x", "why", (deep, line))
    shown = proof_text.as_text([deep])
    assert sum(text.strip().startswith("…") for text in shown) == 1
    left = next(int(text.split()[1]) for text in shown if "…" in text)
    assert left + len(shown) - 1 == deep.count
    many = proof_text.as_text([line] * 100)
    assert len(many) == proof_text.MOST + 1
    assert many[-1] == f"… {100 - proof_text.MOST} more steps"
    for lines in ([deep], [line] * 100, [deep] * 20):
        once = proof_text.cut(lines)
        assert proof_text.cut(once) == once
        assert tuple(proof_text.Line.from_json(one.to_json()) for one in once) == once


def unfold_definitions(names, shown):
    """What a step says when each name gives way to what it stands for, the last one first."""
    for name, meant in reversed(names):
        shown = re.sub(rf"\b{name}\b", lambda _, meant=meant: f"({meant})", shown)
    return parse_formula(shown)


def test_long_formulas_are_shown_whole_with_names_for_what_recurs():
    inner = "alpha + n*beta^2 - (gamma - 1)^3"
    outer = f"exp({inner})/({inner})^2"
    shown = f"sum({outer}*j, j, 0, n) + sum({outer}*j^2, j, 0, n) + {outer}*t < ({outer} + 1)*A"
    line = proof_text.Line(shown, "why", (proof_text.Line(f"({inner})*A > 0", "else"),))
    *names, step = proof_text.cut([line])
    pairs = [one.why.split(" = ") for one in names]
    assert names, "what recurs has a name"
    assert all(name not in ("A", "j") for name, _ in pairs)
    assert len(step.shown) < len(shown) / 2
    assert unfold_definitions(pairs, step.shown) == unfold_definitions((), shown)
    text = proof_text.as_text([line])
    assert "…" not in "".join(text)
    assert "..." not in "".join(text)
    made = proof_text.as_html([line])
    assert made.index("<ul") < made.index("<ol>")
    assert made.count("<li>") == len(names) + step.count
    assert max(map(len, text)) <= proof_text.WIDTH
    assert text[0].strip() == " = ".join(pairs[0])
    for place, (_, meant) in enumerate(pairs):  # each is made of those above it
        later = {name for name, _ in pairs[place:]}
        assert later.isdisjoint(re.findall(r"\w+", meant))


@pytest.mark.parametrize(
    ("recurring", "named"),
    [
        ("sum(x^j*alpha*beta*gamma, j, 0, n)", True),
        ("(x^j*alpha*beta*gamma + 1)", False),  # it stands under a sum over j
        ("max(j*alpha*beta*gamma, 0, 1)", False),
        ("sum(x^i*alpha*beta*gamma, i, 0, j)", False),  # a different one for each j
    ],
)
def test_what_is_bound_around_it_gets_no_name(recurring, named):
    under = " + ".join(f"sum(f({k})*{recurring}, j, 0, {k})" for k in range(9))
    names = [one.why for one in proof_text.cut([proof_text.Line(f"{under} > 0", "")])[:-1]]
    found = [name for name in names if name.partition(" = ")[2] in (recurring, recurring[1:-1])]
    assert bool(found) is named


def test_a_page_folds_what_is_very_long():
    long = " + ".join(f"x{k}" for k in range(200))
    shown = proof_text.as_html(
        [proof_text.Line(f"{long} > 0", "why"), proof_text.Line("x > 0", "")]
    )
    assert f"<details><summary>a formula of {len(long) + 4} signs</summary><code" in shown
    assert shown.count("<details>") == 1
    assert long in shown


def test_alternatives_within_a_conjunction_stand_in_brackets():
    x, zero = parse_term("x"), parse_term("0")
    either = Or((Relation(x, ">", zero), Relation(x, "<", zero)))
    assert proof_text._said(And((either, Relation(x, "!=", zero)))) == "(x > 0 or x < 0) and x != 0"
    both = And((Is("defined", x), Relation(x, ">", zero)))
    assert proof_text._said(both) == "x > 0 (the left side is defined)"
    assert proof_text._said(And((Is("defined", x),))) == "x is defined"


def test_a_certificate_that_a_changed_statement_does_not_fit_is_said_to_be_of_another_one():
    both = {"variables": {"x": "real"}, "given": [], "goal": "x == x and 1 == 1"}
    one = {"rule": "and", "premises": [{"rule": "auto"}]}
    with pytest.raises(Rejected, match="of another statement"):
        steps_of(sequent_from_json(both), one, Environment({}))
