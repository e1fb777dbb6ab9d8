"""What an exercise of the langevin chapters does beyond being answered."""

import time

from dpbook.teaching.exercises import check
from dpbook.teaching.questions import Mark


def test_a_slow_divergence_is_not_decided():
    def slow(mean_1, sd_1, mean_2, sd_2, order):
        time.sleep(3)
        return 0.0

    outcome = check("langevin:divergence-program", slow)
    assert outcome.verdict is Mark.OPEN
    assert "did not come back within 10 s" in outcome.message
