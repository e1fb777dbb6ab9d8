"""The public names of dpbook, and where each stands."""

from dpbook.engine.claims.check import check as check
from dpbook.engine.claims.claim import Source as Source
from dpbook.engine.claims.claim import axiom as axiom
from dpbook.engine.claims.claim import claim as claim
from dpbook.engine.claims.ledger import ledger as ledger
from dpbook.engine.derive.derivation import derive as derive
from dpbook.engine.derive.derivation import implies as implies
from dpbook.engine.derive.derivation import step as step
from dpbook.engine.evaluate.public import compiled as compiled
from dpbook.engine.language.domain import DomainError as DomainError
from dpbook.engine.language.domain import symbol as symbol
from dpbook.engine.language.domain import symbols as symbols
from dpbook.engine.language.statement import Both as Both
from dpbook.engine.language.statement import Defined as Defined
from dpbook.engine.language.statement import Either as Either
from dpbook.engine.language.statement import Eventually as Eventually
from dpbook.engine.language.statement import Every as Every
from dpbook.engine.language.statement import Exists as Exists
from dpbook.engine.language.statement import Inf as Inf
from dpbook.engine.language.statement import Noted as Noted
from dpbook.engine.language.statement import Order as Order
from dpbook.engine.language.statement import Recurrence as Recurrence
from dpbook.engine.language.statement import Relation as Relation
from dpbook.engine.language.statement import Statistical as Statistical
from dpbook.engine.language.statement import Sup as Sup
from dpbook.engine.language.statement import as_tree as as_tree
from dpbook.engine.language.statement import derivative as derivative
from dpbook.engine.language.statement import for_all as for_all
from dpbook.engine.language.verdict import Evidence as Evidence
from dpbook.engine.language.verdict import Verdict as Verdict
from dpbook.privacy.audit import audit as audit
from dpbook.privacy.profiles import profile as profile
from dpbook.teaching import exercises as exercises
from dpbook.teaching import questions as questions
from dpbook.teaching.figures import axes as axes
from dpbook.teaching.figures import show as show

__version__: str
