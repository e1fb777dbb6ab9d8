"""Models of records: what Algorithm 1 is run on. `Model` is the interface for one of your own."""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.unknown_sample_size.models.base import Model
    from dpbook.unknown_sample_size.models.compositions import dirichlet
    from dpbook.unknown_sample_size.models.conjugate import (
        bernoulli,
        finite,
        multinomial,
        normal_mean,
    )
    from dpbook.unknown_sample_size.models.regression import LinearRegression, linear_regression

__all__ = [
    "LinearRegression",
    "Model",
    "bernoulli",
    "dirichlet",
    "finite",
    "linear_regression",
    "multinomial",
    "normal_mean",
]

_HERE = "dpbook.unknown_sample_size.models."
_HOMES = {
    "Model": _HERE + "base",
    "dirichlet": _HERE + "compositions",
    **dict.fromkeys(["bernoulli", "finite", "multinomial", "normal_mean"], _HERE + "conjugate"),
    **dict.fromkeys(["LinearRegression", "linear_regression"], _HERE + "regression"),
}

__getattr__, __dir__ = names(globals(), _HOMES)
