"""A book on differential privacy that checks itself.

The public names are imported when they are first used, so that ``import dpbook`` costs nothing.
"""

from typing import TYPE_CHECKING

from dpbook.lazy import names

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


__getattr__, __dir__ = names(globals(), _HOMES)
