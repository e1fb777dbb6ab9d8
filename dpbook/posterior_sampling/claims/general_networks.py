"""Lemma 7 for any network of discrete variables, and Lemma 1 for any number of records.

A network is a graph on the variables 0, ..., K_0: a(j, k) is 1 where the table of k reads j. An
outcome has the probability that is the product of one entry of each table, u for x and v for y.
"""

from sympy import Abs, Eq, Ge, Le, Or, Sum, log

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.posterior_sampling.any_models import Listed, Marks
from dpbook.posterior_sampling.notation import (
    changes,
    each,
    largest,
    last,
    other_variable,
    p_x,
    p_y,
    smallest,
    variable,
)

ENTRY_X, ENTRY_Y = Listed("u", 0, last), Listed("v", 0, last)
DIFFERS, READS = Marks("delta", 0, last), Marks("a", 1, last)


def over(body, index=variable):
    """Sum over the variables."""
    return Sum(body, (index, 0, last))


def within(tree):
    """For all variables."""
    return Every(each, tree, [Le(each, last)])


def log_ratio(k=variable):
    """Log ratio of the entries of a table."""
    return log(ENTRY_X(k) / ENTRY_Y(k))


def entries():
    """That all entries lie between epsilon_0 and 1."""
    return [
        within(part)
        for u in (ENTRY_X(each), ENTRY_Y(each))
        for part in (Ge(u, smallest), Le(u, 1))
    ]


def positive_entries():
    """That all entries are positive."""
    return [within(u(each) > 0) for u in (ENTRY_X, ENTRY_Y)]


# --- independent variables ------------------------------------------------------------------------


@claim(
    "note-table",
    place="eq. C.2, one table; the count is 1 or more where the entries differ",
    given=lambda: [
        Abs(log(p_x / p_y)) <= largest,
        Or(Eq(p_x, p_y), changes >= 1),
    ],
    proof=lambda: [
        step("both cases", Or(Eq(log(p_x / p_y), 0), changes >= 1)),
    ],
)
def log_ratio_of_a_table():
    """Absolute log ratio of the entries of a table, by the variables that differ."""
    return Le(Abs(log(p_x / p_y)), largest * changes)


def count(k=variable):
    """Number of variables that differ, among those that a table reads and its own."""
    read = Sum(READS(other_variable, k) * DIFFERS(other_variable), (other_variable, 0, last))
    return DIFFERS(k) + read


def same_or(least):
    """That the entries of a table are the same, or something is at least 1."""
    return within(Or(Eq(ENTRY_X(each), ENTRY_Y(each)), least >= 1))


def at_most(bound):
    """That no log ratio of a table exceeds a bound."""
    return within(Le(Abs(log_ratio(each)), bound))


def table(changed_variables):
    """What is said of a table, at a variable."""
    return (
        "note-table",
        lambda: {p_x: ENTRY_X(variable), p_y: ENTRY_Y(variable), changes: changed_variables()},
    )


@claim(
    "note-table-alone",
    place="eq. C.2, the table of a variable",
    given=lambda: [
        at_most(largest),
        same_or(DIFFERS(each)),
        *positive_entries(),
        Le(variable, last),
    ],
    using=[table(lambda: DIFFERS(variable))],
    proof=lambda: [
        step("the entries", [ENTRY_X(variable) > 0, ENTRY_Y(variable) > 0]),
        step("their log ratio", Le(Abs(log_ratio()), largest)),
        step("whether they differ", Or(Eq(ENTRY_X(variable), ENTRY_Y(variable)), DIFFERS(variable) >= 1)),
    ],
)
def log_ratio_of_the_table_of_a_variable():
    """Log ratio of the entries of the table of a variable, by whether it differs."""
    return [
        Le(log_ratio(), largest * DIFFERS(variable)),
        Le(-log_ratio(), largest * DIFFERS(variable)),
    ]


@claim(
    "eq-c.2",
    place="eq. C.2: the logarithm of a product is the sum of the logarithms; M_0 is the largest log ratio of "
    "two entries of one table",
    given=lambda: [at_most(largest), same_or(DIFFERS(each)), *positive_entries()],
    using=[("note-table-alone", lambda: {variable: variable})],
    proof=lambda: [
        step("one way", Le(over(log_ratio()), over(largest * DIFFERS(variable)))),
        step("the other", Le(over(-log_ratio()), over(largest * DIFFERS(variable)))),
    ],
)
def log_ratio_of_independent_variables():
    """Log likelihood ratio of independent variables, by the Hamming distance."""
    return Le(Abs(over(log_ratio())), largest * over(DIFFERS(variable)))
