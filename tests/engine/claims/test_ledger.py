"""The ledger: order, rests, repairs, the record and what is remembered."""

import json
import re
import subprocess
import sys
import textwrap
from dataclasses import replace

import pytest

from dpbook import ledger as entries
from dpbook import symbol
from dpbook.engine.claims import catalog, content, record, topics
from dpbook.engine.claims.claim import REGISTRY, ClaimError
from dpbook.engine.claims.content import content_key
from dpbook.engine.claims.downgrade import downgraded
from dpbook.engine.claims.rows import rows_of
from dpbook.engine.claims.schedule import decide_all
from dpbook.engine.language.verdict import Verdict

HEAD = """
    from dpbook import claim, symbol
    from dpbook.engine.language.statement import Noted

    x = symbol("x", above=0)
    y = symbol("y", above=0)
"""


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def claims_of(tmp_path):
    def load(text, name="lecture.py"):
        path = tmp_path / name
        path.write_text(textwrap.dedent(HEAD) + textwrap.dedent(text))
        claims, faults = catalog.load_anew(topics.at(path))
        if faults:
            raise ClaimError(faults[0])
        return claims

    return load


def verdicts(rows):
    return {row["label"]: row["verdict"] for row in rows}


def without_time(rows):
    return [{k: v for k, v in row.items() if k not in ("seconds", "cached")} for row in rows]


RESTING = """
    from sympy import Eq, gamma

    @claim("eq-2", using=["eq-1"])
    def second():
        \"\"\"Rests on the first.\"\"\"
        return Eq(gamma(x + 1) / gamma(x), x)

    @claim("eq-1")
    def first():
        \"\"\"The first.\"\"\"
        return Eq(gamma(x + 1), x * gamma(x))
"""


def test_claim_is_decided_after_what_it_uses_and_rests_on_it(claims_of, monkeypatch):
    claims = claims_of(RESTING)
    assert [c.label for c in catalog.closure(claims)] == ["eq-1", "eq-2"]
    assert verdicts(rows_of(claims)) == {"eq-2": "proved", "eq-1": "proved"}

    found = decide_all(claims)
    key, proved = "lecture:eq-2", found["lecture:eq-2"][0]
    refuted = replace(proved, verdict=Verdict.REFUTED)
    resting = downgraded(REGISTRY[key], proved, {"lecture:eq-1": (refuted, False)})
    assert resting.verdict is Verdict.SUPPORTED
    assert resting.reason == "it rests on lecture:eq-1, which is refuted"


CITING = """
    @claim("eq-1")
    def first():
        \"\"\"As printed.\"\"\"
        return x < 0

    @claim("eq-1-corrected", corrects=["eq-1"])
    def repaired():
        \"\"\"Repaired.\"\"\"
        return x > 0

    @claim("eq-2", {options})
    def second():
        \"\"\"Cites the first.\"\"\"
        return x + 1 > 0
"""


@pytest.mark.parametrize(
    ("options", "verdict"),
    [
        ("cites=['eq-1']", "supported"),
        ("cites=['eq-1'], using=['eq-1-corrected']", "proved"),  # a repair stands for the print
        ("cites=['eq-1-corrected'], using=['eq-1-corrected']", "proved"),
        ("without={'eq-1': 'direct'}", "proved"),
        ("cites=['eq-1-corrected'], without={'eq-1': 'direct'}", "supported"),
    ],
)
def test_what_the_source_cites_is_used_or_set_aside(claims_of, options, verdict):
    claims = claims_of(CITING.format(options=options))
    row = next(row for row in rows_of(claims) if row["label"] == "eq-2")
    assert row["verdict"] == verdict
    assert ("name them in using, or in without" in str(row["reason"])) == (verdict == "supported")


def test_what_is_done_without_is_shown_with_the_reason(claims_of):
    claims_of(CITING.format(options="without={'eq-1': 'direct'}"))
    assert "does without: lecture:eq-1: direct" in str(entries["lecture:eq-2"])


@pytest.mark.parametrize(
    "options", ["without={'eq-1': ''}", "using=['eq-1'], without={'eq-1': 'so'}"]
)
def test_what_is_done_without_has_a_reason_and_is_not_used(claims_of, options):
    with pytest.raises(ClaimError, match="lecture:eq-1 in without (must have a reason|stands in)"):
        claims_of(CITING.format(options=options))


