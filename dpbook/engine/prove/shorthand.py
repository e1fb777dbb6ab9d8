"""Shorten proofs on record to the forms that `dpbook.kernel.files.shorthand` writes out.

An entry is as long as its texts are, and the same terms stand in many of them: a repeated term gets
a name, the terms of a combination stand in one text, and nodes with one premise form a chain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Any

from dpbook.kernel.errors import Rejected
from dpbook.kernel.files.shorthand import Entry, Writer
from dpbook.kernel.formulas import Relation, flat, parse_formula

LEAST = 30  # characters that a name must save
SHORTEST = 10  # characters of a term that gets a name
LINE = 100  # characters of the terms of a combination in one text
AUTO = {"rule": "auto"}
COEFFICIENT = re.compile(r"[0-9]+(/[0-9]+)?")


def shortened(entry: Entry) -> Entry:
    """Return an entry in its short forms, of which `kernel.files.shorthand` makes the entry again."""
    try:
        made: dict[str, Any] = {**entry, "sequent": _sequent(entry["sequent"])}
        if "certificate" in entry:  # an axiom has no certificate, and no names: it is to be read
            made["certificate"] = _node(entry["certificate"])
            names, new = _named(Counter(_texts([made["sequent"], made["certificate"]])))
            if names:
                for what in ("sequent", "certificate"):
                    made[what] = _put_in(made[what], new)
                made = {"names": names, **made}
        return made if Writer().entry(made) == entry else entry
    except (Rejected, ValueError, TypeError, KeyError, AttributeError):  # it is no proof
        return entry


def _sequent(sequent: Any) -> Any:
    made = {**sequent, "goal": _goal(sequent["goal"])}
    if variables := made.get("variables"):
        named = (name if sort == "real" else f"{name}:{sort}" for name, sort in variables.items())
        made["variables"] = " ".join(named)
    return made


def _goal(goal: Any) -> Any:
    """Shorten ``defined(a) and defined(b) and a < b`` to ``["a", "<", "b"]``."""
    relation = flat(parse_formula(goal))[-1]
    if isinstance(relation, Relation):
        left, right = str(relation.left), str(relation.right)
        for sides in ((), ("left",), ("right",)):
            short = [left, relation.op, right, *sides]
            written = Writer().entry({"sequent": {"goal": short}, "certificate": ""})
            if written["sequent"] == {"goal": goal}:
                return short
    return goal


def _node(node: Any) -> Any:
    """Return a node, as a chain where it has one premise."""
    chain: list[Any] = []
    written = [node]
    while len(written) == 1:
        [node] = written
        made = _fields({name: value for name, value in node.items() if name != "premises"})
        premises = node.get("premises", [])
        written = [one for one in premises if one != AUTO]
        if counts := _counts(premises):
            made["auto"] = counts
        if len(written) > 1 or node.get("premises") == []:
            made["premises"] = [*map(_node, written)]
        chain.append(_brief(made))
    return chain if len(chain) > 1 else chain[0]


def _counts(premises: list[Any]) -> str:
    """Return the numbers of automatic premises before each other premise; empty without any."""
    counts = [0]
    for one in premises:
        if one == AUTO:
            counts[-1] += 1
        else:
            counts.append(0)
    while counts and not counts[-1]:
        counts.pop()
    return "+".join(map(str, counts))


def _brief(node: dict[str, Any]) -> Any:
    if node.keys() == {"rule"}:
        return node["rule"]
    if node.keys() == {"rule", "auto"}:
        return f"{node['rule']} {node['auto']}"
    if node["rule"] == "combination" and node.keys() == {"rule", "terms"}:
        return node["terms"] if isinstance(node["terms"], str) else node
    return node


def _fields(node: dict[str, Any]) -> dict[str, Any]:
    made = dict(node)
    if node["rule"] == "combination" and isinstance(node.get("terms"), list):
        parts: list[Any] = []
        for items in (list(group) for _, group in groupby(node["terms"], lambda t: _term(t) != "")):
            short = [_term(item) for item in items]
            parts += _filled(short) if short[0] else items
        made["terms"] = parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts
    if isinstance(node.get("keep"), list):
        made["keep"] = _ranges(node["keep"])
    return made


def _term(item: Any) -> str:
    """Return a term of a combination as a text; empty for a term with a square."""
    if not isinstance(item, list) or len(item) != 3 or item[2] is not None:
        return ""
    factors = [] if item[0] == "1" and item[1] else [item[0]]
    if not isinstance(item[0], str) or not COEFFICIENT.fullmatch(item[0]):
        return ""
    if not isinstance(item[1], list) or not all(type(n) is int and n >= 0 for n in item[1]):
        return ""
    for number, group in groupby(item[1]):
        power = len(list(group))
        factors.append(f"#{number}^{power}" if power > 1 else f"#{number}")
    return "*".join(factors)


def _filled(terms: list[str]) -> list[str]:
    """Return terms in texts that a line holds, so that a diff shows which of them changed."""
    made = terms[:1]
    for term in terms[1:]:
        if len(made[-1]) + len(term) < LINE:
            made[-1] += f" + {term}"
        else:
            made.append(term)
    return made


def _ranges(numbers: list[Any]) -> Any:
    if not numbers or not all(type(n) is int and n >= 0 for n in numbers):
        return numbers
    ends: list[list[int]] = []
    for n in numbers:
        if ends and ends[-1][1] + 1 == n:
            ends[-1][1] = n
        else:
            ends.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in ends)


# --- names ----------------------------------------------------------------------------------------


OTHERS = ("rule", "name", "variables", "keep", "auto")  # fields that hold no term


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, dict):
        for name, part in value.items():
            if name not in OTHERS:
                yield from _texts(part)


def _put_in(value: Any, new: dict[str, str]) -> Any:
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, list):
        return [_put_in(part, new) for part in value]
    if isinstance(value, dict):
        return {n: part if n in OTHERS else _put_in(part, new) for n, part in value.items()}
    return value


@lru_cache(maxsize=20_000)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the places of the terms in a text that a name can replace.

    These are calls, terms in brackets, arguments, the sides of relations and parts of a
    conjunction: a name is read as its term wherever one of these stood.
    """
    found: list[tuple[int, int]] = []
    opened: list[tuple[int, int]] = []  # where a call starts, and where its argument starts
    start = 0
    for mark in MARKS.finditer(text):
        what = mark[0]
        if what.endswith("("):
            opened.append((mark.start(), start))
            start = mark.end()
            continue
        found.append((start, mark.start()))
        if what != ")":
            start = mark.end()
        elif opened:
            begin, start = opened.pop()
            found.append((begin, mark.end()))
    found.append((start, len(text)))
    return tuple((a, b) for a, b in dict.fromkeys(found) if b - a >= SHORTEST)


