"""Is a posterior draw private once the data are contaminated? A paper's algorithm, theory, studies.

Each record is replaced, with a probability, by a draw from a public heavy-tailed density, and one
draw is released from the posterior under the contaminated likelihood. A `Setting` says what is
known before the data; `Setting.epsilon` and `Setting.estimate` are the paper's Algorithm 1 and two
sharper estimators; `audits` shows what its *random* differential privacy does not promise.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

if TYPE_CHECKING:
    from dpbook.contamination.audits import PairAudit, clean_pair, contaminated_pair
    from dpbook.contamination.calculator import (
        Rates,
        Theorem4,
        TunedRate,
        fisher_information,
        hellinger,
        kappa,
        rates,
        ratio_bound,
        theorem_4,
        tune_rate,
    )
    from dpbook.contamination.enclosures import EtaEnclosure, enclose_eta
    from dpbook.contamination.estimator import DatasetEpsilon, EpsilonEstimate, Unresolved
    from dpbook.contamination.mechanisms import ClippedMean, CoinPress, zcdp_budget
    from dpbook.contamination.models.mixture import Contaminated, DataDependent, contaminate
    from dpbook.contamination.posterior import GridPosterior, grid_posterior
    from dpbook.contamination.regression import (
        Laplace,
        Regression,
        cauchy_regression,
        linear_regression,
        logistic_regression,
    )
    from dpbook.contamination.samplers import Chains, metropolis
    from dpbook.contamination.settings import (
        PRIVATE_MEAN,
        Setting,
        estimate_epsilon,
        private_mean,
    )

__all__ = [
    "Chains",
    "ClippedMean",
    "CoinPress",
    "Contaminated",
    "DataDependent",
    "DatasetEpsilon",
    "EpsilonEstimate",
    "EtaEnclosure",
    "GridPosterior",
    "Laplace",
    "PRIVATE_MEAN",
    "PairAudit",
    "Rates",
    "Regression",
    "Setting",
    "Theorem4",
    "TunedRate",
    "Unresolved",
    "cauchy_regression",
    "clean_pair",
    "contaminate",
    "contaminated_pair",
    "enclose_eta",
    "estimate_epsilon",
    "fisher_information",
    "grid_posterior",
    "hellinger",
    "kappa",
    "linear_regression",
    "logistic_regression",
    "metropolis",
    "private_mean",
    "rates",
    "ratio_bound",
    "theorem_4",
    "tune_rate",
    "zcdp_budget",
]

_HERE = "dpbook.contamination."
_HOMES = {
    **dict.fromkeys(["PairAudit", "clean_pair", "contaminated_pair"], _HERE + "audits"),
    **dict.fromkeys(
        [
            *("Rates", "Theorem4", "TunedRate", "fisher_information", "hellinger", "kappa"),
            *("rates", "ratio_bound", "theorem_4", "tune_rate"),
        ],
        _HERE + "calculator",
    ),
    **dict.fromkeys(["EtaEnclosure", "enclose_eta"], _HERE + "enclosures"),
    **dict.fromkeys(["DatasetEpsilon", "EpsilonEstimate", "Unresolved"], _HERE + "estimator"),
    **dict.fromkeys(["ClippedMean", "CoinPress", "zcdp_budget"], _HERE + "mechanisms"),
    **dict.fromkeys(["Contaminated", "DataDependent", "contaminate"], _HERE + "models.mixture"),
    **dict.fromkeys(["GridPosterior", "grid_posterior"], _HERE + "posterior"),
    **dict.fromkeys(
        ["Laplace", "Regression", "cauchy_regression", "linear_regression", "logistic_regression"],
        _HERE + "regression",
    ),
    **dict.fromkeys(["Chains", "metropolis"], _HERE + "samplers"),
    **dict.fromkeys(
        ["PRIVATE_MEAN", "Setting", "estimate_epsilon", "private_mean"], _HERE + "settings"
    ),
}

__getattr__, __dir__ = names(globals(), _HOMES)
