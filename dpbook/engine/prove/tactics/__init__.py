"""Tactics search for certificates. Nobody has to trust them: the kernel checks each certificate."""
