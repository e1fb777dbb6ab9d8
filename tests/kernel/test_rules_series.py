"""Rules for series: what each must accept, and what is false by a hair and must be rejected."""

import pytest

from dpbook.kernel import Rejected, check
from tests.kernel.instances import IDENTITY, KNOWN, Instance, node, sequent

DEFINED = node("defined")
TEL = "sum(1/(k*(k + 1)), k, 1, oo)"
GEO = "sum(x^k, k, 0, oo)"
SQUARES = "sum(1/k^2, k, 1, oo)"
TWICE = "sum(2/(k*(k + 1)), k, 1, oo)"
MIXED = "sum(2/k^2 + 3/k^3, k, 1, oo)"


def series(*premises, of=TEL, by="-1/k", limit="0", reach="1/e", small="e"):
    fields = {"sum": of, "by": by, "limit": limit, "from": reach, "small": small}
    return node("series", *premises, **fields)


def compare(*premises, low=SQUARES, high=TWICE):
    return node("compare series", *premises, low=low, high=high)


def cut(*premises, of=SQUARES, at="1", **more):
    return node("parts", *premises, sum=of, at=at, **more)


def linear(*premises, of=MIXED, parts=(("2", "1/k^2"), ("3", "1/k^3"))):
    return node("linear series", *premises, sum=of, parts=[list(p) for p in parts])


VALUE = node("rewrite", IDENTITY, equality=1)

ACCEPTED = [
    Instance("series", sequent("", "", f"{TEL} == 1"), series(DEFINED, VALUE)),
    Instance("compare series", sequent("", f"defined({TWICE})", f"{SQUARES} <= {TWICE}"), compare(DEFINED, KNOWN)),
    Instance("parts", sequent("", "defined(sum(1/k^2, k, 1 + 1, oo))", f"{SQUARES} == sum(1/k^2, k, 1, 1) + sum(1/k^2, k, 1 + 1, oo)"), cut(DEFINED, KNOWN)),
    Instance("parts", sequent(";m", "m >= 0|defined(sum(f(k), k, m + 1, oo))", "defined(sum(f(k), k, 1, oo))", f=1), cut(DEFINED, KNOWN, of="sum(f(k), k, 1, oo)", at="m")),
    Instance("parts", sequent("", "defined(sum(1/k^2, k, 1 + 1, oo))", f"{SQUARES} == 1/1^2 + sum(1/k^2, k, 1 + 1, oo)"), cut(DEFINED, KNOWN, below="one")),
    Instance("linear series", sequent("", "defined(sum(1/k^2, k, 1, oo))|defined(sum(1/k^3, k, 1, oo))", f"{MIXED} == 2*sum(1/k^2, k, 1, oo) + 3*sum(1/k^3, k, 1, oo)"), linear(DEFINED, KNOWN)),
]  # fmt: skip

