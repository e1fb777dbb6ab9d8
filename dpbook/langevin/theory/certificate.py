"""Make Theorem 1 constructive: numbers of records, centres and steps, and the inequalities that they prove.

A certificate states for one setting that a posterior draw is (epsilon, delta)-private and that
cyclic SGLD, stopped after T steps, is not (epsilon', delta)-private. Both are one inequality each,
decided by balls, beside the conditions of the lemmas that make them mean it. Numbers of records
easily pass 10**30, and no double holds what the proof multiplies.
"""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, ctx, fmpq
from sympy import Expr, Pow, Rational, exp, log

from dpbook.engine.language.domain import DomainError, symbol
from dpbook.engine.language.statement import unfold_definitions
from dpbook.langevin import notation
from dpbook.langevin.theory import thresholds
from dpbook.langevin.theory.sizes import WRITTEN, Entry, Exact, Threshold, Whole, ball, bits, shown
from dpbook.langevin.theory.thresholds import Row, gamma_2
from dpbook.privacy import reading
from dpbook.privacy.value import Version, check_version
from dpbook.teaching import figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 120  # at most so many epochs are drawn
MOST_BITS = 1 << 16
GUARD = 60  # digits beyond those that n takes

epsilon_prime = symbol("epsilon_prime", above=0, latex=r"\epsilon'", meaning="loss of the chain")
digits, zeros = (
    symbol(name, integer=True, at_least=0, meaning="the number of records is digits * 10**zeros")
    for name in ("digits", "zeros")
)
strength = notation.x_h**2 * notation.beta
AT_POWER = notation.n**gamma_2
STEADY = 2 / log(2)
"""Lower bound on x_h**2 * beta: above it a cycle's noise keeps more than half of its weight."""


# --- what a certificate is made of ----------------------------------------------------------------


def _text(value: arb) -> str:
    if not value.is_finite():
        return "no bound"
    if value.is_zero():
        return "0"
    with ctx.workprec(80):
        size = float(abs(value).log() / arb(10).log())
    return ("-" if value < 0 else "") + shown(size)


@dataclass(frozen=True)
class Inequality:
    """Hold one inequality of a certificate, decided by balls.

    Attributes
    ----------
    claim : str
        Key of the claim that it belongs to.
    words : str
        What is compared.
    left, right : arb
        Both sides, enclosed; NaN where a lemma gives no bound.
    relation : {"<=", ">=", ">"}
    holds : bool
    """

    claim: str
    words: str
    left: arb = field(repr=False, compare=False)
    relation: str
    right: arb = field(repr=False, compare=False)
    holds: bool

    @property
    def margin(self) -> str:
        """Quotient of the larger side and the smaller side; empty below 0."""
        if not (self.left > 0 and self.right > 0):
            return ""
        larger = self.left / self.right if self.left > self.right else self.right / self.left
        return _text(larger)

    def __str__(self) -> str:
        said = f"{self.words}: {_text(self.left)} {self.relation} {_text(self.right)}"
        return f"{said} {'holds' if self.holds else 'fails'}"

    def __repr__(self) -> str:
        return f"Inequality({str(self)!r}, claim={self.claim!r})"


def _decided(claim: str, words: str, left: arb, relation: str, right: arb) -> Inequality:
    """Compare two balls; NaN passes no comparison."""
    holds = {"<=": left <= right, ">=": left >= right, ">": left > right}[relation]
    fails = {"<=": left > right, ">=": left < right, ">": left <= right}[relation]
    if left.is_finite() and not (holds or fails):
        raise ArithmeticError(f"{words}: {left} cannot be distinguished from {right}")
    return Inequality(claim, words, left, relation, right, bool(holds))


