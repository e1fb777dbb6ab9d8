"""A second trusted base for Z3's proofs: cvc5 decides their problems again, in a process of its own.

cvc5 keeps its time limit only between its own steps; a process can be ended at any time.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence

START = 5.0  # seconds that a fresh interpreter may take beyond the limit


def unsatisfiable(problems: Sequence[str] | None, seconds: float = 10.0) -> bool | None:
    """Decide SMT-LIB problems again with cvc5.

    Parameters
    ----------
    problems : sequence of str, or None
        The texts that Z3 found unsatisfiable.
    seconds : float
        For all of them.

    Returns
    -------
    bool or None
        True if cvc5 finds all of them unsatisfiable, False if it finds one satisfiable,
        None if it has no answer in time, fails, or there is no problem.

    Raises
    ------
    ImportError
        When cvc5 is not installed.
    """
    if not problems or any("(assert false)" in text for text in problems):
        return None  # what exact algebra has closed already asks nothing of a solver
    if importlib.util.find_spec("cvc5") is None:
        raise ImportError("rechecking a Z3 proof needs cvc5: pip install cvc5")
    try:
        run = subprocess.run(
            [sys.executable, "-P", "-m", __spec__.name],
            input=json.dumps([list(problems), seconds]),
            capture_output=True,
            text=True,
            timeout=seconds + START,
        )
    except subprocess.TimeoutExpired:
        return None
    answers = run.stdout.split()
    if "sat" in answers:
        return False
    return True if answers == ["unsat"] * len(problems) else None


def _answer(problem: str, seconds: float) -> str:
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(max(10, int(1000 * seconds))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, problem, "certificate")
    symbols = parser.getSymbolManager()
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = command.invoke(solver, symbols).strip() or answer
    return answer


if __name__ == "__main__":
    texts, limit = json.load(sys.stdin)
    for text in texts:
        print(_answer(text, limit / len(texts)).replace(" ", "_") or "none", flush=True)
