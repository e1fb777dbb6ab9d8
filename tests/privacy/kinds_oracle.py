"""Values of delta for the other releases that `compose` takes, by another formula than the package's and by no code of it.

    python tests/privacy/kinds_oracle.py > tests/privacy/kinds_values.json

The sums of Davies (1973) on the real line, as in `sampled_oracle`, for every pair
of distributions that stands below as weights with a record, weights without it and losses. Outputs with a density are taken
at the nodes of the rule of Gauss and Legendre, in panels. All in 192 bits; done twice, the second time with more panels and a longer period,
and kept where both agree to 18 digits.
"""

import json
import math
import random
import sys
from fractions import Fraction

import numpy as np
from flint import acb, acb_mat, arb, ctx

BITS = 192
NATS = 56  # what is left out is of the order e^-NATS
MOST_TERMS = 1500
NODES = 32


def exact(x):
    """A ball of a fraction or a float."""
    read = Fraction(x)
    return arb(read.numerator) / read.denominator


def panels(low, high, number):
    """Nodes and weights on an interval."""
    half = (high - low) / (2 * number)
    rule = [arb.legendre_p_root(NODES, k, True) for k in range(NODES)]
    return [
        (low + half * (2 * i + 1 + node), half * weight)
        for i in range(number)
        for node, weight in rule
    ]


def bell(x):
    return (-x * x / 2).exp() / (2 * arb.pi()).sqrt()


# each returns (weight with the record, weight without it, loss) for all outputs


def sampled_laplace(rate, scale, number):
    q, e = exact(rate), 1 / exact(scale)

    def mixed(ratio):
        return 1 - q + q * ratio

    low, high = mixed((-e).exp()), mixed(e.exp())
    # outputs below 0 and above e have one ratio each
    found = [(low / 2, arb(1) / 2, low.log()), (high * (-e).exp() / 2, (-e).exp() / 2, high.log())]
    for x, weight in panels(arb(0), e, number):
        ratio, without = mixed((2 * x - e).exp()), weight * (-x).exp() / 2
        found.append((without * ratio, without, ratio.log()))
    return found


def laplace(scale, number):
    return sampled_laplace(1, scale, number)


def sampled_normal(rate, sd, number):
    q, mu = exact(rate), 1 / exact(sd)
    found = []
    for x, weight in panels(arb(-12), 12 + mu, 4 * number):
        ratio, without = 1 - q + q * (mu * x - mu * mu / 2).exp(), weight * bell(x)
        found.append((without * ratio, without, ratio.log()))
    return found


def replaced_normal(rate, sd, number):
    """The pair of a sample of a fixed size: both divergences of a Poisson sample, each on its side of 0."""
    q, mu = exact(rate), 1 / exact(sd)
    rest = (1 - q) * (1 - (mu / 2 / arb(2).sqrt()).erfc())
    found = [(rest, rest, arb(0))]
    for x, weight in panels(mu / 2, 12 + mu, 2 * number):
        ratio, without = 1 - q + q * (mu * x - mu * mu / 2).exp(), weight * bell(x)
        found.append((without * ratio, without, ratio.log()))
        found.append((without, without * ratio, -ratio.log()))
    return found


def discrete(noise, parameter, rate, shift):
    """Noise on the integers around `shift` with probability `rate`, else around 0."""
    q, size = exact(rate), exact(parameter)

    def mass(k):
        return (-k * k / (2 * size * size)).exp() if noise == "gauss" else (-abs(k) * size).exp()

    reach = math.ceil(float(size) * 12 if noise == "gauss" else NATS / float(size))
    outputs = range(-reach, reach + shift + 1)
    total = sum((mass(arb(k)) for k in range(-3 * reach, 3 * reach + 1)), arb(0))
    found = []
    for k in outputs:
        moved, without = mass(arb(k - shift)) / total, mass(arb(k)) / total
        with_ = q * moved + (1 - q) * without
        found.append((with_, without, (with_ / without).log()))
    if noise == "laplace":
        # all outputs on a side have one ratio: their masses are added up
        sums = {}
        for k, (p, r, loss) in zip(outputs, found, strict=True):
            at = min(max(k, 0), shift)
            a, b, _ = sums.get(at, (arb(0), arb(0), loss))
            sums[at] = (a + p, b + r, loss)
        found = list(sums.values())
    return found


def ranged(e, number):
    """A bounded range: the losses have the density e^(l/2) / (2 (e^(e/2) - e^(-e/2)))."""
    e = exact(e)
    scale = 2 * ((e / 2).exp() - (-e / 2).exp())
    return [
        (w * (x / 2).exp() / scale, w * (-x / 2).exp() / scale, x) for x, w in panels(-e, e, number)
    ]


def response(epsilon, others):
    e, whole = exact(epsilon), exact(epsilon).exp() + others
    first, other = e.exp() / whole, 1 / whole
    found = [(first, other, e), (other, first, -e)]
    return [*found, (other * (others - 1), other * (others - 1), arb(0))] if others > 1 else found


