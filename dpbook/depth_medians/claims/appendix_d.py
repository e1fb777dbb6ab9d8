"""Appendix D: when two exponential mechanisms are close; and a sharper way to see it."""

from typing import Any

from sympy import Abs, Eq, Ge, Gt, Integral, Lambda, Le, Rational, Symbol, exp, oo, sympify

from dpbook import Both, Either, Every, Noted, as_tree, claim, step
from dpbook.depth_medians.notation import (
    any_delta,
    below,
    beta,
    both,
    both_next,
    caught,
    caught_next,
    cost,
    delta,
    epsilon,
    eta,
    event,
    event_next,
    factor_above,
    factor_beside,
    inner_mass,
    inside,
    inside_next,
    kept,
    lost,
    numerator,
    other_cost,
    place,
    share,
    shell,
    shell_mass,
    shell_mass_next,
    shell_next,
    shell_volume,
    tau,
    volume_in,
    volume_out,
    whole,
    whole_next,
)
from dpbook.depth_medians.samples import AnyQuantity, AnySize, Weight, Where
from dpbook.privacy.any_distributions import AnyDistribution, AnyEvent
from dpbook.privacy.notation import at
from dpbook.privacy.statements import probability

# --- steps in numbers -----------------------------------------------------------------------------


@claim(
    "note-level-sets",
    place="eq. D.3, where the print has a trivial nesting: the one that is needed crosses from one "
    "dataset to the other",
    given=lambda: [Abs(cost - other_cost) <= eta, other_cost <= tau - eta],
)
def level_sets_of_neighbours():
    """Cost of a point for a dataset, from its cost for the neighbour."""
    return Le(cost, tau)


@claim(
    "note-d.4-point",
    place="used by note-sharp-ratio: eq. D.4 at a point",
    given=lambda: [Abs(cost - other_cost) <= eta],
)
def weights_of_neighbours_at_a_point():
    """Weight of one point for a dataset, against the weight for its neighbour."""
    return [
        Le(exp(-beta * cost), exp(epsilon / 4) * exp(-beta * other_cost)),
        Ge(exp(-beta * cost), exp(-epsilon / 4) * exp(-beta * other_cost)),
    ]


@claim(
    "text-d.1-ratio",
    place="Appendix D, proof of Lemma D.1, its ratio; the print's reason, (1 - x)^(-1) <= 1 + 1/x, is "
    "not enough, 1 + 2x is. delta_r is delta, which may exceed 1/2 here",
    given=lambda: [any_delta <= exp(epsilon / 2) / 2],
)
def ratio_of_normalisers():
    """Ratio of the densities on the points that both datasets keep."""
    return Le(
        exp(epsilon / 2) / (1 - exp(-epsilon / 2) * any_delta / 3),
        exp(epsilon / 2) + 2 * any_delta / 3,
    )


@claim(
    "text-d.1-reason",
    place="Appendix D, proof of Lemma D.1, the reason for its ratio, (1 - x)^(-1) <= 1 + 1/x for x of at most 1/2, which is to give exp(epsilon / 2) + 2 delta / 3 at x = exp(-epsilon / 2) delta / 3. delta_r is delta, which may exceed 1/2 here",
    cites=["text-d.1-ratio"],
    given=lambda: [any_delta > 0, any_delta <= exp(epsilon / 2) / 2],
    try_at=[{any_delta: Rational(1, 10), epsilon: 1}],
    fault="misprint",
    effect="1 + 2 x is meant (text-d.1-reason-corrected), and the ratio is right (text-d.1-ratio).",
)
def reason_for_the_ratio_as_printed():
    """Bound that the reason gives, against the bound of the ratio, as printed."""
    share = exp(-epsilon / 2) * any_delta / 3
    return Le(exp(epsilon / 2) * (1 + 1 / share), exp(epsilon / 2) + 2 * any_delta / 3)


@claim(
    "text-d.1-reason-corrected",
    place="Appendix D, proof of Lemma D.1, the reason for its ratio, with 1 + 2 x, t_0 for x",
    corrects=["text-d.1-reason"],
    why="1 / x stands for 2 x.",
    given=lambda: [share <= Rational(1, 2)],
)
def reason_for_the_ratio():
    """Inverse of one less a small number, repaired."""
    return Le(1 / (1 - share), 1 + 2 * share)


# --- weights at a point and in the mean -----------------------------------------------------------

VOLUME = AnyDistribution("V")  # volume where it matters: its multiples cancel
B = AnyEvent("B")
COST, COST_NEXT = AnySize("f"), AnySize("f_1")  # phi(x, nu) and phi(x, nu_1)


def weight(name, cost_of, level):
    """Return the weight of a point for the exponential mechanism that is cut at a level."""
    return Weight(name, cost_of, epsilon / (4 * eta), level)


KEPT, KEPT_NEXT = weight("w", COST, tau), weight("w_1", COST_NEXT, tau)
INNER, INNER_NEXT = weight("w_i", COST, tau - eta), weight("w_j", COST_NEXT, tau - eta)
OUTER = weight("w_o", COST, tau + eta)


def total(function):
    """Return the integral of a function over the space, h of a level set where it is a weight."""
    return Integral(function(at) * VOLUME.density(at), (at, -oo, oo))


def inside_event(weights):
    """Return the integral of weights over an event."""
    return Integral(B.indicator(at) * weights(at) * VOLUME.density(at), (at, -oo, oo))


