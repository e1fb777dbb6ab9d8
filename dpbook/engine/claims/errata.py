"""List errata: claims that are refuted as printed, with their repairs, as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dpbook.engine.claims.catalog import find
from dpbook.engine.claims.claim import FAULTS
from dpbook.engine.claims.entry import Entry
from dpbook.engine.language.card import as_lines, folded

KINDS = {  # the kinds of errata, in the order in which they are counted
    "error": "errors",
    "boundary": "at the boundary of what is assumed",
    "misprint": "misprints",
    "scan": "slips of the scan",
    "consequence": "consequences of others",
    "code": "in the authors' code",
    "ours": "not of a paper",
}
ONE = {  # where KINDS has a plural
    "error": "error",
    "misprint": "misprint",
    "scan": "slip of the scan",
    "consequence": "consequence of others",
}
OURS = KINDS["ours"]  # a false statement that no paper makes
APART = {  # these are counted separately: they are not errors of a paper by themselves
    "consequence": "consequences of these",
    "code": "about the authors' programs",
    "ours": OURS,
}
DOMAIN = ("for every", "sought among", "given", "where")  # rows of a card
FAILURE = ("counterexample", "there", "because")


@dataclass(frozen=True)
class Errata:
    """Hold the errata of topics, or of the requested claims, with the verdicts on record.

    Attributes
    ----------
    asked : sequence of str
        Topics and keys of claims; empty for all topics.
    whole : bool
        Whether each erratum is shown whole, not in a line.
    verdicts : mapping
        For each topic the verdicts by key.
    repairs : mapping
        For each topic the keys of the claims that repair a claim, by its key.
    entry : callable
        The function that returns a claim with its evidence, by its key.
    """

    asked: Sequence[str]
    whole: bool
    verdicts: Mapping[str, Mapping[str, str]]
    repairs: Mapping[str, Mapping[str, Sequence[str]]]
    entry: Callable[[str], Entry]

    @cached_property
    def verdict(self) -> dict[str, str]:
        """Return the verdicts of all topics by key."""
        return {key: said for rows in self.verdicts.values() for key, said in rows.items()}

    def _about(self, key: str) -> set[str]:
        """Return the names that select an erratum: its topic, its key, the keys of its repairs."""
        topic = key.partition(":")[0]
        return {topic, key, *self.repairs[topic].get(key, ())}

    @cached_property
    def refuted(self) -> list[str]:
        """Return the keys of the errata that are asked for."""
        refuted = [key for key, verdict in self.verdict.items() if verdict == "refuted"]
        return [key for key in refuted if not self.asked or self._about(key) & set(self.asked)]

    @cached_property
    def shown_whole(self) -> set[str]:
        """Return the keys of the errata that are shown whole."""
        keys = {key for key in self.asked if ":" in key}
        return {key for key in self.refuted if self.whole or self._about(key) & keys}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """Return the kind of each erratum, by its key."""
        return {key: find(key).fault or "ours" for key in self.refuted}

    def by_topic(self) -> Iterator[str]:
        """Yield a line for each topic with the number of its errata of each kind."""
        room = max(map(len, self.verdicts))
        for topic, verdicts in self.verdicts.items():
            count = Counter(self.kinds[key] for key in self.refuted if key in verdicts)
            counts = [_with_words(count[kind], kind) for kind in KINDS if count[kind]]
            yield f"{topic:{room}}  {', '.join(counts) or 'none'}"

    def lines(self, key: str) -> Iterator[str]:
        """Yield the lines of an erratum."""
        if key not in self.shown_whole:
            long = max(map(len, self.refuted))
            word = OURS if self.kinds[key] == "ours" else self.kinds[key]
            yield f"{key:{long}}  {word:{len(OURS)}}  {find(key).title}"
            return
        shown = self.entry(key)
        for repair in shown.corrected_by:
            if repair in self.asked:
                yield f"{repair} is {self.verdict[repair]}: no erratum; it corrects {key}:"
                yield ""
        yield from whole(shown, [self.entry(repair) for repair in shown.corrected_by])

    def closing(self) -> Iterator[str]:
        """Yield the lines below the errata: claims that are no errata, the kinds, the number."""
        for key in self.asked:
            if ":" in key and not any(key in self._about(erratum) for erratum in self.refuted):
                yield f"{key} is {self.verdict[key]}: no erratum"
        if self.asked and all(":" in name for name in self.asked):
            return
        if self.asked:
            listed = {self.kinds[key] for key in self.refuted if key not in self.shown_whole}
            yield from (f"  {kind}: {meant}" for kind, meant in FAULTS.items() if kind in listed)
        yield self._counted()
        if not self.asked and not self.whole:
            yield "a line each: dpbook errata TOPIC; all of them whole: dpbook errata --whole"
        elif self.shown_whole != set(self.refuted):
            yield "one whole: dpbook errata KEY; all of these: the same command with --whole"

    def _counted(self) -> str:
        """Say how many claims are refuted as printed."""
        claims = [k for k in self.verdict if not self.asked or k.partition(":")[0] in self.asked]
        count = Counter(self.kinds.values())
        more = [
            f"{count[kind]} more {'is' if count[kind] == 1 else 'are'} {words}"
            for kind, words in APART.items()
            if count[kind]
        ]
        own = sum(count[kind] for kind in count if kind not in APART)
        return "; ".join([f"{own} of {len(claims)} claims are refuted as printed", *more])


def whole(shown: Entry, repairs: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines on an erratum and its repairs, in the words of its card."""
    for line in _whole(shown, repairs):
        yield from folded(line)
    yield ""


def _whole(shown: Entry, repairs: Sequence[Entry]) -> Iterator[str]:
    yield f"{shown.claim.key}  {shown.claim.title}"
    yield f"  where it stands: {shown.claim.source}"
    yield f"  statement: {shown.card.statement.text}"
    own = _card_lines(shown, DOMAIN)
    yield from own
    yield from _card_lines(shown, ("kind of fault",)) or [f"  kind of fault: {OURS}"]
    mending: dict[str, list[str]] = {}  # the repairs that explain a fault, by the explanation
    for repair in repairs:
        mending.setdefault(repair.claim.why, []).append(repair.claim.key)
    for why, keys in mending.items():
        if why:
            by = f" (mended by {', '.join(keys)})" if len(repairs) > 1 else ""
            yield f"  what was wrong{by}: {why}"
    yield from _card_lines(shown, FAILURE)
    for repair in repairs:
        yield f"  corrected by: {repair.claim.key} ({repair.evidence.verdict.value})"
        if named := "; ".join(repair.evidence.named_axioms):
            yield f"    rests on {named}"
        yield f"    {repair.card.statement.text}"
        yield from (f"  {line}" for line in _card_lines(repair, DOMAIN) if line not in own)
    yield from _card_lines(shown, ("effect",))


def _card_lines(shown: Entry, labels: Sequence[str]) -> list[str]:
    """Return rows of a claim's card as lines."""
    return as_lines([row for row in shown.card.rows if row.label in labels])


def _with_words(count: int, kind: str) -> str:
    """Return a number with the words for a kind of errata.

    Examples
    --------
    >>> _with_words(1, "consequence"), _with_words(2, "error")
    ('1 consequence of others', '2 errors')
    """
    return f"{count} {ONE.get(kind, KINDS[kind]) if count == 1 else KINDS[kind]}"
