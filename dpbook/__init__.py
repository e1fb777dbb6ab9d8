"""A book on differential privacy that checks itself.

The public names are imported when they are first used, so that ``import dpbook`` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpbook.engine.check import check
    from dpbook.engine.claim import claim
    from dpbook.engine.derivation import derive, implies
    from dpbook.engine.domain import symbol, symbols
    from dpbook.engine.ledger import ledger
    from dpbook.engine.methods.balls import compiled, prove_on_box
    from dpbook.engine.verdict import Evidence, Verdict
    from dpbook.privacy.audit import audit
    from dpbook.privacy.profiles import profile

__all__ = [
    "Evidence",
    "Verdict",
    "audit",
    "check",
    "claim",
    "compiled",
    "derive",
    "implies",
    "ledger",
    "profile",
    "prove_on_box",
    "symbol",
    "symbols",
]

__version__ = "0.1.0"

_HOMES = {
    "Evidence": "dpbook.engine.verdict",
    "Verdict": "dpbook.engine.verdict",
    "audit": "dpbook.privacy.audit",
    "check": "dpbook.engine.check",
    "claim": "dpbook.engine.claim",
    "compiled": "dpbook.engine.methods.balls",
    "derive": "dpbook.engine.derivation",
    "implies": "dpbook.engine.derivation",
    "ledger": "dpbook.engine.ledger",
    "profile": "dpbook.privacy.profiles",
    "prove_on_box": "dpbook.engine.methods.balls",
    "symbol": "dpbook.engine.domain",
    "symbols": "dpbook.engine.domain",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dpbook' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
