"""Axioms of the literature: declared with a source, tested, and named by all that rests on them."""

import json
import textwrap

import pytest

from dpbook.engine.claims import catalog, proof_files, record, schedule, topics, verification
from dpbook.engine.claims.claim import ClaimError
from dpbook.engine.claims.ledger import ledger, lemmas
from dpbook.engine.claims.rows import rows_of
from dpbook.kernel import replay

HEAD = """
    from sympy import Ge, Integral, Le, Lt, Sum, Symbol, oo, sqrt

    from dpbook import claim, symbol
    from dpbook.engine.claims.claim import axiom
    from dpbook.engine.statement import Noted
    from dpbook.privacy.any_distributions import AnyFiniteDistribution, AnyDistribution

    x = symbol("x", above=0)
    n = symbol("n", integer=True, at_least=0)
    F, G, H = (AnyFiniteDistribution(name, n) for name in "FGH")
    k = Symbol("k", integer=True)

    def overlap(one, other):
        return Sum(sqrt(one.density(k) * other.density(k)), (k, 0, n))
"""
AFFINITY = """
    @axiom("axiom-affinity", author="A. Author", title="A book, 1999", number="theorem 1")
    def affinity():
        \"\"\"Affinity of two distributions.\"\"\"
        return {statement}
"""
TRUE = AFFINITY.format(statement="Le(overlap(F, G), 1)")
RESTING = """
    @claim("note-gap", using=["axiom-affinity"])
    def gap():
        \"\"\"Gap of two distributions.\"\"\"
        return Ge(1 - overlap(F, G), 0)

    @claim("note-twice", using=["note-gap"])
    def twice():
        \"\"\"Twice the gap.\"\"\"
        return Ge(2 - 2 * overlap(F, G), 0)

    @claim("note-apart")
    def apart():
        \"\"\"Rests on nothing.\"\"\"
        return x + 1 > x
"""
NAMED = "bounds:axiom-affinity (A. Author, A book, 1999, theorem 1)"


pytestmark = pytest.mark.usefixtures("own_cache")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "bounds.py"


def write(path, *parts):
    path.write_text("".join(map(textwrap.dedent, (HEAD, *parts))))
    return path


def verified(path, record_too=False):
    """The rows of a file, by label, and whether each differs from the record."""
    how = verification.Verification(Silent, jobs=1, use_cache=False, certify=record_too)
    found = how.of_own(topics.opened(path))
    rows, before = found.rows, found.records
    if record_too:
        assert not verification.put_on_record(rows, (), True)
    return {row["label"]: row for row in rows}, {
        row["label"]: record.differs(row, before.get(row["key"])) for row in rows
    }


class Silent:
    """No progress is shown."""

    def __init__(self, total):
        self.total = total

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None


# --- declaring one ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"axiom-affinity"', '"affinity"', "the label of an axiom begins with axiom-"),
        ('author="A. Author"', 'author=" "', "names its source; author is"),
        ('title="A book, 1999"', "title=None", "names its source; title is None"),
        ('number="theorem 1"', 'number=""', "names its source; number is ''"),
        ('number="theorem 1"', 'number="1\\n2"', "names its source; number is"),
        ('number="theorem 1"', 'number="1", using=["note-gap"]', "unexpected keyword argument"),
        ('number="theorem 1"', 'number="1", scope="half"', "unexpected keyword argument"),
        ("@axiom", "@claim", "unexpected keyword argument 'author'"),
    ],
)
def test_what_is_no_declaration_of_an_axiom_is_refused(path, old, new, said):
    with pytest.raises(ClaimError, match=said):
        catalog.load_file(write(path, TRUE.replace(old, new)))


def test_a_claim_does_not_go_by_the_label_of_an_axiom(path):
    text = RESTING.replace('"note-apart"', '"axiom-apart"')
    with pytest.raises(ClaimError, match="an axiom of the literature is declared with @axiom"):
        catalog.load_file(write(path, text))


@pytest.mark.parametrize("statement", ["x + 1 > x", 'Noted("so it is")', "Le(x, x + 1)"])
def test_a_fact_about_numbers_is_no_axiom(path, statement):
    claims = catalog.load_file(write(path, AFFINITY.format(statement=statement)))
    with pytest.raises(ClaimError, match="an axiom is a relation about functions that are left"):
        rows_of(claims, jobs=1)


# --- testing one -----------------------------------------------------------------------------------


