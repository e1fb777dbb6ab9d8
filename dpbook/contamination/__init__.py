"""Is a posterior draw private once the data are contaminated? A paper's algorithm, theory, studies.

Each record is replaced, with a probability, by a draw from a public heavy-tailed density, and one
draw is released from the posterior under the contaminated likelihood. A `Setting` says what is
known before the data; `Setting.epsilon` and `Setting.estimate` are the paper's Algorithm 1 and two
sharper estimators; `audits` shows what its *random* differential privacy does not promise.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
