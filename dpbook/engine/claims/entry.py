"""Show a claim with its evidence as a card."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import sympy
from sympy import Expr

from dpbook.engine.claims import proof_files, record
from dpbook.engine.claims.catalog import find, load
from dpbook.engine.claims.claim import FAULTS, REGISTRY, Claim
from dpbook.engine.claims.content import file_name
from dpbook.engine.claims.lemmas import sequent_of_claim
from dpbook.engine.claims.named import MOST, Named, with_names
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.language import card
from dpbook.engine.language.card import Card, Key, Maths, maths
from dpbook.engine.language.domain import Bounds, with_ranges
from dpbook.engine.language.function_symbols import unknowns_of
from dpbook.engine.language.statement import (
    LATEX,
    Both,
    Exists,
    Noted,
    Relation,
    free_in,
    latex,
    text,
    unfold_definitions,
)
from dpbook.engine.language.task import free_symbols
from dpbook.engine.language.verdict import Evidence, Verdict
from dpbook.engine.prove.proof_text import CHECKED, Line, as_html, cut, lines_of
from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.replay import lemmas_in

AXIOM = "of the literature: tested and not proved, taken as true by what rests on it"
WHOLE = "the statement without these names"
LONGEST_REPAIR = 480  # characters of a repair that the card of the corrected claim shows in full


def _as_repaired(printed: Claim, repair: Claim) -> Maths | str:
    """Return the statement of a repair, or the title of a long repair.

    If only the conditions differ, the new conditions are added.
    """
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
    """Hold a claim with its evidence, and show both as a card."""

    claim: Claim
    evidence: Evidence

    @property
    def verdict(self) -> Verdict:
        """Return the verdict of the ledger."""
        return self.evidence.verdict

    def __bool__(self) -> bool:
        """Say whether the claim holds, as far as the ledger knows."""
        return self.evidence.holds

    @property
    def method(self) -> str:
        """Return the method of the decision; omit the method of the last step of a derivation."""
        return self.evidence.method.partition(",")[0]

    @cached_property
    def abbreviations(self) -> list[tuple[sympy.Symbol, Expr]]:
        """Return the symbols of the statement that stand for an expression, with the expression."""
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
        """Return the unknown functions that the statement leaves open: a line for each kind."""
        kinds: dict[str, list[str]] = {}
        for function in unknowns_of([self.claim.form, *self.claim.given]):
            kinds.setdefault(function.said, []).append(str(function))
        return [f"{words} {', '.join(names)}" for words, names in kinds.items()]

    @property
    def ranges(self) -> list[Maths]:
        """Return the ranges of the free symbols, without symbols that run over all real numbers."""
        return self._where_run(sought=False)

    @property
    def sought(self) -> list[Maths]:
        """Return the ranges of the symbols for which the statement says that such numbers exist."""
        return self._where_run(sought=True)

    @cached_property
    def _found(self) -> set[sympy.Symbol]:
        form = self.claim.form
        return {symbol for symbol, _ in form.witness} if isinstance(form, Exists) else set()

    @cached_property
    def _run(self) -> tuple[dict[sympy.Symbol, Bounds], list[Any]]:
        """Return the ranges of the free symbols, narrowed by conditions, and other conditions."""
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
        """Return the ranges of the symbols that a statement seeks, or of all other symbols.

        Symbols with the same range share a line. Symbols between two ends stand alone, since
        ``0 < p, q <= 1`` can be misread.
        """
        alike: dict[tuple[Bounds, str], list[sympy.Symbol]] = {}
        run, _ = self._run
        for symbol in sorted((s for s in run if (s in self._found) == sought), key=str):
            bounds = run[symbol]
            alone = bounds.lower is not None and bounds.upper is not None
            alike.setdefault((bounds, symbol.name if alone else ""), []).append(symbol)
        said = [
            Maths(_run(bounds, symbols, tex=False), _run(bounds, symbols, tex=True))
            for (bounds, _), symbols in alike.items()
        ]
        return [one for one in said if one.text]

    @property
    def meanings(self) -> list[str]:
        """Return the definitions of the names in the statement, as text."""
        return [f"{symbol.name} = {text(meant)}" for symbol, meant in self.abbreviations]

    @cached_property
    def steps(self) -> tuple[Line, ...]:
        """Return the steps of the proof that the kernel checked; empty without a certificate."""
        proof = (self.evidence.certificate or {}).get("proof")
        shown = self.evidence.verdict in (Verdict.PROVED, Verdict.REFUTED) or self.evidence.in_part
        if proof is None or not shown:
            return ()
        try:
            used = map(find, lemmas_in(proof["certificate"]))
            statements = {
                claim.key: entry["sequent"]
                if (entry := proof_on_record(claim))
                else sequent_of_claim(claim).to_json()
                for claim in used
            }
        except Rejected:
            return ()
        read = (proof_files.digest(proof), proof_files.digest(statements))
        key = " ".join((record.source_hash("kernel", "engine"), *read))
        stored = record.recall("steps", file_name(self.claim), key)
        if stored is not None:
            return tuple(map(Line.from_json, stored))
        try:
            made = cut(lines_of(proof, statements))
        except Rejected:
            made = ()
        record.remember("steps", file_name(self.claim), key, [line.to_json() for line in made])
        return made

    @property
    def wrong(self) -> list[str]:
        """Return the explanations of the error, in the words of the repairs."""
        whys = [self.claim.why, *(REGISTRY[key].why for key in self.corrected_by)]
        return [why for why in dict.fromkeys(whys) if why]

    @cached_property
    def corrected_by(self) -> list[str]:
        """Return the keys of the claims that repair this claim."""
        if self.claim.topic in record.topics():
            load(self.claim.topic)
        return [c.key for c in REGISTRY.values() if self.claim.key in c.corrects]

    @cached_property
    def named(self) -> Named | None:
        """Return the statement with names for its parts; None if it is short."""
        return self._with_names(MOST)

    @cached_property
    def spelled(self) -> Named | None:
        """Return the statement in the symbols of its notation; None if it has no other form."""
        return self._with_names(0)

    def _with_names(self, most: int) -> Named | None:
        if isinstance(self.claim.form, Noted):
            return None
        return with_names(self.claim.form, self.claim.given, self.abbreviations, most)

    @cached_property
    def card(self) -> Card:
        """Return the card; for a long statement it shows names, and folds the full statement."""
        return self._card(self.named, closed=True)

    @property
    def whole_card(self) -> Card:
        """Return the card with the statement in the symbols of its notation, without new names."""
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
                card.Row("corrected by", (Key(key), _as_repaired(claim, REGISTRY[key])), ": ")
                for key in self.corrected_by
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
    """Return a condition as a line; of an integral that is at least 0 it says first that it exists."""
    positive = isinstance(whole, Relation) and whole.op == ">=" and whole.rhs == 0
    if not positive or not isinstance(unfold_definitions(whole.lhs), sympy.Integral):
        return Maths(str(shown), shown.latex())
    return Maths(
        f"{text(shown.lhs)} exists and is at least 0",
        rf"{latex(shown.lhs)} \text{{ exists and is at least 0}}",
    )


def _with_common_sides(conditions: Sequence[tuple[Any, Maths]]) -> list[Maths]:
    """Return the lines of conditions; three or more with one left side stand below that side."""

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
    """Typeset a statement; the parts of a long statement stand below each other."""
    tree = getattr(form, "tree", None)
    if type(tree) is not Both or len(str(form)) <= card.LINE:
        return str(form.latex())
    parts = r" \\ &\wedge\; ".join(part.latex() for part in tree.parts)
    return rf"\begin{{aligned}} &{parts} \end{{aligned}}"


def _narrowed(run: Mapping[sympy.Symbol, Bounds], condition: Any) -> Bounds | None:
    """Return the range of a symbol with a condition in it, such as ``n >= 2`` in ``n >= 1``.

    Return None if the condition implies no end of the range, or the range has no other end.
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


def _run(bounds: Bounds, symbols: Sequence[sympy.Symbol], tex: bool) -> str:
    """Write the range of symbols, as ``integers k, n >= 1``; return "" for the real line."""
    written, signs = (latex, LATEX) if tex else (text, {op: op for op in LATEX})
    said, low, high = ", ".join(map(written, symbols)), bounds.lower, bounds.upper
    if low is not None and high is not None:
        said = f"{written(low)} {signs['<' if bounds.lower_open else '<=']} {said}"
    elif low is not None:
        said += f" {signs['>' if bounds.lower_open else '>=']} {written(low)}"
    elif high is None and not bounds.integer:
        return ""
    if high is not None:
        said += f" {signs['<' if bounds.upper_open else '<=']} {written(high)}"
    integers = r"\text{integers }" if tex else "integers "
    return integers + said if bounds.integer else said
