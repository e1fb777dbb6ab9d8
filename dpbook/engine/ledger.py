"""The ledger: every claim with its evidence, decided in parallel and in the order of dependence."""

from __future__ import annotations

import difflib
import hashlib
import html
import importlib
import importlib.util
import pkgutil
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine import record
from dpbook.engine.claim import REGISTRY, Claim, ClaimError
from dpbook.engine.decide import Lemma, free_symbols
from dpbook.engine.methods import second_solver
from dpbook.engine.mutants import mutants_of, sorted_out
from dpbook.engine.parse import ParseError, parse_condition
from dpbook.engine.statement import ForAll, Noted, Relation, evaluated, latex, text, written_out
from dpbook.engine.verdict import Counterexample, Evidence, Verdict, badge
from dpbook.engine.workers import Pool, run_one

Row = dict[str, Any]
Progress = Callable[[str], None]
WIDE = 3.0  # how much wider the net is for the method on record


# --- loading ---------------------------------------------------------------------------------------


def load(topic: str) -> list[Claim]:
    """Import the claims of a topic, in the order of the paper: sections, then appendices."""
    if topic not in record.topics():
        near = difflib.get_close_matches(topic, record.topics(), 1)
        hint = f"; nearest: {near[0]}" if near else f"; there are {', '.join(record.topics())}"
        raise ClaimError(f"no topic {topic}{hint}")
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
        spec.loader.exec_module(module)
    except ClaimError:
        raise
    except (Exception, SystemExit) as error:
        raise ClaimError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(folder)
        sys.dont_write_bytecode = writes
    claims = [c for c in REGISTRY.values() if c.topic == topic]
    if not claims:
        raise ClaimError(f"{path} holds no claim; decorate a function with dpbook.claim")
    return claims


def find(key: str) -> Claim:
    """Return a claim by its key.

    Raises
    ------
    KeyError
        When there is none; the message names the nearest key.
    """
    if key in REGISTRY:
        return REGISTRY[key]
    topic = key.partition(":")[0]
    for name in [topic] if topic in record.topics() else record.topics():
        load(name)
    if key in REGISTRY:
        return REGISTRY[key]
    near = difflib.get_close_matches(key, list(REGISTRY), 1, cutoff=0.3)
    hint = f"; nearest: {near[0]}" if near else ""
    raise NoClaim(f"no claim {key}{hint}")


class NoClaim(ClaimError, KeyError):
    """There is no claim of that key."""

    def __str__(self) -> str:
        return str(self.args[0])


def lemmas(using: Sequence[Any]) -> list[Lemma]:
    """Return claims, or claims of keys, as lemmas; each must be proved."""
    found: list[Lemma] = []
    for item in [using] if isinstance(using, (str, Claim)) else using:
        claim = item if isinstance(item, Claim) else find(item)
        evidence = ledger[claim.key].evidence if claim.key in REGISTRY else decide_one(claim)
        if evidence.verdict is not Verdict.PROVED:
            raise ClaimError(f"{claim.key} is {evidence.verdict.value}, so a proof cannot use it")
        found.extend(claim.lemmas())
    return found


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


# --- deciding --------------------------------------------------------------------------------------


def content_key(claim: Claim, seed: int) -> str:
    """Return a hash of all that decides a claim's verdict."""
    said = [claim.hash, str(seed), str(claim.time_limit), record.source_hash("engine")]
    said += [str(s.tree.map(written_out)) for s in (claim.proof.steps if claim.proof else ())]
    said += [str(sorted((str(k), str(v)) for k, v in point.items())) for point in claim.try_at]
    said += [
        claim.scope,
        *(f"{s} = {written_out(value)}" for _, at in claim.instances for s, value in at),
        *(content_key(find(key), seed) for key in (*claim.using, *claim.corrects)),
    ]
    return hashlib.sha256("|".join(said).encode()).hexdigest()


