"""The ledger: every claim with its evidence, decided in parallel and in the order of dependence."""

from __future__ import annotations

import difflib
import hashlib
import html
import importlib
import importlib.util
import pkgutil
import sys
import traceback
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine import card, finite_models, proofs, record, search_results
from dpbook.engine.accept import checked, entry_refutes, fits
from dpbook.engine.card import Card, Key, Maths, maths
from dpbook.engine.claim import REGISTRY, Claim, ClaimError, staying
from dpbook.engine.classes import classes_in, sources_of
from dpbook.engine.confirm import Confirm, exact
from dpbook.engine.domain import Bounds, with_ranges
from dpbook.engine.failing import kernel_point
from dpbook.engine.forms import refuse_bounded
from dpbook.engine.mutants import mutants_of, tally
from dpbook.engine.named import Named, with_names
from dpbook.engine.proof_text import CHECKED, Line, as_html, cut, lines_of
from dpbook.engine.proofs import Replay
from dpbook.engine.sequents import Untranslatable, sequent_of
from dpbook.engine.statement import (
    LATEX,
    Both,
    Eventually,
    Exists,
    ForAll,
    Noted,
    Order,
    Relation,
    free_in,
    latex,
    text,
    unfold_definitions,
)
from dpbook.engine.task import Certified, Lemma, Task, expressions_of, free_symbols
from dpbook.engine.unknown import unknowns_of
from dpbook.engine.verdict import NAMED, Counterexample, Evidence, Verdict, from_json, to_json
from dpbook.engine.with_example import WithExample
from dpbook.engine.workers import Pool, run_one, was_lost
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import Sequent
from dpbook.kernel.replay import foreign_letter, lemmas_in

Row = dict[str, Any]
Progress = Callable[[str], None]
FAULTS = {
    "error": "wrong as printed, beyond a slip of the pen",
    "boundary": "wrong or undefined only at the edge of what is assumed",
    "code": "wrong in the authors' program; the paper has it right",
    "misprint": "a slip of the pen: the paper goes on with the right formula",
    "scan": "a slip of the scan that was read",
    "consequence": "no fault of its own: it falls with a line that it cites",
}
AXIOM = "of the literature: tested and not proved, taken as true by what rests on it"
_SIGNS = ("integers ", "<", "<=", ">", ">=")
_TEX_SIGNS = (r"\text{integers }", "<", r"\leq", ">", r"\geq")
WHOLE = "the statement without these names"
WIDE = 3.0  # how much wider the net is for what is on record


# --- loading ---------------------------------------------------------------------------------------


def load(topic: str) -> list[Claim]:
    """Import the claims of a topic, in the order of the paper: sections, then appendices."""
    if topic not in record.topics():
        near = difflib.get_close_matches(topic, record.topics(), 1)
        hint = f"; nearest: {near[0]}" if near else f"; there are {', '.join(record.topics())}"
        raise ClaimError(f"no topic {topic}{hint}")
    with sympy.evaluate(True):  # whoever asks, a condition is the same formula
        package = importlib.import_module(f"dpbook.{topic}.claims")
        names = sorted(
            (info.name for info in pkgutil.iter_modules(package.__path__)),
            key=lambda name: (name.startswith("appendix"), name),
        )
        for name in names:
            importlib.import_module(f"{package.__name__}.{name}")
    order = {f"{package.__name__}.{name}": index for index, name in enumerate(names)}
    claims = [c for c in REGISTRY.values() if c.function.__module__ in order]
    return sorted(
        claims,
        key=lambda c: (order[c.function.__module__], c.function.__code__.co_firstlineno),
    )


def load_file(path: Path) -> list[Claim]:
    """Import a user's own file and return the claims in it.

    Raises
    ------
    ClaimError
        When the file cannot be imported, or holds no claim.
    """
    topic = path.stem
    if topic in record.topics():
        raise ClaimError(f"{path.name} is called as the topic {topic}; give it another name")
    if "." in topic:
        raise ClaimError(f"{path.name} has a dot in its name, and is no Python module; rename it")
    # a file called random.py must not take the place of Python's own module
    name = f"own_{topic}" if importlib.util.find_spec(topic) else topic
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ClaimError(f"{path} is no Python file")
    for key in [key for key, c in REGISTRY.items() if c.topic == topic]:
        del REGISTRY[key]
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder, writes = str(path.parent), sys.dont_write_bytecode
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True  # a folder of the user's stays as it was
    try:
        with sympy.evaluate(True), staying():
            spec.loader.exec_module(module)
    except ClaimError as error:
        raise ClaimError(f"{path}{_line_in(path, error)}: {error}") from error
    except (Exception, SystemExit) as error:
        said = f"{type(error).__name__}: {error}"
        raise ClaimError(f"{path}{_line_in(path, error)} cannot be imported: {said}") from error
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
    claims = [c for c in REGISTRY.values() if c.topic == topic]
    if not claims:
        raise ClaimError(f"{path} holds no claim; decorate a function with dpbook.claim")
    return claims