def chance_of_an_event(weights):
    """Return the probability of an event under the mechanism that has these weights."""
    return inside_event(weights) / total(weights)


def everywhere(*trees):
    """State that relations hold at each point of the space."""
    return [Every(place, tree) for tree in trees]


def close_costs():
    """Eq. D.1 for one neighbour: a point that either dataset keeps costs alike."""
    near = Le(Abs(COST(place) - COST_NEXT(place)), eta)
    beyond = Both((as_tree(Gt(COST(place), tau)), as_tree(Gt(COST_NEXT(place), tau))))
    return everywhere(Either((as_tree(near), beyond)))


def one_factor():
    """Return the largest factor between the weights of neighbouring costs."""
    return exp(epsilon / 4)


@claim(
    "note-weights.i",
    place="eq. D.4 with D.3, at each point: w_1 is the weight for the neighbour, w_o that of A_(tau + eta)",
    given=close_costs,
)
def weight_for_a_neighbour_from_above():
    """Weight for a neighbour, from above."""
    return Every(place, Le(KEPT_NEXT(place), one_factor() * OUTER(place)))


@claim(
    "note-weights.ii",
    place="eq. D.4 with D.3, at each point: w_i is the weight of A_(tau - eta)",
    given=close_costs,
)
def weight_for_a_neighbour_from_below():
    """Weight for a neighbour, from below."""
    return Every(place, Le(INNER(place), one_factor() * KEPT_NEXT(place)))


@claim(
    "note-weights.iii",
    place="eq. D.4 with D.3, at each point, the datasets exchanged: w_j is the weight of the neighbour's A_(tau - eta)",
    given=close_costs,
)
def inner_weight_for_a_neighbour_from_above():
    """Inner weight for a neighbour, from above."""
    return Every(place, Le(INNER_NEXT(place), one_factor() * KEPT(place)))


@claim("note-nested-weights.i", place="used in Lemma D.1: A_(tau - eta) lies in A_tau")
def weights_of_an_inner_level():
    """Weights of two levels."""
    return Every(place, Le(INNER(place), KEPT(place)))


@claim("note-nested-weights.ii", place="used in Lemma D.1: A_tau lies in A_(tau + eta)")
def weights_of_an_outer_level():
    """Weights of two levels, one further out."""
    return Every(place, Le(KEPT(place), OUTER(place)))


@claim("note-nested-weights.iii", place="used in Lemma D.2, for the neighbour")
def weights_of_an_inner_level_of_a_neighbour():
    """Weights of two levels, for a neighbour."""
    return Every(place, Le(INNER_NEXT(place), KEPT_NEXT(place)))


@claim("note-event-weights.i", place="used in Lemma D.1: an event is a part of the space")
def weights_of_an_event():
    """Weights over an event."""
    return Every(place, Le(B.indicator(place) * KEPT(place), KEPT(place)))


@claim("note-event-weights.ii", place="used in Lemma D.1: the same, for the neighbour")
def weights_of_an_event_for_a_neighbour():
    """Weights over an event, for a neighbour."""
    return Every(place, Le(B.indicator(place) * KEPT_NEXT(place), KEPT_NEXT(place)))


F_1, F_2, F_3, F_4 = (AnyQuantity(f"g_{i}") for i in range(1, 5))  # any functions of a point


@claim(
    "note-event-bound.i",
    place="used in Lemma D.1, for any functions of a point",
    given=lambda: everywhere(Le(F_1(place), factor_above * F_2(place)), Le(F_1(place), F_3(place))),
)
def bound_on_an_event():
    """Function on an event, by a part of it that is bounded and by the rest."""
    b = B.indicator(place)
    return Every(
        place,
        Le(b * F_3(place), factor_above * (b * F_2(place)) + 1 * (F_3(place) - F_1(place))),
    )


@claim(
    "note-event-bound.ii",
    place="used in Lemma D.1, for any functions of a point",
    given=lambda: [
        factor_above > 0,
        *everywhere(
            Le(F_1(place), factor_above * F_2(place)),
            Le(F_3(place), F_4(place)),
            Le(F_4(place), F_2(place)),
        ),
    ],
)
def bound_on_an_event_from_outside():
    """Function on an event, by a function between two that bound it."""
    b = B.indicator(place)
    return Every(
        place,
        Le(
            b * F_1(place),
            factor_above * (b * F_4(place)) + factor_above * (F_2(place) - F_3(place)),
        ),
    )


@claim(
    "note-integral-bound",
    place="used in Lemmas D.1 and D.2: what holds at each point holds of the integrals, which exist",
    given=lambda: [
        *(Ge(total(function), 0) for function in (F_1, F_2, F_3, F_4)),
        *everywhere(
            Le(
                F_1(place),
                factor_above * F_2(place) + factor_beside * (F_3(place) - F_4(place)),
            )
        ),
    ],
)
def bound_of_an_integral():
    """Integral of a function that others bound."""
    return Le(total(F_1), factor_above * total(F_2) + factor_beside * (total(F_3) - total(F_4)))


T = Symbol("t", real=True)


def as_it_is(function):
    """Return a function of a point, for a lemma about any function."""
    return Lambda((T,), function(T))


def on_the_event(function):
    """Return a function of a point, 0 outside of the event, for a lemma about any function."""
    return Lambda((T,), B.indicator(T) * function(T))


