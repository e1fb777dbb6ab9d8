"""Rules for integers: what each must accept, and what is false by a hair and must be rejected."""

from dpbook.kernel.enclosure import integer_root
from tests.kernel.instances import IDENTITY, KNOWN, Instance, node, refuted, sequent

DEFINED = node("defined")
TRIANGLE = "sum(k, k, 1, n)"


def induct(*premises, start="0"):
    return node("induct", *premises, variable="n", start=start)


def telescope(*premises, by="k*(k - 1)/2", of=TRIANGLE):
    return node("telescope", *premises, sum=of, by=by)


def unroll(of, length, *premises):
    return node("unroll", *premises, sum=of, length=length)


def parts(of, at, *premises, **fields):
    return node("parts", *premises, sum=of, at=at, **fields)


def no_root(*premises, base="n", other="m", exponent=2, factors=("1", "2")):
    fields = {"base": base, "other": other, "exponent": exponent, "factors": list(factors)}
    return node("no root", *premises, **fields)


def compare(low, high, *premises, op="<="):
    return node("compare sums", *premises, low=low, high=high, op=op)


def exchange(of, *premises):
    return node("exchange sums", *premises, sum=of)


def reindex(of, by, *premises, **fields):
    return node("reindex", *premises, sum=of, by=by, **fields)


# 2^(n_ + 1) >= n_ + 2 from twice 2^n_ >= n_ + 1 and n_ >= 0
DOUBLED = refuted([["2", [3], None], ["1", [1], None], ["1", [4], None]])
BERNOULLI = refuted([["1", [6], None], ["1", [1, 4], None], ["1", [2], "x"], ["1", [], "x"]])
DOUBLE = "sum(sum(f(i, j), i, 1, 3), j, 1, n)"

ACCEPTED = [
    Instance("induct", sequent(";n", "n >= 0", "2^n >= n + 1"), induct(DOUBLED)),
    Instance("induct", sequent("x;n", "n >= 1|x >= -1", "(1 + x)^n >= 1 + n*x"), induct(node("have", IDENTITY, BERNOULLI, formula="(1 + x)^(n_ + 1) == (1 + x)*(1 + x)^n_"), start="1")),
    Instance("telescope", sequent(";n", "n >= 0", f"{TRIANGLE} == n*(n + 1)/2"), telescope(node("rewrite", IDENTITY, equality=1))),
    Instance("unroll", sequent(";n", "", "sum(k, k, n, n + 2) == 3*n + 3"), unroll("sum(k, k, n, n + 2)", 3, node("rewrite", IDENTITY, equality=0))),
    Instance("unroll", sequent(";n", "", "product(k, k, n, n - 1) == 1"), unroll("product(k, k, n, n - 1)", 0, KNOWN)),
    Instance("unroll", sequent("x", "", "sum(x^k, k, 0, 2) == 1 + x + x^2"), unroll("sum(x^k, k, 0, 2)", 3, node("rewrite", IDENTITY, equality=0))),
    Instance("parts", sequent(";n", "n >= 1", "sum(1/k, k, 1, n + 1) == sum(1/k, k, 1, n) + 1/(n + 1)"), parts("sum(1/k, k, 1, n + 1)", "n", KNOWN, above="one")),
    Instance("parts", sequent(";n", "n >= 0", "sum(k, k, 1, n) == 0 + sum(k, k, 1, n)"), parts("sum(k, k, 1, n)", "0", node("rewrite", IDENTITY, equality=1), below="none")),
    Instance("parts", sequent(";m n", "m >= 0|n > m", "product(k, k, 1, n) == product(k, k, 1, m)*product(k, k, m + 1, n)"), parts("product(k, k, 1, n)", "m", KNOWN)),
    Instance("compare sums", sequent(";n", "n >= 1", "sum(0*k, k, 1, n) <= sum(1/k, k, 1, n)"), compare("sum(0*k, k, 1, n)", "sum(1/k, k, 1, n)", KNOWN)),
    Instance("compare sums", sequent(";n", "all(k; integer; f(k) <= k)", "sum(f(k), k, 1, n) <= sum(j, j, 1, n)", f=1), compare("sum(f(k), k, 1, n)", "sum(j, j, 1, n)", node("instance", KNOWN, hypothesis=0, value="k_"), KNOWN)),
    Instance("exchange sums", sequent(";n", "n >= 1", f"{DOUBLE} == sum(sum(f(i, j), j, 1, n), i, 1, 3)", f=2), exchange(DOUBLE, KNOWN)),
    Instance("reindex", sequent(";n", "n >= 1", "sum(1/(n - k), k, 0, n - 1) == sum(1/k, k, 1, n)"), reindex("sum(1/(n - k), k, 0, n - 1)", "n", node("rewrite", IDENTITY, equality=1), reversed="yes")),
    Instance("reindex", sequent(";n", "n >= 1", "sum(1/(k + 1), k, 0, n - 1) == sum(1/k, k, 1, n)"), reindex("sum(1/(k + 1), k, 0, n - 1)", "-1", node("rewrite", IDENTITY, equality=1))),
    Instance("residues", sequent(";m n", "", "m^2 - 3*n != 2"), node("residues", modulus=3)),
    Instance("residues", sequent(";m n", "", "m^2 + n^2 != 4*floor(m/5) + 3"), node("residues", modulus=4)),
    Instance("no root", sequent(";m n", "m > 0", "n^2 != 2*m^2"), no_root()),
    Instance("no root", sequent(";m n", "m >= 1 or m <= -1", "n^2 - 2*m^2 != 0"), no_root(node("split", KNOWN, KNOWN, hypothesis=0))),
    Instance("no root", sequent(";m n", "m >= 1", "2*m^2 != n^2"), no_root()),
    Instance("no root", sequent(";m n", "n < 0", "(n + m)^3 != 54*n^3"), no_root(base="n + m", other="n", exponent=3, factors=("1", "54"))),
    Instance("no root", sequent(";m n", "m >= 1", "5*n^2 != 20*m^4*2"), no_root(other="m^2", factors=("5", "40"))),
    Instance("no root", sequent("x;m", "m >= 1", "floor(x)^2 != 3*m^2"), no_root(base="floor(x)", factors=("1", "3"))),
    Instance("whole", sequent(";m n", "m > n", "m >= n + 1"), node("whole", KNOWN, hypothesis=0)),
    Instance("whole", sequent("x;n", "floor(x) < n", "floor(x) <= n - 1"), node("whole", KNOWN, hypothesis=0)),
]  # fmt: skip

