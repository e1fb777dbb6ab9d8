"""State the exercises of the chapters on claims and on privacy, with the way each is decided."""

from sympy import Expr, Le, Rational, exp, floor, log, pi, sqrt, tanh

from dpbook.engine.language.domain import symbol
from dpbook.privacy.accounting import gaussian_epsilon
from dpbook.privacy.divergences import normal_profile
from dpbook.teaching.exercises import exercise
from dpbook.teaching.questions import Condition, Formula, Number, Point, Slip

x = symbol("x", meaning="a real number")
count = symbol("n", integer=True, at_least=1, meaning="an integer; a number of people")
nu = symbol("nu", above=1, meaning="order of a Renyi divergence")
distance = symbol("d", meaning="distance of two means")
deviation = symbol("sigma", above=0, meaning="standard deviation of both")
epsilon = symbol("epsilon", above=0, meaning="privacy loss of one query")
delta = symbol("delta", above=0, below=1, meaning="probability of a larger loss")
k = symbol("k", integer=True, at_least=1, meaning="number of queries")
rho = symbol("rho", above=0, meaning="loss in zero-concentrated differential privacy")
kept = symbol("c", above=0, below=1, meaning="probability that a record is kept as it is")
DELTAS = ("1/10", "1/100", "1/200", "1/1000", "1/5000", "1/100000")  # of a course: one a student

# --- the chapter on claims --------------------------------------------------------------------------