def outputs_of(part, number):
    """The outputs of one entry of a list; None for normal noise, which has a formula."""
    kind = part["kind"]
    if kind == "normal":
        return None
    if kind == "laplace":
        return laplace(part["scale"], number)
    if kind == "sampled laplace":
        return sampled_laplace(part["rate"], part["scale"], number)
    if kind in ("sampled normal", "mixture"):
        return sampled_normal(part["rate"], part["sd"], number)
    if kind == "without replacement":
        return replaced_normal(part["rate"], part["sd"], number)
    if kind == "sampled discrete gauss":
        return discrete("gauss", part["sd"], part["rate"], 1)
    if kind == "sampled discrete laplace":
        return discrete("laplace", part["slope"], part["rate"], 1)
    if kind == "range":
        return ranged(part["epsilon"], number)
    return response(part["epsilon"], part["others"])


def middle(z):
    return acb(z.real.mid(), z.imag.mid())


def both_ways(outputs):
    return outputs, [(q, p, -loss) for p, q, loss in outputs]


def reach_of(parts, found):
    """A distance from 0 beyond which the loss has no mass above e^-NATS."""
    ends = []
    for under in (0, 1):
        for sign in (1, -1):
            best = math.inf
            for c in 10 ** np.arange(-1, 3, 0.05):
                log = 0.0
                for part, arrays in zip(parts, found, strict=True):
                    if arrays is None:
                        v, way = 1 / part["sd"] ** 2, 1 if under == 0 else -1
                        log += part["times"] * (sign * way * c * v / 2 + c * c * v / 2)
                    else:
                        weights, losses = arrays[under], arrays[2]
                        logs = np.log(np.maximum(weights, 1e-300)) + sign * c * losses
                        top = logs.max()
                        log += part["times"] * (top + math.log(np.exp(logs - top).sum()))
                best = min(best, (log + NATS) / c)
            ends.append(best)
    return max(ends)


def number_of_terms(parts, found, gap):
    """Where the product of the characteristic functions is small from then on."""
    t = (np.arange(MOST_TERMS) + 0.5) * gap
    worst = np.full(t.size, -math.inf)
    for under in (0, 1):
        logs = np.zeros(t.size)
        for part, arrays in zip(parts, found, strict=True):
            if arrays is None:
                logs -= part["times"] * t * t / (2 * part["sd"] ** 2)
            else:
                values = np.zeros(t.size, dtype=complex)
                for weight, loss in zip(arrays[under], arrays[2], strict=True):
                    values += weight * np.exp(1j * t * loss)
                logs += part["times"] * np.log(np.abs(values) + 1e-14)
        worst = np.maximum(worst, logs)
    large = np.nonzero(worst > -NATS)[0]
    last = int(large[-1]) + 1 if large.size else 8
    if last >= MOST_TERMS - 5:
        raise ValueError("too many terms")
    return last + 4


def characteristic(outputs, gap, terms):
    """Both characteristic functions at t = (k + 1/2) gap."""
    block = math.isqrt(terms) + 1
    rows = math.ceil(terms / block)
    near, far, halves = [], [], []
    for _, _, loss in outputs:
        turn, jump = acb(0, loss * gap).exp(), acb(0, loss * gap * block).exp()
        for base, number, kept in ((turn, block, near), (jump, rows, far)):
            row = [acb(1)]
            for _ in range(number - 1):
                row.append(middle(row[-1] * base))
            kept.append(row)
        halves.append(acb(0, loss * gap / 2).exp())
    columns = acb_mat(len(outputs), block, [value for row in near for value in row])
    found = []
    for which in (0, 1):
        scaled = [one[which] * half for one, half in zip(outputs, halves, strict=True)]
        left = [far[j][a] * scaled[j] for a in range(rows) for j in range(len(outputs))]
        product = acb_mat(rows, len(outputs), left) * columns
        found.append([middle(product[a, b]) for a in range(rows) for b in range(block)][:terms])
    return found


def delta(parts, x, add, finer):
    """Pr(L > x) - e^x Pr(L > x) without the record."""
    number = 6 * finer
    outputs = [outputs_of(part, number) for part in parts]
    if add:
        outputs = [one if one is None else [(q, p, -loss) for p, q, loss in one] for one in outputs]
    floats = [
        None if one is None else tuple(np.array([float(row[i]) for row in one]) for i in range(3))
        for one in outputs
    ]
    gap = 2 * arb.pi() / exact((1 + 0.15 * (finer - 1)) * (reach_of(parts, floats) + x))
    terms = number_of_terms(parts, floats, float(gap))
    first, second = [acb(1)] * terms, [acb(1)] * terms
    for part, one in zip(parts, outputs, strict=True):
        times = part["times"]
        if one is None:
            v = times / exact(part["sd"]) ** 2
            ts = [gap * (2 * k + 1) / 2 for k in range(terms)]
            values = [[acb(-v * t * t / 2, s * v * t / 2).exp() for t in ts] for s in (1, -1)]
        else:
            values = [[z**times for z in row] for row in characteristic(one, gap, terms)]
        first = [a * b for a, b in zip(first, values[0], strict=True)]
        second = [a * b for a, b in zip(second, values[1], strict=True)]
    upper, lower = arb(1) / 2, arb(1) / 2
    for k in range(terms):
        phase, scale = acb(0, -exact(x) * gap * (2 * k + 1) / 2).exp(), arb.pi() * (2 * k + 1) / 2
        upper += (first[k] * phase).imag / scale
        lower += (second[k] * phase).imag / scale
    return upper - exact(x).exp() * lower


