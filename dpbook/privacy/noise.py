"""Noise for teaching: continuous, exact on the integers, and an attack on the naive kind.

Nothing here is for releasing real data: floats betray what they should hide (`attack`), time and
the generator's state may too. Use OpenDP (https://opendp.org) for that.

The discrete distributions are exact for the bits of the generator. A uniform number is drawn as its first 64
bits, which leave an interval; where all of that interval gives one answer, with a margin for the
rounding of the floats in between, it is the answer. Else, rarely, more bits are drawn and balls
(Arb) decide, at rising precision. No probability is ever rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from flint import arb, ctx, fmpq
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from dpbook.privacy.reading import count, generator, number, records, shape
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Attack",
    "attack",
    "discrete_gaussian",
    "discrete_laplace",
    "gaussian",
    "laplace",
    "naive_laplace",
    "reachable",
]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Sampler = Literal["naive", "numpy", "discrete"]

LARGEST = 1e12  # scale of discrete noise; beyond, too many draws need more than 64 bits
ROUNDING = (
    1e-15  # relative; the logarithm, the product and the ends are off by less than 4 * 2**-53
)
NOT_FOR_RELEASES = "For teaching only; release real data with OpenDP."


def _positive(name: str, value: float, most: float = math.inf) -> float:
    read = number(name, value, "> 0 and finite")
    if read > most:
        raise ValueError(f"{name} must be <= {most:g}, got {value}")
    return read


def laplace(scale: float, size: int | tuple[int, ...], rng: Generator | None = None) -> Floats:
    """Draw Laplace noise in floats; for teaching, not for real releases (use OpenDP).

    Parameters
    ----------
    scale : float
        > 0; sensitivity over epsilon.
    size : int or tuple of int
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    array of float, shape `size`

    Raises
    ------
    ValueError
        A scale that is not positive and finite, a generator of another type.

    Notes
    -----
    Dwork, McSherry, Nissim and Smith (2006). `attack` shows why floats are no private release.
    """
    return generator(rng).laplace(0.0, _positive("scale", scale), shape(size))


def gaussian(sd: float, size: int | tuple[int, ...], rng: Generator | None = None) -> Floats:
    """Draw normal noise in floats; for teaching, not for real releases (use OpenDP).

    Parameters
    ----------
    sd : float
        Standard deviation, > 0.
    size : int or tuple of int
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    array of float, shape `size`

    Raises
    ------
    ValueError
        A standard deviation that is not positive and finite, a generator of another type.
    """
    return generator(rng).normal(0.0, _positive("sd", sd), shape(size))


def discrete_laplace(
    scale: float, size: int | tuple[int, ...], rng: Generator | None = None
) -> Integers:
    """Draw exactly from the distribution on the integers with masses proportional to exp(-|k| / scale).

    Parameters
    ----------
    scale : float
        > 0, at most 1e12; taken as the rational number that the double is.
    size : int or tuple of int
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    array of int64, shape `size`

    Raises
    ------
    ValueError
        A scale outside its range, a generator of another type.

    Notes
    -----
    Ghosh, Roughgarden and Sundararajan (2009); with the signs of Canonne, Kamath and Steinke
    (2020), algorithm 2. For teaching, not for real releases (use OpenDP).

    How private a count is with it: claim ``privacy:geometric-mechanism``, for the rate 1 / scale.

    Examples
    --------
    >>> import numpy as np
    >>> discrete_laplace(scale=2, size=6, rng=np.random.default_rng(1))
    array([ 1,  0, -3,  2,  1,  0])
    """
    scale = _positive("scale", scale, LARGEST)
    asked = shape(size)
    return _two_sided(scale, math.prod(asked), generator(rng)).reshape(asked)


def discrete_gaussian(
    sd: float, size: int | tuple[int, ...], rng: Generator | None = None
) -> Integers:
    """Draw exactly from the distribution on the integers with masses proportional to exp(-k**2 / (2 sd**2)).

    Parameters
    ----------
    sd : float
        > 0, at most 1e12; taken as the rational number that the double is. It is not quite the
        standard deviation of the distribution when it is small.
    size : int or tuple of int
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    array of int64, shape `size`

    Raises
    ------
    ValueError
        An sd outside its range, a generator of another type.

    Notes
    -----
    Canonne, Kamath and Steinke (2020), algorithm 3: discrete Laplace noise, of which a part is
    accepted. For teaching, not for real releases (use OpenDP).

    How private a count of some sensitivity is with it: claim ``privacy:discrete-gaussian-mechanism``,
    at the smallest delta, and ``privacy:discrete-gaussian-moment``, by Renyi at every integer order.

    Examples
    --------
    >>> import numpy as np
    >>> discrete_gaussian(sd=2, size=6, rng=np.random.default_rng(1))
    array([ 2,  0,  3,  2,  0, -2])
    """
    sd = _positive("sd", sd, LARGEST)
    asked = shape(size)
    rng = generator(rng)
    wide = math.floor(sd) + 1
    centre = Fraction(sd) ** 2 / wide
    found = np.empty(math.prod(asked), dtype=np.int64)
    done = 0
    while done < found.size:
        drawn = _two_sided(float(wide), 2 * (found.size - done) + 16, rng)
        good = drawn[_accepted(np.abs(drawn), centre, Fraction(sd), rng)][: found.size - done]
        found[done : done + good.size] = good
        done += good.size
    return found.reshape(asked)


def _two_sided(scale: float, count: int, rng: Generator) -> Integers:
    """Geometric numbers with random signs, without the negative zeros."""
    found = np.empty(count, dtype=np.int64)
    done = 0
    while done < count:
        need = int(1.1 * (count - done) * (1 + 0.5 / max(scale, 0.1))) + 16
        size = _geometric(scale, need, rng)
        negative = rng.integers(0, 2, need, dtype=np.int8) == 1
        good = np.where(negative, -size, size)[~(negative & (size == 0))][: count - done]
        found[done : done + good.size] = good
        done += good.size
    return found


def _geometric(scale: float, count: int, rng: Generator) -> Integers:
    """floor(-scale * log(U)) of uniform U: k or more with probability exp(-k / scale)."""
    bits = rng.integers(0, 2**64, count, dtype=np.uint64)
    below = bits.astype(float)
    with np.errstate(divide="ignore"):
        high = -scale * np.log(below * 2.0**-64)  # U is in [bits, bits + 1) / 2**64
    low = -scale * np.log((below + 1.0) * 2.0**-64)
    slack = ROUNDING * (high + scale)  # below is rounded too: by scale * 2**-53
    settled = np.isfinite(high)
    low, high, slack = (np.where(settled, x, 0.0) for x in (low, high, slack))
    first, last = np.floor(low - slack), np.floor(high + slack)
    found = first.astype(np.int64)
    exact = fmpq(*Fraction(scale).as_integer_ratio())

    def decide(uniform: Any) -> int | None:
        if not uniform > 0:
            return None
        ball = (-arb(exact) * uniform.log()).floor()
        return int(ball.unique_fmpz()) if ball.unique_fmpz() is not None else None

    for i in np.flatnonzero(~settled | (first != last)):
        found[i] = _refined(int(bits[i]), decide, rng)
    return found


def _accepted(size: Integers, centre: Fraction, sd: Fraction, rng: Generator) -> NDArray[np.bool_]:
    """True with probability exp(-(size - centre)**2 / (2 * sd**2))."""
    bits = rng.integers(0, 2**64, size.size, dtype=np.uint64)
    with np.errstate(over="ignore"):
        away = np.minimum(np.abs(size - float(centre)) / float(sd), 200.0)
    exponent = 0.5 * away**2
    chance = np.exp(-exponent)
    # size - centre is rounded by 2**-52 of the larger, which counts relative to sd
    with np.errstate(over="ignore"):
        off = np.minimum(4e-16 * (size + float(centre)) / float(sd), 1.0)
    slack = chance * (ROUNDING * (exponent + 2) + 2 * off * away) + 2.0**-53
    uniform = bits.astype(float) * 2.0**-64
    found = uniform < chance
    for i in np.flatnonzero(np.abs(uniform - chance) <= slack):
        power = -((int(size[i]) - centre) ** 2) / (2 * sd**2)
        exact = fmpq(power.numerator, power.denominator)

        def decide(uniform: Any, exact: Any = exact) -> int | None:
            limit = arb(exact).exp()
            return 1 if uniform < limit else 0 if uniform > limit else None

        found[i] = bool(_refined(int(bits[i]), decide, rng))
    return found


def _refined(bits: int, decide: Callable[[Any], int | None], rng: Generator) -> int:
    """Draw more bits of a uniform number until balls decide."""
    count = 64
    while True:
        bits = (bits << 64) | int(rng.integers(0, 2**64, dtype=np.uint64))
        count += 64
        with ctx.workprec(2 * count + 64):
            middle = arb(2 * bits + 1) / arb(2) ** (count + 1)
            answer = decide(arb(middle.mid(), arb(2) ** -(count + 1)))
        if answer is not None:
            return answer


def naive_laplace(
    answer: float, scale: float, size: int | tuple[int, ...], rng: Generator | None = None
) -> Floats:
    """Add Laplace noise as a textbook does: a sign, and the logarithm of a uniform number.

    It is made to be attacked: see `attack`. Never use it for a release (use OpenDP).

    Parameters
    ----------
    answer : float
        The answer to hide.
    scale : float
        > 0.
    size : int or tuple of int
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    array of float, shape `size`

    Raises
    ------
    ValueError
        A scale that is not positive and finite, an answer that is not finite, a generator of another type.
    """
    scale, answer = _positive("scale", scale), _finite("answer", answer)
    rng, asked = generator(rng), shape(size)
    uniform = 1.0 - rng.random(asked)  # in (0, 1], a multiple of 2**-53
    sign = 1.0 - 2.0 * rng.integers(0, 2, asked)
    return np.asarray(answer + sign * (scale * np.log(uniform)))


def _finite(name: str, value: float) -> float:
    return number(name, value, "finite")


def _sampler(name: str) -> None:
    if name not in ("naive", "numpy", "discrete"):
        raise ValueError(f'sampler must be "naive", "numpy" or "discrete", got {name!r}')


def reachable(
    outputs: ArrayLike, answer: float, scale: float, *, sampler: Sampler = "naive"
) -> NDArray[np.bool_]:
    """Return the outputs that can come from an answer, as an attacker computes them.

    Parameters
    ----------
    outputs : array of float
        Released numbers.
    answer, scale : float
        The suspected answer, and the known scale of the noise, > 0.
    sampler : {"naive", "numpy", "discrete"}
        `naive_laplace`, NumPy's `Generator.laplace`, or an integer plus `discrete_laplace`.

    Returns
    -------
    array of bool, of the shape of `outputs`

    Raises
    ------
    ValueError
        A scale that is not positive and finite, an answer that is not finite, an unknown sampler.

    Notes
    -----
    Mironov (2012), On significance of the least significant bits for differential privacy. The
    logarithm takes at most 2**53 uniform numbers to as many floats, and most floats near an output
    are none of them. The output grows or falls with the uniform number: bisection over all of
    them finds the one that could have made the output, and its neighbours in case the logarithm
    is off by a rounding.

    Examples
    --------
    >>> reachable([0.5, 0.1], answer=0, scale=1)
    array([ True, False])
    """
    _sampler(sampler)
    scale, answer = _positive("scale", scale), _finite("answer", answer)
    seen = records("outputs", outputs)
    if sampler == "discrete":
        return np.asarray(np.isfinite(seen) & (seen - answer == np.rint(seen - answer)))

    # the compiled sampler takes the logarithm of the C library, an array NumPy's own
    logarithm: Any = np.vectorize(math.log, [float]) if sampler == "numpy" else np.log

    def released(steps: Any, sign: float) -> Floats:
        return np.asarray(answer + sign * (scale * np.log(steps * 2.0**-bits)))

    found = np.zeros(seen.shape, dtype=bool)
    for sign in (1.0, -1.0):
        # NumPy doubles the uniform number for noise below 0, and rounds 2 - U for noise above
        bits = 52 if sampler == "numpy" and sign > 0 else 53
        low, high = np.ones(seen.shape), np.full(seen.shape, 2.0**bits)
        while (high > low).any():  # the first step that reaches the output
            middle = low + np.floor(0.5 * (high - low))
            there = sign * released(middle, sign) >= sign * seen
            low, high = np.where(there, low, middle + 1), np.where(there, middle, high)
        for near in range(-3, 4):
            uniform = np.clip(low + near, 1.0, 2.0**bits) * 2.0**-bits
            found |= answer + sign * (scale * logarithm(uniform)) == seen
    return found


@dataclass(frozen=True)
class Attack:
    """Shares of outputs that betray the answer, for three kinds of Laplace noise.

    For teaching only; release real data with OpenDP.

    Attributes
    ----------
    answer, other : int
        The true answer, and the answer that the attacker rules out.
    scale : float
    size : int
        Outputs of each kind.
    naive, numpy, discrete : float
        Share of the outputs that cannot come from `other`.
    """

    answer: int
    other: int
    scale: float
    size: int
    naive: float
    numpy: float
    discrete: float

    def __repr__(self) -> str:
        return (
            f"Attack(answer={self.answer}, other={self.other}, scale={self.scale:g}, "
            f"naive={self.naive:.2g}, numpy={self.numpy:.2g}, discrete={self.discrete:.2g})"
        )

    def _repr_html_(self) -> str:
        return f"<p>{self.describe()}</p>"

    def describe(self) -> str:
        """Return the words for the picture."""
        return (
            f"Share of {self.size} outputs from the answer {self.answer} that cannot come from "
            f"{self.other}, Laplace noise of scale {self.scale:g}: naive floats {self.naive:.2g}, "
            f"NumPy's floats {self.numpy:.2g}, integers {self.discrete:.2g}. {NOT_FOR_RELEASES}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the shares."""
        ax = ax or figures.axes()
        names = ["naive floats", "NumPy's floats", "discrete"]
        bars = ax.bar(names, [self.naive, self.numpy, self.discrete], color=figures.PALETTE[3])
        ax.bar_label(bars, fmt="%.2g")
        ax.grid(visible=False, axis="x")
        ax.set_ylim(0, 1)
        ax.set_ylabel("share that betrays the answer")
        return ax


