"""Can Langevin dynamics give privacy? A paper's claims, decided, and its formulas, to run.

The paper draws the slope of a regression with known noise. One exact posterior draw tells little
about a record, a chain stopped on its way there can tell much. `Setting` holds the numbers of both,
and is asked for what is known of them; `FIGURE_1` is one. The formulas stand in `theory`, the
symbols in `notation`, what the paper says, section by section, in `claims`; the printed version of a
formula is ``version="printed"`` and carries the key of the claim that was refuted.
"""

from dpbook.lazy import names

__all__, __getattr__, __dir__ = names(globals())
