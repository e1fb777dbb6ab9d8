"""dpbook inside other tools: Sphinx, and the HTML book that it builds; IPython."""
