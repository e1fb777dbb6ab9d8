"""Values of delta for normal noise on Poisson samples, by another formula than the package's and by no code of it.

    python tests/privacy/sampled_oracle.py [NUMBER] > tests/privacy/sampled_values.json

With P and Q the outputs with and without a record, and L the loss of T releases, delta(x) = P(L > x) - e^x Q(L > x). Each tail
is the sum of Davies (1973) for the characteristic function on the real line,

    Pr(L > x) = 1/2 + sum_k Im(f(t_k) e^(-i t_k x)) / (pi (k + 1/2)),  t_k = (k + 1/2) D,

which is off by the mass farther than 2 pi / D from x. The characteristic function of one release is the trapezoidal rule in
the output, for all t_k at once by a product of matrices: e^(i t_k L) is a product for k = a B + b. All in 256 bits; done
twice, the second time with a finer step in the output and a longer period, and kept where both agree to 21 digits. Settings
that would take too many terms are passed over, as those of one release, which have a closed form.
"""

import json
import math
import random
import sys

import numpy as np
from flint import acb, acb_mat, arb, ctx

BITS = 256
NATS = 78  # what is left out is of the order e^-78
MOST = 6e6  # terms times nodes


def reach(q, mu, steps):
    """A distance from 0 beyond which the loss has no mass above e^-NATS, in either direction and under P and Q."""
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
                    best = min(best, (steps * log + NATS) / c)
            ends.append(best)
    return max(ends)


def delta(q, sigma, steps, x, add, finer):
    """P(L > x) - e^x Q(L > x)."""
    mu = 1 / arb(sigma)
    gap = 2 * arb.pi() / arb(finer * (reach(q, 1 / sigma, steps) + x))
    terms = number_of_terms(q, 1 / sigma, steps, float(gap), add)
    nodes = nodes_of(arb(q), mu, add, terms * float(gap), finer)
    if len(nodes) * terms > MOST:
        raise ValueError("too many terms")
    first, second = characteristic(nodes, gap, terms)
    upper, lower = arb(1) / 2, arb(1) / 2
    phase, move = acb(0, -arb(x) * gap / 2).exp(), acb(0, -arb(x) * gap).exp()
    for k in range(terms):
        one, other = first[k] ** steps, second[k] ** steps
        scale = arb.pi() * (2 * k + 1) / 2
        upper += (one * phase).imag / scale
        lower += (other * phase).imag / scale
        phase = middle(phase * move)
    if max(abs(one), abs(other)) > math.exp(4 - NATS):
        raise ValueError("the last term is large")
    return upper - arb(x).exp() * lower


def number_of_terms(q, mu, steps, gap, add):
    """About where both characteristic functions have vanished."""
    x = np.arange(-15, 20 + mu, 0.01)
    logs = np.logaddexp(math.log1p(-q), math.log(q) + mu * x - mu * mu / 2)
    weight = np.exp(-x * x / 2) * 0.01 / math.sqrt(2 * math.pi)
    both = np.stack([weight, weight * np.exp(logs)])
    k = 16
    while True:
        values = np.abs(both @ np.exp(1j * gap * np.outer(logs, k * np.array([1, 1.05, 1.1]))))
        if (steps * np.log(values + 1e-14)).max() < -NATS - 2:
            return k
        k = math.ceil(k * 1.1)
        if k > MOST / 100:
            raise ValueError("too many terms")


def nodes_of(q, mu, add, tall, finer):
    """Weights under both distributions, and the losses, at the nodes of the trapezoidal rule."""
    width = min(1.4, 2.6 / float(mu))
    h = arb(2 * math.pi / ((NATS + 15) / width + tall * float(mu)) / finer)
    y = arb(-13)
    nodes = []
    while y < 15 + mu:
        ratio = 1 - q + q * (mu * y - mu * mu / 2).exp()
        weight = h * (-y * y / 2).exp() / (2 * arb.pi()).sqrt()
        loss = -ratio.log() if add else ratio.log()
        nodes.append((weight, weight * ratio, loss) if add else (weight * ratio, weight, loss))
        y += h
    return nodes


def characteristic(nodes, gap, terms):
    """Both characteristic functions at the first terms."""
    block = math.isqrt(terms) + 1
    rows = math.ceil(terms / block)
    near, far, halves = [], [], []
    for _, _, loss in nodes:
        turn = acb(0, loss * gap).exp()
        near.append(powers(turn, block))
        far.append(powers(acb(0, loss * gap * block).exp(), rows))
        halves.append(acb(0, loss * gap / 2).exp())
    columns = acb_mat(len(nodes), block, [value for row in near for value in row])
    found = []
    for which in (0, 1):
        weights = [node[which] * half for node, half in zip(nodes, halves, strict=True)]
        left = [far[j][a] * weights[j] for a in range(rows) for j in range(len(nodes))]
        product = acb_mat(rows, len(nodes), left) * columns
        found.append([middle(product[a, b]) for a in range(rows) for b in range(block)][:terms])
    return found


def powers(base, number):
    """1, base, base^2, ...; without the radii, which repeated turns of a box would blow up."""
    found = [acb(1)]
    for _ in range(number - 1):
        found.append(middle(found[-1] * base))
    return found


def middle(z):
    """The point in the middle of a box."""
    return acb(z.real.mid(), z.imag.mid())


def main():
    rng = random.Random(42)
    rows = []
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    while len(rows) < wanted:
        q = float(f"{10 ** rng.uniform(-4, math.log10(0.5)):.3g}")
        sigma = float(f"{10 ** rng.uniform(math.log10(0.5), math.log10(20)):.3g}")
        steps = round(10 ** rng.uniform(0.5, 6))
        spread = q * math.sqrt(steps * math.expm1(1 / sigma**2))
        x = float(f"{max(spread * rng.uniform(0, 6), 0.001):.3g}")
        if not 0.001 < spread < 30:
            continue
        try:
            with ctx.workprec(BITS):
                pair = []
                for add in (False, True):
                    rough, fine = (delta(q, sigma, steps, x, add, f) for f in (1.0, 1.2))
                    if not abs(rough - fine) < 1e-21 * fine:
                        raise ValueError("the two runs differ")
                    pair.append(fine.mid().str(24, radius=False))
        except ValueError:
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
        print(len(rows), rows[-1], file=sys.stderr, flush=True)
    print("[\n " + ",\n ".join(json.dumps(row) for row in rows) + "\n]")


if __name__ == "__main__":
    main()
