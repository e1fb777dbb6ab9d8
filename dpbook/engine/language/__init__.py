"""Represent statements, domains and function symbols, with their definedness and verdicts."""
