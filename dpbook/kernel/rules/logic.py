"""Rules of logic: parts, cases, cuts, lemmas, axioms, and what makes a term defined."""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import reduce

from dpbook.kernel import environment, formulas
from dpbook.kernel.environment import Environment, Fields, conditions, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, And, Formula, Is, Or, Relation, Sequent, put
from dpbook.kernel.normal.atoms import ALLOWED, ANY
from dpbook.kernel.table import AXIOMS
from dpbook.kernel.terms import ZERO, Term, fresh, infinite, var

Definition = tuple[tuple[str, ...], Term]  # the parameters of a function, and its value


def and_(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a conjunction.

    Goal         A and B and C
    Premises     A;  B given A;  C given A and B
    """
    if not isinstance(s.goal, And):
        raise Rejected("the goal is no conjunction")
    parts = formulas.flat(s.goal)
    return [s.showing(part, *parts[:i]) for i, part in enumerate(parts)]


def or_(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a disjunction from one of its parts.

    Goal         A or B
    Premise      A given that B does not hold; A alone where B says that a term is defined, or holds
                 for all values, as such a B has no negation
    Fields       part: the number of A
    """
    number = fields.number("part")
    if not isinstance(s.goal, Or) or not 0 <= number < len(s.goal.parts):
        raise Rejected("the goal has no such part")
    others = [p for i, p in enumerate(s.goal.parts) if i != number and _relations_only(p)]
    return [s.showing(s.goal.parts[number], *map(formulas.negated, others))]


def _relations_only(f: Formula) -> bool:
    """Return whether a formula is made of relations, so that its negation can be said."""
    if isinstance(f, (And, Or)):
        return all(map(_relations_only, f.parts))
    return isinstance(f, Relation)


def refute(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Prove a goal by contradiction.

    Goal         A
    Premise      0 > 1 given that A does not hold
    """
    return [s.showing(formulas.FALSE, formulas.negated(s.goal))]


def auto(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude a goal that is a hypothesis, holds by its form, or follows at once from signs.

    Goal         a hypothesis, up to the names of bound variables; or that a number or a variable is
                 defined; or that a term is an integer by its form, or by its normal form; or a relation
                 that holds by the sign of its normal form under the hypotheses
    Condition    `kernel/normal/automatic.py` decides it
    """
    if not env.automatic(s):
        raise Rejected("the goal is not settled by a hypothesis or by signs")
    return []


def split(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Distinguish the cases of a hypothesis.

    Goal         C, given A or B
    Premises     C given A;  C given B
    Fields       hypothesis: the number of ``A or B``
    """
    f = fields.hypothesis("hypothesis")
    if not isinstance(f, Or):
        raise Rejected("the hypothesis is no disjunction")
    return [s.assuming(part) for part in f.parts]


def cases(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Distinguish the signs of a term.

    Goal         C
    Premises     C given t > 0;  C given t == 0;  C given t < 0  (or two of >, <= and the like), in the
                 order of the field ops
    Fields       term: t; ops: relations, which together leave no value out
    """
    t = fields.term("term")
    ops = [str(op) for op in fields.items("ops")]
    if not set(ops) <= ALLOWED.keys() or reduce(operator.or_, map(ALLOWED.get, ops), 0) != ANY:
        raise Rejected("these cases leave something out")
    return [s.assuming(Relation(t, op, ZERO)) for op in ops]


def have(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Show something on the way.

    Goal         C
    Premises     A;  C given A
    Fields       formula: A
    """
    f = fields.formula("formula")
    return [s.showing(f), s.assuming(f)]


def weaken(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Forget hypotheses.

    Goal         C given A and B
    Premise      C given A
    Fields       keep: the numbers of the hypotheses that stay
    """
    kept = [environment.hypothesis_at(s, i) for i in fields.items("keep")]
    return [replace(s, hypotheses=tuple(kept), base=-1)]


def axiom(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use a fact about a function.

    Goal         C
    Premises     the conditions of the axiom;  C given its formulas at these arguments
    Fields       name; at: a term for each parameter of the axiom
    """
    entry, values, needed = environment.entry_at(AXIOMS, fields.text("name"), s, fields, env)
    found = (put(formulas.parse_formula(f), values) for f in entry.formulas)
    return [*needed, s.assuming(*found)]


def instance(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use a hypothesis about all values of a variable at one of them.

    Goal         C, given A(x) for all x with B(x)
    Premises     B(t);  t is an integer, where x is an integer;  t is defined, where A contains
                 `defined(...)` of a term with x, or a condition inside B does;  C given A(t)
    Fields       hypothesis: its number; value: t
    """
    f = fields.hypothesis("hypothesis")
    if not isinstance(f, All):
        raise Rejected("the hypothesis is not about all values")
    value = fields.term("value")
    needed = [put(c, {f.name: value}) for c in f.conditions]
    if f.sort == "integer":
        needed.append(Is("integer", value))
    if formulas.asks_defined(f.body, f.name) or any(
        formulas.presumes_defined(c, f.name) for c in f.conditions
    ):
        needed.append(Is("defined", value))
    premises = [s.showing(c) for c in needed]
    return [*premises, s.assuming(put(f.body, {f.name: value}))]


def all_(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude something for all values of a variable from a new variable.

    Goal         A(x) for all x with B(x)
    Premise      A(x) given B(x), where x is new
    """
    f = s.goal
    if not isinstance(f, All):
        raise Rejected("the goal is not about all values")
    name = fresh(f.name, {n for n, _ in s.variables} | {n for n, _ in s.functions})
    if name != f.name:
        name = s.new_name(f.name)
    moved = {f.name: var(name)}
    given = [put(c, moved) for c in f.conditions]
    return [s.with_variable(name, f.sort).showing(put(f.body, moved), *given)]


def lemma(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Use a statement that is proved.

    Goal         C
    Premises     for each variable of the lemma: its value is an integer, where the variable is, and its
                 value is defined, where the conclusion, or a composed hypothesis, contains
                 `defined(...)` of a term with the variable;  for each function with a
                 definition, where the same holds of the function: its value is defined, for all
                 parameters;  the hypotheses of the lemma at the instance;  C given its conclusion there
    Fields       name; at: a term for each variable (one that is left out stands for itself);
                 functions: for each function of the lemma its parameters and its value
    """
    name = fields.text("name")
    if name not in env.lemmas:
        raise Rejected(f"there is no lemma {name}")
    used = env.lemmas[name]
    env.trust.lemmas.add(name)
    at, sorts = fields.mapping("at"), dict(s.variables)
    if set(at) - dict(used.variables).keys():
        raise Rejected("the lemma has no such variable")
    # a hypothesis says more of the instance, but not where it is a condition inside
    asking = (used.goal, *(h for h in used.hypotheses if not isinstance(h, Is)))
    concludes_defined = {
        what
        for what, _ in (*used.variables, *used.functions)
        if any(formulas.asks_defined(f, what) for f in asking)
    }
    values: dict[str, Term] = {}
    needed: list[Sequent] = []
    for v, sort in used.variables:
        if v not in at and v not in sorts:
            raise Rejected(f"the lemma needs a value for {v}")
        values[v] = read_term(at[v], s) if v in at else var(v)
        if sort == "integer":
            needed.append(s.showing(Is("integer", values[v])))
        if v in concludes_defined:
            needed.append(s.showing(Is("defined", values[v])))
    stated = fields.mapping("functions")
    definitions: dict[str, Definition] = {}
    for function, count in used.functions:
        if stated.get(function) is not None:
            parameters, body = _definition(stated[function], count, s)
            if function in concludes_defined:
                wide = s
                for p in parameters:
                    wide = wide.with_variable(p, "real")
                needed.append(wide.showing(Is("defined", body)))
            definitions[function] = (parameters, body)
        elif dict(s.functions).get(function) != count:
            raise Rejected(f"the lemma needs a definition of {function}")
    *given, conclusion = instantiated(used, values, definitions, sorts.keys())
    return [*needed, *(s.showing(f) for f in given), s.assuming(conclusion)]


def instantiated(
    used: Sequent,
    values: Mapping[str, Term],
    definitions: Mapping[str, Definition],
    names: Collection[str],
) -> list[Formula]:
    """Return the hypotheses and the goal of a sequent at terms and definitions, all put in at once.

    Parameters
    ----------
    values : mapping
        A term for each variable of the sequent.
    definitions : mapping
        From functions of the sequent to their parameters and values; others stay.
    names : collection of str
        The free variables of the terms, and of the definitions besides their parameters.
    """
    # the variables step aside, so that nothing that is put in is taken for one of them
    aside: dict[str, str] = {}
    for v, _ in used.variables:
        aside[v] = fresh(f"{v}'", {*names, *aside.values()})
    moved = {v: var(w) for v, w in aside.items()}
    found = [put(f, moved) for f in (*used.hypotheses, used.goal)]
    if definitions:
        found = [formulas.define(f, definitions) for f in found]
    put_in = {w: values[v] for v, w in aside.items()}
    return [put(f, put_in) for f in found]


def _definition(given: object, count: int, s: Sequent) -> Definition:
    if not isinstance(given, dict) or not isinstance(given.get("of"), list):
        raise Rejected("a definition has parameters `of` and a value `is`")
    parameters = tuple(given["of"])
    named = all(isinstance(p, str) and p.isidentifier() for p in parameters)
    if not named or not len(set(parameters)) == len(parameters) == count:
        raise Rejected(f"a definition needs {count} parameters")
    if set(parameters) & {*formulas.RESERVED, *(n for n, _ in s.variables)}:
        raise Rejected("a parameter has the name of a variable, or a reserved name")
    return parameters, read_term(given.get("is"), s, *parameters)


def defined(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that a term is defined, by the table.

    Goal         defined(t)
    Premises     where the functions of t are defined, innermost first, each given those before it
    """
    t = environment.asked(s)
    if t.head == "integral" or (t.head == "sum" and infinite(t.args[2])):
        raise Rejected("an integral, and a series, needs a rule of its own")
    return conditions(s, t)


RULES = (
    *(and_, or_, refute, auto, split, cases, have, weaken, axiom, instance, all_),
    *(lemma, defined),
)