def test_an_axiom_is_supported_by_examples_and_never_proved(path):
    provable = "Ge(overlap(F, G), 0)"  # which the kernel would prove
    for statement in ("Le(overlap(F, G), 1)", provable):
        rows, _ = verified(write(path, AFFINITY.format(statement=statement)))
        row = rows["axiom-affinity"]
        assert (row["verdict"], row["method"], row["trusted"]) == ("supported", "examples", [])
        assert "it holds for 150 examples" in row["reason"]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Lt(overlap(F, G), 1)", "an example refutes the axiom: F = "),
        ("Le(overlap(F, G), 99 / n)", "an example refutes the axiom"),  # undefined at n = 0
        (
            "Le(Integral(AnyDistribution('P').density(x) ** 2, (x, 0, oo)), 1)",
            "no example tests the axiom",
        ),
    ],
)
def test_an_axiom_that_is_false_or_not_tested_is_an_error(path, statement, said):
    write(path, AFFINITY.format(statement=statement), RESTING)
    with pytest.raises(ClaimError, match=f"bounds:axiom-affinity .*: {said}"):
        verified(path)


def test_an_axiom_whose_conditions_no_example_meets_is_an_error(path):
    text = TRUE.replace('number="theorem 1"', 'number="1", given=lambda: [Lt(F.density(0), 0)]')
    with pytest.raises(ClaimError, match="no example satisfies the conditions"):
        verified(write(path, text))


# --- resting on one --------------------------------------------------------------------------------


def test_what_rests_on_an_axiom_is_proved_and_names_it(path):
    rows, _ = verified(write(path, TRUE, RESTING))
    trusted = {label: row["trusted"] for label, row in rows.items() if label.startswith("note")}
    assert trusted == {
        "note-gap": ["kernel", f"named axiom {NAMED}"],
        "note-twice": ["kernel", f"named axiom {NAMED}"],
        "note-apart": ["kernel"],
    }
    assert {rows[label]["verdict"] for label in trusted} == {"proved"}


def test_badge_and_card_name_the_axiom(path):
    catalog.load_file(write(path, TRUE, RESTING))
    resting, apart, axiom = (
        ledger[f"bounds:{label}"] for label in ("note-twice", "note-apart", "axiom-affinity")
    )
    assert resting.evidence.named_axioms == (NAMED,)
    assert f"trusted: kernel; named axiom {NAMED}" in repr(resting)
    assert "PROVED, GIVEN A THEOREM OF THE LITERATURE" in repr(resting)
    assert ">proved, given a theorem of the literature</strong>" in resting._repr_html_()
    assert "not proved here: the named theorem is taken as an axiom: a statement from" in repr(
        resting
    )
    assert "trusted.html#named-axioms" in resting._repr_html_()
    assert "PROVED  " in repr(apart)
    assert "not proved here" not in repr(apart)
    assert apart.evidence.named_axioms == ()
    assert "SUPPORTED" in repr(axiom)
    assert "axiom: of the literature: tested and not proved" in repr(axiom)
    assert "where it stands: A. Author, A book, 1999, theorem 1" in repr(axiom)


def test_two_axioms_are_counted(path):
    other = TRUE.replace("axiom-affinity", "axiom-again").replace("def affinity", "def again")
    both = RESTING.replace('["axiom-affinity"]', '["axiom-affinity", "axiom-again"]')
    catalog.load_file(write(path, TRUE, other, both))
    assert ledger["bounds:note-twice"].evidence.word == "proved, given 2 theorems of the literature"


def test_an_axiom_that_is_named_in_vain_is_trusted_all_the_same(path):
    text = RESTING.replace('@claim("note-apart")', '@claim("note-apart", using=["note-gap"])')
    rows, _ = verified(write(path, TRUE, text))
    assert rows["note-apart"]["trusted"] == ["kernel", f"named axiom {NAMED}"]


def test_an_axiom_is_used_where_its_conditions_are_shown(path):
    equal = 'number="1", given=lambda: [Le(n, 3)]'
    alone = RESTING.partition('@claim("note-twice"')[0]
    rows, _ = verified(write(path, TRUE.replace('number="theorem 1"', equal), alone))
    assert rows["note-gap"]["verdict"] == "supported"
    within = alone.replace('["axiom-affinity"]', '["axiom-affinity"], given=lambda: [Le(n, 2)]')
    rows, _ = verified(write(path, TRUE.replace('number="theorem 1"', equal), within))
    assert rows["note-gap"]["verdict"] == "proved"