def test_cycle_is_an_error_that_names_it(claims_of):
    claims = claims_of(
        """
        @claim("eq-1", using=["eq-2"])
        def first():
            return x > 0

        @claim("eq-2", using=["eq-1"])
        def second():
            return x > 0
        """
    )
    cycle = "lecture:eq-1 -> lecture:eq-2 -> lecture:eq-1"
    with pytest.raises(ClaimError, match=f"in a cycle: {cycle}"):
        rows_of(claims)


def test_unknown_key_is_one_line_with_the_nearest():
    with pytest.raises(catalog.NoClaim) as caught:
        entries["privacy:renyi-norml"]
    assert str(caught.value) == "no claim privacy:renyi-norml; nearest: privacy:renyi-normal"
    assert "privacy:renyi-normal" in entries
    assert "privacy:nothing" not in entries
    assert entries["privacy:renyi-normal"].verdict is Verdict.PROVED


def test_claim_about_a_class_is_at_most_supported_and_names_its_families(claims_of):
    [claim] = claims_of(
        """
        @claim("theorem-1", scope="cubes")
        def about_all():
            \"\"\"About a class.\"\"\"
            return x**3 > 0
        """
    )
    [row] = rows_of([claim])
    assert row["verdict"] == "supported"
    assert row["reason"] == "proved in part: cubes"


REPAIR = """
    @claim("eq-1")
    def print_():
        \"\"\"As printed.\"\"\"
        return x + y <= 2 * x

    @claim("eq-1-corrected", corrects=["eq-1"], given=[{given}])
    def repair():
        \"\"\"Repaired.\"\"\"
        return {repair}
"""


def test_repair_is_tried_where_the_print_fails(claims_of):
    rows = rows_of(claims_of(REPAIR.format(given="y <= x", repair="x + y <= 2 * x")))
    assert verdicts(rows) == {"eq-1": "refuted", "eq-1-corrected": "proved"}
    assert rows[0]["corrected_by"] == ["lecture:eq-1-corrected"]
    claims = claims_of(REPAIR.format(given="y > x / 2", repair="x + y < 2 * x"))
    with pytest.raises(ClaimError, match="eq-1-corrected fails where lecture:eq-1 fails: x = "):
        rows_of(claims)


def test_range_of_a_symbol_that_only_a_step_or_a_lemma_has_is_no_condition(claims_of):
    rows = rows_of(
        claims_of("""
            from dpbook.engine.derive.derivation import step

            w = symbol("w", above=y, below=1)

            @claim("eq-1", proof=lambda: [step("range", w > y)])
            def by_a_step():
                \"\"\"False: y may be 2.\"\"\"
                return y < 1

            @claim("eq-2")
            def lemma():
                \"\"\"Range of w.\"\"\"
                return w > y

            @claim("eq-3", using=["eq-2"])
            def by_a_lemma():
                \"\"\"False: y may be 2.\"\"\"
                return y < 1
        """)
    )
    assert verdicts(rows) == {"eq-1": "refuted", "eq-2": "proved", "eq-3": "refuted"}


def test_proved_steps_beside_a_false_claim_do_not_save_it(claims_of):
    rows = rows_of(
        claims_of("""
            from dpbook.engine.derive.derivation import step

            @claim("eq-1", proof=lambda: [step("one", x**2 >= 0), step("two", x**2 + 1 > 0)])
            def too_large():
                \"\"\"False far out.\"\"\"
                return x <= 10**40
        """)
    )
    assert verdicts(rows) == {"eq-1": "refuted"}


def test_refuted_repair_is_not_named_as_one(claims_of):
    rows = rows_of(
        claims_of("""
            @claim("eq-1")
            def printed():
                \"\"\"False from 1 on.\"\"\"
                return x < 1

            @claim("eq-1-corrected", corrects=["eq-1"], why="no repair", given=[x > 3])
            def no_repair():
                \"\"\"False from 5 on.\"\"\"
                return x < 5
        """)
    )
    assert verdicts(rows) == {"eq-1": "refuted", "eq-1-corrected": "refuted"}
    assert rows[0]["corrected_by"] == []