@dataclass(frozen=True)
class Certificate:
    """Hold the assertions of theorem 1 for one setting, with every inequality decided.

    Attributes
    ----------
    claim : str
        ``langevin:theorem-1``; of the printed construction the refuted key.
    n : Whole
        Number of records.
    c : Expr
        Centre of the ratios, exactly: n to a rational power, or the number that was given.
    epochs : int
        ceil(k-dot) + 1, after which the chain is stopped.
    steps : Whole
        T, epochs times n.
    epsilon, delta, epsilon_prime : float
    threshold : Threshold
        The maximum that n was taken from; of `certify` that of claim D.29.
    conditions : tuple of Inequality
        What the lemmas ask for.
    posterior : Inequality
        The loss of a posterior draw by lemma 4.3, against epsilon.
    chain : Inequality
        The loss of the chain after T steps by eq. 16, against epsilon'.
    separation : Inequality
        The least squared gap over variance after T steps, over all positions of the odd record, by
        the exact distribution, against eq. 15.

    Examples
    --------
    >>> from dpbook.langevin import certify
    >>> found = certify(
    ...     10**9, 10**12, epsilon=3, delta=0.1, epsilon_prime=1, alpha=1, beta=3, x_h=1.8, gamma_1=0.25
    ... )
    >>> found.epochs, found.chain.holds, found.posterior.holds
    (112, True, True)
    """

    claim: str
    n: Whole
    c: Expr
    epochs: int
    steps: Whole
    epsilon: float
    delta: float
    epsilon_prime: float
    threshold: Threshold
    conditions: tuple[Inequality, ...]
    posterior: Inequality
    chain: Inequality
    separation: Inequality
    _centre: Expr = field(repr=False, compare=False)
    _numbers: Exact = field(repr=False, compare=False)

    @property
    def inequalities(self) -> tuple[Inequality, ...]:
        """Return all inequalities: conditions, then conclusions."""
        return (*self.conditions, self.posterior, self.separation, self.chain)

    @property
    def holds(self) -> bool:
        """Say whether this setting proves theorem 1."""
        return all(inequality.holds for inequality in self.inequalities)

    @property
    def fails(self) -> tuple[Inequality, ...]:
        """The inequalities that do not hold."""
        return tuple(one for one in self.inequalities if not one.holds)

    @cached_property
    def exact_loss(self) -> arb:
        """Loss of the chain after T steps at least, from its exact distribution: gap / 2 + log(1 - 2 delta).

        The normal tail beyond t standard deviations is below exp(-t**2 / 2) / 2.
        """
        with ctx.workprec(bits(30)):
            return self.separation.left / 2 + (1 - 2 * arb(self._numbers["delta"])).log()

    def __repr__(self) -> str:
        failed = "".join(f"; fails: {one}" for one in self.fails)
        return (
            f"Certificate(n={self.n}, T={self.steps}, posterior loss "
            f"{_text(self.posterior.left)} {self.posterior.relation} {self.epsilon:g}, chain loss "
            f"{_text(self.chain.left)} >= {self.epsilon_prime:g}, holds={self.holds}{failed})"
        )

    def _repr_html_(self) -> str:
        head = f"n = {self.n}, c = {html.escape(self._centre_text())}, T = {self.epochs} n = {self.steps}"
        rows = "".join(
            f"<tr><th>{html.escape(one.words)}</th><td>{_text(one.left)}</td>"
            f"<td>{html.escape(one.relation)}</td><td>{_text(one.right)}</td>"
            f"<td>{'holds' if one.holds else '<strong>fails</strong>'}</td>"
            f"<td>{one.margin and f'by a factor {one.margin}'}</td>"
            f"<td><code>{html.escape(one.claim)}</code></td></tr>"
            for one in self.inequalities
        )
        return f"<table><caption>{head}</caption>{rows}</table>"

    def _centre_text(self) -> str:
        value = _text(_at(self._centre, self.n, self._numbers))
        return f"n**{float(self.c.exp):g} = {value}" if isinstance(self.c, Pow) else value

    def describe(self) -> str:
        """Return the words for the picture."""
        verdict = "proves theorem 1" if self.holds else "proves nothing"
        failed = "".join(f" Fails: {one}." for one in self.fails)
        return (
            f"Squared gap of the means in variances against epochs, on a scale of powers of ten. "
            f"With n = {self.n} and c = {self._centre_text()} the chain is stopped after "
            f"{self.epochs} epochs, T = {self.steps} steps: the gap is {_text(self.separation.left)} "
            f"there, eq. 15 says {_text(self.separation.right)} at least. One posterior draw loses "
            f"{_text(self.posterior.left)} at most, the chain {_text(self.chain.left)} at least by "
            f"eq. 16 and {_text(self.exact_loss)} by the exact distribution. With epsilon = {self.epsilon:g}, "
            f"delta = {self.delta:g} and epsilon' = {self.epsilon_prime:g} that {verdict}.{failed}"
        )

    @figures.drawing
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the least separation over epochs, with the bound of eq. 15 at T."""
        ax = ax or figures.axes()
        spread = np.linspace(1, 1.4 * self.epochs, POINTS).round()
        epochs = sorted({int(epoch) for epoch in spread} | {self.epochs})
        sizes = [
            _log10(_separation(self.n, self._numbers, self._centre, epoch)) for epoch in epochs
        ]
        ax.plot(epochs, sizes, label="exact distribution, least over the positions")
        at = (self.epochs, _log10(self.separation.right))
        ax.plot(*at, "s", color="#8c4a00", label="eq. 15")
        ax.axvline(self.epochs, color="#767676", linewidth=0.8, linestyle=":")
        ax.set_xlabel("epoch")
        ax.set_ylabel("squared gap in variances, power of ten")
        ax.legend()
        return ax


def _log10(value: arb) -> float:
    with ctx.workprec(80):
        return float(value.log() / arb(10).log())


# --- values at numbers of records of any size -----------------------------------------------------


@lru_cache(maxsize=64)
def _split(expression: Expr) -> Expr:
    return unfold_definitions(expression).xreplace({notation.n: digits * 10**zeros})


def _at(expression: Expr, n: Whole, numbers: Exact, accuracy: int = 30) -> arb:
    """Value of an expression of the notation."""
    known = {**numbers, "digits": fmpq(n.digits), "zeros": fmpq(n.zeros)}
    return ball(_split(expression), known, accuracy)


def _chain(n: Whole, numbers: Exact) -> tuple[arb, ...]:
    """Return n b / A, 1 / A, and the logarithms of lambda, of lambda-hat over lambda, and of M.

    Not from the notation: 1 - 1 / A itself would need as many bits as n has.
    """
    a, whole = arb(numbers["alpha"]), n.ball()
    signal = whole * arb(numbers["x_h"]) ** 2 * arb(numbers["beta"])
    total = a + signal
    rate = (-1 / total).log1p()
    odd = (3 * signal / (4 * total**2) / (1 - 1 / total)).log1p()
    return signal / total, 1 / total, rate, odd, odd + whole * rate


def _epochs(n: Whole, numbers: Exact) -> int:
    """ceil(k-dot) + 1, claims lemma-a.4 and lemma-a.6."""
    precision = 256
    while precision <= MOST_BITS:
        with ctx.workprec(precision):
            _, inverse, rate, _, _ = _chain(n, numbers)
            grown = ((1 / inverse - arb(0.5)) / arb(numbers["alpha"])).log1p()
            rounded = (grown / (-2 * n.ball() * rate) - 1).ceil().unique_fmpz()
        if rounded is not None:
            return int(rounded) + 1
        precision *= 4
    raise ArithmeticError(f"the balance epoch is an integer to {MOST_BITS} bits")


def _separation(n: Whole, numbers: Exact, c: Expr, epochs: int) -> arb:
    """Squared gap over variance at the end of an epoch: a lower bound over all positions.

    With x = lambda**(n - r) the gap of langevin:note-gap grows with x, and so does the variance of
    langevin:lemma-a.1.variance-r: the gap is least for r = 1, the variance largest for r = n.
    """
    centre = _at(c, n, numbers, 60)
    with ctx.workprec(256):
        share, inverse, rate, odd, cycle = _chain(n, numbers)
        whole, a = n.ball(), arb(numbers["alpha"])
        excess = share * inverse * 3 / 4  # lambda-hat less lambda
        kept = (cycle * epochs).expm1() / cycle.expm1()
        gap = share * centre * (whole * epochs * rate).exp() * (epochs * odd).expm1()
        gap += excess * ((whole - 1) * rate).exp() * centre * a * inverse * kept
        added = -(2 * cycle).expm1() + excess * (2 * (1 - inverse) + excess)
        kept_squares = (2 * cycle * epochs).expm1() / (2 * cycle).expm1()
        variance = (2 * cycle * epochs).exp() / a + added / (1 / inverse - arb(0.5)) * kept_squares
        return gap**2 / variance


# --- the maxima that n is taken from --------------------------------------------------------------


def _of_chain() -> Expr:
    """Last entry of n_p: where eq. 16 reaches epsilon', with c = n**gamma_2."""
    at_one = unfold_definitions(notation.separation_bound).xreplace({notation.c: notation.n})
    needed = 2 * (epsilon_prime - log(Rational(1, 2) - notation.delta)) / at_one
    return Pow(needed, 1 / (2 * (gamma_2 - 1)), evaluate=False)


