"""Small calls that reach every kernel of this topic; ``dpbook compile`` makes them beforehand."""

from collections.abc import Callable

import numpy as np

from dpbook.contamination.estimator import Method
from dpbook.contamination.regression import linear_regression
from dpbook.contamination.settings import private_mean


def _estimated() -> None:
    methods: tuple[Method, ...] = ("algorithm-1", "sharp", "exact")
    for method in methods:
        private_mean(200).estimate(2, np.random.default_rng(1), method=method)


def _released() -> None:
    setting, rng = private_mean(200), np.random.default_rng(1)
    setting.release(setting.clean(rng), 2, rng)


def _regressed() -> None:
    setting = linear_regression(50)
    setting.laplace(*setting.simulate(np.random.default_rng(1)))


CALLS: dict[str, Callable[[], object]] = {
    "epsilon": _estimated,
    "release": _released,
    "regression": _regressed,
}
