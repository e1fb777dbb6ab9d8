"""Settings of the conversions between notions of privacy, with their values to 62 digits, by no code of the package.

    python tests/privacy/conversions_oracle.py > tests/privacy/conversions_values.json

Numbers in a setting are doubles, which stand for themselves. None of the closed forms that the package computes is used:

- a Renyi divergence D at an order a allows the loss L any distribution with E e^((a-1) L) <= e^((a-1) D). The worst puts all on one
  loss l > epsilon, with probability e^((a-1) (D-l)): epsilon is where the largest e^((a-1) (D-l)) (1 - e^(epsilon-l)) is delta. The
  largest is searched over l, by thirds;
- zCDP has D = rho a at all orders a > 1: the least epsilon, and the largest rho for an epsilon, are searched over a, by thirds;
- a sample, or a contaminated record, of the truth or a lie: the log ratio of probabilities of an output, which attains the bound;
- a group: one record after the other, delta to e^epsilon delta + delta, doubled where the group is large;
- advanced composition: the deviation where the tail of Azuma's inequality is the slack, by bisection, and the series of e^x - 1;
- normal noise: the hockey-stick divergence as an integral over mu, and secants;
- sums, products and squares of doubles are fractions; the root of a sum of squares is a root of integers.
"""

import json
import math
import random
import sys
from fractions import Fraction
from itertools import pairwise

from flint import acb, arb, ctx
from mpmath import mp

DIGITS = 62


def number(x):
    read = Fraction(x)
    return mp.mpf(read.numerator) / read.denominator


def settled(function, *arguments):
    """The value of a function of doubles, at growing precisions, until two agree to 66 digits."""
    before = None
    for digits in (90, 180, 400, 900, 1800):
        with mp.workdps(digits):
            now = function(*arguments)
            if before is not None and abs(now - before) <= abs(now) * mp.mpf(10) ** -66:
                return now
            before = now
    raise ValueError("no precision suffices")


