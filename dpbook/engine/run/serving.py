"""Run a worker that decides statements: ``python -m dpbook.engine.run.serving``."""

from __future__ import annotations

from dpbook.engine.run.process import uncollected

with uncollected():
    from dpbook.engine.run import workers
    from dpbook.engine.run.decide import answered

if __name__ == "__main__":
    workers.serve(answered)
