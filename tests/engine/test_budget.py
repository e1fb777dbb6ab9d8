"""Time limits count work, and not waiting."""

import contextlib
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from dpbook.engine.budget import Deadline, TimeUp, alarm, worked


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