REJECTED = [
    Instance("series", sequent("", "", f"{TEL} == 2"), series(DEFINED, VALUE), "differ"),
    Instance("series", sequent("", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE, by="1/k"), "not settled"),
    Instance("series", sequent("", "", "defined(sum(1, k, 0, oo))"), series(KNOWN, KNOWN, of="sum(1, k, 0, oo)", by="k"), "not settled"),
    Instance("series", sequent("", "", "sum(2^k, k, 0, oo) == -1"), series(DEFINED, KNOWN, KNOWN, of="sum(2^k, k, 0, oo)", by="2^k"), "not settled"),
    Instance("series", sequent("x", "x > 0|x != 1", f"{GEO} == 1/(1 - x)"), series(node("defined", node("or", KNOWN, part=0)), KNOWN, KNOWN, KNOWN, of=GEO, by="x^k/(x - 1)"), "not settled"),
    Instance("series", sequent("", "", "defined(sum(1/(k - 3), k, 1, oo))"), series(DEFINED, KNOWN, KNOWN, KNOWN, of="sum(1/(k - 3), k, 1, oo)"), "premises"),
    Instance("series", sequent("", "", "defined(sum(0*k, k, 1/2, oo))"), series(KNOWN, DEFINED, KNOWN, of="sum(0*k, k, 1/2, oo)", by="0"), "not settled"),
    Instance("series", sequent("x", "integer(1/x)", "defined(sum(0*k, k, 1/x, oo))"), series(DEFINED, DEFINED, KNOWN, of="sum(0*k, k, 1/x, oo)", by="0"), "premises"),
    Instance("series", sequent("", "", "sum(0*k, k, 1, oo) == 1"), series(DEFINED, KNOWN, VALUE, of="sum(0*k, k, 1, oo)", by="7", limit="8"), "not settled"),
    Instance("series", sequent("k", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE), "name of a variable"),
    Instance("series", sequent("e", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE), "variable already"),
    Instance("series", sequent("", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE, small="k"), "a name of its own"),
    Instance("series", sequent("", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE, small="pi", reach="1/pi"), "cannot be the name"),
    Instance("series", sequent("", "", f"{TEL} == 1"), series(DEFINED, KNOWN, VALUE, limit="e"), "not declared"),
    Instance("series", sequent("", "", "sum(1/k, k, 1, 5) == 1"), series(KNOWN, of="sum(1/k, k, 1, 5)"), "expected a series"),
    Instance("series", sequent("", "", "sum(1/k^2, k, -oo, oo) == 1"), series(KNOWN, of="sum(1/k^2, k, -oo, oo)"), "expected a series"),
    Instance("series", sequent("", "", "product(1, k, 1, oo) == 1"), series(KNOWN, of="product(1, k, 1, oo)"), "expected a series"),
    Instance("compare series", sequent("", "", f"{SQUARES} <= {TWICE}"), compare(DEFINED, DEFINED, KNOWN), "rule of its own"),
    Instance("compare series", sequent("", f"defined({SQUARES})", f"{TWICE} <= {SQUARES}"), compare(DEFINED, KNOWN, KNOWN, low=TWICE, high=SQUARES), "not settled"),
    Instance("compare series", sequent("", f"defined({SQUARES})", "defined(sum(-1, k, 1, oo))"), compare(KNOWN, KNOWN, low="sum(-1, k, 1, oo)", high=SQUARES), "not settled"),
    Instance("compare series", sequent("", f"defined({SQUARES})", "defined(sum(1/(k - 3)^2 - 1/(k - 3)^2, k, 1, oo))"), compare(DEFINED, KNOWN, low="sum(1/(k - 3)^2 - 1/(k - 3)^2, k, 1, oo)", high=SQUARES), "premises"),
    Instance("compare series", sequent("", f"defined({TWICE})", "defined(sum(1/k^2, k, 2, oo))"), compare(KNOWN, low="sum(1/k^2, k, 2, oo)"), "start at other places"),
    Instance("compare series", sequent("", f"defined({TWICE})", f"{SQUARES} < {TWICE}"), compare(DEFINED, KNOWN), "not settled"),
    Instance("parts", sequent("", "", f"defined({SQUARES})"), cut(DEFINED, KNOWN, KNOWN), "not settled"),
    Instance("parts", sequent("", "defined(sum(1/(k - 1), k, 1 + 1, oo))", "defined(sum(1/(k - 1), k, 1, oo))"), cut(DEFINED, KNOWN, of="sum(1/(k - 1), k, 1, oo)"), "premises"),
    Instance("parts", sequent("m", "m >= 1|defined(sum(1/k^2, k, m + 1, oo))", f"defined({SQUARES})"), cut(KNOWN, DEFINED, KNOWN, at="m"), "not settled"),
    Instance("parts", sequent(";m", "defined(sum(1/k^2, k, m + 1, oo))", f"defined({SQUARES})"), cut(KNOWN, DEFINED, KNOWN, at="m"), "not settled"),
    Instance("parts", sequent(";k", f"k >= 1|defined({SQUARES})", f"defined({SQUARES})"), cut(KNOWN, at="k"), "name that the sum binds"),
    Instance("parts", sequent("", "", f"defined({SQUARES})"), cut(DEFINED, KNOWN, above="none"), "no end"),
    Instance("parts", sequent("", "", f"defined({SQUARES})"), cut(DEFINED, KNOWN, above="one"), "no end"),
    Instance("parts", sequent(";m", "m >= 1|defined(sum(1/k^2, k, m + 1, oo))", f"{SQUARES} == 1/1^2 + sum(1/k^2, k, m + 1, oo)"), cut(KNOWN, DEFINED, KNOWN, at="m", below="one"), "not settled"),
    Instance("parts", sequent("", "", "defined(product(1, k, 1, oo))"), cut(DEFINED, KNOWN, of="product(1, k, 1, oo)"), "expected a series"),
    Instance("linear series", sequent("", "defined(sum(1/k^2, k, 1, oo))", f"defined({MIXED})"), linear(DEFINED, KNOWN, KNOWN), "not settled"),
    Instance("linear series", sequent("", "", "sum(0*k, k, 1, oo) == 0"), linear(DEFINED, KNOWN, KNOWN, KNOWN, of="sum(0*k, k, 1, oo)", parts=(("1", "1/k"), ("-1", "1/k"))), "not settled"),
    Instance("linear series", sequent("", f"defined({SQUARES})", f"sum(2/k^2, k, 1, oo) == 3*{SQUARES}"), linear(DEFINED, KNOWN, KNOWN, of="sum(2/k^2, k, 1, oo)", parts=(("3", "1/k^2"),)), "not settled"),
    Instance("linear series", sequent("k", f"defined({SQUARES})", f"sum(k/k^2, k, 1, oo) == k*{SQUARES}"), linear(KNOWN, of="sum(k/k^2, k, 1, oo)", parts=(("k", "1/k^2"),)), "name of a variable"),
]  # fmt: skip


@pytest.mark.parametrize(
    "goal",
    [
        "defined(sum(1, k, 0, oo))",
        "defined(sum(1/k^2, k, 1, oo))",
        "defined(1 + sum(1/k^2, k, 1, oo))",
        "defined(product(1, k, 1, oo))",
        "defined(sum(0*k, k, -oo, 0))",
        "sum(1/k^2, k, 1, oo) >= 0",
    ],
)
def test_series_needs_a_rule_to_be_defined_or_to_have_a_sign(goal):
    for certificate in (DEFINED, KNOWN, node("defined", KNOWN), node("defined", DEFINED)):
        with pytest.raises(Rejected):
            check(sequent("", "", goal), certificate)
