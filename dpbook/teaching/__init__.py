"""Helpers for chapters: notebooks, editions, figures, exercises."""
