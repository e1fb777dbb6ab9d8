"""Lemma 7 for any network of discrete variables, and Lemma 1 for any number of records.

A network is a graph on the variables 0, ..., K_0: a(j, k) is 1 where the table of k reads j. An
outcome has the probability that is the product of one entry of each table, u for x and v for y.
"""

from sympy import Abs, Eq, Ge, Lambda, Le, Or, Sum, exp, log

from dpbook.engine.claim import claim
from dpbook.engine.derivation import step
from dpbook.engine.statement import Every
from dpbook.posterior_sampling.any_models import PRIOR, Listed, Marks, Spread
from dpbook.posterior_sampling.notation import (
    L,
    a,
    c,
    changes,
    each,
    entry,
    k,
    largest,
    last,
    n,
    other_entry,
    other_variable,
    p_x,
    p_y,
    parameter,
    size,
    smallest,
    variable,
)
from dpbook.privacy.any_laws import AnyEvent
from dpbook.privacy.statements import probability

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


# --- records: Lemma 1 -----------------------------------------------------------------------------

BETWEEN = Spread("rho", 0, last)  # the distance of the records of x and y, record by record


def lipschitz_records():
    """Assumption 1 for each record, at a parameter: u and v are the likelihoods of the records."""
    return [
        within(Le(Abs(log_ratio(each)), L * BETWEEN(each))),
        *positive_entries(),
    ]


@claim(
    "note-lemma-1-ratio",
    place="Lemma 1, one record",
    given=lambda: [Abs(log(p_x / p_y)) <= size],
)
def log_ratio_both_ways():
    """Log ratio of two numbers, both ways."""
    return [Le(log(p_x / p_y), size), Le(-log(p_x / p_y), size)]


@claim(
    "note-lemma-1-record",
    place="Lemma 1, one record",
    given=lambda: [*lipschitz_records(), Le(variable, last)],
    using=[
        (
            "note-lemma-1-ratio",
            lambda: {
                p_x: ENTRY_X(variable),
                p_y: ENTRY_Y(variable),
                size: L * BETWEEN(variable),
            },
        )
    ],
    proof=lambda: [
        step("the likelihoods", [ENTRY_X(variable) > 0, ENTRY_Y(variable) > 0]),
        step("the distance", Ge(BETWEEN(variable), 0)),
        step("their log ratio", Le(Abs(log_ratio()), L * BETWEEN(variable))),
    ],
)
def log_ratio_of_a_record():
    """Log likelihood ratio of a record."""
    bound = L * BETWEEN(variable)
    return [Le(log_ratio(), bound), Le(-log_ratio(), bound)]


@claim(
    "note-lemma-1-sum",
    place="Lemma 1, sharpened: with the summed metric the constant of a record serves, for any number of records",
    given=lambda: [*lipschitz_records()],
    using=[("note-lemma-1-record", lambda: {variable: variable})],
    proof=lambda: [
        step("one way", Le(over(log_ratio()), over(L * BETWEEN(variable)))),
        step("the other", Le(over(-log_ratio()), over(L * BETWEEN(variable)))),
    ],
)
def log_ratio_of_records():
    """Log likelihood ratio of independent records, by the summed metric."""
    return Le(Abs(over(log_ratio())), L * over(BETWEEN(variable)))


@claim(
    "note-log-ratio-by-its-size",
    place="Lemma 1, one record",
    given=lambda: [*positive_entries(), Le(variable, last)],
    proof=lambda: [step("the likelihoods", [ENTRY_X(variable) > 0, ENTRY_Y(variable) > 0])],
)
def log_ratio_by_its_size():
    """Log likelihood ratio of a record, by its size."""
    return [Le(log_ratio(), Abs(log_ratio())), Le(-log_ratio(), Abs(log_ratio()))]


@claim(
    "text-a-lemma-1-corrected",
    place="Appendix A, proof of Lemma 1, first line, repaired, for any number of records",
    corrects=["text-a-lemma-1"],
    why="The log ratio of a product is the sum of the log ratios; absolute values make it an "
    "inequality, and no factor n arises.",
    given=lambda: [*positive_entries()],
    using=[("note-log-ratio-by-its-size", lambda: {variable: variable})],
    proof=lambda: [
        step("one way", Le(over(log_ratio()), over(Abs(log_ratio())))),
        step("the other", Le(over(-log_ratio()), over(Abs(log_ratio())))),
    ],
)
def log_ratio_of_products():
    """Absolute log ratio of two products, repaired."""
    return Le(Abs(over(log_ratio())), over(Abs(log_ratio())))


