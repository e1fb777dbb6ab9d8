"""Find points that meet all conditions of a statement, so that its proof is not vacuous."""

from __future__ import annotations

from dpbook.engine.evaluate.sampler import Sampler
from dpbook.engine.language.domain import case_domains, collected
from dpbook.engine.language.statement import Recurrence, unfold_definitions
from dpbook.engine.language.task import Task, free_symbols
from dpbook.engine.refute.finite_models import example_of, has_unknown
from dpbook.engine.refute.search import short


def point_of(task: Task) -> tuple[tuple[str, str], ...] | None:
    """Return an exact point of a statement's domain; None where no point is found."""
    if has_unknown(task.form, task.given):
        return example_of(task.form, task.given, task.seed, task.candidates)
    previous = {task.form.previous} if isinstance(task.form, Recurrence) else set()
    given = [tree.map(unfold_definitions) for tree in task.given]
    symbols = collected([*(free_symbols(task.form) - previous), *given])
    for domain in case_domains(symbols, given):
        sampler = Sampler(domain, task.seed)
        point = sampler.some()
        if point is None:
            tried = (sampler.named(candidate, simplified=True) for candidate in task.candidates)
            point = next((p for p in tried if p is not None), None)
        if point is not None:  # without variables it is empty
            return tuple((v.name, short(point[v])) for v in domain.variables)
    return None
