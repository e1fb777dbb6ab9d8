"""Lemma 7 for any network of discrete variables, and Lemma 1 for any number of records.

A network is a graph on the variables 0, ..., K_0: a(j, k) is 1 where the table of k reads j. An
outcome has the probability that is the product of one entry of each table, u for x and v for y.
"""

from sympy import Abs, Eq, Ge, Lambda, Le, Or, Sum, exp, log

from dpbook import Every, claim, for_all, step
from dpbook.posterior_sampling.any_models import (
    LIKELIHOOD,
    METRIC,
    PRIOR,
    Listed,
    Marks,
    Spread,
    evidence,
    log_likelihood_ratio,
    posterior_loss,
)
from dpbook.posterior_sampling.claims.general import assumption_1, existing
from dpbook.posterior_sampling.notation import (
    L,
    any_x,
    any_y,
    c,
    changes,
    each,
    entry,
    in_s,
    k,
    largest,
    last,
    multiplier,
    other_entry,
    other_variable,
    p_x,
    p_y,
    parameter,
    part_y,
    phi_x,
    phi_y,
    size,
    smallest,
    variable,
    x,
    y,
)
from dpbook.privacy.any_distributions import AnyEvent
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
    """State that all entries lie between epsilon_0 and 1."""
    return [
        within(part) for u in (ENTRY_X(each), ENTRY_Y(each)) for part in (Ge(u, smallest), Le(u, 1))
    ]


def positive_entries():
    """State that all entries are positive."""
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
    """State that the entries of a table are the same, or something is at least 1."""
    return within(Or(Eq(ENTRY_X(each), ENTRY_Y(each)), least >= 1))


def at_most(bound):
    """State that no log ratio of a table exceeds a bound."""
    return within(Le(Abs(log_ratio(each)), bound))


def table(changed_variables):
    """Return note-table for the table of a variable."""
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
    "note-table-size",
    place="eq. C.2, its middle, one table; the count is 1 or more where the entries differ",
    given=lambda: [Abs(log(p_x / p_y)) <= largest, Or(Eq(p_x, p_y), changes >= 1)],
    proof=lambda: [
        step("both cases", Or(Eq(log(p_x / p_y), 0), changes >= 1)),
    ],
)
def absolute_log_ratio_of_a_table():
    """Log ratio of the entries of a table, by its absolute value and the variables that differ."""
    counted = Abs(log(p_x / p_y)) * changes
    return [
        Le(log(p_x / p_y), counted),
        Le(-log(p_x / p_y), counted),
        Le(counted, largest * changes),
    ]


@claim(
    "note-table-size-alone",
    place="eq. C.2, its middle, the table of a variable",
    given=lambda: [
        at_most(largest),
        same_or(DIFFERS(each)),
        *positive_entries(),
        Le(variable, last),
    ],
    using=[
        (
            "note-table-size",
            lambda: {p_x: ENTRY_X(variable), p_y: ENTRY_Y(variable), changes: DIFFERS(variable)},
        )
    ],
    proof=lambda: [
        step("the entries", [ENTRY_X(variable) > 0, ENTRY_Y(variable) > 0]),
        step("their log ratio", Le(Abs(log_ratio()), largest)),
        step(
            "whether they differ",
            Or(Eq(ENTRY_X(variable), ENTRY_Y(variable)), DIFFERS(variable) >= 1),
        ),
    ],
)
def absolute_log_ratio_of_the_table_of_a_variable():
    """Log ratio of the entries of the table of a variable, by its absolute value and whether it differs."""
    counted = Abs(log_ratio()) * DIFFERS(variable)
    return [
        Le(log_ratio(), counted),
        Le(-log_ratio(), counted),
        Le(counted, largest * DIFFERS(variable)),
    ]