def indicator(event_of):
    """Return the indicator of an event that a relation defines."""
    return Lambda((T,), event_of.indicator(T))


def at_functions(*functions) -> dict[Any, Any]:
    """Return the substitution of functions and the factor of neighbours into a lemma about any."""
    found: dict[Any, Any] = dict(zip((F_1, F_2, F_3, F_4), map(as_it_is, functions), strict=False))
    found[factor_above] = one_factor()
    return found


def integrated(first, above, second, beside=0, third=None, fourth=None):
    """Return the use of note-integral-bound: first <= above second + beside (third - fourth)."""
    third, fourth = third or as_it_is(INNER), fourth or as_it_is(INNER)

    def instance() -> dict[Any, Any]:
        found: dict[Any, Any] = {F_1: first, F_2: second, F_3: third, F_4: fourth}
        found.update({factor_above: sympify(above), factor_beside: sympify(beside)})
        return found

    return "note-integral-bound", instance


# --- eq. D.4 --------------------------------------------------------------------------------------


def weighed(cost_of):
    """Return the weight of a point of the set, 0 outside of it."""
    return Lambda((T,), B.indicator(T) * exp(-beta * cost_of(T)))


def kept_by_either():
    """State that each point of the set is kept by one of the two datasets."""
    outside = Eq(B.indicator(place), 0)
    return everywhere(
        Either((as_tree(outside), as_tree(COST(place) <= tau), as_tree(COST_NEXT(place) <= tau)))
    )


def weight_in_the_set(cost_of, other):
    """State at each point of the set that a weight is at most exp(epsilon / 4) times the other."""
    b = B.indicator(place)
    return Every(
        place,
        Le(b * exp(-beta * cost_of(place)), one_factor() * (b * exp(-beta * other(place)))),
    )


@claim(
    "note-d.4-set.i",
    place="eq. D.4, at each point of a set B",
    given=lambda: [*close_costs(), *kept_by_either()],
)
def weight_in_a_set():
    """Weight of a point in a set that two datasets keep, against that for the neighbour."""
    return weight_in_the_set(COST, COST_NEXT)


@claim(
    "note-d.4-set.ii",
    place="eq. D.4, at each point of a set B, the datasets exchanged",
    given=lambda: [*close_costs(), *kept_by_either()],
)
def weight_in_a_set_for_a_neighbour():
    """Weight of a point in a set that two datasets keep, for the neighbour."""
    return weight_in_the_set(COST_NEXT, COST)


@claim(
    "eq-d.4",
    place="eq. D.4, for any two costs and any set B of points that either dataset keeps, the A of the print: h(A, nu) and h(A, nu_1) are the integrals over it, which exist. For points, volume and the sign of costs see lemma-d.1",
    using=[
        "note-d.4-set.i",
        "note-d.4-set.ii",
        integrated(
            *(weighed(COST), exp(epsilon / 4), weighed(COST_NEXT)),
            *(0, weighed(COST), weighed(COST)),
        ),
        integrated(
            *(weighed(COST_NEXT), exp(epsilon / 4), weighed(COST)),
            *(0, weighed(COST), weighed(COST)),
        ),
    ],
    given=lambda: [
        *close_costs(),
        *kept_by_either(),
        Ge(total(weighed(COST)), 0),
        Ge(total(weighed(COST_NEXT)), 0),
    ],
)
def integrals_of_neighbours():
    """Integral over a set for a dataset, against the integral for its neighbour."""
    here, there = total(weighed(COST)), total(weighed(COST_NEXT))
    return [Le(exp(-epsilon / 4) * here, there), Le(there, exp(epsilon / 4) * here)]


# --- eq. D.1 to D.3 -------------------------------------------------------------------------------


@claim("eq-d.1", place="eq. D.1")
def small_change_of_cost():
    """Condition on the change of cost."""
    return Noted("a condition of lemma-d.1: costs of neighbours differ by at most eta")


@claim("eq-d.2", place="eq. D.2")
def small_mass_of_the_shell():
    """Condition on the mass between two levels."""
    return Noted(
        "a condition of lemma-d.1: all but exp(-epsilon / 2) delta / 3 of the mass of the level tau + eta is in the level tau - eta"
    )


@claim(
    "eq-d.3",
    place="eq. D.3, for one dataset, and so for both: at a point of cost phi. It is trivial; the nesting that the proof uses crosses from one dataset to the other (note-level-sets)",
)
def level_sets_of_a_dataset():
    """Levels of a point of a level set, of one dataset."""
    inner, middle = cost > tau - eta, cost > tau
    return [
        Either((as_tree(inner), as_tree(cost <= tau))),
        Either((as_tree(middle), as_tree(cost <= tau + eta))),
    ]


# --- lemma D.1 ------------------------------------------------------------------------------------


@claim(
    "note-d.1-points.i",
    place="Lemma D.1, at each point, for any event B",
    given=close_costs,
    using=[
        "note-weights.ii",
        "note-nested-weights.i",
        (
            "note-event-bound.i",
            lambda: at_functions(INNER, KEPT_NEXT, KEPT),
        ),
    ],
)
def weight_on_an_event():
    """Weight on an event, by the weight for a neighbour and by the outer part."""
    b = B.indicator(place)
    return Every(
        place,
        Le(
            b * KEPT(place),
            one_factor() * (b * KEPT_NEXT(place)) + 1 * (KEPT(place) - INNER(place)),
        ),
    )


