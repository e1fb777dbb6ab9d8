"""Refute statements by points, small finite distributions, and the examples of an author."""
