"""Prove statements: sequents, one search and its tactics. Only the kernel is trusted."""
