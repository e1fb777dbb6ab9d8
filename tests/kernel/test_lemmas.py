"""The lemmas of the kernel: each is proved from axioms and from lemmas before it, and none is lost."""

import copy
from dataclasses import replace

import pytest

from dpbook.kernel import table
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files import command as program
from dpbook.kernel.files.lemmas import BENEATH, on_record, replay_lemmas, stated
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.table import AXIOMS, INTEGRALS, UNPROVED, Axiom

# facts that were axioms when the kernel had no lemmas; proofs on record use these names
FORMER = """
exp positive; exp above its tangent; exp below 1/(1-u); exp sign; exp strictly above its
tangent; exp quadratic; exp rational; exp cubic; exp rational, order 2; log below u-1; log above
1-1/u; log sign; log strictly below u-1; log rational; log below a square root; log rational,
order 2; tanh bounded; tanh sign; tanh below its tangent; cosh above 1; cosh quadratic; sinh
sign; sinh cubic; log of sinh; coth rational; erf bounded; erf sign; erf cubic; atan bounded;
atan sign; atan rational; atan below pi/2; asin + acos = pi/2; sine bounded; sine below its
argument; sine cubic; sine quintic; sine positive below pi; cosine bounded; cosine quadratic;
cosine quartic; cosine positive below pi/2; sine positive up to pi; cosine positive up to pi/2;
sine and cosine of a sum; atan of a sum; atan of a sum, above pi/2; atan of a reciprocal; range
of atan; range of asin; range of acos; atan inverts tan; asin inverts sin; acos inverts cos;
asinh inverts sinh; acosh inverts cosh; atanh inverts tanh; tan inverts atan; sin inverts asin;
cos inverts acos; sinh inverts asinh; cosh inverts acosh; tanh inverts atanh; gamma positive;
gamma near 1; factorial at least 1; floor; ceiling; integers up to a floor; integers from a
ceiling on; exp increasing; exp convex; exp rational, two points; log increasing; log concave;
log strictly concave; log rational, two points; log rational of order 2, two points; log square
root, two points; tanh increasing; sinh increasing; erf increasing; atan increasing; tanh has
slope at most 1; atan has slope at most 1; sin has slope at most 1; cos has slope at most 1;
floor nondecreasing; ceiling nondecreasing; cosh increasing in |u|; exp of a sum; power
positive; power against 1; Bernoulli; Bernoulli, reciprocal; power against its base; power
increasing in its base; Bernoulli, two bases; power increasing in both; power monotone in its
exponent; sin^2 + cos^2 = 1; cosh^2 - sinh^2 = 1; coth = cosh/sinh; binomial at least 1;
binomial theorem; binomial theorem, first moment; tanh = sinh/cosh; tanh^2 = 1 - 1/cosh^2; exp
inverts log; exp against log, tangent; erfc below exp(-u^2); cosh below exp(u^2/2); sine below
the circle; a^b = exp(b log a); a^b against exp(b(a-1)); power of a sum; small powers; absolute
value; maximum; minimum; sign; choice, >; choice, >=; choice, ==; Gaussian; Gaussian, first
moment; Gaussian, second moment; Gaussian, third moment; Gaussian, fourth moment; Gaussian, from
a point; Gaussian, up to a point; Gaussian, power; gamma; gamma, logarithm; beta; beta,
logarithm; beta, other logarithm; gamma, up to a point; gamma, from a point; beta, up to a
point; beta, from a point
"""


def test_every_lemma_on_record_is_proved_from_axioms_and_lemmas_before_it():
    found = replay_lemmas(on_record())
    assert {name: str(one.rejected) for name, one in found.items() if one.rejected} == {}
    assert all(one.trust.axioms <= UNPROVED for one in found.values())
    assert {*AXIOMS, *INTEGRALS} == UNPROVED | found.keys()


def test_few_facts_are_left_unproved_each_with_its_source_and_the_reason():
    functions, integrals = AXIOMS.keys() & UNPROVED, INTEGRALS.keys() & UNPROVED
    assert len(functions) <= 4
    assert len(integrals) <= 4
    for name in UNPROVED:
        fact = AXIOMS.get(name) or INTEGRALS[name]
        assert fact.source, name
        assert fact.why, name


def test_no_former_axiom_is_lost():
    former = " ".join(FORMER.split()).split("; ")
    assert len(former) == 141
    assert set(former) <= {*AXIOMS, *INTEGRALS}


def some(*names):
    """Lemmas on record by their names, in this order, for a test to change."""
    whole = on_record()
    return {name: copy.deepcopy(dict(whole[name])) for name in names}


def rejections(entries):
    return {k: str(one.rejected) for k, one in replay_lemmas(entries).items() if one.rejected}


def planted(monkeypatch, entries):
    """Let proofs use the statements of entries."""
    for name, entry in entries.items():
        fact = stated(sequent_from_json(entry["sequent"]))
        monkeypatch.setitem(AXIOMS if isinstance(fact, Axiom) else INTEGRALS, name, fact)
    return entries


@pytest.mark.parametrize(
    ("name", "goal"),
    [
        ("exp positive", "exp(u) > 1"),
        ("exp above its tangent", "exp(u) - 2 - u >= 0"),
        ("exp convex", "exp(u) - exp(v)*(1 + u + v) >= 0"),
        ("absolute value", "abs(u) - u > 0"),
    ],
)
def test_wrong_lemma_is_rejected(monkeypatch, name, goal):
    whole = on_record()
    before = {k: whole[k] for k in list(whole)[: list(whole).index(name)]}
    changed = some(name)
    changed[name]["sequent"]["goal"] = goal
    said = "proofs use another statement of this name"
    assert said in rejections({**before, **changed})[name]
    found = rejections({**before, **planted(monkeypatch, changed)})
    assert set(found) == {name}
    assert said not in found[name]


