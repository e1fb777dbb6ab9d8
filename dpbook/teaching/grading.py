"""An answer graded where nothing runs that a student wrote.

The hidden test of a released notebook calls `handed`, which shows the answer as data. The
autograder's own process reads the data there after the notebook has run
(`dpbook.teaching.course`), and asks ``python -I -m dpbook.teaching.grading KEY STUDENT SEED``:
that reads a line with a nonce, a line with the lecturer's seed for programs, then the data, decides it,
and writes the nonce, why, and the nonce with the verdict and the share of the points. A status alone is
no verdict, and functions run in another process still (`dpbook.teaching.apart`), which does not know the
nonce. Exercises of the lecturer's own are found in the folder in which that process works: the
lecturer's copy of the assignment, not the one that a student handed in.
"""

from __future__ import annotations

import base64
import contextlib
import os
import re
import secrets
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from dpbook.teaching import exercises
from dpbook.teaching.apart import PYTHON, received
from dpbook.teaching.plain import Unsendable, sent
from dpbook.teaching.questions import Mark

__all__ = ["Unsendable", "data_in", "decided", "handed", "main", "received", "sent"]

MARK = "dpbook-answer"
UNREAD = "the answer cannot be read"
SECONDS = 500.0
NONE = Fraction(0)


def handed(key: str, answer: Any, seed: int = 0) -> None:
    """Show an answer as data, for the autograder; `key` and `seed` are read from the cell."""
    print(f"\n{MARK} {base64.b64encode(sent(answer)).decode()}")


def data_in(shown: str) -> bytes | None:
    """Return what was handed in the text that a cell showed."""
    found = re.findall(rf"^{MARK} ([A-Za-z0-9+/=]+)$", shown, re.MULTILINE)
    return base64.b64decode(found[-1]) if found else None


def decided(
    key: str,
    data: bytes,
    student: str = "",
    seed: int = 0,
    fresh: str = "",
    folder: Path | None = None,
) -> tuple[Fraction, str]:
    """Return the share of the points of an answer, and the words for it.

    A share of 1 is a right answer. It is decided in a process of its own.

    Parameters
    ----------
    key : str
    data : bytes
        The answer, as `sent` wrote it.
    student, seed
        Whose numbers; see `dpbook.teaching.exercises.find`.
    fresh : str
        The lecturer's seed, from which the inputs of programs are drawn.
    folder : Path, optional
        Where the lecturer's own exercises are.
    """
    nonce = secrets.token_hex(16)
    try:
        done = subprocess.run(
            [PYTHON, "-I", "-m", "dpbook.teaching.grading", key, student, str(seed)],
            input=b"\n".join((nonce.encode(), base64.b64encode(fresh.encode()), data)),
            capture_output=True,
            timeout=SECONDS,
            cwd=folder,
        )
    except subprocess.TimeoutExpired:
        return NONE, "the answer was not decided in time"
    _, *said = done.stdout.decode(errors="replace").split(nonce)
    if len(said) != 2:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return NONE, f"the answer was not decided: {''.join(last) or 'its process ended'}"
    words, verdict = said
    found = re.fullmatch(rf" ({Mark.RIGHT}|{Mark.WRONG}|{Mark.OPEN}) (\d+)/(\d+)\n", verdict)
    if found is None or (done.returncode == 0) != (found[1] == str(Mark.RIGHT)):
        return NONE, words.strip("\n")
    return Fraction(int(found[2]), int(found[3])), words.strip("\n")


def main(arguments: list[str]) -> int:
    """Grade the answer on the standard input: KEY STUDENT SEED."""
    key, student, seed = arguments
    nonce = sys.stdin.buffer.readline().decode().strip()
    fresh = base64.b64decode(sys.stdin.buffer.readline()).decode()
    data = sys.stdin.buffer.read()
    # the output of a library is no verdict
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        asked = exercises.find(key, student, int(seed) if student else None).as_graded(fresh)
        try:
            outcome = exercises.judged(asked, received(data))
        except Exception as error:  # of data that `sent` never writes; a line for whoever reads it
            words = " ".join(str(error).split())[:200].removeprefix(f"{UNREAD}: ")
            outcome = asked.said(Mark.OPEN, f"{UNREAD}: {words}" if words else UNREAD)
    share = Fraction(outcome.share)
    print(f"{nonce}\n{outcome}\n{nonce} {outcome.verdict} {share.numerator}/{share.denominator}")
    return 0 if outcome.verdict is Mark.RIGHT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
