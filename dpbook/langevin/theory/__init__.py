"""Closed forms and calculators, compiled from the notation and checked against the claims."""
