"""Exercises of the chapters on claims and on privacy: what is asked, and how it is decided."""

from sympy import Expr, Le, Rational, exp, log, sqrt, tanh

from dpbook.engine.domain import symbol
from dpbook.privacy.accounting import gaussian_epsilon
from dpbook.privacy.divergences import normal_profile
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip

x = symbol("x", meaning="a real number")
epsilon = symbol("epsilon", above=0, meaning="privacy loss of one query")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
k = symbol("k", integer=True, at_least=1, meaning="number of queries")
rho = symbol("rho", above=0, meaning="loss in zero-concentrated differential privacy")
kept = symbol("c", above=0, below=1, meaning="probability that a record is kept as it is")

# --- the chapter on claims --------------------------------------------------------------------------

exercise(
    "claims:pole",
    Point(
        question="Is x/x = 1 for every real x? Give a point at which it fails.",
        hints=(
            "A statement says two things: both sides are real numbers everywhere, and they agree.",
            "Where may one not divide?",
        ),
        statement=lambda: (x / x, "==", 1),
        slips=(Slip(lambda point: point["x"] != 0, "There the quotient is defined, and it is 1."),),
    ),
)

exercise(
    "claims:tanh",
    Condition(
        question="For which real x is tanh(x) <= x? Answer with a condition on x alone.",
        hints=(
            "Both sides are odd: what holds at x fails at -x, unless they are equal.",
            "The slope of tanh is at most 1, and both sides are 0 at 0.",
        ),
        solution=lambda: tanh(x) <= x,
        symbols=lambda: [x],
        functions=(),
        slips=(
            Slip("x > 0", "What happens at 0 itself?"),
            Slip("x <= 0", "The tangent at 0 has slope 1; on which side is tanh below it?"),
            Slip("x^2 >= 0", "Try a negative x: both sides change their sign."),
        ),
    ),
)

exercise(
    "claims:scientific-notation",
    Number(
        question="A text says delta = 10^(-5), and its code says delta = 10e-5. "
        "How many times too large is the delta of the code? (within 0.0001 %)",
        hints=("In 10e-5 the e stands for: times ten to the power of.",),
        solution=lambda: 10,
        relative=Rational(1, 10**6),
        slips=(
            Slip(1, "10e-5 is 10 times 10^(-5), not 10^(-5)."),
            Slip("1/10", "The other way round: which of the two is larger?"),
            Slip(5, "The exponents are the same; what stands before them is not."),
        ),
    ),
)


def basic_loss() -> Expr:
    """Loss of k queries by basic composition."""
    return k * epsilon


def advanced_loss() -> Expr:
    """Loss of k queries by advanced composition (Dwork, Rothblum, Vadhan, FOCS 2010)."""
    return epsilon * sqrt(2 * k * log(1 / delta)) + k * epsilon * (exp(epsilon) - 1)


exercise(
    "claims:advanced-composition",
    Point(
        question="By advanced composition k queries lose at most "
        "epsilon*sqrt(2*k*log(1/delta)) + k*epsilon*(exp(epsilon) - 1). A plot draws "
        "2*epsilon*sqrt(2*k*log(1/delta)) instead. Give epsilon, k and delta at which the plot "
        "promises less than the theorem.",
        hints=(
            "The plot is right where the second term of the theorem is at most the first.",
            "The first term grows with the root of k, the second with k itself.",
        ),
        statement=lambda: Le(advanced_loss(), 2 * epsilon * sqrt(2 * k * log(1 / delta))),
        slips=(
            Slip(
                lambda point: point["k"] in range(1, 10),
                "For few queries the plot is on the safe side; take many.",
            ),
            Slip(
                lambda point: 0 < point["epsilon"] < Rational(1, 2),
                "For a small epsilon the second term is about k*epsilon**2; take a larger epsilon.",
            ),
        ),
    ),
)

