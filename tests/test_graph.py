"""What a claim rests on: without it, or with it refuted, nothing that uses it is proved."""

from dataclasses import replace

import pytest

from dpbook.engine.claims import catalog, record
from dpbook.engine.claims.downgrade import downgraded
from dpbook.engine.claims.lemmas import lemmas_of
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.kernel import Rejected, check
from dpbook.kernel.files.replay import lemmas_in
from dpbook.kernel.files.sequents import sequent_from_json

TOPICS = record.topics()
PROVED = Evidence(Verdict.PROVED)
TESTED = replace(PROVED, verdict=Verdict.SUPPORTED)  # an axiom of the literature
REFUTED = replace(PROVED, verdict=Verdict.REFUTED)


def proved(topic):
    """The claims of a topic that are proved on record, and all that they use, in order."""
    rows = record.read_record(record.record_path(topic))
    return [c for c in catalog.load(topic) if rows.get(c.key, {}).get("verdict") == "proved"]


def users(claims):
    """For each key the claims that use it, however far away."""
    found: dict[str, set[str]] = {}
    for claim in claims:
        todo = list(claim.using)
        seen = set()
        while todo:
            key = todo.pop()
            if key not in seen:
                seen.add(key)
                found.setdefault(key, set()).add(claim.key)
                todo += catalog.find(key).using
    return found


def verdicts_without(lemma, claims):
    """What becomes of proved claims when one that they use is refuted."""
    done = {}
    for claim in catalog.closure(claims):
        before = REFUTED if claim.key == lemma else TESTED if claim.axiom else PROVED
        done[claim.key] = (downgraded(claim, before, done), False)
    return {key: evidence.verdict for key, (evidence, _) in done.items()}


@pytest.mark.parametrize("topic", TOPICS)
def test_a_refuted_lemma_turns_all_that_rests_on_it(topic):
    claims = proved(topic)
    for lemma, above in users(claims).items():
        found = verdicts_without(lemma, [catalog.find(key) for key in above])
        still = [key for key in above if found[key] is Verdict.PROVED]
        assert not still, f"{lemma} is refuted, and {still} stay proved"


def certificates():
    """Proved claims whose certificate on record uses lemmas, with the certificate and their names."""
    for topic in TOPICS:
        for claim in proved(topic):
            entry = proof_on_record(claim)
            names = lemmas_in(entry["certificate"]) if entry else []
            if names:
                yield claim, entry, names


def test_a_certificate_is_not_replayed_with_a_refuted_lemma():
    tried = 0
    for claim, entry, names in certificates():
        assert set(names) <= set(claim.using), claim.key
        for name in names:
            done = dict.fromkeys(claim.using, (PROVED, False)) | {name: (REFUTED, False)}
            with pytest.raises(Rejected, match=name):
                lemmas_of(claim, entry["certificate"], done)
            tried += 1
    assert tried > 100


def test_the_kernel_rejects_a_certificate_whose_first_lemma_is_absent():
    tried = 0
    for _, entry, _ in certificates():
        first = entry["certificate"]
        if first["rule"] == "lemma":  # else the kernel has much to do before it comes to a lemma
            with pytest.raises(Rejected, match=f"there is no lemma {first['name']}"):
                check(sequent_from_json(entry["sequent"]), first, {})
            tried += 1
    assert tried > 50


def test_the_chain_of_theorem_1_rests_on_the_lemmas_of_the_appendix():
    distributions = catalog.find("langevin:lemma-a.6.laws")
    keys = {claim.label for claim in catalog.closure([distributions])}
    assert {"lemma-a.2", "lemma-a.4.first", "lemma-a.4.later"} <= keys
    assert {"lemma-a.5.first", "lemma-a.5.later", "claim-d.23", "lemma-a.6"} <= keys


def test_the_second_half_of_theorem_1_turns_with_each_lemma_of_the_appendix():
    chain = catalog.find("langevin:theorem-1.chain")
    lemmas = [
        "lemma-a.2",
        "lemma-a.4.first",
        "lemma-a.4.later",
        "lemma-a.5.first",
        "lemma-a.5.later",
    ]
    for label in [
        *lemmas,
        "claim-d.18-corrected",
        "claim-d.23",
        "lemma-a.6",
        "lemma-a.6.laws",
        "note-eq-10",
    ]:
        found = verdicts_without(f"langevin:{label}", [chain])
        assert f"langevin:{label}" in found, label
        assert found[chain.key] is not Verdict.PROVED, label
    assert verdicts_without("langevin:eq-3", [chain])[chain.key] is Verdict.PROVED


def test_theorem_1_turns_with_each_lemma_of_its_proof():
    whole = catalog.find("langevin:theorem-1")
    lemmas = [
        *("lemma-4.2-corrected", "lemma-4.3-corrected", "claim-d.30-corrected"),
        *("note-chernoff-mean", "note-lemma-4.4", "lemma-4.5.first", "lemma-4.5.later"),
        *("lemma-a.2", "lemma-a.4.first", "lemma-a.4.later", "lemma-a.5.first", "lemma-a.5.later"),
        *("lemma-a.6", "lemma-a.6.laws", "note-eq-10", "note-larger-loss", "theorem-1.chain"),
        *("lemma-a.1.mean-first", "lemma-a.1.mean-epochs", "lemma-a.1.variance-epochs"),
        *("lemma-a.1.variance", "note-theorem-1", "note-problem"),
    ]
    for key in [*(f"langevin:{label}" for label in lemmas), "privacy:private-at-a-larger-loss"]:
        found = verdicts_without(key, [whole])
        assert key in found, key
        assert found[whole.key] is not Verdict.PROVED, key
    assert verdicts_without("langevin:eq-3", [whole])[whole.key] is Verdict.PROVED
