"""A checker of the trees that the search for contradictions returns, written apart from it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dpbook.engine.prove.tactics.positivstellensatz import Literal, Poly, Step, refute

Node = dict[str, Any]


def found(
    facts: list[Literal], clauses: list[list[list[Literal]]], *, effort: int = 1
) -> Node | None:
    """Return the tree of a contradiction as plain data, each fact by its place in a list."""
    step = refute(facts, clauses, effort=effort)
    return None if step is None else _plain(step, {i: i for i in range(len(facts))}, len(facts))


def _plain(step: Step, places: dict[int, int], count: int) -> Node:
    """Return a node as plain data, each name replaced by its place in the checker's list."""
    branches = []
    for names, child in step.children:
        inner = dict(places)
        for offset, name in enumerate(names):
            inner[name] = count + offset
        branches.append(_plain(child, inner, count + len(names)))
    data = step.data
    if step.rule == "sum":
        return {
            "rule": "sum",
            "terms": [
                [factor, sorted(places[name] for name in names), square]
                for factor, names, square in data["terms"]
            ],
            "equalities": [[places[name], poly] for name, poly in data["equalities"]],
        }
    if step.rule in ("split", "cases"):
        return {"rule": step.rule, **data, "branches": branches}
    if step.rule == "cancel":
        return {
            "rule": "cancel",
            "fact": places[data["fact"]],
            "by": [[places[name], power] for name, power in data["by"]],
            "even": data["even"],
            "quotient": data["quotient"],
            "then": branches[0],
        }
    return {"rule": "have", "literal": data["literal"], "by": branches[0], "then": branches[1]}


def _product(left: Poly, right: Poly) -> Poly:
    total: Poly = {}
    for first, value in left.items():
        for second, factor in right.items():
            powers = dict(first)
            for variable, power in second:
                powers[variable] = powers.get(variable, 0) + power
            key = tuple(sorted(powers.items()))
            total[key] = total.get(key, Fraction(0)) + value * factor
    return {key: value for key, value in total.items() if value}


def _added(left: Poly, right: Poly) -> Poly:
    total = dict(left)
    for key, value in right.items():
        total[key] = total.get(key, Fraction(0)) + value
    return {key: value for key, value in total.items() if value}


_CASES = ([">", "<="], [">=", "<"], [">", "==", "<"], ["==", "!="])
_NEGATED = {">": ("-", ">="), ">=": ("-", ">"), "==": ("", "!="), "!=": ("", "==")}


def verify(node: Node, facts: list[Literal], clauses: list[list[list[Literal]]]) -> bool:
    """Whether the tree shows that the facts and clauses contradict each other.

    Only sums and products of rational polynomials are computed. A tree of the wrong shape is refused.
    """
    try:
        return _holds(node, list(facts), clauses)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError):
        return False


def _at(facts: list[Literal], place: Any) -> Literal:
    if type(place) is not int or place < 0:
        raise ValueError
    return facts[place]


def _negative(poly: Poly) -> Poly:
    return {key: -value for key, value in poly.items()}


def _holds(node: Node, facts: list[Literal], clauses: list[list[list[Literal]]]) -> bool:
    rule = node["rule"]
    if rule == "sum":
        return _sums(node, facts)
    if rule == "split":
        if type(node["clause"]) is not int or node["clause"] < 0:
            return False
        alternatives = clauses[node["clause"]]
        return len(alternatives) == len(node["branches"]) and all(
            _holds(child, [*facts, *part], clauses)
            for child, part in zip(node["branches"], alternatives, strict=True)
        )
    if rule == "cases":
        ops, term = node["ops"], node["term"]
        if ops not in _CASES or len(ops) != len(node["branches"]):
            return False
        turned = {"<": ">", "<=": ">="}
        return all(
            _holds(
                child,
                [*facts, (_negative(term), turned[op]) if op in turned else (term, op)],
                clauses,
            )
            for op, child in zip(ops, node["branches"], strict=True)
        )
    if rule == "have":
        poly, op = node["literal"]
        sign, opposite = _NEGATED[op]
        negated = (_negative(poly) if sign else poly, opposite)
        return _holds(node["by"], [*facts, negated], clauses) and _holds(
            node["then"], [*facts, (poly, op)], clauses
        )
    if rule == "cancel":
        return _cancels(node, facts) and _holds(
            node["then"], [*facts, (node["quotient"], _at(facts, node["fact"])[1])], clauses
        )
    return False


def _sums(node: Node, facts: list[Literal]) -> bool:
    total: Poly = {}
    strict = False
    for factor, places, square in node["terms"]:
        if factor <= 0:
            return False
        term: Poly = {(): Fraction(factor)}
        positive = square is None
        for place in places:
            poly, op = _at(facts, place)
            if op not in (">", ">="):
                return False
            positive = positive and op == ">"
            term = _product(term, poly)
        if square is not None:
            term = _product(term, _product(square, square))
        strict = strict or positive
        total = _added(total, term)
    for place, multiplier in node["equalities"]:
        poly, op = _at(facts, place)
        if op != "==":
            return False
        total = _added(total, _product(poly, multiplier))
    return strict and not total


def _cancels(node: Node, facts: list[Literal]) -> bool:
    poly, op = _at(facts, node["fact"])
    allowed = {">": (">", ">="), ">=": (">",), "==": (">", "!=")}[op]
    product: Poly = {key: Fraction(value) for key, value in node["quotient"].items()}
    for place, power in node["by"]:
        factor, relation = _at(facts, place)
        if relation not in allowed or type(power) is not int or power < 1:
            return False
        for _ in range(power):
            product = _product(product, factor)
    for factor, power in node["even"]:
        if op != ">" or type(power) is not int or power < 2 or power % 2:
            return False
        for _ in range(power):
            product = _product(product, factor)
    return not _added(product, _negative(poly))
