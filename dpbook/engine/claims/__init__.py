"""Declare claims, find them, decide them in the order of dependence, record and show them."""