exercise(
    "claims:composition-gains",
    Condition(
        question="Advanced composition gains nothing, whatever k and delta, once its second term "
        "k*epsilon*(exp(epsilon) - 1) alone is at least the k*epsilon of basic composition. "
        "For which epsilon is that so?",
        hints=("Divide by k*epsilon, which is positive.", "Then take logarithms."),
        solution=lambda: k * epsilon * (exp(epsilon) - 1) >= basic_loss(),
        symbols=lambda: [epsilon],
        functions=("log",),
        slips=(
            Slip(
                "epsilon >= 1",
                "It begins below 1: at epsilon = 0.7 exp(epsilon) - 1 is 1.01 already.",
            ),
            Slip("epsilon > log(2)", "At the end of the range the two are equal."),
            Slip("epsilon <= log(2)", "There the second term is smaller, and there may be a gain."),
            Slip("epsilon >= log(10)/log(2)", "The logarithm to base e is meant."),
        ),
    ),
)

exercise(
    "claims:zcdp",
    Formula(
        question="A mechanism whose Renyi divergences are at most rho*a at every order a > 1 is "
        "(rho*a + log(1/delta)/(a - 1), delta)-DP for every such a. Which epsilon is the smallest "
        "that this gives?",
        hints=(
            "Write a - 1 = t; what remains is rho + rho*t + log(1/delta)/t.",
            "The sum of two positive numbers with a fixed product is smallest where they are equal.",
        ),
        solution=lambda: rho + 2 * sqrt(rho * log(1 / delta)),
        symbols=lambda: [rho, delta],
        slips=(
            Slip("2*sqrt(rho*log(1/delta))", "The rho that does not depend on a is lost."),
            Slip("rho + sqrt(rho*log(1/delta))", "Both terms contribute where they are equal."),
            Slip(
                "sqrt(2*rho*log(1/delta))",
                "This is epsilon*sqrt(log(1/delta)) for rho = epsilon**2/2, a slip in print: "
                "a factor sqrt(2) and the summand rho are lost.",
            ),
            Slip("rho + 2*sqrt(rho*log(delta))", "log(delta) is negative: mind the sign."),
        ),
    ),
)


# --- the chapter on privacy -------------------------------------------------------------------------


def gaussian_formula() -> Expr:
    """Distance of the means, in standard deviations, by the formula of the textbooks."""
    return epsilon / sqrt(2 * log(Rational(5, 4) / delta))


exercise(
    "privacy:gaussian-formula",
    Point(
        question="A notebook adds normal noise of standard deviation "
        "sqrt(2*log(1.25/delta))/epsilon to a query of sensitivity 1, for every epsilon. "
        "Give epsilon and delta at which that is not (epsilon, delta)-private.",
        hints=(
            "The theorem that the formula comes from asks for epsilon < 1.",
            "For a large epsilon the noise that is needed falls like 1/sqrt(2*epsilon), the "
            "formula like 1/epsilon.",
            "gaussian_delta(epsilon, sigma) of dpbook.privacy.accounting gives the exact delta.",
        ),
        statement=lambda: Le(normal_profile(gaussian_formula(), epsilon), delta),
        slips=(
            Slip(
                lambda point: 0 < point["epsilon"] < 1,
                "There the theorem holds, and it even adds more noise than is needed.",
            ),
            Slip(
                lambda point: 1 <= point["epsilon"] <= 8,
                "The theorem says nothing there, but the formula is still on the safe side; "
                "take a larger epsilon.",
            ),
        ),
        time_limit=20.0,
    ),
)

exercise(
    "privacy:advanced-beats-basic",
    Number(
        question="Each of k queries is 1/2-private, and delta = 10^(-5). From which k on is the "
        "loss by advanced composition, "
        "epsilon*sqrt(2*k*log(1/delta)) + k*epsilon*(exp(epsilon) - 1), below that by basic "
        "composition, k*epsilon?",
        hints=(
            "Divide both sides by epsilon*sqrt(k), which is positive.",
            "sqrt(k)*(2 - exp(epsilon)) has to exceed sqrt(2*log(1/delta)).",
            "The number of queries is an integer: round up.",
        ),
        solution=lambda: 187,
        slips=(
            Slip(186, "There the two are nearly equal, but basic composition is still the better."),
            Slip(24, "The second term, k*epsilon*(exp(epsilon) - 1), is not there for nothing."),
            Slip(93, "The plotted 2*epsilon*sqrt(2*k*log(1/delta)) is another formula."),
            Slip(150, "Is delta 10e-5 in your code? That is 10^(-4)."),
            Slip(82, "The logarithm to base e is meant."),
        ),
    ),
)

