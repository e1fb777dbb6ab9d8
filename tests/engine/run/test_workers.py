"""Worker processes: faults stay in them, and statements arrive as they were written."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sympy

from dpbook import check, cli, symbol
from dpbook.engine.language.statement import Defined, Relation
from dpbook.engine.language.task import Lemma, make_task
from dpbook.engine.language.verdict import Verdict
from dpbook.engine.run import workers

ROOT = Path(__file__).resolve().parents[3]
WITH_DPBOOK = {**os.environ, "PYTHONPATH": str(ROOT)}
x = symbol("x", above=0)
LEMMA = Lemma("own:positive", Relation(x, ">", sympy.Integer(0)))

PROGRAM = """
    import os, sys, time
    from dpbook.engine.run import workers
    from dpbook.engine.language.verdict import Evidence, Verdict

    def decide(task):
        name = task.using[0].key if task.using else ""
        if name == "hang":
            time.sleep(60)
        while name == "work":
            pass
        if name == "crash":
            os.abort()
        if name.startswith("crash once"):
            with open(name.removeprefix("crash once "), "a+") as log:
                log.write("x")
                log.flush()
                if log.tell() == 1:
                    os.abort()
        if name == "memory":
            held = bytearray(4 * 2**30)
        if name == "noise":
            print("noise " * 1000)
            os.write(1, b"more noise")
            assert not sys.stdin.read()
        if name == "fault":
            raise ZeroDivisionError("a fault of ours")
        if name == "user":
            raise ValueError("x must be > 0")
        if name == "seed":
            return Evidence(Verdict.NOTED, reason=str(sorted({"a", "b", "c"}) and hash("a")))
        return Evidence(Verdict.NOTED, reason=str(task.form))

    if __name__ == "__main__":
        workers.serve(decide, memory=3 * 2**30)
"""


@pytest.fixture
def pool(tmp_path, monkeypatch):
    (tmp_path / "stub_program.py").write_text(textwrap.dedent(PROGRAM))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(workers, "GRACE", 3.0)
    made = workers.Pool(1, "stub_program")
    yield made
    made.close()


def told(name):
    """A task that says by the key of a lemma what the worker is to do."""
    return make_task(
        (x, ">", 0), using=[Lemma(name, Relation(x, ">", sympy.Integer(0)))], time_limit=0.1
    )


def ask(pool, hint="", statement=None):
    task = told(hint) if hint else make_task(statement or (x, ">", 0), time_limit=0.1)
    pool.submit("name", task)
    [(name, evidence)] = list(pool.wait())
    assert name == "name"
    return evidence


@pytest.mark.parametrize("hint", ["hang", "work", "crash", "memory"])
def test_hang_crash_and_full_memory_leave_the_statement_undecided_and_the_pool_alive(pool, hint):
    evidence = ask(pool, hint)
    assert evidence.verdict is Verdict.UNDECIDED
    assert "worker" in evidence.reason
    assert ask(pool).verdict is Verdict.NOTED


def test_task_during_which_a_library_crashed_is_tried_once_more(pool, tmp_path):
    log = tmp_path / "log"
    assert ask(pool, f"crash once {log}").verdict is Verdict.NOTED
    assert log.read_text() == "xx"


def test_what_a_library_prints_or_reads_does_not_touch_the_answers(pool):
    assert ask(pool, "noise").reason == "x > 0"


def test_fault_of_the_engine_arrives_with_its_traceback(pool):
    with pytest.raises(workers.EngineFault, match=r"(?s)Traceback.*a fault of ours"):
        ask(pool, "fault")
    assert ask(pool).verdict is Verdict.NOTED


def test_error_for_the_user_arrives_as_itself(pool):
    error = ask(pool, "user")
    assert isinstance(error, ValueError)
    assert str(error) == "x must be > 0"


def test_hash_seed_is_the_same_in_every_worker(pool):
    first = ask(pool, "seed").reason
    other = workers.Pool(1, "stub_program")
    assert ask(other, "seed").reason == first
    other.close()


def test_statement_arrives_as_written(pool):
    with sympy.evaluate(False):
        written = (x / x, "==", sympy.Integer(1))
    assert ask(pool, statement=written).reason == "x/x = 1"


def test_own_function_of_a_script_is_written_out_on_the_way(pool):
    class Doubled(Defined):
        def definition(self):
            return 2 * self.args[0]

    with sympy.evaluate(False):
        task = make_task((Doubled(x), ">", x), using=[LEMMA], time_limit=0.1)
    pool.submit("name", task)
    [(_, evidence)] = list(pool.wait())
    assert evidence.reason == "2*x > x"


def test_what_cannot_be_sent_is_an_error_for_the_user(pool):
    worker = pool.idle[0]
    worker.wait_until_warm()
    with pytest.raises(ValueError, match="cannot be sent to a worker process"):
        worker.send(lambda: None, 1.0)


def test_tasks_of_any_kind_have_a_crew(pool, tmp_path):
    crew = workers.Workers(2, "stub_program")
    task = make_task((x, ">", 0), time_limit=0.1)
    crew.give("right", task, 60.0)
    crew.give("wrong", told("crash"), 60.0)
    found = {}
    while crew.busy:
        found |= {name: answer for name, _, answer in crew.take()}
    assert found["right"].verdict is Verdict.NOTED
    assert found["wrong"] == workers.Lost(-signal.SIGABRT)
    assert found["wrong"].crashed
    assert len(crew.idle) == 2
    crew.close()


STARTS = """
    import os, signal
    from pathlib import Path
    from dpbook.engine.run import workers
    from dpbook.engine.language.verdict import Evidence, Verdict

    starts = Path(__file__).with_name("starts")
    with starts.open("a+") as log:
        log.write("x")
        log.flush()
        if log.tell() <= {deaths}:
            os.kill(os.getpid(), signal.SIGKILL)

    if __name__ == "__main__":
        workers.serve(lambda task: Evidence(Verdict.NOTED))
