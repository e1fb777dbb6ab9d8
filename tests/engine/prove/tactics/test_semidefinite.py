"""Sums of squares in rational numbers: found where facts contradict each other, and nowhere else."""

import flint
import pytest
import sympy

from dpbook.engine.prove.tactics import semidefinite
from dpbook.engine.prove.tactics.semidefinite import Poly, Sum


def facts(names: str, *texts: str) -> list[tuple[int, Poly, str]]:
    ring = flint.fmpq_mpoly_ctx.get(tuple(names), "lex")
    symbols = [sympy.Symbol(n) for n in names]
    found = []
    for number, text in enumerate(texts):
        source, op, _ = text.rsplit(" ", 2)
        terms = sympy.Poly(sympy.sympify(source), *symbols).terms()
        poly = ring.from_dict({m: flint.fmpq(int(c.p), int(c.q)) for m, c in terms})
        found.append((number, poly, op))
    return found


def shows(given: list[tuple[int, Poly, str]], found: Sum) -> bool:
    """Whether the sum is 0 and has a term that is positive."""
    total = 0 * given[0][1]
    positive = False
    for factor, names, root in found.terms:
        assert factor > 0
        part = factor
        for name in names:
            assert given[name][2] in (">", ">=")
            part *= given[name][1]
        if root is not None:
            part *= root**2
        elif all(given[name][2] == ">" for name in names):
            positive = True
        total += part
    for name, multiplier in found.equalities.items():
        assert given[name][2] == "=="
        total += given[name][1] * multiplier
    return positive and total == 0


CONTRADICTIONS = {
    "on the unit circle": ("ab", 2, 1, "a**2 + b**2 - 1 == 0", "a*b + a - b - 1 > 0"),
    "on the sphere": ("abc", 2, 1, "a**2 + b**2 + c**2 - 1 == 0", "-(a*b + b*c + c*a) - 1/2 > 0"),
    "fourth powers": ("abc", 4, 1, "a*b*c*(a + b + c) - a**4 - b**4 - c**4 > 0"),
    "a root": ("x", 4, 1, "x**3 - 8 == 0", "x - 2 > 0"),
    "Chebyshev": ("x", 4, 1, "1 - x >= 0", "x + 1 >= 0", "4*x**3 - 3*x - 1 > 0"),
    "square root of 2": (
        "xyr", 2, 2, "x**2 + y**2 - 1 == 0", "x + y - r > 0", "r**2 - 2 == 0", "r > 0",
    ),
    "three-hump camel": ("xy", 6, 1, "21*x**4/20 - x**6/6 - 2*x**2 - x*y - y**2 > 0"),
    "six-hump camel": (
        "xy", 6, 1, "-(4*x**2 - 21*x**4/10 + x**6/3 + x*y - 4*y**2 + 4*y**4) - 10317/10000 >= 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_sum_is_found_and_is_exact(name: str) -> None:
    names, degree, products, *texts = CONTRADICTIONS[name]
    given = facts(names, *texts)
    found = semidefinite.refute(given, degree, products, lambda _: None)
    assert found is not None
    assert shows(given, found)


NEAR_MISSES = {
    "on the unit circle": ("ab", "a**2 + b**2 - 1 == 0", "a*b + a - b - 1 >= 0"),
    "fourth powers": ("abc", "a*b*c*(a + b + c) - a**4 - b**4 - c**4 >= 0"),
    "a root": ("x", "x**3 - 8 == 0", "x - 2 >= 0"),
    "square root of 2": (
        "xyr", "x**2 + y**2 - 1 == 0", "x + y - r >= 0", "r**2 - 2 == 0", "r > 0",
    ),
    # the least value is -1.031628...
    "six-hump camel": (
        "xy", "-(4*x**2 - 21*x**4/10 + x**6/3 + x*y - 4*y**2 + 4*y**4) - 103162/100000 >= 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_nothing_is_found_where_the_facts_can_hold(name: str) -> None:
    names, *texts = NEAR_MISSES[name]
    given = facts(names, *texts)
    for degree in (2, 4, 6):
        for products in (1, 2) if degree < 6 else (1,):  # both take a minute in three variables
            assert semidefinite.refute(given, degree, products, lambda _: None) is None


def test_work_is_charged_before_it_is_done() -> None:
    class Spent(Exception):
        pass

    def none(_: int) -> None:
        raise Spent

    names, degree, products, *texts = CONTRADICTIONS["fourth powers"]
    with pytest.raises(Spent):
        semidefinite.refute(facts(names, *texts), degree, products, none)


def test_a_panic_of_the_solver_is_no_solution(monkeypatch):
    class PanicException(BaseException):
        pass

    class Solver:
        def __init__(self, *_):
            pass

        def solve(self):
            raise PanicException("Eigval error")

    names, degree, products, *texts = CONTRADICTIONS["on the unit circle"]
    monkeypatch.setattr(semidefinite.clarabel, "DefaultSolver", Solver)
    assert semidefinite.refute(facts(names, *texts), degree, products, lambda _: None) is None