def least(function, low, high):
    """The least value of a function of one valley, in an interval: thirds of the golden section."""
    ratio = (mp.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    at_a, at_b = function(a), function(b)
    # near the least value a function is flat: half of the digits of the place are enough
    while high - low > mp.mpf(10) ** (-mp.dps / 2) * max(1, abs(low)):
        if at_a <= at_b:
            high, b, at_b = b, a, at_a
            a = high - ratio * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + ratio * (high - low)
            at_b = function(b)
    return min(at_a, at_b)


def bisected(is_low, low, high):
    while high - low > mp.mpf(10) ** (10 - mp.dps) * max(abs(low), abs(high)):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low


# Renyi divergences. With l = epsilon + t the largest chance is e^((a-1) (D-epsilon)) times the largest (1 - e^-t) e^(-(a-1) t).


def cost_of_excess(log_t, s):
    t = mp.exp(log_t)
    return s * t - mp.log(-mp.expm1(-t))


def worst_excess(s):
    """-log of the largest (1 - e^-t) e^(-s t); the largest is at a t between 1 / (2 (1 + s)) and 2 + 2 / s."""
    low, high = -mp.log(2 * (1 + s)), mp.log(2 + 2 / s)
    return least(lambda log_t: cost_of_excess(log_t, s), low, high)


def from_renyi(divergences, orders, delta):
    found = []
    for divergence, order in zip(divergences, orders, strict=True):
        s = number(order) - 1
        found.append(number(divergence) - (worst_excess(s) + mp.log(number(delta))) / s)
    return max(mp.mpf(0), min(found))


def excess_by_series(s):
    """The same number by what the search finds at its end: t = log(1 + 1/s); `checked` compares them."""
    t = mp.log1p(1 / s)
    return s * t - mp.log(-mp.expm1(-t))


def checked():
    """The search over t, and its end in closed form, which the search over orders takes for its speed."""
    with mp.workdps(90):
        for s in ("1e-12", "1e-3", "0.4", "1", "7", "1e5", "1e12"):
            by_search, at_its_end = worst_excess(mp.mpf(s)), excess_by_series(mp.mpf(s))
            assert abs(by_search - at_its_end) <= at_its_end * mp.mpf(10) ** -80


def from_zcdp(rho, log_delta):
    def epsilon(log_s):
        s = mp.exp(log_s)
        return rho * (1 + s) - (excess_by_series(s) + log_delta) / s

    # at s = sqrt(log(1/delta) / rho) the first two terms are balanced; the third takes from log(1/delta)
    end = mp.log(-log_delta) - mp.log(rho)
    low, high = min(end / 2, mp.log(-log_delta)) - 3, max(end / 2, 0) + 1
    return least(epsilon, low, high)


def zcdp_to_dp(rho, delta):
    if not rho:
        return mp.mpf(0)
    return max(mp.mpf(0), from_zcdp(number(rho), mp.log(number(delta))))


def dp_to_zcdp(epsilon, delta):
    """The largest rho that some order allows."""
    wanted, log_delta = number(epsilon), mp.log(number(delta))

    def lost(log_s):
        s = mp.exp(log_s)
        return -(wanted + (excess_by_series(s) + log_delta) / s) / (1 + s)

    # the best s has rho s^2 + log(1 + s) = log(1/delta), with rho <= epsilon
    low = min((mp.log(-log_delta) - mp.log(wanted)) / 2, mp.log(-log_delta)) - 3
    return -least(lost, low, max(low, -log_delta) + 1)


# truth or lie: two answers, e^epsilon times as likely as each other


def truth_or_lie(epsilon):
    whole = 1 + mp.exp(number(epsilon))
    return (1 - 1 / whole, 1 / whole), (1 / whole, 1 - 1 / whole)


def log_ratio(mixed, without):
    with mp.workdps(mp.dps + 400):  # they may differ by 1e-300 alone
        return max(mp.log(a / b) for a, b in zip(mixed(), without(), strict=True))


def sampled_loss(epsilon, rate):
    q = number(rate)

    def mixed():
        with_it, without = truth_or_lie(epsilon)
        return [q * a + (1 - q) * b for a, b in zip(with_it, without, strict=True)]

    return log_ratio(mixed, lambda: truth_or_lie(epsilon)[1])


def contaminated_loss(epsilon, kept):
    k = number(kept)

    def mixed(which):
        one, other = truth_or_lie(epsilon)
        public = other  # the draw of the public distribution looks like the other record
        record = (one, other)[which]
        return [k * a + (1 - k) * z for a, z in zip(record, public, strict=True)]

    return log_ratio(lambda: mixed(0), lambda: mixed(1))


def group_delta(epsilon, delta, size):
    """Delta of so many records: the map d -> e^epsilon d + delta, size times, by doubling."""
    factor, shift = mp.exp(number(epsilon)), number(delta)
    whole = (mp.mpf(1), mp.mpf(0))  # (a, b) stands for d -> a d + b
    power = (factor, shift)
    while size:
        if size & 1:
            whole = (power[0] * whole[0], power[0] * whole[1] + power[1])
        power = (power[0] * power[0], power[0] * power[1] + power[1])
        size >>= 1
        if whole[1] >= 1:
            break
    return min(whole[1], mp.mpf(1))


def advanced_loss(epsilon, times, slack):
    e, chance = number(epsilon), number(slack)
    # tail of Azuma: chance of a deviation t is at most e^(-t^2 / (2 times e^2)); t in units of e sqrt(times)
    most = mp.sqrt(-2 * mp.log(chance)) + 1
    unit = bisected(lambda t: mp.exp(-t * t / 2) > chance, mp.mpf(0), most)
    mean, term, j = mp.mpf(0), mp.mpf(1), 1
    while True:
        term *= e / j
        mean += term
        if j > e and term < mean * mp.mpf(10) ** (-mp.dps - 5):
            break
        j += 1
    return unit * e * mp.sqrt(times) + times * e * mean


def normal_loss(mu, delta):
    """Where the integral of density(x / t - t / 2) over 0 < t < mu is delta: the derivative of the divergence by mu."""
    m, d = arb(mu), arb(delta)

    def log_excess(x):
        """Log of divergence over delta, at a number of Arb."""
        nats = 3 * ctx.dps - float(d.log())
        cut = min(m / 2, x / (2 * nats) ** 0.5)  # below it the density is under e^-nats

        def density(t, _):
            return (-(((0 if x == 0 else x / t) - t / 2) ** 2) / 2).exp()

        rest = [m / 2, arb(2 * x).sqrt()]
        ends = [cut, *sorted((t for t in rest if cut < t < m), key=float), m]
        total = sum(acb.integral(density, one, two).real for one, two in pairwise(ends))
        return (total / (2 * arb.pi()).sqrt() / d).log().mid()

    ctx.dps = 25
    if log_excess(arb(0)) <= 0:
        return mp.mpf(0)
    low, high = 0.0, mu * mu / 2 + mu * math.sqrt(-2 * math.log(delta)) + mu
    while high - low > 1e-6 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if log_excess(arb(middle)) > 0 else (low, middle)
    ctx.dps = mp.dps
    a, b = arb(low), arb(high)
    at_a, at_b = log_excess(a), log_excess(b)
    while abs(b - a) > abs(b) * arb(10) ** (
        -mp.dps // 2
    ):  # the error of a secant is near its square
        a, b, at_a = b, (b - at_b * (b - a) / (at_b - at_a)).mid(), at_b
        at_b = log_excess(b)
    last = (b - at_b * (b - a) / (at_b - at_a)).mid()
    return mp.mpf(last.str(mp.dps, radius=False))


# exact


def half_square(x):
    return Fraction(x) ** 2 / 2


def root_of_squares(values):
    total = sum(Fraction(x) ** 2 for x in values)
    scale = 10**800
    return Fraction(math.isqrt(total.numerator * scale * scale // total.denominator), scale)


def written(value):
    if isinstance(value, Fraction):
        with mp.workdps(DIGITS + 10):
            value = mp.mpf(value.numerator) / value.denominator
    return mp.nstr(value, DIGITS, strip_zeros=False, min_fixed=0, max_fixed=0)


class Draws:
    """Arguments of the conversions; a double in four is at an edge of its range."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def log_uniform(self, low, high):
        return float(f"{10 ** self.rng.uniform(low, high):.6g}")

    def one_of(self, *edges):
        return self.rng.choice(edges)

    def delta(self):
        if self.rng.random() < 0.25:
            return self.one_of(5e-324, 1e-300, 1e-30, 0.5, 0.99, 1 - 2.0**-53)
        return self.log_uniform(-16, -0.01)

    def loss(self, low=-6, high=2):
        if self.rng.random() < 0.25:
            return self.one_of(1e-150, 1e-12, 2.0**-30, 1.0, 300.0, 700.0)
        return self.log_uniform(low, high)

    def rate(self):
        if self.rng.random() < 0.25:
            return self.one_of(1e-300, 1e-17, 0.5, 0.999999, 1 - 2.0**-53)
        return self.log_uniform(-6, -0.01)

    def times(self):
        return (
            self.one_of(1, 2, 10, 365, 10**6, 10**15)
            if self.rng.random() < 0.3
            else int(10 ** self.rng.uniform(0, 5))
        )

    def order(self):
        if self.rng.random() < 0.25:
            return self.one_of(1 + 2.0**-52, 1 + 2.0**-20, 2.0, 1e9, 1e15)
        return 1 + self.log_uniform(-3, 3)


def settings():
    """Name, arguments and the truth of each answer."""
    draws = Draws("conversions")
    for _ in range(36):
        many = draws.one_of(1, 1, 2, 6)
        orders = [draws.order() for _ in range(many)]
        losses = [draws.one_of(0.0, draws.loss(-4, 2), draws.loss(-4, 2)) for _ in range(many)]
        delta = draws.delta()
        yield (
            "renyi_to_dp",
            [losses, orders, delta],
            {"epsilon": (from_renyi, losses, orders, delta)},
        )
    for _ in range(44):
        rho, delta = draws.loss(-8, 4), draws.delta()
        if draws.rng.random() < 0.2:
            rho = draws.one_of(0.0, 1e-320, 1e-12, 1e12, 1e300)
        yield "zcdp_to_dp", [rho, delta], {"epsilon": (zcdp_to_dp, rho, delta)}
    for _ in range(24):
        epsilon, delta = draws.log_uniform(-6, 4), draws.delta()
        yield "dp_to_zcdp", [epsilon, delta], {"": (dp_to_zcdp, epsilon, delta)}
    for _ in range(28):
        epsilon, delta, rate = draws.loss(), draws.one_of(0.0, draws.delta()), draws.rate()
        product = Fraction(rate) * Fraction(delta)
        answers = {"epsilon": (sampled_loss, epsilon, rate), "delta": product}
        yield "poisson_sampled", [epsilon, delta, rate], answers
    for _ in range(24):
        epsilon, delta, kept = draws.loss(), draws.one_of(0.0, draws.delta()), draws.rate()
        product = Fraction(kept) * Fraction(delta)
        answers = {"epsilon": (contaminated_loss, epsilon, kept), "delta": product}
        yield "contaminated", [epsilon, delta, kept], answers
    for _ in range(30):
        epsilon, delta, size = draws.loss(), draws.delta(), draws.times()
        answers = {
            "epsilon": Fraction(epsilon) * size,
            "delta": (group_delta, epsilon, delta, size),
        }
        yield "group", [epsilon, delta, size], answers
    for _ in range(24):
        epsilon, times, slack = draws.loss(), draws.times(), draws.delta()
        yield (
            "compose_advanced",
            [epsilon, times, slack],
            {"epsilon": (advanced_loss, epsilon, times, slack)},
        )
    for mu, delta in [
        *((draws.log_uniform(-3, 1.3), draws.log_uniform(-12, -0.3)) for _ in range(14)),
        *((1e-3, 1e-6), (1e-3, 0.3), (60.0, 1e-9), (0.02, 1e-40), (5.0, 0.98), (1.0, 1e-100)),
    ]:
        yield "gaussian_to_dp", [mu, delta], {"epsilon": (normal_loss, mu, delta)}
    for x in (
        1e-160,
        1e-155,
        1 / 3,
        0.1,
        1.0,
        3.3,
        123.456,
        1e100,
        *(draws.loss() for _ in range(4)),
    ):
        yield "pure_to_zcdp", [x], {"": half_square(x)}
        yield "gaussian_to_zcdp", [x], {"": half_square(x)}
    for _ in range(12):
        values = [draws.loss(-9, 5) for _ in range(draws.one_of(1, 2, 3, 40))]
        yield "compose_gaussian", [values], {"": root_of_squares(values)}
        yield "compose_zcdp", [values], {"": sum(map(Fraction, values))}
        pairs = [[x, draws.delta() / 64] for x in values]
        answers = {
            "epsilon": sum(Fraction(x) for x, _ in pairs),
            "delta": min(Fraction(1), sum(Fraction(x) for _, x in pairs)),
        }
        yield "compose_basic", [pairs], answers


def main():
    checked()
    rows = []
    for name, arguments, answers in settings():
        truths = {}
        for part, truth in answers.items():
            print(len(rows), name, arguments, file=sys.stderr, flush=True)
            truths[part] = written(settled(*truth) if isinstance(truth, tuple) else truth)
        rows.append({"call": name, "arguments": arguments, "truths": truths})
    print("[\n " + ",\n ".join(json.dumps(each) for each in rows) + "\n]")


if __name__ == "__main__":
    main()
