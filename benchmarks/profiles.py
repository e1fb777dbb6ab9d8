"""Time per call of the profiles, and the ratio to autodp and dp-accounting where they are installed."""

import math
import time
from collections.abc import Callable

import numpy as np
from scipy import integrate, optimize, stats

from dpbook.privacy.distributions import Bernoulli, Beta, Binomial, Gamma, Laplace, Mixture, Normal
from dpbook.privacy.noise import discrete_gaussian, discrete_laplace
from dpbook.privacy.profiles import profile

LEVELS = np.linspace(0.0, 5.0, 1000)


def seconds(call: Callable[[], object]) -> float:
    """Return the shortest of some runs, compilation left out."""
    call()
    start = time.perf_counter()
    call()
    count = max(1, min(200, round(0.05 / max(time.perf_counter() - start, 1e-7))))
    best = math.inf
    for _ in range(3):
        start = time.perf_counter()
        for _ in range(count):
            call()
        best = min(best, (time.perf_counter() - start) / count)
    return best


def ours() -> None:
    pairs = {
        "normal": (Normal(1, 1), Normal(0, 1)),
        "normal, two widths": (Normal(1, 1), Normal(0, 2)),
        "laplace": (Laplace(1, 1), Laplace(0, 1)),
        "laplace, two widths": (Laplace(1, 1), Laplace(0, 2)),
        "gamma": (Gamma(11, 11), Gamma(11, 13)),
        "gamma, both differ": (Gamma(12, 13), Gamma(11, 11)),
        "beta": (Beta(31, 20), Beta(30, 21)),
        "beta, large": (Beta(1001, 1000), Beta(1000, 1001)),
        "bernoulli": (Bernoulli(0.75), Bernoulli(0.25)),
        "binomial": (Binomial(1000, 0.5), Binomial(1000, 0.51)),
        "mixture of 10": (
            Mixture([Normal(i, 1) for i in range(10)]),
            Mixture([Normal(i + 0.5, 1) for i in range(10)]),
        ),
    }
    print(
        f"{'microseconds a call':22}{'made':>9}{'delta':>9}{'epsilon':>10}{'renyi':>9}{'trade-off':>11}"
    )
    for name, (P, Q) in pairs.items():
        got = profile(P, Q)
        calls = (
            lambda P=P, Q=Q: profile(P, Q),
            lambda got=got: got.delta(0.5),
            lambda got=got: got.epsilon(1e-5),
            lambda got=got: got.renyi(2.0),
            lambda got=got: got.trade_off(0.1),
        )
        made, *rest = (1e6 * seconds(call) for call in calls)
        delta, epsilon, renyi, trade = rest
        print(
            f"{name:22}{made:9.0f}{delta:9.0f}{epsilon:10.0f}{renyi:9.0f}{trade:11.0f}", flush=True
        )
    print(
        "delta is settled in balls where floats lose digits; for a mixture every crossing of the\n"
        "densities is searched for with bounds of two derivatives, so that none is missed; for large\n"
        "beta distributions the balls of the incomplete beta function are what takes long"
    )
    rng = np.random.default_rng(1)
    for name, draw in (
        ("discrete Laplace", discrete_laplace),
        ("discrete normal", discrete_gaussian),
    ):
        took = seconds(lambda draw=draw: draw(10.0, 100_000, rng))
        print(f"{name}, 100 000 draws: {1e3 * took:.1f} ms")


def ratio(name: str, here: Callable[[], object], there: Callable[[], object]) -> None:
    mine, other = seconds(here), seconds(there)
    print(f"{name:44}{1e6 * mine:9.0f} us   peer {1e6 * other:9.0f} us   {other / mine:8.1f} times")


def epsilon_by_hand(p: object, q: object, low: float, high: float, delta: float) -> float:
    """Epsilon as it is had in a few lines of SciPy: a root of quadratures, with no bound of errors."""

    def excess(e: float) -> float:
        def positive(x: float) -> float:
            return max(0.0, p.pdf(x) - math.exp(e) * q.pdf(x))

        return integrate.quad(positive, low, high, limit=200)[0] - delta

    return float(optimize.brentq(excess, 0.0, 60.0, xtol=1e-10))


class Mixed:
    """Ten normal distributions of unit width, one apart, in equal parts."""

    def __init__(self, start: float) -> None:
        self.means = start + np.arange(10.0)

    def pdf(self, x: float) -> float:
        return float(np.exp(-0.5 * (x - self.means) ** 2).sum() / (10 * math.sqrt(2 * math.pi)))


def by_hand() -> None:
    """Pairs that neither autodp nor dp-accounting has: against SciPy, and how far the two agree."""
    pairs = {
        "beta epsilon": (
            profile(Beta(31, 20), Beta(30, 21)),
            (stats.beta(31, 20), stats.beta(30, 21), 0.0, 1.0),
        ),
        "gamma epsilon": (
            profile(Gamma(12, 13), Gamma(11, 11)),
            (stats.gamma(12, scale=1 / 13), stats.gamma(11, scale=1 / 11), 0.0, 12.0),
        ),
        "mixture of 10, epsilon": (
            profile(
                Mixture([Normal(i, 1) for i in range(10)]),
                Mixture([Normal(i + 0.5, 1) for i in range(10)]),
            ),
            (Mixed(0.0), Mixed(0.5), -12.0, 22.0),
        ),
    }
    for name, (got, other) in pairs.items():
        ratio(
            f"{name} / SciPy",
            lambda got=got: got.epsilon(1e-3),
            lambda other=other: epsilon_by_hand(*other, 1e-3),
        )
        off = abs(epsilon_by_hand(*other, 1e-3) - got.epsilon(1e-3))
        print(f"{'':44}SciPy differs by {off:.1e}, and states no error")


def peers() -> None:
    normal = profile(Normal(1, 1), Normal(0, 1))
    laplace = profile(Laplace(1, 1), Laplace(0, 1))
    try:
        from dp_accounting.pld import privacy_loss_mechanism as pld
    except ImportError:
        print("dp-accounting is not installed")
    else:
        gauss, lap = pld.GaussianPrivacyLoss(1.0), pld.LaplacePrivacyLoss(1.0)
        delta = gauss.get_delta_for_epsilon
        ratio(
            "normal delta, 1000 levels / dp-accounting",
            lambda: normal.delta(LEVELS),
            lambda: delta(LEVELS),
        )
        delta = lap.get_delta_for_epsilon
        ratio("laplace delta / dp-accounting", lambda: laplace.delta(0.5), lambda: delta(0.5))
    try:
        from autodp import dp_bank, rdp_bank
    except ImportError:
        print("autodp is not installed")
    else:
        ratio(
            "normal epsilon / autodp",
            lambda: normal.epsilon(1e-5),
            lambda: dp_bank.get_eps_ana_gaussian(1.0, 1e-5),
        )
        ratio(
            "laplace renyi / autodp",
            lambda: laplace.renyi(2.0),
            lambda: rdp_bank.RDP_laplace({"b": 1.0}, 2.0),
        )


if __name__ == "__main__":
    ours()
    by_hand()
    peers()