def test_repair_of_what_is_proved_is_an_error(claims_of):
    claims = claims_of(
        """
        @claim("eq-1")
        def print_():
            return x > 0

        @claim("eq-1-corrected", corrects=["eq-1"])
        def repair():
            return 2 * x > 0
        """
    )
    with pytest.raises(ClaimError, match="corrects lecture:eq-1, which is proved: nothing is"):
        rows_of(claims)


def test_contradictory_conditions_name_the_claim(claims_of):
    claims = claims_of(
        """
        @claim("eq-1", given=[x > 2, x < 1])
        def nowhere():
            return x > 0
        """
    )
    [row] = rows_of(claims)
    assert row["verdict"] == "undecided"
    assert re.match(r"lecture:eq-1 \(.*lecture.py:8\): the conditions contrad", row["reason"])


SEVERAL = """
    @claim("eq-1")
    def square():
        \"\"\"A square.\"\"\"
        return x**2 - 2 * x * y + y**2 >= 0

    @claim("eq-2")
    def slip():
        \"\"\"A slip.\"\"\"
        return x * y <= x + y

    @claim("definition-1")
    def name():
        \"\"\"A name.\"\"\"
        return Noted("a name")
"""


SUPPORTED = """
    from sympy import exp

    @claim("eq-1")
    def open_():
        \"\"\"True, by no tactic.\"\"\"
        return {statement}
"""


def test_what_is_on_record_as_supported_is_only_looked_through_for_what_refutes_it(
    claims_of,
):
    claim = claims_of(SUPPORTED.format(statement="exp(x) > x"))[0]
    before = {"hash": claim.hash, "verdict": "supported", "method": "points", "reason": "as seen"}
    row = rows_of([claim], recorded={claim.key: before}, use_cache=False)[0]
    assert (row["verdict"], row["method"], row["reason"]) == ("supported", "points", "as seen")
    assert "points drawn" in row["margin"]
    again = rows_of([claim], recorded={claim.key: before}, search=[claim.key], certify=True)
    assert again[0]["verdict"] == "proved"
    other = {**before, "hash": "of another statement"}
    assert rows_of([claim], recorded={claim.key: other})[0]["reason"] != "as seen"


def test_what_is_false_is_refuted_whatever_is_on_record(claims_of):
    claim = claims_of(SUPPORTED.format(statement="exp(x) > x + 2"))[0]
    before = {"hash": claim.hash, "verdict": "supported", "method": "points", "reason": "as seen"}
    row = rows_of([claim], recorded={claim.key: before}, use_cache=False)[0]
    assert row["verdict"] == "refuted"
    assert record.differs(row, before) == "supported on record"


def test_what_is_on_record_is_shown_after_a_new_search(claims_of, monkeypatch):
    claim = claims_of(SUPPORTED.format(statement="exp(x) > x"))[0]
    rows_of([claim])
    before = {"hash": claim.hash, "verdict": "supported", "method": "points", "reason": "as seen"}
    [row] = rows_of([claim], recorded={claim.key: before})
    assert row["verdict"] == "proved"  # remembered
    rows_of([claim], recorded={claim.key: before}, search=[claim.key], certify=True)
    [row] = rows_of([claim], recorded={claim.key: before})
    assert (row["verdict"], row["reason"]) == ("supported", "as seen")


def test_rows_do_not_depend_on_the_number_of_workers(claims_of):
    claims = claims_of(SEVERAL)
    one = rows_of(claims, jobs=1, use_cache=False)
    two = rows_of(claims, jobs=2, use_cache=False)
    assert without_time(one) == without_time(two)
    assert verdicts(one) == {"eq-1": "proved", "eq-2": "refuted", "definition-1": "noted"}


def test_verdicts_are_remembered_by_content_and_a_broken_file_is_forgotten(claims_of, own_cache):
    claims = claims_of(SEVERAL)
    first = rows_of(claims)
    again = rows_of(claims)
    assert without_time(first) == without_time(again)
    assert [row["cached"] for row in again] == [True, True, False]
    (own_cache / "claims" / "lecture__eq-1.json").write_text("{broken")
    assert [row["cached"] for row in rows_of(claims)] == [False, True, False]
    changed = claims_of(SEVERAL.replace("x * y <=", "x * y <"))
    assert [row["cached"] for row in rows_of(changed)] == [True, False, False]