# The last one stands in for the printed condition of lemma A.3: 2 lambda**(2 n) >= 1 follows from it.
CONDITIONS: tuple[tuple[str, Row], ...] = (
    ("langevin:lemma-4.2-corrected", thresholds.rows_of_power("corrected")[-1]),
    ("langevin:lemma-a.5.later", ("more signal than prior", notation.alpha / strength, True)),
    (
        "langevin:claim-d.15",
        ("memory of one cycle", (1 - notation.alpha) / (strength - STEADY), False),
    ),
)


def _loss() -> Expr:
    """Loss of one posterior draw, lemma 4.3 with the order of eq. 53."""
    nu = notation.nu_of_loss
    renyi = unfold_definitions(notation.repaired_loss_bound).xreplace({notation.nu: nu})
    return renyi + log(1 / notation.delta) / (nu - 1)


def _rows(version: Version) -> list[Row]:
    chain = ("loss of the chain", _of_chain(), False)
    if version == "corrected":
        return [*thresholds.rows_of_power(version), *(row for _, row in CONDITIONS[1:]), chain]
    alpha, beta, epsilon = notation.alpha, notation.beta, notation.epsilon
    nu, weight, gamma_1 = notation.nu_of_loss, notation.scale, notation.gamma_1
    x_h, x_l = notation.x_h, notation.x_l
    bracket = 1 + (1 + 10 * x_h**2 / x_l**2 * nu / beta) ** (gamma_1 - gamma_2)
    of_draw = {
        "radius": Pow(
            16 * nu * beta * x_h**4 / (9 * epsilon * x_l**2), 1 / (1 - 2 * gamma_1), evaluate=False
        ),
        "radius times centre": Pow(
            16 * nu * beta / epsilon * weight / (9 * (x_l**2 * beta) ** 2) * bracket,
            2 - 1 / (gamma_1 - gamma_2),
            evaluate=False,
        ),
        "centre": Pow(
            4 * nu / epsilon * weight / (9 * x_l**6 * beta) * bracket,
            2 / (3 - 2 * gamma_2),
            evaluate=False,
        ),
    }
    return [
        ("condition of lemma A.3", 1 / (2 * alpha * strength) - 1 / strength, True),
        CONDITIONS[1][1],
        (
            "condition of claim D.22",
            alpha / strength * (exp(2 / strength) - 2) + 1 / (2 * strength),
            True,
        ),
        *((n, of_draw.get(n, f), strict) for n, f, strict in thresholds.rows_of_power(version)),
        chain,
    ]