def attack(
    answer: int, other: int, scale: float, size: int, rng: Generator | None = None
) -> Attack:
    """Attack Laplace noise through the last bits of its floats.

    Parameters
    ----------
    answer, other : int
        The answer that is released with noise, and the answer to distinguish it from.
    scale : float
        Of the noise, > 0, at most 1e12.
    size : int
        Outputs of each kind, >= 1.
    rng : Generator, optional
        A fresh one by default.

    Returns
    -------
    Attack

    Raises
    ------
    ValueError
        Answers that are no integers below 2**53, a scale or size outside its range, a generator of another type.

    Notes
    -----
    Mironov (2012). An output that cannot come from `other` rules it out with certainty: no epsilon
    holds, whatever the scale promises.

    Examples
    --------
    >>> import numpy as np
    >>> attack(answer=0, other=1, scale=1, size=1000, rng=np.random.default_rng(1))
    Attack(answer=0, other=1, scale=1, naive=0.68, numpy=0.78, discrete=0)
    """
    for name, value in (("answer", answer), ("other", other)):
        count(name, value, 1 - 2**53, 2**53 - 1)
    count("size", size)
    rng = generator(rng)
    outputs: dict[Sampler, NDArray[Any]] = {
        "naive": naive_laplace(answer, scale, size, rng),
        "numpy": rng.laplace(answer, scale, size),
        "discrete": answer + discrete_laplace(scale, size, rng),
    }
    shares = (
        1 - float(reachable(outputs[kind], other, scale, sampler=kind).mean()) for kind in outputs
    )
    return Attack(int(answer), int(other), float(scale), int(size), *shares)
