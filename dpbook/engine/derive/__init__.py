"""Lines of a derivation: comparison, cells, the kind of a slip, hints."""