def decide_all(
    claims: Sequence[Claim],
    *,
    jobs: int = 2,
    seed: int = 0,
    use_cache: bool = True,
    progress: Progress | None = None,
    recorded: dict[str, Row] | None = None,
) -> dict[str, tuple[Evidence, bool]]:
    """Decide claims in parallel, each after what it uses.

    Returns
    -------
    dict
        For each key the evidence, and whether it was remembered.
    """
    ordered = closure(claims)
    done: dict[str, tuple[Evidence, bool]] = {}
    waiting: list[Claim] = []
    for claim in ordered:
        if isinstance(claim.form, Noted):
            evidence = Evidence(Verdict.NOTED, reason=claim.form.why)
            done[claim.key] = (_dressed(claim, evidence), False)
            if progress:
                progress(claim.key)
            continue
        stored = (
            record.recall("claims", _file(claim), content_key(claim, seed)) if use_cache else None
        )
        if stored is not None:
            done[claim.key] = (_dressed(claim, from_json(stored)), True)
            if progress:
                progress(claim.key)
        else:
            waiting.append(claim)
    if not waiting:
        return done
    pool = Pool(min(jobs, len(waiting)))
    try:
        while waiting or pool.busy:
            ready = [c for c in waiting if all(key in done for key in (*c.using, *c.corrects))]
            while pool.idle and ready:
                claim = ready.pop(0)
                waiting.remove(claim)
                before = (recorded or {}).get(claim.key, {})
                hint = before.get("method", "")
                failed_at = [_point(done[key][0]) for key in claim.corrects]
                points = [point for point in failed_at if point]
                task = claim.task(_used(claim), seed, hint.rpartition(", ")[2], points)
                if before.get("verdict") == "proved":  # a slow machine must not change a verdict
                    task = replace(task, time_limit=WIDE * task.time_limit)
                pool.submit(claim.key, task)
            for key, answer in pool.wait():
                claim = REGISTRY[key]
                if isinstance(answer, ValueError):
                    raise ClaimError(f"{key} ({claim.location}): {answer}") from answer
                evidence = _resting(claim, answer, done)
                if use_cache and evidence.verdict is not Verdict.UNDECIDED:
                    record.remember(
                        "claims", _file(claim), content_key(claim, seed), to_json(evidence)
                    )
                done[key] = (_dressed(claim, evidence), False)
                if progress:
                    progress(key)
    finally:
        pool.close()
    return {claim.key: done[claim.key] for claim in ordered}


def _used(claim: Claim) -> list[Lemma]:
    """What a claim's proof uses; on what is no relation it rests without rewriting with it."""
    used = [(find(key), instance) for key, instance in claim.instances]
    return [
        replace(lemma, instance=instance)
        for other, instance in used
        if isinstance(other.form, ForAll)
        for lemma in other.lemmas()
    ]


def decide_one(claim: Claim, seed: int = 0) -> Evidence:
    """Decide one claim, with what it uses, by the methods on record; what is remembered is used."""
    recorded: dict[str, Row] = {}
    for topic in {c.topic for c in closure([claim])} & set(record.topics()):
        recorded |= record.read_record(record.record_path(topic))
    return decide_all([claim], jobs=1, seed=seed, recorded=recorded)[claim.key][0]


def _point(evidence: Evidence) -> dict[str, Expr]:
    """The rational coordinates of a counterexample: a repair is tried at that point first."""
    found: dict[str, Expr] = {}
    for name, value in evidence.counterexample.point if evidence.counterexample else ():
        try:
            tree = parse_condition(f"0 = {value}")
        except ParseError:
            continue
        number = evaluated(tree.rhs) if isinstance(tree, Relation) else None
        if number is not None and number.is_Rational:
            found[name] = number
    return found


def _file(claim: Claim) -> str:
    return claim.key.replace(":", "__")


def _resting(claim: Claim, evidence: Evidence, done: dict[str, tuple[Evidence, bool]]) -> Evidence:
    """A claim is proved only if all that it uses is proved, and nothing is left out."""
    if evidence.verdict is not Verdict.PROVED:
        return evidence
    for key in claim.using:
        other = done[key][0]
        if other.verdict is not Verdict.PROVED:
            return replace(
                evidence,
                verdict=Verdict.SUPPORTED,
                reason=f"it rests on {key}, which is {other.verdict.value}",
            )
    if claim.scope:
        return replace(
            evidence, verdict=Verdict.SUPPORTED, reason=f"proved for a family only: {claim.scope}"
        )
    return evidence


def _dressed(claim: Claim, evidence: Evidence) -> Evidence:
    """Add how the statement reads."""
    with sympy.evaluate(False):
        return replace(evidence, statement=str(claim.form), latex=claim.form.latex())


# --- rows -------------------------------------------------------------------------------------------


def to_json(evidence: Evidence) -> Row:
    """Return evidence as plain data."""
    found = evidence.counterexample
    return {
        "verdict": evidence.verdict.value,
        "method": evidence.method,
        "trusted": list(evidence.trusted),
        "counterexample": None
        if found is None
        else {
            "point": [list(p) for p in found.point],
            "lhs": found.lhs,
            "relation": found.relation,
            "rhs": found.rhs,
            "note": found.note,
        },
        "margin": evidence.margin,
        "seconds": round(evidence.seconds, 3),
        "reason": evidence.reason,
        "sample": [list(p) for p in evidence.sample],
        "steps": list(evidence.steps),
        "certificate": evidence.certificate,
    }