EVENT = """
    from dpbook.privacy.any_distributions import AnyEvent, AnyTest

    {kind}

    @claim("eq-1")
    def first():
        a = Event("A").indicator(x)
        return a * a, "==", a
"""


def test_a_verdict_about_an_event_is_not_remembered_for_a_test_of_its_name(claims_of):
    hashes = set()
    for kind, verdict, cached in [
        ("AnyEvent", "proved", False),
        ("AnyEvent", "proved", True),
        ("AnyTest", "refuted", False),
    ]:
        [claim] = claims_of(EVENT.format(kind=f"Event = {kind}"))
        [row] = rows_of([claim], jobs=1)
        assert (row["verdict"], row["cached"]) == (verdict, cached)
        hashes.add(claim.hash)
    assert len(hashes) == 1  # on record it is the same statement


@pytest.mark.parametrize(
    ("given", "statement"),
    [
        ("", 'Event("A")(x) >= 0'),
        ('given=lambda: [Event("A")(x) <= 1]', "x + 1 > x"),
        ("", "short >= 0"),
        ("", "above > 0"),
        ("", 'Heir("A")(x) >= 0'),
    ],
)
def test_what_is_remembered_goes_when_a_class_changes(claims_of, tmp_path, given, statement):
    text = f"""
        from own_kinds import Event

        class Heir(Event):
            pass

        short = symbol("s", equals=lambda: Event("A")(x))
        above = symbol("y", above=Event("A")(x))

        @claim("eq-1", {given})
        def first():
            return {statement}
    """
    found = []
    for more in ("", "", "words = 'another'"):
        kinds = f"from dpbook.privacy.any_distributions import Chosen\nclass Event(Chosen):\n    pass;{more}\n"
        (tmp_path / "own_kinds.py").write_text(kinds)
        sys.modules.pop("own_kinds", None)
        [claim] = claims_of(text)
        found.append((claim.hash, content_key(claim)))
    del sys.modules["own_kinds"]
    before, again, changed = found
    assert before == again
    assert before[0] == changed[0]
    assert before[1] != changed[1]


IMPORTS = {  # of a module from a helper, and which the helper's helper imports
    "a name": ("from own_helper import WORDS", "import own_deeper"),
    "a module": ("import own_helper", "import own_deeper as deeper"),
    "in a method": (
        "def words(self):\n        from own_helper import WORDS\n        return WORDS",
        "if True:\n    from own_deeper import WORDS",
    ),
}


@pytest.mark.parametrize("changed", ["own_helper", "own_deeper"])
@pytest.mark.parametrize("how", IMPORTS)
@pytest.mark.parametrize("anew", [True, False], ids=["imported anew", "as it was imported"])
def test_what_is_remembered_goes_when_a_module_that_a_class_imports_changes(
    claims_of, tmp_path, monkeypatch, changed, how, anew
):
    first, second = IMPORTS[how]
    texts = {
        "own_deeper": "WORDS = 1\n",
        "own_helper": f"{second}\nWORDS = 1\n",
        "own_kinds": (
            "import own_helper\nfrom dpbook.privacy.any_distributions import Chosen\n"
            f"class Event(Chosen):\n    {first}\n"
        ),
    }
    monkeypatch.setattr(content, "_stamps", {})
    monkeypatch.setattr(content, "_known", {})
    found = []
    for name in ("", "", changed):
        for module, text in texts.items():
            more = "OTHER = 2\n" if module == name else ""
            path = tmp_path / f"{module}.py"
            if not path.exists() or path.read_text() != text + more:
                path.write_text(text + more)
            if anew:
                sys.modules.pop(module, None)
        [claim] = claims_of("""
            from own_kinds import Event

            @claim("eq-1")
            def first():
                return Event("A")(x) >= 0
        """)
        found.append(content_key(claim))
    for module in texts:
        del sys.modules[module]
    before, again, after = found
    assert before == again
    assert after != before


def test_card_shows_statement_verdict_and_counterexample(claims_of):
    claims_of(SEVERAL)
    entry = entries["lecture:eq-2"]
    text, shown = repr(entry), entry._repr_html_()
    assert text.startswith("lecture:eq-2  A slip\n")
    assert "REFUTED  x*y <= x + y" in text
    assert "counterexample: x = " in text
    assert (
        r'<span class="math notranslate nohighlight">\(\displaystyle x y \leq x + y\)</span>'
        in shown
    )
    assert "refuted</strong>" in shown


