"""The public names of dpbook, and where each stands."""

from dpbook.engine.check import check as check
from dpbook.engine.claim import claim as claim
from dpbook.engine.derivation import derive as derive
from dpbook.engine.derivation import implies as implies
from dpbook.engine.domain import symbol as symbol
from dpbook.engine.domain import symbols as symbols
from dpbook.engine.ledger import ledger as ledger
from dpbook.engine.methods.balls import compiled as compiled
from dpbook.engine.methods.balls import prove_on_box as prove_on_box
from dpbook.engine.verdict import Evidence as Evidence
from dpbook.engine.verdict import Verdict as Verdict
from dpbook.privacy.audit import audit as audit
from dpbook.privacy.profiles import profile as profile

__version__: str
