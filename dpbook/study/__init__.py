"""Studies: a grid of settings times replicates, whose cells are computed once and never lost.

A study stands in ``dpbook/<topic>/studies.py``: under `study`, a function that computes one cell
from its setting and a random stream of its own. A cell depends on nothing else, so the result is
the same for any number of workers, in any order, and in however many sessions.

- `dpbook.study.definition`: what a study is;
- `dpbook.study.cells`: how one cell is computed;
- `dpbook.study.store`: the folder of a run, where no finished cell is lost;
- `dpbook.study.running`: a run, a part of one, and the merge of the parts;
- `dpbook.study.crew`: worker processes of this machine;
- `dpbook.study.cluster`: the workers of a Dask cluster;
- `dpbook.study.batches`: how many cells one of them gets at a time;
- `dpbook.study.forecast`: how long a run on a cluster takes.
"""

from dpbook.study.cells import Failure, compute
from dpbook.study.definition import (
    REGISTRY,
    Cell,
    Listed,
    Place,
    Record,
    Scale,
    Setting,
    Study,
    Summary,
    find,
    grid,
    listed,
    study,
)
from dpbook.study.running import Halted, Incomplete, merge, run, run_part

__all__ = [
    "REGISTRY",
    "Cell",
    "Failure",
    "Halted",
    "Incomplete",
    "Listed",
    "Place",
    "Record",
    "Scale",
    "Setting",
    "Study",
    "Summary",
    "compute",
    "find",
    "grid",
    "listed",
    "merge",
    "run",
    "run_part",
    "study",
]