def test_with_a_scope_an_axiom_proves_nothing(path):
    text = RESTING.replace('using=["axiom-affinity"]', 'using=["axiom-affinity"], scope="half"')
    rows, _ = verified(write(path, TRUE, text))
    assert rows["note-gap"]["verdict"] == rows["note-twice"]["verdict"] == "supported"


def test_no_statement_of_ones_own_is_checked_with_an_axiom(path):
    catalog.load_file(write(path, TRUE, RESTING))
    with pytest.raises(ClaimError, match="is supported, so a proof cannot use it"):
        lemmas(["bounds:axiom-affinity"])


# --- on record -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def on_record(tmp_path_factory):
    """What is put on record of a file: its verdicts and its proofs, as texts."""
    path = write(tmp_path_factory.mktemp("recorded") / "bounds.py", TRUE, RESTING)
    verified(path, record_too=True)
    return [topics.at(path).record.read_text(), proof_files.beside(path).read_text()]


@pytest.fixture
def recorded(path, on_record):
    """Verify a file whose proofs on record are changed as data."""
    write(path, TRUE, RESTING)
    verdicts, found = on_record
    topics.at(path).record.write_text(verdicts)

    def change(how):
        data = json.loads(found)
        how(data)
        proof_files.beside(path).write_text(json.dumps(data))
        return verified(path)

    return change


def test_an_axiom_is_on_record_with_its_source_and_is_replayed(path, recorded):
    rows, differing = recorded(lambda data: None)
    assert set(differing.values()) == {""}
    entries = proof_files.in_file(proof_files.beside(path))
    assert entries["bounds:axiom-affinity"]["axiom"] == "A. Author, A book, 1999, theorem 1"
    trusted = {one.key: one.trust.named for one in replay.replay(entries)}
    assert set(trusted["bounds:note-twice"]) == {"bounds:axiom-affinity"}
    assert trusted["bounds:note-apart"] == {}
    assert rows["axiom-affinity"]["reason"].startswith("it holds for 150 examples")


def altered(data):
    data["bounds:axiom-affinity"]["sequent"]["goal"][2] = "1/2"


def absent(data):
    del data["bounds:axiom-affinity"]


def claimed_proved(data):
    entry = data["bounds:axiom-affinity"]
    del entry["axiom"]
    entry["certificate"] = {"rule": "known"}


@pytest.mark.parametrize("how", [altered, absent, claimed_proved])
def test_a_proof_whose_axiom_on_record_is_another_is_rejected(recorded, how):
    _, differing = recorded(how)
    told = "the proof on record is none: the axiom bounds:axiom-affinity on record is another"
    assert differing["note-gap"].startswith(told)
    assert differing["axiom-affinity"].startswith(
        "the proof on record is none: the axiom on record"
    )
    assert differing["note-apart"] == ""


def test_another_source_on_record_is_a_difference(recorded):
    def how(data):
        data["bounds:axiom-affinity"]["axiom"] = "B. Author, A book, 1999, theorem 1"

    _, differing = recorded(how)
    assert {label for label, said in differing.items() if said} == {"axiom-affinity"}


def test_what_is_to_be_proved_is_not_proved_by_an_axiom_on_record(path, recorded, monkeypatch):
    def how(data):
        del data["bounds:note-twice"]["certificate"], data["bounds:note-twice"]["sample"]
        data["bounds:note-twice"]["axiom"] = "A. Author, A book, 1999, theorem 2"

    seen = []
    monkeypatch.setattr(
        schedule, "_search", lambda claim, *rest: seen.append(claim.key) or claim.task()
    )
    rows, differing = recorded(how)
    assert seen == ["bounds:note-twice"]
    assert rows["note-twice"]["verdict"] != "proved"
    assert differing["note-twice"] == "proved on record"


def test_an_axiom_on_record_is_tested_again(path, recorded):
    recorded(lambda data: None)
    write(path, AFFINITY.format(statement="Le(overlap(F, G), 0)"))
    beside = topics.at(path).record
    data = json.loads(beside.read_text())
    (claim,) = catalog.load_file(path)
    data["claims"]["bounds:axiom-affinity"]["hash"] = claim.hash
    beside.write_text(json.dumps(data))
    with pytest.raises(ClaimError, match="an example refutes the axiom"):
        verified(path)
