"""Tactics search for certificates. They are trusted in nothing: the kernel checks what they find."""
