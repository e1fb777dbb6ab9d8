"""A Sphinx project in reStructuredText that shows claims of its own."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # autodoc imports the package from here

project = "Tail bounds"
extensions = ["sphinx.ext.autodoc", "dpbook.ext.sphinx"]
dpbook_claims = ["bounds.py"]
exclude_patterns = ["_build"]