def test_card_says_a_range_once(claims_of):
    [claim] = claims_of("""
        n = symbol("n", integer=True, at_least=1)
        p = symbol("p", at_least=0, at_most=1)
        q = symbol("q", at_least=0)
        z = symbol("z", above=0, at_most=x)

        @claim("eq-1", given=[n >= 2, p > 0, q < 1, z < x, x > 0, x <= 5, y > 2, q <= y, n >= x])
        def narrowed():
            \"\"\"Narrowed.\"\"\"
            return n + p + q + x + y > z
    """)
    assert (
        "  given: integers n >= 2; 0 < p <= 1; 0 <= q < 1; 0 < x <= 5; y > 2; 0 < z < x; q <= y; n >= x\n"
        in repr(entries[claim.key])
    )


def test_card_says_where_the_symbols_run(claims_of):
    claims = claims_of("""
        n = symbol("n", integer=True, at_least=1)
        k = symbol("k", integer=True)
        p = symbol("p", at_least=0, below=1)
        q = symbol("q", at_least=0, below=1)
        z = symbol("z", at_most=x)
        half = symbol("half", equals=lambda: p / 2)
        w = symbol("w")

        @claim("eq-1")
        def all_kinds():
            \"\"\"All kinds.\"\"\"
            return half * n + q + k**2 + y + w**2 >= z + w**2 + k**2 - x

        @claim("eq-2")
        def the_real_line():
            \"\"\"The real line.\"\"\"
            return w**2 >= 0
    """)
    card = repr(entries[claims[0].key])
    assert (
        "  given: integers k; integers n >= 1; 0 <= p < 1; 0 <= q < 1; x, y > 0; z <= x\n"
        "  where: half = p/2\n" in card
    )
    made = entries[claims[0].key]._repr_html_()
    assert r"\text{integers }n \geq 1" in made
    assert r"0 \leq p &lt; 1" in made
    assert "given" not in repr(entries[claims[1].key])


def test_file_called_like_a_module_or_a_topic_does_no_harm(claims_of):
    import random

    [claim, *_] = claims_of(SEVERAL, "random.py")
    assert claim.key == "random:eq-1"
    assert random.random() < 1
    said = "privacy.py is called as the topic privacy; give it anoth"
    with pytest.raises(topics.NoTopic, match=said):
        claims_of(SEVERAL, "privacy.py")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("raise SystemExit(0)", "cannot be imported: SystemExit: 0"),
        ("import os; os._exit(0)", r"lecture.py:\d+ cannot be imported: SystemExit: os._exit\(0\)"),
        ("import no_such_module", "cannot be imported: ModuleNotFoundError"),
        ("z = 1", "holds no claim; decorate a function with dpbook.claim"),
    ],
)
def test_file_that_cannot_be_used_is_one_line(claims_of, text, error):
    with pytest.raises(ClaimError, match=error):
        claims_of(text)


def test_what_is_wrong_in_a_file_of_ones_own_is_named_with_its_line(claims_of):
    wrong = SEVERAL.replace('@claim("eq-2"', '@claim("eq-2", fault="typo"')
    text = textwrap.dedent(HEAD) + textwrap.dedent(wrong)
    line = text.count("\n", 0, text.index("typo")) + 1
    with pytest.raises(ClaimError, match=rf"lecture.py:{line}: fault must be one of"):
        claims_of(wrong)


@pytest.mark.parametrize("name", ["", "x y", "2x", "x+1"])
def test_a_symbol_needs_a_name(name):
    with pytest.raises(ValueError, match="a name is made of letters, digits and _"):
        symbol(name)


def test_a_key_that_is_no_text_is_no_claim():
    with pytest.raises(KeyError, match="a key is text such as langevin:lemma-4.2, got 3"):
        catalog.find(3)


# --- the record --------------------------------------------------------------------------------------


def row(verdict, key="lecture:eq-1", hash="a"):
    empty = {
        "method": "",
        "trusted": [],
        "counterexample": None,
        "certificate": {},
        "finding": "",
        "reason": "why",
        "fault": "error",
        "effect": None,
        "kept": False,
    }
    return {"key": key, "verdict": verdict, "hash": hash, **empty}


