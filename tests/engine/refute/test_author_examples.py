"""Examples of unknown functions: nested distributions, functions inside functions, and examples of an author.

Of each kind a true statement goes on record as proved and is proved from the record, its false
neighbour is refuted by an example, and under conditions that nothing satisfies nothing is proved.
"""

import textwrap

import pytest

from dpbook.engine.claims import record, topics, verification
from dpbook.engine.claims.claim import REGISTRY

HEAD = """
    from sympy import Eq, Ge, Gt, Integral, Le, Lt, Rational, Sum, Symbol, exp, oo

    from dpbook import claim, symbol
    from dpbook.contamination.any_models import AnyFunction
    from dpbook.engine.language.statement import Every
    from dpbook.privacy.any_distributions import AnyEvent, AnyDistribution, AnyTest, distribution_for
    from dpbook.privacy.distributions import Laplace, Normal
    from dpbook.privacy.statements import probability

    x, y, z = symbol("x"), symbol("y"), symbol("z")
    c = symbol("c", at_least=1)
    total = symbol("Z", above=0)
    P, Q, R = AnyDistribution("P", x), AnyDistribution("Q", x), AnyDistribution("R")
    f, A, T = AnyFunction("f"), AnyEvent("A"), AnyTest("T")
    outputs = AnyDistribution("P", f(x)), AnyDistribution("Q", f(x))
    k = Symbol("k", integer=True)
    squares = Sum(exp(-(k**2) / 2), (k, 0, oo))
    peak = [Every(z, Le(R.density(z), 1)), Every(z, Gt(R.density(z), 0))]


    def mixed(name):
        return Integral(R.density(y) * AnyDistribution(name, y).density(z), (y, -oo, oo))


    below = Every(y, Le(AnyDistribution("P", y).density(z), c * AnyDistribution("Q", y).density(z)))
    nested = [below, Ge(mixed("P"), 0), Ge(mixed("Q"), 0)]
"""
WITHIN = "[Every(z, Le(P.density(z), c * Q.density(z)))]"
INSIDE = "[Every(x, Every(z, Le(P.density(z), c * Q.density(z))))]"
TRUE = {
    "a distribution with a free parameter": (
        "Le(probability(P, A), c * probability(Q, A))",
        WITHIN,
    ),
    "the density at a free place": ("Le(R.density(x) * probability(P, A), R.density(x))", "[]"),
    "a function's value as a parameter": (
        "Le(probability(outputs[0], A), c * probability(outputs[1], A))",
        INSIDE,
    ),
    "a function inside a function": ("Le(T.indicator(f(x)), 1)", "[]"),
    "a nested distribution": ("Le(mixed('P'), c * mixed('Q'))", "nested"),
}
FALSE = {
    "a distribution with a free parameter": ("Le(probability(P, A), probability(Q, A))", WITHIN),
    "the density at a free place": ("Le(R.density(x), 1)", "[]"),
    "a function's value as a parameter": (
        "Le(probability(outputs[0], A), probability(outputs[1], A))",
        INSIDE,
    ),
    "a function inside a function": ("Le(T.indicator(f(x)), T.indicator(f(y)))", "[]"),
    "a nested distribution": ("Le(mixed('P'), mixed('Q'))", "nested"),
}
VACUOUS = {
    "a distribution with a free parameter": "[Every(z, Lt(P.density(z), Q.density(z)))]",
    "the density at a free place": "[Every(z, Le(R.density(z), 1)), Gt(R.density(x), 1)]",
    "a distribution that is nowhere small": "[Every(z, Ge(R.density(z), Rational(1, 10)))]",
    "a function's value as a parameter": (
        "[Every(z, Lt(outputs[0].density(z), outputs[1].density(z)))]"
    ),
    "a function inside a function": "[Every(y, Gt(f(y), f(f(x)) + 1))]",
    "a nested distribution": "[Every(y, Gt(Integral(AnyDistribution('P', y).density(z), (z, -oo, oo)), 1))]",
}

# --- of an author ----------------------------------------------------------------------------------

