"""Settings of `compose` that have a closed form or a finite sum, with their values to 62 digits, by no code of the package.

    python tests/privacy/closed_forms_oracle.py > tests/privacy/closed_forms_values.json

Numbers in a setting are doubles, which stand for themselves, or texts of decimals. mpmath computes each value at growing
precisions until two agree to 66 digits. With P and Q the outputs with and without the record, and L = log(P / Q):

- normal noise: Pr(N(mu, 1) > y) - e^x Pr(N(0, 1) > y), where y is where the densities have the ratio e^x;
- a finite distribution, noise on the integers: the sum of max(p - e^x q, 0) over the outcomes of all releases, in both orders;
  powers of a distribution on a lattice as powers of a polynomial in integers of a fixed point. A discrete Gaussian is cut
  where e^(-k^2 / 2v) is below 10^-(its digits);
- Laplace noise: L is e with probability 1/2, -e with probability e^-e / 2 and has the density e^((l - e)/2) / 4 in between. A bounded range has the
  density e^(l/2) / (4 sinh(e/2)). Conditioned on which releases lose something in between, the density of the sum is
  e^(s/2) times a spline (Irwin and Hall), and E (1 - e^(x - L))+ a sum of powers and exponentials;
- with normal noise beside atoms a: the sum of mass(a) delta(x - a);
- one release of noise on a sample: the integral of (p - e^x q)+ over the half-line where it is positive;
- Renyi divergences: log of the sum of p^order q^(1 - order), over order - 1; the binomial sum for sampled normal noise at
  integer orders (there to remove a record costs the most: Mironov, Talwar and Zhang 2019, Theorem 5).

For an epsilon, x is drawn with 40 digits, and delta(x) is asked for with 70.
"""

import itertools
import json
import math
import random
import sys
from fractions import Fraction

import numpy as np
from mpmath import mp

DIGITS = 62


def number(x):
    """A number of a setting at the precision that holds."""
    read = Fraction(x)
    return mp.mpf(read.numerator) / read.denominator


def settled(function, *arguments):
    """The value of a function of a setting and of texts or doubles, at growing precisions, until two agree."""
    before = None
    for digits in (110, 190, 330, 600, 1100, 2000, 4000):
        with mp.workdps(digits):
            now = function(*arguments)
            if before is not None and abs(now - before) <= abs(now) * mp.mpf(10) ** -66:
                return now
            before = now
    raise ValueError("no precision suffices")


# normal noise


def upper_tail(y):
    return mp.erfc(y / mp.sqrt(2)) / 2


def normal_delta(x, mu_squared):
    """For any real x."""
    if not mu_squared:
        return max(mp.mpf(0), 1 - mp.exp(x))
    mu = mp.sqrt(mu_squared)
    y = x / mu + mu / 2
    return upper_tail(y - mu) - mp.exp(x) * upper_tail(y)


# outcomes of one release: (place, p, q); with one `gap` the loss is gap times the place


def integers_noise(kind, parameter, shift):
    """The masses of noise on the integers, and a reach beyond which they are left out."""
    size = number(parameter)
    if kind == "TwoSidedGeometric":
        t = mp.exp(-size)
        return lambda k: (1 - t) / (1 + t) * t ** abs(k)
    v = size * size
    reach = int(mp.sqrt(2 * v * mp.dps * mp.log(10))) + 2
    total = mp.fsum(mp.exp(-mp.mpf(k * k) / (2 * v)) for k in range(-reach, reach + 1))
    return lambda k: mp.exp(-mp.mpf(k * k) / (2 * v)) / total


def outcomes(release, sensitivity):
    kind, *rest = release
    if kind == "TruthOrNot":
        e, others = number(rest[1]), rest[0]
        whole = mp.exp(e) + others
        found = [(mp.exp(e) / whole, 1 / whole), (1 / whole, mp.exp(e) / whole)]
        return found + ([((others - 1) / whole,) * 2] if others > 1 else [])
    if kind == "Pair":
        p, q = ([Fraction(x) for x in each] for each in rest)
        return [
            (number(a / sum(p)), number(b / sum(q))) for a, b in zip(p, q, strict=True) if a or b
        ]
    if kind == "PoissonSampled":
        inner, rate = rest[0], number(rest[1])
        return [((1 - rate) * q + rate * p, q) for p, q in outcomes(inner, sensitivity)]
    shift = int(sensitivity)
    mass = integers_noise(kind, rest[0], shift)
    if kind == "TwoSidedGeometric":
        # beyond 0 and shift all outputs have one ratio
        t = mp.exp(-number(rest[0]))
        end = 1 / (1 + t)
        inner = [(mass(k - shift), mass(k)) for k in range(1, shift)]
        return [(end * t**shift, end), *inner, (end, end * t**shift)]
    size = number(rest[0])
    reach = int(mp.sqrt(2 * size * size * mp.dps * mp.log(10))) + 2
    return [(mass(k - shift), mass(k)) for k in range(-reach, reach + shift + 1)]