exercise(
    "claims:gap",
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
        question="A text says that a probability is 10^(-5), and its code says 10e-5. "
        "How many times too large is that of the code? (within 0.0001 %)",
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

exercise(
    "claims:logarithm",
    Condition(
        question="For which real x is log(x^2) = 2*log(x)? Answer with a condition on x alone.",
        hints=(
            "A statement says two things: both sides are real numbers, and they agree.",
            "Of which numbers is there a logarithm?",
        ),
        solution=lambda: (log(x**2), "==", 2 * log(x)),
        symbols=lambda: [x],
        functions=(),
        slips=(
            Slip("x >= 0", "What happens at 0 itself?"),
            Slip("x != 0", "Try x = -1: the left side is 0, and the right one?"),
            Slip("x^2 >= 0", "Try x = -1: the left side is 0, and the right one?"),
            Slip("x < 0", "There the right side has no value."),
            Slip("x >= 1", "Between 0 and 1 logarithms are negative, and yet numbers."),
            Slip("x > 1", "Between 0 and 1 logarithms are negative, and yet numbers."),
        ),
    ),
)

exercise(
    "claims:search",
    Point(
        question="Is (1 + 1/n)^n <= 2.718 for every integer n >= 1? It holds for the first thousand. "
        "Give an n at which it fails.",
        hints=(
            "The left side rises towards exp(1), which is 2.71828...",
            "It is about exp(1) - exp(1)/(2*n).",
        ),
        statement=lambda: ((1 + 1 / count) ** count, "<=", Rational(2718, 1000)),
        slips=(
            Slip(
                lambda point: point["n"] in range(1, 4822),
                "There it still holds: the left side rises slowly. Take a larger n.",
            ),
        ),
    ),
)

exercise(
    "claims:tail-constant",
    Number(
        question="A standard normal number exceeds t > 0 with the probability erfc(t/sqrt(2))/2. "
        "Which is the smallest constant c such that this is at most c*exp(-t^2/2) for every t > 0?",
        hints=(
            "Try exp(t^2/2)*erfc(t/sqrt(2))/2 at several t: does it rise or fall?",
            "It falls. So look at t near 0, where the probability is that of one half of the line.",
        ),
        solution=lambda: Rational(1, 2),
        slips=(
            Slip(1, "That holds, but a smaller constant does; look at t near 0."),
            Slip(2, "That holds, but a smaller constant does; look at t near 0."),
            Slip(0, "The probability is positive."),
            Slip(
                lambda: 1 / sqrt(2 * pi),
                "That is the density at 0. Near 0 the probability is larger.",
            ),
        ),
    ),
)

exercise(
    "claims:renyi-normal",
    Formula(
        question="Two normal distributions have the same standard deviation sigma, and means that "
        "are d apart. What is their Renyi divergence of order nu?",
        hints=(
            "Put sigma_1 = sigma_2 = sigma into the repaired formula.",
            "The variance that the last term divides by is then sigma^2, and both logarithms are 0.",
        ),
        solution=lambda: nu * distance**2 / (2 * deviation**2),
        symbols=lambda: [nu, distance, deviation],
        slips=(
            Slip("d^2/(2*sigma^2)", "The divergence grows with its order."),
            Slip("nu*d^2/sigma^2", "A factor 1/2 is lost."),
            Slip("nu*d^2/(2*sigma)", "What stands below is the variance, sigma^2."),
            Slip("nu*d/(2*sigma)", "Distance and deviation enter squared."),
            Slip("(nu - 1)*d^2/(2*sigma^2)", "At order 1 it is not 0, but d^2/(2*sigma^2)."),
        ),
    ),
)

# --- the chapter on privacy -------------------------------------------------------------------------

exercise(
    "privacy:clipped-mean",
    Formula(
        question="The ages of n people, n public, are clipped to the range from 0 to 100, and their "
        "mean is to be published. One person's age is replaced by another. By how much can the mean "
        "change at most?",
        hints=(
            "How far can the sum move?",
            "The sum moves by at most 100, and is divided by n.",
        ),
        solution=lambda: 100 / count,
        symbols=lambda: [count],
        slips=(
            Slip("100", "That is how far the sum can move."),
            Slip("200/n", "From 0 to 100, or back, but not both."),
            Slip("100/(n - 1)", "Nobody is removed: there are n ages before and after."),
            Slip("50/n", "An age may go from one end of the range to the other."),
            Slip("1/n", "The range is 100 years wide."),
        ),
    ),
)

exercise(
    "privacy:table-scale",
    Formula(
        question="A table counts people by cell: everybody is in one cell. Neighbours differ in one "
        "person's answer. Which is the smallest scale of Laplace noise on each count that makes the "
        "whole table purely epsilon-private?",
        hints=(
            "How many counts change when one person moves to another cell, and by how much?",
            "Add up the changes of all counts; that sum is the sensitivity for Laplace noise.",
        ),
        solution=lambda: 2 / epsilon,
        symbols=lambda: [epsilon],
        slips=(
            Slip("1/epsilon", "A person who moves is missing in one cell and counted in another."),
            Slip(
                "sqrt(2)/epsilon",
                "The root of the sum of squares is for normal noise; here the changes are added.",
            ),
            Slip("2*epsilon", "Less loss takes more noise."),
            Slip("epsilon/2", "Less loss takes more noise."),
            Slip("4/epsilon", "Each of the two counts changes by 1, not by 2."),
            Slip("2", "That is the sensitivity; less loss takes more noise."),
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
    "privacy:advanced-composition",
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
        values=("delta", DELTAS),
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
    "privacy:composition-gains",
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
            Slip("epsilon = log(2)", "There it begins; what about a larger epsilon?"),
            Slip(
                "epsilon <= log(2)",
                "Below log(2) the second term is smaller, and there may be a gain.",
            ),
            Slip("epsilon >= log(10)/log(2)", "The logarithm to base e is meant."),
        ),
    ),
)

exercise(
    "privacy:zcdp",
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
            "gaussian_delta(epsilon, sigma=...) of dpbook.privacy gives the exact delta.",
        ),
        statement=lambda: Le(normal_profile(gaussian_formula(), epsilon), delta),
        values=("delta", DELTAS),
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


def _queries(inverse: int = 2, digits: int = 5) -> Number:
    """From which number of queries on advanced composition gains, each of loss 1/inverse."""
    small = log(10) * digits  # log(1/delta)
    gain = (2 - exp(Rational(1, inverse))) ** 2

    def first(above: Expr) -> int:
        return int(floor(above)) + 1

    right = first(2 * small / gain)
    return Number(
        question=f"Each of k queries is 1/{inverse}-private, and delta = 10^(-{digits}). From which "
        "k on is the loss by advanced composition, "
        "epsilon*sqrt(2*k*log(1/delta)) + k*epsilon*(exp(epsilon) - 1), below that by basic "
        "composition, k*epsilon?",
        hints=(
            "Divide both sides by epsilon*sqrt(k), which is positive.",
            "sqrt(k)*(2 - exp(epsilon)) has to exceed sqrt(2*log(1/delta)).",
            "The number of queries is an integer: round up.",
        ),
        solution=lambda: right,
        slips=(
            Slip(
                right - 1,
                "There the two are nearly equal, but basic composition is still the better.",
            ),
            Slip(
                first(2 * small),
                "The second term, k*epsilon*(exp(epsilon) - 1), is not there for nothing.",
            ),
            Slip(
                first(8 * small), "The plotted 2*epsilon*sqrt(2*k*log(1/delta)) is another formula."
            ),
            Slip(
                first(2 * log(10) * (digits - 1) / gain),
                f"Is delta 10e-{digits} in your code? That is 10^(-{digits - 1}).",
            ),
            Slip(first(2 * digits / gain), "The logarithm to base e is meant."),
        ),
    )


def _exact_epsilon(quarters: int = 8, digits: int = 6) -> Number:
    """The smallest epsilon of normal noise, its deviation in quarters, at delta = 10^-digits."""
    deviation = Rational(quarters, 4)
    return Number(
        question=f"Normal noise of standard deviation {deviation} is added to a query of "
        f"sensitivity 1. What is the smallest epsilon at delta = 10^(-{digits})? (within 0.1 %)",
        hints=(
            "The formula with log(1.25/delta) gives too much; the exact curve is needed.",
            "gaussian_epsilon(delta, sigma) of dpbook.privacy.accounting.",
            f"10e-{digits} is not 10^(-{digits}).",
        ),
        solution=lambda: Rational(gaussian_epsilon(Rational(1, 10**digits), deviation).lower),
        relative=Rational(1, 1000),
        slips=(
            Slip(
                lambda: Rational(
                    gaussian_epsilon(Rational(1, 10 ** (digits - 1)), deviation).lower
                ),
                f"That is the epsilon at delta = 10e-{digits}, which is 10^(-{digits - 1}).",
            ),
            Slip(
                lambda: sqrt(2 * log(Rational(5, 4) * 10**digits)) / deviation,
                "That is the textbook formula solved for epsilon: not exact, and not meant for "
                "an epsilon above 1.",
            ),
            Slip(
                lambda: 1 / (2 * deviation**2) + sqrt(2 * log(10**digits)) / deviation,
                "That is the conversion from zero-concentrated privacy: true, but not the smallest.",
            ),
        ),
    )


exercise(
    "privacy:advanced-beats-basic",
    _queries(),
    vary=lambda rng: _queries(rng.randint(2, 6), rng.randint(4, 9)),
)

exercise(
    "privacy:exact-epsilon",
    _exact_epsilon(),
    vary=lambda rng: _exact_epsilon(rng.randint(5, 16), rng.randint(4, 9)),
)

exercise(
    "privacy:group",
    Formula(
        question="A mechanism is (epsilon, delta)-private for datasets that differ in one record. "
        "Two datasets differ in three. One record at a time gives 3*epsilon for these two; "
        "which delta goes with it?",
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
            Slip(
                "c*(exp(epsilon) - 1)",
                "That holds. But the loss is the logarithm of 1 plus that, which is smaller.",
            ),
        ),
    ),
)