@claim(
    "note-d.1-points.ii",
    place="Lemma D.1, at each point, for any event B, the datasets exchanged",
    given=close_costs,
    using=[
        "note-weights.i",
        "note-nested-weights.i",
        "note-nested-weights.ii",
        (
            "note-event-bound.ii",
            lambda: at_functions(KEPT_NEXT, OUTER, INNER, KEPT),
        ),
    ],
)
def weight_on_an_event_for_a_neighbour():
    """Weight on an event for a neighbour, by the weight for the dataset and by the outer part."""
    b = B.indicator(place)
    return Every(
        place,
        Le(
            b * KEPT_NEXT(place),
            one_factor() * (b * KEPT(place)) + one_factor() * (OUTER(place) - INNER(place)),
        ),
    )


def integrals_exist():
    """State that the integrals of the statement exist: they do where A_(tau + eta) has a volume."""
    weights = (KEPT, KEPT_NEXT, INNER, OUTER)
    return [
        *(Ge(total(one), 0) for one in weights),
        *(Ge(inside_event(one), 0) for one in (KEPT, KEPT_NEXT)),
    ]


@claim(
    "note-d.1-masses",
    place="Lemma D.1, eq. D.4 and D.3 integrated, for any event B",
    given=lambda: [*close_costs(), *integrals_exist()],
    using=[
        "note-weights.i",
        "note-weights.ii",
        "note-d.1-points.i",
        "note-d.1-points.ii",
        "note-nested-weights.i",
        "note-nested-weights.ii",
        "note-event-weights.i",
        "note-event-weights.ii",
        integrated(as_it_is(KEPT_NEXT), exp(epsilon / 4), as_it_is(OUTER)),
        integrated(as_it_is(INNER), exp(epsilon / 4), as_it_is(KEPT_NEXT)),
        integrated(
            *(on_the_event(KEPT), exp(epsilon / 4), on_the_event(KEPT_NEXT)),
            *(1, as_it_is(KEPT), as_it_is(INNER)),
        ),
        integrated(
            *(on_the_event(KEPT_NEXT), exp(epsilon / 4), on_the_event(KEPT)),
            *(exp(epsilon / 4), as_it_is(OUTER), as_it_is(INNER)),
        ),
        integrated(as_it_is(INNER), 1, as_it_is(KEPT)),
        integrated(as_it_is(KEPT), 1, as_it_is(OUTER)),
        integrated(on_the_event(KEPT), 1, as_it_is(KEPT)),
        integrated(on_the_event(KEPT_NEXT), 1, as_it_is(KEPT_NEXT)),
    ],
)
def integrals_of_the_weights():
    """Integrals of the weights of a dataset and its neighbour, over level sets and an event."""
    return [
        Le(total(INNER), total(KEPT)),
        Le(total(KEPT), total(OUTER)),
        Le(total(KEPT_NEXT), one_factor() * total(OUTER)),
        Le(total(INNER), one_factor() * total(KEPT_NEXT)),
        Le(
            inside_event(KEPT),
            one_factor() * inside_event(KEPT_NEXT) + total(KEPT) - total(INNER),
        ),
        Le(
            inside_event(KEPT_NEXT),
            one_factor() * (inside_event(KEPT) + total(OUTER) - total(INNER)),
        ),
        Le(inside_event(KEPT), total(KEPT)),
        Le(inside_event(KEPT_NEXT), total(KEPT_NEXT)),
    ]


def share_of_the_shell():
    """Return the bound of eq. D.2 on the share outside of A_(tau - eta)."""
    return exp(-epsilon / 2) * any_delta / 3


@claim(
    "note-d.1-numbers",
    place="Lemma D.1, from the integrals to probabilities: H_1 and H_2 are the normalisers, H_5 and J_0 those "
    "of the levels tau + eta and tau - eta, J_1 and J_2 the integrals over an event",
    given=lambda: [
        any_delta <= exp(epsilon / 2) / 2,
        inner_mass >= (1 - share_of_the_shell()) * both,
        inner_mass <= whole,
        whole <= both,
        whole_next <= one_factor() * both,
        inner_mass <= one_factor() * whole_next,
        caught <= one_factor() * caught_next + whole - inner_mass,
        caught_next <= one_factor() * (caught + both - inner_mass),
        caught <= whole,
        caught_next <= whole_next,
    ],
    proof=lambda: [
        step("the share is small", Le(share_of_the_shell(), Rational(1, 6))),
        step("times the loss", Eq(share_of_the_shell() * exp(epsilon / 2), any_delta / 3)),
        step("against delta", Le(share_of_the_shell(), any_delta / 3)),
        step(
            "the normalisers",
            [
                Le(whole_next * (1 - share_of_the_shell()), one_factor() * whole),
                Le(whole * (1 - share_of_the_shell()), one_factor() * whole_next),
            ],
        ),
        step("what is outside", Le(whole - inner_mass, share_of_the_shell() * whole)),
        step(
            "and outside for the neighbour",
            Le(
                (both - inner_mass) * (1 - share_of_the_shell()),
                share_of_the_shell() * (one_factor() * whole_next),
            ),
        ),
        step("probabilities", [Le(caught / whole, 1), Le(caught_next / whole_next, 1)]),
        step(
            "the event",
            Le(
                (caught / whole - share_of_the_shell()) * (1 - share_of_the_shell()),
                exp(epsilon / 2) * (caught_next / whole_next),
            ),
        ),
        step(
            "the event for the neighbour",
            Le(
                (caught_next / whole_next) * (1 - share_of_the_shell()),
                exp(epsilon / 2) * (caught / whole + share_of_the_shell()),
            ),
        ),
    ],
)
def probabilities_from_masses():
    """Probabilities of an event for two datasets, from integrals."""
    return [
        Le(caught / whole, exp(epsilon / 2) * (caught_next / whole_next) + any_delta),
        Le(caught_next / whole_next, exp(epsilon / 2) * (caught / whole) + any_delta),
    ]


