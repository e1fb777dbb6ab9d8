"""Decide tasks in worker processes, with limits that count work."""