MARKS = re.compile(r"[A-Za-z_0-9]*\(|\)|[,;] | (?:<=|>=|==|!=|<|>|and|or) ")


def _named(texts: Counter[str]) -> tuple[list[str], dict[str, str]]:
    """Return texts of names, each after the names in it, and all texts with the names put in."""
    now = {text: text for text in texts}
    values: list[str] = []
    while True:
        count: Counter[str] = Counter()
        for text, many in (*((now[t], n) for t, n in texts.items()), *((v, 1) for v in values)):
            for a, b in _spans(text):
                count[text[a:b]] += many
        gains = [
            ((many - 1) * (len(part) - 3) - 6, part)
            for part, many in count.items()
            if not (part in values and many == 2)
        ]
        saved, best = max(gains, default=(0, ""))
        if saved < LEAST:
            return _ordered(values, now)
        mark = f"${{{len(values)}}}"
        now = {text: _replaced(value, best, mark) for text, value in now.items()}
        values = [*(_replaced(value, best, mark) for value in values), best]


def _replaced(text: str, part: str, mark: str) -> str:
    if part not in text:
        return text
    made, place = [], 0
    for a, b in sorted(_spans(text)):
        if a >= place and text[a:b] == part:
            made += [text[place:a], mark]
            place = b
    return "".join([*made, text[place:]])


def _ordered(values: list[str], now: dict[str, str]) -> tuple[list[str], dict[str, str]]:
    """Number names as they are first used, each after the names in it."""
    order: dict[int, None] = {}

    def visit(text: str) -> None:
        for found in re.findall(r"\$\{(\d+)\}", text):
            if int(found) not in order:
                visit(values[int(found)])
                order[int(found)] = None

    for text in now.values():
        visit(text)
    place = {str(number): f"${i}" for i, number in enumerate(order)}

    def numbered(text: str) -> str:
        return re.sub(r"\$\{(\d+)\}", lambda found: place[found[1]], text)

    return [numbered(values[n]) for n in order], {t: numbered(v) for t, v in now.items()}