def _line_in(path: Path, error: BaseException) -> str:
    """The line of a user's file that an error came from, as ``:12``; empty where there is none."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f":{error.lineno}"
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename) == path
    ]
    return f":{lines[-1]}" if lines else ""


def find(key: str) -> Claim:
    """Return a claim by its key.

    Raises
    ------
    KeyError
        When there is none; the message names the nearest key.
    """
    if not isinstance(key, str):
        raise NoClaim(f"a key is text such as langevin:lemma-4.2, got {key!r}")
    if key in REGISTRY:
        return REGISTRY[key]
    if fault := foreign_letter(key):
        raise NoClaim(fault)
    topic = key.partition(":")[0]
    for name in [topic] if topic in record.topics() else record.topics():
        load(name)
    if key in REGISTRY:
        return REGISTRY[key]
    if key in record.topics():
        raise NoClaim(f"{key} is a topic and no claim; its claims: dpbook list {key}")
    near = [full for full in REGISTRY if full.partition(":")[2] == key]
    near = near or difflib.get_close_matches(key, list(REGISTRY), 1, cutoff=0.6)
    hint = f"; nearest: {', '.join(near)}" if near else ""
    raise NoClaim(f"no claim {key}{hint}")


class NoClaim(ClaimError, KeyError):
    """There is no claim of that key."""

    def __str__(self) -> str:
        return str(self.args[0])


def lemmas(using: Sequence[Any]) -> list[Lemma]:
    """Return claims, or claims of keys, as lemmas, also at values in a pair; each must be proved."""
    found: list[Lemma] = []
    if not isinstance(using, (str, Claim, list, tuple)):
        raise ValueError(f"using must be a claim's key, or several, got {using!r}")
    items: Sequence[Any] = [using] if isinstance(using, (str, Claim)) or _is_pair(using) else using
    for item in items:
        named, values = item if _is_pair(item) else (item, dict)
        with sympy.evaluate(False):
            instance = tuple((what, sympy.sympify(v)) for what, v in values().items())
        claim = named if isinstance(named, Claim) else find(named)
        evidence = ledger[claim.key].evidence if claim.key in REGISTRY else decide_one(claim)
        if evidence.verdict is not Verdict.PROVED:
            raise ClaimError(f"{claim.key} is {evidence.verdict.value}, so a proof cannot use it")
        found.extend(replace(lemma, instance=instance) for lemma in claim.lemmas())
    return found


def _is_pair(item: Any) -> bool:
    """Whether it is a claim, or its key, with a function that returns values for its symbols."""
    return (
        isinstance(item, tuple)
        and len(item) == 2
        and callable(item[1])
        and not isinstance(item[1], Claim)
    )


# --- order -----------------------------------------------------------------------------------------


def closure(claims: Sequence[Claim]) -> list[Claim]:
    """Return the claims and all that they use or correct, each after those.

    Raises
    ------
    ClaimError
        When claims use each other in a cycle.
    """
    ordered: dict[str, Claim] = {}

    def visit(claim: Claim, path: tuple[str, ...]) -> None:
        if claim.key in path:
            cycle = (*path[path.index(claim.key) :], claim.key)
            raise ClaimError(f"claims use each other in a cycle: {' -> '.join(cycle)}")
        if claim.key in ordered:
            return
        for key in (*claim.using, *claim.corrects):
            visit(find(key), (*path, claim.key))
        ordered[claim.key] = claim

    for claim in claims:
        visit(claim, ())
    return list(ordered.values())


def unreadable(claims: Sequence[Claim]) -> dict[str, str]:
    """Say of claims that cannot be decided as they stand why that is, each in a line.

    Such a one has a fault of its own, a float for example, or uses one that has.
    """
    faults: dict[str, str] = {}
    sound: set[str] = set()
    for claim in claims:
        try:
            ordered = closure([claim])
        except ClaimError as error:
            faults[claim.key] = f"{claim.key} ({claim.location}): {error}"
            continue
        for one in ordered:
            if one.key in sound or one.key in faults:
                continue
            used = [key for key in (*one.using, *one.corrects) if key in faults]
            if used:
                faults[one.key] = f"{used[0]} cannot be read, and this claim uses or corrects it"
            elif fault := _fault(one):
                faults[one.key] = fault
            else:
                sound.add(one.key)
    return faults


def _fault(claim: Claim) -> str:
    """Say in a line why a claim cannot be decided as it stands; nothing where it can."""
    try:
        _ = claim.proof, claim.instances, claim.hash
        if not isinstance(claim.form, Noted):
            claim.task()
    except ClaimError as error:
        return str(error)
    except ValueError as error:
        return f"{claim.key} ({claim.location}): {error}"
    return ""


# --- deciding --------------------------------------------------------------------------------------


def content_key(claim: Claim, seed: int, known: dict[str, str] | None = None) -> str:
    """Return a hash of all that decides a claim's verdict, what is on record of it included.

    Parameters
    ----------
    claim : Claim
    seed : int
    known : dict, optional
        The hashes so far, of claims by their keys: those of what many rest on are made once.
    """
    known = {} if known is None else known
    if claim.key in known:
        return known[claim.key]
    said = [claim.hash, str(seed), str(claim.time_limit), record.source_hash("kernel", "engine")]
    said.append(proofs.digest(proof_on_record(claim)))
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
    said += sources_of(
        classes_in(parts)
    )  # two distributions of one name are one in the text of a statement
    said += [content_key(find(key), seed, known) for key in (*claim.using, *claim.corrects)]
    known[claim.key] = hashlib.sha256("|".join(said).encode()).hexdigest()
    return known[claim.key]


def decide_all(
    claims: Sequence[Claim],
    *,
    jobs: int = 2,
    seed: int = 0,
    use_cache: bool = True,
    progress: Progress | None = None,
    recorded: dict[str, Row] | None = None,
    search: Collection[str] = (),
    certify: bool = False,
    found: search_results.SearchResults | None = None,
) -> dict[str, tuple[Evidence, bool]]:
    """Decide claims in parallel, each after what it uses.

    A proof on record is replayed, a counterexample on record confirmed. Of a statement that is on
    record as supported, only what refutes it is looked for again: it is on record that no proof was
    found. What is none of these, or is named in `search`, is searched, with a certificate for the
    kernel; where the search finds nothing, what is on record stands if it holds. Where none is on record of this very statement it is looked for again with `certify`
    only, as that takes long. What a search comes to is put into `found` at once, and what is there is
    not searched again.

    Returns
    -------
    dict
        For each key the evidence, and whether it was remembered.
    """
    ordered = closure(claims)
    done: dict[str, tuple[Evidence, bool]] = {}
    keys: dict[str, str] = {}
    waiting: list[Claim] = []
    for claim in ordered:
        if isinstance(claim.form, Noted):
            evidence = Evidence(Verdict.NOTED, reason=claim.form.why)
            done[claim.key] = (with_rendering(claim, evidence), False)
            if progress:
                progress(claim.key)
            continue
        stored = None
        if use_cache and claim.key not in search and record.remembers("claims", _file(claim)):
            stored = record.recall("claims", _file(claim), content_key(claim, seed, keys))
            if certify and claim.topic not in record.topics() and not _on_proof(stored):
                stored = None  # nobody has looked for a certificate of a user's claim yet
        if stored is not None:
            done[claim.key] = (with_rendering(claim, from_json(stored)), True)
            if progress:
                progress(claim.key)
        else:
            waiting.append(claim)
    # of each claim that waits, what it rests on and is not decided yet
    open_ = {c.key: {key for key in (*c.using, *c.corrects) if key not in done} for c in waiting}
    failed: dict[str, str] = {}  # what is on record of a claim does not hold: why, of a proof
    tried: set[str] = set()
    repeated: set[str] = set()  # those where only what refutes is looked for
    missed: set[str] = set()  # those that a search did not decide: what is on record is tried next
    kept_before: set[str] = set()  # those whose search an earlier run has done
    pool: Pool | None = None

    def searches(key: str) -> bool:
        return key in search and key not in missed

    def state(claim: Claim) -> str:
        return search_results.state(
            content_key(claim, seed, keys), (recorded or {}).get(claim.key, {})
        )

    def finish(key: str, answer: Evidence) -> None:
        claim = REGISTRY[key]
        replayed = key in tried and key not in failed
        if replayed and key in repeated and answer.verdict is Verdict.SUPPORTED:
            answer = _as_on_record(answer, (recorded or {})[key])
        elif replayed and (key in repeated or answer.verdict is Verdict.UNDECIDED):
            failed[key] = answer.reason if answer.method == proofs.METHOD else ""
            waiting.insert(0, claim)
            return
        if not replayed:
            if found and searches(key) and key not in kept_before and not was_lost(answer):
                found.keep(key, state(claim), answer)
            answer = checked(
                answer, claim.form, claim.given, lambda proof: _lemmas_of(claim, proof, done)
            )
            open_still = answer.verdict not in (Verdict.PROVED, Verdict.REFUTED)
            before = (recorded or {}).get(key, {})
            if open_still and searches(key) and _on_record(claim, before, done):
                missed.add(key)
                waiting.insert(0, claim)
                return
        elif key in missed:
            answer = replace(answer, certificate={**answer.certificate, "kept": True})
        if claim.axiom:
            evidence = _tested(claim, answer, (recorded or {}).get(key, {}))
        else:
            evidence = _downgraded(claim, answer, done)
        if failed.get(key):
            certificate = {**evidence.certificate, "rejected": failed[key]}
            evidence = replace(evidence, certificate=certificate)
        # A new search may find less than what is on record, or another proof: cards show what is on record.
        if key in search and (key in (recorded or {}) or proof_on_record(claim)):
            record.forget("claims", _file(claim))
        elif use_cache and evidence.verdict is not Verdict.UNDECIDED:
            record.remember(
                "claims", _file(claim), content_key(claim, seed, keys), to_json(evidence)
            )
        done[key] = (with_rendering(claim, evidence), key in kept_before)
        for others in open_.values():
            others.discard(key)
        if progress:
            progress(key)

    try:
        while waiting or (pool and pool.busy):
            ready = [c for c in waiting if not open_[c.key]]
            while ready and (pool is None or pool.idle):
                claim = ready.pop(0)
                waiting.remove(claim)
                task: Task | Certified | Replay | WithExample | Confirm | None = None
                before = (recorded or {}).get(claim.key, {})
                if found and searches(claim.key):
                    earlier = found.recall(claim.key, state(claim))
                    if earlier is not None:
                        kept_before.add(claim.key)
                        finish(claim.key, earlier)
                        continue
                if not searches(claim.key) and claim.key not in failed:
                    task = _on_record(claim, before, done)
                    if task is None and _proof_of_another(claim, before):
                        failed[claim.key] = record.ANOTHER
                    if task is None and not certify and _supported(claim, before):
                        task = replace(_task(claim, before, seed, done), repeats=True)
                        repeated.add(claim.key)
                if task is not None:
                    tried.add(claim.key)
                if isinstance(task, (Replay, WithExample)) and jobs == 1:  # needs no worker
                    try:
                        finish(claim.key, task.run())
                    except ValueError as error:
                        finish(claim.key, _refused(claim.key, error))
                    continue
                pool = pool or Pool(min(jobs, len(waiting) + 1), patience=WIDE)
                if task is None:
                    task = _search(claim, before, seed, done, certify)
                pool.submit(claim.key, task)
            for key, answer in pool.wait() if pool else ():
                finish(key, _refused(key, answer) if isinstance(answer, ValueError) else answer)
    finally:
        if pool:
            pool.close()
    return {claim.key: done[claim.key] for claim in ordered}


def _refused(key: str, error: ValueError) -> Evidence:
    """What a claim comes to that cannot be decided as it stands: of a user's file one line.

    Raises
    ------
    ClaimError
        When it is one of a topic.
    """
    said = f"{key} ({REGISTRY[key].location}): {error}"
    if REGISTRY[key].topic in record.topics():
        raise ClaimError(said) from error
    return Evidence(Verdict.UNDECIDED, reason=said)


def _on_proof(stored: Row | None) -> bool:
    """Whether remembered evidence holds a certificate, or is of a kind that has none."""
    if stored is None or stored.get("verdict") not in ("proved", "refuted"):
        return True
    return "proof" in (stored.get("certificate") or {})


def _supported(claim: Claim, before: Row) -> bool:
    """Whether it is on record that no proof of this very statement was found."""
    same = before.get("hash") == claim.hash
    return same and before.get("verdict") == Verdict.SUPPORTED.value and "reason" in before


def _as_on_record(evidence: Evidence, before: Row) -> Evidence:
    """Evidence whose points or examples were repeated, with all that the whole search has seen."""
    return replace(
        evidence,
        method=before.get("method", ""),
        reason=before["reason"],
        trusted=tuple(before.get("trusted", ())),
        steps=tuple(before.get("steps", ())),
        certificate=before.get("certificate", {}),
    )


def _task(claim: Claim, before: Row, seed: int, done: dict[str, tuple[Evidence, bool]]) -> Task:
    """A claim's task, with the method on record first and the points where its print fails."""
    hint = before.get("method", "")
    failed_at = [_point(done[key][0]) for key in claim.corrects]
    points = [point for point in failed_at if point]
    return claim.task(_used(claim), seed, hint.rpartition(", ")[2], points)


