"""NumPy as `np`, imported when it is first used: a statement that is proved at once needs no floats."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
else:
    from dpbook.engine.language.budget import Later

    np = Later("numpy")

__all__ = ["np"]
