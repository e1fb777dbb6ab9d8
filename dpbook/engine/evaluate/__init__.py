"""Evaluate SymPy expressions on Arb balls, at exact points, and on NumPy arrays."""
