"""Rational numbers against Python's own fractions, and products of polynomials against each other."""

import operator
import pickle
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from dpbook.kernel.normal import polynomials as P
from dpbook.kernel.rationals import Rational

VALUES = [
    Fraction(n, d) for n in (-(10**40), -7, -3, -1, 0, 1, 2, 6, 10**40 + 1) for d in (1, 2, 9)
]
BINARY = [operator.add, operator.sub, operator.mul, operator.truediv]
COMPARED = [operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge]


@pytest.mark.parametrize("operation", [*BINARY, *COMPARED], ids=lambda o: o.__name__)
def test_arithmetic_is_that_of_fractions(operation):
    for a, b in product(VALUES, VALUES):
        others = [b, Rational(b), *([b.numerator] if b.denominator == 1 else [])]
        for other, turned in product(others, (False, True)):
            pair = (other, Rational(a)) if turned else (Rational(a), other)
            plain = (b, a) if turned else (a, b)
            if operation is operator.truediv and plain[1] == 0:
                with pytest.raises(ZeroDivisionError):
                    operation(*pair)
                continue
            found = operation(*pair)
            assert found == operation(*plain)
            if operation in BINARY:
                assert type(found) is Rational
                assert (found.numerator, found.denominator) == (
                    operation(*plain).numerator,
                    operation(*plain).denominator,
                )


def test_one_number_is_as_a_fraction():
    for a in VALUES:
        r = Rational(a)
        assert type(r) is Rational
        assert (hash(r), str(r), bool(r)) == (hash(a), str(a), bool(a))
        assert (-r, abs(r), r.__floor__(), r.__ceil__()) == (
            -a,
            abs(a),
            a.__floor__(),
            a.__ceil__(),
        )
        assert type(-r) is type(abs(r)) is Rational
        for e in (0, 1, 3, *([] if not a else [-1, -2])):
            assert r**e == a**e
            assert type(r**e) is Rational
        assert Rational(r) == Rational(str(a)) == r
        assert type(pickle.loads(pickle.dumps(r))) is Rational
        assert pickle.loads(pickle.dumps(r)) == a
    assert Rational(6, -4) == Fraction(-3, 2)
    assert (Rational(6, -4).numerator, Rational(6, -4).denominator) == (-3, 2)
    with pytest.raises(ZeroDivisionError):
        Rational(1, 0)


def _polynomial(random: Random, terms: int) -> P.Poly:
    made: P.Poly = {}
    for _ in range(terms):
        powers = {i: random.choice((-3, -1, 1, 2, 5)) for i in random.sample(range(9), 3)}
        made[tuple(sorted(powers.items()))] = Rational(random.randint(1, 9), random.randint(1, 4))
    made[P.ONE] = Rational(-2)
    return made


def test_product_is_the_sum_of_products_of_terms():
    random = Random(1)
    for _ in range(30):
        p, q = _polynomial(random, 12), _polynomial(random, 15)
        expected: P.Poly = {}
        for (m, c), (n, d) in product(p.items(), q.items()):
            expected = P.plus(expected, {P.times(m, n): c * d})
        assert P.product(p, q) == expected
        assert P.product(q, p) == expected
        assert all(m == tuple(sorted(m)) and all(e for _, e in m) for m in P.product(p, q))


def test_product_cancels_and_adds_fractional_exponents():
    p = {((i, 1),): Rational(1) for i in range(10)}
    less = P.scaled(p, -1)
    assert P.plus(P.product(p, p), P.product(p, less)) == {}
    root = {((i, Rational(1, 2)),): Rational(1) for i in range(10)}
    square = P.product(root, root)
    assert square[(0, 1),] == 1
    assert square[(0, Fraction(1, 2)), (1, Fraction(1, 2))] == 2


def test_common_monomial_and_leading_one():
    one = Rational(1)
    assert P.common({}) == ()
    assert P.common({((0, 2), (1, -1)): one}) == ((0, 2), (1, -1))
    assert P.common({((0, 2),): one, ((0, 3), (1, 1)): one}) == ((0, 2),)
    assert P.common({((0, 2),): one, (): one}) == ()
    assert P.common({(): one, ((0, -2),): one, ((0, 4),): one}) == ((0, -2),)
    assert P.common({((0, -1),): one, ((1, 1),): one}) == ((0, -1),)
    assert P.leading({((1, 5),): one, ((0, 1), (1, -1)): one, ((0, 1),): one}) == ((0, 1),)
    assert P.leading({(): one, ((0, -1),): one}) == ()