@claim(
    "eq-c.2",
    place="eq. C.2: the logarithm of a product is the sum of the logarithms; M_0 is the largest log ratio of "
    "two entries of one table",
    given=lambda: [at_most(largest), same_or(DIFFERS(each)), *positive_entries()],
    using=[("note-table-size-alone", lambda: {variable: variable})],
    proof=lambda: [
        step("one way", Le(over(log_ratio()), over(Abs(log_ratio()) * DIFFERS(variable)))),
        step("the other", Le(over(-log_ratio()), over(Abs(log_ratio()) * DIFFERS(variable)))),
        step(
            "table by table",
            Le(over(Abs(log_ratio()) * DIFFERS(variable)), over(largest * DIFFERS(variable))),
        ),
    ],
)
def log_ratio_of_independent_variables():
    """Log likelihood ratio of independent variables, by the Hamming distance."""
    return [
        Le(Abs(over(log_ratio())), over(Abs(log_ratio()) * DIFFERS(variable))),
        Le(
            over(Abs(log_ratio()) * DIFFERS(variable)),
            largest * over(DIFFERS(variable)),
        ),
    ]


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


FIRST, OTHER = Listed("X_1", 0, last), Listed("Y_1", 0, last)  # the records of x and y


@claim("note-assumption-1", place="Lemma 1, one record", given=lambda: [assumption_1()])
def log_ratio_under_assumption_1():
    """Log likelihood ratio of two records at a parameter under assumption 1."""
    return Le(Abs(log_likelihood_ratio(x, y, parameter)), L * METRIC(x, y))


def product_ratio():
    """Log likelihood ratio of n independent records, at a parameter."""
    return over(log_likelihood_ratio(FIRST(variable), OTHER(variable), parameter))


def product_metric():
    """Distance of the datasets of these records."""
    return over(METRIC(FIRST(variable), OTHER(variable)))


def by_records():
    """Return the notes for Lemma 1: the bound for each record, and the sum over all records."""
    first, second = LIKELIHOOD(FIRST(each), parameter), LIKELIHOOD(OTHER(each), parameter)
    distance = Lambda((each,), METRIC(FIRST(each), OTHER(each)))
    return [
        ("note-assumption-1", lambda: {x: FIRST(each), y: OTHER(each)}),
        (
            "note-lemma-1-sum",
            lambda: {
                ENTRY_X: Lambda((each,), first),
                ENTRY_Y: Lambda((each,), second),
                BETWEEN: distance,
            },
        ),
        ("note-metric", lambda: {BETWEEN: distance}),
    ]


@claim(
    "lemma-1.i",
    place="Lemma 1 under assumption 1: for any likelihood of a record, metric and parameter; records are counted "
    "from 0 to K_0, so n is K_0 + 1",
    given=lambda: [assumption_1()],
    using=by_records(),
    proof=lambda: [
        step(
            "a factor of at least 1",
            Le(L * product_metric(), L * (last + 1) * product_metric()),
        )
    ],
)
def lipschitz_constant_of_a_product():
    """Lipschitz constant of a product."""
    return Le(Abs(product_ratio()), L * (last + 1) * product_metric())


@claim(
    "lemma-1.iii",
    place="Lemma 1, at most k records differ, as lemma-1.i; where none does there is nothing to show",
    given=lambda: [assumption_1()],
    using=by_records(),
    proof=lambda: [
        step(
            "a factor of at least 1",
            Le(L * product_metric(), L * k * product_metric()),
        )
    ],
)
def lipschitz_constant_where_few_records_differ():
    """Lipschitz constant of a product where few records differ."""
    return Le(Abs(product_ratio()), L * k * product_metric())


RECORD, PRODUCT = AnyEvent("S"), AnyEvent("S_n")  # the parameters of a small constant
X, Y = Listed("X", 1, last), Listed("Y", 1, last)  # of a parameter: the records of two datasets


def record_ratio(k=variable):
    """Log likelihood ratio of the k-th records of the two datasets of a parameter, at the parameter."""
    return log_likelihood_ratio(X(parameter, k), Y(parameter, k), parameter)


