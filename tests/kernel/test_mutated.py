"""A proof on record with one thing changed is rejected, or what it then says is true.

DPBOOK_MUTANTS=100000 tries so many, as many of each proof where it has them, in parts that
``pytest -n 2 --dist load`` spreads; without it one of each of some proofs is tried. The name of the
proof draws them.
"""

import json
import os
import random
import re
from contextlib import suppress

import mpmath
import pytest
from mpmath import mpf

from dpbook.kernel import Rejected, check
from dpbook.kernel.files import replay
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.kernel.formulas import NEGATED, And, Is, Or, Relation
from tests.kernel.on_record import entries
from tests.kernel.values import Unknown, holds, value

POINTS = 30
PROOFS = entries()
SOME = list(PROOFS)[:: 1 + len(PROOFS) // 100]
WANTED = int(os.environ.get("DPBOOK_MUTANTS", "0"))
PARTS = 20 if WANTED else 1
FLIPPED = {">": "<", "<": ">", ">=": "<=", "<=": ">=", "==": "!=", "!=": "=="}
STRICT = {">=": ">", "<=": "<", ">": ">=", "<": "<=", "==": ">", "!=": "=="}


def relations(text, change):
    """The text of a formula with one of its relations changed, each in turn."""
    for found in re.finditer(r"<=|>=|==|!=|<|>", text):
        yield text[: found.start()] + change[found.group()] + text[found.end() :]


def numbers(text):
    """A text with one number, or sign, changed, each in turn."""
    for found in re.finditer(r"\d+", text):
        yield text[: found.start()] + str(int(found.group()) + 1) + text[found.end() :]
    for found in re.finditer(r" [-+] ", text):
        other = " + " if found.group() == " - " else " - "
        yield text[: found.start()] + other + text[found.end() :]


def changed(value):
    """A field with one thing in it changed, each in turn."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from (value + 1, -value)
    elif isinstance(value, str):
        yield from numbers(value)
        if re.fullmatch(r"\d+(/\d+)?", value):
            yield "-" + value
    elif isinstance(value, list):
        for i, item in enumerate(value):
            for other in changed(item):
                yield [*value[:i], other, *value[i + 1 :]]
        if value:
            yield value[:-1]
    elif isinstance(value, dict):
        for name, item in value.items():
            for other in changed(item):
                yield {**value, name: other}


def nodes(certificate):
    """Each certificate that differs in one node's fields or premises."""
    premises = certificate.get("premises", [])
    for name, own in certificate.items():
        if name not in ("rule", "premises", "name"):
            for other in changed(own):
                yield {**certificate, name: other}
    if premises:
        yield {**certificate, "premises": premises[:-1]}
        yield {**certificate, "premises": [*premises, premises[-1]]}
    for i, child in enumerate(premises):
        for other in nodes(child):
            yield {**certificate, "premises": [*premises[:i], other, *premises[i + 1 :]]}


def sequents(data):
    """Each sequent that differs in one thing."""
    given = data["given"]
    for i, h in enumerate(given):
        rest = given[:i], given[i + 1 :]
        yield {**data, "given": [*rest[0], *rest[1]]}
        for change in (FLIPPED, STRICT):
            for other in relations(h, change):
                yield {**data, "given": [*rest[0], other, *rest[1]]}
    for name, sort in data["variables"].items():
        other = {"real": "integer", "integer": "real"}[sort]
        yield {**data, "variables": {**data["variables"], name: other}}
    for change in (FLIPPED, STRICT, NEGATED):
        for other in relations(data["goal"], change):
            yield {**data, "goal": other}
    for other in numbers(data["goal"]):
        yield {**data, "goal": other}


def mutants(entry):
    """Each proof that differs from one on record in one thing."""
    for data in sequents(entry["sequent"]):
        yield {"sequent": data, "certificate": entry["certificate"]}
    for certificate in nodes(entry["certificate"]):
        yield {"sequent": entry["sequent"], "certificate": certificate}


def tried(part):
    """The mutants to try, with the key of their proof: one of each of some proofs, or many of each."""
    proved = [key for key, entry in PROOFS.items() if "certificate" in entry]
    keys = proved[part::PARTS] if WANTED else SOME
    for key in keys:
        made = list(mutants(PROOFS[key]))
        share = min(len(made), 1 + WANTED // len(PROOFS))
        yield from ((key, one) for one in random.Random(key).sample(made, share))


def accepted(key, entry):
    """Whether the kernel accepts a proof, given the other proofs on record as lemmas."""
    lemmas = {}
    try:
        for name in replay.lemmas_in(entry["certificate"]):
            lemmas[name] = sequent_from_json(PROOFS[name]["sequent"])
        check(sequent_from_json(entry["sequent"]), entry["certificate"], lemmas)
    except (Rejected, KeyError):
        return False
    return True


def simple(draw):
    """A number that is often on a boundary."""
    return mpf(draw.choice((*range(-3, 8), 10, 1, 1))) / draw.choice((1, 1, 1, 2, 3, 4, 10))


def refuted(data):
    """Return a point of the domain, drawn with a fixed seed, where the goal is false."""
    s = sequent_from_json(data)
    if s.functions:
        return None
    draw = random.Random(str(data))
    found = 0
    with mpmath.workdps(40):
        for _ in range(40 * POINTS):
            at = {n: simple(draw) for n, _ in s.variables}
            at = {
                n: mpmath.nint(at[n] * 2) if sort == "integer" else at[n] for n, sort in s.variables
            }
            for h in s.hypotheses:  # a hypothesis that gives a variable its value
                if isinstance(h, Relation) and h.op == "==" and h.left.head == "var":
                    with suppress(Unknown, KeyError, OverflowError, ValueError):
                        at[h.left.name] = value(h.right, at)
            try:
                sorts = all(
                    sort != "integer" or at[n] == mpmath.nint(at[n]) for n, sort in s.variables
                )
                if not sorts or not all(holds(h, at) for h in s.hypotheses):
                    continue
                found += 1
                if false(s.goal, at) and surely_false(s.goal, at):
                    return {n: str(v) for n, v in at.items()}
            except (Unknown, OverflowError, ValueError):
                continue
            if found >= POINTS:
                break
    return None


def false(goal, at):
    """Whether a goal is false; what has no known value counts as true."""
    if isinstance(goal, And):
        return any(false(p, at) for p in goal.parts)
    if isinstance(goal, (Relation, Or)):
        try:
            return not holds(goal, at)
        except Unknown:
            return False
    return isinstance(goal, Is) and goal.what == "integer" and not holds(goal, at)


def surely_false(goal, at):
    """Whether a goal is false with many more digits, too: erf(30) is 1 with 40 of them."""
    with mpmath.workdps(1000):
        return false(goal, at)


def test_point_with_few_digits_refutes_nothing():
    goal = {"variables": {"x": "real"}, "given": ["x >= 10"]}
    assert refuted({**goal, "goal": "erf(x) < 1"}) is None
    assert refuted({**goal, "goal": "erf(x) < 1 - 1/10^9"}) is not None


@pytest.mark.parametrize("key", SOME[::2])
def test_proof_on_record_is_accepted_and_its_statement_not_refuted(key):
    assert accepted(key, PROOFS[key])
    assert refuted(PROOFS[key]["sequent"]) is None


@pytest.mark.parametrize("part", range(PARTS))
def test_mutant_is_rejected_or_true(part):
    wrong, rejected, count = [], 0, 0
    for key, entry in tried(part):
        count += 1
        if not accepted(key, entry):
            rejected += 1
            continue
        if entry["sequent"] != PROOFS[key]["sequent"]:
            point = refuted(entry["sequent"])
            if point:
                wrong.append((key, json.dumps(entry)[:600], point))
    assert not wrong
    assert rejected > count / 3


def test_oracle_refutes_what_is_false_and_only_that():
    square = {"variables": {"x": "real"}, "given": ["x > 0"], "goal": "x^2 > x"}
    assert refuted(square)
    assert refuted({**square, "given": ["x > 1"]}) is None
    defined = {"variables": {"x": "real"}, "given": [], "goal": "defined(1/x) and x/x == 1"}
    assert refuted(defined) is None
    assert refuted({**defined, "goal": "x/x != 1"})