def rounded(x, digits=3):
    return float(f"{x:.{digits}g}")


def settings(kind, rng):
    """Draw a list of releases of a kind."""

    def power(low, high):
        return rounded(math.exp(rng.uniform(math.log(low), math.log(high))))

    many = rng.randrange(200, 1200)
    normal = {"kind": "normal", "sd": power(3, 30), "times": rng.randrange(1, 10)}
    if kind == "sampled laplace":
        return [{"kind": kind, "rate": power(0.05, 0.6), "scale": power(0.5, 3), "times": many}]
    if kind == "without replacement":
        return [{"kind": kind, "rate": power(0.05, 0.6), "sd": power(1, 6), "times": many}]
    if kind == "mixture":
        return [{"kind": kind, "rate": power(0.02, 0.6), "sd": power(0.8, 6), "times": many}]
    if kind == "range":
        times = rng.randrange(40, 400)
        return [{"kind": kind, "epsilon": power(0.02, 0.5), "times": times}]
    if kind == "tree":
        levels = rng.randrange(3, 12)
        runs = math.ceil(300 / levels)
        return [
            {"kind": "laplace", "scale": power(3, 40), "times": levels * runs, "levels": levels}
        ]
    if kind == "sampled discrete gauss":
        sampled = {"kind": kind, "rate": power(0.05, 0.6), "sd": power(1, 4), "times": many // 10}
        return [sampled, normal]
    if kind == "sampled discrete laplace":
        sampled = {
            "kind": kind,
            "rate": power(0.05, 0.6),
            "slope": power(0.2, 1),
            "times": many // 10,
        }
        return [sampled, normal]
    all_kinds = [
        {"kind": "laplace", "scale": power(5, 30), "times": rng.randrange(1, 60)},
        {"kind": "sampled laplace", "rate": power(0.05, 0.6), "scale": power(1, 4), "times": rng.randrange(1, 60)},
        {"kind": "without replacement", "rate": power(0.05, 0.5), "sd": power(2, 6), "times": rng.randrange(1, 60)},
        {"kind": "sampled normal", "rate": power(0.02, 0.5), "sd": power(1, 6), "times": rng.randrange(1, 60)},
        {"kind": "range", "epsilon": power(0.02, 0.3), "times": rng.randrange(1, 60)},
        {"kind": "response", "epsilon": power(0.02, 0.3), "others": rng.randrange(1, 4), "times": rng.randrange(1, 60)},
    ]  # fmt: skip
    return [*rng.sample(all_kinds, 3), normal]


KINDS = {  # and how many settings of each
    "sampled laplace": 25,
    "without replacement": 24,
    "mixture": 20,
    "range": 25,
    "tree": 5,
    "sampled discrete gauss": 25,
    "sampled discrete laplace": 25,
    "list": 14,
}


def main():
    rows = []
    for kind, wanted in KINDS.items():
        rng = random.Random(f"42 {kind}")
        kept = 0
        while kept < wanted:
            parts = settings(kind, rng)
            share = rng.uniform(0, 5)
            try:
                with ctx.workprec(BITS):
                    spread = 0.0
                    for part in parts:
                        outputs = outputs_of(part, 2)
                        variance = (
                            1 / part["sd"] ** 2
                            if outputs is None
                            else sum(float(p * loss * loss) for p, _, loss in outputs)
                        )
                        spread += part["times"] * variance
                    spread = math.sqrt(spread)
                    x = rounded(max(spread * share, 0.001))
                    if not 0.01 < spread < 12:
                        continue
                    pair = []
                    for add in (False, True):
                        rough, fine = (delta(parts, x, add, finer) for finer in (1, 2))
                        if not (fine > 1e-14 and abs(rough - fine) < 1e-18 * fine):
                            raise ValueError("the two runs differ")
                        pair.append(fine.mid().str(22, radius=False))
            except ValueError as error:
                print(kind, "passed over:", error, file=sys.stderr, flush=True)
                continue
            kept += 1
            rows.append(
                {"kind": kind, "parts": parts, "epsilon": x, "remove": pair[0], "add": pair[1]}
            )
            print(len(rows), rows[-1], file=sys.stderr, flush=True)
    print("[\n " + ",\n ".join(json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
