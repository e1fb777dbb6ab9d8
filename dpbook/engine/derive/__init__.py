"""Check the lines of a derivation: compare lines, cut cells, find a kind of fault, give hints."""
