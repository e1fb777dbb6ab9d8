"""Divergences and privacy curves, from the literature: each claim names its own source."""
