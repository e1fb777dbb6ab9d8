"""Explorers of the langevin chapters."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from dpbook.langevin import FIGURE_1, ProposeTestSample, Setting
from dpbook.langevin.releases import Release
from dpbook.langevin.theory.posterior import LossCurve
from dpbook.langevin.theory.separation import Separation
from dpbook.privacy.distributions import Mixture
from dpbook.teaching import figures
from dpbook.teaching.explorer import Explorer, choice, slider

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ORDERS = (2, 5, 10, 20)
RECORDS = (322, 500, 1000, 3300, 10_000, 100_000, 1_000_000)
RATIOS = (1, 100, 10_000, 1_000_000)


def posterior_loss(order: float, n: int, c: float, over: Literal["n", "order"] = "n") -> LossCurve:
    """Return the loss of one posterior draw on the data of the chapter, and both bounds of it."""
    setting = Setting(n=n, alpha=500, beta=20, x_l=1, x_h=4, c=c, gamma_1=0.25)
    return setting.loss_curve(order=order, over=over)


def loss_explorer() -> Explorer:
    """Loss of one posterior draw against lemma 4.2, as printed and repaired."""

    def frame(order: int, n: int, c: int, over: str = "n") -> dict[str, object]:
        return {"order": order, "n": n, "c": c, "over": over}

    return Explorer(
        posterior_loss,
        controls={
            "order": slider("order", ORDERS),
            "n": slider("records n", RECORDS),
            "c": slider("ratio c", RATIOS),
            "over": choice("drawn against", ("n", "order")),
        },
        frames=[
            frame(20, 322, 10_000),  # the lemma as printed fails
            frame(20, 322, 1),  # it holds where c is small
            frame(20, 1000, 10_000),
            frame(20, 10_000, 10_000),
            frame(2, 322, 10_000),  # both lemmas apply
            frame(5, 1000, 10_000),
            frame(2, 1_000_000, 1),  # close to private
            frame(20, 1_000_000, 1_000_000),
            frame(20, 322, 10_000, "order"),
            frame(10, 1_000_000, 1, "order"),
        ],
        title="How much does one posterior draw tell?",
    )


# --- two chains -----------------------------------------------------------------------------------

EPOCHS = (1, 2, 5, 10, 15, 20, 25, 29, 31, 35, 40, 60)
DATASETS = (1_000, 30_000, 1_149_019, 100_000_000)
POWERS = (0.9, 1.001, 1.05, 1.1, 1.25)
EPSILON, DELTA = 1.6, 0.01


@dataclass(frozen=True, eq=False)
class TwoChains:
    """Distributions of the chain at the end of an epoch, on the plain data and on the odd data.

    Attributes
    ----------
    epoch : int
    c : int
        The one ratio of the records.
    odd : array, shape (k, 3)
        Weights, means and standard deviations of the distribution on the odd data, in standard deviations
        from the mean on the plain data.
    curve : Separation
        Squared distance of the means in variances, over 60 epochs.
    delta : float
        Hockey-stick divergence at epsilon 1.6, the larger of both ways.
    epsilon : float
        Smallest epsilon at delta 0.01.
    draw : float
        Epsilon of one posterior draw at delta 0.01, in the worst case.
    """

    epoch: int
    c: int
    odd: NDArray[np.float64]
    curve: Separation
    delta: float
    epsilon: float
    draw: float

    @property
    def distance(self) -> float:
        """Mean on the plain data less the mean on the odd data, in sds of the plain data."""
        weights, means, _ = self.odd.T
        return -float(weights @ means)

    @property
    def here(self) -> float:
        """Value of the curve at the epoch."""
        return float(np.interp(self.epoch, self.curve.epochs, self.curve.value))

    @property
    def stop(self) -> int:
        """Epochs after which lemma A.6 stops the chain."""
        assert self.curve.stop is not None  # these settings have one
        return self.curve.stop // self.curve.n

    def __repr__(self) -> str:
        return (
            f"TwoChains(n={self.curve.n}, c={self.c}, epoch={self.epoch}, "
            f"distance={self.distance:.4g}, epsilon={self.epsilon:.4g})"
        )

    def describe(self) -> str:
        """Return the words for the picture."""
        top = self.curve.peak / self.curve.n
        return (
            f"At the end of epoch {self.epoch}, of {self.curve.n} records with the ratio c = {self.c} the "
            f"mean with the odd record is {self.distance:.4g} standard deviations below that without "
            f"it. At epsilon {EPSILON} delta is {self.delta:.3g}; at delta {DELTA} epsilon is "
            f"{self.epsilon:.4g}, and that of one posterior draw {self.draw:.3g}. The squared "
            f"distance in variances is {self.here:.4g} here and {np.max(self.curve.value):.4g} at "
            f"epoch {top:.3g}, where it is most; T is epoch {self.stop}."
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw both densities; in a new figure also the distance over epochs, beside them."""
        if ax is None:
            ax = figures.axes(height=3.0)
            figure = ax.get_figure(root=True)
            assert figure is not None
            ax.set_subplotspec(figure.add_gridspec(1, 2)[0])
            self._over_epochs(figure.add_subplot(1, 2, 2))
        weights, means, sds = self.odd.T
        at = np.linspace(min(-4.0, (means - 4 * sds).min()), 4.0, 401)
        scaled = (at[:, None] - means) / sds
        for density, label in (
            (np.exp(-0.5 * at**2), "plain data"),
            (np.exp(-0.5 * scaled**2) @ (weights / sds), "one record halved"),
        ):
            ax.plot(at, density / math.sqrt(math.tau), label=label)
        ax.set_ylim(0, 0.56)
        ax.set_xlabel("slope, in standard deviations")
        ax.set_ylabel("density")
        ax.legend(loc="upper left")
        return ax

    def _over_epochs(self, ax: Axes) -> None:
        ax.plot(self.curve.epochs, self.curve.value)
        ax.plot(self.epoch, self.here, "o", color="black", label=f"epoch {self.epoch}")
        ax.axvline(self.stop, color="#767676", linestyle=":", label="T")
        ax.set_ylim(bottom=0)
        ax.set_xlabel("epoch")
        ax.set_ylabel("squared gap in variances")
        ax.legend(loc="upper right", handlelength=1.5)


