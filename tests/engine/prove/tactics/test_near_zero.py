"""A function that falls to a limit towards 0, where it is not defined; lemmas on the way."""

from dpbook.engine.prove.certificates import explicit
from dpbook.engine.prove.tactics.calculus import near_zero
from dpbook.engine.prove.tactics.core import Search
from dpbook.engine.prove.tactics.strategy import TACTICS
from dpbook.kernel import check
from tests.kernel.instances import sequent

LEMMAS = {"slope": sequent("a", "a > 0", "2*sinh(a)^2 <= a*sinh(a)*cosh(a) + a^2")}


class Slope:
    """The lemma about the derivative, of the variable of the statement."""

    speaks_of = frozenset()

    def at_point(self, s, values):
        return {"name": "slope", "at": {}}


def found(goal):
    search = Search(TACTICS, LEMMAS, 200)
    search.within = [Slope()]
    s = sequent("a", "a > 0", goal)
    return s, near_zero(search, s, 2)


def test_sign_follows_from_the_limit_at_0():
    s, node = found("a*coth(a) - 2*log(sinh(a)/a) <= 1")
    assert node["rule"] == "descend"
    assert check(s, explicit(s, node, LEMMAS), LEMMAS).lemmas == {"slope"}


def test_nothing_follows_from_a_limit_that_is_lower():
    assert found("a*coth(a) - 2*log(sinh(a)/a) <= 999/1000")[1] is None


def test_where_there_is_a_value_the_limit_is_not_asked():
    assert found("sinh(a) > 0")[1] is None
