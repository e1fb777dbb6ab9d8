"""Hold the tools that all papers share: divergences, privacy curves, accounting, noise and audits.

The claims come from the literature, each with its own source. `distributions` and `divergences` hold distributions
and divergences as SymPy objects (`Normal`, `renyi_divergence`): short in a statement, written out
for its proof. `profiles` evaluates them for two distributions with numbers, `conversions` goes from one
notion of privacy to another within the range of a claim, `accounting` encloses epsilon and delta,
`noise` and `mechanisms` draw, and `audit` tests the draws, on the broken mechanisms of `zoo`
too. Nothing here is for releasing real data: use OpenDP for that.
"""

import sys

from dpbook.lazy import Package, names

sys.modules[__name__].__class__ = Package  # `audit` is the function, whatever was imported before
__all__, __getattr__, __dir__ = names(globals())