"""


@pytest.mark.parametrize("deaths", [0, 1])
def test_worker_that_is_killed_while_it_starts_is_started_once_more(tmp_path, monkeypatch, deaths):
    name = f"dies_{deaths}_times"
    (tmp_path / f"{name}.py").write_text(textwrap.dedent(STARTS).format(deaths=deaths))
    monkeypatch.syspath_prepend(tmp_path)
    pool = workers.Pool(1, name)
    try:
        assert ask(pool).verdict is Verdict.NOTED
        assert ask(pool).verdict is Verdict.NOTED
        assert (tmp_path / "starts").read_text() == "x" * (deaths + 1)
    finally:
        pool.close()


def test_workers_that_never_start_are_an_error_of_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "dies.py").write_text(textwrap.dedent(STARTS).format(deaths=9))
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(workers, "_own", [workers.Worker("dies")])
    with pytest.raises(SystemExit) as stop:
        cli.main(["check", "x > 0", "--given", "x > 1"])
    assert stop.value.code == 2
    assert capsys.readouterr().err == "a worker did not start; python -m dies says why\n"
    assert (tmp_path / "starts").read_text() == "xx"
    assert workers._own == []


def test_program_that_does_not_start_is_named():
    with pytest.raises(workers.EngineFault, match="python -m no_such_program says why"):
        workers.Worker("no_such_program").wait_until_warm()


def test_a_worker_that_takes_long_to_start_is_waited_for(monkeypatch):
    """On a busy machine its libraries take minutes; here the clock is the test's."""
    slow = workers.Worker()
    monkeypatch.setattr(workers.Worker, "ready", lambda worker, seconds: seconds > 200)
    slow.wait_until_warm()
    assert slow.warm
    slow.kill()


def test_check_works_from_several_threads():
    with ThreadPoolExecutor(3) as threads:
        found = list(threads.map(check, ["x^2 >= 0", "x^2 >= 1", "x = x"]))
    assert [e.verdict.value for e in found] == ["proved", "refuted", "proved"]


def test_script_without_a_main_guard_runs_once(tmp_path):
    script = tmp_path / "lecture.py"
    script.write_text("from dpbook import check\nprint(check('x^2 >= 0').verdict.value)\n")
    (tmp_path / "random.py").write_text("raise SystemExit('the wrong random')\n")
    ran = subprocess.run(
        [sys.executable, "-P", str(script)],
        cwd=tmp_path,
        env=WITH_DPBOOK,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout) == (0, "proved\n"), ran.stderr


def test_worker_ends_with_its_parent_also_when_that_is_killed(tmp_path, pool):
    script = tmp_path / "killed.py"
    script.write_text(
        "import sympy, time\n"
        "from dpbook.engine.language import statement, task\n"
        "from dpbook.engine.run import workers\n"
        "pool = workers.Pool(1, 'stub_program')\n"
        "x = sympy.Symbol('x')\n"
        "hang = task.Lemma('hang', statement.Relation(x, '>', x))\n"
        "pool.submit('name', task.make_task((x, '>', 0), using=[hang]))\n"
        "print(pool.busy[0][0].process.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=WITH_DPBOOK,
    )
    worker = int(parent.stdout.readline())
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while alive(worker) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not alive(worker)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
