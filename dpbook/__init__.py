"""A book on differential privacy that checks itself.

The public names are imported when they are first used, so that ``import dpbook`` costs nothing.
"""

from dpbook.lazy import names

__version__ = "0.1.0"

__all__, __getattr__, __dir__ = names(globals())