def record_distance(k=variable):
    """Distance of these two records."""
    return METRIC(X(parameter, k), Y(parameter, k))


def small_for_a_record(number=k):
    """State that at the parameters in S a record has a constant of at most L / k, or L / n."""
    ratio = Abs(log_likelihood_ratio(any_x, any_y, parameter))
    small = Le(ratio, L / number * METRIC(any_x, any_y))
    return for_all(any_x, any_y, parameter, Or(Eq(RECORD.indicator(parameter), 0), small))


def large_for_a_product():
    """State that at the parameters off S_n the records X and Y have a larger constant than L."""
    large = Abs(over(record_ratio())) > L * over(record_distance())
    return Every(parameter, Or(Eq(PRODUCT.indicator(parameter), 1), large))


@claim(
    "note-part-of-a-ratio",
    place="Lemma 1 under assumption 2, at a parameter and a record; I_S is 1 where the constant is small",
    given=lambda: [
        Or(Eq(in_s, 0), Eq(in_s, 1)),
        Or(Eq(in_s, 0), Le(Abs(log(p_x / p_y)), size)),
    ],
)
def part_of_a_log_ratio():
    """Log likelihood ratio of a record where its constant is small, and 0 elsewhere."""
    return [Le(in_s * log(p_x / p_y), size), Le(in_s * -log(p_x / p_y), size)]


@claim(
    "note-part-of-the-ratios",
    place="Lemma 1 under assumption 2, at a parameter, for each record",
    given=lambda: [small_for_a_record(), Le(variable, last)],
    using=[
        (
            "note-part-of-a-ratio",
            lambda: {
                in_s: RECORD.indicator(parameter),
                p_x: LIKELIHOOD(X(parameter, variable), parameter),
                p_y: LIKELIHOOD(Y(parameter, variable), parameter),
                size: L / k * record_distance(),
            },
        )
    ],
    proof=lambda: [
        step(
            "S or not",
            Or(Eq(RECORD.indicator(parameter), 0), Eq(RECORD.indicator(parameter), 1)),
        ),
        step(
            "its constant",
            Or(
                Eq(RECORD.indicator(parameter), 0),
                Le(Abs(record_ratio()), L / k * record_distance()),
            ),
        ),
    ],
)
def part_of_the_log_ratio_of_a_record():
    """Log likelihood ratio of any of the records where a record has a small constant, or 0."""
    bound = L / k * record_distance()
    return [
        Le(RECORD.indicator(parameter) * record_ratio(), bound),
        Le(RECORD.indicator(parameter) * -record_ratio(), bound),
    ]


@claim(
    "note-part-of-a-product",
    place="Lemma 1 under assumption 2, at a parameter",
    given=lambda: [small_for_a_record()],
    using=[("note-part-of-the-ratios", lambda: {variable: variable})],
    proof=lambda: [
        step(
            "one way",
            Le(
                over(RECORD.indicator(parameter) * record_ratio()),
                over(L / k * record_distance()),
            ),
        ),
        step(
            "the other",
            Le(
                over(RECORD.indicator(parameter) * -record_ratio()),
                over(L / k * record_distance()),
            ),
        ),
    ],
)
def part_of_the_log_ratio_of_a_product():
    """Log likelihood ratio of a product where a record has a small constant, and 0 elsewhere."""
    bound = L / k * over(record_distance())
    return [
        Le(RECORD.indicator(parameter) * over(record_ratio()), bound),
        Le(-RECORD.indicator(parameter) * over(record_ratio()), bound),
    ]


@claim(
    "note-product-distance",
    place="Lemma 1 under assumption 2: the distance of two datasets",
)
def distance_of_the_records():
    """Distance of the records of a parameter."""
    return Ge(over(record_distance()), 0)


