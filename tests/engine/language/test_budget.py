"""Time limits count work, and not waiting."""

import contextlib
import gc
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from dpbook.engine.language.budget import Deadline, Later, TimeUp, alarm, attempt, worked
from dpbook.engine.run.process import uncollected


def work(seconds):
    until = worked() + seconds
    while worked() < until:
        pass


def test_deadline_passes_by_work_and_not_by_waiting():
    deadline = Deadline.after(0.2)
    time.sleep(0.3)
    assert not deadline.passed
    work(0.2)
    assert deadline.passed
    assert deadline.part(1.0) == 0.0


def test_alarm_rings_in_work_and_not_in_waiting():
    with alarm(0.1):
        time.sleep(0.3)
    with pytest.raises(TimeUp), alarm(0.1):
        work(10.0)


def test_inner_alarm_never_outlives_the_outer():
    started = worked()
    with pytest.raises(TimeUp), alarm(0.1), alarm(10.0):
        work(10.0)
    assert worked() - started < 5.0


def test_outer_alarm_goes_on_after_an_inner_one():
    def inner_then_more():
        with contextlib.suppress(TimeUp), alarm(0.05):
            work(10.0)
        work(10.0)

    started = worked()
    with pytest.raises(TimeUp), alarm(0.2):
        inner_then_more()
    assert worked() - started < 5.0


@pytest.mark.parametrize("seconds", [0.1, 0.0, -1.0])
def test_attempt_ends_what_takes_too_long(seconds):
    started = worked()
    with attempt(seconds):
        work(10.0)
    assert worked() - started < 5.0


def test_alarm_that_rings_as_the_body_ends_does_not_leave_the_attempt():
    """The objects of a search are freed for long when it returns, and no bytecode runs in between."""
    kept = [[object() for _ in range(3_000_000)]]

    def search():
        found = kept.pop()
        assert len(found) == 3_000_000

    with attempt(0.01):
        search()
    started = worked()
    with contextlib.suppress(TimeUp), alarm(5):
        while worked() < started + 0.6:  # no alarm is left that rings
            pass
    assert worked() >= started + 0.6


def test_attempt_leaves_out_what_a_library_refuses_and_no_fault_of_ours():
    with attempt(5.0):
        Fraction("no number")
    with attempt(5.0, ImportError):
        raise ImportError
    with pytest.raises(OSError, match="disk"), attempt(5.0):
        raise OSError("disk")


def test_alarm_outside_the_main_thread_is_an_error_and_no_unlimited_run():
    def limited():
        with alarm(0.1):
            return "ran"

    with ThreadPoolExecutor(1) as threads, pytest.raises(RuntimeError, match="main thread"):
        threads.submit(limited).result()


def test_alarm_that_a_library_swallows_rings_again():
    def swallows():
        with contextlib.suppress(TimeUp):
            work(10.0)
        work(10.0)

    started = worked()
    with pytest.raises(TimeUp), alarm(0.1):
        swallows()
    assert worked() - started < 5.0


@pytest.fixture
def slow_module(tmp_path, monkeypatch):
    """A module whose import is half a second of work, for good or until the alarm rings."""
    (tmp_path / "slow_module.py").write_text(
        "import time\nend = time.process_time() + 0.5\n"
        "while time.process_time() < end:\n    pass\nanswer = 42\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "slow_module"
    sys.modules.pop("slow_module", None)


def test_import_of_a_library_is_no_work_and_does_not_ring(slow_module):
    module, deadline = Later(slow_module), Deadline.after(0.4)
    with alarm(0.4):
        assert module.answer == 42
    assert not deadline.passed


def test_alarm_goes_on_after_an_import(slow_module):
    def imports_and_works():
        assert Later(slow_module).answer == 42
        work(10.0)

    started = worked()
    with pytest.raises(TimeUp), alarm(0.2):
        imports_and_works()
    assert worked() - started < 5.0


def test_missing_name_of_a_later_module_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = Later("math").nothing


def test_worker_starts_without_scipy():
    imports = "import sys, dpbook.engine.prove.certify, dpbook.engine.claims.ledger; print('scipy' in sys.modules)"
    made = subprocess.run([sys.executable, "-c", imports], capture_output=True, text=True)
    assert made.stdout.strip() == "False", made.stderr


def test_who_asks_for_a_check_does_not_import_the_search():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, dpbook.engine.claims.check; heavy = {'numpy', 'z3', 'dpbook.engine.run.decide',"
            " 'dpbook.engine.claims.ledger', 'sympy.integrals.manualintegrate'};"
            " print(sorted(heavy & set(sys.modules)))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_libraries_are_imported_without_collection_which_goes_on_after_an_error():
    collected = []

    def fails():
        collected.append(gc.isenabled())
        raise ImportError

    try:
        with pytest.raises(ImportError), uncollected():
            fails()
    finally:
        gc.unfreeze()  # other libraries of this process ask what refers to what
    assert collected == [False]
    assert gc.isenabled()
