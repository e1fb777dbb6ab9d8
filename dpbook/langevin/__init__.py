"""Can Langevin dynamics give privacy? A paper's claims, decided, and its formulas, to run.

The paper draws the slope of a regression with known noise. One exact posterior draw tells little
about a record (`theory.posterior`, `theory.divergence`, `theory.loss_bound`), a chain stopped on
its way there can tell much (`kernels.cycle`, `kernels.epoch_laws`). Its symbols stand in
`notation`, what it says, section by section, in `claims`; the printed version of a formula is
``version="printed"`` and carries the key of the claim that was refuted.
"""
