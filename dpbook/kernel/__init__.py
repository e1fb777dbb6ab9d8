"""The kernel: a proof is data, and a small program checks it.

A sequent says that a formula holds for all values of its variables that satisfy its hypotheses. A
certificate is a tree of rules that ends in nothing left to show. `check` walks the tree: each rule
computes its own premises, so a certificate can leave nothing out; where it says `auto`, one function
decides whether signs and hypotheses are enough. The kernel searches nothing else, has no clock, no
randomness and no state (it keeps what texts and numbers were read to, which changes no answer), and
needs Python's standard library only.

What terms mean. Every function is total: where it is not defined (1/0, log(-1), an integral that
does not converge) it has some real value of which nothing is known. A rule holds whatever those
values are. That both sides of a statement are defined is a part of its goal, ``defined(t)``, and is
proved like any other.

Facts about functions are axioms, or lemmas that are proved from them (`dpbook.kernel.table`).
`python -m dpbook.kernel FILE ...` checks the lemmas, and the proofs of files.
"""

from dpbook.kernel.check import check
from dpbook.kernel.environment import Trust
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent

__all__ = ["Rejected", "Sequent", "Trust", "check"]
