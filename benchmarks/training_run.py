"""One training run by our accountant and its peers: the table of the page "Account for your training run".

    python benchmarks/training_run.py [--record]

Peers are used where they are installed (the extra peers). With --record the figures are written to
data/training_run_peers.json, which the page reads; then all peers must be there.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from dpbook.privacy import Normal, PoissonSampled, compose

RATE, NOISE, STEPS, DELTA = 256 / 60_000, 1.3, 4688, 1e-5
FILE = Path(__file__).resolve().parents[1] / "data" / "training_run_peers.json"


def sampled() -> Any:
    """The run as dp-accounting says it."""
    dp = import_module("dp_accounting")
    step = dp.PoissonSampledDpEvent(RATE, dp.GaussianDpEvent(NOISE))
    return dp.SelfComposedDpEvent(step, STEPS)


def by_losses(pessimistic: bool) -> float:
    """By dp-accounting's distribution of the privacy loss, on its default grid."""
    module = import_module("dp_accounting.pld.privacy_loss_distribution")
    one = module.from_gaussian_mechanism(
        NOISE, sampling_prob=RATE, pessimistic_estimate=pessimistic
    )
    return float(one.self_compose(STEPS).get_epsilon_for_delta(DELTA))


def by_moments() -> float:
    """By dp-accounting's Renyi divergences."""
    accountant = import_module("dp_accounting.rdp").RdpAccountant()
    return float(accountant.compose(sampled()).get_epsilon(DELTA))


def by_autodp() -> float:
    """By autodp's Renyi divergences, Poisson sampling."""
    zoo, core = import_module("autodp.mechanism_zoo"), import_module("autodp.transformer_zoo")
    noise = zoo.GaussianMechanism(sigma=NOISE)
    noise.neighboring = "add_remove"
    step = core.AmplificationBySampling(PoissonSampling=True)(noise, RATE, improved_bound_flag=True)
    return float(core.Composition()([step], [STEPS]).get_approxDP(DELTA))


def by_opendp() -> float:
    """By OpenDP's composition of Gaussians: the samples are not counted."""
    dp = import_module("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    noise = dp.m.make_gaussian(*space, scale=NOISE)
    many = dp.c.make_zCDP_to_approxDP(dp.c.make_composition([noise] * STEPS))
    return float(many.map(1.0).epsilon(delta=DELTA))


PEERS: list[tuple[str, str, str, Callable[[], float]]] = [
    ("dp-accounting", "losses rounded up", "upper bound", lambda: by_losses(True)),
    ("dp-accounting", "losses rounded down", "lower bound", lambda: by_losses(False)),
    ("dp-accounting", "Renyi divergences", "upper bound", by_moments),
    ("autodp", "Renyi divergences", "upper bound", by_autodp),
    ("opendp", "zCDP, samples not counted", "upper bound", by_opendp),
]


def timed(call: Callable[[], Any]) -> tuple[Any, float]:
    """A value, and the processor time of a second call: the first one may compile."""
    call()
    start = time.process_time()
    value = call()
    return value, time.process_time() - start


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--record", action="store_true")
    record = options.parse_args().record
    logging.disable(logging.WARNING)
    ours, seconds = timed(
        lambda: compose(PoissonSampled(Normal(0, NOISE), RATE), STEPS).epsilon(DELTA)
    )
    print(f"dpbook: {ours.lower:.12g} to {ours.upper:.12g}, {1e3 * seconds:.0f} ms")
    rows = []
    for package, method, kind, call in PEERS:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value, theirs = timed(call)
        except ImportError:
            if record:
                sys.exit(f"{package}: not installed; nothing is recorded")
            print(f"{package}: not installed")
            continue
        version = metadata.version(package)
        print(f"{package} {version}, {method}: {value:.8g} ({kind}), {1e3 * theirs:.0f} ms")
        rows.append(
            {"package": package, "version": version, "method": method, "kind": kind}
            | {"epsilon": value, "times_ours": round(theirs / seconds, 1)}
        )
    if record:
        setting = {"rate": RATE, "noise": NOISE, "steps": STEPS, "delta": DELTA}
        FILE.write_text(json.dumps({"setting": setting, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