def _search(
    claim: Claim,
    before: Row,
    seed: int,
    done: dict[str, tuple[Evidence, bool]],
    certify: bool,
) -> Task | Certified:
    """The task of deciding a claim anew."""
    task = _task(claim, before, seed, done)
    if before.get("verdict") == "proved":  # a slow machine must not change a verdict
        task = replace(task, time_limit=WIDE * task.time_limit)
    looked = before.get("hash") == claim.hash and before.get("verdict") != "proved"
    if claim.axiom or (looked and not certify):  # it is on record that there was no proof
        return task
    lemmas = {}
    for key in claim.using:
        if _usable(find(key), done[key][0]):
            with suppress(Rejected):
                lemmas[key] = _statement_of(find(key), done[key][0])
    return Certified(task, lemmas)


# --- what is on record --------------------------------------------------------------------------------


def proof_on_record(claim: Claim) -> proofs.Entry | None:
    """Return the proof of a claim on record, whether or not it still fits."""
    if claim.topic in record.topics():
        return proofs.of_topic(claim.topic).get(claim.key)
    path = Path(claim.function.__code__.co_filename)
    return proofs.in_file(proofs.beside(path)).get(claim.key)


def _on_record(
    claim: Claim, before: Row, done: dict[str, tuple[Evidence, bool]]
) -> Replay | WithExample | Confirm | None:
    """The task of replaying what is on record of a claim, where it is about this statement."""
    if claim.axiom:
        return None
    entry = proof_on_record(claim)
    if entry is not None and "axiom" in entry:
        entry = None  # whatever the file says, this claim is to be proved
    if entry is not None and _says_something(claim) and fits(claim.form, claim.given, entry):
        try:
            lemmas = _lemmas_of(claim, entry["certificate"], done)
        except Rejected:
            return None  # a lemma is not proved any more
        other = [key for key in lemmas[0] if find(key).axiom and not _axiom_on_record(find(key))]
        if other:
            return Replay(entry, *lemmas, f"the axiom {other[0]} on record is another statement")
        replay = Replay(entry, *lemmas)
        # what the kernel cannot evaluate, the engine may
        sure = proofs.inhabited(entry) and not claim.example
        return replay if sure else WithExample(claim.task(), replay)
    point = before.get("counterexample") if before.get("hash") == claim.hash else None
    shown = point if isinstance(point, dict) else None
    if entry is not None and entry_refutes(claim.form, claim.given, entry):
        there = entry["point"] if shown is None or not _alike(shown, entry) else shown
        return Confirm(claim.task(), tuple(there.items()), entry)
    return None if shown is None else Confirm(claim.task(), tuple(shown.items()))