@lru_cache(maxsize=64)
def two_chains(epoch: int, n: int, power: float) -> TwoChains:
    """Return the distributions of the chain at the end of an epoch, on data with the ratio n**power."""
    c = round(n**power)
    setting = replace(FIGURE_1, n=n, c=c)
    one = setting.step_profile(epoch * n)
    both = (one, one.reverse)
    epsilon = one.reverse.epsilon(DELTA)
    if one.delta(epsilon) > DELTA:
        epsilon = one.epsilon(DELTA)
    odd = one.Q
    assert isinstance(odd, Mixture)
    parts = zip(odd.weights, odd.distributions, strict=True)
    return TwoChains(
        epoch,
        c,
        np.array(
            [
                [float(v) for v in (weight, distribution.mean, distribution.sd)]
                for weight, distribution in parts
            ]
        ),
        setting.separation_curve(points=10),
        max(pair.delta(EPSILON) for pair in both),
        epsilon,
        setting.privacy_of_a_draw(delta=DELTA).epsilon,
    )


def chain_explorer() -> Explorer:
    """Two chains over epochs, how they part and meet again."""

    def frame(epoch: int, n: int = 1_149_019, power: float = 1.001) -> dict[str, object]:
        return {"epoch": epoch, "n": n, "power": power}

    return Explorer(
        two_chains,
        controls={
            "epoch": slider("epoch", EPOCHS),
            "n": slider("records n", DATASETS),
            "power": slider("c is n to the", POWERS),
        },
        frames=[
            *map(frame, (1, 10, 25, 29, 35, 60)),  # Figure 1: apart, and together again
            frame(15, 1_000),  # sooner with few records
            frame(35, 100_000_000),  # later, and further apart, with many
            frame(25, power=0.9),  # a small c hides it
            frame(25, power=1.1),  # a large one does not
            frame(60, power=1.25),
        ],
        title="How far are two chains apart?",
    )


# --- algorithm 1 ----------------------------------------------------------------------------------

EPSILONS = (0.1, 1.0, 5.0, 20.0)
RADII = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.49)
SIZES = (20_000, 50_000, 100_000, 200_000, 500_000)
WILD = (0, 200, 2000)
SEEDS = (1, 2, 3, 4)


@lru_cache(maxsize=4)
def _records(n: int, wild: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Covariates and responses of records of slope 500; the first have the response 5000."""
    rng = np.random.default_rng(1)
    x = rng.uniform(0.5, 1, n)
    y = 500 * x + rng.normal(0, 3.3**-0.5, n)
    y[:wild] = 5000
    return x, y


def _one_run(epsilon: float, gamma_1: float, n: int, wild: int, seed: int) -> Release:
    rule = ProposeTestSample(
        epsilon=epsilon,
        delta=0.05,
        alpha=1,
        beta=3.3,
        x_l=0.5,
        x_h=1,
        rho_1=1.15,
        rho_2=gamma_1 - 0.01,
        gamma_1=gamma_1,
    )
    return rule.release(*_records(n, wild), np.random.default_rng(seed))


def release_explorer() -> Explorer:
    """Show one run of algorithm 1, line by line."""

    def frame(
        n: int, wild: int = 0, gamma_1: float = 0.3, epsilon: float = 5.0, seed: int = 1
    ) -> dict[str, object]:
        return {"epsilon": epsilon, "gamma_1": gamma_1, "n": n, "wild": wild, "seed": seed}

    return Explorer(
        _one_run,
        controls={
            "epsilon": slider("epsilon a line", EPSILONS),
            "gamma_1": slider("radius gamma_1", RADII),
            "n": slider("records n", SIZES),
            "wild": slider("of them wild", WILD),
            "seed": slider("noise, draw", SEEDS),
        },
        frames=[
            frame(200_000, wild=200),  # a draw, from all records but the wild ones
            frame(200_000, wild=2000),  # the centre itself is carried away
            frame(100_000),  # too few, by a few percent
            frame(200_000, gamma_1=0.2),  # the centre misses most of the records
            frame(200_000, gamma_1=0.4),
            frame(200_000, gamma_1=0.49),  # the power of eq. 27
            frame(200_000, epsilon=1.0),  # too much noise for the centre
            frame(100_000, epsilon=20.0),
        ],
        title="What does one run of algorithm 1 return?",
    )
