"""Trade-off functions and profiles are two faces of one thing: each gives the other in full.

A trade-off function f is below the second error of every test, at its first error. Its conjugate at a
loss says how far a line of the slope -exp(loss) has to move to lie below f. A convex f that does not
rise is, wherever it is continuous, the highest of these lines.
"""

from sympy import Eq, Ge, Gt, Integer, Lambda, Le, Piecewise, Rational, Symbol, exp, log

from dpbook import Every, claim, step
from dpbook.privacy.any_distributions import AnyDistribution, AnyTest, distribution_for
from dpbook.privacy.claims.sources import DONG
from dpbook.privacy.distributions import Normal
from dpbook.privacy.divergences import hockey_stick
from dpbook.privacy.notation import multiple, share, short
from dpbook.privacy.selection import AnyFunction
from dpbook.privacy.statements import Exceeding, probability

ZERO, HALF = Integer(0), Rational(1, 2)
P, Q = AnyDistribution("P"), AnyDistribution("Q")
phi = AnyTest("phi")
TEST = phi.indicator(Symbol("x", real=True)).function
f, conjugate, touching = AnyFunction("f"), AnyFunction("C"), AnyFunction("L", 1)


def example(*more, level=HALF, trade_off=lambda x: ZERO, at_all=ZERO):
    """Return an example: one distribution twice, and a trade-off function with its conjugate.

    No test distinguishes the two distributions. 0 is below all second errors; its conjugate is 0,
    which the line of the loss log(e) comes near to.
    """
    x, y, one = Symbol("x", real=True), Symbol("y", real=True), Normal(0, 1)
    numbers = {share: HALF, multiple: level, short: Integer(1)}
    return {
        **distribution_for(P, one),
        **distribution_for(Q, one),
        conjugate: Lambda((x,), at_all),
        **({f: Lambda((x,), trade_off(x))} if f in more else {}),
        **({touching: Lambda((x, y), log(y))} if touching in more else {}),
        **({TEST: Lambda((x,), HALF)} if TEST in more else {}),
        **{one: numbers[one] for one in more if one in numbers},
    }


def line(loss, level):
    """Return the height at a level of the line of a loss, where the conjugate moves it to."""
    return -exp(loss) * level - conjugate(loss)


def levels(tree):
    """State that a relation holds for all first errors."""
    return Every(share, tree)


def below_f(loss):
    """State that the line of a loss lies below f."""
    return levels(Le(line(loss, share), f(share)))


def largest_excess(loss):
    """Return the event at which P exceeds the multiple of Q."""
    return Exceeding(P, Q, loss)


def error():
    """First error of the test that rejects at that event."""
    return probability(Q, largest_excess(multiple))


@claim(
    "trade-off-to-profile",
    source=DONG,
    place="Proposition 2.12, from a trade-off function to the profile at every loss",
    given=lambda: [
        below_f(multiple),
        Le(
            f(error()),
            1 - probability(P, largest_excess(multiple)),
        ),
    ],
    using=[("events-attained", lambda: {multiple: multiple})],
    example=lambda: example(f, multiple, level=ZERO, trade_off=lambda x: 1 - x, at_all=Integer(-1)),
    proof=lambda: [
        step("at least 0", Ge(error(), 0)),
        step("at most 1", Le(error(), 1)),
        step("the line there", Le(line(multiple, error()), f(error()))),
    ],
)
def profile_by_the_conjugate():
    """Delta of two distributions at any loss, by the conjugate of a trade-off function.

    The function needs to be below the second error at the event of the largest excess only.
    """
    return Le(hockey_stick(P, Q, multiple), 1 + conjugate(multiple))


def reached():
    """State that the line of some loss comes as near to f as one likes, at every first error."""
    there = line(touching(share, short), share)
    return Every(short, levels(Le(f(share) - short, there)))


def all_lines():
    """State that the profile is within the conjugate at every loss."""
    return Every(multiple, Le(hockey_stick(P, Q, multiple), 1 + conjugate(multiple)))


def first_error():
    """Return the probability that the test rejects where Q holds."""
    return probability(Q, phi)


def second_error():
    """Return the probability that the test does not reject where P holds."""
    return 1 - probability(P, phi)


@claim(
    "second-error-above-a-line",
    source=DONG,
    place="Proposition 2.12, proof: the line of one loss",
    given=lambda: [all_lines()],
    example=lambda: example(TEST, multiple),
    using=[("tests-of-an-excess", lambda: {multiple: multiple})],
    proof=lambda: [
        step("the profile there", Le(hockey_stick(P, Q, multiple), 1 + conjugate(multiple))),
    ],
)
def second_error_above_a_line():
    """Second error of any test, above the line of a loss at its first error."""
    return Le(line(multiple, first_error()), second_error())


@claim(
    "line-near-a-trade-off",
    source=DONG,
    given=lambda: [reached()],
    example=lambda: {
        one: value
        for one, value in example(f, touching, share, short).items()
        if one in (f, conjugate, touching, share, short)
    },
)
def line_near_a_trade_off_function():
    """Height of the line of some loss, beside a trade-off function, at any first error."""
    return Le(f(share) - short, line(touching(share, short), share))


def conditions():
    """Return the conditions on the profile at every loss, and that f is the highest of its lines."""
    return [all_lines(), reached()]


def named():
    """Return these conditions, with names for the two errors."""
    return [*conditions(), Eq(first_error(), share), Eq(second_error(), multiple)]


@claim(
    "trade-off-within",
    source=DONG,
    place="Proposition 2.12, proof: a line near the trade-off function",
    given=named,
    example=lambda: example(f, touching, TEST, share, multiple, short),
    using=[
        ("line-near-a-trade-off", lambda: {share: share}),
        ("second-error-above-a-line", lambda: {multiple: touching(share, short)}),
    ],
)
def trade_off_function_within():
    """Second error of any test, above all that is less than a trade-off function at its first error."""
    return Le(f(share) - short, multiple)


def gap():
    """Return half of the height of f above the second error, and 1 where f is not above it."""
    above = f(share) - multiple
    return Piecewise((above / 2, Gt(above, 0)), (Integer(1), True), evaluate=False)


@claim(
    "trade-off-named",
    source=DONG,
    place="Proposition 2.12, proof: phi is any test, theta its first error and a_1 its second. C(a_1) is, at every loss a_1, the conjugate of "
    "the trade-off function f at -exp(a_1); L is a loss whose line is within short of f",
    given=named,
    example=lambda: example(f, touching, TEST, share, multiple),
    using=[("trade-off-within", lambda: {short: gap()})],
    proof=lambda: [step("the gap is positive", Gt(gap(), 0))],
)
def trade_off_function_at_an_error():
    """Second error of any test, above a trade-off function at its first error."""
    return Le(f(share), multiple)


@claim(
    "profile-to-trade-off",
    source=DONG,
    place="Proposition 2.12, from the profile at every loss to the trade-off function",
    given=conditions,
    example=lambda: example(f, touching, TEST),
    using=[("trade-off-named", lambda: {share: first_error(), multiple: second_error()})],
    proof=lambda: [
        step("at least 0", Ge(first_error(), 0)),
        step("at most 1", Le(first_error(), 1)),
    ],
)
def trade_off_function_by_its_lines():
    """Second error of any test, above a trade-off function at its first error, by the profile.

    The function is the highest of its lines: a convex function that does not rise is, where it is
    continuous.
    """
    return Le(f(first_error()), second_error())
