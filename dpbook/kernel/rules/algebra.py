"""Rules of algebra: normal forms, sums of products of facts, cancelling, substitution."""

from __future__ import annotations

from dataclasses import replace

from dpbook.kernel import environment, formulas
from dpbook.kernel.environment import Environment, Fields, difference, literal_at, read_term
from dpbook.kernel.errors import Rejected
from dpbook.kernel.formulas import All, Formula, Is, Relation, Sequent, put, with_new
from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.normal.facts import Facts
from dpbook.kernel.normal.polynomials import Poly
from dpbook.kernel.terms import ZERO, Term, replaced, var

MOST = 400  # terms of a combination, and factors of one product


def identity(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude that two terms are equal from their normal forms.

    Goal         a == b, a >= b or a <= b
    """
    t, op = difference(s)
    facts = env.facts(s)
    if op not in ("==", ">=") or not facts.is_zero(facts.poly(t)):
        raise Rejected("the normal forms differ")
    return []


def restate(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Write a goal in another way.

    Goal         a op 0
    Premises     k > 0 (for == and != k != 0), if k is no number > 0;  b op 0
    Condition    a - k b - (sum of c_i e_i) is 0 by its normal form, where e_i == 0 are hypotheses. The
                 relation of b is the relation of a; where a >= 0 is the goal, b > 0 and b == 0 serve too
    Fields       goal: ``b op 0`` in any form; factor: k, 1 where it is missing; equalities: [number, c_i]
    """
    a, op = difference(s)
    goal = fields.formula("goal")
    b, other = difference(s.showing(goal))
    if other != op and (other, op) not in ((">", ">="), ("==", ">=")):
        raise Rejected("the relations differ")
    facts = env.facts(s)
    k = fields.term("factor", default="1")
    rest = P.plus(facts.poly(a), facts.product(facts.poly(k), facts.poly(b)), -1)
    rest = P.plus(rest, _of_equalities(facts, s, fields), -1)
    if not facts.is_zero(rest):
        raise Rejected("the normal forms differ")
    return [*_positive(s, k, "!=" if op in ("==", "!=") else ">"), s.showing(goal)]


def _positive(s: Sequent, k: Term, op: str) -> list[Sequent]:
    """Return the premise that a factor is positive, or not 0; none for a number > 0 as written."""
    if k.head == "num" and k.value > 0:
        return []
    return [s.showing(Relation(k, op, ZERO))]


def _of_equalities(facts: Facts, s: Sequent, fields: Fields) -> Poly:
    total: Poly = {}
    for number, source in fields.pairs("equalities"):
        p, op = literal_at(facts, s, number)
        if op != "==":
            raise Rejected(f"hypothesis {number} is no equality")
        total = P.plus(total, facts.product(p, facts.poly(read_term(source, s))))
    return total


def combination(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Conclude anything from hypotheses that contradict each other.

    Condition    the sum of c_i * (product of facts) * square_i^2 and of t_j * e_j is 0 by its normal
                 form, where c_i > 0, the facts are hypotheses > 0 or >= 0, e_j == 0 are hypotheses,
                 and some product is of facts > 0 only, without a square: the sum would be > 0
    Facts        a hypothesis is read as ``polynomial op 0``: of < and <= the right side less the left
                 one, of other relations the left side less the right one, in normal form, and multiplied
                 by its denominators of known sign, among them exponentials with a negative exponent. So
                 1/e <= x is read as e x - 1 >= 0 if e > 0, and -exp(-x) < -e as 1 - e exp(x) > 0. Where
                 a combination is rejected, the command writes how each hypothesis is read
    Fields       terms: [c_i, [numbers], square_i or null]; equalities: [number, t_j]
    Source       Krivine (1964), Stengle (1974), Positivstellensatz
    """
    facts = env.facts(s)
    total, strict = combined(facts, s, fields)
    if not strict:
        raise Rejected("no term of the combination is strictly positive")
    if not facts.is_zero(total):
        raise Rejected("the combination is not 0")
    return []


def combined(facts: Facts, s: Sequent, fields: Fields) -> tuple[Poly, bool]:
    """Return the sum of a combination, and whether some term of it is > 0."""
    parts = [_of_equalities(facts, s, fields)]
    products: dict[tuple[object, ...], Poly] = {(): P.constant(1)}  # of facts, by their numbers
    strict = False
    terms = fields.items("terms")
    if len(terms) > MOST:
        raise Rejected("a combination has too many terms")
    for item in terms:
        if not isinstance(item, list) or len(item) != 3 or not isinstance(item[1], list):
            raise Rejected("a term is [coefficient, [numbers], square or null]")
        coefficient = environment.rational(item[0], 2000, "a coefficient must be a rational number")
        if coefficient <= 0 or len(item[1]) > MOST:
            raise Rejected("a coefficient must be > 0")
        sure = item[2] is None
        numbers: tuple[object, ...] = ()
        for number in item[1]:
            p, op = literal_at(facts, s, number)
            if op not in (">", ">="):
                raise Rejected(f"hypothesis {number} is no inequality")
            sure = sure and op == ">"
            before, numbers = products[numbers], (*numbers, number)
            if numbers not in products:
                products[numbers] = facts.product(before, p)
        part = products[numbers]
        if item[2] is not None:
            square = facts.poly(read_term(item[2], s))
            part = facts.product(part, facts.product(square, square))
        strict = strict or sure
        parts.append(P.scaled(part, coefficient))
    return P.total(parts), strict


def cancel(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Divide a hypothesis by factors whose signs are known.

    Goal         C, given a op 0
    Premise      C given q op 0
    Condition    a - q * (product of facts^k) * (product of t^even) is 0 by its normal form. For >, >=
                 and == the facts are > 0; for > they may be >= 0 (then none is 0, for a is not), and
                 powers t^even may stand as well; for == they may be != 0; for != they may have any
                 relation (none is 0, for a is not). Facts and a are read as `combination` reads them
    Fields       fact: the number of ``a op 0``; by: [number, k]; even: [t, even exponent]; quotient: q
    """
    facts = env.facts(s)
    number = fields.number("fact")
    p, op = literal_at(facts, s, number)
    quotient = fields.term("quotient")
    product = facts.poly(quotient)
    for index, k in fields.pairs("by"):
        factor, other = literal_at(facts, s, index)
        allowed = {">": (">", ">="), ">=": (">",), "==": (">", "!="), "!=": (">", ">=", "==", "!=")}
        if other not in allowed[op]:
            raise Rejected(f"hypothesis {index} cannot be cancelled")
        product = _times(facts, product, factor, k)
    for source, k in fields.pairs("even"):
        if op != ">":
            raise Rejected("an even power may be 0")
        product = _times(facts, product, facts.poly(read_term(source, s)), k, 2)
    if not facts.is_zero(P.plus(p, product, -1)):
        raise Rejected("the quotient times its factors is not the hypothesis")
    return [s.assuming(Relation(quotient, op, ZERO))]


def _times(facts: Facts, product: Poly, factor: Poly, exponent: object, of: int = 1) -> Poly:
    """Return a product with a power of a further factor, the exponent a multiple of `of`."""
    if not isinstance(exponent, int) or isinstance(exponent, bool) or not 0 < exponent <= 60:
        raise Rejected("a factor is [number or term, exponent]")
    if exponent % of:
        raise Rejected("an exponent must be even")
    for _ in range(exponent):
        product = facts.product(product, factor)
    return product


def change(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Write a hypothesis in another way, and keep both.

    Goal         C, given a op 0
    Premises     k > 0 (for != k != 0, for == nothing), if k is no number > 0;  C given b op 0
    Condition    k a - b is 0 by its normal form. The relation of b is the relation of a; where a > 0 is the
                 hypothesis, b >= 0 and b != 0 serve too, and where a == 0 is, b >= 0
    Fields       fact: its number; formula: ``b op 0`` in any form; factor: k, 1 where it is missing
    """
    f = fields.hypothesis("fact")
    a, op = difference(s.showing(f))
    formula = fields.formula("formula")
    b, other = difference(s.showing(formula))
    facts = env.facts(s)
    k = fields.term("factor", default="1")
    if other != op and (op, other) not in ((">", ">="), ("==", ">="), (">", "!=")):
        raise Rejected("the relations differ")
    if not facts.is_zero(P.plus(facts.product(facts.poly(k), facts.poly(a)), facts.poly(b), -1)):
        raise Rejected("the normal forms differ")
    needed = [] if op == "==" else _positive(s, k, "!=" if op == "!=" else ">")
    return [*needed, s.assuming(formula)]


def substitute(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Put the value of a variable in everywhere.

    Goal         C(v), given A(v) and a == b
    Premises     t is defined, where A contains `defined(...)` of a term with v, or a condition inside C
                 does;  C(t), given A(t), and that t is an integer if v is
    Condition    k (a - b) - (v - t) is 0 by its normal form, and v does not stand in t
    Fields       fact: the number of ``a == b``; variable: v; value: t; factor: k, 1 where it is missing
    """
    name, sort = fields.variable("variable")
    f = environment.hypothesis_at(s, fields.number("fact"))
    value = fields.term("value")
    if not isinstance(f, Relation) or f.op != "==" or name in value.free:
        raise Rejected("the hypothesis does not give the variable a value")
    facts = env.facts(s)
    k = facts.poly(fields.term("factor", default="1"))
    gap = facts.product(k, facts.poly(f.left - f.right))
    if not facts.is_zero(P.plus(gap, facts.poly(var(name) - value), -1)):
        raise Rejected("the hypothesis gives the variable another value")
    there = {name: value}
    kept: list[Formula] = [put(h, there) for h in s.hypotheses]
    if sort == "integer":
        kept.append(Is("integer", value))
    asked = any(formulas.asks_defined(h, name) for h in s.hypotheses)
    needed = [Is("defined", value)] if asked or formulas.presumes_defined(s.goal, name) else []
    variables = tuple(v for v in s.variables if v[0] != name)
    there_shown = Sequent(variables, s.functions, tuple(kept), put(s.goal, there))
    return [*map(s.showing, needed), there_shown]


def rewrite(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Put equals for equals in the goal, or in a hypothesis that is kept as well.

    Goal         C(a), given a == b
    Premise      C(b); or C given A(b), for a hypothesis A(a)
    Condition    a is replaced wherever it stands as written and no variable of a or b is bound
    Fields       equality: the number of ``a == b``; reversed: "yes" to put a for b;
                 hypothesis: the number of A(a), or missing
    """
    f = fields.hypothesis("equality")
    if not isinstance(f, Relation) or f.op != "==":
        raise Rejected("the hypothesis is no equality")
    old, new = f.left, f.right
    if fields.text("reversed", "") == "yes":
        old, new = new, old
    loose = old.free | new.free

    def term(t: Term) -> Term:
        return replaced(t, lambda part: new if part == old else None, loose)

    def formula(g: Formula) -> Formula:
        if isinstance(g, All) or isinstance(g, Is) and g.what != "integer":
            raise Rejected("equals are put into relations only")
        return formulas.rebuilt(g, term, formula)

    if fields.has("hypothesis"):
        return [s.assuming(formula(fields.hypothesis("hypothesis")))]
    return [s.showing(formula(s.goal))]


def name(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Give a term a name.

    Goal         C
    Premise      C given x == t, where x is a new variable
    Fields       name: x; term: t
    """
    name = fields.text("name")
    t = fields.term("term")
    return [s.with_variable(name, "real").assuming(Relation(var(name), "==", t))]


def generalise(s: Sequent, fields: Fields, env: Environment) -> list[Sequent]:
    """Show more: put a new variable in place of a term, wherever the term stands.

    Goal         C(t), given A(t) and B
    Premises     t is defined, where C or A contains `defined(...)` of a term with x;
                 C(x), given A(x), for every real x
    Fields       name: x; term: t; keep: the numbers of the hypotheses A(t);
                 goal: C(x), where t is to stay in places of C(t), or is a part of a longer product
    """
    name = fields.text("name")
    t = fields.term("term")
    wide = s.with_variable(name, "real")
    old = [s.goal, *(environment.hypothesis_at(s, i) for i in fields.items("keep"))]
    new = [with_new(f, t, var(name)) for f in old]
    if fields.has("goal"):
        new[0] = Fields(fields.data, wide).formula("goal")
    if [put(f, {name: t}) for f in new] != old:
        raise Rejected("the sequent is not an instance of the new one")
    asked = any(formulas.asks_defined(f, name) for f in new)
    needed = [s.showing(Is("defined", t))] if asked else []
    return [*needed, replace(wide, goal=new[0], hypotheses=tuple(new[1:]), base=-1)]


RULES = (identity, restate, combination, cancel, change, substitute, rewrite, name, generalise)
