"""Forecasts of runs: by hand, and within what no run can leave."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpbook.study import forecast as forecasts
from dpbook.study.batches import BATCH, MOST, batch_size
from dpbook.study.forecast import Costs, forecast, most_workers

FREE = Costs(0.0, 0.0, 0.0, 0.0)


def test_first_batch_is_one_cell_and_no_batch_is_longer_than_its_time():
    assert batch_size(1000, 1, math.inf) == 1
    assert batch_size(10**6, 1, 0.01) == round(BATCH / 0.01)
    assert batch_size(10**6, 1, 1e-9) == MOST
    assert batch_size(10**6, 1, 10.0) == 1


def test_last_cells_are_shared_out():
    assert batch_size(80, 4, 1e-3) == 10
    assert batch_size(7, 4, 1e-3) == 1


@pytest.mark.parametrize(
    ("workers", "seconds"), [(1, 12.0), (2, 6.0), (3, 4.0), (4, 4.0), (6, 2.0)]
)
def test_long_cells_are_dealt_one_at_a_time(workers, seconds):
    found = forecast([2.0] * 6, workers, FREE)
    assert (found.seconds, found.batches, found.busy) == (seconds, 6, 12.0)
    assert found.used == 12.0 / (workers * seconds)


def test_each_cost_is_paid_where_it_belongs():
    costs = Costs(start=100.0, batch=10.0, latency=1.0, cell=0.25)
    # one worker: the client gives a batch (10 s), it is away for 2 + 1 s; the next is given before
    # the record is taken, and its 0.25 s pass while the worker computes
    found = forecast([2.0] * 3, 1, costs)
    assert found.seconds == 100.0 + 3 * (10.0 + 2.0 + 1.0) + 0.25
    assert found.client == 3 * (10.0 + 0.25)


def test_more_workers_do_not_help_a_busy_client():
    costs = Costs(start=0.0, batch=0.0, latency=0.0, cell=0.1)
    few, many = (forecast([0.2] * 500, workers, costs) for workers in (4, 64))
    assert few.client == pytest.approx(50.0)
    assert 50.0 <= many.seconds < 52.0
    assert most_workers([0.2] * 500, costs).bottleneck == "the client"


def test_more_workers_do_not_help_where_one_cell_is_long_or_the_start_is(monkeypatch):
    cells = [0.1] * 1000 + [30.0]
    found = most_workers(cells, FREE)
    assert (found.workers, found.bottleneck) == (16, "the longest cell")
    assert most_workers([1.0] * 4, Costs(20.0, 0.0, 0.0, 0.0)).bottleneck == "the start"
    monkeypatch.setattr(forecasts, "MOST_WORKERS", 8)
    assert most_workers([50.0] * 64, FREE).workers == 8


@settings(deadline=None)
@given(
    st.lists(st.floats(1e-4, 3.0), min_size=1, max_size=300),
    st.integers(1, 40),
    st.tuples(*[st.floats(0.0, 0.2)] * 4),
)
def test_no_run_is_shorter_than_its_parts_or_longer_than_all_of_them(cells, workers, parts):
    costs = Costs(*parts)
    found = forecast(cells, workers, costs)
    slack = 1 + 1e-9
    assert 1 <= found.batches <= len(cells)
    assert found.busy == math.fsum(cells)
    assert math.isclose(found.client, found.batches * costs.batch + len(cells) * costs.cell)
    after = found.seconds - costs.start
    assert after * slack >= max(found.busy / workers, found.longest, found.client)
    assert after <= slack * (found.busy + found.client + found.batches * costs.latency)