# --- the face -------------------------------------------------------------------------------------


def _read(claim: str, **values: Any) -> dict[str, fmpq]:
    """Read the numbers of a setting, with x_l = x_h / 2 as in eq. 10."""
    reading.positive(x_h=values["x_h"])
    numbers = thresholds.read(claim, **values, **{"x_l": values["x_h"] / 2})
    numbers["x_l"] = numbers["x_h"] / 2
    thresholds.steady(numbers)
    return numbers


def _certificate(
    claim: str, n: Whole, c: Expr, centre: Expr, numbers: Exact, maximum: Threshold
) -> Certificate:
    """Decide every inequality of a setting; `centre` is c in symbols of the notation."""
    epochs = _epochs(n, numbers)
    # n is an entry, rounded up: it exceeds the entry by its last digit only
    accuracy = GUARD + min(WRITTEN, n.digits.bit_length() // 3)
    conditions = []
    for key, row in CONDITIONS:
        entry = Entry(*row, numbers)
        relation = ">" if entry.strict else ">="
        conditions.append(
            Inequality(key, f"n: {entry.name}", n.ball(), relation, entry.value(), entry.passed(n))
        )
    loss = _loss().xreplace({notation.c: centre})
    bound = _at(loss, n, numbers, accuracy) if conditions[0].holds else arb.nan()
    separation = unfold_definitions(notation.separation_bound).xreplace({notation.c: centre})
    least = _at(separation, n, numbers, accuracy)
    half = _at(separation / 2 + log(Rational(1, 2) - notation.delta), n, numbers, accuracy)
    with ctx.workprec(bits(accuracy)):
        allowed, wanted = arb(numbers["epsilon"]), arb(numbers["epsilon_prime"])
        exact = _separation(n, numbers, centre, epochs)
        return Certificate(
            claim,
            n,
            c,
            epochs,
            n.times(epochs),
            float(allowed),
            float(arb(numbers["delta"])),
            float(wanted),
            maximum,
            tuple(conditions),
            _decided(
                "langevin:lemma-4.3-corrected", "loss of a posterior draw", bound, "<=", allowed
            ),
            _decided("langevin:eq-16", "loss of the chain", half, ">=", wanted),
            _decided("langevin:eq-15", "squared gap over variance", exact, ">=", least),
            centre,
            numbers,
        )


def theorem_1(
    *,
    epsilon: float,
    delta: float,
    epsilon_prime: float,
    alpha: float,
    beta: float,
    x_h: float,
    gamma_1: float,
    gamma_2: float,
    version: Version = "corrected",
) -> Certificate:
    """Build the numbers that exist by theorem 1, and decide that they satisfy it.

    Parameters
    ----------
    epsilon, delta : float
        What a posterior draw has to keep; epsilon > 0, 0 < delta < 1/2.
    epsilon_prime : float
        What the chain must not keep, with the same delta; > 0.
    alpha, beta : float
        Prior and noise precision, > 0.
    x_h : float
        Largest covariate, x_h**2 * beta > 2 / log(2); the smallest is half of it.
    gamma_1, gamma_2 : float
        Radius n**gamma_1 and centre n**gamma_2 of the ratios, 0 < gamma_1 < 1/2 and
        1 + gamma_1 < gamma_2 < 3/2.
    version : {"corrected", "printed"}
        Which maximum n is taken from. That of the paper's proof can be too small.

    Returns
    -------
    Certificate
        Of the printed construction it may not hold, and says where.

    Raises
    ------
    ValueError
        A number outside its range, an unknown version.
    DomainError
        gamma_1 >= 1/2, gamma_2 outside its range, x_h**2 * beta too small.

    Notes
    -----
    langevin:theorem-1 with langevin:claim-d.30-corrected, langevin:lemma-a.6 and langevin:eq-10;
    with ``version="printed"`` the numbers of records are those of the refuted langevin:text-a-theorem-1.
    From 1000 digits on, n is rounded up to 60 of them.

    Examples
    --------
    >>> model = {"alpha": 3, "beta": 1, "x_h": 1.8, "gamma_1": 0.01, "gamma_2": 1.27}
    >>> theorem_1(epsilon=1.6, delta=0.01, epsilon_prime=10, **model)
    Certificate(n=1648413736, T=57694480760, posterior loss 0.966535 <= 1.6, chain loss 10 >= 10, holds=True)
    """
    key = "langevin:theorem-1"
    check_version(version)
    values = {"epsilon": epsilon, "delta": delta, "epsilon_prime": epsilon_prime, "alpha": alpha}
    values |= {"beta": beta, "x_h": x_h, "gamma_1": gamma_1, "gamma_2": gamma_2}
    numbers = _read(key, **values)
    if not numbers["gamma_1"] + 1 < numbers["gamma_2"] < fmpq(3, 2):
        raise DomainError(
            f"{key} needs 1 + gamma_1 < gamma_2 < 3/2, got gamma_1 = {gamma_1}, gamma_2 = {gamma_2}"
        )
    claim = key if version == "corrected" else "langevin:text-a-theorem-1"
    maximum = thresholds.threshold(claim, _rows(version), numbers, version)
    power = numbers["gamma_2"]
    c = Pow(notation.n, Rational(int(power.p), int(power.q)), evaluate=False)
    return _certificate(claim, maximum.least, c, AT_POWER, numbers, maximum)


def certify(
    n: int,
    c: float,
    *,
    epsilon: float,
    delta: float,
    epsilon_prime: float,
    alpha: float,
    beta: float,
    x_h: float,
    gamma_1: float,
) -> Certificate:
    """Decide theorem 1 for numbers of records and centres of one's own.

    Parameters
    ----------
    n : int
        Number of records, of any size.
    c : float
        Centre of the ratios, > 0; an integer may be of any size.
    epsilon, delta, epsilon_prime, alpha, beta, x_h, gamma_1
        As for `theorem_1`.

    Returns
    -------
    Certificate
        It holds, or says which inequality fails.

    Raises
    ------
    ValueError
        A number outside its range.
    DomainError
        x_h**2 * beta too small, gamma_1 >= 1/2, or fewer records than a lemma asks for.

    Notes
    -----
    langevin:lemma-4.3-corrected and langevin:lemma-a.6. A centre that is chosen freely needs far
    fewer records than n**gamma_2.

    Examples
    --------
    >>> found = certify(
    ...     10**9, 10**12, epsilon=3, delta=0.1, epsilon_prime=1, alpha=1, beta=3, x_h=1.8, gamma_1=0.25
    ... )
    >>> found.epochs, found.chain.holds, found.posterior.holds
    (112, True, True)
    """
    values = {"epsilon": epsilon, "delta": delta, "epsilon_prime": epsilon_prime, "alpha": alpha}
    numbers = _read(
        "langevin:lemma-4.3", **values, **{"beta": beta, "x_h": x_h, "gamma_1": gamma_1}
    )
    numbers["c"] = thresholds.ratio(c)
    whole = Whole(int(thresholds.records(n).p))
    for key, row in CONDITIONS:
        thresholds.threshold(key, [row], numbers).require(whole)
    maximum = thresholds.threshold(
        "langevin:claim-d.29-corrected",
        thresholds.rows_of_centre("corrected"),
        {**numbers, "n": fmpq(whole.digits)},
    )
    given = Rational(int(numbers["c"].p), int(numbers["c"].q))
    return _certificate("langevin:theorem-1", whole, given, notation.c, numbers, maximum)
