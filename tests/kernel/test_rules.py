"""Every rule has instances that it must accept and near misses that it must reject."""

import pytest

from dpbook.kernel import Rejected, check
from dpbook.kernel.environment import Environment, Fields
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
                with pytest.raises(Rejected, match="premises are to be proved"):
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
