"""The auditor catches every broken mechanism of the zoo and none of the correct ones.

Each audit has confidence 1 - 1e-6 / (number of specimens): by the union bound the chance that any
correct twin is called broken is below 1e-6 for the whole test.
"""

import numpy as np
import pytest

from dpbook.privacy.audit import audit
from dpbook.privacy.zoo import ZOO, specimen

CONFIDENCE = 1 - 1e-6 / len(ZOO)
each_specimen = pytest.mark.parametrize("kind", ZOO, ids=[kind.name for kind in ZOO])


def audited(kind, mechanism, seed):
    return audit(
        mechanism,
        *(kind.X, kind.Z),
        confidence=CONFIDENCE,
        delta=kind.delta,
        rng=np.random.default_rng(seed),
    )


@each_specimen
def test_broken_mechanism_is_caught(kind):
    assert audited(kind, kind.broken, 1).epsilon_lower > kind.epsilon


@each_specimen
def test_correct_twin_is_not_called_broken(kind):
    assert audited(kind, kind.correct, 2).epsilon_lower <= kind.epsilon


def test_zoo_is_large_and_its_names_are_its_own():
    assert len(ZOO) >= 10
    assert len({kind.name for kind in ZOO}) == len(ZOO)
    assert all(kind.fault.endswith(".") for kind in ZOO)


def test_datasets_are_neighbours():
    """One record is replaced, or added, or the datasets are answers that move by at most one."""
    for kind in ZOO:
        X, Z = kind.X, kind.Z
        if len(X) != len(Z):
            assert abs(len(X) - len(Z)) == 1
        elif sum(x != z for x, z in zip(X, Z, strict=True)) != 1:
            assert max(abs(x - z) for x, z in zip(sorted(X), sorted(Z), strict=True)) <= 1


def test_specimen_is_found_by_name():
    assert specimen("leaked count") is next(kind for kind in ZOO if kind.name == "leaked count")
    assert "number of records is not" in specimen("leaked count")._repr_html_()
    with pytest.raises(ValueError, match="name must be one of 'wrong sensitivity', .*, got 'cat'"):
        specimen("cat")
