"""Distributions that are put in for the unknown ones of a lemma, and even mixtures of distributions."""

from copy import deepcopy

import pytest
from sympy import Integer, Rational, Sum, oo, symbols

from dpbook.engine.claims import catalog
from dpbook.engine.claims.on_record import proof_on_record
from dpbook.engine.language.statement import unfold_definitions
from dpbook.kernel import Rejected, check
from dpbook.kernel.files.sequents import sequent_from_json
from dpbook.privacy.any_distributions import AnyDistribution, distribution_for
from dpbook.privacy.distributions import EvenMixture, Mixture, Normal
from dpbook.privacy.statements import Interval, probability

r = symbols("r", integer=True)


def term_by_term(term, limits):
    """A sum of integrals, which SymPy does not take apart by itself."""
    index, low, high = limits
    return sum(term.xreplace({index: Integer(i)}).doit() for i in range(int(low), int(high) + 1))


def test_even_mixture_is_the_mixture_of_its_distributions():
    even = EvenMixture(Normal(5, 2), Normal(r, 1), r, 3)
    listed = Mixture([Normal(5, 2), Normal(2, 1), Normal(3, 1)])
    for at in (Integer(0), Rational(5, 2)):
        ours, theirs = even.density(at).doit(), listed.density(at)
        assert float(ours) == pytest.approx(float(theirs), rel=1e-12)
    event = Interval(2, oo)
    ours = unfold_definitions(probability(even, event)).replace(Sum, term_by_term).doit()
    theirs = (
        sum(
            unfold_definitions(probability(distribution, event)).doit()
            for distribution in listed.distributions
        )
        / 3
    )
    assert float(ours) == pytest.approx(float(theirs), rel=1e-12)
    assert r not in even.free_symbols


def larger_loss():
    """The proof of privacy at a larger loss, with two normal distributions put in, and its lemma."""
    entry = proof_on_record(catalog.find("langevin:note-larger-loss"))
    lemma = proof_on_record(catalog.find("privacy:private-at-a-larger-loss"))
    lemmas = {"privacy:private-at-a-larger-loss": sequent_from_json(lemma["sequent"])}
    return sequent_from_json(entry["sequent"]), deepcopy(entry["certificate"]), lemmas


def test_lemma_about_any_distributions_holds_for_distributions_that_are_put_in():
    sequent, certificate, lemmas = larger_loss()
    assert certificate["functions"].keys() == {"P", "Q"}
    check(sequent, certificate, lemmas)


@pytest.mark.parametrize("wrong", ["2*({})", "-({})", "0"])
def test_what_is_no_distribution_cannot_be_put_in(wrong):
    sequent, certificate, lemmas = larger_loss()
    distribution = certificate["functions"]["P"]
    distribution["is"] = wrong.format(distribution["is"])
    with pytest.raises(Rejected):
        check(sequent, certificate, lemmas)


def test_what_is_put_in_is_a_function_of_the_output():
    distribution = AnyDistribution("P")
    ((function, put),) = distribution_for(distribution, Normal(1, 2)).items()
    assert function == distribution.density(r).function
    assert put(Integer(3)) == Normal(1, 2).density(Integer(3))