exercise(
    "privacy:exact-epsilon",
    Number(
        question="Normal noise of standard deviation 2 is added to a query of sensitivity 1. "
        "What is the smallest epsilon at delta = 10^(-6)? (within 0.1 %)",
        hints=(
            "The formula with log(1.25/delta) gives too much; the exact curve is needed.",
            "gaussian_epsilon(delta, sigma) of dpbook.privacy.accounting.",
            "10e-6 is not 10^(-6).",
        ),
        solution=lambda: Rational(gaussian_epsilon(Rational(1, 10**6), 2).lower),
        relative=Rational(1, 1000),
        slips=(
            Slip(
                lambda: Rational(gaussian_epsilon(Rational(1, 10**5), 2).lower),
                "That is the epsilon at delta = 10e-6, which is 10^(-5).",
            ),
            Slip(
                lambda: sqrt(2 * log(Rational(5, 4) * 10**6)) / 2,
                "That is the textbook formula solved for epsilon: not exact, and not meant for "
                "an epsilon above 1.",
            ),
            Slip(
                lambda: Rational(1, 8) + sqrt(log(10**6) / 2),
                "That is the conversion from zero-concentrated privacy: true, but not the smallest.",
            ),
        ),
    ),
)

exercise(
    "privacy:group",
    Formula(
        question="A mechanism is (epsilon, delta)-private for datasets that differ in one record. "
        "Two datasets differ in three. One record at a time gives a loss of 3*epsilon; "
        "with which delta?",
        hints=(
            "P(A) <= exp(epsilon)*P_1(A) + delta, and P_1(A) is bounded in the same way.",
            "The delta of an inner step is multiplied by exp(epsilon) in each outer one.",
        ),
        solution=lambda: delta * (1 + exp(epsilon) + exp(2 * epsilon)),
        symbols=lambda: [epsilon, delta],
        slips=(
            Slip("3*delta", "The inner deltas are multiplied by exp(epsilon) on their way out."),
            Slip(
                "3*delta*exp(2*epsilon)",
                "That holds, but it is larger than need be: only one of the three deltas "
                "passes two steps.",
            ),
            Slip(
                "delta*(exp(epsilon) + exp(2*epsilon) + exp(3*epsilon))",
                "The outermost delta is not multiplied by anything.",
            ),
            Slip("delta*exp(3*epsilon)", "A delta is added at each of the three steps."),
        ),
    ),
)

exercise(
    "privacy:contamination",
    Formula(
        question="Before an epsilon-private mechanism sees it, each record is kept with "
        "probability c, and else replaced by a public draw, independently of the others. What is the "
        "smallest bound on the loss, in c and epsilon, that holds for every such mechanism?",
        hints=(
            "Of a bound exp(epsilon) on a ratio, a share c counts in full, the rest is 1.",
            "A convex combination of exp(epsilon) and 1, and then the logarithm.",
        ),
        solution=lambda: log(1 + kept * (exp(epsilon) - 1)),
        symbols=lambda: [epsilon, kept],
        slips=(
            Slip("c*epsilon", "The ratios are averaged, not their logarithms; this is too small."),
            Slip(
                "epsilon", "That holds, and would hold without contamination: a smaller bound does."
            ),
            Slip("epsilon + log(c)", "A replaced record has the ratio 1, not 0."),
            Slip("log(1 + (1 - c)*(exp(epsilon) - 1))", "c is the share that is kept."),
            Slip("1 + c*(exp(epsilon) - 1)", "That is the ratio; the loss is its logarithm."),
        ),
    ),
)
