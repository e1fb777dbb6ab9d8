"""Check the lemmas of the kernel, the first proofs of all, in an order that shows that no circle is among them.

A lemma stands in a file of ``lemmas/``, in the form of a proof on record, and its statement in ``lemmas.toml``. Its proof may use what
``axioms.toml`` takes as true, and the lemmas before it: those of the files before, and those that stand
earlier in its own file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dpbook.kernel.check import check
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.replay import Replayed, Unusable, read
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.files.shorthand import Entry
from dpbook.kernel.formulas import And, Formula, Is, Or, Relation, Sequent, flat
from dpbook.kernel.table import AXIOMS, INTEGRALS, UNPROVED, Axiom, Integral
from dpbook.kernel.text import text

# the files of lemmas, in the order in which their proofs are checked
LEMMAS = tuple(
    Path(__file__).parents[1] / "lemmas" / f"{subject}.json"
    for subject in (
        "definitions",
        "exponential",
        "logarithm",
        "powers",
        "hyperbolic",
        "trigonometric",
        "inverse",
        "erf_gamma",
        "integers",
        "integrals",
    )
)

# the axioms beneath each fact that proofs use: itself where it is taken as true
BENEATH: dict[str, frozenset[str]] = {
    name: frozenset((name,) if name in UNPROVED else fact.rests)
    for name, fact in (*AXIOMS.items(), *INTEGRALS.items())
}


def on_record() -> dict[str, Entry]:
    """Return the lemmas with their proofs, in the order in which they are checked.

    Raises
    ------
    Unusable
        When a file cannot be read, or a lemma stands in two of them.
    """
    found: dict[str, Entry] = {}
    for path in LEMMAS:
        for name, entry in read(path).items():
            if name in found:
                raise Unusable(f"{path}: {name} stands in another file too")
            found[name] = entry
    return found


def replay_lemmas(entries: Mapping[str, Entry]) -> dict[str, Replayed]:
    """Check lemmas in their order; each accepted one trusts the axioms that its proof rests on.

    A proof is rejected when it uses a lemma that is rejected, or does not stand before it.
    """
    done: dict[str, Replayed] = {}
    for name, entry in entries.items():
        try:
            sequent = sequent_from_json(entry["sequent"])
            if stated(sequent) != (row := AXIOMS.get(name) or INTEGRALS.get(name)):
                raise Rejected("proofs use another statement of this name")
            used = check(sequent, entry.get("certificate"))
            used.axioms = resting(used.axioms, done)
            if row is None or used.axioms != set(row.rests):
                raise Rejected(f"its proof rests on {', '.join(sorted(used.axioms)) or 'no axiom'}")
            done[name] = Replayed(name, used)
        except Rejected as error:
            done[name] = Replayed(name, rejected=error)
        except ValueError as error:
            done[name] = Replayed(name, rejected=Rejected(f"it is no sequent: {error}"))
    return done


def resting(used: set[str], lemmas: Mapping[str, Replayed]) -> set[str]:
    """Return the axioms on which axioms and lemmas rest.

    Raises
    ------
    Rejected
        When a lemma is rejected, or is not among those checked.
    """
    found = used & UNPROVED
    for name in sorted(used - UNPROVED):
        if name not in lemmas:
            raise Rejected(
                f"the lemma {name} of the kernel does not stand before this proof", "axiom"
            )
        if lemmas[name].rejected is not None:
            raise Rejected(f"the lemma {name} of the kernel is rejected", "axiom")
        found |= lemmas[name].trust.axioms
    return found


def stated(sequent: Sequent) -> Axiom | Integral:
    """Return a lemma in the form in which proofs use it.

    Raises
    ------
    Rejected
        When a proof that uses the lemma would have to show more than its conditions: it is about
        integers or unknown functions, or says that something is defined other than an integral
        with a value.
    """
    names = tuple(name for name, _ in sequent.variables)
    plain = not sequent.functions and {sort for _, sort in sequent.variables} <= {"real"}
    if not plain or not all(map(_plain, sequent.hypotheses)):
        raise Rejected("a lemma of the kernel is about real numbers that satisfy relations")
    conditions, parts = tuple(map(str, sequent.hypotheses)), flat(sequent.goal)
    if all(map(_plain, parts)):
        formulas = tuple(map(str, parts))
        return Axiom(names=" ".join(names), conditions=conditions, formulas=formulas)
    value = parts[-1]
    if not isinstance(value, Relation) or parts != (Is("defined", value.left), value):
        raise Rejected("a lemma of the kernel concludes relations, or the value of an integral")
    t = value.left
    if value.op != "==" or t.head != "integral" or t.name != "x" or "x" in names:
        raise Rejected("an integral with a value binds x")
    body, low, high, found = map(text, (*t.args, value.right))
    return Integral(
        names=" ".join(names),
        conditions=conditions,
        low=low,
        high=high,
        body=body,
        value=found,
    )


def _plain(f: Formula) -> bool:
    """Return whether a formula is made of relations, and of terms being integers."""
    if isinstance(f, (And, Or)):
        return all(map(_plain, f.parts))
    return isinstance(f, Relation) or (isinstance(f, Is) and f.what == "integer")
