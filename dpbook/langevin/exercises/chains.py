"""State the exercises of chapter 04, on two chains, with the way each is decided."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from sympy import Expr, Rational, log, sqrt

from dpbook import langevin  # its public names are imported when they are used
from dpbook.langevin.exercises.posterior import CLOSE
from dpbook.langevin.notation import (
    alpha,
    epoch_spread,
    number,
)
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Agreement, Formula, Number, Point, Program, Property, Slip

# --- two chains -------------------------------------------------------------------------------------


def variance_of_two_epochs() -> Expr:
    """Variance after two epochs from the prior, each with noise of its own."""
    return number**2 * (number**2 / alpha + epoch_spread) + epoch_spread


exercise(
    "langevin:fresh-noise",
    Formula(
        question="A chain starts with variance 1/alpha. Each epoch multiplies the state by a, with "
        "0 < a < 1, and adds noise of variance w, drawn anew. What is the variance after two "
        "epochs?",
        hints=(
            "A factor a on the state is a factor a^2 on its variance.",
            "The noise of the first epoch is there when the second one multiplies.",
        ),
        solution=variance_of_two_epochs,
        symbols=lambda: [alpha, number, epoch_spread],
        slips=(
            Slip(
                "a^4/alpha + w*(1 + a)^2",
                "That is the noise of one epoch used in both, as lemma A.1 is printed.",
            ),
            Slip("a^2/alpha + w*(1 + a)", "A factor on the state enters the variance squared."),
            Slip("a^4/alpha + 2*w", "The second epoch shrinks the noise of the first."),
            Slip("w*(1 + a^2)", "Where is what two epochs leave of the start?"),
        ),
    ),
)


exercise(
    "langevin:long-run",
    Formula(
        question="Each epoch multiplies the state by a, with 0 < a < 1, and adds noise of variance w, "
        "drawn anew. What is the variance after ever so many epochs?",
        hints=(
            "In the long run an epoch leaves the variance v as it is.",
            "So v = a^2*v + w.",
        ),
        solution=lambda: epoch_spread / (1 - number**2),
        symbols=lambda: [number, epoch_spread],
        slips=(
            Slip("w/(1 - a)", "A factor on the state enters the variance squared."),
            Slip("w*(1 + a^2)", "That is after two epochs; the sum goes on."),
            Slip("w", "That is the noise of the last epoch alone."),
            Slip("w*a^2/(1 - a^2)", "The noise of the last epoch has not been multiplied yet."),
        ),
    ),
)

exercise(
    "langevin:epochs-to-forget",
    Number(
        question="At the setting of Figure 1 an ordinary step keeps 1 - 1/A of the state, with "
        "A = alpha + n*x_h^2*beta; there x_h = 1.8, beta = 1, and alpha = 0.1 hardly counts. How many "
        "epochs of n steps does it take until a hundredth of the start is left? (within 1 %)",
        hints=(
            "n steps keep (1 - 1/A)^n, nearly exp(-n/A).",
            "n/A is nearly 1/(x_h^2*beta).",
        ),
        solution=lambda: Rational(81, 25) * log(100),
        relative=Rational(1, 100),
        slips=(
            Slip(lambda: Rational(81, 50) * log(100), "That is so for the variance."),
            Slip(lambda: log(100), "An epoch keeps more than 1/e: n/A is not 1."),
            Slip(lambda: log(100) / Rational(81, 25), "x_h^2*beta is on the wrong side."),
            Slip(lambda: Rational(9, 5) * log(100), "The covariate enters squared."),
        ),
    ),
)


def smallest_factor(squared_gap: Expr) -> Expr:
    """By what c must grow, at Figure 1, for a squared gap in variances, by eq. 15."""
    return sqrt(squared_gap / Rational(langevin.FIGURE_1.loss_floor(delta=0.01).ratio))


exercise(
    "langevin:certified-c",
    Number(
        question="At the setting of Figure 1, and delta = 0.01, eq. 16 gives a negative epsilon. By "
        "which factor must c grow, all else unchanged, for it to give 1.6? (within 0.1 %)",
        hints=(
            "Which squared gap B must eq. 15 promise? Solve B/2 + log(1/2 - delta) = 1.6.",
            "FIGURE_1.loss_floor(delta=0.01).ratio is what it promises; it grows with c^2.",
        ),
        solution=lambda: smallest_factor(2 * (Rational(8, 5) - log(Rational(49, 100)))),
        relative=Rational(1, 1000),
        slips=(
            Slip(
                lambda: smallest_factor(2 * (Rational(8, 5) - log(Rational(49, 100)))) ** 2,
                "B grows with the square of c.",
            ),
            Slip(
                lambda: smallest_factor(Rational(8, 5) - log(Rational(49, 100))),
                "In eq. 16 stands half of B.",
            ),
            Slip(
                lambda: smallest_factor(Rational(16, 5)),
                "The logarithm takes its share: it is negative, and does not shrink.",
            ),
            Slip(
                lambda: smallest_factor(2 * (Rational(8, 5) + log(Rational(49, 100)))),
                "log(1/2 - delta) is negative: B has to make up for it.",
            ),
        ),
    ),
)

exercise(
    "langevin:cycle-forgets",
    Point(
        question="Claim D.19 says that n ordinary steps multiply a variance by at least "
        "exp(-2/(x_h^2*beta)): (1 - 1/(alpha + n*x_h^2*beta))^(2*n) >= exp(-2/(x_h^2*beta)), where "
        "x_h^2*beta > 3 and n > 1/(2*alpha*x_h^2*beta) - 1/(x_h^2*beta), n >= 2 an integer. Give "
        "alpha, beta, n and x_h at which it fails.",
        hints=(
            "For many records the left side tends to the right one. From above, or from below?",
            "Its logarithm is -2/(x_h^2*beta) + (2*alpha - 1)/(x_h^4*beta^2*n), nearly.",
        ),
        claim="langevin:claim-d.19",
        slips=(
            Slip(
                lambda point: point["x_h"] ** 2 * point["beta"] <= 3,
                "The paper assumes x_h^2*beta > 3.",
                outside=True,
            ),
            Slip(
                lambda point: (
                    (2 * point["alpha"]) * (1 + point["n"] * point["x_h"] ** 2 * point["beta"]) <= 1
                ),
                "A prior as weak as that needs more records.",
                outside=True,
            ),
            Slip(
                lambda point: point["alpha"] > Rational(1, 2),
                "With so strong a prior the left side comes down to its limit.",
            ),
        ),
        time_limit=20.0,
    ),
)

Gap = Callable[..., float]
Chain = tuple[int, float, float, float, float, int, int]
"""Records, alpha, beta, x_h, c, position and epochs."""

MODELS = (
    *((2, 1.0, 4.0, 1.0, 10.0), (3, 0.1, 1.0, 1.8, 5.0), (5, 2.0, 0.5, 3.0, 0.7)),
    (8, 0.5, 3.5, 1.0, 100.0),
)
CHAINS: tuple[Chain, ...] = tuple(
    (*model, position, epochs)
    for model in MODELS
    for position in (1, 2, model[0])
    for epochs in (1, 2, 7)
)


def stepwise_gap(
    chain: Chain, *, response: float = 0.5, covariate: float = 0.5, pace: float = 0.5
) -> float:
    """Distance of the two means, one step after the other; the odd record has shares of the others.

    `pace` is what the learning rate is multiplied by before a slope.
    """
    records, prior, precision, x_h, c, position, epochs = chain
    eta = 2 / (prior + records * x_h**2 * precision) ** 2
    mean = odd_mean = 0.0
    for _ in range(epochs):
        for place in range(1, records + 1):
            x, y = x_h, c * x_h
            mean += pace * eta * (-prior * mean + records * precision * x * (y - x * mean))
            if place == position:
                x, y = covariate * x, response * y
            odd_mean += (
                pace * eta * (-prior * odd_mean + records * precision * x * (y - x * odd_mean))
            )
    return mean - odd_mean


def _of_chain(chain: Chain) -> str:
    names = ("n", "alpha", "beta", "x_h", "c", "position", "epochs")
    return ", ".join(f"{name} = {value:g}" for name, value in zip(names, chain, strict=True))


def _vanishes_at_the_start(answer: Gap) -> str | None:
    for model in MODELS:
        value = answer(*model, 1, 0)
        if not abs(value) <= CLOSE:
            return f"it is {value:.6g} at {_of_chain((*model, 1, 0))}"
    return None


def _is_positive_after_an_epoch(answer: Gap) -> str | None:
    for chain in CHAINS:
        value = answer(*chain)
        if not value > 0:
            return f"it is {value:.6g} at {_of_chain(chain)}"
    return None


def _grows_with_c(answer: Gap) -> str | None:
    for chain in CHAINS:
        value, twice = answer(*chain), answer(*chain[:4], 2 * chain[4], *chain[5:])
        if not math.isclose(twice, 2 * value, rel_tol=1e-6):
            return f"it is {value:.6g} at {_of_chain(chain)}, and {twice:.6g} at twice that c"
    return None


def exact_gap(
    n: int, alpha: float, beta: float, x_h: float, c: float, position: int, epochs: int
) -> float:
    """Return the distance of the two means, from the exact distribution of the chain."""
    setting = langevin.Setting(n=n, alpha=alpha, beta=beta, x_h=x_h, c=c)
    return float(setting.distribution(epochs * n, position).gap)


def drawn_chain(rng: random.Random) -> Chain:
    """Draw a chain whose steps do not overshoot, a place of the odd record, and epochs."""
    while True:
        records = rng.randint(2, 12)
        prior, precision = math.exp(rng.uniform(-2, 1)), math.exp(rng.uniform(-1, 2))
        x_h, c = rng.uniform(0.3, 2), rng.uniform(0.5, 20)
        if prior + records * x_h**2 * precision > 1.5:
            return records, prior, precision, x_h, c, rng.randint(1, records), rng.randint(0, 40)


def _agrees(mistaken: Callable[[Chain], float]) -> Callable[[Gap], bool]:
    def same(answer: Gap) -> bool:
        return all(math.isclose(answer(*one), mistaken(one), rel_tol=1e-6) for one in CHAINS)

    return same


exercise(
    "langevin:gap-program",
    Program(
        question="Write a function of n, alpha, beta, x_h, c, position and epochs that returns how "
        "far the mean of the chain on the plain data is above that on the odd data, after so many "
        "whole epochs. Both start at mean 0; the odd record is at `position`, 1 to n, of each epoch.",
        hints=(
            "Noise has mean 0: the means take the steps that the states take, without it.",
            "The mean moves by eta/2*(-alpha*mean + n*beta*x*(y - x*mean)).",
            "The odd record is (x_h/2, c*x_h/2): covariate and response are halved.",
        ),
        parameters=("n", "alpha", "beta", "x_h", "c", "position", "epochs"),
        points=3,
        properties=(
            Property("is zero at the start", _vanishes_at_the_start),
            Property("is positive after an epoch", _is_positive_after_an_epoch),
            Property("doubles with c", _grows_with_c),
        ),
        agrees=Agreement(
            reference=exact_gap,
            # the first and the last place, no epoch and one, two records, each chain of above
            edges=(
                *CHAINS,
                *((4, 1.0, 2.0, 1.0, 3.0, 4, 0), (4, 1.0, 2.0, 1.0, 3.0, 4, 1)),
                *((2, 1.0, 2.0, 1.0, 3.0, 2, 1), (4, 1.0, 2.0, 1.0, 3.0, 1, 30)),
                # each number far from 1: a slow chain, many records, a strong prior, a large covariate
                *((2, 1.0, 5000.0, 1.0, 1e6, 2, 1200), (150, 1.0, 2.0, 1.0, 3.0, 120, 3)),
                *((3, 2000.0, 2.0, 1.0, 1e6, 2, 4), (3, 1.0, 2.0, 2000.0, 1e6, 2, 4)),
            ),
            draw=drawn_chain,
        ),
        slips=(
            Slip(
                _agrees(lambda one: stepwise_gap(one, response=1.0)),
                "The odd record's response is halved as well.",
            ),
            Slip(
                _agrees(lambda one: stepwise_gap(one, response=0.0, covariate=0.0)),
                "The odd record is halved, not gone.",
            ),
            Slip(
                _agrees(lambda one: stepwise_gap(one, pace=1.0)),
                "A slope is multiplied by eta/2, not eta.",
            ),
            Slip(_agrees(lambda one: -stepwise_gap(one)), "The plain mean is the higher one."),
            Slip(
                _agrees(lambda one: stepwise_gap((*one[:5], 1, one[6]))),
                "The odd record is not always the first of an epoch.",
            ),
        ),
    ),
)