@claim(
    "lemma-d.1",
    place="Lemma D.1, for any two costs of at least 0, each neighbour and every event B. Points are told by real "
    "numbers, volume by a distribution V, as its multiples cancel; w, w_1 are the weights of the two mechanisms, "
    "w_i and w_o those of A_(tau - eta) and A_(tau + eta). delta_r is delta, which may exceed 1/2 here. The first condition is eq. D.1, the last one eq. D.2. The "
    "conditions before it say that the mechanisms are defined. Costs are at least 0 after a shift of them and tau, which is far above eta then; where the lesser of both costs, m, is below 0 still, exp(-beta m) "
    "belongs to V: both costs less m are within eta of 0 there, and so in the same levels",
    using=[
        "note-d.1-masses",
        (
            "note-d.1-numbers",
            lambda: {
                **{whole: total(KEPT), whole_next: total(KEPT_NEXT)},
                **{inner_mass: total(INNER), both: total(OUTER)},
                **{caught: inside_event(KEPT), caught_next: inside_event(KEPT_NEXT)},
            },
        ),
    ],
    given=lambda: [
        *close_costs(),
        eta <= tau,
        any_delta <= exp(epsilon / 2) / 2,
        *integrals_exist(),
        Gt(total(KEPT), 0),
        Gt(total(KEPT_NEXT), 0),
        Ge(total(INNER) / total(OUTER), 1 - share_of_the_shell()),
    ],
    proof=lambda: [
        step("the outer level", Gt(total(OUTER), 0)),
        step("eq. D.2", Ge(total(INNER), (1 - share_of_the_shell()) * total(OUTER))),
    ],
)
def safety_from_a_small_change_of_cost():
    """Safety of an exponential mechanism whose cost changes little."""
    here, there = chance_of_an_event(KEPT), chance_of_an_event(KEPT_NEXT)
    return [
        Le(here, exp(epsilon / 2) * there + any_delta),
        Le(there, exp(epsilon / 2) * here + any_delta),
    ]


# --- sharper --------------------------------------------------------------------------------------


@claim(
    "note-sharp-ratio",
    place="Lemma D.1, sharpened: H_1 and H_2 are the normalisers of two datasets, H_3 and H_4 the "
    "integrals over the points that both keep, of which the neighbour's inner part, all but x_n, is "
    "one; H_5 and H_6 those over an event among these. The conditions are note-level-sets and eq-d.4, integrated",
    using=["note-level-sets", "note-d.4-point"],
    given=lambda: [
        inside_next >= (1 - shell_next) * whole_next,
        inside_next <= exp(epsilon / 4) * inside,
        both <= exp(epsilon / 4) * both_next,
    ],
)
def ratio_of_probabilities_of_an_event():
    """Probability of an event among the points that both datasets keep, against the neighbour's."""
    return Le(
        both / whole,
        exp(epsilon / 2) * (inside / whole) / (1 - shell_next) * (both_next / whole_next),
    )


@claim(
    "note-sharp-safety",
    place="Lemma D.1, sharpened: the mechanisms are (epsilon / 2, x_s + x_n)-close, where x_s and x_n "
    "are their masses beyond tau - eta; the first condition is note-sharp-ratio",
    using=["note-sharp-ratio"],
    given=lambda: [
        event <= exp(epsilon / 2) * kept / (1 - shell_next) * event_next,
        lost <= shell,
    ],
)
def sharp_closeness_of_two_mechanisms():
    """Probability of an event for two datasets, by the masses of their outer shells."""
    return Le(event + lost, exp(epsilon / 2) * event_next + shell + shell_next)


# --- lemma D.2 ------------------------------------------------------------------------------------


@claim(
    "eq-d.5",
    place="eq. D.5. The set of datasets is that of exactly k replaced rows; the proof uses it for k - 1 and for one, so we read: at most k",
)
def small_change_of_cost_within_k_rows():
    """Condition on the change of cost within k rows."""
    return Noted(
        "a condition of lemma-d.2: costs of datasets within k rows differ by at most eta / 2"
    )


@claim(
    "eq-d.6",
    place="eq. D.6; its infimum need not be met, and is below delta / 2 at some y, which is enough (lemma-d.2)",
)
def small_ratio_of_volumes():
    """Condition on the volume between two levels."""
    return Noted(
        "a condition of lemma-d.2: at some y the volume of a shell is small beside that of an inner level"
    )


COST_BASE = AnySize("f_0")  # phi(x, nu) of Lemma D.2; f and f_1 are the costs for two neighbours


