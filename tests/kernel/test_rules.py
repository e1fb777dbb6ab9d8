"""Every rule has instances that it must accept and near misses that it must reject."""

import inspect
import re

import pytest

from dpbook.kernel import Rejected, check
from dpbook.kernel.environment import Environment, Fields
from dpbook.kernel.formulas import Is
from dpbook.kernel.rules import RULES, algebra, boxes, calculus, discrete, logic
from tests.kernel import (
    test_rules_algebra,
    test_rules_boxes,
    test_rules_calculus,
    test_rules_discrete,
    test_rules_integrals,
    test_rules_logic,
    test_rules_series,
)
from tests.kernel.instances import sequent

FILES = (
    test_rules_logic,
    test_rules_algebra,
    test_rules_calculus,
    test_rules_discrete,
    test_rules_integrals,
    test_rules_series,
    test_rules_boxes,
)
INSTANCES = {
    rule: (
        [i for file in FILES for i in file.ACCEPTED if i.rule == rule],
        [i for file in FILES for i in file.REJECTED if i.rule == rule],
    )
    for rule in RULES
}


def rules_in(certificate):
    return {certificate["rule"]}.union(*map(rules_in, certificate.get("premises", [])))


@pytest.mark.parametrize("rule", RULES)
def test_rule_has_instances_of_both_kinds(rule):
    accepted, rejected = INSTANCES[rule]
    assert accepted, f"add an Instance of {rule} to ACCEPTED in a file tests/kernel/test_rules_*.py"
    assert rejected, f"add a near miss of {rule} to REJECTED in a file tests/kernel/test_rules_*.py"
    assert all(rule in rules_in(i.certificate) for i in (*accepted, *rejected))


def test_no_two_rules_have_one_name():
    """A rule has the name of its function: of two with one name the later would hide the other."""
    modules = [logic, algebra, calculus, discrete, boxes]
    assert sorted(RULES.values(), key=id) == sorted((r for m in modules for r in m.RULES), key=id)


def test_every_instance_is_of_a_rule():
    tried = {i.rule for file in FILES for i in (*file.ACCEPTED, *file.REJECTED)}
    assert sorted(tried - set(RULES)) == [], (
        "these rules have instances and are not in RULES, at the end of their file in dpbook/kernel/rules"
    )


@pytest.mark.parametrize("case", [i for file in FILES for i in file.ACCEPTED], ids=str)
def test_instance_is_accepted(case):
    case.check()


@pytest.mark.parametrize("case", [i for file in FILES for i in file.REJECTED], ids=str)
def test_near_miss_is_rejected_with_its_reason(case):
    with pytest.raises(Rejected) as caught:
        case.check()
    assert case.why in caught.value.why


@pytest.mark.parametrize("rule", RULES)
def test_rule_without_its_premises_is_rejected(rule):
    """A node that leaves the last of its premises out proves nothing."""
    for i in INSTANCES[rule][0]:
        whole = i.explicit
        premises = whole.get("premises", [])
        if premises:
            for others in (premises[:-1], [*premises, premises[-1]]):
                with pytest.raises(Rejected, match="the number of premises must be"):
                    check(i.sequent, {**whole, "premises": others}, i.lemmas)


@pytest.mark.parametrize("case", [i for file in FILES for i in file.ACCEPTED], ids=str)
def test_premises_do_not_depend_on_what_is_automatic(case, monkeypatch):
    """The number, order and text of the premises are the same whatever `automatic` says."""
    rule = case.certificate["rule"]
    if rule == "auto":
        return
    found = []
    for answer in (True, False):
        env = Environment(case.lemmas)
        monkeypatch.setattr(env, "automatic", lambda s, answer=answer: answer)
        found.append(RULES[rule](case.sequent, Fields(case.certificate, case.sequent), env))
    assert found[0] == found[1]


EXISTS = re.compile(
    r"C given that .*?(exists|is defined)|C is given that the whole is defined, before the equality"
)
ENDS = re.compile("finite ends .*?are defined, by the table|a and b are defined, by the table")


@pytest.mark.parametrize("rule", RULES)
def test_docstring_says_in_which_order_hypotheses_and_ends_come(rule):
    """A writer finds the new hypotheses by their numbers: that a value exists comes before the value."""
    said = " ".join((inspect.getdoc(RULES[rule]) or "").split())
    for i in INSTANCES[rule][0]:
        if i.certificate["rule"] != rule:
            continue
        premises = RULES[rule](i.sequent, Fields(i.certificate, i.sequent), Environment(i.lemmas))
        new = premises[-1].hypotheses[len(i.sequent.hypotheses) :] if premises else ()
        value = new[:1] and isinstance(new[0], Is) and new[0].what == "defined"
        if (
            value
            and premises[-1].goal == i.sequent.goal
            and new[0].term.head in ("integral", "sum")
        ):
            assert EXISTS.search(said)
            assert ENDS.search(said) or new[0].term.head != "integral"


def test_premises_of_an_integral_come_in_the_order_of_the_docstring():
    s = sequent("a b", "a > 0|b > a", "0 > 1")
    made = {"integral": "integral(1/x, x, a, log(b))", "by": "log(x)"}
    found = RULES["primitive"](s, Fields(made, s), Environment({}))
    assert [str(p.goal) for p in found] == [
        "a <= log(b)",
        "defined(log(x_))",
        "defined(x_^(-1))",
        "defined(x_^(-1))",
        "x_^(-1) == x_^(-1)",
        "b > 0",
        "0 > 1",
    ]
    assert list(map(str, found[-1].hypotheses[2:])) == [
        "defined(integral(x^(-1), x, a, log(b)))",
        "integral(x^(-1), x, a, log(b)) == log(log(b)) - log(a)",
    ]


def test_hypothesis_of_an_induction_is_the_last_one():
    s = sequent("; n", "n >= 0", "n^2 >= n")
    *_, last = RULES["induct"](s, Fields({"variable": "n", "start": "0"}, s), Environment({}))
    assert list(map(str, last.hypotheses)) == ["n >= 0", "0 <= n_", "n_ < n", "n_^2 >= n_"]