REJECTED = [
    Instance("induct", sequent(";n", "n >= 0", "2^n >= n + 2"), induct(KNOWN, DOUBLED), "not settled"),
    Instance("induct", sequent(";n", "n >= -1", "2^n >= n + 1"), induct(KNOWN, DOUBLED), "not settled"),
    Instance("induct", sequent("n", "n >= 0", "2^n >= n + 1"), induct(DOUBLED), "must be an integer"),
    Instance("induct", sequent(";n", "n >= 1/2", "2^n >= n + 1"), induct(KNOWN, KNOWN, DOUBLED, start="1/2"), "not settled"),
    Instance("induct", sequent(";n", "n >= 0", "2^n >= n + 1"), induct(DOUBLED, start="n"), "free of it"),
    Instance("induct", sequent(";n", "n >= 0", "(n - 1000)*n >= (n - 1000)*7"), induct(KNOWN), "not settled"),
    Instance("induct", sequent(";n", "n >= 0|n <= 5", "n <= 4"), induct(KNOWN), "not settled"),
    Instance("telescope", sequent(";n", "n >= -1", f"{TRIANGLE} == n*(n + 1)/2"), telescope(KNOWN, node("rewrite", IDENTITY, equality=1)), "not settled"),
    Instance("telescope", sequent("n", "n >= 0", f"{TRIANGLE} == n*(n + 1)/2"), telescope(KNOWN, node("rewrite", IDENTITY, equality=1)), "not settled"),
    Instance("telescope", sequent(";n", "n >= 0", f"{TRIANGLE} == n*(n + 2)/2"), telescope(node("rewrite", IDENTITY, equality=1)), "differ"),
    Instance("telescope", sequent(";n", "n >= 0", f"{TRIANGLE} == n*(n + 1)/2"), telescope(KNOWN, node("rewrite", IDENTITY, equality=1), by="k*(k + 1)/2"), "not settled"),
    Instance("telescope", sequent("k;n", "n >= 0", f"{TRIANGLE} == n*(n + 1)/2"), telescope(node("rewrite", IDENTITY, equality=1)), "name of a variable"),
    Instance("telescope", sequent("x;n", "n >= 0", f"{TRIANGLE} == n*(n + 1)/2"), telescope(KNOWN, of="sum(1/k^2, k, 1, oo)", by="1/k"), "finite sum"),
    Instance("unroll", sequent(";n", "", "sum(k, k, n, n + 2) == 3*n + 4"), unroll("sum(k, k, n, n + 2)", 3, node("rewrite", IDENTITY, equality=0)), "differ"),
    Instance("unroll", sequent("x", "", "sum(k, k, x, x + 2) == 3*x + 3"), unroll("sum(k, k, x, x + 2)", 3, KNOWN, KNOWN), "not settled"),
    Instance("unroll", sequent("", "", "sum(1, k, 0, 1/2) == 1"), unroll("sum(1, k, 0, 1/2)", 1, KNOWN, KNOWN), "not settled"),
    Instance("unroll", sequent("", "", "sum(1, k, 3, 1) == 0"), unroll("sum(1, k, 3, 1)", -1, KNOWN), "not known"),
    Instance("unroll", sequent(";n", "", "sum(1, k, 1, n) == n"), unroll("sum(1, k, 1, n)", 1, KNOWN, KNOWN), "not settled"),
    Instance("unroll", sequent("", "", "integral(1, k, 1, 2) == 1"), unroll("integral(1, k, 1, 2)", 2, KNOWN), "finite sum or product"),
    Instance("unroll", sequent("", "", "sum(1, k, 1, 201) == 201"), unroll("sum(1, k, 1, 201)", 201, KNOWN), "large"),
    Instance("parts", sequent(";n", "n >= -1", "sum(1/k, k, 1, n + 1) == sum(1/k, k, 1, n) + 1/(n + 1)"), parts("sum(1/k, k, 1, n + 1)", "n", KNOWN, KNOWN, above="one"), "not settled"),
    Instance("parts", sequent("m;n", "m >= 1|m < n", "sum(k, k, 1, n) == sum(k, k, 1, m) + sum(k, k, m + 1, n)"), parts("sum(k, k, 1, n)", "m", KNOWN, KNOWN), "not settled"),
    Instance("parts", sequent(";m n", "m >= 1", "sum(k, k, 1, n) == sum(k, k, 1, m) + sum(k, k, m + 1, n)"), parts("sum(k, k, 1, n)", "m", KNOWN, KNOWN), "not settled"),
    Instance("parts", sequent("x;n", "n > x + 1", "sum(k, k, x, n) == x + sum(k, k, x + 1, n)"), parts("sum(k, k, x, n)", "x", KNOWN, KNOWN, KNOWN, below="one"), "not settled"),
    Instance("parts", sequent(";n", "n >= 3", "sum(k, k, 1, n) == 1 + sum(k, k, 3, n)"), parts("sum(k, k, 1, n)", "2", KNOWN, KNOWN, below="one"), "not settled"),
    Instance("parts", sequent(";n", "n >= 3", "sum(k, k, 1, n) == sum(k, k, 2, n)"), parts("sum(k, k, 1, n)", "1", KNOWN, KNOWN, below="none"), "not settled"),
    Instance("compare sums", sequent(";n", "n >= 1", "sum(1/k, k, 0, n) >= 0"), compare("sum(0*k, k, 0, n)", "sum(1/k, k, 0, n)", KNOWN, KNOWN), "not settled"),
    Instance("compare sums", sequent(";n", "n >= 1", "sum(1/k, k, 1, n) >= 0"), compare("sum(0*k, k, 1, n + 1)", "sum(1/k, k, 1, n)", KNOWN), "other ends"),
    Instance("compare sums", sequent(";n", "n >= 1", "sum(1/k, k, 1, n) > 0"), compare("sum(0*k, k, 1, n)", "sum(1/k, k, 1, n)", KNOWN, op="<"), "not <= or =="),
    Instance("compare sums", sequent(";n", "n >= 1", "sum(1, k, 1, n) <= sum(1/k, k, 1, n)"), compare("sum(1, k, 1, n)", "sum(1/k, k, 1, n)", KNOWN, KNOWN), "not settled"),
    Instance("exchange sums", sequent(";n", "", "sum(sum(f(i, j), i, 1, j), j, 1, n) == 0", f=2), exchange("sum(sum(f(i, j), i, 1, j), j, 1, n)", KNOWN), "free of the outer"),
    Instance("exchange sums", sequent("i;n", "", "sum(sum(f(i, j), i, 1, 3), j, i, n) == 0", f=2), exchange("sum(sum(f(i, j), i, 1, 3), j, i, n)", KNOWN), "in the outer ends"),
    Instance("exchange sums", sequent(";n", "", "sum(sum(f(j, j), j, 1, 3), j, 1, n) == 0", f=2), exchange("sum(sum(f(j, j), j, 1, 3), j, 1, n)", KNOWN), "inner variable"),
    Instance("exchange sums", sequent(";n", "", "sum(product(f(i, j), i, 1, 3), j, 1, n) == 0", f=2), exchange("sum(product(f(i, j), i, 1, 3), j, 1, n)", KNOWN), "sum of a sum"),
    Instance("reindex", sequent("x;n", "n >= 1", "sum(1/(k + 1), k, 0, n) == 0"), reindex("sum(1/(k + 1), k, 0, n)", "x", KNOWN, KNOWN), "not settled"),
    Instance("reindex", sequent("x;n", "n >= 1", "sum(1/(k + 1), k, 0, n) == 0"), reindex("sum(1/(k + 1), k, 0, n)", "1/2", KNOWN, KNOWN), "not settled"),
    Instance("reindex", sequent(";n", "n >= 1", "sum(1/(k + 1), k, 0, n) == sum(1/k, k, 1, n)"), reindex("sum(1/(k + 1), k, 0, n)", "-1", node("rewrite", IDENTITY, equality=1)), "differ"),
    Instance("reindex", sequent(";k n", "n >= 1", "sum(k, k, 0, n) == 0"), reindex("sum(k, k, 0, n)", "k", KNOWN), "name that the sum binds"),
    Instance("residues", sequent(";m n", "", "m^2 - 3*n != 1"), node("residues", modulus=3), "is met"),
    Instance("residues", sequent("n;m", "", "m^2 - 3*n != 2"), node("residues", modulus=3), "polynomial of integers"),
    Instance("residues", sequent(";m n", "", "m^2/3 - n != 2/3"), node("residues", modulus=3), "polynomial of integers"),
    Instance("residues", sequent(";m n", "", "m^2 - 3*n == 2"), node("residues", modulus=3), "polynomial of integers"),
    Instance("residues", sequent(";m n", "", "m^2 - 3*n != 2"), node("residues", modulus=1), "polynomial of integers"),
    Instance("no root", sequent(";m n", "m >= 0", "n^2 != 2*m^2"), no_root(KNOWN), "not settled"),
    Instance("no root", sequent("n;m", "m >= 1", "n^2 != 2*m^2"), no_root(KNOWN), "not settled"),
    Instance("no root", sequent("m;n", "m >= 1", "n^2 != 2*m^2"), no_root(KNOWN), "not settled"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 != 4*m^2"), no_root(factors=("1", "4")), "power of a rational"),
    Instance("no root", sequent(";m n", "m >= 1", "8*n^2 != 18*m^2"), no_root(factors=("8", "18")), "power of a rational"),
    Instance("no root", sequent(";m n", "m >= 1", "8*n^3 != 27*m^3"), no_root(exponent=3, factors=("8", "27")), "power of a rational"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 != 4*m^2"), no_root(), "normal forms differ"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 != 2*m^2 + 1"), no_root(), "normal forms differ"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 + 2*m^2 != 0"), no_root(), "normal forms differ"),
    Instance("no root", sequent(";m n", "m >= 1", "n^3 != -2*m^3"), no_root(exponent=3, factors=("1", "-2")), "positive whole"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 != m^2/2"), no_root(factors=("1", "1/2")), "positive whole"),
    Instance("no root", sequent(";m n", "m >= 1", "n != 2*m"), no_root(exponent=1), "two powers differ"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 > 2*m^2"), no_root(), "two powers differ"),
    Instance("no root", sequent(";m n", "m >= 1", "n^2 == 2*m^2"), no_root(), "two powers differ"),
    Instance("whole", sequent("x;n", "x > n", "x >= n + 1"), node("whole", KNOWN, KNOWN, hypothesis=0), "not settled"),
    Instance("whole", sequent(";m n", "m >= n", "m >= n + 1"), node("whole", KNOWN, hypothesis=0), "integers strictly"),
    Instance("whole", sequent(";m n", "m/2 > n/2", "m/2 >= n/2 + 1"), node("whole", KNOWN, KNOWN, hypothesis=0), "not settled"),
    Instance("whole", sequent(";m n", "2^n > m", "2^n >= m + 1"), node("whole", KNOWN, KNOWN, hypothesis=0), "not settled"),
]  # fmt: skip


def test_powers_are_told_from_what_is_none():
    for k in range(2, 8):
        powers = {n**k for n in range(1, 60)}
        assert all((integer_root(n, k) ** k == n) == (n in powers) for n in range(1, 2000))
    assert integer_root((10**40 + 1) ** 7, 7) == 10**40 + 1
    assert integer_root((10**40 + 1) ** 7 - 1, 7) == 10**40