def around(cost_of):
    """Eq. D.5 for one dataset within k rows: costs differ by at most eta / 2 where either is small."""
    near = Le(Abs(COST_BASE(place) - cost_of(place)), eta / 2)
    beyond = Both(
        (as_tree(Gt(COST_BASE(place), tau + eta)), as_tree(Gt(cost_of(place), tau + eta)))
    )
    return everywhere(Either((as_tree(near), beyond)))


def level_set(name, at_level):
    """Return a level set of the cost that eq. D.6 is about."""
    return Where(name, place, COST_BASE(place), "<=", at_level)


LOW = level_set("L_1", tau - below - 2 * eta)
MIDDLE, HIGH = level_set("L_2", tau - 2 * eta), level_set("L_3", tau + 2 * eta)


def volume(of):
    """Return the volume of a level set."""
    return probability(VOLUME, of)


def volume_of_the_shell():
    """Return the volume between two levels."""
    return volume(HIGH) - volume(MIDDLE)


def ratio_is_small(outer, inner_volume):
    """State eq. D.6 at one y: 1/2 is above the paper's 1/3, which an infimum need not attain."""
    return exp(-epsilon * below / (4 * eta)) * (outer / inner_volume) <= (
        exp(-epsilon / 4) * delta / 2
    )


def weight_at_the_shell():
    """Return the largest weight in the shell."""
    return exp(-epsilon * (tau - eta) / (4 * eta))


def inverse_weight_inside():
    """Return the inverse of the least weight of the inner level set."""
    return exp(epsilon * (tau - below - 3 * eta / 2) / (4 * eta))


@claim(
    "note-d.2-points.i",
    place="Lemma D.2, eq. D.9 repaired, at each point: w - w_i is the weight of the outer part of a dataset",
    given=lambda: around(COST),
)
def weight_of_the_outer_part():
    """Weight of the outer part of the points that a dataset keeps."""
    shell_there = HIGH.indicator(place) - MIDDLE.indicator(place)
    return Every(place, Le(KEPT(place), 1 * INNER(place) + weight_at_the_shell() * shell_there))


@claim(
    "note-d.2-points.ii",
    place="Lemma D.2, eq. D.8, at each point",
    given=lambda: around(COST),
)
def weight_of_the_inner_part():
    """Weight of the inner level set."""
    return Every(place, Le(LOW.indicator(place), inverse_weight_inside() * KEPT(place)))


@claim(
    "note-d.2-points.iii",
    place="Lemma D.2, its first step: costs of two datasets within k rows differ by at most eta",
    given=lambda: [*around(COST), *around(COST_NEXT)],
)
def inner_weight_for_a_neighbour():
    """Inner weight of a dataset, against the weight for its neighbour."""
    return Every(place, Le(INNER(place), one_factor() * KEPT_NEXT(place)))


@claim(
    "note-d.2-points.iv",
    place="Lemma D.2, its first step, the datasets exchanged",
    given=lambda: [*around(COST), *around(COST_NEXT)],
)
def inner_weight_of_a_neighbour():
    """Inner weight of a neighbour, against the weight for the dataset."""
    return Every(place, Le(INNER_NEXT(place), one_factor() * KEPT(place)))


@claim(
    "note-d.2-points.v",
    place="Lemma D.2, at each point, for any event B",
    given=lambda: [*around(COST), *around(COST_NEXT)],
    using=[
        "note-d.2-points.iii",
        "note-nested-weights.i",
        (
            "note-event-bound.i",
            lambda: at_functions(INNER, KEPT_NEXT, KEPT),
        ),
    ],
)
def weight_on_an_event_within_k_rows():
    """Weight on an event, by the weight for a neighbour and by the outer part, within k rows."""
    b = B.indicator(place)
    return Every(
        place,
        Le(
            b * KEPT(place),
            one_factor() * (b * KEPT_NEXT(place)) + 1 * (KEPT(place) - INNER(place)),
        ),
    )


@claim(
    "note-d.2-numbers",
    place="Lemma D.2, eq. D.7 repaired, from the integrals: J_3 is that of the outer part",
    given=lambda: [
        numerator <= weight_at_the_shell() * shell_volume,
        inside <= inverse_weight_inside() * whole,
        ratio_is_small(shell_volume, inside),
    ],
    proof=lambda: [
        step(
            "both together",
            Le(
                numerator * inside,
                weight_at_the_shell() * shell_volume * (inverse_weight_inside() * whole),
            ),
        ),
        step(
            "the exponent",
            Le(
                numerator * inside,
                exp(-epsilon / 8) * exp(-epsilon * below / (4 * eta)) * shell_volume * whole,
            ),
        ),
        step(
            "eq. D.6",
            Le(
                exp(-epsilon * below / (4 * eta)) * shell_volume,
                exp(-epsilon / 4) * delta / 2 * inside,
            ),
        ),
        step("a factor of at most 1", Le(exp(-epsilon / 8) * exp(-epsilon / 4), 1)),
        step("so", Le(numerator * inside, delta / 2 * inside * whole)),
    ],
)
def share_of_the_outer_part():
    """Share of the outer part, from integrals and volumes."""
    return Le(numerator / whole, delta / 2)


def volumes_exist():
    """State that level sets have a volume, and the inner level set more than 0."""
    return [Gt(volume(LOW), 0), Ge(volume(MIDDLE), 0), Ge(volume(HIGH), 0)]


