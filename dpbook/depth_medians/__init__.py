"""A private median of points: a paper's claims, decided, and its mechanism, to run.

A point lies out by the largest standardised distance of its projections from their median
(`outlyingness`); the point that lies out least is the projection-depth median
(`Outlyingness.minimum`). It is made private by propose-test-release: a test whether the data are
safe, then a draw that prefers points which lie out little (`Setting.release`). `Setting` holds the
parameters; its mode selects the test: the printed test, which is not private, or a private test.
`audits` attacks both, `theory` holds the formulas, `competitors` the other estimates of Figure 1.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
