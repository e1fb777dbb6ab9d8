"""Cells on the workers of a Dask cluster, each of which is checked before it gets work.

Dask places nothing here: each worker is given one batch of cells at a time, by its address. So a
worker that dies takes the cells of one batch with it, and it is known which.
"""

from __future__ import annotations

import asyncio
import logging
import math
import pickle
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from distributed import Client, KilledWorker, LocalCluster, Security, rpc
from tqdm import tqdm

from dpbook import __version__
from dpbook.engine.claims import record
from dpbook.study.batches import batch_size
from dpbook.study.cells import Failure, compute
from dpbook.study.definition import Place, Record, Study
from dpbook.study.store import hash_of

if TYPE_CHECKING:
    from dpbook.study.running import Plan

AGAIN = 3  # times that a cell is tried again after its worker has died
FETCHES = 8  # results that are on their way at a time
CONNECT = 6.0  # seconds for the scheduler to answer at first
LOOK = 0.5  # seconds between two looks at which workers there are
PATIENCE = 60.0  # seconds for the scheduler to answer later

Identity = dict[str, str]


# --- in the worker ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """Name the cells that a worker computes, and the code and libraries that it must have."""

    study: Study
    places: Sequence[Place]
    seed: int
    data: Path | None


@dataclass(frozen=True)
class Done:
    """Records or failures of the cells of a batch, and the seconds that they took."""

    found: list[Record | Failure]
    seconds: float


def identity(study: Study, data: Path | None) -> Identity:
    """Return the versions of libraries, and the hashes of code and data, that records depend on."""
    from dpbook.study.running import code_of

    return {
        "dpbook": __version__,
        "libraries": record.versions(),
        "code": code_of(study),
        "data": "none" if data is None else hash_of(data),
    }


def examine(order: bytes) -> Identity:
    """Return the identity of this worker."""
    told: Order = pickle.loads(order)
    return identity(told.study, told.data)


def work(order: bytes) -> Done:
    """Compute the cells of a batch."""
    told: Order = pickle.loads(order)
    began = time.perf_counter()
    found = [compute(told.study, place, told.seed, told.data) for place in told.places]
    return Done(found, time.perf_counter() - began)


# --- in the client ---------------------------------------------------------------------------------


def outcomes(
    plan: Plan, todo: Sequence[int], jobs: int | None, scheduler: str | None
) -> Generator[tuple[int, Record | Failure]]:
    """Compute cells on a cluster; yield them as they are finished.

    Parameters
    ----------
    plan : Plan
    todo : sequence of int
        Numbers of cells of the plan.
    jobs : int, optional
        Workers of a cluster that is started for this, on this machine.
    scheduler : str, optional
        Address of the scheduler of another cluster.

    Raises
    ------
    ValueError
        No scheduler answers there, or a worker has other code, libraries or data.
    ConnectionError
        The scheduler is gone.
    """
    with _client(jobs, scheduler) as client:
        dealer = _Dealer(client, plan, deque(todo))
        try:
            yield from dealer.deal()
        finally:
            dealer.withdraw()


@contextmanager
def _client(jobs: int | None, scheduler: str | None) -> Iterator[Client]:
    with _quiet():
        if scheduler is None:
            try:
                cluster = LocalCluster(
                    n_workers=jobs,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    worker_dashboard_address=None,
                    # without a dashboard it still serves HTTP, and warns where the usual port is taken
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                    silence_logs=logging.CRITICAL,
                    env={"DASK_LOGGING__DISTRIBUTED": "critical"},
                )
            except (RuntimeError, OSError) as error:
                why = " ".join(str(error).split()) or type(error).__name__
                raise ConnectionError(f"no cluster started on this machine: {why}") from error
            with cluster, Client(cluster, set_as_default=False) as client:
                yield client
            return
        with ThreadPoolExecutor(1) as thread:  # a notebook has a loop of its own in this one
            why = thread.submit(asyncio.run, _mute(scheduler)).result()
        if why:
            raise ValueError(
                f"no Dask scheduler answers at {scheduler or 'an empty address'}: {why}"
            )
        client = Client(scheduler, set_as_default=False)
        try:
            yield client
        finally:
            client.close(timeout=CONNECT)