@claim(
    "note-d.2-shell",
    place="Lemma D.2, eq. D.7 repaired: the mass of a dataset within k rows beyond tau - eta",
    given=lambda: [
        *around(COST),
        Gt(total(KEPT), 0),
        Ge(total(INNER), 0),
        *volumes_exist(),
        ratio_is_small(volume_of_the_shell(), volume(LOW)),
    ],
    using=[
        "note-d.2-points.i",
        "note-d.2-points.ii",
        integrated(
            *(as_it_is(KEPT), 1, as_it_is(INNER)),
            *(weight_at_the_shell(), indicator(HIGH), indicator(MIDDLE)),
        ),
        integrated(indicator(LOW), inverse_weight_inside(), as_it_is(KEPT)),
        (
            "note-d.2-numbers",
            lambda: {
                **{numerator: total(KEPT) - total(INNER), whole: total(KEPT)},
                **{shell_volume: volume_of_the_shell(), inside: volume(LOW)},
            },
        ),
    ],
    proof=lambda: [step("a volume", Ge(volume_of_the_shell(), 0))],
)
def mass_of_the_outer_part():
    """Mass of the outer part of a dataset within k rows."""
    return Le((total(KEPT) - total(INNER)) / total(KEPT), delta / 2)


@claim(
    "note-sharp-numbers",
    place="Lemma D.1, sharpened, from integrals: D_1 and D_2 are those of the outer parts",
    given=lambda: [
        caught <= one_factor() * caught_next + shell_mass,
        whole_next - shell_mass_next <= one_factor() * whole,
        caught <= whole,
        caught_next <= whole_next,
        shell_mass_next <= whole_next,
    ],
    proof=lambda: [
        step(
            "the normalisers",
            Le(caught_next * (whole_next - shell_mass_next), caught_next * (one_factor() * whole)),
        ),
        step(
            "the event",
            Le(
                (caught - shell_mass) * (whole_next - shell_mass_next),
                exp(epsilon / 2) * whole * caught_next,
            ),
        ),
        step(
            "a probability is at most 1",
            Le((caught - shell_mass) * shell_mass_next, whole * shell_mass_next),
        ),
        step(
            "both",
            Le(
                (caught - shell_mass) * whole_next,
                exp(epsilon / 2) * whole * caught_next + whole * shell_mass_next,
            ),
        ),
    ],
)
def sharp_probabilities_from_masses():
    """Probability of an event for two datasets, from integrals, by the masses of outer parts."""
    return Le(
        caught / whole,
        exp(epsilon / 2) * (caught_next / whole_next)
        + shell_mass / whole
        + shell_mass_next / whole_next,
    )


# from bounds at each point to the masses of an event and of the inner parts, for both datasets
OVER_ALL_POINTS = [
    integrated(
        *(on_the_event(KEPT), exp(epsilon / 4), on_the_event(KEPT_NEXT)),
        *(1, as_it_is(KEPT), as_it_is(INNER)),
    ),
    integrated(as_it_is(INNER_NEXT), exp(epsilon / 4), as_it_is(KEPT)),
    integrated(on_the_event(KEPT), 1, as_it_is(KEPT)),
    integrated(on_the_event(KEPT_NEXT), 1, as_it_is(KEPT_NEXT)),
    integrated(as_it_is(INNER), 1, as_it_is(KEPT)),
    integrated(as_it_is(INNER_NEXT), 1, as_it_is(KEPT_NEXT)),
    (
        "note-sharp-numbers",
        lambda: {
            **{caught: inside_event(KEPT), caught_next: inside_event(KEPT_NEXT)},
            **{whole: total(KEPT), whole_next: total(KEPT_NEXT)},
            shell_mass: total(KEPT) - total(INNER),
            shell_mass_next: total(KEPT_NEXT) - total(INNER_NEXT),
        },
    ),
]


def two_datasets_within_k_rows():
    """Return the conditions of Lemma D.2, and that its terms are defined."""
    return [
        *around(COST),
        *around(COST_NEXT),
        ratio_is_small(volume_of_the_shell(), volume(LOW)),
        *volumes_exist(),
        Gt(total(KEPT), 0),
        Gt(total(KEPT_NEXT), 0),
        Ge(total(INNER), 0),
        Ge(total(INNER_NEXT), 0),
        Ge(inside_event(KEPT), 0),
        Ge(inside_event(KEPT_NEXT), 0),
    ]