def _proof_of_another(claim: Claim, before: Row) -> bool:
    """Whether the record is about this statement, and the proof beside it about another."""
    entry = proof_on_record(claim)
    if entry is None or "axiom" in entry or before.get("hash") != claim.hash:
        return False
    return not (
        fits(claim.form, claim.given, entry) or entry_refutes(claim.form, claim.given, entry)
    )


def _axiom_on_record(claim: Claim) -> bool:
    """Whether what stands among the proofs for an axiom is its statement, as an axiom."""
    entry = proof_on_record(claim)
    return entry is not None and "axiom" in entry and fits(claim.form, claim.given, entry)


def _says_something(claim: Claim) -> bool:
    """Whether a statement about large values of an index is about any; others always are."""
    if not isinstance(claim.form, (Eventually, Order)):
        return True
    try:
        refuse_bounded(claim.task())
    except ValueError:
        return False  # to be searched, which says why
    return True


def _alike(point: dict[str, str], entry: proofs.Entry) -> bool:
    """Whether a point as shown is that of an entry."""
    try:
        return kernel_point(point.items()) == entry["point"]
    except Untranslatable:
        return False


def sections(topic: str) -> dict[str, str]:
    """Return the claims of a topic in the order of the paper, each with its module's name."""
    return {c.key: c.function.__module__.rpartition(".")[2] for c in load(topic)}