async def _mute(address: str) -> str:
    """Return why no scheduler answers, or nothing: a Client waits for a mute one without end."""
    try:
        arguments = Security().get_connection_args("client")
        async with asyncio.timeout(CONNECT), rpc(address, connection_args=arguments) as peer:
            found = await peer.identity()
        return "" if found["type"] == "Scheduler" else f"it is a {found['type']}"
    except TimeoutError:
        return f"no answer within {CONNECT:g} s"
    except Exception as error:  # of any kind, where something else answers
        return " ".join(str(error).split()) or type(error).__name__


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep Dask's own messages off the terminal: the run says what matters."""
    loggers = [
        logging.getLogger(name)
        for name in logging.root.manager.loggerDict
        if name.partition(".")[0] == "distributed"
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@dataclass(eq=False)
class _Task:
    """Cells that a worker has; none in its first task, which examines it."""

    worker: str
    numbers: list[int]
    future: Any = None


@dataclass
class _Dealer:
    """Deal batches of cells to workers, and take back the cells of workers that died."""

    client: Client
    plan: Plan
    waiting: deque[int]
    alone: deque[int] = field(default_factory=deque)  # cells whose worker died: no batch for them
    losses: Counter[int] = field(default_factory=Counter)
    known: set[str] = field(default_factory=set)  # workers, examined or about to be
    free: set[str] = field(default_factory=set)  # examined workers without a task
    tasks: set[_Task] = field(default_factory=set)  # whose result is not here yet
    # tasks that are done, without their result as soon as that is known, and then with it
    done: SimpleQueue[tuple[_Task, Any]] = field(default_factory=SimpleQueue)
    seconds: float = math.inf  # that a cell took, on the average of the last batches
    looked: float = -math.inf
    serial: int = 0
    lonely: bool = False

    def __post_init__(self) -> None:
        self.scheduler = self.client.scheduler
        self.own = identity(self.plan.study, self.plan.data)
        self.began = time.monotonic()
        self.threads = ThreadPoolExecutor(FETCHES)

    def deal(self) -> Iterator[tuple[int, Record | Failure]]:
        """Yield the outcomes of all cells."""
        while self.waiting or self.alone or any(task.numbers for task in self.tasks):
            if time.monotonic() - self.looked >= LOOK:
                yield from self._look()
            while self.free and (self.waiting or self.alone):
                self._give(self.free.pop())
            with suppress(Empty):
                task, found = self.done.get(timeout=LOOK)
                if task not in self.tasks:
                    continue  # it was given up
                if found is not None:
                    self.tasks.discard(task)
                    yield from self._take(task, found)
                elif task.numbers and task.worker in self.known:
                    self.free.add(task.worker)

    def withdraw(self) -> None:
        """Have the scheduler forget the orders."""
        if self.tasks and self.client.status == "running":
            with suppress(Exception):  # the scheduler may be gone
                self.client.cancel([task.future for task in self.tasks], force=True)
        self.threads.shutdown(wait=False, cancel_futures=True)

    def _look(self) -> Iterator[tuple[int, Record | Failure]]:
        """See which workers there are: examine new ones, and give up those that are gone."""
        there = self._workers()
        gone = self.known - there
        self.known -= gone
        self.free -= gone
        for task in [task for task in self.tasks if task.worker in gone]:
            self.tasks.discard(task)
            task.future.cancel(force=True)
            yield from self._lose(task)
        for worker in there - self.known:
            self.known.add(worker)
            self._submit(examine, _Task(worker, []))
        if not there and not self.lonely and time.monotonic() - self.began > PATIENCE / 2:
            self.lonely = True
            tqdm.write(f"no worker at {self.scheduler.address}: waiting for one", file=sys.stderr)

    def _workers(self) -> set[str]:
        try:
            if self.client.status == "running":
                found = self.client.sync(self.scheduler.ncores, callback_timeout=PATIENCE)
                self.looked = time.monotonic()
                return set(found)
        except (OSError, TimeoutError):
            pass
        raise ConnectionError(f"the scheduler at {self.scheduler.address} is gone")

    def _give(self, worker: str) -> None:
        if self.waiting:
            size = batch_size(len(self.waiting), len(self.known), self.seconds)
            numbers = [self.waiting.popleft() for _ in range(size)]
        else:  # last of all: they may take their workers with them
            numbers = [self.alone.popleft()]
        self._submit(work, _Task(worker, numbers))

    def _submit(self, function: Callable[[bytes], Any], task: _Task) -> None:
        places = [self.plan.places[number] for number in task.numbers]
        order = Order(self.plan.study, places, self.plan.seed, self.plan.data)
        self.serial += 1
        task.future = self.client.submit(
            function,
            pickle.dumps(order),
            key=f"dpbook-{self.client.id}-{self.serial}",
            workers=[task.worker],
            allow_other_workers=False,
            retries=0,
            pure=False,
        )
        self.tasks.add(task)
        task.future.add_done_callback(lambda _: self._fetch(task))

    def _fetch(self, task: _Task) -> None:
        """Have a thread wait for a result: where its worker dies first, that takes until `_look`."""

        def fetch() -> None:
            try:
                found = task.future.result()
            except Exception as error:
                found = error
            self.done.put((task, found))

        self.done.put((task, None))
        with suppress(RuntimeError):  # the run has ended
            self.threads.submit(fetch)

    def _take(self, task: _Task, found: Any) -> Iterator[tuple[int, Record | Failure]]:
        if isinstance(found, Done):
            latest = max(found.seconds / len(task.numbers), 1e-6)
            self.seconds = latest if math.isinf(self.seconds) else (self.seconds + latest) / 2
            yield from zip(task.numbers, found.found, strict=True)
        elif isinstance(found, dict):
            for name, value in self.own.items():
                if found[name] != value:
                    named = name in ("dpbook", "libraries")
                    shown = f" ({found[name]}, here {value})" if named else ""
                    raise ValueError(
                        f"worker {task.worker} has other {name}{shown}: give it what this process has"
                    )
            if task.worker in self.known:
                self.free.add(task.worker)
        elif task.future.status == "error" and not isinstance(found, KilledWorker):
            why = f"{type(found).__name__}: {' '.join(str(found).split())}"
            raise ValueError(f"worker {task.worker} cannot run {self.plan.study.name}: {why}")
        else:
            self._workers()  # says so when the scheduler is gone
            self.known.discard(task.worker)  # if it is there, it is examined again
            self.free.discard(task.worker)
            yield from self._lose(task)

    def _lose(self, task: _Task) -> Iterator[tuple[int, Record | Failure]]:
        """Take back the cells of a worker that died; some have had enough tries."""
        for number in task.numbers:
            self.losses[number] += 1
            if self.losses[number] <= AGAIN:
                self.alone.append(number)
            else:
                why = f"{self.losses[number]} times: {self._why(task.worker)}"
                yield number, Failure(f"its worker ended, {why}")

    def _why(self, worker: str) -> str:
        """Say why a worker ended, as far as its nanny knows."""
        events = self.client.sync(
            self.scheduler.events, topic="worker-restart-memory", callback_timeout=PATIENCE
        )
        if any(event.get("worker") == worker for _, event in events):
            return "no memory (it needed more than Dask grants a worker)"
        return "a crash, or the system ended it"
