"""Proof methods: each names its trusted base, and each may answer "undecided"."""
