"""Values of delta for normal noise on Poisson samples, by another formula than the package's and by no code of it.

    python tests/privacy/sampled_oracle.py > tests/privacy/sampled_values.json

With P and Q the outputs with and without a record, and L the loss of T releases, delta(x) = P(L > x) - e^x Q(L > x). Each tail
is the sum of Davies (1973) for the characteristic function on the real line,

    Pr(L > x) = 1/2 + sum_k Im(f(t_k) e^(-i t_k x)) / (pi (k + 1/2)),  t_k = (k + 1/2) D,

which is off by the mass farther than 2 pi / D from x. All in 220 bits; done twice, the second time with a finer step in the
output and a longer period, and kept where both agree to 22 digits.
"""

import json
import math
import random
import sys

import numpy as np
from flint import acb, arb, ctx

BITS = 220


def reach(q, mu, steps):
    """A distance from 0 beyond which the loss has no mass of 1e-27, in either direction and under P and Q."""
    x = np.arange(-20, 200, 0.05)
    logs = np.logaddexp(math.log1p(-q), math.log(q) + mu * x - mu * mu / 2)
    ends = []
    for sign in (1, -1):
        for under in (0, 1):  # the power of the density ratio that is the weight
            best = math.inf
            for c in 10 ** np.arange(-2, 6, 0.1):
                exponents = -x * x / 2 + (under + sign * c) * logs
                top = exponents.max()
                log = top + math.log(np.exp(exponents - top).sum() * 0.05 / math.sqrt(2 * math.pi))
                if x[exponents.argmax()] < 150:
                    best = min(best, (steps * log + 62) / c)
            ends.append(best)
    return max(ends)


def delta(q, sigma, steps, x, add, finer):
    """P(L > x) - e^x Q(L > x)."""
    mu = 1 / arb(sigma)
    period = finer * (reach(q, 1 / sigma, steps) + x)
    gap = 2 * arb.pi() / arb(period)
    spread = q * math.sqrt(steps * math.expm1(1 / sigma**2))
    found = run(arb(q), mu, steps, arb(x), add, gap, 60 / spread / finer, finer)
    if found is None:
        raise ValueError("too many terms")
    return found


def middle(z):
    """The point in the middle of a box."""
    return acb(z.real.mid(), z.imag.mid())


def run(q, mu, steps, x, add, gap, tall, finer):
    """The sums up to t = `tall`; None when the characteristic function has not vanished there."""
    width = min(1.4, 2.6 / float(mu))
    step = 2 * math.pi / (75 / width + tall * float(mu)) / finer
    nodes = []
    h = arb(step)
    y = arb(-13)
    while y < 15 + mu:
        ratio = 1 - q + q * (mu * y - mu * mu / 2).exp()
        weight = h * (-y * y / 2).exp() / (2 * arb.pi()).sqrt()
        loss = -ratio.log() if add else ratio.log()
        first, second = (weight, weight * ratio) if add else (weight * ratio, weight)
        nodes.append((first, second, acb(0, loss * gap).exp(), acb(0, loss * gap / 2).exp()))
        y += h
        if len(nodes) * tall / float(gap) > 3e6:
            return None
    turns = [half for *_, half in nodes]
    upper, lower = arb(1) / 2, arb(1) / 2
    phase, move = acb(0, -x * gap / 2).exp(), acb(0, -x * gap).exp()
    k = 0
    while True:
        first = sum((p * e for (p, _, _, _), e in zip(nodes, turns, strict=True)), acb(0)) ** steps
        second = sum((w * e for (_, w, _, _), e in zip(nodes, turns, strict=True)), acb(0)) ** steps
        scale = arb.pi() * (2 * k + 1) / 2
        upper += (first * phase).imag / scale
        lower += (second * phase).imag / scale
        if max(abs(first), abs(second)) < 1e-28:
            return upper - x.exp() * lower
        k += 1
        if k * float(gap) > tall:
            return None
        # without the radii: repeated turns of a box would blow it up
        turns = [middle(e * turn) for e, (_, _, turn, _) in zip(turns, nodes, strict=True)]
        phase = middle(phase * move)


def main():
    rng = random.Random(42)
    rows = []
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    while len(rows) < wanted:
        q = round(10 ** rng.uniform(-2.5, -0.31), 4)
        sigma = round(10 ** rng.uniform(-0.2, 1.0), 2)
        steps = round(10 ** rng.uniform(1, 4))
        spread = q * math.sqrt(steps * math.expm1(1 / sigma**2))
        x = float(f"{max(spread * rng.uniform(0.5, 5), 0.001):.3g}")
        if not 0.02 < spread < 20 or steps * q * q < 0.01:
            continue
        try:
            with ctx.workprec(BITS):
                pair = []
                for add in (False, True):
                    rough, fine = (delta(q, sigma, steps, x, add, f) for f in (1.0, 1.3))
                    if not abs(rough - fine) < 1e-22:
                        raise ValueError("the two runs differ")
                    pair.append(fine.mid().str(30, radius=False))
        except ValueError:
            continue
        if float(pair[0]) < 1e-13:
            continue
        rows.append(
            {
                "rate": q,
                "sigma": sigma,
                "steps": steps,
                "epsilon": x,
                "remove": pair[0],
                "add": pair[1],
            }
        )
        print(rows[-1], file=sys.stderr, flush=True)
    print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
