"""Hash all things on which the verdict of a claim depends."""

from __future__ import annotations

import hashlib

import sympy

from dpbook.engine.claims import proof_files, record
from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import Claim
from dpbook.engine.claims.classes import classes_in, sources_of
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.language.statement import unfold_definitions
from dpbook.engine.language.task import expressions_of


def content_key(claim: Claim, seed: int, known: dict[str, str] | None = None) -> str:
    """Return a hash of all that decides the verdict of a claim, with its proof on record.

    Parameters
    ----------
    claim : Claim
    seed : int
    known : dict, optional
        The hashes so far, by the keys of the claims: each hash is made once.
    """
    known = {} if known is None else known
    if claim.key in known:
        return known[claim.key]
    said = [claim.hash, str(seed), str(claim.time_limit), record.source_hash("kernel", "engine")]
    said.append(proof_files.digest(proof_on_record(claim)))
    said += [str(claim.source)] if claim.axiom else []
    steps, instances = claim.proof.steps if claim.proof is not None else (), claim.instances
    with sympy.evaluate(False):  # once, not for each side
        said += [str(s.tree.map(unfold_definitions)) for s in steps]
        said += [str(sorted((str(k), str(v)) for k, v in point.items())) for point in claim.try_at]
        said += [f"{what} = {value}" for what, value in claim.example.items()]
        said += [
            claim.scope,
            *claim.cites,
            *sorted(claim.without),
            *(f"{s} = {unfold_definitions(value)}" for _, at in instances for s, value in at),
        ]
    trees = (claim.form, *claim.given, *(s.tree for s in steps))
    put_in = (e for _, at in instances for pair in at for e in pair if isinstance(e, sympy.Basic))
    parts = [*(e for tree in trees for e in expressions_of(tree)), *put_in]
    # two distributions with the same name look the same in the text of a statement
    said += sources_of(classes_in(parts))
    said += [content_key(find(key), seed, known) for key in (*claim.using, *claim.corrects)]
    known[claim.key] = hashlib.sha256("|".join(said).encode()).hexdigest()
    return known[claim.key]


def file_name(claim: Claim) -> str:
    """Return the name under which the evidence of a claim is remembered."""
    return claim.key.replace(":", "__")
