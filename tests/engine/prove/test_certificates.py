"""Proofs without the steps that nothing uses: shorter, and still accepted."""

from typing import Any

import pytest

from dpbook.engine.claims import proof_files
from dpbook.engine.prove.certificates import pruned
from dpbook.kernel import check
from dpbook.kernel.files.replay import lemmas_in
from dpbook.kernel.files.sequents import sequent_from_json
from tests.kernel.instances import KNOWN, node, sequent

ALL = "all(z; real; f(z) >= 0)"  # hypothesis 0 of the sequents below


def at(value: str, then: Any) -> dict[str, Any]:
    return node("instance", then, hypothesis=0, value=value)


def sums(*numbers: int) -> dict[str, Any]:
    """The negated goal, hypothesis 3 here, and two facts contradict each other."""
    facts = [[1, [n], None] for n in numbers]
    return node("refute", node("combination", terms=facts))


def test_a_step_that_nothing_uses_is_left_out_and_the_others_have_new_numbers():
    shown = sequent("x y", ALL, "f(x) + f(y) >= 0", f=1)
    long = at("1", at("x", at("2", at("y", sums(2, 4, 5)))))
    assert check(shown, long)
    assert pruned(shown, long) == at("x", at("y", sums(1, 2, 3)))


def test_a_step_that_is_used_stays():
    shown = sequent("x y", ALL, "f(x) + f(y) >= 0", f=1)
    needed = at("x", at("y", sums(1, 2, 3)))
    assert pruned(shown, needed) == needed


def test_a_fact_that_is_used_without_its_number_stays():
    shown = sequent("x", ALL, "f(x) + 1 > 0", f=1)
    needed = at("x", KNOWN)
    assert check(shown, needed)
    assert pruned(shown, at("2", needed)) == needed


def test_what_is_kept_and_what_is_generalised_follow():
    shown = sequent("x", ALL, "f(x) >= 0", f=1)
    kept = at("1", at("x", node("weaken", KNOWN, keep=[1, 2])))
    assert pruned(shown, kept) == at("x", node("weaken", KNOWN, keep=[1]))
    more = at("1", at("x", node("generalise", KNOWN, name="z", term="f(x)", keep=[1, 2])))
    assert check(shown, more)
    found = pruned(shown, more)
    assert found == at("x", node("generalise", KNOWN, name="z", term="f(x)", keep=[1]))


def test_a_hypothesis_that_keeps_all_goes():
    shown = sequent("x", ALL, "f(x) >= 0", f=1)
    found = pruned(shown, at("1", node("weaken", at("x", KNOWN), keep=[0])))
    assert found == at("x", KNOWN)


@pytest.mark.parametrize("topic", ["privacy", "unknown_sample_size"])
def test_proofs_on_record_are_pruned(topic):
    entries = proof_files.of_topic(topic)
    statements = {key: sequent_from_json(entry["sequent"]) for key, entry in entries.items()}
    for key in sorted(entries)[::7]:
        certificate = entries[key]["certificate"]
        lemmas = {name: statements[name] for name in lemmas_in(certificate) if name in statements}
        if len(lemmas) == len(lemmas_in(certificate)):
            assert pruned(statements[key], certificate, lemmas) == certificate, key
