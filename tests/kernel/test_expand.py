"""A proof is written without steps `auto` but those that have no other rule, and is still a proof."""

import copy
import json
import zlib
from pathlib import Path

import pytest

from dpbook.kernel import environment
from dpbook.kernel.check import check
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files import command
from dpbook.kernel.files.expand import (
    ARITHMETIC,
    HYPOTHESIS,
    NOT_FOUND,
    WHOLE,
    automatic_steps,
    expanded,
)
from dpbook.kernel.files.replay import lemmas_in, nodes_in, read
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import Is, free
from tests.kernel.on_record import entries

# The steps of which no proof is found, by the key: signs that come from bounds of several factors.
KNOWN = {
    "contamination:note-lemma-8-record": 2,
    "langevin:note-first-variance-bound": 2,
    "langevin:note-taken-square": 3,
    "langevin:note-4.2-tail": 1,
}
ROOT = Path(__file__).parents[2]


def proof(key):
    entry = entries()[key]
    lemmas = {
        name: sequent_from_json(entries()[name]["sequent"])
        for name in lemmas_in(entry["certificate"])
    }
    return sequent_from_json(entry["sequent"]), entry["certificate"], lemmas


def keys():
    """Return one of forty proofs on record, by their keys, without long ones."""
    found = [key for key, entry in entries().items() if "certificate" in entry]
    chosen = [key for key in found if zlib.crc32(key.encode()) % 40 == 0]
    return [key for key in chosen if len(json.dumps(entries()[key])) < 8_000]


def only_explicit(s, facts, real=environment.automatic):
    """Say what is automatic where each sign needs a proof, but that of a number."""
    if not isinstance(s.goal, Is) and (s.hypotheses or free(s.goal)):
        return False
    return real(s, facts)


@pytest.mark.parametrize("key", keys())
def test_expanded_proof_is_accepted_where_no_sign_is_automatic(key, monkeypatch):
    sequent, certificate, lemmas = proof(key)
    found = expanded(sequent, certificate, lemmas)
    before, left = (automatic_steps(sequent, c, lemmas) for c in (certificate, found))
    assert left[NOT_FOUND] == KNOWN.get(key, 0)
    assert check(sequent, found, lemmas).lemmas == check(sequent, certificate, lemmas).lemmas
    monkeypatch.setattr(environment, "automatic", only_explicit)
    for one, steps in ((found, left), (certificate, before)):
        if steps[NOT_FOUND]:
            with pytest.raises(Rejected, match="by signs"):
                check(sequent, one, lemmas)
        else:
            check(sequent, one, lemmas)


def test_an_expanded_proof_with_another_number_is_rejected():
    sequent = sequent_from_json(
        {"variables": {"x": "real", "y": "real"}, "given": ["x > 0", "y >= 1"], "goal": "x*y > 0"}
    )
    found = expanded(sequent, {"rule": "auto"}, {})
    assert not automatic_steps(sequent, found, {})
    check(sequent, found, {})
    sums = [node for node in nodes_in(found) if node["rule"] == "combination"]
    for i, j in [(i, j) for i, one in enumerate(sums) for j in range(len(one["terms"]))]:
        wrong = copy.deepcopy(found)
        node = [node for node in nodes_in(wrong) if node["rule"] == "combination"][i]
        node["terms"][j][0] = "3/7"
        with pytest.raises(Rejected, match="the combination is not 0"):
            check(sequent, wrong, {})


@pytest.mark.parametrize(
    ("given", "goal"),
    [
        ("x >= 0", "x > 0"),
        ("x > 0", "x >= 1"),
        ("x != 0", "x > 0"),
        ("x < 1", "exp(x) < 1"),
        ("x >= 0", "defined(1/x)"),
        ("x > 0", "integer(x)"),
    ],
)
def test_what_is_not_automatic_is_not_expanded(given, goal):
    sequent = sequent_from_json({"variables": {"x": "real"}, "given": [given], "goal": goal})
    with pytest.raises(Rejected):
        expanded(sequent, {"rule": "auto"}, {})


@pytest.mark.parametrize(
    ("given", "goal", "left"),
    [
        (["x > 0"], "exp(-x) < 1", {}),
        (["x > 0"], "log(1 + x) > 0", {}),
        (["x > 1/2"], "gamma(x) > 0", {}),
        ([], "abs(x) >= 0", {}),
        ([], "max(x, 2) >= 2", {}),
        (["x != 0"], "x^2 > 0", {}),
        (["x > 0"], "x^(1/2) != 0", {}),
        (["x == 2"], "2*x == 4", {}),
        (["x >= 0", "x <= 0"], "x == 0", {}),
        (["x > 0"], "defined(x)", {}),
        (["x > 0"], "pi > 3", {ARITHMETIC: 1}),
        (["defined(log(x))"], "defined(log(x))", {HYPOTHESIS: 1}),
        (["x > 0"], "integer(floor(x) + 1)", {WHOLE: 1}),
    ],
)
def test_each_kind_of_sign_has_its_rules(given, goal, left):
    sequent = sequent_from_json({"variables": {"x": "real"}, "given": given, "goal": goal})
    found = expanded(sequent, {"rule": "auto"}, {})
    check(sequent, found, {})
    assert automatic_steps(sequent, found, {}) == left


def test_the_command_writes_a_file_that_replays(tmp_path, capsys):
    file = ROOT / "dpbook" / "privacy" / "claims" / "proofs"
    key = keys_in(file)
    files = [str(one) for one in sorted(file.glob("*.json"))]
    (own,) = (one for one in files if key in read(Path(one)))
    assert command.main(["--expand", own, key]) == 0
    said = capsys.readouterr()
    assert " steps auto; left: " in said.err
    written = tmp_path / "expanded.json"
    written.write_text(said.out)
    assert command.main([str(written)]) == 0
    assert "1 proofs, 0 rejected" in capsys.readouterr().out


def keys_in(folder):
    """Return the first proof in a folder that uses no lemma of another claim."""
    for file in sorted(folder.glob("*.json")):
        for key, entry in read(file).items():
            if "certificate" in entry and not lemmas_in(entry["certificate"]):
                return key
    raise AssertionError


def test_the_command_names_what_is_missing(capsys):
    folder = ROOT / "dpbook" / "privacy" / "claims" / "proofs"
    file = str(min(folder.glob("*.json")))
    assert command.main(["--expand", file, "privacy:none"]) == 2
    assert "it has no proof of privacy:none" in capsys.readouterr().err
    assert command.main(["--expand", file]) == 2
    assert "usage: " in capsys.readouterr().err
