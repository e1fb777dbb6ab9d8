"""Divergences and privacy curves, from the literature: each claim names its own source.

`divergences` holds laws and divergences as SymPy objects (`Normal`, `renyi_divergence`,
`normal_profile`): short in a statement, written out for its proof.
"""