@claim(
    "note-small-for-a-product",
    place="Lemma 1 under assumption 2, at a parameter, in numbers",
    given=lambda: [
        Or(Eq(in_s, 0), Eq(in_s, 1)),
        in_s * multiplier <= size,
        -in_s * multiplier <= size,
        Or(Eq(part_y, 1), Abs(multiplier) > size),
    ],
    proof=lambda: [step("S or not", Or(Eq(in_s, 0), Abs(multiplier) <= size))],
)
def small_constant_in_numbers():
    """Indicators of small constants, of a record and of a product."""
    return Or(Eq(in_s, 0), Eq(part_y, 1))


@claim(
    "note-product-bound",
    place="Lemma 1 under assumption 2, at a parameter: k is at least 1",
    given=lambda: [small_for_a_record()],
    using=["note-part-of-a-product", "note-product-distance"],
    proof=lambda: [
        step("k", Le(L / k * over(record_distance()), L * over(record_distance()))),
    ],
)
def bound_of_the_log_ratio_of_a_product():
    """Log likelihood ratio of a product where a record has a small constant, bounded by L."""
    bound = L * over(record_distance())
    return [
        Le(RECORD.indicator(parameter) * over(record_ratio()), bound),
        Le(-RECORD.indicator(parameter) * over(record_ratio()), bound),
        Ge(bound, 0),
    ]


@claim(
    "note-small-everywhere",
    place="Lemma 1 under assumption 2, at a parameter: S is part of S_n",
    given=lambda: [small_for_a_record(), large_for_a_product()],
    using=[
        "note-product-bound",
        (
            "note-small-for-a-product",
            lambda: {
                in_s: RECORD.indicator(parameter),
                part_y: PRODUCT.indicator(parameter),
                multiplier: over(record_ratio()),
                size: L * over(record_distance()),
            },
        ),
    ],
    proof=lambda: [
        step(
            "S or not",
            Or(Eq(RECORD.indicator(parameter), 0), Eq(RECORD.indicator(parameter), 1)),
        ),
        step(
            "in S_n or not",
            Or(
                Eq(PRODUCT.indicator(parameter), 1),
                Abs(over(record_ratio())) > L * over(record_distance()),
            ),
        ),
    ],
)
def small_constant_of_a_product():
    """Parameters at which a record has a small constant, among those at which a product has."""
    return Or(Eq(RECORD.indicator(parameter), 0), Eq(PRODUCT.indicator(parameter), 1))


@claim(
    "note-weight-in-s",
    place="Lemma 1 under assumption 2, at a parameter, with the prior density as a weight",
    given=lambda: [small_for_a_record(), large_for_a_product()],
    using=["note-small-everywhere"],
)
def weight_of_small_constants():
    """Prior density where a record has a small constant, by the density where a product has."""
    weight = PRIOR.density(parameter)
    return Le(RECORD.indicator(parameter) * weight, PRODUCT.indicator(parameter) * weight)


@claim(
    "lemma-1.ii",
    place="Lemma 1 under assumption 2: for any likelihood of a record, metric and prior, with n = K_0 + 1 records. At "
    "the parameters in S a record has a constant of at most L / n. At a parameter off S_n n records do not have "
    "the constant L, so there are two datasets X and Y of n records that show this",
    given=lambda: [
        small_for_a_record(last + 1),
        large_for_a_product(),
        Ge(probability(PRIOR, RECORD), 1 - exp(-c * (L / (last + 1)))),
    ],
    using=[("note-weight-in-s", lambda: {parameter: parameter, k: last + 1})],
    proof=lambda: [
        step("a part", Ge(probability(PRIOR, PRODUCT), probability(PRIOR, RECORD))),
        step("the rate", Eq(exp(-c * (L / (last + 1))), exp(-(c / (last + 1)) * L))),
    ],
)
def rate_of_a_product():
    """Rate of assumption 2 for a product."""
    return Ge(probability(PRIOR, PRODUCT), 1 - exp(-(c / (last + 1)) * L))


