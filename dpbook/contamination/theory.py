"""Formulas of the paper, each in one place."""

from __future__ import annotations

import math
import sys

from scipy.special import ndtri

from dpbook.privacy.mechanisms import gaussian_scale

ZCDP = {
    "printed": "contamination:text-4.2-zcdp",
    "bun-steinke": "privacy:zcdp-to-dp",
    "gaussian": "privacy:hockey-stick-normal",
}
"""Claims that the conversions of a zCDP budget rest on."""


def default_rate(n: float) -> float:
    """Contamination rate of Section 4: n**(-1/8), eq. 18; the paper lacks the sign there."""
    return float(n ** (-1 / 8))


def default_delta(n: float) -> float:
    """Delta of Section 4: 1 / (10 n)."""
    return float(1 / (10 * n))


# --- budgets (Section 4.2) ---------------------------------------------------------------------------


def printed_rho(epsilon: float, delta: float) -> float:
    """Rho as printed in Section 4.2, which is false: epsilon**2 / (2 log(1 / delta))."""
    return epsilon**2 / (2 * math.log(1 / delta))


def standard_rho(epsilon: float, delta: float) -> float:
    """Largest rho with rho + 2 sqrt(rho log(1 / delta)) <= epsilon (Bun and Steinke 2016)."""
    share = math.log(1 / delta)
    return (epsilon / (math.sqrt(share + epsilon) + math.sqrt(share))) ** 2


def exact_rho(epsilon: float, delta: float) -> float:
    """Rho = mu**2 / 2 of the Gaussian mechanism whose delta at epsilon is the given one."""
    return 0.5 / gaussian_scale(epsilon, delta) ** 2


# --- Theorem 4 -----------------------------------------------------------------------------------------

SPLIT = 2 / 3  # k of lemma 16
ROOT = 5.0  # exp(tau / 2) of lemma 8
C_0 = (ROOT - 1 - math.log(ROOT)) / (1 - 1 / ROOT) ** 2
C_1 = 1 / 12
SMALLEST = sys.float_info.min  # what underflows is at most this, and not 0


def printed_c() -> float:
    """Constant c of Assumption 1, as printed; its own derivation gives 3**-2, not 3**-1.5."""
    return float(2**-7.5 * 3**-1.5 / 5)


def corrected_c(split: float = SPLIT / 2) -> float:
    """Constant c of Assumption 1 where lemma 16 is used at sqrt(2) t and k / 2, eq. 26."""
    return float(2 * math.sqrt(3) * split**2.5 / (2**10 * ROOT))


def printed_c_2(split: float = SPLIT) -> float:
    """Exponent c_2 of lemma 8, as printed."""
    return (1 - split) * split**2 / (32 * C_0 + 4 * split)


def corrected_c_2(split: float = SPLIT) -> float:
    """Exponent c_2 of lemma 8 with the two invalid steps of its proof repaired."""
    return (1 - split / 2) * split**2 / (256 * C_0 + 4 * split)


def varepsilon(rate: float, t_n: float, psi: float) -> float:
    """Twice the bound of lemma 14 on abs(log d): 2 (1 - p) T psi / p."""
    return 2 * (1 - rate) / rate * t_n * psi


def theorem_4_epsilon(varepsilon_n: float, delta_n: float) -> float:
    """Epsilon of Theorem 4: varepsilon + log(delta + exp(varepsilon))."""
    if delta_n <= 0:
        return 2 * varepsilon_n
    log_delta = math.log(delta_n)
    most = max(log_delta, varepsilon_n)
    if math.isinf(most):
        return most
    return varepsilon_n + most + math.log1p(math.exp(-abs(log_delta - varepsilon_n)))


def theorem_4_delta(n: float, phi: float, c_3: float) -> float:
    """Delta of Theorem 4: 4 exp(-c_1 n phi**2 / 2) / c_3; where that underflows, a bound on it."""
    return max(4 / c_3 * math.exp(-C_1 * n * phi**2 / 2), SMALLEST)


def printed_shells(phi: float) -> float:
    """Bound of Lemma 13 on (1 + L)(1 + N), as printed; it is false for some phi above 1/3."""
    share = -math.log2(phi)
    return 20 * max(share, share**2)


def repaired_shells(phi: float) -> float:
    """(1 + L)(1 + N) of lemma 8, where lemma 16 is used at sqrt(2) phi and k / 2, or its printed bound.

    N is the least number with 2**N s > sqrt(2) phi, and s = (k / 2)**2 2 phi**2 / (2**4.5 exp(tau / 2)).
    """
    scales = math.floor(math.log2(2**4.5 * ROOT / ((SPLIT / 2) ** 2 * math.sqrt(2) * phi))) + 1
    shells = max(math.ceil(-2 * math.log2(phi) - 1), 0)
    return max(float((1 + shells) * (1 + scales)), printed_shells(phi))


def theorem_4_failure(
    n: float, phi: float, c_2: float, c_4: float, alpha: float, *, printed: bool = False
) -> float:
    """Failure probability of Theorem 4, eq. 14: C'(n, phi) exp(-c_5 n phi**2), or a bound on it."""
    c_5 = min(C_1 * alpha / 8, c_2)
    if n * c_2 * phi**2 >= math.log(2):
        constant = 4.0
    else:
        constant = printed_shells(phi) if printed else repaired_shells(phi)
    return max((4 + 2 * constant + 2 * c_4) * math.exp(-c_5 * n * phi**2), SMALLEST)


def least_phi(n: float, c: float, entropy: float) -> float:
    """Least phi that Assumption 1 allows where the bracketing entropy is at least `entropy` below it.

    The integral of sqrt(H) from phi**2 / 2**10 to phi is at most c sqrt(n) phi**2 only from there on.
    """
    share = math.sqrt(entropy)
    # phi (1 - phi / 2**10) sqrt(H) <= c sqrt(n) phi**2
    return share / (c * math.sqrt(n) + share / 2**10)


# --- first order -----------------------------------------------------------------------------------------


def first_order_epsilon(n: float, delta: float, kappa: float) -> float:
    """Largest log ratio on the interval of mass 1 - delta, to first order: 2 z kappa / sqrt(n)."""
    return -2 * float(ndtri(delta / 2)) * kappa / math.sqrt(n)


def first_order_shift(n: float, kappa: float) -> float:
    """Standard deviations that two last records move the posterior apart: 2 kappa / sqrt(n)."""
    return 2 * kappa / math.sqrt(n)


def draw_error(n: float, information: float) -> float:
    """Mean squared error of a posterior draw, to first order: 2 / (n I_p)."""
    return 2 / (n * information)


def with_approximation(epsilon: float, delta: float, total_variation: float) -> float:
    """Delta where both distributions are only within a total variation: delta + (1 + e**epsilon) tv."""
    if total_variation == 0:
        return delta
    log_price = math.log1p(math.exp(-epsilon)) + epsilon + math.log(total_variation)
    return min(1.0, delta + math.exp(log_price)) if log_price < 0 else 1.0