def written(path, rows, *allowed, whole=False):
    complaints = record.write_record(path, rows, record.read_record(path), allowed, whole)
    return {key: one["verdict"] for key, one in record.read_record(path).items()}, complaints


@pytest.mark.parametrize(
    ("before", "after"), [("proved", "supported"), ("proved", "refuted"), ("supported", "noted")]
)
@pytest.mark.parametrize("hash", ["a", "b"])
def test_weaker_verdict_goes_on_record_only_when_its_key_is_named(tmp_path, before, after, hash):
    path = tmp_path / "record.json"
    assert written(path, [row(before)]) == ({"lecture:eq-1": before}, [])
    found, [complaint] = written(path, [row(after, hash=hash)])
    assert found == {"lecture:eq-1": before}
    assert complaint.endswith("to record it all the same: --weaker lecture:eq-1")
    found, complaints = written(path, [row(after, hash=hash)], "lecture:eq-1")
    assert (found, complaints) == ({"lecture:eq-1": after}, [])


def test_undecided_never_goes_on_record(tmp_path):
    path = tmp_path / "record.json"
    found, [complaint] = written(path, [row("undecided")], "lecture:eq-1")
    assert found == {}
    assert complaint == "lecture:eq-1 is undecided and cannot go on record: why"


def test_what_is_no_longer_a_claim_leaves_a_record_of_the_whole(tmp_path):
    path = tmp_path / "record.json"
    written(path, [row("proved"), row("proved", "lecture:eq-2")])
    assert list(written(path, [row("proved")])[0]) == ["lecture:eq-1", "lecture:eq-2"]
    assert list(written(path, [row("proved")], whole=True)[0]) == ["lecture:eq-1"]


@pytest.mark.parametrize(
    ("now", "difference"),
    [
        (row("proved"), ""),
        (row("supported"), "proved on record"),
        (row("proved", hash="b"), "statement changed"),
    ],
)
def test_difference_is_verdict_or_statement(now, difference):
    assert record.differs(now, record.recorded_row(row("proved"))) == difference
    assert (
        record.differs({**now, "method": "other"}, record.recorded_row(row("proved"))) == difference
    )


def test_broken_record_is_one_line(tmp_path):
    path = tmp_path / "record.json"
    path.write_text(json.dumps([1]))
    with pytest.raises(ValueError, match="record.json is not a record of verdicts"):
        record.read_record(path)


def test_topic_says_the_same_wherever_it_is_loaded():
    code = """
        import sympy
        from dpbook.engine.claims.content import content_key
        from dpbook.engine.claims.downgrade import downgraded
        from dpbook.engine.claims.schedule import decide_all
        from dpbook.engine.claims.rows import rows_of
        from dpbook.engine.claims import catalog
        from dpbook.engine.claims import record
        with sympy.evaluate(False):
            claims = catalog.load("privacy")
        on_record = record.read_record(record.record_path("privacy"))
        assert not [c.key for c in claims if c.hash != on_record[c.key]["hash"]]
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


def placeholder_claims(label, options=""):
    return f"""
    p = symbol("p", above=0, below=1, role="placeholder", meaning="probability of an event")

    @claim("{label}"{options})
    def square():
        return p**2 < p
    """


def test_statement_of_a_source_holds_no_placeholder(claims_of):
    with pytest.raises(ClaimError, match="p stands for something that the statement is about"):
        _ = claims_of(placeholder_claims("lemma-1"))[0].form
    [note] = claims_of(placeholder_claims("note-1"), "notes.py")
    assert rows_of([note])[0]["verdict"] == "proved"
    said = ', scope="the last step"'
    [part] = claims_of(placeholder_claims("lemma-2", said), "parts.py")
    [row] = rows_of([part])
    assert (row["verdict"], row["reason"]) == ("supported", "proved in part: the last step")


def test_condition_on_an_integral_says_first_that_it_exists():
    said = " ".join(repr(entries["posterior_sampling:theorem-2.i"]).split())
    assert said.count("exists and is at least 0") == 2
    assert "(vartheta_1, -oo, oo)) >= 0" not in said
