"""Notation of the privacy claims."""

from dpbook.engine.domain import symbol, symbols

nu = symbol("nu", above=1, meaning="order of the Renyi divergence")
mu_1, mu_2 = symbols("mu_1 mu_2", meaning="means of two normal laws")
sigma_1, sigma_2 = symbols("sigma_1 sigma_2", above=0, meaning="standard deviations of two laws")

shifted_variance = symbol(
    "shifted_variance",
    equals=lambda: nu * sigma_2**2 + (1 - nu) * sigma_1**2,
    latex=r"(\sigma^2)_\nu^*",
    meaning="variance that the divergence divides by; finite where it is positive",
)
epsilon = symbol("epsilon", at_least=0, meaning="privacy loss")
distance = symbol("Delta", above=0, meaning="distance of two means in standard deviations")
at = symbol("t", meaning="an output")
tail_start = symbol("u", at_least=0, meaning="where a tail begins")
