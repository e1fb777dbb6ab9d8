"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from dpbook.depth_medians.audits import divergence_on_line, enumerate_samples, search_for_jumps
from dpbook.depth_medians.competitors import SmoothedDepth
from dpbook.depth_medians.mechanisms import Setting
from dpbook.depth_medians.projections import Trimmed, outlyingness_of, random_directions
from dpbook.depth_medians.samplers import ExponentialMechanism

SETTING = Setting(epsilon=5, delta=1e-3, eta=0.05, tau=1.5, directions=60)
ONE = Setting(20, 0.4, 3.0, 9.0)


def _rows() -> tuple[np.random.Generator, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng, rng.normal(size=(400, 2)), random_directions(2, 20, rng)


def _outlying() -> None:
    _, rows, directions = _rows()
    fitted = outlyingness_of(rows, directions)
    fitted(rows)
    fitted.steepest(rows)
    fitted.minimum()
    outlyingness_of(rows, directions, Trimmed(0.2))


def _drawn() -> None:
    rng, rows, directions = _rows()
    mechanism = ExponentialMechanism(outlyingness_of(rows, directions), 10.0, 0.2, 1.0)
    for sampler in ("hit-and-run", "langevin"):
        mechanism.draws(2, rng, sampler=sampler, steps=20)
    mechanism.draws(2, rng, sampler="rejection", steps=1000)


def _smoothed() -> None:
    rng, rows, directions = _rows()
    depth = SmoothedDepth.of(rows, directions)
    depth(rows[:2])
    depth.private(1.0, 25.0, rng)


def _tested() -> None:
    rng, rows, _ = _rows()
    SETTING.release(rows, rng)
    for mode in ("printed", "corrected", "nested_wide"):
        replace(SETTING, mode=mode).safety(rows)


CALLS: dict[str, Callable[[], object]] = {
    "outlyingness": _outlying,
    "test and release": _tested,
    "draws": _drawn,
    "smoothed depth": _smoothed,
    "audits": lambda: (
        search_for_jumps(ONE, 9, 10, rng=np.random.default_rng(1)),
        enumerate_samples(replace(ONE, levels=6), 11, [0.0, 1, 2]),
        divergence_on_line(np.arange(9.0), np.arange(9.0) ** 1.1, SETTING, 0.0),
    ),
}