@claim(
    "lemma-1.iv",
    place="Lemma 1, last sentence, under assumption 2, as lemma-1.ii: S holds the parameters at which a record has a "
    "constant of at most L / k. At any parameter off S_n some datasets X and Y violate the constant L. That they differ in at most k "
    "records is not needed (as in lemma-1.iii)",
    given=lambda: [
        small_for_a_record(),
        large_for_a_product(),
        Ge(probability(PRIOR, RECORD), 1 - exp(-c * (L / k))),
    ],
    using=[("note-weight-in-s", lambda: {parameter: parameter})],
    proof=lambda: [
        step("a part", Ge(probability(PRIOR, PRODUCT), probability(PRIOR, RECORD))),
        step("the rate", Eq(exp(-c * (L / k)), exp(-(c / k) * L))),
    ],
)
def rate_where_few_records_differ():
    """Rate of assumption 2 for a product where few records differ."""
    return Ge(probability(PRIOR, PRODUCT), 1 - exp(-(c / k) * L))


# --- answers: Algorithm 1 --------------------------------------------------------------------------

ANSWERS = Listed("theta", 0, last)  # the parameters that the mechanism answers with


@claim(
    "note-loss-of-a-ratio",
    place="Section 4.2, one answer, in numbers",
    given=lambda: [Abs(log(p_x / p_y)) <= size, Abs(log(phi_y / phi_x)) <= size],
    proof=lambda: [
        step(
            "the logarithm",
            Eq(log((p_x / phi_x) / (p_y / phi_y)), log(p_x / p_y) + log(phi_y / phi_x)),
        ),
    ],
)
def log_ratio_of_two_quotients():
    """Log ratio of two posterior densities."""
    return Le(Abs(log((p_x / phi_x) / (p_y / phi_y))), 2 * size)


@claim(
    "note-loss-of-an-answer",
    place="Section 4.2, one answer",
    given=lambda: [assumption_1(), *existing()],
    using=[
        "eq-a.2",
        "note-evidences-reversed",
        (
            "note-ratio-of-evidences",
            lambda: {phi_x: evidence(x), phi_y: evidence(y), size: L * METRIC(x, y)},
        ),
        (
            "note-loss-of-a-ratio",
            lambda: {
                p_x: LIKELIHOOD(x, parameter),
                p_y: LIKELIHOOD(y, parameter),
                phi_x: evidence(x),
                phi_y: evidence(y),
                size: L * METRIC(x, y),
            },
        ),
    ],
    proof=lambda: [
        step("assumption 1", Le(Abs(log_likelihood_ratio(x, y, parameter)), L * METRIC(x, y))),
    ],
)
def loss_of_an_answer():
    """Log ratio of two posterior densities at a parameter under assumption 1."""
    return Le(Abs(posterior_loss(x, y, parameter)), 2 * L * METRIC(x, y))


@claim(
    "text-4.2-mechanism",
    place="Section 4.2, Theorem 2 for the mechanism with identity queries: for any model and prior. The print names no "
    "number of answers, and for T = K_0 + 1 of them, which are independent, the loss adds up; the density of all "
    "answers is the product of those of each",
    cites=["theorem-2.i"],
    given=lambda: [assumption_1(), *existing()],
    using=[
        ("note-loss-of-an-answer", lambda: {parameter: ANSWERS(each)}),
        (
            "note-lemma-1-sum",
            lambda: {
                L: 1,
                ENTRY_X: Lambda((each,), LIKELIHOOD(x, ANSWERS(each)) / evidence(x)),
                ENTRY_Y: Lambda((each,), LIKELIHOOD(y, ANSWERS(each)) / evidence(y)),
                BETWEEN: Lambda((each,), 2 * L * METRIC(x, y)),
            },
        ),
    ],
    without={"theorem-2.i": "note-loss-of-an-answer is the same for densities"},
)
def privacy_of_all_answers():
    """Loss of all answers of the mechanism."""
    return Le(
        Abs(over(posterior_loss(x, y, ANSWERS(variable)))),
        2 * L * METRIC(x, y) * (last + 1),
    )