def from_json(row: Row) -> Evidence:
    """Return evidence from plain data."""
    found = row["counterexample"]
    return Evidence(
        Verdict(row["verdict"]),
        method=row["method"],
        trusted=tuple(row["trusted"]),
        counterexample=None
        if found is None
        else Counterexample(
            tuple((name, value) for name, value in found["point"]),
            found["lhs"],
            found["relation"],
            found["rhs"],
            found["note"],
        ),
        margin=row["margin"],
        seconds=row["seconds"],
        reason=row["reason"],
        sample=tuple((name, value) for name, value in row["sample"]),
        steps=tuple(row["steps"]),
        certificate=row["certificate"],
    )


def row_of(claim: Claim, evidence: Evidence, cached: bool, corrected_by: Sequence[str]) -> Row:
    """Return all that is shown of a claim, as plain data."""
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
        "form": type(claim.form).__name__,
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
        "given": [str(tree) for tree in claim.given],
        "sample": [list(p) for p in evidence.sample],
        "steps": list(evidence.steps),
        "place": claim.place,
        "why": claim.why,
        "corrects": list(claim.corrects),
        "location": claim.location,
        "hash": claim.hash,
        "certificate": evidence.certificate,
    }


def rows_of(
    claims: Sequence[Claim],
    *,
    jobs: int = 2,
    seed: int = 0,
    use_cache: bool = True,
    progress: Progress | None = None,
    recorded: dict[str, Row] | None = None,
    mutants: bool = False,
) -> list[Row]:
    """Decide claims and return their rows, in the order given."""
    decided = decide_all(
        claims, jobs=jobs, seed=seed, use_cache=use_cache, progress=progress, recorded=recorded
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
    jobs_todo = []
    for claim in claims:
        row = by_key[claim.key]
        if row["verdict"] != "proved":
            continue
        key = content_key(claim, seed) + record.source_hash("engine")
        stored = record.recall("mutants", _file(claim), key) if use_cache else None
        if stored is not None:
            row["mutants"] = stored
            continue
        task = claim.task(_used(claim), seed)
        for number, mutant in enumerate(mutants_of(task)):
            jobs_todo.append((claim, number, mutant.task, key))
    outcomes: dict[str, list[Evidence]] = {}
    pool = Pool(jobs)
    try:
        todo = list(jobs_todo)
        while todo or pool.busy:
            while pool.idle and todo:
                claim, number, task, _ = todo.pop(0)
                pool.submit((claim.key, number), task)
            for (key, _), answer in pool.wait():
                if isinstance(answer, Evidence):  # a mutant without a domain says nothing
                    outcomes.setdefault(key, []).append(answer)
                if progress:
                    progress(f"mutants of {key}")
    finally:
        pool.close()
    for claim, key in dict.fromkeys((claim, key) for claim, _, _, key in jobs_todo):
        counts = sorted_out(outcomes.get(claim.key, []))
        by_key[claim.key]["mutants"] = counts
        if use_cache:
            record.remember("mutants", _file(claim), key, counts)


# --- checking again by another path -----------------------------------------------------------------


def recheck(
    claims: Sequence[Claim],
    rows: Sequence[Row],
    jobs: int = 2,
    progress: Progress | None = None,
) -> list[tuple[str, str, int]]:
    """Decide again with other points, and Z3's proofs by cvc5 where it can.

    Returns
    -------
    list of (key, finding, bases)
        How many independent bases agree: 1 or 2, and 0 where the verdict differs.
    """
    decidable = [c for c in claims if not isinstance(c.form, Noted)]
    recorded = {row["key"]: row for row in rows}
    again = decide_all(
        decidable, jobs=jobs, seed=20_011, use_cache=False, progress=progress, recorded=recorded
    )
    found, proofs = {}, {}
    for row in rows:
        key = row["key"]
        if key not in again:
            continue
        verdict = again[key][0].verdict.value
        found[key] = (row["verdict"], 1)
        if verdict != row["verdict"]:
            found[key] = (f"{row['verdict']}, but {verdict} with other points", 0)
        elif verdict == "proved" and (problem := (row["certificate"] or {}).get("smt")):
            proofs[key] = problem
    with ThreadPoolExecutor(jobs) as threads:  # each waits for a process of its own
        for key, agrees in zip(proofs, threads.map(_second_base, proofs.values()), strict=True):
            if agrees is False:
                found[key] = ("proved by Z3, but cvc5 finds a model of the negation", 0)
            elif agrees:
                found[key] = ("proved", 2)
    return [(key, finding, bases) for key, (finding, bases) in found.items()]


def _second_base(certificate: Any) -> bool | None:
    """Whether cvc5 proves a Z3 problem too; None where it is not installed or gives no answer."""
    try:
        return second_solver.unsatisfiable(certificate["problems"], 5.0)
    except ImportError:
        return None


# --- entries ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Entry:
    """A claim with its evidence; it shows itself as a card."""

    claim: Claim
    evidence: Evidence

    @property
    def method(self) -> str:
        """How it was decided; of a derivation not which method took the last step."""
        return self.evidence.method.partition(",")[0]

    @property
    def abbreviations(self) -> list[tuple[sympy.Symbol, Expr]]:
        """The symbols of the statement that stand for an expression, with that expression."""
        found: dict[sympy.Symbol, Expr] = {}

        def note(e: Expr) -> Expr:
            for symbol in sorted(e.free_symbols, key=str):
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
    def wrong(self) -> list[str]:
        """What was wrong, as the repair says it."""
        whys = [self.claim.why, *(REGISTRY[key].why for key in self.corrected_by)]
        return [why for why in dict.fromkeys(whys) if why]

    @property
    def corrected_by(self) -> list[str]:
        """Keys of the claims that repair this one."""
        if self.claim.topic in record.topics():
            load(self.claim.topic)
        return [c.key for c in REGISTRY.values() if self.claim.key in c.corrects]

    def __repr__(self) -> str:
        lines = [f"{self.claim.key}  {self.claim.title}", f"  {self.claim.source}", ""]
        lines += [f"  {self.evidence.verdict.value.upper()}  {self.evidence.statement}"]
        if self.claim.given:
            lines.append("  given " + ", ".join(map(str, self.claim.given)))
        for symbol, meant in self.abbreviations:
            lines.append(f"  where {symbol.name} = {text(meant)}")
        found = self.evidence.counterexample
        if found is not None:
            lines += [f"  {label}: {said}" for label, said in found.told]
        elif self.evidence.method:
            lines.append(f"  by {self.method}")
        if self.evidence.reason:
            lines.append(f"  {self.evidence.reason}")
        if self.claim.proof:
            lines += ["  proof"] + [f"    {line}" for line in str(self.claim.proof).splitlines()]
        for why in self.wrong:
            lines.append(f"  what was wrong: {why}")
        if self.claim.effect:
            lines.append(f"  effect: {self.claim.effect}")
        for key in self.corrected_by:
            lines.append(f"  corrected by {key}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def maths(latex: str) -> str:
            return f'<span class="math notranslate nohighlight">\\({html.escape(latex)}\\)</span>'

        claim, evidence = self.claim, self.evidence
        parts = [
            f"<p>{badge(evidence.verdict)} <code>{claim.key}</code> {html.escape(claim.title)}<br>"
            f"<small>{html.escape(str(claim.source))}</small></p>",
            f"<p>{maths(evidence.latex)}</p>",
        ]
        if claim.given:
            parts.append("<p>given " + ", ".join(maths(t.latex()) for t in claim.given) + "</p>")
        if self.abbreviations:
            told = (f"{latex(symbol)} = {latex(meant)}" for symbol, meant in self.abbreviations)
            parts.append("<p>where " + ", ".join(maths(one) for one in told) + "</p>")
        found = evidence.counterexample
        if found is not None:
            parts.append(found.paragraph)
        elif evidence.method:
            parts.append(f"<p>by {html.escape(self.method)}</p>")
        if evidence.reason:
            parts.append(f"<p>{html.escape(evidence.reason)}</p>")
        if claim.proof:
            rows = "".join(
                f"<li>{html.escape(s.title)}: {maths(s.latex())}</li>" for s in claim.proof.steps
            )
            parts.append(f"<details><summary>proof</summary><ol>{rows}</ol></details>")
        told_why = [("what was wrong", why) for why in self.wrong]
        for label, said in (*told_why, ("effect", claim.effect)):
            if said:
                parts.append(f"<p>{label}: {html.escape(said)}</p>")
        for key in self.corrected_by:
            repaired = REGISTRY[key]
            parts.append(f"<p>corrected by <code>{key}</code>: {maths(repaired.latex())}</p>")
        return "<div>" + "".join(parts) + "</div>"


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

    def __repr__(self) -> str:
        return f"ledger of {len(self)} claims in {', '.join(record.topics())}"


ledger = Ledger()