NORMAL, CUSP = "distribution_for(R, Normal(0, 1))", "distribution_for(R, Laplace(0, 1))"
SQUARED = "Le(R.density(x) ** 2, R.density(x))"
SUM = ("Eq(2 * total, total + squares)", "[Eq(total, squares)]")
SUPPLIED = {
    "a normal density": (SQUARED, "peak", NORMAL),
    "a density with a cusp": (SQUARED, "peak", CUSP),
    "an infinite sum": (*SUM, "{total: squares}"),
}
WITHOUT = {"a bounded density": (SQUARED, "peak"), "an infinite sum": SUM}
FALSE_THERE = {"a normal density": ("Le(R.density(x), R.density(x) ** 2)", "peak", NORMAL)}
WRONG = {
    "the example fails the condition R(z) <= 1": (
        *(SQUARED, "peak"),
        "distribution_for(R, Normal(0, Rational(1, 9)))",
    ),
    "the example fails the condition R(z) >= 1/10": (
        *(SQUARED, "[*peak, Every(z, Ge(R.density(z), Rational(1, 10)))]"),
        NORMAL,
    ),
    "R needs a Lambda of 1 arguments": (SQUARED, "peak", "{R.density(x).function: total}"),
    "gives c, of which the statement does not speak": (
        *(SQUARED, "peak"),
        "{**distribution_for(R, Normal(0, 1)), c: 2}",
    ),
    "no closed form": (SQUARED, "peak", "distribution_for(R, Normal(0, c))"),
    "the example fails the condition c >= 2": (
        *(SQUARED, "[*peak, Ge(c, 2)]"),
        "{**distribution_for(R, Normal(0, 1)), c: 1}",
    ),
    "the example gives c = z, which is no number of it": (
        *(SQUARED, "[*peak, Ge(c, 2)]"),
        "{**distribution_for(R, Normal(0, 1)), c: z}",
    ),
    "the example gives no closed form of R": (SQUARED, "[*peak, Ge(c, 2)]", "{c: 2}"),
    "the condition Z": (*SUM, "{total: 2}"),
}
NONSENSE = {name: ("Le(R.density(x), -1)", given) for name, given in VACUOUS.items()}
EMPTY = {name: ("Ge(R.density(x), 0)", given) for name, given in VACUOUS.items()}
KINDS = {
    **{"true": TRUE, "false": FALSE, "nonsense": NONSENSE, "empty": EMPTY},
    **{"supplied": SUPPLIED, "without": WITHOUT, "false-there": FALSE_THERE, "wrong": WRONG},
}


class Silent:
    """No progress is shown."""

    def __init__(self, total):
        self.total = total

    def __enter__(self):
        return None

    def __exit__(self, *error):
        return None


ALONE = {"nonsense", "empty", "wrong"}  # each of them takes a whole search


def decided(folder, kind, names):
    """Put statements of a kind on record, decide them again from the record; return rows by name."""
    labels = {f"note-{kind}-{list(KINDS[kind]).index(name)}": name for name in names}
    path = folder / f"own_{len(list(folder.iterdir()))}.py"
    parts = [textwrap.dedent(HEAD)]
    for number, (label, name) in enumerate(labels.items()):
        statement, given, *example = KINDS[kind][name]
        put_in = f", example=lambda: {example[0]}" if example else ""
        parts.append(
            f'\n\n@claim("{label}", given=lambda: {given}{put_in}, effect="ours")\n'
            f'def statement_{number}():\n    """{name}"""\n    return {statement}\n'
        )
    path.write_text("".join(parts))
    how = verification.Verification(Silent, jobs=1, use_cache=False, certify=True)
    found = how.of_own(topics.opened(path)).rows
    refused = verification.put_on_record(found, (), True)
    assert len(refused) == sum(row["verdict"] == "undecided" for row in found)
    again = verification.Verification(Silent, jobs=1, use_cache=False)
    made = again.of_own(topics.opened(path))
    for row in made.rows:
        assert row["verdict"] == "undecided" or not record.differs(row, made.records[row["key"]])
    return {labels[row["label"]]: row for row in made.rows}


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """Return a function that finds the row of a statement, decided with the others of its kind."""
    folder, known = tmp_path_factory.mktemp("examples"), record.topics()
    made = {}

    def row(kind, name):
        if (kind, name) not in made:
            names = [name] if kind in ALONE else KINDS[kind]
            made.update(((kind, n), found) for n, found in decided(folder, kind, names).items())
        return made[kind, name]

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPBOOK_CACHE", str(tmp_path_factory.mktemp("cache")))
        record.cache_folder.cache_clear()
        yield row
    record.cache_folder.cache_clear()
    for key in [key for key, c in REGISTRY.items() if c.topic not in known]:
        del REGISTRY[key]


@pytest.mark.parametrize("name", TRUE)
def test_true_statement_goes_on_record_as_proved(rows, name):
    row = rows("true", name)
    assert (row["verdict"], row["method"]) == ("proved", "kernel")


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbour_is_refuted_by_an_example(rows, name):
    row = rows("false", name)
    assert (row["verdict"], row["method"]) == ("refuted", "examples")


@pytest.mark.parametrize("kind", ["nonsense", "empty"])
@pytest.mark.parametrize("name", VACUOUS)
def test_nothing_is_decided_under_conditions_that_nothing_satisfies(rows, kind, name):
    assert rows(kind, name)["verdict"] == "undecided"


@pytest.mark.parametrize("name", SUPPLIED)
def test_with_a_supplied_example_a_true_statement_goes_on_record(rows, name):
    row = rows("supplied", name)
    assert (row["verdict"], row["method"]) == ("proved", "kernel")


@pytest.mark.parametrize("name", WITHOUT)
def test_without_an_example_the_same_is_not_proved(rows, name):
    assert rows("without", name)["verdict"] == "undecided"


@pytest.mark.parametrize("name", FALSE_THERE)
def test_false_neighbour_is_refuted_at_the_supplied_example(rows, name):
    row = rows("false-there", name)
    assert (row["verdict"], row["method"]) == ("refuted", "example")


@pytest.mark.parametrize("said", WRONG)
def test_wrong_example_is_an_error_in_one_line(rows, said):
    row = rows("wrong", said)
    assert row["verdict"] == "undecided"
    assert said in row["reason"]
    assert "\n" not in row["reason"]
