"""How many cells a worker of a cluster is given at a time."""

BATCH = 0.5  # seconds of work in a batch
MOST = 1000  # cells in a batch


def batch_size(waiting: int, workers: int, seconds: float) -> int:
    """Return how many of the waiting cells go to a worker.

    Parameters
    ----------
    waiting : int
        Cells that no worker has, at least 1.
    workers : int
        How many there are, at least 1.
    seconds : float
        What a cell took lately; infinite where that is not known.
    """
    share = waiting // (2 * workers)  # so that all end at one time
    return max(1, min(int(BATCH / seconds), share, MOST))