@claim(
    "lemma-d.2",
    place="Lemma D.2, as its proof reads it, that all datasets within k - 1 rows are (epsilon / 2, delta)-safe: f and "
    "f_1 are the costs of any two neighbours within k rows, B any event, and points and volume as in "
    "lemma-d.1. So even k, not k - 1, bounds the margin from below. The first two conditions are eq. D.5, the third eq. "
    "D.6 at some y, with delta / 2 in place of delta / 3: an infimum of at most delta / 3 need not be attained, but is less than delta / 2 at some y. The proof has two false displays (eq-d.7, eq-d.9), and survives by a sharper form of Lemma "
    "D.1 (note-sharp-numbers); its condition on delta is not needed. Costs are at least 0 as in lemma-d.1: a V with more volume in the inner levels makes the ratio of eq. D.6 no larger",
    cites=["eq-d.7-corrected", "eq-d.9-corrected"],
    using=[
        "note-d.2-points.iv",
        "note-d.2-points.v",
        "note-nested-weights.i",
        "note-nested-weights.iii",
        "note-event-weights.i",
        "note-event-weights.ii",
        "note-d.2-shell",
        (
            "note-d.2-shell",
            lambda: {
                **{COST: as_it_is(COST_NEXT), KEPT: as_it_is(KEPT_NEXT)},
                **{INNER: as_it_is(INNER_NEXT)},
            },
        ),
        *OVER_ALL_POINTS,
    ],
    without={
        "eq-d.7-corrected": "note-d.2-shell says it of the integrals",
        "eq-d.9-corrected": "note-d.2-points.i says it of each point",
    },
    given=two_datasets_within_k_rows,
)
def margin_from_a_small_change_of_cost():
    """Safety margin from a small change of cost and of volume."""
    return Le(chance_of_an_event(KEPT), exp(epsilon / 2) * chance_of_an_event(KEPT_NEXT) + delta)


@claim(
    "eq-d.8",
    place="eq. D.8, point by point",
    scope="at each point of small cost: the integrals over them stand in the proof of note-d.2-shell",
    given=lambda: [Abs(cost - other_cost) <= eta, other_cost <= tau - below - 2 * eta],
    proof=lambda: [
        step("the cost", Le(cost, tau - below - eta)),
        step(
            "the exponent",
            Le(epsilon / (4 * eta) * cost, epsilon * (tau - below - eta) / (4 * eta)),
        ),
    ],
)
def weight_of_an_inner_point():
    """Weight of a point of small cost."""
    return Ge(exp(-beta * cost), exp(-epsilon * (tau - below - eta) / (4 * eta)))


def shell_of_one_point():
    """Return a point whose costs are within eta / 2, in the shell of eq. D.9 for both datasets."""
    return [
        Abs(cost - other_cost) <= eta / 2,
        cost > tau - eta,
        cost <= tau + eta,
        tau > 2 * eta,
    ]


@claim(
    "eq-d.9",
    place="eq. D.9, for a space in which the shell is one point of volume 1",
    given=shell_of_one_point,
    try_at=[{epsilon: 1, eta: 1, tau: 4, cost: 4, other_cost: 4}],
    fault="error",
    effect="The sign before eta is wrong; with the right one eq. D.7 is missed by a factor "
    "exp(epsilon / 8), and Lemma D.2 survives by another way.",
)
def weight_of_the_shell_as_printed():
    """Weight of a point of large cost, as printed."""
    return Le(exp(-beta * cost), exp(-epsilon * (tau + eta) / (4 * eta)))


@claim(
    "eq-d.9-corrected",
    place="eq. D.9, for any point of the shell",
    scope="at each point of the shell: the integrals over them stand in the proof of note-d.2-shell",
    corrects=["eq-d.9"],
    why="The least cost in the shell is tau - eta, not tau + eta.",
    given=shell_of_one_point,
)
def weight_of_the_shell():
    """Weight of a point of large cost, repaired."""
    return Le(exp(-beta * cost), exp(-epsilon * (tau - eta) / (4 * eta)))


@claim(
    "eq-d.7",
    place="eq. D.7, for a space of two points: one of volume V_1, cost 0 and for the neighbour eta / 2, "
    "one of volume V_2 in the shell; the last condition is eq. D.6",
    given=lambda: [
        cost > tau - eta,
        cost <= tau + eta,
        below <= tau - 2 * eta,
        delta <= exp(-epsilon / 2) / 2,
        exp(-beta * below) * volume_out / volume_in <= exp(-epsilon / 4) * delta / 3,
    ],
    try_at=[
        {
            **{epsilon: 2, eta: 1, tau: 4, below: 2, delta: Rational(1, 20)},
            **{cost: Rational(3001, 1000), volume_in: 1, volume_out: Rational(2747, 100000)},
        }
    ],
    fault="error",
    effect="Lemma D.2 holds all the same: its conclusion follows from the bound that is left "
    "(eq-d.7-corrected, which is supported) by the sharper form of Lemma D.1.",
)
def mass_of_the_shell_as_printed():
    """Mass of the points of large cost, as printed."""
    outer = volume_out * exp(-beta * cost)
    return Le(outer / (volume_in * exp(-beta * eta / 2) + outer), exp(-epsilon / 2) * delta / 3)


@claim(
    "eq-d.7-corrected",
    place="eq. D.7, repaired, at the bounds of eq. D.8 and eq-d.9-corrected, with costs "
    "within eta / 2 of those that eq. D.6 is about",
    corrects=["eq-d.7"],
    why="What eq. D.8 and D.9 give is exp(-3 epsilon / 8) delta / 3.",
    given=lambda: [
        exp(-beta * below) * volume_out / volume_in <= exp(-epsilon / 4) * delta / 3,
    ],
    scope="two numbers at the bounds of eq. D.8 and eq-d.9-corrected; of the integrals, at delta / 2, note-d.2-shell says it",
)
def mass_of_the_shell():
    """Mass of the points of large cost, repaired."""
    outer = volume_out * exp(-beta * (tau - eta))
    inner_part = volume_in * exp(-beta * (tau - below - 2 * eta + eta / 2))
    return Le(outer / (inner_part + outer), exp(-3 * epsilon / 8) * delta / 3)
