"""Check a certificate: from a sequent, a certificate and lemmas to the list of axioms that the proof trusts, or Rejected."""

from __future__ import annotations

from collections.abc import Mapping

from dpbook.kernel.environment import Environment, Fields, Trust
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.rules import RULES

DEEPEST = 150  # nodes below each other
NODES = 50_000
FAULTS = (ArithmeticError, ValueError, TypeError, LookupError, AttributeError, AssertionError)


def check(
    sequent: Sequent, certificate: object, lemmas: Mapping[str, Sequent] | None = None
) -> Trust:
    """Check a certificate of a sequent.

    Parameters
    ----------
    sequent : Sequent
    certificate : plain data
        A node ``{"rule": name, fields ..., "premises": [nodes]}``; the sequents of the premises are
        computed by the rule, never read. Each premise has a node; a node of the rule `auto` says that
        its premise needs no proof.
    lemmas : mapping from names to sequents
        The statements that the rule `lemma` may use. The caller must make sure that they hold; for files
        `files/replay` does.

    Returns
    -------
    Trust
        The axioms and lemmas that the proof uses.

    Raises
    ------
    Rejected
        When the certificate does not prove the sequent, or takes too much memory.
    """
    env = Environment(lemmas or {})
    count = [0]
    try:
        sequent.check_formed()
        _visit(sequent, certificate, (), env, count)
    except RecursionError:
        raise Rejected("the certificate is nested too deeply") from None
    except MemoryError:
        raise Rejected("the check takes too much memory") from None
    return env.trust


def _visit(
    s: Sequent, node: object, path: tuple[int, ...], env: Environment, count: list[int]
) -> None:
    count[0] += 1
    if not isinstance(node, dict) or not isinstance(node.get("rule"), str):
        raise Rejected("a node must be an object with a rule", "", path)
    name = node["rule"]
    if name not in RULES:
        raise Rejected(f"there is no rule {name[:40]!r}", "", path)
    if count[0] > NODES or len(path) > DEEPEST:
        raise Rejected("the certificate has too many nodes, or is nested too deeply", name, path)
    given = node.get("premises", [])
    try:
        premises = RULES[name](s, Fields(node, s), env)
    except Rejected as error:
        raise Rejected(error.why, name, path) from None
    except FAULTS as error:
        raise Rejected(f"{type(error).__name__}: {error}", name, path) from None
    if not isinstance(given, list) or len(given) != len(premises):
        found = len(given) if isinstance(given, list) else "no list"
        raise Rejected(f"the number of premises must be {len(premises)}, got {found}", name, path)
    for i, (premise, child) in enumerate(zip(premises, given, strict=True)):
        _visit(premise, child, (*path, i), env, count)
