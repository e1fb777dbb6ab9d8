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
    entry,
    largest,
    last,
    other_entry,
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
        within(part) for u in (ENTRY_X(each), ENTRY_Y(each)) for part in (Ge(u, smallest), Le(u, 1))
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
    """Log ratio of the entries of a table, by the variables that differ."""
    return [Le(log(p_x / p_y), largest * changes), Le(-log(p_x / p_y), largest * changes)]


def read(k=variable):
    """Number of variables that differ, among the parents of one."""
    return Sum(READS(other_variable, k) * DIFFERS(other_variable), (other_variable, 0, last))


def count(k=variable):
    """Number of variables that differ, among those that a table reads and its own."""
    return DIFFERS(k) + read(k)


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
        step(
            "whether they differ",
            Or(Eq(ENTRY_X(variable), ENTRY_Y(variable)), DIFFERS(variable) >= 1),
        ),
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


@claim(
    "note-entries",
    place="Lemma 7: epsilon_0 is the smallest entry of all tables",
    given=entries,
    using=[("text-c-lemma-7", lambda: {entry: ENTRY_X(each), other_entry: ENTRY_Y(each)})],
)
def log_ratios_of_all_tables():
    """Absolute log ratios of two entries of each table."""
    return [at_most(log(1 / smallest)), *positive_entries()]


@claim(
    "lemma-7-independent",
    place="Lemma 7, independent variables",
    given=lambda: [*entries(), same_or(DIFFERS(each))],
    using=["note-entries", ("eq-c.2", lambda: {largest: log(1 / smallest)})],
)
def independent_variables():
    """Log likelihood ratio of independent variables under the Hamming distance."""
    return Le(Abs(over(log_ratio())), log(1 / smallest) * over(DIFFERS(variable)))


# --- any graph ------------------------------------------------------------------------------------


@claim("note-read", place="Lemma 7", given=[variable <= last])
def parents_that_differ():
    """Number of variables that differ, among the parents of one."""
    return Ge(read(), 0)


@claim("note-count", place="Lemma 7", given=[variable <= last], using=["note-read"])
def count_is_not_negative():
    """Number of variables that differ, among those that a table reads and its own."""
    return Ge(count(), 0)


@claim(
    "note-table-reads",
    place="Lemma 7, the table of a variable, which is read by the variable and its parents",
    given=lambda: [*entries(), same_or(count(each)), Le(variable, last)],
    using=[
        "note-count",
        ("text-c-lemma-7", lambda: {entry: ENTRY_X(variable), other_entry: ENTRY_Y(variable)}),
        (
            "note-table",
            lambda: {
                p_x: ENTRY_X(variable),
                p_y: ENTRY_Y(variable),
                changes: count(),
                largest: log(1 / smallest),
            },
        ),
    ],
    proof=lambda: [
        step(
            "the entries",
            [
                Ge(ENTRY_X(variable), smallest),
                Ge(ENTRY_Y(variable), smallest),
                Le(ENTRY_X(variable), 1),
                Le(ENTRY_Y(variable), 1),
            ],
        ),
        step("their log ratio", Le(Abs(log_ratio()), log(1 / smallest))),
        step("what is read", Or(Eq(ENTRY_X(variable), ENTRY_Y(variable)), count() >= 1)),
    ],
)
def log_ratio_of_a_table_by_its_parents():
    """Log ratio of the entries of a table, by how many of the variables that it reads differ."""
    bound = log(1 / smallest) * count()
    return [Le(log_ratio(), bound), Le(-log_ratio(), bound)]


def weighted_distance():
    """Hamming distance in which each variable counts 1 plus the number of its children."""
    children = Sum(READS(variable, other_variable), (other_variable, 0, last))
    return over((1 + children) * DIFFERS(variable))


@claim("note-children", place="Lemma 7: parents of all variables are children of all variables")
def parents_and_children():
    """Number of variables that differ among all parents, table by table and variable by variable."""
    child = READS(variable, other_variable) * DIFFERS(variable)
    return Eq(over(read()), over(Sum(child, (other_variable, 0, last))))


@claim(
    "note-weighted",
    place="Lemma 7: the weight of a variable",
    using=["note-children"],
    proof=lambda: [
        step("table by table", Eq(over(count()), over(DIFFERS(variable)) + over(read()))),
        step(
            "variable by variable",
            Eq(
                weighted_distance(),
                over(DIFFERS(variable))
                + over(
                    Sum(
                        READS(variable, other_variable) * DIFFERS(variable),
                        (other_variable, 0, last),
                    )
                ),
            ),
        ),
    ],
)
def count_and_weight():
    """Number of variables that differ over all tables, as a weighted distance."""
    return Eq(over(count()), weighted_distance())


@claim(
    "lemma-7-corrected",
    place="Lemma 7, repaired, and the end of its proof, for any graph: delta(k) is 1 where x and y differ in "
    "k, a(k, j) where j is a child of k. Several observations are one network of as many copies of the graph",
    corrects=["lemma-7"],
    why="A variable that differs also changes the row of the table that each of its children "
    "reads, so it counts 1 plus the number of its children.",
    given=lambda: [*entries(), same_or(count(each))],
    using=["note-weighted", ("note-table-reads", lambda: {variable: variable}), "note-entries"],
    proof=lambda: [
        step("one way", Le(over(log_ratio()), over(log(1 / smallest) * count()))),
        step("the other", Le(over(-log_ratio()), over(log(1 / smallest) * count()))),
        step("its size", Le(Abs(over(log_ratio())), log(1 / smallest) * over(count()))),
    ],
)
def network():
    """Log likelihood ratio of a Bayesian network under the weighted Hamming distance, repaired."""
    return Le(Abs(over(log_ratio())), log(1 / smallest) * weighted_distance())
