"""Claims of the page."""

from sympy import exp, log

from dpbook import claim, symbol

t = symbol("t", above=0, meaning="how far the tail begins")


@claim("tangent", place="proof of Lemma 1")
def tangent():
    """The exponential lies above its tangent."""
    return exp(t) >= 1 + t


@claim("lemma-1", place="Lemma 1")
def lemma():
    """The logarithm is at most its argument minus 1."""
    return log(t) <= t - 1


@claim("eq-3", place="equation (3)")
def steep():
    """The wrong claim of this project: the slope is 1, and not 2."""
    return exp(t) >= 1 + 2 * t