def _lemmas_of(
    claim: Claim, certificate: object, done: dict[str, tuple[Evidence, bool]]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The sequents of the lemmas that a certificate uses, and what those trust.

    Raises
    ------
    Rejected
        When the claim does not rest on one, or one is not proved.
    """
    sequents: dict[str, Any] = {}
    trusted: set[str] = set()
    for key in lemmas_in(certificate):
        if key not in claim.using or not _usable(find(key), done[key][0]):
            raise Rejected(f"{claim.key} does not rest on {key}, or that is not proved", "lemma")
        sequents[key] = _statement_of(find(key), done[key][0])
        trusted |= set(done[key][0].trusted) | _named(find(key))
    return sequents, tuple(trusted)


def _usable(claim: Claim, evidence: Evidence) -> bool:
    """Whether a proof may use a claim: it is proved, or an axiom that its examples bear out."""
    if claim.axiom and evidence.verdict is Verdict.SUPPORTED:
        return True
    return evidence.verdict is Verdict.PROVED


def _named(claim: Claim) -> set[str]:
    """What a claim is called among what is trusted, where it is an axiom of the literature."""
    return {f"{NAMED}{claim.key} ({claim.source})"} if claim.axiom else set()


def _tested(claim: Claim, evidence: Evidence, before: Row) -> Evidence:
    """What examples say of an axiom, with its sequent, which goes on record without a proof.

    Raises
    ------
    ClaimError
        When an example refutes it, none could be evaluated, or it is no sequent.
    """
    fault = ""
    if evidence.verdict is Verdict.REFUTED:
        fault = f"an example refutes the axiom: {evidence.counterexample}"
    elif evidence.verdict is not Verdict.SUPPORTED or evidence.method != finite_models.METHOD:
        fault = f"no example tests the axiom: {evidence.reason}"
    try:
        entry = {"sequent": _sequent(claim).to_json(), "axiom": str(claim.source)}
    except Rejected as error:
        fault = fault or f"the axiom is no sequent: {error}"
    if fault:
        raise ClaimError(f"{claim.key} ({claim.location}): {fault}")
    found: dict[str, Any] = {"proof": entry}
    recorded = before.get("hash") == claim.hash
    source = (proof_on_record(claim) or {}).get("axiom")
    if recorded and not (_axiom_on_record(claim) and source == entry["axiom"]):
        found["rejected"] = "the axiom on record has another statement, or another source"
    return replace(evidence, trusted=(), certificate=found)


def _sequent(claim: Claim) -> Sequent:
    try:
        return sequent_of(claim.form, claim.given)
    except Untranslatable as error:
        raise Rejected(str(error), "lemma") from None


def _statement_of(claim: Claim, evidence: Evidence) -> Any:
    """A proved claim's sequent as plain data: that of its checked proof, else its own."""
    proof = (evidence.certificate or {}).get("proof")
    return proof["sequent"] if proof else _sequent(claim).to_json()


def lemmas_among(
    keys: Collection[str],
) -> Callable[[object], tuple[dict[str, Any], tuple[str, ...]]]:
    """Return what gives the lemmas of a certificate that uses proved claims of these keys only."""

    def of(certificate: object) -> tuple[dict[str, Any], tuple[str, ...]]:
        names = lemmas_in(certificate)
        if set(names) - set(keys):
            raise Rejected(f"it uses {min(set(names) - set(keys))}", "lemma")
        said = statements(names)
        if len(said) < len(set(names)):
            raise Rejected("a lemma is not proved", "lemma")
        return said, tuple({t for name in names for t in ledger[name].evidence.trusted})

    return of


def statements(keys: Collection[str]) -> dict[str, Any]:
    """Return the sequents, as plain data, of registered claims that are proved."""
    said = {}
    for key in keys:
        if key in REGISTRY and ledger[key].evidence.verdict is Verdict.PROVED:
            with suppress(Rejected):
                said[key] = _statement_of(ledger[key].claim, ledger[key].evidence)
    return said


def _used(claim: Claim) -> list[Lemma]:
    """What a claim's proof uses; on what is no relation it rests without rewriting with it."""
    used = [(find(key), instance) for key, instance in claim.instances]
    return [
        replace(lemma, instance=instance)
        for other, instance in used
        if isinstance(other.form, ForAll)
        for lemma in other.lemmas()
    ]


def decide_one(claim: Claim, seed: int = 0, progress: Progress | None = None) -> Evidence:
    """Decide one claim, with what it uses, by the methods on record; what is remembered is used."""
    recorded: dict[str, Row] = {}
    for topic in {c.topic for c in closure([claim])} & set(record.topics()):
        recorded |= record.read_record(record.record_path(topic))
    found = decide_all([claim], jobs=1, seed=seed, recorded=recorded, progress=progress)
    return found[claim.key][0]


def _point(evidence: Evidence) -> dict[str, Expr]:
    """The rational coordinates of a counterexample: a repair is tried at that point first."""
    found: dict[str, Expr] = {}
    for name, value in evidence.counterexample.point if evidence.counterexample else ():
        number = exact(value)
        if number is not None and number.is_Rational:
            found[name] = number
    return found


def _file(claim: Claim) -> str:
    return claim.key.replace(":", "__")


def _downgraded(
    claim: Claim, evidence: Evidence, done: dict[str, tuple[Evidence, bool]]
) -> Evidence:
    """A claim is proved only if all that it uses is proved, and nothing is left out."""
    if evidence.verdict is not Verdict.PROVED:
        return evidence
    for key in claim.using:
        other = done[key][0]
        if not _usable(find(key), other):
            return replace(
                evidence,
                verdict=Verdict.SUPPORTED,
                reason=f"it rests on {key}, which is {other.verdict.value}",
            )
    if claim.scope:
        return replace(evidence, verdict=Verdict.SUPPORTED, reason=f"proved in part: {claim.scope}")
    left = _unaccounted(claim)
    if left:
        return replace(
            evidence,
            verdict=Verdict.SUPPORTED,
            reason=f"the source cites {', '.join(left)} for it: name them in using, or in without "
            "with a reason",
        )
    # whether or not the certificate asks for it, what a claim says to rest on is trusted
    named = {f"{NAMED}{one}" for key in claim.using for one in done[key][0].named_axioms}
    named = named.union(*(_named(find(key)) for key in claim.using)) - set(evidence.trusted)
    return replace(evidence, trusted=(*evidence.trusted, *sorted(named))) if named else evidence


def _unaccounted(claim: Claim) -> list[str]:
    """What the source cites, and our proof neither rests on, printed or repaired, nor does without."""
    rests_on: set[str] = set()
    waiting = list(claim.using)
    while waiting:
        key = waiting.pop()
        if key not in rests_on:
            rests_on.add(key)
            waiting += find(key).using
    repaired = {printed for key in rests_on for printed in find(key).corrects}
    return [key for key in claim.cites if key not in rests_on | repaired | set(claim.without)]


def with_rendering(claim: Claim, evidence: Evidence) -> Evidence:
    """Add how the statement reads, in text and in LaTeX."""
    with sympy.evaluate(False):
        return replace(evidence, statement=str(claim.form), latex=claim.form.latex())


# --- rows -------------------------------------------------------------------------------------------


def row_of(
    claim: Claim,
    evidence: Evidence,
    cached: bool,
    corrected_by: Sequence[str],
    readable: bool = True,
) -> Row:
    """Return all that is shown of a claim, as plain data; what is not `readable` has no statement."""
    found = evidence.counterexample
    point: dict[str, str] | str | None = None
    if found is not None:
        point = found.as_dict() or found.note
    return {
        "key": claim.key,
        "topic": claim.topic,
        "label": claim.label,
        "title": claim.title,
        "source": str(claim.source),
        "form": type(claim.form).__name__ if readable else "",
        "latex": evidence.latex,
        "verdict": evidence.verdict.value,
        "recorded": None,
        "method": evidence.method,
        "trusted": list(evidence.trusted),
        "seconds": round(evidence.seconds, 3),
        "cached": cached,
        "counterexample": point,
        "margin": evidence.margin or None,
        "fault": claim.fault or None,
        "effect": claim.effect or None,
        "scope": claim.scope or None,
        "corrected_by": list(corrected_by),
        "cites": list(claim.cites),
        "using": list(claim.using),
        "reason": evidence.reason or None,
        "mutants": None,
        # what the other commands show
        "statement": evidence.statement,
        "finding": found.finding if found else "",
        "given": [str(tree) for tree in claim.given] if readable else [],
        "where": Entry(claim, evidence).meanings if readable else [],
        "sample": [list(p) for p in evidence.sample],
        "steps": list(evidence.steps),
        "place": claim.place,
        "why": claim.why,
        "corrects": list(claim.corrects),
        "location": claim.location,
        "hash": claim.hash if readable else "",
        "certificate": evidence.certificate,
        "entry": proofs.kind_of(proof_on_record(claim)),
        "rejected": (evidence.certificate or {}).get("rejected"),
        "kept": bool((evidence.certificate or {}).get("kept")),  # a search did not find it anew
    }


def row_of_unreadable(claim: Claim, why: str) -> Row:
    """Return the row of a claim that has no statement; `why` is the one line that is said of it."""
    blank = Evidence(Verdict.UNDECIDED, reason=" ".join(why.split()))
    return row_of(claim, blank, False, (), readable=False)


def rows_of(
    claims: Sequence[Claim],
    *,
    jobs: int = 2,
    seed: int = 0,
    use_cache: bool = True,
    progress: Progress | None = None,
    recorded: dict[str, Row] | None = None,
    mutants: bool = False,
    search: Collection[str] = (),
    certify: bool = False,
    found: search_results.SearchResults | None = None,
) -> list[Row]:
    """Decide claims and return their rows, in the order given."""
    decided = decide_all(
        claims,
        jobs=jobs,
        seed=seed,
        use_cache=use_cache,
        progress=progress,
        recorded=recorded,
        search=search,
        certify=certify,
        found=found,
    )
    repairs: dict[str, list[str]] = {}
    for claim in list(REGISTRY.values()):
        for key in claim.corrects:
            repairs.setdefault(key, []).append(claim.key)
    rows = []
    for claim in claims:
        evidence, cached = decided[claim.key]
        _check_repair(claim, decided)
        corrected_by = [
            key
            for key in repairs.get(claim.key, [])
            if key not in decided or decided[key][0].verdict is not Verdict.REFUTED
        ]
        rows.append(row_of(claim, evidence, cached, corrected_by))
    if mutants:
        _plant(claims, rows, jobs, seed, use_cache, progress)
    return rows


def _check_repair(claim: Claim, decided: dict[str, tuple[Evidence, bool]]) -> None:
    """A repair must correct a refuted print, and not fail where the print fails."""
    for key in claim.corrects:
        printed = decided[key][0]
        if printed.verdict is Verdict.PROVED:
            raise ClaimError(
                f"{claim.key} corrects {key}, which is proved: nothing is to be corrected"
            )
        if decided[claim.key][0].verdict is Verdict.REFUTED:
            found = _decided_at(claim, _point(printed))
            if found is not None:
                raise ClaimError(f"{claim.key} fails where {key} fails: {found}")


def _decided_at(claim: Claim, point: dict[str, Expr]) -> Counterexample | None:
    """The counterexample to a claim at one point; None also where its domain has no such point."""
    task = claim.task()
    names = {symbol.name: symbol for symbol in free_symbols(task.form)}
    pins = tuple(Relation(names[name], "==", x) for name, x in point.items() if name in names)
    try:
        return run_one(replace(task, given=(*task.given, *pins))).counterexample
    except ValueError:
        return None


def _plant(
    claims: Sequence[Claim],
    rows: list[Row],
    jobs: int,
    seed: int,
    use_cache: bool,
    progress: Progress | None,
) -> None:
    """Decide planted faults in every proved claim and put the counts into the rows."""
    by_key = {row["key"]: row for row in rows}
    todo: deque[tuple[str, int, Any]] = deque()
    left: Counter[str] = Counter()
    keys: dict[str, str] = {}
    stored_at: dict[str, tuple[str, str]] = {}

    def tell(key: str, found: list[Evidence]) -> None:
        """At once when a claim is done: a run that is stopped loses the mutants of few claims."""
        by_key[key]["mutants"] = counts = tally(found)
        if use_cache:
            record.remember("mutants", *stored_at[key], counts)

    for claim in claims:
        row = by_key[claim.key]
        if row["verdict"] != "proved":
            continue
        content = content_key(claim, seed, keys) + record.source_hash("engine")
        stored = record.recall("mutants", _file(claim), content) if use_cache else None
        if stored is not None:
            row["mutants"] = stored
            continue
        stored_at[claim.key] = _file(claim), content
        mutants = mutants_of(claim.task(_used(claim), seed))
        todo.extend((claim.key, number, mutant.job) for number, mutant in enumerate(mutants))
        left[claim.key] = len(mutants)
        if not mutants:
            tell(claim.key, [])
    outcomes: dict[str, list[Evidence]] = {key: [] for key in left}
    pool = Pool(jobs)
    try:
        while todo or pool.busy:
            while pool.idle and todo:
                key, number, job = todo.popleft()
                pool.submit((key, number), job)
            for (key, _), answer in pool.wait():
                if isinstance(answer, Evidence):  # a mutant without a domain says nothing
                    outcomes[key].append(answer)
                if progress:
                    progress(f"mutants of {key}")
                left[key] -= 1
                if not left[key]:
                    tell(key, outcomes.pop(key))
    finally:
        pool.close()


# --- entries ------------------------------------------------------------------------------------------


LONGEST_REPAIR = 480  # characters of a repair that the card of what it corrects shows as a formula


def _as_repaired(printed: Claim, repair: Claim) -> Maths | str:
    """What a repair says, of a long one its title; where only its conditions are others, these too."""
    said = str(repair.form)
    if len(said) > LONGEST_REPAIR:
        return repair.title
    typeset = repair.form.latex()
    if said == str(printed.form):
        known = set(map(str, printed.given))
        more = [tree for tree in repair.given if str(tree) not in known]
        if more:
            said += f", given {', '.join(map(str, more))}"
            typeset += r",\; \text{given } " + r",\; ".join(tree.latex() for tree in more)
    return Maths(said, typeset)


@dataclass(frozen=True)
class Entry:
    """A claim with its evidence; it shows itself as a card."""

    claim: Claim
    evidence: Evidence

    @property
    def verdict(self) -> Verdict:
        """What the ledger says of it."""
        return self.evidence.verdict

    def __bool__(self) -> bool:
        """Whether the claim holds, as far as the ledger knows."""
        return self.evidence.holds

    @property
    def method(self) -> str:
        """How it was decided; of a derivation not which method took the last step."""
        return self.evidence.method.partition(",")[0]

    @cached_property
    def abbreviations(self) -> list[tuple[sympy.Symbol, Expr]]:
        """The symbols of the statement that stand for an expression, with that expression."""
        found: dict[sympy.Symbol, Expr] = {}

        def note(e: Expr) -> Expr:
            for symbol in sorted(free_in(e), key=str):
                meant = getattr(symbol, "definition", None)
                if meant is not None and symbol not in found:
                    with sympy.evaluate(False):
                        found[symbol] = sympy.sympify(meant())
                    note(found[symbol])
            return e

        for thing in (self.claim.form, *self.claim.given):
            thing.map(note)
        return list(found.items())

    @property
    def left_open(self) -> list[str]:
        """For which functions the statement holds, whatever they are: a line for each kind."""
        kinds: dict[str, list[str]] = {}
        for function in unknowns_of([self.claim.form, *self.claim.given]):
            kinds.setdefault(function.words, []).append(str(function))
        return [f"{words} {', '.join(names)}" for words, names in kinds.items()]

    @property
    def ranges(self) -> list[Maths]:
        """Where the free symbols run; any real number is not said."""
        return self._where_run(sought=False)

    @property
    def sought(self) -> list[Maths]:
        """Where the symbols run of which a statement says that there are such numbers."""
        return self._where_run(sought=True)

    @cached_property
    def _found(self) -> set[sympy.Symbol]:
        form = self.claim.form
        return {symbol for symbol, _ in form.witness} if isinstance(form, Exists) else set()

    @cached_property
    def _run(self) -> tuple[dict[sympy.Symbol, Bounds], list[Any]]:
        """Ranges of the free symbols, narrowed by conditions that imply an end, and the other conditions."""
        free = {s for thing in (self.claim.form, *self.claim.given) for s in free_symbols(thing)}
        whole = {s: Bounds(integer=bool(s.is_integer)) for s in with_ranges(free)}
        run = {symbol: getattr(symbol, "range", bounds) for symbol, bounds in whole.items()}
        others = []
        for one in self.claim.given:
            symbol, narrowed = getattr(one, "lhs", None), _narrowed(run, one)
            if narrowed and symbol not in self._found:
                run[symbol] = narrowed
            else:
                others.append(one)
        return run, others

    def _where_run(self, sought: bool) -> list[Maths]:
        """Where symbols run: those that a statement seeks, or all others.

        Symbols above the same end stand together. Between two ends each stands alone, since
        ``0 < p, q <= 1`` can be misread.
        """
        alike: dict[tuple[Bounds, str], list[sympy.Symbol]] = {}
        run, _ = self._run
        for symbol in sorted((s for s in run if (s in self._found) == sought), key=str):
            bounds = run[symbol]
            alone = bounds.lower is not None and bounds.upper is not None
            alike.setdefault((bounds, symbol.name if alone else ""), []).append(symbol)
        said = [
            Maths(_run(bounds, symbols, text, _SIGNS), _run(bounds, symbols, latex, _TEX_SIGNS))
            for (bounds, _), symbols in alike.items()
        ]
        return [one for one in said if one.text]

    @property
    def meanings(self) -> list[str]:
        """What the names in the statement stand for, as text."""
        return [f"{symbol.name} = {text(meant)}" for symbol, meant in self.abbreviations]

    @cached_property
    def steps(self) -> tuple[Line, ...]:
        """The steps to read of the proof that the kernel checked; none where it has no certificate."""
        proof = (self.evidence.certificate or {}).get("proof")
        shown = self.evidence.verdict in (Verdict.PROVED, Verdict.REFUTED) or self.evidence.in_part
        if proof is None or not shown:
            return ()
        try:
            used = [find(name) for name in lemmas_in(proof["certificate"])]
            on_record = {claim.key: proof_on_record(claim) for claim in used}
            statements = {
                claim.key: entry["sequent"] if entry else _sequent(claim).to_json()
                for claim in used
                for entry in [on_record[claim.key]]
            }
        except Rejected:
            return ()
        read = (proofs.digest(proof), proofs.digest(statements))
        key = " ".join((record.source_hash("kernel", "engine"), *read))
        stored = record.recall("steps", _file(self.claim), key)
        if stored is not None:
            return tuple(map(Line.from_json, stored))
        try:
            made = cut(lines_of(proof, statements))
        except Rejected:
            made = ()
        record.remember("steps", _file(self.claim), key, [line.to_json() for line in made])
        return made

    @property
    def wrong(self) -> list[str]:
        """What was wrong, as the repair says it."""
        whys = [self.claim.why, *(REGISTRY[key].why for key in self.corrected_by)]
        return [why for why in dict.fromkeys(whys) if why]

    @cached_property
    def corrected_by(self) -> list[str]:
        """Keys of the claims that repair this one."""
        if self.claim.topic in record.topics():
            load(self.claim.topic)
        return [c.key for c in REGISTRY.values() if self.claim.key in c.corrects]

    @cached_property
    def named(self) -> Named | None:
        """The statement with names for its parts; None where it is short."""
        if isinstance(self.claim.form, Noted):
            return None
        return with_names(self.claim.form, self.claim.given, self.abbreviations)

    @cached_property
    def spelled(self) -> Named | None:
        """The statement in the symbols of its notation alone; None where it has no other form."""
        if isinstance(self.claim.form, Noted):
            return None
        return with_names(self.claim.form, self.claim.given, self.abbreviations, most=0)

    @cached_property
    def card(self) -> Card:
        """What is shown of it: of a long statement the one with names, the whole being closed."""
        return self._card(self.named, closed=True)

    @property
    def whole_card(self) -> Card:
        """What is shown of it, the statement in the symbols of its notation, without further names."""
        return self._card(self.spelled, closed=False)

    def _card(self, named: Named | None, closed: bool) -> Card:
        claim, evidence = self.claim, self.evidence
        trees = claim.given if named is None else named.given
        _, others = self._run
        kept = [
            (tree, _condition(tree, one))
            for tree, one in zip(trees, claim.given, strict=True)
            if one in others
        ]
        ranges, given = self.ranges, [line for _, line in kept]
        if card.Row("given", (*ranges, *given)).listed:
            given = _with_common_sides(kept)
        meant = self.abbreviations if named is None else named.names
        depths = named.depths if named is not None else [0] * len(meant)
        names = [
            Maths(f"{text(symbol)} = {text(value)}", f"{latex(symbol)} = {latex(value)}", depth)
            for (symbol, value), depth in zip(meant, depths, strict=True)
        ]
        if card.Row("where", tuple(names)).listed:  # each has a line, with room for its meaning
            meanings = [getattr(symbol, "meaning", "") for symbol, _ in meant]
            names = [
                replace(name, text=f"{name.text}  ({meaning})") if meaning else name
                for name, meaning in zip(names, meanings, strict=True)
            ]
        defined = [f.given_by() for f in unknowns_of([claim.form, *claim.given])]
        names += [Maths(*definition) for definition in defined if definition is not None]
        repairs = [(key, REGISTRY[key]) for key in self.corrected_by]
        noted = evidence.verdict is Verdict.NOTED
        line = card.row
        rows = [
            *line("axiom", AXIOM if claim.axiom else ""),
            *line("in words", claim.words),
            *line("for every", *self.left_open),
            *line("sought among", *self.sought, comma="; "),
            *line("given", *ranges, *given, comma="; "),
            *line("where", *names),
            *evidence.rows,
            *line("covers", claim.scope if claim.scope not in evidence.reason else ""),
            *line("kind of fault", f"{FAULTS[claim.fault]} ({claim.fault})" if claim.fault else ""),
            *line("what it mends" if claim.why else "what was wrong", *self.wrong, comma=" "),
            *line("effect", claim.effect),
            *(
                card.Row("corrected by", (Key(key), _as_repaired(claim, one)), ": ")
                for key, one in repairs
            ),
            *line("corrects", *map(Key, claim.corrects)),
            *line("rests on", *map(Key, claim.using)),
            *line("cites", *(Key(key) for key in claim.cites if key not in claim.without)),
            *(
                card.Row("does without", (Key(key), reason), ": ")
                for key, reason in claim.without.items()
            ),
            *line("where it stands", str(claim.source)),
        ]
        below, lines = "", list[str]()
        if named is not None:
            whole = self.spelled or claim
            pairs = zip((whole.form, *whole.given), (named.form, *trees), strict=True)
            differing = [tree for tree, short in pairs if str(tree) != str(short)] if closed else []
            if differing:
                formulas = "".join(f"<p>{maths(tree.latex())}</p>" for tree in differing)
                below = f"<details><summary>{WHOLE}</summary>{formulas}</details>"
                lines = [f"{WHOLE}: dpbook show {claim.key} --expanded"]
            evidence = replace(evidence, statement=str(named.form), latex=_stacked(named.form))
        if claim.proof is not None:
            told = (
                f"<li>{html.escape(s.title)}: {maths(s.latex())}</li>" for s in claim.proof.steps
            )
            below += (
                f"<details><summary>the proof in steps</summary><ol>{''.join(told)}</ol></details>"
            )
            lines += ["proof", *(f"  {one}" for one in str(claim.proof).splitlines())]
        if self.steps:
            what = "refutation" if evidence.verdict is Verdict.REFUTED else "proof"
            said = CHECKED.format("proof of the part" if evidence.in_part else what)
            below += f"<details><summary>{said}</summary>{as_html(self.steps)}</details>"
        bare = replace(evidence, statement="", latex="") if noted else evidence
        return bare.card(rows, key=claim.key, title=claim.title, below=below, lines=tuple(lines))

    def __repr__(self) -> str:
        return card.as_text(self.card)

    def _repr_html_(self) -> str:
        return card.as_html(self.card)


def _condition(shown: Any, whole: Any) -> Maths:
    """A condition; of an integral that is at least 0 it matters that it has a value."""
    said = Maths(str(shown), shown.latex())
    positive = isinstance(whole, Relation) and whole.op == ">=" and whole.rhs == 0
    if not positive or not isinstance(unfold_definitions(whole.lhs), sympy.Integral):
        return said
    return Maths(f"{said.text} (it exists)", rf"{said.latex} \text{{ (it exists)}}")


def _with_common_sides(conditions: Sequence[tuple[Any, Maths]]) -> list[Maths]:
    """Return the lines of conditions; three or more on one side, such as all that n_p exceeds, stand below it."""

    def side(pair: tuple[Any, Maths]) -> tuple[Any, ...]:
        tree = pair[0]
        return (tree.lhs, tree.op) if isinstance(tree, Relation) else (id(tree),)

    made = list[Maths]()
    for _, run in groupby(conditions, side):
        alike = list(run)
        if len(alike) < 3:
            made += [line for _, line in alike]
            continue
        first = alike[0][0]
        tex = rf"{latex(first.lhs)} {LATEX[first.op]} \text{{ each of}}"
        made.append(Maths(f"{text(first.lhs)} {first.sign} each of", tex))
        made += [Maths(text(tree.rhs), latex(tree.rhs), 1) for tree, _ in alike]
    return made


def _stacked(form: Any) -> str:
    """Typeset a long statement of several parts below each other."""
    tree = getattr(form, "tree", None)
    if type(tree) is not Both or len(str(form)) <= card.LINE:
        return str(form.latex())
    parts = r" \\ &\wedge\; ".join(part.latex() for part in tree.parts)
    return rf"\begin{{aligned}} &{parts} \end{{aligned}}"


def _narrowed(run: Mapping[sympy.Symbol, Bounds], condition: Any) -> Bounds | None:
    """Return the range of a symbol with a condition in it, such as ``n >= 2`` in ``n >= 1``.

    None where the condition implies no end of the range, or is its only one.
    """
    if not isinstance(condition, Relation) or condition.lhs not in run:
        return None
    bounds, end, strict = run[condition.lhs], condition.rhs, condition.op in ("<", ">")

    def implied(old: Expr | None, is_open: bool, sign: int) -> bool:
        if old is None or end == old:
            return end.is_Rational if old is None else strict or not is_open
        return bool(end.is_Rational and old.is_Rational and sign * (end - old) > 0)

    if bounds.lower is None and bounds.upper is None:
        return None
    if condition.op in (">", ">=") and implied(bounds.lower, bounds.lower_open, 1):
        return replace(bounds, lower=end, lower_open=strict)
    if condition.op in ("<", "<=") and implied(bounds.upper, bounds.upper_open, -1):
        return replace(bounds, upper=end, upper_open=strict)
    return None


def _run(
    bounds: Bounds,
    symbols: Sequence[sympy.Symbol],
    written: Callable[[Expr], str],
    signs: tuple[str, str, str, str, str],
) -> str:
    """Write where symbols run, as ``integers k, n >= 1``; nothing where that is the real line."""
    integers, below, at_most, above, at_least = signs
    said, low, high = ", ".join(map(written, symbols)), bounds.lower, bounds.upper
    if low is not None and high is not None:
        said = f"{written(low)} {below if bounds.lower_open else at_most} {said}"
    elif low is not None:
        said += f" {above if bounds.lower_open else at_least} {written(low)}"
    elif high is None and not bounds.integer:
        return ""
    if high is not None:
        said += f" {below if bounds.upper_open else at_most} {written(high)}"
    return integers + said if bounds.integer else said


class Ledger:
    """All claims by key: ``ledger["langevin:lemma-4.2"]`` decides the claim and shows its card."""

    def __getitem__(self, key: str) -> Entry:
        claim = find(key)
        return Entry(claim, decide_one(claim))

    def __iter__(self) -> Iterator[str]:
        for topic in record.topics():
            for claim in load(topic):
                yield claim.key

    def __contains__(self, key: str) -> bool:
        try:
            find(key)
        except NoClaim:
            return False
        return True

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def errata(self, topic: str) -> dict[str, list[str]]:
        """Return the labels of a topic's refuted claims, by the kind of fault; verdicts on record."""
        rows = record.read_record(record.record_path(topic))
        refuted = [claim for claim in load(topic) if rows[claim.key]["verdict"] == "refuted"]
        kinds = {kind: [c.label for c in refuted if c.fault == kind] for kind in FAULTS}
        return {FAULTS[kind]: labels for kind, labels in kinds.items() if labels}

    def __repr__(self) -> str:
        return f"ledger of {len(self)} claims in {', '.join(record.topics())}"


ledger = Ledger()