def names_in(node):
    """The facts that a certificate uses."""
    own = (
        {node["name"]} if node["rule"] == "axiom" else {node["entry"]} if "entry" in node else set()
    )
    return own.union(*map(names_in, node.get("premises", [])))


def test_lemma_that_stands_before_one_it_uses_is_rejected():
    whole = on_record()
    late = {name for name, entry in whole.items() if names_in(entry["certificate"]) - UNPROVED}
    assert len(late) > 50
    for name in whole:
        assert set(rejections({name: whole[name]})) == late & {name}, name


def test_what_lemmas_rest_on_is_named_in_their_rows(monkeypatch):
    """The axioms beneath each lemma: as its row names them, and as the check of its proof finds them."""
    for name, one in replay_lemmas(on_record()).items():
        assert BENEATH[name] == one.trust.axioms, name
    assert BENEATH["Gaussian, first moment"] == {"gamma"}
    assert not BENEATH["exp positive"]
    assert all(BENEATH[name] == {name} for name in UNPROVED)
    wrong = {"floor nondecreasing": (), "exp sign": ("floor",)}
    for name, rests in wrong.items():
        monkeypatch.setitem(AXIOMS, name, replace(AXIOMS[name], rests=rests))
    said = rejections(on_record())
    assert said["floor nondecreasing"].endswith("its proof rests on floor")
    assert said["exp sign"].endswith("its proof rests on no axiom")


def lemma(goal, uses):
    """A lemma in u that takes its goal from another fact at u."""
    return {
        "sequent": {"variables": {"u": "real"}, "given": [], "goal": goal},
        "certificate": {
            "rule": "axiom",
            "name": uses,
            "at": {"u": "u"},
            "premises": [{"rule": "auto"}],
        },
    }


@pytest.mark.parametrize("names", [("a",), ("a", "b"), ("a", "b", "c")])
def test_circle_of_lemmas_is_rejected(monkeypatch, names):
    following = dict(zip(names, (*names[1:], names[0]), strict=True))
    entries = {name: lemma("exp(u) > 7", uses) for name, uses in following.items()}
    assert set(rejections(planted(monkeypatch, entries))) == set(names)


def test_lemma_from_a_rejected_lemma_is_rejected(monkeypatch):
    wrong = {**lemma("exp(u) > 7", "exp positive"), "certificate": {"rule": "auto"}}
    entries = planted(monkeypatch, {"a": wrong, "b": lemma("exp(u) > 7", "a")})
    assert rejections(entries)["b"].endswith("the lemma a of the kernel is rejected")


@pytest.mark.parametrize(
    ("sequent", "said"),
    [
        ({"variables": {"n": "integer"}, "goal": "n >= 0"}, "about real numbers"),
        ({"functions": {"f": 1}, "goal": "f(1) >= 0"}, "about real numbers"),
        ({"variables": {"u": "real"}, "goal": "defined(log(u))"}, "concludes relations"),
        (
            {"variables": {"u": "real"}, "goal": "all(x; real; x^2 + u^2 >= 0)"},
            "concludes relations",
        ),
        (
            {"variables": {"u": "real"}, "given": ["defined(1/u)"], "goal": "u != 0"},
            "about real numbers",
        ),
        ({"goal": "defined(1) and 1 == 1"}, "binds x"),
        (
            {"goal": "defined(integral(x, x, 0, 1)) and integral(x, x, 0, 2) == 2"},
            "concludes relations",
        ),
        ({"goal": "defined(integral(y, y, 0, 1)) and integral(y, y, 0, 1) == 1/2"}, "binds x"),
        ({"goal": "defined(integral(x, x, 0, 1)) and integral(x, x, 0, 1) <= 1/2"}, "binds x"),
    ],
)
def test_lemma_that_asks_for_more_than_its_conditions_is_refused(sequent, said):
    with pytest.raises(Rejected, match=said):
        stated(sequent_from_json(sequent))


def test_two_facts_of_one_name_are_refused(monkeypatch):
    again = {"axiom": {"floor": {"names": "u", "formulas": ("u == u",)}}, "integral": {}}
    monkeypatch.setattr(table, "_PROVED", again)
    with pytest.raises(ValueError, match="two facts have the name floor"):
        table._facts("axiom", Axiom)


TANGENT = """{"format": 3, "t:a": {"sequent": {"variables": "x", "goal": "exp(x) >= 1 + x"}, "certificate":
{"rule": "axiom", "name": "exp above its tangent", "at": {"u": "x"}, "premises": ["auto"]}}}"""


def test_program_rejects_proofs_that_rest_on_a_rejected_lemma(monkeypatch, tmp_path, capsys):
    path = tmp_path / "proofs.json"
    path.write_text(TANGENT)
    wrong = some("exp above its tangent")
    wrong["exp above its tangent"]["certificate"] = {"rule": "auto"}
    monkeypatch.setattr(program, "_lemmas", lambda: replay_lemmas(wrong))
    assert program.main([str(path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("exp above its tangent: rejected at ")
    assert said[1] == "1 lemmas of the kernel, 1 rejected"
    assert "the lemma exp above its tangent of the kernel is rejected" in said[2]
    assert said[3] == "1 proofs, 1 rejected"
