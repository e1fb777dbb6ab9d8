"""Tests stand in the rooms of the engine: a module has a test file of its name, or another one is named.

When this fails: add ``tests/engine/ROOM/test_MODULE.py``, or name in `ELSEWHERE` the test file that
tries the module.
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ENGINE = TESTS.parents[1] / "dpbook" / "engine"

# modules that are tried through another one, or through the statements that they decide
ELSEWHERE = {
    "claims/asked": "../test_cli.py",
    "claims/beside": "../test_own_topics.py",
    "claims/catalog": "claims/test_ledger.py",
    "claims/check": "test_true_and_simple.py",
    "claims/confirm": "prove/test_sequents.py",
    "claims/content": "claims/test_ledger.py",
    "claims/downgrade": "claims/test_ledger.py",
    "claims/entry": "language/test_card.py",
    "claims/errata": "../test_cli.py",
    "claims/on_record": "prove/test_sequents.py",
    "claims/proof_files": "claims/test_verification.py",
    "claims/rows": "claims/test_ledger.py",
    "claims/schedule": "claims/test_ledger.py",
    "claims/search_results": "claims/test_verification.py",
    "claims/topics": "../test_own_topics.py",
    "claims/where": "claims/test_verification.py",
    "derive/marking": "derive/test_derivation.py",
    "evaluate/arbs": "language/test_functions.py",
    "evaluate/exact_points": "evaluate/test_tape.py",
    "evaluate/floats": "evaluate/test_tape.py",
    "evaluate/limits": "prove/test_large_values.py",
    "evaluate/public": "evaluate/test_tape.py",
    "evaluate/sampler": "run/test_decide.py",
    "language/arrays": "run/test_decide.py",
    "language/definedness": "test_soundness.py",
    "language/domain": "run/test_decide.py",
    "language/function_symbols": "refute/test_finite_models.py",
    "language/functions_of_sympy": "language/test_functions.py",
    "language/task": "run/test_decide.py",
    "language/terms": "prove/test_sequents.py",
    "language/verdict": "language/test_card.py",
    "prove/lemma_instances": "claims/test_lemmas.py",
    "prove/proof_text": "prove/test_proofs.py",
    "prove/tactics/axioms": "prove/tactics/test_found.py",
    "prove/tactics/equations": "prove/tactics/test_discrete.py",
    "prove/tactics/exponentials": "prove/tactics/test_found.py",
    "prove/tactics/strategy": "prove/tactics/test_found.py",
    "prove/tactics/suprema": "prove/test_suprema.py",
    "prove/tactics/symbolic": "prove/tactics/test_integrals.py",
    "read/build": "read/test_text.py",
    "read/functions": "read/test_grammar.py",
    "read/nodes": "read/test_text.py",
    "read/readings": "read/test_grammar.py",
    "read/refusals": "read/test_text.py",
    "refute/bounds": "prove/test_suprema.py",
    "refute/limits_of_quotients": "run/test_decide.py",
    "refute/search": "run/test_decide.py",
    "refute/trial": "run/test_decide.py",
    "run/pickles": "run/test_workers.py",
    "run/process": "language/test_budget.py",
    "run/serving": "run/test_workers.py",
}

MODULES = sorted(
    str(path.relative_to(ENGINE).with_suffix("")).replace("\\", "/")
    for path in ENGINE.rglob("*.py")
    if path.name != "__init__.py"
)
WHOLE = {
    "test_problem_verdicts.py",
    "test_rooms.py",
    "test_soundness.py",
    "test_trial.py",
    "test_true_and_simple.py",
}


def own(module):
    """The test file that has a module's name."""
    room, _, name = module.rpartition("/")
    return TESTS / room / f"test_{name}.py"


@pytest.mark.parametrize("module", MODULES)
def test_module_has_a_test_file(module):
    named, there = module in ELSEWHERE, own(module).is_file()
    assert named or there, (
        f"add {own(module).relative_to(TESTS.parents[1])}, or name in ELSEWHERE the test file that "
        f"tries {module}"
    )
    assert not (named and there), f"{module} has a test file of its own: take it out of ELSEWHERE"
    assert (TESTS / ELSEWHERE.get(module, own(module))).is_file(), f"ELSEWHERE of {module}"


def test_list_names_modules_of_the_engine():
    assert set(ELSEWHERE) <= set(MODULES)


def test_tests_stand_in_rooms_of_the_engine():
    rooms = {path.parent for path in TESTS.rglob("test_*.py")} - {TESTS}
    assert {str(room.relative_to(TESTS)) for room in rooms} <= {
        m.rpartition("/")[0] for m in MODULES
    }
    assert {path.name for path in TESTS.glob("test_*.py")} <= WHOLE