def all_totals(parts, sensitivity):
    """Probabilities of all outcomes of all releases, with the record and without it."""
    found = [(mp.mpf(1), mp.mpf(1))]
    for release, times in parts:
        each = outcomes(release, sensitivity)
        rows = []
        for counts in compositions(times, len(each)):
            ways = math.factorial(times)
            for many in counts:
                ways //= math.factorial(many)
            p = q = mp.mpf(ways)
            for (a, b), many in zip(each, counts, strict=True):
                p *= a**many
                q *= b**many
            rows.append((p, q))
        found = [(p * a, q * b) for p, q in found for a, b in rows]
    return found


def compositions(total, parts):
    """All ways to write a number as a sum of so many numbers >= 0."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def finite_delta(x, pairs):
    factor = mp.exp(x)
    return max(
        mp.fsum(p - factor * q for p, q in pairs if p > factor * q),
        mp.fsum(q - factor * p for p, q in pairs if q > factor * p),
    )


# powers on a lattice


def lattice_totals(release, times, sensitivity):
    """Losses and masses of a power, by powers of a polynomial in integers."""
    kind, parameter = release
    shift = int(sensitivity)
    scale = 1 << int(mp.prec)
    size = number(parameter)
    if kind == "TwoSidedGeometric":
        masses = [p for p, _ in outcomes(release, sensitivity)]
        losses = [size * (2 * k - shift) for k in range(shift + 1)]
        first, gap = losses[0], 2 * size
    else:
        v = size * size
        reach = int(mp.sqrt(2 * v * mp.dps * mp.log(10))) + 2
        mass = integers_noise(kind, parameter, shift)
        # of k under P = noise + shift: the loss is ((k^2 - (k - shift)^2) / 2v
        masses = [mass(k) for k in range(-reach, reach + 1)]
        first, gap = (2 * (shift - reach) * shift - shift**2) / (2 * v), shift / v
    base = np.array([int(mp.floor(m * scale + mp.mpf(1) / 2)) for m in masses], dtype=object)
    power = np.array([scale], dtype=object)
    for _ in range(times):
        power = np.convolve(power, base) // scale
    return [
        (first * times + gap * k, mp.mpf(int(m)) / scale) for k, m in enumerate(power.tolist()) if m
    ]


# Laplace noise and bounded ranges: atoms, and splines in between


def piece(start, end, knot, power, rate):
    """The integral of e^(rate s) (s - knot)^power / power! from start to end."""

    def up_to(s):
        total, term = mp.mpf(0), mp.mpf(1)
        terms = [term]
        for i in range(1, power + 1):
            term *= (s - knot) / i
            terms.append(term)
        for i in range(power + 1):
            total += (-1) ** i * terms[power - i] / rate**i
        return mp.exp(rate * s) / rate * total

    return up_to(end) - up_to(start)


def spline_gain(widths, x):
    """The integral of e^(s/2) (1 - e^(x - s))+ times the convolution of the indicators of (-w, w)."""
    n = sum(widths.values())
    if not n:
        return max(mp.mpf(0), 1 - mp.exp(x))
    top = mp.fsum(w * many for w, many in widths.items())
    if x >= top:
        return mp.mpf(0)
    total = mp.mpf(0)
    for flips in itertools.product(*(range(many + 1) for many in widths.values())):
        knot, ways = -top, 1
        for (w, many), flip in zip(widths.items(), flips, strict=True):
            knot += 2 * w * flip
            ways *= (-1) ** flip * math.comb(many, flip)
        start = max(x, knot)
        if start < top:
            half = mp.mpf(1) / 2
            total += ways * (
                piece(start, top, knot, n - 1, half)
                - mp.exp(x) * piece(start, top, knot, n - 1, -half)
            )
    return total


def spline_delta(x, parts, sensitivity):
    """Delta of Laplace noise, bounded ranges and finite outcomes together, in one order."""
    states = [(mp.mpf(1), mp.mpf(0), {})]  # weight, loss of the atoms, widths of what lies between
    for release, times in parts:
        kind = release[0]
        rows = []
        if kind == "Laplace":
            e = number(sensitivity) / number(release[1])
            for up, down, between in compositions(times, 3):
                ways = math.comb(times, up) * math.comb(times - up, down)
                weight = ways * mp.mpf(2) ** -up * (mp.exp(-e) / 2) ** down
                weight *= (mp.exp(-e / 2) / 4) ** between
                rows.append((weight, e * (up - down), {e: between} if between else {}))
        elif kind == "BoundedRange":
            e = number(release[1])
            rows.append(((4 * mp.sinh(e / 2)) ** -times, mp.mpf(0), {e: times}))
        else:
            rows = [(p, mp.log(p / q), {}) for p, q in all_totals([(release, times)], sensitivity)]
        states = [
            (a * b, at + there, {**one, **{w: one.get(w, 0) + m for w, m in other.items()}})
            for a, at, one in states
            for b, there, other in rows
        ]
    return mp.fsum(w * spline_gain(widths, x - at) for w, at, widths in states)


# one release on a sample


def sampled_normal_delta(x, rate, mu, way):
    """One release of normal noise on a sample."""
    # 1 - q + q e^(mu y - mu^2 / 2) is e^x where removed, e^-x where added
    ratio = (mp.exp(x if way == "remove" else -x) - (1 - rate)) / rate
    if way == "add" and ratio <= 0:
        return mp.mpf(0)
    y = mp.log(ratio) / mu + mu / 2
    if way == "remove":
        with_ = (1 - rate) * upper_tail(y) + rate * upper_tail(y - mu)
        return with_ - mp.exp(x) * upper_tail(y)
    with_ = (1 - rate) * upper_tail(-y) + rate * upper_tail(mu - y)
    return upper_tail(-y) - mp.exp(x) * with_


def sampled_laplace_delta(x, rate, e, way):
    """One release of Laplace noise at 0 without the record, at e with it; outputs in units of the scale."""

    def below(y):  # Pr(noise <= y)
        return mp.exp(y) / 2 if y <= 0 else 1 - mp.exp(-y) / 2

    ratio = (mp.exp(x if way == "remove" else -x) - (1 - rate)) / rate
    # the ratio of the densities at y is e^(2y - e) for y in [0, e]
    if way == "remove":
        if ratio >= mp.exp(e):
            return mp.mpf(0)
        y = (mp.log(ratio) + e) / 2
        q = 1 - below(y)
        return (1 - rate) * q + rate * (1 - below(y - e)) - mp.exp(x) * q
    if ratio <= mp.exp(-e):
        return mp.mpf(0)
    y = (mp.log(ratio) + e) / 2
    q = below(y)
    return q - mp.exp(x) * ((1 - rate) * q + rate * below(y - e))


# a setting


def delta_of(setting, x):
    """Delta at x, the larger of both orders."""
    x, parts = number(x), setting["releases"]
    sensitivity = Fraction(setting["sensitivity"])
    kinds = {release[0] for release, _ in parts}
    if setting["formula"] == "normal":
        v = mp.fsum(
            times * levels(release) * (number(sensitivity) / number(noise_of(release)[1])) ** 2
            for release, times in parts
        )
        return normal_delta(x, v)
    if setting["formula"] == "lattice":
        [(release, times)] = parts
        totals = lattice_totals(release, times, sensitivity)
        return mp.fsum(m * (1 - mp.exp(x - loss)) for loss, m in totals if loss > x)
    if setting["formula"] == "finite":
        return finite_delta(x, all_totals(parts, sensitivity))
    if setting["formula"] == "spline":
        mixed = [
            (tree[1], times * levels(tree)) if tree[0] == "TreeAggregation" else (tree, times)
            for tree, times in parts
        ]
        ways = [mixed]
        if kinds & {"Pair"}:
            ways.append([([r[0], *r[:0:-1]] if r[0] == "Pair" else r, k) for r, k in mixed])
        return max(spline_delta(x, each, sensitivity) for each in ways)
    if setting["formula"] == "normal and finite":
        normal = [each for each in parts if each[0][0] == "Normal"]
        rest = [each for each in parts if each[0][0] != "Normal"]
        v = mp.fsum(k * (number(sensitivity) / number(r[1])) ** 2 for r, k in normal)
        pairs = all_totals(rest, sensitivity)
        return max(
            mp.fsum(p * normal_delta(x - mp.log(p / q), v) for p, q in pairs),
            mp.fsum(q * normal_delta(x - mp.log(q / p), v) for p, q in pairs),
        )
    assert setting["formula"] == "one sampled"
    [(release, _)] = parts
    rate, noise = number(release[2]), release[1]
    size = number(sensitivity) / number(noise[1])
    one = sampled_normal_delta if noise[0] == "Normal" else sampled_laplace_delta
    ways = ("remove",) if release[0] == "WithoutReplacement" else ("remove", "add")
    return max(one(x, rate, size, way) for way in ways)


def noise_of(release):
    return release[1] if release[0] == "TreeAggregation" else release


def levels(release):
    """How many nodes of a tree a record is in."""
    if release[0] != "TreeAggregation":
        return 1
    many, width = 1, 1
    while width < release[2]:
        width *= 2
        many += 1
    return many


def renyi_of(setting, order):
    """The Renyi divergence, the larger of both orders of the pair."""
    sensitivity = Fraction(setting["sensitivity"])
    order = number(order)
    above = order - 1
    ways = [mp.mpf(0), mp.mpf(0)]
    for release, times in setting["releases"]:
        kind = release[0]
        if kind == "TreeAggregation":
            release, times = release[1], times * levels(release)
            kind = release[0]
        if kind in ("Normal", "Laplace"):
            e = number(sensitivity) / number(release[1])
        if kind == "Normal":
            both = [order * e * e / 2] * 2
        elif kind == "Laplace":
            first = order / (2 * order - 1) * mp.exp(above * e)
            both = [mp.log(first + above / (2 * order - 1) * mp.exp(-order * e)) / above] * 2
        elif kind == "BoundedRange":
            e = number(release[1])
            w = above + mp.mpf(1) / 2
            both = [mp.log((mp.exp(w * e) - mp.exp(-w * e)) / w / 4 / mp.sinh(e / 2)) / above] * 2
        elif kind == "PoissonSampled" and release[1][0] == "Normal":
            q, a = number(release[2]), int(order)
            v = (number(sensitivity) / number(release[1][1])) ** 2
            terms = [
                mp.binomial(a, j) * (1 - q) ** (a - j) * q**j * mp.exp(j * (j - 1) * v / 2)
                for j in range(a + 1)
            ]
            both = [mp.log(mp.fsum(terms)) / above, mp.mpf(0)]
        elif kind == "DiscreteGaussian":
            v, s = number(release[1]) ** 2, int(sensitivity)
            reach = int(mp.sqrt(2 * v * mp.dps * mp.log(10))) + 2
            middle = int(order * s)
            total = mp.fsum(mp.exp(-mp.mpf(k * k) / (2 * v)) for k in range(-reach, reach + 1))
            # e^((-order (k - s)^2 - (1 - order) k^2) / 2v) is largest near k = order s
            terms = [
                mp.exp((-order * (k - s) ** 2 + above * k * k) / (2 * v))
                for k in range(middle - reach - 2, middle + reach + 3)
            ]
            both = [mp.log(mp.fsum(terms) / total) / above] * 2
        else:
            pairs = outcomes(release, sensitivity)
            both = [
                mp.log(mp.fsum(p**order * q**-above for p, q in each)) / above
                for each in (pairs, [(q, p) for p, q in pairs])
            ]
        ways = [old + times * new for old, new in zip(ways, both, strict=True)]
    return max(ways)


def pure_of(setting):
    """The largest loss of all."""
    sensitivity = Fraction(setting["sensitivity"])
    ways = [mp.mpf(0), mp.mpf(0)]
    for release, times in setting["releases"]:
        if release[0] == "TreeAggregation":
            release, times = release[1], times * levels(release)
        if release[0] == "Laplace":
            both = [number(sensitivity) / number(release[1])] * 2
        elif release[0] == "BoundedRange":
            both = [number(release[1])] * 2
        elif release[0] == "PoissonSampled" and release[1][0] == "Laplace":
            q, e = number(release[2]), number(sensitivity) / number(release[1][1])
            both = [mp.log(1 - q + q * mp.exp(e)), -mp.log(1 - q + q * mp.exp(-e))]
        else:
            pairs = outcomes(release, sensitivity)
            both = [max(mp.log(p / q) for p, q in pairs), max(mp.log(q / p) for p, q in pairs)]
        ways = [old + times * new for old, new in zip(ways, both, strict=True)]
    return max(ways)


# drawing


class Draws:
    """Settings drawn by a seed."""

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def between(self, low, high):
        return float(f"{math.exp(self.rng.uniform(math.log(low), math.log(high))):.4g}")

    def many(self, low, high):
        return round(self.between(low, high))

    def setting(self, formula, releases, sensitivity=1):
        return {"formula": formula, "releases": releases, "sensitivity": sensitivity}

    def normal(self):
        way = self.rng.randrange(4)
        if way == 0:
            return self.setting("normal", [(["Normal", self.between(1e-2, 1e2)], 1)])
        if way == 1:
            size = self.between(1e-3, 1e3)
            sd = size * self.between(0.05, 100)
            return self.setting("normal", [(["Normal", sd], self.many(1, 1e5))], size)
        if way == 2:
            tree = ["TreeAggregation", ["Normal", self.between(1, 50)], self.many(1, 1e9)]
            return self.setting("normal", [(tree, self.many(1, 20))])
        listed = [(["Normal", self.between(0.5, 100)], self.many(1, 50)) for _ in range(5)]
        return self.setting("normal", listed)

    def laplace(self):
        way = self.rng.randrange(4)
        if way == 0:
            return self.setting("spline", [(["Laplace", self.between(1e-1, 1e3)], 1)])
        if way == 1:
            return self.setting("spline", [(["Laplace", self.between(0.2, 50)], self.many(2, 14))])
        if way == 2:
            size = self.between(0.1, 10)
            listed = [
                (["Laplace", size * self.between(0.5, 20)], self.rng.randrange(1, 3))
                for _ in range(3)
            ]
            return self.setting("spline", listed, size)
        tree = ["TreeAggregation", ["Laplace", self.between(1, 50)], self.many(2, 300)]
        return self.setting("spline", [(tree, 1)])

    def many_laplace(self):
        return self.setting("spline", [(["Laplace", self.between(3, 60)], self.many(39, 42))])

    def bounded(self):
        many = self.rng.choice([1, 2, 3, self.many(4, 60)])
        return self.setting("spline", [(["BoundedRange", self.between(0.02, 3)], many)])

    def response(self):
        others = self.rng.choice([1, 1, 2, 5, 100])
        most = 600 if others == 1 else 25
        release = ["TruthOrNot", others, self.between(0.01, 4)]
        return self.setting("finite", [(release, self.many(1, most))])

    def pair(self):
        size = self.rng.randrange(2, 5)
        rows = []
        for _ in range(2):
            cuts = [0, *sorted(self.rng.sample(range(1, 256), size - 1)), 256]
            rows.append([(b - a) / 256 for a, b in itertools.pairwise(cuts)])
        most = (None, None, 200, 25, 10)[size]
        return self.setting("finite", [(["Pair", *rows], self.many(1, most))])

    def geometric(self):
        release = ["TwoSidedGeometric", self.between(0.01, 3)]
        if self.rng.random() < 0.5:
            return self.setting("finite", [(release, self.many(1, 400))])
        return self.setting("lattice", [(release, self.many(1, 40))], self.rng.randrange(2, 9))

    def discrete_normal(self):
        release = ["DiscreteGaussian", self.between(0.3, 8)]
        shift = self.rng.choice([1, 1, 2, 5])
        return self.setting("lattice", [(release, self.rng.choice([1, 1, 2, 5, 12]))], shift)

    def finite_list(self):
        listed = [
            (["TruthOrNot", self.rng.randrange(1, 3), self.between(0.05, 2)], self.many(1, 5)),
            (["TwoSidedGeometric", self.between(0.1, 2)], self.many(1, 6)),
            (["Pair", [0.25, 0.75], [0.5, 0.5]], self.many(1, 6)),
            (
                ["PoissonSampled", ["TwoSidedGeometric", self.between(0.1, 2)], 0.125],
                self.many(1, 6),
            ),
        ]
        return self.setting("finite", self.rng.sample(listed, self.rng.randrange(2, 4)))

    def spline_list(self):
        listed = [
            (["Laplace", self.between(0.5, 20)], self.rng.randrange(1, 3)),
            (["BoundedRange", self.between(0.1, 2)], self.rng.randrange(1, 4)),
            (["TruthOrNot", 1, self.between(0.1, 2)], self.rng.randrange(1, 5)),
            (["Pair", [0.25, 0.75], [0.5, 0.5]], self.rng.randrange(1, 4)),
        ]
        return self.setting("spline", self.rng.sample(listed, self.rng.randrange(2, 4)))

    def normal_and_finite(self):
        listed = [
            (["TruthOrNot", self.rng.randrange(1, 4), self.between(0.05, 2)], self.many(1, 8)),
            (["TwoSidedGeometric", self.between(0.1, 2)], self.many(1, 10)),
            (["Pair", [0.25, 0.25, 0.5], [0.5, 0.125, 0.375]], self.many(1, 6)),
        ]
        normal = (["Normal", self.between(0.5, 20)], self.many(1, 20))
        return self.setting("normal and finite", [normal, self.rng.choice(listed)])

    def sampled_discrete(self):
        if self.rng.random() < 0.5:
            noise, many = ["TwoSidedGeometric", self.between(0.05, 2)], self.many(1, 200)
        else:
            noise, many = ["DiscreteGaussian", self.between(0.5, 6)], 1
        rate = self.between(1e-3, 0.9)
        return self.setting("finite", [(["PoissonSampled", noise, rate], many)])

    def sampled_once(self):
        noise = self.rng.choice(
            [["Normal", self.between(0.2, 20)], ["Laplace", self.between(0.2, 20)]]
        )
        kind = "PoissonSampled"
        if noise[0] == "Normal" and self.rng.random() < 0.4:
            kind = "WithoutReplacement"
        return self.setting("one sampled", [([kind, noise, self.between(1e-4, 0.9)], 1)])

    def sampled_steps(self):
        """For Renyi divergences alone."""
        noise = ["Normal", self.between(0.5, 10)]
        sample = ["PoissonSampled", noise, self.between(1e-4, 0.5)]
        return self.setting("", [(sample, self.many(1, 1e5))])


# kind, how many deltas, epsilons, Renyi divergences and pure losses
KINDS = (
    ("normal", 70, 70, 20, 0),
    ("laplace", 60, 50, 20, 15),
    ("many_laplace", 3, 0, 5, 0),
    ("bounded", 50, 30, 20, 10),
    ("response", 60, 40, 20, 10),
    ("pair", 50, 40, 20, 10),
    ("geometric", 50, 40, 20, 10),
    ("discrete_normal", 50, 30, 20, 0),
    ("finite_list", 30, 20, 10, 5),
    ("spline_list", 12, 8, 10, 5),
    ("normal_and_finite", 30, 20, 10, 0),
    ("sampled_discrete", 40, 30, 0, 0),
    ("sampled_once", 60, 40, 0, 10),
    ("sampled_steps", 0, 0, 30, 0),
)
EDGES = (
    ("normal", ["Normal", 1e-120], (0.0, 1.0, 1e100)),
    ("normal", ["Normal", 1e150], (0.0, 1e-160, 1e-151)),
    ("normal", ["Normal", 1e-3], (0.0, 4e5, 499_000.0, 5.1e5)),
    ("normal", ["Normal", 1e6], (0.0, 1e-7, 1e-6, 3e-5)),
    ("normal", ["Normal", 1.0], (5e-324, 1e-300, 30.0, 40.0)),
    ("spline", ["Laplace", 1e-4], (0.0, 1.0, 9999.0)),
    ("spline", ["Laplace", 2.0**-20], (0.0, 1e6, 1048575.0)),
    ("spline", ["Laplace", 1e12], (0.0, 1e-13, 5e-13)),
    ("spline", ["Laplace", 1.0], (5e-324, 1e-300, 1 - 2.0**-53)),
    ("spline", ["BoundedRange", 1e-6], (0.0, 1e-7, 9e-7)),
    ("spline", ["BoundedRange", 500.0], (0.0, 1.0, 499.0)),
    ("finite", ["TruthOrNot", 1, 1e-12], (0.0, 1e-13, 9e-13)),
    ("finite", ["TruthOrNot", 1, 600.0], (0.0, 1.0, 599.0)),
    ("finite", ["TruthOrNot", 10**6, 3.0], (0.0, 1e-3, 2.9)),
    ("finite", ["Pair", [1e-300, 1.0], [2.0**-30, 1 - 2.0**-30]], (0.0, 1e-12, 600.0)),
    ("finite", ["TwoSidedGeometric", 1e-9], (0.0, 1e-10, 9e-10)),
    ("finite", ["TwoSidedGeometric", 200.0], (0.0, 3.0, 199.0)),
    ("lattice", ["DiscreteGaussian", 0.05], (0.0, 10.0, 190.0, 250.0)),
    ("lattice", ["DiscreteGaussian", 60.0], (0.0, 1e-3, 0.05, 0.2)),
    ("one sampled", ["PoissonSampled", ["Normal", 1.0], 1e-12], (0.0, 1e-13, 1e-3, 3.0)),
    ("one sampled", ["PoissonSampled", ["Normal", 0.02], 0.5], (0.0, 0.69, 1000.0)),
    ("one sampled", ["PoissonSampled", ["Laplace", 0.01], 1e-9], (0.0, 1e-10, 50.0)),
    ("one sampled", ["WithoutReplacement", ["Normal", 50.0], 1e-6], (0.0, 1e-9, 1e-7)),
)


def written(value):
    return mp.nstr(value, DIGITS, strip_zeros=False, min_fixed=0, max_fixed=0)


def drawn(value, digits=40):
    """A number with many digits near a double."""
    return f"{value:.3e}".replace(
        "e", "".join(random.Random(value).choices("123456789", k=digits)) + "e"
    )


def row(kind, setting, ask, at, truth):
    made = {"kind": kind, "ask": ask, "at": at, **setting}
    del made["formula"]
    return {**made, "truth": written(truth)}


def renyi_near_one(setting):
    """About the mean of the loss."""
    sampled = any(release[0] == "PoissonSampled" for release, _ in setting["releases"])
    order = 2 if sampled else 1 + 2**-4
    if setting["formula"] == "one sampled":
        [(release, _)] = setting["releases"]
        noise = {**setting, "releases": [(release[1], 1)]}
        return renyi_of(noise, order) * number(release[2]) ** 2
    return renyi_of(setting, order)


def main():
    rows = []
    only = sys.argv[1:]
    for kind, *numbers in KINDS:
        if only and kind not in only:
            continue
        draws = Draws(f"closed forms: {kind}")
        for ask, wanted in zip(("delta", "epsilon", "renyi", "pure"), numbers, strict=True):
            kept = 0
            while kept < wanted:
                setting = getattr(draws, kind)()
                if ask == "pure":
                    if "DiscreteGaussian" in str(setting) or "Normal" in str(setting):
                        continue
                    rows.append(row(kind, setting, "epsilon", "0", settled(pure_of, setting)))
                elif ask == "renyi":
                    order = draws.rng.randrange(2, 60)
                    if kind != "sampled_steps" and draws.rng.random() < 0.5:
                        order = 1 + draws.between(1e-3, 30)
                    truth = settled(renyi_of, setting, order)
                    rows.append(row(kind, setting, "renyi", order, truth))
                else:
                    spread = float(mp.sqrt(2 * settled(renyi_near_one, setting)))
                    x = float(f"{spread * spread / 2 + draws.rng.uniform(-1.5, 4) * spread:.4g}")
                    if x <= 0 or draws.rng.random() < 0.05:
                        x = 0.0 if ask == "delta" else float(f"{spread * 0.1:.4g}")
                    at = x if ask == "delta" else drawn(x)
                    try:
                        truth = settled(delta_of, setting, at)
                    except ValueError:
                        continue
                    if not truth > 1e-50 and kept % 10:  # few of them are tiny
                        continue
                    if ask == "epsilon":
                        if not 1e-200 < truth < 1 - 1e-6:  # close to 1 delta hardly depends on x
                            continue
                        with mp.workdps(90):
                            given = mp.nstr(truth, 70, min_fixed=0, max_fixed=0)
                        made = row(kind, setting, ask, given, mp.mpf(0))
                        rows.append({**made, "truth": at})
                    else:
                        rows.append(row(kind, setting, ask, at, truth))
                kept += 1
                print(len(rows), rows[-1], file=sys.stderr, flush=True)
    if not only or "edges" in only:
        for formula, release, places in EDGES:
            setting = {"formula": formula, "releases": [(release, 1)], "sensitivity": 1}
            for x in places:
                truth = settled(delta_of, setting, x)
                rows.append(row("edges", setting, "delta", x, truth))
                print(len(rows), rows[-1], file=sys.stderr, flush=True)
    print("[\n " + ",\n ".join(json.dumps(each) for each in rows) + "\n]")


if __name__ == "__main__":
    main()
