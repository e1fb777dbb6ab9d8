"""Check the lemmas of the kernel, the first proofs of all, in an order that shows that no circle is among them.

A lemma stands in a file of ``lemmas/``, in the form of a proof on record. Its proof may use what
``axioms.toml`` takes as true, and the lemmas before it: those of the files before, and those that stand
earlier in its own file.
"""

from __future__ import annotations

from collections.abc import Mapping

from dpbook.kernel.axioms import AXIOMS, INTEGRALS, LEMMAS, UNPROVED, stated
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import sequent_from_json
from dpbook.kernel.replay import Replayed, Unusable, checked, read
from dpbook.kernel.shorthand import Entry


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
            if stated(sequent) != (AXIOMS.get(name) or INTEGRALS.get(name)):
                raise Rejected("proofs use another statement of this name")
            used = checked(sequent, entry.get("certificate"), {})
            used.axioms = resting(used.axioms, done)
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