@claim(
    "note-size-of-a-record",
    place="Lemma 1, one record",
    given=lambda: [*lipschitz_records(), Le(variable, last)],
    proof=lambda: [step("its log ratio", Le(Abs(log_ratio()), L * BETWEEN(variable)))],
)
def size_of_the_log_ratio_of_a_record():
    """Absolute log likelihood ratio of a record."""
    return Le(Abs(log_ratio()), L * BETWEEN(variable))


@claim(
    "text-a-lemma-1-metric-corrected",
    place="Appendix A, proof of Lemma 1, second line, repaired, for any number of records",
    corrects=["text-a-lemma-1-metric"],
    why="The Lipschitz condition bounds the distance of two likelihoods by rho, the distance of the records.",
    given=lambda: [*lipschitz_records()],
    using=[("note-size-of-a-record", lambda: {variable: variable})],
)
def log_ratios_by_the_metric():
    """Sum of the absolute log ratios of all records, by the metric, repaired."""
    return Le(over(Abs(log_ratio())), L * over(BETWEEN(variable)))


@claim("note-metric", place="Lemma 1: the summed metric")
def summed_metric_is_not_negative():
    """Summed metric."""
    return Ge(over(BETWEEN(variable)), 0)


@claim(
    "lemma-1.i",
    place="Lemma 1 under assumption 1, for any likelihood of a record, at any parameter: records are counted "
    "from 0 to K_0, so n is K_0 + 1",
    given=lambda: [*lipschitz_records()],
    using=["note-lemma-1-sum", "note-metric"],
    proof=lambda: [
        step(
            "a factor of at least 1",
            Le(L * over(BETWEEN(variable)), L * (last + 1) * over(BETWEEN(variable))),
        )
    ],
)
def lipschitz_constant_of_a_product():
    """Lipschitz constant of a product."""
    return Le(Abs(over(log_ratio())), L * (last + 1) * over(BETWEEN(variable)))


@claim(
    "lemma-1.iii",
    place="Lemma 1, at most k records differ, as lemma-1.i; where none does there is nothing to show",
    given=lambda: [*lipschitz_records()],
    using=["note-lemma-1-sum", "note-metric"],
    proof=lambda: [
        step(
            "a factor of at least 1",
            Le(L * over(BETWEEN(variable)), L * k * over(BETWEEN(variable))),
        )
    ],
)
def lipschitz_constant_where_few_records_differ():
    """Lipschitz constant of a product where few records differ."""
    return Le(Abs(over(log_ratio())), L * k * over(BETWEEN(variable)))


RECORD, PRODUCT = AnyEvent("S"), AnyEvent("S_n")


@claim(
    "lemma-1.ii",
    scope="the step from S to S_n: that S is part of it, which Lemma 1(i) gives at each parameter, is a condition here",
    place="Lemma 1 under assumption 2, for any prior: S are the parameters at which a record has a constant of "
    "at most L / n, S_n those at which n of them have one of at most L, which by Lemma 1(i) S is part of",
    given=lambda: [
        Every(
            parameter, Or(Eq(RECORD.indicator(parameter), 0), Eq(PRODUCT.indicator(parameter), 1))
        ),
        Ge(probability(PRIOR, RECORD), 1 - exp(-c * (L / n))),
    ],
    using=["lemma-1.i"],
    proof=lambda: [
        step("a part", Ge(probability(PRIOR, PRODUCT), probability(PRIOR, RECORD))),
        step("the rate", Eq(exp(-c * (L / n)), exp(-(c / n) * L))),
    ],
)
def rate_of_a_product():
    """Rate of assumption 2 for a product."""
    return Ge(probability(PRIOR, PRODUCT), 1 - exp(-(c / n) * L))


# --- answers: Algorithm 1 --------------------------------------------------------------------------


@claim(
    "text-4.2-mechanism",
    place="Section 4.2, Theorem 2 for the mechanism with identity queries; the print names no number of "
    "answers, and for T = K_0 + 1 of them the loss adds up: u(i) and v(i) are the densities of the posteriors "
    "of x and y at the i-th answer, within a factor exp(2 a) by note-densities",
    scope="the loss of each answer is a condition here: note-densities shows it of the posteriors' densities, "
    "and they are not put in",
    given=lambda: [within(Le(Abs(log_ratio(each)), 2 * a)), *positive_entries()],
    using=["note-densities", ("note-lemma-1-sum", lambda: {L: 1, BETWEEN: Lambda((each,), 2 * a)})],
)
def privacy_of_all_answers():
    """Loss of all answers of the mechanism."""
    return Le(Abs(over(log_ratio())), 2 * a * (last + 1))
